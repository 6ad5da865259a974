#!/bin/bash
# What is not measured is told, each in a line of its own, and what only has the name of a tool is measured: a suite whose
# programs and libraries are called like the SDK's, and which starts others without the variables that it has.
. "$(dirname "$0")/lib.sh"

unset DOTNET_EnableDiagnostics CORECLR_PROFILER CORECLR_ENABLE_PROFILING

mkdir solution && cd solution || exit 2
frugally
library TestHostKit
library NUnit.Stripped
for program in Suite DataCollector Tool; do
    library $program
    sed -i 's|<ImplicitUsings>|<OutputType>Exe</OutputType>&|' $program/$program.csproj
    sed -i 's|</Project>|<ItemGroup><ProjectReference Include="../TestHostKit/TestHostKit.csproj" /></ItemGroup>&|' $program/$program.csproj
done
sed -i 's|<ImplicitUsings>|<DebugType>none</DebugType>&|' NUnit.Stripped/NUnit.Stripped.csproj Tool/Tool.csproj
sed -i 's|</ItemGroup>|<ProjectReference Include="../NUnit.Stripped/NUnit.Stripped.csproj" /><ProjectReference Include="../DataCollector/DataCollector.csproj" /><ProjectReference Include="../Tool/Tool.csproj" />&|' \
    Suite/Suite.csproj
cat >TestHostKit/Kit.cs <<'CS'
namespace Kit;

public static class Waiter
{
    public static void Wait(string seconds) => Thread.Sleep(int.Parse(seconds) * 1000); // cov: hits=1
}
CS
cat >NUnit.Stripped/Code.cs <<'CS'
public static class Stripped
{
    public static int Twice(int n) => 2 * n;
}
CS
cat >DataCollector/Program.cs <<'CS'
Kit.Waiter.Wait("0"); // cov: hits=1
Console.Write(args[0] == "/nodemode:1" ? "" : "wrong arguments"); // cov: hits=1 branches=1/2
CS
echo 'Thread.Sleep(3000);' >Tool/Program.cs # without symbols: nothing of it would be measured
# Whatever ends after less than a look may be missed, so what is to be told stays for three.
cat >Suite/Program.cs <<'CS'
using System.Diagnostics;

if (args.Length == 1)
{
    Thread.Sleep(3000);
    return 0;
}
var children = new List<Process>
{
    Start("Suite", "own", environment => environment.Clear()),
    Start("Suite", "rival", environment => environment["CORECLR_PROFILER"] = "{846F5F1C-F9AE-4B07-969E-05C26BC060D8}"),
    Start("Suite", "off", environment => environment["DOTNET_EnableDiagnostics"] = "0"),
    Start("Tool", "own", environment => environment.Clear()),
    Start("DataCollector", "/nodemode:1", environment => { }),
    Start(args[1], "-version", environment => { }),
    Start(args[1], "-version", environment => environment.Clear()),
};
foreach (var child in children)
    child.WaitForExit();
Console.WriteLine($"{Stripped.Twice(21)} {string.Join(' ', children.Select(child => child.ExitCode))}");
return 0;

static Process Start(string program, string argument, Action<IDictionary<string, string?>> change)
{
    var path = Path.IsPathRooted(program) ? program : Path.Combine(AppContext.BaseDirectory, program + ".dll");
    var info = new ProcessStartInfo(Environment.ProcessPath!, [path, argument]) { RedirectStandardOutput = true };
    change(info.Environment);
    if (info.Environment.Count == 0)
    {
        info.Environment["PATH"] = Environment.GetEnvironmentVariable("PATH");
        info.Environment["HOME"] = Environment.GetEnvironmentVariable("HOME");
    }
    return Process.Start(info)!;
}
CS
made dotnet build Suite --nologo -o "$temp/out"

cd "$temp" || exit 2
sdk=$(dirname "$(readlink -f "$(command -v dotnet)")")/sdk/$(dotnet --version)
suite=(dotnet "$temp/out/Suite.dll" run "$sdk/MSBuild.dll")
limited "${suite[@]}" >bare.out 2>bare.err
same "bare: exit status" 0 $?

measure suite --quiet --root solution -- "${suite[@]}"
same "exit status" 0 "$status"
check "the suite prints what it prints without ilcov" cmp bare.out suite.out
own='it was started with an environment of its own; what starts it must pass on CORECLR_*, DOTNET_* and ILCOV_SESSION'
sort >told <<END
ilcov: NUnit.Stripped ran, but is not in the report: has no symbols: its .pdb is not there
ilcov: Suite was not measured: $own
ilcov: Suite was not measured: it was started with another profiler (Datadog), and .NET loads one only
ilcov: Suite was not measured: DOTNET_EnableDiagnostics=0 in its environment keeps every profiler out
END
check "each is told in a line, and the SDK's tools are not" diff told <(sort suite.err)
expected "a program and a library that are called like tools are measured" suite.xml solution

measure gate --quiet --root solution --fail-under 1 -- "${suite[@]}"
same "a gate does not pass over them" 3 "$status"
same "and the lines say so" 3 "$(grep -c '; no gate passes while it is not measured$' gate.err)"
finish
