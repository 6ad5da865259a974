#!/bin/bash
# The counts of a program that runs: taken without stopping it, again and again, and none is lost.
. "$(dirname "$0")/lib.sh"

build visitors Release
root=$top/fixtures/visitors
line=$(grep -n '// visit$' "$root/Program.cs" | cut -d: -f1)
sessions=$temp/sessions
mkdir "$sessions"

# hits DATA: how often the program visited, says the data file.
hits() {
    "$ILCOV" report -f cobertura="$temp/hits.xml" "$1" >"$temp/hits.log" 2>&1 || cat "$temp/hits.log" >&2
    grep -o "<line number=\"$line\" hits=\"[0-9]*\"" "$temp/hits.xml" | head -n 1 | grep -o '[0-9]*"$' | tr -d '"'
}

# The program talks through pipes: 3 to it, 4 from it.
open_pipes() {
    rm -f "$temp/in" "$temp/out.pipe"
    mkfifo "$temp/in" "$temp/out.pipe"
    exec 3<>"$temp/in" 4<>"$temp/out.pipe"
}

answer() {
    read -r -t "$LIMIT" got <&4 || got=nothing
}

# say LINE: `got` is its answer.
say() {
    printf '%s\n' "$1" >&3
    answer
}

# start OPTION...: the program in a session of its own, which `ilcov env` made. Sets `pid` and `session`.
start() {
    open_pipes
    "$ILCOV" env --session-dir "$sessions" "$@" >"$temp/env.sh" 2>"$temp/env.err"
    session=$(sed -n 's/^# session: //p' "$temp/env.sh")
    (
        . "$temp/env.sh"
        exec "$program" <"$temp/in" >"$temp/out.pipe" 2>"$temp/program.err" 3<&- 4<&-
    ) &
    pid=$!
    answer
    same "a program that 'env' prepared starts ($*)" ready "$got"
}

stop() {
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
}
trap 'stop; clean_up' EXIT
pid=

# --- one after another ----------------------------------------------------------------------------
start --mode exact
say "visit 1000"
limited "$ILCOV" snapshot -r "$root" -d one.ilcov "$pid" >snapshot.out 2>snapshot.err
same "a snapshot of a process: exit status" 0 $?
same "a snapshot has what ran so far" 1000 "$(hits one.ilcov)"
check "and no report, unless one is asked for" test ! -e coverage.cobertura.xml
say "visit 500"
same "the program runs on" 1500 "$got"
limited "$ILCOV" snapshot -r "$root" -d two.ilcov -f json=two.json "$session" 2>snapshot.err
same "a snapshot of a session: exit status" 0 $?
same "the next one has more" 1500 "$(hits two.ilcov)"
check "a report that is asked for" test -s two.json
check "two snapshots merge" limited "$ILCOV" merge -o both.ilcov two.ilcov one.ilcov
same "and are one run: the later one, not the sum" 1500 "$(hits both.ilcov)"

# --- reset ----------------------------------------------------------------------------------------
limited "$ILCOV" snapshot -r "$root" --reset -d three.ilcov "$pid" 2>snapshot.err
same "a snapshot that resets has all before" 1500 "$(hits three.ilcov)"
say "visit 200"
limited "$ILCOV" snapshot -r "$root" -d four.ilcov -f json=four.json "$pid" 2>snapshot.err
same "the next has what ran since" 200 "$(hits four.ilcov)"
check "and says so in its summary" grep -q 'reset at .*Z: what ran before is not counted; missed lines may have run then' snapshot.err
check "and in its report" grep -q '"reset at .*Z: what ran before is not counted; missed lines may have run then"' four.json
check "what ran before and since merges" limited "$ILCOV" merge -o all.ilcov three.ilcov four.ilcov
same "to the sum" 1700 "$(hits all.ilcov)"
mkdir unwritable.ilcov
limited "$ILCOV" snapshot -r "$root" --reset -d unwritable.ilcov "$pid" 2>snapshot.err
same "what cannot be written is not reset: exit status" 3 $?
limited "$ILCOV" snapshot -r "$root" -d four.ilcov "$pid" 2>snapshot.err
same "nothing was" 200 "$(hits four.ilcov)"
check "a baseline is its owner's alone" test "$(stat -c %a "$session/baseline")" = 600
limited "$ILCOV" collect -r "$root" -d whole.ilcov -f none "$session" 2>collect.err
same "collecting does not care for resets" 1700 "$(hits whole.ilcov)"
for parts in "three four" "three" "four" "one" "one three four"; do
    # shellcheck disable=SC2086
    limited "$ILCOV" merge -o all.ilcov whole.ilcov $(printf '%s.ilcov ' $parts) 2>merge.err
    same "and merged with $parts each hit counts once" 1700 "$(hits all.ilcov)"
done

# --- many threads, all the time ---------------------------------------------------------------------
limited "$ILCOV" snapshot -r "$root" --reset -d part-first.ilcov "$pid" 2>snapshot.err
say start
bad=0
for i in $(seq 20); do
    limited "$ILCOV" snapshot -r "$root" --reset -d "part-$i.ilcov" "$pid" 2>>parts.err || bad=$((bad + 1))
    limited "$ILCOV" collect -r "$root" -d "collected.ilcov" -f none "$session" 2>>parts.err || bad=$((bad + 1))
done
same "twenty snapshots and collections while eight threads count: none fails" 0 $bad
say stop
total=$got
limited "$ILCOV" snapshot -r "$root" --reset -d part-last.ilcov "$pid" 2>snapshot.err
limited "$ILCOV" merge -o all.ilcov part-*.ilcov three.ilcov 2>merge.err
same "nothing is lost between snapshots, and nothing is counted twice" "$total" "$(hits all.ilcov)"
limited "$ILCOV" collect -r "$root" -d whole.ilcov -f none "$session" 2>collect.err
same "the session has the same" "$total" "$(hits whole.ilcov)"
limited "$ILCOV" merge -o all.ilcov part-*.ilcov whole.ilcov collected.ilcov 2>merge.err
same "also merged with the parts and an earlier collection" "$total" "$(hits all.ilcov)"
limited "$ILCOV" merge -o all.ilcov collected.ilcov part-20.ilcov part-last.ilcov 2>merge.err
same "an earlier collection and what came after it are all" "$total" "$(hits all.ilcov)"
check "some were taken meanwhile" test "$(hits part-20.ilcov)" -gt 0

# --- removing, and a crash --------------------------------------------------------------------------
limited "$ILCOV" collect -r "$root" --remove -d whole.ilcov -f none "$session" 2>collect.err
same "a session that is counted in is not removed: exit status" 0 $?
check "it is there" test -d "$session"
check "which is said" grep -q 'still counts in it' collect.err
say "visit 77"
stop
limited "$ILCOV" collect -r "$root" -d killed.ilcov "$session" 2>collect.err
same "after kill -9: exit status" 0 $?
same "after kill -9 all is there" $((total + 77)) "$(hits killed.ilcov)"
check "with a report" test -s coverage.cobertura.xml
limited "$ILCOV" collect -r "$root" --remove -q -d killed.ilcov -f none "$session" 2>collect.err
same "collecting again, and removing: exit status" 0 $?
check "the session is gone" test ! -e "$session"
check "nothing is said of it" test ! -s collect.err

# --- under run --------------------------------------------------------------------------------------
open_pipes
limited "$ILCOV" run -r "$root" --mode exact -d run.ilcov -f none --session-dir "$sessions" -- \
    "$program" <"$temp/in" >"$temp/out.pipe" 2>run.err 3<&- 4<&- &
runner=$!
answer
say "visit 300"
session=$(echo "$sessions"/ilcov-*)
record=$(basename "$session"/process-*)
pid=$(echo "$record" | cut -d- -f2)
limited "$ILCOV" snapshot -r "$root" --reset -d one.ilcov "$pid" 2>snapshot.err
same "a snapshot of a program under 'run'" 300 "$(hits one.ilcov)"
say "visit 30"
limited "$ILCOV" collect -r "$root" --remove -d two.ilcov -f none "$session" 2>collect.err
same "collecting what 'run' still measures" 330 "$(hits two.ilcov)"
check "does not take its session away" grep -q 'the ilcov that uses it still runs' collect.err
exec 3>&-
exec 4<&-
kill -TERM "$pid"
wait "$runner"
check "the run has counted all" test "$(hits run.ilcov)" = 330
limited "$ILCOV" merge -o all.ilcov run.ilcov one.ilcov two.ilcov 2>merge.err
same "and merged with what was written meanwhile, too" 330 "$(hits all.ilcov)"
check "and removed its session, with the baseline" test -z "$(ls "$sessions")"
pid=

# --- hit mode ---------------------------------------------------------------------------------------
start --mode hit
say "visit 5"
limited "$ILCOV" snapshot -r "$root" --reset -d hit.ilcov "$pid" 2>snapshot.err
same "--reset in hit mode: exit status" 2 $?
one_line_about "it is refused with a sentence" snapshot.err "--mode hit"
limited "$ILCOV" snapshot -r "$root" -d hit.ilcov "$pid" 2>snapshot.err
same "without --reset it has what was hit" 1 "$(hits hit.ilcov)"

# --- attached ---------------------------------------------------------------------------------------
# What the library writes when it comes to a program that runs.
printf 'attached\t1777636800\n' >>"$(echo "$session"/process-*)"
note="attached at 2026-05-01T12:00:00Z: what ran before is not counted; missed lines may have run then"
limited "$ILCOV" collect -r "$root" -d attached.ilcov -f json=a.json -f text=a.txt "$session" 2>collect.err
check "a run that was attached says so: summary" grep -qF "$note" collect.err
check "a run that was attached says so: JSON" grep -qF "$note" a.json
check "a run that was attached says so: text" grep -qF "$note" a.txt
limited "$ILCOV" show -d attached.ilcov >show.out 2>show.err
check "a run that was attached says so: show" grep -qF "$note" show.err
check "a run that was attached says so: inspect" grep -q 'attached at 2026-05-01T12:00:00Z' <("$ILCOV" inspect attached.ilcov)
stop
check "it is removed after all" limited "$ILCOV" collect -r "$root" --remove -d attached.ilcov -f none "$session"

# --- while programs come and go -----------------------------------------------------------------------
# A program that just started names its modules in its record; their files are there then.
"$ILCOV" env --session-dir "$sessions" >env.sh 2>env.err
session=$(sed -n 's/^# session: //p' env.sh)
(
    . ./env.sh
    for i in $(seq 12); do
        echo "visit 5" | "$program"
    done
) >many.out 2>&1 &
many=$!
while kill -0 "$many" 2>/dev/null; do
    limited "$ILCOV" collect -r "$root" -d many.ilcov -f none "$session" >>many.err 2>&1
done
wait "$many"
check "collecting while programs start: nothing is called lost" test -z "$(grep -e lost -e damaged -e 'session file' many.err)"
limited "$ILCOV" collect -r "$root" --remove -d many.ilcov -f none "$session" >many.err 2>&1
same "and all of them are counted" 60 "$(hits many.ilcov)"

# --- what is none -----------------------------------------------------------------------------------
limited "$ILCOV" collect -r "$root" "$temp/nowhere" 2>err
same "an unknown session: exit status" 3 $?
one_line_about "an unknown session is told" err "there is no session $temp/nowhere"
mkdir empty
limited "$ILCOV" collect -r "$root" empty 2>err
same "a directory that is not a session: exit status" 3 $?
one_line_about "a directory that is not a session is reported" err "is not an ilcov session"
limited "$ILCOV" snapshot -r "$root" $$ 2>err
same "a process that is not measured: exit status" 3 $?
one_line_about "a process that is not measured is told" err "process $$"
"$ILCOV" env --session-dir "$sessions" >env.sh 2>env.err
session=$(sed -n 's/^# session: //p' env.sh)
limited "$ILCOV" collect -r "$root" "$session" 2>err
same "a session that nobody came to: exit status" 3 $?
check "is told" grep -q 'no process has reported to the session so far' err
if [ "$(id -u)" = 0 ]; then
    chown 65534 "$session"
    limited "$ILCOV" collect -r "$root" "$session" 2>err
    same "another user's session: exit status" 3 $?
    one_line_about "another user's session is told" err "another user"
else
    skip "another user's session" "only root can make one"
fi
finish
