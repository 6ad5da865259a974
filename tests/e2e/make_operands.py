"""Writes Operands.cs: statements whose conditions the compiler folds, adds, or asks in another order than they are
written. Each ends with `// operands: A | B`, what may be said of it exactly, in the order in which it is asked; or with
`// operands:` alone if nothing is certain.

    make_operands.py INTO [HALF]   only one half of them, 0 or 1, by lot, and all that are asked in the order in which they are written"""
import contextlib
import itertools
import random
import sys

FOLDED = ["K", "!NotK", "1 < 2", "sizeof(int) == 4", 'nameof(x) == "x"', "x is int", "x is int folded", "x is { }"]
FOLDED_WITH_OR = ["!K", "NotK", "sizeof(int) == 8"]
# Each is one condition, although its code may test a type or for a value first.
CONSTANTS = [
    "n is 3", "n is > 3", "n is Three", "n is not 3", "day is Day.Red", "day is not Day.Red",
    "o is 3", "o is > 3", 'o is "a"', "o is Three", "o is Day.Red", "o is 'c'", "o is true", "o is not 3",
    "o is Name", "text is Name",
]
# Each is asked with two conditions, or with another one than the text says.
SPLIT = CONSTANTS + [
    "n is 3 or 4", "t == u", "t != u", "t == (1, 2)", "(x, y) == (y, x)", "named == u", "names == others",
    "list is []", "list is [1, ..]", "text is [_, _]", "p is (1, 2)", "p is { X: 3 }", "text is { Length: 2 }",
    "when == then", "money < spent",
]
# ... and what of it may be said all the same: each of these or not, but nothing else.
CERTAIN = {"p is { X: 3 }": "p + X: 3", "text is { Length: 2 }": "? text | Length: 2",
           **{text: f"? {text}" for text in CONSTANTS}}
FORMS = ["if ({0} && {1}) Hit();", "if ({1} && {0}) Hit();", "bool z{2} = {0} && {1};", "x = {0} ? {1} ? 1 : 2 : 3;",
         "x = {0} && {1} ? 1 : 2;", "while ({0} && {1}) Hit();",
         "bool z{2} = {0} ? {1} : false;"]
FORMS_WITH_OR = ["if ({0} || {1}) Hit();", "bool z{2} = {0} || {1};"]
# The arms of a pattern, which the compiler may sort.
ARMS = {
    "x": ["5", "3", "> 9", "not 7", "Three"],
    "c": ["'S'", "'A'", ">= 'x'", "'\\n'"],
    "weekday": ["DayOfWeek.Saturday", "DayOfWeek.Monday", "not DayOfWeek.Friday"],
    "big": ["5L", "-3", "> 0x10"],
    "real": ["1.5", "0.5", "> 2.5"],
}
WRITTEN_ORDER = [  # (statement, operands)
    ("if (x is > 100 or < 0) Hit();", "> 100 + < 0"),
    ("if (x is < 0 or > 100) Hit();", "< 0 + > 100"),
    ("if (c is >= 'a' and <= 'z') Hit();", ">= 'a' + <= 'z'"),
    ("if (x is 5 && y > 3) Hit();", "x is 5 + y > 3"),
    ("if (o is string && x > 3) Hit();", "o is string + x > 3"),
    ("if (o is string s1 && s1.Length > 3) Hit();", "o is string s1 + s1.Length > 3"),
    ("if (x > 3 && o is not string) Hit();", "x > 3 + o is not string"),
    ("if (o is Point && x > 3) Hit();", "o is Point + x > 3"),
    ("if (o is List<int> && x > 3) Hit();", "o is List<int> + x > 3"),
    ("if (o is int[] && x > 3 || o is Point) Hit();", "o is int[] + x > 3 + o is Point"),
    ("if (n is int) Hit();", "n is int"),
    ("if (x is Three) Hit();", "x is Three"),
    ("if (n != null && x > 3) Hit();", "n != null + x > 3"),
    ("if (n.HasValue && n.Value > 3) Hit();", "n.HasValue + n.Value > 3"),
    ("if (t.Item1 == 3 && t.Item2 > x) Hit();", "t.Item1 == 3 + t.Item2 > x"),
    ("if (names.First == x && x > 3) Hit();", "names.First == x + x > 3"),
    ("string[] all = [text ?? \"\", x > 3 ? \"y\" : \"n\", deep is { Count: > 0 } ? \"s\" : \"e\"];",
     "text | x > 3 | deep + Count: > 0"),
    ("int[] some = [list is [1, ..] ? 1 : 2, F(y) ? 3 : 4, x is 1 or 5 or 9 ? 5 : 6, text?.Length ?? 7];", "F(y) | text"),
    ("if (F(x) && list is [1, ..]) Hit();", "F(x)"),
    ("if (text is string s2 && F(x)) Hit();", "text is string s2 + F(x)"),
    ("if (p is { X: 3, Y: > 4 } && F(x)) Hit();", "p + X: 3 + Y: > 4 + F(x)"),
    ("if (t is { Item1: 3, Item2: 4 } && F(x)) Hit();", "Item1: 3 + Item2: 4 + F(x)"),
    ("if (o is Point { X: 3 } p1 && F(x)) Hit();", "Point + X: 3 + F(x)"),
    ("if (o is not Point { X: 3 }) Hit();", "Point + X: 3"),
    ("x >>= x > 3 ? 1 : 2;", "x > 3"),
    ("x >>>= x > 3 ? 1 : 2;", "x > 3"),
    ("x <<= x > 3 ? 1 : 2;", "x > 3"),
    ("x = x >> y > 3 ? 1 : 2;", "x >> y > 3"),
    ("x = x >>> y > 3 ? 1 : 2;", "x >>> y > 3"),
    ("x >>= y > 3 && text == null ? 1 : 2;", "y > 3 + text == null"),
    ("List<List<int>> deeper = x > 3 ? null : new List<List<int>>();", "x > 3"),
]


def statements():
    for folded, split, form in itertools.product(FOLDED, SPLIT, FORMS):
        yield form, folded, split
    for folded, split, form in itertools.product(FOLDED_WITH_OR, SPLIT, FORMS_WITH_OR):
        yield form, folded, split


def write(half):
    rows = []
    for form, folded, split in statements():
        n = len(rows)
        rows.append((form.format(folded, split, n), CERTAIN.get(split, "")))
    for value, arms in ARMS.items():
        for count in (2, 3):
            for chosen in itertools.permutations(arms, count):
                rows.append((f"if ({value} is {' or '.join(chosen)}) Hit();", ""))
                rows.append((f"if ({value} is not ({' or '.join(chosen)})) Hit();", ""))
            for chosen in itertools.permutations(arms, count):
                negated = " and ".join(arm if arm.startswith((">", "not")) else "not " + arm for arm in chosen)
                rows.append((f"if ({value} is {negated}) Hit();", ""))
    if half is not None:
        lot = random.Random(29)
        rows = [row for row in rows if lot.randrange(2) == half]
    rows += WRITTEN_ORDER
    print("""using System;
using System.Collections.Generic;
enum Day { Red, Green }
record Point(int X, int Y);
struct Money { public static bool operator <(Money a, Money b) => true; public static bool operator >(Money a, Money b) => true; }
static class Operands
{
    const bool K = true, NotK = false;
    const int Three = 3;
    const string Name = "name";
    static void Hit() { }
    static bool F(int x) => x > 0;
    static void Main() { }""")
    for number, (statement, operands) in enumerate(rows):
        print(f"""    static void M{number}(int x, int y, int? n, Day? day, object o, (int, int) t, (int, int) u, (int A, int B) named,
        (int First, string Second) names, (int, string) others, int[] list, string text, Point p, DateTime? when,
        DateTime? then, Money? money, Money? spent, char c, DayOfWeek weekday, long big, double real, List<int> deep)
    {{
        {statement} // operands: {operands}
    }}""")
    print("}")


with open(sys.argv[1], "w", encoding="utf-8") as out, contextlib.redirect_stdout(out):
    write(int(sys.argv[2]) if len(sys.argv) > 2 else None)
