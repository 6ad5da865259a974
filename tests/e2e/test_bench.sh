#!/bin/bash
# The bench measures what it says: its statistics, rounds and rows, and cputime.c. No figure is asserted.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

check "statistics, rounds, rows and tables have their properties" limited python3 "$top/tests/support/bench_properties.py"
check "bench.py explains itself" limited python3 "$top/bench/bench.py" --help
for group in $(python3 "$top/bench/bench.py" --list); do
    check "the group $group has a title and measures" \
        python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); import importlib; g = importlib.import_module("groups." + sys.argv[2]); g.TITLE, g.measure' \
        "$top/bench" "$group"
done

check "cputime.c compiles" "${CC:-gcc}" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -o cputime "$top/bench/cputime.c"
./cputime figures sh -c 'exit 7' 2>cputime.log
same "cputime ends as its command does" 7 $?
check "and appends three figures" grep -qE '^[0-9.]+ [0-9.]+ [0-9.]+$' figures
./cputime --cgroup "$temp/nowhere" figures true 2>cputime.log
same "a command whose cgroup is missing does not run" 126 $?

finish
