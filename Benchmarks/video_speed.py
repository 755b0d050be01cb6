"""The frames a second of videos: six seconds of 1920 by 1080 pixels at 60; and an AVIF beside the frames as PNG.

    .venv/bin/python Benchmarks/video_speed.py .build/release/titlecard [--vs OTHER] [--runs 3]

With --vs another binary is measured in turn with the first one. The machine must have nothing else to do; on Linux,
`chrt -r 5` before the command keeps other work away.
"""

import argparse
import io
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time
import zipfile

import numpy
from PIL import Image

FRAMES = 360
FILM = dict(font="Inter", weight=700, size=120, color="white", shadow="0 6px 18px #000a", effect="rise", sequence="together",
            exit="auto", hold=3, width=1920, height=1080, valign="bottom", fps=60, cycle=6)  # fmt: skip
BANNER = dict(preset="banner", width=830, height=220)


def rendered(binary, path, *texts, **options):
    """Seconds on the wall and of CPU, of all processes."""
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([binary, "render", *texts, *words, "-o", path], stderr=subprocess.DEVNULL, check=True)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def noise(avif, archive):
    """The least peak signal-to-noise ratio on white and on black, in dB: of all frames, and of the worst."""
    film, errors = Image.open(avif), []
    with zipfile.ZipFile(archive) as frames:
        for number, name in enumerate(frames.namelist()):
            film.seek(number)
            pictures = [numpy.array(one.convert("RGBA")).astype(float) for one in (film, Image.open(io.BytesIO(frames.read(name))))]
            for ground in (0, 255):
                one, other = (p[..., :3] * p[..., 3:] / 255 + ground * (1 - p[..., 3:] / 255) for p in pictures)
                errors.append(((one - other) ** 2).mean())
    return [10 * numpy.log10(255**2 / error) for error in (numpy.mean(errors), max(errors))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--vs")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    binaries = [binary for binary in (given.binary, given.vs) if binary]
    with tempfile.TemporaryDirectory() as folder:
        for format in ("mov", "webm", "mp4"):
            path = pathlib.Path(folder, f"film.{format}")
            runs = [[rendered(binary, path, "Ada Lovelace", "Analyst", **FILM) + (os.path.getsize(path),) for binary in binaries]
                    for _ in range(given.runs)]  # fmt: skip
            for binary, found in zip(binaries, zip(*runs)):
                seconds, cpu, size = (statistics.median(values) for values in zip(*found))
                print(f"{format} {binary}: {FRAMES / seconds:.0f} frames a second, {cpu:.1f} s of CPU, {size:,} bytes", flush=True)
        avif, archive = pathlib.Path(folder, "banner.avif"), pathlib.Path(folder, "banner.zip")
        for binary in binaries:
            rendered(binary, archive, "Ada Lovelace", **BANNER)
            cpu = statistics.median(rendered(binary, avif, "Ada Lovelace", **BANNER)[1] for _ in range(given.runs))
            dB = " · ".join(f"{one:.1f}" for one in noise(avif, archive))
            print(f"avif {binary}: {os.path.getsize(avif):,} bytes, {dB} dB, {cpu:.2f} s of CPU", flush=True)


if __name__ == "__main__":
    main()
