"""The costliest captions that the service takes: bytes, seconds, and memory of a rendering in each format.

    .venv/bin/python Benchmarks/captions.py .build/release/titlecard [--formats svg json png gif webm]

Words grow and are swept in an outline with two shadows while their letters wave. Nothing is kept.
"""

import argparse
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Tests/EndToEnd/support"), str(ROOT / "Tests/Reference")]

from hostile import Watch  # noqa: E402
from process_tree import cpu  # noqa: E402
from service import Service  # noqa: E402

LOOK = {
    "sequence": "timed", "width": 1280, "effect": "wave", "spoken": "sweep", "spokenColor": "#f00", "spokenScale": 1.3,
    "upcomingOpacity": 0.3, "pastOpacity": 0.5, "outlineWidth": 3, "outlineColor": "#000",
    "shadow": "2px 2px 3px #000, -2px -2px 3px #00f",
}  # fmt: skip
BOXES = {"spoken": "box", "spokenBox": "#f00", "spokenBoxMotion": "slide"}


def words(count, seconds):
    """A block of so many words of a letter, which are said evenly."""
    times = [{"text": "a", "at": round(number * seconds / count, 4)} for number in range(count)]
    return {"text": " ".join(["a"] * count), "at": 0, "until": seconds, "times": times}


def requests():
    turns = [round(number / 10, 4) for number in range(1000)]
    blocks = [{"text": "a", "at": at, "times": [{"text": "a", "at": at}]} for at in turns]
    yield "1,000 texts in turn", LOOK | {"blocks": blocks}
    yield "a text of 999 words", LOOK | {"size": 14, "blocks": [words(999, 112)]}
    yield "4 texts of 250 words at once", LOOK | {"size": 16, "blocks": [words(250, 110)] * 4}
    yield "a box that slides over 999 words", LOOK | BOXES | {"size": 16, "blocks": [words(999, 112)]}


def measure(service, format, request):
    """Returns the answer, and the seconds, those of CPU, and the bytes of memory that it takes."""
    body = json.dumps(request, separators=(",", ":"))
    start, used = time.monotonic(), cpu([service.worker], with_ended=True)
    with Watch(service, pause=0.02) as watch:
        answer = service.post(f"/render.{format}", body)
        seconds = time.monotonic() - start
    return answer, seconds, cpu([service.worker], with_ended=True) - used, watch.peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--formats", nargs="+", default=["svg", "json", "png", "vtt", "ass", "gif", "webm"])
    arguments = parser.parse_args()
    service = Service("--cache-size", "0", "--processes", "1", binary=arguments.binary)
    service.patience = 300
    try:
        for name, request in requests():
            for format in arguments.formats:
                more = {"time": 50} if format == "png" else {}
                answer, seconds, used, peak = measure(service, format, request | more)
                size = len(answer.body) / 1e6
                print(f"{name:34} {format:5} {answer.status} {size:8.3f} MB {seconds:6.2f} s, CPU {used:6.2f} s, {peak / 1e6:4.0f} MB")
                if answer.status != 200:
                    print(answer.text)
    finally:
        service.stop()


if __name__ == "__main__":
    main()
