"""OpenType features, variable fonts, generic families, colour fonts, and what `GET /fonts` says of all of them."""

import hashlib
import io
import itertools
import json
import re
import statistics

import numpy
import pytest
from PIL import Image, ImageFilter

from commands import USAGE, messages_of, run
from fonts import FontSet, color_font
from process_tree import MEGABYTE, resident
from random_requests import typed_request, within_limits
from service import REPOSITORY, by_proof
from verdicts import answers

WEIGHTS = range(100, 901, 50)
TEXT = "Hamburgefonstiv"


def still(render, text, format="json", **request):
    """The answer of a text that does not move."""
    answer = render(format, text=text, animate=False, **request)
    assert answer.status == 200, answer.text
    return answer


def width(render, text, **request):
    return still(render, text, **request).json["blocks"][0]["rect"]["width"]


def units(render, text, **request):
    """The characters of each glyph, in a font that has ligatures."""
    return [glyph["text"] for glyph in still(render, text, font="DejaVu Sans", **request).json["glyphs"]]


def shapes(render, text, format, **request):
    """A digest of what a format draws."""
    body = still(render, text, format, **request).body
    if format == "svg":
        body = " ".join(re.findall(r' d="([^"]*)"', body.decode())).encode()
        assert body
    if format == "png":
        body = Image.open(io.BytesIO(body)).convert("RGBA").tobytes()
    if format == "lot":
        body = json.dumps(json.loads(body)["assets"] + json.loads(body)["layers"]).encode()
    return hashlib.sha256(body).hexdigest()


# Variable fonts


def test_a_variable_font_has_every_weight(render):
    widths = [width(render, TEXT, font="Inter", weight=weight) for weight in WEIGHTS]
    assert len(set(widths)) == 17 and widths == sorted(widths)
    assert len({width(render, TEXT, font="Inter", weight=weight) for weight in range(401, 412)}) == 11


@pytest.mark.parametrize("format", ["svg", "png", "lot"])
def test_a_variable_font_has_an_outline_for_every_weight(render, format):
    assert len({shapes(render, TEXT, format, font="Inter", weight=weight) for weight in WEIGHTS}) == 17


@pytest.mark.parametrize("italic", [False, True])
def test_an_axis_goes_before_the_weight_and_is_not_emboldened(render, italic):
    for weight, value in itertools.product([100, 400, 700, 1000], [100, 450, 900]):
        request = dict(font="Inter", italic=italic)
        by_axis = shapes(render, TEXT, "png", **request, weight=weight, fontVariations=f"wght={value}")
        assert by_axis == shapes(render, TEXT, "png", **request, weight=value), (weight, value)


def test_axes_end_where_the_font_ends_and_unknown_ones_are_none(render):
    bold = width(render, TEXT, font="Inter", weight=900)
    assert width(render, TEXT, font="Inter", fontVariations="wght=5000") == bold
    assert width(render, TEXT, font="Inter", fontVariations="wght=900, zzzz=-32768") == bold
    # DejaVu Sans has neither; a run says what was asked for.
    settings = dict(fontVariations="wght=900", fontFeatures="zzzz=3")
    plain, other = (still(render, TEXT, font="DejaVu Sans", **more).json for more in ({}, settings))
    [run] = other["blocks"][0]["lines"][0]["runs"]
    assert (run["variations"], run["features"]) == ("wght=900", "zzzz=3")
    run.update(variations="", features="")
    assert other == plain


# Features


def test_tabular_figures_are_equally_wide(render):
    digits = {digit: width(render, 4 * digit, font="Inter", fontFeatures="tnum") for digit in "0123456789"}
    assert len(set(digits.values())) == 1
    assert len({width(render, 4 * digit, font="Inter") for digit in digits}) > 1


def test_a_ligature_is_one_unit_and_without_liga_none(render):
    assert units(render, "office") == ["o", "ffi", "c", "e"]
    assert units(render, "office", fontFeatures="liga=0") == list("office")
    code = dict(text="a->b", font="Fira Code")
    arrows = {shapes(render, format="svg", **code, fontFeatures=value) for value in ("none", "calt", "calt=0", "zero")}
    assert len(arrows) == 2


def test_a_value_of_a_feature_chooses_among_alternates(render):
    drawn = {shapes(render, "0", "svg", font="Fira Code", fontFeatures=value) for value in ("none", "zero", "ss01=0")}
    assert len(drawn) == 2


def test_markup_goes_before_the_parameter(render):
    text = 'ffi<span font_features="liga=1">ffi</span>ffi'
    assert units(render, text, markup=True, fontFeatures="liga=0") == [*"ffi", "ffi", *"ffi"]
    text = 'ffi<span font_features="ss01">ffi</span>'
    assert units(render, text, markup=True, fontFeatures="liga=0") == list("ffiffi")


@pytest.mark.parametrize("name, value, alone", [("fontFeatures", "tnum", "111"), ("fontVariations", "wght=900", "Ham")])
def test_a_block_has_its_own_settings_or_none_or_those_of_the_top(render, name, value, alone):
    blocks = [{"text": alone}, {"text": alone, name: "none"}, {"text": alone, name: value}]
    scene = render("json", blocks=blocks, font="Inter", animate=False, **{name: value}).json
    found = [block["rect"]["width"] for block in scene["blocks"]]
    plain, own = width(render, alone, font="Inter"), width(render, alone, font="Inter", **{name: value})
    assert found == [own, plain, own] and own != plain


# Values


@pytest.mark.parametrize(
    "name, spellings",
    [
        ("fontFeatures", ["ss01,tnum,liga=0", " liga = 0 ,tnum=1, ss01 ", "tnum,ss01=1,liga=0.0"]),
        ("fontVariations", ["wght=350,wdth=80", " wdth = 8e1,wght=350.0 "]),
        ("fontFeatures", [None, "none", " none "]),
        ("fontVariations", [None, "none"]),
    ],
)
def test_equal_settings_are_one_request(server, name, spellings):
    found = [server.render("svg", text="a", **({name: one} if one else {})) for one in spellings]
    assert len({answer.headers["Content-Location"] for answer in found}) == 1
    assert len({answer.headers["ETag"] for answer in found}) == 1
    assert server.get(found[0].headers["Content-Location"]).body == found[-1].body


SEVENTEEN = ",".join(f"ss{number:02}" for number in range(17))
WRONG = {
    "fontFeatures": {
        "liga=x": 'must set "liga" to a whole number from 0 to 65535; got "x"',
        "liga=-1": 'must set "liga" to a whole number from 0 to 65535; got "-1"',
        "liga=65536": "from 0 to 65535",
        "liga=0.5": "a whole number",
        "liga=": 'got ""',
        "liga=1e999": "from 0 to 65535",
        "ss01=1,ss01": 'must not set "ss01" twice',
        SEVENTEEN: "must have at most 16 settings; got 17",
        "lig": 'or "none"; got "lig"',
        "ligaa": 'got "ligaa"',
        "ss01;tnum": "must be tags of 4 letters or digits",
        "liga[1:5]=0": "must be tags of 4 letters or digits",
        "+liga": "must be tags of 4 letters or digits",
        '"liga" 0': "must be tags of 4 letters or digits",
        "é1ab": "must be tags of 4 letters or digits",
        "li\0a": "must be tags of 4 letters or digits",
        ",": "must be tags of 4 letters or digits",
        "none,liga": "must be tags of 4 letters or digits",
        7: "must be tags of 4 letters or digits",
        True: "must be tags of 4 letters or digits",
        None: "must be tags of 4 letters or digits",
    },
    "fontVariations": {
        "wght": 'with values such as "wght=350, wdth=80", or "none"; got "wght"',
        "wght=": "must set \"wght\" to a number from -32768 to 32767; got \"\"",
        "wght=nan": "must set \"wght\" to a number from -32768 to 32767; got \"nan\"",
        "wght=inf": "a number",
        "wght=1e99": "from -32768 to 32767",
        "wght=32768": "from -32768 to 32767",
        "wght=-40000": "from -32768 to 32767",
        "wght=+5": "a number",
        "wght=0x10": "a number",
        "wght=1,wght=2": 'must not set "wght" twice',
        "@wght=4": "must be tags of 4 letters or digits",
        "": "must not be empty",
    },
}
CASES = [(name, value, fault) for name, values in WRONG.items() for value, fault in values.items()]


@pytest.mark.parametrize("name, value, fault", CASES, ids=[f"{name} {value!a}"[:40] for name, value, _ in CASES])
def test_a_wrong_value_is_an_error_that_says_what_is_right(server, name, value, fault):
    for request, place in [({"text": "a", name: value}, name), ({"blocks": [{"text": "a", name: value}]}, f"blocks[0].{name}")]:
        if value == "":
            assert server.get(f"/render?text=a&{name}=").faults == [name]
            continue
        answer = server.post("/render.svg", request)
        assert (answer.status, answer.faults) == (400, [place])
        assert fault in answer.json["errors"][0]["message"]


def test_the_schema_knows_what_the_server_takes(server):
    schemas = server.get("/openapi.json").json["components"]["schemas"]
    right = {"fontFeatures": ["none", "liga", "ss01, tnum , liga = 0"], "fontVariations": ["none", "wght=350,wdth=-8.5e0"]}
    wrong = {"fontFeatures": ["lig", "liga=x", SEVENTEEN], "fontVariations": ["wght", "wght=", "wght=+5"]}
    for name, format in [("fontFeatures", "features"), ("fontVariations", "variations")]:
        schema = schemas[name[0].upper() + name[1:]]
        assert (schema["type"], schema["format"], schema["x-default"]) == ("string", format, "none")
        assert all(re.search(schema["pattern"], value) for value in right[name])
        assert not any(re.search(schema["pattern"], value) for value in wrong[name])


def test_the_command_line_takes_them(tmp_path):
    drawn = run("render", "111", "--font", "Inter", "--font-features", "tnum", "--fontVariations", "wght=900")
    plain = run("render", "111", "--font", "Inter")
    assert drawn.returncode == 0 and drawn.stdout != plain.stdout
    (message,) = messages_of(run("render", "a", "--font-features", "liga=2.5"), USAGE)
    assert message == 'fontFeatures: must set "liga" to a whole number from 0 to 65535; got "2.5"'


@pytest.mark.parametrize("seed", range(40))
def test_random_settings_give_the_same_bytes_anywhere(start, server, seed):
    request = within_limits(server, f"type {seed}", typed_request)
    link = server.post("/render.svg", request)
    assert link.status == 200
    again = server.get(link.headers["Content-Location"])
    assert (again.body, again.headers["ETag"]) == (link.body, link.headers["ETag"])


# Families


@pytest.mark.parametrize("name", ["monospace", "Monospace", "serif", "Serif", "sans-serif", "Sans", "SANS-SERIF"])
def test_a_generic_family_is_one_that_is_installed(server, name):
    scene = still(server.render, "Mi", font=name).json
    assert scene["warnings"] == []
    family = scene["blocks"][0]["lines"][0]["runs"][0]["font"]
    assert ("Mono" in family, "Serif" in family) == (name.lower() == "monospace", name.lower() == "serif")
    narrow, wide = (width(server.render, text, font=name) for text in ("iiii", "MMMM"))
    assert (narrow == wide) == (name.lower() == "monospace")
    assert still(server.render, "Mi", font=f"Nowhere,{name}").json["blocks"] == scene["blocks"]


def test_the_families_say_what_they_can(server):
    fonts = {font["family"]: font for font in server.get("/fonts").json["fonts"]}
    for name in ("Inter", "Roboto", "Open Sans", "Lato", "Fira Code", "JetBrains Mono", "EB Garamond", "Bebas Neue",
                 "League Spartan", "Dancing Script", "Comic Neue", "Quicksand", "Cabin", "DejaVu Sans", "Noto Sans",
                 "Comfortaa", "Kaushan Script", "Leckerli One", "Manrope", "Px IBM CGA", "Roboto Slab", "Vollkorn",
                 "Yanone Kaffeesatz"):
        assert fonts[name]["latin"], name
    for name in ("Noto Sans Runic", "Noto Color Emoji", "Noto Sans Symbols2"):
        assert not fonts[name]["latin"], name
    weight = {"tag": "wght", "minimum": 100, "default": 400, "maximum": 900}
    assert weight in fonts["Inter"]["axes"] and fonts["DejaVu Sans"]["axes"] == []
    assert {"tnum", "ss01", "kern", "zero"} <= set(fonts["Inter"]["features"])
    assert {"liga", "kern"} <= set(fonts["DejaVu Sans"]["features"])
    for font in fonts.values():
        assert font["features"] == sorted(set(font["features"]))
        assert all(re.fullmatch("[ -~]{4}", tag) for tag in font["features"])
        assert all(axis["minimum"] <= axis["default"] <= axis["maximum"] for axis in font["axes"])


KINDS = re.findall(
    r"^\| [\w -]+ \| (\w[\w ]*(?:, \w[\w ]*)*) \| (\w[\w ]*(?:, \w[\w ]*)*) \|$",
    (REPOSITORY / "docs" / "api.md").read_text().split("#### Families")[1].split("\n### ")[0],
    re.M,
)


@pytest.mark.parametrize("names, examples", KINDS)
def test_a_family_of_each_kind_is_replaced_as_the_documentation_says(server, names, examples):
    installed = {font["family"] for font in server.get("/fonts").json["fonts"]}
    names, examples = names.split(", "), examples.split(", ")
    assert len(KINDS) > 10 and installed.issuperset(names) and installed.isdisjoint(examples)
    (own,) = still(server.render, "Hi", font=names[0]).json["blocks"][0]["lines"][0]["runs"]
    assert own["font"].startswith(names[0] + " ")
    for family in examples:
        message = f'no family "{family}"; used {names[0]}, which is similar'
        answer = still(server.render, "Hi", font=family)
        assert answer.json["warnings"] == [{"code": "similar-font", "message": message, "block": 0}]
        (run,) = answer.json["blocks"][0]["lines"][0]["runs"]
        assert run["font"] == own["font"]


def test_without_a_family_of_its_kind_another_is_missing(start, tmp_path):
    service = start(environment=FontSet(tmp_path, ["DejaVu Sans"]).environment)
    assert [warning["code"] for warning in still(service.render, "Hi", font="Pacifico").json["warnings"]] == ["missing-font"]


# Colour fonts


@pytest.fixture(scope="module")
def colored(start, tmp_path_factory):
    """A server with one font of each kind of colour drawings, whose A is coloured and whose B is not."""
    folder = tmp_path_factory.mktemp("colored")
    for kind in ("COLRv0", "COLRv1", "SVG"):
        color_font(folder / f"{kind}.ttf", kind)
    return start("--fonts", folder)


@pytest.mark.parametrize("format", ["svg", "png", "json", "gif", "lot"])
@pytest.mark.parametrize("kind", ["COLRv0", "COLRv1", "SVG"])
def test_a_colour_drawing_that_cannot_be_drawn_is_an_error(colored, kind, format):
    for text, request in [("BAB", {}), ("B", dict(effect="scramble", charset="A"))]:
        answer = colored.post(f"/render.{format}", dict(text=text, font=kind, **request))
        assert (answer.status, answer.faults) == (400, ["font"])
        assert f'"{kind}" draws this text with colours of its own' in answer.json["errors"][0]["message"]
    assert colored.render(format, text="BB", font=kind).status == 200
    assert colored.get("/health").json == {"status": "ok"}


def test_the_other_letters_of_a_colour_font_are_drawn(colored):
    for kind in ("COLRv0", "COLRv1", "SVG"):
        scene = still(colored.render, "B", font=kind).json
        assert scene["warnings"] == [] and scene["blocks"][0]["rect"]["width"] > 0
    assert len({shapes(colored.render, "B", "svg", font=kind) for kind in ("COLRv0", "COLRv1", "SVG")}) == 1


def test_an_emoji_still_is_its_picture(colored, server):
    emoji = dict(text="🙂", animate=False)
    assert colored.render("png", **emoji).body == server.render("png", **emoji).body


# Memory


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fontVariations", "fontFeatures"])
def test_thousands_of_settings_leave_no_trace(start, name):
    count = by_proof(2000, 10_000)
    value = (lambda n: f"wght={100 + 0.08 * n:.2f}, zz{n % 90 + 10:02}={n}") if name == "fontVariations" else (lambda n: f"ss01={n}, tnum")
    service = start("--workers", "2", "--cache-size", "0", "--glyph-cache", "4")
    held = []
    for first in range(0, count, 100):
        requests = [("json", {"text": "Ag1", "font": "Inter", name: value(n)}) for n in range(first, first + 100)]
        assert {answer.status for answer in answers(service, requests, 2)} == {200}
        held.append(resident(service.worker))
    tenth = max(len(held) // 10, 1)
    middle, end = (statistics.median(part) for part in (held[len(held) // 2 - tenth : len(held) // 2], held[-tenth:]))
    assert end - middle < 10 * MEGABYTE, f"from {middle / MEGABYTE:.0f} to {end / MEGABYTE:.0f} MiB"


# Overlaps of variable fonts

LETTERS = "".join(map(chr, [*range(0x21, 0x7F), *range(0xA1, 0x100)]))


@pytest.mark.slow
@pytest.mark.parametrize("font", ["Inter", "Inter:wght=900,slnt=-10", "Lobster Two", "DejaVu Sans Mono"])
def test_a_pen_follows_the_edge_of_the_ink_alone(render, font):
    """Halfway through `draw`, nothing is drawn inside the letters, further in than the line is wide."""
    family, _, variations = font.partition(":")
    style = dict(font=family, size=160, width=2400, lineHeight=2, letterSpacing=60, color="black", background="white")
    style |= dict(room="none", cursor="none")
    style |= dict(fontVariations=variations) if variations else {}
    drawn = dict(effect="draw", interval=0, duration=1, strokeWidth=0.02, easing="linear")
    for text in (LETTERS[start : start + 48] for start in range(0, len(LETTERS), 48)):
        filled, lines = (
            Image.open(io.BytesIO(answer.body)).convert("L")
            for answer in (
                still(render, text, "png", **style),
                render("png", text=text, time=0.5, **style, **drawn),
            )
        )
        assert filled.size == lines.size
        # 3 px of line, half of it within, and soft edges: 5 px from the edge of the ink there is none.
        inside = numpy.asarray(filled.filter(ImageFilter.MaxFilter(11))) < 40
        assert inside.any() and numpy.asarray(lines)[inside].min() > 240, text
