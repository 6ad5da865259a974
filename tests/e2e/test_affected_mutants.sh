#!/bin/bash
# A small run of tests/mutants: a generated solution, changed in a few ways. First the proof that the proof can fail: a command that
# selects nothing misses what the suite sees, and one that selects everything does so for what changes nothing, too. `make mutants`
# has the numbers that mean something.
. "$(dirname "$0")/lib.sh"

export OUT=$top/build/e2e/$name ILCOV
run="$top/tests/mutants/run.sh"
mutants() {
    limited "$run" --generated 1 --topics 14 --small --jobs 1 "$@" >"$temp/run.log" 2>&1
}
answering() {
    printf '#!/bin/sh\necho '\''%s'\''\n' "$2" >"$1" && chmod +x "$1"
}

answering nothing '{"all": false, "causes": [], "tests": []}'
answering everything '{"all": true, "causes": ["always"], "tests": []}'

AFFECTED=$temp/nothing mutants --mutants 6 --neutral 0
status=$?
if grep -q 'error NU110[12]' "$temp/run.log"; then
    skip "changes to a generated solution" "a package that it needs is not available"
    finish
fi
same "a command that selects nothing fails" 1 $status
check "... for what the suite sees it misses" grep -qE '^not ok - 6 mutants, of which the suite kills ([1-6]): the selected tests miss \1$' run.log
AFFECTED=$temp/everything mutants --keep --mutants 6 --neutral 4
same "a command that selects everything fails" 1 $?
check "... for it misses nothing" grep -qE '^ok - 6 mutants, of which the suite kills [1-6]: the selected tests miss 0$' run.log
check "... but selects tests for what changes nothing" grep -qx 'not ok - 4 neutral changes: tests are selected for 4' run.log
check "the suite sees none of these" grep -qx 'ok - 4 neutral changes: the suite kills 0' run.log

finish
