"""The first frame of videos: the start, or the finished text for one frame, decoded by ffmpeg."""

import subprocess

import numpy
import pytest

from service import query

FORMATS = ["webm", "mp4", "mov", "avif"]
REQUEST = dict(text="Hello", effect="slide", background="#fff", color="#036", width=160, height=80, size=32, fps=10, hold=0.5)


def frames(server, path, format, **request):
    """The frames, in grey."""
    answer = server.get(f"/render.{format}?{query(REQUEST | request)}")
    assert answer.status == 200, answer.text
    path.write_bytes(answer.body)
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-pix_fmt", "gray", "-f", "rawvideo", "-"]
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    return numpy.frombuffer(raw, numpy.uint8).reshape(-1, 80, 160).astype(int)


def is_like(one, other):
    """Whether two frames show the same, but for what the encoder loses."""
    return abs(one - other).mean() < 2


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("loop", [1, 2, "infinite"])
def test_one_frame_is_the_finished_text_and_the_others_are_as_without(server, tmp_path, format, loop):
    plain, held = (frames(server, tmp_path / poster, format, loop=loop, poster=poster) for poster in ("start", "hold"))
    assert len(plain) == len(held)
    ink = (255 - plain).sum(axis=(1, 2))
    assert is_like(held[0], plain[ink.argmax()]) and not is_like(held[0], plain[0])
    assert all(is_like(one, other) for one, other in zip(plain[1:], held[1:]))


@pytest.mark.parametrize("format", FORMATS)
def test_a_video_begins_with_its_start_unless_it_is_asked_for_more(server, format):
    plain, given = (server.get(f"/render.{format}?{query(REQUEST | dict(loop='infinite') | more)}").body for more in ({}, dict(poster="start")))
    assert plain == given


def test_a_video_that_loops_can_begin_with_the_hold(server, tmp_path):
    plain, turned = (frames(server, tmp_path / poster, "webm", loop="infinite", poster=poster) for poster in ("start", "end"))
    finished = plain[(255 - plain).sum(axis=(1, 2)).argmax()]
    assert len(plain) == len(turned) and not is_like(plain[0], finished)
    # It stands for half a second, and goes before it comes.
    assert all(is_like(frame, finished) for frame in turned[:4]) and is_like(turned[-1], finished)
    assert any(is_like(frame, plain[0]) for frame in turned)
    once, held = (frames(server, tmp_path / poster, "webm", poster=poster) for poster in ("end", "hold"))
    assert (once == held).all()


def test_formats_without_a_first_frame_do_not_list_it(server):
    formats = {one["name"]: {parameter["name"] for parameter in one["parameters"]} for one in server.get("/formats").json["formats"]}
    assert {name for name, parameters in formats.items() if "poster" in parameters} == {"gif", "apng", "webp", *FORMATS}
