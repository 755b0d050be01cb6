"""The instructions of a rendering that is not kept, over HTTP on one connection, counted by valgrind.

    python3 Benchmarks/instructions.py .build/release/titlecard-worker [OTHER …] [--query effect=slide] [--out DIR]

Each request has another text of 40 letters. A figure is of 100 requests after the first 20: neither the start nor the
end of the service is in it. With --out the counts by function are kept for callgrind_annotate.
"""

import argparse
import http.client
import pathlib
import random
import string
import subprocess
import tempfile

from load.processes import HOST, Server

FIRST, COUNTED = 20, 100
LETTERS = string.ascii_letters + "     "


def texts(count):
    letters = random.Random(1)
    return ["+".join("".join(letters.choices(LETTERS, k=40)).split()) for _ in range(count)]


def dump(process):
    """Writes the counts since the last dump into the next file, and begins anew."""
    subprocess.run(["callgrind_control", "--dump", str(process.pid)], check=True, capture_output=True)


def instructions(binary, query, out):
    """Returns the instructions of one request."""
    command = [
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--log-file=/dev/null",
        binary, "serve", "--workers", "1", "--loops", "1", "--log-level", "error",
    ]  # fmt: skip
    # A program of one process, as it was once, does not know the option.
    alone = ["--no-supervisor"] if binary.name == "titlecard-worker" else []
    with tempfile.TemporaryDirectory() as public:
        more = ["--public", public, *alone]
        server = Server(binary.name, lambda port: [*command, *more, "--port", port])
        try:
            connection = http.client.HTTPConnection(HOST, server.port, timeout=60)
            for number, text in enumerate(texts(FIRST + COUNTED)):
                if number == FIRST:
                    dump(server.process)
                connection.request("GET", f"/render?text={text}&{query}")
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status == 200, body
            dump(server.process)
        finally:
            server.stop()
    lines = pathlib.Path(f"{out}.2").read_text().splitlines()
    total = next(int(line.split()[1]) for line in lines if line.startswith("totals:"))
    return total / COUNTED


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
                count = instructions(binary.absolute(), query, out / f"{number}.{query}")
                print(f"{query}, {binary}: {count:,.0f} instructions a request")


if __name__ == "__main__":
    main()
