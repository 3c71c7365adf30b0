"""Which registered targets are nobody's any more: the instance stopped or gone, the address held by no network interface?

A target that is healthy, starts or leaves is somebody's, and so is one that answers its check with any status code. An instance
of an Auto Scaling group or of its warm pool is the group's to start, to replace and to deregister.

https://docs.aws.amazon.com/elasticloadbalancing/latest/application/target-group-register-targets.html
https://docs.aws.amazon.com/vpc/latest/userguide/vpc-sharing.html
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeVar

from ..model import autoscaling, ec2
from ..model.finding import Cause
from ..model.identity import Zone
from ..model.known import Known, Unknown, merge, unclear
from ..model.vpc_addresses import VpcSubnets, may_be_nobodys
from .group_health import GroupView
from .interfaces import Interfaces
from .links import Links
from .nodes.odd_targets import StaleTarget
from .nodes.target_groups import Target

T = TypeVar("T")
_STOPPED = frozenset({"stopping", "stopped"})
_ENDED = frozenset({"shutting-down", "terminated"})


class StaleTargets:
    """Indexes over the instances, Auto Scaling groups, subnets and interfaces of a region."""

    def __init__(self, links: Links, interfaces: Interfaces) -> None:
        self._inventory = links.inventory
        self._interfaces = interfaces
        self._instances = self._inventory.listing(ec2.INSTANCES)
        self._groups = self._inventory.listing(autoscaling.AUTO_SCALING_GROUPS)
        self._subnets = self._inventory.listing(ec2.SUBNETS)

    def of(self, view: GroupView) -> Known[tuple[StaleTarget, ...]]:
        """Stale targets of a group; unknown where none is seen and one may be."""
        if isinstance(view.targets, Unknown):
            return view.targets
        judge = self._instance if view.group.TargetType == "instance" else self._address
        return odd_ones(_stale(t, judge(view, t)) for t in view.targets if _in_doubt(t))

    def _instance(self, _: GroupView, target: Target) -> Known[str]:
        state = self._states.get(target.Id)
        if state is None and not self._instances.complete:
            return self._instances.unknown
        if state is not None and state not in _STOPPED | _ENDED:
            return ""
        if target.Id in self._members:
            return ""
        if not self._groups.complete:
            return self._groups.unknown
        if state in _STOPPED and self._pools_unknown is not None:
            return self._pools_unknown
        if state is None:
            return "is an instance that EC2 does not know any more"
        return "is stopped" if state in _STOPPED else "is terminated"

    def _address(self, view: GroupView, target: Target) -> Known[str]:
        vpc, account = view.group.VpcId or "", self._inventory.scope.account_id
        subnet = self._by_vpc.holding(vpc, target.Id)
        if subnet is None:
            return self._outside(vpc, account, target)
        if self._interfaces.holds(vpc, target.Id):
            return ""
        if subnet.OwnerId != account:
            whose = f"the account {subnet.OwnerId}" if subnet.OwnerId else "an account that AWS does not name"
            return unclear(f"{target.Id} lies in a subnet of {whose}, whose network interfaces are not listed here")
        why = self._interfaces.absence_unknown
        return why if why is not None else "is an address that no network interface holds"

    def _outside(self, vpc: str, account: str, target: Target) -> Known[str]:
        """An address in no subnet that was read: nothing can be said of it, and nothing need be, outside the VPC."""
        if target.zone is None:
            return ""
        if not self._subnets.complete:
            return self._subnets.unknown
        if self._by_vpc.owners(vpc) != {account}:
            return unclear(f"{target.Id} may lie in a subnet of {vpc} that is not shared with this account")
        return ""

    @cached_property
    def _by_vpc(self) -> VpcSubnets:
        return VpcSubnets(self._subnets)

    @cached_property
    def _states(self) -> dict[str, str]:
        return {i.InstanceId: i.State.Name for r in self._instances for i in r.Instances}

    @cached_property
    def _members(self) -> frozenset[str]:
        pools = (self._inventory.listing(autoscaling.WARM_POOL, n) for n in self._with_pool)
        return frozenset(
            [i.InstanceId for g in self._groups for i in g.Instances] + [i.InstanceId for p in pools for i in p]
        )

    @cached_property
    def _with_pool(self) -> tuple[str, ...]:
        return tuple(sorted(g.AutoScalingGroupName for g in self._groups if g.WarmPoolConfiguration))

    @cached_property
    def _pools_unknown(self) -> Unknown | None:
        pools = [self._inventory.listing(autoscaling.WARM_POOL, name) for name in self._with_pool]
        missing = [pool.unknown for pool in pools if not pool.complete]
        return merge(missing) if missing else None


def _stale(target: Target, why: Known[str]) -> Known[StaleTarget | None]:
    if isinstance(why, Unknown):
        return why
    if not why:
        return None
    return StaleTarget(label=target.label, argument=argument_of(target), words=f"{target.label} {why}")


def _in_doubt(target: Target) -> bool:
    return may_be_nobodys(target.State, target.Reason) and not target.codes


def odd_ones(judged: Iterable[Known[T | None]]) -> Known[tuple[T, ...]]:
    """What was found odd; unknown when nothing was, and it is not known of one."""
    found, doubts = [], []
    for one in judged:
        if isinstance(one, Unknown):
            doubts.append(one)
        elif one is not None:
            found.append(one)
    return tuple(found) if found or not doubts else merge(doubts)


def argument_of(target: Target) -> str:
    """A target as a command of the AWS CLI takes it."""
    place = ",AvailabilityZone=all" if target.zone is None else ""
    return f"Id={target.Id}{place}" if target.Port is None else f"Id={target.Id},Port={target.Port}{place}"


def causes_of(view: GroupView, stale: Known[tuple[StaleTarget, ...]]) -> tuple[Cause, ...]:
    """The group as a whole where stale targets are all that fails in it without a code; else only the zones they stand in."""
    if isinstance(stale, Unknown) or isinstance(view.targets, Unknown):
        return ()
    labels = {t.label for t in stale}
    arn = view.group.TargetGroupArn
    if all(t.label in labels for t in view.targets if t.unhealthy and not t.codes and not t.fails_on_purpose):
        return (Cause(arn),)
    zones = {t.zone.key for t in view.targets if t.label in labels and isinstance(t.zone, Zone)}
    return tuple(Cause(arn, zone) for zone in sorted(zones))
