"""Files for places with rules of their own, checked by Pillow, gifsicle, webpinfo, and ffprobe: each keeps every rule,
whatever the text and the look."""

import gzip
import io
import json
import re
import subprocess
import xml.etree.ElementTree
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
    "twitch-emote": ("GIF", 112, 112, 1_000_000, 10, 60),
    "imessage": ("PNG", 408, 408, 500_000, 10, None),
    "x-gif": ("GIF", 800, 450, 15_000_000, None, 217),
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
        assert count >= 5 and picture.info["loop"] == 1 and milliseconds in (1000, 2000, 3000, 4000)
    elif target not in ("og", "slides"):
        assert picture.info["loop"] == 0


VIDEOS = {  # codec, width, height, most bytes, fewest and most seconds, frames a second
    "telegram-sticker": ("vp9", 512, 512, 256_000, 0, 3, 30),
    "telegram-emoji": ("vp9", 100, 100, 256_000, 0, 3, 30),
    "story": ("h264", 1080, 1920, None, 3, 60, 30),
    "reel": ("h264", 1080, 1920, None, 3, None, 30),
    "tiktok": ("h264", 1080, 1920, None, 3, None, 30),
    "square": ("h264", 1080, 1080, None, 3, 60, 30),
    "lower-third": ("prores", 1920, 1080, None, 0, None, 25),
}


@pytest.mark.parametrize(("target", "look"), [(target, look) for target in VIDEOS for look in LOOKS])
def test_a_video_keeps_the_rules_of_its_place(server, target, look):
    codec, width, height, most, least, seconds, rate = VIDEOS[target]
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
    assert least <= float(told["format"]["duration"]) <= (seconds or 120)
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


@pytest.mark.parametrize(("loop", "seconds"), [(1, 4), (2, 2), (3, 1), (4, 1)])
def test_stickers_of_line_take_whole_seconds_four_with_all_loops(server, loop, seconds):
    request = {"text": "A text that is typed", "effect": "typewriter", "for": "line-sticker", "loop": loop, "hold": 4}
    picture, count, milliseconds = frames_of(server.get(f"/render?{query(request)}").body)
    assert (picture.info["loop"], milliseconds) == (loop, seconds * 1000) and 5 <= count <= 20


def test_stickers_of_line_are_as_long_as_their_text_needs(server):
    lengths = {}
    for text, hold in (("hi", 0), ("hi", 1), ("A text that is typed", 1), ("A text that takes too long", 20)):
        request = {"text": text, "effect": "typewriter", "hold": hold, "for": "line-sticker"}
        scene = server.get(f"/render.json?{query({'text': text, 'effect': 'typewriter', 'hold': hold})}").json
        length = server.get(f"/render?{query(request)}")
        lengths[scene["duration"]] = frames_of(length.body)[2] / 1000
    assert all(1 <= length == min(-(-own // 1), 4) for own, length in lengths.items()), lengths


@pytest.mark.parametrize(("name", "value"), [("loop", 5), ("loop", "infinite"), ("cycleStep", 2), ("maxCycle", 5), ("maxFrames", 21),
                                             ("minFrames", 1)])  # fmt: skip
def test_stickers_of_line_keep_their_rules(server, name, value):
    answer = server.get(f"/render?{query({'text': 'hi', 'for': 'line-sticker', name: value})}")
    assert answer.status == 400 and answer.faults == [name] and "line-sticker" in answer.text


def test_the_loops_of_a_sticker_of_line_count(server):
    answer = server.get(f"/render?{query({'text': 'hi', 'for': 'line-sticker', 'loop': 2, 'maxCycle': 3})}")
    assert answer.status == 400 and answer.faults == ["maxCycle"] and "at most 2" in answer.text


def test_a_short_text_for_a_story_stands_longer(server):
    request = {"text": "x", "effect": "slide", "duration": 0.2, "hold": 0.3}
    own, story = (server.get(f"/render.json?{query(request | more)}").json for more in ({}, {"minCycle": 3}))
    assert own["duration"] < 1 and story["duration"] == 3
    assert [block["enterEnd"] for block in own["blocks"]] == [block["enterEnd"] for block in story["blocks"]]
    answer = server.get(f"/render.mp4?{query(request | {'for': 'story', 'minCycle': 2})}")
    assert answer.status == 400 and answer.faults == ["minCycle"] and "at least 3" in answer.text


def test_an_emoji_for_slack_has_as_many_frames_as_it_may(server):
    def delays(**more):
        answer = server.get(f"/render?{query({'text': 'go', 'for': 'slack-emoji', 'effect': 'wave', **more})}")
        assert answer.status == 200 and len(answer.body) <= 128_000, answer.text
        return [frame.delay for frame in GIF(answer.body).frames]

    # Short ones have 25 frames a second.
    assert delays().count(40) >= 8
    long = delays(emphasis="wave", emphasisInterval=0, hold=9)
    assert 30 <= len(long) <= 50 and sum(long) == 5000


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
    [("width", 200, "128"), ("scale", 2, "1"), ("fps", 30, "25"), ("maxFrames", 60, "50"), ("maxCycle", 6, "5"),
     ("keepSize", False, "true"), ("cycle", 6, "maxCycle")],
)
def test_a_value_that_breaks_a_rule_names_both(server, parameter, value, says):
    answer = server.post("/render", {"text": "x", "for": "slack-emoji", parameter: value})
    assert answer.status == 400 and answer.faults == [parameter] and says in answer.text
    assert parameter == "cycle" or "slack-emoji" in answer.text


def test_a_budget_above_that_of_the_place_counts_as_it(server):
    usual, generous, small = (server.post("/render", {"text": "ok 👻", "effect": "wave", "for": "slack-emoji", **budget})
                              for budget in ({}, {"maxBytes": 131_072}, {"maxBytes": 20_000}))
    assert generous.status == 200 and generous.body == usual.body
    assert generous.headers["Content-Location"] == usual.headers["Content-Location"]
    assert len(small.body) <= 20_000 and small.body != usual.body
    wrong = server.post("/render", {"text": "x", "for": "slack-emoji", "maxBytes": 1e9})
    assert wrong.status == 400 and wrong.faults == ["maxBytes"]


def test_presets_yield_to_rules_and_not_to_taste(server):
    og = server.get("/render?text=x&preset=og&for=discord-sticker")
    assert Image.open(io.BytesIO(og.body)).size == (320, 320)
    plain, dark = (server.get(f"/render?text=x&for=og{more}") for more in ("", "&preset=og,dracula&scheme=dark"))
    corners = [Image.open(io.BytesIO(one.body)).convert("RGB").getpixel((5, 5)) for one in (plain, dark)]
    assert corners[0] == (255, 255, 255) != corners[1]


@pytest.mark.parametrize("target", ["slack-emoji", "discord-emoji", "discord-sticker", "whatsapp-sticker", "twitch-emote", "imessage"])
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
            assert own["name"] in names and own["rule"] in ("look", "edge", "ink", "lines", "any", "only", "atMost", "atLeast", "atMostForLoops", "budget")
            assert not own["rule"].startswith(("atMost", "budget")) or own["most"] > 0
            assert (own["rule"] == "budget") == (own["name"] == "maxBytes")
            assert own["rule"] != "atLeast" or own["least"] > 0


def test_the_catalogue_names_sizes(server):
    sizes = {one["name"]: (one.get("width"), one.get("height"), one.get("maxBytes")) for one in server.get("/targets").json["targets"]}
    rules = {name: rule[1:4] for name, rule in (TARGETS | VIDEOS).items()}
    assert sizes == rules | {"github-readme": (838, None, None), "telegram-tgs": (512, 512, None)}


# Every place with several texts, for light and for dark, beside tools that know its files.

TEXTS = {
    "word": dict(text="ship it", effect="pop"),
    "sentence": dict(text="Doors open at eight, and the music begins at nine", effect="typewriter"),
    "lines": dict(text="One\nTwo\nThree", effect="slide", exit="auto"),
    "arabic": dict(text="مرحبا بالعالم", effect="fade"),
    "emoji": dict(text="🎉 🚀", effect="wave"),
    "looks": dict(text="Open late", preset="banner,nord"),
}
PLACES = sorted({*TARGETS, *VIDEOS, "github-readme", "telegram-tgs"})


def by_gifsicle(file):
    """The width, the height, and the number of frames; a warning is an error."""
    told = subprocess.run(["gifsicle", "--info", "-"], input=file, capture_output=True, check=True)
    assert not told.stderr, told.stderr
    width, height = re.search(r"logical screen (\d+)x(\d+)", told.stdout.decode()).groups()
    return int(width), int(height), int(re.search(r"(\d+) images?", told.stdout.decode())[1])


def by_webpinfo(file, path):
    """The same of a WebP."""
    path.write_bytes(file)
    told = subprocess.run(["webpinfo", path], capture_output=True, check=True).stdout.decode()
    assert "No error detected" in told
    width, height = re.search(r"Canvas size (\d+) x (\d+)", told).groups()
    return int(width), int(height), told.count("Chunk ANMF")


def by_ffprobe(file, path):
    """The same of a video or an APNG, and its seconds."""
    path.write_bytes(file)
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    (stream,) = told["streams"]
    return stream["width"], stream["height"], int(stream["nb_read_frames"]), float(told["format"].get("duration", 0))


def inks(file, format, size):
    """How much of each frame is drawn: the pixels that differ from the first pixel of all."""
    if format == "webm":
        command = ["ffmpeg", "-v", "error", "-c:v", "libvpx-vp9", "-i", "-", "-pix_fmt", "rgba", "-f", "rawvideo", "-"]
        raw = subprocess.run(command, input=file, capture_output=True, check=True).stdout
        frames = numpy.frombuffer(raw, numpy.uint8).reshape(-1, *size[::-1], 4)
    else:
        picture, count, _ = frames_of(file)
        frames = []
        for frame in range(count):
            picture.seek(frame)
            frames.append(numpy.array(picture.convert("RGBA")))
    # Where nothing is seen, the colour does not matter.
    frames = [frame * (frame[..., 3:] > 0) for frame in frames]
    return [int((abs(frame.astype(int) - frames[0][0, 0]) > 24).any(axis=-1).sum()) for frame in frames]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", PLACES)
def test_every_place_takes_every_text(server, tmp_path, target, text, scheme):
    request = {**TEXTS[text], "for": target, "scheme": scheme}
    answer = Client(server.port, patience=90).get(f"/render?{query(request)}")
    place = next(one for one in server.get("/targets").json["targets"] if one["name"] == target)
    if target == "telegram-tgs" and text == "emoji":
        assert answer.status == 400 and answer.faults == ["text"]
        return
    assert answer.status == 200, answer.text
    file, format = answer.body, place["format"]
    if format == "svg":
        assert float(xml.etree.ElementTree.fromstring(file).get("width")) <= place["width"]
        return
    if format == "tgs":
        assert len(file) <= 65_536 and json.loads(gzip.decompress(file))["op"] <= 180
        return
    assert len(file) <= place.get("maxBytes", len(file))
    if format == "gif":
        width, height, count = by_gifsicle(file)
    elif format == "webp":
        width, height, count = by_webpinfo(file, tmp_path / "sticker.webp")
    else:
        width, height, count, seconds = by_ffprobe(file, tmp_path / f"file.{format}")
        assert format != "mp4" or seconds >= 3
        assert format != "webm" or seconds <= 3
    assert (width, height) == (place["width"], place.get("height", height))
    most = {own["name"]: own.get("most") for own in place["parameters"]}.get("maxFrames")
    assert most is None or count <= most
    # A still is the finished text: no frame has much more. Other videos begin with their first instant.
    if format not in ("mp4", "mov"):
        drawn = inks(file, format, (width, height))
        assert drawn[0] > 0 and drawn[0] >= 0.6 * max(drawn), drawn
