#!/bin/bash
# dist.sh - `make dist`: for each processor a tarball that needs nothing of the machine it is unpacked on, and its SBOM. Equal
# sources and compilers give equal bytes, wherever the tree lies. docs/building.md tells what is in them, and why.
#
#   dist.sh VERSION [PROCESSOR...]      x64 and arm64 by default; into build/dist
set -eu
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"
version=$1
shift
# Paths are relative: make and configure take none with a space, and none of this machine gets into what is built.
dist=build/dist
libraries=$dist/libraries
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(packaging/version.sh date)}"
export VERSION_SUFFIX="${version#"$(sed -n 's/^VERSION := //p' Makefile)"}"
umask 022

# Sets what follows from the processor.
choose() {
    processor=$1
    case $processor in
    x64) compiler=gcc triplet=x86_64-linux-gnu host=() flags= ;;
    # Its atomics would ask glibc by a name that musl lacks which instructions the processor has.
    arm64)
        compiler=aarch64-linux-gnu-gcc triplet=aarch64-linux-gnu host=(--host=aarch64-linux-gnu)
        flags=-mno-outline-atomics
        ;;
    *)
        echo "dist.sh: unknown processor $processor: expected x64 or arm64" >&2
        exit 2
        ;;
    esac
    command -v "$compiler" >/dev/null || {
        echo "dist.sh: no $compiler: './setup --dist' installs what is missing" >&2
        exit 3
    }
    work=$dist/$processor
}

# What ilcov needs of libxml2, without ICU, compression, or anything that opens a connection or loads code.
build_libxml2() {
    local without
    [ -e "$work/libxml2/.libs/libxml2.a" ] && return
    mkdir -p "$work/libxml2"
    cd "$work/libxml2"
    without=(icu lzma zlib iconv http ftp python modules catalog debug docbook html legacy schematron c14n xinclude xptr sax1)
    ../../libraries/libxml2/configure "${host[@]}" --quiet --disable-shared --enable-static "${without[@]/#/--without-}" \
        CFLAGS="-O2 -ffunction-sections" >configure.out
    make -s -j"$(nproc)" AUTOMAKE=: ACLOCAL=: AUTOCONF=: AUTOHEADER=: libxml2.la >make.out 2>&1 || {
        tail -20 make.out >&2
        exit 1
    }
    cd "$top"
}

# The library runs in programs that bring another C library: that of any Linux since 2013, or musl.
build_library() {
    local stubs=$work/stubs out=$work/library
    packaging/libc/stubs.sh "$processor" "$compiler" "$stubs"
    mkdir -p "$out"
    $compiler -std=c17 -D_GNU_SOURCE -O2 -fPIC -fvisibility=hidden $flags -c packaging/libc/old_libc.c -o "$out/old_libc.o"
    make -s -j"$(nproc)" BUILD="$out" CC=$compiler PACKAGES= pkg_cflags= pkg_libs= OPTIMISE="-O2 $flags" \
        HARDEN='-fvisibility=hidden -U_FORTIFY_SOURCE -fno-stack-protector' LDFLAGS='-nostdlib -Wl,-s' \
        library_libs="$out/old_libc.o $stubs/libc.so.6 $stubs/libpthread.so.0 $stubs/libdl.so.2" "$out/libilcov.so"
}

# The program brings everything.
build_program() {
    local usr=$libraries/$processor/usr
    make -s -j"$(nproc)" BUILD="$work/program" CC=$compiler PACKAGES= \
        pkg_cflags="-I$work/libxml2/include -I$libraries/libxml2/include -I$usr/include -I$usr/include/$triplet" \
        pkg_libs="$work/libxml2/.libs/libxml2.a -L$usr/lib/$triplet -lsqlite3 -lgcrypt -lgpg-error -ljansson -lz -lm" \
        OPTIMISE="-O2 -ffunction-sections -fdata-sections" LDFLAGS='-static -pthread -Wl,--gc-sections,-s' \
        "$work/program/ilcov"
}

# The layout of `make install`, with what the licences of the libraries ask for.
gather() {
    local name=ilcov-$version-linux-$processor built=$work/built
    rm -rf "$built" "${work:?}"/ilcov-*
    mkdir -p "$built/completion"
    cp "$work/program/ilcov" "$work/library/libilcov.so" "$built"
    for shell in bash zsh fish; do
        build/ilcov completion $shell >"$built/completion/$shell"
    done
    make -s BUILD="$built" DESTDIR="$work/$name" PREFIX= install-files
    packaging/licences.sh "$libraries/$processor" "$libraries/libxml2" "$work/$name/share/doc/ilcov/licences"
    python3 packaging/sbom.py "$version" "$processor" packaging/pinned "$work/$name/lib/ilcov" >"$dist/$name.spdx.json"
    cp "$dist/$name.spdx.json" "$work/$name/share/doc/ilcov/ilcov.spdx.json"
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -cf - "$name" |
        gzip -9 -n >"$dist/$name.tar.gz"
}

mkdir -p "$dist"
find "$dist" -maxdepth 1 -type f ! -name "*[-.]$version[-.]*" -delete # of other versions
packaging/fetch.sh "$libraries"
make -s -j"$(nproc)" build/ilcov
[ $# -gt 0 ] || set -- x64 arm64
for each; do
    choose "$each"
    build_libxml2
    build_library
    build_program
    gather
done
python3 packaging/nuget.py "$version" "$dist"
cd "$dist"
sha256sum ilcov*.tar.gz ilcov*.spdx.json ilcov*.nupkg Ilcov*.nupkg >SHA256SUMS
cat SHA256SUMS
