using System.Globalization;

namespace Toolbox.Expressions;

/// <summary>Cuts an expression into tokens; the last one is always End.</summary>
public sealed class Tokenizer(string text)
{
    private int _position;

    public static List<Token> Tokenize(string text)
    {
        var tokenizer = new Tokenizer(text);
        var tokens = new List<Token>();
        Token token;
        do
        {
            token = tokenizer.Next();
            tokens.Add(token);
        }
        while (token.Kind != TokenKind.End);

        return tokens;
    }

    public Token Next()
    {
        while (_position < text.Length && char.IsWhiteSpace(text[_position]))
        {
            _position++;
        }

        if (_position == text.Length)
        {
            return new Token(TokenKind.End, _position, "");
        }

        char first = text[_position];
        if (char.IsAsciiDigit(first) || (first == '.' && char.IsAsciiDigit(Peek(1))))
        {
            return Number();
        }

        return char.IsLetter(first) || first == '_' ? Name() : Symbol(first);
    }

    private char Peek(int ahead) => _position + ahead < text.Length ? text[_position + ahead] : '\0';

    private Token Number()
    {
        int start = _position;
        SkipDigits();
        if (Peek(0) == '.')
        {
            _position++;
            SkipDigits();
        }

        if (Peek(0) is 'e' or 'E')
        {
            int sign = Peek(1) is '+' or '-' ? 1 : 0;
            if (char.IsAsciiDigit(Peek(1 + sign)))
            {
                _position += 1 + sign;
                SkipDigits();
            }
        }

        string digits = text[start.._position];
        return new Token(TokenKind.Number, start, digits, double.Parse(digits, CultureInfo.InvariantCulture));
    }

    private void SkipDigits()
    {
        while (char.IsAsciiDigit(Peek(0)))
        {
            _position++;
        }
    }

    private Token Name()
    {
        int start = _position;
        while (char.IsLetterOrDigit(Peek(0)) || Peek(0) == '_')
        {
            _position++;
        }

        string name = text[start.._position];
        var kind = name switch
        {
            "and" => TokenKind.And,
            "or" => TokenKind.Or,
            "not" => TokenKind.Not,
            _ => TokenKind.Name,
        };
        return new Token(kind, start, name);
    }

    private Token Symbol(char first)
    {
        char second = Peek(1);
        var (kind, length) = (first, second) switch
        {
            ('<', '=') => (TokenKind.LessOrEqual, 2),
            ('>', '=') => (TokenKind.GreaterOrEqual, 2),
            ('=', '=') => (TokenKind.Equal, 2),
            ('!', '=') => (TokenKind.NotEqual, 2),
            ('&', '&') => (TokenKind.And, 2),
            ('|', '|') => (TokenKind.Or, 2),
            ('<', _) => (TokenKind.Less, 1),
            ('>', _) => (TokenKind.Greater, 1),
            ('!', _) => (TokenKind.Not, 1),
            ('+', _) => (TokenKind.Plus, 1),
            ('-', _) => (TokenKind.Minus, 1),
            ('*', _) => (TokenKind.Star, 1),
            ('/', _) => (TokenKind.Slash, 1),
            ('%', _) => (TokenKind.Percent, 1),
            ('^', _) => (TokenKind.Caret, 1),
            ('?', _) => (TokenKind.Question, 1),
            (':', _) => (TokenKind.Colon, 1),
            (',', _) => (TokenKind.Comma, 1),
            ('(', _) => (TokenKind.Open, 1),
            (')', _) => (TokenKind.Close, 1),
            _ => throw new ExpressionException($"'{first}' has no meaning here", _position),
        };
        var token = new Token(kind, _position, text.Substring(_position, length));
        _position += length;
        return token;
    }
}
