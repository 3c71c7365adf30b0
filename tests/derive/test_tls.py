"""TLS versions of security policies."""

from __future__ import annotations

import pytest

from auditor.derive.tls import FALLBACK, FROM_AWS, only_tls13, protocols_of
from auditor.model import elbv2
from auditor.model.known import Outcome

from .region import answer, denied, items, region, unknown

PREFIX = "ELBSecurityPolicy-"
ONLY_13 = [
    "TLS13-1-3-2021-06",
    "TLS13-1-3-FIPS-2023-04",
    "TLS13-1-3-PQ-2025-09",
    "TLS13-1-3-FIPS-PQ-2025-09",
    "TLS13-1-3-RFC9151-FIPS-2023-07",
]
NOTHING_ASKED = region(items(elbv2.LOAD_BALANCERS, []))
REFUSED = region(answer(elbv2.SSL_POLICIES, fails=Outcome.DENIED))


def listed(name, *protocols):
    return region(items(elbv2.SSL_POLICIES, [{"Name": name, "SslProtocols": list(protocols)}]))


@pytest.mark.parametrize("name", ONLY_13)
def test_five_policies_speak_tls_13_only(name):
    found, source = protocols_of(PREFIX + name, NOTHING_ASKED)
    assert only_tls13(found) is True
    assert source == FALLBACK
    assert "fallback" in source


@pytest.mark.parametrize(
    ("name", "protocols"),
    [
        ("TLS13-1-2-2021-06", ("TLSv1.2", "TLSv1.3")),
        ("TLS13-1-2-Ext0-FIPS-PQ-2025-09", ("TLSv1.2", "TLSv1.3")),
        ("TLS13-1-1-FIPS-2023-04", ("TLSv1.1", "TLSv1.2", "TLSv1.3")),
        ("TLS13-1-0-2021-06", ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3")),
        ("FS-1-2-Res-2020-10", ("TLSv1.2",)),
        ("FS-1-1-2019-08", ("TLSv1.1", "TLSv1.2")),
        ("2016-08", ("TLSv1", "TLSv1.1", "TLSv1.2")),
    ],
)
def test_the_other_rows_of_the_table(name, protocols):
    found, source = protocols_of(PREFIX + name, NOTHING_ASKED)
    assert found == protocols
    assert source == FALLBACK
    assert only_tls13(found) is False


def test_a_name_is_never_interpreted():
    assert unknown(protocols_of(PREFIX + "TLS13-1-3-2031-01", NOTHING_ASKED)[0])
    assert only_tls13(protocols_of("mine-TLS13", listed("mine-TLS13", "TLSv1.2"))[0]) is False
    assert only_tls13(protocols_of("mine", listed("mine", "TLSv1.3"))[0]) is True


def test_aws_wins_over_the_table():
    found, source = protocols_of(PREFIX + ONLY_13[0], listed(PREFIX + ONLY_13[0], "TLSv1.3", "TLSv1.2"))
    assert (found, source) == (("TLSv1.2", "TLSv1.3"), FROM_AWS)


def test_refused_and_unlisted_are_unknown():
    assert unknown(protocols_of(PREFIX + ONLY_13[0], REFUSED)[0], "elasticloadbalancing:DescribeSSLPolicies")
    assert unknown(protocols_of(PREFIX + ONLY_13[0], listed("another", "TLSv1.3"))[0])
    assert unknown(only_tls13(denied()))


def test_without_a_policy_there_is_no_tls():
    assert protocols_of(None, REFUSED) == ((), FROM_AWS)
    assert only_tls13(()) is False
