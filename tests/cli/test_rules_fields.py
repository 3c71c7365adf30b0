"""``rules fields``."""

from __future__ import annotations

import json

from auditor.derive.nodes import SUBJECTS


def test_the_subjects_are_listed_with_what_they_are(run):
    text = run("rules", "fields").stdout
    assert [line.split()[0] for line in text.splitlines() if line.endswith(" facts)")] == sorted(SUBJECTS)
    assert "  One enabled zone of a load balancer\n" in text


def test_the_facts_of_a_subject_have_type_words_and_source(run):
    lines = run("rules", "fields", "LoadBalancerZone").stdout.splitlines()
    at = lines.index("healthy_count: number, may be unknown")
    assert lines[at + 1 : at + 3] == [
        "    healthy targets here, over all in-use groups",
        "    from elbv2:DescribeTargetHealth",
    ]
    assert "LoadBalancerName: text" in lines
    assert "kind: text (application, classic, gateway or network)" in lines
    assert any(line.startswith("Functions: contains, ") for line in lines)
    assert max(map(len, lines)) <= 100


def test_facts_of_a_group_are_indented_below_it_and_shown_once(run):
    lines = run("rules", "fields", "LoadBalancerZone").stdout.splitlines()
    at = lines.index("groups: list of GroupInZone, may be unknown")
    assert lines[at + 3 : at + 6] == [
        "  TargetGroupArn: text",
        "      ARN of the target group",
        "      from elbv2:DescribeTargetGroups",
    ]
    assert sum(line == "  TargetGroupArn: text" for line in lines) == 1
    assert "  the fields of groups[*]" in lines


def test_fields_as_json(run):
    document = json.loads(run("rules", "fields", "LoadBalancerZone", "-f", "json").stdout)
    (subject,) = document["subjects"]
    assert (subject["name"], subject["says"]) == ("LoadBalancerZone", "One enabled zone of a load balancer")
    facts = {fact["name"]: fact for fact in subject["facts"]}
    assert facts["healthy_count"] == {
        "name": "healthy_count",
        "path": "healthy_count",
        "type": "number",
        "nullable": False,
        "may_be_unknown": True,
        "values": [],
        "says": "healthy targets here, over all in-use groups",
        "sources": ["elbv2:DescribeTargetHealth"],
        "needs": ["elasticloadbalancing:DescribeTargetHealth"],
        "of": "",
        "fields": [],
    }
    assert facts["kind"]["values"] == ["application", "classic", "gateway", "network"]
    assert [below["path"] for below in facts["groups"]["fields"]][:2] == [
        "groups[*].TargetGroupArn",
        "groups[*].TargetGroupName",
    ]
    assert "length" in document["functions"]
    everything = json.loads(run("rules", "fields", "-f", "json").stdout)
    assert [s["name"] for s in everything["subjects"]] == sorted(SUBJECTS)


def test_a_subject_that_is_not_there(run):
    result = run("rules", "fields", "loadbalancerzones")
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "auditor: there is no subject 'loadbalancerzones'; did you mean LoadBalancerZone? the subjects are "
    )
    assert result.stdout == ""
