"""`flap`: letters turn over as on a departure board, each from letters before it in its alphabet."""

import math

import pytest

import check
import reference as R
from browser_motion import BACKGROUND, faults_of_motion
from exact import wrong_frames
from frames import answer, by_pillow

COMMON = dict(effect="flap", font="DejaVu Sans", size=48, color="#24292f", padding=20)
COMMON |= dict(background="#%02x%02x%02x" % BACKGROUND)
TIMED = dict(tick=0.2, interval=0.1)


class Board:
    """The halves that show in the place of the first letter of a text."""

    def __init__(self, server, **request):
        self.scene = server.render("json", **{**COMMON, **TIMED, **request}).json
        self.letter = self.scene["glyphs"][0]
        self.halves = [glyph for glyph in self.scene["glyphs"] if glyph.get("glyph") == 0]

    def shown(self, time):
        """(text, scaleY) of the upper and of the lower half at a time; none while nothing or the letter shows."""
        found = [half for half in self.halves if R.value_at(check.track_of(half, "opacity"), time) == 1]
        found.sort(key=lambda half: half["clip"][0]["y"])
        return [(half["text"], R.value_at(check.track_of(half, "scaleY"), time)) for half in found]

    def texts(self, until):
        """The texts that show before a time, each once while it stays."""
        texts = [self.shown(time / 1000)[0][0] for time in range(1, int(until * 1000)) if self.shown(time / 1000)]
        return "".join(text for index, text in enumerate(texts) if index == 0 or text != texts[index - 1])


@pytest.mark.parametrize(
    ("request_", "passes"),
    [
        (dict(text="D", charset="ABCDEF", flaps=3), "ABCD"),
        (dict(text="B", charset="ABCDEF", flaps=3), "EFAB"),
        (dict(text="x", charset="ABC", flaps=2), "BCx"),
        (dict(text="A", charset="ABC", flaps=4), "BCBCA"),
        (dict(text="A", charset="ABC", flaps=0), "A"),
        (dict(text="A", charset="A", flaps=3), "A"),
    ],
)
def test_letters_before_it_pass_and_then_itself(server, request_, passes):
    board = Board(server, **request_)
    assert board.texts(until=(len(passes) + 1) * 0.2) == passes
    end = len(passes) * 0.2
    assert board.scene["blocks"][0]["enterEnd"] == pytest.approx(end)
    for time, opacity in ((end - 0.01, 0), (end, 1)):
        assert R.value_at(check.track_of(board.letter, "opacity"), time) == opacity
    assert board.shown(end + 0.001) == []


@pytest.mark.parametrize("more", [{}, dict(speed=2), dict(exit="auto")])
def test_halves_fold_and_unfold(server, more):
    board = Board(server, text="C", charset="ABC", flaps=2, **more)
    speed = more.get("speed", 1)
    for number, text in enumerate("ABC"):
        start = number * 0.2
        tracks = R.flap_halves(start, 0.2, last=text == "C")
        for time in (start + 0.11, start + 0.15, start + 0.19, start + 0.21, start + 0.25, start + 0.29):
            if text == "C" and time > start + 0.2:
                continue
            shown = board.shown(time / speed)
            assert [text for text, _ in shown] == [text] * 2, time
            for (_, scale), track in zip(shown, tracks):
                assert scale == pytest.approx(R.value_at(track, time), abs=0.01), (text, time)


def test_an_exit_turns_the_letters_back(server):
    board = Board(server, text="C", charset="ABC", flaps=2, exit="auto", hold=1)
    block = board.scene["blocks"][0]
    assert block["exitEnd"] - block["exitStart"] == pytest.approx(0.6)
    times = [block["exitStart"] + share * 0.6 for share in (0.1, 0.3, 0.6)]
    assert [board.shown(time)[0][0] for time in times] == ["C", "B", "A"]


def test_halves_meet_at_the_middle_and_cast_no_shadow(server):
    board = Board(server, text="M", flaps=3, shadow="2px 2px #00f")
    middle = math.floor(board.letter["rect"]["y"] + board.letter["rect"]["height"] / 2 + 0.5)
    for half in board.halves:
        box = half["clip"][0]
        assert middle in (pytest.approx(box["y"]), pytest.approx(box["y"] + box["height"]))
        assert check.track_of(half, "shadowOpacity") == [(0, 0, R.LINEAR)]
    assert {half["role"] for half in board.halves} == {"decoy", "slice"}


@pytest.mark.parametrize("text", ["Qx7?", "ΩλЖщ", "אシ한"])
def test_each_letter_has_the_alphabet_of_its_script(server, text):
    glyphs = server.render("json", text=text, **COMMON).json["glyphs"]
    decoys = [glyph for glyph in glyphs if glyph["role"] == "decoy"]
    assert {decoy["glyph"] for decoy in decoys} == set(range(len(text)))
    for decoy in decoys:
        assert decoy["text"] in R.class_of(text[decoy["glyph"]]) and decoy["text"] != text[decoy["glyph"]]


CASES = {
    "letters": dict(text="To 7\nB"),
    "a gradient": dict(text="Gate", color="linear-gradient(90deg, #cf222e, #0969da)", gradientBox="glyph"),
    "an outline and a shadow": dict(text="Gate", outlineWidth=3, outlineColor="#0969da", shadow="3px 3px #0006"),
    "on a path": dict(text="Round", path="arc(150deg)"),
    "from right to left": dict(text="שלום 5"),
}


@pytest.mark.parametrize("name", CASES)
def test_chromium_shows_it(server, page, name):
    # Chromium smooths the edges of masked elements, of which large letters have few.
    request = {**COMMON, "size": 120, **CASES[name], "exit": "auto", "hold": 0.3}
    faults = list(faults_of_motion(server, page, request))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("format", ["apng", "webp"])
def test_every_frame_is_the_png_of_its_start(server, format):
    request = {**COMMON, "text": "B4", "size": 32, "exit": "auto", "hold": 0.2}
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


@pytest.mark.parametrize(("name", "value"), [("flaps", 21), ("flaps", -1), ("tick", 0), ("charset", " "), ("charset", "")])
def test_bad_values_are_named(server, name, value):
    problem = server.post("/render.json", {**COMMON, "text": "A", name: value})
    assert problem.status == 400 and [error["parameter"] for error in problem.json["errors"]] == [name]
