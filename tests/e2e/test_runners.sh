#!/bin/bash
# What runs our own tests says what failed: the program of unit tests (tests/unit/unit.c) when tests fail, crash or leak, the end-to-end
# tests with their options (lib.sh), and `tests/check.sh --failed`.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

# --- unit tests ----------------------------------------------------------------------------------------------------

mkdir -p tests/unit/room/inner tests/unit/other
# file PATH TEST...: tests that are called after what they do
file() {
    local path=tests/unit/$1.c test
    shift
    {
        printf '#include <signal.h>\n#include <stdlib.h>\n#include "tests/unit/unit.h"\n'
        for test; do
            printf 'static void %s(void **state)\n{\n    (void)state;\n' "$test"
            case $test in
            *fails) echo '    assert_true(0);' ;;
            *is_skipped) echo '    skip();' ;;
            *aborts) echo '    abort();' ;;
            *exits) echo '    exit(0);' ;;
            esac
            printf '}\n'
        done
        printf 'static const struct CMUnitTest tests[] = {\n'
        printf '    cmocka_unit_test(%s),\n' "$@"
        printf '};\n'
        case $path in
        *unready*) printf 'static int no(void **state) { return -1; }\nUNIT_TESTS_WITH(tests, no, NULL);\n' ;;
        *) printf 'UNIT_TESTS(tests);\n' ;;
        esac
    } >"$path"
}
# program FILE...: of those files
program() {
    made gcc -D_GNU_SOURCE -I. -I"$top" tests/unit/unit.c "${@/#/tests/unit/}" -o unit -lcmocka
}
cp "$top/tests/unit/unit.c" tests/unit
# run ARGUMENT...: sets `status` and `last`, the last line
run() {
    limited ./unit "$@" >out 2>err
    status=$?
    last=$(tail -n 1 out)
}

file room/test_a one two
file room/inner/test_b three is_skipped
file other/test_c four
program room/test_a.c room/inner/test_b.c other/test_c.c
run --list
same "all tests are listed by room and file" "other/test_c/four room/inner/test_b/three room/inner/test_b/is_skipped room/test_a/one room/test_a/two" \
    "$(paste -sd ' ' out)"
run
same "all pass: status" 0 $status
same "all pass: skipped tests are counted apart" "4 passed, 0 failed, 1 skipped" "$last"
run --together
same "all pass in one process, too" "0 4 passed, 0 failed, 1 skipped" "$status $last"
for case in "room:3 passed, 0 failed, 1 skipped" "room/inner:1 passed, 0 failed, 1 skipped" "room/test_a:2 passed, 0 failed" \
    "test_a:2 passed, 0 failed" "room/test_a/two:1 passed, 0 failed" "test_a/one test_c:2 passed, 0 failed"; do
    read -ra selection <<<"${case%%:*}"
    run "${selection[@]}"
    same "those that '${case%%:*}' names are run" "${case#*:}" "$last"
done
for selection in roo test_ test_a/o other/test_a inner; do
    run test_c $selection
    same "'$selection' names no test: status" 2 $status
    one_line_about "... and it is said" err "no test is named $selection"
done

file room/test_a one it_fails two
program room/test_a.c room/inner/test_b.c other/test_c.c
run
same "one fails: status" 1 $status
same "one fails: it is counted" "4 passed, 1 failed, 1 skipped" "$last"
check "one fails: its file is named at the end" grep -qx 'failed: room/test_a' out
run room/test_a
same "one fails, of one file: status" 1 $status

for end in aborts exits; do
    file room/test_a one it_$end two
    program room/test_a.c room/inner/test_b.c other/test_c.c
    run
    same "one $end: status" 1 $status
    same "one $end: it and what did not run have failed, other files have run" "3 passed, 2 failed, 1 skipped" "$last"
    check "one $end: it is named" grep -q "^room/test_a: .* in it_$end: 1 tests did not run" out
done

file room/test_unready one two
program room/test_unready.c other/test_c.c
run
same "a file that cannot begin has failed, with all its tests" "1 passed, 2 failed" "$last"
run test_unready
same "... also if it is alone" "0 passed, 2 failed" "$last"
same "... in its status, too" 1 $status

# --- end-to-end tests ----------------------------------------------------------------------------------------------

cat >test_sample.sh <<SH
NEEDS_DOTNET=no
. "$top/tests/e2e/lib.sh"
check "the first prints" echo seen
echo made >file
check "the second needs a file" test -e file
same "the third is wrong" a b
finish
SH
# sample OPTION...
sample() {
    limited bash test_sample.sh "$@" >out 2>err
    status=$?
    last=$(tail -n 1 out)
}
sample
same "end to end: a failed check fails" "1 2 passed, 1 failed" "$status $last"
sample second
same "end to end: a part of a name asks for one check, and what it needs is there" "0 1 passed, 0 failed" "$status $last"
sample 'of none'
same "end to end: a name that no check has: status" 2 $status
check "end to end: -v shows what a check printed" eval 'sample -v first && grep -qx "#   seen" out'
check "end to end: without it nothing is shown" eval 'sample first && ! grep -q seen out'
check "end to end: -x shows commands and where they stand" eval 'sample -x first; grep -q "test_sample.sh:4: echo made" err'
sample --keep
kept=$(sed -n 's/^# test_sample keeps //p' out)
check "end to end: --keep keeps the directory" test -e "$kept/file"
rm -rf "$kept"
sample -y
same "end to end: an unknown option: status" 2 $status

# --- check.sh ------------------------------------------------------------------------------------------------------

mkdir -p tree/tests
{
    sed '/^step build-gcc/,/^wait$/d' "$top/tests/check.sh" | sed '/^trap - EXIT/,$d'
    cat <<'SH'
step build-all 10 bash -c 'echo built >>ran; echo "1 passed, 0 failed"'
step good 10 bash -c 'echo good >>ran; echo "3 passed, 0 failed"'
beside bad 10 bash -c 'echo bad >>ran; echo "1 passed, 1 failed"; exit 1'
wait
cat build/check/*.counts | awk '{ p += $1; f += $2 } END { print p " passed, " f " failed" }' >sum
SH
} >tree/tests/check.sh
chmod +x tree/tests/check.sh
(cd tree && limited tests/check.sh) >out 2>&1
same "check: all steps run" "bad built good" "$(sort tree/ran | paste -sd ' ')"
rm tree/ran
(cd tree && limited tests/check.sh --failed) >out 2>&1
same "check --failed: what failed runs again, and what builds" "bad built" "$(sort tree/ran | paste -sd ' ')"
same "... and what it adds up to is of all" "5 passed, 1 failed" "$(cat tree/sum)"
rm tree/ran tree/build/check/good.counts
(cd tree && limited tests/check.sh --failed) >out 2>&1
same "check --failed: what did not end runs again" "bad built good" "$(sort tree/ran | paste -sd ' ')"
finish
