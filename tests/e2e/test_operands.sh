#!/bin/bash
# No span that is called exact is wrong where the compiler folds operands, adds conditions or sorts them: over a thousand
# generated statements (make_operands.py), Debug and Release.
. "$(dirname "$0")/lib.sh"

mkdir operands
cat >operands/operands.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType>
    <NoWarn>$(NoWarn);CS0162;CS0183;CS0219;CS0472;CS8794;CS8518;CS8519;CS8520;CS0642</NoWarn><TreatWarningsAsErrors>false</TreatWarningsAsErrors>
  </PropertyGroup>
</Project>
XML
check "the statements are written" python3 "$top/tests/e2e/make_operands.py" operands/Operands.cs

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
    if mark and got != expected.strip():
        print(f"{number}: {statement.strip()}: expected '{expected.strip()}', got '{got}'")
print(statements > 1000 and "all judged")
PY
}

for configuration in Debug Release; do
    made dotnet build operands --configuration "$configuration" --nologo --artifacts-path "$temp/$configuration"
    check "$configuration runs" limited "$ILCOV" run --root operands -f json="$configuration.json" -- \
        "$temp/$configuration/bin/operands/$(lower "$configuration")/operands"
    judged "$configuration.json" >"$configuration.judged"
    if [ "$(cat "$configuration.judged")" = "all judged" ]; then
        ok "$configuration: what is exact is right"
    else
        not_ok "$configuration: what is exact is right" "$configuration.judged"
    fi
done

finish
