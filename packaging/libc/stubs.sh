#!/bin/bash
# stubs.sh - makes the libraries that libilcov.so is linked with for distribution: they have the names, the symbols and the
# versions of glibc 2.17's, and nothing in them. A symbol that packaging/libc/symbols lacks does not link.
#
#   stubs.sh PROCESSOR COMPILER FOLDER
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
processor=$1 compiler=$2 out=$3
variables=" __progname program_invocation_short_name "

# source LIBRARY: definitions of its symbols
source_of() {
    local library symbol
    while read -r library _ symbol; do
        [ "$library" = "$1" ] || continue
        case $variables in
        *" $symbol "*) echo "void *$symbol;" ;;
        *) echo "void $symbol(void) {}" ;;
        esac
    done < <(sed '/^#/d' "$here/symbols")
}

# versions LIBRARY: the linker's version script
versions() {
    if [ "$processor" = arm64 ]; then
        echo 'GLIBC_2.17 {'
        sed -n "s/^$1 [^ ]* \(.*\)/    \1;/p" "$here/symbols"
        echo '};'
        return
    fi
    sed -n "s/^$1 \([^ ]*\) .*/\1/p" "$here/symbols" | sort -uV | while read -r version; do
        echo "$version {"
        sed -n "s/^$1 ${version//./\\.} \(.*\)/    \1;/p" "$here/symbols"
        echo '};'
    done
}

mkdir -p "$out"
for library in $(sed '/^#/d; s/ .*//' "$here/symbols" | sort -u); do
    source_of "$library" >"$out/$library.c"
    versions "$library" >"$out/$library.map"
    "$compiler" -w -fno-builtin -shared -nostdlib -Wl,--version-script="$out/$library.map",-soname,"$library" \
        -o "$out/$library" "$out/$library.c"
done
