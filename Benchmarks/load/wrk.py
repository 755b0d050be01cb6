"""wrk: its results, and the cost of the server's processes meanwhile."""

import pathlib
import subprocess
from dataclasses import dataclass

SCRIPT = pathlib.Path(__file__).with_suffix(".lua")


@dataclass
class Load:
    requests: int
    per_second: float
    median: float  # milliseconds
    p99: float  # milliseconds
    cpu: float  # µs of the server's CPU a request


def load(server, target, connections, seconds, seed=None, fields=()):
    """One run against a server. With a seed every `~` of the target is another letter in each request, drawn from there."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "30s", "-s", SCRIPT]
    command += [part for field in fields for part in ("-H", field)]
    command += [server.url + target] + ([] if seed is None else ["--", str(seed)])
    before = server.cpu
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    cpu = server.cpu - before
    words = next(line for line in output.splitlines() if line.startswith("results ")).split()[1:]
    requests, duration, median, p99, errors = map(int, words)
    if errors:
        raise RuntimeError(f"{server.name}: {errors} of {requests} requests failed\n{output}")
    return Load(requests, requests / duration * 1e6, median / 1000, p99 / 1000, cpu / requests * 1e6)
