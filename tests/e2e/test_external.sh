#!/bin/bash
# One shard measured by ilcov, one by coverlet: merged by line, and compared with.
. "$(dirname "$0")/lib.sh"

mkdir "$temp/app"
cd "$temp/app" || exit 2
frugally
library Core
library Extra
test_project Tests1 Core
test_project Tests2 Core Extra
solution App Core Extra Tests1 Tests2
cat >Core/Core.cs <<'CS'
namespace Core;

public static class Sum
{
    public static int Positive(int a)
    {
        return a > 0 ? a : 0;
    }

    public static int Negative(int a)
    {
        if (a < 0)
        {
            return -a;
        }
        return 0;
    }

    public static string Name(object? o) => o switch { null => "none", string s => s, _ => "other" };

    public static int Both { get; set; } = 1;
}
CS
cat >Extra/Extra.cs <<'CS'
namespace Extra;

public static class Only
{
    public static int Here() => 1;
    public static int Never() => 2;
}
CS
cat >Tests1/T.cs <<'CS'
public class T { [Xunit.Fact] public void Runs() => Xunit.Assert.Equal("2", Core.Sum.Name("" + Core.Sum.Positive(2))); }
CS
cat >Tests2/T.cs <<'CS'
public class T { [Xunit.Fact] public void Runs() => Xunit.Assert.Equal(3, Core.Sum.Negative(-2) + Extra.Only.Here()); }
CS
made dotnet build

limited "$ILCOV" run -d ours.ilcov -f none -- dotnet test Tests1 --no-build >out 2>err
same "ilcov's shard: exit status" 0 $?
limited dotnet test Tests2 --no-build --collect "XPlat Code Coverage" --results-directory results >out 2>err
same "coverlet's shard: exit status" 0 $?
theirs=$(find results -name coverage.cobertura.xml)
check "coverlet wrote a report" test -s "$theirs"

# hits LINE FILE REPORT
hits()
{
    python3 - "$@" <<'PY'
import sys, xml.etree.ElementTree as tree
line, file, report = sys.argv[1:]
found = [l.get("hits") for c in tree.parse(report).iter("class") if c.get("filename") == file
         for l in c.findall("lines/line") if l.get("number") == line]
print(" ".join(found) or "no line")
PY
}

limited "$ILCOV" merge -o all.ilcov ours.ilcov "$theirs" >out 2>err
same "merge: exit status" 0 $?
check "merge says what it took by line" grep -q 'Cobertura of coverlet, by line' err
check "the other tool's run is labelled as its" sh -c '"$1" inspect all.ilcov | grep -q "from an external report.*coverlet"' sh "$ILCOV"
limited "$ILCOV" report -f cobertura=all.xml all.ilcov >out 2>err
same "a line that ilcov saw run" 1 "$(hits 7 Core/Core.cs all.xml)"
same "a line that coverlet saw run" 1 "$(hits 14 Core/Core.cs all.xml)"
same "a line that neither saw run" 0 "$(hits 16 Core/Core.cs all.xml)"
same "a brace, which is a line to coverlet alone" "no line" "$(hits 11 Core/Core.cs all.xml)"
same "a line of an assembly that only coverlet's shard loaded" 1 "$(hits 5 Extra/Extra.cs all.xml)"
same "and one that did not run" 0 "$(hits 6 Extra/Extra.cs all.xml)"

# Order and repetition make no difference.
limited "$ILCOV" merge -o again.ilcov "$theirs" all.ilcov ours.ilcov "$theirs" >out 2>err
for which in all again; do
    "$ILCOV" report --deterministic -f cobertura=$which.same $which.ilcov >out 2>err
done
check "in another order, and twice: the same report" cmp all.same again.same

# A report of the same run adds nothing and takes nothing away, whoever wrote it.
told()
{
    cp $1.ilcov told.ilcov
    limited "$ILCOV" report --deterministic -f cobertura=told.cobertura -f missed=told.missed told.ilcov >out 2>told.said
    limited "$ILCOV" show -d told.ilcov Core.cs >told.shown 2>&1
    for what in cobertura missed said shown; do
        mv told.$what $1.$what
    done
}
told ours
check "a case that was not taken is named" grep -q 'never took `null`' ours.shown
limited "$ILCOV" report -f cobertura=own.xml -f opencover=own.oc.xml -f lcov=own.info ours.ilcov >out 2>err
limited dotnet test Tests1 --no-build --collect "XPlat Code Coverage" --results-directory same >out 2>err
for report in own.xml own.oc.xml own.info $(find same -name coverage.cobertura.xml); do
    limited "$ILCOV" merge -o self.ilcov "$report" ours.ilcov >out 2>err
    told self
    for what in cobertura missed said shown; do
        check "$report of the same run: $what is the same" cmp ours.$what self.$what
    done
    limited "$ILCOV" diff ours.ilcov self.ilcov >out 2>err
    check "$report of the same run: no method is another" sh -c '! grep -q "^Methods  *[0-9]* [a-z]" out'
done

# And alone it has the lines, branches and methods that the run has.
totals()
{
    limited "$ILCOV" report --deterministic -f json=totals.json $1.ilcov >out 2>err
    python3 -c 'import json; t = json.load(open("totals.json"))["totals"]; del t["complexity"]; print(t)'
}
totals ours >expected
for report in own.xml own.oc.xml own.info; do
    limited "$ILCOV" merge -o alone.ilcov $report >out 2>err
    totals alone >got
    check "$report: the totals of the run" cmp expected got
done

# A data file of nothing but coverlet's lines is compared by line, too.
limited "$ILCOV" merge -o theirs.ilcov "$theirs" >out 2>err
check "inspect tells whose its assemblies are" sh -c '"$1" inspect theirs.ilcov | grep -q "^Core, .*from an external report"' sh "$ILCOV"
limited "$ILCOV" diff -f json=by_line.json theirs.ilcov ours.ilcov >out 2>err
same "diff against it: exit status" 0 $?
check "by line" grep -q '"by_line": true' by_line.json

# What it covered can be a base.
limited "$ILCOV" diff "$theirs" ours.ilcov --gate lost=0 >out 2>err
same "diff against coverlet's report: a lost line fails the gate" 1 $?
check "which names it" grep -q '^ilcov:   Core/Core.cs:12' err
limited "$ILCOV" diff "$theirs" ours.ilcov --gate new-uncovered=0 >out 2>err
same "a gate about methods needs a data file" 2 $?
limited "$ILCOV" run --base "$theirs" --gate new-uncovered=0 -- touch started 2>err
same "so does that of run" 2 $?
check "before anything starts" test ! -e started
limited "$ILCOV" diff ours.ilcov "$theirs" >out 2>err
same "HEAD is no report" 3 $?
check "which a line says" grep -q 'is a report of another tool, which can only be BASE$' err

# What is no report is named.
echo '<html/>' >page.xml
limited "$ILCOV" merge -o x.ilcov ours.ilcov page.xml >out 2>err
same "a page among the shards is an error, as a missing file is" 3 $?
one_line_about "it is named" err 'page.xml is neither Cobertura, LCOV nor OpenCover'
check "and nothing is written" test ! -e x.ilcov
limited "$ILCOV" merge -o x.ilcov ours.ilcov missing.xml >out 2>err
same "a missing file" 3 $?
check "nothing is written then, too" test ! -e x.ilcov
limited "$ILCOV" merge -o x.ilcov ours.ilcov "$theirs" >out 2>err
check "another tool's branches: merge says where they do not count" \
    grep -q 'by line; its branches do not count in files that ilcov measured too' err
printf 'SF:/a.cs\nDA:1,1\nDA:99999999,1\nend_of_record\n' >far.info
limited "$ILCOV" merge -q -o x.ilcov ours.ilcov far.info >out 2>err
one_line_about "a line out of range is named" err 'far.info: 1 of its entries names a line past 16707565'

cat >odd.xml <<'XML'
<coverage><packages><package name="P"><classes><class name="C" filename="a.cs"><lines>
<line number="7" hits="0" condition-coverage="100% (2/2)"/><line number="8" hits="1"/><line number="9" hits="0"/>
</lines></class></classes></package></packages></coverage>
XML
limited "$ILCOV" report -f none odd.xml >out 2>err
same "hits decide whether a line is covered: exit status" 0 $?
check "its totals are those of the report" grep -q '^ilcov: 33.33 % of 3 lines, 100 % of 2 branches covered' err
check "the line is named" grep -q '^ilcov: odd.xml: line 7 of a.cs has no hits, but branches that were taken; ' err

finish
