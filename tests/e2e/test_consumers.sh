#!/bin/bash
# What consumers of Cobertura show of a report is what the sources say: ReportGenerator and diff-cover themselves; GitLab,
# Jenkins, Codecov and Coveralls by their reading rules (tests/support/read_cobertura.c). The sample, an ordinary solution in a
# git work tree, and fixtures/language; Debug builds.
. "$(dirname "$0")/lib.sh"

READ=$(dirname "$EXPECT")/read_cobertura
generator_version=5.6.0

# annotated ROOT INTO: what the sources below ROOT say, as tests/support/annotations.awk prints it.
annotated() {
    (cd "$1" && grep -rl --include='*.cs' --include='*.template' --exclude-dir=bin --exclude-dir=obj '// cov' . |
        sed 's,^\./,,' | xargs awk -f "$top/tests/support/annotations.awk") >"$2"
}

# As one `read_cobertura` line each, by a rule's idea of a line: hits alone, or branches first where there are any.
as_read_by() {
    awk -F '\t' -v OFS='\t' -v rule="$1" '{
        hits = $3 > 0 ? "hit" : "missed"
        branches = $4 == 0 ? "missed" : $4 < $5 ? "partial" : "hit"
        if (rule == "gitlab")
            print $1, $2, hits, $3, 0, 0
        else if (rule == "coveralls")
            print $1, $2, hits, $3, $4, $5
        else
            print $1, $2, ($5 > 0 ? branches : hits), $3, $4, $5
    }' "$2" | sort
}

# sum ANNOTATIONS FIELD, hit ANNOTATIONS: of lines
sum() {
    awk -F '\t' -v field="$2" '{ n += $field } END { print n + 0 }' "$1"
}

hit() {
    awk -F '\t' '$3 > 0' "$1" | wc -l
}

# known ANNOTATIONS: of the lines that are read, those of files that say something of themselves.
known() {
    awk -F '\t' 'NR == FNR { known[$1]; next } $1 in known' "$1" - | sort
}

# summary FILE: "34/43 15/19 14/16", lines, branches and methods, of a text report.
summary() {
    sed -n 's/^Total.*% \([0-9/]*\) .*% \([0-9/]*\) .*% \([0-9/]*\)$/\1 \2 \3/p' "$1"
}

# read_by_rules WHAT REPORT ROOT ANNOTATIONS: does each consumer see each line as it is annotated, and no other?
read_by_rules() {
    local rule
    for rule in gitlab jenkins codecov coveralls; do
        check "$1: $rule takes it" "$READ" --root "$3" --project group/sample $rule "$2"
        "$READ" --root "$3" --project group/sample $rule "$2" >$rule.tsv 2>&1
        check "$1: $rule shows each line as annotated" diff <(as_read_by $rule "$4") <(known "$4" <$rule.tsv)
    done
}

# --- the sample, in a work tree of git ---------------------------------------------------------------------------------

# The name of the folder is that of the project, as in a GitLab runner's checkout.
mkdir -p group && cp -r "$top/fixtures/sample" group/sample && cd group/sample || exit 2
rm -rf ./*/*/bin ./*/*/obj
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org

# The first commit lacks the second half of a class; the change under review adds it.
statistics=src/Calculator/Statistics.cs
printf 'bin/\nobj/\n' >.gitignore
added=$(grep -n 'public double Median' "$statistics" | cut -d: -f1)
cp "$statistics" "$temp/statistics"
{
    head -n $((added - 2)) "$temp/statistics"
    echo '}'
} >"$statistics"
made git init --quiet --initial-branch=base .
made git add .
made git commit --quiet --message 'first half'
made git checkout --quiet -b change
cp "$temp/statistics" "$statistics"
made git commit --quiet --all --message 'second half'

frugally
made dotnet build --artifacts-path "$temp/artifacts"
limited "$ILCOV" run --format text="$temp/text" --format cobertura -- dotnet test --no-build --artifacts-path "$temp/artifacts" \
    >"$temp/out" 2>"$temp/err"
same "the sample runs" 0 $?
annotated . "$temp/sample.tsv"
read_by_rules "the sample" coverage.cobertura.xml "$PWD" "$temp/sample.tsv"

read -r lines branches methods < <(summary "$temp/text")
same "the text summary: lines" "$(hit "$temp/sample.tsv")/$(wc -l <"$temp/sample.tsv")" "$lines"
same "the text summary: branches" "$(sum "$temp/sample.tsv" 4)/$(sum "$temp/sample.tsv" 5)" "$branches"

# total RULE: lines and branches, as the text summary has them; a line in part is a line.
total() {
    awk -F '\t' '$1 == "total" { print $3 + $4 "/" $2, $6 "/" $7 }' $1.tsv
}

same "GitLab's total is the summary's" "$lines 0/0" "$(total gitlab)"
for rule in jenkins codecov coveralls; do
    same "the total of $rule is the summary's" "$lines $branches" "$(total $rule)"
done
check "GitLab finds each file in the repository" test -z "$("$READ" --project group/sample gitlab coverage.cobertura.xml |
    cut -f1 | grep -v '^total$' | sort -u | comm -23 - <(git ls-files | sort))"

# The rules themselves can say no.
damaged() {
    sed "$2" coverage.cobertura.xml >"$temp/damaged.xml"
    "$READ" "$1" "$temp/damaged.xml" >/dev/null 2>&1
    same "$1 rejects $3" 1 $?
}

damaged gitlab 's/hits="3"/hits="3.0"/' "hits that are not an integer"
damaged jenkins 's/name="Calculator.Statistics" filename="[^"]*"/name="Calculator.Arithmetic" filename="src\/Calculator\/Arithmetic.cs"/' \
    "a class that is there twice"
damaged codecov 's/timestamp="[0-9]*"/timestamp="1700000000"/' "a report that is older than twelve hours"
damaged codecov 's/100% (/100%(/' "a condition without a space"
damaged coveralls 's/<!-- ilcov .*/<!--\nilcov\n-->/' "a comment of several lines"

# --- diff-cover --------------------------------------------------------------------------------------------------------

if command -v diff-cover >/dev/null; then
    check "diff-cover reads it" limited diff-cover coverage.cobertura.xml --compare-branch base --json-report "$temp/diff.json"
    awk -F '\t' -v file="$statistics" -v first="$added" '$1 == file && $2 >= first' "$temp/sample.tsv" >"$temp/added.tsv"
    valid=$(wc -l <"$temp/added.tsv")
    missing=$(awk -F '\t' '$3 == 0 { printf "%s%d", sep, $2; sep = ", " }' "$temp/added.tsv")
    # number NAME: of the whole change, at the end of the report
    number() {
        grep -o "\"$1\": [0-9]*" "$temp/diff.json" | tail -n 1 | sed 's/.* //'
    }
    same "diff-cover: lines of the change" "$valid" "$(number total_num_lines)"
    same "diff-cover: lines that are missing" $((valid - $(hit "$temp/added.tsv"))) "$(number total_num_violations)"
    same "diff-cover: percent" $((100 * $(hit "$temp/added.tsv") / valid)) "$(number total_percent_covered)"
    same "diff-cover: which are missing" "$missing" "$(grep -o '"violation_lines": \[[^]]*\]' "$temp/diff.json" | sed 's/.*\[//; s/\]//')"
    check "diff-cover: the file by its name in the repository, and no other" \
        test "$(grep -o '"[^"]*\.cs"' "$temp/diff.json")" = "\"$statistics\""
    limited diff-cover coverage.cobertura.xml --compare-branch base --fail-under 90 >"$temp/out" 2>&1
    same "diff-cover: a threshold that is missed" 1 $?
else
    skip "diff-cover" "there is no diff-cover; ./setup --check installs it"
fi

# --- fixtures/language -------------------------------------------------------------------------------------------------

sample=$PWD
cd "$temp" || exit 2
build language Debug
measure language --root "$top/fixtures/language" -- "$program"
same "language: exit status" 0 "$status"
check "language: a text report" limited "$ILCOV" report --format text=language.txt language.ilcov
annotated "$top/fixtures/language" language.tsv
read_by_rules "language" language.xml "$top/fixtures/language" language.tsv

# --- ReportGenerator ---------------------------------------------------------------------------------------------------

generator=$top/build/e2e/reportgenerator-$generator_version/reportgenerator
if [ ! -x "$generator" ] && ! limited dotnet tool install dotnet-reportgenerator-globaltool --version $generator_version \
    --tool-path "$(dirname "$generator")" >"$temp/install" 2>&1; then
    skip "ReportGenerator" "it can't be installed: $(grep -v "^$" "$temp/install" | head -n 1)"
    finish
fi

# generated WHAT REPORT INTO
generated() {
    check "ReportGenerator reads $1" limited "$generator" "-reports:$2" "-targetdir:$3" \
        "-reporttypes:TextSummary;XmlSummary;Xml;Html" -verbosity:Warning
}

# says "Covered lines" INTO: what its summary says
says() {
    sed -n "s/^ *$1: //p" "$2/Summary.txt"
}

# totals INTO: lines and branches
totals() {
    echo "$(says 'Covered lines' "$1")/$(says 'Coverable lines' "$1") $(says 'Covered branches' "$1")/$(says 'Total branches' "$1")"
}

# shown INTO ROOT: the lines of all files, as annotated; 0 branches where there are none, and -1 hits where there is no code.
shown() {
    awk -v OFS='\t' -v root="$2/" '
        function attribute(name) {
            return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
        }
        /<File name=/ {
            file = attribute("name")
            if (index(file, root) == 1)
                file = substr(file, length(root) + 1)
        }
        /<LineAnalysis / { print file, attribute("line"), attribute("visits"), attribute("coveredbranches") + 0, attribute("totalbranches") + 0 }
    ' "$1"/*_*.xml
}

# It shows no line behind a file's end, where #line may have put one.
shown_as_annotated() {
    shown "$2" "$3" >shown.tsv
    diff <(awk -F '\t' 'NR == FNR { if ($2 > last[$1]) last[$1] = $2; next } $2 <= last[$1]' shown.tsv "$4" | sort) \
        <(awk -F '\t' '$3 >= 0' shown.tsv | known "$4") >shown.diff
    check "ReportGenerator: each line of $1 as annotated" diff /dev/null shown.diff
}

generated "the sample" "$sample/coverage.cobertura.xml" one
same "ReportGenerator: lines and branches" "$lines $branches" "$(totals one)"
same "ReportGenerator: methods" "$methods" "$(says 'Covered methods' one)/$(says 'Total methods' one)"
same "ReportGenerator: classes" "Calculator.Arithmetic Calculator.Calculation Calculator.Statistics" \
    "$(grep -o '<Class name="[^"]*"' one/Summary.xml | cut -d'"' -f2 | sort | paste -sd ' ')"
same "ReportGenerator: methods have their names" "RepeatAsync Then ToString TryThen ctor get_Steps get_Total set_Total" \
    "$(grep -o '<Element name="[^"]*"' one/Calculator_Calculation.xml | cut -d'"' -f2 | sort | paste -sd ' ')"
shown_as_annotated "the sample" one "$sample" "$temp/sample.tsv"
check "ReportGenerator: the source is in its pages" grep -q 'Math.Sqrt' one/Calculator_Statistics.html
check "ReportGenerator: with what is missing" grep -q 'class="red"' one/Calculator_Statistics.html

cp "$sample/coverage.cobertura.xml" again.xml
generated "two reports of one run" "$sample/coverage.cobertura.xml;$temp/again.xml" two
same "ReportGenerator: two reports of one run are no more than one" "$lines $branches $methods" \
    "$(totals two) $(says 'Covered methods' two)/$(says 'Total methods' two)"

generated "language" language.xml all
same "ReportGenerator: language: lines and branches" \
    "$(summary language.txt | cut -d' ' -f1,2)" "$(totals all)"
same "ReportGenerator: language: as many methods as we have" "$(grep -c '<method ' language.xml)" "$(says 'Total methods' all)"
shown_as_annotated "language" all "$top/fixtures/language" language.tsv
check "ReportGenerator: language: types and methods have the names that the sources give them" \
    test -z "$(grep -hoE '<(Class|Element) name="[^"]*"' all/*.xml | grep -E '&lt;|__|\||\$|@')"
# The one MoveNext is an enumerator's, and somebody wrote it.
same "ReportGenerator: language: no state machine" 1 "$(cat all/*.xml | grep -c '<Element name="MoveNext"')"
finish
