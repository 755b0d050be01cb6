"""How soon a new service answers, what memory its processes hold when idle after the first rendering, and how large
its programs are without symbols.

    python3 Benchmarks/startup.py .build/release/titlecard [--vs OTHER] [--runs 9]

With --vs another binary is measured in turn with the first one. Memory is the sum of the PSS of all processes that the
service has started.
"""

import argparse
import os
import pathlib
import socket
import statistics
import subprocess
import tempfile
import time

from load.processes import HOST, free_port
from process_tree import family, memory  # load.processes makes it known

REST = 6  # seconds after which a server without work gives memory back
REQUEST = b"GET /render?text=Who+you+gonna+call%3F HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def connect(port):
    while True:
        try:
            return socket.create_connection((HOST, port))
        except ConnectionRefusedError:
            time.sleep(0.0005)


def busy(pid):
    """Nanoseconds for which the threads of a process have run; unlike the time until an answer they leave out waits."""
    found = pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(line.read_text().split()[0]) for line in found)


class Start:
    """One start: milliseconds until the end of the first rendering, those of CPU, and bytes of PSS by process after it."""

    def __init__(self, binary, rests):
        port = free_port()
        options = ["--port", str(port), "--workers", "1", "--loops", "1", "--log-level", "error"]
        start = time.perf_counter()
        process = subprocess.Popen([binary, "serve", *options])
        try:
            with connect(port) as peer:
                peer.sendall(REQUEST)
                answer = b"".join(iter(lambda: peer.recv(65536), b""))
            self.milliseconds = (time.perf_counter() - start) * 1000
            assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
            self.cpu = sum(busy(pid) for pid in family(process.pid)) / 1e6
            self.memory = self.sizes(process.pid)
            if rests:
                time.sleep(REST)
            self.rested = self.sizes(process.pid)
        finally:
            process.terminate()
            process.wait()

    @staticmethod
    def sizes(pid):
        """The bytes of each process, the service's first one first."""
        return [memory([one]) for one in family(pid)]


def stripped(program):
    """Bytes of a program without symbols."""
    with tempfile.NamedTemporaryFile() as copy:
        subprocess.run(["strip", "-o", copy.name, program], check=True)
        return os.path.getsize(copy.name)


def programs(binary):
    """The program, and those beside it that it starts."""
    return [binary, *sorted(binary.parent.glob(f"{binary.name}-worker"))]


def megabytes(values):
    return " + ".join(f"{value / 1e6:.1f}" for value in values) + f" = {sum(values) / 1e6:.1f} MB PSS"


def middle(sizes):
    """The median of the starts' memory, by process."""
    return [statistics.median(values) for values in zip(*sizes)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--vs", type=pathlib.Path, help="another binary, which is measured in turn")
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    binaries = [each.absolute() for each in (arguments.binary, arguments.vs) if each]
    starts = {binary: [] for binary in binaries}
    for number in range(arguments.runs):
        for binary in binaries:
            # Every third one is enough for what hardly differs.
            starts[binary].append(Start(binary, rests=number % 3 == 0))
    for binary, found in starts.items():
        times = [start.milliseconds for start in found]
        print(f"{binary}: first answer {statistics.median(times):.0f} ms after the start, at best {min(times):.0f},", end=" ")
        print(f"{statistics.median(start.cpu for start in found):.0f} ms of CPU")
        print(f"    after it {megabytes(middle([start.memory for start in found]))}")
        print(f"    after a rest {megabytes(middle([start.rested for start in found[::3]]))}")
        for program in programs(binary):
            print(f"    {program.name}: {stripped(program) / 1e6:.1f} MB stripped")


if __name__ == "__main__":
    main()
