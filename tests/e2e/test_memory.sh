#!/bin/bash
# A program that loads a large module again and again keeps to its memory: at most a tenth more than without ilcov, and
# 20 MB. The loads share counters, plan and new bodies, and the runtime copies the metadata of few of them.
. "$(dirname "$0")/lib.sh"

extra=$((20 * 1024)) # KiB

# 1,200 methods of ordinary size. Work runs some of them.
write_library() {
    library Large
    {
        echo 'namespace Large;'
        for ((i = 0; i < 300; i++)); do
            cat <<CS
public class C$i
{
    private int state;
    public int P { get => state; set => state = value; }
    public int Sum(int n)
    {
        int sum = 0;
        for (int i = 0; i < n; i++) { if (i % 3 == 1) sum += i; else sum -= P; }
        return sum;
    }
    public static bool Starts(object o)
    {
        try { return o is string s && s.Length > 3 ? s.StartsWith("$i") : o.GetHashCode() % 2 == 0; }
        catch (System.Exception e) when (e.Message.Length > 5) { return false; }
    }
}
CS
        done
        echo 'public static class Entry { public static int Work(int n) { int sum = 0;'
        for ((i = 0; i < 10; i++)); do echo "sum += new C$i().Sum(n); if (C$i.Starts(sum)) sum++;"; done
        echo 'return sum; } }'
    } >Large/Code.cs
}

# Program WAY FILE COUNT: loads FILE into COUNT contexts, and keeps or unloads each; the peak of its memory in KiB.
write_program() {
    mkdir Program || exit 2
    cat >Program/Program.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType><ImplicitUsings>enable</ImplicitUsings>
    <DebugType>none</DebugType>
  </PropertyGroup>
</Project>
XML
    cat >Program/Program.cs <<'CS'
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

var kept = new List<AssemblyLoadContext>();
for (int i = 0; i < int.Parse(args[2]); i++)
{
    var context = Run(args[0], args[1], kept);
    for (int k = 0; k < 10 && args[0] == "unload" && context.IsAlive; k++) { GC.Collect(); GC.WaitForPendingFinalizers(); }
}
Console.WriteLine(File.ReadAllLines("/proc/self/status").Single(line => line.StartsWith("VmHWM")).Split()[^2]);

[MethodImpl(MethodImplOptions.NoInlining)]
static WeakReference Run(string way, string file, List<AssemblyLoadContext> kept)
{
    var context = new AssemblyLoadContext(null, isCollectible: way == "unload");
    context.LoadFromAssemblyPath(file).GetType("Large.Entry")!.GetMethod("Work")!.Invoke(null, [5]);
    if (way == "unload") context.Unload();
    else kept.Add(context);
    return new WeakReference(context);
}
CS
}

# peak_is_bounded WAY CONFIGURATION MODE COUNT
peak_is_bounded() {
    local what="$4 loads ($1), $2, $3" run bare peak
    run=(dotnet "$temp/solution/Program/bin/Release/net10.0/Program.dll" "$1"
        "$temp/solution/Large/bin/$2/net10.0/Large.dll" "$4")
    bare=$("${run[@]}")
    peak=$("$ILCOV" run --mode "$3" --root "$temp/solution" --data run.ilcov -f none -- "${run[@]}" 2>run.err)
    same "$what: exit status" 0 $?
    check "$what: $peak KiB, without ilcov $bare" [ "$peak" -le $((bare * 11 / 10 + extra)) ]
    "$ILCOV" report -f json=run.json run.ilcov >report.out 2>&1
    [ "$3" = hit ] || check "$what: every load counted" grep -q "\"hits\": *$4\b" run.json
}

# A module below the directory of temporary files is kept in the session, in shared memory: what is read of it, not its
# resources. It removes itself.
large_file_is_not_copied_whole() {
    mkdir Resource || exit 2
    cat >Resource/Resource.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType><DebugType>embedded</DebugType>
  </PropertyGroup>
  <ItemGroup><EmbeddedResource Include="large.bin" /></ItemGroup>
</Project>
XML
    cat >Resource/Program.cs <<'CS'
System.IO.File.Delete(typeof(Program).Assembly.Location); // cov: hits=1
System.Console.WriteLine("gone");                         // cov: hits=1
CS
    head -c 64000000 /dev/zero >Resource/large.bin
    made dotnet build Resource
    TMPDIR=$temp measure resource --keep-session --root "$PWD/Resource" -- dotnet Resource/bin/Debug/net10.0/Resource.dll
    same "a file below TMPDIR that removes itself: exit status" 0 "$status"
    expected "a file below TMPDIR that removes itself: counts" resource.xml "$PWD/Resource"
    session=$(sed -n 's/^ilcov: the session is kept in //p' resource.err)
    check "64 MB of resources: the session takes less than 1 MB" [ "$(du -sk "$session" | cut -f1)" -lt 1024 ]
    rm -rf "$session"
}

mkdir "$temp/solution" && cd "$temp/solution" || exit 2
write_library
write_program
made dotnet build Program -c Release
made dotnet build Large -c Release
peak_is_bounded keep Release count 120
large_file_is_not_copied_whole
if long; then
    made dotnet build Large -c Debug
    peak_is_bounded keep Debug count 120
    peak_is_bounded keep Release hit 120
    peak_is_bounded unload Release count 1000
    peak_is_bounded unload Debug hit 1000
fi
finish
