#!/bin/bash
# .NET loads one profiler a process, and tools that rewrite assemblies change what is counted: what of this is configured is
# refused before anything starts; what a test run does to itself is told by its signs, and never counted as the user's code.
. "$(dirname "$0")/lib.sh"
LIMIT=${LIMIT_OF_ONE:-120}
unset CORECLR_ENABLE_PROFILING CORECLR_PROFILER

# --- configured -----------------------------------------------------------------------------------------------------------

datadog='{846F5F1C-F9AE-4B07-969E-05C26BC060D8}'

# refused WHAT WORDS COMMAND...: status 2, one line with the WORDS, and nothing was started
refused() {
    local what=$1 words=$2
    shift 2
    rm -f started
    limited "$@" >refused.out 2>refused.err
    same "$what: status" 2 $?
    one_line_about "$what: is named" refused.err "$words"
    check "$what: nothing is started" test ! -e started
}

run=("$ILCOV" run --)
refused "another profiler in the environment" Datadog \
    env CORECLR_ENABLE_PROFILING=1 "CORECLR_PROFILER=$datadog" "${run[@]}" touch started
refused "one that is known by its file only" JetBrains env CORECLR_ENABLE_PROFILING=1 \
    "CORECLR_PROFILER={00000000-0000-0000-0000-000000000001}" CORECLR_PROFILER_PATH=/opt/libJetBrains.Profiler.Core.so \
    "${run[@]}" touch started
refused "another profiler by env" Datadog "${run[@]}" env "CORECLR_PROFILER=$datadog" touch started
refused "ours switched off by env" CORECLR_ENABLE_PROFILING=0 "${run[@]}" env CORECLR_ENABLE_PROFILING=0 touch started
refused "ours taken away by env" "removes" "${run[@]}" env -u CORECLR_PROFILER touch started
mkdir bin
printf '#!/bin/sh\ntouch started\n' >bin/dotnet
chmod +x bin/dotnet
refused "another profiler by dotnet test -e" Datadog "${run[@]}" bin/dotnet test -e "CORECLR_PROFILER=$datadog"
refused "another profiler by a run setting" Datadog "${run[@]}" bin/dotnet test -- \
    "RunConfiguration.EnvironmentVariables.CORECLR_PROFILER=$datadog"
cat >off.runsettings <<'XML'
<RunSettings><RunConfiguration><EnvironmentVariables>
  <CORECLR_ENABLE_PROFILING>0</CORECLR_ENABLE_PROFILING>
</EnvironmentVariables></RunConfiguration></RunSettings>
XML
refused "ours switched off by a .runsettings file" "off.runsettings: CORECLR_ENABLE_PROFILING=0" \
    "${run[@]}" bin/dotnet test --settings off.runsettings

# A notification profiler is loaded besides ours.
limited env CORECLR_ENABLE_NOTIFICATION_PROFILERS=1 CORECLR_NOTIFICATION_PROFILERS="/none.so=$datadog" \
    "$ILCOV" run --allow-empty --quiet --format none --data n.ilcov -- touch started 2>notify.err
same "a notification profiler does not conflict" 0 $?
check "a notification profiler: the command is started" test -e started

# --- what a test run does -------------------------------------------------------------------------------------------------

place=$top/build/e2e/$name/sample
mkdir -p "$place" && cp -ru "$top/fixtures/sample/." "$place" || exit 2
cd "$place" || exit 2
frugally
if ! building dotnet build --nologo >"$temp/build.log" 2>&1; then
    if grep -q 'NU110[12]' "$temp/build.log"; then
        skip "what a test run does" "a package that it needs is not to be had"
        finish
    fi
    not_ok "the sample compiles" "$temp/build.log"
    finish
fi

# tested NAME ARGUMENT...: sets `status`
tested() {
    local into=$temp/$1
    shift
    limited "$ILCOV" run --data "$into.ilcov" --format "text=$into.txt" -- dotnet test "$@" \
        >"$into.out" 2>"$into.err"
    status=$?
}

# tells NAME WORDS
tells() {
    if grep -qF -e "$2" "$temp/$1.err"; then
        ok "$1: $2"
    else
        not_ok "$1: $2" "$temp/$1.err"
    fi
}

tests=$(find "$place" -path '*/bin/*/Calculator.Tests.dll' | head -n 1)
output=$(dirname "$tests")
cp -r "$output" "$temp/output"

tested alone "$tests"
same "alone: exit status" 0 "$status"
check "alone: nothing of others is told" bash -c '! grep -q "did not report\|rewritten" "$1"' - "$temp/alone.err"

tested microsoft --no-build --collect "Code Coverage"
same "microsoft: nothing of ours was measured" 3 "$status"
tells microsoft "the test host did not report (Calculator.Tests.dll): another collector is configured (Code Coverage), which \
takes ilcov's place"
check "microsoft: no file is written" test ! -e "$temp/microsoft.ilcov"
cp -r "$temp/output/." "$output"

tested coverlet --no-build --collect "XPlat Code Coverage"
same "coverlet: nothing of ours was measured" 3 "$status"
tells coverlet "Calculator was rewritten by coverlet before it ran: run without it (XPlat Code Coverage)"
check "coverlet: no file is written" test ! -e "$temp/coverlet.ilcov"

if long; then
    limited "$ILCOV" run --include '[Calculator]*' --data "$temp/named.ilcov" --format none -- \
        dotnet test --no-build --collect "XPlat Code Coverage" >"$temp/named.out" 2>"$temp/named.err"
    same "coverlet: nor is what -i names" 3 $?
fi

# Beside others that were measured: the rest is reported, and the run counts as one of a part.
beside=('')
! long || beside+=(--allow-partial)
for allowed in "${beside[@]}"; do
    limited "$ILCOV" run --include-tests $allowed --data "$temp/beside.ilcov" --format "text=$temp/beside.txt" -- \
        dotnet test --no-build --collect "XPlat Code Coverage" >"$temp/beside.out" 2>"$temp/beside.err"
    same "beside: status${allowed:+ with $allowed}" $((${#allowed} == 0 ? 3 : 0)) $?
    tells beside "Calculator was rewritten by coverlet before it ran"
    same "beside: is named once" 1 "$(grep -c 'rewritten by' "$temp/beside.err")"
done
same "beside: the data file says so" 'an assembly was rewritten before it ran' "$("$ILCOV" report "$temp/beside.ilcov" -f text=- 2>/dev/null |
    sed -n 's/: what ran there is not counted; missed lines may have run there$//p')"
check "beside: the tests are in the report" grep -q '^Calculator.Tests ' "$temp/beside.txt"
check "beside: what was rewritten is not, not even as missed" bash -c '! grep -q "^Calculator " "$1"' - "$temp/beside.txt"

# A settings file that a variable names, as MSBuild takes it for the property.
cp "$temp/off.runsettings" off.runsettings
limited env RunSettingsFilePath="$place/off.runsettings" "$ILCOV" run --data "$temp/settings.ilcov" --format none -- \
    dotnet test --no-build >"$temp/settings.out" 2>"$temp/settings.err"
same "settings: refused before anything runs" 2 $?
tells settings "off.runsettings: CORECLR_ENABLE_PROFILING=0"

# One of two runs: a line, and what the other measured.
limited "$ILCOV" run --data "$temp/both.ilcov" --format none -- sh -c '
    dotnet test "$1" && RunSettingsFilePath=$PWD/off.runsettings dotnet test --no-build' - "$tests" \
    >"$temp/both.out" 2>"$temp/both.err"
same "both: a part is missing" 3 $?
tells both "1 of 2 test hosts did not report (Calculator.Tests.dll)"
check "both: what one measured is in the data file" test -s "$temp/both.ilcov"

# --- tests that never start ---------------------------------------------------------------------------------------------

cp -r "$temp/output" "$temp/future"
sed -i 's/"version": "10\.0\.[0-9]*"/"version": "99.0.0"/' "$temp/future/Calculator.Tests.runtimeconfig.json"
# started NAME ASSEMBLY...
started() {
    local into=$temp/$1
    shift
    limited "$ILCOV" run --data "$into.ilcov" --format none -- dotnet vstest "$@" >"$into.out" 2>"$into.err"
    status=$?
    check "$(basename "$into"): settings are not blamed" bash -c '! grep -q runsettings "$1"' - "$into.err"
}
started future "$temp/future/Calculator.Tests.dll"
check "future: the command's status" test "$status" -ne 0
tells future "the tests of Calculator.Tests.dll did not run: they need Microsoft.NETCore.App 99.0.0, which is not installed in "
started nowhere "$temp/None.dll"
tells nowhere "the tests of None.dll did not run: $temp/None.dll cannot be opened: "

# --- Microsoft.Testing.Platform -----------------------------------------------------------------------------------------

place=$top/build/e2e/$name/platform
mkdir -p "$place" && cp -ru "$top/fixtures/suites/." "$place" && cd "$place/tests/WithMsTest" || exit 2
grep -q CodeCoverage WithMsTest.csproj ||
    sed -i 's|<PackageReference Include="MSTest.TestFramework".*|&<PackageReference Include="Microsoft.Testing.Extensions.CodeCoverage" Version="18.12.0" />|' WithMsTest.csproj
if building dotnet build --nologo >"$temp/build.log" 2>&1; then
    application=$PWD/bin/Debug/$net/WithMsTest
    limited "$ILCOV" run --data "$temp/platform.ilcov" --format none -- "$application" --coverage >platform.out 2>"$temp/platform.err"
    same "platform: nothing of ours was measured" 3 $?
    tells platform "the test host of WithMsTest did not report: --coverage started it again with Microsoft's profiler"
    for allowed in '' --allow-partial; do
        limited "$ILCOV" run $allowed --data "$temp/mixed.ilcov" --format none -- \
            sh -c '"$1" && "$1" --coverage' - "$application" >mixed.out 2>"$temp/mixed.err"
        same "mixed: status${allowed:+ with $allowed}" $((${#allowed} == 0 ? 3 : 0)) $?
        same "mixed: one line says so" 1 "$(grep -c 'started it again' "$temp/mixed.err")"
    done
    check "mixed: what was measured is in the data file" test -s "$temp/mixed.ilcov"
elif grep -q 'NU110[12]' "$temp/build.log"; then
    skip "Microsoft.Testing.Platform's own coverage" "a package that it needs is not available"
else
    not_ok "platform: builds" "$temp/build.log"
fi
finish
