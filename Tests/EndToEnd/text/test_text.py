"""What becomes of a text: layout, markup, line breaks, escaping, warnings."""

import subprocess
import re
import xml.etree.ElementTree as ElementTree

import pytest

from picture import pixels

HOSTILE = """<script>alert(1)</script> "quotes' & ]]> <!-- --> &amp; \u202e"""
EXTERNAL = re.compile(
    rb"""(href|src)\s*=\s*["'](?!#|data:image/png;base64,)|url\(|@import|<script|on\w+\s*=|javascript:|<!DOCTYPE|<\?xml-""",
    re.I,
)
EFFECTS = ("typewriter", "reveal", "birdman", "fade", "slide", "none")


def glyphs(server, text, **request):
    request = dict(font="DejaVu Sans", cursor="none") | request
    return [glyph["text"] for glyph in server.render("json", text=text, **request).json["glyphs"]]


def warnings(server, **request):
    return [(w["code"], w.get("block")) for w in server.render("json", **request).json["warnings"]]


@pytest.mark.parametrize(
    "text, units",
    [
        ("office", ["o", "ffi", "c", "e"]),
        ("fflach", ["ffl", "a", "c", "h"]),
        ("e\u0301te\u0301", ["e\u0301", "t", "e\u0301"]),
        ("👩‍👩‍👧‍👦!", ["👩‍👩‍👧‍👦", "!"]),
        ("🇫🇷🇩🇪", ["🇫🇷", "🇩🇪"]),
        ("👍🏽a", ["👍🏽", "a"]),
        ("a b", ["a", " ", "b"]),
        ("שלום", list("שלום")),
        ("क्षि", ["क्षि"]),
        ("กำ", ["กำ"]),
        ("한국", ["한", "국"]),
        ("1️⃣", ["1️⃣"]),
    ],
)
def test_the_unit_is_what_a_reader_calls_a_letter(server, text, units):
    assert glyphs(server, text) == units


def test_lines_break_as_the_contract_says(server):
    block = server.render("json", text="a\r\nb\rc\u2028d\u2029e\n\nf").json["blocks"][0]
    assert block["text"] == "a\nb\nc\nd\ne\n\nf"
    assert len(block["lines"]) == 7
    assert block["lines"][5]["runs"] == [] and block["lines"][5]["rect"]["width"] == 0


def test_a_tab_is_four_spaces_before_markup_is_read(server):
    assert server.render("json", text="a\tb").json["blocks"][0]["text"] == "a    b"
    assert server.render("json", text="<b>a\tb</b>", markup=True).json["blocks"][0]["text"] == "a    b"


def test_markup_is_text_unless_asked_for(server):
    assert server.render("json", text="<b>x</b>").json["blocks"][0]["text"] == "<b>x</b>"


def test_markup_styles_runs_and_its_ranges_count_in_the_plain_text(server):
    markup = (
        "a<b>b</b><i>c</i><span foreground='#C02020'>d</span><span size='30pt'>e</span><tt>f</tt><u>g</u><s>h</s>"
        "x<sup>2</sup>x<sub>3</sub>&amp;&lt;&#x20AC;<big>B</big><small>S</small><span font='DejaVu Serif'>z</span>"
        "<span rise='5pt' letter_spacing='1024' font_features='liga=0' alpha='50%'>ffi</span>"
    )
    style = dict(font="DejaVu Sans", size=20, color="#24292f", cursor="none")
    scene = server.render("json", text=markup, markup=True, **style).json
    text = scene["blocks"][0]["text"]
    assert text == "abcdefghx2x3&<€BSzffi"
    units = text.encode("utf-16-le")
    for glyph in scene["glyphs"]:
        start, length = glyph["range"]["start"] * 2, glyph["range"]["length"] * 2
        assert units[start : start + length].decode("utf-16-le") == glyph["text"]
    fonts = {n: run["font"] for run in scene["blocks"][0]["lines"][0]["runs"] for n in run["glyphs"]}
    # Which family that is depends on the machine's fonts.
    monospace = subprocess.run(
        ["fc-match", "-f", "%{family[0]}", "monospace"], check=True, capture_output=True, text=True
    ).stdout
    assert [fonts[n] for n in range(6)] == [
        "DejaVu Sans 20px",
        "DejaVu Sans 700 20px",
        "DejaVu Sans italic 20px",
        "DejaVu Sans 20px",
        "DejaVu Sans 40px",
        f"{monospace} 20px",
    ]
    assert fonts[text.index("z")] == "DejaVu Serif 20px"
    assert [scene["glyphs"][n]["color"] for n in (0, 3, len(text) - 1)] == ["#24292f", "#c02020", "#24292f80"]
    assert [glyph["text"] for glyph in scene["glyphs"]][-3:] == ["f", "f", "i"]


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize(
    "text, markup",
    [(HOSTILE, False), ("👻 e\u0301 שלום", False), ("<u>a</u> <s>b</s> <span foreground='red'>c</span>", True)],
    ids=["hostile", "scripts", "markup"],
)
def test_an_svg_is_well_formed_and_loads_nothing(server, effect, text, markup):
    svg = server.render("svg", text=text, markup=markup, effect=effect, darkColor="#fff", darkBackground="#000").body
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and root.get("role") == "img"
    assert {"width", "height", "viewBox"} <= set(root.attrib)
    assert not EXTERNAL.search(re.sub(rb"<(title|desc)>.*?</\1>", b"", svg, flags=re.S))
    if not markup:
        assert root.find("{*}title").text == text


def test_title_and_description(server):
    def names(**request):
        root = ElementTree.fromstring(server.render("svg", **request).body)
        return root.findtext("{*}title"), root.findtext("{*}desc")

    assert names(blocks=[dict(text="one"), dict(text="<b>two</b>", markup=True)]) == ("one\ntwo", None)
    assert names(text="x", title=HOSTILE, description=HOSTILE[::-1]) == (HOSTILE, HOSTILE[::-1])


def test_animate_false_is_the_finished_text_still(server):
    request = dict(text="Still\nhere", effect="slide", background="#ffffff")
    still = server.render("json", **request, animate=False)
    assert still.json["duration"] == 0 and float(still.headers["Titlecard-Duration"]) == 0
    assert {(b["enterStart"], b["enterEnd"], b["exitStart"], b["exitEnd"]) for b in still.json["blocks"]} == {
        (0, 0, None, None)
    }
    for glyph in still.json["glyphs"]:
        assert [key["value"] for key in glyph["opacity"]] == [1] and not {
            "offsetX",
            "offsetY",
            "scale",
            "rotation",
        } & glyph.keys()
    svg = server.render("svg", **request, animate=False).body
    assert b"animation" not in svg and b"@keyframes" not in svg
    assert server.render("png", **request, animate=False).body == server.render("png", **request).body
    moving = server.render("json", **request).json
    assert [glyph["rect"] for glyph in moving["glyphs"]] == [glyph["rect"] for glyph in still.json["glyphs"]]


@pytest.mark.parametrize(
    "request_, expected",
    [
        (dict(text="x"), []),
        (dict(text="x", font="Comic Mono"), [("missing-font", 0)]),
        (dict(text="a\U0010fffd"), [("missing-glyph", 0)]),
        (dict(text="wide as can be", width=60, height=40), [("clipped", None)]),
        (dict(text="x", width=300, height=200), []),
        (dict(text="high\nas\ncan\nbe", height=60), [("clipped", None)]),
        (dict(blocks=[dict(text="x"), dict(text="y", font="Nope")]), [("missing-font", 1)]),
    ],
    ids=str,
)
def test_warnings(server, request_, expected):
    assert warnings(server, **request_) == expected


def test_a_missing_font_is_named_with_what_stands_in(server):
    message = server.render("json", text="x", font="Comic Mono").json["warnings"][0]["message"]
    assert message.startswith('no family "Comic Mono"; used ')


@pytest.mark.parametrize(
    "request_",
    [
        dict(text="f", italic=True, font="DejaVu Serif"),
        dict(text="fjord off", italic=True, font="DejaVu Serif", weight=700),
        dict(text="Ǻ\u0303\u0301\u0302", lineHeight=0.5),
        dict(text="jf", font="Liberation Serif", italic=True),
        dict(text="gÄ", lineHeight=0.5),
        dict(text="<u>x</u>", markup=True, lineHeight=0.5),
        dict(text="نستعلیق", font="Noto Nastaliq Urdu"),
        dict(text="x<sup>2</sup><span rise='20pt'>y</span>", markup=True),
        dict(text="Tight", letterSpacing=-12),
        dict(blocks=[dict(text="f", italic=True), dict(text="gj", lineHeight=0.5)], spacing=0),
        dict(text="👻", lineHeight=0.5),
        dict(text="<span rise='-20pt'>y</span>", markup=True),
    ],
    ids=lambda request: str(request.get("text", "blocks"))[:20],
)
def test_an_automatic_canvas_cuts_no_ink_off(server, request_):
    request = dict(request_, size=100, padding=0, background="#ffffff", color="#000000", effect="none")
    scale = 4
    picture = pixels(server.render("png", **request, scale=scale).body)
    wide = pixels(server.render("png", **{**request, "padding": 50}, scale=scale).body)
    inked, all_inked = ((255 - some).sum() for some in (picture, wide))
    assert picture.shape[0] == server.render("json", **request).json["height"] * scale
    assert abs(inked - all_inked) <= 0.0005 * all_inked, "ink is cut off"


@pytest.mark.parametrize(
    "text", ["two words here", "שלום עולם טוב", "无空格的长文本需要换行", "Donaudampfschifffahrtsgesellschaft"]
)
def test_a_given_width_wraps_and_loses_nothing(server, text):
    scene = server.render("json", text=text, width=150, padding=10).json
    lines = scene["blocks"][0]["lines"]
    assert len(lines) > 1 and scene["width"] == 150 and scene["warnings"] == []
    assert "".join(glyph["text"] for glyph in scene["glyphs"]) == text
    for line in lines:
        assert line["rect"]["x"] >= 10 - 0.01 and line["rect"]["x"] + line["rect"]["width"] <= 140 + 0.01
    ends = [glyph for glyph in scene["glyphs"] if glyph["whitespace"] and glyph["rect"]["width"] == 0]
    assert len(ends) == (len(lines) - 1 if " " in text else 0)


@pytest.mark.parametrize(
    "align, expected", [("left", 10), ("center", None), ("right", "end"), ("start", 10), ("end", "end")]
)
def test_alignment(server, align, expected):
    rect = server.render("json", text="x", width=200, padding=10, align=align).json["blocks"][0]["lines"][0]["rect"]
    positions = {10: 10, None: 100 - rect["width"] / 2, "end": 190 - rect["width"]}
    assert rect["x"] == pytest.approx(positions[expected], abs=0.01)


def test_alignment_by_direction(server):
    for align, side in (("start", "right"), ("end", "left")):
        own, absolute = (server.render("json", text="שלום", width=200, align=a).json["glyphs"] for a in (align, side))
        assert own == absolute


@pytest.mark.parametrize("valign, share", [("top", 0), ("middle", 0.5), ("bottom", 1)])
def test_vertical_alignment(server, valign, share):
    rect = server.render("json", text="x", height=200, padding=10, valign=valign).json["blocks"][0]["rect"]
    assert rect["y"] == pytest.approx(10 + share * (180 - rect["height"]), abs=0.01)


def test_blocks_are_stacked_with_their_spacing(server):
    first, second = server.render("json", blocks=[dict(text="a", size=20), dict(text="b\nc", size=60)], spacing=7).json[
        "blocks"
    ]
    assert second["rect"]["y"] == pytest.approx(first["rect"]["y"] + first["rect"]["height"] + 7, abs=0.01)
    assert second["rect"]["height"] == pytest.approx(2 * 60 * 1.2, abs=0.01)


def test_letter_spacing_goes_half_to_each_side(server):
    near, far = (
        [glyph["rect"]["width"] for glyph in server.render("json", text="abc", effect="none", letterSpacing=n).json["glyphs"]]
        for n in (0, 10)
    )
    assert [b - a for a, b in zip(near, far)] == pytest.approx([5, 10, 5], abs=0.01)


@pytest.mark.parametrize("scale, width", [(0.5, 46), (1, 91), (1.5, 137), (4, 364)])
def test_a_picture_has_the_pixels_that_scale_asks_for(server, scale, width):
    assert pixels(server.render("png", text="x", width=91, height=31, scale=scale).body).shape[1] == width
