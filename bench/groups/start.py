"""Start-up: a program that does nothing, and one that the library declines to measure."""
import os

import command
import place
import rounds
from row import Row, made

TITLE = "start: Hello, World in Release, report included"
BAR_MS = 6.0
FACTOR = 4  # it is short
DISTRIBUTED = ", from make dist"  # linked as it is distributed, without shared libraries
# A build tool, of which every `dotnet test` has some; started so often that ilcov's own start counts for little.
DECLINED_TIMES = 20
DECLINED_BAR_MS = 1.0


def measure(meter):
    place.build("hello", "Release")
    program = [place.built("hello", "Release")]
    command.run(meter, "bare", program)  # the first run reads everything from disk
    ilcovs = {which: ilcov for which, ilcov in (("", place.ILCOV), (DISTRIBUTED, place.distributed())) if ilcov}
    rows = []
    for which in ilcovs:
        for mode in command.MODES:
            with_it = mode + which
            rows.append(Row(TITLE, f"hello, CPU{which}", mode, ((with_it, "cpu"), ("bare", "cpu")), kind="difference", bar=BAR_MS))
            rows.append(Row(TITLE, f"hello, wall{which}", mode, ((with_it, "wall"), ("bare", "wall")), kind="difference", decides=False))

    def once(variant, _):
        which = DISTRIBUTED if variant.endswith(DISTRIBUTED) else ""
        return command.run(meter, variant.removesuffix(DISTRIBUTED), program, ilcovs[which])

    yield made(rows, rounds.measure("start", rows, once, FACTOR))
    yield declined(meter)


def declined(meter):
    tool = os.path.join(place.sdk()[1], "MSBuild.dll")
    repeated = ["sh", "-c", f'for i in $(seq {DECLINED_TIMES}); do dotnet "$0" -version -nologo; done', tool]

    def once(variant, _):
        place.fresh_reports()
        return vars(meter.run(repeated if variant == "bare" else command.ilcov_run(
            variant, repeated, "--allow-empty", report="none"))).copy()

    row = Row(TITLE, f"a declined process, of {DECLINED_TIMES}", "count", (("count", "cpu"), ("bare", "cpu")), kind="difference",
              share=DECLINED_TIMES, bar=DECLINED_BAR_MS)
    return [row.result(rounds.measure("start: declined", [row], once))]
