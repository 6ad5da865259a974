#!/bin/bash
# Operations on `dynamic` have the branches that were written, and no others: over two thousand generated statements in members
# of every kind (make_dynamic.py), Debug and Release.
. "$(dirname "$0")/lib.sh"

mkdir dynamic
cat >dynamic/dynamic.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType>
    <RunAnalyzers>false</RunAnalyzers><EnableNETAnalyzers>false</EnableNETAnalyzers>
    <NoWarn>$(NoWarn);CS1998;CS0219;CS0162;CS0168;CS0649;CS0693</NoWarn><TreatWarningsAsErrors>false</TreatWarningsAsErrors>
  </PropertyGroup>
</Project>
XML
check "the statements are written" python3 "$top/tests/e2e/make_dynamic.py" dynamic/Dynamic.cs

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
print(statements > 2000 and "all judged")
PY
}

for configuration in Debug Release; do
    made dotnet build dynamic --configuration "$configuration" --nologo --artifacts-path "$temp/$configuration"
    check "$configuration runs" limited "$ILCOV" run --root dynamic -f json="$configuration.json" -- \
        "$temp/$configuration/bin/dynamic/$(lower "$configuration")/dynamic"
    judged "$configuration.json" >"$configuration.judged"
    same "$configuration: the branches are those that were written" "all judged" "$(cat "$configuration.judged")"
done

finish
