"""Which alarms does the rule of a composite alarm count on going to ALARM?

``ALARM(name)`` under an even number of NOTs counts; ``OK(name)`` and ``INSUFFICIENT_DATA(name)`` do not.
https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model.known import Known, unclear

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<state>ALARM|OK|INSUFFICIENT_DATA)\s*\(\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|'(?P<single>[^']*)'|(?P<bare>[^()"']+?))\s*\)
    | (?P<word>AND|OR|NOT|TRUE|FALSE)\b
    | (?P<open>\() | (?P<close>\)))""",
    re.VERBOSE,
)
_DEEP = 100


def counted_on(rule: str) -> Known[frozenset[str]]:
    """Names or ARNs of the alarms whose going to ALARM may set a composite alarm off.

    Unknown when the rule is not in the documented form.
    """
    lost = unclear("the rule of a composite alarm is in a form not known here")
    tokens = _tokens(rule)
    if tokens is None:
        return lost
    found: set[str] = set()
    position = _or(tokens, 0, found, negated=False, depth=0)
    return frozenset(found) if position == len(tokens) else lost


def _tokens(rule: str) -> list[re.Match[str]] | None:
    found, place = [], 0
    text = rule.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            return None
        found.append(match)
        place = match.end()
    return found


def _words(tokens: list[re.Match[str]], place: int) -> Iterator[str]:
    if place < len(tokens):
        yield tokens[place]["word"] or ""


def _or(tokens: list[re.Match[str]], place: int, found: set[str], *, negated: bool, depth: int) -> int:
    """Read terms joined by AND and OR; -1 where the form is broken. Which of the two joins them makes no difference here."""
    place = _term(tokens, place, found, negated=negated, depth=depth)
    while place >= 0 and any(w in ("AND", "OR") for w in _words(tokens, place)):
        place = _term(tokens, place + 1, found, negated=negated, depth=depth)
    return place


def _term(tokens: list[re.Match[str]], place: int, found: set[str], *, negated: bool, depth: int) -> int:
    if place >= len(tokens) or depth > _DEEP:
        return -1
    token = tokens[place]
    if token["word"] == "NOT":
        return _term(tokens, place + 1, found, negated=not negated, depth=depth + 1)
    if token["word"] in ("TRUE", "FALSE"):
        return place + 1
    if token["open"]:
        place = _or(tokens, place + 1, found, negated=negated, depth=depth + 1)
        return place + 1 if 0 <= place < len(tokens) and tokens[place]["close"] else -1
    if token["state"]:
        if token["state"] == "ALARM" and not negated:
            name = next(n for n in (token["quoted"], token["single"], token["bare"]) if n is not None)
            found.add(name.replace('\\"', '"'))
        return place + 1
    return -1
