"""make_switches.py SOURCE TRUTH: writes a program of switches of all kinds, each called with some of its values. The program prints
`METHOD ARM` for each arm that it takes. TRUTH gets, as JSON, for each method its line, its kind, and the text of each arm."""
import itertools
import json
import random
import sys

HEAD = """
using System; using System.Collections.Generic; using System.Threading.Tasks;
enum Kind { A, B, C, D }
readonly record struct Point(int X, int Y); struct Plain { public int A, B; public Plain(int a, int b) { A = a; B = b; } }
sealed record Pair(int X, int Y); readonly struct Deep { public Point P { get; init; } public Pair Q { get; init; } public int? N { get; init; } }
class Shape { public int Size; } class Round : Shape { } class Square : Shape { }
static class Program {
    const int Five = 5; const string Word = "w";
    static void Note(int method, int arm) => Console.WriteLine(method + " " + arm);
    static T Note<T>(int method, int arm, T value) { Note(method, arm); return value; }
    static T Two<T, U>(T value) => value;
"""

# type: (patterns, values). Patterns may hide nothing that comes later.
TYPES = {
    "int": (["1", "2", "3", "4", "Five"], ["1", "2", "3", "4", "5", "9"]),
    "long": (["-7", "100", "20000", "3"], ["-7", "100", "20000", "3", "0"]),
    "Kind": (["Kind.C", "Kind.A", "Kind.B", "Kind.D"], ["Kind.A", "Kind.B", "Kind.C", "Kind.D"]),
    "string": (['"x"', '"a,b: => case"', "Word", "null"], ['"x"', '"a,b: => case"', '"w"', "null", '"z"']),
    "string?": (['"%c"' % c for c in "abcdefghij"], ['"%c"' % c for c in "abcdefghijk"]),
    "char": (["'a'", "':'", "','", "'{'"], ["'a'", "':'", "','", "'{'", "'q'"]),
    "object": (["Round", "Square", "int", "string", "null"], ["new Round()", "new Square()", "1", '"x"', "null", "'c'"]),
    "object?": (["Round { Size: 0 }", "Shape s", "List<int>", "int and > 3", "null"], ["new Round()", "new Square()", "5", "1", "new List<int>()", "null"]),
    "int?": (["1", "2", "null"], ["1", "2", "null", "7"]),
    "double": (["< 0", "> 100", "0", "> 50"], ["-1", "101", "0", "60", "7"]),
    # values whose properties are asked for by their address
    "Point": (["{ X: 1, Y: 1 }", "{ X: 1, Y: 2 }", "{ Y: > 5 }", "(0, 0)"],
              ["new Point(1, 1)", "new Point(1, 2)", "new Point(3, 6)", "default", "new Point(1, 3)"]),
    "Plain": (["{ A: 1, B: 1 }", "{ A: 1, B: 2 }", "{ B: > 5 }", "{ A: 0, B: 0 or 3 }"],
              ["new Plain(1, 1)", "new Plain(1, 2)", "new Plain(3, 6)", "default", "new Plain(1, 3)"]),
    "Pair": (["{ X: 1, Y: 1 }", "{ X: 1, Y: 2 }", "{ Y: > 5 }", "(0, 0)"],
             ["new Pair(1, 1)", "new Pair(1, 2)", "new Pair(3, 6)", "new Pair(0, 0)", "new Pair(1, 3)"]),
    "Point?": (["{ X: 1, Y: 1 }", "{ X: 1, Y: 2 }", "{ Y: > 5 }", "null"],
               ["new Point(1, 1)", "new Point(1, 2)", "new Point(3, 6)", "null", "new Point(1, 3)"]),
    "Deep": (["{ P: { X: 1, Y: 2 } }", "{ Q: { X: 2 }, N: 3 }", "{ N: null }", "{ P.Y: 7 }"],
             ["new Deep { P = new(1, 2) }", "new Deep { Q = new(2, 1), N = 3 }", "default", "new Deep { P = new(3, 7), N = 4 }",
              "new Deep { N = 4 }"]),
    "DateTime": (["{ Month: 12, Day: 24 or 25 }", "{ Year: < 1900 }", "{ Hour: 3, Minute: 4 }"],
                 ["new DateTime(2000, 12, 24)", "new DateTime(1800, 1, 1)", "new DateTime(2000, 1, 1, 3, 4, 0)", "new DateTime(2000, 1, 1)"]),
    "KeyValuePair<string, int>": (['{ Key: "a", Value: > 5 }', '{ Key: "a" }', "{ Value: 0 }"],
                                  ['new("a", 9)', 'new("a", 1)', 'new("b", 0)', 'new("b", 1)']),
    "object??": (["Point { X: 1 or 2, Y: >= 5 }", "Pair { X: 0 }", "List<int> { Count: 0 }", "string { Length: > 3 }"],
                 ["new Point(1, 6)", "new Pair(0, 1)", '"four"', "new Point(3, 3)", "null"]),
    "(int, bool)": (["(1, true)", "(1, false)", "(2, _)"], ["(1, true)", "(1, false)", "(2, true)", "(3, true)"]),
}
SHAPES = ["break", "return", "braces", "lines", "one line", "void", "value", "arrow", "long value", "async", "iterator", "nested", "after"]
ENDS = ["default", "none", "first", "empty", "empty case", "throw"]
EXTRA = ["", "guard", "shared", "or"]


class Method:
    def __init__(self, number, kind, shape, end, extra, dice):
        self.number, self.kind, self.shape, self.end, self.extra = number, kind, shape, end, extra
        patterns, self.values = TYPES[kind]
        self.type = {"string?": "string", "object?": "object", "object??": "object"}.get(kind, kind)
        self.patterns = list(patterns)
        self.is_value = shape in ("value", "arrow", "long value")
        self.calls = dice.sample(self.values, dice.randint(1, max(1, len(self.values) - 1)))
        if dice.random() < .1:
            self.calls = list(self.values)
        self.called_with = dice.choice(["true", "false"])
        self.arms = []  # labels; None: no arm

    def labels(self):
        """The labels of each arm, in order."""
        arms = [[p] for p in self.patterns]
        if self.extra == "guard":
            arms[0] = [arms[0][0] + " when q"]
            arms[1] = [arms[1][0] + " when !q && x.Equals(x)"]
        if self.extra == "shared" and not self.is_value and " " not in self.patterns[2] and " " not in self.patterns[1]:
            arms[1:3] = [[self.patterns[1], self.patterns[2]]]
        if self.extra == "or" and " " not in self.patterns[2] and " " not in self.patterns[1]:
            arms[1:3] = [[self.patterns[1] + " or " + self.patterns[2]]]
        return arms

    def label(self, labels):
        return " or ".join(labels) if self.is_value else " ".join("case %s:" % one for one in labels)[:-1]

    def body(self, arm, ends):
        return "Note(%d, %d); %s" % (self.number, arm, ends)

    def write(self):
        """Lines of the method; the switch is on the one that has `switch`."""
        arms = self.labels()
        n, out = self.number, []
        if self.is_value:
            texts = []
            for labels in arms:
                texts.append((self.label(labels), "Note(%d, %d, %d)" % (n, len(texts), len(texts))))
            if self.end == "throw":
                texts.append(("_", "throw new Exception()"))
            else:
                texts.append(("_", "Two<int, string>(Note(%d, %d, 9))" % (n, len(texts)) if self.end == "none" else "Note(%d, %d, 9)" % (n, len(texts))))
            self.arms = [label for label, _ in texts]
            if self.shape == "long value":
                rows = ["%s\n            => %s,\n" % text for text in texts]
                return "static int M%d(%s x, bool q) {\n        var r = 1 + (x switch\n        {\n            %s        });\n        return r;\n    }" % (n, self.type, "            ".join(rows))
            switch = "x switch { %s }" % ", ".join("%s => %s" % text for text in texts)
            if self.shape == "arrow":
                return "static int M%d(%s x, bool q) => %s;" % (n, self.type, switch)
            return "static int M%d(%s x, bool q) { return %s; }" % (n, self.type, switch)
        ends = {"return": "return 1;", "void": "break;", "async": "await Task.Yield(); break;", "iterator": "yield return 1; break;"}.get(self.shape, "break;")
        sections = []
        for labels in arms:
            arm = len(sections)
            code = self.body(arm, ends)
            if self.end == "empty case" and labels is arms[-1]:
                code = "break;"
            if self.shape == "nested" and arm == 0:
                code = "switch (q) { case true: Note(%d, %d); break; default: Note(%d, %d); break; } break;" % (n, arm, n, arm)
            if self.shape == "braces":
                code = "{ %s }" % code
            if self.shape == "lines":
                code = "\n                " + code.replace("; ", ";\n                ")
            sections.append((self.label(labels), code))
        if self.end in ("default", "first", "throw", "empty"):
            code = self.body(len(sections), ends) if self.end in ("default", "first") else "throw new Exception();" if self.end == "throw" else "break;"
            sections.append(("default", code))
        self.arms = [label for label, _ in sections]
        if self.end == "first":
            sections.insert(0, sections.pop())
        joint = " " if self.shape == "one line" else "\n            "
        switch = "switch (x)%s{%s%s%s}" % (joint, joint, joint.join(label + ": " + code for label, code in sections), joint)
        head = {"async": "static async Task<int>", "iterator": "static IEnumerable<int>", "void": "static void"}.get(self.shape, "static int")
        tail = {"iterator": "yield return 2;", "void": ""}.get(self.shape, "return 0;")
        if self.shape == "after":
            tail = "Console.Write(\"\"); return 0;"
        return "%s M%d(%s x, bool q) {\n        %s\n        %s\n    }" % (head, n, self.type, switch, tail)

    def call(self, value):
        call = "M%d(%s, %s)" % (self.number, value, self.called_with)
        call = {"async": call + ".Wait();", "iterator": "foreach (var _ in " + call + ") { }"}.get(self.shape, call + ";")
        return "Console.WriteLine(\"%d called\"); try { %s } catch (Exception) { }" % (self.number, call)


def main(source, truth):
    dice = random.Random(7)
    lines, calls, told = HEAD.split("\n"), [], {}
    number = 0
    for kind, shape, end, extra in itertools.product(TYPES, SHAPES, ENDS, EXTRA):
        is_value = shape in ("value", "arrow", "long value")
        if dice.random() > .25 or (is_value and (end not in ("default", "throw", "none") or extra == "shared")):
            continue
        if kind in ("(int, bool)", "object??") and extra in ("shared", "or"):
            continue
        method = Method(number, kind, shape, end, extra, dice)
        if kind == "object?" and extra == "or" and not is_value:
            continue
        first = len(lines) + 1
        text = "    " + method.write()
        lines += text.split("\n")
        line = next(i for i in range(first, len(lines) + 1) if "switch" in lines[i - 1])
        told[number] = {"line": line, "last": len(lines), "arms": method.arms, "shape": "%s, %s, %s, %s" % (kind, shape, end, extra), "is_nested": shape == "nested",
                        "is_guarded": extra == "guard", "has_empty_case": end == "empty case" and not is_value, "value": is_value,
                        "silent": [len(method.arms) - 1] if end == "empty" and not is_value else [len(method.labels()) - 1] if end == "empty case" and not is_value else [],
                        "throws": end == "throw", "has_default": is_value or "default" in method.arms}
        calls += [method.call(value) for value in method.calls]
        number += 1
    lines.append("    static void Main() {")
    lines += ["        Main%d();" % i for i in range(0, len(calls), 200)] + ["    }"]
    for i in range(0, len(calls), 200):
        lines += ["    static void Main%d() {" % i] + ["        " + call for call in calls[i:i + 200]] + ["    }"]
    lines.append("}")
    open(source, "w", encoding="utf-8").write("\n".join(lines) + "\n")
    json.dump(told, open(truth, "w", encoding="utf-8"))


main(*sys.argv[1:])
