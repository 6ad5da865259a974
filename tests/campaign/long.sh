#!/bin/bash
# long.sh - what `make check` tries once, in all variants: the end-to-end tests with ILCOV_LONG=1 (tests/e2e/lib.sh), and
# the unit tests under sanitizers with each allocation failing in turn; and whether
# docs/constructs.md is what three tools say. Writes its section to $RELIABILITY_DIR/long.md.
cd "$(dirname "$0")/../.." || exit 2
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
export ILCOV_LONG=1
passed=0 failed=0 skipped=0 tests=0

for test in tests/e2e/test_*.sh; do
    case $test in */test_soak.sh | */test_walks.sh) continue ;; esac # campaigns of their own
    bash "$test" >"$log" 2>&1 </dev/null
    status=$?
    grep -E '^(not ok|#  )|# skipped:' "$log"
    read -r p f s < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\?$/\1 \2 \4/p' "$log" | tail -n 1)
    [ $status -eq 0 ] || [ "${f:-0}" -gt 0 ] || f=1
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0})) tests=$((tests + 1))
done

if tests/conformance/compare/run.sh --check >"$log" 2>&1 </dev/null; then
    passed=$((passed + 1))
else
    tail -n 40 "$log"
    failed=$((failed + 1))
fi

make --no-print-directory unit SAN=address,undefined WERROR=1 >"$log" 2>&1 </dev/null
status=$?
units=$(sed -n 's/^\([0-9]*\) passed, .*/\1/p' "$log")
[ $status -eq 0 ] || grep -E 'Sanitizer|^\[  FAILED  \]|^failed:' "$log" | tail -n 40

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/long.md" <<END
## Every variant

$tests end-to-end tests with all their builds, runtimes and modes: $passed checks passed, $failed failed, $skipped skipped. $units unit tests
under AddressSanitizer and UndefinedBehaviorSanitizer; tests of failing memory at each allocation.
END
fi
echo "$((passed + ${units:-0})) passed, $((failed + (status != 0))) failed"
[ $failed -eq 0 ] && [ $status -eq 0 ]
