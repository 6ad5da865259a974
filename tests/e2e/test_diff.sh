#!/bin/bash
# `ilcov diff` says exactly what was done. Each fixtures/edits/NN-NAME.patch is one edit of fixtures/edits/sample, and NN-NAME.expected
# is all that a diff may say of it, written by hand:
#
#   METHOD KIND NAME [from NAME]     each that is not unchanged, or has lines gained or lost
#   LINE STATE FILE: TEXT            each that is not kept or still missed
#   FILE not run FILE                where nothing of it was
#   TOTAL STATE ±N lines             of each state, where it is another than of a diff of BASE with itself; likewise outcomes
#   TOTAL removed covered N          lines of BASE that are gone; likewise missed
#
# "# arguments: A" is what the program is run with, "# configuration: C" how it is built; an edit without a patch changes nothing else.
. "$(dirname "$0")/lib.sh"

for tool in git python3; do
    if ! command -v $tool >/dev/null; then
        skip "edits" "no $tool"
        finish
    fi
done
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
edits=$top/fixtures/edits

# says WHAT DIFF...
says() {
    python3 -S -E "$top/tests/support/diff_says.py" "$@"
}

# option EDIT NAME: what its expectation says of how it is made
option() {
    sed -n "s/^# $2: //p" "$edits/$1.expected"
}

# --- all are built at once, beside each other ----------------------------------------------------------------------------

mkdir base
cp -r "$edits/sample/." base
rm -rf base/*/bin base/*/obj
echo '<Project />' | tee Directory.Build.props >Directory.Build.targets
printf 'bin/\nobj/\nout/\n' >base/.gitignore
made git -C base init --quiet --initial-branch=base
made git -C base add .
made git -C base commit --quiet --message base
made dotnet restore base/App
names=()
for expected in "$edits"/[0-9]*.expected; do
    edit=$(basename "$expected" .expected)
    names+=("$edit")
    cp -r base "$edit"
    if [ -f "$edits/$edit.patch" ]; then
        made git -C "$edit" checkout --quiet -b edit
        made git -C "$edit" apply --index "$edits/$edit.patch"
        made git -C "$edit" commit --quiet --message edit
    fi
done
{
    echo '<Project><ItemGroup>'
    echo "<Edit Include='base/App/App.csproj' AdditionalProperties='OutDir=$temp/base/out/' />"
    for edit in "${names[@]}"; do
        configuration=$(option "$edit" configuration)
        echo "<Edit Include='$edit/App/App.csproj' AdditionalProperties='Configuration=${configuration:-Debug};OutDir=$temp/$edit/out/' />"
    done
    echo '</ItemGroup><Target Name="Build"><MSBuild Projects="@(Edit)" BuildInParallel="true"'
    echo 'Properties="RunAnalyzers=false;EnableSourceControlManagerQueries=false" /></Target></Project>'
} >all.proj

# A hundred times the compiler: one that stays for as long as this takes, and that nobody else talks to; that of `make check`, if
# this is a part of it.
server=${SharedCompilationId:-ilcov-$$}
stop_compiler() {
    [ -z "${SharedCompilationId:-}" ] || return
    "$(dirname "$(readlink -f "$(command -v dotnet)")")/sdk/$(dotnet --version)/Roslyn/bincore/VBCSCompiler" \
        "-pipename:$server" -shutdown >"$temp/server" 2>&1
}
trap 'stop_compiler; clean_up' EXIT
LIMIT=1200 made dotnet build all.proj --no-restore --nologo -maxcpucount:1 -p:UseSharedCompilation=true \
    "-p:SharedCompilationId=$server"
stop_compiler
trap clean_up EXIT

# run EDIT [ARGUMENT]: into EDIT.ilcov
run() {
    limited "$ILCOV" run --root "$1" --data "$1.ilcov" --format "cobertura=$1.xml" -- "$1/out/App" ${2:+"$2"} >out 2>&1 ||
        not_ok "$1: it runs" out
}

run base
for edit in "${names[@]}"; do
    run "$edit" "$(option "$edit" arguments)"
done

# compare BASE HEAD INTO. Pages of an edit that is undone only in a long run: those of the edit show what they are.
compare() {
    local formats=(--format "json=$3")
    rm -rf "$3.pages"
    if [ "$2" != base ] || [ "$1" = base ] || long; then
        formats+=(--format "html=$3.pages")
    fi
    limited "$ILCOV" diff --root "$temp/$2" --base-root "$temp/$1" "${formats[@]}" "$1.ilcov" "$2.ilcov" >out 2>&1 || not_ok "diff $1 $2" out
    [ ${#formats[@]} -eq 2 ] ||
        check "$2 after $1: the pages say what JSON says" python3 -S "$top/tests/support/diff_pages.py" "$3.pages" "$3" "$temp/$2" "$temp/$1"
}

# --- a diff of BASE with itself ------------------------------------------------------------------------------------------

compare base base self
same "of a file with itself: no method, no line" "" "$(says says self base self)"
same "of a file with itself: nothing moved, edited, added, removed, gained, lost" "moved 0 edited 0 added 0 removed 0 gained 0 lost 0" \
    "$(says sums self | grep -v unchanged | paste -sd ' ')"

# --- each edit, and back -------------------------------------------------------------------------------------------------

# What one side did not run has no other way round: it is not lost, but it is gained.

for edit in "${names[@]}"; do
    compare base "$edit" forth
    says says forth "$edit" self | sort >got
    grep -v '^#' "$edits/$edit.expected" | sort >wanted
    check "$edit" diff wanted got
    [ -z "$(option "$edit" arguments)" ] || continue
    compare "$edit" base back
    check "$edit: the other way round" diff <(says sums forth) <(says turned back)
done

# --- what the edit owes --------------------------------------------------------------------------------------------------

# changed EDIT: FILE:LINE of what git says was added or changed
changed() {
    git -C "$1" diff --unified=0 base...edit | awk '
        /^\+\+\+ / { file = substr($2, 3) }
        /^@@ / {
            split(substr($3, 2), place, ",")
            count = place[2] == "" ? 1 : place[2]
            for (i = 0; i < count; i++)
                print file ":" place[1] + i
        }'
}

# reported EDIT: FILE:LINE HITS of each line of the report
reported() {
    awk -F '"' '/<class / { for (i = 1; i < NF; i++) if ($i ~ / filename=$/) file = $(i + 1) }
        /<\/methods>/ { own = 1 } /<\/class>/ { own = 0 }
        own && /<line number=/ { print file ":" $2, $4 }' "$1.xml" | sort -u
}

# diff-cover knows the lines that the report has, and so agrees: also on a line in the middle of a statement, which the report
# has, on what is deleted, and on what is only renamed. It is slow; so it is asked about a few.
asked() {
    case $1 in
    *-to-another-class | *-rename-a-file | *-reformat-* | *-add-an-arm | *-change-one-lambda | *-delete-a-statement | *-merge-* | \
        *-add-a-file | *-give-a-property-bodies | *-only-a-test) command -v diff-cover >/dev/null ;;
    *) false ;;
    esac
}

for edit in "${names[@]}"; do
    [ -f "$edits/$edit.patch" ] || continue
    limited "$ILCOV" diff --root "$temp/$edit" --patch base...edit --format json=patch.json "$edit.ilcov" >out 2>&1 ||
        not_ok "$edit: --patch" out
    reported "$edit" | awk 'NR == FNR { changed[$1]; next } $1 in changed' <(changed "$edit") - >owed
    says owed patch.json >said
    same "$edit: it owes the changed lines that the report has" \
        "$(cut -d' ' -f1 owed | sort | paste -sd ' ') $(awk '$2 > 0' owed | wc -l)/$(wc -l <owed)" \
        "$(head -n -1 said | sort | paste -sd ' ') $(tail -n 1 said)"
    if asked "$edit"; then
        (cd "$edit" && limited diff-cover "$temp/$edit.xml" --compare-branch base --json-report "$temp/theirs.json") >out 2>&1 ||
            not_ok "$edit: diff-cover" out
        same "$edit: as diff-cover says" "$(tail -n 1 said)" "$(python3 -S -E -c '
import json
report = json.load(open("theirs.json"))
print(report["total_num_lines"] - report["total_num_violations"], report["total_num_lines"], sep="/")')"
    fi
done
# --- several statements on one line ------------------------------------------------------------------------------------------

# An initialiser shares its line with accessors that never ran: what covers the line is new, and was not gained.
mkdir Basket
cat >Basket/Basket.cs <<'CS'
new Basket().Three();
public class Basket
{
    public int Count { get; set; } = 1;
    public int Three() { return 3; }
}
CS
for version in one two; do
    [ $version = one ] || sed -i 's/= 1;/= 2;/' Basket/Basket.cs
    compiled Basket Debug
    limited "$ILCOV" run -q --root Basket -d $version.ilcov -f none -- dotnet "$program"
done
limited "$ILCOV" diff --root Basket -f json=basket.json one.ilcov two.ilcov
same "an initialiser that changed: its line is new and covered" "4 new_covered" "$(python3 -S -E -c '
import json
for file in json.load(open("basket.json"))["files"]:
    for line in file["lines"]:
        if line["state"] != "kept":
            print(line["number"], line["state"])')"
command -v diff-cover >/dev/null || skip "diff-cover" "there is no diff-cover; ./setup --check installs it"
finish
