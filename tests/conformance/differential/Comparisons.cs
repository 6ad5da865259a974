// Writes conditions with the coverage that evaluating their trees gives: every shape of `&&` and `||` of up to five operands
// and `?:` of up to three levels, which compare one variable with constants, or an object with `this`; patterns of constants,
// for which the compiler searches; `?.` of a type parameter, `??` of lifted operators.
using System.Text;

abstract class Node
{
    /// <summary>Its comparisons are noted with their answers.</summary>
    public abstract int Evaluate(int c, HashSet<(Comparison, bool)> seen);
    public abstract IEnumerable<Comparison> Comparisons { get; }
    public abstract string Text { get; }

    /// <summary>As an operand.</summary>
    public virtual string Nested => $"({Text})";
}

class Comparison(string @operator, int constant) : Node
{
    protected virtual bool Holds(int c) => @operator switch
    {
        "<" => c < constant,
        "<=" => c <= constant,
        ">" => c > constant,
        ">=" => c >= constant,
        "==" => c == constant,
        _ => c != constant,
    };

    public override int Evaluate(int c, HashSet<(Comparison, bool)> seen)
    {
        bool holds = Holds(c);
        seen.Add((this, holds));
        return holds ? 1 : 0;
    }

    public override IEnumerable<Comparison> Comparisons => [this];
    public override string Text => $"c {@operator} {constant}";
    public override string Nested => Text;
}

sealed class IsThis(string text, bool negated) : Comparison("", 0)
{
    protected override bool Holds(int c) => (c % 3 == 0) != negated;
    public override string Text => text;
}

sealed class Logical(bool and, Node left, Node right) : Node
{
    public override int Evaluate(int c, HashSet<(Comparison, bool)> seen)
    {
        int answer = left.Evaluate(c, seen);
        return (answer != 0) == and ? right.Evaluate(c, seen) : answer;
    }

    public override IEnumerable<Comparison> Comparisons => left.Comparisons.Concat(right.Comparisons);
    public override string Text => $"{left.Nested} {(and ? "&&" : "||")} {right.Nested}";
}

sealed class Negation(Node operand) : Node
{
    public override int Evaluate(int c, HashSet<(Comparison, bool)> seen) => 1 - operand.Evaluate(c, seen);
    public override IEnumerable<Comparison> Comparisons => operand.Comparisons;
    public override string Text => $"!({operand.Text})";
    public override string Nested => Text;
}

sealed class Choice(Node condition, Node then, Node otherwise) : Node
{
    public override int Evaluate(int c, HashSet<(Comparison, bool)> seen) =>
        (condition.Evaluate(c, seen) != 0 ? then : otherwise).Evaluate(c, seen);

    public override IEnumerable<Comparison> Comparisons =>
        condition.Comparisons.Concat(then.Comparisons).Concat(otherwise.Comparisons);

    public override string Text => $"{condition.Nested} ? {then.Nested} : {otherwise.Nested}";
}

sealed class Number(int value) : Node
{
    public override int Evaluate(int c, HashSet<(Comparison, bool)> seen) => value;
    public override IEnumerable<Comparison> Comparisons => [];
    public override string Text => value.ToString();
    public override string Nested => Text;
}

sealed class ComparisonsWriter(int seed)
{
    const int Lowest = -1, Highest = 61;

    static readonly string[] s_operators = ["<", "<=", ">", ">=", "==", "!="];

    readonly Random _random = new(seed);
    readonly StringBuilder _text = new(), _calls = new();
    int _methods;

    int Pick(int below) => _random.Next(below);
    bool Chance(int percent) => Pick(100) < percent;

    public string Write()
    {
        for (int operands = 1; operands <= 5; operands++)
            for (int shape = 0, count = Shapes(operands); shape < count; shape++)
                Condition(Filled(operands, shape), operands > 1);
        for (int n = 0; n < 150; n++)
        {
            Value(AnyChoice(1 + n % 3));
            Condition(AnyChoiceOfConditions(1 + n % 3), true);
        }

        for (int n = 0; n < 60; n++)
            Search(4 + Pick(9));
        for (int n = 0; n < 80; n++)
        {
            Conditional();
            Coalescing();
        }

        return $$"""
            namespace Differential;

            sealed class C{{seed}}
            {
                public C{{seed}} At(long c) => c % 3 == 0 ? this : s_other;
                static readonly C{{seed}} s_other = new();
                static int? Maybe(int c) => c % 3 == 0 ? null : c;
                static int Q(int c) => c;

                interface ITold { string? Tell(); }
                struct Struct : ITold { public string? Tell() => "told"; }
                struct SilentStruct : ITold { public string? Tell() => null; }
                class Class : ITold { public string? Tell() => "told"; }
                class SilentClass : ITold { public string? Tell() => null; }

            {{_text}}    public static void Run()
                {
                    C{{seed}} o = new();
            {{_calls}}    }
            }

            """;
    }

    // --- trees --------------------------------------------------------------------------------------------------------------

    /// <summary>How many trees of `&&` and `||` have that many operands.</summary>
    static int Shapes(int operands)
    {
        int count = operands == 1 ? 1 : 0;
        for (int left = 1; left < operands; left++)
            count += 2 * Shapes(left) * Shapes(operands - left);
        return count;
    }

    /// <summary>One of those trees; ranges are as likely as anything else.</summary>
    Node Filled(int operands, int shape)
    {
        if (operands == 1)
            return Negated(Comparison(), 5);
        int left = 1;
        while (shape >= 2 * Shapes(left) * Shapes(operands - left))
            shape -= 2 * Shapes(left) * Shapes(operands - left++);
        bool and = shape % 2 == 0;
        shape /= 2;
        if (operands == 2 && Chance(50))
            return Range(and);
        return Negated(new Logical(and, Filled(left, shape % Shapes(left)), Filled(operands - left, shape / Shapes(left))), 8);
    }

    Node Any(int operands) => Filled(operands, Pick(Shapes(operands)));
    Node Negated(Node node, int percent) => Chance(percent) ? new Negation(node) : node;
    Comparison Comparison() => Pick(20) switch
    {
        0 => new IsThis("At(c) == this", false),
        1 => new IsThis("this != At(c)", true),
        2 => new IsThis("!ReferenceEquals(At(c), this)", true),
        _ => new Comparison(s_operators[Pick(6)], Bound()),
    };

    /// <summary>Few, so that comparisons of the same constant meet.</summary>
    int Bound() => 5 * Pick(12);

    Logical Range(bool and)
    {
        int low = Bound(), high = low + 1 + Pick(9);
        return and ? new(true, new Comparison(Chance(50) ? ">" : ">=", low), new Comparison(Chance(50) ? "<" : "<=", high))
                   : new(false, new Comparison(Chance(50) ? "<" : "<=", low), new Comparison(Chance(50) ? ">" : ">=", high));
    }

    /// <summary>An int. Of 1 and 0 the compiler needs no branch.</summary>
    Node AnyChoice(int levels)
    {
        bool then = levels > 1 && Chance(70), otherwise = levels > 1 && (!then || Chance(70));
        return new Choice(Any(1 + Pick(3)), then ? AnyChoice(levels - 1) : new Number(2 + Pick(90)),
            otherwise ? AnyChoice(levels - 1) : new Number(100 + Pick(90)));
    }

    /// <summary>A bool; a comparison that is an arm by itself would be no decision.</summary>
    Node AnyChoiceOfConditions(int levels)
    {
        bool then = levels > 1 && Chance(70), otherwise = levels > 1 && (!then || Chance(70));
        return new Choice(Any(1 + Pick(2)), then ? AnyChoiceOfConditions(levels - 1) : Any(2 + Pick(2)),
            otherwise ? AnyChoiceOfConditions(levels - 1) : Any(2 + Pick(2)));
    }

    // --- methods ------------------------------------------------------------------------------------------------------------

    void Condition(Node node, bool isValue)
    {
        switch (Pick(isValue ? 6 : 3))
        {
            case 0:
                Method(node, "int", "int c", $"if ({node.Text})", "    return 3;", "return 7;");
                break;
            case 1:
                Method(node, "int", "int c", $"while ({node.Text})", "    return 3;", "return 7;");
                break;
            case 2:
                Method(node, "int", "long c", $"return {node.Nested} ? 3 : 7;");
                break;
            case 3:
                Method(node, "bool", "int c", $"return {node.Text};");
                break;
            case 4:
                Method(node, "bool", "int c", $"bool r = {node.Text};", "Truth.Use(r);", "return r;");
                break;
            default:
                Method(node, "bool", "int x", $"return {node.Text};");
                break;
        }
    }

    void Value(Node node)
    {
        if (Chance(50))
            Method(node, "int", "int c", $"return {node.Text};");
        else
            Method(node, "int", "int c", $"int r = {node.Text};", "Truth.Use(r);", "return r;");
    }

    void Method(Node node, string type, string parameter, string statement, params string[] rest)
    {
        var seen = new HashSet<(Comparison, bool)>();
        int[] inputs = Chance(50) ? [.. Enumerable.Range(Lowest, Highest - Lowest + 1)] : [.. Enumerable.Range(0, 1 + Pick(4)).Select(_ => Pick(Highest))];
        foreach (int c in inputs)
            node.Evaluate(c, seen);
        string cov = $"  // cov: hits={inputs.Length} branches={seen.Count}/{2 * node.Comparisons.Count()}";
        Method(type, parameter, inputs, [statement + cov, .. rest]);
    }

    /// <summary>`parameter` is the type and c, or x, whose value c then has.</summary>
    void Method(string type, string parameter, int[] inputs, string[] lines, string cast = "", string argument = "c")
    {
        string name = $"M{_methods++}";
        string given = parameter.Split(' ')[0], call = $"o.{name}({cast}{argument})";
        if (parameter.EndsWith('x'))
            lines = ["int c = x;", .. lines];
        switch (Pick(8))
        {
            case 0:
                Write($"public async Task<{type}> {name}({parameter})", ["await Task.Yield();", .. lines]);
                call += ".Result";
                break;
            case 1:
                Write($"public IEnumerable<{type}> {name}({parameter})", [.. lines.Select(line => line.Replace("return ", "yield return "))]);
                call += ".First()";
                break;
            case 2:
                Write($"public {type} {name}({given} y)", ["int kept = 3;", $"Func<{given}, {type}> f = {parameter[^1]} =>", "{", .. lines.Prepend("kept++;").Select(line => "    " + line), "};", "return f(y);"]);
                break;
            case 3:
                Write($"public {type} {name}({given} y)", ["int kept = 3;", $"{type} F({parameter})", "{", .. lines.Prepend("kept++;").Select(line => "    " + line), "}", "return F(y);"]);
                break;
            default:
                Write($"public {type} {name}({parameter})", lines);
                break;
        }

        _calls.Append($"        foreach (int c in new[] {{ {string.Join(", ", inputs)} }})\n            Truth.Use({call});\n");
    }

    void Write(string head, IEnumerable<string> lines)
    {
        _text.Append($"    {head}\n    {{\n");
        foreach (string line in lines)
            _text.Append($"        {line}\n");
        _text.Append("    }\n\n");
    }

    /// <summary>Constants that are too far apart for a table; each is one operand, although the compiler has more tests.</summary>
    void Search(int count)
    {
        string type = new[] { "int", "long", "uint", "char" }[Pick(4)];
        string[] constants = [.. Enumerable.Range(0, count).Select(n => $"({type}){5 * n + Pick(2)}")];
        _random.Shuffle(constants);
        int[] inputs = [.. Enumerable.Range(0, 5 * count + 2)];
        string pattern = $"c is {string.Join(" or ", constants)}";
        string cov = $"  // cov: hits={inputs.Length} branches={2 * count}/{2 * count}";
        if (Chance(50))
            Method("int", $"{type} c", inputs, [$"if ({pattern}){cov}", "    return 3;", "return 7;"], $"({type})");
        else
            Method("bool", $"{type} c", inputs, [$"return {pattern};{cov}"], $"({type})");
    }

    /// <summary>`?.` of what may be a struct or a class. Where both operators ask for the same null, the compiler asks once.</summary>
    void Conditional()
    {
        var given = new[] { ("new Struct()", false, false), ("new SilentStruct()", false, true), ("new Class()", false, false),
                            ("new SilentClass()", false, true), ("default(Class)", true, true) }.Where(_ => Chance(40)).ToArray();
        if (given.Length == 0)
            return;
        int branches = new[] { true, false }.Count(answer => given.Any(g => g.Item2 == answer));
        int both = branches + new[] { true, false }.Count(answer => given.Any(g => g.Item3 == answer));
        int told = branches + new[] { true, false }.Count(answer => given.Any(g => !g.Item2 && g.Item3 == answer));
        (string text, string type, string cov) = Pick(4) switch
        {
            0 => ("t?.Tell()", "string?", $"{branches}/2"),
            1 => ("t?.Tell() ?? \"none\"", "string", $"{both}/4"),
            2 => ("t?.Tell()?.Length ?? 7", "int", $"{told}/4"),
            _ => ("t?.GetHashCode() ?? 3", "int", $"{branches}/2"),
        };
        string name = $"M{_methods++}", mark = $"  // cov: hits={given.Length} branches={cov}";
        bool async = Chance(30);
        if (async)
            Write($"static async Task<{type}> {name}<T>(T t) where T : ITold?", ["await Task.Yield();", $"return {text};{mark}"]);
        else if (Chance(50))
            Write($"static {type} {name}<T>(T t) where T : ITold?", [$"return {text};{mark}"]);
        else
            Write($"static {type} {name}<T>(T t) where T : ITold?", [$"{type} r = {text};{mark}", "Truth.Use(r);", "return r;"]);
        foreach (var value in given)
            _calls.Append($"        Truth.Use({name}({value.Item1}){(async ? ".Result" : "")});\n");
    }

    /// <summary>`??` of an operator on nullable values.</summary>
    void Coalescing()
    {
        int[] inputs = [.. Enumerable.Range(0, 1 + Pick(3)).Select(_ => Pick(20))];
        (string left, Func<int, bool> isNull) = Pick(4) switch
        {
            0 => ("Maybe(c) + 1", (Func<int, bool>)(c => c % 3 == 0)),
            1 => ("-Maybe(c)", c => c % 3 == 0),
            2 => ("Maybe(c) * Maybe(c + 1)", c => c % 3 != 1),
            _ => ("(long?)Maybe(c) - Maybe(c + 2)", c => c % 3 != 2),
        };
        string right = new[] { "7", "0", "Q(7)", "c" }[Pick(4)];
        string cov = $"  // cov: hits={inputs.Length} branches={inputs.Select(isNull).Distinct().Count()}/2";
        if (Chance(50))
            Method("long", "int c", inputs, [$"return ({left}) ?? {right};{cov}"]);
        else
            Method("long", "int c", inputs, [$"long r = ({left}) ?? {right};{cov}", "Truth.Use(r);", "return r;"]);
    }
}
