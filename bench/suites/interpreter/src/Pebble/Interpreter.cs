using System.Text;

namespace Pebble;

/// <summary>Walks the tree of a script and does what it says. What it prints is kept.</summary>
public sealed class Interpreter
{
    private const int DeepestCall = 500;

    private readonly StringBuilder _output = new();
    private readonly Scope _globals = new(null);
    private int _depth;
    private Value _returned;

    public Interpreter()
    {
        Builtins.Define(_globals, _output);
    }

    /// <summary>Instructions so far: statements and expressions.</summary>
    public long Steps { get; private set; }

    public string Run(string source)
    {
        var script = new Parser(source).Script();
        foreach (var statement in script.Statements)
        {
            if (Execute(statement, _globals))
            {
                break;
            }
        }

        return _output.ToString();
    }

    /// <summary>True when the function has returned.</summary>
    private bool Execute(Statement statement, Scope scope)
    {
        Steps++;
        switch (statement)
        {
            case Evaluation evaluation:
                Evaluate(evaluation.Expression, scope);
                return false;
            case Let let:
                scope.Define(let.Name, Evaluate(let.Value, scope));
                return false;
            case Block block:
                return ExecuteAll(block, new Scope(scope));
            case If choice:
                if (Evaluate(choice.Condition, scope).IsTrue)
                {
                    return Execute(choice.Then, scope);
                }

                return choice.Else != null && Execute(choice.Else, scope);
            case While loop:
                while (Evaluate(loop.Condition, scope).IsTrue)
                {
                    if (Execute(loop.Body, scope))
                    {
                        return true;
                    }
                }

                return false;
            case Return leaving:
                _returned = leaving.Value == null ? Value.Nil : Evaluate(leaving.Value, scope);
                return true;
            default:
                throw new ScriptException($"{statement} cannot be run", statement.Line);
        }
    }

    private bool ExecuteAll(Block block, Scope scope)
    {
        foreach (var statement in block.Statements)
        {
            if (Execute(statement, scope))
            {
                return true;
            }
        }

        return false;
    }

    private Value Evaluate(Expression expression, Scope scope)
    {
        Steps++;
        switch (expression)
        {
            case Literal literal:
                return literal.Value;
            case Variable variable:
                return scope.TryGet(variable.Name, out var value)
                    ? value
                    : throw new ScriptException($"there is no '{variable.Name}'", variable.Line);
            case Binary binary:
                return Combine(binary, Evaluate(binary.Left, scope), Evaluate(binary.Right, scope));
            case Logical logical:
                var left = Evaluate(logical.Left, scope);
                return left.IsTrue == logical.IsAnd ? Evaluate(logical.Right, scope) : left;
            case Unary unary:
                var operand = Evaluate(unary.Operand, scope);
                return unary.Operator == Kind.Not ? Value.Of(!operand.IsTrue) : Value.Of(-Number(operand, unary.Line));
            case Call call:
                return Invoke(call, scope);
            case Element element:
                return ElementAt(element, scope);
            case Assignment assignment:
                return Assign(assignment, scope);
            case ListLiteral list:
                var items = new List<Value>(list.Items.Count);
                foreach (var item in list.Items)
                {
                    items.Add(Evaluate(item, scope));
                }

                return Value.Of(items);
            case Lambda lambda:
                return Value.Of(new Function { Name = lambda.Name, Lambda = lambda, Scope = scope });
            default:
                throw new ScriptException($"{expression} has no value", expression.Line);
        }
    }

    private static Value Combine(Binary binary, Value left, Value right)
    {
        switch (binary.Operator)
        {
            case Kind.Equal:
                return Value.Of(left.Equals(right));
            case Kind.NotEqual:
                return Value.Of(!left.Equals(right));
            case Kind.Plus when left.Shape == Shape.Text || right.Shape == Shape.Text:
                return Value.Of(left.ToString() + right);
        }

        double a = Number(left, binary.Line), b = Number(right, binary.Line);
        return binary.Operator switch
        {
            Kind.Plus => Value.Of(a + b),
            Kind.Minus => Value.Of(a - b),
            Kind.Star => Value.Of(a * b),
            Kind.Slash => b != 0 ? Value.Of(a / b) : throw new ScriptException("division by 0", binary.Line),
            Kind.Percent => b != 0 ? Value.Of(a % b) : throw new ScriptException("division by 0", binary.Line),
            Kind.Less => Value.Of(a < b),
            Kind.LessOrEqual => Value.Of(a <= b),
            Kind.Greater => Value.Of(a > b),
            Kind.GreaterOrEqual => Value.Of(a >= b),
            _ => throw new ScriptException($"{binary.Operator} takes no two operands", binary.Line),
        };
    }

    private Value Invoke(Call call, Scope scope)
    {
        var callee = Evaluate(call.Callee, scope);
        if (callee.Shape != Shape.Function)
        {
            throw new ScriptException($"{callee} cannot be called", call.Line);
        }

        var function = callee.Function;
        if (function.Native != null)
        {
            var arguments = new Value[call.Arguments.Count];
            for (int i = 0; i < arguments.Length; i++)
            {
                arguments[i] = Evaluate(call.Arguments[i], scope);
            }

            return function.Native(arguments);
        }

        var lambda = function.Lambda!;
        if (lambda.Parameters.Count != call.Arguments.Count)
        {
            throw new ScriptException($"{callee} takes {lambda.Parameters.Count} arguments", call.Line);
        }

        var inner = new Scope(function.Scope);
        for (int i = 0; i < lambda.Parameters.Count; i++)
        {
            inner.Define(lambda.Parameters[i], Evaluate(call.Arguments[i], scope));
        }

        if (++_depth > DeepestCall)
        {
            throw new ScriptException("calls are too deep", call.Line);
        }

        bool returned = ExecuteAll(lambda.Body, inner);
        _depth--;
        return returned ? _returned : Value.Nil;
    }

    private Value ElementAt(Element element, Scope scope)
    {
        var list = Evaluate(element.List, scope);
        int index = (int)Number(Evaluate(element.Index, scope), element.Line);
        if (list.Shape == Shape.Text && index >= 0 && index < list.Text.Length)
        {
            return Value.Of(list.Text[index].ToString());
        }

        CheckIndex(list, index, element.Line);
        return list.List[index];
    }

    private Value Assign(Assignment assignment, Scope scope)
    {
        var value = Evaluate(assignment.Value, scope);
        if (assignment.Target is Variable variable)
        {
            if (!scope.TrySet(variable.Name, value))
            {
                throw new ScriptException($"there is no '{variable.Name}'", variable.Line);
            }
        }
        else if (assignment.Target is Element element)
        {
            var list = Evaluate(element.List, scope);
            int index = (int)Number(Evaluate(element.Index, scope), element.Line);
            CheckIndex(list, index, element.Line);
            list.List[index] = value;
        }

        return value;
    }

    private static void CheckIndex(Value list, int index, int line)
    {
        if (list.Shape != Shape.List)
        {
            throw new ScriptException($"{list} is no list", line);
        }

        if (index < 0 || index >= list.List.Count)
        {
            throw new ScriptException($"there is no element {index}", line);
        }
    }

    private static double Number(Value value, int line) =>
        value.IsNumber ? value.Number : throw new ScriptException($"{value} is no number", line);
}
