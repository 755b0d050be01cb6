"""Descriptors run out before the fonts are open: every answer is right or refused, and right again soon after."""

import concurrent.futures
import http.client
import resource
import socket
import time

import pytest

from mixed_requests import MIXED
from service import until
from verdicts import Client, Healthy, answers, is_refusal

pytestmark = pytest.mark.alone

# Descriptors of the process, and connections of the crowd.
CROWDS = [(1024, 1300), (256, 400), (64, 80)]
# Clients that have a connection before the crowd comes, and clients that have none.
EARLY = LATE = 4
# Seconds until a client that is not answered goes away.
WAIT = 1
# Seconds after which all is right when the crowd has gone.
RECOVERY = 1


@pytest.fixture(scope="module")
def healthy(server):
    return Healthy(server, MIXED)


class Crowd:
    """Connections that ask for nothing; those that are not taken at once wait."""

    def __init__(self, service, size):
        self.limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.limits[1], self.limits[1]))
        self.connections = [socket.socket() for _ in range(size)]
        for connection in self.connections:
            connection.setblocking(False)
            connection.connect_ex((service.host, service.port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.connections:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, self.limits)


def limit(descriptors):
    """Sets the most descriptors that the process can ever have."""
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))


def responses_to(client, indices):
    """The answers to some of the requests; a client that gets none leaves the rest."""
    found = {}
    try:
        for index in indices:
            found[index] = client.ask(MIXED[index])
    except (OSError, http.client.HTTPException):
        pass
    return found


def in_order(found):
    """The answers in the order of the requests."""
    together = {index: answer for answers in found for index, answer in answers.items()}
    return [together.get(index) for index in range(len(MIXED))]


@pytest.mark.parametrize("descriptors, size", CROWDS)
def test_under_a_crowd_an_answer_is_right_or_refused_and_afterwards_right(start, healthy, descriptors, size):
    service = start("--workers", "2", preexec_fn=limit(descriptors))
    early = [Client(service) for _ in range(EARLY)]
    late = [Client(service, WAIT) for _ in range(LATE)]
    for client in early:
        assert client.ask("/health").status == 200
    with concurrent.futures.ThreadPoolExecutor(EARLY + LATE) as pool:
        with Crowd(service, size):
            futures = [
                pool.submit(responses_to, client, range(index, len(MIXED), len(clients)))
                for clients in (early, late)
                for index, client in enumerate(clients)
            ]
            first = [found.result() for found in futures[:EARLY]]
            health = early[0].ask("/health")
            last = [found.result() for found in futures[EARLY:]]
        gone = time.monotonic()
    wrong = healthy.false(in_order(first)) + healthy.false(in_order(last))
    assert not wrong, f"{len(wrong)} answers, such as {wrong[:3]}"
    assert None not in in_order(first)
    assert is_health(health), health.text

    def are_right():
        began = time.monotonic()
        wrong = healthy.wrong(answers(service, MIXED))
        assert not wrong or began < gone + RECOVERY, f"{len(wrong)} answers afterwards, such as {wrong[:3]}"
        return not wrong

    until(are_right, "right answers")
    after = service.get("/health")
    assert (after.status, after.json) == (200, {"status": "ok"})


def is_health(answer):
    """Whether it is what `/health` may say while descriptors are short."""
    if answer.status == 200:
        return answer.json == {"status": "ok"}
    reasons = answer.json.get("reasons")
    return (
        (answer.status, answer.json["status"]) == (503, "failing")
        and is_refusal(answer)
        and bool(reasons)
        and all(isinstance(reason, str) and reason for reason in reasons)
    )
