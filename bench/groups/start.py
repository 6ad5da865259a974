"""Start-up: a program that does nothing."""
import command
import place
import rounds
from row import Row

TITLE = "start: Hello, World in Release, report included"
BAR_MS = 6.0
FACTOR = 4  # it is short


def measure(meter):
    place.build("hello", "Release")
    program = [place.built("hello", "Release")]
    command.run(meter, "bare", program)  # the first run reads everything from disk
    rows = []
    for mode in command.MODES:
        rows.append(Row(TITLE, "hello, CPU", mode, ((mode, "cpu"), ("bare", "cpu")), kind="difference", bar=BAR_MS))
        rows.append(Row(TITLE, "hello, wall", mode, ((mode, "wall"), ("bare", "wall")), kind="difference", decides=False))
    samples = rounds.measure("start", rows, lambda variant, _: command.run(meter, variant, program), FACTOR)
    return [row.result(samples) for row in rows]
