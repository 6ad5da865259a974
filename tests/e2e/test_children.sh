#!/bin/bash
# A process, its child and its grandchild count into the same report; so do processes that run at the same time.
. "$(dirname "$0")/lib.sh"

build children Debug
for mode in count exact; do
    measure "$mode" --mode "$mode" --root "$top/fixtures/children" -- "$program"
    same "child and grandchild, $mode: exit status" 0 "$status"
    expected "child and grandchild, $mode: counts" "$mode.xml" "$top/fixtures/children"
done

# Whether code ran, and no number that seems to be more: however many processes and outcomes there are.
measure hit --mode hit --root "$top/fixtures/children" -- "$program"
expected "child and grandchild, hit: what ran" hit.xml "$top/fixtures/children" --hit-only
same "child and grandchild, hit: no line has more than one hit" "" "$(grep -oE 'hits="([2-9]|[0-9]{2,})"' hit.xml | sort -u)"

# The same from a shell: the first process is none of .NET. 1000 calls are the last generation, so each is alone.
measure shell --root "$top/fixtures/children" -- \
    sh -c '"$1" 1000 & "$1" 1000 & "$1" 1000 & "$1" 1000 & wait' sh "$program"
same "four at once: exit status" 0 "$status"
sed -E 's|// cov: hits=1110$|// cov: hits=4000|; t; s|// cov: every line||; s|// cov:.*||' \
    "$top/fixtures/children/Program.cs" >Program.cs
sed "s|<source>.*</source>|<source>$temp</source>|; s|filename=\"[^\"]*Program.cs\"|filename=\"Program.cs\"|" \
    shell.xml >moved.xml
check "four at once: counts" "$EXPECT" moved.xml "$temp" Program.cs
finish
