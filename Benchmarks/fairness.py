"""How long a picture takes one client behind nginx while others ask for films.

    python3 Benchmarks/fairness.py .build/release/titlecard [--rounds 3]

A service with two render threads stands behind Debian's nginx with the configuration of deploy/nginx. One client asks
for cold SVGs, one after another: first alone, then beside four that ask for films of 120 s without pause. Each client
has an address of its own, all of 127.0.0.0/8 being this machine's. Needs nginx and curl.

A round prints the 99th percentile of both. The median of those beside films is to be at most five times that of those
alone, or 20 ms if that is more; otherwise the exit status is 1.
"""

import argparse
import contextlib
import http.client
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from load.processes import HOST, PATIENCE, titlecard, until
from nginx import Nginx

PICTURES = 300  # of a round, alone and beside films
FILM_CLIENTS = 4


def get(nginx, client, target):
    """Seconds that an answer takes for a client of that number."""
    begun = time.monotonic()
    connection = http.client.HTTPConnection(
        HOST, nginx.port, timeout=PATIENCE, source_address=(f"127.0.0.{client}", 0)
    )
    with contextlib.closing(connection):
        connection.request("GET", target)
        answer = connection.getresponse()
        answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{target}: {answer.status}")
    return time.monotonic() - begun


@contextlib.contextmanager
def films(nginx, server, round):
    """Clients that ask for one film after another, from the time that one has been rendered.

    Each is a process: threads of this one would keep what is measured waiting.
    """
    before = server.metric("titlecard_render_seconds_count")
    clients = [
        subprocess.Popen(
            ["curl", "--silent", "--interface", f"127.0.0.{2 + client}", "--output", "/dev/null",
             f"{nginx.url}/render.gif?text=Film+{round}+{client}+[1-1000000]&effect=slide&delay=60&hold=58&loop=infinite"]
        )
        for client in range(FILM_CLIENTS)
    ]
    try:
        until(lambda: server.metric("titlecard_render_seconds_count") > before, "a film")
        yield
    finally:
        for client in clients:
            client.kill()
            client.wait()


def ninety_nine(nginx, kind, round):
    times = sorted(get(nginx, 9, f"/render.svg?text={kind}+{round}+{number}") for number in range(PICTURES))
    return times[PICTURES * 99 // 100]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    quiet, busy = [], []
    options = ["--trusted-proxies", HOST, "--workers", "2"]
    with tempfile.TemporaryDirectory() as folder, titlecard(arguments.binary.absolute(), *options) as server:
        nginx = Nginx(pathlib.Path(folder), [server.port])
        try:
            for round in range(arguments.rounds):
                quiet.append(ninety_nine(nginx, "quiet", round))
                with films(nginx, server, round):
                    busy.append(ninety_nine(nginx, "busy", round))
                print(f"99 %: {1000 * quiet[-1]:.1f} ms alone, {1000 * busy[-1]:.1f} ms beside films", flush=True)
        finally:
            nginx.stop()
    if statistics.median(busy) > max(5 * statistics.median(quiet), 0.02):
        sys.exit("a picture waits too long beside films")


if __name__ == "__main__":
    main()
