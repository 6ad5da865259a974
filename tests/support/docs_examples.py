#!/usr/bin/env python3
"""The examples of docs/definitions.md as a program, whose coverage is what their comments say (tests/e2e/test_docs.sh).

    docs_examples.py sources PAGE FOLDER      writes Example1.cs, Example2.cs and so on, and Program.cs, which makes the calls
    docs_examples.py methods FOLDER REPORT    does the Cobertura report have one method for each example, of the complexity it states?"""
import os
import re
import sys
import xml.etree.ElementTree


def sources(page, folder):
    with open(page, encoding="utf-8") as file:
        blocks = [block for block in re.findall(r"^```csharp\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL) if "// called:" in block]
    calls = []
    for number, block in enumerate(blocks, 1):
        call = re.search(r"// called: (.*?)(?: complexity=\d+)?$", block, re.MULTILINE)[1]
        calls.append(f"try {{ Example{number}.{call}; }} catch {{ }}")
        block = re.sub(r"// hits=", "// cov: hits=", re.sub("^static", "internal static", block))
        with open(os.path.join(folder, f"Example{number}.cs"), "w", encoding="utf-8") as file:
            file.write(f"// cov: every line\nusing System;\nusing System.CodeDom.Compiler;\nusing System.Threading.Tasks;\nstatic class Example{number}\n{{\n{block}}}\n")
    with open(os.path.join(folder, "Program.cs"), "w", encoding="utf-8") as file:
        file.write("\n".join(calls) + "\n")
    return len(blocks) >= 6


def methods(folder, report):
    ok = True
    for element in xml.etree.ElementTree.parse(report).iter("class"):
        if not element.get("name").startswith("Example"):
            continue
        with open(os.path.join(folder, element.get("name") + ".cs"), encoding="utf-8") as file:
            text = file.read()
        found = [(method.get("name"), method.get("complexity")) for method in element.iter("method")]
        name = re.search(r"(\w+)\(.*// called", text)[1]
        complexity = re.search(r"complexity=(\d+)", text)
        if [each[0] for each in found] != [name] or complexity and found[0][1] != complexity[1]:
            print(f"{element.get('name')}: {name}, but the report has {found}")
            ok = False
    return ok


if __name__ == "__main__":
    sys.exit(0 if {"sources": sources, "methods": methods}[sys.argv[1]](*sys.argv[2:]) else 1)
