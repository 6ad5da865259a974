#!/bin/bash
# What the program does where no .NET program is measured: help, usage, outputs, statuses, signals.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

build=$(dirname "$ILCOV")
ilcov=$ILCOV
work=$temp
shm=$work/shm
mkdir "$shm"
trap 'chmod 700 "$work"/sealed 2>/dev/null; clean_up' EXIT

# Whatever this machine has set must not change what is tested.
for name in $(env | grep -Eo '^(CORECLR|DOTNET|COMPlus)_(ENABLE_PROFILING|PROFILER|EnableDiagnostics)[^=]*'); do
    unset "$name"
done
unset ILCOV_SESSION SOURCE_DATE_EPOCH

# Runs ilcov: standard output in the file out, standard error in err, the status in $status.
run()
{
    "$ilcov" "$@" >out 2>err </dev/null
    status=$?
}
# The same for `ilcov run` with a session directory of ours, so that one left behind is seen.
measure()
{
    run run --session-dir "$shm" "$@"
}
# The same with variables set first: with NAME=VALUE... -- ARGUMENT...
with()
{
    local variables=()
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    shift
    env "${variables[@]}" "$ilcov" run --session-dir "$shm" "$@" >out 2>err </dev/null
    status=$?
}
# What a check that fails shows: WHY, and what was printed.
because()
{
    echo "$1"
    sed 's/^/out: /' out
    sed 's/^/err: /' err
    return 1
}
gives() # STATUS
{
    [ "$status" = "$1" ] || because "status $status, expected $1"
}
says() # TEXT
{
    grep -qF -- "$1" err || because "standard error lacks: $1"
}
one_line()
{
    [ "$(wc -l <err)" = 1 ] && [ ! -s out ] && grep -q '^ilcov: ' err
}
started()
{
    [ -e started ]
}
nothing_left()
{
    [ -z "$(ls "$shm")" ] && ! ls -A | grep -q '^\.ilcov'
}
# A refusal before the start: one line, and the command was never run.
refused() # STATUS TEXT
{
    gives "$1" && says "$2" && one_line && ! started && nothing_left
}
mark=(sh -c ': >started')

# --- help and version ------------------------------------------------------------------------------------------------
fits_one_screen()
{
    [ "$(wc -l <out)" -le 40 ] && [ "$(wc -L <out)" -le 80 ]
}
run --help
check "--help lists the verbs" gives 0
check "--help fits one screen" fits_one_screen
for verb in run env collect attach detach snapshot stacks report show merge diff inspect doctor completion; do
    check "--help names $verb" grep -q "^  $verb " out
done
for verb in run env collect attach detach snapshot stacks report show merge diff inspect doctor completion; do
    run "$verb" --help
    check "$verb --help gives 0" gives 0
    check "$verb --help fits one screen" fits_one_screen
    check "$verb --help begins with its usage" grep -q "^Usage: ilcov $verb " out
    usual=$(grep -oE '^ +(-., )?--[a-z-]+' out | wc -l)
    if grep -q -e '--help-all' out; then
        run "$verb" --help-all
        check "$verb --help-all gives 0" gives 0
        check "$verb --help-all has more options than --help" test "$(grep -oE '^ +(-., )?--[a-z-]+' out | wc -l)" -gt "$usual"
    fi
    version=$("$ilcov" --version)
    run "$verb" --version
    check "$verb --version is that of ilcov" test "$(cat out)" = "$version"
done
run run --help
check "run --help leaves out what few need" test -z "$(grep -e '--session-dir' out)"
run run --help-all
check "run --help-all has it" grep -q -e '--session-dir' out
run ps --help
cp out usual
run ps --help-all
check "of a verb without such options it is --help" cmp out usual
run --help
cp out usual
run --help-all
check "of ilcov itself, too" cmp out usual
run report --help
check "report --help tells of standard output" grep -q 'FILE - is standard output' out
check "--version is one line" grep -Eqx 'ilcov [0-9]+\.[0-9]+\.[0-9]+(-dev(\.[0-9a-z]+)+)?' <("$ilcov" --version)

# --- commands that messages name -------------------------------------------------------------------------------------
# As they are in the program: 'ilcov VERB --option VALUE'.
grep -aoE "'ilcov [a-z][^']*'" "$ilcov" | tr -d "'" | grep -av % | sort -u >commands
check "messages name commands" test "$(grep -c '' commands)" -gt 10
while read -r _ verb words; do
    run "$verb" --help-all
    check "'ilcov $verb' exists" gives 0
    for word in $words; do
        case $word in -*) check "so does $word in 'ilcov $verb $words'" grep -qE -e "(^|[ ,])${word%%=*}([ ,=[]|$)" out ;; --) break ;; esac
    done
done <commands
name_of() { # PATH: how a message names the command
    PATH=$1 "$ilcov" reprot 2>&1 | sed "s/.*(see '\(.*\) --help').*/\1/"
}
same "a message names ilcov if it is on PATH" ilcov "$(name_of "${ilcov%/*}:$PATH")"
same "and otherwise its path" "$ilcov" "$(name_of /nowhere:/usr/bin:/bin)"

# --- usage -----------------------------------------------------------------------------------------------------------
run
check "no verb is wrong usage" refused 2 "no verb"
run reprot
check "a mistyped verb is recognised" refused 2 "did you mean 'report'?"
run frobnicate
check "an unknown verb is wrong usage" refused 2 "unknown verb 'frobnicate'"
run version
check "an option without its dashes is put right" refused 2 "unknown verb 'version'; did you mean '--version'?"
run --versoin
check "so is a misspelt one" refused 2 "unknown verb '--versoin'; did you mean '--version'?"
run sh -c 'a b' x
check "a command in the place of the verb is recognised" refused 2 "did you mean 'ilcov run -- sh -c ...'?"
run sh test
check "and shown with its arguments" refused 2 "did you mean 'ilcov run -- sh test'?"
run -- sh test
check "so is one behind '--'" refused 2 "did you mean 'ilcov run -- sh test'?"
run --fail-under 80 -- sh test
check "options without a verb are recognised" refused 2 "did you mean 'ilcov run --fail-under 80 -- sh test'?"
run help report
check "help of a verb is that of the verb" grep -q "^Usage: ilcov report " out
run inspect /etc/passwd
check "inspecting another file says what was expected" refused 3 "/etc/passwd is neither a .NET assembly nor an ilcov data file"
run inspect /etc
check "inspecting a directory says that it is one" refused 3 "/etc is a directory"
measure
check "run without a command is wrong usage" refused 2 "no COMMAND"
measure --exlude '[A]*' "${mark[@]}"
check "a mistyped option is recognised" refused 2 "did you mean '--exclude'?"
run merge --gate lost=0
check "an option of other verbs is answered with those" refused 2 "unknown option '--gate' of 'ilcov merge'; 'ilcov run', 'ilcov collect', 'ilcov attach', 'ilcov report' and 'ilcov diff' have it"
measure --gate 'lines>=80' "${mark[@]}"
check "a mistyped metric is recognised" refused 2 "invalid gate 'lines>=80': unknown metric 'lines'; did you mean 'line'?"
measure -i '[A' "${mark[@]}"
check "a malformed pattern is wrong usage" refused 2 "lacks a ']'"
measure --format=junk "${mark[@]}"
check "an unknown format is wrong usage" refused 2 "unknown format 'junk'"
measure -f cobertura=- "${mark[@]}"
check "a report to standard output is refused: that is the command's" refused 2 "standard output belongs to COMMAND"
measure -f cobertura:x.xml "${mark[@]}"
check "a colon in place of = is put right" refused 2 "unknown format 'cobertura:x.xml'; did you mean 'cobertura=x.xml'?"
measure -f=text "${mark[@]}"
check "= after a short option is put right" refused 2 "option -f takes its value without '='; did you mean '-f text'?"
measure -d=x.ilcov "${mark[@]}"
check "of any option" refused 2 "did you mean '-d x.ilcov'?"
measure --fail-under 120 "${mark[@]}"
check "a threshold above 100 is wrong usage" refused 2 "invalid percentage '120' for --fail-under"
measure --mode fast "${mark[@]}"
check "an unknown mode is wrong usage" refused 2 "unknown mode 'fast'"
measure -d x -f text=x "${mark[@]}"
check "two outputs in one file are wrong usage" refused 2 "a report would replace the data file x"
measure --root "$work/none" "${mark[@]}"
check "a root that is not there is wrong usage" refused 2 "$work/none"
run collect a b
check "collect takes one session" refused 2 "unexpected argument 'b'"
run env x
check "env takes no argument" refused 2 "unexpected argument 'x'"
run collect
check "collect without a session is wrong usage" refused 2 "no SESSION"
run snapshot
check "snapshot without a process is wrong usage" refused 2 "no PID or SESSION"
run completion
check "completion without a shell is wrong usage" refused 2 "no SHELL: expected bash, zsh or fish"
run completion fisch
check "a mistyped shell is recognised" refused 2 "unknown shell 'fisch'; did you mean 'fish'?"
run doctor x
check "doctor takes no argument" refused 2 "unexpected argument 'x'"

measure -q -- "${mark[@]}"
check "right usage starts the command" started
rm -f started

# --- statuses --------------------------------------------------------------------------------------------------------
measure -- true
check "a run that measured nothing gives 3" gives 3
check "it says that the profiler never loaded" says "the profiler never loaded"
check "it writes no file" test ! -e TestResults/run.ilcov -a ! -e coverage.cobertura.xml
check "it leaves no session behind" nothing_left
measure -- sh -c 'exit 7'
check "the command's status wins" gives 7
check "what ilcov has to say is said all the same" says "the profiler never loaded"
measure -- false
check "so does 1" gives 1
measure -- sh -c 'kill -9 $$'
check "a command killed by signal 9 gives 137" gives 137
measure -- sh -c 'kill -15 $$'
check "a command ended by signal 15 gives 143" gives 143
check "killed commands leave no session behind" nothing_left
measure -- ilcov-no-such-command
check "a command that is not found gives 127" gives 127
check "and is named in one line" one_line
mkdir -m 0 sealed
with "PATH=$work/sealed:$PATH" -- ilcov-no-such-command
check "also when a folder of PATH may not be searched" gives 127
measure -- /etc/passwd
check "a command that is not executable gives 126" gives 126
check "and is named, too" says /etc/passwd
measure -- "$work"
check "a directory as a command gives 126" gives 126
check "and is named as one" says "$work is a directory"
: >App.dll
measure -- ./App.dll
check "an assembly as a command gives 126" gives 126
check "and is told how to run" says "dotnet ./App.dll"
check "in one line" one_line
check "commands that never started leave no session behind" nothing_left
measure --allow-empty -- true
check "--allow-empty gives 0" gives 0
check "--allow-empty writes the data file and the report" test -s TestResults/run.ilcov -a -s coverage.cobertura.xml
check "a summary names the files" says "coverage.cobertura.xml, TestResults/run.ilcov"
measure --allow-empty --fail-under 80 -- true
check "--allow-empty allows an empty run also under --fail-under" gives 0
measure --allow-empty -q -- true
check "--quiet has no summary" test "$(grep -c 'TestResults/run.ilcov' err)" = 0
measure -- echo hello
check "standard output is the command's" test "$(cat out)" = hello
echo input | "$ilcov" run --session-dir "$shm" -- cat >out 2>err
check "so is standard input" test "$(cat out)" = input
measure --allow-empty --keep-session -- true
check "--keep-session says where the session is" says "$shm/ilcov-"
check "--keep-session leaves it" test "$(grep -v -e '^id=' -e '^started=' "$shm"/ilcov-*/config)" = "version=1
mode=count"
rm -rf "$shm"/ilcov-*
measure -- sh -c 'printenv ILCOV_SESSION CORECLR_ENABLE_PROFILING CORECLR_PROFILER_PATH DOTNET_PROFILER_PATH_ARM64'
check "the command gets the session and the library" test "$(sed 1d out)" = "1
$build/libilcov.so
$build/libilcov.so"

# --- outputs ---------------------------------------------------------------------------------------------------------
cp TestResults/run.ilcov before.ilcov
cp coverage.cobertura.xml before.xml
untouched()
{
    cmp -s TestResults/run.ilcov before.ilcov && cmp -s coverage.cobertura.xml before.xml
}
measure -d "$work/before.xml/x" "${mark[@]}"
check "a data file below a file gives 3 before the start" refused 3 "$work/before.xml/x"
measure -d "$work" "${mark[@]}"
check "a directory as a data file gives 3 before the start" refused 3 "is a directory"
measure -f "cobertura=$work/before.xml/x" "${mark[@]}"
check "a report below a file gives 3 before the start" refused 3 "$work/before.xml/x"
measure -f "text=$work" "${mark[@]}"
check "a directory as a report gives 3 before the start" refused 3 "is a directory"
run run --session-dir "$work/none" "${mark[@]}"
check "a session in no directory gives 3 before the start" refused 3 "$work/none"
check "what was there is as it was" untouched
mkfifo pipe
measure -f text=pipe -- true
check "a pipe without a reader does not keep us waiting" gives 3
rm pipe
cp "$ilcov" "$work/alone"
"$work/alone" run -- "${mark[@]}" >out 2>err
status=$?
check "a missing library gives 3 before the start" refused 3 "$work/libilcov.so"
ln -s "$ilcov" "$work/link"
"$work/link" run --session-dir "$shm" --allow-empty -q -- true >out 2>err
status=$?
check "a link to the program finds the library" gives 0
"$ilcov" run --session-dir "$shm" --allow-empty -- true 2>&- >out
status=$?
check "a closed standard error does no harm" test "$status" = 0 -a -s TestResults/run.ilcov
if [ -w /dev/full ]; then
    "$ilcov" --help >/dev/full 2>err
    status=$?
    check "help that cannot be written gives 3" gives 3
fi

# --- why nothing was measured ----------------------------------------------------------------------------------------
# record NAME [LINE]: for a script that writes the record of a process into the session, as the library would.
record()
{
    printf 'printf "ilcov-process\\t1\\nprogram\\t/x/%s.dll\\n%s" >"$ILCOV_SESSION/process-%d-1";' "$1" "${2:+$2\\n}" $RANDOM
}
driver='declined\t6\t' # contract/reason.def has the numbers
tests='skipped\tApp.Tests\t/x/App.Tests.dll\t15\t'
hints() # TEXT
{
    says "hint: " && says "$1" && [ "$(grep -c 'hint: ' err)" = 1 ]
}
measure -- true
check "what never loaded has no hint" test "$(grep -c 'hint: ' err)" = 0
measure -- sh -c "$(record dotnet 'declined\t33\t')"
check "a run without a program is asked for its build" hints "did the build fail?"
measure -- sh -c "$(record vstest.console "$driver") $(record testhost "$tests")"
check "tests that load nothing are told so" hints "the tests of App.Tests loaded no code but their own"
of_tests="$driver\\ntests\\t$ilcov" # any file that is there
measure -- sh -c "$(record vstest.console "$of_tests")"
check "where the test host did not report, its start and its settings are suspected" \
    says "the test host did not report (ilcov): the output of the command says so if they did not start"
measure -- sh -c "$(record vstest.console "$driver\\ntests\\t/none/A.dll")"
check "tests that are not there are named" says "the tests of A.dll did not run: /none/A.dll cannot be opened: "
measure -- sh -c "$(record vstest.console "$of_tests")" test --collect 'Code Coverage;Format=cobertura'
check "rather another collector" says "another collector is configured (Code Coverage;Format=cobertura)"
check "of which the first line warned before the run" \
    grep -q "^ilcov: Code Coverage asks for Microsoft's code coverage, and ilcov cannot" <(head -n 1 err)
measure -- sh -c "$(record vstest.console "$of_tests")" test --collect blame
check "one that collects no coverage is not suspected" says "the output of the command says so if they did not start"
measure -- sh -c "$(record dotnet 'declined\t33\t')" sh CORECLR_PROFILER=x
check "a variable of ours in the command is suspected" hints "'CORECLR_PROFILER=x' replaces"
measure -- sh -c true sh -e CORECLR_PROFILER=x
check "one that dotnet would set gives 2" gives 2
check "and is named" says "CORECLR_PROFILER=x names another profiler"

# --- hostile sessions ------------------------------------------------------------------------------------------------
measure -- sh -c 'echo junk >"$ILCOV_SESSION/process-1-1"'
check "a damaged process record gives 3" gives 3
check "and is named" says "session file process-1-1"
check "its session is removed" nothing_left
measure --allow-empty -- sh -c 'echo junk >"$ILCOV_SESSION/00.counts"'
check "a damaged counter file gives 3, even with --allow-empty" gives 3
check "and is named" says "session file 00.counts"
measure --allow-empty -- sh -c 'rm -r "$ILCOV_SESSION"'
check "a session that is gone gives 3" gives 3
measure -- sh -c 'echo mine >"$ILCOV_SESSION/notes.txt"'
check "a file of others in a session is not removed" test "$(cat "$shm"/ilcov-*/notes.txt)" = mine
check "and the session is named" says "$shm/ilcov-"
rm -rf "$shm"/ilcov-*

# --- other profilers and switches ------------------------------------------------------------------------------------
other='{846F5F1C-F9AE-4B07-969E-05C26BC060D8}'
with CORECLR_ENABLE_PROFILING=1 "CORECLR_PROFILER=$other" -- "${mark[@]}"
check "another profiler gives 2" refused 2 Datadog
with DOTNET_ENABLE_PROFILING=1 "DOTNET_PROFILER=$other" -- "${mark[@]}"
check "also under the newer names" refused 2 DOTNET_PROFILER
with CORECLR_ENABLE_PROFILING=0 "CORECLR_PROFILER=$other" -- true
check "one that is off does not matter" gives 3
measure -- "$ilcov" run --session-dir "$shm" -- "${mark[@]}"
check "ilcov under ilcov gives 2" gives 2
check "and says so" says "already runs under ilcov"
for name in DOTNET_EnableDiagnostics DOTNET_EnableDiagnostics_Profiler COMPlus_EnableDiagnostics; do
    with "$name=0" -- "${mark[@]}"
    check "$name=0 gives 2" refused 2 "$name=0"
done
with DOTNET_EnableDiagnostics=1 COMPlus_EnableDiagnostics=0 -- true
check "DOTNET_ beats COMPlus_" gives 3

# --- report ----------------------------------------------------------------------------------------------------------
measure --allow-empty --deterministic -q -- true
cp TestResults/run.ilcov first.ilcov
cp coverage.cobertura.xml first.xml
check "--deterministic warns of Codecov" says Codecov
measure --allow-empty --deterministic -q -- true
check "--deterministic gives the same bytes again" cmp -s TestResults/run.ilcov first.ilcov
run report --deterministic -f cobertura=again.xml
check "report gives what run gave" cmp -s again.xml first.xml
run report -f text
check "report -f text goes to standard error" says Total
check "and not to standard output" test ! -s out
cp coverage.cobertura.xml kept.xml
run report --deterministic -f cobertura=-
check "report to '-' goes to standard output" cmp -s out again.xml
check "and to no file" cmp -s coverage.cobertura.xml kept.xml
check "nor makes one of that name" test ! -e ./-
run report -f text=- -f cobertura=-
check "two reports to standard output are wrong usage" refused 2 "two reports"
if [ -w /dev/full ]; then
    "$ilcov" report -f text=- >/dev/full 2>err
    status=$?
    check "a report that standard output does not take gives 3" gives 3
    check "and is named in one line" test "$(grep -c 'standard output' err)" = 1
fi
run report --fail-under 80
check "no line at all reaches no threshold" gives 1
check "and says so" says "gate line>=80: no line could be covered"
run report -q --fail-under 0
check "nor that of 0" gives 1
check "and -q says so once" one_line
run report coverage.cobertura.xml
check "a report in the place of the data file is wrong usage" refused 2 "a report would replace the data file coverage.cobertura.xml"
run report none.ilcov
check "a data file that is not there gives 3" refused 3 "no data file none.ilcov: 'ilcov run' writes one"
run report "$work"
check "a directory as a data file gives 3" refused 3 "$work"
run report /etc/passwd
check "a file that is not a data file gives 3" refused 3 /etc/passwd
head -c 3000 TestResults/run.ilcov >cut.ilcov
run report -f cobertura=cut.xml cut.ilcov
check "a data file that was cut gives 3" gives 3
check "and no report" test ! -e cut.xml
run report -f cobertura=cut.ilcov/x.xml
check "a report below a file gives 3" gives 3

# --- quiet -----------------------------------------------------------------------------------------------------------
# Whatever verb it is, -q leaves only warnings, failed gates and errors. What is written is the same.
data=$work/made.ilcov
"$top/build/make_data" "$data"
loud_then_quiet() # STATUS ARGUMENT...
{
    local expected=$1
    shift
    run "$@"
    check "$1 says something" test -s out -o -s err
    run "$@" -q
    check "$1 -q: the same status" gives "$expected"
}
silent()
{
    [ ! -s out ] && [ ! -s err ] || because "something was printed"
}
loud_then_quiet 0 report -f cobertura=quiet.xml "$data"
check "report -q prints nothing" silent
run report -f cobertura=loud.xml "$data"
check "and writes its report" cmp -s <(grep -v timestamp quiet.xml) <(grep -v timestamp loud.xml)
run report -q -f text=- "$data"
check "what was asked for is printed all the same" grep -q '^Total' out
loud_then_quiet 1 report -f none --fail-under 90 --gate 'branch>=90' "$data"
check "report -q names each failed gate and what lists its lines, nothing else" test "$(cat err)" = \
    "ilcov: gate line>=90: 80.00 % of 25 lines are covered
ilcov: gate branch>=90: 64.28 % of 14 branches are covered
ilcov: 'ilcov show --uncovered -d $data' lists the lines that did not run
ilcov: 'ilcov report -f missed $data' lists the outcomes that never happened"
loud_then_quiet 0 report -f none -x '[NoSuch]*' "$data"
check "a pattern that matches nothing is a warning" one_line
loud_then_quiet 0 diff "$data" "$data"
check "diff -q prints nothing" silent
run diff -q -f json=- "$data" "$data"
check "what was asked for is printed all the same" grep -q '^{' out
loud_then_quiet 1 diff "$data" "$data" --gate 'line>=90'
check "diff -q names the failed gate" says "gate line>=90: 80.00 % of 25 lines are covered"
check "and prints no difference" test ! -s out
run diff -q --patch "$work/none.patch" "$data"
check "diff -q still says what is wrong" refused 3 none.patch
loud_then_quiet 0 merge -o quiet.ilcov "$data"
check "merge -q prints nothing" silent
loud_then_quiet 0 merge -o quiet.ilcov --carry "$data" "$data"
check "nor how much it carried" silent
measure -q --allow-empty --keep-session -- true
loud_then_quiet 0 collect --allow-empty -f cobertura=quiet.xml "$(echo "$shm"/ilcov-*)"
check "collect -q says only why nothing was measured" test -z "$(grep quiet.xml err)"
rm -rf "$shm"/ilcov-*

# --- doctor ----------------------------------------------------------------------------------------------------------
run doctor
check "doctor finds the library" grep -q "^ok  *library: $build/libilcov.so loads" out
check "doctor says only ok, warning or problem" test -z "$(grep -Ev '^(ok|warning|problem) ' out)"
DOTNET_EnableDiagnostics=0 "$ilcov" doctor >out 2>err
status=$?
check "doctor gives 3 for a problem" gives 3
check "and names it" grep -q '^problem .*DOTNET_EnableDiagnostics=0' out
mkdir -p "$shm/ilcov-1-abcdef" "$shm/ilcov-999999999-abcdef"
touch "$shm/ilcov-1-abcdef/config" "$shm/ilcov-999999999-abcdef/config"
TMPDIR=$shm "$ilcov" doctor >out 2>err
check "doctor finds a session in use" grep -q "^ok .*ilcov-1-abcdef is in use" out
check "and one that was left behind" grep -q "^warning .*ilcov-999999999-abcdef was left behind" out
rm -rf "$shm"/ilcov-*

# --- signals ---------------------------------------------------------------------------------------------------------
cat >slow.sh <<'END'
trap 'echo TERM >>signals; exit 5' TERM
: >ready
i=0
while [ $i -lt 2400 ]; do sleep 0.05; i=$((i + 1)); done
END
"$ilcov" run --session-dir "$shm" -- sh slow.sh >out 2>err &
pid=$!
until_true test -e ready
check "a session exists while the command runs" test -n "$(ls "$shm")"
kill -TERM "$pid"
wait "$pid"
status=$?
check "a signal sent to ilcov reaches the command" gives 5
check "once" test "$(cat signals)" = TERM
check "the run says that it came, and not that anything is missing" \
    grep -qx 'ilcov: signal 15 (Terminated) came while the command ran, which then ended with status 5' err
check "the session is gone afterwards" nothing_left
# A shell that waits for it dies of the signal, or says so by its status.
for ending in ': >ready; exec sleep 120' 'sleep 120 & trap "kill $!; exit 143" TERM; : >ready; wait'; do
    rm -f ready
    "$ilcov" run --session-dir "$shm" -- sh -c "$ending" >out 2>err &
    pid=$!
    until_true test -e ready
    kill -TERM "$pid"
    wait "$pid"
    status=$?
    check "a command that the signal ended has its status" gives 143
    check "what it had not run is missing" \
        grep -qx 'ilcov: signal 15 (Terminated) ended the command: what it had not run by then is missing' err
done
"$ilcov" run --session-dir "$shm" -q -- sh -c 'sleep 3 & exit 4' >out 2>err
status=$?
check "a process left behind is not waited for" gives 4
check "of a run without signals nothing is said" test -z "$(grep '^ilcov: signal' err)"
check "its session is gone all the same" nothing_left
finish
