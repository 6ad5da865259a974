#!/bin/bash
# `make check-arm64`: what `make dist` built for arm64, under qemu-user, with glibc and libstdc++ as Debian has them for arm64.
# Real weak memory ordering is not proven by it: qemu runs on x64.
LIMIT=${LIMIT:-900}
. "$(dirname "$0")/platform.sh"

qemu=$(command -v qemu-aarch64-static)
if [ -z "$qemu" ]; then
    skip "linux-arm64" "there is no qemu-aarch64-static"
    finish
fi
platform=linux-arm64
runner=("$qemu")
settings=(QEMU_LD_PREFIX="$("$top/packaging/root.sh" arm64 bookworm)")
unpacked arm64
libraries=build/dist/libraries
usr=$libraries/arm64/usr
unit_tests aarch64-linux-gnu-gcc UNIT_WITHOUT="test_html test_diff_html" \
    pkg_cflags="-Ibuild/dist/arm64/libxml2/include -I$libraries/libxml2/include -I$usr/include -I$usr/include/aarch64-linux-gnu" \
    pkg_libs="build/dist/arm64/libxml2/.libs/libxml2.a -L$usr/lib/aarch64-linux-gnu -Wl,-Bstatic -lsqlite3 -lgcrypt -lgpg-error -ljansson -lz -Wl,-Bdynamic -lm"
skip "linux-arm64, test_html, test_diff_html" "they need libxml2's reader of HTML, which the distribution leaves out"
check_platform
skip "linux-arm64, attach, stacks, snapshot" "qemu-user shows the runtime another start time of its process, so its socket is not found"
finish
