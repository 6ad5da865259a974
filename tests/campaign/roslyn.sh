#!/bin/bash
# roslyn.sh - tests/conformance/roslyn on the suites that PUBLIC names, projects of tests for .NET 10: hits, outcomes, arms and sentences
# against what a rewritten copy counts itself. Writes its section to $RELIABILITY_DIR/roslyn.md.
. "$(dirname "$0")/../e2e/lib.sh"

section=${RELIABILITY_DIR:-$temp}/roslyn.md
printf '## Suites that people wrote\n\n' >"$section"
if [ -z "${PUBLIC:-}" ]; then
    skip "public suites beside copies that count" "PUBLIC names none"
    echo 'Left out: no suite was named (`PUBLIC=PROJECT`).' >>"$section"
    finish
fi
read -ra projects <<<"$PUBLIC"
bash "$top/tests/conformance/roslyn/run.sh" "${projects[@]}" >roslyn.log 2>&1
same "no difference to copies that count" 0 $?
cat roslyn.log
cat >>"$section" <<EOF
Statements, outcomes and arms of these suites, as ilcov reports them, against a copy of each that Roslyn has rewritten so that it counts them
itself; what differs between two runs of the copy, or does not compile when rewritten, is left out:

$(sed -n 's/^# \([^:]*: [0-9].*\)/- \1/p' roslyn.log)
EOF
finish
