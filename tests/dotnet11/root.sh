#!/bin/bash
# root.sh FOLDER - makes FOLDER a .NET root: the SDK that is installed, and the runtime of .NET 11, which comes from NuGet. What is there
# already is kept. Ends with 1 if the runtime is not to be had.
#
#     root.sh build/e2e/dotnet11
#     export DOTNET_ROOT=$PWD/build/e2e/dotnet11 PATH=$PWD/build/e2e/dotnet11:$PATH
#     export BeforeMicrosoftNETSdkTargets=$PWD/tests/dotnet11/dotnet11.targets
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
root=$(cd "$1" && pwd)
exec 9>"$root/lock"
flock 9
[ ! -e "$root/made" ] || exit 0

installed=$(dirname "$(readlink -f "$(command -v dotnet)")")
options=("$here/packs.csproj" --nologo "-p:ArtifactsPath=$root/packs.restored")
unset BeforeMicrosoftNETSdkTargets
dotnet restore "${options[@]}" || exit 1
packages=$(dotnet msbuild "${options[@]}" -getProperty:NuGetPackageRoot)
version=$(dotnet msbuild "${options[@]}" -getProperty:Dotnet11)

# A program takes the folder of its own file, whatever links led to it: of the host, the SDK and `dotnet watch` that must be here.
cp "$installed/dotnet" "$root"
sdk=sdk/$(dotnet --version)
for part in "$installed"/{sdk-manifests,templates,host/fxr/*,packs/*/*,shared/*/*,$sdk/*/}; do
    into=$root/$(dirname "${part#"$installed"/}")
    mkdir -p "$into"
    ln -sfn -t "$into" "${part%/}"
done
find "$installed/$sdk" -maxdepth 1 -type f -exec cp -t "$root/$sdk" {} +
rm "$root/$sdk/DotnetTools" && mkdir "$root/$sdk/DotnetTools" && cp -r "$installed/$sdk/DotnetTools/dotnet-watch" "$root/$sdk/DotnetTools"
mkdir -p "$root/host/fxr/$version"
for framework in Microsoft.NETCore.App Microsoft.AspNetCore.App; do
    pack=$packages/${framework,,}.runtime.linux-x64/$version/runtimes/linux-x64
    mkdir -p "$root/shared/$framework/$version"
    ln -sfn "$packages/${framework,,}.ref/$version" "$root/packs/$framework.Ref/$version"
    cp -r "$pack"/lib/net11.0/. "$root/shared/$framework/$version"
    [ ! -d "$pack/native" ] || cp "$pack"/native/* "$root/shared/$framework/$version"
done
mv "$root/shared/Microsoft.NETCore.App/$version/libhostfxr.so" "$root/host/fxr/$version"
touch "$root/made"
