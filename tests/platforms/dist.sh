#!/bin/bash
# `make check-dist`: what `make dist` built is complete, made again elsewhere it has the same bytes, and it installs as a .NET tool
# that measures new projects of each test framework as the program of this tree does, as does the package for projects.
LIMIT=${LIMIT:-900}
. "$(dirname "$0")/platform.sh"
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
# new_solution FRAMEWORK [OPTION...]
new_solution() {
    local kind=$1
    shift
    rm -rf "$temp/solution"
    mkdir "$temp/solution"
    cd "$temp/solution" || exit 2
    made dotnet new classlib -o Lib
    made dotnet new "$kind" -o Tests "$@"
    made dotnet add Tests reference Lib
    cat >Lib/Class1.cs <<'CS'
namespace Lib;

public static class Numbers
{
    public static string Kind(int n)
    {
        if (n < 0)
        {
            return "negative";
        }

        return n == 0 ? "zero" : "positive";
    }
}
CS
    made dotnet build Tests
}

# with_package FRAMEWORK: Ilcov.MSBuild comes with Lib, so that Tests has it only transitively.
with_package() {
    local kind=$1 before
    sed -i 's|<clear/>||' NuGet.config
    sed -i "s|</Project>|<ItemGroup><PackageReference Include=\"Ilcov.MSBuild\" Version=\"$version\" /></ItemGroup></Project>|" Lib/Lib.csproj
    made dotnet build Tests
    before=$(find . -type f | sort)
    limited dotnet test Tests --no-build >off.out 2>&1
    same "$kind: with the package, not asked" 0 $?
    same "$kind: there are the same files" "$before" "$(find . -type f ! -name off.out | sort)"
    limited dotnet test Tests --no-build -p:Ilcov=true >package.out 2>&1
    same "$kind: by the package, which another project brings" 0 $?
    check "$kind: the package counts the same lines" diff <(lines own.xml) <(lines Tests/TestResults/coverage.cobertura.xml)
    check "$kind: and leaves a data file" test -s Tests/TestResults/run.ilcov
    rm -r Tests/TestResults
    limited dotnet test Tests -p:Ilcov=true -p:IlcovFailUnder=99 "-p:IlcovGate=line>=1%3Bbranch>=98" -p:IlcovData=my.ilcov -p:IlcovFormat="cobertura=my.xml" >gate.out 2>&1
    same "$kind: a gate that fails, fails the test run" 1 $?
    check "$kind: and is told" grep -q 'fewer than --fail-under 99' gate.out
    check "$kind: so is the second of two gates" grep -q 'branch>=98' gate.out
    check "$kind: no session is left" bash -c '! grep -q "was kept" "$1"' - gate.out
    check "$kind: the data file is where it was asked for" test -s Tests/my.ilcov
    check "$kind: so is the report" diff <(lines own.xml) <(lines Tests/my.xml)
    same "$kind: nothing else" "" "$(find Tests/TestResults -type f 2>/dev/null)"
    cat >own.runsettings <<'XML'
<RunSettings><RunConfiguration><EnvironmentVariables><FAILS>1</FAILS></EnvironmentVariables></RunConfiguration></RunSettings>
XML
    limited dotnet test Tests --no-build -p:Ilcov=true --settings own.runsettings >fails.out 2>&1
    same "$kind: a test that fails because of the user's own .runsettings" 1 $?
    check "$kind: failed" grep -q 'Failed: *1' fails.out
    check "$kind: and is measured" diff <(lines own.xml) <(lines Tests/TestResults/coverage.cobertura.xml)
}

for kind in xunit mstest nunit; do
    new_solution "$kind"
    test=$(grep -lE '\[(Fact|Test|TestMethod)\]' Tests/*.cs)
    # The body of the one test that the template has.
    python3 - "$test" <<'PY'
import re, sys
text = open(sys.argv[1], encoding="utf-8-sig").read()
text, count = re.subn(r"(public void \w*Test\w*\(\)\s*\{)[^}]*\}", r'\1 Lib.Numbers.Kind(1); Lib.Numbers.Kind(0); '
                      r'if (System.Environment.GetEnvironmentVariable("FAILS") != null) throw new System.Exception(); }', text)
assert count == 1, text
open(sys.argv[1], "w", encoding="utf-8").write(text)
PY
    made dotnet build Tests
    limited "$ILCOV" run -q -d own.ilcov -f cobertura=own.xml -- dotnet test Tests --no-build >own.out 2>own.err
    same "$kind: by the program of this tree" 0 $?
    limited "$tool" run -q -d tool.ilcov -f cobertura=tool.xml -- dotnet test Tests --no-build >tool.out 2>tool.err
    same "$kind: by the tool" 0 $?
    check "$kind: the same lines" diff <(lines own.xml) <(lines tool.xml)
    same "$kind: which are right" 2 "$(grep -c 'hits="[1-9]' <(sed -n '/<class /,/<\/class>/p' tool.xml | sed '/<methods>/,/<\/methods>/d'))"
    cp ../tool/dotnet-tools.json . 2>/dev/null || cp -r ../tool/.config .
    cp ../tool/NuGet.config NuGet.config
    limited dotnet ilcov run -q -d local.ilcov -f cobertura=local.xml -- dotnet test Tests --no-build >local.out 2>local.err
    same "$kind: by the local tool" 0 $?
    check "$kind: the same lines again" diff <(lines own.xml) <(lines local.xml)
    with_package "$kind"
    cd "$temp" || exit 2
done
limited dotnet tool uninstall ilcov --tool-path "$temp/tool/path" >"$temp/out" 2>&1
same "dotnet tool uninstall" 0 $?
same "leaves nothing" "" "$(find "$temp/tool/path" -type f)"

# --- the Debian package ----------------------------------------------------------------------------------------------
check "make deb: lintian finds nothing" limited make -s -C "$top" deb
mkdir deb
check "make deb: a package" dpkg-deb -x "$top"/build/deb/ilcov_"$version"_*.deb deb
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
