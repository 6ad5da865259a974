#!/bin/bash
# The solution of a new user, measured by one command with no option. tests/e2e/test_docs.sh makes it with `dotnet new`.
. "$(dirname "$0")/lib.sh"

mkdir "$temp/my first app"
cd "$temp/my first app" || exit 2
library src/App
test_project tests/App.Tests src/App
solution App src/App tests/App.Tests
frugally
cat >src/App/Greeter.cs <<'CS'
// cov: every line
namespace App;

public class Greeter
{
    public string Greet(string? name)
    {
        if (string.IsNullOrEmpty(name)) // cov: hits=3 branches=2/2
        {
            return "Hello"; // cov: hits=1
        }

        return name == "me" ? "Hello, you" : $"Hello, {name}"; // cov: hits=2 branches=1/2
    }

    public string Part(string name) => $"Good bye, {name}"; // cov: hits=0
}
CS
cat >tests/App.Tests/GreeterTests.cs <<'CS'
using App;

namespace App.Tests;

public class GreeterTests
{
    [Theory]
    [InlineData(null, "Hello")]
    [InlineData("Ada", "Hello, Ada")]
    [InlineData("Bob", "Hello, Bob")]
    public void Greets(string? name, string expected)
    {
        Assert.Equal(expected, new Greeter().Greet(name));
    }
}
CS

limited "$ILCOV" run -- dotnet test >"$temp/out" 2>"$temp/err"
same "a solution: exit status" 0 $?
check "a solution: the tests' own output is there" grep -q 'Passed: *3' "$temp/out"
check "a solution: data file" test -s TestResults/run.ilcov
expected "a solution: every line as written" coverage.cobertura.xml "$PWD"
check "a solution: one package" test "$(grep -c '<package ' coverage.cobertura.xml)" -eq 1
check "a solution: paths from the root" grep -q 'filename="src/App/Greeter.cs"' coverage.cobertura.xml

limited "$ILCOV" show GreeterTests.cs >"$temp/out" 2>"$temp/err"
same "a solution: show of a file of tests: exit status" 3 $?
check "a solution: show says that tests are not measured" \
    grep -q "tests are not measured (App.Tests); 'ilcov run --include-tests' measures them" "$temp/err"

# What docs/data-file.md says of the data file, and the questions that it answers.
printf '2\tApp\tApp.Greeter.Greet\t2\n3\tsrc/App/Greeter.cs\t16\tApp.Greeter.Part\n' >"$temp/wanted"
python3 "$top/tests/support/data_queries.py" "$top/docs/data-file.md" TestResults/run.ilcov >"$temp/answers"
check "a solution: the data file is as documented" cmp "$temp/wanted" "$temp/answers"

# The same from below the top of a git work tree: the top is the root.
if command -v git >/dev/null; then
    made git init --quiet .
    cd tests/App.Tests || exit 2
    limited "$ILCOV" run -- dotnet test bin/Debug/$net/App.Tests.dll >"$temp/out" 2>"$temp/err"
    same "below the top of a work tree: exit status" 0 $?
    check "below the top of a work tree: paths from the top" grep -q 'filename="src/App/Greeter.cs"' coverage.cobertura.xml

    # What a change owes: measured again it counts, and until then ilcov says that its lines may be others.
    printf 'bin/\nobj/\n*.ilcov\n*.xml\n' >../../.gitignore
    made git add ../..
    made git -c user.name=a -c user.email=a@example.org commit --quiet --message=first
    sed -i 's/Good bye/Farewell/' ../../src/App/Greeter.cs
    limited "$ILCOV" diff --patch HEAD >"$temp/out" 2>"$temp/err"
    same "a patch after the run: exit status" 0 $?
    check "a patch after the run: its file is said to have changed" grep -q 'changed since the build that ran.*Greeter.cs' "$temp/out"
    made dotnet build
    limited "$ILCOV" run --patch HEAD --gate 'patch>=50' -- dotnet test bin/Debug/$net/App.Tests.dll >"$temp/out" 2>"$temp/err"
    same "a patch that is not covered fails its gate" 1 $?
    check "and says of how many lines" grep -q 'gate patch>=50: 0.00 % of 1 changed line is covered' "$temp/err"
    same "and nothing of changes" 0 "$(grep -c 'changed since' "$temp/err")"
else
    skip "below the top of a work tree" "no git"
fi
finish
