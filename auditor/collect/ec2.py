"""Amazon EC2: regions, zones, subnets; the instances that targets name, and no other; where types are on offer."""

from collections.abc import Iterator

from ..model import autoscaling, ec2, elb, elbv2
from .call import Call, Params, Stage, View, once

VALUES_AT_ONCE = 200  # of one filter


def _instance_ids(view: View) -> list[str]:
    ids: set[str] = set()
    for group in view.listing(elbv2.TARGET_GROUPS):
        if group.TargetType == "instance" and group.LoadBalancerArns:
            ids.update(t.Target.Id for t in view.listing(elbv2.TARGET_HEALTH, group.TargetGroupArn))
    for balancer in view.listing(elb.LOAD_BALANCERS):
        ids.update(i.InstanceId for i in balancer.Instances)
    return sorted(ids - {""})


def _by_instance(view: View) -> Iterator[Params]:
    """By filter, not by `InstanceIds`: one instance that has gone would fail the whole call."""
    ids = _instance_ids(view)
    for start in range(0, len(ids), VALUES_AT_ONCE):
        yield {"Filters": [{"Name": "instance-id", "Values": ids[start : start + VALUES_AT_ONCE]}]}


def _by_instance_type(view: View) -> Iterator[Params]:
    """Where EC2 offers the types that Auto Scaling groups use, by zone ID; nothing is asked of groups without any."""
    types = sorted({t for g in view.listing(autoscaling.AUTO_SCALING_GROUPS) for t in autoscaling.instance_types(g)})
    for start in range(0, len(types), VALUES_AT_ONCE):
        values = types[start : start + VALUES_AT_ONCE]
        yield {"LocationType": "availability-zone-id", "Filters": [{"Name": "instance-type", "Values": values}]}


def _addresses_matter(view: View) -> bool:
    return any(g.TargetType in ("alb", "ip") and g.LoadBalancerArns for g in view.listing(elbv2.TARGET_GROUPS))


REGIONS = Call(ec2.REGIONS, once(AllRegions=True), stage=Stage.ACCOUNT)
AVAILABILITY_ZONES = Call(ec2.AVAILABILITY_ZONES, stage=Stage.ZONES)
SUBNETS = Call(ec2.SUBNETS, page_size=1000)
INSTANCES = Call(
    ec2.INSTANCES,
    _by_instance,
    depends=(elbv2.TARGET_GROUPS, elbv2.TARGET_HEALTH, elb.LOAD_BALANCERS),
    page_size=1000,
)
INSTANCE_TYPE_OFFERINGS = Call(
    ec2.INSTANCE_TYPE_OFFERINGS,
    _by_instance_type,
    depends=(autoscaling.AUTO_SCALING_GROUPS,),
    page_size=1000,
)
NETWORK_INTERFACES = Call(
    ec2.NETWORK_INTERFACES,
    once(_addresses_matter, Filters=[{"Name": "description", "Values": ["ELB *"]}]),
    depends=(elbv2.TARGET_GROUPS,),
    page_size=1000,
)
