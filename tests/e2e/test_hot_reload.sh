#!/bin/bash
# A program that changes itself while it runs (hot reload) ends as without ilcov, and prints the same, in every mode: added
# methods, locals, types, lambdas, an async method, an iterator and a generic one. What ran before an update is counted, and
# each method that changed is named. With `attach`, before the first update and after it, nothing of it is changed.
. "$(dirname "$0")/lib.sh"
. "$top/tests/e2e/visits.sh"

fixture=$top/fixtures/hot_reload
attach_options=(--root "$fixture" --include '[Lib]*' --include '[Release]*')
build hot_reload Debug
made "$program" make "$fixture/lib" lib
made "$program" make "$fixture/lib" optimised release
export DOTNET_MODIFIABLE_ASSEMBLIES=debug

# What it is to do: each version is called once, and its bodies are looked at before that and after.
{
    printf 'work\nbodies\n'
    for _ in 1 2 3 4 5 6; do printf 'update\nbodies\nwork\nbodies\n'; done
} >turns
limited "$program" lib <turns >bare.out 2>bare.err
same "bare: exit status" 0 $?
same "bare: six updates" 6 "$(grep -c '^done update' bare.out)"
check "bare: the last one runs" grep -q 'very positive' bare.out

changed='hot reload changed Work.After, Work.All, Work.Check, Work.Lambda, Work.Of<T>, Work.Plain, Work.Sum of Lib: they are not counted from then on'
for mode in count hit exact; do
    options=()
    [ $mode != hit ] || options=(--hit-only)
    measure $mode --root "$fixture" --include '[Lib]*' --mode $mode -- "$program" lib <turns
    same "$mode: exit status" 0 "$status"
    check "$mode: it prints what it prints without" cmp bare.out $mode.out
    check "$mode: the methods that changed are named" grep -qF "$changed" $mode.err
    expected "$mode: what ran until then is counted" $mode.xml "$fixture" --configuration Debug "${options[@]}"
    same "$mode: where counts cannot be exact, one line says so" "$([ $mode != exact ] || echo 1)" \
        "$(grep 'cannot be exact' $mode.err | grep -c '^ilcov: Lib: ' | grep -v '^0$')"
done

# hits LINE REPORT
hits() {
    sed -n "s/.*<line number=\"$1\" hits=\"\([0-9]*\)\".*/\1/p" "$2" | head -1
}

# Threads that meet lose counts, never hits.
measure threads --root "$fixture" --include '[Lib]*' -- "$program" lib <<<contend
same "threads: exit status" 0 "$status"
check "threads: hit" test "$(hits 17 threads.xml)" -gt 0
check "threads: not more than there were" test "$(hits 17 threads.xml)" -le 100000

# What hot reload cannot change is measured as ever: here exactly.
measure optimised --root "$fixture" --include '[Lib]*' --mode exact -- "$program" optimised <<<contend
same "optimised: exit status" 0 "$status"
same "optimised: exact" 100000 "$(hits 17 optimised.xml)"
same "optimised: nothing to say" 1 "$(grep -c '^ilcov: ' optimised.err)"

# --- attached ------------------------------------------------------------------------------------------------------------

for when in before after; do
    start $when "$program" lib
    seen '^ready$' $when.out
    tell work
    tell bodies
    [ $when = before ] || { tell update && tell bodies && tell work && tell bodies; }
    attach seen-$when
    check "attached $when: it says at once what it does not measure" \
        grep -q '^ilcov: Lib is not measured: hot reload may change it' seen-$when.said
    for _ in 1 2 3 4 5 6; do
        grep -c '^done update' $when.out | grep -qx 6 || { tell update && tell bodies && tell work && tell bodies; }
    done
    limited "$ILCOV" detach "$pid" >detach.log 2>detach.said
    same "attached $when: nothing was changed, so it can be detached" 0 $?
    wait "$attacher"
    same "attached $when: nothing was measured: exit status" 3 $?
    exec {input}>&-
    wait "$pid"
    same "attached $when: the program's exit status" 0 $?
    printed
    check "attached $when: it prints what it prints without" cmp bare.out $when.out
done
finish
