#!/bin/bash
# licences.sh - the licences of what is linked into the program: the copyright files of Debian's packages, and the texts that
# they refer to.
#
#   licences.sh ROOT LIBXML2 FOLDER
set -eu
root=$1 libxml2=$2 out=$3
mkdir -p "$out"
for file in "$root"/usr/share/doc/*/copyright; do
    package=${file%/copyright}
    cp -L "$file" "$out/${package##*/}"
done
cp "$libxml2/Copyright" "$out/libxml2"
cp /usr/share/doc/libc6-dev/copyright "$out/glibc"
for text in LGPL-2.1 LGPL-3 GPL-2 GPL-3; do
    cp "/usr/share/common-licenses/$text" "$out/$text"
done
chmod 644 "$out"/*
