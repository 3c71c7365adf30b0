"""Which finding wins where target groups lack targets: in a zone, in a share, or down to the last one."""

from __future__ import annotations

import pytest

from auditor.derive.build import derive
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.run import JudgeOptions, judge
from auditor.evaluate.scenario import answers, changed
from auditor.model.verdict import Status
from auditor.record.decode import decode

CATALOGUE = load_catalogue()
COVER, SHARE, LAST = "lb-target-groups-cover-different-zones", "lb-weighted-share-to-dead-group", "tg-zone-last-target"


def failing(scenario, change):
    """Findings by rule and resource (with the zone of a subject that has one), each with the rule that hides it or None."""
    found = judge(
        derive(decode(*answers(changed(CATALOGUE.scenario(scenario), change)))), CATALOGUE, JudgeOptions()
    ).findings
    rules = {f.id: f.rule_id for f in found}
    keys = {f.id: (f.rule_id, f.resource.name, *(z.key for z in f.zones)) for f in found}
    return {keys[f.id]: rules.get(f.hidden_by or "") for f in found if f.status is Status.FAIL}


def edge(**targets):
    """The Network Load Balancer with a second group that has these targets."""
    listeners = [
        {"port": 443, "protocol": "TCP", "default": {"forward": "edge-tcp"}},
        {"port": 444, "protocol": "TCP", "default": {"forward": "admin"}},
    ]
    return failing(
        "nlb-three-zones",
        {
            "load_balancers": {"edge": {"listeners": listeners}},
            "target_groups": {"admin": {"type": "ip", "protocol": "TCP", "port": 444, "targets": targets}},
        },
    )


def shop(weights, **groups):
    """The Application Load Balancer whose default action forwards with these weights."""
    listeners = [{"port": 443, "protocol": "HTTPS", "default": {"forward": {"shop-web": 2, **weights}}}]
    more = {name: {"type": "ip", "targets": targets} for name, targets in groups.items()}
    return failing("alb-three-zones", {"load_balancers": {"shop": {"listeners": listeners}}, "target_groups": more})


# Groups that cover different zones


def test_one_missing_zone_is_one_finding():
    found = edge(a="2 healthy", b="2 healthy")
    assert found[COVER, "edge", "use1-az2"] == "lb-empty-zone"
    assert found["lb-empty-zone", "edge", "use1-az2"] is None


def test_no_empty_zone_covers_two_missing_zones():
    found = edge(a="2 healthy")
    assert found[COVER, "edge", "use1-az1", "use1-az2"] is None
    assert {found["lb-empty-zone", "edge", zone] for zone in ("use1-az1", "use1-az2")} == {None}


def test_an_empty_zone_of_another_group_hides_nothing():
    """Cross-zone is on for the group that is empty in c, so the difference of the other two is in b alone."""
    pooled = {"type": "ip", "protocol": "TCP", "port": 445, "targets": {"a": "2 healthy", "b": "2 healthy"}}
    listeners = [
        {"port": port, "protocol": "TCP", "default": {"forward": group}}
        for port, group in ((443, "edge-tcp"), (444, "admin"), (445, "pooled"))
    ]
    found = failing(
        "nlb-three-zones",
        {
            "load_balancers": {"edge": {"listeners": listeners}},
            "target_groups": {
                "pooled": {**pooled, "attributes": {"load_balancing.cross_zone.enabled": "true"}},
                "admin": {
                    "type": "ip",
                    "protocol": "TCP",
                    "port": 444,
                    "targets": {"a": "2 healthy", "c": "2 healthy"},
                },
            },
        },
    )
    assert found[COVER, "edge", "use1-az1"] == "lb-empty-zone"
    assert found["lb-empty-zone", "edge", "use1-az2"] is None


# Weighted shares


def test_a_share_of_an_empty_group_is_hidden_by_the_finding_on_it():
    found = shop({"canary": 1}, canary={})
    assert found[SHARE, "shop"] == "tg-no-targets"
    assert found["tg-no-targets", "canary"] is None


@pytest.mark.parametrize("other", [{}, {"b": "1 unhealthy 503"}], ids=["empty", "failing"])
def test_a_finding_on_one_group_does_not_cover_two(other):
    found = shop({"canary": 1, "other": 1}, canary={}, other=other)
    assert found[SHARE, "shop"] is None
    assert found["tg-no-targets", "canary"] is None


def test_a_share_that_fails_open_is_hidden_by_nothing():
    found = shop({"canary": 1}, canary={"a": "1 unhealthy 503", "b": "1 unhealthy 503"})
    assert found[SHARE, "shop"] is None
    assert ("tg-no-targets", "canary") not in found


# The last target of a zone


def test_one_of_two_targets_in_one_zone_is_told_beside_the_one_zone():
    """They say different things: losing the zone is an outage, and the next failure is one already."""
    found = shop({}, **{"shop-web": {"a": "1 healthy, 1 unhealthy", "b": None, "c": None}})
    assert found[LAST, "shop-web", "use1-az6"] is None
    assert found["tg-single-zone", "shop-web", "use1-az6"] is None


def test_a_group_of_one_target_is_told_by_its_own_rule():
    found = shop({}, **{"shop-web": {"a": "1 healthy", "b": None, "c": None}})
    assert found["tg-single-target", "shop-web"] is None
    assert not any(key[0] == LAST for key in found)


def test_unevenness_does_not_hide_the_last_target():
    found = shop({}, **{"shop-web": {"a": "1 healthy", "b": "4 healthy", "c": "4 healthy"}})
    assert found["tg-uneven-zones", "shop-web"] is None
    assert found[LAST, "shop-web", "use1-az6"] is None


def test_what_hides_these_rules():
    """No more than is said: each of them names a cause of its own."""
    assert CATALOGUE.hiding[COVER] == ("lb-empty-zone",)
    assert CATALOGUE.hiding[SHARE] == ("tg-no-targets",)
    assert CATALOGUE.hiding.get(LAST, ()) == ("tg-no-targets",)
