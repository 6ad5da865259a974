// Solution.cs - the assemblies of a solution, compiled in this process with the arguments that `dotnet build` gave the compiler
// (arguments.targets), so that a change to their sources becomes a build in a tenth of a second.
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;

namespace Mutants;

/// What a compilation wrote, and what other assemblies can see of it.
sealed record Image(byte[] Dll, byte[]? Pdb, byte[] Visible);

/// A change to sources: trees of one project, each with what replaces it; no old tree for a new file.
sealed record Edit(Project Project, IReadOnlyList<(SyntaxTree? Old, SyntaxTree? New)> Trees, bool Reversed = false);

sealed class Project
{
    public required string Name { get; init; }
    public required CSharpCommandLineArguments Arguments { get; init; }
    public required string[] Needs { get; init; } // names of the solution's own assemblies
    public required (string Name, MetadataReference? Other)[] References { get; init; } // null: an own assembly
    public required SyntaxTree[] Sources { get; init; } // what people wrote
    public required SyntaxTree[] Generated { get; init; } // below obj
    public CSharpCompilation Compilation { get; set; } = null!; // of the unchanged sources
    public Image Image { get; set; } = null!;
}

sealed class Solution
{
    public required Project[] Projects { get; init; } // each behind those that it needs

    public static Solution Load(string folder)
    {
        var read = Directory.GetFiles(folder, "*.rsp").Order(StringComparer.Ordinal).ToDictionary(f => Path.GetFileNameWithoutExtension(f), f => File.ReadAllLines(f));
        var all = read.Select(r => Read(r.Key, r.Value[0], r.Value[1..], read.Keys)).ToList();
        var ordered = new List<Project>();
        while (all.Count > 0)
        {
            var next = all.First(p => p.Needs.All(n => ordered.Any(o => o.Name == n)));
            all.Remove(next);
            ordered.Add(next);
        }
        var solution = new Solution { Projects = ordered.ToArray() };
        foreach (var project in solution.Projects)
        {
            project.Compilation = CSharpCompilation.Create(project.Arguments.CompilationName ?? project.Name, project.Sources.Concat(project.Generated),
                solution.References(project, _ => null), project.Arguments.CompilationOptions.WithConcurrentBuild(false)
                    .WithXmlReferenceResolver(null).WithStrongNameProvider(new DesktopStrongNameProvider(project.Arguments.KeyFileSearchPaths)));
            project.Image = Emit(project, project.Compilation, out var why) ?? throw new InvalidOperationException($"{project.Name} does not compile: {why}");
        }
        return solution;
    }

    static Project Read(string name, string folder, string[] lines, ICollection<string> names)
    {
        var arguments = CSharpCommandLineParser.Default.Parse(lines.Where(l => l.Length > 0), folder, null);
        var references = arguments.MetadataReferences.Select(r => Path.GetFullPath(r.Reference, folder)).ToList();
        var own = references.Where(r => names.Contains(Path.GetFileNameWithoutExtension(r))).ToList();
        var made = arguments.GeneratedFilesOutputDirectory is { } into && Directory.Exists(into) ? Directory.GetFiles(into, "*.cs", SearchOption.AllDirectories) : [];
        var trees = arguments.SourceFiles.Select(f => f.Path).Concat(made)
            .Select(f => Parse(arguments, f, SourceText.From(File.ReadAllText(f), new System.Text.UTF8Encoding(false), arguments.ChecksumAlgorithm))).ToList();
        var generated = trees.Where(t => t.FilePath.Contains("/obj/")).ToArray();
        return new Project
        {
            Name = name, Arguments = arguments, Needs = own.Select(r => Path.GetFileNameWithoutExtension(r)).ToArray(),
            References = references.Select(r => (Path.GetFileNameWithoutExtension(r), own.Contains(r) ? null : (MetadataReference)MetadataReference.CreateFromFile(r))).ToArray(),
            Sources = trees.Except(generated).ToArray(), Generated = generated,
        };
    }

    public static SyntaxTree Parse(CSharpCommandLineArguments arguments, string path, SourceText text) =>
        CSharpSyntaxTree.ParseText(text, arguments.ParseOptions.WithDocumentationMode(DocumentationMode.None), path);

    public static SyntaxTree Parse(Project project, string path, string text) =>
        Parse(project.Arguments, path, SourceText.From(text, new System.Text.UTF8Encoding(false), project.Arguments.ChecksumAlgorithm));

    IEnumerable<MetadataReference> References(Project project, Func<string, Image?> changed) =>
        project.References.Select(r => r.Other ?? MetadataReference.CreateFromImage((changed(r.Name) ?? Projects.First(p => p.Name == r.Name).Image).Dll));

    static Image? Emit(Project project, CSharpCompilation compilation, out string? why)
    {
        using var dll = new MemoryStream();
        using var pdb = new MemoryStream();
        var embedded = project.Arguments.EmitOptions.DebugInformationFormat == DebugInformationFormat.Embedded;
        var options = project.Arguments.EmitOptions.WithOutputNameOverride(project.Arguments.OutputFileName!)
            .WithPdbFilePath(project.Arguments.GetPdbFilePath(project.Arguments.OutputFileName!));
        if (!embedded)
            options = options.WithDebugInformationFormat(DebugInformationFormat.PortablePdb);
        using var resources = compilation.CreateDefaultWin32Resources(true, project.Arguments.NoWin32Manifest, null, null);
        var embeddedTexts = compilation.SyntaxTrees.Where(t => project.Arguments.EmbeddedFiles.Any(f => f.Path == t.FilePath)).Select(t => EmbeddedText.FromSource(t.FilePath, t.GetText()));
        var result = compilation.Emit(dll, embedded ? null : pdb, win32Resources: resources, options: options, manifestResources: project.Arguments.ManifestResources,
            embeddedTexts: embeddedTexts);
        why = result.Success ? null : result.Diagnostics.First(d => d.Severity == DiagnosticSeverity.Error).ToString();
        if (!result.Success)
            return null;
        using var visible = new MemoryStream();
        compilation.Emit(visible, options: new EmitOptions(metadataOnly: true, includePrivateMembers: false));
        return new Image(dll.ToArray(), embedded ? null : pdb.ToArray(), visible.ToArray());
    }

    /// The images that differ after a change, as a build would make them: what depends on an assembly is compiled again if it can see
    /// the change. Null if something does not compile.
    public Dictionary<string, Image>? Build(IReadOnlyList<Edit> edits, out string? why)
    {
        var changed = new Dictionary<string, Image>();
        why = null;
        foreach (var project in Projects)
        {
            var compilation = project.Compilation;
            var edit = edits.FirstOrDefault(e => e.Project == project);
            bool seen = project.Needs.Any(n => changed.TryGetValue(n, out var image) && !image.Visible.AsSpan().SequenceEqual(Projects.First(p => p.Name == n).Image.Visible));
            if (edit == null && !seen)
                continue;
            if (edit != null)
                compilation = Edited(compilation, edit);
            if (seen)
                compilation = compilation.WithReferences(References(project, n => changed.GetValueOrDefault(n)));
            if (Emit(project, compilation, out why) is not { } made)
                return null;
            if (edit != null || !made.Dll.AsSpan().SequenceEqual(project.Image.Dll))
                changed[project.Name] = made;
        }
        return changed;
    }

    static CSharpCompilation Edited(CSharpCompilation compilation, Edit edit)
    {
        foreach (var (before, after) in edit.Trees)
            compilation = before == null ? compilation.AddSyntaxTrees(after!) : after == null ? compilation.RemoveSyntaxTrees(before) : compilation.ReplaceSyntaxTree(before, after);
        if (edit.Reversed)
            compilation = compilation.RemoveAllSyntaxTrees().AddSyntaxTrees(edit.Project.Sources.Reverse().Concat(edit.Project.Generated));
        return compilation;
    }

    /// Writes images beside the files of a build's output folder that stay as they are.
    public static void Write(string output, string into, IEnumerable<KeyValuePair<string, Image>> images)
    {
        var made = images.ToDictionary();
        foreach (var file in Directory.GetFiles(Path.GetFullPath(output), "*", SearchOption.AllDirectories))
        {
            var link = Path.Combine(into, Path.GetRelativePath(output, file));
            Directory.CreateDirectory(Path.GetDirectoryName(link)!);
            if (!made.ContainsKey(Path.GetFileNameWithoutExtension(file)) || Path.GetExtension(file) is not (".dll" or ".pdb"))
                File.CreateSymbolicLink(link, file);
        }
        foreach (var (name, image) in made)
        {
            File.WriteAllBytes(Path.Combine(into, name + ".dll"), image.Dll);
            if (image.Pdb != null)
                File.WriteAllBytes(Path.Combine(into, name + ".pdb"), image.Pdb);
        }
    }

    /// The assemblies of a folder that refer to one of `own`, directly or not, and these.
    public static HashSet<string> Dependants(string folder, IEnumerable<string> own)
    {
        var references = new Dictionary<string, HashSet<string>>();
        foreach (var file in Directory.GetFiles(folder, "*.dll"))
        {
            using var pe = new PEReader(File.OpenRead(file));
            if (!pe.HasMetadata)
                continue;
            var metadata = pe.GetMetadataReader();
            references[Path.GetFileNameWithoutExtension(file)] = metadata.AssemblyReferences.Select(r => metadata.GetString(metadata.GetAssemblyReference(r).Name)).ToHashSet();
        }
        var found = own.ToHashSet();
        while (references.FirstOrDefault(r => !found.Contains(r.Key) && r.Value.Overlaps(found)).Key is { } next)
            found.Add(next);
        return found;
    }
}
