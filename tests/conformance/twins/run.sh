#!/bin/bash
# run.sh - random programs as a user writes them, against twins of theirs that count what runs in statements of their own:
# hits of lines, outcomes of conditions, arms, and the sentences of `ilcov show`, in Debug and Release. tests/conformance/
# differential, the other generator, wraps what it counts in calls that the compiler sees, too; here it sees none.
# Differences are in build/twins/differences: configuration, kind, construct, method, line, expected, reported.
#
#   run.sh [generate|visual_basic|fsharp] [FIRST [COUNT]]     seeds FIRST (1) to FIRST + COUNT - 1 (20) of that generator
#                                                             (generate: C#), in assemblies of 100
top=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
. "$top/tests/e2e/lib.sh"
here=$top/tests/conformance/twins
generator=generate
case ${1:-} in
[a-z]*) generator=$1 && shift ;;
esac
first=${1:-1} count=${2:-20} out=$top/build/twins/$generator
rm -rf "$out"
mkdir -p "$out"
cd "$out" || exit 2
: >differences

# compile FOLDER CONFIGURATION: sets `program`. The options are those that `dotnet build` gives the compiler. C# has Twin.cs among its
# sources, the others refer to it.
compile() {
    local sdk optimize=+ dash=-
    if [ $generator = generate ]; then
        cp "$here/Twin.cs" "$temp/$1/"
        compiled "$1" "$2" -unsafe+ -nullable+
        return
    fi
    if [ ! -e "$temp/Shared.Release" ]; then
        mkdir "$temp/Shared"
        cp "$here/Twin.cs" "$temp/Shared/"
        compiled Shared Release -nullable+ -target:library
        printf '%s\n' "${compiler[@]}" "-r:${program%/*}/Shared.dll" | grep '^-r:' >"$temp/references"
    fi
    sdk=$(dirname "$(readlink -f "$(command -v dotnet)")")/sdk/$(dotnet --version)
    [ "$2" = Release ] || optimize=-
    program=$temp/$1.$2/$1.dll
    mkdir -p "${program%/*}"
    cp "$temp/Shared.Release/"* "${program%/*}"
    cp "$temp/Shared.Release/Shared.runtimeconfig.json" "${program%.dll}.runtimeconfig.json"
    [ $generator = visual_basic ] || dash=--
    set -- "${dash}optimize$optimize" ${dash}debug:portable ${dash}target:exe "${dash}out:$program" "@$temp/references" "$temp/$1"/*.[vf][bs]
    if [ $generator = visual_basic ]; then
        made dotnet exec "$sdk/Roslyn/bincore/vbc.dll" -noconfig -nologo -nostdlib -vbruntime- -optionstrict- -optioninfer+ -nowarn -deterministic+ \
            -checksumalgorithm:SHA256 -define:_MyType=\"Empty\" -imports:System,System.Collections.Generic,System.Linq,System.Threading.Tasks,Microsoft.VisualBasic "$@"
    else
        cp "$sdk/FSharp/FSharp.Core.dll" "${program%/*}"
        made dotnet exec "$sdk/FSharp/fsc.dll" --noframework --nologo --nowarn:3370 --deterministic+ --checksumalgorithm:SHA256 --targetprofile:netcore \
            "--tailcalls$optimize" --simpleresolution "-r:$sdk/FSharp/FSharp.Core.dll" "$@"
    fi
}

# assembly FIRST COUNT
assembly() {
    local into=$out/$1 seeds="$1 to $(($1 + $2 - 1))" configuration
    made python3 -S "$here/$generator.py" "$1" "$2" "$into"
    ln -sfn "$into/plain" "$temp/plain"
    ln -sfn "$into/twin" "$temp/twin"
    compile twin Debug
    if ! limited dotnet "$program" "$into/counts.json" >"$into/twin.out"; then
        not_ok "$seeds: the twins run" "$into/twin.out"
        return
    fi
    for configuration in Debug Release; do
        compile plain $configuration
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
