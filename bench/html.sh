#!/bin/bash
# html.sh - what an HTML report of a large solution costs: CPU time, peak memory and disk, of ilcov and of two other tools on the
# same data; and how large its pages are.
#
#   bench/html.sh
#
#   REPORTGENERATOR  its program (dotnet tool install dotnet-reportgenerator-globaltool --version 5.6.0 --tool-path DIR)
#   GENHTML          genhtml of LCOV (Debian: lcov); each of the two is left out if it is not found
#   ILCOV            the program to measure (build/ilcov)
#   TMPDIR           where everything is made, 2 GB; it is removed
#
# The solution has 2,000 files of 412 lines, 45 MB (tests/support/make_solution.c). The others read its coverage as LCOV. The
# second one has 10,000 files, a third of them in one folder: its indexes are what counts.
. "$(dirname "$0")/common.sh" || exit 2

# cost NAME COMMAND...: "<CPU ms> <wall ms> <peak MB>" into the file NAME.
cost() {
    local into=$temp/cost.$1
    rm -f "$into"
    "$out/cputime" "$into" "${@:2}" >"$temp/log" 2>&1 </dev/null || die "${*:2:2} failed" "$temp/log"
}

# line WHAT NAME FOLDER: the figures in a row of the table, and as ratios to ilcov's own.
line() {
    read -r cpu wall peak <"$temp/cost.$2"
    local disk
    disk=$(find "$3" -type f -printf '%s\n' | awk '{ sum += $1 } END { printf "%.1f", sum / 1e6 }')
    [ "$2" != ilcov ] || base="$cpu $peak $disk"
    awk -v what="$1" -v now="$cpu $peak $disk" -v wall="$wall" -v base="$base" 'BEGIN {
        split(now, n, " "); split(base, b, " ")
        printf "%-26s %8.1f %8.1f %9.0f %9.1f   %6.2f %6.2f %6.2f\n", what, n[1] / 1000, wall / 1000, n[2], n[3],
            n[1] / b[1], n[2] / b[2], n[3] / b[3]
    }'
}

[ -x "$ilcov" ] && [ -x "$top/build/make_solution" ] || die "run \`make all build/make_solution\` first"
mkdir -p "$out" || exit 1
"${CC:-gcc}" -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$out/cputime" "$here/cputime.c" || exit 1
temp=$(mktemp -d "${TMPDIR:-/tmp}/ilcov-bench.XXXXXX") || exit 2
trap 'rm -rf "$temp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

"$top/build/make_solution" "$temp/solution" 2000 10 50 || die "the solution could not be made"
data=$temp/solution/solution.ilcov lcov=$temp/solution/solution.info
printf '%s\n%s processors, load %s\n\n' "$("$ilcov" --version | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
printf '%-26s %8s %8s %9s %9s   %s\n' '2,000 files' 'CPU, s' 'wall, s' 'peak, MB' 'disk, MB' 'CPU, peak, disk as ratios'
cost ilcov "$ilcov" report -f "html=$temp/html" "$data"
line "ilcov" ilcov "$temp/html"
cost again "$ilcov" report -f "html=$temp/html" "$data"
line "ilcov, nothing changed" again "$temp/html"
reportgenerator=${REPORTGENERATOR:-reportgenerator}
if command -v "$reportgenerator" >/dev/null; then
    cost reportgenerator "$reportgenerator" "-reports:$lcov" "-targetdir:$temp/reportgenerator" -reporttypes:Html
    line "ReportGenerator" reportgenerator "$temp/reportgenerator"
    rm -rf "$temp/reportgenerator"
fi
genhtml=${GENHTML:-genhtml}
if command -v "$genhtml" >/dev/null; then
    cost genhtml "$genhtml" --branch-coverage --quiet -o "$temp/genhtml" "$lcov"
    line "genhtml" genhtml "$temp/genhtml"
    rm -rf "$temp/genhtml"
fi

# A page and its source: "<bytes of the page> <bytes of the source>", found by the heading's whole path.
printf '\nlargest page: %s\n' "$(python3 - "$temp/html" "$temp/solution" <<'END'
import os, re, sys
sources, worst = {}, (0, "")
for place, _, files in os.walk(os.path.join(sys.argv[2], "src")):
    for file in files:
        path = os.path.join(place, file)
        sources[os.path.relpath(path, sys.argv[2])] = os.path.getsize(path)
def hashed(path, assembly):
    value = 0xcbf29ce484222325
    for byte in path.encode() + b"\0" + assembly.encode():
        value = (value ^ byte) * 0x100000001b3 % (1 << 64)
    return f"{value >> 16:012x}-{os.path.basename(path)}.html"
for path, size in sources.items():
    page = os.path.getsize(os.path.join(sys.argv[1], "files", hashed(path, path.split("/")[1])))
    worst = max(worst, ((page - 4096) / size, f"{page} bytes of a source of {size}: {(page - 4096) / size:.2f} times and 4 KB"))
print(worst[1])
END
)"
rm -rf "$temp/html" "$temp/solution"
"$top/build/make_solution" "$temp/solution" 10000 1 1 || die "the solution could not be made"
printf '\n'
cost ilcov "$ilcov" report -f "html=$temp/html" "$data"
line "10,000 files" ilcov "$temp/html"
printf 'largest index: %s KB\n' "$(find "$temp/html" -name '*.html' -not -path '*/files/*' -printf '%s\n' | sort -n |
    tail -n 1 | awk '{ printf "%.0f", $1 / 1000 }')"
printf '\nbars for 2,000 files: 5 s of CPU, 100 MB of memory, 120 MB of disk, no page over 2.5 times its source and 4 KB, no index over 1 MB\n'
