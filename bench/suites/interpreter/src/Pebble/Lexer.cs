using System.Text;

namespace Pebble;

/// <summary>Makes tokens of a script's text.</summary>
public sealed class Lexer(string source)
{
    private static readonly Dictionary<string, Kind> s_keywords = new()
    {
        ["let"] = Kind.Let,
        ["fn"] = Kind.Function,
        ["if"] = Kind.If,
        ["else"] = Kind.Else,
        ["while"] = Kind.While,
        ["return"] = Kind.Return,
        ["true"] = Kind.True,
        ["false"] = Kind.False,
        ["nil"] = Kind.Nil,
        ["and"] = Kind.And,
        ["or"] = Kind.Or,
        ["not"] = Kind.Not,
    };

    private int _at;
    private int _line = 1;

    public List<Token> Tokens()
    {
        var tokens = new List<Token>();
        Token token;
        do
        {
            token = Next();
            tokens.Add(token);
        }
        while (token.Kind != Kind.End);
        return tokens;
    }

    private Token Next()
    {
        SkipBlanks();
        if (_at >= source.Length)
        {
            return new Token(Kind.End, "", _line);
        }

        char c = source[_at];
        if (char.IsAsciiDigit(c))
        {
            return Number();
        }

        if (char.IsAsciiLetter(c) || c == '_')
        {
            return Word();
        }

        return c == '"' ? Text() : Sign(c);
    }

    private void SkipBlanks()
    {
        while (_at < source.Length)
        {
            char c = source[_at];
            if (c == '\n')
            {
                _line++;
                _at++;
            }
            else if (char.IsWhiteSpace(c))
            {
                _at++;
            }
            else if (c == '#')
            {
                while (_at < source.Length && source[_at] != '\n')
                {
                    _at++;
                }
            }
            else
            {
                return;
            }
        }
    }

    private Token Number()
    {
        int start = _at;
        while (_at < source.Length && (char.IsAsciiDigit(source[_at]) || source[_at] == '.'))
        {
            _at++;
        }

        return new Token(Kind.Number, source[start.._at], _line);
    }

    private Token Word()
    {
        int start = _at;
        while (_at < source.Length && (char.IsAsciiLetterOrDigit(source[_at]) || source[_at] == '_'))
        {
            _at++;
        }

        string word = source[start.._at];
        return new Token(s_keywords.TryGetValue(word, out Kind kind) ? kind : Kind.Name, word, _line);
    }

    private Token Text()
    {
        int line = _line;
        var text = new StringBuilder();
        for (_at++; _at < source.Length && source[_at] != '"'; _at++)
        {
            char c = source[_at];
            if (c == '\\' && _at + 1 < source.Length)
            {
                _at++;
                c = source[_at] switch { 'n' => '\n', 't' => '\t', _ => source[_at] };
            }

            text.Append(c);
            _line += c == '\n' ? 1 : 0;
        }

        if (_at >= source.Length)
        {
            throw new ScriptException("the text has no end", line);
        }

        _at++;
        return new Token(Kind.Text, text.ToString(), line);
    }

    private Token Sign(char c)
    {
        bool isDouble = _at + 1 < source.Length && source[_at + 1] == '=' && "=!<>".Contains(c);
        string text = isDouble ? source.Substring(_at, 2) : c.ToString();
        _at += text.Length;
        Kind kind = text switch
        {
            "+" => Kind.Plus,
            "-" => Kind.Minus,
            "*" => Kind.Star,
            "/" => Kind.Slash,
            "%" => Kind.Percent,
            "==" => Kind.Equal,
            "!=" => Kind.NotEqual,
            "<" => Kind.Less,
            "<=" => Kind.LessOrEqual,
            ">" => Kind.Greater,
            ">=" => Kind.GreaterOrEqual,
            "=" => Kind.Assign,
            "(" => Kind.LeftParenthesis,
            ")" => Kind.RightParenthesis,
            "{" => Kind.LeftBrace,
            "}" => Kind.RightBrace,
            "[" => Kind.LeftBracket,
            "]" => Kind.RightBracket,
            "," => Kind.Comma,
            ";" => Kind.Semicolon,
            _ => throw new ScriptException($"'{text}' means nothing", _line),
        };
        return new Token(kind, text, _line);
    }
}
