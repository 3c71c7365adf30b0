"""Names of page tokens and page sizes, from botocore's own paginator data."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from botocore.exceptions import DataNotFoundError
from botocore.loaders import Loader, create_loader


class Paging(NamedTuple):
    """How one operation pages: request parameter for the token, answer field of the next token, parameter for the size."""

    input_token: str
    output_token: str
    limit_key: str


@cache
def _loader() -> Loader:
    return create_loader()


@cache
def _paginators(service: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = _loader().load_service_model(service, "paginators-1")["pagination"]
    except DataNotFoundError:
        return {}
    return found


@cache
def paging(service: str, operation: str) -> Paging | None:
    """How `operation` pages, or None when it answers all at once."""
    found = _paginators(service).get(operation)
    if not found or not isinstance(found["input_token"], str):
        return None
    return Paging(found["input_token"], found["output_token"], found.get("limit_key", ""))
