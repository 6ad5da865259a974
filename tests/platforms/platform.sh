# platform.sh - what the checks of other platforms share. A script sources this, says how programs run there, and calls
# `check_platform`. What runs is what `make dist` built, and programs that .NET publishes for the platform with their runtime.
#
#   platform     the runtime identifier, such as linux-arm64
#   runner=(...) what runs an ELF program of that platform; empty if the machine itself does
#   unlike=(...) unit tests of what an emulator does not do as the machine does
#   settings=(NAME=VALUE...) what the .NET program needs in its environment
#
# Each count is held against the sources' own account (// cov: ...), and each line of the language fixture against linux-x64.
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
. "$top/tests/e2e/visits.sh"

version=$(make -s --no-print-directory -C "$top" version)
export DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 DOTNET_SYSTEM_GLOBALIZATION_PREDEFINED_CULTURES_ONLY=0

# published FIXTURE PLATFORM CONFIGURATION: sets `program`; false if it can't be published.
published() {
    local folder=$top/build/platforms/$2/$1-$3
    program=$folder/$1
    [ -x "$program" ] && [ -z "$(find "$top/fixtures/$1" -name '*.cs' -newer "$program" | head -1)" ] && return
    building dotnet publish "$top/fixtures/$1" --configuration "$3" --runtime "$2" --self-contained true --nologo \
        --artifacts-path "$top/build/platforms/$2/artifacts" --output "$folder" >"$temp/publish.log" 2>&1 && return
    not_ok "$1 is published for $2" "$temp/publish.log"
    return 1
}

# unpacked PROCESSOR: sets `ilcov` to the program of the distribution.
unpacked() {
    local tarball=$top/build/dist/ilcov-$version-linux-$1.tar.gz
    if [ ! -f "$tarball" ]; then
        not_ok "there is $tarball: make dist"
        finish
    fi
    tar -C "$temp" -xzf "$tarball"
    ilcov=$temp/ilcov-$version-linux-$1/bin/ilcov
}

# lines REPORT: each line with its hits and conditions
lines() {
    grep '<line ' "$1"
}

# The library of the unit tests, for the compiler "$@": it is a single file.
cmocka_for() {
    local folder=$top/build/platforms/$platform/cmocka source=$top/build/platforms/cmocka
    if [ ! -d "$source/src" ]; then
        mkdir -p "$source"
        (
            . "$top/packaging/apt.sh"
            use_apt "$source/apt" && cd "$source" && apt-get -qq source --download-only cmocka &&
                dpkg-source --no-check -x cmocka*.dsc src
        ) >"$temp/cmocka.log" 2>&1
    fi
    mkdir -p "$folder"
    "$@" -O1 -w -D_GNU_SOURCE -DHAVE_SIGNAL_H -DHAVE_STRUCT_TIMESPEC -DHAVE_CLOCK_GETTIME -DHAVE_MALLOC_H -DHAVE_INTTYPES_H \
        -DHAVE_STDINT_H -DHAVE_STRINGS_H -DHAVE_UNISTD_H -DHAVE_GCC_THREAD_LOCAL_STORAGE -I"$source/src/include" \
        -c "$source/src/src/cmocka.c" -o "$folder/cmocka.o" 2>>"$temp/cmocka.log" && ar rcs "$folder/libcmocka.a" "$folder/cmocka.o"
}

# unit_verdict STATUS WHAT OUTPUT: of one file; properties in `unlike` are those that the platform's emulator lacks.
unit_verdict() {
    local wrong known
    wrong=$(sed -n 's/^\[  FAILED  \] \([a-z_0-9]*\)$/\1/p' "$3" | sort -u | grep -vxF -f <(printf '%s\n' "${unlike[@]}"))
    known=$(sed -n 's/^\[  FAILED  \] \([a-z_0-9]*\)$/\1/p' "$3" | sort -u | grep -xF -f <(printf '%s\n' "${unlike[@]}") | paste -sd ' ')
    if [ -n "$wrong" ] || { [ "$1" != 0 ] && [ -z "$known" ]; }; then
        grep -E '^\[  FAILED|^\[   LINE|: error|!=' "$3" | head -10 >"$3.failed"
        not_ok "$2" "$3.failed"
    else
        ok "$2"
        [ -z "$known" ] || skip "$2: $known" "the emulator differs"
    fi
}

# unit_tests COMPILER PASSED_TO_MAKE...: the unit tests, built with that compiler, run on the platform file by file
unit_tests() {
    local folder=build/platforms/$platform compiler=$1 test said dll
    shift
    if ! cmocka_for "$compiler"; then
        not_ok "$platform, unit tests: cmocka is compiled" "$temp/cmocka.log"
        return
    fi
    # paths are relative: make takes none with a space
    building make -s -C "$top" -j"$(nproc)" BUILD="$folder/unit" CC="$compiler -I$folder/../cmocka/src/include -L$folder/cmocka" \
        PACKAGES= test_linker= "$@" "$folder/unit/unit" >"$temp/units.log" 2>&1
    check "$platform, unit tests: they are compiled" test $? -eq 0
    dll=$(find "$(dirname "$(readlink -f "$(command -v dotnet)")")/shared/Microsoft.NETCore.App" -name System.Collections.dll | tail -1)
    for test in $("${runner[@]}" "$top/$folder/unit/unit" --list | sed 's|/[^/]*$||' | uniq); do
        said=$temp/${test##*/}.said
        (cd "$top" && limited env "${settings[@]}" ILCOV_TEST_DLL="$dll" "${runner[@]}" "$folder/unit/unit" "$test") >"$said" 2>&1
        unit_verdict $? "$platform, ${test##*/}" "$said"
    done
}

# counted FIXTURE CONFIGURATION MODE: measured on the platform, held against the sources
counted() {
    local fixture=$1 configuration=$2 mode=$3 options=()
    local what="$platform, $fixture, $configuration, $mode"
    [ "$mode" != hit ] || options=(--hit-only)
    published "$fixture" "$platform" "$configuration" || return
    limited "${runner[@]}" "$ilcov" run --quiet --mode "$mode" --root "$top/fixtures/$fixture" --data there.ilcov \
        -f cobertura=there.xml -- env "${settings[@]}" "${runner[@]}" "$program" >out 2>err
    same "$what: exit status" 0 $?
    same "$what: nothing was lost" '' "$(cat err)"
    expected "$what: every line as written" there.xml "$top/fixtures/$fixture" --configuration "$configuration" \
        "${options[@]}"
}

# as_on_x64 CONFIGURATION MODE: after counted, the same fixture here
as_on_x64() {
    published language linux-x64 "$1" || return
    limited "$ILCOV" run --quiet --mode "$2" --root "$top/fixtures/language" --data here.ilcov -f cobertura=here.xml \
        -- "$program" >out 2>err
    check "$platform, language, $1, $2: line for line what linux-x64 has" diff <(lines here.xml) <(lines there.xml)
    check "$platform, language, $1, $2: that is not nothing" test "$(grep -c 'hits="[1-9]' there.xml)" -gt 1000
}

# visited CONFIGURATION: a program that runs already is attached to, its stacks are shown, a snapshot is taken
visited() {
    local fixture=$top/fixtures/attach configuration=$1 own=$ILCOV
    local what="$platform, $1, attach" attach_options=(--root "$fixture")
    published attach "$platform" "$configuration" || return
    printf '#!/bin/sh\nexec %s "$@"\n' "$(printf "'%s' " "${runner[@]}" "$ilcov")" >there
    chmod +x there
    ILCOV=$temp/there sessions=$temp/sessions
    mkdir -p "$sessions"
    start app env "${settings[@]}" "${runner[@]}" "$program"
    check "$what: the program is ready" ready
    check "$what: it works before anybody comes" tell work
    limited "$ILCOV" stacks "$pid" >stacks.out 2>stacks.err
    same "$what: stacks: status" 0 $?
    check "$what: stacks have names, files and lines" grep -q 'at Program.Main() in .*/Program.cs:line 19$' stacks.out
    attach first
    check "$what: attached" grep -q counting first.said
    check "$what: it works on" eval 'for _ in 1 2 3; do tell work && tell later && tell contexts || exit; done'
    limited "$ILCOV" snapshot --data snapshot.ilcov --root "$fixture" "$session" >snapshot.out 2>&1
    same "$what: snapshot: status" 0 $?
    leave
    same "$what: Ctrl-C: status" 0 "$status"
    expected "$what: every line as written" first.xml "$fixture" --configuration "$configuration"
    check "$what: the snapshot has the same" limited "$own" report -q --root "$fixture" -f cobertura=snapshot.xml snapshot.ilcov
    expected "$what: the snapshot, every line as written" snapshot.xml "$fixture" --configuration "$configuration"
    exec {input}>&-
    wait "$pid"
    same "$what: the program ends as it does" 0 $?
    ILCOV=$own
}

# on_large_pages COMPILER: counts of eight threads where the library finds pages of 16 and 64 KiB
on_large_pages() {
    local kib settings_only=("${settings[@]}")
    for kib in 16 64; do
        if ! "$1" -std=c17 -D_GNU_SOURCE -DLARGE_PAGE_KIB=$kib -O2 -fPIC -shared "$top/tests/support/large_pages.c" \
            -o "$temp/large$kib.so" 2>"$temp/large.log"; then
            not_ok "$platform: pages of $kib KiB" "$temp/large.log"
            continue
        fi
        published threads "$platform" Release || continue
        settings=("${settings_only[@]}" LD_PRELOAD="$temp/large$kib.so")
        limited "${runner[@]}" "$ilcov" run --quiet --keep-session --root "$top/fixtures/threads" --data there.ilcov \
            -f cobertura=there.xml -- env "${settings[@]}" "${runner[@]}" "$program" >out 2>err
        same "$platform, pages of $kib KiB: exit status" 0 $?
        session=$(sed -n 's/^ilcov: the session is kept in //p' err)
        same "$platform, pages of $kib KiB: a shard is at least one page" 0 \
            $(($(od -An -j32 -N8 -t u8 "$(find "$session" -name '*.counts' | head -n 1)") % (kib * 1024)))
        rm -rf "$session"
        expected "$platform, pages of $kib KiB: every line as written" there.xml "$top/fixtures/threads" --configuration Release
    done
    settings=("${settings_only[@]}")
}

# tested CONFIGURATION: an executable of xunit v3 in three modes, line for line as on linux-x64
tested() {
    local here there mode where folder
    for where in linux-x64 "$platform"; do
        folder=$top/build/platforms/$where/WithXunit-$1
        building dotnet publish "$top/fixtures/suites/tests/WithXunit" --configuration "$1" --runtime "$where" --self-contained true \
            --nologo --artifacts-path "$top/build/platforms/$where/artifacts" --output "$folder" >"$temp/publish.log" 2>&1
        if [ ! -x "$folder/WithXunit" ]; then
            not_ok "xunit v3 is published for $where" "$temp/publish.log"
            return
        fi
    done
    here=$top/build/platforms/linux-x64/WithXunit-$1/WithXunit there=$folder/WithXunit
    for mode in count hit exact; do
        limited "$ILCOV" run --quiet --mode $mode --root "$top/fixtures/suites" --data here.ilcov -f cobertura=here.xml \
            -- "$here" >out 2>err
        limited "${runner[@]}" "$ilcov" run --quiet --mode $mode --root "$top/fixtures/suites" --data there.ilcov \
            -f cobertura=there.xml -- env "${settings[@]}" "${runner[@]}" "$there" >out 2>err
        same "$platform, xunit v3, $1, $mode: exit status" 0 $?
        same "$platform, xunit v3, $1, $mode: nothing was lost" '' "$(cat err)"
        check "$platform, xunit v3, $1, $mode: line for line what linux-x64 has" diff <(lines here.xml) <(lines there.xml)
        check "$platform, xunit v3, $1, $mode: that is not nothing" grep -q 'hits="[1-9]' there.xml
    done
}

check_platform() {
    local configuration mode
    same "$platform: the program starts" "ilcov $version" "$("${runner[@]}" "$ilcov" --version)"
    for configuration in Debug Release; do
        for mode in count hit exact; do
            counted language "$configuration" "$mode"
            as_on_x64 "$configuration" "$mode"
        done
        for mode in count exact; do
            counted threads "$configuration" "$mode"
        done
        if [ "$platform" = linux-musl-x64 ]; then
            skip "$platform, xunit v3, $configuration" "it needs OpenSSL, and none for musl is at hand"
        else
            tested "$configuration"
        fi
    done
}
