using System.Collections;
using System.Text;

namespace Differential;

/// <summary>
/// What the generated programs call to note what they do. A statement notes that it began with the first thing that it
/// evaluates, At(n); a condition notes its outcome by passing through Is(n, c), or right before it is evaluated.
/// </summary>
public static class Truth
{
    const int Most = 1 << 20;

    static readonly long[] s_statements = new long[Most];
    static readonly long[] s_outcomes = new long[Most];
    static long s_fuel;

    public sealed class Trouble(int code) : Exception
    {
        public int Code => code;
    }

    /// <summary>Statement n begins.</summary>
    public static int At(int n)
    {
        Interlocked.Increment(ref s_statements[n]);
        return 0;
    }

    /// <summary>Decision n, whose outcomes are n for false and n + 1 for true.</summary>
    public static bool Is(int n, bool value)
    {
        Interlocked.Increment(ref s_outcomes[n + (value ? 1 : 0)]);
        return value;
    }

    /// <summary>The operands of a && b, noted before.</summary>
    public static void Both(int a, bool left, int b, bool right)
    {
        if (Is(a, left))
            Is(b, right);
    }

    public static void Either(int a, bool left, int b, bool right)
    {
        if (!Is(a, left))
            Is(b, right);
    }

    /// <summary>The operands of o is int i && i > low, noted before.</summary>
    public static void IntAbove(int a, int b, object o, int low)
    {
        if (Is(a, o is int))
            Is(b, (int)o > low);
    }

    /// <summary>Is the value there? The outcome of ?. and ??.</summary>
    public static string? Given(int n, string? value)
    {
        Is(n, value != null);
        return value;
    }

    /// <summary>One of `arms` outcomes, of which the last is for any other value.</summary>
    public static int Arm(int n, int value, int arms)
    {
        Interlocked.Increment(ref s_outcomes[n + (value >= 0 && value < arms - 1 ? value : arms - 1)]);
        return value;
    }

    public static string Name(int n, int value, int arms)
    {
        return "arm" + Arm(n, value, arms);
    }

    public static int Throw(int when)
    {
        return when % 5 == 0 ? throw new Trouble(when) : when;
    }

    public static bool Spent()
    {
        return Interlocked.Decrement(ref s_fuel) < 0;
    }

    public static async Task<int> Later(int value)
    {
        if (value % 3 == 0)
            await Task.Yield();
        else if (value % 3 == 1)
            await Task.Delay(0);
        return value % 7 == 6 ? throw new Trouble(value) : value;
    }

    public static async Task<bool> Later(bool value)
    {
        await Task.Yield();
        return value;
    }

    public static string? Text(int value)
    {
        return value % 2 == 0 ? null : "text" + value;
    }

    /// <summary>An int, a text or null.</summary>
    public static object Box(int value)
    {
        return value % 3 == 0 ? value : value % 3 == 1 ? "text" : null!;
    }

    public static List<int> List(int count)
    {
        return [.. new int[count]];
    }

    public static ReadOnlySpan<int> Span(int count)
    {
        return new int[count];
    }

    /// <summary>One for each, so that nobody waits for another.</summary>
    public static object Gate(int unused)
    {
        return new object();
    }

    /// <summary>Runs it on four threads at once.</summary>
    public static void Together(Func<int, int> work)
    {
        var threads = new Thread[4];
        for (int i = 0; i < threads.Length; i++)
        {
            int n = i;
            threads[i] = new Thread(() =>
            {
                try
                {
                    for (int turn = 0; turn < 50; turn++)
                        Use(work(n + turn));
                }
                catch (Trouble)
                {
                }
            });
            threads[i].Start();
        }

        foreach (Thread thread in threads)
            thread.Join();
    }

    /// <summary>Notes each question whether there is more, some of which suspend.</summary>
    public static async IAsyncEnumerable<int> Stream(int n, int count)
    {
        for (int i = 0; Is(n, i < count); i++)
        {
            if (i % 2 == 0)
                await Task.Yield();
            yield return i;
        }
    }

    public static void Use(object? value)
    {
        GC.KeepAlive(value);
    }

    /// <summary>Notes each question whether there is more.</summary>
    public sealed class Numbers(int n, int count) : IEnumerable<int>
    {
        public IEnumerator<int> GetEnumerator() => new Each(n, count);
        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

        sealed class Each(int n, int count) : IEnumerator<int>
        {
            int _at = -1;

            public int Current => _at;
            object IEnumerator.Current => _at;
            public bool MoveNext() => Is(n, ++_at < count);
            public void Reset() => throw new NotSupportedException();
            public void Dispose() => GC.KeepAlive(this);
        }
    }

    public static void Run(Action program)
    {
        s_fuel = 400;
        try
        {
            program();
        }
        catch (Trouble)
        {
        }
        catch (AggregateException)
        {
        }
    }

    /// <summary>
    /// Copies the sources into a folder with the truth on each line. Lines come as the generator marked them, `//#` and
    /// words: s3 is statement 3, c8,2 a decision with outcomes 8 and 9, o8 a statement that ran as often as decision 8 was
    /// asked. Behind `|` stands what is told beside that: with `debug` or `release` for such a build only.
    /// </summary>
    public static void Tell(string sources, string into, int first, int count)
    {
        Directory.CreateDirectory(into);
        for (int program = first; program < first + count; program++)
        {
            var told = new StringBuilder();
            foreach (string line in File.ReadLines(Path.Combine(sources, $"P{program}.cs")))
            {
                int mark = line.IndexOf("//#", StringComparison.Ordinal);
                told.Append(mark < 0 ? line : line[..mark] + Expect(line[(mark + 3)..])).Append('\n');
            }

            File.WriteAllText(Path.Combine(into, $"P{program}.cs"), told.ToString());
        }
    }

    static string Expect(string mark)
    {
        var told = new StringBuilder("// cov:");
        foreach (string part in mark.Split('|'))
        {
            long hits = 0, covered = 0, outcomes = 0;
            string[] words = part.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            foreach (string word in words)
            {
                if (word is "debug" or "release")
                    continue;
                int number = int.Parse(word[1..].Split(',')[0]);
                if (word[0] == 's')
                    hits = Math.Max(hits, s_statements[number]);
                else if (word[0] == 'o')
                    hits = Math.Max(hits, s_outcomes[number] + s_outcomes[number + 1]);
                else if (word[0] == 'c')
                    for (int i = 0; i < int.Parse(word.Split(',')[1]); i++, outcomes++)
                        covered += s_outcomes[number + i] != 0 ? 1 : 0;
            }

            string configuration = words.Contains("debug") ? " debug:" : words.Contains("release") ? " release:" : "";
            told.Append(configuration).Append(" hits=").Append(hits);
            if (outcomes != 0)
                told.Append(" branches=").Append(covered).Append('/').Append(outcomes);
        }

        return told.ToString();
    }
}
