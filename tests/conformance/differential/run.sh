#!/bin/bash
# run.sh - random programs that know their own coverage, and conditions whose coverage comes from evaluating their trees
# (C1.cs), against what ilcov reports, line by line and branch by branch, in Debug and Release: each count in exact mode,
# because some use threads; hit or missed in the other two. Prints `N passed, N failed`; the number in the name of a program is
# its seed.
#
#   run.sh [FIRST [COUNT]]     seeds FIRST (1) to FIRST + COUNT - 1 (50)
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
here=$top/tests/conformance/differential
first=${1:-1} count=${2:-50}
out=$top/build/differential
passed=0 failed=0

# The SDK's tools are precompiled and end soon: nothing is gained when they compile their methods again (tests/e2e/lib.sh).
build() {
    DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF dotnet build "$1" --configuration "$2" --nologo --artifacts-path "$out/artifacts" >"$out/build.log" 2>&1 && return
    grep -E 'error|warning' "$out/build.log" | head -n 20
    echo '0 passed, 1 failed'
    exit 1
}

rm -rf "$out/programs" "$out/sources"
mkdir -p "$out/programs"
build "$here" Release
"$out/artifacts/bin/differential/release/differential" "$first" "$count" "$out/sources" threads || exit 2
cp "$here/Truth.cs" "$out/sources/"
sed -e 's/<EnableDefaultCompileItems>false/<EnableDefaultCompileItems>true/' -e '/<Compile Include/d' \
    "$here/differential.csproj" >"$out/programs/programs.csproj"
printf '<Project />\n' >"$out/programs/Directory.Build.props"

# The programs replace their own sources by what they tell of them.
for configuration in Debug Release; do
    cp "$out"/sources/*.cs "$out/programs/"
    build "$out/programs" $configuration
    program=$out/artifacts/bin/programs/${configuration,}/programs
    for mode in exact count hit; do
        report=$out/$configuration-$mode.xml
        if ! timeout 600 "$top/build/ilcov" run --quiet --mode $mode --data "$out/programs.ilcov" --format cobertura="$report" \
            --root "$out/programs" -- "$program" "$out/sources" "$out/programs" >"$out/run.log" 2>&1; then
            tail -n 5 "$out/run.log"
            failed=$((failed + 1))
            continue
        fi
        (cd "$out/programs" && "$top/build/expect_coverage" --configuration $configuration \
            $([ $mode = exact ] || echo --hit-only) "$report" "$out/programs" "C$first.cs" $(printf 'P%d.cs\n' $(seq "$first" $((first + count - 1))))) \
            >"$out/wrong.log" 2>&1 || [ -s "$out/wrong.log" ] || echo 'expect_coverage: failed' >"$out/wrong.log"
        mapfile -t wrong < <(sed 's/:.*//' "$out/wrong.log" | sort -u)
        passed=$((passed + count + 1 - ${#wrong[@]})) failed=$((failed + ${#wrong[@]}))
        for n in "${wrong[@]}"; do
            echo "not ok - $n, $configuration, $mode"
            grep "^$n:" "$out/wrong.log" | head -n 5 | sed 's/^/#   /'
        done
    done
done
printf '%d passed, %d failed\n' $passed $failed
[ $failed -eq 0 ]
