#!/bin/bash
# Methods are called in reports what people call them: as Roslyn does, in each DLL. Reports for programs keep the names that the
# metadata has.
. "$(dirname "$0")/lib.sh"
NAMES=$(absolute "${NAMES:-$top/build/display_names}")

cp -r "$top/tests/conformance/display" display
made dotnet build display --configuration Debug --nologo --output built

framework=$(dirname "$(find "$(dirname "$(readlink -f "$(command -v dotnet)")")/shared/Microsoft.NETCore.App/" \
    -name System.Private.CoreLib.dll | sort | tail -n 1)")
# Of the framework those without what Roslyn's reader writes otherwise: internal interfaces that it does not see, ValueTuple<T> as
# a type of its own, optional modifiers that turn properties into methods.
dlls=("$PWD/built/display.dll")
for dll in System.Collections System.Collections.Immutable System.Linq System.Linq.Expressions System.Private.Xml System.Text.Json; do
    dlls+=("$framework/$dll.dll")
done
dotnet built/display.dll "${dlls[@]}" >theirs
"$NAMES" "${dlls[@]}" >ours
# Ours has methods, too, that cannot be written in C#.
LC_ALL=C sort theirs >theirs.sorted
LC_ALL=C sort ours >ours.sorted
check "Roslyn names more than 20,000 methods" [ "$(wc -l <theirs)" -gt 20000 ]
LC_ALL=C comm -23 theirs.sorted ours.sorted >different
check "each of them has the same name here" [ ! -s different ] || sed 's/^/#   /' different | head -n 20

measure named --root display -f json=report.json -f cobertura=report.xml -f html=pages -- dotnet built/display.dll
same "exit status" 0 "$status"
# The name of the method that begins on the line of Names.cs with this text.
shown() { # TEXT DISPLAY
    local line
    line=$(grep -nF -- "$1" display/Names.cs | head -n 1 | cut -d: -f1)
    check "$1 is $2" python3 - "$line" "$2" <<'PYTHON'
import json, sys
for package in json.load(open("report.json"))["packages"]:
    for type in package["classes"]:
        for method in type["methods"]:
            if type["file"] == "Names.cs" and method["lines"][0]["number"] == int(sys.argv[1]):
                found = type["display_name"] + ": " + method["display_name"] + method["display_signature"]
                sys.exit(found != sys.argv[2])
sys.exit(1)
PYTHON
}
shown 'operator checked +(' 'N.M.Vec<T>: operator checked +(Vec<T>, Vec<T>)'
shown 'public U Map' 'N.M.Vec<T>: Map<U, V>(T, Func<T, U>, ref V, out int[], List<Dictionary<string, U>>)'
shown 'public int Cur<W>' 'N.M.Vec<T>.Enumerator: Cur<W>(W, T)'
shown 'int I.this[string s]' 'N.M.C: I.this[string].get'
check "the page of the source says so" grep -qF 'explicit operator checked long' -r pages/files
check "the tree of types says so" grep -qF '>Vec&lt;T>.Enumerator<' pages/types.html
check "Cobertura keeps the names of the metadata" grep -qF 'name="N.M.Vec`1/Enumerator"' report.xml
check "and those of methods" grep -qF 'name="op_CheckedAddition"' report.xml
finish
