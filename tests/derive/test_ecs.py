"""ECS services: where they can run, where their tasks are, and what stands behind them, by documented rules and odd answers."""

from __future__ import annotations

import pytest

from auditor.derive.ecs import EcsEstate
from auditor.model import autoscaling, ec2, ecs
from auditor.model.finding import Cause
from auditor.model.known import Outcome, Unknown

from .region import A, B, C, answer, estate, items, region, subject, unknown

ESTATE = """
load_balancers:
  web: {type: application, zones: [a, b, c], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups: {web: {type: ip}}
auto_scaling_groups:
  nodes: {zones: [a, b], max: 6, desired: 3, instances: {a: 2, b: 1}}
ecs:
  prod:
    providers: {on-nodes: nodes}
    services:
      web: {desired: 3, subnets: [a, b, c], target_groups: [web], tasks: {a: 1, b: 1, c: 1}}
      worker: {desired: 2, providers: [on-nodes], tasks: {a: 1, b: 1}}
"""
CLUSTER = "arn:aws:ecs:us-east-1:123456789012:cluster/prod"
OTHER = "arn:aws:ecs:us-east-1:123456789012:cluster/test"


def service(name="web", change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), "EcsService", name)


def changed(name, **fields):
    return {"ecs": {"prod": {"services": {name: fields}}}}


# Where it can run


def test_zones_come_from_subnets():
    node = service()
    assert node.zones == (A, B, C)
    assert node.in_one_zone is False
    assert node.place_words == "its subnets"


def test_zones_come_from_container_instances_and_from_what_may_start_more():
    assert service("worker").zones == (A, B)
    gone = {"auto_scaling_groups": {"nodes": {"instances": {"b": None}}}}
    assert service("worker", gone).zones == (A, B)
    assert service("worker", gone).place_words == "the container instances that may take its tasks"


def test_only_instances_of_its_capacity_providers_take_its_tasks():
    assert service("worker", {"ecs": {"prod": {"instances": {"c": 1}}}}).zones == (A, B)
    launched = {"ecs": {"prod": {"instances": {"c": 1}, "services": {"worker": {"providers": [], "launch": "EC2"}}}}}
    assert service("worker", launched).zones == (A, B, C)


def test_an_instance_that_is_drained_takes_none():
    change = {"ecs": {"prod": {"of": [], "providers": {"on-nodes": None}, "instances": {"a": 1, "b": "1 DRAINING"}}}}
    change["ecs"]["prod"]["services"] = {"worker": {"providers": []}}
    assert service("worker", change).in_one_zone is True


def test_a_constraint_binds_instances_and_zones_alike():
    pinned = changed("worker", pinned=["b"])
    assert service("worker", pinned).zones == (B,)
    assert service("worker", changed("worker", subnets=["a", "c"], pinned=["c"])).zones == (C,)
    custom = changed("worker", constraints=["attribute:stack == blue"])
    custom["ecs"]["prod"]["attributes"] = {"a": {"stack": "blue"}, "b": {"stack": "green"}}
    node = service("worker", custom)  # an instance yet to be started may have any stack
    assert unknown(node.zones)
    assert unknown(node.in_one_zone)


def test_two_zones_that_are_sure_decide_whatever_else_is_in_doubt():
    change = changed("worker", constraints=["attribute:stack == blue"])
    change["ecs"]["prod"]["attributes"] = {"a": {"stack": "blue"}, "b": {"stack": "blue"}}
    change["auto_scaling_groups"] = {"nodes": {"zones": ["a", "b", "c"]}}
    node = service("worker", change)
    assert node.in_one_zone is False
    assert unknown(node.zones)


def test_a_doubt_about_the_only_zone_does_not_matter():
    node = service(change=changed("web", subnets=["a"], launch="EC2", constraints=["attribute:stack == blue"]))
    assert node.in_one_zone is True
    assert node.zones == (A,)


def test_where_nothing_can_run_its_tasks_nothing_is_said_of_zones():
    node = service("worker", changed("worker", pinned=["c"]))
    assert unknown(node.zones)
    assert unknown(node.in_one_zone)


def test_instances_without_a_zone_and_instances_outside_aws():
    change = {"ecs": {"prod": {"attributes": {"a": {"ecs.availability-zone": "absent"}}}}}
    assert unknown(service("worker", change).zones)
    assert unknown(service("worker", changed("worker", providers=[], launch="EXTERNAL")).zones)


def test_instances_that_ecs_manages_itself_have_zones_of_their_own():
    change = {"ecs": {"prod": {"providers": {"auto": "managed"}, "services": {"worker": {"providers": ["auto"]}}}}}
    node = service("worker", change)
    assert node.on_instances is False
    assert unknown(node.zones)  # none of its instances is there
    change["ecs"]["prod"]["services"]["worker"]["subnets"] = ["b", "c"]
    assert service("worker", change).zones == (B, C)


def test_a_task_set_holds_what_an_external_deployment_places():
    node = service(change=changed("web", controller="EXTERNAL"))
    assert (node.zones, node.launch_words, node.feeds_load_balancer) == ((A, B, C), "FARGATE", True)
    assert node.network_words.startswith("awsvpcConfiguration={subnets=[subnet-")


def test_the_network_configuration_is_whole_for_the_command_line():
    node = service()
    assert node.network_words.endswith("],securityGroups=[sg-0a1b2c3d4e5f60718],assignPublicIp=DISABLED}")
    assert node.network_with_more.count("subnet-") == 3
    assert ",SUBNET_IN_ANOTHER_ZONE],securityGroups=" in node.network_with_more
    assert service("worker").network_with_more == "NO_SUBNETS_OF_ITS_OWN"


# Its tasks


def test_running_tasks_by_zone():
    node = service()
    assert (node.running_count, node.uneven_by, node.crowded, node.settling) == (3, 0, False, False)
    assert node.task_words == f"1 in {A}, 1 in {B}, 1 in {C}"
    assert service(change=changed("web", tasks={"a": 2, "c": None}, desired=3)).uneven_by == 2


def test_tasks_of_another_service_in_another_cluster_are_not_its_own():
    change = {"ecs": {"test": {"services": {"web": {"desired": 4, "subnets": ["a"], "tasks": {"a": 4}}}}}}
    nodes = [n for n in estate(ESTATE, change=change).of("EcsService") if n.resource.name == "web"]
    assert [(n.cluster, n.running_count) for n in nodes] == [("prod", 3), ("test", 4)]


def test_a_cluster_in_which_no_service_runs_anything_is_not_asked_for_tasks():
    change = {
        "ecs": {"prod": {"services": {"web": {"tasks": None}, "worker": {"tasks": None}}, "standalone": {"a": 1}}}
    }
    model = estate(ESTATE, change=change)
    assert not model.inventory.asked(ecs.TASK_ARNS)
    assert subject(model, "EcsService", "web").running_count == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"deploying": True},
        {"controller": "EXTERNAL", "deploying": True},
        {"tasks": {"a": "1, 1 PENDING"}},
        {"running": 5},
    ],
)
def test_tasks_that_come_and_go_say_little(fields):
    assert unknown(service(change=changed("web", **fields)).settling)


def test_one_task_of_the_cluster_that_was_not_read_may_be_its_own():
    node = service(deny=[ecs.TASKS.action])
    assert unknown(node.running_count, ecs.TASKS.action)
    assert unknown(node.uneven_by, ecs.TASKS.action)


# The load balancers before it


def test_a_target_group_whose_every_target_is_a_task_is_the_same_cause():
    node = service()
    assert [c.arn.rsplit(":", 1)[1].split("/")[0] for c in node.single_zone_causes] == ["service", "targetgroup"]
    more = {"target_groups": {"web": {"targets": {"a": "2 healthy"}}}}
    assert node.single_zone_causes[:1] == service(change=more).single_zone_causes


def test_a_target_group_of_instances_has_tasks_by_their_instances():
    change = changed("worker", target_groups=["work"])
    change["target_groups"] = {"work": {"type": "instance"}}
    change["load_balancers"] = {
        "web": {"listeners": [{"port": 80, "protocol": "HTTP", "default": {"forward": {"web": 1, "work": 1}}}]}
    }
    assert len(service("worker", change).single_zone_causes) == 2


def test_zones_that_differ_from_those_of_the_load_balancer():
    node = service(change={"load_balancers": {"web": {"zones": ["a", "b"]}}})
    assert (node.zones_that_differ, node.tasks_lost) == ((C,), True)
    assert node.zone_fit_causes == (Cause(node.resource.arn, C.key),)
    node = service(change=changed("web", subnets=["a", "b"], tasks={"c": None}))
    assert (node.zones_that_differ, node.tasks_lost) == ((C,), False)
    assert node.zone_fit_causes[0].arn.endswith(":targetgroup/web/" + node.zone_fit_causes[0].arn.rsplit("/")[-1])


def test_without_a_target_group_nothing_differs():
    node = service("worker")
    assert (node.feeds_load_balancer, node.zones_that_differ, node.tasks_lost) == (False, (), False)


# What it runs on


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, True),
        ({"providers": [], "launch": "EC2"}, True),
        ({"providers": [], "launch": "EXTERNAL"}, False),
        ({"providers": ["FARGATE_SPOT", "FARGATE"], "subnets": ["a"]}, False),
        ({"providers": [], "launch": "MANAGED_INSTANCES", "subnets": ["a"]}, False),
    ],
)
def test_what_runs_on_instances_of_the_account(fields, expected):
    assert service("worker", changed("worker", **fields)).on_instances is expected


def test_whether_it_runs_on_instances_hangs_on_the_capacity_provider():
    node = service("worker", deny=[ecs.CAPACITY_PROVIDERS.action])
    assert unknown(node.on_instances, ecs.CAPACITY_PROVIDERS.action)


def test_groups_behind_the_providers_of_one_service_stand_together():
    change = {
        "auto_scaling_groups": {"more": {"zones": ["c"], "max": 3, "desired": 1, "instances": {"c": 1}}},
        "ecs": {
            "prod": {"providers": {"on-more": "more"}, "services": {"worker": {"providers": ["on-nodes", "on-more"]}}}
        },
    }
    model = estate(ESTATE, change=change)
    node = subject(model, "AutoScalingGroup", "more")
    assert node.union_names == ("more", "nodes")
    assert node.union_zones == (A, B, C)
    assert node.carries_tasks is True
    denied = subject(estate(ESTATE, change=change, deny=[ecs.SERVICES.action]), "AutoScalingGroup", "more")
    assert unknown(denied.union_names, ecs.SERVICES.action)
    assert unknown(denied.carries_tasks, ecs.SERVICES.action)


def test_what_was_left_out_by_choice_is_in_doubt_only_for_groups_that_ecs_marked():
    left_out = {"services": ["none"]}
    assert subject(estate(ESTATE, change=left_out), "AutoScalingGroup", "nodes").carries_tasks is False
    marked = {**left_out, "auto_scaling_groups": {"nodes": {"tags": {"AmazonECSManaged": "true"}}}}
    doubt = subject(estate(ESTATE, change=marked), "AutoScalingGroup", "nodes").carries_tasks
    assert isinstance(doubt, Unknown)
    assert doubt.unchosen is not None


# Services as AWS lists them


def service_answers(*services, listed=None, failures=(), cluster=CLUSTER):
    arns = [s["serviceArn"] for s in services]
    yield items(ecs.SERVICE_ARNS, arns if listed is None else listed, {"cluster": cluster})
    params = {"cluster": cluster, "services": arns if listed is None else listed, "include": ["TAGS"]}
    yield answer(ecs.SERVICES, {"services": list(services), "failures": list(failures)}, params)


def made(name, cluster=CLUSTER, **fields):
    arn = f"arn:aws:ecs:us-east-1:123456789012:service/{cluster.rsplit('/')[-1]}/{name}"
    return {
        "serviceArn": arn,
        "serviceName": name,
        "clusterArn": cluster,
        "status": "ACTIVE",
        "desiredCount": 1,
        **fields,
    }


def test_a_service_that_is_missing_has_gone_and_is_no_gap():
    gone = made("old")["serviceArn"]
    found = EcsEstate(
        region(
            items(ecs.CLUSTER_ARNS, [CLUSTER]),
            *service_answers(
                made("web"), listed=[made("web")["serviceArn"], gone], failures=[{"arn": gone, "reason": "MISSING"}]
            ),
        )
    )
    assert [s.serviceName for s in found.services] == ["web"]
    assert found.gaps == []
    assert found.inventory.vanished(ecs.SERVICES, gone)


def test_a_service_that_fails_otherwise_leaves_a_gap():
    lost = made("old")["serviceArn"]
    found = EcsEstate(
        region(
            items(ecs.CLUSTER_ARNS, [CLUSTER]),
            *service_answers(
                made("web"), listed=[made("web")["serviceArn"], lost], failures=[{"arn": lost, "reason": "BUSY"}]
            ),
        )
    )
    assert [s.serviceName for s in found.services] == ["web"]
    assert [(g.action, g.outcome, g.code) for g in found.gaps] == [(ecs.SERVICES.action, Outcome.FAILED, "BUSY")]
    assert found.unread is not None


def test_a_service_that_aws_neither_describes_nor_misses_is_not_known():
    silent = made("old")["serviceArn"]
    found = EcsEstate(region(items(ecs.CLUSTER_ARNS, [CLUSTER]), *service_answers(listed=[silent])))
    assert found.services == ()
    assert silent in found.gaps[0].says


def test_a_cluster_that_vanished_has_no_services_and_is_no_gap():
    found = EcsEstate(
        region(
            items(ecs.CLUSTER_ARNS, [CLUSTER]),
            answer(ecs.SERVICE_ARNS, None, {"cluster": CLUSTER}, fails=Outcome.GONE, code="ClusterNotFoundException"),
        )
    )
    assert (found.services, found.gaps) == ((), [])


@pytest.mark.parametrize("status", ["DRAINING", "INACTIVE"])
def test_what_is_being_deleted_is_left_out(status):
    found = EcsEstate(region(items(ecs.CLUSTER_ARNS, [CLUSTER]), *service_answers(made("web", status=status))))
    assert (found.services, found.gaps) == ((), [])


def test_an_arn_of_the_older_form_may_stand_for_services_of_two_clusters():
    old = {"serviceArn": "arn:aws:ecs:us-east-1:123456789012:service/web"}
    found = EcsEstate(
        region(
            items(ecs.CLUSTER_ARNS, [CLUSTER, OTHER]),
            *service_answers({**made("web"), **old}),
            *service_answers({**made("web", OTHER), **old, "desiredCount": 5}, cluster=OTHER),
        )
    )
    assert [(s.clusterArn, s.desiredCount) for s in found.services] == [(CLUSTER, 1), (OTHER, 5)]


def test_a_capacity_provider_may_name_its_group_by_arn_or_by_name():
    strategy = [{"capacityProvider": name, "weight": 1} for name in ("by-arn", "by-name", "auto")]
    group = "arn:aws:autoscaling:us-east-1:123456789012:autoScalingGroup:1:autoScalingGroupName/nodes"
    answers = [
        {"name": "by-arn", "autoScalingGroupProvider": {"autoScalingGroupArn": group}},
        {"name": "by-name", "autoScalingGroupProvider": {"autoScalingGroupArn": "nodes"}},
        {"name": "auto", "managedInstancesProvider": {}},
    ]
    params = {"cluster": CLUSTER, "capacityProviders": ["by-arn", "by-name", "auto"]}
    found = EcsEstate(
        region(
            items(ecs.CLUSTER_ARNS, [CLUSTER]),
            *service_answers(made("web", capacityProviderStrategy=strategy)),
            items(ecs.CAPACITY_PROVIDERS, answers, params),
        )
    )
    assert [found.scaling_group(p) for p in ("by-arn", "by-name", "auto", "FARGATE")] == ["nodes", "nodes", None, None]
    assert found.carried("nodes") == (made("web")["serviceArn"],)
    assert found.providers_unread is None


def test_providers_without_weight_and_base_get_no_task():
    uses = [
        {"capacityProvider": "base", "base": 1},
        {"capacityProvider": "arn:aws:ecs:us-east-1:123456789012:capacity-provider/weighted", "weight": 2},
        {"capacityProvider": "idle"},
    ]
    found = EcsEstate(
        region(items(ecs.CLUSTER_ARNS, [CLUSTER]), *service_answers(made("web", capacityProviderStrategy=uses)))
    )
    assert ecs.providers_of(found.services[0]) == ("base", "weighted")


def test_missing_answers_name_what_they_lack():
    listing = EcsEstate(region(items(autoscaling.AUTO_SCALING_GROUPS, []), items(ec2.SUBNETS, [])))
    assert [g.kind for g in listing.gaps] == ["not_asked"]
    assert unknown(listing.unread, ecs.CLUSTER_ARNS.action)
