#!/bin/bash
# `make check-musl`: what `make dist` built, in programs with musl as their C library. .NET wants a libstdc++ for it, which
# Debian lacks: it is linked here from the static one.
. "$(dirname "$0")/platform.sh"

if ! command -v musl-gcc >/dev/null; then
    skip "linux-musl-x64" "there is no musl-gcc"
    finish
fi
libraries=$temp/libraries
mkdir "$libraries"
cp "$(gcc -print-file-name=libgcc_s.so.1)" "$libraries"
check "a libstdc++ for musl" musl-gcc -shared -fPIC -O2 -Wl,-soname,libstdc++.so.6 -o "$libraries/libstdc++.so.6" \
    -Wl,--whole-archive "$(gcc -print-file-name=libstdc++.a)" -Wl,--no-whole-archive "$top/tests/platforms/musl_shim.c" \
    "$libraries/libgcc_s.so.1" "$(gcc -print-libgcc-file-name)"
platform=linux-musl-x64
runner=() unlike=()
settings=(LD_LIBRARY_PATH="$libraries")
unpacked x64
unit_tests musl-gcc TARGET_ONLY=1 pkg_cflags= pkg_libs=
on_large_pages musl-gcc
check_platform
for configuration in Debug Release; do
    visited "$configuration"
done
finish
