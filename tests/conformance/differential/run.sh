#!/bin/bash
# run.sh - random programs that know their own coverage, against what ilcov says of them, line by line and branch by
# branch, in Debug and Release. Prints `N passed, N failed`; the seed of a program is the number in its name.
#
#   run.sh [FIRST [COUNT]]     seeds FIRST (1) to FIRST + COUNT - 1 (50)
#
# Not part of `make check` yet. In async Debug code the arms of a bool `?:` that is kept while a later operand awaits are
# not told apart, so one program in ten differs there by two outcomes; and the optimiser removes a condition whose value
# nobody uses, which the generator does not always know.
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
here=$top/tests/conformance/differential
first=${1:-1} count=${2:-50}
out=$top/build/differential
passed=0 failed=0

build() {
    dotnet build "$1" --configuration "$2" --nologo --artifacts-path "$out/artifacts" >"$out/build.log" 2>&1 && return
    grep -E 'error|warning' "$out/build.log" | head -n 20
    echo '0 passed, 1 failed'
    exit 1
}

rm -rf "$out/programs" "$out/sources"
mkdir -p "$out/programs"
build "$here" Release
"$out/artifacts/bin/differential/release/differential" "$first" "$count" "$out/sources" || exit 2
cp "$here/Truth.cs" "$out/sources/"
sed -e 's/<EnableDefaultCompileItems>false/<EnableDefaultCompileItems>true/' -e '/<Compile Include/d' \
    "$here/differential.csproj" >"$out/programs/programs.csproj"
printf '<Project />\n' >"$out/programs/Directory.Build.props"

# The programs replace their own sources by what they tell of them.
for configuration in Debug Release; do
    cp "$out"/sources/*.cs "$out/programs/"
    build "$out/programs" $configuration
    program=$out/artifacts/bin/programs/${configuration,}/programs
    if ! timeout 300 "$top/build/ilcov" run --quiet --data "$out/programs.ilcov" --format cobertura="$out/$configuration.xml" \
        --root "$out/programs" -- "$program" "$out/sources" "$out/programs" >"$out/run.log" 2>&1; then
        tail -n 5 "$out/run.log"
        failed=$((failed + 1))
        continue
    fi
    for ((n = first; n < first + count; n++)); do
        if (cd "$out/programs" && "$top/build/expect_coverage" --configuration $configuration \
            "$out/$configuration.xml" "$out/programs" P$n.cs) >"$out/wrong.log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "not ok - seed $n, $configuration"
            head -n 5 "$out/wrong.log" | sed 's/^/#   /'
        fi
    done
done
printf '%d passed, %d failed\n' $passed $failed
[ $failed -eq 0 ]
