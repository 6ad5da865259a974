#!/bin/bash
# `make check-dist`: what `make dist` built is complete, made again elsewhere it has the same bytes, and it installs as a .NET tool
# that measures new projects of each test framework as the program of this tree does, as does the package for projects.
LIMIT=${LIMIT:-900}
. "$(dirname "$0")/platform.sh"
. "$top/tests/platforms/projects.sh"
dist=$top/build/dist

# --- files -----------------------------------------------------------------------------------------------------------
check "the checksums are right" bash -c 'cd "$1" && sha256sum --quiet -c SHA256SUMS' - "$dist"
for processor in x64 arm64; do
    tarball=$dist/ilcov-$version-linux-$processor.tar.gz
    tar -C "$temp" -xzf "$tarball"
    tree=$temp/ilcov-$version-linux-$processor
    check "$processor: the program needs no library" \
        bash -c '! readelf -d "$1" | grep -q NEEDED' - "$tree/lib/ilcov/ilcov"
    same "$processor: the library needs the C library alone" "libc.so.6 libdl.so.2 libpthread.so.0" \
        "$(readelf -d "$tree/lib/ilcov/libilcov.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort | paste -sd' ')"
    same "$processor: and no symbol newer than glibc 2.17" "" \
        "$(readelf -V "$tree/lib/ilcov/libilcov.so" | grep -oE 'GLIBC_2\.[0-9]+' | sort -u |
            awk -F. '$2 > 17 { print }' | paste -sd' ')"
    same "$processor: each symbol that it wants is in the closed list" "" \
        "$(comm -13 <(sed '/^#/d; s/.* //' "$top/packaging/libc/symbols" | sort) \
            <(readelf --dyn-syms -W "$tree/lib/ilcov/libilcov.so" | awk '$7 == "UND" && $8 != "" { sub("@.*", "", $8); print $8 }' |
                sort -u) | paste -sd' ')"
    for file in share/man/man1/ilcov.1 share/doc/ilcov/LICENSE share/doc/ilcov/licences/glibc share/ilcov/report.schema.json \
        share/bash-completion/completions/ilcov share/doc/ilcov/ilcov.spdx.json; do
        check "$processor: has $file" test -s "$tree/$file"
    done
    check "$processor: no path of this machine is in it" \
        bash -c '! grep -rlF -e "$1" "$2"' - "$top" "$tree"
    check "$processor: its SBOM is that of its files" python3 - "$tree/share/doc/ilcov/ilcov.spdx.json" "$tree" <<'PY'
import hashlib, json, sys
document = json.load(open(sys.argv[1], encoding="utf-8"))
assert len(document["files"]) == 2 and len(document["packages"]) == 8, document
for file in document["files"]:
    digest = hashlib.sha256(open(sys.argv[2] + "/" + file["fileName"], "rb").read()).hexdigest()
    assert digest in [sum["checksumValue"] for sum in file["checksums"]], file["fileName"]
PY
done
check "Ilcov.MSBuild has at most 4 MB for each of two processors" test "$(stat -c %s "$dist/Ilcov.MSBuild.$version.nupkg")" -le 8000000
for package in "$dist"/ilcov*.nupkg; do
    check "${package##*/} has at most 4 MB" test "$(stat -c %s "$package")" -le 4000000
done

# --- the tool --------------------------------------------------------------------------------------------------------
export NUGET_PACKAGES=$temp/packages HOME=$temp/home DOTNET_CLI_HOME=$temp/home
mkdir -p tool solution "$HOME"
cat >tool/NuGet.config <<XML
<configuration><packageSources><clear/><add key="local" value="$dist"/></packageSources></configuration>
XML
limited dotnet tool install ilcov --version "$version" --tool-path "$temp/tool/path" --configfile tool/NuGet.config \
    >"$temp/out" 2>&1
same "dotnet tool install --tool-path" 0 $?
tool=$temp/tool/path/ilcov
same "the tool starts" "ilcov $version" "$("$tool" --version)"
(cd tool && dotnet new tool-manifest && limited dotnet tool install ilcov --version "$version") >"$temp/out" 2>&1
same "dotnet tool install, local manifest" 0 $?
same "the local tool starts" "ilcov $version" "$(cd tool && dotnet ilcov --version)"
same "dotnet tool exec, without installing" "ilcov $version" \
    "$(cd tool && rm -rf .config dotnet-tools.json && dotnet tool exec --yes "ilcov@$version" -- --version 2>/dev/null | tail -1)"
(cd tool && dotnet new tool-manifest && dotnet tool install ilcov --version "$version") >"$temp/out" 2>&1

# --- new projects ----------------------------------------------------------------------------------------------------
check_projects
limited dotnet tool uninstall ilcov --tool-path "$temp/tool/path" >"$temp/out" 2>&1
same "dotnet tool uninstall" 0 $?
same "leaves nothing" "" "$(find "$temp/tool/path" -type f)"

# --- the Debian package ----------------------------------------------------------------------------------------------
check "make deb: lintian finds nothing" limited make -s -C "$top" deb
mkdir deb
check "make deb: a package" dpkg-deb -x "$top"/build/deb/ilcov_"${version/-/'~'}"_*.deb deb
same "make deb: its program starts" "ilcov $version" "$(deb/usr/bin/ilcov --version)"
check "make deb: its library loads" bash -c 'deb/usr/bin/ilcov doctor | grep -q "^ok *library: .*/deb/usr/lib/ilcov/libilcov.so loads"'
check "make deb: it depends on the libraries that it uses" \
    bash -c 'dpkg-deb -f "$1"/build/deb/ilcov_*.deb Depends | grep -q "libc6.*libgcrypt20.*libjansson4.*libsqlite3-0.*libxml2.*zlib1g"' - "$top"

# --- again, elsewhere ------------------------------------------------------------------------------------------------
if [ -e "$top/.git" ] && [ -z "$(git -C "$top" status --porcelain)" ]; then
    mkdir "another place"
    made git clone --quiet "$top" "another place/ilcov"
    mkdir -p "another place/ilcov/build/dist"
    cp -r "$dist/libraries" "another place/ilcov/build/dist/"
    check "make dist in another folder" limited make -s -C "another place/ilcov" dist
    check "gives the same bytes" diff "$dist/SHA256SUMS" "another place/ilcov/build/dist/SHA256SUMS"
else
    skip "make dist in another folder" "the tree has changes that are not committed"
fi
finish
