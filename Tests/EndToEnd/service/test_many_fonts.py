"""Render threads that use many fonts at the same time do not disturb each other.

cairo keeps few faces open for all threads together, so each thread goes on closing what the other is about to use.
With TEST_PROOF=1 in the environment there are ten times as many rounds.
"""

import pytest

from mixed_requests import MIXED
from service import sample
from verdicts import Healthy, answers

ROUNDS = 100


def in_size(size):
    """The mixed requests with glyphs of a size that no earlier round has measured."""
    return [("json", {**request, "size": size}) for _, request in MIXED[::2]]


@pytest.mark.slow
def test_many_threads_draw_what_one_thread_draws(start):
    alone = start("--workers", "1", "--cache-size", "0")
    together = start("--workers", "4", "--cache-size", "0")
    for number in sample(range(ROUNDS), ROUNDS // 10):
        healthy = Healthy(alone, in_size(20 + number / 10))
        wrong = healthy.wrong(answers(together, healthy.requests, clients=8))
        assert together.process.poll() is None, f"ended with {together.process.poll()}"
        assert not wrong, f"round {number}: {len(wrong)} answers, such as {wrong[:3]}"
