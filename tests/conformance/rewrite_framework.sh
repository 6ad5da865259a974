#!/bin/sh
# rewrite_framework.sh - the properties of the rewriter (tests/support/check_rewrite.h), proven over every body of every
# third assembly of the shared frameworks and the compilers, of System.Private.CoreLib and of what is built of fixtures/, in every
# mode; with --all of the whole .NET installation and of the packages that builds here have used (but for the .NET Framework's
# reference assemblies, whose bodies are bytes of 0). Not one may be declined. Wrong and declined methods are named; the last line is
# `1 passed, 0 failed`.
cd "$(dirname "$0")/../.." || exit 2
dotnet=$(dirname "$(readlink -f "$(command -v dotnet)")")
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT

# Of fixtures/ what has its PDB beside it: the rest of a build is copies of packages and of the runtime.
assemblies() {
    if [ "$1" = --all ]; then
        find "$dotnet" "${NUGET_PACKAGES:-$HOME/.nuget/packages}" /opt/nuget/packages -name '*.dll' 2>/dev/null |
            grep -v /microsoft.netframework.referenceassemblies
    else
        find "$dotnet"/shared "$dotnet"/sdk/*/Roslyn/bincore "$dotnet"/sdk/*/FSharp -name '*.dll' | sort |
            awk 'NR % 3 == 1 || /\/System.Private.CoreLib.dll$/'
    fi
    find build/e2e build/demo -path '*/bin/*' -name '*.pdb' 2>/dev/null | while read -r pdb; do
        [ ! -e "${pdb%.pdb}.dll" ] || echo "${pdb%.pdb}.dll"
    done
}

assemblies "${1:-}" | sort | tr '\n' '\0' | xargs -0 build/rewrite_all --verbose >"$log"
status=$?
cat "$log"
if [ $status -eq 0 ] && grep -q '^rewrite_all: ' "$log" &&
    ! grep '^rewrite_all: ' "$log" | grep -qv ', 0 declined, 0 wrong$'; then
    echo '1 passed, 0 failed'
else
    echo '0 passed, 1 failed'
    exit 1
fi
