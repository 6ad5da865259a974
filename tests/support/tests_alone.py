#!/usr/bin/env python3
"""tests_alone.py FOLDER WHOLE...: FOLDER has a data file NAME.ilcov for each test NAME that was run alone. Does what the test hit there equal
what it hit in a run of all tests, in each data file WHOLE? Compared are all counts of the product: statements, outcomes, entries of methods.

Outcomes that no report has, because the compiler made the decision (was a task complete? was a delegate made before?), are told apart.
Prints a line for each test that differs, then `N equal, M but for outcomes of the compiler, D different`."""
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from make_tests import numbers  # noqa: E402

PRODUCT = "(SELECT id FROM modules WHERE state = 0)"


def hits_of(path):
    """{test: {(module, place)}} of the product's modules"""
    with sqlite3.connect(path) as database:
        tests = dict(database.execute("SELECT id, name FROM tests WHERE kind = 0"))
        found = {name: set() for name in tests.values()}
        for module, counts, owners in database.execute(
                "SELECT modules.name, counts, tests FROM test_hits JOIN modules ON modules.id = test_hits.module "
                f"WHERE module IN {PRODUCT}"):
            places = {(module, place) for place in numbers(counts)}
            for owner in numbers(owners):
                if owner in tests:
                    found[tests[owner]] |= places
    return found


def places_of(path):
    """{(module, place): method}, and those places that only a decision of the compiler has"""
    names, shown = {}, set()
    with sqlite3.connect(path) as database:
        methods = {(module, rid): (name, f"{of}.{method}") for module, rid, name, of, method in database.execute(
            "SELECT modules.id, methods.id, modules.name, methods.type, methods.name FROM methods JOIN modules ON modules.id = module")}
        for module, method, place in database.execute(
                f"SELECT module, id, entry_count FROM methods WHERE module IN {PRODUCT} UNION ALL "
                f"SELECT module, method, count_index FROM statements WHERE module IN {PRODUCT}"):
            if place is not None:
                name, text = methods[module, method]
                names[name, place] = text
                shown.add((name, place))
        for module, method, first, count, reason in database.execute(
                f"SELECT module, method, first_count, outcome_count, reason FROM decisions WHERE module IN {PRODUCT}"):
            name, text = methods[module, method]
            for place in range(first, first + count):
                names[name, place] = text
                if reason is None:
                    shown.add((name, place))
    return names, names.keys() - shown


def main(folder, *wholes):
    names, hidden = places_of(wholes[0])
    whole = {path: hits_of(path) for path in wholes}
    equal = compilers = different = 0
    for file in sorted(os.listdir(folder)):
        test = file.removesuffix(".ilcov")
        alone = hits_of(os.path.join(folder, file)).get(test, set())
        unlike = set()
        for path, hits in whole.items():
            unlike |= alone ^ hits.get(test, set())
        if alone and not unlike:
            equal += 1
        elif alone and unlike <= hidden:
            compilers += 1
        else:
            different += 1
        if unlike or not alone:
            print(f"{test}: {len(alone)} alone; unlike: {sorted({names.get(place, str(place)) for place in unlike})}"
                  f"{' (outcomes of the compiler)' if unlike <= hidden else ''}")
    print(f"{equal} equal, {compilers} but for outcomes of the compiler, {different} different")
    return 1 if different or not equal + compilers else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
