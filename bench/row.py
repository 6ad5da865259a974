"""One row of the bench: which measurements it needs, what it makes of them, and what its bar is.

A measurement is called by (variant, name): ("count", "fib") is the loop `fib` under `ilcov run --mode count`. The values of
one row come from the same rounds, so that each round gives one figure; the row's figure is their median.
"""
from dataclasses import dataclass

import interval

WIDEST = 0.03  # half of the interval, as a share: rounds go on until it is reached

# kind: what it makes of the values of its parts in one round
KINDS = {
    "value": lambda a: a,
    "ratio": lambda a, b: a / b,
    "difference": lambda a, b: a - b,
    "ratio of ratios": lambda a, b, c, d: (a / b) / (c / d),
    "growth": lambda a, b, c, d: (a - b) / (c - d),  # what coverage adds at twice the size, and at the size
}


@dataclass(frozen=True)
class Row:
    group: str
    name: str
    variant: str             # what is measured: count, hit, exact, a peer
    parts: tuple             # of (variant, name); the first is shown as "with", the second as "bare"
    kind: str = "ratio"
    unit: str = "ms"         # of the values
    bar: float | None = None # at most this
    reference: str = "bare"  # what the second part is
    share: int = 1           # a difference is of so many
    decides: bool = True     # rounds go on until it is sure

    def series(self, samples):
        """The values of each part, of the rounds that all parts have."""
        parts = [samples.get(part, {}) for part in self.parts]
        rounds = sorted(set.intersection(*(set(part) for part in parts)))
        return [[part[number] for number in rounds] for part in parts]

    def figures(self, samples):
        """One for each round."""
        return [KINDS[self.kind](*values) / self.share for values in zip(*self.series(samples))]

    def is_sure(self, samples):
        """A difference may be 0; it is as sure as the ratio is."""
        if self.kind == "difference":
            return interval.half_width([a / b for a, b in zip(*self.series(samples))]) <= WIDEST
        return interval.half_width(self.figures(samples)) <= WIDEST

    def result(self, samples):
        """What the JSON holds of it, or None if nothing was measured."""
        figures = self.figures(samples)
        if not figures:
            return None
        medians = [interval.median(values) for values in self.series(samples)]
        ends = interval.interval(figures)
        return {
            "group": self.group, "name": self.name, "variant": self.variant, "kind": self.kind, "unit": self.unit,
            "reference": self.reference if len(medians) > 1 else None,
            "rounds": len(figures), "with": medians[0], "base": medians[1] if len(medians) > 1 else None,
            "figure": interval.median(figures), "low": ends and ends[0], "high": ends and ends[1],
            "least": min(figures), "most": max(figures), "bar": self.bar, "sure": self.is_sure(samples),
        }


def made(rows, samples):
    """The results of those rows that something was measured for."""
    return [result for row in rows if (result := row.result(samples))]


def geometric_mean(results, group, name, variant, bar, reference="bare"):
    """Of rows that are ratios. Its interval is that of their lows and of their highs: it is wider than 95 % asks for."""
    known = all(result["low"] is not None for result in results)
    return {
        "group": group, "name": name, "variant": variant, "kind": "geometric mean", "unit": None,
        "reference": reference,
        "rounds": min(result["rounds"] for result in results), "with": None, "base": None,
        "figure": interval.geometric_mean([result["figure"] for result in results]),
        "low": interval.geometric_mean([result["low"] for result in results]) if known else None,
        "high": interval.geometric_mean([result["high"] for result in results]) if known else None,
        "least": min(result["figure"] for result in results), "most": max(result["figure"] for result in results),
        "bar": bar, "sure": all(result["sure"] for result in results),
    }
