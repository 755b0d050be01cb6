"""The schedule of every effect equals the executable specification's (Tests/Reference)."""

import json
import subprocess
import sys

import pytest

from random_requests import CURSORS, EXITS, PARAMETERS, SEQUENCES, within_limits
from service import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "Tests/Reference"))
import check  # noqa: E402

RANDOM_REQUESTS = 300


def name_of(request):
    return json.dumps(request, ensure_ascii=False)


def test_the_release_offers_exactly_what_is_tested(server):
    effects = {
        effect["name"]: {p["name"] for p in effect["parameters"]} for effect in server.get("/effects").json["effects"]
    }
    assert effects == {effect: set(parameters) for effect, parameters in PARAMETERS.items()}
    query = server.get("/openapi.json").json["paths"]["/render"]["get"]["parameters"]
    choices = {parameter["name"]: set(parameter["schema"].get("enum", [])) for parameter in query}
    assert choices["sequence"] == set(SEQUENCES)
    assert choices["exit"] == set(EXITS)
    assert choices["cursor"] == set(CURSORS)


def test_the_vectors_of_the_unit_tests_are_up_to_date(tmp_path):
    subprocess.run([sys.executable, REPOSITORY / "Tests/Reference/vectors.py", tmp_path], check=True)
    committed = REPOSITORY / "Tests/MotionTests/Vectors"
    assert {file.name for file in tmp_path.iterdir()} == {file.name for file in committed.iterdir()}
    for file in tmp_path.iterdir():
        assert file.read_bytes() == (committed / file.name).read_bytes(), f"{file.name}: make vectors"


@pytest.mark.parametrize("request_", check.CASES, ids=name_of)
def test_case(server, request_):
    assert check.compare(server.url, request_) == []


@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_random_request(server, seed):
    request = within_limits(server, seed)
    assert check.compare(server.url, request) == [], request
