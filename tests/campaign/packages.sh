#!/bin/bash
# tests/e2e/test_packages.sh with STARTS (150) starts, while a *.deps.json beside the program is rewritten at least 1,000 times.
# With RELIABILITY_DIR, a section of docs/reliability.md goes to $RELIABILITY_DIR/packages.md.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
log=$(mktemp "${TMPDIR:-/tmp}/ilcov-campaign.XXXXXX") || exit 2
trap 'rm -f "$log"' EXIT
STARTS=${STARTS:-150} timeout -k 10 3600 bash "$top/tests/e2e/test_packages.sh" >"$log" 2>&1
status=$?
rewrites=$(sed -n 's/.* was rewritten \([0-9]*\) times: none died$/\1/p' "$log")
if [ "${rewrites:-0}" -lt 1000 ]; then
    echo "not ok - fewer than 1,000 rewrites" >>"$log"
    [ $status -ne 0 ] || status=1
fi
if [ -n "${RELIABILITY_DIR:-}" ]; then
    mkdir -p "$RELIABILITY_DIR" || exit 2
    {
        printf '## Changing .deps.json files\n\n'
        sed -n 's/^ok - \(.*none died\)$/\1./p' "$log"
    } >"$RELIABILITY_DIR/packages.md"
fi
cat "$log"
exit $status
