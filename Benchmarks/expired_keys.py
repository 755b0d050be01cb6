"""The cost of a picture behind nginx when its key has expired, so that a replica is asked first.

    python3 Benchmarks/expired_keys.py .build/release/titlecard [--rounds 5]

A service stands behind Debian's nginx with the configuration of deploy/nginx, save that keys last for three seconds.
One client asks for 2,000 pictures that are kept, one after another on one connection: when all keys have expired, and
again. Then eight clients without pauses ask for one picture for ten seconds. Needs nginx.

A round prints the median and the 99th percentile of both passes, and the CPU time of nginx and the service for each
request; then how many requests of the eight clients there were, and for how many of them the service was asked.
"""

import argparse
import http.client
import pathlib
import statistics
import tempfile
import threading
import time

from load.processes import HOST, PATIENCE, family, titlecard
from nginx import Nginx
from process_tree import cpu

TARGETS = [f"/render.svg?text=Picture+{number}" for number in range(2000)]
LASTING = 3
CLIENTS = 8
SECONDS = 10


def ask(nginx, targets):
    """Seconds that each answer takes."""
    connection = http.client.HTTPConnection(HOST, nginx.port, timeout=PATIENCE)
    seconds = []
    for target in targets:
        begun = time.monotonic()
        connection.request("GET", target)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{target}: {answer.status}")
        seconds.append(time.monotonic() - begun)
    connection.close()
    return seconds


def measure(nginx, server, name):
    pids = [*family(nginx.process.pid), *family(server.process.pid)]
    before = cpu(pids)
    times = sorted(1000 * second for second in ask(nginx, TARGETS))
    spent = 1e6 * (cpu(pids) - before) / len(TARGETS)
    print(f"{name}: median {statistics.median(times):.2f} ms, 99 % {times[len(times) * 99 // 100]:.2f} ms, "
          f"{spent:.0f} µs of CPU", flush=True)


def crowd(nginx, server):
    """Asks for one picture without pauses."""
    keys = 'titlecard_requests_total{route="canonical",status="200"}'
    end = time.monotonic() + SECONDS
    counts = []

    def endless():
        while time.monotonic() < end:
            yield TARGETS[0]

    clients = [threading.Thread(target=lambda: counts.append(len(ask(nginx, endless())))) for _ in range(CLIENTS)]
    before = server.metric(keys)
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    asked = server.metric(keys) - before
    print(f"{CLIENTS} clients, {SECONDS} s: {sum(counts)} requests, {asked:.0f} for keys", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    changes = [("proxy_cache_valid 200 10m", f"proxy_cache_valid 200 {LASTING}s")]
    options = ["--trusted-proxies", HOST]
    with tempfile.TemporaryDirectory() as folder, titlecard(arguments.binary.absolute(), *options) as server:
        nginx = Nginx(pathlib.Path(folder), [server.port], changes=changes)
        try:
            ask(nginx, TARGETS)
            for _ in range(arguments.rounds):
                time.sleep(LASTING + 2)
                measure(nginx, server, "expired")
                measure(nginx, server, "kept")
                crowd(nginx, server)
        finally:
            nginx.stop()


if __name__ == "__main__":
    main()
