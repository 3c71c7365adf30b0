"""What is on purpose: declared by a tag on the resource or by an entry of the settings.

Intent decides whether a rule applies; it never hides that requests fail now, so rules that can be critical refuse it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec

from ..derive.node import Node
from ..errors import UsageError
from ..model.faults import fault_in_words
from ..model.known import Unknown
from .matching import Match
from .types import closest, joined

__all__ = ["TAG", "WORDS", "Intent", "IntentEntry", "Intents", "intent_entries"]

Word: TypeAlias = Literal["zone-independent", "single-zone", "no-shift", "redirect-is-health"]
WORDS: tuple[str, ...] = get_args(Word)
TAG = "auditor:intent"


class IntentEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"words": "is"}):
    """An entry ``{match, is, reason}`` of the settings."""

    match: Match
    words: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1)]
    reason: Annotated[str, msgspec.Meta(min_length=1)]


class Intent(msgspec.Struct, frozen=True):
    """A word declared for a resource, and the reason as reports show it."""

    word: str
    reason: str


def intent_entries(raw: object, place: str = "intent") -> tuple[IntentEntry, ...]:
    """Entries from decoded settings.

    Raises:
        UsageError: one sentence naming the place.
    """
    try:
        return msgspec.convert(raw, tuple[IntentEntry, ...])
    except msgspec.ValidationError as error:
        raise UsageError(f"{place}: {fault_in_words(str(error), tuple[IntentEntry, ...])}") from None


class Intents:
    """Looks up what is declared for a subject. Only resources with a declaration cost anything."""

    def __init__(self, entries: Sequence[IntentEntry], nodes: Iterable[Node]) -> None:
        self._declared: dict[int, tuple[Intent, ...]] = {}
        self.notes: list[str] = []
        for node in nodes:
            found = (*self._from_tag(node), *self._from_settings(entries, node))
            if found:
                self._declared[id(node)] = found

    def _from_tag(self, node: Node) -> Iterable[Intent]:
        tags = node.tags
        if isinstance(tags, Unknown) or TAG not in tags:
            return
        for word in tags[TAG].split():
            if word in WORDS:
                yield Intent(word, f"the tag {TAG} of {node.resource.name} says {word}")
            else:
                self._note(node, tags, word)

    def _note(self, node: Node, tags: Mapping[str, str], word: str) -> None:
        near = closest(word, list(WORDS))
        note = (
            f"the tag {TAG} of {node.resource.name} says {word!r}, which means nothing;"
            f"{f' {near}' if near else ''} the words are {joined(sorted(WORDS))}"
        )
        if note not in self.notes:
            self.notes.append(note)

    @staticmethod
    def _from_settings(entries: Sequence[IntentEntry], node: Node) -> Iterable[Intent]:
        for entry in entries:
            if entry.match.of(node) is True:
                for word in entry.words:
                    yield Intent(word, f"{word} by the settings: {entry.reason}")

    def __bool__(self) -> bool:
        return bool(self._declared)

    def excuse(self, node: Node, words: Sequence[str]) -> Intent | None:
        """The first declaration for `node` that switches off a rule with these intent words."""
        return next((i for i in self._declared.get(id(node), ()) if i.word in words), None)
