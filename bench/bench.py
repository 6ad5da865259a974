#!/usr/bin/env python3
"""What coverage costs, measured in interleaved rounds. README.md beside this file says how to read it.

    bench/bench.py [GROUP...]        all without arguments
    bench/bench.py public SUITE...   test suites outside the repository: NAME=DIRECTORY:COMMAND, or a file with one in each line;
                                     `suites` and `loops` are those of this folder, in Debug
    bench/bench.py page              docs/performance.md and its plot, from the results
    bench/bench.py --list            the groups

  BENCH_RUNS  the fewest and the most rounds (6/40): they end when the interval of every median is within 3 %
  ILCOV       the program to measure (build/ilcov)
  MODES       which modes of ilcov ("count hit exact")
  PEERS       what suites are also measured with ("coverlet microsoft"; may be empty)
  BENCH_METHODS  how many methods `end` measures (1000 10000 100000 1000000)
  SIZES       how many statements `huge` measures (1000 5000)
  PER_TEST    which modes `public` also measures with --per-test ("count hit"; may be empty)
  BASELINE    an earlier ilcov for `public`, `loops` and `unused`: a program, its folder, or a revision, which is built

The figures are for reading: the exit status is 1 if some could not be made or if two meters of CPU time disagree, else 0.
All that is made goes to build/bench: the results, of this run and of earlier ones of other groups, to build/bench/results.json.
"""
import argparse
import fcntl
import importlib
import json
import os
import sys
import time

sys.dont_write_bytecode = True

import command  # noqa: E402  after the line above, for these are its modules
import page  # noqa: E402
import place  # noqa: E402
import rounds  # noqa: E402
import table  # noqa: E402
from meter import Meter  # noqa: E402

GROUPS = ("loops", "suites", "per_test", "start", "end", "memory", "growth", "csc", "huge")
ON_REQUEST = ("unused",)            # it needs BASELINE
PUBLIC, PAGE = "public", "page"     # each with arguments of its own
RESULTS = "results.json"
VERSION = 1


def processor():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def version_of(ilcov):
    return place.output_of(ilcov, "--version").splitlines()[0]


def conditions():
    """Under which a group was measured."""
    return {
        "ilcov": version_of(place.ILCOV), "earlier": place.baseline() and version_of(place.baseline()),
        "sdk": place.output_of("dotnet", "--version").strip(), "processor": processor(),
        "processors": len(os.sched_getaffinity(0)), "kernel": ".".join(os.uname().release.split(".")[:2]),
        "date": time.strftime("%Y-%m-%d"), "rounds": list(rounds.limits()), "peers": command.versions(),
    }


def read_results(path):
    try:
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
        return known if known["version"] == VERSION else {"version": VERSION, "groups": {}}
    except FileNotFoundError:
        return {"version": VERSION, "groups": {}}


def write_results(path, results):
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1, ensure_ascii=False)
        file.write("\n")
    os.replace(f"{path}.new", path)


def results_path():
    return os.path.join(place.folder(), RESULTS)


def lock():
    """Two at once would measure each other, and write the same files. Held until the returned file is closed."""
    file = open(os.path.join(place.folder(), "lock"), "w", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise place.Failure("another bench runs here") from None
    return file


def bench(names, arguments=()):
    """Measures the groups, each part of one saved as soon as it is done; True if all could be and the meters agreed. The arguments are those of `public`."""
    if not os.access(place.ILCOV, os.X_OK):
        raise place.Failure(f"{place.ILCOV} is missing: run make first")
    rounds.limits()
    command.check_names()
    with lock():
        meter, fine = Meter(), True
        for name in names:
            try:
                fine &= bench_group(name, meter, arguments)
            except place.Failure as failure:
                place.say("")
                print(f"bench: {name}: {failure}", file=sys.stderr)
                fine = False
    return fine


def bench_group(name, meter, arguments):
    """True if the meters agreed."""
    group = importlib.import_module(f"groups.{name}")
    meter.begin()
    about, started = conditions(), time.monotonic()
    beside = f", beside {about['earlier']}" if about["earlier"] else ""
    print(f"\n{about['ilcov']}{beside}, .NET SDK {about['sdk']}, {about['processors']} processors, {about['processor']}")
    rows = []
    for part in group.measure(meter, *([arguments] if name == PUBLIC else [])):
        print(table.text(part), flush=True)
        rows += part
        about |= {"seconds": round(time.monotonic() - started), "meter": meter.summary()}
        results = read_results(results_path())
        results["groups"][name] = about | {"rows": rows}
        write_results(results_path(), results)
    print(f"{about['seconds']} s; CPU time by {about['meter']['kind']}; other work kept {about['meter']['others']:.2f} processors busy",
          flush=True)
    for text in meter.disagreements:
        print(f"bench: the meters disagree: {text}", file=sys.stderr)
    return not meter.disagreements


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage="bench.py [GROUP...] | public SUITE... | page [RESULTS [PAGE PLOT]] | --list")
    parser.add_argument("names", nargs="*", metavar="GROUP", help=", ".join((*GROUPS, *ON_REQUEST)))
    parser.add_argument("--list", action="store_true", help="print the groups and exit")
    options = parser.parse_args(arguments)
    names = options.names
    if options.list:
        print("\n".join((*GROUPS, PUBLIC, *ON_REQUEST)))
    elif names[:1] == [PAGE]:
        page.write(read_results(names[1] if len(names) > 1 else results_path()), *names[2:])
    elif names[:1] == [PUBLIC]:
        return 0 if bench([PUBLIC], names[1:]) else 1
    elif unknown := [name for name in names if name not in (*GROUPS, *ON_REQUEST)]:
        parser.error(f"there is no group {unknown[0]}")
    else:
        return 0 if bench(names or GROUPS) else 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except place.Failure as failure:
        place.say("")
        sys.exit(f"bench: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
