#!/bin/bash
# html.sh - `make check-html`: the HTML report in Chromium (tests/support/check_html.py). Needs Debian's chromium and
# chromium-driver, and npm for axe-core, which is fetched into a temporary folder. PICTURES: a folder for pictures of the pages.
# Writes its section to $RELIABILITY_DIR/html.md.
. "$(dirname "$0")/../e2e/lib.sh"

for program in chromium chromedriver npm; do
    command -v $program >/dev/null || { echo "$program is missing: apt-get install chromium chromium-driver npm" >&2; exit 3; }
done
mkdir axe && (cd axe && npm pack --silent axe-core@4.14.1 && tar -xzf axe-core-*.tgz) >"$temp/npm" 2>&1 ||
    { cat "$temp/npm" >&2; exit 3; }

build language Debug
measure language --format html=html --root "$top/fixtures/language" -- "$program"
same "the fixture runs" 0 $status
python3 "$top/tests/support/check_html.py" html axe/package/axe.min.js ${PICTURES:+"$PICTURES"} >checked 2>&1 ||
    grep -v '^ok' checked | tail -n 60
check "every page is right in Chromium: $(tail -n 1 checked)" grep -q ' passed, 0 failed$' checked
if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/html.md" <<EOF
## The HTML report in a browser

Every kind of page in $(chromium --version 2>/dev/null | cut -d' ' -f1,2), driven over WebDriver: keys, filter, sorting, links to
a line, dark and light, print, a width of 400 pixels, contrast, the console, requests, servers that forbid scripts, and what axe-core
finds. $(tail -n 1 checked).
EOF
fi
finish
