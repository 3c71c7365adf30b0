"""Two builds, in process and in a server process, are the same account; every answer is one that AWS could give."""

from __future__ import annotations

import pytest

from auditor.demo import demo_account
from auditor.demo.extension.validate import check_answer
from auditor.demo.server import server_process

from .reading import Reader, read_all


@pytest.fixture(scope="module")
def first() -> Reader:
    with demo_account() as account:
        return read_all(account)


def test_every_answer_fits_botocores_shapes_and_enums(first: Reader) -> None:
    assert len(first.answers) > 100
    for (service, operation, _), answer in first.answers.items():
        check_answer(service, operation, answer)


def test_a_second_build_has_the_same_ids(first: Reader) -> None:
    with demo_account() as account:
        second = read_all(account)
    assert second.without_times() == first.without_times()


def test_the_server_answers_the_same(first: Reader) -> None:
    with server_process() as account:
        assert account.endpoint_url is not None
        assert account.endpoint_url.startswith("http://127.0.0.1:")
        served = read_all(account)
    assert served.without_times() == first.without_times()


def test_the_server_types_its_errors_over_http() -> None:
    with server_process() as account:
        client = Reader(account).client("arc-zonal-shift")
        with pytest.raises(client.exceptions.ResourceNotFoundException):
            client.get_managed_resource(resourceIdentifier="arn:aws:none:nowhere")
        arn = "arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/none/0123456789abcdef"
        elbv2 = Reader(account).client("elbv2")
        with pytest.raises(elbv2.exceptions.LoadBalancerNotFoundException):
            elbv2.describe_load_balancer_attributes(LoadBalancerArn=arn)
