using System.Globalization;
using System.Text;

namespace Toolbox.Json;

public sealed class JsonException(string message, int line, int column)
    : FormatException($"{message} (line {line}, column {column})")
{
    public int Line { get; } = line;

    public int Column { get; } = column;
}

/// <summary>Reads RFC 8259 JSON, nothing more: no comments, no trailing commas.</summary>
public ref struct JsonReader
{
    private const int DepthMax = 100;

    private readonly ReadOnlySpan<char> _text;
    private int _position;
    private int _depth;

    private JsonReader(ReadOnlySpan<char> text)
    {
        _text = text;
    }

    public static JsonValue Read(string text)
    {
        var reader = new JsonReader(text);
        var value = reader.ReadValue();
        reader.SkipWhiteSpace();
        if (reader._position != text.Length)
        {
            throw reader.Fail("more text behind the value");
        }

        return value;
    }

    private JsonValue ReadValue()
    {
        SkipWhiteSpace();
        if (_position == _text.Length)
        {
            throw Fail("a value is missing");
        }

        switch (_text[_position])
        {
            case '{':
                return ReadObject();
            case '[':
                return ReadArray();
            case '"':
                return ReadString();
            case 't':
                return ReadWord("true", JsonValue.True);
            case 'f':
                return ReadWord("false", JsonValue.False);
            case 'n':
                return ReadWord("null", JsonValue.Null);
            case '-':
            case >= '0' and <= '9':
                return ReadNumber();
            default:
                throw Fail($"'{_text[_position]}' begins no value");
        }
    }

    private JsonValue ReadObject()
    {
        var result = JsonValue.Object();
        Enter();
        if (Take('}'))
        {
            _depth--;
            return result;
        }

        do
        {
            SkipWhiteSpace();
            if (_position == _text.Length || _text[_position] != '"')
            {
                throw Fail("a member's name is missing");
            }

            string name = ReadString();
            Expect(':');
            result[name] = ReadValue();
        }
        while (Take(','));

        Expect('}');
        _depth--;
        return result;
    }

    private JsonValue ReadArray()
    {
        var result = JsonValue.Array();
        Enter();
        if (!Take(']'))
        {
            do
            {
                result.Add(ReadValue());
            }
            while (Take(','));

            Expect(']');
        }

        _depth--;
        return result;
    }

    private void Enter()
    {
        _position++;
        if (++_depth > DepthMax)
        {
            throw Fail($"more than {DepthMax} levels");
        }
    }

    private string ReadString()
    {
        int start = ++_position;
        StringBuilder? text = null;
        while (_position < _text.Length)
        {
            char c = _text[_position];
            if (c == '"')
            {
                var rest = _text[start.._position];
                _position++;
                return text is null ? rest.ToString() : text.Append(rest).ToString();
            }

            if (c < ' ')
            {
                throw Fail("a control character in a string");
            }

            if (c != '\\')
            {
                _position++;
                continue;
            }

            text ??= new StringBuilder();
            text.Append(_text[start.._position]);
            text.Append(ReadEscape());
            start = _position;
        }

        throw Fail("a string has no end");
    }

    private char ReadEscape()
    {
        _position++;
        if (_position == _text.Length)
        {
            throw Fail("an escape has no end");
        }

        char letter = _text[_position++];
        switch (letter)
        {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case '"':
            case '\\':
            case '/':
                return letter;
            case 'u' when _position + 4 <= _text.Length &&
                    ushort.TryParse(_text.Slice(_position, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort unit):
                _position += 4;
                return (char)unit;
            default:
                _position--;
                throw Fail($"no escape \\{letter}");
        }
    }

    private JsonValue ReadNumber()
    {
        int start = _position;
        if (_text[_position] == '-')
        {
            _position++;
        }

        bool leadingZero = Peek() == '0';
        int digits = SkipDigits();
        if (digits == 0 || (leadingZero && digits > 1))
        {
            throw Fail("malformed number");
        }

        if (Peek() == '.')
        {
            _position++;
            if (SkipDigits() == 0)
            {
                throw Fail("digits are missing behind the point");
            }
        }

        if (Peek() is 'e' or 'E')
        {
            _position++;
            if (Peek() is '+' or '-')
            {
                _position++;
            }

            if (SkipDigits() == 0)
            {
                throw Fail("an exponent has no digits");
            }
        }

        return double.Parse(_text[start.._position], CultureInfo.InvariantCulture);
    }

    private readonly char Peek() => _position < _text.Length ? _text[_position] : '\0';

    private int SkipDigits()
    {
        int start = _position;
        while (char.IsAsciiDigit(Peek()))
        {
            _position++;
        }

        return _position - start;
    }

    private JsonValue ReadWord(string word, JsonValue value)
    {
        if (!_text[_position..].StartsWith(word))
        {
            throw Fail($"expected {word}");
        }

        _position += word.Length;
        return value;
    }

    private void SkipWhiteSpace()
    {
        while (Peek() is ' ' or '\t' or '\n' or '\r')
        {
            _position++;
        }
    }

    private bool Take(char wanted)
    {
        SkipWhiteSpace();
        if (Peek() != wanted)
        {
            return false;
        }

        _position++;
        return true;
    }

    private void Expect(char wanted)
    {
        if (!Take(wanted))
        {
            throw Fail($"expected '{wanted}'");
        }
    }

    private readonly JsonException Fail(string message)
    {
        int line = 1, column = 1;
        for (int i = 0; i < _position; i++)
        {
            column++;
            if (_text[i] == '\n')
            {
                line++;
                column = 1;
            }
        }

        return new JsonException(message, line, column);
    }
}
