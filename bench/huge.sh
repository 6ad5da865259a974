#!/bin/bash
# huge.sh - how much longer huge methods take to compile.
#
#   bench/huge.sh [SHAPE...]      add init if field switch strings try locals arithmetic; all without arguments
#
#   ILCOV   the program to measure (build/ilcov)
#   SIZES   statements in the method (100 1000 5000 20000 50000)
#   MODE    how to count (count)
#
# Each program is one generated method of SIZES statements, called once; it prints the CPU time of that call, which is
# mostly the JIT's. The figures are the best of three. The exit status tells only whether they could be made.
. "$(dirname "$0")/common.sh" || exit 2

sizes=${SIZES:-100 1000 5000 20000 50000}
shapes=("$@")
[ $# -ne 0 ] || shapes=(add init if field switch strings try locals arithmetic)

# statements SHAPE COUNT: the method's text.
statements() {
    awk -v shape="$1" -v count="$2" 'BEGIN {
        before["add"] = "var d = new Dictionary<string, int>();"
        each["add"] = "d.Add(\"k#\", #);"
        after["add"] = "return d.Count;"
        before["init"] = "var d = new Dictionary<string, int> {"
        each["init"] = "{ \"k#\", # },"
        after["init"] = "}; return d.Count;"
        before["if"] = "int r = 0;"
        each["if"] = "if (v == 3 * #) r += #;"
        before["field"] = "int i = 0;"
        each["field"] = "if (f) i++;"
        after["field"] = "return i;"
        before["switch"] = "int r = 0; switch (v) {"
        each["switch"] = "case #: r = 7 * #; break;"
        after["switch"] = "} return r;"
        before["strings"] = "switch (v.ToString()) {"
        each["strings"] = "case \"k#\": return #;"
        after["strings"] = "} return 0;"
        before["try"] = "int r = 0;"
        each["try"] = "try { r += Next(#); } catch (InvalidOperationException) { r--; }"
        before["locals"] = "int r = v;"
        each["locals"] = "int a# = Next(r + #); r += a#;"
        before["arithmetic"] = "int r = v;"
        each["arithmetic"] = "r = 3 * r + #;"
        if (!(shape in each))
            exit 1
        print before[shape]
        for (n = 0; n < count; n++) {
            line = each[shape]
            gsub("#", n, line)
            print line
        }
        print shape in after ? after[shape] : "return r;"
    }'
}

# write_project SHAPE COUNT: $project
write_project() {
    project=$out/huge/$1-$2
    mkdir -p "$project" || exit 2
    cat >"$project/huge.csproj" <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <OutputType>Exe</OutputType>
    <UseAppHost>false</UseAppHost>
    <RunAnalyzers>false</RunAnalyzers>
    <TieredPGO>false</TieredPGO>
  </PropertyGroup>
</Project>
END
    {
        echo 'using System; using System.Collections.Generic;'
        echo 'static class Huge { static bool f = Environment.ProcessorCount > 0; static int Next(int x) => x + 1; static int Method(int v) {'
        statements "$1" "$2" || die "there is no shape $1"
        echo '} static void Main() { var used = Environment.CpuUsage.TotalTime; used = Environment.CpuUsage.TotalTime;'
        echo 'Method(5); Console.WriteLine((Environment.CpuUsage.TotalTime - used).TotalMilliseconds); } }'
    } >"$project/huge.cs"
}

# best COMMAND...: the smallest of three numbers that it prints.
best() {
    local run
    for run in 1 2 3; do
        "$@" 2>>"$out/log" || die "$*" "$out/log"
    done | sort -g | head -n 1
}

# compiles SHAPE SIZE CONFIGURATION: the C# compiler takes minutes and gigabytes to optimise a large switch.
compiles() {
    [ "$1 $3" != "switch Release" ] || [ "$2" -le 5000 ]
}

mkdir -p "$out" || exit 2
printf '%-12s %10s %-8s %10s %10s %6s\n' 'first call' statements build 'bare ms' 'ilcov ms' ratio
for shape in "${shapes[@]}"; do
    for size in $sizes; do
        write_project "$shape" "$size"
        for configuration in Debug Release; do
            compiles "$shape" "$size" "$configuration" || continue
            quietly "building $shape $size" dotnet build "$project" --configuration $configuration
            program=(dotnet "$project/bin/$configuration/net10.0/huge.dll")
            bare=$(best "${program[@]}")
            with=$(best "$ilcov" run --quiet --mode "${MODE:-count}" --root "$project" --data "$out/huge.ilcov" \
                --format none -- "${program[@]}")
            awk -v shape="$shape" -v size="$size" -v build="$configuration" -v bare="$bare" -v with="$with" \
                'BEGIN { printf "%-12s %10d %-8s %10.1f %10.1f %6.2f\n", shape, size, build, bare, with, with / bare }'
        done
    done
done
