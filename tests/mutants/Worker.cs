// Worker.cs - runs the xunit tests of an output folder in this process, one folder after the other: each in a load context of its own,
// so that nothing static survives. One test at a time, so that it is known which one hangs or brings the process down.
//
//   in    a line a folder: FOLDER|TEST-ASSEMBLY|ASSEMBLY,ASSEMBLY...   those that are loaded anew
//   out   "start TEST", "pass TEST", "skip TEST", "fail TEST|WHY" for each, "error TEXT" for what belongs to none, then "done"
using System.Reflection;
using System.Runtime.Loader;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace Mutants;

static class Worker
{
    public static async Task<int> Run()
    {
        using var output = new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true };
        Console.SetOut(TextWriter.Null);
        var first = Console.ReadLine();
        var culture = Thread.CurrentThread.CurrentCulture;
        for (var line = first; line != null; line = Console.ReadLine())
        {
            var parts = line.Split('|');
            Thread.CurrentThread.CurrentCulture = culture;
            await RunFolder(parts[0], parts[1], parts[2].Split(',').ToHashSet(), output);
            output.WriteLine("done");
            GC.Collect();
        }
        return 0;
    }

    static async Task RunFolder(string folder, string tests, HashSet<string> anew, TextWriter output)
    {
        var context = new AssemblyLoadContext(folder, isCollectible: true);
        context.Resolving += (c, name) => Load(c, folder, name, anew);
        AssemblyLoadContext.Default.Resolving += Shared;
        Assembly? Shared(AssemblyLoadContext c, AssemblyName name) => anew.Contains(name.Name!) ? null : Load(c, folder, name, anew);
        try
        {
            using (context.EnterContextualReflection())
            {
                var assembly = Reflector.Wrap(context.LoadFromAssemblyPath(Path.Combine(folder, tests + ".dll")));
                var sink = new Sink(output);
                var options = new Options();
                using var discoverer = new XunitTestFrameworkDiscoverer(assembly, new NoSource(), sink);
                discoverer.Find(false, sink, options);
                sink.Discovered.Wait();
                using var runner = new XunitTestAssemblyRunner(new TestAssembly(assembly), sink.Cases, sink, sink, options);
                await runner.RunAsync();
            }
        }
        catch (Exception e)
        {
            output.WriteLine("error " + OneLine(e.ToString()));
        }
        AssemblyLoadContext.Default.Resolving -= Shared;
        context.Unload();
    }

    static Assembly? Load(AssemblyLoadContext context, string folder, AssemblyName name, HashSet<string> anew)
    {
        var file = Path.Combine(folder, name.Name + ".dll");
        if (!File.Exists(file))
            return null;
        return anew.Contains(name.Name!) ? context.LoadFromAssemblyPath(file) : AssemblyLoadContext.Default.LoadFromAssemblyPath(file);
    }

    public static string OneLine(string text) => text.ReplaceLineEndings(" ").Replace('|', ' ')[..Math.Min(text.ReplaceLineEndings(" ").Length, 300)];

    sealed class Sink(TextWriter output) : IMessageSink
    {
        public readonly List<IXunitTestCase> Cases = [];
        public readonly ManualResetEventSlim Discovered = new();

        static string Name(ITestMethod method) => method.TestClass.Class.Name + "." + method.Method.Name;

        public bool OnMessage(IMessageSinkMessage message)
        {
            lock (Cases)
                switch (message)
                {
                    case ITestCaseDiscoveryMessage found: Cases.Add((IXunitTestCase)found.TestCase); break;
                    case IDiscoveryCompleteMessage: Discovered.Set(); break;
                    case ITestStarting starting: output.WriteLine("start " + Name(starting.TestMethod)); break;
                    case ITestPassed passed: output.WriteLine("pass " + Name(passed.TestMethod)); break;
                    case ITestSkipped skipped: output.WriteLine("skip " + Name(skipped.TestMethod)); break;
                    case ITestFailed failed: output.WriteLine($"fail {Name(failed.TestMethod)}|{OneLine(failed.ExceptionTypes[0] + ": " + failed.Messages[0])}"); break;
                    case ITestCleanupFailure failed: output.WriteLine($"fail {Name(failed.TestMethod)}|clean-up"); break;
                    case ITestClassCleanupFailure failed: output.WriteLine($"fail {failed.TestClass.Class.Name}|clean-up of the class"); break;
                    case ITestCollectionCleanupFailure failed: output.WriteLine("error clean-up of collection " + failed.TestCollection.DisplayName); break;
                    case IErrorMessage error: output.WriteLine("error " + OneLine(error.ExceptionTypes[0] + ": " + error.Messages[0])); break;
                }
            return true;
        }
    }

    sealed class Options : ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
    {
        readonly Dictionary<string, object?> _values = new()
        {
            ["xunit.discovery.PreEnumerateTheories"] = false,
            ["xunit.execution.DisableParallelization"] = true,
            ["xunit.execution.SynchronousMessageReporting"] = true,
        };

        public TValue GetValue<TValue>(string name) => _values.TryGetValue(name, out var value) ? (TValue)value! : default!;
        public void SetValue<TValue>(string name, TValue value) => _values[name] = value;
    }

    sealed class NoSource : ISourceInformationProvider
    {
        public void Dispose() { }
        public ISourceInformation GetSourceInformation(ITestCase testCase) => new Nowhere();
        sealed class Nowhere : ISourceInformation
        {
            public string? FileName { get; set; }
            public int? LineNumber { get; set; }
            public void Deserialize(IXunitSerializationInfo info) { }
            public void Serialize(IXunitSerializationInfo info) { }
        }
    }
}
