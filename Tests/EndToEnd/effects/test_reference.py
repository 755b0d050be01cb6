"""The schedule of every effect equals the executable specification's (Tests/Reference)."""

import json
import subprocess
import sys

import pytest

import check
from catalogue import catalogue_of
from random_requests import CARD, TEXT_PAINT, carded_request, is_gradient, painted_request, within_limits
from service import REPOSITORY, sample

R = check.R
RANDOM_REQUESTS = 500
PAINTED_REQUESTS = 100
CARDED_REQUESTS = 100
# Parameters whose defaults the specification derives or names apart.
WITHOUT_DEFAULT = {
    "typewriter": ["eraseInterval", "eraseOrder", "erase"],
    "scramble": ["charset"],
    "flap": ["charset"],
    "custom": ["keyframes"],
    "count": ["fromPercent"],
    "shimmer": ["shimmerColor"],
}


def name_of(request):
    return json.dumps(request, ensure_ascii=False)


def test_the_release_offers_exactly_what_is_tested(server):
    catalogue = catalogue_of(server)
    offered = {effect: set(parameters) for effect, parameters in catalogue.effects.items()}
    assert offered == {effect: {*defaults, *WITHOUT_DEFAULT.get(effect, [])} for effect, defaults in R.DEFAULTS.items()}
    assert set(catalogue.values("sequence")) == {"queue", "together", "replace", "rotate", "timed"}
    assert set(catalogue.values("exit")) == {"between", "auto", *R.DEFAULTS} - {"custom"}
    assert set(catalogue.values("cursor")) == {"auto", "none", "bar", "block", "underscore"}


def test_the_vectors_of_the_unit_tests_are_up_to_date(tmp_path):
    committed = REPOSITORY / "Tests/MotionTests/Vectors"
    effects = sorted(R.DEFAULTS)
    others = ["marks", "cards"]
    assert {file.stem for file in committed.iterdir()} == {*effects, *others, "layouts"}
    command = [sys.executable, REPOSITORY / "Tests/Reference/vectors.py", tmp_path, *sample([*effects, *others], 2, "vectors")]
    subprocess.run(command, check=True)
    for file in tmp_path.iterdir():
        assert file.read_bytes() == (committed / file.name).read_bytes(), f"{file.name}: make vectors"


@pytest.mark.parametrize("request_", check.CASES, ids=name_of)
def test_case(server, request_):
    assert check.compare(server.url, request_) == []


@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_random_request(server, seed):
    request = within_limits(server, seed)
    assert check.compare(server.url, request) == [], request


@pytest.mark.parametrize("seed", range(CARDED_REQUESTS))
def test_random_card(server, seed):
    request = within_limits(server, f"card {seed}", carded_request)
    assert check.compare(server.url, request) == [], request


def test_random_paint_is_of_every_kind(server):
    """Without this the random requests might paint nothing."""
    requests = [painted_request(catalogue_of(server), seed) for seed in range(200)]
    assert {name for request in requests for name in request} >= {*TEXT_PAINT, *CARD}
    blocks = [block for request in requests for block in request.get("blocks", [])]
    assert {name for block in blocks for name in block} >= {*TEXT_PAINT}
    for name in ("color", "background", "darkColor"):
        assert sum(is_gradient(request.get(name)) for request in requests) > 20, name
    assert {request["shadow"].count("px") > 4 for request in requests if "shadow" in request} == {True, False}


@pytest.mark.parametrize("seed", range(PAINTED_REQUESTS))
def test_random_paint_moves_nothing(server, seed):
    request = within_limits(server, f"painted {seed}", painted_request)
    assert check.compare(server.url, request) == [], request
