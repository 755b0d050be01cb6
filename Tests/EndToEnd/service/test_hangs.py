"""A worker that hangs is noticed and replaced, and none that only works or waits is."""

import http.client
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

import pytest

from metrics import metrics
from service import BINARY, REPOSITORY, is_worker, journals, stop_threads, until

# The least that can be asked for, in seconds.
TIMEOUT = 2
# Until the next round notices it, the process has ended, and another one serves.
MARGIN = 6
# What `take-long` takes.
LONG = 4


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The library by which words have a part of the service wait forever (see faults/hang.c)."""
    path = tmp_path_factory.mktemp("library") / "hang.so"
    source = REPOSITORY / "Tests/EndToEnd/support/faults/hang.c"
    options = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, "-o", path, source, "-ldl"], check=True)
    return str(path)


@pytest.fixture
def watched(start, library):
    """watched("--option", …): a service whose workers may be silent for two seconds."""

    def watched(*options, count=1):
        service = start("--hang-timeout", str(TIMEOUT), *options, environment={"LD_PRELOAD": library})
        until(lambda: len(journals(service.process.pid)) == count, "workers that the supervisor knows")
        return service

    return watched


def logged(service, part):
    return [entry for entry in service.logged_entries() if part in entry["message"]]


def hangs(service):
    return metrics(service)("titlecard_worker_hangs_total")


def until_replaced(service, worker, count=1):
    """Waits until a worker is gone, and others serve; returns the seconds that this took."""
    begun = time.monotonic()

    def is_replaced():
        children = pathlib.Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text()
        workers = [pid for pid in map(int, children.split()) if is_worker(pid)]
        return worker not in workers and len(workers) == len(journals(service.process.pid)) == count

    until(is_replaced, "another worker")
    return time.monotonic() - begun


@pytest.mark.parametrize("count", [1, 2])
def test_a_worker_that_is_stopped_is_replaced_and_requests_are_answered(watched, count):
    service = watched("--processes", str(count), count=count)
    worker = service.workers[0]
    begun = time.monotonic()
    stop_threads(worker)
    # Those that no worker has taken wait in the kernel.
    assert {service.get(f"/render.svg?text={number}").status for number in range(20)} == {200}
    until_replaced(service, worker, count)
    assert TIMEOUT < time.monotonic() - begun < TIMEOUT + MARGIN
    assert hangs(service) == 1 and metrics(service)("titlecard_worker_restarts_total") == 1
    [line] = logged(service, f"process {worker}, has not answered for {TIMEOUT} s, and is ended")
    assert line["level"] == "error"
    # It was not stopped from outside.
    assert logged(service, "a worker was ended by SIGKILL") and not logged(service, "from outside")
    assert service.stop() == 0


@pytest.mark.parametrize("path", ["/block-the-loop", "/render.svg?text=hold-the-lock"])
def test_what_hangs_is_replaced_and_its_stacks_are_logged(watched, path):
    service = watched("--loops", "2", "--log-level", "debug")
    worker = service.worker
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        service.get(path)
    until_replaced(service, worker)
    assert service.get("/render.svg?text=x").status == 200
    assert hangs(service) == 1 and logged(service, "a worker was ended by SIGABRT")
    stacks = logged(service, "a thread of a worker that did not answer")
    assert len({stack["thread"] for stack in stacks}) == len(stacks) > 4
    assert {stack["level"] for stack in stacks} == {"error"}
    # A busy machine may not let every thread run in time.
    assert sum(bool(stack["frames"]) for stack in stacks) > len(stacks) // 2
    frames = [frame for stack in stacks for frame in stack["frames"]]
    assert any(re.search(r"libc\.so.*\(pause\+0x", frame) for frame in frames)
    # No rendering is to blame, and no user's text is said.
    assert not logged(service, "trial") and "hold-the-lock" not in service.logged()
    assert service.get("/metrics").text.count("titlecard_refused_keys 0") == 1
    assert service.stop() == 0


def test_long_renderings_on_all_threads_are_no_hang(watched):
    assert LONG > TIMEOUT + 1
    service = watched("--workers", "2")
    worker, answers = service.worker, []
    # More than there are threads, spare ones included.
    threads = [
        threading.Thread(target=lambda n=n: answers.append(service.get(f"/render.svg?text=take-long+{n}").status))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 4
    assert service.worker == worker and hangs(service) == 0


@pytest.mark.parametrize("whole", [False, True], ids=["supervisor", "all"])
def test_a_supervisor_that_was_stopped_blames_nobody(watched, whole):
    """As by a container that is paused, or a laptop that sleeps: it knows nothing of the time between."""
    service = watched()
    worker = service.worker
    pids = [service.process.pid] + [worker] * whole
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(2 * TIMEOUT)
    for pid in pids:
        os.kill(pid, signal.SIGCONT)
    # It is time that must do nothing.
    time.sleep(2 * TIMEOUT)
    assert service.worker == worker and hangs(service) == 0
    assert service.get("/render.svg?text=x").status == 200


def test_without_a_timeout_a_silent_worker_stays(start):
    service = start("--hang-timeout", "0")
    until(lambda: journals(service.process.pid), "a worker that the supervisor knows")
    worker = service.worker
    stop_threads(worker)
    time.sleep(2 * TIMEOUT)
    os.kill(worker, signal.SIGCONT)
    assert service.worker == worker and hangs(service) == 0


@pytest.mark.parametrize("value", ["1", "601", "-1", "x"])
def test_the_timeout_has_a_range(value):
    outcome = subprocess.run([BINARY, "serve", f"--hang-timeout={value}"], capture_output=True, text=True)
    assert outcome.returncode == 64 and "hang-timeout" in outcome.stderr
