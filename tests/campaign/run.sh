#!/bin/bash
# run.sh - the campaigns: what takes too long for `make check`. Runs those that are named, else all of tests/campaign, and
# writes docs/reliability.md: a section for each, with date, runtime and result; the sections of the others stay as they
# were.
#
#     run.sh [NAME...]        for example `run.sh soak proofs`
#
# A campaign is an executable program NAME.sh that writes its Markdown section to $RELIABILITY_DIR/NAME.md, prints what it
# finds, and ends with a status other than 0 when something failed.
cd "$(dirname "$0")/../.." || exit 2
export RELIABILITY_DIR=$PWD/build/reliability
document=docs/reliability.md
order=(rewritten proofs faults limits attribution mutants roslyn settings debuggers dotnet11 fuzz walks revert soak watch html packages memcheck analyzer long)
status=0

# The campaigns there are: the usual ones in their order, then any others.
campaigns() {
    local name file
    for name in "${order[@]}"; do
        [ ! -e "tests/campaign/$name.sh" ] || echo "$name"
    done
    for file in tests/campaign/*.sh; do
        name=$(basename "$file" .sh)
        case " run compilers ${order[*]} " in *" $name "*) ;; *) echo "$name" ;; esac
    done
}

# Each section stands behind a line `<!-- campaign NAME -->`.
take_apart() {
    [ ! -e $document ] || awk -v folder="$RELIABILITY_DIR" '
        /^<!-- campaign [a-z_]+ -->$/ { file = folder "/" $3 ".md"; printf "" >file; next }
        file { print >file }' $document
}

put_together() {
    local name
    cat <<'EOF'
# Reliability testing

A tool that rewrites every method of a program has to be harmless. `make check` tests what can be tested in minutes; the campaigns
of [tests/campaign](../tests/campaign), which take hours, write this page. Programs must behave as they do without ilcov, and ilcov must report
every loss.

`make campaign` runs all; `tests/campaign/run.sh soak` runs one and replaces its section. A campaign that fails
is marked **failed**. Shorter runs: `SOAK_SECONDS=60`, `WALKS=200`, `MODES=count`, `FUZZ_EXECUTIONS=1000000`; each script names its settings.
EOF
    campaigns | while read -r name; do
        [ -s "$RELIABILITY_DIR/$name.md" ] || continue
        printf '\n<!-- campaign %s -->\n' "$name"
        sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$RELIABILITY_DIR/$name.md"
    done
}

# The section as the campaign wrote it, and behind its heading when and where that was, and how it ended.
finish_section() {
    local name=$1 result=$2 seconds=$3 log=$4 section=$RELIABILITY_DIR/$1.md tally verdict
    [ -s "$section" ] || printf '## %s\n\nIt wrote no section.\n' "$name" >"$section"
    tally=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    verdict="passed"
    [ "$result" -eq 0 ] || verdict="**failed** (status $result)"
    {
        head -n 1 "$section"
        printf '\n`tests/campaign/%s.sh`, %s, .NET %s (SDK %s), %d s: %s%s.\n' "$name" "$(date -u +%Y-%m-%d)" \
            "$(dotnet --list-runtimes | sed -n 's/^Microsoft.NETCore.App \([^ ]*\).*/\1/p' | tail -n 1)" "$(dotnet --version)" \
            "$seconds" "$verdict" "${tally:+; $tally}"
        if [ "$result" -ne 0 ]; then
            printf '\n'
            grep '^not ok' "$log" | head -n 20 | sed -e "s|$PWD/||g" -e 's/^not ok - /- failed: /'
        fi
        tail -n +2 "$section"
    } >"$section.new" && mv "$section.new" "$section"
}

mkdir -p "$RELIABILITY_DIR" || exit 2
rm -f "$RELIABILITY_DIR"/*.md
take_apart
[ $# -ne 0 ] || mapfile -t names < <(campaigns)
for name in "${@:-${names[@]}}"; do
    if [ ! -e "tests/campaign/$name.sh" ]; then
        printf 'run.sh: there is no campaign "%s"; there are: %s\n' "$name" "$(campaigns | paste -sd' ')" >&2
        exit 2
    fi
    printf '%s\n' "--- $name"
    start=$SECONDS log=$RELIABILITY_DIR/$name.log
    rm -f "$RELIABILITY_DIR/$name.md"
    bash "tests/campaign/$name.sh" </dev/null 2>&1 | tee "$log"
    result=${PIPESTATUS[0]}
    [ "$result" -eq 0 ] || status=1
    finish_section "$name" "$result" $((SECONDS - start)) "$log"
    put_together >$document.new && mv $document.new $document
done
exit $status
