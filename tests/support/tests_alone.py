#!/usr/bin/env python3
"""tests_alone.py FOLDER WHOLE...: FOLDER has a data file NAME.ilcov for each test NAME that was run alone. Does what the test hit there equal
what it hit in a run of all tests, in each data file WHOLE? Compared are all counts of the product: statements, outcomes, entries of methods.

What no report has is told apart, because it depends on time and on what ran before: decisions that the compiler made (was a task complete?
was a delegate made?), and methods of its own, without statements, such as those that are called only if a task was not complete.
Nothing of the product may run outside if a test is alone. Prints a line for each test that differs, then `N equal, M but for code of the
compiler, D different`."""
import os
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from make_tests import numbers  # noqa: E402

PRODUCT = "(SELECT id FROM modules WHERE state = 0)"


def hits_of(path):
    """{test: {(module, place)}} of the product's modules; "" is what ran outside of tests, their classes and static constructors"""
    with sqlite3.connect(path) as database:
        tests = dict(database.execute("SELECT id, coalesce(name, '') FROM tests WHERE kind IN (0, 3)"))
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
    """{(module, place): method}, and those places that no report has"""
    names, shown = {}, set()
    with sqlite3.connect(path) as database:
        methods = {(module, rid): (name, f"{of}.{method}") for module, rid, name, of, method in database.execute(
            "SELECT modules.id, methods.id, modules.name, methods.type, methods.name FROM methods JOIN modules ON modules.id = module")}
        for module, method, place, is_shown in database.execute(
                "SELECT module, id, entry_count, (module, id) IN (SELECT module, method FROM statements) FROM methods "
                f"WHERE module IN {PRODUCT} UNION ALL SELECT module, method, count_index, 1 FROM statements WHERE module IN {PRODUCT}"):
            if place is not None:
                name, text = methods[module, method]
                names[name, place] = text
                if is_shown:
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
        hits_alone = hits_of(os.path.join(folder, file))
        alone, stray = hits_alone.get(test, set()), hits_alone.get("", set())
        unlike = set()
        for path, hits in whole.items():
            unlike |= alone ^ hits.get(test, set())
        if stray or not alone:
            different += 1
        elif not unlike:
            equal += 1
        elif unlike <= hidden:
            compilers += 1
        else:
            different += 1
        if unlike or stray or not alone:
            print(f"{test}: {len(alone)} alone, {len(stray)} outside; unlike: {sorted({names.get(place, str(place)) for place in unlike})}"
                  f"{' (code of the compiler)' if unlike <= hidden else ''}")
    print(f"{equal} equal, {compilers} but for code of the compiler, {different} different")
    return 1 if different or not equal + compilers else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
