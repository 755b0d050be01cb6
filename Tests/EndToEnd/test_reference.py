"""The schedule of every effect equals the executable specification's (Tests/Reference)."""

import json
import random
import sys

import pytest

from service import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "Tests/Reference"))
import check  # noqa: E402

# What this release does not draw yet; each name goes when its effect or option arrives.
MISSING_EFFECTS = {"secret", "fall", "morph", "pop", "drop", "wave", "scramble"}
MISSING_PARAMETERS = {"eraseInterval", "eraseOrder", "cycle"}
DEFAULT_ONLY = {"exit": ("between", "none"), "loop": (1,), "cursor": ("none",), "cursorBlink": (1,)}
SEQUENCES = ("queue", "together")
EFFECTS = ("typewriter", "reveal", "birdman", "fade", "slide", "none")
RANDOM_REQUESTS = 120


def is_missing(request):
    """Whether a case needs what this release has not."""
    parts = [request, *request.get("blocks", [])]
    return (
        any(
            part.get("effect") in MISSING_EFFECTS
            or MISSING_PARAMETERS & part.keys()
            or any(part.get(name, allowed[0]) not in allowed for name, allowed in DEFAULT_ONLY.items())
            for part in parts
        )
        or request.get("sequence", "queue") not in SEQUENCES
    )


def name_of(request):
    return json.dumps(request, ensure_ascii=False)


def parameters_of(generator, effect):
    """All of an effect's parameters, somewhere in their ranges; short, so that cycles stay under the limit."""
    by = generator.choice(["glyph", "word", "line", "all"])
    order = generator.choice(["forward", "backward", "center", "edges", "random"])
    easing = generator.choice(
        [
            "linear",
            "ease",
            "ease-in",
            "ease-out",
            "ease-in-out",
            "back-out",
            "cubic-bezier(0.2,0.8,0.2,1)",
            "cubic-bezier(0.5,-2,0.9,3)",
        ]
    )

    def seconds(least, most):
        return generator.choice([least, round(generator.uniform(least, most), 3)])

    shortest, longest = sorted((seconds(0, 1), seconds(0, 1)))
    every = {
        "typewriter": dict(
            by=by,
            order=order,
            interval=seconds(0.001, 0.3),
            jitter=round(generator.random(), 2),
            punctuationPause=seconds(0, 0.6),
        ),
        "reveal": dict(by=by, order=order, interval=seconds(0, 0.4)),
        "birdman": dict(
            duration=seconds(0, 0.8),
            groupDelay=seconds(0, 0.6),
            acceleration=round(generator.uniform(0.1, 1), 2),
            foldCase=generator.random() < 0.5,
        ),
        "fade": dict(by=by, minDuration=shortest, maxDuration=longest, maxDelay=seconds(0, 1), easing=easing),
        "slide": dict(
            by=by,
            order=order,
            interval=seconds(0, 0.2),
            duration=seconds(0, 1),
            easing=easing,
            direction=generator.choice(["up", "down", "left", "right"]),
            distance=seconds(0, 3),
        ),
        "none": {},
    }[effect]
    given = {name: value for name, value in every.items() if generator.random() < 0.7}
    if (
        len({"minDuration", "maxDuration"} & given.keys()) == 1
    ):  # one alone may lie on the wrong side of the other's default
        given |= dict(minDuration=shortest, maxDuration=longest)
    return given


def random_request(seed):
    generator = random.Random(seed)
    texts = [
        "Who you gonna call?",
        "Ghosts, too.",
        "two\nlines",
        "naïve café — ok!",
        "שלום",
        "🙂 👩‍👩‍👧‍👦 🇫🇷",
        "office fflach",
        "  leading and trailing  ",
        "x",
        "e\u0301te\u0301 ÉTÉ",
        "你好，世界。再见！",
    ]

    def block():
        effect = generator.choice(EFFECTS)
        sizes = {"size": generator.choice([12, 24.5, 60])} if generator.random() < 0.4 else {}
        return {"text": generator.choice(texts), "effect": effect, **parameters_of(generator, effect), **sizes}

    blocks = [block() for _ in range(generator.randint(1, 5))]
    playback = dict(
        gap=round(generator.uniform(0, 2), 2),
        delay=round(generator.uniform(0, 2), 3),
        hold=generator.choice([0, 0.5, 4]),
        speed=generator.choice([0.5, 1, 1.7, 3, 10]),
        seed=generator.choice([0, 1, 77, 2**53 - 1]),
        sequence=generator.choice(SEQUENCES),
        exit=generator.choice(["between", "none"]),
    )
    playback = {name: value for name, value in playback.items() if generator.random() < 0.6}
    return {**playback, **blocks[0]} if len(blocks) == 1 else {**playback, "blocks": blocks}


def test_the_release_offers_exactly_what_is_tested(server):
    effects = {
        effect["name"]: {p["name"] for p in effect["parameters"]} for effect in server.get("/effects").json["effects"]
    }
    assert set(effects) == set(EFFECTS)
    assert not MISSING_PARAMETERS & set().union(*effects.values())
    query = server.get("/openapi.json").json["paths"]["/render"]["get"]["parameters"]
    schemas = {parameter["name"]: parameter["schema"] for parameter in query}
    assert "cycle" not in schemas
    assert tuple(schemas["sequence"]["enum"]) == SEQUENCES
    assert (tuple(schemas["exit"]["enum"]), schemas["cursor"]["enum"]) == (DEFAULT_ONLY["exit"], ["none"])
    assert (schemas["loop"]["minimum"], schemas["loop"]["maximum"]) == (1, 1)


@pytest.mark.parametrize("request_", [case for case in check.CASES if is_missing(case)], ids=name_of)
def test_what_is_missing_is_refused(server, request_):
    assert server.post("/render.json", request_).status == 400


@pytest.mark.parametrize("request_", [case for case in check.CASES if not is_missing(case)], ids=name_of)
def test_case(server, request_):
    assert check.compare(server.url, request_) == []


@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_random_request(server, seed):
    request = random_request(seed)
    assert check.compare(server.url, request) == [], request
