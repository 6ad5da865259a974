#!/bin/bash
# What each runtime allows: every flag to a profiler that attaches, and leaving in every situation. The answers are those of
# docs/attach-and-detach.md, where UPDATE_GOLDEN=1 writes them.
. "$(dirname "$0")/lib.sh"

build_dir=$(dirname "$ILCOV")
document=$top/docs/attach-and-detach.md
begin='<!-- allowed: written by test_allowed.sh with UPDATE_GOLDEN=1 -->'
end='<!-- end of allowed -->'
started=()
trap 'for id in "${started[@]}"; do kill -9 "$id" 2>/dev/null; done; clean_up' EXIT

# start COMMAND...: what waits for its input until `stop`. Sets `pid`.
start() {
    rm -f input program.out && mkfifo input
    exec {input}<>input
    "$@" <input >program.out 2>program.err {input}<&- &
    pid=$!
    started+=("$pid")
    wait_for program.out ready
}

stop() {
    exec {input}>&-
    kill "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
}

# wait_for FILE PATTERN
wait_for() {
    until_true grep -q "$2" "$1"
}

# ask ANSWERS SITUATION PROGRAM: what the probe says that was attached.
ask_attached() {
    local try
    start "$3"
    for try in $(seq 20); do # a busy machine may not answer in time
        limited "$build_dir/attach_library" "$pid" "$build_dir/libprobe.so" "$temp/$1 $2" >"$1.hr"
        [ ! -s "$1.hr" ] || break
        sleep 0.5
    done
    [ "$2" = flags ] || wait_for "$1" '^detach'
    ! grep -q '^detach 0x00000000' "$1" 2>/dev/null || wait_for "$1" '^gone'
    stop
}

# ... and that was there from the start.
ask_started() {
    start env CORECLR_ENABLE_PROFILING=1 CORECLR_PROFILER='{1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}' \
        CORECLR_PROFILER_PATH="$build_dir/libprobe.so" PROBE="$temp/$1 $2" "$3"
    wait_for "$1" '^detach'
    ! grep -q '^detach 0x00000000' "$1" 2>/dev/null || wait_for "$1" '^gone'
    stop
}

# The name of an HRESULT.
named() {
    local found
    found=$(sed -n "s/^ROW(\([A-Z0-9_]*\), $1,.*/\1/p" "$top/cli/process/hresult.def")
    case $1 in
    0x00000000) printf 'yes' ;;
    '') printf 'no answer' ;;
    *) printf '`%s`' "${found:-$1}" ;;
    esac
}

situations='listening searches no-inlining no-precompiled no-tiering rejit rejit-late body'
declare -A what=(
    [listening]='listens to module loads and compilation'
    [searches]='`CACHE_SEARCHES`'
    [no-inlining]='`DISABLE_INLINING`'
    [no-precompiled]='`DISABLE_ALL_NGEN_IMAGES`'
    [no-tiering]='`HIGH_DISABLE_TIERED_COMPILATION`'
    [rejit]='`ENABLE_REJIT`, nothing compiled anew'
    [rejit-late]='`ENABLE_REJIT` added later, nothing compiled anew'
    [body]='gave a method its own body again (`SetILFunctionBody`)'
)

# of RUNTIME PROGRAM: all answers of one.
of() {
    local situation
    ask_attached "$1.flags" flags "$2"
    same "$1: the probe attaches" 0x00000000 "$(cat "$1.flags.hr")"
    same "$1: all flags are answered" 64 "$(grep -c '^low\|^high' "$1.flags")"
    for situation in $situations; do
        ask_started "$1.started.$situation" "$situation" "$2"
        [ "$situation" = body ] || ask_attached "$1.attached.$situation" "$situation" "$2"
        check "$1, $situation: an answer" grep -q '^detach' "$1.started.$situation"
    done
    ! grep -l '^detach 0x00000000' "$1".*.* 2>/dev/null | xargs -r grep -L '^gone' | grep -q .
    same "$1: who may leave has left" 0 $?
}

# flag_rows RUNTIME...
flag_rows() {
    local word name value runtime
    printf '| flag at attach |'
    printf ' %s |' "$@"
    printf '\n|---|'
    printf '%s' "${@//*/---|}"
    printf '\n'
    sed -n 's/^#define COR_PRF_\(MONITOR_\|ENABLE_\|DISABLE_\|USE_\|HIGH_\)\([A-Z_]*\) *\(0x[0-9a-f]*\)u$/\1\2 \3/p' \
        "$top/profiler/cor.h" | while read -r name value; do
        word=low
        [ "${name#HIGH_}" = "$name" ] || word=high
        printf '| `%s` |' "$name"
        for runtime in "$@"; do
            printf ' %s |' "$(named "$(sed -n "s/^$word $value //p" "$runtime.flags")")"
        done
        printf '\n'
    done
}

# The flags may be refused; then the situation is none.
leaving() {
    local refused
    refused=$(sed -n 's/^flags //p' "$1" 2>/dev/null)
    if [ -n "$refused" ]; then
        printf 'flag refused: %s' "$(named "$refused")"
    else
        named "$(sed -n 's/^detach //p' "$1" 2>/dev/null)"
    fi
}

detach_rows() {
    local situation runtime
    printf '| what the profiler did |'
    printf ' %s, from the start | %s, attached |' $(for runtime in "$@"; do echo "$runtime $runtime"; done)
    printf '\n|---|'
    printf '%s' "${@//*/---|---|}"
    printf '\n'
    for situation in $situations; do
        printf '| %s |' "${what[$situation]}"
        for runtime in "$@"; do
            printf ' %s |' "$(leaving "$runtime.started.$situation")"
            if [ "$situation" = body ]; then
                printf ' not tried |'
            else
                printf ' %s |' "$(leaving "$runtime.attached.$situation")"
            fi
        done
        printf '\n'
    done
}

runtimes=(NET10)
LIMIT=300 build attach Release
of NET10 "$program"
before=$failed
if LIMIT=300 build_for net8.0 attach; then
    of NET8 "$program"
    runtimes+=(NET8)
elif [ "$failed" -eq "$before" ]; then
    skip "the table is that of the document" 'a runtime of it is not available'
    finish
fi

{
    printf '\n'
    flag_rows "${runtimes[@]}"
    printf '\nDoes it allow detaching (`RequestProfilerDetach`)?\n\n'
    detach_rows "${runtimes[@]}"
    printf '\n'
} | sed 's/NET10/.NET 10/g; s/NET8/.NET 8/g' >table

if [ "${UPDATE_GOLDEN:-}" = 1 ]; then
    { sed "/^$begin\$/q" "$document" && cat table && sed -n "/^$end\$/,\$p" "$document"; } >new.md && cp new.md "$document"
fi
sed -n "/^$begin\$/,/^$end\$/p" "$document" | sed '1d;$d' >told
check "the table is that of the document" diff told table
finish
