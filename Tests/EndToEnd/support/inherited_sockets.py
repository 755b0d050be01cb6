"""A service on sockets that it inherits, as systemd passes them, and a client of those."""

import signal
import socket
import subprocess
import sys

from service import BINARY, PATIENCE, PUBLIC

# Puts the sockets where they belong and becomes the service, whose process id is then known.
LAUNCHER = """
import os, sys
process, count, names, *sockets = sys.argv[1:sys.argv.index("--")]
# Out of the way first: one may stand where another belongs.
kept = [os.dup2(int(number), 100 + index) for index, number in enumerate(sockets)]
for index, number in enumerate(kept):
    os.dup2(number, 3 + index)
os.environ["LISTEN_PID"] = str(os.getpid()) if process == "own" else process
os.environ["LISTEN_FDS"] = count
os.environ["LISTEN_FDNAMES"] = names
command = sys.argv[sys.argv.index("--") + 1 :]
os.execv(command[0], command)
"""


class Activated:
    """A service on sockets that are inherited."""

    def __init__(self, *sockets, process="own", count=None, names="http", options=(), binary=BINARY):
        numbers = [str(each.fileno()) for each in sockets]
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, process, count or str(len(sockets)), names, *numbers, "--"]
            + [binary, "serve", "--public", PUBLIC, *options],
            pass_fds=[each.fileno() for each in sockets],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def line(self):
        """What it says first."""
        return self.process.stderr.readline()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE)


def listening(family=socket.AF_INET, address=("127.0.0.1", 0)):
    listener = socket.socket(family)
    listener.bind(address)
    listener.listen(128)
    return listener


def ask(listener, target="/health"):
    """The answer to one request to a listening socket's address."""
    with socket.socket(listener.family) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(listener.getsockname())
        connection.sendall(b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % target.encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))
