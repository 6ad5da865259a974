#!/bin/bash
# Operations on `dynamic` have the branches that were written, and no others: over two thousand generated statements in members
# of every kind (make_dynamic.py), half of them in Debug and half in Release (all in both in a long run).
. "$(dirname "$0")/lib.sh"

mkdir dynamic

# judged FILE: the statements whose branches are not those of their comment.
judged() {
    python3 - "$1" dynamic/Dynamic.cs <<'PY'
import json, sys
report, lines = json.load(open(sys.argv[1])), open(sys.argv[2]).read().split("\n")
shown = {line["number"]: [hits for condition in line["conditions"] for hits in condition["outcome_hits"]]
         for package in report["packages"] for entry in package["classes"] for line in entry["lines"]}
statements = 0
for number, line in enumerate(lines, 1):
    statement, mark, expected = line.partition(" // branches: ")
    if mark:
        statements += 1
        hits = shown.get(number)
        got = "no line" if hits is None else f"{sum(h != 0 for h in hits)}/{len(hits)}"
        if got != expected:
            print(f"{number}: {statement.strip()}: expected {expected}, got {got}")
print(statements > 1000 and "all judged")
PY
}

half=0
for configuration in Debug Release; do
    check "$configuration: the statements are written" python3 "$top/tests/e2e/make_dynamic.py" dynamic/Dynamic.cs $(long || echo $half)
    half=1
    compiled dynamic "$configuration"
    check "$configuration runs" limited "$ILCOV" run --root dynamic -f json="$configuration.json" -- dotnet "$program"
    judged "$configuration.json" >"$configuration.judged"
    same "$configuration: the branches are those that were written" "all judged" "$(cat "$configuration.judged")"
done

finish
