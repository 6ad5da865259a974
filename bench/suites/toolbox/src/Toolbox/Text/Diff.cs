namespace Toolbox.Text;

public enum EditKind
{
    Keep,
    Delete,
    Insert,
}

public readonly record struct Edit<T>(EditKind Kind, T Item)
{
    public override string ToString() => Kind switch
    {
        EditKind.Delete => $"-{Item}",
        EditKind.Insert => $"+{Item}",
        _ => $" {Item}",
    };
}

/// <summary>The shortest way from one sequence to another, after Myers.</summary>
public static class Diff
{
    public static List<Edit<T>> Compare<T>(IReadOnlyList<T> before, IReadOnlyList<T> after, IEqualityComparer<T>? comparer = null)
    {
        comparer ??= EqualityComparer<T>.Default;
        var trace = FindTrace(before, after, comparer);
        return Backtrack(before, after, trace);
    }

    public static List<Edit<string>> CompareLines(string before, string after)
    {
        return Compare(before.Split('\n'), after.Split('\n'));
    }

    public static List<T> Apply<T>(IEnumerable<Edit<T>> edits)
    {
        return edits.Where(e => e.Kind != EditKind.Delete).Select(e => e.Item).ToList();
    }

    public static int Distance<T>(IReadOnlyList<T> before, IReadOnlyList<T> after)
    {
        return Compare(before, after).Count(e => e.Kind != EditKind.Keep);
    }

    // For each number of edits the furthest x on each diagonal, as it was before that round.
    private static List<int[]> FindTrace<T>(IReadOnlyList<T> before, IReadOnlyList<T> after, IEqualityComparer<T> comparer)
    {
        int most = before.Count + after.Count;
        int offset = most + 1;
        var furthest = new int[(2 * most) + 3];
        var trace = new List<int[]>();
        for (int edits = 0; edits <= most; edits++)
        {
            trace.Add((int[])furthest.Clone());
            for (int diagonal = -edits; diagonal <= edits; diagonal += 2)
            {
                bool down = diagonal == -edits ||
                    (diagonal != edits && furthest[offset + diagonal - 1] < furthest[offset + diagonal + 1]);
                int x = down ? furthest[offset + diagonal + 1] : furthest[offset + diagonal - 1] + 1;
                int y = x - diagonal;
                while (x < before.Count && y < after.Count && comparer.Equals(before[x], after[y]))
                {
                    x++;
                    y++;
                }

                furthest[offset + diagonal] = x;
                if (x >= before.Count && y >= after.Count)
                {
                    return trace;
                }
            }
        }

        return trace;
    }

    private static List<Edit<T>> Backtrack<T>(IReadOnlyList<T> before, IReadOnlyList<T> after, List<int[]> trace)
    {
        var edits = new List<Edit<T>>();
        int x = before.Count, y = after.Count;
        int offset = x + y + 1;
        for (int round = trace.Count - 1; round >= 0; round--)
        {
            var furthest = trace[round];
            int diagonal = x - y;
            bool down = diagonal == -round ||
                (diagonal != round && furthest[offset + diagonal - 1] < furthest[offset + diagonal + 1]);
            int previous = down ? diagonal + 1 : diagonal - 1;
            int fromX = furthest[offset + previous];
            int fromY = fromX - previous;
            while (x > fromX && y > fromY && x > 0 && y > 0)
            {
                edits.Add(new Edit<T>(EditKind.Keep, before[--x]));
                y--;
            }

            if (round == 0)
            {
                break;
            }

            edits.Add(down ? new Edit<T>(EditKind.Insert, after[--y]) : new Edit<T>(EditKind.Delete, before[--x]));
        }

        edits.Reverse();
        return edits;
    }
}
