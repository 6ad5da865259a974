#!/usr/bin/env python3
"""What coverage costs, measured in interleaved rounds. README.md beside this file says how to read it.

    bench/bench.py [GROUP...]        all without arguments
    bench/bench.py --list            the groups

  BENCH_RUNS  the fewest and the most rounds (6/40): they end when the interval of every median is within 3 %
  ILCOV       the program to measure (build/ilcov)
  PEERS       what suites are also measured with ("coverlet microsoft"; may be empty)
  BENCH_METHODS  how many methods `end` measures (1000 10000 100000 1000000)
  SIZES       how many statements `huge` measures (1000 5000)
  BASELINE    for `unused` and `against`, an earlier ilcov, its library beside it

The figures are for reading: the exit status is 1 if some could not be made or if two meters of CPU time disagree, else 0.
All that is made goes to build/bench: the results, of this run and of earlier ones of other groups, to build/bench/results.json.
"""
import argparse
import importlib
import json
import os
import sys
import time

sys.dont_write_bytecode = True

import command  # noqa: E402  after the line above, for these are its modules
import place  # noqa: E402
import rounds  # noqa: E402
import table  # noqa: E402
from meter import Meter  # noqa: E402

GROUPS = ("loops", "suites", "start", "end", "memory", "growth", "csc", "huge")
ON_REQUEST = ("unused", "against")  # they need BASELINE
RESULTS = "results.json"
VERSION = 1


def processor():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def load():
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def conditions():
    """Under which a group was measured."""
    return {
        "ilcov": place.output_of(place.ILCOV, "--version").splitlines()[0], "sdk": place.output_of("dotnet", "--version").strip(),
        "processor": processor(), "processors": len(os.sched_getaffinity(0)), "kernel": os.uname().release,
        "date": time.strftime("%Y-%m-%d"), "rounds": list(rounds.limits()), "load": load(), "peers": command.versions(),
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


def bench(names):
    """Measures the groups, each saved as soon as it is done; True if the meters agreed."""
    if not os.access(place.ILCOV, os.X_OK):
        raise place.Failure(f"{place.ILCOV} is missing: run make first")
    path = os.path.join(place.folder(), RESULTS)
    rounds.limits()
    meter, disagreements = Meter(), 0
    for name in names:
        group = importlib.import_module(f"groups.{name}")
        meter.begin()
        about = conditions()
        if name == names[0]:
            print(f"{about['ilcov']}, .NET SDK {about['sdk']}, {about['processors']} processors, {about['processor']}, load "
                  f"{about['load']}")
        started = time.monotonic()
        rows = group.measure(meter)
        about |= {"seconds": round(time.monotonic() - started), "load_at_end": load(), "meter": meter.summary()}
        print(table.text(rows))
        print(f"{about['seconds']} s, load {about['load']} to {about['load_at_end']}, CPU time by {about['meter']['kind']}", flush=True)
        for text in meter.disagreements:
            print(f"bench: the meters disagree: {text}", file=sys.stderr)
        disagreements += len(meter.disagreements)
        results = read_results(path)
        results["groups"][name] = about | {"rows": rows}
        write_results(path, results)
    return disagreements == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", choices=(*GROUPS, *ON_REQUEST, []), help=", ".join((*GROUPS, *ON_REQUEST)))
    parser.add_argument("--list", action="store_true", help="print the groups and exit")
    options = parser.parse_args()
    if options.list:
        print("\n".join((*GROUPS, *ON_REQUEST)))
        return 0
    return 0 if bench(options.groups or GROUPS) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except place.Failure as failure:
        place.say("")
        sys.exit(f"bench: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
