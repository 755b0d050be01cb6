"""Whether normal traffic notices what others do to the server, and what they leave behind.

    python3 Benchmarks/soak.py .build/release/titlecard [--seconds 600]

Normal requests alone, then beside everything in load/abuse.py at once, then the server alone until
it holds no more than before. Abusive clients have a lower priority: they would run on another machine.
Ends with 1 when a target is missed.
"""

import argparse
import math
import multiprocessing
import os
import resource
import sys
import time

from load import abuse, traffic
from load.verdicts import Verdicts, percentile
from load.processes import titlecard, until

OPTIONS = "--cache-size 2 --head-timeout 5 --body-timeout 5 --idle-timeout 5 --write-timeout 5".split()
MOST_GROWTH = 0.1  # of memory, as a share
REST = 6  # seconds after which a server without work gives memory back
SPAWN = multiprocessing.get_context("spawn")


def allow_descriptors():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def misbehave(work, port, stop):
    allow_descriptors()
    os.nice(10)
    work(port, stop)


def under_abuse(port, seconds):
    """Normal traffic with all abuse beside it."""
    stop = SPAWN.Event()
    processes = [SPAWN.Process(target=misbehave, args=(work, port, stop), name=work.__name__) for work in abuse.ALL]
    for process in processes:
        process.start()
    try:
        return traffic.run(port, seconds), [process.name for process in processes if not process.is_alive()]
    finally:
        stop.set()
        for process in processes:
            process.join()


def is_alone(server):
    """Whether the only connection is the one that asks."""
    return server.metric("titlecard_connections") == 1


def settled(figure, most, patience=10):
    """A figure as soon as it is no more than that, else what it is in the end."""
    deadline = time.monotonic() + patience
    while (found := figure()) > most and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def show(quiet, abused):
    print("| request | quiet: count | median ms | 99 % | beside abuse: count | median ms | 99 % |")
    print("|---|---|---|---|---|---|---|")
    for name in [*quiet.times, "all"]:
        found = [one.all if name == "all" else one.times[name] for one in (quiet, abused)]
        cells = [f"{len(times)} | {percentile(times, 0.5):.1f} | {percentile(times, 0.99):.1f}" for times in found]
        print(f"| {name} | {' | '.join(cells)} |")


class Found:
    """What a server holds and has told, when it has been left alone."""

    def __init__(self, server, most=math.inf):
        until(lambda: is_alone(server), "the end of all connections")
        time.sleep(REST)
        self.descriptors, self.memory = settled(lambda: server.descriptors, most), server.resident
        self.accepted, self.answers = server.metric("titlecard_connections_total"), server.answers


def judge(verdicts, before, after, faults):
    verdicts.add("connections that came", f"{after.accepted - before.accepted:,.0f}", "–", None)
    answers = sorted((after.answers - before.answers).items())
    verdicts.add("answers by status", ", ".join(f"{count:,} × {status}" for status, count in answers), "–", None)
    verdicts.add("normal requests that failed", f"{len(faults)} {faults[:3] or ''}", "0", not faults)
    kept = after.descriptors <= before.descriptors
    verdicts.add("descriptors", f"{before.descriptors}, then {after.descriptors}", "no more", kept)
    growth = after.memory / before.memory - 1
    sizes = f"{before.memory / 1e6:.1f} MB, then {after.memory / 1e6:.1f} MB"
    verdicts.add("memory", f"{sizes} ({growth:+.0%})", "≤ +10 %", growth <= MOST_GROWTH)


def judge_times(verdicts, quiet, abused):
    late = ", then ".join(f"{percentile(one.late, 0.99):.1f}" for one in (quiet, abused))
    verdicts.add("99 % of the clients' own delays", f"{late} ms", "–", None)
    before, found = (percentile(one.all, 0.99) for one in (quiet, abused))
    limit = max(5 * before, 50)
    verdicts.add("99 % of normal requests", f"{found:.1f} ms", f"≤ {limit:.1f} ms", found <= limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=600, help="of abuse")
    parser.add_argument("--first", type=float, help="seconds of abuse that fill caches; usually 30 to 60")
    parser.add_argument("--without-times", action="store_true", help="do not judge times")
    arguments = parser.parse_args()
    allow_descriptors()
    first_seconds = arguments.first or min(max(arguments.seconds / 6, 30), 60)
    verdicts = Verdicts()
    with titlecard(arguments.binary, *OPTIONS) as server:
        # Once through everything, so that caches are full and all that grows once has grown.
        first, _ = under_abuse(server.port, first_seconds)
        before = Found(server)
        quiet = traffic.run(server.port, min(arguments.seconds / 6, 60))
        abused, dead = under_abuse(server.port, arguments.seconds)
        after = Found(server, most=before.descriptors)
    show(quiet, abused)
    verdicts.add("abusers that failed", f"{dead or 'none'}", "none", not dead)
    judge(verdicts, before, after, first.faults + quiet.faults + abused.faults)
    if not arguments.without_times:
        judge_times(verdicts, quiet, abused)
    verdicts.show()
    sys.exit(not verdicts.are_good)


if __name__ == "__main__":
    main()
