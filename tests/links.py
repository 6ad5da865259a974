#!/usr/bin/env python3
"""Do the pages and comments name things that exist? Checks relative links and their anchors in Markdown, every path of a file of
the project wherever it is written, and bare file names in comments of C."""
import os
import re
import subprocess
import sys

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.chdir(top)
files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                       check=True).stdout.splitlines()
files = [file for file in files if os.path.exists(file)]
ROOMS = "base|system|contract|metadata|scope|rewriter|profiler|coverage|impact|reporters|cli|tests|docs|bench|fixtures"
PATH = re.compile(rf"(?<![\w/.*$-])((?:{ROOMS})/[\w/.-]*\w\.(?:c|h|def|md|sh|py|json|dtd|txt|map|1))(?![\w*])")
NAME = re.compile(r"(?<![\w/.<\"-])([a-z_0-9]+\.(?:c|h|def|sh|py))\b")
OTHERS = {"winerror.h", "corsym.h"}  # of Windows and .NET
names = {os.path.basename(file) for file in files} | OTHERS
problems = []


def anchors(page):
    """As GitHub makes them of headings, and those written as <a name>."""
    with open(page, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.MULTILINE | re.DOTALL)
    names = set(re.findall(r'<a name="([^"]+)"', text))
    for heading in re.findall(r"^#+ +(.+)$", text, re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        names.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return names


def check_links(page, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(path):
            problems.append(f"{page}: the link {target} leads nowhere")
        elif anchor and path.endswith(".md") and anchor not in anchors(path):
            problems.append(f"{page}: {path} has no heading #{anchor}")


def check_paths(file, text):
    # docs/design/ is dotnet/runtime's
    for path in sorted(set(PATH.findall(text))):
        beside = os.path.join(os.path.dirname(file), path)
        if not path.startswith(("tests/fuzz/corpus", "docs/design/")) and not os.path.exists(path) and not os.path.exists(beside):
            problems.append(f"{file}: {path} does not exist")


def check_names(file, text):
    for comment in re.findall(r"/\*.*?\*/", text, re.DOTALL):
        for name in sorted(set(NAME.findall(comment)) - names):
            problems.append(f"{file}: there is no file {name}")


for file in files:
    if not re.search(r"(\.md|\.[ch]|\.def|\.sh|\.py|Makefile)$", file) or file == "tests/links.py":
        continue
    with open(file, encoding="utf-8", errors="replace") as opened:
        text = opened.read()
    if file.endswith(".md"):
        check_links(file, text)
    if file.endswith((".c", ".h", ".def")):
        check_names(file, text)
    check_paths(file, text)
for problem in problems:
    print(problem)
print(f"{0 if problems else 1} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
