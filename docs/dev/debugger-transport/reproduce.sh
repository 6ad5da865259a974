#!/bin/bash
# Does a program end when a debugger reads its locals, of which profiler.c added one? README.md says why it does.
#
#   reproduce.sh [RUNTIME...]    each a target framework, whose newest runtime comes from NuGet, or a folder with a `dotnet`,
#                                whose newest runtime is used: net8.0 net9.0 net10.0
#
#   DEBUGGER  stops at a line and reads the locals there: tests/support/debugger.c (`make build/debugger`)
#
# Prints the exit status of the program, 139 for a segmentation fault, and what the debugger showed. Ends with 0 if each is
# what README.md says.
set -u
here=$(cd "$(dirname "$0")" && pwd)
DEBUGGER=$(readlink -f "${DEBUGGER:-$here/../../../build/debugger}")
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
line=$(grep -n '// stop here' "$here/Debugged.cs" | cut -d: -f1)
fine=true
mended=11 # the major version from which nothing ends

# made FRAMEWORK [OPTION...]: the program, in Debug
made() {
    mkdir -p "$temp/$1"
    cp "$here/Debugged.cs" "$temp/$1/"
    cat >"$temp/$1/Debugged.csproj" <<END
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>$1</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
  </PropertyGroup>
</Project>
END
    if ! timeout 300 dotnet build "$temp/$1" --configuration Debug --output "$temp/$1/out" "${@:2}" >"$temp/log" 2>&1; then
        tail -20 "$temp/log" >&2
        exit 2
    fi
    dll=$temp/$1/out/Debugged.dll
}

# debugged WHAT EXPECTED VARIABLE...: the program with these variables, and the debugger
debugged() {
    local what=$1 expected=$2 status pid=''
    rm -f "$temp/go" "$temp/out"
    mkfifo "$temp/go"
    (
        timeout 60 env "${@:3}" "${program[@]}" <"$temp/go" >"$temp/out"
        echo $? >"$temp/status"
    ) 2>/dev/null &
    exec 8>"$temp/go"
    for _ in $(seq 300); do
        pid=$(sed -n 's/^ready //p' "$temp/out")
        [ -n "$pid" ] && break
        sleep 0.1
    done
    timeout 60 "$DEBUGGER" breakpoints "$pid" "$temp/go" "$dll" "$line" >"$temp/shown" 2>&1
    exec 8>&-
    wait
    status=$(cat "$temp/status")
    [ "$status" = "$expected" ] || fine=false
    printf '%-40s %3d   %s\n' "$what" "$status" "$(head -1 "$temp/shown")"
}

cc=${CC:-cc}
"$cc" -shared -fPIC -o "$temp/libprofiler.so" "$here/profiler.c" || exit 2
profiler=(CORECLR_ENABLE_PROFILING=1 "CORECLR_PROFILER={12345678-1234-1234-1234-123456789012}" "CORECLR_PROFILER_PATH=$temp/libprofiler.so")
[ $# -gt 0 ] || set -- net8.0 net9.0 net10.0
for runtime; do
    if [ -d "$runtime" ]; then
        made net10.0
        program=("$runtime/dotnet" exec --roll-forward LatestMajor "$dll")
        version=$(ls "$runtime/shared/Microsoft.NETCore.App" | sort -V | tail -1)
    else
        made "$runtime" --runtime "linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')" --self-contained
        program=("${dll%.dll}")
        version=$(sed -n 's|.*"Microsoft.NETCore.App.Runtime[^"]*/\([0-9.]*\)".*|\1|p; s|.*runtimepack.Microsoft.NETCore.App[^/]*/\([0-9.]*\)".*|\1|p' \
            "${dll%.dll}.deps.json" | head -1)
    fi
    debugged "$version, no profiler" 0 CORECLR_ENABLE_PROFILING=0
    debugged "$version, a row that no body names" 0 "${profiler[@]}" UNUSED=1
    debugged "$version, a row that bodies name" $([ "${version%%.*}" -ge $mended ] && echo 0 || echo 139) "${profiler[@]}"
done
$fine
