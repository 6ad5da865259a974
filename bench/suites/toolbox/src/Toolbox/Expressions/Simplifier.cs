namespace Toolbox.Expressions;

/// <summary>Folds constants and applies the laws of 0 and 1.</summary>
public sealed class Simplifier : INodeVisitor<Node>
{
    private static readonly Evaluator s_evaluator = new();

    public static Node Simplify(Node node)
    {
        var simplifier = new Simplifier();
        for (var next = node.Accept(simplifier); ; next = node.Accept(simplifier))
        {
            if (Size(next) == Size(node))
            {
                return next;
            }

            node = next;
        }
    }

    public static int Size(Node node) => node switch
    {
        Unary u => 1 + Size(u.Operand),
        Binary b => 1 + Size(b.Left) + Size(b.Right),
        Conditional c => 1 + Size(c.Condition) + Size(c.WhenTrue) + Size(c.WhenFalse),
        Call c => 1 + c.Arguments.Sum(Size),
        _ => 1,
    };

    public Node Visit(Number node) => node;

    public Node Visit(Variable node) => node;

    public Node Visit(Unary node)
    {
        var operand = node.Operand.Accept(this);
        return (node.Operator, operand) switch
        {
            (TokenKind.Minus, Number n) => new Number(-n.Value),
            (TokenKind.Minus, Unary { Operator: TokenKind.Minus } inner) => inner.Operand,
            (TokenKind.Not, Number n) => new Number(n.Value == 0 ? 1 : 0),
            _ => node with { Operand = operand },
        };
    }

    public Node Visit(Binary node)
    {
        var left = node.Left.Accept(this);
        var right = node.Right.Accept(this);
        if (left is Number && right is Number && !(IsDivision(node.Operator) && right is Number { Value: 0 }))
        {
            return new Number(s_evaluator.Visit(new Binary(node.Operator, left, right)));
        }

        return (node.Operator, left, right) switch
        {
            (TokenKind.Plus, Number { Value: 0 }, _) => right,
            (TokenKind.Plus or TokenKind.Minus, _, Number { Value: 0 }) => left,
            (TokenKind.Star, Number { Value: 1 }, _) => right,
            (TokenKind.Star or TokenKind.Slash or TokenKind.Caret, _, Number { Value: 1 }) => left,
            (TokenKind.Star, Number { Value: 0 }, Variable) => left,
            (TokenKind.Star, Variable, Number { Value: 0 }) => right,
            (TokenKind.Minus, Variable a, Variable b) when a.Name == b.Name => new Number(0),
            _ => node with { Left = left, Right = right },
        };
    }

    public Node Visit(Conditional node)
    {
        var condition = node.Condition.Accept(this);
        if (condition is Number number)
        {
            return (number.Value != 0 ? node.WhenTrue : node.WhenFalse).Accept(this);
        }

        return new Conditional(condition, node.WhenTrue.Accept(this), node.WhenFalse.Accept(this));
    }

    public Node Visit(Call node)
    {
        var arguments = node.Arguments.Select(a => a.Accept(this)).ToList();
        var call = node with { Arguments = arguments };
        if (!arguments.All(a => a is Number))
        {
            return call;
        }

        try
        {
            return new Number(s_evaluator.Visit(call));
        }
        catch (ExpressionException)
        {
            return call;
        }
    }

    private static bool IsDivision(TokenKind kind) => kind is TokenKind.Slash or TokenKind.Percent;
}
