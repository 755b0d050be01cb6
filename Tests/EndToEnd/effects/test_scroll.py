"""Texts that run through the canvas, from empty to empty, in browsers as in pictures."""

import itertools

import numpy
import pytest

from browser_cases import faults_of_cycle
from exact import wrong_frames
from frames import answer, by_pillow, psnr
from picture import pixels

RUNS = dict(
    text="Ghosts have been\nseen in the library", font="DejaVu Sans", size=24, width=300, height=90, background="#ffffff",
    effect="scroll", rate=150, exit="auto", hold=0, poster="start",
)  # fmt: skip
DIRECTIONS = ["up", "down", "left", "right", "start"]
HEBREW = "שלום עולם, שלום לכולם"
ROLES = [dict(text="Director\nEditor\nMusic"), dict(text="Ada Lovelace\nMary Shelley\nClara Schumann", weight=700)]
ROW = dict(text=None, flow="row", align="center", spacing=20, sequence="together")
CASES = {
    **{direction: dict(direction=direction) for direction in DIRECTIONS},
    "stands between": dict(hold=0.5, delay=0.2),
    "in a loop": dict(loop="infinite", hold=0.2),
    "back to its beginning": dict(loop="infinite", exit="between", hold=0.2),
    "higher than the canvas": dict(height=30, valign="middle"),
    "wider than the canvas": dict(direction="left", width=120, wrap="none"),
    "from right to left": dict(text=HEBREW, direction="start", width=150, wrap="none"),
    "roles and names": dict(ROW, blocks=ROLES, width=400),
    "a line of two texts": dict(ROW, blocks=[dict(text="News:"), dict(text="ghosts in it", size=40)], direction="left", wrap="none"),
    "in a queue": dict(text=None, blocks=[dict(text="one"), dict(text="two", direction="left")]),
    "by turns": dict(text=None, sequence="replace", blocks=[dict(text="one"), dict(text="two", size=40)], loop="infinite"),
    "on a path": dict(text="around and around", path="arc(120deg)", width=None, height=None),
    "shadows and outlines": dict(outlineWidth=3, outlineColor="#cf222e", shadow="6px 30px 4px #0008, -6px -20px 0 #00f"),
    "markup and pictures": dict(text="Ghosts 👻 <u>seen</u>\n<span foreground='#cf222e'>in</span> it", markup=True, size=32),
    "a gradient that moves": dict(color="linear-gradient(90deg, #cf222e, #0969da)", paintMotion="pan", paintDuration=2),
    "that fits": dict(text="as large as the canvas", fit="fill", direction="down"),
    "with an emphasis": dict(emphasis="pulse", hold=1),
    "beside what grows": dict(
        text=None, width=None, height=None, sequence="together",
        blocks=[dict(text="Boo!", effect="pulse", toScale=1.5, duration=0.4), dict(text="Boo! Who?")],
    ),
}  # fmt: skip
CASES = {name: {key: value for key, value in {**RUNS, **case}.items() if value is not None} for name, case in CASES.items()}
TOGETHER = ["roles and names", "a line of two texts"]


def scene_of(server, request):
    return server.render("json", **request).json


def picture_at(server, request, time):
    return pixels(server.render("png", **request, time=time).body)


def is_empty(picture):
    # The blur of a shadow ends a little beyond its radius.
    return numpy.abs(picture - picture[0, 0]).max() <= 2


def codes(scene):
    return [warning["code"] for warning in scene["warnings"]]


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("beside what grows", "back to its beginning")])
def test_it_enters_an_empty_canvas_and_leaves_it_empty(server, name):
    request = CASES[name]
    scene = scene_of(server, request)
    assert codes(scene) == []
    start, end = request.get("delay", 0), scene["duration"]
    assert is_empty(picture_at(server, request, start)) and is_empty(picture_at(server, request, round(end - 2e-4, 4)))
    # It comes at once, goes at last, and is the typeset text when it has arrived.
    soon = 0.25 * min(scene["width"], scene["height"]) / request["rate"]
    assert not is_empty(picture_at(server, request, round(start + 4 * soon, 4)))
    arrived = scene["blocks"][-1]["enterEnd"]
    still = pixels(server.render("png", **request, animate=False).body)
    if request.get("sequence") != "replace" and "paintMotion" not in request and "emphasis" not in request:
        assert numpy.abs(picture_at(server, request, arrived) - still).max() <= 1


@pytest.mark.parametrize("name", TOGETHER)
def test_texts_that_run_together_keep_their_distances(server, name):
    for more in ({}, dict(height=40), dict(shadow="0 -60px 9px #000"), dict(padding=0, lineHeight=0.5)):
        for direction in DIRECTIONS:
            scene = scene_of(server, {**CASES[name], **more, "direction": direction})
            key = "offsetY" if direction in ("up", "down") else "offsetX"
            ways = {tuple((one["time"], one["value"]) for one in glyph[key][:2]) for glyph in scene["glyphs"]}
            assert len(ways) == 1
            assert len({block["exitStart"] for block in scene["blocks"]}) == 1


def test_all_of_it_runs_so_many_pixels_a_second(server):
    scene = scene_of(server, RUNS)
    block = scene["blocks"][0]
    for glyph in scene["glyphs"]:
        (start, below), (arrived, rest), (end, above) = ((one["time"], one["value"]) for one in glyph["offsetY"])
        assert (start, below, rest) == (0, 90, 0) and arrived == pytest.approx(90 / 150, abs=1e-4)
        assert above == -(-(block["rect"]["y"] + block["rect"]["height"]) // 1) * -1
        assert end - arrived == pytest.approx(-above / 150, abs=2e-4)


@pytest.mark.parametrize("name", CASES)
def test_every_browser_shows_it_where_the_png_has_it(server, browser, name):
    # An SVG says how far things move to a tenth of a pixel, by which all edges differ here.
    faults = [*faults_of_cycle(server, browser, CASES[name], mean=25)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", CASES)
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = CASES[name]
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


@pytest.mark.parametrize("name", ["up", "in a loop", "roles and names", "from right to left"])
def test_frames_of_a_gif_are_the_stills(server, name):
    film = by_pillow(server.render("gif", **CASES[name], fps=25).body)
    for number in range(0, len(film.frames), 5):
        painted = picture_at(server, CASES[name], film.starts[number] / 1000)
        assert psnr(film.frames[number][..., :3], painted[..., :3]) > 40, film.starts[number]


def test_start_is_where_the_first_text_begins(server):
    for texts, end in (([HEBREW, "and more"], 1), (["News:", HEBREW], -1)):
        request = dict(RUNS, **ROW, blocks=[dict(text=text) for text in texts], direction="start", width=600)
        request.pop("text")
        scene = scene_of(server, request)
        assert {numpy.sign(glyph["offsetX"][-1]["value"]) for glyph in scene["glyphs"]} == {end}


def test_what_runs_through_is_not_clipped_but_the_rest_is(server):
    high = dict(RUNS, height=30)
    assert codes(scene_of(server, high)) == [] and codes(scene_of(server, dict(high, animate=False))) == ["clipped"]
    wide = dict(RUNS, width=100, wrap="none")
    (warning,) = scene_of(server, dict(wide, height=30))["warnings"]
    assert warning["message"] == "the text is larger than the given width", warning
    assert codes(scene_of(server, dict(wide, direction="left"))) == []
    # A canvas that the text decides stays as it is.
    free = {key: value for key, value in RUNS.items() if key not in ("width", "height")}
    sizes = [[scene_of(server, request)[side] for side in ("width", "height")] for request in (free, dict(free, animate=False))]
    assert sizes[0] == sizes[1]


def test_lines_that_run_to_a_side_do_not_wrap_by_themselves(server):
    request = dict(text="a line of words " * 12, effect="scroll")
    lines = {
        direction: len(scene_of(server, dict(request, direction=direction))["blocks"][0]["lines"]) for direction in DIRECTIONS
    }
    assert lines["up"] == lines["down"] > 1 and lines["left"] == lines["right"] == lines["start"] == 1


def test_marks_and_cursors_stand(server):
    scene = scene_of(server, dict(RUNS, mark="underline", cursor="bar", hold=2))
    assert not any("offsetY" in glyph for glyph in scene["glyphs"] if glyph["role"] in ("mark", "cursor"))
    # The mark is drawn once the text stands.
    (mark, *_) = (glyph for glyph in scene["glyphs"] if glyph["role"] == "mark")
    assert mark["draw"][0]["time"] >= scene["glyphs"][0]["offsetY"][1]["time"]


def test_a_line_moves_as_one_in_an_svg(server):
    for request in (RUNS, CASES["in a loop"]):
        svg = server.render("svg", **request).text
        assert svg.count("@keyframes") <= 6


def test_bad_input_is_refused(server):
    faults = [
        (dict(direction="inwards"), "direction"), (dict(rate=0), "rate"), (dict(rate=5000), "rate"),
        (dict(emphasis="scroll"), "emphasis"), (dict(marqueeGap=1), "marqueeGap"), (dict(by="line"), "by"),
    ]  # fmt: skip
    for fault, name in faults:
        refused = server.post("/render", {**RUNS, **fault})
        assert refused.status == 400 and refused.faults == [name], (fault, refused.text)
    refused = server.post("/render", dict(RUNS, rate=1))
    assert refused.status == 422 and "one cycle would take" in refused.text


LOOKS = ["credits", "crawl", "ticker", "flap"]
TEXTS = {
    "one": ["Ghosts have been seen in the library"],
    "two": ["Director\nEditor", "Ada Lovelace\nMary Shelley"],
    "Arabic": ["النص الذي يظهر حرفا بعد حرف"],
    "Japanese": ["春眠暁を覚えず、処処啼鳥を聞く"],
}


@pytest.mark.parametrize("look, text", itertools.product(LOOKS, TEXTS))
def test_a_look_of_running_text_takes_any(server, look, text):
    request = dict(preset=look, **(dict(text=TEXTS[text][0]) if len(TEXTS[text]) == 1 else {}))
    if len(TEXTS[text]) > 1:
        request["blocks"] = [dict(text=one) for one in TEXTS[text]]
    scene = scene_of(server, request)
    assert codes(scene) == [] and scene["width"] <= 831
    if look in ("credits", "crawl"):
        assert is_empty(pixels(server.render("png", **request, time=0).body)[30:-30, 30:-30])


def test_roles_stand_beside_their_names(server):
    roles, names = scene_of(server, dict(preset="credits", blocks=[dict(text=block["text"]) for block in ROLES]))["blocks"]
    for role, name in zip(roles["lines"], names["lines"], strict=True):
        assert role["rect"]["y"] == pytest.approx(name["rect"]["y"], abs=0.01)
        assert name["rect"]["x"] - role["rect"]["x"] - role["rect"]["width"] == pytest.approx(32, abs=0.01)
