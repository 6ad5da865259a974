"""This ilcov beside an earlier one, BASELINE: did a change cost anything?"""
import command
import place
from row import Row


def required():
    if not place.baseline():
        raise place.Failure("BASELINE must name an earlier ilcov")


def row(group, name, variant, measured="cpu", bar=None):
    return Row(group, name, variant, ((variant, measured), (variant + command.EARLIER, measured)), bar=bar, reference="earlier")


def rows(group, name, variants, measured="cpu"):
    """None without BASELINE."""
    return [row(group, name, variant, measured) for variant in variants if place.baseline()]
