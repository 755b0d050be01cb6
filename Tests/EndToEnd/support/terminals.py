"""Commands at a terminal of their own, as a person sees them."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

from service import BINARY, PATIENCE


def at_a_terminal(*arguments, streams=("stderr",), columns=0, **environment):
    """A command whose streams are a terminal: its status, and what is seen there as `stdout`.

    Streams that are none of these go to a pipe, and are `stderr`.
    """
    reader, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [BINARY, *map(str, arguments)],
        env={**{name: value for name, value in os.environ.items() if name != "COLUMNS"}, **environment},
        **{name: terminal if name in streams else subprocess.PIPE for name in ("stdout", "stderr")},
    )
    os.close(terminal)
    seen = b""
    while True:
        try:
            seen += os.read(reader, 65536)
        except OSError:  # the last end of the terminal was closed
            break
    os.close(reader)
    rest = b"".join(stream for stream in process.communicate(timeout=PATIENCE) if stream)
    return subprocess.CompletedProcess(arguments, process.returncode, seen.replace(b"\r\n", b"\n"), rest)


class Shell:
    """An interactive shell at a terminal, whose prompt is `READY> `, and in which ^X^P writes its line to a file."""

    def __init__(self, command, folder, **environment):
        self.line = folder / "line"
        self.terminal, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
            env={**os.environ, "TERM": "vt100", "LINE": str(self.line), **environment},
        )  # fmt: skip
        os.close(terminal)
        self.seen = b""
        self.wait(lambda: b"READY> " in self.seen)

    def wait(self, condition):
        """Reads what the shell writes until a condition is met."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, self.seen
            if select.select([self.terminal], [], [], 0.05)[0]:
                self.seen += os.read(self.terminal, 65536)

    def completed(self, line):
        """The line that is there after a tab."""
        # ^U empties the line.
        os.write(self.terminal, b"\x15" + line.encode() + b"\t\x18\x10")
        self.wait(self.line.exists)
        self.wait(lambda: self.line.read_text().endswith("\n"))
        text = self.line.read_text().removesuffix("\n")
        self.line.unlink()
        return text

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)
