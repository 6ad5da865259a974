#!/bin/bash
# In members without a value, every `return`, `break` and statement has as many hits as it ran, wherever a Release build
# returns: the compiler puts a `ret` at each end of the statement before. A copy of the program records what ran.
. "$(dirname "$0")/lib.sh"

for kind in plain truth; do
    mkdir $kind
    python3 "$top/tests/support/returns.py" $kind >$kind/Program.cs
done
compiled truth Release
check "the copy that records what runs" limited sh -c 'dotnet "$1" >counts' - "$program"
for configuration in Debug Release; do
    compiled plain "$configuration"
    measure "$configuration" --root plain -f "json=$configuration.json" -- dotnet "$program"
    same "$configuration: exit status" 0 "$status"
    check "$configuration: each statement has as many hits as it ran" \
        python3 "$top/tests/support/returns.py" check plain/Program.cs "$configuration.json" counts "$configuration"
done
finish
