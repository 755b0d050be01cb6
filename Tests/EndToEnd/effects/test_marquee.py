"""Lines that are longer than the canvas run through it, in browsers as in pictures, and without a seam."""

import gzip

import numpy
import pytest

from browser_cases import faults_of_cycle
from frames import by_pillow, psnr
from picture import pixels

NEWS = "Ghosts have been seen in the library"
RUNS = dict(
    text=NEWS, font="DejaVu Sans", size=40, width=260, wrap="none", background="#ffffff", effect="marquee", rate=200,
    poster="start",
)  # fmt: skip
# A text for which the canvas grows.
GROWS = dict(text="Boo!", effect="pulse", toScale=1.5, duration=0.4)
CASES = {
    "once": RUNS,
    "in a loop": dict(RUNS, loop="infinite", hold=0),
    "with a pause": dict(RUNS, loop="infinite", hold=1.5),
    "as an emphasis": dict(
        RUNS, effect="rise", rate=None, emphasis="marquee", emphasisRate=300, emphasisInterval=0.5, hold=8, exit="auto",
    ),
    "an emphasis in a loop": dict(RUNS, effect="fade", rate=None, emphasis="marquee", loop="infinite", hold=0, seed=4),
    "from right to left": dict(RUNS, text="שלום עולם, שלום לכולם", loop="infinite"),
    "lines of several lengths": dict(RUNS, text=f"{NEWS}.\nBoo!\nNobody has been afraid", loop=2),
    "shadows and outlines": dict(
        RUNS, outlineWidth=3, outlineColor="#cf222e", shadow="6px 6px 4px #0008", marqueeGap=0, loop="infinite",
    ),
    "a gradient": dict(RUNS, color="linear-gradient(90deg, #cf222e, #0969da)", loop="infinite", hold=0.5),
    "a gradient that moves": dict(
        RUNS, color="linear-gradient(90deg, #cf222e, #0969da)", paintMotion="pan", paintDuration=2, loop="infinite",
        hold=0.5,
    ),
    "pictures and lines": dict(
        RUNS, text="Ghosts 👻 have <u>been seen</u> <i>in</i> it", markup=True, size=48, loop="infinite",
    ),
    "by turns": dict(
        RUNS, text=None, sequence="replace", hold=0.3, loop="infinite",
        blocks=[dict(text=NEWS), dict(text="stands"), dict(text="goes on and on and on", color="#0969da")],
    ),
    "beside what grows": dict(
        RUNS, text=None, width=None, loop=2, blocks=[GROWS, dict(text="Boo! Who?", marqueeGap=0)],
    ),
}  # fmt: skip
CASES = {name: {key: value for key, value in case.items() if value is not None} for name, case in CASES.items()}


def scene_of(server, request):
    return server.render("json", **request).json


def picture_at(server, request, time):
    return pixels(server.render("png", **request, time=time).body)


def codes(scene):
    return [warning["code"] for warning in scene["warnings"]]


@pytest.mark.parametrize("name", CASES)
def test_every_browser_shows_lines_where_the_png_has_them(server, browser, name):
    # An SVG says how far things move to a tenth of a pixel, by which all upright edges differ here.
    faults = [*faults_of_cycle(server, browser, CASES[name], mean=20)]
    assert not faults, "\n".join(faults)


def runs_of(scene):
    """The start and the end of each run of the first line that runs."""
    moves = next(glyph["offsetX"] for glyph in scene["glyphs"] if glyph["role"] == "slice")
    pairs = zip(moves, moves[1:])
    return [(one["time"], other["time"]) for one, other in pairs if one["value"] == 0 != other["value"]]


@pytest.mark.parametrize("name", CASES)
def test_a_run_has_no_seam(server, name):
    """The pictures around its end are as near each other as any two that are as near in time."""
    request = CASES[name]
    for start, end in runs_of(scene_of(server, request))[:2]:
        # 0.1 ms before the end it is where it began.
        at_start, before, at_end = (picture_at(server, request, time) for time in (start, end, round(end + 1e-4, 4)))
        if "paintMotion" not in request:
            assert numpy.abs(at_start - before).max() <= 1
        if round(end + 1e-4, 4) < scene_of(server, request)["duration"]:
            assert numpy.abs(before - at_end).max() <= 1


@pytest.mark.parametrize("format, least", [("gif", 40), ("apng", 60), ("webp", 60)])
@pytest.mark.parametrize("name", ["in a loop", "a gradient", "from right to left"])
def test_frames_of_films_are_the_stills(server, name, format, least):
    film = by_pillow(server.render(format, **CASES[name], fps=25).body)
    least = 30 if (name, format) == ("a gradient", "gif") else least
    assert len(film.frames) > 50
    for number in range(0, len(film.frames), 9):
        painted = picture_at(server, CASES[name], film.starts[number] / 1000)
        assert psnr(film.frames[number][..., :3], painted[..., :3]) > least, film.starts[number]


def test_it_runs_so_many_pixels_a_second(server):
    scene = scene_of(server, RUNS)
    (start, end), *_ = runs_of(scene)
    glyphs = [glyph for glyph in scene["glyphs"] if glyph["role"] == "glyph"]
    slices = {glyph["glyph"]: glyph for glyph in scene["glyphs"] if glyph["role"] == "slice"}
    (line,) = scene["blocks"][0]["lines"]
    way = slices[0]["rect"]["x"] - glyphs[0]["rect"]["x"]
    assert way == -(-(line["rect"]["width"] + 2 * 40) // 1)
    assert end - start == pytest.approx(way / 200, abs=2e-4)
    assert scene["duration"] == pytest.approx(way / 200 + 1, abs=2e-4)
    for index, follower in slices.items():
        assert follower["offsetX"] == glyphs[index]["offsetX"]
        assert follower["rect"]["x"] - glyphs[index]["rect"]["x"] == pytest.approx(way, abs=1e-3)


ROOM = (
    dict(RUNS, width=2000),
    {key: value for key, value in RUNS.items() if key != "width"},
    dict(RUNS, wrap="normal", width=300),
)


def test_what_stands_and_has_room_does_not_run(server):
    emphasis = dict(effect="none", emphasis="marquee", hold=5)
    for request in (*(dict(room, **emphasis) for room in ROOM), dict(RUNS, path="arc(90deg)"), dict(RUNS, mark="underline")):
        request = {key: value for key, value in request.items() if key != "rate" or request["effect"] == "marquee"}
        scene = scene_of(server, request)
        assert not any("offsetX" in glyph or glyph["role"] == "slice" for glyph in scene["glyphs"])
    lines = {**CASES["lines of several lengths"], **emphasis}
    lines.pop("rate")
    assert {glyph["line"] for glyph in scene_of(server, lines)["glyphs"] if "offsetX" in glyph} == {0, 2}


def test_the_effect_runs_lines_that_have_room_too(server):
    for request in ROOM:
        scene = scene_of(server, request)
        ink = [glyph for glyph in scene["glyphs"] if glyph["role"] == "glyph" and glyph["text"].strip()]
        assert ink and all("offsetX" in glyph for glyph in ink)
        assert max(keyframe["time"] for keyframe in ink[0]["offsetX"]) > 1


def test_a_line_from_right_to_left_runs_to_the_right(server):
    scene = scene_of(server, CASES["from right to left"])
    assert max(key["value"] for glyph in scene["glyphs"] for key in glyph.get("offsetX", [])) > 300
    assert min(key["value"] for glyph in scene["glyphs"] for key in glyph.get("offsetX", [])) == 0


def test_the_canvas_neither_grows_nor_clips_what_runs_through(server):
    scene = scene_of(server, RUNS)
    still = scene_of(server, dict(RUNS, animate=False))
    assert (scene["width"], scene["height"]) == (still["width"], still["height"])
    assert codes(scene) == [] and codes(still) == ["clipped"]
    # What else is cut is said.
    both = scene_of(server, dict(RUNS, height=30, padding=0))
    assert [warning["message"] for warning in both["warnings"]] == ["the text is larger than the given height"]
    marked = scene_of(server, dict(RUNS, text=f"{NEWS}\n<mark>{NEWS}</mark>", markup=True))
    assert codes(marked) == ["clipped"]
    # Where something else has it grow, it grows as far as that needs.
    beside = CASES["beside what grows"]
    standing = dict(beside, blocks=[GROWS, dict(text="Boo! Who?", effect="none")])
    del standing["rate"]
    widths = [scene_of(server, request)["width"] for request in (beside, standing, dict(beside, animate=False))]
    assert widths[0] == widths[1] > widths[2]


def test_a_line_moves_as_one_in_an_svg(server):
    """Its letters have no rules of their own."""
    sizes = []
    for text in (NEWS, f"{NEWS}, and {NEWS.lower()}"):
        request = dict(CASES["in a loop"], text=text)
        moving, still = (server.render("svg", **request, **more) for more in ({}, dict(animate=False)))
        assert moving.text.count("@keyframes") <= 4
        assert moving.text.count("animation") < 30
        sizes.append(len(gzip.compress(moving.body, 6, mtime=0)) - len(gzip.compress(still.body, 6, mtime=0)))
    assert sizes[0] < 500 and sizes[1] - sizes[0] < 6 * len(NEWS)


def test_the_rate_of_an_emphasis(server):
    request = dict(RUNS, effect="none", emphasis="marquee", hold=0, loop="infinite")
    request.pop("rate")
    usual = scene_of(server, request)["duration"]
    assert scene_of(server, dict(request, emphasisRate=160))["duration"] == pytest.approx(usual / 2, abs=2e-4)
    faults = [(dict(emphasisRate=0), "emphasisRate"), (dict(effect="marquee", rate=5000), "from 1 to 2000 px a second")]
    for fault, says in faults:
        answer = server.post("/render", {**request, **fault})
        assert answer.status == 400 and says in answer.text


def test_a_run_that_takes_too_long_is_refused(server):
    answer = server.post("/render", dict(RUNS, text=NEWS * 4, rate=10))
    assert answer.status == 422 and "one cycle would take" in answer.text
