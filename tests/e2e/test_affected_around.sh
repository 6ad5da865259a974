#!/bin/bash
# `ilcov affected`: what runs around tests, or for many of them: set-up of a base class in another assembly, tests whose attribute ilcov
# does not know, and hosts that the first test starts. A suite of xunit is measured once; then its code is edited.
. "$(dirname "$0")/lib.sh"

cd "$temp" || exit 1
library Lib
test_project Base Lib
test_project Suite Base
cat >Lib/Lib.cs <<'CS'
namespace Lib;
public static class Steps
{
    public static int SetUp() => 1;
    public static int Inherited() => 2;
    public static int Own() => 3;
    public static int Twice(int n) => n + n;
    public static int Once(int n) => n;
    public static string Lazy() => "lazy";
    public static string Asked() => "asked";
    public static string Locked() => "locked";
    public static string Each() => "each";
}
public static class Kept
{
    static readonly System.Lazy<string> Made = new(() => Steps.Lazy());
    static readonly object Lock = new();
    static string? s_asked, s_locked, s_each;
    public static string Lazy => Made.Value;
    public static string Asked => s_asked ??= Steps.Asked();
    public static string Locked()
    {
        if (s_locked == null)
            lock (Lock)
                s_locked ??= Steps.Locked();
        return s_locked;
    }
    public static void Set() => s_each = Steps.Each();
    public static string Each() => s_each!;
}
CS
cat >Base/Base.cs <<'CS'
using Lib;
using Xunit;
namespace Shared;
public class PropertyAttribute : FactAttribute { }
public abstract class Prepared
{
    protected Prepared() => Assert.Equal(1, Steps.SetUp());
    [Fact] public void Inherited() => Assert.Equal(2, Steps.Inherited());
}
CS
cat >Suite/Suite.cs <<'CS'
using Lib;
using Shared;
using Xunit;
namespace Suite;
public class Derived : Prepared { [Fact] public void Own() => Assert.Equal(3, Steps.Own()); }
public class Numbers
{
    [Fact] public void Once() => Assert.Equal(3, Steps.Once(3));
    [Property] public void Twice() => Assert.Equal(4, Steps.Twice(2));
}
public class Keeps
{
    [Fact] public void Lazy_1() => Assert.Equal("lazy", Kept.Lazy);
    [Fact] public void Lazy_2() => Assert.Equal("lazy", Kept.Lazy);
    [Fact] public void Asked_1() => Assert.Equal("asked", Kept.Asked);
    [Fact] public void Asked_2() => Assert.Equal("asked", Kept.Asked);
    [Fact] public void Locked_1() => Assert.Equal("locked", Kept.Locked());
    [Fact] public void Locked_2() => Assert.Equal("locked", Kept.Locked());
    [Fact] public void Each_1() { Kept.Set(); Assert.Equal("each", Kept.Each()); }
    [Fact] public void Each_2() { Kept.Set(); Assert.Equal("each", Kept.Each()); }
}
CS
made dotnet build Suite --nologo
output=Suite/bin/Debug/net10.0
mkdir -p kept/out
cp Lib/Lib.cs Base/Base.cs Suite/Suite.cs kept
xunit=("-r:$output/xunit.core.dll" "-r:$output/xunit.assert.dll" "-r:$output/xunit.abstractions.dll")
build_all() {
    recompiled Lib "$output" && recompiled Base "$output" "-r:$output/Lib.dll" "${xunit[@]}" &&
        recompiled Suite "$output" "-r:$output/Lib.dll" "-r:$output/Base.dll" "${xunit[@]}"
}
build_all
cp "$output"/{Lib,Base,Suite}.{dll,pdb} kept/out
limited "$ILCOV" run -q --per-test --root . -d base.ilcov -f none -- dotnet test "$output/Suite.dll" >run.log 2>&1
same "the tests pass" 0 $?

# edit WHAT EXPECTED FILE SED: the tests that the edit needs.
edit() {
    local what=$1 expected=$2 file=$3
    shift 3
    cp kept/Lib.cs Lib && cp kept/Base.cs Base && cp kept/Suite.cs Suite && cp kept/out/* "$output"
    sed -i "$@" "$file"
    build_all
    same "$what" "$expected" "$(limited "$ILCOV" affected -d base.ilcov "$output" 2>affected.err | sed 's/^Suite\.//' | tr '\n' ' ')"
}

edit "comments" "" Lib/Lib.cs 's|^public static class|// steps\n&|'

# --- what a class inherits from another assembly ------------------------------------------------------------------------

edit "set-up of a base in another assembly: all tests of the class" "Derived.Inherited Derived.Own " Lib/Lib.cs 's/SetUp() => 1/SetUp() => Own() - 2/'
edit "... itself" "Derived.Inherited Derived.Own " Base/Base.cs 's/Assert.Equal(1, Steps.SetUp())/Assert.True(Steps.SetUp() == 1)/'
edit "a test of such a base" "Derived.Inherited " Lib/Lib.cs 's/Inherited() => 2/Inherited() => Own() - 1/'
edit "... that is new" "Derived.Late " Base/Base.cs 's/    \[Fact\]/    [Fact] public void Late() { }\n&/'

# --- an attribute that ilcov does not know: it may be a test's -----------------------------------------------------------

edit "what a method with an unknown attribute ran: it, with its class" "Numbers.Once Numbers.Twice " Lib/Lib.cs 's/n + n;/n * 2;/'
edit "... itself" "Numbers.Once Numbers.Twice " Suite/Suite.cs 's/Equal(4, Steps.Twice(2))/True(Steps.Twice(2) == 4)/'
edit "... that is new" "Numbers.Never Numbers.Once Numbers.Twice " Suite/Suite.cs 's/    \[Property\]/    [Property] public void Never() { }\n&/'
edit "a test beside it" "Numbers.Once " Lib/Lib.cs 's/Once(int n) => n;/Once(int n) => n + n - n;/'

# --- a value that one test makes, and others find in a static field -------------------------------------------------------

edit "what a Lazy holds: all that read it" "Keeps.Lazy_1 Keeps.Lazy_2 " Lib/Lib.cs 's/"lazy";/"Lazy";/'
edit "what ??= makes" "Keeps.Asked_1 Keeps.Asked_2 " Lib/Lib.cs 's/"asked";/"Asked";/'
edit "what is made under a lock" "Keeps.Locked_1 Keeps.Locked_2 " Lib/Lib.cs 's/"locked";/"Locked";/'
edit "what only one test ran, of those who set a field each: it" "Keeps.Each_1 " Suite/Suite.cs 's/Each_1() { Kept.Set();/& Kept.Set();/'

# --- a host that the first test starts, and others use ------------------------------------------------------------------

library Web
test_project WebSuite Web
sed -i 's/Microsoft.NET.Sdk/&.Web/' Web/Web.csproj
sed -i 's|<ProjectReference|<PackageReference Include="Microsoft.AspNetCore.Mvc.Testing" Version="10.0.0" />&|' WebSuite/WebSuite.csproj
cat >Web/Web.cs <<'CS'
var builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton(new Greeting("hello"));
var app = builder.Build();
app.MapGet("/", (Greeting greeting) => greeting.Text);
app.MapGet("/length", (Greeting greeting) => greeting.Text.Length.ToString());
app.MapGet("/fixed", () => "fixed");
app.Run();
public record Greeting(string Text);
public partial class Program { }
CS
cat >WebSuite/WebSuite.cs <<'CS'
using Microsoft.AspNetCore.Mvc.Testing;
using Xunit;
namespace WebSuite;
public class WebTests(WebApplicationFactory<Program> factory) : IClassFixture<WebApplicationFactory<Program>>
{
    async Task<string> Get(string path) => await factory.CreateClient().GetStringAsync(path);
    [Fact] public async Task Greets() => Assert.Equal("hello", await Get("/"));
    [Fact] public async Task Measures() => Assert.Equal("5", await Get("/length"));
    [Fact] public async Task Fixed() => Assert.Equal("fixed", await Get("/fixed"));
}
CS
made dotnet build WebSuite --nologo
limited "$ILCOV" run -q --per-test --root . -d web.ilcov -f none -- dotnet test WebSuite/bin/Debug/net10.0/WebSuite.dll >run.log 2>&1
same "tests of a web application pass" 0 $?
# web WHAT EXPECTED SED
web() {
    cp Web/Web.cs Web.kept
    sed -i "$3" Web/Web.cs
    made dotnet build WebSuite --nologo
    same "$1" "$2" "$(limited "$ILCOV" affected -d web.ilcov WebSuite/bin/Debug/net10.0 2>affected.err | sed 's/^WebSuite.WebTests.//' | tr '\n' ' ')"
    mv Web.kept Web/Web.cs
}
web "a registration: all tests, whichever started the host" "Fixed Greets Measures " 's/"hello"/"bye"/'
check "... because" grep -qF "it ran outside of tests" affected.err
web "the name of a parameter by which a route binds: all tests" "Fixed Greets Measures " 's/(Greeting greeting) => greeting.Text)/(Greeting hello) => hello.Text)/'
web "an attribute of a lambda: all tests" "Fixed Greets Measures " 's/() => "fixed"/[Obsolete] &/'

finish
