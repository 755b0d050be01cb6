"""Makes calls into the C library fail, in a process that is started for it (see faults/fail.c)."""

import pathlib
import signal
import struct
import subprocess
import time

from service import Service

SOURCE = pathlib.Path(__file__).with_name("faults") / "fail.c"
HEADER = struct.Struct("ll")


def build(directory):
    """The library, compiled into a directory."""
    library = directory / "fail.so"
    options = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, "-o", library, SOURCE, "-ldl"], check=True)
    return library


class FailingCalls:
    """The calls of one process to some functions, of which some in a row may fail."""

    def __init__(self, library, directory, functions, call=None, times=1, error=None):
        self.times = times
        self.path = directory / "calls"
        self.path.unlink(missing_ok=True)
        self.environment = {
            "LD_PRELOAD": str(library),
            "FAIL_FUNCTIONS": functions,
            "FAIL_COUNT_TO": str(self.path),
            **({"FAIL_CALL": str(call), "FAIL_TIMES": str(times)} if call else {}),
            **({"FAIL_ERRNO": error} if error else {}),
        }

    def header(self):
        return HEADER.unpack(self.path.read_bytes()[: HEADER.size])

    @property
    def count(self):
        """How many calls there were so far."""
        return self.header()[0]

    @property
    def are_over(self):
        """Whether all calls that fail were made."""
        return self.header()[1] == self.times

    @property
    def description(self):
        """The first call that failed, and who called."""
        return self.path.read_bytes()[HEADER.size :].split(b"\0")[0].decode(errors="replace")


class Trial(Service):
    """A service that may end instead of serving, or fail to become ready; then `is_serving` is false.

    It is one process, which nobody replaces."""

    def __init__(self, *options, patience=10, **details):
        self.deadline = time.monotonic() + patience
        self.is_serving = False
        super().__init__("--no-supervisor", *options, **details)

    def is_ready(self):
        """Whether there is nothing more to wait for: it answers, it has ended, or its time is over."""
        if self.has_ended or time.monotonic() > self.deadline:
            return True
        try:
            self.is_serving = self.get("/health").status in (200, 503)
        except OSError:
            return False
        return self.is_serving

    @property
    def has_ended(self):
        return self.process.poll() is not None


def is_abort_of_glib(status, said):
    """Whether GLib has ended the process, for want of memory or of a thread; it may do so with either signal."""
    return status in (-signal.SIGABRT, -signal.SIGTRAP) and "GLib-ERROR" in said
