"""What failures amount to, and that the innocent readings need proof."""

from __future__ import annotations

import pytest
from botocore import exceptions as errors

from auditor.aws.outcome import CallFailed, classify, settle
from auditor.model.known import Outcome


def refusal(code: str, status: int = 400, message: str = "", operation: str = "DescribeThings") -> errors.ClientError:
    answer = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": status, "RetryAttempts": 2},
    }
    return errors.ClientError(answer, operation)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("AccessDenied", 403, Outcome.DENIED),
        ("AccessDeniedException", 403, Outcome.DENIED),
        ("UnauthorizedOperation", 403, Outcome.DENIED),
        ("AuthFailure", 401, Outcome.DENIED),
        ("InvalidClientTokenId", 403, Outcome.DENIED),
        ("SomethingNew", 403, Outcome.DENIED),
        ("Throttling", 400, Outcome.THROTTLED),
        ("ThrottlingException", 400, Outcome.THROTTLED),
        ("RequestLimitExceeded", 503, Outcome.THROTTLED),
        ("DependencyThrottle", 400, Outcome.THROTTLED),
        ("SomethingNew", 429, Outcome.THROTTLED),
        ("ExpiredToken", 403, Outcome.EXPIRED),
        ("ExpiredTokenException", 400, Outcome.EXPIRED),
        ("RequestExpired", 400, Outcome.EXPIRED),
        ("LoadBalancerNotFound", 400, Outcome.GONE),
        ("TargetGroupNotFound", 400, Outcome.GONE),
        ("ListenerNotFound", 400, Outcome.GONE),
        ("RuleNotFound", 400, Outcome.GONE),
        ("ResourceNotFoundException", 404, Outcome.GONE),
        ("InvalidInstance", 400, Outcome.GONE),
        ("HealthUnavailable", 500, Outcome.FAILED),
        ("SSLPolicyNotFound", 400, Outcome.FAILED),
        ("ValidationError", 400, Outcome.FAILED),
        ("InternalFailure", 500, Outcome.FAILED),
        ("404", 404, Outcome.FAILED),
    ],
)
def test_what_aws_answers(code: str, status: int, outcome: Outcome) -> None:
    failed = classify(refusal(code, status, "because"), service="elbv2")
    assert (failed.code, failed.message, failed.outcome) == (code, "because", outcome)
    assert (failed.status, failed.retries) == (status, 2)


def test_a_group_that_has_gone_has_no_code_of_its_own_in_auto_scaling() -> None:
    gone = refusal("ValidationError", message="AutoScalingGroup name not found - no such group: web")
    assert classify(gone, service="autoscaling").outcome is Outcome.GONE
    assert classify(gone, service="elbv2").outcome is Outcome.FAILED
    assert classify(refusal("ValidationError", message="bad"), service="autoscaling").outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (errors.EndpointConnectionError(endpoint_url="https://x"), Outcome.FAILED),
        (errors.ReadTimeoutError(endpoint_url="https://x"), Outcome.FAILED),
        (errors.SSLError(endpoint_url="https://x", error="bad"), Outcome.FAILED),
        (errors.UnauthorizedSSOTokenError(), Outcome.EXPIRED),
        (errors.CredentialRetrievalError(provider="p", error_msg="m"), Outcome.EXPIRED),
        (RuntimeError("what\nelse"), Outcome.FAILED),
    ],
)
def test_what_happens_without_an_answer(error: Exception, outcome: Outcome) -> None:
    failed = classify(error)
    assert (failed.code, failed.outcome, failed.status) == (type(error).__name__, outcome, 0)
    assert "\n" not in failed.message


def test_a_role_that_cannot_be_renewed_does_not_blame_the_call_it_was_renewed_for() -> None:
    assert classify(refusal("AccessDenied", 403, operation="AssumeRole")).outcome is Outcome.EXPIRED


@pytest.mark.parametrize("opted_in", [True, False, None])
@pytest.mark.parametrize("code", ["AuthFailure", "UnrecognizedClientException", "OptInRequired", "AccessDenied"])
def test_not_enabled_needs_the_word_of_describe_regions(code: str, opted_in: bool | None) -> None:
    innocent = code != "AccessDenied" and opted_in is False
    found = settle(classify(refusal(code, 403)), opted_in=opted_in, sibling_worked=True)
    assert found is (Outcome.NOT_ENABLED if innocent else Outcome.DENIED)


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("sibling_worked", [True, False])
def test_not_offered_needs_partition_data_and_a_sibling_that_worked(listed: bool, sibling_worked: bool) -> None:
    failed = classify(errors.EndpointConnectionError(endpoint_url="https://x"), listed=listed)
    innocent = not listed and sibling_worked
    found = settle(failed, opted_in=True, sibling_worked=sibling_worked)
    assert found is (Outcome.NOT_OFFERED if innocent else Outcome.FAILED)


def test_a_timeout_is_never_not_offered() -> None:
    failed = classify(errors.ReadTimeoutError(endpoint_url="https://x"), listed=False)
    assert settle(failed, opted_in=True, sibling_worked=True) is Outcome.FAILED


def test_a_failed_call_reads_as_code_and_message() -> None:
    assert str(CallFailed("Throttling", "Rate exceeded", Outcome.THROTTLED)) == "Throttling: Rate exceeded"
