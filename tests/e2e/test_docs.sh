#!/bin/bash
# Every command in README.md and docs/ does what its page says: each block is run in a copy of a small repository, and the files
# that its commands write exist afterwards. `dotnet` there starts a program that does what tests would do, because `dotnet test`
# takes seconds; docs/getting-started.md has the real one.
. "$(dirname "$0")/lib.sh"

commands=$top/tests/support/docs_commands.py

if ! python3 -c 'import yaml' 2>/dev/null; then
    skip "the commands in the pages" "no python3-yaml"
    finish
fi
check "the pages name verbs and options that ilcov has" python3 "$commands" options "$top" "$ILCOV"
check "each option of other tools has a row" python3 "$commands" peers "$top"
mkdir blocks
check "each reason in docs_commands.txt is that of a command" python3 "$commands" scripts "$top" "$temp/blocks"

# --- the definitions ------------------------------------------------------------------------------------------------------

mkdir examples
check "the definitions have examples" python3 "$top/tests/support/docs_examples.py" sources "$top/docs/definitions.md" "$temp/examples"
compiled examples Debug
measure examples --root "$temp/examples" -- dotnet "$program"
same "the examples run" 0 "$status"
expected "each line of an example has the hits and branches that the page states" examples.xml "$temp/examples"
check "each example is one method, of the complexity that the page states" \
    python3 "$top/tests/support/docs_examples.py" methods "$temp/examples" examples.xml

# --- the repository of a reader ------------------------------------------------------------------------------------------

# What `ilcov env` leaves, and nobody collects, goes with the rest.
mkdir sessions
export ILCOV_SESSION_DIR=$temp/sessions
real=$(command -v dotnet)
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
mkdir -p commands stand-ins work/out work/src work/tests/{Unit,Integration,Web,App.Tests}

# assembly NAME [SOURCE|OPTION...]: into work/out.
assembly() {
    local assembly=$1
    shift
    mkdir "$temp/$assembly"
    printf 'global using System%s;\n' '' .Collections.Generic .Linq .Threading .Threading.Tasks >"$temp/$assembly/Usings.cs"
    compiled "$assembly" Debug "$@"
    cp "$temp/$assembly.Debug/$assembly".* "$temp/work/out"
}

cp -r "$top/fixtures/sample/src/Calculator" work/src/Calculator
rm -rf work/src/Calculator/{bin,obj}
mkdir work/src/Orders
cat >work/src/Orders/Order.cs <<'CS'
public static class Order
{
    public static int Total(bool vip, int rush)
    {
        if (vip && rush > 1)
        {
            return 1;
        }

        return 0;
    }
}
CS
mkdir work/src/Web
sed 's/Order/Startup/' work/src/Orders/Order.cs >work/src/Web/Startup.cs
yes '//' | head -n 60 | tee -a work/src/Orders/Order.cs >>work/src/Web/Startup.cs
# What refers to a framework of tests is tests, for ilcov.
echo 'namespace Xunit { public class FactAttribute : System.Attribute { } }' >fact.cs
cat >work/tests/App.Tests/Tests.cs <<'CS'
using Calculator;

public static class Tests
{
    [Xunit.Fact]
    public static async Task Main(string[] arguments)
    {
        foreach (char operation in "+-*/")
        {
            Arithmetic.Apply(operation, 1, 2);
        }

        Arithmetic.Power(2, 10);
        Order.Total(true, 0);
        Startup.Total(true, 2);
        Startup.Total(false, 0);
        var calculation = new Calculation().Then('+', 4);
        calculation.TryThen('/', 0);
        await calculation.RepeatAsync('+', 2, 3);
        if (!arguments.Contains("few"))
        {
            calculation.TryThen('+', 1);
            _ = $"{calculation} {calculation.Steps.Count}";
            _ = new Statistics([1, 2, 3]).Mean + new Statistics([]).Mean + new Statistics([]).Median;
            _ = new Statistics([1, 2]).StandardDeviation() + new Statistics([9, 1, 5]).Median + new Statistics([9]).Count;
        }
    }
}
CS
# Ends by itself, should nobody end it.
mkdir work/src/Server
cat >work/src/Server/Program.cs <<'CS'
Console.WriteLine("serving");
for (int i = 0; i < 600; i++)
{
    Serve(i);
    Thread.Sleep(100);
}

static void Serve(int i) => Thread.Sleep(i % 2);
CS
assembly xunit.core -target:library "$temp/fact.cs"
assembly App -target:library "$temp"/work/src/{Calculator,Orders,Web}/*.cs
assembly App.Tests "-r:$temp/work/out/xunit.core.dll" "-r:$temp/work/out/App.dll" "$temp/work/tests/App.Tests/Tests.cs"
assembly Server "$temp/work/src/Server/Program.cs"
mkdir served && mv work/out/Server.* served

cat >stand-ins/dotnet <<SH
#!/bin/bash
# The real one, but for tests; all is built.
[ "\$1" != build ] || exit 0
[ "\$1" != test ] || exec '$real' exec '$temp/work/out/App.Tests.dll' "\$@"
exec '$real' "\$@"
SH
# What somebody ends with Ctrl-C is ended here once it counts.
cat >commands/ilcov <<SH
#!/bin/bash
[ "\$1" = attach ] || exec '$ILCOV' "\$@"
rm -f attach.said # of the one before, which counted
'$ILCOV' "\$@" 2>attach.said &
for _ in \$(seq 2400); do
    ! grep -qs counting attach.said && kill -0 \$! 2>/dev/null || break
    sleep 0.05
done
kill \$! 2>/dev/null
wait \$!
status=\$?
cat attach.said
exit \$status
SH
printf '#!/bin/bash\n[ "$1" != -u ] || shift 2\nexec "$@"\n' >commands/sudo
printf '#!/bin/bash\ntest -f "${1#file://}"\n' >commands/browser
chmod +x commands/* stand-ins/*
cd work || exit 2
echo '<Solution><Project Path="src/Calculator/Calculator.csproj" /></Solution>' >Shop.slnx
printf '#!/bin/bash\nexec dotnet ../served/Server.dll\n' >server
printf '#!/bin/bash\nexec dotnet test\n' >integration-tests.sh
chmod +x server integration-tests.sh
echo 'test-jobs: {}' >jobs.yml
# runsettings FILE COLLECTOR CONFIGURATION
runsettings() {
    echo "<RunSettings><DataCollectionRunSettings><DataCollectors><DataCollector friendlyName='$2'><Configuration>$3</Configuration>\
</DataCollector></DataCollectors></DataCollectionRunSettings></RunSettings>" >"$1"
}
runsettings coverlet.runsettings 'XPlat Code Coverage' '<Exclude>[*]*.Migrations.*</Exclude><SingleHit>true</SingleHit>'
runsettings my.runsettings 'Code Coverage' ''
mkdir -p Tests Properties
echo '{}' | tee Tests/testconfig.json >Properties/launchSettings.json
runsettings tests.runsettings 'Code Coverage' '<CodeCoverage><SkipAutoProperties>True</SkipAutoProperties></CodeCoverage>'

# The branch adds the second half of a class.
statistics=src/Calculator/Statistics.cs
cp $statistics "$temp/statistics"
added=$(grep -n 'public double Median' $statistics | cut -d: -f1)
{ head -n $((added - 2)) "$temp/statistics" && echo '}'; } >$statistics
printf 'out/\n*.ilcov\ncoverage*\n' >.gitignore
made git init --quiet --template= --initial-branch=main .
made git add .
made git commit --quiet --message=first
made git update-ref refs/remotes/origin/main main
made git checkout --quiet -b change
cp "$temp/statistics" $statistics
made git commit --quiet --all --message=second

PATH=$temp/commands:$PATH
path=$PATH
PATH=$temp/stand-ins:$PATH
for name in base nightly; do
    made ilcov run -q -d $name.ilcov -f none -- dotnet test few
done
made ilcov run -q -- dotnet test
for name in head shard1 shard2 shard3 unit e2e; do
    made ilcov run -q -d $name.ilcov -f none -- dotnet test
done
made ilcov report -q -f cobertura=theirs.xml base.ilcov
made ilcov merge -q -o all.ilcov shard1.ilcov shard2.ilcov
made git gc --quiet # it is copied for each block
cd "$temp" || exit 2
cp -a work pristine
mkdir -p pipeline/coverage-{Unit,Web} runner
cp work/shard1.ilcov pipeline/coverage-Unit/Unit.ilcov
cp work/shard2.ilcov pipeline/coverage-Web/Web.ilcov

# --- the blocks -----------------------------------------------------------------------------------------------------------

export BROWSER=$temp/commands/browser
export GITHUB_ENV=$temp/runner/env GITHUB_STEP_SUMMARY=$temp/runner/summary.md RUNNER_TEMP=$temp/runner GITHUB_WORKSPACE=$temp/work
export CI_PROJECT_DIR=$temp/work CI_DEFAULT_BRANCH=main SHARD=Unit COVERAGE_COMMAND='dotnet test' COVERAGE_PATCH=80 PIPELINE_WORKSPACE=$temp/pipeline
export SAID=$temp/said PLACE=$temp/place

cat >judge.sh <<'SH'
# judge STATUS EXPECTED WHAT FILE...: of the command whose output is in $SAID.
judge() {
    local status=$1 expected=$2 what=$3 file
    shift 3
    if [ "$status" != "$expected" ]; then
        printf 'not ok - %s\n#   exit status %s instead of %s\n' "$what" "$status" "$expected"
        tail -n 20 "$SAID" | sed 's/^/#   /'
        return
    fi
    for file; do
        if [ ! -e "$file" ]; then
            printf 'not ok - %s\n#   did not write %s\n' "$what" "$file"
            return
        fi
    done
    printf 'ok - %s\n' "$what"
}
# printed WHAT LINE: is it in the output?
printed() {
    grep -qxF -e "$2" "$SAID" || printf 'not ok - %s\n#   did not print: %s\n' "$1" "$2"
}
not_run() {
    printf 'skip - %s\n#%s\n' "$1" "$2"
}
# What a GitHub runner does after a step.
settle() {
    local line
    [ ! -s "$GITHUB_ENV" ] || while IFS= read -r line; do
        export "${line?}"
    done <"$GITHUB_ENV"
}
trap 'pwd >"$PLACE"; kill $(jobs -p) 2>/dev/null' EXIT
SH

# server [measured]: a program to look into. Sets PROGRAM, and SESSION where it is measured.
server() {
    if [ $# -gt 0 ]; then
        ilcov env --control --session-dir "$temp/runner" >"$temp/variables" 2>/dev/null || return
        SESSION=$(. "$temp/variables" && printf '%s\n' "$ILCOV_SESSION")
        export SESSION
    else
        : >"$temp/variables"
    fi
    rm -f "$temp/served/said" # of the last one, which was ready
    (. "$temp/variables" && exec "$real" exec "$temp/served/Server.dll") >"$temp/served/said" 2>&1 &
    export PROGRAM=$!
    for _ in $(seq 2400); do
        ! grep -qs serving "$temp/served/said" || break
        sleep 0.05
    done
}

while IFS=$'\t' read -r block page line; do
    PROGRAM=
    if [ "$page" = docs/getting-started.md ]; then
        mkdir -p "$temp/started"
        PATH=$path
        cd "$(cat "$temp/place.started" 2>/dev/null || echo "$temp/started")" || exit 2
    else
        PATH=$temp/stand-ins:$path
        rm -rf "$temp/work" "$temp/runner"
        cp -a "$temp/pristine" "$temp/work"
        mkdir "$temp/runner"
        cd "$temp/work" || exit 2
        if grep -q 'ilcov \(attach\|stacks\)' "$temp/blocks/$block"; then
            server
        elif grep -q 'PROGRAM\|SESSION\|ilcov ps' "$temp/blocks/$block"; then
            server measured
        fi
    fi
    cat "$temp/judge.sh" "$temp/blocks/$block" >"$temp/block.sh"
    limited bash "$temp/block.sh" >"$temp/judged" 2>&1 || echo "not ok - $page:$line ends early" >>"$temp/judged"
    [ "$page" != docs/getting-started.md ] || mv "$PLACE" "$temp/place.started"
    [ -z "$PROGRAM" ] || { kill -9 "$PROGRAM" && wait "$PROGRAM"; } 2>/dev/null
    while IFS= read -r said; do
        case $said in
        "ok - "*) ok "${said#ok - }" ;;
        "not ok - "*) not_ok "${said#not ok - }" ;;
        "skip - "*) what=${said#skip - } ;;
        "#   "*) printf '%s\n' "$said" ;;
        "#"*) printf 'ok - %s # not run: %s\n' "$what" "${said#\#}" ;;
        *) printf '#   %s\n' "$said" ;;
        esac
    done <"$temp/judged"
done <"$temp/blocks/order"
# What GitLab would read in the log.
cd "$temp/work" || exit 2
limited ilcov run -- dotnet test >"$temp/log" 2>&1
pattern=$(sed -n "s,^ *coverage: '/\(.*\)/'$,\1,p" "$top/docs/ci/gitlab-template.yml")
same "the template's expression finds the total in the log, once" "$(sed -n 's/^Total *\([0-9.]*\)%.*/\1/p' "$temp/log")" \
    "$(python3 -c 'import re, sys; print("\n".join(re.findall(sys.argv[1], open(sys.argv[2]).read())))' "$pattern" "$temp/log")"
cd "$temp" || exit 2
rm -rf work pristine started pipeline runner
finish
