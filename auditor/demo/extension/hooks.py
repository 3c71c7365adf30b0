"""The one place that reaches into moto: registers ARC zonal shift, swaps backends and response methods, seeds ids.

Everything that is changed is put back when the context ends, so a process can use plain moto before and after. The
internals this stands on are listed in `contract` and checked first.
"""

from __future__ import annotations

import contextlib
import functools
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import moto.backend_index
from botocore.parsers import create_parser
from moto.autoscaling.models import FakeAutoScalingGroup, autoscaling_backends
from moto.autoscaling.responses import AutoScalingResponse
from moto.cloudwatch.responses import CloudWatchResponse
from moto.core.responses import ActionResult
from moto.ec2.models import ec2_backends
from moto.ec2.responses import EC2Response
from moto.eks.models import eks_backends
from moto.eks.responses import EKSResponse
from moto.elb.models import elb_backends
from moto.elb.responses import ELBResponse
from moto.elbv2.models import elbv2_backends
from moto.elbv2.responses import ELBV2Response
from moto.moto_api._internal import mock_random
from moto.sts.responses import TokenResponse

from . import answers, contract
from .arc import models as arc_models
from .autoscaling import DemoAutoScalingBackend, spread_over_zones
from .eks import DemoEKSBackend
from .elb import DemoELBBackend
from .elbv2 import DemoELBv2Backend
from .validate import check_shape

# moto looks a service up as moto.<name>; ours stands there under this name without being inside moto.
_ARC_MODULE = "moto.arczonalshift"
_ARC_PATTERN = ("arczonalshift", re.compile(r"https?://arc-zonal-shift\.(.+)\.amazonaws\.com"))

_RESPONSES: dict[str, Any] = {
    "autoscaling": AutoScalingResponse,
    "cloudwatch": CloudWatchResponse,
    "ec2": EC2Response,
    "eks": EKSResponse,
    "elb": ELBResponse,
    "elbv2": ELBV2Response,
    "sts": TokenResponse,
}
_BACKENDS = (
    (autoscaling_backends, DemoAutoScalingBackend),
    (eks_backends, DemoEKSBackend),
    (elb_backends, DemoELBBackend),
    (elbv2_backends, DemoELBv2Backend),
)


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """Put the extension into moto; start the mock or server inside, so that its backends are made from ours.

    Raises:
        MotoMoved: this version of moto lacks something that the extension stands on.
    """
    contract.check()
    with contextlib.ExitStack() as undo:
        _register_arc(undo)
        for backends, ours in _BACKENDS:
            _set(undo, backends, "backend", ours)
        _set(undo, FakeAutoScalingGroup, "replace_autoscaling_group_instances", spread_over_zones)
        for service, response in _RESPONSES.items():
            for name, method in _methods(service, response).items():
                _set(undo, response, name, method)
        undo.callback(mock_random.seed)
        yield


def make_backends(account: str, region: str) -> None:
    """Make the backends of an account and region now, so that what EC2 brings with it has the same ids every time.

    Made twice, because the first one of a process draws more ids than later ones.
    """
    for backends in (ec2_backends, *(backends for backends, _ in _BACKENDS), arc_models.arczonalshift_backends):
        made = backends[account][region]
        seed_ids("account")
        made.reset()


def seed_ids(label: str) -> None:
    """Make the ids that moto gives next follow from `label`, so that every build gives the same ones."""
    mock_random.seed(label)


def _register_arc(undo: contextlib.ExitStack) -> None:
    sys.modules[_ARC_MODULE] = arc_models
    undo.callback(sys.modules.pop, _ARC_MODULE, None)
    moto.backend_index.backend_url_patterns.insert(0, _ARC_PATTERN)
    undo.callback(moto.backend_index.backend_url_patterns.remove, _ARC_PATTERN)


def _methods(service: str, response: Any) -> dict[str, Any]:
    """Response methods to put in place of moto's for one service."""
    methods: dict[str, Any] = dict(answers.INSTEAD.get(service, {}))
    for name, around in answers.AROUND.get(service, {}).items():
        methods[name] = functools.partialmethod(_call_around, around, getattr(response, name))
    for name in answers.CHECKED.get(service, ()):
        inner = methods.get(name) or getattr(response, name)
        methods[name] = _checked(inner)
    return methods


def _call_around(response: Any, around: Callable[..., Any], inner: Any) -> Any:
    return around(inner, response)


def _checked(inner: Any) -> Any:
    bound = inner.__get__ if isinstance(inner, functools.partialmethod) else None

    def answer(response: Any) -> ActionResult:
        result = bound(response, type(response))() if bound else inner(response)
        return CheckedResult(result.result)

    return answer


class CheckedResult(ActionResult):
    """A result that is checked as the client will read it, after moto has written it in the service's protocol."""

    def execute_result(self, context: Any) -> Any:
        """Write the answer, read it back with botocore's parser, check it, pass it on."""
        status, headers, body = super().execute_result(context)
        shape = context.operation_model.output_shape
        raw = body.encode() if isinstance(body, str) else body
        # The protocol of the request, which for a service of several is not the one its model names first.
        parser = create_parser(context.response.determine_response_protocol(context.service_model))
        parsed = parser.parse({"status_code": status, "headers": dict(headers), "body": raw}, shape)
        check_shape(shape, parsed, f"{context.service_model.service_name}:{context.operation_model.name}")
        return status, headers, body


def _set(undo: contextlib.ExitStack, owner: Any, name: str, value: Any) -> None:
    """Set an attribute and put the old state back later: the own value, or none where it was inherited."""
    if name in vars(owner):
        undo.callback(setattr, owner, name, vars(owner)[name])
    else:
        undo.callback(delattr, owner, name)
    setattr(owner, name, value)
