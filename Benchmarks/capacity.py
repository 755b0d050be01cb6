"""How many renderings of each format one core makes, and how many cores so many embeds a day need.

    python3 Benchmarks/capacity.py .build/release/titlecard [--seconds 1]

A service with one render thread and one event loop gets one load after another, from clients that take gzip as
browsers do. Cold requests are for a text of their own each; hits are for one that the service keeps. A figure is the CPU
time of the service divided by its answers, so that other work beside it matters little. The tables are those of
docs/capacity.md. A run takes a minute.
"""

import argparse
import http.client
import random
import statistics
import string
import time
from dataclasses import dataclass

from load.processes import HOST, titlecard
from load.wrk import load

# Each `~` is a letter by chance.
REQUESTS = {
    "README line": f"effect=typewriter&text={40 * '~'}",
    "look": "preset=banner&text=Make+~~~~~~~+come+alive&text=One+URL,+any+script,+any+emoji",
    "long": "effect=slide&loop=infinite&exit=auto&width=640&text=This+is+a+~~~~~~~+replication+of+Secret's+text+animation."
    "+It+looks+like+one+fancy+label,+but+it's+actually+two+labels+on+top+of+each+other!+What+do+you+think?",
}
GZIP = "Accept-Encoding: gzip"
CONNECTIONS = 8
LONG = 3000  # µs of CPU from which a rendering is a long one
EMBEDS = (1_000, 100_000, 10_000_000)  # a day
EMBEDDED = ("svg", "webp", "gif")  # formats that pages and READMEs show
PEAK = 4  # requests a second at the busiest time of a day, as a multiple of the mean
HIT_RATES = (0, 0.5, 0.9, 0.99)
BLOCK = 4096  # bytes of the file system in which a cache keeps its files
DAY = 24 * 60 * 60


@dataclass
class Cost:
    cold: float  # µs of CPU
    hit: float  # µs of CPU
    bytes: int  # of the answer, compressed where the format is text
    kept: int  # bytes in the service's cache

    def cores(self, embeds, hit_rate):
        """Cores that are busy at the busiest time of a day with so many embeds."""
        return embeds / DAY * PEAK * ((1 - hit_rate) * self.cold + hit_rate * self.hit) / 1e6


def filled(target, random):
    return "".join(random.choice(string.ascii_lowercase) if character == "~" else character for character in target)


class Client:
    """One connection that sends one request after another."""

    def __init__(self, server):
        self.server = server
        self.connection = http.client.HTTPConnection(HOST, server.port)
        self.random = random.Random(0)

    def answer(self, target):
        """The bytes of an answer, and its entity tag."""
        self.connection.request("GET", target, headers=dict([GZIP.split(": ")]))
        response = self.connection.getresponse()
        content = response.read()
        if response.status != 200:
            raise RuntimeError(f"{target}: {response.status} {content}")
        return len(content), response.headers["ETag"]

    def cold(self, target, seconds):
        """µs of CPU of an answer, every text another: of so many seconds, and of two answers at least."""
        before, end, count = self.cpu, time.monotonic() + seconds, 0
        while count < 2 or time.monotonic() < end:
            self.answer(filled(target, self.random))
            count += 1
        return (self.cpu - before) / count

    @property
    def cpu(self):
        return 1e6 * self.server.metric("process_cpu_seconds_total")


def cold(server, client, target, seconds, seed):
    """µs of CPU of an answer, every text another, when fonts are open and there is always work."""
    # Renderings of many milliseconds are made one after another: of several at a time, many are under way at the end.
    if client.cold(target, 0) > LONG:
        return client.cold(target, seconds)
    return load(server, target, CONNECTIONS, seconds, seed, [GZIP]).cpu


def measure(server, extensions, seconds):
    """The cost of each request in each format, and µs of CPU of a 304."""
    client = Client(server)
    kept = {
        (format, name): filled(f"/render.{extension}?{query}", client.random)
        for format, extension in extensions.items()
        for name, query in REQUESTS.items()
    }
    # First of all, while nothing is evicted.
    sizes = {}
    for key, target in kept.items():
        before = server.metric("titlecard_cache_bytes")
        size, tag = client.answer(target)
        sizes[key] = size, int(server.metric("titlecard_cache_bytes") - before)
    unchanged = load(server, target, CONNECTIONS, seconds, fields=[GZIP, f"If-None-Match: {tag}"]).cpu
    costs = {}
    for seed, (key, target) in enumerate(kept.items(), 1):
        format, name = key
        client.answer(target)
        hit = load(server, target, CONNECTIONS, seconds, fields=[GZIP]).cpu
        distinct = f"/render.{extensions[format]}?{REQUESTS[name]}"
        costs[key] = Cost(cold(server, client, distinct, seconds, seed), hit, *sizes[key])
    return costs, unchanged


def significant(value):
    """Two digits, without an exponent."""
    return "< 0.001" if value < 0.001 else f"{value:,.0f}" if value >= 10 else f"{float(f'{value:.2g}'):g}"


def show_costs(costs):
    print("| format | request | cold renderings a second of one core | µs cold | µs from the cache | bytes | bytes kept |")
    print("|---|---|---|---|---|---|---|")
    for (format, name), cost in costs.items():
        figures = 1e6 / cost.cold, cost.cold, cost.hit, cost.bytes, cost.kept
        print(f"| {format} | {name} | " + " | ".join(f"{figure:,.0f}" for figure in figures) + " |")


def show_days(costs):
    heads = "embeds a day", "format", *(f"cores, {rate:.0%} hits" for rate in HIT_RATES), "GB a day", "GB of all, as files"
    print(f"\n| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for embeds in EMBEDS:
        for format in EMBEDDED:
            some = [cost for (one, _), cost in costs.items() if one == format]
            cells = [significant(statistics.mean(cost.cores(embeds, rate) for cost in some)) for rate in HIT_RATES]
            cells.append(significant(embeds * statistics.mean(cost.bytes for cost in some) / 1e9))
            blocks = statistics.mean(-(-cost.bytes // BLOCK) for cost in some)
            cells.append(significant(embeds * blocks * BLOCK / 1e9))
            print(f"| {embeds:,} | {format} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=int, default=1, help="of each load")
    arguments = parser.parse_args()
    with titlecard(arguments.binary, "--loops", 1, "--workers", 1, "--max-requests", 1_000_000_000) as server:
        formats = server.get("/formats").json["formats"]
        extensions = {format["name"]: format["extension"] for format in formats}
        costs, unchanged = measure(server, extensions, arguments.seconds)
        show_costs(costs)
        print(f"\nA 304 takes {unchanged:.0f} µs. The service has {server.resident / 1e6:.0f} MB in memory by then.")
        show_days(costs)


if __name__ == "__main__":
    main()
