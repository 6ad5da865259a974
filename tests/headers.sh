#!/bin/bash
# Every header compiles alone, and beside every other one: it includes what it needs, and no name is given twice.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
all=$(mktemp --suffix=.c) || exit 2
trap 'rm -f "$all"' EXIT
failed=0

# shellcheck disable=SC2046  # what pkg-config prints is several words
compile() {
    "${CC:-gcc}" -std=c17 -D_GNU_SOURCE '-DILCOV_VERSION="0"' -I. -Wall -Wextra -Werror -fsyntax-only \
        $(pkg-config --cflags libxml-2.0 sqlite3 libgcrypt zlib) -x c "$@" || failed=$((failed + 1))
}

mapfile -t headers < <(find . -name '*.h' -not -path './build/*' -not -path './fixtures/*' -printf '%P\n' | LC_ALL=C sort)
compile "${headers[@]}"
printf '#include "%s"\n' "${headers[@]}" >"$all"
compile "$all"
echo "$((2 - failed)) passed, $failed failed"
[ "$failed" = 0 ]
