#!/bin/bash
# Each row of docs/exit-statuses.md: its cause gives that status and that line.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"
unset ILCOV_SESSION SOURCE_DATE_EPOCH

mkdir sessions
"$top/build/make_data" old.ilcov
mkdir -p src/Core
touch src/Core/Order.cs # of old.ilcov
echo '{"no-such-setting": 1}' >wrong.json
git init -q repository
git -C repository -c user.name=a -c user.email=a@b commit -q --allow-empty -m first
run=("$ILCOV" run --session-dir sessions)
printf '%s\n' '--- /dev/null' '+++ b/New.cs' '@@ -0,0 +1 @@' '+class New { int F() => 1; }' >new.patch

# cause CAUSE: the command that has it; false if the row is new here.
cause() {
    case $1 in
    "all is well") "$ILCOV" report -f none old.ilcov ;;
    "a gate fails") "$ILCOV" report -f none --gate 'line>=100' old.ilcov ;;
    "wrong usage") "$ILCOV" report --no-such-option ;;
    "a wrong setting"*) "$ILCOV" report --config wrong.json ;;
    "a settings file"*) "$ILCOV" report --config none.json ;;
    "another profiler"*) CORECLR_ENABLE_PROFILING=1 CORECLR_PROFILER='{846F5F1C-F9AE-4B07-969E-05C26BC060D8}' "${run[@]}" true ;;
    "a revision in"*) "${run[@]}" -r repository --patch no-such-branch --gate 'patch>=80' true ;;
    *"without a gate that"*) "${run[@]}" --base old.ilcov true ;;
    "two outputs"*) "${run[@]}" -f text=a -f json=./a true ;;
    "nothing was measured") "${run[@]}" true ;;
    "a gate on a patch"*) "$ILCOV" diff -q --patch new.patch --gate 'patch>=0' old.ilcov ;;
    "a gate that compares"*) "${run[@]}" --allow-empty -r . -f none -d empty.ilcov true && "$ILCOV" diff -q --gate lost=0 old.ilcov empty.ilcov ;;
    "a test host did not"*) has_record 'declined\t6\t\ntests\t%s\n' "$ILCOV" ;;
    "the tests of an assembly"*) has_record 'declined\t6\t\ntests\t%s\n' /none/A.dll ;;
    "another tool rewrote"*) has_record 'skipped\tA\t/a/%s\t36\t\n' A.dll ;;
    "nothing is left"*) "$ILCOV" report -x '[*]*' old.ilcov ;;
    "a data file that is not there") "$ILCOV" report none.ilcov ;;
    "a file to show that is not"*) "$ILCOV" show -d old.ilcov no/such.xyz ;;
    "a data file that cannot be read") "$ILCOV" report /etc/passwd ;;
    "an output that"*) "${run[@]}" -f text=old.ilcov/below true ;;
    "an output failed"*) "${run[@]}" --allow-empty -f text=late/x sh -c ': >late' ;;
    "a standard stream"*) "$ILCOV" report -f text=- old.ilcov >&- ;;
    "the command cannot"*) "${run[@]}" /etc/passwd ;;
    "the command is not"*) "${run[@]}" ilcov-no-such-command ;;
    *) return 200 ;;
    esac
}

# has_record FORMAT ARGUMENT: a run in which a test driver left this in its record, as the library would.
has_record() {
    # shellcheck disable=SC2016
    "${run[@]}" --allow-empty -f none sh -c '
        printf "ilcov-process\t1\nprogram\t/sdk/vstest.console.dll\n$1" "$2" >"$ILCOV_SESSION/process-7-1"' - "$1" "$2"
}

# tested_in TEST LINE: such a cause needs .NET or a signal; that test expects the line.
tested_in() {
    grep -qF -- "$2" "$top/tests/e2e/$1"
}

rows=0
while IFS='|' read -r _ status what line _; do
    status=${status// /} what=${what# } what=${what% } line=$(sed 's/^ `*//; s/`* $//' <<<"$line")
    rows=$((rows + 1))
    case $what in
    "measured code is outside"*) check "$what: $line" tested_in test_outside.sh "$line" ;;
    "a program was started with"*) check "$what: $line" tested_in test_declines.sh "$line" ;;
    "a file to show whose"* | "a folder to show"* | "a line to show"*) check "$what: $line" tested_in test_show.sh "$line" ;;
    "signal n"*) check "$what: $line" tested_in test_signals.sh "$line" ;;
    *)
        cause "$what" >out 2>err </dev/null
        same "$what: status" "$status" "$?"
        [ "$status" = 0 ] || check "$what: $line" grep -qF -- "$line" err
        ;;
    esac
done < <(grep -E '^\| [0-9]' "$top/docs/exit-statuses.md")
check "the table has rows" test "$rows" -ge 22

finish
