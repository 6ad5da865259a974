#!/usr/bin/env python3
"""format_lines.py - the lines of a report as its readers see them, each as `file<tab>line<tab>ran<tab>covered<tab>valid`, sorted:
ran is 1 or 0; covered and valid are branches.

    format_lines.py json FILE        ilcov's JSON report, a file that several assemblies have compiled as one
    format_lines.py lcov FILE        an LCOV tracefile
    format_lines.py genhtml DIR      pages of genhtml --branch-coverage
    format_lines.py generator DIR    ReportGenerator's Xml reports
    format_lines.py sonar FILE       SonarQube's generic coverage
    format_lines.py opencover FILE   OpenCover's XML, by the rules of SonarQube's importer for .NET
    --root DIR                       is cut from the front of paths
    --within DIR                     only lines that the sources there have: pages show no line behind a file's end, where #line
                                     may have put one

An error ends it with status 1 and a line that says which."""

import argparse
import collections
import html.parser
import json
import pathlib
import sys
import xml.etree.ElementTree

Line = collections.namedtuple("Line", "hits covered valid")


def of_json(path):
    """Several assemblies: hits add up, and so do outcomes where all conditions are alike; else those with more outcomes stay."""
    lines = {}
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for package in report["packages"]:
        for type_ in package["classes"]:
            for line in type_["lines"]:
                conditions = [c["outcome_hits"] for c in line["conditions"]]
                lines.setdefault((type_["file"], line["number"]), []).append((line["hits"], conditions))
    for key, builds in lines.items():
        hits, conditions = builds[0]
        for more, other in builds[1:]:
            hits += more
            if [len(c) for c in conditions] == [len(c) for c in other]:
                conditions = [[a + b for a, b in zip(c, d)] for c, d in zip(conditions, other)]
            elif sum(map(len, other)) > sum(map(len, conditions)):
                conditions = other
        outcomes = [hit for condition in conditions for hit in condition]
        yield key, Line(hits, sum(hit != 0 for hit in outcomes), len(outcomes))


def of_lcov(path):
    """As strict as the strictest: no comma where none may be, totals that fit, each file once, functions on measured lines."""
    seen = set()
    name = None
    for text in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        key, _, value = text.partition(":")
        fields = value.split(",")
        if key == "SF":
            name, lines, branches, functions, totals = value, {}, {}, {}, {}
            if name in seen:
                raise ValueError(f"{name} is there twice")
            seen.add(name)
        elif key == "FN":
            line, function = fields
            if function in functions:
                raise ValueError(f"{name}: {function} is there twice")
            functions[function] = [int(line), None]
        elif key == "FNDA":
            hits, function = fields
            functions[function][1] = int(hits)
        elif key == "DA":
            line, hits = fields
            lines[int(line)] = int(hits)
        elif key == "BRDA":
            line, block, branch, taken = fields
            branches.setdefault(int(line), {}).setdefault(int(block), {})[int(branch)] = taken
        elif key in ("FNF", "FNH", "BRF", "BRH", "LF", "LH"):
            totals[key] = int(value)
        elif text == "end_of_record":
            yield from lcov_record(name, lines, branches, functions, totals)
        elif key != "TN":
            raise ValueError(f"{text} is no record that all readers know")


def lcov_record(name, lines, branches, functions, totals):
    outcomes = {line: [taken for block in blocks.values() for taken in block.values()] for line, blocks in branches.items()}
    for line, blocks in branches.items():
        for numbers in [blocks] + list(blocks.values()):
            if sorted(numbers) != list(range(len(numbers))):
                raise ValueError(f"{name}:{line}: blocks or branches leave out numbers")
        for taken in blocks.values():
            dashes = [t == "-" for t in taken.values()]
            if any(dashes) != all(dashes):
                raise ValueError(f"{name}:{line}: a condition was asked in part")
    for function, (line, hits) in functions.items():
        if line not in lines or hits is None:
            raise ValueError(f"{name}: {function} is on no line, or has no count")
    taken = [t for of_line in outcomes.values() for t in of_line]
    expected = {
        "FNF": len(functions), "FNH": sum(hits > 0 for _, hits in functions.values()),
        "BRF": len(taken), "BRH": sum(t not in ("-", "0") for t in taken),
        "LF": len(lines), "LH": sum(hits > 0 for hits in lines.values()),
    }
    if totals != expected or not set(branches) <= set(lines):
        raise ValueError(f"{name}: totals {totals}, expected {expected}")
    for line, hits in lines.items():
        of_line = outcomes.get(line, [])
        yield (name, line), Line(hits, sum(t not in ("-", "0") for t in of_line), len(of_line))


class SourcePage(html.parser.HTMLParser):
    """A page of genhtml: its path in the head, and for each line `number branches : hits : text`."""

    def __init__(self):
        super().__init__()
        self.place, self.line, self.rows, self.kind = [], None, {}, ""
        self.in_place = False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        kind = attributes.get("class", "")
        if tag == "td" and kind == "headerValue":
            self.in_place = not self.place
        elif tag == "a" and attributes.get("name", "").isdigit():
            self.line = int(attributes["name"])
            self.rows[self.line] = {"taken": 0, "branches": 0, "hits": None}
        elif tag == "span":
            self.kind = kind
            if kind in ("branchCov", "branchNoCov", "branchNoExec") and self.line is not None:
                self.rows[self.line]["branches"] += 1
                self.rows[self.line]["taken"] += kind == "branchCov"
        elif tag == "pre" and self.rows:
            self.line = None

    def handle_endtag(self, tag):
        if tag == "td" and self.in_place:
            self.in_place = False
        elif tag == "span":
            self.kind = ""

    def handle_data(self, data):
        if self.in_place:
            self.place.append(data)
        elif self.line is not None and self.kind in ("lineCov", "lineNoCov"):
            self.rows[self.line]["hits"] = int(data.split(":")[0])


def of_genhtml(path):
    for page in sorted(pathlib.Path(path).rglob("*.gcov.html")):
        parser = SourcePage()
        parser.feed(page.read_text(encoding="utf-8", errors="replace"))
        name = str(page.relative_to(path))[: -len(".gcov.html")].removeprefix("root/")
        for number, row in parser.rows.items():
            if row["hits"] is not None:
                yield (name, number), Line(row["hits"], row["taken"], row["branches"])


def of_generator(path):
    for file in sorted(set(pathlib.Path(path).glob("*.xml")) - {pathlib.Path(path, "Summary.xml")}):
        for source in xml.etree.ElementTree.parse(file).getroot().iter("File"):
            for line in source.iter("LineAnalysis"):
                hits = int(line.get("visits") or -1)
                if hits >= 0:
                    yield (source.get("name"), int(line.get("line"))), Line(
                        hits, int(line.get("coveredbranches") or 0), int(line.get("totalbranches") or 0))


def of_sonar(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    if root.tag != "coverage" or root.attrib != {"version": "1"}:
        raise ValueError("the root is not <coverage version='1'>")
    names = [file.get("path") for file in root]
    if len(names) != len(set(names)):
        raise ValueError("a file is there twice")
    for file in root:
        numbers = [line.get("lineNumber") for line in file]
        if file.tag != "file" or set(file.attrib) != {"path"} or len(numbers) != len(set(numbers)):
            raise ValueError(f"{file.get('path')}: it is no file, or has a line twice")
        for line in file:
            rest = set(line.attrib) - {"lineNumber", "covered"}
            if line.tag != "lineToCover" or rest not in (set(), {"branchesToCover", "coveredBranches"}):
                raise ValueError(f"{line.tag} {line.attrib} is not a line")
            yield (file.get("path"), int(line.get("lineNumber"))), Line(
                {"true": 1, "false": 0}[line.get("covered")], int(line.get("coveredBranches", 0)),
                int(line.get("branchesToCover", 0)))


def of_opencover(path):
    """Hits of a line add up in an int; outcomes are one if file, line, offset, offsetend and path are, and a lone one is none."""
    files, hits, outcomes, ref = {}, {}, {}, None
    root = xml.etree.ElementTree.parse(path).getroot()
    if root.tag != "CoverageSession":
        raise ValueError("the root is not <CoverageSession>")
    points = set()
    for element in root.iter():
        if element.tag == "File":
            files[element.attrib["uid"]] = element.attrib["fullPath"]
        elif element.tag == "FileRef":
            ref = element.attrib["uid"]
        elif element.tag in ("SequencePoint", "BranchPoint"):
            key = (files[element.get("fileid", ref)], int(element.attrib["sl"]))
            count = int(element.attrib["vc"])
            if element.attrib["uspid"] in points:
                raise ValueError(f"point {element.attrib['uspid']} is there twice")
            points.add(element.attrib["uspid"])
            if element.tag == "SequencePoint":
                hits[key] = hits.get(key, 0) + count
                if hits[key] > 2**31 - 1:
                    raise ValueError(f"{key}: the sum of hits is too large")
            else:
                place = tuple(int(element.attrib[name]) for name in ("offset", "offsetend", "path"))
                of_line = outcomes.setdefault(key, {})
                of_line[place] = of_line.get(place, False) or count > 0
    if not set(outcomes) <= set(hits):
        raise ValueError("there are branches on lines without hits")
    for key, count in hits.items():
        of_line = outcomes.get(key, {})
        if len(of_line) == 1:
            raise ValueError(f"{key}: a lone outcome is lost")
        yield key, Line(count, sum(of_line.values()), len(of_line))


READERS = {"opencover": of_opencover, "json": of_json, "lcov": of_lcov, "genhtml": of_genhtml, "generator": of_generator, "sonar": of_sonar}


def source_lines(folder, name, known={}):
    """How many lines a source has."""
    if name not in known:
        try:
            known[name] = len((pathlib.Path(folder) / name).read_bytes().splitlines())
        except OSError:
            known[name] = 0
    return known[name]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=READERS)
    parser.add_argument("path")
    parser.add_argument("--root", default="")
    parser.add_argument("--within")
    arguments = parser.parse_args()
    root = arguments.root.rstrip("/") + "/"
    try:
        rows = {(name.removeprefix(root) if arguments.root else name, line): value
                for (name, line), value in READERS[arguments.kind](arguments.path)}
    except (ValueError, KeyError) as error:
        sys.exit(f"{arguments.path}: {error}")
    for (name, line), value in sorted(rows.items()):
        if arguments.within is None or line <= source_lines(arguments.within, name):
            print(name, line, int(value.hits > 0), value.covered, value.valid, sep="\t")


if __name__ == "__main__":
    main()
