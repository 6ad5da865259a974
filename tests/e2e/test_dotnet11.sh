#!/bin/bash
# .NET 11, whose runtime comes from NuGet (tests/dotnet11): lines, hazards, bodies shown by reflection, `dotnet test --per-test`, and
# counts of methods that go on on other threads after an await (runtime async), in code that is optimised and that is not. The rest of
# the end-to-end tests runs on it in tests/campaign/dotnet11.sh.
. "$(dirname "$0")/lib.sh"

on_dotnet_11 || finish
for fixture in language hazards reflection; do
    cp -r "$top/fixtures/$fixture" .
    printf 'global using %s;\n' System System.{IO,Linq,Threading,Threading.Tasks,Collections.Generic,Net.Http} >"$fixture/Usings.cs"
done
options=(-nullable+ -unsafe+ "-define:$(seq -s';' -f 'NET%g_0_OR_GREATER' 5 11)")

compiled language Release "${options[@]}"
measure language --root "$PWD/language" -- dotnet "$program"
same "lines: exit status" 0 "$status"
expected "lines: as written" language.xml "$PWD/language" --configuration Release

compiled hazards Debug "${options[@]}"
limited dotnet "$program" >bare.out
same "hazards, bare: exit status" 0 $?
measure hazards --root "$PWD/hazards" -- dotnet "$program"
same "hazards: exit status" 0 "$status"
check "hazards: it prints what it prints without" diff bare.out hazards.out
expected "hazards: as written" hazards.xml "$PWD/hazards" --configuration Debug

compiled reflection Release "${options[@]}"
limited dotnet "$program" >bare.out
measure reflection --root "$PWD/reflection" -- dotnet "$program"
check "reflection: bodies as the compiler wrote them" cmp bare.out reflection.out
same "reflection: nothing to tell" 1 "$(grep -c '^ilcov: ' reflection.err)"

# What a loop that awaits calls is inlined into it, and what it computes before an await it keeps.
mkdir tasks
cat >tasks/Program.cs <<'CS'
using System;
using System.Linq;
using System.Threading.Tasks;

class Program
{
    static int s_sum;

    static int Inlined(int n)
    {
        return n + s_sum; // cov: hits=1280000
    }

    static async Task<int> Step(int n)
    {
        await Task.Yield(); // cov: hits=1280000
        s_sum++; // cov: hits=1280000
        if (n % 2 == 0) // cov: hits=1280000 branches=2/2
            s_sum++; // cov: hits=640000
        return n + 1; // cov: hits=1280000
    }

    static async Task Loop(int tasks)
    {
        for (int i = 0; i < 640000 / tasks; i++) // cov: hits=1280089 branches=2/2
        {
            s_sum += Inlined(i); // cov: hits=1280000
            await Step(i); // cov: hits=1280000
        }
    }

    static async Task Main()
    {
        foreach (int tasks in new[] { 25, 64 }) // cov: hits=3 branches=2/2
            await Task.WhenAll(Enumerable.Range(0, tasks).Select(_ => Loop(tasks))); // cov: hits=89
    }
}
CS
for configuration in Debug Release; do
    compiled tasks $configuration -features:runtime-async=on
    measure tasks --root "$PWD/tasks" -- dotnet "$program"
    same "tasks, $configuration: exit status" 0 "$status"
    expected "tasks, $configuration: exact on whatever thread they go on" tasks.xml "$PWD/tasks" --configuration $configuration
done

cp -r "$top/fixtures/sample" . && cp "$top"/fixtures/Directory.Build.* . && rm -rf sample/*/*/{bin,obj}
made dotnet build sample --nologo
limited "$ILCOV" run --per-test --root sample -d tests.ilcov -f none -- dotnet test sample --no-build >out 2>&1
same "tests: exit status" 0 $?
same "tests: who hit what a test awaits" 'Calculator.Tests.CalculationTests.Repeats_a_step' \
    "$(limited "$ILCOV" tests -d tests.ilcov Calculation.RepeatAsync 2>/dev/null)"
finish
