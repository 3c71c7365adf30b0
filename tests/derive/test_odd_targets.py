"""Targets that are nobody's, a load balancer's own, other load balancers' as well, or anomalous in one zone."""

from __future__ import annotations

import copy

import msgspec
import pytest

from auditor.derive.anomalies import anomalies_of
from auditor.derive.build import derive
from auditor.derive.evidence import evidence_for
from auditor.evaluate.scenario import answers, changed
from auditor.evaluate.yaml_text import load_yaml
from auditor.model.finding import Cause
from auditor.model.known import Unknown, unclear
from auditor.record.decode import decode

from .region import ZONES, A, B, estate, subject, unknown

ALB = """
load_balancers:
  shop:
    type: application
    zones: [a, b]
    attributes: {zonal_shift.config.enabled: "true"}
    listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]
target_groups:
  web: {type: ip, targets: {a: 2 healthy, b: 2 healthy}}
"""
INTERFACES = "ec2:DescribeNetworkInterfaces"


def web(targets=None, text=ALB, kind=None, deny=(), **change):
    group = {"targets": targets} if targets else {}
    group |= {"type": kind} if kind else {}
    change = {"target_groups": {"web": group}, **change}
    return subject(estate(text, change=change, deny=deny), "TargetGroup", "web")


def words(found):
    return [t.words for t in found]


def edited(edit, change=None, text=ALB):
    """The group `web` after answers of the recording were edited by operation."""
    scenario = changed({"zones": ZONES, **load_yaml(text)}, change or {})
    pages, header, footer = answers(scenario)
    new = []
    for page in pages:
        response = copy.deepcopy(page.response)
        if page.operation in edit and response is not None:
            edit[page.operation](response)
        new.append(msgspec.structs.replace(page, response=response))
    (model,) = derive(decode(new, header, footer)).regions
    return subject(model, "TargetGroup", "web")


# Nobody's


def test_an_address_that_no_interface_holds_with_its_name_and_the_way_to_deregister_it():
    found = web({"a": "2 healthy, 1 unhealthy gone"}).stale_targets
    (stale,) = found
    address = stale.label.partition(":")[0]
    assert stale.words == f"{stale.label} is an address that no network interface holds"
    assert stale.argument == f"Id={address},Port=80"
    (inside,) = web({"all-inside": "1 unhealthy gone"}).stale_targets
    assert inside.argument == f"Id={inside.label.partition(':')[0]},Port=80,AvailabilityZone=all"


def test_an_interface_with_a_range_holds_the_addresses_of_pods():
    def with_range(response):
        response["NetworkInterfaces"][0]["Ipv4Prefixes"] = [{"Ipv4Prefix": "10.0.0.0/24"}]

    change = {"target_groups": {"web": {"targets": {"a": "1 unhealthy gone"}}}}
    assert edited({}, change).stale_targets
    assert edited({"DescribeNetworkInterfaces": with_range}, change).stale_targets == ()


def test_an_instance_by_its_state():
    def state(name):
        def edit(response):
            for reservation in response["Reservations"]:
                reservation["Instances"][0]["State"] = {"Code": 0, "Name": name}

        return {"DescribeInstances": edit}

    change = {"target_groups": {"web": {"type": "instance", "targets": {"a": "1 unhealthy"}}}}
    for name, said in {
        "stopped": "is stopped",
        "stopping": "is stopped",
        "terminated": "is terminated",
        "shutting-down": "is terminated",
    }.items():
        (text,) = words(edited(state(name), change).stale_targets)
        assert text.endswith(said)
    for name in ("running", "pending"):
        assert edited(state(name), change).stale_targets == ()
    change = {"target_groups": {"web": {"type": "instance", "targets": {"a": "1 healthy"}}}}
    assert edited(state("terminated"), change).stale_targets == ()


SCALED = """
load_balancers:
  shop: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]}
target_groups:
  web: {type: instance, targets: {a: 1 unused InvalidState}}
auto_scaling_groups:
  nodes:
    zones: [a, b]
    max: 4
    desired: 1
    target_groups: [web]
    instances: {a: 1}
    warm_pool: {instances: {a: "1 Warmed:Stopped"}}
"""


def test_an_instance_of_an_auto_scaling_group_is_the_groups_to_replace():
    assert web(text=SCALED).stale_targets == ()
    # One that the group does not have (any more).
    assert web({"a": "2 unused InvalidState"}, text=SCALED).stale_targets[0].words.endswith("is stopped")
    assert len(web({"a": "2 unused InvalidState"}, text=SCALED).stale_targets) == 1


def test_an_instance_of_a_warm_pool_waits_to_be_started():
    change = {"target_groups": {"web": {"targets": {"a": "2 unused InvalidState"}}}}

    def second_in_pool(response):
        ids = [r["Instances"][0]["InstanceId"] for r in seen]
        response["Instances"] = [{**response["Instances"][0], "InstanceId": i} for i in ids]

    seen = []
    edit = {"DescribeInstances": lambda r: seen.extend(r["Reservations"]), "DescribeWarmPool": second_in_pool}
    assert edited(edit, change, SCALED).stale_targets == ()


def test_a_terminated_instance_needs_no_warm_pool():
    def ended(response):
        for reservation in response["Reservations"]:
            reservation["Instances"][0]["State"]["Name"] = "terminated"

    text, deny = SCALED, ["autoscaling:DescribeWarmPool"]
    assert unknown(web({"a": "2 unused InvalidState"}, text=text, deny=deny).stale_targets, deny[0])
    change = {"target_groups": {"web": {"targets": {"a": "2 unused InvalidState"}}}}

    def refuse(response):
        response.clear()

    found = edited({"DescribeInstances": ended, "DescribeWarmPool": refuse}, change, SCALED).stale_targets
    assert words(found)[0].endswith("is terminated")


def test_a_partial_reading_is_unknown_unless_it_shows_a_stale_one():
    action = "ec2:DescribeInstances"
    change = {"target_groups": {"web": {"type": "instance", "targets": {"a": "1 unused InvalidState"}}}}
    assert unknown(subject(estate(ALB, change=change, deny=[action]), "TargetGroup", "web").stale_targets, action)
    cut = {"cut": [action], "target_groups": {"web": {"type": "instance", "targets": {"unplaced": "2 unhealthy"}}}}
    assert unknown(subject(estate(ALB, change=cut), "TargetGroup", "web").stale_targets, action)
    cut["target_groups"]["web"]["targets"] = {"a": "3 unused InvalidState"}
    assert 0 < len(subject(estate(ALB, change=cut), "TargetGroup", "web").stale_targets) < 3


@pytest.mark.parametrize(
    ("kind", "target", "action"),
    [
        ("instance", "1 unused InvalidState", "autoscaling:DescribeAutoScalingGroups"),
        ("instance", "1 unused InvalidState", "ec2:DescribeInstances"),
        ("ip", "1 unhealthy gone", "ec2:DescribeSubnets"),
        ("ip", "1 unhealthy gone", INTERFACES),
        ("ip", "1 unhealthy gone", "elasticloadbalancing:DescribeTargetHealth"),
    ],
)
def test_what_each_kind_of_target_needs(kind, target, action):
    assert web({"a": target}, kind=kind).stale_targets
    assert unknown(web({"a": target}, kind=kind, deny=[action]).stale_targets, action)
    if "TargetHealth" not in action:
        assert web({"a": "1 healthy"}, kind=kind, deny=[action]).stale_targets == ()


def test_one_doubtful_target_hides_no_certain_one():
    def foreign(response):
        for subnet in response["Subnets"]:
            if subnet["AvailabilityZone"].endswith("b"):
                subnet["OwnerId"] = "444455556666"

    change = {"target_groups": {"web": {"targets": {"a": "1 unhealthy gone", "b": "1 unhealthy gone"}}}}
    (stale,) = edited({"DescribeSubnets": foreign}, change).stale_targets
    assert stale.label.startswith("10.0.0.")
    change["target_groups"]["web"]["targets"]["a"] = "1 healthy"
    assert "444455556666" in edited({"DescribeSubnets": foreign}, change).stale_targets.reasons[0].says


def test_a_subnet_whose_owner_is_not_named():
    def nobody(response):
        for subnet in response["Subnets"]:
            del subnet["OwnerId"]

    change = {"target_groups": {"web": {"targets": {"a": "1 unhealthy gone"}}}}
    assert "does not name" in edited({"DescribeSubnets": nobody}, change).stale_targets.reasons[0].says


def test_an_address_in_no_subnet_lies_outside_unless_the_vpc_is_shared():
    def away(response):
        for health in response["TargetHealthDescriptions"]:
            health["Target"]["Id"] = "172.16.0.4"

    change = {"target_groups": {"web": {"targets": {"a": "1 unhealthy"}}}}
    edit = {"DescribeTargetHealth": away}
    assert edited(edit, change).stale_targets == ()
    assert isinstance(edited(edit, {**change, "vpc_owner": "444455556666"}).stale_targets, Unknown)
    # One on premises is registered for all zones, which AWS accepts of nothing that lies in the VPC's subnets.
    change["target_groups"]["web"]["targets"] = {"all": "1 unhealthy"}
    assert edited(edit, {**change, "vpc_owner": "444455556666"}).stale_targets == ()


def test_an_interface_that_is_seen_in_a_shared_vpc_settles_it():
    def held(response):
        response["NetworkInterfaces"][0]["PrivateIpAddresses"].append({"PrivateIpAddress": "10.0.0.10"})

    change = {"vpc_owner": "444455556666", "target_groups": {"web": {"targets": {"a": "1 unhealthy"}}}}
    assert isinstance(edited({}, change).stale_targets, Unknown)
    assert edited({"DescribeNetworkInterfaces": held}, change).stale_targets == ()


def test_stale_targets_explain_a_group_where_they_are_all_that_fails():
    one = web({"a": "1 healthy, 1 unhealthy gone"})
    assert one.stale_causes == (Cause(one.TargetGroupArn),)
    with_code = web({"a": "1 unhealthy gone", "b": "1 unhealthy 302"})
    assert with_code.stale_causes == (Cause(with_code.TargetGroupArn),)
    more = web({"a": "1 unhealthy gone", "b": "1 unhealthy Timeout"})
    assert more.stale_causes == (Cause(more.TargetGroupArn, "use1-az1"),)
    assert web({"a": "1 unhealthy gone"}, deny=[INTERFACES]).stale_causes == ()


# A load balancer's own


def test_nodes_by_the_name_of_their_load_balancer_and_their_interface():
    model = estate(ALB, change={"target_groups": {"web": {"targets": {"a": "1 healthy, 1 healthy @shop"}}}})
    found = subject(model, "TargetGroup", "web")
    (node,) = found.balancer_address_targets
    assert node.words.startswith(f"{node.label} is a node of the Application Load Balancer shop (eni-")
    said, targets, interface = evidence_for(model, found, node, "words", node.words)
    assert said.value == node.words
    assert any(node.label.partition(":")[0] in row for row in targets.value)
    assert interface.source == "ec2:DescribeNetworkInterfaces"
    assert interface.says == f"Description of {node.NetworkInterfaceId}, as AWS returned it"
    assert interface.value.startswith("ELB app/shop/")


def test_the_same_address_in_another_vpc_is_another_address():
    def elsewhere(response):
        for interface in response["NetworkInterfaces"]:
            interface["VpcId"] = "vpc-2"

    change = {"target_groups": {"web": {"targets": {"a": "1 healthy @shop"}}}}
    assert edited({"DescribeNetworkInterfaces": elsewhere}, change).balancer_address_targets == ()


NLB = """
load_balancers:
  shop: {type: network, zones: [a, b], listeners: [{port: 80, protocol: TCP, default: {forward: web}}]}
  inner: {type: network, zones: [a, b], scheme: internal}
target_groups:
  web: {type: ip, protocol: TCP, targets: {a: 1 healthy @inner}}
"""


@pytest.mark.parametrize(
    ("protocol", "setting", "lost"),
    [
        ("TCP", "absent", False),  # off by default for addresses behind TCP
        ("TCP", "false", False),
        ("TCP", "true", True),
        ("UDP", "absent", True),  # always on
    ],
)
def test_a_static_address_is_lost_where_the_group_keeps_the_addresses_of_clients(protocol, setting, lost):
    change = {
        "load_balancers": {
            "shop": {"listeners": [{"port": 80, "protocol": protocol, "default": {"forward": "web"}}]},
        },
        "target_groups": {"web": {"protocol": protocol, "attributes": {"preserve_client_ip.enabled": setting}}},
    }
    assert bool(subject(estate(NLB, change=change), "TargetGroup", "web").balancer_address_targets) is lost


def test_without_attributes_a_static_address_is_unknown_and_a_moving_one_is_not():
    deny = ["elasticloadbalancing:DescribeTargetGroupAttributes"]
    assert unknown(subject(estate(NLB, deny=deny), "TargetGroup", "web").balancer_address_targets, deny[0])
    assert len(web({"a": "1 healthy @shop"}, deny=deny).balancer_address_targets) == 1


# Other load balancers' as well

SHARED = """
load_balancers:
  shop:
    type: application
    zones: [a, b]
    attributes: {zonal_shift.config.enabled: "true"}
    listeners: [{port: 80, protocol: HTTP, default: {forward: web}}]
  admin: {type: application, zones: [a, b], listeners: [{port: 80, protocol: HTTP, default: {forward: tools}}]}
target_groups:
  web: {type: ip, targets: {a: 3 healthy, b: 2 healthy}}
  tools: {type: ip, targets: {a: 3 healthy =web, b: 2 healthy =web}}
"""


def test_groups_that_share_are_named_with_how_many_and_some_of_them():
    (found,) = web(text=SHARED).shared_with
    assert (found.TargetGroupName, found.LoadBalancerName, len(found.labels)) == ("tools", "admin", 5)
    assert found.words == f"5 with tools of admin ({', '.join(found.labels[:3])} and 2 more)"
    (found,) = web({"a": "1 healthy", "b": "1 draining"}, text=SHARED).shared_with
    assert found.words == f"1 with tools of admin ({found.labels[0]})"


@pytest.mark.parametrize(
    "tools",
    [
        {"port": 8080},
        {"targets": {"a": "3 draining =web", "b": "2 draining =web"}},
        # A shift takes out what stands in the zone, and this stands in none.
        {"targets": {"all": "1 healthy =web", "a": None, "b": None}},
    ],
)
def test_what_is_not_shared(tools):
    change = {"target_groups": {"web": {"targets": {"all": "1 healthy"}}, "tools": tools}}
    assert subject(estate(SHARED, change=change), "TargetGroup", "web").shared_with == ()


def test_the_same_address_in_two_vpcs_is_not_shared():
    def apart(response):
        for group in response["TargetGroups"]:
            if group["TargetGroupName"] == "tools":
                group["VpcId"] = "vpc-2"

    assert edited({}, text=SHARED).shared_with
    assert edited({"DescribeTargetGroups": apart}, text=SHARED).shared_with == ()


def test_health_that_could_not_be_read_of_a_group_that_may_share():
    scenario = {"zones": ZONES, **load_yaml(SHARED)}
    pages, header, footer = answers(scenario)

    def without(name):
        kept = [
            p
            for p in pages
            if p.operation != "DescribeTargetHealth" or f"/{name}/" not in str(p.params["TargetGroupArn"])
        ]
        (model,) = derive(decode(kept, header, footer)).regions
        return model

    model = without("tools")
    assert unknown(subject(model, "TargetGroup", "web").shared_with, "elasticloadbalancing:DescribeTargetHealth")
    own = subject(without("web"), "TargetGroup", "web")
    assert unknown(own.shared_with, "elasticloadbalancing:DescribeTargetHealth")


@pytest.mark.parametrize(
    ("shop", "group", "thins"),
    [
        ({}, {}, True),
        ({}, {"attributes": {"load_balancing.cross_zone.enabled": "false"}}, False),
        ({"attributes": {"zonal_shift.config.enabled": "false"}}, {}, False),
        ({"attributes": {"zonal_shift.config.enabled": "absent"}}, {}, False),
        ({"zones": ["a"]}, {}, False),
    ],
)
def test_whether_a_shift_takes_targets_out_of_use(shop, group, thins):
    change = {"load_balancers": {"shop": shop}, "target_groups": {"web": group}}
    assert subject(estate(ALB, change=change), "TargetGroup", "web").shift_thins_targets is thins


def test_an_unattached_group_has_nothing_odd():
    text = "target_groups: {web: {type: ip, targets: {a: 1 unhealthy gone}}}"
    found = subject(estate(text), "TargetGroup", "web")
    assert (found.stale_targets, found.balancer_address_targets, found.shared_with) == ((), (), ())
    assert found.shift_thins_targets is False
    assert found.anomalous_in_zone == 0


# Anomalous


def test_where_anomalous_targets_stand():
    found = web({"a": "1 healthy, 1 healthy anomalous", "b": "4 healthy anomalous"})
    assert (found.anomalous_zone, found.anomalous_in_zone, found.anomalous_share) == (B, 4, 0.8)
    assert found.anomalous_words == f"1 in {A}, 4 in {B}"
    assert (web().anomalous_zone, web().anomalous_in_zone, web().anomalous_share) == (None, 0, 0.0)
    everywhere = web({"a": "2 healthy anomalous", "all": "2 healthy anomalous"})
    assert (everywhere.anomalous_in_zone, everywhere.anomalous_share) == (2, 0.5)


def test_the_targets_as_aws_returned_them_show_which_are_anomalous():
    model = estate(ALB, change={"target_groups": {"web": {"targets": {"a": "1 healthy anomalous"}}}})
    found = subject(model, "TargetGroup", "web")
    _, targets, *_ = evidence_for(model, found, found, "anomalous_in_zone", found.anomalous_in_zone)
    assert [row.endswith(" healthy anomalous") for row in targets.value] == [True, False, False]


def test_of_two_equal_zones_the_first_is_named():
    assert web({"b": "1 healthy anomalous", "a": "1 healthy anomalous"}).anomalous_zone == A


def test_a_healthy_target_without_a_result_leaves_it_unknown():
    def silent(response):
        del response["TargetHealthDescriptions"][0]["AnomalyDetection"]

    found = edited({"DescribeTargetHealth": silent})
    assert "no result of anomaly detection" in found.anomalous_in_zone.reasons[0].says
    starting = {"target_groups": {"web": {"targets": {"a": "1 initial, 3 healthy"}}}}
    assert edited({"DescribeTargetHealth": silent}, starting).anomalous_in_zone == 0


def test_an_anomalous_target_in_an_unknown_zone():
    deny = ["ec2:DescribeInstances"]
    assert unknown(web({"a": "1 healthy anomalous"}, kind="instance", deny=deny).anomalous_zone, deny[0])
    assert web({"a": "1 healthy"}, kind="instance", deny=deny).anomalous_in_zone == 0


def test_unknown_targets():
    assert set(anomalies_of(unclear("x")).values()) == {unclear("x")}
