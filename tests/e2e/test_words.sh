#!/bin/bash
# Outcomes are called what they are in the source, or nothing: over two thousand generated conditions (make_conditions.py), Debug and
# Release, held against what the program itself recorded.
. "$(dirname "$0")/lib.sh"

words=$top/tests/support/condition_words.py
generated conditions CS0162 CS0183 CS0184 CS0219 CS0472 CS8794 CS8518 CS8519 CS8520 CS0642 CS1718 CS0665 CS0652 CS0659 CS0464 \
    CS0649 CS8073 CS0465 CS1998
check "the conditions are written" python3 "$top/tests/e2e/make_conditions.py" conditions/Conditions.cs

for configuration in Debug Release; do
    made dotnet build conditions --configuration "$configuration" --nologo --artifacts-path "$temp/$configuration"
    limited "$ILCOV" run --root conditions -f json="$configuration.json" -- \
        "$temp/$configuration/bin/conditions/$(lower "$configuration")/conditions" >"$configuration.record" 2>run.err
    same "$configuration runs" 0 $?
    check "$configuration: the words are what the program recorded" python3 "$words" "$configuration.json" conditions/Conditions.cs \
        "$configuration.record" 10
done

# The checker finds what it is for.
sed 's/"outcomes": \["false", "true"\]/"outcomes": ["true", "false"]/' Debug.json >swapped.json
check "the check sees words that are swapped" test -z \
    "$(python3 "$words" swapped.json conditions/Conditions.cs Debug.record 100 >/dev/null && echo fine)"
sed 's/, "outcomes": \[[^]]*\]//' Debug.json >silent.json
check "the check sees that words are missing" test -z \
    "$(python3 "$words" silent.json conditions/Conditions.cs Debug.record 10 >/dev/null && echo fine)"
finish
