"""Pictures in the text: `<picture>` in markup, from the request or from the directory of `--pictures`."""

import base64
import io
import json
import os
import struct
import subprocess
import zlib

import numpy
import pytest
from PIL import Image, ImageDraw

from browser_motion import BACKGROUND, SIZE, faults_of_motion
from exact import wrong_frames
from frames import answer, by_pillow
from lottie_comparison import Comparison
from lottie_players import PLAYERS
from picture import ink, mean_difference, pixels, worst_block
from service import BINARY, PATIENCE, REPOSITORY, messages as said, query
from svg_renderers import RENDERERS

EXAMPLES = REPOSITORY / "examples" / "pictures"
LOOP = dict(exit="auto", hold=0.2, loop="infinite", poster="start")
# sysexits.h
USAGE, DATA_ERROR, NO_INPUT = 64, 65, 66
FORM = "application/x-www-form-urlencoded"
# The cap height in ems where a font does not say it, as DejaVu Sans does not.
CAPITALS = 0.7


def png(picture, **options):
    """The file of a picture of Pillow's."""
    file = io.BytesIO()
    picture.save(file, "PNG", **options)
    return file.getvalue()


def drawn(width=96, height=96):
    """A disc with a square in it, on nothing."""
    picture = Image.new("RGBA", (width, height))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((2, 2, width - 3, height - 3), fill="#cf222e")
    draw.rectangle((width // 4, height // 4, width // 2, height // 2), fill="#0969da")
    return picture


def base64_of(file):
    return base64.b64encode(file).decode()


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def made(width, height, kind=6, depth=8, rows=b"", interlaced=0, before=b"", after=b""):
    """A PNG file of any header, with or without pixels."""
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + chunk(b"IDAT", zlib.compress(rows)) + after
            + chunk(b"IEND", b""))  # fmt: skip


LOGO = png(drawn())
WIDE = png(drawn(160, 48))
PICTURES = {"logo": base64_of(LOGO), "wide": base64_of(WIDE)}
TAG = '<picture name="logo" alt="Acme"/>'


def marked(text=f"A {TAG} B", **more):
    return dict(text=text, markup=True, pictures=PICTURES, **more)


def picture_glyph(scene):
    [glyph] = [glyph for glyph in scene["glyphs"] if glyph["text"] == "Acme"]
    return glyph


# How it looks


@pytest.mark.parametrize("name", ["logo", "wide"])
def test_it_is_an_em_high_in_the_middle_of_capitals(server, name):
    size, scale, ground = 40, 2, "#ffffff"
    text = f'A<picture name="{name}" alt="Acme"/>B'
    request = marked(text, font="DejaVu Sans", size=size, scale=scale, background=ground, effect="none")
    glyph = picture_glyph(server.render("json", **request, outlines=True).json)
    file = {"logo": LOGO, "wide": WIDE}[name]
    own = Image.open(io.BytesIO(file))
    width = size * own.width / own.height
    assert glyph["rect"]["width"] == pytest.approx(width, abs=0.01)
    top = glyph["baseline"] - CAPITALS * size / 2 - size / 2
    [image] = glyph["images"]
    assert image == pytest.approx(dict(image=0, x=glyph["rect"]["x"], y=top, width=width, height=size), abs=0.02)
    shown = pixels(server.render("png", **request).body)
    # As Pillow composes it, over the same letters.
    without = server.render("png", **{**request, "pictures": {name: base64_of(png(Image.new("RGBA", own.size)))}}).body
    canvas = Image.open(io.BytesIO(without)).convert("RGBA")
    box = [round(number * scale) for number in (glyph["rect"]["x"], top, width, size)]
    scaled = own.resize(box[2:], Image.Resampling.LANCZOS)
    canvas.alpha_composite(scaled, (box[0], box[1]))
    expected = numpy.asarray(canvas.convert("RGB")).astype(float)
    assert mean_difference(shown, expected, (255, 255, 255)) < 6 and worst_block(shown, expected) < 24


CASES = {
    "in a line": marked(f"Made by {TAG} of course", effect="rise"),
    "alone": marked(TAG, effect="pop"),
    "two": marked(f'{TAG}<picture name="wide"/>', effect="slide"),
    "sizes": marked(f'<big>{TAG}</big> and <span size="50%">{TAG}</span><sup>{TAG}</sup>', effect="wave"),
    "typed": marked(f"Type {TAG} it", effect="typewriter", cursor="block"),
    "a shadow": marked(f"Shade {TAG}", effect="drop", shadow="4px 4px 6px #0008", outlineWidth=3),
    "a pen": marked(f"Pen {TAG}", effect="draw"),
    "turned": marked(f"Flip {TAG} it", effect="flip"),
    "blurred": marked(f"Blur {TAG} it", effect="blur"),
    "lines": marked(f"<u>under {TAG}</u> <s>{TAG} through</s>", effect="fade"),
    "a mask": marked(f"Mask {TAG} it", effect="rise", mask="item"),
    "along a path": marked(f"Bend {TAG} it", effect="slide", path="arc(120deg)"),
    "Hebrew": marked(f"שלום {TAG} עולם", effect="slide"),
    "a mark": marked(f"A <mark>fine {TAG}</mark> mark", effect="fade"),
    "wrapped": marked(f"Many words and {TAG} a picture to wrap", effect="reveal", width=460),
}  # fmt: skip
COMMON = dict(size=SIZE, padding=50, background="#%02x%02x%02x" % BACKGROUND)


@pytest.mark.parametrize("way", [{}, LOOP], ids=["once", "looping"])
@pytest.mark.parametrize("name", CASES)
def test_chromium_shows_it_as_the_png_does(server, page, name, way):  # noqa: F811
    faults = list(faults_of_motion(server, page, {**COMMON, **CASES[name], **way}, mean=15, block=36))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("svg", ["compact", "portable"])
@pytest.mark.parametrize("name", [name for name in CASES if name != "a shadow"])
def test_other_renderers_show_it_at_rest(server, name, svg):
    request = {**COMMON, **CASES[name], "svg": svg}
    painted = pixels(server.render("png", **request).body)
    document = server.render("svg", **request).body
    for renderer, render in RENDERERS.items():
        shown = pixels(render(document))
        assert shown.shape == painted.shape, renderer
        assert mean_difference(painted, shown, BACKGROUND) < 10, renderer
        assert worst_block(painted, shown) < 32, renderer


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", ["in a line", "sizes", "turned", "blurred", "along a path"])
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = {**COMMON, **CASES[name], **LOOP, "size": 32}
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


def test_a_gif_shows_it(server):
    request = {**COMMON, **CASES["in a line"], "hold": 0.5}
    gif = Image.open(io.BytesIO(server.render("gif", **request).body))
    gif.seek(gif.n_frames - 1)
    shown = numpy.asarray(gif.convert("RGB")).astype(float)
    painted = pixels(server.render("png", **request).body)
    assert mean_difference(painted, shown, BACKGROUND) < 12 and worst_block(painted, shown) < 16


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("name", ["in a line", "two", "turned", "along a path"])
def test_lottie_shows_it(server, name, player):
    faults = list(Comparison(server, {**COMMON, **CASES[name], "size": 40}).faults(player, glyphs=False))
    assert not faults, "\n".join(faults)


def test_it_has_its_own_colours(server):
    """Paint, and the colours for the dark, are those of letters."""
    plain = marked(TAG, size=60, effect="none", background="#ffffff")
    pictures = [server.render("png", **plain, **more).body for more in ({}, dict(color="red"), dict(scheme="dark"))]
    assert pictures[0] == pictures[1] == pictures[2]


@pytest.mark.parametrize("effect", ["rise", "typewriter", "fade", "flip", "scramble", "roll", "count", "birdman"])
def test_effects_move_it_as_one_character(server, effect):
    scene = server.render("json", **marked(f"a{TAG} b", effect=effect)).json
    glyphs = [glyph for glyph in scene["glyphs"] if glyph["role"] == "glyph"]
    assert [glyph["text"] for glyph in glyphs] == ["a", "Acme", " ", "b"]
    decoys = [glyph for glyph in scene["glyphs"] if glyph["role"] == "decoy" and glyph.get("glyph") == 1]
    assert bool(decoys) == (effect == "scramble")
    still = [{"time": 0, "value": 1}]
    assert glyphs[1]["opacity"][0]["value"] == 0 or glyphs[1]["opacity"] == still


def test_digits_in_its_words_are_no_number(server):
    text = '<picture name="logo" alt="7 up"/> 12'
    for effect in ("count", "roll"):
        scene = server.render("json", **marked(text, effect=effect)).json
        other = server.render("json", **marked(text.replace("7 up", "up"), effect=effect)).json
        assert scene["duration"] == other["duration"] and len(scene["glyphs"]) == len(other["glyphs"])


def test_a_morph_takes_no_picture_for_another(server):
    request = dict(markup=True, pictures=PICTURES, effect="morph", sequence="replace")
    both = [f"x{TAG}", f'y<picture name="{{}}" alt="Acme"/>']

    def moved(name):
        blocks = [dict(text=both[0]), dict(text=both[1].format(name))]
        scene = server.render("json", blocks=blocks, **request).json
        return [glyph for glyph in scene["glyphs"] if glyph["text"] == "Acme" and glyph.get("offsetX")]

    assert len(moved("logo")) != len(moved("wide"))


# What is read


def test_words_stand_for_it(server):
    text = f"é {TAG}, <picture name=\"wide\"/> <picture name=\"wide\" alt=''/>!"
    scene = server.render("json", **marked(text, cursor="none")).json
    assert scene["title"] == scene["blocks"][0]["text"] == "é Acme, wide !"
    text = scene["blocks"][0]["text"]
    for glyph in scene["glyphs"]:
        start, length = glyph["range"]["start"], glyph["range"]["length"]
        assert text[start : start + length] == glyph["text"]
    svg = server.render("svg", **marked()).text
    assert "A Acme B</title>" in svg and "\ufffc" not in svg
    assert server.post("/embed", marked()).json["alt"] == "A Acme B"
    assert ">A Acme B</title-card>" in server.post("/element", marked()).text


def test_a_word_has_it(server):
    words = [glyph["word"] for glyph in server.render("json", **marked(f"a{TAG} b", cursor="none")).json["glyphs"]]
    assert words == [0, 0, 0, 1]


def test_the_object_replacement_character_of_a_request_is_no_picture(server):
    for request in (dict(text="a\ufffcb"), dict(text="a\ufffcb", markup=True), marked(f"a\ufffc{TAG}")):
        scene = server.render("json", **request).json
        assert [glyph["text"] for glyph in scene["glyphs"]][:2] == ["a", "\ufffd"]
        assert scene["blocks"][0]["text"][:2] == "a\ufffd"


# Requests


def test_a_request_may_come_as_a_query_or_a_form(server):
    expected = server.render("svg", **marked())
    text = query(marked())
    for answered in (server.get(f"/render.svg?{text}"), server.post("/render.svg", text, FORM)):
        assert (answered.status, answered.body) == (200, expected.body)
        assert answered.headers["ETag"] == expected.headers["ETag"]


def test_its_permalink_draws_it(server):
    answered = server.render("svg", **marked())
    again = server.get(answered.headers["Content-Location"])
    assert (again.status, again.body) == (200, answered.body)


def test_a_permalink_that_is_too_long_is_left_out(server):
    noise = png(Image.frombytes("RGB", (100, 100), os.urandom(30_000)))
    answered = server.render("svg", text='<picture name="a"/>', markup=True, pictures=dict(a=base64_of(noise)))
    assert "Content-Location" not in answered.headers


def test_what_says_nothing_of_pixels_is_left_out(server):
    """Requests that differ in it alone are one."""
    text = [chunk(b"tEXt", b"Comment\0" + bytes(9)), chunk(b"gAMA", struct.pack(">I", 99_999)), chunk(b"acTL", bytes(8))]
    rows = b"".join(b"\0" + bytes([200, 30, 40, 255]) * 8 for _ in range(8))
    bodies = [
        server.render("svg", text='<picture name="a"/>', markup=True, pictures=dict(a=base64_of(file))).body
        for file in (made(8, 8, rows=rows), made(8, 8, rows=rows, before=b"".join(text), after=text[0]) + b"trailing")
    ]
    assert bodies[0] == bodies[1]


def kinds():
    """The same gradient in all kinds of pixels, with what Pillow takes it for."""
    own = Image.linear_gradient("L").resize((48, 48))
    alpha = Image.radial_gradient("L").resize((48, 48))
    color = Image.merge("RGB", (own, own.rotate(90), own.rotate(180)))
    palette = color.quantize(16)
    yield "grey", own, {}
    yield "one bit", own.point(lambda value: 255 * (value > 100)).convert("1"), {}
    yield "grey with alpha", Image.merge("LA", (own, alpha)), {}
    yield "colours", color, {}
    yield "colours with alpha", Image.merge("RGBA", (*color.split(), alpha)), {}
    yield "a palette", palette, {}
    yield "a palette with alpha", palette, dict(transparency=bytes(range(0, 256, 16)))
    yield "16 bits", Image.fromarray((numpy.asarray(own).astype("uint16") * 257)), {}


@pytest.mark.parametrize("name, picture, options", [pytest.param(*each, id=each[0]) for each in kinds()])
def test_any_png_is_drawn(server, name, picture, options):
    file = png(picture, **options)
    own = Image.open(io.BytesIO(file))
    grey = own.mode.startswith("I")
    expected = Image.fromarray((numpy.asarray(own) >> 8).astype("uint8")) if grey else own
    request = dict(text='<picture name="a"/>', markup=True, pictures=dict(a=base64_of(file)), size=48, padding=8,
                   background="#ffffff", effect="none")  # fmt: skip
    shown = pixels(server.render("png", **request).body)
    [box] = server.render("json", **request, outlines=True).json["glyphs"][0]["images"]
    canvas = Image.new("RGBA", shown.shape[1::-1], "white")
    canvas.alpha_composite(expected.convert("RGBA"), (round(box["x"]), round(box["y"])))
    # The picture lies between the pixels.
    assert mean_difference(shown, numpy.asarray(canvas.convert("RGB")).astype(float), (255, 255, 255)) < 12
    assert server.render("svg", **request).status == server.render("gif", **request).status == 200


def test_an_interlaced_png_is_drawn(server):
    def passes():
        for left, top, right, down in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
                                       (0, 1, 1, 2)):  # fmt: skip
            for y in range(top, 16, down):
                columns = range(left, 16, right)
                if columns:
                    yield b"\0" + bytes(value for x in columns for value in (16 * x, 16 * y, 0, 255))

    straight = made(16, 16, rows=b"".join(
        b"\0" + bytes(value for x in range(16) for value in (16 * x, 16 * y, 0, 255)) for y in range(16)
    ))  # fmt: skip
    bodies = [
        server.render("png", text='<picture name="a"/>', markup=True, pictures=dict(a=base64_of(file))).body
        for file in (straight, made(16, 16, rows=b"".join(passes()), interlaced=1))
    ]
    assert bodies[0] == bodies[1]


HOSTILE = {
    "empty": (b"", "must be a PNG or WebP file"),
    "a JPEG": (b"\xff\xd8\xff\xe0" + bytes(99), "must be a PNG or WebP file"),
    "an SVG": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "must be a PNG or WebP file"),
    "a signature": (LOGO[:8], "damaged"),
    "a header": (LOGO[:33], "damaged"),
    "cut": (LOGO[: len(LOGO) // 2], "damaged"),
    "without its end": (LOGO[:-12], "damaged"),
    "huge": (made(2**31 - 1, 2**31 - 1), "must have sides from 1 to 4096 px; got 2147483647 × 2147483647"),
    "beyond numbers": (made(2**32 - 1, 1), "must have sides from 1 to 4096 px"),
    "large": (made(4097, 4097), "must have sides from 1 to 4096 px; got 4097 × 4097"),
    "no width": (made(0, 8), "must have sides from 1 to 4096 px; got 0 × 8"),
    "long": (made(17, 1, rows=bytes(70)), "must not have a side 16 times as long"),
    "no pixels": (made(8, 8), "damaged"),
    "few pixels": (made(8, 8, rows=bytes(100)), "damaged"),
    "no kind": (made(8, 8, kind=5), "damaged"),
    "no depth": (made(8, 8, kind=6, depth=4), "damaged"),
    "no palette": (made(8, 8, kind=3, rows=bytes(72)), "damaged"),
    "a wrong sum": (LOGO[:60] + bytes([LOGO[60] ^ 1]) + LOGO[61:], "damaged"),
    "an unknown part": (made(8, 8, rows=bytes(264), before=chunk(b"ABCD", b"")), "damaged"),
    "a long part": (LOGO[:33] + b"\xff\xff\xff\xffIDAT" + LOGO[41:], "damaged"),
    "few pixels of an interlaced one": (made(8, 8, rows=bytes(264), interlaced=1), "damaged"),
    "another interlacing": (made(8, 8, rows=bytes(264), interlaced=2), "damaged"),
    "too many colours": (made(8, 8, kind=3, rows=bytes(72), before=chunk(b"PLTE", bytes(900))), "damaged"),
    "two headers": (made(8, 8, rows=bytes(264), before=made(8, 8)[8:33]), "damaged"),
    "pixels that are not deflated": (made(8, 8)[:33] + chunk(b"IDAT", b"\xff" * 99) + chunk(b"IEND", b""), "damaged"),
    "a bomb of pixels": (made(8, 8, rows=bytes(7_000_000)), None),
    "a bomb of a profile": (
        made(8, 8, rows=bytes(264), before=chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(7_000_000)))), None),
    "a thousand parts": (made(8, 8, rows=bytes(264), before=chunk(b"tIME", bytes(7)) * 1000), None),
    "a bomb of text": (made(8, 8, rows=bytes(264), before=b"".join(
        [chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(7_000_000)))] * 4)), None),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_png_is_an_error_that_names_it(server, name):
    file, message = HOSTILE[name]
    for format in ("svg", "png", "json"):
        request = dict(text='x<picture name="bad-1"/>', markup=True, pictures={"bad-1": base64_of(file)}, format=format)
        answered = server.post("/render", request)
        if message is None:
            assert answered.status == 200, answered.text
        else:
            assert (answered.status, answered.faults) == (400, ["pictures.bad-1"])
            assert message in answered.json["errors"][0]["message"]
    assert server.get("/health").status == 200


WRONG = [
    (dict(pictures={}), "pictures", "an object of 1 to 16 names"),
    (dict(pictures={f"a{n}": PICTURES["logo"] for n in range(17)}), "pictures", "1 to 16 names"),
    (dict(pictures=[]), "pictures", "got an array"),
    (dict(pictures="logo"), "pictures", 'got "logo"'),
    (dict(pictures=dict(logo=1)), "pictures.logo", "must be a string"),
    (dict(pictures=dict(logo="no Base64")), "pictures.logo", "must be Base64"),
    (dict(pictures=dict(logo="data:image/png;base64," + PICTURES["logo"])), "pictures.logo", "must be Base64"),
    (dict(pictures=dict(Logo=PICTURES["logo"])), "pictures.Logo", "must have a name of 1 to 32 lower-case letters"),
    (dict(pictures={"a" * 33: PICTURES["logo"]}), "pictures." + "a" * 33, "must have a name"),
    (dict(pictures={"": PICTURES["logo"]}), "pictures.", "must have a name"),
    (dict(pictures=dict(a=base64_of(LOGO + bytes(17_000)), b=base64_of(LOGO + bytes(25_000)))), "pictures",
     "at most 40960 bytes of files together"),
    (dict(text='<picture name="other"/>'), "text", 'there is no picture "other"; one of logo, wide (at character 1)'),
    (dict(text='<picture name="x"/>', pictures=None), "pictures", "got null"),
    (dict(text="<picture/>"), "text", "<picture> needs a name"),
    (dict(text='<picture name="logo" src="x"/>'), "text", "attribute src is not supported by <picture>"),
    (dict(text='<picture name="logo" name="logo"/>'), "text", "attribute name is given twice"),
    (dict(text='<picture name="logo">x</picture>'), "text", "text must not be within <picture>"),
    (dict(text='<picture name="logo"><b/></picture>'), "text", "<b> must not be within <picture>"),
    (dict(text=f'<picture name="logo" alt="{"a" * 201}"/>'), "text", "alt must have at most 200 characters; got 201"),
    (dict(text='<picture name="logo" alt="&#7;"/>'), "text", "control character U+0007"),
]  # fmt: skip


@pytest.mark.parametrize("request_, parameter, message", WRONG)
def test_a_wrong_request_is_an_error_that_names_the_parameter(server, request_, parameter, message):
    answered = server.post("/render", {**marked(), **request_})
    assert (answered.status, answered.faults) == (400, [parameter]), answered.text
    assert message in answered.json["errors"][0]["message"]


def test_an_empty_element_may_have_an_end(server):
    assert server.render("svg", **marked('<picture name="logo" alt="Acme"></picture>')).status == 200


def test_pictures_are_limited(server):
    assert server.post("/render", marked(TAG * 64)).status == 200
    answered = server.post("/render", marked(TAG * 65))
    assert (answered.status, answered.faults) == (422, ["text"]) and "has 65 pictures; the limit is 64" in answered.text


def test_large_pictures_have_a_price(server):
    """Many sizes of a large picture that hardly compresses are refused before they are written."""
    noise = Image.frombytes("L", (170, 170), os.urandom(28_900))
    pictures = dict(a=base64_of(png(noise)))
    text = "".join(f'<span size="{size}px"><picture name="a"/></span>' for size in range(20, 84))
    answered = server.post("/render.svg", dict(text=text, markup=True, pictures=pictures))
    assert answered.status == 200
    flat = dict(a=base64_of(png(Image.new("L", (1024, 1024), 9))))
    text = "".join(f'<span size="{size}px"><picture name="a"/></span>' for size in range(300, 364))
    for format, effect in (("gif", "wave"), ("apng", "flip")):
        request = dict(text=text, markup=True, pictures=flat, effect=effect, width=4096, loop="infinite", exit="auto")
        answered = server.post(f"/render.{format}", request)
        assert answered.status == 422, answered.text


# The operator's


def directory(path, **files):
    path.mkdir(exist_ok=True)
    for name, content in files.items():
        file = path / name.replace("_", ".")
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def run(*arguments, **environment):
    environment = {**os.environ, **environment}
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=PATIENCE, env=environment)


def messages(outcome, status):
    """Returns the messages of a command that ended with a status and without output."""
    assert (outcome.returncode, outcome.stdout) == (status, b""), outcome.stderr
    return said(outcome.stderr.decode())


def test_pictures_of_a_directory_are_drawn_as_those_of_requests(server, start, tmp_path):
    service = start("--pictures", directory(tmp_path / "pictures", logo_png=LOGO, wide_png=WIDE, notes_txt="x"))
    assert service.get("/pictures").json == {"pictures": [
        dict(name="logo", width=96, height=96), dict(name="wide", width=160, height=48),
    ]}  # fmt: skip
    request = {key: value for key, value in marked().items() if key != "pictures"}
    for format in ("png", "json"):
        expected = server.render(format, **marked())
        answered = service.render(format, **request)
        assert answered.body == expected.body
        assert answered.headers["ETag"] != expected.headers["ETag"]
    assert service.get(f"/render.svg?{query(request)}").status == 200
    # A request's own takes precedence.
    own = {**request, "pictures": {"logo": PICTURES["wide"]}}
    assert service.render("png", **own).body == server.render("png", **{**marked(), **own}).body
    assert server.get("/pictures").json == {"pictures": []}


def test_the_entity_tag_goes_by_the_content_of_what_is_named(start, tmp_path):
    other = png(drawn().rotate(90))
    folders = [directory(tmp_path / str(n), logo_png=file, wide_png=WIDE) for n, file in enumerate((LOGO, LOGO, other))]
    services = [start("--pictures", folder) for folder in folders]
    for name, isSame in (("logo", False), ("wide", True)):
        tags = [
            service.render("svg", text=f'<picture name="{name}"/>', markup=True).headers["ETag"] for service in services
        ]
        assert tags[0] == tags[1] and (tags[1] == tags[2]) == isSame
    plain = [service.render("svg", text="x").headers["ETag"] for service in services]
    assert len(set(plain)) == 1


def test_wrong_files_are_named_at_the_start(tmp_path):
    folder = directory(
        tmp_path / "pictures", good_png=LOGO, Bad_png=LOGO, cut_png=LOGO[:99], huge_png=made(5000, 5000),
        damaged_png=made(8, 8), text_svg="<svg viewBox='0 0 9 9'><text>x</text></svg>",
    )  # fmt: skip
    expected = [
        'Bad.png: must have a name of lower-case letters, digits and hyphens; got "Bad"',
        "cut.png: must be a whole PNG or WebP file; got a damaged one",
        "damaged.png: must be a whole PNG or WebP file; got a damaged one",
        "huge.png: must have sides from 1 to 4096 px; got 5000 × 5000",
        "text.svg: <text> is not supported; one of svg, g, path, rect, circle, ellipse, line, polyline, polygon, defs, "
        "linearGradient, radialGradient, stop, title, desc, metadata",
    ]
    for command in (["serve"], ["render", "x"]):
        assert messages(run(*command, "--pictures", folder), DATA_ERROR) == expected
    assert "cannot read the directory" in messages(run("serve", "--pictures", tmp_path / "none"), NO_INPUT)[0]
    twice = directory(tmp_path / "twice", a_png=LOGO, a_svg="<svg viewBox='0 0 9 9'/>")
    assert messages(run("render", "x", "--pictures", twice), DATA_ERROR) == [
        "a.svg: must have another name than a.png"
    ]


def test_the_command_line_takes_them(server, tmp_path):
    folder = directory(tmp_path / "pictures", logo_png=LOGO)
    expected = server.render("png", **marked()).body
    command = ["render", f"A {TAG} B", "--markup", "--format", "png"]
    assert run(*command, "--pictures", folder).stdout == expected
    assert run(*command, TITLECARD_PICTURES=str(folder)).stdout == expected
    line = json.dumps({**marked(), "output": "a.png"})
    (tmp_path / "list").write_text(line)
    assert run("render", "--batch", tmp_path / "list", "--out", tmp_path / "out").returncode == 0
    assert (tmp_path / "out/a.png").read_bytes() == expected
    help = run("render", "--help", "--all").stdout.decode()
    assert "--pictures DIR" in help and "--pictures " in help and help.count("--pictures") == 1


# SVG of the operator's

SHAPES = {
    "shapes": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80">
        <rect x="4" y="4" width="50" height="30" rx="8" fill="#0969da"/>
        <circle cx="90" cy="24" r="20" fill="tomato"/><ellipse cx="30" cy="60" rx="24" ry="12" fill="rgb(20 160 60)"/>
        <line x1="60" y1="70" x2="116" y2="50" stroke="black" stroke-width="4" stroke-linecap="round"/>
        <polygon points="64,44 80,76 96,44" fill="gold"/>
        <polyline points="100 50 110 60 100 70 116 76" fill="none" stroke="purple" stroke-width="3"/></svg>""",
    "paths": """<?xml version="1.0"?><!DOCTYPE svg><!-- a logo --><svg xmlns="http://www.w3.org/2000/svg"
        width="100" height="100"><title>Logo</title><g transform="translate(50 50) rotate(15) scale(.9,0.9)">
        <path d="M-40-40H40V40H-40ZM-20-20V20H20V-20Z" fill="#8250df"/>
        <path fill-rule="evenodd" style="fill:#1a7f37;stroke:#000;stroke-width:2px"
            d="m0-18 5 13h13l-10 9 4 14-12-8-12 8 4-14-10-9h13z"/></g></svg>""",
    "gradients": """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
        viewBox="0 0 100 100"><defs><linearGradient id="a" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="red"/>
        <stop offset="50%" stop-color="#ff0"/><stop offset="1" stop-color="blue" stop-opacity=".5"/></linearGradient>
        <radialGradient id="b" cx="30%" cy="30%" r="70%" fx=".4" fy=".4" xlink:href="#a"/>
        <linearGradient id="c" href="#a" gradientUnits="userSpaceOnUse" x1="0" y1="60" x2="20" y2="60"
            spreadMethod="reflect" gradientTransform="rotate(20)"/></defs>
        <rect width="100" height="40" fill="url(#a)"/><circle cx="25" cy="70" r="24" fill="url(#b)"/>
        <rect x="52" y="46" width="46" height="50" fill="url('#c')"/></svg>""",
    "groups": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100" fill="teal" color="crimson">
        <g opacity=".5"><circle r="30" cx="-10"/><circle r="30" cx="10" fill="currentColor"/></g>
        <path d="M-40 40h80" stroke="inherit" stroke-opacity=".6" stroke-width="6" style="stroke: navy"/>
        <g display="none"><rect width="99" height="99"/></g></svg>""",
}


@pytest.mark.parametrize("name", SHAPES)
def test_an_svg_looks_as_chromium_shows_it(start, tmp_path, chromium, name):
    service = start("--pictures", directory(tmp_path / "pictures", **{f"{name}_svg": SHAPES[name]}))
    request = dict(text=f'<picture name="{name}"/>', markup=True, size=200, padding=0, lineHeight=1,
                   background="#ffffff", effect="none")  # fmt: skip
    [entry] = service.get("/pictures").json["pictures"]
    assert max(entry["width"], entry["height"]) == 1024
    scene = service.render("json", **request, outlines=True).json
    [box] = scene["glyphs"][0]["images"]
    shown = pixels(service.render("png", **request).body)
    tab = chromium.new_page(viewport=dict(width=int(scene["width"]), height=int(scene["height"])))
    address = "data:image/svg+xml;base64," + base64_of(SHAPES[name].encode())
    style = ";".join(f"{key}:{box[own]}px" for key, own in dict(left="x", top="y", width="width", height="height").items())
    tab.set_content(f'<body style="margin:0"><img style="position:absolute;{style}" src="{address}">')
    expected = pixels(tab.screenshot())
    tab.close()
    expected = expected[: shown.shape[0], : shown.shape[1]]
    assert mean_difference(shown, expected, (255, 255, 255)) < 4 and worst_block(shown, expected) < 20


UNSUPPORTED = {
    "<text>x</text>": "<text> is not supported; one of svg, g, path",
    "<image href='x.png'/>": "<image> is not supported",
    "<use href='#a'/>": "<use> is not supported",
    "<style>*{fill:red}</style>": "<style> is not supported",
    "<script/>": "<script> is not supported",
    "<foreignObject/>": "<foreignObject> is not supported",
    "<svg/>": "<svg> is not supported",
    "<rect width='9' height='9' filter='url(#f)'/>": '<rect> must not have filter="url(#f)"',
    "<g mask='url(#m)'/>": '<g> must not have mask="url(#m)"',
    "<g style='clip-path: url(#c)'/>": '<g> must not have clip-path="url(#c)"',
    "<path d='M0 0h9' stroke='red' stroke-dasharray='1 2'/>": '<path> must not have stroke-dasharray="1 2"',
    "<path d='M0 0h9v' fill='red'/>": "<path> must be path data with a number at byte 7",
    "<path d='h9'/>": "<path> must be path data with the command M",
    "<rect width='9' height='x'/>": '<rect> must have a number as height; got "x"',
    "<rect width='9' height='50%'/>": '<rect> must have a number as height; got "50%"',
    "<circle r='9' fill='url(#none)'/>": '<circle> has the paint "url(#none)"',
    "<circle r='9' fill='nocolour'/>": '<circle> has the paint "nocolour"',
    "<g transform='spin(4)'/>": '<g> must have transformations as transform; got "spin(4)"',
    "<circle r='1e99'/>": "<circle> must have a number as r",
    "<g": "must be SVG: ",
    "<g>" * 70 + "</g>" * 70: "must nest elements at most 64 deep",
    "<!-- ": "must be whole SVG",
}  # fmt: skip


@pytest.mark.parametrize("content", UNSUPPORTED)
def test_what_an_svg_cannot_have_is_named(tmp_path, content):
    folder = directory(tmp_path / "pictures", a_svg=f'<svg viewBox="0 0 99 99">{content}</svg>')
    [message] = messages(run("render", "x", "--pictures", folder), DATA_ERROR)
    assert message.startswith("a.svg: " + UNSUPPORTED[content])


@pytest.mark.parametrize("file, message", [
    ("", "must be SVG"), ("<html/>", "must have <svg> as its outermost element; got <html>"),
    ("<svg/>", "<svg> needs viewBox, or width and height"),
    ("<svg viewBox='0 0 0 9'/>", "<svg> must have a viewBox of four numbers"),
    ("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>", "must be whole SVG without declarations"),
    ("<svg viewBox='0 0 99 1'/>", "must not have a side 16 times as long"),
    (b"\xff<svg/>", "must be SVG in UTF-8"),
])  # fmt: skip
def test_a_wrong_svg_is_named(tmp_path, file, message):
    folder = directory(tmp_path / "pictures", a_svg=file)
    [said] = messages(run("render", "x", "--pictures", folder), DATA_ERROR)
    assert said.startswith("a.svg: " + message)


def test_the_examples_are_drawn(start):
    service = start("--pictures", EXAMPLES)
    names = [entry["name"] for entry in service.get("/pictures").json["pictures"]]
    assert names == sorted(file.stem for file in EXAMPLES.iterdir() if file.suffix in (".svg", ".png"))
    text = " ".join(f'<picture name="{name}"/>' for name in names)
    shown = pixels(service.render("png", text=text, markup=True, size=60, background="#ffffff").body)
    assert ink(shown, (255, 255, 255)).sum() > 0
