#!/bin/bash
# Every header compiles alone, and beside every other one: it includes what it needs, and no name is given twice. A header that its
# own .c file includes first has been compiled alone whenever that file is.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# shellcheck disable=SC2046  # what pkg-config prints is several words
compile() {
    "${CC:-gcc}" -std=c17 -D_GNU_SOURCE -I. -Wall -Wextra -Werror -fsyntax-only \
        $(pkg-config --cflags libxml-2.0 sqlite3 libgcrypt zlib jansson) -x c "$@" || failed=$((failed + 1))
}

mapfile -t headers < <(find . -name '*.h' -not -path './build/*' -not -path './fixtures/*' -printf '%P\n' | LC_ALL=C sort)
mapfile -t alone < <(
    find . -name '*.c' -not -path './build/*' -printf '%P\0' | xargs -0 grep -H -m 1 '^ *#' |
        sed -n 's|^\(.*\)\.c:#include "\(\1\.h\)"$|\2|p' | LC_ALL=C sort | LC_ALL=C comm -23 <(printf '%s\n' "${headers[@]}") -
)
for i in "${!alone[@]}"; do
    printf '#include "%s"\n' "${alone[i]}" >"$work/$i.c"
done
compile "$work"/*.c
printf '#include "%s"\n' "${headers[@]}" >"$work/all.c"
compile "$work/all.c"
echo "$((2 - failed)) passed, $failed failed"
[ "$failed" = 0 ]
