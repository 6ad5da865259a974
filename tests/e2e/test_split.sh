#!/bin/bash
# Cobertura in files of limited size: parts under the limit, each valid and with its own totals, and all of them together are the
# report. Nothing of an earlier report stays beside them.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

make_solution=$top/build/make_solution
union=$top/tests/support/cobertura_union.py
lines=$top/tests/support/format_lines.py
limit=$((10 << 20))
cp "$top/tests/support/cobertura.dtd" . # xmllint takes no path with a space

# report OPTION...: of the solution, into coverage.cobertura.xml.
report() {
    limited "$ILCOV" report -q --deterministic -f cobertura=out/coverage.cobertura.xml "$@" solution/solution.ilcov >out.log 2>err
    status=$?
}

# sound LIMIT FILE...: each part is valid, follows the rules of all consumers, and is no larger.
sound() {
    local limit=$1 file
    shift
    for file; do
        xmllint --noout --dtdvalid cobertura.dtd "$file" &&
            "$top/build/check_cobertura" "$file" && test "$(stat -c %s "$file")" -le "$limit" || return 1
    done
}

# --- 20 MiB, in parts that GitLab takes --------------------------------------------------------------------------------

"$make_solution" "$temp/solution" 320 10 7 || exit 2
mkdir out
report
same "the whole report" 0 $status
check "is larger than 20 MiB" test "$(stat -c %s out/coverage.cobertura.xml)" -gt $((20 << 20))
cp out/coverage.cobertura.xml whole.xml
report --split 10MiB
same "split" 0 $status
parts=(out/*)
same "parts have the report's name and a number" \
    "out/coverage.cobertura.1.xml out/coverage.cobertura.2.xml out/coverage.cobertura.3.xml" \
    "${parts[*]}"
check "each is valid and small enough" sound $limit "${parts[@]}"
check "together they are the report" python3 "$union" whole.xml "${parts[@]}"
"$top/build/read_cobertura" gitlab "whole.xml" >/dev/null 2>&1
same "GitLab refuses the whole" 1 $?
for part in "${parts[@]}"; do
    check "GitLab takes ${part#out/}" "$top/build/read_cobertura" gitlab "$part"
done

# --- less of it, in smaller parts --------------------------------------------------------------------------------------

rm -rf solution out/*
"$make_solution" "$temp/solution" 128 10 7 || exit 2
report
mv out/coverage.cobertura.xml whole.xml
report --split 2MiB
parts=(out/*)
same "the same in smaller parts" 5 ${#parts[@]}
mkdir again
cp out/* again
report --split 2MiB
check "the same again gives the same bytes" diff -r out again

# --- read back ---------------------------------------------------------------------------------------------------------

check "the parts are read as one report" limited "$ILCOV" report -q --deterministic -f cobertura=back.xml "${parts[@]}"
check "the whole is read" limited "$ILCOV" report -q --deterministic -f cobertura=whole_back.xml whole.xml
check "with the same lines" diff back.xml whole_back.xml
check "merged with the data that they came from" limited "$ILCOV" merge -q -o merged.ilcov solution/solution.ilcov "${parts[@]}"
check "and reported" limited "$ILCOV" report -q -f json=merged.json merged.ilcov
check "beside the data alone" limited "$ILCOV" report -q -f json=alone.json solution/solution.ilcov
check "they change no line and no branch" diff <(python3 "$lines" json merged.json) <(python3 "$lines" json alone.json)

# --- what an earlier report left ---------------------------------------------------------------------------------------

echo '<coverage/>' >out/coverage.cobertura.7.xml
sed '2s/, part.*report//' out/coverage.cobertura.1.xml >out/coverage.cobertura.8.xml
cp out/coverage.cobertura.1.xml out/coverage.cobertura.01.xml
report --split 4MB
same "fewer parts" 0 $status
same "the others are gone, and nothing else" \
    "coverage.cobertura.01.xml coverage.cobertura.1.xml coverage.cobertura.2.xml coverage.cobertura.3.xml coverage.cobertura.7.xml coverage.cobertura.8.xml" \
    "$(cd out && echo *)"
report --split 1GiB
same "it fits" 0 $status
same "then it has its plain name, and no parts" \
    "coverage.cobertura.01.xml coverage.cobertura.7.xml coverage.cobertura.8.xml coverage.cobertura.xml" "$(cd out && echo *)"
check "and is the report" cmp whole.xml out/coverage.cobertura.xml
rm -f out/*
limited "$ILCOV" report -f cobertura=out/coverage.cobertura.xml --split 2MiB solution/solution.ilcov >out.log 2>err
check "the summary names the parts, and no file that is not there" \
    grep -qE ' covered; out/coverage\.cobertura\.1\.xml to coverage\.cobertura\.5\.xml$' err
rm -f out/*
report --split 2MiB
report
same "parts go without --split, too" coverage.cobertura.xml "$(cd out && echo *)"
rm -f out/*
echo '<mine/>' >out/coverage.cobertura.xml
report --split 2MiB
same "a file of someone else" 0 $status
check "stays" grep -q mine out/coverage.cobertura.xml
same "which one line says" 1 "$(grep -c '^ilcov: out/coverage.cobertura.xml is still there' err)"
rm -f out/*
mkdir out/coverage.cobertura.3.xml
report --split 2MiB
same "a part that can't be written" 3 $status
check "is named" grep -q 'out/coverage.cobertura.3.xml' err
same "and the others are not left" coverage.cobertura.3.xml "$(cd out && echo *)"
rm -rf out/*

# --- small parts -------------------------------------------------------------------------------------------------------

for size in 700KiB 3MB; do
    report --split $size
    same "$size: split" 0 $status
    bytes=$(numfmt --from=auto "${size%B}" 2>/dev/null || echo "$size")
    check "$size: each is valid and small enough" sound "$bytes" out/*
    check "$size: together they are the report" python3 "$union" whole.xml $(ls -v out/*)
done

# --- a class that is too large -----------------------------------------------------------------------------------------

rm -rf solution out/*
"$make_solution" "$temp/solution" 3 300 1 || exit 2
report
cp out/coverage.cobertura.xml whole.xml
report --split 2MiB
same "classes that are too large: written" 0 $status
same "each is a part of its own" 3 "$(find out -name '*.xml' | wc -l)"
check "together they are the report" python3 "$union" whole.xml out/*
same "a line for each" 3 "$(grep -c 'a class is never divided' err)"
check "that names it" grep -q 'Type[0-9]* in ' err

# --- wrong usage -------------------------------------------------------------------------------------------------------

for size in 10 0 1023 MiB 10Mib 10M -5 1.5MiB 99999999999GiB ''; do
    report "--split=$size"
    same "--split '$size' is refused" 2 $status
done
limited "$ILCOV" report -f cobertura=- --split 1MiB solution/solution.ilcov >out.log 2>err
same "parts can't go to standard output" 2 $?
limited "$ILCOV" report -f lcov=x.info --split 1MiB solution/solution.ilcov >out.log 2>err
same "LCOV is not split" 2 $?
check "which is said" grep -q 'requires -f cobertura' err
check "and nothing is written" test ! -e x.info
for other in "-f sonar=out/x.1.xml" "-f sonar=out/../out/x.12.xml" "-d out/x.2.xml -- true"; do
    verb=report
    [[ $other != -d* ]] || verb=run
    limited "$ILCOV" $verb -f cobertura=out/x.xml --split 1MiB $other $([ $verb = run ] || echo solution/solution.ilcov) >out.log 2>err
    same "$other has the name of a part" 2 $?
    check "which is said" grep -q 'is the name of a part of out/x.xml' err
done
limited "$ILCOV" report -q -f cobertura=out/x.xml --split 1GiB -f sonar=out/x.01.xml -f lcov=out/x.1.info solution/solution.ilcov >out.log 2>err
same "other names with numbers are fine" 0 $?
finish
