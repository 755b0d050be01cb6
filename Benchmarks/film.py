#!/usr/bin/env python3
"""Time and memory of a long captioned film, and the frames in which its pages come and go.

    Benchmarks/film.py BINARY [--minutes 60] [--format mov] [--preset captions-karaoke] [--encoder real|none]
    Benchmarks/film.py BINARY --frames [--minutes 60] [--fps 29.97]

Without an encoder, a program that reads the frames and forgets them stands in the place of ffmpeg: what is measured is the
share of Titlecard. With --frames, small frames of pages without motion are encoded and decoded by ffmpeg, and each is
compared with the pages that should be seen in it.
"""

import argparse
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

WORDS = ("the quick brown fox jumps over a lazy dog while captions follow every spoken word without any drift or delay across "
         "long talks about typography and motion").split()  # fmt: skip


def pages(seconds):
    """Pages of four to six words: about 2.5 words a second, with pauses."""
    draw, blocks, start = random.Random(7), [], 0.4
    while start < seconds - 3:
        times, now = [], start
        for _ in range(draw.randint(4, 6)):
            end = round(now + draw.uniform(0.25, 0.5), 4)
            times.append({"text": draw.choice(WORDS), "at": now, "until": end})
            now = end
        blocks.append({"text": " ".join(word["text"] for word in times), "at": start, "until": now, "times": times})
        start = round(now + draw.choice([0, 0, 0, 0.1, 0.3, 0.5, 1]), 4)
    return blocks


def made(binary, folder, request, options, path):
    """Makes a film; returns the seconds, and the megabytes that the process had at most."""
    (folder / "pages.json").write_text(json.dumps(request))
    begin = time.monotonic()
    command = [binary, "captions", folder / "pages.json", "-q", *map(str, options)]
    process = subprocess.Popen(command, env={**os.environ, "PATH": path})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"ended with {process.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def measure(arguments, folder):
    path = os.environ["PATH"]
    if arguments.encoder == "none":
        stub = folder / "bin/ffmpeg"
        stub.parent.mkdir()
        stub.write_text("#!/bin/sh\ncat > /dev/null\necho file >&3\n")
        stub.chmod(0o755)
        path = f"{stub.parent}:{path}"
    blocks = pages(60 * arguments.minutes)
    file = folder / f"film.{arguments.format}"
    options = ["-o", file, "--preset", arguments.preset, "--fps", arguments.fps]
    seconds, megabytes = made(arguments.binary, folder, {"sequence": "timed", "blocks": blocks}, options, path)
    length = blocks[-1]["until"]
    words = sum(len(block["times"]) for block in blocks)
    whose = "" if arguments.encoder == "none" else " (of the larger process)"
    print(f"{arguments.format} {arguments.preset}: {len(blocks)} pages, {words} words, {length:.0f} s in {seconds:.0f} s: "
          f"{length / seconds:.1f} times real time, {megabytes:.0f} MB{whose}, file {file.stat().st_size / 1e6:.0f} MB")  # fmt: skip


def check(arguments, folder):
    blocks = pages(60 * arguments.minutes)
    for block in blocks:
        del block["times"]
    request = {"sequence": "timed", "effect": "none", "exit": "none", "width": 64, "height": 32, "size": 10, "blocks": blocks}
    file = folder / "film.mov"
    made(arguments.binary, folder, request, ["-o", file, "--fps", arguments.fps], os.environ["PATH"])
    rate = round(arguments.fps * 1.001) / 1.001 if arguments.fps % 1 else arguments.fps
    decoder = ["ffmpeg", "-v", "error", "-i", file, "-vf", "alphaextract,format=gray", "-f", "rawvideo", "-"]
    count = math.ceil(blocks[-1]["until"] * rate - 1e-6)
    wrong = number = changes = 0
    before, page = False, 0
    with subprocess.Popen(decoder, stdout=subprocess.PIPE) as process:
        while frame := process.stdout.read(64 * 32):
            now = round(number / rate, 4)
            while page < len(blocks) and blocks[page]["until"] <= now:
                page += 1
            # The last frame shows the end.
            wanted = page < len(blocks) and blocks[page]["at"] <= now and number < count - 1
            wrong += (max(frame) > 0) != wanted
            changes += wanted != before
            before, number = wanted, number + 1
    print(f"{number} frames for {count}, {changes} changes, {wrong} wrong frames")


parser = argparse.ArgumentParser()
parser.add_argument("binary", type=pathlib.Path)
parser.add_argument("--minutes", type=float, default=60)
parser.add_argument("--format", default="mov")
parser.add_argument("--preset", default="captions-karaoke")
parser.add_argument("--fps", type=float, default=30)
parser.add_argument("--encoder", choices=["real", "none"], default="none")
parser.add_argument("--frames", action="store_true")
given = parser.parse_args()
with tempfile.TemporaryDirectory() as directory:
    (check if given.frames else measure)(given, pathlib.Path(directory))
