#!/bin/bash
# In members without a value, every `return`, `break` and statement has as many hits as it ran, wherever a Release build
# returns: the compiler puts a `ret` at each end of the statement before. A copy of the program records what ran.
. "$(dirname "$0")/lib.sh"

for kind in plain truth; do
    mkdir $kind
    cat >$kind/$kind.csproj <<'PROJECT'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
  </PropertyGroup>
</Project>
PROJECT
    python3 "$top/tests/support/returns.py" $kind >$kind/Program.cs
done
made dotnet build truth --configuration Release --nologo --output built/truth
check "the copy that records what runs" limited sh -c 'dotnet built/truth/truth.dll >counts'
for configuration in Debug Release; do
    made dotnet build plain --configuration "$configuration" --nologo --output "built/$configuration"
    measure "$configuration" --root plain -f "json=$configuration.json" -- dotnet "built/$configuration/plain.dll"
    same "$configuration: exit status" 0 "$status"
    check "$configuration: each statement has as many hits as it ran" \
        python3 "$top/tests/support/returns.py" check plain/Program.cs "$configuration.json" counts "$configuration"
done
finish
