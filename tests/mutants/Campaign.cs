// Campaign.cs - changes a solution many times; asks for each change which tests fail, and which `ilcov affected` selects.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Mutants;

sealed record Options
{
    public required string Name { get; init; } // of the solution, for the tables
    public required string Arguments { get; init; } // folder of arguments.targets
    public required string Output { get; init; } // what BASE was recorded with
    public required string Tests { get; init; } // name of the test assembly
    public required string[] Affected { get; init; } // the command, to which the folder of the new build is added
    public required string Work { get; init; } // a folder for builds
    public required string Results { get; init; } // file to write
    public int Seed { get; init; } = 1;
    public int Mutants { get; init; } = 100;
    public int Neutral { get; init; } = 30;
    public int Jobs { get; init; } = 2;
    public string? Only { get; init; } // a kind
    public string? Edits { get; init; } // a file of changes, in place of mutants and neutral changes

    public static Options Parse(string[] arguments)
    {
        var values = arguments.Chunk(2).ToDictionary(a => a[0], a => a[1]);
        string Text(string name) => values.TryGetValue(name, out var value) ? value : throw new ArgumentException($"{name} is missing");
        int Number(string name, int otherwise) => values.TryGetValue(name, out var value) ? int.Parse(value) : otherwise;
        return new Options
        {
            Name = Text("--name"), Arguments = Text("--arguments"), Output = Text("--output"), Tests = Text("--tests"), Affected = Text("--affected").Split(' '), Work = Text("--work"),
            Results = Text("--results"), Seed = Number("--seed", 1), Mutants = Number("--mutants", 100), Neutral = Number("--neutral", 30), Jobs = Number("--jobs", 2),
            Only = values.GetValueOrDefault("--only"), Edits = values.GetValueOrDefault("--edits"),
        };
    }
}

/// What a change showed. `Failing` are the tests that fail with it and not without, or are new with an edit by hand, `Missed` those of them that were not selected.
sealed record Result(string Solution, string Kind, string Place, string Where, bool Neutral, bool Killed, string[] Failing, string? Unknown, string[] Missed, int Selected, int Tests,
    bool All, string[] Causes, string[] Examples, string? Error)
{
    /// The suite sees the change, the selected tests do not.
    public bool IsMissed => Killed && (Failing.Length > 0 ? Missed.Length == Failing.Length : Selected == 0);
    public double Share => Tests == 0 ? 0 : 100.0 * Selected / Tests;
}

sealed class Campaign(Options options)
{
    sealed record Work(string Kind, string Place, string Where, bool Neutral, string Folder);
    sealed record Selection(HashSet<string> Tests, bool All, string[] Causes, string? Error);

    readonly Solution _solution = Solution.Load(options.Arguments);
    HashSet<string> _tests = [], _unsteady = [];
    TimeSpan _limit;
    bool _isComplete = true; // each edit could be made

    public int Run()
    {
        var anew = Solution.Dependants(options.Output, _solution.Projects.Select(p => p.Name));
        using (var suite = new Suite(options.Tests, anew))
        {
            var runs = new[] { suite.Run(options.Output, TimeSpan.FromMinutes(10)), suite.Run(options.Output, TimeSpan.FromMinutes(10)), suite.Run(options.Output, TimeSpan.FromMinutes(10)) };
            _tests = runs[0].Passed.Concat(runs[0].Failed.Keys).ToHashSet();
            _unsteady = runs.SelectMany(r => r.Failed.Keys).ToHashSet();
            _limit = TimeSpan.FromSeconds(5) + 5 * runs[0].Took;
            if (_tests.Count == 0 || runs.Any(r => r.Unknown != null))
                throw new InvalidOperationException($"the suite does not run: {runs[0].Unknown}");
            Console.WriteLine($"{options.Name}: {_tests.Count} tests in {runs[2].Took.TotalSeconds:0.0} s; left out, because they fail without a change: {_unsteady.Count}");
            foreach (var test in _unsteady)
                Console.WriteLine($"    {test}: {runs.Select(r => r.Failed.GetValueOrDefault(test)).First(w => w != null)}");
        }
        var results = new ConcurrentBag<Result>();
        using var queue = new BlockingCollection<Work>(options.Jobs + 1);
        var jobs = Enumerable.Range(0, options.Jobs).Select(_ => Task.Factory.StartNew(() =>
        {
            using var suite = new Suite(options.Tests, anew);
            try
            {
                foreach (var work in queue.GetConsumingEnumerable())
                {
                    var result = Judge(suite, work);
                    results.Add(result);
                    Say(result);
                    Directory.Delete(work.Folder, true);
                }
            }
            catch
            {
                queue.CompleteAdding(); // nobody may take any more
                throw;
            }
        }, TaskCreationOptions.LongRunning)).ToArray();
        try
        {
            foreach (var work in options.Edits is { } edits ? Edited(edits) : Mutated().Take(options.Mutants).Concat(Unchanged()))
                queue.Add(work);
        }
        catch (InvalidOperationException) when (queue.IsAddingCompleted)
        {
            // A job failed: waiting for all says why.
        }
        queue.CompleteAdding();
        Task.WaitAll(jobs);
        File.WriteAllText(options.Results, JsonSerializer.Serialize(results.OrderBy(r => r.Neutral).ThenBy(r => r.Kind).ThenBy(r => r.Where)));
        return _isComplete ? 0 : 1;
    }

    /// Each kind in each place is as likely as any other, so that what is rare is tried, too. One in six changes tests.
    IEnumerable<Work> Mutated()
    {
        var random = new Random(options.Seed);
        List<List<Mutation>> Piles(bool tests) => _solution.Projects.Where(p => (p.Name == options.Tests) == tests).SelectMany(p => Mutations.All(p, tests))
            .Where(m => options.Only == null || m.Kind == options.Only).GroupBy(m => (m.Kind, m.Place)).OrderBy(g => g.Key.Kind, StringComparer.Ordinal).ThenBy(g => g.Key.Place, StringComparer.Ordinal).Select(g => g.ToList()).ToList();
        var (products, tests) = (Piles(false), Piles(true));
        for (int number = 0; products.Count + tests.Count > 0;)
        {
            var piles = products.Count == 0 || tests.Count > 0 && random.Next(6) == 0 ? tests : products;
            var pile = piles[random.Next(piles.Count)];
            int i = random.Next(pile.Count);
            var mutation = pile[i];
            pile[i] = pile[^1];
            pile.RemoveAt(pile.Count - 1);
            if (pile.Count == 0)
                piles.Remove(pile);
            if (random.Next(4) == 0)
                mutation = mutation with { Shifted = true };
            if (Built([mutation.Edit()], "m" + number, out _) is { } folder)
            {
                number++;
                yield return new Work(mutation.Kind, mutation.Place, mutation.ToString(), false, folder);
            }
        }
    }

    IEnumerable<Work> Unchanged()
    {
        var random = new Random(options.Seed + 1);
        var neutral = new Neutral(random);
        for (int made = 0, tried = 0; made < options.Neutral && tried < options.Neutral * 100; tried++)
        {
            var kind = Neutral.Kinds[(made + tried / 100) % Neutral.Kinds.Length];
            if (neutral.Make(kind, _solution.Projects[random.Next(_solution.Projects.Length)]) is { } change && Built([change.Edit], "n" + made, out _, same: true) is { } folder)
            {
                made++;
                yield return new Work(change.Kind, change.Edit.Project.Name == options.Tests ? "test" : "product", change.Where, true, folder);
            }
        }
    }

    IEnumerable<Work> Edited(string file)
    {
        foreach (var (edit, number) in HandEdit.Read(file).Where(e => options.Only == null || e.Kind == options.Only).Select((e, i) => (e, i)))
        {
            var (edits, files, why) = edit.Apply(_solution, options.Output);
            if (why != null || Built(edits, "e" + number, out why, same: true) is not { } folder)
            {
                Console.WriteLine($"NOT MADE: {edit.Title}: {why}");
                _isComplete = false;
                continue;
            }
            foreach (var (path, text) in files)
            {
                File.Delete(Path.Combine(folder, path));
                File.WriteAllText(Path.Combine(folder, path), text);
            }
            yield return new Work(edit.Kind, "", edit.Title, false, folder);
        }
    }

    /// The folder of the new build; null if it does not compile or is the old one.
    string? Built(IReadOnlyList<Edit> edits, string name, out string? why, bool same = false)
    {
        if (_solution.Build(edits, out why) is not { } images || !same && images.All(i => i.Value.Dll.AsSpan().SequenceEqual(_solution.Projects.First(p => p.Name == i.Key).Image.Dll)))
            return null;
        var folder = Path.Combine(options.Work, $"{options.Name}-{name}");
        if (Directory.Exists(folder))
            Directory.Delete(folder, true);
        Solution.Write(options.Output, folder, images);
        return folder;
    }

    Result Judge(Suite suite, Work work)
    {
        var selection = Select(work.Folder);
        var result = Result(work, selection, suite.Run(work.Folder, _limit));
        // Before it is called a miss: the same again, in a process that has run nothing else.
        if (result.IsMissed || work.Neutral && result.Killed)
        {
            foreach (var test in suite.Run(options.Output, _limit, fresh: true).Failed.Keys)
                lock (_unsteady)
                    _unsteady.Add(test);
            result = Result(work, selection, suite.Run(work.Folder, _limit * 2, fresh: true));
        }
        return result;
    }

    Result Result(Work work, Selection selection, Outcome outcome)
    {
        string[] failing;
        lock (_unsteady)
            failing = outcome.Failed.Keys.Where(t => !_unsteady.Contains(t)).Concat(options.Edits == null ? [] : outcome.Passed.Where(t => !_tests.Contains(t))).Order(StringComparer.Ordinal).ToArray();
        var missed = failing.Where(t => !selection.All && !IsSelected(selection.Tests, t)).ToArray();
        int selected = selection.All ? _tests.Count : _tests.Count(t => IsSelected(selection.Tests, t));
        return new Result(options.Name, work.Kind, work.Place, work.Where, work.Neutral, failing.Length > 0 || outcome.Unknown != null, failing, outcome.Unknown, missed, selected, _tests.Count,
            selection.All, selection.Causes, failing.Take(3).Select(t => $"{t}: {outcome.Failed.GetValueOrDefault(t, "new")}").ToArray(), selection.Error);
    }

    /// A class selects its tests, and a test that fails as a class is selected with any of them.
    static bool IsSelected(HashSet<string> selected, string test)
    {
        var name = Plain(test);
        var dot = name.LastIndexOf('.');
        return selected.Contains(name) || dot > 0 && selected.Contains(name[..dot]) || selected.Any(s => s.StartsWith(name + ".", StringComparison.Ordinal));
    }

    static string Plain(string name) => Regex.Replace(name, @"`\d+|<[^<>]*>", "").Replace('+', '.').Replace('/', '.');

    Selection Select(string folder)
    {
        var start = new ProcessStartInfo(options.Affected[0], [.. options.Affected[1..], folder]) { RedirectStandardOutput = true, RedirectStandardError = true };
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        try
        {
            if (process.ExitCode != 0)
                throw new InvalidDataException($"status {process.ExitCode}: {errors.Result.Trim()}");
            using var json = JsonDocument.Parse(output);
            var root = json.RootElement;
            return new Selection(root.GetProperty("tests").EnumerateArray().Select(t => Plain(t.ValueKind == JsonValueKind.String ? t.GetString()! : t.GetProperty("name").GetString()!)).ToHashSet(),
                root.GetProperty("all").GetArrayLength() > 0, root.GetProperty("all").EnumerateArray().Select(c => c.ToString()).ToArray(), null);
        }
        catch (Exception e) when (e is JsonException or InvalidDataException or KeyNotFoundException)
        {
            return new Selection([], false, [], e.Message);
        }
    }

    void Say(Result result)
    {
        var text = result.Error != null ? $"ERROR {result.Error}"
            : result.Neutral && result.Killed ? "NOT NEUTRAL"
            : options.Edits != null && !result.Killed ? "NOT SEEN"
            : result.Neutral && result.Selected > 0 ? $"SELECTED {result.Selected} for nothing{(result.All ? ", all" : "")}"
            : result.IsMissed ? "MISSED"
            : result.Missed.Length > 0 ? $"selected, but not all that fail: {result.Missed.Length} of {result.Failing.Length} not"
            : result.All ? "all tests" : null;
        if (text == null)
            return;
        lock (typeof(Campaign))
        {
            Console.WriteLine($"{text}: {result.Kind}, {result.Place}: {result.Where}");
            foreach (var line in result.Causes.Take(3).Select(c => "cause: " + c).Concat(result.Missed.Take(3).Select(t => $"not selected: {result.Examples.FirstOrDefault(e => e.StartsWith(t)) ?? t}")).Concat(result.Unknown is { } u ? [$"fails: {u}"] : []))
                Console.WriteLine($"    {line}");
        }
    }
}
