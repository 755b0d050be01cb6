"""The player of docs/api.md, taken from there, draws JSON with outlines as the PNG is drawn."""

import math
import re

import pytest
from browser_motion import BACKGROUND, differences, moving_instants
from check import track_of
from picture import pixels, screenshot
from reference import value_at
from service import REPOSITORY

[PLAYER] = re.findall(r"<!-- player -->\n```js\n(.*?)```", (REPOSITORY / "docs/api.md").read_text(), re.S)
[GRADIENTS] = re.findall(r"<!-- player gradients -->\n```js\n(.*?)```", (REPOSITORY / "docs/api.md").read_text(), re.S)
# With all gradients, as the page says.
WHOLE = GRADIENTS + re.sub(
    r"  const gradients = .*?\n.*?\n", "  const gradients = scene.gradients.map((gradient) => paintOf(gradient, scene, context));\n",
    PLAYER, count=1,
)  # fmt: skip
[WIPES] = re.findall(r"<!-- player wipes -->\n```js\n(.*?)```", (REPOSITORY / "docs/api.md").read_text(), re.S)
WIPING = WIPES + PLAYER.replace("box(clip)", "box(opened(clip, time))")
LEANING = [
    {"skewX": -40, "skewY": 25, "opacity": 0},
    {"offset": 0.5, "skewX": 30, "scaleX": 1.4, "rotation": 15, "opacity": 1},
    {},
]
COLORS = [{"color": "#ff000080", "y": 1}, {"offset": 0.5, "color": "#00f"}, {}]
# Two pixels, which become a gradient over the canvas.
SKY = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4z8AARAAI/gH/GcBr5wAAAABJRU5ErkJggg=="
AROUND = {"ellipses", "a wheel", "stripes"}
CASES = {
    "Latin": dict(text="Hello, Type", effect="slide", exit="auto"),
    "Arabic": dict(text="مرحبا بالعالم", effect="rise", exit="auto"),
    "Devanagari": dict(text="नमस्ते दुनिया", effect="fade"),
    "emoji": dict(text="Boo 👻👍🏽 🇫🇷", effect="pop"),
    "letter spacing": dict(text="Spaced", letterSpacing=12, effect="wave"),
    "markup": dict(text="<b>b</b> <u>under</u> <s>out</s> <span foreground='#c02020'>red</span>", markup=True,
                   effect="reveal"),
    "a mask": dict(text="Masked\nlines", effect="rise", mask="line"),
    "a blur": dict(text="Blurred 👻", effect="blur", exit="auto"),
    "a blur that scales": dict(text="Zooms", effect="zoom"),
    "a pen": dict(text="Drawn <u>u</u>", markup=True, effect="draw"),
    "colours": dict(text="Colour", effect="custom", duration=1, keyframes=COLORS),
    "leaning": dict(text="Leaning", effect="custom", duration=1, keyframes=LEANING),
    "a gradient": dict(text="Gradient\ntext", color="linear-gradient(to right, #cf222e, #8250df80 60%, #0969da)",
                       effect="flip"),
    "ellipses": dict(text="Ellipses", color="radial-gradient(red, blue)", background="radial-gradient(at 20px top, #fff, #eef)",
                     effect="rise"),
    "a wheel": dict(text="A wheel", color="conic-gradient(red, blue, red)", background="repeating-radial-gradient(circle 30px, "
                    "#fff 10%, #eef 30%, #fff 60%)", effect="flip"),
    "stripes": dict(text="Stripes", color="repeating-linear-gradient(30deg, #cf222e 5%, #0969da 15%, #cf222e 25%)",
                    background="repeating-conic-gradient(#fff, #eef 10%, #fff 20%)", effect="pop"),
    "shadows": dict(text="Shadow 👻", shadow="3px 4px 6px #000, 0 0 12px #f80", outlineWidth=3, outlineColor="#26c",
                    effect="slide"),
    "decoys": dict(text="Scramble", effect="scramble", seed=3),
    "a cursor": dict(text="Cursor", effect="typewriter", cursor="bar"),
    "overlays": dict(text="High light", effect="highlight", color="linear-gradient(red, blue)"),
    "a glitch": dict(text="Glitch\n👻", effect="glitch", distance=0.4, outlineWidth=3, outlineColor="#26c", shadow="3px 4px 6px #000"),
    "marks": dict(text="A <mark>hand</mark> <mark kind='circle'>draws</mark>", markup=True, mark="underline", effect="draw",
                  markColor="#cf222e80", exit="auto"),
    "marks behind and in front": dict(text="<mark>A hand</mark> <mark kind='circle' layer='behind'>draws</mark>", markup=True,
                                      mark="underline", markLayer="front", effect="none", exit="fade", markWidth=0.3),
    "a path": dict(text="On a path 👻", path="arc(150deg)", effect="rise", mask="item", shadow="3px 4px 0 #0008", outlineWidth=2,
                   color="linear-gradient(90deg, red, blue)"),
    "a cursor on a path": dict(text="Typed", path="arc(150deg)", effect="typewriter", cursor="bar"),
    "a card": dict(text="On a card", cardEffect="grow", borderWidth=6, cornerRadius=20, bar="left", exit="auto"),
    "a card that is drawn": dict(text="Drawn", cardEffect="draw", borderWidth=8, cardDuration=2, bar="bottom", exit="auto"),
    "a wiping card": dict(text="Wiped", cardEffect="wipe", borderWidth=6, cardDirection="left", cardDuration=2, exit="auto"),
    "a picture behind": dict(text="In front", backdrop="sky", backdropDim=0.3, pictures=dict(sky=SKY), width=300, height=200,
                             background="#ffffff60", card="fit", cornerRadius=9, effect="slide", exit="auto"),
    "blocks": dict(blocks=[dict(text="One"), dict(text="Another")], effect="morph", sequence="replace"),
    "a rewriting": dict(blocks=[dict(text="One word"), dict(text="Another\nword", color="#cf222e")], effect="rewrite",
                        sequence="replace", shadow="3px 4px 2px #0008"),
}
PAGE = "<!doctype html><style>body{margin:0}canvas{display:block}</style><canvas></canvas>"
LOAD = """async ([code, scene]) => {
    const {player} = await import(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
    const canvas = document.querySelector('canvas');
    [canvas.width, canvas.height] = [Math.ceil(scene.width), Math.ceil(scene.height)];
    window.draw = await player(scene, canvas.getContext('2d'));
}"""


@pytest.fixture(scope="module")
def page(chromium):
    context = chromium.new_context(device_scale_factor=1)
    yield context.new_page()
    context.close()


def is_nearly_sharp(scene, time):
    """Whether a glyph has a blur of less than 0.8 pixels, without which Chromium's canvas draws it."""
    return any(0 < value_at(track_of(glyph, "blur"), time) * value_at(track_of(glyph, "scale"), time) < 0.8
               for glyph in scene["glyphs"])


def test_it_is_short():
    assert len(PLAYER.splitlines()) <= 60 and max(map(len, PLAYER.splitlines())) <= 120


@pytest.mark.parametrize("name", CASES)
def test_it_draws_what_the_png_shows(server, page, name):
    request = dict(padding=40, size=48, background="#%02x%02x%02x" % BACKGROUND) | CASES[name]
    scene = server.render("json", **request, outlines=True).json
    page.set_viewport_size(dict(width=math.ceil(scene["width"]), height=math.ceil(scene["height"])))
    page.set_content(PAGE)
    page.evaluate(LOAD, [WHOLE if name in AROUND else WIPING if name == "a wiping card" else PLAYER, scene])
    times = [time for time, _ in moving_instants(scene, False)]
    assert len(times) >= 10
    for time in [*times, scene["finished"] + 0.001]:
        page.evaluate("time => draw(time)", time)
        painted = pixels(server.render("png", **request, time=time).body)
        found = list(differences(painted, pixels(screenshot(page)), BACKGROUND))
        if is_nearly_sharp(scene, time):
            found = [difference for difference in found if "in the mean" not in difference]
        assert not found, time


def test_shapes_are_there_only_if_they_are_asked_for(server):
    plain, drawn = (server.render("json", text="aba 👻", cursor="none", outlines=outlines).json for outlines in (False, True))
    assert "outlines" not in plain and "unit" not in plain["glyphs"][0]
    assert [glyph.get("outline") for glyph in drawn["glyphs"]] == [0, 1, 0, None, None]
    assert len(drawn["outlines"]) == 2 and len(drawn["images"]) == 1
    assert drawn["glyphs"][4]["images"][0]["image"] == 0
