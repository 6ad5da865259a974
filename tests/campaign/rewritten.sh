#!/bin/bash
# rewritten.sh - every assembly rewritten, in every mode, and still the same: the C# and the F# compiler make the same
# bytes of a program as without ilcov, MSBuild and `dotnet build` of a solution too, all with their own code, the SDK's and
# the framework's in scope; first without System.Private.CoreLib, then with it. Writes its section to
# $RELIABILITY_DIR/rewritten.md.
#
#   MODES    some of them (count hit exact)
#   STRESS   1: also with a collection for each MiB that is allocated (default)
. "$(dirname "$0")/../e2e/lib.sh"
. "$top/tests/campaign/compilers.sh"
read -ra modes <<<"${MODES:-count hit exact}"
solution=$top/bench/suites/toolbox/Toolbox.slnx artifacts=$top/build/e2e/$name
rows=

# tell PROGRAM WHAT SCOPE MODE START FAILED: adds a row; FAILED is how many checks had failed before.
tell() {
    local verdict=same
    [ "$failed" -eq "$6" ] || verdict=**different**
    rows+="| $1 | $2 | $3 | $4 | $instrumented | $((SECONDS - $5)) | $verdict |"$'\n'
}

# compiler PROGRAM OUTPUT COMMAND...: in all modes and scopes.
compiler() {
    local program=$1 output=$2 mode start before expected
    shift 2
    made "$@"
    expected=$(sums "out/$output.dll" "out/$output.pdb")
    for mode in "${modes[@]}"; do
        start=$SECONDS before=$failed
        compiles "$program, $mode, without System.Private.CoreLib" "$expected" "$output" --mode "$mode" -i '[*]*' \
            -x '[System.Private.CoreLib]*' -- "$@"
        tell "$program" "$output.dll and .pdb" 'all but System.Private.CoreLib' "$mode" $start $before
        start=$SECONDS before=$failed
        compiles "$program, $mode, all" "$expected" "$output" --mode "$mode" -i '[*]*' -- "$@"
        [ "$program" != csc ] || check "$program, $mode: $instrumented methods instrumented" [ "$instrumented" -gt 100000 ]
        tell "$program" "$output.dll and .pdb" all "$mode" $start $before
        [ "${STRESS:-1}" = 1 ] || continue
        start=$SECONDS before=$failed
        DOTNET_GCgen0size=100000 compiles "$program, $mode, all, a collection each MiB" "$expected" "$output" \
            --mode "$mode" -i '[*]*' -- "$@"
        tell "$program" "$output.dll and .pdb" 'all, a collection each MiB' "$mode" $start $before
    done
}

# What a build compiles; what it copies is not its own.
built() {
    (cd "$artifacts/obj" && find . -name 'Toolbox*.dll' -o -name 'Toolbox*.pdb' | sort | xargs sha256sum)
}

# builder PROGRAM COMMAND...
builder() {
    local program=$1 mode start before expected
    shift
    made "$@"
    expected=$(built)
    for mode in "${modes[@]}"; do
        start=$SECONDS before=$failed
        limited "$ILCOV" run -v --data everything.ilcov --format none --mode "$mode" -i '[*]*' -- "$@" >build.out 2>build.err
        status=$?
        if [ $status -ne 0 ]; then
            cat build.out build.err >build.log
            not_ok "$program, $mode: exit status $status" build.log
        fi
        check "$program, $mode: no warning or error" grep -q '^ *0 Warning(s)' build.out
        same "$program, $mode: the same bytes" "$expected" "$(built)"
        instrumented=$(methods build.err)
        tell "$program" 'bench/suites/toolbox, dll and pdb' all "$mode" $start $before
    done
}

compiler csc Toolbox "${csc[@]}"
compiler fsc Shapes "${fsc[@]}"

# Processes of the build are measured but for those that outlive it; one node, so that the work is done in the measured one.
made dotnet restore "$solution" --artifacts-path "$artifacts"
arguments=("$solution" -t:Rebuild -nologo -m:1 -p:Deterministic=true -p:UseSharedCompilation=false "-p:ArtifactsPath=$artifacts")
builder 'dotnet build' dotnet build --no-restore "${arguments[@]}"
builder MSBuild.dll dotnet "$sdk/MSBuild.dll" "${arguments[@]}"

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/rewritten.md" <<EOF
## Compilers and builds, rewritten

Compilers and builds with every assembly that they load rewritten, with or without symbols. Their output is compared byte for
byte with their output without ilcov. SDK $(dotnet --version). Methods: instrumented, in all processes.

| program | output | rewritten | mode | methods | seconds | bytes |
| --- | --- | --- | --- | ---: | ---: | --- |
$rows
EOF
fi
finish
