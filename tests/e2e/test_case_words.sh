#!/bin/bash
# Cases of Visual Basic that were never taken are named, or none is: over two hundred generated Select Case (make_selects.py), Debug
# and Release, held against what the program itself recorded.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C.UTF-8

words=$top/tests/support/case_words.py
mkdir selects
cat >selects/selects.vbproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType>
    <StartupObject>Selects</StartupObject><RootNamespace></RootNamespace>
    <NoWarn>$(NoWarn);BC42353;BC42105;BC42025</NoWarn><TreatWarningsAsErrors>false</TreatWarningsAsErrors>
  </PropertyGroup>
</Project>
XML
check "the statements are written" python3 "$top/tests/e2e/make_selects.py" selects/Selects.vb truth.json

# Tests of a Case have outcomes of their own: "`Is < 0` was never true". Without names are, where each constant is compared on its own,
# those that were always equal, and tests for the last of several Cases without code.
restored=''
for configuration in Debug Release; do
    made dotnet build selects --configuration "$configuration" $restored --nologo --artifacts-path "$temp/out"
    restored=--no-restore
    limited "$ILCOV" run --root selects -d $configuration.ilcov -f missed="$configuration.txt" -- \
        "$temp/out/bin/selects/$(lower "$configuration")/selects" >"$configuration.record" 2>run.err
    same "$configuration runs" 0 $?
    check "$configuration: the Cases are those that the program did not take" \
        python3 "$words" "$configuration.txt" truth.json "$configuration.record" 9 210
done

# The checker finds what it is for.
sed -E 's/never took `[^`]*`/never took `Case 77`/' Debug.txt >other.txt
check "the check sees other Cases" test -z "$(python3 "$words" other.txt truth.json Debug.record 100 0 >/dev/null && echo fine)"
sed -E 's/(never took `[^`]*`), .*/\1/' Debug.txt >fewer.txt
check "the check sees that Cases are missing" test -z "$(python3 "$words" fewer.txt truth.json Debug.record 100 0 >/dev/null && echo fine)"
finish
