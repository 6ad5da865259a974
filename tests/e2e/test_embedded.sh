#!/bin/bash
# Sources that are on no disk, but in the PDB: those of a generator, and one that was deleted since the build.
. "$(dirname "$0")/lib.sh"

mkdir "$temp/app"
cd "$temp/app" || exit 2
cat >app.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <EmbedAllSources>true</EmbedAllSources>
  </PropertyGroup>
</Project>
XML
cat >Program.cs <<'CS'
using System.Text.RegularExpressions;

partial class Program
{
    [GeneratedRegex("a+b")]
    private static partial Regex Pattern();

    static void Main(string[] args)
    {
        if (args.Length > 0)
            System.Console.WriteLine("with arguments");
        System.Console.WriteLine(Pattern().IsMatch("xaab"));
    }
}
CS
made dotnet build --output out
run_app()
{
    limited "$ILCOV" run -d "$1" --include-generated -f cobertura="$1.xml" -- dotnet out/app.dll "${@:2}" >"$temp/out" 2>"$temp/err"
}

run_app with.ilcov x
same "both runs: exit status" 0 $?
check "a generator's source is in the report" grep -q 'filename="obj/.*RegexGenerator.g.cs"' with.ilcov.xml
mv Program.cs "$temp/elsewhere.cs"
run_app without.ilcov
check "a deleted source is in the report" grep -q 'filename="Program.cs"' without.ilcov.xml
check "and has its lines" grep -q '<line number="11" hits="0"' without.ilcov.xml

# What the data file keeps of it is shown, here and on a machine that has neither sources nor PDB.
limited "$ILCOV" diff with.ilcov without.ilcov >"$temp/diff"
same "diff: exit status" 0 $?
check "diff shows the text of a line that was deleted" grep -q 'WriteLine("with arguments");' "$temp/diff"
rm -rf out obj
mkdir elsewhere
mv with.ilcov without.ilcov elsewhere
cd elsewhere || exit 2
limited "$ILCOV" diff with.ilcov without.ilcov >"$temp/diff.elsewhere"
check "so it does without build and sources" grep -q 'WriteLine("with arguments");' "$temp/diff.elsewhere"

# A file that was changed since is not shown as if it were what ran.
cd "$temp/app" || exit 2
sed 's/with arguments/something else/' "$temp/elsewhere.cs" >Program.cs
limited "$ILCOV" diff elsewhere/with.ilcov elsewhere/without.ilcov >"$temp/diff.changed"
check "of a source that was changed since, what was compiled is shown" \
    grep -q 'WriteLine("with arguments");' "$temp/diff.changed"

finish
