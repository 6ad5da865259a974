#!/bin/bash
# html.sh - `make check-html`: the HTML report, with and without a comparison and with the tests of lines, in Chromium (tests/support/check_html.py). Needs Debian's chromium and
# chromium-driver, and npm for axe-core, which is fetched into a temporary folder. PICTURES: a folder for pictures of the pages.
# Writes its section to $RELIABILITY_DIR/html.md.
. "$(dirname "$0")/../e2e/lib.sh"

for program in chromium chromedriver npm; do
    command -v $program >/dev/null || { echo "$program is missing: apt-get install chromium chromium-driver npm" >&2; exit 3; }
done
[ -z "${PICTURES:-}" ] || mkdir -p "$PICTURES"
mkdir axe && (cd axe && npm pack --silent axe-core@4.14.1 && tar -xzf axe-core-*.tgz) >"$temp/npm" 2>&1 ||
    { cat "$temp/npm" >&2; exit 3; }

build language Debug
measure language --format html=html --root "$top/fixtures/language" -- "$program"
same "the fixture runs" 0 $status
edited_sample
limited "$ILCOV" report --format html=changes --root head --base base.ilcov --base-root base --patch whole.patch --gate 'line>=99' head.ilcov \
    >out 2>&1
same "the comparison is written, and its gate fails" 1 $?

python3 "$top/tests/e2e/make_tests.py" xunit3 suite 12
if building dotnet build suite/Suite --configuration Debug --nologo >built 2>&1; then
    limited "$ILCOV" run -q --per-test --root suite -d told.ilcov -f html=tests -- suite/Suite/bin/Debug/net10.0/Suite >out 2>&1
    same "a suite whose tests are told apart" 0 $?
else
    skip "tests of lines" "the suite cannot be built: $(grep -m 1 error built)"
fi

# in_chromium FOLDER: every kind of page of it.
in_chromium() {
    python3 "$top/tests/support/check_html.py" "$1" axe/package/axe.min.js ${PICTURES:+"$PICTURES"} >"checked.$1" 2>&1 ||
        grep -v '^ok' "checked.$1" | tail -n 60
    check "$1: every page is right in Chromium: $(tail -n 1 "checked.$1")" grep -q ' passed, 0 failed$' "checked.$1"
}
in_chromium html
in_chromium changes
[ ! -e tests ] || in_chromium tests
if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/html.md" <<EOF
## The HTML report in a browser

Every kind of page in $(chromium --version 2>/dev/null | cut -d' ' -f1,2), driven over WebDriver: keys, filter, sorting, links to
a line, dark and light, print, a width of 400 pixels, contrast, the console, requests, servers that forbid scripts, and accessibility
(axe-core). A report: $(tail -n 1 checked.html). The pages of a comparison: $(tail -n 1 checked.changes). With the
tests of each line, whose names are loaded from a server and from disk: $(tail -n 1 checked.tests 2>/dev/null || echo "not tried").
EOF
fi
finish
