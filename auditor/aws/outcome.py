"""What a failed call amounts to.

Classifying has two steps. `classify` looks at the error alone. Some errors admit an innocent reading, a region that is not
enabled or a service that is not offered there; `settle` accepts that reading only with proof, because a refusal that passes
for "nothing there" is worse than one that is reported in vain.
"""

from __future__ import annotations

from typing import Any, Literal

from botocore import exceptions as errors

from ..model.known import Outcome

__all__ = ["EXPIRED_CODES", "CallFailed", "classify", "settle"]

_DENIED = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "AuthorizationError",
        "AuthorizationErrorException",
        "Client.UnauthorizedOperation",
        "NotAuthorized",
        "UnauthorizedAccess",
        "UnauthorizedException",
        "UnauthorizedOperation",
    }
)
# What AWS says to credentials it does not know. A region that the account has not enabled does not know any of them.
_UNKNOWN_THERE = frozenset(
    {
        "AuthFailure",
        "IncompleteSignature",
        "InvalidAccessKeyId",
        "InvalidClientTokenId",
        "MissingAuthenticationToken",
        "MissingAuthenticationTokenException",
        "OptInRequired",
        "SignatureDoesNotMatch",
        "SubscriptionRequiredException",
        "UnrecognizedClientException",
    }
)
_THROTTLED = frozenset(
    {
        "BandwidthLimitExceeded",
        "DependencyThrottle",
        "EC2ThrottledException",
        "PriorRequestNotComplete",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestThrottledException",
        "SlowDown",
        "ThrottledException",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
    }
)
EXPIRED_CODES = frozenset({"ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired"})
_GONE = frozenset(
    {
        "AccessPointNotFound",
        "InvalidInstance",
        "InvalidInstanceID.NotFound",
        "InvalidSubnetID.NotFound",
        "ListenerNotFound",
        "LoadBalancerNotFound",
        "ResourceNotFoundException",
        "RuleNotFound",
        "TargetGroupNotFound",
    }
)
_CREDENTIALS = (
    errors.CredentialRetrievalError,
    errors.NoCredentialsError,
    errors.PartialCredentialsError,
    errors.SSOError,
    errors.TokenRetrievalError,
)
_NO_ROUTE = (errors.EndpointConnectionError, errors.NoRegionError, errors.UnknownEndpointError)

Suspect = Literal["region", "service", ""]


class CallFailed(Exception):
    """A call that gave no answer.

    Attributes:
        code: AWS's error code, or the name of the local error when nothing came back.
        message: AWS's words.
        outcome: what it amounts to.
        status: HTTP status, 0 when nothing came back.
        retries: how many times the call was repeated below this interface.
        suspect: which innocent reading the error would allow, if proven: ``region``, ``service`` or none.
        listed: whether botocore's partition data lists the service in that region.
    """

    def __init__(
        self,
        code: str,
        message: str,
        outcome: Outcome,
        *,
        status: int = 0,
        retries: int = 0,
        suspect: Suspect = "",
        listed: bool = True,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.outcome = outcome
        self.status = status
        self.retries = retries
        self.suspect = suspect
        self.listed = listed


def classify(error: Exception, *, service: str = "", listed: bool = True) -> CallFailed:
    """What an exception below the transport amounts to, before any proof of an innocent reading.

    Args:
        error: what botocore, or anything below it, raised.
        service: botocore's name of the service that was called.
        listed: whether botocore's partition data lists the service in the region that was called.
    """
    if isinstance(error, errors.ClientError):
        return _of_answer(error, service)
    name = type(error).__name__
    message = " ".join(str(error).split())
    if isinstance(error, _CREDENTIALS):
        return CallFailed(name, message, Outcome.EXPIRED)
    suspect: Suspect = "service" if isinstance(error, _NO_ROUTE) else ""
    return CallFailed(name, message, Outcome.FAILED, suspect=suspect, listed=listed)


def _of_answer(error: errors.ClientError, service: str) -> CallFailed:
    found: dict[str, Any] = dict(error.response.get("Error", {}))
    metadata: dict[str, Any] = dict(error.response.get("ResponseMetadata", {}))
    code = str(found.get("Code") or "Unknown")
    message = str(found.get("Message") or "")
    status = int(metadata.get("HTTPStatusCode", 0))
    if error.operation_name == "AssumeRole":
        # Renewing the role's credentials failed in the middle of another call, which itself was not refused.
        return CallFailed(code, message, Outcome.EXPIRED, status=status)
    outcome = _outcome(code, message, status, service)
    return CallFailed(
        code,
        message,
        outcome,
        status=status,
        retries=int(metadata.get("RetryAttempts", 0)),
        suspect="region" if code in _UNKNOWN_THERE else "",
    )


def _outcome(code: str, message: str, status: int, service: str) -> Outcome:
    for codes, outcome in (
        (_DENIED | _UNKNOWN_THERE, Outcome.DENIED),
        (_THROTTLED, Outcome.THROTTLED),
        (EXPIRED_CODES, Outcome.EXPIRED),
        (_GONE, Outcome.GONE),
    ):
        if code in codes:
            return outcome
    # Auto Scaling has no code of its own for a group that has gone.
    if service == "autoscaling" and code == "ValidationError" and "not found" in message.lower():
        return Outcome.GONE
    return {401: Outcome.DENIED, 403: Outcome.DENIED, 429: Outcome.THROTTLED}.get(status, Outcome.FAILED)


def settle(failed: CallFailed, *, opted_in: bool | None, sibling_worked: bool) -> Outcome:
    """The final outcome of a failed call, once it is known what else was seen in its region.

    Args:
        failed: the failure as `classify` saw it.
        opted_in: whether DescribeRegions says that the account has the region enabled; None when that was not read.
        sibling_worked: whether a call of another service worked in the same account and region.
    """
    if failed.suspect == "region" and opted_in is False:
        return Outcome.NOT_ENABLED
    if failed.suspect == "service" and not failed.listed and sibling_worked:
        return Outcome.NOT_OFFERED
    return failed.outcome
