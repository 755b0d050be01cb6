"""Lines drawn by hand: every format shows them as the PNG does, while they are drawn, at rest, and as they leave."""

import io

import numpy
import pytest
from PIL import Image

from browser_motion import BACKGROUND, SIZE, differences, faults_of_motion
from exact import wrong_frames
from frames import answer, by_pillow
from picture import ink, mean_difference, pixels, screenshot, worst_block
from svg_renderers import RENDERERS

KINDS = ["underline", "strike", "box", "circle", "highlight", "bracket", "pill", "quote", "bullet"]
MARKUP = (
    'We <mark kind="circle" color="#cf222e">really</mark> do <mark>mark words</mark>,\n'
    '<mark kind="box" width="0.1">box</mark> <mark kind="strike">them</mark> '
    '<mark kind="bracket">in</mark> <mark kind="underline" color="#0969da80">two lines\nor</mark> more'
)
# Browsers smooth edges in their own ways; thick lines have few.
COMMON = dict(effect="none", font="DejaVu Sans", size=SIZE, color="#24292f", padding=50, markWidth=0.1)
COMMON |= dict(background="#%02x%02x%02x" % BACKGROUND)
CASES = {
    **{kind: dict(text="Mark\nthese words", mark=kind) for kind in KINDS},
    "a broad highlight": dict(text="Mark\nthese words", mark="highlight", markWidth=0.8),
    "markup": dict(text=MARKUP, markup=True, markDuration=0.4),
    "behind": dict(text="Mark\nthese words", mark="circle", markLayer="behind", markWidth=0.3, markColor="#cf222e"),
    "in front": dict(text="Mark\nthese words", mark="highlight", markLayer="front", outlineWidth=3),
    "right to left": dict(text="שלום <mark>עולם יפה</mark> a1", markup=True, mark="box", markStrokes=1),
    "thick and pale": dict(text="Mark this", mark="circle", markColor="#cf222e60", markWidth=0.4),
    "a pen": dict(text="Boo 👻 <u>fly</u>\nred i.", markup=True, mark="underline", effect="draw", size=48),
    "turned": dict(text="Turned", mark="box", effect="flip", exit="auto", hold=0.2),
    "shadow": dict(text="Shade", mark="highlight", shadow="4px 4px #0008", outlineWidth=3),
    "gradient": dict(text="Many\ncolours", mark="circle", color="linear-gradient(90deg, #cf222e, #0969da)", effect="fade"),
}
# A line of 700 px that is drawn in a tenth of a second is a pixel longer after a tenth of a millisecond.
LOOP = dict(exit="fade", hold=0.4, loop="infinite", poster="start", markDuration=3)
MARKED = dict(text="<mark>High</mark> <mark kind='circle'>round</mark>", markup=True, mark="underline", size=40)


@pytest.mark.parametrize("way", [{}, LOOP], ids=["once", "looping"])
@pytest.mark.parametrize("name", CASES)
def test_chromium_shows_marks(server, page, name, way):  # noqa: F811
    faults = list(faults_of_motion(server, page, {**COMMON, **CASES[name], **way}))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("svg", ["compact", "portable"])
@pytest.mark.parametrize("name", CASES)
def test_other_renderers_show_marks_at_rest(server, name, svg):
    request = {**COMMON, **CASES[name], "svg": svg}
    request.pop("exit", None)
    painted = pixels(server.render("png", **request).body)
    document = server.render("svg", **request).body
    for renderer, render in RENDERERS.items():
        if renderer == "CairoSVG" and "shadow" in request:
            continue  # it draws the shadow over the letters
        shown = pixels(render(document))
        assert shown.shape == painted.shape, renderer
        assert mean_difference(painted, shown, BACKGROUND) < 6, renderer
        # resvg draws long curves as a few straight lines.
        assert worst_block(painted, shown) < (24 if renderer == "resvg" else 16), renderer


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", ["markup", "thick and pale", "shadow"])
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = {**COMMON, **CASES[name], **LOOP, "size": 32}
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


def test_a_gif_shows_marks(server):
    request = {**COMMON, **MARKED, "hold": 0.5}
    gif = Image.open(io.BytesIO(server.render("gif", **request).body))
    gif.seek(gif.n_frames - 1)
    shown = numpy.asarray(gif.convert("RGB")).astype(float)
    painted = pixels(server.render("png", **request).body)
    assert mean_difference(painted, shown, BACKGROUND) < 12 and worst_block(painted, shown) < 16


@pytest.mark.parametrize("kind", KINDS)
def test_the_canvas_has_room_for_marks(server, kind):
    """At rest no mark is cut off, nor is one that is drawn."""
    for number, text in enumerate(["i", "Hi there", "two\nlines"]):
        request = dict(text=text, mark=kind, effect="none", size=40, background="#ffffff", seed=number, markWidth=0.3)
        small, large = (server.render("png", **request, padding=padding).body for padding in (0, 60))
        inks = [ink(pixels(png), (255, 255, 255)).sum() for png in (small, large)]
        assert abs(inks[0] - inks[1]) < 0.02 * inks[1]
        assert server.render("json", **request, padding=0).json["warnings"] == []


@pytest.mark.slow
def test_dark_schemes_have_marks_of_their_own(server, page):  # noqa: F811
    request = {**COMMON, **MARKED, "darkColor": "#e6edf3", "darkBackground": "#0d1117", "animate": False}
    cases = {
        "of the text": {},
        "their own": dict(markColor="#cf222e", darkMarkColor="#3fb950"),
        "one for both": dict(markColor="#8888ff"),
    }
    for name, more in cases.items():
        for scheme, ground in (("light", BACKGROUND), ("dark", (13, 17, 23))):
            page.emulate_media(color_scheme=scheme)
            scene = server.render("json", **request, **more).json
            page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
            page.goto(server.url + server.render("svg", **request, **more).headers["Content-Location"])
            painted = pixels(server.render("png", **request, **more, scheme=scheme).body)
            assert [*differences(painted, pixels(screenshot(page)), ground)] == [], (name, scheme)


def test_marks_stand_where_nothing_may_move(server, page):  # noqa: F811
    request = {**COMMON, **MARKED}
    page.emulate_media(reduced_motion="reduce")
    page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
    scene = server.render("json", **request).json
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
    painted = pixels(server.render("png", **request).body)
    assert [*differences(painted, pixels(screenshot(page)), BACKGROUND)] == []


def test_the_same_seed_draws_the_same_hand(server):
    first, again, other = (server.render("svg", **MARKED, seed=seed).body for seed in (1, 1, 2))
    assert first == again != other


def test_the_text_moves_as_without_marks(server):
    plain, marked = (server.render("json", text="Hello there", effect="fade", mark=mark).json for mark in ("none", "box"))
    moves = [[glyph["opacity"] for glyph in scene["glyphs"] if glyph["role"] == "glyph"] for scene in (plain, marked)]
    assert moves[0] == moves[1]
    assert marked["finished"] == pytest.approx(plain["finished"] + 0.8, abs=0.05)
    assert marked["duration"] == pytest.approx(plain["duration"] + 0.8, abs=0.05)


def order_of_marks(scene):
    """The kind of each mark with where it lies."""
    return [(glyph["mark"], glyph.get("layer")) for glyph in scene["glyphs"] if glyph["role"] == "mark"]


def test_a_mark_lies_behind_the_text_or_in_front_of_it(server):
    """Red letters are covered by a blue mark, or cover it."""
    common = dict(text="HHH", color="#f00", effect="none", markColor="#00f", markWidth=0.5, markStrokes=1, size=60)
    for mark, own in (("strike", "front"), ("highlight", "behind")):
        inks = {}
        for layer in (None, "behind", "front"):
            request = common | dict(mark=mark) | (dict(markLayer=layer) if layer else {})
            picture = pixels(server.render("png", **request, background="#fff").body)
            inks[layer] = (picture == (255, 0, 0)).all(axis=2).sum()
            assert order_of_marks(server.render("json", **request).json) == [(mark, layer if layer != own else None)]
        assert inks["behind"] > 1.3 * inks["front"]
        assert inks[None] == inks[own]


def test_the_default_layer_is_not_part_of_the_request(server):
    for mark, layer in (("strike", "front"), ("highlight", "behind")):
        plain, given = (server.render("svg", text="x", mark=mark, **more).text for more in ({}, dict(markLayer=layer)))
        assert len(plain) == len(given), "but for the names, the same"


def test_markup_says_where_a_mark_lies(server):
    text = "<mark layer='front'>a</mark> <mark kind='box' layer='behind'>b</mark> <mark>c</mark>"
    scene = server.render("json", text=text, markup=True, markLayer="front", markStrokes=1).json
    found = dict.fromkeys(order_of_marks(scene))
    assert [*found] == [("highlight", "front"), ("box", "behind")]


def test_too_many_marks_are_refused(server):
    for count, status in ((64, 200), (65, 422)):
        reply = server.post("/render.json", dict(text="<mark>a</mark> " * count, markup=True))
        assert reply.status == status
    assert reply.faults == ["text"] and "65 marks; the limit is 64" in reply.body.decode()


@pytest.mark.parametrize(
    ("request_", "fault", "message"),
    [
        (dict(text="x", mark="blob"), "mark", "underline"),
        (dict(text="x", markWidth=2.1), "markWidth", "from 0.01 to 2"),
        (dict(text="x", markStrokes=3), "markStrokes", "from 1 to 2"),
        (dict(text="x", markLayer="beside"), "markLayer", "behind"),
        (dict(text="<mark layer='Front'>x</mark>", markup=True), "text", "behind or front"),
        (dict(text="x", markDuration=11), "markDuration", "from 0 to 10"),
        (dict(text="x", darkMarkColor="blurple"), "darkMarkColor", "must be a colour such as"),
        (dict(text="<mark kind='blob'>x</mark>", markup=True), "text", "kind="),
        (dict(text="<mark><mark>x</mark></mark>", markup=True), "text", "<mark> must not be within another"),
        (dict(text="<span mark='box'>x</span>", markup=True), "text", "attribute mark is not supported"),
    ],
)
def test_what_is_wrong_is_named(server, request_, fault, message):
    reply = server.post("/render", request_)
    assert (reply.status, reply.faults) == (400, [fault]) and message in reply.body.decode()
