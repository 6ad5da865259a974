#!/bin/bash
# A decision knows its text: where the data file says that a span is exact, the source has the operand there, the same
# in Debug and in Release builds; and most spans are. What conditions belong to one expression does not depend on the
# build, nor on whether the sources are there.
. "$(dirname "$0")/lib.sh"

# Each line: the statement as it stands in fixtures/language, and its operands in the order in which they are asked;
# conditions of one expression are joined by +.
cat >"$temp/expected" <<'EXPECTED'
Func<int, string> name = x => x > 0 ? "positive" : "not"; | x > 0
IReadOnlyList<string> words = ["a", .. more ? ["b"] : (string[])["c"]]; | more
Sink.Use(Ok(a ? 1 : 2) + Fail(7) + Ok(b ? 1 : 2)); | a | b
Sink.Use(a != b ? 1 : 2); | a != b
Sink.Use(n > 3 ? await Value(1) : 2); | n > 3
Sink.Use(or ? n : await Flag(and) ? 2 : 3); | or | await Flag(and)
Sink.Use(p || !(a > b)); | p + a > b
Sink.Use(parse("4", out int four) ? four : 0); | parse("4", out int four)
_ready = n > 0 && await Number(n) > 1; | n > 0 + await Number(n) > 1
bool and = p && a == b; | p + a == b
bool both = a > 0 && b > 0; | a > 0 + b > 0
bool kept = yes && await Flag(no); | yes + await Flag(no)
bool known = Is(no) || await Flag(no); | Is(no) + await Flag(no)
bool or = await p || a >= b; | await p + a >= b
bool or = p || a >= b; | p + a >= b
bool small = await Value(n) < 4 && n > 0; | await Value(n) < 4 + n > 0
box?.Inner?.Value += 2; | box | box?.Inner
box?.Items[1] = 4; | box
case int n when n > 3: | n > 3
case string text when text == "" && n > 3: | text == "" + n > 3
catch (Trouble e) when (e.Code == 1) | e.Code == 1
else if (n < 10) | n < 10
if (!(a > 0 && b > 0)) | a > 0 + b > 0
if (!a) | !a
if (EqualityComparer<T>.Default.Equals(value, default)) | EqualityComparer<T>.Default.Equals(value, default)
if (a > 0 && b <= 0 || c > 0) | a > 0 + b <= 0 + c > 0
if (a > 0 && b > 0 && c > 0) | a > 0 + b > 0 + c > 0
if (a > 0 && b > 0) | a > 0 + b > 0
if (a > 0 || b > 0) | a > 0 + b > 0
if (a > 0) { Sink.Use(a); } else { Sink.Use(b); } | a > 0
if (a > b && b.Ticks > 1) | a > b + b.Ticks > 1
if (a.HasValue && a.Value > 3) | a.HasValue + a.Value > 3
if (await Value(n) > 4 || n < 0) | await Value(n) > 4 + n < 0
if (n < -1) return; | n < -1
if (n > 0 && await Value(n) > 0) | n > 0 + await Value(n) > 0
if (n is > 0 and < 10) | > 0 + < 10
if (n is not 3) | n is not 3
if (n switch { 1 => Number(5), _ => Number(6) } > 5 || b > 0) | n | n switch { 1 => Number(5), _ => Number(6) } > 5 + b > 0
if (no && await Flag(yes)) | no + await Flag(yes)
if (p || a < b) | p + a < b
if (sum > 1 || wide < 0) | sum > 1 + wide < 0
if (values[i].CompareTo(largest) > 0) | values[i].CompareTo(largest) > 0
if (yes || await Flag(no)) | yes + await Flag(no)
int chosen = await Value(n) == 2 ? await Value(7) : await Value(8); | await Value(n) == 2
int picked = Pick(Is(a) && Is(b), b ? 1 : 2); | Is(a) + Is(b) | b
int? year = day?.AddDays(1).Year; | day
node?.ToString(); | node
public string Lazy => field ??= Name + "!"; | field
readonly int _size = new List<T>().Count == 0 ? 1 : 2; | new List<T>().Count == 0
ready._ready |= n > 0 && await Later(false); | n > 0 + await Later(false)
return !(a > 0 || b > 0); | a > 0 + b > 0
return ++Parts > 0 && text.Length > 0; | ++Parts > 0 + text.Length > 0
return -wide ?? Environment.TickCount64; | -wide
return Math.Max(a > 0 ? a : -a, b > 0 ? b : -b); | a > 0 | b > 0
return Second(a > 0 && b > 0, a > 1 ? Number(1) : Number(2)); | a > 0 + b > 0 | a > 1
return T.IsRipe ? T.Create() : throw new InvalidOperationException(); | T.IsRipe
return a ?? b ?? "nothing"; | a | b
return await Later(true) ? 1 : Number(2); | await Later(true)
return n < 0 ? "negative" : n == 0 ? "zero" : "positive"; | n < 0 | n == 0
return n switch { 1 => null, _ => text } ?? "none"; | n | n switch { 1 => null, _ => text }
return node?.Next?.Name; | node | node?.Next
return text == null || text.Length == 0; | text == null + text.Length == 0
return text ?? "nothing"; | text
return text?.Trim() ?? "nothing"; | text | text?.Trim()
return words.MaxBy(w => w.Length) ?? "none"; | words.MaxBy(w => w.Length)
static bool Even(int n) => n == 0 || Odd(n - 1); | n == 0 + Odd(n - 1)
static bool OrValue(int a, int b) => a > 0 || b > 0; | a > 0 + b > 0
string known = await Text(text) ?? "none"; | await Text(text)
string text = (n switch { 1 => "a", _ => "b" }) + (b > 0 ? Number(1) : Number(2)); | n | b > 0
text ??= "nothing"; | text
var both = (n > 1 && await Flag(true), await Number(n)); | n > 1 + await Flag(true)
when n < 7 | n < 7
while (!job.IsCompleted) | !job.IsCompleted
while (i < n && i < limit) | i < n + i < limit
while (n > 5); | n > 5
while (yes && await Flag(no)) | yes + await Flag(no)
EXPECTED

# operands FILE: "STATEMENT | OPERANDS" of each statement of the JSON report's sources that has conditions, and
# "exact N of M" last. A span that is exact must have a place in its source.
operands() {
    python3 - "$1" "$top/fixtures" <<'PY'
import json, sys
report, root = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2]
exact = total = 0
def units(text, column):
    return text.encode("utf-16-le")[:2 * (column - 1)].decode("utf-16-le")
for package in report["packages"]:
    for entry in package["classes"]:
        try:
            lines = open(f"{root}/{entry['file']}", encoding="utf-8-sig").read().split("\n")
        except OSError:
            continue
        for line in entry["lines"]:
            shown, last = [], None
            for n, condition in enumerate(line["conditions"]):
                total += 1
                exact += condition["exact"]
                span = condition["span"]
                if not condition["exact"] or span["start_line"] != span["end_line"]:
                    continue
                text = lines[span["start_line"] - 1]
                start, end = (len(units(text, span[c])) for c in ("start_column", "end_column"))
                assert start < end <= len(text), (entry["file"], condition)
                joined = condition["expression"] != n and last == condition["expression"]
                last = condition["expression"]
                shown.append(("+ " if joined else "| ") + text[start:end])
            if shown:
                print(lines[line["number"] - 1].split("//")[0].strip(), *shown)
print("exact", exact, "of", total)
PY
}

for configuration in Debug Release; do
    build language "$configuration"
    check "$configuration runs" limited "$ILCOV" run --root "$top/fixtures" -d "$configuration.ilcov" \
        -f json="$configuration.json" -- "$program"
    check "$configuration: each exact span is in its source" operands "$configuration.json"
    operands "$configuration.json" >"$configuration.operands"
    missing=$(grep -vxFf "$configuration.operands" expected)
    same "$configuration: operands are those that were written" "" "$missing"
    read -r _ exact _ total < <(tail -n 1 "$configuration.operands")
    # The operands of a pattern of constants share its text.
    check "$configuration: seven tenths of all spans are exact ($exact of $total)" [ $((exact * 10)) -ge $((total * 7)) ]
done

# Sources elsewhere: the same conditions and expressions, of which only the statements are known. Only what is a guard, and so which ways are
# those of its switch, which arm optimised code is of that has no point for its switch, what tests for a constant (docs/definitions.md) and
# what a concatenation asks is read in the source.
mkdir elsewhere
check "without sources" limited "$ILCOV" run --root "$temp/elsewhere" -d none.ilcov --allow-empty -- "$program"
decisions() {
    sqlite3 "$1" "SELECT d.method, d.il_offset, first.il_offset FROM decisions d JOIN decisions first
        ON first.module = d.module AND first.id = d.expression JOIN methods m ON m.module = d.module AND m.id = d.method
        WHERE NOT d.is_switch AND m.type NOT IN ('Language.ConstantPatterns', 'Language.Concatenations')
            AND m.type NOT GLOB 'Language.SwitchHomes*GuardBeforeAwait*'
        ORDER BY d.module, d.id"
}
same "expressions are the same without sources" "" "$(decisions Release.ilcov | grep -vxFf <(decisions none.ilcov))"
same "no span is exact without sources" 0 "$(sqlite3 none.ilcov "SELECT count(*) FROM decisions WHERE is_exact")"

finish
