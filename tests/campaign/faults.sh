#!/bin/bash
# The faults of tests/e2e/test_faults.sh with KILLS (1,000) kills at random moments and PROCESSES (2,000) short processes.
# Prints what they cost; with RELIABILITY_DIR, also as a section of docs/reliability.md, to $RELIABILITY_DIR/faults.md.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/ilcov-campaign.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
started=$SECONDS

FIGURES=$work/figures KILLS=${KILLS:-1000} PROCESSES=${PROCESSES:-2000} \
    timeout -k 10 3600 bash "$top/tests/e2e/test_faults.sh" >"$work/log" 2>&1
status=$?
grep -E '^(not ok|#)|# skipped:' "$work/log"
touch "$work/figures"

section() {
    printf '## Faults\n\n'
    printf 'In each case the target had the output and exit status of a run without coverage.\n\n'
    printf '| fault | times | what was lost | message |\n| --- | ---: | --- | --- |\n'
    awk -F '|' '{ printf "| %s | %s | %s | %s |\n", $1, $2, $3, $4 }' "$work/figures"
    sed -n 's/^ok - \(.*\) # skipped: \(.*\)/| \1 | skipped | | \2 |/p' "$work/log"
}
section >"$work/faults.md"
cat "$work/faults.md"
if [ -n "${RELIABILITY_DIR:-}" ] && [ $status -eq 0 ]; then
    mkdir -p "$RELIABILITY_DIR" && cp "$work/faults.md" "$RELIABILITY_DIR/faults.md" || exit 2
fi
tail -n 1 "$work/log"
exit $status
