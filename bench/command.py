"""The commands that the bench measures: a program as it is, under ilcov, and tests under the peers."""
import glob
import os
import re
import shlex

import place

ALL_MODES = ("count", "hit", "exact")
MODES = tuple(os.environ.get("MODES", " ".join(ALL_MODES)).split())
COLLECTORS = {"coverlet": "XPlat Code Coverage", "microsoft": "Code Coverage;Format=cobertura"}
# Hits told apart by test: two modes of ilcov, and a setting of Microsoft's collector, which writes no Cobertura then.
PER_TEST = {"hit, per test": "hit", "count, per test": "count"}
# The same by BASELINE's ilcov.
EARLIER = ", earlier"
PER_TEST_COLLECTORS = {"microsoft, per test": "Code Coverage;Format=Coverage;PerTestCodeCoverage=True"}


def check_names():
    """MODES, PER_TEST, PEERS and BASELINE, which are read from the environment."""
    if not MODES or set(MODES) - set(ALL_MODES):
        raise place.Failure(f"MODES must be some of {' '.join(ALL_MODES)}")
    per_test()
    peers()
    place.baseline()


def per_test():
    """Which of PER_TEST `public` measures: those of the modes in PER_TEST, which may be empty."""
    modes = os.environ.get("PER_TEST", " ".join(PER_TEST.values())).split()
    if set(modes) - set(PER_TEST.values()):
        raise place.Failure(f"PER_TEST must be some of {' '.join(PER_TEST.values())}")
    return [variant for variant, mode in PER_TEST.items() if mode in modes]


def and_earlier(variants):
    """These, and the same by an earlier ilcov if BASELINE names one."""
    return [*variants, *(variant + EARLIER for variant in variants if place.baseline())]


def peers():
    """What tests are also measured with: PEERS, which may be empty."""
    names = os.environ.get("PEERS", "coverlet microsoft").split()
    for name in names:
        if name not in COLLECTORS:
            raise place.Failure(f"PEERS has {name}: {' and '.join(COLLECTORS)} are known")
    return names


def ilcov_run(mode, command, *options, ilcov=place.ILCOV, report="cobertura"):
    """Under ilcov, its report included, which goes with the data file into place.REPORTS."""
    form = f"{report}={os.path.join(place.REPORTS, 'cobertura.xml')}" if report != "none" else "none"
    return [ilcov, "run", "--mode", mode, "--data", os.path.join(place.REPORTS, "coverage.ilcov"), "--format", form,
            *options, "--", *command]


def under(variant, command, ilcov=place.ILCOV):
    """`command` as `variant` runs it: bare, a mode of ilcov, or a peer, for which it must be `dotnet test`."""
    if variant == "bare":
        return command
    if variant.endswith(EARLIER):
        return under(variant.removesuffix(EARLIER), command, place.baseline())
    if variant in ALL_MODES:
        return ilcov_run(variant, command, ilcov=ilcov)
    if variant in PER_TEST:
        return ilcov_run(PER_TEST[variant], command, "--per-test", ilcov=ilcov)
    collector = COLLECTORS.get(variant) or PER_TEST_COLLECTORS[variant]
    end = command.index("--") if "--" in command else len(command)  # settings stand behind it
    return [*command[:end], "--collect", collector, "--results-directory", place.REPORTS, *command[end:]]


def has_report(variant):
    name = "*.coverage" if variant in PER_TEST_COLLECTORS else "*cobertura*.xml"
    return any(os.path.getsize(report) for report in glob.glob(os.path.join(place.REPORTS, "**", name), recursive=True))


def run(meter, variant, command, ilcov=place.ILCOV, **options):
    """{"cpu", "wall", "peak"} of one run, whose report must be there."""
    place.fresh_reports()
    cost = meter.run(under(variant, command, ilcov), **options)
    if variant != "bare" and not has_report(variant):
        raise place.Failure(f"{variant} made no report: {shlex.join(command)}\n{place.tail()}")
    return vars(cost).copy()


def versions():
    """Of the peers, as the suites name them."""
    with open(os.path.join(place.HERE, "suites", "Directory.Build.props"), encoding="utf-8") as file:
        packages = dict(re.findall(r'Include="([^"]+)" Version="([^"]+)"', file.read()))
    return {"coverlet": packages["coverlet.collector"], "microsoft": packages["Microsoft.NET.Test.Sdk"]}
