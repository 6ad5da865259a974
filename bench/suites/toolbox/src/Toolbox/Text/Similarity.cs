namespace Toolbox.Text;

/// <summary>How much two words resemble each other.</summary>
public static class Similarity
{
    /// <summary>The least number of letters to insert, delete, replace or swap with a neighbour.</summary>
    public static int Distance(string a, string b)
    {
        var table = new int[a.Length + 1, b.Length + 1];
        for (int i = 0; i <= a.Length; i++)
        {
            table[i, 0] = i;
        }

        for (int j = 0; j <= b.Length; j++)
        {
            table[0, j] = j;
        }

        for (int i = 1; i <= a.Length; i++)
        {
            for (int j = 1; j <= b.Length; j++)
            {
                int replace = table[i - 1, j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
                int least = Math.Min(replace, Math.Min(table[i - 1, j], table[i, j - 1]) + 1);
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                {
                    least = Math.Min(least, table[i - 2, j - 2] + 1);
                }

                table[i, j] = least;
            }
        }

        return table[a.Length, b.Length];
    }

    public static string LongestCommonSubsequence(string a, string b)
    {
        var lengths = new int[a.Length + 1, b.Length + 1];
        for (int i = a.Length - 1; i >= 0; i--)
        {
            for (int j = b.Length - 1; j >= 0; j--)
            {
                lengths[i, j] = a[i] == b[j] ? lengths[i + 1, j + 1] + 1 : Math.Max(lengths[i + 1, j], lengths[i, j + 1]);
            }
        }

        var letters = new List<char>();
        for (int i = 0, j = 0; i < a.Length && j < b.Length;)
        {
            if (a[i] == b[j])
            {
                letters.Add(a[i]);
                i++;
                j++;
            }
            else if (lengths[i + 1, j] >= lengths[i, j + 1])
            {
                i++;
            }
            else
            {
                j++;
            }
        }

        return new string([.. letters]);
    }

    public static string? Suggest(string word, IEnumerable<string> known, int most = 2)
    {
        return known
            .Select(k => (Word: k, Distance: Distance(word.ToLowerInvariant(), k.ToLowerInvariant())))
            .Where(c => c.Distance <= most)
            .OrderBy(c => c.Distance)
            .ThenBy(c => c.Word, StringComparer.Ordinal)
            .Select(c => c.Word)
            .FirstOrDefault();
    }

    public static string Soundex(string word)
    {
        const string codes = "01230120022455012623010202";
        var result = new char[] { '0', '0', '0', '0' };
        int length = 0;
        char last = '0';
        foreach (char letter in word.ToUpperInvariant())
        {
            if (!char.IsAsciiLetterUpper(letter))
            {
                continue;
            }

            char code = codes[letter - 'A'];
            if (length == 0)
            {
                result[length++] = letter;
            }
            else if (code != '0' && code != last)
            {
                result[length++] = code;
            }

            if (letter is not ('H' or 'W'))
            {
                last = code;
            }

            if (length == result.Length)
            {
                break;
            }
        }

        return new string(result);
    }
}
