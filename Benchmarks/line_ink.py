"""How high the ink of a line is, in em, by script and font: lines of more than 1.2 em run into each other.

Sets a few words of each script, with its highest and deepest forms, in every installed font that has them. The scripts of
which a font has more are in the table of `Sources/Typesetting/Layout/TallScripts.swift`, except those whose lines are that
close by custom (`CLOSE`).

    TEST_BINARY=.build/release/titlecard .venv/bin/python Benchmarks/line_ink.py
"""

import io
import pathlib
import subprocess
import sys

import numpy
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/EndToEnd/support"))
from line_samples import CLOSE, SAMPLES  # noqa: E402
from service import Service  # noqa: E402

SIZE = 100
LIMIT = 1.2


def families(letters):
    """The installed families that have all of some letters."""
    command = ["fc-list", ":scalable=true:charset=" + " ".join(f"{ord(letter):x}" for letter in letters), "family"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return sorted({line.split(",")[0].replace("\\", "") for line in lines})


def ink(server, text, family):
    """How high a line's ink is in em; 0 where other fonts draw a part of it."""
    request = dict(text=text, font=family, size=SIZE, effect="none", padding=200, room="none")
    fonts = {run["font"].rsplit(" ", 1)[0] for run in server.render("json", **request).json["blocks"][0]["lines"][0]["runs"]}
    if fonts != {family}:
        return 0
    picture = Image.open(io.BytesIO(server.render("png", **request).body)).convert("RGBA")
    rows = numpy.nonzero(numpy.asarray(picture)[:, :, 3].max(axis=1) > 32)[0]
    return (rows[-1] - rows[0] + 1) / SIZE


if __name__ == "__main__":
    server = Service()
    for script, text in SAMPLES.items():
        letters = [letter for letter in text if not letter.isspace()]
        found = {family: ink(server, text, family) for family in families(letters)
                 if ("Nastaliq" in family) == (script == "Nastaliq")}
        high = {family: height for family, height in found.items() if height > LIMIT}
        rule = "1.2" if script in CLOSE else "tall" if high else "1.2"
        print(f"{script:11} {rule:5} {max(found.values(), default=0):.2f}  " + ", ".join(
            f"{family} {height:.2f}" for family, height in high.items()))
    server.stop()
