namespace Pebble;

public enum Kind
{
    End,
    Number,
    Text,
    Name,
    Let,
    Function,
    If,
    Else,
    While,
    Return,
    True,
    False,
    Nil,
    And,
    Or,
    Not,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Assign,
    LeftParenthesis,
    RightParenthesis,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    Comma,
    Semicolon,
}

/// <summary>A word of a script. Lines count from 1.</summary>
public readonly record struct Token(Kind Kind, string Text, int Line);

/// <summary>A script is wrong, or does what cannot be done.</summary>
public sealed class ScriptException(string message, int line) : Exception($"line {line}: {message}")
{
    public int Line { get; } = line;
}
