#!/bin/bash
# watch.sh - programs under a real `dotnet watch`, edited while they run: fixtures/watch/app with each of fixtures/watch/edits under
# `dotnet watch run`, and fixtures/watch/suite with each of its edits under `dotnet watch test`, in every mode. After each edit they
# print what they print without ilcov; what was edited is named, and what was not has its counts. Then the program is attached to,
# before its first update and after it. Writes its section to $RELIABILITY_DIR/watch.md.
#
#   MODES       count hit exact
#   FRAMEWORKS  net10.0 net9.0 net8.0; the runtimes of those that are not installed come from NuGet; net11.0 with ILCOV_DOTNET=11
#   PARTS       run attach test
#
# `dotnet watch` overlooks changes before it says that it waits for them, and, if it polls, a file that is replaced by one that was
# made before it. So each version of a file is made when its turn has come.
. "$(dirname "$0")/../e2e/lib.sh"

modes=${MODES:-count hit exact}
frameworks=${FRAMEWORKS:-net10.0 net9.0 net8.0}
[ $net = net10.0 ] || frameworks=$net
parts=${PARTS:-run attach test}
patience=240 # seconds until an edit is seen
edits=$top/fixtures/watch/edits
group=
trap '[ -z "$group" ] || kill -KILL -- "-$group" 2>/dev/null; clean_up' EXIT

# Nothing stays that a build has started.
export MSBUILDDISABLENODEREUSE=1 UseSharedCompilation=false

# watched COMMAND...: in the background, in a process group of its own, as a terminal has it. Sets `group`; output to out and err.
watched() {
    : >out
    : >err
    setsid env --default-signal=INT "$@" >out 2>err </dev/null &
    group=$!
}

# times TEXT: how many lines of what was printed have it.
times() {
    cat out err | grep -c -a -e "$1"
}

# seen TEXT [TIMES]: waits until so many lines have it.
seen() {
    local end=$((SECONDS + patience))
    until [ "$(times "$1")" -ge "${2:-1}" ]; do
        [ $SECONDS -lt $end ] && kill -0 "$group" 2>/dev/null || return 1
        sleep 0.05
    done
}

# interrupted: Ctrl+C. Sets `status`.
interrupted() {
    kill -INT -- "-$group" 2>/dev/null
    local end=$((SECONDS + patience))
    while kill -0 "$group" 2>/dev/null && [ $SECONDS -lt $end ]; do sleep 0.05; done
    kill -KILL -- "-$group" 2>/dev/null
    wait "$group"
    status=$?
    group=
}

# edited NUMBER EDIT FILE: the version becomes NUMBER, if the edit itself does not set it. One step, or half a file may be compiled.
edited() {
    case $2 in
    *Version*) sed "$2" "$3" >edited ;;
    *) sed -e "$2" -e "s/Version() => [0-9]*/Version() => $1/" "$3" >edited ;;
    esac
    mv edited "$3"
}

# row FRAMEWORK COMMAND MODE WHAT RESULT: of the table in the section.
row() {
    printf '| %s | `dotnet watch %s` | %s | %s | %s |\n' "$@" >>rows
}

# verdict FILE: is `said` what was said without ilcov?
verdict() {
    if cmp -s "$1" said; then echo "same output"; else echo "**other output**"; fi
}

# --- dotnet watch run ----------------------------------------------------------------------------------------------------

# all_edits: until one of them is not taken. Sets `applied`.
all_edits() {
    local kind methods edit errors
    applied=0
    seen '^| version 0 ' && seen 'Waiting for changes' || return
    while IFS=';' read -r kind methods edit; do
        errors=$(times 'error CS')
        edited $((applied + 1)) "$edit" app/Work.cs
        case $kind:$edit in
        error:*) seen 'error CS' $((errors + 1)) ;;
        *'=> -1;'*) seen '^| end' ;;
        *) seen "^| version $((applied + 1)) " ;;
        esac || return
        applied=$((applied + 1))
    done < <(grep -v '^#' "$edits")
    seen 'Exited'
}

# fresh_app FRAMEWORK
fresh_app() {
    rm -rf app
    cp -r "$top/fixtures/watch/app" .
    sed -i "s/net10.0/$1/" app/app.csproj
}

# run FRAMEWORK COMMAND...: all edits under `dotnet watch run`, which the command gets, too.
run() {
    local framework=$1
    shift
    fresh_app "$framework"
    watched env --chdir app "$@" dotnet watch run --non-interactive
    all_edits
    interrupted
    grep -a '^|' out >said
}
# names: the methods that lines of ilcov name as changed. Of a build that was replaced, they have the names that the compiler made.
names() {
    sed -n 's/^ilcov: hot reload changed \(.*\) of app: .* not counted .*/\1/p' err | sed 's/, /\n/g' |
        sed -E 's|^(.*)/<>c[^.]*\.<([A-Za-z]+)>.*|\1.\2|; s|^(.*)/<([A-Za-z]+)>.*\.MoveNext$|\1.\2|; s|^(.*)\.<([A-Za-z]+)>g__.*|\1.\2|' |
        LC_ALL=C sort -u
}

# names_expected FRAMEWORK: what the edits say. From .NET 11 on, what no longer runs once it was edited is named, too.
names_expected() {
    echo Work.Version
    [ "$1" != net11.0 ] || printf 'Work.%s\n' Added Endless Parameter
    awk -F '; *' '!/^#/ && $2 != "" { print ($2 ~ /\./ ? "" : "Work.") $2 }' "$edits"
}

# counts MODE REPORT ROUNDS FILE...: are the lines with `times` those of so many rounds? Prints what differs.
counts() {
    local mode=$1 report=$2 rounds=$3 file
    for file in "${@:4}"; do
        sed -n "/ filename=\"[^\"]*${file##*/}\"/,/<\/class>/s/.*<line number=\"\([0-9]*\)\" hits=\"\([0-9]*\)\".*/\1 \2/p" "$report" |
            sort -u >hits
        awk -v mode="$mode" -v rounds="$rounds" '
            FILENAME == "hits" { hits[$1] = $2; next }
            match($0, /\/\/ times: [0-9]+/) {
                times = substr($0, RSTART + 10, RLENGTH - 10) * rounds
                if (mode == "hit")
                    times = times > 0
                got = FNR in hits ? hits[FNR] : "none"
                if (got != times) {
                    printf "%s:%d: expected %d, got %s\n", FILENAME, FNR, times, got
                    wrong = 1
                }
            }
            END { exit wrong }' hits "$file" || return
    done
}

# rounds: what the last process made.
rounds() {
    sed -n 's/^| version .* after \([0-9]*\) rounds$/\1/p' said | tail -n 1
}

# run_modes FRAMEWORK
run_modes() {
    local mode bare_status bare_said total
    total=$(grep -vc '^#' "$edits")
    run "$1" env
    same "$1: bare: all edits are applied" "$total" "$applied" || return
    same "$1: bare: restarts" "$(grep -c '^restart' "$edits")" "$(times 'Restart is needed')"
    bare_status=$status
    cp said "bare-$1.said"
    row "$1" run none "$applied edits, $(times 'Restart is needed') restarts, $(times '^| version') versions" -
    names_expected "$1" | LC_ALL=C sort -u >names.expected
    for mode in $modes; do
        run "$1" "$ILCOV" run --mode "$mode" --root "$temp/app" --data "$temp/run.ilcov" --format "cobertura=$temp/run.xml" --
        same "$1: $mode: all edits are applied" "$total" "$applied"
        same "$1: $mode: exit status" "$bare_status" "$status"
        check "$1: $mode: the program prints what it prints without" diff "bare-$1.said" said
        names >names.got
        check "$1: $mode: what was edited is named" diff names.expected names.got
        check "$1: $mode: what was not edited has its counts" \
            counts "$mode" run.xml "$(rounds)" "$top"/fixtures/watch/app/{Program,Steady}.cs
        row "$1" run "$mode" "$applied edits, $(times 'Restart is needed') restarts, $(times '^| version') versions" \
            "$(verdict "bare-$1.said"); $(wc -l <names.got) methods named; counts of $(cat "$top"/fixtures/watch/app/*.cs | grep -c '// times: ') lines"
        cp out "$1-$mode.out"
        cp err "$1-$mode.err"
    done
}

# --- dotnet watch test ---------------------------------------------------------------------------------------------------

# all_suite_edits: each when the run before has ended, or the edit is overlooked. Sets `applied`.
all_suite_edits() {
    local kind file edit runs=1 errors
    applied=0
    seen 'Waiting for a file to change' || return
    while IFS=';' read -r kind file edit; do
        errors=$(times 'error CS')
        sed "$edit" "suite/${file# }" >edited
        mv edited "suite/${file# }"
        runs=$((runs + 1))
        seen 'Waiting for a file to change' $runs || return
        [ "$kind" != error ] || [ "$(times 'error CS')" -gt "$errors" ] || return
        applied=$((applied + 1))
    done < <(grep -v '^#' "$top/fixtures/watch/suite_edits")
}

# test_watched FRAMEWORK COMMAND...: all edits of the suite.
test_watched() {
    local framework=$1
    shift
    rm -rf suite
    cp -r "$top/fixtures/watch/suite" .
    sed -i "s/net10.0/$framework/" suite/*/*.csproj
    watched env --chdir suite/Tests "$@" dotnet watch test --non-interactive
    all_suite_edits
    interrupted
    # without times, and what xunit says after them
    sed -n 's/, Duration: [^-]*/ /; s/ \[[^]]*m\?s\]$//; /^\(Passed\|Failed\)! /p; /^  Failed /p; /^Expected: /p; /^Actual: /p' out >said
}

# test_modes FRAMEWORK
test_modes() {
    local mode bare_status total
    total=$(grep -vc '^#' "$top/fixtures/watch/suite_edits")
    test_watched "$1" env
    same "$1: tests, bare: all edits are seen" "$total" "$applied" || return
    bare_status=$status
    cp said bare.said
    row "$1" test none "$applied edits, $(times '^\(Passed\|Failed\)! ') runs of the tests" -
    for mode in $modes; do
        test_watched "$1" "$ILCOV" run --mode "$mode" --root "$temp/suite" --data "$temp/run.ilcov" --format "cobertura=$temp/run.xml" --
        same "$1: tests, $mode: all edits are seen" "$total" "$applied"
        same "$1: tests, $mode: exit status" "$bare_status" "$status"
        check "$1: tests, $mode: the tests end as without" diff bare.said said
        check "$1: tests, $mode: what was not edited has the counts of the last run" \
            counts "$mode" run.xml 1 "$top/fixtures/watch/suite/Shop/Steady.cs"
        row "$1" test "$mode" "$applied edits, $(times '^\(Passed\|Failed\)! ') runs of the tests" "$(verdict bare.said)"
    done
}

# --- attach --------------------------------------------------------------------------------------------------------------

# edit_number N: makes it, and waits until it is applied.
edit_number() {
    edited "$1" "$(grep -v '^#' "$edits" | sed -n "$1p" | cut -d';' -f3-)" app/Work.cs
    seen "^| version $1 "
}

# attach_modes FRAMEWORK: before the first update, and after it; then comes another, and another when ilcov has left.
attach_modes() {
    local updates what attacher
    [ -e "bare-$1.said" ] || { run "$1" env && cp said "bare-$1.said"; }
    for updates in 0 1; do
        what="$1: attached after $updates updates"
        fresh_app "$1"
        watched env --chdir app dotnet watch run --non-interactive
        check "$what: it runs" eval "seen '^| version 0 ' && seen 'Waiting for changes'"
        : >attach.err
        [ $updates -eq 0 ] || edit_number 1
        limited "$ILCOV" attach --root "$temp/app" --include '[app]*' --data attached.ilcov --format none "$(pgrep -g "$group" -x app)" \
            >attach.log 2>attach.err &
        attacher=$!
        for _ in $(seq 600); do
            grep -q 'hot reload may change it' attach.err && break
            sleep 0.1
        done
        check "$what: it says what it does not measure" grep -q '^ilcov: app is not measured: hot reload may change it' attach.err
        check "$what: the next edit is applied" edit_number $((updates + 1))
        check "$what: it can be detached" limited "$ILCOV" detach "$(pgrep -g "$group" -x app)"
        wait $attacher
        same "$what: nothing was measured" 3 $?
        check "$what: the edit after that is applied" edit_number $((updates + 2))
        interrupted
        grep -a '^|' out >said
        head -n "$(grep -c '' said)" bare-"$1".said >said.expected
        check "$what: the program prints what it prints without" diff said.expected said
        row "$1" run "attached after $updates updates" "$((updates + 2)) edits" "$(verdict said.expected); Debug code is left as it is, and named"
    done
}

# --- .NET 8 and 9 --------------------------------------------------------------------------------------------------------

# other_runtimes: an SDK as the one that is installed, and with the runtimes of .NET 8 and 9 from NuGet. Sets `runtimes`.
other_runtimes() {
    local sdk bundled version
    sdk=$(dirname "$(readlink -f "$(command -v dotnet)")")
    bundled=$sdk/sdk/$(dotnet --version)/Microsoft.NETCoreSdk.BundledVersions.props
    mkdir -p runtimes sdk/shared/Microsoft.NETCore.App
    runtimes=$(sed -n 's/.* LatestRuntimeFrameworkVersion="\([89]\.[0-9.]*\)".*/\1/p' "$bundled" | sort -u)
    printf '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
<ItemGroup><PackageDownload Include="Microsoft.NETCore.App.Runtime.linux-x64" Version="%s" /></ItemGroup></Project>\n' \
        "$(sed 's/.*/[&]/' <<<"$runtimes" | paste -sd';')" >runtimes/runtimes.csproj
    building dotnet restore runtimes --packages packages >restore.log 2>&1 || return
    cp "$sdk/dotnet" sdk
    cp -al "$sdk/sdk" "$sdk/host" sdk 2>/dev/null || cp -r "$sdk/sdk" "$sdk/host" sdk || return
    ln -s "$sdk/packs" "$sdk/sdk-manifests" "$sdk/metadata" "$sdk/templates" sdk
    ln -s "$sdk"/shared/Microsoft.NETCore.App/* sdk/shared/Microsoft.NETCore.App
    ln -s "$sdk"/shared/Microsoft.AspNetCore.App sdk/shared # for `dotnet watch` itself
    for version in $runtimes; do
        mkdir "sdk/shared/Microsoft.NETCore.App/$version"
        cp -r "packages/microsoft.netcore.app.runtime.linux-x64/$version/runtimes/linux-x64"/{lib/*,native}/. \
            "sdk/shared/Microsoft.NETCore.App/$version" || return
    done
    PATH=$temp/sdk:$PATH
    export DOTNET_ROOT=$temp/sdk
}

case " $frameworks " in
*" net8.0 "* | *" net9.0 "*)
    if ! other_runtimes; then
        skip "net9.0, net8.0" "their runtimes are not available"
        frameworks=net10.0
    fi
    ;;
esac
for framework in $frameworks; do
    for part in $parts; do
        "${part}_modes" "$framework"
    done
done

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/watch.md" <<EOF
## Edits while it runs

\`fixtures/watch\` under a real \`dotnet watch\`: a program that is edited while it runs, and tests that are edited with the code they
test. The edits change bodies, locals, loops, lambdas, local functions, async methods, iterators, generic methods and types; add methods, types,
fields and properties; remove methods, move lines, and make and fix errors. Edits that a running program cannot
apply restart it. After each edit the output must be the same as without ilcov. Afterwards ilcov names exactly the edited methods, and unedited lines
have their counts.

| target | under | ilcov | what | result |
| --- | --- | --- | --- | --- |
$(cat rows 2>/dev/null)
EOF
fi
finish
