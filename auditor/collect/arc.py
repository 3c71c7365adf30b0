"""ARC zonal shift. Its state is read before and after everything else, so that a change in between can be told."""

from collections.abc import Iterator

from ..model import arc
from .call import Call, Stage, View, each

PAGE = 100


def _with_practice_runs(view: View) -> Iterator[str]:
    """Only a resource with a practice-run configuration has anything to say that the listing does not."""
    resources = view.listing(arc.MANAGED_RESOURCES)
    return (r.arn for r in resources if r.arn and r.practiceRunStatus == "ENABLED")


MANAGED_RESOURCES = Call(arc.MANAGED_RESOURCES, page_size=PAGE, stage=Stage.FIRST)
ZONAL_SHIFTS = Call(arc.ZONAL_SHIFTS, page_size=PAGE, stage=Stage.FIRST)
AUTOSHIFTS = Call(arc.AUTOSHIFTS, page_size=PAGE, stage=Stage.FIRST)
MANAGED_RESOURCE = Call(
    arc.MANAGED_RESOURCE, each("resourceIdentifier", _with_practice_runs), depends=(arc.MANAGED_RESOURCES,)
)
OBSERVER_STATUS = Call(arc.OBSERVER_STATUS)
