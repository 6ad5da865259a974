namespace Computing;

/// <summary>How two texts lie best beside each other: Needleman and Wunsch.</summary>
public static class Alignment
{
    public static int Score(string a, string b, int match = 1, int mismatch = -1, int gap = -1)
    {
        var before = new int[b.Length + 1];
        var row = new int[b.Length + 1];
        for (int k = 0; k <= b.Length; k++)
        {
            before[k] = k * gap;
        }

        for (int i = 1; i <= a.Length; i++)
        {
            row[0] = i * gap;
            for (int k = 1; k <= b.Length; k++)
            {
                int best = before[k - 1] + (a[i - 1] == b[k - 1] ? match : mismatch);
                if (before[k] + gap > best)
                {
                    best = before[k] + gap;
                }

                if (row[k - 1] + gap > best)
                {
                    best = row[k - 1] + gap;
                }

                row[k] = best;
            }

            (before, row) = (row, before);
        }

        return before[b.Length];
    }
}
