#!/bin/bash
# The program under test does not notice: what it is told of its callers, assemblies and frames, its streams, descriptors,
# files and limits are those of a run without coverage, and so are what its children inherit and where a debugger stops. What
# does differ is what docs/troubleshooting.md lists.
. "$(dirname "$0")/lib.sh"
. "$top/tests/e2e/debugging.sh"
quiet=(--root "$top" --quiet --data quiet.ilcov --format none)

# ended: lets what was started go on; `status` is its exit status.
ended() {
    echo go >&8
    exec 8>&-
    wait "$started"
    status=$?
}

# plain_names: what differs from process to process made equal, and each name once
plain_names() {
    sed -E 's/[0-9]{2,}/N/g' | sort -u
}

# opened PID: what its descriptors lead to
opened() {
    find "/proc/$1/fd" -type l -printf '%l\n' | plain_names
}

# mapped PID: the files in its memory
mapped() {
    sed -n 's|^[^/]* \(/.*\)|\1|p' "/proc/$1/maps" | plain_names
}

# documented FILE: the variables that it says ilcov sets
documented() {
    sed -n '/ilcov sets these variables/,/^- `libilcov/p; /^\.\\" variables/,/^\.\\" end/p' "$1" |
        grep -oE '\b(CORECLR|DOTNET|ILCOV)_[A-Z0-9_]+' | sort
}

# inexact FILE: without what the runtime does not know exactly in optimised code. Of a frame that no exception was thrown in,
# it has the offset of what stands behind the call, or of the call: that of the call where a probe stands behind it.
inexact() {
    sed -i '/^offset \(behind\|in clauses\|of callers\)/d' "$1"
}

# same_but_ours WHAT NAME: does NAME have what bare.NAME has, and nothing else that is not ilcov's?
ours='^/dev/shm/ilcov-|/libilcov\.so$'
same_but_ours() {
    check "$1" diff "bare.$2" <(grep -Ev "$ours" "$2")
}

# --- what it is told ----------------------------------------------------------------------------------------------------

for configuration in Debug Release; do
    build unnoticed "$configuration"
    (cd "$(dirname "$program")" && find . -type f -exec sha256sum {} + | sort) >"before.$configuration"

    settings=(TieredPGO=1)
    if [ $configuration = Release ] || long; then # Debug has no tiers
        settings+=(TieredCompilation=0 TC_CallCountThreshold=2)
    fi
    for setting in "${settings[@]}"; do
        what="$configuration, $setting"
        limited env DOTNET_TC_CallCountingDelayMs=0 "DOTNET_$setting" "$program" identity >bare.out
        same "$what, bare: exit status" 0 $?
        if [ "$configuration $setting" = 'Release TieredCompilation=0' ]; then
            inexact bare.out
        fi
        modes=(exact)
        if [ $setting = TieredPGO=1 ] || long; then
            modes=(count hit exact)
        fi
        for mode in "${modes[@]}"; do
            # .NET 11 tells the call of a probe of `exact` apart where it tells nothing apart without: on the same line.
            [ $net = net10.0 ] || sed -i '/^offset in a loop/d' bare.out
            measure identity --root "$top" --mode $mode -- env DOTNET_TC_CallCountingDelayMs=0 "DOTNET_$setting" "$program" identity
            same "$what, $mode: exit status" 0 "$status"
            if [ "$configuration $setting" = 'Release TieredCompilation=0' ]; then
                inexact identity.out
            fi
            [ $net = net10.0 ] || sed -i '/^offset in a loop/d' identity.out
            check "$what, $mode: callers, assemblies and IL offsets" cmp bare.out identity.out
        done
    done

    # .NET 11 itself does not start without standard input.
    if [ $net = net10.0 ]; then
        limited env DOTNET_TieredCompilation=0 "$program" process <&- >bare.out 2>bare.err
        limited env DOTNET_TieredCompilation=0 "$ILCOV" run "${quiet[@]}" -- "$program" process <&- >process.out 2>process.err
        # The runtime starts a thread for profilers that are to be detached; ilcov starts none.
        check "$configuration: one thread more, the runtime's own" test "$(grep -c '^thread: ' process.out)" \
            -eq $(($(grep -c '^thread: ' bare.out) + 1))
        sed -i '/^thread: unnoticed$/d; s|/bare\.|/process.|' bare.out process.out
        check "$configuration: directory, arguments, limits, signals, threads, closed input" diff bare.out process.out
        check "$configuration: nothing on standard error" cmp bare.err process.err
    fi

    # --- streams --------------------------------------------------------------------------------------------------------

    head -c 300000 "$program.dll" >input
    limited "$program" echo <input >bare.out 2>bare.err
    limited "$ILCOV" run "${quiet[@]}" -- "$program" echo <input >echo.out 2>echo.err
    check "$configuration: standard input arrives, standard output is its own" cmp input echo.out
    check "$configuration: standard error is its own" cmp bare.err echo.err
    limited "$ILCOV" run --root "$top" --data echo.ilcov --format none -- \
        sh -c '"$1" echo 2>"$2"' sh "$program" "$temp/own.err" <input >echo.out 2>echo.err
    check "$configuration: ilcov's summary is on its own standard error" cmp bare.err own.err
    check "$configuration: and not on standard output" cmp input echo.out
    if command -v script >/dev/null; then
        limited script -qec "'$program' terminal" /dev/null </dev/null >bare.out
        limited script -qec "'$ILCOV' run --quiet --root '$top' --data tty.ilcov --format none -- '$program' terminal" /dev/null \
            </dev/null >terminal.out
        check "$configuration: a terminal is one" grep -q 'terminals: 1 1 1' bare.out
        check "$configuration: a terminal stays one" cmp bare.out terminal.out
    else
        skip "$configuration: a terminal stays one" "there is no script"
    fi

    # --- children and environment ---------------------------------------------------------------------------------------

    limited "$program" child >bare.out
    limited "$ILCOV" run "${quiet[@]}" -- "$program" child >child.out
    check "$configuration: children inherit no descriptor" cmp bare.out child.out

    limited "$program" environment >bare.out
    limited "$ILCOV" run "${quiet[@]}" -- "$program" environment >environment.out
    same "$configuration: no variable is changed or taken away" '' "$(comm -23 bare.out environment.out)"
    comm -13 bare.out environment.out | sed 's/=.*//' | sort >added
    for page in troubleshooting.md ilcov.1; do
        same "$configuration: the variables that ilcov sets are those in docs/$page" \
            "$(documented "$top/docs/$page" | paste -sd' ')" "$(paste -sd' ' added)"
    done

    # --- files ----------------------------------------------------------------------------------------------------------

    cp -r "$(dirname "$program")" "own.$configuration"
    own=$temp/own.$configuration/unnoticed
    started wait.out "$own" wait
    opened "$pid" >bare.opened
    mapped "$pid" >bare.mapped
    ended
    same "$configuration, bare: exit status" 0 "$status"
    started wait.out "$ILCOV" run "${quiet[@]}" -- "$own" wait
    opened "$pid" >opened
    mapped "$pid" >mapped
    same_but_ours "$configuration: no file is held open but ilcov's own" opened
    same_but_ours "$configuration: no file is mapped but ilcov's own" mapped
    same "$configuration: nor does ilcov itself hold one" '' \
        "$(find "/proc/$(ps -o ppid= -p "$pid" | tr -d ' ')/fd" -lname '*.dll' -o -lname '*.pdb')"
    check "$configuration: what runs can be replaced and removed" \
        bash -c 'cp "$1.dll" "$1.new" && mv "$1.new" "$1.dll" && rm "$1.dll" "$1.pdb" "${1%/*}"/library.*' - "$own"
    ended
    same "$configuration: and runs on: exit status" 0 "$status"

    # --- a debugger -----------------------------------------------------------------------------------------------------

    if [ ! -x "$DEBUGGER" ]; then
        skip "$configuration: a debugger" "$DEBUGGER is missing"
        continue
    fi
    debugged bare breakpoints
    if grep -q 'the process can.t be debugged' bare.trouble; then
        skip "$configuration: a debugger" "processes may not be debugged here"
        continue
    fi
    same "$configuration, bare: stops at breakpoints: exit status" 0 "$status"
    [ "$configuration" = Debug ] || without_callers bare.stops
    check "$configuration, bare: stops at breakpoints" grep -q '^33 Loop ' bare.stops
    for mode in count hit exact; do
        debugged $mode breakpoints "$ILCOV" run "${quiet[@]}" --mode $mode --
        [ "$configuration" = Debug ] || without_callers $mode.stops
        same "$configuration, $mode: stops at breakpoints: exit status" 0 "$status"
        check "$configuration, $mode: the same lines, offsets and values at breakpoints" diff bare.stops $mode.stops
    done
    debugged_in "${program%/*}/suite.dll" suite/Suite.cs suite bare.suite breakpoints
    if [ "$configuration" = Debug ]; then without_others bare.suite.stops; else without_callers bare.suite.stops; fi
    same "$configuration, bare: stops in tests: exit status" 0 "$status"
    check "$configuration, bare: stops in tests" grep -q ' Number ' bare.suite.stops
    for mode in count hit; do
        debugged_in "${program%/*}/suite.dll" suite/Suite.cs suite $mode.suite breakpoints "$ILCOV" run "${quiet[@]}" --mode $mode --per-test --
        if [ "$configuration" = Debug ]; then without_others $mode.suite.stops; else without_callers $mode.suite.stops; fi
        same "$configuration, $mode, per test: stops in tests: exit status" 0 "$status"
        check "$configuration, $mode, per test: the same lines, offsets and values" diff bare.suite.stops $mode.suite.stops
        check "$configuration, $mode, per test: tests return what they return" \
            diff <(sed 1d bare.suite.out) <(sed 1d $mode.suite.out)
        same "$configuration, $mode, per test: all tests are told apart" 8 \
            "$(limited "$ILCOV" tests -d quiet.ilcov 2>/dev/null | grep -c Suite)"
    done
    debugged_in '' Debugged.cs bodies bare entries
    check "$configuration, bare: stops in GetMethodBody, of a method and of a constructor" test "$(grep -c GetMethodBody bare.stops)" -ge 2
    cp bare.out bodies.out
    for mode in count hit exact; do
        [ $mode = count ] || long || continue
        debugged_in '' Debugged.cs bodies $mode entries "$ILCOV" run "${quiet[@]}" --mode $mode --
        same "$configuration, $mode: stops in GetMethodBody: exit status" 0 "$status"
        check "$configuration, $mode: the same stops in GetMethodBody" diff bare.stops $mode.stops
        check "$configuration, $mode: which shows bodies as the compiler wrote them" diff <(grep -v ready bodies.out) <(grep -v ready $mode.out)
    done
    if [ "$configuration" = Debug ]; then
        debugged bare steps
        same "$configuration, bare: goes from statement to statement: exit status" 0 "$status"
        for mode in count hit exact; do
            debugged $mode steps "$ILCOV" run "${quiet[@]}" --mode $mode --
            same "$configuration, $mode: goes from statement to statement: exit status" 0 "$status"
            check "$configuration, $mode: the same statements one after another" diff bare.stops $mode.stops
        done
    fi
done

# --- what was built -----------------------------------------------------------------------------------------------------

for configuration in Debug Release; do
    build unnoticed $configuration
    (cd "$(dirname "$program")" && find . -type f -exec sha256sum {} + | sort) >after
    check "$configuration: no file of the build is changed, added or removed" diff "before.$configuration" after
done
finish
