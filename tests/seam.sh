#!/bin/bash
# `make check-seam`: every file outside of system/ compiles for another operating system, Windows, with MinGW: what it needs
# of the system it has from headers that know none. Nothing is linked: no such system/ is there yet.
cd "$(dirname "$0")/.." || exit 2
CC=${SEAM_CC:-x86_64-w64-mingw32-gcc}
if ! command -v "$CC" >/dev/null; then
    echo "seam: $CC is needed: ./setup --dist installs it" >&2
    exit 2
fi
temp=$(mktemp -d) || exit 2
trap 'rm -rf "$temp"' EXIT

# The libraries' headers are the same everywhere. Those of libxml2 name two more, of which nothing is used here.
mkdir -p "$temp/include/unicode"
for package in sqlite3 jansson; do
    for folder in $(pkg-config --variable=includedir $package) "/usr/include/$(gcc -print-multiarch)"; do
        cp "$folder/$package"*.h "$temp/include/" 2>/dev/null
    done
done
echo 'typedef void *iconv_t;' >"$temp/include/iconv.h"
printf 'typedef struct UConverter UConverter;\ntypedef unsigned short UChar;\n' >"$temp/include/unicode/ucnv.h"
read -r -a libxml2 <<<"$(pkg-config --cflags libxml-2.0)"

compile() {
    "$CC" -std=c17 -D_GNU_SOURCE '-DILCOV_VERSION="0"' -I. "${libxml2[@]}" -idirafter "$temp/include" -include tests/seam.h \
        -fsyntax-only -Wall -Wno-format -Werror "$1"
}

passed=0 failed=0
while read -r file; do
    if compile "$file" 2>"$temp/said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not ok - $file"
        grep -E 'error|warning' "$temp/said" | sed 's/^/#   /' | head -5
    fi
done < <(find base contract metadata scope rewriter profiler coverage impact reporters cli -name '*.c' | sort)
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -ne 0 ]
