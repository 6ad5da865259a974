using System.Diagnostics;
using System.Globalization;

// Hot loops, where a probe costs most. Each prints its name and the least of five times, in milliseconds. Those called in the
// arguments, or all without coverage; under ilcov, what ByHand maps may be taken.
(string Name, Func<long> Run)[] loops =
[
    ("fib", () => Loops.Fib(33)),
    ("sieve", () => Loops.Sieve(4_000_000)),
    ("matrix", () => Loops.MatrixProduct(220)),
    ("dictionary", () => Loops.CountWords(600_000)),
    ("properties", () => Loops.TinyProperties(20_000_000)),
    ("sort", () => Loops.SortWithLambdas(150_000)),
    ("switch", () => Loops.CharacterSwitch(40)),
    ("one-thread", () => Loops.Together(1, 20_000_000)),
    ("two-threads", () => Loops.Together(2, 20_000_000)),
    ("eight-threads", () => Loops.Together(8, 5_000_000)),
    ("thirty-two-threads", () => Loops.Together(32, 2_500_000)),
    .. WrittenByHand<Count>("counted"),
    .. WrittenByHand<Mark>("marked"),
];

foreach (var (name, run) in loops)
{
    if (args.Length == 0 || args.Contains(name))
    {
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name} {Best(run):0.00}"));
    }
}

static (string Name, Func<long> Run)[] WrittenByHand<T>(string how)
    where T : struct, IByHand =>
[
    ($"fib-{how}", ByHand.Mapped(() => LoopsByHand<T>.Fib(33))),
    ($"sieve-{how}", ByHand.Mapped(() => LoopsByHand<T>.Sieve(4_000_000))),
    ($"matrix-{how}", ByHand.Mapped(() => LoopsByHand<T>.MatrixProduct(220))),
    ($"dictionary-{how}", ByHand.Mapped(() => LoopsByHand<T>.CountWords(600_000))),
    ($"properties-{how}", ByHand.Mapped(() => LoopsByHand<T>.TinyProperties(20_000_000))),
    ($"switch-{how}", ByHand.Mapped(() => LoopsByHand<T>.CharacterSwitch(40))),
    ($"one-thread-{how}", ByHand.Mapped(() => Loops.Together(1, _ => LoopsByHand<T>.Mix(20_000_000)))),
    ($"two-threads-{how}", ByHand.Mapped(() => Loops.Together(2, number =>
        number == 0 ? LoopsByHand<T>.Mix(20_000_000) : LoopsByHand<Apart<T>>.Mix(20_000_000)))),
];

static double Best(Func<long> run)
{
    const double warmUp = 250;
    long expected = run();
    for (var clock = Stopwatch.StartNew(); clock.Elapsed.TotalMilliseconds < warmUp;)
    {
        run();
    }

    Thread.Sleep(150); // the runtime compiles hot code anew in the background
    double best = double.MaxValue;
    for (int i = 0; i < 5; i++)
    {
        var clock = Stopwatch.StartNew();
        long result = run();
        best = Math.Min(best, clock.Elapsed.TotalMilliseconds);
        if (result != expected)
        {
            throw new InvalidOperationException($"{result} instead of {expected}");
        }
    }

    return best;
}
