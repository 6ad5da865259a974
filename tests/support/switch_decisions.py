#!/usr/bin/env python3
"""switch_decisions.py JSON TRUTH: is each switch one decision, with an outcome for each arm and, without a default, for the values that
match none? JSON is a report, TRUTH what tests/e2e/make_switches.py wrote. Prints those that are not, and fails if there are any."""
import collections
import json
import sys


def main():
    truth = json.load(open(sys.argv[2], encoding="utf-8"))
    decisions, wrong, right = collections.defaultdict(list), 0, 0
    for package in json.load(open(sys.argv[1], encoding="utf-8"))["packages"]:
        for of_class in package["classes"]:
            for line in of_class["lines"]:
                decisions[line["number"]] += [(one["kind"], len(one["outcome_hits"])) for one in line["conditions"]]
    for told in truth.values():
        if told["is_nested"]:
            continue
        found = [count for line in range(told["line"], told["last"] + 1) for kind, count in decisions[line]
                 if kind == "switch" or not told["is_guarded"]]
        expected = len(told["arms"]) + (not told["has_default"])
        merged = expected - told["has_empty_case"]  # optimised code goes past an empty arm as past a value without one
        if len(found) == 1 and merged <= found[0] <= expected:
            right += 1
        else:
            print(f"{told['line']}: {told['shape']}: outcomes {found}, not {expected}")
            wrong += 1
    print(f"{right} right, {wrong} wrong")
    sys.exit(wrong != 0 or right < 500)


main()
