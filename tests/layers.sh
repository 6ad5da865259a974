#!/bin/sh
# layers.sh - do the includes keep to the arrows of ARCHITECTURE.md? Prints each that does not.
cd "$(dirname "$0")/.." || exit 2

# folder: the folders whose headers it may include, besides its own
allowed() {
    case $1 in
    base) echo "" ;;
    metadata) echo "base" ;;
    rewriter) echo "metadata base" ;;
    profiler) echo "rewriter metadata base" ;;
    coverage) echo "rewriter metadata base profiler/counters.h profiler/protocol.h" ;;
    reporters) echo "coverage base" ;;
    cli) echo "reporters coverage rewriter metadata base profiler/counters.h profiler/protocol.h" ;;
    esac
}

bad=0
for folder in base metadata rewriter profiler coverage reporters cli; do
    for include in $(grep -ho '^#include "[^"]*"' $folder/*.c $folder/*.h | cut -d'"' -f2 | sort -u); do
        ok=no
        for place in $folder $(allowed $folder); do
            case $include in
            "$place"/* | "$place") ok=yes ;;
            esac
        done
        if [ $ok = no ]; then
            bad=1
            echo "$folder must not include $include:"
            grep -ln "#include \"$include\"" $folder/*.c $folder/*.h | sed 's/^/    /'
        fi
    done
done
exit $bad
