"""compare.py CONFIGURATION EXPECTED COUNTS REPORT ILCOV DATA: what the twins counted against the JSON report and the sentences of
`ilcov show --json`. Prints a difference per line, separated by tabs: kind, construct, method, line, what is expected, what is
reported."""
import itertools
import json
import os
import re
import subprocess
import sys

NEVER = {"was never true": ("true", 0), "was never false": ("false", 0), "was never null": ("null", 0),
         "was always null": ("value", 0), "never had an item": ("body", 0), "never came to its end": ("end", 0)}
NEGATION = re.compile(r"!|not\b", re.I)


def differences(configuration, expected, counts, lines, sentences, source):
    """Of one file."""
    release, fsharp = configuration == "Release", expected["extension"] == "fs"  # a match of two rules is as an if
    of_line = {}
    for statement in expected["statements"]:
        of_line.setdefault(statement["line"], []).append(statement)
    for number, statements in sorted(of_line.items()):
        hits = max(counts[i] for s in statements for i in s["ids"])
        kind, method = statements[0]["kind"], statements[0]["method"]
        line = lines.get(number)
        if line is None:
            melts = kind in ("switch", "jump", "inline", "closure") or kind == "uncalled" and hits == 0
            if not (kind == "headless" or release and melts):
                yield "no line", kind, method, number, hits, "-"
        elif line["hits"] != hits:
            melts = kind == "jump" and line["hits"] < hits or kind == "inline" and line["hits"] == 0
            if not (release and melts or kind == "stage" and line["hits"] > hits):
                yield ("hits" if line["hits"] and hits else "hit or missed"), kind, method, number, hits, line["hits"]

    for number in sorted(set(lines) - set(of_line)):
        if expected["complete"] and lines[number]["method"] != "-":
            yield "extra line", "-", lines[number]["method"], number, "-", lines[number]["hits"]

    parts = {p for c in expected["conditions"] for p in c.get("parts", [])}
    wanted = [dict(c) for c in expected["conditions"] if c["id"] not in parts]
    for c in wanted:
        c["headless"] = c.get("arms") and (c["captures"] or release and (c["bare"] or c["tag"].startswith("switch/")))
        c["counts"] = [counts[c["id"] + i] for i in range(len(c.get("arms") or [0, 0]))]
        c["found"] = []
    reported = [dict(r, line=number) for number, line in sorted(lines.items()) for r in line["conditions"]]

    def candidates(r):
        for c in wanted:
            if c["found"] and "parts" not in c:
                continue
            if bool(c.get("arms")) != (r["kind"] == "switch") and not (fsharp and len(c["counts"]) == len(r["outcome_hits"]) == 2):
                continue
            # without its own text, a condition is on the first line of its statement
            if r["line"] == c["line"] or r["line"] == c["first"] and not r["exact"]:
                yield c

    def overlap(r, c):
        span = r.get("span")
        if not span or not r["exact"] or span["start_line"] != c["line"] or span["end_line"] != c["line"]:
            return 0
        shared = min(span["end_column"], c["span"][1]) - max(span["start_column"], c["span"][0])
        whole = max(span["end_column"], c["span"][1]) - min(span["start_column"], c["span"][0])
        return max(shared, 0) / whole

    left = []
    for r in sorted(reported, key=lambda r: not r["exact"]):
        best = max(candidates(r), key=lambda c: overlap(r, c), default=None)
        if best is None or overlap(r, best) == 0:
            left.append(r)
        else:
            best["found"].append(r)
    # Those whose operand could not be told: all of a statement, if there is a way; else by their counts, then by their line.
    for first in {c["first"] for c in wanted if "parts" in c and not c["found"]}:
        here = [r for r in left if r["kind"] != "switch" and any(c["first"] == first for c in candidates(r))]
        left = without(left, settle([c for c in wanted if c["first"] == first and not c["found"]], here, counts))
    for exactly in True, False:
        for r in list(left):
            near = sorted(candidates(r), key=lambda c: ("parts" in c, contradicts(r, c)))
            if r["kind"] == "switch":
                near += sorted((c for c in wanted if c["headless"] and not c["found"] and c["method"] == r["method"]),
                               key=lambda c: abs(c["line"] - r["line"]))
            if exactly:
                near = [c for c in near if sorted(c["counts"]) == sorted(r["outcome_hits"]) and "parts" not in c]
            if near:
                near[0]["found"].append(r)
                left = without(left, [r])
        if exactly:
            left = share_constants([c for c in wanted if "parts" in c and not c["found"]], left, counts)
    for r in list(left):  # the wrong line of a statement
        near = [c for c in wanted if not c["found"] and abs(c["line"] - r["line"]) == 1 and
                sorted(c["counts"]) == sorted(r["outcome_hits"])]
        if near and r["kind"] != "switch":
            near[0]["found"].append(r)
            left = without(left, [r])
            yield "line", near[0]["tag"], r["method"], near[0]["line"], near[0]["text"], r["line"]
    for c in wanted if release and fsharp else ():
        left = without(left, rules_elsewhere(c, left))
    for r in left:
        tags = sorted({c["tag"] for c in wanted if c["line"] == r["line"]})
        yield "invented", ",".join(tags) or "-", r["method"], r["line"], "-", r["outcome_hits"]
    for c in wanted:
        # F#: nobody sees it run; with its line go its conditions
        unseen = {s["kind"] for s in of_line.get(c["line"], [])} & {"inline", "closure", "uncalled"}
        line = lines.get(c["line"])
        counted = sum(sum(r["outcome_hits"]) for r in c["found"])
        if release and unseen and (line is None or unseen == {"inline"} and line["hits"] == counted == 0):
            continue
        if not c["found"]:
            yield "lost", c["tag"], c["method"], c["line"], f"{c['text']}: {c['counts']}", \
                [r["outcome_hits"] for r in reported if r["line"] == c["line"]]
            continue
        if "parts" in c:
            got = sorted(sorted(r["outcome_hits"]) for r in c["found"])
            if got not in list(operands_of_constants(c, counts, len(got))):
                yield "constants", c["tag"], c["method"], c["line"], \
                    f"{c['text']}: {[counts[p:p + 2] for p in c['parts']]}", got
                continue
        if len(c["found"]) == 1:
            r = c["found"][0]
            got = r["outcome_hits"]
            if c.get("labels") and r.get("outcomes") and set(r["outcomes"]) == set(c["labels"]):
                told = outcomes_by_label(r, c)
                if is_negated(source, r, c):
                    told.reverse()
                if told != c["counts"]:
                    kind = "sense" if sorted(got) == sorted(c["counts"]) else "outcomes"
                    yield kind, c["tag"], c["method"], c["line"], f"{c['text']}: {c['counts']}", [r["outcomes"], got]
            elif c.get("labels") and r.get("outcomes"):
                yield "label", c["tag"], c["method"], c["line"], f"{c['text']}: {c['labels']}", r["outcomes"]
            elif sorted(got) != sorted(c["counts"]):
                kind = "arms" if c.get("arms") else "outcomes"
                yield kind, c["tag"], c["method"], c["line"], f"{c['text']}: {c['counts']}", got

    # Sentences: each names something that the twin knows never to have happened.
    every = expected["conditions"]
    for number, line in sorted(sentences.items()):
        for sentence in line.get("missing", []):
            for text, words in re.findall(r"`([^`]*)`(?: on line \d+)? (was never true|was never false|was never null|was always "
                                          r"null|never had an item|never came to its end)", sentence):
                at = re.search(r"on line (\d+)", sentence)
                line = int(at.group(1)) if at else number
                here = [c for c in every if line == c["line"]]
                same = [c for c in here if normal(c["text"]).endswith(normal(text))] or \
                    [c for c in here if normal(text) in normal(c["text"]) or normal(c["text"]) in normal(text)]
                label = NEVER[words][0]
                known = [c for c in same if c.get("labels") and label in c["labels"]]
                if not any(counts[c["id"] + (c["labels"].index(label) ^ turns(text, c["text"]))] == 0 for c in known):
                    tags = sorted({c["tag"] for c in same or here})
                    yield "sentence", ",".join(tags) or "-", lines_method(lines, number), number, \
                        [(c["text"], counts[c["id"]:c["id"] + 2]) for c in same], sentence
            took = re.search(r"never took (.*)$", sentence)
            if took:
                named = re.findall(r"`([^`]*)`", took.group(1))
                here = [c for c in wanted if c.get("arms") and (c["headless"] or number in (c["line"], c["first"]))]
                zero = [arm for c in here for i, arm in enumerate(c["arms"]) if counts[c["id"] + i] == 0]
                for name in named:
                    if not any(normal(name.split(" when ")[0]) == normal(arm) for arm in zero):
                        yield "sentence arm", "-", lines_method(lines, number), number, zero, sentence


def rules_elsewhere(c, left):
    """The decision on the last rules of a `match`, which the compiler cut off: in place of them the match has their sum."""
    for r in left:
        first = len(c["counts"]) - len(r["outcome_hits"])
        rest = sum(c["counts"][first:])
        if c.get("arms") and len(c["found"]) == 1 and first > 0 and r["kind"] == "switch" and r["method"] == c["method"] and \
                sorted(r["outcome_hits"]) == sorted(c["counts"][first:]) and \
                sorted(c["found"][0]["outcome_hits"]) == sorted([*c["counts"][:first], rest]):
            c["found"] = [dict(c["found"][0], outcome_hits=c["counts"])]
            return [r]
    return []


def settle(wanted, left, counts):
    """Gives each condition of a statement what fits it, if that takes all that is left of the statement, which is returned."""
    others = [c for c in wanted if "parts" not in c and not c.get("arms")]
    unnamed = sorted(left, key=lambda r: bool(r.get("outcomes")))  # as constants without a text are
    for shared in shares([c for c in wanted if "parts" in c], unnamed, counts):
        rest, pairs = without(left, [r for _, found in shared for r in found]), []
        for c in others:
            fitting = [r for r in rest if r["line"] in (c["line"], c["first"]) and sorted(r["outcome_hits"]) == sorted(c["counts"])]
            for r in sorted(fitting, key=lambda r: (contradicts(r, c), r["line"] != c["line"]))[:1]:
                rest = without(rest, [r])
                pairs.append((c, [r]))
        if not rest and len(pairs) == len(others):
            for c, found in shared + pairs:
                c["found"] = found
            return left
    return []


def share_constants(wanted, left, counts):
    """Gives patterns of constants operands that fit all of a statement, if there are any. Returns what is left then."""
    for first in {c["first"] for c in wanted}:
        here = [r for r in left if r["line"] == first and r["kind"] != "switch"]
        for c, found in next(shares([c for c in wanted if c["first"] == first], here, counts), []):
            c["found"] = found
            left = without(left, found)
    return left


def shares(wanted, left, counts):
    """Each way to give all these patterns of constants operands that fit."""
    if not wanted:
        yield []
        return
    for count in range(len(wanted[0]["parts"]), 0, -1):
        fitting = list(operands_of_constants(wanted[0], counts, count))
        for found in itertools.combinations(left, count) if fitting else ():
            if sorted(sorted(r["outcome_hits"]) for r in found) in fitting:
                for others in shares(wanted[1:], without(left, found), counts):
                    yield [(wanted[0], list(found)), *others]


def without(items, some):
    return [item for item in items if not any(item is s for s in some)]


def operands_of_constants(c, counts, count):
    """The outcomes of so many operands, for each way to make these of the constants: a table has some that follow each other."""
    values, equal = c["values"], [counts[p + 1] for p in c["parts"]]
    for cuts in itertools.combinations(range(1, len(values)), count - 1):
        groups = list(zip([0, *cuts], [*cuts, len(values)]))
        if all(values[end - 1] - values[begin] < 2 * (end - begin) for begin, end in groups):
            yield sorted(sorted([sum(equal[begin:end]), sum(c["counts"]) - sum(equal[:end])]) for begin, end in groups)


def contradicts(r, c):
    """Does a reported condition without a text of its own say the opposite of what this one did?"""
    if r["exact"] or not c.get("labels") or not r.get("outcomes"):
        return False
    return set(r["outcomes"]) != set(c["labels"]) or outcomes_by_label(r, c) != c["counts"]


def outcomes_by_label(r, c):
    told = dict(zip(r["outcomes"], r["outcome_hits"]))
    return [told[label] for label in c["labels"]]


def is_negated(source, r, c):
    """Does the reported text have a negation that the condition's has not: `!c`, `c == false`?"""
    if not r["exact"] or r["span"]["start_line"] != c["line"]:
        return False
    text = source[c["line"] - 1][r["span"]["start_column"] - 1:r["span"]["end_column"] - 1]
    return turns(text, c["text"])


def turns(text, of):
    negates = bool(NEGATION.match(text)) and not NEGATION.match(of) and not of.endswith(text)  # `s is not "a"`
    return negates or text.endswith(" == false")


def normal(text):
    return re.sub(r"\s+", " ", text).strip().strip("()!").strip()


def lines_method(lines, number):
    return lines[number]["method"] if number in lines else "-"


def main():
    configuration, expected, counts, report, ilcov, data = sys.argv[1:7]
    expected, counts = json.load(open(expected)), json.load(open(counts))
    files = {}
    for package in json.load(open(report))["packages"]:
        for class_ in package["classes"]:
            name = class_["file"].rsplit("/", 1)[-1]
            for method in class_["methods"]:
                for line in method["lines"]:
                    known = files.setdefault(name, {}).setdefault(line["number"], dict(hits=0, conditions=[]))
                    known["hits"] = max(known["hits"], line["hits"])
                    known["conditions"] += line["conditions"]
    for name, wanted in expected.items():
        lines = files.get(name, {})
        for number, line in lines.items():
            line["method"] = next((m for m, a, b in wanted["ranges"] if a <= number <= b), "-")
            for r in line["conditions"]:
                r["method"] = line["method"]
        shown = json.loads(subprocess.run([ilcov, "show", "--data", data, "--json", name], capture_output=True).stdout)
        sentences = {line["number"]: line for line in shown["files"][0]["lines"]}
        source = open(f"{os.path.dirname(report)}/plain/{name}").read().split("\n")
        for difference in differences(configuration, wanted, counts, lines, sentences, source):
            print(configuration, *difference, sep="\t")


main()
