using System.Runtime.CompilerServices;

static class Debugged
{
    static void Main()
    {
        Console.WriteLine($"ready {Environment.ProcessId}");
        Console.ReadLine(); // attach a debugger now
        Console.WriteLine(Twice(21));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Twice(int n)
    {
        int twice = 2 * n;
        return twice; // stop here, and look at the locals
    }
}
