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
# qemu-user shows processes with its own maps, files and environment, cannot start itself, and knows neither a limit of the address
# space nor mincore(2); the fake runtime of test_attach has calls of x64 in its code.
unlike=(reserved_place_may_not_be_touched mappings_are_allowed_until_they_are_not address_space_that_is_left_is_below_its_limit
    own_process_is_described process_itself_has_our_files temporary_folder_is_that_of_the_process
    path_leads_through_the_current_folder signal_sent_to_the_program_alone_reaches_the_command
    key_at_the_terminal_reaches_the_command_once ignored_signal_stays_ignored whole_region_is_reserved
    modules_with_one_shard_take_no_window more_than_a_window_has_a_place_of_its_own
    stacks_are_walked_while_the_runtime_is_stopped thread_has_a_name_and_no_signals)
libraries=build/dist/libraries
usr=$libraries/arm64/usr
unit_tests aarch64-linux-gnu-gcc UNIT_WITHOUT="test_html test_diff_html test_memory test_memory_merge test_memory_cli" \
    pkg_cflags="-Ibuild/dist/arm64/libxml2/include -I$libraries/libxml2/include -I$usr/include -I$usr/include/aarch64-linux-gnu" \
    pkg_libs="build/dist/arm64/libxml2/.libs/libxml2.a -L$usr/lib/aarch64-linux-gnu -Wl,-Bstatic -lsqlite3 -lgcrypt -lgpg-error -ljansson -lz -Wl,-Bdynamic -lm"
skip "linux-arm64, test_html, test_diff_html" "they need libxml2's reader of HTML, which the distribution leaves out"
skip "linux-arm64, test_memory, test_memory_merge, test_memory_cli" "linked statically, the libraries run out of memory, too"
on_large_pages aarch64-linux-gnu-gcc
check_platform
skip "linux-arm64, attach, stacks, snapshot" "qemu-user shows the runtime another start time of its process, so its socket is not found"
finish
