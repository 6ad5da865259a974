#!/bin/bash
# Reflection shows the bodies that the compiler wrote: code, locals, clauses and numbers of every method of a program, in
# every mode, on many threads, with the core library itself in scope, and on older runtimes, whose packs come from NuGet;
# where they can't be had, they are skipped. And the counts are what they are.
. "$(dirname "$0")/lib.sh"

# shown WHAT OPTION...: is what $program prints of itself what it prints without ilcov? `told` may name a line that is right.
shown() {
    local what=$1
    shift
    measure shown --root "$top/fixtures/reflection" "$@" -- "$program"
    same "$what: exit status" 0 "$status"
    check "$what: bodies as the compiler wrote them" cmp bare.out shown.out
    same "$what: nothing to tell" 1 "$(grep '^ilcov: ' shown.err | grep -vcF -e "${told:-(no line)}")"
}

# bare WHAT: what $program prints without ilcov.
bare() {
    limited "$program" >bare.out
    same "$1, bare: exit status" 0 $?
    same "$1, bare: nothing wrong with the program itself" '' "$(grep -E ': False|wrong on threads: [^0]' bare.out)"
}

for configuration in Debug Release; do
    build reflection "$configuration"
    bare "$configuration"
    for mode in count hit exact; do
        options=(--configuration "$configuration")
        if [ $mode = hit ]; then
            options+=(--hit-only)
        fi
        shown "$configuration, $mode" --mode $mode
        expected "$configuration, $mode: counts" shown.xml "$top/fixtures/reflection" "${options[@]}"
    done
    [ $configuration = Release ] || long || continue
    for setting in TieredCompilation=0 ReadyToRun=0 TC_CallCountThreshold=2; do
        DOTNET_TC_CallCountingDelayMs=0 shown "$configuration, $setting"
    done
    # On .NET 11 the method has no local but what its probes need, and a line says that bodies are not hidden.
    [ $net = net10.0 ] || continue
    told='System.Private.CoreLib has too many counters' shown "$configuration, core library in scope" -i '[*]*'
done

frameworks=(net8.0)
! long || frameworks+=(net9.0)
for framework in "${frameworks[@]}"; do
    if build_for $framework reflection; then
        bare $framework
        shown $framework
        expected "$framework: counts" shown.xml "$top/fixtures/reflection" --configuration Release
    fi
done
finish
