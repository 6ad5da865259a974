#!/bin/bash
# --json of doctor, merge, inspect, ps, show and diff: what people get for the same input, by the schemas in docs. After an error
# nothing is on standard output, and the exit status is the same.
. "$(dirname "$0")/lib.sh"

# json WHAT STATUS VERB ARGUMENT...: with --json into WHAT.json, without into WHAT.human (standard error of merge); both end so.
json() {
    local what=$1 expected=$2 verb=$3
    shift 3
    limited "$ILCOV" "$verb" "$@" >"$what.human" 2>"$what.human.err"
    same "$what: status" "$expected" $?
    limited "$ILCOV" "$verb" --json "$@" >"$what.json" 2>"$what.err"
    same "$what: status with --json" "$expected" $?
    valid "$what" "$verb" "$what.json"
}
# valid WHAT VERB FILE...
valid() {
    check "$1: the schema holds" python3 "$top/tests/support/json_schema.py" --strict "$top/docs/$2.schema.json" "${@:3}"
}
# says WHAT KIND[:NAME]: the JSON has what people got.
says() {
    check "$1: says what people get" python3 "$top/tests/support/json_says.py" "$2" "$1.human" "$1.json"
}
# fails WHAT STATUS VERB ARGUMENT...: as without --json, and prints nothing.
fails() {
    local what=$1 expected=$2
    shift 2
    limited "$ILCOV" "$@" --json >failed.out 2>failed.err
    same "$what: status" "$expected" $?
    check "$what: nothing on standard output" test ! -s failed.out
    check "$what: a message" test -s failed.err
}

build language Debug
measure language --root "$top/fixtures/language" --quiet -- "$program"
assembly=$program.dll
build exclusions Debug
measure exclusions --root "$top/fixtures/exclusions" --quiet -- "$program"

# --- doctor, ps --------------------------------------------------------------------------------------------------------

json doctor 0 doctor
says doctor doctor
CORECLR_PROFILER_PATH=/nowhere CORECLR_ENABLE_PROFILING=1 DOTNET_EnableDiagnostics=0 json unwell 3 doctor
says unwell doctor
check "unwell: a problem is one" grep -q '"state": "problem", "check": "environment"' unwell.json
json idle 0 ps
mkdir Sleeper
echo 'System.Console.WriteLine("up"); System.Console.ReadLine();' >Sleeper/Program.cs
compiled Sleeper Debug
mkfifo hold
"$ILCOV" run --quiet --session-dir . --data sleeper.ilcov -f none -- dotnet "$program" <hold >up 2>up.err &
exec 7>hold
until_true grep -q up up
json ps 0 ps
json ps_all 0 ps --all
says ps ps:Sleeper
echo >&7
exec 7>&-
wait

# --- inspect -----------------------------------------------------------------------------------------------------------

json assembly 0 inspect "$assembly"
says assembly assembly
check "assembly: it is much" test "$(grep -c '"token"' assembly.json)" -gt 400
json code 0 inspect "$assembly" '*'
says code assembly
frameworks=("$(dirname "$(readlink -f "$(command -v dotnet)")")"/shared/Microsoft.NETCore.App/10.*)
json alone 0 inspect "${frameworks[0]}/System.Collections.dll" '*Enumerator.MoveNext'
says alone assembly
check "alone: it has no symbols" grep -q '"symbols": null' alone.json
cp "${assembly%.dll}.pdb" "${program%.dll}.pdb"
json stranger 0 inspect "$program" '*Main*'
says stranger assembly
check "stranger: why its symbols are none" grep -q '"no_symbols"' stranger.json

# --- data files --------------------------------------------------------------------------------------------------------

limited "$ILCOV" run -q --partial --data partial.ilcov --root "$top/fixtures/language" -f none -- "${assembly%.dll}" >out 2>err
json data 0 inspect language.ilcov
says data data
json merged 0 merge -o merged.ilcov language.ilcov exclusions.ilcov language.xml
cp merged.human.err merged.human
says merged merge
head -c 5000 language.ilcov >damaged.ilcov
json squashed 0 merge --squash -o squashed.ilcov language.ilcov exclusions.ilcov damaged.ilcov
cp squashed.human.err squashed.human
says squashed merge
check "squashed: the damaged file is a warning" grep -q 'damaged.ilcov' squashed.json
json carried 0 merge -o carried.ilcov --carry language.ilcov exclusions.ilcov
cp carried.human.err carried.human
says carried merge
for file in merged squashed carried exclusions partial; do
    json "data-$file" 0 inspect $file.ilcov 'Main'
    says "data-$file" data
done

# --- show --------------------------------------------------------------------------------------------------------------

pairs=()
while IFS= read -r file; do
    what=show-${#pairs[@]}
    limited "$ILCOV" show -d language.ilcov "$file" >"$what.human" 2>"$what.human.err"
    limited "$ILCOV" show --json -d language.ilcov "$file" >"$what.json" 2>"$what.err"
    same "show $file" 0 $?
    pairs+=("$what.human" "$what.json")
done < <("$ILCOV" report language.ilcov -q -f json=- | python3 -c '
import json, sys
print("\n".join(sorted({entry["file"] for package in json.load(sys.stdin)["packages"] for entry in package["classes"]})))')
valid show show show-*.json
check "show: says what people get" python3 "$top/tests/support/json_says.py" show "${pairs[@]}"
check "show: there is something to say" test "$(cat show-*.json | grep -o '"missing": \["' | wc -l)" -gt 20
while IFS= read -r file; do
    json excluded 0 show -d exclusions.ilcov "$file"
    says excluded show
done < <(cd "$top/fixtures/exclusions" && ls ./*.cs | head -n 8)
check "show: some lines are excluded" grep -q '"excluded": \[' excluded.json
limited "$ILCOV" show -d language.ilcov Program.cs:8-9 --json >lines.json
same "show: only the lines that were asked for" "8 9" "$(python3 -c 'import json
print(*(line["number"] for file in json.load(open("lines.json"))["files"] for line in file["lines"]))')"
json worst 0 show -d language.ilcov
limited "$ILCOV" report -q language.ilcov -f json=language.json
check "show without FILE has what the JSON report misses" python3 - <<'PY'
import json
missed = set()
for package in json.load(open("language.json"))["packages"]:
    for entry in package["classes"]:
        missed |= {(entry["file"], line["number"]) for line in entry["lines"] if line["hits"] == 0}
shown = {(file["path"], line["number"]) for file in json.load(open("worst.json"))["files"] for line in file["lines"] if line["hits"] == 0}
assert missed == shown and missed, missed ^ shown
PY
json uncovered 0 show -d language.ilcov --uncovered
says uncovered uncovered

# --- diff --------------------------------------------------------------------------------------------------------------

json diff 0 diff exclusions.ilcov language.ilcov
limited "$ILCOV" diff exclusions.ilcov language.ilcov -f json=- >format.json 2>err
check "diff --json is diff -f json=-" cmp format.json diff.json
limited "$ILCOV" diff exclusions.ilcov language.ilcov --gate 'line>=100' --json >gate.json 2>err
same "diff: a gate that fails" 1 $?
check "diff: whole all the same" cmp <(python3 -c 'import json; print(json.load(open("gate.json"))["totals"])') \
    <(python3 -c 'import json; print(json.load(open("diff.json"))["totals"])')
limited "$ILCOV" diff exclusions.ilcov language.ilcov --json -f markdown=diff.md >both.json 2>err
same "diff: another format beside it, to a file" 0 $?
check "diff: both are there" test -s both.json -a -s diff.md

# --- errors ------------------------------------------------------------------------------------------------------------

fails "diff: text to standard output, too" 2 diff exclusions.ilcov language.ilcov -f text
fails "diff: no file" 3 diff none.ilcov language.ilcov
fails "diff: nothing to compare with" 2 diff
fails "merge: no file" 3 merge -o x.ilcov none.ilcov
fails "merge: nothing is left" 3 merge -o x.ilcov damaged.ilcov
fails "merge: no output" 2 merge language.ilcov
fails "inspect: no file" 3 inspect none.dll
fails "inspect: no such method" 3 inspect "$assembly" NoSuchMethod
fails "inspect: no such method in a data file" 3 inspect language.ilcov NoSuchMethod
fails "inspect: a damaged data file" 3 inspect <(head -c 3000 language.ilcov)
head -c 3000 "$assembly" >damaged.dll
fails "inspect: a damaged assembly" 3 inspect damaged.dll
fails "show: no such file" 3 show -d language.ilcov NoSuch.cs
fails "show: no such line" 3 show -d language.ilcov Program.cs:99999
fails "show: a folder" 3 show -d none.ilcov
fails "ps: an operand" 2 ps operand
for verb in doctor ps "inspect $assembly" "show -d language.ilcov" "merge -o x.ilcov language.ilcov" "diff exclusions.ilcov language.ilcov"; do
    # shellcheck disable=SC2086 # words
    limited "$ILCOV" $verb --json >/dev/full 2>err
    same "${verb%% *}: standard output is full" 3 $?
done
finish
