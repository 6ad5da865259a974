"""Writes Conditions.cs: methods with a condition each, of all relations, types, negations and forms. The program asks each
operand once more, in a method of its own, and prints for each condition `LINE N true|false COUNT`: how often operand N of that
line went this way.

    make_conditions.py INTO [HALF]   only one half of the methods, 0 or 1; each half has all conditions"""
import itertools
import sys

HEAD = """
using System; using System.Collections.Generic; using System.Linq; using System.Threading.Tasks;
enum Color { Red, Green }
class Base { } class Derived : Base { public int Size = 3; }
struct Point { public int X, Y; }
struct Money(int cents) {
    public int Cents = cents;
    public static bool operator <(Money a, Money b) => a.Cents < b.Cents; public static bool operator >(Money a, Money b) => a.Cents > b.Cents;
    public static bool operator <=(Money a, Money b) => a.Cents <= b.Cents; public static bool operator >=(Money a, Money b) => a.Cents >= b.Cents;
    public static bool operator ==(Money a, Money b) => a.Cents == b.Cents; public static bool operator !=(Money a, Money b) => a.Cents != b.Cents;
    public override bool Equals(object o) => false; public override int GetHashCode() => 0;
}
struct Truth(int value) {
    public int Value = value;
    public static bool operator true(Truth t) => t.Value > 0; public static bool operator false(Truth t) => t.Value < 0;
    public static Truth operator &(Truth a, Truth b) => a.Value < 0 ? a : b; public static Truth operator |(Truth a, Truth b) => a.Value > 0 ? a : b;
    public static Truth operator !(Truth t) => new Truth(-t.Value);
}
struct Flag(bool on) { public bool On = on; public static implicit operator bool(Flag f) => f.On; public static Flag operator !(Flag f) => new Flag(!f.On); }
static class Program {
    const int Zero = 0, Three = 3; const bool Yes = true, No = false; const string Word = "a";
    static readonly SortedDictionary<(int, int), int[]> seen = new();
    static int hits; static bool field; static bool Property => field; static void Hit() => hits++;
    static bool Is(bool b) => b; static bool Gen<T>(T x) => x != null;
    static async Task<bool> Later(bool b) { await Task.Yield(); return b; }
    static bool Note(int line, int n, bool answer) {
        if (!seen.TryGetValue((line, n), out var counts)) seen[(line, n)] = counts = new int[2];
        counts[answer ? 1 : 0]++;
        return answer;
    }
"""

# type: (values of a, values of b, conditions)
NUMBERS = ["a {0} b", "a {0} 3", "3 {0} a", "a {0} 0", "0 {0} a"]
RELATIONS = ["<", "<=", ">", ">=", "==", "!="]


def relations(forms, operators=RELATIONS):
    return [form.format(operator) for form, operator in itertools.product(forms, operators)]


PATTERNS = ["a is 3", "a is not 3", "a is > 3", "a is <= 3", "a is not >= 3", "a is 0", "a is not 0"]
TYPES = {
    "int": (["0", "3", "7", "-1"], ["3", "0"], relations(NUMBERS) + PATTERNS + ["a is Zero", "a is Three", "a is not Three", "a == Three", "a == Zero",
            "(a & b) != 0", "(a & 1) == 1", "a % 2 == 0", "a + b > 3", "a - b <= -1", "checked(a + b) > 3", "checked(a > b)"]),
    "uint": (["0", "3", "7"], ["3", "0"], relations(["a {0} b", "a {0} 3", "a {0} 0", "a {0} 0u"], ["<=", ">", "==", "!="]) + ["0 < a", "a is > 0", "a is 0"]),
    "long": (["0", "3", "7"], ["3", "0"], relations(NUMBERS) + ["a is 0", "a is 3", "a is not 3L"]),
    "ulong": (["0", "3", "7"], ["3", "0"], relations(["a {0} b", "a {0} 3"]) + ["a > 0", "a != 0", "a == 0", "0 < a"]),
    "short": (["0", "3", "7"], ["3", "0"], relations(["a {0} b", "a {0} 3"])),
    "byte": (["0", "3", "7"], ["3", "0"], relations(["a {0} b"]) + ["a > 0", "a != 0", "a is 0"]),
    "nint": (["0", "3", "7"], ["3", "0"], relations(["a {0} b", "a {0} 0"])),
    "double": (["0", "3", "7", "double.NaN"], ["3", "0", "double.NaN"], relations(NUMBERS) + ["a is 3", "a is not 3", "a is > 3", "a is not > 3", "a is double.NaN", "a is 0", "a == 0.0"]),
    "float": (["0", "3", "7", "float.NaN"], ["3", "0", "float.NaN"], relations(NUMBERS) + ["a is > 3"]),
    "decimal": (["0", "3", "7"], ["3", "0"], relations(NUMBERS) + ["a is 3", "a is not 3", "a is > 3"]),
    "char": (["'a'", "'\\0'", "'b'"], ["'a'"], relations(["a {0} b", "a {0} 'a'"]) + ["a == '\\0'", "a is 'a'", "a is not 'a'", "a is >= 'b'"]),
    "bool": (["true", "false"], ["true", "false"], ["a", "a == b", "a != b", "a ^ b", "a & b", "a | b", "a == true", "a == false", "a != true", "a != false", "a == Yes",
             "a != No", "a is true", "a is false", "a is not true", "field = a", "Is(a)", "Is(a) == b", "Is(a) ^ Is(b)", "(bool)(object)a", "!a == b", "a == !b", "!a != !b", "!a == false", "!a is true", "!Is(a) == Is(b)", "(a == b) == false", "(a & b) == false", "!(a | b) != true"]),
    "Color": (["Color.Red", "Color.Green"], ["Color.Red"], relations(["a {0} b", "a {0} Color.Green"], ["==", "!=", "<", ">="]) + ["a == Color.Red", "a != Color.Red", "a is Color.Green",
              "a is Color.Red", "a is not Color.Red", "a.HasFlag(b)"]),
    "string": (["null", '"a"', '"b"'], ["null", '"a"'], relations(["a {0} b", 'a {0} "a"', "a {0} null", "null {0} a", "a {0} Word"], ["==", "!="]) + ["a is null", "a is not null",
               'a is "a"', 'a is not "a"', "a is Word", "a is { }", "a is string", "a is string s", "a is not string", "string.IsNullOrEmpty(a)", "a?.Length > 0", "a?.Length == 1", "a?.Length is 1", "(a as object) == null"]),
    "object": (["null", '"a"', "3", "new Derived()"], ["null", '"a"'], relations(["a {0} b", "a {0} null"], ["==", "!="]) + ["a is null", "a is not null", "a is string", "a is not string",
               "a is string s", "a is not string s", "a is int", "a is int i", "a is Base", "a is not Derived", "a is Derived d", "(a as string) != null", "a as string == null", "a is { }", "a is { } o",
               "a is List<int>", "a is int[]", "Gen(a)", "ReferenceEquals(a, b)", "a is IEnumerable<char> c", "Equals(a, b)"]),
    "Base": (["null", "new Derived()", "new Base()"], ["null"], ["a is Derived", "a is Derived { }", "a is not Derived d", "a == b", "a != null", "a is Base", "a is Base c", "a is not Base", "(a as Derived)?.Size > 2"]),
    "int?": (["null", "0", "3", "7"], ["null", "3"], relations(["a {0} b", "a {0} 3", "3 {0} a", "a {0} 0"]) + ["a == null", "a != null", "null == a", "a is null", "a is not null", "a.HasValue", "a is { }",
             "a is int", "a is int i", "a.GetValueOrDefault() > 3", "a is not int"]),
    "double?": (["null", "3", "double.NaN"], ["null", "3"], relations(["a {0} b", "a {0} 3"])),
    "bool?": (["null", "true", "false"], ["null", "true"], ["a == true", "a == false", "a != true", "a != b", "a == b", "a is true", "a is not true", "a is null", "a.HasValue", "a.GetValueOrDefault()"]),
    "Money": (["new Money(3)", "new Money(4)"], ["new Money(3)"], relations(["a {0} b"])),
    "Flag": (["new Flag(true)", "new Flag(false)"], ["new Flag(true)"], ["a", "a.On", "a.On == b.On"]),
    "Truth": (["new Truth(1)", "new Truth(-1)"], ["new Truth(1)"], ["a", "!a"]),
    "DateTime": (["DateTime.MinValue", "DateTime.MaxValue"], ["DateTime.MinValue"], relations(["a {0} b"])),
    "Guid": (["Guid.Empty", "new Guid(1,2,3,4,5,6,7,8,9,10,11)"], ["Guid.Empty"], ["a == b", "a != Guid.Empty", "a == default"]),
    "int[]": (["null", "new int[] { 3 }"], ["null"], ["a == null", "a != null", "a?[0] > 2", "a is null", "a is not null", "a is { }", "a != null == true"]),
    "Type": (["typeof(int)", "typeof(string)"], ["typeof(int)"], ["a == b", "a == typeof(int)", "a != typeof(string)"]),
    "Func<bool>": (["() => true", "() => false"], ["null"], ["a()", "a() == true", "!a() == false", "a != null"]),
    "List<int>": (["new()", "new() { 3 }"], ["null"], ["a.Any(x => x > 1)", "a.Count > 0", "a.Contains(3)", "a.Any()"]),
}

# {0}: the operand; {1}: another operand, `q`, a bool. How the operands are asked: a whole, or with && or ||, first or last.
FORMS = [
    ("if ({0}) Hit();", "one"), ("if ({0}) return; Hit();", "one"), ("if ({0}) {{ Hit(); }} else {{ Hit(); Hit(); }}", "one"),
    ("while ({0}) {{ Hit(); break; }}", "one"), ("for (; {0};) {{ Hit(); break; }}", "for"), ("hits += {0} ? 1 : 2;", "one"),
    ("do {{ if (hits++ > limit) break; }} while ({0});", "while"), ("foreach (var x in items) {{ if ({0}) continue; Hit(); }}", "one"),
    ("foreach (var x in items) if ({0}) break; else Hit();", "one"),
    ("if ({0} && Is(q)) Hit();", "and"), ("if (Is(q) && {0}) Hit();", "and last"), ("if ({0} || Is(q)) Hit();", "or"), ("if (Is(q) || {0}) Hit();", "or last"),
    ("while (Is(q) && {0}) {{ Hit(); break; }}", "and last"), ("hits += Is(q) || {0} ? 1 : 2;", "or last"), ("hits += {0} && Is(q) ? 1 : 2;", "and"),
    ("field = {0} && Is(q);", "and"), ("field = Is(q) && {0};", "and last"), ("field = Is(q) || {0};", "or last"), ("field = !(Is(q) && {0});", "and last"), ("field = !({0} || Is(q));", "or"),
    ("if (!({0} && Is(q))) Hit();", "and"), ("if (!(Is(q) || {0})) Hit();", "or last"), ("if (!(Is(q) && {0})) Hit(); else Hit();", "and last"),
    ("if ({0}) throw new E(); else Hit();", "one"), ("if (!({0})) throw new E();", "one"), ("Use(Is(q) ? {0} : Is(q));", "none"),
    ("if (Is(q)) {{ if ({0}) Hit(); }}", "one after q"), ("for (int z = 0; z < 1 && {0}; z++) Hit();", "none"),
]
NEGATIONS = ["{0}", "!({0})", "!!({0})"]
SHELLS = ["void", "async", "iterator", "lambda", "return"]


def cases(half):
    n = 0
    for kind, (firsts, seconds, conditions) in TYPES.items():
        for condition in conditions:
            for k in range(6):
                if half is not None and (n // 6 + k // 2) % 2 != half:
                    n += 1
                    continue
                form, asked = FORMS[(n * 7 + k * 5) % len(FORMS)]
                if kind == "Truth" and asked != "one":
                    form, asked = FORMS[k % 3]
                negation = NEGATIONS[(n + k) % 3] if k else "{0}"
                shell = SHELLS[(n + k) % len(SHELLS)] if k % 2 else "void"
                mode = ["true", "false", "both"][(n // 3 + k) % 3]
                yield n, kind, firsts, seconds, condition, negation, form, asked, shell, mode
                n += 1


def main(into, half=None):
    lines = HEAD.split("\n")
    calls = []
    for n, kind, firsts, seconds, base, negation, form, asked, shell, mode in cases(half and int(half)):
        condition = negation.format(base)
        loose = any(sign in condition for sign in (" ^ ", " = ", " & ", " | ")) and asked not in ("for", "while")
        operand = f"({condition})" if loose else condition
        statement = form.format(operand)
        parameters = f"{kind} a, {kind} b, bool q, int limit, int[] items"
        lines.append(f"    static bool T{n}({kind} a, {kind} b) {{ if ({condition}) return true; return false; }}")
        if shell == "async":
            lines.append(f"    static async Task M{n}({parameters}) {{ await Task.Yield();")
        elif shell == "iterator":
            lines.append(f"    static IEnumerable<int> M{n}({parameters}) {{ yield return 1;")
            statement = statement.replace("return;", "yield break;")
        elif shell == "lambda":
            lines.append(f"    static void M{n}({parameters}) {{ Action f = () => {{")
        else:
            lines.append(f"    static void M{n}({parameters}) {{")
        lines.append(f"        {statement} // {asked} // {operand[:operand.index(base)]} // {base}")
        line = len(lines)
        lines.append("    }; f(); }" if shell == "lambda" else "    }")
        call = f"M{n}(a, b, q, hits, [1])"
        call = f"{call}.GetAwaiter().GetResult()" if shell == "async" else f"foreach (var _ in {call}) {{ }}" if shell == "iterator" else call
        note = f"Note({line}, {{0}}, {{1}})"
        truth = f"T{n}(a, b)"
        ask = {
            "one": note.format(0, truth), "for": note.format(0, truth), "while": note.format(0, truth),
            "one after q": f"Note({line}, 0, q) && " + note.format(1, truth),
            "and": note.format(0, truth) + f" && Note({line}, 1, q)",
            "or": note.format(0, truth) + f" || Note({line}, 1, q)",
            "and last": f"Note({line}, 0, q) && " + note.format(1, truth),
            "or last": f"Note({line}, 0, q) || " + note.format(1, truth), "none": "false",
        }[asked]
        wanted = {"true": f"!{truth}", "false": truth, "both": "false"}[mode]
        calls.append(f"        foreach (var a in new {kind}[] {{ {', '.join(firsts)} }}) foreach (var b in new {kind}[] {{ {', '.join(seconds)} }}) foreach (var q in new[] {{ true, {'false' if n % 2 else 'true'} }}) {{")
        calls.append(f"            if ({wanted}) continue; field = false; _ = {ask}; try {{ {call}; }} catch (E) {{ }}".replace("};", "}"))
        calls.append("        }")
    # Small, and without await: what the compiler does for one method grows faster than the method.
    groups = [calls[i:i + 30] for i in range(0, len(calls), 30)]
    for i, group in enumerate(groups):
        lines.append(f"    static void Group{i}() {{")
        lines.extend(group)
        lines.append("    }")
    lines.append("    static void Use(bool b) { } class E : Exception { }")
    lines.append("    static void Main() {")
    lines.extend(f"        Group{i}();" for i in range(len(groups)))
    lines.append('        foreach (var (at, counts) in seen) Console.WriteLine($"{at.Item1} {at.Item2} {counts[0]} {counts[1]}");')
    lines.append("    }\n}")
    with open(into, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


main(*sys.argv[1:])
