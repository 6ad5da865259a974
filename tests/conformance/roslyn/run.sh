#!/bin/bash
# run.sh - a suite that people wrote, against a copy of it that the compiler's own library has rewritten so that it counts
# statements, outcomes and arms itself (Rewriter.cs): hits of lines, outcomes of conditions, arms, and the sentences of `ilcov show`,
# in a Debug build. What differs between two runs of the copy, or of the suite, is left out, and so is what does not compile when rewritten; both are
# counted. Differences are in build/roslyn/NAME/differences: kind, construct, file, line, what the copy counted, what is reported.
#
#   run.sh PROJECT...     projects of tests for .NET 10 that build as they are and do the same each time. Their folders and those of
#                         their references have no bin and obj.
#   BUILD_OPTIONS         what follows `dotnet build PROJECT`, such as -p:Signed=false
#   TEST_OPTIONS          what follows `dotnet test DLL`, such as --filter NAME
top=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
. "$top/tests/e2e/lib.sh"
here=$top/tests/conformance/roslyn
out=$top/build/roslyn
projects=()
for project; do
    projects+=("$(cd "$OLDPWD" && realpath "$project")")
done
LIMIT=${ROSLYN_LIMIT:-1800}
read -ra tests <<<"${TEST_OPTIONS:-}"
read -ra options <<<"${BUILD_OPTIONS:-}"
mkdir -p "$out"
made dotnet build "$here" --configuration Release --nologo --artifacts-path "$out/tool"

# suite PROJECT
suite() {
    local project=$1 name root place assembly n
    name=$(basename "$project" .csproj)
    root=$(git -C "$(dirname "$project")" rev-parse --show-toplevel)
    place=$out/$name
    rm -rf "$place"
    mkdir -p "$place"/{arguments,positions,counts1,counts2}
    made dotnet build "$project" --configuration Debug --nologo --artifacts-path "$place/artifacts" -p:ProvideCommandLineArgs=true \
        -p:RunAnalyzers=false -p:NuGetAudit=false -p:TreatWarningsAsErrors=false -p:EmitCompilerGeneratedFiles=true -p:MutantsArguments="$place/arguments" \
        -p:CustomAfterMicrosoftCommonTargets="$top/tests/mutants/arguments.targets" "${options[@]}"
    assembly=$(dotnet msbuild "$project" -p:ArtifactsPath="$place/artifacts" -p:UseArtifactsOutput=true -p:TargetFramework=$net -getProperty:TargetPath)
    made cp -r "$(dirname "$assembly")" "$place/counted"
    made "$out/tool/bin/roslyn/release/roslyn" "$place/arguments" "$place/counted" "$place/positions"
    sed 's/^/# left: /' made.log
    # The second time with the library that the suite will have in it.
    set -- dotnet test "$place/counted/$(basename "$assembly")" "${tests[@]}"
    COUNTS=$place/counts1 limited "$@" >"$place/counted1.out" 2>&1
    COUNTS=$place/counts2 limited "$ILCOV" run --quiet --include-tests --data "$place/none.ilcov" --format none -- "$@" >"$place/counted2.out" 2>&1
    for n in 1 2; do
        limited "$ILCOV" run --quiet --mode exact --include-tests --include-generated --data "$place/data$n.ilcov" --root "$root" \
            --format "json=$place/report$n.json" -- dotnet test "$assembly" "${tests[@]}" >"$place/plain$n.out" 2>"$place/plain$n.err"
    done
    same "$name: the copy's tests do what the suite's do" "$(tests_of "$place/plain1.out")" "$(tests_of "$place/counted1.out")"
    "$ILCOV" show --data "$place/data1.ilcov" --json >"$place/show.json"
    python3 -S "$here/compare.py" "$place" "$root" >"$place/differences" || not_ok "$name: compared"
    sed -n 's/^= /# /p' "$place/differences"
    sed -i '/^= /d' "$place/differences"
    check "$name: no difference" test ! -s "$place/differences"
    cut -f 1-2 "$place/differences" | sort | uniq -c | sort -rn
}

# tests_of FILE: how many tests passed, failed and were skipped.
tests_of() {
    grep -oE '(Passed|Failed|Skipped): +[0-9]+' "$1" | tr -s ' ' | paste -sd' '
}

for project in "${projects[@]}"; do
    suite "$project"
done
finish
