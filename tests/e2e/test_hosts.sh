#!/bin/bash
# However .NET code is started, and wherever its sources are, the report says the same: `dotnet test` with VSTest and with
# Microsoft.Testing.Platform, three test projects at once, `dotnet run`, an application's own executable, a server that
# is killed; paths of deterministic builds, embedded symbols, source link, no sources at all. In a long run also two target
# frameworks, and a program that NativeAOT compiled.
. "$(dirname "$0")/lib.sh"

export DOTNET_TieredPGO=0 DOTNET_TC_CallCountingDelayMs=FFFFFF # as `frugally`, but with all of MSBuild's processes

# fresh FIXTURE AS: a copy of it in `place`, which keeps what was built there before.
fresh() {
    place=$top/build/e2e/$name/$2
    mkdir -p "$place" && cp -ru "$top/fixtures/$1/." "$place" || exit 2
    cd "$place" || exit 2
}

# tested WHAT NAME FILE [NAME=VALUE...] dotnet test ARGUMENT...: builds `place`, runs its tests and compares the lines of FILE; they
# are all that is reported. tests/e2e/test_sample.sh has a build under ilcov.
tested() {
    local what=$1 as=$temp/$2 file=$3
    local -a variables=() command
    shift 3
    while [ "$1" != dotnet ]; do
        variables+=("$1")
        shift
    done
    shift 2
    if ! building env ${variables[@]+"${variables[@]}"} dotnet build "$@" >"$as.log" 2>&1; then
        if grep -q 'NU110[12]' "$as.log"; then
            skip "$what" "a package that it needs is not available"
        else
            not_ok "$what: builds" "$as.log"
        fi
        cd "$temp" || exit 2
        return
    fi
    command=(dotnet test --no-build "$@")
    [ ${#variables[@]} -eq 0 ] || command=(env "${variables[@]}" "${command[@]}")
    measure "$as" --root "$place" -- "${command[@]}"
    cd "$temp" || exit 2
    same "$what: exit status" 0 "$status"
    check "$what: every line as written" "$EXPECT" "$as.xml" "$place" "$file"
    same "$what: one package" 1 "$(grep -c '<package ' "$as.xml")"
}

# --- test runs --------------------------------------------------------------------------------------------------------
fresh suites vstest
tested "three test projects at once, VSTest" vstest src/Shared/Clock.cs dotnet test -p:TestsAreApplications=false

fresh suites platform
echo '{ "test": { "runner": "Microsoft.Testing.Platform" } }' >global.json
tested "three test projects at once, Microsoft.Testing.Platform" platform src/Shared/Clock.cs dotnet test

# The newest runtime may run both, so that one is enough here. tests/e2e/test_merge.sh has two, too.
if long; then
    fresh targets targets
    tested "two target frameworks" targets src/Library/Words.cs DOTNET_ROLL_FORWARD=Major dotnet test tests/Library.Tests
fi

# --- programs ---------------------------------------------------------------------------------------------------------
# started WHAT COMMAND...: the program, whose sources are in `place`, is told to return 7.
started() {
    local what=$1
    shift
    measure started --root "$place" -- "$@" return
    same "$what: exit status" 7 "$status"
    check "$what: counts" "$EXPECT" started.xml "$place" Program.cs
}
place=$top/fixtures/endings
build endings Debug
started "an application's own executable" "$program"
started "dotnet DLL" dotnet "$program.dll"
started "dotnet exec DLL" dotnet exec "$program.dll"
fresh endings program
cd "$temp" || exit 2
started "dotnet run, which builds" dotnet run --project "$place" --

# --- a server that is killed ------------------------------------------------------------------------------------------
# answers PORT: five requests of /plain.
answers() {
    for ((i = 0; i < 5; i++)); do
        exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET /plain HTTP/1.0\r\n\r\n' >&3 && grep hello <&3 || return 1
    done
}

# killed SIGNAL STATUS
killed() {
    local port run line
    "$ILCOV" run --data "$1.ilcov" --format "cobertura=$1.xml" --root "$top/fixtures/server" \
        -- "$program" serve >"$1.out" 2>"$1.err" </dev/null &
    run=$!
    for ((i = 0; i < 1200; i++)); do
        port=$(sed -n 's|^listening http://127.0.0.1:||p' "$1.out")
        [ -z "$port" ] || break
        sleep 0.1
    done
    check "a server killed by SIG$1 answered before" answers "$port"
    kill "-$1" "$(pgrep -P $run)"
    wait $run
    same "a server killed by SIG$1: exit status" "$2" $?
    line=$(sed -n '/\/\/ total: plain$/=' "$top/fixtures/server/Server.cs")
    same "a server killed by SIG$1: what it served is counted" 5 \
        "$(sed -n "/ filename=\"Server.cs\"/,/<\/class>/s/.*<line number=\"$line\" hits=\"\([0-9]*\)\".*/\1/p" "$1.xml" | sort -u)"
}
if dotnet --list-runtimes | grep -q '^Microsoft.AspNetCore.App '; then
    build server Debug
    killed KILL 137
    # One that is asked to end ends well.
    killed TERM 0
else
    skip "a server that is killed" "the shared framework Microsoft.AspNetCore.App is not installed"
fi

# --- where sources are ------------------------------------------------------------------------------------------------
if command -v git >/dev/null; then
    # A repository whose address is known to be one that has source links; nothing is asked of it.
    mkdir repository elsewhere
    cp "$top"/fixtures/endings/*.cs* repository
    made git -C repository init --quiet
    made git -C repository add .
    made git -C repository -c user.name=ilcov -c user.email=ilcov@localhost commit --quiet --message 'The sources'
    made git -C repository remote add origin https://github.com/ilcov/fixture.git
    # built NAME OPTION...: into the folder NAME.
    built() {
        local into=$1
        shift
        made dotnet build repository -o "$into" --nologo "$@"
    }
    # found WHAT BUILD ROOT SOURCES: measured with ROOT; SOURCES have the annotations. What is said goes to found.err.
    found() {
        measure found --root "$3" -- "$temp/$2/endings" return
        sed "s|<source>.*</source>|<source>$4</source>|" found.xml >moved.xml
        check "$1: counts" "$EXPECT" moved.xml "$4" Program.cs
    }
    built deterministic -p:ContinuousIntegrationBuild=true
    found "a deterministic build" deterministic "$temp/repository" "$temp/repository"
    found "a deterministic build, no sources" deterministic "$temp/elsewhere" "$temp/repository"
    check "no sources: this is told" grep -q 'no sources found below' found.err
    built embedded --no-restore -p:ContinuousIntegrationBuild=true -p:DebugType=embedded
    check "embedded symbols: there is no other" test ! -e embedded/endings.pdb
    found "embedded symbols" embedded "$temp/repository" "$temp/repository"
    built linked --no-restore
    found "source link, no sources" linked "$temp/elsewhere" "$temp/repository"
    made git clone --quiet repository clone
    found "source link, sources in another folder" linked "$temp/clone" "$temp/clone"
    echo '// edited' >>clone/Program.cs
    measure edited --root "$temp/clone" -- "$temp/linked/endings" return
    check "a source that was edited elsewhere is not taken for the one that was compiled" \
        grep -q 'not as compiled' edited.err
    mv repository/Program.cs elsewhere.cs
    measure gone --root "$temp/repository" -- "$temp/linked/endings" return
    mv elsewhere.cs repository/Program.cs
    check "sources removed after the build: counts" "$EXPECT" gone.xml "$temp/repository" Program.cs
else
    skip "deterministic builds" "no git"
fi

# --- compiled ahead of time -------------------------------------------------------------------------------------------
# native WHAT PROGRAM
native() {
    measure native -- "$2"
    same "$1: exit status" 3 "$status"
    same "$1: one line says why" 1 "$(grep -c 'compiled ahead of time (PublishAot): it has no IL to measure' native.err)"
    same "$1: and one that there is no file" 2 "$(grep -c '' native.err)"
}
echo '__attribute__((section("__managedcode"))) int main(void) { return 0; }' >native.c
if "${CC:-cc}" -s -o native native.c 2>/dev/null; then
    native "a program with the section that PublishAot makes" "$temp/native"
else
    skip "a program with the section that PublishAot makes" "no C compiler"
fi
if long; then
    mkdir ahead && cd ahead || exit 2
    made dotnet new console
    cd "$temp" || exit 2
    if building dotnet publish ahead -p:PublishAot=true -o ahead/out >publish.log 2>&1; then
        native "NativeAOT" "$temp/ahead/out/ahead"
    elif grep -q 'NU110[12]' publish.log; then
        skip "NativeAOT" "its compiler or its runtime is not to be had"
    else
        not_ok "NativeAOT: publishes" publish.log
    fi
fi
finish
