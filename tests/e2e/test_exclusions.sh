#!/bin/bash
# What is excluded by attribute, comment or option is in no report, in Debug and Release; it is counted, listed with its
# reason, and stays in the data file.
. "$(dirname "$0")/lib.sh"

says() { check "$1" grep -qF -e "$3" "$2"; }
says_not() { check "$1" bash -c '! grep -qF -e "$2" "$1"' - "$2" "$3"; }

# reported REPORT FILE: the lines of FILE that are in REPORT, one a line.
reported() {
    awk -v file="filename=\"$2\"" '/<class / { on = index($0, file) }
        on && match($0, /<line number="[0-9]+"/) { print substr($0, RSTART + 14, RLENGTH - 15) }' "$1" | sort -nu
}
# marked FILE WORD: the lines of FILE that end with the comment WORD.
marked() { grep -n -- "// $2\$" "$1" | cut -d: -f1; }

all=$top/fixtures/exclusions
for configuration in Debug Release; do
    for fixture in exclusions exclusions_vb exclusions_fs; do
        build $fixture "$configuration"
        what="$fixture, $configuration"
        limited "$program" >bare.out
        measure $fixture --verbose --root "$top/fixtures/$fixture" -- "$program"
        same "$what: exit status" 0 "$status"
        check "$what: prints what it prints without coverage" cmp bare.out $fixture.out
        expected "$what: every line as written" $fixture.xml "$top/fixtures/$fixture" --configuration "$configuration"
        says "$what: reasons of attributes are listed" $fixture.err ': [ExcludeFromCodeCoverage]: '
        says "$what: reasons of comments are listed" $fixture.err ': ilcov:ignore: '
        check "$what: the summary counts" grep -Eq '^ilcov: [0-9]+ lines excluded: [0-9]+ by \[ExcludeFromCodeCoverage\], [0-9]+ by ilcov:ignore$' $fixture.err
        limited "$ILCOV" report --format cobertura=again.xml $fixture.ilcov 2>again.err
        check "$what: report makes the same" diff <(grep -v timestamp= $fixture.xml) <(grep -v timestamp= again.xml)
        says "$what: and counts the same" again.err "$(grep 'lines excluded' $fixture.err)"
    done

    build exclusions "$configuration"
    measure options --root "$all" --exclude-attribute LeaveOut \
        --exclude-attribute Obsolete --exclude-attribute DebuggerStepThrough --exclude-auto-properties -- "$program"
    reported options.xml Options.cs >lines
    check "$configuration: --exclude-attribute leaves out" test -z "$(grep -Fxf <(marked "$all/Options.cs" attribute) lines)"
    check "$configuration: --exclude-auto-properties leaves out, initialisers too" \
        test -z "$(grep -Fxf <(marked "$all/Options.cs" auto) lines)"
    check "$configuration: but nothing that was written" \
        test -z "$(marked "$all/Options.cs" written | grep -Fxvf lines)"
    says "$configuration: the summary names the option" options.err ' by --exclude-auto-properties'
    says "$configuration: and the attribute" options.err ' by [LeaveOut]'
    measure plain --quiet --root "$all" -- "$program"
    reported plain.xml Options.cs >lines
    check "$configuration: without options all of it is there" \
        test -z "$( (marked "$all/Options.cs" attribute; marked "$all/Options.cs" auto) | grep -Fxvf lines)"
    measure files --root "$all" --exclude-files Options.cs --verbose -- "$program"
    says "$configuration: --exclude-files is counted" files.err ' by --exclude-files'
    check "$configuration: and listed" grep -Eq '^ilcov: excluded: Options.cs:[0-9]+-[0-9]+ \([0-9]+ lines\): excluded by --exclude-files$' files.err
done

# --- comments of other sources -------------------------------------------------------------------
# project NAME [PROPERTIES]: a program in a directory of its own, without what this machine has set.
project() {
    mkdir -p "$temp/$1"
    cd "$temp/$1" || exit 2
    git init -q . 2>/dev/null
    echo '<Project />' >Directory.Build.props
    cat >"$1.csproj" <<XML
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType>
    <OutDir>out/</OutDir>${2:-}
  </PropertyGroup>
</Project>
XML
    cat >Program.cs <<'CS'
class Program
{
    static void Main()
    {
        System.Console.Write(1);
        System.Console.Write(2); // ilcov:ignore why
    }
}
CS
}
# built NAME: goes there, and sets `program`.
built() {
    cd "$temp/$1" || exit 2
    program=$temp/$1/out/$1
}

# All are built in one go.
project changed
project embedded '<EmbedAllSources>true</EmbedAllSources><DebugType>embedded</DebugType>'
project mapped "<ContinuousIntegrationBuild>true</ContinuousIntegrationBuild>
    <DeterministicSourcePaths>true</DeterministicSourcePaths><PathMap>$temp/mapped/=/_/</PathMap>"
project unbalanced
cat >Program.cs <<'CS'
class Program
{
    static void Main()
    {
        System.Console.Write(1);
        // ilcov:ignore-end
        System.Console.Write(2); // ilcov:ignored
        // ilcov:ignore
        // ilcov:ignore-start
        System.Console.Write(3);
    }
}
CS
for target in assembly module; do
    project $target
    cat >All.cs <<CS
[$target: LeaveOut]
class LeaveOutAttribute : System.Attribute { }
CS
done
cd "$temp" || exit 2
solution all changed embedded mapped unbalanced assembly module
made dotnet build all.slnx --nologo

built changed
measure same --verbose -- "$program"
same "a source as compiled: its comment counts" "5" "$(reported same.xml Program.cs | tr '\n' ' ' | sed 's/ $//')"
sed -i 's/$/\r/' Program.cs
measure crlf --verbose -- "$program"
check "a source that was checked out with other line ends makes the same report" diff <(grep -v timestamp= same.xml) <(grep -v timestamp= crlf.xml)
says_not "and is as compiled" crlf.err "not as compiled"
echo '// changed' >>Program.cs
measure changed --verbose -- "$program"
same "a source that changed since: none of its comments counts" "5 6" "$(reported changed.xml Program.cs | tr '\n' ' ' | sed 's/ $//')"
says "which -v says" changed.err "changed: 1 of its sources is not as compiled, so comments there exclude nothing: Program.cs"
measure quiet -- "$program"
says_not "and nothing else does" quiet.err "not as compiled"

rm Program.cs && mkfifo Program.cs
measure pipe --verbose -- "$program"
same "a pipe in the place of a source is not waited for" 0 "$status"
says "and is not the source" pipe.err "not as compiled"

built embedded
rm Program.cs && mkfifo Program.cs
LIMIT=60 measure waiting --verbose -- "$program"
same "a pipe in the place of an embedded source is not waited for" 0 "$status"
rm Program.cs
measure embedded --verbose -- "$program"
same "an embedded source: its comment counts" "5" "$(reported embedded.xml Program.cs | tr '\n' ' ' | sed 's/ $//')"

built mapped
measure mapped --verbose -- "$program"
same "a source of a deterministic build: its comment counts" "5" "$(reported mapped.xml Program.cs | tr '\n' ' ' | sed 's/ $//')"

ln -sf /dev/zero Program.cs
LIMIT=60 measure endless --verbose -- "$program"
check "a source without end is not read" test "$status" = 0 -o "$status" = 3
check "and named" grep -q 'Program.cs\|not as compiled\|changed' endless.err

built unbalanced
measure unbalanced -- "$program"
same "comments that are wrong: exit status" 0 "$status"
same "an end without a start is told once" 1 "$(grep -c '^ilcov: Program.cs:6: ilcov:ignore-end without a start$' unbalanced.err)"
same "a start without an end is told once" 1 "$(grep -c '^ilcov: Program.cs:9: ilcov:ignore-start without an end: everything after it is excluded$' unbalanced.err)"
same "so is a word that is not known" 1 "$(grep -c '^ilcov: Program.cs:7: .*: ilcov:ignored$' unbalanced.err)"
same "a start without an end excludes the rest" "5 7" "$(reported unbalanced.xml Program.cs | tr '\n' ' ' | sed 's/ $//')"
measure noted --verbose -- "$program"
says "a comment that excludes nothing is told by -v" noted.err "Program.cs:8: ilcov:ignore excludes nothing: there is no statement"

# --- everything ----------------------------------------------------------------------------------
for target in assembly module; do
    built $target
    measure $target --exclude-attribute LeaveOutAttribute -- "$program"
    says "an attribute of the $target leaves nothing to report" $target.err "nothing is left to report ($target: [LeaveOut])"
    measure $target --allow-empty --exclude-attribute LeaveOutAttribute -- "$program"
    same "an attribute of the $target excludes all" "" "$(reported $target.xml Program.cs)"
    says "an attribute of the $target: the summary says so" $target.err " by [LeaveOut]"
done
finish
