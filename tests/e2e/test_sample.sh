#!/bin/bash
# An ordinary xunit solution, unchanged, measured by one command.
. "$(dirname "$0")/lib.sh"

# A copy in a directory with a space in its name; no git work tree, so the current directory is the root.
cp -r "$top/fixtures/sample" "$temp/the sample"
cd "$temp/the sample" || exit 2
rm -rf ./*/*/bin ./*/*/obj

# test_docs.sh has a build and a test run as they are without this.
frugally

# sample WHAT OPTION... -- COMMAND...: default options but those given.
sample() {
    what=$1
    shift
    rm -f TestResults/run.ilcov coverage.cobertura.xml
    limited "$ILCOV" run "$@" >"$temp/out" 2>"$temp/err"
    status=$?
}

# A test run without MSBuild, where how it was started is not what is tested.
tests=tests/Calculator.Tests/bin/Debug/$net/Calculator.Tests.dll

for configuration in Debug Release; do
    options=(--configuration $configuration)
    if [ $configuration = Release ]; then # the first run was a user's, who starts with the sources
        made dotnet build --configuration Release
        options+=(--no-build)
    fi
    sample "sample, $configuration" -- dotnet test "${options[@]}"
    same "$what: exit status" 0 "$status"
    check "$what: no warning, nor from a build" test -z "$(grep -i warning "$temp/out")"
    check "$what: the tests' own output is there" grep -q 'Passed: *15' "$temp/out"
    check "$what: says where the report is" grep -q coverage.cobertura.xml "$temp/err"
    check "$what: data file" test -s TestResults/run.ilcov
    expected "$what: every line as written" coverage.cobertura.xml "$PWD" --configuration "$configuration"
    check "$what: the tests themselves are not in it" test -z "$(grep -l 'Calculator\.Tests' coverage.cobertura.xml)"
done

# The report again, from the data alone.
cp coverage.cobertura.xml "$temp/first.xml"
check "report from the data file" limited "$ILCOV" report --format cobertura="$temp/second.xml" TestResults/run.ilcov
check "report from the data file says the same" \
    cmp <(grep -v timestamp= "$temp/first.xml") <(grep -v timestamp= "$temp/second.xml")

# Nothing is written to the user's build output.
find . -path '*/bin/*' -type f -exec sha256sum {} + | sort >"$temp/before"
sample "no build, a threshold that is met" --fail-under 50 -- dotnet test --no-build
same "$what: exit status" 0 "$status"
expected "$what: every line as written" coverage.cobertura.xml "$PWD"
find . -path '*/bin/*' -type f -exec sha256sum {} + | sort >"$temp/after"
check "$what: the build output is as it was" cmp "$temp/before" "$temp/after"

# The README shows what a user sees.
LC_ALL=C.UTF-8 sample "README" -- dotnet test $tests
check "README: its table is the real one" diff <(sed -n 's/^    //; /^Assembly /,/^ilcov: /p' "$top/README.md") \
    <(sed -n '/^Assembly /,/^ilcov: /p' "$temp/err")

# Settings by which the test host would not be given our variables: said before it starts.
cat >my.runsettings <<'XML'
<RunSettings><RunConfiguration><EnvironmentVariables>
  <CORECLR_ENABLE_PROFILING>0</CORECLR_ENABLE_PROFILING>
</EnvironmentVariables></RunConfiguration></RunSettings>
XML
sample "settings that keep us out" -- dotnet test --no-build --settings my.runsettings
same "$what: exit status" 2 "$status"
check "$what: are named" grep -q 'my.runsettings: CORECLR_ENABLE_PROFILING=0 keeps' "$temp/err"

sample "threshold missed" --fail-under 99 -- dotnet test $tests
same "$what: exit status" 1 "$status"
check "$what: the report is there all the same" test -s coverage.cobertura.xml

# Tests that fail: their status is ours, their coverage counts.
cat >tests/Calculator.Tests/FailingTests.cs <<'CS'
namespace Calculator.Tests;

public class FailingTests
{
    [Fact]
    public void Fails()
    {
        Assert.Equal("+ 1", new Calculation().Then('+', 1).ToString() + ".");
    }
}
CS
made dotnet build
sample "failing tests" -- dotnet test $tests
same "$what: exit status is that of dotnet test" 1 "$status"
check "$what: are counted" grep -q 'name="ToString"' coverage.cobertura.xml
check "$what: lines that they do not touch are as written" \
    "$EXPECT" coverage.cobertura.xml "$PWD" src/Calculator/Statistics.cs
finish
