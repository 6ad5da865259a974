#!/bin/bash
# `ilcov ps` lists the programs that are measured, whatever started them, and nothing else.
. "$(dirname "$0")/lib.sh"
. "$top/tests/e2e/visits.sh"

build visitors Release
user=$(id -un)
mkdir elsewhere

# list [COMMAND...]: what it prints is in ps.out and ps.err. Others on this machine may be measured, too.
list() {
    limited "$@" "$ILCOV" ps >ps.out 2>ps.err
    status=$?
}

# list_all: the same with all that run .NET.
list_all() {
    limited "$ILCOV" ps --all >ps.out 2>ps.err
    status=$?
}

# column NAME PID: what stands there, by the header's columns.
column() {
    awk -v name="$1" -v pid="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) { if (seen) { end = index($0, $i); seen = 0 }
                  if ($i == name) { start = index($0, $i); seen = 1 } } next }
        $1 == pid { text = end ? substr($0, start, end - start) : substr($0, start); sub(/ +$/, "", text); print text }' ps.out
}

# ends: the program that was started last.
ends() {
    exec {input}>&-
    wait "$pid"
}

# --- a run ----------------------------------------------------------------------------------------
before=$(date -u +%s)
start run "$ILCOV" run --mode hit -d run.ilcov -f none -- "$program"
check "the program runs" ready
inner=$(pgrep -P "$pid" ^visit)
list
same "exit status" 0 "$status"
same "a running run: its program" visitors "$(column PROGRAM "$inner")"
same "a running run: the mode" hit "$(column MODE "$inner")"
same "a running run: the user" "$user" "$(column USER "$inner")"
check "a running run: the session" test -e "$(column SESSION "$inner")/config"
since=$(date -u -d "$(column SINCE "$inner")" +%s)
check "a running run: since when, in UTC" test "$since" -ge $((before - 2)) -a "$since" -le "$(date -u +%s)"
same "ilcov itself is not measured" "" "$(column PROGRAM "$pid")"
check "nothing is said" test ! -s ps.err
ends
list
same "a program that has ended is not listed" "" "$(column PROGRAM "$inner")"

# --- env, in a directory that only its programs know ------------------------------------------------
mapfile -t variables < <("$ILCOV" env --shell github --session-dir "$temp/elsewhere" 2>env.err)
session=$(find "$temp/elsewhere" -maxdepth 1 -name 'ilcov-kept-*')
start env env "${variables[@]}" dotnet "$program.dll"
check "the program of env runs" ready
list
same "under dotnet, the assembly's name" visitors "$(column PROGRAM "$pid")"
same "the mode of env" count "$(column MODE "$pid")"
same "a session in a directory of one's own" "$session" "$(column SESSION "$pid")"
limited "$ILCOV" doctor >doctor.out 2>&1
check "doctor finds that session by its program" grep -qF "session: in $session counts visitors (process $pid)" doctor.out
ends

# --- a name that could control the terminal -----------------------------------------------------------
cp -r "$(dirname "$program")" odd
mv odd/visitors $'odd/visit\e[31mors'
start odd "$ILCOV" run -d odd.ilcov -f none -- $'odd/visit\e[31mors'
check "the program with the odd name runs" ready
inner=$(pgrep -P "$pid" ^visit)
list
same "an odd name is made legible" $'visit\xEF\xBF\xBD[31mors' "$(column PROGRAM "$inner")"
ends

# --- attached -----------------------------------------------------------------------------------------
start attached "$program"
check "the program that is attached to runs" ready
list
same "what is not measured is not listed" "" "$(column PROGRAM "$pid")"
sleep 2.1
before=$(date -u +%s)
attach later
attached=$(date -u +%s)
list
same "attached: the session" "$session" "$(column SESSION "$pid")"
since=$(date -u -d "$(column SINCE "$pid")" +%s)
check "attached: since it was attached" test "$since" -ge $((before - 1)) -a "$since" -le "$attached"
leave
ends

# --- all that run .NET, and by name -------------------------------------------------------------------
cp -r "$(dirname "$program")" named
mv named/visitors "named/visit-$$"
start named "named/visit-$$"
check "the program with a name of its own runs" ready
list_all
same "--all: exit status" 0 "$status"
same "--all: the name" "visit-$$" "$(column PROGRAM "$pid")"
same "--all: the user" "$user" "$(column USER "$pid")"
check "--all: the version of .NET" grep -Exq '10\.[0-9.]+' <<<"$(column .NET "$pid")"
same "--all: what can be attached to" "can be attached to" "$(column STATE "$pid")"
same "--all: neither ilcov nor what runs no .NET" "" "$(column STATE $$)"
limited "$ILCOV" attach "visit-$$-not" >none.out 2>none.err
same "attach to a name that no program has: exit status" 3 $?
one_line_about "... its line" none.err "no .NET program is called 'visit-$$-not': 'ilcov ps --all' lists those that run"
kill -STOP "$pid"
list_all
same "--all: what is stopped" "it is stopped: 'kill -CONT $pid' continues it" "$(column STATE "$pid")"
kill -CONT "$pid"
first=$pid pid=visit-$$
attach by-name
check "attach to the only program with a name" grep -q "attached to $first (visit-$$)" by-name.said
pid=$first
list_all
same "--all: what is measured" "is measured" "$(column STATE "$pid")"
leave
list_all
same "--all: what was detached" "can be attached to" "$(column STATE "$pid")"
"named/visit-$$" <named.in >second.out &
second=$!
started+=("$second")
until_true grep -q '^ready$' second.out
limited "$ILCOV" attach "visit-$$" >two.out 2>two.err
same "attach to a name that two have: exit status" 3 $?
one_line_about "... its line" two.err "several programs are called 'visit-$$': give the PID of one"
check "... names both" grep -q "$first" two.err
check "... names both, the second, too" grep -q "$second" two.err
kill "$second"
ends

# --- nothing ------------------------------------------------------------------------------------------
if unshare --user --map-root-user --pid --fork --mount-proc true 2>/dev/null; then
    list unshare --user --map-root-user --pid --fork --mount-proc
    same "nothing is measured: exit status" 0 "$status"
    one_line_about "nothing is measured, and ps says so" ps.err "no program is being measured"
    check "nothing is listed" test ! -s ps.out
else
    skip "nothing is measured" "a PID namespace is not permitted"
fi
finish
