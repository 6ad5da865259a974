"""Writes Program.cs: `&`, `|`, `^` and `!` of bool? in generated expressions, some operands of which are bool or null. No operator
asks the user's question, so the only branches are those of `&&`, `||`, `?:` and `if` around them, which an evaluation of the same
tree knows: `// cov: branches=N/M`.

    nullable_bools.py"""
import random

random.seed(20240301)
VARIABLES = ["a", "b", "c"]  # bool?
FLAGS = ["p", "q"]  # bool
INPUTS = [None, False, True]


class Operand:
    def __init__(self, text, is_nullable, value):
        self.text, self.is_nullable, self.value = text, is_nullable, value
        self.tests = []
        self.is_lifted = False  # `(a ^ b) == true` is compiled as `(a ^ b) ?? false` is, where `??` has outcomes


class Test:
    """A condition, or an operand of && or ||."""

    def __init__(self, value):
        self.of, self.seen = value, set()

    def value(self, inputs):
        result = self.of(inputs)
        self.seen.add(result)
        return result


def both(x, y):
    if x is False or y is False:
        return False
    return None if x is None or y is None else True


def either(x, y):
    if x is True or y is True:
        return True
    return None if x is None or y is None else False


def unequal(x, y):
    return None if x is None or y is None else x != y


def variable(name):
    form = random.choice(["{}", "Same({})", "box.{}", "box.Get_{}"])
    return Operand(form.format(name), True, lambda i: i[name])


def flag(name):
    """One of them is made by &&, whose operands are the user's."""
    if random.random() < 0.75:
        return Operand(random.choice(["{}", "Same({})"]).format(name), False, lambda i: i[name])
    left, right = Test(lambda i: i["p"]), Test(lambda i: i["q"])
    word = random.choice(["&&", "||"])
    result = Operand(f"(Same(p) {word} Same(q))", False,
                     lambda i: left.value(i) and right.value(i) if word == "&&" else left.value(i) or right.value(i))
    result.tests = [left, right]
    return result


def expression(depth):
    """Of type bool?"""
    if depth == 0:
        return variable(random.choice(VARIABLES))
    kind = random.randrange(8)
    if kind == 0:
        inner = expression(depth - 1)
        result = Operand(f"!({inner.text})", True, lambda i: None if inner.value(i) is None else not inner.value(i))
        result.tests, result.is_lifted = inner.tests, True
        return result
    word, operator = random.choice([("&", both), ("|", either), ("^", unequal)])
    left, right = expression(depth - 1), expression(random.randrange(depth))
    if kind == 1 and word != "^":
        right = Operand("null", True, lambda i: None)
    elif kind in (2, 3) and word != "^":
        right = flag(random.choice(FLAGS))
    if random.random() < 0.3:
        left, right = right, left
    result = Operand(f"({left.text} {word} {right.text})", True, lambda i: operator(left.value(i), right.value(i)))
    result.tests, result.is_lifted = left.tests + right.tests, word == "^"
    return result


# How the value is used: statements, with E for it; in which line E stands; whether it is tested there.
USES = [
    (["return E;"], None),
    (["bool? kept = E;", "return kept;"], None),
    (["return ((System.Func<bool?>)(() => E))();"], None),
    (["a = null;", "a |= b;", "a &= c;", "return a;"], None),
    (["box.a &= b;", "box.Get_b |= c;", "return box.a;"], None),
    (["return (E) == true ? Sink(1) : Sink(2);"], "=="),
    (["return (E) ?? false ? Sink(1) : Sink(2);"], "=="),
    (["return Same(p) && (E) == true ? Sink(1) : Sink(2);"], "&&"),
    (["return await Later(b) & c;"], "async"),
    (["return a | await Later(b);"], "async"),
    (["return Same(p) ? a : false;"], "p"),
    (["bool? x = a, y = b;",
      "return x.GetValueOrDefault() || (!y.GetValueOrDefault() && !x.HasValue) ? x : y;"], "written"),
]

HEAD = """using System.Runtime.CompilerServices;
using System.Threading.Tasks;

class Box
{
    public bool? a, b, c;
    public bool? Get_a { get => a; set => a = value; }
    public bool? Get_b { get => b; set => b = value; }
    public bool? Get_c { get => c; set => c = value; }
}

static class Program
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static T Same<T>(T value) => value;
    static bool? Sink(int value) => value > 0;
    static async Task<bool?> Later(bool? value) { await Task.Yield(); return value; }
"""


def main():
    print(HEAD)
    calls = []
    for number in range(240):
        lines, use = USES[number % len(USES)]
        whole = expression(random.randint(1, 3))
        while use in ("==", "&&") and whole.is_lifted:
            whole = expression(random.randint(1, 3))
        tests = whole.tests
        inputs = [{**{v: random.choice(INPUTS) for v in VARIABLES}, **{f: random.random() < 0.5 for f in FLAGS}}
                  for _ in range(random.randint(1, 4))]
        if use == "==":
            top = Test(lambda i: whole.value(i) is True)
            run, tests = top.value, tests + [top]
        elif use == "&&":
            first, second = Test(lambda i: i["p"]), Test(lambda i: whole.value(i) is True)
            run, tests = lambda i: first.value(i) and second.value(i), [first] + tests + [second]
        elif use == "p":
            first = Test(lambda i: i["p"])
            run, tests = first.value, [first]
        elif use == "written":
            asks = [Test(lambda i: i["a"] is True), Test(lambda i: i["b"] is True), Test(lambda i: i["a"] is not None)]
            run, tests = lambda i: asks[0].value(i) or asks[1].value(i) or asks[2].value(i), asks
        elif "E" in " ".join(lines):
            run = whole.value
        else:
            run, tests = lambda i: None, []
        for i in inputs:
            run(i)
            text = ", ".join("null" if i[v] is None else str(i[v]).lower() for v in VARIABLES + FLAGS)
            calls.append(f"M{number}({text})" + (".Wait()" if use == "async" else ""))
        result = "async Task<bool?>" if use == "async" else "bool?"
        print(f"    static {result} M{number}(bool? a, bool? b, bool? c, bool p, bool q)\n    {{")
        print("        var box = new Box { a = a, b = b, c = c };")
        for n, line in enumerate(lines):
            has_tests = tests and ("E" in line or (n == len(lines) - 1 and use in ("p", "written")))
            mark = f" branches={sum(len(t.seen) for t in tests)}/{2 * len(tests)}" if has_tests else ""
            print(f"        {line.replace('(E)', whole.text).replace('E', whole.text)} // cov: hits={len(inputs)}{mark}")
        print("    }\n")
    print("    static void Main()\n    {")
    for call in calls:
        print(f"        {call};")
    print("    }\n}")


main()
