"""Does a container instance meet a placement constraint? The cluster query language, as far as attributes of instances decide.

``attribute:ecs.availability-zone in [us-east-1a, us-east-1b] and attribute:ecs.instance-type =~ m6i.*``
What an expression says of anything else (``task:group``, ``runningTasksCount``) is unknown, and so is what is not understood.
https://docs.aws.amazon.com/AmazonECS/latest/developerguide/cluster-query-language.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec

from ..model.known import unclear
from ..model.verdict import Truth, all_of, any_of, negate

_SIGN = r"==|!=|=~|!~|>=|<=|>|<|&&|\|\||!(?=\s*\()|[()\[\],]"
_TOKEN = re.compile(rf"""\s*(?:({_SIGN})|"([^"]*)"|'([^']*)'|([^\s()\[\],=<>&|]+))""")
# A pattern is one word, with brackets of its own.
_PATTERN = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|(\S+))""")
_BEFORE_PATTERN = frozenset({"=~", "!~", "matches", "not_matches"})
_SAME = {
    "equals": "==",
    "not_equals": "!=",
    "matches": "=~",
    "not_matches": "!~",
    "not_in": "!in",
    "not_exists": "!exists",
}
_JOINS = {"&&": "and", "||": "or", "!": "not"}
_ORDER = frozenset({">", ">=", "<", "<=", "greater_than", "greater_than_equal", "less_than", "less_than_equal"})


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an instance: its attributes, and whether these are all it has."""

    attributes: Mapping[str, str]
    whole: bool = True


def meets(expression: str, traits: Traits) -> Truth:
    """Whether an instance meets an expression; unknown where that hangs on something that is not known of it."""
    try:
        reader = _Reader(_tokens(expression), traits)
        truth = reader.either()
        reader.end()
    except ValueError:
        return unclear(f"the placement constraint {expression!r} is not understood")
    return truth


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at, text = 0, text.rstrip()
    while at < len(text):
        pattern = bool(found) and found[-1] in _BEFORE_PATTERN
        token = (_PATTERN if pattern else _TOKEN).match(text, at)
        if token is None:
            raise ValueError(text[at:])
        word, at = next(g for g in token.groups() if g is not None), token.end()
        while pattern and word.endswith(")") and word.count(")") > word.count("("):
            word, at = word[:-1], at - 1
        found.append(word)
    return found


class _Reader:
    """Reads tokens from left to right; `or` binds weaker than `and`, that weaker than `not`."""

    def __init__(self, tokens: list[str], traits: Traits) -> None:
        self._tokens, self._traits = tokens, traits

    def _peek(self) -> str:
        token = self._tokens[0] if self._tokens else ""
        return _JOINS.get(token, token)

    def _take(self, wanted: str = "") -> str:
        token = self._peek()
        if not token or (wanted and token != wanted):
            raise ValueError(token)
        del self._tokens[0]
        return token

    def end(self) -> None:
        """Insist on the end."""
        if self._tokens:
            raise ValueError(self._tokens[0])

    def either(self) -> Truth:
        """Terms joined by ``or``."""
        truths = [self._both()]
        while self._peek() == "or":
            self._take()
            truths.append(self._both())
        return any_of(truths)

    def _both(self) -> Truth:
        truths = [self._term()]
        while self._peek() == "and":
            self._take()
            truths.append(self._term())
        return all_of(truths)

    def _term(self) -> Truth:
        if self._peek() == "not":
            self._take()
            return negate(self._term())
        if self._peek() == "(":
            self._take()
            truth = self.either()
            self._take(")")
            return truth
        subject, operator = self._take(), self._take()
        operator = _SAME.get(operator, operator)
        if operator in ("exists", "!exists"):
            there = self._exists(subject)
            return there if operator == "exists" else negate(there)
        if operator in ("in", "!in", "==", "!="):
            values = self._list() if operator.endswith("in") else [self._take()]
            return self._compared(subject, lambda value: value in values, negated=operator.startswith("!"))
        if operator in ("=~", "!~"):
            try:
                pattern = re.compile(self._take())
            except re.error:
                return _not_told(f"{subject} {operator}")
            return self._compared(subject, lambda v: pattern.fullmatch(v) is not None, negated=operator == "!~")
        if operator in _ORDER:
            return _not_told(f"{subject} {operator} {self._take()}")
        raise ValueError(operator)

    def _list(self) -> list[str]:
        self._take("[")
        found = [self._take()]
        while self._peek() == ",":
            self._take()
            found.append(self._take())
        self._take("]")
        return found

    def _value(self, subject: str) -> str | None:
        """The value of an attribute; None where it is not known, or there is none to compare."""
        return self._traits.attributes.get(subject.removeprefix("attribute:")) if _is_attribute(subject) else None

    def _exists(self, subject: str) -> Truth:
        if self._value(subject) is not None:
            return True
        return False if _is_attribute(subject) and self._traits.whole else _not_told(subject)

    def _compared(self, subject: str, test: Callable[[str], bool], *, negated: bool) -> Truth:
        """What a comparison gives. An attribute that an instance lacks equals nothing; whether it differs, AWS does not say."""
        value = self._value(subject)
        if value is not None:
            return test(value) is not negated
        lacking = _is_attribute(subject) and self._traits.whole and not negated
        return False if lacking else _not_told(subject)


def _is_attribute(subject: str) -> bool:
    return subject.startswith("attribute:")


def _not_told(what: str) -> Truth:
    return unclear(f"nothing read says whether container instances meet a placement constraint on {what}")
