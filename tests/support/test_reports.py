#!/usr/bin/env python3
"""test_reports.py ILCOV DATA JSON JSONL HTML: for every line of the reports of a data file, the tests that ran it, and how many, are what
`ilcov tests FILE:LINE --json` says. Prints what differs, and how many lines there are of each kind."""
import collections
import json
import os
import re
import subprocess
import sys

ilcov, data, json_path, jsonl_path, html = sys.argv[1:]
wrong = []


def say(what):
    wrong.append(what)


def numbers(runs):
    """Of gap and length, gap and length."""
    at = 0
    for gap, length in zip(runs[::2], runs[1::2]):
        yield from range(at + gap, at + gap + length)
        at += gap + length


def told(path, line):
    """{(name, kind)} of `ilcov tests`."""
    found = subprocess.run([ilcov, "tests", "-d", data, "--json", f"{path}:{line}"], capture_output=True, text=True, check=True)
    return {(test["name"], test["kind"]) for test in json.loads(found.stdout)["tests"]}


def of_json(tests, sets, classes):
    """{(file, line): (count or None, tests)} of lines that ran."""
    found = {}
    for entry in classes:
        for line in entry["lines"]:
            if line["hits"] == 0 and ("tests" in line or "test_sets" in line):
                say(f"{entry['file']}:{line['number']} did not run, and has tests")
            if line["hits"] == 0:
                continue
            places = [place for number in line.get("test_sets", []) for first, last in sets[number] for place in range(first, last + 1)]
            found[entry["file"], line["number"]] = (line.get("tests"), {(tests[place]["name"], tests[place]["kind"]) for place in places})
    return found


def read_json():
    with open(json_path, encoding="utf-8") as file:
        report = json.load(file)
    classes = [entry for package in report["packages"] for entry in package["classes"]]
    return of_json(report["tests"], report["test_sets"], classes), {entry["file"] for entry in classes}


def read_jsonl():
    tests, sets, classes = [], [], []
    with open(jsonl_path, encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            if line["kind"] == "test":
                tests.append(line["test"])
            elif line["kind"] == "test_set":
                sets.append(line["tests"])
            elif line["kind"] == "file":
                classes += line["classes"]
    return of_json(tests, sets, classes)


def script(name):
    with open(os.path.join(html, "tests", name), encoding="utf-8") as file:
        call = re.fullmatch(r'// Written by ilcov [^\n]*\nilcovTests\("([^"]*)",(.*)\);\n', file.read(), re.S)
    if call is None or call[1] != name:
        say(f"{name} is no such file")
        return {}
    return json.loads(call[2])


def read_html(paths):
    """{(file, line): (count, sign or '?', tests)}: by the names of pages, which end with that of the file."""
    names, found, used = [], {}, set()
    for number in range(10000):
        if not os.path.exists(os.path.join(html, "tests", f"names-{number}.js")):
            break
        names += script(f"names-{number}.js")
        used.add(f"names-{number}.js")
    for page in os.listdir(os.path.join(html, "files")):
        with open(os.path.join(html, "files", page), encoding="utf-8") as file:
            text = file.read()
        path = [path for path in paths if page.endswith("-" + path.rsplit("/", 1)[-1] + ".html")]
        columns = {}
        for column in "nt":
            columns[column] = re.search(rf"<pre class={column}[^>]*>\n(.*?)</pre>", text, re.S)[1]
            columns[column] = re.sub("<[^>]*>", "", columns[column]).split("\n")[:-1]
        source = re.search(r'<pre class=t data-tests="\.\./tests/([^"]*)"', text)
        said = script(source[1]) if source else {"kinds": [0, 0, 0, 0], "sets": [], "lines": []}
        used |= {source[1]} if source else set()
        kinds = [kind for kind, count in zip(("test", "class", "static", "outside"), said["kinds"]) for _ in range(count)]
        by_line = {}
        for first, last, sets in said["lines"]:
            for line in range(first, last + 1):
                by_line[line] = {(names[test], kinds[test]) for place in numbers(sets) for test in numbers(said["sets"][place])}
        for line, sign in zip(columns["n"], columns["t"]):
            if sign:
                found[path[0], int(line)] = (sign, by_line.get(int(line), set()))
    for name in set(os.listdir(os.path.join(html, "tests"))) - used:
        say(f"{name} belongs to no page")
    return found


def main():
    of_report, files = read_json()
    of_lines, of_pages = read_jsonl(), read_html(files)
    if of_lines != of_report:
        say("JSON lines differ from JSON")
    if set(of_pages) != set(of_report):
        say(f"pages have other lines: {sorted(set(of_pages) ^ set(of_report))[:9]}")
    seen = collections.Counter()
    for place, (count, tests) in sorted(of_report.items()):
        expected = told(*place)
        own = sum(kind == "test" for _, kind in expected)
        seen["no test" if expected and not own else "unknown" if not expected else "tests"] += 1
        if tests != expected or count != (own if expected else None):
            say(f"{place}: JSON: {count} {sorted(tests)[:3]} instead of {own} {sorted(expected)[:3]}")
        sign = "?" if not expected else "\u25CB" if own == 0 else str(own)
        if of_pages.get(place) != (sign, expected):
            say(f"{place}: HTML: {of_pages.get(place)} instead of {sign} {sorted(expected)[:3]}")
    print(*wrong[:20], sep="\n")
    print(", ".join(f"{kind}: {count} lines" for kind, count in sorted(seen.items())))
    sys.exit(bool(wrong) or not seen)


main()
