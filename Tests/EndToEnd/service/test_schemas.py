"""The JSON Schemas of requests and of the JSON rendering, by an independent validator."""

import jsonschema
import pytest

from random_requests import random_request, within_limits
from service import sample

REQUEST, RENDERING = "/schemas/request.json", "/schemas/rendering.json"


@pytest.fixture(scope="module")
def validator(server):
    def of(path):
        schema = server.get(path).json
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$id"] == path and "components" not in str(schema)
        return jsonschema.Draft202012Validator(schema)

    return {path: of(path) for path in (REQUEST, RENDERING)}


def test_random_requests_and_their_renderings_are_valid(server, validator):
    for seed in sample(list(range(60)), 10, "schemas"):
        request = within_limits(server, f"schemas {seed}", random_request)
        validator[REQUEST].validate(request)
        validator[RENDERING].validate(server.render("json", **request).json)


@pytest.mark.parametrize("document", [
    {"$schema": "https://cards.example" + REQUEST, "text": "a"}, {"text": ["a", "b"]}, {"text": "a", "weight": "bold"},
    {"text": ["a"], "preset": "neon"},
])  # fmt: skip
def test_what_editors_and_people_write_is_valid_and_taken(server, validator, document):
    validator[REQUEST].validate(document)
    assert server.post("/render.svg", document).status == 200


@pytest.mark.parametrize("document", [{}, {"text": 5}, {"text": "a", "size": "30"}, {"text": "a", "effect": "typing"}, []])
def test_what_is_no_request_is_not_valid(validator, document):
    assert not validator[REQUEST].is_valid(document)


def test_a_schema_refers_to_nothing_else(server, validator):
    for checked in validator.values():
        names = set(checked.schema["$defs"])
        used = {value.rpartition("/")[2] for value in references(checked.schema)}
        assert names == used


def references(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def test_the_address_is_absolute_with_a_public_address(start):
    service = start("--public-url", "https://cards.example")
    assert service.get(REQUEST).json["$id"] == "https://cards.example" + REQUEST
