#!/usr/bin/env python3
"""switch_words.py MISSED TRUTH RECORD MOST: does `-f missed` name exactly the arms that were never taken? TRUTH is what
tests/e2e/make_switches.py wrote, RECORD what its program printed. Prints each wrong sentence, how many name none, and fails if any
is wrong or if more than MOST percent name none."""
import json
import re
import sys


def main():
    truth, most = json.load(open(sys.argv[2], encoding="utf-8")), float(sys.argv[4])
    taken, called = {}, {}
    for row in open(sys.argv[3], encoding="utf-8"):
        method, arm = row.split()
        if arm == "called":
            called[method] = called.get(method, 0) + 1
        else:
            taken.setdefault(method, []).append(int(arm))
    by_line = {line: method for method, told in truth.items() for line in range(told["line"], told["last"] + 1)}
    said = {}
    for row in open(sys.argv[1], encoding="utf-8"):
        match = re.match(r"  (\d+) +(.*(?:never took|matched a case|cases? never happened).*)", row)
        if match and int(match[1]) in by_line and "(q)" not in match[2] and "`q`" not in match[2]:
            said.setdefault(by_line[int(match[1])], []).append(match[2])
    wrong, neutral, nothing, named = 0, {}, [], 0
    for method, told in truth.items():
        arms, seen = told["arms"], set(taken.get(method, []))
        rest = called[method] - len(taken.get(method, []))  # through the one arm that prints nothing, or past all
        quiet = told["silent"]
        if rest and quiet and told["has_default"]:
            seen.add(quiet[0])
        missed = {arms[i] for i in range(len(arms)) if i not in seen}
        sentences = said.get(method, [])
        if any("never happened" in one for one in sentences):
            neutral.setdefault(told["shape"], []).append(told["line"])
            continue
        subject = "`x switch`" if told["value"] else "`switch (x)`"
        expected, names, more, always, is_read = set(missed), [], 0, False, True
        for one in sentences:  # one for each decision that the switch is compiled to
            match = re.fullmatch(r"(`[^`]*`|a switch) ((?:never took )?((?:`[^`]*`(?:, )?)*)(?: and (\d+) more)?(?:(?:, and )?always matched a case)?)", one)
            is_read = is_read and bool(match) and match[1] in (subject, "a switch")
            names += [name for name in re.findall(r"`([^`]*)`", match[3]) if name not in names] if match else []
            more += int(match[4] or 0) if match else 0
            always = always or "always" in one
        if told["throws"]:  # nothing tells whether it threw
            names, expected = [n for n in names if n not in ("_", "default")], missed - {"_", "default"}
        both = quiet and not told["has_default"]  # the quiet arm, or past all: the record does not tell
        if both:
            names, expected = [n for n in names if n != arms[quiet[0]]], expected - {arms[quiet[0]]}
        if sentences:
            is_told = always == (rest == 0)
            if both:
                is_told = always or rest != 0
            if told["has_default"]:
                is_told = not always
            guarded = {name for name in expected - set(names) if " when " in name}  # their guards have sentences of their own
            if not is_read or not is_told or not set(names) <= expected or \
                    (not len(expected) - len(guarded) <= len(names) + more <= len(expected) and not (more and (told["throws"] or both))):
                print(f"{told['line']}: {told['shape']}: {sentences}; never taken: {sorted(missed)}; {rest} without a note")
                wrong += 1
            named += 1
        if not sentences and {name for name in missed - {"_", "default"} if " when " not in name} and not both_silent(told, missed):
            nothing.append(told["line"])
    none = sum(map(len, neutral.values()))
    for shape, lines in sorted(neutral.items(), key=lambda item: -len(item[1])):
        print(f"# none: {shape}: {lines}")
    share = 100 * none / max(1, none + named)
    print(f"{named} right, {wrong} wrong, {none} name none: {share:.1f} %; {len(nothing)} not told: {nothing[:5]}")
    sys.exit(wrong != 0 or named < 250 or share > most)


def both_silent(told, missed):
    return told["silent"] and not told["has_default"] and missed == {told["arms"][told["silent"][0]]}


main()
