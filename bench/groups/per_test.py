"""The suites with hits told apart by test, report included, beside Microsoft's collector with its setting for that."""
import command
import rounds
from groups import suites
from row import Row, made

TITLE = "per test: dotnet test --no-build, Debug, report included"
BAR, BAR_OF_COMPUTING = 1.15, 1.25  # the second for what computes all the time
COMPUTING = {"computing", "interpreter"}


def measure(meter):
    peers = list(command.PER_TEST_COLLECTORS) if "microsoft" in command.peers() else []
    variants = [*command.PER_TEST, *peers]
    for suite in suites.SUITES:
        suites.prepare(meter, suite)
        bar = BAR_OF_COMPUTING if suite.folder in COMPUTING else BAR
        rows = [Row(TITLE, suite.name, variant, ((variant, "cpu"), ("bare", "cpu")), bar=bar if variant in command.PER_TEST else None)
                for variant in variants]
        samples = rounds.measure(f"per test: {suite.name}", rows, lambda variant, _: command.run(meter, variant, suites.TEST, cwd=suite.path))
        yield made(rows, samples)
