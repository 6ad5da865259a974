#!/bin/bash
# The identity of code (coverage/names/method_hash.h), by which `diff`, `merge` and `affected` tell whether a method has changed: about a
# hundred pairs of methods that differ in one thing each are told apart, and code that is the same among other code is the same.
. "$(dirname "$0")/lib.sh"

if ! command -v python3 >/dev/null; then
    skip "pairs" "no python3"
    finish
fi
make=$top/tests/e2e/make_pairs.py
cd "$temp" || exit 1
mkdir first second moved
made python3 -S "$make" .
for configuration in Debug Release; do
    inspected=()
    for way in first second moved; do
        compiled $way $configuration -target:library -unsafe+
        check "$way, $configuration: is read" limited "$ILCOV" inspect "$program"
        cp check.log "$way.$configuration.txt"
        inspected+=("$way.$configuration.txt")
    done
    check "$configuration: each pair is told apart, and what is moved is the same" python3 -S "$make" --check "${inspected[@]}"
done

finish
