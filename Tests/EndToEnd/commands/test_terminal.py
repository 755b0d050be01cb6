"""What a command does to a terminal, to a pipe, and to who runs it."""

import os
import signal
import subprocess

import pytest

from catalogue import catalogue_under_test
from commands import run
from service import BINARY, PATIENCE
from terminals import at_a_terminal

USAGE, INPUT_OUTPUT = 64, 74
TEXTS = {"svg", "json", "lottie", "vtt", "srt", "ass"}
FORMATS = catalogue_under_test().formats


@pytest.mark.parametrize("format", FORMATS)
def test_binary_data_goes_to_a_terminal_only_on_demand(format):
    arguments = ["render", "Hi", "--effect", "none", "--background", "#fff", "--format", format]
    outcome = at_a_terminal(*arguments, streams=("stdout",))
    if format in TEXTS:
        assert outcome.returncode == 0 and outcome.stdout
    else:
        assert (outcome.returncode, outcome.stdout) == (USAGE, b"")
        title = FORMATS[format]["title"]
        assert outcome.stderr.decode() == (
            f"error: -o: is required: {title} is binary, and standard output is a terminal; "
            "-o FILE writes a file, and -o - writes to the terminal\n"
        )
    assert run(*arguments).stdout


def test_binary_data_goes_to_a_terminal_that_is_named():
    outcome = at_a_terminal("render", "Hi", "--format", "png", "-o", "-", streams=("stdout",))
    assert outcome.returncode == 0 and outcome.stdout.startswith(b"\x89PNG")


def closed_pipe(arguments, **options):
    """The outcome of a command whose output nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run([BINARY, *arguments], stdout=writing, stderr=subprocess.PIPE, timeout=PATIENCE, **options)
    finally:
        os.close(writing)


COMMANDS = [
    ["render", "Hi"], ["render", "Hi", "-o", "-"], ["render", "Hi", "-q", "--format", "gif"], ["render", "--help"],
    ["help"], ["list", "effects"], ["list", "effects", "--json"], ["completion", "bash"], ["canonical", "/render?text=x"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_closed_pipe_ends_a_command_quietly(arguments):
    outcome = closed_pipe(arguments)
    assert (outcome.returncode, outcome.stderr) == (-signal.SIGPIPE, b"")


def test_a_closed_pipe_is_an_error_where_its_signal_is_ignored():
    outcome = closed_pipe(
        ["render", "Hi"], restore_signals=False, preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    )
    assert outcome.returncode == INPUT_OUTPUT and b"Broken pipe" in outcome.stderr


def test_a_closed_pipe_ends_a_check_of_a_list(tmp_path):
    (tmp_path / "list").write_text("".join(f"{number}.svg?text=Hi\n" for number in range(50)))
    outcome = closed_pipe(["render", "--batch", "list", "--out", "out", "--check"], cwd=tmp_path)
    assert (outcome.returncode, outcome.stderr) == (-signal.SIGPIPE, b"")


def test_a_reader_that_has_enough_ends_a_long_file():
    script = '"$0" render "$1" -q --effect fade --background white --format gif | head -c 100 | wc -c; echo "${PIPESTATUS[0]}"'
    text = "A long text " * 20
    outcome = subprocess.run(["bash", "-c", script, BINARY, text], capture_output=True, timeout=PATIENCE)
    assert outcome.stdout.split() == [b"100", b"%d" % (128 + signal.SIGPIPE)] and outcome.stderr == b""


@pytest.mark.parametrize("option", ["-q", "--quiet", "--quiet=true"])
def test_quiet_leaves_errors_only(tmp_path, option):
    request = ["render", "x\U0010fffd", "--font", "Comic Mono"]
    assert run(*request).stderr.count(b"warning: ") == 2
    outcome = run(*request, option)
    assert (outcome.returncode, outcome.stderr) == (0, b"") and outcome.stdout == run(*request).stdout
    assert b"error: size" in run("render", "x", option, "--size", "1").stderr


def test_quiet_leaves_out_the_settings_that_were_lowered(tmp_path):
    request = ["render", "Hello " * 10, "--effect", "fade", "--background", "#fff", "--max-bytes", "20000"]
    assert b"fitted: " in run(*request, "-o", tmp_path / "a.gif").stderr
    assert run(*request, "-q", "-o", tmp_path / "a.gif").stderr == b""


def test_equal_warnings_of_a_list_are_one_line(tmp_path):
    """Whatever line is done first, and whatever the number of threads."""
    lines = [f"{number}.gif?text=Hi&effect=fade&size=12" for number in range(50)]
    lines.insert(7, "x.svg?text=x%F4%8F%BF%BD")
    (tmp_path / "list").write_text("".join(f"{line}\n" for line in lines))
    command = ["render", "--batch", tmp_path / "list", "--out", tmp_path / "out"]
    messages = run(*command).stderr.decode().splitlines()
    assert len(messages) == 2
    assert messages[0].startswith(f"warning: {tmp_path}/list:1: halftone: ")
    assert messages[0].endswith(" (and 49 more lines)")
    assert messages[1].startswith(f"warning: {tmp_path}/list:8: missing-glyph: ") and "(and" not in messages[1]
    assert run(*command, "--workers", "1").stderr.decode().splitlines() == messages
    assert run(*command, "-q").stderr == b""
