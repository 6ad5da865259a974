"""Makes the packages of the .NET tool: `ilcov`, which names one package for each platform, and those; and Ilcov.MSBuild, the
package for test projects. Equal input gives equal bytes.

nuget.py VERSION DIST   DIST has the unpacked distributions, DIST/x64/ilcov-VERSION-linux-x64 and so on; writes DIST/*.nupkg
"""
import datetime
import os
import sys
import zipfile
from xml.sax.saxutils import escape

# Runtime identifier -> the distribution that runs there. The program needs no C library, and the library lives with glibc and
# musl, so both get the same files.
PLATFORMS = {"linux-x64": "x64", "linux-musl-x64": "x64", "linux-arm64": "arm64"}
TOOL = "ilcov"
PROJECTS = "Ilcov.MSBuild"
DESCRIPTION = "Code coverage for .NET: ilcov run -- dotnet test. Projects and build output stay as they are."

NUSPEC = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>{id}</id>
    <version>{version}</version>
    <authors>the ilcov authors</authors>
    <license type="expression">MIT</license>
    <readme>README.md</readme>
    <description>{description}</description>
    <tags>coverage code-coverage test {tag}</tags>
    <packageTypes>
      <packageType name="{kind}" />
    </packageTypes>
  </metadata>
</package>
"""
# The override is for files without an extension, which [Content_Types].xml can't describe otherwise.
CONTENT_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
{defaults}{overrides}</Types>
"""
RELATIONSHIPS = """<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/{id}.nuspec" Id="R1" />
</Relationships>
"""
POINTER = """<?xml version="1.0" encoding="utf-8"?>
<DotNetCliTool Version="2">
  <Commands>
    <Command Name="ilcov" />
  </Commands>
  <RuntimeIdentifierPackages>
{rows}  </RuntimeIdentifierPackages>
</DotNetCliTool>
"""
SETTINGS = """<?xml version="1.0" encoding="utf-8"?>
<DotNetCliTool Version="2">
  <Commands>
    <Command Name="ilcov" EntryPoint="ilcov" Runner="executable" />
  </Commands>
</DotNetCliTool>
"""


def content_types(names):
    extensions = sorted({os.path.splitext(name)[1][1:] for name in names} - {""})
    bare = sorted(name for name in names if not os.path.splitext(name)[1])
    return CONTENT_TYPES.format(
        defaults="".join(f'  <Default Extension="{extension}" ContentType="application/octet" />\n'
                         for extension in ["nuspec", "rels"] + extensions),
        overrides="".join(f'  <Override PartName="/{escape(name)}" ContentType="application/octet" />\n' for name in bare))


def write(path, identity, version, kind, files, tag="dotnet-tool", description=DESCRIPTION):
    """`files` maps names in the package to bytes."""
    date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    parts = {
        "[Content_Types].xml": content_types(files).encode(),
        "_rels/.rels": RELATIONSHIPS.format(id=identity).encode(),
        f"{identity}.nuspec": NUSPEC.format(id=identity, version=version, kind=kind, tag=tag,
                                            description=escape(description)).encode(),
    }
    parts.update(sorted(files.items()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as package:
        for name, data in parts.items():
            entry = zipfile.ZipInfo(name, date.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if name.endswith("/ilcov") else 0o644) << 16
            package.writestr(entry, data)
    print(path)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def licences(folder):
    """The licences of what is linked in, in one file."""
    texts = []
    for name in sorted(os.listdir(folder)):
        texts.append(f"==== {name}\n\n".encode() + read(os.path.join(folder, name)))
    return b"\n".join(texts)


def platform_files(tree, platform):
    documents = os.path.join(tree, "share", "doc", "ilcov")
    tools = f"tools/any/{platform}/"
    return {
        "README.md": read("packaging/README.nuget.md"),
        "LICENSE.txt": read("LICENSE"),
        "licences.txt": licences(os.path.join(documents, "licences")),
        "ilcov.spdx.json": read(os.path.join(documents, "ilcov.spdx.json")),
        tools + "DotnetToolSettings.xml": SETTINGS.encode(),
        tools + "ilcov": read(os.path.join(tree, "lib", "ilcov", "ilcov")),
        tools + "libilcov.so": read(os.path.join(tree, "lib", "ilcov", "libilcov.so")),
    }


def project_files(trees):
    """The package for projects: MSBuild's targets, and the programs of all processors. `buildTransitive` is for projects that
    refer to one that has the package, `buildMultiTargeting` for the build that starts one for each framework."""
    imported = '<Project>\n  <Import Project="$(MSBuildThisFileDirectory)../build/Ilcov.MSBuild.targets" />\n</Project>\n'
    files = {
        "README.md": read("packaging/msbuild/README.md"),
        "LICENSE.txt": read("LICENSE"),
        "build/Ilcov.MSBuild.targets": read("packaging/msbuild/Ilcov.MSBuild.targets"),
        "buildTransitive/Ilcov.MSBuild.targets": imported.encode(),
        "buildMultiTargeting/Ilcov.MSBuild.targets": imported.encode(),
        "tools/measure.sh": read("packaging/msbuild/measure.sh"),
    }
    for processor, tree in trees.items():
        documents = os.path.join(tree, "share", "doc", "ilcov")
        tools = f"tools/linux-{processor}/"
        files[tools + "licences.txt"] = licences(os.path.join(documents, "licences"))
        files[tools + "ilcov.spdx.json"] = read(os.path.join(documents, "ilcov.spdx.json"))
        for name in ("ilcov", "libilcov.so"):
            files[tools + name] = read(os.path.join(tree, "lib", "ilcov", name))
    return files


def main():
    version, dist = sys.argv[1:]
    made, trees = [], {}
    for platform, processor in PLATFORMS.items():
        tree = os.path.join(dist, processor, f"ilcov-{version}-linux-{processor}")
        if not os.path.isdir(tree):
            continue
        trees[processor] = tree
        identity = f"{TOOL}.{platform}"
        write(os.path.join(dist, f"{identity}.{version}.nupkg"), identity, version, "DotnetToolRidPackage",
              platform_files(tree, platform))
        made.append(f'    <RuntimeIdentifierPackage RuntimeIdentifier="{platform}" Id="{identity}" />\n')
    write(os.path.join(dist, f"{TOOL}.{version}.nupkg"), TOOL, version, "DotnetTool", {
        "README.md": read("packaging/README.nuget.md"),
        "LICENSE.txt": read("LICENSE"),
        "tools/any/any/DotnetToolSettings.xml": POINTER.format(rows="".join(made)).encode(),
    })
    write(os.path.join(dist, f"{PROJECTS}.{version}.nupkg"), PROJECTS, version, "Dependency", project_files(trees), "msbuild",
          "Code coverage for .NET test projects: dotnet test -p:Ilcov=true. Without the property, nothing happens.")


main()
