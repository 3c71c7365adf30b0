"""The extension on its own: what it refuses, that it goes away again, and that it notices when moto moved."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore import xform_name
from botocore.exceptions import ClientError
from moto import mock_aws
from moto.autoscaling.models import FakeAutoScalingGroup
from moto.elbv2.models import ELBv2Backend, elbv2_backends
from moto.elbv2.responses import ELBV2Response

from auditor.collect import declared
from auditor.demo import demo_account, server
from auditor.demo.builder import Builder
from auditor.demo.extension import answers, contract, hooks
from auditor.demo.extension.validate import ImpossibleAnswer
from auditor.errors import UsageError

from .reading import Reader

ACCOUNT = "123456789012"


@pytest.fixture
def builder() -> Iterator[Builder]:
    """An account with a network and nothing else."""
    with hooks.installed(), mock_aws():
        made = Builder.open(ACCOUNT, "us-east-1")
        made.network()
        yield made


def _backend() -> Any:
    return elbv2_backends[ACCOUNT]["us-east-1"]


def _states(builder: Builder, group: str) -> list[dict[str, Any]]:
    answer = builder.client("elbv2").describe_target_health(TargetGroupArn=builder.groups[group])
    return answer["TargetHealthDescriptions"]


def _web_group(builder: Builder, **settings: Any) -> None:
    builder.target_group("web", **{"Protocol": "HTTP", "Port": 80, "TargetType": "ip", **settings})


def _in_use(builder: Builder, zones: str = "abc", **settings: Any) -> None:
    _web_group(builder, **settings)
    builder.load_balancer("web", zones=zones)
    builder.listener("web", 80, "HTTP", builder.forward("web"))


def test_a_target_in_a_zone_that_is_not_enabled_is_unused(builder: Builder) -> None:
    _in_use(builder, zones="ab")
    builder.ip_targets("web", {"a": 1, "c": 1})
    states = {t["Target"]["AvailabilityZone"][-1]: t["TargetHealth"] for t in _states(builder, "web")}
    assert states["a"] == {"State": "healthy"}
    assert (states["c"]["State"], states["c"]["Reason"]) == ("unused", "Target.NotInUse")


def test_one_id_on_two_ports_is_two_targets_and_its_zone_is_kept(builder: Builder) -> None:
    _in_use(builder)
    targets = [{"Id": "10.40.16.200", "Port": 80}, {"Id": "10.40.16.200", "Port": 81, "AvailabilityZone": "all"}]
    builder.client("elbv2").register_targets(TargetGroupArn=builder.groups["web"], Targets=targets)
    found = {(t["Target"]["Port"], t["Target"]["AvailabilityZone"]) for t in _states(builder, "web")}
    assert found == {(80, "us-east-1a"), (81, "all")}
    builder.client("elbv2").deregister_targets(TargetGroupArn=builder.groups["web"], Targets=targets[:1])
    assert [t["Target"]["Port"] for t in _states(builder, "web")] == [81]


def test_an_address_outside_the_vpc_needs_a_zone(builder: Builder) -> None:
    _web_group(builder)
    with pytest.raises(ClientError, match="needs an Availability Zone"):
        builder.register("web", ["192.168.7.7"])


def test_a_stopped_instance_is_unused_and_a_terminated_one_is_gone(builder: Builder) -> None:
    _in_use(builder, TargetType="instance")
    builder.scaling_group("web", 0)
    builder.attach_unevenly("web", {"a": 2})
    ec2 = builder.client("ec2")
    ids = [i["InstanceId"] for r in ec2.describe_instances()["Reservations"] for i in r["Instances"]]
    builder.register("web", ids)
    ec2.stop_instances(InstanceIds=ids[:1])
    reasons = {t["Target"]["Id"]: t["TargetHealth"].get("Reason") for t in _states(builder, "web")}
    assert reasons == {ids[0]: "Target.InvalidState", ids[1]: None}
    ec2.terminate_instances(InstanceIds=ids[:1])
    assert [t["Target"]["Id"] for t in _states(builder, "web")] == ids[1:]


def test_impossible_health_is_refused_when_it_is_set(builder: Builder) -> None:
    _web_group(builder)
    builder.ip_targets("web", {"a": 1})
    [target] = _states(builder, "web")
    with pytest.raises(ImpossibleAnswer, match="banana"):
        builder.health("web", [target["Target"]["Id"]], {"State": "banana"})
    with pytest.raises(ImpossibleAnswer, match="not registered"):
        builder.health("web", ["10.9.9.9"], {"State": "healthy"})


def test_impossible_health_is_refused_on_its_way_out(builder: Builder) -> None:
    _in_use(builder)
    builder.ip_targets("web", {"a": 1})
    [registration] = _backend().registrations[builder.groups["web"]].values()
    registration.health = {"State": "banana"}
    with pytest.raises(ImpossibleAnswer, match="banana"):
        _states(builder, "web")


def test_an_impossible_load_balancer_state_is_refused_on_its_way_out(builder: Builder) -> None:
    builder.load_balancer("web")
    next(iter(_backend().load_balancers.values())).state = "resting"
    with pytest.raises(ImpossibleAnswer, match="resting"):
        builder.client("elbv2").describe_load_balancers()


def test_settings_that_aws_does_not_know_are_refused(builder: Builder) -> None:
    policy = {"ZonalShiftEnabled": True, "ImpairedZoneHealthCheckBehavior": "IgnoreUnhealthy"}
    builder.scaling_group("web", 3, shift=True)
    update = builder.client("autoscaling").update_auto_scaling_group
    update(AutoScalingGroupName="web", AvailabilityZoneImpairmentPolicy={**policy, "ZonalShiftEnabled": False})
    [group] = builder.client("autoscaling").describe_auto_scaling_groups()["AutoScalingGroups"]
    assert group["AvailabilityZoneImpairmentPolicy"]["ZonalShiftEnabled"] is False
    assert builder.client("arc-zonal-shift").list_managed_resources()["items"] == []
    with pytest.raises(ImpossibleAnswer, match="replace-unhealthy"):
        update(
            AutoScalingGroupName="web",
            AvailabilityZoneImpairmentPolicy={**policy, "ImpairedZoneHealthCheckBehavior": "replace-unhealthy"},
        )


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("network", "client_keep_alive.seconds", "60"),
        ("gateway", "zonal_shift.config.enabled", "true"),
        ("application", "zonal_shift.config.enable", "true"),
        ("application", "load_balancing.cross_zone.enabled", "false"),
    ],
)
def test_attributes_that_a_type_does_not_have_are_refused(builder: Builder, kind: str, key: str, value: str) -> None:
    with pytest.raises(ClientError) as caught:
        builder.load_balancer("web", kind, attributes={key: value})
    assert caught.value.response["Error"]["Code"] == "InvalidConfigurationRequest"


def test_groups_of_type_alb_keep_their_attributes(builder: Builder) -> None:
    attributes = {"deregistration_delay.timeout_seconds": "10"}
    with pytest.raises(ClientError, match="cannot be changed"):
        builder.target_group("web", Protocol="TCP", Port=80, TargetType="alb", attributes=attributes)


@pytest.mark.parametrize(
    ("protocol", "target_type", "key", "value"),
    [
        ("TCP", "ip", "preserve_client_ip.enabled", "false"),
        ("TCP", "instance", "preserve_client_ip.enabled", "true"),
        ("UDP", "ip", "preserve_client_ip.enabled", "true"),
        ("UDP", "ip", "target_health_state.unhealthy.connection_termination.enabled", "false"),
        ("TLS", "ip", "target_health_state.unhealthy.connection_termination.enabled", "true"),
        ("GENEVE", "ip", "target_failover.on_unhealthy", "no_rebalance"),
        ("HTTPS", "ip", "stickiness.type", "lb_cookie"),
    ],
)
def test_attribute_defaults_by_protocol(
    builder: Builder, protocol: str, target_type: str, key: str, value: str
) -> None:
    port = 6081 if protocol == "GENEVE" else 443
    arn = builder.target_group("web", Protocol=protocol, Port=port, TargetType=target_type)
    found = builder.client("elbv2").describe_target_group_attributes(TargetGroupArn=arn)["Attributes"]
    assert {"Key": key, "Value": value} in found


def test_a_health_check_over_http_in_a_network_group_accepts_redirects_by_default(builder: Builder) -> None:
    arn = builder.target_group("web", Protocol="TCP", Port=80, TargetType="ip", HealthCheckProtocol="HTTP")
    [group] = builder.client("elbv2").describe_target_groups(TargetGroupArns=[arn])["TargetGroups"]
    assert group["Matcher"] == {"HttpCode": "200-399"}


def test_a_deleted_load_balancer_takes_its_interfaces_along(builder: Builder) -> None:
    arn = builder.load_balancer("web")
    builder.classic("old", "ab")
    ec2 = builder.client("ec2")
    assert len(ec2.describe_network_interfaces()["NetworkInterfaces"]) == 5
    builder.client("elbv2").delete_load_balancer(LoadBalancerArn=arn)
    builder.client("elb").delete_load_balancer(LoadBalancerName="old")
    assert ec2.describe_network_interfaces()["NetworkInterfaces"] == []


def test_a_classic_instance_fails_or_stands_in_a_zone_that_is_off(builder: Builder) -> None:
    from moto.elb.models import elb_backends

    builder.classic("old", "ab")
    builder.scaling_group("old", 3, classic=["old"])
    backend: Any = elb_backends[ACCOUNT]["us-east-1"]
    elb = builder.client("elb")
    [group] = builder.client("autoscaling").describe_auto_scaling_groups()["AutoScalingGroups"]
    by_zone = {i["AvailabilityZone"][-1]: i["InstanceId"] for i in group["Instances"]}
    backend.set_failing("old", by_zone["b"])
    found = {s["InstanceId"]: s for s in elb.describe_instance_health(LoadBalancerName="old")["InstanceStates"]}
    assert found[by_zone["a"]]["State"] == "InService"
    assert (found[by_zone["b"]]["State"], found[by_zone["b"]]["ReasonCode"]) == ("OutOfService", "Instance")
    assert "Availability Zone" in found[by_zone["c"]]["Description"]


@pytest.mark.parametrize(
    ("away_from", "expires_in", "reason"),
    [("use1-az1", "73h", "InvalidExpiresIn"), ("use1-az1", "1d", "InvalidExpiresIn"), ("use1-az4", "1h", "InvalidAz")],
)
def test_shifts_that_arc_refuses(builder: Builder, away_from: str, expires_in: str, reason: str) -> None:
    arn = builder.load_balancer("web", attributes={"zonal_shift.config.enabled": "true"})
    client = builder.client("arc-zonal-shift")
    with pytest.raises(client.exceptions.ValidationException) as caught:
        client.start_zonal_shift(resourceIdentifier=arn, awayFrom=away_from, expiresIn=expires_in, comment="x")
    assert caught.value.response["reason"] == reason


def test_one_shift_at_a_time(builder: Builder) -> None:
    builder.load_balancer("web", attributes={"zonal_shift.config.enabled": "true"})
    builder.shift_away("web", "use1-az1", "first")
    client = builder.client("arc-zonal-shift")
    with pytest.raises(client.exceptions.ConflictException) as caught:
        builder.shift_away("web", "use1-az2", "second")
    assert caught.value.response["reason"] == "ZonalShiftAlreadyExists"


def test_nothing_stays_in_moto_afterwards() -> None:
    before = (
        dict(vars(ELBV2Response)),
        FakeAutoScalingGroup.replace_autoscaling_group_instances,
        elbv2_backends.backend,
        list(hooks.moto.backend_index.backend_url_patterns),
        "moto.arczonalshift" in sys.modules,
    )
    assert elbv2_backends.backend is ELBv2Backend
    with hooks.installed():
        assert elbv2_backends.backend is not ELBv2Backend
    after = (
        dict(vars(ELBV2Response)),
        FakeAutoScalingGroup.replace_autoscaling_group_instances,
        elbv2_backends.backend,
        list(hooks.moto.backend_index.backend_url_patterns),
        "moto.arczonalshift" in sys.modules,
    )
    assert after == before


def test_every_read_of_the_auditor_is_checked_on_its_way_out() -> None:
    checked = {(service, method) for service, methods in answers.CHECKED.items() for method in methods}
    needed = {
        (call.read.service, xform_name(call.read.operation))
        for call in declared()
        if call.read.service != "arc-zonal-shift"  # checks its answers itself
    }
    assert needed <= checked


def test_moto_is_where_the_extension_stands() -> None:
    assert list(contract.problems()) == []


def test_a_moved_internal_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(ELBv2Backend, "create_rule")
    monkeypatch.setattr(ELBv2Backend, "create_listener", lambda self: None)
    with pytest.raises(contract.MotoMoved) as caught:
        contract.check()
    assert "moto.elbv2.models.ELBv2Backend.create_rule is gone" in str(caught.value)
    assert "ELBv2Backend.create_listener has no parameter actions" in str(caught.value)
    with pytest.raises(UsageError, match="create_rule is gone"), demo_account():
        pass


def test_without_moto_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "moto", None)
    with pytest.raises(UsageError) as caught, demo_account():
        pass
    assert str(caught.value) == "the demo needs the extra `demo`: pip install '.[demo]' in the checkout"


def test_moto_is_loaded_only_when_an_account_is_opened() -> None:
    code = "import sys, auditor.demo, auditor.demo.server; sys.exit('moto' in sys.modules or 'boto3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_users_settings_play_no_part_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = {
        "AWS_PROFILE": "nobody",
        "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
        "AWS_ENDPOINT_URL_EC2": "http://127.0.0.1:9",
        "AWS_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "theirs",
        "MOTO_ACCOUNT_ID": "111122223333",
    }
    for name, value in theirs.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY", raising=False)
    before = dict(os.environ)
    with demo_account() as account:
        assert os.environ["AWS_ACCESS_KEY_ID"] == "testing"
        assert "AWS_PROFILE" not in os.environ
        session = boto3.Session()
        assert session.region_name == account.region
        assert session.client("sts").get_caller_identity()["Account"] == account.account_id
        assert len(session.client("elbv2").describe_load_balancers()["LoadBalancers"]) == 11
    assert dict(os.environ) == before


def test_an_error_inside_leaves_nothing_behind() -> None:
    before = dict(os.environ)
    with pytest.raises(ZeroDivisionError), demo_account():
        raise ZeroDivisionError
    assert dict(os.environ) == before
    assert elbv2_backends.backend is ELBv2Backend


def test_no_connection_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: socket.socket, address: Any) -> None:
        raise AssertionError(f"connected to {address}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with demo_account() as account:
        assert Reader(account).balancers()


def test_a_port_in_use_is_said_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert server.main(["--port", str(port)]) == 2
    assert f"port {port} on 127.0.0.1 cannot be used" in capsys.readouterr().err
