#!/bin/bash
# Measured code outside the source root is named, no gate passes over it, and its lines are kept for another root.
. "$(dirname "$0")/lib.sh"

frugally
mkdir -p app shared/Lib shared/Linked empty
cat >app/app.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup><ProjectReference Include="../shared/Lib/Lib.csproj" /><Compile Include="../shared/Linked/*.cs" /></ItemGroup>
</Project>
XML
cat >shared/Lib/Lib.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>
XML
echo 'System.Console.WriteLine(Lib.Sums.Add(1, 2) + Linked.Words.Say());' >app/Program.cs
cat >shared/Linked/Words.cs <<'CS'
namespace Linked;
public static class Words
{
    public static string Say() => "hello";
}
CS
cat >shared/Lib/Sums.cs <<'CS'
namespace Lib;
public static class Sums
{
    public static int Add(int a, int b)
    {
        return a + b;
    }
    public static int Never(int a)
    {
        if (a > 2)
            return a;
        return -a; // ilcov:ignore
    }
}
CS
made dotnet build app
program=$temp/app/bin/Debug/net10.0/app

# ilcov VERB ARGUMENT...: the status in $status, standard error in err.
ilcov() {
    limited "$ILCOV" "$@" >out 2>err
    status=$?
}
# ends STATUS [LINE]: exactly one line of ilcov's has that text
ends() {
    [ "$status" = "$1" ] && { [ $# = 1 ] || [ "$(grep -cF -- "$2" err)" = 1 ]; } && return
    echo "status $status, expected $1 and: ${2-}"
    sed 's/^/err: /' err
    return 1
}
# sources REPORT: the files in it.
sources() {
    grep -o 'filename="[^"]*"' "$1" | cut -d'"' -f2 | sort -u | paste -sd' '
}
line="Lib ran, but its sources are outside the root $temp/app ($temp/shared/Lib/Sums.cs), and so are sources of app"

cd app || exit 2
ilcov run -- "$program"
check "one line names what is outside" ends 0 "$line; -r DIR sets a root that contains them, -x '[Lib]*' excludes them"
for gate in --fail-under=90 '--gate=line>=90'; do
    ilcov run "$gate" -- "$program"
    check "$gate does not pass over it" ends 3 "$line"
    check "and the line says so" grep -q 'without them no gate passes$' err
    ilcov report "$gate"
    check "nor does that of a report" ends 3 "$line"
    ilcov run "$gate" -r . -- "$program"
    check "with -r it does" ends 0 "$line"
    check "with the same line, but without advice" grep -q 'sources of app$' err
    ilcov report "$gate"
    check "so does a report of that run" ends 0 "$line"
done
ilcov run -q -- "$program"
ilcov diff --patch /dev/null --gate 'line>=0'
check "nor does a gate of diff" ends 3 "$line"
ilcov run --fail-under 90 -x '[Lib]*' -x '[app]Linked.*' -- "$program"
check "what -x leaves out is not named" ends 0
check "at all" bash -c '! grep outside err'
ilcov run --fail-under 90 -x '[Lib]*' -- "$program"
check "an assembly of which a part is outside is named, too" ends 3 \
    "app ran, but 1 of its 2 sources is outside the root $temp/app ($temp/shared/Linked/Words.cs)"

ilcov run -q -- "$program"
ilcov report -r .. -f cobertura=wide.xml
check "report -r takes in what is below its root" ends 0
check "and names nothing" bash -c '! grep outside err'
check "comments there exclude" grep -q '1 line excluded by ilcov:ignore' err
ilcov run -q -r .. -d there.ilcov -f cobertura=there.xml -- "$program"
same "its lines are those of a run with that root" "$(grep -v -e timestamp there.xml)" "$(grep -v -e timestamp wide.xml)"
check "all paths are relative to it" grep -q 'filename="app/Program.cs"' wide.xml
ilcov report -r ../shared -f cobertura=narrow.xml
check "report -r leaves out what is not below its root" ends 0 "app ran, but 1 of its 2 sources is outside the root $temp/shared"
check "and has the rest" grep -q 'filename="Lib/Sums.cs"' narrow.xml
ilcov report -r /elsewhere -f cobertura=moved.xml
check "another place of the same tree changes only the root's name" grep -q 'filename="Program.cs"' moved.xml
check "a line says that no source is there" ends 0 "no source is below the root /elsewhere, not even Program.cs"
mkdir -p ../copy
cp Program.cs ../copy/
ilcov report -r ../copy -f cobertura=copy.xml
check "where one is, nothing is said" bash -c '! grep "below the root" err'

# --- another folder of the same place ----------------------------------------------------------------------------------

cd .. || exit 2
ilcov run -q -d all.ilcov -- "$program"
ilcov report -r shared -f cobertura=shared.xml all.ilcov
check "-r with a folder below the root leaves out what is not in it" \
    ends 0 "app ran, but 1 of its 2 sources is outside the root $temp/shared"
same "paths begin in that folder" "Lib/Sums.cs Linked/Words.cs" \
    "$(sources shared.xml)"
ilcov run -q -r app -d app.ilcov -x '[Lib]*' -x '[app]Linked.*' -- "$program"
ilcov report -r . -x '[Lib]*' -x '[app]Linked.*' -f cobertura=above.xml app.ilcov
same "so they do in one above" "app/Program.cs" "$(sources above.xml)"
ilcov run -q -r app -d of_app.ilcov -f none -- "$program"
ilcov run -q -r shared -d of_shared.ilcov -f none -- "$program"
ilcov report -r . -f cobertura=two.xml of_app.ilcov of_shared.ilcov
same "of two runs with other roots each source goes by its own" \
    "app/Program.cs shared/Lib/Sums.cs shared/Linked/Words.cs" "$(sources two.xml)"
ilcov report -q -f cobertura=alone.xml all.ilcov
ilcov report -q -r . -f cobertura=beside.xml of_shared.ilcov alone.xml
same "a report of another tool beside the data names the same files" \
    "app/Program.cs shared/Lib/Sums.cs shared/Linked/Words.cs" "$(sources beside.xml)"
ilcov report -r shared/../missing/.. -f cobertura=dots.xml all.ilcov
same "a folder that does not exist is what its name says" "$(sources alone.xml)" "$(sources dots.xml)"
ilcov report -r ../missing -f cobertura=missing.xml all.ilcov
check "elsewhere, too" ends 0 "no source is below the root $(dirname "$temp")/missing, not even"
same "with all sources" "$(sources alone.xml)" "$(sources missing.xml)"
mkdir -p nested/shared/Lib
cp shared/Lib/Sums.cs nested/shared/Lib/
ilcov report -r nested -f cobertura=nested.xml all.ilcov
check "a copy of the tree below is the same tree" grep -q 'filename="shared/Lib/Sums.cs"' nested.xml
cd app || exit 2

cd ../empty || exit 2
ilcov run -- "$program"
check "a run of which nothing is left gives 3" ends 3 "nothing is left to report, so only TestResults/run.ilcov was written"
same "and writes only the data file" TestResults/run.ilcov "$(find . -type f ! -name out ! -name err -printf '%P')"
ilcov report -f cobertura=x.xml
check "so does a report of it" ends 3 "nothing is left to report, so no report was written"
check "which is not written" test ! -e x.xml
ilcov report -r .. -f cobertura=x.xml
check "with another root all is there" ends 0
check "the whole of it" grep -q 'lines-valid="5"' x.xml
ilcov run --allow-empty -- "$program"
check "--allow-empty accepts it" ends 0
check "the report does not say that all is covered" grep -q '<coverage line-rate="0"' coverage.cobertura.xml

finish
