"""The instructions of a rendering that is not kept, over HTTP on one connection, counted by valgrind.

    python3 Benchmarks/instructions.py .build/release/titlecard-worker [OTHER …] [--query effect=slide] [--out DIR]

Each request has another text of 40 letters. A figure is the difference between a service that answers 20 requests and
one that answers 120, divided by 100: the start is not in it. With --out the counts by function are kept for
callgrind_annotate.
"""

import argparse
import http.client
import pathlib
import random
import signal
import string
import subprocess
import tempfile

from load.processes import HOST, Server

FEW, MANY = 20, 120
LETTERS = string.ascii_letters + "     "


def texts(count):
    letters = random.Random(1)
    return ["+".join("".join(letters.choices(LETTERS, k=40)).split()) for _ in range(count)]


def instructions(binary, count, query, out):
    """Returns the instructions of a service from its start to its end."""
    command = [
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--log-file=/dev/null",
        binary, "serve", "--workers", "1", "--loops", "1", "--log-level", "error",
    ]  # fmt: skip
    supervised = [] if binary.name != "titlecard-worker" else ["--no-supervisor"]
    with tempfile.TemporaryDirectory() as public:
        more = ["--public", public, *supervised]
        server = Server(binary.name, lambda port: [*command, *more, "--port", port])
        try:
            connection = http.client.HTTPConnection(HOST, server.port, timeout=60)
            for text in texts(count):
                connection.request("GET", f"/render?text={text}&{query}")
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status == 200, body
            connection.close()
            server.process.send_signal(signal.SIGTERM)
            server.process.wait()
        finally:
            server.stop()
    lines = out.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(("summary:", "totals:")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries", nargs="+", type=pathlib.Path)
    parser.add_argument("--query", nargs="+", default=["effect=typewriter", "effect=slide"])
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        out = arguments.out or pathlib.Path(directory)
        out.mkdir(exist_ok=True)
        for query in arguments.query:
            for number, binary in enumerate(arguments.binaries):
                few, many = (
                    instructions(binary.absolute(), count, query, out / f"{number}.{query}.{count}")
                    for count in (FEW, MANY)
                )
                print(f"{query}, {binary}: {(many - few) / (MANY - FEW):,.0f} instructions a request")


if __name__ == "__main__":
    main()
