#!/bin/bash
# fetch.sh - downloads the libraries that packaging/pinned names from Debian, whatever this machine has installed, and checks
# them.
#
#   fetch.sh FOLDER
#
# FOLDER gets x64/ and arm64/, each with the archives and headers of that processor below usr/, and libxml2/, a source tree.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/apt.sh"
mkdir -p "$1"
out=$(cd "$1" && pwd)

die() {
    printf 'fetch.sh: %s\n' "$*" >&2
    exit 3
}

# is_pinned FILE SHA256
is_pinned() {
    [ -f "$1" ] && [ "$(sha256sum <"$1")" = "$2  -" ]
}

download() { # SHA256 PROCESSOR PACKAGE VERSION FILE
    is_pinned "$out/files/$5" "$1" && return
    [ -n "${APT_CONFIG-}" ] || use_apt "$out/apt" || die "the lists of Debian packages cannot be read"
    case $2 in
    source) (cd "$out/files" && apt-get -qq source --download-only "$3=$4") ;;
    x64) (cd "$out/files" && apt-get -qq download "$3:amd64=$4") ;;
    arm64) (cd "$out/files" && apt-get -qq download "$3:arm64=$4") ;;
    esac || die "Debian no longer has $3 $4: name its successor in packaging/pinned"
    is_pinned "$out/files/$5" "$1" || die "$5 does not have the SHA-256 that packaging/pinned names"
}

unpack() { # PROCESSOR PACKAGE FILE
    case $1 in
    source)
        rm -rf "${out:?}/$2"
        (cd "$out" && dpkg-source --no-check -x "files/$3" "$2" >/dev/null)
        ;;
    *) dpkg-deb -x "$out/files/$3" "$out/$1" ;;
    esac
}

mkdir -p "$out/files" "$out/x64" "$out/arm64"
while read -r sha processor package version file; do
    download "$sha" "$processor" "$package" "$version" "$file"
    [ -e "$out/done/$file" ] && continue
    unpack "$processor" "$package" "$file"
    mkdir -p "$out/done"
    touch "$out/done/$file"
done < <(sed '/^#/d' "$here/pinned")
