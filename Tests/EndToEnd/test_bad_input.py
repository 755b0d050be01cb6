"""Malformed requests each get their status and a message that names the parameter, and the process lives on."""

import pytest

from malformed import CASES, GOOD_TOKEN, RAW


@pytest.fixture(scope="module", autouse=True)
def lives_on(server):
    """The same process, and the same bytes as before the abuse."""
    process, before = server.process.pid, server.render("svg", text="unharmed", effect="fade")
    yield
    after = server.render("svg", text="unharmed", effect="fade")
    assert (server.process.pid, server.process.poll()) == (process, None)
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
    assert (problem["status"], problem["type"]) == (case.status, "about:blank")
    assert problem["title"]
    assert sorted(answer.faults) == sorted(case.faults), problem
    assert case.says.lower() in " ".join(error["message"] for error in problem.get("errors", [])).lower(), problem
    if case.status == 405:
        assert "OPTIONS" in answer.headers["Allow"]
    assert server.get("/health").json == {"status": "ok"}


@pytest.mark.parametrize("name", RAW)
def test_refused_by_the_wire(server, name):
    data, status = RAW[name]
    answer = server.raw(data)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:300]
    assert server.get("/health").json == {"status": "ok"}


def test_the_good_token_is_good(server):
    assert server.get(f"/r/{GOOD_TOKEN}.svg").status == 200
