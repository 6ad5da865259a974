#!/bin/bash
# root.sh - unpacks the C and C++ libraries and OpenSSL of a Debian release into a folder, for programs of another processor or another glibc;
# prints the folder.
#
#   root.sh x64|arm64 SUITE
set -eu
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$top/packaging/apt.sh"
processor=$1 suite=$2
root=$top/build/dist/roots/$processor-$suite
architecture=$processor ssl=libssl3
[ "$suite" != bullseye ] || ssl=libssl1.1
[ "$processor" = arm64 ] || architecture=amd64

if [ ! -e "$root.done" ]; then
    rm -rf "$root" "$root.files"
    mkdir -p "$root" "$root.files"
    use_apt "$root.apt" "$suite" >&2
    cd "$root.files"
    for package in libc6 libstdc++6 libgcc-s1 zlib1g $ssl; do
        apt-get -qq download "$package:$architecture" >&2
    done
    for file in *.deb; do
        dpkg-deb -x "$file" "$root"
    done
    touch "$root.done"
fi
echo "$root"
