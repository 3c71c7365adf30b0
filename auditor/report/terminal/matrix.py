"""The zone matrix: per load balancer and zone, its targets, whether DNS answers with it, whether it can be shifted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

import tabulate

from ..plain import plain
from ..registry import Document
from .ink import Ink, counted

# Above this many load balancers, those with nothing to see in the matrix are left out unless --all is given.
_SHOW_ALL_UP_TO = 20

_KINDS = {"application": "ALB", "network": "NLB", "gateway": "GWLB", "classic": "Classic Load Balancer"}
_HEADERS = ("  zone", "healthy", "in DNS", "zonal shift")

Item = Mapping[str, Any]


def matrix(document: Document, ink: Ink, *, show_all: bool) -> Iterator[str]:
    """Lines of the matrix, one table for each account and region. What is not known is a question mark."""
    inventory = document["inventory"]
    balancers: list[Item] = inventory["load_balancers"]
    chosen = balancers if show_all or len(balancers) <= _SHOW_ALL_UP_TO else [b for b in balancers if _remarkable(b)]
    shifts = {(s["arn"], s["away_from"]["id"]): s["kind"] for s in inventory["shifts"]}
    chosen = sorted(chosen, key=lambda b: (b["account_id"], b["region"], b["name"], b["arn"]))
    for (account, region), group in groupby(chosen, key=lambda b: (b["account_id"], b["region"])):
        yield ink.bold(f"LOAD BALANCERS in {plain(account)} {plain(region)}")
        yield ""
        yield from _region(list(group), shifts, _switched_off(inventory["target_groups"]), ink)
        yield ""
    yield from _remarks(document, len(balancers), len(chosen), ink)


def _remarks(document: Document, total: int, shown: int, ink: Ink) -> Iterator[str]:
    remarks: list[str] = []
    unread = [gap for gap in document["inventory"]["incomplete"] if gap["list"] == "load_balancers"]
    for gap in unread:
        where = f"{gap['account_id']} {gap['region']}"
        text = f"Not every load balancer of {where} could be listed: {', '.join(gap['missing'])}"
        remarks += map(ink.warn, ink.wrapped(text, label="?  "))
    if total == 0 and not unread:
        remarks.append("No load balancers.")
    if total > shown:
        text = f"{counted(total - shown, 'load balancer')} with nothing to remark left out; --all shows them."
        remarks += map(ink.dim, ink.wrapped(text))
    if any(_maybe_shifted(zone) for balancer in document["inventory"]["load_balancers"] for zone in balancer["zones"]):
        text = "In DNS by health alone; whether a shift takes the zone out is not known."
        remarks += map(ink.warn, ink.wrapped(text))
    if any(_has_unknown(balancer) for balancer in document["inventory"]["load_balancers"]):
        remarks += ink.wrapped("not known (-f json says why, under `unknown`); it does not mean 0 or no", label="?  ")
    if remarks:
        yield from (*remarks, "")


def _has_unknown(balancer: Item) -> bool:
    return "unknown" in balancer or any("unknown" in zone for zone in balancer["zones"])


def _maybe_shifted(zone: Item) -> bool:
    return bool(zone["in_dns"]) and "shifted_away" in zone.get("unknown", {})


def _remarkable(balancer: Item) -> bool:
    return balancer["state"] not in ("", None, "active") or any(
        "unknown" in zone
        or not zone["healthy"]
        or zone["healthy"] != zone["registered"]
        or zone["in_dns"] is not True
        or zone["shifted_away"]
        for zone in balancer["zones"]
    )


def _region(
    balancers: list[Item], shifts: Mapping[tuple[str, str | None], str], off: Mapping[str, list[str]], ink: Ink
) -> Iterator[str]:
    """The zone rows of all balancers are one table, so that columns line up; headings are put between its lines."""
    rows = [
        (f"  {_zone(zone)}", _healthy(zone, ink), _in_dns(zone, ink), _shift(balancer, zone, shifts, ink))
        for balancer in balancers
        for zone in balancer["zones"]
    ]
    lines = tabulate.tabulate(
        rows,
        headers=[ink.dim(header) for header in _HEADERS],
        tablefmt="plain",
        disable_numparse=True,
        preserve_whitespace=True,
        colalign=("left", "right", "left", "left") if rows else None,
    ).splitlines()
    if rows:
        yield lines.pop(0).rstrip()
    for balancer in balancers:
        yield from _heading(balancer, off.get(balancer["arn"], []), ink)
        for _ in balancer["zones"]:
            yield lines.pop(0).rstrip()


def _switched_off(groups: list[Item]) -> Mapping[str, list[str]]:
    """Names of target groups with cross-zone off in effect, by the ARN of their load balancer."""
    found: dict[str, list[str]] = {}
    for group in groups:
        if group["cross_zone"] == "off" and group["load_balancer_arn"]:
            found.setdefault(group["load_balancer_arn"], []).append(group["name"])
    return found


def _heading(balancer: Item, off: list[str], ink: Ink) -> Iterator[str]:
    unknown = balancer.get("unknown", {})
    cross_zone = "?" if "cross_zone" in unknown else balancer["cross_zone"]
    words = [_KINDS.get(balancer["type"], balancer["type"]), balancer["scheme"], f"cross-zone {cross_zone}"]
    if cross_zone != "off" and off:
        words[-1] += f" (off for {', '.join(map(plain, off))})"
    if balancer["state"] not in ("", None, "active"):
        words.append(str(balancer["state"]).upper())
    name = plain(balancer["name"])
    first, *rest = Ink(color=False, width=ink.width - 2).wrapped(f"{name}  {', '.join(word for word in words if word)}")
    yield first.replace(name, ink.bold(name), 1)
    yield from (f"  {line}" for line in rest)


def _zone(zone: Item) -> str:
    if zone["id"] and zone["name"]:
        return plain(f"{zone['id']} ({zone['name']})")
    return plain(zone["id"] or f"? ({zone['name']})")


def _number(zone: Item, field: str) -> str:
    return "?" if field in zone.get("unknown", {}) else str(zone[field])


def _healthy(zone: Item, ink: Ink) -> str:
    healthy, registered = _number(zone, "healthy"), _number(zone, "registered")
    if "?" in (healthy, registered):
        return ink.warn("?" if healthy == registered else f"{healthy}/{registered}")
    text = f"{healthy}/{registered}"
    if healthy == "0":
        return ink.bad(text)
    return ink.good(text) if healthy == registered else ink.warn(text)


def _in_dns(zone: Item, ink: Ink) -> str:
    if "in_dns" in zone.get("unknown", {}):
        return ink.warn("?")
    return ink.good("yes") if zone["in_dns"] else ink.bad("no")


def _shift(balancer: Item, zone: Item, shifts: Mapping[tuple[str, str | None], str], ink: Ink) -> str:
    """Whether traffic is moved away now; else whether it could be."""
    if zone["shifted_away"]:
        kind = shifts.get((balancer["arn"], zone["id"]), "shift")
        return ink.bad(plain(f"AWAY NOW: {kind}"))
    if balancer["type"] not in ("application", "network"):
        return "n/a"
    if "zonal_shift_enabled" in balancer.get("unknown", {}):
        return ink.warn("?")
    if not balancer["zonal_shift_enabled"]:
        return ink.warn("not enabled")
    return ink.good("can shift") + (ink.warn(", shifted now: ?") if "shifted_away" in zone.get("unknown", {}) else "")
