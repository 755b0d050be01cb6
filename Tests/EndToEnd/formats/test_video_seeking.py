"""Videos are shown from any instant: key frames of colours and alpha at the same places, in browsers and by ffmpeg."""

import random
from fractions import Fraction

import pytest

from random_requests import painted_request, within_limits
from service import by_proof
from videos import (
    PIXELS, key_frames, noise, over, pictures_of, raw_frames, sought_by_chromium, sought_by_ffmpeg, stream_of,
)  # fmt: skip

CODECS = {"webm": "vp9", "mp4": "h264"}
GROUNDS = ((255, 255, 255), (0, 0, 0))
LUMA = (0.2126, 0.7152, 0.0722)
# The look whose colours had key frames that its alpha lacked, and others whose pictures change all at once.
LOOKS = {
    "soft shadow": dict(blocks=[{"text": "Ada Lovelace"}, {"text": "Analyst"}], font="Inter", weight=700, size=40, color="white",
                        shadow="0 2px 6px #000a", effect="rise", sequence="together", exit="auto", hold=3,
                        width=640, height=360, valign="bottom"),
    "replaced": dict(blocks=[{"text": text} for text in ("Red", "Green", "Blue")], effect="fade", sequence="replace", size=90, width=400, height=160),
    "on a card": dict(text="On a card", effect="slide", background="#fffbe6", hold=4, exit="auto", size=48),
    "gradient": dict(text="Sunset", effect="wave", color="linear-gradient(90deg, #f40, #40f)", hold=4, size=64),
}  # fmt: skip


def random_video(server, seed):
    """A request for a video of some seconds, and its rate."""
    draw = random.Random(f"seek {seed}")
    request = within_limits(server, f"seek {seed}", painted_request)
    for name in ("format", "scale", "loop", "maxBytes", "keepSize", "levels", "poster", "time", "matte", "speed", "cycle"):
        request.pop(name, None)
    fps, rate = draw.choice([("10", Fraction(10)), ("12.5", Fraction(25, 2)), ("24000/1001", Fraction(24000, 1001))])
    more = {"width": draw.randint(40, 300), "height": draw.randint(30, 200), "maxCycle": 8, "hold": draw.uniform(1, 4)}
    return request | more | {"fps": fps, "quality": draw.choice(["auto", 100, 60, 1])}, rate


def keys_are_right(webm, rate):
    """Key frames of both streams at the same places, at most two seconds apart."""
    colors, alphas = key_frames(webm)
    assert colors == alphas or not alphas
    count = int(stream_of(webm)["nb_read_frames"])
    assert colors == [*range(0, count, -int(-2 * rate // 1))]
    return alphas


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("quality", (100, 75, 1))
def test_key_frames_of_colours_and_alpha_are_the_same(server, look, quality):
    webm = server.post("/render.webm", LOOKS[look] | {"quality": quality, "fps": 25}).body
    assert bool(keys_are_right(webm, 25)) == (look != "on a card")


@pytest.mark.parametrize("seed", range(by_proof(20, 200)))
def test_random_videos_have_key_frames_that_decoders_can_begin_with(server, seed):
    request, rate = random_video(server, seed)
    answer = server.post("/render.webm", request)
    assert answer.status in (200, 400, 422), answer.text
    if answer.status == 200:
        keys_are_right(answer.body, rate)


def check_seeks(server, page, tmp_path, format, request, rate, draw):
    """Seeks five frames: in Chromium, against those of PNG, and by ffmpeg, against the whole video as it decodes it."""
    answers = [server.post(f"/render.{kind}", request) for kind in (format, "zip")]
    assert [answer.status for answer in answers] == [200, 200], answers[0].text
    pictures = [*pictures_of(answers[1].body)]
    others = draw.sample(range(len(pictures) - 1), min(len(pictures) - 1, 4))
    sought = [*others[:2], len(pictures) - 1, *others[2:]]
    path = tmp_path / f"video.{format}"
    path.write_bytes(answers[0].body)
    whole = raw_frames(path, CODECS[format], PIXELS).reshape(len(pictures), -1)
    for number in sought:
        # A part of a frame before it begins, since a WebM has milliseconds.
        assert (sought_by_ffmpeg(path, format, (number - 0.25) / rate) == whole[number]).all(), (number, request)
    shown = sought_by_chromium(page, answers[0], [(number + 0.5) / rate for number in sought])
    for number, picture in zip(sought, shown):
        expected = pictures[number]
        height, width = expected.shape[:2]
        # Behind those of MP4 is white or black. Players interpolate chroma in their own ways, and luma in none.
        grays = [[over(one[:height, :width], ground) @ LUMA for one in (picture, expected)] for ground in GROUNDS]
        assert max(noise(*both) for both in grays) > 30, (number, request)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("format", CODECS)
def test_any_instant_of_a_video_is_shown(server, decoding_page, tmp_path, format, look):
    check_seeks(server, decoding_page, tmp_path, format, LOOKS[look] | {"fps": 25}, 25, random.Random(look))


@pytest.mark.parametrize("seed", range(by_proof(6, 200)))
def test_any_instant_of_a_random_video_is_shown(server, decoding_page, tmp_path, seed):
    request, rate = random_video(server, seed)
    request["quality"] = 100
    if server.post("/render.webm", request).status == 200:
        format = [*CODECS][seed % 2]
        check_seeks(server, decoding_page, tmp_path, format, request, float(rate), random.Random(seed))


def test_an_mp4_begins_with_its_first_frame_without_an_edit_list(server):
    mp4 = server.post("/render.mp4", LOOKS["replaced"]).body
    assert b"elst" not in mp4 and float(stream_of(mp4)["start_time"]) == 0
