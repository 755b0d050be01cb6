"""Radial, conic, and repeating gradients: as a browser has them in CSS, in every format."""

import io
import random
import re

import numpy
import pytest
from PIL import Image

from frames import by_pillow
from picture import pixels, screenshot, worst_block

WIDTH, HEIGHT = 200, 120
COLORS = ["#cf222e", "#8250df", "#0969da", "#1a7f37", "#ffd700", "#ffffff", "#000000", "tomato", "#0969da80", "#f0f3"]
# Where the reference changes by more from a pixel to its neighbours there is an edge, which each renderer draws in its
# own way.
EDGE = 24


def number(draw, low, high):
    return f"{draw.uniform(low, high):.1f}"


def place(draw):
    """A position in CSS; nothing for the centre."""
    return draw.choice([
        "", " at top", " at left", " at right bottom", " at bottom left", " at center", " at 30%",
        f" at {number(draw, -20, 120)}% {number(draw, -20, 120)}%", f" at {number(draw, -20, 220)}px 40%",
        f" at {number(draw, 0, 100)}% top", f" at {number(draw, 0, 90)}px {number(draw, 0, 90)}px",
    ])  # fmt: skip


def gradient(draw, kind, repeats):
    """A gradient in CSS."""
    colors = [draw.choice(COLORS) for _ in range(draw.randint(2, 5))]
    ends = (draw.uniform(-10, 20), draw.uniform(25, 60)) if repeats else (draw.uniform(-30, 30), draw.uniform(60, 130))
    places = sorted(draw.uniform(*ends) for _ in colors)
    unit, factor = ("deg", 3.6) if kind == "conic" and draw.random() < 0.5 else ("%", 1)
    stops = [f"{color} {at * factor:.1f}{unit}" for color, at in zip(colors, places)]
    if not repeats and draw.random() < 0.4:
        stops = colors
    if kind == "radial":
        extents = ["", "closest-side", "farthest-side", "closest-corner", "farthest-corner"]
        first = draw.choice([
            f"{draw.choice(['circle', 'ellipse', ''])} {draw.choice(extents)}", f"{number(draw, 5, 150)}px",
            f"circle {number(draw, 5, 150)}px", f"{number(draw, 10, 90)}% {number(draw, 5, 90)}px",
            f"ellipse {number(draw, 5, 190)}px {number(draw, 10, 90)}%",
        ]).strip() + place(draw)  # fmt: skip
    elif kind == "conic":
        first = draw.choice(["", f"from {number(draw, -360, 720)}deg"]) + place(draw)
    else:
        first = draw.choice(["", "to top left", f"{number(draw, 0, 360)}deg"])
    inner = ", ".join([first.strip(), *stops] if first.strip() else stops)
    return f"{'repeating-' if repeats else ''}{kind}-gradient({inner})"


def gradients():
    draw = random.Random(28)
    for kind in ("radial", "conic"):
        for index in range(30):
            yield gradient(draw, kind, index % 3 == 2)
    for _ in range(10):
        yield gradient(draw, "linear", True)


CASES = list(gradients())
# Sectors of a conic gradient are no narrower than a quarter of a degree in an SVG.
STEEP = "tomato 4.9deg, #0969da 27.9deg, tomato 28.3deg"
CARD = dict(text=".", color="transparent", size=4, width=WIDTH, height=HEIGHT, effect="none")


@pytest.fixture(scope="module")
def page(chromium):
    context = chromium.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    yield context.new_page()
    context.close()


def shown(page, body):
    page.set_content(f"<!DOCTYPE html><body style='margin:0'>{body}")
    return pixels(screenshot(page))


def painted(page, paint):
    """What the browser paints itself."""
    return shown(page, f"<div style='width:{WIDTH}px;height:{HEIGHT}px;background:{paint}'></div>")


def smooth(reference):
    """True where a picture has no edge within a pixel."""
    padded = numpy.pad(reference, ((1, 1), (1, 1), (0, 0)), mode="edge")
    parts = [padded[y : y + HEIGHT, x : x + WIDTH] for y in range(3) for x in range(3)]
    return (numpy.max(parts, axis=0) - numpy.min(parts, axis=0)).max(axis=2) < EDGE


@pytest.mark.parametrize("paint", CASES)
def test_a_card_is_painted_as_css_says(server, page, paint):
    reference = painted(page, paint)
    inside = smooth(reference)
    request = dict(CARD, background=paint)
    png = pixels(server.render("png", **request).body)
    svg = shown(page, server.render("svg", **request).body.decode())
    for name, picture in dict(png=png, svg=svg).items():
        off = numpy.abs(picture - reference).max(axis=2)
        assert off[inside].max(initial=0) <= (6 if STEEP in paint and name == "svg" else 3), name
        # At edges a pixel may be on the other side, and no more than that.
        assert (off > 3).mean() < 0.12, name


@pytest.mark.parametrize("box", ["block", "line", "glyph"])
@pytest.mark.parametrize("paint", CASES[::7])
def test_text_has_its_part_of_the_gradient(server, chromium, paint, box):
    request = dict(text="Grad <u>ient</u> g\n👻 <big>W</big>", markup=True, size=40, effect="none", background="#fff",
                   gradientBox=box, color=paint, outlineWidth=1)  # fmt: skip
    png = pixels(server.render("png", **request).body)
    context = chromium.new_context(viewport={"width": png.shape[1], "height": png.shape[0]})
    svg = shown(context.new_page(), server.render("svg", **request).body.decode())
    context.close()
    assert worst_block(png, svg) < 20


@pytest.mark.slow
@pytest.mark.parametrize("browser", ["Firefox", "WebKit"], indirect=True)
def test_other_browsers_show_the_same(server, browser):
    paints = [paint for kind in ("radial", "conic", "repeating-linear") for paint in CASES if kind in paint][::9]
    for paint in paints:
        request = dict(text="Gradient", size=40, effect="none", background=paint, color="conic-gradient(red, blue, red)")
        png = pixels(server.render("png", **request).body)
        svg = server.render("svg", **request).body.decode()
        browser.open(f"<!DOCTYPE html><body style='margin:0'>{svg}", png.shape[1], png.shape[0])
        assert worst_block(png, pixels(browser.screenshot())) < 24, paint


@pytest.mark.parametrize("effect", ["fall", "pop", "draw", "blur", "typewriter"])
@pytest.mark.parametrize("paint", ["radial-gradient(circle, #f06, #06f)", "conic-gradient(from 40deg, #f068, #06f, #f068)"])
def test_films_have_the_frames_of_the_png(server, effect, paint):
    request = dict(text="Mo<u>ve</u> 👻", markup=True, size=30, effect=effect, color=paint, seed=2, background="#fff")
    film = by_pillow(server.render("apng", **request, fps=20).body)
    assert len(film.frames) > 5
    for index in range(0, len(film.frames), 4):
        time = film.starts[index] / 1000
        still = numpy.asarray(Image.open(io.BytesIO(server.render("png", **request, time=time).body)).convert("RGBA"))
        assert numpy.abs(film.frames[index].astype(int) - still).max() <= 1, time


# How it is spelled


@pytest.mark.parametrize(
    "paint, canonical",
    [
        ("RADIAL-GRADIENT(red,blue)", "radial-gradient(ellipse farthest-corner at 50% 50%, #ff0000 0%, #0000ff 100%)"),
        ("radial-gradient(circle, red, blue)", "radial-gradient(circle farthest-corner at 50% 50%, #ff0000 0%, #0000ff 100%)"),
        ("radial-gradient(12px at top, red, blue)", "radial-gradient(circle 12px at 50% 0%, #ff0000 0%, #0000ff 100%)"),
        ("radial-gradient(closest-side circle at bottom right, red, blue)",
         "radial-gradient(circle closest-side at 100% 100%, #ff0000 0%, #0000ff 100%)"),
        ("radial-gradient(10% 5px at 0 25%, red, blue)", "radial-gradient(ellipse 10% 5px at 0px 25%, #ff0000 0%, #0000ff 100%)"),
        ("conic-gradient(red, blue)", "conic-gradient(from 0deg at 50% 50%, #ff0000 0%, #0000ff 100%)"),
        ("conic-gradient(from -90deg at left, red 90deg, blue)", "conic-gradient(from 270deg at 0% 50%, #ff0000 25%, #0000ff 100%)"),
        ("repeating-linear-gradient(red, blue 10%)", "repeating-linear-gradient(180deg, #ff0000 0%, #0000ff 10%)"),
        ("repeating-conic-gradient(red 0 , blue 10%)".replace(" 0 ", " 0% "),
         "repeating-conic-gradient(from 0deg at 50% 50%, #ff0000 0%, #0000ff 10%)"),
    ],
)  # fmt: skip
def test_the_canonical_spelling_means_the_same(server, paint, canonical):
    request = dict(text="Same", background=paint)
    scene = server.render("json", **request).json
    assert scene["background"] == canonical
    assert server.render("svg", **request).body == server.render("svg", text="Same", background=canonical).body


def test_lottie_says_what_it_cannot_draw(server):
    def warned(**paint):
        scene = server.render("lot", text="Lottie", **paint)
        return "unsupported" in (scene.headers.get("Titlecard-Warnings") or "")
    assert not warned(color="radial-gradient(circle, red, blue)")
    assert not warned(background="radial-gradient(circle closest-side, red, blue)")
    assert warned(color="radial-gradient(red, blue)")
    assert warned(color="conic-gradient(red, blue)")
    assert warned(background="repeating-linear-gradient(red, blue 20%)")


def test_glyphs_share_the_colours_of_a_conic_gradient(server):
    svg = server.render("svg", text="Sharing is caring", color="conic-gradient(red, blue, red)", effect="none").body.decode()
    patterns = re.findall(r"<pattern [^>]*>", svg)
    assert sum("width" in pattern for pattern in patterns) == 1
    assert len(patterns) > 1
