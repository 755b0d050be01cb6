"""`titlecard captions`: films of any length, whose frames are those of one scene of all texts."""

import json
import os
import signal
import subprocess

import numpy
import pytest

from caption_requests import LOOKS, VOICES, pages
from commands import DATA_ERROR, NO_INPUT, USAGE, messages_of, peak, render, run
from process_tree import family
from service import BINARY, until
from videos import STUB, ffmpeg_in, raw_frames, stream_of

SYSTEM = 71


def film(folder, request, file, *options, **environment):
    (folder / "pages.json").write_text(json.dumps(request))
    return run("captions", folder / "pages.json", "-q", "-o", folder / file, *options, **environment)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("format", ["mov", "webm", "mp4"])
def test_a_film_is_the_video_of_one_scene_of_all_texts(tmp_path, look, format):
    request = pages(7, **LOOKS[look])
    outcome = film(tmp_path, request, f"film.{format}")
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    outcome = render("--json", tmp_path / "pages.json", "-q", "-o", tmp_path / f"scene.{format}")
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert (tmp_path / f"film.{format}").read_bytes() == (tmp_path / f"scene.{format}").read_bytes()


def test_texts_that_overlap_stand_as_in_one_scene(tmp_path):
    # The order of texts need not be that of their times.
    request = pages(1, blocks=VOICES[::-1], valign="bottom")
    assert film(tmp_path, request, "film.mov").returncode == 0
    assert render("--json", tmp_path / "pages.json", "-o", tmp_path / "scene.mov").returncode == 0
    assert (tmp_path / "film.mov").read_bytes() == (tmp_path / "scene.mov").read_bytes()


@pytest.mark.parametrize("fps", [25, 29.97, 30])
def test_each_page_comes_and_goes_within_half_a_frame_to_the_end(tmp_path, fps):
    request = pages(60, effect="none", exit="none", gap=(0.1, 0.4), width=64, height=32, size=10)
    for block in request["blocks"]:
        del block["times"]
    assert film(tmp_path, request, "film.mov", "--fps", fps).returncode == 0
    rate = 30_000 / 1001 if fps == 29.97 else fps
    alpha = raw_frames(tmp_path / "film.mov", "prores", "yuva444p12le").reshape(-1, 4, 32, 64)[:, 3]
    seen = alpha.reshape(len(alpha), -1).max(1) > 0
    end = request["blocks"][-1]["until"]
    assert len(seen) == numpy.ceil(end * rate - 1e-6)
    times = numpy.arange(len(seen)) / rate
    wanted = numpy.zeros(len(seen), bool)
    for block in request["blocks"]:
        # A tick of 0.1 ms, to which instants are rounded.
        wanted |= (times >= block["at"] - 1e-4) & (times < block["until"] - 1e-4)
    # The last frame shows the end.
    assert (seen[:-1] == wanted[:-1]).all() and not seen[-1]


def test_a_video_is_1920_by_1080_where_nothing_gives_its_size(tmp_path):
    request = pages(1)
    del request["width"], request["height"]
    assert film(tmp_path, request, "film.webm", "--fps", 2).returncode == 0
    stream = stream_of((tmp_path / "film.webm").read_bytes())
    assert (stream["width"], stream["height"]) == (1920, 1080)
    assert film(tmp_path, request, "tall.webm", "--fps", 2, "--width", 270, "--height", 480).returncode == 0
    stream = stream_of((tmp_path / "tall.webm").read_bytes())
    assert (stream["width"], stream["height"]) == (270, 480)


@pytest.mark.parametrize("format", ["vtt", "srt", "ass"])
def test_files_of_captions_have_the_places_of_a_video(tmp_path, format):
    (tmp_path / "talk.srt").write_text(SUBTITLES.replace("And", "{\\an8}And"))
    usual = run("captions", tmp_path / "talk.srt", "-o", "-", "--format", format)
    sized = run("captions", tmp_path / "talk.srt", "-o", "-", "--format", format, "--width", 1920, "--height", 1080)
    assert usual.stdout == sized.stdout != b""
    assert {"vtt": b" line:", "srt": b"{\\an8}", "ass": b"PlayResX: 1920"}[format] in usual.stdout


def test_what_is_over_before_an_offset_is_in_no_file(tmp_path):
    (tmp_path / "talk.srt").write_text(SUBTITLES)
    for format in ("vtt", "srt", "ass"):
        text = run("captions", tmp_path / "talk.srt", "-o", "-", "--format", format, "--offset", -2.1).stdout.decode()
        assert "second" in text and "first" not in text, text
    # A broadcast's day begins at 10:00:00.
    (tmp_path / "talk.srt").write_text(SUBTITLES.replace("00:00:0", "10:00:0"))
    text = run("captions", tmp_path / "talk.srt", "-o", "-", "--format", "srt", "--offset", -36000).stdout.decode()
    assert "00:00:00,400 --> 00:00:02,000" in text
    still = run("captions", tmp_path / "talk.srt", "-o", "-", "--format", "png", "--time", 36001)
    assert still.stdout != run("captions", tmp_path / "talk.srt", "-o", "-", "--format", "png", "--time", 35999).stdout


def test_one_page_is_in_blocks_as_several_are(tmp_path):
    (tmp_path / "one.srt").write_text(SUBTITLES.split("\n\n")[0])
    printed = run("captions", tmp_path / "one.srt", "--pages", "json").stdout
    assert [block["at"] for block in json.loads(printed)["blocks"]] == [0.4]
    (tmp_path / "pages.json").write_bytes(printed)
    [one, again] = [run("captions", tmp_path / name, "-o", "-", "--format", "srt") for name in ("one.srt", "pages.json")]
    assert one.stdout == again.stdout != b""
    outcome = run("captions", tmp_path / "pages.json", "--page-words", 1)
    assert messages_of(outcome, USAGE) == ["pageWords: must not be given together with pages"]


def test_captions_that_youtube_has_recognised_have_the_place_of_the_request(tmp_path):
    cue = "00:01.000 --> 00:02.000 align:start position:0%\nHello\n"
    for head, place in [("Kind: captions\nLanguage: en\n\n", b"\n"), ("\n", b"{\\an1}")]:
        (tmp_path / "talk.vtt").write_text(f"WEBVTT\n{head}{cue}")
        text = run("captions", tmp_path / "talk.vtt", "-o", "-", "--format", "srt").stdout
        assert place + b"Hello" in text, text


@pytest.mark.parametrize("format", ["gif", "svg", "json"])
def test_other_files_are_those_of_render(tmp_path, format):
    assert film(tmp_path, pages(3), f"film.{format}").returncode == 0
    assert render("--json", tmp_path / "pages.json", "-o", tmp_path / f"scene.{format}").returncode == 0
    assert (tmp_path / f"film.{format}").read_bytes() == (tmp_path / f"scene.{format}").read_bytes()


def test_pages_are_a_request_that_the_command_and_render_take(tmp_path):
    film(tmp_path, pages(3), "film.json")
    printed = run("captions", tmp_path / "pages.json", "--pages", "json", "--fps", 12, "--preset", "captions-pop")
    assert printed.returncode == 0
    request = json.loads(printed.stdout)
    assert request["fps"] == 12 and request["spokenScale"] == 1.08 and len(request["blocks"]) == 3
    again = subprocess.run([BINARY, "captions", "-", "-o", "-", "--format", "json"], input=printed.stdout, capture_output=True)
    assert again.stdout == render("--json", "-", "-o", "-", "--format", "json", input=printed.stdout).stdout
    assert json.loads(again.stdout)["blocks"]


SUBTITLES = """1
00:00:00,400 --> 00:00:01,600
The first cue has two
lines.

2
00:00:02,000 --> 00:00:03,000
And a second one comes.
"""


@pytest.mark.parametrize("options", [[], ["--preset", "captions-karaoke", "--align", "left"]])
def test_a_file_of_captions_is_the_film_of_its_pages(tmp_path, options):
    (tmp_path / "talk.srt").write_text(SUBTITLES)
    options = [*options, "--width", 480, "--height", 270, "--size", 24]
    assert run("captions", tmp_path / "talk.srt", "-o", tmp_path / "film.mov", *options).returncode == 0
    printed = run("captions", tmp_path / "talk.srt", "--pages", "json", *options)
    (tmp_path / "pages.json").write_bytes(printed.stdout)
    assert run("captions", tmp_path / "pages.json", "-o", tmp_path / "pages.mov").returncode == 0
    assert render("--json", tmp_path / "pages.json", "-o", tmp_path / "scene.mov").returncode == 0
    film = (tmp_path / "film.mov").read_bytes()
    assert film == (tmp_path / "pages.mov").read_bytes() == (tmp_path / "scene.mov").read_bytes()
    # The look of captions, unless another is asked for.
    assert ("card" in json.loads(printed.stdout)) == ("--preset" not in options)
    assert [block["at"] for block in json.loads(printed.stdout)["blocks"]] == [0.4, 2]


def test_a_check_writes_nothing(tmp_path):
    (tmp_path / "talk.srt").write_text(SUBTITLES)
    outcome = run("captions", tmp_path / "talk.srt", "--check", "-o", tmp_path / "film.mov")
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, b"nothing is to be mended\n", b"")
    (tmp_path / "talk.srt").write_text(SUBTITLES.replace("00:00:03,000", "00:00:01,000"))
    outcome = run("captions", tmp_path / "talk.srt", "--check")
    *cues, count = outcome.stdout.decode().splitlines()
    assert outcome.returncode == 0 and cues and all(line.startswith("cue 2 ") for line in cues), outcome
    assert count.endswith("mended")
    (tmp_path / "talk.srt").write_text("no captions")
    outcome = run("captions", tmp_path / "talk.srt", "--check")
    assert outcome.returncode == 1 and outcome.stderr.startswith(b"error: captions: ")
    assert os.listdir(tmp_path) == ["talk.srt"]


def test_options_take_precedence_over_the_file_of_a_request(tmp_path):
    (tmp_path / "request.json").write_text(json.dumps({"text": ["One", "Two"], "size": 90, "color": "#f00"}))
    outcome = render("--json", tmp_path / "request.json", "--size", 20)
    assert outcome.stdout == render("One", "Two", "--size", 20, "--color", "#f00").stdout
    assert render("Other", "--json", tmp_path / "request.json").stdout == render("Other", "--size", 90, "--color", "#f00").stdout
    for content, said in [("[]", "must be a JSON object; got"), ("{", "json: ")]:
        (tmp_path / "request.json").write_text(content)
        assert said in messages_of(render("--json", tmp_path / "request.json"), USAGE)[0]
    assert "cannot read" in messages_of(render("--json", tmp_path / "none.json"), NO_INPUT)[0]


def test_a_film_has_more_texts_and_time_than_the_service_lets_it(tmp_path):
    # 1200 pages, about 20 minutes.
    path = ffmpeg_in(tmp_path, STUB)
    outcome = film(tmp_path, pages(1200, width=32, height=32, size=8, padding=0), "film.mov", "--fps", 1, PATH=path)
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert (tmp_path / "film.mov").read_text() == "file\n"


@pytest.mark.alone
def test_a_long_film_takes_no_more_memory_than_a_short_one(tmp_path):
    path = ffmpeg_in(tmp_path, STUB)
    peaks = []
    for count in (40, 800):
        (tmp_path / "pages.json").write_text(json.dumps(pages(count, spoken="sweep")))
        peaks.append(peak("captions", tmp_path / "pages.json", "-o", tmp_path / "film.mov", "--fps", 1, PATH=path))
    # The request itself has 800 pages.
    assert peaks[1] - peaks[0] < 30_000, peaks


def test_an_interrupt_leaves_neither_file_nor_encoder(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (tmp_path / "pages.json").write_text(json.dumps(pages(300)))
    process = subprocess.Popen([BINARY, "captions", tmp_path / "pages.json", "-o", folder / "film.mov"],
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # fmt: skip
    # It is written beside its place.
    until(lambda: [name for name in os.listdir(folder) if os.path.getsize(folder / name) > 0], "the beginning of the file")
    (name,) = os.listdir(folder)
    assert name.startswith(".titlecard-")
    children = family(process.pid)[1:]
    process.send_signal(signal.SIGINT)
    assert process.wait() == -signal.SIGINT
    assert os.listdir(folder) == [] and children
    until(lambda: not any(os.path.exists(f"/proc/{child}") for child in children), "the end of the encoder")


@pytest.mark.parametrize("script", ["cat > /dev/null; exit 3", "exit 3", "cat > /dev/null; kill -9 $$"])
def test_a_failure_of_the_encoder_leaves_what_was_there(tmp_path, script):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "film.mov").write_text("before")
    path = ffmpeg_in(tmp_path, script)
    (tmp_path / "pages.json").write_text(json.dumps(pages(3)))
    outcome = run("captions", tmp_path / "pages.json", "-o", folder / "film.mov", PATH=path)
    assert "ffmpeg" in messages_of(outcome, SYSTEM)[0]
    assert os.listdir(folder) == ["film.mov"] and (folder / "film.mov").read_text() == "before"


def test_what_does_not_go_with_it_is_said(tmp_path):
    request = tmp_path / "pages.json"
    request.write_text(json.dumps(pages(1)))
    for arguments, said in [
        ([], "captions takes one file, or - for standard input"),
        ([request, request], "captions takes one file, or - for standard input"),
        ([request, "--pages", "xml"], 'pages: must be json; got "xml"'),
        ([request, "--watch"], "watch: cannot be used with captions"),
        ([request, "--element"], "element: cannot be used with captions"),
        ([request, "--format", "mov", "-o", "-"], "-o: must be a file, in which ffmpeg can seek"),
    ]:
        assert messages_of(run("captions", *arguments), USAGE) == [said], arguments
    assert "cannot read" in messages_of(run("captions", tmp_path / "none.srt"), NO_INPUT)[0]
    request.write_bytes(b"\xff\xfe\xfd")
    assert run("captions", request).returncode in (USAGE, DATA_ERROR)


def test_the_help_has_its_options():
    text = run("captions", "--help").stdout.decode()
    assert "--pages json" in text and "--check" in text
    assert run("help", "captions").stdout.decode() == text
    assert "--spoken" in run("captions", "--help", "--all").stdout.decode()
