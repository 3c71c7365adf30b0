"""Which TLS versions does a predefined security policy allow?

Asked of AWS (`DescribeSSLPolicies`). Where a recording holds no such call (an imported dump), a built-in table answers and
says so; where the call was refused, the answer is unknown. A policy name is never interpreted: most that carry ``TLS13``
allow TLS 1.2 as well.
https://docs.aws.amazon.com/elasticloadbalancing/latest/application/describe-ssl-policies.html
"""

from __future__ import annotations

from ..model import elbv2
from ..model.inventory import RegionInventory
from ..model.known import Known, Unknown, unclear

FROM_AWS = "DescribeSSLPolicies"
FALLBACK = "built-in table (fallback: the policies of the region were not asked)"

PREFIX = "ELBSecurityPolicy-"
_ONLY_13 = (
    "TLS13-1-3-2021-06",
    "TLS13-1-3-FIPS-2023-04",
    "TLS13-1-3-PQ-2025-09",
    "TLS13-1-3-FIPS-PQ-2025-09",
    "TLS13-1-3-RFC9151-FIPS-2023-07",
)
_FROM_12 = (
    "TLS13-1-2-2021-06",
    "TLS13-1-2-Res-2021-06",
    "TLS13-1-2-Ext1-2021-06",
    "TLS13-1-2-Ext2-2021-06",
    "TLS13-1-2-PQ-2025-09",
    "TLS13-1-2-Res-PQ-2025-09",
    "TLS13-1-2-Ext1-PQ-2025-09",
    "TLS13-1-2-Ext2-PQ-2025-09",
    "TLS13-1-2-FIPS-2023-04",
    "TLS13-1-2-Res-FIPS-2023-04",
    "TLS13-1-2-Ext0-FIPS-2023-04",
    "TLS13-1-2-Ext1-FIPS-2023-04",
    "TLS13-1-2-Ext2-FIPS-2023-04",
    "TLS13-1-2-FIPS-PQ-2025-09",
    "TLS13-1-2-Res-FIPS-PQ-2025-09",
    "TLS13-1-2-Ext0-FIPS-PQ-2025-09",
    "TLS13-1-2-Ext1-FIPS-PQ-2025-09",
    "TLS13-1-2-Ext2-FIPS-PQ-2025-09",
    "TLS13-1-2-RFC9151-FIPS-2023-07",
)
_ONLY_12 = (
    "TLS-1-2-2017-01",
    "TLS-1-2-Ext-2018-06",
    "FS-1-2-2019-08",
    "FS-1-2-Res-2019-08",
    "FS-1-2-Res-2020-10",
)
TABLE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_ONLY_13, ("TLSv1.3",)),
    **dict.fromkeys(_FROM_12, ("TLSv1.2", "TLSv1.3")),
    **dict.fromkeys(("TLS13-1-1-2021-06", "TLS13-1-1-FIPS-2023-04"), ("TLSv1.1", "TLSv1.2", "TLSv1.3")),
    **dict.fromkeys(
        ("TLS13-1-0-2021-06", "TLS13-1-0-FIPS-2023-04", "TLS13-1-0-PQ-2025-09", "TLS13-1-0-FIPS-PQ-2025-09"),
        ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"),
    ),
    **dict.fromkeys(_ONLY_12, ("TLSv1.2",)),
    **dict.fromkeys(("TLS-1-1-2017-01", "FS-1-1-2019-08"), ("TLSv1.1", "TLSv1.2")),
    **dict.fromkeys(("2016-08", "FS-2018-06", "TLS-1-0-2015-04"), ("TLSv1", "TLSv1.1", "TLSv1.2")),
}


def protocols_of(policy: str | None, inventory: RegionInventory) -> tuple[Known[tuple[str, ...]], str]:
    """TLS versions of a policy, and where they come from; an empty tuple without a policy.

    Unknown when the call was refused, or when AWS did not list the policy for the region.
    """
    if not policy:
        return (), FROM_AWS
    listed = inventory.index(elbv2.SSL_POLICIES).get(policy)
    if listed:
        return tuple(sorted(listed.SslProtocols)), FROM_AWS
    listing = inventory.listing(elbv2.SSL_POLICIES)
    if listing.complete:
        return unclear(f"AWS does not list the policy {policy} in this region"), FROM_AWS
    if inventory.asked(elbv2.SSL_POLICIES):
        return listing.unknown, FROM_AWS
    known = TABLE.get(policy.removeprefix(PREFIX))
    return (known if known else listing.unknown), FALLBACK


def only_tls13(protocols: Known[tuple[str, ...]]) -> Known[bool]:
    """Whether TLS 1.3 is allowed and nothing older."""
    return protocols if isinstance(protocols, Unknown) else set(protocols) == {"TLSv1.3"}
