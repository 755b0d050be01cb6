"""Bytes of WebP and GIF files beside those that img2webp and gifsicle make of the same frames.

    .venv/bin/python Benchmarks/encoders.py .build/release/titlecard [another]

With another program, the CPU time of a WebP is compared with its.
Needs Pillow and numpy, img2webp, and gifsicle.
"""

import io
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

LOOP = ("--loop", "infinite")
SCENES = {
    "neon sign": ("Neon sign", "--preset", "neon"),
    "neon, long": ("Open all night", "--preset", "neon"),
    "banner": ("Your project", "--preset", "banner", *LOOP),
    "soft shadow": ("Soft shadows here", "--shadow", "2px 2px 6px #0008", "--effect", "rise", "--size", "48",
                    "--background", "#fff", "--exit", "auto", *LOOP),
    "gradient in letters": ("Gradient text is alive", "--color", "linear-gradient(30deg, #f00, #ff0, #00f)",
                            "--effect", "wave", "--size", "48", "--background", "transparent", *LOOP),
    "gradient card": ("On a card of three colours", "--background", "linear-gradient(30deg, #134, #a4c, #fa0)", "--color",
                      "white", "--effect", "slide", "--size", "40", "--padding", "20", "--exit", "auto", *LOOP),
    "emoji": ("👋🌍🎉🚀✨", "--effect", "fall", "--size", "64", "--background", "#fff", "--exit", "auto", *LOOP),
    "one colour": ("Scrambled before it is read", "--effect", "scramble", "--size", "40", "--background", "#111", "--color",
                   "#0f0", "--exit", "auto", *LOOP),
}  # fmt: skip
QUALITIES = (90, 60, 20)
ROUNDS = 4


def rendered(binary, scene, format, *options):
    command = [binary, "render", *scene, "--format", format, *options]
    return subprocess.run(command, check=True, capture_output=True).stdout


def cpu(*arguments):
    """Milliseconds of CPU of a rendering, the start of the program included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(ROUNDS):
        rendered(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1000 * spent / ROUNDS


def frames_of(file):
    picture = Image.open(io.BytesIO(file))
    for number in range(picture.n_frames):
        picture.seek(number)
        yield picture.convert("RGBA"), int(picture.info["duration"])


def decibels(file, whole):
    """The likeness of the light of two files' frames."""
    def light(picture):
        pixels = numpy.asarray(picture, float)
        return pixels[..., :3] * pixels[..., 3:] / 255

    pairs = zip(frames_of(file), frames_of(whole), strict=True)
    error = numpy.mean([numpy.mean((light(one) - light(other)) ** 2) for (one, _), (other, _) in pairs])
    return "exact" if error == 0 else f"{10 * math.log10(255**2 / error):.1f} dB"


def by_img2webp(file):
    """The bytes that img2webp makes of a file's frames without loss."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for number, (picture, duration) in enumerate(frames_of(file)):
            picture.save(f"{folder}/{number}.png")
            arguments += ["-d", str(duration), f"{folder}/{number}.png"]
        target = pathlib.Path(folder, "all.webp")
        command = ["img2webp", "-lossless", "-m", "4", *arguments, "-o", target]
        subprocess.run(command, check=True, capture_output=True)
        return target.stat().st_size


def by_gifsicle(file, *options):
    return subprocess.run(["gifsicle", "-O3", *options], input=file, check=True, capture_output=True).stdout


def main():
    binary, other = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    lossy = "".join(f" quality {quality} |" for quality in QUALITIES)
    print("| WebP | exact | img2webp | ratio | CPU, ms | CPU before, ms |" + lossy)
    print("|---|---|---|---|---|---|" + "---|" * len(QUALITIES))
    for name, scene in SCENES.items():
        file = rendered(binary, scene, "webp")
        peer = by_img2webp(file)
        cells = [f"{len(file):,}", f"{peer:,}", f"{len(file) / peer:.3f}", f"{cpu(binary, scene, 'webp'):.0f}"]
        cells.append(f"{cpu(other, scene, 'webp'):.0f}" if other else "")
        for quality in QUALITIES:
            made = rendered(binary, scene, "webp", "--quality", str(quality))
            cells.append(f"{len(made):,} · {decibels(made, file)}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    peers = "".join(f" quality {quality} | gifsicle --lossy={2 * (100 - quality)} |" for quality in QUALITIES)
    print("\n| GIF | exact | gifsicle -O3 |" + peers)
    print("|---|---|---|" + "---|---|" * len(QUALITIES))
    for name, scene in SCENES.items():
        file = rendered(binary, scene, "gif")
        cells = [f"{len(file):,}", f"{len(by_gifsicle(file)):,}"]
        for quality in QUALITIES:
            made = rendered(binary, scene, "gif", "--quality", str(quality))
            peer = by_gifsicle(file, f"--lossy={2 * (100 - quality)}")
            cells += [f"{len(each):,} · {decibels(each, file)}" for each in (made, peer)]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
