#!/bin/bash
# run.sh - random C# programs as a user writes them, against twins of theirs that count what runs in statements of their own:
# hits of lines, outcomes of conditions, arms, and the sentences of `ilcov show`, in Debug and Release. tests/conformance/
# differential, the other generator, wraps what it counts in calls that the compiler sees, too; here it sees none.
# Differences are in build/twins/differences: configuration, kind, construct, method, line, expected, reported.
#
#   run.sh [FIRST [COUNT]]     seeds FIRST (1) to FIRST + COUNT - 1 (20), in assemblies of 100
top=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
. "$top/tests/e2e/lib.sh"
here=$top/tests/conformance/twins
first=${1:-1} count=${2:-20} out=$top/build/twins
rm -rf "$out"
mkdir -p "$out"
cd "$out" || exit 2
: >differences

# assembly FIRST COUNT
assembly() {
    local into=$out/$1 seeds="$1 to $(($1 + $2 - 1))" configuration
    made python3 -S "$here/generate.py" "$1" "$2" "$into"
    cp "$here/Twin.cs" "$into/plain/"
    cp "$here/Twin.cs" "$into/twin/"
    ln -sfn "$into/plain" "$temp/plain"
    ln -sfn "$into/twin" "$temp/twin"
    compiled twin Release -unsafe+ -nullable+
    if ! limited dotnet "$program" "$into/counts.json" >"$into/twin.out"; then
        not_ok "$seeds: the twins run" "$into/twin.out"
        return
    fi
    for configuration in Debug Release; do
        compiled plain $configuration -unsafe+ -nullable+
        limited "$ILCOV" run --quiet --mode exact --data "$into/$configuration.ilcov" --root "$into" \
            --format "json=$into/$configuration.json" -- dotnet "$program" >"$into/$configuration.out" 2>"$into/$configuration.err"
        check "$seeds, $configuration: a program does what its twin does" \
            cmp "$into/$configuration.out" "$into/twin.out"
        python3 -S "$here/compare.py" $configuration "$into/expected.json" "$into/counts.json" "$into/$configuration.json" \
            "$ILCOV" "$into/$configuration.ilcov" >"$into/$configuration.differences" || not_ok "$seeds, $configuration: compared"
        cat "$into/$configuration.differences" >>differences
        check "$seeds, $configuration: no difference" test ! -s "$into/$configuration.differences"
    done
}

for ((n = first; n < first + count; n += 100)); do
    assembly $n $((first + count - n < 100 ? first + count - n : 100))
done
cut -f 1-2 differences | sort | uniq -c | sort -rn
finish
