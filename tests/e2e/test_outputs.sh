#!/bin/bash
# Where data files and reports go: what can't be written is known before the command starts, what can't be replaced is
# overwritten, and what could not be written after all is not lost.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"
unset ILCOV_SESSION SOURCE_DATE_EPOCH

chmod 755 "$temp"
mkdir sessions
"$top/build/make_data" old.ilcov
mark=(sh -c ': >started')

# ilcov ARGUMENT...: standard output in out, standard error in err, the status in $status.
ilcov() {
    rm -f started
    limited "$ILCOV" "$@" >out 2>err </dev/null
    status=$?
}
# An empty run writes all that another one does.
measure() {
    ilcov run --session-dir "$temp/sessions" --allow-empty "$@"
}
# ends STATUS [TEXT]: with a line of ilcov's that has the text
ends() {
    [ "$status" = "$1" ] && { [ $# = 1 ] || grep -qF -- "$2" err; } && return
    echo "status $status, expected $1 and: ${2-}"
    sed 's/^/err: /' err
    return 1
}
# refused STATUS TEXT: in one line, before the command was started
refused() {
    ends "$@" && [ "$(wc -l <err)" = 1 ] && [ ! -e started ] && [ -z "$(ls -A sessions)" ]
}
no_copy_left() {
    [ -z "$(find "$1" -name '.ilcov-*')" ]
}

# --- what somebody else wrote --------------------------------------------------------------------
echo 'class Price { }' >Price.cs
measure -d Price.cs -f none -- "${mark[@]}"
check "run: a source is no data file to replace" refused 3 "Price.cs is not a data file of ilcov, and is not replaced: name another file"
ilcov merge -o Price.cs old.ilcov
check "merge: a source is no data file to replace" ends 3 "Price.cs is not a data file of ilcov"
same "... it is what it was" 'class Price { }' "$(cat Price.cs)"
: >empty.ilcov
measure -d empty.ilcov -f none -- true
check "an empty file is replaced" ends 0

# --- missing directories -------------------------------------------------------------------------
measure -d new/data/run.ilcov -f cobertura=new/xml/x.xml -- true
check "missing directories are made" ends 0
check "for the data file" test -s new/data/run.ilcov
check "for a report" test -s new/xml/x.xml
measure -d gone/data/run.ilcov -f cobertura=gone/xml/x.xml -f text=old.ilcov/below -- "${mark[@]}"
check "a file in the place of a directory is found before the start" refused 3 "old.ilcov/below cannot be written: Not a directory"
check "and the other directories are not left" test ! -e gone
ilcov merge -o merged/here/all.ilcov old.ilcov
check "merge makes them, too" test -s merged/here/all.ilcov
measure -d /dev/null -- "${mark[@]}"
check "a device as a data file is found before the start" refused 3 "/dev/null is not a regular file"

# --- links and spellings -------------------------------------------------------------------------
ln -s later/real.xml link.xml
measure -f cobertura=link.xml -- true
check "a link to nothing stays a link" test -L link.xml
check "and what it names is made" test -s later/real.xml
ln -s ring ring
measure -f cobertura=ring -- "${mark[@]}"
check "a ring of links is found before the start" refused 3 "ring cannot be written: Too many levels of symbolic links"
for other in ./a.xml "$temp/a.xml" no/../a.xml; do
    measure -f cobertura=a.xml -f text="$other" -- "${mark[@]}"
    check "two reports to one new file are refused: $other" refused 2 "two reports would be written to a.xml"
done
ln -s b.xml c.xml
measure -f cobertura=b.xml -f text=c.xml -- "${mark[@]}"
check "also by way of a link to nothing" refused 2 "two reports would be written to b.xml, which is also c.xml"
measure -d ./a.ilcov -f text=a.ilcov -- "${mark[@]}"
check "so are a report and the data file" refused 2 "a report would replace the data file a.ilcov"
ilcov diff -f json=d.json -f text=./d.json --patch patch old.ilcov
check "diff refuses it, too" refused 2 "two reports would be written to d.json"
cp old.ilcov other.ilcov
ilcov diff -f json=./old.ilcov old.ilcov other.ilcov
check "and to replace what it compares" refused 2 "would replace the data file"

# --- a stream that is closed ---------------------------------------------------------------------
for format in cobertura json; do
    "$ILCOV" report -f $format=- old.ilcov 2>err >&-
    status=$?
    check "$format to a closed standard output gives 3" ends 3 "standard output cannot be written: "
done
"$ILCOV" report -f text old.ilcov 2>&- >out
status=$?
check "a table to a closed standard error gives 3" ends 3
for words in --help "inspect old.ilcov" "completion bash" "diff old.ilcov old.ilcov"; do
    # shellcheck disable=SC2086
    "$ILCOV" $words 2>err >&-
    status=$?
    check "$words: a closed standard output gives 3" ends 3 "standard output"
done
"$ILCOV" report -f none --patch - --gate 'patch>=80' old.ilcov 2>err >out <&-
status=$?
check "a patch from a closed standard input gives 3" ends 3 "--patch - cannot be read"
limited "$ILCOV" run --session-dir sessions --allow-empty -q -- sh -c '[ ! -e /proc/self/fd/1 ] && echo closed >&2' 2>err >&-
check "for the command the stream stays closed" grep -qx closed err

# --- patches and bases ---------------------------------------------------------------------------
mkdir -p repository/src/Core
touch repository/src/Core/Order.cs # of old.ilcov
git init -q repository
git -C repository -c user.name=a -c user.email=a@b commit -q --allow-empty -m first
for spec in no-such-branch no-such-branch...HEAD HEAD..no-such-branch; do
    what="--patch $spec: no revision 'no-such-branch'"
    measure -r repository --patch "$spec" --gate 'patch>=80' -- "${mark[@]}"
    run_says=$(sed 's/ (see.*//' err)
    check "a bad revision is found before the start: $spec" refused 2
    ilcov report -r "$temp/repository" -f none --patch "$spec" --gate 'patch>=80' old.ilcov
    check "report ends the same" refused 2
    same "with the same words" "$run_says" "$(sed 's/ (see.*//' err)"
    ilcov diff -r "$temp/repository" --patch "$spec" --gate 'patch>=80' old.ilcov
    check "diff ends the same" refused 2
    same "with the same words" "$run_says" "$(sed 's/ (see.*//' err)"
done
measure -r repository --patch HEAD --gate 'patch>=80' -- true
check "a good one is not refused" ends 0
for option in --base=old.ilcov --patch=HEAD; do
    for operands in "run -r repository -- touch started" "report old.ilcov" "collect sessions"; do
        # shellcheck disable=SC2086
        ilcov ${operands%% *} $option ${operands#* }
        check "${operands%% *} $option without a gate is refused" refused 2 "${option%%=*} has no effect without a --gate"
        # shellcheck disable=SC2086
        ilcov ${operands%% *} $option --fail-under 1 --gate 'branch>=1' ${operands#* }
        check "and with gates that do not compare" refused 2 "${option%%=*} has no effect without a --gate"
    done
done
cp old.ilcov base.ilcov
measure -d base.ilcov --base ./base.ilcov --gate 'line>=-1' -- "${mark[@]}"
check "a base that the run would replace is refused" refused 2 "--base ./base.ilcov is the data file that would be replaced"

# --- files that cannot be replaced ---------------------------------------------------------------
# as_nobody COMMAND...
as_nobody() {
    setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && as_nobody "$ILCOV" --version >out 2>&1; then
    mkdir -m 1777 sticky
    mkdir -m 755 closed
    mkdir nobody
    chown 65534:65534 nobody
    for folder in sticky closed; do
        install -m 666 /dev/null $folder/run.ilcov
        install -m 666 /dev/null $folder/x.xml
        install -m 644 /dev/null $folder/mine.xml
    done
    # run_as_nobody OPTION...
    run_as_nobody() {
        rm -f nobody/started
        (cd nobody && limited setpriv --reuid 65534 --regid 65534 --clear-groups "$ILCOV" run --session-dir . -q --allow-empty "$@" \
            -- sh -c ': >started') >out 2>err
        status=$?
    }
    for folder in sticky closed; do
        ls -i $folder >before
        run_as_nobody -d ../$folder/run.ilcov -f cobertura=../$folder/x.xml
        check "$folder directory, another's file: it is overwritten" ends 0
        check "the data file is whole" "$ILCOV" report -f none $folder/run.ilcov
        check "the report is whole" grep -q '</coverage>' $folder/x.xml
        same "they are the same files" "$(cat before)" "$(ls -i $folder)"
        check "no copy is left beside them" no_copy_left $folder
        run_as_nobody -f cobertura=../$folder/mine.xml
        check "$folder directory, a file that may not be written: found before the start" ends 3 "mine.xml cannot be written: Permission denied"
        check "and the command was not started" test ! -e nobody/started
    done
    check "no copy is left elsewhere" test -z "$(find /tmp /var/tmp /dev/shm -maxdepth 1 -name '.ilcov-*' -user 65534 2>/dev/null)"
else
    skip "other users' files" "needs root and setpriv"
fi

bound=(unshare -m --propagation private sh -c 'set -e; eval "$0"; exec "$@"')
if "${bound[@]}" 'mount -t tmpfs -o size=4k none /mnt' true 2>/dev/null; then
    for file in run.ilcov x.xml all.ilcov; do cp old.ilcov outside.$file; echo old >$file; done
    mount='for file in run.ilcov x.xml all.ilcov; do mount --bind outside.$file $file; done'
    limited "${bound[@]}" "$mount" "$ILCOV" run --session-dir sessions -q --allow-empty -d run.ilcov -f cobertura=x.xml -- true 2>err
    status=$?
    check "files that are mounts are overwritten" ends 0
    check "the data file is whole" "$ILCOV" report -f none outside.run.ilcov
    check "the report is whole" grep -q '</coverage>' outside.x.xml
    limited "${bound[@]}" "$mount" "$ILCOV" merge -q -o all.ilcov old.ilcov 2>err
    status=$?
    check "merge overwrites them, too" ends 0
    check "and its file is whole" "$ILCOV" report -f none outside.all.ilcov
    check "no copy is left" no_copy_left .
    "$ILCOV" report --deterministic -f json=whole.json old.ilcov 2>err
    mkdir tiny
    limited "${bound[@]}" 'mount -t tmpfs -o size=4k none tiny; : >tiny/x; mount --bind tiny/x x.xml' \
        "$ILCOV" report --deterministic -f json=x.xml old.ilcov 2>err
    status=$?
    check "one that gets full is named with its copy" ends 3 "x.xml cannot be written: No space left on device; the finished copy is $temp/.ilcov-"
    copy=$(sed -n 's/.*the finished copy is //p' err)
    check "which is whole" cmp "$copy" whole.json
    limited "${bound[@]}" 'mount --bind old.ilcov x.xml; mount -o remount,ro,bind x.xml' \
        "$ILCOV" run --session-dir sessions --allow-empty -f cobertura=x.xml -- "${mark[@]}" >out 2>err
    status=$?
    check "a mount that is read-only is found before the start" refused 3 "x.xml cannot be written: Read-only file system"
else
    skip "files that are mounts" "mounting in a namespace of one's own is not permitted here"
fi

# --- the summary of a step on GitHub --------------------------------------------------------------
# It belongs to all that the step runs: what they wrote stays. Any other file is replaced.
"$ILCOV" report --deterministic -f markdown=whole.md -f text=whole.txt old.ilcov 2>err
export GITHUB_STEP_SUMMARY=$temp/summary.md
# What is before, and what makes an empty line after it.
while IFS=' ' read -r before between; do
    printf "${before#-}" >summary.md
    { cat summary.md; printf "$between"; cat whole.md; } >expected
    ilcov report --deterministic -q -f markdown=./summary.md old.ilcov
    check "a report for the summary of a step after '${before#-}'" ends 0
    check "... comes after an empty line" cmp expected summary.md
done <<'END'
-
-\n \n
-one \n\n
-one\n \n
-one\n\n
-one\ntwo\n \n
END
rm summary.md
ilcov report --deterministic -q -f markdown=summary.md old.ilcov
check "one that is not there is made" cmp summary.md whole.md
ilcov report --deterministic -q -f markdown=summary.md -f text="$temp/summary.md" -f markdown=summary.md old.ilcov
check "several reports go to it" ends 0
check "... one after another" cmp summary.md <(cat whole.md whole.md whole.txt; echo; cat whole.md)
echo one >summary.md
measure -q -f markdown=summary.md -- sh -c 'echo two >>summary.md'
check "run: what the command wrote stays, too" test "$(head -3 summary.md | paste -sd,)" = "one,two," -a "$(grep -c 'Coverage' summary.md)" != 0
check "... and there is no other file for it" test -z "$(find . -name 'summary-*')"
echo one >summary.md
ilcov diff -q -f markdown=summary.md old.ilcov old.ilcov
check "diff: it stays" test "$(head -2 summary.md | paste -sd,)" = "one," -a "$(wc -l <summary.md)" -gt 3
echo one >other.md
ilcov report --deterministic -q -f markdown=other.md old.ilcov
check "another file is replaced" cmp other.md whole.md
ilcov report --deterministic -q -f markdown=other.md -f text=other.md old.ilcov
check "... and takes one report" ends 2 "two reports would be written to other.md"
if "${bound[@]}" 'mount -t tmpfs -o size=4k none /mnt' true 2>/dev/null; then
    rm -rf tiny && mkdir tiny && : >summary.md
    limited "${bound[@]}" 'mount -t tmpfs -o size=8k none tiny; echo one >tiny/x; head -c 4000 /dev/zero >tiny/y; mount --bind tiny/x summary.md' \
        sh -c '"$@" 2>err; echo $? >code; cp summary.md after' sh "$ILCOV" report -q -f json=summary.md old.ilcov
    status=$(cat code)
    check "a summary that gets full is an error" ends 3 "summary.md cannot be written: No space left on device; the finished copy is "
    same "... and has what it had" one "$(cat after)"
fi
GITHUB_STEP_SUMMARY= ilcov report --deterministic -q -f markdown=other.md old.ilcov
check "an empty variable names no file" cmp other.md whole.md
unset GITHUB_STEP_SUMMARY

# --- when writing fails after all ----------------------------------------------------------------
for what in d:late/run.ilcov f:cobertura=late/x.xml; do
    rm -rf late sessions/*
    measure -q "-${what%%:*}" "${what#*:}" -- sh -c 'rm -rf late; : >late'
    check "${what#*:}: what cannot be written after the command gives 3" ends 3 "late/"
    session=$(sed -n "s/.*the session is kept in \(.*\): 'ilcov collect --remove .*/\1/p" err)
    check "the session is kept and named with 'ilcov collect'" test -n "$session" -a -d "$session"
    rm late
    measure -q -- true
    check "the next run leaves it alone" test -d "$session"
    ilcov collect --remove --allow-empty "-${what%%:*}" "${what#*:}" "$session"
    check "ilcov collect writes the rest" ends 0
    check "and removes it" test ! -e "$session"
done
measure -q --keep-session -- true
session=$(echo sessions/*)
ilcov collect -q --remove --allow-empty -f cobertura=/dev/full "$session"
check "collect that cannot write keeps the session and names itself" ends 3 "the session is kept in $temp/$session: 'ilcov collect --remove $temp/$session'"

finish
