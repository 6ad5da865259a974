"""The end: from the last test to the report, by the number of methods, each of which ran once. It is what `ilcov collect` does with the
session of a run that has ended. Beside it stands what no tool can do without, done by a small program: reading the assemblies and
their symbols, and writing as much."""
import os
import shutil

import command
import place
import rounds
import sources
from row import Row, made

TITLE = "end: from the last test to the report, CPU time"
PEAK = "end: peak memory of ilcov"
FORMATS = ("cobertura", "html", "json", "jsonl", "lcov", "opencover", "sonar", "text", "none")
USUAL = "cobertura"
LIMIT = "reading alone"
ALL_FORMATS_TO = 100_000  # methods; of more only the usual one
SIZES = "1000 10000 100000 1000000"
CPU_BARS = {100_000: 1_000, 1_000_000: 12_000}  # ms, of the usual format
PEAK_BARS = {100_000: 150, 1_000_000: 1_024}    # MB


def sizes():
    """BENCH_METHODS: how many methods."""
    text = os.environ.get("BENCH_METHODS", SIZES)
    try:
        numbers = [int(word) for word in text.split()]
    except ValueError:
        numbers = []
    if not numbers or any(number < sources.PER_CLASS or number % sources.PER_CLASS for number in numbers):
        raise place.Failure(f"BENCH_METHODS is {text}: it must be multiples of {sources.PER_CLASS}, as in {SIZES}")
    return numbers


def keep_session(root, program, **options):
    """Runs the program, and leaves its counters: their folder."""
    place.fresh_reports()
    sessions = os.path.join(place.OUT, "sessions")
    shutil.rmtree(sessions, ignore_errors=True)
    os.makedirs(sessions)
    place.say(f"running {program[-1]}")
    place.quietly("a run that keeps its session", command.ilcov_run(
        "count", program, "--keep-session", "--session-dir", sessions, "--root", root, report="none"), **options)
    return os.path.join(sessions, os.listdir(sessions)[0])


def collect(root, session, form):
    into = "" if form in ("none", "text") else "=" + os.path.join(place.REPORTS, f"report.{form}")
    return [place.ILCOV, "collect", "--root", root, "--data", os.path.join(place.REPORTS, "coverage.ilcov"), "--format", form + into,
            session]


def reading(root, session):
    """What only reads what `collect` reads, and writes as many bytes."""
    place.fresh_reports()
    place.quietly("a report", collect(root, session, USUAL))
    files = [os.path.join(place.REPORTS, name) for name in sorted(os.listdir(place.REPORTS))]
    sizes_of = [str(os.path.getsize(file)) for file in files]
    return ["dotnet", sources.program("Reading", "Release", sources.READING), root,
            *(word for pair in zip(files, sizes_of) for word in pair)]


def once(meter, command_line):
    place.fresh_reports()
    return vars(meter.run(command_line)).copy()


def measure(meter):
    for count in sizes():
        root, program = sources.methods(count)
        session = keep_session(root, program)
        name = f"{count:,} methods"
        forms = FORMATS if count <= ALL_FORMATS_TO else (USUAL,)
        commands = {form: collect(root, session, form) for form in forms}
        commands[LIMIT] = reading(root, session)
        rows = [Row(TITLE, name, form, ((form, "cpu"),), kind="value", bar=CPU_BARS.get(count) if form == USUAL else None)
                for form in commands]
        samples = rounds.measure(f"end: {name}", rows, lambda form, _: once(meter, commands[form]))
        peaks = [Row(PEAK, name, form, ((form, "peak"),), kind="value", unit="MB",
                     bar=PEAK_BARS.get(count) if form == USUAL else None).result(samples) for form in forms]
        shutil.rmtree(session)
        yield made(rows, samples) + peaks
