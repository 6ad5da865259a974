#!/bin/bash
# `ilcov affected`: which tests a change needs. A suite is measured once with --per-test; then its code is edited in many ways, each of
# which needs tests that are known: those that run what changed, no more, and all of them where nobody can know.
. "$(dirname "$0")/lib.sh"

cd "$temp" || exit 1
library Shop
test_project Shop.Tests Shop
sed -i 's|<ItemGroup>|<ItemGroup><None Update="data.txt" CopyToOutputDirectory="PreserveNewest" /></ItemGroup>&|' \
    Shop.Tests/Shop.Tests.csproj
cat >Shop/Order.cs <<'CS'
namespace Shop;
public interface IDiscount { decimal Of(decimal price); }
public class NoDiscount : IDiscount { public virtual decimal Of(decimal price) => price; }
public class Halved : NoDiscount
{
    public override decimal Of(decimal price) => price / 2;
}
public enum Size { Small, Large }
public record Item(string Name, decimal Price);
public class Order
{
    public const int Most = 10;
    static readonly Dictionary<string, int> Stock = Load();
    static Dictionary<string, int> Load() => new() { ["a"] = 1 };
    readonly List<Item> items = new();
    public bool Add(Item item)
    {
        if (items.Count == Most)
            return false;
        items.Add(item);
        return true;
    }
    public decimal Total(IDiscount discount)
    {
        decimal sum = 0;
        foreach (var item in items)
            sum += discount.Of(item.Price);
        return sum;
    }
    public static bool InStock(string name) => Stock.ContainsKey(name);
    public async Task<int> Later(int n) { int twice = n * 2; await Task.Yield(); return twice + 1; }
    public IEnumerable<string> Names(int skip) { int k = skip; return items.Where(i => i.Name.Length > k).Select(i => i.Name); }
    public int Unused() => 1;
}
public static class Text
{
    public static string Of(Size size) => size.ToString();
    public static string Up(string s) => s.ToUpperInvariant();
}
CS
cat >Shop.Tests/OrderTests.cs <<'CS'
using Shop;
using Xunit;
namespace Suite;
static class Make
{
    public static Order Full() { var order = new Order(); while (order.Add(new Item("x", 1))) { } return order; }
    public static Item Cheap() => new("cheap", 1);
}
public class OrderTests
{
    readonly Order order = new();
    [Fact] public void Adds() => Assert.True(order.Add(Make.Cheap()));
    [Fact] public void Refuses() => Assert.False(Make.Full().Add(new Item("y", 2)));
    [Fact] public void Halves() { order.Add(new Item("z", 4)); Assert.Equal(2, order.Total(new Halved())); }
    [Fact] public void Plain() { order.Add(new Item("z", 4)); Assert.Equal(4, order.Total(new NoDiscount())); }
    [Fact] public async Task Later() => Assert.Equal(5, await order.Later(2));
    [Fact] public void Names() { order.Add(new Item("long", 4)); Assert.Single(order.Names(2)); }
}
public class TextTests
{
    [Fact] public void Up() => Assert.Equal("A", Text.Up("a"));
    [Theory, InlineData(Size.Small), InlineData(Size.Large)] public void Sizes(Size size) => Assert.NotEmpty(Text.Of(size));
    [Fact(Skip = "later")] public void Skipped() => Text.Up("b");
    [Fact] public void Reads() => Assert.StartsWith("hello", File.ReadAllText("data.txt"));
}
public class StockTests
{
    [Fact] public void In() => Assert.True(Order.InStock("a"));
}
CS
echo hello >Shop.Tests/data.txt
made dotnet build Shop.Tests --nologo
output=Shop.Tests/bin/Debug/net10.0
mkdir -p kept/src kept/out && cp -r Shop Shop.Tests kept/src && rm -r kept/src/*/bin

build_suite() {
    recompiled Shop.Tests "$output" "-r:$output/Shop.dll" "-r:$output/xunit.core.dll" "-r:$output/xunit.assert.dll"
}
build_both() {
    recompiled Shop "$output"
    build_suite
}
build_both
mkdir "$output/circle"
ln -s . "$output/circle/a"
ln -s .. "$output/circle/b"
cp "$output"/Shop*.dll "$output"/Shop*.pdb kept/out
limited "$ILCOV" run -q --per-test --root . -d base.ilcov -f none -- dotnet test "$output/Shop.Tests.dll" >run.log 2>&1
same "the tests pass" 0 $?
check "links that lead back say nothing" bash -c '! grep -q "not checked" run.log'

# selected [OPTION...]: the tests, in one line and without the namespace.
selected() {
    limited "$ILCOV" affected -d base.ilcov "$@" "$output" 2>affected.err | sed 's/^Suite\.//' | tr '\n' ' '
}
# edit WHAT EXPECTED FILE SED: the tests that the edit needs.
all="OrderTests.Adds OrderTests.Halves OrderTests.Later OrderTests.Names OrderTests.Plain OrderTests.Refuses StockTests.In TextTests.Reads \
TextTests.Sizes TextTests.Skipped TextTests.Up "
orders="OrderTests.Adds OrderTests.Halves OrderTests.Later OrderTests.Names OrderTests.Plain OrderTests.Refuses "
unedited() {
    cp -r kept/src/. .
    cp kept/out/* "$output"
}
edit() {
    local what=$1 expected=$2 file=$3
    shift 3
    unedited
    sed -i "$@" "$file"
    if cmp -s "$file" "kept/src/$file"; then
        not_ok "$what: nothing was edited"
        return
    fi
    case $file in
    "$code") build_both ;;
    "$suite") build_suite ;;
    esac
    same "$what" "$expected" "$(selected)"
}

# --- what needs no test ------------------------------------------------------------------------------------------------

same "no change" "" "$(selected)"
check "... a test that was skipped stays so, which it says" grep -q '1 test was not run before' affected.err
code=Shop/Order.cs suite=Shop.Tests/OrderTests.cs
edit "comments and blank lines" "" $code 's|^public class Order$|// an order\n\n&|'
edit "a local, also across an await" "" $code 's/twice/doubled/g'
edit "a local and a parameter that lambdas capture" "" $code 's/int k = skip/int q = skip/;s/i => i.Name.Length > k/j => j.Name.Length > q/'
edit "members in another order" "" $code '/public int Unused/d;s|^public class Order$|&|;s|    public bool Add(Item item)|    public int Unused() => 1;\n&|'
edit "code that no test runs" "" $code 's/Unused() => 1/Unused() => 2/'
edit "a method that nothing calls" "" $code 's/    public int Unused/    public int More() => 3;\n&/'
edit "types before those that methods take" "" $code 's/^public enum Size/public enum Colour { Red }\n&/'

# --- code --------------------------------------------------------------------------------------------------------------

edit "a method" "OrderTests.Halves " $code 's|price / 2|price * 0.5m|'
edit "a lambda" "OrderTests.Names " $code 's/Length > k/Length >= k/'
edit "an async method" "OrderTests.Later " $code 's/twice + 1/twice + 2 - 1/'
edit "a constant: who uses it" "OrderTests.Adds OrderTests.Halves OrderTests.Names OrderTests.Plain OrderTests.Refuses " $code 's/Most = 10/Most = 9/'
edit "a field's initialiser: who makes one" "$orders" $code 's/items = new()/items = new(8)/'
edit "an override that is gone" "OrderTests.Halves " $code '/override decimal Of/d'
edit "an override that is new" "OrderTests.Halves " $code 's/    public override decimal Of/    public override string ToString() => "";\n&/'
edit "an override of a base that is new: also who makes what derives from it" "OrderTests.Halves OrderTests.Plain " \
    $code 's/public class NoDiscount : IDiscount {/& public override string ToString() => "";/'

# --- declarations ------------------------------------------------------------------------------------------------------

edit "a value of an enum: who names the enum" "TextTests.Sizes " $code 's/{ Small, Large }/{ Small, Large, Huge }/'
edit "a record's member" "$orders" $code 's/decimal Price)/decimal Price, int Count = 1)/'
edit "an attribute: who names the type" "OrderTests.Halves " $code 's/public class Halved/[Obsolete] &/'

# --- tests -------------------------------------------------------------------------------------------------------------

edit "a test" "TextTests.Up " $suite 's/Text.Up("a"))/Text.Up("a"), true)/'
edit "a helper: who uses it" "OrderTests.Adds " $suite 's/new("cheap", 1)/new("cheap", 2)/'
edit "a row of a theory" "TextTests.Sizes " $suite 's/InlineData(Size.Large)/InlineData(Size.Small)/'
edit "what runs around the tests of a class" "$orders" $suite 's/readonly Order order = new();/& readonly int more = 3;/'
edit "a new test" "StockTests.Out " $suite 's/    \[Fact\] public void In/    [Fact] public void Out() => Assert.False(Order.InStock("b"));\n&/'
edit "a test that is no longer skipped" "TextTests.Skipped " $suite 's/Fact(Skip = "later")/Fact/'
edit "a test that is gone" "" $suite '/public void Up/d'

# --- all tests, and why ------------------------------------------------------------------------------------------------

# because WHAT REASON FILE SED
because() {
    local what=$1 reason=$2
    shift 2
    edit "$what: all tests" "$all" "$@"
    check "... because" grep -qF -- "$reason" affected.err
}
because "a static constructor" "it ran in the static constructor of Shop.Order" $code 's/\["a"\] = 1/["a"] = 2/'
because "a static constructor that is new" "the static constructor of Shop.Text is new" $code 's/public static class Text/&/;s/    public static string Up/    static readonly int more = Math.Abs(-1);\n&/'
because "a project" "Shop/Shop.csproj changed" Shop/Shop.csproj 's/<Nullable>/<LangVersion>latest<\/LangVersion>&/'
unedited
sed -i s/hello/hello!/ "$output/data.txt"
same "a content file: who runs code that reads files" "TextTests.Reads " "$(selected)"
check "... because" grep -qx 'ilcov: tests by cause: 1: data.txt changed, and code that reads files may notice' affected.err
same "... unless it is left out" "" "$(selected --ignore data.txt)"
sed -i s/hello!/hello/ "$output/data.txt"
for file in orders.log result.trx TestResults/data Shop.xml; do
    mkdir -p "$output/TestResults"
    echo more >"$output/$file"
    same "... of any name: $file" "TextTests.Reads " "$(selected)"
    rm "$output/$file"
done
ln -s / "$output/elsewhere"
same "a link to another folder: all tests" "$all" "$(selected)"
same "... unless it is left out" "" "$(selected --ignore elsewhere)"
rm "$output/elsewhere"
echo '<RunSettings/>' >Shop.Tests/my.runsettings
same "run settings: all tests" "$all" "$(selected)"
check "... because" grep -q 'Shop.Tests/my.runsettings is new' affected.err
rm Shop.Tests/my.runsettings
mv "$output/Shop.dll" away.dll
same "an assembly that is not there: all tests" "$all" "$(selected)"
check "... because" grep -q 'Shop is not in the build output' affected.err
mv away.dll "$output/Shop.dll"

# What the build output does not have nobody knows to be gone: a wrong folder, a part of a build.
mkdir -p empty only && cp "$output/Shop.dll" only
ran=${all/TextTests.Skipped /}
for folder in empty only; do
    same "$folder: a test assembly that is not there: all tests that ran" "$ran" \
        "$(limited "$ILCOV" affected -d base.ilcov $folder 2>affected.err | sed 's/^Suite\.//' | tr '\n' ' ')"
    check "... because" grep -q 'Shop.Tests is not in the build output' affected.err
    check "... which counts them" grep -q '10 of 10 tests selected' affected.err
    limited "$ILCOV" affected -d base.ilcov --run -b $folder -- echo the command ran >ran.log 2>&1
    check "... and runs them, without a filter" grep -qx 'the command ran' ran.log
done

# --- causes ------------------------------------------------------------------------------------------------------------

edit "the next ones are about two changes" "OrderTests.Adds OrderTests.Halves OrderTests.Names OrderTests.Plain OrderTests.Refuses " \
    $code 's|price / 2|price * 0.5m|;s/Most = 10/Most = 9/'
same "how many tests each selects, and which one to remove" \
    'ilcov: tests by cause: 5: Shop.Order.Add(Item) changed; 1: Shop.Halved.Of(decimal) changed; 4 fewer without: Shop.Order.Add(Item) changed' \
    "$(grep 'by cause' affected.err)"
why() {
    limited "$ILCOV" affected -d base.ilcov --why "$1" "$output" 2>why.err
}
same "why a test is selected: all causes" "$(printf '%s\n' 'Shop.Halved.Of(decimal) changed' 'Shop.Order.Add(Item) changed')" \
    "$(why Suite.OrderTests.Halves | sort)"
same "... or not: none" "" "$(why Suite.TextTests.Up)"
one_line_about "... which it says" why.err "Suite.TextTests.Up is not selected: nothing that it depends on has changed"
why Suite.TextTests.Missing >out
same "... or no such test: status" 2 $?
one_line_about "... which it says" why.err "--why: there is no test Suite.TextTests.Missing; 'ilcov tests' lists all"

# --- what is printed, and run ------------------------------------------------------------------------------------------

edit "the next ones are about a change" "OrderTests.Halves OrderTests.Names " $code 's|price / 2|price * 0.5m|;s/Length > k/Length >= k/'
same "as a filter of VSTest" "FullyQualifiedName=Suite.OrderTests.Halves|FullyQualifiedName=Suite.OrderTests.Names " "$(selected --filter vstest)"
same "as options of xunit.v3" "--filter-method OrderTests.Halves --filter-method OrderTests.Names " "$(selected --filter mtp)"
same "as options of a program of xunit.v3" "-method OrderTests.Halves -method OrderTests.Names " "$(selected --filter console)"
same "as a path of TUnit" "/*/(Suite)/(OrderTests)/(Halves)|(Names) " "$(selected --filter treenode)"
limited "$ILCOV" affected -d base.ilcov --json "$output" >affected.json 2>affected.err
check "JSON: its schema holds" python3 "$top/tests/support/json_schema.py" --strict "$top/docs/affected.schema.json" affected.json
limited "$ILCOV" affected -d base.ilcov --run -b "$output" -- \
    "$ILCOV" run -q --partial --per-test --root . -d part.ilcov -f none -- dotnet test "$output/Shop.Tests.dll" >run.log 2>&1
same "run: status" 0 $?
check "... these tests, and no other" grep -q 'Total: *2,' run.log
limited "$ILCOV" merge -q --carry base.ilcov -o whole.ilcov part.ilcov
same "carried beside them are the others: no test is affected" "" "$(limited "$ILCOV" affected -d whole.ilcov "$output" 2>affected.err)"
check "... a test that was skipped still rests, which it says" grep -q '1 test was not run before' affected.err
unedited
limited "$ILCOV" affected -d base.ilcov --run -b "$output" -- dotnet test "$output/Shop.Tests.dll" >run.log 2>&1
same "nothing to run: status" 0 $?
check "... which it says" grep -q 'no test is needed: dotnet was not run' run.log

# --- files of a patch --------------------------------------------------------------------------------------------------

unedited
echo one >notes.data
made git init --quiet .
git add Shop/*.cs Shop/*.csproj Shop.Tests/*.cs Shop.Tests/*.csproj Shop.Tests/data.txt notes.data
git -c user.name=a -c user.email=a@example.org commit --quiet -m base

same "patch: no change" "" "$(selected --patch HEAD)"
edit "the next ones are about a change" "OrderTests.Halves " $code 's|price / 2|price * 0.5m|'
same "patch: the build decides about code" "OrderTests.Halves " "$(selected --patch HEAD)"
echo two >notes.data
same "... and the patch about other files: who runs code that reads files" "OrderTests.Halves TextTests.Reads " "$(selected --patch HEAD)"
check "... because" grep -q 'notes.data changed, and code that reads files may notice' affected.err
git diff HEAD >a.patch
same "... also one in a file" "OrderTests.Halves TextTests.Reads " "$(selected --patch a.patch)"
same "... unless it is left out" "OrderTests.Halves " "$(selected --patch HEAD --ignore notes.data)"
limited "$ILCOV" affected -d base.ilcov --patch nowhere...HEAD "$output" 2>err
same "patch: a revision that is not there: status" 2 $?
check "... which it says" grep -q -- '--patch nowhere...HEAD: ' err

# --- without a build ---------------------------------------------------------------------------------------------------

same "the run's own folders are the build if none is named" "OrderTests.Halves " \
    "$(limited "$ILCOV" affected -d base.ilcov 2>affected.err | sed 's/^Suite\.//' | tr '\n' ' ')"
for file in $code $suite; do
    unedited
    echo '// more' >>$file
    limited "$ILCOV" affected -d base.ilcov --patch HEAD >out 2>err
    same "$file changed, and was not built: status" 3 $?
    check "... no test is selected" test ! -s out
    one_line_about "... what to do" err "$file has changed since the last build: build first, or name the BUILD-OUTPUT"
done
unedited
mv "$output" away
limited "$ILCOV" affected -d base.ilcov >out 2>err
same "no build at all: status" 2 $?
check "... what to do" grep -q 'the folders of the run in base.ilcov are gone: build first, or name the BUILD-OUTPUT' err
mv away "$output"

# --- refusals ----------------------------------------------------------------------------------------------------------

limited "$ILCOV" affected -d base.ilcov nowhere 2>err
same "a build that is not there: status" 3 $?
check "... and what to do" grep -q 'nowhere does not exist: name the folder' err
limited "$ILCOV" affected -d base.ilcov "$output/Shop.Tests.deps.json" 2>err
same "a file that is no build: status" 3 $?
check "... which it says" grep -q 'Shop.Tests.deps.json is a file, not an assembly: name the folder' err
mkdir -p Shop/Empty
limited "$ILCOV" affected -d base.ilcov --root Shop/Empty "$output" 2>err
same "a root that leaves sources out: status" 3 $?
check "... which would leave tests out" grep -q 'Shop/Empty does not contain all sources, such as .*: name a folder that does' err
named() {
    (cd "$output" && limited "$ILCOV" affected -d "$temp/base.ilcov" --root "$temp" Shop.dll Shop.Tests.dll 2>"$temp/affected.err") |
        sed 's/^Suite\.//' | tr '\n' ' '
}
same "assemblies by their names: no test is affected" "" "$(named)"
echo >>"$output/data.txt"
same "... and a file beside them" "TextTests.Reads " "$(named)"
sed -i '$d' "$output/data.txt"
limited "$ILCOV" affected -d base.ilcov --run 2>err
same "--run without a command: status" 2 $?
limited "$ILCOV" run -q --root . -d plain.ilcov -f none -- dotnet test "$output/Shop.Tests.dll" >run.log 2>&1
limited "$ILCOV" affected -d plain.ilcov "$output" 2>err
same "data without tests: status" 3 $?
check "... and what to do" grep -q "ilcov run --per-test' records it" err

finish
