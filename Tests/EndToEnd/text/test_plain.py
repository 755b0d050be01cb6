"""A request that says nothing but its text is read anywhere, and stands within four seconds; 0.3's defaults come back."""

import io

import numpy
import pytest
from PIL import Image

from catalogue import catalogue_of
from legibility import contrast
from plain_texts import TEXTS
from service import query

PLAIN, DARK, LIGHT = "#2277dd", "#24292f", "#f0f6fc"
EARLIER = dict(
    font="DejaVu Sans", size=32, weight=400, color=DARK, cursor="none", maxWidth="none", wrap="normal", poster="start",
    firstLine=1,
)  # fmt: skip


def scene(server, **request):
    return server.render("json", **request).json


def colors(server, **request):
    """The colours of the letters, for light and for dark, where the latter differ."""
    glyphs = [glyph for glyph in scene(server, **request)["glyphs"] if glyph["role"] == "glyph" and glyph["text"].strip()]
    return {(glyph["color"], glyph.get("darkColor")) for glyph in glyphs}


# ------------------------------------------------------------------ colour


def test_it_is_read_on_white_and_on_black(server):
    assert colors(server, text="Hi") == {(PLAIN, None)}
    assert min(contrast(PLAIN, ground) for ground in ("#ffffff", "#0d1117")) > 4.2


@pytest.mark.parametrize("format", ["png", "gif", "apng", "webp"])
def test_pictures_have_the_same_ink(server, format):
    picture = Image.open(io.BytesIO(server.render(format, text="■■■■", animate=False, font="DejaVu Sans").body))
    pixels = numpy.array(picture.convert("RGBA"))
    solid = pixels[pixels[..., 3] == 255][:, :3]
    assert len(solid) > 500
    assert {"#" + "".join(f"{channel:02x}" for channel in pixel) for pixel in solid.tolist()} == {PLAIN}


@pytest.mark.parametrize(
    "request_, expected",
    [
        (dict(background="#ffffff"), (DARK, None)),
        (dict(background="#0d1117"), (LIGHT, None)),
        (dict(background="#ffffff", darkBackground="#0d1117"), (DARK, LIGHT)),
        (dict(background="linear-gradient(90deg, #000000, #30363d)"), (LIGHT, None)),
        (dict(background="transparent"), (PLAIN, None)),
        (dict(outlineWidth=4), (LIGHT, None)),
        (dict(outlineWidth=4, outlineColor="#ffffff"), (DARK, None)),
        (dict(outlineWidth=4, outlineColor="#ffffff", background="#000000"), (DARK, None)),
        (dict(outlineWidth=4, outlineColor="transparent"), (PLAIN, None)),
        (dict(outlineWidth=4, outlineColor="transparent", background="#ffffff"), (DARK, None)),
        (dict(outlineWidth=4, darkOutlineColor="#ffffff"), (LIGHT, DARK)),
        (dict(codeLanguage="swift"), (DARK, None)),
        (dict(codeLanguage="swift", darkCodeTheme="dark"), (DARK, LIGHT)),
        (dict(codeLanguage="swift", codeTheme="dark"), (LIGHT, None)),
        (dict(color="auto"), (PLAIN, None)),
        (dict(color="#2277dd", background="#fff"), (PLAIN, None)),
        (dict(background="#000", darkColor="#ff0000"), (LIGHT, "#ff0000")),
        ({"for": "github-readme"}, (DARK, LIGHT)),
        ({"for": "github-readme", "background": "#000000"}, (LIGHT, None)),
        ({"for": "github-readme", "color": "#cf222e"}, ("#cf222e", None)),
        ({"for": "github-readme", "defaults": "0.3"}, (DARK, None)),
    ],
    ids=str,
)
def test_the_colour_is_read_on_its_ground(server, request_, expected):
    if "for" in request_:
        permalink = server.get(f"/render?{query(dict(text='a', **request_))}").headers["Content-Location"]
        glyphs = server.get(permalink.rpartition(".")[0] + ".json").json["glyphs"]
        assert (glyphs[0]["color"], glyphs[0].get("darkColor")) == expected
    else:
        assert colors(server, text="a", **request_) == {expected}


def test_a_block_has_the_colour_for_its_own_outline(server):
    blocks = [dict(text="a"), dict(text="b", outlineWidth=3), dict(text="c", outlineWidth=3, outlineColor="#fff")]
    glyphs = [glyph for glyph in scene(server, blocks=blocks)["glyphs"] if glyph["role"] == "glyph"]
    assert [glyph["color"] for glyph in glyphs] == [PLAIN, LIGHT, DARK]


# ------------------------------------------------------------------ type and lines


def test_it_is_inter_and_half_bold(server):
    (run,) = scene(server, text="Hi")["blocks"][0]["lines"][0]["runs"]
    assert (run["family"], run["weight"], run["size"]) == ("Inter", 600, 40)
    for more, weight in ((dict(font="Inter"), 400), (dict(weight=700), 700), (dict(font="auto"), 600), (dict(font="DejaVu Sans"), 400)):
        (run,) = scene(server, text="Hi", **more)["blocks"][0]["lines"][0]["runs"]
        assert run["weight"] == weight, more


@pytest.mark.parametrize("name", TEXTS)
def test_it_wraps_into_even_lines_that_a_phone_shows(server, name):
    found = scene(server, text=TEXTS[name])
    assert found["width"] <= 830
    # On a screen 390 px wide less a README's margins.
    assert 40 * min(1, 358 / found["width"]) >= 16
    lines = [line["rect"]["width"] for line in found["blocks"][0]["lines"]]
    if len(lines) > 1 and name != "a word of 120 letters":
        assert min(lines) > max(lines) / 3


@pytest.mark.parametrize(
    "more",
    [
        dict(width=2000), dict(maxWidth=2000), dict(maxWidth="none"), dict(wrap="normal"), dict(wrap="none"),
        dict(fit="shrink", height=200), dict(path="arc(40deg)"), dict(codeLanguage="swift"), dict(effect="marquee"),
    ],
    ids=str,
)  # fmt: skip
def test_what_says_how_lines_break_ends_that(server, more):
    found = scene(server, text="Who you gonna call, and when, and why, and where from?", **more)
    assert len(found["blocks"][0]["lines"]) == 1 and found["width"] > 830


def test_what_is_too_high_is_an_error(server):
    assert server.post("/render.json", dict(text="a\n" * 50)).status == 200
    answer = server.post("/render.json", dict(text="a\n" * 99))
    assert answer.status == 422 and "4096" in answer.text


# ------------------------------------------------------------------ time


@pytest.mark.parametrize("effect", ["typewriter", "slide", "reveal", "scramble", "draw", "rise", "highlight", "morph", "rewrite"])
@pytest.mark.parametrize("name", TEXTS)
def test_all_of_it_stands_within_four_seconds_and_the_time_of_an_item(server, name, effect):
    found = scene(server, text=TEXTS[name], effect=effect)
    default = {each.name: each for each in catalogue_of(server).effects[effect].values()}
    one = sum(float(default[part].default) for part in ("duration", "lead") if part in default)
    assert found["blocks"][0]["enterEnd"] <= 4.1 + one


def test_forty_letters_are_typed_as_ever_and_more_in_less_time_each(server):
    def instants(count, **more):
        glyphs = scene(server, text="a" * count, maxWidth="none", **more)["glyphs"][:count]
        return [glyph["opacity"][-1]["time"] for glyph in glyphs]

    assert instants(40) == pytest.approx([0.1 * (index + 1) for index in range(40)], abs=1e-4)
    assert instants(160) == pytest.approx([0.025 * (index + 1) for index in range(160)], abs=1e-4)
    assert instants(160, interval=0.1) == pytest.approx([0.1 * (index + 1) for index in range(160)], abs=1e-4)


def test_a_cursor_types_it_and_goes(server):
    found = scene(server, text="Hello", hold=3)
    (cursor,) = [glyph for glyph in found["glyphs"] if glyph["role"] == "cursor"]
    off = [keyframe["time"] for keyframe in cursor["opacity"] if keyframe["value"] == 0]
    assert off == [pytest.approx(found["blocks"][0]["enterEnd"] + 0.5, abs=1e-4)]
    for more in (dict(effect="fade"), dict(cursor="none"), dict(animate=False)):
        assert all(glyph["role"] != "cursor" for glyph in scene(server, text="Hello", **more)["glyphs"]), more


# ------------------------------------------------------------------ the first frame


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
@pytest.mark.parametrize("effect", ["typewriter", "fade"])
def test_a_loop_begins_with_the_finished_text(server, format, effect):
    request = dict(text="Poster", effect=effect, background="#ffffff", loop="infinite")
    first = Image.open(io.BytesIO(server.render(format, **request).body)).convert("RGB")
    still = Image.open(io.BytesIO(server.render("png", **request).body)).convert("RGB")
    assert abs(numpy.array(first).astype(int) - numpy.array(still)).max() <= 16
    once = Image.open(io.BytesIO(server.render(format, **{**request, "loop": 1}).body)).convert("RGB")
    assert abs(numpy.array(once).astype(int) - numpy.array(still)).max() > 100


@pytest.mark.parametrize("target", ["slack-emoji", "discord-sticker", "line-sticker", "whatsapp-sticker", "email", "slides"])
def test_places_that_show_a_still_get_the_finished_text(server, target):
    path = f"/render?{query({'text': 'Still', 'effect': 'fade', 'background': '#ffffff', 'for': target})}"
    film = Image.open(io.BytesIO(server.get(path).body))
    first = numpy.array(film.convert("RGB")).astype(int)
    assert (first.min(axis=2) < 128).sum() > 100


# ------------------------------------------------------------------ the earlier defaults


@pytest.mark.parametrize("format", ["png", "gif", "svg", "json"])
@pytest.mark.parametrize("more", [dict(), dict(effect="slide", loop="infinite"), dict(preset="card"), dict(size=20, font="Inter")], ids=str)
def test_the_earlier_defaults_come_back(server, format, more):
    text = TEXTS["a line"] * 2
    interval = dict(interval={"slide": 0.03}.get(more.get("effect"), 0.1)) if "preset" not in more else {}
    by_hand = {**EARLIER, **interval, **more}
    if "preset" in more:
        by_hand = {"cursor": "none", "poster": "start", **more}
    earlier = server.render(format, text=text, defaults="0.3", ids="x", **more)
    assert earlier.status == 200
    assert earlier.body == server.render(format, text=text, ids="x", **by_hand).body


@pytest.mark.parametrize("revision", [1, 2, 3])
def test_permalinks_of_earlier_revisions_mean_what_they_said(server, revision):
    token = server.render("svg", text="Hi").headers["Content-Location"].rpartition("/")[2]
    answer = server.get(f"/r/{revision}/{token}")
    earlier = server.render("svg", text="Hi", defaults="0.3")
    assert answer.body == earlier.body
    assert answer.headers["Content-Location"] == earlier.headers["Content-Location"]
    assert "defaults" not in answer.headers["Content-Location"]


def test_an_unknown_version_is_an_error(server):
    answer = server.post("/render.svg", dict(text="Hi", defaults="0.2"))
    assert answer.status == 400 and answer.faults == ["defaults"]
    answer = server.post("/render.svg", dict(blocks=[dict(text="Hi", defaults="0.3")]))
    assert answer.status == 400 and answer.faults == ["blocks[0].defaults"]


def test_the_catalogue_has_the_earlier_defaults(server):
    formats = server.get("/formats").json["formats"]
    all_of_them = server.get("/parameters").json["parameters"] + [each for format in formats for each in format["parameters"]]
    earlier = {each["name"]: each["earlierDefault"] for each in all_of_them if "earlierDefault" in each}
    assert earlier == EARLIER


@pytest.mark.parametrize("seed", range(60))
def test_automatic_values_that_are_said_change_nothing(server, seed):
    names = ["color", "font", "weight", "maxWidth", "wrap", "cursor", "interval"]
    some = {name: "auto" for index, name in enumerate(names) if seed >> index & 1}
    request = dict(text="Who you gonna call?", effect=["typewriter", "slide"][seed % 2])
    plain, said = server.render("svg", **request), server.render("svg", **request, **some)
    assert (plain.headers["ETag"], plain.body) == (said.headers["ETag"], said.body)
