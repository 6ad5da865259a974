#!/bin/bash
# `make check-glibc`: what `make dist` built, in a root directory with nothing but an old glibc (2.31), libstdc++ and a .NET
# program; and in one with nothing at all. Only root may change its root directory.
. "$(dirname "$0")/platform.sh"

if [ "$(id -u)" != 0 ]; then
    skip "glibc 2.31" "only root may"
    finish
fi
# Not below $temp, where other checks look at all files: it has a /proc.
root=$(mktemp -d "${TMPDIR:-/tmp}/ilcov-root.XXXXXX") || exit 2
rmdir "$root"
cp -r "$("$top/packaging/root.sh" x64 bullseye)" "$root"
mkdir -p "$root/dev/shm" "$root/proc" "$root/tmp" "$root/app" "$root$top"
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/urandom" c 1 9
# A mount of its own, so that it can be made read-only.
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mounted=("$root/proc" "$root")
unmount() {
    local place
    for place in "${mounted[@]}"; do
        umount "$place" || return
    done
    rm -rf "$root"
}
trap 'unmount; clean_up' EXIT
cp -r "$top/fixtures" "$root$top/"
unpacked x64
cp -r "${ilcov%/bin/ilcov}" "$root/ilcov"

same "glibc 2.31: the program starts" "ilcov $version" "$(chroot "$root" /ilcov/bin/ilcov --version)"
check "glibc 2.31: doctor" chroot "$root" /ilcov/bin/ilcov doctor
platform="glibc 2.31"
for configuration in Debug Release; do
    published language linux-x64 "$configuration" || continue
    rm -rf "$root/app"
    cp -r "${program%/*}" "$root/app"
    limited chroot "$root" /ilcov/bin/ilcov run --quiet --root "$top/fixtures/language" --data /tmp/there.ilcov \
        -f cobertura=/tmp/there.xml --session-dir /tmp -- /app/language >out 2>err
    same "glibc 2.31, $configuration: exit status" 0 $?
    same "glibc 2.31, $configuration: nothing was lost" '' "$(cat err)"
    cp "$root/tmp/there.xml" there.xml
    expected "glibc 2.31, $configuration: every line as written" there.xml "$top/fixtures/language" \
        --configuration "$configuration"
    as_on_x64 "$configuration" count
done

# What a container is: 64 MiB of /dev/shm, a root directory that is read-only, a user who is not root, a folder of its own for
# counters (a volume), which another container collects.
mkdir "$root/counters" "$root/out"
chown 65534:65534 "$root/counters" "$root/out"
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=700,uid=65534,gid=65534 tmpfs "$root/counters"
mount -t tmpfs -o mode=700,uid=65534,gid=65534 tmpfs "$root/out"
mount -o remount,ro,bind "$root"
mounted=("$root/out" "$root/counters" "$root/tmp" "$root/dev/shm" "${mounted[@]}")
contained() {
    limited chroot --userspec=65534:65534 "$root" "$@"
}
check "a container: its root is read-only" bash -c '! touch "$1/x" 2>/dev/null' - "$root"
contained /ilcov/bin/ilcov run --quiet --root "$top/fixtures/language" --data /out/run.ilcov -f cobertura=/out/x.xml \
    -- /app/language >out 2>err
same "a container: exit status" 0 $?
same "a container: nothing was lost" '' "$(cat err)"
check "a container: line for line what linux-x64 has" diff <(lines here.xml) <(lines "$root/out/x.xml")
contained /ilcov/bin/ilcov env --shell github --session-dir /counters >variables 2>err
mapfile -t variables <variables
env "${variables[@]}" timeout "$LIMIT" chroot --userspec=65534:65534 "$root" /app/language >out 2>err
same "a service in a container: exit status" 0 $?
session=$(sed -n 's/^ILCOV_SESSION=//p' variables)
contained /ilcov/bin/ilcov collect --quiet --remove --root "$top/fixtures/language" --data /out/service.ilcov \
    -f cobertura=/out/service.xml "$session" >out 2>err
same "a service in a container: collected by another" 0 $?
check "a service in a container: line for line" diff <(lines here.xml) <(lines "$root/out/service.xml")
same "a service in a container: nothing is left of its counters" '' "$(ls -A "$root/counters")"

# Nothing but the program, its library and a data file.
mkdir -p "$temp/empty/tmp"
cp -r "${ilcov%/bin/ilcov}" "$temp/empty/ilcov"
cp here.ilcov "$temp/empty/run.ilcov"
same "an empty root: the program starts" "ilcov $version" "$(chroot "$temp/empty" /ilcov/bin/ilcov --version)"
check "an empty root: report" chroot "$temp/empty" /ilcov/bin/ilcov report -f cobertura=/x.xml -f html=/pages run.ilcov
check "an empty root: the report is that of the machine" diff <(lines here.xml) <(lines "$temp/empty/x.xml")
chroot "$temp/empty" /ilcov/bin/ilcov doctor >doctor 2>&1
check "an empty root: doctor says what is missing" grep -q '^warning  runtime: none found' doctor
finish
