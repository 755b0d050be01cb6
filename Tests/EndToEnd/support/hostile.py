"""Whether hostile clients harm a service, or those who use it beside them.

    python3 Tests/EndToEnd/support/hostile.py .build/release/titlecard [--requests 20000] [--seed 1]
        [--cases NAME …] [--only INDEX …] [--processes N] [--workers N]

First the cases that did harm once (hostile_cases.py), each against a service of its own. Then random
requests (hostile_requests.py) by 16 clients of the lowest priority, each with an address of its own,
beside a normal client and one that asks for /health. Ends with 1 where something is missed.

`--cases` runs those of these names alone, `--only` sends the requests of these indices one by one.
"""

import argparse
import collections
import hashlib
import multiprocessing
import os
import pathlib
import queue
import resource
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from service import BINARY, PATIENCE, Service  # first: it makes Tests/Reference known
from catalogue import Catalogue
from hostile_cases import CASES, Slack
from hostile_requests import head, hostile_request, posted
from process_tree import family, memory

CLIENTS = 16
MIB = 1 << 20
# The budget of all processes together (`--memory`), and what stays when all clients are gone.
MOST_MEMORY = 600 * MIB
MOST_REST = 150 * MIB
MOST_TEXT = 16 * MIB  # bytes of an answer in a text format (`--max-output`)
REST = 30  # seconds until memory has been given back
SAMPLE = 0.1  # seconds between looks at the processes
HEALTH = 0.25  # seconds in which /health answers
FACTOR, FLOOR = 10, 0.020  # of normal requests' quiet 99 %, and the seconds that are always allowed
JUDGED_SLACK = 1  # second that an answer may take besides what is promised
PAUSE = 0.05  # seconds between two normal requests
SPAWN = multiprocessing.get_context("spawn")


# Processes.


def waited():
    """Returns the seconds in which this process could run but had no processor."""
    return int(pathlib.Path("/proc/self/schedstat").read_text().split()[1]) / 1e9


class Watch:
    """Looks at a service's processes until it is left: how much memory they take, and which that serve have ended.

    Those of ffmpeg end with each video.
    """

    def __init__(self, service, pause=SAMPLE):
        self.service, self.pause, self.peak, self.ended = service, pause, 0, set()
        self.known = set(service.workers)
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.look)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()

    def look(self):
        while not self.stop.wait(self.pause):
            if self.service.process.poll() is not None:
                self.ended.add(self.service.process.pid)
                return
            serving = set(self.service.workers)
            self.ended |= self.known - serving
            self.known |= serving
            self.peak = max(self.peak, memory(family(self.service.process.pid)))

    def faults(self):
        """Yields what went wrong; the service has to be alone by now, and gets time to give memory back."""
        if self.service.process.poll() is not None:
            yield f"the service ended with {self.service.process.returncode}: {self.service.logged()[-300:]!r}"
            return
        if self.ended:
            yield f"{len(self.ended)} processes ended"
        if self.peak > MOST_MEMORY:
            yield f"{self.peak / MIB:.0f} MiB at the peak"
        if (rest := self.rest()) > MOST_REST:
            yield f"{rest / MIB:.0f} MiB stay"

    def rest(self):
        """Returns the bytes in memory, as soon as they are few."""
        end = time.monotonic() + REST
        while (size := memory(family(self.service.process.pid))) > MOST_REST and time.monotonic() < end:
            time.sleep(0.2)
        return size


# Clients.


@dataclass
class Taken:
    """What became of a client's requests: seconds, without those that the client itself waited for a processor."""

    times: list = field(default_factory=list)
    faults: list = field(default_factory=list)
    digests: dict = field(default_factory=dict)

    @property
    def worst(self):
        return max(self.times, default=0)

    def percentile(self, share):
        ordered = sorted(self.times)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0


def ask(address, sent, patience=PATIENCE, local="127.0.0.1"):
    """Returns status and body of the answer to bytes that ask for the connection to be closed."""
    with socket.create_connection(address, patience, (local, 0)) as connection:
        connection.settimeout(patience)
        connection.sendall(sent)
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    start, _, body = answer.partition(b"\r\n\r\n")
    if not start:
        raise ConnectionError("closed without an answer")
    length = next((line for line in start.lower().split(b"\r\n") if line.startswith(b"content-length:")), None)
    if length and int(length.split(b":")[1]) != len(body):
        raise ConnectionError("cut")
    return int(start.split()[1]), body


def normal_requests(number):
    """Yields a name and the bytes of a request: what is kept after its first time, and what nobody asked for."""
    kept, text = number % 25, f"Somebody's+own+title+{number}"
    yield f"kept {kept}", head("GET", f"/render.svg?text=A+title+that+many+see+{kept}&effect=slide")
    yield f"new {number}", head("GET", f"/render.svg?text={text}&width=300")
    yield f"picture {kept}", head("GET", f"/render.gif?text=Number+{kept}&effect=pop&hold=0")
    yield f"posted {number}", posted("/render.json", "application/json", b'{"text":"%s"}' % text.encode())


def normal(address, begun, stop, results, first):
    """Asks as people do, until it is told to stop; what is the same has to have the same bytes."""
    taken, number = Taken(), first
    while not stop.is_set():
        for name, sent in normal_requests(number):
            measure(taken, name, lambda: ask(address, sent, local="127.0.0.2"))
            begun.set()
            if stop.wait(PAUSE):
                break
        number += 1
    results.put(taken)


def healthy(address, begun, stop, results):
    taken = Taken()
    while not stop.wait(PAUSE):
        measure(taken, None, lambda: ask(address, head("GET", "/health"), local="127.0.0.3"))
        begun.set()
    results.put(taken)


def measure(taken, name, request):
    start, delayed = time.monotonic(), waited()
    try:
        status, body = request()
    except (OSError, ValueError) as fault:
        taken.faults.append(f"{name or 'health'}: {fault!r} after {time.monotonic() - start:.2f} s")
        time.sleep(0.1)
        return
    taken.times.append(time.monotonic() - start - (waited() - delayed))
    if status != 200:
        taken.faults.append(f"{name or 'health'}: {status} {body[:200]}")
    elif name and taken.digests.setdefault(name, digest := hashlib.sha256(body).digest()) != digest:
        taken.faults.append(f"{name}: other bytes than before")


@dataclass
class Attacked:
    """What became of hostile requests."""

    outcomes: collections.Counter = field(default_factory=collections.Counter)
    faults: list = field(default_factory=list)


def attack(number, address, catalogue, seed, indices, flight, results):
    """Sends the hostile requests of these indices, one after another, from an address of its own."""
    os.nice(19)
    attacked = Attacked()
    for index in indices:
        flight[number] = index
        outcome = send(address, hostile_request(catalogue, f"{seed}.{index}"), f"127.1.0.{number + 1}")
        attacked.outcomes[outcome] += 1
        if outcome.startswith(("500", "too large", "refused", "no answer")):
            attacked.faults.append((index, outcome))
            if outcome.startswith("refused"):
                time.sleep(0.05)
    flight[number] = -1
    results.put(attacked)


def send(address, request, local):
    """Sends a hostile request, goes on as it says, and returns what came of it."""
    patience = 5
    try:
        connection = socket.socket()
        if request.behaviour == "slow":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.bind((local, 0))
        connection.settimeout(patience)
        connection.connect(address)
    except OSError as fault:
        return f"refused: {fault.strerror}"
    with connection:
        try:
            return converse(connection, request, time.monotonic() + patience)
        except TimeoutError:
            return "left after 5 s"
        except OSError:
            return "cut" if request.is_well_formed else "refused bytes"


def converse(connection, request, end):
    sent = request.sent
    connection.sendall(sent[: len(sent) // 2] if request.behaviour == "half" else sent)
    if request.behaviour in ("leave", "half", "reset"):
        time.sleep(len(sent) % 50 / 1000)
        if request.behaviour == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        return "left"
    size, start = 0, b""
    while piece := connection.recv(1024 if request.behaviour == "slow" else 1 << 18):
        start = start or piece[:1000]
        size += len(piece)
        if request.behaviour == "slow":
            time.sleep(0.05)
        if time.monotonic() > end:
            raise TimeoutError
    if not start:
        return "no answer" if request.is_well_formed else "refused bytes"
    # Of several requests at once the answers count together.
    is_text = request.sent.startswith((b"GET /r", b"POST /r")) and any(kind in start for kind in (b"svg+xml", b"json"))
    return "too large an answer" if is_text and size > MOST_TEXT + 65536 else start.split(b" ")[1].decode()


# Runs.


def allow_descriptors():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Observer:
    """A normal client and one that asks for /health, in processes of their own until they are taken.

    Both have had an answer when it is made.
    """

    def __init__(self, service, first=0):
        self.stop, self.running = SPAWN.Event(), []
        begun = [
            self.begin((service.host, service.port), work, *more) for work, *more in ((normal, first), (healthy,))
        ]
        for each in begun:
            each.wait()

    def begin(self, address, work, *more):
        begun, results = SPAWN.Event(), SPAWN.Queue()
        process = SPAWN.Process(target=work, args=(address, begun, self.stop, results, *more))
        process.start()
        self.running.append((process, results))
        return begun

    def taken(self):
        """Ends both and returns what became of their requests."""
        self.stop.set()
        taken = []
        for process, results in self.running:
            taken.append(results.get())
            process.join()
        return taken


@dataclass
class Outcome:
    """What a run of random requests found."""

    attacked: Attacked
    quiet: Taken
    normal: Taken
    health: Taken
    peak: int
    rest: int
    faults: list

    def show(self):
        print("answers to hostile requests:", dict(self.attacked.outcomes.most_common()))
        for name, taken in [("quiet", self.quiet), ("beside them", self.normal), ("/health", self.health)]:
            milliseconds = [1000 * value for value in (taken.percentile(0.5), taken.percentile(0.99), taken.worst)]
            print(f"{name}: {len(taken.times)} requests, {len(taken.faults)} failed;", end=" ")
            print("median {:.1f} ms, 99 % {:.1f} ms, worst {:.1f} ms".format(*milliseconds))
        print(f"memory: {self.peak / MIB:.0f} MiB at the peak, {self.rest / MIB:.0f} MiB after it")


def run(service, requests, seed, quiet_seconds=5):
    """Sends random hostile requests; returns what came of them, without judging times."""
    catalogue = Catalogue(service)
    observer = Observer(service)
    time.sleep(quiet_seconds)
    quiet, _ = observer.taken()
    observer = Observer(service, first=1_000_000)
    flight = SPAWN.Array("q", [-1] * CLIENTS)
    deaths, known = [], 0
    with Watch(service) as watch:
        clients = []
        for number in range(CLIENTS):
            results = SPAWN.Queue()
            indices = range(number, requests, CLIENTS)
            arguments = (number, (service.host, service.port), catalogue, seed, indices, flight, results)
            clients.append((SPAWN.Process(target=attack, args=arguments), results))
            clients[-1][0].start()
        attacked = Attacked()
        while clients:
            for client in list(clients):
                process, results = client
                try:
                    part = results.get(timeout=0.05)
                    attacked.outcomes += part.outcomes
                    attacked.faults += part.faults
                    process.join()
                except queue.Empty:
                    # One that fails puts nothing.
                    if not process.exitcode:
                        continue
                    deaths += [f"a client ended with {process.exitcode}"]
                clients.remove(client)
            if len(watch.ended) > known:
                known = len(watch.ended)
                deaths += [f"a process ended while these were answered: {sorted(flight[:])}"]
                if service.process.poll() is not None:
                    for process, _ in clients:
                        process.kill()
                    break
        normal_taken, health = observer.taken()
        faults = deaths + list(watch.faults())
    again = {name: digest for name, digest in normal_taken.digests.items() if name in quiet.digests}
    other = [name for name, digest in again.items() if digest != quiet.digests[name]]
    faults += [f"{name}: other bytes than before the attack" for name in other]
    faults += [f"hostile request {index}: {outcome}" for index, outcome in sorted(attacked.faults)[:10]]
    faults += normal_taken.faults[:10] + health.faults[:10]
    rest = memory(family(service.process.pid)) if service.process.poll() is None else 0
    return Outcome(attacked, quiet, normal_taken, health, watch.peak, rest, faults)


def late(outcome):
    """Yields the times that are longer than promised."""
    limit = max(FACTOR * outcome.quiet.percentile(0.99), FLOOR)
    if outcome.normal.worst > limit:
        count = sum(value > limit for value in outcome.normal.times)
        yield f"{count} normal requests took longer than {limit * 1000:.0f} ms, one {outcome.normal.worst * 1000:.0f}"
    if outcome.health.worst > HEALTH:
        yield f"/health took {outcome.health.worst * 1000:.0f} ms"


def run_case(case, binary=BINARY, is_timed=False, options=()):
    """Returns the faults of a case: its own, and those of a service that was harmed."""
    service = Service(*case.options, *options, binary=binary)
    is_observed = is_timed and not case.ends_the_service and "--only-presets" not in case.options
    observer = Observer(service) if is_observed else None
    with Watch(service) as watch:
        try:
            faults = list(case.faults(service))
        except OSError as fault:
            faults = [repr(fault)]
        if observer:
            normal_taken, health = observer.taken()
            faults += (normal_taken.faults + health.faults)[:3]
            if health.worst > HEALTH:
                faults.append(f"/health took {health.worst * 1000:.0f} ms")
        if not case.ends_the_service:
            faults += watch.faults()
    try:
        service.stop()
    except subprocess.TimeoutExpired:
        faults.append("the service does not stop")
    return faults


def run_cases(binary, names, options):
    """Runs the cases of these names, or all; true if none has a fault."""
    is_good, Slack.seconds = True, JUDGED_SLACK
    os.environ["TEST_PROOF"] = "1"
    for case in CASES:
        if names and case.name not in names:
            continue
        start = time.monotonic()
        faults = run_case(case, binary, is_timed=True, options=options)
        is_good &= not faults
        print(f"{'FAIL' if faults else 'pass'} {case.name} ({time.monotonic() - start:.1f} s)", flush=True)
        for fault in faults[:5]:
            print(f"     {fault[:400]}", flush=True)
    return is_good


def run_random(binary, arguments, options):
    service = Service("--log-level", "notice", *options, binary=binary)
    try:
        if arguments.only:
            for index in arguments.only:
                request = hostile_request(Catalogue(service), f"{arguments.seed}.{index}")
                print(index, request.behaviour, request.sent[:3000])
                print(send((service.host, service.port), request, "127.1.0.1"), service.process.poll())
            return True
        outcome = run(service, arguments.requests, arguments.seed)
        outcome.show()
        faults = outcome.faults + list(late(outcome))
        print("\n".join(["no faults"] if not faults else [f"FAIL {fault}" for fault in faults]))
        return not faults
    finally:
        if service.process.poll() is None:
            service.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--requests", type=int, default=20000, help="of chance; 0 for the cases alone")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--cases", nargs="*", help="names; none for no cases")
    parser.add_argument("--only", type=int, nargs="+", help="indices of random requests")
    parser.add_argument("--processes")
    parser.add_argument("--workers")
    arguments = parser.parse_args()
    allow_descriptors()
    given = {"--processes": arguments.processes, "--workers": arguments.workers}
    options = [part for pair in given.items() if pair[1] for part in pair]
    binary, is_good = arguments.binary.absolute(), True
    if not arguments.only and arguments.cases != []:
        is_good = run_cases(binary, arguments.cases, options)
    if arguments.only or arguments.requests and not arguments.cases:
        is_good &= run_random(binary, arguments, options)
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
