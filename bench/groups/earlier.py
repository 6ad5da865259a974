"""This ilcov beside an earlier one, BASELINE: did a change cost anything?"""
import os

import command
import place
from row import Row

NOW, EARLIER = "now", "earlier"


def baseline():
    path = os.environ.get("BASELINE", "")
    if not os.access(path, os.X_OK):
        raise place.Failure("BASELINE must name an earlier ilcov")
    return os.path.abspath(path)


def row(group, name, measured="cpu", bar=None, variant=NOW):
    return Row(group, name, variant, ((variant, measured), (EARLIER, measured)), bar=bar, reference="earlier")


def program_under(meter, variant, mode, program, **options):
    """One run of `program` by this ilcov or the earlier one, its report included."""
    place.fresh_reports()
    ilcov = baseline() if variant == EARLIER else place.ILCOV
    return vars(meter.run(command.ilcov_run(mode, program, ilcov=ilcov), **options)).copy()
