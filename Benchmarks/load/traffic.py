"""Normal traffic: people and pages that ask for pictures, and expect them."""

import asyncio
import itertools
import random
import time

from load.client import Client, get, post, timed

CLIENTS = 8
PAUSE = 0.1  # seconds between a client's requests, on average
FORM = "application/x-www-form-urlencoded"
numbers = itertools.count()


def kept():
    return get(f"/render.svg?text=A+title+that+many+see+{random.randrange(5)}&effect=slide")


def new():
    return get(f"/render.svg?text=Somebody's+own+title+of+number+{next(numbers)}")


def posted():
    return post("/render.json", "application/json", b'{"text":"Number %d","effect":"fade"}' % next(numbers))


def from_a_form():
    return post("/render.svg", FORM, b"effect=pop&text=%d" % next(numbers))


def picture():
    return get(f"/render.gif?effect=pop&text=Number+{next(numbers)}")


def health():
    return get("/health")


KINDS = {
    kept: b"</svg>",
    new: b"</svg>",
    posted: b'"glyphs":[',
    from_a_form: b"</svg>",
    picture: b"GIF89a",
    health: b"ok",
}


class Traffic:
    """What became of it: milliseconds by kind of request, and what went wrong; `late` tells by how
    much the clients themselves overslept, who share the processors with all others."""

    def __init__(self):
        self.times = {kind.__name__: [] for kind in KINDS}
        self.late = []
        self.faults = []

    @property
    def all(self):
        return [value for values in self.times.values() for value in values]

    async def run(self, port, seconds):
        end = time.monotonic() + seconds
        await asyncio.gather(*(self.visit(port, end) for _ in range(CLIENTS)))

    async def visit(self, port, end):
        client = Client(port)
        while time.monotonic() < end:
            kind = random.choice(list(KINDS))
            try:
                (status, content), milliseconds = await timed(client.request(kind()))
                if status == 200 and KINDS[kind] in content:
                    self.times[kind.__name__].append(milliseconds)
                else:
                    self.faults.append(f"{kind.__name__}: {status} {content[:100]}")
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as fault:
                self.faults.append(f"{kind.__name__}: {fault!r}")
                client.close()
            due = time.monotonic() + random.expovariate(1 / PAUSE)
            await asyncio.sleep(due - time.monotonic())
            self.late.append((time.monotonic() - due) * 1000)
        client.close()


def run(port, seconds):
    traffic = Traffic()
    asyncio.run(traffic.run(port, seconds))
    return traffic
