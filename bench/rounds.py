"""Interleaved runs: each round runs every variant once, one right after the other, until the rows are sure.

A machine that is slower for a while is so for all variants of a round, and their ratio does not see it. The order changes from
round to round, so that none is always first.
"""
import os

import place
from interval import FEWEST

USUAL = f"{FEWEST}/40"


def limits():
    """BENCH_RUNS: the fewest and the most rounds, as in 6/40; one number is both."""
    text = os.environ.get("BENCH_RUNS", USUAL)
    try:
        numbers = [int(number) for number in text.split("/")]
        fewest, most = numbers[0], numbers[-1]
        if not (len(numbers) <= 2 and 1 <= fewest <= most):
            raise ValueError
    except ValueError:
        raise place.Failure(f"BENCH_RUNS is {text}: it must be a number of rounds, or the fewest and the most, as in {USUAL}") from None
    return fewest, most


def in_order(variants, number):
    """In round 0 as they are; each following round begins with another one, every second round goes backwards."""
    first = number // 2 % len(variants)
    turned = variants[first:] + variants[:first]
    return turned if number % 2 == 0 else turned[::-1]


def measure(what, rows, once, factor=1):
    """once(variant, names) -> {name: value} is called for each variant with those of its names that a row still needs; it may
    return more. `factor` multiplies the limits: for what is quick. Returns {(variant, name): {round: value}}."""
    fewest, most = (limit * factor for limit in limits())
    samples = {}
    for number in range(most):
        open_rows = [row for row in rows if row.decides and (number < fewest or not row.is_sure(samples))]
        needed = {}
        for variant, name in (part for row in open_rows for part in row.parts):
            names = needed.setdefault(variant, [])
            if name not in names:
                names.append(name)
        if not needed:
            break
        for variant in in_order(list(needed), number):
            place.say(f"{what}: round {number + 1} of {fewest} to {most}, {variant}")
            for name, value in once(variant, needed[variant]).items():
                samples.setdefault((variant, name), {})[number] = value
    place.say("")
    return samples
