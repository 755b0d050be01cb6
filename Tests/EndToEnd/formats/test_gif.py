"""A GIF shows in every decoder, at every moment, the PNG of that moment as nearly as its colours allow."""

import math
import subprocess

import numpy
import pytest
from PIL import ImageColor

from frames import (
    CLEAR,
    EMOJI,
    GIF,
    INK,
    LETTERS,
    POSED,
    RAW,
    SCENES,
    SOLID,
    STILLS,
    STYLE,
    TINTED,
    FFmpeg,
    answer,
    by_chromium,
    by_ffmpeg,
    by_giflib,
    by_pillow,
    cleared,
    instant_of,
    is_plain,
    origin_of,
    over,
    psnr,
    sampled,
    scene_of,
    still,
    turning_request,
)
from random_requests import EFFECTS, NUMBERS

LEVELS = 32  # the default
FINE = 128  # from so many levels on every pixel has the nearest one
PLAIN = [name for name in SCENES if is_plain(SCENES[name])]
COLORED = [name for name in SCENES if not is_plain(SCENES[name])]
# What blurs, what fades all letters at once, and what has more than one colour.
SOFT = {"blur", "zoom", "tracking", "highlight"}
# Whose colours overlap.
MIXED = {"glitch"}
# Other numbers of levels: an effect that only fades, and one that moves.
COARSE = [
    dict(LETTERS, effect=effect, exit="auto", background=ground, levels=levels)
    for effect in ("fade", "slide")
    for ground in (SOLID, CLEAR)
    for levels in (2, 3, 16, 64, 127, 128)
]


# What is partly transparent is blended with it; test_gif_halftone.py is about GIFs without.
MATTE = "#fff"


def gif(server, request, **more):
    return answer(server, "gif", **{"matte": MATTE, **request, **more}).body


def moments(server, request):
    """When a sample of the frames start, those of pixels that no GIF keeps among them, and the PNG of each."""
    scene, whole = scene_of(server, request), by_pillow(answer(server, "apng", **request).body)
    for start in sampled(whole.starts):
        yield start, still(server, request, instant_of(request, start, scene, whole.end))


@pytest.fixture(scope="module")
def ffmpeg(server, tmp_path_factory):
    """Every scene as ffmpeg decodes it."""
    return FFmpeg(tmp_path_factory.mktemp("gif"), {name: gif(server, SCENES[name]) for name in SCENES})


@pytest.mark.parametrize("name", SCENES)
def test_all_decoders_show_the_same_at_the_same_times(server, decoding_page, ffmpeg, name):
    file, loop = gif(server, SCENES[name]), SCENES[name].get("loop", 1)
    one = by_giflib(file)
    other, plays = by_chromium(decoding_page, file, "image/gif")
    for decoded in (by_pillow(file), ffmpeg[name], other):
        assert decoded.starts == one.starts
        assert decoded.end == one.end or len(one.starts) == 1, "only of one frame may a decoder forget the time"
        assert numpy.array_equal(decoded.frames, one.frames)
    if len(one.starts) > 1:
        assert plays == (math.inf if loop == "infinite" else loop)


@pytest.mark.parametrize("name", SCENES)
def test_the_files_own_blocks(server, name):
    request = SCENES[name]
    response, scene = answer(server, "gif", **{"matte": MATTE, **request}), scene_of(server, request)
    file, loop = GIF(response.body), request.get("loop", 1)
    delays = [frame.delay for frame in file.frames]
    assert abs(sum(delays) - 1000 * scene["duration"]) <= 10
    assert float(response.headers["Titlecard-Duration"]) == scene["duration"]
    assert response.headers["Content-Type"] == "image/gif"
    assert min(delays) >= 20
    assert file.repeats == (0 if loop == "infinite" else loop - 1 or None)
    first = file.frames[0]
    assert (first.left, first.top, first.width, first.height) == (0, 0, *file.size)
    # 1 leaves a frame in place, 2 clears it away.
    assert {frame.disposal for frame in file.frames} <= ({1, 2} if request["background"] == CLEAR else {1})


@pytest.mark.parametrize("name", SCENES)
def test_frames_start_with_those_of_the_apng_and_each_shows_something_new(server, name):
    shown, whole = by_giflib(gif(server, SCENES[name])), by_pillow(answer(server, "apng", **SCENES[name]).body)
    assert shown.end == whole.end and set(shown.starts) <= set(whole.starts)
    assert not any(numpy.array_equal(one, other) for one, other in zip(shown.frames, shown.frames[1:]))


def colour(name):
    return numpy.array(ImageColor.getrgb(name)[:3], float)


def ground_of(request):
    """The opaque colour behind the text, not yet rounded; what is partly transparent lies on the matte."""
    background = request["background"]
    bits = (*ImageColor.getrgb(background), 255)[:4] if background != CLEAR else (0, 0, 0, 0)
    return over(numpy.array(bits), colour(request.get("matte", MATTE)))


def ramp(request, levels):
    """The colours that a text of one colour may have, from none of it to all."""
    start, end = numpy.floor(ground_of(request) + 0.5), colour(request.get("color", INK))
    return numpy.floor(start + (end - start) * numpy.arange(levels)[:, None] / (levels - 1) + 0.5)


def codes(colors):
    """Each colour as one number."""
    return colors[..., :3].astype(int) @ (65536, 256, 1)


def tolerance(levels):
    """By how many levels a pixel may be off: half a one, and somewhat more where little moves."""
    return 0.5 if levels >= FINE else 0.5 + min(levels / LEVELS, 1) / 4


def faults(shown, wanted, request, levels):
    """What of a frame is further from the PNG than its levels explain."""
    off, steps = tolerance(levels) + 1e-6, levels - 1
    ground, ink = ground_of(request), colour(request.get("color", INK))
    # The PNG's alpha is a whole number: the true one lies up to half a one to either side.
    least, most = (wanted[..., 3] - 0.5) / 255 * steps, (wanted[..., 3] + 0.5) / 255 * steps
    opaque = shown[..., 3] == 255
    assert (opaque | (shown[..., 3] == 0)).all()
    if request["background"] == CLEAR:
        if count := (opaque & (most < 1 - off)).sum():
            yield f"{count} pixels show that have too little ink"
        if count := (~opaque & (least > off)).sum():
            yield f"{count} pixels are missing"
    elif not opaque.all():
        yield "holes in the ground"
    # Rounding: of the GIF's colour, of the PNG's, and of a translucent ground's in both.
    rounding = 2 if request["background"] in (TINTED, "#80000040") else 1
    allowed = numpy.abs(ink - ground) * (off / steps + 0.5 / 255) + rounding
    distance = numpy.abs(shown[..., :3] - over(wanted, colour(request.get("matte", MATTE))))
    if count := ((distance > allowed).any(axis=2) & opaque).sum():
        yield f"{count} pixels are up to {distance[opaque].max():.1f} off, not only {allowed}"
    strange = numpy.setdiff1d(codes(shown[opaque]), codes(ramp(request, levels)))
    if strange.size:
        yield f"colours that are no levels: {[f'#{code:06x}' for code in strange]}"


@pytest.mark.parametrize("name", PLAIN)
def test_every_pixel_has_its_level(server, name):
    for levels in (LEVELS, 255):
        request = dict(SCENES[name], levels=levels)
        shown = by_giflib(gif(server, request))
        for start, wanted in moments(server, SCENES[name]):
            assert [*faults(shown.at(start), wanted, request, levels)] == [], (levels, start)


@pytest.mark.parametrize("request_", COARSE, ids=lambda r: f"{r['effect']}, {r['levels']} levels, {r['background']}")
def test_every_pixel_has_its_level_among_any_number_of_levels(server, request_):
    shown = by_giflib(gif(server, request_))
    plain = {name: value for name, value in request_.items() if name != "levels"}
    for start, wanted in moments(server, plain):
        assert [*faults(shown.at(start), wanted, request_, request_["levels"])] == [], start


@pytest.mark.parametrize(
    "name", [name for name in PLAIN if SCENES[name]["background"] not in (CLEAR, TINTED, "#80000040")]
)
def test_with_fine_levels_no_part_of_any_pixel_is_off_by_more_than_one(server, name):
    shown = by_giflib(gif(server, SCENES[name], levels=255))
    for start, wanted in moments(server, SCENES[name]):
        assert numpy.abs(shown.at(start)[..., :3].astype(int) - wanted[..., :3]).max() <= 1, start


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_default_levels_are_near_the_png(server, effect):
    """In decibels; where all letters are soft at once, most pixels lie between two levels."""
    least = 40 if effect in MIXED else 42 if effect in SOFT else 50
    request = dict(text=LETTERS["text"], font="DejaVu Sans", size=32, seed=5, effect=effect, exit="auto", background=SOLID)
    request |= NUMBERS.get(effect, {})
    shown = by_giflib(gif(server, request))
    for start, wanted in moments(server, request):
        assert psnr(shown.at(start)[..., :3], wanted[..., :3]) >= least, start


@pytest.mark.parametrize("name", COLORED)
def test_many_colours_and_pictures_look_right(server, name):
    request, matte = SCENES[name], (255, 255, 255)
    shown = by_giflib(gif(server, request))
    for start, wanted in moments(server, request):
        least = 38 if "emoji" in name else 40 if request.get("effect") in MIXED else 45 if request.get("effect") in SOFT else 50
        assert psnr(over(shown.at(start), matte), over(wanted, matte)) >= least, start


@pytest.mark.parametrize("ground", [SOLID, CLEAR])
def test_beside_emoji_letters_keep_their_exact_ramp(server, ground):
    request = dict(STYLE, **EMOJI, effect="fade", exit="auto", background=ground)
    shown, scene = by_giflib(gif(server, request)), scene_of(server, request)
    letters = [glyph["rect"] for glyph in scene["glyphs"] if glyph["text"] in [*"Boook"]]
    assert len(letters) == 5
    for start, wanted in moments(server, request):
        for rect in letters:
            left, top = math.floor(rect["x"]), math.floor(rect["y"])
            part = numpy.s_[top : top + math.ceil(rect["height"]), left : left + math.ceil(rect["width"])]
            assert [*faults(shown.at(start)[part], wanted[part], request, LEVELS)] == [], (start, rect)


def rainbow(count):
    """Markup with a letter of each of so many colours, no two alike."""
    colors = ["#%02x%02x%02x" % (37 * n % 256, 101 * n % 241, (n * n + 7 * n) % 251) for n in range(count)]
    assert len({*colors}) == count
    return "".join(f"<span foreground='{color}'>{'Titlecard'[n % 9]}</span>" for n, color in enumerate(colors))


@pytest.mark.parametrize("count, least", [(7, 50), (31, 42), (63, 34), (254, 34), (300, 33)])
@pytest.mark.parametrize("ground", [SOLID, CLEAR])
def test_more_colours_than_fit_are_still_near(server, count, least, ground):
    text = dict(text=rainbow(count), markup=True, width=250, font="DejaVu Sans", size=14)
    request = dict(text, effect="slide", by="line", background=ground)
    shown, matte = by_giflib(gif(server, request)), (255, 255, 255)
    for start, wanted in moments(server, request):
        assert psnr(over(shown.at(start), matte), over(wanted, matte)) >= least, start


# Gradients, outlines, shadows and cards, with the fewest decibels at the default and at the most levels.
PAINTED = {
    "gradient": (dict(color="linear-gradient(90deg, #f06, #06f)", background=SOLID), 34, 40),
    "gradients of lines": (dict(color="linear-gradient(#f06, gold, #06f)", gradientBox="line", background=SOLID), 34, 40),
    "outline": (dict(color="gold", outlineWidth=4, outlineColor="#028", background=SOLID), 36, 42),
    "shadow": (dict(color="#024", shadow="3px 3px 6px #0008", background=SOLID), 36, 42),
    "glow": (dict(color="#fff", shadow="0 0 4px #fff, 0 0 20px #0af", background="#013"), 36, 40),
    "card": (dict(color="#fff", background="linear-gradient(45deg, #102, #06f)", cornerRadius=20, borderWidth=3), 34, 38),
}


@pytest.mark.parametrize("effect", ["typewriter", "slide", "fade", "fall"])
@pytest.mark.parametrize("name", PAINTED)
@pytest.mark.slow
def test_painted_text_is_near_the_png(server, name, effect):
    paint, usual, fine = PAINTED[name]
    request = dict(text=LETTERS["text"], size=40, seed=5, effect=effect, exit="auto", **paint)
    for levels, least in ((LEVELS, usual), (255, fine)):
        shown, matte = by_giflib(gif(server, request, levels=levels)), (255, 255, 255)
        for start, wanted in moments(server, request):
            near = psnr(over(shown.at(start), matte), over(wanted, matte))
            assert near >= least, (start, levels, near)


@pytest.mark.parametrize("angle", [0, 37, 90])
def test_a_gradient_has_no_bands_at_the_most_levels(server, angle):
    """Inside of letters no part of any colour is off by more than what eyes can see."""
    paint = dict(color=f"linear-gradient({angle}deg, #f06, #06f)", size=100, weight=700, animate=False)
    request = dict(text="Bands", background=SOLID, **paint)
    (shown,) = by_giflib(gif(server, request, levels=255)).frames
    wanted = by_pillow(answer(server, "png", **request).body).frames[0]
    inside = by_pillow(answer(server, "png", **dict(request, color="#000", background="#fff")).body).frames[0]
    off = numpy.abs(shown.astype(int) - wanted)[..., :3][inside[..., 0] == 0]
    assert len(off) > 5000 and off.max() <= 6 and off.mean() <= 1.5, (off.max(), off.mean())


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_second_cycle_shows_no_ghosts_of_the_first(server, tmp_path, effect):
    """ffmpeg draws the second cycle over what the first has left."""
    request = dict(LETTERS, effect=effect, loop="infinite", background=CLEAR) | NUMBERS.get(effect, {})
    file = gif(server, request)
    once = by_giflib(file).frames
    (tmp_path / "x.gif").write_bytes(file)
    command = ["ffmpeg", "-v", "error", "-threads", "1", "-ignore_loop", "0", "-i", tmp_path / "x.gif"]
    command += ["-frames:v", f"{3 * len(once)}", *RAW, "-"]
    outcome = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    cycles = cleared(numpy.frombuffer(outcome.stdout, numpy.uint8).reshape(3, *once.shape))
    assert outcome.stderr == b"" and (cycles == once).all()


@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
@pytest.mark.parametrize("loop", [2, "infinite"])
@pytest.mark.parametrize("scene", ["slide", "replace"])
def test_the_finished_text_can_be_the_poster_the_cycle_is_turned(server, tmp_path, ground, loop, scene):
    request = turning_request(scene, loop, ground)
    scene, posed = scene_of(server, request), dict(request, poster="end")
    shown, straight = by_giflib(gif(server, posed, levels=255)), GIF(gif(server, request, levels=255))
    assert GIF(gif(server, posed, levels=255)).repeats == straight.repeats
    assert shown.end == sum(frame.delay for frame in straight.frames)
    origin, fine = origin_of(posed, scene), dict(request, levels=255)
    assert [*faults(shown.frames[0], still(server, request, "end"), fine, 255)] == []
    for start in sampled(shown.starts):
        time = instant_of(request, start, scene, shown.end, origin)
        assert [*faults(shown.at(start), still(server, request, time), fine, 255)] == [], start
    if loop != "infinite":
        assert numpy.array_equal(shown.frames[-1], shown.frames[0]), "it stops with the finished text"


@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
@pytest.mark.parametrize("scene", ["slide", "replace"])
def test_what_plays_once_shows_its_poster_before_it_plays(server, ground, scene):
    request = turning_request(scene, 1, ground) | dict(levels=255)
    posed = dict(request, poster="end")
    scene, straight, file = scene_of(server, request), GIF(gif(server, request)), GIF(gif(server, posed))
    assert file.repeats is straight.repeats is None
    assert [frame.delay for frame in file.frames] == [POSED, *(frame.delay for frame in straight.frames)]
    shown = by_giflib(gif(server, posed))
    for start in [0, *sampled(shown.starts)]:
        time = instant_of(posed, start, scene, shown.end)
        assert [*faults(shown.at(start), still(server, request, time), request, 255)] == [], start


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
@pytest.mark.parametrize("loop", [1, 2, "infinite"])
def test_the_poster_of_a_loop_is_the_finished_text_unless_it_is_given(server, format, loop):
    request = turning_request("slide", loop, SOLID)
    posters = {
        poster: answer(server, format, **request | dict(poster=poster)).body for poster in ("auto", "start", "end")
    }
    del request["poster"]
    assert answer(server, format, **request).body == posters["auto"] == posters["start" if loop == 1 else "end"]
    assert posters["start"] != posters["end"]


@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
@pytest.mark.parametrize("name", STILLS)
def test_what_does_not_move_is_one_frame_of_the_finished_text(server, tmp_path, name, ground):
    request = STYLE | dict(text="still", background=ground) | STILLS[name]
    file = gif(server, request, levels=255)
    for decoded in (by_giflib(file), by_pillow(file), by_ffmpeg(tmp_path, file)):
        assert len(decoded.frames) == 1
        assert [*faults(decoded.frames[0], still(server, request, "end"), dict(request, levels=255), 255)] == []
    assert GIF(file).frames[0].delay == 10 * round(100 * scene_of(server, request)["duration"])


@pytest.mark.parametrize("name", SCENES)
def test_frames_as_large_as_the_picture_show_the_same(server, name):
    request = SCENES[name]
    plain, full = (gif(server, request, frames=frames) for frames in ("auto", "full"))
    assert plain == gif(server, request)
    file = GIF(full)
    assert {(frame.left, frame.top, frame.width, frame.height) for frame in file.frames} == {(0, 0, *file.size)}
    assert [frame.delay for frame in file.frames] == [frame.delay for frame in GIF(plain).frames]
    for decode in (by_giflib, by_pillow):
        one, other = decode(plain), decode(full)
        assert one.starts == other.starts and numpy.array_equal(one.frames, other.frames)


@pytest.mark.parametrize("ground", [SOLID, CLEAR])
def test_frames_are_as_large_as_the_picture_wherever_a_cycle_begins(server, ground):
    for loop in (1, "infinite"):
        request = turning_request("replace", loop, ground) | dict(poster="end", matte=None if ground == CLEAR else MATTE)
        request = {name: value for name, value in request.items() if value is not None}
        plain, full = (answer(server, "gif", **request, frames=frames).body for frames in ("auto", "full"))
        file = GIF(full)
        assert {(frame.left, frame.top, frame.width, frame.height) for frame in file.frames} == {(0, 0, *file.size)}
        assert numpy.array_equal(by_giflib(plain).frames, by_giflib(full).frames)


def test_text_that_nobody_can_see_is_one_frame(server):
    file = GIF(gif(server, dict(LETTERS, effect="slide", color="#fff", background="#fff")))
    assert len(file.frames) == 1


def test_gifsicle_and_imagemagick_accept_every_file(server, tmp_path):
    for number, name in enumerate(SCENES):
        for frames in ("auto", "full"):
            (tmp_path / f"{number:03}-{frames}.gif").write_bytes(gif(server, SCENES[name], frames=frames))
    files = sorted(tmp_path.iterdir())
    counts = [len(GIF(file.read_bytes()).frames) for file in files]
    seen = subprocess.run(["gifsicle", "--info", *files], capture_output=True, text=True)
    assert (seen.returncode, seen.stderr) == (0, "")
    assert [int(line.split()[-2]) for line in seen.stdout.splitlines() if line.startswith("* ")] == counts
    seen = subprocess.run(
        ["identify", "-regard-warnings", "-format", "%i %T\n", *files], capture_output=True, text=True
    )
    assert (seen.returncode, seen.stderr) == (0, "")
    assert [seen.stdout.count(f"/{file.name} ") for file in files] == counts
