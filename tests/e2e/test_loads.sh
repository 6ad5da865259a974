#!/bin/bash
# A module that is loaded 300 times, into collectible contexts, counts in one place: not one count is lost, and neither
# the process nor the session grows with the loads.
. "$(dirname "$0")/lib.sh"

grown_most=6144 # KiB over 200 loads; without ilcov it is 1200 to 1900, with a place for each load 7000 to 9000

for configuration in Debug Release; do
    build loads "$configuration"
    for way in file bytes; do
        what="300 loads from $way, $configuration"
        measure "$way" --keep-session --root "$top/fixtures/loads" -- "$program" "$way"
        session=$(sed -n 's/^ilcov: the session is kept in //p' "$way.err")
        same "$what: exit status" 0 "$status"
        same "$what: they ran" 'sum 1650' "$(grep '^sum' "$way.out")"
        expected "$what: counts" "$way.xml" "$top/fixtures/loads" --configuration "$configuration"
        # From bytes it has no path, so it is another than the one that the host loaded from its file.
        check "$what: files of counters" [ "$(find "$session" -name '*.counts' | wc -l)" -le 2 ]
        grown=$(sed -n 's/^grown //p' "$way.out")
        check "$what: the process grew by $grown KiB" [ "$grown" -lt $grown_most ]
        rm -rf "$session"
    done
done

# Older runtimes ask in their own way whether a method may be inlined.
for framework in net8.0 net9.0; do
    if long && build_for "$framework" loads; then
        measure "$framework" --root "$top/fixtures/loads" -- "$program" file
        same "300 loads, $framework: exit status" 0 "$status"
        expected "300 loads, $framework: counts" "$framework.xml" "$top/fixtures/loads" --configuration Release
    fi
done
finish
