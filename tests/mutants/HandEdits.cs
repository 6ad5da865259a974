// HandEdits.cs - changes that a file lists, each with a test that sees it:
//
//   KIND: WHAT IT IS           a change: the files below, one after the other
//     FILE                     of a project, by the end of its path; otherwise of the output folder
//     - TEXT                   stands there once, with any space around its lines
//     + TEXT                   replaces it; without a line `-`, it stands at the end
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;

namespace Mutants;

sealed record HandEdit(string Kind, string Title, List<(string File, List<string> Old, List<string> New)> Parts)
{
    public static IEnumerable<HandEdit> Read(string file)
    {
        var edits = new List<HandEdit>();
        foreach (var line in File.ReadLines(file).Where(l => l.Trim().Length > 0 && !l.StartsWith('#')))
            if (!line.StartsWith(' '))
                edits.Add(new HandEdit(line[..line.IndexOf(':')], line, []));
            else if (line.TrimStart() is ['-', ' ', ..] old)
                edits[^1].Parts[^1].Old.Add(old[2..]);
            else if (line.TrimStart() is ['+', ..] added)
                edits[^1].Parts[^1].New.Add(added.Length > 2 ? added[2..] : "");
            else
                edits[^1].Parts.Add((line.Trim(), [], []));
        return edits;
    }

    /// What it changes of sources, and the new texts of other files of `output`; `Why`: it cannot.
    public (List<Edit> Edits, Dictionary<string, string> Files, string? Why) Apply(Solution solution, string output)
    {
        var texts = new Dictionary<string, string>();
        var found = new Dictionary<string, (Project Project, SyntaxTree? Tree)>();
        foreach (var (file, old, added) in Parts)
        {
            var (project, tree) = solution.Projects.SelectMany(p => p.Sources.Select(t => (p, t))).FirstOrDefault(s => s.t.FilePath.EndsWith("/" + file, StringComparison.Ordinal));
            if (project == null && file.EndsWith(".cs", StringComparison.Ordinal))
                project = solution.Projects.First(p => p.Name == file.Split('/')[0]);
            if (project != null)
                found[file] = (project, tree);
            if (!texts.TryGetValue(file, out var text))
                text = tree?.GetText().ToString() ?? (project == null ? File.ReadAllText(Path.Combine(output, file)) : "");
            var places = Regex.Matches(text, string.Join(@"\s*\n\s*", old.Select(l => Regex.Escape(l.Trim()))));
            if (old.Count > 0 && places.Count != 1)
                return ([], [], $"\"{old[0]}\" stands {places.Count} times in {file}");
            var after = string.Join('\n', added);
            texts[file] = old.Count == 0 ? text + after + "\n" : text.Remove(places[0].Index, places[0].Length).Insert(places[0].Index, after);
        }
        var edits = found.GroupBy(f => f.Value.Project).Select(g => new Edit(g.Key,
            g.Select(f => (f.Value.Tree, (SyntaxTree?)Solution.Parse(g.Key, f.Value.Tree?.FilePath ?? f.Key, texts[f.Key]))).ToList())).ToList();
        return (edits, texts.Where(t => !found.ContainsKey(t.Key)).ToDictionary(), null);
    }
}
