"""A text that is edited into the next one: what stays is there throughout, once, in every format."""

import io

import numpy
import pytest
from PIL import Image

import check
from browser_motion import BACKGROUND, faults_of_motion
from exact import wrong_frames
from frames import answer, by_pillow
from picture import mean_difference, pixels, worst_block

R, track_of = check.R, check.track_of

OLD = "func area(width: Int) {\n    return width * width\n}"
NEW = "func area(width: Int, height: Int) {\n    guard height > 0 else { return 0 }\n    return width * height\n}"
LAST = "func size(width: Int) {\n    // TODO\n}"
COMMON = dict(effect="rewrite", sequence="replace", valign="top", background="#%02x%02x%02x" % BACKGROUND)
CODE = dict(COMMON, blocks=[dict(text=OLD), dict(text=NEW), dict(text=LAST)], codeLanguage="swift", font="JetBrains Mono")
CASES = {
    "code": dict(CODE, size=64, interval=0.1),
    "numbers beside lines": dict(CODE, size=64, interval=0.1, lineNumbers=True, valign="middle"),
    "words": dict(COMMON, size=64, blocks=[dict(text="Fast and furious"), dict(text="Fast, <u>not  furious</u>", markup=True)]),
    "shadows": dict(COMMON, size=64, blocks=[dict(text="one two"), dict(text="two\none", color="#cf222e")], outlineWidth=3,
                    outlineColor="#ffffff", shadow="3px 4px 0 #0008", padding=40),
    "springs": dict(COMMON, size=64, blocks=[dict(text="left right"), dict(text="right\nleft right")], easing="spring(0.4)",
                    duration=1.5, fadeDuration=0.6),
    "right to left": dict(COMMON, size=64, blocks=[dict(text="שלום לך"), dict(text="שלום גם לך\n👻")]),
}  # fmt: skip


def change(scene, block=1):
    """The start of a change into a block, when all has moved, and when all is typed."""
    before, after = scene["blocks"][block - 1], scene["blocks"][block]
    assert before["exitStart"] == after["enterStart"]
    return before["exitStart"], before["exitEnd"], after["enterEnd"]


def shown(scene, time, block):
    """The text of the glyphs of a block that show at a time, line by line."""
    lines = {}
    for glyph in scene["glyphs"]:
        if glyph["role"] == "glyph" and glyph["block"] == block and R.value_at(track_of(glyph, "opacity"), time) > 0:
            lines[glyph["line"]] = lines.get(glyph["line"], "") + glyph["text"]
    return [line.strip() for _, line in sorted(lines.items())]


def test_what_both_versions_have_stays(server):
    scene = server.render("json", **CODE).json
    start, moved, typed = change(scene)
    assert shown(scene, start - 0.01, 0) == OLD.replace("    ", "").split("\n")
    assert shown(scene, start + 0.01, 1) == ["func area(width: Int) {", "return width *", "}"]
    assert shown(scene, start + 0.01, 0) == ["width"], "what is gone"
    assert shown(scene, moved + 0.01, 0) == []
    assert shown(scene, typed, 1) == NEW.replace("    ", "").split("\n")


def test_it_is_typed_in_the_order_of_reading(server):
    scene = server.render("json", **CODE, interval=0.1).json
    _, moved, typed = change(scene)
    glyphs = [glyph for glyph in scene["glyphs"] if glyph["role"] == "glyph" and glyph["block"] == 1]
    appearances = [(glyph["opacity"][1]["time"], glyph) for glyph in glyphs if glyph["opacity"][1]["time"] > moved]
    assert [time for time, _ in appearances] == sorted(time for time, _ in appearances)
    new = [glyph["text"] for _, glyph in appearances]
    assert "".join(new) == ", height: Int    guard height > 0 else { return 0 } height"
    assert typed == pytest.approx(moved + 0.1 * (len(new) - 4 + 1), abs=1e-3), "indentation takes no time"


def test_a_line_moves_as_one(server):
    scene = server.render("json", **CODE).json
    moves = {}
    for glyph in scene["glyphs"]:
        if glyph["role"] == "glyph" and glyph["block"] == 1 and "offsetY" in glyph:
            moves.setdefault(glyph["line"], []).append((str(glyph["offsetY"]), "offsetX" in glyph))
    assert {line: len({*tracks}) for line, tracks in moves.items()} == {2: 1, 3: 1}


def test_an_svg_has_few_motions(server):
    """Lines that move share their keyframes."""
    lines = "\n".join(f"line number {number}" for number in range(20))
    request = dict(COMMON, blocks=[dict(text=lines), dict(text="first\n" + lines)])
    svg = server.render("svg", **request).text
    assert svg.count("@keyframes") < 12
    assert len(svg) < len(server.render("svg", **request | dict(effect="typewriter")).text)


def test_a_colour_changes_while_the_token_moves(server):
    blocks = [dict(text="a name here", color="#ff0000"), dict(text="here", color="#0000ff")]
    scene = server.render("json", **dict(COMMON, blocks=blocks, duration=1)).json
    start, moved, _ = change(scene)
    old = [glyph for glyph in scene["glyphs"] if glyph["block"] == 0 and glyph["text"] in "here"][-4:]
    new = [glyph for glyph in scene["glyphs"] if glyph["block"] == 1]
    for share in (0.1, 0.5, 0.9):
        time = moved - 1 + share
        for one, other in zip(old, new):
            places = [glyph["rect"]["x"] + R.value_at(track_of(glyph, "offsetX"), time) for glyph in (one, other)]
            assert abs(places[0] - places[1]) < 0.01, "in one place"
            assert R.value_at(track_of(one, "opacity"), time) == 1
            assert R.value_at(track_of(other, "opacity"), time) == pytest.approx(share, abs=0.01)


def test_numbers_beside_lines_stay(server):
    scene = server.render("json", **CODE, lineNumbers=True).json
    start, _, typed = change(scene)
    numbers = [[glyph for glyph in scene["glyphs"] if glyph["role"] == "line-number" and glyph["block"] == block] for block in (0, 1)]
    for one, other in zip(*numbers):
        assert one["text"] == other["text"] and one["rect"] == other["rect"]
        assert R.value_at(track_of(other, "opacity"), start + 0.001) == 1
    assert len(numbers[1]) == 4, "the last one comes with its line"
    assert R.value_at(track_of(numbers[1][3], "opacity"), start + 0.001) == 1, "which moves there"
    for time in (start - 0.01, start + 0.01, typed):
        seen = {(glyph["text"], glyph["rect"]["y"]) for glyph in sum(numbers, []) if R.value_at(track_of(glyph, "opacity"), time)}
        assert {"1", "2", "3"} <= {text for text, _ in seen} and len(seen) == len({text for text, _ in seen}), time


def test_other_numbers_come_with_their_lines(server):
    blocks = [dict(CODE["blocks"][0], firstLine=7), dict(CODE["blocks"][1], firstLine=20)]
    scene = server.render("json", **dict(CODE, blocks=blocks), lineNumbers=True).json
    first = {glyph["line"]: glyph["opacity"] for glyph in reversed(scene["glyphs"]) if glyph["role"] == "glyph" and glyph["block"] == 1}
    numbers = [glyph for glyph in scene["glyphs"] if glyph["role"] == "line-number" and glyph["block"] == 1]
    assert [glyph["text"] for glyph in numbers] == list("20212223")
    for glyph in numbers:
        assert glyph["opacity"] == first[glyph["line"]] and "offsetX" not in glyph and "offsetY" not in glyph


@pytest.mark.parametrize("way", [{}, dict(loop="infinite", exit="auto", hold=0.4)], ids=["once", "looping"])
@pytest.mark.parametrize("name", CASES)
def test_chromium_shows_it(server, page, name, way):  # noqa: F811
    faults = list(faults_of_motion(server, page, {**CASES[name], **way}))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", CASES)
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = {**CASES[name], "size": 24, "hold": 0.3}
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


def test_a_gif_ends_with_the_last_version(server):
    request = {**CASES["code"], "size": 24, "hold": 0.3}
    gif = Image.open(io.BytesIO(server.render("gif", **request).body))
    gif.seek(gif.n_frames - 1)
    last = numpy.asarray(gif.convert("RGB")).astype(float)
    painted = pixels(server.render("png", **request).body)
    assert mean_difference(painted, last, BACKGROUND) < 12 and worst_block(painted, last) < 16


def test_no_change_takes_too_much(server):
    """Two versions as long as a request may be, of signs that are all alike: refused by what they cost, or drawn."""
    signs = "\n".join([".,;:" * 12] * 20)
    reply = server.post("/render.json", dict(COMMON, blocks=[dict(text=signs), dict(text=signs[::-1])], interval=0.001))
    assert reply.status == 200
    moving = dict(COMMON, blocks=[dict(text=signs), dict(text=signs[1:])], easing="steps(100)", interval=0.001)
    reply = server.post("/render.json", moving)
    assert reply.status in (200, 422)
