"""Peak memory: of the target with and without ilcov, and of ilcov while it makes the report; and how large a session is."""
import os
import shutil

import command
import place
import rounds
import sources
from groups import end
from row import Row, made

TITLE = "memory: peak of the largest process of the target"
OF_ILCOV = "memory: peak of ilcov at the end"
OF_SESSION = "memory: what the session takes of shared memory"
METHODS = 10_000
MODULES, PROCESSES = 200, 8


def target(meter, variant, program, root):
    """{"peak"} of the target alone: a meter inside what ilcov runs."""
    place.fresh_reports()
    figures = os.path.join(place.OUT, "cost.target")
    if os.path.exists(figures):
        os.remove(figures)
    inner = [meter.cputime, figures, *program]
    meter.run(inner if variant == "bare" else command.ilcov_run(variant, inner, "--root", root))
    with open(figures, encoding="ascii") as file:
        return {"peak": float(file.read().split()[2])}


def size(folder):
    """MB of its files, without holes."""
    return sum(entry.stat().st_blocks * 512 for entry in os.scandir(folder)) / (1 << 20)


def measure(meter):
    place.build("hello", "Release")
    place.build("loops", "Release")
    root, methods = sources.methods(METHODS)
    many, modules = sources.modules(MODULES, PROCESSES)
    targets = (("hello", [place.built("hello", "Release")], place.HERE),
               ("32 threads", [place.built("loops", "Release"), "thirty-two-threads"], place.HERE),
               (f"{METHODS:,} methods", methods, root), (f"{MODULES} modules, {PROCESSES} processes", modules, many))
    for name, program, folder in targets:
        rows = [Row(TITLE, name, mode, ((mode, "peak"), ("bare", "peak")), unit="MB") for mode in command.MODES]
        samples = rounds.measure(f"memory: {name}", rows, lambda variant, _: target(meter, variant, program, folder))
        results = made(rows, samples)
        session = end.keep_session(folder, program)
        space = size(session)
        row = Row(OF_ILCOV, name, end.USUAL, ((end.USUAL, "peak"),), kind="value", unit="MB")
        samples = rounds.measure(f"memory of ilcov: {name}", [row], lambda form, _: end.once(meter, folder, session, form))
        results.append(row.result(samples))
        row = Row(OF_SESSION, name, "count", (("count", "space"),), kind="value", unit="MB")
        results.append(row.result({("count", "space"): {0: space}}))
        shutil.rmtree(session)
        yield results
