#!/bin/bash
# Formats that others read: each line and branch is that of the JSON report, as a strict reader of the format sees it, and as
# genhtml, ReportGenerator and diff-cover show it. fixtures/language and a file that two assemblies have compiled; Debug builds.
. "$(dirname "$0")/lib.sh"

lines=$top/tests/support/format_lines.py
generator_version=5.6.0

# agree WHAT KIND FILE OPTION...: are the lines those of truth.tsv?
agree() {
    local what=$1
    shift
    python3 "$lines" "$@" >seen.tsv 2>&1
    diff truth.tsv seen.tsv >difference.txt
    check "$what" diff /dev/null difference.txt
}

# written DATA: the report in every format, and its lines in truth.tsv.
written() {
    check "$1: all formats in one pass" limited "$ILCOV" report "$1" -f json=report.json -f lcov=report.info \
        -f sonar=report.sonar.xml -f opencover=report.opencover.xml
    check "$1: JSON is read" python3 "$lines" json report.json
    python3 "$lines" json report.json >truth.tsv
    check "$1: there is something to compare" test "$(awk -F '\t' '$4 < $5' truth.tsv | wc -l)" -gt 0
    agree "$1: LCOV as the strictest reader reads it" lcov report.info
    agree "$1: Sonar's generic coverage" sonar report.sonar.xml
}

# imported WHAT ROOT: SonarQube's importer for .NET sees what the JSON report has.
imported() {
    agree "$1: OpenCover as SonarQube imports it" opencover report.opencover.xml --root "$2"
}

# unchanged DATA FORMAT FILE: merged with the data that it came from, a report changes no line and no branch.
unchanged() {
    check "$1: merged with its $2" limited "$ILCOV" merge -o merged.ilcov "$1" "$3"
    check "$1: and reported" limited "$ILCOV" report merged.ilcov -f json=merged.json
    agree "$1: merging its $2 changes nothing" json merged.json
}

# seen WHAT SOURCES KIND OPTION...: do the pages of a program show each line and branch of the report, within the sources?
seen() {
    local what=$1 sources=$2
    shift 2
    python3 "$lines" "$@" --within "$sources" >seen.tsv 2>&1
    python3 "$lines" json report.json --within "$sources" >within.tsv
    check "$what: there is something to see" test -s within.tsv
    diff within.tsv seen.tsv >difference.txt
    check "$what: each line and branch" diff /dev/null difference.txt
}

# drawn WHAT SOURCES: by genhtml
drawn() {
    if ! command -v genhtml >/dev/null; then
        skip "$1: genhtml" "there is no genhtml; ./setup --check installs it"
        return
    fi
    rm -rf genhtml
    (cd "$2" && limited genhtml --quiet --branch-coverage --ignore-errors source --prefix "$PWD" \
        --output-directory "$temp/genhtml" "$temp/report.info") >genhtml.log 2>&1
    same "$1: genhtml takes it" 0 $?
    seen "$1: genhtml" "$2" genhtml genhtml
}

# shown WHAT REPORT SOURCES: by ReportGenerator
shown() {
    local generator=$top/build/e2e/reportgenerator-$generator_version/reportgenerator
    if [ ! -x "$generator" ] && ! limited dotnet tool install dotnet-reportgenerator-globaltool --version $generator_version \
        --tool-path "$(dirname "$generator")" >install 2>&1; then
        skip "$1: ReportGenerator" "it can't be installed: $(grep -v "^$" install | head -n 1)"
        return
    fi
    rm -rf generator
    check "$1: ReportGenerator takes it" limited "$generator" "-reports:$2" -targetdir:generator -reporttypes:Xml \
        "-sourcedirs:$3" -verbosity:Warning
    seen "$1: ReportGenerator" "$3" generator generator --root "$3"
}

# --- fixtures/language -------------------------------------------------------------------------------------------------

build language Debug
measure language --root "$top/fixtures/language" --quiet -- "$program"
same "language: exit status" 0 "$status"
written language.ilcov
unchanged language.ilcov LCOV report.info
unchanged language.ilcov OpenCover report.opencover.xml
imported language "$top/fixtures/language"
drawn language "$top/fixtures/language"
shown "language, LCOV" report.info "$top/fixtures/language"
shown "language, OpenCover" report.opencover.xml "$top/fixtures/language"

# --- TeamCity and the badge --------------------------------------------------------------------------------------------

# statistic KEY FILE
statistic() {
    sed -n "s/^##teamcity\[buildStatisticValue key='CodeCoverageAbs$1' value='\([0-9]*\)'\]$/\1/p" "$2"
}
measure messages --root "$top/fixtures/language" --format teamcity --format badge=badge.svg --format json=messages.json -- "$program"
same "TeamCity: run takes it, beside what the command prints" 0 "$status"
python3 - messages.json >totals <<'PY'
import json, sys
report = json.load(open(sys.argv[1]))
types = {}
for package in report["packages"]:
    for part in package["classes"]:
        key = package["name"], part["name"]
        types[key] = types.get(key, 0) + part["totals"]["lines"]["covered"]
totals = report["totals"]
for key, (covered, valid) in {"L": totals["lines"].values(), "R": totals["branches"].values(),
                              "M": totals["methods"].values(), "C": (sum(n > 0 for n in types.values()), len(types))}.items():
    print(key, covered, valid, 100 * totals["lines"]["covered"] // totals["lines"]["valid"])
PY
while read -r key covered valid _; do
    same "TeamCity: $key" "$covered of $valid" "$(statistic "${key}Covered" messages.out) of $(statistic "${key}Total" messages.out)"
done <totals
same "TeamCity: nothing else" 8 "$(grep -c '##teamcity' messages.out)"
check "the badge is XML" xmllint --noout badge.svg
check "the badge says the percentage" grep -q "<title>coverage: $(cut -d' ' -f4 totals | head -n 1)%</title>" badge.svg

# --- verdicts ----------------------------------------------------------------------------------------------------------

"$ILCOV" report -q language.ilcov -f markdown=verdicts.md --fail-under 100 --gate 'line>=1' --gate '[None]line>=1' 2>verdicts.err
same "gates: exit status" 1 $?
for row in 'line&#62;=100</code> | ❌ failed: ' 'line&#62;=1</code> | ✅ passed |' 'None&#93;line&#62;=1</code> | ❌ failed: '; do
    check "Markdown has the verdict '$row'" grep -qF -e "$row" verdicts.md
done

# --- the list ----------------------------------------------------------------------------------------------------------

check "--list-formats needs no data" limited "$ILCOV" report --list-formats no.ilcov
mapfile -t names < <("$ILCOV" report --list-formats no.ilcov | cut -d' ' -f1)
check "--list-formats names them" test ${#names[@]} -gt 5
mkdir listed
for name in "${names[@]}"; do
    [ "$name" = none ] || check "$name, which --list-formats names, is written" \
        limited "$ILCOV" report -q language.ilcov -f "$name=listed/$name"
done
cd listed || exit 2
"$ILCOV" report --list-formats | sed -n 's/^\([a-z0-9]*\)  *\([a-z.-]*\.[a-z]*\|coverage-html\)  .*/\1 \2/p' >../defaults
while read -r name file; do
    limited "$ILCOV" report -q ../language.ilcov -f "$name"
    check "without a file, $name is $file" test -e "$file"
    rm -rf "$file"
done <../defaults
check "the list has the usual files" test "$(wc -l <../defaults)" -gt 8
cd ..

# --- a file that two assemblies have compiled --------------------------------------------------------------------------

mkdir shared
cat >shared/Shared.cs <<'CS'
static class Shared
{
    public static int Half(int n)
    {
        if (n % 2 == 0)
            return n / 2;
#if SECOND
        return n > 10 && n < 20 ? -1 : 0;
#else
        return n > 10 ? 1 : 0;
#endif
    }

    public static int Own(int n) { return n > 3 ? n : -n; }
}
CS
mkdir First Second
echo 'System.Console.WriteLine(Shared.Half(4) + Shared.Own(5));' >First/Program.cs
echo 'System.Console.WriteLine(Shared.Half(7) + Shared.Half(12));' >Second/Program.cs
compiled First Debug "$temp/shared/Shared.cs"
first=$program
compiled Second Debug -define:SECOND "$temp/shared/Shared.cs"
measure shared --root "$temp" --quiet -- sh -c "dotnet '$first' && dotnet '$program'"
same "shared: exit status" 0 "$status"
written shared.ilcov
same "shared: the file has one record" 1 "$(grep -c '^SF:shared/Shared.cs$' report.info)"
same "shared: outcomes add up" "5 1 2 2" "$(awk -F '\t' '$1 == "shared/Shared.cs" && $2 == 5 { print $2, $3, $4, $5 }' truth.tsv)"
same "shared: what only one assembly ran was run" "14 1 1 2" \
    "$(awk -F '\t' '$1 == "shared/Shared.cs" && $2 == 14 { print $2, $3, $4, $5 }' truth.tsv)"
unchanged shared.ilcov LCOV report.info
unchanged shared.ilcov OpenCover report.opencover.xml
imported shared "$temp"
drawn shared "$temp"
shown "shared, LCOV" report.info "$temp"

# --- several data files -------------------------------------------------------------------------------------------------

measure one --root "$temp" --quiet -- dotnet "$first"
measure two --root "$temp" --quiet -- dotnet "$program"
check "several data files: merged" limited "$ILCOV" merge -q -o both.ilcov one.ilcov two.ilcov
check "and reported" limited "$ILCOV" report -q both.ilcov -f json=both.json -f lcov=both.info --deterministic
check "several data files: reported as one" limited "$ILCOV" report -q one.ilcov two.ilcov -f json=each.json --deterministic
check "with the same report as the merged one" diff both.json each.json
"$ILCOV" report -q one.ilcov two.ilcov -f none --fail-under 100 2>err
same "a gate holds for all together" 1 $?
check "a report of another tool is reported" limited "$ILCOV" report -q both.info -f json=report.json
python3 "$lines" json both.json >truth.tsv
agree "and has its lines and branches" json report.json
head -c 5000 two.ilcov >damaged.ilcov
"$ILCOV" report -q one.ilcov damaged.ilcov -f json=damaged.json 2>err
same "a damaged one is not passed over" 3 $?
check "and named" grep -q damaged.ilcov err
check "no report is written of the rest" test ! -e damaged.json
check "nothing is left behind" test -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name '.ilcov-*.tmp' -newer both.ilcov)"

# --- diff-cover --------------------------------------------------------------------------------------------------------

if command -v diff-cover >/dev/null; then
    export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
    export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
    made git init --quiet --initial-branch=base .
    made git commit --quiet --allow-empty --message empty
    made git checkout --quiet -b change
    made git add shared First/Program.cs Second/Program.cs
    made git commit --quiet --message all
    check "diff-cover reads LCOV" limited diff-cover report.info --compare-branch base --json-report diff.json
    same "diff-cover: lines, and those that are missing" \
        "$(wc -l <truth.tsv) $(awk -F '\t' '$3 == 0' truth.tsv | wc -l)" \
        "$(python3 -c 'import json; d = json.load(open("diff.json")); print(d["total_num_lines"], d["total_num_violations"])')"
else
    skip "diff-cover" "there is no diff-cover; ./setup --check installs it"
fi
finish
