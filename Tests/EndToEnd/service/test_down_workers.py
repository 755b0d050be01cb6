"""Workers are down for longer than a second: the supervisor answers in their place, and nobody waits in vain."""

import contextlib
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import sys
import threading
import time

import pytest

from inherited_sockets import Activated, ask, listening
from service import BINARY, PATIENCE, WITHOUT_WORKER, Service, is_without_worker, is_worker, journals, until

# A program in a worker's place that never serves, and ends with the service.
IDLE = f"""#!{sys.executable} -IS
import os, socket
connection = socket.socket(fileno=int(os.environ["TITLECARD_SUPERVISOR"].split(":")[1]))
while connection.recv(200_000)[:1] not in (b"", b"\\4"):
    pass
"""


class Programs:
    """Both programs in a directory of their own, in which another one can take the worker's place."""

    def __init__(self, directory):
        self.binary = shutil.copy(BINARY, directory)
        self.original = shutil.copy(BINARY.with_name("titlecard-worker"), directory / "original")
        self.worker = directory / "titlecard-worker"
        self.restore()

    def replace(self, script):
        other = self.worker.with_name("other")
        other.write_text(script)
        other.chmod(0o755)
        other.replace(self.worker)

    def restore(self):
        link = self.worker.with_name("link")
        os.link(self.original, link)
        link.replace(self.worker)


@pytest.fixture
def programs(tmp_path):
    return Programs(tmp_path)


@pytest.fixture
def serve(programs):
    """serve("--option", …): a service of these programs."""
    with contextlib.ExitStack() as stack:

        def serve(*options, **details):
            service = Service(*options, binary=programs.binary, **details)
            stack.callback(service.process.kill)
            until(lambda: journals(service.process.pid), "a worker that the supervisor knows")
            return service

        yield serve


def children(process):
    return [int(number) for number in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def take_down(programs, process, count=1):
    """Has idle programs take the places of workers."""
    programs.replace(IDLE)
    victims = list(filter(is_worker, children(process)))[:count]
    for victim in victims:
        os.kill(victim, signal.SIGKILL)
    until(lambda: not set(victims) & set(children(process)), "their end")


def bring_back(programs, process):
    """Has workers take their places again."""
    programs.restore()
    for child in children(process):
        if not is_worker(child):
            os.kill(child, signal.SIGKILL)


def is_healthy(service):
    return service.get("/health").status == 200


def sockets_of(process):
    """The descriptors of a process that are connections or listening sockets, of which there are few."""
    directory = pathlib.Path(f"/proc/{process}/fd")
    count = 0
    for number in os.listdir(directory):
        with contextlib.suppress(OSError):
            count += os.readlink(directory / number).startswith("socket:")
    return count


def test_clients_are_told_to_come_again_until_a_worker_serves(programs, serve):
    service = serve()
    death = time.monotonic()
    take_down(programs, service.process.pid)
    assert service.raw(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n") == WITHOUT_WORKER
    assert time.monotonic() - death > 1
    for _ in range(3):
        assert is_without_worker(service.get("/health"))
        assert is_without_worker(service.get("/render.svg?text=x"))
        assert is_without_worker(service.post("/render.svg", {"text": "x" * 50_000}))
        assert service.raw(b"\0 is not HTTP") == WITHOUT_WORKER
    bring_back(programs, service.process.pid)
    until(lambda: is_healthy(service), "another worker")
    for _ in range(50):
        assert is_healthy(service)
    said = r"answered (\d+) connections with 503 while their worker was down"
    # Others came before it served.
    assert int(until(lambda: re.search(said, service.logged()), "the line")[1]) >= 13
    assert service.stop() == 0


def test_a_client_that_goes_on_sending_is_cut_off(programs, serve):
    service = serve()
    take_down(programs, service.process.pid)
    until(lambda: is_without_worker(service.get("/health")), "an answer")
    with socket.create_connection((service.host, service.port), timeout=PATIENCE) as connection:
        assert connection.recv(1000) == WITHOUT_WORKER
        with pytest.raises(ConnectionError):
            while True:
                connection.sendall(b"x" * 65536)


def test_one_worker_that_is_down_leaves_no_connection_waiting(programs, serve):
    """Each has sockets of its own, and the system chooses among all of them."""
    service = serve("--processes", "2")
    until(lambda: len(journals(service.process.pid)) == 2, "both workers")
    take_down(programs, service.process.pid)
    found = set()
    until(lambda: found.add(service.get("/health").status) or found == {200, 503}, "both answers")
    bring_back(programs, service.process.pid)
    until(lambda: len(service.workers) == 2, "both workers")
    until(lambda: all(is_healthy(service) for _ in range(30)), "the answers of workers")
    assert service.stop() == 0


def test_sockets_that_workers_share_are_left_to_those_that_serve(programs, tmp_path):
    with (
        listening() as port,
        listening(socket.AF_UNIX, str(tmp_path / "socket")) as local,
        Activated(port, local, binary=programs.binary, options=("--processes", "2")) as service,
    ):
        drop = threading.Thread(target=service.process.stderr.read, daemon=True)
        drop.start()
        pid = service.process.pid
        until(lambda: len(journals(pid)) == 2, "both workers")
        take_down(programs, pid)
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            assert ask(port).startswith(b"HTTP/1.1 200 ") and ask(local).startswith(b"HTTP/1.1 200 ")
        take_down(programs, pid)
        assert ask(port) == WITHOUT_WORKER and ask(local) == WITHOUT_WORKER
        bring_back(programs, pid)
        until(lambda: ask(port).startswith(b"HTTP/1.1 200 ") and ask(local).startswith(b"HTTP/1.1 200 "), "a worker")
        assert service.stop() == 0


class Flood:
    """Clients that ask for nothing, and open a connection after another without closing any."""

    def __init__(self, service, size):
        self.limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.limits[1], self.limits[1]))
        self.service, self.over = service, threading.Event()
        self.answers, self.connections = [], []
        self.threads = [threading.Thread(target=self.run) for _ in range(size)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        # A worker that has taken one waits for its request.
        while any(thread.is_alive() for thread in self.threads):
            for connection in self.connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            time.sleep(0.01)
        for connection in self.connections:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, self.limits)

    def run(self):
        while not self.over.is_set():
            connection = socket.create_connection((self.service.host, self.service.port), timeout=PATIENCE)
            self.connections.append(connection)
            with contextlib.suppress(ConnectionError):
                self.answers.append(connection.recv(1000))


@pytest.mark.parametrize("descriptors, room", [(4096, 256), (96, 64)])
def test_a_flood_gets_answers_in_turn_and_keeps_no_worker_away(programs, serve, descriptors, room):
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    service = serve("--workers", "1", "--loops", "1", preexec_fn=limit)
    pid = service.process.pid
    before = sockets_of(pid)
    take_down(programs, pid)
    until(lambda: is_without_worker(service.get("/health")), "an answer")
    most = 0
    with Flood(service, 400) as flood:

        def is_answered():
            nonlocal most
            most = max(most, sockets_of(pid) - before)
            return len(flood.answers) > 2 * room

        until(is_answered, "answers")
        assert set(flood.answers) == {WITHOUT_WORKER}
        bring_back(programs, pid)
        until(lambda: service.workers, "another worker")
    assert 16 < most <= room
    assert service.stop() == 0


def test_a_supervisor_without_descriptors_waits_for_one(programs, serve):
    service = serve()
    pid = service.process.pid
    take_down(programs, pid)
    until(lambda: is_without_worker(service.get("/health")), "an answer")
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    taken = set(map(int, os.listdir(f"/proc/{pid}/fd")))
    free = min(set(range(len(taken) + 1)) - taken)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (free, before[1]))
    with socket.create_connection((service.host, service.port), timeout=PATIENCE) as connection:
        until(lambda: all(is_asleep(pid) for _ in range(50)), "a rest")
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        assert connection.recv(1000) == WITHOUT_WORKER
    bring_back(programs, pid)
    until(lambda: is_healthy(service), "another worker")
    assert service.stop() == 0


def is_asleep(pid):
    time.sleep(0.001)
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] == "S"


def test_a_stop_does_not_wait_for_clients(programs, serve):
    service = serve()
    take_down(programs, service.process.pid)
    until(lambda: is_without_worker(service.get("/health")), "an answer")
    with socket.create_connection((service.host, service.port), timeout=PATIENCE) as connection:
        assert connection.recv(1000) == WITHOUT_WORKER
        assert service.stop() == 0
