namespace Toolbox.Tests;

/// <summary>Numbers that look random and are the same in every run.</summary>
public sealed class Chance(int seed)
{
    private ulong _state = ((ulong)seed * 0x9E3779B97F4A7C15) + 1;

    public int Next(int below)
    {
        _state ^= _state << 13;
        _state ^= _state >> 7;
        _state ^= _state << 17;
        return (int)(_state % (ulong)below);
    }

    public int Between(int from, int to) => from + Next(to - from + 1);

    public double Real(double from, double to) => from + ((to - from) * Next(1_000_001) / 1_000_000.0);

    public T Of<T>(params ReadOnlySpan<T> items) => items[Next(items.Length)];

    public string Word(int lengthMax, string letters = "abcdefgh")
    {
        return string.Concat(Enumerable.Range(0, Between(1, lengthMax)).Select(_ => letters[Next(letters.Length)]));
    }
}

/// <summary>Rows for [MemberData]: each is a test case of its own.</summary>
public static class Seeds
{
    public static TheoryData<int> UpTo(int count) => new(Enumerable.Range(1, count));
}
