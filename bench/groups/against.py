"""The suite of 4,500 tests and the loops under this ilcov and under an earlier one."""
import command
import place
import rounds
from groups import earlier, loops, suites
from row import made

TITLE = "against an earlier ilcov"


def measure(meter):
    earlier.baseline()
    suites.prepare(meter, suites.TOOLBOX)
    for mode in command.MODES:
        row = earlier.row(f"{TITLE}: the suite of short tests", mode)
        samples = rounds.measure(f"against: suite, {mode}", [row], lambda variant, _: earlier.program_under(
            meter, variant, mode, suites.TEST, cwd=suites.TOOLBOX.path))
        yield [row.result(samples)]
    for configuration in ("Debug", "Release"):
        place.build("loops", configuration)
        program = [place.built("loops", configuration)]
        rows = [earlier.row(f"{TITLE}: loops, {configuration}, count", loop, loop) for loop in loops.LOOPS]
        samples = rounds.measure(f"against: loops, {configuration}", rows, lambda variant, names: loops.times(
            meter, command.ilcov_run("count", program, ilcov=earlier.baseline() if variant == earlier.EARLIER else place.ILCOV), names))
        yield made(rows, samples)
