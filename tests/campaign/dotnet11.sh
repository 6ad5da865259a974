#!/bin/bash
# dotnet11.sh - .NET 11, whose runtime comes from NuGet (tests/dotnet11): the end-to-end tests that look at what runs, `dotnet watch`, and
# which test hit what, as on .NET 10. Writes its section to $RELIABILITY_DIR/dotnet11.md.
#
#   TESTS_11  which end-to-end tests; not test_one_profiler.sh, because Microsoft's code coverage does otherwise on .NET 11
cd "$(dirname "$0")/../.." || exit 2
tests=${TESTS_11:-fixtures hazards stacktrace reflection hot_reload unnoticed threads shards loads dynamic endings children hosts servers \
    sample per_test per_test_reports attach attach_hard attach_places stacks snapshot faults}
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
export ILCOV_DOTNET=11
passed=0 failed=0 skipped=0
: >"$log.rows"

# part WHAT COMMAND...
part() {
    local what=$1 status p f s
    shift
    "$@" >"$log" 2>&1 </dev/null
    status=$?
    grep -E '^(not ok|#  )|# skipped:' "$log"
    read -r p f s < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)\?$/\1 \2 \4/p' "$log" | tail -n 1)
    [ $status -eq 0 ] || [ "${f:-0}" -gt 0 ] || f=1
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
    echo "| $what | ${p:-0} | ${f:-0} | ${s:-0} |" >>"$log.rows"
    echo "$what: ${p:-0} passed, ${f:-0} failed"
}

for test in $tests; do
    part "\`tests/e2e/test_$test.sh\`" bash "tests/e2e/test_$test.sh"
done
part '`tests/dotnet11/languages.sh`' bash tests/dotnet11/languages.sh
part '`tests/campaign/attribution.sh`, 500 tests of each framework' \
    env -u RELIABILITY_DIR TESTS=500 SAMPLE=20 KILLS=20 bash tests/campaign/attribution.sh
part '`tests/campaign/watch.sh`' env -u RELIABILITY_DIR bash tests/campaign/watch.sh

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/dotnet11.md" <<END
## .NET 11

These tests, built for .NET 11 by SDK 10, run on .NET 11:

| test | passed | failed | skipped |
| --- | ---: | ---: | ---: |
$(cat "$log.rows")
END
fi
rm -f "$log.rows"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
