using System.Collections;
using System.Globalization;

namespace Toolbox.Json;

public enum JsonKind
{
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// <summary>A JSON value; arrays and objects can be changed, objects keep the order of their members.</summary>
public sealed class JsonValue : IEquatable<JsonValue>, IEnumerable<JsonValue>
{
    public static readonly JsonValue Null = new(JsonKind.Null);
    public static readonly JsonValue True = new(JsonKind.Boolean) { _number = 1 };
    public static readonly JsonValue False = new(JsonKind.Boolean);

    private readonly List<JsonValue>? _items;
    private readonly List<string>? _names;
    private string? _text;
    private double _number;

    private JsonValue(JsonKind kind)
    {
        Kind = kind;
        if (kind is JsonKind.Array or JsonKind.Object)
        {
            _items = [];
        }

        if (kind == JsonKind.Object)
        {
            _names = [];
        }
    }

    public JsonKind Kind { get; }

    public int Count => _items?.Count ?? 0;

    public IReadOnlyList<string> Names => _names ?? throw Mismatch(JsonKind.Object);

    public JsonValue this[int index] => Kind == JsonKind.Array ? _items![index] : throw Mismatch(JsonKind.Array);

    public JsonValue this[string name]
    {
        get => TryGet(name, out var value) ? value : throw new KeyNotFoundException($"no member \"{name}\"");
        set
        {
            int index = (_names ?? throw Mismatch(JsonKind.Object)).IndexOf(name);
            if (index >= 0)
            {
                _items![index] = value;
            }
            else
            {
                _names.Add(name);
                _items!.Add(value);
            }
        }
    }

    public static JsonValue Array(params JsonValue[] items)
    {
        var array = new JsonValue(JsonKind.Array);
        array._items!.AddRange(items);
        return array;
    }

    public static JsonValue Object(params (string Name, JsonValue Value)[] members)
    {
        var result = new JsonValue(JsonKind.Object);
        foreach (var (name, value) in members)
        {
            result[name] = value;
        }

        return result;
    }

    public static implicit operator JsonValue(double number) => new(JsonKind.Number) { _number = number };

    public static implicit operator JsonValue(string? text) => text is null ? Null : new(JsonKind.String) { _text = text };

    public static implicit operator JsonValue(bool value) => value ? True : False;

    public static explicit operator double(JsonValue value) => value.Expect(JsonKind.Number)._number;

    public static explicit operator int(JsonValue value) => checked((int)value.Expect(JsonKind.Number)._number);

    public static explicit operator string(JsonValue value) => value.Expect(JsonKind.String)._text!;

    public static explicit operator bool(JsonValue value) => value.Expect(JsonKind.Boolean)._number != 0;

    public void Add(JsonValue item) => Expect(JsonKind.Array)._items!.Add(item);

    public bool Remove(string name)
    {
        int index = Expect(JsonKind.Object)._names!.IndexOf(name);
        if (index < 0)
        {
            return false;
        }

        _names!.RemoveAt(index);
        _items!.RemoveAt(index);
        return true;
    }

    public bool TryGet(string name, out JsonValue value)
    {
        int index = Kind == JsonKind.Object ? _names!.IndexOf(name) : -1;
        value = index >= 0 ? _items![index] : Null;
        return index >= 0;
    }

    public bool Equals(JsonValue? other)
    {
        if (other is null || other.Kind != Kind || other.Count != Count)
        {
            return false;
        }

        switch (Kind)
        {
            case JsonKind.Array:
                return _items!.SequenceEqual(other._items!);
            case JsonKind.Object:
                foreach (string name in _names!)
                {
                    if (!other.TryGet(name, out var theirs) || !this[name].Equals(theirs))
                    {
                        return false;
                    }
                }

                return true;
            case JsonKind.String:
                return _text == other._text;
            default:
                return _number.Equals(other._number);
        }
    }

    public override bool Equals(object? obj) => Equals(obj as JsonValue);

    public override int GetHashCode() => HashCode.Combine(Kind, Count, _text, _number);

    public IEnumerator<JsonValue> GetEnumerator()
    {
        foreach (var item in _items ?? [])
        {
            yield return item;
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override string ToString() => JsonWriter.Write(this);

    internal string NumberText()
    {
        return _number == Math.Truncate(_number) && Math.Abs(_number) < 1e15
            ? _number.ToString("0", CultureInfo.InvariantCulture)
            : _number.ToString("R", CultureInfo.InvariantCulture);
    }

    private JsonValue Expect(JsonKind kind) => Kind == kind ? this : throw Mismatch(kind);

    private InvalidOperationException Mismatch(JsonKind wanted) => new($"a JSON {Kind} is no {wanted}");
}
