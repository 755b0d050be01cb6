"""What Chromium shows of an SVG is what the JSON says and the PNG draws."""

import pytest

from browser_motion import (
    BACKGROUND, BENT, CLEAR, COMMON, DRAWN, FRAMES, LEANING, SEEK, SIZE, WAYS, faults_of_motion, keyframe_instants,
)
from check import R, track_of
from picture import ink, mean_difference, pixels, screenshot, sum_within, worst_block
from service import query

TEXTS = {
    "two lines": dict(text="Who you gonna call?\nThe ghosts, of course."),
    "right to left": dict(text="שלום עולם יפה\nمرحبا بالعالم"),
    "emoji": dict(text="Boo 👻 and 🎃 🙂 too"),
    "ligature": dict(text="office fflach first"),
    "combining marks": dict(text="e\u0301te\u0301 n\u0303u a\u0308o\u0308\u0304 q\u0323\u0307"),
    "markup": dict(
        text="<b>bold</b> <span foreground='#c02020'>red</span> <u>under line</u> <span size='40pt'>big</span>",
        markup=True,
    ),
}
EFFECTS = {
    "typewriter": dict(),
    "reveal": dict(),
    "birdman": dict(seed=3),
    "fade": dict(seed=4),
    "slide": dict(direction="left", interval=0.08),
    "none": dict(delay=0.5),
    "reveal by word": dict(effect="reveal", by="word", interval=0.4),
}
SHARES = (0.07, 0.26, 0.48, 0.71, 0.93)  # of the time until the text stands


def instants(scene):
    """Five instants in which things move, off every keyframe."""
    keyframes = sorted(
        {
            key["time"]
            for glyph in scene["glyphs"]
            for name in ("opacity", "offsetX", "offsetY")
            for key in glyph.get(name, [])
        }
    )
    for share in SHARES:
        time = share * (scene["blocks"][-1]["enterEnd"] or scene["duration"])
        while any(abs(time - keyframe) < CLEAR for keyframe in keyframes):
            time += CLEAR / 2
        yield round(time, 4)


def touch(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def alone(boxes):
    """Each box with a pixel around it for overhang, or None where that meets another's."""
    grown = [(box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1) for box in boxes]
    return [
        None if any(touch(box, other) for n, other in enumerate(boxes) if n != number) else box
        for number, box in enumerate(grown)
    ]


def of_glyphs(drawn, glyphs):
    """The JSON glyph that each drawn element belongs to: shapes in reading order, lines by the box that they span."""
    shown = iter([glyph for glyph in glyphs if not glyph["whitespace"] and glyph["rect"]["width"] > 0])

    def underlined(line):
        left, _, right, _ = line["box"]
        return min(
            glyphs,
            key=lambda glyph: abs(glyph["rect"]["x"] - left) + abs(glyph["rect"]["x"] + glyph["rect"]["width"] - right),
        )

    found = [next(shown) if element["isGlyph"] else underlined(element) for element in drawn]
    assert next(shown, None) is None, "a glyph is not drawn"
    return found


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("name", TEXTS)
def test_chromium_shows_the_scene(server, page, name, effect):
    request = {
        "font": "DejaVu Sans",
        "cursor": "none",
        **TEXTS[name],
        "effect": effect,
        **EFFECTS[effect],
        "padding": 40,
        "size": SIZE,
        "background": "#%02x%02x%02x" % BACKGROUND,
    }
    scene = server.render("json", **request).json
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
    page.goto(f"{server.url}/render.svg?{query(request)}")
    page.evaluate(SEEK, 1e6)
    at_rest, finished = page.evaluate(DRAWN), ink(pixels(screenshot(page)), BACKGROUND)
    glyphs = of_glyphs(at_rest, scene["glyphs"])
    rest_boxes = alone([element["box"] for element in at_rest])
    faults, compared = [], set()
    for time in instants(scene):
        page.evaluate(SEEK, time)
        drawn, shown = page.evaluate(DRAWN), pixels(screenshot(page))
        opacities = [R.value_at(track_of(glyph, "opacity"), time) for glyph in glyphs]
        boxes = alone([element["box"] for element in drawn])
        for number, (element, opacity, box, rest) in enumerate(zip(drawn, opacities, boxes, rest_boxes)):
            if abs(element["opacity"] - opacity) > 0.01:
                faults.append(f"{time}: opacity of {glyphs[number]['text']!r} is {element['opacity']}, not {opacity}")
            moved = [element["box"][side] - at_rest[number]["box"][side] for side in (0, 1)]
            offset = [R.value_at(track_of(glyphs[number], name), time) for name in ("offsetX", "offsetY")]
            if max(abs(have - want) for have, want in zip(moved, offset)) > 0.05:
                faults.append(f"{time}: {glyphs[number]['text']!r} is moved by {moved}, not {offset}")
            if box and rest:
                compared.add(number)
                share = sum_within(ink(shown, BACKGROUND), box) / sum_within(finished, rest)
                if abs(share - opacity) > 0.02:
                    faults.append(f"{time}: {glyphs[number]['text']!r} has {share:.3f} of its ink, not {opacity:.3f}")
        painted = pixels(server.render("png", **request, time=time).body)
        assert painted.shape == shown.shape
        if (difference := mean_difference(painted, shown, BACKGROUND)) >= 12:
            faults.append(f"{time}: PNG and Chromium differ by {difference:.1f} in the mean")
        if (difference := worst_block(painted, shown)) > 28:
            faults.append(f"{time}: PNG and Chromium differ by {difference:.1f} in a block")
    assert not faults, "\n".join(faults)
    assert len(compared) >= len(at_rest) / 3, "too few glyphs stand alone for the comparison of ink to mean anything"


MOTIONS = {
    "rise": dict(effect="rise"),
    "rise by letter": dict(effect="rise", by="glyph", mask="item", interval=0.03),
    "slide behind lines": dict(effect="slide", mask="line", direction="left", distance=2),
    "blur of 1 px": dict(effect="blur", radius=0.02),
    "blur of 4 px": dict(effect="blur", radius=0.08),
    "blur of 16 px": dict(effect="blur", radius=0.32, by="word"),
    "zoom": dict(effect="zoom"),
    "flip": dict(effect="flip"),
    "tracking": dict(effect="tracking"),
    "highlight": dict(effect="highlight"),
    "pale highlight": dict(effect="highlight", color="#20408080"),
    "springing colour": dict(effect="custom", duration=1, easing="spring(0.5)", keyframes=[{"color": "#3060ff80"}]),
    "draw": dict(effect="draw"),
    "pale draw": dict(effect="draw", color="#20408080", strokeWidth=0.1, interval=0.03),
    "springs": dict(effect="custom", keyframes=FRAMES, easing="spring(0.4)"),
    "steps": dict(effect="custom", keyframes=FRAMES, easing="steps(4)"),
    "bounce": dict(effect="custom", keyframes=FRAMES, easing="bounce"),
    "all at their own times": dict(effect="custom", keyframes=BENT, duration=1),
    "skewed": dict(effect="custom", keyframes=[{"opacity": 0, "skewX": -40}], easing="spring(0.5)", duration=1),
    "skewed and moved": dict(effect="custom", keyframes=[{"opacity": 0, "skewX": -40, "x": -1, "y": 0.5}]),
    "skewed from side to side": dict(
        effect="custom", keyframes=[{"skewX": -60}, {"offset": 0.5, "skewX": 60}], easing="back-out", duration=1
    ),
    "skewed both ways": dict(effect="custom", keyframes=LEANING, duration=1),
    "floating": dict(effect="fade", emphasis="float", emphasisDuration=0.8, emphasisInterval=0.1, hold=1.9),
    "pulsing": dict(effect="slide", emphasis="pulse", emphasisInterval=0.2, hold=2),
    "swinging": dict(effect="none", emphasis="swing", emphasisInterval=0.2, hold=2.6),
}
# With glyphs that the finished text does not show.
MOTIONS_WITH_HIDDEN = {
    "glitching": dict(effect="fade", emphasis="glitch", emphasisInterval=0.2, hold=2, outlineWidth=2, shadow="2px 2px 4px #0008"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [*MOTIONS, *MOTIONS_WITH_HIDDEN])
def test_chromium_shows_every_property(server, page, name, way):
    faults = list(faults_of_motion(server, page, {**COMMON, **(MOTIONS | MOTIONS_WITH_HIDDEN)[name], **WAYS[way]}))
    assert not faults, "\n".join(faults)


JUMPS = {
    "a cursor that jumps twice": dict(text="ab", cursor="bar"),
    "a cursor on two lines": dict(text="a\nb", cursor="bar", effect="birdman"),
    "a cursor in another order": dict(text="hello", cursor="bar", effect="pop", order="edges"),
    "a glyph that is never seen": dict(text="ab", effect="drop", duration=0, hold=0, exit="scramble"),
    "a text that is never seen": dict(text="Hi", effect="none", delay=1, hold=0, exit="auto"),
}


@pytest.mark.parametrize("loop", [1, 2])
@pytest.mark.parametrize("name", JUMPS)
def test_chromium_jumps_when_the_scene_does(server, page, name, loop):
    request = {**JUMPS[name], "size": 48, "background": COMMON["background"], "loop": loop}
    scene = server.render("json", **request).json
    ends = sorted({0, scene["duration"], *keyframe_instants(scene)})
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
    page.goto(f"{server.url}/render.svg?{query(request)}")
    for start, end in zip(ends, ends[1:]):
        time = round((start + end) / 2, 4)
        page.evaluate(SEEK, time)
        painted = pixels(server.render("png", **request, time=time).body)
        assert worst_block(painted, pixels(screenshot(page))) <= 28, time


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["highlight", "springing colour", "draw"])
def test_dark_colours_win_while_colours_change(server, page, name, way):
    request = {**COMMON, **MOTIONS[name], **WAYS[way], "color": "#24292f", "darkColor": "#e06c7580"}
    page.emulate_media(color_scheme="dark")
    faults = list(faults_of_motion(server, page, request, {"color": "#e06c7580"}))
    assert not faults, "\n".join(faults)


AT_REST = """() => [...document.querySelectorAll('svg>g, svg>g *')].flatMap(element => {
    const {filter, clipPath, translate, scale, rotate, strokeOpacity, opacity} = getComputedStyle(element);
    const isPlain = [filter, clipPath, translate, scale, rotate].every(value => value === 'none') && opacity === '1';
    return isPlain && (strokeOpacity === '0' || strokeOpacity === '1') ? [] : [element.outerHTML];
})"""


@pytest.mark.parametrize("name", MOTIONS)
def test_nothing_is_left_on_finished_text(server, page, name):
    page.goto(f"{server.url}/render.svg?{query({**COMMON, **MOTIONS[name]})}")
    page.evaluate("for (const animation of window.animations) animation.finish()")
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate(AT_REST) == []
