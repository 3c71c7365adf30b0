"""AWS STS: who is asking."""

from __future__ import annotations

from .read import Read
from .shape import Shape


class CallerIdentity(Shape, frozen=True, kw_only=True):
    """The account and principal of the credentials in use."""

    Account: str = ""
    Arn: str = ""


CALLER_IDENTITY = Read("sts", "GetCallerIdentity", "", CallerIdentity, regional=False)
