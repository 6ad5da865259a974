#!/bin/bash
# run.sh - `ilcov affected` against changes to solutions: for each, the whole suite runs. Fails if a test that it selected would not have
# seen what the suite sees, if it selects anything for a change that changes nothing, or if the median selection is above a tenth of the
# tests (Table.cs). The solutions: two that Generator.cs writes, in Debug and in Release, and those named.
#
#   run.sh [--mutants N] [--neutral N] [--seed N] [--topics N] [--jobs N] [--generated N] [--configuration NAME] [--small] [--keep] [PROJECT...]
#   run.sh --edits FILE [--jobs N] [--keep] PROJECT     changes that people wrote (HandEdits.cs); each has to be seen, and each test that sees it selected
#
#   --small   no word about shares: a few tests
#   --keep    what was built and recorded before stays
#   PROJECT   a project of xunit 2 tests for .NET 10 that builds as it is. Its folder and those of its references have no bin and obj.
#   AFFECTED  the command to try, to which a folder is added (build/ilcov affected -d BASE --json); with {} for BASE
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
ILCOV=${ILCOV:-$top/build/ilcov}
out=${OUT:-$top/build/mutants}
mutants=350 neutral=117 seed=1 topics=42 jobs=2 generated=2 only= small= keep= edits=
projects=()
while [ $# -gt 0 ]; do
    case $1 in
    --mutants | --neutral | --seed | --topics | --jobs | --generated) declare "${1#--}=$2" && shift ;;
    --configuration) only=$2 && shift ;;
    --small) small=--small ;;
    --keep) keep=yes ;;
    --edits) small=--edits generated=0 && edits=$(realpath "$2") && shift ;;
    *) projects+=("$(realpath "$1")") ;;
    esac
    shift
done

fail() {
    [ $# -lt 2 ] || tail -n 30 "$2"
    echo "$1"
    echo '0 passed, 1 failed'
    exit 1
}
# The SDK's tools are precompiled and end soon: nothing is gained when they compile their methods again (tests/e2e/lib.sh).
build() {
    DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF dotnet build "$@" --nologo -p:RunAnalyzers=false -p:NuGetAudit=false >"$out/build.log" 2>&1 ||
        fail "$1 does not compile" "$out/build.log"
}

mkdir -p "$out"
[ "$keep" ] || build "$top/tests/mutants" --configuration Release --artifacts-path "$out/tool"
tool=$out/tool/bin/mutants/release/mutants
[ "$generated" -eq 0 ] || for n in $(seq "$generated"); do
    if [ -z "$keep" ]; then
        rm -rf "$out/generated$n"
        "$tool" generate $((seed + n - 1)) "$topics" "$out/generated$n/source" >"$out/generate.log" 2>&1 ||
            fail "solution $n is not written" "$out/generate.log"
    fi
    projects+=("$out/generated$n/source/Suite/Suite.csproj")
done

results=()
for project in "${projects[@]}"; do
    case $project in
    "$out"/generated*) name=${project#"$out/"} name=${name%%/*} root=$out/$name/source ;;
    *) name=$(basename "$project" .csproj) root=$(git -C "$(dirname "$project")" rev-parse --show-toplevel) ;;
    esac
    # One in Debug, one in Release, unless all are wanted in one.
    configuration=Debug
    [ "$name" != generated2 ] || configuration=Release
    configuration=${only:-$configuration}
    place=$out/$name
    if [ -z "$keep" ]; then
        rm -rf "$place/arguments" "$place/artifacts" "$place/base"
        build "$project" --configuration $configuration --artifacts-path "$place/artifacts" -p:ProvideCommandLineArgs=true \
            -p:MutantsArguments="$place/arguments" -p:CustomAfterMicrosoftCommonTargets="$top/tests/mutants/arguments.targets"
        dotnet msbuild "$project" -p:Configuration=$configuration -p:ArtifactsPath="$place/artifacts" -p:UseArtifactsOutput=true \
            -getProperty:TargetPath >"$place/target"
        "$tool" base "$place/arguments" "$(dirname "$(<"$place/target")")" "$place/base" >"$out/base.log" 2>&1 ||
            fail "$name is not compiled" "$out/base.log"
        "$ILCOV" run -q --per-test --mode hit --root "$root" -d "$place/base.ilcov" -f none -- \
            dotnet test "$place/base/$(basename "$(<"$place/target")")" >"$out/record.log" 2>&1 ||
            fail "$name: the tests fail under ilcov" "$out/record.log"
    fi
    tests=$(basename "$(<"$place/target")" .dll)
    rm -rf "$place/work" && mkdir -p "$place/work"
    affected=${AFFECTED:-$ILCOV affected -d {\} --json}
    "$tool" campaign --name "$name" --arguments "$place/arguments" --output "$place/base" --tests "$tests" --affected "${affected//\{\}/$place/base.ilcov}" --work "$place/work" \
        --results "$place/results.json" --seed "$seed" --mutants "$mutants" --neutral "$neutral" --jobs "$jobs" \
        ${edits:+--edits "$edits"} 2>&1 || fail "$name: the campaign ended"
    rm -rf "$place/work"
    results+=("$place/results.json")
done
"$tool" table $small "${results[@]}"
