#!/bin/bash
# `&` and `|` of bool? have no branches, and what is written around them keeps its own, in Debug and Release: hundreds of generated
# expressions, against an evaluation of the same ones (nullable_bools.py).
. "$(dirname "$0")/lib.sh"

mkdir operators
python3 "$top/tests/support/nullable_bools.py" >operators/Program.cs
for configuration in Debug Release; do
    compiled operators "$configuration"
    measure "$configuration" --root operators -- dotnet "$program"
    same "$configuration: exit status" 0 "$status"
    expected "$configuration: operators of bool? have no branches" "$configuration.xml" operators \
        --configuration "$configuration"
done
finish
