"""How long judging takes: 100,000 subjects by 100 rules (10 million judgements), without AWS and without deriving.

Run ``python benchmarks/judge.py [SUBJECTS [RULES]]``. One subject in a hundred violates one rule in ten, one in fifty is
unknown to one rule in ten, so that writing findings is measured too. Aim: well under a minute on one core.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from auditor.derive.nodes import LoadBalancerZone
from auditor.derive.nodes.load_balancers import GroupInZone
from auditor.derive.zonal_model import RegionModel, ZonalModel
from auditor.evaluate.catalogue import load_catalogue
from auditor.evaluate.run import judge
from auditor.model.identity import AccountId, RegionName, Resource, Zone, ZoneId, ZoneName
from auditor.model.inventory import Inventory, RegionInventory, Scope
from auditor.model.known import Listing, unclear

RULE = """\
id: x-bench-{number}
title: A synthetic rule
severity: [{{level: high, when: kind == 'network'}}, {{level: medium}}]
confidence: certain
subject: LoadBalancerZone
applies_when: {applies}
violated_when: {violated}
message: "{{LoadBalancerName}} in {{zone}}"
why: It is slow.
fix: {{summary: "Mend {{LoadBalancerName}}", cli: "aws elbv2 describe-load-balancers --names {{LoadBalancerName}}"}}
"""
CONDITIONS = [
    ("kind == 'application'", "published && shift_applied"),
    ("kind != 'classic'", "registered_count > `0` && healthy_count == `0`"),
    ("published", "length(groups[?healthy_count == `0`]) > `1`"),
    ("!shift_applied", "groups[?usable_count < `1`]"),
    ('contains(`["application", "network"]`, kind)', "registered_count != healthy_count && shift_applied"),
]


def node(number: int) -> LoadBalancerZone:
    """One zone of a load balancer, now and then broken or unread."""
    name = f"lb-{number:06}"
    healthy = 0 if number % 100 == 0 else 3
    group = GroupInZone(
        TargetGroupArn=f"arn:tg-{number}",
        TargetGroupName=name,
        registered_count=3,
        usable_count=3,
        healthy_count=healthy,
    )
    values = {
        "LoadBalancerName": name,
        "kind": "network" if number % 3 else "application",
        "zone": Zone(ZoneId("use1-az1"), ZoneName("us-east-1a")),
        "groups": (group, group),
        "published": unclear("targets still start") if number % 50 == 1 else True,
        "shift_applied": False,
        "healthy_count": healthy,
        "registered_count": 3,
    }
    rest = {f: () for f in LoadBalancerZone.__struct_fields__ if f not in (*values, "resource", "tags", "links")}
    resource_ = Resource(
        type="AWS::ElasticLoadBalancingV2::LoadBalancer",
        arn=f"arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/{name}/0",
        name=name,
        account_id=AccountId("123456789012"),
        region=RegionName("us-east-1"),
    )
    return LoadBalancerZone(resource=resource_, tags={}, **values, **rest)  # type: ignore[arg-type]


def main(subjects: int = 100_000, rules: int = 100) -> None:
    """Build, judge, print seconds and peak memory."""
    scope = Scope(AccountId("123456789012"), RegionName("us-east-1"))
    inventory = RegionInventory(scope, {}, frozenset())
    nodes = tuple(node(i) for i in range(subjects))
    region = RegionModel(inventory=inventory, subjects={"LoadBalancerZone": Listing(nodes)})
    whole = Inventory(
        regions=(inventory,),
        gaps=(),
        started_at="2026-01-01T00:00:00Z",
        finished_at="2026-01-01T00:00:00Z",
        scan_id="bench",
        tool_version="0",
        settings={},
        calls={},
        finished=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rules):
            applies, violated = CONDITIONS[number % len(CONDITIONS)]
            condition: object = (
                violated if number // len(CONDITIONS) % 10 == 0 else {"all": [violated, "LoadBalancerName == 'none'"]}
            )
            text = RULE.format(number=number, applies=json.dumps(applies), violated=json.dumps(condition))
            Path(folder, f"x-bench-{number}.yaml").write_text(text, encoding="utf-8")
        start = time.perf_counter()
        catalogue = load_catalogue([Path(folder)], builtin=False)
        loaded = time.perf_counter()
    judgement = judge(ZonalModel(inventory=whole, regions=(region,)), catalogue)
    judged = time.perf_counter()
    print(f"{len(catalogue)} rules loaded in {loaded - start:.2f} s")
    print(f"{subjects:,} subjects judged in {judged - loaded:.1f} s, {len(judgement.findings):,} findings")
    print(", ".join(f"{status} {count:,}" for status, count in judgement.counts.items()))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
