#!/bin/bash
# attach.sh - how long it takes from `ilcov attach PID` to the first count, in a program that has called 1,000 methods.
#
#   bench/attach.sh
#
#   BENCH_RUNS     how often; the program is started anew each time (20)
#   BENCH_METHODS  how many methods it has (1000)
#   ILCOV          the program to measure (build/ilcov)
#
# The figures are for reading: the exit status tells only whether they could be made.
. "$(dirname "$0")/common.sh" || exit 2

runs=${BENCH_RUNS:-20}
methods=${BENCH_METHODS:-1000}
classes=10
warm=300 # rounds of the program before it is attached to

# write_program: the methods in their classes, and who calls them all, again and again, and says so.
write_program() {
    local class i
    mkdir -p "$out/many" || exit 1
    cp "$here/hello/hello.csproj" "$out/many/many.csproj" || exit 1
    cp "$here/Directory.Build.props" "$here/Directory.Build.targets" "$out/many" || exit 1
    {
        printf 'int sum = 0;\nfor (int round = 1; ; round++)\n{\n'
        for ((class = 0; class < classes; class++)); do
            printf '    sum += C%d.All(round);\n' $class
        done
        printf '    Console.WriteLine($"{round} {sum}");\n    Thread.Sleep(1);\n}\n\n'
        for ((class = 0; class < classes; class++)); do
            printf 'internal static class C%d\n{\n    public static int All(int n)\n    {\n        int sum = 0;\n' $class
            for ((i = class; i < methods; i += classes)); do
                printf '        sum += M%d(n);\n' $i
            done
            printf '        return sum;\n    }\n'
            for ((i = class; i < methods; i += classes)); do
                printf '\n    private static int M%d(int n)\n    {\n        if (n %% %d == 0)\n        {\n' $i $((i + 2))
                printf '            return n + %d;\n        }\n\n        return n - 1;\n    }\n' $i
            done
            printf '}\n'
        done
    } >"$out/many/Program.cs"
}

# once: adds a line to $temp/figures.
once() {
    local i sessions=$temp/sessions pid
    rm -rf "$sessions"
    mkdir "$sessions" && : >"$temp/rounds" || exit 1
    "$out/artifacts/bin/many/release/many" >"$temp/rounds" 2>"$temp/log" </dev/null &
    pid=$!
    program=$pid
    for ((i = 0; i < 1000; i++)); do
        [ "$(wc -l <"$temp/rounds")" -lt $warm ] || break
        sleep 0.02
    done
    "$out/first_count" "$temp/figures" "$sessions" "$pid" "$ilcov" attach --quiet --session-dir "$sessions" \
        --data "$temp/coverage.ilcov" --format none "$pid" >"$temp/log" 2>&1 </dev/null ||
        die 'the program was not attached to' "$temp/log"
    kill -KILL "$pid" && wait "$pid" 2>/dev/null
    program=
}

# figure COLUMN: median and worst.
figure() {
    cut -d' ' -f"$1" "$temp/figures" | sort -n | awk '
        { x[NR] = $1 }
        END { printf "%8.0f %8.0f %8.0f\n", NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2, x[1], x[NR] }'
}

[ -x "$ilcov" ] || die "$ilcov is missing: run make first"
[ "$runs" -ge 1 ] 2>/dev/null && [ "$methods" -ge $classes ] 2>/dev/null ||
    die "BENCH_RUNS must be a number from 1, BENCH_METHODS one from $classes"
mkdir -p "$out" || exit 1
"${CC:-gcc}" -std=c17 -D_GNU_SOURCE -I "$top" -O2 -Wall -Wextra -o "$out/first_count" "$here/first_count.c" || exit 1
write_program
temp=$(mktemp -d "/dev/shm/ilcov-bench.XXXXXX" 2>/dev/null || mktemp -d "${TMPDIR:-/tmp}/ilcov-bench.XXXXXX") || exit 2
program=
trap '[ -z "$program" ] || kill -KILL "$program" 2>/dev/null; rm -rf "$temp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
dotnet build "$out/many" --configuration Release --artifacts-path "$out/artifacts" >"$temp/log" 2>&1 </dev/null ||
    die 'the program could not be built' "$temp/log"

printf '%s\n%s processors, load %s\n' "$("$ilcov" --version | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
for ((run = 1; run <= runs; run++)); do
    printf '\rattach: %d of %d  ' "$run" "$runs" >&2
    once
done
printf '\r%60s\r' '' >&2
printf '\nattach to a program of %d methods, %d times: milliseconds from the start of ilcov\n' "$methods" "$runs"
printf '%-28s %8s %8s %8s\n' '' median least worst
printf '%-28s %s\n' 'the library listens' "$(figure 1)"
printf '%-28s %s\n' 'the first count (bar 500)' "$(figure 2)"
printf '\nload at the end %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
