"""Methods without a value that return in every place: after if, else, switch, loops, try, using, lock and blocks, in members of
every kind.

    returns.py plain|truth   writes Program.cs: as it is measured, or recording itself which statements ran how often
    returns.py check SOURCE REPORT COUNTS CONFIGURATION   compares the JSON report of the one with what the other printed
"""
import json
import random
import sys

MEMBERS = 240


class Writer:
    def __init__(self, truth):
        self.lines, self.truth, self.count = [], truth, 0

    def line(self, depth, text):
        self.lines.append("    " * depth + text)

    def mark(self, text):
        """A statement that is compared: its number, and how it is written. No call equals another one: the compiler unites
        equal ways of an `if`."""
        self.count += 1
        text = text.replace("F(", f"F({self.count}, ").replace(", )", ")")
        return f"{{ T({self.count}); {text} }}" if self.truth else f"{text} /*{self.count}*/"


class Body:
    """Random statements. The choices depend on the seed alone, so both programs have the same ones."""

    def __init__(self, writer, seed):
        self.w, self.r, self.bits, self.names = writer, random.Random(seed), 0, 0

    def condition(self):
        self.bits += 1
        return f"B(a, {self.r.randrange(4)})"

    def simple(self, depth, in_switch, in_loop, may_return=True):
        jumps = ["return;"] * 4 if may_return else []
        if in_switch:
            jumps = ["break;"] * 3 + jumps[:1]
        elif in_loop:
            jumps = ["break;", "continue;"] + jumps[:2]
        text = self.r.choice(jumps) if jumps and self.r.random() < 0.3 else "F();"
        self.w.line(depth, self.w.mark(text))
        return text == "F();"

    def block(self, depth, nested, **where):
        """Statements between braces. Does control reach its end?"""
        goes_on = True
        for _ in range(self.r.choice([1, 1, 2, 3])):
            goes_on = self.statement(depth + 1, nested - 1, **where)
            if not goes_on:
                break
        return goes_on

    def embedded(self, depth, nested, **where):
        """A statement without braces, or a block."""
        if self.r.random() < 0.5:
            return self.simple(depth + 1, where.get("in_switch", False), where.get("in_loop", False),
                               where.get("may_return", True))
        self.w.line(depth, "{")
        goes_on = self.block(depth, nested, **where)
        self.w.line(depth, "}")
        return goes_on

    def statement(self, depth, nested, in_switch=False, in_loop=False, may_return=True):
        where = {"in_switch": in_switch, "in_loop": in_loop, "may_return": may_return}
        kinds = ["simple"] * 2 + ["if", "else", "else", "elseif", "switch", "loop", "try", "using", "lock", "block", "ternary"]
        if in_switch or in_loop:
            kinds.remove("loop")  # and no jump that another construct would take
        kind = self.r.choice(kinds) if nested > 0 else "simple"
        if kind == "simple":
            return self.simple(depth, **where)
        if kind == "if":
            self.w.line(depth, f"if ({self.condition()})")
            self.embedded(depth, nested, **where)
            return True
        if kind in ("else", "elseif"):
            self.w.line(depth, f"if ({self.condition()})")
            ends = [self.embedded(depth, nested, **where)]
            if kind == "elseif":
                self.w.line(depth, f"else if ({self.condition()})")
                ends.append(self.embedded(depth, nested, **where))
            self.w.line(depth, "else")
            ends.append(self.embedded(depth, nested, **where))
            return any(ends)
        if kind == "switch":
            self.w.line(depth, "switch (a & 3)")
            self.w.line(depth, "{")
            for label in ("case 0:", "case 1:", self.r.choice(["default:", "case 3:"])):
                self.w.line(depth + 1, label)
                if self.block(depth + 1, nested - 1, in_switch=True, may_return=may_return):
                    self.w.line(depth + 2, self.w.mark("break;"))
            self.w.line(depth, "}")
            return True
        if kind == "loop":
            self.names += 1
            i = f"i{self.names}"
            head, tail = self.r.choice([
                (f"for (int {i} = 0; {i} < (a & 3); {i}++)", ""),
                (f"foreach (int {i} in new int[a & 3])", ""),
                (f"for (int {i} = a & 3; B(a, 1) && {i}-- > 0; )", ""),
            ])
            self.w.line(depth, head)
            self.embedded(depth, nested, in_loop=True, may_return=may_return)
            return True
        if kind == "try":
            ends = []
            self.w.line(depth, "try")
            self.w.line(depth, "{")
            self.w.line(depth + 1, f"if ({self.condition()}) throw new System.Exception();")
            ends.append(self.block(depth, nested, may_return=may_return))
            self.w.line(depth, "}")
            form = self.r.randrange(3)
            if form != 1:
                self.w.line(depth, "catch (System.Exception)")
                self.w.line(depth, "{")
                ends.append(self.block(depth, nested, may_return=may_return))
                self.w.line(depth, "}")
            if form != 0:
                self.w.line(depth, "finally")
                self.w.line(depth, "{")
                self.block(depth, nested, may_return=False)
                self.w.line(depth, "}")
            return any(ends)
        if kind == "ternary":
            self.w.line(depth, self.w.mark(f"F({self.condition()} ? 1 : 2);"))
            return True
        self.w.line(depth, {"using": "using (D())", "lock": "lock (O)", "block": ""}[kind])
        self.w.line(depth, "{")
        goes_on = self.block(depth, nested, **({} if kind != "block" else where) | {"may_return": may_return})
        self.w.line(depth, "}")
        return goes_on


def body(w, depth, seed):
    b = Body(w, seed)
    if not b.block(depth, 3):
        return
    if b.r.random() < 0.8:
        w.line(depth + 1, w.mark("return;"))
    else:
        w.count += 1
        w.line(depth + 1, f"T({w.count});" if w.truth else f"/*{w.count} end*/")


def member(w, n):
    """Each kind of member in turn, and how it is called."""
    kind = n % 6
    if kind == 0:
        w.line(1, f"static void M{n}(int a)")
        w.line(1, "{")
        body(w, 1, n)
        w.line(1, "}")
        return f"M{n}(a)"
    if kind == 1:
        w.line(1, f"static readonly System.Action<int> L{n} = a =>")
        w.line(1, "{")
        body(w, 1, n)
        w.line(1, "};")
        return f"L{n}(a)"
    if kind == 2:
        w.line(1, f"static void M{n}(int b)")
        w.line(1, "{")
        w.line(2, "G(b);")
        w.line(2, "void G(int a)")
        w.line(2, "{")
        body(w, 2, n)
        w.line(2, "}")
        w.line(1, "}")
        return f"M{n}(a)"
    if kind == 3:
        w.line(1, f"class C{n}")
        w.line(1, "{")
        w.line(2, f"public C{n}(int a)")
        w.line(2, "{")
        body(w, 2, n)
        w.line(2, "}")
        w.line(1, "}")
        return f"new C{n}(a)"
    if kind == 4:
        w.line(1, f"static int P{n}")
        w.line(1, "{")
        w.line(2, "set")
        w.line(2, "{")
        w.line(3, "int a = value;")
        body(w, 2, n)
        w.line(2, "}")
        w.line(1, "}")
        return f"P{n} = a"
    w.line(1, f"static void M{n}(int b)")
    w.line(1, "{")
    w.line(2, "System.Action<int> f = delegate(int a)")
    w.line(2, "{")
    body(w, 2, n)
    w.line(2, "};")
    w.line(2, "f(b);")
    w.line(1, "}")
    return f"M{n}(a)"


def write(truth):
    w = Writer(truth)
    w.line(0, "using System.Linq;")
    w.line(0, "static class Program")
    w.line(0, "{")
    w.line(1, "static readonly object O = new();")
    w.line(1, "static readonly System.Collections.Generic.Dictionary<int, int> Counts = new();")
    w.line(1, "static bool B(int a, int n) => (a >> n & 1) != 0;")
    w.line(1, "static void F(int n, int m = 0) { }")
    w.line(1, "static System.IDisposable D() => new System.IO.MemoryStream();")
    w.line(1, "static void T(int n) => Counts[n] = Counts.GetValueOrDefault(n) + 1;".replace(
        "Counts.GetValueOrDefault(n)", "(Counts.TryGetValue(n, out int c) ? c : 0)"))
    calls = [member(w, n) for n in range(MEMBERS)]
    w.line(1, "static void Try(System.Action f) { try { f(); } catch (System.Exception) { } }")
    w.line(1, "static void Main()")
    w.line(1, "{")
    w.line(2, "for (int i = 0; i < 16; i++)")
    w.line(2, "{")
    w.line(3, "int a = i;")
    for call in calls:
        w.line(3, f"Try(() => {{ {call}; }});")
    w.line(2, "}")
    w.line(2, "foreach (var (n, count) in Counts.OrderBy(c => c.Key)) System.Console.WriteLine($\"{n} {count}\");")
    w.line(1, "}")
    w.line(0, "}")
    print("\n".join(w.lines))


def unites(returns):
    """The compiler makes one `return` of two to which an `if` leads, or of one and the end of the member. It has the hits of both."""
    reported = [(ran, hits) for ran, hits in returns if hits is not None]
    return sum(ran for ran, _ in reported) <= sum(hits for _, hits in reported) <= sum(ran for ran, _ in returns)


def check(source, report, counts, is_optimised):
    ran = dict(map(int, line.split()) for line in open(counts, encoding="utf-8"))
    hits = {}
    for package in json.load(open(report, encoding="utf-8"))["packages"]:
        for entry in package["classes"]:
            for line in entry["lines"]:
                hits[line["number"]] = line["hits"]
    wrong = compared = united = 0
    returns, differ = [], []
    for number, text in enumerate(open(source, encoding="utf-8"), 1):
        if text.startswith("    }") or text.startswith("    static readonly"):  # the end of a member
            if differ and is_optimised and unites(returns):
                united += len(differ)
                differ = []
            wrong += len(differ)
            for line in differ:
                print(line)
            returns, differ = [], []
        if "/*" not in text:
            continue
        mark = int(text.split("/*")[1].split("*/")[0].split()[0])
        expected, got = ran.get(mark, 0), hits.get(number)
        is_return = "return;" in text
        if is_return or " end" in text:
            returns.append((expected, got))
        compared += got is not None
        if got is not None and got != expected:
            line = f"line {number}: {text.strip()}: {got} hits, ran {expected} times"
            if is_return:
                differ.append(line)
            else:
                wrong += 1
                print(line)
    print(f"{wrong} of {compared} statements are wrong; {united} are united with others")
    return wrong == 0 and compared > 1000 and united < 25


if sys.argv[1] == "check":
    sys.exit(0 if check(*sys.argv[2:5], sys.argv[5] == "Release") else 1)
write(sys.argv[1] == "truth")
