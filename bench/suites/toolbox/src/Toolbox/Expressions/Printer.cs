using System.Globalization;
using System.Text;

namespace Toolbox.Expressions;

/// <summary>Writes a tree as text that reads back to the same tree, with no more brackets than needed.</summary>
public sealed class Printer : INodeVisitor<string>
{
    private const int UnaryPrecedence = 7;

    public static string SymbolOf(TokenKind kind) => kind switch
    {
        TokenKind.Plus => "+",
        TokenKind.Minus => "-",
        TokenKind.Star => "*",
        TokenKind.Slash => "/",
        TokenKind.Percent => "%",
        TokenKind.Caret => "^",
        TokenKind.Less => "<",
        TokenKind.LessOrEqual => "<=",
        TokenKind.Greater => ">",
        TokenKind.GreaterOrEqual => ">=",
        TokenKind.Equal => "==",
        TokenKind.NotEqual => "!=",
        TokenKind.And => "and",
        TokenKind.Or => "or",
        TokenKind.Not => "not ",
        _ => throw new ArgumentOutOfRangeException(nameof(kind)),
    };

    public string Visit(Number node) => node.Value.ToString("R", CultureInfo.InvariantCulture);

    public string Visit(Variable node) => node.Name;

    public string Visit(Unary node) => SymbolOf(node.Operator) + Bracketed(node.Operand, UnaryPrecedence);

    public string Visit(Binary node)
    {
        int precedence = Parser.Precedence(node.Operator);
        bool fromRight = node.Operator == TokenKind.Caret;
        string left = Bracketed(node.Left, fromRight ? precedence + 1 : precedence);
        string right = Bracketed(node.Right, fromRight ? precedence : precedence + 1);
        return $"{left} {SymbolOf(node.Operator)} {right}";
    }

    public string Visit(Conditional node)
    {
        return $"{Bracketed(node.Condition, 1)} ? {node.WhenTrue.Accept(this)} : {node.WhenFalse.Accept(this)}";
    }

    public string Visit(Call node)
    {
        var text = new StringBuilder(node.Function).Append('(');
        for (int i = 0; i < node.Arguments.Count; i++)
        {
            if (i > 0)
            {
                text.Append(", ");
            }

            text.Append(node.Arguments[i].Accept(this));
        }

        return text.Append(')').ToString();
    }

    private static int PrecedenceOf(Node node) => node switch
    {
        Conditional => 0,
        Binary b => Parser.Precedence(b.Operator),
        Unary => UnaryPrecedence,
        Number { Value: < 0 } => UnaryPrecedence,
        _ => int.MaxValue,
    };

    private string Bracketed(Node node, int atLeast)
    {
        string text = node.Accept(this);
        return PrecedenceOf(node) < atLeast ? $"({text})" : text;
    }
}
