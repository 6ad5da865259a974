#!/bin/bash
# run.sh - what ilcov, coverlet.collector and Microsoft.CodeCoverage report of each construct of fixtures/constructs, as a
# table in docs/constructs.md, between the two comments that name this script.
#
#   tests/conformance/compare/run.sh             writes the table anew: read the diff
#   tests/conformance/compare/run.sh --check     fails where the table would change
#
#   ILCOV    the program to compare (build/ilcov); the tools of tests/support lie beside it
#
# Fails where ilcov does not report what the sources say, or differs from both others and no comment tells why (table.awk).
# All that is made goes to build/compare. The last line is `N passed, N failed`.
set -u
export LC_ALL=C.UTF-8 DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1

# Everything here ends soon: nothing is gained when methods are compiled again as they get warm (tests/e2e/lib.sh).
export DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF

here=$(cd "$(dirname "$0")" && pwd) || exit 2
top=$(cd "$here/../../.." && pwd) || exit 2
out=$top/build/compare
root=$top/fixtures/constructs
ilcov=${ILCOV:-$top/build/ilcov}
case $ilcov in /*) ;; *) ilcov=$PWD/$ilcov ;; esac
tools=$(dirname "$ilcov")
document=$top/docs/constructs.md
test=(dotnet test --no-build -maxcpucount:1 --artifacts-path "$out/artifacts")

# In the order of the table.
sources=(Constructs/{Conditions,Switches,Loops,Exceptions,Async,Functions,Members,Open}.cs Toplevel/Program.cs
    ConstructsFs/{Library,Open}.fs ConstructsVb/{Library,Open}.vb)
sources=("${sources[@]/#/src/}")

die() {
    printf 'compare: %s\n' "$1" >&2
    [ $# -lt 2 ] || tail -n 30 "$2" >&2
    printf '0 passed, 1 failed\n'
    exit 1
}

# quietly WHAT COMMAND...: shows the command's output only when it fails.
quietly() {
    local what=$1
    shift
    "$@" >"$out/log" 2>&1 </dev/null || die "$what failed" "$out/log"
}

# read_report NAME FILE: the lines of a report, as NAME.tsv.
read_report() {
    [ -s "$2" ] || die "$1 made no report" "$out/log"
    "$tools/read_cobertura" --root "$root" plain "$2" >"$out/$1.tsv" || die "the report of $1 can't be read"
}

# with_collector NAME COLLECTOR
with_collector() {
    rm -rf "${out:?}/$1"
    quietly "$1" "${test[@]}" --results-directory "$out/$1" --collect "$2"
    read_report "$1" "$(find "$out/$1" -name '*.cobertura.xml' | head -n 1)"
}

mkdir -p "$out" && cd "$root" || exit 2
quietly "building fixtures/constructs" dotnet build -maxcpucount:1 --artifacts-path "$out/artifacts"
quietly ilcov "$ilcov" run --root "$root" --data "$out/ilcov.ilcov" --format cobertura="$out/ilcov.xml" -- "${test[@]}"
read_report ilcov "$out/ilcov.xml"
with_collector coverlet 'XPlat Code Coverage'
with_collector microsoft 'Code Coverage;Format=cobertura'

# What is in Open.* is wrong, and table.awk sees that it still is.
failed=0
mapfile -t closed < <(printf '%s\n' "${sources[@]}" | grep -v '/Open\.')
"$tools/expect_coverage" "$out/ilcov.xml" "$root" "${closed[@]}" || failed=1

awk -f "$top/tests/support/annotations.awk" "${sources[@]}" >"$out/expected.tsv" || exit 2
versions=$(sed -n 's/.*Include="\(coverlet.collector\|Microsoft.NET.Test.Sdk\)" Version="\([^"]*\)".*/\2/p' \
    tests/*/*.csproj | paste -sd ' ')
{
    printf '| construct | ilcov | coverlet %s | Microsoft %s | if ilcov differs from both: why it is right |\n' $versions
    printf '| --- | --- | --- | --- | --- |\n'
    awk -f "$here/table.awk" "$out/expected.tsv" "$out"/{ilcov,coverlet,microsoft}.tsv "${sources[@]}" || touch "$out/bad"
} >"$out/table.md"
[ ! -e "$out/bad" ] || failed=1
rm -f "$out/bad"

sed -e '/^<!-- begin: make compare -->$/,/^<!-- end: make compare -->$/{/^<!-- begin/{p;r '"$out/table.md"'
};/^<!-- end/!d}' "$document" >"$out/document.md"
if [ "${1-}" = --check ]; then
    diff "$document" "$out/document.md" || failed=1
else
    cp "$out/document.md" "$document"
fi
printf '%d passed, %d failed\n' $((1 - failed)) $failed
exit $failed
