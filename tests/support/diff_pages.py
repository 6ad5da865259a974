#!/usr/bin/env python3
"""diff_pages.py FOLDER DIFF.json [ROOT OLD-ROOT]: holds the pages of a comparison against the JSON of the same one. Every page is read
with an HTML parser, as html_pages.py does. Checked are: tags, links, ids, no style and no script; totals, gates' absence of doubt; per
file the lines with their states and hits, the lines of the patch, the counts in the overview; the methods; the lists of what was lost,
gained and is new and missed; with the roots, that the text of both sides is that of the sources and that no page is larger than
allowed. Prints what is wrong."""
import collections
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import html_pages
from html_pages import Page, wrong

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
DOTS = "\u22ef"


class DiffPage(Page):
    """Besides: the columns of each side, rows of tables, items of lists under their headings."""
    def __init__(self, path):
        self.sides, self.rows, self.items, self.words = [], [], [], ""
        self.heading = self.item = self.cell = self.link = None
        super().__init__(path)

    def handle_starttag(self, tag, attrs):
        super().handle_starttag(tag, attrs)
        attributes = dict(attrs)
        if attributes.get("aria-label") in ("Before", "Now") and tag == "div":
            self.sides.append({"name": attributes["aria-label"]})
        if tag == "pre":
            self.sides[-1][self.column] = ""
        if tag in ("h2", "li", "tr"):
            self.item = {"tag": tag, "text": "", "under": self.heading, "links": [], "cells": []}
            self.items.append(self.item)
        if tag in ("td", "th") and self.item:
            self.item["cells"].append("")
        if tag == "a" and self.item:
            self.item["links"].append((attributes["href"] if "href" in attributes else None))
        if tag in ("p", "pre", "table"):
            self.item = None

    def handle_endtag(self, tag):
        super().handle_endtag(tag)
        if tag == "h2" and self.item:
            self.heading = self.item["links"][0] if self.item["links"] else self.item["text"]
        if tag in ("h2", "ul", "table", "main"):
            self.item = None

    def handle_data(self, data):
        super().handle_data(data)
        self.words += data
        if self.column:
            self.sides[-1][self.column] += data
        elif self.item:
            self.item["text"] += data
            if self.item["cells"]:
                self.item["cells"][-1] += data.rstrip("\n")


def lines_of(text):
    text = text[1:] if text.startswith("\n") else text
    return text.split("\n")[:-1]


def page_name(package, path):
    return html_pages.page_of(package, path).replace("files/", "changes/", 1)


def sign_of(line, has_base):
    """What stands in the column of hits, by docs/html-report.md."""
    branches = line["branches"]
    if line["state"] in ("not_run", "carried"):
        return ("carried " if line["state"] == "carried" else "") + "\u2013"
    word = {"lost": "lost ", "gained": "gained ", "new_covered": "new ", "new_missed": "new "}.get(line["state"], "")
    if line["state"] == "kept":
        word = "lost " if branches.get("lost") else "new " if branches.get("new_missed") else "gained " if branches.get("gained") else ""
    missed = any(branches.get(state) for state in ("lost", "still_missed", "new_missed", "not_run", "carried"))
    return (word if has_base else "") + ("~" if missed and line["hits"] else "") + str(line["hits"])


def check_file(pages, diff, package, path, lines):
    has_base, has_patch = diff["base"] is not None, diff["patch"] is not None
    first = page_name(package, path)
    parts = [name for name in pages if name == first or re.fullmatch(re.escape(first[:-5]) + r"-\d+\.html", name)]
    shown, added = {}, set()
    for name in parts:
        for side in pages[name].sides:
            if side["name"] != "Now":
                continue
            numbers, hits = lines_of(side["n"]), lines_of(side["h"])
            if len(numbers) != len(hits) or ("s" in side and len(lines_of(side["s"])) != len(hits)):
                pages[name].say("columns of different heights")
            for number, sign in zip(numbers, hits):
                if sign:
                    shown[int(number.lstrip("+"))] = sign
                if number.startswith("+") and sign:
                    added.add(int(number[1:]))
    told = {line["number"]: line for line in lines}
    for number, line in told.items():
        if shown.get(number) != sign_of(line, has_base):
            wrong.append(f"{package} {path}:{number}: {shown.get(number)} instead of {sign_of(line, has_base)}")
    for number, sign in shown.items():
        if number not in told and re.match("lost|new|gained|carried|\u2013", sign):
            wrong.append(f"{package} {path}:{number}: {sign}, of which JSON knows nothing")
    if has_patch and added != {number for number, line in told.items() if line["in_patch"]}:
        wrong.append(f"{package} {path}: other lines of the patch: {sorted(added)}")
    return parts


def check_overview(page, diff, counts):
    totals, has_base = diff["totals"], diff["base"] is not None
    sums = {item["cells"][0]: item["cells"][1:] for item in page.items if item["tag"] == "tr" and item["cells"]}
    covered = lambda states: states["kept"] + states["gained"] + states["new_covered"]
    for title, what in ("Lines", "lines"), ("Branches", "branches"), ("Methods", "methods"):
        now = (totals["head_methods"]["covered"], totals["head_methods"]["valid"]) if what == "methods" else \
            (covered(totals[what]), sum(totals[what].values()))
        then = totals["base_" + what]
        wanted = ([(then["covered"], then["valid"])] if has_base else []) + [now]
        got = [html_pages.totals_of(cell) for cell in sums.get(title, []) if " of " in cell]
        if got != wanted:
            page.say(f"{title}: {got} instead of {wanted}")
    for what, label in ("lines", "Lines"), ("branches", "Branches"), ("methods", "Methods"):
        text = next((item["text"] for item in page.items if item["text"].startswith(label + ":")), "")
        for key, word in {"lost": "lost", "gained": "gained", "new_covered": "new and covered", "new_missed": "new and missed",
                          "edited": "edited", "added": "added", "moved": "moved", "removed": "removed"}.items():
            count = totals[what].get(key, 0)
            found = re.search(rf"(\d+) {word}\b", text)
            if has_base and (int(found[1]) if found else 0) != count:
                page.say(f"{label} {word}: {found and found[0]} instead of {count}")
    rows = {item["links"][0]: item["cells"][1:] for item in page.items if item["tag"] == "tr" and item["links"]}
    for name, wanted in counts.items():
        got = [int(cell or 0) for cell in (rows.get(name) or [])]
        if got != wanted:
            page.say(f"{name}: {got} instead of {wanted}")


def check_list(page, diff, is_in, by_page):
    listed = collections.defaultdict(set)
    for item in page.items:
        found = re.match(r"(\d+)(?:\u2013(\d+))?", item["text"])
        if item["tag"] != "li" or not found or not item["links"] or "#" not in item["links"][0]:
            continue
        first, last = int(found[1]), int(found[2] or found[1])
        numbers = {line["number"] for line in by_page[item["under"]] if is_in(line)}
        if not {first, last} <= numbers:
            page.say(f"{item['under']}: {first}-{last} does not belong here")
        listed[item["under"]] |= {number for number in numbers if first <= number <= last}
    for name, lines in by_page.items():
        missing = {line["number"] for line in lines if is_in(line)} - listed[name]
        if missing:
            page.say(f"{name}: {sorted(missing)} are not listed")


def check_methods(page, diff):
    rows = collections.Counter(tuple(cell.split(" was ")[0] if not i else cell for i, cell in enumerate(item["cells"]))
                               for item in page.items if item["tag"] == "tr" and item["links"])
    kinds = collections.Counter(row[1] for row in rows.elements() if row[1] != "unchanged")
    wanted = collections.Counter(method["kind"] for method in diff["methods"] if method["kind"] != "unchanged")
    if kinds != wanted:
        page.say(f"methods: {dict(kinds)} instead of {dict(wanted)}")
    numbers = collections.Counter(row[1:] for row in rows.elements())
    for method in diff["methods"]:
        lines, gone = method["lines"], method["kind"] == "removed"
        cell = lambda count: str(count) if count else ""
        row = (method["kind"], cell(lines["kept"] + lines["gained"] + lines["new_covered"]),
               cell(lines["lost"] + lines["still_missed"] + lines["new_missed"]),
               "" if gone else cell(lines["lost"]), "" if gone else cell(lines["gained"]))
        if not numbers[row]:
            page.say(f"{method['type']}.{method['name']}: {row} is not there")
        numbers[row] -= 1


def read_sources(root):
    texts = {}
    for place, folders, files in os.walk(root):
        folders[:] = [folder for folder in folders if folder not in ("bin", "obj", "out", ".git")]
        for file in files:
            if file.endswith((".cs", ".fs", ".vb")):
                path = os.path.join(place, file)
                with open(path, encoding="utf-8-sig", newline="") as source:
                    lines = [line.rstrip("\r") for line in source.read().split("\n")]
                texts[os.path.relpath(path, root)] = [UNSEEN.sub("\ufffd", line) for line in lines]
    return texts


def check_text(page, path, now, was):
    for side in page.sides:
        if "s" not in side:
            continue
        for number, line in zip(lines_of(side["n"]), lines_of(side["s"])):
            if number in ("", DOTS):
                continue
            at = int(number.lstrip("+-")) - 1
            places = [now[path]] if side["name"] == "Now" else was.values()
            if not any(at < len(lines) and lines[at] == line for lines in places):
                page.say(f"{side['name']} {number}: another text: {line}")
    source = sum(len(line.encode()) + 1 for side in page.sides if "s" in side
                 for number, line in zip(lines_of(side["n"]), lines_of(side["s"])) if number not in ("", DOTS))
    size = os.path.getsize(page.path)
    if source and size > 2.5 * source + 4096:
        page.say(f"{source} bytes of source became {size}")


def main():
    folder, diff = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
    now, was = (read_sources(sys.argv[3]), read_sources(sys.argv[4])) if len(sys.argv) > 4 else ({}, {})
    has_base = diff["base"] is not None
    os.chdir(folder)
    pages = {}
    for place, _, files in os.walk("."):
        for file in sorted(files):
            path = os.path.normpath(os.path.join(place, file))
            if file.endswith(".html"):
                pages[path] = DiffPage(path) if file.startswith("changes") or path.startswith("changes/") or file == "index.html" \
                    else Page(path)
                if not path.startswith(("files", "changes/")) and os.path.getsize(path) > 1 << 20:
                    wrong.append(f"{path}: an index of more than 1 MB")
    html_pages.check_links(pages, ".")
    counts, by_page, seen = {}, {}, set()
    for file in diff["files"]:
        lines, name = file["lines"], page_name(file["package"], file["path"])
        by_page[name] = lines
        counts[name] = []
        if has_base:
            branches = sum(line["branches"].get(state, 0) for line in lines for state in ("lost", "new_missed"))
            counts[name] += [sum(line["state"] == state for line in lines)
                             for state in ("lost", "new_missed", "gained", "new_covered")] + [branches]
        if diff["patch"] is not None:
            owed = [line for line in lines if line["in_patch"]]
            counts[name] += [len(owed), sum(line["hits"] == 0 for line in owed)]
        for part in check_file(pages, diff, file["package"], file["path"], lines):
            seen.add(part)
            if now:
                check_text(pages[part], file["path"], now, was)
    # A file may have methods to tell of, and no line.
    for name in set(pages) - seen:
        if name.startswith("changes/") and any(re.match("lost|new|gained", sign) for side in pages[name].sides if side["name"] == "Now"
                                               for sign in lines_of(side["h"])):
            wrong.append(f"{name}: lines of nothing in the comparison")
    overview = pages["changes.html" if "changes.html" in pages else "index.html"]
    check_overview(overview, diff, counts)
    if has_base and not diff["by_line"]:
        check_methods(pages["changes-methods.html"], diff)
    if has_base:
        check_list(pages["changes-lost.html"], diff, lambda line: line["state"] == "lost" or line["branches"].get("lost"), by_page)
        check_list(pages["changes-gained.html"], diff, lambda line: line["state"] == "gained" or line["branches"].get("gained"), by_page)
    is_covered = lambda line: line["state"] in ("kept", "gained", "new_covered")
    check_list(pages["changes-new.html"], diff, lambda line: (
        has_base and (line["state"] == "new_missed" or line["branches"].get("new_missed"))) or (
        line["in_patch"] and (not is_covered(line) or line["branches"].get("still_missed") or line["branches"].get("new_missed"))), by_page)
    print("\n".join(wrong))
    print(f"{len(by_page)} files, {len(seen)} pages, {len(wrong)} wrong")
    sys.exit(bool(wrong))


main()
