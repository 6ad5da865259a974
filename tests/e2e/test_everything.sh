#!/bin/bash
# A small part of tests/campaign/rewritten.sh: a compiler with all its assemblies rewritten, the framework's too, makes the same
# bytes as without.
. "$(dirname "$0")/lib.sh"
. "$top/tests/campaign/compilers.sh"

if ! long; then # what is rewritten is proven in rewrite-framework, and what runs in the tests of fixtures
    skip "compilers with all assemblies rewritten" "ILCOV_LONG is not set"
    finish
fi

made "${csc[@]}"
expected=$(sums out/Toolbox.dll out/Toolbox.pdb)
# What the JIT calls before each probe of this mode is managed code of System.Private.CoreLib; it does something when
# another thread wants a collection.
DOTNET_GCgen0size=100000 compiles 'csc, all assemblies, exact, a collection each MiB' "$expected" Toolbox \
    --mode exact -i '[*]*' -- "${csc[@]}"
check "csc: $instrumented methods instrumented" [ "$instrumented" -gt 100000 ]

# Its assemblies refer to netstandard, which does not know the type that exact probes name: as does a library of test_scope.sh.
if long; then
    made "${fsc[@]}"
    expected=$(sums out/Shapes.dll out/Shapes.pdb)
    compiles 'fsc, its own assemblies, exact' "$expected" Shapes --mode exact -i '[F*]*' -- "${fsc[@]}"
fi
finish
