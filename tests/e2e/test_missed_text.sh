#!/bin/bash
# On a line that ran, the statements that did not are told by their own text: in JSON, in `show`, in `-f missed` and on pages. What is
# expected stands in the source: `// missed: TEXT | TEXT`; every other line has none, or did not run at all.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C.UTF-8

mkdir -p app
cat >app/Program.cs <<'CS'
using System;
using System.Collections.Generic;
using System.Linq;

Parts.Run();

static class Parts
{
    static int[] items = { 1, 2, 3 }; static int[] empty = { };

    static int Guard(int a) { if (a < 0) return -1; return a; } // missed: return -1;
    static int Else(bool a) { if (a) { return 1; } else { Note(a); return 2; } } // missed: Note(a); return 2;
    static void Note(object text) { }
    static Func<int, int> Kept(int a) { return x => x + a; } // missed: x + a
    static void Blocks() { Do(() => { Note(1); Note(2); }); Note(3); } // missed: Note(1); Note(2);
    static void Called() { items.Select(x => x + 1).ToList().ForEach(x => Note(x)); }
    static void Nested() { Call(() => Do(() => Note(1))); } // missed: Note(1)
    static void Two() { Pair(() => Note(1), () => Note(2)); } // missed: Note(2)
    static void Do(Action a) { }
    static void Call(Action a) => a();
    static void Pair(Action a, Action b) => a();
    static int Throws() { try { Fail(); Note(1); return 1; } catch (Exception) { return 2; } } // missed: Note(1); return 1;
    static void Fail() => throw new InvalidOperationException();
    static void Loop() { foreach (var x in empty) Note(x); for (int i = 0; i < 0; i++) Note(i); } // missed: Note(x); | i++ | Note(i);
    static int Long(int a) { if (a > 0) return Math.Max(a, // missed: …
            2); return 0; } // missed: …
    public static int Count { get; set; } = 5; // missed: get; set;
    public static int Read { get; set; } // missed: set;
    static int Local(int a) { int Twice() => a * 2; int Thrice() => a * 3; return Twice(); } // missed: a * 3
    static string Text(string a) { if (a == "\u00e4\u00e4") return "<&\"'\t>"; return "😀" + a; } // missed: return "<&\"'\t>";
    static IEnumerable<int> Some() { yield return 1; yield return 2; } // missed: yield return 2;

    public static void Run()
    {
        Guard(1); Else(true); Kept(1); Blocks(); Called(); Nested(); Two(); Throws(); Loop(); Long(-1); Note(Read); Local(1); Text("");
        foreach (int one in Some()) break;
    }
}
CS
cat >expected.py <<'PY'
"""expected.py REPORT.json SOURCE: is the missed text of each line what its comment says? `…` stands for any."""
import json, re, sys
report, lines = json.load(open(sys.argv[1])), open(sys.argv[2], encoding="utf-8").read().split("\n")
got, wrong = {}, 0
for package in report["packages"]:
    for entry in package["classes"]:
        for line in entry["lines"]:
            text = lines[line["number"] - 1].encode("utf-16-le")
            for part in line.get("missed", []):
                end = 2 * part["end_column"] - 2 if "end_column" in part else None
                got.setdefault(line["number"], []).append(text[2 * part["start_column"] - 2:end].decode("utf-16-le"))
for number, line in enumerate(lines, 1):
    comment = re.search(r"// missed: (.*)", line)
    wanted = comment[1].split(" | ") if comment else []
    seen = got.get(number, [])
    if seen != wanted and not (wanted == ["…"] and seen):
        print(f"{number}: {seen} instead of {wanted}")
        wrong += 1
sys.exit(wrong != 0)
PY

for configuration in Debug Release; do
    compiled app $configuration
    limited "$ILCOV" run -d $configuration.ilcov -f json=$configuration.json -f html=$configuration -f missed=$configuration.txt --root app \
        -- dotnet "$program" >out 2>err
    same "$configuration runs" 0 $?
    check "$configuration: the missed text is what the source says" python3 expected.py $configuration.json app/Program.cs
    check "$configuration: the pages say what JSON says" \
        python3 "$top/tests/support/html_pages.py" $configuration $configuration.json app
    page=$(ls $configuration/files/*-Program.cs.html)
    check "$configuration: a page marks it" grep -qF '{ <mark' "$page"
    check "$configuration: and says it" grep -qF '<code>return -1;</code> did not run' "$page"
    check "$configuration: so does -f missed" grep -qE '^  11 +`return -1;` did not run$' $configuration.txt
    limited "$ILCOV" show -d $configuration.ilcov Program.cs >shown
    check "$configuration: show underlines it" \
        sh -c "grep -A2 '^  11 ' shown | grep -qE '^ +\\^{10} did not run\$'"
done
sed 's|// missed: x + a|// missed: x|' app/Program.cs >other.cs
check "the check sees other text" test -z "$(python3 expected.py Debug.json other.cs >/dev/null && echo fine)"
finish
