"""Growth: twice as much of something may cost at most twice. What is compared is what ilcov adds to the whole command."""
import command
import place
import rounds
import sources
from row import Row, made

TITLE = "growth: what count adds to the CPU time of the command, and how it grows when there is twice as much"
BAR = 2.0


METHOD = """
static class Program
{
    static int Method(int v)
    {
        int r = 0;
%s
        return r;
    }

    static int Main() => Method(5) == int.MinValue ? 1 : 0;
}
"""


# What a method may have thousands of: the statements of the Nth.
SHAPES = {
    "blocks": "if (v == {three}) r += {n};",
    "tries": "try\n        {{\n            r += v;\n        }}\n        finally\n        {{\n            r -= {n};\n        }}",
    "locals": "bool b{n} = v > {n};\n        if (b{n}) r++;",
    "closures": "r += System.Math.Max(v, new System.Func<int, int>(x => x > {n} ? x : v)(3));",
}


def shape(kind, count):
    """One method with so many of them."""
    return METHOD % "\n".join("        " + SHAPES[kind].format(n=n, three=3 * n) for n in range(count))


def cases():
    """(name, size, program) of each kind, with its size doubled."""
    for count in (5_000, 10_000):
        root, program = sources.methods(count)
        yield "methods", count, program, root
    for kind in SHAPES:
        for count in (2_500, 5_000) if kind == "blocks" else (1_000, 2_000):
            yield f"{kind} of a method", count, ["dotnet", sources.program(f"{kind.capitalize()}{count}", "Debug", shape(kind, count))], place.OUT
    place.build("hello", "Release")
    hello = place.built("hello", "Release")
    for count in (20, 40):
        yield "processes", count, ["sh", "-c", f'for i in $(seq {count}); do "$0"; done', hello], place.HERE
    for count in (200, 400):
        yield "threads", count, ["dotnet", sources.program("Threads", "Release", sources.THREADS), str(count)], place.OUT


def measure(meter):
    programs = {(name, size): (program, root) for name, size, program, root in cases()}
    for kind in dict.fromkeys(name for name, _ in programs):
        less, more = sorted(size for name, size in programs if name == kind)

        def once(variant, names):
            costs = {}
            for size in names:
                program, root = programs[kind, size]
                place.fresh_reports()
                run = program if variant == "bare" else command.ilcov_run(variant, program, "--root", root)
                costs[size] = meter.run(run).cpu
            return costs

        rows = [Row(TITLE, f"{size:,} {kind}", "count", (("count", size), ("bare", size)), kind="difference") for size in (less, more)]
        rows.append(Row(TITLE, f"{kind} doubled", "count", (("count", more), ("bare", more), ("count", less), ("bare", less)),
                        kind="growth", bar=BAR))
        samples = rounds.measure(f"growth: {kind}", rows, once)
        yield made(rows, samples)
