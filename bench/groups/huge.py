"""Huge methods: how much longer the first call of a generated method takes, which is mostly the JIT's time. The program tells the CPU
time of that call itself."""
import os
from dataclasses import dataclass

import command
import place
import rounds
import sources
from row import Row, made

TITLE = "huge: CPU time of the first call of a method of so many statements"
BAR = 2.0
MODES = ("count", "hit")
SIZES = "1000 5000"
# The C# compiler takes minutes and gigabytes to optimise a large switch.
LARGEST_SWITCH_IN_RELEASE = 5_000


@dataclass(frozen=True)
class Shape:
    each: str    # with # for the number of the statement
    before: str = "int r = 0;"
    after: str = "return r;"

    def statements(self, count):
        return "\n".join([self.before, *(self.each.replace("#", str(n)) for n in range(count)), self.after])


SHAPES = {
    "add": Shape('d.Add("k#", #);', "var d = new Dictionary<string, int>();", "return d.Count;"),
    "init": Shape('{ "k#", # },', "var d = new Dictionary<string, int> {", "}; return d.Count;"),
    "if": Shape("if (v == 3 * #) r += #;"),
    "field": Shape("if (f) i++;", "int i = 0;", "return i;"),
    "switch": Shape("case #: r = 7 * #; break;", "int r = 0; switch (v) {", "} return r;"),
    "strings": Shape('case "k#": return #;', "switch (v.ToString()) {", "} return 0;"),
    "try": Shape("try { r += Next(#); } catch (InvalidOperationException) { r--; }"),
    "locals": Shape("int a# = Next(r + #); r += a#;", "int r = v;"),
    "arithmetic": Shape("r = 3 * r + #;", "int r = v;"),
}

PROGRAM = """
using System;
using System.Collections.Generic;

static class Huge
{
    static bool f = Environment.ProcessorCount > 0;

    static int Next(int x) => x + 1;

    static int Method(int v)
    {
STATEMENTS
    }

    static void Main()
    {
        var used = Environment.CpuUsage.TotalTime; // the first call compiles the property
        used = Environment.CpuUsage.TotalTime;
        Method(5);
        Console.WriteLine((Environment.CpuUsage.TotalTime - used).TotalMilliseconds.ToString(System.Globalization.CultureInfo.InvariantCulture));
    }
}
"""


def sizes():
    """SIZES: how many statements."""
    try:
        return [int(word) for word in os.environ.get("SIZES", SIZES).split()]
    except ValueError:
        raise place.Failure(f"SIZES must be numbers of statements, as in {SIZES}") from None


def measure(meter):
    programs = {}
    for shape, form in SHAPES.items():
        for size in sizes():
            for configuration in ("Debug", "Release"):
                if shape == "switch" and configuration == "Release" and size > LARGEST_SWITCH_IN_RELEASE:
                    continue
                path = sources.program(f"Huge.{shape}.{size}", configuration, PROGRAM.replace("STATEMENTS", form.statements(size)))
                programs[f"{shape}, {size:,}, {configuration}"] = ["dotnet", path]
    for name, program in programs.items():
        def once(variant, _):
            place.fresh_reports()
            meter.run(program if variant == "bare" else command.ilcov_run(variant, program, "--root", place.OUT, report="none"))
            with open(place.LOG, encoding="utf-8") as log:
                return {"first call": float(log.readline())}

        rows = [Row(TITLE, name, mode, ((mode, "first call"), ("bare", "first call")), bar=BAR)
                for mode in MODES if mode in command.MODES]
        samples = rounds.measure(f"huge: {name}", rows, once)
        yield made(rows, samples)
