"""The median of repeated measurements, and how sure it is.

The interval of the median is distribution-free: of n sorted values, the median of what they were drawn from lies below the
k-th only if fewer than k of them fell below it, which has the probability of fewer than k heads in n throws of a coin. So
the k-th smallest and the k-th largest value enclose it with 95 % for the largest k whose two tails are at most 5 %.
"""
import math

CONFIDENCE = 0.95
FEWEST = 6  # of fewer values not even the smallest and the largest enclose the median with 95 %


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def rank(count):
    """k from 1, or 0 if `count` values are too few."""
    tail, k = 0, 0
    while k < count:
        tail += math.comb(count, k)
        if 2 * tail > (1 - CONFIDENCE) * 2 ** count:
            break
        k += 1
    return k


def interval(values):
    """(low, high), or None if there are too few values."""
    k = rank(len(values))
    ordered = sorted(values)
    return (ordered[k - 1], ordered[-k]) if k else None


def half_width(values):
    """Half of the interval as a fraction of the median; infinite if there is none."""
    ends = interval(values)
    middle = median(values) if values else 0
    return (ends[1] - ends[0]) / 2 / abs(middle) if ends and middle else math.inf


def geometric_mean(values):
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))
