"""Test suites of others, which lie outside this repository: NAME=DIRECTORY:COMMAND, or a file with such a line for each. The
command runs in the directory, and must not build. `suites` and `loops` are the bench's own in Debug, for a mean of all."""
import os
import shlex
import sys

import command
import place
import rounds
from groups import earlier, loops, suites
from row import Row, geometric_mean, made

TITLE = "public suites, report included"
BESIDE_EARLIER = "public suites, against the earlier ilcov"
MEAN = "mean of all"
OWN_SUITES, OWN_LOOPS = "suites", "loops"
FAR_SLOWER = 3  # times the faster peer: rounds of minutes would tell nothing new


def parse(text):
    """(name, directory, command) of NAME=DIRECTORY:COMMAND."""
    name, _, rest = text.partition("=")
    directory, _, words = rest.partition(":")
    if not (name and directory and words):
        raise place.Failure(f"'{text}' is not NAME=DIRECTORY:COMMAND")
    if not os.path.isdir(directory):
        raise place.Failure(f"{name}: there is no directory {directory}")
    return name.strip(), directory, shlex.split(words)


def listed(arguments):
    """Of the arguments, each a suite or a file of them; empty lines and those with # are left out. The loops are no suite."""
    found = []
    for argument in arguments:
        if argument == OWN_SUITES:
            found += [(suite.name, suite.path, suites.TEST) for suite in suites.SUITES]
        elif os.path.isfile(argument):
            with open(argument, encoding="utf-8") as file:
                lines = [line.strip() for line in file]
            found += [parse(line) for line in lines if line and not line.startswith("#")]
        elif argument != OWN_LOOPS:
            found.append(parse(argument))
    if not arguments:
        raise place.Failure("public takes suites as NAME=DIRECTORY:COMMAND, or a file with one in each line")
    return found


def working_peers(meter, name, test, directory):
    """Those that make a report of this suite, which takes `dotnet test`; and not one that is far slower than the other."""
    costs = {}
    for peer in command.peers() if test[:2] == ["dotnet", "test"] else []:
        try:
            costs[peer] = command.run(meter, peer, test, cwd=directory)["cpu"]
        except place.Failure as failure:
            print(f"bench: {name} is not measured with {peer}: {str(failure).splitlines()[0]}", file=sys.stderr)
    for peer, cost in costs.items():
        if cost > FAR_SLOWER * min(costs.values()):
            print(f"bench: {name} is not measured with {peer}, whose first run took {cost / 1e3:.0f} s of CPU time, the other's "
                  f"{min(costs.values()) / 1e3:.0f} s", file=sys.stderr)
    return [peer for peer, cost in costs.items() if cost <= FAR_SLOWER * min(costs.values())]


def measure_one(meter, name, directory, test):
    """Its rows, and those beside the earlier ilcov and the faster peer."""
    command.run(meter, "bare", test, cwd=directory)  # the first run reads everything from disk
    ours = [*command.MODES, *command.per_test()]
    variants = [*command.and_earlier(ours), *working_peers(meter, name, test, directory)]
    rows = [Row(TITLE, name, variant, ((variant, "cpu"), ("bare", "cpu")), bar=suites.USUAL_BARS.get(variant)) for variant in variants]
    samples = rounds.measure(name, rows, lambda variant, _: command.run(meter, variant, test, cwd=directory))
    results = made(rows, samples)
    return results + made(earlier.rows(BESIDE_EARLIER, name, ours), samples), suites.against("public suites", name, results, samples)


def as_suite(results):
    """The mean of the loops, as if they were one suite."""
    return [result | {"group": TITLE if result["reference"] == "bare" else BESIDE_EARLIER, "name": OWN_LOOPS, "bar": None}
            for result in results if result["name"] == loops.MEAN]


def means(results):
    """Of each variant that is no peer's, beside bare and beside the earlier ilcov."""
    for group in (TITLE, BESIDE_EARLIER):
        for variant in command.and_earlier([*command.MODES, *command.per_test()]):
            some = [result for result in results if (result["group"], result["variant"]) == (group, variant)]
            if some:
                bar = suites.MEAN_BARS.get(variant) if group == TITLE else None
                yield geometric_mean(some, group, MEAN, variant, bar, some[0]["reference"])


def measure(meter, arguments=()):
    all_results = []
    if OWN_SUITES in arguments:
        for suite in suites.SUITES:
            place.build(os.path.join("suites", suite.folder), "Debug")
    for name, directory, test in listed(arguments):
        try:
            results, others = measure_one(meter, name, directory, test)
        except place.Failure as failure:
            print(f"bench: {name} is not measured: {failure}", file=sys.stderr)
            continue
        all_results += results
        yield results + others
    if OWN_LOOPS in arguments:
        results = loops.measure_one(meter, "Debug")
        all_results += as_suite(results)
        yield results + as_suite(results)
    if not all_results:
        raise place.Failure("no suite could be measured")
    yield list(means(all_results))
