#!/bin/bash
# No span that is called exact is wrong where the compiler folds operands, adds conditions or sorts them: over a thousand
# generated statements (make_operands.py), half of them in Debug and half in Release (all in both in a long run).
. "$(dirname "$0")/lib.sh"

mkdir operands

# judged FILE: the statements whose exact operands are not those of their comment.
judged() {
    python3 - "$1" operands/Operands.cs <<'PY'
import json, sys
report, lines = json.load(open(sys.argv[1])), open(sys.argv[2]).read().split("\n")
shown = {}
for package in report["packages"]:
    for entry in package["classes"]:
        for line in entry["lines"]:
            for n, condition in enumerate(line["conditions"]):
                span = condition["span"]
                text = lines[span["start_line"] - 1][span["start_column"] - 1:span["end_column"] - 1]
                if condition["exact"]:
                    joined = condition["expression"] != n
                    shown.setdefault(line["number"], []).append(("+ " if joined else "| ") + text)
statements = 0
for number, line in enumerate(lines, 1):
    statement, mark, expected = line.partition(" // operands:")
    got = " ".join(shown.get(number, ["| "]))[2:]
    statements += mark != ""
    expected = expected.strip()
    if expected.startswith("?"):  # each of these or not, and nothing else
        allowed = expected[2:].split(" | ")
        fine = all(text in allowed for text in got.replace(" + ", " | ").split(" | ") if text)
    else:
        fine = got == expected
    if mark and not fine:
        print(f"{number}: {statement.strip()}: expected '{expected}', got '{got}'")
print(statements > 900 and "all judged")
PY
}

half=0
for configuration in Debug Release; do
    check "$configuration: the statements are written" python3 "$top/tests/e2e/make_operands.py" operands/Operands.cs $(long || echo $half)
    half=1
    compiled operands "$configuration"
    check "$configuration runs" limited "$ILCOV" run --root operands -f json="$configuration.json" -- dotnet "$program"
    judged "$configuration.json" >"$configuration.judged"
    if [ "$(cat "$configuration.judged")" = "all judged" ]; then
        ok "$configuration: what is exact is right"
    else
        not_ok "$configuration: what is exact is right" "$configuration.judged"
    fi
done

finish
