#!/bin/bash
# Settings: the same run from the file, the environment and the command line; `ilcov config`; mistakes.
. "$(dirname "$0")/lib.sh"

for name in $(env | grep -o '^ILCOV_[^=]*'); do
    case $name in
    ILCOV_LONG) ;;
    *) unset "$name" ;;
    esac
done

# says STATUS TEXT ARGUMENT...: ilcov exits so, with one line that has the text.
says() {
    local expected=$1 text=$2
    shift 2
    limited "$ILCOV" "$@" >out 2>err
    same "ilcov $*: status" "$expected" $?
    one_line_about "ilcov $*: says why" err "$text"
}
# accepted SCHEMA FILE...: those of the files that it accepts; why it does not is on standard error
accepted() {
    python3 - "$@" <<'PY'
import json, sys
from jsonschema import validators
schema, *documents = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
kind = validators.validator_for(schema)
kind.check_schema(schema)
for path, document in zip(sys.argv[2:], documents):
    errors = list(kind(schema).iter_errors(document))
    print(*errors, file=sys.stderr)
    if not errors:
        print(path)
PY
}
# valid SCHEMA FILE
valid() {
    accepted "$@" | grep -qxF -e "$2"
}

# --- every option ------------------------------------------------------------------------------
check "every option of every verb has one value, from wherever it comes" \
    limited python3 -S "$top/tests/support/settings_ways.py" "$ILCOV" values

build exclusions Debug
root=$top/fixtures/exclusions
mkdir base
measure base/base --root "$root" -- "$program"
printf -- '--- a/Options.cs\n+++ b/Options.cs\n@@ -1,3 +1,4 @@\n // \n+x\n' >base/some.patch
awk '{ print "+" $0 } END { print NR >"lines" }' "$root/Options.cs" >body
{ printf -- '--- /dev/null\n+++ b/Options.cs\n@@ -0,0 +1,%d @@\n' "$(cat lines)" && cat body; } >base/some.patch
limited "$ILCOV" run -d base/tests.ilcov -f none --root "$root" -x '[*]*Options' -- "$program" 2>err
for verb in run report show merge diff collect; do
    check "every option of $verb does the same, from wherever it comes" \
        limited python3 -S "$top/tests/support/settings_ways.py" "$ILCOV" runs $verb "$program" "$root" "$temp/base"
done

# --- the file ----------------------------------------------------------------------------------
mkdir -p tree/a/b
git init -q tree
printf '{\n  // the team agreed on this\n  "failUnder": 100,\n  "report": {"format": "json=made/r.json"}\n}\n' >tree/ilcov.json
mkdir tree/a/b/TestResults && cp base/base.ilcov tree/a/b/TestResults/run.ilcov
(cd tree/a/b && limited "$ILCOV" report 2>err)
same "a threshold of the file above is missed" 1 $?
check "what the file names is relative to it" test -s tree/made/r.json
(cd tree/a/b && limited "$ILCOV" report --no-config 2>err)
same "--no-config leaves it out" 0 $?
(cd tree/a/b && ILCOV_CONFIG='' limited "$ILCOV" report 2>err)
same "and so does an empty ILCOV_CONFIG" 0 $?
(cd tree/a/b && ILCOV_CONFIG=../../ilcov.json limited "$ILCOV" report 2>err)
same "ILCOV_CONFIG names a file" 1 $?
(cd tree/a/b && limited "$ILCOV" report --fail-under 0 2>err)
same "an option overrides the file" 0 $?
(cd tree/a/b && limited "$ILCOV" report --verbose 2>err)
check "-v names the file" grep -qF "ilcov: settings: $temp/tree/ilcov.json" tree/a/b/err

cd tree || exit 2
limited "$ILCOV" config --json >../all.json
limited "$ILCOV" config --json report -q >../report.json
cd ..
for file in all report; do
    check "$file: config --json is what its schema says" valid "$top/docs/config.schema.json" $file.json
done
check "config says where a value is from" grep -qF '"from": "ilcov.json:3"' report.json
(cd tree && limited "$ILCOV" config run --fail-under 90 >../text)
check "as a table, too" grep -Eq '^failUnder +90 +--fail-under$' text

limited "$ILCOV" config --schema >schema.json
check "the schema in docs is the program's" cmp schema.json "$top/docs/ilcov.schema.json"
echo '{"$schema": "x", "failUnder": 80, "format": ["cobertura", "html=site"], "mode": "hit", "quiet": true, "diff": {"format": "json"}}' >good.json
check "ilcov accepts the settings" limited "$ILCOV" config --config good.json
awk '/^```jsonc$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/settings.md" >documented.json
check "the file in docs/settings.md is one" bash -c '[ -s documented.json ] && "$1" config --config documented.json' - "$ILCOV"
mkdir gone
(cd gone && rmdir ../gone && limited "$ILCOV" config --json >../out 2>../err)
same "a directory that is gone has no settings: status" 0 $?
mkdir refused
refused=()
for bad in '{"fail-under": 80}' '{"mode": "fast"}' '{"quiet": "yes"}' '{"report": {"mode": "hit"}}' '{"exclude": 1}' '{"mode": ["hit"]}' \
    '{"format": "xml"}' '{"format": ["html="]}'; do
    echo "$bad" >bad.json
    cp bad.json "refused/${#refused[@]}.json"
    refused+=("$bad")
    limited "$ILCOV" config --config bad.json >out 2>err
    same "ilcov refuses $bad: status" 2 $?
    one_line_about "ilcov refuses $bad" err 'bad.json:1: '
done
same "of the settings, the schema accepts what ilcov accepts, and nothing else" good.json "$(accepted schema.json good.json refused/* 2>refused.log)"

count=20000
! long || count=1000000
check "$count random files are read as Python reads them" \
    limited python3 -S "$top/tests/support/settings_oracle.py" "$(dirname "$ILCOV")/read_settings" "$top/docs/ilcov.schema.json" $count

# --- settings of other tools -------------------------------------------------------------------
mkdir other
cat >other/coverlet.runsettings <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<RunSettings>
  <DataCollectionRunSettings>
    <DataCollectors>
      <DataCollector friendlyName="XPlat code coverage">
        <Configuration>
          <Format>json,cobertura</Format>
          <Exclude>[*]*.Nothing?</Exclude>
          <ExcludeByFile>**/Options.cs,../outside.cs</ExcludeByFile>
          <ExcludeByAttribute>LeaveOut</ExcludeByAttribute>
          <SkipAutoProps>true</SkipAutoProps>
          <SingleHit>true</SingleHit>
        </Configuration>
      </DataCollector>
    </DataCollectors>
  </DataCollectionRunSettings>
</RunSettings>
XML
cat >other/Directory.Build.props <<'XML'
<Project>
  <PropertyGroup>
    <CollectCoverage>true</CollectCoverage>
    <Threshold>100</Threshold>
    <ThresholdType>line</ThresholdType>
    <MergeWith>../coverage.json</MergeWith>
  </PropertyGroup>
</Project>
XML
cd other || exit 2
limited "$ILCOV" config --from coverlet.runsettings >made.json 2>err
same "settings of coverlet: status" 0 $?
same "what has no counterpart is said" "$(printf '%s\n' \
    "ilcov: no counterpart: Format: json: ilcov does not write this format; its own data file takes its place" \
    "ilcov: no counterpart: ExcludeByFile: ../outside.cs: ilcov's globs, which match paths below the source root, cannot express it")" \
    "$(cat err)"
check "and is in the file" grep -qF '// ExcludeByFile: ../outside.cs' made.json
grep -v '^ *//' made.json | sed 's| // .*||' >bare.json
check "the schema accepts it" valid ../schema.json bare.json
mkdir typed file
(cd typed && limited "$ILCOV" run --deterministic -f json --root "$root" -f cobertura -x '[*]*.Nothing' -x '[*]*.Nothin' \
    --exclude-files Options.cs --exclude-files '*/Options.cs' --exclude-attribute LeaveOut --exclude-auto-properties --mode hit \
    -- "$program" >../typed.out 2>&1)
sed 's|"cobertura"|"cobertura", "json"|' made.json >file/ilcov.json
(cd file && limited "$ILCOV" run --deterministic --root "$root" -- "$program" >../file.out 2>&1)
check "a run with it is one with these options" diff -r -x '*.ilcov' -x ilcov.json typed file
check "and leaves out what coverlet would" bash -c '[ -s file/coverage.cobertura.xml ] && ! grep -q Options.cs file/coverage.cobertura.xml'
limited "$ILCOV" config --from Directory.Build.props >ilcov.json 2>err
limited "$ILCOV" run --root "$root" -- "$program" >out 2>err
same "a threshold of coverlet is a gate" 1 $?
check "of each assembly" grep -qF 'gate [*]line>=100' err
rm ilcov.json
says 3 'not well-formed XML' config --from made.json
says 2 'cannot be combined' config --from coverlet.runsettings --json
cd ..

# --- mistakes ----------------------------------------------------------------------------------
echo '{"quiet": true' >bad.json
says 2 'bad.json:2:1: ' run --config bad.json -- true
says 3 'nowhere.json cannot be opened' run --config nowhere.json -- true
says 2 "did you mean 'report'?" config reprot
says 2 "'ilcov ps' has no settings" config ps
ILCOV_FAILUNDER=80 limited "$ILCOV" config >out 2>err
one_line_about "a variable that is nearly a setting is named once" err 'did you mean ILCOV_FAIL_UNDER?'
limited "$ILCOV" report --no-config --deterministic -f json=ilcov.json base/base.ilcov 2>err
says 2 "ilcov.json:2: unknown setting 'schema'" report base/base.ilcov
rm ilcov.json
ls >before
limited "$ILCOV" run --root "$root" -f json -- "$program" >out 2>err
check "and no report is called so" test -s coverage.json -a ! -e ilcov.json
(cd tree && echo '{' >ilcov.json && limited "$ILCOV" run --help >../out && limited "$ILCOV" ps >../out 2>&1)
same "help needs no settings, nor does ps" 0 $?

finish
