#!/usr/bin/env python3
"""What `ilcov diff --format json` says, one fact a line; see tests/e2e/test_diff.sh.

    diff_says.py says DIFF SOURCES SELF     methods, lines, and totals as they differ from those of SELF, a diff of BASE with itself
    diff_says.py owed DIFF                  FILE:LINE of each line that the patch owes, then covered/owed
    diff_says.py sums DIFF                  what the same diff the other way round has to say, too: diff_says.py turned DIFF
"""
import json
import re
import sys

STATES = {
    "kept": "kept", "gained": "gained", "new_covered": "new and covered", "lost": "lost", "still_missed": "still missed",
    "new_missed": "new and missed", "not_run": "not run", "carried": "carried",
}


def plain(name):
    """Types by the names that C# has for them."""
    for long, short in ("Int32", "int"), ("Int64", "long"), ("String", "string"), ("Boolean", "bool"):
        name = re.sub(r"\bSystem\." + long + r"\b", short, name)
    return name.replace("System.Collections.Generic.", "")


def methods(diff):
    for method in diff["methods"]:
        origin = " from " + plain(method["from"]) if method["from"] else ""
        name = plain(method["type"] + "." + method["name"] + method["signature"])
        yield f"METHOD {method['kind']} {name}{origin}"


def lines(diff, root):
    for file in diff["files"]:
        with open(f"{root}/{file['path']}", encoding="utf-8") as source:
            text = source.read().split("\n")
        told = [line for line in file["lines"] if line["state"] not in ("kept", "still_missed")]
        if told and all(line["state"] == "not_run" for line in told):
            yield f"FILE not run {file['path']}"
            continue
        for line in told:
            yield f"LINE {STATES[line['state']]} {file['path']}: {text[line['number'] - 1].strip()}"


def totals(diff, self):
    for what, plural in ("lines", "lines"), ("branches", "outcomes"):
        for state, text in STATES.items():
            change = diff["totals"][what][state] - self["totals"][what][state]
            if change:
                yield f"TOTAL {text} {change:+d} {plural}"
    for what, count in diff["totals"]["removed_lines"].items():
        if count:
            yield f"TOTAL removed {what} {count}"


def owed(diff):
    for file in diff["files"]:
        for line in file["lines"]:
            if line["in_patch"]:
                yield f"{file['path']}:{line['number']}"
    yield "{covered}/{valid}".format(**diff["totals"]["patch_lines"])


def sums(diff, turned):
    kinds, states = dict(diff["totals"]["methods"]), dict(diff["totals"]["lines"])
    if turned:
        kinds["added"], kinds["removed"] = kinds["removed"], kinds["added"]
        states["gained"], states["lost"] = states["lost"], states["gained"]
    for key in "unchanged", "moved", "edited", "added", "removed":
        yield f"{key} {kinds[key]}"
    for key in "gained", "lost":
        yield f"{key} {states[key]}"


def main():
    what, diff = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
    if what == "says":
        said = [*methods(diff), *lines(diff, sys.argv[3]), *totals(diff, json.load(open(sys.argv[4], encoding="utf-8")))]
    elif what == "owed":
        said = owed(diff)
    else:
        said = sums(diff, what == "turned")
    for line in said:
        print(line)


main()
