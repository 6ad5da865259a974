namespace Toolbox.Expressions;

/// <summary>
/// Reads expressions by precedence climbing. From loose to tight: ?:, or, and, comparisons, + -, * / %, unary, ^.
/// </summary>
public sealed class Parser
{
    private readonly List<Token> _tokens;
    private int _next;

    private Parser(List<Token> tokens)
    {
        _tokens = tokens;
    }

    private Token Current => _tokens[_next];

    public static Node Parse(string text)
    {
        var parser = new Parser(Tokenizer.Tokenize(text));
        var node = parser.ParseConditional();
        parser.Expect(TokenKind.End);
        return node;
    }

    public static bool TryParse(string text, out Node? node, out string error)
    {
        try
        {
            node = Parse(text);
            error = "";
            return true;
        }
        catch (ExpressionException e) when (e.Position >= 0)
        {
            node = null;
            error = $"{e.Message} (at {e.Position})";
            return false;
        }
    }

    internal static int Precedence(TokenKind kind)
    {
        switch (kind)
        {
            case TokenKind.Or:
                return 1;
            case TokenKind.And:
                return 2;
            case TokenKind.Equal:
            case TokenKind.NotEqual:
                return 3;
            case TokenKind.Less:
            case TokenKind.LessOrEqual:
            case TokenKind.Greater:
            case TokenKind.GreaterOrEqual:
                return 4;
            case TokenKind.Plus:
            case TokenKind.Minus:
                return 5;
            case TokenKind.Star:
            case TokenKind.Slash:
            case TokenKind.Percent:
                return 6;
            case TokenKind.Caret:
                return 8;
            default:
                return 0;
        }
    }

    private bool Accept(TokenKind kind)
    {
        if (Current.Kind != kind)
        {
            return false;
        }

        _next++;
        return true;
    }

    private Token Expect(TokenKind kind)
    {
        var token = Current;
        if (!Accept(kind))
        {
            throw new ExpressionException($"expected {kind}, found {token}", token.Position);
        }

        return token;
    }

    private Node ParseConditional()
    {
        var condition = ParseBinary(1);
        if (!Accept(TokenKind.Question))
        {
            return condition;
        }

        var whenTrue = ParseConditional();
        Expect(TokenKind.Colon);
        return new Conditional(condition, whenTrue, ParseConditional());
    }

    private Node ParseBinary(int lowest)
    {
        var left = ParseUnary();
        for (int precedence = Precedence(Current.Kind); precedence >= lowest; precedence = Precedence(Current.Kind))
        {
            var kind = Current.Kind;
            _next++;
            // The power is the only operator that groups from the right.
            var right = ParseBinary(kind == TokenKind.Caret ? precedence : precedence + 1);
            left = new Binary(kind, left, right);
        }

        return left;
    }

    private Node ParseUnary()
    {
        var token = Current;
        switch (token.Kind)
        {
            case TokenKind.Minus:
            case TokenKind.Not:
                _next++;
                return new Unary(token.Kind, ParseBinary(7));
            case TokenKind.Plus:
                _next++;
                return ParseBinary(7);
            default:
                return ParsePrimary();
        }
    }

    private Node ParsePrimary()
    {
        var token = Current;
        if (Accept(TokenKind.Number))
        {
            return new Number(token.Number);
        }

        if (Accept(TokenKind.Name))
        {
            return Current.Kind == TokenKind.Open ? ParseCall(token) : new Variable(token.Text, token.Position);
        }

        if (Accept(TokenKind.Open))
        {
            var inner = ParseConditional();
            Expect(TokenKind.Close);
            return inner;
        }

        throw new ExpressionException($"expected a value, found {token}", token.Position);
    }

    private Call ParseCall(Token name)
    {
        var arguments = new List<Node>();
        Expect(TokenKind.Open);
        if (!Accept(TokenKind.Close))
        {
            do
            {
                arguments.Add(ParseConditional());
            }
            while (Accept(TokenKind.Comma));

            Expect(TokenKind.Close);
        }

        return new Call(name.Text, arguments, name.Position);
    }
}
