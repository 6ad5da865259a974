// Generator.cs - writes a solution of a seed: three libraries that call each other and a suite of xunit tests for them. What a test expects
// is what the libraries give: they are compiled and asked while the suite is written.
using System.Globalization;
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Mutants;

/// A test: statements, and the expression whose value it expects. With rows it is a theory of `x`.
sealed record Test(string Name, string Body, string Result, int[]? Rows = null);

/// What one topic is: its source; how others call it, with an int for an int; its tests, which may use `made`; what makes that.
sealed record Topic(string Name, string Source, Func<string, string> Use, string Type, string Made, List<Test> Tests);

static class Generator
{
    static readonly string[] Libraries = ["Core", "Domain", "App"];

    const string Usings = "global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq; global using System.Threading; global using System.Threading.Tasks;\n";

    const string Helpers = """
        namespace Suite;

        public static class Given
        {
            public static int[] Numbers(int count) => Enumerable.Range(1, count).Select(i => i * Step + Offset(i)).ToArray();
            public static string Word(int length) => new string(Enumerable.Range(0, length).Select(i => (char)('a' + i % 26)).ToArray());
            const int Step = 3;
            static int Offset(int i) => i % 4 == 0 ? 2 : -1;
        }

        public static class Caught
        {
            public static string By(Action action)
            {
                try
                {
                    action();
                    return "nothing";
                }
                catch (Exception e)
                {
                    return e.GetType().Name + ": " + e.Message;
                }
            }
        }

        """;

    const string Bases = """
        using Xunit;

        namespace Suite;

        /// What holds for everything that can be described.
        public abstract class DescribedTests<T>
        {
            protected abstract T Make();
            protected abstract string Expected { get; }

            [Fact]
            public void Has_a_text() => Assert.Equal(Expected, Make()!.ToString());

            [Fact]
            public virtual void Is_equal_to_itself()
            {
                var made = Make();
                Assert.True(made!.Equals(made));
                Assert.Equal(made.GetHashCode(), made.GetHashCode());
            }
        }

        public abstract class Log : IDisposable
        {
            protected readonly List<string> Entries = [];
            protected Log() => Entries.Add("set up");
            public virtual void Dispose() => Entries.Clear();
        }

        public static class Check
        {
            public static void Same<T>(T expected, T actual, bool strictly = true)
            {
                if (strictly)
                    Assert.StrictEqual(expected, actual);
                else
                    Assert.Equal(expected, actual);
            }
        }

        public sealed class Culture : IDisposable
        {
            readonly System.Globalization.CultureInfo _before = System.Globalization.CultureInfo.CurrentCulture;
            public Culture() => System.Globalization.CultureInfo.CurrentCulture = System.Globalization.CultureInfo.InvariantCulture;
            public void Dispose() => System.Globalization.CultureInfo.CurrentCulture = _before;
        }

        [CollectionDefinition("culture")]
        public class CultureCollection : ICollectionFixture<Culture>;

        """;

    public static void Write(int seed, int count, string folder)
    {
        var random = new Random(seed);
        var topics = new List<Topic>();
        var sources = new Dictionary<string, string>();
        for (int i = 0; i < count; i++)
        {
            // Half of what is written calls something that is there; in its own library or below, for those are written first.
            var other = topics.Count > 0 && random.Next(2) == 0 ? topics[random.Next(topics.Count)] : null;
            var library = Libraries[i * Libraries.Length / count];
            var topic = Topics.Make(random, i, library, x => other == null ? x : other.Use(x));
            topics.Add(topic);
            var below = Libraries.TakeWhile(l => l != library).Select(l => $"using {l};\n");
            sources[$"{library}/{topic.Name}.cs"] = $"{string.Concat(below)}\nnamespace {library};\n\n{topic.Source}";
        }
        var values = Values(topics, sources.Values);
        for (int l = 0; l < Libraries.Length; l++)
            sources[$"{Libraries[l]}/{Libraries[l]}.csproj"] = ProjectFile("", Libraries[..l]);
        sources["Suite/Suite.csproj"] = ProjectFile("""<PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.14.1" /><PackageReference Include="xunit" Version="2.9.3" /><PackageReference Include="xunit.runner.visualstudio" Version="3.1.5" />""", Libraries);
        sources["Suite/Given.cs"] = Helpers;
        sources["Suite/Bases.cs"] = Bases;
        foreach (var topic in topics)
            sources[$"Suite/{topic.Name}Tests.cs"] = Suite(random, topic, values);
        sources["Directory.Build.props"] = "<Project />\n";
        sources["Directory.Build.targets"] = "<Project />\n";
        foreach (var (name, text) in sources)
        {
            var path = Path.Combine(folder, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, text);
        }
    }

    static string ProjectFile(string packages, string[] needs) => $"""
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <TargetFramework>net10.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable>
            <NoWarn>$(NoWarn);CS1591;CS8618;CS0659;CS0661;CS1998</NoWarn><SatelliteResourceLanguages>en</SatelliteResourceLanguages>
          </PropertyGroup>
          <ItemGroup>{packages}{string.Concat(needs.Select(n => $"<ProjectReference Include=\"../{n}/{n}.csproj\" />"))}</ItemGroup>
        </Project>

        """;

    static string Key(Topic topic, Test test, int? row) => $"{topic.Name}_{test.Name}_{(row is { } r ? r.ToString(CultureInfo.InvariantCulture).Replace('-', 'm') : "")}";

    static IEnumerable<(Topic Topic, Test Test, int? Row)> Cases(IEnumerable<Topic> topics) =>
        topics.SelectMany(t => t.Tests.SelectMany(s => s.Rows == null ? [(t, s, (int?)null)] : s.Rows.Select(r => (t, s, (int?)r))));

    /// What each test gets, as C# writes it.
    static Dictionary<string, string> Values(List<Topic> topics, IEnumerable<string> sources)
    {
        var asked = new StringBuilder(string.Concat(Libraries.Select(l => $"using {l};\n")) + "using Suite;\npublic static class Asked\n{\n");
        foreach (var (topic, test, row) in Cases(topics))
            asked.AppendLine($"public static async Task<object> {Key(topic, test, row)}() {{ {(row is { } r ? $"int x = {r};" : "")} var made = {topic.Made}; {test.Body} return {test.Result}; }}");
        foreach (var topic in topics)
            asked.AppendLine($"public static async Task<object> {topic.Name}_text() => ({topic.Made})!.ToString()!;");
        asked.AppendLine("}");
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(':').Where(f => Path.GetFileName(f).StartsWith("System.", StringComparison.Ordinal)).Select(f => MetadataReference.CreateFromFile(f));
        var trees = sources.Where(s => !s.StartsWith("<Project")).Append(Usings).Append(Helpers).Append(asked.ToString()).Select(s => CSharpSyntaxTree.ParseText(s));
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable);
        using var dll = new MemoryStream();
        var result = CSharpCompilation.Create("Asked", trees, references, options).Emit(dll);
        if (!result.Success)
            throw new InvalidOperationException(string.Join('\n', result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).Take(10).Select(d => $"{d}: {d.Location.SourceTree?.GetText().Lines[d.Location.GetLineSpan().StartLinePosition.Line]}")));
        dll.Position = 0;
        var type = AssemblyLoadContext.Default.LoadFromStream(dll).GetType("Asked")!;
        return type.GetMethods(BindingFlags.Static | BindingFlags.Public).Where(m => m.ReturnType == typeof(Task<object>)).ToDictionary(m => m.Name, m =>
        {
            try
            {
                return Literal(((Task<object>)m.Invoke(null, null)!).Result);
            }
            catch (Exception e)
            {
                throw new InvalidOperationException(m.Name, e);
            }
        });
    }

    static string Literal(object value) => value switch
    {
        string s => SymbolDisplay.FormatLiteral(s, true),
        bool b => b ? "true" : "false",
        long n => n.ToString(CultureInfo.InvariantCulture) + "L",
        int n => n.ToString(CultureInfo.InvariantCulture),
        _ => throw new NotSupportedException(value.GetType().Name),
    };

    static string TypeOf(string literal) => literal[0] == '"' ? "string" : literal is "true" or "false" ? "bool" : literal.EndsWith('L') ? "long" : "int";

    static string Suite(Random random, Topic topic, Dictionary<string, string> values)
    {
        var name = topic.Name + "Tests";
        int style = random.Next(5); // how a test gets what it tests
        var text = new StringBuilder(string.Concat(Libraries.Select(l => $"using {l};\n")) + "using Xunit;\n\nnamespace Suite;\n\n");
        if (style == 1)
            text.Append($"public sealed class {topic.Name}Fixture\n{{\n    public {topic.Type} Made {{ get; }} = {topic.Made};\n}}\n\n");
        var bases = style switch { 1 => $" : IClassFixture<{topic.Name}Fixture>", 2 => " : Log", 3 => $" : DescribedTests<{topic.Type}>", 4 => " : IAsyncLifetime", _ => "" };
        if (random.Next(8) == 0)
            text.Append("[Collection(\"culture\")]\n");
        text.Append($"public class {name}{bases}\n{{\n");
        text.Append(style switch
        {
            1 => $"    readonly {topic.Type} made;\n\n    public {name}({topic.Name}Fixture fixture) => made = fixture.Made;\n",
            2 => $"    readonly {topic.Type} made;\n\n    public {name}()\n    {{\n        made = {topic.Made};\n        Entries.Add(\"made\");\n    }}\n",
            3 => $"    protected override {topic.Type} Make() => {topic.Made};\n    protected override string Expected => {values[topic.Name + "_text"]};\n",
            4 => $"    {topic.Type} made = default!;\n\n    public async Task InitializeAsync()\n    {{\n        await Task.Yield();\n        made = {topic.Made};\n    }}\n\n    public Task DisposeAsync() => Task.CompletedTask;\n",
            _ => "",
        });
        foreach (var test in topic.Tests)
        {
            var made = style is 0 or 3 ? $"var made = {topic.Made};\n        " : "";
            bool waits = test.Body.Contains("await ") || test.Result.Contains("await ");
            var head = waits ? "public async Task" : "public void";
            if (test.Rows == null)
            {
                var expected = values[Key(topic, test, null)];
                var assertion = random.Next(3) == 0 ? $"Check.Same({expected}, {test.Result});" : $"Assert.Equal({expected}, {test.Result});";
                text.Append($"\n    [Fact]\n    {head} {test.Name}()\n    {{\n        {made}{test.Body}\n        {assertion}\n    }}\n");
                continue;
            }
            var rows = test.Rows.Select(r => (Row: r, Value: values[Key(topic, test, r)])).ToList();
            var data = random.Next(2) == 0 ? string.Concat(rows.Select(r => $"    [InlineData({r.Row}, {r.Value})]\n")) : $"    [MemberData(nameof({test.Name}_rows))]\n";
            if (data.Contains("MemberData"))
                text.Append($"\n    public static IEnumerable<object[]> {test.Name}_rows()\n    {{\n{string.Concat(rows.Select(r => $"        yield return [{r.Row}, {r.Value}];\n"))}    }}\n");
            text.Append($"\n    [Theory]\n{data}    {head} {test.Name}(int x, {TypeOf(rows[0].Value)} expected)\n    {{\n        {made}{test.Body}\n        Assert.Equal(expected, {test.Result});\n    }}\n");
        }
        return text.Append("}\n").ToString();
    }
}
