"""Colours of markup within a cluster: what a glyph of its own draws has its colour, and nothing changes its shape."""

import pytest

from picture import pixels

OWN = "#24292f"
RED = '<span foreground="#ff0000">{}</span>'
# Of every script a word, of which every second character gets a colour.
WORDS = {
    "Arabic": ("مُحَمَّد لا", "Noto Naskh Arabic"),
    "Urdu": ("پاکستان", "Noto Nastaliq Urdu"),
    "Hebrew": ("בְּרֵאשִׁית", "Noto Serif Hebrew"),
    "Devanagari": ("हिन्दी क्षत्रिय", "Noto Sans Devanagari"),
    "Bengali": ("কবিতা স্বাধীন", "Noto Sans Bengali"),
    "Tamil": ("கொடு தமிழ்", "Noto Sans Tamil"),
    "Malayalam": ("കൊട്ടാരം", "Noto Sans Malayalam"),
    "Thai": ("น้ำ ที่นี่", "Noto Sans Thai"),
    "Khmer": ("ភាសាខ្មែរ", "Noto Sans Khmer"),
    "Burmese": ("ကြောင့်", "Noto Sans Myanmar"),
    "Latin": ("e\u0323\u0301 a\u0308\u0304", "Noto Sans"),
}


def scene(server, markup, **request):
    return server.render("json", text=markup, markup=True, color=OWN, **request).json


def drawn(document):
    """The text and the colours of each item, that of the glyph first, then those of its parts."""
    items = [[glyph["text"], glyph["color"]] for glyph in document["glyphs"] if glyph["role"] == "glyph"]
    for glyph in document["glyphs"]:
        if glyph["role"] == "part":
            items[glyph["glyph"]].append(glyph["color"])
    return [tuple(item) for item in items]


def codes(document):
    return [warning["code"] for warning in document["warnings"]]


@pytest.mark.parametrize(
    "before, colored, font, item",
    [
        ("ह", "ि", "Noto Sans Devanagari", "हि"),
        ("ক", "ি", "Noto Sans Bengali", "কি"),
        ("น", "้", "Noto Sans Thai", "น้"),
        ("م", "ُ", "Noto Naskh Arabic", "مُ"),
        ("e", "\u0323", "Noto Sans", None),
    ],
)
def test_a_mark_with_a_glyph_of_its_own_has_its_colour(server, before, colored, font, item):
    document = scene(server, before + RED.format(colored), font=font, effect="slide")
    if item is None:
        # One glyph draws both.
        assert codes(document) == ["one-colour"] and drawn(document) == [(before + colored, OWN)]
        return
    assert drawn(document) == [(item, OWN, "#ff0000")]
    assert codes(document) == []
    # It moves as its glyph does.
    glyph, part = document["glyphs"]
    assert {name: glyph[name] for name in ("opacity", "offsetY", "rect", "baseline") if name in glyph} == {
        name: part[name] for name in ("opacity", "offsetY", "rect", "baseline") if name in part
    }


@pytest.mark.parametrize("script", WORDS)
def test_nothing_changes_its_shape_or_place_by_colour(server, script):
    text, font = WORDS[script]
    common = dict(font=font, size=60, effect="none")
    plain = server.render("png", text=text, color=OWN, **common)
    # A colour that is another one for the service, and looks the same.
    markup = "".join(f'<span foreground="#24292e">{c}</span>' if n % 2 else c for n, c in enumerate(text))
    colored = server.render("png", text=markup, markup=True, color=OWN, **common)
    first, second = pixels(plain.body).astype(int), pixels(colored.body).astype(int)
    assert first.shape == second.shape
    different = abs(first - second).max(axis=2)
    # Where two parts touch, their edges lie over each other.
    assert (different > 130).sum() == 0 and (different > 32).mean() < 0.002


def test_what_one_glyph_draws_is_named_by_the_warning(server):
    document = scene(server, "क्" + RED.format("ष") + " हिन्दी", font="Noto Sans Devanagari", effect="none")
    (warning,) = document["warnings"]
    assert warning["code"] == "one-colour" and warning["block"] == 0
    assert warning["message"] == 'one glyph draws "क्ष" (U+915 U+94D U+937), in the first one\'s colour'
    assert drawn(document)[0] == ("क्ष", OWN)
    assert codes(scene(server, "ل" + RED.format("ا"), font="DejaVu Sans", effect="none")) == ["one-colour"]


@pytest.mark.parametrize(
    "font, before, colored, count",
    [
        ("Noto Sans", "f", "fi", 2), ("Noto Sans", "ff", "i", 2), ("Noto Serif", "f", "i", 2),
        ("Fira Code", "-", ">", 2), ("Inter", "-", ">", 2), ("DejaVu Sans", "մ", "ն", 2),
    ],
)  # fmt: skip
def test_no_ligature_is_made_across_a_change_of_colour(server, font, before, colored, count):
    document = scene(server, before + RED.format(colored), font=font, effect="none", outlines=True)
    assert codes(document) == []
    glyphs = document["glyphs"]
    assert len(glyphs) == count and all("outline" in glyph for glyph in glyphs)
    assert [glyph["color"] for glyph in glyphs] == [OWN, "#ff0000"]
    assert "".join(glyph["text"] for glyph in glyphs) == before + colored


def test_letters_that_make_no_ligature_are_kerned_across_a_change_of_colour(server):
    def rects(text):
        return [glyph["rect"] for glyph in scene(server, text, font="DejaVu Sans", effect="none")["glyphs"]]

    assert rects("AV" + RED.format("A") + "TA") == rects("AVATA")


@pytest.mark.parametrize("format", ["svg", "gif", "png", "lottie"])
@pytest.mark.parametrize("effect", ["none", "slide", "scramble", "glitch", "marquee"])
def test_every_format_takes_parts(server, format, effect):
    markup = "ह" + RED.format("ि") + "न् कि"
    answer = server.render(format, text=markup, markup=True, effect=effect, font="Noto Sans Devanagari")
    assert answer.status == 200
    if format == "svg":
        assert b"#f00" in answer.body or b"#ff0000" in answer.body or b"red" in answer.body


def test_a_part_is_replaced_with_its_glyph_by_a_decoy(server):
    document = scene(server, "ह" + RED.format("ि"), effect="scramble", font="Noto Sans Devanagari")
    glyph, part = (next(g for g in document["glyphs"] if g["role"] == role) for role in ("glyph", "part"))
    assert part["opacity"] == glyph["opacity"]


def test_glyphs_that_axes_change_have_one_colour(server):
    request = dict(effect="custom", keyframes=[{"axes": {"wght": 100}}])
    document = scene(server, "e" + RED.format("\u0331"), font="Inter", **request)
    assert [glyph["role"] for glyph in document["glyphs"] if glyph["role"] == "part"] == []
    assert codes(document) == ["one-colour"]
