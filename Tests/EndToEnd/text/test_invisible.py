"""Characters that draw nothing: they shape the text, and are items of no effect."""

import pytest

# Zero-width space, directions, soft hyphen, word joiner, invisible operators, isolates, no-break space of no width, and
# variation selectors that select nothing.
INVISIBLE = "\u200b\u200e\u200f\u00ad\u2060\u2061\u2062\u2063\u2064\u2066\u2069\ufeff"
# What decides the direction of a text that begins with it, and so where its glyphs are.
DIRECTION = "\u200f"
NEEDED = {"custom": {"keyframes": [{"opacity": 0}]}}


def scene(server, **request):
    return server.render("json", **request).json


def without(document, *keys):
    return [{key: value for key, value in glyph.items() if key not in keys} for glyph in document["glyphs"]]


@pytest.mark.parametrize("character", INVISIBLE)
def test_every_effect_takes_the_time_that_it_takes_without_them(server, character):
    text = f"{character}A{character}b, {character}c 1{character}2{character}"
    for effect in (entry["name"] for entry in server.get("/effects").json["effects"]):
        request = dict(effect=effect, exit="auto", **NEEDED.get(effect, {}))
        plain, hidden = (scene(server, text=each, **request) for each in ("Ab, c 12", text))
        if (effect, character) == ("marquee", DIRECTION):
            # Its time follows the width of the line, in which other letters stand side by side: 80 px take a second.
            longer = (hidden["width"] - plain["width"]) / 80
            assert hidden["duration"] - plain["duration"] == pytest.approx(longer)
            assert [glyph["text"] for glyph in hidden["glyphs"]] == [glyph["text"] for glyph in plain["glyphs"]]
            continue
        assert hidden["duration"] == plain["duration"], effect
        moved = ("rect", "clip", "offsetX", "drawOrigin", "gradientRect") if character == DIRECTION else ()
        assert without(hidden, "range", *moved) == without(plain, "range", *moved), effect


def test_ranges_count_them(server):
    text = "a\u200bb\U000e0100\u00adc"
    glyphs = scene(server, text=text, effect="typewriter", cursor="none")["glyphs"]
    units = text.encode("utf-16-le")
    for glyph in glyphs:
        start, length = glyph["range"]["start"] * 2, glyph["range"]["length"] * 2
        assert units[start : start + length].decode("utf-16-le") == glyph["text"]
    assert [glyph["text"] for glyph in glyphs] == ["a", "b\U000e0100", "c"]


def test_they_decide_where_lines_end(server):
    lines = scene(server, text="aaaa\u200bbbbb", size=32, width=130, effect="none")["glyphs"]
    assert {glyph["text"]: glyph["line"] for glyph in lines} == {"a": 0, "b": 1}


def test_a_soft_hyphen_at_which_a_line_ends_is_an_item(server):
    glyphs = scene(server, text="extra\u00adordinary", size=32, width=150, effect="typewriter", cursor="none")["glyphs"]
    assert [glyph["text"] for glyph in glyphs if glyph["line"] == 0] == [*"extra", "\u00ad"]


@pytest.mark.parametrize("text", ["\u200b", " \u200e\u2066\u2069 ", "\u00ad", "\ufe0f", "\u3164", "\ufeff\n"])
def test_a_text_of_nothing_else_is_as_an_empty_one(server, text):
    for request in (dict(text=text), dict(text=f"<b>{text}</b>", markup=True)):
        answer = server.post("/render.svg", request)
        assert (answer.status, answer.faults) == (400, ["text"])


def test_no_decoy_is_invisible(server):
    answer = server.post("/render.json", dict(text="ab", effect="scramble", charset="0\u200b1"))
    assert (answer.status, answer.faults) == (400, ["charset"])


@pytest.mark.parametrize("markup", [False, True])
def test_the_character_of_pictures_is_replaced_in_requests(server, markup):
    document = scene(server, text="a\ufffcb", markup=markup, effect="none")
    assert document["blocks"][0]["text"] == "a\ufffdb"
    assert [glyph["text"] for glyph in document["glyphs"]] == ["a", "\ufffd", "b"]
