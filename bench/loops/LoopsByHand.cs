using System.Runtime.CompilerServices;
using System.Text;

/// <summary>
/// The loops of <see cref="Loops"/> with the fewest counts, or marks, from which all blocks and outcomes follow, each a single instruction
/// at a constant address: what no coverage can be cheaper than. Threads would share these counts, so each has its own T. Sorting is
/// not among them: the runtime does not inline lambdas of generic classes, and by hand it would take longer than under ilcov.
/// </summary>
internal static class LoopsByHand<T>
    where T : struct, IByHand
{
    public static int Fib(int n)
    {
        if (n < 2)
        {
            T.At(0);
            return n;
        }

        T.At(1);
        int last = Fib(n - 1);
        T.At(2); // the call may have thrown
        int sum = last + Fib(n - 2);
        T.At(3);
        return sum;
    }

    public static long Sieve(int limit)
    {
        var composite = new bool[limit + 1];
        int count = 0;
        for (int i = 2; i <= limit; i++)
        {
            if (composite[i])
            {
                T.At(0);
                continue;
            }

            T.At(1);
            count++;
            for (long j = (long)i * i; j <= limit; j += i)
            {
                T.At(2);
                composite[j] = true;
            }

            T.At(3);
        }

        T.At(4);
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
                    T.At(0);
                    sum += Loops.Left[row, k] * Loops.Right[k, column];
                }

                if (row == column)
                {
                    T.At(1);
                    trace += sum;
                }
                else
                {
                    T.At(2);
                }
            }

            T.At(3);
        }

        T.At(4);
        return trace;
    }

    public static long CountWords(int count)
    {
        var words = new Dictionary<string, int>();
        var word = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            T.At(0);
            word.Clear().Append("word").Append(i % 977);
            T.At(1); // the calls may have thrown
            string key = word.ToString();
            T.At(2);
            words.TryGetValue(key, out int seen);
            T.At(3);
            words[key] = seen + 1;
            T.At(4);
        }

        T.At(5);
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

    public static long CharacterSwitch(int rounds)
    {
        long tokens = 0;
        for (int i = 0; i < rounds * 1000; i++)
        {
            T.At(0);
            tokens += CountTokens(Loops.Source);
            T.At(1);
        }

        T.At(2);
        return tokens;
    }

    public static long Mix(int rounds)
    {
        long sum = 0;
        for (int i = 0; i < rounds; i++)
        {
            if ((i & 3) == 0)
            {
                T.At(0);
                sum += i;
            }
            else
            {
                T.At(1);
                sum ^= i;
            }
        }

        T.At(2);
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
                    T.At(3);
                    inWord = false;
                    break;
                case '(':
                case ')':
                case '{':
                case '}':
                case ';':
                case ',':
                    T.At(4);
                    inWord = false;
                    tokens++;
                    break;
                case '+':
                case '-':
                case '*':
                case '/':
                    T.At(5);
                    inWord = false;
                    tokens += 2;
                    break;
                case '"':
                    T.At(6);
                    inWord = !inWord;
                    break;
                default:
                    if (!inWord)
                    {
                        T.At(7);
                        tokens++;
                        inWord = true;
                    }
                    else
                    {
                        T.At(8);
                    }

                    break;
            }
        }

        T.At(9);
        return tokens;
    }

    private sealed class Point
    {
        private int _x, _y;

        public int X
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get
            {
                T.At(0);
                return _x;
            }

            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            set
            {
                T.At(1);
                _x = value;
            }
        }

        public int Y
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get
            {
                T.At(2);
                return _y;
            }

            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            set
            {
                T.At(3);
                _y = value;
            }
        }

        public int Step
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get
            {
                T.At(4);
                return 3;
            }
        }
    }
}
