"""make_selects.py SOURCE TRUTH: writes a Visual Basic program of Select Case statements of all kinds, each called with some of its
values. The program prints `METHOD ARM` for each Case that it takes. TRUTH gets, as JSON, for each method its lines, its kind, and the
text of each Case."""
import itertools
import json
import random
import sys

HEAD = """Imports System
Enum Kind
    A
    B
    C
End Enum
Module Selects
    Const Five As Integer = 5
    Function Note(method As Integer, arm As Integer) As Integer
        Console.WriteLine(method & " " & arm)
        Return arm
    End Function
"""

# type: (labels, values)
TYPES = {
    "Integer": (["1", "2, 3", "4", "Five"], ["1", "2", "3", "4", "5", "9"]),
    "Integer/few": (["1", "2"], ["1", "2", "7"]),
    "Integer/one": (["1"], ["1", "2"]),
    "Integer/ranges": (["1 To 5", "Is > 100", "7, 9 To 11, Is < 0", "50"], ["3", "200", "7", "10", "-1", "50", "60"]),
    "Integer/is": (["Is > 3", "Is = 2", "1"], ["7", "2", "1", "0"]),
    "Integer/mixed": (["1, 2", "3 To 4", "Five"], ["1", "2", "3", "5", "8"]),
    "Long": (["-7", "100", "20000"], ["-7L", "100L", "20000L", "0L"]),
    "String": (['"x"', '"Case 1: "', '"w", "v"'], ['"x"', '"Case 1: "', '"w"', '"v"', '"z"']),
    "String/many": (['"%s"' % c for c in "abcdefgh"], ['"%s"' % c for c in "abcdefghi"]),
    "Char": (['"a"c', '","c', '"\'"c'], ['"a"c', '","c', '"\'"c', '"q"c']),
    "Kind": (["Kind.A", "Kind.B", "Kind.C"], ["Kind.A", "Kind.B", "Kind.C"]),
    "Boolean": (["True", "False"], ["True", "False"]),
    "Double": (["1.5", "Is > 10", "2 To 3"], ["1.5", "11", "2.5", "0"]),
    "Decimal": (["1D", "2D"], ["1D", "2D", "3D"]),
    "Date": (["#1/1/2000#", "Is > #1/1/2010#"], ["#1/1/2000#", "#1/1/2020#", "#1/1/2005#"]),
}
SHAPES = ["lines", "return", "one line", "nested", "continued", "loop", "iterator", "async", "empty", "comments"]
ENDS = ["else", "none", "empty else"]


def number(text):
    return {"Five": 5, "True": 1, "False": 0}[text] if text in ("Five", "True", "False") else float(text.rstrip("LD"))


def tests_of(label):
    """The tests of one Case: their text, and what they ask of a value; None: they are not numbers."""
    out = []
    try:
        for item in label.split(", "):
            if " To " in item:
                low, high = item.split(" To ")
                out += [(low + " To", lambda x, low=number(low): x >= low), ("To " + high, lambda x, high=number(high): x <= high)]
            elif item.startswith("Is "):
                sign, limit = item.split()[1:]
                out.append((item, lambda x, sign=sign, limit=number(limit): {">": x > limit, "<": x < limit, "=": x == limit}[sign]))
            else:
                out.append((item, lambda x, same=number(item): x == same))
    except (ValueError, KeyError):
        return None
    return out


def answers(labels, values):
    """Per Case, per test its text, and how often it was false and true: a test is asked where those before it did not decide."""
    counts = []
    for label in labels:
        tests = tests_of(label)
        if tests is None:
            return []
        counts.append([[text, 0, 0] for text, _ in tests])
    for value in values:
        x = number(value)
        for label, seen in zip(labels, counts):
            tests, k, holds = tests_of(label), 0, False
            while k < len(tests) and not holds:
                text, ask = tests[k]
                answer = ask(x)
                seen[k][1 + answer] += 1
                if text.endswith(" To"):
                    k += 1 if answer else 2
                else:
                    holds = answer
                    k += 1
            if holds:
                break
    return counts


class Method:
    def __init__(self, number, kind, shape, end, dice):
        self.number, self.kind, self.shape, self.end = number, kind, shape, end
        self.labels, self.values = TYPES[kind]
        self.type = kind.split("/")[0]
        self.calls = dice.sample(self.values, dice.randint(1, max(1, len(self.values) - 1)))
        if dice.random() < .1:
            self.calls = list(self.values)
        self.arms = ["Case " + label for label in self.labels] + (["Case Else"] if end != "none" else [])
        # the arms that print nothing
        self.silent = [len(self.labels) - 1] if shape == "empty" else []
        self.silent += [len(self.labels)] if end == "empty else" else []

    def write(self):
        n, out = self.number, []
        for k, arm in enumerate(self.arms):
            body = ["Note(%d, %d)" % (n, k)]
            if k in self.silent:
                body = []
            elif self.shape == "return":
                body[0] = "Return " + body[0]
            elif self.shape == "nested" and k == 0:
                body = ["Select Case q", "    Case True", "        " + body[0], "    Case Else", "        " + body[0], "End Select"]
            elif self.shape == "iterator":
                body.append("Yield 1")
            elif self.shape == "async":
                body.append("Await System.Threading.Tasks.Task.Yield()")
            elif self.shape == "loop":
                body.append("Continue For")
            head = arm
            if self.shape == "continued" and ", " in arm:
                head = arm.replace(", ", ",\n                ") if '"' not in arm else arm
            if self.shape == "comments":
                head = "' Case 77\n            " + head + " ' Case 78"
                body = ["' Case 79"] + body
            if self.shape == "one line" and body:
                out.append("            %s : %s" % (head, body[0]))
            else:
                out += ["            " + head] + ["                " + line for line in body]
        text = ["        Select Case x"] + out + ["        End Select"]
        head = "    Function M%d(x As %s, q As Boolean) As Integer" % (n, self.type)
        tail = ["        Return 9", "    End Function"]
        if self.shape == "iterator":
            head = "    Iterator Function M%d(x As %s, q As Boolean) As System.Collections.Generic.IEnumerable(Of Integer)" % (n, self.type)
            tail = ["        Yield 2", "    End Function"]
        if self.shape == "async":
            head = "    Async Function M%d(x As %s, q As Boolean) As System.Threading.Tasks.Task(Of Integer)" % (n, self.type)
        if self.shape == "loop":
            text = ["        For i As Integer = 1 To 1"] + ["    " + line for line in text] + ["            Note(%d, -1)" % n, "        Next"]
        return "\n".join([head] + text + tail).split("\n")

    def call(self, value):
        call = "M%d(%s, %s)" % (self.number, value, "True")
        call = {"async": call + ".Wait()", "iterator": "For Each z In " + call + " : Next"}.get(self.shape, call)
        return '        Console.WriteLine("%d called") : %s' % (self.number, call)


def main(source, truth):
    dice = random.Random(13)
    lines, calls, told = HEAD.split("\n"), [], {}
    number = 0
    for kind, shape, end in itertools.product(TYPES, SHAPES, ENDS):
        if dice.random() > .6:
            continue
        method = Method(number, kind, shape, end, dice)
        first = len(lines) + 1
        lines += method.write()
        line = next(i for i in range(first, len(lines) + 1) if "Select Case x" in lines[i - 1])
        last = max(i for i in range(first, len(lines) + 1) if "End Select" in lines[i - 1])
        told[number] = {"line": line, "last": last, "arms": method.arms, "shape": "%s, %s, %s" % (kind, shape, end), "silent": method.silent,
                        "subjects": ["Select Case x"], "tests": answers(method.labels, method.calls), "has_default": end != "none"}
        calls += [method.call(value) for value in method.calls]
        number += 1
    lines += ["    Sub Main()"] + ["        Main%d()" % i for i in range(0, len(calls), 200)] + ["    End Sub"]
    for i in range(0, len(calls), 200):
        lines += ["    Sub Main%d()" % i] + calls[i:i + 200] + ["    End Sub"]
    lines.append("End Module")
    open(source, "w", encoding="utf-8").write("\n".join(lines) + "\n")
    json.dump(told, open(truth, "w", encoding="utf-8"))


main(*sys.argv[1:])
