"""Where things are: this folder, the tree, what the bench makes, ilcov, the SDK; and how programs are built there."""
import functools
import glob
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
OUT = os.path.join(TOP, "build", "bench")
ARTIFACTS = os.path.join(OUT, "artifacts")
REPORTS = os.path.join(OUT, "reports")
LOG = os.path.join(OUT, "log")
ILCOV = os.path.abspath(os.environ.get("ILCOV", os.path.join(TOP, "build", "ilcov")))

# No process stays behind for the next command: its CPU time would belong to nobody.
os.environ.update(LC_ALL="C", DOTNET_CLI_TELEMETRY_OPTOUT="1", DOTNET_NOLOGO="1", MSBUILDDISABLENODEREUSE="1",
                  DOTNET_CLI_USE_MSBUILD_SERVER="0", UseSharedCompilation="false")


class Failure(Exception):
    """A figure could not be made."""


def say(text):
    """Progress, for who waits: one line that the next one overwrites."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text:<78.78}\r" if text else "\r" + " " * 78 + "\r")
        sys.stderr.flush()


def tail(count=20):
    with open(LOG, encoding="utf-8", errors="replace") as log:
        return "".join(log.readlines()[-count:])


def quietly(what, command, **options):
    """Its output goes to the log, whose end is shown if it fails."""
    with open(LOG, "wb") as log:
        status = subprocess.call(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, **options)
    if status != 0:
        raise Failure(f"{what} failed\n{tail()}")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL).stdout


def folder(*parts):
    """One of the bench's own, made if it is missing."""
    path = os.path.join(OUT, *parts)
    os.makedirs(path, exist_ok=True)
    return path


def fresh_reports():
    """Every report is made from nothing."""
    shutil.rmtree(REPORTS, ignore_errors=True)
    os.makedirs(REPORTS)


# --- building ---------------------------------------------------------------------------------------------------------

def build(project, configuration):
    """A project or solution of this folder. What it made lies in ARTIFACTS."""
    say(f"building {project}, {configuration}")
    quietly(f"building {project}", ["dotnet", "build", os.path.join(HERE, project), "--configuration", configuration,
                                    "--artifacts-path", ARTIFACTS])


def built(project, configuration):
    """The program of a project that `build` built."""
    return os.path.join(ARTIFACTS, "bin", project, configuration.lower(), project)


def distributed():
    """The program that `make dist` made last for this machine, which brings its libraries along; None if it never ran."""
    processor = {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine)
    found = glob.glob(os.path.join(TOP, "build", "dist", str(processor), f"ilcov-*-linux-{processor}", "bin", "ilcov"))
    return max(found, key=os.path.getmtime, default=None)


@functools.cache
def baseline():
    """The earlier ilcov that BASELINE names: a program, the folder that it is in, or a revision, which is built once. None without BASELINE."""
    name = os.environ.get("BASELINE")
    if not name:
        return None
    for path in (name, os.path.join(name, "ilcov")):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    return build_revision(name)


def build_revision(name):
    found = subprocess.run(["git", "-C", TOP, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], capture_output=True, text=True)
    if found.returncode != 0:
        raise Failure(f"BASELINE is {name}: it must be an ilcov, the folder of one, or a revision")
    tree = os.path.join(folder("earlier"), found.stdout.strip())
    if not os.path.isdir(tree):
        quietly(f"the work tree of {name}", ["git", "-C", TOP, "worktree", "add", "--force", "--detach", tree, found.stdout.strip()])
    say(f"building {name}")
    quietly(f"building {name}", ["make", "-s", f"-j{len(os.sched_getaffinity(0))}", "-C", tree])
    return os.path.join(tree, "build", "ilcov")


def sdk():
    dotnet = os.path.dirname(os.path.realpath(shutil.which("dotnet") or "dotnet"))
    return dotnet, os.path.join(dotnet, "sdk", output_of("dotnet", "--version").strip())


def compiler():
    """The command of the C# compiler itself, without MSBuild, and the options that every compilation needs."""
    dotnet, version = sdk()
    references = sorted(glob.glob(os.path.join(dotnet, "packs", "Microsoft.NETCore.App.Ref", "10.*", "ref", "net10.0", "*.dll")))
    if not references:
        raise Failure(f"no reference assemblies of .NET 10 in {dotnet}/packs")
    return (["dotnet", "exec", os.path.join(version, "Roslyn", "bincore", "csc.dll")],
            ["-noconfig", "-nologo", "-nostdlib+", "-warn:0", "-deterministic+", "-debug:portable", "-unsafe+"] +
            [f"-r:{reference}" for reference in references])


def compile_sources(program, sources, configuration, *options):
    """C# files into `program`, NAME.dll, by the compiler alone."""
    command, common = compiler()
    os.makedirs(os.path.dirname(program), exist_ok=True)
    say(f"compiling {os.path.basename(program)}, {configuration}")
    quietly(f"compiling {program}", command + common + [
        "-optimize+" if configuration == "Release" else "-optimize-", f"-out:{program}", *options, *sources])
    with open(program.removesuffix(".dll") + ".runtimeconfig.json", "w", encoding="utf-8") as config:
        config.write('{"runtimeOptions":{"tfm":"net10.0","framework":{"name":"Microsoft.NETCore.App","version":"10.0.0"}}}\n')


def build_cputime():
    program = os.path.join(folder(), "cputime")
    quietly("compiling cputime.c", [os.environ.get("CC", "gcc"), "-std=c17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra",
                                    "-o", program, os.path.join(HERE, "cputime.c")])
    return program
