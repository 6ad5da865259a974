#!/bin/bash
# merge.sh - what merging and comparing cost: CPU time and peak memory of `merge` for 10, 100 and 1,000 shards, of the report on
# the result, of `diff` of two data files with 100,000 and 600,000 lines in their reports, and of `merge` and `diff` of LCOV with
# 50,000 and 100,000 source files, 10 lines each: twice the size must cost twice as much.
#
#   bench/merge.sh
#
#   BENCH_SHARDS  how many there are at most (1000)
#   ILCOV         the program to measure (build/ilcov)
#   TMPDIR        where the shards are made, 2.5 GB; they are removed
#
# The shards are those of a solution of 100,000 lines (tests/support/make_shards.c), each of a run of its own. The figures are
# for reading: the exit status tells only whether they could be made.
. "$(dirname "$0")/common.sh" || exit 2

shards=${BENCH_SHARDS:-1000}

# cost NAME COMMAND...: "<CPU ms> <wall ms> <peak MB>" into the file NAME.
cost() {
    local into=$temp/$1
    rm -f "$into"
    "$out/cputime" "$into" "${@:2}" >"$temp/log" 2>&1 </dev/null || die "${*:2:2} failed" "$temp/log"
}

# line WHAT FILE: the figures in a row of the table.
line() {
    awk -v what="$1" '{ printf "%-28s %10.2f %10.2f %10.0f\n", what, $1 / 1000, $2 / 1000, $3 }' "$2"
}

[ -x "$ilcov" ] && [ -x "$top/build/make_shards" ] || die "run \`make all build/make_shards\` first"
[ "$shards" -ge 10 ] 2>/dev/null || die "BENCH_SHARDS must be a number from 10"
mkdir -p "$out" || exit 1
"${CC:-gcc}" -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$out/cputime" "$here/cputime.c" || exit 1
temp=$(mktemp -d "${TMPDIR:-/tmp}/ilcov-bench.XXXXXX") || exit 2
trap 'rm -rf "$temp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$temp/shards" || exit 1
"$top/build/make_shards" "$temp/shards" 0 "$shards" || die "the shards could not be made"
printf '%s\n%s processors, load %s\n' "$("$ilcov" --version | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
printf '%s shards of %s MB\n\n' "$shards" "$(stat -c %s "$temp/shards/0.ilcov" | awk '{ printf "%.1f", $1 / 1e6 }')"
printf '%-28s %10s %10s %10s\n' '' 'CPU, s' 'wall, s' 'peak, MB'
for ((count = 10; count <= shards; count *= 10)); do
    mapfile -t inputs < <(seq -f "$temp/shards/%.0f.ilcov" 0 $((count - 1)))
    cost "merge.$count" "$ilcov" merge -o "$temp/all.ilcov" "${inputs[@]}"
    line "merge of $count" "$temp/merge.$count"
    last=$count
done
cost squash "$ilcov" merge --squash -o "$temp/squashed.ilcov" "${inputs[@]}"
line "merge --squash of $last" "$temp/squash"
cost report "$ilcov" report --format "cobertura=$temp/all.xml" "$temp/all.ilcov"
line "report on $last runs" "$temp/report"
cost report-squashed "$ilcov" report --format "cobertura=$temp/squashed.xml" "$temp/squashed.ilcov"
line "report on them squashed" "$temp/report-squashed"

mkdir "$temp/large" || exit 1
"$top/build/make_shards" "$temp/large" 0 2 167 || die "the large files could not be made"
cost diff "$ilcov" diff --format "json=$temp/diff.json" "$temp/large/0.ilcov" "$temp/large/1.ilcov"
line "diff of 100,200 lines" "$temp/diff"
rm -rf "$temp/large" && mkdir "$temp/large" || exit 1
"$top/build/make_shards" "$temp/large" 0 2 1000 || die "the largest files could not be made"
cost diff.files "$ilcov" diff --format "json=$temp/diff.json" "$temp/large/0.ilcov" "$temp/large/1.ilcov"
line "diff of 20,000 files" "$temp/diff.files"
rm -rf "$temp/large"

# lcov FILES SEED: a report of other tools on so many source files.
lcov() {
    awk -v files="$1" -v seed="$2" 'BEGIN {
        srand(seed)
        for (i = 0; i < files; i++) {
            printf "SF:src/Part%d/Type%d.cs\n", i % 500, i
            for (k = 1; k <= 10; k++)
                printf "DA:%d,%d\n", 2 * k, 3 * rand()
            print "end_of_record"
        }
    }'
}

for files in 50000 100000; do
    lcov "$files" 1 >"$temp/base.info"
    lcov "$files" 2 >"$temp/head.info"
    for side in base head; do
        cost "lcov.$side" "$ilcov" merge -o "$temp/$side.ilcov" "$temp/$side.info"
    done
    line "merge of LCOV, $files files" "$temp/lcov.head"
    cost lcov.diff "$ilcov" diff --format "json=$temp/diff.json" "$temp/base.ilcov" "$temp/head.ilcov"
    line "diff of them" "$temp/lcov.diff"
done

printf '\nmerge of %d: %s s of CPU (bar: 60 s for 1,000 of 2 MB), %s MB (bar 300), %s times the memory of 10\n' "$last" \
    "$(awk '{ printf "%.1f", $1 / 1000 }' "$temp/merge.$last")" "$(awk '{ printf "%.0f", $3 }' "$temp/merge.$last")" \
    "$(paste -d' ' "$temp/merge.$last" "$temp/merge.10" | awk '{ printf "%.2f", $3 / $6 }')"
printf 'diff: %s s of CPU (bar: 1 s for 100,000 lines), %s MB (bar 200)\n' \
    "$(awk '{ printf "%.2f", $1 / 1000 }' "$temp/diff")" "$(awk '{ printf "%.0f", $3 }' "$temp/diff")"
