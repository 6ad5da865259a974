#!/bin/bash
# A condition is reported on the line of its own text, in every format: also where the sources are gone, in a merge with a run that
# never had them, and in a patch, which has a gate for branches.
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
        limited "$ILCOV" report -q --deterministic -r app -f "$format=report.$format" "$2"
        check "$1: $format" diff "$3" <(python3 lines.py "$format" "report.$format")
    done
}

for configuration in Debug Release; do
    compiled app "$configuration" "-pathmap:$temp/app=/_"
    measure with -r app -- dotnet "$program"
    same "$configuration: it runs" 0 $status
    on_lines "$configuration" with.ilcov lines
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

cat >change.patch <<'PATCH'
--- a/Program.cs
+++ b/Program.cs
@@ -12 +12 @@
-            && (n < 6
+            && (n < 5
PATCH
for gate in 50 51; do
    limited "$ILCOV" diff -q -r app --patch change.patch --gate "patch-branch>=$gate" with.ilcov >"out.$gate" 2>"err.$gate"
    echo $? >"status.$gate"
done
same "half of what the patch owes is covered" 0 "$(cat status.50)"
same "... and not more" 1 "$(cat status.51)"
check "... which says of how many branches" grep -qF "gate patch-branch>=51: 50.00 % of 2 changed branches are covered" err.51
check "... and where" grep -qF "Program.cs:12" err.51
finish
