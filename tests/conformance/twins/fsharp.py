"""fsharp.py FIRST COUNT FOLDER: as generate.py, in F#."""
import re

from generate import Program, main, marked

PARAMETERS = "(a: int) (b: int) (s: string) (o: obj) (v: int list) (n: Shape) (x: int option) (r: Point)"

TYPES = """type Shape =
    | Circle of int
    | Square of int * int
    | Nothing

type Point = { X: int; Y: int }
"""

# Subject, patterns in an order in which none hides another, and those that together leave nothing to `_`.
MATCHES = {
    "int": ("a", ["0", "1 | 2", "3", "5", "q"], ["q"]),
    "int-call": ("H.N(b)", ["7", "0", "1", "2", "3", "4"], ["never"]),
    "sparse": ("a * 10", ["0", "30", "50 | 70", "1000"], ["never"]),
    "text": ("s", ['"k0"', '"k1"', '"abc"', "null", '"zz"'], ["never"]),
    "option": ("x", ["Some 2", "Some q", "None"], ["Some q", "None"]),
    "list": ("v", ["[]", "[ q ]", "[ 1; q ]", "q :: _"], ["[]", "q :: _"]),
    "union": ("n", ["Circle 3", "Circle q", "Square(1, q)", "Square(q, _)", "Nothing"], ["Circle q", "Square(q, _)", "Nothing"]),
    "tuple": ("(a, b)", ["0, _", "q, 1", "_, 7", "3, q", "q, _"], ["q, _"]),
    "type": ("o", [":? int as q", ":? string", "null", ":? Node"], ["never"]),
    "record": ("r", ["{ X = 1 }", "{ X = 3; Y = q }", "{ Y = 4 }", "{ X = q }"], ["{ X = q }"]),
    "active": ("a", ["Even", "Odd"], ["Even", "Odd"]),
    "partial": ("b", ["Big q", "Times 3 q", "Times 2 q"], ["never"]),
    "option-tuple": ("(x, v)", ["Some q, []", "None, []", "Some 6, _", "_, [ q ]"], ["never"]),
}


class FSharp(Program):
    extension, operators, no = "fs", ("&&", "||"), "not "

    # --- small things -------------------------------------------------------------------------------------------------------

    def put(self, plain, twin=None):
        margin = "    " * self.indent
        return self.w.line(margin + plain, None if twin is None else "\n".join(margin + line for line in twin.split("\n")))

    def block(self, body):
        self.indent += 1
        kept = len(self.bools), len(self.ints)
        body()
        del self.bools[kept[0]:], self.ints[kept[1]:]
        self.indent -= 1

    def simple(self, plain, twin, kind=""):
        number = self.w.number()
        plain, twin = (text.removesuffix(";") for text in (plain, twin))
        self.w.statement([number], self.put(plain, f"T.S({number}) |> ignore\n{twin}"), kind)

    def same(self, text):
        self.simple(text, text)

    def number(self):
        q = self.pick(*self.ints)
        return self.pick(q, q, "b", f"{q} + {self.below(5)}", f"H.N({self.below(9)})", f"b - {q}", f"H.N({q})", f"max {q} b", "r.X")

    def body(self, depth):
        self.block(lambda: (self.statements(1 + self.below(2), depth + 1), self.plain_call()))

    # --- conditions ---------------------------------------------------------------------------------------------------------

    def two(self, tag, plain, twin, labels=("false", "true")):
        return super().two(tag, plain, f"({twin})", labels)  # `s = "a"` would name a parameter

    def leaf(self):
        k, q = self.below(8), self.pick(*self.ints)
        text = self.pick(f"{q} > {k}", f"{q} <= {k}", f"b = {k}", f"b <> {k}", f"{q} < b", f"H.Odd({q})", f"H.Len(s) > {k % 3}",
                         "isNull s", 's = "k1"', "(o :? int)", "isNull o", "x.IsSome", "Option.isNone x", "v.Length > 1",
                         "List.isEmpty v", f"x = Some {k}", f"List.contains {k} v", f"r.Y > {k}", f"n = Circle {k}")
        tag = text.split()[1] if " " in text else "call"
        if self.bools and self.chance(20):
            text, tag = self.pick(*self.bools), "bool"
        p, t = self.two(tag, text, text)
        return (f"not ({p})", f"not ({t})") if self.chance(15) else (p, t)

    # --- values -------------------------------------------------------------------------------------------------------------

    def value(self, where):
        form = self.below(8)
        if form < 3:
            p, t = self.asked(where + "/if")
            then, otherwise = self.number(), self.unique()
            return f"(if {p} then {then} else {otherwise})", f"(if {t} then {then} else {otherwise})"
        if form == 3:
            kind, subject, rules = self.rules(1 + self.below(2), guards=0)
            decision = self.w.arms(f"{where}/match-{kind}", [pattern for pattern, _, _ in rules])
            values = [(pattern, q or self.unique()) for pattern, _, q in rules]
            p = " | ".join(f"{pattern} -> {value}" for pattern, value in values)
            t = " | ".join(f"{pattern} -> T.V(T.A({decision + i}), {value})" for i, (pattern, value) in enumerate(values))
            return f"({marked(decision, f'match {subject} with')} {p})", f"(match {subject} with {t})"
        text = self.pick(f"H.Hit({self.number()})", "(x |> Option.map (fun y -> y + 1) |> Option.defaultValue 3)", self.number(),
                         "(defaultArg x 7)", "List.sum v", self.number(),
                         f"(clamp 3 ({self.number()}))")
        return text, text

    def early(self, depth):
        """In one line."""
        number, inner = self.w.number(), self.w.number()
        p, t = self.asked("if-one-line")
        text = self.pick(f"H.U({self.unique()})", f"raise (H.Boom {self.unique()})")
        self.w.statement([number, inner], self.put(f"if {p} then {text}",
                                                   f"if T.S({number}) && ({t}) then\n    T.S({inner}) |> ignore\n    {text}"))

    # --- statements ---------------------------------------------------------------------------------------------------------

    def one(self, depth):
        forms = [self.call, self.let, self.let, self.stored]
        if depth < 3:
            forms += [self.if_, self.if_, self.loop, self.match, self.match, self.let_match, self.try_, self.foreach, self.scope,
                      self.closure, self.pipeline, self.early, self.let_if]
        if self.kind == "seq" and not self.no_yield:
            forms += [self.yield_, self.yield_]
        if self.kind in ("task", "async") and not self.no_await:
            forms += [self.bind, self.bind]
        self.random.choice(forms)(depth)

    def named(self, name):
        """What nobody uses the optimiser leaves out."""
        self.ints.append(name)
        self.same(f"H.U({name})")

    def let(self, depth):
        p, t = self.value("let")
        name = self.new("y")
        self.simple(f"let {name} = {p}", f"let {name} = {t}")
        self.named(name)

    def bind(self, depth):
        name = self.new("y")
        self.same(f"let! {name} = H.Later({self.number()})" + " |> Async.AwaitTask" * (self.kind == "async"))
        self.ints.append(name)

    def yield_(self, depth):
        p, t = self.value("yield")
        self.simple(f"yield {p}", f"yield {t}")

    def both(self, context):
        """Operands of what nothing tests."""
        operator = self.pick(*self.operators)
        left, right = self.within(context + operator, self.condition, 1), self.within(context + operator, self.leaf)
        return f"{left[0]} {operator} {right[0]}", f"{left[1]} {operator} {right[1]}"

    def stored(self, depth):
        name = self.new("c")
        p, t = self.both("stored")
        self.simple(f"let {name} = {p}", f"let {name} = {t}")
        self.plain_call()  # directly behind, Release tests no value
        self.bools.append(name)
        if self.chance(70):
            self.if_(depth)
        self.same(f"H.U({name})")

    def asking(self, keyword, context, then=" then"):
        number = self.w.number()
        p, t = self.asked(context)
        self.w.statement([number], self.put(f"{keyword} {p}{then}", f"{keyword} T.S({number}) && ({t}){then}"))

    def if_(self, depth):
        self.asking("if", "if")
        self.body(depth)
        for _ in range(self.below(5) // 3):
            self.asking("elif", "elif")
            self.body(depth)
        if self.chance(40):
            self.put("else")
            self.body(depth)

    def let_if(self, depth):
        """A value of several lines."""
        name = self.new("y")
        self.put(f"let {name} =")
        self.indent += 1
        self.asking("if", "let-if")
        self.block(lambda: self.last(depth))
        self.put("else")
        self.block(lambda: self.last(depth))
        self.indent -= 1
        self.named(name)

    def last(self, depth):
        """Ends with a value."""
        kept = self.kind
        self.kind = "plain"  # nothing of a workflow in it
        if self.chance(40):
            self.statements(1, depth + 2)
        self.kind = kept
        p, t = self.value("last")
        self.simple(p, t)

    def loop(self, depth):
        number, condition, i, most = self.w.number(), self.w.condition("while/loop"), self.new("i"), 1 + self.below(4)
        if self.kind == "async":
            self.same(f"let {i} = ref 0")
            i += ".Value"
        else:
            self.same(f"let mutable {i} = 0")
        p, t = marked(condition, f"{i} < {most}"), f"T.S({number}) && T.B({condition}, {i} < {most})"
        if self.chance(40) or self.kind in ("task", "async"):  # docs/definitions.md
            more = self.within("while&&", self.leaf)
            p, t = f"{p} && {more[0]}", f"{t} && {more[1]}"
        self.w.statement([number], self.put(f"while {p} do", f"while {t} do"))
        self.block(lambda: (self.same(f"{i} <- {i} + 1"), self.statements(1 + self.below(2), depth + 1), self.plain_call()))

    def foreach(self, depth):
        if self.kind in ("task", "async"):  # docs/definitions.md
            return self.loop(depth)
        number, i, k = self.w.number(), self.new("e"), 1 + self.below(3)
        first, second = self.below(2), self.below(4)
        begin, items, tag, twin = self.pick(
            (f"{i} in ", f"{first} .. {second}", "range", f"H.Steps({first}, {second}, 1)"),
            (f"{i} in ", "v", "list", "v"), (f"{i} in ", f"H.Range({k})", "List", f"H.Range({k})"), (f"{i} in ", "H.Each(b)", "seq", "H.Each(b)"),
            (f"{i} in ", f"[| a .. {k} |]", "array", f"[| a .. {k} |]"), (f"{i} in ", "a .. 2 .. 5", "steps", "H.Steps(a, 5, 2)"),
            (f"{i} = ", f"{first} to {second}", "to", f"H.Steps({first}, {second}, 1)"))
        condition = self.w.condition("for/" + tag, ("body", "end"))
        self.w.statement([number], self.put(f"for {begin}{marked(condition, items)} do", f"for {i} in T.E({number}, {condition}, {twin}) do"))
        kept = len(self.ints)
        self.ints.append(i)
        self.body(depth)
        del self.ints[kept:]

    def scope(self, depth):
        self.same(f"use {self.new('u')} = new H.Res({self.number()})")

    def try_(self, depth):
        catches = self.chance(70) and self.kind != "seq"
        kept = self.no_yield, self.no_await
        self.no_yield = self.no_yield or catches
        self.put("try")
        self.block(lambda: (self.statements(1 + self.below(2), depth + 1), self.same(f"H.U(H.Hit({self.number()}))"),
                            self.statements(self.below(2), depth + 1), self.plain_call()))
        self.no_yield = self.no_await = True
        if catches:
            q, number = self.new("q"), self.w.number()
            decision = self.w.arms("with", [f":? H.Boom as {q}", ":? H.Boom", "_"])
            self.w.statement([number], self.put(f"\1{decision}\2with\3", f"with\n| _ when not (T.S({number})) -> ()"))
            guard = self.w.number()
            self.ints.append(f"{q}.Code")
            p, t = self.asked("with-guard")
            self.w.statement([guard], self.put(f"| :? H.Boom as {q} when {p} ->", f"| :? H.Boom as {q} when T.S({guard}) && ({t}) ->"))
            self.arm(decision, depth)
            del self.ints[-1]
            for i, rule in enumerate([":? H.Boom", "_"]):
                self.put(f"| {rule} ->")
                self.arm(decision + i + 1, depth)
        else:
            self.put("finally")
            kind, self.kind = self.kind, "plain"
            self.body(depth)
            self.kind = kind
        self.no_yield, self.no_await = kept

    def arm(self, number, depth):
        self.w.twin.append("    " * (self.indent + 1) + f"T.A({number}) |> ignore")
        self.body(depth + 1)

    def closure(self, depth):
        name, kept = self.new("f"), (self.kind, self.ints, self.bools)
        self.ints = [*[q for q in self.ints if not q.startswith("i")], "y"]
        self.bools = []
        self.put(f"let {name} (y: int) =")
        self.kind = "plain"
        first = len(self.w.statements)
        self.block(lambda: self.last(depth))
        for statement in self.w.statements[first:]:
            statement["kind"] = "closure"  # docs/definitions.md
        self.kind, self.ints, self.bools = kept
        self.same(f"H.U(H.Apply({name}, b))")

    def pipeline(self, depth):
        name, kept = self.new("y"), self.ints
        self.ints = [*self.ints, "y"]
        self.put(f"let {name} =")
        self.indent += 1
        self.same("v")
        for stage in self.random.sample(["filter", "map", "collect"], 1 + self.below(3)):
            number = self.w.number()
            p, t = self.both("filter") if stage == "filter" else self.value(stage)
            if stage == "collect":
                p, t = f"[ y; {p} ]", f"[ y; {t} ]"
            self.w.statement([number], self.put(f"|> List.{stage} (fun y -> {p})", f"|> List.{stage} (fun y -> T.V(T.S({number}), {t}))"), "stage")
        self.put("|> List.sum")
        self.indent -= 1
        self.ints = kept
        self.named(name)

    # --- match --------------------------------------------------------------------------------------------------------------

    def rules(self, most, guards=35):
        """(pattern, is it guarded, what it binds) in order."""
        kind = self.pick(*MATCHES)
        subject, patterns, all_ = MATCHES[kind]
        chosen = sorted(self.random.sample(range(len(patterns)), min(most + 1, len(patterns))))
        result, q = [], self.new("q")
        for pattern in (patterns[i] for i in chosen):
            name = q if "q" in pattern else None
            text = re.sub(r"\bq\b", q, pattern)
            guarded = self.chance(guards)
            if guarded:
                result.append((text, True, name))
            if not guarded or self.chance(40):
                result.append((text, False, name))
        plain = [re.sub(rf"\b{q}\b", "q", pattern) for pattern, guarded, _ in result if not guarded]
        if not all(pattern in plain for pattern in all_):
            result.append(("_", False, None))
        return kind, subject, result

    def match(self, depth, value=None):
        kind, subject, rules = self.rules(1 + self.below(4))
        tag = kind + "-guard" * any(guarded for _, guarded, _ in rules)
        decision, header = self.w.arms(("let-" if value else "") + "match/" + tag, [pattern for pattern, _, _ in rules]), self.w.number()
        self.w.statement([header], self.put(marked(decision, f"match {subject} with"), f"T.S({header}) |> ignore\nmatch {subject} with"))
        for i, (pattern, guarded, q) in enumerate(rules):
            kept = len(self.ints)
            self.ints += [q] * (q is not None)
            ids, twin = [], pattern
            if pattern.startswith("Times"):  # its argument is a statement
                ids = [self.w.number()]
                twin = re.sub(r"(\d)", rf"(T.V(T.S({ids[0]}), \1))", pattern, count=1)
            p, t = f"| {pattern} ->", f"| {twin} ->"
            if guarded:
                ids.append(self.w.number())
                guard = self.asked("guard-" + kind)
                p, t = f"| {pattern} when {guard[0]} ->", f"| {twin} when T.S({ids[-1]}) && ({guard[1]}) ->"
            if value or self.chance(50):
                ids.append(self.w.number())
                body = self.value("arm") if value else [f"H.U({self.number()} + {self.unique_kept()})"] * 2
                twin = f"T.V(T.A({decision + i}), T.V(T.S({ids[-1]}), {body[1]}))" if value else \
                    f"T.A({decision + i}) |> ignore; T.S({ids[-1]}) |> ignore; {body[1]}"
                self.w.statement(ids, self.put(f"{p} {body[0]}", f"{t} {twin}"))
            else:
                number = self.put(p, f"{t}\n    T.A({decision + i}) |> ignore")
                if ids:
                    self.w.statement(ids, number)
                self.body(depth + 1)
            del self.ints[kept:]

    def let_match(self, depth):
        name = self.new("y")
        self.put(f"let {name} =")
        self.indent += 1
        self.match(depth, True)
        self.indent -= 1
        self.named(name)

    # --- functions ----------------------------------------------------------------------------------------------------------

    def patterns(self):
        """Active patterns, and a function that calls itself."""
        self.w.method = f"P{self.seed}.patterns/plain"
        first = len(self.w.plain)
        self.ints = ["n"]
        for head, test, then, otherwise in (
                ("(|Even|Odd|) (n: int)", "n % 2 = 0", "Even", "Odd"), ("(|Big|_|) (n: int)", "n > 4", "Some n", "None"),
                ("(|Times|_|) (d: int) (n: int)", "n % d = 0", "Some(n / d)", "None")):
            self.put("[<MethodImpl(MethodImplOptions.NoInlining)>]")
            self.put(f"let {head} =")
            number = self.w.number()
            p, t = self.two("pattern", test, test)
            self.indent += 1
            self.w.statement([number], self.put(f"if {p} then {then} else {otherwise}",
                                               f"if T.S({number}) && {t} then {then} else {otherwise}"), "uncalled")
            self.indent -= 1
            self.put("")
        number, (p, t) = self.w.number(), self.two("inline", "n < low", "n < low")
        self.put("let inline clamp (low: int) (n: int) =")
        self.w.statement([number], self.put(f"    if {p} then low else n", f"    if T.S({number}) && {t} then low else n"), "inline")
        self.put("")
        self.ranges.append((self.w.method, first + 1, len(self.w.plain)))

    def method(self, index):
        self.kind = kind = self.pick("plain", "plain", "plain", "seq", "task", "async", "rec")
        if kind == "rec":
            self.kind = "plain"
        self.no_await = self.no_yield = False
        self.ints, self.bools, self.context = ["a", "b"], [], ""
        name = f"m{index}"
        self.w.method = f"P{self.seed}.{name}/{kind}"
        first = len(self.w.plain)
        self.put("[<MethodImpl(MethodImplOptions.NoInlining)>]")
        result = {"seq": "seq<int>", "task": "Task<int>", "async": "Async<int>"}.get(kind, "int")
        self.put(f"let {'rec ' if kind == 'rec' else ''}{name} {PARAMETERS} : {result} =")

        def body():
            if kind == "rec":
                self.asking("if", "rec")
                self.block(lambda: (self.plain_call(), self.same(str(self.unique()))))
                number, (p, t) = self.w.number(), self.two("rec", "a <= 0", "a <= 0")
                self.w.statement([number], self.put(f"elif {p} then {self.unique_kept()}", f"elif T.S({number}) && {t} then {self.kept}"))
                self.put("else")
            self.block(inner) if kind != "plain" else inner()

        def inner():
            self.statements(1 + self.below(3), 0)
            p, t = self.value("result")
            word = {"seq": "yield ", "task": "return ", "async": "return "}.get(kind, "")
            if kind == "rec":
                p, t = (f"{text} + {name} (a - 3) b s o v n x r" for text in (p, t))
            self.simple(word + p, word + t)

        def workflow():
            self.put(f"{kind} {{")
            body()
            self.put("}")
        self.block(workflow if kind in ("seq", "task", "async") else body)
        self.ranges.append((self.w.method, first + 1, len(self.w.plain)))
        self.put("")
        for _ in range(1 + self.below(5)):
            call = name + " " + " ".join([
                str(self.below(9)), str(self.below(9)), self.pick("null", '"k0"', '"k1"', '"abc"'),
                self.pick("null", "(box 5)", '(box "text")', "(box (Node(1, null)))"), self.pick("[]", "[ 1 ]", "[ 1; 3 ]", "[ 2; 4; 7 ]"),
                self.pick("Nothing", "(Circle 3)", "(Circle 1)", "(Square(1, 2))", "(Square(5, 2))"), self.pick("None", "(Some 2)", "(Some 6)"),
                self.pick("{ X = 1; Y = 4 }", "{ X = 3; Y = 3 }", "{ X = 7; Y = 4 }")])
            call = {"seq": f"H.All({call})", "task": f"({call}).GetAwaiter().GetResult()", "async": f"Async.RunSynchronously({call})"}.get(kind, call)
            self.calls.append(f"H.Call(fun () -> {call})")

    def write(self):
        self.indent, self.calls, self.ranges = 0, [], []
        for line in [f"module P{self.seed}", "", "open System.Runtime.CompilerServices", "open System.Threading.Tasks", "",
                     *TYPES.split("\n")]:
            self.put(line)
        self.context = ""
        self.patterns()
        for index in range(2 + self.below(3)):
            self.method(index)
        self.put("let run () =")
        for call in self.calls:
            self.put("    " + call)

    @staticmethod
    def start(seeds, counters):
        lines = [f'    P{seed}.run ()\n    System.Console.WriteLine("P{seed} {{0}}", H.Seen)\n    H.Seen <- 0L' for seed in seeds]
        return "\n".join(["module Run", "", "[<EntryPoint>]", "let main args =", *lines] +
                         [f"    T.Write(args[0], {counters})"] * (counters > 0) + ["    0"])


main(FSharp)
