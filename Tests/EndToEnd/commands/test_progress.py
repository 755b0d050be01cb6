"""`titlecard render` at a terminal: a bar while a long file is made, and nothing of it left behind."""

import os
import pty
import subprocess

import pytest

from service import BINARY, PATIENCE

TEXT = " ".join(["The quick brown fox jumps over the lazy dog"] * 12)
LONG = ["--width", "640", "--effect", "fade", "--min-duration", "9", "--max-duration", "10", "--max-delay", "10"]


def at_a_terminal(*arguments):
    """What a person sees on standard error."""
    reader, terminal = pty.openpty()
    process = subprocess.Popen([BINARY, "render", *arguments], stderr=terminal)
    os.close(terminal)
    seen = b""
    while True:
        try:
            seen += os.read(reader, 65536)
        except OSError:  # the last end of the terminal was closed
            break
    os.close(reader)
    assert process.wait(PATIENCE) == 0
    return seen.decode()


@pytest.mark.slow
def test_a_bar_shows_how_far_a_long_file_is(tmp_path):
    seen = at_a_terminal(TEXT, *LONG, "--speed", "0.45", "-o", str(tmp_path / "long.gif"))
    shares = [int(part.split()[-1]) for part in seen.split(" %")[:-1]]
    assert len(shares) > 1 and shares == sorted(shares)
    assert seen.endswith("\r\x1b[K")
    assert os.listdir(tmp_path) == ["long.gif"]


def test_what_takes_no_second_needs_no_bar(tmp_path):
    assert at_a_terminal("Hi", "--background", "#fff", "-o", str(tmp_path / "short.gif")) == ""
