#!/bin/bash
# Versions of builds: no two differ in what they are and not in their version, and equal trees have equal versions.
NEEDS_DOTNET=no
. "$(dirname "$0")/lib.sh"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b GIT_CONFIG_GLOBAL=/dev/null
unset VERSION_SUFFIX

suffix() {
    "$1/packaging/version.sh"
}
commit() {
    git -C "$1" add -A && git -C "$1" commit -q --allow-empty -m "$2"
}
mkdir -p tree/packaging tree/tests
cp "$top/packaging/version.sh" tree/packaging/
echo 'VERSION := 0.0.9' >tree/Makefile
cp -r tree plain
git init -q tree
commit tree first
same "the commit that sets the version" -dev.0 "$(suffix tree)"
commit tree second
echo code >tree/code.c
commit tree third
same "each later commit counts" -dev.2 "$(suffix tree)"
echo test >tree/tests/test.c
same "a test is in no package" -dev.2 "$(suffix tree)"
echo other >>tree/code.c
changed=$(suffix tree)
check "a change that is not committed has a version of its own" grep -Eqx -e '-dev\.2\.h[0-9a-f]{12}' <<<"$changed"
same "always the same" "$changed" "$(suffix tree)"
echo more >>tree/code.c
check "another change another" test "$(suffix tree)" != "$changed"
echo new >tree/new.c
check "as has a new file" test "$(suffix tree)" != "$changed"
rm tree/new.c
git -C tree stash -q
for file in room/new.c room/.x.h room/.x/y.c; do
    mkdir -p "tree/${file%/*}"
    echo new >"tree/$file"
    echo "$file" >tree/.git/info/exclude
    new=$(suffix tree)
    check "a source that git ignores is compiled: $file" grep -Eqx -e '-dev\.2\.h[0-9a-f]{12}' <<<"$new"
    echo newer >"tree/$file"
    check "and so is a change of it: $file" test "$(suffix tree)" != "$new"
    rm -r tree/room tree/.git/info/exclude
done
echo new >tree/new.md
new=$(suffix tree)
git -C tree config status.showUntrackedFiles no
same "what the user wants to see does not matter" "$new" "$(suffix tree)"
git -C tree config --unset status.showUntrackedFiles
rm tree/new.md
git -C tree stash pop -q
echo new >tree/new.c
commit tree fourth
same "once it is committed, it counts" -dev.3 "$(suffix tree)"
sed -i 's/0.0.9/0.1.0/' tree/Makefile
commit tree 0.1.0
same "a new version begins anew" -dev.0 "$(suffix tree)"
commit tree sixth

same "a whole clone counts alike" -dev.1 "$(git clone -q tree whole && suffix whole)"
git clone -q --depth 1 "file://$temp/tree" shallow
check "one that is cut off cannot count" grep -Eqx -e '-dev\.h[0-9a-f]{12}' <<<"$(suffix shallow)"
mkdir -p "tree/build/it's deep"
git -C tree archive HEAD | tar -xC "tree/build/it's deep"
same "nor can a source tree, which has its version wherever it lies" "$(suffix shallow)" "$(suffix "tree/build/it's deep")"
same "nor does it have the time of another's commit" 0 "$("tree/build/it's deep/packaging/version.sh" date)"
same "a checkout has that of its own" "$(git -C tree log -1 --format=%ct)" "$(tree/packaging/version.sh date)"
check "another tree another" test "$(suffix plain)" != "$(suffix shallow)"

# --- the Makefile ----------------------------------------------------------------------------------------------------
same "a release has no more than its version" "$(sed -n 's/^VERSION := //p' "$top/Makefile")" "$(make -s -C "$top" version VERSION_SUFFIX=)"
check "all other builds have a valid version" grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+-dev(\.(0|[1-9][0-9]*|h[0-9a-f]{12})){1,2}' <<<"$(make -s -C "$top" version)"
if command -v dpkg >/dev/null; then
    check "for Debian it comes before the release" dpkg --compare-versions 0.1.0~dev.12 lt 0.1.0
    check "and behind the build before it" dpkg --compare-versions 0.1.0~dev.9.h12 lt 0.1.0~dev.12
fi
make -C "$top" -n VERSION_SUFFIX=-dev.another all >make.out 2>&1
same "a new version compiles one file" "base/version.c" "$(grep -o ' -c [^ ]*' make.out | sed 's/ -c //' | paste -sd' ')"
finish
