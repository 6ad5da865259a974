#!/bin/bash
# The HTML report of large solutions: written a few files at a time it says the same, no index is large, every page can be
# reached, and pages of sources that are gone go with them.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

make_solution=$top/build/make_solution
pages=$top/tests/support/html_pages.py

# report OPTION...: of the solution.
report() {
    limited "$ILCOV" report --deterministic "$@" "$temp/solution/solution.ilcov" >"$temp/out" 2>"$temp/err"
    status=$?
}

# reached FOLDER: how many pages links lead to from its index.
reached() {
    python3 - "$1" <<'END'
import os, re, sys
seen, todo = {"index.html"}, ["index.html"]
while todo:
    page = todo.pop()
    with open(os.path.join(sys.argv[1], page), encoding="utf-8") as file:
        for link in re.findall(r'href="([^"#]+\.html)', file.read()):
            target = os.path.normpath(os.path.join(os.path.dirname(page), link))
            if target not in seen:
                seen.add(target)
                todo.append(target)
print(len(seen))
END
}

count_pages() {
    find "$1" -name '*.html' | wc -l
}

# One project of more statements than are looked at at a time. With JSON, the report has all its lines at once.
"$make_solution" "$temp/solution" 100 20 1 || exit 2
report --format html=parts
same "in parts" 0 $status
report --format html=whole --format json=report.json
same "as a whole" 0 $status
check "both say the same" diff -r parts whole
check "the pages say what JSON says" python3 "$pages" parts report.json "$temp/solution"
same "every page can be reached" "$(count_pages parts)" "$(reached parts)"

# A folder of more files, and a namespace of more types, than a page may show.
rm -rf solution
"$make_solution" "$temp/solution" 3200 1 1 || exit 2
report --format html=wide --format json=report.json
same "wide" 0 $status
check "wide: the pages say what JSON says, and no index is large" python3 "$pages" wide report.json "$temp/solution"
same "wide: every page can be reached" "$(count_pages wide)" "$(reached wide)"
check "wide: every file is in an index" test "$(cat wide/index.html wide/folders/*.html | grep -c '^<tr [^>]*class="file ')" = 3200
check "wide: every method is in an index" test "$(cat wide/types.html wide/types/*.html | grep -c '^<tr [^>]*class="method ')" = 3200

# Fewer files: what is left is what a new folder would get, and what is not ours.
page=$(cd wide/files && printf '%s\n' *-Type3.cs.html | head -n 1)
echo '<p>notes</p>' >wide/files/notes.html
echo '<p>mine</p>' >wide/files/0123456789ab-Mine.cs.html
cp "wide/files/$page" wide/files/copy.html
ln -s "$temp/parts/index.html" wide/files/0123456789ab-link.html
report --format html=wide --exclude-files 'src/*/Part*'
same "fewer files" 0 $status
report --format html=few --exclude-files 'src/*/Part*'
same "fewer files: only what is not a page of ours is left" \
    "files: 0123456789ab-Mine.cs.html files: 0123456789ab-link.html files: copy.html files: notes.html " \
    "$(diff -rq few wide | sed 's|^Only in wide/||' | sort | tr '\n' ' ')"
"$make_solution" "$temp/solution" 1 1 1 || exit 2
report --format html=wide
check "one file: a folder that is empty is removed" test ! -e wide/folders

# Tests: an index has nothing of them, and the names of all are there once.
"$make_solution" "$temp/bare" 60 4 1 && "$make_solution" "$temp/told" 60 4 1 3000 || exit 2
for which in bare told; do
    limited "$ILCOV" report --deterministic -q -f html=$which.html -f json=$which.json $which/solution.ilcov >out 2>&1
    same "$which: reported" 0 $?
done
check "with tests, the pages say what JSON says" python3 "$pages" told.html told.json "$temp/told"
for index in index types hotspots left-out; do
    check "with tests, $index.html is what it is without" cmp bare.html/$index.html told.html/$index.html
done
same "names are there once" 1 "$(cat told.html/tests/* | grep -c 'Type00007Tests')"
same "no page has a name" "" "$(grep -rl 'Type00007Tests' told.html/files told.html/*.html)"
size() { cat told.html/"$1"/* | wc -c; }
check "the names and sets are less than the pages" test "$(size tests)" -lt "$(size files)"
finish
