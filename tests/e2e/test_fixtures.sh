#!/bin/bash
# Every annotated line and branch of fixtures/language, in Debug and Release, in every mode.
. "$(dirname "$0")/lib.sh"

for configuration in Debug Release; do
    build language "$configuration"
    limited "$program" >bare.out
    for mode in count hit exact; do
        what="language, $configuration, $mode"
        measure "$mode" --mode "$mode" --root "$top/fixtures/language" -- "$program"
        same "$what: exit status" 0 "$status"
        check "$what: prints what it prints without coverage" cmp bare.out "$mode.out"
        options=(--configuration "$configuration")
        if [ "$mode" = hit ]; then
            options+=(--hit-only)
        fi
        expected "$what: every line as written" "$mode.xml" "$top/fixtures/language" "${options[@]}"
    done
    check "language, $configuration: count and exact agree" \
        cmp <(grep -v timestamp= count.xml) <(grep -v timestamp= exact.xml)
done
finish
