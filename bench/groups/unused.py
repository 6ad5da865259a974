"""What attach, detach, stacks and snapshots cost a run that uses none of them: this ilcov beside an earlier one without them,
and this one with and without --control."""
import command
import place
import rounds
from groups import earlier
from row import Row

TITLE = "unused: what nobody asked for, count, report included"
BAR = 1.00


def control(meter, variant, program):
    place.fresh_reports()
    options = ["--control"] if variant == "--control" else []
    return vars(meter.run(command.ilcov_run("count", program, *options, report="none"))).copy()


def measure(meter):
    earlier.required()
    place.build("hello", "Release")
    place.build("loops", "Release")
    hello = [place.built("hello", "Release")]
    loops = [place.built("loops", "Release"), "fib", "dictionary", "sort"]
    for name, program, factor in (("hello", hello, 10), ("three loops", loops, 1)):
        row = earlier.row(TITLE, name, "count", bar=BAR)
        samples = rounds.measure(f"unused: {name}", [row], lambda variant, _: command.run(meter, variant, program), factor)
        yield [row.result(samples)]
    row = Row(TITLE, "hello", "--control", (("--control", "cpu"), ("without", "cpu")), bar=BAR, reference="without it")
    samples = rounds.measure("unused: --control", [row], lambda variant, _: control(meter, variant, hello), 10)
    yield [row.result(samples)]
