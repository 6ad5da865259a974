"""Writes Dynamic.cs: statements with operands of type `dynamic`, in members of every kind. Each runs once, and ends with
`// branches: HIT/ALL` of those that docs/definitions.md promises; a statement without conditions has 0/0.

    make_dynamic.py INTO [HALF]   only one half, 0 or 1, of the statements of each kind of member; the other kinds have the others"""
import sys

PLAIN = [  # (statement, branches); d is 3, t is true, f is false, s is "abc", o is an Item, n is null, l is a list of 3
    ("Hit(d);", "0/0"),
    ("o.Value = d;", "0/0"),
    ("o.Value += d;", "0/0"),
    ("o.Value -= 1;", "0/0"),
    ("o.Value *= d;", "0/0"),
    ("o.Value++;", "0/0"),
    ("o.Changed += new Action(Nothing);", "0/0"),
    ("o.Changed -= new Action(Nothing);", "0/0"),
    ("o.Next.Value += d;", "0/0"),
    ("o.Value += o.Value += 1;", "0/0"),
    ("Hit(o.Value += 1);", "0/0"),
    ("Hit(o.Value -= d + 1);", "0/0"),
    ("o.Value += t ? 1 : 2;", "1/2"),
    ("o.Changed += t ? new Action(Nothing) : null;", "1/2"),
    ("if ((o.Value += 1) > 0) Hit();", "1/2"),
    ("l[0] += d;", "0/0"),
    ("l[0] -= 1;", "0/0"),
    ("l[0]++;", "0/0"),
    ("d += 1;", "0/0"),
    ("d--;", "0/0"),
    ("int a{0} = d; Hit(a{0});", "0/0"),
    ("string a{0} = (string)s; Hit(a{0});", "0/0"),
    ("long a{0} = checked((long)d + 1); Hit(a{0});", "0/0"),
    ("Hit(new Item(d));", "0/0"),
    ("Hit(new Item {{ Value = d }});", "0/0"),
    ("Hit(o.Add(d, l[0]));", "0/0"),
    ("Hit(Item.Static(d));", "0/0"),
    ("o.Out(out int a{0}); Hit(a{0});", "0/0"),
    ("o.Act();", "0/0"),
    ("Hit($\"{{d}} and {{s}}\");", "0/0"),
    ("Hit(-d + ~d);", "0/0"),
    ("Hit(!t);", "0/0"),
    ("bool a{0} = t; Hit(a{0});", "0/0"),
    ("Hit(d == 3);", "0/0"),
    ("Hit((d, s));", "0/0"),
    ("Hit(d is int);", "0/0"),
    ("Hit(s as string);", "0/0"),
    ("Hit(new[] {{ d, s }});", "0/0"),
    ("Hit(typeof(List<dynamic>));", "0/0"),
    ("Func<dynamic, dynamic> a{0} = x => x + 1; Hit(a{0}(d));", "0/0"),
    ("if (t) Hit();", "1/2"),
    ("if (!f) Hit();", "1/2"),
    ("if (d > 1) Hit();", "1/2"),
    ("if (!(d > 1)) Hit();", "1/2"),
    ("if (d == 3) Hit(); else Hit();", "1/2"),
    ("if (n == null) Hit();", "1/2"),
    ("if (d.Equals(3)) Hit();", "1/2"),
    ("if (t && t) Hit();", "2/4"),
    ("if (t && d > 1) Hit();", "2/4"),
    ("if (f || t) Hit();", "2/4"),
    # The compiler asks for the truth of the left operand again (docs/definitions.md).
    ("if (f && t) Hit();", "2/4"),
    ("if (t || f) Hit();", "1/4"),
    ("if (yes && t) Hit();", "2/4"),
    ("if (t && yes) Hit();", "2/4"),
    ("if (no || t) Hit();", "2/4"),
    ("if (f || yes) Hit();", "2/4"),
    ("if (t && !f) Hit();", "2/4"),
    ("if (!(t && t)) Hit();", "2/4"),
    ("if (t && t && t) Hit();", "3/6"),
    ("if (f || f || t) Hit();", "3/6"),
    ("if (t && t || f) Hit();", "2/6"),
    ("if (d > 1 && d < 9) Hit();", "2/4"),
    ("if ((bool)t && (bool)t) Hit();", "2/4"),
    ("if (t & t) Hit();", "1/2"),
    ("while (t) {{ t = false; Hit(); }}", "2/2"),
    ("while (d > 0) d--;", "2/2"),
    ("do d--; while (d > 0);", "2/2"),
    ("for (dynamic i{0} = 0; i{0} < d; i{0}++) Hit();", "2/2"),
    ("for (int i{0} = 0; i{0} < d; i{0}++) Hit();", "2/2"),
    ("Hit(t ? 1 : 2);", "1/2"),
    ("Hit(t ? d : s);", "1/2"),
    ("Hit(d > 1 ? d : s);", "1/2"),
    ("dynamic a{0} = f ? d : s; Hit(a{0});", "1/2"),
    ("Hit(t && t ? 1 : 2);", "2/4"),
    ("Hit(n ?? d);", "1/2"),
    ("Hit(s ?? n ?? d);", "1/4"),
    ("Hit(o.Null ?? d);", "1/2"),
    ("n ??= d;", "1/2"),
    ("o.Null ??= d;", "1/2"),
    ("l[0] ??= d;", "1/2"),
    ("Hit(s?.Length);", "1/2"),
    ("Hit(n?.Length);", "1/2"),
    ("Hit(o?.Next?.Value);", "2/4"),
    ("Hit(l?[0]);", "1/2"),
    ("n?.Act();", "1/2"),
    ("o?.Act();", "1/2"),
    ("Hit(s?.Length + 1);", "1/2"),
    ("Hit(o?.Null ?? d);", "2/4"),
    ("Hit(o.Null?.Value);", "1/2"),
    ("if (d is int) Hit();", "1/2"),
    ("if (d is int x{0}) Hit(x{0});", "1/2"),
    ("if (d is 3) Hit();", "1/2"),
    ("if (s is not null) Hit();", "1/2"),
    ("if (s is string x{0} && x{0}.Length > 1) Hit();", "2/4"),
    ("if (s is string {{ Length: 3 }}) Hit();", "2/4"),
    ("if (o is Item {{ Value: > 0 }} x{0}) Hit(x{0});", "2/4"),
    ("if (s is \"abc\" or \"def\") Hit();", "1/4"),
    ("Hit(1); switch (d + 0) {{ case 3: Hit(); break; default: Hit(); break; }}", "1/2"),
    ("Hit(1); switch (d) {{ case int: Hit(); break; case string: Hit(); break; }}", "1/3"),
    ("Hit(1); switch (s) {{ case \"abc\": Hit(); break; case \"d\": Hit(); break; default: Hit(); break; }}", "1/3"),
    ("Hit(1); switch (d) {{ case int x{0} when t: Hit(x{0}); break; default: Hit(); break; }}", "2/4"),
    ("Hit((d + 0) switch {{ 3 => 1, \"a\" => 2, _ => 3 }});", "1/3"),
    ("Hit(d switch {{ int x{0} when x{0} > d => 1, _ => 2 }});", "2/4"),
    ("Hit(yes switch {{ true => d, false => s }});", "1/2"),
    ("foreach (var x{0} in l) Hit(x{0});", "2/2"),
    ("foreach (int x{0} in l) Hit(x{0});", "2/2"),
    ("foreach (dynamic x{0} in (List<object>)l) Hit(x{0});", "2/2"),
    ("foreach (char x{0} in s) Hit(x{0});", "2/2"),
    ("foreach (var x{0} in new List<dynamic> {{ d }}) Hit(x{0}.Equals(3));", "2/2"),
    ("using (o) Hit();", "0/0"),
    ("using (dynamic x{0} = o) Hit(x{0});", "0/0"),
    ("using (o.Self()) Hit();", "0/0"),
    ("{{ using dynamic x{0} = o; Hit(x{0}); }}", "0/0"),
    ("{{ using var x{0} = o; Hit(x{0}); }}", "0/0"),
    ("using (IDisposable x{0} = o) Hit(x{0});", "0/0"),
    ("using (n) Hit();", "0/0"),
    ("lock (o) Hit();", "0/0"),
    ("lock (o.Self()) {{ Hit(d); }}", "0/0"),
    ("try {{ throw (Exception)o.Error(); }} catch (Exception e{0}) {{ Hit(e{0}); }}", "0/0"),
    ("try {{ o.Throw(); }} catch (Exception) when (t) {{ Hit(); }}", "1/2"),
    ("try {{ o.Throw(); }} catch (Exception e{0}) when (o.Likes(e{0})) {{ Hit(); }}", "1/2"),
    ("try {{ o.Throw(); }} catch (Exception) when (t && d > 1) {{ Hit(); }}", "2/4"),
    ("try {{ Hit(d); }} finally {{ Hit(s.Length); }}", "0/0"),
    ("try {{ Hit(d); }} finally {{ o.Value += 1; }}", "0/0"),
    ("Hit(from x in (List<object>)l where x.Equals(d) select o.Add(x, d));", "0/0"),
    # No branch depends on the last operand of what is stored (docs/definitions.md).
    ("Hit(((List<object>)l).Where(x => x.Equals(d) && t).Count());", "1/2"),
    ("Hit(t && t);", "1/2"),
    ("bool a{0} = t && f; Hit(a{0});", "1/2"),
    ("dynamic a{0} = f || t || d; Hit(a{0});", "2/4"),
    ("Hit((d + 0) switch {{ 3 => d + 1, \"a\" => s.Length, _ => d - 1 }});", "1/3"),
    ("Hit(t ? d + 1 : s.Length);", "1/2"),
    ("if (o.Next.Next.Value + d > 1 && s.Length + l[0] > 1) Hit();", "2/4"),
]
AWAITS = [
    ("await w;", "0/0"),
    ("await o.Wait();", "0/0"),
    ("await o.Later();", "0/0"),
    ("await (dynamic)o.Later();", "0/0"),
    ("Hit(await o.Later());", "0/0"),
    ("int a{0} = await o.Later(); Hit(a{0});", "0/0"),
    ("dynamic a{0} = await o.Later(); Hit(a{0} + 1);", "0/0"),
    ("d = await o.Later();", "0/0"),
    ("Hit(await o.Later() + await o.Later());", "0/0"),
    ("Hit(d + await o.Later());", "0/0"),
    ("o.Value = await o.Later();", "0/0"),
    ("o.Value += await o.Later();", "0/0"),
    ("l[0] += await o.Later();", "0/0"),
    ("Hit(await w);", "0/0"),
    ("await w.ConfigureAwait(false);", "0/0"),
    ("await o;", "0/0"),
    ("await o.Self();", "0/0"),
    ("await Task.WhenAll((Task)w, (Task)o.Later());", "0/0"),
    ("if (await o.Yes()) Hit();", "1/2"),
    ("if (!await o.Yes()) Hit();", "1/2"),
    ("if (await o.Later() > 1) Hit();", "1/2"),
    ("if (await o.Yes() && await o.Yes()) Hit();", "2/4"),
    ("if (t && await o.Yes()) Hit();", "2/4"),
    ("if (await o.Yes() && yes) Hit();", "2/4"),
    ("while (await o.Later() > 99) Hit();", "1/2"),
    ("Hit(await o.Yes() ? 1 : 2);", "1/2"),
    ("Hit(t ? await o.Later() : await o.Yes());", "1/2"),
    ("Hit(await o.Later() ?? d);", "1/2"),
    ("Hit(n ?? await o.Later());", "1/2"),
    ("n ??= await o.Later();", "1/2"),
    ("Hit((await o.Text())?.Length);", "1/2"),
    ("Hit(await o.Later() switch {{ 3 => 1, \"a\" => 2, _ => 3 }});", "1/3"),
    ("Hit(1); switch (await o.Later()) {{ case 3: Hit(); break; default: Hit(); break; }}", "1/2"),
    ("foreach (var x{0} in await o.List()) Hit(x{0});", "2/2"),
    ("foreach (var x{0} in l) Hit(await o.Later());", "2/2"),
    ("using (await o.Items()) Hit();", "0/0"),
    ("using (o) {{ await o.Later(); }}", "0/0"),
    ("await using (o) Hit();", "0/0"),
    ("await using (o.Self()) {{ await o.Later(); }}", "0/0"),
    ("{{ await using dynamic x{0} = o; Hit(x{0}); }}", "0/0"),
    ("{{ await using var x{0} = o.Self(); await w; }}", "0/0"),
    ("await foreach (dynamic x{0} in Stream()) Hit(x{0} + 1);", "2/2"),
    ("await foreach (var x{0} in (IAsyncEnumerable<dynamic>)o.Stream()) await o.Later();", "2/2"),
    ("try {{ await w; }} finally {{ Hit(); }}", "0/0"),
    ("try {{ Hit(d); }} finally {{ await o.Later(); }}", "0/0"),
    ("try {{ await w; }} finally {{ await o.Later(); }}", "0/0"),
    ("try {{ try {{ o.Throw(); }} catch (Exception) {{ await o.Later(); throw; }} }} catch (Exception) {{ Hit(); }}", "0/0"),
    ("try {{ await o.Fail(); }} catch (Exception) when (t) {{ await w; }}", "1/2"),
]
YIELDS = [
    ("if (w.IsCompleted) yield return 7;", "1/2"),
    ("if (((Task)w).IsCompleted) yield return 7;", "1/2"),
    ("if ((bool)w.IsCompleted) yield return 7;", "1/2"),
    ("if (t) yield return 7;", "1/2"),
    ("yield return d;", "0/0"),
    ("yield return o.Value += 1;", "0/0"),
    ("yield return t ? d : 7;", "1/2"),
]
# Members: what begins one and what ends it; a statement that awaits needs an async one.
PARAMETERS = "dynamic d, dynamic t, dynamic f, dynamic s, dynamic o, dynamic n, dynamic l, dynamic w, bool yes, bool no"
ARGUMENTS = "d, t, f, s, o, n, l, w, yes, no"
MEMBERS = {
    "Method": ("static void {0}({1})\n    {{", "    }}"),
    "Instance": ("class In{0} {{ public void Do({1})\n    {{", "    }} }}\n    static void {0}({1}) => new In{0}().Do({2});"),
    "Generic": ("static void {0}({1}) => G{0}<string>({2});\n    static void G{0}<T>({1})\n    {{", "    }}"),
    "Lambda": ("static void {0}({1})\n    {{ Action a = () =>\n    {{", "    }}; a(); }}"),
    "Free": ("delegate void D{0}({1});\n    static void {0}({1})\n    {{ D{0} a = ({1}) =>\n    {{", "    }}; a({2}); }}"),
    "Local": ("static void {0}({1})\n    {{ Inner(); void Inner()\n    {{", "    }} }}"),
    "Iterator": ("static void {0}({1}) {{ foreach (int i in (IEnumerable<int>)I{0}({2})) {{ }} }}\n    static IEnumerable<int> I{0}({1})\n    {{ yield return 1;",
                 "    yield return 2; }}"),
    "Nested": ("static void {0}({1})\n    {{ try {{ lock (gate)\n    {{", "    }} }} finally {{ Hit(); }} }}"),
}
ASYNC = {
    "Async": ("static async Task {0}({1})\n    {{", "    }}"),
    "AsyncVoidTask": ("static async Task<int> {0}({1})\n    {{ await Task.Yield();", "    return 1; }}"),
    "AsyncLambda": ("static async Task {0}({1})\n    {{ Func<Task> a = async () =>\n    {{", "    }}; await a(); }}"),
    "AsyncLocal": ("static async Task {0}({1})\n    {{ await Inner(); async ValueTask Inner()\n    {{", "    }} }}"),
    "AsyncIterator": ("static async Task {0}({1}) {{ await foreach (int i in (IAsyncEnumerable<int>)I{0}({2})) {{ }} }}\n"
                      "    static async IAsyncEnumerable<int> I{0}({1})\n    {{ yield return 1;", "    yield return 2; }}"),
    "AsyncNested": ("static async Task {0}({1})\n    {{ try {{ using (new Item(1))\n    {{", "    }} }} finally {{ await Task.Yield(); }} }}"),
}
HEAD = """using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

public class Item : IDisposable, IAsyncDisposable
{
    public Item(int value = 0) { Value = value; }
    public int Value { get; set; }
    public object Null { get; set; }
    public Item Next => new Item(1);
    public event Action Changed { add { } remove { } }
    public int Add(object a, object b) => 1;
    public static int Static(int a) => a;
    public void Out(out int a) { a = 1; }
    public void Act() { }
    public Item Self() => this;
    public Exception Error() => new Exception();
    public void Throw() => throw new Exception();
    public bool Likes(Exception e) => true;
    public void Dispose() { }
    public ValueTask DisposeAsync() => default;
    public Task Wait() => Task.CompletedTask;
    public async Task<int> Later() { await Task.Yield(); return 3; }
    public Task<bool> Yes() => Task.FromResult(true);
    public Task<string> Text() => Task.FromResult("abc");
    public Task<List<object>> List() => Task.FromResult(new List<object> { 1, 2 });
    public Task<Item> Items() => Task.FromResult(this);
    public async Task Fail() { await Task.Yield(); throw new Exception(); }
    public async IAsyncEnumerable<object> Stream() { await Task.Yield(); yield return 1; }
    public TaskAwaiter GetAwaiter() => Task.CompletedTask.GetAwaiter();
}

static class Program
{
    static readonly object gate = new object();
    static void Nothing() { }
    static void Hit(object o = null) { }
    static async IAsyncEnumerable<dynamic> Stream() { await Task.Yield(); yield return 1; }
"""


def write(half):
    print(HEAD)
    for row, (kind, (begin, end)) in enumerate({**MEMBERS, **ASYNC}.items()):
        for n, (statement, branches) in enumerate(PLAIN + (AWAITS if kind in ASYNC else []) +
                                                   (YIELDS if "Iterator" in kind else [])):
            if half is not None and (row + n) % 2 != half:
                continue
            name = f"{kind}{n}"
            print("    " + begin.format(name, PARAMETERS, ARGUMENTS))
            print("        " + statement.format(n) + " // branches: " + branches)
            print(end.format(name, PARAMETERS, ARGUMENTS))
    print("""    static async Task<int> Main()
    {
        int failed = 0;
        foreach (var method in typeof(Program).GetMethods(BindingFlags.Static | BindingFlags.NonPublic))
        {
            if (method.GetParameters().Length != 10 || method.IsGenericMethod || !char.IsDigit(method.Name[^1]) || method.Name.Contains('<') ||
                method.Name.StartsWith("I") && method.ReturnType.IsGenericType)
                continue;
            try
            {
                object result = method.Invoke(null, new object[] { 3, true, false, "abc", new Item(1), null, new List<object> { 3, 3, 3 },
                                                                   Task.FromResult(1), true, false });
                if (result is Task task)
                    await task;
            }
            catch (Exception e)
            {
                Console.WriteLine($"{method.Name}: {e.InnerException ?? e}");
                failed = 1;
            }
        }
        return failed;
    }
}""")


with open(sys.argv[1], "w", encoding="utf-8") as out:
    sys.stdout = out
    write(int(sys.argv[2]) if len(sys.argv) > 2 else None)
