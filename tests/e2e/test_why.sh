#!/bin/bash
# Reports say why lines did not run, or nothing: over a thousand lines of generated methods (make_whys.py) in Debug and Release, held
# against what the program recorded and how its statements are nested (why_truth.py).
. "$(dirname "$0")/lib.sh"

truth=$top/tests/support/why_truth.py
mkdir whys words
check "the methods are written" python3 "$top/tests/e2e/make_whys.py" "${SEED:-7}" "${METHODS:-100}" whys/Program.cs trees.json

for configuration in Debug Release; do
    compiled whys "$configuration"
    limited "$ILCOV" run -q --root whys -f json="$configuration.json" -- \
        dotnet "$program" >"$configuration.record" 2>run.err
    same "$configuration runs" 0 $?
    check "$configuration: the report says why, or nothing" python3 "$truth" "$configuration.json" trees.json "$configuration.record" 10
done

# The checker finds what it is for.
changed() { # changed FROM TO: what the reports says, with another regular expression
    python3 -c 'import re, sys; sys.stdout.write(re.sub(sys.argv[1], sys.argv[2], sys.stdin.read()))' "$1" "$2" <Debug.json >changed.json
    cmp -s Debug.json changed.json || python3 "$truth" changed.json trees.json Debug.record 10 >/dev/null || echo seen
}
same "the check sees another line" seen "$(changed '("kind": "completed", "line": )' '\g<1>1')"
same "the check sees another cause" seen "$(changed '"never": \[[^]]*\]' '"never": [{"kind": "called"}]')"
same "the check sees that nothing is said" seen "$(changed ', "never": \[[^]]*\]' '')"

# --- the words -------------------------------------------------------------------------------------------------------
cp "$top/tests/e2e/whys.cs" words/Program.cs
for configuration in Debug Release; do
    compiled words "$configuration"
    limited "$ILCOV" run -q --root words -d words.ilcov -f html=html -- \
        dotnet "$program" >words.out 2>run.err
    same "words, $configuration: status" 0 $?
    limited "$ILCOV" show -d words.ilcov -r words Program.cs >shown.txt
    # What stands behind `// why:` in the source is what is shown below its line.
    sed -n 's/.*[0-9]  .*\/\/ why: //p' shown.txt >expected.txt
    sed -n 's/^ *did not run: //p' shown.txt >found.txt
    check "words, $configuration: each is the one that the source names" diff expected.txt found.txt
    check "words, $configuration: there are some" test "$(wc -l <expected.txt)" -ge 12
    limited "$ILCOV" report -r words -f missed=missed.txt words.ilcov 2>missed.said
    python3 - html/files >page.txt <<'PYTHON'
import glob, html, re, sys
text = "".join(open(page, encoding="utf-8").read() for page in glob.glob(sys.argv[1] + "/**/*.html", recursive=True))
for item in "".join(re.findall(r"<ul class=whys>(.*?)</ul>", text, re.S)).split("<li>")[1:]:
    item = re.sub(r"<a .*?</a> ", "", re.sub(r"</?code>", "`", item)).strip()
    print(html.unescape(item))
PYTHON
    check "words, $configuration: HTML says the same" diff expected.txt page.txt
    while read -r words; do
        check "words, $configuration: -f missed says '$words'" grep -qF -- "$words" missed.txt
    done <expected.txt
done
finish
