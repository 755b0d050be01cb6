"""The Debian package on a system of its own, under systemd: installed, used, restarted, upgraded, removed."""

import json
import os
import re
import subprocess
import sys

import pytest

import debian_machine
import debian_package
from service import IS_PROOF, PATIENCE, until

# A system has to be downloaded and started.
pytestmark = pytest.mark.skipif(not IS_PROOF, reason="runs as a proof: TEST_PROOF=1")

ADDRESS = "http://127.0.0.1:8080"
# Clients that come one after another, three at a time, until a line comes; prints how often which outcome was.
CLIENTS = """
import collections, json, socket, sys, threading, time
outcomes, over = collections.Counter(), threading.Event()
def come():
    while not over.wait(0.01):
        try:
            with socket.create_connection(("127.0.0.1", 8080), timeout=30) as connection:
                connection.sendall(b"GET /render.png?text=Hi HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
                answer = b"".join(iter(lambda: connection.recv(65536), b""))
            outcomes[answer[9:12].decode() or "closed"] += 1
        except OSError as fault:
            outcomes[type(fault).__name__] += 1
threads = [threading.Thread(target=come) for _ in range(3)]
for thread in threads: thread.start()
def wait():
    seen = sum(outcomes.values())
    while sum(outcomes.values()) < seen + 30: time.sleep(0.01)
    print("seen", flush=True)
wait()
sys.stdin.readline()
wait()
over.set()
for thread in threads: thread.join()
print(json.dumps(outcomes))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return debian_package.build(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def bare(package, tmp_path_factory):
    """A system with what the package depends on, and its files before it is installed."""
    assert os.geteuid() == 0, "a system of its own needs root"
    depends = sorted(debian_package.names(debian_package.field(package, "Depends")))
    with debian_machine.Machine(tmp_path_factory.mktemp("machine"), depends, package.parent) as machine:
        machine.before = machine.files()
        yield machine


@pytest.fixture(scope="module")
def machine(bare, package):
    bare.run("dpkg", "--install", f"/mnt/{package.name}")
    return bare


@pytest.fixture
def outcomes(machine):
    """outcomes(action): how often clients that come meanwhile have which outcome."""

    def outcomes(action):
        clients = subprocess.Popen(
            [*machine.within("--net"), sys.executable, "-c", CLIENTS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        # Some have been answered.
        clients.stdout.readline()
        action()
        # Some more are to be answered.
        clients.stdin.write("\n")
        clients.stdin.flush()
        clients.stdout.readline()
        return json.loads(clients.communicate(timeout=PATIENCE)[0])

    return outcomes


def main_process(machine):
    return machine.run("systemctl", "show", "--property=MainPID", "--value", "titlecard.service").strip()


def reinstall(machine, package):
    machine.run("dpkg", "--install", f"/mnt/{package.name}")


def kill(machine):
    machine.run("sh", "-c", f"kill -KILL {main_process(machine)}")


def test_it_runs_and_is_enabled(machine):
    for unit in ("titlecard.socket", "titlecard.service"):
        assert machine.run("systemctl", "is-active", unit) == "active\n"
        assert machine.run("systemctl", "is-enabled", unit) == "enabled\n"
    assert machine.run("titlecard", "health") == "ok\n"


def test_it_serves_its_page(machine):
    assert "<title>" in machine.beside("curl", "--silent", "--fail", f"{ADDRESS}/")


@pytest.mark.parametrize("format", ["svg", "json", "gif", "apng", "webp", "png", "lot"])
def test_it_renders_within_its_restrictions(machine, format):
    target = f"{ADDRESS}/render.{format}?text=Hello&effect=blur&preset=neon"
    machine.beside("curl", "--silent", "--fail", "--output", "/dev/null", target)


def test_the_command_line_renders(machine):
    assert "<svg" in machine.run("titlecard", "render", "Hello")


def test_it_has_no_rights(machine):
    status = machine.run("cat", f"/proc/{main_process(machine)}/status")
    words = {name: value.split() for name, value in re.findall(r"^(\w+):(.*)$", status, re.M)}
    assert words["Uid"][0] != "0"
    assert words["CapBnd"] == words["CapEff"] == ["0" * 16]
    assert words["NoNewPrivs"] == ["1"] and words["Seccomp"] == ["2"]


def test_a_reload_reads_the_fonts_anew(machine):
    machine.run("systemctl", "reload", "titlecard.service")
    machine.run("sh", "-c", "until journalctl -u titlecard.service | grep -q 'read anew'; do sleep 0.1; done")


def test_a_restart_refuses_nobody(machine, outcomes):
    assert set(outcomes(lambda: machine.run("systemctl", "restart", "titlecard.service"))) == {"200"}


def test_an_upgrade_refuses_nobody(machine, outcomes, package):
    assert set(outcomes(lambda: reinstall(machine, package))) == {"200"}


def test_a_crash_refuses_nobody(machine, outcomes):
    """Requests in flight end with their connections; others wait for the next process."""
    before = main_process(machine)
    assert set(outcomes(lambda: kill(machine))) <= {"200", "closed", "ConnectionResetError"}
    assert main_process(machine) not in (before, "0")


@pytest.fixture
def options(machine):
    """The file of the service's options; afterwards it is as before, and the service runs."""
    path = machine.root / "etc/default/titlecard"
    written = path.read_text()
    yield path
    path.write_text(written)
    machine.run("systemctl", "stop", "titlecard.socket", "titlecard.service")
    machine.run("systemctl", "start", "titlecard.socket", "titlecard.service")


def shown(machine, *properties):
    """Properties of the service in systemd, as text by their names."""
    names = f"--property={','.join(properties)}"
    lines = machine.run("systemctl", "show", names, "titlecard.service").splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_wrong_options_are_not_tried_again(machine, options):
    options.write_text("TITLECARD_MEMORY=little\n")
    machine.run("systemctl", "restart", "titlecard.service")
    until(lambda: shown(machine, "ActiveState")["ActiveState"] == "failed", "the failure")
    assert shown(machine, "NRestarts", "ExecMainStatus") == {"NRestarts": "0", "ExecMainStatus": "64"}


def test_what_fails_is_tried_until_it_succeeds(machine, options):
    """As without fonts; a client that has connected meanwhile gets its answer."""
    options.write_text("FONTCONFIG_FILE=/dev/null\n")
    machine.run("systemctl", "restart", "titlecard.service")
    client = [*machine.within("--net"), "curl", "--silent", "--fail", f"{ADDRESS}/health"]
    with subprocess.Popen(client, stdout=subprocess.PIPE, text=True) as waiting:
        # systemd would give up after five starts within ten seconds.
        failures = "journalctl --unit=titlecard.service --grep=status=69 --output=cat"
        until(lambda: len(machine.run("sh", "-c", f"{failures} || true").splitlines()) > 7, "failures")
        options.write_text("")
        assert "ok" in waiting.communicate(timeout=PATIENCE)[0]


def test_removed_it_leaves_its_options_and_purged_nothing(machine):
    machine.run("dpkg", "--remove", "titlecard")
    left = set(machine.files()) - set(machine.before)
    assert {path for path in left if "systemd" not in path} == {"etc/default/titlecard"}
    assert machine.run("systemctl", "list-units", "--state=active", "--plain", "--no-legend", "titlecard*") == ""
    machine.run("dpkg", "--purge", "titlecard")
    assert machine.files() == machine.before
