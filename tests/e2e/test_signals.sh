#!/bin/bash
# Signals that come while ilcov writes what it measured: the first makes the data file partial, the second ends ilcov at once.
# Nothing is lost: the session stays.
. "$(dirname "$0")/lib.sh"

build endings Debug
mkdir sessions

# begin ARGUMENT...: ilcov in the background, its process in $pid
begin() {
    "$ILCOV" "$@" >out 2>err </dev/null {full}>&- &
    pid=$!
}
# of_sigterm FIELD: its bit there, in what the kernel says of $pid
of_sigterm() {
    local bits
    bits=$(sed -n "s/^$1:\t//p" "/proc/$pid/status")
    [ -n "$bits" ] && [ $((0x$bits & 1 << 14)) != 0 ]
}
# Does ilcov catch SIGTERM? Only then it collects. This shell does, too: it is what ilcov is at first.
watches() {
    runs "$pid" ilcov && of_sigterm SigCgt
}
has_taken() {
    ! of_sigterm ShdPnd
}
# reports INTO: has it the pipe open, its data file written?
reports() {
    test -s "$1.ilcov" -a -n "$(find "/proc/$pid/fd" -lname "$temp/pipe")"
}
# ends STATUS
ends() {
    wait "$pid"
    status=$?
    [ "$status" = "$1" ] && return
    echo "status $status, expected $1"
    cat err
    return 1
}
kept() {
    sed -n "s/.*the session is kept in \(.*\): 'ilcov collect --remove .*/\1/p" err
}

# --- the first -----------------------------------------------------------------------------------
# Its framework has code enough for the signal to come in time.
exec {full}>/dev/null
begin run --session-dir sessions -r "$top/fixtures/endings" -i '[*]*' -f cobertura=x.xml -- "$program" return
until_true watches
kill -TERM "$pid"
check "a run that is interrupted while it collects ends with the status of its command" ends 7
check "its data file is partial, and the line says so" grep -q 'interrupted by signal 15 (Terminated): TestResults/run.ilcov is partial, because .* ran, but w.* not read, and no report was written$' err
check "the data file can be read" "$ILCOV" report -f json=partial.json TestResults/run.ilcov
check "no report was written" test ! -e x.xml
session=$(kept)
check "the session is kept and named" test -n "$session" -a -d "$session"
limited "$ILCOV" run -q --session-dir sessions --allow-empty -d next.ilcov -f none -- true 2>/dev/null
begin collect -d whole.ilcov -f none --remove -r "$top/fixtures/endings" "$session"
check "ilcov collect reads all of it, even after another run" ends 0
check "and removes it" test ! -e "$session"

# --- the second ----------------------------------------------------------------------------------
mkfifo pipe # nobody reads it and it is full, so the report waits
exec {full}<>pipe
dd if=/dev/zero of=pipe oflag=nonblock bs=4096 count=4096 2>/dev/null
for second in HUP none; do # SIGINT is ignored by what a script starts in the background
    begin run --session-dir sessions -r "$top/fixtures/endings" -d "$second.ilcov" -f text=pipe -- "$program" return
    until_true reports "$second"
    kill -TERM "$pid"
    until_true has_taken
    [ "$second" = none ] || kill -$second "$pid"
    check "a report that waits: the second signal is $second: ilcov does not wait for it" until_true over "$pid"
    check "its exit status is that of the first" ends 143
    check "in one line" grep -q "^ilcov: ended at once; the session is kept in " err
    session=$(kept)
    check "the session is kept under a name that no run removes" test -d "$session" -a "$session" != "${session/ilcov-kept-/}"
    begin collect --remove -q -d again.ilcov -f cobertura=again.xml -r "$top/fixtures/endings" "$session"
    check "and can be collected" ends 0
done

finish
