#!/bin/bash
# Reports of data that tell tests apart: for every line, the HTML pages, JSON and JSON lines name the tests that `ilcov tests` names.
# Reports of other data have nothing of it.
. "$(dirname "$0")/lib.sh"

make="$top/tests/e2e/make_tests.py"
compare="$top/tests/support/test_reports.py"
schema="$top/tests/support/json_schema.py"

# --- a suite whose lines are run in all kinds of ways ------------------------------------------------------------------

place=$top/build/e2e/$name/suite
python3 "$make" xunit3 "$temp/new" 12
cat >"$temp/new/Lib/Shapes.cs" <<'EOF'
namespace Lib;

public class Shape
{
    readonly int[] sides = [3, 4, 5]; readonly Func<int, int> twice = x => x * 2;
    public Shape() { }
    public Shape(int first) { sides[0] = first; }

    public static int SetUp(int x)
    {
        if (x > 0) return x; else return -x;
    }

    public int Sum(bool each, bool calls)
    {
        int sum = each ? sides.Sum() : sides[0]; if (calls) sum = twice(sum);
        return Apply(
            sum,
            x => x + 1, calls ? x => x + 2
                              : x =>
                                {
                                    return x + 3;
                                });
    }

    static int Apply(int value, Func<int, int> unused, Func<int, int> used) => used(value);

    public static IEnumerable<int> Count(int end)
    {
        for (int i = 0; i < end; i++)
            yield return i;
    }

    public static async Task<T> Later<T>(T value)
    {
        await Task.Yield();
        return value;
    }
}

public static class Outside
{
    public static readonly int Ran = Environment.ProcessId;
    [System.Runtime.CompilerServices.ModuleInitializer]
    public static void Begin()
    {
        Thread.MemoryBarrier();
    }
}
EOF
cat >"$temp/new/Suite/Shapes.cs" <<'EOF'
using Lib;
using Xunit;
namespace Suite;

public class ShapeTests
{
    readonly int set = Shape.SetUp(3);
    [Fact] public void Each() => new Shape().Sum(true, true);
    [Fact] public void First() => new Shape(7).Sum(false, false);
    [Theory, InlineData(true), InlineData(false)] public void Both(bool calls) => new Shape(7).Sum(true, calls);
    [Fact] public void Counts() => Assert.Equal(3, Shape.Count(3).Count());
    [Fact] public async Task Waits() => Assert.Equal("a", await Shape.Later("a"));
    public class Nested { [Fact] public void Inner() => Shape.SetUp(-3); }
}
public abstract class Generic<T> { protected void Run() => Shape.Count(1).ToList(); [Fact] public void Inherited() => Run(); }
public class OfInt : Generic<int> { }
public class OfString : Generic<string> { }
EOF
mkdir -p "$place" && cp -ru "$temp/new/." "$place"
if ! building dotnet build "$place/Suite" --configuration Debug --nologo >build.log 2>&1; then
    grep -q 'NU110[12]' build.log && skip "reports" "a package that the suite needs is not available"
    check "the suite compiles" grep -q 'NU110[12]' build.log
    finish
    exit
fi
host=$place/Suite/bin/Debug/$net/Suite

# report DATA INTO: in every format that knows of tests.
report() {
    limited "$ILCOV" report -q --root "$place" --deterministic -f json="$2.json" -f jsonl="$2.jsonl" -f html="$2.html" "$1" \
        >"$temp/out" 2>"$temp/err"
    same "$2: reported" 0 $?
}
for mode in count hit; do
    limited "$ILCOV" run -q --per-test --mode $mode --root "$place" -d $mode.ilcov -f none -- "$host" >run.log 2>&1
    same "$mode: the tests pass" 0 $?
    report $mode.ilcov $mode
    python3 "$compare" "$ILCOV" $mode.ilcov $mode.json $mode.jsonl $mode.html >seen 2>&1
    status=$?
    sed 's/^/# /' seen
    same "$mode: each line has the tests that 'ilcov tests' names" 0 $status
    check "$mode: the pages say what JSON says" python3 "$top/tests/support/html_pages.py" $mode.html $mode.json "$place"
    check "$mode: some lines ran in no test" grep -q 'no test: [1-9]' seen
    check "$mode: none are unknown" test -z "$(grep unknown seen)"
done
check "the JSON schema holds" python3 "$schema" --strict "$top/docs/report.schema.json" count.json
check "the schema of JSON lines holds" python3 "$schema" "$top/docs/jsonl.schema.json" count.jsonl

# --- tests that add nothing --------------------------------------------------------------------------------------------

# The two that are inherited are equal, and Counts hits what they do, with what is set up in its class.
redundant="Suite.OfInt.Inherited Suite.OfString.Inherited"
same "the tests that add nothing to the others" "$redundant" "$(limited "$ILCOV" tests -d count.ilcov --redundant 2>err | paste -sd' ')"
limited "$ILCOV" run -q --mode count --root "$place" -d less.ilcov -f json=less.json --deterministic -- "$host" \
    $(printf -- '-method- %s ' $redundant) >run.log 2>&1
same "the others pass alone" 0 $?
check "... and cover all the same" python3 "$top/tests/support/same_covered.py" count.json less.json
limited "$ILCOV" tests -d count.ilcov --redundant --json >tests.json
check "JSON: they have covered something, and nothing alone" python3 -c \
    'import json; assert [(t["covers"] > 0, t["alone"]) for t in json.load(open("tests.json"))["tests"]] == [(True, 0)] * 2'
limited "$ILCOV" run -q --per-test --include-tests --root "$place" -d with.ilcov -f none -- "$host" >run.log 2>&1
same "their own bodies do not count where they are measured, too" "$redundant" \
    "$(limited "$ILCOV" tests -d with.ilcov --redundant 2>err | paste -sd' ')"

# The comparison finds what it is for.
sed 's/^\(ilcovTests("names-0.js",\["\)/\1x/' count.html/tests/names-0.js >names && cp -r count.html damaged && cp names damaged/tests/names-0.js
check "the comparison sees another name" test -z "$(python3 "$compare" "$ILCOV" count.ilcov count.json count.jsonl damaged >seen 2>&1 &&
    echo fine)"

# --- without tests, and with other runs --------------------------------------------------------------------------------

limited "$ILCOV" run -q --mode count --root "$place" -d plain.ilcov -f none -- "$host" >run.log 2>&1
report plain.ilcov plain
check "without tests: nothing of it" test -z "$(grep -l '"test\|<pre class=t' plain.json plain.jsonl plain.html/files/*)"
check "without tests: no names" test ! -e plain.html/tests
for index in index types hotspots left-out; do
    check "with tests, $index.html is no larger" test "$(stat -c %s count.html/$index.html)" -le "$(($(stat -c %s plain.html/$index.html) + 8))"
done
report count.ilcov again
check "equal input, equal bytes" diff -r count.html again.html
limited "$ILCOV" merge -q -o both.ilcov count.ilcov hit.ilcov plain.ilcov
report both.ilcov both
check "merged with other runs: a test that ran in several is one" python3 "$compare" "$ILCOV" both.ilcov both.json both.jsonl both.html
cp -r count.html turned
limited "$ILCOV" report -q --root "$place" --deterministic -f html=turned plain.ilcov >"$temp/out" 2>&1
check "a report without tests in its place leaves nothing of them" diff -r plain.html turned

finish
