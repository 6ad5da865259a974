#!/bin/bash
# modules.sh - what thousands of modules cost that a program loads from bytes.
#
#   bench/modules.sh [COUNT...]   modules to load (1000 2000 4000)
#
#   ILCOV   the program to measure (build/ilcov)
#
# Each module is the same small library under another MVID, so it has counters of its own, and a copy in the session. The
# times and the peak memory are those of `ilcov collect`, and must grow in proportion. The mappings are those of the program,
# and of counters among them (docs/decisions/07-counters-in-shared-memory.md has their bound). The exit status tells only whether the figures could
# be made.
. "$(dirname "$0")/common.sh" || exit 2

counts=("$@")
[ $# -ne 0 ] || counts=(1000 2000 4000)
work=$out/modules

write_projects() {
    mkdir -p "$work/library" "$work/host" || exit 2
    cat >"$work/library/library.csproj" <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <DebugType>embedded</DebugType>
  </PropertyGroup>
</Project>
END
    cat >"$work/library/Library.cs" <<'END'
public static class Library
{
    public static int Twice(int x) => x > 3 ? x * 2 : x;
    public static int Next(int x) => Twice(x) + 1;
}
END
    cat >"$work/host/host.csproj" <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <OutputType>Exe</OutputType>
    <UseAppHost>false</UseAppHost>
  </PropertyGroup>
</Project>
END
    cat >"$work/host/Host.cs" <<'END'
using System;
using System.IO;
using System.Linq;
using System.Reflection;

byte[] library = File.ReadAllBytes(args[0]);
int mvid = library.AsSpan().IndexOf(Assembly.Load(library).ManifestModule.ModuleVersionId.ToByteArray());
for (int i = 0; i < int.Parse(args[1]); i++)
{
    BitConverter.GetBytes(i).CopyTo(library, mvid);
    Assembly.Load(library).GetType("Library")!.GetMethod("Next")!.Invoke(null, new object[] { i });
}
string[] maps = File.ReadAllLines("/proc/self/maps");
Console.WriteLine($"mappings {maps.Length} {maps.Count(line => line.EndsWith(".counts"))}");
END
}

write_projects
quietly 'building the library' dotnet build "$work/library"
quietly 'building the host' dotnet build "$work/host"
printf '%-8s %10s %10s %10s %10s %10s\n' modules 'CPU s' 'wall s' 'peak MB' mappings counters
for count in "${counts[@]}"; do
    quietly "loading $count modules" "$ilcov" run --keep-session --root "$work" --data "$work/run.ilcov" --format none -- \
        dotnet "$work/host/bin/Debug/net10.0/host.dll" "$work/library/bin/Debug/net10.0/library.dll" "$count"
    session=$(sed -n 's/^ilcov: the session is kept in //p' "$out/log")
    mappings=$(sed -n 's/^mappings //p' "$out/log")
    [ -d "$session" ] || die "no session was kept" "$out/log"
    quietly "collecting $count modules" /usr/bin/time -o "$work/time" -f '%U %S %e %M' \
        "$ilcov" collect --root "$work" --data "$work/collect.ilcov" --format none "$session"
    rm -rf "$session"
    awk -v count="$count" -v mappings="$mappings" '{
        split(mappings, of, " ")
        printf "%-8d %10.2f %10.2f %10.0f %10d %10d\n", count, $1 + $2, $3, $4 / 1024, of[1], of[2]
    }' "$work/time"
done
