#!/usr/bin/env python3
"""make_tests.py FRAMEWORK FOLDER COUNT [NET]: a library of functions F0, F1, ... and a suite in which test TestN runs FN and no other one, in
one of the ways in which .NET hands work on. So it is known which test covers which function. NET is net10.0 or another framework.

    make_tests.py --check DATA [FINISHED]   what a data file says of such a suite; of tests in the file FINISHED all that they cover is
                                            there, of others nothing that is not theirs. Without FINISHED, all have finished.

A test that has finished writes its name to the file $FINISHED, how many milliseconds after the suite was loaded that was, and how many tests
ran then; after $KILL of them, or $KILL_AFTER milliseconds, the program kills itself. WORK: how much a test does besides, about a
microsecond each.

With -p:Program=true, NUnit and MSTest build a program of Microsoft.Testing.Platform, not a library for VSTest."""
import collections
import os
import re
import sqlite3
import sys

WAYS = (
    "{F}(5);",
    "await Task.Yield(); {F}(5); await Task.Yield(); {F}(6);",
    "await Task.Run(() => {F}(5));",
    "Parallel.For(0, 40, i => {{ {F}(i + 5); }});",
    "var fired = new TaskCompletionSource(); using var timer = new Timer(_ => {{ {F}(5); fired.TrySetResult(); }}, null, 2, -1); await fired.Task;",
    "var channel = System.Threading.Channels.Channel.CreateUnbounded<int>(); var reader = Task.Run(async () => {{ await foreach (var x in "
    "channel.Reader.ReadAllAsync()) {F}(x); }}); for (int i = 5; i < 15; i++) {{ await channel.Writer.WriteAsync(i); await Task.Yield(); }} "
    "channel.Writer.Complete(); await reader;",
    "var done = new TaskCompletionSource(); ThreadPool.QueueUserWorkItem(_ => {{ {F}(5); done.SetResult(); }}); await done.Task;",
    "var thread = new Thread(() => {F}(5)); thread.Start(); thread.Join();",
    "await foreach (var x in Items(3)) {F}(x + 5);",
    "await Task.Delay(3).ConfigureAwait(false); {F}(5); await Task.Delay(1).ConfigureAwait(false); {F}(6);",
    "var source = new TaskCompletionSource<int>(); var rest = After(source.Task, x => {F}(x)); var other = Task.Run(() => {{ "
    "source.SetResult(5); {F}(6); }}); await rest; await other; {F}(await Met({F}));",
    "Enumerable.Range(5, 50).AsParallel().Select(x => {F}(x)).ToArray();",
    "await Task.Delay(1).ContinueWith(_ => {F}(5));",
    "await Parallel.ForEachAsync(Enumerable.Range(5, 10), async (x, _) => {{ await Task.Yield(); {F}(x); }});",
    "foreach (var x in Enumerable.Range(5, 3).Select(x => {F}(x))) ;",
    # what is told of each change, also of those after the test, is no code that is measured
    "var told = new System.Collections.Concurrent.ConcurrentQueue<AsyncLocalValueChangedArgs<int>>(); "
    "var own = new AsyncLocal<int>(told.Enqueue); own.Value = 3; await Task.Yield(); {F}(5); own.Value = 4; await Task.Run(() => {F}(6));",
    "await Task.WhenAll(Enumerable.Range(0, 5).Select(async i => {{ await Task.Yield(); {F}(i + 5); }}));",
    "using var gate = new SemaphoreSlim(0); var waiting = Wait(gate, () => {F}(5)); gate.Release(); await waiting; {F}(8);",
)
IN_CLASS = 6

Framework = collections.namedtuple("Framework", "using attribute of_class of_assembly packages properties")
THREADS = "[assembly: CollectionBehavior(MaxParallelThreads = 16)]"
PROGRAM = "\n    <OutputType>Exe</OutputType>"
RUNNER = "\n    <%s Condition=\"'$(Program)' != ''\">true</%s>\n    <OutputType Condition=\"'$(Program)' != ''\">Exe</OutputType>"
FRAMEWORKS = {
    "xunit2": Framework("Xunit", "Fact", "", THREADS,
                        (("Microsoft.NET.Test.Sdk", "17.14.1"), ("xunit", "2.9.3"), ("xunit.runner.visualstudio", "3.1.5")), ""),
    "xunit3": Framework("Xunit", "Fact", "", THREADS, (("xunit.v3", "3.2.1"),), PROGRAM),
    "nunit": Framework("NUnit.Framework", "Test", "[FixtureLifeCycle(LifeCycle.InstancePerTestCase), Parallelizable(ParallelScope.All)]",
                       "[assembly: LevelOfParallelism(16)]",
                       (("Microsoft.NET.Test.Sdk", "17.14.1"), ("NUnit", "4.6.1"), ("NUnit3TestAdapter", "6.3.0")),
                       RUNNER % (("EnableNUnitRunner",) * 2)),
    "mstest": Framework("Microsoft.VisualStudio.TestTools.UnitTesting", "TestMethod", "[TestClass]",
                        "[assembly: Parallelize(Workers = 16, Scope = ExecutionScope.MethodLevel)]",
                        (("Microsoft.NET.Test.Sdk", "17.14.1"), ("MSTest.TestAdapter", "4.4.0"), ("MSTest.TestFramework", "4.4.0")),
                        RUNNER % (("EnableMSTestRunner",) * 2)),
    "tunit": Framework("TUnit.Core", "Test", "", "", (("TUnit", "1.81.10"),), PROGRAM),
}

FUNCTION = """    public static int F%d(int x)
    {
        if (x > %d)
            return Spin(x);
        return x;
    }
"""
LIBRARY = """namespace Lib;

public static class Shared
{
    public static readonly int Base = Functions.Spin(3);
}

public static class Functions
{
    public static int Spin(int x)
    {
        int sum = x;
        for (int i = 0; i < 100; i++)
            sum = sum * 31 + i;
        return sum;
    }

%s}
"""
FLOWS = """namespace Lib;

public static class Flows
{
    public static async IAsyncEnumerable<int> Items(int count)
    {
        foreach (var i in Enumerable.Range(0, count).Select(x => x))
        {
            await Task.Yield();
            yield return i;
        }
    }

    public static async Task After(Task<int> task, Func<int, int> then) => then(await task);

    public static async Task Wait(SemaphoreSlim gate, Func<int> then)
    {
        await gate.WaitAsync();
        then();
    }
}
"""
SUITE = """using %s;
using Lib;
using static Lib.Flows;
%s
namespace Suite;

public class Ways
{
    static readonly object turn = new();
    static readonly System.Diagnostics.Stopwatch clock = System.Diagnostics.Stopwatch.StartNew();
    static readonly int work = int.Parse(Environment.GetEnvironmentVariable("WORK") ?? "0");
    static int finished, running;

    protected Ways() => Interlocked.Increment(ref running);

    [System.Runtime.CompilerServices.ModuleInitializer]
    internal static void Loaded()
    {
        _ = clock.Elapsed;
        if (Environment.GetEnvironmentVariable("KILL_AFTER") is not { } after)
            return;
        var self = System.Diagnostics.Process.GetCurrentProcess();
        new Thread(() =>
        {
            var left = TimeSpan.FromMilliseconds(int.Parse(after)) - clock.Elapsed;
            if (left > TimeSpan.Zero)
                Thread.Sleep(left);
            self.Kill();
        }) { IsBackground = true }.UnsafeStart();
    }

    static readonly System.Collections.Concurrent.ConcurrentQueue<TaskCompletionSource<int>> waiting = new();

    // Lets another test, if one waits, go on right here, on this thread, or waits a moment for one that does so.
    protected static Task<int> Met(Func<int, int> then)
    {
        if (waiting.TryDequeue(out var other) && other.TrySetResult(5))
            return Task.FromResult(then(6));
        var own = new TaskCompletionSource<int>();
        waiting.Enqueue(own);
        using (ExecutionContext.SuppressFlow()) // it may come when the test is over
            _ = Task.Delay(200).ContinueWith(_ => own.TrySetResult(6));
        return own.Task;
    }

    protected static void Finished(string test)
    {
        for (int i = 0; i < work; i++)
            Functions.Spin(i);
        if (Environment.GetEnvironmentVariable("HANG") == test)
            Thread.Sleep(Timeout.Infinite);
        var path = Environment.GetEnvironmentVariable("FINISHED");
        if (path == null)
            return;
        lock (turn)
        {
            File.AppendAllText(path, $"{test} {clock.ElapsedMilliseconds} {running}\\n");
            Interlocked.Decrement(ref running);
            if (++finished == int.Parse(Environment.GetEnvironmentVariable("KILL") ?? "0"))
                System.Diagnostics.Process.GetCurrentProcess().Kill();
        }
    }
}
%s"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>%s</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <NoWarn>$(NoWarn);CS1998;NETSDK1206</NoWarn>%s
  </PropertyGroup>
  <ItemGroup>%s
  </ItemGroup>
</Project>
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def suite(framework, count):
    classes = []
    for first in range(0, count, IN_CLASS):
        lines = [framework.of_class, f"public class Class{first // IN_CLASS} : Ways", "{",
                 f"    public Class{first // IN_CLASS}() => Functions.Spin(Shared.Base);"]
        for number in range(first, min(count, first + IN_CLASS)):
            way = WAYS[number % len(WAYS)].format(F=f"Functions.F{number}")
            kind = "async Task" if "await" in way else "void"
            lines.append(f"    [{framework.attribute}] public {kind} Test{number}() {{ {way} Finished(\"Test{number}\"); }}")
        classes.append("\n".join([*lines, "}"]))
    return SUITE % (framework.using, framework.of_assembly, "\n\n".join(classes) + "\n")


def make(name, folder, count, net="net10.0"):
    framework = FRAMEWORKS[name]
    references = "".join(f'\n    <PackageReference Include="{package}" Version="{version}" />' for package, version in framework.packages)
    references += '\n    <ProjectReference Include="../Lib/Lib.csproj" />'
    write(folder, "Lib/Lib.csproj", PROJECT % (net, "", ""))
    write(folder, "Lib/Functions.cs", LIBRARY % "\n".join(FUNCTION % (number, number % 3) for number in range(count)))
    write(folder, "Lib/Flows.cs", FLOWS)
    write(folder, "Suite/Suite.csproj", PROJECT % (net, framework.properties, references))
    write(folder, "Suite/Tests.cs", suite(framework, count))


def numbers(packed):
    """The numbers of a set (docs/data-file.md)."""
    values, value, shift = [], 0, 0
    for byte in packed:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            values.append(value)
            value = shift = 0
    at = 0
    for gap, length in zip(values[::2], values[1::2]):
        yield from range(at + gap, at + gap + length)
        at += gap + length


def functions_of_tests(database):
    """{test: the functions that it entered}"""
    entries = {(module, entry): name for module, entry, name in
               database.execute("SELECT module, entry_count, name FROM methods WHERE name GLOB 'F[0-9]*'")}
    names = dict(database.execute("SELECT id, name || CASE kind WHEN 0 THEN '' ELSE ' ' || kind END FROM tests"))
    found = {name: set() for name in names.values()}
    for module, counts, tests in database.execute("SELECT module, counts, tests FROM test_hits"):
        entered = {entries[module, count] for count in numbers(counts) if (module, count) in entries}
        for test in numbers(tests):
            found[names[test]] |= entered
    return found


def check(data, finished=None):
    with sqlite3.connect(data) as database:
        found = functions_of_tests(database)
    done = None
    if finished is not None:
        with open(finished, encoding="utf-8") as file:
            done = {line.split()[0] for line in file if line.endswith("\n")}  # the last one may be cut off
    wrong, seen = [], set()
    for test, functions in sorted(found.items()):
        match = re.search(r"\.Test(\d+)$", test)
        own = {f"F{match[1]}"} if match else set()
        if match:
            seen.add(f"Test{match[1]}")
        is_done = match is not None and (done is None or f"Test{match[1]}" in done)
        if functions - own or (is_done and functions != own):
            wrong.append(f"{test}: {sorted(functions)}")
    wrong += [f"{test} has finished, and is not there" for test in sorted((done or set()) - seen)]
    print(f"{len(seen)} tests, {len(wrong)} wrong", *wrong[:20], sep="\n")
    return 1 if wrong or not (seen or finished) else 0


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        sys.exit(check(*sys.argv[2:]))
    make(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
