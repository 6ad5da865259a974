#!/bin/bash
# limits.sh - what a limit leaves belongs to the program: of address space (every STEP_MB (50) from FROM_MB to TO_MB, with both garbage
# collectors, in Debug and Release, also attached to), descriptors, file size, data and stacks. Where the program always lives beside a
# profiler that does nothing, which costs the runtime a thread of its own, it lives under ilcov. Writes its section to
# $RELIABILITY_DIR/limits.md.
#   TRIES      of each (3)
. "$(dirname "$0")/../e2e/lib.sh"
. "$top/tests/e2e/visits.sh"
TRIES=${TRIES:-3} STEP_MB=${STEP_MB:-50} FROM_MB=${FROM_MB:-1500} TO_MB=${TO_MB:-6000}
LIMIT=30
rows=$temp/rows
export DOTNET_EnableWriteXorExecute=0 # as in test_faults.sh

# The library finds no session and declines.
idle=(env CORECLR_ENABLE_PROFILING=1 'CORECLR_PROFILER={1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}'
    CORECLR_PROFILER_PATH="$(dirname "$ILCOV")/libilcov.so")

# lives COMMAND...: how often of TRIES. Near the least that the program needs, it lives by chance, beside any profiler: so what died
# once is tried MORE times, and half of them tell.
MORE=12
lives() {
    local n=0 i
    for ((i = 0; i < TRIES; i++)); do
        limited "$@" >out 2>err
        [ $? -ne 7 ] || n=$((n + 1))
    done 2>/dev/null
    echo $n
}

# scan WHAT OPTION VALUE...: the program with each limit of prlimit's.
scan() {
    local what=$1 option=$2 value bare beside under steps=0 by_chance=0 dead= limited_program measured
    shift 2
    for value; do
        limited_program=(prlimit "$option=$value" "$program" work late)
        measured=("$ILCOV" run --quiet --root "$top" --session-dir "$temp" -d x.ilcov -f none --allow-empty "${options[@]}" --)
        bare=$(lives "${limited_program[@]}")
        beside=$(lives "${idle[@]}" "${limited_program[@]}")
        under=$(lives "${measured[@]}" "${limited_program[@]}")
        steps=$((steps + 1))
        [ "$bare" -ne "$TRIES" ] || [ "$under" -eq "$TRIES" ] || by_chance=$((by_chance + 1))
        if [ "$beside" -eq "$TRIES" ] && [ "$under" -lt "$TRIES" ]; then
            beside=$(TRIES=$MORE lives "${idle[@]}" "${limited_program[@]}")
            under=$(TRIES=$MORE lives "${measured[@]}" "${limited_program[@]}")
            [ $((beside - under)) -lt $((MORE / 2)) ] || dead="$dead $value"
        fi
    done
    same "$what: where a profiler that does nothing lets it live, ilcov does" "" "$dead"
    printf '| %s | %d | %d |\n' "$what" "$steps" "$by_chance" >>"$rows"
}

millions() {
    seq "$1" "$3" "$2" | sed 's/$/000000/'
}

options=()
for configuration in Debug Release; do
    build faults $configuration
    for server in 0 1; do
        export DOTNET_gcServer=$server
        # shellcheck disable=SC2046 # numbers
        scan "address space, $configuration, $([ $server = 0 ] && echo workstation || echo server) GC" --as \
            $(millions "$FROM_MB" "$TO_MB" "$STEP_MB")
    done
done
unset DOTNET_gcServer
for choice in "" "--control --per-test --include-tests" "--mode exact"; do
    read -ra options <<<"$choice"
    # shellcheck disable=SC2046 # numbers
    scan "descriptors${choice:+ under $choice}" --nofile $(seq 20 64)
    scan "file size${choice:+ under $choice}" --fsize 4096 8192 12288 16384 65536 1048576
    # shellcheck disable=SC2046 # numbers
    scan "data${choice:+ under $choice}" --data $(millions 60 400 20)
    scan "stack${choice:+ under $choice}" --stack 65536 131072 262144 1048576 unlimited
done

# --- attached ------------------------------------------------------------------------------------------------------------
build attach Release
attach_options=(--root "$top/fixtures/attach")
# works: starts it, attaches if $1 says so, and lets it work; does it live to its end?
works() {
    start app prlimit --as="$2" "$program"
    ready || return
    if [ "$1" = attached ]; then
        attach x
    fi
    local what
    for what in work later contexts "classes 50"; do
        tell_in_time "$what" || break
    done
    exec {input}>&-
    [ "$1" != attached ] || wait "$attacher" 2>/dev/null
    wait "$pid" 2>/dev/null
}
tell_in_time() {
    echo "$*" >&"$input"
    for _ in $(seq 200); do
        grep -q "^done $*\$" app.out && return
        kill -0 "$pid" 2>/dev/null || return
        sleep 0.05
    done
    return 1
}
dead='' steps=0
for limit in $(millions 3000 6000 $((STEP_MB * 2))); do # with less, it is not attached to
    bare=0 attached=0
    for ((i = 0; i < TRIES; i++)); do
        works bare "$limit" && bare=$((bare + 1))
        works attached "$limit" && attached=$((attached + 1))
    done
    steps=$((steps + 1))
    if [ $bare -eq "$TRIES" ] && [ $attached -eq 0 ]; then
        dead="$dead $limit"
    fi
done
same "address space, attached to: it goes on as without" "" "$dead"
printf '| address space, attached to | %d | |\n' $steps >>"$rows"

{
    printf '## Limits\n\n'
    printf 'Under each of these limits, a program that survives %d of %d runs with an empty profiler also survives under ilcov. The last column\n' \
        "$TRIES" "$TRIES"
    printf 'counts programs that survived %d runs without a profiler but not with one, for which the runtime starts one more thread.\n\n' "$TRIES"
    printf '| limit | steps | died |\n| --- | ---: | ---: |\n'
    cat "$rows"
} | tee limits.md
if [ -n "${RELIABILITY_DIR:-}" ]; then
    mkdir -p "$RELIABILITY_DIR" && cp limits.md "$RELIABILITY_DIR/limits.md" || exit 2
fi
finish
