#!/bin/bash
# What runs already and is as warm as code gets counts, from the attach on, what it counts when it is measured from its start:
# all of the language fixtures, in every mode and tier. What cannot be measured is said.
LIMIT=${LIMIT:-180}
. "$(dirname "$0")/lib.sh"
. "$top/tests/e2e/visits.sh"

attach_options=(--root "$top" --exclude '[attach_hard]*')

# Every method is warm after some calls, and loops are left on the stack at once.
export DOTNET_TC_CallCountThreshold=2 DOTNET_TC_CallCountingDelayMs=0 DOTNET_TC_OnStackReplacement_InitialCounter=1 \
    DOTNET_OSR_HitLimit=1

stop() {
    exec {input}>&-
    wait "$pid"
    status=$?
    printed
}

# snapshot REPORT OPTION... What F# inlined is told by what ran, which is less after an attach: it counts as missed here.
snapshot() {
    local into=$1
    shift
    limited "$ILCOV" snapshot --quiet --data snapshot.ilcov --format "cobertura=$into" --root "$top" --inlined missed "$@" "$session"
}

# counts REPORT: what it says of each line, and no time.
counts() {
    grep -E '<class |<line ' "$1" | sed 's/ complexity="[^"]*"//'
}

# The counts of three times Main of what is in `guest`, measured from the start: the first time is not among them.
count_from_start() {
    start from_start "$ILCOV" run --quiet --session-dir "$temp" --exclude '[attach_hard]*' --data run.ilcov --root "$top" -- \
        "$host" "$guest"
    ready
    tell work 1
    session=$(find "$temp" -maxdepth 1 -name 'ilcov-[0-9]*-*' | head -1)
    snapshot before.xml --reset
    tell work 3
    snapshot from_start.xml
    stop
}

# counts_as_well WHAT THREADS OPTION...: threads run all of it while somebody attaches.
counts_as_well() {
    local what=$1 threads=$2
    shift 2
    start host "$host" "$guest"
    ready
    tell warm 30
    tell start "$threads"
    attach warm "$@"
    check "$what: attached" grep -q counting warm.said
    tell stop
    snapshot before.xml --reset
    tell work 3
    snapshot after.xml # before the attacher writes its own, of all
    leave
    stop
    same "$what: the program ends as it does" 0 "$status"
    check "$what: nothing was thrown that is not without us" test -z "$(grep '^threw' host.out)"
    counts from_start.xml >from_start.counts
    counts after.xml >warm.counts
    check "$what: every count is that of a run" diff from_start.counts warm.counts
    rm -rf "$session"
}

# --- what is counted -----------------------------------------------------------------------------------------------------

build attach_hard Release
host=$program
# all: twenty minutes; else what differs most.
guests=(fsharp) configurations=(Release)
[ -z "${ATTACH_ALL:-}" ] || guests=(language hazards hazards_fs fsharp vb) configurations=(Release Debug)
for configuration in "${configurations[@]}"; do
    for fixture in "${guests[@]}"; do
        build "$fixture" "$configuration"
        guest=$program.dll
        count_from_start
        counts_as_well "$fixture, $configuration" 0
    done
done
build language Release
guest=$program.dll
count_from_start
counts_as_well "8 threads, exact" 8 --mode exact
if [ -n "${ATTACH_ALL:-}" ]; then
    DOTNET_TieredCompilation=0 counts_as_well "no tiers" 0
    DOTNET_TieredPGO=0 DOTNET_ReadyToRun=0 counts_as_well "no PGO, nothing precompiled" 4 --mode exact
    DOTNET_TC_QuickJitForLoops=0 counts_as_well "loops optimised at once" 0
    build hazards Release
    guest=$program.dll
    count_from_start
    counts_as_well "hazards, 8 threads, exact" 8 --mode exact
fi

# --- what cannot be ------------------------------------------------------------------------------------------------------

# Up to .NET 10 the runtime leaves its own async methods as they are; .NET 11 compiles them anew.
build hazards_async Release
export DOTNET_RuntimeAsync=1
start host "$host" "$program.dll"
ready
tell warm 30
attach async --verbose
[ $net != net10.0 ] ||
    check "async by the runtime: the number of methods is that of those with probes" grep -q '1 module with 4 methods' async.said
tell work 1
leave
[ $net != net10.0 ] || check "async by the runtime: said" grep -q 'Program.Main(): it uses runtime async' async.said
check "async by the runtime: no line of it is told to be missed" test -z "$(grep 'hits="0"' async.xml)"
stop
rm -rf "$session"
unset DOTNET_RuntimeAsync

# --- at once, and what is damaged ----------------------------------------------------------------------------------------

build vb Release
guest=$program.dll
start host "$host" "$guest"
ready
tell warm 3
visitors=()
for i in 1 2 3; do
    limited "$ILCOV" stacks "$pid" >"stacks$i.log" 2>"stacks$i.said" &
    visitors+=($!)
done
for i in 1 2 3; do
    wait "${visitors[$((i - 1))]}"
    same "three look at the stacks at once: exit status of $i" 0 $?
    check "three look at the stacks at once: $i sees them" grep -q Program "stacks$i.log"
    sed 's/^/#   /' "stacks$i.said"
done
check "three look at the stacks at once: no library is left" test -z "$(grep libilcov "/proc/$pid/maps")"
check "three look at the stacks at once: nothing is said to be" test -z "$(cat stacks?.said)"
attach nothing --include '[Nothing]*'
limited "$ILCOV" detach "$pid" >detach1.log 2>detach1.said &
first=$!
limited "$ILCOV" detach "$pid" >detach2.log 2>detach2.said
same "two detach at once: exit status of one" 0 $?
wait $first
same "two detach at once: exit status of the other" 0 $?
wait "$attacher"
check "and the program goes on" tell work 1

# Tens of thousands of methods in one assembly, and next to no time. The program is stopped once the runtime has answered, which it
# does while the library is at work; a quick machine may be through by then.
answered() {
    compgen -G "$temp/ilcov-[0-9]*-*/control-$pid" >/dev/null &&
        [ -z "$(find "/proc/$(pgrep -P "$attacher")/fd" -lname 'socket:*')" ]
}
begin_to_attach large --timeout 50ms --include '[System.Private.CoreLib]*'
until answered 2>/dev/null || over "$attacher"; do
    sleep 0.005
done
kill -STOP "$pid"
if grep -q '^attached' "$temp"/ilcov-[0-9]*-*/process-"$pid"-*; then
    skip "a library that is at work longer than --timeout: said" "it was through at once"
else
    check "a library that is at work longer than --timeout: said" seen 'is still preparing the methods of process' large.said
fi
kill -CONT "$pid"
attached large "$attacher"
check "a library that is at work longer than --timeout: attached" grep -q '1 module with [0-9,]* methods, counting' large.said
leave
check "and the program goes on" tell work 1
stop
rm -rf "$temp"/ilcov-[0-9]*-*

# Its disk is full before the first line of its record.
start host "$host" "$guest"
ready
prlimit --pid "$pid" --fsize=0
begin_to_attach full --timeout 2s
check "no room for a record: attaching ends in time" until_true over "$attacher"
check "no room for a record: said" seen 'does not report' full.said
check "no room for a record: the program goes on" tell work 1
stop
rm -rf "$temp"/ilcov-[0-9]*-*

# No memory: for a thread; for the library; for code that is compiled again; for heaps of more threads. Then it is not asked for its reasons either, which would
# keep it from ending.
for megabytes in 1 8 10 40 400; do
    start host "$host" "$guest"
    ready
    prlimit --pid "$pid" --as="$(($(awk '/^VmSize/ { print $2 }' "/proc/$pid/status") * 1024 + megabytes * 1000000)):"
    begin_to_attach poor --timeout 2s
    check "$megabytes MB left: attaching ends in time" until_true over "$attacher"
    check "$megabytes MB left: said" seen 'does not have enough memory left' poor.said
    prlimit --pid "$pid" --as=unlimited
    check "$megabytes MB left: the program goes on" tell work 1
    check "$megabytes MB left: it listens" limited "$ILCOV" stacks --timeout 2s "$pid" >poor.log
    stop
    same "$megabytes MB left: it ends" 0 "$status"
    rm -rf "$temp"/ilcov-[0-9]*-*
done

start host "$host" "$guest"
ready
attach removed
rm -rf "$session"
tell work 1
leave
check "its session is removed: said" grep -q 'its session was removed, so what it counts from now on is lost' removed.said
limited "$ILCOV" stacks "$pid" >stacks.log 2>stacks.said
same "its session is removed: its stacks are shown all the same" "0 1" "$? $(grep -c Program.Main stacks.log)"
check "its session is removed: the program goes on" tell work 1
stop
finish
