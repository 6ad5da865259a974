#!/usr/bin/env python3
"""Holds the three ways to give an option against each other: settings_ways.py ILCOV values | runs VERB PROGRAM ROOT BASE.

values: for each option of each verb, as `ilcov config` lists them, a value from the file, the object of the verb in the file, the
variable, the verb's variable and the command line is the same value.
runs:   for each option of the verb, a run with it from the file, the variable and the command line makes the same files, messages
and status; and for those in CHANGES, others than a run without it."""
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

ilcov = os.path.abspath(sys.argv[1])
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("ILCOV_")}
problems, done = [], 0

# What an option is given, by what --help calls its value. A new option with another one needs a line here.
BY_ARGUMENT = {"FILE": "some.file", "DIR": "some/folder", "PATTERN": "[A.*]*B", "GLOB": "gen/*.cs", "NAME": "Mark", "PERCENT": "79.5",
               "TIME": "90", "GATE": "line>=80", "SPEC": "main...HEAD", "BASE": "base.ilcov", "DATA": "some.ilcov", "MAX": "10",
               "FROM=TO": "a=b", "N": "3", "SIZE": "10MiB"}
SECOND = {"PATTERN": "[C]*", "GLOB": "x?.cs", "NAME": "N.Other", "GATE": "lost=0", "FROM=TO": "c=d"}


def fail(text):
    problems.append(text)


def run(argv, folder, variables=None):
    return subprocess.run([ilcov, *argv], cwd=folder, env={**CLEAN, **(variables or {})}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=300)


def fresh(name):
    shutil.rmtree(name, ignore_errors=True)
    os.mkdir(name)
    return name


def settings(verb=None, folder=".", variables=None, options=()):
    out = run(["config", "--json", *([verb] if verb else []), *options], folder, variables)
    if out.returncode != 0:
        raise ValueError(out.stderr.strip())
    return json.loads(out.stdout)["settings"]


def entries_of(verb, **way):
    return {entry["option"]: entry for entry in settings(verb, **way)}


def write_file(folder, content):
    with open(os.path.join(folder, "ilcov.json"), "w", encoding="utf-8") as file:
        json.dump(content, file)


def camel(option):
    first, *rest = option.split("-")
    return first + "".join(word.capitalize() for word in rest)


def variable(option, verb=None):
    return "_".join(["ILCOV", *([verb] if verb else []), option]).replace("-", "_").upper()


# --- every option, its values -----------------------------------------------------------------------------------------

schema = json.loads(run(["config", "--schema"], ".").stdout)["properties"]


def sample(verb, option):
    """The values, as they are typed; None for a flag."""
    described = schema[verb]["properties"][camel(option)]
    if described.get("type") == "boolean":
        return None
    words = next(iter(re.findall(r'"enum": (\[[^]]*\])', json.dumps(described))), None)
    argument = re.match(r"--\S+ ([^:]+):", described["description"])[1]
    if words is not None:
        first, *rest = json.loads(words)
        many = "array" in json.dumps(described)
        return [first, f"{rest[0]}=out.file"] if argument.endswith("[=FILE]") else [first, rest[0]] if many else [rest[0]]
    if argument not in BY_ARGUMENT:
        raise ValueError(f"--{option} of {verb}: what may {argument} be? settings_ways.py needs to know")
    values = [BY_ARGUMENT[argument]]
    if "array" in json.dumps(described):
        values.append(SECOND[argument])
    return values


def typed(option, values):
    return [f"--{option}"] if values is None else [word for value in values for word in (f"--{option}", value)]


def in_file(values):
    return True if values is None else values[0] if len(values) == 1 else values


def in_variable(values):
    return "yes" if values is None else ";".join(values)


def check_values():
    global done
    common = {entry["option"]: entry["key"] for entry in settings() if "." not in entry["key"]}
    for verb in [name for name, entry in schema.items() if entry.get("type") == "object"]:
        defaults = entries_of(verb, folder=fresh("none"))
        for option, default in defaults.items():
            if default["source"] != "default":
                fail(f"{verb} --{option}: {default}")
            values = sample(verb, option)
            expected = True if values is None else values if isinstance(default["value"], list) else values[0]
            write_file(fresh("section"), {verb: {camel(option): in_file(values)}})
            ways = {"option": {"folder": "none", "options": typed(option, values)},
                    "own object": {"folder": "section"},
                    "own variable": {"folder": "none", "variables": {variable(option, verb): in_variable(values)}}}
            if default["key"] in common.values() and "." not in default["key"]:
                write_file(fresh("top"), {camel(option): in_file(values)})
                ways["file"] = {"folder": "top"}
                ways["variable"] = {"folder": "none", "variables": {variable(option): in_variable(values)}}
            for way, where in ways.items():
                done += 1
                got = entries_of(verb, **where)
                changed = [other for other in got if other != option and got[other] != defaults[other]]
                if got[option]["value"] != expected or got[option]["source"] == "default" or changed:
                    fail(f"{verb} --{option} by {way}: {got[option]}, not {expected}; others: {changed}")
            if values is None:  # a flag that is set lower can be unset higher
                for way, where in {"option": {"folder": "section", "options": [f"--{option}=no"]},
                                   "variable": {"folder": "section", "variables": {variable(option, verb): "no"}}}.items():
                    done += 1
                    if entries_of(verb, **where)[option]["value"] is not False:
                        fail(f"{verb} --{option}: not unset by {way}")


# --- every option of run, what it does --------------------------------------------------------------------------------

# When a report was written, which is another second now and then.
TIMES = re.compile(r'(?<="timestamp": )\d+|(?<=timestamp=")\d+|\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?')


def contents(folder):
    """Of all files but the settings. The data file has times and ids in it: what it reports is compared."""
    found = {}
    for top, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            if name.endswith(".ilcov"):
                report = run(["report", "--no-config", "--deterministic", "-f", "json=-", path], ".")
                with sqlite3.connect(path) as data:
                    found[os.path.relpath(path, folder)] = data.execute("SELECT count(*) FROM runs").fetchone(), report.stdout
            elif name != "ilcov.json":
                with open(path, encoding="utf-8", errors="replace") as file:
                    found[os.path.relpath(path, folder)] = TIMES.sub("TIME", file.read())
    return found


# The value for a real run, where BY_ARGUMENT has none that suits.
def real(verb, root, base):
    values = {"include": ["[exclusions]*Options*"], "exclude": ["[*]*Options"], "exclude-files": ["Options.cs"],
              "exclude-attribute": ["LeaveOut"], "format": ["json", "lcov=x.info"], "root": [os.path.dirname(root)],
              "mode": ["hit"], "gate": ["line>=100", "branch>=100"], "fail-under": ["100"], "patch": [f"{base}/some.patch"],
              "base": [f"{base}/base.ilcov"], "base-root": [base], "session-dir": [f"{base}/sessions"], "hang-timeout": ["50"],
              "split": ["2KiB"], "map": [f"{root}=elsewhere"], "carry": [f"{base}/base.ilcov"], "data": [f"{base}/tests.ilcov"],
              "solution": [f"{root}/exclusions.csproj"]}
    if verb in ("run", "collect"):
        values["data"] = ["other.ilcov"]
    if verb == "diff":
        values["format"] = ["json=x.json", "markdown=x.md"]
        values["gate"] = ["lost=0", "branch>=100"]
    return values


# What else is typed, so that the option has something to do, and the operands.
NEEDS = {"patch": ["--gate", "patch>=100"], "base": ["--gate", "branch>=+1"], "base-root": ["-f", "html"],
         "hang-kill": ["--hang-timeout", "50"], "no-source": ["-f", "html"], "no-hotspots": ["-f", "html"], "split": ["-f", "cobertura"]}
CHANGES = {"run": {"include", "exclude", "exclude-files", "exclude-attribute", "exclude-auto-properties", "data", "format", "mode", "gate",
                   "fail-under", "patch", "base", "root", "no-source", "no-hotspots", "quiet", "verbose", "keep-session", "split"},
           "report": {"exclude", "exclude-files", "data", "format", "gate", "fail-under", "patch", "base", "no-source", "no-hotspots", "quiet",
                      "verbose", "split"},
           "show": {"exclude", "exclude-files", "data"}, "merge": {"squash", "quiet"},
           "diff": {"exclude", "exclude-files", "format", "gate", "data", "quiet"},
           "collect": {"exclude-files", "exclude-attribute", "data", "format", "gate", "fail-under", "quiet", "split"}}


def fixed_options(verb, option, root, base):
    fixed = list(NEEDS.get(option, []))
    if verb in ("run", "report", "collect"):
        fixed += ["--deterministic"] if option != "deterministic" else []
        fixed += [] if option in ("format", "session-dir", "quiet") else ["-f", "json=report.json"]
        fixed += ["--base", f"{base}/base.ilcov"] if option == "base-root" else []
    if verb == "run":
        fixed += [] if option == "session-dir" else ["--session-dir", f"{base}/sessions"]
    if verb == "merge":
        fixed += ["-o", "merged.ilcov"]
    if verb in ("diff", "report", "show") and option == "data":
        fixed = [word for word in fixed if word != "--deterministic"]
    if verb == "diff" and option in ("data", "patch"):
        fixed = ["--patch", f"{base}/some.patch"] if option == "data" else ["--gate", "patch>=100"]
    return fixed + ([] if option == "root" else ["--root", root])


def operands(verb, option, program, base):
    if option == "data" and verb in ("report", "show", "diff"):
        return []
    return {"run": ["--", program], "report": [f"{base}/base.ilcov"], "show": ["-d", f"{base}/base.ilcov"] if option != "data" else [],
            "merge": [f"{base}/base.ilcov", f"{base}/tests.ilcov"], "diff": [f"{base}/base.ilcov", f"{base}/tests.ilcov"] if option != "patch" else
            [f"{base}/base.ilcov"], "collect": [f"{base}/kept"]}[verb]


def normal(said, folder):
    said = "".join(line for line in said.splitlines(True) if not line.startswith("ilcov: settings: "))
    said = said.replace(os.path.abspath(folder), "HERE")
    return re.sub(r"(ilcov-[a-z-]*|process )\w+|\b\d+(\.\d+)? m?s\b|\d{4}-\d\d-\d\dT[0-9:]*Z", "X", said)


def keep_session(program, base):
    out = run(["run", "--keep-session", "--session-dir", base, "-d", f"{base}/x.ilcov", "-f", "none", "--", program], ".")
    kept = re.search(r"the session is kept in (.+)", out.stderr)[1]
    os.rename(kept, f"{base}/kept")


def check_runs(verb, program, root, base):
    global done
    without = {}  # what a run has without the option, by what else is typed
    if verb == "collect":
        keep_session(program, base)
    samples = real(verb, root, base)
    for option in entries_of(verb, folder=fresh("none")):
        values = samples.get(option) or sample(verb, option)
        fixed = fixed_options(verb, option, root, base)
        write_file(fresh("file"), {verb: {camel(option): in_file(values)}})
        ways = {"option": ("typed", typed(option, values), {}), "file": ("file", [], {}),
                "variable": ("variable", [], {variable(option, verb): in_variable(values)}), "nothing": ("nothing", [], {})}
        seen = {}
        rest = tuple(fixed + operands(verb, option, program, base))
        if rest in without or option not in CHANGES[verb]:
            del ways["nothing"]
        for way, (folder, options, variables) in ways.items():
            if folder != "file":
                fresh(folder)
            shutil.rmtree(f"{base}/sessions", ignore_errors=True)
            os.makedirs(f"{base}/sessions")
            out = run([verb, *fixed, *options, *operands(verb, option, program, base)], folder, variables)
            seen[way] = out.returncode, normal(out.stderr, folder), normal(out.stdout, folder), contents(folder)
            done += 1
        if "nothing" in ways:
            without[rest] = seen["nothing"]
        for way in "file", "variable":
            if seen[way] != seen["option"]:
                fail(f"{verb} --{option} by {way}: {str(seen[way])[:1500]}\n  typed: {str(seen['option'])[:1500]}")
        if option in CHANGES[verb] and seen["option"] == without[rest]:
            fail(f"{verb} --{option}: makes no difference: {str(without[rest])[:1500]}")


if sys.argv[2] == "values":
    check_values()
else:
    check_runs(sys.argv[3], *map(os.path.abspath, sys.argv[4:7]))
for problem in problems:
    print(problem)
print(f"{done} compared")
sys.exit(bool(problems) or done == 0)
