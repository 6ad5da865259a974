#!/bin/bash
# revert.sh - a program under load is attached to and left CYCLES times: tests/e2e/test_attach_again.sh at length. Writes its section to
# $RELIABILITY_DIR/revert.md.
#
#   CYCLES  how often (1000)
export CYCLES=${CYCLES:-1000}
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
bash "$(dirname "$0")/../e2e/test_attach_again.sh" | tee "$log"
status=${PIPESTATUS[0]}
if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/revert.md" <<END
## Attaching again and again

Two threads run all of \`fixtures/language\` without a pause. $CYCLES times ilcov attaches for 1 to 160 ms, and half of the times ends
with \`ilcov detach\`. Afterwards nothing is counted; the next attach finds all earlier counts. The program ends
with its usual status and exceptions.

$(sed -n 's/^# \(resident memory\)/\u\1/p' "$log"), because .NET keeps every version of a method that it has compiled.
END
fi
exit "$status"
