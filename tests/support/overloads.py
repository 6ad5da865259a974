#!/usr/bin/env python3
"""overloads.py - C# in which members of one name have local functions and lambdas of their own.

overloads.py write [all] >Program.cs  kinds of members with kinds of nested functions, in generic classes and in others;
                                      a quarter of all pairs, or `all`. A line with a statement ends with the member it stands in: `// C17:2`;
                                      `// C16:-` is an excluded one.
overloads.py check Program.cs REPORT  prints each member of the JSON report that has other lines than those
"""
import json
import re
import sys

# What the body of a member holds. RETURN is how it returns: not all members do with `return`.
BODIES = {
    "static": "RETURN L(1); static int L(int x) { x += 1; return x; }",
    "capturing": "int n = 5; RETURN L(1); int L(int x) { n += x; return n; }",
    "arrow": "RETURN L(1); static int L(int x) => x + 1;",
    "before": "static int L(int x) { x += 1; return x; } RETURN L(1);",
    "async": "RETURN L(1).Result; async Task<int> L(int x) { await Task.Yield(); return x; }",
    "iterator": "RETURN L(3).Sum(); IEnumerable<int> L(int x) { yield return 1; yield return x; }",
    "asynciterator": "RETURN L(1).GetAsyncEnumerator().MoveNextAsync().AsTask().Result ? 1 : 0;"
                     " async IAsyncEnumerable<int> L(int x) { await Task.Yield(); yield return x; }",
    "nested": "RETURN L(1); int L(int x) { return M(x) + 1; int M(int y) { y += 2; return y; } }",
    "lambda": "RETURN L(1); int L(int x) { Func<int, int> f = y => { y += x; return y; }; return f(2); }",
    "staticlambda": "RETURN L(1); static int L(int x) { Func<int, int> f = static y => { y += 1; return y; }; return f(x); }",
    "asynclambda": "RETURN L(1); int L(int x) { Func<Task<int>> f = async () => { await Task.Yield(); return x; };"
                   " return f().Result; }",
    "inlambda": "Func<int> f = () => { return L(1); int L(int x) { x += 1; return x; } }; RETURN f();",
    "group": "Func<int, int> f = L; RETURN f(1); static int L(int x) { x += 1; return x; }",
    "generic": "RETURN L(1); static U L<U>(U x) { GC.KeepAlive(x); return x; }",
    "mutual": "RETURN L(3); int L(int x) { return x <= 0 ? 0 : M(x - 1); } int M(int x) { return x <= 0 ? 1 : L(x - 1); }",
    "unused": "RETURN 1; int L(int x) { x += 1; return x; }",
    "usedbyunused": "RETURN 1; int L(int x) { return M(x) + 1; } int M(int x) { return x; }",
    "unusedbefore": "int L(int x) { x += 1; return x; } RETURN 1;",
    "unusedlambda": "RETURN 1; int L(int x) { Func<int, int> f = y => { y += x; return y; }; return f(2); }",
    "unusedasync": "RETURN 1; async Task<int> L(int x) { await Task.Yield(); return x; }",
    "unreachable": "if (false) L(1); RETURN 1; static int L(int x) { return x; }",
    "this": "RETURN L(1); int L(int x) { x += this.GetHashCode(); return x; }",
    "first": "int n = 5; RETURN OVERLOAD == 1 ? 1 : L(1); int L(int x) { n += x; return n; }",
}

# Three members of one name each, and what calls them; CLASS is `C7` or `C7<int>`, NAME the class without arguments.
MEMBERS = {
    "method": [("public int F(int a)", "c.F(1)"), ("public int F(string a)", 'c.F("")'), ("public int F(long a)", "c.F(1L)")],
    "static method": [("public static int F(int a)", "CLASS.F(1)"), ("public static int F(string a)", 'CLASS.F("")'),
                      ("public static int F(long a)", "CLASS.F(1L)")],
    "arity": [("public int F(int a)", "c.F(1)"), ("public int F<A>(A a)", "c.F<int>(1)"),
              ("public int F<A, B>(A a, B b)", "c.F(1, 2)")],
    "generic method": [("public int F<A>(A a)", "c.F(1)"), ("public int F<A>(A a, int b)", "c.F(1, 1)"),
                       ("public int F<A>(A a, string b)", 'c.F(1, "")')],
    "constructor": [("public NAME(int a)", "new CLASS(1)"), ("public NAME(string a)", 'new CLASS("")'),
                    ("public NAME(long a)", "new CLASS(1L)")],
    "getter": [("public int this[int a] { get", "_ = c[1]"), ("public int this[string a] { get", '_ = c[""]'),
               ("public int this[long a] { get", "_ = c[1L]")],
    "setter": [("public int this[int a] { set", "c[1] = 1"), ("public int this[string a] { set", 'c[""] = 1'),
               ("public int this[long a] { set", "c[1L] = 1")],
    "operator": [("public static int operator +(SELF c, int a)", "_ = c + 1"),
                 ("public static int operator +(SELF c, string a)", '_ = c + ""'),
                 ("public static int operator +(SELF c, long a)", "_ = c + 1L")],
    "conversion": [("public static explicit operator int(SELF c)", "_ = (int)c"),
                   ("public static explicit operator short(SELF c)", "_ = (short)c"),
                   ("public static explicit operator long(SELF c)", "_ = (long)c")],
    "explicit": [("int I<int>.F(int a)", "((I<int>)c).F(1)"), ("int I<string>.F(string a)", '((I<string>)c).F("")'),
                 ("int I<long>.F(long a)", "((I<long>)c).F(1)")],
    "async method": [("public async Task<int> F(int a)", "_ = c.F(1).Result"),
                     ("public async Task<int> F(string a)", '_ = c.F("").Result'),
                     ("public async Task<int> F(long a)", "_ = c.F(1L).Result")],
    "iterator": [("public IEnumerable<int> F(int a)", "_ = c.F(1).Sum()"),
                 ("public IEnumerable<int> F(string a)", '_ = c.F("").Sum()'),
                 ("public IEnumerable<int> F(long a)", "_ = c.F(1L).Sum()")],
    "extension": [("public static int F(this Of<NAME> c, int a)", "new Of<CLASS>().F(1)"),
                  ("public static int F(this Of<NAME> c, string a)", 'new Of<CLASS>().F("")'),
                  ("public static int F(this Of<NAME> c, long a)", "new Of<CLASS>().F(1L)")],
    "extension block": [("extension(int a) { public int FNAME()", "1.FNAME()"),
                        ("extension(string a) { public int FNAME()", '"".FNAME()'),
                        ("extension(long a) { public int FNAME()", "1L.FNAME()")],
}
STATIC = ("static method", "operator", "conversion", "extension", "extension block")
RETURNS = {"constructor": "GC.KeepAlive(VALUE);", "setter": "GC.KeepAlive(VALUE);", "iterator": "yield return VALUE;",
           "async method": "await Task.Yield(); return VALUE;", "conversion": "return (short)(VALUE);"}


def statements(body):
    """One piece a line: a brace, a header, a statement."""
    return [piece for piece in re.sub(r"([{};])(?! *;)", r"\1\n", body.replace("{", "\n{")).split("\n") if piece.strip()]


def write(everything):
    print("#pragma warning disable\nusing System.Diagnostics.CodeAnalysis;\nnamespace Overloads;\n"
          "interface I<T> { int F(T a); }\nclass Of<T> { }")
    calls = []
    for place, (kind, members) in enumerate(MEMBERS.items()):
        for body_place, (body_kind, body) in enumerate(BODIES.items()):
            for generic in (False, True):
                if body_kind == "this" and kind in STATIC or generic and kind.startswith("extension"):
                    continue
                if not everything and (place + body_place + generic) % 4 != 0:
                    continue
                name = f"C{len(calls)}"
                own = name + ("<T>" if generic else "")
                closed = name + ("<int>" if generic else "")
                words = {"NAME": name, "CLASS": closed, "SELF": own}
                if kind.startswith("extension"):
                    head = f"static class {own}"
                    words = {"FNAME": "F" + name, "NAME": f"T{name}", "CLASS": f"T{name}"}
                    print(f"class T{name} {{ }}")
                elif kind == "explicit":
                    head = f"class {own} : I<int>, I<string>, I<long>"
                else:
                    head = f"class {own}"
                print(f"// {kind}, {body_kind}\n{head}\n{{")
                fill = lambda text: re.sub("|".join(words), lambda m: words[m[0]], text)
                if len(calls) % 3 == 1 and not kind.startswith("extension"):
                    print("    int _field = 1; const int K = 3; int P { get; set; } event Action E;")
                if kind == "constructor":
                    print(f"    public {name}() {{ }}")
                for n, (header, _) in enumerate(members):
                    excluded = n == 1 and len(calls) % 4 == 0
                    attribute = "[ExcludeFromCodeCoverage] " if excluded else ""
                    header = re.sub(r"^(extension.*?{ )?", lambda m: (m[1] or "") + attribute, fill(header))
                    print(f"    {header}\n    {{")
                    text = re.sub(r"RETURN (.*?);", lambda m: RETURNS.get(kind, "return VALUE;").replace("VALUE", m[1]), body)
                    for piece in statements(text.replace("OVERLOAD", str(n))):
                        is_code = piece.strip()[-1] == ";" and not piece.strip().startswith(("}", "if")) or piece.strip().startswith("Func")
                        print(f"        {piece.strip()}" + (f" // {name}:{'-' if excluded else n}" if is_code else ""))
                    print("    }" + (" }" if header.count("{") else ""))
                print("}")
                calls.append(("" if kind.startswith("extension") or kind == "static method" else f"var c = new {closed}"
                              + "(); ")
                             + " ".join(fill(call) + ";" for _, call in members))
    print("static class Program\n{\n    static void Main()\n    {")
    for call in calls:
        print("        { " + call + " }")
    print("    }\n}")


def check(source, report):
    lines_of = {}
    for number, line in enumerate(open(source), 1):
        if found := re.search(r"// (C\d+:[\d-])$", line):
            lines_of.setdefault(found[1], set()).add(number)
    member_of = {number: member for member, numbers in lines_of.items() for number in numbers}
    wrong = set()
    for package in json.load(open(report))["packages"]:
        for entry in package["classes"]:
            for method in entry["methods"]:
                shown = {line["number"] for line in method["lines"]} & member_of.keys()
                for member in {member_of[number] for number in shown}:
                    if member.endswith("-") or shown != lines_of.pop(member, set()):
                        print(f"{member} has {sorted(shown)} as {method['name']}{method['signature']}")
                        wrong.add(member)
    wrong |= {member for member in lines_of if not member.endswith("-")}
    print(f"{len(wrong)} of {len(set(member_of.values()))} members have other lines than their own")
    return not wrong


if __name__ == "__main__":
    if sys.argv[1] == "check":
        sys.exit(0 if check(*sys.argv[2:]) else 1)
    write(everything="all" in sys.argv)
