"""Files of captions, as other readers read them: the same times to the millisecond, the same words."""

import html
import io
import json
import os
import random
import subprocess

import pysubs2
import pytest
import srt
import webvtt
from service import REPOSITORY

WORDS = (
    "the quick brown fox isn't jumping, over: 42 lazy dogs! Où est «l’école»? Größe 你好。 こんにちは 안녕하세요 "
    "नमस्ते สวัสดี שלום مرحبا Привет 🎉 — (what?) a/b 3.14 100% & co."
).split()
FILES = 40


def generated(seed):
    """Cues as (start, end, lines), in milliseconds; some of them overlap, none touches another."""
    numbers = random.Random(seed)
    time, cues = numbers.choice([0, 500, 3_599_000, 35_000_000]), []
    for _ in range(numbers.randint(1, 30)):
        start = time + numbers.randint(80, 5000)
        end = start + numbers.randint(100, 6000)
        lines = [
            " ".join(numbers.choices(WORDS, k=numbers.randint(1, 7))) for _ in range(numbers.randint(1, 3))]
        cues.append((start, end, lines))
        time = end if numbers.random() < 0.9 else start
    return cues


def clock(milliseconds, point, hours=2):
    seconds, fraction = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hour, minutes = divmod(minutes, 60)
    return f"{hour:0{hours}}:{minutes:02}:{seconds:02}{point}{fraction:03}"


@pytest.fixture(scope="module")
def tracks(tmp_path_factory):
    """Returns a function that reads files, with TEST_CAPTION_CUES, or the program of a new build."""
    binary = os.environ.get("TEST_CAPTION_CUES")
    if not binary:
        subprocess.run(
            ["swift", "build", "--product", "caption-cues"], cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
        binary = REPOSITORY / ".build/debug/caption-cues"
    directory = tmp_path_factory.mktemp("captions")

    def tracks(files):
        paths = []
        for index, file in enumerate(files):
            paths.append(directory / str(index))
            paths[-1].write_bytes(file)
        answer = subprocess.run(
            [binary, "auto", *paths], check=True, capture_output=True, text=True)
        return [json.loads(line) for line in answer.stdout.splitlines()]

    return tracks


@pytest.fixture(scope="module")
def read(tracks):
    """Returns a function that returns the times and the words of texts."""

    def read(texts):
        return [
            [(round(cue["at"]), round(cue["until"]), cue["text"].split()) for cue in track]
            for track in tracks([text.encode() for text in texts])]

    return read


def ordered(cues):
    return sorted(cues, key=lambda cue: cue[0])


def test_subrip(read):
    texts = []
    for seed in range(FILES):
        texts.append("\n".join(
            f"{number}\n{clock(start, ',')} --> {clock(end, ',')}\n" + "\n".join(
                f"<i>{line}</i>" if seed % 3 == 0 else line for line in lines) + "\n"
            for number, (start, end, lines) in enumerate(generated(seed), 1)))
    for text, ours in zip(texts, read(texts), strict=True):
        plain = text.replace("<i>", "").replace("</i>", "")
        theirs = [
            (cue.start // srt.timedelta(milliseconds=1), cue.end // srt.timedelta(milliseconds=1),
             cue.content.split()) for cue in srt.parse(plain)]
        assert ours == ordered(theirs)
        theirs = [(cue.start, cue.end, cue.plaintext.split()) for cue in pysubs2.SSAFile.from_string(text)]
        assert ours == ordered(theirs)


def test_webvtt(read):
    texts = []
    for seed in range(FILES):
        cues = "\n".join(
            (f"id {number}\n" if seed % 2 else "") + f"{clock(start, '.')} --> {clock(end, '.')}"
            + (" line:10% align:start" if seed % 3 == 0 else "") + "\n" + "\n".join(
                f"<c.x>{line}</c>".replace("&", "&amp;") for line in lines) + "\n"
            for number, (start, end, lines) in enumerate(generated(seed), 1))
        texts.append(f"WEBVTT - generated\n\nNOTE\nnothing\n\nSTYLE\n::cue {{ color: red }}\n\n{cues}")
    for text, ours in zip(texts, read(texts), strict=True):
        theirs = [
            (round(cue.start_in_seconds * 1000) + milliseconds(cue.start),
             round(cue.end_in_seconds * 1000) + milliseconds(cue.end),
             cue.text.replace("&amp;", "&").split())
            for cue in webvtt.from_buffer(io.StringIO(text))]
        assert ours == ordered(theirs)


def milliseconds(time):
    """webvtt-py leaves the fraction out of the seconds."""
    return int(time.rpartition(".")[2])


def test_ass(read):
    texts = []
    for seed in range(FILES):
        file = pysubs2.SSAFile()
        for start, end, lines in generated(seed):
            text = "\\N".join(lines)
            if seed % 2:
                text = "{\\an8\\fad(100,100)}" + text
            file.append(pysubs2.SSAEvent(start // 10 * 10, end // 10 * 10, text))
        file.append(pysubs2.SSAEvent(0, 10, "never", type="Comment"))
        texts.append(file.to_string("ass"))
    for text, ours in zip(texts, read(texts), strict=True):
        theirs = [
            (cue.start, cue.end, cue.plaintext.split())
            for cue in pysubs2.SSAFile.from_string(text) if not cue.is_comment]
        assert ours == ordered(theirs)


def test_whisper(read):
    texts = []
    for seed in range(FILES):
        segments = [
            {"start": start / 1000, "end": end / 1000, "text": " " + " ".join(lines)}
            for start, end, lines in generated(seed)]
        texts.append(json.dumps({"text": "", "segments": segments}))
    for text, ours in zip(texts, read(texts), strict=True):
        theirs = [
            (cue.start, cue.end, cue.plaintext.split())
            for cue in pysubs2.load_from_whisper(json.loads(text))]
        assert ours == ordered(theirs)


def spoken(seed, step):
    """Cues as (words, the starts of these and the end of the last), in times of so many milliseconds."""
    numbers = random.Random(seed)
    at, cues = numbers.randrange(0, 4_000_000, step), []
    for number in range(numbers.randint(1, 20)):
        words = [str(number), *numbers.choices([word for word in WORDS if any(map(str.isalnum, word))], k=numbers.randint(1, 9))]
        times = [at]
        for _ in words:
            times.append(times[-1] + numbers.randrange(step, 900, step))
        cues.append((words, times))
        at = times[-1] + numbers.randrange(step, 4_000, step)
    return cues


def assert_words_are(cues, track):
    found = [[(word["text"], round(word["at"]), round(word["until"])) for word in cue["words"]] for cue in track]
    assert found == [list(zip(words, times, times[1:], strict=False)) for words, times in cues]


CODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]


def test_words_of_webvtt_begin_at_their_stamps(tracks):
    files = []
    for seed in range(FILES):
        parts = ["WEBVTT"]
        for words, times in spoken(seed, 1):
            words = [word.replace("&", "&amp;") for word in words]
            parts.append(f"{clock(times[0], '.')} --> {clock(times[-1], '.')}\n{words[0]}" + "".join(
                f"<{clock(time, '.')}><c> {word}</c>" for word, time in zip(words[1:], times[1:], strict=False)))
        text = "\n\n".join(parts) + "\n"
        files.append(text.replace("\n", ["\n", "\r\n", "\r"][seed % 3]).encode(CODINGS[seed % 4]))
    for seed, track in enumerate(tracks(files)):
        assert_words_are(spoken(seed, 1), track)


def test_syllables_of_ass_are_words_with_times(tracks):
    files = []
    for seed in range(FILES):
        file = pysubs2.SSAFile()
        tag = ["k", "K", "kf", "ko"][seed % 4]
        for words, times in spoken(seed, 10):
            text = " ".join(
                f"{{\\{tag}{(end - start) // 10}}}{word}" for word, start, end in zip(words, times, times[1:], strict=False))
            file.append(pysubs2.SSAEvent(times[0], times[-1], text))
        files.append(file.to_string("ass").encode(CODINGS[seed % 4]))
    for seed, track in enumerate(tracks(files)):
        assert_words_are(spoken(seed, 10), track)


def of_pysubs2(text):
    return [(cue.start, cue.end, cue.plaintext.split()) for cue in pysubs2.SSAFile.from_string(text)]


def of_srt(text):
    one = srt.timedelta(milliseconds=1)
    return [(cue.start // one, cue.end // one, cue.content.split()) for cue in srt.parse(text)]


def of_webvtt(text):
    return [
        (cue.start_in_seconds * 1000 + milliseconds(cue.start), cue.end_in_seconds * 1000 + milliseconds(cue.end),
         html.unescape(cue.text).split()) for cue in webvtt.from_buffer(io.StringIO(text))]


FIRST, SECOND = "00:00:01,000 --> 00:00:02,000", "00:00:03,000 --> 00:00:04,000"
# What files do, with the readers that read it too: srt wants numbers and blank lines, and pysubs2 takes a number at
# the end of a text for the next one's.
QUIRKS = {
    "blank lines first": (f"\n\n\n1\n{FIRST}\nA b\n", [of_pysubs2, of_srt]),
    "one digit of hours": ("1\n0:00:53,860 --> 0:00:56,010\nA b\n", [of_pysubs2, of_srt]),
    "points": ("1\n00:00:01.250 --> 00:00:02.500\nA b\n", [of_pysubs2, of_srt]),
    "no number": (f"{FIRST}\nA\n\n{SECOND}\nb\n", [of_pysubs2]),
    "wrong order": (f"1\n{SECOND}\nb\n\n2\n{FIRST}\nA\n", [of_pysubs2, of_srt]),
    "overlap": (f"1\n00:00:01,000 --> 00:00:05,000\nA\n\n2\n{SECOND}\nb\n", [of_pysubs2, of_srt]),
    "blank line within": (f"1\n{FIRST}\nA\n\nb\n\n2\n{SECOND}\nc\n", [of_pysubs2, of_srt]),
    "numbers as text": (f"1\n{FIRST}\n1984\n\n2\n{SECOND}\n2\n3\n", [of_srt]),
    "no blank line between": (f"1\n{FIRST}\nA\n2\n{SECOND}\nb\n", [of_pysubs2]),
    "coordinates": (f"1\n{FIRST}  X1:63 X2:223 Y1:43 Y2:58\nA\n", [of_pysubs2, of_srt]),
    "spaces at the end": (f"1 \n{FIRST} \nA  \n  b \n", [of_pysubs2, of_srt]),
    "tags": (f"1\n{FIRST}\n{{\\an8}}<font color=\"red\">A</font> <i>b</i>\n", [of_pysubs2]),
    "comment with an arrow": ("WEBVTT\n\nNOTE a --> b\n\n00:01.000 --> 00:02.000\nA\n", [of_webvtt]),
    "hours and none": ("WEBVTT\n\n00:01.000 --> 00:02.000\nA\n\n20:00:03.000 --> 20:00:04.001\nb\n", [of_webvtt]),
    "region": ("WEBVTT\n\nREGION\nid:a\n\n1\n00:01.000 --> 00:02.000 region:a line:0\nA\n", [of_webvtt]),
    "words in angles": (f"1\n{FIRST}\n<laughs> if x<y and y>x then\n", [of_srt]),
    "named references": ("WEBVTT\n\n00:01.000 --> 00:02.000\nit&rsquo;s caf&eacute;&hellip; &#39;&#x41;&#39; &bogus; &amp;amp;\n", [of_webvtt]),
    "references": ("WEBVTT\n\n00:01.000 --> 00:02.000\nA &amp; b &lt;c&gt;\n", [of_webvtt]),
}


@pytest.mark.parametrize("quirk", QUIRKS)
def test_quirk(read, quirk):
    text, readers = QUIRKS[quirk]
    [ours] = read([text])
    for reader in readers:
        assert ours == ordered(reader(text)), reader.__name__
