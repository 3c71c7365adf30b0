"""Is an answer one that AWS could give? Checked against botocore's output shapes and enums.

Nothing in moto is checked on the way out, so a fixture with an impossible state would reach the auditor and tests would
pass on states that AWS never returns. Every answer of the extension goes through here, and an impossible one raises.
"""

from __future__ import annotations

import datetime
import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

from botocore.loaders import Loader
from botocore.model import ServiceModel

# Reasons that AWS pairs with each state of a target (ELBv2 API, TargetHealth).
_REASONS: Mapping[str, frozenset[str | None]] = {
    "initial": frozenset({"Elb.RegistrationInProgress", "Elb.InitialHealthChecking"}),
    "healthy": frozenset({None}),
    "unhealthy": frozenset(
        {"Target.ResponseCodeMismatch", "Target.Timeout", "Target.FailedHealthChecks", "Elb.InternalError"}
    ),
    "unhealthy.draining": frozenset({"Target.FailedHealthChecks"}),
    "unused": frozenset({"Target.NotRegistered", "Target.NotInUse", "Target.InvalidState", "Target.IpUnusable"}),
    "draining": frozenset({"Target.DeregistrationInProgress"}),
    "unavailable": frozenset({"Target.HealthCheckDisabled", "Elb.InternalError"}),
}


class ImpossibleAnswer(ValueError):
    """An answer or fixture that AWS could not give; the message names the place in it."""


def check_answer(service: str, operation: str, answer: Mapping[str, Any]) -> None:
    """Raise `ImpossibleAnswer` unless `answer` fits the output shape of `operation`.

    Args:
        service: botocore's service name, such as ``elbv2``.
        operation: API operation, such as ``DescribeTargetHealth``.
        answer: the answer in AWS spelling; ``ResponseMetadata`` is ignored.
    """
    shape = service_model(service).operation_model(operation).output_shape
    check_shape(shape, answer, f"{service}:{operation}")


def check_part(service: str, shape: str, value: Any) -> None:
    """Raise `ImpossibleAnswer` unless `value` fits the named shape of a service, such as elbv2's ``TargetHealth``."""
    check_shape(service_model(service).shape_for(shape), value, f"{service}.{shape}")


def check_target_health(health: Mapping[str, Any]) -> None:
    """Raise `ImpossibleAnswer` unless the state of a target and its reason can go together."""
    check_part("elbv2", "TargetHealth", health)
    state, reason = health.get("State"), health.get("Reason")
    if reason not in _REASONS.get(str(state), frozenset()):
        raise ImpossibleAnswer(f"elbv2.TargetHealth: state {state!r} never comes with reason {reason!r}")


def check_shape(shape: Any, value: Any, where: str) -> None:
    """Raise `ImpossibleAnswer` unless `value` fits a botocore shape (None: an operation without output)."""
    if shape is None:
        return
    _CHECKS.get(shape.type_name, _nothing)(shape, value, where)


@functools.cache
def service_model(service: str) -> ServiceModel:
    """The model of a service as botocore ships it, untouched by moto."""
    return ServiceModel(Loader().load_service_model(service, "service-2"), service_name=service)


def _structure(shape: Any, value: Any, where: str) -> None:
    _typed(value, Mapping, "a structure", where)
    present = {key: item for key, item in value.items() if item is not None and key != "ResponseMetadata"}
    for key in present:
        if key not in shape.members:
            raise ImpossibleAnswer(f"{where}: {shape.name} has no field {key!r}")
    for key in shape.required_members:
        if key not in present:
            raise ImpossibleAnswer(f"{where}: field {key!r} is always there and is missing")
    for key, item in present.items():
        check_shape(shape.members[key], item, f"{where}.{key}")


def _list(shape: Any, value: Any, where: str) -> None:
    _typed(value, (list, tuple), "a list", where)
    for number, item in enumerate(value):
        check_shape(shape.member, item, f"{where}[{number}]")


def _map(shape: Any, value: Any, where: str) -> None:
    _typed(value, Mapping, "a map", where)
    for key, item in value.items():
        check_shape(shape.key, key, f"{where} key {key!r}")
        check_shape(shape.value, item, f"{where}[{key!r}]")


def _string(shape: Any, value: Any, where: str) -> None:
    _typed(value, str, "text", where)
    if shape.enum and value not in shape.enum:
        raise ImpossibleAnswer(f"{where}: {value!r} is none of {', '.join(shape.enum)}")
    minimum = shape.metadata.get("min")
    if minimum is not None and len(value) < minimum:
        raise ImpossibleAnswer(f"{where}: {value!r} is shorter than {minimum}")
    pattern = _pattern(shape.metadata.get("pattern"))
    if pattern is not None and not pattern.search(value):
        raise ImpossibleAnswer(f"{where}: {value!r} does not match {pattern.pattern}")


@functools.cache
def _pattern(text: str | None) -> re.Pattern[str] | None:
    """A model's pattern, where Python can read it (some use Java's syntax)."""
    try:
        return re.compile(text) if text else None
    except re.error:
        return None


def _whole_number(shape: Any, value: Any, where: str) -> None:
    if isinstance(value, bool):
        raise ImpossibleAnswer(f"{where}: expected a whole number, got {value!r}")
    _typed(value, int, "a whole number", where)


def _number(shape: Any, value: Any, where: str) -> None:
    if isinstance(value, bool):
        raise ImpossibleAnswer(f"{where}: expected a number, got {value!r}")
    _typed(value, (int, float), "a number", where)


def _boolean(shape: Any, value: Any, where: str) -> None:
    _typed(value, bool, "true or false", where)


def _timestamp(shape: Any, value: Any, where: str) -> None:
    _typed(value, datetime.datetime, "a time", where)


def _nothing(shape: Any, value: Any, where: str) -> None:
    """Blobs and documents carry nothing that the auditor reads."""


def _typed(value: Any, kind: Any, name: str, where: str) -> None:
    if not isinstance(value, kind):
        raise ImpossibleAnswer(f"{where}: expected {name}, got {value!r}")


_CHECKS: Mapping[str, Callable[[Any, Any, str], None]] = {
    "structure": _structure,
    "list": _list,
    "map": _map,
    "string": _string,
    "character": _string,
    "integer": _whole_number,
    "long": _whole_number,
    "float": _number,
    "double": _number,
    "boolean": _boolean,
    "timestamp": _timestamp,
}
