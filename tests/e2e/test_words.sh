#!/bin/bash
# Outcomes are called what they are in the source, or nothing: over two thousand generated conditions (make_conditions.py), half of
# them in Debug and half in Release (all in both in a long run), held against what the program itself recorded.
. "$(dirname "$0")/lib.sh"
words=$top/tests/support/condition_words.py

mkdir conditions
half=0
for configuration in Debug Release; do
    check "$configuration: the conditions are written" python3 "$top/tests/e2e/make_conditions.py" conditions/Conditions.cs $(long || echo $half)
    half=1
    compiled conditions "$configuration"
    limited "$ILCOV" run --root conditions -f json="$configuration.json" -- dotnet "$program" >"$configuration.record" 2>run.err
    same "$configuration runs" 0 $?
    check "$configuration: the words are what the program recorded" python3 "$words" "$configuration.json" conditions/Conditions.cs \
        "$configuration.record" 9
    cp conditions/Conditions.cs $configuration.cs
done

# The checker finds what it is for.
sed 's/"outcomes": \["false", "true"\]/"outcomes": ["true", "false"]/' Debug.json >swapped.json
check "the check sees words that are swapped" test -z \
    "$(python3 "$words" swapped.json Debug.cs Debug.record 100 >/dev/null && echo fine)"
sed 's/, "outcomes": \[[^]]*\]//' Debug.json >silent.json
check "the check sees that words are missing" test -z \
    "$(python3 "$words" silent.json Debug.cs Debug.record 9 >/dev/null && echo fine)"
finish
