"""Files that have no more bytes than they may: the best of a list of settings, which the answer names."""

import json
import random
import re

import pytest

from catalogue import catalogue_of
from random_requests import painted_request
from service import Client, by_proof

FORMATS = ["gif", "apng", "webp"]
# The quality of videos where a request gives none.
USUAL_QUALITY = {"webm": 100, "mp4": 75, "avif": 75}
# The most that maxBytes can be.
MOST = 16 << 20
LEVELS, RATES = [128, 64, 48, 32, 24, 16, 12, 8], [20, 16, 12, 10, 8]
QUALITIES, FEW_QUALITIES = [90, 80, 70, 60, 50, 40, 30, 20, 10], [80, 60, 40, 20]
GLOW = dict(text="Glow and motion", effect="wave", shadow="0 0 12px #f0f, 3px 3px 2px #08c", size=64, loop="infinite",
            color="linear-gradient(90deg, #f40, #40f)", background="#101418")  # fmt: skip


def steps(settings, levels, qualities):
    """The settings that are tried after those of the request, from the best."""
    settings = dict(settings)
    for count in levels:
        if count < (settings["levels"] or 256):
            settings["levels"] = count
            yield dict(settings)
    for quality in qualities:
        if quality < (settings["quality"] or 100):
            settings["quality"] = quality
            yield dict(settings)
    for rate in RATES:
        if rate < settings["fps"]:
            settings["fps"] = rate
            yield dict(settings)
    while settings["scale"] > 0.5:
        settings["scale"] = max(round(settings["scale"] * 0.85 + 1e-9, 2), 0.5)
        yield dict(settings)


def steps_of(format, asked, chosen):
    """The steps of a file that was made with chosen values."""
    if format == "gif":
        # A GIF's own levels are fewer, so that it may begin further on.
        levels = [count for count in LEVELS if asked["levels"] or count <= chosen.get("levels", 0)]
        return [*steps(asked, levels, FEW_QUALITIES)]
    if format in USUAL_QUALITY or "quality" in chosen and asked["levels"] is None:
        return [*steps(asked, [], QUALITIES)]
    return [*steps(asked, LEVELS, FEW_QUALITIES if asked["quality"] and format == "webp" else [])]


def fitted(answer):
    pairs = (answer.headers["Titlecard-Fitted"] or "").split(", ")
    return {name: float(value) for name, value in (pair.split("=") for pair in pairs if pair)}


def checked(server, format, request, most):
    """The faults of a file that may have so many bytes."""
    answer = server.post(f"/render.{format}", {**request, "maxBytes": most})
    if answer.status == 422:
        problem = answer.json
        if [one["parameter"] for one in problem["errors"]] != ["maxBytes"]:
            return  # past another limit
        text = problem["errors"][0]["message"]
        assert int(re.search(r"has (\d+) bytes", text)[1]) > most
        return
    assert answer.status == 200, answer.text[:300]
    assert len(answer.body) <= most
    assert int(answer.headers["Content-Length"]) == len(answer.body)
    chosen = fitted(answer)

    def made(**values):
        # A WebP that may be encoded several times has less effort for each.
        searched = dict(maxBytes=MOST) if format == "webp" else {}
        return server.post(f"/render.{format}", {**request, **values, **searched}).body

    assert made(**chosen) == answer.body
    if not chosen:
        return
    assert len(made()) > most
    given = {name: request.get(name, "auto") for name in ("levels", "quality")}
    asked = {name: None if value == "auto" else value for name, value in given.items()}
    asked |= dict(fps=request.get("fps", 25), scale=request.get("scale", 1))
    if asked["quality"] is None:
        asked["quality"] = USUAL_QUALITY.get(format)
    tried = steps_of(format, asked, chosen)
    place = tried.index({name: chosen.get(name, asked[name]) for name in asked})
    if place:
        better = {name: value for name, value in tried[place - 1].items() if value is not None}
        assert len(made(**better)) > most


@pytest.mark.parametrize("most", [4 << 10, 16 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10])
@pytest.mark.parametrize("format", [*FORMATS, *USUAL_QUALITY])
def test_a_file_is_the_best_that_fits(server, format, most):
    checked(server, format, GLOW, most)


@pytest.mark.parametrize("most", [64 << 10, 128 << 10, 256 << 10, 512 << 10])
def test_a_gif_whose_frames_are_as_large_as_the_picture_is_the_best_that_fits(server, most):
    checked(server, "gif", {**GLOW, "frames": "full"}, most)


@pytest.mark.parametrize("seed", range(by_proof(6, 100)))
def test_random_files_fit(server, seed):
    # A video may be made six times.
    client = Client(server.port, patience=90)
    draw = random.Random(f"size {seed}")
    request = {**painted_request(catalogue_of(server), seed), "loop": 1}
    format = draw.choice([*FORMATS, *USUAL_QUALITY])
    request = {name: value for name, value in request.items() if name not in ("format", "maxBytes", "matte")}
    if client.post(f"/render.{format}", request).status == 200:
        checked(client, format, request, draw.choice([8, 64, 128, 256, 512]) << 10)


def test_what_cannot_fit_says_how_small_it_becomes(server):
    answer = server.post("/render.apng", {**GLOW, "maxBytes": 1024})
    assert answer.status == 422
    fault = answer.json["errors"][0]
    assert fault["parameter"] == "maxBytes"
    assert re.fullmatch(
        r"the smallest file, with levels=8, fps=8, scale=0.5, has \d+ bytes; the limit is 1024", fault["message"]
    )


def test_a_file_that_fits_as_it_is_stays_as_it_is(server):
    plain = dict(text="Small", effect="fade")
    one, other = (server.post("/render.gif", {**plain, **more}) for more in ({}, {"maxBytes": 1 << 20}))
    assert one.body == other.body and other.headers["Titlecard-Fitted"] is None


def test_it_is_kept_and_has_a_permalink(server):
    request = {**GLOW, "maxBytes": 64 << 10}
    first = server.post("/render.webp", request)
    again = server.get(first.headers["Titlecard-Location"] or first.headers["Content-Location"])
    assert again.body == first.body
    assert again.headers["Titlecard-Fitted"] == first.headers["Titlecard-Fitted"] is not None


def test_a_webp_keeps_its_colours_and_lowers_its_quality(server):
    answer = server.post("/render.webp", {**GLOW, "maxBytes": 128 << 10})
    assert set(fitted(answer)) == {"quality"}
    answer = server.post("/render.webp", dict(text="One colour", effect="slide", size=40, maxBytes=8 << 10))
    assert "levels" in fitted(answer) and "quality" not in fitted(answer)


def test_a_gif_of_pictures_lowers_its_quality_after_levels(server):
    request = dict(text="👋🌍🎉", effect="fall", size=64, background="#fff", loop="infinite")
    whole = len(server.post("/render.gif", request).body)
    chosen = fitted(server.post("/render.gif", {**request, "maxBytes": whole * 4 // 5}))
    assert set(chosen) == {"levels", "quality"} and chosen["levels"] == 8


def test_its_work_counts_as_often_as_it_may_be_encoded(start):
    service = start("--max-work", "30")
    wide = dict(text="Wide", effect="fade", width=1200, height=400, fps=25)
    assert service.post("/render.gif", wide).status == 200
    answer = service.post("/render.gif", {**wide, "maxBytes": 1 << 20})
    assert answer.status == 422 and json.dumps(answer.json)
