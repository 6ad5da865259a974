namespace Toolbox.Numerics;

/// <summary>Whole numbers and what divides them.</summary>
public static class Primes
{
    public static List<int> UpTo(int limit)
    {
        var composite = new bool[limit + 1];
        var primes = new List<int>();
        for (int n = 2; n <= limit; n++)
        {
            if (composite[n])
            {
                continue;
            }

            primes.Add(n);
            for (long multiple = (long)n * n; multiple <= limit; multiple += n)
            {
                composite[multiple] = true;
            }
        }

        return primes;
    }

    public static bool IsPrime(long n)
    {
        if (n < 4)
        {
            return n > 1;
        }

        if (n % 2 == 0 || n % 3 == 0)
        {
            return false;
        }

        for (long divisor = 5; divisor * divisor <= n; divisor += 6)
        {
            if (n % divisor == 0 || n % (divisor + 2) == 0)
            {
                return false;
            }
        }

        return true;
    }

    public static IEnumerable<long> Factors(long n)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(n, 1);
        for (long divisor = 2; divisor * divisor <= n; divisor += divisor == 2 ? 1 : 2)
        {
            while (n % divisor == 0)
            {
                yield return divisor;
                n /= divisor;
            }
        }

        if (n > 1)
        {
            yield return n;
        }
    }

    public static IEnumerable<long> Collatz(long n)
    {
        for (; n != 1; n = n % 2 == 0 ? n / 2 : (3 * n) + 1)
        {
            yield return n;
        }

        yield return 1;
    }
}
