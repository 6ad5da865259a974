#!/usr/bin/env python3
"""The commands that README.md and docs/ show, so that a test can run them (tests/e2e/test_docs.sh).

    docs_commands.py scripts TOP FOLDER   a script for each block with commands, and `order`, which names them
    docs_commands.py options TOP ILCOV    is every verb and option in the pages one that ilcov has?
    docs_commands.py peers TOP            has each option in tests/support/peer_options.txt a row in its page?

A command is a line of a shell block, a line after `$ `, a line of a step in YAML, Groovy or Kotlin, or a whole one in the prose. Each is run, or stands in
tests/support/docs_commands.txt with the reason why not. That file also says which commands exit with another status than 0."""
import os
import re
import subprocess
import sys

import yaml

FIRST = {"ilcov", "eval", "env", "sudo", "git", "dotnet", "make", "cd", "export", "source", "mkdir", "cat", "dotCover", "docker", "printf", "sed",
         "./setup", "codecov", "codecovcli", "reportgenerator", "dotnet-coverage", "dotnet-sonarscanner", "rm"}
SHELLS = {"sh", "bash", "console", "shell", "powershell"}
STEPS = {"run", "script", "before_script", "after_script", "bash", "pwsh"}
DEFAULT_FILES = {"cobertura": "coverage.cobertura.xml", "html": "coverage-html/index.html", "json": "coverage.json",
                 "lcov": "coverage.info", "opencover": "coverage.opencover.xml",
                 "sonar": "coverage.sonar.xml", "markdown": "coverage.md", "badge": "coverage.svg"}
DIFF_FILES = {"html": "coverage-diff-html/index.html", "markdown": "coverage-diff.md", "json": "coverage-diff.json",
              "gitlab": "gl-code-quality-report.json", "sarif": "coverage-diff.sarif"}
# What a CI would fill in, and what a reader would.
SUBSTITUTES = [(r"\$\{\{\s*matrix\.\w+\s*\}\}", "Unit"), (r"\$\{\{\s*github\.base_ref[^}]*\}\}", "main"),
               (r"\$\{\{\s*github\.workspace\s*\}\}", "$GITHUB_WORKSPACE"),
               (r"\$\(shard\)", "Unit"), (r"\$\(Pipeline\.Workspace\)", "$PIPELINE_WORKSPACE"),
               (r"\$\(System\.PullRequest\.TargetBranchName\)", "main"), (r"\$\(Build\.SourcesDirectory\)", "$PWD"),
               (r"%teamcity\.build\.checkoutDir%", "$PWD"),
               (r"/srv/coverage|/var/lib/myservice", "$RUNNER_TEMP"), (r"/run/myservice", "$RUNNER_TEMP/myservice"),
               (r"\b(4711|19973)\b", '"$PROGRAM"'), (r"/dev/shm/ilcov-kept-x1y2z3", '"$SESSION"')]

# What a page shows below `$ COMMAND`. The first page makes its own solution, so its commands print just that.
OUTPUT = {}
REAL = "docs/getting-started.md"


def pages(top):
    found = [os.path.join(top, "README.md")]
    for folder, folders, files in os.walk(os.path.join(top, "docs")):
        folders.sort()
        found += [os.path.join(folder, name) for name in sorted(files) if name.endswith((".md", ".yml"))]
    return [(os.path.relpath(page, top), open(page, encoding="utf-8").read()) for page in found]


def blocks(page, text):
    """(language, first line, lines) of each; a file of YAML is one."""
    lines = text.splitlines()
    if page.endswith(".yml"):
        yield "yaml", 1, lines
        return
    at = 0
    while at < len(lines):
        fence = re.match(r"( *)```(\w*)", lines[at])
        if fence:
            end = at + 1
            while not lines[end].strip().startswith("```"):
                end += 1
            yield fence[2], at + 2, [line[len(fence[1]):] for line in lines[at + 1:end]]
            at = end + 1
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            indent = min(len(line) - len(line.lstrip()) for line in lines[at:end] if line.strip())
            yield "", at + 1, [line[indent:] for line in lines[at:end]]
            at = end
        else:
            at += 1


def incomplete(command):
    """Does bash want more lines?"""
    said = subprocess.run(["bash", "-n"], input=command + "\n", capture_output=True, text=True)
    return "unexpected end of file" in said.stderr or "unexpected EOF" in said.stderr or "here-document" in said.stderr


def joined(lines, first):
    """(line, command) of consecutive lines of a shell."""
    command, began = "", first
    for number, line in enumerate(lines, first):
        if not command and (not line.strip() or line.lstrip().startswith("#")):
            continue
        if not command:
            began = number
        command = f"{command}\n{line}" if command else line
        if not command.endswith("\\") and not incomplete(command):
            yield began, command
            command = ""
    if command:
        yield began, command


def steps(value):
    """The text of every step, in the order of the file."""
    if isinstance(value, list):
        for each in value:
            yield from steps(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key in STEPS and (isinstance(each, str) or isinstance(each, list) and all(isinstance(line, str) for line in each)):
                yield each if isinstance(each, str) else "\n".join(each)
            else:
                yield from steps(each)


def inline(page, text):
    """(line, command) of commands between backquotes in the prose: not forms such as `ilcov show FILE`, and no mere names of verbs."""
    shown = {number for _, first, lines in blocks(page, text) for number in range(first, first + len(lines))}
    for number, line in enumerate(text.splitlines(), 1):
        for span in re.findall(r"`(ilcov [^`]*)`", line) if number not in shown else []:
            words = span.split()
            if words[1:2] in (["diff"], ["merge"], ["inspect"]) and words[-1].startswith("-") or words[1] == "diff" and words[-2] in ("-f", "--format"):
                continue  # the name of an option
            if len(words) > 2 and not re.search(r"\b[A-Z]{2,}\b|\.\.\.|--$|\\", span) and (
                    words[1] not in ("run", "env", "attach", "snapshot") or " -- " in span or "--shell" in span):
                yield number, span


def first_word(line):
    line = re.sub(r"^\$ ", "", line.strip())
    words = re.sub(r"^(\w+=\S* )*", "", line).split()
    return words[0] if words else ""


def commands(language, first, lines):
    text = "\n".join(lines)
    if language in ("yaml", "yml"):
        # GitLab's own tags, such as !reference
        loader = type("Loader", (yaml.SafeLoader,), {})
        loader.add_multi_constructor("!", lambda load, suffix, node: None)
        for document in yaml.load_all(text, loader):
            for step in steps(document):
                head = step.strip().splitlines()[0]
                line = next((number for number, each in enumerate(lines, first) if head in each), first)
                yield from ((line, command) for _, command in joined(step.splitlines(), line))
    elif language in ("groovy", "kotlin"):
        for step in re.finditer(r"""(?:\bsh|scriptContent =)\s*('''|\"\"\"|'|")(.*?)\1""", text, re.DOTALL):
            line = first + text[:step.start()].count("\n")
            yield from ((line, command) for _, command in joined([each.strip() for each in step[2].splitlines()], line))
    elif any(line.startswith("$ ") for line in lines):
        at = 0
        while at < len(lines):
            if lines[at].startswith("$ "):
                command, began, end = lines[at][2:], at, at + 1
                while end < len(lines) and (command.endswith("\\") or incomplete(command)):
                    command, end = f"{command}\n{lines[end]}", end + 1
                at = end
                while end < len(lines) and not lines[end].startswith("$ "):
                    end += 1
                OUTPUT[command] = [line for line in lines[at:end] if line.strip("… ") and line != "..."]
                yield first + began, command
            else:
                at += 1
    elif language in SHELLS or not language and first_word(next(
            (line for line in lines if line.strip() and not line.startswith("#")), "")) in FIRST:
        yield from joined(lines, first)


def known(top):
    """Of docs_commands.txt: {command: (status or None, reason)}."""
    table = {}
    with open(os.path.join(top, "tests/support/docs_commands.txt"), encoding="utf-8") as file:
        for line in file:
            entry = re.match(r"(not run|status \d+): (.*?)  # (.*)", line)
            if entry:
                table[entry[2]] = (None if entry[1] == "not run" else int(entry[1].split()[1]), entry[3])
            elif line.strip() and not line.startswith("#"):
                sys.exit(f"docs_commands.txt: {line.strip()}")
    return table


def written(command):
    """The files that a command of ilcov is to write."""
    files = []
    for part in re.split(r"&&|;|\|", re.sub(r"\s#.*", "", command)):
        verb = re.search(r"\bilcov (\w+)", part)
        if not verb:
            continue
        names = DIFF_FILES if verb[1] == "diff" else DEFAULT_FILES
        part = part.split(" -- ")[0]
        for name, file in re.findall(r"(?:-f|--format)[ =](\w+)(?:=(\S+))?", part):
            if file and file != "-":
                files.append(file + ("/index.html" if name == "html" else ""))
            elif not file and name in names:
                files.append(names[name])
        if verb[1] in ("run", "collect", "snapshot", "attach"):
            files += re.findall(r"(?:-d|--data)[ =](\S+)", part) or ["TestResults/run.ilcov"]
        if verb[1] == "merge":
            files += re.findall(r"(?:-o|--output)[ =](\S+)", part)
    files += re.findall(r"(?<![0-9&])>>?\s*([\w.$\"/-]+)", re.sub(r"\s#.*", "", command)) if "ilcov" in command else []
    files += re.findall(r"# writes (?:the folder )?([\w/]+[.-][\w./-]+)", command)
    return [file.strip('"') for file in files if not file.startswith("/dev/")]


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def script(page, found, table, used):
    lines = ["# " + page]
    for number, command in found:
        status, reason = 0, ""
        key = " ".join(re.sub(r"\s#.*", "", command).split())
        if key in table:
            used.add(key)
            status, reason = table[key]
        first_line = " ".join(command.splitlines()[0].split())
        what = quoted(f"{page}:{number}: {first_line}")
        if status is None:
            lines.append(f"not_run {what} {quoted(reason)}")
            continue
        for pattern, text in SUBSTITUTES:
            command = re.sub(pattern, lambda _: text, command)
        files = [re.sub(pattern, lambda _: text, file) for file in written(command) for pattern, text in SUBSTITUTES[:1]]
        lines.append(f"{{ {command}\n}} >\"$SAID\" 2>&1\njudge $? {status} {what} " +
                     " ".join(f'"{file}"' for file in dict.fromkeys(files)) + "\nsettle")
    return "\n".join(lines) + "\n"


def make_scripts(top, folder):
    table, used, order = known(top), set(), []
    for page, text in pages(top):
        listed = [(first, list(commands(language, first, lines))) for language, first, lines in blocks(page, text)]
        if page.endswith(".md"):
            listed.append((0, list(inline(page, text))))
        for first, found in listed:
            if not found:
                continue
            name = f"{len(order):03}"
            # the prose of the first page is about no solution of its own
            order.append(f"{name}\t{page if first else 'prose of ' + page}\t{first}")
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(script(page, found, table, used))
    with open(os.path.join(folder, "order"), "w", encoding="utf-8") as file:
        file.write("\n".join(order) + "\n")
    for key in sorted(set(table) - used):
        print(f"docs_commands.txt: no page has the command: {key}")
    return set(table) <= used


def options_of(ilcov):
    """{verb: its options}."""
    listed = subprocess.run([ilcov, "--help"], capture_output=True, text=True, check=True).stdout
    found = {}
    for verb in re.findall(r"^  (\w+) ", listed, re.MULTILINE):
        for help_option in ("--help-all", "--help"):
            said = subprocess.run([ilcov, verb, help_option], capture_output=True, text=True)
            if said.returncode == 0:
                break
        found[verb] = set(re.findall(r"(?<![\w-])(--?[a-zA-Z][\w-]*)", said.stdout))
    return found


def check_options(top, ilcov):
    have, problems = options_of(ilcov), 0
    for page, text in pages(top):
        for number, line in enumerate(text.splitlines(), 1):
            for verb, rest in re.findall(r"(?<![\w/.-])ilcov (\w+)((?: [^`|]*)?)", line):
                if verb not in have:
                    # not "ilcov finds", and not the message "ilcov is in it already"
                    if verb not in ("is", "VERB") and (rest.strip().startswith("-") or f"`ilcov {verb}" in line):
                        print(f"{page}:{number}: ilcov has no verb {verb}")
                        problems += 1
                    continue
                rest = re.split(r" -- |&&|;|\)|\||\s#|, ", rest + " ")[0]
                for option in re.findall(r"(?:^|\s)(--?[a-zA-Z][\w-]*)", rest):
                    if option not in have[verb]:
                        print(f"{page}:{number}: ilcov {verb} has no option {option}")
                        problems += 1
    return problems == 0


def check_peers(top):
    """Has each option of another tool a row in a table, with something in the last column?"""
    problems = 0
    with open(os.path.join(top, "tests/support/peer_options.txt"), encoding="utf-8") as file:
        listed = [line.split() for line in file if line.strip() and not line.startswith("#")]
    for page, *options in listed:
        with open(os.path.join(top, "docs", page), encoding="utf-8") as file:
            rows = [re.split(r"(?<!\\)\|", line) for line in file if line.startswith("| ")]
        for option in options:
            named = re.compile(rf"[`, ]{re.escape(option)}[`, ]")
            if not any(named.search("|".join(row[1:-2])) and row[-2].strip() for row in rows):
                print(f"docs/{page}: no row for {option}")
                problems += 1
    return problems == 0


if __name__ == "__main__":
    ok = {"scripts": make_scripts, "options": check_options, "peers": check_peers}[sys.argv[1]](*sys.argv[2:])
    sys.exit(0 if ok else 1)
