#!/bin/bash
# A condition is reported on the line of its own text, in every format and in words: also where the sources are gone, in a merge with a
# run that never had them, and in a patch, which has a gate for branches.
. "$(dirname "$0")/lib.sh"

mkdir -p app
cat >app/Program.cs <<'CS'
using System;

static class Program
{
    static int Main() => Picks(1, new int[0]).CompareTo(true);

    static bool Picks(int n, int[] all)
    {
        return n > 0
            && !Array.Exists(all,
                x => x > 1)
            && (n < 5
                || n > 7)
            && Array.TrueForAll(all, x => x > 2)
            && all.Length < 4;
    }
}
CS
# LINE COVERED/ALL: `n > 7` is never asked, the lambdas are never called.
printf '%s\n' '9 1/2' '10 1/2' '12 1/2' '13 0/2' '14 1/2' '15 1/2' >lines
# LINE HITS: the statement counts where its conditions begin, beside a lambda, too; line 11 is the lambda's alone.
printf '%s\n' '9 1' '10 1' '11 0' '12 1' '13 1' '14 1' '15 1' >hits
cat >words <<'TXT'
9: `n > 0` was never false
10: a condition was never false
12: `n < 5` was never false
13: `n > 7` was never evaluated
14: `Array.TrueForAll(all, x => x > 2)` was never false
14: `x > 2` did not run
15: `all.Length < 4` was never false
TXT
# Without the sources: all on the first line of the statement.
printf '%s\n' '9 5/12' >statements

cat >lines.py <<'PY'
"""lines.py FORMAT REPORT: LINE COVERED/ALL of each line with branches"""
import json, re, sys
import xml.etree.ElementTree as xml
name, path, found = sys.argv[1], sys.argv[2], {}
def add(line, covered, count):
    before = found.get(int(line), (0, 0))
    found[int(line)] = before[0] + int(covered), before[1] + int(count)
if name == "lcov":
    for line in open(path):
        if line.startswith("BRDA:"):
            at, _, _, hits = line[5:].strip().split(",")
            add(at, hits not in ("0", "-"), 1)
elif name == "json":
    for package in json.load(open(path))["packages"]:
        for entry in package["classes"]:
            for line in entry["lines"]:
                for condition in line.get("conditions", []):
                    add(line["number"], sum(hits != 0 for hits in condition["outcome_hits"]), len(condition["outcome_hits"]))
else:
    for node in xml.parse(path).getroot().iter():
        if name == "cobertura" and node.tag == "class":
            for line in node.findall("lines/line[@branch='true']"):
                add(line.get("number"), *re.search(r"\((\d+)/(\d+)\)", line.get("condition-coverage")).groups())
        elif name == "opencover" and node.tag == "BranchPoint":
            add(node.get("sl"), node.get("vc") != "0", 1)
        elif name == "sonar" and node.get("branchesToCover"):
            add(node.get("lineNumber"), node.get("coveredBranches"), node.get("branchesToCover"))
for line in sorted(found):
    print(line, "%d/%d" % found[line])
PY

# on_lines WHAT DATA EXPECTED
on_lines() {
    local format
    for format in cobertura lcov opencover sonar json; do
        limited "$ILCOV" report -q --deterministic -r app -f "$format=report.$format" "$2" 2>report.err
        check "$1: $format" diff "$3" <(python3 lines.py "$format" "report.$format")
    done
}

# genhtml 2 refuses a line that ran where no branch was evaluated, and the opposite.
cat >genhtml.awk <<'AWK'
/^DA:/ { split(substr($0, 4), da, ","); ran[da[1]] = da[2] > 0 }
/^BRDA:/ { split(substr($0, 6), brda, ","); evaluated[brda[1]] += brda[4] != "-" }
END { for (line in evaluated) if (ran[line] != (evaluated[line] > 0)) { print line; wrong = 1 }; exit wrong }
AWK

for configuration in Debug Release; do
    compiled app "$configuration" "-pathmap:$temp/app=/_"
    measure with -r app -- dotnet "$program"
    same "$configuration: it runs" 0 $status
    on_lines "$configuration" with.ilcov lines
    check "$configuration: hits" diff hits <(sed -n 's/^DA:\(9\|1[0-5]\),/\1 /p' report.lcov)
    check "$configuration: what genhtml takes" awk -f genhtml.awk report.lcov
    check "$configuration: words" diff words <(limited "$ILCOV" show -r app -d with.ilcov --json Program.cs |
        jq -r '.files[].lines[] | select(.number > 8 and .missing) | "\(.number): \(.missing[])"')
    mv app/Program.cs kept.cs
    on_lines "$configuration, the sources are gone" with.ilcov lines
    measure without -r app -- dotnet "$program"
    on_lines "$configuration, there never were any" without.ilcov statements
    mv kept.cs app/Program.cs
    for order in 'with without' 'without with'; do
        read -r first second <<<"$order"
        limited "$ILCOV" merge -q -o merged.ilcov "$first.ilcov" "$second.ilcov"
        on_lines "$configuration, merged $order" merged.ilcov lines
    done
done

# gate WHAT LINE GATE STATUS WORDS: a patch of that line.
gate() {
    printf '%s\n' '--- a/Program.cs' '+++ b/Program.cs' "@@ -$2 +$2 @@" -old "+$(sed -n "$2p" app/Program.cs)" >change.patch
    limited "$ILCOV" diff -q -r app --patch change.patch --gate "patch-branch>=$3" with.ilcov >gate.out 2>gate.err
    same "gate: $1" "$4" $?
    [ -z "$5" ] || check "... which says how many" grep -qF "gate patch-branch>=$3: $5" gate.err
    [ "$4" = 0 ] || check "... and where" grep -qF "Program.cs:$2" gate.err
}
gate 'the statement begins above' 12 50 0 ''
gate '... half of it is covered' 12 51 1 '50.00 % of 2 changed branches are covered'
gate 'a condition that was never asked' 13 1 1 '0.00 % of 2 changed branches are covered'
gate 'the first line of the statement' 9 51 1 '50.00 % of 2 changed branches are covered'
gate 'the last one' 15 50 0 ''
gate 'a line without a condition' 11 100 0 ''
finish
