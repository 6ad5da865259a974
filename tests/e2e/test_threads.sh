#!/bin/bash
# Many threads in the same code: exact in exact mode, nothing missed in hit mode, and exact in count mode, too, where
# each thread has a shard of its own, however small its stack is. A shard takes memory when a thread needs it.
. "$(dirname "$0")/lib.sh"

SHARDS=$(absolute "$(dirname "$ILCOV")/shards_used")

# shards_in LEAST: in how many shards of the last run some counter reached LEAST.
shards_in() {
    local session
    session=$(sed -n 's/^ilcov: the session is kept in //p' threads.err)
    "$SHARDS" "$session" "$1"
}

forget() {
    rm -rf "$(sed -n 's/^ilcov: the session is kept in //p' threads.err)"
}

# counted FIXTURE MODE ARGUMENT...: are the counts those that the fixture states?
counted() {
    local fixture=$1 mode=$2 options=()
    shift 2
    [ "$mode" != hit ] || options=(--hit-only)
    measure threads --mode "$mode" --keep-session --root "$top/fixtures/$fixture" -- "$program" "$@"
    same "$what: exit status" 0 "$status"
    expected "$what: counts" threads.xml "$top/fixtures/$fixture" --configuration "$configuration" \
        ${options[@]+"${options[@]}"}
}

for configuration in Debug Release; do
    build threads "$configuration"
    for mode in exact hit count; do
        what="eight threads, $configuration, $mode"
        counted threads "$mode"
        [ "$mode" != count ] || same "$what: each has a shard" 8 "$(shards_in 125000)"
        forget
    done

    build stacks "$configuration"
    for stack in 256 1536; do
        what="160 threads with stacks of $stack KiB, $configuration, count"
        counted stacks count $stack
        same "$what: each has a shard" 160 "$(shards_in 10000)"
        forget
    done
    what="160 threads with the default stack of 256 KiB, $configuration, count"
    export DOTNET_DefaultStackSize=40000 # hexadecimal
    counted stacks count 0
    unset DOTNET_DefaultStackSize
    same "$what: each has a shard" 160 "$(shards_in 10000)"
    forget
    what="160 threads with stacks of 256 KiB, $configuration, exact"
    counted stacks exact 256
    same "$what: one shard is enough" 1 "$(shards_in 10000)"
    forget
done
finish
