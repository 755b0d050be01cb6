"""Gradients, outlines, shadows and cards in an SVG: other renderers and Chromium show what the PNG draws."""

import pytest

from browser_motion import BACKGROUND, COMMON, FRAMES, WAYS, faults_of_motion
from picture import ink, mean_difference, pixels, screenshot, worst_block
from random_requests import EFFECTS, NUMBERS
from service import query
from svg_renderers import RENDERERS

SLOPING = "linear-gradient(100deg, #c02020, #2040ff80 60%, #108040)"
DOWN = "linear-gradient(#ff0000, #0000ff)"


# Other renderers


STILL = dict(
    text="Paint <u>lines</u>\n<span foreground='#c02020'>red</span> <span size='20pt'>small</span> jq",
    markup=True,
    padding=24,
    size=48,
)
PAINTS = {
    "sloping": dict(color=SLOPING),
    "down": dict(color=DOWN),
    "down each line": dict(color=DOWN, gradientBox="line"),
    "to a corner of each glyph": dict(color="linear-gradient(to top left, #f00, #0f0 30%, #00f)", gradientBox="glyph"),
    "an abrupt one": dict(color="linear-gradient(90deg, #f00 20%, #00f 20%, #080 110%)"),
    "outline": dict(outlineWidth=4, outlineColor="#08f"),
    "outline of a gradient": dict(color=SLOPING, outlineWidth=3, outlineColor="#000"),
    "card": dict(background="linear-gradient(to top right, #ffffff, #0088ff)", cornerRadius=20, borderWidth=6),
    "pale border": dict(background="#ffe0c0", cornerRadius=30, borderWidth=10, borderColor="#08f8"),
    "border wider than its corner": dict(background="#ffe0c0", cornerRadius=3, borderWidth=12, borderColor="#08f"),
    "all of it": dict(
        color=DOWN, outlineWidth=2, outlineColor="#fff", background=SLOPING, cornerRadius=12, borderWidth=3
    ),
}
# In units of the outlines, in those of glyphs about pivots, with a pen along contours.
KINDS = {"typewriter": {}, "flip": {}, "draw": {}, "none": dict(animate=False)}


@pytest.mark.parametrize("effect", KINDS)
@pytest.mark.parametrize("name", PAINTS)
def test_other_renderers_show_the_finished_paint(server, name, effect):
    request = {**STILL, "font": "DejaVu Sans", **PAINTS[name], "effect": effect, **KINDS[effect]}
    painted = pixels(server.render("png", **request).body)
    svg = server.render("svg", **request).body
    for renderer, render in RENDERERS.items():
        shown = pixels(render(svg))
        assert shown.shape == painted.shape, renderer
        assert mean_difference(painted, shown, (255, 255, 255)) < 6, renderer
        assert worst_block(painted, shown) < 16, renderer


@pytest.mark.parametrize("renderer", ["librsvg", "resvg"])
@pytest.mark.parametrize("shadow", ["4px 6px 8px #0008", "4px 6px #c00c", "0 0 12px #08f, -3px 3px 2px #0a0"])
@pytest.mark.parametrize("outline", [0, 3])
def test_renderers_that_know_filters_show_shadows(server, renderer, shadow, outline):
    request = {**STILL, "text": "Boo 👻 <u>lines</u>", "effect": "slide", "shadow": shadow, "outlineWidth": outline}
    painted = pixels(server.render("png", **request).body)
    shown = pixels(RENDERERS[renderer](server.render("svg", **request).body))
    assert mean_difference(painted, shown, (255, 255, 255)) < 6
    assert worst_block(painted, shown) < 16


# Chromium

PAINTED = dict(
    COMMON,
    color=SLOPING,
    outlineWidth=2,
    outlineColor="#fff",
    shadow="3px 4px 6px #0008, -3px -2px #0080ff60",
)
LOOPS = {name: way for name, way in WAYS.items() if "loop" in way}
OWN = {"custom": dict(keyframes=FRAMES, easing="spring(0.4)"), "highlight": dict(color="#2040ff"), **NUMBERS}


@pytest.mark.slow
@pytest.mark.parametrize("way", LOOPS)
@pytest.mark.parametrize("effect", sorted({*EFFECTS, "custom"}))
def test_chromium_shows_paint_in_loops(server, page, effect, way):  # noqa: F811
    faults = list(faults_of_motion(server, page, {**PAINTED, "effect": effect, **OWN.get(effect, {}), **LOOPS[way]}))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("box", ["block", "line", "glyph"])
@pytest.mark.parametrize("effect", ["flip", "draw", "secret", "rise"])
def test_chromium_shows_the_gradients_of_boxes(server, page, effect, box, way):  # noqa: F811
    request = {**COMMON, "color": SLOPING, "gradientBox": box, "effect": effect, **WAYS[way]}
    faults = list(faults_of_motion(server, page, request))
    assert not faults, "\n".join(faults)


DARK = dict(
    color="linear-gradient(45deg, #ffffff, #ff8080)",
    outlineColor="#400000",
    shadow="-4px 5px 4px #ff0000a0",
    background="linear-gradient(90deg, #102030, #302010)",
    borderColor="#00ff00",
)
LIGHT = dict(
    color="#202020",
    outlineColor="#ffffff",
    shadow="2px 2px 4px #0008, 0 0 12px #00f8",
    background="linear-gradient(#ffe0c0, #c0e0ff)",
    borderColor="#0000ff",
)


def in_the_dark(paint):
    return {"dark" + name[0].upper() + name[1:]: value for name, value in paint.items()}


PLAIN = {**LIGHT, "color": "#ff8040", "background": "#203040", "outlineColor": "#000000"}
SCHEMES = {
    "plain to gradient": (LIGHT, DARK),
    "gradient to plain": (DARK, LIGHT),
    "plain to plain": ({**LIGHT, "background": "#ffe0c0"}, PLAIN),
}


@pytest.mark.slow
@pytest.mark.parametrize("light, dark", SCHEMES.values(), ids=SCHEMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("effect", ["slide", "flip", "draw", "typewriter"])
def test_a_dark_scheme_has_its_own_paint(server, page, effect, scheme, light, dark):  # noqa: F811
    # The automatic canvas would have room for the shadows of both schemes.
    shape = {**COMMON, "effect": effect, "exit": "auto", "width": 380, "height": 240, "cursor": "bar"}
    shape |= dict(outlineWidth=3, cornerRadius=16, borderWidth=4)
    page.emulate_media(color_scheme=scheme)
    shown = {**shape, **light, **in_the_dark(dark)}
    faults = list(faults_of_motion(server, page, shown, dark if scheme == "dark" else light))
    assert not faults, "\n".join(faults)


def test_paint_is_gone_with_its_glyph(server, page):  # noqa: F811
    """At the end of an exit nothing shows, no outline and no shadow."""
    request = {**PAINTED, "effect": "fade", "exit": "auto"}
    scene = server.render("json", **request).json
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
    page.goto(f"{server.url}/render.svg?{query(request)}")
    page.evaluate("for (const animation of window.animations) animation.currentTime = 1e6")
    assert ink(pixels(screenshot(page)), BACKGROUND).max() == 0
