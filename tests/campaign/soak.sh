#!/bin/bash
# soak.sh - a web server under load with coverage for SOAK_SECONDS (600), in exact mode: no request fails, the lines of
# its handlers have the counts that the server itself made, and its memory does not grow. Writes its section to
# $RELIABILITY_DIR/soak.md.
#
#   SOAK_SECONDS  how long (600)
#   SOAK_CLIENTS  how many requests at a time (16)
. "$(dirname "$0")/../e2e/lib.sh"

seconds=${SOAK_SECONDS:-600} clients=${SOAK_CLIENTS:-16}
samples=60
LIMIT=$((seconds + 120))
# Code is compiled anew for half a minute, and pages are touched for the first time: a short run grows by that, and not by
# a heap that may still become as large as the processor's caches suggest.
grown_most=$((seconds >= 300 ? 5 : 50)) # per cent
[ "$seconds" -ge 300 ] || export DOTNET_GCgen0size=400000 # hexadecimal: 4 MiB

if ! dotnet --list-runtimes | grep -q '^Microsoft.AspNetCore.App '; then
    skip "a web server under load" "the shared framework Microsoft.AspNetCore.App is not installed"
    finish
fi

# wait_for COMMAND...: until it succeeds, at most half a minute.
wait_for() {
    for ((i = 0; i < 300; i++)); do
        ! "$@" || return 0
        sleep 0.1
    done
    return 1
}

resident() {
    sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status"
}

# sample PID: KiB, a line a sample, until the process ends.
sample() {
    while resident "$1" 2>/dev/null | grep .; do
        sleep "$(awk "BEGIN { print $seconds / $samples }")"
    done
}

# third FILE NUMBER: the mean of the first, second or last third of the lines, without the first tenth of them.
third() {
    awk -v third="$2" '{ value[NR] = $1 }
        END {
            skipped = int(NR / 10)
            for (i = skipped + 1; i <= NR; i++)
                if (int((i - skipped - 1) * 3 / (NR - skipped)) == third - 1) {
                    sum += value[i]
                    n++
                }
            printf "%d\n", n ? sum / n : 0
        }' "$1"
}

# hits NAME: of the line that the source marks with it.
hits() {
    local line
    line=$(sed -n "/\/\/ total: $1\$/=" "$top/fixtures/server/Server.cs")
    sed -n "/ filename=\"Server.cs\"/,/<\/class>/s/.*<line number=\"$line\" hits=\"\([0-9]*\)\".*/\1/p" server.xml | sort -u
}

build server Release
"$ILCOV" run --mode exact --data server.ilcov --format cobertura=server.xml --root "$top/fixtures/server" \
    -- "$program" serve >server.out 2>server.err </dev/null &
run=$!
if ! wait_for grep -q '^listening ' server.out; then
    not_ok "the server starts" server.err
    kill $run
    finish
fi
url=$(sed -n 's/^listening //p' server.out)
sample "$(pgrep -P $run)" >memory &
limited "$program" load "$url" "$seconds" "$clients" >load.out 2>&1
same "no request failed" 0 "$(sed -n 's/^failed //p' load.out)"
wait $run
same "the server ended well" 0 $?
sent=$(sed -n 's/^sent //p' load.out)
same "the server counted what was sent" "$sent" "$(awk '/^total / { n += $3 } END { print n }' server.out)"
while read -r _ route total; do
    same "hits of $route" "$total" "$(hits "$route")"
done < <(grep '^total ' server.out)
first=$(third memory 1) last=$(third memory 3)
check "memory grew from $first to $last KiB, at most by $grown_most %" \
    [ "$last" -le $((first + first * grown_most / 100)) ]

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/soak.md" <<EOF
## A server under load

\`fixtures/server\`, ASP.NET Core on loopback, six routes, measured in exact mode for $seconds s under $clients of its own clients:
$sent requests, $(sed -n 's/^failed //p' load.out) failed. Hits of each handler's line were compared with the server's own totals:

| route | served | hits in the report |
| --- | ---: | ---: |
$(while read -r _ route total; do printf '| %s | %s | %s |\n' "$route" "$total" "$(hits "$route")"; done < <(grep '^total ' server.out))

Resident memory, mean of the first third: $first KiB; of the last third: $last KiB ($(wc -l <memory) samples, without the first tenth).
EOF
fi
finish
