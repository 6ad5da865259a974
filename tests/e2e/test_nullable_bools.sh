#!/bin/bash
# `&` and `|` of bool? have no branches, and what is written around them keeps its own, in Debug and Release: hundreds of generated
# expressions, against an evaluation of the same ones (nullable_bools.py).
. "$(dirname "$0")/lib.sh"

mkdir operators
cat >operators/operators.csproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType>
    <InvariantGlobalization>true</InvariantGlobalization>
  </PropertyGroup>
</Project>
XML
python3 "$top/tests/support/nullable_bools.py" >operators/Program.cs
for configuration in Debug Release; do
    made dotnet build operators --configuration "$configuration" --nologo --artifacts-path "$temp/$configuration"
    measure "$configuration" --root operators -- \
        "$temp/$configuration/bin/operators/$(lower "$configuration")/operators"
    same "$configuration: exit status" 0 "$status"
    expected "$configuration: operators of bool? have no branches" "$configuration.xml" operators \
        --configuration "$configuration"
done
finish
