"""Gradients that move: browsers and pictures show the same ones, and loops have no seam."""

import gzip

import numpy
import pytest

from browser_cases import pictures_of_cycle
from frames import by_pillow, psnr
from picture import mean_difference, pixels, worst_block

LINE = "linear-gradient(100deg, #cf222e, #ffd700 40%, #0969da)"
STRIPES = "repeating-linear-gradient(#cf222e, #0969da 30%, #ffd700 50%)"
WHEEL = "conic-gradient(from 20deg at 40% 60%, #cf222e, #ffd700, #0969da, #cf222e)"
RINGS = "radial-gradient(circle at 30% 40%, #cf222e, #ffd700 50%, #0969da)"
TEXT = dict(text="Paint that\nmoves", size=56, weight=800, padding=40, background="#ffffff", paintDuration=2)
LOOP = dict(TEXT, effect="none", hold=4, loop="infinite")
CASES = {
    "a line that travels": dict(LOOP, color=LINE, paintMotion="pan"),
    "stripes that travel": dict(LOOP, color=STRIPES, paintMotion="pan"),
    "lines of text": dict(LOOP, color="linear-gradient(to top left, #cf222e, #0969da)", gradientBox="line", paintMotion="pan"),
    "glyphs": dict(LOOP, text="Wide", color=LINE, gradientBox="glyph", paintMotion="pan", paintEasing="ease-in-out"),
    "a line that turns": dict(LOOP, color=LINE, paintMotion="spin"),
    "a wheel that turns": dict(LOOP, color=WHEEL, paintMotion="pan", gradientBox="line"),
    "a light that goes around": dict(LOOP, color=RINGS, paintMotion="spin"),
    "rings that breathe": dict(LOOP, color=RINGS, paintMotion="breathe", paintEasing="spring(0.3)"),
    "stripes that breathe": dict(LOOP, color=STRIPES, paintMotion="breathe"),
    "text that rises": dict(TEXT, color=LINE, paintMotion="pan", effect="rise", exit="auto"),
    "text that turns": dict(TEXT, color=LINE, paintMotion="spin", effect="flip", loop="infinite", exit="auto"),
    "a pen": dict(TEXT, color=LINE, paintMotion="pan", effect="draw"),
    "stand-ins": dict(TEXT, color=LINE, paintMotion="pan", effect="scramble", seed=3, loop=2),
    "what lies beneath": dict(
        TEXT, color=LINE, paintMotion="pan", effect="slide", mask="line", outlineWidth=3, outlineColor="#ddd",
        shadow="3px 4px #0003", loop="infinite",
    ),
    "other colours and pictures": dict(
        TEXT, text="A <span foreground='#1a7f37'>green</span> 🙂 <u>day</u>", markup=True, color=LINE, paintMotion="pan",
        effect="fade", seed=2,
    ),
    "several texts": dict(
        TEXT, text=None, paintMotion="spin", effect="slide", sequence="replace", loop="infinite",
        blocks=[dict(text="First", color=LINE), dict(text="second", color="#1a7f37"), dict(text="third", color=WHEEL)],
    ),
    "a ground": dict(LOOP, color="#ffffff", background=LINE, paintMotion="pan", cornerRadius=30),
    "text and ground": dict(
        TEXT, color=WHEEL, background="radial-gradient(#fff, #aef)", paintMotion="spin", effect="slide", borderWidth=4,
    ),
    "a card that comes": dict(
        TEXT, color="#ffffff", background=LINE, darkBackground="#000", paintMotion="pan", cardEffect="slide", borderWidth=4,
        cornerRadius=20, loop="infinite",
    ),
    "along a circle": dict(TEXT, text="Paint that moves", color=LINE, paintMotion="pan", path="circle", effect="rise"),
    "light along a circle": dict(TEXT, text="Paint that moves", path="circle", effect="none", emphasis="shimmer"),
    "light": dict(TEXT, effect="shimmer", color="#24292f", easing="linear"),
    "light again and again": dict(
        TEXT, text="A <span foreground='#1a7f37'>green</span> 🙂 <u>day</u>", markup=True, effect="slide", emphasis="shimmer",
        hold=4, loop="infinite", shadow="3px 4px 2px #0006",
    ),
    "light over what turns": dict(TEXT, color=LINE, paintMotion="spin", effect="none", emphasis="shimmer", hold=4, loop=2),
    "light over dark colours": dict(
        TEXT, effect="shimmer", background="#101018", blocks=[dict(text="White", color="#fff"), dict(text="and", shimmerColor="#f0f")],
        sequence="replace", shimmerAngle=200, shimmerWidth=90, text=None,
    ),
    "light over what an effect colours": dict(TEXT, effect="highlight", emphasis="shimmer", hold=3, duration=2),
}  # fmt: skip
CASES = {name: {key: value for key, value in case.items() if value is not None} for name, case in CASES.items()}


@pytest.mark.parametrize("name", CASES)
def test_every_browser_shows_gradients_where_the_png_has_them(server, browser, name):
    request = CASES[name]
    faults = []
    for time, painted, seen in pictures_of_cycle(server, browser, request):
        mean, worst = mean_difference(painted, seen, painted[0, 0]), worst_block(painted, seen)
        if mean > 12 or worst > 22:
            faults.append(f"{time}: PNG and {browser.name} differ by {mean:.1f}, at worst {worst:.1f}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.get("loop") == "infinite"])
def test_a_loop_has_no_seam(server, name):
    request = CASES[name]
    duration = server.render("json", **request).json["duration"]
    first, last = (pixels(server.render("png", **request, time=time).body) for time in (0, duration))
    assert numpy.abs(first - last).max() <= 1


@pytest.mark.parametrize("kind", ["pan", "spin", "breathe"])
@pytest.mark.parametrize("paint", [LINE, STRIPES, WHEEL, RINGS])
def test_it_begins_and_ends_as_typeset(server, paint, kind):
    request = dict(TEXT, effect="none", color=paint)
    still = pixels(server.render("png", **request, animate=False).body)
    moving = dict(request, paintMotion=kind)
    duration = server.render("json", **moving).json["duration"]
    for time in (0, duration):
        picture = pixels(server.render("png", **moving, time=time).body)
        # Ink that leaves its box has another colour where a gradient goes back there.
        assert worst_block(still, picture) <= 6
    # Of what stands still nothing else is drawn.
    halfway = pixels(server.render("png", **moving, time=duration / 3).body)
    stands = kind == "pan" and paint == RINGS
    assert (worst_block(still, halfway) <= 6) == stands


@pytest.mark.parametrize("format, least", [("apng", 40), ("webp", 40), ("gif", 28)])
@pytest.mark.parametrize("name", ["text that rises", "a line that turns", "text and ground", "what lies beneath"])
def test_frames_of_pictures_are_the_stills(server, name, format, least):
    request = dict(CASES[name], loop="infinite", poster="start")
    film = by_pillow(server.render(format, **request, fps=10).body)
    assert len(film.frames) > 30
    for number in range(0, len(film.frames), 5):
        (painted,) = by_pillow(server.render("png", **request, time=film.starts[number] / 1000).body).frames
        assert psnr(film.frames[number], painted) > least, film.starts[number]


def test_without_a_gradient_nothing_moves(server):
    plain = dict(text="Plain", effect="rise", size=48)
    for format in ("svg", "json", "png", "gif", "apng", "webp", "lot"):
        ids = dict(ids="a") if format == "svg" else {}
        without = server.render(format, **plain, **ids)
        assert server.render(format, **plain, **ids, paintMotion="pan").body == without.body, format


def test_light_leaves_nothing_behind(server):
    request = dict(text="Bright", size=60, effect="none", background="#ffffff")
    plain = server.render("png", **request, animate=False).body
    for light in (dict(effect="shimmer"), dict(emphasis="shimmer", hold=5)):
        scene = server.render("json", **{**request, **light}).json
        start, end = (key["time"] for key in scene["shimmers"][0]["passage"][:2])
        seen = [server.render("png", **{**request, **light}, time=time).body for time in (start, end, scene["duration"])]
        assert all((pixels(one) == pixels(plain)).all() for one in seen)
        halfway = server.render("png", **{**request, **light}, time=(start + end) / 2).body
        assert worst_block(pixels(halfway), pixels(plain)) > 40


def test_the_json_says_how_paint_moves(server):
    light = dict(emphasis="shimmer", emphasisInterval=1)
    request = dict(TEXT, color=LINE, paintMotion="pan", effect="none", hold=4, **light)
    scene = server.render("json", **request).json
    box = scene["glyphs"][0]["gradientRect"]
    own = scene["gradients"][scene["glyphs"][0]["gradient"]]
    assert (own["motion"], own["repeats"]) == ("pan", True)
    assert own["centerX"] == pytest.approx(box["x"] + box["width"] / 2, abs=1e-3)
    assert own["centerY"] == pytest.approx(box["y"] + box["height"] / 2, abs=1e-3)
    # There and back.
    assert [stop["color"] for stop in own["stops"]] == ["#cf222e", "#ffd700", "#0969da", "#ffd700", "#cf222e"]
    assert scene["paintTurns"] == [dict(time=0, value=0), dict(time=4, value=2)]
    (shimmer,) = scene["shimmers"]
    light = scene["gradients"][shimmer["gradient"]]
    assert "motion" not in light and "repeats" not in light
    assert [key["value"] for key in shimmer["passage"]] == [0, 1, 0, 1]
    assert shimmer["passage"][1]["time"] == 1.2


@pytest.mark.parametrize(
    "moving, most", [(dict(color=LINE, paintMotion="pan"), 0), (dict(emphasis="shimmer"), 400)], ids=["pan", "shimmer"]
)
def test_what_moves_adds_few_bytes(server, moving, most):
    """Gzipped, to the still SVG of a hundred letters; each of those has its own gradient there."""
    request = dict(text="A band of light passes over a text of some hundred letters, or colours do. " * 2, width=640, **moving)
    sizes = [
        len(gzip.compress(server.render("svg", **request, **more).body, 6, mtime=0))
        for more in (dict(effect="none", loop="infinite"), dict(animate=False))
    ]
    assert sizes[0] - sizes[1] <= most


def test_lottie_says_that_gradients_stand_still(server):
    answer = server.render("lot", **CASES["a line that travels"])
    assert answer.headers["Titlecard-Warnings"] == "unsupported"


@pytest.mark.parametrize(
    "change, warns",
    [({}, True), (dict(size=20), False), (dict(paintDuration=6), False), (dict(color="linear-gradient(#111, #222)"), False)],
)
def test_a_warning_of_gradients_that_flash(server, change, warns):
    stripes = f"linear-gradient(90deg, {', '.join(['#000', '#fff'] * 4)})"
    request = dict(text="████████", size=64, effect="none", color=stripes, paintMotion="pan", paintDuration=1)
    warnings = server.render("json", **{**request, **change}).json["warnings"]
    assert ("flashing" in [warning["code"] for warning in warnings]) == warns


@pytest.mark.parametrize(
    "fault, says",
    [
        (dict(paintMotion="zoom"), '"none", "pan", "spin", "breathe"; got "zoom"'),
        (dict(paintDuration=0.5), "from 1 to 60"),
        (dict(effect="shimmer", shimmerWidth=0.5), "from 1 to 200"),
        (dict(shimmerWidth=50), "belongs to no effect"),
        (dict(paintEasing="linear(2)"), ""),
    ],
)
def test_wrong_values_are_errors(server, fault, says):
    answer = server.post("/render", dict(text="x", color=LINE, **fault))
    assert answer.status == 400
    assert answer.faults == list(fault)[-1:]
    assert says in answer.json["errors"][0]["message"]
