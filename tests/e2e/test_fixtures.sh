#!/bin/bash
# Every annotated line and branch of fixtures/language (C#), in Debug and Release, in every mode; of fixtures/vb, fsharp and
# toplevel. The names in a report are those that the sources have.
. "$(dirname "$0")/lib.sh"

# measured_as_written FIXTURE CONFIGURATION MODE
measured_as_written() {
    local what="$1, $2, $3" root=$top/fixtures/$1
    local -a options=(--configuration "$2")
    measure "$3" --mode "$3" --format "json=$3.json" --format "missed=$3.txt" --root "$root" -- "$program"
    same "$what: exit status" 0 "$status"
    check "$what: prints what it prints without coverage" cmp bare.out "$3.out"
    if [ "$3" = hit ]; then
        options+=(--hit-only)
    fi
    expected "$what: every line as written" "$3.xml" "$root" "${options[@]}"
}

# In no source can a name have these: <>c, M@12, _Closure$__.
names_are_the_users() {
    ! grep -E '<(class|method) name="[^"]*(&lt;|@|\$)' "$1"
}

compared=0
for configuration in Debug Release; do
    for fixture in language vb fsharp toplevel; do
        build $fixture "$configuration"
        limited "$program" >bare.out
        measured_as_written $fixture "$configuration" count
        check "$fixture, $configuration: every type and method has its name" names_are_the_users count.xml
        check "$fixture, $configuration: outcomes and causes are those of the source" \
            python3 -S -E "$top/tests/support/fixture_sentences.py" count.json count.txt "$top/fixtures/$fixture" "$configuration"
        compared=$((compared + $(sed -n 's/ conditions, .*//p' check.log)))
        if [ $fixture = language ]; then
            measured_as_written $fixture "$configuration" hit
            measured_as_written $fixture "$configuration" exact
            check "language, $configuration: count and exact agree" \
                cmp <(grep -v timestamp= count.xml) <(grep -v timestamp= exact.xml)
        fi
    done
done

check "and these are many conditions" test $compared -gt 120

# They lie in obj/, or would: what a generator made is on no disk.
measure generated --include-generated --root "$top" -- "$program"
check "what a source generator made is shown" grep -q 'filename=".*RegexGenerator.g.cs"' generated.xml
check "and has names that could be written" names_are_the_users generated.xml
finish
