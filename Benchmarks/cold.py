"""The cost of a rendering that is not kept, over HTTP, one binary beside another, in turn in one run.

    python3 Benchmarks/cold.py BINARY [OTHER]

Forty letters as SVG, every text another; one render thread and one event loop unless told. CPU is the user and
system time of all threads at 16 connections; the latency is that of one connection, seen by wrk.
"""

import argparse
import statistics

from load.processes import titlecard
from load.wrk import load

# Effect, fields of the head, connections.
CASES = {
    "typewriter": ("typewriter", (), 16),
    "slide": ("slide", (), 16),
    "typewriter, gzip": ("typewriter", ["Accept-Encoding: gzip"], 16),
    "typewriter, one connection": ("typewriter", (), 1),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries", nargs="+")
    parser.add_argument("--threads", type=int, default=1, help="render threads and event loops")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=2, help="of each load")
    arguments = parser.parse_args()
    servers = [
        titlecard(
            binary, "--workers", arguments.threads, "--loops", arguments.threads,
            "--max-requests", 1_000_000_000, name=str(number),
        )
        for number, binary in enumerate(arguments.binaries)
    ]
    loads = {(case, server.name): [] for case in CASES for server in servers}
    try:
        for seed in range(arguments.rounds):
            for number, (case, (effect, fields, connections)) in enumerate(CASES.items()):
                for server in servers:
                    # No two cases request the same rendering.
                    target = f"/render.svg?effect={effect}&text={40 * '~'}"
                    one = load(server, target, connections, arguments.seconds, 100 * number + seed + 1, fields)
                    loads[case, server.name].append(one)
    finally:
        for server in servers:
            server.stop()
    print("| request | binary | µs CPU | median µs |")
    print("|---|---|---|---|")
    for (case, name), ones in loads.items():
        cpu, latency = (statistics.median(getattr(one, key) for one in ones) for key in ("cpu", "median"))
        print(f"| {case} | {arguments.binaries[int(name)]} | {cpu:.0f} | {latency * 1000:.0f} |")


if __name__ == "__main__":
    main()
