#!/bin/bash
# Shards of one solution merged in every order, what BASE covered carried to HEAD, and data files that are no data files.
. "$(dirname "$0")/lib.sh"
mutations=200
! long || mutations=1000

# --- a solution, and one run of it for each class of tests -----------------------------------------------------------
frameworks=net10.0
if dotnet --list-runtimes | grep -q '^Microsoft.NETCore.App 8\.'; then
    frameworks='net8.0;net10.0'
fi
mkdir "$temp/one" || exit 2
cd "$temp/one" || exit 2
frugally
library src/App
test_project tests/App.Tests src/App
solution App src/App tests/App.Tests
sed -i "s|<TargetFramework>.*</TargetFramework>|<TargetFrameworks>$frameworks</TargetFrameworks>|" src/App/App.csproj \
    tests/App.Tests/App.Tests.csproj
cat >src/App/Price.cs <<'CS'
namespace App;

public class Price
{
    public int Of(bool member, bool many)
    {
        if (member && many)
        {
            return 5;
        }

        return member ? 7 : 10;
    }

    public string Kind(int number) => number switch
    {
        1 => "one",
        2 => "two",
        _ => "many",
    };

    public int Sum(IEnumerable<int> numbers) => numbers.Where(n => n > 0).Sum();
}
CS
for class in A B C; do
    case $class in
    A) body='Assert.Equal(5, new Price().Of(true, true)); Assert.Equal("one", new Price().Kind(1));' ;;
    B) body='Assert.Equal(7, new Price().Of(true, false)); Assert.Equal(3, new Price().Sum([1, -1, 2]));' ;;
    C) body='Assert.Equal(10, new Price().Of(false, true)); Assert.Equal("two", new Price().Kind(2));' ;;
    esac
    cat >"tests/App.Tests/Tests$class.cs" <<CS
namespace App.Tests;

public class Tests$class
{
    [Fact]
    public void Test()
    {
        $body
    }
}
CS
done
made dotnet build

# shard NAME OPTION... [-- FILTER]
shard()
{
    local data=$1 filter=()
    shift
    local options=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    [ $# -gt 1 ] && filter=(--filter "$2")
    limited "$ILCOV" run -q --deterministic --data "$temp/$data.ilcov" --format "cobertura=$temp/$data.xml" ${options[@]+"${options[@]}"} \
        -- dotnet test --no-build ${filter[@]+"${filter[@]}"} >"$temp/out" 2>"$temp/err" || not_ok "$data is measured" "$temp/err"
}

merge()
{
    limited "$ILCOV" merge "$@" >"$temp/out" 2>"$temp/err"
    status=$?
}

report()
{
    limited "$ILCOV" report --deterministic --format "cobertura=${1%.ilcov}.xml" "$@" >"$temp/out" 2>"$temp/err"
    status=$?
}

shard a -- FullyQualifiedName~TestsA
shard b -- FullyQualifiedName~TestsB
shard c -- FullyQualifiedName~TestsC
shard whole
cd "$temp" || exit 2

# --- every order, every grouping -------------------------------------------------------------------------------------
different=
for order in 'a b c' 'a c b' 'b a c' 'b c a' 'c a b' 'c b a'; do
    read -ra names <<<"$order"
    merge -q -o all.ilcov "${names[@]/%/.ilcov}" && report all.ilcov && cmp -s all.xml whole.xml || different="$different ($order)"
    [ -e first.ilcov ] || cp all.ilcov first.ilcov
    cmp -s all.ilcov first.ilcov || different="$different ($order: bytes)"
done
same "shards merged in any order have the report of one run" "" "$different"
merge -q -o ab.ilcov a.ilcov b.ilcov
merge -q -o bc.ilcov c.ilcov b.ilcov
merge -q -o again.ilcov ab.ilcov bc.ilcov a.ilcov
check "so have merged files that have runs in common" cmp again.ilcov first.ilcov
check "each half alone has less" test "$(grep -c 'hits="0"' <(report ab.ilcov && cat ab.xml))" -gt "$(grep -c 'hits="0"' whole.xml)"
merge -q --squash -o squashed.ilcov a.ilcov b.ilcov c.ilcov
report squashed.ilcov
check "so has a squashed file" cmp squashed.xml whole.xml
rm -f refused.ilcov
merge -o refused.ilcov squashed.ilcov b.ilcov
same "a squashed file and a run in it: exit status" 3 "$status"
one_line_about "a squashed file and a run in it are named" err "squashed.ilcov was squashed, and b.ilcov"
check "nothing is written then" test ! -e refused.ilcov
merge -o all.ilcov a.ilcov b.ilcov c.ilcov
if [ "$frameworks" != net10.0 ]; then
    check "target frameworks are united method by method, and it says so" grep -q 'App: 2 builds; .* the same code' err
else
    skip "target frameworks are united method by method, and it says so" "one runtime is installed"
fi

# --- damage ----------------------------------------------------------------------------------------------------------
head -c 20000 b.ilcov >cut.ilcov
merge -o part.ilcov a.ilcov cut.ilcov c.ilcov
same "a damaged shard is skipped: exit status" 0 "$status"
check "a damaged shard is named" grep -q '^ilcov: cut.ilcov: damaged.*skipped' err
merge --strict -o strict.ilcov a.ilcov cut.ilcov c.ilcov
same "a damaged shard under --strict: exit status" 3 "$status"
one_line_about "a damaged shard under --strict is named" err "cut.ilcov: damaged"
check "a damaged shard under --strict: nothing is written" test ! -e strict.ilcov

# byte OFFSET VALUE FILE
byte()
{
    # shellcheck disable=SC2059
    printf "\\x$(printf %02x "$2")" | dd of="$3" bs=1 seek="$1" conv=notrunc status=none
}

# refused WHAT FILE WORD: a report of it gives 3 and one line.
refused()
{
    rm -f "${2%.ilcov}.xml"
    report "$2"
    same "$1: exit status" 3 "$status"
    one_line_about "$1: one line" err "$3"
    check "$1: no report" test ! -e "${2%.ilcov}.xml"
}

cp a.ilcov newer.ilcov
byte 63 200 newer.ilcov
refused "a newer version" newer.ilcov "has version 200, and this ilcov reads version 1: update ilcov"
cp a.ilcov other.ilcov
byte 68 0 other.ilcov
refused "another SQLite database" other.ilcov "is not a data file of ilcov"
refused "a truncated file" cut.ilcov "damaged"
: >empty.ilcov
refused "an empty file" empty.ilcov "is not a data file of ilcov"

report a.ilcov
cat >damage.py <<'PY'
# ILCOV TIMES: changes one to three bytes of a.ilcov at random. A report of it is that of a.ilcov, or it is refused with status 3,
# one line and no report.
import os, random, subprocess, sys

program, times = sys.argv[1], int(sys.argv[2])
random.seed(20261121)
whole = open("a.ilcov", "rb").read()
report = open("a.xml", "rb").read()
same = refused = 0
for i in range(times):
    damaged = bytearray(whole)
    for _ in range(random.randint(1, 3)):
        damaged[random.randrange(len(damaged))] = random.randrange(256)
    with open("m.ilcov", "wb") as file:
        file.write(damaged)
    if os.path.exists("m.xml"):
        os.remove("m.xml")
    run = subprocess.run([program, "report", "--deterministic", "--format", "cobertura=m.xml", "m.ilcov"],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
    written = os.path.exists("m.xml")
    if run.returncode == 0 and written and open("m.xml", "rb").read() == report:
        same += 1
    elif run.returncode == 3 and run.stderr.count(b"\n") == 1 and not written:
        refused += 1
    else:
        os.rename("m.ilcov", f"wrong-{i}.ilcov")
        print(f"{i}: status {run.returncode}")
print(f"# {refused} refused, {same} the same report", file=sys.stderr)
PY
LIMIT=900 limited python3 damage.py "$ILCOV" $mutations >wrong 2>damage.said
same "random bytes changed, $mutations times: all were tried" 0 $?
same "random bytes changed, $mutations times: the same report, or refused with one line" "" "$(head -n 3 wrong)"
cat damage.said

# --- identity --------------------------------------------------------------------------------------------------------
# codes FOLDER: of each method of App its name and the hash of its code.
codes()
{
    "$ILCOV" inspect "$1/src/App/bin/Debug/net10.0/App.dll" | sed -n 's/^06[0-9a-f]* \(.*\): .* code \([0-9a-f]*\)$/\1 \2/p'
}

cp -r one elsewhere
find elsewhere -name obj -o -name bin | xargs rm -rf
(cd elsewhere/src/App && made dotnet build)
same "built in another directory, every method has its identity" "$(codes one)" "$(codes elsewhere)"
sed -i 's/return 5;/return 6;/; s/^namespace App;/&\n\npublic class Unrelated { public int One() => 1; }/' elsewhere/src/App/Price.cs
(cd elsewhere/src/App && made dotnet build)
same "an edited constant changes the identity of its method alone" "App.Price.Of(System.Boolean,System.Boolean)" \
    "$(diff <(codes one) <(codes elsewhere | grep -v Unrelated) | sed -n 's/^> \(.*\) [0-9a-f]*$/\1/p')"
check "the methods were compared" test "$(codes one | wc -l)" -ge 4

# --- carry -----------------------------------------------------------------------------------------------------------
# hits FILE LINE: of a line of Price.cs
hits()
{
    sed -n "s/.*<line number=\"$2\" hits=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1
}

cd one || exit 2
sed -i 's/"many"/"several"/' src/App/Price.cs
made dotnet build
shard head --partial -- FullyQualifiedName~TestsA
cd "$temp" || exit 2
merge -o carried.ilcov --carry whole.ilcov head.ilcov
same "what did not run is carried: exit status" 0 "$status"
check "it is said how much" grep -q 'carried from whole.ilcov' err
report carried.ilcov
run=$("$ILCOV" inspect whole.ilcov | sed -n 's/^run \([0-9a-f]\{8\}\).*/\1/p')
check "it is said from which run" grep -q "carried.*from run $run" <("$ILCOV" inspect carried.ilcov)
check "an untouched method that did not run has the counts of BASE" test "$(hits carried.xml 22)" -gt 0
same "an untouched method that ran has its own" "$(hits head.xml 7)" "$(hits carried.xml 7)"
same "one that ran keeps what it missed" 0 "$(hits carried.xml 12)"
same "an edited method has its own" "$(hits head.xml 17)" "$(hits carried.xml 17)"
merge -q -o carried-twice.ilcov --carry whole.ilcov carried.ilcov
check "carrying twice changes nothing" cmp carried-twice.ilcov carried.ilcov
# --- names that could control a terminal ------------------------------------------------------------
printf '<coverage><packages><package name="A&#x9b;31m&#x202e;B"><classes><class name="C" filename="c.cs"><lines>%s</lines></class></classes></package></packages></coverage>' \
    '<line number="1" hits="1"/>' >odd.xml
check "a report with an odd name is merged" "$ILCOV" merge -o odd.ilcov odd.xml
"$ILCOV" inspect odd.ilcov >odd.out
check "inspect shows the rest of the name" grep -q '^A.*31m.*B, identity' odd.out
check "but nothing that a terminal obeys" bash -c '! LC_ALL=C grep -qP "\xC2\x9B|\xE2\x80\xAE|\x1B" odd.out'

# --- killed ---------------------------------------------------------------------------------------
# A report of another tool is first a temporary data file, as are merged and carried counts.
awk 'BEGIN { for (i = 0; i < 30000; i++) printf "SF:src/%d.cs\nDA:1,1\nDA:2,0\nDA:3,1\nend_of_record\n", i }' >large.info
# The first such file only tries the folder, and is gone at once. So the merge is stopped before anybody looks whether its file stays;
# if it is through by then, again.
for _ in 1 2 3 4 5 6 7 8; do
    rm -rf killed
    mkdir killed
    "$ILCOV" merge -o killed/all.ilcov large.info >/dev/null 2>&1 &
    victim=$!
    while ! over $victim; do
        if [ -n "$(find killed -name '.*.tmp')" ]; then
            kill -STOP $victim
            [ -z "$(find killed -name '.*.tmp' -size +0)" ] || break
            kill -CONT $victim
        fi
        sleep 0.005
    done
    kill -9 $victim 2>/dev/null
    wait $victim 2>/dev/null
    [ -z "$(find killed -name '.ilcov-*.tmp')" ] || break
done
check "a merge that is killed leaves temporary files" test -n "$(find killed -name '.ilcov-*.tmp')"
same "and none of another name" "" "$(find killed -type f ! -name '.ilcov-*.tmp')"
check "another merge" "$ILCOV" merge -o killed/all.ilcov large.info
same "removes them" all.ilcov "$(ls -A killed)"
check "as does one that carries" "$ILCOV" merge --carry killed/all.ilcov -o killed/all.ilcov large.info
same "which leaves nothing, either" all.ilcov "$(ls -A killed)"

finish
