"""What a command costs: the CPU time of all its processes, wall time, and the peak memory of the largest of them.

The CPU time is the account of a cgroup that the command runs in, where one can be made: v2, else v1. Elsewhere it is what
cputime.c adds up. Where both exist, both are read and compared: they must agree.
"""
import atexit
import os
import resource
import subprocess
import time
from dataclasses import dataclass

import place

AGREED_SHARE = 0.02  # what the two accounts may differ by: the larger of this share and
AGREED_MS = 4.0      # a tick of the clock


@dataclass(frozen=True)
class Cost:
    cpu: float   # ms
    wall: float  # ms
    peak: float  # MB


class Cgroup:
    """A cgroup of our own, whose CPU time is read in ms."""

    def __init__(self, path, file):
        self.path, self.file = path, file

    def cpu_ms(self):
        with open(os.path.join(self.path, self.file), encoding="ascii") as account:
            text = account.read()
        if self.file == "cpu.stat":
            return int(dict(line.split() for line in text.splitlines())["usage_usec"]) / 1e3
        return int(text) / 1e6

    def remove(self):
        try:
            os.rmdir(self.path)
        except OSError:
            pass  # something still runs in it


def cgroup_places():
    """(folder, file with the account) of this process in each hierarchy that counts CPU time, v2 first."""
    with open("/proc/self/cgroup", encoding="utf-8") as lines:
        own = {kinds: path for _, kinds, path in (line.rstrip("\n").split(":", 2) for line in lines)}
    places = []
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        for _, folder, kind, options, *_ in (line.split(" ") for line in mounts):
            if kind == "cgroup2":
                places.insert(0, (folder + own.get("", "/"), "cpu.stat"))
            elif kind == "cgroup" and "cpuacct" in options.split(","):
                path = next((path for kinds, path in own.items() if "cpuacct" in kinds.split(",")), "/")
                places.append((folder + path, "cpuacct.usage"))
    return places


def make_cgroup():
    """None where none can be made, or where no process can be moved into it."""
    try:
        places = cgroup_places()
    except OSError:
        return None
    for folder, file in places:
        cgroup = Cgroup(os.path.join(folder, f"ilcov-bench-{os.getpid()}"), file)
        try:
            os.mkdir(cgroup.path)
        except OSError:
            continue
        atexit.register(cgroup.remove)
        enter = 'echo 0 >"$0/cgroup.procs"'
        if subprocess.call(["sh", "-c", enter, cgroup.path], stderr=subprocess.DEVNULL) == 0:
            try:
                cgroup.cpu_ms()
                return cgroup
            except (OSError, KeyError, ValueError):
                pass
    return None


def busy_seconds():
    """Of all processors since the machine started, in whatever process, or taken by whoever shares the machine."""
    with open("/proc/stat", encoding="ascii") as stat:
        user, nice, system, _, _, irq, soft_irq, steal = (int(word) for word in stat.readline().split()[1:9])
    return (user + nice + system + irq + soft_irq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """Of this process and all that it waited for."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


class Meter:
    def __init__(self):
        self.cputime = place.build_cputime()
        self.cgroup = make_cgroup()
        self.begin()

    def begin(self):
        """From here on runs and disagreements are counted anew."""
        self.began = time.monotonic(), busy_seconds() - own_seconds()
        self.runs = 0
        self.disagreements = []  # of the two accounts: text

    def run(self, command, **options):
        """The Cost of a command that must succeed."""
        figures = os.path.join(place.OUT, "cost")
        if os.path.exists(figures):
            os.remove(figures)
        before = self.cgroup.cpu_ms() if self.cgroup else 0
        place.quietly(" ".join(command), [self.cputime, *(["--cgroup", self.cgroup.path] if self.cgroup else []), figures,
                                          *command], **options)
        with open(figures, encoding="ascii") as file:
            cost = Cost(*(float(word) for word in file.read().split()))
        self.runs += 1
        if self.cgroup:
            account = self.cgroup.cpu_ms() - before
            if abs(account - cost.cpu) > max(AGREED_MS, AGREED_SHARE * cost.cpu):
                self.disagreements.append(f"{account:.1f} ms in the cgroup, {cost.cpu:.1f} ms in cputime: {' '.join(command)[:300]}")
            cost = Cost(account, cost.wall, cost.peak)
        return cost

    def others(self):
        """How many processors other work has kept busy since `begin`."""
        seconds = time.monotonic() - self.began[0]
        return max(0.0, (busy_seconds() - own_seconds() - self.began[1]) / seconds) if seconds > 0 else 0.0

    def summary(self):
        kind = {"cpu.stat": "cgroup v2", "cpuacct.usage": "cgroup v1"}[self.cgroup.file] if self.cgroup else "cputime"
        return {"kind": kind, "runs": self.runs, "disagreements": self.disagreements, "others": round(self.others(), 2)}
