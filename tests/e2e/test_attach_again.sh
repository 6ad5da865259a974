#!/bin/bash
# A program under load is attached to and left again and again: it does not notice, without us it counts nothing, and with us
# everything.
#
#   CYCLES  how often (6)
LIMIT=${LIMIT:-180}
. "$(dirname "$0")/lib.sh"
. "$top/tests/e2e/visits.sh"

cycles=${CYCLES:-6} threads=2
attach_options=(--root "$top" --exclude '[attach_hard]*' --mode exact)

# snapshot NAME: its counts, without what differs from one to the next.
snapshot() {
    limited "$ILCOV" snapshot --quiet --data snapshot.ilcov --format "cobertura=$1.xml" --root "$top" "${@:2}" "$session"
    grep -E '<class |<line ' "$1.xml" | sed 's/ complexity="[^"]*"//' >"$1.counts"
}

resident() {
    sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$pid/status"
}

build attach_hard Release
host=$program
build language Release
guest=$program.dll
start host "$host" "$guest"
ready
tell warm 30

# The counts of three times all of it, before anything was reverted.
attach first --keep-counting
leave
snapshot before --reset
tell work 3
snapshot three
limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
same "detach: exit status" 1 $?

tell start $threads
memory=$(resident)
wrong=0
for ((cycle = 1; cycle <= cycles; cycle++)); do
    attach cycle --keep-counting --for "$((cycle % 5 * 40 + 1))ms"
    wait "$attacher" || wrong=$((wrong + 1))
    if [ $((cycle % 2)) -eq 0 ]; then
        limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
        grep -q 'without counters again' detach.said || wrong=$((wrong + 1))
    else
        attach cycle --for 1ms
        wait "$attacher"
        grep -q 'continues to run without counters' cycle.said || wrong=$((wrong + 1))
    fi
    ! over "$pid" || break
done
same "attached to and left, $cycles times: what did not go as it should" 0 $wrong
printf '# resident memory: %d KiB before, %d KiB after\n' "$memory" "$(resident)"
tell stop

snapshot stopped
tell work 1
snapshot later
check "without counters, nothing is counted" diff stopped.counts later.counts
attach last
snapshot before --reset
tell work 3
snapshot again
check "with them again, everything is" diff three.counts again.counts
leave
exec {input}>&-
wait "$pid"
same "the program ends as it does" 0 $?
printed
check "nothing was thrown that is not without us" test -z "$(grep '^threw' host.out)"

start replaced "$host" "$guest"
ready
attach watched
echo exec >&"$input"
wait "$attacher"
same "a program that starts another in its place: exit status" 0 $?
check "... that is said" grep -q "ilcov is no longer in process $pid, which has started another program in its place" watched.said
check "... and not that it was detached" test -z "$(grep detached watched.said)"
check "... it has a report" grep -q '<line ' watched.xml
exec {input}>&-
kill "$pid"
finish
