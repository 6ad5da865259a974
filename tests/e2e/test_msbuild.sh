#!/bin/bash
# The package for projects: what its targets make of properties, names and settings, with projects that have targets of the names that
# `dotnet test` calls, and a test program. `make check-dist` tests real projects of each framework (tests/platforms/projects.sh).
. "$(dirname "$0")/lib.sh"
unset ILCOV_SESSION
export DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF

mkdir program
cat >program/Program.cs <<'CS'
using System;
using System.IO;
public static class Program
{
    public static int Main(string[] arguments)
    {
        foreach (string argument in arguments)
            File.AppendAllText(Environment.GetEnvironmentVariable("SEEN"), argument + "\n");
        return 0;
    }
}
CS
compiled program Debug

# --- the script of the package, without MSBuild ----------------------------------------------------------------------
# measured VERB PROJECT FRAMEWORK FRAMEWORKS ARGUMENT...
measured() {
    local verb=$1 project=$2 framework=$3 frameworks=$4
    shift 4
    limited sh "$top/packaging/msbuild/measure.sh" "$ILCOV" "obj/$project.ilcov" "$project" "$framework" "$frameworks" \
        "$verb" "$@" >"$temp/out" 2>"$temp/err"
    status=$?
}
# runs_as PROJECT FRAMEWORK FRAMEWORKS OPTION...
runs_as() {
    measured run "$@" -r "$temp/program" -- dotnet "$program"
    [ $status -eq 0 ] || cat "$temp/out" "$temp/err"
    return $status
}
written() {
    find . .. -maxdepth 3 -newer "$temp/before" \( -name '*.ilcov' -type f -o -name '*.xml' -o -name '*.info' -o -name '*.html' \) \
        2>/dev/null | grep -E '^\./|^\.\./[^/]*$' | grep -v '/types\|/files\|/hotspots\|/left-out' | LC_ALL=C sort | paste -sd' '
}
# names WHAT EXPECTED PROJECT FRAMEWORK FRAMEWORKS OPTION...
names() {
    local what=$1 expected=$2
    shift 2
    touch -d '1 second ago' "$temp/before"
    check "$what" runs_as "$@"
    same "$what: the files" "$expected" "$(written)"
    find . .. -maxdepth 3 -newer "$temp/before" \( -name '*.xml' -o -name 'coverage-html*' \) -exec rm -rf {} + 2>/dev/null
    rm -rf TestResults obj my* ../*.xml
}
mkdir -p place/Tests
cd place/Tests || exit 2
touch Tests.csproj
both='net8.0; net10.0'
names "one framework: the usual names" "./TestResults/coverage.cobertura.xml ./TestResults/run.ilcov" \
    Tests net10.0 ""
names "two: it is in the names" "./TestResults/coverage.net8.0.cobertura.xml ./TestResults/run.net8.0.ilcov" \
    Tests net8.0 "$both"
names "also in names that are given, with folders and without" \
    "./coverage-html.net8.0/index.html ./my.net8.0.ilcov ./my.v1/x.net8.0.info ./x.net8.0.opencover.xml" \
    Tests net8.0 "$both" -d my.ilcov -f html -f lcov=my.v1/x.info -f opencover=x.opencover.xml
names "but not twice" "./my.net8.0.ilcov ./my/net8.0/x.xml" \
    Tests net8.0 "$both" -d my.net8.0.ilcov -f cobertura=my/net8.0/x.xml
names "nor behind one folder" "./my.net8.0.ilcov ./net8.0/x.xml" \
    Tests net8.0 "$both" -d my.net8.0.ilcov -f cobertura=net8.0/x.xml
rm -r net8.0
names "a file outside of the project's folder has the project's name" "../x.Tests.xml ./my.ilcov" \
    Tests net10.0 "" -d my.ilcov -f cobertura=../x.xml
names "and both, if need be" "../x.Tests.net8.0.xml ./my.net8.0.ilcov" \
    Tests net8.0 "$both" -d my.ilcov -f "cobertura=$temp/place/x.xml"
names "but not twice, either" "../Tests.xml ./my.ilcov" \
    Tests net10.0 "" -d my.ilcov -f cobertura=../Tests.xml
names "a folder further up may belong to several" "./Tests/Web/x.Tests.xml ./my.ilcov" \
    Tests net10.0 "" -d my.ilcov -f "cobertura=$PWD/Tests/Web/x.xml"
rm -r Tests
touch Other.fsproj
names "two projects in one folder" "./TestResults/coverage.Tests.cobertura.xml ./TestResults/run.Tests.ilcov" \
    Tests net10.0 ""
rm Other.fsproj

# Nothing that is wrong waits for the tests.
for wrong in "--gate line>=abc" "--fail-under 200" "-x [No" "-f nope" "-f cobertura=/dev/null/x.xml" "-d /dev/null/x.ilcov" "-r /nowhere"; do
    read -r option value <<<"$wrong"
    measured check Tests net10.0 "" "$option" "$value" -- /dev/null/dotnet test
    check "$wrong is refused" test $status = 1
    check "$wrong: in a line" grep -q '^ilcov: ' "$temp/out"
done
measured check Tests "" "$both" --gate 'line>=80' -f cobertura=x.xml -f html -- /dev/null/dotnet test
same "what is right is not" 0 $status
same "a name that becomes another is told" "ilcov: cobertura=x.xml becomes cobertura=x.FRAMEWORK.xml" "$(grep x.xml "$temp/out" | cut -d, -f1)"
measured check Tests net10.0 "" -- /dev/null/dotnet test
same "else nothing is said" "" "$(cat "$temp/out" "$temp/err")"
same "checks leave nothing" "Tests.csproj" "$(ls)"

# --- what an earlier run wrote ---------------------------------------------------------------------------------------
check "a run with two frameworks" eval 'runs_as Tests net8.0 "$both" && runs_as Tests net10.0 "$both"'
for copy in run.net8.0-20261127.ilcov run.net8.0-2.ilcov coverage.net8.0-20261127.cobertura.xml; do
    cp "TestResults/${copy%%-*}.${copy#*-*.}" "TestResults/$copy"
done
echo '<coverage />' >TestResults/coverage.net10.0.cobertura.xml # another tool's
check "a run after one framework was taken out, with another report" runs_as Tests net10.0 net10.0 -f lcov=x.info
same "the files of the framework are gone, and neither a user's copies nor another tool's files" \
    "coverage.net10.0.cobertura.xml coverage.net8.0-20261127.cobertura.xml run.net10.0.ilcov run.net8.0-2.ilcov run.net8.0-20261127.ilcov" "$(ls TestResults | paste -sd' ')"
rm -r TestResults
check "a run" runs_as Tests net10.0 ""
measured run Tests net10.0 "" -- true
same "and one that measures nothing" 3 $status
same "leaves no report of the first" "" "$(ls TestResults)"
rm -r TestResults x.*
check "a run" runs_as Tests net10.0 "" -d -x.ilcov -f cobertura=-x.xml -f json=x.json -f markdown=NOTES.md
rm -r obj # as `dotnet clean` does
cp -- -x.xml mine.xml
check "a run that writes the same files" runs_as Tests net10.0 "" -d -x.ilcov -f cobertura=-x.xml -f json=x.json -f markdown=NOTES.md
echo 'we use ilcov' >NOTES.md
measured begin Tests net10.0 "" -f cobertura=mine.xml
same "what it wrote is gone, whether it was there before or not, and what was edited is not" \
    "NOTES.md Tests.csproj mine.xml obj" "$(LC_ALL=C ls | paste -sd' ')"
measured begin Tests net10.0 "" -f cobertura=other.xml
check "what a run was to write and did not stays" test -e mine.xml
rm -r obj NOTES.md mine.xml

# --- whose a file is ---------------------------------------------------------------------------------------------------
mkdir -p "$temp/same/x/Unit" "$temp/same/y/Unit"
touch "$temp/same/x/Unit/Unit.csproj" "$temp/same/y/Unit/Unit.csproj"
cd "$temp/same/x/Unit" || exit 2
check "a file for several projects" runs_as Unit net10.0 "" -d "$temp/same/all.ilcov" -f none
cp "$temp/same/all.Unit.ilcov" "$temp/first"
cd "$temp/same/y/Unit" || exit 2
for verb in begin run; do
    measured $verb Unit net10.0 "" -d ../../all.ilcov -f none -- touch ran
    same "$verb: another project of the name cannot have it" 1 $status
    check "$verb: and is told who has it" grep -q "^ilcov: .*all\.Unit\.ilcov belongs to the project $temp/same/x/Unit/Unit: " "$temp/err"
    check "$verb: before the tests" test ! -e ran
    check "$verb: nothing is lost" cmp -s "$temp/first" "$temp/same/all.Unit.ilcov"
done
check "it can have another" runs_as Unit net10.0 "" -d ../../y.ilcov -f none
rm -r "$temp/same/x"
check "or that of a project that is gone" runs_as Unit net10.0 "" -d ../../all.ilcov -f none
check "and again" runs_as Unit net10.0 "" -d ../../all.ilcov -f none
measured run Unit net10.0 "" -d /proc/nowhere/x.ilcov -f none -- true
same "a folder that cannot be written is for ilcov to tell" "" "$(grep -v '^ilcov: ' "$temp/err" | grep nowhere)"
check "in its words" grep -q '^ilcov: .*nowhere' "$temp/err"
cd "$temp" || exit 2
rm -r place/Tests same

# --- the targets -----------------------------------------------------------------------------------------------------
# Names that a shell or MSBuild could read otherwise. dotnet itself takes no double quote and no %41 in a path.
home="$temp/O'Brien's \$home; 50%"
mkdir -p "$home/build" "$home/tools/linux-x64" "$home/place/Tests" "$home/place/More"
cp "$top/packaging/msbuild/Ilcov.MSBuild.targets" "$home/build/"
cp "$top/packaging/msbuild/measure.sh" "$home/tools/"
cp "$ILCOV" "${ILCOV%/*}/libilcov.so" "$home/tools/linux-x64/"
cat >"$home/project.txt" <<'XML'
<Project>
  <PropertyGroup>
    <TargetFramework Condition="'$(TargetFrameworks)' == ''">net10.0</TargetFramework>
    <Configuration>Debug</Configuration>
    <BaseIntermediateOutputPath>obj/</BaseIntermediateOutputPath>
    <IsTestProject>true</IsTestProject>
  </PropertyGroup>
  <Target Name="VSTest">
    <ItemGroup>
      <Setting Include="$(VSTestCLIRunSettings)" />
      <Variable Include="@(Setting->Replace('RunConfiguration.EnvironmentVariables.', ''))" />
    </ItemGroup>
    <Exec Command="dotnet '$(Program)' &quot;$SETTING&quot;" EnvironmentVariables="@(Variable)" />
    <Error Condition="'$(Fail)' != ''" Text="a test failed" />
  </Target>
  <Target Name="ComputeRunArguments">
    <PropertyGroup><RunCommand>dotnet</RunCommand></PropertyGroup>
  </Target>
  <Target Name="Run" DependsOnTargets="ComputeRunArguments">
    <Exec Command="&quot;$STANDIN&quot; '$(Program)' &quot;it's&quot; '&quot;$x&quot; ; *'" EnvironmentVariables="STANDIN=$([MSBuild]::Escape('$(RunCommand)'))" />
  </Target>
  <Target Name="_MTPBuild" />
  <Target Name="Clean" />
  <Import Project="../../build/Ilcov.MSBuild.targets" />
</Project>
XML
cp "$home/project.txt" "$home/place/More/More.csproj"
sed "s|<Configuration>|<TargetFrameworks>net8.0;net10.0</TargetFrameworks>&|; s|<TargetFramework Cond.*||" "$home/project.txt" >"$home/place/Tests/Tests.csproj"
cat >"$home/place/All.proj" <<'XML'
<Project>
  <Target Name="All">
    <ItemGroup>
      <Each Include="Tests/Tests.csproj" Properties="TargetFramework=net8.0" />
      <Each Include="Tests/Tests.csproj" AdditionalProperties="TargetFramework=net10.0" />
      <Each Include="More/More.csproj" />
    </ItemGroup>
    <MSBuild Projects="@(Each)" Targets="$(Do)" BuildInParallel="true" ContinueOnError="ErrorAndContinue" />
  </Target>
</Project>
XML
cd "$home/place" || exit 2
PATH=${PATH#"${ILCOV%/*}":} # whoever has the package has no ilcov there
export SEEN=$temp/seen
# builds WHAT PROPERTY...: sets `status`
builds() {
    rm -f "$SEEN"
    limited dotnet msbuild -nologo -v:minimal All.proj "-p:Do=$1" -p:Ilcov=true "-p:Program=$program" "${@:2}" >"$temp/out" 2>&1
    status=$?
}
reports() {
    find "$home/place" "$temp/place" -name '*.ilcov' -type f -o -name '*.xml' | sed "s|^.*/place/||" | LC_ALL=C sort | paste -sd' '
}
of_all="More/TestResults/coverage.cobertura.xml More/TestResults/run.ilcov \
Tests/TestResults/coverage.net10.0.cobertura.xml Tests/TestResults/coverage.net8.0.cobertura.xml \
Tests/TestResults/run.net10.0.ilcov Tests/TestResults/run.net8.0.ilcov"
for do in VSTest Run; do
    builds $do -p:IlcovRoot="$temp/program" '-p:IlcovExclude=[*]*.It%27s*%3B[*Other]*'
    check "$do: three runs" test $status = 0
    [ $status = 0 ] || cat "$temp/out"
    same "$do: each has its files" "$of_all" "$(reports)"
    check "$do: all together can be merged" limited "$ILCOV" merge -o "$temp/all.ilcov" ./*/TestResults/*.ilcov
    rm -r ./*/TestResults
    builds $do -p:IlcovFormat="cobertura=$temp/place/x.xml" '-p:IlcovData=my%3B.ilcov' -p:IlcovRoot="$temp/program"
    same "$do: one name for all: none is lost" "More/my;.ilcov Tests/my;.net10.0.ilcov Tests/my;.net8.0.ilcov x.More.xml x.Tests.net10.0.xml x.Tests.net8.0.xml" "$(reports)"
    rm -f "$temp"/place/x.*.xml ./*/my*
done
same "arguments of a program arrive as they are" "\"\$x\" ; * it's" "$(sort -u "$SEEN" | paste -sd' ')"
for do in VSTest _MTPBuild; do
    builds $do '-p:IlcovGate=line>=1%3Bbranch>=abc'
    check "$do: a wrong gate fails the build" test $status != 0
    check "$do: with ilcov's words" grep -q "error : ilcov: invalid gate 'branch>=abc'" "$temp/out"
    check "$do: which name a command that there is" grep -qF "'$home/tools/linux-x64/ilcov run --help'" "$temp/out"
    check "$do: before any test" test ! -e "$SEEN"
    same "$do: and writes nothing" "" "$(reports)"
done
echo '<RunSettings><RunConfiguration><EnvironmentVariables><DOTNET_EnableDiagnostics>0</DOTNET_EnableDiagnostics></EnvironmentVariables></RunConfiguration></RunSettings>' >own.runsettings
builds VSTest -p:VSTestSetting=../own.runsettings '-p:VSTestCollect=A b%3BC'
check "VSTest: settings that keep profilers out are told" grep -q 'error : ilcov: .*DOTNET_EnableDiagnostics=0 keeps every profiler out' "$temp/out"
check "VSTest: before any test" test ! -e "$SEEN"
SETTING="it's \"a\" \$b" builds VSTest '-p:VSTestCLIRunSettings="A=x%3By";B=z' -p:Fail=yes -p:IlcovRoot="$temp/program"
check "a failed test fails the build" test $status != 0
same "and gives reports" "$of_all" "$(reports)"
same "quotes in the environment" "it's \"a\" \$b" "$(sort -u "$SEEN")"
limited dotnet msbuild -nologo -t:Clean -p:TargetFramework=net8.0 Tests/Tests.csproj >"$temp/out" 2>&1
check "clean removes what the package left in obj" test ! -e Tests/obj/Tests.ilcov
cd "$temp" || exit 2
finish
