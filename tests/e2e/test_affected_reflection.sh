#!/bin/bash
# `ilcov affected`: what nothing names. Test frameworks find set-up methods, and code looks at metadata: by reflection, serialisers, calls
# that are bound at run time. A suite of NUnit is measured once; then its code is edited.
. "$(dirname "$0")/lib.sh"

cd "$temp" || exit 1
library Shop
sed -i 's|<PropertyGroup>|&<AllowUnsafeBlocks>true</AllowUnsafeBlocks>|' Shop/Shop.csproj
mkdir Suite
cat >Suite/Suite.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.14.1" />
    <PackageReference Include="NUnit" Version="4.6.1" />
    <PackageReference Include="NUnit3TestAdapter" Version="6.3.0" />
    <ProjectReference Include="../Shop/Shop.csproj" />
  </ItemGroup>
</Project>
XML
cat >Shop/Shop.cs <<'CS'
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Serialization;
[assembly: InternalsVisibleTo("Proxies")]
[assembly: AssemblyMetadata("key", "value")]
namespace Shop;
public interface IPlugin { }
public class First : IPlugin { }
public static class Plugins
{
    public static int Count() => typeof(Plugins).Assembly.GetTypes().Count(t => t.IsClass && t.IsAssignableTo(typeof(IPlugin)));
}
public class Late
{
    public string Kind(object o) => "object";
    public static string Of(object o) { dynamic late = new Late(), any = o; return late.Kind(any); }
}
public class Menu
{
    public void Open() { }
    public static int Entries() => typeof(Menu).GetMethods().Count(m => m.DeclaringType == typeof(Menu));
}
public class Data
{
    public Data() { }
    public required int Id { get; set; }
    public int Age { get; set; }
}
public class Safe { int a = 1, b = 2; public int Sum => a + b; }
public static class Key
{
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "a")] static extern ref int Of(Safe safe);
    public static int Open() => Of(new Safe());
}
[InlineArray(2)] public struct Pair { int first; }
public enum Color { Red, Blue }
public struct Inner { public int A; }
public struct Outer { public Inner Inner; public int B; }
public class Painted { public Color Color; public string Text() => JsonSerializer.Serialize(this, new JsonSerializerOptions { IncludeFields = true, Converters = { new JsonStringEnumConverter() } }); }
public class Leaf { public int Size { get; set; } public string Name { get; set; } = ""; }
public class Twig { public Leaf? Leaf { get; set; } }
public class Tree { public List<Twig> Twigs { get; set; } = []; public static int Grow() => new Tree().Twigs.Count; }
public static class Codes
{
    public const int One = 1, Two = 2;
    public static bool Differ() => typeof(Codes).GetFields().Select(f => f.GetRawConstantValue()).Distinct().Count() == 2;
}
public static class Info { public static string Key => typeof(Info).Assembly.GetCustomAttribute<AssemblyMetadataAttribute>()!.Value!; }
public class Priced { public decimal Of(decimal price = 1.5m) => price; }
public static class Sizes { public static int OfPair() => Unsafe.SizeOf<Pair>(); }
public static class Routes
{
    static Delegate Get() => [Obsolete] (int id) => id;
    public static string Text() => Get().Method.GetCustomAttributes(false).Length + Get().Method.GetParameters()[0].Name;
}
[JsonDerivedType(typeof(Round), "round")] public class Shape { public static string Text(Shape shape) => JsonSerializer.Serialize(shape); }
public class Round : Shape { public int Radius { get; set; } }
[StructLayout(LayoutKind.Sequential)] public class Rows { public int A; public long B; }
public unsafe struct Buffer { public fixed byte Bytes[4]; }
public class Box<T> { public static bool IsOpen() => typeof(Box<T>).IsGenericTypeDefinition; }
public class SourceAttribute(string path, int line) : Attribute { public string At => path + line; }
[Source("/src/a.cs", 1)] public class Sourced { public (int Left, int Right) Pair; }
public static class Native { [DllImport("libc")] public static extern int abs(int n); }
CS
cat >Suite/Suite.cs <<'CS'
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;
using System.Text.Json.Schema;
using NUnit.Framework;
using Shop;
namespace Suite;
public abstract class Prepared
{
    protected int ready = 1;
    [Test] public void Is_ready() => Assert.That(ready, Is.EqualTo(1));
}
public class One : Prepared { [Test] public void Runs() { } }
public class Two
{
    [Placed] public void Counts() => Assert.That(Plugins.Count(), Is.EqualTo(1));
    [Test] public void Anonymous() => Assert.That($"{new { A = 1, B = 2 }}{new { B = 3, C = "4" }}", Is.EqualTo("{ A = 1, B = 2 }{ B = 3, C = 4 }"));
    [Test] public void Binds() => Assert.That(Late.Of(1), Is.EqualTo("object"));
    [Test] public void Lists() => Assert.That(Menu.Entries(), Is.EqualTo(2));
    [Test] public void Reads() => Assert.That(JsonSerializer.Deserialize<Data>("{\"Id\":2}")!.Id, Is.EqualTo(2));
    [Test] public void Opens() => Assert.That(Key.Open(), Is.EqualTo(1));
    [Test] public void Measures() => Assert.That(Sizes.OfPair(), Is.EqualTo(8));
    [Test] public void Lays_out() => Assert.That(Marshal.SizeOf<Outer>(), Is.EqualTo(8));
    [Test] public void Paints() => Assert.That(new Painted().Text(), Is.EqualTo("{\"Color\":\"Red\"}"));
    [Test] public void Draws() => Assert.That(JsonSerializerOptions.Default.GetJsonSchemaAsNode(typeof(Tree)).ToJsonString(), Does.Contain("Size"));
    [Test] public void Plants() => Assert.That(JsonSerializer.Deserialize<Tree>("{}", new JsonSerializerOptions { RespectNullableAnnotations = true })!.Twigs, Is.Empty);
    [Test] public void Grows() => Assert.That(Tree.Grow(), Is.Zero);
    [Test] public void Differ() => Assert.That(Codes.Differ());
    [Test] public void Knows() => Assert.That(Info.Key, Is.EqualTo("value"));
    [Test] public void Routes() => Assert.That(Shop.Routes.Text(), Is.EqualTo("1id"));
    [Test] public void Derives() => Assert.That(Shape.Text(new Shape()), Is.EqualTo("{}"));
    [Test] public void Orders() => Assert.That(Marshal.OffsetOf<Rows>("B"), Is.EqualTo((nint)8));
    [Test] public void Fixes() => Assert.That(Unsafe.SizeOf<Shop.Buffer>(), Is.EqualTo(4));
    [Test] public void Closes() => Assert.That(Box<int>.IsOpen(), Is.False);
    [Test] public void Calls() => Assert.That(Native.abs(-1), Is.EqualTo(1));
    [Test] public void Shapes() => Assert.That($"{new { B = 1, C = 2 }}", Is.Not.Empty);
    [Test] public void Defaults() => Assert.That(typeof(Priced).GetMethod("Of")!.GetParameters()[0].DefaultValue, Is.EqualTo(1.5m));
}
[Ignore("later")] public class Ignored { [Test] public void Waits() { } }
public class Placed([CallerFilePath] string path = "", [CallerLineNumber] int line = 0) : TestAttribute { public string At => path + line; }
public class Named(string name) : Attribute { public string Name => name; }
public abstract class Judge : NUnit.Framework.Constraints.Constraint { }
CS
made dotnet build Suite --nologo
output=Suite/bin/Debug/net10.0
mkdir -p kept/out && cp Shop/Shop.cs Suite/Suite.cs kept

build_suite() {
    recompiled Suite "$output" "-r:$output/Shop.dll" "-r:$output/nunit.framework.dll"
}
build_both() {
    recompiled Shop "$output" -unsafe+
    build_suite
}
build_both
cp "$output"/{Shop,Suite}.{dll,pdb} kept/out
limited "$ILCOV" run -q --per-test --root . -d base.ilcov -f none -- dotnet test "$output/Suite.dll" >run.log 2>&1
same "the tests pass" 0 $?

all="Ignored.Waits One.Is_ready One.Runs Two.Anonymous Two.Binds Two.Calls Two.Closes Two.Counts Two.Defaults Two.Derives Two.Differ Two.Draws Two.Fixes \
Two.Grows Two.Knows Two.Lays_out Two.Lists Two.Measures Two.Opens Two.Orders Two.Paints Two.Plants Two.Reads Two.Routes Two.Shapes "
# with [TEST...]: these, and those that look at metadata.
lookers="Two.Binds Two.Calls Two.Closes Two.Counts Two.Defaults Two.Derives Two.Differ Two.Draws Two.Knows Two.Lays_out Two.Lists Two.Opens Two.Orders \
Two.Paints Two.Plants Two.Reads Two.Routes"
with() {
    printf '%s\n' $lookers "$@" | sort -u | tr '\n' ' '
}
# edit WHAT EXPECTED FILE SED: the tests that the edit needs.
edit() {
    local what=$1 expected=$2 file=$3
    shift 3
    cp kept/Shop.cs Shop && cp kept/Suite.cs Suite && cp kept/out/* "$output"
    sed -i "$@" "$file"
    if [ "$file" = "$suite" ]; then build_suite; else build_both; fi
    same "$what" "$expected" "$(limited "$ILCOV" affected -d base.ilcov "$output" 2>affected.err | sed 's/^Suite\.//' | tr '\n' ' ')"
}
because() {
    local what=$1 reason=$2
    shift 2
    edit "$what: all tests" "$all" "$@"
    check "... because" grep -qF -- "$reason" affected.err
}
shop=Shop/Shop.cs suite=Suite/Suite.cs

edit "comments" "" $shop 's|^public class Menu|// a menu\n&|'
edit "comments above tests whose attributes have their line" "" $suite 's|^namespace Suite;|&\n// a suite\n|'

# --- what a test framework finds ---------------------------------------------------------------------------------------

edit "set-up that is new: the tests of the class" "$(with One.Is_ready One.Runs)" $suite 's/class One : Prepared {/& [SetUp] public void Up() => ready = 2;/'
edit "... of a base: also those of classes that derive from it" "$(with One.Is_ready One.Runs)" $suite 's/    protected int ready/    [OneTimeSetUp] public void Up() => ready = 2;\n&/'
edit "... of a base that is new" "$(with One.Is_ready One.Runs)" $suite 's/^public class One : Prepared/public abstract class Zero : Prepared { [TearDown] public void Down() { } }\npublic class One : Zero/'
because "... around all tests" "Around.Up() is new; Suite.Around runs it" $suite 's/^public class One/[SetUpFixture] public class Around { [OneTimeSetUp] public void Up() { } }\n&/'
because "another method that a framework may look for" "Suite.Named.Point() is new; Suite.Named runs it, around unknown tests" \
    $suite 's/string Name => name;/& [Category("x")] public void Point() { }/'
edit "a class that is no longer ignored" "$(with Ignored.Waits)" $suite 's/^\[Ignore("later")\] //'
because "a type whose base derives from a framework's" "Suite.Strict is new, and a test framework may look for it" \
    $suite 's/^public class Named/public abstract class Strict : Judge { }\n&/'
because "... or that is not what it was" "Suite.Judge is declared differently, and a test framework may look for it" \
    $suite 's/^public abstract class Judge/[Serializable] &/'

# --- what code may look at: who runs code that looks at any metadata ------------------------------------------------------------------------------------

edit "a type that is new" "$(with)" $shop 's/^public static class Plugins/public class Second : First { }\n&/'
edit "a method that is new" "$(with)" $shop 's/    public string Kind/    public string Kind(int i) => "int";\n&/'
edit "... also if it is private" "$(with)" $shop 's/    public string Kind/    string Kind(int i) => "int";\n&/'
edit "a constructor that is new" "$(with)" $shop 's/    public Data() { }/&\n    public Data(int age) => Age = age;/'
edit "a member that is required" "$(with)" $shop 's/public int Age/public required int Age/'
edit "a private member that is read in another way" "$(with)" $shop 's/Name = "a"/Name = "b"/'
edit "the length of an inline array" "$(with Two.Measures)" $shop 's/InlineArray(2)/InlineArray(3)/'
edit "a constant" "$(with)" $shop 's/Two = 2/Two = 1/'
edit "what an assembly says of itself" "$(with)" $shop 's/"key", "value"/"key", "other"/'
because "who may see internal members" "attributes of Shop changed" $shop 's/"Proxies"/"Others"/'
edit "a decimal default" "$(with)" $shop 's/1\.5m/2.5m/'

edit "an attribute of a lambda" "$(with)" $shop 's/\[Obsolete\] (int id)/(int id)/'
edit "a type that is sealed, and was not" "$(with)" $shop 's/^public class First/public sealed class First/'
edit "an interface of a type" "$(with)" $shop 's/^public class Leaf/& : IPlugin/'
edit "an attribute of a type" "$(with Two.Grows)" $shop 's/^public class Twig/[Obsolete] &/'
edit "a method that is gone, and never ran" "$(with)" $shop '/public void Open() { }/d'
edit "a private constructor that is new" "$(with)" $shop 's/    public Data() { }/&\n    [JsonConstructor] Data(int age) => Age = age;/'
edit "an anonymous type of another shape, which others have" "Two.Anonymous " $suite 's/new { A = 1, B = 2 }/new { B = 1, C = 2 }/'
edit "an anonymous type before others, which get other numbers" "$(with)" $suite 's/^public class Two.*/public class Zero { public object Shape() => new { Z = 1 }; }\n&/'
edit "typeof(Box<>) in place of typeof(Box<T>)" "Two.Closes " $shop 's/typeof(Box<T>)/typeof(Box<>)/'
edit "the order of properties" "$(with)" $shop '/public int Age/d;s/    public required int Id/    public int Age { get; set; }\n&/'
edit "the order of fields" "$(with)" $shop 's/public int A; public long B;/public long B; public int A;/'
edit "the length of a fixed-size buffer" "$(with Two.Fixes)" $shop 's/Bytes\[4\]/Bytes[8]/'
because "marshalling of an assembly" "data or attributes of Shop changed" $shop 's/^\[assembly: InternalsVisibleTo/[assembly: DisableRuntimeMarshalling]\n&/'
edit "a type that only an attribute names" "$(with)" $shop 's/public int Radius/public long Radius/'
echo 'namespace System.Runtime.CompilerServices { static class Unsafe { public static int SizeOf<T>() => 8; } }' >Shop/Unsafe.cs
edit "a type that has the name of one of another assembly" "$(with Two.Fixes Two.Measures)" $shop 's|^public class Menu|// a menu\n&|'
rm Shop/Unsafe.cs
edit "a path and a number in an attribute that is no test's" "$(with)" $shop 's/a.cs", 1/a.cs", 2/'
edit "names in a tuple" "$(with)" $shop 's/(int Left, int Right) Pair/(int Left, int Other) Pair/'
edit "the name of a generic parameter" "$(with)" $shop 's/class Box<T> /class Box<U> /;s/typeof(Box<T>)/typeof(Box<U>)/'

# --- what reflection reaches -------------------------------------------------------------------------------------------

edit "an enum" "$(with)" $shop 's/Red, Blue/Rot, Blue/'
edit "a struct in a struct, which changes the layout of both" "$(with)" $shop 's/struct Inner { /&public int C; /'
edit "a property" "$(with)" $shop 's/class Leaf { /&public int Weight { get; set; } /'
edit "... also if only what may be null changed" "$(with)" $shop 's/public string Name/public string? Name/'
edit "... but not what is null elsewhere" "$(with)" $shop 's/class Leaf { /&public void Fall(string a, string? b, string? c, string? d, string? e, string? f) { } /'

# --- copies that F# makes in Debug of inline functions: their code is that of the code that calls them ------------------

mkdir inlined
cat >inlined/inlined.fsproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup><Compile Include="Inlined.fs" /></ItemGroup>
</Project>
XML
cat >inlined/Inlined.fs <<'FS'
namespace Inlined
module First =
    let inline inner x = x + x
    let inline outer x = inner x + x
    let uses (n: int) = outer n
module Moved =
    // twice
    let inline inner x = x + x

    let inline outer x = inner x + x
    let uses (n: int) = outer n
module Edited =
    let inline inner x = x * x
    let inline outer x = inner x + x
    let uses (n: int) = outer n
FS
made dotnet build inlined --nologo
# code_of MODULE: the identity of its code that uses one inline function by way of another.
code_of() {
    "$ILCOV" inspect inlined/bin/Debug/net10.0/inlined.dll "$1.uses" | grep -o 'code [0-9a-f]*'
}
check "F#: the code of a function that uses inline ones" test -n "$(code_of First)"
same "... is the same elsewhere" "$(code_of First)" "$(code_of Moved)"
check "... and another one after an edit of what an inline one uses" test "$(code_of First)" != "$(code_of Edited)"

# --- where tests stand, which TUnit's generator writes into the code that registers them ---------------------------------

mkdir placed
cat >placed/Hook.cs <<'CS'
public class Hook { public string Path { get; set; } = ""; public int Line { get; set; } public int Order { get; set; } }
CS
cat >Placed.cs <<'CS'
namespace TUnit.Generated.As;
public static class Suite_Placed__TestSource
{
    static object Entry(string path, int line, System.Type returns, int index, string[]? depends, int data, int column, int endLine, int endColumn, int depth) =>
        path + line + returns + index + depends + data + column + endLine + endColumn + depth;
    public static object[] Entries() => new[] { Entry("/src/Placed.cs", 31, typeof(int), 1, null, 0, 5, 32, 60, 2) };
    public static Hook Hooked() => new Hook { Path = "/src/Placed.cs", Line = 29, Order = 2 };
    public static Hook Named() => new Hook { Path = "Placed", Line = 29 };
}
CS
# variant NAME SED-ARGUMENT: with other code, in the same assembly.
variant() {
    sed -e "s/Generated.As/Generated.$1/" -e "$2" Placed.cs >"placed/$1.cs"
}
variant First ''
variant Moved 's|/src/|/home/src/|;s/31, /130, /;s/5, 32, 60/9, 140, 61/;s/Line = 29, /Line = 290, /'
variant Index 's/(int), 1/(int), 2/'
variant Depth 's/60, 2)/60, 3)/'
variant Order 's/Order = 2/Order = 3/'
variant Line 's/Line = 29 }/Line = 30 }/'
variant Own 's/TUnit.Generated/Suite/'
variant Owned 's/TUnit.Generated/Suite/;s/31, /32, /'
compiled placed Debug -target:library
# placed VARIANT METHOD: the identity of the method's code.
placed() {
    "$ILCOV" inspect "$program" "$1.Suite_Placed__TestSource.$2" | grep -o 'code [0-9a-f]*'
}
entries=$(placed First Entries) hooked=$(placed First Hooked)
check "a generated entry of a test: its code" test -n "$entries" -a -n "$hooked"
same "... is the same where the test moves" "$entries" "$(placed Moved Entries)"
check "... and another one if its index changes" test "$entries" != "$(placed Index Entries)"
check "... or what follows" test "$entries" != "$(placed Depth Entries)"
same "... the same of set-up" "$hooked" "$(placed Moved Hooked)"
check "... whose order counts" test "$hooked" != "$(placed Order Hooked)"
check "... as do numbers behind other texts" test "$(placed First Named)" != "$(placed Line Named)"
check "... and in code that no generator made" test "$(placed Own Entries)" != "$(placed Owned Entries)"

finish
