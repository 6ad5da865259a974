"""Growth: twice as much of something may cost at most twice. What is compared is what ilcov adds to the whole command."""
import command
import place
import rounds
import sources
from row import Row, made

TITLE = "growth: what count adds to the CPU time of the command, and how it grows when there is twice as much"
BAR = 2.0


BLOCKS = """
static class Program
{
    static int Method(int v)
    {
        int r = 0;
%s
        return r;
    }

    static int Main() => Method(5) > 5 ? 1 : 0;
}
"""


def blocks(count):
    """One method with so many conditions."""
    return BLOCKS % "\n".join(f"        if (v == {3 * n}) r += {n};" for n in range(count))


def cases():
    """(name, size, program) of each kind, with its size doubled."""
    for count in (5_000, 10_000):
        root, program = sources.methods(count)
        yield "methods", count, program, root
    for count in (2_500, 5_000):
        yield "blocks of a method", count, ["dotnet", sources.program(f"Blocks{count}", "Debug", blocks(count))], place.OUT
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
