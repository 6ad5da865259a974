"""Suites of unit tests: `dotnet test --no-build`, Debug, report included, beside coverlet and Microsoft's collector."""
import os
from dataclasses import dataclass

import command
import place
import rounds
from row import Row, geometric_mean, made

TITLE = "suites: dotnet test --no-build, Debug, report included"
AGAINST = "against the faster peer"
WALL = "suites, wall time"
TEST = ["dotnet", "test", "--no-build", "--artifacts-path", place.ARTIFACTS]


@dataclass(frozen=True)
class Suite:
    folder: str  # in suites/
    name: str
    bars: dict   # by mode

    @property
    def path(self):
        return os.path.join(place.HERE, "suites", self.folder)


USUAL_BARS = {"count": 1.15, "hit": 1.15}
TOOLBOX = Suite("toolbox", "4,500 short tests", USUAL_BARS)
INTERPRETER = Suite("interpreter", "interpreter, parallel", {"count": 1.35, "hit": 1.15})
SUITES = (Suite("tiny", "tiny, 5 tests", USUAL_BARS), TOOLBOX, Suite("computing", "CPU-bound", USUAL_BARS),
          Suite("async", "async-heavy", USUAL_BARS), INTERPRETER)
MEAN = f"mean without {INTERPRETER.folder}"
MEAN_BARS = {"count": 1.05, "hit": 1.03}


def prepare(meter, suite):
    place.build(os.path.join("suites", suite.folder), "Debug")
    command.run(meter, "bare", TEST, cwd=suite.path)  # the first run reads everything from disk


def against(kind, name, results, samples):
    """Rows of ilcov beside the peer that took less CPU time."""
    peers = [result for result in results if result["variant"] in command.COLLECTORS]
    if not peers:
        return []
    faster = min(peers, key=lambda result: result["figure"])["variant"]
    rows = [Row(f"{kind}, {AGAINST}", name, mode, ((mode, "cpu"), (faster, "cpu")), reference=faster, bar=1.0)
            for mode in command.MODES if mode in MEAN_BARS]
    return made(rows, samples)


def mean(results, variant):
    some = [result for result in results if result["variant"] == variant and result["name"] != INTERPRETER.name]
    return geometric_mean(some, TITLE, MEAN, variant, MEAN_BARS.get(variant))


def measure(meter):
    all_results = []
    variants = [*command.MODES, *command.peers()]
    for suite in SUITES:
        prepare(meter, suite)
        rows = [Row(TITLE, suite.name, variant, ((variant, "cpu"), ("bare", "cpu")), bar=suite.bars.get(variant)) for variant in variants]
        samples = rounds.measure(suite.name, rows, lambda variant, _: command.run(meter, variant, TEST, cwd=suite.path))
        results = made(rows, samples)
        all_results += results
        walls = [Row(WALL, suite.name, variant, ((variant, "wall"), ("bare", "wall"))).result(samples) for variant in variants]
        yield results + against("suites", suite.name, results, samples) + walls
    yield [mean(all_results, variant) for variant in variants]
