"""Malformed requests get their status and a message that names the parameter, and the process goes on."""

import time

import pytest

import catalogue_checks
from malformed import CASES, GOOD_TOKEN, RAW


@pytest.fixture(scope="module", autouse=True)
def lives_on(server):
    """Checks that the process is the same after all tests and gives the same bytes."""
    process, before = server.worker, server.render("svg", text="unharmed", effect="fade")
    yield
    after = server.render("svg", text="unharmed", effect="fade")
    assert (server.worker, server.process.poll()) == (process, None)
    assert (after.body, after.headers["ETag"]) == (before.body, before.headers["ETag"])


def test_the_table_is_long_enough():
    assert len(CASES) + len(RAW) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_refused(server, case):
    answer = case.send(server)
    assert answer.status == case.status, answer.body[:500]
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json
    assert problem["status"] == case.status and problem["type"].startswith("/docs/errors.html#")
    assert problem["title"]
    assert sorted(answer.faults) == sorted(case.faults), problem
    assert case.says.lower() in " ".join(error["message"] for error in problem.get("errors", [])).lower(), problem
    if case.status == 405:
        assert "OPTIONS" in answer.headers["Allow"]
    assert server.get("/health").json == {"status": "ok"}


def test_every_wrong_value_of_a_parameter_is_refused_by_its_name(server):
    catalogue_checks.every_wrong_value_of_a_parameter_is_refused_by_its_name(server)


@pytest.mark.parametrize("name", RAW)
def test_refused_by_the_wire(server, name):
    data, status = RAW[name]
    answer = server.raw(data)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:300]
    assert server.get("/health").json == {"status": "ok"}


def test_the_good_token_is_good(server):
    assert server.get(f"/r/{GOOD_TOKEN}.svg").status == 200


LETTERS = "abcdefghij" * 190
GREEDY = {  # far past the limit of keyframes
    "secret": dict(effect="secret", maxTicks=1000, chance=0, firstChance=0),
    "secret of later starts": dict(effect="secret", maxTicks=1000, chance=0.001, tick=0.01, exit="auto"),
    "scramble": dict(effect="scramble", lead=10, tick=0.01, interval=0),
    "scramble in turn": dict(effect="scramble", lead=10, tick=0.01, interval=0.05, exit="auto", loop="infinite"),
    "scramble of many": dict(
        effect="scramble", lead=10, tick=0.01, interval=0, charset="".join(chr(0x4E00 + n) for n in range(256))
    ),
    "scramble among blocks": dict(
        blocks=[dict(text=LETTERS[:90]) for _ in range(20)], effect="scramble", lead=10, tick=0.01, interval=0
    ),
}
PATIENCE = 5  # seconds; each takes hundredths of one
MEMORY = 200 * 1024  # KiB


def peak_memory(process):
    """Returns the greatest resident size that a process had, in KiB."""
    with open(f"/proc/{process}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


@pytest.mark.parametrize("format", ["json", "svg", "png"])
def test_too_many_keyframes_are_refused_before_they_take_memory(start, format):
    service = start()
    for name, request in GREEDY.items():
        text = {} if "blocks" in request else {"text": LETTERS}
        begun = time.monotonic()
        answer = service.post(f"/render.{format}", {**text, "size": 8, "width": 1000, **request})
        assert time.monotonic() - begun < PATIENCE, name
        assert answer.status == 422, name
        assert "keyframes" in answer.json["errors"][0]["message"], name
        assert "200000" in answer.json["errors"][0]["message"], name
    assert peak_memory(service.worker) < MEMORY
    assert service.stop() == 0
