#!/bin/bash
# frames.sh - how much larger coverage makes the frames of methods on the stack.
#
#   bench/frames.sh [PROGRAM]     the methods of fixtures/language, or of a project beside it
#
#   ILCOV   the program to measure (build/ilcov)
#   WORST   methods to name in each table (5)
#
# Each method's frame is what its prolog takes: pushes and `sub rsp`, as the JIT's own listing has them, for the code of
# the final tier, which there is at once with TieredCompilation=0. A method that only one of the two runs compiles is in
# neither: it was put into its callers. x64 only. The exit status tells only whether the figures could be made.
. "$(dirname "$0")/common.sh" || exit 2

fixture=${1:-language}
worst=${WORST:-5}

# frames LISTING: lines "<bytes>|<method>", of the last code where a method has several.
frames() {
    awk '
        function hex(text,   n, i) {
            n = 0
            for (i = 1; i <= length(text); i++)
                n = 16 * n + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
            return n
        }
        /^; Assembly listing for method / {
            method = $0
            sub(/^; Assembly listing for method /, "", method)
            sub(/ \([^()]*\)$/, "", method)
            bytes[method] = 0
            in_prolog = 1
        }
        /^G_M[0-9]+_IG02/ { in_prolog = 0 }
        in_prolog && $1 == "push" { bytes[method] += 8 }
        in_prolog && $1 == "sub" && $2 == "rsp," { bytes[method] += $3 ~ /^0x/ ? hex(substr($3, 3)) : $3 }
        END { for (method in bytes) print bytes[method] "|" method }' "$1"
}

# Reads lines "<growth>|<bare>|<method>" by growth, prints a line of the table.
summary() {
    awk -F'|' -v label="$1" '
        { growth[NR] = $1; sum += $1; over += $1 > 16 }
        END {
            if (NR == 0)
                exit 1
            median = NR % 2 ? growth[(NR + 1) / 2] : (growth[NR / 2] + growth[NR / 2 + 1]) / 2
            printf "%-16s %8d %8.1f %8g %8d %11.1f %%\n", label, NR, sum / NR, median, growth[NR], 100 * over / NR
        }'
}

mkdir -p "$out" || exit 2
printf '%-16s %8s %8s %8s %8s %13s\n' "bytes a frame" methods mean median most 'more than 16'
for configuration in Debug Release; do
    program=$out/artifacts/bin/$fixture/${configuration,,}/$fixture
    quietly "building $fixture" dotnet build "$top/fixtures/$fixture" --configuration $configuration \
        --artifacts-path "$out/artifacts"
    for side in bare with; do
        command=("$program")
        [ $side = bare ] || command=("$ilcov" run --data "$out/frames.ilcov" --format none -- "$program")
        rm -f "$out/frames.$side"
        quietly "$fixture" env DOTNET_TieredCompilation=0 'DOTNET_JitDisasm=*' "DOTNET_JitStdOutFile=$out/frames.$side" \
            "${command[@]}"
        frames "$out/frames.$side" | grep -i "|$fixture[.+:]" | sort -t'|' -k2 >"$out/frames.$side.bytes"
    done
    join -t'|' -1 2 -2 2 -o 2.1,1.1,1.2 "$out/frames.bare.bytes" "$out/frames.with.bytes" |
        awk -F'|' -v OFS='|' '{ print $1 - $2, $2, $3 }' | sort -t'|' -k1n >"$out/frames.growth"
    summary "$configuration" <"$out/frames.growth" || die "no method of $fixture was compiled in both runs"
    tail -n "$worst" "$out/frames.growth" | sort -t'|' -k1nr |
        awk -F'|' '{ printf "    %4d more than %4d  %s\n", $1, $2, $3 }'
done
