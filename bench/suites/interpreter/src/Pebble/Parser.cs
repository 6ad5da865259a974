using System.Globalization;

namespace Pebble;

/// <summary>Recursive descent; a method for each level of precedence.</summary>
public sealed class Parser(string source)
{
    private readonly List<Token> _tokens = new Lexer(source).Tokens();
    private int _at;

    private Token Current => _tokens[_at];

    public Block Script()
    {
        var statements = new List<Statement>();
        while (Current.Kind != Kind.End)
        {
            statements.Add(Statement());
        }

        return new Block(statements, 1);
    }

    private Statement Statement()
    {
        int line = Current.Line;
        switch (Current.Kind)
        {
            case Kind.Let:
                return LetStatement();
            case Kind.Function when _tokens[_at + 1].Kind == Kind.Name:
                _at++;
                string name = Take(Kind.Name).Text;
                return new Let(name, FunctionRest(name, line), line);
            case Kind.LeftBrace:
                return Braces();
            case Kind.If:
                return IfStatement();
            case Kind.While:
                _at++;
                var condition = Expression();
                return new While(condition, Braces(), line);
            case Kind.Return:
                _at++;
                var value = Current.Kind == Kind.Semicolon ? null : Expression();
                Take(Kind.Semicolon);
                return new Return(value, line);
            default:
                var expression = Expression();
                Take(Kind.Semicolon);
                return new Evaluation(expression, line);
        }
    }

    private Let LetStatement()
    {
        int line = Take(Kind.Let).Line;
        string name = Take(Kind.Name).Text;
        Take(Kind.Assign);
        var value = Expression();
        Take(Kind.Semicolon);
        return new Let(name, value, line);
    }

    private Block Braces()
    {
        int line = Take(Kind.LeftBrace).Line;
        var statements = new List<Statement>();
        while (Current.Kind is not (Kind.RightBrace or Kind.End))
        {
            statements.Add(Statement());
        }

        Take(Kind.RightBrace);
        return new Block(statements, line);
    }

    private If IfStatement()
    {
        int line = Take(Kind.If).Line;
        var condition = Expression();
        var then = Braces();
        Statement? otherwise = null;
        if (Current.Kind == Kind.Else)
        {
            _at++;
            otherwise = Current.Kind == Kind.If ? IfStatement() : Braces();
        }

        return new If(condition, then, otherwise, line);
    }

    private Lambda FunctionRest(string name, int line)
    {
        Take(Kind.LeftParenthesis);
        var parameters = new List<string>();
        while (Current.Kind != Kind.RightParenthesis)
        {
            parameters.Add(Take(Kind.Name).Text);
            if (Current.Kind != Kind.RightParenthesis)
            {
                Take(Kind.Comma);
            }
        }

        _at++;
        return new Lambda(name, parameters, Braces(), line);
    }

    private Expression Expression()
    {
        var left = Or();
        if (Current.Kind != Kind.Assign)
        {
            return left;
        }

        int line = Take(Kind.Assign).Line;
        if (left is not (Variable or Element))
        {
            throw new ScriptException("nothing can be assigned to that", line);
        }

        return new Assignment(left, Expression(), line);
    }

    private Expression Or()
    {
        var left = And();
        while (Current.Kind == Kind.Or)
        {
            int line = Take(Kind.Or).Line;
            left = new Logical(false, left, And(), line);
        }

        return left;
    }

    private Expression And()
    {
        var left = Comparison();
        while (Current.Kind == Kind.And)
        {
            int line = Take(Kind.And).Line;
            left = new Logical(true, left, Comparison(), line);
        }

        return left;
    }

    private Expression Comparison()
    {
        var left = Sum();
        while (Current.Kind is Kind.Equal or Kind.NotEqual or Kind.Less or Kind.LessOrEqual or Kind.Greater or Kind.GreaterOrEqual)
        {
            var sign = _tokens[_at++];
            left = new Binary(sign.Kind, left, Sum(), sign.Line);
        }

        return left;
    }

    private Expression Sum()
    {
        var left = Product();
        while (Current.Kind is Kind.Plus or Kind.Minus)
        {
            var sign = _tokens[_at++];
            left = new Binary(sign.Kind, left, Product(), sign.Line);
        }

        return left;
    }

    private Expression Product()
    {
        var left = Prefix();
        while (Current.Kind is Kind.Star or Kind.Slash or Kind.Percent)
        {
            var sign = _tokens[_at++];
            left = new Binary(sign.Kind, left, Prefix(), sign.Line);
        }

        return left;
    }

    private Expression Prefix()
    {
        if (Current.Kind is Kind.Minus or Kind.Not)
        {
            var sign = _tokens[_at++];
            return new Unary(sign.Kind, Prefix(), sign.Line);
        }

        return Postfix();
    }

    private Expression Postfix()
    {
        var left = Primary();
        while (true)
        {
            int line = Current.Line;
            if (Current.Kind == Kind.LeftParenthesis)
            {
                _at++;
                left = new Call(left, Items(Kind.RightParenthesis), line);
            }
            else if (Current.Kind == Kind.LeftBracket)
            {
                _at++;
                var index = Expression();
                Take(Kind.RightBracket);
                left = new Element(left, index, line);
            }
            else
            {
                return left;
            }
        }
    }

    private Expression Primary()
    {
        var token = _tokens[_at++];
        switch (token.Kind)
        {
            case Kind.Number:
                return new Literal(Value.Of(double.Parse(token.Text, CultureInfo.InvariantCulture)), token.Line);
            case Kind.Text:
                return new Literal(Value.Of(token.Text), token.Line);
            case Kind.True:
                return new Literal(Value.Of(true), token.Line);
            case Kind.False:
                return new Literal(Value.Of(false), token.Line);
            case Kind.Nil:
                return new Literal(Value.Nil, token.Line);
            case Kind.Name:
                return new Variable(token.Text, token.Line);
            case Kind.Function:
                return FunctionRest("", token.Line);
            case Kind.LeftBracket:
                return new ListLiteral(Items(Kind.RightBracket), token.Line);
            case Kind.LeftParenthesis:
                var inner = Expression();
                Take(Kind.RightParenthesis);
                return inner;
            default:
                throw new ScriptException($"an expression was expected instead of '{token.Text}'", token.Line);
        }
    }

    private List<Expression> Items(Kind end)
    {
        var items = new List<Expression>();
        while (Current.Kind != end)
        {
            items.Add(Expression());
            if (Current.Kind != end)
            {
                Take(Kind.Comma);
            }
        }

        _at++;
        return items;
    }

    private Token Take(Kind kind)
    {
        if (Current.Kind != kind)
        {
            throw new ScriptException($"{kind} was expected instead of '{Current.Text}'", Current.Line);
        }

        return _tokens[_at++];
    }
}
