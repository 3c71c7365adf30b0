"""Amazon CloudWatch metrics: the traffic of load balancers in use, where ``--metrics`` asks for it.

All series of all load balancers go together, 500 in a call. AWS bills each metric that is asked for, not the points of it:
0.01 USD per 1,000, without a free tier (Amazon CloudWatch pricing, metrics requested with GetMetricData). The price list of the
region in question is what counts; no answer of the API names it.
https://aws.amazon.com/cloudwatch/pricing/
"""

from collections.abc import Iterator, Sequence

from ..model import elbv2, metrics
from .call import Call, Params, View

POINTS = 100_800  # the most that one page may hold
USD_PER_METRIC = 0.01 / 1000


def _all_series(view: View) -> Iterator[Params]:
    if view.window is not None:
        balancers, groups = view.listing(elbv2.LOAD_BALANCERS), view.listing(elbv2.TARGET_GROUPS)
        yield from metrics.requests_for(balancers, groups, view.window)


def cost(requests: Sequence[Params]) -> str:
    """What some requests cost, in words."""
    number = sum(len(params["MetricDataQueries"]) for params in requests)
    usd = f"{number * USD_PER_METRIC:.5f}".rstrip("0").rstrip(".")
    noun = "metric" if number == 1 else "metrics"
    return f"asking CloudWatch for {number:,} {noun}, which AWS bills at 0.01 USD per 1,000: about {usd} USD"


METRIC_DATA = Call(
    metrics.METRIC_DATA,
    _all_series,
    depends=(elbv2.LOAD_BALANCERS, elbv2.TARGET_GROUPS),
    page_size=POINTS,
    notice=cost,
)
