"""A WebP shows in every decoder, at every moment, exactly the pixels of the PNG of that moment."""

import io
import itertools
import json
import math
import random
import subprocess

import numpy
import pytest
from PIL import Image, ImageColor

from catalogue import catalogue_of
from exact import differing, needless_frames, step_of, wrong_frames
from frames import (
    CLEAR,
    INK,
    LETTERS,
    POSED,
    SCENES,
    SOLID,
    STILLS,
    STYLE,
    TINTED,
    WebP,
    answer,
    by_chromium,
    by_ffmpeg_as_stills,
    by_libwebp,
    by_pillow,
    cleared,
    instant_of,
    is_plain,
    origin_of,
    sampled,
    scene_of,
    still,
    turning_request,
)
from random_requests import is_out_of_reach, painted_request, random_request, some, typed_request
from service import BINARY, by_proof, query, sample

LONGEST_SIDE = 16_383
PLAIN = [name for name in SCENES if is_plain(SCENES[name])]


def webp(server, request):
    return answer(server, "webp", **request).body


def disagreements(page, file, loop):
    """Decodes a file by all decoders; yields where one of them shows something else than Pillow."""
    one, blocks = by_pillow(file), WebP(file)
    is_lossy = any(frame.isLossy for frame in blocks.frames)
    libwebp, plays = by_libwebp(file)
    if blocks.plays is None and is_lossy and not blocks.hasAlpha:
        # Chromium gives its planes of luma and chroma.
        chromium, chromium_plays = libwebp, plays
    else:
        chromium, chromium_plays = by_chromium(page, file, "image/webp")
    if blocks.plays is not None and (blocks.plays, plays, chromium_plays) != (
        (0, 0, math.inf) if loop == "infinite" else (loop, loop, loop)
    ):
        yield f"plays {blocks.plays}, {plays}, {chromium_plays} times"
    decoders = dict(chromium=chromium, libwebp=libwebp)
    # ffmpeg has a conversion of its own from luma and chroma to colours.
    if not is_lossy:
        decoders["ffmpeg"] = by_ffmpeg_as_stills(file)
    for name, decoded in decoders.items():
        if (decoded.starts, decoded.end) != (one.starts, one.end):
            yield f"{name}: {decoded.starts}, {decoded.end}, not {one.starts}, {one.end}"
        if not numpy.array_equal(decoded.frames, one.frames):
            yield f"{name}: other pixels"
    if any(numpy.array_equal(frame, following) for frame, following in zip(one.frames, one.frames[1:])):
        yield "a frame that shows nothing new"


def is_opaque_or_nothing(frame):
    """Whether each pixel of a frame's image covers what is behind it, or leaves it."""
    alone = b"RIFF" + (4 + len(frame.image)).to_bytes(4, "little") + b"WEBP" + frame.image
    alpha = numpy.asarray(Image.open(io.BytesIO(alone)).convert("RGBA"))[..., 3]
    return set(numpy.unique(alpha)) <= {0, 255}


def is_valid(folder, *files):
    """True if webpinfo has nothing against any of the files."""
    for number, file in enumerate(files):
        (folder / f"{number}.webp").write_bytes(file)
    outcome = subprocess.run(["webpinfo", "-diag", *folder.glob("*.webp")], capture_output=True, text=True)
    said = outcome.stdout + outcome.stderr
    return said.count("No error detected.") == len(files) and "warning" not in said.lower()


@pytest.mark.parametrize("name", SCENES)
def test_every_frame_is_the_png_of_its_start(server, name):
    assert [*wrong_frames(server, SCENES[name], by_pillow(webp(server, SCENES[name])))] == []


@pytest.mark.parametrize("name", SCENES)
def test_all_decoders_show_the_same_at_the_same_times(server, decoding_page, name):
    file = webp(server, SCENES[name])
    assert [*disagreements(decoding_page, file, SCENES[name].get("loop", 1))] == []


@pytest.mark.parametrize("name", SCENES)
def test_the_files_own_blocks(server, name):
    request = SCENES[name]
    response, scene = answer(server, "webp", **request), scene_of(server, request)
    file, ground = WebP(response.body), request["background"]
    if file.plays is not None:
        delays = [frame.delay for frame in file.frames]
        assert abs(sum(delays) - 1000 * scene["duration"]) <= 0.5 + 1e-6
        assert min(delays) >= 20
    assert float(response.headers["Titlecard-Duration"]) == scene["duration"]
    assert response.headers["Content-Type"] == "image/webp"
    if ground in (CLEAR, TINTED):
        assert file.hasAlpha
        for frame in file.frames:
            assert not frame.isOver or is_opaque_or_nothing(frame), "blending of translucent pixels is not exact"
    if ground != CLEAR:
        assert not any(frame.isErased for frame in file.frames), "what is erased is transparent"


@pytest.mark.parametrize("cornerRadius", [0, 12])
def test_pixels_of_a_gradient_that_stay_are_left_out(server, decoding_page, cornerRadius):
    request = dict(LETTERS, effect="slide", color="#fff", background="linear-gradient(30deg, #134, #a4c, #fa0)",
                   cornerRadius=cornerRadius)  # fmt: skip
    file = webp(server, request)
    over = [frame for frame in WebP(file).frames if frame.isOver]
    assert len(over) > 3 and all(is_opaque_or_nothing(frame) for frame in over)
    assert [*wrong_frames(server, request, by_pillow(file))] == []
    assert [*disagreements(decoding_page, file, 1)] == []


def changes(scene):
    """The spans in seconds in which something changes, be it but a space."""
    for entry in [scene, *scene["glyphs"], *scene.get("shimmers", [])]:
        for track in entry.values():
            if isinstance(track, list) and track and "value" in track[0]:
                for one, other in zip(track, track[1:]):
                    if one["value"] != other["value"]:
                        yield other["time"] if one.get("easing") == "hold" else one["time"], other["time"]


def untimely_frames(server, request, shown):
    """Yields the frames that neither follow another at the least distance nor start when the scene changes.

    Where movement is too slow for new pixels, a frame is left out.
    """
    scene, step = scene_of(server, request), step_of(request, tick=1)
    spans = [*changes(scene)]

    def stands(time, frame):
        return differing(frame, still(server, request, time / 1000)) == 0

    def is_moving(time):
        return any(since - 0.001 < time / 1000 <= until + 0.001 for since, until in spans)

    # What stops shows its end for 20 ms, and each frame before that for as long.
    stops = request.get("loop") != "infinite"
    moving = [start for start in shown.starts if not (stops and start == shown.end - 20)] or [0]
    for sooner, later in zip(moving, moving[1:]):
        frame = shown.at(sooner)
        if later - sooner < step:
            yield f"{later} follows {sooner}"
        elif later - sooner > step and not stands(later - 1, frame):
            if not (is_moving(later - step) and stands(later - step, frame)):
                yield f"{later} is late: the frame of {sooner} has been shown for too long"
    last = shown.end - (40 if stops else 20) - step
    if last > moving[-1] and not stands(last, shown.at(moving[-1])):
        yield f"the frame of {moving[-1]} is shown for too long"


@pytest.mark.parametrize("name", SCENES)
def test_frames_start_when_the_scene_changes_and_keep_their_distance(server, name):
    assert [*untimely_frames(server, SCENES[name], by_pillow(webp(server, SCENES[name])))] == []


@pytest.mark.parametrize("name", [name for name in SCENES if "cursor" not in name])
def test_what_stands_is_one_frame(server, name):
    assert needless_frames(server, SCENES[name], by_pillow(webp(server, SCENES[name])).starts, tick=1) == []


@pytest.mark.slow
def test_webpinfo_accepts_every_file(server, tmp_path):
    assert is_valid(tmp_path, *(webp(server, request) for request in SCENES.values()))


def premultiplied(pixels):
    """Colours as their light, with alpha; 0…255, not rounded."""
    pixels = numpy.asarray(pixels, float)
    return numpy.concatenate([pixels[..., :3] * pixels[..., 3:] / 255, pixels[..., 3:]], axis=-1)


def rgba(name):
    return (0, 0, 0, 0) if name == CLEAR else (*ImageColor.getrgb(name), 255)[:4]


@pytest.mark.parametrize("name", PLAIN)
def test_every_pixel_has_its_level(server, name):
    request, scene = SCENES[name], scene_of(server, SCENES[name])
    # From none of the ink's colour to nothing else, as in a GIF.
    ground, full = rgba(request["background"]), (*rgba(request.get("color", INK))[:3], 255)
    rounding = 1 if ground[3] in (0, 255) else 2
    ground, full = premultiplied(ground), premultiplied(full)
    for levels in (2, 7, 32, 255):
        shown = by_pillow(webp(server, dict(request, levels=levels)))
        ramp = ground + (full - ground) * numpy.arange(levels)[:, None] / (levels - 1)
        for start in sampled(shown.starts):
            frame = premultiplied(shown.at(start))
            wanted = premultiplied(still(server, request, instant_of(request, start, scene, shown.end)))
            # Half a level, and what rounding adds in the file and in the PNG.
            allowed = numpy.abs(full - ground) * 0.5 / (levels - 1) + rounding
            assert (numpy.abs(frame - wanted) <= allowed + 1e-6).all(), (levels, start)
            for color in numpy.unique(frame.reshape(-1, 4), axis=0):
                assert numpy.abs(ramp - color).max(axis=1).min() <= 1, (levels, start, color)


GLOW = dict(text="Glow", effect="rise", size=48, shadow="0 0 12px #f0f, 3px 3px 2px #08c", font="DejaVu Sans",
            color="linear-gradient(90deg, #f40, #40f)", padding=20)  # fmt: skip
LOSSY = {
    "on a card": dict(GLOW, background="#101418", cornerRadius=16),
    "on any page": dict(GLOW, background=CLEAR, exit="auto"),
    "opaque": dict(GLOW, background="linear-gradient(#134, #a4c)"),
    "emoji": dict(text="Go 🚀 🎉", effect="pop", size=48, background=CLEAR, loop="infinite", outlineWidth=0),
    "a still": dict(GLOW, background=CLEAR, animate=False),
    "an opaque still": dict(GLOW, background="linear-gradient(#134, #a4c)", animate=False),
}
# The least decibels of a frame at a quality. Chroma has half the resolution, whatever the quality.
LEAST_DECIBELS = {95: 33, 75: 31, 30: 26, 1: 17}


def decibels(frame, wanted):
    """The likeness of the light of two pictures."""
    error = numpy.mean((premultiplied(frame)[..., :3] - premultiplied(wanted)[..., :3]) ** 2)
    return 99 if error == 0 else 10 * math.log10(255**2 / error)


@pytest.mark.parametrize("quality", LEAST_DECIBELS)
@pytest.mark.parametrize("name", LOSSY)
def test_lossy_frames_are_like_the_png_and_their_alpha_is_exact(server, decoding_page, tmp_path, name, quality):
    request = LOSSY[name]
    file = webp(server, dict(request, quality=quality))
    assert is_valid(tmp_path, file) and any(frame.isLossy for frame in WebP(file).frames)
    assert [*disagreements(decoding_page, file, request.get("loop", 1))] == []
    shown, scene = by_pillow(file), scene_of(server, request)
    for start in sampled(shown.starts):
        time = instant_of(request, start, scene, shown.end, origin_of(request, scene))
        wanted = still(server, request, "end" if request.get("animate") is False else time)
        assert numpy.array_equal(shown.at(start)[..., 3], wanted[..., 3]), start
        assert decibels(shown.at(start), wanted) > LEAST_DECIBELS[quality], start


@pytest.mark.parametrize("name", LOSSY)
def test_a_lower_quality_has_fewer_bytes(server, name):
    lengths = [len(webp(server, dict(LOSSY[name], quality=quality))) for quality in (100, 90, 60, 30, 1)]
    assert lengths == sorted(lengths, reverse=True) and lengths[-1] < lengths[0] / 2


def test_the_highest_quality_is_exact_and_so_is_ink_of_one_colour(server):
    for request, quality in ((LOSSY["opaque"], 100), (dict(LETTERS, effect="slide", background=SOLID), 10)):
        assert webp(server, dict(request, quality=quality)) == webp(server, dict(request, quality="auto"))


def test_all_levels_are_the_default(server):
    request = dict(LETTERS, effect="slide", background=SOLID)
    files = {webp(server, dict(request, **more)) for more in ({}, dict(levels="auto"))}
    assert len(files) == 1 and len(webp(server, dict(request, levels=8))) < len(*files)


@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
@pytest.mark.parametrize("loop", [2, "infinite"])
@pytest.mark.parametrize("scene", ["slide", "replace"])
def test_the_finished_text_can_be_the_poster_the_cycle_is_turned(server, decoding_page, ground, loop, scene):
    request = turning_request(scene, loop, ground)
    scene, posed = scene_of(server, request), webp(server, dict(request, poster="end"))
    shown, origin = by_pillow(posed), origin_of(dict(request, poster="end"), scene)
    assert WebP(posed).plays == WebP(webp(server, request)).plays
    assert shown.end == by_pillow(webp(server, request)).end
    assert [*disagreements(decoding_page, posed, loop)] == []
    assert differing(shown.frames[0], still(server, request, "end")) == 0
    for start in sampled(shown.starts):
        time = instant_of(request, start, scene, shown.end, origin)
        assert differing(shown.at(start), still(server, request, time)) == 0, start
    if loop != "infinite":
        assert numpy.array_equal(shown.frames[-1], shown.frames[0]), "it stops with the finished text"


@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
@pytest.mark.parametrize("scene", ["slide", "replace"])
def test_what_plays_once_shows_its_poster_before_it_plays(server, decoding_page, ground, scene):
    request = turning_request(scene, 1, ground)
    scene, posed = scene_of(server, request), webp(server, dict(request, poster="end"))
    shown = by_pillow(posed)
    assert WebP(posed).plays == 1 and shown.end == by_pillow(webp(server, request)).end + POSED
    assert [*disagreements(decoding_page, posed, 1)] == []
    for start in [0, *sampled(shown.starts)]:
        time = instant_of(dict(request, poster="end"), start, scene, shown.end)
        assert differing(shown.at(start), still(server, request, time)) == 0, start


MOTIONLESS = STILLS | {"what nobody can see": dict(effect="slide", color="#fff", background="#fff")}


@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
@pytest.mark.parametrize("name", MOTIONLESS)
def test_what_does_not_move_is_a_still_picture_of_the_finished_text(server, decoding_page, name, ground):
    request = STYLE | dict(text="still", background=ground) | MOTIONLESS[name]
    file = webp(server, request)
    assert WebP(file).plays is None and [*disagreements(decoding_page, file, request.get("loop", 1))] == []
    (frame,) = by_pillow(file).frames
    assert differing(frame, still(server, request, "end")) == 0


def test_a_side_may_have_16383_pixels(server, decoding_page):
    def picture(scale, **more):
        return server.post("/render.webp", dict(text="wide", effect="fade", by="all", scale=scale) | more)

    for more in (dict(width=4096, height=16), dict(width=16, height=4096, padding=0)):
        refused = picture(4, **more)
        assert (refused.status, refused.faults) == (422, ["scale"])
        assert " 16384 px" in refused.text and " 16383 px" in refused.text
        widest = picture(3.9997, **more)
        assert widest.status == 200 and max(WebP(widest.body).size) == LONGEST_SIDE
    still_one = picture(3.9997, width=4096, height=16, animate=False).body
    assert [*disagreements(decoding_page, still_one, 1)] == []


def test_every_way_to_ask_for_it_gives_the_same_file(server):
    request = dict(text="Hi & bye", effect="drop", background=CLEAR)
    one = server.render("webp", **request)
    permalink = one.headers["Content-Location"]
    assert permalink.startswith("/r/") and permalink.endswith(".webp")
    others = [
        server.get(permalink),
        server.get(f"/render.webp?{query(request)}"),
        server.get(f"/render?format=webp&{query(request)}", {"Accept": "image/png"}),
        server.post("/render", dict(request, format="webp")),
    ]
    for other in others:
        assert (other.status, other.body) == (200, one.body)
        assert other.headers["Content-Type"] == "image/webp" and other.headers["ETag"] == one.headers["ETag"]
    rendered = subprocess.run(
        [BINARY, "render", request["text"], "--effect", "drop", "--background", CLEAR, "--format", "webp"],
        capture_output=True,
    )
    assert (rendered.returncode, rendered.stdout) == (0, one.body)
    head = server.request("HEAD", permalink)
    assert (head.status, head.body, head.headers["ETag"]) == (200, b"", one.headers["ETag"])
    assert server.get(permalink, {"If-None-Match": one.headers["ETag"]}).status == 304


LONG = dict(text="👻🎃🙂🎉👾🚀", size=200, effect="fall", exit="auto", background=CLEAR, fps=50, room="none")
# The least MiB at a speed: up to 8 a file is one piece, and what is beyond 32 is encoded twice.
LENGTHS = {1: 8, 0.3: 32}


@pytest.mark.slow
@pytest.mark.parametrize("speed", by_proof([1], [*LENGTHS]))
def test_a_long_file_is_exact_to_its_end(server, decoding_page, tmp_path, speed):
    request = dict(LONG, speed=speed)
    file = server.render("webp", **request).body
    assert len(file) > LENGTHS[speed] << 20 and is_valid(tmp_path, file)
    options = [f"--{name}={value}" for name, value in request.items() if name != "text"]
    rendered = subprocess.run([BINARY, "render", LONG["text"], *options, "--format=webp"], capture_output=True)
    assert rendered.returncode == 0 and rendered.stdout == file

    decoders = [
        lambda: by_libwebp(file)[0],
        lambda: by_pillow(file),
        lambda: by_ffmpeg_as_stills(file),
        lambda: by_chromium(decoding_page, file, "image/webp")[0],
    ]
    # The longest has as many pixels as memory holds twice.
    for decoded in sample(decoders, 1) if speed == 1 else decoders[:1]:
        assert [*wrong_frames(server, request, decoded())] == []


RANDOM_REQUESTS = 300
MOST_PIXELS = 8_000_000  # of all frames of a file


def webp_request(catalogue, seed):
    """Draws an animation with its paint or its type, and the parameters of a WebP that keeps all colours."""
    generator = random.Random(f"webp {seed}")
    request = generator.choice([random_request, painted_request, typed_request])(catalogue, seed)
    request |= some(
        generator,
        0.5,
        background=generator.choice([CLEAR, TINTED, SOLID, "#000", "#ffffff01"]),
        scale=generator.choice([0.5, 1.25, 2, 3]),
        fps=generator.choice([1, 7.3, 12, 40, 50]),
    )
    if request.get("loop", 1) != 1:
        request |= some(generator, 0.3, poster="end")
    return request


def drawn(server, seed):
    """Returns the first request of a seed that is within limits, with its file; decoders give all frames at once."""
    for attempt in itertools.count():
        request = webp_request(catalogue_of(server), f"{seed}.{attempt}")
        response = server.post("/render.webp", request)
        if is_out_of_reach(response):
            continue
        assert response.status == 200, (response.text, request)
        blocks = WebP(response.body)
        if len(blocks.frames) * math.prod(blocks.size) <= MOST_PIXELS:
            return request, response.body


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_random_files_are_exact_in_every_decoder(server, decoding_page, tmp_path, seed):
    request, file = drawn(server, seed)
    scene, shown, about = server.render("json", **request).json, by_pillow(file), json.dumps(request)
    assert is_valid(tmp_path, file), about
    assert [*disagreements(decoding_page, file, request.get("loop", 1))] == [], about
    assert len(shown.frames) == 1 or abs(shown.end - 1000 * scene["duration"]) <= 0.5 + 1e-6, about
    starts, origin = shown.starts, origin_of(request, scene)
    for start in {starts[0], *random.Random(seed).choices(starts, k=4), starts[-1]}:
        time = instant_of(request, start, scene, shown.end, origin)
        wanted = Image.open(io.BytesIO(server.render("png", **request, time=time).body)).convert("RGBA")
        assert differing(shown.at(start), cleared(numpy.asarray(wanted))) == 0, (start, time, about)
