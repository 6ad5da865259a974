"""Small loops, where a probe costs most, in Debug and Release. The program times itself, the best of five."""
import command
import place
import rounds
from groups import earlier
from row import Row, geometric_mean, made

TITLE = "loops"
RELEASE = f"{TITLE}, Release"
MEAN = "mean without properties"
MEAN_BY_HAND = "mean of those by hand"
LOOPS = ("fib", "sieve", "matrix", "dictionary", "properties", "sort", "switch", "one-thread", "two-threads", "eight-threads",
         "thirty-two-threads")
THREADS = ("two-threads", "eight-threads", "thirty-two-threads")
ALONE = "one-thread"
NOT_IN_MEAN = ("properties", "eight-threads", "thirty-two-threads")  # a bar of its own; one loop four times
MEAN_BARS = {"count": 1.20, "hit": 1.06}  # of Release
THREADS_BAR = 1.3
# The physical limit: the loop with a count, or a mark, written by hand wherever one is needed, without ilcov. Only in Release: elsewhere
# what is written by hand is a call.
BY_HAND = {"count": ("counted", "*(long*)address += 1"), "hit": ("marked", "*(byte*)address = 1")}
LIMITED = ("fib", "sieve", "matrix", "dictionary", "properties", "switch", "one-thread", "two-threads")
LIMIT_BARS = {"properties": 1.3}


def limits_of(group, modes):
    """What it costs by hand, and what ilcov costs beside that."""
    for mode, (how, code) in BY_HAND.items():
        for loop in LIMITED if mode in modes else ():
            by_hand = ("bare", f"{loop}-{how}")
            yield Row(group, loop, code, (by_hand, ("bare", loop)))
            yield Row(group, loop, mode, ((mode, loop), by_hand), reference=code, bar=LIMIT_BARS.get(loop))


def rows_of(group, modes=command.MODES, limits=False):
    rows = [Row(group, loop, variant, ((variant, loop), ("bare", loop))) for loop in LOOPS for variant in command.and_earlier(modes)]
    for loop in LOOPS:
        rows += earlier.rows(group, loop, modes, loop)
    rows += limits_of(group, modes) if limits else ()
    for loop in THREADS:
        rows += [Row(group, loop, mode, ((mode, loop), ("bare", loop), (mode, ALONE), ("bare", ALONE)),
                     kind="ratio of ratios", reference=f"{ALONE}'s", bar=THREADS_BAR) for mode in modes]
    return rows


def times(meter, run, names):
    """{loop: ms} as the program prints them."""
    place.fresh_reports()
    meter.run([*run, *names])
    with open(place.LOG, encoding="utf-8") as log:
        words = [line.split() for line in log]
    printed = {line[0]: float(line[1]) for line in words if len(line) == 2 and line[0] in names}
    if set(printed) != set(names):
        raise place.Failure(f"the loops printed {sorted(printed)} instead of {sorted(names)}\n{place.tail()}")
    return printed


def means_of(group, measured):
    """Of all loops; and of those that are written by hand as well, of these, of ilcov, and of ilcov beside them."""
    def mean(name, variant, loops, reference="bare", bar=None):
        return geometric_mean([row for row in measured if row["kind"] == "ratio" and row["reference"] == reference and
                               row["variant"] == variant and row["name"] in set(loops) - set(NOT_IN_MEAN)],
                              group, name, variant, bar, reference)

    for mode in command.MODES if place.baseline() else ():
        yield mean(MEAN, mode, LOOPS, "earlier")
    for mode in command.and_earlier(command.MODES):
        yield mean(MEAN, mode, LOOPS, bar=MEAN_BARS.get(mode) if group == RELEASE else None)
        if group == RELEASE and mode in BY_HAND:
            code = BY_HAND[mode][1]
            yield mean(MEAN_BY_HAND, mode, LIMITED)
            yield mean(MEAN_BY_HAND, code, LIMITED)
            yield mean(MEAN_BY_HAND, mode, LIMITED, code)


def measure_one(meter, configuration):
    place.build("loops", configuration)
    program = place.built("loops", configuration)
    group = f"{TITLE}, {configuration}"
    rows = rows_of(group, limits=group == RELEASE)
    samples = rounds.measure(group, rows, lambda variant, names: times(meter, command.under(variant, [program]), names))
    measured = made(rows, samples)
    return measured + list(means_of(group, measured))


def measure(meter):
    for configuration in ("Debug", "Release"):
        yield measure_one(meter, configuration)
