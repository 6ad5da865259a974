#!/bin/bash
# `ilcov stacks` shows where each thread stands: the right method, file and line, in Debug and Release, measured or not; in a long run
# on .NET 8, too.
# `run --hang-timeout` does it by itself, and --hang-kill ends what hangs.
. "$(dirname "$0")/lib.sh"
LIMIT=${LIMIT_OF_ONE:-90}
fixture=$top/fixtures/hangs

# What is started here and ends never; by number.
started=()
trap 'for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null; done; clean_up' EXIT

# await_ready FILE HOW: sets `pid` to the process that wrote its number there, and is in its place soon after: where it waits, or spins.
await_ready() {
    until_true test -s "$1" -o ! -d "/proc/$job"
    pid=$(cat "$1" 2>/dev/null)
    if [ -z "$pid" ]; then
        not_ok "the fixture starts" "$temp/command.err"
        finish
    fi
    started+=("$pid")
    used=$(processor_time)
    if [ "$2" = spin ]; then
        until_true spins
    else
        until_true rests
    fi
}

# processor_time: of `pid`, in ticks
processor_time() {
    local fields
    read -r fields 2>/dev/null <"/proc/$pid/stat" || return
    # shellcheck disable=SC2086 # words
    set -- ${fields##*) }
    echo $((${12} + ${13}))
}

# spins: has it used a quarter of a second since it was ready, or ended?
spins() {
    over "$pid" || [ "$(processor_time)" -ge $((used + 25)) ]
}

# rests: do all of its threads wait, and none did anything for a moment, or has it ended?
rests() {
    local seen
    ! over "$pid" || return 0
    seen=$(looked_at)
    [ -z "$(grep '^State:' <<<"$seen" | grep -v 'S (sleeping)')" ] && sleep 0.1 && [ "$seen" = "$(looked_at)" ]
}
looked_at() {
    grep -hE '^(State|Pid|voluntary_ctxt_switches):' "/proc/$pid/task"/*/status
}

# launch HOW COMMAND...: starts COMMAND HOW READY in the background; sets `pid` to the program's, `job` to the command's.
launch() {
    local how=$1
    shift
    rm -f ready ready.pipe
    mkfifo ready.pipe
    "$@" "$how" "$temp/ready" >command.out 2>command.err &
    job=$!
    await_ready ready "$how"
}

# What is launched ends now. Sets `status` to the command's.
stop() {
    kill -KILL "$pid" 2>/dev/null
    wait "$job" 2>/dev/null
    status=$?
}

# ask OUT: asks for the stacks of `pid`. Sets `status`.
ask() {
    (cd "$top" && limited "$ILCOV" stacks "$pid") >"$1.out" 2>"$1.err"
    status=$?
    cat "$1.out" "$1.err" >"$1.log"
}

# stands WHAT FILE HOW: does one stack in FILE have all lines that the sources name for HOW, in their order?
stands() {
    grep -rn --include='*.cs' "// at: $3 " "$fixture" |
        sed 's/^.*\/\([^/:]*\):\([0-9]*\):.*\/\/ at: [a-z]* \([0-9]*\) \(.*\)$/\3 at \4 in fixtures\/hangs\/\1:line \2/' |
        sort -n | sed 's/^[0-9]* //' >expected.txt
    if awk 'NR == FNR { want[++n] = $0; next }
        FNR == 1 || /^$/ { at = 1; next }
        { sub(/^ */, "") }
        at <= n && $0 == want[at] { if (at++ == n) found = 1 }
        END { exit !(n > 0 && found) }' expected.txt "$2"; then
        ok "$1"
    else
        cat expected.txt "$2" >stands.log
        not_ok "$1" stands.log
    fi
}

# --- where they stand ----------------------------------------------------------------------------
# stand WHAT: every way to hang, by `program`.
stand() {
    local what=$1 how
    for how in native locks async spin chain; do
        launch "$how" "$program"
        ask asked
        same "$how, $what, not measured: exit status" 0 "$status"
        stands "$how, $what, not measured: method, file and line" asked.out "$how"
        [ "$how" = async ] && stands "block, $what, not measured: the thread that waits" asked.out block
        [ "$how" = native ] && check "native, $what: the system call" grep -q '^   \[native code: read\]$' asked.out
        same "$how, $what: the library is gone again" 0 "$(grep -c libilcov "/proc/$pid/maps")"
        stop

        launch "$how" "$ILCOV" run --root "$top" --control --data "$how.ilcov" -- "$program"
        ask asked
        same "$how, $what, measured: exit status" 0 "$status"
        stands "$how, $what, measured: method, file and line" asked.out "$how"
        [ "$how" = async ] && stands "block, $what, measured: the thread that waits" asked.out block
        stop
        same "$how, $what: the command's own status" 137 "$status"
    done
}

for configuration in Debug Release; do
    build hangs "$configuration"
    stand "$configuration"
done
bare=$program
if long && build_for net8.0 hangs; then
    stand net8.0
fi
program=$bare

# --- deep stacks ---------------------------------------------------------------------------------
# deep FILE OMITTED: 9,000 calls of one method by itself, and others by each other, with both ends of the stack.
deep() {
    sed 's/^ *//' "$1" | awk -v omitted="$2" '
        /^\[native code: read\]$/ { step = 1 }
        step == 1 && /^at Hangs.Native.Run\(\)/ { step = 2 }
        step == 2 && $0 == "[repeated 8,998 times]" { step = 3 }
        step == 3 && (omitted == "" || $0 == "[" omitted " frames are not shown]") { step = 4 }
        step == 4 && /^at Hangs.Deep.Run\(Int32 depth\)/ { step = 5 }
        step == 5 && /^at Hangs.Program.Main\(String\[\] args\)/ { step = 6 }
        /^at/ { lines++ }
        END { print step, lines }'
}
launch_deep() {
    rm -f ready
    "$program" deep "$temp/ready" "$1" >command.out 2>command.err &
    job=$!
    await_ready ready deep
    ask deep
    stop
}
managed_below_main=0
[ "$net" != net11.0 ] || managed_below_main=1 # System.Environment.CallEntryPoint calls it
launch_deep 0
same "a call 9,000 deep: folded, with both ends" "6 $((6 + managed_below_main))" "$(deep deep.out '')"
launch_deep 5000 # one of the 4,096 is native code, below Main
same "more than 4,096 frames that differ: both ends, and how many are missing" "6 4095" "$(deep deep.out $((911 + managed_below_main)))"

# --- beside what is there ------------------------------------------------------------------------
launch locks "$ILCOV" run --root "$top" --data without.ilcov -- "$program"
askers=()
for i in {1..10}; do
    (cd "$top" && limited "$ILCOV" stacks "$pid") >"many$i.out" 2>"many$i.err" &
    askers+=($!)
done
answered=0
for i in {1..10}; do
    wait "${askers[$((i - 1))]}" && [ ! -s "many$i.err" ] && grep -q 'Hangs.Locks.Run()' "many$i.out" && answered=$((answered + 1))
done
same "measured without --control, ten times at once: each is answered" 10 "$answered"
stands "measured without --control: method, file and line" many10.out locks
stop
same "measured without --control: the command's own status" 137 "$status"
"$ILCOV" report --format json=without.json without.ilcov >report.log 2>&1
check "measured without --control: it was measured on" grep -q '"covered": *[1-9]' without.json

# beside WHAT SITUATION LEFT: asked three times where the profiler of tests/probe/probe.c is, or was.
beside() {
    local i
    PROBE="$temp/probe $2" CORECLR_ENABLE_PROFILING=1 CORECLR_PROFILER='{00000000-0000-0000-0000-000000000001}' \
        CORECLR_PROFILER_PATH="${ILCOV%/*}/libprobe.so" launch locks "$program"
    until_true grep -qE "^$3" probe
    for i in 1 2 3; do
        ask beside
        same "$1: exit status" 0 "$status"
        stands "$1: method, file and line" beside.out locks
    done
    check "$1: the library is gone again, and it goes on" eval "! grep -q libilcov /proc/$pid/maps"
    stop
    rm -f probe
}
beside "beside another profiler" rejit 'detach 0x80131370'
beside "after another profiler has left" listening gone

# --- who can't be asked --------------------------------------------------------------------------

pid=$job
ask gone
same "no such process: exit status" 3 "$status"
one_line_about "no such process: a line" gone.log "no process $pid"

sleep 60 &
pid=$!
started+=("$pid")
ask native
same "not .NET: exit status" 3 "$status"
one_line_about "not .NET: a line" native.log "does not run .NET"
kill "$pid"

pid=x
ask usage
same "no number: exit status" 2 "$status"

# The runtime can't stop a thread in native code that was called without a transition.
for way in not-measured measured; do
    if [ "$way" = measured ]; then
        launch deaf "$ILCOV" run --root "$top" --control --data deaf.ilcov -- "$program"
    else
        launch deaf "$program"
    fi
    ask deaf
    limited sh -c ': >ready.pipe'
    same "deaf, $way: exit status" 1 "$status"
    check "deaf, $way: the line" grep -q 'could not be stopped within 5 s' deaf.err
    wait "$job"
    same "deaf, $way: it goes on afterwards" "0 heard again" "$? $(cat command.out)"
done

# --- what hangs under run ------------------------------------------------------------------------
pending="   at Hangs.Async.Inner() in fixtures/hangs/Async.cs:line $(grep -n 'await Never.Task' "$fixture/Async.cs" | cut -d: -f1) (at least 1 of 1)"
for how in native locks async spin chain; do
    launch "$how" "$ILCOV" run --root "$top" --hang-timeout 1s --data "$how.ilcov" -- "$program"
    until_true grep -q 'run no managed code' command.err
    sleep 1.5 # it would say so again
    check "$how under --hang-timeout: it is said which" grep -q "no new coverage for 1 s in process $pid (hangs)" command.err
    same "$how under --hang-timeout: once" 1 "$(grep -c 'no new coverage' command.err)"
    stands "$how under --hang-timeout: where it stands" command.err "$how"
    same "$how under --hang-timeout: the awaits that have not continued, and no test" "$([ "$how" = async ] && echo "$pending")" \
        "$(sed -n '1,/^ilcov: the stacks/p' command.err | grep -v '^ilcov: no new\|^ilcov: the stacks\|^ilcov: these awaits')"
    check "$how under --hang-timeout: it is left alone" kill -0 "$pid"
    stop
    same "$how under --hang-timeout: the command's own status" 137 "$status"

    launch "$how" "$ILCOV" run --root "$top" --hang-timeout 1s --hang-kill --data "$how-killed.ilcov" -- "$program"
    wait "$job"
    status=$?
    same "$how under --hang-kill: the status of who is ended" 143 "$status"
    stands "$how under --hang-kill: where it stood" command.err "$how"
    check "$how under --hang-kill: it is said" grep -q "process $pid (hangs) is terminated because it hangs" command.err
    "$ILCOV" report --format json=killed.json "$how-killed.ilcov" >report.log 2>&1
    check "$how under --hang-kill: what was counted is there" grep -q '"covered": *[1-9]' killed.json
done

# Every form of an await: those that have not gone on, and no other.
sed -n -e '/\/\/ waits: /{=;s/^.*waits: //p}' -e 's/^.*\/\/ waits without a line: /   at Hangs.Awaits./p' "$fixture/Awaits.cs" |
    sed '/^[0-9]*$/{N;s/^\(.*\)\n\(.*\) (at \(.*\)$/   at Hangs.Awaits.\2 in fixtures\/hangs\/Awaits.cs:line \1 (at \3/}' | sort >waits.txt
launch awaits "$ILCOV" run --root "$top" --hang-timeout 1s --hang-kill --data awaits.ilcov -- "$program"
wait "$job"
same "awaits of every form: those that have not gone on" "$(cat waits.txt)" \
    "$(sed -n '/^ilcov: these awaits/,/^ilcov: the stacks/p' command.err | grep '^   ' | sort)"

launch deaf "$ILCOV" run --hang-timeout 1s --hang-kill --data deaf-killed.ilcov -- "$program"
wait "$job"
same "deaf under --hang-kill: the status of who is ended" 143 "$?"
check "deaf under --hang-kill: why there are no stacks" grep -q 'could not be stopped within 5 s' command.err

# shellcheck disable=SC2016 # for the inner shell
launch native "$ILCOV" run --hang-timeout 1s --hang-kill --data stubborn.ilcov -- \
    sh -c 'trap "" TERM; exec "$0" "$@"' "$program"
wait "$job"
same "one that ignores SIGTERM is killed" 137 "$?"
check "one that ignores SIGTERM: it is said" grep -q "process $pid (hangs) is killed" command.err

# shellcheck disable=SC2016
launch native "$ILCOV" run --hang-timeout 1s --hang-kill --data stays.ilcov -- \
    sh -c '"$0" "$@"; exec sleep 600' "$program"
wait "$job"
same "a command that stays is killed, too" 137 "$?"
check "a command that stays: it is said" grep -q "the command (process [0-9]*) is killed" command.err

limited "$ILCOV" run --hang-timeout 500ms --allow-empty --data nothing.ilcov -- sleep 2 >nothing.log 2>&1
same "nothing is measured: nothing hangs" 0 "$(grep -c 'no new coverage' nothing.log)"
finish
