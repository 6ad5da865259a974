// Table.cs - what the results of campaigns come to, by solution, by kind of change and by place. Fails if a change was missed, if a neutral
// one selected a test, or if the median selection of a solution is above a tenth of its tests.
using System.Text.Json;

namespace Mutants;

static class Table
{
    const double MostOfTests = 10; // per cent

    public static int Print(string[] arguments)
    {
        bool edits = arguments.Contains("--edits"); // each made so that a test sees it
        bool small = arguments.Contains("--small"); // too few tests for a share of them to mean anything
        var results = arguments.Where(a => a is not ("--small" or "--edits")).SelectMany(f => JsonSerializer.Deserialize<Result[]>(File.ReadAllText(f))!).ToList();
        var mutants = results.Where(r => !r.Neutral).ToList();
        var neutral = results.Where(r => r.Neutral).ToList();
        Rows("solution", mutants.GroupBy(r => r.Solution));
        Rows("kind of mutant", mutants.GroupBy(r => r.Kind));
        Rows("place", mutants.GroupBy(r => r.Place));
        Console.WriteLine($"{"neutral change",-28} {"number",7} {"selects",8} {"all",6}");
        foreach (var group in neutral.GroupBy(r => r.Kind).OrderBy(g => g.Key, StringComparer.Ordinal))
            Console.WriteLine($"{group.Key,-28} {group.Count(),7} {group.Count(r => r.Selected > 0),8} {group.Count(r => r.All),6}");
        var causes = results.Where(r => r.All).SelectMany(r => r.Causes.DefaultIfEmpty("none named")).GroupBy(c => c).OrderByDescending(g => g.Count()).ToList();
        if (causes.Count > 0)
            Console.WriteLine($"\nwhy all tests were selected ({results.Count(r => r.All)} times):");
        foreach (var cause in causes.Take(30))
            Console.WriteLine($"{cause.Count(),6}  {cause.Key}");
        Console.WriteLine();

        int passed = 0, failed = 0;
        void Check(bool holds, string what)
        {
            _ = holds ? passed++ : failed++;
            Console.WriteLine($"{(holds ? "ok" : "not ok")} - {what}");
        }
        Check(results.All(r => r.Error == null), $"the command answered {results.Count(r => r.Error == null)} of {results.Count} times");
        if (edits)
        {
            Check(mutants.All(r => r.Killed), $"{mutants.Count} edits by hand: the suite sees {mutants.Count(r => r.Killed)}");
            Check(!mutants.Any(r => r.Missed.Length > 0), $"{mutants.Count} edits by hand: not all tests that see it are selected for {mutants.Count(r => r.Missed.Length > 0)}, all tests for {mutants.Count(r => r.All)}");
        }
        else
        {
            Check(mutants.Any(r => r.Killed) && !mutants.Any(r => r.IsMissed), $"{mutants.Count} mutants, of which the suite kills {mutants.Count(r => r.Killed)}: the selected tests miss {mutants.Count(r => r.IsMissed)}");
            Check(!neutral.Any(r => r.Killed), $"{neutral.Count} neutral changes: the suite kills {neutral.Count(r => r.Killed)}");
            Check(!neutral.Any(r => r.Selected > 0 || r.All), $"{neutral.Count} neutral changes: tests are selected for {neutral.Count(r => r.Selected > 0 || r.All)}");
            foreach (var group in mutants.GroupBy(r => r.Solution))
                Check(small || At(group, 0.5) <= MostOfTests, $"{group.Key}: the median selection is {At(group, 0.5):0.0} % of {group.First().Tests} tests");
        }
        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 ? 0 : 1;
    }

    static double At(IEnumerable<Result> results, double part)
    {
        var shares = results.Select(r => r.Share).Order().ToList();
        return shares[Math.Min(shares.Count - 1, (int)(shares.Count * part))];
    }

    static void Rows(string title, IEnumerable<IGrouping<string, Result>> groups)
    {
        Console.WriteLine($"{title,-28} {"number",7} {"killed",7} {"missed",7} {"partly",7} {"median",8} {"p90",8} {"all",5}");
        foreach (var group in groups.OrderBy(g => g.Key, StringComparer.Ordinal))
            Console.WriteLine($"{group.Key,-28} {group.Count(),7} {group.Count(r => r.Killed),7} {group.Count(r => r.IsMissed),7} {group.Count(r => !r.IsMissed && r.Missed.Length > 0),7} " +
                $"{At(group, 0.5),6:0.0} % {At(group, 0.9),6:0.0} % {group.Count(r => r.All),5}");
        Console.WriteLine();
    }
}
