"""Axes of variable fonts in keyframes: at any instant the text shows as `fontVariations` sets it, in its place."""

import json

import numpy
import pytest

import fonts
from browser_motion import BACKGROUND, faults_of_motion
from check import R, track_of
from effect_files import directory
from exact import wrong_frames
from frames import answer, by_pillow
from lottie_comparison import Comparison
from lottie_players import PLAYERS
from picture import mean_difference, pixels
from service import Service, query

THIN = [{"axes": {"wght": 100}}]
# Hairlines are nothing but edges, which every renderer smooths in its own way.
HEAVY = [{"axes": {"wght": 900}}]
INTER = dict(font="Inter", size=48, padding=30, background="#%02x%02x%02x" % BACKGROUND)
WEIGHT = {"wght": (100, 400, 900)}
BOTH = {"wght": (100, 400, 900), "wdth": (50, 100, 200)}
FINEST = 64  # levels that a short text has
# The effect `custom` with its defaults.
DEFAULTS = dict(interval=0.03, duration=0.5, easing="ease-out")
SWELL = {"name": "swell", "title": "Swell", "by": "all", "duration": 0.6}
SWELL["keyframes"] = [{}, {"offset": 0.4, "axes": {"wght": 900}}, {"offset": 0.6, "axes": {"wght": 900}}, {}]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with an effect and a font of two axes of its operator's."""
    folder = tmp_path_factory.mktemp("fonts")
    fonts.variable_font(folder / "growing.ttf")
    service = Service("--fonts", folder, "--effects", directory(folder / "effects", swell=SWELL))
    yield service
    assert service.stop() == 0


def scene_of(server, **request):
    return server.render("json", outlines=True, **request).json


def shown(scene, time):
    """For each glyph what shows in its place: its own entry, or the decoy's; None for nothing."""
    found = {}
    for entry in scene["glyphs"]:
        if entry["role"] in ("glyph", "decoy") and R.value_at(track_of(entry, "opacity"), time) > 0:
            glyph = entry.get("glyph", entry["index"])
            assert glyph not in found, (time, entry["text"])
            found[glyph] = entry
    return [found.get(entry["index"]) for entry in scene["glyphs"] if entry["role"] == "glyph"]


def path_of(scene, entry):
    return scene["outlines"][entry["outline"]]["path"] if "outline" in entry else None


def clear(time, keyframes):
    return all(abs(time - one) > 3e-4 for one in keyframes)


def times_of(scene, end):
    """Instants off every keyframe."""
    keyframes = {key["time"] for entry in scene["glyphs"] for key in entry["opacity"]}
    return [time for time in (end * (step + 0.5) / 70 for step in range(72)) if clear(time, keyframes)]


def faults_of_axes(server, request, font, levels=FINEST):
    """Where a scene shows other outlines, or elsewhere, than texts that are set at the coordinates of an instant."""
    scene = scene_of(server, **request)
    rest = scene_of(server, **{**request, "animate": False})
    parameters = {**DEFAULTS, **request}
    times = times_of(scene, scene["blocks"][0]["enterEnd"])
    assert len(times) > 40
    set_at = {}
    for time in times:
        for number, entry in enumerate(shown(scene, time)):
            own = rest["glyphs"][number]
            if "outline" not in own:
                continue
            turn = 0 if request.get("by") == "all" else number
            coordinates = R.axes_at(parameters, font, levels, time - turn * parameters["interval"])
            key = ",".join(f"{tag}={value}" for tag, value in sorted((coordinates or {}).items()))
            if key not in set_at:
                still = {**request, "animate": False}
                if key:
                    still["fontVariations"] = key
                set_at[key] = scene_of(server, **still)
            wanted = set_at[key]["glyphs"][number]
            if path_of(scene, entry) != path_of(set_at[key], wanted):
                yield f"{time}: {entry['text']!r} is not as {key or 'typeset'}"
                continue
            # The middle of the advance stays, so the pen is off by half of the difference.
            left = wanted["penX"] - wanted["rect"]["x"]
            pen = own["rect"]["x"] + own["rect"]["width"] / 2 - wanted["rect"]["width"] / 2 + left
            if abs(entry["penX"] - pen) > 0.02 or abs(entry["penY"] - own["penY"]) > 1e-3:
                yield f"{time}: {entry['text']!r} stands at {entry['penX']}, not {pen}"


CASES = {
    "from thin": dict(text="Hi, Ken", keyframes=THIN),
    "as one": dict(text="Hi", keyframes=THIN, by="all", duration=1.1, easing="linear"),
    "there and back": dict(text="Hi", keyframes=SWELL["keyframes"], duration=0.6, easing="ease-in-out"),
    "in steps": dict(text="Hi", keyframes=[{"axes": {"wght": 900}}], by="all", easing="steps(4)"),
    "beyond": dict(text="Hi", keyframes=[{"axes": {"wght": 5000}}], by="all"),
    "springs": dict(text="Hi", keyframes=THIN, by="all", easing="spring(0.6)", duration=1),
    "late": dict(text="Hi", keyframes=[{"offset": 0.3, "axes": {"wght": 200}}, {"offset": 0.6, "axes": {"wght": 800}}]),
    "at once": dict(text="Hi", keyframes=THIN, duration=0),
    "bold": dict(text="Hi", keyframes=THIN, weight=700),
    "set": dict(text="Hi", keyframes=THIN, fontVariations="wght=650"),
    "italic": dict(text="fi", keyframes=THIN, italic=True),
    "marks": dict(text="e\u0301n\u0303 q\u0323\u0307", keyframes=THIN, by="all"),
    "a ligature": dict(text="->ffi", keyframes=THIN, by="all"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_shows_is_the_text_at_the_coordinates_of_the_instant(server, name):
    request = {**INTER, "effect": "custom", **CASES[name]}
    rest = {"bold": 700, "set": 650}.get(name, 400)
    if name == "at once":
        scene = scene_of(server, **request)
        assert [entry["role"] for entry in shown(scene, 0.01)] == ["glyph", "decoy"]
        return
    faults = list(faults_of_axes(server, request, {"wght": (100, rest, 900)}))
    assert not faults, "\n".join(faults[:20])


GROWING = dict(font="Growing", size=40, padding=30, effect="custom", text="HA H")


@pytest.mark.parametrize(
    "keyframes",
    [
        [{"axes": {"wdth": 200}}],
        [{"axes": {"wdth": 50, "wght": 900}}],
        [{"axes": {"wght": 100}}, {"offset": 0.4, "axes": {"wght": 900, "wdth": 200}, "easing": "linear"}, {}],
    ],
)
def test_several_axes_and_what_features_substitute_on_the_way(server, keyframes):
    """From a weight of 600 on the font has another A."""
    font = {tag: BOTH[tag] for tag in BOTH if any(tag in one.get("axes", {}) for one in keyframes)}
    faults = list(faults_of_axes(server, {**GROWING, "keyframes": keyframes, "duration": 0.4}, font))
    assert not faults, "\n".join(faults[:20])


@pytest.mark.parametrize(
    "fit", [dict(fit="shrink"), dict(fit="fill"), dict(fit="shrink", maxLines=1), dict(maxLines=1)]
)
@pytest.mark.parametrize("width", [160, 1200])
def test_a_text_that_fits_goes_through_its_axes(server, fit, width):
    """The layouts that look for its size leave them out; the one that is found has them."""
    room = dict(width=width, height=200, **fit)
    request = {**INTER, "text": "Grow up now", "effect": "custom", "keyframes": THIN, "by": "all", **room}
    scene, rest = scene_of(server, **request), scene_of(server, **request, animate=False)
    size = rest["blocks"][0]["lines"][0]["runs"][0]["size"]
    begun, finished = shown(scene, 0.001), shown(scene, scene["duration"])
    given = {name: value for name, value in request.items() if name not in room} | {"size": size}
    unfitted = scene_of(server, **given)
    thin = shown(unfitted, 0.001)
    letters = [number for number, entry in enumerate(begun) if "outline" in entry]
    assert len(letters) > 2 and scene["blocks"][0]["lines"][0]["runs"][0]["size"] == size
    for number in letters:
        assert path_of(scene, finished[number]) == path_of(rest, rest["glyphs"][number])
        if number < min(4, len(letters) - 1):  # an ellipsis stands for the others
            assert begun[number]["role"] == "decoy"
            assert path_of(scene, begun[number]) == path_of(unfitted, thin[number])


def test_a_glyph_does_not_jump_as_it_arrives(server):
    """What is nearly as typeset stands where the text stands, with letter spacing and at the ends of lines too."""
    growing = {"letterSpacing": 5, "text": "HA AH", "font": "Growing"}
    for more in [{}, {"letterSpacing": 7}, {"letterSpacing": -2}, growing]:
        request = {**INTER, "text": "Wave it\nVA", "effect": "custom", "duration": 1, **more}
        scene = scene_of(server, **request, keyframes=[{"axes": {"wght": 400.5}}])
        decoys = [entry for entry in scene["glyphs"] if entry["role"] == "decoy"]
        assert len(decoys) >= 4
        for decoy in decoys:
            own = scene["glyphs"][decoy["glyph"]]
            assert abs(decoy["penX"] - own["penX"]) < 0.1 and decoy["rect"] == own["rect"]


HIDDEN = {"opacity": 0, "y": 0.5, "rotation": -20, "color": "#d02020", "axes": {"wght": 100}}
MOVING = [HIDDEN, {"offset": 0.4, "opacity": 1}, {}]
GREEN = [{"color": "#208020", "axes": {"wght": 900}}]
MOVED = {
    "letters": dict(text="Grow up", keyframes=MOVING),
    "words": dict(text="Grow up now", keyframes=MOVING, by="word", exit="auto", hold=0.2),
    "a mask": dict(text="Grow up", keyframes=[{"y": "110%", "axes": {"wght": 900}}], mask="line"),
    "a gradient": dict(text="Grow", keyframes=GREEN, color="linear-gradient(red, blue)"),
    "a shadow": dict(text="Grow", keyframes=MOVING, shadow="3px 4px 5px #0006", outlineWidth=2, outlineColor="#ffffff"),
    "a path": dict(text="Grow along", keyframes=HEAVY, path="arc(120deg)"),
    "an underline": dict(text="<u>Grow</u> up", markup=True, keyframes=HEAVY),
    "a cursor": dict(text="Grow", keyframes=HEAVY, cursor="bar"),
    "a loop": dict(text="Grow", keyframes=HEAVY, loop="infinite", hold=0.3, poster="start"),
    "two blocks": dict(blocks=[dict(text="One"), dict(text="Two", weight=600)], keyframes=HEAVY, sequence="replace"),
}


@pytest.mark.parametrize("name", MOVED)
def test_chromium_shows_what_moves_meanwhile(server, page, name):  # noqa: F811
    # Steps change sixty times a second, and the pictures are taken in between.
    request = {**INTER, "effect": "custom", "duration": 0.6, "interval": 0.1, **MOVED[name], "size": 64}
    faults = list(faults_of_motion(server, page, request))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", ["letters", "a gradient", "a loop", "a shadow"])
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = {**INTER, "effect": "custom", **MOVED[name], "size": 30}
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


def test_a_gif_has_its_frames(server):
    request = {**INTER, "effect": "custom", "text": "Grow", "keyframes": THIN, "by": "all", "duration": 1, "size": 30}
    film = by_pillow(answer(server, "gif", **request).body)
    weights = [float(numpy.abs(frame[..., :3].astype(float) - BACKGROUND).sum()) for frame in film.frames]
    grown = numpy.diff(weights[:-1])
    assert len(weights) > 10 and (grown > 0).mean() > 0.8 and grown.min() > -0.02 * weights[0]
    assert weights[-1] > 1.3 * weights[0]


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("name", ["letters", "words", "a loop", "a shadow"])
def test_lottie_shows_it(server, name, player):
    compared = Comparison(server, {**INTER, "effect": "custom", **MOVED[name], "size": 40})
    faults = list(compared.faults(player, glyphs=False))
    assert not faults, "\n".join(faults)


# Phases


def test_an_exit_is_the_entrance_run_backwards(server):
    request = {**INTER, "text": "Out", "effect": "custom", "keyframes": THIN, "exit": "auto", "hold": 0.5}
    block = server.render("json", **request).json["blocks"][0]
    # Not where a step ends.
    for since in [0.01, 0.113, 0.237, 0.314, 0.424]:
        there = server.render("png", **request, time=round(block["enterEnd"] - since, 4)).body
        back = server.render("png", **request, time=round(block["exitStart"] + since, 4)).body
        assert mean_difference(pixels(there), pixels(back), BACKGROUND) < 0.5, since


def test_a_loop_goes_back_to_where_it_began(server):
    request = {**INTER, "text": "Again", "effect": "custom", "keyframes": THIN, "by": "all"}
    request |= dict(loop="infinite", hold=0.4)
    scene = scene_of(server, **request)
    start = scene["duration"] - 0.3
    weights = []
    for step in range(16):
        picture = pixels(server.render("png", **request, time=round(start + 0.3 * step / 16, 4)).body)
        weights.append(numpy.abs(picture - BACKGROUND).sum())
    assert weights == sorted(weights, reverse=True) and weights[-1] < 0.6 * weights[0]
    ends = (0, round(scene["duration"] - 0.001, 4))
    first, last = (pixels(server.render("png", **request, time=time).body) for time in ends)
    assert mean_difference(first, last, BACKGROUND) < 1


def test_a_loop_of_text_that_fades_in_only_fades_out(server):
    keyframes = [{"opacity": 0, "axes": {"wght": 100}}]
    scene = scene_of(server, **INTER, text="Again", effect="custom", keyframes=keyframes, loop="infinite", hold=0.4)
    for time in (scene["duration"] - 0.25, scene["duration"] - 0.05):
        assert {entry["role"] for entry in shown(scene, time)} == {"glyph"}


def test_an_operators_effect_changes_axes_as_entrance_emphasis_and_exit(server):
    emphasis, leaving = dict(effect="none", emphasis="swell", hold=1), dict(effect="fade", exit="swell", hold=0.1)
    for more in [dict(effect="swell"), emphasis, leaving]:
        scene = scene_of(server, **INTER, text="Up", **more)
        decoys = [entry for entry in scene["glyphs"] if entry["role"] == "decoy"]
        assert len(decoys) > 10, more
        # There and back by the same outlines.
        spans = [len(entry["opacity"]) for entry in decoys]
        assert max(spans) >= 4, more
    heavy = path_of(scene_of(server, **INTER, text="Up", animate=False, weight=900), dict(outline=0))
    scene = scene_of(server, **INTER, text="Up", effect="swell")
    assert path_of(scene, shown(scene, 0.3)[0]) == heavy


# Budget


def distinct(scene):
    return len({entry["outline"] for entry in scene["glyphs"] if entry["role"] == "decoy" and "outline" in entry})


def test_the_number_of_outlines_follows_the_budget_of_bytes(server):
    pangrams = "Sphinx of black quartz, judge my vow. "
    sizes = {}
    for text in ["Hi", pangrams, 10 * pangrams, 50 * pangrams]:
        request = {**INTER, "text": text, "effect": "custom", "keyframes": THIN, "duration": 1, "interval": 0.001}
        svg = server.render("svg", **request, width=1000)
        scene = scene_of(server, **request, width=1000)
        letters = len({letter for letter in text if letter != " "})
        sizes[len(text)] = (distinct(scene) / letters, len(svg.body))
    levels = [level for level, _ in sizes.values()]
    assert levels == sorted(levels, reverse=True) and levels[0] > 30 and levels[-1] >= 2
    assert [size for _, size in sizes.values()][1] < 300_000 and max(size for _, size in sizes.values()) < 4_000_000


def test_more_steps_than_can_be_drawn_are_refused(server):
    """Fourteen turns a glyph, of many glyphs."""
    turns = [{"offset": n / 15, "axes": {"wght": 100 + 800 * (n % 2)}} for n in range(15)] + [{}]
    request = {**INTER, "text": 1900 * "a", "width": 1000, "effect": "custom", "keyframes": turns, "duration": 10}
    answer = server.post("/render.svg", request)
    assert answer.status == 422, answer.text
    assert "too many glyphs" in answer.json["errors"][0]["message"]


# Errors


@pytest.mark.parametrize(
    "request_, fault",
    [
        (dict(text="Hi", font="DejaVu Sans"), '"DejaVu Sans" has no axis "wght", which the keyframes change; its axes are: none'),
        (dict(text="Hi", **{**INTER, "keyframes": [{"axes": {"wdth": 80}}]}), '"Inter" has no axis "wdth"'),
        (dict(text="Hi <span font='DejaVu Serif'>you</span>", markup=True, **INTER), '"DejaVu Serif" has no axis'),
        (dict(text="HA \u05d0", font="Growing"), 'has no axis "wght"'),
    ],
)
def test_a_font_without_the_axis_is_an_error_that_names_its_axes(server, request_, fault):
    answer = server.post("/render.svg", {"effect": "custom", "keyframes": THIN, **request_})
    assert (answer.status, answer.faults) == (400, ["font"]), answer.text
    assert fault in answer.json["errors"][0]["message"]
    if "wdth" in fault:
        assert "wght" in answer.json["errors"][0]["message"].split("axes are: ")[1]


def test_pictures_and_spaces_need_no_axis(server):
    scene = scene_of(server, **INTER, text="Hi 👻", effect="custom", keyframes=THIN)
    decoys = [entry for entry in scene["glyphs"] if entry["role"] == "decoy"]
    assert {scene["glyphs"][decoy["glyph"]]["text"] for decoy in decoys} == {"H", "i"}


WRONG = {
    '[{"axes": 900}]': "keyframes[0].axes",
    '[{"axes": {}}]': "keyframes[0].axes",
    '[{"axes": {"wght": "x"}}]': "keyframes[0].axes.wght",
    '[{"axes": {"wght": 1e9}}]': "keyframes[0].axes.wght",
    '[{"axes": {"weight": 900}}]': "keyframes[0].axes",
    '[{"axes": {"wgh\u00e9": 900}}]': "keyframes[0].axes",
    '[{}, {"axes": {"wght": 900}}]': "keyframes[1].axes",
    '[{"offset": 1, "axes": {"wght": 400}}]': "keyframes[0].axes",
    '[{"axis": {"wght": 400}}]': "keyframes[0].axis",
    json.dumps([{"axes": {f"a{n:03}": 1 for n in range(17)}}]): "keyframes[0].axes",
}


@pytest.mark.parametrize("keyframes", WRONG, ids=range(len(WRONG)))
def test_wrong_axes_are_errors_that_say_where(server, keyframes):
    answer = server.post("/render.svg", dict(text="a", effect="custom", keyframes=json.loads(keyframes)))
    assert (answer.status, answer.faults) == (400, [WRONG[keyframes]]), answer.text


def test_equal_axes_are_one_request(server):
    spellings = ['[{"axes":{"wght":900,"wdth":80}}]', '[{"axes": {"wdth": 8e1, "wght": 900.0}}]']
    request = dict(text="H", font="Growing", effect="custom")
    found = [server.get(f"/render.svg?{query({**request, 'keyframes': one})}") for one in spellings]
    assert [one.status for one in found] == [200, 200] and len({one.headers["ETag"] for one in found}) == 1


# Warnings


def test_a_spring_of_weights_does_not_flash(server):
    request = dict(text="FLASH", effect="custom", keyframes=THIN, easing="spring(0.85)", by="all", duration=2)
    scene = scene_of(server, **{**INTER, "size": 200}, **request)
    assert [one["code"] for one in scene["warnings"]] == []


def test_a_canvas_has_room_for_what_is_wider_on_the_way(server):
    request = {**GROWING, "text": "H", "padding": 0, "keyframes": [{"axes": {"wdth": 200}}], "duration": 1}
    narrow, roomy = (scene_of(server, **request, room=room) for room in ("none", "motion"))
    [warning] = narrow["warnings"]
    assert warning["code"] == "clipped"
    assert roomy["warnings"] == [] and roomy["width"] > narrow["width"]
    assert scene_of(server, **{**request, "padding": warning["padding"]}, room="none")["warnings"] == []


def test_a_still_is_as_typeset(server):
    request = {**INTER, "text": "Hi", "effect": "custom", "keyframes": THIN}
    plain = {**INTER, "text": "Hi", "cursor": "none"}
    assert server.render("png", **request, time="end").body == server.render("png", **plain, time="end").body
    assert scene_of(server, **request)["width"] == scene_of(server, **plain)["width"]
