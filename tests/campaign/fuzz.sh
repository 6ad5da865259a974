#!/bin/bash
# fuzz.sh - bad input, searched for with clang's libFuzzer: each target of tests/fuzz so many executions, two jobs on one
# corpus; afterwards what the corpus keeps is minimised and goes through the strict build of `make fuzz`, cut at every byte.
# An input that ends a target is a finding: it is kept in build/fuzz/findings, and the search goes on. Prints a line for
# each target, and writes its section to $RELIABILITY_DIR/fuzz.md. The corpus stays in build/fuzz, so the next run goes on.
#
#   FUZZ_EXECUTIONS         of pe, tables, pdb, il and rewrite together (10^8)
#   FUZZ_EXECUTIONS_OTHERS  of each other target (10^6)
#   FUZZ_TARGETS            only these, by name
cd "$(dirname "$0")/../.." || exit 2
executions=${FUZZ_EXECUTIONS:-100000000}
others=${FUZZ_EXECUTIONS_OTHERS:-1000000}
main_targets="pe tables pdb il rewrite"
jobs=2 restarts=20
work=build/fuzz guided=build/guided/fuzz strict=build/address-undefined/fuzz

all_targets() {
    local file
    echo "$main_targets"
    for file in tests/fuzz/fuzz_*.c; do
        file=${file##*/fuzz_}
        case " $main_targets " in *" ${file%.c} "*) ;; *) echo "${file%.c}" ;; esac
    done
}

share() {
    case " $main_targets " in
    *" $1 "*) echo $((executions / $(wc -w <<<"$main_targets"))) ;;
    *) echo "$others" ;;
    esac
}

# The longest input that pays: what is behind the first so many bytes adds work, not ways.
longest() {
    case $1 in
    pe) echo 9600 ;;
    store) echo 16384 ;;
    rewrite) echo 96 ;;
    counter_file) echo 8192 ;;
    il) echo 256 ;;
    *) echo 1024 ;;
    esac
}

# The executions that a log tells of, whichever way the job ended.
executed() {
    awk '/^stat::number_of_executed_units:/ { n = $2 } /^#[0-9]+/ { last = substr($1, 2) }
        END { print n != "" ? n : last + 0 }' "$1"
}

# job TARGET NUMBER EXECUTIONS: starts again behind each finding; prints what was executed.
job() {
    local target=$1 number=$2 left=$3 done=0 n start log
    local options=(-max_len="$(longest "$target")" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -seed=$((number + 1)))
    [ -f "tests/fuzz/$target.dict" ] && options+=(-dict="tests/fuzz/$target.dict")
    for start in $(seq $restarts); do
        log=$work/log/$target-$number-$start
        "$guided/$target" "${options[@]}" -runs="$left" -artifact_prefix="$work/findings/$target-" \
            "$work/corpus/$target" >"$log" 2>&1
        status=$?
        n=$(executed "$log")
        done=$((done + n)) left=$((left - n))
        [ $status -eq 0 ] && break
        echo "$target: job $number found something: see $log" >&2
        [ $left -gt 0 ] || break
    done
    echo $done
}

count() {
    find "$1" -maxdepth 1 -type f -name "${2:-*}" | wc -l
}

prepare() {
    local target=$1
    mkdir -p "$work/corpus/$target" "$work/findings" "$work/log"
    rm -f "$work/log/$target-"*
    "$strict/$target" --seeds-to "$work/corpus/$target" || return
    [ ! -d "tests/fuzz/corpus/$target" ] || cp "tests/fuzz/corpus/$target/"* "$work/corpus/$target"
}

minimise() {
    local target=$1 small=$work/corpus/$1.small
    rm -rf "$small"
    mkdir "$small"
    "$guided/$target" -merge=1 -max_len="$(longest "$target")" "$small" "$work/corpus/$target" >"$work/log/$target-merge" 2>&1 &&
        rm -rf "$work/corpus/$target" && mv "$small" "$work/corpus/$target"
}

# Prints a row of the table.
campaign() {
    local target=$1 start=$SECONDS seconds total=0 number n before after verdict="no finding"
    prepare "$target" || return
    before=$(count "$work/findings" "$target-*")
    for number in $(seq $jobs); do
        job "$target" "$number" $(($(share "$target") / jobs)) >"$work/log/$target-$number" &
    done
    wait
    for number in $(seq $jobs); do
        n=$(cat "$work/log/$target-$number")
        total=$((total + n))
    done
    seconds=$((SECONDS - start > 0 ? SECONDS - start : 1))
    minimise "$target" || verdict="the corpus could not be minimised"
    (cd "$work/findings" && "../../../$strict/$target" --mutations 1000 "../corpus/$target") >"$work/log/$target-strict" 2>&1 ||
        verdict="finding in the strict build"
    after=$(count "$work/findings" "$target-*")
    [ "$after" -eq "$before" ] || verdict="$((after - before)) findings"
    printf '| %s | %d | %d | %d | %s |\n' "$target" "$total" $((total / seconds)) "$(count "$work/corpus/$target")" "$verdict"
}

mkdir -p build
make -j2 fuzz-guided fuzz-strict >build/fuzz-build.log 2>&1 || {
    tail -n 20 build/fuzz-build.log
    exit 2
}
begin=$SECONDS rows="" failed=0
for target in ${FUZZ_TARGETS:-$(all_targets)}; do
    row=$(campaign "$target")
    echo "$row"
    rows+="$row"$'\n'
    case $row in *"no finding"*) ;; *) failed=$((failed + 1)) ;; esac
done
if [ -n "${RELIABILITY_DIR-}" ]; then
    {
        printf '## Bad input\n\n'
        printf 'Fuzz targets of `tests/fuzz` under libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer (%s, %d jobs), %s, %d s.\n' \
            "$(clang --version | sed -n 1p)" $jobs "$(date -u +%Y-%m-%d)" $((SECONDS - begin))
        printf 'Each input of the corpus was then truncated at every byte, in a build in which each allocation is a malloc.\n\n'
        printf '| target | executions | per second | corpus | findings |\n| --- | ---: | ---: | ---: | --- |\n%s' "$rows"
    } >"$RELIABILITY_DIR/fuzz.md"
fi
[ $failed -eq 0 ]
