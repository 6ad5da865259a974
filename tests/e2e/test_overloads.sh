#!/bin/bash
# Lambdas and local functions belong to the member in which they are written, also where several members have its name: lines,
# totals and exclusions, in Debug and in Release.
. "$(dirname "$0")/lib.sh"

mkdir overloads
echo 'global using System; global using System.Collections.Generic; global using System.Linq; global using System.Threading.Tasks;' \
    >overloads/Usings.cs
python3 "$top/tests/support/overloads.py" write >overloads/Program.cs

for configuration in Debug Release; do
    compiled overloads "$configuration"
    measure "$configuration" --root overloads -f "json=$configuration.json" -- dotnet "$program"
    same "$configuration: exit status" 0 "$status"
    check "$configuration: every member has its own lines" \
        python3 "$top/tests/support/overloads.py" check overloads/Program.cs "$configuration.json"
done
finish
