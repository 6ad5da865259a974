#!/usr/bin/env python3
"""case_words.py MISSED TRUTH RECORD MOST LEAST: does `-f missed` name exactly the rules of a match, or the Cases of a Select Case, that
were never taken? TRUTH is what tests/e2e/make_matches.py or make_selects.py wrote, RECORD what its program printed. Prints each wrong
sentence, how many name none, and fails if any is wrong, if more than MOST percent name none, or fewer than LEAST methods have names."""
import json
import re
import sys

SENTENCE = r"(`[^`]*`|a switch) ((?:never took )?((?:`[^`]*`(?:, )?)*)(?: and (\d+) more)?(?:(?:, and )?always matched a case)?)"


def said_of(told, text):
    """How often the test was false and true: of all tests of that text, if there are several."""
    cases = dict(zip(told["arms"], told["tests"]))
    found = [test for tests in told["tests"] for test in tests if test[0] == text]
    if text in cases and len(cases[text]) == 1:
        found = cases[text]
    return (sum(test[1] for test in found), sum(test[2] for test in found)) if found else None


def main():
    truth, most, least = json.load(open(sys.argv[2], encoding="utf-8")), float(sys.argv[4]), int(sys.argv[5])
    taken, called = {}, {}
    for row in open(sys.argv[3], encoding="utf-8"):
        method, arm = row.split()
        if arm == "called":
            called[method] = called.get(method, 0) + 1
        elif int(arm) >= 0:
            taken.setdefault(method, []).append(int(arm))
    by_line = {line: method for method, told in truth.items() for line in range(told["line"], told["last"] + 1)}
    said = {}
    for row in open(sys.argv[1], encoding="utf-8"):
        match = re.match(r"  (\d+) +(.*(?:never took|matched a case|never happened|was never|gave a result|was always).*)", row)
        if match and int(match[1]) in by_line and " q" not in match[2].split("` never")[0] and "`q`" not in match[2]:
            said.setdefault(by_line[int(match[1])], []).append((int(match[1]), match[2]))
    wrong, neutral, nothing, named = 0, {}, [], 0
    for method, told in truth.items():
        arms, silent = told["arms"], told.get("silent", [])
        seen = set(taken.get(method, []))
        rest = called.get(method, 0) - len(taken.get(method, []))
        missed = {arms[i] for i in range(len(arms)) if i not in seen and i not in silent}
        unknown = {arms[i] for i in silent} if rest else set()
        quiet = {arms[i] for i in silent} - unknown
        sentences = said.get(method, [])
        names, more, vague, always, tested = set(), 0, False, False, False
        for line, one in sentences:
            match = re.fullmatch(SENTENCE, one)
            test = re.fullmatch(r"`(.*)` was never (true|false|evaluated)", one)
            inner = set(re.findall(r"`([^`]*)`", match[3])) if match and told.get("inner") and line != told["line"] else set()
            if inner and inner <= {"true", "false"}:  # of the match of `q` in the first rule
                names |= {"wrong: " + one for name in inner if 0 in seen and name == told["inner"]}
            elif match and (match[1] == "a switch" or match[1].strip("`") in told["subjects"]):
                names |= set(re.findall(r"`([^`]*)`", match[3]))
                more += int(match[4] or 0)
                if "always" in one:
                    always = True
            elif line == told["line"] or "cases never" in one:
                vague = True
            elif test and told.get("tests"):
                asked = said_of(told, test[1])
                if asked is None or asked[test[2] != "false"] != 0 or (test[2] == "evaluated") != (asked == (0, 0)):
                    names.add("wrong: " + one)
                elif test[1] in missed:
                    names.add(test[1])
                tested = True
            elif test and test[1] in arms:
                names |= {test[1]} if test[2] != "false" else set()
                tested = True
            elif "outcomes never" in one:
                vague = vague or told["subjects"][0].startswith("Select")
        always_wrong = always and ((rest != 0 and not silent) or told.get("has_default", True))
        if vague and not tested and not [name for name in names if not name in missed | quiet | unknown]:
            neutral.setdefault(told["shape"], []).append(told["line"])
            continue
        is_wrong = not names <= missed | quiet | unknown or always_wrong
        is_whole = tested or len(missed) <= len(names) + more or (rest and not silent)  # what threw may count as an arm
        guarded = {name for name in missed - names if " when " in name}
        if is_wrong or (sentences and named >= 0 and names and not is_whole and len(missed) - len(guarded) > len(names) + more):
            print(f"{told['line']}: {told['shape']}: {sentences}; never taken: {sorted(missed)}; {rest} without a note")
            wrong += 1
        elif names or always or tested:
            named += 1
        elif missed - guarded:
            nothing.append((told["line"], told["shape"]))
    none = sum(map(len, neutral.values()))
    for shape, lines in sorted(neutral.items(), key=lambda item: -len(item[1])):
        print(f"# none: {shape}: {lines}")
    for line, shape in nothing:
        print(f"# not told: {shape}: [{line}]")
    share = 100 * none / max(1, none + named)
    print(f"{named} right, {wrong} wrong, {none} name none: {share:.1f} %; {len(nothing)} not told")
    sys.exit(wrong != 0 or named < least or share > most)


main()
