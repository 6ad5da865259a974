#!/bin/bash
# attribution.sh - `ilcov run --per-test` over generated suites of TESTS (2,000) tests in parallel (tests/e2e/make_tests.py), for each
# test framework: each test has its own function and no other one; SAMPLE (200) tests of each framework hit alone what they hit among all;
# KILLS (200) times the process is killed at a random moment, and no hit is lost or moved; all tests together cover what a run without
# --per-test covers. Writes its section to $RELIABILITY_DIR/attribution.md.
#
#   TESTS, SAMPLE, KILLS  how many of each
#   SEED                  which tests are drawn, and when is killed (1)
#   FRAMEWORKS            which of xunit2 xunit3 nunit mstest tunit
. "$(dirname "$0")/../e2e/lib.sh"

tests=${TESTS:-2000} sample=${SAMPLE:-200} kills=${KILLS:-200} seed=${SEED:-1}
frameworks=${FRAMEWORKS:-xunit3 tunit nunit mstest xunit2}
make="$top/tests/e2e/make_tests.py"
work=400 # of tests that are killed, so that most of their time is between hits

# whole, alone, killed: rows of the tables.
: >whole
: >alone
: >killed

# drawn NAME COUNT LIMIT: that many numbers below the limit, other ones for each name.
drawn() {
    python3 -c 'import random, sys
random.seed(sys.argv[1])
count, limit = int(sys.argv[2]), int(sys.argv[3])
print(*(random.sample(range(limit), count) if count <= limit else random.choices(range(limit), k=count)), sep="\n")' "$seed $1" "$2" "$3"
}

# made_suite FRAMEWORK NET [OPTION...]: builds it in `place`; sets `program`, or nothing if there is none.
made_suite() {
    local suite=$1 net=$2
    shift 2
    place=$top/build/campaign/attribution/$suite-$net
    mkdir -p "$place" && python3 "$make" "$suite" "$place" "$tests" "$net"
    program=
    case $suite in
    nunit | mstest) set -- "$@" -p:Program=true ;;
    xunit2) return ;;
    esac
    built "$suite" --artifacts-path "$place/program" "$@" || return
    program=$(find "$place/program/bin" -name Suite -type f -perm -u+x -print -quit)
}

# built WHAT OPTION...: with TESTS methods in a class, Roslyn takes longer. On .NET 11 the runtime does what awaits.
built() {
    local what=$1
    shift
    [ $net != net11.0 ] || set -- -p:Features=runtime-async=on -p:EnablePreviewFeatures=true "$@"
    if ! building dotnet build "$place/Suite" --configuration Debug --nologo "$@" >build.log 2>&1; then
        if grep -q 'NU110[12]' build.log; then
            skip "$what" "a package that it needs is not available"
        else
            not_ok "$what compiles" build.log
        fi
        return 1
    fi
}

# measured DATA OPTION... -- COMMAND...
measured() {
    local data=$1
    shift
    limited "$ILCOV" run --per-test --root "$place" -d "$data" -f none "$@" >run.log 2>&1
}

# told_apart WHAT MODE COMMAND...: the run of all tests, and a row of it.
told_apart() {
    local what=$1 mode=$2 data=${place##*/}.$2.ilcov shared
    shift 2
    rm -f finished
    FINISHED=$temp/finished measured "$data" --mode "$mode" -- "$@"
    same "$what, $mode: the tests pass" 0 $?
    check "$what, $mode: each of $tests tests has its own function, and no other" python3 "$make" --check "$data"
    grep -q "^$tests tests, " check.log || not_ok "$what, $mode: all tests are there" check.log
    shared=$(sed -n 's/^ilcov: .*\(had code on the stacks\).*/some/p' run.log | head -n 1)
    sed -n "s/^\([0-9]*\) tests, \([0-9]*\) wrong.*/| $what | $mode | \1 | $(sort -rnk3 finished | awk '{ print $3; exit }') | \2 | ${shared:-none} |/p" check.log >>whole
}

# only TEST: sets `one` to the command that runs this one alone.
only() {
    local class=Class$(($1 / 6))
    case $suite in
    xunit3) one=("$program" -method "Suite.$class.Test$1") ;;
    tunit) one=("$program" --treenode-filter "/*/*/$class/Test$1") ;;
    nunit | mstest) one=("$program" --filter "FullyQualifiedName=Suite.$class.Test$1") ;;
    xunit2) one=(dotnet vstest "$place/Suite/bin/Debug/$net/Suite.dll" "--TestCaseFilter:FullyQualifiedName=Suite.$class.Test$1") ;;
    esac
}

# as_alone WHOLE...: tests that are drawn hit alone what they hit in these runs of all; the mode is now one, now the other.
as_alone() {
    local number folder=$place/alone mode=hit failures=0
    rm -rf "$folder" && mkdir "$folder"
    while read -r number; do
        only "$number"
        measured "$folder/Suite.Class$((number / 6)).Test$number.ilcov" --mode $mode -- "${one[@]}" || failures=$((failures + 1))
        if [ $mode = hit ]; then mode=count; else mode=hit; fi
    done < <(drawn "alone $suite" "$((sample < tests ? sample : tests))" "$tests")
    same "$suite: each test alone passes" 0 $failures
    check "$suite: tests hit alone what they hit among all" python3 "$top/tests/support/tests_alone.py" "$folder" "$@"
    sed -n "s/^\([0-9]*\) equal, \([0-9]*\) but for.*, \([0-9]*\) different/| $suite | \1 | \2 | \3 |/p" check.log >>alone
    grep -v ' equal, ' check.log | sed 's/^.*; unlike: //' | sort | uniq -c | sort -rn | head -n 5 | sed "s/^/# $suite, unlike: /"
    rm -rf "$folder"
}

# killed_often COUNT COMMAND...: at moments of a run of all tests: from 50 ms before the end of the first one to that of the last. What ends
# before it is killed, because the machine has become faster, does not count, and tells how long a run takes now.
killed_often() {
    local count=$1 mode=hit first last end part after number=0 wrong=0 finished=0
    shift
    export FINISHED=$temp/finished WORK=$work
    rm -f finished
    measured killed.ilcov -- "$@"
    read -r first last < <(sort -k2n finished | awk 'NR == 1 { first = $2 > 50 ? $2 - 50 : 0 } { last = $2 } END { print first, last }')
    while [ $number -lt "$count" ] && read -r part; do
        after=$((first + (last - first) * part / 10000))
        : >finished
        KILL_AFTER=$after measured killed.ilcov --mode $mode -- "$@"
        if ! python3 "$make" --check killed.ilcov finished >checked 2>&1; then
            wrong=$((wrong + 1))
            sed "s/^/# $suite, killed after $after ms, $mode: /" checked
            mkdir -p "$top/build/campaign/attribution/wrong" && cp killed.ilcov finished run.log "$top/build/campaign/attribution/wrong"
        fi
        if [ "$(wc -l <finished)" -eq "$tests" ]; then
            end=$(sort -rnk2 finished | awk '{ print $2; exit }')
            [ "$end" -le "$first" ] || [ "$end" -ge "$last" ] || last=$end
            continue
        fi
        finished=$((finished + $(wc -l <finished))) number=$((number + 1))
        if [ $mode = hit ]; then mode=count; else mode=hit; fi
    done < <(drawn "killed $suite" $((count * 3)) 10000)
    unset FINISHED WORK
    same "$suite: killed before all tests had finished" "$count" $number
    same "$suite, killed $number times: finished tests have all, and none has more" 0 $wrong
    echo "| $suite | $number | $((number ? finished / number : 0)) | $wrong |" >>killed
}

# as_without COMMAND...: what the data of runs with --per-test covers is what one without it covers.
as_without() {
    local mode
    limited "$ILCOV" run -q --root "$place" -d plain.ilcov -f json=plain.json --deterministic -- "$@" >run.log 2>&1
    for mode in hit count; do
        limited "$ILCOV" report --root "$place" -f json=told.json --deterministic "${place##*/}.$mode.ilcov" >report.log 2>&1
        check "$suite, $mode: all tests together cover what a run without --per-test covers" \
            python3 "$top/tests/support/same_covered.py" plain.json told.json
    done
}

total=$(wc -w <<<"$frameworks")
for suite in $frameworks; do
    made_suite "$suite" $net || continue
    all=("$program")
    case $suite in
    tunit) all+=(--maximum-parallel-tests 16) ;;
    xunit2 | nunit | mstest)
        built "$suite" || continue
        all=(dotnet test --no-build --configuration Debug "$place/Suite")
        ;;
    esac
    told_apart "$suite" hit "${all[@]}"
    told_apart "$suite" count "${all[@]}"
    as_without "${all[@]}"
    data=("$temp/${place##*/}".{hit,count}.ilcov)
    if [ -n "$program" ] && [ "${all[0]}" != "$program" ]; then
        measured program.ilcov -- "$program"
        same "$suite as a program: the tests pass" 0 $?
        check "$suite as a program: each test has its own function, and no other" python3 "$make" --check program.ilcov
        data+=("$temp/program.ilcov")
    fi
    [ "$sample" -eq 0 ] || as_alone "${data[@]}"
    # Programs are killed more often than the hosts of `dotnet test`, which take three times as long to start.
    case $suite in
    xunit3 | tunit) part=$((kills * 7 / 20)) ;;
    *) part=$((kills / 10)) ;;
    esac
    [ "$part" -eq 0 ] || killed_often "$part" "${all[@]}"
done

# With its runtime, which comes from NuGet; .NET 11 is tested with ILCOV_DOTNET=11 (tests/campaign/dotnet11.sh).
for suite in xunit3 nunit; do
    case " $frameworks " in *" $suite "*) ;; *) continue ;; esac
    [ $net = net10.0 ] || continue
    for older in 8 9; do
        made_suite "$suite" net$older.0 --runtime linux-x64 --self-contained true || continue
        for mode in hit count; do
            told_apart "$suite, .NET $older" $mode "$program"
        done
    done
done

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/attribution.md" <<EOF
## Which test hit what

\`ilcov run --per-test\` over generated suites of $total test frameworks: $tests tests in parallel, each of which runs its own function, in one of
18 ways in which .NET passes work on, also to the thread of another test. So the expected coverage of each test is known.

| framework | mode | tests | most at once | wrong | tests without room for their counters |
| --- | --- | ---: | ---: | ---: | --- |
$(cat whole)

Wrong: a test that lacks its function or has another, or another entry that has one. NUnit, MSTest and xunit 2 ran under \`dotnet test\`,
the others, .NET 8 and 9 as programs. With each framework, all tests together cover the same lines and branches as a run without \`--per-test\`.

Random tests, each run in its own process and compared with the run of all tests, in every count of the product:

| framework | equal | equal in reports | different |
| --- | ---: | ---: | ---: |
$(cat alone)

Equal in reports: only counts that no report shows differ, in compiler-generated branches (was a task complete, was a delegate created before?) and methods,
such as those that an async iterator calls only if the next item was not ready. They depend on timing and on code that ran before. Static
constructors have their own entries, so they cause no differences.

Runs of all tests, killed with SIGKILL at random moments, half in each mode. Each test that had logged its end must have all
of its hits, and no test those of another:

| framework | kills | mean of finished tests | wrong |
| --- | ---: | ---: | ---: |
$(cat killed)
EOF
fi
finish
