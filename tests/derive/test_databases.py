"""What keeps databases and caches through the loss of a zone, by documented rules and odd answers."""

from __future__ import annotations

import pytest

from auditor.derive.failover import Member, candidates, readers_elsewhere, size_of, smaller, target_facts
from auditor.model import elasticache, rds
from auditor.model.known import Unknown, unclear

from .region import A, B, C, estate, subject, unknown

ESTATE = """
databases:
  orders: {zone: a, standby: b, subnets: [a, b, c], subnet_group: shared}
  billing: {zone: b, standby: c, subnets: [a, b, c], subnet_group: shared}
db_clusters:
  shop: {subnets: [a, b], members: {shop-1: {zone: a, writer: true, tier: 0}, shop-2: {zone: b}}}
db_proxies: {shop-proxy: {zones: [a, b]}}
caches: {sessions: {shards: {"0001": [a, b], "0002": [c, c]}, clustered: true}}
"""


def found(kind, name, change=None, deny=()):
    return subject(estate(ESTATE, change=change, deny=deny), kind, name)


def member(name="r", zone=B, *, writes=False, status="available", instance_class="db.r6g.large", tier=1):
    return Member(name=name, writes=writes, zone=zone, status=status, instance_class=instance_class, tier=tier)


WRITER = member("w", A, writes=True, tier=0)


def test_a_database_with_its_standby():
    node = found("DBInstance", "orders")
    assert (node.zone, node.standby_zone, node.has_standby, node.stands_alone, node.stopped) == (
        A,
        B,
        True,
        True,
        False,
    )


def test_a_standby_that_is_on_without_a_named_zone_stands_somewhere_unknown():
    node = found("DBInstance", "orders", {"databases": {"orders": {"standby": None, "multi_az": True}}})
    assert node.has_standby is True
    assert isinstance(node.standby_zone, Unknown)


def test_a_database_that_is_being_made_is_in_no_zone_yet():
    node = found("DBInstance", "orders", {"databases": {"orders": {"zone": None, "status": "creating"}}})
    assert isinstance(node.zone, Unknown)


def test_a_member_of_a_cluster_does_not_stand_alone():
    node = found("DBInstance", "shop-1")
    assert node.stands_alone is False
    assert node.standby_zone is None


@pytest.mark.parametrize("status", ["stopped", "stopping", "deleting"])
def test_what_is_stopped_or_going_is_not_used(status):
    assert found("DBInstance", "orders", {"databases": {"orders": {"status": status}}}).stopped is True
    assert found("DBCluster", "shop", {"db_clusters": {"shop": {"status": status}}}).stopped is True


def test_instances_of_one_subnet_group_are_named_together():
    node = found("DBSubnetGroup", "shared")
    assert node.database_names == ("billing", "orders")
    assert node.zones == (A, B, C)
    assert node.region_zone_count == 3


def test_a_subnet_group_that_only_stopped_instances_use_does_not_matter():
    change = {"databases": {"orders": {"status": "stopped"}, "billing": {"status": "stopped"}}}
    assert [n.resource.name for n in estate(ESTATE, change=change).of("DBSubnetGroup")] == ["shop-subnets"]


def test_zones_of_a_proxy_come_from_its_subnets():
    assert found("DBProxy", "shop-proxy").zones == (A, B)
    assert isinstance(found("DBProxy", "shop-proxy", deny=["ec2:DescribeSubnets"]).zone_count, Unknown)


def test_tags_of_proxies_and_caches_are_asked_for():
    tags = {"db_proxies": {"shop-proxy": {"tags": {"team": "shop"}}}, "caches": {"sessions": {"tags": {"team": "web"}}}}
    assert found("DBProxy", "shop-proxy", tags).tags == {"team": "shop"}
    assert found("ReplicationGroup", "sessions", tags).tags == {"team": "web"}
    assert isinstance(found("DBProxy", "shop-proxy", deny=[rds.DB_PROXY_TAGS.action]).tags, Unknown)
    assert isinstance(found("ReplicationGroup", "sessions", deny=[elasticache.CACHE_TAGS.action]).tags, Unknown)


def test_where_instances_may_be_made_is_not_where_they_are():
    node = found("DBCluster", "shop", {"db_clusters": {"shop": {"members": {"shop-2": {"zone": "a"}}}}})
    assert node.writer_zone == A
    assert node.readers_elsewhere == ()


def test_a_cluster_in_words():
    assert found("DBCluster", "shop").member_words == (
        f"shop-1 (writer, db.r6g.large in {A}), shop-2 (reader of tier 1, db.r6g.large in {B})"
    )


def test_members_that_could_not_be_read():
    node = found("DBCluster", "shop", deny=["rds:DescribeDBInstances"])
    for fact in ("writer_zone", "member_words", "readers_elsewhere", "failover_target", "target_smaller"):
        assert unknown(getattr(node, fact)), fact
    assert node.writer == "shop-1"


def test_a_cluster_without_a_writer_has_nothing_to_fail_over_from():
    node = found("DBCluster", "shop", {"db_clusters": {"shop": {"members": {"shop-1": {"writer": False}}}}})
    assert (node.writer, node.writer_zone, node.failover_target, node.target_smaller) == (None, None, None, False)


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        (member(zone=B), ("r",)),
        (member(zone=A), ()),
        (member(zone=B, status="failed"), ()),
        (member(zone=B, status="incompatible-parameters"), ()),
        (member(zone=B, status="inaccessible-encryption-credentials"), ()),
        (member(zone=B, status="creating"), None),
        (member(zone=B, status="rebooting"), None),
        (member(zone=A, status="creating"), ()),
        (member(zone=unclear("no zone")), None),
    ],
)
def test_readers_in_another_zone(reader, expected):
    got = readers_elsewhere([WRITER, reader])
    assert isinstance(got, Unknown) if expected is None else got == expected


def test_one_sure_reader_outweighs_a_doubtful_one():
    assert readers_elsewhere([WRITER, member("x", B), member("y", C, status="creating")]) == ("x",)


@pytest.mark.parametrize(
    ("readers", "chosen"),
    [
        ([member("x", tier=2), member("y", tier=1)], ["y"]),
        ([member("x"), member("y", instance_class="db.r6g.xlarge")], ["y"]),
        ([member("x"), member("y")], ["x", "y"]),
        ([member("x", tier=0, status="failed"), member("y", tier=15)], ["y"]),
        ([member("x", instance_class="db.serverless"), member("y", instance_class="db.serverless")], ["x", "y"]),
        ([], []),
    ],
)
def test_lowest_tier_then_largest(readers, chosen):
    assert [m.name for m in candidates([WRITER, *readers])] == chosen


def test_which_of_two_is_larger_may_not_be_told():
    assert isinstance(candidates([WRITER, member("x"), member("y", instance_class="db.serverless")]), Unknown)


def test_a_tie_between_zones_is_no_target_in_the_zone_of_the_writer():
    facts = target_facts([WRITER, member("x", A), member("y", B)])
    assert facts == {"failover_target": "x or y", "target_in_writer_zone": False, "target_smaller": False}


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("db.t4g.micro", 2), ("db.t4g.medium", 8), ("db.r6g.large", 16), ("db.r6g.xlarge", 32),
        ("db.r6g.2xlarge", 64), ("db.r6g.16xlarge", 512), ("db.serverless", None), ("", None), ("db.x2g.metal", None),
    ],
)  # fmt: skip
def test_sizes_double_step_by_step(name, size):
    assert size_of(name) == size


@pytest.mark.parametrize(
    ("reader", "writer", "expected"),
    [
        ("db.r6g.large", "db.r6g.large", False),
        ("db.r6g.large", "db.r6g.xlarge", True),
        ("db.r6g.2xlarge", "db.r6g.xlarge", False),
        ("db.r6g.large", "db.r5.large", False),
        ("db.x2g.metal", "db.x2g.metal", False),
        ("db.x2g.metal", "db.r6g.large", None),
        ("db.serverless", "db.serverless", False),
        ("db.r6g.large", "db.serverless", None),
    ],
)
def test_smaller_than_the_writer(reader, writer, expected):
    got = smaller(member(instance_class=reader), member("w", A, writes=True, instance_class=writer))
    assert isinstance(got, Unknown) if expected is None else got is expected


def test_a_serverless_reader_of_a_late_tier_does_not_grow_with_the_writer():
    serverless = member("w", A, writes=True, instance_class="db.serverless")
    assert smaller(member(instance_class="db.serverless", tier=2), serverless) is True
    assert smaller(member(instance_class="db.serverless", tier=1), serverless) is False
    assert isinstance(smaller(member(instance_class="db.serverless", tier=2), WRITER), Unknown)


def test_shards_of_a_cache():
    node = found("ReplicationGroup", "sessions")
    assert node.shards_in_one_zone == ("0002",)
    assert node.zones_of_these == (C,)
    assert node.replica_count == 2
    assert node.shard_words == f"shard 0001: 1 in {A}, 1 in {B}; shard 0002: 2 in {C}"


def test_a_cache_whose_nodes_have_no_zone_is_judged_by_the_shards_that_have():
    change = {"caches": {"sessions": {"shards": {"0001": ["a", "unnamed"]}}}}
    assert found("ReplicationGroup", "sessions", change).shards_in_one_zone == ("0002",)
    change["caches"]["sessions"]["shards"]["0002"] = ["a", "c"]
    assert isinstance(found("ReplicationGroup", "sessions", change).shards_in_one_zone, Unknown)


def test_a_cache_that_is_being_deleted_is_left_out():
    gone = {"caches": {"sessions": {"status": "deleting"}}}
    assert list(estate(ESTATE, change=gone).of("ReplicationGroup")) == []
