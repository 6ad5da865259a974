#!/bin/bash
# However a process ends, not one count is lost, and its status comes through.
. "$(dirname "$0")/lib.sh"

build endings Debug
mkdir sessions
while read -r way expected_status; do
    measure "$way" --session-dir sessions --root "$top/fixtures/endings" -- "$program" "$way"
    same "$way: exit status" "$expected_status" "$status"
    expected "$way: counts" "$way.xml" "$top/fixtures/endings"
    check "$way: nothing is left of the session" test -z "$(ls -A sessions)"
done <<'WAYS'
return 7
exit 7
_exit 7
c-exit 7
fail-fast 134
unhandled 134
kill 137
terminate 143
WAYS
finish
