#!/bin/bash
# What is measured and what is left out: never-loaded assemblies, packages, patterns, excluded files and types.
. "$(dirname "$0")/lib.sh"

# says WHAT FILE WORDS / says_not WHAT FILE WORDS
says() { check "$1" grep -qF -e "$3" "$2"; }
says_not() { check "$1" bash -c '! grep -qF -e "$2" "$1"' - "$2" "$3"; }

mkdir "$temp/scope" && cd "$temp/scope" || exit 2
library Used
sed -i 's|net10.0</TargetFramework>|netstandard2.1</TargetFramework><LangVersion>latest</LangVersion>|' Used/Used.csproj
library Unused
mkdir App
cat >App/App.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable>
  </PropertyGroup>
  <ItemGroup>
    <ProjectReference Include="../Used/Used.csproj" />
    <ProjectReference Include="../Unused/Unused.csproj" />
    <PackageReference Include="Newtonsoft.Json" Version="13.0.3" />
  </ItemGroup>
</Project>
XML
cat >Used/Code.cs <<'CS'
namespace Used;

public static class Wanted
{
    public static int Twice(int n) => 2 * n; // cov: hits=1
}

public static class Generated
{
    public static int Thrice(int n) => 3 * n; // cov: hits=1
}
CS
cat >Unused/Code.cs <<'CS'
namespace Unused;

public static class Never
{
    public static int Half(int n) => n > 0 ? n / 2 : 0; // cov: hits=0 branches=0/2
}
CS
cat >App/Program.cs <<'CS'
int n = Used.Wanted.Twice(Used.Generated.Thrice(1)); // cov: hits=1
Console.WriteLine(Newtonsoft.Json.JsonConvert.SerializeObject(n)); // cov: hits=1
if (n < 0) // cov: hits=1 branches=1/2
    Later(); // cov: hits=0

void Later() => Console.WriteLine(Unused.Never.Half(n)); // cov: hits=0
CS
made dotnet build App --output out
program=out/App

measure plain --verbose --format text=plain.txt -- "$program"
same "a program with libraries: exit status" 0 "$status"
expected "every line as written, a library that never loaded among them" plain.xml "$temp/scope"
says "the summary marks what never loaded" plain.txt "Unused *"
says "a package's assembly is left out, with the reason" plain.err "comes from a package"
says "the framework is left out, with the reason" plain.err "part of the .NET installation"
says_not "a package's assembly is not in the report" plain.xml 'package name="Newtonsoft.Json"'

# It refers to netstandard, which does not know the type that exact probes name.
check "one of the libraries is for .NET Standard" grep -q netstandard out/Used.dll
measure exact --mode exact -- "$program"
expected "exact: every line as written" exact.xml "$temp/scope"

measure only --include '[Used]*' -- "$program"
says "-i measures what it names" only.xml 'package name="Used"'
says_not "-i replaces the default" only.xml 'package name="App"'

measure type --include '[Used]Used.Wanted' -- "$program"
says "-i with a type shows the type" type.xml 'class name="Used.Wanted"'
says_not "-i with a type leaves the others out" type.xml 'class name="Used.Generated"'

measure without --exclude '[*]*.Generated' --exclude '[Unused]*' -- "$program"
says_not "-x leaves types out" without.xml 'class name="Used.Generated"'
says_not "-x leaves assemblies out" without.xml 'package name="Unused"'
says "-x leaves the rest" without.xml 'class name="Used.Wanted"'

measure both --include '[Used]*' --exclude '[Used]*' -- "$program"
same "-x beats -i, so nothing is left to measure" 3 "$status"

measure package --include '[Newtonsoft.Json]*' --format text=package.txt -- "$program"
same "a package's assembly can be named" 0 "$status"
check "without symbols it has no lines, and is counted by method" \
    grep -Eq '^Newtonsoft\.Json +- 0/0 +- 0/0 +[0-9.]+% [1-9][0-9]*/[1-9][0-9]+$' package.txt
says_not "which Cobertura has no place for" package.xml '<package '

measure files --exclude-files '**/Used/*.cs' -- "$program"
says_not "--exclude-files leaves files out" files.xml 'filename="Used/Code.cs"'
says "--exclude-files leaves the others" files.xml 'filename="App/Program.cs"'

rm -rf out
for run in plain only type without files; do
    limited "$ILCOV" report --format cobertura=again.xml $run.ilcov 2>again.err
    check "report makes the same from the data file, without options and DLLs: $run" \
        diff <(grep -v timestamp= $run.xml) <(grep -v timestamp= again.xml)
done
finish
