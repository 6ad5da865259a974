"""make_matches.py SOURCE TRUTH: writes an F# program of matches of all kinds, each called with some of its values. The program prints
`METHOD ARM` for each rule that it takes. TRUTH gets, as JSON, for each method its lines, its kind, and the text of each rule."""
import itertools
import json
import random
import sys

HEAD = """module Matches
type Kind = A = 0 | B = 1 | C = 2
type Shape = Round of int | Square | Named of string * int | Other
type Pair = { X: int; Y: int }
[<Literal>]
let Five = 5
let (|Even|Odd|) n = if n % 2 = 0 then Even else Odd
let (|Small|_|) n = if n < 10 then Some n else None
let note (m: int) (arm: int) = System.Console.WriteLine(string m + " " + string arm); arm
"""

# type: (patterns, values). Patterns may hide nothing that comes later.
TYPES = {
    "int": (["1", "2", "3", "Five"], ["1", "2", "3", "5", "9"]),
    "int64": (["-7L", "100L", "3L"], ["-7L", "100L", "3L", "0L"]),
    "string": (['"x"', '"a|b -> c"', '"w"', "null"], ['"x"', '"a|b -> c"', '"w"', "null", '"z"']),
    "char": (["'a'", "'|'", "'>'"], ["'a'", "'|'", "'>'", "'q'"]),
    "bool": (["true", "false"], ["true", "false"]),
    "Kind": (["Kind.A", "Kind.B", "Kind.C"], ["Kind.A", "Kind.B", "Kind.C"]),
    "Shape": (["Round 0", "Round n", "Square", 'Named ("a", _)', "Named _"], ["Round 0", "Round 3", "Square", 'Named ("a", 1)', 'Named ("b", 2)', "Other"]),
    "Shape?": (["Round _", "Square", "Named (s, n)", "Other"], ["Round 0", "Square", 'Named ("a", 1)', "Other"]),
    "int option": (["Some 1", "Some n", "None"], ["Some 1", "Some 2", "None"]),
    "int option?": (["Some n", "None"], ["Some 2", "None"]),
    "int * bool": (["1, true", "1, false", "2, _"], ["(1, true)", "(1, false)", "(2, true)", "(3, true)"]),
    "int list": (["[]", "[ 1 ]", "1 :: _", "a :: b :: _"], ["[]", "[ 1 ]", "[ 1; 2 ]", "[ 3; 4 ]", "[ 7 ]"]),
    "int list?": (["[]", "head :: tail"], ["[]", "[ 1 ]"]),
    "int array": (["[||]", "[| 1 |]", "[| a; b |]"], ["[||]", "[| 1 |]", "[| 1; 2 |]", "[| 3; 4; 5 |]"]),
    "obj": ([":? string as s", ":? int", "null", ":? (int list)"], ['box "a"', "box 1", "null", "box [ 1 ]", "box 'c'"]),
    "Pair": (["{ X = 1; Y = 2 }", "{ X = 1 }", "{ Y = 3 }"], ["{ X = 1; Y = 2 }", "{ X = 1; Y = 5 }", "{ X = 2; Y = 3 }", "{ X = 7; Y = 7 }"]),
    "int/active": (["Even", "Odd"], ["2", "3"]),
    "int/partial": (["Small 1", "Small n"], ["1", "2", "20"]),
    "Result<int, string>": (["Ok 1", "Ok n", 'Error "e"', "Error _"], ["Ok 1", "Ok 2", 'Error "e"', 'Error "f"']),
}
SHAPES = ["plain", "function", "below", "let", "one line", "nested", "nested below", "parens", "lambda", "unit", "after", "async"]
ENDS = ["wildcard", "name", "none"]
EXTRA = ["", "guard", "or", "guards"]
WHOLE = {"bool", "Shape?", "int option", "int option?", "int list?", "int/active", "Result<int, string>"}


class Method:
    def __init__(self, number, kind, shape, end, extra, dice):
        self.number, self.kind, self.shape, self.end, self.extra = number, kind, shape, end, extra
        patterns, self.values = TYPES[kind]
        self.type = kind.rstrip("?").split("/")[0]
        arms = list(patterns)
        if extra == "or":
            arms[0:2] = [arms[0] + " | " + arms[1]]
        if extra in ("guard", "guards"):
            arms[0] += " when q"
        if extra == "guards":
            arms[1] += " when not q && x.Equals(x)" if shape != "function" else " when not q"
        is_left = extra == "guards" or (extra == "guard" and kind not in ("int option", "Result<int, string>"))
        if is_left or (kind not in WHOLE and end != "none"):
            arms.append("other" if end == "name" else "_")
        self.arms = arms
        self.calls = dice.sample(self.values, dice.randint(1, max(1, len(self.values) - 1)))
        if dice.random() < .1:
            self.calls = list(self.values)
        self.called_with = dice.choice(["true", "false"])

    def rules(self, indent):
        n, out = self.number, []
        for k, arm in enumerate(self.arms):
            body = "note %d %d" % (n, k)
            if self.shape == "below":
                body = "\n%s        let y = %s\n%s        y + 1" % (indent, body, indent)
            elif self.shape == "nested" and k == 0:
                body = "(match q with true -> %s | false -> %s)" % (body, body)
            elif self.shape == "nested below" and k == 0:
                body = "\n%s        match q with\n%s        | true -> %s\n%s        | false -> %s" % (indent, indent, body, indent, body)
            elif self.shape == "parens":
                body = "(%s)" % body
            elif self.shape == "lambda":
                body = "[ 1 ] |> List.map (fun z -> z + %s) |> List.head" % body
            elif self.shape == "unit":
                body += " |> ignore"
            elif self.shape == "async":
                body = "\n%s        do! Async.Sleep 0\n%s        return %s" % (indent, indent, body)
            out.append("%s -> %s" % (arm, body))
        return out

    def write(self):
        n, indent = self.number, "    "
        head = "let m%d (q: bool) (x: %s) =" % (n, self.type)
        if self.shape == "function":
            return "let m%d (q: bool) : %s -> int =\n    function\n" % (n, self.type) + "\n".join("    | " + rule for rule in self.rules(indent))
        if self.shape == "one line":
            return head + "\n    match x with " + " | ".join(self.rules(indent))
        if self.shape == "async":
            return head + "\n    async {\n        match x with\n" + "\n".join("        | " + rule for rule in self.rules(indent + "    ")) + "\n    }"
        if self.shape == "let":
            return head + "\n    let y =\n        match x with\n" + "\n".join("        | " + rule for rule in self.rules(indent + "    ")) + "\n    y + 1"
        text = head + "\n    match x with\n" + "\n".join("    | " + rule for rule in self.rules(indent))
        return text + ('\n    System.Console.Write("")' if self.shape == "unit" else "")

    def call(self, value):
        call = "m%d %s (%s)" % (self.number, self.called_with, value)
        call = "Async.RunSynchronously (%s)" % call if self.shape == "async" else call
        return '    System.Console.WriteLine("%d called"); (try %s |> ignore with _ -> ())' % (self.number, call)


def main(source, truth):
    dice = random.Random(11)
    lines, calls, told = HEAD.split("\n"), [], {}
    number = 0
    for kind, shape, end, extra in itertools.product(TYPES, SHAPES, ENDS, EXTRA):
        if dice.random() > .16 or (kind in WHOLE and end != "wildcard") or (extra and shape == "one line") or (extra == "guards" and shape == "after"):
            continue
        if extra == "or" and any(sign in pattern for pattern in TYPES[kind][0][:2] for sign in (" n", " s", "(s", "head", "a ::", " as ")):
            continue
        if extra in ("or",) and kind in ("int option?", "int list?", "bool", "int/active"):
            continue
        method = Method(number, kind, shape, end, extra, dice)
        first = len(lines) + 1
        lines += method.write().split("\n")
        line = next(i for i in range(first, len(lines) + 1) if "match x" in lines[i - 1] or lines[i - 1].strip() == "function")
        told[number] = {"line": line, "last": len(lines), "arms": method.arms, "shape": "%s, %s, %s, %s" % (kind, shape, end, extra),
                        "subjects": ["match x with", "function"], "inner": method.called_with if shape.startswith("nested") else None}
        calls += [method.call(value) for value in method.calls]
        number += 1
    groups = [calls[i:i + 100] for i in range(0, len(calls), 100)]
    for i, group in enumerate(groups):
        lines += ["let main%d () =" % i] + group
    lines += ["[<EntryPoint>]", "let main _ ="] + ["    main%d ()" % i for i in range(len(groups))] + ["    0"]
    open(source, "w", encoding="utf-8").write("\n".join(lines) + "\n")
    json.dump(told, open(truth, "w", encoding="utf-8"))


main(*sys.argv[1:])
