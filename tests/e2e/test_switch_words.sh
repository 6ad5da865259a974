#!/bin/bash
# A switch is one decision with an outcome for each arm, and arms that were never taken are named, or none is: over a thousand generated
# switches (make_switches.py), Debug and Release, held against what the program itself recorded.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C.UTF-8

words=$top/tests/support/switch_words.py
decisions=$top/tests/support/switch_decisions.py
mkdir switches
check "the switches are written" python3 "$top/tests/e2e/make_switches.py" switches/Switches.cs truth.json

# Without names are switches of which only the outcome of an arm is missing that a guard led to.
for configuration in Debug Release; do
    most=$([ $configuration = Debug ] && echo 5 || echo 12)
    compiled switches "$configuration"
    limited "$ILCOV" run --root switches -d $configuration.ilcov -f missed="$configuration.txt" -f html=$configuration.html \
        -f json=$configuration.json -- \
        dotnet "$program" >"$configuration.record" 2>run.err
    same "$configuration runs" 0 $?
    check "$configuration: the arms are those that the program did not take" \
        python3 "$words" "$configuration.txt" truth.json "$configuration.record" $most
    check "$configuration: each is one decision" python3 "$decisions" $configuration.json truth.json
    check "$configuration: pages say the same" grep -qF \
        '<code>switch (x)</code> never took <code>case 4</code>, <code>case Five</code>, <code>default</code>' \
        $configuration.html/files/*-Switches.cs.html
    limited "$ILCOV" show -d $configuration.ilcov Switches.cs >shown
    check "$configuration: so does show" grep -qE 'never took `case ' shown
done

# The checkers find what they are for.
sed -E 's/"kind": "switch"/"kind": "condition"/' Debug.json >other.json
check "the check sees what is no switch" test -z "$(python3 "$decisions" other.json truth.json >/dev/null && echo fine)"
sed -E 's/("outcome_hits": \[[0-9]+, [0-9]+), /\1, 0, /' Debug.json >other.json
check "the check sees another outcome" test -z "$(python3 "$decisions" other.json truth.json >/dev/null && echo fine)"
sed -E 's/never took `case [^`]*`/never took `case 77`/' Debug.txt >other.txt
check "the check sees other arms" test -z "$(python3 "$words" other.txt truth.json Debug.record 100 >/dev/null && echo fine)"
sed 's/ and [0-9]* more//' Debug.txt >fewer.txt
check "the check sees that arms are missing" test -z "$(python3 "$words" fewer.txt truth.json Debug.record 100 >/dev/null && echo fine)"
sed 's/,* *and always matched a case//; s/always matched a case/never took `case 1`/' Debug.txt >fewer.txt
check "the check sees that nothing is said of values without an arm" \
    test -z "$(python3 "$words" fewer.txt truth.json Debug.record 100 >/dev/null && echo fine)"
sed '/never took\|always matched/d' Debug.txt >silent.txt
check "the check sees that nothing is named" test -z "$(python3 "$words" silent.txt truth.json Debug.record 25 >/dev/null && echo fine)"
finish
