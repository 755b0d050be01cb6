"""How long a list of 2,000 files takes on one processor and on two, and on two where nothing changes.

    python3 Benchmarks/batch.py .build/release/titlecard [--requests 2000] [--least 1.7]

Two have to be at least 1.7 times as fast as one. Times are the medians of runs in turn.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

EFFECTS = ["typewriter", "fade", "slide", "wave", "birdman", "blur"]
FORMATS = ["svg", "svg", "svg", "json", "webp", "gif", "png", "lot"]


def requests(count):
    """The lines of a list: pages of a site, most of them SVGs, with pictures among them."""
    for number in range(count):
        yield json.dumps({
            "output": f"{number % 50}/{number}.{FORMATS[number % len(FORMATS)]}",
            "text": f"Card number {number}, and what it says",
            "effect": EFFECTS[number % len(EFFECTS)],
            "background": "white",
            "seed": number,
        })


def seconds(binary, list_, out, processors):
    command = ["taskset", "--cpu-list", processors, binary, "render", "--batch", list_, "--out", out]
    start = time.perf_counter()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--least", type=float, default=1.7, help="the least factor, below which the exit status is 1")
    arguments = parser.parse_args()
    binary = arguments.binary.absolute()
    with tempfile.TemporaryDirectory() as folder:
        list_, out = pathlib.Path(folder, "requests.jsonl"), pathlib.Path(folder, "out")
        list_.write_text("".join(line + "\n" for line in requests(arguments.requests)))
        times = {"0": [], "0,1": [], "again": []}
        for _ in range(arguments.runs):
            for processors in ["0", "0,1"]:
                shutil.rmtree(out, ignore_errors=True)
                times[processors].append(seconds(binary, list_, out, processors))
            times["again"].append(seconds(binary, list_, out, "0,1"))
    one, two, again = (statistics.median(each) for each in times.values())
    print(f"{arguments.requests} files: one processor {one:.2f} s, two {two:.2f} s ({one / two:.2f} times as fast)")
    print(f"on two, where nothing changes: {again:.2f} s")
    return one / two < arguments.least


if __name__ == "__main__":
    sys.exit(main())
