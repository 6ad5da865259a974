#!/bin/bash
# Stack traces name the same lines and IL offsets as without coverage.
. "$(dirname "$0")/lib.sh"

for configuration in Debug Release; do
    build stacktrace "$configuration"
    limited "$program" >bare.out
    same "bare, $configuration: exit status" 0 $?
    for mode in count hit exact; do
        measure "$mode" --mode "$mode" --root "$top/fixtures/stacktrace" -- "$program"
        same "$configuration, $mode: exit status" 0 "$status"
        check "$configuration, $mode: the same lines and offsets" diff bare.out "$mode.out"
    done
done
finish
