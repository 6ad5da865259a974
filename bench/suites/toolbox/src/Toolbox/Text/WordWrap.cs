using System.Text;

namespace Toolbox.Text;

public enum Alignment
{
    Left,
    Right,
    Centre,
    Justified,
}

/// <summary>Breaks text into lines of a width; words that are longer are cut.</summary>
public static class WordWrap
{
    public static List<string> Wrap(string text, int width, Alignment alignment = Alignment.Left)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(width, 1);
        var lines = new List<string>();
        foreach (string paragraph in text.Split('\n'))
        {
            var words = Words(paragraph, width).ToList();
            int next = 0;
            do
            {
                int end = FillLine(words, next, width);
                bool last = end == words.Count;
                lines.Add(Align(words.GetRange(next, end - next), width, last && alignment == Alignment.Justified ? Alignment.Left : alignment));
                next = end;
            }
            while (next < words.Count);
        }

        return lines;
    }

    private static IEnumerable<string> Words(string paragraph, int width)
    {
        foreach (string word in paragraph.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
        {
            for (int at = 0; at < word.Length; at += width)
            {
                yield return word.Substring(at, Math.Min(width, word.Length - at));
            }
        }
    }

    private static int FillLine(List<string> words, int start, int width)
    {
        int length = -1;
        int end = start;
        while (end < words.Count && length + 1 + words[end].Length <= width)
        {
            length += 1 + words[end].Length;
            end++;
        }

        return end;
    }

    private static string Align(List<string> words, int width, Alignment alignment)
    {
        string line = string.Join(' ', words);
        switch (alignment)
        {
            case Alignment.Right:
                return line.PadLeft(width);
            case Alignment.Centre:
                return line.PadLeft(line.Length + ((width - line.Length) / 2));
            case Alignment.Justified when words.Count > 1:
                return Justify(words, width);
            default:
                return line;
        }
    }

    private static string Justify(List<string> words, int width)
    {
        int gaps = words.Count - 1;
        int spaces = width - words.Sum(w => w.Length);
        var line = new StringBuilder(words[0]);
        for (int i = 1; i < words.Count; i++)
        {
            int share = (spaces / gaps) + (i <= spaces % gaps ? 1 : 0);
            line.Append(' ', share).Append(words[i]);
        }

        return line.ToString();
    }
}
