"""Suites of unit tests: `dotnet test --no-build`, Debug, report included, beside coverlet and Microsoft's collector."""
import os

import command
import place
import rounds
from row import Row, geometric_mean

TITLE = "suites: dotnet test --no-build, Debug, report included"
SHORT_TESTS = "suite"
SUITES = {SHORT_TESTS: "4,500 short tests"}
TEST = ["dotnet", "test", "--no-build", "--artifacts-path", place.ARTIFACTS]
BAR = 1.15  # of each; the interpreter has its own
MEAN_BARS = {"count": 1.05, "hit": 1.03}


def rows_of(group, suite, variants, bars):
    rows = [Row(group, suite, variant, ((variant, "cpu"), ("bare", "cpu")), bar=bars.get(variant)) for variant in variants]
    return rows + [Row(f"{group}; wall time", suite, variant, ((variant, "wall"), ("bare", "wall")), decides=False)
                   for variant in variants]


def measure(meter):
    results = []
    variants = [*command.MODES, *command.peers()]
    for suite in SUITES:
        place.build(suite, "Debug")
        folder = os.path.join(place.HERE, suite)
        command.run(meter, "bare", TEST, cwd=folder)  # the first run reads everything from disk
        rows = rows_of(TITLE, SUITES[suite], variants, {"count": BAR, "hit": BAR})
        samples = rounds.measure(suite, rows, lambda variant, _: command.run(meter, variant, TEST, cwd=folder))
        results += [row.result(samples) for row in rows]
    for variant in variants:
        means = [result for result in results if result["variant"] == variant and result["group"] == TITLE]
        results.append(geometric_mean(means, TITLE, "mean", variant, MEAN_BARS.get(variant)))
    return results
