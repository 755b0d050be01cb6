"""No seams where letters join: translucent glyphs whose ink meets are blended once."""

import io
import json
import string

import numpy
import pytest
from PIL import Image

from browser_motion import SEEK
from lottie_players import PLAYERS
from picture import pixels, screenshot
from service import query

WORDS = {
    "Arabic": "السلام",
    "Nastaliq": "پاکستان",
    "Devanagari": "हिन्दी",
    "Bengali": "নমস্কার",
    "Adlam": "𞤀𞤣𞤤𞤢𞤥",
}
STYLE = dict(size=64, padding=30, room="none", color="#000", cursor="none")
# Of 255; a seam is some 50 darker. A GIF has fewer colours.
TOLERANCE = {"gif": 12}
PAINTS = {
    "fill": (dict(color="#000"), dict(color="#0008")),
    "outline": tuple(dict(color="transparent", outlineWidth=5, outlineColor=color) for color in ("#000", "#0008")),
    "shadow": tuple(dict(color="transparent", shadow=f"4px 5px 0 {color}") for color in ("#000", "#0008")),
}
FADING = dict(effect="custom", keyframes=[{"opacity": 0}], by="word", duration=1, easing="linear")


def request_of(script):
    return STYLE | dict(text=WORDS[script], **({"lang": "ur"} if script == "Nastaliq" else {}))


def darkness(picture):
    return 255 - picture[..., 0]


def assert_even(shown, whole, tolerance=4):
    """Asserts that a picture is another one at one opacity, which is above 0 and below 1."""
    opacity = shown.sum() / whole.sum()
    assert 0.1 < opacity < 0.9
    assert numpy.abs(shown - opacity * whole).max() <= tolerance


def png(server, **request):
    return darkness(pixels(server.render("png", **request).body))


def in_chromium(server, page, *seconds, **request):
    """What Chromium shows of the SVG, at an instant where one is given. It smooths the edges of groups in a way of its
    own, so that only the darkest pixels can be compared."""
    page.goto(f"{server.url}/render.svg?{query(request)}")
    for time in seconds:
        page.evaluate(SEEK, time)
    return darkness(pixels(screenshot(page)))


@pytest.mark.parametrize("effect", ["none", "typewriter", "fade"])
@pytest.mark.parametrize("part", PAINTS)
@pytest.mark.parametrize("script", WORDS)
def test_a_translucent_colour_is_even_in_a_picture(server, script, part, effect):
    opaque, translucent = (request_of(script) | paint for paint in PAINTS[part])
    assert_even(png(server, **translucent, effect=effect), png(server, **opaque, effect="none"))


@pytest.mark.parametrize("effect", ["none", "typewriter", "fade"])
@pytest.mark.parametrize("part", PAINTS)
@pytest.mark.parametrize("script", WORDS)
def test_a_translucent_colour_is_even_in_chromium(server, page, script, part, effect):  # noqa: F811
    request = request_of(script) | PAINTS[part][1] | dict(effect=effect, background="white")
    shown = in_chromium(server, page, *([] if effect == "none" else [120]), **request)
    assert abs(shown.max() - 0x88) <= 2


@pytest.mark.parametrize("part", PAINTS)
@pytest.mark.parametrize("script", WORDS)
def test_a_word_that_fades_is_even(server, page, script, part):  # noqa: F811
    request = request_of(script) | PAINTS[part][0] | FADING | dict(background="white")
    assert_even(png(server, **request, time=0.4), png(server, **request))
    keyframes = json.dumps(request.pop("keyframes"))
    shown = in_chromium(server, page, 0.4, **request, keyframes=keyframes)
    assert abs(shown.max() - 0.4 * 255) <= 2


MOVED = {"scaled": {"scale": 0.9}, "turned": {"rotation": 5}, "blurred": {"blur": 0.01}}


@pytest.mark.parametrize("loop", [1, "infinite"])
@pytest.mark.parametrize("motion", MOVED)
@pytest.mark.parametrize("script", WORDS)
def test_a_word_that_fades_in_motion_is_even(server, page, script, motion, loop):  # noqa: F811
    """Each glyph is scaled, turned, or blurred by itself, and the word is blended once."""
    keyframes = [{"opacity": 0} | MOVED[motion]]
    for color, alpha in (("#000", 0.4), ("#0008", 0.4 * 0x88 / 255)):
        request = request_of(script) | FADING | dict(color=color, background="white", loop=loop, keyframes=keyframes)
        darkest = png(server, **request, time=0.4).max()
        request["keyframes"] = json.dumps(keyframes)
        for shown in darkest, in_chromium(server, page, 0.4, **request).max():
            assert abs(shown - 255 * alpha) <= 2
        rest = in_chromium(server, page, 1.5 if loop == "infinite" else 120, **request | dict(hold=2)).max()
        assert abs(rest - 255 * alpha / 0.4) <= 2


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
@pytest.mark.parametrize("script", WORDS)
def test_every_frame_of_a_word_that_fades_is_even(server, script, format):
    request = request_of(script) | FADING | dict(background="white", loop=1)
    frames = [darkness(frame) for frame in frames_of(server.render(format, **request).body)]
    fading = [frame for frame in frames if 0.2 < frame.sum() / frames[-1].sum() < 0.8]
    assert len(fading) > 2
    for frame in fading:
        assert_even(frame, frames[-1], TOLERANCE.get(format, 4))


def frames_of(body):
    picture = Image.open(io.BytesIO(body))
    for number in range(picture.n_frames):
        picture.seek(number)
        yield numpy.asarray(picture.convert("RGB")).astype(float)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("part", PAINTS)
@pytest.mark.parametrize("script", WORDS)
def test_lottie_is_even(server, script, part, player):
    opaque, translucent = (request_of(script) | paint | dict(background="white") for paint in PAINTS[part])
    for request, seconds, alpha in (
        (opaque | FADING, 0.4, 0.4), (translucent | FADING, 0.4, 0.4 * 0x88 / 255),
        (translucent | dict(effect="typewriter"), None, 0x88 / 255), (translucent | dict(effect="none"), 0, 0x88 / 255),
    ):
        file = server.render("lot", **request)
        frame = round(100 * seconds) if seconds is not None else json.loads(file.text)["op"] - 1
        shown = darkness(player(file.text).pixels(int(frame)))
        assert abs(shown.max() - 255 * alpha) <= 3, (request, seconds)


def test_stickers_of_telegram_warn_where_they_have_seams(server):
    for text, warning in (("السلام", "unsupported"), ("salaam", None)):
        answer = server.render("tgs", text=text, effect="none", color="#0008")
        assert answer.headers["Titlecard-Warnings"] == warning


def test_glyphs_of_different_opacities_are_blended_one_after_another(server):
    request = request_of("Arabic") | FADING | dict(by="glyph", interval=0.2)
    scene = server.render("json", **request).json
    assert png(server, **request, time=0.6).max() <= 255
    assert len({str(glyph["opacity"]) for glyph in scene["glyphs"]}) > 1


LETTERS = string.ascii_letters + string.digits + ".,:;'\"!?()-"
# Each letter before each other one, as many as a text may have.
PAIRS = ["\n".join("".join(first + second for second in LETTERS) for first in LETTERS[start : start + 13])
         for start in range(0, len(LETTERS), 13)]
PROSE = "The five boxing wizards jump quickly; Sphinx of black quartz, judge my vow. AVATAR WAVE To Yes"


@pytest.mark.parametrize("font, texts", [
    ("Inter", PAIRS), ("DejaVu Sans Mono", PAIRS), ("DejaVu Sans", [PROSE]),
], ids=["Inter", "DejaVu Sans Mono", "DejaVu Sans"])
def test_letters_that_do_not_join_are_drawn_each_alone(server, font, texts):
    for text in texts:
        svg = server.render("svg", text=text, font=font, effect="none", color="#0008", width=4096, size=10).text
        assert "fill-opacity=" in svg and " opacity=" not in svg


def test_a_dark_colour_is_as_translucent_as_it_says(server, page):  # noqa: F811
    request = request_of("Arabic") | dict(effect="none", color="#000c", darkColor="#0004", background="white")
    for scheme, alpha in (("light", 0xCC), ("dark", 0x44)):
        page.emulate_media(color_scheme=scheme)
        assert abs(in_chromium(server, page, **request).max() - alpha) <= 2
