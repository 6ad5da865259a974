"""The C# compiler of the SDK on 24,000 lines, with all of Roslyn in scope: a large program whose code is precompiled. What ilcov
rewrites has to be compiled anew, so the compiler without its precompiled code is the second reference."""
import glob
import os
import re

import command
import place
import rounds
import sources
from row import Row, made

TITLE = "csc: compiles 24,000 lines, all of Roslyn in scope, data file included"
COPIES = 5  # of the sources of the suite of short tests, each in a namespace of its own
USINGS = "".join(f"global using System{name};\n" for name in ("", ".Collections.Generic", ".IO", ".Linq", ".Threading", ".Threading.Tasks"))
WITHOUT = "without precompiled code"


def make_sources():
    folder = place.folder("programs", "csc")
    paths = [os.path.join(folder, "Usings.cs")]
    sources.write(paths[0], USINGS)
    toolbox = os.path.join(place.HERE, "suites", "toolbox", "src", "Toolbox")
    for original in sorted(glob.glob(os.path.join(toolbox, "*", "*.cs"))):
        with open(original, encoding="utf-8") as file:
            text = file.read()
        for copy in range(COPIES):
            path = os.path.join(folder, str(copy), os.path.relpath(original, toolbox).replace(os.sep, "."))
            sources.write(path, re.sub(r"\bToolbox\b", f"Toolbox{copy}", text))
            paths.append(path)
    return folder, paths


def measure(meter):
    folder, paths = make_sources()
    csc, options = place.compiler()
    compilation = [*csc, *options, "-optimize+", "-nullable:enable", "-target:library", f"-out:{folder}/Copies.dll", *paths]

    def once(variant, _):
        place.fresh_reports()
        if variant == "bare":
            return {"cpu": meter.run(compilation).cpu}
        if variant == WITHOUT:
            return {"cpu": meter.run(compilation, env=os.environ | {"DOTNET_ReadyToRun": "0"}).cpu}
        run = command.ilcov_run(variant, compilation, "--include", "[Microsoft.CodeAnalysis*]*", "--root", folder, report="none")
        return {"cpu": meter.run(run).cpu}

    once("bare", None)  # the first run reads everything from disk
    rows = [Row(TITLE, "csc", variant, ((variant, "cpu"), ("bare", "cpu"))) for variant in (*command.MODES, WITHOUT)]
    rows += [Row(TITLE, "csc", mode, ((mode, "cpu"), (WITHOUT, "cpu")), reference=WITHOUT) for mode in command.MODES]
    samples = rounds.measure("csc", rows, once)
    yield made(rows, samples)
