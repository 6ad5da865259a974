#!/bin/bash
# Makes the data files of format 4 in this folder, and what the ilcov that wrote them reported of them. It was run once, with
# the last ilcov that wrote format 4 and .NET 10: `make.sh PROGRAM`. It is kept to show where the files come from; an ilcov of
# today writes another format, so do not run it again.
set -eu
ilcov=$1 here=$(cd "$(dirname "$0")" && pwd)
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_RuntimeAsync=1
rm -rf /src/shop && mkdir -p /src/shop/{app,used,unused,bare,tests} && cd /src/shop

project() { # FOLDER PROPERTIES REFERENCES
    cat >"$1/$1.csproj" <<XML
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType><Nullable>enable</Nullable>
  <Deterministic>true</Deterministic><InvariantGlobalization>true</InvariantGlobalization>$2</PropertyGroup>
  <ItemGroup>$(for r in $3; do echo "<ProjectReference Include=\"../$r/$r.csproj\" />"; done)</ItemGroup>
</Project>
XML
}
project used '' ''
project unused '' ''
project bare '<DebugType>none</DebugType>' ''
project tests '<AssemblyName>MSTest.Shop</AssemblyName>' ''
project app '<OutputType>Exe</OutputType><Features>$(Features);runtime-async=on</Features><EnablePreviewFeatures>true</EnablePreviewFeatures><NoWarn>SYSLIB5007</NoWarn>' \
    'used unused bare tests'
cat >used/Price.cs <<'CS'
using System.Diagnostics.CodeAnalysis;
namespace Used;
public class Price
{
    public int Net { get; set; }
    public int Tax(int n)
    {
        if (n > 10 && Net > 0)
            return n / 5;
        return n switch { 0 => 1, 1 => 2, _ => 0 };
    }
    [ExcludeFromCodeCoverage(Justification = "made by a tool")]
    public string Made() => "made" + Net;
    [ExcludeFromCodeCoverage]
    public string MadeToo() => "too" + Net;
    public int Checked(int n)
    {
        if (n < 0)
            throw new System.ArgumentException("n"); // ilcov:ignore nobody asks for less
        // ilcov:ignore-start
        n = n + 1;
        n = n + 2;
        // ilcov:ignore-end
        return n;
    }
}
public static class Generated { public static int Thrice(int n) => 3 * n; }
CS
cat >used/Other.cs <<'CS'
namespace Used;
public static class Other { public static int Half(int n) => n > 0 ? n / 2 : 0; }
CS
cat >unused/Never.cs <<'CS'
namespace Unused;
public static class Never { public static int Half(int n) => n > 0 ? n / 2 : 0; }
CS
cat >bare/Bare.cs <<'CS'
namespace Bare;
public static class Bare { public static int Same(int n) => n; }
CS
cat >tests/Tests.cs <<'CS'
namespace Tests;
public static class Tests { public static int Same(int n) => n; }
CS
cat >app/Program.cs <<'CS'
using System;
using System.IO;
using System.Threading.Tasks;
var price = new Used.Price { Net = 3 };
Console.WriteLine(price.Tax(20) + price.Checked(1) + price.Made() + price.MadeToo());
Console.WriteLine(Bare.Bare.Same(1) + Tests.Tests.Same(2) + Used.Generated.Thrice(3));
if (args.Length > 5)
    Console.WriteLine(Unused.Never.Half(1));
if (args.Length > 1)
    Console.WriteLine(Used.Other.Half(args.Length));
while (args.Length > 0 && !File.Exists(args[0]))
    await Pause(20);
static async Task Pause(int n) => await Task.Delay(n);
CS
dotnet build app -c Debug -o out >build.log
rm -rf /src/shop/sessions && mkdir sessions

# One run: what is skipped, excluded, left out by file, never loaded, has no symbols; and the dotnet command, which is declined.
"$ilcov" run --quiet --root /src/shop --data run.ilcov --format none --exclude '[used]*.Generated' --exclude-auto-properties \
    --exclude-files 'used/Other.cs' -- sh -c 'dotnet --version >version.txt && dotnet out/app.dll'

# Runs that began in the middle: a program that was attached to, and one whose counts were reset.
dotnet out/app.dll /src/shop/stop 2>attach.err >attach.out &
sleep 2
"$ilcov" attach --quiet --root /src/shop --session-dir /src/shop/sessions --data attached.ilcov --format none $! &
sleep 3
touch stop && wait
rm stop
"$ilcov" run --quiet --root /src/shop --session-dir /src/shop/sessions --data rest.ilcov --format none -- \
    dotnet out/app.dll /src/shop/stop two &
sleep 2
pid=$(pgrep -f 'out/app.dll /src/shop/stop two' | while read -r p; do
    [ "$(readlink "/proc/$p/exe")" = "$(readlink -f "$(command -v dotnet)")" ] && echo "$p"; done)
"$ilcov" snapshot --quiet --reset --root /src/shop --data first.ilcov --format none "$pid"
sleep 1
"$ilcov" snapshot --quiet --root /src/shop --data reset.ilcov --format none "$pid"
touch stop && wait
rm stop

# Another tool's report, and counts of an older build.
"$ilcov" report --format cobertura=own.xml run.ilcov 2>own.said
sed -e 's/<source>.*<\/source>/<source>\/src\/shop<\/source>/' -e 's/"used"/"elsewhere"/' own.xml >foreign.xml
cp app/Program.cs kept.cs
printf 'static class Added { public static int One() => 1; }\n' >>app/Program.cs
dotnet build app -c Debug -o out >build.log
"$ilcov" run --quiet --root /src/shop --data newer.ilcov --format none --partial --exclude-attribute Obsolete -- out/app
"$ilcov" merge --quiet -r /src/shop -o united.ilcov first.ilcov rest.ilcov attached.ilcov foreign.xml
"$ilcov" merge --quiet -r /src/shop -o merged.ilcov --carry run.ilcov newer.ilcov reset.ilcov foreign.xml attached.ilcov
"$ilcov" merge --quiet -r /src/shop -o squashed.ilcov --squash united.ilcov newer.ilcov

for kind in run attached merged squashed; do
    cp $kind.ilcov "$here/$kind.ilcov"
    "$ilcov" report --deterministic --format json="$here/$kind.json" --format cobertura="$here/$kind.cobertura.xml" \
        --format text="$here/$kind.txt" "$kind.ilcov" 2>"$here/$kind.said"
    "$ilcov" inspect "$kind.ilcov" >"$here/$kind.inspected"
done
