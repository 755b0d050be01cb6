"""WebVTT, SubRip, and ASS: the texts and times of a scene, as other programs read and draw them."""

import subprocess

import numpy
import pysubs2
import pytest
import srt
import webvtt

from picture import pixels
from script_texts import SCRIPTS

GROUND = "#808080"
# One font file that fontconfig has no second face for: libass and Pango choose the same.
COMMON = dict(font="DejaVu Sans", size=40, width=640, height=360, padding=24, color="#ffffff", valign="bottom", align="center")
TALK = [
    (0.5, 2.25, "We walked & nobody said <a> {word}."),
    (4.0, 5.5, "Then it began\nto rain. Or so."),
    (7.5, 10.0, "كان يا ما كان، في 2024"),
]


def said(text, at, until):
    """The words of a text, which share its time evenly."""
    words = text.split()
    length = (until - at) / len(words)
    return [
        dict(text=word, at=round(at + number * length, 4), until=round(at + (number + 1) * length, 4))
        for number, word in enumerate(words)
    ]


def talk(**more):
    blocks = [dict(text=text, at=at, until=until, times=said(text, at, until)) for at, until, text in TALK]
    return dict(sequence="timed", blocks=blocks) | COMMON | more


def milliseconds(*seconds):
    return [round(each * 1000) for each in seconds]


def test_webvtt_has_texts_times_and_when_words_are_said(server, tmp_path):
    answer = server.render("vtt", **talk())
    assert answer.headers["Content-Type"].startswith("text/vtt")
    (tmp_path / "talk.vtt").write_bytes(answer.body)
    cues = list(webvtt.read(str(tmp_path / "talk.vtt")))
    texts = [cue.text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">") for cue in cues]
    assert [text.split() for text in texts] == [text.split() for _, _, text in TALK]
    assert [[cue.start, cue.end] for cue in cues] == [[f"00:00:{at:06.3f}", f"00:00:{until:06.3f}"] for at, until, _ in TALK]
    # Read as captions, it is the same request again.
    again = server.post("/render.json?pageBreak=cue&maxLines=4&width=640&size=20", answer.body, "text/vtt").json
    for block, (at, until, text) in zip(again["blocks"], TALK, strict=True):
        assert (block["text"].split(), block["at"], block["until"]) == (text.split(), at, until)
        # A sign alone belongs to the word before it.
        starts = [word["at"] for word in said(text, at, until) if any(map(str.isalnum, word["text"]))]
        assert [word["at"] for word in block["times"]] == pytest.approx(starts, abs=0.001)


def test_subrip_has_texts_and_times(server):
    cues = list(srt.parse(server.render("srt", **talk()).body.decode()))
    assert [cue.content.split() for cue in cues] == [text.split() for _, _, text in TALK]
    times = [milliseconds(cue.start.total_seconds(), cue.end.total_seconds()) for cue in cues]
    assert times == [milliseconds(at, until) for at, until, _ in TALK]


@pytest.mark.parametrize("valign, align, corner, settings", [
    ("top", "left", 7, {"line:7%", "align:left"}), ("middle", "center", 5, {"line:50%,center"}),
    ("bottom", "right", 3, {"align:right"}), ("bottom", "center", None, set()),
])
def test_places_are_said_and_read_again(server, valign, align, corner, settings):
    request = talk(valign=valign, align=align) | dict(blocks=[dict(text="Hello", at=0, until=1)])
    file = server.render("srt", **request).body.decode()
    assert (f"{{\\an{corner}}}Hello" in file) if corner else "{" not in file
    file = server.render("vtt", **request).body
    head = next(line for line in file.decode().splitlines() if "-->" in line).split()[3:]
    assert settings <= set(head) and bool(settings) == bool(head)
    again = server.post("/render.json?width=640&height=360&pageBreak=cue&valign=bottom", file, "text/vtt").json["blocks"][0]["rect"]
    middle = again["y"] + again["height"] / 2
    assert (middle < 120) == (valign == "top") and (middle > 240) == (valign == "bottom")


def test_texts_without_times_of_their_own_have_those_of_their_motion(server):
    scene = server.render("json", text=["One", "Two"], sequence="replace", effect="fade").json
    cues = list(srt.parse(server.render("srt", text=["One", "Two"], sequence="replace", effect="fade").body.decode()))
    assert [cue.content for cue in cues] == ["One", "Two"]
    assert [cue.start.total_seconds() for cue in cues] == pytest.approx([block["enterStart"] for block in scene["blocks"]], abs=0.001)
    assert b"Still" in server.render("vtt", text="Still", effect="none").body


# ASS, by libass.

EDGED = dict(outlineWidth=4, outlineColor="#101014")
DRAWN = {
    "plain": {},
    "a fade": dict(effect="fade", exit="fade"),
    "a fade by letter": dict(effect="fade", by="glyph", exit="none"),
    "a slide by word": dict(effect="slide", by="word", exit="none"),
    "a slide of all": dict(effect="slide", by="all", exit="auto"),
    "a typewriter": dict(effect="typewriter", cursor="none", exit="none"),
    "an outline": EDGED,
    "a hard shadow": dict(shadow="3px 3px #101014"),
    "a soft shadow": dict(shadow="0 3px 10px #000000", **EDGED),
    "words in colour": dict(spoken="color", spokenColor="#ffd60a", pastColor="#303030"),
    "dim words": dict(spoken="color", spokenColor="#ffffff", upcomingOpacity=0.4, pastOpacity=0.7),
    "a sweep": dict(spoken="sweep", spokenColor="#ffd60a", **EDGED),
    "a sweep that passes": dict(spoken="sweep", spokenColor="#ffd60a", pastColor="#303030"),
    "a sweep over what moves": dict(spoken="sweep", spokenColor="#ffd60a", effect="slide", by="all"),
    "words that grow": dict(spoken="color", spokenColor="#ffd60a", spokenScale=1.3),
    "boxes": dict(spoken="box", spokenBox="#6e40c9"),
    "a box that slides": dict(spoken="box", spokenBox="#6e40c9", spokenBoxMotion="slide"),
    "cards": dict(card="fit", background="#101014e6", cornerRadius=12),
    "boxes on cards": dict(card="fit", background="#101014", spoken="box", spokenBox="#6e40c9"),
    "a card": dict(background="#305070", cornerRadius=20),
    "bold and spaced": dict(weight=700, letterSpacing=3),
    "spaced, with a shadow and a sweep": dict(
        weight=700, letterSpacing=3, shadow="2px 2px #101014", spoken="sweep", spokenColor="#ffd60a"),
    "translucent": dict(color="#ffffff80"),
    "a serif": dict(font="DejaVu Serif", weight=700),
}


# libass has no emoji in colour; the others, which end with a mark, stand a few pixels aside.
OTHERWISE = {"emoji", "vowelled Arabic", "Thaana", "N'Ko"}


def drawn_by_libass(file, time):
    """A frame of a grey film with a file of ASS, as ffmpeg has it."""
    command = [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=0x808080:s=640x360:r=100:d=1,format=gbrp",
        "-vf", f"setpts=PTS+{time}/TB,ass={file}", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
    ]  # fmt: skip
    frame = subprocess.run(command, capture_output=True, check=True).stdout
    return numpy.frombuffer(frame, numpy.uint8).reshape(360, 640, 3).astype(int)


def test_libass_shows_braces_and_backslashes(server, tmp_path):
    request = dict(text="C:\\new {\\b1} \\{x\\}", effect="none") | COMMON
    (tmp_path / "a.ass").write_bytes(server.render("ass", **request).body)
    shown = drawn_by_libass(tmp_path / "a.ass", 0.5)
    assert numpy.abs(shown - pixels(server.render("png", **request).body, GROUND)).mean() < 0.5


def test_what_stands_still_has_its_card(server, tmp_path):
    request = COMMON | dict(text="Still", effect="none", hold=0, card="fit", background="#305070", cornerRadius=10)
    (tmp_path / "a.ass").write_bytes(server.render("ass", **request).body)
    shown = drawn_by_libass(tmp_path / "a.ass", 0.5)
    assert numpy.abs(shown - pixels(server.render("png", **request).body, GROUND)).mean() < 0.5


def differences(wanted, shown):
    """The mean difference of pixels with ink, of 255, and the share of them that differ by more than 96."""
    inked = (numpy.abs(numpy.stack([wanted, shown]) - 128) > 8).any(axis=(0, 3))
    assert inked.any()
    difference = numpy.abs(wanted - shown).max(axis=2)[inked]
    return difference.mean(), (difference > 96).mean()


@pytest.mark.parametrize("name", DRAWN)
def test_libass_shows_what_the_png_shows(server, name, tmp_path):
    request = talk() | dict(effect="none", exit="none") | DRAWN[name]
    answer = server.render("ass", **request)
    (tmp_path / "talk.ass").write_bytes(answer.body)
    assert len(pysubs2.SSAFile.from_string(answer.text)) > 0
    for time in (0.62, 0.83, 1.4, 2.1, 4.27, 4.8, 7.72, 8.51, 9.73):
        shown = drawn_by_libass(tmp_path / "talk.ass", time)
        wanted = pixels(server.render("png", **request, time=time).body, GROUND)
        mean, share = differences(wanted, shown)
        assert mean < 20 and share < 0.06, time


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A grey film."""
    path = tmp_path_factory.mktemp("film") / "grey.mkv"
    ground = "color=0x808080:s=640x360:r=100:d=11,format=gbrp"
    lossless = ["-c:v", "libx264rgb", "-preset", "ultrafast", "-qp", "0"]
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", ground, *lossless, path], check=True)
    return path


def drawn_by_mpv(film, file, time, folder):
    """A frame of a film with a file of ASS, as mpv shows it."""
    command = [
        "mpv", "--no-config", "--ao=null", "--vo=image", "--vo-image-format=png", f"--vo-image-outdir={folder}", "--hr-seek=yes",
        f"--start={time}", "--frames=1", f"--sub-file={file}", "--sid=1", film,
    ]  # fmt: skip
    subprocess.run(command, capture_output=True, check=True)
    [frame] = folder.glob("*.png")
    return pixels(frame.read_bytes())


@pytest.mark.parametrize("name", ["a slide of all", "a soft shadow", "a sweep", "boxes", "cards", "spaced, with a shadow and a sweep"])
def test_mpv_shows_what_the_png_shows(server, film, name, tmp_path):
    request = talk() | dict(effect="none", exit="none") | DRAWN[name]
    (tmp_path / "talk.ass").write_bytes(server.render("ass", **request).body)
    for time in (0.62, 4.8, 8.51):
        shown = drawn_by_mpv(film, tmp_path / "talk.ass", time, tmp_path / f"{time}")
        mean, share = differences(pixels(server.render("png", **request, time=time).body, GROUND), shown)
        assert mean < 20 and share < 0.06, time


@pytest.mark.parametrize("script", [script for script in SCRIPTS if script not in OTHERWISE])
def test_libass_shows_every_script_and_its_sweep(server, script, tmp_path):
    text = SCRIPTS[script]
    request = COMMON | dict(
        sequence="timed", at=0, until=4, text=text, times=said(text, 0.2, 3.2), font="sans-serif", effect="none", exit="none",
        spoken="sweep", spokenColor="#ffd60a")
    (tmp_path / "a.ass").write_bytes(server.render("ass", **request).body)
    # A sweep by libass passes over the ink of a word, and ours over its box.
    for time, most, share in ((0.1, 10, 0.01), (0.93, 32, 0.13), (1.77, 32, 0.13), (3.6, 10, 0.01)):
        shown = drawn_by_libass(tmp_path / "a.ass", time)
        wanted = pixels(server.render("png", **request, time=time).body, GROUND)
        mean, far = differences(wanted, shown)
        assert mean < most and far < share, time
