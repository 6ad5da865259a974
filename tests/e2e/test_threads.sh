#!/bin/bash
# Eight threads in the same code: exact in exact mode, within 0.1 % in count mode, never zero, nothing missed in hit mode.
. "$(dirname "$0")/lib.sh"

for configuration in Debug Release; do
    build threads "$configuration"
    for mode in exact count count count hit; do
        case $mode in
        exact) options=() ;;
        count) options=(--within 0.1) ;;
        hit) options=(--hit-only) ;;
        esac
        what="eight threads, $configuration, $mode"
        measure threads --mode "$mode" --root "$top/fixtures/threads" -- "$program"
        same "$what: exit status" 0 "$status"
        expected "$what: counts" threads.xml "$top/fixtures/threads" --configuration "$configuration" \
            ${options[@]+"${options[@]}"}
    done
done
finish
