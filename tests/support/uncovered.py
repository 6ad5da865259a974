"""Is `ilcov show --uncovered` the missed lines of the JSON report, of every data file?

    uncovered.py ILCOV FOLDER

Of the data files below FOLDER, one of each set of builds: it is the builds that make lines. Files of which there is no report, as
tests make them, have no missed lines. Prints "N data files, N missed lines" and what differs."""

import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

LARGEST = 8 << 20  # bytes of a data file: a JSON report is four times as large


def builds(path):
    """What tells one set of builds from another; None for what is no data file."""
    try:
        with sqlite3.connect(f"file:{path}?immutable=1", uri=True) as data:
            rows = data.execute("SELECT mvid, state, name FROM modules WHERE state != 2 ORDER BY 1, 2, 3")
            return tuple(rows)
    except sqlite3.Error:
        return None


def missed_of_json(report):
    """The lines with code, and those that did not run, by file: a shared file may have run in one assembly only."""
    code, missed = {}, {}
    for package in report["packages"]:
        for entry in package["classes"]:
            for line in entry["lines"]:
                code.setdefault(entry["file"], set()).add(line["number"])
                if line["hits"] == 0:
                    missed.setdefault(entry["file"], set()).add(line["number"])
    return code, missed


def differences(text, code, missed):
    """A range begins and ends with a missed line, and the lines with code in it are all missed."""
    seen = {}
    for row in text.splitlines():
        path, ranges = row.rsplit(":", 1)
        if path in seen:
            yield f"{path} stands there twice"
        lines = set()
        for piece in ranges.split(","):
            first, _, last = piece.partition("-")
            first, last = int(first), int(last or first)
            if not {first, last} <= missed.get(path, set()):
                yield f"{path}:{piece} does not begin and end with a missed line"
            lines |= set(range(first, last + 1))
        seen[path] = lines & code.get(path, set())
    if list(seen) != sorted(seen, key=str.encode):
        yield "the files are in no order"
    for path in sorted({*seen, *missed}):
        if seen.get(path, set()) != missed.get(path, set()):
            yield f"{path}: {sorted(seen.get(path, set()) ^ missed.get(path, set()))}"


def main():
    ilcov, folder = sys.argv[1:]
    known, count, lines, wrong = set(), 0, 0, False
    for path in sorted(pathlib.Path(folder).rglob("*.ilcov")):
        key = builds(path) if path.is_file() and path.stat().st_size <= LARGEST else None
        if not key or key in known:
            continue
        known.add(key)
        with tempfile.NamedTemporaryFile() as report:
            made = subprocess.run([ilcov, "report", "-q", "-f", f"json={report.name}", str(path)], capture_output=True)
            shown = subprocess.run([ilcov, "show", "--uncovered", "-d", str(path)], capture_output=True)
            has_report = made.returncode == 0
            code, missed = missed_of_json(json.load(open(report.name, encoding="utf-8"))) if has_report else ({}, {})
        count += has_report
        lines += sum(map(len, missed.values()))
        said = [shown.stderr.decode()] if has_report and (shown.returncode or shown.stderr) else []
        for what in [*said, *differences(shown.stdout.decode(), code, missed)]:
            print(f"{path.relative_to(folder)}: {what}")
            wrong = True
    print(f"{count} data files, {lines} missed lines")
    sys.exit(wrong)


main()
