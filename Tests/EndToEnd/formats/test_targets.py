"""Files for places with rules of their own, checked by Pillow: each keeps every rule, whatever the text and the look."""

import gzip
import io
import json
import subprocess
from fractions import Fraction

import numpy
import pytest
from PIL import Image

from frames import GIF
from service import Client, query

TARGETS = {  # format, width, height, most bytes, most seconds, most frames
    "slack-emoji": ("GIF", 128, 128, 128_000, 5, 50),
    "discord-emoji": ("GIF", 128, 128, 256_000, 10, None),
    "discord-sticker": ("PNG", 320, 320, 512_000, 5, None),
    "whatsapp-sticker": ("WEBP", 512, 512, 500_000, 10, None),
    "line-sticker": ("PNG", 320, 270, 300_000, 4, 20),
    "email": ("GIF", 600, None, 200_000, None, None),
    "slides": ("GIF", 1920, 1080, None, None, None),
    "og": ("PNG", 1200, 630, None, None, None),
}
LOOKS = {
    "plain": dict(text="ship it"),
    "long": dict(text="A much longer text that has to become small to go into a sticker", effect="typewriter"),
    "slow": dict(text="slow", effect="pop", duration=8, hold=20),
    "glow": dict(text="Glow", effect="wave", shadow="0 0 12px #f0f, 3px 3px 2px #08c", color="linear-gradient(90deg, #f40, #40f)"),
    "card": dict(text="Card", preset="card"),
    "neon": dict(text="Open", preset="neon"),
    "sticker": dict(text="Wow!", preset="sticker"),
    "dark": dict(text="Dark", preset="headline,dracula", scheme="dark"),
    "arabic": dict(text="مرحبا بالعالم", effect="rise"),
    "emoji": dict(text="🎉🚀 👩‍👩‍👧", effect="pop"),
    "code": dict(text="let a = 1", codeLanguage="swift", preset="editor"),
    "banner": dict(text="Banner of GitHub", preset="banner,nord", effect="scramble"),
}
CASES = [(target, look) for target in TARGETS for look in LOOKS]


def frames_of(file):
    """The picture, its number of frames and its milliseconds."""
    picture = Image.open(io.BytesIO(file))
    count, milliseconds = getattr(picture, "n_frames", 1), 0
    for frame in range(count):
        picture.seek(frame)
        milliseconds += picture.info.get("duration", 0)
    return picture, count, milliseconds


@pytest.mark.parametrize(("target", "look"), CASES)
def test_a_file_keeps_the_rules_of_its_place(server, target, look):
    format, width, height, most, seconds, frames = TARGETS[target]
    answer = server.get(f"/render?{query({**LOOKS[look], 'for': target})}")
    if (target, look) == ("line-sticker", "slow"):
        # 28 s do not go into two.
        assert answer.status == 400 and answer.faults == ["cycle"]
        return
    assert answer.status == 200, answer.text
    picture, count, milliseconds = frames_of(answer.body)
    assert picture.format == format and picture.width == width and height in (None, picture.height)
    assert most is None or len(answer.body) <= most
    assert frames is None or count <= frames
    assert seconds is None or milliseconds <= seconds * 1000
    assert (count > 1) == (target != "og")
    if target == "email":
        assert picture.info.get("loop") is None  # plays once
        # Proxies of mail programs forget where smaller frames stand.
        file = GIF(answer.body)
        assert {(frame.left, frame.top, frame.width, frame.height) for frame in file.frames} == {(0, 0, *file.size)}
    elif target == "line-sticker":
        assert count >= 5 and picture.info["loop"] == 2 and milliseconds == 2000
    elif target not in ("og", "slides"):
        assert picture.info["loop"] == 0


VIDEOS = {  # codec, width, height, most bytes, most seconds, frames a second
    "telegram-sticker": ("vp9", 512, 512, 256_000, 3, 30),
    "telegram-emoji": ("vp9", 100, 100, 256_000, 3, 30),
    "story": ("h264", 1080, 1920, None, 60, 30),
    "lower-third": ("prores", 1920, 1080, None, None, 25),
}


@pytest.mark.parametrize(("target", "look"), [(target, look) for target in VIDEOS for look in LOOKS])
def test_a_video_keeps_the_rules_of_its_place(server, target, look):
    codec, width, height, most, seconds, rate = VIDEOS[target]
    request = {**LOOKS[look], "for": target}
    if height > 1000 and "hold" in request:
        # Half a minute of such pictures takes a busy machine longer than a service waits.
        request["hold"] = 4
    answer = Client(server.port, patience=90).get(f"/render?{query(request)}")
    assert answer.status == 200, answer.text
    command = ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", "-"]
    told = json.loads(subprocess.run(command, input=answer.body, capture_output=True, check=True).stdout)
    # No sound.
    (stream,) = told["streams"]
    assert (stream["codec_name"], stream["width"], stream["height"]) == (codec, width, height)
    assert most is None or len(answer.body) <= most
    assert seconds is None or float(told["format"]["duration"]) <= seconds
    assert most is not None or stream["r_frame_rate"] == f"{rate}/1"
    if codec == "vp9":
        assert Fraction(stream["r_frame_rate"]) <= 30


@pytest.mark.parametrize("look", ["plain", "long", "slow", "glow", "arabic", "dark", "emoji"])
def test_an_animated_sticker_of_telegram_has_nothing_that_it_must_not(server, look):
    request = {**LOOKS[look], "for": "telegram-tgs"}
    answer = server.get(f"/render?{query(request)}")
    if look in ("emoji", "arabic", "dark"):
        # Pictures; letters that rise from behind a mask.
        assert answer.status == 400 and answer.json["errors"][0]["message"].endswith("which Telegram stickers cannot have")
        return
    assert answer.status == 200, answer.text
    assert answer.headers["Content-Type"] == "application/x-tgsticker" and len(answer.body) <= 65_536
    animation = json.loads(gzip.decompress(answer.body))
    assert [animation[name] for name in ("tgs", "w", "h", "fr", "ip")] == [1, 512, 512, 60, 0]
    assert animation["op"] == int(animation["op"]) <= 180

    def parts(node):
        if isinstance(node, dict):
            yield node
            for value in node.values():
                yield from parts(value)
        elif isinstance(node, list):
            for value in node:
                yield from parts(value)

    for part in parts(animation):
        # Images, solids, and texts; gradient strokes, merged paths, stars, and repeaters; mattes and masks; effects;
        # stretched or remapped time; layers that turn along their path, or have depth.
        assert part.get("ty") not in (1, 2, 5, 13, "gs", "mm", "sr", "rp") and "layers" not in part.get("refId", "")
        assert not {"tt", "td", "masksProperties", "ef", "sr", "tm"} & set(part) or part.get("ty") == "tm" or "cm" in part
        assert part.get("ddd", 0) == 0 and not part.get("ao")


def test_what_telegrams_sticker_cannot_be_is_named(server):
    for request, parameter in ((dict(text="🎉"), "text"),
                               (dict(text="no", effect="rise"), "effect")):  # fmt: skip
        answer = server.get(f"/render.tgs?{query(request)}")
        assert answer.status == 400 and answer.faults == [parameter]


def test_a_sticker_of_telegram_plays_in_three_seconds(server):
    answer = server.get(f"/render.tgs?{query(dict(text='Slow', hold=9))}")
    animation = json.loads(gzip.decompress(answer.body))
    assert (animation["op"], animation["fr"]) == (180, 60) and "unsupported" in answer.headers["Titlecard-Warnings"]


def test_a_sticker_of_telegram_is_the_animation_in_its_size(server):
    request = dict(text="Wide", effect="pop", width=400, height=100)
    animation = json.loads(gzip.decompress(server.get(f"/render.tgs?{query(request)}").body))
    (layer,) = animation["layers"]
    assert (layer["w"], layer["h"], layer["ks"]["s"]["k"]) == (400, 100, [128, 128])
    own = server.get(f"/render.lot?{query(request)}").json
    (asset,) = [asset for asset in animation["assets"] if asset["id"] == layer["refId"]]
    assert len(asset["layers"]) == len(own["layers"])


def test_stickers_of_line_are_two_seconds_once_or_twice(server):
    request = {"text": "hi", "for": "line-sticker"}
    twice = frames_of(server.get(f"/render?{query({**request, 'loop': 2})}").body)[0]
    assert twice.info["loop"] == 2
    for name, value in (("loop", 3), ("loop", "infinite"), ("fps", 20), ("cycle", 3), ("minFrames", 1)):
        answer = server.get(f"/render?{query({**request, name: value})}")
        assert answer.status == 400 and answer.faults == [name] and "line-sticker" in answer.text


def test_mail_programs_that_play_nothing_show_the_whole_text(server):
    request = dict(text="Sale ends soon", effect="typewriter")
    film = Image.open(io.BytesIO(server.get(f"/render?{query({**request, 'for': 'email'})}").body))
    first = numpy.array(film.convert("RGB")).astype(int)
    film.seek(film.n_frames - 1)
    # Each frame takes the nearest of its colours, of which a GIF has so many levels.
    assert abs(first - numpy.array(film.convert("RGB"))).max() <= 8


def test_frames_of_mail_cannot_be_smaller_than_the_picture(server):
    answer = server.get(f"/render?{query({'text': 'Sale', 'for': 'email', 'frames': 'auto'})}")
    assert answer.status == 400 and answer.faults == ["frames"] and "email" in answer.text
    assert server.get(f"/render?{query({'text': 'Sale', 'for': 'email', 'frames': 'full'})}").status == 200


def test_a_readme_gets_an_svg_no_wider_than_its_column(server):
    answer = server.get(f"/render?{query({'text': 'word ' * 60, 'for': 'github-readme'})}")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert server.get(f"/render.json?{query({'text': 'word ' * 60, 'maxWidth': 838})}").json["width"] <= 838


def test_values_of_the_request_count_within_the_rules(server):
    request = {"text": "ok", "for": "slack-emoji", "fps": 5, "padding": 20, "maxBytes": 60_000, "loop": 2}
    picture, count, milliseconds = frames_of(server.post("/render", request).body)
    assert picture.size == (128, 128) and picture.info["loop"] == 1


@pytest.mark.parametrize(
    ("parameter", "value", "says"),
    [("width", 200, "128"), ("scale", 2, "1"), ("fps", 25, "10"), ("maxBytes", 200_000, "128000"), ("maxCycle", 6, "5"),
     ("keepSize", False, "true"), ("cycle", 6, "maxCycle")],
)
def test_a_value_that_breaks_a_rule_names_both(server, parameter, value, says):
    answer = server.post("/render", {"text": "x", "for": "slack-emoji", parameter: value})
    assert answer.status == 400 and answer.faults == [parameter] and says in answer.text
    assert parameter == "cycle" or "slack-emoji" in answer.text


def test_presets_yield_to_rules_and_not_to_taste(server):
    og = server.get("/render?text=x&preset=og&for=discord-sticker")
    assert Image.open(io.BytesIO(og.body)).size == (320, 320)
    plain, dark = (server.get(f"/render?text=x&for=og{more}") for more in ("", "&preset=og,dracula&scheme=dark"))
    corners = [Image.open(io.BytesIO(one.body)).convert("RGB").getpixel((5, 5)) for one in (plain, dark)]
    assert corners[0] == (255, 255, 255) != corners[1]


@pytest.mark.parametrize("target", ["slack-emoji", "discord-emoji", "discord-sticker", "whatsapp-sticker"])
def test_plain_text_can_be_read_on_light_and_on_dark(server, target):
    def pixels(**more):
        answer = server.get(f"/render?{query({'text': 'ship it', 'animate': False, 'for': target, **more})}")
        shown = numpy.array(Image.open(io.BytesIO(answer.body)).convert("RGBA"))
        opaque = shown[shown[..., 3] > 250][:, :3].astype(int)
        return (opaque.max(axis=1) < 90).sum(), (opaque.min(axis=1) > 240).sum()

    dark, light = pixels()
    assert dark > 300 and light > 300
    # An edge is for text that nobody has given a look.
    for more in (dict(outlineWidth=0), dict(outlineColor="#f00"), dict(preset="handwriting"), dict(background="#fa0")):
        assert pixels(**more)[1] == 0, more


def test_another_format_is_an_error(server):
    for path in ("/render.svg?text=x&for=slack-emoji", "/render?text=x&for=slack-emoji&format=webp"):
        answer = server.get(path)
        assert answer.status == 400 and answer.faults == ["for"] and "gif" in answer.text, path


def test_a_permalink_holds_what_the_target_stands_for(server):
    answer = server.get("/render?text=x&for=slack-emoji")
    assert server.get(answer.headers["Content-Location"]).body == answer.body
    assert "slack-emoji" not in server.get("/canonical" + answer.headers["Content-Location"]).text


def test_the_catalogue_says_what_each_takes(server):
    targets = server.get("/targets").json["targets"]
    assert {one["name"] for one in targets} == {*TARGETS, *VIDEOS, "github-readme", "telegram-tgs"}
    names = {one["name"] for one in server.get("/parameters").json["parameters"]}
    formats = server.get("/formats").json["formats"]
    names |= {parameter["name"] for one in formats for parameter in one["parameters"]}
    for target in targets:
        assert target["format"] in {one["name"] for one in formats}
        for own in target["parameters"]:
            assert own["name"] in names and own["rule"] in ("look", "edge", "ink", "lines", "any", "only", "atMost")
            assert own["rule"] != "atMost" or own["most"] > 0
