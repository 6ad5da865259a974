#!/bin/bash
# Rules of an F# match that were never taken are named, or none is: over three hundred generated matches (make_matches.py), Debug and
# Release, held against what the program itself recorded.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C.UTF-8

words=$top/tests/support/case_words.py
mkdir matches
cat >matches/matches.fsproj <<'XML'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework><DebugType>portable</DebugType>
    <SatelliteResourceLanguages>en</SatelliteResourceLanguages>
    <NoWarn>$(NoWarn);FS0025;FS0026;FS0049;FS0104</NoWarn><TreatWarningsAsErrors>false</TreatWarningsAsErrors>
  </PropertyGroup>
  <ItemGroup><Compile Include="Matches.fs" /></ItemGroup>
</Project>
XML
check "the matches are written" python3 "$top/tests/e2e/make_matches.py" matches/Matches.fs truth.json

# Without names are, in both: rules to which a guard before them leads on, and matches that are compiled to several decisions.
restored=''
for configuration in Debug Release; do
    made dotnet build matches --configuration "$configuration" $restored --nologo --artifacts-path "$temp/out"
    restored=--no-restore
    limited "$ILCOV" run --root matches -d $configuration.ilcov -f missed="$configuration.txt" -f html=$configuration.html -- \
        "$temp/out/bin/matches/$(lower "$configuration")/matches" >"$configuration.record" 2>run.err
    same "$configuration runs" 0 $?
    check "$configuration: the rules are those that the program did not take" \
        python3 "$words" "$configuration.txt" truth.json "$configuration.record" 8 230
    check "$configuration: pages say the same" grep -qF '<code>function</code> never took <code>' $configuration.html/files/*-Matches.fs.html
done

# The checker finds what it is for.
sed -E 's/never took `[^`]*`/never took `77`/' Debug.txt >other.txt
check "the check sees other rules" test -z "$(python3 "$words" other.txt truth.json Debug.record 100 0 >/dev/null && echo fine)"
sed -E 's/(never took `[^`]*`), .*/\1/' Debug.txt >fewer.txt
check "the check sees that rules are missing" test -z "$(python3 "$words" fewer.txt truth.json Debug.record 100 0 >/dev/null && echo fine)"
sed '/never took/d' Debug.txt >silent.txt
check "the check sees that nothing is named" test -z "$(python3 "$words" silent.txt truth.json Debug.record 9 230 >/dev/null && echo fine)"
finish
