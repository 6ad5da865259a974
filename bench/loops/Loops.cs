using System.Text;

internal static class Loops
{
    internal const string Source = """
        let x = (a + 3) * 12; // a comment
        if (x >= 40 && y != "text") { print(x, y); } else { y = "other " + x; }
        while (i < 100) { i = i + 1; sum = sum + i * i; }

        """;

    internal static readonly int[,] Left = Numbers(220, 7), Right = Numbers(220, 13);

    public static int Fib(int n) => n < 2 ? n : Fib(n - 1) + Fib(n - 2);

    public static long Sieve(int limit)
    {
        var composite = new bool[limit + 1];
        int count = 0;
        for (int i = 2; i <= limit; i++)
        {
            if (composite[i])
            {
                continue;
            }

            count++;
            for (long j = (long)i * i; j <= limit; j += i)
            {
                composite[j] = true;
            }
        }

        return count;
    }

    public static long MatrixProduct(int size)
    {
        long trace = 0;
        for (int row = 0; row < size; row++)
        {
            for (int column = 0; column < size; column++)
            {
                long sum = 0;
                for (int k = 0; k < size; k++)
                {
                    sum += Left[row, k] * Right[k, column];
                }

                trace += row == column ? sum : 0;
            }
        }

        return trace;
    }

    public static long CountWords(int count)
    {
        var words = new Dictionary<string, int>();
        var word = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            word.Clear().Append("word").Append(i % 977);
            string key = word.ToString();
            words.TryGetValue(key, out int seen);
            words[key] = seen + 1;
        }

        return words.Values.Max();
    }

    public static long TinyProperties(int rounds)
    {
        var point = new Point();
        for (int i = 0; i < rounds; i++)
        {
            point.X += point.Step;
            point.Y = point.X - point.Y;
        }

        return point.X + point.Y;
    }

    public static long SortWithLambdas(int count)
    {
        var items = new List<(int Key, int Number)>(count);
        uint state = 1;
        for (int i = 0; i < count; i++)
        {
            state = (state * 1_664_525) + 1_013_904_223;
            items.Add(((int)(state >> 12) % 5_000, i));
        }

        items.Sort((a, b) => a.Key != b.Key ? a.Key.CompareTo(b.Key) : a.Number.CompareTo(b.Number));
        return items.Where(p => p.Key % 2 == 0).Select(p => (long)p.Number).Aggregate(0L, (sum, n) => (sum * 31) + n);
    }

    public static long CharacterSwitch(int rounds)
    {
        long tokens = 0;
        for (int i = 0; i < rounds * 1000; i++)
        {
            tokens += CountTokens(Source);
        }

        return tokens;
    }

    /// <summary>Several threads at once in the same method, each as often as one alone.</summary>
    public static long Together(int count, int rounds) => Together(count, _ => Mix(rounds));

    internal static long Together(int count, Func<int, long> run)
    {
        var sums = new long[count];
        using var start = new Barrier(count);
        var threads = Enumerable.Range(0, count).Select(number => new Thread(() =>
        {
            start.SignalAndWait();
            sums[number] = run(number);
        })).ToList();
        threads.ForEach(t => t.Start());
        threads.ForEach(t => t.Join());
        return sums.Sum();
    }

    private static long Mix(int rounds)
    {
        long sum = 0;
        for (int i = 0; i < rounds; i++)
        {
            if ((i & 3) == 0)
            {
                sum += i;
            }
            else
            {
                sum ^= i;
            }
        }

        return sum;
    }

    private static int CountTokens(string source)
    {
        int tokens = 0;
        bool inWord = false;
        foreach (char c in source)
        {
            switch (c)
            {
                case ' ':
                case '\n':
                    inWord = false;
                    break;
                case '(':
                case ')':
                case '{':
                case '}':
                case ';':
                case ',':
                    inWord = false;
                    tokens++;
                    break;
                case '+':
                case '-':
                case '*':
                case '/':
                    inWord = false;
                    tokens += 2;
                    break;
                case '"':
                    inWord = !inWord;
                    break;
                default:
                    if (!inWord)
                    {
                        tokens++;
                        inWord = true;
                    }

                    break;
            }
        }

        return tokens;
    }

    private static int[,] Numbers(int size, int factor)
    {
        var cells = new int[size, size];
        for (int i = 0; i < size * size; i++)
        {
            cells[i / size, i % size] = i * factor % 101;
        }

        return cells;
    }

    private sealed class Point
    {
        public int X { get; set; }

        public int Y { get; set; }

        public int Step => 3;
    }
}
