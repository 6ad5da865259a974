using System.Text;

namespace Toolbox.Json;

/// <summary>Writes JSON, on one line or indented.</summary>
public sealed class JsonWriter
{
    private readonly StringBuilder _text = new();
    private readonly int _indent;
    private int _depth;

    private JsonWriter(int indent)
    {
        _indent = indent;
    }

    public static string Write(JsonValue value, int indent = 0)
    {
        var writer = new JsonWriter(indent);
        writer.Append(value);
        return writer._text.ToString();
    }

    public static string Quote(string text)
    {
        var writer = new JsonWriter(0);
        writer.AppendString(text);
        return writer._text.ToString();
    }

    private void Append(JsonValue value)
    {
        switch (value.Kind)
        {
            case JsonKind.Null:
                _text.Append("null");
                break;
            case JsonKind.Boolean:
                _text.Append((bool)value ? "true" : "false");
                break;
            case JsonKind.Number:
                _text.Append(value.NumberText());
                break;
            case JsonKind.String:
                AppendString((string)value);
                break;
            case JsonKind.Array:
                AppendAll('[', ']', value.Count, i => Append(value[i]));
                break;
            case JsonKind.Object:
                AppendAll('{', '}', value.Count, i => AppendMember(value, value.Names[i]));
                break;
        }
    }

    private void AppendMember(JsonValue owner, string name)
    {
        AppendString(name);
        _text.Append(_indent > 0 ? ": " : ":");
        Append(owner[name]);
    }

    private void AppendAll(char open, char close, int count, Action<int> append)
    {
        _text.Append(open);
        _depth++;
        for (int i = 0; i < count; i++)
        {
            if (i > 0)
            {
                _text.Append(',');
            }

            AppendNewLine();
            append(i);
        }

        _depth--;
        if (count > 0)
        {
            AppendNewLine();
        }

        _text.Append(close);
    }

    private void AppendNewLine()
    {
        if (_indent > 0)
        {
            _text.Append('\n').Append(' ', _depth * _indent);
        }
    }

    private void AppendString(string text)
    {
        _text.Append('"');
        foreach (char c in text)
        {
            string? escape = c switch
            {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                '\b' => "\\b",
                '\f' => "\\f",
                < ' ' => $"\\u{(int)c:x4}",
                _ => null,
            };
            if (escape is null)
            {
                _text.Append(c);
            }
            else
            {
                _text.Append(escape);
            }
        }

        _text.Append('"');
    }
}
