// Writes random C# programs that know their own coverage: differential FIRST COUNT FOLDER [threads]. Program n is made of
// seed n alone. Truth.cs says how they note it, and what the marks at the ends of lines mean.
using System.Text;

int first = int.Parse(args[0]), count = int.Parse(args[1]);
string folder = args[2];
bool threads = args.Length > 3;
Directory.CreateDirectory(folder);
var numbers = new Numbers();
for (int n = first; n < first + count; n++)
    File.WriteAllText(Path.Combine(folder, $"P{n}.cs"), new ProgramWriter(n, numbers, threads).Write());
File.WriteAllText(Path.Combine(folder, $"C{first}.cs"), new ComparisonsWriter(first).Write());
var main = new StringBuilder();
main.AppendLine("using Differential;");
main.AppendLine($"C{first}.Run();");
for (int n = first; n < first + count; n++)
    main.AppendLine($"Truth.Run(P{n}.Run);");
main.AppendLine($"if (args.Length == 2) Truth.Tell(args[0], args[1], {first}, {count});");
File.WriteAllText(Path.Combine(folder, "Program.cs"), main.ToString());

/// <summary>Of statements and of outcomes, over all programs.</summary>
sealed class Numbers
{
    int _statements, _outcomes;

    public int Statement() => _statements++;

    public int Decision(int outcomes)
    {
        _outcomes += outcomes;
        return _outcomes - outcomes;
    }
}

/// <summary>What stands on a line: statements that begin on it, decisions.</summary>
sealed class Mark
{
    readonly List<string> _words = [];

    public void Statement(int n) => _words.Add($"s{n}");
    public void Questions(int decision) => _words.Add($"o{decision}");
    public void Decision(int first, int outcomes) => _words.Add($"c{first},{outcomes}");
    public override string ToString() => string.Join(' ', _words);

    public Mark With(int decision, int outcomes)
    {
        Decision(decision, outcomes);
        return this;
    }
}

sealed class ProgramWriter(int seed, Numbers numbers, bool threads)
{
    enum Kind
    {
        Plain,
        Async,
        Iterator,
    }

    readonly Random _random = new(seed);
    readonly StringBuilder _text = new();
    readonly List<(string Name, Kind Kind)> _methods = [];
    int _names;
    int _indent = 1;
    Kind _kind;
    int _current;
    bool _inLoop, _inTry, _inFinally, _inLambda;
    List<string> _variables = [];

    bool Chance(int percent) => _random.Next(100) < percent;
    int Pick(int below) => _random.Next(below);
    T OneOf<T>(params T[] items) => items[Pick(items.Length)];
    string New(string stem) => stem + _names++;

    void Line(string text, Mark? mark = null)
    {
        _text.Append(' ', 4 * _indent).Append(text);
        if (mark != null)
            _text.Append("  //#").Append(mark);
        _text.Append('\n');
    }

    void Block(Action body)
    {
        Line("{");
        _indent++;
        int known = _variables.Count;
        body();
        _variables.RemoveRange(known, _variables.Count - known);
        _indent--;
        Line("}");
    }

    public string Write()
    {
        int methods = 2 + Pick(4);
        for (int i = 0; i < methods; i++)
            _methods.Add(($"M{i}", i == 0 ? Kind.Plain : OneOf(Kind.Plain, Kind.Plain, Kind.Async, Kind.Async, Kind.Iterator)));
        _text.Append($"namespace Differential;\n\nstatic class P{seed}\n{{\n");
        Line("public static void Run()");
        Block(() =>
        {
            for (int i = 0; i < 3; i++)
                Plain($"Truth.Use(M0({i}, {Pick(9)}));");
        });
        for (_current = 0; _current < methods; _current++)
            Method();
        return _text.Append("}\n").ToString();
    }

    void Method()
    {
        (string name, Kind kind) = _methods[_current];
        _kind = kind;
        _inLoop = _inTry = _inFinally = false;
        _variables = ["a", "b"];
        string type = kind switch { Kind.Plain => "int", Kind.Async => "async Task<int>", _ => "IEnumerable<int>" };
        Line($"static {type} {name}{(_current % 2 == 1 ? "<T>" : "")}(int a, int b)");
        Block(() =>
        {
            Mark mark = new();
            string spent = Is(mark, "Truth.Spent()", true);
            Line($"if ({spent})", mark);
            Leave();
            if (kind == Kind.Async)
                Plain("Truth.Use(await Truth.Later(1));");
            Statements(2 + Pick(4), 0);
            if (kind != Kind.Iterator)
                Plain("return a + b;", "return ");
            else
                Plain("yield return a + b;", "yield return ");
        });
    }

    void Leave()
    {
        _indent++;
        if (_kind == Kind.Iterator)
            Line("yield break;");
        else
            Plain("return -1;", "return ");
        _indent--;
    }

    // --- expressions ---------------------------------------------------------------------------------------------------

    string At(Mark mark)
    {
        int n = numbers.Statement();
        mark.Statement(n);
        return $"Truth.At({n})";
    }

    string Number() => Chance(40) ? Pick(10).ToString() : OneOf(_variables.ToArray());

    string Arithmetic() => OneOf(Number(), $"({Number()} + {Number()})", $"({Number()} * {1 + Pick(4)} % 11)", $"({Number()} ^ {Number()})");

    string Is(Mark mark, string condition, bool begins)
    {
        int n = numbers.Decision(2);
        mark.Decision(n, 2);
        return begins ? $"Truth.Is({n}, {At(mark)} == 0 & {condition})" : $"Truth.Is({n}, {condition})";
    }

    string Comparison() => $"{OneOf(_variables.ToArray())} {OneOf("<", ">", "==", "!=", "<=", ">=")} {Pick(9)}";

    bool MayAwait => _kind == Kind.Async && !_inFinally;

    /// <summary>A condition that notes its operands; the first that is evaluated notes the statement too.</summary>
    string Condition(Mark mark, bool begins, int depth = 0)
    {
        switch (Pick(depth > 2 ? 3 : 7))
        {
            case 0:
                return Is(mark, Comparison(), begins);
            case 1 when MayAwait:
                return Is(mark, $"(await Truth.Later({Comparison()}))", begins);
            case 2:
                return "!" + Is(mark, $"({Comparison()})", begins);
            case 3:
                return $"({Condition(mark, begins, depth + 1)} && {Condition(mark, false, depth + 1)})";
            case 4:
                return $"({Condition(mark, begins, depth + 1)} || {Condition(mark, false, depth + 1)})";
            case 5:
                return $"({Condition(mark, begins, depth + 1)} ? {Condition(mark, false, depth + 2)} : {Condition(mark, false, depth + 2)})";
            default:
                return Is(mark, Comparison(), begins);
        }
    }

    /// <summary>An int, in which anything may happen.</summary>
    string Value(Mark mark, int depth = 0)
    {
        switch (Pick(depth > 1 ? 2 : 10))
        {
            case 0:
                return Arithmetic();
            case 1:
                return Number();
            case 2:
                return $"Truth.Throw({Arithmetic()} + {1 + Pick(3)})";
            case 3:
                return $"({Condition(mark, false, 1)} ? {Value(mark, depth + 1)} : {Value(mark, depth + 1)} + a)"; /* of two constants needs no branch */
            case 4 when MayAwait:
                return $"await Truth.Later({Arithmetic()})";
            case 5:
                return Call() ?? Number();
            case 6:
            {
                int n = numbers.Decision(2);
                mark.Decision(n, 2);
                return $"(Truth.Given({n}, Truth.Text({Arithmetic()})) ?? \"none\").Length";
            }
            case 7:
                return $"({Value(mark, depth + 1)} + {Value(mark, depth + 1)})";
            default:
                return Arithmetic();
        }
    }

    /// <summary>A call of a method further down, so that nothing calls itself.</summary>
    string? Call()
    {
        int callee = _current + 1 + Pick(3);
        if (callee >= _methods.Count)
            return null;
        (string name, Kind kind) = _methods[callee];
        string call = $"{name}{(callee % 2 == 1 ? OneOf("<int>", "<string>") : "")}({Arithmetic()}, {Arithmetic()})";
        return kind switch
        {
            Kind.Plain => call,
            Kind.Async when MayAwait => $"await {call}",
            Kind.Async => $"{call}.GetAwaiter().GetResult()",
            _ => $"{call}.Take({1 + Pick(3)}).Sum()",
        };
    }

    // --- statements ----------------------------------------------------------------------------------------------------

    /// <summary>A statement as it is; what follows `keyword` is an int, and notes its beginning.</summary>
    void Plain(string text, string? keyword = null)
    {
        Mark mark = new();
        int place = keyword != null ? keyword.Length : text.IndexOf('(') + 1;
        string begun = keyword != null ? $"{At(mark)} + " : "";
        if (keyword == null)
        {
            int n = numbers.Statement();
            mark.Statement(n);
            Line($"Truth.At({n}); {text}", mark);
            return;
        }

        Line(text[..place] + begun + text[place..], mark);
    }

    void Statements(int count, int depth)
    {
        for (int i = 0; i < count; i++)
            Statement(depth);
    }

    /// <summary>What a foreach gave stands among the variables as an expression.</summary>
    string Assignable() => OneOf(_variables.Where(v => !v.Contains(' ')).ToArray());

    void Assign()
    {
        Mark mark = new();
        string name = Assignable();
        Line($"{name} = {At(mark)} + {Value(mark)};", mark);
        if (name.StartsWith('v'))
            Plain($"Truth.Use({name});"); /* what nobody uses the optimiser removes */
    }

    void Declare()
    {
        Mark mark = new();
        string name = New("v");
        Line($"int {name} = {At(mark)} + {Value(mark)};", mark);
        _variables.Add(name);
        Plain($"Truth.Use({name});");
    }

    void Statement(int depth)
    {
        switch (Pick(depth > 2 ? 5 : 33))
        {
            case 0:
            case 1:
                Assign();
                break;
            case 2:
                Declare();
                break;
            case 3:
                KeptCondition();
                break;
            case 4:
                Two();
                break;
            case 5:
            case 6:
                If(depth);
                break;
            case 7:
                BareIf(depth);
                break;
            case 8:
                For(depth);
                break;
            case 9:
                While(depth);
                break;
            case 10:
                DoWhile(depth);
                break;
            case 11:
                Foreach(depth, false);
                break;
            case 12 when !_inLambda: /* in Release its header would be a line of the statement with the lambda */
                Switch(depth, false);
                break;
            case 13 when !_inLambda:
                Switch(depth, true);
                break;
            case 14:
                SwitchExpression();
                break;
            case 15:
            case 16:
                Try(depth);
                break;
            case 17:
                Lambda();
                break;
            case 18:
                Using(depth);
                break;
            case 19:
                Jump();
                break;
            case 20 when _kind == Kind.Iterator && !_inTry && !_inFinally:
                Plain($"yield return {Arithmetic()};", "yield return ");
                break;
            case 21:
                LocalFunction();
                break;
            case 22:
                NullConditional();
                break;
            case 23:
                Range(depth);
                break;
            case 24:
                OfType(depth);
                break;
            case 25:
                TypeSwitch(depth);
                break;
            case 26:
                TypeSwitchExpression();
                break;
            case 27:
                ForeachArray(depth);
                break;
            case 28:
                Lock(depth);
                break;
            case 29 when MayAwait:
                Foreach(depth, true);
                break;
            case 30:
                BlockLambda(depth);
                break;
            case 31 when threads && _kind == Kind.Plain && !_inLambda:
                Threads(depth);
                break;
            case 32 when MayAwait:
                AwaitedArms();
                break;
            default:
                Assign();
                break;
        }
    }

    void KeptCondition()
    {
        Mark mark = new();
        string name = New("c");
        string both = OneOf("&&", "||"); /* one condition that is only kept is no decision */
        Line($"bool {name} = {Condition(mark, true, 1)} {both} {Condition(mark, false, 1)};", mark);
        Mark use = new();
        Line($"Truth.Use({At(use)} + ({Is(use, name, false)} ? 1 : 2));", use);
    }

    /// <summary>Two statements on a line, of which the first may throw.</summary>
    void Two()
    {
        Mark mark = new();
        Line($"a = {At(mark)} + {Value(mark)}; b = {At(mark)} + {Arithmetic()};", mark);
    }

    void If(int depth)
    {
        Mark mark = new();
        Line($"if ({Condition(mark, true)})", mark);
        Block(() => Statements(1 + Pick(2), depth + 1));
        if (!Chance(50))
            return;
        Line("else");
        Block(() => Statements(1 + Pick(2), depth + 1));
    }

    /// <summary>The condition is as the compiler likes it; its outcome is noted by a statement before.</summary>
    void BareIf(int depth)
    {
        Mark before = new(), mark = new();
        int a = numbers.Decision(2), b = numbers.Decision(2);
        string left = Comparison(), right = Comparison();
        bool both = Chance(50);
        string begun = At(before);
        Line($"Truth.Use({begun}); Truth.{(both ? "Both" : "Either")}({a}, {left}, {b}, {right});", before);
        mark.Questions(a);
        mark.Decision(a, 2);
        mark.Decision(b, 2);
        Line($"if ({left} {(both ? "&&" : "||")} {right})", mark);
        Block(() => Statements(1 + Pick(2), depth + 1));
    }

    void Loop(Action header, int depth)
    {
        bool inLoop = _inLoop;
        _inLoop = true;
        header();
        Block(() => Statements(1 + Pick(3), depth + 1));
        _inLoop = inLoop;
    }

    void For(int depth)
    {
        string i = New("i");
        Loop(() =>
        {
            Mark mark = new();
            Line($"for (int {i} = {Pick(3)}; {Is(mark, $"{i} < {2 + Pick(3)}", true)}; {i}++)", mark);
        }, depth);
    }

    void While(int depth)
    {
        string i = New("w");
        Plain($"int {i} = {Pick(3)};", $"int {i} = ");
        Loop(() =>
        {
            Mark mark = new();
            Line($"while ({Is(mark, $"{i}++ < {1 + Pick(3)}", true)} && {Condition(mark, false, 1)})", mark);
        }, depth);
    }

    void DoWhile(int depth)
    {
        string i = New("d");
        Plain($"int {i} = 0;", $"int {i} = ");
        bool inLoop = _inLoop;
        _inLoop = true;
        Line("do");
        Block(() => Statements(1 + Pick(2), depth + 1));
        Mark mark = new();
        Line($"while ({Is(mark, $"{i}++ < {1 + Pick(3)}", true)});", mark);
        _inLoop = inLoop;
    }

    void Foreach(int depth, bool awaits)
    {
        string i = New("e");
        Loop(() =>
        {
            Mark mark = new();
            int n = numbers.Decision(2);
            mark.Statement(numbers.Statement());
            mark.Questions(n);
            mark.Decision(n, 2);
            Line($"{(awaits ? "await " : "")}foreach (int {i} in {(awaits ? "Truth.Stream(" : "new Truth.Numbers(")}{n}, {Pick(4)}))", mark);
            _variables.Add(i + " * 1");
        }, depth);
        _variables.RemoveAll(v => v.StartsWith(i + " "));
    }

    /// <summary>In Release the header has no point, and its outcomes stand on the statement before.</summary>
    void Switch(int depth, bool onText)
    {
        int cases = 2 + Pick(5), n = numbers.Decision(cases + 1);
        bool hasDefault = Chance(60);
        int before = numbers.Statement();
        string chosen = New("s");
        string type = onText ? "string" : "int";
        Line($"{type} {chosen} = {(onText ? "Truth.Name" : "Truth.Arm")}({n}, Truth.At({before}) + {Arithmetic()}, {cases + 1});  " +
             $"//#s{before}|release s{before} c{n},{cases + 1}");
        Line($"switch ({chosen})  //#debug s{before} c{n},{cases + 1}");
        bool inLoop = _inLoop;
        _inLoop = false;
        Block(() =>
        {
            for (int i = 0; i < cases; i++)
                Arm(onText ? $"case \"arm{i}\":" : $"case {i}:", depth);
            if (hasDefault)
                Arm("default:", depth);
        });
        _inLoop = inLoop;
        Assign();
    }

    void Arm(string label, int depth)
    {
        Line(label);
        Block(() =>
        {
            Assign();
            Statements(Pick(2), depth + 2);
            Line("break;");
        });
    }

    void SwitchExpression()
    {
        int cases = 2 + Pick(4), n = numbers.Decision(cases + 1);
        Mark mark = new();
        string header = $"{Assignable()} = {At(mark)} + Truth.Arm({n}, {Arithmetic()}, {cases + 1}) switch";
        mark.Decision(n, cases + 1);
        Line(header, mark);
        Line("{");
        _indent++;
        for (int i = 0; i <= cases; i++)
        {
            Mark arm = new();
            Line($"{(i < cases ? i.ToString() : "_")} => {At(arm)} + {Arithmetic()},", arm);
        }

        _indent--;
        Line("};");
    }

    void Try(int depth)
    {
        bool inTry = _inTry, inFinally = _inFinally;
        bool catches = _kind == Kind.Iterator ? false : Chance(80), inLoop = _inLoop;
        _inTry = catches || _inTry;
        Line("try");
        Block(() =>
        {
            Statements(1 + Pick(3), depth + 1);
            Mark mark = new();
            Line($"b = {At(mark)} + Truth.Throw({Arithmetic()} + 1);", mark);
        });
        if (catches)
        {
            bool filtered = Chance(40);
            if (filtered)
            {
                Mark mark = new();
                bool wasFinally = _inFinally;
                _inFinally = true; /* no await in a filter */
                Line($"catch (Truth.Trouble t{depth}) when ({Is(mark, $"t{depth}.Code % 2 == {Pick(2)}", true)})", mark);
                _inFinally = wasFinally;
            }
            else
            {
                Line("catch (Truth.Trouble)");
            }

            Block(() =>
            {
                Statements(1 + Pick(2), depth + 1);
                if (Chance(20))
                    Line("throw;");
                else
                    Assign();
            });
        }

        _inTry = inTry;
        if (!catches || Chance(40))
        {
            Line("finally");
            _inFinally = _inFinally || _kind != Kind.Async;
            _inLoop = false;
            bool was = _leavable;
            _leavable = false;
            Block(() => Statements(1 + Pick(2), depth + 1));
            _leavable = was;
            _inFinally = inFinally;
            _inLoop = inLoop;
        }
    }

    bool _leavable = true;

    void Lambda()
    {
        Mark mark = new(), use = new();
        string name = New("f");
        Line($"Func<int, int> {name} = x => {At(mark)} + x + a;", mark);
        int calls = 1 + Pick(3);
        Line($"Truth.Use({At(use)} + {string.Join(" + ", Enumerable.Range(0, calls).Select(i => $"{name}({i})"))});", use);
    }

    void LocalFunction()
    {
        string name = New("L");
        Mark mark = new(), use = new();
        Line($"int {name}(int x) => {At(mark)} + x + b;", mark);
        Line($"a = {At(use)} + {name}({Arithmetic()}) + {name}(2);", use);
    }

    void Using(int depth)
    {
        Mark mark = new();
        string name = New("u");
        Line($"using (var {name} = new MemoryStream({At(mark)} + 4))", mark);
        Block(() => Statements(1 + Pick(2), depth + 1));
    }

    void NullConditional()
    {
        Mark mark = new(), use = new(), set = new();
        int n = numbers.Decision(2), m = numbers.Decision(2);
        string name = New("n");
        use.Decision(n, 2);
        Line($"Truth.Use({At(use)} + (Truth.Given({n}, Truth.Text({Arithmetic()}))?.Length ?? 7));", use);
        Line($"string? {name} = Truth.Given({m}, Truth.Text({At(mark)} + {Arithmetic()}));", mark);
        set.Questions(m);
        set.Decision(m, 2);
        Line($"{name} ??= \"none\";", set);
        Plain($"Truth.Use({name});");
    }

    /// <summary>Each bound is an operand; outcomes are noted before.</summary>
    void Range(int depth)
    {
        Mark before = new(), mark = new();
        int a = numbers.Decision(2), b = numbers.Decision(2), low = Pick(5), high = low + 2 + Pick(5);
        string x = OneOf(_variables.ToArray());
        Line($"Truth.Use({At(before)}); Truth.Both({a}, {x} > {low}, {b}, {x} < {high});", before);
        mark.Questions(a);
        mark.Decision(a, 2);
        mark.Decision(b, 2);
        Line($"if (({x}) is > {low} and < {high})", mark);
        Block(() => Statements(1 + Pick(2), depth + 1));
    }

    void OfType(int depth)
    {
        Mark before = new(), mark = new();
        int a = numbers.Decision(2), b = numbers.Decision(2), low = Pick(5);
        string o = New("o"), i = New("i");
        Line($"object {o} = Truth.Box({At(before)} + {Arithmetic()}); Truth.IntAbove({a}, {b}, {o}, {low});", before);
        mark.Questions(a);
        mark.Decision(a, 2);
        mark.Decision(b, 2);
        Line($"if ({o} is int {i} && {i} > {low})", mark);
        Block(() =>
        {
            Plain($"Truth.Use({i});");
            Statements(1 + Pick(2), depth + 1);
        });
    }

    /// <summary>Arms note themselves when they begin.</summary>
    void TypeSwitch(int depth)
    {
        int n = numbers.Decision(4), before = numbers.Statement();
        string o = New("o"), i = New("i");
        Line($"object {o} = Truth.Box(Truth.At({before}) + {Arithmetic()});  //#s{before}");
        Line($"switch ({o})  //#s{before} c{n},4");
        bool inLoop = _inLoop;
        _inLoop = false;
        Block(() =>
        {
            Mark guard = new();
            bool kept = _inFinally;
            _inFinally = true; /* no await in a guard */
            Line($"case int {i} when {Is(guard, $"{i} > {Pick(6)}", true)}:", guard);
            _inFinally = kept;
            Outcome(n, 0, depth);
            Line("case string:");
            Outcome(n, 1, depth);
            Line("case null:");
            Outcome(n, 2, depth);
            Line("default:");
            Outcome(n, 3, depth);
        });
        _inLoop = inLoop;
        Assign();
    }

    void Outcome(int first, int arm, int depth)
    {
        Block(() =>
        {
            Plain($"Truth.Arm({first}, {arm}, 4);");
            Statements(1 + Pick(2), depth + 2);
            Line("break;");
        });
    }

    void TypeSwitchExpression()
    {
        int n = numbers.Decision(3);
        Mark mark = new(), guard = new(), text = new(), other = new();
        string i = New("i");
        Line($"{Assignable()} = {At(mark)} + Truth.Box({Arithmetic()}) switch", mark.With(n, 3));
        Line("{");
        _indent++;
        Line($"int {i}");
        _indent++;
        bool kept = _inFinally;
        _inFinally = true;
        Line($"when {Is(guard, $"{i} > {Pick(6)}", true)}", guard);
        _inFinally = kept;
        _indent--;
        Mark first = new();
        Line($"=> {At(first)} + Truth.Arm({n}, 0, 3) + {i},", first);
        Line($"string => {At(text)} + Truth.Arm({n}, 1, 3),", text);
        Line($"_ => {At(other)} + Truth.Arm({n}, 2, 3),", other);
        _indent--;
        Line("};");
    }

    /// <summary>Of the questions only the answers are noted: in the body, and behind a loop that ends by itself.</summary>
    void ForeachArray(int depth)
    {
        string i = New("e");
        int n = numbers.Decision(2);
        Mark mark = new();
        mark.Questions(n);
        mark.Decision(n, 2);
        bool inLoop = _inLoop;
        _inLoop = false;
        Line($"foreach (int {i} in {OneOf($"new int[{Pick(4)}]", $"Truth.List({Pick(4)})", $"Truth.Span({Pick(4)}).ToArray()")})", mark);
        Block(() =>
        {
            Plain($"Truth.Is({n}, true);");
            Statements(1 + Pick(2), depth + 1);
        });
        Plain($"Truth.Is({n}, false);");
        _inLoop = inLoop;
    }

    void Lock(int depth)
    {
        Mark mark = new(), declared = new();
        bool kept = _inFinally;
        _inFinally = true; /* no await under a lock */
        Line($"lock (Truth.Gate({At(mark)}))", mark);
        bool inTry = _inTry;
        _inTry = true; /* no yield under a lock */
        Block(() =>
        {
            Line($"using var {New("u")} = new MemoryStream({At(declared)} + 4);", declared);
            Statements(1 + Pick(2), depth + 1);
        });
        _inTry = inTry;
        _inFinally = kept;
    }

    void BlockLambda(int depth)
    {
        string name = New("g");
        bool async = _kind == Kind.Async && Chance(50);
        Line($"Func<int, {(async ? "Task<int>" : "int")}> {name} = {(async ? "async " : "")}x =>");
        Lambda(async ? Kind.Async : Kind.Plain, depth);
        Mark use = new();
        Line($"Truth.Use({At(use)} + {(async && MayAwait ? "await " : "")}{name}(2){(async && !MayAwait ? ".GetAwaiter().GetResult()" : "")});", use);
    }

    void Lambda(Kind kind, int depth)
    {
        (Kind outer, bool inLoop, bool inTry, bool inFinally, bool leavable, bool inLambda) = (_kind, _inLoop, _inTry, _inFinally, _leavable, _inLambda);
        (_kind, _inLoop, _inTry, _inFinally, _leavable, _inLambda) = (kind, false, false, false, true, true);
        Line("{");
        _indent++;
        int known = _variables.Count;
        Statements(1 + Pick(2), depth + 2);
        Plain("return x + a;", "return ");
        _variables.RemoveRange(known, _variables.Count - known);
        _indent--;
        Line("};");
        (_kind, _inLoop, _inTry, _inFinally, _leavable, _inLambda) = (outer, inLoop, inTry, inFinally, leavable, inLambda);
    }

    /// <summary>The same code on several threads at once.</summary>
    void Threads(int depth)
    {
        string name = New("h");
        Line($"Func<int, int> {name} = x =>");
        Lambda(Kind.Plain, depth);
        Plain($"Truth.Together({name});");
    }

    void AwaitedArms()
    {
        int n = numbers.Decision(4);
        Mark mark = new();
        Line($"{Assignable()} = {At(mark)} + Truth.Name({n}, {Arithmetic()}, 4) switch", mark.With(n, 4));
        Line("{");
        _indent++;
        for (int i = 0; i <= 3; i++)
        {
            Mark arm = new();
            string value = Pick(3) switch
            {
                0 => "",
                1 => "await Truth.Later(3) + ",
                _ => $"({Condition(arm, false, 2)} ? await Truth.Later(1) : 2 + a) + ",
            };
            Line($"{(i < 3 ? $"\"arm{i}\"" : "_")} => {At(arm)} + {value}{Arithmetic()},", arm);
        }

        _indent--;
        Line("};");
    }

    void Jump()
    {
        Mark mark = new();
        if (_inLoop && Chance(60))
        {
            Line($"if ({Condition(mark, true)})", mark);
            _indent++;
            Line(OneOf("break;", "continue;"));
            _indent--;
            Assign(); /* where nothing follows the optimiser needs no condition */
        }
        else if (_leavable && _kind != Kind.Iterator)
        {
            Line($"if ({Is(mark, $"{Number()} == 8", true)})", mark);
            Leave();
        }
        else
        {
            Assign();
        }
    }
}
