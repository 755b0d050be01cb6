"""Parts of videos, of which editors make a film of any length, and timecodes: the frames as ffmpeg decodes them."""

import subprocess
import urllib.parse

import numpy
import pytest

from videos import timecodes_of

FORMATS = ["webm", "mp4", "mov", "avif"]
# Formats of which equal pictures are equal when decoded (no loss, or each frame coded by itself), and their decoders.
EXACT = {"webm": ["-c:v", "libvpx-vp9"], "mov": []}
SIZE = (160, 80)
COMMON = dict(text="Hello", effect="slide", exit="auto", width=SIZE[0], height=SIZE[1], size=32, fps=20, hold=1)
GRADIENT = dict(color="linear-gradient(90deg, #f40, #40f)", paintMotion="pan")
# Requests that end by leaving, each with the frames of its hold.
LOOKS = {
    "nothing moves": ({}, 1),
    "a card leaves after the text": (dict(background="#fe9", cardEffect="wipe"), 1),
    "a cursor disappears": (dict(effect="typewriter"), 1),
    "a cursor blinks": (dict(effect="typewriter", cursor="block", cursorBlink=0.4, hold=1.5), 8),
    "a cursor stands": (dict(effect="typewriter", cursor="block", cursorBlink=0), 1),
    "an emphasis runs again": (dict(emphasis="pulse", emphasisDuration=0.5, emphasisInterval=0.25, hold=2.4), 15),
    "an emphasis runs once": (dict(emphasis="pulse", emphasisDuration=0.8, emphasisInterval=5), 20),
    "a gradient moves": (dict(GRADIENT, paintDuration=1, minCycle=4, hold=2), 20),
    "texts come one after another": (dict(text=["Ada", "Poet"], gap=0.3, delay=0.2), 1),
}


def asked(server, format, request):
    """The answer to a request, whose texts may be several."""
    return server.get(f"/render.{format}?{urllib.parse.urlencode(COMMON | request, doseq=True)}")


def rendered(server, format, request):
    answer = asked(server, format, request)
    assert answer.status == 200, answer.text
    return answer.body


def frames(server, path, format, **request):
    """The planes of each frame; of lossy formats only luma."""
    path.write_bytes(rendered(server, format, request))
    pixels, planes = ("yuva420p", 2.5) if format == "webm" else ("yuva444p12le", 8) if format == "mov" else ("gray", 1)
    command = ["ffmpeg", "-v", "error", *EXACT.get(format, []), "-i", path, "-map", "0:v:0", "-pix_fmt", pixels]
    raw = subprocess.run([*command, "-f", "rawvideo", "-"], capture_output=True, check=True).stdout
    return numpy.frombuffer(raw, numpy.uint8).reshape(-1, int(planes * SIZE[0] * SIZE[1])).astype(int)


def parts(server, tmp_path, format, **request):
    return [frames(server, tmp_path / part, format, **request, part=part) for part in ("all", "in", "hold", "out")]


def joined(start, hold, end, count):
    """The film that an editor makes of parts, with so many frames or a few less."""
    return numpy.concatenate([start, *[hold] * ((count - len(start) - len(end)) // len(hold)), end])


@pytest.mark.parametrize("look", LOOKS)
def test_the_parts_together_are_the_film(server, tmp_path, look):
    request, length = LOOKS[look]
    film, start, hold, end = parts(server, tmp_path, "webm", **request)
    assert len(start) > 0 and len(hold) == length and len(end) > 0
    again = joined(start, hold, end, len(film))
    assert len(again) == len(film) and (again == film).all()
    # Nothing has come before the text stands, and it stands until it leaves.
    assert (film[len(start)] == hold[0]).all()


@pytest.mark.parametrize("format", FORMATS)
def test_parts_of_every_format_show_the_same_instants(server, tmp_path, format):
    request, length = LOOKS["an emphasis runs again"]
    film, start, hold, end = parts(server, tmp_path, format, **request, background="#fff")
    again = joined(start, hold, end, len(film))
    assert len(hold) == length and len(again) == len(film)
    if format in EXACT:
        assert (again == film).all()
    assert abs(again - film).mean(axis=1).max() < 2


def test_parts_are_those_of_the_film_where_a_period_is_no_whole_number_of_frames(server, tmp_path):
    request = LOOKS["an emphasis runs again"][0] | dict(fps="30000/1001", hold=5)
    film, start, hold, end = parts(server, tmp_path, "webm", **request)
    # 22.48 frames.
    assert len(hold) == 22
    assert (film[:len(start)] == start).all() and (film[-len(end):] == end).all()
    assert (film[len(start):len(start) + len(hold)] == hold).all()
    # The hold is followed by its beginning, or by the exit, within half a frame.
    assert abs(len(film) - len(start) - len(end) - round(6 * 22.4775)) <= 1


def test_a_text_that_does_not_leave_has_an_entrance_and_a_hold(server, tmp_path):
    film, start, hold = (frames(server, tmp_path / part, "webm", exit="between", part=part) for part in ("all", "in", "hold"))
    assert (film[:len(start)] == start).all() and len(hold) == 1
    assert all((frame == hold[0]).all() for frame in film[len(start):])
    # One that stands for no time at all is held as the film ends.
    film, hold = (frames(server, tmp_path / part, "webm", exit="between", hold=0, part=part) for part in ("all", "hold"))
    assert len(hold) == 1 and (film[-1] == hold[0]).all()


def test_a_part_is_of_one_cycle(server, tmp_path):
    for part in ("in", "hold", "out"):
        once, twice = (frames(server, tmp_path / part, "webm", part=part, loop=loop) for loop in (1, 2))
        assert (once == twice).all()


def test_only_the_entrance_begins_with_the_finished_text(server, tmp_path):
    film, start, hold, end = parts(server, tmp_path, "webm", poster="hold")
    assert (film[0] == hold[0]).all() and (joined(start, hold, end, len(film)) == film).all()


TEXTS = ["Ada", "Analyst", "Mathematician"]
WITHOUT_PARTS = {
    "an endless loop": (dict(loop="infinite"), "loop"),
    "texts that replace each other": (dict(text=TEXTS, sequence="replace"), "together"),
    "texts that take turns": (dict(text=TEXTS, sequence="rotate"), "together"),
    "a turn longer than the hold": (dict(GRADIENT, paintDuration=3, hold=3), "longer hold"),
    "turns and runs without a common period": (
        dict(GRADIENT, paintDuration=1, hold=3, emphasis="pulse", emphasisDuration=0.7), "longer hold"),
    "a text that leaves at once": (dict(hold=0), "longer hold"),
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("look", WITHOUT_PARTS)
def test_a_scene_without_parts_is_refused(server, format, look):
    request, reason = WITHOUT_PARTS[look]
    for part in ("in", "hold", "out"):
        answer = asked(server, format, request | dict(part=part))
        assert (answer.status, answer.faults) == (400, ["part"]) and reason in answer.text, answer.text


@pytest.mark.parametrize("format", FORMATS)
def test_a_part_that_has_no_frames_is_refused(server, format):
    for request in (dict(part="out", exit="between"), dict(part="in", effect="none")):
        answer = asked(server, format, request)
        assert (answer.status, answer.faults) == (400, ["part"]) and "has no frames" in answer.text, answer.text


def test_other_formats_have_no_parts(server):
    plain, given = (rendered(server, "gif", more) for more in ({}, dict(part="out", timecode="01:00:00:00")))
    assert plain == given
    listed = {one["name"]: {parameter["name"] for parameter in one["parameters"]} for one in server.get("/formats").json["formats"]}
    assert {name for name, parameters in listed.items() if "part" in parameters} == set(FORMATS)
    assert {name for name, parameters in listed.items() if "timecode" in parameters} == {"mov"}


# Rates with the timecodes that count their frames, and with those that do not.
RATES = {
    "24": (["00:00:00:00", "23:59:59:23"], ["00:00:00:24", "01:00:00;00"]),
    "24000/1001": (["01:00:00:23"], ["01:00:00:24", "01:00:00;00"]),
    "25": (["10:20:30:24"], ["10:20:30:25", "10:20:30;24"]),
    "12.5": (["00:00:00:12"], ["00:00:00:13"]),
    "30": (["00:01:00:00"], ["00:00:00;00"]),
    "29.97": (["00:01:00:00", "00:01:00;02", "00:10:00;00", "00:01:01;00"], ["00:01:00;00", "00:59:00;01", "00:00:00;30"]),
    "59.94": (["00:01:00;04", "00:20:00;00", "12:00:00:59"], ["00:01:00;03", "00:02:00;00"]),
    "60": (["00:00:00:59"], ["00:00:00;00"]),
}


def timecodes(server, path, **request):
    path.write_bytes(rendered(server, "mov", request))
    return timecodes_of(path)


@pytest.mark.parametrize("fps", RATES)
def test_a_timecode_is_that_of_the_first_frame(server, tmp_path, fps):
    right, wrong = RATES[fps]
    request = dict(fps=fps, part="hold")
    for timecode in right:
        told = timecodes(server, tmp_path / "film", **request, timecode=timecode)
        assert told == dict(video=timecode, data=timecode)
    for timecode in wrong:
        answer = asked(server, "mov", request | dict(timecode=timecode))
        assert (answer.status, answer.faults) == (400, ["timecode"]), (timecode, answer.text)
    assert timecodes(server, tmp_path / "film", **request) == dict(video=None)


@pytest.mark.parametrize("timecode", ["24:00:00:00", "00:60:00:00", "00:00:60:00", "0:00:00:00", "00:00:00", "00:00:00.00",
                                      "00;00;00;00", "-1:00:00:00", "00:00:00:00 ", "aa:bb:cc:dd", "٠١:00:00:00"])
def test_text_that_is_no_timecode_is_refused_in_every_format(server, timecode):
    for format in ("mov", "webm", "svg"):
        answer = asked(server, format, dict(timecode=timecode))
        assert (answer.status, answer.faults) == (400, ["timecode"]), (timecode, answer.text)


def test_a_timecode_changes_no_frame(server, tmp_path):
    plain, given = (frames(server, tmp_path / "film", "mov", **more) for more in ({}, dict(timecode="01:00:00:00")))
    assert (plain == given).all()
