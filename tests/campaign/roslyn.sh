#!/bin/bash
# roslyn.sh - tests/conformance/roslyn on the suites that PUBLIC names, projects of tests for .NET 10: hits, outcomes, arms and sentences
# against what a rewritten copy counts itself; BUILD_OPTIONS and TEST_OPTIONS as there. Writes its section to $RELIABILITY_DIR/roslyn.md.
. "$(dirname "$0")/../e2e/lib.sh"

section=${RELIABILITY_DIR:-$temp}/roslyn.md
printf '## Suites that people wrote\n\n' >"$section"
if [ -z "${PUBLIC:-}" ]; then
    skip "public suites beside copies that count" "PUBLIC names none"
    echo 'Left out: no suite was named (`PUBLIC=PROJECT`).' >>"$section"
    finish
fi
# table: of the lines `# ASSEMBLY: NUMBER what` of all logs. Sentences: those that name an outcome, an arm, or what was never called.
table() {
    awk '/^# [^ ]+: [0-9]+ / {
            name = $2 " "
            sub(/: $/, "", name)
            what = $4 == "sentences" && $6 == "what" && $7 == "is" ? "" : $4
            if (!(name in known))
                names[++count] = name
            known[name]
            sum[name, NF == 4 || $4 == "sentences" ? what : what " left"] += NF > 4 || $4 != "sentences" ? $3 : 0
        }
        END {
            for (i = 1; i <= count; i++)
                printf "| %s | %d | %d | %d | %d | %d | %d |\n", name = names[i], sum[name, "lines"], sum[name, "conditions"],
                    sum[name, "switches"], sum[name, "sentences"], sum[name, "lines left"], sum[name, "conditions left"] + sum[name, "switches left"]
        }' ./*.log
}

# Each in a run of its own, so that the others go on if it does not build.
for project in $PUBLIC; do
    project=$(cd "$OLDPWD" && realpath "$project")
    suite=$(basename "$project" .csproj)
    bash "$top/tests/conformance/roslyn/run.sh" "$project" >"$suite.log" 2>&1
    same "$suite: no difference to a copy that counts" 0 $?
    grep -v '^# left' "$suite.log"
done
cat >>"$section" <<EOF
Statements, outcomes, arms and sentences of these suites, as ilcov reports them, against a copy of each that Roslyn has rewritten so that it counts
them itself. What differs between two runs, is not counted by the copy, or does not compile when rewritten, is left out.

| assembly | lines | conditions | switches | sentences | left out: lines | conditions |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
$(table)
EOF
finish
