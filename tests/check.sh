#!/bin/bash
# check.sh [--failed] - everything that CI runs, step by step; with --failed what builds, and what failed or did not end the last time. Each step's output goes to build/check/<step>.log; the end of a failed one is
# shown. Counts are read from the lines `N passed, N failed`; a step that has none counts as one test.
# After them come the seconds that the step took, and its CPU time. The run ends with the steps that cost most, what the whole
# took, and `N passed, N failed`, with `, N skipped` if something was.
cd "$(dirname "$0")/.." || exit 2

# What a step leaves behind, such as the compiler server and MSBuild's nodes, becomes a child of this shell, so that its CPU time
# is part of the whole.
if [ -z "${ILCOV_CHECK_ADOPTS:-}" ] && command -v python3 >/dev/null; then
    export ILCOV_CHECK_ADOPTS=yes
    exec python3 -c 'import ctypes, os, sys
os.environ["PATH"] = os.path.dirname(sys.executable) + ":" + os.environ["PATH"] # as lib.sh does
PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])' "$PWD/tests/check.sh" "$@"
fi
unset ILCOV_CHECK_ADOPTS

cpu_most=1200 # seconds of CPU time that the whole may take before this says so
only_failed=''
[ "${1:-}" != --failed ] || only_failed=yes
mkdir -p build/check
[ -n "$only_failed" ] || rm -f build/check/*.counts
rm -f build/check/*.time
jobs=$(nproc 2>/dev/null || echo 2)

# Hundreds of builds: one compiler server that stays for as long as this takes, and nodes of MSBuild that no other build uses. MSBuild
# takes properties from the environment, too: without analyzers a compilation costs a third less and makes the same.
export RunAnalyzers=false EnableNETAnalyzers=false NuGetAudit=false
export UseSharedCompilation=true SharedCompilationId=ilcov-check-$$ MSBUILDNODEHANDSHAKESALT=ilcov-check-$$
unset MSBUILDDISABLENODEREUSE
stop_servers() {
    local dotnet
    if dotnet=$(readlink -f "$(command -v dotnet)"); then
        "${dotnet%/*}/sdk/$(dotnet --version)/Roslyn/bincore/VBCSCompiler" "-pipename:$SharedCompilationId" -shutdown >/dev/null 2>&1
    fi
    pkill -P $$ -f nodemode: # our children alone
    sleep 1
}
trap stop_servers EXIT

# Adds up what a log says; prints "passed failed skipped", or nothing when it counts nothing.
tally() {
    awk '
        /^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3; if ($6 == "skipped") s += $5; seen = 1 }
        END { if (seen) print p + 0, f + 0, s + 0 }' "$1"
}

# is_done NAME: is it not to run again? Its counts are those of the last time.
is_done() {
    case $1 in build-*) return 1 ;; esac
    [ -n "$only_failed" ] && grep -q '^[0-9]* 0 ' "build/check/$1.counts" 2>/dev/null
}

# step NAME SECONDS COMMAND...
step() {
    local name=$1 limit=$2 log=build/check/$1.log status start=$SECONDS p f s TIMEFORMAT='%U %S' cpu
    shift 2
    ! is_done "$name" || return 0
    rm -f "build/check/$name.counts"
    { time timeout -k 10 "$limit" "$@" >"$log" 2>&1 </dev/null; } 2>"build/check/$name.time"
    status=$?
    cpu=$(awk '{ printf "%.0f", $1 + $2 }' "build/check/$name.time")
    read -r p f s < <(tally "$log")
    if [ -z "$p" ]; then
        p=$((status == 0)) f=0 s=0
    fi
    [ $status -ne 0 ] && [ "$f" -eq 0 ] && f=1
    echo "$p $f $s" >"build/check/$name.counts"
    {
        printf '%-24s %5d passed %3d failed %3d skipped  %4d s, CPU %4d s\n' "$name" "$p" "$f" "$s" $((SECONDS - start)) "$cpu"
        if [ $status -ne 0 ]; then
            [ $status -eq 124 ] && echo "    it ran longer than $limit s" >>"$log"
            grep -E '^not ok|^#  |\[  FAILED  \]|^failed:|error:|warning:|[Ee]rror ' "$log" | tail -n 30 | sed 's/^/    /'
            tail -n 12 "$log" | sed 's/^/    | /'
        fi
    } >"build/check/$name.report"
    cat "build/check/$name.report"
}

# beside NAME SECONDS COMMAND...: a step that keeps one processor busy at most, with others, `at_once` in all. What it needs
# is built, and nothing that it makes is another's. Sets `pid`.
at_once=$jobs
beside() {
    while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do
        wait -n
    done
    step "$@" &
    pid=$!
}

step build-gcc 600 make -j"$jobs" programs WERROR=1
step clang-warnings 600 make warnings CC=clang
step build-sanitized 900 make -j"$jobs" sanitized WERROR=1
step layers 60 tests/layers.py
step headers 120 tests/headers.sh
step links 60 tests/links.py
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    step format 60 make format-check
fi
step build-fixtures 600 tests/e2e/build_fixtures.sh
# The longest first. Their limits are for a machine that has much else to do.
beside unit-valgrind 900 make valgrind-brief
beside cppcheck 600 make cppcheck
beside rewrite-framework 600 tests/conformance/rewrite_framework.sh
framework=$pid
beside unit 600 make unit
beside unit-sanitized 900 env ILCOV_TEST_BRIEF=1 make unit SAN=address,undefined WERROR=1
beside unit-threads 600 make unit-threads WERROR=1
beside fuzz 600 make fuzz FUZZ_SECONDS=1 FUZZ_MUTATIONS=5000 FUZZ_CUT_STEP=13 WERROR=1
beside oracle 600 tests/conformance/oracle/run.sh
beside differential 600 tests/conformance/differential/run.sh
beside twins 600 tests/conformance/twins/run.sh 35 32 # seeds that failed once
wait $framework # it reads what the following build in build/e2e
at_once=$((jobs + 1)) # for much of their time they wait
longest=(diff hazards stacks attach hosts merge one_profiler reflection precompiled)
mapfile -t others < <(printf '%s\n' tests/e2e/test_*.sh | sed 's|.*/test_||; s|\.sh$||' | grep -vxF "$(printf '%s\n' "${longest[@]}")")
for test in "${longest[@]}" "${others[@]}"; do
    beside "e2e-$test" 900 bash "tests/e2e/test_$test.sh"
done
wait

trap - EXIT
stop_servers

# In this shell, because only it knows what it waited for.
times >build/check/times
cpu=$(awk '{ for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); n += part[1] * 60 + part[2] } } END { printf "%.0f", n }' \
    build/check/times)
of_steps=$(cat build/check/*.time | awk '{ n += $1 + $2 } END { printf "%.0f", n }')
echo "the steps that cost most CPU time:"
(cd build/check && awk '{ name = FILENAME; sub(/\.time$/, "", name); printf "%7.0f s  %s\n", $1 + $2, name }' *.time) |
    sort -rn | head -n 12
printf '%7d s  (compiler server, MSBuild nodes and whatever else outlived its step)\n' $((cpu - of_steps))
printf 'the whole: %d s, CPU time %d s\n' $SECONDS "$cpu"
if [ "$cpu" -gt $cpu_most ]; then
    echo "warning: that is more CPU time than the $cpu_most s that a check should take"
fi

# Last, because whoever gets only the end of this is to learn what failed.
for counts in build/check/*.counts; do
    read -r p f s <"$counts"
    [ "$f" -eq 0 ] || cat "${counts%.counts}.report"
done
read -r passed failed skipped < <(cat build/check/*.counts | awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
if [ $skipped -ne 0 ]; then
    printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
else
    printf '%d passed, %d failed\n' $passed $failed
fi
[ $failed -eq 0 ]
