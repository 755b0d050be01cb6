"""Random and extreme requests: every GIF, APNG, WebP, PNG and Lottie is as large as asked for and takes its time.

TEST_RASTER_REQUESTS says how many random ones.
"""

import io
import json
import math
import os
import random

import numpy
import pytest
from PIL import Image

from catalogue import catalogue_of
from frames import APNG, CLEAR, GIF, LETTERS, POSED, SCENES, SOLID, TINTED, WebP, instant_of, is_posed, origin_of
from random_requests import MOVING_CARD, bent_request, carded_request, random_request, some, with_paint, within_limits

RANDOM_REQUESTS = int(os.environ.get("TEST_RASTER_REQUESTS", 100))
MOST_FRAMES = 3000
LONGEST_SIDE = 16_383  # of a WebP
# Each format with its blocks and what its durations are whole numbers of, in milliseconds.
ANIMATED = {"gif": (GIF, 10), "apng": (APNG, 10), "webp": (WebP, 1)}
# Parameters of formats that are drawn apart: the poster, and the time, which goes with each frame that is compared;
# the quality, with which frames are not exact; and the bytes that a file may have, which decide about its levels, its
# quality, its rate, and its scale.
APART = {"poster", "time", "quality", "maxBytes", "keepSize"}


def raster_request(catalogue, seed, drawn=random_request):
    """Draws an animation with its style and the parameters of formats."""
    generator = random.Random(f"raster {seed}")
    formats = {name: each for name, each in catalogue.format_parameters.items() if name not in APART}
    request = drawn(catalogue, seed) | some(
        generator,
        0.4,
        **{name: each.usual(generator, most_of(each)) for name, each in formats.items()},
        color=generator.choice(["#fff", "navy", "#f008", "transparent"]),
        background=generator.choice([SOLID, TINTED, "#000", "#ffffff01"]),
        width=generator.choice([60, 199.5, 400]),
        height=generator.choice([33, 120.01, 300]),
        letterSpacing=generator.choice([-4, 0.5, 9]),
        animate=generator.random() < 0.6,
        italic=True,
    )
    return request | some(generator, 0.3, poster="end")


def painted_raster_request(catalogue, seed):
    """Draws the same with paint."""
    return with_paint(catalogue, random.Random(f"raster paint {seed}"), raster_request(catalogue, seed))


def bent_raster_request(catalogue, seed):
    """Draws the same with texts along paths."""
    return raster_request(catalogue, seed, bent_request)


def carded_raster_request(catalogue, seed):
    """Draws the same with a card that moves."""
    card = carded_request(catalogue, seed)
    given = {name: card[name] for name in [*MOVING_CARD, "borderWidth"] if name in card}
    return {**raster_request(catalogue, seed), **given}


def most_of(parameter):
    """Returns the greatest number to draw for a format's parameter; large scales take long to decode."""
    return parameter.high if parameter.kind == "integer" else 2 * (parameter.default or 0) or None


def size_of(scene, request):
    """Returns the picture's width and height in pixels."""
    return tuple(math.ceil(scene[side] * request.get("scale", 1)) for side in ("width", "height"))


def played(file, wanted):
    """Decodes a file.

    Returns its size, the starts of its frames with the end of the last in milliseconds, and the `wanted` frames.
    """
    shown, starts, frames = Image.open(io.BytesIO(file)), [0], []
    first = int(getattr(shown, "default_image", False))
    for number in range(first, getattr(shown, "n_frames", 1)):
        shown.seek(number)
        shown.load()
        starts.append(starts[-1] + round(shown.info.get("duration", 0)))
        if number - first in wanted:
            frames.append(numpy.asarray(shown.convert("RGBA")))
    return shown.size, starts, frames


def picture(server, request, time):
    return numpy.asarray(Image.open(io.BytesIO(server.render("png", **request, time=time).body)).convert("RGBA"))


def same(one, other):
    """Returns True if all visible pixels are equal."""
    if one.shape != other.shape:
        return False
    different = one.view(numpy.uint32)[..., 0] != other.view(numpy.uint32)[..., 0]
    return not (one[different][:, 3] | other[different][:, 3]).any()


def faults_of(server, request):
    """Yields the faults of a request's renderings."""
    scene = server.render("json", **request).json
    size, duration = size_of(scene, request), 1000 * scene["duration"]
    lottie = server.render("lot", **request).json
    if (lottie["w"], lottie["h"]) != (math.ceil(scene["width"]), math.ceil(scene["height"])):
        yield f"Lottie of {lottie['w']} × {lottie['h']}"
    # What stops may have one more frame, for a player stands still at the last frame's beginning.
    if abs(1000 * (lottie["op"] - lottie["ip"]) / lottie["fr"] - duration) > 20:
        yield f"Lottie takes {lottie['op'] - lottie['ip']}"
    for format, (blocks, tick) in ANIMATED.items():
        answer = server.post(f"/render.{format}", request)
        if answer.status == 422 and answer.faults == ["fps"] and "megapixels" not in answer.text:
            # It would have too many frames indeed.
            if duration / max(20, tick * round(1000 / tick / request.get("fps", 25))) <= MOST_FRAMES - 1:
                yield f"{format}: {answer.text}"
            continue
        changes_much = any(name in json.dumps(request) for name in ("shadow", "blur", "cardEffect"))
        if answer.status == 422 and "megapixels" in answer.text and changes_much:
            # Blurs, shadows, or cards that change in every frame are more work than the limit allows.
            continue
        if format == "webp" and answer.status == 422 and answer.faults == ["scale"] and max(size) > LONGEST_SIDE:
            continue
        if answer.status != 200:
            yield f"{format}: {answer.text}"
            continue
        file = blocks(answer.body)
        delays = [frame.delay for frame in file.frames]
        if len(delays) > 1 and min(delays) < 20 or len(delays) > MOST_FRAMES + 1:
            yield f"{format}: delays {delays}"
        numbers = sorted({0, len(delays) // 2, len(delays) - 1})
        shown, (*starts, end), frames = played(answer.body, numbers)
        if shown != size or file.size != size:
            yield f"{format}: {shown}, not {size}"
        # An APNG has its poster apart.
        posed = dict(request, poster="start") if format == "apng" else request
        length = duration + POSED * is_posed(posed, scene)
        # One frame alone has no duration in a WebP.
        if (format, len(delays)) != ("webp", 1) and abs(end - length) > tick or end != sum(delays):
            yield f"{format}: takes {end} ({sum(delays)}), not {length}"
        if format == "gif" or format in ("apng", "webp") and "levels" in request:
            continue
        origin = origin_of(posed, scene)
        for number, frame in zip(numbers, frames):
            time = instant_of(posed, starts[number], scene, end, origin)
            if time <= 120 and not same(frame, picture(server, request, time)):
                yield f"{format}: frame {number} is not the PNG of {time} s"


@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_every_file_decodes_with_its_size_and_duration(server, seed):
    request = within_limits(server, seed, raster_request)
    assert [*faults_of(server, request)] == [], json.dumps(request, ensure_ascii=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_every_painted_file_decodes_with_its_size_and_duration(server, seed):
    request = within_limits(server, f"painted {seed}", painted_raster_request)
    assert [*faults_of(server, request)] == [], json.dumps(request, ensure_ascii=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_every_file_with_paths_decodes_with_its_size_and_duration(server, seed):
    request = within_limits(server, f"path {seed}", bent_raster_request)
    assert [*faults_of(server, request)] == [], json.dumps(request, ensure_ascii=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_every_file_with_a_card_that_moves_decodes_with_its_size_and_duration(server, seed):
    request = within_limits(server, f"card {seed}", carded_raster_request)
    assert [*faults_of(server, request)] == [], json.dumps(request, ensure_ascii=False)


WORDS = ("lorem ipsum dolor sit amet " * 80)[:2000]
EXTREMES = {
    "one pixel": dict(text="█", width=1, height=1, padding=0, effect="fade"),
    "half of one pixel": dict(text="█", width=1, height=1, padding=0, effect="fade", scale=0.5),
    "one pixel on a ground": dict(text="█", width=1, height=1, padding=0, effect="fade", background=SOLID),
    "a column": dict(text="I", width=1, height=4096, padding=0, size=400, effect="drop", distance=4),
    "a row": dict(text="I" * 300, width=4096, height=1, padding=0, effect="slide", by="all"),
    "16,384 pixels in a row": dict(text="wide " * 50, width=4096, height=20, scale=4, effect="fade", by="all"),
    "16,384 pixels in a column": dict(text="tall", width=60, height=4096, scale=4, effect="fade", by="all"),
    "as many pixels as are allowed": dict(
        text="large", size=400, width=4096, height=4096, effect="none", delay=0.5, loop="infinite"
    ),
    "as many letters as are allowed": dict(text=WORDS, width=800, size=12, effect="fade", by="all", fps=5, exit="none"),
    "letters beyond every edge": dict(text="gone", width=30, height=10, padding=0, effect="fall", maxDistance=1000),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXTREMES)
def test_extreme_pictures(server, name):
    assert [*faults_of(server, dict(exit="auto", hold=0.2) | EXTREMES[name])] == []


MOVING = dict(text="xx", effect="slide", interval=2, duration=10, speed=0.1, hold=0, exit="none")  # for 120 s


@pytest.mark.parametrize("format", ANIMATED)
def test_the_longest_cycle_fits_at_the_default_rate_and_not_at_any_higher_one(server, format):
    for loop in (1, "infinite"):
        file = server.render(format, **MOVING, loop=loop).body
        shown = ANIMATED[format][0](file).frames
        # What stops shows its end for a moment besides.
        assert sum(frame.delay for frame in shown) == 120_000 and len(shown) <= MOST_FRAMES + (loop == 1)
        refused = server.post(f"/render.{format}", dict(MOVING, loop=loop, fps=33))
        assert (refused.status, refused.faults) == (422, ["fps"])
        # The message names what there would be, and the limit.
        assert " 4000 " in refused.text and f" {MOST_FRAMES}" in refused.text


@pytest.mark.parametrize("count", [1, 2, 3, 50])
@pytest.mark.parametrize("ground", [CLEAR, SOLID])
def test_what_changes_for_a_moment_is_shown_for_two_hundredths(server, count, ground):
    """The cycles have hardly time for a frame."""
    request = dict(LETTERS, effect="none", delay=count / 200, hold=count / 200, background=ground)
    for loop in (1, 2, "infinite"):
        assert [*faults_of(server, dict(request, loop=loop))] == []
        for format, (blocks, _) in ANIMATED.items():
            delays = [frame.delay for frame in blocks(server.render(format, **request, loop=loop).body).frames]
            assert len(delays) == 1 or min(delays) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("format", ANIMATED)
def test_two_processes_give_the_same_bytes(server, start, format):
    other = start("--workers", "3", environment={"LANG": "de_DE.UTF-8", "TZ": "Asia/Tokyo"})
    requests = [raster_request(catalogue_of(server), f"bytes {number}") for number in range(8)] + [*SCENES.values()][::6]
    order = random.Random(7).sample(range(len(requests)), len(requests))
    one = {number: server.post(f"/render.{format}", requests[number]) for number in range(len(requests))}
    two = {number: other.post(f"/render.{format}", requests[number]) for number in order}
    for number, request in enumerate(requests):
        assert one[number].status == two[number].status
        assert one[number].body == two[number].body, request
        assert one[number].headers["ETag"] == two[number].headers["ETag"]
