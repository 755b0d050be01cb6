"""Commands of the program: each as a process that ends."""

import os
import subprocess

import pytest

from service import BINARY, PATIENCE, messages

# sysexits.h
USAGE, DATA_ERROR, NO_INPUT = 64, 65, 66


def run(*arguments, **environment):
    environment = {**os.environ, **environment}
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, timeout=PATIENCE, env=environment)


def peak(*arguments, **environment):
    """Runs a command, and returns the kilobytes that its process had in memory at most."""
    with subprocess.Popen([BINARY, *map(str, arguments)], env={**os.environ, **environment}) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


def messages_of(outcome, status):
    """Returns the messages of a command that ended with a status and without output."""
    assert (outcome.returncode, outcome.stdout) == (status, b""), outcome.stderr
    return messages(outcome.stderr.decode())


def render(*arguments, input=b"", cwd=None, **environment):
    return subprocess.run(
        [BINARY, "render", *(argument if isinstance(argument, bytes) else str(argument) for argument in arguments)],
        input=input,
        capture_output=True,
        timeout=PATIENCE,
        cwd=cwd,
        env={**os.environ, **environment},
    )


def sign(url, *options, **environment):
    outcome = subprocess.run([BINARY, "sign", url, *map(str, options)], capture_output=True, text=True, env={**os.environ, **environment})
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout.removesuffix("\n")


def ends(*arguments, environment=None):
    """The outcome of a command that must not go on to serve."""
    process = subprocess.Popen(
        [BINARY, *map(str, arguments)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    line = process.stderr.readline()
    if "listening" in line:
        process.kill()
        process.wait()
        pytest.fail(f"{arguments} {environment} is accepted: {line}")
    _, rest = process.communicate(timeout=PATIENCE)
    said = "".join(f"{message}\n" for message in messages(line + rest))
    return subprocess.CompletedProcess(arguments, process.returncode, "", said)
