namespace Pebble;

/// <summary>A part of a script as the parser understood it.</summary>
public abstract record Node(int Line);

public abstract record Expression(int Line) : Node(Line);

public sealed record Literal(Value Value, int Line) : Expression(Line);

public sealed record Variable(string Name, int Line) : Expression(Line);

public sealed record Assignment(Expression Target, Expression Value, int Line) : Expression(Line);

public sealed record Unary(Kind Operator, Expression Operand, int Line) : Expression(Line);

public sealed record Binary(Kind Operator, Expression Left, Expression Right, int Line) : Expression(Line);

public sealed record Logical(bool IsAnd, Expression Left, Expression Right, int Line) : Expression(Line);

public sealed record Call(Expression Callee, IReadOnlyList<Expression> Arguments, int Line) : Expression(Line);

public sealed record Element(Expression List, Expression Index, int Line) : Expression(Line);

public sealed record ListLiteral(IReadOnlyList<Expression> Items, int Line) : Expression(Line);

public sealed record Lambda(string Name, IReadOnlyList<string> Parameters, Block Body, int Line) : Expression(Line);

public abstract record Statement(int Line) : Node(Line);

public sealed record Let(string Name, Expression Value, int Line) : Statement(Line);

public sealed record Block(IReadOnlyList<Statement> Statements, int Line) : Statement(Line);

public sealed record If(Expression Condition, Statement Then, Statement? Else, int Line) : Statement(Line);

public sealed record While(Expression Condition, Statement Body, int Line) : Statement(Line);

public sealed record Return(Expression? Value, int Line) : Statement(Line);

public sealed record Evaluation(Expression Expression, int Line) : Statement(Line);
