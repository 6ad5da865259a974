"""docs/performance.md and its plot, from the results that the groups left."""
import os

import place
import plot
import table

PAGE = os.path.join(place.TOP, "docs", "performance.md")
PICTURE = os.path.join(place.TOP, "docs", "performance.svg")
PLOTTED = ("suites", "public")  # of them the rows that are ratios to bare, in CPU time
PLOT_TITLE = "CPU time of test suites with coverage, as multiples of that without"
IDLE = 0.1  # processors that other work may keep busy

# What stands before the tables of a group.
SECTIONS = {
    "suites": ("Test suites", "`dotnet test --no-build` of suites written for this bench, in Debug, reports included."),
    "per_test": ("Hits by test", "The same suites with `--per-test`, beside Microsoft's collector with `PerTestCodeCoverage`."),
    "public": ("Public test suites", "Suites of other projects, as they publish them, reports included."),
    "start": ("Start-up", "What a process costs that does nothing else: the whole command, from its start to the report."),
    "end": ("The end", "What `ilcov run` does after the command has ended: it reads the counters and writes the data file and one report."),
    "memory": ("Memory", "Peak resident memory."),
    "growth": ("Growth", "What `count` adds to a command, and how it grows with twice as much of something. "
               "By hand: each outcome counted in the source, without ilcov; the JIT has more code to compile."),
    "csc": ("A compiler", "The C# compiler of the SDK with all of Roslyn in scope. Roslyn is precompiled; what ilcov rewrites has to be "
            "compiled anew, so the compiler without its precompiled code is the second reference."),
    "loops": ("Loops", "Loops of a few instructions, where probes cost most; programs that do more between two branches cost less. "
              "The physical limit is a loop with counts written by hand, each one instruction at a constant address."),
    "huge": ("Huge methods", "The first call of a generated method, which is mostly the JIT's time."),
}


def conditions(groups):
    """A list of what was measured with what."""
    def all_of(key):
        return ", ".join(dict.fromkeys(str(group[key]) for group in groups.values()))
    lines = [f"- {all_of('ilcov')}, .NET SDK {all_of('sdk')}, {all_of('date')}",
             f"- {all_of('processor')}, {all_of('processors')} processors, Linux {all_of('kernel')}"]
    peers = next(iter(groups.values()))["peers"]
    lines.append(f"- coverlet.collector {peers['coverlet']}, Microsoft's collector {peers['microsoft']}")
    runs = sum(group["meter"]["runs"] for group in groups.values())
    apart = sum(len(group["meter"]["disagreements"]) for group in groups.values())
    kinds = ", ".join(dict.fromkeys(group["meter"]["kind"] for group in groups.values()))
    agreed = "" if kinds == "cputime" else f", contradicted by a second measurement in {apart} of {runs} runs"
    lines.append(f"- CPU time: {kinds}{agreed}")
    busy = [f"{name} ({group['meter']['others']:.1f} processors)" for name, group in groups.items() if group["meter"]["others"] > IDLE]
    if busy:
        lines.append(f"- **Other work ran on the machine** beside {', '.join(busy)}: these figures are rough")
    return "\n".join(lines)


def bars(results):
    """How many bars are kept, and which are not."""
    with_bar = [result for result in results if result["bar"] is not None]
    missed = [result for result in with_bar if result["figure"] > result["bar"]]
    text = f"{len(with_bar) - len(missed)} of {len(with_bar)} figures with a bar reach it."
    if missed:
        text += " The others:\n\n" + table.markdown(missed, with_group=True)
    return text


def markdown(results):
    groups = {name: results["groups"][name] for name in SECTIONS if name in results["groups"]}
    rows = [row for group in groups.values() for row in group["rows"]]
    parts = [
        "<!-- `make performance` writes this page from what `make bench` measured. -->",
        "# What coverage costs",
        *([f"![{PLOT_TITLE}](performance.svg)"] if plotted(results) else []),
        "A figure is the median of rounds in which all variants run one after the other, with its 95 % interval. `1.04×` "
        "is a ratio: 4 % more than without coverage. [bench/README.md](../bench/README.md) says how it is measured and what each row means.",
        conditions(groups),
        "## Bars", bars(rows),
    ]
    for name, group in groups.items():
        title, text = SECTIONS[name]
        parts += [f"## {title}", text]
        for subtitle, part in table.by_group(group["rows"]).items():
            parts += [f"**{subtitle[0].upper()}{subtitle[1:]}**", table.markdown(part)]
    return "\n\n".join(parts) + "\n"


def plotted(results):
    return [row for name in PLOTTED if name in results["groups"] for row in results["groups"][name]["rows"]
            if row["reference"] == "bare" and "wall" not in row["group"]]


def picture(results):
    return plot.svg(PLOT_TITLE, plotted(results))


def write(results, page=PAGE, svg=PICTURE):
    if not results["groups"]:
        raise place.Failure("there are no results: run `make bench` first")
    for path, text in ((page, markdown(results)), (svg, picture(results))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
