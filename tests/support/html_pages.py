#!/usr/bin/env python3
"""html_pages.py FOLDER REPORT.json [ROOT]: holds an HTML report against the JSON report of the same data. Every page is read with
an HTML parser. Checked are: tags that match; no style, script or event in a page, and nothing from outside; every link leads to a
file and an id that are there; ids are unique; lines, hits, branches and totals of each file; with ROOT, that the text is that of
the source and that no page is larger than allowed. Prints what is wrong."""
import json
import os
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "link"}
OPTIONAL_END = {"html", "head", "body", "li", "dt", "dd", "p", "thead", "tbody", "tr", "th", "td"}
wrong = []


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.ids, self.links, self.open, self.text = path, set(), [], [], {}
        self.column, self.ran, self.misses, self.in_legend = None, 0, [], False
        self.tests = None
        with open(path, encoding="utf-8", newline="") as file:
            self.feed(file.read())
        self.close()
        if [tag for tag in self.open if tag not in OPTIONAL_END]:
            self.say(f"not closed: {self.open}")

    def say(self, what):
        wrong.append(f"{self.path}:{self.getpos()[0]}: {what}")

    def handle_starttag(self, tag, attrs):
        if len(attrs) != len(dict(attrs)):
            self.say(f"<{tag}> has an attribute twice")
        attributes = dict(attrs)
        for name, value in attrs:
            if name == "style" or name.startswith("on") or name == "srcdoc":
                self.say(f"<{tag}> has {name}")
            if value and re.match(r"\s*(javascript|data|https?|file):|//", value) and name in ("href", "src"):
                self.say(f"<{tag}> leads outside: {value}")
        if tag in ("style", "iframe", "object", "embed", "base", "form", "img", "input"):
            self.say(f"<{tag}>")
        if tag == "script" and attributes.get("src") not in ("script.js", "../script.js"):
            self.say("a script in the page")
        if "id" in attributes:
            if attributes["id"] in self.ids:
                self.say(f"two have the id {attributes['id']}")
            self.ids.add(attributes["id"])
        for name in ("href", "src"):
            if name in attributes:
                self.links.append(attributes[name])
        self.tests = attributes.get("data-tests", self.tests)
        if tag == "pre":
            self.column = attributes.get("class")
            self.text[self.column] = ""
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL_END:
            self.open.pop()
        if not self.open or self.open[-1] != tag:
            self.say(f"</{tag}> closes {self.open[-1] if self.open else 'nothing'}")
        else:
            self.open.pop()
        if tag == "pre":
            self.column = None

    def handle_data(self, data):
        if self.column:
            self.text[self.column] += data
        if self.open and self.open[-1] == "script" and data.strip():
            self.say("a script in the page")

    def lines_of(self, column):
        """A parser drops the line end right after <pre>."""
        text = self.text.get(column, "")
        text = text[1:] if text.startswith("\n") else text
        return text.split("\n")[:-1]


def check_links(pages, folder):
    for path, page in pages.items():
        for link in page.links:
            file, _, fragment = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.isfile(os.path.join(folder, target)):
                wrong.append(f"{path}: {link} leads nowhere")
            elif fragment and (target not in pages or fragment not in pages[target].ids):
                # A line without an id is found by the script, or shown at the top.
                if not (fragment.startswith("L") and pages[target].lines_of("n")):
                    wrong.append(f"{path}: {link} leads to no place of the page")
                elif fragment[1:] not in pages[target].lines_of("n"):
                    wrong.append(f"{path}: {link} leads to no line")


def totals_of(text):
    return tuple(int(number) for number in re.findall(r"(\d+) of (\d+)", text)[0])


def check_file(page, classes, not_loaded, package, path):
    lines = {line["number"]: line for entry in classes for line in entry["lines"]}
    shown = {}
    numbers, hits = page.lines_of("n"), page.lines_of("h")
    if len(numbers) != len(hits):
        page.say(f"{len(numbers)} numbers and {len(hits)} hits")
    for number, sign in zip(numbers, hits):
        if sign not in ("", "x"):
            shown[int(number)] = sign
    for number, line in sorted(lines.items()):
        outcomes = [n for condition in line["conditions"] for n in condition["outcome_hits"]]
        expected = str(line["hits"]) if line["hits"] else "\u2013" if not_loaded else "0"
        if line["hits"] and (0 in outcomes or line.get("missed")):
            expected = "~" + expected
        if shown.get(number) != expected:
            wrong.append(f"{package} {path}:{number}: {shown.get(number)} instead of {expected}")
    for number in sorted(set(shown) - set(lines)):
        wrong.append(f"{package} {path}:{number}: {shown[number]}, but it has no code")


def check_source(page, root, path, folder):
    try:
        with open(os.path.join(root, path), encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except OSError:
        return False
    size = os.path.getsize(os.path.join(root, path))
    if "s" not in page.text:
        return False
    lines = re.split("\r\n|[\r\n\x85\u2028\u2029]", text)  # as C# does
    if lines and lines[-1] == "":
        lines.pop()
    unseen = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
    if page.lines_of("s") != [unseen.sub("\ufffd", line) for line in lines]:
        wrong.append(f"{path}: the page has another text")
    of_tests = 20 * len(page.lines_of("t"))  # comes on top: a number, or a sign and its tags
    if os.path.getsize(os.path.join(folder, page.path)) > 2.5 * size + 4096 + of_tests:
        wrong.append(f"{path}: {size} bytes became {os.path.getsize(page.path)}")
    return True


def check_hotspots(report):
    """hotspots.html has the methods with missed lines, the highest score first. Without it, nothing leads there (check_links)."""
    if not os.path.exists("hotspots.html"):
        return
    with open("hotspots.html", encoding="utf-8") as file:
        rows = re.findall(r"<tr class=.method d0.>.*?<td>(\d+)<td>(\d+)\n", file.read(), re.S)
    got = [(int(score), int(complexity)) for score, complexity in rows]
    expected = []
    for package in report["packages"]:
        for entry in package["classes"]:
            for method in entry["methods"]:
                lines, complexity = method["totals"]["lines"], method["totals"]["complexity"]
                missed = lines["valid"] - lines["covered"]
                if missed:
                    expected.append((int(complexity ** 2 * (missed / lines["valid"]) ** 3 + complexity + 1e-9), complexity))
    if [score for score, _ in got] != sorted((score for score, _ in expected), reverse=True)[:200]:
        wrong.append(f"hotspots.html: {got[:9]} instead of {sorted(expected, reverse=True)[:9]}")
    if not set(got) <= set(expected):
        wrong.append(f"hotspots.html: {set(got) - set(expected)}")


def main():
    folder, report = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
    root = sys.argv[3] if len(sys.argv) > 3 else None
    os.chdir(folder)
    pages, scripts = {}, set()
    for place, _, files in os.walk("."):
        for file in sorted(files):
            path = os.path.normpath(os.path.join(place, file))
            if file.endswith(".html"):
                pages[path] = Page(path)
                if not path.startswith("files") and os.path.getsize(path) > 1 << 20:
                    wrong.append(f"{path}: an index of more than 1 MB")
            elif path.startswith("tests/"):
                scripts.add(path)
            elif path not in ("style.css", "script.js", ".gitignore"):
                wrong.append(f"{path}: what is this?")
    told = {os.path.normpath(os.path.join("files", page.tests)) for page in pages.values() if page.tests}
    for path in sorted(scripts - told):
        if not re.fullmatch(r"tests/names-\d+\.js", path):
            wrong.append(f"{path}: no page needs it")
    for path in sorted(told - scripts):
        wrong.append(f"{path} is missing")
    check_links(pages, ".")
    check_hotspots(report)
    # A page says by its links and its heading which file it is.
    with_text, seen = 0, {}
    by_name = {}
    for name, page in pages.items():
        if name.startswith("files/"):
            with open(name, encoding="utf-8") as file:
                text = file.read()
            by_name[name] = (page, text)
    wanted = {}
    for package in report["packages"]:
        for entry in package["classes"]:
            wanted.setdefault((package["name"], entry["file"]), (package, []))[1].append(entry)
    for (package, path), (of, classes) in wanted.items():
        name = page_of(package, path)
        if name not in by_name:
            wrong.append(f"{package} {path}: there is no page {name}")
            continue
        seen[name] = True
        page, text = by_name[name]
        check_file(page, classes, of["not_loaded"], package, path)
        totals = [tuple(sum(entry["totals"][what][part] for entry in classes) for part in ("covered", "valid"))
                  for what in ("lines", "branches", "methods")]
        got = [tuple(map(int, pair)) for pair in re.findall(r"<small>(\d+) of (\d+)</small>", text)[:3]]
        if got != totals:
            wrong.append(f"{package} {path}: totals {got} instead of {totals}")
        if root:
            with_text += check_source(page, root, path, ".")
    for name in set(by_name) - set(seen):
        wrong.append(f"{name}: a page of nothing in the report")
    print("\n".join(wrong))
    print(f"{len(by_name)} pages of files, {with_text} with text, {len(wrong)} wrong")
    sys.exit(bool(wrong) or not by_name)


def page_of(package, path):
    """FNV-1a of path, NUL, assembly: page_name.h."""
    value = 0xcbf29ce484222325
    for byte in path.encode() + b"\0" + package.encode():
        value = (value ^ byte) * 0x100000001b3 % (1 << 64)
    shown = re.sub(r"[^A-Za-z0-9._-]", "_", path.rsplit("/", 1)[-1].encode().decode("latin-1"))
    return f"files/{value >> 16:012x}-{shown[-60:]}.html"


if __name__ == "__main__":
    main()
