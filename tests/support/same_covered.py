#!/usr/bin/env python3
"""same_covered.py A B: do two JSON reports say of the same lines and branches that they are covered, however often?"""
import json
import sys


def covered(path):
    """{(class, method, line): is it hit, and how many of its branches}"""
    found = {}
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for package in report["packages"]:
        for of in package["classes"]:
            for method in of["methods"]:
                for line in method["lines"]:
                    found[of["name"], method["name"], method["signature"], line["number"]] = (
                        line["hits"] != 0, [[hits != 0 for hits in condition["outcome_hits"]] for condition in line["conditions"]])
    return found


def main(one, other):
    a, b = covered(one), covered(other)
    unlike = sorted(key for key in a.keys() | b.keys() if a.get(key) != b.get(key))
    for key in unlike[:20]:
        print(key, a.get(key), b.get(key))
    print(f"{len(a)} lines, {len(unlike)} unlike")
    return 1 if unlike or not a else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
