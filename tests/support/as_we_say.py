"""Copies standard input to standard output, and puts the texts of contract/ in the place of those of reworded.c."""
import re
import sys


def texts(top):
    with open(top + "/contract/reason.def", encoding="utf-8") as file:
        rows = re.findall(r'^REASON\((\d+), \w+, "([^"]*)", (?:"([^"]*)"|NULL)\)', file.read(), re.M)
    with open(top + "/contract/verdict.h", encoding="utf-8") as file:
        verdicts = re.findall(r'VERDICT\((\w+),\s*(?:\\\s*)?"([^"]*)"', file.read())
    found = {"%s=" % number: text for number, text, _ in rows}
    found.update({"brief %s=" % number: brief for number, _, brief in rows if brief})
    found.update(dict(verdicts))
    return found


def main():
    found = texts(sys.argv[1])
    say = lambda match: found[match[1]].replace("{}", match[2])
    sys.stdout.write(re.sub(r"<((?:brief )?\d+=|[A-Z_]+)([^<>]*)>", say, sys.stdin.read()))


main()
