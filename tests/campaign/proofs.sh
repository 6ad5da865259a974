#!/bin/bash
# proofs.sh - every body of the .NET installation, of the packages on this machine and of all C# and F# sources of this
# repository in Debug and Release: the properties of the rewriter in every mode, and where statements begin
# (tests/conformance/rewrite_all.c); and every table of every assembly and PDB against System.Reflection.Metadata
# (tests/conformance/oracle). Writes its section to $RELIABILITY_DIR/proofs.md.
. "$(dirname "$0")/../e2e/lib.sh"
LIMIT=3600
average_most=3.00 # us

# Into one folder a project: two of one name would build over each other.
projects() {
    find "$top/fixtures" "$top/bench" "$top/tests/conformance/oracle" \( -name '*.csproj' -o -name '*.fsproj' \) |
        grep -v -e /obj/ -e /bin/ | sort
}

built=0 not_built=
while read -r project; do
    for configuration in Debug Release; do
        if limited dotnet build "$project" --configuration $configuration --nologo -p:DebugType=portable \
            --artifacts-path "$top/build/e2e/$name/$(basename "$project")" >build.log 2>&1 </dev/null; then
            built=$((built + 1))
        else
            not_built+=" $(basename "$project")"
        fi
    done
done < <(projects)
same "$built builds with symbols, none failed" '' "$not_built"

cd "$top" || exit 2
log=$temp/rewrite
limited tests/conformance/rewrite_framework.sh --all >"$log" 2>&1
same 'the properties of the rewriter hold, no method is refused' 0 $?
tail -n 30 "$log" | sed 's/^/#   /'
# Output may come from several runs of one program; each ends with these lines.
sum() {
    awk -v field="$2" -v after="$1" 'index($0, after) == 1 { n += $field } END { printf "%d\n", n }' "$log"
}
methods=$(sum 'rewrite_all: ' 2) refused=$(sum 'rewrite_all: ' 5) wrong=$(sum 'rewrite_all: ' 7)
average=$(awk '/^time: / { t += $2; n++ } END { printf "%.2f\n", n ? t / n : 99 }' "$log")
check "flow, plan and rewriting take $average us a method, at most $average_most" \
    awk "BEGIN { exit !($average <= $average_most) }"
late=$(grep '^late: ' "$log" | sed 's/^late: //' | sort)
check 'between a statement and the probe that counts it nothing throws in C# code' \
    [ -z "$(grep '^C#' <<<"$late")" ]

tables=$temp/oracle
limited tests/conformance/oracle/run.sh --all >"$tables" 2>&1
same 'metadata reads as System.Reflection.Metadata reads it' 0 $?
tail -n 3 "$tables" | sed 's/^/#   /'

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/proofs.md" <<EOF
## Proofs over every body and every table

Every assembly of the .NET installation (shared frameworks, SDK, Roslyn, F#), of the packages that builds on this machine have
used, and of this repository's fixtures, bench and oracle in Debug and Release.

**Rewriting** ($(sum 'files: ' 2) assemblies): $methods methods proven, $refused refused, $wrong wrong, each in the modes count, hit and
exact, with absolute and with sharded counters; $(sum 'walks: ' 2) random walks compared what the plan says with what ran. The
properties: [tests/support/check_rewrite.h](../tests/support/check_rewrite.h). $average us a method for flow, plan and rewriting
(bar: $average_most).

**Statements** ($(sum 'points: ' 4) methods with symbols, $(sum 'points: ' 2) visible sequence points): in C# code nothing that may
throw lies between a point and the probe that counts it.$([ -n "$late" ] || echo ' Nor is there an exception in another language.')
$([ -z "$late" ] || {
    printf '\nExceptions, by what throws:\n'
    printf '\n| code, behind | points | why |\n| --- | ---: | --- |\n'
    sed 's/^\(.*\): \([0-9]*\)$/| \1 | \2 | a point where the evaluation stack holds values of an expression that goes on: F# gives parts of expressions points of their own, and a Debug block is cut only where the stack is empty |/' <<<"$late"
})

**Metadata** ($(sed -n 's/^total: //p' "$tables"), \`tests/conformance/oracle\`): $(sed -n 's/^oracle: //p' "$tables"). Rows compared, by
table: $(sed -n 's/^table \(..\): \([0-9]*\) rows.*/0x\1: \2/p' "$tables" | paste -sd, | sed 's/,/, /g').
EOF
fi
finish
