"""Files of captions, as other readers read them: the same times to the millisecond, the same words."""

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
def read(tmp_path_factory):
    """Returns the cues that we read of texts, with TEST_CAPTION_CUES, or the program of a new build."""
    binary = os.environ.get("TEST_CAPTION_CUES")
    if not binary:
        subprocess.run(
            ["swift", "build", "--product", "caption-cues"], cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
        binary = REPOSITORY / ".build/debug/caption-cues"
    directory = tmp_path_factory.mktemp("captions")

    def read(texts):
        paths = []
        for index, text in enumerate(texts):
            paths.append(directory / str(index))
            paths[-1].write_bytes(text.encode())
        answer = subprocess.run(
            [binary, "auto", *paths], check=True, capture_output=True, text=True)
        return [
            [(round(cue["at"]), round(cue["until"]), cue["text"].split()) for cue in json.loads(line)]
            for line in answer.stdout.splitlines()]

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
