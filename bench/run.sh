#!/bin/bash
# run.sh - what coverage costs: paired runs, medians, ratios.
#
#   bench/run.sh [suite] [loops] [start]      all three without arguments
#   bench/run.sh unused                       what nobody asked for: this ilcov beside an earlier one, and --control
#   bench/run.sh against                      suite and loops under this ilcov beside an earlier one
#
#   BENCH_RUNS  pairs of runs (5)
#   ILCOV       the program to measure (build/ilcov)
#   BASELINE    for `unused` and `against`, the earlier ilcov, its library beside it
#   PEERS       what the suite is also measured with ("coverlet microsoft"; may be empty)
#
# All that is made goes to build/bench. The figures are for reading: the exit status tells only whether they could be
# made. README.md beside this file says how to read them.
. "$(dirname "$0")/common.sh" || exit 2

runs=${BENCH_RUNS:-5}
peers=${PEERS-coverlet microsoft}
artifacts=$out/artifacts
results=$out/results
bars=()

# cost FILE COMMAND...: adds "<CPU ms> <wall ms> <peak MB>" to FILE.
cost() {
    quietly "${*:2}" "$out/cputime" "$@"
}

build() {
    quietly "building $1" dotnet build "$here/$1" --configuration "$2" --artifacts-path "$artifacts"
}

# --- one run ---------------------------------------------------------------------------------------------------------

# Every report is made from nothing, into a directory of its own.
fresh() {
    rm -rf "$out/reports" && mkdir -p "$out/reports" || die "cannot make $out/reports"
}

has_report() {
    [ -n "$(find "$out/reports" -name '*cobertura*.xml' -size +0 | head -n 1)" ] || die "$1 made no report" "$out/log"
}

ilcov_run() {
    "$ilcov" run --mode "$1" --data "$out/reports/coverage.ilcov" --format cobertura="$out/reports/cobertura.xml" -- "${@:2}"
}

# `cost` runs it through bash, so that ilcov's own options stand in one place.
export -f ilcov_run
export ilcov out

# suite_once VARIANT FILE
suite_once() {
    local test=(dotnet test --no-build --artifacts-path "$artifacts" --results-directory "$out/reports")
    fresh
    cd "$here/suite" || exit 2
    case $1 in
    bare) cost "$2" "${test[@]}" ;;
    count | hit) cost "$2" bash -c 'ilcov_run "$@"' - "$1" "${test[@]}" ;;
    coverlet) cost "$2" "${test[@]}" --collect 'XPlat Code Coverage' ;;
    microsoft) cost "$2" "${test[@]}" --collect 'Code Coverage;Format=cobertura' ;;
    esac
    cd "$top" || exit 2
    [ "$1" = bare ] || has_report "$1"
}

# start_once VARIANT FILE
start_once() {
    local program=$artifacts/bin/hello/release/hello
    case $1 in
    bare) cost "$2" "$program" ;;
    *) cost "$2" bash -c 'ilcov_run "$@"' - "$1" "$program" ;;
    esac
}

# unused_once VARIANT FILE: $program under this ilcov or the earlier one.
unused_once() {
    local ilcov=$ilcov
    [ "$1" != bare ] || ilcov=$BASELINE
    export ilcov
    cost "$2" bash -c 'ilcov_run "$@"' - count "${program[@]}"
}

# against_once VARIANT FILE: the suite in $mode under this ilcov or the earlier one.
against_once() {
    local ilcov=$ilcov
    [ "$1" != bare ] || ilcov=$BASELINE
    export ilcov
    suite_once "$mode" "$2"
}

# control_once VARIANT FILE
control_once() {
    local mode=(count)
    [ "$1" = bare ] || mode=(count --control)
    cost "$2" bash -c '"$ilcov" run --mode "$@"' - "${mode[@]}" --data "$out/reports/coverage.ilcov" --format none -- \
        "$artifacts/bin/hello/release/hello"
}

# loops_once VARIANT CONFIGURATION FILE: adds "<loop> <ms>" lines.
loops_once() {
    local program=$artifacts/bin/loops/$2/loops
    if [ "$1" = bare ]; then
        "$program" >>"$3" </dev/null || die "the loops failed"
    else
        ilcov_run "$1" "$program" >>"$3" 2>"$out/log" </dev/null || die "the loops failed under ilcov" "$out/log"
    fi
}

# --- pairs -----------------------------------------------------------------------------------------------------------

# in_pairs NAME ONCE PAIRS VARIANT...: line n of NAME.VARIANT.bare and of NAME.VARIANT.with are a pair. Which comes first
# alternates, so that a machine that grows faster or slower favours neither.
in_pairs() {
    local name=$1 once=$2 pairs=$3 variant i
    shift 3
    for ((i = 1; i <= pairs; i++)); do
        for variant in "$@"; do
            printf '\r%s: pair %d of %d, %-12s' "$name" "$i" "$pairs" "$variant" >&2
            local order=(bare with)
            ((i % 2)) || order=(with bare)
            for side in "${order[@]}"; do
                $once "${side/with/$variant}" "$results/$name.$variant.$side"
            done
        done
    done
    printf '\r%60s\r' '' >&2
}

# Medians and ratios. Reads lines "<key> <bare> <with>" and prints for each key, in the order of its first line:
# "<key> <median bare> <median with> <median of the ratios> <least> <most> <least bare> <most bare>".
medians() {
    awk '
        function sort(a, n,   i, j, x) {
            for (i = 2; i <= n; i++) {
                x = a[i]
                for (j = i - 1; j > 0 && a[j] > x; j--)
                    a[j + 1] = a[j]
                a[j + 1] = x
            }
        }
        function median(a, n) {
            sort(a, n)
            return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
        }
        {
            if (!($1 in count))
                keys[++key_count] = $1
            n = ++count[$1]
            bare[$1, n] = $2
            with[$1, n] = $3
        }
        END {
            for (k = 1; k <= key_count; k++) {
                key = keys[k]
                n = count[key]
                for (i = 1; i <= n; i++) {
                    b[i] = bare[key, i]
                    w[i] = with[key, i]
                    r[i] = w[i] / b[i]
                }
                b_median = median(b, n)
                w_median = median(w, n)
                r_median = median(r, n)
                print key, b_median, w_median, r_median, r[1], r[n], b[1], b[n]
            }
        }'
}

# costs NAME VARIANT...: lines "<variant>.cpu <bare> <with>" and "<variant>.wall <bare> <with>".
costs() {
    local name=$1 variant
    for variant in "${@:2}"; do
        paste -d' ' "$results/$name.$variant.bare" "$results/$name.$variant.with" |
            awk -v v="$variant" '{ print v ".cpu", $1, $4; print v ".wall", $2, $5 }'
    done
}

label() {
    case $1 in
    count | hit) echo "ilcov $1" ;;
    coverlet) echo "coverlet.collector $(version coverlet.collector)" ;;
    hello | loops | control) echo "$1" ;;
    microsoft) echo "Microsoft $(version Microsoft.NET.Test.Sdk)" ;;
    esac
}

version() {
    sed -n "s/.*Include=\"$1\" Version=\"\([^\"]*\)\".*/\1/p" "$here"/suite/tests/*/*.csproj
}

# cost_table NAME VARIANT...: the table, from milliseconds in $results/NAME.medians to UNIT (s or ms).
cost_table() {
    local name=$1 unit=$2 variant
    printf '%-28s %36s   %36s\n' '' "CPU, $unit" "wall, $unit"
    printf '%-28s %8s %8s %18s   %8s %8s %18s\n' '' bare with 'ratio (min-max)' bare with 'ratio (min-max)'
    for variant in "${@:3}"; do
        awk -v v="$variant" -v label="$(label "$variant")" -v scale="$([ "$unit" = s ] && echo 1000 || echo 1)" '
            function part() {
                return sprintf("%8.2f %8.2f %5.2f (%.2f-%.2f)", $2 / scale, $3 / scale, $4, $5, $6)
            }
            $1 == v ".cpu" { cpu = part() }
            $1 == v ".wall" { wall = part() }
            END { printf "%-28s %36s   %36s\n", label, cpu, wall }' "$results/$name.medians"
    done
}

# Of all bare runs together, however they were paired.
noise() {
    cat "$results/$1".*.bare | awk -v scale="$([ "$2" = s ] && echo 1000 || echo 1)" -v unit="$2" '
        NR == 1 { c = C = $1; w = W = $2 }
        { if ($1 < c) c = $1; if ($1 > C) C = $1; if ($2 < w) w = $2; if ($2 > W) W = $2 }
        END {
            printf "noise: %d bare runs took %.2f-%.2f %s of CPU (%.0f %%) and %.2f-%.2f %s (%.0f %%)\n",
                NR, c / scale, C / scale, unit, (C / c - 1) * 100, w / scale, W / scale, unit, (W / w - 1) * 100
        }'
}

# ratio_of FILE KEY
ratio_of() {
    awk -v key="$2" '$1 == key { printf "%.2f", $4 }' "$results/$1.medians"
}

# --- the three ---------------------------------------------------------------------------------------------------------

bench_suite() {
    local variants tests
    read -ra variants <<<"count hit $peers"
    build suite Debug
    suite_once bare /dev/null # the first run reads everything from disk
    tests=$(sed -n 's/.*Passed: *\([0-9]*\).*/\1/p' "$out/log")
    in_pairs suite suite_once "$runs" "${variants[@]}"
    costs suite "${variants[@]}" | medians >"$results/suite.medians"
    printf '\nsuite: dotnet test --no-build, %s tests, Debug; medians of %d pairs, report included\n' "$tests" "$runs"
    cost_table suite s "${variants[@]}"
    noise suite s
    bars+=("suite: $(ratio_of suite count.cpu) times the CPU time (bar 1.10)")
}

loops_table() {
    printf '\nloops, %s: milliseconds, best of 5 in the program; medians of %d pairs\n' "$1" "$runs"
    printf '%-14s %10s %15s   %20s   %20s\n' '' bare '(min-max)' 'ilcov count' 'ilcov hit'
    join -j 1 <(sort "$results/loops.$1.count.medians") <(sort "$results/loops.$1.hit.medians") |
        awk -v order="$(cut -d' ' -f1 "$results/loops.$1.count.medians" | tr '\n' ' ')" '
            { row[$1] = sprintf("%-14s %10.2f %15s   %20s   %20s", $1, $2, sprintf("%.2f-%.2f", $7, $8),
                  sprintf("%.2f (%.2f-%.2f)", $4, $5, $6), sprintf("%.2f (%.2f-%.2f)", $11, $12, $13)) }
            END { n = split(order, names, " "); for (i = 1; i <= n; i++) print row[names[i]] }'
}

bench_loops() {
    local configuration i side order two one
    for configuration in debug release; do
        build loops ${configuration^}
        for ((i = 1; i <= runs; i++)); do
            printf '\rloops, %s: %d of %d   ' "$configuration" "$i" "$runs" >&2
            order=(bare count hit)
            ((i % 2)) || order=(hit count bare)
            for side in "${order[@]}"; do
                loops_once "$side" "$configuration" "$results/loops.$configuration.$side"
            done
        done
        printf '\r%60s\r' '' >&2
        for side in count hit; do
            paste -d' ' "$results/loops.$configuration.bare" "$results/loops.$configuration.$side" |
                awk '{ print $1, $2, $4 }' | medians >"$results/loops.$configuration.$side.medians"
        done
        loops_table "$configuration"
        two=$(ratio_of "loops.$configuration.count" two-threads) one=$(ratio_of "loops.$configuration.count" one-thread)
        bars+=("two threads, $configuration: slowdown $two against $one of one thread (bar 3 times: $(awk "BEGIN { printf \"%.2f\", $two / $one }"))")
    done
}

bench_start() {
    build hello Release
    start_once bare /dev/null
    fresh
    in_pairs start start_once $((runs * 4)) count hit
    costs start count hit | medians >"$results/start.medians"
    printf '\nstart: Hello, World in Release; medians of %d pairs, report included\n' $((runs * 4))
    cost_table start ms count hit
    noise start ms
}

# Both sides of a pair are ilcov here: "bare" is the one without.
bench_unused() {
    [ -x "${BASELINE:-}" ] || die "BASELINE must name an earlier ilcov"
    build hello Release
    build loops Release
    fresh
    program=("$artifacts/bin/hello/release/hello")
    in_pairs unused unused_once $((runs * 20)) hello
    program=("$artifacts/bin/loops/release/loops" fib dictionary sort)
    in_pairs unused unused_once $((runs * 2)) loops
    in_pairs unused control_once $((runs * 20)) control
    costs unused hello loops control | medians >"$results/unused.medians"
    printf '\nunused: %d pairs of hello, %d of three loops, under an ilcov without what nobody asked for and with it;\n' \
        $((runs * 20)) $((runs * 2))
    printf '%d of hello without --control and with it. Medians; count, report included\n' $((runs * 20))
    cost_table unused ms hello loops control
    bars+=("unused: hello $(ratio_of unused hello.cpu), loops $(ratio_of unused loops.cpu) times the CPU time (bar 1.00)")
}

# Pairs of earlier and now; the loops' own times, the suite's CPU time.
bench_against() {
    local mode configuration i side order
    [ -x "${BASELINE:-}" ] || die "BASELINE must name an earlier ilcov"
    build suite Debug
    suite_once bare /dev/null
    for mode in count hit; do
        in_pairs "against.$mode" against_once "$runs" "$mode"
        costs "against.$mode" "$mode" | medians >"$results/against.$mode.medians"
    done
    printf '\nagainst: the suite under the earlier ilcov ("bare") and under this one ("with"); medians of %d pairs\n' "$runs"
    for mode in count hit; do
        cost_table "against.$mode" s "$mode"
    done
    for configuration in debug release; do
        build loops ${configuration^}
        for ((i = 1; i <= runs; i++)); do
            order=(earlier now)
            ((i % 2)) || order=(now earlier)
            for side in "${order[@]}"; do
                local ilcov=$ilcov now=$ilcov
                [ "$side" = now ] || ilcov=$BASELINE
                loops_once count "$configuration" "$results/against.$configuration.$side"
                ilcov=$now
            done
        done
        printf '\nagainst: loops, %s, count: milliseconds under the earlier ilcov and under this one\n' "$configuration"
        paste -d' ' "$results/against.$configuration".{earlier,now} | awk '{ print $1, $2, $4 }' | medians |
            awk '{ printf "%-14s %10.2f %10.2f %5.2f (%.2f-%.2f)\n", $1, $2, $3, $4, $5, $6 }'
    done
}

# --- the whole ---------------------------------------------------------------------------------------------------------

[ -x "$ilcov" ] || die "$ilcov is missing: run make first"
[ "$runs" -ge 1 ] 2>/dev/null || die "BENCH_RUNS must be a number from 1"
for name in "$@"; do
    case $name in
    suite | loops | start | unused | against) ;;
    *)
        printf 'usage: bench/run.sh [suite] [loops] [start] [unused] [against]\n' >&2
        exit 2
        ;;
    esac
done
[ $# -gt 0 ] || set -- suite loops start

rm -rf "$results" && mkdir -p "$results" || exit 1
fresh
quietly "compiling cputime.c" "${CC:-gcc}" -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$out/cputime" "$here/cputime.c"
printf '%s\n%s processors, load %s' "$("$ilcov" --version | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
printf ', .NET SDK %s\n' "$(dotnet --version)"
for name in "$@"; do
    "bench_$name"
done
printf '\nload at the end %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
for bar in ${bars[@]+"${bars[@]}"}; do
    printf '%s\n' "$bar"
done
