#!/bin/bash
# How far long work has come: one line of a terminal, which is gone before anything else is printed. libfast_clock.so makes the
# second after which it appears pass at once (copied to where all is run, because LD_PRELOAD has no place for a path with a space).
. "$(dirname "$0")/lib.sh"
export LC_ALL=C.UTF-8

clock=./libfast_clock.so
cp "$(dirname "$ILCOV")/libfast_clock.so" "$clock" || exit 2
"$(dirname "$ILCOV")/make_solution" "$temp/solution" 30 20 3 || exit 2
data=$temp/solution/solution.ilcov
info=$temp/solution/solution.info

# on_terminal COLUMNS ARGUMENT...: ilcov; what the terminal got is in the file seen, standard output in out
on_terminal() {
    local columns=$1
    shift
    limited env TERM="${term-xterm}" LD_PRELOAD="$clock" python3 "$top/tests/support/on_terminal.py" "$columns" \
        "$ILCOV" "$@" >seen
    status=$?
}

# shows WHAT STATUS PHRASE...: each phrase was shown and nothing was wrong.
shows() {
    local what=$1 expected=$2 phrase
    shift 2
    same "$what: exit status" "$expected" "$status"
    for phrase; do
        check "$what: $phrase" grep -q "^progress: ilcov: $phrase" seen
    done
    check "$what: the line is erased in time, and fits" not_seen wrong
}
not_seen() {
    ! grep "^$1:" seen
}

on_terminal 80 report -f html=html -f json=a.json -f cobertura=a.xml -f lcov=a.info -f sonar=sonar.xml "$data"
shows "report" 0 'reading methods: [0-9,]* of [0-9,]*$' 'reporting statements: [0-9,]* of [0-9,]*$' 'writing files: [0-9]* of 30$'
check "report: the summary follows" grep -q '^text: ilcov: .* covered; html, a.json, a.xml, a.info, sonar.xml$' seen
limited "$ILCOV" report -q -f json=b.json "$data"
check "report: the same is written" cmp <(grep -v timestamp a.json) <(grep -v timestamp b.json)
on_terminal 80 report -f json=a.json --base "$data" --gate lost=0 "$data"
shows "report --base" 0 'comparing statements:'
on_terminal 80 diff -f json=diff.json -f html=changes "$data" "$data"
shows "diff" 0 'reading methods:' 'comparing statements:' 'writing files of JSON: [0-9]* of 30$'
on_terminal 80 diff -f json=diff.json "$info" "$data"
shows "diff with another tool's report" 0 'reading bytes of a report: [0-9,]* of [0-9,]*$'
on_terminal 80 merge -o all.ilcov "$data" "$info"
shows "merge" 0 'reading data files: [0-9] of 2$' 'reading bytes of a report:' 'writing rows of the data file: [0-9,]* of' \
    'checking rows of the data file$' 'writing runs:'
on_terminal 80 show --uncovered -d "$data"
shows "show" 0 'reading methods:'
build language Release
mkdir sessions
limited "$ILCOV" run -q --keep-session --session-dir sessions -f none --root "$top/fixtures/language" -- "$program" >run.out 2>run.err
session=$(echo sessions/*)
on_terminal 80 collect --root "$top/fixtures/language" -f json=collected.json "$session"
shows "collect" 0 'reading methods of an assembly: [0-9,]* of [0-9,]*$' 'writing rows of the data file:' 'reporting statements:' \
    'writing files:'

for columns in 20 40 2; do
    on_terminal $columns report -f json=a.json "$data"
    check "$columns columns: it fits" not_seen wrong
    check "$columns columns: it is shown" grep -q '^progress: i' seen
done
on_terminal 80 report -f none --fail-under 100 "$data"
shows "a missed threshold" 1
check "a missed threshold: is named below the progress" grep -q '^text: ilcov: gate line>=100: .* covered$' seen
limited env TERM=xterm LD_PRELOAD="$clock" python3 "$top/tests/support/on_terminal.py" --both 80 "$ILCOV" report -f json=- "$data" >seen
check "nothing is drawn into a report on the same terminal" not_seen wrong
check "and none of its writing" bash -c '! grep "^progress: .*writing" seen'
on_terminal 80 report -q -f json=a.json "$data"
check "-q shows nothing at all" test ! -s seen
on_terminal 80 merge -q -o all.ilcov "$data"
check "merge -q, either" test ! -s seen
for term in dumb ''; do
    on_terminal 80 report -f json=a.json "$data"
    check "TERM='$term': no progress" not_seen progress
    check "TERM='$term': the summary" grep -q '^text: .*covered; a.json$' seen
done
limited env LD_PRELOAD="$clock" "$ILCOV" report -f json=a.json "$data" 2>err
check "what is no terminal gets none" bash -c '! grep -e "of 30" -e "	" err'
finish
