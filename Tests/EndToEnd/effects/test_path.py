"""Text on a path: letters lie as Chromium lays those of `<textPath>`, and every format shows them so while they move."""

import io
import json
import math

import numpy
import pytest
from PIL import Image

import fonts
from browser_motion import BACKGROUND, SIZE, faults_of_motion
from exact import wrong_frames
from frames import answer, by_pillow
from lottie_comparison import Comparison
from lottie_players import PLAYERS
from picture import ink, mean_difference, pixels, worst_block
from svg_renderers import RENDERERS

DATA = "M 20 300 C 120 60 320 60 420 300 S 720 540 900 300"
# Turned letters have more edges than upright ones of their size, which Chromium smooths in its own way.
COMMON = dict(size=1.6 * SIZE, padding=60, background="#%02x%02x%02x" % BACKGROUND)
# What moves in a group that is turned it draws upright, and turns the pixels.
LIMITS = dict(mean=15, block=36)
LOOP = dict(exit="auto", hold=0.2, loop="infinite", poster="start")

# What Chromium says of each character of a <textPath>: its start, its end, and its turn.
LAID = """([data, text, family, size]) => document.fonts.load(`${size}px ${family}`).then(() => {
    document.body.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000">
        <path id="p" d="${data}"/><text style="font: ${size}px ${family}; font-feature-settings: 'liga' 0;
            text-rendering: geometricPrecision"><textPath href="#p"></textPath></text></svg>`;
    const line = document.querySelector('textPath');
    line.textContent = text;
    return Array.from({length: line.getNumberOfChars()}, (_, n) => {
        const [start, end] = [line.getStartPositionOfChar(n), line.getEndPositionOfChar(n)];
        return [(start.x + end.x) / 2, (start.y + end.y) / 2, line.getRotationOfChar(n)];
    });
})"""
PATHS = {
    "curves": DATA,
    "relative": "m20 300c100-240 300-240 400 0s300 240 480 0",
    "quadratic": "M0,200Q200,-200 400,200T800,200,1200,200",
    "lines": "M0 0H300V200L900 500 h100",
    "arcs": "M0 400A300 200 20 0 1 600 400a200 100-30 10 500 100",
    "closed": "M100 100h700v300h-700z",
}


def middles(scene, time=0):
    """The middle of each glyph's advance on its baseline, and its turn, at a time."""
    for glyph in scene["glyphs"]:
        if glyph["role"] == "glyph":
            def moved(name):
                keyframes = glyph.get(name, [{"time": 0, "value": 0}])
                return numpy.interp(time, *([one[member] for one in keyframes] for member in ("time", "value")))

            rect, own = glyph["rect"], math.radians(glyph.get("turn", 0))
            right, below = moved("offsetX"), moved("offsetY")
            x = rect["x"] + rect["width"] / 2 + right * math.cos(own) - below * math.sin(own)
            y = rect["y"] + rect["height"] / 2 + right * math.sin(own) + below * math.cos(own)
            down = glyph["baseline"] - rect["y"] - rect["height"] / 2
            degrees = glyph.get("turn", 0) + moved("rotation")
            turn = math.radians(degrees)
            yield x - math.sin(turn) * down, y + math.cos(turn) * down, degrees


def signed(turn):
    return (turn + 180) % 360 - 180


@pytest.mark.parametrize("text", ["Along a path", "AVATAR Toffee", "שלום עולם", "e\u0301te\u0301"])
@pytest.mark.parametrize("name", PATHS)
def test_letters_lie_as_chromium_lays_them(server, page, name, text):  # noqa: F811
    scene = server.render(
        "json", text=text, path=PATHS[name], font="DejaVu Sans", size=40, fontFeatures="liga=0").json
    file = fonts.path("DejaVu Sans").as_uri()
    page.goto("about:blank")
    page.set_content(f"<style>@font-face{{font-family:Own;src:url('{file}')}}</style>")
    laid = page.evaluate(LAID, [PATHS[name], text, "'DejaVu Sans'", 40])
    glyphs = [glyph for glyph in scene["glyphs"] if glyph["role"] == "glyph"]
    theirs = [laid[glyph["range"]["start"]] for glyph in glyphs]
    ours = list(middles(scene))
    shift = [ours[0][axis] - theirs[0][axis] for axis in (0, 1)]
    for glyph, (x, y, turn), (their_x, their_y, their_turn) in zip(glyphs, ours, theirs):
        assert math.hypot(x - their_x - shift[0], y - their_y - shift[1]) < 1, glyph["text"]
        assert abs(signed(turn - their_turn)) < 1, glyph["text"]


CASES = {
    "an arc": dict(text="An arc of text", path="arc(150deg)", effect="rise"),
    "a smile": dict(text="A smile", path="arc(-120deg)", effect="slide", shadow="4px 6px #0008", outlineWidth=3),
    "a circle": dict(text="Round and round we go * ", path="circle", effect="typewriter", cursor="block"),
    "inside": dict(text="Inside", path="circle(300px)", pathSide="right", pathAlign="center", pathOffset=50,
                   effect="flip"),
    "a wave": dict(text="Waves roll on and on", path="wave(20px, 260px)", effect="wave"),
    "upright": dict(text="Upright", path="arc(180deg)", pathRotate=False, effect="pop"),
    "a gradient": dict(text="Gradient", path="arc(180deg)", color="linear-gradient(90deg, #cf222e, #0969da)",
                       effect="fade"),
    "a gradient around": dict(text="Wheel", path="arc(90deg)", color="conic-gradient(#cf222e, #0969da, #cf222e)",
                              effect="slide"),
    "a mask": dict(text="Masked", path="arc(160deg)", effect="rise", mask="item", outlineWidth=3),
    "a pen": dict(text="Pen", path="arc(120deg)", effect="draw"),
    "lines": dict(text="<u>under</u> <s>through</s> 👻<u>👻 </u>", markup=True, path="arc(160deg)", effect="slide"),
    "emoji": dict(text="Boo 👻 🎃!", path="arc(120deg)", effect="drop", shadow="3px 3px 4px #0008"),
    "decoys": dict(text="Scramble", path="arc(200deg)", effect="scramble", seed=3),
    "numbers": dict(text="1,204", path="arc(90deg)", effect="roll"),
    "light": dict(text="High light", path="arc(90deg)", effect="highlight", color="linear-gradient(red, blue)"),
    "Arabic": dict(text="مرحبا بالعالم", path=DATA, effect="slide"),
    "Hebrew": dict(text="שלום עולם", path="arc(90deg)", effect="typewriter", cursor="bar"),
    "Thai": dict(text="สวัสดีชาวโลก", path="arc(90deg)", effect="fade"),
    "round": dict(text="Round and round * ", path="circle", effect="custom", keyframes=[{"pathOffset": -100}],
                  duration=4, interval=0),
    "on its way": dict(text="On its <u>way</u>", markup=True, path=DATA, effect="custom", interval=0.2,
                       keyframes=[{"pathOffset": -40, "opacity": 0, "easing": "ease-out"}, {"offset": 0.5, "opacity": 1}]),
    "a change": dict(blocks=[dict(text="One arc", path="arc(90deg)"), dict(text="Another", path="arc(-60deg)")],
                     effect="morph", sequence="replace"),
    "a rewriting": dict(blocks=[dict(text="One arc of words", path="arc(90deg)"), dict(text="One <b>arc</b>", path="arc(-60deg)",
                                markup=True, color="#cf222e")], effect="rewrite", sequence="replace", interval=0.1),
    "beside a line": dict(blocks=[dict(text="Bent", path="arc(90deg)"), dict(text="straight")], effect="rise",
                          align="center"),
}  # fmt: skip


@pytest.mark.parametrize("way", [{}, LOOP], ids=["once", "looping"])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.slow
def test_chromium_shows_text_on_a_path(server, page, name, way):  # noqa: F811
    faults = list(faults_of_motion(server, page, {**COMMON, **CASES[name], **way}, **LIMITS))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("svg", ["compact", "portable"])
@pytest.mark.parametrize("name", CASES)
def test_other_renderers_show_it_at_rest(server, name, svg):
    request = {**COMMON, **CASES[name], "svg": svg}
    painted = pixels(server.render("png", **request).body)
    document = server.render("svg", **request).body
    for renderer, render in RENDERERS.items():
        if renderer == "CairoSVG" and ("shadow" in request or "conic" in request.get("color", "")):
            continue  # it draws sharp shadows over the letters, and patterns otherwise
        if renderer == "librsvg" and name == "emoji" and svg == "portable":
            continue  # nor does it draw the shadow of a picture that stands straight
        shown = pixels(render(document))
        assert shown.shape == painted.shape, renderer
        assert mean_difference(painted, shown, BACKGROUND) < 8, renderer
        assert worst_block(painted, shown) < 24, renderer


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", ["a smile", "a mask", "a gradient", "emoji", "a circle"])
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = {**COMMON, **CASES[name], **LOOP, "size": 32}
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


@pytest.mark.parametrize("name", ["an arc", "a mask"])
def test_a_gif_shows_it(server, name):
    request = {**COMMON, **CASES[name], "hold": 0.5}
    gif = Image.open(io.BytesIO(server.render("gif", **request).body))
    gif.seek(gif.n_frames - 1)
    shown = numpy.asarray(gif.convert("RGB")).astype(float)
    painted = pixels(server.render("png", **request).body)
    assert mean_difference(painted, shown, BACKGROUND) < 12 and worst_block(painted, shown) < 16


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("name", [name for name in CASES if "around" not in name])
def test_lottie_shows_it(server, name, player):
    faults = list(Comparison(server, {**COMMON, **CASES[name], "size": 40}).faults(player, glyphs=False))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("spacing", [0, 6, -0.5])
def test_a_circle_closes_without_a_seam(server, spacing):
    """Around the circle the distance of neighbours, the last and the first too, is what their advances say."""
    scene = server.render("json", text="Round and round * ", path="circle", letterSpacing=spacing, cursor="none").json
    glyphs, places = scene["glyphs"], list(middles(scene))
    turns = [turn for _, _, turn in places]
    steps = [(after - before) % 360 for before, after in zip(turns, turns[1:] + turns[:1])]
    assert sum(steps) == pytest.approx(360, abs=0.01)
    widths = [glyph["rect"]["width"] for glyph in glyphs]
    # The first letter and the last have no space outside, which the seam has.
    length = sum(widths) + spacing
    for number, step in enumerate(steps):
        after = (number + 1) % len(steps)
        distance = (widths[number] + widths[after]) / 2 + (0 if after else spacing)
        assert step == pytest.approx(distance * 360 / length, abs=0.05)
    # All baselines have one distance from one centre.
    x, y, turn = places[0]
    radius = length / (2 * math.pi)
    center = x - math.sin(math.radians(turn)) * radius, y + math.cos(math.radians(turn)) * radius
    for x, y, _ in places:
        assert math.hypot(x - center[0], y - center[1]) == pytest.approx(radius, abs=0.05)


def test_an_arc_is_as_long_as_its_text(server):
    for degrees in (-270, -90, 45, 180, 360):
        scene = server.render("json", text="A rainbow", path=f"arc({degrees}deg)", cursor="none").json
        turns = [turn for _, _, turn in middles(scene)]
        widths = [glyph["rect"]["width"] for glyph in scene["glyphs"]]
        share = (sum(widths) - (widths[0] + widths[-1]) / 2) / sum(widths)
        assert signed(turns[-1]) - signed(turns[0]) == pytest.approx(degrees * share, abs=0.05)
        assert turns[0] == pytest.approx(-degrees / 2 * (1 - widths[0] / sum(widths)), abs=0.05)


def test_a_wave_has_its_height_and_length(server):
    scene = server.render("json", text="i" * 200, path="wave(30px, 200px)", size=10).json
    xs, ys, _ = map(numpy.array, zip(*middles(scene)))
    assert (ys.max() - ys.min()) == pytest.approx(60, abs=1)
    expected = (ys.max() + ys.min()) / 2 - 30 * numpy.sin(2 * math.pi * (xs - xs[0] + 1.4) / 200)
    assert numpy.abs(ys - expected).max() < 2


@pytest.mark.parametrize("align, turns", [("start", (0, 0)), ("center", (0, 90)), ("end", (90, 90))])
def test_the_text_is_where_it_is_aligned(server, align, turns):
    places = [*middles(server.render("json", text="Here", path="M0 0H500V500", pathAlign=align).json)]
    assert (places[0][2], places[-1][2]) == turns


@pytest.mark.parametrize("path", [DATA, "circle(300px)", "wave(20px, 200px)", PATHS["closed"]])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_text_that_moves_along_its_path_lies_as_one_that_is_moved_on(server, path, side):
    request = dict(text="On the way", path=path, pathSide=side, pathAlign="center", size=30)
    keyframes = [{"pathOffset": -30}, {"offset": 0.75, "pathOffset": 10}, {}]
    moved = dict(effect="custom", keyframes=keyframes, duration=4, interval=0, easing="linear")
    moving = server.render("json", **request, **moved).json
    for time, offset in (0, -30), (1.5, -10), (3, 10), (3.5, 5), (4, 0):
        still = server.render("json", **request, effect="none", pathOffset=offset).json
        ours, theirs = list(middles(moving, time)), list(middles(still))
        # Canvases are as large as their texts need, so they begin elsewhere.
        shift = [ours[0][axis] - theirs[0][axis] for axis in (0, 1)]
        for (x, y, turn), (their_x, their_y, their_turn) in zip(ours, theirs):
            assert math.hypot(x - their_x - shift[0], y - their_y - shift[1]) < 0.7
            assert abs(signed(turn - their_turn)) < 3


def test_letters_on_a_circle_move_by_one_rule(server):
    still = dict(text="A text that goes round and round again * ", path="circle", loop="infinite", effect="custom",
                 interval=0, duration=8, easing="linear", keyframes=[{"pathOffset": -100}])  # fmt: skip
    # One for the turn, one for the offset, and that of the end.
    assert server.render("svg", **still).text.count("@keyframes") == 3


def test_keyframes_along_a_path_move_nothing_on_a_straight_line(server):
    request = dict(text="Straight", effect="custom")
    along, plain = [
        server.render("json", **request, keyframes=[{"opacity": 0, **more}]).json["glyphs"]
        for more in ({"pathOffset": 50}, {})
    ]
    assert along == plain


def test_fit_shrinks_the_text_to_its_path(server):
    request = dict(text="Much too long a text for so short a path", path="circle(200px)", size=60)
    refused = server.post("/render", request)
    assert (refused.status, refused.faults) == (400, ["path"]) and "must not be shorter than the text" in refused.text
    scene = server.render("json", **request, fit="shrink").json
    size = scene["blocks"][0]["lines"][0]["runs"][0]["size"]
    assert 12 <= size < 60
    length = sum(glyph["rect"]["width"] for glyph in scene["glyphs"])
    assert math.pi * 200 * 0.97 < length <= math.pi * 200 + 0.1
    # At the least size there is no room either.
    assert server.post("/render", {**request, "fit": "shrink", "minSize": 50}).status == 400


@pytest.mark.parametrize("path", ["arc(0deg)", "wave(0px, 100px)", "M-10000 0H10000"])
def test_a_straight_path_is_a_straight_line(server, path):
    straight, bent = (pixels(server.render("png", text="Straight", **more).body) for more in ({}, dict(path=path)))
    assert straight.shape == bent.shape and numpy.abs(straight - bent).max() < 40


def test_canvases_hold_the_text_with_its_shadow(server):
    for name, case in CASES.items():
        request = {**COMMON, **case, "animate": False, "background": "#ffffff"}
        small, large = (server.render("png", **{**request, "padding": padding}).body for padding in (0, 60))
        inks = [ink(pixels(png), (255, 255, 255)).sum() for png in (small, large)]
        assert abs(inks[0] - inks[1]) < 0.02 * inks[1], name


WRONG = {
    "arc()": "must have an angle from -360deg to 360deg",
    "arc(400deg)": "must have an angle from -360deg to 360deg",
    "arc(1e3)": "must have an angle",
    "arc(90deg, 2)": "must be",
    "circle(0px)": "must have a length from 1 to 4096 px",
    "circle(2em)": "must have a length from 1 to 4096 px",
    "wave()": "must be",
    "wave(3px)": "must be",
    "wave(3px, 1px)": "must have a length from 4 to 4096 px",
    "spiral": "must be \"none\", arc, arc(180deg), circle",
    "M": "a number at byte 1",
    "M 0 0": "without a length",
    "M0 0 L0 0z": "without a length",
    "M 0 0 L 1e300 0": "coordinates from -10000 to 10000",
    "M 0 0 L 1e999 0": "finite",
    "M 0 0 L nan 0": "a number at byte 8",
    "M 0 0 l 9000 0 9000 0": "coordinates from -10000 to 10000",
    "M 0 0 L 10 10 M 20 20 L 30 30": "only one M",
    "M 0 0 L 10 10 Z L 30 30": "nothing after Z",
    "M 0 0 A 10 10 0 2 0 5 5": "a flag, 0 or 1",
    "M 0 0 A 1e9 10 0 1 0 5 5": "radii of at most 100000 px",
    "M 0 0 A 1 15001 0 0 1 150 0": "radii of at most 100000 px",
    "M 0 0 X 10": "one of the commands",
    "M 0 0 L 10": "a number at byte 10",
    "M 0 0,": "a number at byte 6",
    "M 0 0" + " L 1 1" * 1000: "at most 4096 bytes",
}


@pytest.mark.parametrize("name, path", [("arc", "arc(90deg)"), ("Wave", "wave(12px, 240px)")])
def test_a_name_alone_is_the_usual_shape(server, name, path):
    short, full = (server.render("svg", text="Along", path=one) for one in (name, path))
    assert short.status == 200
    assert (short.headers["Content-Location"], short.body) == (full.headers["Content-Location"], full.body)


@pytest.mark.parametrize("path", WRONG)
def test_a_wrong_path_is_an_error_that_says_what_is_right(server, path):
    answered = server.post("/render", dict(text="x", path=path))
    assert (answered.status, answered.faults) == (400, ["path"])
    assert WRONG[path] in answered.json["errors"][0]["message"]


@pytest.mark.parametrize("more", [
    dict(text="two\nlines"), dict(mark="box"), dict(lineNumbers=True), dict(markup=True, text="<mark>marked</mark>"),
])  # fmt: skip
def test_what_does_not_go_with_a_path_is_an_error(server, more):
    answered = server.post("/render", {"text": "x", "path": "circle", **more})
    assert (answered.status, answered.faults) == (400, ["path"])
    assert "must not be given together with" in answered.json["errors"][0]["message"]


@pytest.mark.parametrize("path", [
    "M0 0" + "h.5" * 1300, "M0 0" + "a1 1 0 0 0 1 1" * 290, "M0 0C9e3 9e3-9e3 9e3 0 0" * 1, "M5 5c0 0 0 0 90 0",
    "M0 0C100 100 0 100 100 0", "M0 0 A1e-300 1 0 0 0 500 0", "M0 0a50 1e-7 3e38 1 1 900 0", "M0 0H1e4H-1e4H1e4",
])  # fmt: skip
def test_odd_paths_are_drawn(server, path):
    for more in ({}, dict(pathAlign="center"), dict(pathSide="right"), dict(pathRotate=False)):
        answered = server.post("/render", dict(text="odd", path=path, size=8, format="json", **more))
        assert answered.status == 200, answered.text
        assert all(math.isfinite(number) for place in middles(json.loads(answered.text)) for number in place)
