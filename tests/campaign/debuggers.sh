#!/bin/bash
# debuggers.sh - a debugger and ilcov in one process, in each order, mode, build and runtime, each cell three times: the program ends well
# and prints what it prints without ilcov, and the debugger shows the same stops, lines, IL offsets and values of locals as without.
# What it stopped at is counted. Writes its section to $RELIABILITY_DIR/debuggers.md.
#
#   FRAMEWORKS  which (net8.0 net9.0 net10.0 net11.0)
#   TIMES       each cell (3)
#   JOBS        cells at once (2)
LIMIT=${LIMIT:-120}
. "$(dirname "$0")/../e2e/lib.sh"
. "$top/tests/e2e/debugging.sh"
FRAMEWORKS=${FRAMEWORKS:-net8.0 net9.0 net10.0 net11.0} TIMES=${TIMES:-3} JOBS=${JOBS:-2}
data=(--root "$top" --data measured.ilcov --format lcov=measured.lcov)

# attached: begins to measure the program that waits, and returns when it counts.
attached() {
    limited "$ILCOV" attach --timeout 60s --mode "$mode" "${data[@]}" "$pid" >attach.out 2>attach.said 8>&- &
    attacher=$!
    until_true counts_or_over
}
counts_or_over() {
    grep -q counting attach.said || over "$attacher"
}

# attached_behind: the debugger tells us instead of the program that its breakpoints are set. Then we come, and let the program go on.
attached_behind() {
    mkfifo held
    go=held
    {
        read -r _ <held
        attached
        echo go >&8
        exec 8>&-
        wait "$attacher"
    } &
    attacher=$!
}

# debug WHERE ORDER: one run in a debugger. Sets `status`.
debug() {
    local under=() dll=$program.dll source=Debugged.cs way=breakpoints meanwhile=: go=go attacher=
    case $2 in
    run*) under=("$ILCOV" run --quiet --mode "$mode" "${data[@]}" --) ;;
    attach*) meanwhile=attached ;;
    debug*) meanwhile=attached_behind ;;
    esac
    case $1 in
    suite)
        dll=${program%/*}/suite.dll source=suite/Suite.cs
        [ ${#under[@]} -eq 0 ] || under=("${under[@]:0:2}" --per-test "${under[@]:2}")
        ;;
    bodies) way=entries ;;
    esac
    debugged_in "$dll" $source "$1" it $way "${under[@]}"
    [ -z "$attacher" ] || wait "$attacher" || echo "attach: exit status $?" >>it.trouble
    [ $configuration = Debug ] || without_callers it.stops
    # How many frames of the framework lie between is a matter of time: what awaits goes on from a timer or a task.
    without_others it.stops
    sed -i '/^ready /d' it.out
}

# counted: is each line that the debugger stopped at hit?
counted() {
    awk -F'[:,]' '/^SF:/ { ours = /\/Debugged\.cs$/ } ours && /^DA:/ && $3 > 0 { print $2 }' measured.lcov | sort >hit
    comm -23 <(cut -d' ' -f1 it.stops | sort -u) hit
}

# cell WHERE ORDER MODE N: writes its row, `FRAMEWORK CONFIGURATION WHERE ORDER MODE RESULT`.
cell() {
    local where=$1 order=$2 mode=$3 result=same bare=$temp/$framework.$configuration.$1 status
    mkdir "$framework.$configuration.$where.$order.$mode.$4" && cd "$_" || exit 2
    debug "$where" "$order"
    if [ "$status" -ne 0 ] || [ -s it.trouble ]; then
        result="exit status $status: $(head -c 200 it.trouble)"
    elif [ "$order" = bare ]; then
        mkdir -p "$bare" && cat it.stops it.out >"$bare/$(cat it.stops it.out | sha1sum | cut -c1-10)"
    elif [ ! -e "$bare/$(cat it.stops it.out | sha1sum | cut -c1-10)" ]; then
        result=$(cat it.stops it.out | diff "$(find "$bare" -type f | head -n 1)" - | grep '^[<>]' | head -n 4 | paste -sd' ')
        result="different: $result"
    elif [ "$where" = debugged ] && [ -n "$(counted)" ]; then
        result="not counted: $(counted | paste -sd,)"
    fi
    echo "$framework $configuration $where $order $mode $result" >>"$temp/results"
    [ "$result" != same ] || rm -rf "$PWD"
}

# one_more CELL...: in the background, when fewer than JOBS are at work.
one_more() {
    while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do
        wait -n
    done
    (
        trap - EXIT
        cell "$@"
    ) </dev/null >"cell.$((++cells)).log" 2>&1 &
}

# all_of CONFIGURATION: of `program`.
all_of() {
    local where order mode n
    for where in debugged suite bodies; do
        for ((n = 0; n < TIMES; n++)); do
            one_more $where bare none $n
        done
    done
    wait
    for ((n = 0; n < TIMES; n++)); do
        for mode in count hit exact; do
            for order in run-debug attach-debug debug-attach; do
                one_more debugged $order $mode $n
            done
            [ $mode = exact ] || one_more suite run-debug $mode $n
            one_more bodies run-debug $mode $n
        done
    done
    wait
}

# results FRAMEWORK CONFIGURATION WHERE ORDER MODE: how many of how many were the same
results() {
    local prefix="$1 $2 $3 $4 $5 "
    printf '%d of %d' "$(grep -c "^${prefix}same\$" results)" "$TIMES"
}

# row WHERE ORDER MODE WHAT: one of the table, and its checks.
row() {
    local framework configuration got cells=''
    for framework in $tried; do
        for configuration in Debug Release; do
            got=$(results "$framework" $configuration "$1" "$2" "$3")
            cells="$cells $got |"
            grep "^$framework $configuration $1 $2 $3 " results | grep -v ' same$' >row.log
            if [ "$got" = "$TIMES of $TIMES" ]; then
                ok "$4, $3, $framework, $configuration"
            else
                not_ok "$4, $3, $framework, $configuration: $got" row.log
            fi
        done
    done
    echo "| $4 | $3 |$cells" >>rows
}

cells=0 tried=''
: >results
: >rows
for framework in $FRAMEWORKS; do
    [ "$framework" != net11.0 ] || on_dotnet_11 || continue
    for configuration in Debug Release; do
        case $framework in
        net8.0 | net9.0) build_for "$framework" unnoticed $configuration || continue 2 ;;
        *) build unnoticed $configuration ;;
        esac
        all_of
        for where in debugged suite bodies; do
            check "$framework, $configuration, bare: it stops, $where" \
                test "$(cat "$framework.$configuration.$where"/* | grep -c ' locals ')" -ge 2
        done
    done
    tried="$tried $framework"
done

for mode in count hit exact; do
    row debugged run-debug $mode 'run, then debug'
    row debugged attach-debug $mode 'attach, then debug'
    row debugged debug-attach $mode 'debug, then attach'
done
for mode in count hit; do
    row suite run-debug $mode 'run --per-test, then debug'
done
for mode in count hit exact; do
    row bodies run-debug $mode 'stopped in GetMethodBody'
done
varied=$(for folder in net*/; do
    [ ! -d "$folder" ] || [ "$(find "$folder" -maxdepth 1 -type f -size +0 | wc -l)" -le 1 ] || echo "$folder"
done | grep -E '(debugged|suite|bodies)/$' | tr -d / | paste -sd' ')

{
    cat <<END
## With a debugger

The debugger of \`tests/support/debugger.c\`, which uses the interface of every .NET debugger, on \`fixtures/unnoticed\`. A cell says how many of $TIMES runs ended normally, with
the same output, stops (lines and IL offsets) and values of locals as without ilcov. Each line that the debugger stopped at must be counted, too. Lines of callers
are not compared in Release.

| order | mode |$(for framework in $tried; do printf ' %s Debug | Release |' "${framework/net/.NET }"; done | sed 's/\.0 Debug/ Debug/g')
| --- | --- |$(for framework in $tried; do printf ' --- | --- |'; done)
$(cat rows)

END
    if [ -n "$varied" ]; then
        echo "Without ilcov, too, $TIMES runs were not all the same, and ours is one of theirs, in: $varied."
    else
        echo "Without ilcov, all $TIMES runs of each were the same."
    fi
} | tee debuggers.md
if [ -n "${RELIABILITY_DIR:-}" ]; then
    mkdir -p "$RELIABILITY_DIR" && cp debuggers.md "$RELIABILITY_DIR/debuggers.md" || exit 2
fi
finish
