#!/bin/bash
# Installing: what is put where, that it works from there, and that uninstalling leaves nothing of it.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"

prefix=/opt/tools
installed=$temp/stage$prefix

# make_target TARGET [VARIABLE=VALUE...]: make in the tree, without what an outer make handed down.
make_target() {
    limited env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES make -s -C "$top" "$@"
}
stage() {
    make_target "$1" DESTDIR="$temp/stage" PREFIX="$prefix"
}

# Below the place that it is installed in, another's files are in the same directories.
mkdir -p "$installed/bin" "$installed/share/man/man1"
touch "$installed/bin/another" "$installed/share/man/man1/another.1"
(cd "$temp/stage" && find . ! -type d | sort) >"$temp/before"

umask 077
check "make install" stage install
umask 022

# --- what is where -----------------------------------------------------------------------------------
same "the program runs through its link in bin" "$("$ILCOV" --version)" "$("$installed/bin/ilcov" --version)"
for file in lib/ilcov/libilcov.so share/man/man1/ilcov.1 share/doc/ilcov/LICENSE share/doc/ilcov/NOTICE \
    share/bash-completion/completions/ilcov share/zsh/site-functions/_ilcov share/fish/vendor_completions.d/ilcov.fish; do
    check "$file is installed" test -s "$installed/$file"
done
same "all users may read what is installed" "" "$(find "$installed/lib" "$installed/share" ! -perm -444)"
same "nobody but its owner may write it" "" "$(find "$installed/lib" "$installed/share" ! -type l -perm /022)"
same "no link leads nowhere" "" "$(find "$temp/stage" -xtype l)"

# What the manual names below the prefix.
sed 's/\\-/-/g; s/\\//g' "$installed/share/man/man1/ilcov.1" | grep -oE 'share/[a-z/]*ilcov[a-z./-]*[a-z]' | sort -u >"$temp/named"
check "the manual names the schema of reports" grep -qx 'share/ilcov/report.schema.json' "$temp/named"
while read -r file; do
    check "the manual's $file is installed" test -s "$installed/$file"
done <"$temp/named"

# What the installed pages link to among themselves.
(cd "$installed/share/doc/ilcov" && grep -oHE '\]\([a-z./-]+[)#]' -- *.md ci/*.md | sed 's/[)#]$//; s/:\](/ /') >"$temp/links"
check "pages link to each other" test -s "$temp/links"
check "also to those of CI systems, and back" bash -c 'grep -q " ci/gitlab.md" "$1" && grep -q "^ci/.* \.\./" "$1"' - "$temp/links"
while read -r page link; do
    place=$(realpath -m "/docs/$(dirname "$page")/$link")
    [ "${place#/docs/}" != "$place" ] || continue # to the source tree
    [ -s "$installed/share/doc/ilcov/$(dirname "$page")/$link" ] || not_ok "$page links to $link, which is not installed"
done <"$temp/links"

# --- it works from there -----------------------------------------------------------------------------
limited "$installed/bin/ilcov" run -- true >"$temp/run.out" 2>"$temp/run.err"
page=$(sed -n 's/.*; \(.*\) says what to do$/\1/p' "$temp/run.err")
same "a message names the page as installed" "$(readlink -f "$installed/share/doc/ilcov/troubleshooting.md")" "$page"
limited "$ILCOV" run -- true >"$temp/run.out" 2>"$temp/run.err"
page=$(sed -n 's/.*; \(.*\) says what to do$/\1/p' "$temp/run.err")
check "a message names the page of the source tree otherwise" test -s "$page"

# --- uninstalling ------------------------------------------------------------------------------------
check "make uninstall" stage uninstall
same "uninstalling leaves the files of others, and nothing else" "$(cat "$temp/before")" \
    "$(cd "$temp/stage" && find . ! -type d | sort)"
same "the directories of its own are gone" "" "$(find "$temp/stage" -name ilcov)"

check "make install, once more" stage install
touch "$installed/share/ilcov/notes"
check "make uninstall, with a file of the user's" stage uninstall
check "a file that was not installed stays" test -e "$installed/share/ilcov/notes"

# --- a package is missing ----------------------------------------------------------------------------
if limited env PKG_CONFIG_LIBDIR="$temp/nowhere" PKG_CONFIG_PATH= \
    make -s -C "$top" packages >"$temp/packages.out" 2>"$temp/packages.err"; then
    not_ok "the build fails without libxml2" "$temp/packages.out"
else
    ok "the build fails without libxml2"
fi
grep -v '^make' "$temp/packages.err" >"$temp/packages.said"
one_line_about "and says what is missing" "$temp/packages.said" "libxml-2.0"
check "and how to get it" grep -q '\./setup' "$temp/packages.err"

finish
