namespace Toolbox.Expressions;

/// <summary>Computes an expression's value. Truth is 1, everything but 0 is true.</summary>
public sealed class Evaluator : INodeVisitor<double>
{
    private static readonly Dictionary<string, (int Arity, Func<double[], double> Body)> s_functions = new()
    {
        ["abs"] = (1, a => Math.Abs(a[0])),
        ["sqrt"] = (1, a => a[0] < 0 ? throw new ExpressionException("sqrt of a negative number", 0) : Math.Sqrt(a[0])),
        ["floor"] = (1, a => Math.Floor(a[0])),
        ["ceil"] = (1, a => Math.Ceiling(a[0])),
        ["sin"] = (1, a => Math.Sin(a[0])),
        ["cos"] = (1, a => Math.Cos(a[0])),
        ["atan2"] = (2, a => Math.Atan2(a[0], a[1])),
        ["clamp"] = (3, a => a[0] < a[1] ? a[1] : a[0] > a[2] ? a[2] : a[0]),
        ["min"] = (-1, a => a.Min()),
        ["max"] = (-1, a => a.Max()),
        ["sum"] = (-1, a => a.Sum()),
        ["gcd"] = (2, a => Gcd((long)a[0], (long)a[1])),
    };

    private readonly IReadOnlyDictionary<string, double> _variables;

    public Evaluator(IReadOnlyDictionary<string, double>? variables = null)
    {
        _variables = variables ?? new Dictionary<string, double>();
    }

    public static IEnumerable<string> Functions => s_functions.Keys.Order(StringComparer.Ordinal);

    public static double Evaluate(string text, params (string Name, double Value)[] variables)
    {
        var evaluator = new Evaluator(variables.ToDictionary(v => v.Name, v => v.Value));
        return Parser.Parse(text).Accept(evaluator);
    }

    public double Visit(Number node) => node.Value;

    public double Visit(Variable node)
    {
        if (_variables.TryGetValue(node.Name, out double value))
        {
            return value;
        }

        return node.Name switch
        {
            "pi" => Math.PI,
            "e" => Math.E,
            "true" => 1,
            "false" => 0,
            _ => throw new ExpressionException($"unknown variable {node.Name}", node.Position),
        };
    }

    public double Visit(Unary node)
    {
        double operand = node.Operand.Accept(this);
        return node.Operator == TokenKind.Not ? Truth(operand == 0) : -operand;
    }

    public double Visit(Binary node)
    {
        double left = node.Left.Accept(this);
        switch (node.Operator)
        {
            case TokenKind.And:
                return Truth(left != 0 && node.Right.Accept(this) != 0);
            case TokenKind.Or:
                return Truth(left != 0 || node.Right.Accept(this) != 0);
        }

        double right = node.Right.Accept(this);
        switch (node.Operator)
        {
            case TokenKind.Plus:
                return left + right;
            case TokenKind.Minus:
                return left - right;
            case TokenKind.Star:
                return left * right;
            case TokenKind.Slash:
                return right == 0 ? throw new ExpressionException("division by zero", 0) : left / right;
            case TokenKind.Percent:
                return right == 0 ? throw new ExpressionException("remainder of zero", 0) : left % right;
            case TokenKind.Caret:
                return Math.Pow(left, right);
            case TokenKind.Less:
                return Truth(left < right);
            case TokenKind.LessOrEqual:
                return Truth(left <= right);
            case TokenKind.Greater:
                return Truth(left > right);
            case TokenKind.GreaterOrEqual:
                return Truth(left >= right);
            case TokenKind.Equal:
                return Truth(left == right);
            case TokenKind.NotEqual:
                return Truth(left != right);
            default:
                throw new InvalidOperationException($"no operator {node.Operator}");
        }
    }

    public double Visit(Conditional node)
    {
        return node.Condition.Accept(this) != 0 ? node.WhenTrue.Accept(this) : node.WhenFalse.Accept(this);
    }

    public double Visit(Call node)
    {
        if (!s_functions.TryGetValue(node.Function, out var function))
        {
            throw new ExpressionException($"unknown function {node.Function}", node.Position);
        }

        if (function.Arity < 0 ? node.Arguments.Count == 0 : node.Arguments.Count != function.Arity)
        {
            throw new ExpressionException($"{node.Function} does not take {node.Arguments.Count} arguments", node.Position);
        }

        var values = new double[node.Arguments.Count];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = node.Arguments[i].Accept(this);
        }

        return function.Body(values);
    }

    private static double Truth(bool value) => value ? 1 : 0;

    private static long Gcd(long a, long b)
    {
        while (b != 0)
        {
            (a, b) = (b, a % b);
        }

        return Math.Abs(a);
    }
}
