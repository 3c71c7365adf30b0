"""The table as people see it."""

from __future__ import annotations

import re
import shlex
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from auditor.model.elbv2 import TARGET_HEALTH
from auditor.model.finding import Remediation
from auditor.model.identity import Zone, ZoneName
from auditor.model.known import Outcome
from auditor.model.verdict import Severity
from auditor.report.document import DocumentOptions, build
from auditor.report.plain import columns, plain
from auditor.report.registry import RenderOptions, render
from auditor.report.terminal.ink import Ink

from .estate import (
    DENIED,
    REGION,
    UNREAD,
    ZONES,
    balancer_zone,
    counts,
    finding,
    gap,
    load_balancer,
    model,
    shop,
    shop_findings,
    unknown,
)

GOLDEN = """\
Zonal audit of 123456789012, us-east-1, as read 2026-11-30 03:00:04 UTC

LOAD BALANCERS in 123456789012 us-east-1

  zone                     healthy  in DNS    zonal shift
shop-api  NLB, internal, cross-zone ?
  use1-az1 (us-east-1b)        ?/2  ?         AWAY NOW: customer shift
  use1-az6 (us-east-1a)          ?  ?         can shift
shop-web  ALB, internet-facing, cross-zone off
  use1-az1 (us-east-1b)        1/2  yes       not enabled
  use1-az2 (us-east-1c)        0/0  no        not enabled
  use1-az6 (us-east-1a)        2/2  yes       not enabled

?  not known (-f json says why, under `unknown`); it does not mean 0 or no

CRITICAL (1)

  load balancer shop-web in use1-az2 (us-east-1c)                  lb-empty-zone
    Zone use1-az2 has no usable target in shop-api, and cross-zone is off: a
    third of all requests get 503.
    fix   Register targets in the zone, or take the zone off the load balancer.
          $ aws elbv2 set-subnets --load-balancer-arn 'arn with blanks' \\
              --subnets subnet-1 subnet-2
    care  Taking a zone off ends the connections through it.

MEDIUM (1)

  load balancer shop-web                        lb-zonal-shift-disabled (likely)
    Zone use1-az2 has no usable target in shop-api, and cross-zone is off: a
    third of all requests get 503.
    fix   Register targets in the zone, or take the zone off the load balancer.
          $ aws elbv2 set-subnets --load-balancer-arn 'arn with blanks' \\
              --subnets subnet-1 subnet-2
    care  Taking a zone off ends the connections through it.

RULES THAT BROKE (1)

  x-odd on load balancer shop-web in use1-az2 (us-east-1c): division by zero
  A broken rule says nothing of the account: it is a fault of the rule.

1 more follows from the findings above, 1 muted; --all lists them.

NOT KNOWN

  elasticloadbalancing:DescribeTargetHealth denied (2 calls, AccessDenied): 2
  rules cannot be judged for 1 resource
  tg-uneven-zones on load balancer web in use1-az2 (us-east-1c): cannot be
  judged

  `auditor permissions` prints the policy that permits these reads.

1 critical, 1 medium; 3 verdicts unknown; 1 verdict lost to broken rules; 4
calls; SCAN INCOMPLETE: what was not read may hide more.
"""

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def table(findings=None, the_model=None, **options):
    findings = shop_findings() if findings is None else findings
    everything = options.get("all_verdicts", False)
    document = build(the_model or shop(), findings, counts(findings), DocumentOptions(all_verdicts=everything))
    return render("table", document, RenderOptions(**options))


def test_golden():
    assert table() == GOLDEN


def test_colour_changes_nothing_but_colour():
    painted = table(color=True)
    assert painted != GOLDEN
    assert ANSI.sub("", painted) == GOLDEN


def test_no_line_is_wider_than_the_terminal():
    for width in (80, 100, 132):
        assert max(columns(line) for line in table(width=width).splitlines()) <= width


def test_hostile_names_cannot_steer_the_terminal():
    evil = "\x1b]0;owned\x07\u202egnp.exe\u2066\r\nCRITICAL (0)\x9b31m\u200b"
    findings = [
        finding(name=evil, message=evil, tags={evil: evil}, rule_id="x-" + evil, zones=(Zone(None, ZoneName(evil)),),
                remediation=Remediation(summary=evil, commands=(f"aws {evil}",), caution=evil)),
        unknown("x-b", evil, "a:" + evil),
    ]  # fmt: skip
    the_model = model(
        {
            "LoadBalancer": [load_balancer(evil, Scheme=evil, State=evil)],
            "LoadBalancerZone": [balancer_zone(evil, Zone(None, ZoneName(evil)))],
        }
    )
    for options in ({}, {"all_verdicts": True}):
        text = table(findings, the_model, **options)
        bad = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n"}
        assert not bad
        assert "\\x1b]0;owned\\x07\\u202egnp.exe" in text
        assert not any(line.startswith("CRITICAL (0)") for line in text.splitlines())


@given(st.text())
def test_plain_is_one_harmless_line_and_keeps_ordinary_letters(text):
    shown = plain(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in shown)
    assert plain(shown) == shown
    assert shown == text or not all(c.isprintable() for c in text)


def test_letters_of_other_scripts_stay():
    assert plain("naïve 日本 שלום") == "naïve 日本 שלום"


@given(
    st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1), min_size=1), st.integers(40, 120)
)
def test_a_broken_command_is_the_same_command(words, width):
    command = shlex.join(words)
    lines = Ink(color=False, width=width).command(command, 10)
    joined = " ".join(line.strip().removesuffix(" \\").removeprefix("$ ") for line in lines)
    assert shlex.split(joined) == words


def test_unknown_is_a_question_mark_never_a_no():
    the_model = model(
        {
            "LoadBalancer": [load_balancer("api", zonal_shift_enabled=UNREAD)],
            "LoadBalancerZone": [
                balancer_zone(
                    "api",
                    ZONES[0],
                    healthy_count=UNREAD,
                    registered_count=UNREAD,
                    published=UNREAD,
                    shift_applied=UNREAD,
                )
            ],
        }
    )
    row = next(line for line in table([], the_model).splitlines() if "use1-az6" in line)
    assert row.split()[2:] == ["?", "?", "?"]
    assert "it does not mean 0 or no" in table([], the_model)
    assert "?" not in table([], model())


def test_a_load_balancer_that_can_shift_but_whose_shift_is_unread_says_so():
    the_model = model(
        {
            "LoadBalancer": [load_balancer("api")],
            "LoadBalancerZone": [balancer_zone("api", ZONES[0], shift_applied=UNREAD)],
        }
    )
    assert "can shift, shifted now: ?" in table([], the_model)


def test_kinds_that_have_no_shift():
    the_model = model(
        {
            "LoadBalancer": [load_balancer("old", kind="classic", zonal_shift_enabled=False)],
            "LoadBalancerZone": [balancer_zone("old", ZONES[0], kind="classic")],
        }
    )
    assert "n/a" in table([], the_model)


def test_many_sound_load_balancers_are_folded_and_all_shows_them():
    names = [f"lb-{n:02}" for n in range(30)]
    zones = [balancer_zone(name, zone) for name in names for zone in ZONES]
    zones[4] = balancer_zone("lb-01", ZONES[1], healthy_count=1)
    the_model = model({"LoadBalancer": [load_balancer(name) for name in names], "LoadBalancerZone": zones})
    text = table([], the_model)
    assert "lb-01 " in text
    assert "lb-02 " not in text
    assert "29 load balancers with nothing to remark left out" in text
    assert "lb-02 " in table([], the_model, all_verdicts=True)


def test_a_denied_listing_is_not_an_empty_account():
    text = table([], model(missing={"LoadBalancer": (DENIED,)}))
    assert "No load balancers." not in text
    assert "Not every load balancer" in text
    assert "No load balancers." in table([], model())


def test_gaps_are_folded_by_action_over_what_they_touch():
    findings = [
        *(unknown("tg-failing-open", f"g{n}", TARGET_HEALTH.action) for n in range(212)),
        *(unknown(f"tg-rule-{n}", "g0", TARGET_HEALTH.action) for n in range(13)),
    ]
    text = " ".join(table(findings, model(gaps=tuple(gap(key=f"g{n}") for n in range(212)))).split())
    assert "DescribeTargetHealth denied (212 calls, AccessDenied): 14 rules cannot be judged for 212 resources" in text


def test_a_gap_without_consequence_is_named_all_the_same():
    text = " ".join(table([], model(gaps=(gap(Outcome.GONE, "TargetGroupNotFound"),))).split())
    assert "DescribeTargetHealth about something that vanished during the scan (1 call, TargetGroupNotFound)" in text
    assert "scan complete" in text


def test_what_was_never_asked_is_named():
    text = " ".join(table([unknown("tg-failing-open", "api", TARGET_HEALTH.action)], model()).split())
    assert "elasticloadbalancing:DescribeTargetHealth was not asked: 1 rule cannot be judged for 1 resource" in text


def test_all_lists_hidden_muted_and_passed_verdicts():
    text = " ".join(table(all_verdicts=True).split())
    assert "hidden by lb-empty-zone: tg-single-zone" in text
    assert "muted until 2027-01-31 (planned): lb-single-zone" in text
    assert "pass: lb-single-zone" in text


def test_summary_says_when_shown_severities_leave_findings_out():
    findings = [finding(), finding("lb-single-zone", "old", severity=Severity.LOW)]
    document = build(model(), findings, counts(findings), DocumentOptions(min_severity=Severity.HIGH))
    text = render("table", document, RenderOptions(width=200))
    assert "1 critical, 1 low; 1 of them below the severity shown; 4 calls; scan complete." in text


def test_two_scopes_are_named_at_each_finding():
    findings = [finding(), finding("lb-single-zone", "old")]
    assert f"    123456789012 {REGION}" not in table(findings)
    other = finding("lb-single-zone", "far")
    far = type(other.resource)(
        type=other.resource.type, arn="a", name="far", account_id="123456789012", region="eu-west-1"
    )
    elsewhere = [*findings, finding("lb-single-zone", "far", resource=far)]
    text = table(elsewhere)
    assert f"    123456789012 {REGION}" in text
    assert "    123456789012 eu-west-1" in text


def test_a_zone_that_a_shift_has_left_is_not_in_dns():
    the_model = model(
        {
            "LoadBalancer": [load_balancer("api")],
            "LoadBalancerZone": [
                balancer_zone("api", ZONES[0], shift_applied=True, published=True, healthy_count=2, registered_count=2),
                balancer_zone("api", ZONES[1], shift_applied=True, published=True, healthy_count=0, registered_count=2),
                balancer_zone(
                    "api", ZONES[2], shift_applied=False, published=True, healthy_count=2, registered_count=2
                ),
            ],
        }
    )
    rows = [line.split()[2:4] for line in table([], the_model).splitlines() if "use1-az" in line]
    assert sorted(rows) == [["0/2", "?"], ["2/2", "no"], ["2/2", "yes"]]


def test_dns_is_told_by_health_alone_where_shifts_were_not_read():
    the_model = model(
        {
            "LoadBalancer": [load_balancer("api")],
            "LoadBalancerZone": [balancer_zone("api", ZONES[0], shift_applied=UNREAD, published=True)],
        }
    )
    assert "whether a shift takes the zone out is not known" in table([], the_model)


def test_what_cannot_be_shifted_is_not_said_to_be_shifted_perhaps():
    the_model = model(
        {
            "LoadBalancer": [load_balancer("api", zonal_shift_enabled=False)],
            "LoadBalancerZone": [balancer_zone("api", ZONES[0], shift_applied=UNREAD)],
        }
    )
    assert "shifted now" not in table([], the_model)
