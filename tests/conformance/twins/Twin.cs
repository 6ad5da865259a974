global using System;
global using System.Collections.Generic;
global using System.IO;
global using System.Linq;
global using System.Threading.Tasks;

/// <summary>What both the programs and their twins call. Nothing in it depends on which of them runs.</summary>
public static class H
{
    public sealed class Boom(int code) : Exception
    {
        public int Code => code;
    }

    public sealed class Res(int code) : IDisposable, IAsyncDisposable
    {
        public void Dispose() => U(code);
        public ValueTask DisposeAsync() => code % 2 == 0 ? default : new(Later(code));
    }

    public static long Seen;
    public static readonly object Gate = new();

    public static void U(object? value)
    {
        foreach (char c in value?.ToString() ?? "null")
            Seen = unchecked(Seen * 31 + c);
    }

    public static int N(int n) => n;
    public static int Len(string? s) => s == null ? -1 : s.Length;
    public static bool Odd(int n) => n % 2 != 0;
    public static int Hit(int n) => n % 5 == 3 ? throw new Boom(n) : n;

    public static async Task<int> Later(int n)
    {
        if (n % 2 == 0)
            await Task.Yield();
        return n % 10;
    }

    public static List<int> Range(int n) => [.. Enumerable.Range(0, n)];

    public static string Word(int n) => "k" + n;

    public static IEnumerable<int> Steps(int first, int last, int step)
    {
        for (int i = first; i <= last; i += step)
            yield return i;
    }

    public static int Apply(Func<int, int> f, int n) => f(n);

    public static readonly int[] Cell = [1];

    public static IEnumerable<int> Each(int n)
    {
        for (int i = 0; i < n % 3; i++)
            yield return i;
    }

    public static async IAsyncEnumerable<int> Stream(int n)
    {
        for (int i = 0; i < n; i++)
            yield return await Later(i);
    }

    public static void Call(Func<int> method)
    {
        try
        {
            U(method());
        }
        catch (Boom b)
        {
            U(b.Code);
        }
    }

    public static int All(IEnumerable<int> items) => items.Take(9).Sum();

    public static async Task<int> All(IAsyncEnumerable<int> items)
    {
        int sum = 0;
        await foreach (int item in items)
            sum += item;
        return sum;
    }
}

public sealed class Node(int v, Node? next)
{
    public int V = v;
    public Node? Next = next;
    public string? S => V % 2 == 0 ? null : "n" + V;
    public int Do(int n) => V + n;
    public void Deconstruct(out int x, out int y) => (x, y) = (V, Next?.V ?? -1);
}

/// <summary>What the twins count with.</summary>
public static class T
{
    static readonly int[] s_counts = new int[1 << 20];
    static bool s_jumped;

    /// <summary>Statement n begins.</summary>
    public static bool S(int n)
    {
        s_counts[n]++;
        return true;
    }

    /// <summary>Condition n: n counts false, or a value, n + 1 true, or null.</summary>
    public static bool B(int n, bool value)
    {
        s_counts[value ? n + 1 : n]++;
        return value;
    }

    public static X N<X>(int n, X value)
    {
        B(n, value is null);
        return value;
    }

    /// <summary>Arm n of a switch, unless `goto case` led there.</summary>
    public static int A(int n)
    {
        if (!s_jumped)
            s_counts[n]++;
        s_jumped = false;
        return 0;
    }

    public static void Jump() => s_jumped = true;

    public static X V<X>(bool begun, X value) => value;
    public static X V<X>(int begun, X value) => value;

    public static IEnumerable<X> E<X>(int s, int n, IEnumerable<X> items)
    {
        foreach (X item in items)
        {
            S(s);
            B(n, false);
            yield return item;
        }

        S(s);
        B(n, true);
    }

    public static async IAsyncEnumerable<X> E<X>(int s, int n, IAsyncEnumerable<X> items)
    {
        await foreach (X item in items)
        {
            S(s);
            B(n, false);
            yield return item;
        }

        S(s);
        B(n, true);
    }

    public static void Write(string file, int count) =>
        File.WriteAllText(file, "[" + string.Join(",", s_counts[..count]) + "]");
}
