"""`titlecard render` at a terminal: a bar while a long file is made, and nothing of it left behind."""

import os
import pty
import re
import signal
import subprocess

import pytest

from process_tree import family
from service import BINARY, PATIENCE, until
from terminals import at_a_terminal

TEXT = " ".join(["The quick brown fox jumps over the lazy dog"] * 12)
LONG = ["--width", "640", "--effect", "fade", "--min-duration", "9", "--max-duration", "10", "--max-delay", "10"]


VIDEO = ["Frame by frame", "--effect", "wave", "--size", "90", "--width", "1280", "--height", "720", "--hold", "1", "--fps", "60"]


def seen_at_a_terminal(*arguments, columns=0):
    """What a person sees on standard error."""
    outcome = at_a_terminal("render", *arguments, columns=columns)
    assert outcome.returncode == 0
    return outcome.stdout.decode()


@pytest.mark.slow
def test_a_bar_shows_how_far_a_long_file_is(tmp_path):
    seen = seen_at_a_terminal(TEXT, *LONG, "--speed", "0.45", "-o", str(tmp_path / "long.gif"))
    shares = [int(part.split()[-1]) for part in seen.split(" %")[:-1]]
    assert len(shares) > 1 and shares == sorted(shares)
    assert seen.endswith("\r\x1b[K")
    assert os.listdir(tmp_path) == ["long.gif"]


def test_what_takes_no_second_needs_no_bar(tmp_path):
    assert seen_at_a_terminal("Hi", "--background", "#fff", "-o", str(tmp_path / "short.gif")) == ""


@pytest.mark.parametrize("file", ["film.mp4", "film.webm", "fitted.gif"])
def test_a_file_that_is_made_whole_has_a_bar_with_frames_rate_and_time(tmp_path, file):
    # A GIF that has to fit is made several times.
    options = [*VIDEO, "--loop", "6"] if file != "fitted.gif" else [TEXT, *LONG, "--background", "#fff", "--max-bytes", "400000"]
    seen = seen_at_a_terminal(*options, "-o", str(tmp_path / file), columns=80)
    *lines, last = seen.split("\r\x1b[K")
    lines = [line for line in lines if line]
    # It is removed; what was lowered is said after it.
    assert lines and (last.startswith("fitted: ") if file == "fitted.gif" else not last), seen
    for line in lines:
        assert re.fullmatch(r"━*┄* \d+ %  \d+/\d+ frames, \d+ fps(, \d+:\d\d left)?(, attempt \d)?", line), line
        assert len(line) < 80


def test_a_narrow_terminal_has_what_goes_on_a_line(tmp_path):
    seen = seen_at_a_terminal(*VIDEO, "--loop", "6", "-o", str(tmp_path / "film.mp4"), columns=30)
    lines = [line for line in seen.split("\r\x1b[K") if "━" in line or "┄" in line]
    assert lines and all(len(line) == 29 for line in lines), seen


@pytest.mark.parametrize("file", ["film.mp4", "film.gif"])
def test_an_interrupt_leaves_nothing(tmp_path, file):
    """Neither a file, nor a process, nor the bar."""
    reader, terminal = pty.openpty()
    options = [*VIDEO, "--loop", "20"] if file.endswith("mp4") else [TEXT, *LONG, "--background", "#fff", "--scale", "2"]
    process = subprocess.Popen(
        [BINARY, "render", *options, "-o", tmp_path / file], stderr=terminal,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    os.close(terminal)
    seen = b""
    while "frames".encode() not in seen:
        seen += os.read(reader, 65536)
    children = family(process.pid)[1:]
    assert children or not file.endswith("mp4")
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == -signal.SIGINT
    try:
        while more := os.read(reader, 65536):
            seen += more
    except OSError:  # the last end of the terminal was closed
        pass
    os.close(reader)
    assert seen.endswith(b"\r\x1b[K") and os.listdir(tmp_path) == []
    until(lambda: not any(os.path.exists(f"/proc/{child}") for child in children), "the end of the encoder")
