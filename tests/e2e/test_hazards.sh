#!/bin/bash
# What is easily broken by rewriting: tail calls ten million deep, frames and clauses of all kinds, code at the limits of the
# format, runtime-async, threads that compile the same method at once, every way in which the runtime replaces code: under a
# running loop, too, and both the program and the JIT are asked whether that happened. In every mode each program prints what
# it prints without coverage, each line has the count that the source says, and no method is left out but one that is
# malformed. Programs in C#, F# and IL; ilasm comes from NuGet, without it the IL is skipped.
. "$(dirname "$0")/lib.sh"

export DOTNET_RuntimeAsync=1
left_out= # of the program at hand, with its reason
large=$top/build/e2e/$name/large
modes=(bare count hit exact)

# covered WHAT MODE ROOT FILE...: runs ${command[@]} under ilcov, compares with bare.out and the sources.
covered() {
    local what=$1 mode=$2 root=$3 options=(--configuration "$configuration")
    shift 3
    if [ "$mode" = hit ]; then
        options+=(--hit-only)
    fi
    measure "$mode" --mode "$mode" --verbose --root "$root" -- "${command[@]}"
    same "$what: exit status" 0 "$status"
    check "$what: prints what it prints without coverage" cmp bare.out "$mode.out"
    check "$what: every line as written" "$EXPECT" "${options[@]}" "$mode.xml" "$root" "$@"
    same "$what: methods left out" "$left_out" "$(sed -n 's/^ilcov: left out: //p' "$mode.err")"
}

# bare WHAT: runs ${command[@]} without ilcov.
bare() {
    limited "${command[@]}" >bare.out
    same "$1, bare: exit status" 0 $?
}

# every_mode WHAT ROOT FILE...
every_mode() {
    local what="$1, $configuration"
    shift
    command=("$program")
    for mode in "${modes[@]}"; do
        if [ $mode = bare ]; then
            bare "$what"
        else
            covered "$what, $mode" "$mode" "$@"
        fi
    done
}

# replaced MODE: the methods of Loops.cs whose frame got new code in the middle of a loop, in the order of their calls. The JIT
# writes the list through a FILE that exit() takes away, also from a thread that compiles in the background: it would crash, so
# none does.
replaced() {
    command=(env DOTNET_TC_CallCountingDelayMs=60000 DOTNET_JitDisasmSummary=1 "DOTNET_JitStdOutFile=$temp/$1.jit" "$program")
    if [ "$1" = bare ]; then
        limited "${command[@]}" >/dev/null
    else
        measure replaced --mode "$1" --root "$top/fixtures/hazards" -- "${command[@]}"
    fi
    sed -n 's/^.* JIT compiled Hazards\.Loops:\([A-Za-z]*\)(.*\[Tier1-OSR @0x.*$/\1/p' "$1.jit" | paste -sd' '
}

# moves WHAT True|False: does the program itself see the machine code change under a running loop?
moves() {
    same "$1, bare: in other code at the end of a loop: $2" "moved $2" "$(grep '^moved ' bare.out)"
}

# with_setting SETTING MOVES: fixtures/hazards with a setting of the runtime
with_setting() {
    local what="C#, $configuration, $1"
    command=(env DOTNET_TC_CallCountingDelayMs=0 "DOTNET_$1" "$program")
    bare "$what"
    moves "$what" "$2"
    covered "$what" count "$top/fixtures/hazards" "${files[@]}"
}

# sources FIXTURE KIND: the files of that kind, by name
sources() {
    (cd "$top/fixtures/$1" && ls ./*."$2")
}

# assembles DIRECTORY NAME [INTO]: sets `program`; false when there is no ilasm.
assembles() {
    local into=${3:-$top/build/e2e/$name}
    if ! building dotnet build "$1" --configuration "$configuration" --nologo \
        --artifacts-path "$into" >"$temp/build.log" 2>&1; then
        if grep -q 'NU110[12]' "$temp/build.log"; then
            skip "$2, $configuration" "there is no ilasm to be had"
        else
            not_ok "$2 assembles ($configuration)" "$temp/build.log"
        fi
        return 1
    fi
    program=$into/bin/$2/$(lower "$configuration")/$2
}

# Not in build/e2e: what is there must be rewritten without exception (tests/conformance/rewrite_framework.sh).
mkdir -p "$temp/malformed"
cp "$top/fixtures/hazards_il/hazards_il.csproj" "$temp/malformed/malformed.csproj"
cat >"$temp/malformed/malformed.il" <<'IL'
.assembly extern System.Runtime { .publickeytoken = (B0 3F 5F 7F 11 D5 0A 3A) .ver 10:0:0:0 }
.assembly malformed { .ver 1:0:0:0 }
.module malformed.dll
.class public abstract auto ansi sealed Malformed extends [System.Runtime]System.Object
{
  .method static void Main() cil managed
  {
    .entrypoint
    ldc.i4.0
    brfalse.s end                           // cov: hits=1
    call void Malformed::Unbalanced()
end:
    ret
  }
  .method static void Unbalanced() cil managed
  {
    pop
    ret
  }
}
IL

mkdir -p "$large"
cp "$top/fixtures/hazards_il/hazards_il.csproj" "$large/large.csproj"
awk -f "$top/fixtures/hazards_il/large.awk" >"$large/large.il"

for configuration in Debug Release; do
    build hazards "$configuration"
    mapfile -t files < <(sources hazards cs)
    every_mode C# "$top/fixtures/hazards" "${files[@]}"
    moved=True loops='Long Nested WithClauses Moves'
    if [ $configuration = Debug ]; then # no tiers
        moved=False loops=
    fi
    moves "C#, $configuration" $moved
    for mode in bare count hit exact; do
        same "C#, $configuration, $mode: replaced in the middle of a loop: ${loops:-none}" "$loops" "$(replaced $mode)"
    done
    if [ $configuration = Release ] || long; then # they are about tiers
        settings=(TieredPGO=0 OSR_HitLimit=1) without=(TieredCompilation=0)
        if long; then
            settings+=(ReadyToRun=0 TC_CallCountThreshold=2 TC_OnStackReplacement_InitialCounter=20000) # replaced early, and late
            without+=(TC_QuickJitForLoops=0 TC_OnStackReplacement=0)
        fi
        for setting in "${settings[@]}"; do
            with_setting "$setting" $moved
        done
        for setting in "${without[@]}"; do
            with_setting "$setting" False
        done
    fi

    build hazards_async "$configuration"
    mapfile -t files < <(sources hazards_async cs)
    every_mode runtime-async "$top/fixtures/hazards_async" "${files[@]}"

    build hazards_fs "$configuration"
    mapfile -t files < <(sources hazards_fs fs)
    every_mode F# "$top/fixtures/hazards_fs" "${files[@]}"

    if assembles "$top/fixtures/hazards_il" hazards_il; then
        mapfile -t files < <(sources hazards_il il)
        every_mode IL "$top/fixtures/hazards_il" "${files[@]}"
        # ilasm names a checksum in the assembly that its PDB does not have.
        for mode in count hit exact; do
            same "IL, $configuration, $mode: the PDB of ilasm is used, and one line says why that is in doubt" 1 \
                "$(grep -c "hazards_il: its PDB does not have the checksum that the assembly names, but the id" $mode.err)"
        done
        limited "$ILCOV" inspect "$program.dll" >inspect.out
        check "IL, $configuration: inspect says so, too" grep -qF 'the checksum does not' inspect.out
    fi
done

long || modes=(bare exact) # what is large, not how it counts
if assembles "$large" large; then
    every_mode 'IL at the limits' "$large" large.il
fi
if assembles "$temp/malformed" malformed "$temp"; then
    left_out='malformed: Malformed.Unbalanced(): the evaluation stack does not balance'
    every_mode 'malformed IL' "$temp/malformed" malformed.il
    measure plain --root "$temp/malformed" -- "${command[@]}"
    check "the summary names what was refused" \
        grep -qF '1 method was left as compiled and not measured: Malformed.Unbalanced()' plain.err
fi
finish
