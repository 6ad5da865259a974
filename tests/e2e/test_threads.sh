#!/bin/bash
# Eight threads in the same code: exact in exact mode, nothing missed in hit mode; in count mode never zero, and within
# 0.1 % where each thread has a shard of its own. Shards are chosen by the stack's address, so now and then two of eight
# threads share one: such a run must miss nothing either, but its totals are not compared.
. "$(dirname "$0")/lib.sh"

SHARDS=$(absolute "$(dirname "$ILCOV")/shards_used")
threads=8 rounds=250000

# own_shards: did each of the threads of the last run have one?
own_shards() {
    local session
    session=$(sed -n 's/^ilcov: the session is kept in //p' threads.err)
    local used
    used=$("$SHARDS" "$session" $((rounds / 2)))
    rm -rf "$session"
    [ "$used" -eq $threads ]
}

for configuration in Debug Release; do
    build threads "$configuration"
    for mode in exact hit; do
        case $mode in
        exact) options=() ;;
        hit) options=(--hit-only) ;;
        esac
        what="eight threads, $configuration, $mode"
        measure threads --mode "$mode" --root "$top/fixtures/threads" -- "$program"
        same "$what: exit status" 0 "$status"
        expected "$what: counts" threads.xml "$top/fixtures/threads" --configuration "$configuration" \
            ${options[@]+"${options[@]}"}
    done
    what="eight threads, $configuration, count"
    compared=0
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        measure threads --keep-session --root "$top/fixtures/threads" -- "$program"
        same "$what: exit status" 0 "$status"
        expected "$what: hit or not" threads.xml "$top/fixtures/threads" --configuration "$configuration" --hit-only
        if own_shards; then
            expected "$what: counts within 0.1 %" threads.xml "$top/fixtures/threads" --configuration "$configuration" \
                --within 0.1
            compared=$((compared + 1))
        fi
        [ $compared -lt 2 ] || break
    done
    check "$what: each thread had its shard in two runs of ten" [ $compared -ge 2 ]
done
finish
