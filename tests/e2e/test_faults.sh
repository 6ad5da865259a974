#!/bin/bash
# Whatever goes wrong around a target, it behaves as without coverage: the same output, the same status. What it costs is
# counts, and each loss is one line of ilcov's.
#   KILLS      processes that are killed at a random moment (20)
#   PROCESSES  short ones, one after the other (20)
#   FIGURES    a file that gets a line `fault|times|lost|told` of each, for tests/campaign/faults.sh
. "$(dirname "$0")/lib.sh"
KILLS=${KILLS:-20} PROCESSES=${PROCESSES:-20} FIGURES=${FIGURES:-/dev/null}
LIMIT=${LIMIT_OF_ONE:-60}

build faults Debug
fixture=$top/fixtures/faults
export FAULTS=$program
# The runtime writes its code through a file of its own: without this it ends by itself, with SIGBUS or SIGXFSZ, when all
# descriptors are closed or files may not grow.
export DOTNET_EnableWriteXorExecute=0
nobody=65534

# --- what all of them share ----------------------------------------------------------------------
# hits REPORT FILE MARK: of the line in FILE that is marked `here: MARK`; nothing when the report has no such line.
hits() {
    local line
    line=$(grep -n "// here: $3\$" "$fixture/$2" | cut -d: -f1)
    awk -v file="$2\"" -v line="<line number=\"$line\" " '
        /<class / { inside = index($0, file) }
        inside && index($0, line) { sub(/.*hits="/, ""); sub(/".*/, ""); if ($0 + 0 >= most + 0) most = $0 }
        END { print most }' "$1" 2>/dev/null
}

# around: a command, as an array, in which both runs are done (a namespace, a limit).
around=()

# under NAME OPTION... -- VERB...: does the target do under ilcov what it does without?
under() {
    local into=$1 bare_status
    local -a options=()
    shift
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    limited "${around[@]}" "$program" "$@" >"$into.bare" 2>"$into.bare-err"
    bare_status=$?
    reset
    limited "${around[@]}" "$ILCOV" run --quiet --data "$into.ilcov" --format "cobertura=$into.xml" \
        --root "$fixture" "${options[@]}" -- "$program" "$@" >"$into.out" 2>"$into.err"
    status=$?
    same "$into: exit status" "$bare_status" "$status"
    same "$into: output" "$(cat "$into.bare")" "$(cat "$into.out")"
}

# What a run leaves behind and the next should not find.
reset() {
    rm -rf "$temp/user" "$temp/sessions"
    mkdir "$temp/sessions"
}

# counted NAME FILE MARK N
counted() {
    same "$1: calls of $3" "$4" "$(hits "$1.xml" "$2" "$3")"
}

# reported NAME WORD: the loss is one line of ilcov's, and WORD is in it.
reported() {
    one_line_about "$1: the loss is reported in one line" "$1.err" "$2"
}

# silent NAME: there is nothing to tell.
silent() {
    check "$1: nothing is reported" test ! -s "$1.err"
    [ -s "$1.err" ] && sed 's/^/#   /' "$1.err"
}

# figure FAULT TIMES LOST TOLD
figure() {
    printf '%s|%s|%s|%s\n' "$@" >>"$FIGURES"
}

# --- fork ----------------------------------------------------------------------------------------
for mode in count exact hit; do
    under "fork-$mode" --session-dir sessions --mode "$mode" -- work fork-exit fork-work work
    if [ "$mode" = hit ]; then
        counted "fork-$mode" Program.cs work 1
    else
        counted "fork-$mode" Program.cs work 3000
    fi
    silent "fork-$mode"
    check "fork-$mode: nothing is left of the session" test -z "$(ls -A sessions)"
done
figure "fork without exec; the child exits, or continues to count" 3 nothing -

# --- shared memory -------------------------------------------------------------------------------
# with_mounts COMMANDS: what follows runs in a mount namespace of its own, in which they were carried out.
with_mounts() {
    around=(unshare -m --propagation private sh -c "$1"' && exec "$@"' sh)
}
cannot_mount=
with_mounts 'mount -t tmpfs -o size=64k none /dev/shm'
if ! "${around[@]}" true 2>/dev/null; then
    cannot_mount="mounting in a namespace of one's own is not permitted here"
fi
around=()

# elsewhere NAME COMMANDS: counters go to $TMPDIR or /tmp, and nothing is lost.
elsewhere() {
    if [ -n "$cannot_mount" ]; then
        skip "$1" "$cannot_mount"
        return
    fi
    with_mounts "$2"
    under "$1" -- work late
    counted "$1" Program.cs work 1000
    counted "$1" late/Late.cs late 1000
    silent "$1"
    around=()
}
elsewhere shm-64k 'mount -t tmpfs -o size=64k none /dev/shm'
elsewhere shm-full 'mount -t tmpfs -o size=64k none /dev/shm; head -c 1M /dev/zero >/dev/shm/fill 2>/dev/null; true'
elsewhere shm-read-only 'mount -t tmpfs -o ro none /dev/shm'
mkdir dev
elsewhere shm-absent "mount -t tmpfs none '$temp/dev' && cd '$temp/dev' && for node in null zero full random urandom tty; do
    : >\$node; mount --bind /dev/\$node \$node; done; cd '$temp'; mount --rbind '$temp/dev' /dev"
[ -n "$cannot_mount" ] || figure "/dev/shm of 64 KiB, full, read-only, absent" 4 "nothing: counters go to \$TMPDIR or /tmp" -

# The same where the user insists on that place.
mkdir small
small() {
    with_mounts "mount -t tmpfs -o size=$1 none '$temp/small'"
}
if [ -n "$cannot_mount" ]; then
    for what in session-64k session-16k session-4k session-filled session-filled-child; do
        skip "$what" "$cannot_mount"
    done
else
    small 64k
    under session-64k --session-dir small -- work late
    counted session-64k Program.cs work 1000
    counted session-64k late/Late.cs late 1000
    silent session-64k

    # Room for a record, but not for counters.
    small 16k
    under session-16k --session-dir small --allow-empty -- work late
    check "session-16k: both losses are reported" test "$(grep -c 'the counts of .* are lost: no room' session-16k.err)" -eq 2

    small 4k
    limited "${around[@]}" "$ILCOV" run --session-dir small -- "$program" work >session-4k.out 2>session-4k.err
    same "session-4k: refused before the start" 3 $?
    one_line_about "session-4k: in one line" session-4k.err small
    check "session-4k: the command was not started" test ! -s session-4k.out

    small 1m
    fill='head -c 2M /dev/zero >"${ILCOV_SESSION:-.}/../fill" 2>/dev/null; true'
    under session-filled --session-dir small -- work "system:$fill" late work
    counted session-filled Program.cs work 2000
    reported session-filled "the counts of late are lost: no room"

    # A process that starts on the full disk can't have a record: it tells its loss where room was kept.
    under session-filled-child --session-dir small -- work "system:$fill" 'system:"$FAULTS" work' work
    counted session-filled-child Program.cs work 2000
    reported session-filled-child "the counts of faults are lost: no room"
    figure "--session-dir on 64 KiB" 1 nothing -
    figure "--session-dir on 16 KiB: room for a record only" 1 "all counts" "\`the counts of ... are lost: no room for ... bytes\`"
    figure "--session-dir on 4 KiB" 1 "the command is not started" "\`cannot create a session in ...\`, status 3"
    figure "disk full in the middle" 2 "modules and processes that come later" "\`the counts of ... are lost: no room for ... bytes\`"
fi
around=()

# --- descriptors ---------------------------------------------------------------------------------
# From what the runtime can't start with to plenty: the same output and status, and no count lost without a word.
silent=0
for files in 8 12 16 20 22 24 28 32 40 48 64; do
    around=(prlimit --nofile=$files)
    limited "${around[@]}" "$program" work late >bare.out 2>bare.err
    bare_status=$?
    limited "${around[@]}" "$ILCOV" run --quiet --data files.ilcov --format cobertura=files.xml --root "$fixture" \
        -- "$program" work late >files.out 2>files.err
    status=$?
    if [ $bare_status -eq 7 ]; then
        same "$files descriptors: exit status" 7 $status
        same "$files descriptors: output" "$(cat bare.out)" "$(cat files.out)"
        if [ "$(hits files.xml Program.cs work)" != 1000 ] && [ ! -s files.err ]; then
            silent=$((silent + 1))
        fi
    fi
    rm -f files.xml files.ilcov
done
around=()
same "few descriptors: losses without a word" 0 $silent

under files-exhausted --session-dir sessions -- work exhaust late-bytes work
counted files-exhausted Program.cs work 2000
reported files-exhausted "the counts of late are lost"
under files-forbidden --session-dir sessions -- work limit-files:0 late-bytes work
counted files-forbidden Program.cs work 2000
reported files-forbidden "the counts of late are lost"
figure "no descriptor left (few from the start, exhausted, limit set to 0)" 12 "modules that load from then on" "\`the counts of ... are lost: ... Too many open files\`"

# The user's file gets a number that was ours: it stays the user's, and nothing is lost.
under files-closed --session-dir sessions -- work close-all "open:$temp/user" late late-bytes work
counted files-closed Program.cs work 2000
counted files-closed late/Late.cs late 2000
silent files-closed
check "files-closed: the user's file is the user's" test -z "$(tr -d '\0' <user | tail -c +2)"
figure "all descriptors closed, their numbers reused by the program" 1 nothing -

under size-limited --session-dir sessions -- work limit-size:4096 late work
counted size-limited Program.cs work 2000
reported size-limited "the counts of late are lost: no room"

# No file may grow at all; what the program prints goes to a pipe.
limited prlimit --fsize=0 "$program" work late-bytes 2>&1 | cat >no-size.bare
limited "$ILCOV" run --quiet --allow-empty --session-dir sessions --format none --per-test -- \
    sh -c 'ulimit -f 0; "$FAULTS" work late-bytes 2>&1' 2>no-size.err | cat >no-size.out
same "no-size: output" "$(cat no-size.bare)" "$(cat no-size.out)"
check "no-size: the loss is reported" grep -q "nothing is known of process .* its files may not grow (ulimit -f)" no-size.err
check "no-size: no other cause is guessed" test "$(grep -c hint no-size.err)" -eq 0
figure "limit of file size (SIGXFSZ)" 2 "modules that load from then on" "\`the counts of ... are lost: ... File too large\`"

# --- memory --------------------------------------------------------------------------------------
for left in 1000000 20000000 1000000000; do
    under "memory-$left" --session-dir sessions -- work limit-memory:$left late work
    counted "memory-$left" Program.cs work 2000
    if [ "$(hits "memory-$left.xml" late/Late.cs late)" = 1000 ]; then
        silent "memory-$left"
    else
        reported "memory-$left" "the counts of late are lost"
    fi
done
# The kernel allows a process so many mappings; the last ones are the target's.
for left in 8 20 60; do # with 4 the runtime itself may run out, now and then
    under "mappings-$left" --session-dir sessions -- work mappings:$left late work
    counted "mappings-$left" Program.cs work 2000
    if [ "$(hits "mappings-$left.xml" late/Late.cs late)" = 1000 ]; then
        silent "mappings-$left"
    else
        reported "mappings-$left" "the counts of late are lost: the counters of late cannot be mapped"
    fi
done
# The library finds no session and declines: what a profiler costs the runtime itself, a thread more.
idle=(env CORECLR_ENABLE_PROFILING=1 'CORECLR_PROFILER={1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}'
    CORECLR_PROFILER_PATH="$(dirname "$ILCOV")/libilcov.so")
# Under a limit from the start the target keeps its memory: ilcov takes next to nothing of it. malloc takes 64 MiB at a time, and
# what is left of that for the last stack comes round every 200 MB of the limit: near such a place a program lives by chance.
for limit in 1000000000 2000000000 3000000000 3200000000 4000000000; do
    around=(prlimit --as=$limit)
    lives=0
    for i in 1 2 3; do
        limited "${idle[@]}" "${around[@]}" "$program" work >bare.out 2>bare.err
        [ $? -ne 7 ] || lives=$((lives + 1))
    done
    if [ $lives -ne 3 ]; then
        skip "memory of $limit from the start" "beside a profiler that does nothing the program does not always live with it"
        continue
    fi
    for i in 1 2 3; do
        reset
        limited "${around[@]}" "$ILCOV" run --quiet --data x.ilcov --format "cobertura=memory-of-$limit.xml" --root "$fixture" \
            --session-dir sessions -- "$program" work late >"memory-of-$limit.out" 2>"memory-of-$limit.err"
        status=$?
        [ $status -ne 7 ] || break
    done
    same "memory of $limit from the start: exit status" 7 $status
    counted "memory-of-$limit" Program.cs work 1000
    counted "memory-of-$limit" late/Late.cs late 1000
    reported "memory-of-$limit" "the address space of the process is limited"
done
around=()
figure "limit of address space, set by the target or from the start" 8 "nothing, or modules that load from then on" "\`the counts of ... are lost: no memory for ...\`"
figure "almost no mapping left (\`vm.max_map_count\`)" 3 "nothing, or modules that load from then on" "\`the counts of ... are lost: ... cannot be mapped\`"

# --- the session's files -------------------------------------------------------------------------
under session-removed --session-dir sessions -- work 'system:rm -rf "${ILCOV_SESSION:-$PWD/none}"' late work
reported session-removed "was removed during the run"
under counters-removed --session-dir sessions -- work 'system:rm -f "${ILCOV_SESSION:-$PWD/none}"/*.counts' late work
counted counters-removed late/Late.cs late 1000
reported counters-removed "the counts of faults are lost: its counter file is gone"
figure "session directory removed during the run" 1 "all counts" "\`nothing was measured because the session ... was removed\`"
figure "counter files removed during the run" 1 "what they had" "\`the counts of ... are lost: its counter file is gone\`"

# --- root directory, user ------------------------------------------------------------------------
if [ "$(id -u)" -eq 0 ]; then
    mkdir jail
    under root-changed --session-dir sessions -- work "chroot:$temp/jail" late-bytes work
    counted root-changed Program.cs work 2000
    reported root-changed "late was not measured (has no symbols: its .pdb is not there): it loaded after its process had changed"
    figure "root directory changed" 1 "modules that load from then on, if their symbols are files" "\`... was not measured (has no symbols: its .pdb is not there): it loaded after its process had changed its root directory\`"

    chmod 711 "$temp"
    chmod 755 sessions
    under user-changed --session-dir sessions -- work setuid:$nobody late work
    counted user-changed Program.cs work 2000
    same "user-changed: both are reported" 2 "$(grep -c -e "the counts of late are lost: .* Permission denied" \
        -e "(faults) runs as user $nobody, no longer as user 0: what it loads or starts as that user" user-changed.err)"
    under user-child --session-dir sessions -- work setuid:$nobody 'system:"$FAULTS" work' work
    counted user-child Program.cs work 2000
    reported user-child "(faults) runs as user $nobody, no longer as user 0"
    figure "user changed" 2 "modules and processes that come later" "\`the counts of ... are lost: ... Permission denied\`, \`process ... runs as user ..., no longer as user ...\`"
else
    skip "root directory changed" "only root may"
    skip "user changed" "only root may"
fi

# --- ilcov itself --------------------------------------------------------------------------------
# Two in one directory at once, told to write the same files: the one that ends last leaves the other's and says so.
reset
mkdir both
# Each program runs when both have begun.
together='>"$0.$1"; until [ -e "$0.1" ] && [ -e "$0.2" ]; do sleep 0.05; done; shift; exec "$@"'
for i in 1 2; do
    (cd both && limited "$ILCOV" run --quiet --session-dir ../sessions --root "$fixture" \
        -- sh -c "$together" "$temp/both-began" $i "$program" work late >../both$i.out 2>../both$i.err; echo $? >../both$i.status) &
done
wait
same "two runs in one directory: exit status" "7 7" "$(cat both1.status both2.status | tr '\n' ' ' | sed 's/ $//')"
first="another run wrote TestResults/run.ilcov since this one began; the data of this one is in TestResults/run-2.ilcov"
same "two runs in one directory: the later one says where its files are" \
    "ilcov: $first ('ilcov merge' and 'ilcov report' take both)
ilcov: another run wrote coverage.cobertura.xml since this one began; the report of this one is coverage.cobertura-2.xml" \
    "$(sort both1.err both2.err)"
same "two runs in one directory: files" \
    "TestResults/run-2.ilcov TestResults/run.ilcov coverage.cobertura-2.xml coverage.cobertura.xml" \
    "$(cd both && find . -type f -printf '%P\n' | sort | tr '\n' ' ' | sed 's/ $//')"
for report in coverage.cobertura coverage.cobertura-2; do
    same "two runs in one directory: counts of $report" 1000 "$(hits both/$report.xml Program.cs work)"
done
check "two runs in one directory: both data files are whole" "$ILCOV" report --format cobertura=both.xml both/TestResults/*.ilcov
same "two runs in one directory: together they have the counts of both" 2000 "$(hits both.xml Program.cs work)"
check "two runs in one directory: nothing is left of the sessions" test -z "$(ls -A sessions)"
figure "two runs in one directory" 1 nothing "\`another run wrote TestResults/run.ilcov since this one began; the data of this one is in TestResults/run-2.ilcov\`"

# Each looks first whether it can write there, and leaves no folder behind: that of another must not be in its way.
for round in $(seq 30); do
    mkdir "at-once"
    for i in 1 2 3 4; do
        (cd at-once && limited "$ILCOV" run --quiet --session-dir ../sessions --allow-empty -f none -- true >$i.out 2>&1 || echo "$round" >$i.failed) &
    done
    wait
    cat at-once/*.failed 2>/dev/null
    rm -r at-once
done >at-once.failed
same "four runs that begin at once in a new directory: none is in another's way" "" "$(cat at-once.failed)"

# The same, if the reports are split.
reset
mkdir split
for i in 1 2; do
    (cd split && limited "$ILCOV" run --quiet --session-dir ../sessions --root "$fixture" --split 1KiB \
        -- sh -c "$together" "$temp/split-began" $i "$program" work late >../split$i.out 2>../split$i.err) &
done
wait
check "two runs in one directory that split their reports: the later one says where its are" \
    grep -qh "the report of this one is coverage.cobertura-2.xml" split1.err split2.err
same "two runs in one directory that split their reports: as many parts of each, and no whole one" 0 \
    "$(cd split && rm -r TestResults && ls | sed 's/-2//' | sort | uniq -c | grep -cv '^ *2 coverage.cobertura.[1-9][0-9]*.xml$')"

# Killed: its command runs on and is not touched; the next run removes what is left once that is over.
calls_reported() # FILE: how many calls of Step it lists
{
    od -An -t d8 -N 8 "$1" 2>/dev/null | tr -d ' \n'
}
counts() {
    [ "$(calls_reported progress)" -gt 0 ] 2>/dev/null
}
reset
"$ILCOV" run --session-dir sessions -- sh -c 'echo $$ >target; exec "$FAULTS" count:progress' >killed.out 2>killed.err &
ilcov=$!
check "ilcov killed: the target counts" until_true counts
kill -KILL $ilcov
wait $ilcov 2>/dev/null
session=$(echo sessions/ilcov-*)
target=$(cat target)
TMPDIR=$temp/sessions "$ILCOV" doctor >doctor.out 2>&1
check "ilcov killed: doctor finds the session, and that the command still runs" \
    grep -q "^warning .*$session was left behind by process $ilcov, .*still runs" doctor.out
limited "$ILCOV" run --session-dir sessions --allow-empty --quiet -- true 2>next.err
check "ilcov killed: the next run leaves it alone meanwhile" test -e "$session/config"
check "ilcov killed: the target is alive" kill -0 "$target"
kill -KILL "$target"
check "ilcov killed: the target's end" until_true over "$target"
TMPDIR=$temp/sessions "$ILCOV" doctor >doctor.out 2>&1
check "ilcov killed: doctor finds the orphan" grep -q "^warning .*$session was left behind .*the next run removes it" doctor.out
limited "$ILCOV" run --session-dir sessions --allow-empty --format none -- true 2>next.err
check "ilcov killed: the next run removes it" test ! -e "$session"
check "ilcov killed: and says so" grep -q "removed the session .*/$session, which a killed run left behind" next.err
check "ilcov killed: nothing else is left" test -z "$(ls -A sessions)"
limited "$ILCOV" run --session-dir sessions --allow-empty --quiet --format none --keep-session -- true 2>kept.err
limited "$ILCOV" run --session-dir sessions --allow-empty --quiet --format none -- true 2>next.err
check "a session that was kept is nobody's orphan" test -e sessions/ilcov-kept-*/config
figure "ilcov killed" 1 "that run's counts; its command continues" "\`doctor\` lists the session, the next run removes and reports it"

# --- kills ---------------------------------------------------------------------------------------
# one_kill N: a process that counts what it does is killed within 0.4 s, of its start or, three times of four, of its first
# call, which a busy machine may delay; what is reported must be what it
# told, or the one call more that was going on. Prints `N TOLD REPORTED WHAT`.
one_kill() {
    local n=$1 after counting= said reported what=exact
    mkdir "kill$n"
    cd "kill$n" || return
    after=$(printf '0.%03d' $((RANDOM % 400)))
    [ $((n % 4)) -eq 0 ] || counting='until od -An -t x1 -N 8 progress | grep -q "[1-9a-f]"; do sleep 0.01; done;'
    timeout -k 10 60 "$ILCOV" run --quiet --allow-empty --root "$fixture" --format cobertura=x.xml --data x.ilcov -- \
        sh -c 'exec 2>/dev/null; "$FAULTS" count:progress & '"$counting"' sleep '"$after"'; kill -KILL $!; wait $!' >out 2>err
    local status=$?
    said=$(calls_reported progress)
    said=${said:-0}
    reported=$(hits x.xml Program.cs step)
    reported=${reported:-0}
    if [ $status -ne 137 ]; then
        what="status $status"
    elif [ "$reported" -ne "$said" ] && [ "$reported" -ne $((said + 1)) ]; then
        what=wrong
    elif [ -s err ] && { [ "$said" -ne 0 ] || ! grep -q '^ilcov: nothing was measured' err; }; then
        what="told: $(head -n 1 err)"
    elif [ "$reported" -eq 0 ]; then
        what=early
    fi
    echo "$n $said $reported $what"
    cd "$temp" || return
    case $what in
    exact | early) rm -rf "kill$n" ;;
    esac
}
: >kills
for side in 0 1; do
    for ((i = side; i < KILLS; i += 2)); do
        one_kill $i
    done >>kills &
done
wait
same "$KILLS kills: all were tried" "$KILLS" "$(grep -c '' kills)"
grep -v -e ' exact$' -e ' early$' kills >wrong
if [ -s wrong ]; then
    not_ok "$KILLS kills: each count exact up to the call that was going on" wrong
else
    ok "$KILLS kills: each count exact up to the call that was going on"
fi
early=$(grep -c ' early$' kills)
check "$KILLS kills: most came while it counted ($early came before)" test $((early * 4)) -lt $((KILLS * 3))
calls=$(awk '{ sum += $2 } END { printf "%.0f", sum }' kills)
ahead=$(awk '$3 > $2 { n++ } END { printf "%d", n }' kills)
printf '# %d kills: %d before the first call; %s calls told, %d times one more was reported\n' "$KILLS" "$early" "$calls" "$ahead"
figure "killed at a random moment ($early before the first call)" "$KILLS" "nothing: $calls calls logged; $ahead times the report had one more, still in progress" -

# --- short processes -----------------------------------------------------------------------------
reset
limited_before=$LIMIT LIMIT=$((60 + PROCESSES))
limited "$ILCOV" run --quiet --session-dir sessions --keep-session --root "$fixture" --data short.ilcov \
    --format cobertura=short.xml -- sh -c 'for side in 0 1; do
        (i=$side; while [ $i -lt '"$PROCESSES"' ]; do "$FAULTS" work >/dev/null; i=$((i + 2)); done) &
    done; wait' >short.out 2>short.err
status=$?
LIMIT=$limited_before
same "$PROCESSES short processes: exit status" 0 $status
same "$PROCESSES short processes: calls" $((PROCESSES * 1000)) "$(hits short.xml Program.cs work)"
check "$PROCESSES short processes: nothing is reported but where the session is" test "$(grep -c '' short.err)" -eq 1
session=$(echo sessions/ilcov-kept-*)
files=$(find "$session" -name '*.counts' | wc -l)
counters_kib=$(find "$session" -name '*.counts' -printf '%k\n' | awk '{ sum += $1 } END { print sum + 0 }')
records_kib=$(find "$session" -name 'process-*' -printf '%k\n' | awk '{ sum += $1 } END { print sum + 0 }')
check "$PROCESSES short processes: as many counter files as ran at a time ($files)" test "$files" -le 3
check "$PROCESSES short processes: a record of at most 8 KiB each ($records_kib KiB in all)" \
    test "$records_kib" -le $((PROCESSES * 8))
printf '# %d short processes: %d counter files of %d KiB, records of %d KiB\n' "$PROCESSES" "$files" "$counters_kib" "$records_kib"
figure "short processes, two at a time" "$PROCESSES" "nothing: $files counter files of $counters_kib KiB, records of $records_kib KiB" -
reset
finish
