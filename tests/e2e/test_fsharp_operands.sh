#!/bin/bash
# F#: each operand of && and || has its outcomes wherever its value goes, in Debug and Release; what is no operand has none.
# A `match` or `function` has one for each rule. Hundreds of generated expressions, against an evaluation of the same ones
# (fsharp_operands.py), half of the uses in Debug and half in Release (all in both in a long run).
. "$(dirname "$0")/lib.sh"

mkdir operands
cat >operands/operands.fsproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType>
    <InvariantGlobalization>true</InvariantGlobalization><SatelliteResourceLanguages>en</SatelliteResourceLanguages>
  </PropertyGroup>
  <ItemGroup><Compile Include="Program.fs" /></ItemGroup>
</Project>
XML
restored=''
for configuration in Debug Release; do
    python3 "$top/tests/support/fsharp_operands.py" "$(lower "$configuration")" $(long || echo half) >operands/Program.fs
    made dotnet build operands --configuration "$configuration" $restored --nologo --artifacts-path "$temp/out"
    restored=--no-restore
    measure "$configuration" --root operands -- \
        "$temp/out/bin/operands/$(lower "$configuration")/operands"
    same "$configuration: exit status" 0 "$status"
    expected "$configuration: every operand has the outcomes that it had" "$configuration.xml" operands \
        --configuration "$configuration"
done
finish
