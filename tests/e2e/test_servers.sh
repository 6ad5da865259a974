#!/bin/bash
# No build server that outlives the run keeps our library.
. "$(dirname "$0")/lib.sh"

# A machine that sets these would hide the danger.
unset MSBUILDDISABLENODEREUSE UseSharedCompilation DOTNET_CLI_USE_MSBUILD_SERVER
# Servers of our own, that no other build on this machine uses or finds: MSBuild's nodes and the compiler server answer
# only those who know the same words. The third word marks whom we started.
export MSBUILDNODEHANDSHAKESALT=ilcov-e2e-$$
export SharedCompilationId=ilcov-e2e-$$
export ILCOV_E2E_MARK=mark-$$-$RANDOM

export DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF # as `frugally`, but with all of MSBuild's processes

# ours: the ids of living processes that were started, directly or not, by this test and are not the test itself.
ours() {
    local process
    for process in /proc/[0-9]*; do
        if [ "${process#/proc/}" != $$ ] && [ "${process#/proc/}" != "$BASHPID" ] &&
            grep -qzxF "ILCOV_E2E_MARK=$ILCOV_E2E_MARK" "$process/environ" 2>/dev/null &&
            grep -qzF dotnet "$process/cmdline" 2>/dev/null; then
            printf '%s\n' "${process#/proc/}"
        fi
    done
}

# End only those, one by one.
stop_ours() {
    local id
    for id in $(ours); do
        kill "$id" 2>/dev/null
    done
}
# The compiler server leaves its socket, which is always in /tmp.
trap 'stop_ours; clean_up; rm -rf "/tmp/$SharedCompilationId"' EXIT

cp -r "$top/fixtures/sample" "$temp/sample"
cd "$temp/sample" || exit 2
rm -rf ./*/*/bin ./*/*/obj
limited "$ILCOV" run -- dotnet test >"$temp/out" 2>"$temp/err"
same "dotnet test with build servers: exit status" 0 $?
expected "dotnet test with build servers: every line as written" coverage.cobertura.xml "$PWD"

survivors=$(ours)
if [ -z "$survivors" ]; then
    skip "no server keeps the library" "no server outlived the run"
fi
for id in $survivors; do
    command=$(tr '\0' ' ' <"/proc/$id/cmdline" 2>/dev/null | cut -c 1-120)
    if grep -q 'libilcov\.so' "/proc/$id/maps" 2>/dev/null; then
        not_ok "a server keeps the library: $id $command"
    else
        ok "a server without the library: $command"
    fi
done

# And a later build that they serve is none of ours.
rm -rf ./*/*/bin ./*/*/obj
check "a later plain build works" limited dotnet build
for id in $(ours); do
    check "still without the library: $id" test -z "$(grep -l 'libilcov\.so' "/proc/$id/maps" 2>/dev/null)"
done
finish
