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
check_platform
skip "linux-arm64, attach, stacks, snapshot" "qemu-user shows the runtime another start time of its process, so its socket is not found"
finish
