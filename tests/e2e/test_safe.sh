#!/bin/bash
# docs/safety.md holds: what the library does inside a program, which is to write in its session and nothing else; and that
# neither program nor library use what somebody else could have changed.
. "$(dirname "$0")/lib.sh"
LIMIT=${LIMIT_OF_ONE:-60}

library=$(dirname "$ILCOV")/libilcov.so
nobody=65534
build faults Debug
export FAULTS=$program

# --- what it calls --------------------------------------------------------------------------------------------------------

# Hardened and versioned names are those of the plain functions.
nm -D --undefined-only "$library" | awk '$1 == "U" { print $2 }' |
    sed -E 's/@.*//; s/^__(.*)_chk$/\1/; s/^__isoc[0-9]+_//' |
    grep -Ev '^(_|mem|str)' | sort -u >imported
sed 's/#.*//' "$top/tests/support/imports.txt" | tr ' ' '\n' | grep . | sort -u >allowed
if nm -D "$library" | grep -q '__[a-z]*san_'; then
    skip "the library calls what tests/support/imports.txt allows, and no other" "a sanitizer calls more"
else
    same "the library calls what tests/support/imports.txt allows, and no other" '' "$(comm -23 imported allowed)"
    same "and all of that" '' "$(comm -13 imported allowed)"
fi
same "it exports DllGetClassObject and no other name that anybody could take for its own" DllGetClassObject \
    "$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -v '^_' | paste -sd' ')"

# --- what it does in a process --------------------------------------------------------------------------------------------

# changes TRACE: each call that makes, opens for writing, removes or renames a file, without numbers that differ
changes() {
    grep -E '^[0-9]+ +(open[a-z0-9]*\(.*O_(WRONLY|RDWR|CREAT|TRUNC)|(unlink|rename|mkdir|rmdir|link|symlink|chmod|fchmod|chown|lchown|fchown|truncate|mknod|utime|futimes)[a-z0-9]*\()' "$1" |
        sed -E 's/^[0-9]+ +//; s/[0-9a-f]*[0-9][0-9a-f]*/N/g'
}

# traced NAME OPTION...: the calls of a program without and with ilcov, in bare.trace and NAME.trace
traced() {
    local into=$1
    shift
    limited strace -f -y -e trace=%file,socket,clone,clone3 -o bare.trace "$program" work late work >bare.out
    limited "$ILCOV" run --quiet --data "$into.ilcov" --format none --session-dir sessions "$@" -- \
        strace -f -y -e trace=%file,socket,clone,clone3 -o "$into.trace" "$program" work late work >"$into.out"
}

# count_calls TRACE PATTERN
count_calls() {
    grep -cE "^[0-9]+ +$2" "$1"
}

mkdir sessions
export DOTNET_TieredCompilation=0 # its threads come when they like
if ! strace -o /dev/null true 2>strace.err; then
    skip "it writes in its session and nowhere else" "$(head -n 1 strace.err)"
else
    traced plain
    same "a traced program does what it does" "$(cat bare.out)" "$(cat plain.out)"
    changes bare.trace | sort -u >bare.changes
    changes plain.trace | sort -u >plain.changes
    check "it makes its files in the session" grep -q 'sessions/ilcov-.*N.counts.*O_EXCL' plain.changes
    same "it writes, makes, renames and removes nothing outside of the session" '' \
        "$(comm -13 bare.changes plain.changes | grep -v "^[a-z]*N*(N<$(sed -E 's/[0-9a-f]*[0-9][0-9a-f]*/N/g' <<<"$temp")/sessions/ilcov-")"
    same "every file is made anew, and opened through no link" '' \
        "$(grep '/sessions/ilcov-' plain.changes | grep O_CREAT | grep -v 'O_CREAT|O_EXCL.*O_NOFOLLOW')"
    same "it opens no socket" "$(count_calls bare.trace 'socket\(')" "$(count_calls plain.trace 'socket\(')"
    # .NET starts one of its own for profilers
    same "it starts no thread" "$(($(count_calls bare.trace 'clone.*CLONE_THREAD') + 1))" \
        "$(count_calls plain.trace 'clone.*CLONE_THREAD')"
fi
unset DOTNET_TieredCompilation

# --- the session ----------------------------------------------------------------------------------------------------------

umask_before=$(umask)
umask 000
limited "$ILCOV" run --quiet --data modes.ilcov --format none --session-dir sessions -- \
    sh -c '"$FAULTS" work late; stat -c "%a %U" "$ILCOV_SESSION"; stat -c "%a %U" "$ILCOV_SESSION"/* | sort | uniq -c' >modes.out
umask "$umask_before"
user=$(id -un)
check "the session directory is 0700 whatever the umask" grep -qx "700 $user" modes.out
check "and has several files" test "$(awk '$2 == 600 { n += $1 } END { print n + 0 }' modes.out)" -ge 4
same "all of which are 0600" 1 "$(grep -c '^ *[0-9]* [0-7]* ' modes.out)"

# refused WHAT WORDS COMMAND...: status 3, one line that has the WORDS, and the command is not started
refused() {
    local what=$1 words=$2
    shift 2
    rm -f started
    limited "$@" -- touch started >refused.out 2>refused.err
    same "$what: status" 3 $?
    one_line_about "$what: says so, and what to do" refused.err "$words"
    check "$what: the command is not started" test ! -e started
}

mkdir open && chmod 777 open
refused "a session where others may write" "chmod o-w" "$ILCOV" run --session-dir open
same "a session where others may write: nothing is made" '' "$(ls -A open)"
chmod 1777 open
limited "$ILCOV" run --quiet --session-dir open --data sticky.ilcov --format none -- "$program" work >sticky.out 2>sticky.err
same "with a sticky bit it is used" 7 $?
if [ "$(id -u)" -eq 0 ]; then
    chown 4711 open
    refused "a session in another user's directory" "it belongs to user 4711" "$ILCOV" run --session-dir open
    chmod 755 open
    refused "even where only that user may write" "it belongs to user 4711" "$ILCOV" run --session-dir open
    limited env TMPDIR="$temp/open" "$ILCOV" run --quiet --data elsewhere.ilcov --format none -- "$program" work >other.out 2>other.err
    same "unless it was not named: another one is used" 7 $?
else
    skip "a session in another user's directory" "needs root"
fi

# --- the library ----------------------------------------------------------------------------------------------------------

mkdir copy && cp "$ILCOV" "$library" copy && chmod 755 copy copy/*
limited copy/ilcov run --quiet --data copy.ilcov --format none -- "$program" work >copy.out 2>copy.err
same "a copy of one's own is used" 7 $?
chmod 775 copy/libilcov.so
refused "a library that a group may write" "chmod go-w" copy/ilcov run
check "doctor says so, too" bash -c 'copy/ilcov doctor | grep -q "^problem  library: .*chmod go-w"'
chmod 757 copy/libilcov.so
refused "a library that others may write" "chmod go-w" copy/ilcov run
chmod 755 copy/libilcov.so
chmod 777 copy
refused "a library that others may replace" "chmod go-w" copy/ilcov run
chmod 755 copy

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    chown $nobody copy/libilcov.so
    refused "a library of another user" "chown 0" copy/ilcov run
    chown 0 copy/libilcov.so

    # a user with root's library
    mkdir nobodys && chown $nobody nobodys && chmod 711 "$temp"
    as_nobody=(setpriv --reuid=$nobody --regid=$nobody --clear-groups env HOME="$temp/nobodys" TMPDIR="$temp/nobodys")
    if limited "${as_nobody[@]}" test -x "$program" -a -x "$ILCOV"; then
        (cd nobodys && limited "${as_nobody[@]}" "$ILCOV" run --quiet --format cobertura=user.xml --root / -- "$program" work \
            >user.out 2>user.err)
        same "root's library is used by a user: status" 7 $?
        check "and measures" grep -q 'name="work"\|hits="1000"' nobodys/user.xml
    else
        skip "root's library is used by a user" "other users can't reach it here"
    fi

    # A session of a user's, and a process of root's in it, as under sudo.
    session=$temp/nobodys/session
    mkdir -m 700 "$session"
    printf 'version=1\nmode=count\n' >"$session/config"
    : >"$session/troubles"
    chmod 600 "$session"/*
    chown -R $nobody "$session"
    in_session=(env CORECLR_ENABLE_PROFILING=1 "CORECLR_PROFILER={1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}"
        "CORECLR_PROFILER_PATH=$library" "ILCOV_SESSION=$session")
    limited "${in_session[@]}" "$program" work >root.out 2>root.err
    same "root in another user's session: does what it does" "7 work 1000" "$? $(cat root.out)"
    same "root in another user's session: makes nothing there" "config troubles" "$(ls "$session" | paste -sd' ')"
    check "root in another user's session: says so" \
        grep -q "^trouble	.*faults was not measured: the session .* belongs to user $nobody, this process to user 0$" \
        "$session/troubles"

    chown -R 0 "$session"
    : >"$session/troubles"
    chmod 770 "$session"
    limited "${in_session[@]}" "$program" work >group.out 2>group.err
    same "a session that a group may write: is not used" "config troubles" "$(ls "$session" | paste -sd' ')"
    check "a session that a group may write: says so" grep -q 'is writable by other users (mode 770)' "$session/troubles"
    chmod 700 "$session"
    chmod 620 "$session/config"
    limited "${in_session[@]}" "$program" work >config.out 2>config.err
    check "a config that a group may write is not believed" \
        grep -q '^declined	37	.*/config cannot be read: Permission denied$' "$session"/process-*
    chmod 600 "$session/config"
    limited "${in_session[@]}" "$program" work >good.out 2>good.err
    check "one of its own is" bash -c 'ls "$1"/*.counts' - "$session"
else
    skip "a library or a session of another user" "only root can make one"
fi
finish
