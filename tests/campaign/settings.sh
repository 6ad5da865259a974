#!/bin/bash
# settings.sh - settings of coverlet and of Microsoft's collector mean in ilcov.json what they mean to those tools: with each, the
# tool and ilcov report the same methods of the same types. Setters are left out of the comparison: the tools give a line to its
# first method. Writes its section to $RELIABILITY_DIR/settings.md.
. "$(dirname "$0")/../e2e/lib.sh"

# class NAMESPACE NAME FILE
class() {
    mkdir -p "$(dirname "$3")"
    cat >"$3" <<CS
namespace $1;
public class $2
{
    public class In
    {
        public int Y() => 2;
    }
    public int P { get; set; }
    [System.Diagnostics.DebuggerHidden]
    public int H() => 3;
    [System.Diagnostics.DebuggerStepThrough]
    public int S() => 4;
    public int X() => P + new In().Y() + H() + S();
}
CS
}

git init -q .
echo '<Project />' | tee Directory.Build.props >Directory.Build.targets
library src/Lib.Core
library src/Lib.Tools
types=(Lib.Core.Order Lib.Core.Orders Lib.Core.Views.View Lib.Core.Gen.G1 Lib.Core.Gen.Deep.G2 Lib.Core.Part Lib.Tools.Hammer Lib.Tools.Views)
files=(Lib.Core/Order Lib.Core/Orders Lib.Core/View Lib.Core/Gen/G1 Lib.Core/Gen/Deep/G2 Lib.Core/Part.Designer Lib.Tools/Hammer Lib.Tools/Views)
sum=0
for i in "${!types[@]}"; do
    class "${types[i]%.*}" "${types[i]##*.}" "src/${files[i]}.cs"
    sum+=" + new ${types[i]}().X()"
done
test_project tests/Lib.Tests src/Lib.Core src/Lib.Tools
grep -q coverlet.collector tests/Lib.Tests/Lib.Tests.csproj ||
    sed -i 's|<PackageReference Include="xunit"|<PackageReference Include="coverlet.collector" Version="6.0.4" />\n&|' tests/Lib.Tests/Lib.Tests.csproj
printf 'public class T { [Xunit.Fact] public void All() => Xunit.Assert.True(%s > 0); }\n' "$sum" >tests/Lib.Tests/T.cs
made dotnet build tests/Lib.Tests -maxcpucount:1 --nologo

# methods REPORT: file, type and method of each that has lines.
methods() {
    python3 - "$1" <<'PY' | LC_ALL=C sort -u
import os, sys, xml.etree.ElementTree as tree
for entry in tree.parse(sys.argv[1]).getroot().iter("class"):
    for method in entry.iter("method"):
        if next(method.iter("line"), None) is not None and not method.get("name").startswith("set_"):
            print(os.path.basename(entry.get("filename")), entry.get("name").replace("/", ".").replace("+", "."), method.get("name"))
PY
}

# alike NAME COLLECTOR CONFIGURATION: do both report the same?
alike() {
    local name=$1 report
    cat >"$name.runsettings" <<XML
<RunSettings><DataCollectionRunSettings><DataCollectors><DataCollector friendlyName="$2"><Configuration>
$3
</Configuration></DataCollector></DataCollectors></DataCollectionRunSettings></RunSettings>
XML
    mkdir "$name"
    limited dotnet test tests/Lib.Tests --no-build --settings "$name.runsettings" --collect "$2" --results-directory "$name/theirs" \
        >"$name/log" 2>&1
    report=$(find "$name/theirs" -name '*.cobertura.xml' -print -quit)
    limited "$ILCOV" config --from "$name.runsettings" >"$name/ilcov.json" 2>"$name/err"
    (cd "$name" && limited "$ILCOV" run --config ilcov.json --include-generated -r "$temp" -f cobertura=ours.xml -- \
        dotnet test ../tests/Lib.Tests --no-build >>log 2>&1)
    methods "$report" >"$name/theirs.list"
    methods "$name/ours.xml" >"$name/ours.list"
    check "$2: $3" diff "$name/theirs.list" "$name/ours.list"
    [ -s "$name/ours.list" ] || not_ok "$2: $3: there are methods" "$name/log"
}

coverlet() {
    alike "coverlet$((tried += 1))" 'XPlat Code Coverage' "<Format>cobertura</Format>$1"
}
microsoft() {
    alike "microsoft$((tried += 1))" 'Code Coverage' "<Format>cobertura</Format><CodeCoverage>$1</CodeCoverage>"
}
tried=0
coverlet ''
coverlet '<Exclude>[*]Lib.Core.Orders?</Exclude>'
coverlet '<Exclude>[Lib.Tools?]*</Exclude>'
coverlet '<Exclude>[*]Lib.Core.Order</Exclude>'
coverlet '<Include>[Lib.*]Lib.Core.*</Include><Exclude>[*]*.Views.*</Exclude>'
coverlet '<ExcludeByFile>**/Gen/**/*.cs,**/Ham*.cs</ExcludeByFile>'
coverlet '<ExcludeByFile>**/*.Designer.cs,Order.cs,**/Gen/**</ExcludeByFile>'
coverlet '<ExcludeByAttribute>DebuggerHidden</ExcludeByAttribute><SkipAutoProps>true</SkipAutoProps>'
coverlet '<SingleHit>true</SingleHit>'
microsoft ''
microsoft '<ModulePaths><Exclude><ModulePath>.*\.Tools\.dll$</ModulePath></Exclude></ModulePaths>'
microsoft '<ModulePaths><Exclude><ModulePath>Tools\.dll</ModulePath></Exclude></ModulePaths>'
microsoft '<ModulePaths><Include><ModulePath>/lib\.core\.dll$</ModulePath></Include></ModulePaths>'
microsoft '<Sources><Exclude><Source>.*/Gen/.*</Source><Source>.*\.Designer\.cs</Source></Exclude></Sources>'
microsoft '<Sources><Exclude><Source>.*\\Gen\\.*</Source></Exclude></Sources>'
microsoft '<Sources><Exclude><Source>/Gen/</Source><Source>Order</Source></Exclude></Sources>'
microsoft '<Attributes><Exclude><Attribute>^System\.Diagnostics\.DebuggerStepThroughAttribute$</Attribute></Exclude></Attributes>'

if [ -n "${RELIABILITY_DIR:-}" ]; then
    cat >"$RELIABILITY_DIR/settings.md" <<EOF
## Settings of coverlet and of Microsoft's collector

With $tried settings translated by \`config --from\`, ilcov reports the same methods as the other tool.
EOF
fi
finish
