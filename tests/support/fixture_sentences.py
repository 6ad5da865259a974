"""Is what the formats json and missed say of outcomes and causes what the sources of a fixture say of themselves?

    fixture_sentences.py REPORT.json MISSED.txt ROOT Debug|Release

The expectations are those of tests/support/expect_coverage.c: hits stand on the lines. So an `if` or `while` of one condition was
true as often as the first line below it ran, and false as often as it ran without; "never true" holds exactly if that is 0. Where
no branch of it was gone, it threw. What "did not run" had 0 hits, and what is named as its cause, a line that "never completed" or
an outcome that "never happened", ran: in Release a line that did not may have the branches of the next.
An arm that a switch "never took", and that has a line of its own, did not run. Where a file has lines with
`// said: SENTENCE | SENTENCE`, these are all that the format missed says beside text of the file. In F#, `// never called` is on all
lines of which that is said, in Debug: the optimiser may have put a function where it is called.

Prints how much was compared, and a line for each difference."""

import json
import pathlib
import re
import sys

# The text between keyword and body, and what opens a body on a line of its own.
STATEMENTS = {
    ".cs": re.compile(r"^\s*(?:\}\s*)?(?:else )?(?:if|while) \((?P<text>.*)\)$"),
    ".vb": re.compile(r"^\s*(?:If|ElseIf|While) (?P<text>.*?)(?: Then)?$"),
    ".fs": re.compile(r"^\s*(?:if|elif|while) (?P<text>.*) (?:then|do)$"),
}


class Source:
    """The lines of a file: code, and how often the fixture expects it to run."""

    def __init__(self, path, configuration):
        self.code, self.hits, self.gone, self.called, self.said = [""], [None], [None], [False], set()
        for line in path.read_text(encoding="utf-8-sig").splitlines():
            code, _, comment = line.partition("// cov")
            sentences = code.partition("// said: ")[2]
            self.said |= {(len(self.code), one.strip()) for one in sentences.split(" | ") if sentences}
            self.code.append(code.rstrip().rstrip("'").rstrip())
            self.called.append(configuration == "Debug" and "// never called" in code)
            self.hits.append(self.expected(comment, "hits=", configuration))
            self.gone.append(self.expected(comment, "branches=", configuration))
        self.statement, self.is_fsharp = STATEMENTS.get(path.suffix), path.suffix == ".fs"

    @staticmethod
    def expected(comment, what, configuration):
        """Of "hits=0 release: hits=1 branches=1/2"; None: it says nothing, or of another line."""
        if not comment.startswith(":"):
            return None
        number, here = None, True
        for word in comment[1:].split():
            if word in ("debug:", "release:"):
                here = word == configuration.lower() + ":"
            elif word.startswith(what) and here:
                number = int(word[len(what) :].split("/")[0])
        return number

    def body(self, number):
        """The first line below a statement."""
        number += 1
        while number < len(self.code) and self.code[number].strip() in ("", "{"):
            number += 1
        return number if number < len(self.code) else None

    def arms_of(self, number, switch_text):
        """The numbers of the lines below a switch. In Release, a line above or below may tell of it: the nearest is meant."""
        named = [at for at in range(1, len(self.code)) if switch_text in self.code[at]]
        if not named:
            return
        switch = min(named, key=lambda at: abs(at - number))
        depth = len(self.code[switch]) - len(self.code[switch].lstrip())
        for at in range(switch + 1, len(self.code)):
            code = self.code[at]
            if code.strip() not in ("", "{") and len(code) - len(code.lstrip()) <= depth:
                return
            yield at

    def arm(self, number, switch_text, text):
        """The line that says how often an arm ran; None: there is none that says only that."""
        text = text.removesuffix("...").rstrip()
        lines = list(self.arms_of(number, switch_text))
        begins = [at for at in lines if re.match(re.escape(text) + r"(\s|:|$)", self.code[at].strip())]
        if not begins or any(f"goto {text};" in self.code[at] for at in lines):
            return None
        for at in range(begins[0], lines[-1] + 1):
            code = self.code[at].strip()
            if text.startswith(("case ", "default")):
                is_body = not re.match(r"(case\b.*|default):?$|\{?$|when\b", code)
            else:
                is_body = "=>" in code
                if is_body and re.search(r"\bwhen\b", code):
                    return None  # its guard is asked on the line, too
            if is_body:
                return at if self.hits[at] is not None else None
        return None

    def expected_outcomes(self, number, condition):
        """How often it was true and false, if the line says nothing but it."""
        found = self.statement.match(self.code[number]) if self.statement else None
        span = condition.get("span")
        if not found or not span or {span["start_line"], span["end_line"]} != {number}:
            return None
        text = self.code[number][span["start_column"] - 1 : span["end_column"] - 1]
        body = self.body(number)
        if text != found["text"] or body is None or None in (self.hits[number], self.hits[body]):
            return None
        if not self.gone[number]:
            return {"true": 0, "false": 0}
        return {"true": self.hits[body], "false": self.hits[number] - self.hits[body]}


def check_conditions(source, line):
    compared = 0
    conditions = line["conditions"]
    for condition in conditions if len(conditions) == 1 else []:
        expected = source.expected_outcomes(line["number"], condition)
        words = condition.get("outcomes")
        if expected is None or sorted(words or []) != ["false", "true"]:
            continue
        compared += 1
        for word, hits in zip(words, condition["outcome_hits"]):
            if hits != expected[word]:
                yield f"`{source.code[line['number']].strip()}` was {word} {expected[word]} times, not {hits}"
    yield compared


def check_causes(source, line):
    compared = 0
    if line.get("never") and source.hits[line["number"]]:
        yield f"it ran {source.hits[line['number']]} times, and has a cause why it did not"
    for cause in line.get("never", []):
        of = cause.get("line")
        if cause["kind"] not in ("completed", "outcome") or of is None or of >= len(source.hits):
            continue
        compared += 1
        if source.hits[of] == 0 and not source.gone[of]:
            yield f"its cause, line {of}, did not run either"
    if line.get("missed") and source.hits[line["number"]] == 0:
        yield "a part of it is said not to have run, but none of it did"
    yield compared


def check_calls(source, line):
    said = any(cause["kind"] == "called" for cause in line.get("never", []))
    if source.is_fsharp and said != source.called[line["number"]]:
        yield f"it is {'' if said else 'not '}said that it was never called"
    yield int(said)


def check_arms(missed, root, configuration, sources):
    """Yields what is wrong, and at last how many arms were compared."""
    compared, source = 0, None
    for row in open(missed, encoding="utf-8"):
        header = re.match(r"(\S.*): .* missed$", row)
        if header:
            path = pathlib.Path(root, header[1])
            source = sources.setdefault(path, Source(path, configuration)) if path.suffix == ".cs" and path.is_file() else None
        told = re.match(r" +([0-9]+) +(?:`(.*)`|a switch) never took (`.*)$", row)
        for arm in re.findall("`([^`]*)`", told[3]) if told and source else []:
            at = source.arm(int(told[1]), told[2] or "switch", arm)
            if at is None:
                continue
            compared += 1
            if source.hits[at] != 0:
                yield f"{path.name}:{told[1]}: `{arm}` was taken: line {at} ran {source.hits[at]} times"
    yield compared


def check_said(missed, root, configuration):
    """Yields what is said and not expected, or the other way round."""
    said, path = {}, None
    for row in open(missed, encoding="utf-8"):
        header = re.match(r"(\S.*): .* missed$", row)
        path = pathlib.Path(root, header[1]) if header else path
        told = re.match(r" +([0-9]+) +((?:a part of )?`.*)$", row)
        if told:
            said.setdefault(path, set()).add((int(told[1]), told[2].strip()))
    for path in pathlib.Path(root).glob("*.*"):
        source = Source(path, configuration) if path.suffix in STATEMENTS else None
        for line, sentence in sorted(source.said ^ said.get(path, set()) if source and source.said else []):
            expects = (line, sentence) in source.said
            yield f"{path.name}:{line}: {sentence}: {'is not said' if expects else 'is said, and not expected'}"


def main():
    report, missed, root, configuration = sys.argv[1:]
    sources, seen = {}, set()
    counts = {check_conditions: 0, check_causes: 0, check_calls: 0}
    wrong = False
    for package in json.load(open(report, encoding="utf-8"))["packages"]:
        for entry in package["classes"]:
            path = pathlib.Path(root, entry["file"])
            if path.suffix not in STATEMENTS or not path.is_file():
                continue
            source = sources.setdefault(path, Source(path, configuration))
            for line in entry["lines"]:
                key = (path, line["number"], json.dumps(line))
                if line["number"] >= len(source.code) or key in seen:
                    continue
                seen.add(key)
                for check in counts:
                    *differences, compared = check(source, line)
                    counts[check] += compared
                    for what in differences:
                        print(f"{entry['file']}:{line['number']}: {what}")
                        wrong = True
    *differences, arms = check_arms(missed, root, configuration, sources)
    differences += check_said(missed, root, configuration)
    print(*differences, sep="\n", end="\n" if differences else "")
    wrong = wrong or bool(differences)
    print(f"{counts[check_conditions]} conditions, {counts[check_causes]} causes, {counts[check_calls]} calls and {arms} arms compared")
    sys.exit(wrong)


main()
