// What did not run, and why: test_why.sh reads the words behind `why:`.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;

static class Program
{
    static int Throws(int n)
    {
        return n > 0 ? throw new FormatException() : n;
    }

    static void Never()
    {
        Console.WriteLine("a"); // why: the method was never called
        Console.WriteLine("b");
    }

    static void Conditions(int n, string text)
    {
        if (n > 5)
            Console.WriteLine("large"); // why: `n > 5` on line 23 was never true
        if (n > 1 && text.Length > 3 || n > 7)
        {
            Console.WriteLine("long"); // why: `text.Length > 3` on line 25 was never true; `n > 7` on line 25 was never true
        }
        if (n > 9)
            if (text.Length == 2)
                Console.WriteLine("two"); // why: `n > 9` on line 29 was never true
    }

    static void Straight(int n)
    {
        Console.WriteLine("start");
        Throws(n);
        Console.WriteLine("after"); // why: line 37 never completed: it threw or did not return
        if (n > 3)
            Console.WriteLine("more");
        Console.WriteLine("end");
    }

    static void Handlers(int n)
    {
        try
        {
            Console.WriteLine(n);
        }
        catch (InvalidOperationException)
        {
            Console.WriteLine("caught"); // why: no exception was caught here
        }
        using (new MemoryStream())
        {
            Throws(n);
        }
        Console.WriteLine("after"); // why: line 56, or the cleanup after it, never completed
    }

    static async Task Awaits(int n)
    {
        await Task.Delay(1);
        Throws(n);
        await Task.Yield(); // why: line 64 never completed: it threw or did not return
        Console.WriteLine("after");
    }

    static IEnumerable<int> Items()
    {
        yield return 1;
        yield return 2; // why: the iteration never continued after line 71
        Console.WriteLine("after");
    }

    static IEnumerable<int> Unused()
    {
        yield return 1; // why: nobody enumerated what the method returned
    }

    static void Loops(List<int> items)
    {
        foreach (var item in items)
        {
            Throws(item);
        }
        Console.WriteLine("end"); // why: the loop on line 83 never came to its end
    }

    static void Arms(int n)
    {
        Console.WriteLine(n);
        switch (n * 2)
        {
            case 2:
                Console.WriteLine("1");
                break;
            case 4:
                Console.WriteLine("2"); // why: line 93 never led here
                break;
        }
        Func<int, int> add = x =>
        {
            return x + 1; // why: this code was never called
        };
        GC.KeepAlive(add);
        GC.KeepAlive(from item in new[] { n }
            where item > 1 // why: this code was never called
            select item);
    }

    static async Task Ends(int n)
    {
        try
        {
            Throws(n);
        }
        finally
        {
            await Task.Yield();
            if (n > 5)
                Console.WriteLine("large"); // why: `n > 5` on line 121 was never true
        }
        Console.WriteLine("after"); // why: line 116, or the cleanup after it, never completed
    }

    static async IAsyncEnumerable<int> Stream()
    {
        yield return 1;
        await Task.Yield(); // why: the iteration never continued after line 129
        yield return 2;
    }

    // What leads to the end of the loop is not known: that nothing leads to its start is.
    static int Search(char c)
    {
        while (true) // why: the method was never called
        {
            if (c is ')' or '\0')
                return 2;
            c = char.ToLower(c);
        }
    }

    static async Task First(IAsyncEnumerable<int> items)
    {
        await foreach (var item in items)
            if (item == 1)
                break;
    }

    static void Run(Action action)
    {
        try
        {
            action();
        }
        catch (Exception)
        {
            Console.WriteLine("threw");
        }
    }

    static void Main()
    {
        Conditions(2, "a");
        Run(() => Straight(1));
        Run(() => Handlers(1));
        Run(() => Awaits(1).Wait());
        foreach (var item in Items())
            if (item == 1)
                break;
        Unused();
        Run(() => Loops([0, 3, 1]));
        Arms(1);
        Arms(5);
        Run(() => Ends(1).Wait());
        Run(() => First(Stream()).Wait());
        _ = new Pair(1, 2).Equals(new Settable());
        _ = new Kept(1, 2);
    }

    // The constructor sets both, also where it has no line: that nobody read them says nothing of it.
    record struct Pair(int First, int Second);

    record Kept(
        int First,
        int Second);

    class Settings
    {
        public int Third { get; set; }
    }

    struct Settable(int n)
    {
        public int Sum => n + 1; // why: the method was never called
    }
}
