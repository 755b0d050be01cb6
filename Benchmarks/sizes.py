"""Bytes of an SVG, plain and gzipped, for every effect over the still text.

    python3 Benchmarks/sizes.py .build/release/titlecard
"""

import gzip
import json
import subprocess
import sys

TEXT = (
    "This is a my replication of Secret's text animation. It looks like one fancy label, "
    "but it's actually two UITextLabels on top of each other! What do you think?"
)


def render(binary, *options):
    command = [binary, "render", TEXT, "--width", "640", *options]
    return subprocess.run(command, check=True, capture_output=True).stdout


def sizes(file):
    return len(file), len(gzip.compress(file, 6, mtime=0))


# What `custom` needs: three keyframes of three properties, on a spring.
OPTIONS = {
    "custom": [
        "--keyframes",
        '[{"opacity": 0, "y": 0.5, "rotation": -20}, {"offset": 0.6, "y": -0.1}, {}]',
        "--easing",
        "spring(0.4)",
    ]
}
WAYS = {
    "once": (),
    "once, leaving": ("--exit", "auto"),
    "looping": ("--loop", "infinite"),
    "looping, leaving": ("--loop", "infinite", "--exit", "auto"),
}


def main():
    binary = sys.argv[1]
    scene = json.loads(render(binary, "--format", "json"))
    drawn = sum(not glyph["whitespace"] for glyph in scene["glyphs"])
    plain, still = sizes(render(binary, "--animate", "false"))
    print(f"{len(scene['glyphs'])} glyphs, {drawn} drawn; still: {plain:,} bytes, {still:,} gzipped.")
    print("Each cell: bytes, gzipped, gzipped bytes a drawn glyph more than still.\n")
    print("| effect | " + " | ".join(WAYS) + " |\n|---|" + "---|" * len(WAYS))
    help_text = subprocess.run([binary, "render", "--help"], check=True, capture_output=True, text=True)
    for effect in [l.split()[1] for l in help_text.stdout.splitlines() if l.startswith("--effect ")]:
        cells = []
        for way in WAYS.values():
            plain, packed = sizes(render(binary, "--effect", effect, *OPTIONS.get(effect, ()), *way))
            cells.append(f"{plain:,} · {packed:,} · {(packed - still) / drawn:.1f}")
        print(f"| {effect} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
