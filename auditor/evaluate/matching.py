"""Which resources an entry of the settings or of a mute file means."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

import msgspec

from ..derive.node import Node
from ..model.known import Unknown
from ..model.verdict import Truth, all_of

__all__ = ["Match", "tag_matches"]


class Match(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A choice of resources; every key that is given must fit.

    `name` and `arn` are globs (``*``, ``?``); `tag` is ``key`` or ``key=value``, the value a glob; `account` and `region`
    are exact.
    """

    name: str | None = None
    arn: str | None = None
    tag: str | None = None
    account: str | None = None
    region: str | None = None

    def __post_init__(self) -> None:
        if not any((self.name, self.arn, self.tag, self.account, self.region)):
            raise ValueError("a match needs at least one of name, arn, tag, account and region")

    def of(self, node: Node) -> Truth:
        """Whether the resource of `node` is meant; unknown when that hangs on tags that could not be read."""
        resource = node.resource
        return all_of(
            (
                self.account in (None, resource.account_id),
                self.region in (None, resource.region),
                self.name is None or fnmatchcase(resource.name, self.name),
                self.arn is None or fnmatchcase(resource.arn, self.arn),
                True
                if self.tag is None
                else node.tags
                if isinstance(node.tags, Unknown)
                else tag_matches(self.tag, node.tags),
            )
        )


def tag_matches(wanted: str, tags: Mapping[str, str]) -> bool:
    """Whether tags hold ``key`` or ``key=value`` (the value a glob)."""
    key, given, value = wanted.partition("=")
    return key in tags and (not given or fnmatchcase(tags[key], value))
