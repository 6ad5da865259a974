#!/bin/bash
# The pages of a comparison: of `ilcov diff`, and beside those of a report; with a patch, with another tool's report as BASE, without
# sources. That they say what JSON says of fifty edits is checked in test_diff.sh.
. "$(dirname "$0")/lib.sh"

for tool in git python3; do
    if ! command -v $tool >/dev/null; then
        skip "pages of a comparison" "no $tool"
        finish
    fi
done
pages=$top/tests/support/diff_pages.py

edited_sample

# diff INTO [OPTION...]: with JSON beside
diff_of() {
    into=$1
    shift
    limited "$ILCOV" diff --root head --format html="$into" --format json="$into.json" "$@" >"$temp/out" 2>"$temp/err"
    status=$?
}
says() {
    check "$1: the pages say what JSON says" python3 "$pages" "$2" "$2.json" head base
}

diff_of code --base-root base base.ilcov head.ilcov
same "of code: status" 0 $status
says "of code" code
check "moved code is not lost" test -z "$(grep -lE '^(<[^>]*>)*lost ' code/changes/*)"
check "the old source is beside the new" grep -q 'aria-label=Before' code/changes/*-Cart.cs.html
check "a method that moved names its old file" grep -q 'Was Shop/Types.cs' code/changes/*-Box.cs.html
diff_of back --root base --base-root head head.ilcov base.ilcov
check "back: the pages say what JSON says" python3 "$pages" back back.json base head
check "a file that is gone has a page" grep -q 'The file is gone' back/changes/*-Stock.cs.html

# The checker finds what it is for. (damaged WHAT SED FILES)
damaged() {
    rm -rf damaged
    cp -r code damaged
    sed -i "$2" damaged/$3
    check "the check sees $1" test -z "$(python3 "$pages" damaged code.json head base >/dev/null && echo fine)"
}
damaged "another count" 's/^new 1$/new 2/' 'changes/*.html'
damaged "another state" 's/^new /lost /' 'changes/*.html'
damaged "a line that is not told" '/id=L/s/id=L[0-9]*>+*[0-9]*/>99999/' 'changes/*.html'
damaged "another text" 's/return/Return/' 'changes/*.html'
damaged "another total" 's/<strong>Lines:<.strong> /&1/' index.html
damaged "another count of a file" 's/\(<small>Shop<.small>.*<td>\)[0-9]/\17/' index.html
damaged "another kind of method" 's/<td>added/<td>moved/' changes-methods.html
damaged "a line that is not listed" '/<li><a href="changes/d' changes-new.html
damaged "a style" 's/<pre class=h/& style="color:red"/' 'changes/*.html'
damaged "a script" 's/<.main>/<script>1<.script>&/' index.html
damaged "a link to nowhere" 's/index\.html/index.htm/' changes-lost.html

# With a patch, alone and beside BASE; against another tool's report.
diff_of patch --patch whole.patch head.ilcov
same "of a patch: status" 0 $status
says "of a patch" patch
damaged_patch=$(sed -i 's/^<ins><a id=\(L[0-9]*\)>+/<ins><a id=\1>/' patch/changes/*.html; python3 "$pages" patch patch.json head base >/dev/null && echo fine)
same "the check sees a line that is not of the patch" "" "$damaged_patch"
diff_of both --patch whole.patch --base-root base base.ilcov head.ilcov
says "of both" both
diff_of lines base.xml head.ilcov
same "of lines: status" 0 $status
says "of lines" lines
check "of lines: it says so" grep -q 'lines are compared by their numbers' lines/index.html

# Gates
diff_of gates --gate lost=0 --gate 'line>=99' --gate '[Sho*]branch>=1' base.ilcov head.ilcov
same "a gate fails" 1 $status
check "the pages say which gate failed, and why" grep -q '<code>line>=99</code><td><em>failed</em><td>.*lines are covered' gates/index.html
check "and which holds" grep -q '<code>lost=0</code><td>holds' gates/index.html
check "and of which assembly" grep -q '<small>Shop</small><td>holds' gates/index.html

# The same, beside the pages of a report.
limited "$ILCOV" report --format html=report --root head --base base.ilcov --base-root base head.ilcov 2>"$temp/err"
same "report --base: status" 0 $?
check "report --base: the pages say what JSON says" python3 "$pages" report code.json head base
limited "$ILCOV" report --format json=report.json --root head head.ilcov 2>"$temp/err"
check "report --base: so do those of the report" python3 "$top/tests/support/html_pages.py" report report.json "$temp/head"
cat >whys.py <<'PYTHON'
"""What a page of changes says about why lines did not run, the page of the source says of the same lines."""
import glob, os, re, sys
def whys(page):
    with open(page, encoding="utf-8") as file:
        text = "".join(re.findall(r"<ul class=whys>(.*?)</ul>", file.read(), re.S))
    items = [re.match(r"(?:<a .*?>)?(\d+)(?:\u2013(\d+))?(?:</a>)? (.*)", item).groups() for item in text.strip().split("<li>") if item.strip()]
    return [(int(first), int(last or first), words.strip()) for first, last, words in items]
count = 0
for page in glob.glob("report/changes/*.html"):
    whole = whys(re.sub(r"-\d+\.html$", ".html", page.replace("/changes/", "/files/"))) if os.path.exists(page.replace("/changes/", "/files/")) else []
    for first, last, words in whys(page):
        count += 1
        if not any(a <= first and last <= b and words == said for a, b, said in whole):
            sys.exit(f"{page}: {first}-{last} {words}")
sys.exit(0 if count else "no page says why a line did not run")
PYTHON
check "report --base: lines did not run for the reasons that the source pages give" python3 whys.py
check "report --base: a page leads to the whole file" grep -q '<a href="../files/[^"]*-Cart.cs.html">Whole file' report/changes/*-Cart.cs.html
check "report --base: each page leads there" test -z "$(grep -LE 'changes\.html">Changes|aria-current=page>Changes' report/*.html report/files/*.html)"
limited "$ILCOV" run --root head --data again.ilcov --format html=run --base base.ilcov --patch whole.patch --base-root base -- head/out/App \
    >"$temp/out" 2>"$temp/err"
same "run --base: status" 0 $?
for time in 1 2; do
    limited "$ILCOV" run --deterministic --root head --data then.ilcov --format html=run$time --base base.ilcov -- head/out/App \
        >"$temp/out" 2>"$temp/err"
done
check "run --base --deterministic: equal runs, equal bytes" diff -r run1 run2
diff_of again --patch whole.patch --base-root base base.ilcov again.ilcov
check "run --base: the pages say what JSON says" python3 "$pages" run again.json head base
limited "$ILCOV" report --format json=x.json --base base.ilcov head.ilcov 2>"$temp/err"
same "--base without gate and HTML is wrong usage" 2 $?

# What an earlier comparison, or an earlier report, had in the folder is gone; what is not ours stays.
cp -r report reused
echo mine >reused/changes/notes.html
echo '<p>mine</p>' >reused/changes-mine.html
limited "$ILCOV" report --deterministic --format html=reused --root head --patch whole.patch head.ilcov 2>"$temp/err"
limited "$ILCOV" report --deterministic --format html=fresh --root head --patch whole.patch head.ilcov 2>"$temp/err"
same "another comparison: only its pages are left, and what is not ours" \
    "reused/changes: notes.html reused: changes-mine.html " "$(diff -rq fresh reused | sed 's|^Only in ||' | LC_ALL=C sort | tr '\n' ' ')"
limited "$ILCOV" report --format html=reused --root head head.ilcov 2>"$temp/err"
same "no comparison: none of its pages is left" "reused/changes: notes.html reused: changes-mine.html " \
    "$(find reused -name '*change*' -o -path '*changes*' -name '*.html' | sed 's|^\(.*\)/\([^/]*\)$|\1: \2|' | grep html | LC_ALL=C sort | tr '\n' ' ')"
cp -r report reused2
diff_of reused2 --base-root base base.ilcov head.ilcov
check "a comparison alone: no page of the report is left" diff -r code reused2
limited "$ILCOV" report --no-hotspots --format html=calm --root head --base base.ilcov --base-root base head.ilcov 2>"$temp/err"
check "report --base --no-hotspots: no page leads to hotspots" test -z "$(grep -rl hotspots.html calm)"

# Sources
diff_of bare --no-source base.ilcov head.ilcov
says "without sources" bare
same "without sources: no text" "" "$(grep -rl '<pre class=s' bare)"
check "without sources: a page says so" grep -rq -- '--no-source' bare/changes
cp -r head wrong
diff_of stale --base-root wrong base.ilcov head.ilcov
says "the old source is another" stale
check "the old source is another: it is not shown" test -z "$(grep -l 'visits--' stale/changes/*)"
check "the old source is another: a page says so" grep -rq 'Old source is not shown' stale/changes

# Equal input, equal bytes; what did not change is not written again.
diff_of other --base-root base base.ilcov head.ilcov
check "equal input, equal bytes" diff -r code other
find other -type f -exec touch -d 2001-01-01 {} +
diff_of other --base-root base base.ilcov head.ilcov
same "nothing is written again" 0 "$(find other -type f -newermt 2002-01-01 | wc -l)"
finish
