"""A service that runs while the documentation is made from what it answers."""

import contextlib
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
# Seconds until a service that does not answer is a failure.
PATIENCE = 30


@contextlib.contextmanager
def running(binary):
    """The URL of a service that runs the binary."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [binary, "serve", "--host", "127.0.0.1", "--port", str(port), "--workers", "1", "--log-level", "error"]
    # Settings of whoever runs this are not the defaults.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TITLECARD_")}
    process = subprocess.Popen(command, env=environment, cwd=REPOSITORY)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(url, process)
        yield url
    finally:
        process.terminate()
        process.wait()


def wait_for(url, process):
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(url + "/health").close()
            return
        except (urllib.error.URLError, ConnectionError) as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"the service does not answer: {error}") from error
            time.sleep(0.05)
