"""Services of Amazon ECS."""

from __future__ import annotations

from typing import Annotated

from ...model.finding import Cause
from ...model.identity import Zone
from ...model.known import Known
from ..node import Fact, Node

_SERVICE = "ecs:DescribeServices"
_TASKS = "ecs:DescribeTasks"
_INSTANCES = "ecs:DescribeContainerInstances"
_PROVIDERS = "ecs:DescribeCapacityProviders"
_SUBNETS = "ec2:DescribeSubnets"
_ASG = "autoscaling:DescribeAutoScalingGroups"
_NETWORK = _SERVICE + "#networkConfiguration"
# What says in which zones tasks can run.
_PLACES = (_NETWORK, _SUBNETS, _INSTANCES, _PROVIDERS, _ASG)
# What says which zones a load balancer serves, and that a target group is in use there.
_SERVED = (
    "elbv2:DescribeLoadBalancers",
    "elbv2:DescribeTargetGroups",
    "elbv2:DescribeListeners",
    "elbv2:DescribeRules",
)


class EcsService(Node, frozen=True, kw_only=True):
    """An active service of Amazon ECS."""

    name: Annotated[str, Fact("name of the service", _SERVICE)]
    cluster: Annotated[str, Fact("name of its cluster", _SERVICE)]
    desired_count: Annotated[int, Fact("tasks it is meant to run", _SERVICE + "#desiredCount")]
    wants_tasks: Annotated[
        bool,
        Fact(
            "whether it keeps a number of tasks above 0 running",
            _SERVICE + "#desiredCount",
            _SERVICE + "#schedulingStrategy",
        ),
    ]
    wants_several: Annotated[
        bool,
        Fact(
            "whether it keeps two or more tasks running",
            _SERVICE + "#desiredCount",
            _SERVICE + "#schedulingStrategy",
        ),
    ]
    launch_words: Annotated[
        str, Fact("what its tasks run on, in words", _SERVICE + "#launchType", _SERVICE + "#capacityProviderStrategy")
    ]
    on_instances: Annotated[
        Known[bool],
        Fact(
            "whether its tasks run on EC2 instances of the account",
            _SERVICE + "#launchType",
            _SERVICE + "#capacityProviderStrategy",
            _PROVIDERS,
        ),
    ]
    own_subnets: Annotated[
        bool, Fact("whether its tasks have network interfaces in subnets of its own (awsvpc)", _NETWORK)
    ]
    zones: Annotated[Known[tuple[Zone, ...]], Fact("zones in which it can run tasks", *_PLACES)]
    in_one_zone: Annotated[Known[bool], Fact("whether it can run tasks in one zone only", *_PLACES)]
    together_in_one_zone: Annotated[
        Known[bool],
        Fact("whether the services behind the same target groups can together run tasks in one zone only", *_PLACES),
    ]
    together_names: Annotated[
        Known[tuple[str, ...]],
        Fact("services behind the same target groups, this one included", _SERVICE + "#loadBalancers"),
    ]
    place_words: Annotated[str, Fact("what its zones follow from, in words", _NETWORK)]
    single_zone_causes: Annotated[
        Known[tuple[Cause, ...]],
        Fact(
            "itself, and the target groups whose every usable target is a task of it or beside it",
            _TASKS,
            "elbv2:DescribeTargetHealth",
        ),
    ]
    network_words: Annotated[
        str, Fact("its network configuration as the AWS CLI takes it; NO_SUBNETS_OF_ITS_OWN without one", _NETWORK)
    ]
    network_with_more: Annotated[
        str, Fact("the same with one more subnet to be filled in; NO_SUBNETS_OF_ITS_OWN without one", _NETWORK)
    ]
    controller: Annotated[
        str, Fact("who deploys it: ECS, CODE_DEPLOY or EXTERNAL", _SERVICE + "#deploymentController.type")
    ]
    rebalancing_on: Annotated[
        bool, Fact("whether Availability Zone rebalancing is on", _SERVICE + "#availabilityZoneRebalancing")
    ]
    rebalancing_possible: Annotated[
        bool,
        Fact(
            "whether its other settings allow Availability Zone rebalancing",
            _SERVICE + "#placementStrategy",
            _SERVICE + "#placementConstraints",
            _SERVICE + "#deploymentConfiguration.maximumPercent",
            _SERVICE + "#deploymentController.type",
            _SERVICE + "#loadBalancers",
        ),
    ]
    spreads_over_zones: Annotated[
        Known[bool],
        Fact(
            "whether tasks are spread over zones before anything else: by the first placement strategy, by the default that "
            "holds without one, or by capacity providers that have a zone each",
            _SERVICE + "#placementStrategy",
            _PROVIDERS,
            _ASG,
        ),
    ]
    placement_words: Annotated[
        str, Fact("its placement strategies in order, in words", _SERVICE + "#placementStrategy")
    ]
    running_count: Annotated[Known[int], Fact("running tasks that were seen", _TASKS, "ecs:ListTasks")]
    task_words: Annotated[Known[str], Fact("running tasks per zone, in words", _TASKS, "ecs:ListTasks", *_PLACES)]
    uneven_by: Annotated[
        Known[int],
        Fact("most minus fewest running tasks over the zones it can use, empty ones included", _TASKS, *_PLACES),
    ]
    crowded: Annotated[
        Known[bool],
        Fact("of four or more tasks, over half and over 1.5 times an even share run in one zone", _TASKS, *_PLACES),
    ]
    settling: Annotated[
        Known[bool],
        Fact(
            "false, or unknown while a deployment is in progress or tasks start",
            _SERVICE + "#deployments",
            _SERVICE + "#pendingCount",
            _TASKS,
        ),
    ]
    required_tasks: Annotated[
        Known[int | None],
        Fact(
            "tasks the settings say are needed without any one zone; null without a figure",
            _SERVICE + "#loadBalancers",
            "elbv2:DescribeTags",
        ),
    ]
    zones_short: Annotated[
        Known[tuple[Zone, ...]], Fact("zones whose loss leaves less than that", _TASKS, _SERVICE + "#loadBalancers")
    ]
    imbalance_words: Annotated[Known[str], Fact("what is uneven or too few, in words", _TASKS, *_PLACES)]
    feeds_load_balancer: Annotated[
        bool, Fact("whether it registers its tasks with a target group", _SERVICE + "#loadBalancers")
    ]
    zones_that_differ: Annotated[
        Known[tuple[Zone, ...]],
        Fact("zones that only it or only the load balancer before it has", *_SERVED, *_PLACES),
    ]
    zone_fit_words: Annotated[Known[str], Fact("how they differ, in words", *_SERVED, *_PLACES)]
    tasks_lost: Annotated[
        Known[bool], Fact("whether tasks run in a zone the load balancer does not serve", _TASKS, *_SERVED)
    ]
    zone_fit_causes: Annotated[
        Known[tuple[Cause, ...]], Fact("the service or the target group, in each zone that differs", *_SERVED, *_PLACES)
    ]
