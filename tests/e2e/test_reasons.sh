#!/bin/bash
# Reasons are values: data files in which they were sentences give the reports that they gave, and a program with other texts
# for all reasons does what ours does.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

old=$top/tests/data/version-4
kinds="run attached merged squashed"

# --- data files of version 4 -----------------------------------------------------------------------------------------
# without_new: a JSON report without the members that it has had since.
without_new() { sed -e '/^ *"display_/d' -e '/^  "generated": /d' -e 's/, "code": [0-9]*}/}/' -e 's/^  "schema": .*/  "schema": "1.1.0",/'; }

# by_name: a JSON report with its classes by name, as they were in those days.
by_name() {
    python3 -c '
import json, sys
report = json.load(sys.stdin)
for package in report["packages"]:
    package["classes"].sort(key=lambda entry: (entry["name"], entry["file"]))
print(json.dumps(report, indent=1))'
}

# With the version that they had then.
version=$("$ILCOV" --version)
as_then() { sed "s/${version#ilcov }/0.1.0/g"; }

# The table is still the same; what was missed most comes after it.
table() { sed '/^$/,$d'; }

for kind in $kinds; do
    limited "$ILCOV" report --deterministic --format json=$kind.json --format cobertura=$kind.cobertura.xml \
        --format text=$kind.txt "$old/$kind.ilcov" 2>$kind.said
    same "version 4, $kind: exit status" 0 $?
    check "version 4, $kind: the same as JSON" cmp <(by_name <"$old/$kind.json") <(as_then <$kind.json | without_new | by_name)
    check "version 4, $kind: the same as Cobertura" cmp "$old/$kind.cobertura.xml" <(as_then <$kind.cobertura.xml)
    check "version 4, $kind: the same table as text" cmp "$old/$kind.txt" <(table <$kind.txt)
    check "version 4, $kind: the summary says the same" cmp "$old/$kind.said" <(grep '^ilcov: ' $kind.said)
    limited "$ILCOV" inspect "$old/$kind.ilcov" >$kind.inspected
    check "version 4, $kind: inspect says the same" cmp "$old/$kind.inspected" $kind.inspected
    made "$ILCOV" merge -q -o $kind.ilcov "$old/$kind.ilcov"
    limited "$ILCOV" report --deterministic --format json=again.json $kind.ilcov 2>again.said
    check "version 4, $kind: the same from a file of version 12" cmp $kind.json again.json
done
made "$ILCOV" merge -q -o both_old.ilcov "$old/attached.ilcov" "$old/run.ilcov"
made "$ILCOV" merge -q -o mixed.ilcov attached.ilcov "$old/run.ilcov"
check "files of versions 4 and 12 merge as two of version 4 do" cmp both_old.ilcov mixed.ilcov

# --- data files of versions 5 to 11 ---------------------------------------------------------------------------------
# The same run, written by an ilcov that knew nothing about the words for outcomes, by one that knew nothing about causes, by one that
# knew nothing about the names of arms, by one that knew nothing about generators, by one whose statements had rows of their own, and
# by two that told no tests apart, or not what types declare.
for old_version in 5 6 7 8 9 10 11; do
    limited "$ILCOV" report --deterministic --format json=old.json "$top/tests/data/version-$old_version/run.ilcov" 2>old.said
    same "version $old_version: exit status" 0 $?
    check "version $old_version: the same as from version 4" cmp run.json old.json
    made "$ILCOV" merge -q -o new.ilcov "$top/tests/data/version-$old_version/run.ilcov"
    check "version $old_version: merged into version 12, the same" cmp run.ilcov new.ilcov
done

# --- other versions --------------------------------------------------------------------------------------------------
# version N: run.ilcov with this version in its header.
version() {
    cp run.ilcov version.ilcov
    printf "\\x$(printf %02x "$1")" | dd of=version.ilcov bs=1 seek=63 conv=notrunc 2>dd.log
    limited "$ILCOV" report --format none version.ilcov 2>version.said
    same "version $1: exit status" 3 $?
}
version 13
check "a newer one says which and what to do" grep -q \
    'version.ilcov has data format 13, written by a newer ilcov; this one reads up to 12: update ilcov$' version.said
for number in 1 2 3; do
    version $number
    check "version $number is named" grep -q "version.ilcov has data format $number, which this ilcov no longer reads" version.said
done

# --- other texts -----------------------------------------------------------------------------------------------------
reworded=$(dirname "$ILCOV")/reworded/ilcov
check "there is a program with other texts (make programs)" test -x "$reworded"

# alike WHAT COMMAND...: does ilcov COMMAND end with the same status, and say and write the same but for the texts?
alike() {
    local what=$1
    shift
    mkdir -p ours theirs
    (cd ours && limited "$ILCOV" "$@" >out 2>err; echo $? >status)
    (cd theirs && limited "$reworded" "$@" >out 2>err; echo $? >status)
    for file in out err; do
        python3 "$top/tests/support/as_we_say.py" "$top" <theirs/$file >theirs/$file.ours
        check "other texts: $what: $file" diff ours/$file theirs/$file.ours
    done
    check "other texts: $what: exit status" cmp ours/status theirs/status
    reworded_once=$reworded_once$(cat theirs/out theirs/err)
}
reworded_once=

for kind in $kinds; do
    for format in json text cobertura; do
        alike "$kind as $format" report --deterministic --format $format $temp/$kind.ilcov
    done
    alike "$kind, with less" report --deterministic --format json -x '[used]*.Price' --exclude-files 'app/*' "$temp/$kind.ilcov"
    alike "$kind, a threshold" report --format none --fail-under 75 "$temp/$kind.ilcov"
    alike "$kind, inspected" inspect "$temp/$kind.ilcov"
    alike "$kind, compared" diff --format json "$temp/run.ilcov" "$temp/$kind.ilcov"
    alike "$kind, gates" diff --format text --gate 'lost=0' "$temp/$kind.ilcov" "$temp/run.ilcov"
done
for options in "" "--squash" "--carry $temp/run.ilcov"; do
    # shellcheck disable=SC2086 # options are words
    alike "merged ${options%% *}" merge -o merged.ilcov $options "$temp/merged.ilcov" "$temp/attached.ilcov" "$old/run.ilcov"
    check "other texts: merged ${options%% *}: the same bytes" cmp ours/merged.ilcov theirs/merged.ilcov
done

# Sessions as the library writes them: each reason, why nothing was measured, and what is suspected.
# record NAME LINE...: the record of a process, for a script.
record() {
    local line text=
    for line in "${@:2}"; do text=$text$line'\n'; done
    printf 'printf "ilcov-process\\t1\\nprogram\\t/x/%s.dll\\n%s" >"$ILCOV_SESSION/process-%d-1";' "$1" "$text" $((++records))
}
records=0
every=()
for number in $(seq 1 37) 100 113 4711; do
    every+=("skipped\\tLib$number\\t/x/Lib$number.dll\\t$number\\t")
done
mkdir sessions
unmeasured=(run --session-dir "$temp/sessions" --format none -r "$temp")
alike "every reason to skip" "${unmeasured[@]}" -- sh -c "$(record app 'runtime\t10.0.0\t/net' "${every[@]}")"
alike "every reason to skip, listed" "${unmeasured[@]}" -v --allow-empty -- sh -c "$(record app 'runtime\t10.0.0\t/net' "${every[@]}")"
script=
for number in $(seq 1 37) 4711; do script+=$(record app$number "declined\\t$number\\t"); done
alike "every reason to decline" "${unmeasured[@]}" -v -- sh -c "$script"
alike "a silent test host" "${unmeasured[@]}" -- sh -c "$(record vstest.console 'declined\t6\t')"
alike "tests alone" "${unmeasured[@]}" -- \
    sh -c "$(record vstest.console 'declined\t6\t') $(record testhost 'skipped\tApp.Tests\t/x/App.Tests.dll\t15\t')"
alike "tests, and code without symbols" "${unmeasured[@]}" -- \
    sh -c "$(record testhost 'skipped\tApp.Tests\t/x/T.dll\t15\t' 'skipped\tApp\t/x/App.dll\t13\t')"
alike "rewritten by another tool" "${unmeasured[@]}" -- sh -c "$(record app 'skipped\tApp\t/x/App.dll\t36\t')"
check "other texts: the other program did say them" test "$(grep -o '<[0-9A-Z_]*=\?' <<<"$reworded_once" | sort -u | wc -l)" -ge 38
finish
