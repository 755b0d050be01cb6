"""Requests that harmed the service once, and a sample of random ones; what they cost in time is judged by

    python3 Tests/EndToEnd/support/hostile.py .build/release/titlecard
"""

import pytest

import hostile
from hostile_cases import CASES
from service import by_proof

pytestmark = pytest.mark.alone

# As many as keep two cores busy for some seconds.
REQUESTS = 200


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_harmed_once_harms_no_longer(case):
    assert hostile.run_case(case) == []


@pytest.mark.slow
def test_random_hostile_requests_harm_neither_the_service_nor_others(start):
    service = start("--log-level", "notice")
    outcome = hostile.run(service, by_proof(REQUESTS, 20_000), seed="1", quiet_seconds=1)
    assert outcome.faults == []
