"""generate.py FIRST COUNT FOLDER: random C# programs and, beside each, its twin: the same program with calls of T (Twin.cs)
that count each statement, outcome and arm. The plain ones (FOLDER/plain) have no such calls, so that the compiler sees what a
user writes. FOLDER/expected.json says what stands where; the counts come from running the twins. Program n is made of seed n
alone."""
import json
import os
import random
import sys

NOT_NESTED = 2  # from here on, no more of them
PARAMETERS = "int a, int b, string? s, object? o, int[]? v, Node? n, int? x"


class Writer:
    """Both texts. In plain text, \\1ID\\2...\\3 marks where the condition ID stands."""

    def __init__(self, counter):
        self.counter = counter
        self.plain, self.twin = [], []
        self.statements, self.conditions, self.by_id = [], [], {}
        self.method = None

    def number(self, count=1):
        self.counter[0] += count
        return self.counter[0] - count

    def line(self, plain, twin=None, first=None):
        """A line of both; `first` is the line where the statement begins, if that is another."""
        number = len(self.plain) + 1
        out, stack = [], []
        column, i = 1, 0
        while i < len(plain):
            c = plain[i]
            if c == "\1":
                end = plain.index("\2", i)
                stack.append((self.by_id[int(plain[i + 1:end])], column))
                i = end
            elif c == "\3":
                condition, begun = stack.pop()
                condition.update(line=number, first=first or number, span=[begun, column], method=self.method)
                condition["text"] = "".join(out)[begun - 1:column - 1]
                self.conditions.append(condition)
            else:
                out.append(c)
                column += 1
            i += 1
        self.plain.append("".join(out))
        self.twin.append(self.plain[-1] if twin is None else twin)
        return number

    def statement(self, ids, line, kind="", of=None):
        """Line `line` has the hits of the most frequent of these."""
        self.statements.append(dict(line=line, ids=ids, kind=kind, method=of or self.method))

    def condition(self, tag, labels=("false", "true"), **more):
        number = self.number(2)
        self.by_id[number] = dict(id=number, tag=tag, labels=list(labels), **more)
        return number

    def arms(self, tag, labels):
        number = self.number(len(labels))
        self.by_id[number] = dict(id=number, tag=tag, labels=None, arms=labels, captures=False, bare=False)
        return number


def marked(number, text):
    return f"\1{number}\2{text}\3"


class Program:
    extension, operators, no, complete = "cs", ("&&", "||"), "!", False
    inner = NOT_NESTED  # how many inline switch expressions there are around

    def __init__(self, seed, counter):
        self.seed, self.random = seed, random.Random(seed)
        self.w = Writer(counter)
        self.names = 0

    # --- small things -------------------------------------------------------------------------------------------------------

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, *items):
        return self.random.choice(items)

    def below(self, n):
        return self.random.randrange(n)

    def new(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def put(self, plain, twin=None):
        return self.w.line("    " * self.indent + plain, None if twin is None else "    " * self.indent + twin)

    def block(self, body):
        self.put("{")
        self.indent += 1
        kept = len(self.bools)
        body()
        del self.bools[kept:]
        self.indent -= 1
        self.put("}")

    def simple(self, plain, twin, kind=""):
        """One statement on a line."""
        number = self.w.number()
        self.w.statement([number], self.put(plain, f"T.S({number}); {twin}"), kind)

    def plain_call(self):
        number, unique = self.number(), self.unique()  # the optimiser makes one of equal ends
        text = f"H.U({number} + {unique});"
        if unique % 3 == 0 and self.extension == "cs":
            text = f'H.U(o + "{unique}");'  # nobody asks whether o is null
        self.simple(text, text)

    def number(self):
        return self.pick("a", "b", f"a + {self.below(5)}", f"H.N({self.below(9)})", "b - a", f"H.N(b)")

    def unique(self):
        self.names += 1
        return 100 + self.names

    # --- conditions: pairs of texts -----------------------------------------------------------------------------------------

    def two(self, tag, plain, twin, labels=("false", "true")):
        number = self.w.condition(self.context + "/" + tag, labels)
        return marked(number, plain), f"T.B({number}, {twin})"

    def comparison(self):
        k = self.below(8)
        text = self.pick(f"a > {k}", f"a <= {k}", f"b == {k}", f"b != {k}", "a < b", f"H.Odd({self.pick('a', 'b')})",
                         f"H.Len(s) > {k % 3}", "s == null", "n != null", "o is int", "o is string", "s is null",
                         "v is not null", 's == "k1"', "x > 3", "x == null", "!H.Odd(a)", "x.HasValue")
        tag = "lifted" if text == "x > 3" else text.split()[1] if " " in text else "call"
        if self.awaits and not self.no_await and self.chance(8):
            text, tag = f"await H.Later(a) > {k % 4}", "await"
        if self.bools and self.chance(25):
            text, tag = self.pick(*self.bools), "bool"
            if self.chance(30):
                text, tag = self.pick((f"!{text}", "!bool"), (f"{text} == false", "bool==false"))
        return text, tag

    def leaf(self):
        if self.inner < 2 and self.chance(5):
            k, (p, t) = self.below(9), self.inline_switch("operand")
            return self.two("switch", f"{p} > {k}", f"{t} > {k}")
        if self.chance(60):
            text, tag = self.comparison()
            if text.startswith("!"):
                plain, twin = self.two("!" + tag, text[1:], text[1:])
                return "!" + plain, "!" + twin
            if text.endswith(" == false"):
                plain, twin = self.two(tag, text[:-9], text[:-9])
                return plain + " == false", f"!{twin}"
            return self.two(tag, text, text)
        return self.pattern()

    def pattern(self):
        k = self.below(6)
        form = self.below(11)
        variable = self.pick("a", "b")
        if form == 0:
            p1, t1 = self.two("and-pattern", f"{variable} is > {k}", f"{variable} > {k}")
            p2, t2 = self.two("and-pattern", f"< {k + 4}", f"{variable} < {k + 4}")
            return f"{p1} and {p2}", f"({t1} && {t2})"
        if form == 1:
            p1, t1 = self.two("or-pattern", f"{variable} is < {k}", f"{variable} < {k}")
            p2, t2 = self.two("or-pattern", f"> {k + 4}", f"{variable} > {k + 4}")
            return f"{p1} or {p2}", f"({t1} || {t2})"
        if form == 2:
            return self.constants(variable)
        if form == 3:
            text = self.pick('"k0" or "k1"', 'null or "k2"', 'not "k0" and not "k1"')
            if text[0] == "n" and text[1] == "o":
                p1, t1 = self.two("not-and-text", 's is not "k0"', 's != "k0"')
                p2, t2 = self.two("not-and-text", 'not "k1"', 's != "k1"')
                return f"{p1} and {p2}", f"({t1} && {t2})"
            first, second = text.split(" or ")
            p1, t1 = self.two("or-text", f"s is {first}", f"s == {first}")
            p2, t2 = self.two("or-text", second, f"s == {second}")
            return f"{p1} or {p2}", f"({t1} || {t2})"
        if form == 4:
            p1, t1 = self.two("list:null", "v is", "v is not null")
            first, last = self.pick("> 2", "1", "_"), self.pick("< 5", "3", "not 2")
            slices = self.chance(60)
            p2, t2 = self.two("list:length", "[", f"v.Length {'>=' if slices else '=='} 2")
            parts, tests = [], [t1, t2]
            for text, at in ((first, "v[0]"), (last, "v[^1]")):
                if text == "_":
                    parts.append("_")
                    continue
                p, t = self.two("list:element", text, self.tested(at, text))
                parts.append(p)
                tests.append(t)
            if slices:
                parts.insert(1, "..")
            return f"{p1} {p2}{', '.join(parts)}]", f"({' && '.join(tests)})"
        if form == 5:
            p1, t1 = self.two("tuple-pattern", f"> {k}", f"a > {k}")
            p2, t2 = self.two("tuple-pattern", f"< {k + 2}", f"b < {k + 2}")
            return f"(a, b) is ({p1}, {p2})", f"({t1} && {t2})"
        if form == 6:
            p1, t1 = self.two("property:null", "n is", "n is not null", ("null", "value"))
            p2, t2 = self.two("property:value", f"V: > {k}", f"n.V > {k}")
            p3, t3 = self.two("property:value", "Next: null", "n.Next is null")
            return f"{p1} {{ {p2}, {p3} }}", f"({t1} && {t2} && {t3})"
        if form == 7:
            p1, t1 = self.two("positional:null", "n is", "n is not null")
            p2, t2 = self.two("positional:value", f"> {k}", f"n.V > {k}")
            p3, t3 = self.two("positional:value", "< 4", "(n.Next?.V ?? -1) < 4")
            return f"{p1} ({p2}, {p3})", f"({t1} && {t2} && {t3})"
        if form == 8:
            p1, t1 = self.two("type-and", "o is int", "o is int")
            p2, t2 = self.two("type-and", f"> {k}", f"(int)o > {k}")
            return f"{p1} and {p2}", f"({t1} && {t2})"
        if form == 9:
            p1, t1 = self.two("type-variable", f"o is int {(i := self.new('i'))}", "o is int")
            p2, t2 = self.two("type-variable", f"{i} > {k}", f"(int)o > {k}")
            return f"({p1} && {p2})", f"({t1} && {t2})"
        return self.constants(variable, True)

    def tested(self, what, pattern):
        return f"{what} != {pattern[4:]}" if pattern.startswith("not ") else f"{what} {pattern}" if pattern[0] in "<>" \
            else f"{what} == {pattern}"

    def constants(self, variable, negated=False):
        """Asked from the lowest; those of a table, which are close to each other, may be one operand."""
        step = self.pick(1, 2, 40)
        values = [step * i + self.below(2) for i in range(self.pick(2, 3, 3, 4, 6))]
        values = sorted({0, *values}) if len(set(values)) < 2 else sorted(set(values))
        labels = ("true", "false") if negated else ("false", "true")
        numbers = {value: self.w.condition(self.context + "/constants", labels) for value in values}
        total = self.w.condition(f"{self.context}/constants-{'dense' if step < 3 else 'sparse'}", labels,
                                 parts=list(numbers.values()), values=values)
        tests = [f"T.B({number}, {variable} == {value})" for value, number in numbers.items()]
        if self.chance(40):
            self.random.shuffle(values := values[:])
        first, *others = (marked(numbers[value], str(value)) for value in values)
        text = " or ".join([first.replace("\2", f"\2{variable} is {'not (' if negated else ''}"), *others])
        test = f"T.B({total}, {' || '.join(tests)})"
        return marked(total, text + ")" * negated), "!" * negated + test

    def condition(self, depth=0):
        if depth < 2 and self.chance(45 - 15 * depth):
            operator = self.pick(*self.operators)
            context = self.context
            self.context = context if context.endswith(operator) else context + operator
            left = self.condition(depth + 1)
            kept, self.bools = self.bools, []  # `x && c` of a variable c is one decision
            right = self.condition(depth + 1)
            self.bools = kept
            self.context = context
            text = f"({left[0]} {operator} {right[0]})", f"({left[1]} {operator} {right[1]})"
            if self.chance(12):
                return self.no + text[0], self.no + text[1]
            return text
        return self.leaf()

    @staticmethod
    def bare(pair):
        """Without the outermost parentheses."""
        return tuple(t[1:-1] if t.startswith("(") and t.endswith(")") and Program.encloses(t) else t for t in pair)

    @staticmethod
    def encloses(text):
        depth = 0
        for i, c in enumerate(text):
            depth += (c == "(") - (c == ")")
            if depth == 0:
                return i == len(text) - 1
        return False

    def within(self, context, make, *arguments):
        kept, self.context = self.context, context
        result = make(*arguments)
        self.context = kept
        return result

    def asked(self, context):
        return self.bare(self.within(context, self.condition))

    # --- values -------------------------------------------------------------------------------------------------------------

    def value(self, where):
        """An int, mostly with conditions in it."""
        form = self.below(9)
        if self.inner < 2 and self.chance(12):
            return self.inline_switch(where)
        if form < 3:
            p, t = self.within(where + "?:", self.condition)
            then, otherwise = self.number(), self.unique()
            return f"{p} ? {then} : {otherwise}", f"{t} ? {then} : {otherwise}"
        if form == 3:
            return self.coalesce(self.w.condition(where + "/??", ("value", "null")))
        if form == 4:
            number = self.w.condition(where + "/?.", ("value", "null"))
            return f"H.N({marked(number, 'n')}?.V ?? {self.unique_kept()})", f"H.N(T.N({number}, n)?.V ?? {self.kept})"
        if form == 5:
            first = self.w.condition(where + "/?.?.", ("value", "null"))
            second = self.w.condition(where + "/?.?.", ("value", "null"))
            return (f"H.Len(\1{first}\2n\3?.\1{second}\2Next\3?.S)",
                    f"H.Len(T.N({first}, n) is Node n0 ? T.N({second}, n0.Next)?.S : null)".replace(
                        "n0", self.new("z")))
        if form == 6:
            number = self.w.condition(where + "/??text", ("value", "null"))
            return f"H.Len({marked(number, 's')} ?? \"none\")", f"H.Len(T.N({number}, s) ?? \"none\")"
        if self.awaits and not self.no_await and form == 7:
            p, t = self.within(where + "?:await", self.condition)
            return f"{p} ? await H.Later(a) : {self.unique_kept()}", f"{t} ? await H.Later(a) : {self.kept}"
        text = f"H.Hit({self.number()})" if self.chance(25) else self.number()
        if where == "arm":  # the optimiser makes one of arms that are equal
            text = f"{text} + {self.unique()}"
        return text, text

    def coalesce(self, number):
        other = f"H.N({self.below(9)})"
        return f"{marked(number, 'x')} ?? {other}", f"T.N({number}, x) ?? {other}"

    def unique_kept(self):
        self.kept = self.unique()
        return self.kept

    # --- statements ---------------------------------------------------------------------------------------------------------

    def statements(self, count, depth):
        for _ in range(count):
            self.one(depth)

    def one(self, depth):
        forms = [self.call, self.assign, self.stored, self.conditional, self.assign]
        if depth < 3:
            forms += [self.if_, self.if_, self.loop, self.switch, self.switch, self.switch_expression, self.switch_expression,
                      self.try_, self.foreach, self.scope, self.lambda_, self.early]
            if self.kind == "plain":
                forms += [self.fixed]
        if self.kind in ("iterator", "stream") and not self.no_yield:
            forms += [self.yield_, self.yield_]
        self.random.choice(forms)(depth)

    def call(self, depth):
        p, t = self.value("argument")
        self.simple(f"H.U({p});", f"H.U({t});")

    def assign(self, depth):
        p, t = self.value("assign")
        target = self.pick("a", "b")
        self.simple(f"{target} = {p};", f"{target} = {t};")

    def yield_(self, depth):
        p, t = self.value("yield")
        self.simple(f"yield return {p};", f"yield return {t};")

    def stored(self, depth):
        """`bool c = X && Y;`, tested later: a comparison by itself is no condition where it is stored."""
        name = self.new("c")
        if self.chance(30):
            text, _ = self.comparison()
            if "await" in text or text in self.bools or "false" in text:
                text = "a > 4"
            p, t = text, text
        else:
            operator = self.pick("&&", "||")
            left = self.within("stored" + operator, self.condition, 1)
            right = self.within("stored" + operator, self.not_bool_leaf)
            p, t = f"{left[0]} {operator} {right[0]}", f"{left[1]} {operator} {right[1]}"
            if self.chance(25):
                p, t = f"!({p})", f"!({t})"
        self.simple(f"bool {name} = {p};", f"bool {name} = {t};")
        self.bools.append(name)
        if self.chance(40):
            self.plain_call()
        if self.chance(70):
            self.if_(depth)
        self.simple(*[f"H.U({name});"] * 2)

    def not_bool_leaf(self):
        kept, self.bools = self.bools, []
        result = self.leaf()
        self.bools = kept
        return result

    def conditional(self, depth):
        number = self.w.condition("statement/?.", ("value", "null"))
        if self.chance(50):
            self.simple(f"\1{number}\2n\3?.Do(a);", f"T.N({number}, n)?.Do(a);")
        else:
            number = self.w.condition("statement/??=", ("value", "null"))
            self.simple(f"\1{number}\2s\3 ??= \"k1\";", f"if (T.N({number}, s) is null) s = \"k1\";")

    def asking(self, keyword, context, depth):
        number = self.w.number()
        p, t = self.asked(context)
        at = self.operator(p) if self.chance(25) else 0
        if at == 0:
            self.w.statement([number], self.put(f"{keyword} ({p})", f"{keyword} (T.S({number}) && ({t}))"))
            return
        first = self.put(f"{keyword} ({p[:at - 1]}", f"{keyword} (T.S({number}) && ({t}))")
        last = self.w.line("    " * (self.indent + 1) + p[at:] + ")", "", first)
        self.w.statement([number], first)
        self.w.statement([number], last)

    @staticmethod
    def operator(text):
        """Where the first operator outside of parentheses and conditions stands, or 0."""
        depth = 0
        for i, c in enumerate(text):
            depth += (c in "(\1") - (c in ")\3")
            if depth == 0 and text[i:i + 2] in ("&&", "||"):
                return i
        return 0

    def if_(self, depth):
        self.asking("if", "if", depth)
        self.block(lambda: self.statements(1 + self.below(2), depth + 1))
        if self.chance(40):
            self.put("else")
            self.block(lambda: self.statements(1, depth + 1))

    def early(self, depth):
        """An early end."""
        self.asking("if", "if-leave", depth)
        self.indent += 1
        if self.in_loop and self.chance(60):
            word = self.pick("break;", "continue;")
            self.simple_block(word, "jump")
        elif self.no_return:
            self.simple_block("throw new H.Boom(7);")
        else:
            self.leave()
        self.indent -= 1
        self.plain_call()  # where nothing follows the optimiser needs no condition

    def simple_block(self, text, kind="", twin=None):
        number = self.w.number()
        self.w.statement([number], self.put(text, f"{{ T.S({number}); {twin or text} }}"), kind)

    def leave(self):
        if self.chance(20):
            self.simple_block(f"throw new H.Boom({self.unique()});")
        elif self.kind in ("iterator", "stream") and not self.in_lambda:
            self.simple_block("yield break;")
        else:
            p, t = self.value("return") if self.chance(60) else (str(self.unique_kept()), str(self.kept))
            self.simple_block(f"return {p};", "", f"return {t};")

    def body(self, depth, loop=True):
        kept, self.in_loop = self.in_loop, loop
        self.block(lambda: self.statements(1 + self.below(2), depth + 1))
        self.in_loop = kept

    def loop(self, depth):
        i, most = self.new("i"), 1 + self.below(4)
        form = self.below(3)
        number, condition = self.w.number(), self.w.condition(("for", "while", "do")[form] + "/loop")
        if form == 0:
            p, t = marked(condition, f"{i} < {most}"), f"T.S({number}) && T.B({condition}, {i} < {most})"
            self.w.statement([number], self.put(f"for (int {i} = 0; {p}; {i}++)", f"for (int {i} = 0; {t}; {i}++)"))
            self.body(depth)
            return
        self.simple(f"int {i} = 0;", f"int {i} = 0;")
        p, t = marked(condition, f"{i}++ < {most}"), f"T.S({number}) && T.B({condition}, {i}++ < {most})"
        if self.chance(40):
            more = self.within("while&&" if form == 1 else "do&&", self.not_bool_leaf)
            p, t = f"{p} && {more[0]}", f"{t} && {more[1]}"
        if form == 1:
            self.w.statement([number], self.put(f"while ({p})", f"while ({t})"))
            self.body(depth)
        else:
            self.put("do")
            self.body(depth)
            self.w.statement([number], self.put(f"while ({p});", f"while ({t});"))

    def foreach(self, depth):
        number = self.w.number()
        form = self.below(5)
        items, tag = ((f"H.Range({1 + self.below(3)})", "list"), ("s ?? \"\"", "text"), ("v ?? []", "array"),
                      ("H.Each(b)", "iterator"), (f"H.Stream({self.below(3)})", "stream"))[form]
        if form in (1, 2):
            items, tag = (f"new int[{self.below(3)}]", "array") if form == 2 else ("\"ab\"", "text")
        if form == 4 and not (self.awaits and not self.no_await):
            items, tag, form = "H.Each(b)", "iterator", 3
        condition = self.w.condition("foreach/" + tag, ("body", "end"))
        i, prefix = self.new("e"), "await " if form == 4 else ""
        self.w.statement([number], self.put(f"{prefix}foreach (var {i} in \1{condition}\2{items}\3)",
                                            f"{prefix}foreach (var {i} in T.E({number}, {condition}, {items}))"))
        self.body(depth)

    def scope(self, depth):
        name = self.new("u")
        form = self.below(5)
        prefix = "await " if self.awaits and not self.no_await and self.chance(60) else ""
        if form == 0 and prefix == "":
            kept = self.no_await, self.no_yield
            self.no_await = self.no_yield = True
            self.simple("lock (H.Gate)", "lock (H.Gate)")
            self.body(depth, self.in_loop)
            self.no_await, self.no_yield = kept
        elif form < 3:
            self.simple(f"{prefix}using (var {name} = new H.Res(a))", f"{prefix}using (var {name} = new H.Res(a))")
            self.body(depth, self.in_loop)
        else:
            self.block(lambda: (self.simple(*[f"{prefix}using var {name} = new H.Res(b);"] * 2), self.statements(2, depth + 1)))

    def fixed(self, depth):
        name = self.new("p")
        of = self.pick(f"int* {name} = v", f"char* {name} = s", f"int* {name} = &H.Cell[0]")
        self.simple(*[f"fixed ({of})"] * 2)
        self.body(depth, self.in_loop)

    def try_(self, depth):
        catches = self.chance(70) and self.kind not in ("iterator", "stream")
        finally_ = not catches or self.chance(40)
        kept = self.no_yield
        self.no_yield = self.no_yield or catches
        self.put("try")
        loop = self.in_loop

        def tried():
            self.statements(1 + self.below(2), depth + 1)
            self.simple(*[f"a = H.Hit({self.number()});"] * 2)
            self.statements(self.below(2), depth + 1)
        self.block(tried)
        self.no_yield = kept
        if catches:
            name = self.new("boom")
            if self.chance(60):
                number = self.w.number()
                kept_here = self.no_await, self.inner
                self.no_await, self.inner = True, NOT_NESTED
                p, t = self.asked("catch-when")
                self.no_await, self.inner = kept_here
                self.w.statement([number], self.put(f"catch (H.Boom {name}) when ({p})",
                                                    f"catch (H.Boom {name}) when (T.S({number}) && ({t}))"), "catch")
            else:
                self.put("catch (H.Boom)")
            self.block(lambda: self.statements(1 + self.below(2), depth + 1))
        if finally_:
            kept = self.no_yield, self.no_return, self.in_loop
            self.no_yield = self.no_return = True
            self.in_loop = False
            self.put("finally")
            self.block(lambda: self.statements(1 + self.below(2), depth + 1))
            self.no_yield, self.no_return, self.in_loop = kept

    def lambda_(self, depth):
        name, outer, inner = self.new("f"), self.w.number(), self.w.number()
        kept = self.awaits, self.bools
        self.awaits, self.bools = False, []
        p, t = self.value("lambda")
        self.awaits, self.bools = kept
        function = self.chance(40)
        plain = f"int {name}(int y) => {p};" if function else f"Func<int, int> {name} = y => {p};"
        twin = f"int {name}(int y) => T.V(T.S({inner}), {t});" if function else \
            f"T.S({outer}); Func<int, int> {name} = y => T.V(T.S({inner}), {t});"
        self.w.statement([inner] if function else [outer, inner], self.put(plain, twin))
        call = f"H.U({name}(1));"
        self.simple(call, call)

    # --- switches -----------------------------------------------------------------------------------------------------------

    def labels(self):
        """What is switched on, and (label, may a guard stand on it) in an order that compiles."""
        form = self.below(6)
        count = 2 + self.below(4)
        if form == 0:
            step = self.pick(1, 1, 30)
            subjects = ["a", "H.N(b)", "a + b"] + ["await H.Later(b)"] * (2 * (self.awaits and not self.no_await))
            return "int", self.pick(*subjects), [str(step * i) for i in range(count)]
        if form == 1:
            return "text", "s", [f'"k{i}"' for i in range(count)] + (["null"] if self.chance(40) else [])
        if form == 2:
            labels = ["int", "string", "null", "Node", "3L"]
            return "type", "o", self.random.sample(labels, min(count, 4))
        if form == 3:
            labels = [f"(> {self.below(5)}, < 5)", f"({self.below(4)}, _)", f"(_, {self.below(5)} or 9)", "(7, 7)"]
            return "tuple", "(a, b)", labels[:min(count, 3)]
        if form == 4:
            return "list", "v", self.random.sample(["[]", "[1, .., 3]", "[_, > 3]", "[2]", "null"], min(count, 4))
        return "relation", self.pick("a", "b"), ["< 1", "> 7", "2 or 4", "3"][:max(count - 1, 2)]

    def arms(self):
        kind, subject, labels = self.labels()
        result = [(f"var {self.new('t')}", True)] if self.chance(10) else []
        for label in labels if not result or self.chance(70) else []:
            while self.chance(35):
                result.append((label, True))
                if self.chance(50):
                    break
            else:
                result.append((label, False))
        if all(guarded for _, guarded in result):
            kind += "-guards"
        elif any(guarded for _, guarded in result):
            kind += "-guard"
        return kind, subject, result

    def guard(self, context):
        kept = self.no_await, self.inner, self.bools
        self.no_await, short = True, context.startswith("inline")
        if short:
            self.inner, self.bools = NOT_NESTED, []
        p, t = self.bare(self.within(context, self.leaf)) if short else self.asked(context)
        self.no_await, self.inner, self.bools = kept
        return p, t

    def inline_switch(self, where):
        """A switch expression as a part of another expression, or of another switch."""
        self.inner += 1
        kind, subject, arms = self.arms()
        if arms[0][0].startswith("var"):
            kind, subject, arms = "int", "b", [("0", False), ("> 4", True)]
        subject = subject, subject
        if kind.startswith("int") and self.inner < 2 and self.chance(40):
            subject = self.inline_switch("subject")
        arms = arms[:3]
        decision = self.w.arms(f"switch-inline-{where}/{kind}", [label for label, _ in arms] + ["_"])
        plain, twin = [], []
        for i, (label, guarded) in enumerate(arms + [("_", False)]):
            p = t = label
            if guarded:
                p, t = (f"{label} when {text}" for text in self.guard("inline-guard-" + kind.split("-")[0]))
            value = self.value("arm") if self.chance(30) else (str(self.unique_kept()), str(self.kept))
            plain.append(f"{p} => {value[0]}")
            twin.append(f"{t} => T.V(T.A({decision + i}), {value[1]})")
        self.inner -= 1
        return (f"(\1{decision}\2{subject[0]} switch\3 {{ {', '.join(plain)} }})", f"({subject[1]} switch {{ {', '.join(twin)} }})")

    def switch(self, depth):
        kind, subject, arms = self.arms()
        has_default = self.chance(55)
        if not has_default:
            kind += "-nodefault"
        names = [f"case {label}" for label, _ in arms] + ["default" if has_default else "none"]
        decision = self.w.arms("switch/" + kind, names)
        header = self.w.number()
        self.w.statement([header], self.put(f"\1{decision}\2switch ({subject})\3", f"T.S({header}); switch ({subject})"), "switch")
        statement = self.w.statements[-1]

        def section(i, targets):
            if self.arm(f"T.A({decision + i});", depth, targets):
                statement["kind"] = "headless"
                self.w.by_id[decision]["captures"] = True

        self.put("{")
        self.indent += 1
        kept, self.in_loop = self.in_loop, False
        targets = [label for label, guarded in arms if not guarded] if kind.startswith(("int", "text")) else []
        goes_on = False  # or else no code comes of what is behind the switch
        for i, (label, guarded) in enumerate(arms):
            if guarded:
                number = self.w.number()
                p, t = self.guard("guard-" + kind.split("-")[0])
                self.w.statement([number], self.put(f"case {label} when {p}:", f"case {label} when T.S({number}) && ({t}):"))
            else:
                self.put(f"case {label}:")
            if label in targets:
                targets.remove(label)
            section(i, targets)
            goes_on |= not self.w.plain[-1].lstrip().startswith("return ")
        if has_default:
            self.put("default:")
            no_return, self.no_return = self.no_return, self.no_return or not goes_on
            section(len(arms), [])
            self.no_return = no_return
        else:
            self.w.twin[-1] += f" default: T.A({decision + len(arms)}); break;"
        self.indent -= 1
        self.in_loop = kept
        self.put("}")
        if has_default and self.chance(60):
            self.plain_call()

    def arm(self, counted, depth, targets):
        """Does the section declare a variable that a lambda captures? Then the compiler gives the `switch` no point."""
        kept = len(self.bools)
        captures = self.chance(5)
        self.arm_body(counted, depth, targets, captures)
        del self.bools[kept:]
        return captures

    def arm_body(self, counted, depth, targets, captures):
        self.w.twin[-1] += " " + counted
        self.indent += 1
        if captures:
            name = self.new("q")
            self.simple(*[f"int {name} = {self.number()};"] * 2)
            self.simple(*[f"H.U(((Func<int>)(() => {name} + {self.unique_kept()}))());"] * 2)
        begin = self.below(10)
        if begin == 8 and depth < 4:
            self.switch(depth + 1)
        elif begin == 9 and depth < 4:
            self.switch_expression(depth + 1)
        elif begin == 0:
            self.try_(depth + 1)
        elif begin == 1:
            self.loop(depth + 1)
        elif begin == 2 and not self.no_return and (self.kind in ("plain", "async") or self.in_lambda):
            p, t = self.value("return")
            self.simple(f"return {p};", f"return {t};")
            self.indent -= 1
            return
        elif begin < 6:
            self.plain_call()
        else:
            self.statements(1, depth + 2)
        if targets and self.chance(25):
            self.simple(f"goto case {targets[-1]};", f"T.Jump(); goto case {targets[-1]};", "jump")
        else:
            self.simple("break;", "break;", "jump")
        self.indent -= 1

    def switch_expression(self, depth):
        kind, subject, arms = self.arms()
        returns = not self.no_return and self.kind in ("plain", "async")
        where = self.pick("assign", "argument", "return") if returns else "assign"
        if where == "return":
            self.asking("if", "if", depth)
            self.put("{")
            self.indent += 1
        names = [label for label, _ in arms] + ["_"]
        decision = self.w.arms(f"switch-expression-{where}/{kind}", names)
        begin, end = {"assign": ("a = ", ";"), "argument": ("H.U(", ");"), "return": ("return ", ";")}[where]
        header = self.w.number()
        self.w.statement([header], self.put(f"{begin}\1{decision}\2{subject} switch\3",
                                            f"T.S({header}); {begin}{subject} switch"))
        if arms[0][0].startswith("var"):  # then Release builds may have no code before the first guard
            self.w.statements[-1]["kind"], self.w.by_id[decision]["bare"] = "switch", True
        self.put("{")
        self.indent += 1
        for i, (label, guarded) in enumerate(arms + [("_", False)]):
            ids, p, t = [], label, label
            if guarded:
                number = self.w.number()
                ids.append(number)
                guard = self.guard("arm-guard-" + kind.split("-")[0])
                p, t = f"{label} when {guard[0]}", f"{label} when T.S({number}) && ({guard[1]})"
            value = self.value("arm") if self.chance(35) else (str(self.unique_kept()), str(self.kept))
            number = self.w.number()
            ids.append(number)
            self.w.statement(ids, self.put(f"{p} => {value[0]},",
                                           f"{t} => T.V(T.A({decision + i}), T.V(T.S({number}), {value[1]})),"))
        self.indent -= 1
        self.put("}" + end)
        if where == "return":
            self.indent -= 1
            self.put("}")

    # --- methods ------------------------------------------------------------------------------------------------------------

    def method(self, index):
        self.kind = self.pick("plain", "plain", "plain", "async", "async", "iterator", "stream")
        self.awaits = self.kind in ("async", "stream")
        self.in_loop = self.no_await = self.no_yield = self.no_return = self.in_lambda = False
        self.bools, self.context, self.inner = [], "", 0
        result = {"plain": "int", "async": "async Task<int>", "iterator": "IEnumerable<int>",
                  "stream": "async IAsyncEnumerable<int>"}
        name = f"M{index}"
        self.w.method = f"P{self.seed}.{name}/{self.kind}"
        unsafe = "unsafe " if self.kind == "plain" else ""
        begin = len(self.w.plain)
        self.put(f"static {unsafe}{result[self.kind]} {name}({PARAMETERS})")

        def body():
            if self.kind == "async" or self.kind == "stream":
                self.simple(*["await H.Later(1);"] * 2)
            self.statements(1 + self.below(3), 0)
            if self.kind in ("plain", "async"):
                p, t = self.value("return")
                self.simple(f"return {p};", f"return {t};")
            else:
                self.simple(*["yield return a;"] * 2)
        self.block(body)
        self.ranges.append((self.w.method, begin + 1, len(self.w.plain)))
        self.put("")
        call = {"plain": "{}", "iterator": "H.All({})", "stream": "H.All({}).GetAwaiter().GetResult()",
                "async": "{}.GetAwaiter().GetResult()"}
        for _ in range(1 + self.below(5)):
            arguments = ", ".join([
                str(self.below(9)), str(self.below(9)), self.pick("null", '"k0"', '"k1"', '"abc"'),
                self.pick("null", "5", "1", '"text"', "new Node(1, null)", "3L"),
                self.pick("null", "[]", "[1, 3]", "[1, 2, 3]", "[2]", "[4, 9]"),
                self.pick("null", "new Node(3, null)", "new Node(4, new Node(7, null))", "new Node(1, new Node(2, null))"),
                self.pick("null", "2", "6")])
            self.calls.append("H.Call(() => " + call[self.kind].format(f"{name}({arguments})") + ");")

    def write(self):
        self.indent, self.calls, self.ranges = 0, [], []
        self.put(f"static class P{self.seed}")
        self.put("{")
        self.indent = 1
        for index in range(2 + self.below(3)):
            self.method(index)
        self.put("public static void Run()")
        self.block(lambda: [self.put(call) for call in self.calls])
        self.indent = 0
        self.put("}")

    @staticmethod
    def start(seeds, counters):
        return "\n".join([f"P{seed}.Run(); Console.WriteLine($\"P{seed} {{H.Seen}}\"); H.Seen = 0;" for seed in seeds] +
                         [f"T.Write(args[0], {counters});"] * (counters > 0))


def main(program):
    first, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for side in ("plain", "twin"):
        os.makedirs(f"{folder}/{side}", exist_ok=True)
    counter, expected = [0], {}
    for seed in range(first, first + count):
        made = program(seed, counter)
        made.write()
        name = f"P{seed}.{program.extension}"
        for side in ("plain", "twin"):
            with open(f"{folder}/{side}/{name}", "w") as file:
                file.write("\n".join(getattr(made.w, side)) + "\n")
        expected[name] = dict(statements=made.w.statements, conditions=made.w.conditions, ranges=made.ranges,
                              complete=program.complete, extension=program.extension)
    for side in ("plain", "twin"):
        with open(f"{folder}/{side}/Run.{program.extension}", "w") as file:
            file.write(program.start(range(first, first + count), counter[0] if side == "twin" else 0) + "\n")
    with open(f"{folder}/expected.json", "w") as file:
        json.dump(expected, file)


if __name__ == "__main__":
    main(Program)
