"""What the programs find around them, and what they say where it is missing."""

import os
import resource
import shutil
import subprocess

import pytest

from service import BINARY, PUBLIC, Server, free_port, messages

WORKER = BINARY.with_name("titlecard-worker")


def installed(prefix, worker_folder):
    """Installs both programs and the page below a prefix; returns the path of `titlecard`."""
    for folder in ("bin", worker_folder, "share/titlecard"):
        (prefix / folder).mkdir(parents=True, exist_ok=True)
    shutil.copy(WORKER, prefix / worker_folder)
    (prefix / "share/titlecard/Public").symlink_to(PUBLIC)
    return shutil.copy(BINARY, prefix / "bin")


@pytest.mark.parametrize("worker_folder", ["bin", "libexec/titlecard"])
def test_an_installed_program_finds_the_page(tmp_path, worker_folder):
    program, port = installed(tmp_path / "usr", worker_folder), free_port()
    environment = {name: value for name, value in os.environ.items() if name != "TITLECARD_PUBLIC"}
    server = Server(
        [program, "serve", "--port", port], port, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL
    )
    try:
        assert server.get("/").body == (PUBLIC / "index.html").read_bytes()
    finally:
        assert server.stop() == 0


@pytest.mark.parametrize("most", [24, 48])
def test_few_descriptors_are_told_in_true_numbers(start, most):
    service = start("--workers", "4", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
    assert service.get("/render.svg?text=x").status == 200
    [line] = [entry for entry in service.logged_entries() if "open files" in entry["message"]]
    expected = f"{most} open files (ulimit -n) allow 1 connection at a time; more will wait"
    assert line["message"] == expected and line["level"] == "notice"


def can_hide_proc():
    return subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/proc"]).returncode == 0


@pytest.mark.skipif(not can_hide_proc(), reason="needs the right to mount")
@pytest.mark.parametrize(
    "program, file", [(BINARY, "/proc/self/exe"), (WORKER, "/proc/self/cmdline")], ids=["titlecard", "worker"]
)
@pytest.mark.parametrize("arguments", [["serve"], ["render", "x"], ["health"]], ids=lambda words: words[0])
def test_without_proc_the_cause_is_said(program, file, arguments):
    script = 'mount -t tmpfs none /proc && exec "$0" "$@"'
    outcome = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, program, *arguments], capture_output=True, text=True
    )
    [message] = messages(outcome.stderr)
    assert outcome.returncode == 71 and f"read {'from ' * (program == WORKER)}{file}" in message
    assert message.endswith("/proc has to be mounted")
