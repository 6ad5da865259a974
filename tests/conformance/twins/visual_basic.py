"""visual_basic.py FIRST COUNT FOLDER: as generate.py, in Visual Basic. Every line that may count is told (`complete`)."""
import re

from generate import Program, main, marked

PARAMETERS = "a As Integer, b As Integer, s As String, o As Object, v As Integer(), n As Node, x As Integer?, l As Object"


class Basic(Program):
    extension, operators, no, complete = "vb", ("AndAlso", "OrElse"), "Not ", True

    # --- small things -------------------------------------------------------------------------------------------------------

    def block(self, body, *end):
        self.indent += 1
        kept = len(self.bools)
        body()
        del self.bools[kept:]
        self.indent -= 1
        for text in end:
            self.put(text)

    def simple(self, plain, twin, kind=""):
        number = self.w.number()
        plain, twin = (text.removesuffix(";") for text in (plain, twin))
        self.w.statement([number], self.put(plain, f"T.S({number}) : {twin}"), kind)

    def same(self, text, kind=""):
        self.simple(text, text, kind)

    def body(self, depth, *end, loop=None):
        kept, self.in_loop = self.in_loop, self.in_loop if loop is None else loop
        self.block(lambda: self.statements(1 + self.below(2), depth + 1), *end)
        self.in_loop = kept

    # --- conditions ---------------------------------------------------------------------------------------------------------

    def comparison(self):
        k, awaits = self.below(8), self.awaits and not self.no_await
        late = ("l", f"l = {k > 3}") if not awaits else ("a = b", "s IsNot Nothing")
        text = self.pick(f"a > {k}", f"a <= {k}", f"b = {k}", f"b <> {k}", "a < b", f"H.Odd({self.pick('a', 'b')})",
                         f"H.Len(s) > {k % 3}", "s Is Nothing", "n IsNot Nothing", "TypeOf o Is Integer", 's = "k1"', *late,
                         "TypeOf o IsNot String", 's Like "k*"', "x Is Nothing", "x.HasValue", "s?.Length = 2",
                         f"(CBool(l) Xor a > {k})", f"If(s, \"a\") = \"k{k % 2}\"")
        tag = text.split()[1] if " " in text else "late" if text == "l" else "call"
        if text.startswith("s?"):
            number = self.w.condition(self.context + "/?.", ("value", "null"))
            return (f"H.Len({marked(number, 's')}?.Trim()) > 2", f"H.Len(T.N({number}, s)?.Trim()) > 2"), "?."
        if text.startswith("If("):
            number = self.w.condition(self.context + "/If2", ("value", "null"))
            return (f"If({marked(number, 's')}, H.Word(a)) = \"k1\"", f"If(T.N({number}, s), H.Word(a)) = \"k1\""), "If2"
        if awaits and self.chance(25):
            text, tag = f"Await H.Later(a) > {k % 4}", "await"
        elif self.bools and self.chance(25):
            text, tag = self.pick(*self.bools), "bool"
        return (text, text), tag

    def leaf(self):
        (plain, twin), tag = self.comparison()
        number = self.w.condition(self.context + "/" + tag)
        twin = f"T.B({number}, CBool({twin}))" if tag in ("late", "=") else f"T.B({number}, {twin})"
        no = self.no if self.chance(20) else ""
        return no + marked(number, plain), no + twin

    def nullable(self):
        """An operand of `Boolean?` is evaluated further, or not; the last one is true, or not."""
        k = self.below(5)
        first, second = f"x {self.pick('>', '<=', '=', '<>')} {k}", f"x {self.pick('<', '>=')} {k + 2}"
        if self.chance(30):
            return self.two(self.context + "nullable", first, f"If({first}, False)")
        operator = self.pick(*self.operators)
        p1, t1 = self.two("nullable" + operator, first, f"If({first}, {operator == 'AndAlso'})")
        p2, t2 = self.two("nullable" + operator, *((second, f"If({second}, False)") if self.chance(60) else ["s Is Nothing"] * 2))
        return f"{p1} {operator} {p2}", f"({t1} {operator} {t2})" + (f" AndAlso If({first}, False)" if operator == "AndAlso" else "")

    def asked(self, context):
        """Not all kinds of operands at once (docs/definitions.md)."""
        if self.chance(12):
            return self.within(context, self.nullable)
        kept, self.no_await = self.no_await, self.no_await or self.chance(60)
        result = super().asked(context)
        self.no_await = kept
        return result

    def value(self, where):
        form = self.below(9)
        if form < 3:
            p, t = self.asked(where + "/If3")
            then, otherwise = self.number(), self.unique()
            return f"If({p}, {then}, {otherwise})", f"If({t}, {then}, {otherwise})"
        if form in (3, 6):
            name, other, get = ("x", f"H.N({self.below(9)})", "") if form == 3 else ("s", '"none"', "H.Len")
            number = self.w.condition(where + "/If2", ("value", "null"))
            return f"{get}(If({marked(number, name)}, {other}))".strip(), f"{get}(If(T.N({number}, {name}), {other}))"
        if form == 4:
            number = self.w.condition(where + "/?.", ("value", "null"))
            return f"H.N(If({marked(number, 'n')}?.V, {self.unique_kept()}))", f"H.N(If(T.N({number}, n)?.V, {self.kept}))"
        if form == 5:
            first, second = (self.w.condition(where + "/?.?.", ("value", "null")) for _ in "12")
            return (f"H.Len(\1{first}\2n\3?.\1{second}\2Next\3?.S)",
                    f"H.Len(If(T.N({first}, n) Is Nothing, Nothing, T.N({second}, n.Next)?.S))")
        if self.awaits and not self.no_await and form == 7:
            p, t = self.asked(where + "/If3await")
            return f"If({p}, Await H.Later(a), {self.unique_kept()})", f"If({t}, Await H.Later(a), {self.kept})"
        text = f"H.Hit({self.number()})" if self.chance(25) else self.number()
        return text, text

    # --- statements ---------------------------------------------------------------------------------------------------------

    def one(self, depth):
        forms = [self.call, self.assign, self.assign, self.stored]
        if depth < 3:
            forms += [self.if_, self.if_, self.loop, self.select, self.select, self.cases, self.cases, self.early]
            if self.kind != "resume":
                forms += [self.try_, self.foreach, self.scope, self.lambda_]
        if self.kind == "iterator" and not self.no_yield and not self.in_lambda:
            forms += [self.yield_, self.yield_]
        self.random.choice(forms)(depth)

    def yield_(self, depth):
        p, t = self.value("yield")
        self.simple(f"Yield {p}", f"Yield {t}")

    def stored(self, depth):
        name = self.new("c")
        kept, self.no_await = self.no_await, True  # where one operand is awaited, the last one has no branches
        if self.chance(30):
            p = t = self.pick(f"a > {self.below(6)}", "s Is Nothing", "TypeOf o Is Integer", "Not H.Odd(b)", "x.HasValue", "b = 3")
        else:
            operator = self.pick(*self.operators)
            left = self.within("stored" + operator, self.condition, 1)
            right = self.within("stored" + operator, self.not_bool_leaf)
            p, t = f"{left[0]} {operator} {right[0]}", f"{left[1]} {operator} {right[1]}"
            if self.chance(25):
                p, t = f"Not ({p})", f"Not ({t})"
        self.no_await = kept
        self.simple(f"Dim {name} As Boolean = {p}", f"Dim {name} As Boolean = {t}")
        self.bools.append(name)
        if self.chance(40):
            self.plain_call()
        if self.chance(70):
            self.if_(depth)
        self.same(f"H.U({name})")

    def asking(self, keyword, context, depth=0, then=" Then"):
        number = self.w.number()
        p, t = self.asked(context)
        at = p.find(" AndAlso ") + 8 if "(" not in p and self.chance(25) else 7
        twin = f"{keyword} T.S({number}) AndAlso ({t}){then}"
        if at == 7:
            self.w.statement([number], self.put(f"{keyword} {p}{then}", twin))
            return
        first = self.put(f"{keyword} {p[:at]}", twin)
        self.w.statement([number], first)
        self.w.statement([number], self.w.line("    " * (self.indent + 2) + p[at + 1:] + then, "", first))

    def if_(self, depth):
        self.asking("If", "if")
        self.body(depth)
        for _ in range(self.below(5) // 3):
            self.asking("ElseIf", "elseif")
            self.body(depth)
        if self.chance(40):
            self.put("Else")
            self.body(depth)
        self.put("End If")

    def leaving(self):
        if self.in_loop and self.chance(60):
            return self.pick("Exit ", "Continue ") + self.in_loop, "jump"
        if self.no_return or self.chance(20):
            return f"Throw New H.Boom({self.unique()})", ""
        return ("Return", "jump") if self.kind == "iterator" and not self.in_lambda else (f"Return {self.unique()}", "")

    def early(self, depth):
        """An early end."""
        text, kind = self.leaving()
        form = self.below(3)
        if form == 0:
            self.asking("If", "if-leave")
            self.block(lambda: self.same(text, kind), "End If")
        else:
            header, then, other = (self.w.number() for _ in "123")
            p, t = self.asked("if-one-line")
            more = (f" Else H.U({self.unique_kept()})", f" Else T.S({other}) : H.U({self.kept})") if form == 1 else ("", "")
            self.w.statement([header, then, other], self.put(
                f"If {p} Then {text}{more[0]}", f"If T.S({header}) AndAlso ({t}) Then T.S({then}) : {text}{more[1]}"))
        self.plain_call()

    def loop(self, depth):
        i, most, form = self.new("i"), 1 + self.below(4), self.below(5)
        number = self.w.number()
        if form < 2:
            condition = self.w.condition("for/loop", ("body", "end"))
            step = self.pick("", " Step 2", " Step 3")
            p = f"For {i} As Integer = \1{condition}\2{self.below(3)} To {most}\3{step}"
            bounds = p[p.index("\2") + 1:p.index("\3")].replace(" To", ",")
            t = f"For Each {i} As Integer In T.E({self.w.number()}, {condition}, H.Steps({bounds}, {step[6:] or 1}))"
            if self.kind == "resume":  # cannot resume in the middle of a For Each
                t = f"{re.sub(chr(1) + '.*' + chr(2) + '|' + chr(3), '', p)} : T.B({condition}, False)"
            self.w.statement([number], self.put(p, f"T.S({number}) : {t}"))
            self.body(depth, loop="" if self.kind == "resume" else "For")
            self.put("Next", f"Next : T.B({condition}, True)" if self.kind == "resume" else None)
            return
        self.same(f"Dim {i} As Integer = 0")
        begin, end, no, loop = (("While ", "", "", "While"), ("Do While ", "", "", "Do"), ("Do Until ", "", "Not ", "Do"),
                                ("Do", "Loop While ", "", "Do"), ("Do", "Loop Until ", "Not ", "Do"))[self.below(5)]
        condition = self.w.condition(f"{begin}{end}loop")
        if no:
            p, t = marked(condition, f"{i} > {most}"), f"T.S({number}) AndAlso Not T.B({condition}, {i} > {most})"
        else:
            p, t = marked(condition, f"{i} <= {most}"), f"T.S({number}) AndAlso T.B({condition}, {i} <= {most})"
            if self.chance(40):
                more = self.within("loop&&", self.not_bool_leaf)
                p, t = f"{p} AndAlso {more[0]}", f"{t} AndAlso {more[1]}"
        twin = (begin or end).strip().replace("Until", "While")
        if end:
            self.put("Do")
        else:
            self.w.statement([number], self.put(begin + p, f"{twin} {t}"))
        self.block(lambda: (self.same(f"{i} += 1"), self.body(depth, loop=loop)), *([] if end else ["End While" if loop == "While" else "Loop"]))
        if end:
            self.w.statement([number], self.put(end + p, f"{end.strip().replace('Until', 'While')} {t}"))

    def foreach(self, depth):
        number, dummy = self.w.number(), self.w.number()
        items, tag = self.pick((f"H.Range({1 + self.below(3)})", "list"), ('"ab"', "text"), (f"New Integer({self.below(3)}) {{}}", "array"),
                               ("H.Each(b)", "iterator"), ("{a, b}", "literal"))
        condition = self.w.condition("for each/" + tag, ("body", "end"))
        i = self.new("e")
        self.w.statement([number], self.put(f"For Each {i} In \1{condition}\2{items}\3",
                                            f"T.S({number}) : For Each {i} In T.E({dummy}, {condition}, {items})"))
        self.body(depth, "Next", loop="For")

    def scope(self, depth):
        form = self.below(3)
        kept = self.no_await, self.no_yield
        if form == 0:
            self.no_await = self.no_yield = True
            self.same("SyncLock H.Gate")
        elif form == 1:
            self.same(f"Using {self.new('u')} As New H.Res(a)")
        else:
            self.same("With New Node(a, Nothing)")
        self.body(depth, "End " + ("SyncLock", "Using", "With")[form])
        self.no_await, self.no_yield = kept

    def try_(self, depth):
        catches = self.chance(70)
        kept = self.no_yield, self.no_await, self.no_return, self.in_loop
        self.no_yield = self.no_yield or catches
        self.put("Try")
        self.block(lambda: (self.statements(1 + self.below(2), depth + 1), self.same(f"a = H.Hit({self.number()})"),
                            self.statements(self.below(2), depth + 1)))
        self.no_await = True
        if catches:
            name = self.new("boom")
            if self.chance(60):
                number = self.w.number()
                p, t = self.asked("catch-when")
                self.w.statement([number], self.put(f"Catch {name} As H.Boom When {p}",
                                                    f"Catch {name} As H.Boom When T.S({number}) AndAlso ({t})"), "catch")
            else:
                self.put(f"Catch {name} As H.Boom")
            self.body(depth)
        if not catches or self.chance(40):
            self.put("Finally")
            self.no_yield = self.no_return = True
            self.in_loop = None
            self.body(depth)
        self.no_yield, self.no_await, self.no_return, self.in_loop = kept
        self.put("End Try")

    def lambda_(self, depth):
        name, y = self.new("f"), self.new("y")
        kept = self.kind, self.awaits, self.bools, self.in_loop, self.no_return, self.in_lambda
        self.bools, self.in_loop, self.awaits, self.in_lambda = [], None, False, True
        if self.chance(50):
            outer, inner = self.w.number(), self.w.number()
            p, t = self.value("lambda")
            self.w.statement([outer, inner], self.put(f"Dim {name} = Function({y} As Integer) {p}",
                                                      f"T.S({outer}) : Dim {name} = Function({y} As Integer) T.V(T.S({inner}), {t})"))
        else:
            number = self.w.number()
            self.no_return = False
            self.w.statement([number], self.put(f"Dim {name} = Function({y} As Integer) As Integer", f"T.S({number}) : Dim {name} = "
                                                f"Function({y} As Integer) As Integer"))
            self.block(lambda: (self.statements(1 + self.below(2), depth + 1), self.same(f"Return {y} + a")))
            self.w.statement([number], self.put("End Function"))
        self.kind, self.awaits, self.bools, self.in_loop, self.no_return, self.in_lambda = kept
        self.same(f"H.U({name}(1))")

    # --- Select Case --------------------------------------------------------------------------------------------------------

    def select(self, depth):
        """Of constants: one decision."""
        text = self.chance(40)
        count, step = 2 + self.below(6), self.pick(1, 1, 30)
        values = [f'"k{i}"' if text else str(step * i) for i in range(count)]
        arms = []
        while values:
            arms.append([values.pop(0) for _ in range(min(len(values), self.pick(1, 1, 2)))])
        if len(arms) == 1 and self.chance(80):
            arms.append(['"abc"' if text else "99"])
        otherwise = self.chance(55)
        number, decision = self.w.number(), self.w.arms(
            f"select-{'text' if text else 'int'}-{len(arms)}{'' if otherwise else '-noelse'}", [f"Case {', '.join(arm)}" for arm in arms] + ["Case Else"])
        subject = "s" if text else self.pick("a", "b", "H.N(b)", "a + b")
        self.w.statement([number], self.put(f"\1{decision}\2Select Case {subject}\3", f"T.S({number}) : Select Case {subject}"), "switch")
        self.indent += 1
        for i, arm in enumerate(arms + [None] * otherwise):
            label = f"Case {', '.join(arm)}" if arm else "Case Else"
            self.put(label, f"{label} : T.A({decision + i})")
            self.arm_of(depth)
        self.indent -= 1
        self.put("End Select", "End Select" if otherwise else f"Case Else : T.A({decision + len(arms)})\nEnd Select")
        self.plain_call()

    def arm_of(self, depth):
        if self.below(2):
            self.indent += 1
            self.plain_call()
            self.indent -= 1
        else:
            self.body(depth + 1)

    def cases(self, depth):
        """With tests: each is a condition of its own."""
        subject, tag = self.pick(("a", "int"), ("a + b", "int"), ("x", "nullable"), ("CObj(b)", "late"), ("CDbl(a)", "double"))
        q, number = self.new("q"), self.w.number()
        otherwise = self.chance(60)
        self.w.statement([number], self.put(f"Select Case {subject}", f"T.S({number}) : Dim {q} = {subject} : Select Case True"), "switch")
        self.indent += 1
        k = 0
        for i in range(2 + self.below(3)):
            number, plain, twin = self.w.number(), [], []
            for j in range(self.pick(1, 1, 2, 3)):
                k += 1
                form = 1 if i + j == 0 else self.below(4)
                if form == 0:
                    first, second = (self.w.condition(f"case-{tag}/To") for _ in "12")
                    plain.append(f"{marked(first, k)} To {marked(second, k + 1)}")
                    twin.append(f"(T.B({first}, CBool(If({q} >= {k}, True))) AndAlso T.B({second}, CBool(If({q} <= {k + 1}, False))))")
                    continue
                pattern, test = ((f"Is < {k}", f"< {k}"), (f"Is >= {k + 3}", f">= {k + 3}"), (str(k), f"= {k}"))[form - 1]
                condition = self.w.condition(f"case-{tag}/{'Is' if form < 3 else 'constant'}")
                plain.append(marked(condition, pattern))
                twin.append(f"T.B({condition}, CBool(If({q} {test}, False)))")
            if tag != "nullable":
                twin = [re.sub(r"If\((.*?), (True|False)\)", r"\1", t) for t in twin]
            self.w.statement([number], self.put(f"Case {', '.join(plain)}", f"Case T.S({number}) AndAlso ({' OrElse '.join(twin)})"))
            self.arm_of(depth)
        if otherwise:
            self.put("Case Else")
            self.arm_of(depth)
        self.indent -= 1
        self.put("End Select")
        self.plain_call()

    # --- methods ------------------------------------------------------------------------------------------------------------

    def method(self, index):
        self.kind = self.pick("plain", "plain", "plain", "async", "async", "iterator", "resume", "goto", "structure", "property")
        kind, self.kind = self.kind, "resume" if self.kind == "goto" else self.kind
        self.awaits, self.in_loop, self.no_await, self.no_yield = kind == "async", None, False, False
        self.no_return, self.in_lambda, self.bools, self.context = kind == "structure", False, [], ""
        name, head = f"M{index}", f"Function M{index}({PARAMETERS}) As "
        begin, end, call = {
            "async": (f"Async {head}Task(Of Integer)", "End Function", ".GetAwaiter().GetResult()"),
            "iterator": (f"Iterator {head}IEnumerable(Of Integer)", "End Function", ""),
            "structure": (f"Public Sub New({PARAMETERS})", "End Sub", ".Size"),
            "property": (f"ReadOnly Property {head[9:]}Integer", "End Property", "")}.get(kind, (head + "Integer", "End Function", ""))
        self.w.method = f"P{self.seed}.{name}/{kind}"
        first = len(self.w.plain)
        if kind == "structure":
            self.put(f"Structure {name}")
            self.put("Public ReadOnly Size As Integer")
        self.put(begin)
        if kind == "property":
            self.put("Get")

        def body():
            if kind in ("resume", "goto"):
                self.same("On Error " + ("Resume Next" if kind == "resume" else "GoTo Failed"))
            if kind == "async":
                self.same("Await H.Later(1)")
            self.statements(1 + self.below(3), 0)
            if kind == "structure":
                self.same("Size = a")
            elif kind == "iterator":
                self.same("Yield a")
            else:
                p, t = self.value("return")
                self.simple(f"Return {p}", f"Return {t}")
            if kind == "goto":
                self.put("Failed:")
                self.plain_call()
                self.same(f"Return {self.unique()}")
        self.block(body)
        if kind == "property":
            self.put("End Get")
        self.put(end)
        if kind == "structure":
            self.put("End Structure")
        self.ranges.append((self.w.method, first + 1, len(self.w.plain)))
        self.put("")
        for _ in range(1 + self.below(5)):
            arguments = ", ".join([
                str(self.below(9)), str(self.below(9)), self.pick("Nothing", '"k0"', '"k1"', '"abc"'),
                self.pick("Nothing", "5", "1", '"text"', "New Node(1, Nothing)", "3L"),
                self.pick("Nothing", "{1, 3}", "{1, 2, 3}", "{2}"),
                self.pick("Nothing", "New Node(3, Nothing)", "New Node(4, New Node(7, Nothing))"),
                self.pick("Nothing", "2", "6"), self.pick("True", "False")])
            made = f"{'New ' if kind == 'structure' else ''}{name}({arguments}){call}"
            self.calls.append(f"H.Call(Function() {'H.All(' + made + ')' if kind == 'iterator' else made})")

    def write(self):
        self.indent, self.calls, self.ranges = 0, [], []
        self.put(f"Module P{self.seed}")
        self.indent = 1
        for index in range(2 + self.below(3)):
            self.method(index)
        self.put("Sub Run()")
        self.indent = 2
        for call in self.calls:
            self.put(call)
        self.indent = 1
        self.put("End Sub")
        self.indent = 0
        self.put("End Module")

    @staticmethod
    def start(seeds, counters):
        lines = [f'P{seed}.Run() : Console.WriteLine($"P{seed} {{H.Seen}}") : H.Seen = 0' for seed in seeds]
        return "\n".join(["Module Program", "Sub Main(args As String())", *lines] + [f"T.Write(args(0), {counters})"] * (counters > 0) +
                         ["End Sub", "End Module"])


main(Basic)
