namespace Toolbox.Expressions;

/// <summary>An expression as a tree.</summary>
public abstract record Node
{
    public abstract T Accept<T>(INodeVisitor<T> visitor);

    public override string ToString() => Accept(new Printer());
}

public interface INodeVisitor<out T>
{
    T Visit(Number node);

    T Visit(Variable node);

    T Visit(Unary node);

    T Visit(Binary node);

    T Visit(Conditional node);

    T Visit(Call node);
}

public sealed record Number(double Value) : Node
{
    public override T Accept<T>(INodeVisitor<T> visitor) => visitor.Visit(this);

    public override string ToString() => base.ToString();
}

public sealed record Variable(string Name, int Position = 0) : Node
{
    public override T Accept<T>(INodeVisitor<T> visitor) => visitor.Visit(this);

    public override string ToString() => base.ToString();
}

public sealed record Unary(TokenKind Operator, Node Operand) : Node
{
    public override T Accept<T>(INodeVisitor<T> visitor) => visitor.Visit(this);

    public override string ToString() => base.ToString();
}

public sealed record Binary(TokenKind Operator, Node Left, Node Right) : Node
{
    public override T Accept<T>(INodeVisitor<T> visitor) => visitor.Visit(this);

    public override string ToString() => base.ToString();
}

public sealed record Conditional(Node Condition, Node WhenTrue, Node WhenFalse) : Node
{
    public override T Accept<T>(INodeVisitor<T> visitor) => visitor.Visit(this);

    public override string ToString() => base.ToString();
}

public sealed record Call(string Function, IReadOnlyList<Node> Arguments, int Position = 0) : Node
{
    public override T Accept<T>(INodeVisitor<T> visitor) => visitor.Visit(this);

    public override string ToString() => base.ToString();
}
