"""Videos: their frames beside those of PNG, decoded by ffmpeg, whose process is a guest of the service."""

import concurrent.futures
import io
import json
import os
import random
import re
import signal
import socket
import stat
import subprocess
import time
import zipfile
from fractions import Fraction

import numpy
import pytest
from PIL import Image

from random_requests import painted_request, within_limits
from service import by_proof, query, sample

FORMATS = ("webm", "mp4", "mov")
CODECS = {"webm": "vp9", "mp4": "h264", "mov": "prores"}
GROUNDS = ((255, 255, 255), (0, 0, 0), (30, 160, 90))


def stream_of(file):
    """What ffprobe says of a file's only stream, the frames counted by decoding."""
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", "-"]
    told = json.loads(subprocess.run(command, input=file, capture_output=True, check=True).stdout)
    (stream,) = told["streams"]
    return stream | {"seconds": float(told["format"].get("duration", 0))}


def raw_frames(path, codec, pixels, *options):
    decoder = ["-c:v", "libvpx-vp9"] if codec == "vp9" else []
    command = ["ffmpeg", "-v", "error", *decoder, "-i", path, *options, "-pix_fmt", pixels, "-f", "rawvideo", "-"]
    return numpy.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, numpy.uint8)


def frames_of(file, tmp_path, format):
    """The frames as ffmpeg decodes them; with libvpx, since its own decoder drops alpha."""
    path = tmp_path / f"video.{format}"
    path.write_bytes(file)
    stream = stream_of(file)
    height, width, codec = stream["height"], stream["width"], stream["codec_name"]
    if format == "mov":
        options = ["-vf", "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int"]
        return raw_frames(path, codec, "rgba", *options).reshape(-1, height, width, 4)
    # Colours by BT.709, each cell's chroma for all of its pixels.
    half = ((height + 1) // 2, (width + 1) // 2)
    raw = raw_frames(path, codec, "yuva420p")
    raw = raw.reshape(-1, 2 * height * width + 2 * half[0] * half[1])
    luma, blue, red, alpha = numpy.split(
        raw, numpy.cumsum([height * width, half[0] * half[1], half[0] * half[1]]), axis=1)
    whole = lambda plane: plane.reshape(-1, *half).repeat(2, 1).repeat(2, 2)[:, :height, :width]
    luma = (luma.reshape(-1, height, width) - 16.0) / 219
    blue, red = (whole(blue) - 128.0) / 224, (whole(red) - 128.0) / 224
    channels = [luma + 1.5748 * red, luma - 0.187324 * blue - 0.468124 * red, luma + 1.8556 * blue]
    film = [numpy.clip(255 * channel, 0, 255) for channel in channels] + [alpha.reshape(-1, height, width)]
    return numpy.stack(film, -1)


def pictures_of(archive):
    """The frames of a ZIP, with straight alpha."""
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        for name in file.namelist():
            yield numpy.array(Image.open(io.BytesIO(file.read(name))).convert("RGBA"))


def over(picture, ground):
    alpha = picture[..., 3:] / 255
    return picture[..., :3] * alpha + numpy.array(ground) * (1 - alpha)


def noise(one, other):
    """The peak signal-to-noise ratio in dB."""
    error = ((one - other) ** 2).mean()
    return 99 if error == 0 else 10 * numpy.log10(255**2 / error)


def subsampled(picture):
    """A picture whose chroma is taken through 4:2:0 and back, as BT.709 has it."""
    height, width = picture.shape[:2]
    even = numpy.pad(picture, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    color, alpha = even[..., :3].astype(float), even[..., 3:].astype(float)
    luma = color @ [0.2126, 0.7152, 0.0722]
    cells = lambda plane: plane.reshape(even.shape[0] // 2, 2, even.shape[1] // 2, 2, -1)
    weight = cells(alpha).sum((1, 3))
    mean = numpy.where(
        weight > 0, (cells(color) * cells(alpha)).sum((1, 3)) / numpy.maximum(weight, 1), cells(color).mean((1, 3)))
    own = mean @ [0.2126, 0.7152, 0.0722]
    chroma = (mean - own[..., None]).repeat(2, 0).repeat(2, 1)
    whole = numpy.concatenate([numpy.clip(luma[..., None] + chroma, 0, 255), alpha], -1)
    return whole[:height, :width]


def rendered(server, format, **parameters):
    answer = server.get(f"/render.{format}?{query(parameters)}")
    assert answer.status == 200, answer.text
    return answer


LOOKS = {
    "red on nothing": dict(text="Hello wörld", effect="birdman", color="#d33", size=48),
    "red on blue": dict(text="Alarm", effect="slide", color="#f00", background="#00f", size=64),
    "gradient": dict(text="Sunset", effect="wave", color="linear-gradient(90deg, #f40, #40f)", shadow="0 0 8px #000", size=64),
    "card": dict(text="On a card", effect="rise", background="#fffbe6", cornerRadius=24, borderWidth=3, size=40),
    "emoji": dict(text="Go 🚀 go", effect="pop", size=48, width=301, height=115),
    "light": dict(text="Light", effect="typewriter", color="#fff", cursor="bar"),
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("format", FORMATS)
def test_the_frames_are_those_of_png(server, tmp_path, format, look):
    request = dict(LOOKS[look], fps=25)
    film = frames_of(rendered(server, format, **request).body, tmp_path, format).astype(float)
    count = 0
    for number, picture in enumerate(pictures_of(rendered(server, "zip", **request).body)):
        count += 1
        height, width = picture.shape[:2]
        frame = film[number]
        if format == "mp4":
            assert frame.shape[0] % 2 == frame.shape[1] % 2 == 0
            frame = frame[:height, :width]
            ground = (0, 0, 0) if look == "light" else (255, 255, 255)
            flat = numpy.dstack([over(picture, ground), numpy.full((height, width), 255)])
            assert noise(frame[..., :3], subsampled(flat)[..., :3]) > 38, number
            continue
        assert abs(frame[..., 3] - picture[..., 3]).max() <= (2 if format == "mov" else 1), number
        for ground in GROUNDS:
            expected = picture if format == "mov" else subsampled(picture)
            assert noise(over(frame, ground), over(expected, ground)) > (55 if format == "mov" else 38), number
    assert len(film) == count


@pytest.mark.parametrize("format", FORMATS)
def test_flat_colours_are_the_requests(server, tmp_path, format):
    for color in ("#ff0000", "#00ff00", "#0000ff", "#ffffff", "#000000", "#7f3fbf", "#24292f"):
        request = dict(text=".", background=color, color="#888", width=200, height=100, size=10, animate="false")
        frame = frames_of(rendered(server, format, **request).body, tmp_path, format)[0].astype(int)
        wanted = [int(color[at:at + 2], 16) for at in (1, 3, 5)]
        assert abs(frame[10:30, 10:190, :3] - wanted).max() <= 2, color
        assert (frame[..., 3] == 255).all()


RATES = {"24000/1001": Fraction(24000, 1001), "23.976": Fraction(24000, 1001), "25": 25, "30000/1001": Fraction(30000, 1001),
         "29.97": Fraction(30000, 1001), "60000/1001": Fraction(60000, 1001), "60": 60, "12.5": Fraction(25, 2)}  # fmt: skip


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("fps", RATES)
def test_the_rate_and_the_length_are_exact(server, format, fps):
    answer = rendered(server, format, text="Exactly", effect="rise", fps=fps, size=20)
    stream = stream_of(answer.body)
    rate = Fraction(RATES[fps])
    # A WebM has nanoseconds of a frame, and instants in milliseconds.
    tolerance = rate / 100_000 if format == "webm" else 0
    assert abs(Fraction(stream["r_frame_rate"]) - rate) <= tolerance and stream["codec_name"] == CODECS[format]
    count = int(stream["nb_read_frames"])
    seconds = float(answer.headers["Titlecard-Duration"])
    assert count == -int(-(seconds - 1e-6) * rate // 1)
    assert abs(stream["seconds"] - count / rate) <= 0.0011


def test_a_video_has_one_cycle_or_as_many_as_there_are(server, tmp_path):
    request = dict(text="Again", effect="rise", exit="auto", fps=20, size=20)
    counts = {loop: int(stream_of(rendered(server, "webm", **request, loop=loop).body)["nb_read_frames"])
              for loop in (1, 3, "infinite")}  # fmt: skip
    cycle = float(rendered(server, "webm", **request).headers["Titlecard-Duration"])
    assert counts[1] == counts["infinite"] == -int(-(cycle - 1e-6) * 20 // 1)
    assert counts[3] == -int(-(3 * cycle - 1e-6) * 20 // 1)
    thrice = frames_of(rendered(server, "webm", **request, loop=3).body, tmp_path, "webm")
    middle = round(cycle * 20)
    assert abs(thrice[5].astype(int) - thrice[middle + 5]).max() <= 255 and thrice[5].any()


def test_the_containers_say_what_is_in_them(server):
    request = dict(text="Tags", effect="rise")
    webm = stream_of(rendered(server, "webm", **request).body)
    assert webm["tags"]["alpha_mode"] == "1"
    opaque = stream_of(rendered(server, "webm", **request, background="#fff").body)
    assert "alpha_mode" not in opaque.get("tags", {})
    mp4 = rendered(server, "mp4", **request).body
    assert mp4.index(b"moov") < mp4.index(b"mdat")
    assert stream_of(mp4)["profile"] == "High" and stream_of(mp4)["pix_fmt"] == "yuv420p"
    mov = stream_of(rendered(server, "mov", **request).body)
    assert mov["profile"] == "4444" and mov["pix_fmt"].startswith("yuva444p")
    for stream in (webm, opaque, stream_of(mp4), mov):
        names = ("color_space", "color_primaries", "color_transfer", "color_range")
        assert [stream[name] for name in names] == ["bt709"] * 3 + ["tv"]


def test_lossless_is_exact(server, tmp_path):
    """In luma and chroma, which is all that such a file has."""
    request = dict(text="Exact", effect="blur", color="#d33", background="#fff", size=48)
    raw = []
    for quality in (100, 1):
        path = tmp_path / "exact.webm"
        path.write_bytes(rendered(server, "webm", **request, quality=quality).body)
        raw.append(raw_frames(path, "vp9", "yuv420p"))
    film = raw[0].astype(int)
    pictures = [over(picture, (0, 0, 0)) for picture in pictures_of(rendered(server, "zip", **request).body)]
    height, width = pictures[0].shape[:2]
    frame = height * width + 2 * ((height + 1) // 2) * ((width + 1) // 2)
    assert len(film) == frame * len(pictures)
    for number, picture in enumerate(pictures):
        luma = film[number * frame:][:height * width].reshape(height, width)
        assert abs(luma - (16 + picture @ [0.2126, 0.7152, 0.0722] * 219 / 255)).max() <= 0.51
    assert abs(raw[1].astype(int) - film).max() > 0


def test_the_same_request_has_the_same_bytes(server, start):
    requests = [f"/render.{format}?{query(LOOKS[look])}" for format in FORMATS for look in ("gradient", "light")]
    other = start("--cache-size", "0", "--workers", "1")
    for path in requests:
        one, again = server.get(path), other.get(path)
        assert one.body == again.body and one.headers["ETag"] == again.headers["ETag"]


@pytest.mark.parametrize("seed", range(by_proof(12, 300)))
def test_random_videos_have_the_frames_of_png(server, tmp_path, seed):
    draw = random.Random(f"video {seed}")
    request = within_limits(server, f"video {seed}", painted_request)
    format = FORMATS[seed % 3]
    for name in ("format", "scale", "loop", "maxBytes", "keepSize", "levels", "poster", "quality", "time", "matte", "speed", "cycle"):
        request.pop(name, None)
    request |= {"fps": draw.choice([5, 10, 12.5]), "width": draw.randint(40, 300), "height": draw.randint(30, 200), "maxCycle": 6}
    answers = [server.post(f"/render.{kind}", request) for kind in (format, "zip")]
    assert answers[0].status == answers[1].status, (request, answers[0].text)
    if answers[0].status != 200:
        return
    film = frames_of(answers[0].body, tmp_path, format).astype(float)
    pictures = list(pictures_of(answers[1].body))
    assert len(film) == len(pictures)
    for frame, picture in zip(film, pictures):
        height, width = picture.shape[:2]
        if format == "mp4":
            opaque = numpy.full((height, width), 255.0)
            best = max(noise(frame[:height, :width, :3], subsampled(numpy.dstack([over(picture, ground), opaque]))[..., :3])
                       for ground in GROUNDS[:2])  # fmt: skip
            assert best > 38, request
            continue
        assert abs(frame[..., 3] - picture[..., 3]).max() <= (2 if format == "mov" else 1), request
        expected = picture if format == "mov" else subsampled(picture)
        for ground in GROUNDS:
            assert noise(over(frame, ground), over(expected, ground)) > (55 if format == "mov" else 38), request
