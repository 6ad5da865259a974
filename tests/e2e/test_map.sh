#!/bin/bash
# --map FROM=TO: sources that were elsewhere when the code was built are reported, shown and compared as if they had been here, by
# each verb that reads or writes data, and in reports of other tools.
. "$(dirname "$0")/lib.sh"

lines=$top/tests/support/format_lines.py

mkdir App
cat >App/Program.cs <<'CS'
using System;
class Program
{
    static int Clamp(int n)
    {
        if (n > 10 && n < 20)
            return 10;
        return n;
    }

    static int Never(int n)
    {
        return -n;
    }

    static void Main() => Console.WriteLine(Clamp(3) + Clamp(15));
}
CS
echo 'static class Debugging { static int Twice(int n) => n * 2; } // ilcov:ignore' >App/Debugging.cs

# built NAME FOLDER: the program, as if its sources were in FOLDER. Sets `program`.
built() {
    compiled App Debug "-pathmap:$temp/App=$2"
    cp -r App.Debug "$1"
    program=$temp/$1/App.dll
}
# ilcov VERB ARGUMENT...: the status in `status`, standard error in err.
ilcov() {
    limited "$ILCOV" "$@" >out 2>err
    status=$?
}
# agrees WHAT JSON: the lines of Program.cs are those of the program that was built where its sources are.
agrees() {
    python3 "$lines" json "$2" | grep '^App/Program.cs' >seen.tsv
    check "$1" diff truth.tsv seen.tsv
}
# missed WHAT MAP VERB ARGUMENT...: a line says that the map matches nothing.
missed() {
    local what=$1 map=$2 verb=$3
    shift 3
    ilcov "$verb" --map "$map" "$@"
    same "$what: one line says that --map '$map' matches nothing" 1 "$(grep -cF -- "--map '$map' matches nothing" err)"
}

compiled App Debug
cp -r App.Debug real
ilcov run --root . --data real.ilcov -f json=real.json -f "cobertura=real.xml" -- dotnet real/App.dll
same "where the sources are: status" 0 "$status"
python3 "$lines" json real.json >truth.tsv
same "what the program has: lines, and those that ran" "5 4" "$(wc -l <truth.tsv) $(awk -F '\t' '$3 == 1' truth.tsv | wc -l)"

# --- a build in a container --------------------------------------------------------------------------------------------

built container /build/src/App
ilcov run --data lost.ilcov -f json=lost.json -- dotnet "$program"
same "without --map nothing is reported" 3 "$status"
check "and a line says what is outside" grep -q 'outside the root .*/build/src/App/.*--map FROM=TO says' err
ilcov run --root . --data run.ilcov -f json=run.json -f html=pages --map /build/src=. -- dotnet "$program"
same "run: status" 0 "$status"
same "run: nothing is said but the result" 0 "$(grep -c 'outside\|--map' err)"
agrees "run: the lines of the sources that are here" run.json
check "run: without what their comments exclude" diff <(grep '"file": "App/Debugging.cs"' real.json) <(grep '"file": "App/Debugging.cs"' run.json)
check "run: its pages have the text" grep -rqF 'class Program' pages
ilcov report -q run.ilcov -f json=run.json -f html=unchanged
agrees "its data file needs no --map" run.json
sed 's/n > 10/n > 11/' -i App/Program.cs
ilcov report -q run.ilcov -f html=changed
check "a source that was changed since is shown without its text" test -z "$(grep -rlF 'class Program' changed)"
sed 's/n > 11/n > 10/' -i App/Program.cs
limited "$ILCOV" env --session-dir . >session.sh 2>err
(eval "$(cat session.sh)" && limited dotnet "$program") >out 2>&1
ilcov collect --remove --root . --data collected.ilcov -f json=run.json --map /build/src=. ilcov-kept-*
same "collect: status" 0 "$status"
agrees "collect: the same" run.json

# --- what a run did not map, a later verb can --------------------------------------------------------------------------

for map in /build/src=. /build/src/=./ /build/src/App=App "/build=$temp/x/../y"; do
    case $map in */y) maps=(--map "$map" --map /build/src=.) ;; *) maps=(--map "$map") ;; esac
    ilcov report -q lost.ilcov "${maps[@]}" -f json=run.json
    same "report ${maps[*]}: status" 0 "$status"
    agrees "report ${maps[*]}: the lines" run.json
done
ilcov report -q lost.ilcov --map "/build/src=$temp" -f json=run.json -f html=later
agrees "report: TO may be absolute" run.json
check "report: its pages have the text" grep -rqF 'class Program' later
ilcov report -q lost.ilcov --root App --map /build/src/App=. -f json=run.json
same "report: below another root" 5 "$(python3 "$lines" json run.json | grep -c '^Program.cs')"
ilcov show -d lost.ilcov --map /build/src=. --uncovered App/Program.cs
same "show: the lines that did not run" App/Program.cs:13 "$(cat out)"
ilcov show -d lost.ilcov --map /build/src=. Program.cs
check "show: with their text" grep -q 'return -n;' out
ilcov merge -q -o merged.ilcov lost.ilcov --map /build/src=.
same "merge: status" 0 "$status"
ilcov report -q merged.ilcov -f json=run.json
agrees "merge: what it writes needs no --map" run.json
ilcov merge -q -o merged.ilcov --map /build/src=. real.ilcov lost.ilcov
ilcov report -q merged.ilcov -f json=run.json
agrees "merge: with a build of the same sources elsewhere" run.json
ilcov diff lost.ilcov real.ilcov --map /build/src=. --gate lost=0 -f json=diff.json
same "diff: nothing is lost" 0 "$status"
same "diff: and nothing changed" "0 0 0" \
    "$(python3 -c 'import json; t = json.load(open("diff.json")); print(len(t["files"]), t["totals"]["lines"]["lost"], t["totals"]["lines"]["gained"])' 2>&1)"
ilcov run -q --root . --data again.ilcov -f none --base lost.ilcov --map /build/src=. --gate lost=0 -- dotnet real/App.dll
same "run --base: its sources are mapped, too" 0 "$status"

# --- Windows, and deterministic builds ---------------------------------------------------------------------------------

built windows 'C:\agent\_work\1\s\App'
ilcov run -q --root . --data windows.ilcov -f json=run.json --map 'c:/Agent/_work/1/s=.' -- dotnet "$program"
same "a path of Windows: status" 0 "$status"
agrees "a path of Windows, in any case, with any separator" run.json
built deterministic /_/
ilcov run -q --root . --data deterministic.ilcov -f json=run.json --map /_/=App/ -- dotnet "$program"
same "/_/: status" 0 "$status"
agrees "/_/ is a folder below the root" run.json

# --- reports of other tools --------------------------------------------------------------------------------------------

sed 's|<source>.*</source>|<source>C:\\agent\\_work\\1\\s</source>|' real.xml >windows.xml
sed 's|<source>.*</source>|<source>/src</source>|; /ilcov/d; s/version="[^"]*"/version="1.9"/' real.xml >other.xml
limited "$ILCOV" report -q real.ilcov -f opencover=real.opencover.xml -f lcov=real.info
sed "s|$temp/|/src/|" real.opencover.xml >other.opencover.xml
sed 's|^SF:|SF:/src/|' real.info >other.info
for report in windows.xml other.xml other.opencover.xml other.info; do
    case $report in windows*) map='C:\agent\_work\1\s=.' ;; *) map=/src=. ;; esac
    ilcov report -q "$report" --map "$map" -f json=run.json
    same "$report: reported" 0 "$status"
    same "$report: its lines" "$(cut -f 1-3 truth.tsv)" "$(python3 "$lines" json run.json | grep '^App/Program.cs' | cut -f 1-3)"
    ilcov merge -q -o merged.ilcov real.ilcov "$report" --map "$map"
    ilcov report -q merged.ilcov -f json=run.json
    agrees "$report: merged with the data that it came from, it changes nothing" run.json
    ilcov diff "$report" real.ilcov --map "$map" --gate lost=0 -f json=diff.json
    same "$report: compared with the data that it came from, nothing is lost" 0 "$status"
    same "$report: or gained" 0 "$(python3 -c 'import json; print(json.load(open("diff.json"))["totals"]["lines"]["gained"])' 2>&1)"
done

# --- what matches nothing, and what is no map --------------------------------------------------------------------------

missed "report" /build/sr=. report -q lost.ilcov -f json=run.json --map /build/src=.
agrees "part of a name is no folder" run.json
missed "run" /nowhere=. run --root . --data x.ilcov -f none -- dotnet real/App.dll
missed "show" /nowhere=. show -d real.ilcov --uncovered
missed "merge" /nowhere=. merge -o merged.ilcov real.ilcov
missed "diff" /nowhere=. diff real.ilcov real.ilcov
missed "a shorter one, which never counts" /build=x report -q lost.ilcov -f json=run.json --map /build/src=.
for map in /src =. /src= ''; do
    ilcov report real.ilcov -f none --map "$map"
    same "--map '$map' is refused" 2 "$status"
done
finish
