#!/bin/bash
# Counters of threads: pages of 64 KiB, many modules in little shared memory, and what is said when threads have to share.
. "$(dirname "$0")/lib.sh"

SHARDS=$(absolute "$(dirname "$ILCOV")/shards_used")
# Copied to where all is run, because LD_PRELOAD has no place for a path with a space.
LARGE_PAGES=./liblarge_pages.so
cp "$(dirname "$ILCOV")/liblarge_pages.so" "$LARGE_PAGES" || exit 2
shared='had to share counters'

kept() {
    sed -n 's/^ilcov: the session is kept in //p' "$1.err"
}

# said WHAT NAME [TEXT]: is one line with this text said, or none, beside what was covered (a table, and a line) and where the
# session is?
said() {
    grep '^ilcov: ' "$2.err" | grep -v -e '^ilcov: the session is kept in ' -e '^ilcov: [0-9.]* % of .* covered; ' >said
    if [ $# -eq 2 ]; then
        same "$1: nothing is said" '' "$(cat said)"
    else
        one_line_about "$1: it is said" said "$3"
    fi
}

# --- pages of 64 KiB -------------------------------------------------------------------------------
# Every page of a counter file is a whole one; where the library took the machine's pages instead, it could map none.
page_of() {
    od -An -j32 -N8 -t u8 "$(find "$1" -name '*.counts' | head -n 1)" | tr -d ' '
}
build threads Release
for mode in count hit; do
    what="pages of 64 KiB, eight threads, $mode"
    options=()
    [ "$mode" != hit ] || options=(--hit-only)
    measure pages --mode "$mode" --keep-session --root "$top/fixtures/threads" -- \
        env LD_PRELOAD="$LARGE_PAGES" "$program"
    same "$what: exit status" 0 "$status"
    same "$what: a shard is one page" 65536 "$(page_of "$(kept pages)")"
    expected "$what: counts" pages.xml "$top/fixtures/threads" --configuration Release ${options[@]+"${options[@]}"}
    [ "$mode" != count ] || same "$what: each has a shard" 8 "$("$SHARDS" "$(kept pages)" 125000)"
    said "$what" pages
    rm -rf "$(kept pages)"
done

# --- many modules in little memory -----------------------------------------------------------------
# in_memory SIZE OPTION... -- COMMAND...: `measure modules` with a session in so much shared memory.
mkdir shm
may_mount=yes
unshare -m --propagation private mount -t tmpfs -o size=64k none shm 2>/dev/null || may_mount=
in_memory() {
    local size=$1
    shift
    limited unshare -m --propagation private sh -c 'mount -t tmpfs -o "size=$0" none shm && exec "$@"' "$size" \
        "$ILCOV" run --data modules.ilcov --format cobertura=modules.xml --session-dir "$temp/shm" \
        --root "$top/fixtures/modules" "$@" >modules.out 2>modules.err
    status=$?
}

build modules Release
if [ -z "$may_mount" ]; then
    skip "100 modules in 64 MiB of shared memory" "mounting in a namespace of one's own is not permitted here"
else
    what="100 modules, 24 threads, 64 MiB of shared memory"
    in_memory 64m --mode count -- "$program" 100 24
    same "$what: exit status" 0 "$status"
    expected "$what: counts" modules.xml "$top/fixtures/modules" --configuration Release
    said "$what" modules

    # Too little for 24 shards of each module: what is hit stays exact.
    for mode in count hit; do
        what="100 modules, 24 threads, 5 MiB of shared memory, $mode"
        in_memory 5m --mode "$mode" --fail-under 1 -- "$program" 100 24
        same "$what: exit status" 0 "$status"
        expected "$what: hit or not" modules.xml "$top/fixtures/modules" --configuration Release --hit-only
        if [ "$mode" = count ]; then
            said "$what" modules "$shared: there was no room for more counters"
        else
            said "$what" modules
        fi
    done

    # A page is 16 times as much then.
    what="100 modules, 24 threads, pages of 64 KiB, 64 MiB of shared memory"
    in_memory 64m --mode count -- env LD_PRELOAD="$LARGE_PAGES" "$program" 100 24
    same "$what: exit status" 0 "$status"
    expected "$what: hit or not" modules.xml "$top/fixtures/modules" --configuration Release --hit-only
    said "$what" modules "$shared: there was no room for more counters"
fi

# --- more threads than shards ----------------------------------------------------------------------
for mode in count hit exact; do
    what="200 threads, $mode"
    measure many --mode "$mode" --root "$top/fixtures/modules" -- "$program" 1 200
    same "$what: exit status" 0 "$status"
    if [ "$mode" = count ]; then
        said "$what" many "$shared: more than 192 threads ran at once"
    else
        said "$what" many
    fi
done
finish
