using System.Globalization;

namespace Pebble;

public enum Shape : byte
{
    Nil,
    Boolean,
    Number,
    Text,
    List,
    Function,
}

/// <summary>What a variable of a script holds.</summary>
public readonly struct Value : IEquatable<Value>
{
    private readonly double _number;
    private readonly object? _object;

    private Value(Shape shape, double number, object? held)
    {
        Shape = shape;
        _number = number;
        _object = held;
    }

    public static Value Nil => default;

    public Shape Shape { get; }

    public bool IsNumber => Shape == Shape.Number;

    public bool IsTrue => Shape switch
    {
        Shape.Nil => false,
        Shape.Boolean => _number != 0,
        _ => true,
    };

    public double Number => _number;

    public string Text => (string)_object!;

    public List<Value> List => (List<Value>)_object!;

    public Function Function => (Function)_object!;

    public static Value Of(bool value) => new(Shape.Boolean, value ? 1 : 0, null);

    public static Value Of(double value) => new(Shape.Number, value, null);

    public static Value Of(string value) => new(Shape.Text, 0, value);

    public static Value Of(List<Value> value) => new(Shape.List, 0, value);

    public static Value Of(Function value) => new(Shape.Function, 0, value);

    public bool Equals(Value other)
    {
        if (Shape != other.Shape)
        {
            return false;
        }

        return Shape switch
        {
            Shape.Nil => true,
            Shape.Boolean or Shape.Number => _number == other._number,
            Shape.Text => Text == other.Text,
            _ => ReferenceEquals(_object, other._object),
        };
    }

    public override bool Equals(object? obj) => obj is Value other && Equals(other);

    public override int GetHashCode() => HashCode.Combine(Shape, _number, _object);

    public override string ToString() => Shape switch
    {
        Shape.Nil => "nil",
        Shape.Boolean => IsTrue ? "true" : "false",
        Shape.Number => _number.ToString(CultureInfo.InvariantCulture),
        Shape.Text => Text,
        Shape.List => "[" + string.Join(", ", List) + "]",
        _ => "fn " + Function.Name,
    };
}

/// <summary>A function of the script with the variables around it, or one of ours.</summary>
public sealed class Function
{
    public required string Name { get; init; }

    public Lambda? Lambda { get; init; }

    public Scope? Scope { get; init; }

    public Func<IReadOnlyList<Value>, Value>? Native { get; init; }
}
