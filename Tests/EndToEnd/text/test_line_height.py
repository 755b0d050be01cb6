"""How high lines are, and ink of two lines that overlaps."""

import io

import numpy
import pytest
from PIL import Image

from line_samples import SAMPLES

TALL = {"Nastaliq", "Tibetan", "Myanmar", "Khmer", "Balinese", "Javanese"}
# Without the deepest forms, which reach below what the fonts of Khmer say.
USUAL = {"Khmer": "អានសៀវភៅនៅក្នុងបណ្ណាល័យ"}
FONTS = {"Nastaliq": "Noto Nastaliq Urdu", "Arabic": "Noto Naskh Arabic"}
SIZE = 48


def request(script, text, **parameters):
    fonts = {"font": FONTS[script]} if script in FONTS else {}
    return dict(text=text, size=SIZE, effect="none", room="none") | fonts | parameters


def codes(document):
    return {warning["code"] for warning in document["warnings"]}


def coverage(server, **parameters):
    picture = Image.open(io.BytesIO(server.render("png", **parameters).body)).convert("RGBA")
    return numpy.asarray(picture)[:, :, 3]


@pytest.mark.parametrize("script", sorted(TALL))
def test_lines_of_tall_scripts_have_room(server, script):
    words = USUAL.get(script, SAMPLES[script])
    document = server.render("json", **request(script, f"{words}\n{words}")).json
    assert "lines-overlap" not in codes(document)
    first, second = document["blocks"][0]["lines"]
    assert first["rect"]["height"] > 1.2 * SIZE
    # A row without ink is between them.
    between = coverage(server, **request(script, f"{words}\n{words}"))[round(first["baseline"]) : round(second["baseline"])]
    assert (between.max(axis=1) == 0).any()


@pytest.mark.parametrize("script", sorted(SAMPLES.keys() - TALL))
def test_lines_of_other_scripts_are_as_high_as_they_were(server, script):
    words = SAMPLES[script]
    text = f"{words}\n{words}"
    document = server.render("json", **request(script, text)).json
    assert [line["rect"]["height"] for line in document["blocks"][0]["lines"]] == pytest.approx([1.2 * SIZE] * 2)
    plain = server.render("png", **request(script, text)).body
    assert server.render("png", **request(script, text, lineHeight=1.2)).body == plain


def test_only_lines_with_tall_scripts_are_higher(server):
    lines = server.render("json", **request("Latin", "Latin\nខ្ញុំ\nLatin and ខ្ញុំ\nagain")).json["blocks"][0]["lines"]
    heights = [line["rect"]["height"] for line in lines]
    assert heights[0] == heights[3] == pytest.approx(1.2 * SIZE)
    assert heights[1] > 1.2 * SIZE and heights[2] > 1.2 * SIZE


def test_a_number_is_the_height_in_every_script(server):
    lines = server.render("json", **request("Khmer", "ខ្ញុំ", lineHeight=1.2)).json["blocks"][0]["lines"]
    assert lines[0]["rect"]["height"] == pytest.approx(1.2 * SIZE)


def test_auto_is_the_default(server):
    plain = server.render("svg", text="Hello")
    auto = server.render("svg", text="Hello", lineHeight="auto")
    assert auto.headers["content-location"] == plain.headers["content-location"]
    answer = server.post("/render.svg", dict(text="Hello", lineHeight="high"))
    assert answer.status == 400 and answer.faults == ["lineHeight"]


@pytest.mark.parametrize(
    "upper, lower", [("gjpqy", "ÅÉÑŐ"), ("aaa", "xxx"), ("g", "  Å"), ("ญฎฏู", "ที่ น้ำ"), ("__", "‾"), ("////", "\\\\\\")]
)
def test_ink_of_two_lines_that_overlaps_is_told(server, upper, lower):
    """As the pixels of either line alone have it."""
    seen = set()
    for height in (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5):
        setting = dict(lineHeight=height, width=400, height=300, valign="top")
        both = server.render("json", **request("Latin", f"{upper}\n{lower}", **setting)).json
        parts = [coverage(server, **request("Latin", text, **setting)) for text in (f"{upper}\n.", f"-\n{lower}")]
        dot = coverage(server, **request("Latin", "-\n.", **setting))
        shared = numpy.minimum(*[numpy.where(dot > 0, 0, part) for part in parts]).max()
        # What covers a small part of a pixel may be beside it.
        if 0 < shared < 128:
            continue
        seen.add(bool(shared))
        assert ("lines-overlap" in codes(both)) == bool(shared), (height, shared)
    assert seen


def test_blocks_are_looked_at_one_by_one(server):
    blocks = [dict(text="one"), dict(text="gjpqy\nÅÉÑŐ", lineHeight=0.6)]
    warnings = server.render("json", blocks=blocks, effect="none").json["warnings"]
    found = [warning for warning in warnings if warning["code"] == "lines-overlap"]
    assert [(warning["block"], "lines 1 and 2" in warning["message"]) for warning in found] == [(1, True)]
