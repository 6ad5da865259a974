// Program.cs - roslyn ARGUMENTS COUNTED POSITIONS: the assemblies of a build (tests/mutants/arguments.targets), rewritten (Rewriter.cs)
// into COUNTED, a copy of what it wrote.
// What does not compile when rewritten is left as it was: smallest first, up to a whole member. POSITIONS is the folder for a
// NAME.json for each assembly (Positions.cs).
using System.Reflection;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Emit;
using Mutants;
using Roslyn;

if (args is not [var arguments, var counted, var positions])
{
    Console.Error.WriteLine("usage: roslyn ARGUMENTS COUNTED POSITIONS");
    return 2;
}
var solution = Solution.Load(arguments);
var json = new JsonSerializerOptions { WriteIndented = false, PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };
for (int i = 0; i < solution.Projects.Length; i++)
{
    var project = solution.Projects[i];
    File.WriteAllBytes(Path.Combine(counted, project.Name + ".dll"), Rewrite(project, i, out var known));
    File.WriteAllText(Path.Combine(positions, project.Name + ".json"), JsonSerializer.Serialize(known, json));
    foreach (var left in known.Values.SelectMany(k => k.Left).GroupBy(l => l.Why).OrderByDescending(g => g.Count()))
        Console.WriteLine($"{project.Name}\t{left.Count()}\t{left.Key}");
}
return 0;

static byte[] Rewrite(Project project, int index, out Dictionary<string, Positions> known)
{
    var plain = project.Compilation.WithOptions(project.Compilation.Options.WithAllowUnsafe(true).WithGeneralDiagnosticOption(ReportDiagnostic.Default)
        .WithSpecificDiagnosticOptions([]).WithWarningLevel(0));
    var unreachable = plain.WithOptions(plain.Options.WithWarningLevel(4)).GetDiagnostics().Where(d => d.Id == "CS0162").Select(d => (d.Location.SourceTree!, d.Location.SourceSpan.Start)).ToHashSet();
    var failed = new Dictionary<string, string>(); // sites that do not compile, and the compiler's reason
    var counting = SyntaxFactory.UsingDirective(SyntaxFactory.ParseName($"__Counts{index}")).NormalizeWhitespace();
    for (int round = 0; round < 100; round++)
    {
        var rewriters = new Dictionary<string, Rewriter>();
        var compilation = plain;
        int counters = 0;
        foreach (var tree in project.Sources)
        {
            var rewriter = new Rewriter(plain.GetSemanticModel(tree), index, failed, unreachable, counters);
            var root = ((CompilationUnitSyntax)rewriter.Visit(tree.GetRoot())!).AddUsings(counting);
            counters = rewriter.Counters;
            rewriters[tree.FilePath] = rewriter;
            compilation = compilation.ReplaceSyntaxTree(tree, tree.WithRootAndOptions(root, tree.Options));
        }
        using var resource = new StreamReader(Assembly.GetExecutingAssembly().GetManifestResourceStream("Counts.cs")!);
        var text = resource.ReadToEnd().Replace("INDEX", index.ToString()).Replace("SIZE", (counters + 1).ToString()).Replace("NAME", project.Name);
        var counts = CSharpSyntaxTree.ParseText(text, project.Arguments.ParseOptions);
        compilation = compilation.RemoveAllSyntaxTrees().AddSyntaxTrees([counts, .. compilation.SyntaxTrees]);
        using var dll = new MemoryStream();
        var result = compilation.Emit(dll, options: new EmitOptions().WithOutputNameOverride(project.Arguments.OutputFileName!),
            manifestResources: project.Arguments.ManifestResources);
        if (result.Success)
        {
            foreach (var rewriter in rewriters.Values)
                rewriter.ShareLines();
            known = rewriters.ToDictionary(r => r.Key, r => r.Value.Positions);
            return dll.ToArray();
        }
        foreach (var error in result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error))
        {
            var site = error.Location.SourceTree?.GetRoot().FindNode(error.Location.SourceSpan, getInnermostNodeForTie: true).AncestorsAndSelf()
                .SelectMany(n => n.GetAnnotations(Rewriter.Site)).FirstOrDefault()?.Data;
            failed[site ?? throw new InvalidOperationException($"{project.Name} cannot be rewritten: {error}")] = error.Id;
        }
    }
    throw new InvalidOperationException($"{project.Name} cannot be rewritten");
}
