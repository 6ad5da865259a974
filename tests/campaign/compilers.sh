# compilers.sh - the compilers of the installed SDK run on sources of ours: what tests/campaign/rewritten.sh measures. Sourced
# behind lib.sh; the working directory is a temporary one.
#
# Sets `sdk`. `csc` and `fsc` are arrays: the whole command that compiles out/Toolbox.dll and out/Shapes.dll.

dotnet_root=$(dirname "$(readlink -f "$(command -v dotnet)")")
sdk=$dotnet_root/sdk/$(dotnet --version)
references=$(find "$dotnet_root/packs/Microsoft.NETCore.App.Ref" -path '*/ref/*' -name '*.dll' | sort)

# Through a link, since response files take no spaces, and the tree may be anywhere.
ln -sfn "$top" tree

# csc and fsc write what they do and nothing else: no time, no path of this machine, no name of the source but below /_/.
mkdir -p out
cat >usings.cs <<'EOF'
global using System;
global using System.Collections.Generic;
global using System.IO;
global using System.Linq;
global using System.Threading;
global using System.Threading.Tasks;
EOF
{
    printf '%s\n' /nostdlib /deterministic /optimize /target:library /nologo /nullable:enable /debug:portable \
        "/pathmap:$PWD=/_/" /out:out/Toolbox.dll usings.cs
    sed 's|^|/r:|' <<<"$references"
    find tree/bench/suites/toolbox/src/Toolbox/ -name '*.cs' -not -path '*/obj/*' -not -path '*/bin/*' | sort
} >csc.rsp
{
    printf '%s\n' --noframework --targetprofile:netcore --deterministic+ --optimize+ --debug:portable --nologo \
        --simpleresolution "--pathmap:$PWD=/_/" "-r:$sdk/FSharp/FSharp.Core.dll" --target:exe --out:out/Shapes.dll
    sed 's|^|-r:|' <<<"$references"
    echo tree/fixtures/everything/Shapes.fs
} >fsc.rsp
csc=(dotnet "$sdk/Roslyn/bincore/csc.dll" /noconfig @csc.rsp)
fsc=(dotnet "$sdk/FSharp/fsc.dll" @fsc.rsp)

# sums FILE...: of the files that are there.
sums() {
    sha256sum "$@" 2>&1
}

# compiles WHAT EXPECTED OUTPUT OPTION... -- COMMAND...: the command under ilcov makes the OUTPUT.dll and OUTPUT.pdb
# that it makes without. Sets `instrumented`, the number of methods.
compiles() {
    local what=$1 expected=$2 output=$3
    shift 3
    rm -f "out/$output".*
    limited "$ILCOV" run -v --data everything.ilcov --format none "$@" >compiler.out 2>compiler.err
    status=$?
    if [ $status -ne 0 ]; then
        cat compiler.out compiler.err >compiler.log
        not_ok "$what: exit status $status" compiler.log
    fi
    same "$what: the same bytes" "$expected" "$(sums "out/$output.dll" "out/$output.pdb")"
    instrumented=$(methods compiler.err)
}

# methods FILE: how many methods the processes in ilcov's own words had instrumented.
methods() {
    sed -n 's/^ilcov: process .* \([0-9]*\) methods instrumented$/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'
}
