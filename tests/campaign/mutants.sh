#!/bin/bash
# mutants.sh - a small run of tests/mutants: a generated solution, changed in a few ways; `ilcov affected` must select the tests
# that see it, and none for what changes nothing. Then the proof that this can fail: a command that selects nothing misses what
# the suite sees, and one that selects everything does so for what changes nothing, too. `make mutants` has the numbers that
# mean something. Writes its section to $RELIABILITY_DIR/mutants.md.
. "$(dirname "$0")/../e2e/lib.sh"

LIMIT=900
export OUT=$top/build/e2e/$name ILCOV
run="$top/tests/mutants/run.sh"
mutants() {
    limited "$run" --generated 1 --topics 14 --small --jobs 1 "$@" >"$temp/run.log" 2>&1
}
answering() {
    printf '#!/bin/sh\necho '\''%s'\''\n' "$2" >"$1" && chmod +x "$1"
}

answering nothing '{"all": [], "tests": []}'
answering everything '{"all": ["always"], "tests": []}'

mutants --mutants 12 --neutral 12
status=$?
if grep -q 'error NU110[12]' "$temp/run.log"; then
    skip "changes to a generated solution" "a package that it needs is not available"
    finish
fi
same "12 mutants and 12 neutral changes" 0 $status
check "... of which the suite sees some" grep -qE '^ok - 12 mutants, of which the suite kills ([1-9]|1[012]): the selected tests miss 0$' run.log
check "... and none of the others, for which nothing is selected" grep -qx 'ok - 12 neutral changes: tests are selected for 0' run.log

AFFECTED=$temp/nothing mutants --keep --mutants 6 --neutral 0
same "a command that selects nothing fails" 1 $?
check "... for what the suite sees it misses" grep -qE '^not ok - 6 mutants, of which the suite kills ([1-6]): the selected tests miss \1$' run.log
AFFECTED=$temp/everything mutants --keep --mutants 6 --neutral 4
same "a command that selects everything fails" 1 $?
check "... for it misses nothing" grep -qE '^ok - 6 mutants, of which the suite kills [1-6]: the selected tests miss 0$' run.log
check "... but selects tests for what changes nothing" grep -qx 'not ok - 4 neutral changes: tests are selected for 4' run.log
check "the suite sees none of these" grep -qx 'ok - 4 neutral changes: the suite kills 0' run.log

limited "$run" --edits "$top/tests/edits/edits.txt" --jobs 1 "$top/tests/edits/Suite/Suite.csproj" >"$temp/run.log" 2>&1
same "edits by hand" 0 $?
edits=$(sed -n 's/^ok - \([0-9]*\) edits by hand: the suite sees \1$/\1/p' run.log)
check "... of which the suite sees all" [ -n "$edits" ]

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/mutants.md" <<EOF
## Tests that a change needs

12 changes of a generated solution and 12 edits without effect: \`ilcov affected\` selects each test that notices a change, and none
for the others. $edits edits by hand, of all kinds of constructs and of metadata: each test that notices one is selected. A command that selects nothing, and one that selects everything, fail the same checks.
EOF
fi
finish
