"""Prints the SBOM of a distribution (SPDX 2.3, JSON): its two binaries, and what is linked into them.

sbom.py VERSION PROCESSOR PINNED FOLDER   FOLDER has the binaries
"""
import datetime
import hashlib
import json
import os
import subprocess
import sys

# As SPDX writes them; what the copyright files of Debian say of the libraries themselves.
LICENCES = {"libxml2": "MIT", "libgcrypt20-dev": "LGPL-2.1-or-later", "libgpg-error-dev": "LGPL-2.1-or-later",
            "libsqlite3-dev": "blessing", "zlib1g-dev": "Zlib", "libjansson-dev": "MIT", "libc6-dev": "LGPL-2.1-or-later"}


def package(name, version, licence, sha256=None, purpose="LIBRARY"):
    entry = {"SPDXID": "SPDXRef-" + name.replace("+", "-"), "name": name, "versionInfo": version,
             "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
             "licenseDeclared": licence, "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose}
    if sha256 is not None:
        entry["checksums"] = [{"algorithm": "SHA256", "checksumValue": sha256}]
    if name in LICENCES:
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:deb/debian/{name}@{version}"}]
    return entry


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def pinned(path, processor):
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            sha256, where, name, version, _ = line.split()
            if where in ("source", processor):
                yield name, version, sha256


def c_library(processor):
    """The C library is the machine's: it belongs to the compiler."""
    name = "libc6-dev" if processor == "x64" else "libc6-dev-arm64-cross"
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False)
    return shown.stdout or "unknown"


def main():
    version, processor, pins, folder = sys.argv[1:]
    files = {name: digest(os.path.join(folder, name)) for name in ("ilcov", "libilcov.so")}
    packages = [package("ilcov", version, "MIT", purpose="APPLICATION")]
    packages += [package(name, text, LICENCES[name], sha256) for name, text, sha256 in pinned(pins, processor)]
    packages.append(package("libc6-dev", c_library(processor), LICENCES["libc6-dev"]))
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-ilcov"}]
    relations += [{"spdxElementId": "SPDXRef-ilcov", "relationshipType": "STATIC_LINK", "relatedSpdxElement": entry["SPDXID"]}
                  for entry in packages[1:]]
    relations += [{"spdxElementId": "SPDXRef-ilcov", "relationshipType": "CONTAINS",
                   "relatedSpdxElement": "SPDXRef-File-" + name} for name in files]
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    name = f"ilcov-{version}-linux-{processor}"
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{files['ilcov'][:16]}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [f"Tool: ilcov-sbom-{version}"]},
        "packages": packages,
        "files": [{"SPDXID": "SPDXRef-File-" + file, "fileName": "./lib/ilcov/" + file, "fileTypes": ["BINARY"],
                   "checksums": [{"algorithm": "SHA1", "checksumValue": sha1(os.path.join(folder, file))},
                                 {"algorithm": "SHA256", "checksumValue": sha256}],
                   "licenseConcluded": "MIT", "copyrightText": "NOASSERTION"} for file, sha256 in files.items()],
        "relationships": relations,
    }
    json.dump(document, sys.stdout, indent=1, sort_keys=True)
    print()


def sha1(path):
    """SPDX 2.3 wants it of every file."""
    with open(path, "rb") as file:
        return hashlib.sha1(file.read()).hexdigest()


main()
