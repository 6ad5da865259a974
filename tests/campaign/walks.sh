#!/bin/bash
# walks.sh - the stacks of a busy program with fifty threads are asked for WALKS (10,000) times, while threads are born and
# die, garbage is collected, exceptions are thrown and load contexts come and go: every walk is answered, none loses a
# thread, the program ends well. Then WALKS / 20 times with a library that comes and goes. Writes its section to
# $RELIABILITY_DIR/walks.md.
. "$(dirname "$0")/../e2e/lib.sh"

walks=${WALKS:-10000}
visits=$((walks / 20))
keepers=50
LIMIT=60

# wait_ready: until the program runs; sets `pid`.
wait_ready() {
    local i
    pid=
    for ((i = 0; i < 200; i++)); do
        pid=$(cat ready 2>/dev/null)
        [ -z "$pid" ] || return 0
        sleep 0.05
    done
    not_ok "the program starts" walked.err
    finish
}

# walk TIMES: sets `unanswered` and `lost`; what was seen is kept in unanswered.log and lost.log.
walk() {
    local i
    unanswered=0 lost=0
    for ((i = 0; i < $1; i++)); do
        if ! limited "$ILCOV" stacks "$pid" >walk.out 2>walk.err; then
            unanswered=$((unanswered + 1))
            cat walk.err walk.out >unanswered.log
        elif [ "$(grep -o 'keeper-[0-9][0-9]' walk.out | sort -u | wc -l)" -ne $keepers ]; then
            lost=$((lost + 1))
            cp walk.out lost.log
        fi
        kill -0 "$pid" 2>/dev/null || break
    done
}

# judge WAY TIMES
judge() {
    if [ $unanswered -eq 0 ]; then ok "$1: each of $2 walks is answered"; else not_ok "$1: $unanswered of $2 walks failed" unanswered.log; fi
    if [ $lost -eq 0 ]; then ok "$1: no thread is lost"; else not_ok "$1: $lost walks lost a thread" lost.log; fi
    rm -f ready
    wait $job
    status=$?
    if [ $status -eq 0 ]; then ok "$1: the program ends well"; else not_ok "$1: the program ends with $status" walked.err; fi
    check "$1: it says so" grep -q '^rounds ' walked.out
}

build hangs Release
trap 'kill -KILL $pid 2>/dev/null; clean_up' EXIT

rm -f ready
"$ILCOV" run --control --data walked.ilcov --root "$top/fixtures/hangs" -- "$program" walk "$temp/ready" >walked.out 2>walked.err &
job=$!
wait_ready
start=$SECONDS
walk "$walks"
took=$((SECONDS - start))
judge measured "$walks"
did=$(cat walked.out)

rm -f ready
"$program" walk "$temp/ready" >walked.out 2>walked.err &
job=$!
wait_ready
walk $visits
same "not measured: the library is gone" 0 "$(grep -c libilcov "/proc/$pid/maps")"
judge "not measured" $visits

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/walks.md" <<EOF
## Walks of busy stacks

\`ilcov stacks\`, $walks times in $took s, of a program (\`fixtures/hangs\`, Release, measured) with $keepers permanent threads, others that come
and go, garbage collections, exceptions, methods made at run time and collectible load contexts (meanwhile $did). Every
walk had every permanent thread; the program ended normally. $visits more walks of a program that is not measured loaded the library
each time, and unloaded it again.
EOF
fi
finish
