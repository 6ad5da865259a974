#!/bin/bash
# Bad input: one line that names the file and the fact, nothing half-written, nothing of the user's lost.
. "$(dirname "$0")/lib.sh"

build children Debug
fixture=$top/fixtures/children

# The same, built where it does not stay: no symbols can be found but those beside the module.
check "children compiles elsewhere" limited dotnet build "$fixture" --nologo --artifacts-path "$temp/away"
mv "$temp/away/bin/children/debug" "$temp/children" && rm -rf "$temp/away"

# app NAME: a copy of it in a directory of its own; sets `app`.
app() {
    cp -r "$temp/children" "$temp/$1"
    app=$temp/$1/children
}

# refused WHAT WORD COMMAND...: status 3, and one line about WORD.
refused() {
    local what=$1 word=$2
    shift 2
    limited "$@" >"$temp/refused.out" 2>"$temp/refused.err"
    same "$what: exit status" 3 $?
    one_line_about "$what: one line" "$temp/refused.err" "$word"
    check "$what: nothing on standard output" test ! -s "$temp/refused.out"
}

# --- before the command runs ---------------------------------------------------------------------
# What can't be written is refused before the command is started; what was there stays.
mkdir "$temp/directory"
echo precious >"$temp/precious"
started=$temp/started
refused "a directory as data file" directory "$ILCOV" run --data "$temp/directory" -- touch "$started"
refused "data file below a file" precious "$ILCOV" run --data "$temp/precious/data" -- touch "$started"
refused "report below a file" precious "$ILCOV" run --format cobertura="$temp/precious/x.xml" -- touch "$started"
refused "a directory as report" directory "$ILCOV" run --format cobertura="$temp/directory" -- touch "$started"
check "the command was not started" test ! -e "$started"
same "what was there stays" precious "$(cat "$temp/precious")"
check "nothing was left behind" test -z "$(ls -A "$temp/directory")"

# --- modules -------------------------------------------------------------------------------------
# A module that ends in the middle, beside one in scope: said, and the rest is counted as ever.
app truncated
head -c 700 "$app.dll" >"$temp/truncated/Broken.dll"
measure truncated --quiet --root "$fixture" -- "$app"
check "truncated module beside: exit status is 0 or 3" test "$status" -eq 0 -o "$status" -eq 3
one_line_about "truncated module beside: one line" truncated.err Broken.dll
expected "truncated module beside: the others are counted" truncated.xml "$fixture"

# Symbols of another build: no line of theirs is believed.
app mismatched
build threads Debug
cp "$program.pdb" "$app.pdb"
measure mismatched --quiet --root "$fixture" -- "$app"
check "symbols of another build: exit status is 0 or 3" test "$status" -eq 0 -o "$status" -eq 3
one_line_about "symbols of another build: one line" mismatched.err children.pdb
check "symbols of another build: no line of theirs" test -z "$(grep -s '<line ' mismatched.xml)"

# Built anew while the session lasts, in a directory of temporary files, where the library keeps a copy of what ran: the symbols
# beside it are those of the new build.
app rebuilt
build children Release
limited "$ILCOV" run --quiet --root "$fixture" -f cobertura=rebuilt.xml -- \
    sh -c '"$1" && rm "$1.dll" && cp "$2.dll" "$2.pdb" "${1%/*}" && "$1"' sh "$app" "$program" >rebuilt.out 2>rebuilt.err
check "rebuilt while it ran: exit status is 0 or 3" test "$?" -eq 0 -o "$?" -eq 3
one_line_about "rebuilt while it ran: it says so" rebuilt.err "children.dll is gone or was replaced since"
check "rebuilt while it ran: the new build has its lines" grep -q '<line ' rebuilt.xml

# Symbols that end in the middle.
app cut
head -c 500 "$temp/children/children.pdb" >"$app.pdb"
measure cut --quiet --root "$fixture" -- "$app"
check "truncated symbols: exit status is 0 or 3" test "$status" -eq 0 -o "$status" -eq 3
one_line_about "truncated symbols: one line" cut.err children.pdb

refused "inspect a truncated module" Broken.dll "$ILCOV" inspect "$temp/truncated/Broken.dll"
refused "inspect what is not a module" precious "$ILCOV" inspect "$temp/precious"
refused "inspect what is not there" missing.dll "$ILCOV" inspect "$temp/missing.dll"
refused "inspect a directory" "is a directory" "$ILCOV" inspect "$temp/directory"
refused "inspect the executable beside a module" children.dll "$ILCOV" inspect "$temp/children/children"
refused "inspect a method that is not there" "'Nope'" "$ILCOV" inspect "$temp/children/children.dll" Nope

# --- data files ----------------------------------------------------------------------------------
build children Debug
measure good --quiet --root "$fixture" -- "$program"
same "a good run: exit status" 0 "$status"
check "a good run, quietly: prints nothing" test ! -s good.err
mkdir "$temp/reports"
size=$(stat -c %s good.ilcov)
head -c $((size / 2)) good.ilcov >half.ilcov
# What is in the middle of a file may be unused. The second page of SQLite's is the root of the first table, and its first byte says
# of which kind it is (fileformat2.html, "B-tree Pages"); bytes 16 and 17 of the file are the size of a page.
cp good.ilcov flipped.ilcov
printf '\377' | dd of=flipped.ilcov bs=1 seek=$((16#$(od -An -tx1 -j16 -N2 good.ilcov | tr -d ' '))) conv=notrunc 2>/dev/null
: >empty.ilcov
for data in half.ilcov flipped.ilcov empty.ilcov precious directory missing.ilcov; do
    refused "report from $data" "$data" "$ILCOV" report --format cobertura="$temp/reports/x.xml" "$data"
done
check "no report was written, not even in part" test -z "$(ls -A "$temp/reports")"

# A report that can't be written keeps the one that is there.
echo old >"$temp/reports/x.xml"
refused "report from half.ilcov over an old one" half.ilcov \
    "$ILCOV" report --format cobertura="$temp/reports/x.xml" half.ilcov
same "the old report stays" old "$(cat "$temp/reports/x.xml")"
finish
