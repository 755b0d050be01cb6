"""`/typing`, the language of readme-typing-svg: against a model of it, and against what its template draws."""

import http.client
import io
import itertools
import pathlib
import re
import subprocess
import urllib.parse
import xml.etree.ElementTree

import numpy
import pytest
from PIL import Image

import typing_reference
from browser_motion import DRAWN, SEEK
from check import R, track_of
from picture import ink, screenshot
from service import BINARY, Answer
from typing_reference import Refused, options

URLS = [
    line
    for line in (pathlib.Path(__file__).parent / "typing_urls.txt").read_text("utf-8").split("\n")
    if line and not line.startswith("#")
]
SVG = "image/svg+xml"
KEY = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
# Seconds; the longest cycle of formats whose cost grows with it.
LONGEST_CYCLE = 120
SHARES = (0.25, 0.5, 0.75)
# At 100 % of the typing without a pause the erasing begins, or the next cycle: the instant before it.
ALL_BUT = 0.9999
# An empty line takes its time too.
BLANK = " "


def target(path, query):
    """A target as clients send it: they encode spaces, and some leave UTF-8 as it is."""
    return f"{path}?{query.replace(' ', '%20')}"


def get(service, target):
    """The answer to a target that is sent as it stands, in UTF-8 or as bytes."""
    target = target if isinstance(target, bytes) else target.encode()
    data = service.raw(b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % target)
    head, _, body = data.partition(b"\r\n\r\n")
    status, _, fields = head.partition(b"\r\n")
    return Answer(int(status.split()[1]), http.client.parse_headers(io.BytesIO(fields + b"\r\n\r\n")), body)


def typed(service, query, path="/typing"):
    """The answer to a query that is right."""
    answer = get(service, target(path, query))
    assert answer.status == 200, (query, answer.text)
    return answer


def scene_of(service, query):
    return typed(service, query + "&format=json").json


def query_of(url):
    return url.partition("?")[2]


def within_limits(query):
    """A query of the same lines, sped up where a JSON's cycle would be too long."""
    wanted = options(query)
    speed = max(wanted.cycle / 1000 / LONGEST_CYCLE, 1)
    return f"{query}&duration={max(int(wanted.duration / speed), 1)}&pause={int(wanted.pause / speed)}"


def shown(scene, time, block=None):
    """The letters that show at an instant in seconds, of all lines or of one."""
    return [
        glyph["text"]
        for glyph in scene["glyphs"]
        if block in (None, glyph["block"]) and R.value_at(track_of(glyph, "opacity"), time) > 0.5
    ]


def letters(scene, block):
    return [glyph["text"] for glyph in scene["glyphs"] if glyph["block"] == block]


def message(answer):
    """The words of a picture with an error; any other answer is a failure."""
    assert answer.status == 422 and answer.headers["Content-Type"] == SVG, (answer.status, answer.text)
    assert answer.headers["Cache-Control"] == "no-store"
    return " ".join(xml.etree.ElementTree.fromstring(answer.body).itertext())


# URLs of READMEs


@pytest.mark.slow
def test_every_url_is_answered_with_only_its_host_changed(server):
    assert len(URLS) == len(set(URLS)) >= 200
    for url in URLS:
        answers = [typed(server, query_of(url), path) for path in ("/", "/typing")]
        assert len({answer.body for answer in answers}) == 1, url
        assert xml.etree.ElementTree.fromstring(answers[0].body).tag.endswith("svg"), url
        canonical = {answer.headers["Content-Location"] for answer in answers}
        assert len(canonical) == 1, url
        [canonical] = canonical
        assert canonical.startswith("/typing?lines=") and canonical.isascii(), url
        again = server.get(canonical)
        assert (again.body, again.headers["Content-Location"]) == (answers[0].body, canonical), url


@pytest.mark.slow
def test_every_url_types_its_lines(server):
    """Half of a line, all of it, all of it in the pause, and none of the others but those that stand above it."""
    for url in URLS:
        query = within_limits(query_of(url))
        wanted, scene = options(query), scene_of(server, query)
        found = ["".join(letters(scene, block)) for block in range(len(wanted.lines))]
        expected = [text or BLANK for text in wanted.texts]
        if wanted.random:
            assert sorted(found) == sorted(expected), url
        else:
            assert found == expected, url
        assert (scene["width"], scene["height"]) == (wanted.width, wanted.height), url
        assert scene["loop"] == ("infinite" if wanted.repeat else 1), url
        if wanted.repeat:
            assert scene["duration"] == pytest.approx(wanted.cycle / 1000, abs=0.001), url
        for line, text in enumerate(found):
            start = line * wanted.slot
            middle, end, pause = (
                (start + time) / 1000
                for time in (wanted.typing / 2, ALL_BUT * wanted.typing, wanted.typing + wanted.pause / 2)
            )
            half = shown(scene, middle, line)
            assert text.startswith("".join(half)), url
            assert abs(len(half) - len(letters(scene, line)) / 2) <= 1, url
            others = "".join(found[:line]) if wanted.multiline else ""
            for time in (end, pause):
                assert "".join(shown(scene, time)) == others + text, (url, time)


# Fonts of these URLs that are installed, and letters that they all have, or the one font of emoji.
FAMILIES = {"Dancing Script", "Fira Code", "Inter", "JetBrains Mono", "Open Sans", "Roboto", "monospace"}
LETTERS = re.compile("[ -\u017f\u0400-\u045f\u2013-\u2022\u200d\ufe0f\U0001f300-\U0001faff]*")
# Pixels by which an edge of the ink may lie elsewhere.
DISTANCE = 2
# By how much the colour of all ink may differ, of a unit vector; and the amount of it, as a share: browsers make
# small type heavier.
COLOR, AMOUNT = 0.03, 0.2
FAINT = 90  # of a pixel's 765
SEEK_TEMPLATE = """time => {
    const svg = document.documentElement;
    svg.pauseAnimations();
    svg.setCurrentTime(time);
    return [...document.querySelectorAll('text')].map(text => text.getComputedTextLength());
}"""


def channels(color):
    """A colour's red, green, blue, and alpha, from 0 to 255."""
    digits = color[1:] if len(color) > 5 else "".join(2 * digit for digit in color[1:])
    return numpy.array([*bytes.fromhex(digits), 255][:4], float)


def over(color, ground):
    return ground + (color[..., :3] - ground) * color[..., 3:] / 255


def at(page, url, seek, time, ground):
    """What a page shows of an SVG at an instant, on a ground; and what the seeking found."""
    page.goto(url)
    found = page.evaluate(seek, time)
    png = screenshot(page, omit_background=True)
    return over(numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA")).astype(float), ground), found


def edges(inked):
    """Left, right, top, and bottom of what is not faint."""
    sides = [numpy.flatnonzero((inked > FAINT).any(axis=axis)) for axis in (0, 1)]
    assert all(len(side) for side in sides), "nothing shows"
    return [int(side[end]) for side in sides for end in (0, -1)]


def is_drawn_alike(url):
    """True if both sides have the font of all letters, and type the lines in the same order."""
    wanted = options(query_of(url))
    is_installed = wanted.font in FAMILIES and wanted.weight <= 1000
    return is_installed and all(map(LETTERS.fullmatch, wanted.lines)) and not wanted.random


def assert_same_place_and_color(server, page, query):
    wanted = options(query)
    # All lines of several show at the end of the last one, else the first one does.
    last = len(wanted.lines) - 1 if wanted.multiline else 0
    time = (last * wanted.slot + ALL_BUT * wanted.typing + wanted.pause / 2) / 1000
    page.set_viewport_size(dict(width=wanted.width, height=wanted.height))
    ground = numpy.full(3, 255.0 if channels(wanted.colors[0])[:3].mean() < 128 else 0)
    background = over(channels(wanted.background), ground)
    template = "data:image/svg+xml," + urllib.parse.quote(typing_reference.template(wanted))
    theirs, widths = at(page, template, SEEK_TEMPLATE, time, ground)
    ours, _ = at(page, server.url + target("/typing", query), SEEK, time, ground)
    distances = numpy.subtract(edges(ink(ours, background)), edges(ink(theirs, background)))
    if max(widths[: last + 1]) > wanted.width:
        # Their path ends, and with it the text: whole letters are missing there.
        distances = distances[2:]
    assert numpy.abs(distances).max() <= DISTANCE, (query, distances)
    colors = [(picture - background).sum(axis=(0, 1)) for picture in (ours, theirs)]
    amounts = [numpy.linalg.norm(color) for color in colors]
    directions = [color / amount for color, amount in zip(colors, amounts)]
    assert numpy.abs(directions[0] - directions[1]).max() <= COLOR, (query, colors)
    if len(distances) == 4:
        assert amounts[0] == pytest.approx(amounts[1], rel=AMOUNT), (query, colors)


@pytest.mark.slow
@pytest.mark.parametrize("url", filter(is_drawn_alike, URLS))
def test_last_frames_are_those_of_the_template(server, page, url):
    assert_same_place_and_color(server, page, query_of(url))


PLACES = [
    f"font={font}&center={center}&vCenter={vertical}&size={size}&width=600&height=150&multiline={several}&{style}"
    for (font, center, vertical, several), (size, style) in zip(
        itertools.product(["Fira+Code", "Roboto", "monospace"], *3 * [["true", "false"]]),
        itertools.cycle(
            [
                ("20", "color=c00"),
                ("33px", "weight=700&letterSpacing=3px"),
                ("20,40,14", "color=c00,0a08,36BCF7&background=ffe"),
                ("48", "letterSpacing=-0.1em&background=00000080&color=fffa"),
                ("27", "letterSpacing=2pt,normal,0.5rem&pause=999000"),
            ]
        ),
    )
]


@pytest.mark.parametrize("query", PLACES)
def test_places_and_colors_are_those_of_the_template(server, page, query):
    assert_same_place_and_color(server, page, f"lines=Typography;Quick+jumps;once+more&{query}")


# The options of their own tests


def facts(scene):
    """What a scene says of the options."""
    first = [next(glyph for glyph in scene["glyphs"] if glyph["block"] == line) for line in range(len(scene["blocks"]))]
    runs = [block["lines"][0]["runs"][0] for block in scene["blocks"]]
    rect = scene["blocks"][0]["rect"]
    return dict(
        lines=["".join(letters(scene, block["index"])) for block in scene["blocks"]],
        font=re.sub(r" [0-9.]+px$", "", runs[0]["font"]),
        sizes=[float(re.search(r"([0-9.]+)px$", run["font"])[1]) for run in runs],
        colors=[glyph["color"] for glyph in first],
        background=scene["background"],
        width=scene["width"],
        height=scene["height"],
        center=rect["x"] > 1 and rect["x"] + rect["width"] / 2 == pytest.approx(scene["width"] / 2, abs=0.01),
        vCenter=first[0]["baseline"] > scene["height"] / 2 + 1,
        duration=scene["duration"],
        repeat=scene["loop"] == "infinite",
    )


OPTIONS = [
    ("lines=text&font=Open+Sans", dict(font="Open Sans")),
    ("lines=text&font=Open%20Sans;<>", dict(font="Open Sans")),
    ("lines=text&color=000000", dict(colors=["#000000"])),
    ("lines=text&color=00000", dict(colors=["#36bcf7"])),
    ("lines=text&color=pink", dict(colors=["#36bcf7"])),
    ("lines=text&color=%23F0a", dict(colors=["#ff00aa"])),
    ("lines=text&background=00000033", dict(background="#00000033")),
    ("lines=text&background=00000", dict(background="transparent")),
    ("lines=text&size=18", dict(sizes=[18])),
    ("lines=text&size=18px", dict(sizes=[18])),
    ("lines=text&height=80", dict(height=80)),
    ("lines=text&width=500", dict(width=500)),
    ("lines=text&width=50-70", dict(width=50)),
    ("lines=text&center=true", dict(center=True)),
    ("lines=text&center=TRUE", dict(center=True)),
    ("lines=text&center=1", dict(center=False)),
    ("lines=text&center=other", dict(center=False)),
    ("lines=text&vCenter=true", dict(vCenter=True)),
    ("lines=text&vCenter=other", dict(vCenter=False)),
    ("lines=text&vcenter=true", dict(vCenter=False)),
    ("lines=text&duration=500", dict(duration=0.5)),
    ("lines=text&duration=4s", dict(duration=0.004)),
    ("lines=text&pause=500", dict(duration=5.5)),
    ("lines=text&pause=0", dict(duration=5)),
    ("lines=text&pause=x", dict(duration=5)),
    ("lines=text", dict(repeat=True)),
    ("lines=text&repeat=true", dict(repeat=True)),
    ("lines=text&repeat=other", dict(repeat=False)),
    ("lines=text&repeat", dict(repeat=False)),
    ("lines=text;text2&separator=;;", dict(lines=["text;text2"])),
    ("lines=text;;tex;t2&separator=;;", dict(lines=["text", "tex;t2"])),
    ("lines=text;;tex;t2;;&separator=;;", dict(lines=["text", "tex;t2", BLANK])),
    ("lines=a%26b|c||&separator=|", dict(lines=["a&b", "c"])),
    ("lines=a;b;;;", dict(lines=["a", "b"])),
    ("lines=a;;b", dict(lines=["a", BLANK, "b"])),
    ("lines=text&random=other", dict(lines=["text"])),
    ("lines=one;two;three&random=false", dict(lines=["one", "two", "three"])),
    ("lines=Hello;World;Foo&color=FF0000", dict(colors=3 * ["#ff0000"])),
    ("lines=Hello;World;Foo&color=FF0000,00FF00,0000FF", dict(colors=["#ff0000", "#00ff00", "#0000ff"])),
    ("lines=Hello;World;Foo&color=FF0000,00FF00", dict(colors=["#ff0000", "#00ff00", "#00ff00"])),
    ("lines=Hello;World;Foo&color=FF0000,invalid,0000FF", dict(colors=["#ff0000", "#ff0000", "#0000ff"])),
    ("lines=Hello;World&size=24", dict(sizes=[24, 24])),
    ("lines=Hello;World;Foo&size=20,30,14", dict(sizes=[20, 30, 14])),
    ("lines=text&size=x&size=18", dict(sizes=[18])),
    ("lines=one&lines=two&unknown=3&=&&", dict(lines=["two"])),
    ("lines=100%&width=50%25", dict(lines=["100%"], width=50)),
    ("lines=100%+Debian;%-1;%2;%+D;%4g", dict(lines=["100% Debian", "%-1", "%2", "% D", "%4g"])),
    ("lines=one&color=%F0E68C", dict(colors=["#f0e68c"])),
    ("lines=one&color=%2336BCF7", dict(colors=["#36bcf7"])),
    ("lines=text&gradient=003087,FFD700&v=8", dict(colors=["#36bcf7"], width=400, height=50, sizes=[20])),
]


@pytest.mark.parametrize("query, expected", OPTIONS, ids=[query for query, _ in OPTIONS])
def test_options_are_those_of_their_tests(server, query, expected):
    found = facts(scene_of(server, query))
    assert {name: found[name] for name in expected} == expected


SPACINGS = {
    "10px": 10,
    "-1px": -1,
    "0.5em": 10,
    "1rem": 16,
    "3pt": 4,
    "1pc": 16,
    "0.25in": 24,
    "2.54cm": 96,
    "12.7mm": 48,
    "normal": 0,
    "invalid": 0,
    "inherit": 0,
    "10": 0,
    "px": 0,
    "10px;": 0,
    "2px,normal": 2,
}


@pytest.mark.parametrize("value", SPACINGS)
def test_letter_spacing_takes_lengths_of_css(server, value):
    def step(query):
        # The first letter has half of the space.
        second, third = (glyph["rect"] for glyph in scene_of(server, f"lines=text{query}")["glyphs"][1:3])
        return third["x"] - second["x"]

    assert step(f"&letterSpacing={value}") - step("") == pytest.approx(SPACINGS[value], abs=0.001)


def test_a_font_that_is_missing_is_a_warning(server):
    fonts = ("Comic+Mono", "Press+Start+2P", "Roboto")
    warnings = [typed(server, f"lines=text&font={font}").headers["Titlecard-Warnings"] for font in fonts]
    assert warnings == ["missing-font", "similar-font", None]


def test_a_font_that_is_missing_is_replaced_by_one_of_its_kind(server):
    pictures = [typed(server, f"lines=text&font={font}").body for font in ("Press+Start+2P", "Px+IBM+CGA")]
    # Names in a picture come from its request.
    outlines = [re.findall(rb' d="([^"]+)"', picture) for picture in pictures]
    assert outlines[0] and outlines[0] == outlines[1]


def test_random_orders_lines_by_the_seed(server):
    lines = [f"line {number}" for number in range(12)]
    query = "random=true&lines=" + ";".join(lines)
    found = {seed: facts(scene_of(server, query + seed))["lines"] for seed in ["", "&seed=1", "&seed=2"]}
    assert all(sorted(order) == sorted(lines) for order in found.values())
    assert len({*map(tuple, found.values()), tuple(lines)}) == 4
    assert facts(scene_of(server, query))["lines"] == found[""]


# Times

WORDS = {
    "latin": list("Quick brown foxes jump, naïvely."),
    "arabic": list("السلام عليكم جميعا"),
    "thai": ["ส", "วั", "ส", "ดี", "ค", "รั", "บ", "ผ", "ม", "ชื่", "อ", "น้", "อ", "ย"],
    "emoji": ["👩‍👩‍👧‍👦", "🇫🇷", "👍🏽", "❤️", "👻", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣"],
}


@pytest.mark.parametrize("several", ["true", "false"])
@pytest.mark.parametrize("script", WORDS)
def test_letters_come_and_go_evenly(server, script, several):
    words = WORDS[script]
    backwards = words[::-1]
    query = f"lines={''.join(words)}|{''.join(backwards)}&separator=|&duration=3000&pause=700&multiline={several}"
    wanted, scene = options(query), scene_of(server, query)
    for line, expected in enumerate([words, backwards]):
        start = line * wanted.slot

        def assert_even(time, share):
            found = "".join(shown(scene, time / 1000, line))
            counts = [count for count in range(len(expected) + 1) if "".join(expected[:count]) == found]
            assert counts and abs(counts[0] - share * len(expected)) <= 1, (time, found)

        for share in SHARES:
            assert_even(start + share * wanted.typing, share)
            if not wanted.multiline:
                erasing = wanted.duration - wanted.typing
                assert_even(start + wanted.slot - share * erasing, share)


def test_lines_follow_one_another_and_the_last_one_stays_without_repeat(server):
    query = "lines=one;two;three&duration=1000&pause=500"
    scene = scene_of(server, query)
    found = ["".join(shown(scene, time)) for time in (0, 1, 1.499, 1.5, 2.5, 4, 4.499)]
    assert found == ["", "one", "", "", "two", "three", ""]
    scene = scene_of(server, query + "&repeat=false")
    found = ["".join(shown(scene, time)) for time in (2.5, 3, 3.9, 4.5, 100)]
    assert found == ["two", "", *3 * ["three"]]


def test_several_lines_stay_until_all_begins_again(server):
    query = "lines=one;two;three&multiline=true&duration=1000&pause=500"
    for end in ("", "&repeat=false"):
        scene = scene_of(server, query + end)
        assert scene["loop"] == (1 if end else "infinite")
        found = ["".join(shown(scene, time)) for time in (0, 1, 1.5, 2.5, 3, 4, 4.499)]
        assert found == ["", "one", "one", "onetwo", "onetwo", "onetwothree", "onetwothree"]
    assert "".join(shown(scene, 100)) == "onetwothree"


@pytest.mark.parametrize("several", ["true", "false"])
def test_an_svg_types_as_its_scene_does(server, page, several):
    query = f"lines=Who+you;gonna+call%3F&multiline={several}&duration=3000&pause=700"
    scene = scene_of(server, query)
    page.goto(server.url + target("/typing", query))
    for time in numpy.arange(0.0513, scene["duration"], 0.2317).tolist():
        page.evaluate(SEEK, time)
        drawn = [element for element in page.evaluate(DRAWN) if element["isGlyph"] and element["opacity"] > 0.5]
        assert len(drawn) == len("".join(shown(scene, time)).replace(" ", "")), time


def test_times_are_from_a_millisecond_to_many_minutes(server, page):
    query = "lines=a;b%20c;def&duration=1&pause=999000"
    assert float(typed(server, query).headers["Titlecard-Duration"]) == pytest.approx(2997.003)
    page.goto(server.url + target("/typing", query))
    for time, count in [(0.002, 1), (998.9, 1), (999.1, 2), (1500, 2), (1998.1, 3), (2997, 3), (2997.1, 1)]:
        page.evaluate(SEEK, time)
        assert sum(element["opacity"] > 0.5 for element in page.evaluate(DRAWN)) == count, time


def test_forty_lines_are_typed(server):
    lines = [f"line {number}" for number in range(40)]
    query = "duration=1000&lines=" + ";".join(lines)
    scene = scene_of(server, query)
    assert ["".join(shown(scene, line + 0.8)) for line in range(40)] == lines
    assert ["".join(shown(scene_of(server, query + "&multiline=true"), 40 - 0.0001))] == ["".join(lines)]


# Errors

# What they refuse too.
WRONG = [
    ("", "lines"),
    ("center=true&width=380&height=50", "lines"),
    ("lines=", "lines"),
    ("lines=;;;", "lines"),
    ("lines=text&size=0", "size"),
    ("lines=text&size=", "size"),
    ("lines=text&size=-20px", "size"),
    ("lines=text&height=x", "height"),
    ("lines=text&width=-1", "width"),
    ("lines=text&duration=-1", "duration"),
    ("lines=text&duration=0", "duration"),
    ("lines=text&pause=-1", "pause"),
    ("lines=text&weight=bold", "weight"),
]
WRONG_HERE = [
    ("lines=text&size=20,0", "size"),
    ("lines=text&height=99999999999999999999", "height"),
    ("lines=text&format=bmp", "format"),
    ("lines=text&format=", "format"),
    ("lines=%00", "lines"),
    ("lines=a%FFb", "lines"),
    ("lines=text&font=%C3", "font"),
    ("lines=" + "a" * 2500, "lines"),
]


@pytest.mark.parametrize("query, parameter", WRONG + WRONG_HERE, ids=lambda text: text[:40])
def test_a_wrong_value_is_a_picture_that_names_it(server, query, parameter):
    for path in ["/typing", "/"] if "lines" in query else ["/typing"]:
        for suffix in ["", "&format=json"] if parameter != "format" else [""]:
            assert re.search(rf"\b{parameter}\b", message(get(server, target(path, query + suffix)))), query


def test_the_model_refuses_it_too():
    for query, parameter in WRONG:
        with pytest.raises(Refused) as refused:
            options(query)
        assert refused.value.parameter == parameter, query


@pytest.mark.parametrize("format", ["gif", "apng", "webp", "lottie", "json"])
def test_other_formats_have_their_limits(server, format):
    assert "limit" in message(get(server, f"/typing?lines=a;b&pause=999000&format={format}"))
    answer = typed(server, f"lines=a;b&duration=500&format={format}")
    assert SVG not in answer.headers["Content-Type"]


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
def test_pictures_begin_with_nothing_typed(server, format):
    film = Image.open(io.BytesIO(typed(server, f"lines=a;b&duration=500&background=ffffff&format={format}").body))
    assert film.n_frames > 2 and film.convert("L").getextrema() == (255, 255)


HOSTILE = [
    "<script>alert(1)</script>",
    "</text></svg><b onload='alert(1)'>",
    "]]><!-- & &amp; &lt; \"'`",
    "<span foreground='red'>&#x3c;</span>",
    "javascript:alert(1)//\u202e<img src=x>",
]
# What an SVG of this service may consist of.
ELEMENTS = {"svg", "title", "desc", "style", "defs", "path", "g", "use", "rect", "text", "tspan", "clipPath", "image"}


@pytest.mark.parametrize("value", HOSTILE)
def test_markup_in_values_is_text(server, value):
    quoted = urllib.parse.quote(value)
    scene = scene_of(server, f"lines={quoted}&separator=%7F")
    # A direction is no glyph: it draws nothing.
    assert "".join(letters(scene, 0)) == value.replace("\u202e", "")
    answers = [typed(server, f"lines={quoted}&separator=%7F")]
    answers += [typed(server, f"lines=a&{name}={quoted}") for name in ("font", "color", "separator", "letterSpacing")]
    answers += [get(server, f"/typing?lines=a&{name}={quoted}&size=0") for name in ("format", "width")]
    for answer in answers:
        elements = xml.etree.ElementTree.fromstring(answer.body).iter()
        assert {element.tag.rpartition("}")[2] for element in elements} <= ELEMENTS
        assert not any(name.startswith("on") for element in elements for name in element.attrib)


NOT_UTF8 = [b"\xff", b"\xc3", b"\xc3(", b"\xc0\x80", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"a\x80"]


@pytest.mark.parametrize("data", NOT_UTF8, ids=bytes.hex)
def test_what_is_not_utf8_is_refused(server, data):
    for path in (b"/", b"/typing"):
        for query in (b"?lines=" + data, b"?lines=a&font=" + data + b"&center=true"):
            assert get(server, path + query).status in (400, 422)
            quoted = path + re.sub(rb"[\x80-\xff]", lambda byte: b"%%%02x" % byte[0][0], query)
            assert "UTF-8" in message(get(server, quoted))


ELSEWHERE = [
    "/render?text=é",
    "/render.svg?text=é",
    "/render.svg?lines=é",
    "/r/é",
    "/effects?é",
    "/formats?lines=é",
    "/fonts?x=é",
    "/health?lines=é",
    "/openapi.json?é",
    "/styles.css?lines=é",
    "/?text=é",
    "/é?lines=a",
    "/typingé?lines=a",
    "/typing/é",
    "/typing/?lines=é",
    "/typing;é?lines=a",
    "/TYPING?lines=é",
    "//?lines=é",
    "http://localhost/é?lines=a",
]


@pytest.mark.parametrize("target", ELSEWHERE)
def test_raw_utf8_is_refused_elsewhere(server, target):
    assert get(server, target).status == 400


def test_raw_utf8_is_for_queries_that_are_read(server):
    line = b"%s /typing?lines=%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n"
    accented = "é".encode()

    def status(method, query, fields=b""):
        return int(server.raw(line % (method, query, fields)).split()[1])

    assert [status(method, accented) for method in (b"GET", b"HEAD")] == [200, 200]
    assert status(b"POST", accented, b"Content-Length: 0\r\n") in (400, 405)
    # All else is as strict as before.
    for wrong in (b"a b", b"a\tb", b"a#b", b"a\x7fb", b"a\x00b", accented + b" b", accented + b"\r", accented + b"#"):
        assert status(b"GET", wrong) == 400, wrong


# Guards


def test_the_graphemes_of_all_lines_are_limited_and_a_blank_line_counts_as_one(server):
    assert server.get("/typing?lines=" + 999 * ";" + "a").status == 200
    for lines in (2000 * ";" + "a", 2001 * "a"):
        answer = server.get("/typing?lines=" + lines)
        assert is_refusal(answer, 422) and "2001 graphemes; the limit is 2000" in answer.text


def signed(target):
    command = [BINARY, "sign", target]
    return subprocess.run(command, env=KEY, capture_output=True, text=True, check=True).stdout.strip()


def is_refusal(answer, status):
    """True if an answer is a picture of an error."""
    return answer.status == status and answer.headers["Content-Type"] == SVG


@pytest.mark.parametrize("options", [[], ["--only-presets"]])
def test_a_key_asks_for_a_signature(start, options):
    service = start(*options, environment=KEY)
    for target in ("/typing?lines=a", "/?lines=a", "/typing?lines=a&format=gif"):
        assert is_refusal(service.get(target), 403), target
        assert is_refusal(service.get(target + "&signature=AAAA"), 403), target
        answer = service.get(signed(target))
        assert answer.status == 200, answer.text
        location = answer.headers["Content-Location"]
        assert "signature=" in location and service.get(location).body == answer.body
    assert is_refusal(service.get(signed("/typing?lines=a") + "&size=40"), 403)


def test_presets_only_without_a_key_type_nothing(start):
    service = start("--only-presets")
    for target in ("/typing?lines=a", "/?lines=a", "/?lines=a&signature=AAAA", "/typing?text=a"):
        assert is_refusal(service.get(target), 403), target
    for method in ("POST", "PUT"):
        assert service.request(method, "/typing?lines=a", b"").status == 405


def test_the_rate_limit_counts_it(start):
    service = start("--rate-limit", "0.01", "--rate-burst", "2")
    answers = [service.get(target).status for target in ("/typing?lines=a", "/?lines=b", "/?lines=c")]
    assert answers == [200, 200, 429]


def test_no_seed_is_left_in_what_is_kept(server):
    """Requests with one canonical form have one answer, whatever their seeds were."""
    for query in ("lines=one;two;three;four&random=true&seed=%d", "lines=seeded&seed=%d"):
        for seed in range(3):
            answer = server.get(f"/typing?{query % seed}&format=json")
            assert server.get(answer.headers["Content-Location"]).body == answer.body
            assert answer.json["seed"] == 0


@pytest.mark.parametrize("lines", ["a++b", "+a+b+", "++", "a++++b", "a%20b++"])
@pytest.mark.parametrize("separator", ["+", "++", ";", "%0A", "a"])
def test_a_location_is_its_own(server, lines, separator):
    answer = server.get(f"/typing?lines={lines};x&separator={separator}&format=json")
    again = server.get(answer.headers["Content-Location"])
    assert (again.body, again.headers["Content-Location"]) == (answer.body, answer.headers["Content-Location"])


def test_it_is_kept_and_known_again(server):
    first = server.get("/?lines=kept%20and%20known")
    again = server.get("/typing?lines=kept+and+known", {"If-None-Match": first.headers["ETag"]})
    assert again.status == 304 and again.headers["Content-Location"] == first.headers["Content-Location"]
    assert server.request("HEAD", "/?lines=kept+and+known").headers["ETag"] == first.headers["ETag"]


def test_a_url_is_imported_without_fetching_it():
    url = "https://readme-typing-svg.demolab.com?font=Fira+Code&amp;lines=One;Two+%26+three&size=20#x"
    command = [BINARY, "import", url, "--public-url", "https://cards.example"]
    outcome = subprocess.run(command, capture_output=True, text=True, check=True)
    assert outcome.stdout == "https://cards.example/typing?lines=One%3BTwo%20%26%20three&font=Fira%20Code\n"
    for wrong in ("https://readme-typing-svg.demolab.com", "https://x.example/?lines=", "/?lines=a&size=0"):
        assert subprocess.run([BINARY, "import", wrong], capture_output=True).returncode == 64
