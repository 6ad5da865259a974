#!/bin/bash
# Each rule that says whose a branch is (docs/branch-rules.md) judges a branch of fixtures/language, vb or fsharp; `ilcov
# inspect` names it beside the branch.
. "$(dirname "$0")/lib.sh"

# The compilers of today make no such code; tests/unit/coverage/branches/test_classify.c has it.
only_older=('constant: stored before' 'compiler: array of constants')

for configuration in Debug Release; do
    for fixture in language vb fsharp; do
        build $fixture "$configuration"
        made "$ILCOV" inspect "$program.dll" '*'
        cat made.log >>inspected
    done
done
sed -n 's|^    IL_.*  // ||p' inspected | sort -u >judged
sed -n '/^<!-- begin: rules.def -->$/,/^<!-- end: rules.def -->$/s/^| \([^|]*: [^|]*\) |.*/\1/p' "$top/docs/branch-rules.md" |
    sort -u >listed
printf '%s\n' "${only_older[@]}" | sort >older

same "each branch is judged by a rule that is listed" "" "$(comm -23 judged listed)"
same "each rule judges a branch of a fixture" "" "$(comm -13 judged listed | comm -23 - older)"

build language Debug
"$ILCOV" inspect "$program.dll" 'Language.Disposal.*' >disposal
check "a branch is shown with its rule" grep -q '^    IL_[0-9a-f]*  brfalse.s IL_[0-9a-f]*  // compiler: null check of using$' disposal
check "what is not a branch is shown without" grep -q '^    IL_[0-9a-f]*  callvirt [^/]*$' disposal
finish
