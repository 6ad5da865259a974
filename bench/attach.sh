#!/bin/bash
# attach.sh - how long it takes from `ilcov attach PID` to the first count, in a program that has called 1,000 methods; and how
# fast hot code is before, while and after it is attached to.
#
#   bench/attach.sh
#
#   BENCH_RUNS     how often; the program is started anew each time (20)
#   BENCH_SPEED_RUNS  the same for the speed (5)
#   BENCH_METHODS  how many methods it has (1000)
#   ILCOV          the program to measure (build/ilcov)
#
# The figures are for reading: the exit status tells only whether they could be made.
. "$(dirname "$0")/common.sh" || exit 2

runs=${BENCH_RUNS:-20}
speed_runs=${BENCH_SPEED_RUNS:-5}
methods=${BENCH_METHODS:-1000}
classes=10
warm=300 # rounds of the program before it is attached to
samples=12 # of 200 ms, in each state

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

# write_busy: small methods in hot loops, generic code of the framework that inlines some of them, and the calls in each
# millisecond of CPU time, five times a second.
write_busy() {
    mkdir -p "$out/busy" || exit 1
    cp "$here/hello/hello.csproj" "$out/busy/busy.csproj" || exit 1
    cp "$here/Directory.Build.props" "$here/Directory.Build.targets" "$out/busy" || exit 1
    cat >"$out/busy/Program.cs" <<'END'
using System.Diagnostics;

int sum = 0;
for (; ; )
{
    long calls = 0;
    TimeSpan begun = Environment.CpuUsage.TotalTime;
    double ms = 0;
    while (ms < 200)
    {
        sum += Busy.Batch();
        calls += Busy.Calls;
        ms = (Environment.CpuUsage.TotalTime - begun).TotalMilliseconds;
    }

    Console.WriteLine($"{calls / ms:F0} {sum}");
}

internal readonly struct Key(int n) : IEquatable<Key>
{
    public int N => n;

    public bool Equals(Key other) => N == other.N;

    public override int GetHashCode() => N;
}

internal static class Busy
{
    public const int Calls = 100_000;

    private static readonly List<Key> Keys = [new(1), new(2), new(3), new(4)];

    private static int Small(int n) => n + 1;

    private static int Work(int n)
    {
        int sum = 0;
        for (int i = 0; i < 10; i++)
        {
            if ((n + i) % 3 == 0)
            {
                sum += Small(n);
            }
            else
            {
                sum -= Small(i);
            }
        }

        return sum + Keys.IndexOf(new Key(4));
    }

    public static int Batch()
    {
        int sum = 0;
        for (int i = 0; i < Calls / 10; i++)
        {
            sum += Work(i);
        }

        return sum;
    }
}
END
}

# median FILE FROM: of so many samples behind that line.
median() {
    tail -n +$(($2 + 1)) "$1" | head -n $samples | sort -n | sed -n "$(((samples + 1) / 2))p" | cut -d' ' -f1
}

# next_samples: how fast the busy program is from now on, compared with one that is left alone; two samples may be of the state before.
next_samples() {
    local from alone i
    from=$(($(wc -l <"$temp/busy") + 2))
    alone=$(($(wc -l <"$temp/alone") + 2))
    for ((i = 0; i < 2000; i++)); do
        [ "$(wc -l <"$temp/busy")" -lt $((from + samples)) ] || [ "$(wc -l <"$temp/alone")" -lt $((alone + samples)) ] || break
        sleep 0.05
    done
    awk "BEGIN { print $(median "$temp/busy" $from) / $(median "$temp/alone" $alone) }"
}

# speed: adds a line to $temp/speeds, of one program: before, attached, after, attached again, after that.
speed() {
    local sessions=$temp/sessions pid attacher speeds i
    rm -rf "$sessions"
    mkdir "$sessions" || exit 1
    "$out/artifacts/bin/busy/release/busy" >"$temp/busy" 2>"$temp/log" </dev/null &
    pid=$!
    "$out/artifacts/bin/busy/release/busy" >"$temp/alone" 2>"$temp/log" </dev/null &
    program="$pid $!"
    sleep 3
    speeds=$(next_samples)
    for i in 1 2; do
        "$ilcov" attach --session-dir "$sessions" --data "$temp/coverage.ilcov" --format none "$pid" >"$temp/log" 2>&1 </dev/null &
        attacher=$!
        until grep -q counting "$temp/log"; do
            sleep 0.05
            kill -0 $attacher 2>/dev/null || die 'the program was not attached to' "$temp/log"
        done
        speeds+=" $(next_samples)"
        kill -TERM $attacher && wait $attacher
        speeds+=" $(next_samples)"
    done
    # shellcheck disable=SC2086 # two
    kill -KILL $program && wait $program 2>/dev/null
    program=
    echo "$speeds" >>"$temp/speeds"
}

# ratio COLUMN: to the first; median, least and most.
ratio() {
    awk -v column="$1" '{ print $column / $1 }' "$temp/speeds" | sort -n | awk '
        { x[NR] = $1 }
        END { printf "%8.2f %8.2f %8.2f\n", NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2, x[1], x[NR] }'
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
write_busy
temp=$(mktemp -d "/dev/shm/ilcov-bench.XXXXXX" 2>/dev/null || mktemp -d "${TMPDIR:-/tmp}/ilcov-bench.XXXXXX") || exit 2
program=
trap '[ -z "$program" ] || kill -KILL $program 2>/dev/null; rm -rf "$temp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for name in many busy; do
    dotnet build "$out/$name" --configuration Release --artifacts-path "$out/artifacts" >"$temp/log" 2>&1 </dev/null ||
        die "$name could not be built" "$temp/log"
done

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
for ((run = 1; run <= speed_runs; run++)); do
    printf '\rspeed: %d of %d  ' "$run" "$speed_runs" >&2
    speed
done
printf '\r%60s\r' '' >&2
printf '\ncalls in a millisecond of CPU time of hot code, beside one that is left alone, %d times: ratio to those before\n' "$speed_runs"
printf '%-28s %8s %8s %8s\n' '' median least most
printf '%-28s %s\n' 'attached' "$(ratio 2)"
printf '%-28s %s\n' 'left (bar 0.95)' "$(ratio 3)"
printf '%-28s %s\n' 'attached again' "$(ratio 4)"
printf '%-28s %s\n' 'left again (bar 0.95)' "$(ratio 5)"
printf '\nload at the end %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
