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
from fractions import Fraction

import numpy
import pytest
from PIL import Image

from hostile import Watch
from process_tree import memory
from random_requests import painted_request, within_limits
from service import by_proof, query, until
from videos import GROUNDS, ffmpeg_in, frames_of, noise, over, pictures_of, raw_frames, rendered, stream_of, subsampled

FORMATS = ("webm", "mp4", "mov")
CODECS = {"webm": "vp9", "mp4": "h264", "mov": "prores"}

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


FLAT = ("#ff0000", "#00ff00", "#0000ff", "#ffffff", "#000000", "#7f3fbf", "#24292f")


def flat(color):
    return dict(text=".", background=color, color="#888", width=200, height=100, size=10, animate="false")


def parts(color):
    return [int(color[at:at + 2], 16) for at in (1, 3, 5)]


@pytest.mark.parametrize("format", FORMATS)
def test_flat_colours_are_the_requests(server, tmp_path, format):
    for color in FLAT:
        frame = frames_of(rendered(server, format, **flat(color)).body, tmp_path, format)[0].astype(int)
        assert abs(frame[10:30, 10:190, :3] - parts(color)).max() <= 2, color
        assert (frame[..., 3] == 255).all()


def test_an_avif_of_texts_that_replace_each_other_is_whole(server):
    # libaom 3.6 fails for these frames where it looks for key frames itself.
    texts = [
        dict(text="two\nlines", by="glyph", interval=0.13, duration=2.486, size=24.5),
        dict(text="na\u00efve caf\u00e9 \u2014 ok!", effect="fall", by="word", maxDelay=0.111, minDistance=0, maxDistance=639.755,
             angle=-316.528),
        dict(text="na\u00efve caf\u00e9 \u2014 ok!", effect="highlight", by="all", cursorBlink=0.34),
    ]  # fmt: skip
    request = dict(blocks=texts, sequence="replace", effect="flicker", order="backward", delay=0.719, gap=0.881, hold=1.166, cycle=8.85)
    answer = server.post("/render.avif", request)
    assert answer.status == 200, answer.text
    assert Image.open(io.BytesIO(answer.body)).n_frames == 222


def test_flat_colours_of_an_avif_are_the_requests(server):
    for color in FLAT:
        picture = Image.open(io.BytesIO(rendered(server, "avif", **flat(color), quality=100).body))
        assert abs(numpy.array(picture.convert("RGB")).astype(int)[10:30, 10:190] - parts(color)).max() <= 2, color


RATES = {"24000/1001": Fraction(24000, 1001), "23.976": Fraction(24000, 1001), "25": 25, "30000/1001": Fraction(30000, 1001),
         "29.97": Fraction(30000, 1001), "60000/1001": Fraction(60000, 1001), "59.94": Fraction(60000, 1001), "30": 30, "50": 50, "60": 60, "12.5": Fraction(25, 2)}  # fmt: skip


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


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("quality", ("auto", 100))
def test_the_frames_of_an_avif_are_those_of_png(server, look, quality):
    """Its alpha is a video of its own, and every pixel has its own colour, in the full range."""
    request = dict(LOOKS[look], fps=10)
    file = rendered(server, "avif", **request, quality=quality).body
    film = Image.open(io.BytesIO(file))
    pictures = [*pictures_of(rendered(server, "zip", **request).body)]
    assert film.n_frames == len(pictures)
    for number, picture in enumerate(pictures):
        film.seek(number)
        frame = numpy.array(film.convert("RGBA")).astype(float)
        for ground in GROUNDS:
            assert noise(over(frame, ground), over(picture, ground)) > (38 if quality == "auto" else 45), number
    streams = json.loads(subprocess.run(["ffprobe", "-v", "error", "-show_streams", "-of", "json", "-"], input=file,
                                        capture_output=True, check=True).stdout)["streams"]  # fmt: skip
    names = ("pix_fmt", "color_range", "color_space", "color_primaries", "color_transfer")
    assert [streams[0][name] for name in names] == ["yuv444p", "pc", "bt709", "bt709", "bt709"]


def test_the_same_request_has_the_same_bytes(server, start):
    requests = [f"/render.{format}?{query(LOOKS[look])}" for format in (*FORMATS, "avif") for look in ("gradient", "light")]
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


# What ffmpeg may do to the service that runs it: programs in its place, each in a directory of its own.
GUESTS = {
    "hangs": "sleep 600",
    "hangs having read all": "cat > /dev/null; sleep 600",
    "crashes": "kill -SEGV $$",
    "fails": "cat > /dev/null; echo 'no such luck' >&2; exit 3",
    "reads nothing": "exec 0<&-; sleep 0.2; exit 1",
    "writes nothing": "cat > /dev/null",
    "writes without end": "exec dd if=/dev/zero of=/proc/self/fd/3 bs=1M",
    "takes memory": "exec python3 -c 'x = bytearray(6 << 30); import sys; sys.stdin.read()'",
    "talks without end": f"yes 'words of {os.getpid()}' >&2; exit",
    "has others do it": f"sleep 9{os.getpid()}; exit",
    "talks": "cat > /dev/null; yes 'words, words' | head -c 5000000 >&2; exit 9",
}


@pytest.fixture
def guest(tmp_path):
    """Puts a program in the place of ffmpeg, which answers for itself as ffmpeg does, and returns a PATH with it."""
    return lambda script: ffmpeg_in(tmp_path, script)


def children_of(service):
    """The processes of ffmpeg, or in its place, below a service."""
    found = []
    for process in service.workers:
        path = f"/proc/{process}/task"
        try:
            for task in os.listdir(path):
                with open(f"{path}/{task}/children") as file:
                    found += [int(child) for child in file.read().split()]
        except FileNotFoundError:
            continue
    return found


def descriptors_of(service):
    return sum(len(os.listdir(f"/proc/{process}/fd")) for process in service.workers)


SMALL = query(dict(text="Small", effect="rise", size=20, fps=10))


@pytest.mark.parametrize("name", GUESTS)
def test_a_guest_that_misbehaves_is_an_error_and_leaves_nothing(start, guest, name):
    service = start("--render-deadline", "3", "--log-level", "info", environment={"PATH": guest(GUESTS[name])})
    open_before = descriptors_of(service)
    with concurrent.futures.ThreadPoolExecutor() as others:
        answer = others.submit(service.get, f"/render.webm?{SMALL}")
        # Nobody else notices.
        for number in range(5):
            assert service.get(f"/render.svg?text=other{number}").status == 200
        answer = answer.result()
    if name == "writes without end":
        assert answer.status == 422 and answer.faults == ["fps"]
    else:
        assert answer.status == 503 and answer.headers["Retry-After"]
        assert answer.json["title"] in ("The video could not be encoded", "The rendering took too long")
    if name == "fails":
        until(lambda: "no such luck" in service.logged(), "the line of the guest")
    assert service.get("/health").status == 200
    until(lambda: not children_of(service), "the end of the guest")
    # Nor what it has started.
    others = f"^(sleep 9{os.getpid()}|yes words of {os.getpid()})$"
    until(lambda: not subprocess.run(["pgrep", "-f", others], capture_output=True).stdout, "the end of the others")
    until(lambda: descriptors_of(service) <= open_before + 2, "closed descriptors")
    assert service.get(f"/render.png?{SMALL}").status == 200


@pytest.mark.alone
@pytest.mark.parametrize("format", [*FORMATS, "avif"])
@pytest.mark.parametrize("ground", [None, "#336699"])
def test_the_largest_video_is_within_the_memory(start, format, ground):
    """One that is as large as the service allows, with as many frames as the encoder looks back on."""
    most = 256
    service = start("--memory", str(most), "--workers", "2", "--max-work", "60000")

    def answer(width, **more):
        shape = dict(text="As large as it can be", width=width, height=width / 2, size=width / 16, fps=30, hold=0)
        return service.get(f"/render.{format}?{query(shape | more | ({'background': ground} if ground else {}))}")

    small, large = 200, 4000
    while large - small > 10:
        width = (small + large) // 2
        small, large = (width, large) if answer(width, effect="none").status == 200 else (small, width)
    refused = answer(large)
    assert refused.status == 422 and refused.faults == ["width"] and "MiB of memory" in refused.text
    (option,) = re.findall("--memory (\\d+) would do", refused.text)
    assert most < int(option) < 5000
    assert answer(large / 2, scale=2.1).faults == ["scale"]
    with Watch(service) as watch:
        # Of ProRes each frame is a picture by itself, and large.
        rendered = answer(small, effect="slide", duration=0.1 if format == "mov" else 0.5)
    assert rendered.status == 200
    assert most / 4 < watch.peak / 2**20 < most


FILM = dict(text="Ada Lovelace", effect="slide", by="all", duration=0.2, size=72, hold=0, fps=60, scale=2, exit="none")


@pytest.mark.alone
@pytest.mark.parametrize("format", ("mov", "mp4"))
def test_4k_fits_the_default_memory(start, format):
    """With a lower third; the memory does not depend on the length."""
    request = FILM | {"for": "lower-third"} if format == "mov" else FILM | dict(width=1920, height=1080, padding=108)
    service = start("--max-work", "20000", "--render-deadline", "600")
    with Watch(service) as watch:
        answer = service.get(f"/render.{format}?{query(request)}")
    assert answer.status == 200, answer.text
    stream = stream_of(answer.body)
    assert (stream["width"], stream["height"]) == (3840, 2160)
    assert watch.peak / 2**20 < 600


@pytest.mark.parametrize("rate", ("25", "29.97", "30", "50", "59.94", "60"))
def test_a_lower_third_has_the_rates_of_television(server, rate):
    answer = server.get(f"/render?{query({'text': 'Ada', 'for': 'lower-third', 'fps': rate, 'hold': '0', 'effect': 'none'})}")
    assert answer.status == 200 and Fraction(stream_of(answer.body)["r_frame_rate"]) == RATES[rate]


def test_a_refusal_names_the_option_that_would_do(start):
    request = dict(text="Large and long", effect="wave", width=1280, height=720, size=120, fps=60, cycle=4)
    refused = start("--max-work", "50").get(f"/render.mp4?{query(request)}")
    (option,) = re.findall("--max-work (\\d+) would do", refused.text)
    assert refused.status == 422 and start("--max-work", option).get(f"/render.mp4?{query(request)}").status == 200


def test_a_video_is_as_long_as_there_is_memory_for_it(start, guest):
    request = dict(text="Noise " * 40, effect="wave", loop="infinite", cycle=20, size=18, width=400)
    service = start("--memory", "140", "--workers", "2")
    short, long = (service.get(f"/render.mov?{query(dict(request, fps=fps))}") for fps in (5, 60))
    assert short.status == 200
    assert long.status == 422 and long.faults == ["fps"] and "bytes" in long.text
    # The memory that the message names is enough.
    (option,) = re.findall("--memory (\\d+)", long.text)
    assert start("--memory", option, "--workers", "2").get(f"/render.mov?{query(dict(request, fps=60))}").status == 200
    # With a budget of bytes it is one of the files that are too long.
    service = start(environment={"PATH": guest(GUESTS["writes without end"])})
    answer = service.get(f"/render.webm?{SMALL}&maxBytes=100000")
    assert answer.status == 422 and answer.faults == ["maxBytes"]


def test_without_ffmpeg_there_are_no_videos(start, tmp_path):
    service = start(environment={"PATH": str(tmp_path)})
    formats = service.get("/formats").json
    assert not {entry["name"] for entry in formats["formats"]} & {*FORMATS, "avif"}
    assert {entry["name"]: entry["reason"] for entry in formats["missing"]} == dict.fromkeys([*FORMATS, "avif"], "ffmpeg is not installed")
    until(lambda: "ffmpeg is not installed" in service.logged(), "the line of the log")
    assert service.get(f"/render.webm?{SMALL}").status == 404
    answer = service.get(f"/render?format=webm&{SMALL}")
    assert answer.status == 400 and answer.faults == ["format"]
    refusing = start("--video-processes", "0")
    assert {entry["reason"] for entry in refusing.get("/formats").json["missing"]} == {"--video-processes is 0"}


def test_an_encoder_that_ffmpeg_lacks_is_missing(start, guest):
    path = guest("").split(":")[0]
    program = f"{path}/ffmpeg"
    with open(program, "w") as file:
        file.write('#!/bin/sh\n/usr/bin/ffmpeg "$@" | grep -v "libx264 "\n')
    os.chmod(program, stat.S_IRWXU)
    service = start(environment={"PATH": f"{path}:{os.environ['PATH']}"})
    formats = service.get("/formats").json
    assert {entry["name"] for entry in formats["missing"]} == {"mp4"}
    assert {"webm", "mov", "avif"} <= {entry["name"] for entry in formats["formats"]}


def test_another_ffmpeg_than_at_the_start_is_an_error(start, guest):
    path = guest("exec /usr/bin/ffmpeg \"$@\"")
    service = start("--cache-size", "0", environment={"PATH": path})
    first = service.get(f"/render.webm?{SMALL}")
    assert first.status == 200
    guest("exec /usr/bin/ffmpeg \"$@\" ")
    assert service.get(f"/render.webm?{SMALL}").status == 503
    # Other libraries, another entity tag.
    assert start(environment={"PATH": path}).get(f"/render.webm?{SMALL}").headers["ETag"] != first.headers["ETag"]


def long_video(number=0):
    request = dict(text=f"A long video {number}", effect="wave", loop="infinite", cycle=20, width=1280, height=720, size=90, fps=30)
    return f"/render.webm?{query(request)}"


@pytest.mark.parametrize("instant", [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2])
def test_a_guest_that_is_killed_is_an_error(start, instant):
    service = start()
    # The first guest tells what ffmpeg can do.
    assert service.get("/formats").status == 200
    with concurrent.futures.ThreadPoolExecutor() as clients:
        answer = clients.submit(service.get, long_video())
        until(lambda: children_of(service), "a guest")
        time.sleep(instant)
        for child in children_of(service):
            os.kill(child, signal.SIGKILL)
        answer = answer.result()
    assert answer.status == 503
    assert not children_of(service)
    assert service.get(f"/render.webm?{SMALL}").status == 200


LIST = f"a.webm?{SMALL}\n"
ASKED = {
    "a video": f"GET /render.webm?{SMALL} HTTP/1.1\r\nHost: x\r\n\r\n",
    "a list": f"POST /batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/jsonl\r\nContent-Length: {len(LIST)}\r\n\r\n{LIST}",
}


@pytest.mark.parametrize("asked", ASKED)
def test_a_client_that_goes_takes_the_guest_with_it(start, guest, asked):
    service = start(environment={"PATH": guest(GUESTS["hangs"])})
    with socket.create_connection((service.host, service.port)) as client:
        client.sendall(ASKED[asked].encode())
        until(lambda: children_of(service), "a guest")
    until(lambda: not children_of(service), "the end of the guest")


def test_a_service_that_ends_takes_the_guest_with_it(start):
    for end in (signal.SIGKILL, signal.SIGTERM):
        service = start("--drain-timeout", "1")
        with socket.create_connection((service.host, service.port)) as client:
            client.sendall(f"GET {long_video()} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            until(lambda: children_of(service), "a guest")
            (child,) = children_of(service)
            for process in service.workers if end == signal.SIGKILL else [service.process.pid]:
                os.kill(process, end)
            until(lambda: not os.path.exists(f"/proc/{child}"), "the end of the guest")


def test_there_is_one_guest_at_a_time_and_others_go_on(start):
    service = start("--workers", "2")
    most = 0
    with concurrent.futures.ThreadPoolExecutor(4) as clients:
        videos = [clients.submit(service.get, f"/render.webm?{SMALL}&seed={number}&width={200 + number}") for number in range(8)]
        while not all(video.done() for video in videos):
            most = max(most, len(children_of(service)))
            assert service.get(f"/render.svg?text=quick{time.monotonic()}").status == 200
    assert [video.result().status for video in videos] == [200] * 8
    assert most == 1


def test_a_guest_can_do_little(start, guest, tmp_path):
    """Its limits, its descriptors, its environment, and its rights, as it sees them itself."""
    told = tmp_path / "told"
    script = f"""cat > /dev/null
{{ for each in /proc/$$/fd/*; do readlink $each; done | tr '\\n' ' '; echo; cat /proc/self/limits; env | cut -d= -f1 | sort | tr '\\n' ' '; echo
grep NoNewPrivs /proc/self/status; cut -d' ' -f19 /proc/self/stat; }} > {told}; exit 1"""
    service = start(environment={"PATH": guest(script), "SECRET": "x"})
    assert service.get(f"/render.webm?{SMALL}").status == 503
    text = told.read_text()
    lines = text.splitlines()
    # Besides those that it is given, the program has itself and what it writes to open.
    opened = [name for name in lines[0].split() if "/bin/ffmpeg" not in name and name not in (str(told), "(deleted)")]
    assert sorted(re.sub(r"[:\d].*", "", name) for name in opened) == ["/dev/null", "/memfd", "socket", "socket"]
    for limit in ("address space", "cpu time", "file size", "core file size", "open files"):
        (line,) = [line for line in lines if line.lower().startswith(f"max {limit}")]
        assert "unlimited" not in line
    assert "SECRET" not in text and "TITLECARD" not in text
    assert re.search(r"NoNewPrivs:\s+1", text) and lines[-1] == "10"


def test_the_guest_of_a_trial_has_the_limits_of_any_other(start, guest, tmp_path):
    """That of the trial's memory is not for what the trial starts, whose addresses are limited."""
    told = tmp_path / "told"
    service = start(environment={"PATH": guest(f"cat /proc/self/limits | tr '\\n' ';' >> {told}; echo >> {told}; sleep 600")})
    with socket.create_connection((service.host, service.port)) as client:
        client.sendall(f"GET /render.webm?{SMALL} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        lines = lambda: told.read_text().splitlines() if told.exists() else []
        until(lambda: len(lines()) == 1, "a line")
        os.kill(service.worker, signal.SIGKILL)
        until(lambda: len(lines()) == 2, "another line")
    assert lines()[0] == lines()[1] != ""


@pytest.mark.alone
def test_many_videos_leave_no_descriptor_and_no_memory(start):
    count = by_proof(40, 500)
    service = start("--cache-size", "0")

    def make(numbers):
        for number in numbers:
            answer = service.get(f"/render.{FORMATS[number % 3]}?{query(dict(text=f'{number}', effect='rise', size=20, fps=10))}")
            assert answer.status == 200

    make(range(count // 4))
    before = (descriptors_of(service), memory(service.workers))
    make(range(count))
    # A connection may be about to end.
    until(lambda: descriptors_of(service) <= before[0], "closed descriptors")
    assert memory(service.workers) < before[1] + 8_000_000
    assert not children_of(service)


def test_parts_of_a_video(server):
    whole = server.get(f"/render.mp4?{SMALL}")
    assert whole.headers["Accept-Ranges"] == "bytes" and int(whole.headers["Content-Length"]) == len(whole.body)
    length = len(whole.body)
    for asked, first, last in [("0-1", 0, 1), ("10-", 10, length - 1), ("-5", length - 5, length - 1),
                               (f"5-{10 * length}", 5, length - 1), ("0-0", 0, 0)]:  # fmt: skip
        part = server.get(f"/render.mp4?{SMALL}", {"Range": f"bytes={asked}", "If-Range": whole.headers["ETag"]})
        assert part.status == 206 and part.body == whole.body[first:last + 1]
        assert part.headers["Content-Range"] == f"bytes {first}-{last}/{length}"
    outside = server.get(f"/render.mp4?{SMALL}", {"Range": f"bytes={length}-"})
    assert outside.status == 416 and outside.headers["Content-Range"] == f"bytes */{length}"
    assert outside.faults == ["Range"] and str(length) in outside.text
    for others in ({"Range": "bytes=1-0"}, {"Range": "bytes=0-1,3-4"}, {"Range": "lines=0-1"}, {"Range": "bytes=x"},
                   {"Range": "bytes=0-1", "If-Range": '"another"'}):  # fmt: skip
        answer = server.get(f"/render.mp4?{SMALL}", others)
        assert answer.status == 200 and answer.body == whole.body


@pytest.mark.parametrize("format", ("webm", "mp4"))
def test_a_browser_plays_it(server, chromium, format):
    """On a coloured page, where a WebM is seen through."""
    page = chromium.new_page(viewport={"width": 400, "height": 200})
    page.set_content(
        f'<body style="margin: 0; background: #1ea05a"><video src="{server.url}/render.{format}?'
        f'{query(dict(text="Play", color="#f00", effect="rise", width=200, height=100, size=60))}" muted></video>')
    page.wait_for_function("document.querySelector('video').readyState >= 4")
    video = page.locator("video")
    assert page.evaluate("[document.querySelector('video').videoWidth, document.querySelector('video').videoHeight]") == [200, 100]
    page.evaluate("video => new Promise(done => { video.onseeked = done; video.currentTime = video.duration - 0.1; })",
                  video.element_handle())
    picture = numpy.array(Image.open(io.BytesIO(video.screenshot())).convert("RGB")).astype(int)
    ground = (30, 160, 90) if format == "webm" else (255, 255, 255)
    assert abs(picture[2:10, 2:190] - ground).max() <= 2
    assert (abs(picture - (255, 0, 0)).max(-1) <= 12).sum() > 500
