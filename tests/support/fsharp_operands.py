"""Writes Program.fs: expressions of && and || in every shape of two and three operands and some of four, that are returned,
stored, passed, assigned, put into a tuple, an array or a list, made in a closure, or the result of a task; each is called with a few
inputs. An evaluation of the same tree says which outcomes every operand had: `// cov: branches=N/M`. Beside them stands what is no operand: the last value of
an `if` or `match` whose other values are constants.

    fsharp_operands.py debug|release [half]

With `half`, debug has one half of the uses of each tree, and release the other one. Release has no virtual call at the end, which is a tail call."""
import itertools
import random
import sys

random.seed(20240229)
RELEASE = sys.argv[1] == "release"
HALF = len(sys.argv) > 2

# What an operand may be: its text, and its value for the inputs. `even` and `big` are functions.
LEAVES = [
    ("{v} > 0", lambda v: v > 0),
    ("{v} = 1", lambda v: v == 1),
    ("even {v}", lambda v: v % 2 == 0),
    ("not (even {v})", lambda v: v % 2 != 0),
    ("(string {v}).StartsWith '-'", lambda v: v < 0),
    ("Sink.big.Contains {v}", lambda v: v > 1),
    ("{v} <> 2", lambda v: v != 2),
    ("not Sink.flags[{v} + 2]", lambda v: v in (-1, 1, 2)),
    ("not (string {v} = \"1\")", lambda v: v != 1),
    ("not (isNull (Sink.named {v}))", lambda v: v > 0),
    ("isNull (Sink.named {v})", lambda v: v <= 0),
    ("Option.isNone (Sink.option {v})", lambda v: v <= 0),
    ("(Sink.option {v}).IsSome", lambda v: v > 0),
]
if RELEASE:
    LEAVES = [leaf for leaf in LEAVES if not leaf[0].startswith("Sink.big")]


class Leaf:
    def __init__(self, variable, kind):
        self.variable, (self.form, self.test) = variable, kind
        self.seen = set()

    def text(self):
        return self.form.format(v=self.variable)

    def value(self, inputs):
        result = self.test(inputs[self.variable])
        self.seen.add(result)
        return result

    def leaves(self):
        return [self]


class Both:
    def __init__(self, operator, left, right):
        self.operator, self.left, self.right = operator, left, right

    def text(self):
        return f"({self.left.text()} {self.operator} {self.right.text()})"

    def value(self, inputs):
        if self.left.value(inputs) == (self.operator == "||"):
            return self.operator == "||"
        return self.right.value(inputs)

    def leaves(self):
        return self.left.leaves() + self.right.leaves()


class Not:
    def __init__(self, inner):
        self.inner = inner

    def text(self):
        return f"(not {self.inner.text()})"

    def value(self, inputs):
        return not self.inner.value(inputs)

    def leaves(self):
        return self.inner.leaves()


def shapes(variables):
    """Every tree over the variables, in their order."""
    if len(variables) == 1:
        yield lambda: Leaf(variables[0], random.choice(LEAVES))
        return
    for cut in range(1, len(variables)):
        for left, right in itertools.product(list(shapes(variables[:cut])), list(shapes(variables[cut:]))):
            for operator in "&&", "||":
                yield lambda o=operator, l=left, r=right: Both(o, l(), r())


def trees():
    for variables in ["x", "y"], ["x", "y", "z"]:
        for shape in shapes(variables):
            yield shape()
            yield Not(shape())
    for shape in random.sample(list(shapes(["x", "y", "z", "w"])), 12):
        yield shape()
    for operator, inner in itertools.product(["&&", "||"], ["&&", "||"]):
        yield Both(operator, Leaf("x", LEAVES[0]), Not(Both(inner, Leaf("y", LEAVES[2]), Leaf("z", LEAVES[0]))))


# A use: the lines of a function of x, y, z and w; E is the expression, and the mark goes to its line.
USES = {
    "returned": ["E"],
    "stored": ["let b = E", "Sink.truth b", "b"],
    "passed": ["Sink.truth (E)", "true"],
    "assigned": ["let mutable b = false", "b <- E", "Sink.truth b", "b"],
    "paired": ["let a, b = E, x", "Sink.truth a", "b = 3"],
    "asked": ["if E then", "    Sink.count x", "else", "    Sink.count y"],
    "elif": ["Sink.truth true", "if x > 5 then", "    Sink.count x", "elif E then", "    Sink.count y", "else", "    Sink.count z"],
    "piped": ["E |> Sink.truth", "true"],
    "closed": ["let f = fun (x: int) -> E", "Sink.call f x"],
    "arrayed": ["let a = [| x > 5; E; false |]", "a[1]"],
    "listed": ["let a = [ true; E ]", "a[1]"],
    "tasked": ["let t = task { return E }", "t.Result"],
    "awaited": ["let t = task {", "    do! Sink.later ()", "    return E }", "t.Result"],
}

HEAD = """module Program

open System.Runtime.CompilerServices

type Shape =
    | Dot
    | Line
    | Circle of int

type Sink() =
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member truth(_: bool) = ()
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member count(n: int) = n > 0
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member call (f: int -> bool) (x: int) = f x
    static member later () : System.Threading.Tasks.Task = task { do! System.Threading.Tasks.Task.Yield() }
    static member val flags = [| true; false; true; false; false; true |]
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member odd(a: int, b: int) = (a + b) % 2 <> 0 && a < 0
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member named n = if n > 0 then string n else null
    [<MethodImpl(MethodImplOptions.NoInlining)>]
    static member option n = if n > 0 then Some n else None
    static member val big = System.Collections.Generic.HashSet<int>([ 2; 3; 4 ])

[<MethodImpl(MethodImplOptions.NoInlining)>]
let even n = n % 2 = 0
"""

# No operand: the constants of an `if` or a `match` that were written.
OTHERS = """
[<MethodImpl(MethodImplOptions.NoInlining)>]
let early x y =
    if x > 0 then                                        // cov: hits=2 branches=2/2
        true                                             // cov: hits=1
    else
        Sink.truth true                                  // cov: hits=1
        even y                                           // cov: hits=1

[<MethodImpl(MethodImplOptions.NoInlining)>]
let rules x y =
    match x with                                         // cov: hits=2 branches=2/3
    | 1 -> true                                          // cov: hits=1
    | 2 -> false                                         // cov: hits=0
    | _ -> y > 0                                         // cov: hits=1

[<MethodImpl(MethodImplOptions.NoInlining)>]
let option o y =
    match o with                                         // cov: hits=2 branches=2/2
    | Some _ -> true                                     // cov: hits=1
    | None -> even y                                     // cov: hits=1

// The second guard is compiled twice: after the first one, and without it.
[<MethodImpl(MethodImplOptions.NoInlining)>]
let copied o y =
    match o with                                         // cov: hits=2 branches=2/3
    | Some 1 when y > 0 -> true                          // cov: hits=0 branches=0/2
    | Some n when even n || even y -> false              // cov: hits=1 branches=1/4
    | _ -> true                                          // cov: hits=1

// What a nested `if` or `match` gives is tested where the outer `if` begins.
[<MethodImpl(MethodImplOptions.NoInlining)>]
let nested x y =
    if Sink.odd ((if x > 0 then x else 1),               // cov: hits=3 branches=3/4
                 (if y > 0 then y else 1)) then          // cov: hits=3 branches=2/2
        Sink.truth true                                  // cov: hits=0
    if x = 1                                             // cov: hits=3 branches=4/4
       && (match y with                                  // cov: hits=2 branches=2/2
           | 2 -> Sink.truth true; true                  // cov: hits=1
           | _ -> false) then                            // cov: hits=3
        Sink.truth true                                  // cov: hits=1
    true                                                 // cov: hits=3

[<MethodImpl(MethodImplOptions.NoInlining)>]
let kept x y =
    let b =
        if x > 0 then                                    // cov: hits=2 branches=2/2
            true                                         // cov: hits=1
        else
            even y                                       // cov: hits=1
    Sink.truth b                                         // cov: hits=2
    b                                                    // cov: hits=2
"""
OTHER_CALLS = ["early 1 2", "early 0 2", "rules 1 2", "rules 3 2", "option (Some 1) 2", "option None 2",
               "copied (Some 4) 2", "copied None 2",
               "kept 1 2", "kept 0 2", "nested 1 2", "nested 1 3", "nested 0 0"]


# --- match and function -----------------------------------------------------------------------------------------------------

def always(_):
    return True


# What a rule may match: its text, its test, and whether it binds n. Each list matches all values.
PATTERNS = {
    "int": [("1", lambda v: v == 1, False), ("2", lambda v: v == 2, False), ("n", always, True)],
    "int option": [("Some 1", lambda v: v == 1, False), ("Some n", lambda v: v is not None, True),
                   ("None", lambda v: v is None, False)],
    "string": [('"1"', lambda v: v == 1, False), ('"2"', lambda v: v == 2, False), ("_", always, False)],
    "Shape": [("Dot", lambda v: v == 1, False), ("Line", lambda v: v == 2, False), ("Circle n", lambda v: v > 2, True)],
}


def spelled(kind, v):
    if kind == "int option":
        return "None" if v is None else f"(Some {v})"
    if kind == "string":
        return f'"{v}"'
    if kind == "Shape":
        return {1: "Dot", 2: "Line"}.get(v, f"(Circle {v})")
    return f"({v})"


def rules_of(kind):
    """Rules of a `match`, two with a guard: pattern, test, guard or None; the last one matches all. No two rules with a guard
    overlap, nor does one match all: docs/definitions.md says what is shown then."""
    result = []
    first, second, last = PATTERNS[kind]
    for text, test, binds in random.sample([first, last] if kind in ("int option", "Shape") else [first, second], 2):
        variables = (["n"] if binds else []) + ["y", "z"]
        size = random.randint(1, min(3, len(variables)))
        guard = random.choice(list(shapes(variables[:size])))()
        result.append((text, test, guard))
    return result + [(first[0], first[1], None), ("_", always, None)]


def overlapping_rules_of(kind):
    """Rules of a `match`, with and without guards, several of which may match the same values; each may be reached. Not a single
    string, and in Release no guard that begins with `not` or a test for null: docs/definitions.md says what is shown then."""
    result, left = [], set([1, 2, 3, None] if kind == "int option" else [1, 2, 3])
    for _ in range(random.randint(1, 4)):
        text, test, binds = random.choice(PATTERNS[kind] + [("_", always, False)])
        values = {v for v in left if test(v)}
        if not values:
            continue
        variables = (["n"] if binds else []) + ["y", "z"]
        guard = random.choice(list(shapes(variables[:random.randint(1, len(variables))])))()
        while RELEASE and guard.leaves()[0].form.startswith(("not", "isNull", "Option", "(Sink.option")):
            guard.leaves()[0].form, guard.leaves()[0].test = random.choice(LEAVES)
        if random.random() < 0.3 and values != left:
            guard = None
            left -= values
        result.append((text, test, guard))
    return result + [("_", always, None)]


def matches(count, choose, first=0):
    """The text of functions with a `match`, and calls of them."""
    calls = []
    for number in range(first, first + count):
        kind = random.choice([kind for kind in PATTERNS if kind != "string" or choose == rules_of])
        rules = choose(kind)
        taken, asked = [0] * len(rules), [0] * len(rules)
        inputs = [(random.choice([1, 2, 3, None] if kind == "int option" else [1, 2, 3]), random.randint(-2, 3),
                   random.randint(-2, 3)) for _ in range(random.randint(1, 5))]
        for v, y, z in inputs:
            calls.append(f"match{number} {spelled(kind, v)} ({y}) ({z})")
            for i, (_, test, guard) in enumerate(rules):
                if not test(v):
                    continue
                asked[i] += 1
                if guard is None or guard.value({"n": v, "y": y, "z": z}):
                    taken[i] += 1
                    break
        print(f"[<MethodImpl(MethodImplOptions.NoInlining)>]\nlet match{number} (v: {kind}) (y: int) (z: int) =")
        print(f"    match v with // cov: hits={len(inputs)} branches={sum(t != 0 for t in taken)}/{len(rules)}")
        for i, (text, _, guard) in enumerate(rules):
            if guard is None:
                print(f"    | {text} -> Sink.count {i} // cov: hits={taken[i]}")
                continue
            seen, all_ = sum(len(leaf.seen) for leaf in guard.leaves()), 2 * len(guard.leaves())
            print(f"    | {text} when {guard.text()} -> Sink.count {i} // cov: hits={asked[i]} branches={seen}/{all_}")
        print()
    return calls


def functions():
    """The text of functions with a `function` whose rules all make functions, and calls of them."""
    calls = []
    for number, (kind, captures, below, curried) in enumerate(
            itertools.product(PATTERNS, [False, True], [False, True], [False, True])):
        rules = PATTERNS[kind]
        taken = [0] * len(rules)
        for _ in range(random.randint(1, 3)):
            v = random.choice([1, 2, 3, None] if kind == "int option" else [1, 2, 3])
            taken[next(i for i, (_, test, _) in enumerate(rules) if test(v))] += 1
            calls.append(f"function{number} {'7 ' if curried else ''}{spelled(kind, v)} 3")
        print(f"[<MethodImpl(MethodImplOptions.NoInlining)>]\nlet function{number} {'k ' if curried else ''}=\n    function")
        for i, (text, _, binds) in enumerate(rules):
            operand = "n" if binds and captures else "k" if curried and captures else str(i)
            mark = f" // cov: hits={taken[i]}"
            if i == 0:
                mark += f" branches={sum(t != 0 for t in taken)}/{len(rules)}"
            body = f"(fun a -> Sink.count (a + {operand}))"
            print(f"    | {text} ->\n        {body}{mark}" if below else f"    | {text} -> {body}{mark}")
        print()
    return calls


def main():
    print(HEAD)
    calls = []
    for number, (tree, (use, lines)) in enumerate(itertools.product(list(trees()), USES.items())):
        # The uses are odd in number, so the next tree has the other ones.
        if HALF and number % 2 != RELEASE:
            continue
        for leaf in tree.leaves():
            leaf.seen.clear()
        inputs = [{v: random.randint(-2, 3) for v in "xyzw"} for _ in range(random.randint(1, 4))]
        for each in inputs:
            tree.value(each)
            calls.append(f"{use}_{number} " + " ".join(f"({each[v]})" for v in "xyzw"))
        leaves = tree.leaves()
        seen = sum(len(leaf.seen) for leaf in leaves)
        print(f"[<MethodImpl(MethodImplOptions.NoInlining)>]\nlet {use}_{number} (x: int) (y: int) (z: int) (w: int) =")
        for line in lines:
            text = line.replace("E", tree.text()[1:-1] if isinstance(tree, Both) and use != "piped" else tree.text())
            if "E" in line:
                text += f" // cov: hits={len(inputs)} branches={seen}/{2 * len(leaves)}"
            print("    " + text)
        print()
    calls += matches(60, rules_of) + functions() + matches(120, overlapping_rules_of, 60)
    print(OTHERS)
    calls += OTHER_CALLS
    # Small: the compiler's work on one function grows faster than the function.
    parts = range(0, len(calls), 50)
    for first in parts:
        print(f"let some{first} () =\n" + "".join(f"    Sink.truth ({call})\n" for call in calls[first:first + 50]))
    print("[<EntryPoint>]\nlet main _ =")
    print("".join(f"    some{first} ()\n" for first in parts) + "    0")


main()
