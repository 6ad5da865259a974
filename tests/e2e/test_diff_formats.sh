#!/bin/bash
# What changed, as JSON, is what docs/diff.schema.json says.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

# valid DIFF
valid() {
    python3 - "$top/docs/diff.schema.json" "$1" <<'PY'
import json, sys
from jsonschema import Draft202012Validator
schema, diff = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
Draft202012Validator.check_schema(schema)
errors = list(Draft202012Validator(schema).iter_errors(diff))
for error in errors:
    print("/".join(map(str, error.absolute_path)), error.message)
sys.exit(bool(errors))
PY
}

# forbids WHAT SED
forbids() {
    sed "$2" "$top/tests/golden/diff.json" >damaged.json
    check "the schema forbids $1" test "$(valid damaged.json >/dev/null 2>&1; echo $?)" = 1
}

for golden in diff diff.empty diff.patch; do
    check "the schema holds for tests/golden/$golden.json" valid "$top/tests/golden/$golden.json"
done
forbids "another major version" 's/"1\.[0-9]*\.0"/"2.0.0"/'
forbids "fractions" 's/"hits": 7/"hits": 7.5/'
forbids "negative counts" 's/"hits": 7/"hits": -7/'
forbids "a line 0" 's/"number": 5,/"number": 0,/'
forbids "unknown states" 's/"state": "lost"/"state": "gone"/'
forbids "a method without a kind" '/"kind":/d'
finish
