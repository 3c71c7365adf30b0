"""The guard: nothing but declared reads leaves, whichever way it is called."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from botocore import xform_name
from botocore.session import Session

from auditor.aws.guard import Guard, NotDeclaredError, RoleGuard, check_read_only, declared_operations
from auditor.aws.permissions import policy
from auditor.aws.transport import ClientTransport
from auditor.collect import declared, declared_actions
from auditor.model.identity import AccountId, RegionName
from auditor.model.inventory import Scope

SCOPE = Scope(AccountId("123456789012"), RegionName("us-east-1"))
WRITES = [
    ("elbv2", "DeleteLoadBalancer", {"LoadBalancerArn": "arn:x"}),
    ("elbv2", "ModifyTargetGroupAttributes", {"TargetGroupArn": "arn:x", "Attributes": []}),
    (
        "arc-zonal-shift",
        "StartZonalShift",
        {"resourceIdentifier": "x", "awayFrom": "y", "expiresIn": "1h", "comment": ""},
    ),
    ("arc-zonal-shift", "CancelZonalShift", {"zonalShiftId": "x"}),
    ("autoscaling", "SetDesiredCapacity", {"AutoScalingGroupName": "x", "DesiredCapacity": 1}),
    ("ec2", "TerminateInstances", {"InstanceIds": ["i-1"]}),
    ("eks", "DeleteCluster", {"name": "x"}),
    ("sts", "AssumeRole", {"RoleArn": "arn:x", "RoleSessionName": "x"}),
    # Reads, and yet nobody declared them.
    ("ec2", "GetConsoleOutput", {"InstanceId": "i-1"}),
    ("ec2", "DescribeVolumes", {}),
]


class Listener:
    """A port of this machine that notes whether anybody connected."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.setblocking(False)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def reached(self) -> bool:
        try:
            self._socket.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


def transport(url: str, allowed: frozenset[tuple[str, str]] | None = None) -> ClientTransport:
    session = Session()
    session.set_credentials("AKIA123456789012FAKE", "secret")
    return ClientTransport(session, Guard(declared_operations() if allowed is None else allowed), endpoint_url=url)


@pytest.mark.parametrize(("service", "operation", "params"), WRITES, ids=lambda v: v if isinstance(v, str) else "")
def test_an_undeclared_operation_is_refused_before_it_leaves(
    listener: Listener, service: str, operation: str, params: dict
) -> None:
    made = transport(listener.url)
    with pytest.raises(NotDeclaredError, match=f"{service}:{operation}"):
        made.call(SCOPE, service, operation, params)
    # The hook sits on the client itself, so it also stops a call that does not come through the transport.
    client = made.client(service, "us-east-1")
    with pytest.raises(NotDeclaredError, match=f"{service}:{operation}"):
        getattr(client, xform_name(operation))(**params)
    with pytest.raises(NotDeclaredError):
        client.generate_presigned_url(xform_name(operation), Params=params)
    assert not listener.reached


def test_a_client_that_is_made_past_the_transport_is_watched_too(listener: Listener) -> None:
    session = Session()
    session.set_credentials("AKIA123456789012FAKE", "secret")
    ClientTransport(session, Guard(declared_operations()), endpoint_url=listener.url)
    client = session.create_client("ec2", region_name="us-east-1", endpoint_url=listener.url)
    with pytest.raises(NotDeclaredError, match="ec2:TerminateInstances"):
        client.terminate_instances(InstanceIds=["i-1"])
    assert not listener.reached
    # A profile that names a role makes such a client to assume it.
    chain = session.create_client("sts", region_name="us-east-1", endpoint_url=listener.url)
    chain.meta.events.register("before-send", lambda **_: (_ for _ in ()).throw(InterruptedError("on its way")))
    with pytest.raises(InterruptedError, match="on its way"):
        chain.assume_role(RoleArn="arn:aws:iam::123456789012:role/r", RoleSessionName="auditor")


def test_a_declared_operation_does_leave(listener: Listener) -> None:
    client = transport(listener.url).client("elbv2", "us-east-1")
    client.meta.events.register("before-send", lambda **_: (_ for _ in ()).throw(InterruptedError("on its way")))
    with pytest.raises(InterruptedError, match="on its way"):
        client.describe_load_balancers()


@pytest.mark.parametrize("operation", ["DeleteLoadBalancer", "StartZonalShift", "AssumeRole", "describeThings", ""])
def test_only_reads_can_be_declared(operation: str) -> None:
    with pytest.raises(ValueError, match="is not a read"):
        check_read_only(operation)
    with pytest.raises(ValueError, match="is not a read"):
        Guard([("elbv2", operation)])


def test_the_role_client_may_assume_a_role_and_nothing_else() -> None:
    guard = RoleGuard()
    guard.check("sts", "AssumeRole")
    for service, operation in [("sts", "GetCallerIdentity"), ("sts", "AssumeRoleWithSAML"), ("iam", "AssumeRole")]:
        with pytest.raises(NotDeclaredError):
            guard.check(service, operation)


def test_policy_allow_list_and_declared_calls_are_the_same() -> None:
    calls = {(call.read.service, call.read.operation) for call in declared()}
    assert calls == declared_operations()
    assert len(calls) == len(declared())
    (statement,) = policy(declared_actions())["Statement"]
    assert statement["Action"] == sorted({call.read.action for call in declared()})
    assert "sts:GetCallerIdentity" in statement["Action"]


def test_the_policy_is_least_and_the_same_in_every_partition() -> None:
    made = policy(["ec2:DescribeSubnets", "ec2:DescribeSubnets", "eks:ListClusters"])
    assert made == {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Sid": "ZonalAuditorReads",
                "Effect": "Allow",
                "Action": ["ec2:DescribeSubnets", "eks:ListClusters", "sts:GetCallerIdentity"],
                "Resource": "*",
            }
        ],
    }
    assert "arn:" not in str(policy(declared_actions()))


@pytest.mark.parametrize("action", ["ec2:TerminateInstances", "DescribeSubnets", ":DescribeSubnets", "ec2:*", "*"])
def test_a_policy_takes_reads_only(action: str) -> None:
    with pytest.raises(ValueError, match=r"not a read|not an IAM action"):
        policy([action])
