"""Servers as processes, and what the system says of them."""

import collections
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Tests/EndToEnd/support"))
import service
from process_tree import family
from service import PATIENCE, free_port, until

HOST = "127.0.0.1"
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Server(service.Server):
    """A server that listens on a free port of its own; its command is made for that port."""

    def __init__(self, name, command, **details):
        self.name, port = name, free_port()
        super().__init__(command(port), port, stdout=subprocess.DEVNULL, **details)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

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

    @property
    def answers(self):
        """The number of responses by status."""
        samples = re.findall(r'^titlecard_requests_total\{.*status="(\d+)"\} (\d+)', self.get("/metrics").text, re.M)
        counts = collections.Counter()
        for status, count in samples:
            counts[status] += int(count)
        return counts


def titlecard(binary, *options, name="titlecard"):
    """Titlecard, quiet unless an option says otherwise."""
    return Server(
        name,
        lambda port: [binary, "serve", "--host", HOST, "--port", port, "--log-level", "notice", *options],
    )
