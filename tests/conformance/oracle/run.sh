#!/bin/bash
# Compares our metadata readers with System.Reflection.Metadata: builds the oracle (C#) and dump_metadata (C), lets both
# dump every third assembly of the installed shared frameworks, the SDK's assemblies that have symbols, and the oracle's own
# DLL with its PDB beside it and embedded, and compares the dumps. With --all it is every assembly of the whole .NET
# installation and of the packages that builds here have used, with their symbols; then it lists how many rows of which
# table were compared.
#
#     run.sh [--all] [BUILD_DIR]    default: $ORACLE_BUILD, else build/oracle at the top
#
# The last line is "oracle: N assemblies identical, M different"; the exit code is 0 only when M is 0.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../.." && pwd)
all=no
if [ "${1:-}" = --all ]; then
    all=yes
    shift
fi
mkdir -p "${1:-${ORACLE_BUILD:-$top/build/oracle}}"
build=$(cd "${1:-${ORACLE_BUILD:-$top/build/oracle}}" && pwd)
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1

build_oracle() { # DIRECTORY DEBUG_TYPE [PROPERTY...]
    local directory=$1 type=$2
    shift 2
    # No build server and no node stays behind, but those of `make check`. Without sources of packages: none is referenced.
    [ -n "${SharedCompilationId:-}" ] || set -- -p:UseSharedCompilation=false -nodeReuse:false "$@"
    # The SDK's tools are precompiled and end soon: nothing is gained when they compile their methods again (tests/e2e/lib.sh).
    DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF dotnet build "$here/oracle.csproj" -c Release --artifacts-path "$build/$directory" -nologo -v q \
        -p:DebugType="$type" "$@" > "$build/$directory.log" 2>&1 ||
        { cat "$build/$directory.log"; return 1; }
}

build_dump() {
    env -u CC make -s -C "$top" build/dump_metadata && cp "$top/build/dump_metadata" "$build/dump_metadata"
}

# Paths of the runtimes of a name, or of the SDKs: "Name 10.0.1 [/path]" or "10.0.100 [/path]".
installed() { dotnet "$1" | sed -n "s|^${2:-}\([^ ]*\) \[\(.*\)\]\$|\2/\1|p"; }

with_symbols() { # DIRECTORY: the DLLs that have a PDB embedded or beside
    grep -rlF --include='*.dll' MPDB "$1" || true
    find "$1" -name '*.pdb' | while read -r pdb; do
        [ ! -e "${pdb%.pdb}.dll" ] || echo "${pdb%.pdb}.dll"
    done
}

echo '{"documents":{"/_/*":"https://example.org/*"}}' > "$build/sourcelink.json"
build_dump &
dump_job=$!
build_oracle portable portable
build_oracle embedded embedded -p:EmbedAllSources=true -p:SourceLink="$build/sourcelink.json"
wait "$dump_job"

# The oracle does not look at the PDBs of Windows, and we say that we can't read them.
without_windows_pdb() {
    local dll
    while read -r dll; do
        [ -e "${dll%.dll}.pdb" ] && [ "$(head -c 4 "${dll%.dll}.pdb")" != BSJB ] || echo "$dll"
    done
}

packages() {
    local directory
    for directory in "${NUGET_PACKAGES:-$HOME/.nuget/packages}" /opt/nuget/packages; do
        [ ! -d "$directory" ] || echo "$directory"
    done
}

# Of the frameworks every third assembly, and the core library; with --all each.
some() {
    if [ $all = yes ]; then cat; else sort | awk 'NR % 3 == 1 || /\/System.Private.CoreLib.dll$/'; fi
}

{
    if [ $all = yes ]; then
        find "$(dirname "$(readlink -f "$(command -v dotnet)")")" $(packages) -name '*.dll' | without_windows_pdb
    fi
    for directory in $(installed --list-runtimes 'Microsoft.NETCore.App ') \
                     $(installed --list-runtimes 'Microsoft.AspNetCore.App '); do
        find "$directory" -name '*.dll' | some
    done
    for directory in $(installed --list-sdks); do
        with_symbols "$directory"
    done
    find "$build/portable/bin" "$build/embedded/bin" -name oracle.dll
} | sort -u > "$build/assemblies"
mapfile -t assemblies < "$build/assemblies"
oracle=$(find "$build/portable/bin" -name oracle.dll)

dotnet "$oracle" --hash "${assemblies[@]}" > "$build/theirs" &
oracle_job=$!
"$build/dump_metadata" --hash "${assemblies[@]}" > "$build/ours" 2> "$build/ours.log" || true
wait "$oracle_job" || true

# Both must have found the symbols of our own DLL, or they only agreed on finding nothing.
for own in "$build"/{portable,embedded}/bin/oracle/*/oracle.dll; do
    "$build/dump_metadata" "$own" | grep -a '^points' > "$build/points"
    grep -q hidden "$build/points" || { echo "$own: no hidden sequence point was read"; exit 1; }
done

# A line that is missing on either side counts as a difference too.
identical=$(comm -12 <(sort "$build/theirs") <(sort "$build/ours") | wc -l)
different=0
for assembly in "${assemblies[@]}"; do
    theirs=$(grep -F " $assembly" "$build/theirs" | head -n 1 || true)
    ours=$(grep -F " $assembly" "$build/ours" | head -n 1 || true)
    [ -z "$theirs" ] || [ "$theirs" != "$ours" ] || continue
    different=$((different + 1))
    echo "$assembly (theirs <, ours >):"
    diff <(dotnet "$oracle" "$assembly" 2>&1) <("$build/dump_metadata" "$assembly" 2>&1) | cut -c 1-300 | head -n 10 || true
done
# Each DLL's and PDB's `table ID ROWS SIZE` lines, added up.
if [ $all = yes ]; then
    printf '%s\0' "${assemblies[@]}" | xargs -0 "$build/dump_metadata" 2>/dev/null | grep -a '^table ' |
        while read -r _ id rows _; do echo "$((16#$id)) $((16#$rows))"; done |
        awk '{ rows[$1] += $2; files[$1]++ }
            END {
                for (id in rows) printf "table %02x: %d rows in %d images\n", id, rows[id], files[id]
                printf "total: %d assemblies, %d of them with symbols\n", files[0], files[48]
            }' | sort
fi
echo "oracle: $identical assemblies identical, $different different"
[ "$different" -eq 0 ] && [ "$identical" -eq "${#assemblies[@]}" ] && [ "$identical" -ne 0 ]
