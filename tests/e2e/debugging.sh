# debugging.sh - fixtures/unnoticed in a debugger. Sourced behind lib.sh.
#
#   DEBUGGER   tests/support/debugger (build/debugger)
#   program    that of `build unnoticed`
#   meanwhile  a function that is called when the program waits for its input, before a debugger comes
#   go         the file that the debugger writes into when its breakpoints are set (go, from which the program reads)

DEBUGGER=$(absolute "${DEBUGGER:-$(dirname "$ILCOV")/debugger}")
WAIT_TENTHS=1200

# started OUT COMMAND...: in the background, its standard input the pipe `go`; sets `pid` to the program's own process when
# that is ready, and `started` to what the shell knows it by.
started() {
    local out=$1 i
    shift
    rm -f go "$out"
    mkfifo go
    limited "$@" <go >"$out" 2>"$out.err" &
    started=$!
    exec 8>go
    for ((i = 0; i < WAIT_TENTHS; i++)); do
        pid=$(sed -n 's/^ready \([0-9]*\) .*/\1/p' "$out" 2>/dev/null)
        [ -n "$pid" ] && return
        sleep 0.1
    done
    not_ok "$* becomes ready" "$out.err"
    finish
}

# debugged NAME WAY COMMAND...: what a debugger shows is in NAME.stops, the IL that it sees in NAME.code. The WAY `entries` stops
# in the core library, where GetMethodBody begins.
debugged() {
    debugged_in "$program.dll" Debugged.cs debugged "$@"
}

# debugged_in DLL SOURCE ARGUMENT NAME WAY COMMAND...: in another assembly.
debugged_in() {
    local dll=$1 source=$2 argument=$3 into=$4 way=$5 count=1 lines
    shift 5
    mapfile -t lines < <(grep -n '// stop$' "$top/fixtures/unnoticed/$source" | cut -d: -f1)
    [ "$way" = breakpoints ] && count=${#lines[@]}
    [ "$way" != entries ] || lines=(GetMethodBody)
    started "$into.out" "$@" "$program" "$argument"
    "${meanwhile:-:}"
    [ "$way" != entries ] || dll=$(sed -n 's|.* \(/.*/System.Private.CoreLib.dll\)$|\1|p' "/proc/$pid/maps" | head -n 1)
    limited "$DEBUGGER" "$way" "$pid" "${go:-go}" "$dll" "${lines[@]:0:count}" >"$into.shown" 2>"$into.trouble" ||
        kill -9 "$pid"
    exec 8>&-
    wait "$started"
    status=$?
    grep ' bytes of IL, ' "$into.shown" >"$into.code"
    grep -v ' bytes of IL, ' "$into.shown" >"$into.stops"
}

# The frames of .NET between those of the program are more where an ExecutionContext flows, as with --per-test: a row of `-` is one.
without_others() {
    sed -i -E 's/-(,-)+/-/g' "$1"
}

# The lines of callers are those of return addresses: optimised code has the line of the call there, or that of what
# comes behind it, as it comes.
without_callers() {
    sed -i 's/ called from [-0-9,]*//' "$1"
}
