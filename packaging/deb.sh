#!/bin/bash
# deb.sh - `make deb`: a Debian package of this tree for this machine, in build/deb, looked at by lintian.
#
#   deb.sh VERSION
set -eu
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"
version=$1
export VERSION_SUFFIX="${version#"$(sed -n 's/^VERSION := //p' Makefile)"}"
for tool in dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || {
        echo "deb.sh: no $tool: './setup --dist' installs what is missing" >&2
        exit 3
    }
done
rm -rf build/deb
tree=build/deb/ilcov-$version
mkdir -p "$tree"
git ls-files -z -- . ':!fixtures' ':!tests' ':!bench' | xargs -0 cp --parents -t "$tree"
cp -r packaging/debian "$tree/debian"
date=$(date -R -u -d "@${SOURCE_DATE_EPOCH:-$(packaging/version.sh date)}")
debian=${version/-/'~'} # what begins with ~ comes before the release
cat >"$tree/debian/changelog" <<LOG
ilcov ($debian) unstable; urgency=medium

  * Built from the tree: CHANGELOG.md says what is new.

 -- the ilcov authors <ilcov@users.noreply.example.org>  $date
LOG
(cd "$tree" && dpkg-buildpackage --build=binary --unsigned-changes --unsigned-source >../build.log 2>&1) || {
    tail -30 build/deb/build.log >&2
    exit 1
}
lintian --fail-on error,warning --info build/deb/*.changes
ls build/deb/*.deb
