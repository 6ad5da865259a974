#!/bin/bash
# The program and the library under AddressSanitizer and UndefinedBehaviorSanitizer, the library under ThreadSanitizer, in
# real processes: what it does stays in its memory, is defined, races with nothing, and counts the same. The first two end
# the process at the first report, so the exit status tells. ThreadSanitizer sees the runtime's locks without the runtime's own code and has much to say about
# them: reports count when a frame of ours is in them. What it knows of the order between our threads is more than nothing,
# as the locks are seen; `make unit-threads` has the library alone.
. "$(dirname "$0")/lib.sh"

# sanitized SANITIZERS FOLDER FILE...: the sanitizers' builds are make's business, and are kept from one run to the next.
sanitized() {
    local sanitizers=$1 folder=$2
    shift 2
    made make -C "$top" -j2 --no-print-directory SAN="$sanitizers" "${@/#/build/$folder/}"
}

# run_fixture WHAT FIXTURE CONFIGURATION OPTION... -- ENVIRONMENT...   (arguments of the fixture: `arguments`)
arguments=()
run_fixture() {
    local what=$1 fixture=$2 configuration=$3
    local -a options=()
    shift 3
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    build "$fixture" "$configuration"
    measure "$fixture" "${options[@]}" --root "$top/fixtures/$fixture" -- env "$@" "$program" ${arguments[@]+"${arguments[@]}"}
    if [ "$status" -ne 0 ] || grep -qE 'runtime error:|Sanitizer' "$fixture.err" "$fixture.out"; then
        not_ok "$what, $fixture, $configuration ${options[*]}: exit status $status" "$fixture.err"
    else
        ok "$what, $fixture, $configuration ${options[*]}"
    fi
}

# all_fixtures WHAT ENVIRONMENT...
all_fixtures() {
    local what=$1 hit
    shift
    for mode in count exact hit; do
        run_fixture "$what" threads Release --mode $mode -- "$@"
    done
    hit=(--configuration Release --hit-only)
    expected "$what, threads: nothing is missed" threads.xml "$top/fixtures/threads" "${hit[@]}"
    run_fixture "$what" language Debug --mode count -- "$@"
    expected "$what, language: counts" language.xml "$top/fixtures/language" --configuration Debug
    run_fixture "$what" reflection Release --mode count -- "$@"
    arguments=(bytes)
    run_fixture "$what" loads Release --mode count -- "$@"
    arguments=()
}

# sanitizer's library in the compiler's folder, or empty.
runtime_of() {
    local path
    path=$(gcc -print-file-name="$1")
    [ ! -e "$path" ] || echo "$path"
}

# Its runtime has to come first in the process; the .NET runtime keeps its own handlers of signals, which it lives by.
asan=$(runtime_of libasan.so)
if [ -n "$asan" ]; then
    sanitized address,undefined address-undefined ilcov libilcov.so
    plain=$ILCOV ILCOV=$top/build/address-undefined/ilcov
    all_fixtures "bounds of memory" LD_PRELOAD="$asan" UBSAN_OPTIONS=print_stacktrace=1 \
        ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigfpe=0:handle_sigill=0:use_sigaltstack=0
    ILCOV=$plain
else
    skip "bounds of memory" "gcc has no libasan.so"
fi

# no_race_of_ours WHAT FIXTURE: reports are divided by lines of '='.
no_race_of_ours() {
    local what=$1 fixture=$2
    build "$fixture" Release
    measure "$fixture" --root "$top/fixtures/$fixture" -- env LD_PRELOAD="$tsan" \
        TSAN_OPTIONS="exitcode=0 handle_segv=0 handle_sigfpe=0 handle_sigill=0 detect_deadlocks=0 log_path=$temp/$fixture.tsan" \
        "$program" ${arguments[@]+"${arguments[@]}"}
    same "$what, $fixture: exit status" 0 "$status"
    cat "$temp/$fixture.tsan".* 2>/dev/null | awk '/^=+$/ { if (ours) print text; text = ""; ours = 0; next }
        { text = text $0 "\n" } /libilcov/ { ours = 1 }' >"$fixture.races"
    if [ -s "$fixture.races" ]; then
        not_ok "$what, $fixture" "$fixture.races"
    else
        ok "$what, $fixture"
    fi
}

tsan=$(runtime_of libtsan.so)
if [ -n "$tsan" ]; then
    sanitized thread thread libilcov.so
    cp "$ILCOV" "$top/build/thread/libilcov.so" .
    ILCOV=$PWD/ilcov
    no_race_of_ours "no race" threads
    no_race_of_ours "no race" reflection
    arguments=(bytes)
    no_race_of_ours "no race" loads
    arguments=()
else
    skip "no race" "gcc has no libtsan.so"
fi
finish
