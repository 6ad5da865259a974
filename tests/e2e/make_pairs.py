#!/usr/bin/env python3
"""make_pairs.py FOLDER: writes FOLDER/{first,second,moved}/Pairs.cs. Class PairN of `second` differs in one thing from that of `first`;
`moved` is `first` with other code around it, and names that nobody sees.

    make_pairs.py --check FIRST SECOND MOVED   what `ilcov inspect` says of the three: the code of each pair is another one, and that of
                                               `moved` is the same."""
import collections
import re
import sys

# Members of a class Pair<T, U>, in two ways each: "{A|B}" is A in the first and B in the second.
PAIRS = """
object M() => new { {id|key} = 1 };
object M() => new { {id = 1, key = 1|key = 1, id = 1} };
object M() => new[] { new { {id|key} = 1 } };
object M() => Shared.Make(new { {id|key} = 1 });
object M() => new { id = new { {id|key} = 1 } };
object M() => new Func<object>(() => new { {id|key} = 1 });
object M() => new int[1].Select(i => new { {id|key} = i }).Where(x => x.ToString() != "").ToArray();
int M() { var x = new { id = 1, key = 2 }; return x.{id|key}; }
object M() { var f = (int x{| = 1}) => x; return f; }
object M() { var f = (int x = {1|2}) => x; return f; }
object M() { var f = ({|params} int[] x) => x.Length; return f; }
object M() { var f = (ref int x, {in|ref} int y) => x; return f; }
object M() { var f = (ref {int|long} x) => 1; return f; }
Type M() => typeof({@<T, U>|@<,>});
Type M() => typeof(@<{T, U|U, T}>);
Type M<V>() => typeof(@<{V, U|T, U}>);
Type M<V>() => typeof(@<{V, V|,}>);
Type M() => typeof(List<{T|}>);
Type M() => typeof({T|U});
Type M<V>() => typeof({T|V});
Type M<V, W>() => typeof({V|W});
Type M() => typeof(Dictionary<{T, U|U, T}>);
Type M() => typeof({List<T>|T[]});
Type M() => typeof(int[{|,}]);
Type M() => typeof(int[,{|,}]);
Type M() => typeof(int{[,][]|[][,]});
unsafe Type M() => typeof(int{*|**});
unsafe Type M() => typeof({int*|int*[]});
unsafe Type M() => typeof(delegate*<{int|long}>);
unsafe Type M() => typeof(delegate*{| unmanaged}<int>);
unsafe Type M() => typeof(delegate* unmanaged[{Cdecl|Stdcall}]<int>);
unsafe int M(void* f) => ((delegate*{| unmanaged}<int>)f)();
unsafe int M(void* f) => ((delegate* unmanaged[{Cdecl|Stdcall}]<int>)f)();
unsafe int M(void* f) => ((delegate* unmanaged[Cdecl{|, SuppressGCTransition}]<int>)f)();
unsafe int M(void* f) => ((delegate* unmanaged[{MemberFunction|SuppressGCTransition}]<int>)f)();
Type M() => typeof({One|Two}.Same);
Type M() => typeof(Outer<T>.Inner<{T|U}>);
Type M() => typeof(Outer<{T|U}>.Inner<int>);
class N<V> { Type M() => typeof({T|V}); }
class N<V> { Type M() => typeof(@<{T, V|V, T}>); }
class N<V> { Type M() => typeof(N<{V|T}>); }
class N<V> { Type M() => typeof({N<V>|N<int>}); }
class N { Type M() => typeof({N|@<T, U>}); }
object M() => {1|2};
object M() => {1|1L};
object M() => {1|1u};
object M() => {1f|1d};
object M() => {0.0|-0.0};
object M() => {'a'|97};
object M() => {1.5m|1.50m};
string M() => {""|null};
string M() => "{a|b}";
string M() => "{a|a\\0}";
object M() => DayOfWeek.{Monday|Tuesday};
object M() => {DayOfWeek.Monday|UriKind.Absolute};
bool M() => {true|false};
long M(int n) => {n|(uint)n};
int M(long n) => {unchecked|checked}((int)n);
int M(int a, int b) => a {+|-} b;
int M(int a, int b) => {a - b|b - a};
int M(int a) => a {>>|>>>} 1;
bool M(double a, double b) => {a < b|!(a >= b)};
int M() => Shared.F({1|1L});
int M() => Shared.F{<int>|<long>}();
int M() => Shared.F<{T|U}>();
int M() => {One|Two}.Static();
int M() => One.{Static|Other}();
int M() => One.{field|other};
int M() => {Base<int>|Base<long>}.Value;
int M() => {Base<T>|Base<U>}.Value;
int M(I<int> i, I<long> l) => {i|l}.F();
object M(object o) => o as {string|Version};
object M(object o) => {o as string|(string)o};
object M() => new {One|Two}();
object M() => new object[{1|2}];
object M() => new {int|uint}[1];
object M() => new[] { 1, 2, {3|4} };
int M() { ReadOnlySpan<byte> s = "{a|b}"u8; return s[0]; }
unsafe int M() { int* p = stackalloc int[{1|2}]; return p[0]; }
unsafe int M() => sizeof({T|U});
object M() => default({T|U});
object M() => new Func<int>({One|Two}.Static);
object M() => new {Func<int>|Own}(One.Static);
void M() { try { One.Static(); } catch ({ArgumentException|IOException}) { } }
void M() { try { One.Static(); } catch (Exception e) when (e.Message == "{a|b}") { } }
void M() { try { One.Static(); } {finally|catch} { One.Other(); } }
void M() { try { One.Static(); {|One.Other();} } finally { {One.Other();|} } }
int M(int n) => n switch { 1 => 2, {2|3} => 4, 4 => 5, 5 => 6, _ => 0 };
int M(int n) => n switch { 0 => {2, 1 => 3|3, 1 => 2}, 2 => 4, 3 => 5, _ => 0 };
int M(string s) => s switch { "a" => 1, "{b|c}" => 2, _ => 0 };
object M(int a, int b) => new Func<int>(() => {a - b|b - a});
object M(int a) { int b = {1|a}, c = {a|1}; return new Func<int>(() => b - c); }
object M() { Func<int> f = () => {1|2}; return f; }
int M() { int f() => {1|2}; return f(); }
int M() { {int f() => 1; int g() => 2|int f() => 2; int g() => 1}; return f() - g(); }
IEnumerable<int> M() { yield return {1|2}; yield return 3; }
IEnumerable<int> M(int a, int b) { yield return {a|b}; yield return 3; }
async Task<int> M(Task<int> a, Task<int> b) => await {a|b} - 1;
async Task<int> M(Task<int> a, int b) { int c = b, d = b + 1; await a; return {c - d|d - c}; }
object M(dynamic d) => d.{A|B};
object M(dynamic d) => d.A({1|1L});
volatile int v; int w; int M() => {v|w};
int[,] a = new int[1, 1]; int M() => a[{0, 1|1, 0}];
ref int M(ref int a, ref int b) => ref {a|b};
string M(int n) => $"{{n{:x|:X}}}";
event Action E { add { } remove { } } void M(Action a) => E {+=|-=} a;
object M() => {base|this}.ToString();
Type M() => typeof(({int|long}, int));
int M() { {int|long} n = One.Static(); return (int)(n / 3); }
int M(int? n) => n{.Value| ?? 0};
bool M(object o) => o is {int|long};
bool M(object o) => o is {> 1|>= 1};
""".strip().splitlines()

SHARED = """
using System.Runtime.CompilerServices;
delegate int Own();
interface I<T> { int F(); }
class Base<T> { public static int Value; }
class One { public static int field, other; public static int Static() => field; public static int Other() => other; public class Same { } }
class Two { public static int Static() => 1; public class Same { } }
class Outer<T> { public class Inner<V> { } }
static class Shared
{
    public static object Make<T>(T t) => t;
    public static int F(int n) => n;
    public static int F(long n) => (int)n;
    public static int F<T>() => 1;
    public static object[] Shapes() => new object[] { new { id = 1 }, new { key = 1 }, new { id = 1, key = 1 }, new { key = 1, id = 1 } };
    public static object[] Delegates() => new object[] {
        (ref int x, in int y) => x, (ref int x, ref int y) => x, (int x = 1) => x, (int x = 2) => x, (params int[] x) => x.Length };
}
"""
USING = "".join(f"using {space};\n" for space in (
    "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Threading.Tasks"))
BEFORE = """
static class Before
{
    static object[] Other() => new object[] { new { before = 1 }, new { after = 2, id = "" }, (ref long x) => x, (int x = 9) => x };
}
"""


def side(text, number, name):
    """The first or second way of a pair, for the class of that name."""
    text = re.sub(r"\{([^{}|]*)\|([^{}|]*)\}", lambda m: m.group(1 + number), text)
    return text.replace("{{", "{").replace("}}", "}").replace("@", name)


def write(folder):
    for way, number in (("first", 0), ("second", 1), ("moved", 0)):
        text = USING + SHARED
        for n, pair in enumerate(PAIRS):
            members = side(pair, number, f"Pair{n}")
            around = "    object Before() => new { before = 1 };\n    object Lambda() => new Func<int>(() => 5);\n    // members\n\n"
            if way == "moved":
                members = around + members
            text += f"class Pair{n}<T, U>\n{{\n    {members}\n}}\n"
        with open(f"{folder}/{way}/Pairs.cs", "w", encoding="utf-8") as file:
            file.write(text + (BEFORE if way == "moved" else ""))


def read(path):
    """The codes of each pair, without what was added around."""
    codes = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"[0-9a-f]{8} (Pair\d+)`2(.*): \d+ bytes,.* code ([0-9a-f]+)", line)
            if match and not re.search(r"Before|Lambda|\.c?ctor", match.group(2)):
                codes[match.group(1)].append(match.group(3))
    return codes


def check(paths):
    first, second, moved = (read(path) for path in paths)
    assert len(first) == len(PAIRS), (len(first), len(PAIRS))
    wrong = 0
    for n, pair in enumerate(PAIRS):
        name = f"Pair{n}"
        if first[name] == second[name]:
            print("the same code:", pair)
            wrong += 1
        if first[name] != moved[name]:
            print("not the same where it is moved:", pair)
            wrong += 1
    print(len(PAIRS), "pairs,", wrong, "wrong")
    sys.exit(wrong != 0)


if sys.argv[1] == "--check":
    check(sys.argv[2:])
else:
    write(sys.argv[1])
