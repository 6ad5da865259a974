#!/usr/bin/env python3
"""cobertura_union.py WHOLE PART...: do the parts of a Cobertura report hold the classes of the whole, in its order, each once and
with equal bytes, and do their totals add up to its own?"""
import re
import sys
import xml.etree.ElementTree as tree

CLASS = re.compile(r"<class .*?</class>", re.DOTALL)  # none is in another
COUNTS = "lines-covered", "lines-valid", "branches-covered", "branches-valid", "complexity"
FIXED = "version", "timestamp"


def modules_of(package):
    return [item.text for item in package if item.tag is tree.Comment]


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    texts = iter(CLASS.findall(text))
    parser = tree.XMLParser(target=tree.TreeBuilder(insert_comments=True))
    root = tree.fromstring(CLASS.sub("<class/>", text), parser)
    classes, packages = [], {}
    for package in root.find("packages"):
        entry = packages.setdefault(package.get("name"), [0, modules_of(package)])
        entry[0] += int(package.get("complexity"))
        found = package.find("classes")
        assert len(found), f"{path}: a package without classes"
        classes += [(package.get("name"), next(texts)) for _ in found]
    return {"counts": [int(root.get(name)) for name in COUNTS], "fixed": [root.get(name) for name in FIXED],
            "sources": [item.text for item in root.find("sources")], "classes": classes, "packages": packages}


def main():
    whole, parts = read(sys.argv[1]), [read(path) for path in sys.argv[2:]]
    assert len(parts) > 1, "there is only one part"
    classes, packages = [], {}
    for part in parts:
        assert part["fixed"] == whole["fixed"] and part["sources"] == whole["sources"]
        classes += part["classes"]
        for name, (complexity, modules) in part["packages"].items():
            entry = packages.setdefault(name, [0, modules])
            entry[0] += complexity
            assert entry[1] == modules
    assert classes == whole["classes"], "other classes"
    assert packages == whole["packages"], "other packages"
    totals = [sum(column) for column in zip(*(part["counts"] for part in parts))]
    assert totals == whole["counts"], f"{totals} instead of {whole['counts']}"


main()
