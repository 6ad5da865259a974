#!/bin/bash
# --solution adds the projects that nothing loaded, with 0 hits: from every kind of solution, of the build that is like what ran. What
# is not there, not built or not .NET has a line that names it; a broken solution costs no run.
. "$(dirname "$0")/lib.sh"

git init -q . 2>/dev/null
echo '<Project />' | tee Directory.Build.props >Directory.Build.targets

# project NAME [ELEMENTS]: a library whose method has one line with two branches, and in a build for .NET 8 another one.
project() {
    mkdir -p "src/$1"
    cat >"src/$1/$1.csproj" <<XML
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework>${2:-}</PropertyGroup>${3:-}
</Project>
XML
    cat >"src/$1/$1.cs" <<CS
namespace $1;
public class C
{
    public static int F(int n) => n > 0 ? n : -n;
#if RELEASE
    public static int G(int n) => n;
#endif
}
CS
}
project Used
project Unused
project Renamed '<AssemblyName>Company.Renamed</AssemblyName>'
project Unbuilt
project Tests '' '<ItemGroup><Reference Include="nunit.framework" HintPath="../../nunit/nunit.framework.dll" /></ItemGroup>'
project App '<OutputType>Exe</OutputType>' '<ItemGroup><ProjectReference Include="../Used/Used.csproj" /></ItemGroup>'
rm src/App/App.cs
echo 'System.Console.WriteLine(Used.C.F(1));' >src/App/Program.cs

# A test project, by the name of what it refers to.
mkdir nunit
cat >nunit/nunit.framework.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><OutputPath>.</OutputPath>
    <AppendTargetFrameworkToOutputPath>false</AppendTargetFrameworkToOutputPath></PropertyGroup>
</Project>
XML
echo 'public class TestAttribute : System.Attribute { }' >nunit/Test.cs
sed -i 's/public static int F/[Test] public static int F/' src/Tests/Tests.cs
made dotnet build nunit --nologo
for built in App Unused Renamed Tests; do made dotnet build src/$built --nologo; done
made dotnet build src/Unused --nologo --configuration Release

cat >Shop.slnx <<'XML'
<Solution>
  <Folder Name="/src/">
    <Project Path="src/App/App.csproj" />
    <Project Path="src/Used/Used.csproj" />
    <Project Path="src/Unused/Unused.csproj" />
    <Project Path="src/Renamed/Renamed.csproj" />
    <Project Path="src/Unbuilt/Unbuilt.csproj" />
    <Project Path="src/Gone/Gone.csproj" />
    <Project Path="src/Tests/Tests.csproj" />
    <Project Path="src/Native/Native.vcxproj" />
  </Folder>
</Solution>
XML
{
    printf '\xEF\xBB\xBF\r\nMicrosoft Visual Studio Solution File, Format Version 12.00\r\n'
    printf 'Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "src", "src", "{0}"\r\nEndProject\r\n'
    for name in App Used Unused Renamed Unbuilt Gone Tests; do
        printf 'Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "%s", "src\\%s\\%s.csproj", "{1}"\r\nEndProject\r\n' $name $name $name
    done
    printf 'Project("{8BC9CEB8-8B4A-11D0-8D11-00A0C91BC942}") = "Native", "src\\Native\\Native.vcxproj", "{2}"\r\nEndProject\r\n'
    printf 'Global\r\nEndGlobal\r\n'
} >Shop.sln
mkdir filters
printf '{\n  "solution": {\n    "path": "..\\\\Shop.sln",\n    "projects": [ "src\\\\Used\\\\Used.csproj", "src\\\\Unused\\\\Unused.csproj" ]\n  }\n}\n' \
    >filters/Some.slnf

# lines DATA: "Unused.cs 4:0" for each line with its hits.
lines() {
    limited "$ILCOV" report -q -f json=- "$1" | python3 -S -c '
import json, sys
for package in json.load(sys.stdin)["packages"]:
    for c in package["classes"]:
        print(c["file"].rsplit("/", 1)[-1], *("%d:%d" % (line["number"], line["hits"]) for line in c["lines"]),
              package["totals"]["branches"]["valid"])' | sort
}
run() { # SOLUTION OPTION...
    local file=$1
    shift
    limited "$ILCOV" run -d run.ilcov -f none --solution "$file" "$@" -- dotnet src/App/bin/Debug/net10.0/App.dll >out 2>err
}

# --- what it adds ------------------------------------------------------------------------------------------------------
ran="Program.cs 1:1 0
Used.cs 4:1 2"
all="Program.cs 1:1 0
Renamed.cs 4:0 2
Unused.cs 4:0 2
Used.cs 4:1 2"
limited "$ILCOV" run -d run.ilcov -f none -- dotnet src/App/bin/Debug/net10.0/App.dll >out 2>err
same "without --solution nothing else is reported" "$ran" "$(lines run.ilcov)"
for file in Shop.slnx Shop.sln "$temp/Shop.sln"; do
    run "$file" -v
    same "$file: exit status" 0 $?
    same "$file: its projects count with 0, in the configuration that ran" "$all" "$(lines run.ilcov)"
    check "$file: what was not built is named" grep -qxF \
        "ilcov: src/Unbuilt/Unbuilt.csproj was not built, so its code is not in the report: 'dotnet build' builds it" err
    check "$file: what is not there is named" grep -qxF "ilcov: src/Gone/Gone.csproj is in the solution, but not on the disk" err
    check "$file: -v says why a project is left out" bash -c 'sed -n "/left out, holds tests/,/^ilcov: left/p" err | grep -q " Tests$"'
    check "$file: -v names what is not .NET" grep -qxF "ilcov: src/Native/Native.vcxproj is not C#, Visual Basic or F#, and not counted" err
done
run Shop.slnx
check "without -v it is not named" test -z "$(grep vcxproj err)"
run Shop.slnx --include-tests
same "--include-tests adds those of tests" "$(printf '%s\nTests.cs 4:0 2\n' "$all" | sort)" "$(lines run.ilcov)"
run Shop.slnx -x '[Company.*]*'
same "-x leaves one out" "$(grep -v Renamed <<<"$all")" "$(lines run.ilcov)"
run filters/Some.slnf
same "a filter has some" "$(grep -v Renamed <<<"$all")" "$(lines run.ilcov)"
check "and no line about others" test -z "$(grep csproj err)"
run src/Renamed/Renamed.csproj
same "a project is a solution of one" "$(grep -v Unused <<<"$all")" "$(lines run.ilcov)"
(cd src/App && limited "$ILCOV" run -d "$temp/run.ilcov" -f none --solution ../Renamed/Renamed.csproj -- dotnet bin/Debug/net10.0/App.dll >out 2>err)
same "from another folder" "$(grep -v Unused <<<"$all")" "$(lines run.ilcov)"
limited "$ILCOV" run -d run.ilcov -f none --keep-session --session-dir "$temp" -- dotnet src/App/bin/Debug/net10.0/App.dll >out 2>err
limited "$ILCOV" collect --remove -d collected.ilcov -f none --solution Shop.slnx "$temp"/ilcov-kept-* >out 2>err
same "collect: exit status" 0 $?
same "collect adds them, too" "$all" "$(lines collected.ilcov)"
limited "$ILCOV" merge -q -o both.ilcov run.ilcov collected.ilcov
same "what never loaded on one machine is merged with what ran on another" \
    "Renamed.cs 4:0 2
Unused.cs 4:0 2" "$(lines both.ilcov | grep ':0')"

# --- a patch that changes them -----------------------------------------------------------------------------------------
# No gate on the patch passes over a source that nothing is known of; what is left out, and what has no code, is listed with -v.
commit() {
    made git -c user.name=a -c user.email=a@example.org commit --quiet --allow-empty --message="$1"
}
if command -v git >/dev/null; then
    printf 'bin/\nobj/\n' >.gitignore
    commit nothing
    git add .gitignore src nunit
    commit all
    patch=(--patch HEAD^..HEAD --gate 'patch>=50')
    limited "$ILCOV" run -d run.ilcov -f none "${patch[@]}" -- dotnet src/App/bin/Debug/net10.0/App.dll >out 2>err
    same "sources that no assembly has fail a gate on the patch: exit status" 3 $?
    check "... which says so" grep -qxF "ilcov: gate patch>=50: not all changed lines are known" err
    same "... and names them" "src/Renamed/Renamed.cs src/Tests/Tests.cs src/Unbuilt/Unbuilt.cs src/Unused/Unused.cs" \
        "$(sed -n 's/^ilcov:   \(.*\): not measured$/\1/p' err | paste -sd' ')"
    check "... and what finds them" grep -q "4 changed sources are in no assembly .*'ilcov run --solution' finds what no test loads" err
    limited "$ILCOV" diff --patch HEAD^..HEAD run.ilcov >out 2>err
    same "without a gate they are a note: exit status" 0 $?
    check "... that names the first" grep -q 'note .*4 changed sources .*: src/Renamed/Renamed.cs and others' out
    run Shop.slnx "${patch[@]}"
    same "--solution finds what was built: exit status" 3 $?
    same "... but for one project" "src/Unbuilt/Unbuilt.cs" "$(sed -n 's/^ilcov:   \(.*\): not measured$/\1/p' err)"
    run Shop.slnx "${patch[@]}" -v --exclude-files 'src/Unbuilt/*'
    same "--exclude-files leaves one out: exit status" 0 $?
    same "... and -v says what is not looked at" "nunit/Test.cs: has no code
src/Tests/Tests.cs: holds tests (--include-tests counts them)
src/Unbuilt/Unbuilt.cs: excluded by --exclude-files" "$(sed -n 's/^ilcov: not checked in the patch: //p' err)"
    limited "$ILCOV" diff -q -v "${patch[@]}" --gate 'patch>=51' --exclude-files 'src/Unbuilt/*' run.ilcov >out 2>err
    same "lines with 0 count: exit status" 1 $?
    check "... two of four" grep -qxF "ilcov: gate patch>=51: 50.00 % of 4 changed lines are covered" err
    run Shop.slnx -x '[Company.*]*' "${patch[@]}" --exclude-files 'src/Unbuilt/*' -v
    same "what -x leaves out is known: exit status" 0 $?
    check "... and listed" grep -qxF "ilcov: not checked in the patch: src/Renamed/Renamed.cs: excluded by -x" err
else
    skip "a patch of projects that nothing loaded" "no git"
fi

# --- a build that is older than its sources ----------------------------------------------------------------------------
# Told before a command that builds nothing, by checksums. This dotnet does nothing at all.
mkdir idle
printf '#!/bin/sh\n' >idle/dotnet
chmod +x idle/dotnet
# stale WHAT EXPECTED [OPTION...] -- COMMAND...
stale() {
    local what=$1 expected=$2
    shift 2
    PATH=$temp/idle:$PATH limited "$ILCOV" run -d stale.ilcov -f none --allow-empty "$@" >out 2>err
    same "$what" "$expected" "$(sed -n 's/^ilcov: \(.* and this command does not build\):.*/\1/p' err)"
}
bin=src/App/bin/Debug/net10.0
touch src/Used/Used.cs
stale "an old file with a new date" "" -- dotnet test src/App --no-build
echo '// more' >>src/Used/Used.cs
told="src/Used/Used.cs has changed since the last build (of Used.dll), and this command does not build"
stale "test --no-build, of a folder" "$told" -- dotnet test src/App --no-build
stale "... behind options" "$told" -- dotnet test -c Debug --no-build src/App
stale "... of a solution" "$told" -- dotnet test Shop.slnx --no-build --configuration Debug
stale "... of a project" "$told" -- dotnet run --no-build --project src/App/App.csproj -f net10.0
stale "tests by their assembly" "$told" -- dotnet vstest $bin/App.dll
stale "... of a build that a property names" "" -- dotnet test src/App --no-build -p:Configuration=Release
stale "... that is elsewhere" "" -- dotnet test src/App --no-build -o elsewhere
stale "dotnet exec" "$told" -- dotnet exec $bin/App.dll
stale "dotnet App.dll" "$told" -- dotnet $bin/App.dll
stale "the program of an application" "$told" -- $bin/App
(cd src/App && PATH=$temp/idle:$PATH limited "$ILCOV" run -d stale.ilcov -f none --allow-empty -- dotnet test --no-build >out 2>"$temp/err")
check "in the project's folder" grep -qF "$told" err
stale "a command that builds" "" -- dotnet test src/App
stale "an argument of the tests" "" -- dotnet test src/App -- --no-build
stale "code that is not measured" "" -x '[Used]*' -- dotnet $bin/App.dll
stale "a file that is left out" "" --exclude-files '*/Used.cs' -- dotnet $bin/App.dll
stale "tests" "" -- dotnet test src/Tests --no-build
echo '// more' >>src/Tests/Tests.cs
stale "tests that have changed" "" -- dotnet test src/Tests --no-build
stale "... and are measured" "src/Tests/Tests.cs has changed since the last build (of Tests.dll), and this command does not build" \
    --include-tests -- dotnet test src/Tests --no-build
echo '// more' >>src/App/Program.cs
stale "several" "src/App/Program.cs and 1 more have changed since the last build (of App.dll), and this command does not build" \
    -- dotnet test src/App/App.csproj --no-build

# --- a broken one costs no run -----------------------------------------------------------------------------------------
# refused STATUS FILE MESSAGE
refused() {
    limited "$ILCOV" run -d broken.ilcov -f none --solution "$2" -- touch "$temp/it-ran" >out 2>err
    same "$2: exit status" "$1" $?
    check "$2: $3" grep -qF -e "$3" err
}
sed '/EndProject/,$d' Shop.sln >torn.sln
sed 's/<\/Folder>//' Shop.slnx >torn.slnx
echo '{ "solution": ' >torn.slnf
echo 'x' >readme.md
refused 3 torn.sln '--solution torn.sln ends within the Project of line 3'
refused 3 torn.slnx '--solution torn.slnx: line 12 is not well-formed XML: '
refused 3 torn.slnf '--solution torn.slnf: line 2 is not JSON: '
refused 3 no.sln '--solution no.sln '
refused 2 readme.md '--solution readme.md is not a solution: expected .sln, .slnx or .slnf'
check "nothing ran" test ! -e it-ran -a ! -e broken.ilcov
finish
