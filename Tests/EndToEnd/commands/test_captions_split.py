"""`titlecard captions --split`: a clip of each page, and edit lists that put them where the film has them."""

import fractions
import io
import json
import os
import pathlib
import signal
import subprocess
import xml.etree.ElementTree

import numpy
import opentimelineio
import pytest
from PIL import Image

from caption_requests import LOOKS, VOICES, pages
from commands import DATA_ERROR, USAGE, messages_of, peak, render, run
from process_tree import family
from service import BINARY, until
from videos import STUB, ffmpeg_in, raw_frames, stream_of, timecodes_of

SYSTEM, CANNOT_CREATE = 71, 73
RATES = {"23.976": (24000, 1001), "24": (24, 1), "25": (25, 1), "29.97": (30000, 1001), "59.94": (60000, 1001), "12.5": (25, 2)}


def split(folder, request, *options, **environment):
    (folder / "pages.json").write_text(json.dumps(request))
    return run("captions", folder / "pages.json", "-q", "--split", folder / "clips", *options, **environment)


def planes(path, height=180, width=320):
    return raw_frames(path, "prores", "yuva444p12le").reshape(-1, 4, height, width)


def marks(name, count):
    """The number of a clip's first frame, from its name; a second is counted as so many frames."""
    hours, minutes, seconds, frames = (int(part) for part in name.split(".")[0].split("_")[0].split("-"))
    return ((hours * 60 + minutes) * 60 + seconds) * count + frames


def placed(folder):
    """The clips of the list for Final Cut Pro: their files, lanes, first frames, and lengths."""
    root = xml.etree.ElementTree.parse(folder / "captions.fcpxml").getroot()
    step = time_of(root.find("resources/format").get("frameDuration"))
    files = {asset.get("id"): asset.get("src") for asset in root.iter("asset")}
    clips = []
    for clip in root.find(".//gap"):
        number = clip.get("ref") or clip.find("video").get("ref")
        start, length = (time_of(clip.get(name)) / step for name in ("offset", "duration"))
        assert start.denominator == length.denominator == 1
        clips.append((files[number].removeprefix("./"), int(clip.get("lane")), int(start), int(length)))
    return clips, step


def time_of(text):
    return fractions.Fraction(text.removesuffix("s"))


def starts(block, fps):
    """The first frame that shows an instant or a later one, in ticks of 0.1 ms."""
    ticks = round(block * 10_000)
    number = 0
    while round(number * 10_000 / fps) < ticks:
        number += 1
    return number


@pytest.mark.parametrize("fps", ["25", "29.97"])
@pytest.mark.parametrize("look", LOOKS)
def test_the_frames_of_clips_are_those_of_the_film(tmp_path, look, fps):
    request = pages(5, **LOOKS[look])
    request.pop("loop", None)
    outcome = split(tmp_path, request, "--fps", fps)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, b"", b"")
    assert run("captions", tmp_path / "pages.json", "-q", "-o", tmp_path / "film.mov", "--fps", fps).returncode == 0
    film = planes(tmp_path / "film.mov")
    clips, step = placed(tmp_path / "clips")
    rate = float(1 / step)
    seen = set()
    offset = request.get("offset", 0)
    for (name, lane, first, length), block in zip(clips, request["blocks"], strict=True):
        assert lane == 1 and marks(name, round(rate)) == first == starts(block["at"] + offset, rate)
        assert first + length == starts(block["until"] + offset, rate)
        clip = planes(tmp_path / "clips" / name)
        assert len(clip) == length and (clip == film[first : first + length]).all(), name
        seen.update(range(first, first + length))
    if look not in ("card", "begins"):
        # Nothing is left out.
        rest = [number for number in range(len(film)) if number not in seen]
        assert film[rest, 3].max() == 0


@pytest.mark.parametrize("card", [{}, {"card": "fit", "background": "#222", "padding": 6}])
@pytest.mark.parametrize("valign", ["bottom", "middle", "top"])
def test_pages_that_are_seen_together_lie_on_tracks_and_stand_as_in_the_film(tmp_path, valign, card):
    blocks = [*VOICES, {"text": "Third", "at": 0.65, "until": 0.8}]
    # The order of texts need not be that of their times.
    request = pages(1, blocks=blocks[::-1], valign=valign, size=16, **card)
    assert split(tmp_path, request).returncode == 0
    assert run("captions", tmp_path / "pages.json", "-o", tmp_path / "film.mov").returncode == 0
    film = planes(tmp_path / "film.mov")
    whole = numpy.zeros_like(film)
    clips, _ = placed(tmp_path / "clips")
    for name, _, first, length in clips:
        clip = planes(tmp_path / "clips" / name)
        ink = clip[:, 3:] > 0
        part = whole[first : first + length]
        assert not (ink & (part[:, 3:] > 0)).any()
        part[...] = numpy.where(ink, clip, part)
    ink = film[:, 3] > 0
    assert ((whole[:, 3] > 0) == ink).all() and (whole[:, [0, 3]] == film[:, [0, 3]])[:, 1].all()
    ends = {}
    for _, lane, first, length in clips:
        assert ends.get(lane, 0) <= first
        ends[lane] = first + length
    assert sorted(ends) == [1, 2, 3]
    lists = sorted(name for name in os.listdir(tmp_path / "clips") if name.endswith(".edl"))
    assert lists == ["captions-2.edl", "captions-3.edl", "captions.edl"]


@pytest.mark.parametrize("fps", RATES)
def test_opentimelineio_reads_the_lists(tmp_path, fps):
    numerator, denominator = RATES[fps]
    request = pages(6, width=64, height=32, size=10, gap=(0, 0.3, 61), title="<a & b>")
    request["blocks"][1]["until"] += 0.5
    request["blocks"][4]["until"] += 0.5
    assert split(tmp_path, request, "--fps", fps).returncode == 0
    folder = tmp_path / "clips"
    clips, step = placed(folder)
    assert step == fractions.Fraction(denominator, numerator)
    assert [int(stream_of((folder / name).read_bytes())["nb_read_frames"]) for name, *_ in clips] == [length for *_, length in clips]
    # The adapter takes the frames of a second for a whole number.
    whole = numerator // denominator
    (timeline,) = opentimelineio.adapters.read_from_file(str(folder / "captions.fcpxml"))
    assert timeline.name == "captions"
    found = []
    for track in timeline.tracks:
        for clip in track.find_clips():
            start = track.range_of_child(clip).start_time
            found.append((clip.media_reference.target_url, int(track.name), start.value, clip.duration()))
            assert clip.name == clip.media_reference.target_url.removeprefix("./") in os.listdir(folder)
    assert len(found) == 6 and {place[1] for place in found} == {place[1] for place in clips}
    if denominator == 1:
        wanted = sorted((f"./{name}", lane, first, length) for name, lane, first, length in clips)
        assert sorted((*place[:3], place[3].value) for place in found) == wanted and found[0][3].rate == whole
    root = xml.etree.ElementTree.parse(folder / "captions.fcpxml").getroot()
    assert [note.text for note in root.iter("note")] == [block["text"] for block in request["blocks"]]
    (sequence,) = root.iter("sequence")
    assert sequence.get("tcFormat") == "NDF" and time_of(sequence.get("duration")) == step * max(clip[2] + clip[3] for clip in clips)

    count = round(numerator / denominator)
    for lane in {clip[1] for clip in clips}:
        path = folder / ("captions.edl" if lane == 1 else f"captions-{lane}.edl")
        assert "FCM: NON-DROP FRAME\n" in path.read_text()
        if count not in (24, 25, 30, 60):
            continue
        (track,) = opentimelineio.adapters.read_from_file(str(path), rate=count).tracks
        places = []
        for clip in track.find_clips():
            assert clip.source_range.start_time.value == 0
            # The adapter begins with the first clip.
            start = track.range_of_child(clip).start_time
            places.append((clip.name, start.value, clip.duration().value))
        first = clips[[clip[1] for clip in clips].index(lane)][2]
        assert [(name, start + first, length) for name, start, length in places] == [
            (name, start, length) for name, own, start, length in clips if own == lane]  # fmt: skip


@pytest.mark.parametrize("timecode, fps", [("01:00:00:00", "25"), ("00:00:59;28", "29.97"), ("23:59:59:00", "23.976"), ("10:09:59;50", "59.94")])
def test_a_timecode_begins_the_timeline_and_each_clip_has_that_of_its_place(tmp_path, timecode, fps):
    request = pages(3, width=64, height=32, size=10, gap=(0.4, 1))
    assert split(tmp_path, request, "--fps", fps, "--timecode", timecode).returncode == 0
    folder = tmp_path / "clips"
    clips, step = placed(folder)
    rate = step.denominator / step.numerator
    drops = ";" in timecode
    first = opentimelineio.opentime.from_timecode(timecode, rate)
    events = [line.split() for line in (folder / "captions.edl").read_text().splitlines() if line[:1].isdigit()]
    assert f"FCM: {'' if drops else 'NON-'}DROP FRAME\n" in (folder / "captions.edl").read_text()
    for (name, _, start, length), event in zip(clips, events, strict=True):
        number = (first.value + start) % (86400 * round(rate))
        text = opentimelineio.opentime.RationalTime(number, rate).to_timecode(rate, drops)
        assert name == text.replace(":", "-").replace(";", "-") + ".mov"
        assert event[4] == event[6] == text
        assert timecodes_of(folder / name)["video"] == text
    (sequence,) = xml.etree.ElementTree.parse(folder / "captions.fcpxml").getroot().iter("sequence")
    assert sequence.get("tcFormat") == ("DF" if drops else "NDF") and time_of(sequence.get("tcStart")) == int(first.value) * step


def test_pages_of_one_frame_have_names_of_their_own(tmp_path):
    blocks = [{"text": text, "at": at, "until": 1} for text, at in [("One", 0.5), ("Two", 0.5), ("Three", 0.51)]]
    blocks.append({"text": "Never", "at": 1.01, "until": 1.02})
    (tmp_path / "pages.json").write_text(json.dumps(pages(1, blocks=blocks, size=12)))
    outcome = run("captions", tmp_path / "pages.json", "--split", tmp_path / "clips", "--fps", 10)
    assert outcome.returncode == 0 and b"1 page is between two frames" in outcome.stderr
    assert sorted(os.listdir(tmp_path / "clips")) == [
        "00-00-00-05.mov", "00-00-00-05_2.mov", "00-00-00-06.mov",
        "captions-2.edl", "captions-3.edl", "captions.edl", "captions.fcpxml"]  # fmt: skip


def test_the_last_page_ends_with_the_film(tmp_path):
    request = pages(3)
    del request["blocks"][-1]["until"]
    assert split(tmp_path, request).returncode == 0
    assert run("captions", tmp_path / "pages.json", "-o", tmp_path / "film.mov").returncode == 0
    film = planes(tmp_path / "film.mov")
    clips, _ = placed(tmp_path / "clips")
    name, _, first, length = clips[-1]
    assert first + length == len(film) and (planes(tmp_path / "clips" / name) == film[first:]).all()


def test_stills_stand_where_the_film_has_their_texts(tmp_path):
    blocks = [{"text": "One", "at": 0, "until": 2}, {"text": "Two", "at": 1, "until": 3}, {"text": "Three", "at": 3600.2, "until": 3601}]
    request = pages(1, blocks=blocks, effect="none", exit="none", valign="bottom")
    assert split(tmp_path, request, "--format", "png").returncode == 0
    clips, _ = placed(tmp_path / "clips")
    assert [name for name, *_ in clips] == ["00-00-00-00.png", "00-00-01-00.png", "01-00-00-05.png"]
    (tmp_path / "pages.json").write_text(json.dumps({**request, "blocks": blocks[:2]}))
    still = lambda *options: numpy.array(Image.open(io.BytesIO(render("--json", tmp_path / "pages.json", "--format", "png", *options).stdout)).convert("RGBA"))
    one, two = (numpy.array(Image.open(tmp_path / "clips" / name).convert("RGBA")) for name, *_ in clips[:2])
    assert (one == still("--time", 0.5)).all()
    assert (numpy.maximum(one[..., 3], two[..., 3]) == still("--time", 1.5)[..., 3]).all()
    assert (two == still("--time", 2.5)).all()
    (timeline,) = opentimelineio.adapters.read_from_file(str(tmp_path / "clips/captions.fcpxml"))
    assert [clip.duration().value for clip in timeline.find_clips()] == [50, 20, 50]


@pytest.mark.parametrize("format", ["svg", "gif", "webm", "mp4"])
def test_other_formats_begin_with_the_page(tmp_path, format):
    request = pages(2, spoken="sweep")
    assert split(tmp_path, request, "--format", format).returncode == 0
    clips, step = placed(tmp_path / "clips")
    for (name, _, _, length), block in zip(clips, request["blocks"], strict=True):
        file = (tmp_path / "clips" / name).read_bytes()
        if format in ("webm", "mp4"):
            assert int(stream_of(file)["nb_read_frames"]) == length
            continue
        shifted = {**request, "blocks": [block], "offset": -block["at"]}
        (tmp_path / "page.json").write_text(json.dumps(shifted))
        alone = render("--json", tmp_path / "page.json", "--format", format).stdout
        if format == "gif":
            assert file == alone
        else:
            # The names in it are those of another request.
            assert len(file) == len(alone) and block["text"].encode() in file


@pytest.mark.parametrize("format, width", [("mov", 127), ("mp4", 128)])
def test_the_timeline_is_as_large_as_its_clips(tmp_path, format, width):
    request = pages(1, width=101, height=51, size=10)
    assert split(tmp_path, request, "--format", format, "--scale", 1.25).returncode == 0
    ((name, *_),), _ = placed(tmp_path / "clips")
    stream = stream_of((tmp_path / "clips" / name).read_bytes())
    timeline = xml.etree.ElementTree.parse(tmp_path / "clips/captions.fcpxml").find("resources/format")
    sizes = [(int(each["width"]), int(each["height"])) for each in (stream, timeline.attrib)]
    assert sizes == [(width, 64)] * 2


def test_pages_json_becomes_a_list_of_a_file_for_each_page(tmp_path):
    # As docs/guide/captions.md has it.
    guide = (pathlib.Path(__file__).parents[3] / "docs/guide/captions.md").read_text()
    (program,) = [line for line in guide.splitlines() if line.startswith("jq -c")]
    (tmp_path / "pages.json").write_text(json.dumps(pages(3, spoken="sweep")))
    (tmp_path / "pages.json").write_bytes(run("captions", tmp_path / "pages.json", "--pages", "json").stdout)
    subprocess.run(program, shell=True, cwd=tmp_path, check=True)
    lines = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert len(lines) == 3 and len({line["output"] for line in lines}) == 3
    outcome = run("render", "--batch", tmp_path / "pages.jsonl", "--out", tmp_path / "out")
    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert sorted(os.listdir(tmp_path / "out")) == sorted(line["output"] for line in lines)


def test_files_that_are_there_are_replaced_and_others_stay(tmp_path):
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips/00-00-00-10.mov").write_text("before")
    (tmp_path / "clips/notes.txt").write_text("mine")
    assert split(tmp_path, pages(2)).returncode == 0
    assert (tmp_path / "clips/00-00-00-10.mov").stat().st_size > 1000 and (tmp_path / "clips/notes.txt").read_text() == "mine"
    first = {path.name: path.read_bytes() for path in (tmp_path / "clips").iterdir()}
    assert split(tmp_path, pages(2)).returncode == 0
    assert first == {path.name: path.read_bytes() for path in (tmp_path / "clips").iterdir()}


def test_an_interrupt_leaves_whole_files_and_no_list(tmp_path):
    (tmp_path / "pages.json").write_text(json.dumps(pages(300)))
    folder = tmp_path / "clips"
    process = subprocess.Popen([BINARY, "captions", tmp_path / "pages.json", "--split", folder],
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # fmt: skip
    until(lambda: folder.exists() and len(os.listdir(folder)) > 3, "the first clips")
    children = family(process.pid)[1:]
    process.send_signal(signal.SIGINT)
    assert process.wait() == -signal.SIGINT
    names = os.listdir(folder)
    assert names and all(name.endswith(".mov") and not name.startswith(".") for name in names)
    for name in names:
        assert stream_of((folder / name).read_bytes())["codec_name"] == "prores"
    until(lambda: not any(os.path.exists(f"/proc/{child}") for child in children), "the end of the encoder")


def test_a_failure_leaves_no_directory_unless_it_was_there(tmp_path):
    path = ffmpeg_in(tmp_path, "cat > /dev/null; exit 3")
    for isThere in (False, True):
        if isThere:
            (tmp_path / "clips").mkdir()
        assert "ffmpeg" in messages_of(split(tmp_path, pages(3), PATH=path), SYSTEM)[0]
        assert (tmp_path / "clips").exists() == isThere
    assert os.listdir(tmp_path / "clips") == []


@pytest.mark.alone
def test_many_clips_take_no_more_memory_than_a_few(tmp_path):
    path = ffmpeg_in(tmp_path, STUB)
    peaks = []
    for count in (20, 300):
        (tmp_path / "pages.json").write_text(json.dumps(pages(count, spoken="sweep", width=64, height=36, size=10)))
        peaks.append(peak("captions", tmp_path / "pages.json", "--split", tmp_path / f"{count}", "--fps", 5, PATH=path))
    assert peaks[1] - peaks[0] < 20_000, peaks


def test_what_does_not_go_with_it_is_said(tmp_path):
    request = tmp_path / "pages.json"
    request.write_text(json.dumps(pages(1)))
    (tmp_path / "file").write_text("")
    folder = tmp_path / "clips"
    for arguments, status, said in [
        (["--split", ""], USAGE, "split: must not be empty"),
        (["--split", folder, "-o", "film.mov"], USAGE, "split: cannot be used with -o"),
        (["--split", folder, "--pages", "json"], USAGE, "split: cannot be used with --pages"),
        (["--split", folder, "--check"], USAGE, "split: cannot be used with --check"),
        (["--split", folder, "--part", "in"], USAGE, "part: must be all with split"),
        (["--split", folder, "--fit", "shrink"], USAGE, "split: needs texts with times, and neither animate=false, fit, nor maxCycle"),
        (["--split", folder, "--fps", "25", "--timecode", "00:00:00:25"], USAGE, "timecode: must have a frame below 25 at this fps; got 25"),
        (["--split", tmp_path / "none/clips"], CANNOT_CREATE, f"split: cannot open the directory {tmp_path}/none/clips: No such file or directory"),
        (["--split", tmp_path / "file"], CANNOT_CREATE, f"split: cannot open the directory {tmp_path}/file: Not a directory"),
    ]:  # fmt: skip
        assert messages_of(run("captions", request, *arguments), status) == [said], arguments
    assert not folder.exists()
    plain = render("One", "Two", "--split", "x")
    assert plain.returncode in (USAGE, DATA_ERROR) and b"split" in plain.stderr
    assert "--split DIR" in run("captions", "--help").stdout.decode()
