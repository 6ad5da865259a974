namespace Toolbox.Expressions;

public enum TokenKind
{
    Number,
    Name,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Caret,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    Question,
    Colon,
    Comma,
    Open,
    Close,
    End,
}

/// <summary>One word of an expression and where it stands.</summary>
public readonly record struct Token(TokenKind Kind, int Position, string Text, double Number = 0)
{
    public override string ToString() => Kind == TokenKind.End ? "end of expression" : $"'{Text}'";
}

/// <summary>An expression that can't be read or has no value; Position counts characters from 0.</summary>
public sealed class ExpressionException(string message, int position) : Exception(message)
{
    public int Position { get; } = position;
}
