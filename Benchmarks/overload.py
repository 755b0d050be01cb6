"""How the server behaves under four times the work that it can do.

    python3 Benchmarks/overload.py .build/release/titlecard [--seconds 60]

GIFs of some ten milliseconds each, every text different, nothing kept. The capacity is what a few
clients get that wait for each answer; then requests come at a rate, whatever becomes of those
before: at once the capacity, at four times, and at once again. The generator is this process, the
server another. Ends with 1 when a target is missed.
"""

import argparse
import asyncio
import itertools
import sys
import time
from dataclasses import dataclass, field

from load.client import Client, get, timed
from load.verdicts import Verdicts, percentile
from load.processes import titlecard

TIMES = 4
DEADLINE = 10  # seconds that a rendering may take, its wait included
QUEUE = 32
numbers = itertools.count()


def picture():
    """A request for a GIF that was not requested before."""
    return get(f"/render.gif?effect=slide&width=420&text=The+picture+of+number+{next(numbers)}")


@dataclass
class Found:
    """What became of requests, in milliseconds by status; `late`: how late they were sent."""

    seconds: float = 0
    cpu: float = 0
    times: dict = field(default_factory=dict)
    late: list = field(default_factory=lambda: [0])
    faults: list = field(default_factory=list)

    def add(self, status, milliseconds):
        self.times.setdefault(status, []).append(milliseconds)

    def count(self, status):
        return len(self.times.get(status, ()))

    @property
    def rate(self):
        """Renderings a second."""
        return self.count(200) / self.seconds

    def __str__(self):
        accepted, refused = (self.times.get(status) or [0] for status in (200, 503))
        cells = [f"{self.rate:.1f}", f"{self.cpu / max(self.count(200), 1) * 1000:.1f}", f"{self.count(503)}"]
        cells += [f"{percentile(accepted, 0.5):.0f}", f"{percentile(accepted, 0.99):.0f}", f"{max(accepted):.0f}"]
        cells += [f"{percentile(refused, 0.5):.1f}", f"{percentile(refused, 0.99):.1f}", f"{max(refused):.1f}"]
        return " | ".join([*cells, f"{percentile(self.late, 0.99):.1f}"])


async def ask(client, found):
    try:
        (status, _), milliseconds = await timed(client.request(picture()))
        found.add(status, milliseconds)
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as fault:
        found.faults.append(repr(fault))
        client.close()


async def closed_loop(port, seconds, found, clients=4):
    """Clients that wait for each answer."""
    end = time.perf_counter() + seconds

    async def run():
        client = Client(port)
        while time.perf_counter() < end:
            await ask(client, found)
        client.close()

    await asyncio.gather(*(run() for _ in range(clients)))


async def open_loop(port, seconds, rate, found):
    """Requests at a rate; each takes a connection that is free, or a new one."""
    free, running = [], set()
    start = time.perf_counter()

    async def visit(due):
        client = free.pop() if free else Client(port)
        found.late.append((time.perf_counter() - due) * 1000)
        await ask(client, found)
        free.append(client)

    for number in range(int(seconds * rate)):
        due = start + number / rate
        await asyncio.sleep(max(due - time.perf_counter(), 0))
        running.add(task := asyncio.create_task(visit(due)))
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    for client in free:
        client.close()


def measure(server, work, *arguments):
    """Runs one of the two, and notes how long all took and what it cost the server."""
    found = Found()
    cpu, start = server.cpu, time.perf_counter()
    asyncio.run(work(server.port, *arguments, found))
    found.seconds = time.perf_counter() - start
    found.cpu = server.cpu - cpu
    return found


def judge(verdicts, before, overload, after):
    everything = (before, overload, after)
    faults = [fault for found in everything for fault in found.faults]
    verdicts.add("requests without an answer", f"{len(faults)} {faults[:3] or ''}", "0", not faults)
    others = {status for found in everything for status in found.times} - {200, 503}
    verdicts.add("other answers than 200 and 503", f"{sorted(others) or 'none'}", "none", not others)
    refused = overload.times.get(503, [0])
    verdicts.add("refused at four times the capacity", f"{len(refused)}", "> 0", len(refused) > 1)
    return refused


def judge_times(verdicts, before, overload, after, refused):
    slowest = max(overload.times[200]) / 1000
    verdicts.add("slowest accepted request", f"{slowest:.2f} s", f"≤ {DEADLINE} s", slowest <= DEADLINE)
    for share in (0.5, 0.99):
        found = percentile(refused, share)
        verdicts.add(f"503 within, {share:.0%}", f"{found:.1f} ms", "≤ 50 ms", found <= 50)
    usual = (before.count(200) + after.count(200)) / (before.seconds + after.seconds)
    share = overload.rate / usual
    verdicts.add("throughput beside that at the capacity", f"{share:.2f}", "≥ 0.85", share >= 0.85)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=60, help="of overload")
    parser.add_argument("--without-times", action="store_true", help="do not judge times")
    arguments = parser.parse_args()
    seconds = arguments.seconds
    options = ["--cache-size", "0", "--render-queue", str(QUEUE), "--render-deadline", str(DEADLINE)]
    verdicts = Verdicts()
    with titlecard(arguments.binary, *options) as server:
        measure(server, closed_loop, min(seconds / 8, 2))
        capacity = measure(server, closed_loop, seconds / 4)
        rate = capacity.rate
        before = measure(server, open_loop, seconds / 4, rate)
        overload = measure(server, open_loop, seconds, TIMES * rate)
        after = measure(server, open_loop, seconds / 4, rate)
        status = server.get("/render.svg?text=afterwards").status
    print("| load | GIFs a second | ms CPU a GIF | refused | 200: median ms | 99 % | longest ", end="")
    print("| 503: median ms | 99 % | longest | sent late, 99 % |\n|" + "---|" * 11)
    runs = [
        ("closed loop", capacity),
        (f"{rate:.0f}/s", before),
        (f"{TIMES * rate:.0f}/s", overload),
        (f"{rate:.0f}/s", after),
    ]
    for name, found in runs:
        print(f"| {name} | {found} |")
    refused = judge(verdicts, before, overload, after)
    verdicts.add("answer afterwards", f"{status}", "200", status == 200)
    if not arguments.without_times:
        judge_times(verdicts, before, overload, after, refused)
    verdicts.show()
    sys.exit(not verdicts.are_good)


if __name__ == "__main__":
    main()
