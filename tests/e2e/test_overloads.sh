#!/bin/bash
# Lambdas and local functions belong to the member in which they are written, also where several members have its name: lines,
# totals and exclusions, in Debug and in Release.
. "$(dirname "$0")/lib.sh"

mkdir overloads
cat >overloads/overloads.csproj <<'PROJECT'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <LangVersion>14</LangVersion>
    <ImplicitUsings>enable</ImplicitUsings>
  </PropertyGroup>
</Project>
PROJECT
python3 "$top/tests/support/overloads.py" write >overloads/Program.cs

for configuration in Debug Release; do
    made dotnet build overloads --configuration "$configuration" --nologo --output "built/$configuration"
    measure "$configuration" --root overloads -f "json=$configuration.json" -- dotnet "built/$configuration/overloads.dll"
    same "$configuration: exit status" 0 "$status"
    check "$configuration: every member has its own lines" \
        python3 "$top/tests/support/overloads.py" check overloads/Program.cs "$configuration.json"
done
finish
