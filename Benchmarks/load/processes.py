"""Servers as processes, and what the system says of them."""

import collections
import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Tests" / "EndToEnd"))
from process_tree import family

HOST = "127.0.0.1"
PATIENCE = 60  # seconds until what never happens is a failure
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def until(condition, what, patience=PATIENCE):
    """Waits for a condition: its first value that is not false."""
    deadline = time.monotonic() + patience
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {patience} s")
        time.sleep(0.02)
    return value


def free_port():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


class Server:
    """A server that listens on a free port of its own; its command is made for that port."""

    def __init__(self, name, command, **details):
        self.name, self.port = name, free_port()
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [str(part) for part in command(self.port)],
            stdout=self.log,
            stderr=self.log,
            # As under any service manager: Linux shares processors among sessions first (autogroup).
            start_new_session=True,
            **details,
        )
        try:
            until(self.is_ready, f"{name}'s /health")
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def is_ready(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.name} ended: {self.logged()}")
        try:
            return self.get("/health")[0] == 200
        except OSError:
            return False

    def get(self, target):
        """Status and body of one request on a connection of its own."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        try:
            connection.putrequest("GET", target, skip_accept_encoding=True)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def url(self, target):
        return f"http://{HOST}:{self.port}{target}"

    @property
    def pids(self):
        """The process and all that it has started."""
        return family(self.process.pid)

    @property
    def cpu(self):
        """Seconds of user and system time of all threads of all its processes."""
        ticks = 0
        for pid in self.pids:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICKS

    @property
    def resident(self):
        """Bytes in memory."""
        return sum(int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.pids) * PAGE

    @property
    def descriptors(self):
        return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in self.pids)

    def metric(self, name):
        """The sum of a metric's samples."""
        lines = self.get("/metrics")[1].decode().splitlines()
        samples = [line for line in lines if line.startswith((name + " ", name + "{"))]
        return sum(float(line.rpartition(" ")[2]) for line in samples)

    @property
    def answers(self):
        """The number of responses by status."""
        samples = re.findall(
            r'^titlecard_requests_total\{.*status="(\d+)"\} (\d+)', self.get("/metrics")[1].decode(), re.M
        )
        counts = collections.Counter()
        for status, count in samples:
            counts[status] += int(count)
        return counts

    def logged(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self):
        """Asks the server to end; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=PATIENCE)
        finally:
            self.process.kill()


def titlecard(binary, *options, name="titlecard"):
    """Titlecard, quiet unless an option says otherwise."""
    return Server(
        name,
        lambda port: [binary, "serve", "--host", HOST, "--port", port, "--log-level", "notice", *options],
    )
