"""compare.py PLACE ROOT: what the rewritten copy of a suite counted against ilcov's report of the suite and its sentences.
Prints a difference per line, separated by tabs: kind, construct, file, line, what the copy counted, what is reported; and lines
that begin with `= ` for what was compared and left out."""
import array
import collections
import glob
import json
import os
import re
import sys

# What leaves the hits of its lines as they are: only a condition is not counted.
CONDITIONS = ("condition", "operator", "comparison", "?", "pattern", "a pattern")
WORDS = {"was never true": "true", "was never false": "false", "was never null": "null", "was always null": "value",
         "never had an item": "body", "never came to its end": "end"}
tally = collections.Counter()


def counts_of(folder, name):
    total = []
    for file in glob.glob(f"{folder}/{name}.*"):
        if file[len(folder) + len(name) + 2:].isdigit():
            numbers = array.array("q", open(file, "rb").read())
            total = [a + b for a, b in zip(total, numbers)] if total else list(numbers)
    return total


def span_of(place):
    return place["line"], place["column"], place["end_line"], place["end_column"]


def reported_span(condition):
    s = condition.get("span")
    return s and (s["start_line"], s["start_column"], s["end_line"], s["end_column"])


def overlap(a, b):
    return (a[0], a[1]) < (b[2], b[3]) and (b[0], b[1]) < (a[2], a[3])


def within(a, b):
    return (b[0], b[1]) <= (a[0], a[1]) and (a[2], a[3]) <= (b[2], b[3])


class File:
    """A source file: what the copy counted in it."""

    def __init__(self, known, counts, again, lines, lines_again):
        self.known, self.counts, self.again, self.lines, self.lines_again = known, counts, again, lines, lines_again
        self.left = [(span_of(x["place"]), x["why"]) for x in known["left"]]
        self.left_lines = {n for (first, _, last, _), why in self.left if not why.startswith(CONDITIONS) for n in range(first, last + 1)}
        self.hidden = {n for s in known["statements"] if s["kind"] == "hidden switch" for n in range(s["place"]["line"], s["place"]["end_line"] + 1)}
        self.sites = []
        for c in known["conditions"]:
            first = c["first"]
            self.sites.append(dict(c, span=span_of(c["place"]), found=None, counts=self.outcomes(c, counts),
                                   steady=self.outcomes(c, counts) == self.outcomes(c, again)))
        self.switches = [dict(s, span=span_of(s["place"]), found=[], counts=[counts[a["counter"]] for a in s["arms"]],
                              steady=all(counts[a["counter"]] == again[a["counter"]] for a in s["arms"])) for s in known["switches"]]

    @staticmethod
    def outcomes(c, counts):
        first = c["first"]
        if c["kind"] == "??=":
            return [counts[first + 2] - counts[first + 1], counts[first + 1]]
        return [counts[first], counts[first + 1]]

    def is_left(self, span):
        return any(overlap(span, s) for s, _ in self.left)

    def varies(self, n):
        """Is line n not the same in both runs under ilcov?"""
        return self.lines.get(n) != self.lines_again.get(n)

    def compare_lines(self):
        on = collections.defaultdict(list)
        for s in self.known["statements"]:
            for n in {s["place"]["line"], s["place"]["end_line"]}:
                on[n].append(s)
        # Where a condition begins, which is compared for itself, the innermost statement around it counts.
        for n, line in self.lines.items():
            for span in map(reported_span, line["conditions"]):
                around = [s for s in self.known["statements"] if span and within(span, span_of(s["place"]))]
                on[n] += [s for s in around if s not in on[n] and all(within(span_of(s["place"]), span_of(o["place"])) for o in around)]
        for s in self.known["statements"]:
            for n in s["lines"]:
                if n not in on or all(n in x["lines"] for x in on[n]):
                    on[n].append(s)
        for n, statements in sorted(on.items()):
            kind = ",".join(sorted({s["kind"] for s in statements}))
            hits, again = (max(sum(c[i] for i in s["counters"]) for s in statements) for c in (self.counts, self.again))
            least = max(sum(self.counts[i] for i in s["least"]) for s in statements)
            if n in self.left_lines:
                tally["lines left out"] += 1
            elif hits != again or self.varies(n):
                tally["lines that differ between two runs"] += 1
            elif n not in self.lines and "hidden switch" in kind:
                tally["lines of a hidden switch"] += 1
            elif n not in self.lines:
                yield "no line", kind, n, hits, "-"
            else:
                tally["lines"] += 1
                if "constructor" in kind and self.lines[n]["hits"] > hits:
                    tally["constructors that may have thrown before their body"] += 1
                elif not least <= self.lines[n]["hits"] <= hits:
                    got = self.lines[n]["hits"]
                    yield ("hits" if hits and got else "hit or missed"), kind, n, hits, got
        for n, line in sorted(self.lines.items()):
            if n not in on and n not in self.left_lines:
                yield "more lines", "-", n, "-", line["hits"]

    def compare_conditions(self):
        reported = []
        for n, line in sorted(self.lines.items()):
            for r in line["conditions"]:
                reported.append(dict(r, line=n, span=reported_span(r)))
        rest = []
        for r in reported:
            if r["kind"] == "switch":
                continue
            same = next((c for c in self.sites if r["exact"] and c["span"] == r["span"] and not c["found"]), None)
            if same:
                same["found"] = r
                yield from self.compare_outcomes(same, r)
            else:
                rest.append(r)
        # One on a longer text may be any of several.
        rest.sort(key=lambda r: (r["span"][2] - r["span"][0], r["span"][3] - r["span"][1]) if r["span"] else (0, 0))
        lenient = [c for c in self.sites if c["tag"] in ("variable", "pattern")]
        for exactly in True, False:
            for r in list(rest):
                near = [c for c in self.sites if not c["found"] and r["span"] and overlap(r["span"], c["span"])]
                near = [c for c in near if not r.get("outcomes") or set(c["outcomes"]) == set(r["outcomes"])] or near
                if exactly:
                    near = [c for c in near if sorted(c["counts"]) == sorted(r["outcome_hits"])]
                near.sort(key=lambda c: (c["tag"] in ("optional", "empty"), max(c["span"][1], r["span"][1]) - min(c["span"][3], r["span"][3])))
                if near and (exactly or r["exact"] or not self.is_left(r["span"])):
                    near[0]["found"] = r
                    rest.remove(r)
                    yield from self.compare_outcomes(near[0], r)
        for r in rest:
            if r["span"] and self.is_left(r["span"]):
                tally["conditions left out"] += 1
            elif r["span"] and any(overlap(r["span"], c["span"]) for c in lenient):
                tally["conditions beside a variable or in a pattern that are more"] += 1
            else:
                yield "invented", ",".join(r.get("outcomes", ["-"])), r["line"], "-", [r["outcome_hits"], r["exact"], r["span"]]
        for c in self.sites:
            if not c["found"]:
                by_other = c["tag"] == "?. or ??" and any(o["found"] and o["tag"] == c["tag"] and within(o["span"], c["span"]) or within(c["span"], o["span"])
                                                         for o in self.sites if o is not c)
                if c["tag"] == "" or (c["tag"] == "?. or ??" and not by_other):
                    yield "lost", c["kind"], c["span"][0], [c["text"], c["counts"]], "-"
                else:
                    tally[f"conditions not reported: {c['tag']}"] += 1
        yield from self.compare_switches([r for r in reported if r["kind"] == "switch"])

    def compare_outcomes(self, c, r):
        if not c["steady"] or self.varies(r["line"]):
            tally["conditions that differ between two runs"] += 1
            return
        tally["conditions"] += 1
        if r["exact"] and r["span"] == c["span"]:
            tally["... with their text"] += 1
        if c["tag"] == "variable":
            return
        if c["tag"] == "pattern" and not r["exact"]: # constants are asked from the lowest, ranges as the compiler likes
            tally["... of a pattern, whose outcomes are not compared"] += 1
            return
        got = r["outcome_hits"]
        if r["exact"] and r["span"] == c["span"] and r.get("outcomes"):
            if set(r["outcomes"]) != set(c["outcomes"]):
                yield "label", c["kind"], c["span"][0], [c["text"], c["outcomes"]], r["outcomes"]
                return
            tally["... with their words"] += 1
            got = [dict(zip(r["outcomes"], got))[o] for o in c["outcomes"]]
            if got != c["counts"]:
                kind = "sense" if sorted(got) == sorted(c["counts"]) else "outcomes"
                yield kind, c["kind"] + c["tag"], c["span"][0], [c["text"], c["counts"]], [r["outcomes"], r["outcome_hits"]]
        elif sorted(got) != sorted(c["counts"]):
            yield "outcomes", f"{c['kind']}{c['tag']}, {'exact' if r['exact'] else 'of its statement'}", c["span"][0], [c["text"], c["counts"]], [r.get("outcomes"), got, r["span"]]

    def compare_switches(self, reported):
        for r in reported:
            near = [s for s in self.switches if not s["found"] and r["span"] and overlap(r["span"], s["span"])]
            near.sort(key=lambda s: (sorted(s["counts"]) != sorted(r["outcome_hits"]), abs(s["span"][0] - r["span"][0])))
            if not near: # one that the symbols have no line for
                near = [s for s in self.switches if not s["found"] and s["span"][0] in self.hidden and sorted(s["counts"]) == sorted(r["outcome_hits"])]
            if not near:
                if not (r["span"] and self.is_left(r["span"])):
                    yield "invented", "switch", r["line"], "-", r["outcome_hits"]
                continue
            s = near[0]
            s["found"].append(r)
            if not s["steady"] or self.varies(r["line"]):
                tally["switches that differ between two runs"] += 1
                continue
            tally["switches"] += 1
            # A statement whose cases take everything has no way past them.
            whole = s["counts"][:-1] if s["arms"][-1]["text"] == "" and not s["counts"][-1] else s["counts"]
            if sorted(r["outcome_hits"]) not in (sorted(s["counts"]), sorted(whole)):
                yield "arms", s["kind"], s["span"][0], [(a["text"], n) for a, n in zip(s["arms"], s["counts"])], r["outcome_hits"]
        for s in self.switches:
            if not s["found"]:
                yield "lost", s["kind"], s["span"][0], s["counts"], "-"

    def compare_calls(self, shown):
        """Is said of each method and lambda that it was never called, and of no other?"""
        said = {n: reason["text"] for reason in shown["reasons"] for n in range(reason["first_line"], reason["last_line"] + 1)
                if "never called" in reason["text"] or "nobody enumerated" in reason["text"]}
        told = set()
        for body in self.known["bodies"]:
            first, end = body["first"], body["end"]
            inside = [s["place"]["line"] for s in self.known["statements"] if first <= s["counters"][0] < end]
            if not inside or any(map(any, (self.counts[first:end], self.again[first:end]))):
                continue
            told.update(range(body["place"]["line"], body["place"]["end_line"] + 1))
            line = min(inside)
            around = [s for s in self.known["statements"] if s["place"]["line"] <= line <= s["place"]["end_line"] and not first <= s["counters"][0] < end]
            if line in said:
                tally["sentences of what was never called"] += 1
            elif not around and line in self.lines and self.lines[line]["hits"] == 0:
                yield "unsaid", "never called", line, "-", "-"
        for n in sorted(set(said) - told):
            if n not in self.left_lines and any(b["place"]["line"] <= n <= b["place"]["end_line"] for b in self.known["bodies"]):
                yield "sentence", "call", n, "-", said[n]

    def compare_sentences(self, shown):
        said = [(line["number"], text) for line in shown["lines"] for text in line.get("missing", [])]
        said += [(reason["first_line"], reason["text"]) for reason in shown["reasons"]]
        for number, sentence in said:
            tally["sentences"] += 1
            told = False
            for text, at, words in re.findall(r"(?:`([^`]*)`|a condition|a value|the loop)(?: on line (\d+))? (was never true|was never false|was never null|"
                                              r"was always null|never had an item|never came to its end)", sentence):
                told = True
                line = int(at) if at else number
                here = [c for c in self.sites if c["span"][0] <= line <= c["span"][2]]
                if text:
                    here = [c for c in here if normal(c["text"]) == normal(text)] or here
                known = [c for c in here if WORDS[words] in c["outcomes"]]
                if not known:
                    tally["sentences of what is not counted"] += 1
                elif any(c["steady"] for c in known) and not any(c["counts"][c["outcomes"].index(WORDS[words])] == 0 for c in known):
                    yield "sentence", known[0]["kind"], number, [(c["text"], c["outcomes"], c["counts"]) for c in known], sentence
            took = re.search(r"never took (.*)$", sentence)
            if took:
                told = True
                here = [s for s in self.switches if s["span"][0] <= number <= s["span"][2]]
                zero = {normal(a["text"]) for s in here for a, n in zip(s["arms"], s["counts"]) if n == 0}
                for name in re.findall(r"`([^`]*)`", took.group(1)):
                    if not any(normal(name.removesuffix(" ...")) in z for z in zero):
                        yield "sentence", "arm", number, sorted(zero), sentence
            tally["sentences that name an outcome or arm"] += told


def normal(text):
    return re.sub(r"\s+", " ", text).strip()


def lines_of(report, root):
    """Per package and file: its lines, with all conditions of each."""
    packages = {}
    for package in json.load(open(report))["packages"]:
        files = packages.setdefault(package["name"], collections.defaultdict(dict))
        for class_ in package["classes"]:
            for line in class_["lines"]:
                known = files[os.path.join(root, class_["file"])].setdefault(line["number"], dict(hits=0, conditions=[]))
                known["hits"] = max(known["hits"], line["hits"])
                known["conditions"] += line["conditions"]
    return packages


def main():
    place, root = sys.argv[1:3]
    packages, again = (lines_of(f"{place}/report{n}.json", root) for n in (1, 2))
    shown = {(f["path"], f["package"]): f for f in json.load(open(f"{place}/show.json"))["files"]}
    for positions in sorted(glob.glob(f"{place}/positions/*.json")):
        name = os.path.basename(positions)[:-len(".json")]
        counts, counts_again = counts_of(f"{place}/counts1", name), counts_of(f"{place}/counts2", name)
        if not counts or name not in packages:
            print(f"= {name} did not run, or is not measured")
            continue
        for path, known in sorted(json.load(open(positions)).items()):
            path = os.path.normpath(path)
            if not known["statements"] or not path.startswith(root + "/"):
                continue
            file = File(known, counts, counts_again or counts, packages[name][path], again[name][path])
            relative = os.path.relpath(path, root)
            found = list(file.compare_lines()) + list(file.compare_conditions())
            if (relative, name) in shown:
                found += list(file.compare_sentences(shown[relative, name])) + list(file.compare_calls(shown[relative, name]))
            for kind, construct, line, *values in found:
                print(kind, construct, relative, line, *values, sep="\t")
        for why, n in sorted(tally.items()):
            print(f"= {name}: {n} {why}")
        tally.clear()


main()
