#!/bin/bash
# The JSON report is what docs/report.schema.json says, and says what the Cobertura report of the same run does.
. "$(dirname "$0")/lib.sh"

schema=$top/docs/report.schema.json

# valid REPORT
valid() {
    python3 "$top/tests/support/json_schema.py" "$schema" "$1"
}

# rebuilt LINES: the JSON report that the lines are; without its schema's version.
rebuilt() {
    python3 - "$1" <<'PY'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
report, end = lines[0], lines[-1]
assert report.pop("kind") == "report" and end == {"kind": "end", "lines": len(lines) - 1}
report.update(packages=[], omissions=[], exclusions=[], generated=[])
paths = []
for line in lines[1:-1]:
    kind = line.pop("kind")
    if kind == "package":
        report["packages"].append(dict(line, classes=[]))
        paths = []
    elif kind == "file":
        package = report["packages"][-1]
        assert line["package"] == package["name"]
        assert line["classes"] and {entry["file"] for entry in line["classes"]} == {line["path"]}
        for what in "lines", "branches", "methods":
            for count in "covered", "valid":
                assert line["totals"][what][count] == sum(entry["totals"][what][count] for entry in line["classes"])
        paths.append(line["path"])
        assert paths == sorted(set(paths), key=str.encode)
        package["classes"] += line["classes"]
    else:
        report[kind if kind == "generated" else kind + "s"].append(line)
del report["schema"]
print(json.dumps(report, sort_keys=True))
PY
}
plain() {
    python3 -c 'import json, sys; report = json.load(open(sys.argv[1])); del report["schema"]; print(json.dumps(report, sort_keys=True))' "$1"
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
    measure $fixture --format json=$fixture.json --format jsonl=$fixture.jsonl --root "$top/fixtures/$fixture" -- "$program"
    same "$fixture: runs" 0 $status
    check "$fixture: the schema holds" valid $fixture.json
    schema=$top/docs/jsonl.schema.json check "$fixture: the schema of JSON lines holds" valid $fixture.jsonl
    check "$fixture: JSON lines are the JSON report" diff <(plain $fixture.json) <(rebuilt $fixture.jsonl)
    check "$fixture: each line is an object" test -z "$(grep -v '^{.*}$' $fixture.jsonl)"
    check "$fixture: says what Cobertura says" diff <(lines_of_cobertura $fixture.xml | sort) <(lines_of_json $fixture.json | sort)
    check "$fixture: and it is much" test "$(lines_of_json $fixture.json | wc -l)" -gt 20
done
limited "$ILCOV" report -q --deterministic exclusions.ilcov -f jsonl=- -f json=stream.json >stream.jsonl 2>err
check "JSON lines can be piped" diff <(rebuilt stream.jsonl) <(plain stream.json)
for kind in report package file exclusion generated end; do
    check "JSON lines have the kind $kind" grep -q "^{\"kind\": \"$kind\"" exclusions.jsonl
done
head -n -1 exclusions.jsonl | sed 's/"kind": "file"/"kind": "files"/' >damaged.jsonl
schema=$top/docs/jsonl.schema.json
check "the schema of JSON lines forbids unknown kinds" test -z "$(valid damaged.jsonl >/dev/null 2>&1 && echo yes)"
finish
