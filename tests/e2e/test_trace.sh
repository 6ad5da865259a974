#!/bin/bash
# ILCOV_TRACE: a line for each thing that library and program decide, and nothing without it.
. "$(dirname "$0")/lib.sh"

build toplevel Debug
ILCOV_TRACE=$temp/trace limited "$ILCOV" run -q --root "$top" -d traced.ilcov -f json=traced.json -- "$program" >traced.out 2>traced.err
same "a run is as without: exit status" 0 $?
limited "$ILCOV" run -q --root "$top" -d plain.ilcov -f json=plain.json -- "$program" >plain.out 2>plain.err
check "... its output" cmp traced.out plain.out
check "... its messages" cmp traced.err plain.err
check "... its report" diff <(grep -v '"timestamp"' plain.json) <(grep -v '"timestamp"' traced.json)

methods=$(sed -n 's/.* record instrumented\ttoplevel\t.*\t\([0-9]*\)\t0$/\1/p' trace)
same "each method that is instrumented has a line" "$methods" "$(grep -c ' method toplevel 0x06.*: instrumented, [1-9][0-9]* counters, anchor ' trace)"
check "... and there are some" test "${methods:-0}" -gt 10
check "each line begins with a time and a process" test -z "$(grep -vE '^[0-9]+\.[0-9]{3} [0-9]+ .' trace)"
for event in 'ilcov [0-9.]+.* run' 'record ilcov-process' 'record instrumented.toplevel' 'record skipped' 'counters of toplevel: [1-9][0-9]* at 0x' \
    'thread [0-9a-f]+: shard 0 of 1' 'facts of toplevel: [0-9]+ methods.* ms' 'wrote .*traced\.ilcov: .* ms' 'wrote traced\.json as json' 'a pass for json: .* ms' 'ended with status 0: .* ms'; do
    check "there is a line of '$event'" grep -qE "^[0-9.]+ [0-9]+ $event" trace
done
ILCOV_TRACE=1 limited "$ILCOV" report -q -f none plain.ilcov >out 2>err
check "1 is standard error" grep -qE ' read plain\.ilcov: [0-9.]+ ms$' err
ILCOV_TRACE=$temp/no/such/folder/trace limited "$ILCOV" report -q -f none plain.ilcov >out 2>err
same "a file that cannot be written changes nothing" "0 " "$? $(cat err)"
finish
