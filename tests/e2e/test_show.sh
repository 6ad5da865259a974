#!/bin/bash
# `ilcov show`: source with its coverage, and the lines that did not run; the tables for people; what a terminal shows of them.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C.UTF-8

# All programs of fixtures/ that end, as they do it: others are in the tests that are about them. `finish` compares.
while read -r fixture arguments; do
    for configuration in Debug Release; do
        data=$fixture
        [ $configuration = Debug ] || data=$fixture-release
        build $fixture $configuration
        # shellcheck disable=SC2086
        measure $data --format json=$data.json --root "$top/fixtures" -- "$program" $arguments </dev/null
        check "$fixture, $configuration: is measured" test -s $data.ilcov
    done
done <<'EOF'
language
vb
fsharp
toplevel
exclusions
exclusions_vb
exclusions_fs
hazards
hazards_async
hazards_fs
threads
reflection
stacktrace
unnoticed
attach
attach_hard
children
endings return
faults work
hot_reload
loads bytes
modules 10 2
stacks 256
visitors
EOF

limited "$ILCOV" show -d language.ilcov >out
same "many misses: status" 0 $?
check "many misses: not more than a person reads" test "$(grep -cE '^ *[0-9]+ ' out)" -le 200
check "many misses: and where the others are" grep -qE "^and [0-9]+ more files?: 'ilcov show FILE' shows one" out
check "many misses: in a file" grep -qE "^and [0-9]+ more places?: 'ilcov show .*\.cs' shows all" out

# --- a project of two folders ------------------------------------------------------------------------------------------------
mkdir -p app/Orders app/Web
cat >app/Orders/Order.cs <<'CS'
namespace Shop;

public static class Order
{
    public static int Total(bool vip, int rush)
    {
        if (vip && rush > 1)
        {
            return 1;
        }

        return 2;
    }

    public static int Lost() => 3;
}
CS
printf 'namespace Shop.Web;\r\npublic static class Order\r\n{\r\n\tpublic static int One()\r\n\t{\r\n\t\treturn 1;\r\n\t}\r\n}\r\n' \
    >app/Web/Order.cs
python3 -c 'print("static class Wide { public static int F(int a) { var s = \"%s\"; return a > 1 ? s.Length : 2; } }" % ("x" * 70000))' \
    >app/Wide.cs
echo 'System.Console.WriteLine(Shop.Order.Total(true, 0) + Shop.Web.Order.One() + Wide.F(1));' >app/Program.cs
compiled app Debug app/*/*.cs
limited "$ILCOV" run -d TestResults/run.ilcov -f json=app.json --root app -- dotnet "$program" >run.out 2>run.err
same "the project runs" 0 $?

# shows WHAT STATUS EXPECTED ARGUMENT...: what it prints, and its status.
shows() {
    local what=$1 expected_status=$2 expected_text=$3
    shift 3
    limited "$ILCOV" show "$@" >out 2>err
    same "$what: status" "$expected_status" $?
    same "$what: output" "$expected_text" "$(cat out)"
}

order='Orders/Order.cs: 2 of 4 lines, 2 of 4 branches covered

   1          namespace Shop;
   2
   3          public static class Order
   4          {
   5              public static int Total(bool vip, int rush)
   6              {
   7     1 ~          if (vip && rush > 1)
                          ^^^ 1 of 2 outcomes never happened
                                 ^^^^^^^^ 1 of 2 outcomes never happened
   8                  {
   9     0                return 1;
                          did not run: why
  10                  }
  11
  12     1            return 2;
  13              }
  14
  15     0        public static int Lost() => 3;
                  did not run: why
  16          }'
# The words are those of coverage/report/sentence.h and why_words.h, which have tests of their own.
plain() {
    sed -E -e 's/(\^+) .*/\1/' -e 's/did not run: .*/did not run/'
}
limited "$ILCOV" show Orders/Order.cs >out 2>err
same "a file is shown" 0 $?
same "a file is shown with hits, signs and marks" "$(plain <<<"$order" | sed 1d)" "$(plain <out | sed 1d)"
check "a file has a heading" grep -qx 'Orders/Order.cs: [0-9]* of [0-9]* lines, [0-9]* of [0-9]* branches covered' out
check "nothing else is said" test ! -s err

for name in ./app/Orders/Order.cs app/Orders/Order.cs "$PWD/app/Orders/Order.cs" 'Orders\Order.cs' orders/order.cs; do
    limited "$ILCOV" show "$name" >again 2>err
    check "the same file is $name" cmp out again
done
(cd app/Orders && limited "$ILCOV" show -d ../../TestResults/run.ilcov Order.cs) >again 2>err
check "the same file is Order.cs beside it" cmp out again

limited "$ILCOV" show Order.cs >out 2>err
same "an ambiguous name gives 3" 3 $?
same "an ambiguous name lists the files" "ilcov: Order.cs is the name of 2 files; add a folder:
ilcov:   Orders/Order.cs
ilcov:   Web/Order.cs" "$(cat err)"
for typed in Ordre.cs Order Web/Odrer.cs; do
    limited "$ILCOV" show $typed >out 2>err
    same "$typed gives 3" 3 $?
    check "$typed: near misses are proposed" grep -qx 'ilcov:   Orders/Order.cs' err
    check "$typed: nothing is shown" test ! -s out
done
limited "$ILCOV" show no/such/thing.xyz >out 2>err
same "an unknown name gives 3" 3 $?
same "an unknown name says where names are" \
    "ilcov: TestResults/run.ilcov has no source file no/such/thing.xyz; 'ilcov report -f files' lists all" "$(cat err)"

limited "$ILCOV" show Orders/Order.cs:15 >out
same "a line is shown with some around it" "10 11 12 13 14 15 16" "$(sed 1,2d out | awk '/^ *[0-9]/ { print $1 }' | xargs)"
limited "$ILCOV" show Orders/Order.cs:1,16 >out
check "lines far apart have dots between them" grep -qE '^ *\.\.\.$' out
shows "a line after the last" 3 "" Orders/Order.cs:99
check "and the last is named" grep -q 'Orders/Order.cs has no line 99; its last one is 16' err
shows "what is no line" 2 "" Orders/Order.cs:0
shows "a missing data file" 3 "" -d none.ilcov Orders/Order.cs
check "and it is named" grep -q 'there is no data file none.ilcov' err
shows "a whole file as --uncovered" 0 "Orders/Order.cs:9,15" --uncovered Orders/Order.cs
shows "all files as --uncovered" 0 "Orders/Order.cs:9,15" --uncovered
shows "a file without misses as --uncovered" 0 "" --uncovered Web/Order.cs
for folder in Orders Orders/ app/Orders "$PWD/app/Orders" ./app/; do
    shows "the folder $folder as --uncovered" 0 "Orders/Order.cs:9,15" --uncovered "$folder"
done
shows "a folder without misses as --uncovered" 0 "" --uncovered Web
shows "a folder without --uncovered" 3 "" Orders
check "a folder without --uncovered: it is said what takes it" grep -q "^ilcov: Orders is a folder; 'ilcov show --uncovered Orders' lists" err
shows "the beginning of a folder's name as --uncovered" 3 "" --uncovered Ord
shows "a line as --uncovered" 2 "" --uncovered Orders/Order.cs:8
shows "left out files as --uncovered" 0 "" --uncovered --exclude-files 'Orders/*'
limited "$ILCOV" show "$(limited "$ILCOV" show --uncovered)" >out
check "what is listed can be shown" grep -qE '^   9     0                return 1;$' out
limited "$ILCOV" show >out
check "without a file, misses are shown" grep -qE '^  15     0        public static int Lost' out
check "and not all lines" test "$(wc -l <out)" -lt 30
limited "$ILCOV" show Wide.cs >out
check "columns that symbols cannot hold are not taken for those of a condition" \
    test -z "$(grep -E '\^|`' out)" -a -z "$(grep '"end_column": 65534}, "exact": true' app.json)"
limited "$ILCOV" show Web/Order.cs >out
check "tabs and line ends are text" grep -qx '   6     1            return 1;' out

echo '// changed' >>app/Web/Order.cs
limited "$ILCOV" show Web/Order.cs >out
same "a changed source: status" 0 $?
check "a changed source is not shown" test -z "$(grep return out)"
check "and a line says so" grep -qx 'The source is not shown: the file has changed since it was compiled.' out
check "its hits are" grep -qx '   6     1' out
mv app/Web/Order.cs app/Web/Moved.cs
limited "$ILCOV" show Web/Order.cs >out
check "a missing source is told from a changed one" \
    grep -qx 'The source is not shown: there is no such file below the source root.' out
mv app/Web/Moved.cs app/Web/Order.cs

# --- tables ---------------------------------------------------------------------------------------------------------------------
check "a run names assemblies" grep -q '^app .*%' run.err
check "and the worst files" grep -qE '^  2 of 4   Orders/Order.cs$' run.err
limited "$ILCOV" report -f files=- >out 2>err
check "-f files lists them" grep -qE '^Orders/Order.cs  +2 ' out
check "and the summary does not repeat it" test -z "$(grep Assembly err)"
limited "$ILCOV" report -f missed=- >out 2>err
check "-f missed lists lines with their methods" grep -qE '^  15 +Order.Lost' out
check "and outcomes" grep -qE '^  7 +`rush > 1`' out
LC_ALL=C limited "$ILCOV" report -f json=app.json 2>err
check "a locale without UTF-8 gets ASCII" test -z "$(LC_ALL=C grep -P '[^\x00-\x7F]' err)"
limited "$ILCOV" report -f json=app.json 2>err
check "one with UTF-8 gets lines" grep -q '──' err

# --- gates ----------------------------------------------------------------------------------------------------------------------
# fails WHAT LINE... -- OPTION...: a gate fails, and these lines say where.
fails() {
    local what=$1
    shift
    local -a lines=()
    while [ "$1" != -- ]; do
        lines+=("$1")
        shift
    done
    shift
    limited "$ILCOV" report -f none "$@" >out 2>err
    same "$what: status" 1 $?
    for line in "${lines[@]}"; do
        check "$what: $line" grep -qxF "ilcov: $line" err
    done
}
fails "--fail-under" "'ilcov show --uncovered' lists the lines that did not run" -- --fail-under 100
cp TestResults/run.ilcov other.ilcov
fails "--fail-under with other data" "'ilcov show --uncovered -d other.ilcov' lists the lines that did not run" -- --fail-under 100 other.ilcov
fails "branch" "'ilcov report -f missed' lists the outcomes that never happened" -- --gate 'branch>=100'
printf -- '--- a/Orders/Order.cs\n+++ b/Orders/Order.cs\n@@ -9 +9 @@\n-x\n+%s\n' "$(sed -n 9p app/Orders/Order.cs)" >patch.diff
fails "patch" "  Orders/Order.cs:9" "'ilcov diff --patch patch.diff TestResults/run.ilcov' shows the changed lines that are not covered" \
    -- --patch patch.diff --gate 'patch>=100' -r app
check "and no other command is named" test "$(grep -c "^ilcov: '" err)" = 1

# --- a terminal -----------------------------------------------------------------------------------------------------------------
# on_terminal COLUMNS COMMAND...: what it writes to a terminal of this width.
on_terminal() {
    python3 - "$@" <<'PY'
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
while True:
    try:
        got = os.read(terminal, 65536)
    except OSError:
        break
    if not got:
        break
    sys.stdout.buffer.write(got.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
}
esc=$(printf '\033')
# fits COLUMNS FILE: is no line wider, escapes aside?
fits() {
    sed "s/$esc\[[0-9;]*m//g" "$2" | python3 -c '
import sys
sys.exit(any(len(line.rstrip("\n")) > int(sys.argv[1]) for line in sys.stdin))' "$1"
}
for width in 40 60 80 200; do
    on_terminal $width "$ILCOV" report -f text >out
    check "the summary fits $width columns" fits $((width > 80 ? 80 : width)) <(grep -v ^ilcov: out)
    on_terminal $width "$ILCOV" show Orders/Order.cs >out
    check "show fits $width columns" fits $width <(sed 1d out)
    check "show has colours on a terminal" grep -q "$esc\[31m" out
    NO_COLOR=1 on_terminal $width "$ILCOV" show Orders/Order.cs >out
    check "and none with NO_COLOR" test -z "$(grep "$esc" out)"
done
on_terminal 80 "$ILCOV" show --uncovered >out
same "--uncovered has no colours" "Orders/Order.cs:9,15" "$(cat out)"
finish
