"""A picture behind everything: `backdrop`, from the request or from the directory of `--pictures`."""

import base64
import io
import json
import os
import struct
import subprocess
import zipfile
import zlib

import numpy
import pytest
from PIL import Image, ImageDraw

from browser_motion import faults_of_motion
from exact import wrong_frames
from frames import answer, by_pillow
from lottie_comparison import Comparison
from lottie_players import PLAYERS
from picture import pixels, screenshot, worst_block
from service import BINARY, PATIENCE, query
from svg_renderers import RENDERERS

LOOP = dict(exit="auto", hold=0.2, loop="infinite", poster="start")
WIDTH, HEIGHT = 400, 160


def scenery(width=240, height=160, alpha=False):
    """Smooth colours with a disc; with alpha, the lower half fades."""
    across, down = numpy.linspace(0, 255, width), numpy.linspace(0, 255, height)
    planes = [numpy.tile(across, (height, 1)), numpy.tile(down[:, None], (1, width)), numpy.full((height, width), 90.0)]
    if alpha:
        planes.append(numpy.tile(numpy.clip(510 - 2 * down, 0, 255)[:, None], (1, width)))
    picture = Image.fromarray(numpy.stack(planes, -1).astype("uint8"))
    radius = height // 4
    box = (width // 2 - radius, height // 2 - radius, width // 2 + radius, height // 2 + radius)
    ImageDraw.Draw(picture).ellipse(box, fill="#ffd33d")
    return picture


def file_of(picture, kind="PNG", **options):
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def base64_of(file):
    return base64.b64encode(file).decode()


PNG, CLEAR = file_of(scenery()), file_of(scenery(alpha=True))
KINDS = {
    "PNG": PNG,
    "PNG with alpha": CLEAR,
    "PNG with a palette": file_of(scenery().quantize(32)),
    "lossy WebP": file_of(scenery(), "WEBP", quality=80),
    "lossy WebP with alpha": file_of(scenery(alpha=True), "WEBP", quality=80),
    "lossless WebP": file_of(scenery(), "WEBP", lossless=True),
    "lossless WebP with alpha": file_of(scenery(alpha=True), "WEBP", lossless=True),
    "a WebP with a profile": file_of(scenery(), "WEBP", quality=80, icc_profile=bytes(400), exif=b"Exif\0\0" + bytes(90)),
}


def behind(file=PNG, text="Above the hills", **more):
    return dict(text=text, backdrop="hills", pictures={"hills": base64_of(file)}, width=WIDTH, height=HEIGHT) | more


def bare(file=PNG, **more):
    """The picture without any ink of the text."""
    return behind(file, **{"text": "x", "color": "transparent", "effect": "none", "cursor": "none", **more})


def expected(file, fit="cover", dim=0.0, width=WIDTH, height=HEIGHT, ground="white"):
    """As Pillow scales and composes it, in thirds of pixels, in which edges are whole."""
    own = Image.open(io.BytesIO(file)).convert("RGBA")
    width, height = 3 * width, 3 * height
    factor = (max if fit == "cover" else min)(width / own.width, height / own.height)
    size = (round(own.width * factor), round(own.height * factor))
    scaled = own.resize(size, Image.Resampling.BILINEAR)
    at = ((width - size[0]) // 2, (height - size[1]) // 2)
    canvas = Image.new("RGBA", (width, height), ground)
    layer = Image.new("RGBA", (width, height))
    layer.paste(scaled, at)
    canvas.alpha_composite(layer)
    shade = Image.new("RGBA", (width, height))
    ImageDraw.Draw(shade).rectangle((max(at[0], 0), max(at[1], 0), at[0] + size[0] - 1, at[1] + size[1] - 1),
                                    fill=(0, 0, 0, round(255 * dim)))  # fmt: skip
    canvas.alpha_composite(shade)
    return numpy.asarray(canvas.convert("RGB").reduce(3)).astype(float)


# Where it lies


@pytest.mark.parametrize("fit", ["cover", "contain"])
@pytest.mark.parametrize("name", KINDS)
def test_it_lies_where_pillow_puts_it(server, name, fit):
    shown = pixels(server.render("png", **bare(KINDS[name], backdropFit=fit)).body)
    wanted = expected(KINDS[name], fit)
    assert numpy.abs(shown - wanted).mean() < 2 and worst_block(shown, wanted) < 12


@pytest.mark.parametrize("size", [(400, 160), (160, 400), (240, 160), (30, 300), (1600, 200)])
@pytest.mark.parametrize("fit", ["cover", "contain"])
def test_canvases_of_any_ratio_have_it(server, size, fit):
    request = bare(backdropFit=fit, width=size[0], height=size[1], padding=2, size=8)
    shown = pixels(server.render("png", **request).body)
    wanted = expected(PNG, fit, width=size[0], height=size[1])
    assert numpy.abs(shown - wanted).mean() < 2 and worst_block(shown, wanted) < 14
    [image] = server.render("json", **request, outlines=True).json["glyphs"][-1]["images"]
    factor = (max if fit == "cover" else min)(size[0] / 240, size[1] / 160)
    assert (image["width"], image["height"]) == pytest.approx((240 * factor, 160 * factor), abs=0.01)
    assert image["x"] + image["width"] / 2 == pytest.approx(size[0] / 2, abs=0.01)
    assert image["y"] + image["height"] / 2 == pytest.approx(size[1] / 2, abs=0.01)


@pytest.mark.parametrize("dim", [0, 0.2, 0.4, 1])
def test_the_dim_is_exact(server, dim):
    """A picture of one colour is darker by a share, in the PNG to the nearest level."""
    file = file_of(Image.new("RGB", (60, 40), (200, 100, 50)))
    shown = pixels(server.render("png", **bare(file, backdropDim=dim)).body)
    share = 1 - round(255 * dim) / 255
    assert numpy.abs(shown - numpy.array([200, 100, 50]) * share).max() <= 1
    assert server.render("json", **bare(file, backdropDim=dim)).json["glyphs"][-1]["role"] == "backdrop"


def test_the_edges_of_a_small_picture_do_not_fade(server):
    """A picture of two by two pixels covers the corners."""
    file = file_of(Image.new("RGB", (2, 2), "#336699"))
    shown = numpy.asarray(Image.open(io.BytesIO(server.render("png", **bare(file)).body)).convert("RGBA"))
    assert (shown == (0x33, 0x66, 0x99, 255)).all()


def test_a_picture_that_hides_the_canvas_makes_the_file_opaque(server):
    for file, fit, opaque in ((PNG, "cover", True), (PNG, "contain", False), (CLEAR, "cover", False)):
        picture = Image.open(io.BytesIO(server.render("png", **bare(file, backdropFit=fit)).body))
        assert (picture.mode in ("RGB", "P")) == opaque or picture.getextrema()[-1] == (255, 255)
        scene = server.render("json", **bare(file, backdropFit=fit)).json
        assert scene["background"] == ("#000000" if opaque else "transparent")


# Every format

CASES = {
    "a text": behind(effect="slide"),
    "typed": behind(effect="typewriter", cursor="block"),
    "with alpha": behind(CLEAR, effect="rise"),
    "WebP": behind(KINDS["lossy WebP"], effect="fade"),
    "contained": behind(backdropFit="contain", effect="slide"),
    "dimmed": behind(backdropDim=0.5, effect="pop"),
    "a card that fits": behind(card="fit", background="#20304080", cornerRadius=12, borderWidth=3, bar="left"),
    "a card that slides": behind(card="fit", background="#203040", cardEffect="slide", cardDuration=2, backdropDim=0.2),
    "a card that opens": behind(background="#20304080", cardEffect="wipe", cardDuration=2, cornerRadius=30),
    "a gradient over it": behind(background="linear-gradient(#0000, #000c)", effect="rise"),
    "shadows": behind(shadow="3px 3px 4px #000", outlineWidth=2, outlineColor="#000000", effect="flip"),
    "marks": behind(mark="circle", markColor="#cf222e", effect="fade"),
    "a canvas that grows": {**behind(effect="drop", distance=2), "width": None, "height": None},
    "still": behind(animate=False),
}  # fmt: skip
CASES = {name: {key: own for key, own in case.items() if own is not None} for name, case in CASES.items()}
MOVING = [name for name in CASES if name != "still"]


@pytest.mark.parametrize("way", [{}, LOOP], ids=["once", "looping"])
@pytest.mark.parametrize("name", MOVING)
def test_chromium_shows_it_as_the_png_does(server, page, name, way):  # noqa: F811
    faults = list(faults_of_motion(server, page, {**CASES[name], **way}, mean=4, block=30))
    assert not faults, "\n".join(faults)


def test_chromium_shows_a_still_one(server, page):
    request = CASES["still"]
    page.set_viewport_size(dict(width=WIDTH, height=HEIGHT))
    page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
    painted, shown = pixels(server.render("png", **request).body), pixels(screenshot(page))
    assert numpy.abs(painted - shown).mean() < 2 and worst_block(painted, shown) < 16


@pytest.mark.parametrize("name", ["a text", "with alpha", "contained", "dimmed", "a card that fits"])
def test_other_renderers_show_it_at_rest(server, name):
    painted = pixels(server.render("png", **CASES[name]).body)
    for renderer, render in RENDERERS.items():
        shown = pixels(render(server.render("svg", **CASES[name]).body))
        assert shown.shape == painted.shape, renderer
        assert numpy.abs(painted - shown).mean() < 3 and worst_block(painted, shown) < 30, renderer


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", ["a text", "with alpha", "WebP", "contained", "dimmed", "a card that slides"])
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = {**CASES[name], **LOOP}
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


@pytest.mark.parametrize("name", ["a text", "dimmed", "contained", "with alpha"])
def test_a_gif_shows_it(server, name):
    request = CASES[name]
    gif = Image.open(io.BytesIO(server.render("gif", **request).body))
    gif.seek(gif.n_frames - 1)
    shown = numpy.asarray(gif.convert("RGBA")).astype(float)
    painted = numpy.asarray(Image.open(io.BytesIO(server.render("png", **request).body)).convert("RGBA")).astype(float)
    both = (shown[..., 3] == 255) & (painted[..., 3] == 255)
    assert both.mean() > {"contained": 0.5, "with alpha": 0.4}.get(name, 0.999)
    assert numpy.abs(shown - painted)[both].mean() < 12


def test_a_zip_holds_frames_with_it(server):
    with zipfile.ZipFile(io.BytesIO(server.render("zip", **CASES["a text"], fps=5).body)) as archive:
        shown = pixels(archive.read(archive.namelist()[-1]))
    assert numpy.abs(shown - pixels(server.render("png", **CASES["a text"]).body)).mean() < 0.5


@pytest.mark.parametrize("format, limit", [("mp4", 6), ("mov", 2), ("webm", 6)])
@pytest.mark.parametrize("name", ["a text", "dimmed"])
def test_a_video_begins_with_it(server, tmp_path, name, format, limit):
    video = server.render(format, **CASES[name])
    assert video.status == 200, video.text
    path = tmp_path / f"video.{format}"
    path.write_bytes(video.body)
    command = ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"]
    shown = pixels(subprocess.run(command, capture_output=True, check=True).stdout)
    painted = pixels(server.render("png", **CASES[name], time=0).body)
    assert numpy.abs(shown[:HEIGHT, :WIDTH] - painted).mean() < limit


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("name", ["a text", "with alpha", "WebP", "contained", "dimmed", "a card that fits"])
def test_lottie_shows_it(server, name, player):
    faults = list(Comparison(server, CASES[name]).faults(player, glyphs=False))
    assert not faults, "\n".join(faults)


def test_files_stay_as_they_came(server):
    """An SVG and a JSON have the file once; Lottie has a PNG."""
    for name, kind in (("PNG", "png"), ("lossy WebP", "webp")):
        request = behind(KINDS[name])
        held = base64_of(KINDS[name])
        for format, more in (("svg", {}), ("json", dict(outlines=True))):
            text = server.render(format, **request, **more).text
            assert text.count(f"data:image/{kind};base64,{held}") == 1
        lottie = server.render("lot", **request).json
        [image] = [asset for asset in lottie["assets"] if "p" in asset]
        assert image["p"].startswith("data:image/png;base64,") and (image["w"], image["h"]) == (240, 160)


def test_a_large_file_does_not_grow(server):
    """A picture of 40 KB is an SVG of hardly more than its Base64."""
    noise = numpy.random.default_rng(1).integers(0, 256, (300, 400, 3), "uint8")
    quality = next(q for q in range(60, 0, -1) if len(file_of(Image.fromarray(noise), "WEBP", quality=q)) <= 40_960)
    file = file_of(Image.fromarray(noise), "WEBP", quality=quality)
    assert len(file) > 20_000
    answered = server.render("svg", **behind(file))
    assert len(answered.body) < len(file) * 4 / 3 + 12_000
    assert server.render("lot", **behind(file)).status == 200


def test_tgs_has_none(server):
    answered = server.post("/render.tgs", behind())
    assert (answered.status, answered.faults) == (400, ["backdrop"])
    assert server.post("/render", behind(**{"for": "telegram-tgs"}) | dict(width=512, height=512)).faults == ["backdrop"]


# Colours


def test_a_text_is_light_on_it(server):
    def color(**more):
        return server.render("json", **behind(**more)).json["glyphs"][0]["color"]

    assert color() == color(backdropDim=0.5) == color(scheme="dark") == "#f0f6fc"
    assert color(color="#ff0000") == "#ff0000"
    assert color(background="#ffffff") == "#24292f"
    assert color(outlineWidth=2, outlineColor="#ffffff") == "#24292f"
    assert color(backdrop="none") == "#2277dd"
    assert "darkColor" not in server.render("json", **behind()).json["glyphs"][0]


def test_it_is_the_same_in_the_dark(server, page):
    request = behind(effect="none", card="fit", background="#ffffff", darkBackground="#0d1117")
    page.set_viewport_size(dict(width=WIDTH, height=HEIGHT))
    shown = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
        shown[scheme] = pixels(screenshot(page))
        painted = pixels(server.render("png", **request, scheme=scheme).body)
        assert worst_block(painted, shown[scheme]) < 30, scheme
    page.emulate_media(color_scheme="light")
    assert (shown["light"][:8] == shown["dark"][:8]).all() and (shown["light"] != shown["dark"]).any()


# Requests


def test_a_request_may_come_as_a_query_a_permalink_or_a_line_of_a_list(server, tmp_path):
    answered = server.render("svg", **behind())
    assert server.get(f"/render.svg?{query(behind())}").body == answered.body
    again = server.get(answered.headers["Content-Location"])
    assert (again.status, again.body) == (200, answered.body)
    line = json.dumps({**behind(), "output": "a.svg"})
    (tmp_path / "list").write_text(line)
    assert run("render", "--batch", tmp_path / "list", "--out", tmp_path / "out").returncode == 0
    assert (tmp_path / "out/a.svg").read_bytes() == answered.body


def test_a_permalink_that_is_too_long_is_left_out(server):
    noise = file_of(Image.frombytes("RGB", (100, 100), os.urandom(30_000)))
    assert "Content-Location" not in server.render("svg", **behind(noise)).headers


def test_it_is_deterministic(server):
    for format in ("svg", "png", "gif", "lot"):
        request = behind(KINDS["lossy WebP with alpha"], seed=3)
        assert server.render(format, **request).body == server.render(format, **request, delay=0).body


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def made(width, height):
    """A PNG of one bit a pixel, deflated as far as zeros are."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min(height * (1 + (width + 7) // 8), 30_000_000)), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def webp(*chunks):
    content = b"".join(name + struct.pack("<I", len(own)) + own + b"\0" * (len(own) % 2) for name, own in chunks)
    return b"RIFF" + struct.pack("<I", 4 + len(content)) + b"WEBP" + content


def lossless_header(width, height):
    return b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14)


LOSSY = KINDS["lossy WebP"]
ANIMATED = io.BytesIO()
scenery().save(ANIMATED, "WEBP", save_all=True, append_images=[scenery().rotate(90)], duration=100)
HOSTILE = {
    "a PNG of 20,000 pixels": (made(20_000, 20_000), "must have sides from 1 to 4096 px; got 20000 × 20000"),
    "a PNG of many pixels": (made(4096, 4096), "must have at most 4194304 pixels; got 4096 × 4096"),
    "a lossless WebP of many pixels": (webp((b"VP8L", lossless_header(16_384, 16_384))), "must have sides from 1 to 4096"),
    "a lossy WebP of many pixels": (
        webp((b"VP8 ", b"\x10\0\0\x9d\x01\x2a" + struct.pack("<HH", 16_383, 16_383) + bytes(20))), "must have sides from 1"),
    "a header only": (webp((b"VP8L", lossless_header(9, 9))), "damaged"),
    "an animation": (ANIMATED.getvalue(), "must be a still picture; got an animated one"),
    "cut": (LOSSY[: len(LOSSY) // 2], "damaged"),
    "cut with a right length": (webp((b"VP8 ", LOSSY[20 : len(LOSSY) // 2])), "damaged"),
    "no chunk": (webp(), "damaged"),
    "a chunk that is too long": (b"RIFF\x14\0\0\0WEBPVP8 \xff\xff\xff\xff" + bytes(8), "damaged"),
    "another canvas": (webp((b"VP8X", bytes(4) + b"\x08\0\0\x08\0\0"), (b"VP8L", lossless_header(8, 8))), "damaged"),
    "an unknown version": (webp((b"VP8L", b"\x2f\0\0\0\xe0")), "damaged"),
    "noise after its header": (webp((b"VP8 ", LOSSY[20:30] + bytes(range(256)) * 9)), None),
    "no WebP": (b"RIFF\x0c\0\0\0WAVEfmt \0\0\0\0", "must be a PNG or WebP file"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_picture_is_an_error_that_names_it(server, name):
    file, message = HOSTILE[name]
    for format in ("svg", "png", "json"):
        answered = server.post(f"/render.{format}", behind(file))
        if message is None:
            assert answered.status in (200, 400)
            continue
        assert (answered.status, answered.faults) == (400, ["pictures.hills"]), answered.text
        assert message in answered.json["errors"][0]["message"]
    assert server.get("/health").status == 200


@pytest.mark.parametrize("more, parameter, message", [
    (dict(backdrop="other"), "backdrop", 'must be the name of a picture, one of hills; got "other"'),
    (dict(backdrop="Hills"), "backdrop", "must be the name of a picture, of 1 to 32 lower-case letters"),
    (dict(backdrop=1), "backdrop", "must be the name of a picture"),
    (dict(backdrop="https://example.com/a.png"), "backdrop", "must be the name of a picture"),
    (dict(backdropFit="fill"), "backdropFit", "cover"),
    (dict(backdropDim=1.1), "backdropDim", "from 0 to 1"),
    (dict(backdropDim=-0.1), "backdropDim", "from 0 to 1"),
    (dict(pictures={"hills": "x"}), "pictures.hills", "must be Base64"),
])  # fmt: skip
def test_a_wrong_request_is_an_error_that_names_the_parameter(server, more, parameter, message):
    answered = server.post("/render", {**behind(), **more})
    assert (answered.status, answered.faults) == (400, [parameter]), answered.text
    assert message in answered.json["errors"][0]["message"]
    assert server.post("/render", dict(text="x", backdrop="hills")).faults == ["backdrop"]


def test_it_has_a_price(start):
    """A picture that takes longer to decode than a rendering may is refused before it is decoded."""
    service = start("--max-work", 30)
    for side, status in ((400, 200), (2048, 422)):
        flat = file_of(Image.new("RGB", (side, side), "#336699"))
        answered = service.post("/render.svg", behind(flat, width=100, height=60, size=12))
        assert answered.status == status, answered.text


# The operator's


def run(*arguments, **environment):
    environment = {**os.environ, **environment}
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=PATIENCE, env=environment)


def test_an_operator_has_pictures_of_any_size(server, start, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "hills.png").write_bytes(PNG)
    (folder / "lake.webp").write_bytes(KINDS["lossy WebP"])
    large = file_of(scenery(3840, 2160), "WEBP", quality=60)
    (folder / "large.webp").write_bytes(large)
    service = start("--pictures", folder)
    assert service.get("/pictures").json["pictures"] == [
        dict(name="hills", width=240, height=160), dict(name="lake", width=240, height=160),
        dict(name="large", width=3840, height=2160),
    ]  # fmt: skip
    own = {key: value for key, value in behind().items() if key != "pictures"}
    for format in ("json", "png"):
        answered = service.render(format, **own)
        assert answered.body == server.render(format, **behind()).body
        assert answered.headers["ETag"] != server.render(format, **behind()).headers["ETag"]
    assert service.get(f"/render.svg?{query(own)}").headers["Content-Location"]
    request = {**own, "backdrop": "large", "text": "x", "color": "transparent", "effect": "none", "cursor": "none"}
    shown = pixels(service.render("png", **request).body)
    wanted = expected(large)
    assert worst_block(shown, wanted) < 16
    assert len(service.render("svg", **request).body) > len(large) * 4 / 3
    help = run("render", "x", "--pictures", folder, "--backdrop", "lake", "--format", "png")
    assert help.returncode == 0 and help.stdout.startswith(b"\x89PNG")


def test_the_entity_tag_goes_by_the_content_of_the_picture(start, tmp_path):
    tags = []
    for number, file in enumerate((PNG, PNG, CLEAR)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "hills.png").write_bytes(file)
        tags.append(start("--pictures", folder).render("svg", text="x", backdrop="hills").headers["ETag"])
    assert tags[0] == tags[1] != tags[2]
