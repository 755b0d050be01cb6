"""Archives of PNG frames: each file is the PNG of its instant, at a constant rate."""

import io
import math
import zipfile

import pytest

from random_requests import painted_request, within_limits
from service import by_proof, sample

REQUESTS = {
    "once": dict(text="Once", effect="slide"),
    "a loop": dict(text="Loop", effect="wave", loop="infinite", fps=20),
    "a rate that divides nothing": dict(text="NTSC", effect="pop", fps=23.976),
    "colours": dict(text="Hi 🎉", effect="fade", color="linear-gradient(red, blue)", scale=2),
    "a card": dict(text="Card", cardEffect="slide", background="#0a0", fps=10),
    "a still": dict(text="Still", effect="none", animate=False),
}


def frames_of(answer):
    assert answer.status == 200, answer.text
    assert answer.headers["Content-Type"] == "application/zip"
    archive = zipfile.ZipFile(io.BytesIO(answer.body))
    assert archive.testzip() is None
    assert archive.namelist() == [f"{number:04}.png" for number in range(1, len(archive.namelist()) + 1)]
    return [archive.read(name) for name in archive.namelist()]


def faults_of(server, request, most):
    """Yields the faults of an archive, of which so many frames are compared."""
    frames = frames_of(server.post("/render.zip", request))
    scene = server.post("/render.json", request).json
    rate, duration = request.get("fps", 25), scene["duration"]
    # As television names it, where it is not a number of thousandths.
    rate = {23.976: 24_000 / 1001, 29.97: 30_000 / 1001, 59.94: 60_000 / 1001}.get(rate, rate)
    if len(frames) != max(math.ceil(rate * duration - 1e-6), 1):
        yield f"{len(frames)} frames of {duration} s"
    still = {name: value for name, value in request.items() if name != "fps"}
    for number in sample([*range(len(frames))], most, str(request)):
        is_end = number == len(frames) - 1 and request.get("loop") != "infinite"
        time = duration if is_end else number / rate
        if time <= 120 and frames[number] != server.post("/render.png", {**still, "time": time}).body:
            yield f"frame {number} is not the PNG of {time} s"


@pytest.mark.parametrize("name", REQUESTS)
def test_each_frame_is_the_png_of_its_instant(server, name):
    assert [*faults_of(server, REQUESTS[name], 1000)] == []


@pytest.mark.parametrize("seed", range(by_proof(6, 100)))
def test_random_requests(server, seed):
    request = within_limits(server, f"zip {seed}", painted_request)
    answer = server.post("/render.zip", request)
    if answer.status == 422:
        assert "the limit is" in answer.text
        return
    assert [*faults_of(server, request, 12)] == []


def test_too_many_frames_are_refused_before_they_are_made(server):
    answer = server.post("/render.zip", dict(text="Long", effect="fade", hold=60, fps=50, delay=30))
    assert answer.status == 422 and answer.faults == ["fps"], answer.text


def test_the_same_request_has_the_same_bytes(start):
    one, other = (start().post("/render.zip", REQUESTS["colours"]).body for _ in range(2))
    assert one == other
