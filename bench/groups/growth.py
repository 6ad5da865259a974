"""Growth: twice as much of something may cost at most twice. What is compared is what ilcov adds to the whole command."""
import command
import place
import rounds
import sources
from row import Row, made

TITLE = "growth: what count adds to the CPU time of the command, and how it grows when there is twice as much"
BAR = 2.0


METHOD = """
static unsafe class Program
{
    static int Method(int v)
    {%s
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

# The physical limit: each outcome counted by hand, as a probe does it. Such a method takes the JIT longer, with ilcov or without.
BY_HAND = {
    "blocks": "if (v == {three}) {{ {taken} r += {n}; }} else {{ {not_taken} }}",
    "locals": "bool b{n} = v > {n};\n        if (b{n}) {{ {taken} r++; }} else {{ {not_taken} }}",
}
COUNTS = "\n        long* counts = (long*)System.Runtime.InteropServices.NativeMemory.AllocZeroed({count}, sizeof(long));"


def shape(kind, count):
    """One method with so many of them."""
    return METHOD % ("", "\n".join("        " + SHAPES[kind].format(n=n, three=3 * n) for n in range(count)))


def by_hand(kind, count):
    statements = (BY_HAND[kind].format(n=n, three=3 * n, taken=f"counts[{2 * n}]++;", not_taken=f"counts[{2 * n + 1}]++;")
                  for n in range(count))
    return METHOD % (COUNTS.format(count=2 * count), "\n".join("        " + one for one in statements))


def compiled(name, source):
    return ["dotnet", sources.program(name, "Debug", source)]


def cases():
    """(name, size, {"": program, "by hand": program if there is one}, folder of the program's sources), each size twice the one before."""
    for count in (5_000, 10_000):
        root, program = sources.methods(count)
        yield "methods", count, {"": program}, root
    for kind in SHAPES:
        for count in (2_500, 5_000) if kind == "blocks" else (1_000, 2_000):
            name = f"{kind.capitalize()}{count}"
            programs = {"": compiled(name, shape(kind, count))}
            if kind in BY_HAND:
                programs["by hand"] = compiled(f"{name}ByHand", by_hand(kind, count))
            yield f"{kind} of a method", count, programs, place.OUT
    place.build("hello", "Release")
    hello = place.built("hello", "Release")
    for count in (20, 40):
        yield "processes", count, {"": ["sh", "-c", f'for i in $(seq {count}); do "$0"; done', hello]}, place.HERE
    for count in (200, 400):
        yield "threads", count, {"": ["dotnet", sources.program("Threads", "Release", sources.THREADS), str(count)]}, place.OUT


def measure(meter):
    programs = {(name, size): (variants, root) for name, size, variants, root in cases()}
    for kind in dict.fromkeys(name for name, _ in programs):
        less, more = sorted(size for name, size in programs if name == kind)

        def once(variant, names):
            costs = {}
            for size in names:
                variants, root = programs[kind, size]
                place.fresh_reports()
                run = command.ilcov_run(variant, variants[""], "--root", root) if variant == "count" else \
                    variants.get(variant, variants[""])
                costs[size] = meter.run(run).cpu
            return costs

        rows = []
        for variant in ("count", *programs[kind, less][0].keys() - {""}):
            rows += [Row(TITLE, f"{size:,} {kind}", variant, ((variant, size), ("bare", size)), kind="difference") for size in (less, more)]
            rows.append(Row(TITLE, f"{kind} doubled", variant, ((variant, more), ("bare", more), (variant, less), ("bare", less)),
                            kind="growth", bar=BAR if variant == "count" else None))
        samples = rounds.measure(f"growth: {kind}", rows, once)
        yield made(rows, samples)
