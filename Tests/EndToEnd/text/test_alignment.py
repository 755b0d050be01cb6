"""Where lines stand across the canvas."""

import re
from urllib.parse import quote

import pytest

ALIGNMENTS = ["left", "center", "right", "start", "end"]
HEBREW = "שלום עולם זה טקסט ארוך יותר מהתמונה שלו"
LATIN = "A text that is longer than its picture is wide"


def line(server, text, **parameters):
    setting = dict(text=text, width=200, padding=20, effect="none", wrap="none") | parameters
    return server.render("json", **setting).json["blocks"][0]["lines"][0]["rect"]


@pytest.mark.parametrize("align", ALIGNMENTS)
@pytest.mark.parametrize("effect", ["none", "marquee"])
def test_lines_that_are_too_long_keep_their_beginning(server, align, effect):
    rect = line(server, LATIN, align=align, effect=effect)
    assert rect["width"] > 160 and rect["x"] == pytest.approx(20)
    rect = line(server, HEBREW, align=align, effect=effect)
    assert rect["width"] > 160 and rect["x"] + rect["width"] == pytest.approx(180)


@pytest.mark.parametrize("align", ALIGNMENTS)
def test_a_word_that_is_too_long_keeps_its_beginning(server, align):
    """A line of one letter that is wider than the canvas."""
    rect = line(server, "ש", width=20, padding=5, size=64, wrap="normal", align=align)
    assert rect["width"] > 10 and rect["x"] + rect["width"] == pytest.approx(15)


@pytest.mark.parametrize("center", ["true", "false"])
def test_lines_of_typing_keep_their_beginning(server, center):
    svg = server.get(f"/?lines={quote(HEBREW)}&width=200&center={center}").text
    left, scale = re.search(r"translate\(([-\d.]+) [-\d.]+\)scale\(([\d.]+)\)", svg).groups()
    places = [float(left) + float(x) * float(scale) for x in re.findall(r'<use[^>]* x="([-\d.]+)"', svg)]
    # The first letter stands at the right edge, the last one beyond the left one.
    assert 150 < max(places) < 200 and min(places) < 0


@pytest.mark.parametrize("align", ["center", "end", "right"])
def test_spaces_at_the_end_of_a_line_do_not_count(server, align):
    def first(text):
        glyphs = server.render("json", text=text, width=300, effect="none", align=align).json["glyphs"]
        return glyphs[0]["rect"]["x"]

    assert first("Hello   ") == pytest.approx(first("Hello"))
    assert first("Hello\u3000\nto you") == pytest.approx(first("Hello\nto you"))
    # No-break spaces belong to the text.
    assert first("Hello\u00a0") < first("Hello")


@pytest.mark.parametrize("align", ["center", "end", "left"])
def test_spaces_at_the_end_of_a_line_from_right_to_left_do_not_count(server, align):
    def first(text):
        glyphs = server.render("json", text=text, width=300, effect="none", align=align).json["glyphs"]
        return glyphs[0]["rect"]["x"]

    assert first("שלום   ") == pytest.approx(first("שלום"))
