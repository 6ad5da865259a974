#!/bin/bash
# The HTML report says what the JSON report of the same run does, needs nothing but its folder, and changes only where the run does.
. "$(dirname "$0")/lib.sh"

pages=$top/tests/support/html_pages.py

# report OPTION...: of the last run.
report() {
    limited "$ILCOV" report "$@" "$fixture.ilcov" >"$temp/out" 2>"$temp/err"
    status=$?
}

for fixture in language exclusions; do
    build $fixture Debug
    root=$top/fixtures/$fixture
    measure $fixture --format json=$fixture.json --format html=$fixture.html --root "$root" -- "$program"
    same "$fixture: runs" 0 $status
    check "$fixture: the pages say what JSON says" python3 "$pages" $fixture.html "$fixture.json" "$root"
done

check "there are hotspots" test -f language.html/hotspots.html
cp -r language.html unsorted
awk '/^<tr class="method d0"/ { row = $0; if ((getline next_row) > 0) print next_row; print row; next } { print }' language.html/hotspots.html >unsorted/hotspots.html
check "the check sees hotspots in another order" test -z "$(python3 "$pages" unsorted language.json "$top/fixtures/language" >/dev/null && echo fine)"

# The checker finds what it is for. (damaged WHAT SED: in every page of a file)
damaged() {
    rm -rf damaged
    cp -r language.html damaged
    sed -i "$2" damaged/files/*.html
    check "the check sees $1" test -z "$(python3 "$pages" damaged language.json "$top/fixtures/language" >/dev/null && echo fine)"
}
damaged "another count" 's/^3$/4/'
damaged "another sign" 's/<i>~/<i>/'
damaged "a style" 's/<pre class=h/& style="color:red"/'
damaged "a script" 's/<\/main>/<script>1<\/script>&/'
damaged "a lost line" '/^}$/d'
damaged "a link to nowhere" 's/index\.html/index.htm/'
damaged "a tag that is not closed" 's/<\/pre>//'

fixture=exclusions
cp $fixture.html/left-out.html "$temp/left-out"
check "what is excluded is listed with its reason" grep -q ExcludeFromCodeCoverage "$temp/left-out"
check "and marked in the source" grep -rq '<u title="excluded: ' $fixture.html/files

# Pages of a run that is reported again stay as they are.
fixture=language
report --format html=again --root "$top/fixtures/language" --deterministic
find again -type f -exec touch -d 2001-01-01 {} +
report --format html=again --root "$top/fixtures/language" --deterministic
same "nothing is written again" 0 "$(find again -type f -newermt 2002-01-01 | wc -l)"
report --format html=other --root "$top/fixtures/language" --deterministic
check "equal input, equal bytes" diff -r again other
echo '<p>' >>again/index.html
report --format html=again --root "$top/fixtures/language" --deterministic
check "what was changed is written again" diff -r again other

report --format html=bare --root "$top/fixtures/language" --no-source
same "--no-source" 0 $status
report --format json=bare.json --root "$top/fixtures/language"
check "--no-source: the pages say what JSON says" python3 "$pages" bare bare.json
same "--no-source: no text" "" "$(grep -rl '<pre class=s' bare)"
check "--no-source: a page says so" grep -rq -- '--no-source' bare/files

cp -r language.html calm
fixture=language
report --format html=calm --root "$top/fixtures/language" --no-hotspots
same "--no-hotspots" 0 $status
check "--no-hotspots: what an earlier report had is gone" test ! -e calm/hotspots.html
check "--no-hotspots: the pages say what JSON says" python3 "$pages" calm language.json "$top/fixtures/language"

# A source that is not the one that was compiled is not shown.
cp -r "$top/fixtures/language" changed
for source in changed/*.cs; do echo '// changed' >>"$source"; done
report --format html=stale --root "$temp/changed"
same "another source: reported" 0 $status
same "another source: not shown" "" "$(grep -rl '<pre class=s' stale)"
check "another source: a page says so" grep -rq 'not shown: the file has changed since it was compiled' stale/files

# --open: $BROWSER gets the index.
printf '#!/bin/sh\necho "$@" >"%s"\n' "$temp/opened" >browser
printf '#!/bin/sh\nexit 3\n' >broken
chmod +x browser broken
BROWSER=$temp/browser report --open --root "$top/fixtures/language"
same "--open: status" 0 $status
same "--open: the browser gets the index" "$temp/coverage-html/index.html" "$(cat "$temp/opened")"
BROWSER=$temp/broken report --open --root "$top/fixtures/language"
same "--open: a browser that fails is not the report's failure" 0 $status
check "--open: but it is said" grep -q 'cannot be shown' "$temp/err"
report --open --format json=x.json
same "--open without HTML is wrong usage" 2 $status
# What is somebody else's stays, and git goes on to see it.
mkdir -p theirs/files && echo mine >theirs/Shop.cs
report --format html=theirs --root "$top/fixtures/language"
same "a folder with other files: reported" 0 $status
check "a folder with other files: git is not told to ignore them" test ! -e theirs/.gitignore
echo '!*' >theirs/.gitignore
report --format html=theirs --root "$top/fixtures/language"
same "a .gitignore stays" '!*' "$(cat theirs/.gitignore)"
for file in index.html style.css script.js hotspots.html; do
    mkdir -p "site-$file" && echo mine >"site-$file/$file"
    report --format "html=site-$file" --root "$top/fixtures/language"
    same "a $file of somebody else: status" 3 $status
    same "a $file of somebody else stays" mine "$(cat "site-$file/$file")"
    check "... which is said" grep -q "site-$file has a file $file that is not ilcov's, and the report would replace it: name another folder" err
    same "... and nothing else is written" "$file" "$(ls -A "site-$file")"
done
report --format html=-
same "a folder cannot go to standard output" 3 $status
finish
