"""Whatever clients ask for together, a process stays within --memory, and gives it back."""

import threading
import time

import pytest

from clients import ask, connect, head
from service import query, until

pytestmark = pytest.mark.alone

BUDGET = 600
AT_REST = 150
SECONDS = 8
FILM = dict(text="Slow readers " * 30, effect="wave", size=120, width=3000, height=1500, fps=30)
PICTURE = dict(text="Large", size=200, width=4000, height=4000)


def proportional(process):
    """The MiB that a process takes, shared pages by their part."""
    with open(f"/proc/{process}/smaps_rollup") as rollup:
        return next(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / 1024


class Crowd:
    """Clients with addresses of their own that ask until their time is over."""

    def __init__(self, service):
        self.service = service
        self.end = time.monotonic() + SECONDS
        clients = [self.read_slowly] * 3 + [self.draw] * 3 + [self.list_fonts]
        self.threads = [
            threading.Thread(target=self.run, args=(client, f"127.0.0.{20 + number}"))
            for number, client in enumerate(clients)
        ]
        for thread in self.threads:
            thread.start()

    def run(self, client, address):
        number = 0
        while time.monotonic() < self.end:
            number += 1
            try:
                client(address, number)
            except OSError:  # it is cut, as it should be
                pass

    def read_slowly(self, address, number):
        format = ["gif", "apng", "webp"][number % 3]
        readers = [connect(self.service, address, receive_buffer=4096) for _ in range(4)]
        for place, reader in enumerate(readers):
            reader.sendall(head("GET", f"/render.{format}?" + query({**FILM, "seed": 4 * number + place})))
            reader.settimeout(1)
        for reader in readers:
            with reader:
                reader.recv(100)

    def draw(self, address, number):
        ask(self.service, "/render.png?" + query({**PICTURE, "seed": number}), address=address)

    def list_fonts(self, address, number):
        fonts = ",".join(f"Family {number} {place}" for place in range(8))
        ask(self.service, "/render.svg?" + query(dict(text="F", font=fonts)), address=address)


@pytest.mark.parametrize("workers", ["2", "16"])
@pytest.mark.slow
def test_memory_stays_within_the_budget_and_is_given_back(start, workers):
    service = start("--no-supervisor", "--workers", workers, "--memory", str(BUDGET))
    crowd = Crowd(service)
    most = 0
    while any(thread.is_alive() for thread in crowd.threads):
        most = max(most, proportional(service.process.pid))
        thread = next((thread for thread in crowd.threads if thread.is_alive()), None)
        if thread:
            thread.join(0.05)
    assert most < BUDGET, f"{most:.0f} MiB"
    assert service.get("/render.svg?text=After").status == 200
    until(lambda: proportional(service.process.pid) < AT_REST, "memory at rest")
