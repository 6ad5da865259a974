#!/bin/bash
# proofs.sh - every body of the .NET installation, of the packages on this machine and of all C# and F# sources of this
# repository in Debug and Release: the properties of the rewriter in every mode, and where statements begin
# (tests/conformance/rewrite_all.c); and every table of every assembly and PDB against System.Reflection.Metadata
# (tests/conformance/oracle). Writes its section to $RELIABILITY_DIR/proofs.md.
. "$(dirname "$0")/../e2e/lib.sh"
LIMIT=3600
average_goal=3.00 # us; a figure to look at, not one to fail by: equal runs differ by half on a shared machine

# Into one folder a project: two of one name would build over each other.
projects() {
    find "$top/fixtures" "$top/bench" "$top/tests/conformance/oracle" \( -name '*.csproj' -o -name '*.fsproj' \) |
        grep -v -e /obj/ -e /bin/ | sort
}

# why KIND: why a sequence point may stand where no block begins though something before it may throw, for the kinds that
# rewrite_all.c finds. Nothing for a kind that nobody has looked into: C# and F# empty the stack wherever a point is.
why() {
    case $1 in
    'IL, in an expression, '*)
        echo 'ilasm gives each instruction its own point, so most are inside an expression; code built without' \
            'optimisation is cut only where the evaluation stack is empty'
        ;;
    'IL, at the ret of a tail call, '*)
        echo "ilasm gives the \`ret\` a point, too; nothing may be put between it and the call"
        ;;
    esac
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
same 'the properties of the rewriter hold, no method is declined' 0 $?
tail -n 30 "$log" | sed 's/^/#   /'
# Output may come from several runs of one program; each ends with these lines.
sum() {
    awk -v field="$2" -v after="$1" 'index($0, after) == 1 { n += $field } END { printf "%d\n", n }' "$log"
}
methods=$(sum 'rewrite_all: ' 2) declined=$(sum 'rewrite_all: ' 5) wrong=$(sum 'rewrite_all: ' 7)
average=$(awk '/^time: / { t += $2; n++ } END { printf "%.2f\n", n ? t / n : 99 }' "$log")
missed=
awk "BEGIN { exit $average <= $average_goal }" && missed=": missed"
late=$(sed -n 's/^late: //p' "$log" | awk -F': ' '{ n[$1] += $2 } END { for (kind in n) print kind ": " n[kind] }' | sort)
check 'between a statement and the probe that counts it nothing throws in C# code' \
    [ -z "$(grep '^C#' <<<"$late")" ]
rows= unexplained=
while IFS=: read -r kind points; do
    [ -n "$kind" ] || continue
    reason=$(why "$kind")
    rows+="| $kind |$points | $reason |"$'\n'
    [ -n "$reason" ] || unexplained+="$kind; "
done <<<"$late"
same 'what may throw there in other languages is of a kind that is explained' '' "$unexplained"

tables=$temp/oracle
limited tests/conformance/oracle/run.sh --all >"$tables" 2>&1
same 'metadata reads as System.Reflection.Metadata reads it' 0 $?
tail -n 3 "$tables" | sed 's/^/#   /'

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/proofs.md" <<EOF
## Proofs over every body and every table

Every assembly of the .NET installation (shared frameworks, SDK, Roslyn, F#), of the packages that builds on this machine have
used, and of this repository's fixtures, bench and oracle, in Debug and Release.

**Rewriting** ($(sum 'files: ' 2) assemblies): $methods methods proven, $declined declined, $wrong wrong, each in the modes count, hit and
exact, with absolute and with sharded counters; $(sum 'walks: ' 2) random walks compared the plan with what ran. The
properties: [tests/support/check_rewrite.h](../tests/support/check_rewrite.h). $average us a method for flow, plan and rewriting
(bar: $average_goal$missed; on a shared machine, equal runs differ by half).

**Statements** ($(sum 'points: ' 4) methods with symbols, $(sum 'points: ' 2) visible sequence points): in C# code nothing that may
throw lies between a point and the probe that counts it.$([ -n "$late" ] || echo ' Nor is there an exception in another language.')
$([ -z "$rows" ] || printf '\nExceptions, and why no block begins there:\n
| code, point, what throws | points | why |\n| --- | ---: | --- |\n%s' "$rows")

**Metadata** ($(sed -n 's/^total: //p' "$tables"), \`tests/conformance/oracle\`): $(sed -n 's/^oracle: //p' "$tables"). Rows compared, by
table: $(sed -n 's/^table \(..\): \([0-9]*\) rows.*/0x\1: \2/p' "$tables" | paste -sd, | sed 's/,/, /g').
EOF
fi
finish
