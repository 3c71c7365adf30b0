"""What a scan reads beside the core: each reading that ``--services`` can choose, with its name and whether it is on by default.

A `Read` that only such a reading makes names it (`Read.option`), so that a recording can be judged without the collectors: an
answer that it lacks was either not chosen, or should have been there. The core (load balancers, zones, Auto Scaling groups,
clusters, ARC) is always read and has no name here.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from .faults import closest

__all__ = ["ALL", "DEFAULT", "NONE", "SERVICES", "Service", "chosen"]

# Words that stand for several services; they may be mixed with names. `none` stands alone.
ALL, DEFAULT, NONE = "all", "default", "none"
# What people may want to name although it is always read, in botocore's words and in everybody's.
_CORE = frozenset(
    ["alb", "arc", "arc-zonal-shift", "asg", "autoscaling", "ec2", "eks", "elb", "elbv2", "nlb", "sts", "zones"]
)


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """An optional reading: its word, what it reads (in the plural), whether it is on by default, and if not, what it costs."""

    name: str
    says: str
    default: bool = True
    costs: str = ""

    @property
    def missing(self) -> str:
        """Why something is not known where the service was not chosen, and what reads it."""
        return f"{self.says} were not read: `--services {DEFAULT},{self.name}` reads them"


ALARMS = Service(name="alarms", says="the alarms of the region and what mutes them")
CAPACITY_RESERVATIONS = Service(
    name="capacity-reservations",
    says="the capacity reservations of load balancers",
    default=False,
    costs="one call for each load balancer",
)
ECS = Service(name="ecs", says="ECS services, their tasks and what they run on")
ELASTICACHE = Service(name="elasticache", says="ElastiCache replication groups")
NAT = Service(name="nat", says="NAT gateways and the routes to them")
RDS = Service(name="rds", says="RDS and Aurora databases, their clusters and proxies")

SERVICES = {s.name: s for s in sorted((v for v in vars().values() if isinstance(v, Service)), key=lambda s: s.name)}


def chosen(words: Iterable[str] = ()) -> tuple[str, ...]:
    """Names of the services that some words choose, sorted; without words those that are on by default.

    Raises:
        ValueError: a word is no service; the sentence names the one that was meant.
    """
    given = tuple(words) or (DEFAULT,)
    names: set[str] = set()
    for word in given:
        if word == ALL:
            names |= SERVICES.keys()
        elif word == DEFAULT:
            names |= {s.name for s in SERVICES.values() if s.default}
        elif word in SERVICES:
            names.add(word)
        elif word == NONE:
            if len(given) > 1:
                raise ValueError(f"`{NONE}` reads nothing beside the core, so it cannot stand with other words")
        elif word.lower() in _CORE:
            raise ValueError(f"{word!r} is always read; what can be chosen is {', '.join(SERVICES)}")
        else:
            raise ValueError(f"there is no service {word!r} to choose{closest(word, [*SERVICES, ALL, DEFAULT, NONE])}")
    return tuple(sorted(names))
