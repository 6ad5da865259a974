#!/bin/bash
# The JSON report is what docs/report.schema.json says, and says what the Cobertura report of the same run does.
. "$(dirname "$0")/lib.sh"

schema=$top/docs/report.schema.json

# valid REPORT
valid() {
    python3 - "$schema" "$1" <<'PY'
import json, sys
from jsonschema import Draft202012Validator
schema, report = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
Draft202012Validator.check_schema(schema)
errors = list(Draft202012Validator(schema).iter_errors(report))
for error in errors:
    print("/".join(map(str, error.absolute_path)), error.message)
sys.exit(bool(errors))
PY
}

# lines REPORT: "<file> <line> <hits> <covered>/<outcomes>" of each line of each class; then the totals.
lines_of_json() {
    python3 - "$1" <<'PY'
import json, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
for package in report["packages"]:
    for entry in package["classes"]:
        for line in entry["lines"]:
            hits = [n for condition in line["conditions"] for n in condition["outcome_hits"]]
            print(entry["file"], line["number"], line["hits"], f"{sum(n != 0 for n in hits)}/{len(hits)}")
for what in "lines", "branches":
    print(what, report["totals"][what]["covered"], report["totals"][what]["valid"])
PY
}

lines_of_cobertura() {
    python3 - "$1" <<'PY'
import sys, xml.etree.ElementTree as tree
report = tree.parse(sys.argv[1]).getroot()
for entry in report.iter("class"):
    for line in entry.find("lines"):
        covered = line.get("condition-coverage", "(0/0)")
        print(entry.get("filename"), line.get("number"), line.get("hits"), covered.split("(")[1][:-1])
for what in "lines", "branches":
    print(what, report.get(what + "-covered"), report.get(what + "-valid"))
PY
}

for golden in empty fixture; do
    check "the schema holds for tests/golden/$golden.json" valid "$top/tests/golden/$golden.json"
done
# damaged WHAT SED
damaged() {
    sed "$2" "$top/tests/golden/fixture.json" >damaged.json
    check "the schema forbids $1" test -z "$(valid damaged.json >/dev/null 2>&1 && echo yes)"
}
damaged "fractions" '0,/"hits": 4/s//"hits": 4.5/'
damaged "negative counts" '0,/"hits": 4/s//"hits": -4/'
damaged "a line 0" '0,/"number": 4/s//"number": 0/'
damaged "a class without a file" '/"file":/d'
damaged "another major version" 's/"1\.[0-9]*\.0"/"2.0.0"/'
damaged "unknown conditions" 's/"jump"/"loop"/'

for fixture in language exclusions; do
    build $fixture Debug
    measure $fixture --format json=$fixture.json --root "$top/fixtures/$fixture" -- "$program"
    same "$fixture: runs" 0 $status
    check "$fixture: the schema holds" valid $fixture.json
    check "$fixture: says what Cobertura says" diff <(lines_of_cobertura $fixture.xml) <(lines_of_json $fixture.json)
    check "$fixture: and it is much" test "$(lines_of_json $fixture.json | wc -l)" -gt 20
done
finish
