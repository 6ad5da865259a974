#!/bin/bash
# analyzer.sh - `make lint`: cppcheck, and gcc's static analyzer over the whole program. Writes its section to
# $RELIABILITY_DIR/analyzer.md.
cd "$(dirname "$0")/../.." || exit 2
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

rm -rf build/analyzer
make --no-print-directory lint >"$log" 2>&1 </dev/null
status=$?
files=$(grep -c '^  CC  ' "$log")
[ $status -eq 0 ] || grep -E 'error:|warning:' "$log" | head -n 40

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/analyzer.md" <<END
## Static analysis

\`make lint\`: cppcheck and the analyzer of $(gcc --version | head -n 1), over $files files; each finding is an error.
END
fi
echo "$((status == 0)) passed, $((status != 0)) failed"
exit $status
