"""How soon a new process answers, and what memory it holds when idle after its first rendering.

    python3 Benchmarks/startup.py .build/release/titlecard
"""

import socket
import statistics
import subprocess
import sys
import time

RUNS = 9
PORT = 8099
REQUEST = b"GET /render?text=Who+you+gonna+call%3F HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def connect():
    while True:
        try:
            return socket.create_connection(("127.0.0.1", PORT))
        except ConnectionRefusedError:
            time.sleep(0.0005)


def children(pid):
    """The processes that a process has started."""
    with open(f"/proc/{pid}/task/{pid}/children") as numbers:
        return [int(number) for number in numbers.read().split()]


def pss(pid):
    """kB in memory, of which others share a part."""
    with open(f"/proc/{pid}/smaps_rollup") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def first_answer(binary):
    """Milliseconds from the start to the end of the first rendering, and kB of PSS of all its processes after it."""
    options = ["--port", str(PORT), "--workers", "1", "--loops", "1", "--log-level", "error"]
    start = time.perf_counter()
    process = subprocess.Popen([binary, "serve", *options])
    try:
        with connect() as peer:
            peer.sendall(REQUEST)
            answer = b"".join(iter(lambda: peer.recv(65536), b""))
        milliseconds = (time.perf_counter() - start) * 1000
        assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
        return milliseconds, sum(map(pss, [process.pid, *children(process.pid)]))
    finally:
        process.terminate()
        process.wait()


def main():
    answers = [first_answer(sys.argv[1]) for _ in range(RUNS)]
    milliseconds, memory = (statistics.median(values) for values in zip(*answers))
    print(f"first answer {milliseconds:.0f} ms after the start, idle {memory / 1000:.1f} MB PSS")


if __name__ == "__main__":
    main()
