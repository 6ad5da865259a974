#!/bin/bash
# memcheck.sh - `make valgrind`: the unit tests under memcheck, of which `make check` runs those of the rooms that run inside a target.
# Writes its section to $RELIABILITY_DIR/memcheck.md.
cd "$(dirname "$0")/../.." || exit 2
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

make --no-print-directory valgrind >"$log" 2>&1 </dev/null
status=$?
tests=$(sed -n 's/^\([0-9]*\) passed, .*/\1/p' "$log")
[ $status -eq 0 ] || grep -E '^==|^\[  FAILED  \]|^failed:' "$log" | tail -n 40

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/memcheck.md" <<END
## Memcheck

\`make valgrind\`: $tests tests under memcheck, which reports reads of uninitialised memory, accesses outside of allocated blocks,
and leaks.
END
fi
echo "${tests:-0} passed, $((status != 0)) failed"
exit $status
