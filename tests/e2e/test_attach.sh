#!/bin/bash
# A program that runs already is measured from now on: everything that is called again, whatever it was compiled to before;
# it goes on without counters when we leave, keeps the library once it counts, and everything that stands in the way has its line.
LIMIT=${LIMIT:-180}
. "$(dirname "$0")/lib.sh"
. "$top/tests/e2e/visits.sh"

fixture=$top/fixtures/attach
attach_options=(--root "$fixture")

# stop: ends the program, in order.
stop() {
    exec {input}>&-
    kill "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
}

work_three_times() {
    for _ in 1 2 3; do
        tell work && tell later && tell contexts
    done
}

not_there() {
    ! grep -q "$1" "$2"
}

# refused WHAT STATUS WORD OPTION...: one line about WORD, and no session is left.
refused() {
    local what=$1 expected=$2 word=$3
    shift 3
    limited "$ILCOV" attach --session-dir "$temp" "$@" >refused.log 2>refused.said
    same "$what: exit status" "$expected" $?
    one_line_about "$what: its line" refused.said "$word"
    check "$what: no session is left" test -z "$(find "$temp" -maxdepth 1 -name 'ilcov-[0-9]*-*')"
}

# --- what is counted -----------------------------------------------------------------------------------------------------

# counts WHAT CONFIGURATION PROGRAM: attached to, left, and attached to again.
counts() {
    local what=$1 configuration=$2 program=$3 hits
    # which concerns profilers of programs that start
    start app env DOTNET_ProfAPI_ProfilerCompatibilitySetting=PreventLoad "$program"
    seen '^ready$' app.out
    tell warm
    attach first --verbose
    check "$what: it counts" grep -q "attached to $pid (attach), 1 module with" first.said
    work_three_times
    leave INT
    same "$what: Ctrl-C: exit status" 0 "$status"
    expected "$what: counts from there on" first.xml "$fixture" --configuration $configuration
    check "$what: the program goes on" tell work
    check "$what: the report says since when" grep -q 'attached at .* may have run then' first.said
    "$ILCOV" report -d first.ilcov -f missed=- --root "$fixture" >missed.out 2>missed.err
    check "$what: what runs is not said never to have been called" \
        grep -q 'Main(): the method was running when ilcov was attached, and was never called since' missed.out
    check "$what: what was compiled before may have run" grep -q \
        'Work.Started(): the method was never called since ilcov was attached, but may have run before' missed.out
    if [ "$what" = Debug ]; then # elsewhere, its code could be in that of its callers
        check "$what: what was not compiled never ran" grep -q 'Program.Classes(int): the method was never called$' missed.out
    fi
    check "$what: it says what it runs with, and how to go on" \
        grep -q "continues to run without counters; .*ilcov attach $pid' continues" first.said
    tell work

    # Three times, one that nobody counts, and twice.
    attach second --verbose
    check "$what: a snapshot can be reset while somebody is attached" \
        "$ILCOV" snapshot --reset --quiet --root "$fixture" --data reset.ilcov "$pid"
    tell work
    tell work
    leave TERM
    same "$what: second attach: exit status" 0 "$status"
    check "$what: second attach: its report says that there was one before" \
        grep -q 'attached again at .*Z: what ran before without counters is not counted' second.said
    check "$what: second attach continues" "$EXPECT" --configuration $configuration second.xml "$fixture" later/Later.cs
    hits=$(sed -n 's/.*<line number="121" hits="\([0-9]*\)".*/\1/p' second.xml | head -1)
    same "$what: second attach: all that was counted" 5 "$hits"
    attach third --include '[Nothing]*' --keep-counting
    check "$what: other options are told to have no effect" grep -q 'its first --include, --exclude, --include-tests and --mode stay in force' third.said
    leave
    check "$what: its counters are kept: said" grep -q "continues to run and counts in .*ilcov attach $pid' continues" third.said
    tell work

    # Whoever is attached then is told.
    attach detached
    limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
    same "$what: detach leaves the library: exit status" 1 $?
    one_line_about "$what: detach leaves the library: its line" detach.said CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT
    check "$what: detach says what it did" grep -q ': [1-9][0-9]* methods run without counters again; ' detach.said
    wait "$attacher"
    same "$what: detached: exit status of who was attached" 0 $?
    check "$what: detached: whoever was attached knows" grep -q 'was detached' detached.said
    check "$what: detached: it is not among those that are measured" not_there "^$pid " <("$ILCOV" ps 2>/dev/null)
    tell work
    attach fourth
    tell work
    exec {input}>&-
    kill "$pid"
    wait "$attacher"
    same "$what: the end of the program: exit status" 0 $?
    hits=$(sed -n 's/.*<line number="121" hits="\([0-9]*\)".*/\1/p' fourth.xml | head -1)
    same "$what: the end of the program: all counts" 7 "$hits"
    check "$what: the end of the program: its session is removed" \
        test -z "$(find "$temp" -maxdepth 1 -name 'ilcov-[0-9]*-*')"
}

# leaves WHAT PROGRAM: nothing was in scope, so the library can go, and come again.
leaves() {
    local what=$1 program=$2 turn
    start app "$program"
    seen '^ready$' app.out
    for turn in first second; do
        attach nothing --include '[Nothing]*'
        check "$what, $turn time, nothing in scope: attached" grep -q '0 modules' nothing.said
        check "$what, $turn time, nothing in scope: the library is there" grep -q libilcov "/proc/$pid/maps"
        limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
        same "$what, $turn time, nothing in scope: detach: exit status" 0 $?
        one_line_about "$what, $turn time, nothing in scope: detach: its line" detach.said 'unloaded'
        check "$what, $turn time, nothing in scope: the library is gone" not_there libilcov "/proc/$pid/maps"
        wait "$attacher"
        check "$what, $turn time, nothing in scope: no session is left" \
            test -z "$(find "$temp" -maxdepth 1 -name 'ilcov-[0-9]*-*')"
        check "$what, $turn time, nothing in scope: the attacher knows" grep -q 'was detached' nothing.said
        check "$what, $turn time, nothing in scope: the program goes on" tell work
    done
    attach nothing --include '[Nothing]*'
    leave
    limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
    same "$what, nothing in scope and nobody attached: detach: exit status" 0 $?
    check "$what, nothing in scope and nobody attached: no session is left" \
        test -z "$(find "$temp" -maxdepth 1 -name 'ilcov-[0-9]*-*')"
    stop
}

for configuration in Debug Release; do
    LIMIT=300 build attach $configuration
    counts "$configuration" $configuration "$program"
done

start app "$program"
seen '^ready$' app.out
attach unmeasurable --verbose
tell collectible
tell dynamic
leave
check "collectible code is listed as not measurable" grep -q collectible unmeasurable.said
check "code made at run time is listed" grep -q 'made at run time' unmeasurable.said
stop
rm -rf "$temp"/ilcov-[0-9]*-*

# --- detach --------------------------------------------------------------------------------------------------------------

leaves ".NET 10" "$program"
start app "$program"
seen '^ready$' app.out
limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
same "nobody to detach: exit status" 3 $?
one_line_about "nobody to detach: its line" detach.said 'ilcov is not in it'
stop

# --- who else starts, and at once ----------------------------------------------------------------------------------------

counted=0
for _ in $(seq 20); do
    start app "$program"
    attach racing
    if grep -q counting racing.said; then
        counted=$((counted + 1))
    else
        cat racing.said >>racing.failed
    fi
    leave
    stop
done
if [ $counted -eq 20 ]; then
    ok "attaching while it starts, 20 times"
else
    not_ok "attaching while it starts, 20 times: $counted" racing.failed
fi
rm -rf "$temp"/ilcov-[0-9]*-*

start app "$program"
seen '^ready$' app.out
tell warm
begin_to_attach one
one=$attacher
begin_to_attach two
attached one "$one"
attached two "$attacher"
tell work && tell later && tell contexts
kill -INT "$one"
wait "$one"
check "two at once: who leaves first leaves the counters" grep -q 'continues to run and counts in' one.said
for _ in 1 2; do
    tell work && tell later && tell contexts
done
stop
wait "$attacher"
for which in one two; do
    check "two at once: $which counts" grep -q counting $which.said
done
expected "two at once: the other counts on" two.xml "$fixture" --configuration Release

start app "$program"
seen '^ready$' app.out
begin_to_attach one
one=$attacher
begin_to_attach two
attached one "$one"
attached two "$attacher"
kill -INT "$one" "$attacher"
wait "$one" "$attacher"
same "two end at once: one of them takes the counters out" 1 "$(cat one.said two.said | grep -c 'continues to run without counters')"
stop
rm -rf "$temp"/ilcov-[0-9]*-*

# --- what stands in the way ----------------------------------------------------------------------------------------------

refused "no PID" 2 'no PID'
refused "no number and no name" 3 "no .NET program is called 'not $$'" "not $$"
refused "no such process" 3 'there is no process 4194303' 4194303
sleep 60 &
pid=$!
started+=("$pid")
until_true runs "$pid" sleep
refused "no .NET" 3 'it does not run .NET' --timeout 300ms "$pid"
limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
same "detach from another program: exit status" 3 $?

start app env DOTNET_EnableDiagnostics_IPC=0 "$program"
seen '^ready$' app.out
refused "diagnostics disabled" 3 'DOTNET_EnableDiagnostics_IPC=0' "$pid"
stop
start app env COMPlus_EnableDiagnostics=0 "$program"
seen '^ready$' app.out
refused "diagnostics disabled by the old name" 3 'COMPlus_EnableDiagnostics=0' "$pid"
stop
start app env DOTNET_ProfApi_RejitOnAttach=0 "$program"
seen '^ready$' app.out
refused "methods may not be compiled again" 3 'DOTNET_ProfApi_RejitOnAttach=0' "$pid"
check "which stacks do not need" limited "$ILCOV" stacks "$pid"
stop

mkdir tmp
start app env TMPDIR="$temp/tmp" "$program"
seen '^ready$' app.out
kill -STOP "$pid"
going_on="it is stopped: 'kill -CONT $pid' continues it"
refused "stopped by a signal" 3 "$going_on" --timeout 300ms "$pid"
limited "$ILCOV" stacks --timeout 300ms "$pid" >stopped.log 2>stopped.said
same "stopped by a signal: stacks: exit status" 3 $?
one_line_about "stopped by a signal: stacks: its line" stopped.said "$going_on"
kill -CONT "$pid"
attach elsewhere
check "a TMPDIR of its own" grep -q counting elsewhere.said
kill -STOP "$pid"
for verb in stacks detach; do
    limited "$ILCOV" $verb --timeout 300ms "$pid" >stopped.log 2>stopped.said
    one_line_about "measured, and stopped: $verb" stopped.said "$going_on"
done
check "measured, and stopped: a snapshot does not need it" \
    "$ILCOV" snapshot --quiet --root "$fixture" --data stopped.ilcov "$pid"
kill -CONT "$pid"
leave
rm -rf "$temp"/ilcov-[0-9]*-*
stop
start app env TMPDIR="$temp/tmp" "$program"
seen '^ready$' app.out
mkdir broken
cp "$ILCOV" broken
sed 's/libc\.so\.6/libc.so.0/g' "$(dirname "$ILCOV")/libilcov.so" >broken/libilcov.so
ILCOV=$temp/broken/ilcov refused "a library that cannot be loaded" 3 'the runtime says: Loading profiler failed during' "$pid"
rm -f tmp/dotnet-diagnostic-*
refused "its socket was removed" 3 'does not listen' --timeout 300ms "$pid"
stop

listens() {
    compgen -G "${TMPDIR:-/tmp}/dotnet-diagnostic-$1-*-socket" >/dev/null
}
start app env DOTNET_DefaultDiagnosticPortSuspend=1 "$program"
until_true listens "$pid"
refused "waiting to be let go on" 3 'CORPROF_E_NOT_YET_AVAILABLE' --timeout 5s "$pid"
stop

# Another's library, as far as anybody can tell.
mkdir other-session
printf 'version=1\nmode=count\nid=%032d\nstarted=1\n' 0 >other-session/config
chmod 700 other-session
cp "$(dirname "$ILCOV")/libilcov.so" libNewRelicProfiler.so
start app env ILCOV_SESSION="$temp/other-session" CORECLR_ENABLE_PROFILING=1 \
    CORECLR_PROFILER='{1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}' CORECLR_PROFILER_PATH="$temp/libNewRelicProfiler.so" "$program"
seen '^ready$' app.out
refused "another profiler" 3 'New Relic' "$pid"
stop

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    setpriv --reuid 65534 --clear-groups sleep 60 &
    pid=$!
    started+=("$pid")
    until_true runs "$pid" sleep
    refused "another user's" 3 'run this as that user' "$pid"
else
    skip "another user's" "only root can have one"
fi

# --- one that is already measured ----------------------------------------------------------------------------------------

# In the foreground `run` would hold the terminal; its child is found by its parent.
mkfifo measured.in
exec {input}<>measured.in
timeout --kill-after=10 "$LIMIT" "$ILCOV" run --session-dir "$temp" --data run.ilcov --format cobertura=run.xml --root "$fixture" -- "$program" \
    <measured.in >measured.out 2>measured.err &
runner=$!
started+=("$runner")
told=measured
seen '^ready$' measured.out
pid=$(pgrep -x attach -P "$(pgrep -x ilcov -P "$runner")")
attach within
tell work
leave
limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
same "under 'run', which has no control thread: detach: exit status" 1 $?
one_line_about "under 'run', which has no control thread: its record answers" detach.said CORPROF_E_IRREVERSIBLE_INSTRUMENTATION_PRESENT
check "under 'run': what was instrumented at start-up stays" grep -q 'keeps counting, .* at start-up, which cannot be reverted' detach.said
check "under 'run': who attached says so, too" grep -q 'continues to run and counts in' within.said
check "under 'run': attach collects what it has" grep -q '<line number="121" hits="1"' within.xml
attach until_end
exec {input}>&-
kill "$pid"
wait "$attacher"
same "under 'run': attach until its end: exit status" 0 $?
wait "$runner"
check "under 'run': the run has its report, from its own session" grep -q '<line number="121" hits="1"' run.xml

# under NAME OPTION...: the fixture under `run`, with nothing in scope. Sets `pid` and `runner`.
under() {
    local into=$1
    shift
    mkfifo "$into.in"
    exec {input}<>"$into.in"
    timeout --kill-after=10 "$LIMIT" "$ILCOV" run --session-dir "$temp" --data "$into.ilcov" --format none --include '[Nothing]*' \
        --allow-empty "$@" -- "$program" <"$into.in" >"$into.out" 2>"$into.err" &
    runner=$!
    started+=("$runner")
    told=$into
    seen '^ready$' "$into.out"
    pid=$(pgrep -x attach -P "$(pgrep -x ilcov -P "$runner")")
}

under quiet
limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
same "under 'run', nothing in scope, no control thread: detach: exit status" 1 $?
one_line_about "under 'run', nothing in scope, no control thread: what to do" detach.said '--control'
exec {input}>&-
kill "$pid"
wait "$runner"

under listening --control
limited "$ILCOV" detach "$pid" >detach.log 2>detach.said &
detacher=$!
unanswered=0
while ! over "$detacher"; do
    limited "$ILCOV" stacks "$pid" >stacks.log 2>>stacks.said || unanswered=$((unanswered + 1))
done
wait "$detacher"
same "under 'run --control', nothing in scope: detach: exit status" 0 $?
same "... stacks has an answer all the while" 0 $unanswered
check "under 'run --control', nothing in scope: the library is gone" not_there libilcov "/proc/$pid/maps"
check "under 'run --control', nothing in scope: the program goes on" tell work
exec {input}>&-
kill "$pid"
wait "$runner"

under from_start --control --include '[attach]*'
attach timed --for 200ms
wait "$attacher"
same "--for: exit status" 0 $?
check "under 'run --control': it keeps its counters" grep -q 'continues to run and counts in' timed.said
limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
same "under 'run --control': detach: exit status" 1 $?
check "under 'run --control': detach: said" grep -q 'keeps counting, .* at start-up, which cannot be reverted' detach.said
exec {input}>&-
kill "$pid"
wait "$runner"

# --- another runtime -----------------------------------------------------------------------------------------------------

if LIMIT=300 build_for net8.0 attach; then
    counts net8.0 Release "$program"
    leaves net8.0 "$program"
fi

# --- how long it takes ---------------------------------------------------------------------------------------------------

mkdir many
cp "$fixture/later/later.csproj" many/many.csproj
sed -i 's|<Nullable>|<OutputType>Exe</OutputType><ImplicitUsings>enable</ImplicitUsings><Nullable>|' many/many.csproj
cp "$top"/fixtures/Directory.Build.* many
{
    echo 'static class Many { static void Main() { Console.WriteLine("ready"); for (;;) { Call(); Thread.Sleep(1); } } static void Call() {'
    seq 1000 | sed 's/.*/    M&(1);/'
    echo '}'
    seq 1000 | sed 's/.*/    static int M&(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i % 2 == 0) { s += i; } } return s; }/'
    echo '}'
} >many/Many.cs
LIMIT=300 made dotnet build many --configuration Release --nologo
start many many/bin/Release/$net/many
ready
fixture=$PWD/many
begun=$(date +%s%N)
attach many
counts=$(find "$temp"/ilcov-[0-9]*-* -name '*.counts')
for _ in $(seq 1000); do
    tail -c +8193 "$counts" | tr -d '\0' | grep -q . && break
done
printf '# attach to first count, 1,000 methods loaded: %d ms\n' $((($(date +%s%N) - begun) / 1000000))
check "1,000 methods: attached" grep -q '1,00[0-9] methods' many.said
leave
stop
finish
