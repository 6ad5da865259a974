# projects.sh - part of `make check-dist`: new projects of each test framework, with VSTest and with Microsoft.Testing.Platform, are
# measured by the program of this tree, by the tool, through `ilcov env` and by the package for projects. All count the same lines.
# dist.sh sources this behind platform.sh. It sets `tool`, and has a manifest of the local tool in $temp/tool.

# What all tests do. FAILS makes them fail with what CONFIGURED is, and SEEN names a file for what they see of the environment.
test_body='Lib.Numbers.Kind(1);
        Lib.Numbers.Kind(0);
        if (System.Environment.GetEnvironmentVariable("SEEN") is string seen)
            foreach (System.Collections.DictionaryEntry each in System.Environment.GetEnvironmentVariables())
                System.IO.File.AppendAllText(seen, $"{each.Key}={each.Value}\n");
        if (System.Environment.GetEnvironmentVariable("FAILS") != null)
            throw new System.Exception("the settings say " + System.Environment.GetEnvironmentVariable("CONFIGURED"));'

# --- projects --------------------------------------------------------------------------------------------------------
# write_project FOLDER FRAMEWORKS ELEMENTS
write_project() {
    mkdir -p "$1"
    cat >"$1/${1##*/}.csproj" <<XML
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFrameworks>$2</TargetFrameworks><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable></PropertyGroup>
  $3
</Project>
XML
    case $2 in *\;*) ;; *) sed -i 's/TargetFrameworks>/TargetFramework>/g' "$1/${1##*/}.csproj" ;; esac
}

# write_library FRAMEWORK
write_library() {
    write_project Lib "$1" ""
    cat >Lib/Class1.cs <<'CS'
namespace Lib;

public static class Numbers
{
    public static string Kind(int n)
    {
        if (n < 0)
        {
            return "negative";
        }

        return n == 0 ? "zero" : "positive";
    }
}
CS
}

# write_tests FOLDER KIND FRAMEWORKS [PROPERTIES]: a project whose tests are a program
write_tests() {
    local packages properties=${4:-} use type= method
    case $2 in
    xunit.v3*)
        packages='xunit.v3.mtp-v2/4.0.2' use=Xunit method=Fact
        [ "$2" != xunit.v3-bridge ] || packages='xunit.v3/3.2.2' properties+='<TestingPlatformDotnetTestSupport>true</TestingPlatformDotnetTestSupport>'
        ;;
    mstest)
        packages='MSTest/4.5.2' use=Microsoft.VisualStudio.TestTools.UnitTesting type='[TestClass]' method=TestMethod
        properties+='<EnableMSTestRunner>true</EnableMSTestRunner>'
        ;;
    nunit)
        packages='NUnit/4.6.1 NUnit3TestAdapter/6.3.1' use=NUnit.Framework method=Test
        properties+='<EnableNUnitRunner>true</EnableNUnitRunner>'
        ;;
    tunit) packages='TUnit/1.81.10' use=TUnit.Core method=Test ;;
    xunit)
        packages='Microsoft.NET.Test.Sdk/17.14.1 xunit/2.9.3 xunit.runner.visualstudio/3.1.5' use=Xunit method=Fact
        ;;
    esac
    [ "$2" = xunit ] || properties+='<OutputType>Exe</OutputType>'
    write_project "$1" "$3" "<PropertyGroup>$properties</PropertyGroup><ItemGroup><ProjectReference Include=\"../Lib/Lib.csproj\" />
    $(printf '<PackageReference Include="%s" Version="%s" />' $(tr '/' ' ' <<<"$packages"))</ItemGroup>"
    cat >"$1/UnitTest1.cs" <<CS
using $use;

namespace $1;

$type
public class UnitTest1
{
    [$method]
    public void Test1()
    {
        $test_body
    }
}
CS
}

# new_folder: an empty one, with a name that shells would read otherwise, becomes the working directory
new_folder() {
    local folder="$temp/it's a new \$solution"
    rm -rf "$folder"
    mkdir "$folder"
    cd "$folder" || exit 2
}

# new_solution TEMPLATE: as `dotnet new` makes it, for VSTest; its one test gets a body
new_solution() {
    new_folder
    write_library net10.0
    made dotnet new "$1" -o Tests
    made dotnet add Tests reference Lib
    python3 - "$(grep -lE '\[(Fact|Test|TestMethod)\]' Tests/*.cs)" "$test_body" <<'PY'
import re, sys
text = open(sys.argv[1], encoding="utf-8-sig").read()
text, count = re.subn(r"(public void \w*Test\w*\(\)\s*\{)[^}]*\}", lambda found: found[1] + sys.argv[2] + "}", text)
assert count == 1, text
open(sys.argv[1], "w", encoding="utf-8").write(text)
PY
    made dotnet build Tests
}

# new_platform_solution KIND: the tests are a program
new_platform_solution() {
    new_folder
    write_library net10.0
    write_tests Tests "$1" net10.0
    [ "$1" = xunit.v3-bridge ] || platform_mode
    made dotnet build Tests
}

platform_mode() {
    echo '{ "test": { "runner": "Microsoft.Testing.Platform" } }' >global.json
}

# --- programs, and the environment -----------------------------------------------------------------------------------
# by_programs WHAT: `tests` is the command
by_programs() {
    limited "$ILCOV" run -q -d own.ilcov -f cobertura=own.xml -- "${tests[@]}" --no-build >own.out 2>own.err
    same "$1: by the program of this tree" 0 $?
    limited "$tool" run -q -d tool.ilcov -f cobertura=tool.xml -- "${tests[@]}" --no-build >tool.out 2>tool.err
    same "$1: by the tool" 0 $?
    check "$1: the same lines" diff <(lines own.xml) <(lines tool.xml)
    same "$1: which are right" 2 "$(grep -c 'hits="[1-9]' <(sed -n '/<class /,/<\/class>/p' tool.xml | sed '/<methods>/,/<\/methods>/d'))"
    cp ../tool/dotnet-tools.json . 2>/dev/null || cp -r ../tool/.config .
    cp ../tool/NuGet.config NuGet.config
    limited dotnet ilcov run -q -d local.ilcov -f cobertura=local.xml -- "${tests[@]}" --no-build >local.out 2>local.err
    same "$1: by the local tool" 0 $?
    check "$1: the same lines again" diff <(lines own.xml) <(lines local.xml)
}

# by_env WHAT SHELL OPTION: what `ilcov env` prints is a file for an option of `dotnet test`
by_env() {
    "$tool" env --shell "$2" >"env.$2" 2>env.err
    same "$1: env --shell $2" 0 $?
    limited "${tests[@]}" --no-build "$3" "$PWD/env.$2" >env.out 2>&1
    same "$1: its file is read" 0 $?
    limited "$tool" collect -q --remove -d env.ilcov -f cobertura=env.xml "$(sed -n "s/.*the session is \([^;]*\);.*/\1/p" env.err)" >>env.out 2>&1
    same "$1: collect" 0 $?
    check "$1: the same lines by env" diff <(lines own.xml) <(lines env.xml)
}

# --- the package -----------------------------------------------------------------------------------------------------
# seen FILE: the environment that a test saw, but for what is another in each run
seen() {
    sed -E 's/^([^=]*(PIPE|SESSION|EXECUTIONID|MSBUILD)[^=]*)=.*/\1/' "$1" | sort
}

built() {
    find Lib/bin Tests/bin -type f ! -path '*/TestResults/*' -exec sha256sum {} + | sort
}

# by_package WHAT: Ilcov.MSBuild comes with Lib, so that Tests has it only transitively.
by_package() {
    local before
    made dotnet build Tests
    SEEN=$temp/seen limited "${tests[@]}" --no-build >before.out 2>&1
    mv "$temp/seen" before.seen
    built >before.built
    sed -i 's|<clear/>||' NuGet.config
    sed -i "s|</Project>|<ItemGroup><PackageReference Include=\"Ilcov.MSBuild\" Version=\"$version\" /></ItemGroup></Project>|" Lib/Lib.csproj
    made dotnet build Tests
    before=$(find . -type f | sort)
    SEEN=$temp/seen limited "${tests[@]}" --no-build >off.out 2>&1
    same "$1: with the package, not asked" 0 $?
    mv "$temp/seen" off.seen
    same "$1: there are the same files" "$before" "$(find . -type f ! -name 'off.*' | sort)"
    check "$1: tests see the same environment" diff <(seen before.seen) <(seen off.seen)
    check "$1: what was built is the same" diff before.built <(built)
    limited "${tests[@]}" --no-build -p:Ilcov=true >package.out 2>&1
    same "$1: by the package, which another project brings" 0 $?
    check "$1: the package counts the same lines" diff <(lines own.xml) <(lines Tests/TestResults/coverage.cobertura.xml)
    check "$1: and leaves a data file" test -s Tests/TestResults/run.ilcov
    rm -r Tests/TestResults
    limited "${tests[@]}" -p:Ilcov=true -p:IlcovFailUnder=99 "-p:IlcovGate=line>=1%3Bbranch>=98" -p:IlcovData=my.ilcov -p:IlcovFormat="cobertura=my.xml" >gate.out 2>&1
    same "$1: a gate that fails, fails the test run" 1 $?
    check "$1: and is told" grep -q 'gate line>=99: ' gate.out
    check "$1: so is the second of two gates" grep -q 'branch>=98' gate.out
    check "$1: no session is left" bash -c '! grep -q "was kept" "$1"' - gate.out
    check "$1: the data file is where it was asked for" test -s Tests/my.ilcov
    check "$1: so is the report" diff <(lines own.xml) <(lines Tests/my.xml)
    same "$1: nothing else" "" "$(find Tests/TestResults -name '*ilcov*' 2>/dev/null)"
}

# lists WHAT
lists() {
    limited "${tests[@]}" --no-build --list-tests -p:Ilcov=true >list.out 2>&1
    same "$1: a list of tests" 0 $?
    check "$1: is no run" test ! -e Tests/TestResults/run.ilcov
}

# selects WHAT: by patterns, which hold a * and are not names of files
selects() {
    limited "${tests[@]}" --no-build -p:Ilcov=true -p:IlcovInclude="[No.*]*%3B[Test?]*" -p:IlcovData=chosen.ilcov \
        -p:IlcovFormat=cobertura=chosen.xml >select.out 2>&1
    same "$1: with patterns" 0 $?
    same "$1: what they match is measured, and nothing else" '<package name="Tests"' "$(grep -o '<package name="[^"]*"' Tests/chosen.xml)"
    limited "${tests[@]}" --no-build -p:Ilcov=true -p:IlcovInclude="[No" >select.out 2>&1
    check "$1: a wrong one fails the run" test $? != 0
    check "$1: and ilcov says why" grep -q "lacks a '\]'" select.out
    rm -f Tests/chosen.*
}

# fails_as_set WHAT: after a run that failed because of the user's own files
fails_as_set() {
    check "$1: failed as they say" grep -q 'the settings say yes' fails.out
    check "$1: and is measured" diff <(lines own.xml) <(lines Tests/TestResults/coverage.cobertura.xml)
    check "$1: the files are as they were" sha256sum --quiet -c user.sums
}

own_runsettings() {
    cat >own.runsettings <<'XML'
<RunSettings><RunConfiguration><EnvironmentVariables><FAILS>1</FAILS><CONFIGURED>yes</CONFIGURED></EnvironmentVariables></RunConfiguration></RunSettings>
XML
    sha256sum own.runsettings >user.sums
    limited "${tests[@]}" --no-build -p:Ilcov=true --settings own.runsettings >fails.out 2>&1
    same "$1: a test that fails because of the user's own .runsettings" 1 $?
    fails_as_set "$1"
}

own_platform_files() {
    mkdir Tests/Properties
    echo '{ "profiles": { "Tests": { "commandName": "Project", "environmentVariables": { "FAILS": "1" } } } }' >Tests/Properties/launchSettings.json
    echo '{ "environmentVariables": { "CONFIGURED": "yes" } }' >Tests/testconfig.json
    sha256sum Tests/Properties/launchSettings.json Tests/testconfig.json >user.sums
    limited "${tests[@]}" -p:Ilcov=true >fails.out 2>&1
    same "$1: a test that fails because of the user's own testconfig.json and launchSettings.json" 2 $?
    fails_as_set "$1"
    rm -r Tests/Properties Tests/testconfig.json Tests/TestResults
}

# by_dotnet_run WHAT: no test driver at all
by_dotnet_run() {
    limited dotnet run --project Tests -p:Ilcov=true -p:IlcovFailUnder=99 >run.out 2>&1
    same "$1: dotnet run, with a gate that fails" 1 $?
    check "$1: the gate is told" grep -q 'gate line>=99: ' run.out
    check "$1: the same lines by dotnet run" diff <(lines own.xml) <(lines Tests/TestResults/coverage.cobertura.xml)
}

# uninstalled WHAT
uninstalled() {
    rm -rf Tests/TestResults Tests/my.*
    made dotnet clean Tests
    sed -i '/Ilcov.MSBuild/d' Lib/Lib.csproj
    write_project Lib net10.0 ""
    made dotnet build Tests
    same "$1: nothing of the package is left" "" "$(find Lib Tests -iname '*ilcov*'; grep -rl 'Ilcov[.]MSBuild' Lib Tests)"
}

# --- several frameworks and projects ---------------------------------------------------------------------------------
# several WHAT KIND OTHER ARGUMENT...: the tests of one project run on two frameworks, the newer runtime running both
several() {
    local what=$1 file
    write_library net8.0
    write_tests Tests "$2" 'net8.0;net10.0' '<UseAppHost>false</UseAppHost><RollForward>Major</RollForward>'
    write_tests More "$3" net10.0
    shift 3
    sed "s|<clear/>||" ../tool/NuGet.config >NuGet.config
    sed -i "s|</Project>|<ItemGroup><PackageReference Include=\"Ilcov.MSBuild\" Version=\"$version\" /></ItemGroup></Project>|" Lib/Lib.csproj
    echo '<Solution><Project Path="Lib/Lib.csproj" /><Project Path="Tests/Tests.csproj" /><Project Path="More/More.csproj" /></Solution>' >All.slnx
    limited env DOTNET_ROLL_FORWARD=Major dotnet test "$@" -p:Ilcov=true >several.out 2>&1
    check "$what: passes" test $? = 0
    limited env DOTNET_ROLL_FORWARD=Major dotnet test "$@" -p:Ilcov=true -p:IlcovData=one.ilcov -p:IlcovFormat="cobertura=$temp/one.xml" >several.out 2>&1
    check "$what: passes with one name for all" test $? = 0
    same "$what: none is lost" "one.More.xml one.Tests.net10.0.xml one.Tests.net8.0.xml" "$(cd "$temp" && echo one*.xml)"
    same "$what: nothing of the first run stays" "More/one.ilcov Tests/one.net10.0.ilcov Tests/one.net8.0.ilcov" \
        "$(find More Tests -name '*.ilcov' -type f -o -name '*.cobertura.xml' | LC_ALL=C sort | paste -sd' ')"
    limited env DOTNET_ROLL_FORWARD=Major dotnet test "$@" -p:Ilcov=true "-p:IlcovGate=line>=abc" >gate.out 2>&1
    check "$what: a wrong gate fails" test $? != 0
    check "$what: is told" grep -q "invalid gate" gate.out
    check "$what: before the tests" bash -c '! grep -qi "total: *[1-9]" "$1"' - gate.out
    rm -f "$temp"/one*.xml
    limited env DOTNET_ROLL_FORWARD=Major dotnet test "$@" -p:Ilcov=true >several.out 2>&1
    check "$what: passes again" test $? = 0
    for file in Tests/TestResults/run.net8.0.ilcov Tests/TestResults/run.net10.0.ilcov More/TestResults/run.ilcov \
        Tests/TestResults/coverage.net8.0.cobertura.xml Tests/TestResults/coverage.net10.0.cobertura.xml More/TestResults/coverage.cobertura.xml; do
        check "$what: $file" test -s "$file"
    done
    limited "$tool" merge -o all.ilcov ./*/TestResults/*.ilcov >merge.out 2>&1
    same "$what: merge" 0 $?
    limited "$tool" report -q -f cobertura=all.xml all.ilcov >>merge.out 2>&1
    same "$what: every call of the three runs" 6 "$(sed -n 's/.*<line number="7" hits="\([0-9]*\)".*/\1/p' all.xml | head -1)"
}

# --- all -------------------------------------------------------------------------------------------------------------
check_projects() {
    local kind
    for kind in xunit mstest nunit; do
        tests=(dotnet test Tests)
        new_solution "$kind"
        by_programs "$kind"
        by_env "$kind" runsettings --settings
        by_package "$kind"
        lists "$kind"
        selects "$kind"
        own_runsettings "$kind"
        uninstalled "$kind"
    done
    for kind in xunit.v3 mstest nunit tunit; do
        tests=(dotnet test --project Tests)
        new_platform_solution "$kind"
        by_programs "platform, $kind"
        by_env "platform, $kind" testconfig --config-file
        by_package "platform, $kind"
        lists "platform, $kind"
        selects "platform, $kind"
        own_platform_files "platform, $kind"
        by_dotnet_run "platform, $kind"
        uninstalled "platform, $kind"
    done
    # What `dotnet test` of SDK 8 and 9 does with such tests, SDK 10 does with version 1 of the platform.
    tests=(dotnet test Tests)
    new_platform_solution xunit.v3-bridge
    by_programs "platform 1, by VSTest's target"
    by_package "platform 1, by VSTest's target"
    new_folder
    several "several, VSTest" xunit xunit All.slnx
    new_folder
    platform_mode
    several "several, platform" mstest xunit.v3 --solution All.slnx
    cd "$temp" || exit 2
}
