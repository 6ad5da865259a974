#!/bin/bash
# Names of types and methods: what -x and -i take, what `ilcov inspect` finds, and names that are too long or nested too deep to be
# written whole. One PDB has another checksum than its assembly names, as those of ilasm.
. "$(dirname "$0")/lib.sh"
DEPTH=70

mkdir names && cd names || exit 2
git init -q . 2>/dev/null
echo '<Project />' >Directory.Build.props
cat >names.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType></PropertyGroup>
</Project>
XML
cat >Outer.cs <<'CS'
namespace N.Deeper;

class Outer
{
    public static int Own() => 1;
    public static T Map<T>(T value) => value;

    public class Inner
    {
        public static int Run() => Innermost.Run();

        public class Innermost
        {
            public static int Run() => 2;
        }
    }
}
CS
cat >Other.cs <<'CS'
namespace N.Deeper;

class Outermost
{
    public static int Run() => 3;
}

class Box<T>
{
    public static T Unwrap(T value) => value;
}

class Old
{
    [System.Obsolete]
    public static int Run() => 5;
}
CS
{
    seq -f 'class A%.0f {' 1 $DEPTH
    echo 'public static int Deep() => 4;'
    seq 1 $DEPTH | sed 's/.*/}/'
} | sed '2,$s/^class/public class/' >Deep.cs
cat >Program.cs <<CS
using N.Deeper;
System.Console.WriteLine(Outer.Own() + Outer.Map(1) + Outer.Inner.Run() + Outermost.Run() + Box<int>.Unwrap(1)
    + $(seq -f 'A%.0f' -s . 1 $DEPTH).Deep());
CS
made dotnet build --nologo --output out
program=$temp/names/out/names

# has FILE REPORT: is there a line of it in the report?
has() { grep -q "filename=\"$1\"" "$2"; }
class_is_there() { grep -q "<class name=\"[^\"]*$1\"" "$2"; }
says() { check "$1" grep -qF -e "$3" "$2"; }

# --- odd ------------------------------------------------------------------------------------------------------------------
measure plain -- "$program"
same "types nested $DEPTH deep: the program runs, and the run does not fail" "0 12" "$status $(cat plain.out)"
check "their code is in the report" has Deep.cs plain.xml
check "and so is all other" has Other.cs plain.xml
check "nothing is said of it" bash -c '! grep -q "nested\|deep\|not in the report" plain.err'

# --- -x and -i ------------------------------------------------------------------------------------------------------------
measure excluded -q -x '[names]*Outer' -- "$program"
check "-x of a type leaves out what is nested in it" bash -c '! grep -q Outer.cs excluded.xml'
check "but no type whose name only begins like it" has Other.cs excluded.xml
limited "$ILCOV" report -x '[names]*Outer' -f cobertura=report.xml plain.ilcov
check "so does -x of ilcov report" bash -c '! grep -q Outer.cs report.xml'
measure inner -q -x '[names]*/Inner' -- "$program"
check "-x of a nested type leaves its own out" bash -c '! grep -q "Inner" inner.xml'
check "not the type around it" class_is_there 'Outer' inner.xml
measure included -q -i '[names]*Outer' -- "$program"
check "-i of a type takes what is nested in it" class_is_there 'Outer[./+]Inner[./+]Innermost' included.xml
check "and nothing else" bash -c '! grep -q Other.cs included.xml'

measure nothing -x '[NoSuch]*' -x '[names]*NoSuch' -x '[*]NoSuch' -x 'names.dll' --exclude-files 'nosuch/**' \
    --exclude-attribute Obsolte -i names -i Lib.dll -- "$program"
says "-x of no assembly" nothing.err "-x '[NoSuch]*' matches nothing: no assembly of that name was loaded"
says "-x of no type" nothing.err "-x '[names]*NoSuch' matches no type"
says "-x of no type of any assembly" nothing.err "-x '[*]NoSuch' matches no type"
says "-x of a file's name" nothing.err "as in -x 'names'"
says "-i of a file's name" nothing.err "as in -i 'Lib'"
says "--exclude-files of no file" nothing.err "--exclude-files 'nosuch/**' matches nothing"
says "--exclude-attribute of none" nothing.err "--exclude-attribute 'Obsolte' excludes nothing"
same "each in one line" 7 "$(grep -c "matches no\|excludes no" nothing.err)"
measure matching -x '[names]*Outer' -x '[System.*]*' --exclude-files 'Other.cs' --exclude-attribute System.ObsoleteAttribute \
    --exclude-attribute ExcludeFromCodeCoverage -i '[names]*' -- "$program"
check "what matches is not named" bash -c '! grep -q "matches no\|excludes no" matching.err'
for verb in report show; do
    limited "$ILCOV" $verb -x '[*]NoSuch' -x '[Zzz]*' --exclude-files 'zzz/*' -d plain.ilcov >left.out 2>left.err
    same "$verb names what matches nothing" 3 "$(grep -c "matches no" left.err)"
done
limited "$ILCOV" diff -x '[*]NoSuch' -x '[Zzz]*' --exclude-files 'zzz/*' plain.ilcov plain.ilcov >left.out 2>left.err
same "diff names what matches nothing" 3 "$(grep -c "matches no" left.err)"

# --- nothing is left ------------------------------------------------------------------------------------------------------
# left_nothing WHAT CAUSE COMMAND...: status 3, and a line that names the cause.
left_nothing() {
    local what=$1 cause=$2
    shift 2
    rm -f left.xml
    limited "$ILCOV" "$@" >left.out 2>left.err
    same "$what: exit status" 3 $?
    says "$what: a line names the cause" left.err "nothing is left to report (names: $cause), so "
    check "$what: no report is written" test ! -e left.xml
}
left_nothing "report -x of the assembly" "excluded by -x [names]*" report -q -x '[names]*' -f cobertura=left.xml plain.ilcov
left_nothing "report -x of its types" "excluded by -x [names]?*" report -x '[names]?*' -f cobertura=left.xml plain.ilcov
left_nothing "report --exclude-files" "excluded by --exclude-files" report --exclude-files '*' -f cobertura=left.xml plain.ilcov
left_nothing "run -i of no type" "not named by -i" \
    run -q -r . -d left.ilcov -f cobertura=left.xml -i '[names]NoSuch' -- "$program"
left_nothing "run --exclude-files" "excluded by --exclude-files" \
    run -q -r . -d left.ilcov -f cobertura=left.xml --exclude-files '*' -- "$program"
limited "$ILCOV" run -q -r . -d left.ilcov -f cobertura=left.xml --exclude-files '*' --allow-empty -- "$program" >left.out 2>left.err
same "--allow-empty accepts it" 0 $?
check "and writes the report" test -s left.xml
measure nested -- "$ILCOV" run -- true
check "an ilcov in ilcov is named" grep -qF 'the command is ilcov itself' nested.err
check "and is not PublishAot" bash -c '! grep -q PublishAot nested.err'

# --- inspect --------------------------------------------------------------------------------------------------------------
# finds METHOD NUMBER: how many methods does METHOD select, in the assembly and in the data file?
finds() {
    limited "$ILCOV" inspect out/names.dll "$1" >inspect.out 2>inspect.err
    same "inspect $1" "$2" "$(grep -c '^06[0-9a-f]* ' inspect.out)"
    limited "$ILCOV" inspect plain.ilcov "$1" >inspect.out 2>inspect.err
    same "inspect $1, in a data file" "$2" "$(grep -c '^06[0-9a-f]* ' inspect.out)"
}
finds Map 1
finds 'Map`1' 1
finds Outer.Map 1
finds N.Deeper.Outer.Map 1
finds Deeper.Outer.Own 1
finds Inner.Run 1
finds Outer/Inner.Run 1
finds Outer.Inner.Run 1
finds Box.Unwrap 1
finds 'Box`1.Unwrap' 1
finds 'Outer.*' 7 # with a constructor each
finds 'Own*' 1

# proposes METHOD WORDS: nothing is found, and that is said with a proposal
proposes() {
    for file in out/names.dll plain.ilcov; do
        limited "$ILCOV" inspect $file "$1" >inspect.out 2>inspect.err
        same "inspect $file $1: status" 3 $?
        one_line_about "inspect $file $1: what may be meant" inspect.err "$2"
    done
}
proposes Mapp "did you mean 'Map'"
proposes outer.map "did you mean 'Outer.Map'"
proposes Outer.Onw "'Outer.Own'"
proposes NothingLikeThatAtAll "without METHOD all are listed"

# --- a checksum that differs ----------------------------------------------------------------------------------------------
rm -rf obj # which has a PDB with the right one
# Changes the entry point in the #Pdb stream: after the stream's 20 bytes of id.
python3 - out/names.pdb <<'PY'
import struct, sys
path = sys.argv[1]
data = bytearray(open(path, "rb").read())
at = 12 + struct.unpack_from("<I", data, 12)[0] + 4
streams = struct.unpack_from("<H", data, at + 2)[0]
at += 4
for _ in range(streams):
    offset, _size = struct.unpack_from("<II", data, at)
    end = data.index(0, at + 8)
    if data[at + 8:end] == b"#Pdb":
        data[offset + 20] ^= 1
    at += 8 + (end - at - 8) // 4 * 4 + 4
open(path, "wb").write(data)
PY
measure differs -- "$program"
same "a PDB with another checksum: status" 0 "$status"
check "its lines are reported" has Other.cs differs.xml
same "one line says so" 1 "$(grep -c "names: its PDB does not have the checksum" differs.err)"
limited "$ILCOV" inspect out/names.dll >inspect.out
says "inspect says so, too" inspect.out "the checksum does not"
finish
