#!/bin/bash
# --per-test and `ilcov tests`: suites whose tests cover a function each, of which it is known which, in all the ways in which .NET
# hands work on, with tests in parallel; static constructors; a host that is killed; what `tests` prints and refuses.
. "$(dirname "$0")/lib.sh"

make="$top/tests/e2e/make_tests.py"

# made_suite FRAMEWORK COUNT CONFIGURATION: builds it in `place`, once. False if a package is not available.
made_suite() {
    place=$top/build/e2e/$name/$1
    python3 "$make" "$1" "$temp/new" "$2"
    mkdir -p "$place" && cp -ru "$temp/new/." "$place" && rm -r "$temp/new"
    if ! building dotnet build "$place/Suite" --configuration "$3" --nologo >"$temp/build.log" 2>&1; then
        if grep -q 'NU110[12]' "$temp/build.log"; then
            skip "$1" "a package that it needs is not available"
        else
            not_ok "$1 compiles" "$temp/build.log"
        fi
        return 1
    fi
    host=$place/Suite/bin/$3/$net/Suite
    test_command=("$host")
    case $1 in xunit2 | nunit | mstest) test_command=(dotnet test "$host.dll") ;; esac
}
# told_apart WHAT DATA [OPTION...]: each test covers its function, and nothing else does.
told_apart() {
    local what=$1 data=$2
    shift 2
    limited "$ILCOV" run -q --per-test --root "$place" -d "$data" -f none "$@" -- "${test_command[@]}" >"$temp/run.log" 2>&1
    same "$what: the tests pass" 0 $?
    check "$what: each test covers its own function, and no other" python3 "$make" --check "$data"
}
# tests WHAT EXPECTED ARGUMENT...: the names that it prints, in one line.
tests() {
    local what=$1 expected=$2
    shift 2
    same "$what" "$expected" "$(limited "$ILCOV" tests "$@" 2>tests.err | tr '\n' ' ')"
}

building dotnet build "$top/profiler/contexts/contexts.csproj" --nologo --artifacts-path "$temp/owners" >"$temp/build.log" 2>&1
check "the managed half is what its source says (make owners)" \
    cmp "$top/profiler/contexts/contexts.dll" "$temp/owners/bin/contexts/debug/ilcov-owners.dll"

# --- every framework ---------------------------------------------------------------------------------------------------

frameworks="nunit mstest"
long && frameworks="xunit2 nunit mstest tunit"
for framework in $frameworks; do
    made_suite "$framework" 54 Debug && told_apart "$framework" "$framework.ilcov" --mode hit
done
if long; then
    for framework in xunit2 nunit mstest tunit xunit3; do
        made_suite "$framework" 54 Release && told_apart "$framework, Release, count" release.ilcov --mode count
    done
fi

# --- what is recorded --------------------------------------------------------------------------------------------------

if made_suite xunit3 54 Debug; then
    told_apart xunit3 all.ilcov
    tests "a method" "Suite.Class1.Test7 " -d all.ilcov Functions.F7
    line=$(($(grep -n 'int F7(' "$place/Lib/Functions.cs" | cut -d: -f1) + 2))
    tests "a line" "Suite.Class1.Test7 " -d all.ilcov "Functions.cs:$line"
    tests "a line that no test reaches" "" -d all.ilcov "Functions.cs:$((line + 2))"
    check "... which it says" grep -qx 'ilcov: no test covers it' tests.err
    tests "a static constructor is told apart from the test that needed it" "Lib.Shared " -d all.ilcov Functions.cs:5
    same "all tests, and nothing else" "54 of 54" \
        "$(limited "$ILCOV" tests -d all.ilcov 2>tests.err | awk '/\.Test[0-9]*$/ { tests++ } END { print tests " of " NR }')"
    same "... about which there is nothing to say" "" "$(cat tests.err)"
    limited "$ILCOV" tests -d all.ilcov --json >tests.json
    check "JSON: also classes, static constructors and what is outside" python3 -c \
        'import json; assert {t["kind"] for t in json.load(open("tests.json"))["tests"]} == {"test", "class", "static", "outside"}'
    tests "none of them is redundant" "" -d all.ilcov --redundant
    limited "$ILCOV" tests -d all.ilcov Functions.F7 --json >tests.json
    check "JSON: its schema holds" python3 "$top/tests/support/json_schema.py" --strict "$top/docs/tests.schema.json" tests.json

    told_apart "a test assembly that -i does not name" filtered.ilcov -i '[Lib]*'
    told_apart "a test assembly that -x names" filtered.ilcov -x '[Suite]*'

    limited "$ILCOV" run -q --root "$place" -d plain.ilcov -f json=plain.json --deterministic -- "${test_command[@]}" >run.log 2>&1
    limited "$ILCOV" report --root "$place" -f json=told.json --deterministic all.ilcov >/dev/null 2>&1
    check "covered is what is covered without" python3 "$top/tests/support/same_covered.py" plain.json told.json

    # --- merging ---
    limited "$ILCOV" merge -q -o both.ilcov all.ilcov plain.ilcov
    check "merged with a run that does not tell them apart" python3 "$make" --check both.ilcov
    limited "$ILCOV" merge -q -o turned.ilcov plain.ilcov all.ilcov all.ilcov
    check "... in any order, and twice" cmp both.ilcov turned.ilcov

    # --- a host that is killed ---
    for after in 1 9 30; do
        FINISHED=$temp/finished.$after KILL=$after limited "$ILCOV" run -q --per-test --root "$place" -d killed.ilcov -f none -- \
            "${test_command[@]}" >run.log 2>&1
        check "killed after $after tests: they keep what they hit, and none gets more" \
            python3 "$make" --check killed.ilcov "finished.$after"
    done

    # --- one that hangs ---
    for option in --per-test --control; do
        HANG=Test7 limited "$ILCOV" run -q $option --hang-timeout 3s --hang-kill --root "$place" -d hangs.ilcov -f none -- \
            "${test_command[@]}" >hangs$option.log 2>&1
    done
    same "one that hangs is named, and no other" "   at Suite.Class1.Test7()" \
        "$(sed -n '/^ilcov: these tests have started/,/^ilcov: the stacks/p' hangs--per-test.log | grep -o '^   at Suite[^ ]*')"
    check "... also before its stack" grep -q '^   at Suite.Ways.Finished(String test)' hangs--per-test.log
    same "without --per-test: that it would be named" "0 1" \
        "$(grep -c 'these tests' hangs--control.log) $(grep -c '^ilcov: with --per-test, tests ' hangs--control.log)"

    # --- refusals ---
    limited "$ILCOV" tests -d plain.ilcov Functions.F7 >out 2>err
    same "a run that does not tell them apart: status" 3 $?
    check "... and what to do" grep -q "ilcov run --per-test' records it" err
    limited "$ILCOV" tests -d all.ilcov Nowhere.cs >out 2>err
    same "no such file: status" 3 $?
    check "... and a message" grep -q 'neither a source file nor a method Nowhere.cs' err

    # --- carried tests ---
    # told DATA: the tests of every line with code, and all that there are. What else ran, such as static constructors, need not run again.
    told() {
        limited "$ILCOV" report -q -f json=told.json --root "$place" "$1" || return
        python3 -S - told.json <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
names = [test["name"] if test["kind"] in ("test", "class") else "" for test in report["tests"]]
lines = [(line["number"], test_set) for package in report["packages"] for unit in package["classes"]
         if unit["file"].endswith("Functions.cs") for line in unit["lines"] for test_set in [line.get("test_sets", [])]]
for number, test_sets in sorted(lines):
    ran = {names[test] for s in test_sets for first, last in report["test_sets"][s] for test in range(first, last + 1)}
    print(f"{number}:", *sorted(ran - {""}))
print(*sorted(set(names)), sep="\n")
END
    }
    # part TEST...: a run of these alone, with what is carried, in whole.ilcov
    part() {
        limited "$ILCOV" run -q --partial --per-test --root "$place" -d part.ilcov -f none -- "$host" -method "$1" >part.log 2>&1
        limited "$ILCOV" merge -q --carry all.ilcov -o whole.ilcov part.ilcov >>part.log 2>&1
    }
    sed -i '/int F7(/,/^    }/s/return Spin(x);/return Spin(x) + 1;/' "$place/Lib/Functions.cs"
    check "a method is changed" building dotnet build "$place/Suite" --configuration Debug --no-restore --nologo
    same "... of which this test is affected" "Suite.Class1.Test7" "$(limited "$ILCOV" affected -d all.ilcov 2>err)"
    part Suite.Class1.Test7
    limited "$ILCOV" run -q --per-test --root "$place" -d full.ilcov -f none -- "$host" >run.log 2>&1
    told whole.ilcov >whole.txt
    told full.ilcov >full.txt
    check "its run and what is carried: tests of each line are those of a run of all tests" diff whole.txt full.txt
    same "... of two lines of each function, and four of what all call" $((54 * 2 + 4)) "$(grep -c ': .*\.Test' whole.txt)"
    same "... no test is affected any more" "" "$(limited "$ILCOV" affected -d whole.ilcov 2>err)"
    check "... which it says of all tests" grep -q '0 of 54 tests selected' err
    part Suite.Class1.Test8
    same "a run of another test: the test still is" "Suite.Class1.Test7" "$(limited "$ILCOV" affected -d whole.ilcov 2>err)"
fi
limited "$ILCOV" run --per-test --mode exact -- true 2>err
same "exact: status" 2 $?
check "... and why" grep -q 'count and hit, not exact' err

# --- a program without tests -----------------------------------------------------------------------------------------

mkdir alone
echo 'System.Console.WriteLine(1);' >alone/Program.cs
compiled alone Debug
limited "$ILCOV" run -q --per-test --root alone -d alone.ilcov -f none -- dotnet "$program" >run.log 2>&1
tests "what no test ran" "" -d alone.ilcov Program.cs:1
check "... is not said to have run in one as well" grep -qx 'ilcov: no test covers it; it ran outside of tests' tests.err
finish
