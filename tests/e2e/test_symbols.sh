#!/bin/bash
# An assembly that a program loads from bytes, with its symbols from bytes, is measured: from its first call on, in whatever context, and
# when its file, its symbols and their folder are gone. One that is not has a line with its cause.
. "$(dirname "$0")/lib.sh"
. "$top/tests/e2e/visits.sh"

cp -r "$top"/fixtures/symbols/* .
compiled host Debug
host=$program
attach_options=(--root "$temp")

# library_of FOLDER CONFIGURATION [OPTION...]: sets `module` and `symbols`, which are not where the compiler left them.
library_of() {
    compiled "$1" "$2" -target:library "${@:3}"
    module=$1.$2.$#.bin symbols=$1.$2.$#.symbols
    mv "$program" "$module"
    [ ! -e "${program%.dll}.pdb" ] || mv "${program%.dll}.pdb" "$symbols"
    rm -r "${program%/*}"
}

# counted WHAT CONFIGURATION LINE... : measures the host, which does what these lines say.
counted() {
    local what=$1 configuration=$2
    shift 2
    measure x --root "$temp" -- dotnet "$host" "$@"
    same "$what: exit status" 0 "$status"
    check "$what: counts" "$EXPECT" --configuration "$configuration" x.xml "$temp" plug/Plug.cs
    check "$what: nothing is reported but totals" test "$(grep -c -e 'not measured' -e lost -e 'not in the report' x.err)" -eq 0
}

for configuration in Debug Release; do
    library_of plug $configuration
    for way in load context collectible; do
        counted "$way, $configuration" $configuration "$way $module $symbols"
    done
done
counted "loaded without symbols before" Release "load $module" "load $module $symbols"
for mode in exact hit; do
    measure x --mode $mode --root "$temp" -- dotnet "$host" "load $module $symbols"
    check "$mode: counts" "$EXPECT" --configuration Release $([ $mode = exact ] || echo --hit-only) x.xml "$temp" plug/Plug.cs
done
measure x --include '[plug]*' --root "$temp" -- dotnet "$host" "load $module $symbols"
check "--include: counts" "$EXPECT" --configuration Release x.xml "$temp" plug/Plug.cs

# Loads of the same bytes count in one place, also one to which no symbols are given.
measure x --root "$temp" -- dotnet "$host" "load $module $symbols" "context $module $symbols" "collectible $module $symbols" "load $module"
same "four loads: calls" 4 "$(sed -n '/filename="plug/,/<\/method>/ s/.* hits="\([0-9]*\)".*/\1/p' x.xml)"

# --- what is not measured has its line -----------------------------------------------------------------------------------
# left_out WHAT WORDS ASSEMBLY LINE: the line that says why.
left_out() {
    local what=$1 words=$2
    limited "$ILCOV" run --verbose --root "$temp" -d x.ilcov -f none -- dotnet "$host" "$4" >x.out 2>x.err
    same "$what: exit status" 0 $?
    grep -A1 -e "^ilcov: left out, $words:\$" x.err >line
    check "$what: its line" grep -q "^ilcov:   $3\$" line
}
head -c 5000 /dev/urandom >garbage
printf 'Microsoft C/C++ MSF 7.00\r\n\032DS\0\0\0' >windows
left_out "no symbols" 'has no symbols: its .pdb is not there' plug "load $module"
left_out "garbage" 'its symbols from memory: .*' plug "load $module garbage"
left_out "a Windows PDB" 'its symbols from memory: this is a Windows PDB; .*' plug "load $module windows"
left_out "those of another build" 'its symbols from memory: PDB is of another build: .*' plug "load $module ${host%.dll}.pdb"
left_out "made at run time" 'made at run time, or has no code' RefEmit_InMemoryManifestModule made

# Inside the module they are known when it loads.
library_of plug Release -debug:embedded
counted "embedded" Release "load $module"

# --- attached ------------------------------------------------------------------------------------------------------------
cp -r plug other
library_of other Debug
later="$module $symbols"
library_of plug Debug
start app dotnet "$host"
ready
tell "load $module $symbols"
attach before --verbose
echo "again" >&"$input"
seen '^done again$' app.out
tell "collectible $later"
tell "load $later"
leave
same "attached: exit status" 0 "$status"
check "attached: what loads then" "$EXPECT" --configuration Debug before.xml "$temp" other/Plug.cs
sed -i '/s_start = Start\|return 7/s/hits=1/hits=0/' plug/Plug.cs # it ran before
check "attached: what was loaded before, from there on" "$EXPECT" --configuration Debug before.xml "$temp" plug/Plug.cs
exec {input}>&-
wait "$pid" 2>/dev/null
finish
