#!/bin/bash
# The library reads each *.deps.json beside a module. A build may rewrite it at that moment, and something that is not a file may
# have such a name: the target starts as without coverage.
#   STARTS  starts while the file is rewritten all the time (15)
. "$(dirname "$0")/lib.sh"
STARTS=${STARTS:-15}
LIMIT=60

build faults Debug
cp -r "$(dirname "$program")" here
program=$temp/here/faults

# As many libraries as make it 2 MB, so that the starts and the rewriting meet.
big_deps() {
    printf '{"libraries": {'
    seq -f '"Some.Package.Number%.0f/1.0.0": {"type": "package", "serviceable": true, "sha512": ""},' 1 25000
    printf '"Last/1.0.0": {"type": "package"}}}\n'
}
big_deps >big.json

# In place, as a build does: cut to nothing, then written. Counts in `rewrites`.
rewrite() {
    local n=0
    while [ ! -e stop ]; do
        cat big.json >here/other.deps.json
        n=$((n + 1))
        echo "$n" >rewrites
    done
}
rewrite &
rewriter=$!
died=0
for ((i = 0; i < STARTS; i++)); do
    measure run --quiet --root "$top/fixtures/faults" -- "$program" work
    if [ "$status" -ne 7 ]; then
        died=$((died + 1))
        cat run.out run.err
    fi
done >died.log 2>&1
# More rewrites than were wanted do no harm; fewer would show less.
touch stop
wait "$rewriter"
if [ "$died" -eq 0 ]; then
    ok "$STARTS starts while a *.deps.json beside the program was rewritten $(cat rewrites) times: none died"
else
    not_ok "$died of $STARTS starts died while a *.deps.json beside the program was rewritten" died.log
fi
check "and the last one was measured" grep -q '<line number="[0-9]*" hits="1000"' run.xml

# --- what is not a file -------------------------------------------------------------------------------------------
# odd WHAT: does the program run beside here/other.deps.json, which WHAT is?
odd() {
    measure odd --quiet --root "$top/fixtures/faults" -- "$program" work
    same "$1 named other.deps.json: the program runs" 7 "$status"
    check "$1: and is measured" grep -q '<line number="[0-9]*" hits="1000"' odd.xml
    rm -rf here/other.deps.json
}
rm here/other.deps.json
LIMIT=60
mkfifo here/other.deps.json
odd "a pipe"
ln -s /dev/zero here/other.deps.json
odd "a device without end"
mkdir here/other.deps.json
odd "a directory"
ln -s nowhere here/other.deps.json
odd "a link to nothing"
finish
