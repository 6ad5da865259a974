#!/bin/bash
# What ilcov does where it is told nothing: which files it writes and reads, and that a repository as `dotnet new gitignore`
# has it is clean after it.
. "$(dirname "$0")/lib.sh"

# written: the files below the current directory, but for those of git
written() {
    find . -type f -not -path './.git/*' -printf '%P\n' | sort | paste -sd' '
}

build toplevel Debug
mkdir repository
cd repository || exit 2
made git init --quiet .
made dotnet new gitignore
git add .gitignore
git -c user.name=a -c user.email=a@example.org commit --quiet -m first

# --- names -----------------------------------------------------------------------------------------------------------
limited "$ILCOV" run --quiet --root "$top" -- "$program" >"$temp/out" 2>"$temp/err"
same "a run without options: status" 0 $?
same "a run without options writes the report and the data file" ".gitignore TestResults/run.ilcov coverage.cobertura.xml" "$(written)"
same "the repository is clean after a run" '' "$(git status --porcelain)"
for format in html json lcov opencover sonar; do
    check "report -f $format" limited "$ILCOV" report -f "$format" --root "$top"
    same "the repository is clean after report -f $format" '' "$(git status --porcelain)"
done
check "diff -f html" limited "$ILCOV" diff -f html TestResults/run.ilcov TestResults/run.ilcov
same "the repository is clean after diff -f html" '' "$(git status --porcelain)"

# --- what is read ----------------------------------------------------------------------------------------------------
rm -rf -- *
limited "$ILCOV" report -f text 2>"$temp/err"
same "without a data file: status" 3 $?
check "without a data file: the message has the name that a run writes" \
    grep -qF "there is no data file TestResults/run.ilcov: 'ilcov run' writes one" "$temp/err"
readers=("report --deterministic -f json=-" "show --uncovered" "diff --patch /dev/null -f json=-")
limited "$ILCOV" run --quiet --root "$top" -x '*' --allow-empty -f none -- "$program" >"$temp/out"
mkdir -p deep/er
for reader in "${readers[@]}"; do
    # shellcheck disable=SC2086
    (cd deep/er && limited "$ILCOV" $reader) 2>&1 | sed "s|$PWD/TestResults|TestResults|" >below.out
    # shellcheck disable=SC2086
    limited "$ILCOV" $reader >here.out 2>&1
    check "$reader below the folder of the data file reads that" cmp below.out here.out
done
mkdir -p other/.git
(cd other && limited "$ILCOV" show) >below.out 2>&1
same "another work tree does not" 3 $?
finish
