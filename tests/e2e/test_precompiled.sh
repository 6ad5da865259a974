#!/bin/bash
# Precompiled code of what is measured is not used: ReadyToRun, self-contained, single file; composite in a long run. The
# compiler and runtime packs come from NuGet; where they can't be had, the test is skipped.
. "$(dirname "$0")/lib.sh"

# published WHAT OPTION...: publishes the language fixture and compares every line.
published() {
    local what=$1 place=$top/build/e2e/$name/$1 publish=building
    shift
    case $* in *PublishTrimmed*) publish=limited ;; esac # what trims is not precompiled
    if ! $publish dotnet publish "$top/fixtures/language" --configuration Release --runtime linux-x64 --nologo \
        --artifacts-path "$place" "$@" >"$temp/publish.log" 2>&1; then
        if grep -q 'NU110[12]' "$temp/publish.log"; then
            skip "$what" "a package that publishing needs is not to be had"
        else
            not_ok "$what: publishes" "$temp/publish.log"
        fi
        return
    fi
    measure "$what" --root "$top/fixtures/language" -- "$place/publish/language/release_linux-x64/language"
    same "$what: exit status" 0 "$status"
    expected "$what: every line as written" "$what.xml" "$top/fixtures/language" --configuration Release
}

published ready-to-run --self-contained false -p:PublishReadyToRun=true
published single-file --self-contained true -p:PublishSingleFile=true
if long; then
    # Of the framework only what it needs: all of it takes the compiler two minutes. Of our own assemblies all.
    published composite --self-contained true -p:PublishReadyToRun=true -p:PublishReadyToRunComposite=true \
        -p:PublishTrimmed=true -p:TrimMode=partial
    check "composite: so it was compiled" \
        [ -s "$top/build/e2e/$name/composite/publish/language/release_linux-x64/language.r2r.dll" ]
    # Its modules are mapped as the loader laid them out, and are in no file of their own. (Also attached to: test_attach_places.sh)
    published single-file-ready-to-run --self-contained false -p:PublishSingleFile=true -p:PublishReadyToRun=true
fi
finish
