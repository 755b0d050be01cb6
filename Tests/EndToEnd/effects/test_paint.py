"""Gradients, outlines, shadows and cards are what a browser paints, in pictures and in the SVG, still and moving."""

import functools
import json

import numpy
import pytest

import paint_cases
from browser_motion import BACKGROUND, faults_of_motion
from catalogue import catalogue_under_test
from exact import wrong_frames
from frames import CLEAR, SOLID, STYLE, answer, by_giflib, by_pillow, instant_of, sampled, scene_of, still
from paint_cases import CASES
from paint_reference import FINENESS, Comparison, Reference, averaged, on_whole_pixels, rgba
from picture import screenshot, worst_block
from poses import standing
from random_requests import NUMBERS


def browse(context, server, request, scene):
    """Shows an SVG in a page; blocks are sent as a body, and so each by its permalink."""
    page = context.new_page()
    page.set_viewport_size(dict(width=round(scene["width"]), height=round(scene["height"])))
    page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
    return page


# Still pictures


@pytest.fixture(scope="module")
def unhinted(launch):
    """A browser that draws letters as their outlines say, as Titlecard does."""
    return launch("--font-render-hinting=none")


@pytest.fixture(scope="module")
def fine_page(unhinted):
    context = unhinted.new_context(device_scale_factor=FINENESS)
    yield context.new_page()
    context.close()


def svg_in_browser(browser, server, request, scene, pixels):
    """Returns a browser's picture of the SVG, painted with so many pixels of its own in one CSS pixel."""
    context = browser.new_context(device_scale_factor=pixels)
    try:
        picture = rgba(screenshot(browse(context, server, request, scene), omit_background=True))
        return averaged(picture, pixels, request["scale"])
    finally:
        context.close()


def test_the_list_has_every_kind_of_paint():
    paints = [paint for case in CASES for paint in paint_cases.paints(case)]
    texts = [text for case in CASES for text in paint_cases.texts(case)]
    assert len(CASES) >= 60
    assert {paint.count(",") + ("deg" not in paint and "to " not in paint) for paint in paints if "(" in paint} >= {
        *range(2, 9)
    }
    for words in ("deg", *paint_cases.SIDES, *paint_cases.CORNERS, "(-", "(#", "transparent", "80"):
        assert any(words in paint for paint in paints), words
    assert {text["gradientBox"] for text in texts} == set(paint_cases.BOXES)
    assert {len(paint_cases.shadows(text)) for text in texts} == {0, 1, 2, 3, 4}
    assert {each[2] > 0 for text in texts for each in paint_cases.shadows(text)} == {True, False}
    for name in ("outlineWidth", "cornerRadius", "borderWidth", "background"):
        assert 5 < sum(bool(case.get(name)) for case in CASES) < len(CASES), name
    assert {text["size"] for text in texts} == set(paint_cases.SIZES)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CASES)))
def test_paint_is_what_a_browser_paints(server, fine_page, unhinted, tmp_path, number):
    request, scene = on_whole_pixels(server.render, {**CASES[number], "animate": False})
    comparison = Comparison(Reference(fine_page, request, scene))
    svg = functools.partial(svg_in_browser, unhinted, server, request, scene)
    pictures = {
        "png": (rgba(server.render("png", **request).body), True),
        "svg": (svg(FINENESS), True),
        # A browser's own smoothing of small letters is too far from the ink that they have.
        "svg as shown": (svg(request["scale"]), False),
    }
    faults = []
    for name, (picture, with_edges) in pictures.items():
        if found := comparison.faults(picture, with_edges):
            faults += [f"{name}: {fault}" for fault in found]
            comparison.write(tmp_path, name, picture)
    assert not faults, f"{faults} in {tmp_path}: {json.dumps(request, ensure_ascii=False)}"


@pytest.mark.parametrize("number", range(0, len(CASES), 5))
def test_the_end_of_an_animation_is_the_still_picture(server, number):
    moving = {**CASES[number], "effect": "slide", "exit": "none", "room": "none"}
    still = server.render("png", **CASES[number], animate=False).body
    assert server.render("png", **moving, time="end").body == still


@pytest.mark.parametrize("number", range(len(CASES)))
def test_the_json_says_the_box_of_every_gradient(server, number):
    scene = server.render("json", **CASES[number], animate=False).json
    styles = paint_cases.texts(CASES[number])
    for glyph in scene["glyphs"]:
        style, block = styles[glyph["block"]], scene["blocks"][glyph["block"]]
        if "(" not in style["color"]:
            assert "gradientRect" not in glyph
            continue
        assert glyph["color"].startswith("linear-gradient(")
        boxes = dict(block=block["rect"], line=block["lines"][glyph["line"]]["rect"], glyph=glyph["rect"])
        assert glyph["gradientRect"] == boxes[style["gradientBox"]]


DARK = dict(
    darkColor="linear-gradient(45deg, #ff0, #0ff8 80%)",
    darkBackground="linear-gradient(to top right, #012, #345)",
    darkOutlineColor="#fff8",
    darkShadow="3px 0 6px #f0f",
    darkBorderColor="gold",
)
LIGHT = dict(
    color="linear-gradient(#f00, #00f)",
    background="#fff4d6",
    outlineWidth=3,
    outlineColor="#123",
    shadow="1px 1px 2px #0008, -2px 0 red",
    borderWidth=3,
    borderColor="#d0d7de",
    cornerRadius=12,
)
DARK_CASES = {
    "all of it": DARK,
    "the text alone": dict(darkColor=DARK["darkColor"]),
    "one colour for a gradient": dict(darkColor="#fff", darkBackground="#123"),
    "a gradient on a flat ground": dict(darkBackground=DARK["darkBackground"]),
    "the outline alone": dict(darkOutlineColor=DARK["darkOutlineColor"]),
    "the shadow alone": dict(darkShadow=DARK["darkShadow"]),
    "no shadow": dict(darkShadow="none"),
    "the border alone": dict(darkBorderColor=DARK["darkBorderColor"]),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", DARK_CASES)
def test_dark_paint_shows_where_it_is_dark(server, unhinted, name, scheme):
    request = dict(text="Day\nnight", size=48, scale=1, animate=False, gradientBox="line", **LIGHT, **DARK_CASES[name])
    # The canvas has room for both schemes' shadows.
    scene = server.render("json", **request).json
    size = dict(width=scene["width"], height=scene["height"])
    painted = {**request, **size}
    if scheme == "dark":
        own = {name[4].lower() + name[5:]: value for name, value in DARK_CASES[name].items()}
        painted |= own
    painted = {name: value for name, value in painted.items() if not name.startswith("dark")}
    # Where the text stands in a canvas of a given size depends on what it has room for.
    painted["darkShadow"] = request.get("darkShadow", request["shadow"])
    context = unhinted.new_context(color_scheme=scheme)
    try:
        shown = rgba(screenshot(browse(context, server, {**request, **size}, scene), omit_background=True))
    finally:
        context.close()
    wanted = rgba(server.render("png", **painted).body)
    assert shown.shape == wanted.shape
    assert numpy.abs(shown - wanted).mean() < 2
    assert numpy.abs(shown - wanted)[..., :3].max(axis=2)[wanted[..., 3] == 255].mean() < 4


# Moving

PAINT = dict(
    color="linear-gradient(to right, #c02020, #2040ff 60%, #0a0)",
    outlineWidth=2,
    outlineColor="#ffd700",
    shadow="2px 2px 5px #0009, -2px 0 #20804080",
)
SHORT = dict(hold=0.4, exit="auto")
FRAMES = [{"opacity": 0.2, "y": 1, "rotation": 40}, {"offset": 0.6, "scale": 1.4, "scaleX": 0.6, "blur": 0.05}]


def painted(effect):
    """A request that shows an effect with paint; some effects want more than a text."""
    request = dict(PAINT, effect=effect, text="Boo <u>fly</u>\nghost i.", markup=True, seed=4, **SHORT)
    request |= NUMBERS.get(effect, {})
    if any(each.is_required for each in catalogue_under_test().effects[effect].values()):
        request |= dict(keyframes=FRAMES)
    if effect == "draw":
        # A line that is thin is all edge, which every renderer smooths in its own way.
        request |= dict(strokeWidth=0.1)
    if effect == "morph":
        blocks = [dict(text="help", gradientBox="line"), dict(text="hello", color="linear-gradient(#f00, #00f8)")]
        request = {name: value for name, value in request.items() if name not in ("text", "markup")}
        request |= dict(blocks=blocks, sequence="replace")
    return request


EFFECTS = list(catalogue_under_test().effects)


@pytest.mark.parametrize("box", ["block", "glyph"])
@pytest.mark.parametrize("effect", EFFECTS)
def test_chromium_shows_the_paint_of_every_effect(server, page, effect, box):
    ground = "#%02x%02x%02x" % BACKGROUND
    # Chromium does not smooth the edges of masks: those of `rise` lie between pixels. It smooths letters in masks in its
    # own way: of large ones in `flap` less is edge.
    size = {"rise": 50, "flap": 96}.get(effect, 48)
    request = painted(effect) | dict(gradientBox=box, size=size, padding=50, background=ground)
    faults = list(faults_of_motion(server, page, request))
    assert not faults, "\n".join(faults)


GROUNDS = {
    "solid": dict(background=SOLID),
    "clear": dict(background=CLEAR),
    "a card": dict(background="linear-gradient(#fff4d6, #20408080)", cornerRadius=12, borderWidth=3),
}


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("effect", EFFECTS)
def test_every_frame_is_the_png_of_its_start(server, effect, ground):
    loop = "infinite" if ground == "clear" else 1
    request = {**STYLE, **painted(effect), **GROUNDS[ground], "loop": loop}
    for format in ("apng", "webp"):
        shown = by_pillow(answer(server, format, **request).body)
        assert [*wrong_frames(server, request, shown)] == [], format


def test_a_highlight_lies_over_a_gradient_as_over_a_colour(server):
    """A gradient of one colour has the pixels of that colour, but at the edges of letters, which are drawn twice."""
    style = dict(STYLE, text="Bright <u>words</u>", markup=True, effect="highlight", size=64, highlightColor="#0a0")
    scene = scene_of(server, dict(style, color="linear-gradient(#c00, #00c)"))
    glyphs, overlays = ([each for each in scene["glyphs"] if each["role"] == role] for role in ("glyph", "overlay"))
    assert [each["glyph"] for each in overlays] == [each["index"] for each in glyphs if not each["text"].isspace()]
    for time in (0.1, 0.3, 0.5, 0.75, "end"):
        over, alone = (
            rgba(server.render("png", **{**style, "color": color}, time=time).body).astype(float)
            for color in ("linear-gradient(#c00, #c00)", "#c00")
        )
        assert numpy.abs(over - alone).mean() < 1
        # Most pixels of a letter are no edge.
        assert (numpy.abs(over - alone).max(axis=-1) <= 1).mean() > 0.94
        assert time != "end" or numpy.abs(over - alone).max() <= 1


@pytest.mark.parametrize("seed", range(12))
def test_a_glyph_carries_its_part_of_the_gradient(server, seed):
    """What is moved by whole pixels is the same pixels elsewhere, whatever its box."""
    text = "moved"
    style = dict(text=text, size=40, padding=80, lineHeight=1.25, cursor="none", **PAINT)
    style["gradientBox"] = paint_cases.BOXES[seed % 3]
    scene = scene_of(server, {**style, "animate": False})
    size = dict(width=scene["width"], height=scene["height"])
    x, y = (seed * 7 % 40 - 20, seed * 11 % 50 - 25)
    pose = dict(x=x / 40, y=y / 40)
    request = style | size | dict(standing(**pose), by="all")
    here, there = (
        rgba(server.render("png", **each).body) for each in ({**style, **size, "animate": False}, dict(request, time=1))
    )
    moved = numpy.roll(here, (y, x), (0, 1))
    assert numpy.abs(there - moved).max() <= 1


def test_the_paint_turns_and_grows_with_its_glyph(server):
    """A glyph at twice its size is that of twice the scale; upside down it has the last colour first."""
    style = dict(text="H", font="DejaVu Sans", size=60, padding=120, lineHeight=1.25, cursor="none", **PAINT)
    scene = scene_of(server, {**style, "animate": False})
    glyph = scene["glyphs"][0]["rect"]
    center = (glyph["x"] + glyph["width"] / 2, glyph["y"] + glyph["height"] / 2)

    def posed(scale=1, **pose):
        return rgba(server.render("png", **style, **standing(**pose), time=1, scale=scale).body)

    def around_center(picture, scale, reach=60):
        x, y = (int(round(place * scale)) for place in center)
        return picture[y - reach : y + reach, x - reach : x + reach]

    grown, large = around_center(posed(scale=2, opacity=1), 2), around_center(posed(**{"scaleX": 2, "scaleY": 2}), 1)
    # Half pixels apart at most.
    assert numpy.abs(grown - large).mean() < 6
    upright, turned = around_center(posed(rotation=0), 1), around_center(posed(rotation=180), 1)
    assert numpy.abs(upright - turned[::-1, ::-1]).mean() < 6


# What comes at once leaves a palette its colours; what fades wants more of them than there are.
@pytest.mark.parametrize("effect, mean, block", [("typewriter", 2, 8), ("slide", 6, 32), ("fade", 6, 32)])
def test_a_fine_gif_of_paint_on_a_solid_ground_is_near_the_png(server, effect, mean, block):
    request = {**STYLE, **painted(effect), "background": SOLID, "size": 40, "cursor": "none", "levels": 255}
    shown, scene = by_giflib(answer(server, "gif", **request).body), scene_of(server, request)
    for start in sampled(shown.starts):
        time = instant_of(request, start, scene, shown.end)
        wanted, frame = (each[..., :3].astype(int) for each in (still(server, request, time), shown.at(start)))
        inked = (wanted != wanted[0, 0]).any(axis=2)
        if inked.any():
            assert numpy.abs(frame - wanted)[inked].mean() < mean, start
            assert worst_block(frame, wanted, 4) < block, start
