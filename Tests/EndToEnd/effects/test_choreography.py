"""What moves in Chromium moves as the JSON says and as the PNG draws it: every effect, both ways, again and again."""

import numpy
import pytest

from browsers import ANIMATIONS
from check import R, track_of
from picture import mean_difference, pixels, screenshot, worst_block
from random_requests import EFFECTS, NUMBERS
from service import until

BACKGROUND = (255, 244, 214)
STYLE = dict(size=64, padding=40, background="#%02x%02x%02x" % BACKGROUND)  # 64 px: see test_chromium
TEXT = "Boo, who?\nA ghost 👻!"
NEIGHBOURS = dict(blocks=[dict(text="hello"), dict(text="help!"), dict(text="yelp")], sequence="replace", hold=0.4)
CLEAR = 0.004  # seconds from any keyframe
HIDDEN = 0.004  # where a hidden glyph is does not matter

HELPERS = (
    ANIMATIONS
    + """
window.drawn = root => [...root.querySelectorAll('svg > g')].flatMap((line, number) =>
    [...line.querySelectorAll('use, path')].map(element => {
        const box = element.getBoundingClientRect(), own = element.getBBox(), m = element.getScreenCTM();
        let opacity = 1;
        for (let e = element; e; e = e.parentElement) opacity *= getComputedStyle(e).opacity;
        if (getComputedStyle(element).visibility === 'hidden') opacity = 0;
        return {line: number, shape: element.localName, opacity, matrix: [m.a, m.b, m.c, m.d, m.e, m.f],
            box: [box.left, box.top, box.right, box.bottom]};
    }));
window.atRest = root => withoutAnimations(() => drawn(root));
"""
)
COLLECT = HELPERS + "addEventListener('DOMContentLoaded', () => { window.rest = atRest(document); pause(); });"


@pytest.fixture(scope="module")
def page(chromium):
    context = chromium.new_context(device_scale_factor=1)
    context.add_init_script(COLLECT)
    yield context.new_page()
    context.close()


def show(server, page, request):
    """Opens the SVG, paused; returns the scene and what is drawn at rest, with the JSON glyph of each element."""
    scene = server.render("json", **request).json
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
    target = server.render("svg", **request).headers["Content-Location"]
    page.goto(server.url + target)
    return scene, [*zip(page.evaluate("rest"), glyphs_drawn(scene))]


def glyphs_drawn(scene):
    """The JSON glyphs that are drawn, in the SVG's order: the text, then decoys by the glyph that they replace, then cursors."""
    roles = ("copy", "glyph", "decoy", "cursor", "slice")
    shown = [glyph for glyph in scene["glyphs"] if not glyph["whitespace"] and glyph["rect"]["width"] > 0]
    return sorted(shown, key=lambda glyph: (roles.index(glyph["role"]), glyph["role"] == "decoy" and glyph["glyph"], glyph["index"]))


def keyframes_of(glyphs):
    return sorted(
        {
            key["time"]
            for glyph in glyphs
            for name in ("opacity", "scale", "offsetX", "offsetY", "rotation")
            for key in glyph.get(name, [])
        }
    )


def instants(scene, count=10):
    """So many instants: one while the text stands, the others while blocks come and go, all off keyframes."""
    blocks, keyframes = scene["blocks"], keyframes_of(scene["glyphs"])
    standing = (blocks[-1]["enterEnd"], blocks[-1]["exitStart"] or scene["duration"])
    moving = {(block["enterStart"], block["enterEnd"]) for block in blocks}
    moving |= {(block["exitStart"], block["exitEnd"]) for block in blocks if block["exitEnd"]}
    moving = sorted(span for span in moving if span[1] - span[0] > 0.1)
    windows = [standing] + [moving[n % len(moving)] if moving else standing for n in range(count - 1)]
    for start, end in sorted(set(windows)):
        here = windows.count((start, end))
        for number in range(here):
            time = start + (end - start) * (number + 0.44) / here
            while any(abs(time - keyframe) < CLEAR for keyframe in keyframes):
                time += CLEAR / 2
            yield round(time, 4)


def every_effect():
    """Every effect in and out, once and in a loop."""
    for effect in EFFECTS:
        for loop in (1, "infinite"):
            request = dict(STYLE, text=TEXT, effect=effect, exit="auto", loop=loop, seed=5) | NUMBERS.get(effect, {})
            yield pytest.param(request, id=f"{effect}, {'loop' if loop != 1 else 'once'}")


def matrix(values):
    a, b, c, d, e, f = values
    return numpy.array([[a, c, e], [b, d, f], [0, 0, 1]])


def moved_by(glyph, time):
    """The motion that the JSON gives a glyph, as a matrix of the page's pixels."""
    names = ("scale", "scaleX", "scaleY", "rotation", "skewX", "skewY", "offsetX", "offsetY")
    value = {n: R.value_at(track_of(glyph, n), time) for n in names}
    rect, angle = glyph["rect"], numpy.radians(value["rotation"])
    x, y = rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2
    cos, sin = numpy.cos(angle), numpy.sin(angle)
    turn = numpy.array([[cos, -sin, x + value["offsetX"]], [sin, cos, y + value["offsetY"]], [0, 0, 1]])
    size = numpy.diag([value["scale"] * value["scaleX"], value["scale"] * value["scaleY"], 1])
    across, down = (numpy.tan(numpy.radians(value[n])) for n in ("skewX", "skewY"))
    skew = numpy.array([[1 + across * down, across, 0], [down, 1, 0], [0, 0, 1]])
    return turn @ size @ skew @ numpy.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]])


def faults_at(time, rest, drawn):
    """Where the page does not show what the JSON says for an instant."""
    faults = []
    for (still, glyph), now in zip(rest, drawn, strict=True):
        where = f"{time}: {glyph['role']} {glyph['text']!r} ({glyph['index']})"
        opacity = min(1, max(0, R.value_at(track_of(glyph, "opacity"), time)))
        if abs(now["opacity"] - opacity) > 0.015:
            faults.append(f"{where} has opacity {now['opacity']}, not {opacity:.4f}")
        if opacity < HIDDEN:
            continue
        want = moved_by(glyph, time)
        have = matrix(now["matrix"]) @ numpy.linalg.inv(matrix(still["matrix"]))
        turns = [numpy.degrees(numpy.arctan2(m[1, 0], m[0, 0])) for m in (have, want)]
        sizes = [numpy.hypot(m[0, 0], m[1, 0]) for m in (have, want)]
        if abs((turns[0] - turns[1] + 180) % 360 - 180) > 0.3 and sizes[1] > 0.01:
            faults.append(f"{where} is turned by {turns[0]:.2f}°, not {turns[1]:.2f}°")
        if abs(sizes[0] - sizes[1]) > 0.01:
            faults.append(f"{where} is scaled by {sizes[0]:.4f}, not {sizes[1]:.4f}")
        rect = glyph["rect"]
        middle = numpy.array([rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2, 1])
        # Percentages of a cycle of seconds are exact to a quarter of a millisecond.
        slack = max(0.3, *(numpy.abs((moved_by(glyph, time + e) - want) @ middle).max() for e in (-2.5e-4, 2.5e-4)))
        if numpy.abs((have - want) @ middle).max() > slack:
            faults.append(f"{where} is at {(have @ middle)[:2]}, not {(want @ middle)[:2]}")
        # The painted outline's box turns with it: only where nothing turns is it the box of the motion.
        if abs(turns[1]) < 1e-9 and (stray := numpy.abs(box_under(want, still["box"]) - now["box"]).max()) > slack:
            faults.append(f"{where} is painted {stray:.2f} px off")
    return faults


def box_under(motion, box):
    corners = motion @ numpy.array([[box[0], box[2]], [box[1], box[3]], [1, 1]])
    return numpy.array([*corners[:2].min(axis=1), *corners[:2].max(axis=1)])


def misplaced(rest):
    """Elements whose ink at rest lies outside their glyph's box: order or position is wrong."""
    for still, glyph in rest:
        rect, (left, top, right, bottom) = glyph["rect"], still["box"]
        if not (rect["x"] - 1 <= (left + right) / 2 <= rect["x"] + rect["width"] + 1):
            yield f"{glyph['text']!r} is drawn at {left}…{right}, its box is {rect}"
        if not (rect["y"] - 1 <= (top + bottom) / 2 <= rect["y"] + rect["height"] + 1):
            yield f"{glyph['text']!r} is drawn at {top}…{bottom}, its box is {rect}"


def differences(server, request, time, shown):
    """Where PNG and Chromium are further apart than in test_chromium."""
    painted = pixels(server.render("png", **request, time=time).body)
    assert painted.shape == shown.shape
    # A line of the pen is nothing but edges, which every renderer smooths in its own way.
    limit = 20 if request.get("effect") == "draw" else 12
    if (difference := mean_difference(painted, shown, BACKGROUND)) >= limit:
        yield f"{time}: PNG and Chromium differ by {difference:.1f} in the mean"
    if (difference := worst_block(painted, shown)) > 28:
        yield f"{time}: PNG and Chromium differ by {difference:.1f} in a block"


def by_words_and_lines():
    """Items larger than glyphs, in orders of their own, and directions: what the defaults leave out."""
    for effect, options in (
        ("typewriter", dict(by="word", loop="infinite")),
        ("fade", dict(by="line", loop=1)),
        ("fall", dict(by="word", loop=1, angle=360)),
        ("fall", dict(by="word", loop="infinite", angle=-90)),
        ("slide", dict(by="line", loop=3, direction="left", order="backward")),
        ("pop", dict(by="word", loop="infinite", order="edges")),
        ("drop", dict(by="word", loop=2, order="random")),
    ):
        request = dict(STYLE, text=TEXT, effect=effect, exit="auto", **options)
        yield pytest.param(request, id=f"{effect} by {options['by']}, loop {options['loop']}")


def sequences():
    for effect in ("morph", "fade", "typewriter", "slide", "rewrite"):
        for loop in (1, "infinite"):
            request = dict(STYLE, **NEIGHBOURS, effect=effect, loop=loop)
            yield pytest.param(request, id=f"replace by {effect}, {'loop' if loop != 1 else 'once'}")


def cursors():
    for cursor in ("bar", "block", "underscore"):
        for loop in (1, "infinite"):
            request = dict(STYLE, text="typed\nwords", interval=0.2, cursor=cursor, exit="auto", loop=loop, delay=0.5)
            yield pytest.param(request, id=f"{cursor}, {'loop' if loop != 1 else 'once'}")


def in_loops(parameters):
    return [parameter for parameter in parameters if parameter.values[0]["loop"] != 1]


@pytest.mark.parametrize("request_", [*every_effect(), *by_words_and_lines(), *sequences(), *cursors()])
def test_chromium_moves_what_the_json_moves(server, page, request_):
    scene, rest = show(server, page, request_)
    faults = [*misplaced(rest)]
    times = [*instants(scene)]
    assert len(set(times)) == 10
    for time in times:
        page.evaluate("time => seek(time)", time)
        faults += faults_at(time, rest, page.evaluate("drawn(document)"))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("request_", in_loops([*every_effect(), *sequences(), *cursors()]))
def test_the_second_cycle_is_the_first_again(server, page, request_):
    scene, _ = show(server, page, request_)

    def in_both_cycles(time, look):
        for cycle in (0, 1):
            page.evaluate("time => seek(time)", time + cycle * scene["duration"])
            yield look()

    for number, time in enumerate(instants(scene, 5)):
        for first, second in zip(*in_both_cycles(time, lambda: page.evaluate("drawn(document)")), strict=True):
            assert abs(first["opacity"] - second["opacity"]) < 1e-3, time
            if first["opacity"] >= HIDDEN:
                assert numpy.allclose(first["box"], second["box"], atol=0.01), time
        if number % 2:
            # On a busy machine a screenshot may still show the instant before.
            until(lambda: len(set(in_both_cycles(time, page.screenshot))) == 1, f"the same pixels at {time}")


@pytest.mark.parametrize("request_", [*every_effect(), *sequences(), *cursors()])
def test_the_png_is_what_chromium_shows(server, page, request_):
    scene, _ = show(server, page, request_)
    faults = []
    for time in instants(scene, 5):
        page.evaluate("time => seek(time)", time)
        faults += differences(server, request_, time, pixels(screenshot(page)))
    assert not faults, "\n".join(faults)


PAIRS = [
    [dict(effect="fall", text="One falls"), dict(effect="pop", text="one pops")],
    [dict(effect="scramble", text="code"), dict(effect="typewriter", text="typed", cursor="bar")],
    [dict(effect="drop", text="same effect"), dict(effect="drop", text="other words")],
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " and ".join(request["text"] for request in pair))
def test_two_looping_pictures_in_one_page_leave_each_other_alone(server, chromium, pair):
    requests = [dict(request, exit="auto", loop="infinite", size=40) for request in pair]
    pictures = [server.render("svg", **request).text for request in requests]
    times = [time for request in requests for time in instants(server.render("json", **request).json, 4)]
    context = chromium.new_context()
    page = context.new_page()

    def moves(*shown):
        """For each picture, at each instant: boxes within its frame, and opacities."""
        page.set_content("<!DOCTYPE html>" + "".join(f"<div>{picture}</div>" for picture in shown))
        page.evaluate(HELPERS + "pause()")
        found = [[] for _ in shown]
        for time in times:
            page.evaluate("time => seek(time)", time)
            for number, one in enumerate(found):
                frame, drawn = page.evaluate(
                    """n => { const root = document.querySelectorAll('div')[n], frame = root.firstChild.getBoundingClientRect();
                        return [[frame.left, frame.top], drawn(root)]; }""",
                    number,
                )
                boxes = numpy.array([element["box"] for element in drawn]) - [*frame, *frame]
                one.append(numpy.column_stack([boxes, [element["opacity"] for element in drawn]]))
        return found

    alone, together = [moves(picture)[0] for picture in pictures], moves(*pictures)
    for first, second in zip(alone, together, strict=True):
        assert numpy.ptp(numpy.array(first), axis=0).max() > 0.5, "nothing moves"
        assert numpy.allclose(first, second, atol=0.01)
    context.close()


LEAVING = {
    "a loop": dict(text="Round and round", effect="drop", loop="infinite"),
    "a loop that leaves": dict(text="Round and round", effect="scramble", loop="infinite", exit="auto", cursor="bar"),
    "an exit": dict(text="Gone again", effect="fall", exit="auto"),
    "replace": dict(NEIGHBOURS, effect="morph"),
    "replace that leaves": dict(NEIGHBOURS, effect="slide", exit="auto", loop="infinite", cursor="block"),
    "replace that vanishes": dict(NEIGHBOURS, effect="fade", exit="none", loop=2),
}


@pytest.mark.parametrize("name", LEAVING)
def test_reduced_motion_shows_the_finished_text(server, chromium, name):
    request = dict(STYLE, **LEAVING[name])
    finished = pixels(server.render("png", **request, time="end").body)
    context = chromium.new_context(reduced_motion="reduce", device_scale_factor=1)
    page = context.new_page()
    page.set_viewport_size(dict(width=finished.shape[1], height=finished.shape[0]))
    page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
    shown = pixels(screenshot(page))
    assert page.evaluate("document.getAnimations().length") == 0
    assert mean_difference(finished, shown, BACKGROUND) < 12
    assert worst_block(finished, shown) <= 28
    context.close()


@pytest.mark.parametrize("effect", ["morph", "fade", "scramble", "rewrite"])
def test_what_replaces_ends_as_its_last_text_alone(server, chromium, effect):
    canvas = dict(STYLE, width=600, height=160, title="same")  # the same canvas for one text as for three
    replacing = dict(canvas, **NEIGHBOURS, effect=effect, cursor="bar", exit="auto", loop="infinite")
    last = dict(canvas, **NEIGHBOURS["blocks"][-1], effect=effect)
    alone = pixels(server.render("png", **last).body)
    assert (pixels(server.render("png", **replacing).body) == alone).all()
    assert (pixels(server.render("png", **replacing, animate=False, time=0.3).body) == alone).all()
    scene = server.render("json", **replacing, animate=False).json
    assert {(glyph["block"], glyph["opacity"][0]["value"]) for glyph in scene["glyphs"]} == {(0, 0), (1, 0), (2, 1)}
    assert all(len(glyph["opacity"]) == 1 and glyph["role"] == "glyph" for glyph in scene["glyphs"])
    assert (scene["duration"], scene["blocks"][-1]["enterEnd"], scene["blocks"][-1]["exitEnd"]) == (0, 0, None)
    page = chromium.new_page(device_scale_factor=1)
    page.set_viewport_size(dict(width=600, height=160))
    page.goto(server.url + server.render("svg", **replacing, animate=False).headers["Content-Location"])
    shown = pixels(screenshot(page))
    assert mean_difference(alone, shown, BACKGROUND) < 12
    assert worst_block(alone, shown) <= 28
    page.close()
