#!/usr/bin/env python3
"""condition_words.py REPORT.json SOURCE RECORD MOST: does the report call each outcome what the program recorded? SOURCE is what
tests/e2e/make_conditions.py wrote, RECORD what its program printed. Prints each condition with wrong words, how many have none,
and fails if any is wrong or if more than MOST percent have none."""
import json
import re
import sys


def main():
    report, source, record, most = json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3], float(sys.argv[4])
    lines = open(source, encoding="utf-8").read().split("\n")
    seen = {}
    for row in open(record, encoding="utf-8"):
        line, operand, no, yes = map(int, row.split())
        seen[line, operand] = (no, yes)
    wrong, neutral, worded = 0, {}, 0
    for package in report["packages"]:
        for entry in package["classes"]:
            for line in entry["lines"]:
                number = line["number"]
                parts = lines[number - 1].split(" // ")
                if len(parts) != 4 or parts[1] == "none":
                    continue
                asked, prefix, base = parts[1:]
                for condition in line["conditions"]:
                    span = condition["span"]
                    text = lines[span["start_line"] - 1][span["start_column"] - 1:span["end_column"] - 1]
                    if text in ("hits++ > limit", "in"):
                        continue
                    late = asked in ("and last", "or last", "one after q")
                    if not condition["exact"] or "outcomes" not in condition:
                        neutral.setdefault((base, condition["exact"]), []).append(number)
                        continue
                    if text == "Is(q)":
                        expected = seen.get((number, 0 if late else 1), (0, 0))
                    elif base in text:
                        expected = seen.get((number, 1 if late else 0), (0, 0))
                        if (prefix.count("!") - text[:text.index(base)].count("!")) % 2:
                            expected = expected[::-1]
                    else:
                        continue
                    worded += 1
                    names = dict(zip(condition["outcomes"], condition["outcome_hits"]))
                    if set(names) <= {"false", "true"} and (names["false"], names["true"]) != expected:
                        print(f"{number}: {text}: {names}, recorded {expected}: {parts[0].strip()}")
                        wrong += 1
    none = sum(map(len, neutral.values()))
    for (base, exact), numbers in sorted(neutral.items(), key=lambda item: -len(item[1])):
        print(f"# none: {len(numbers)} of {base}{'' if exact else ' (not exact)'}: {numbers[:6]}")
    share = 100 * none / max(1, none + worded)
    print(f"{worded} right, {wrong} wrong, {none} without words: {share:.1f} %")
    sys.exit(wrong != 0 or worded < 1000 or share > most)


main()
