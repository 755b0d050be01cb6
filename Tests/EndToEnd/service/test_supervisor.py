"""The supervisor: workers may die, and the service goes on.

With TEST_PROOF=1 in the environment workers are killed for a minute, every second.
"""

import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import threading
import time

import pytest

from inherited_sockets import Activated, ask, listening
from metrics import Metrics, metrics
from service import (
    BINARY, PATIENCE, PUBLIC, REPOSITORY, Service, by_proof, free_port, is_without_worker, is_worker, journals,
    of_worker, query, until,
)

WORKER = BINARY.with_name("titlecard-worker")
SIGNALS = [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT]
# Those that a process brings upon itself.
OWN_SIGNALS = SIGNALS[1:]
# Bytes of the journal for each thread.
JOURNAL_SLOT = 131_072
KILLER, HELD, HOG = "kill me", "takes a second", "takes all memory"
FORMATS = ["svg", "json", "gif", "png"]
LIBRARIES = re.compile("pango|cairo|glib|fontconfig|freetype|harfbuzz|Foundation")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The library by which a text ends the process (see faults/kill.c)."""
    path = tmp_path_factory.mktemp("library") / "kill.so"
    source = REPOSITORY / "Tests/EndToEnd/support/faults/kill.c"
    options = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, "-o", path, source, "-ldl"], check=True)
    return str(path)


@pytest.fixture
def fragile(library):
    """fragile("--option", …, number=signal): a service that a text kills."""
    running = []

    def fragile(*options, number=signal.SIGABRT, killer=KILLER, leaves=0):
        texts = {"KILL_TEXT": killer, "HOLD_TEXT": HELD, "HOG_TEXT": HOG}
        environment = {"LD_PRELOAD": library, "KILL_SIGNAL": str(int(number)), "HOG_LEAVES": str(leaves), **texts}
        service = Service("--workers", "3", *options, environment=environment)
        running.append(service)
        until(lambda: journals(service.process.pid), "a worker that the supervisor knows")
        return service

    yield fragile
    for service in running:
        service.stop()


def settled(service):
    """The metrics once a worker serves; until then the supervisor answers."""
    until(service.is_ready, "a worker")
    return metrics(service)


def target(text, format="svg"):
    return f"/render.{format}?{query({'text': text})}"


def is_cut(service, path):
    """Whether a request ends without an answer."""
    try:
        service.get(path)
    except (ConnectionError, http.client.HTTPException):
        return True
    return False


def logged(service, part):
    # Libraries that end the process say so in lines of their own.
    lines = [json.loads(line) for line in service.logged_lines() if line.startswith("{")]
    return [line for line in lines if part in line["message"]]


def gone(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ")[1][0] == "Z"
    except OSError:
        return True


def until_all_serve(service):
    """Waits until every worker has told the supervisor that it serves, which then answers no client itself."""
    until(lambda: len(journals(service.process.pid)) == len(service.workers), "workers that the supervisor knows")


def kill_worker(service, number):
    """Ends one worker; returns the seconds until another has taken its place."""
    until_all_serve(service)
    before = service.workers
    victim = random.choice(before)
    begun = time.monotonic()
    os.kill(victim, number)
    # One that has its journal is about to listen.
    until(lambda: len(set(filter(is_worker, children(service.process.pid))) - {victim}) == len(before), "another worker")
    return time.monotonic() - begun


# MARK: Workers die


class Client:
    """Asks for one rendering after another, each on a connection of its own, and compares the bytes."""

    def __init__(self, service, expected, over):
        self.service, self.expected, self.over = service, expected, over
        self.answered, self.lost, self.faults = 0, 0, []
        # Those that no worker could take within a second.
        self.unanswered = 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        draw = random.Random(id(self))
        while not self.over.is_set():
            path, body = draw.choice(self.expected)
            try:
                answer = self.service.get(path)
            except (ConnectionResetError, BrokenPipeError, http.client.RemoteDisconnected, http.client.IncompleteRead):
                self.lost += 1
            except Exception as fault:
                self.faults.append(repr(fault))
            else:
                if is_without_worker(answer):
                    self.unanswered += 1
                    continue
                self.answered += 1
                if answer.status != 200 or answer.body != body:
                    self.faults.append((path, answer.status, answer.body[:200]))


@pytest.mark.parametrize("processes", ["1", "2"])
def test_only_what_is_in_flight_is_lost(start, server, processes):
    paths = [target(f"picture {number} in", format) for number in range(12) for format in FORMATS]
    expected = [(path, server.get(path).body) for path in paths]
    # Small caches: most is rendered again.
    service = start("--processes", processes, "--cache-size", "1", "--workers", "2")
    until(lambda: len(service.workers) == int(processes), "all workers")
    over, times, outages = threading.Event(), [], []
    clients = [Client(service, expected, over) for _ in range(4)]
    try:
        for number in range(by_proof(6, 60)):
            seen = sum(client.answered for client in clients)
            begun = time.monotonic()
            times.append(kill_worker(service, SIGNALS[number % len(SIGNALS)]))
            until(lambda: sum(client.answered for client in clients) > seen + 20, "answers")
            outages.append(time.monotonic() - begun)
            if os.environ.get("TEST_PROOF") == "1":
                time.sleep(max(1 - (time.monotonic() - begun), 0))
    finally:
        over.set()
        for client in clients:
            client.thread.join()
    print(f"replaced within {statistics.median(times) * 1000:.0f} ms, {max(times) * 1000:.0f} ms at most")
    assert [fault for client in clients for fault in client.faults] == []
    # Each kill may cut one request of each client.
    assert all(client.lost <= len(times) for client in clients)
    assert max(outages) > 1 or not any(client.unanswered for client in clients)
    assert settled(service)("titlecard_worker_restarts_total") == len(times)
    # Whatever was in flight is innocent.
    until(lambda: {service.get(path).status for path in paths} == {200}, "all pictures")
    assert settled(service)("titlecard_refused_keys") == 0
    assert service.stop() == 0


def test_connections_wait_while_there_is_no_worker(start):
    service = start()
    until(lambda: journals(service.process.pid), "a worker that the supervisor knows")
    # Dead, and held back from being replaced.
    worker = service.worker
    os.kill(service.process.pid, signal.SIGSTOP)
    death = time.monotonic()
    os.kill(worker, signal.SIGKILL)
    until(lambda: gone(worker), "its end")

    def ask():
        with socket.create_connection((service.host, service.port), timeout=PATIENCE) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            os.kill(service.process.pid, signal.SIGCONT)
            return connection.recv(65536)

    assert of_worker(ask, death).startswith(b"HTTP/1.1 200 ")
    assert service.stop() == 0


def test_sockets_that_are_inherited_outlive_a_worker():
    with listening() as listener, Activated(listener) as service:
        service.line()
        for _ in range(3):
            until(lambda: journals(service.process.pid), "a worker that the supervisor knows")
            [worker] = until(lambda: [pid for pid in children(service.process.pid) if is_worker(pid)], "a worker")
            death = time.monotonic()
            os.kill(worker, signal.SIGKILL)
            assert of_worker(lambda: ask(listener), death).startswith(b"HTTP/1.1 200 ")
        assert service.stop() == 0


def children(pid):
    return [int(number) for number in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


# MARK: Renderings that kill


@pytest.mark.parametrize("number", OWN_SIGNALS)
def test_the_one_that_kills_is_refused_and_its_company_is_not(fragile, number):
    service = fragile(number=number)
    company = []
    thread = threading.Thread(target=lambda: company.append(is_cut(service, target(HELD))))
    thread.start()
    until(lambda: metrics(service)("titlecard_cache_misses_total") == 1, "the beginning of the other")
    death = time.monotonic()
    assert is_cut(service, target(KILLER))
    thread.join()
    # It had begun, or was about to.
    answer = of_worker(lambda: service.get(target(KILLER)), death)
    assert answer.status == 503, answer.text
    assert 3500 < int(answer.headers["Retry-After"]) <= 3600 and "ended a process" in answer.json["title"]
    assert service.get(target(HELD)).status == 200
    worker = service.worker
    for _ in range(5):
        assert service.get(target(KILLER)).status == 503
        assert service.post("/render.svg", {"text": KILLER}).status == 503
    assert service.worker == worker
    [line] = logged(service, "refused")
    assert line["level"] == "error" and signal.Signals(number).name in line["message"]
    path = re.search(r"/r/\S+\.svg", line["message"])[0]
    assert service.get(path).status == 503
    found = metrics(service)
    assert found("titlecard_refused_keys") == 1 and found("titlecard_worker_restarts_total") == 1
    assert service.stop() == 0


def test_a_killer_that_is_asked_for_in_a_loop_kills_no_more(fragile):
    service = fragile()
    over, outcomes = threading.Event(), []

    def insist():
        while not over.is_set():
            try:
                outcomes.append(service.get(target(KILLER, "gif")).status)
            except (ConnectionError, http.client.HTTPException):
                outcomes.append(0)

    threads = [threading.Thread(target=insist) for _ in range(4)]
    for thread in threads:
        thread.start()
    until(lambda: outcomes.count(503) > 100 and service.get(target("innocent")).status == 200, "refusals")
    over.set()
    for thread in threads:
        thread.join()
    assert set(outcomes) == {0, 503} and outcomes.count(0) <= len(threads)
    assert settled(service)("titlecard_worker_restarts_total") == 1
    assert service.stop() == 0


def test_a_head_is_a_suspect_too(fragile):
    service = fragile()
    death = time.monotonic()
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        service.request("HEAD", target(KILLER, "webp"))
    answer = of_worker(lambda: service.request("HEAD", target(KILLER, "webp")), death)
    assert answer.status == 503, service.logged()
    assert service.stop() == 0


def is_rendering(worker):
    """Whether something stands in the journal of a worker, which has a length at the beginning of each slot."""
    [path] = journals(worker)
    journal = pathlib.Path(path).read_bytes()
    return any(any(journal[slot : slot + 8]) for slot in range(0, len(journal), JOURNAL_SLOT))


def killed_while_it_renders(service, path):
    """Ends the worker by SIGKILL while it renders what takes a second; returns the line in the log of its trial."""
    worker = service.worker
    thread = threading.Thread(target=is_cut, args=[service, path])
    thread.start()
    until(lambda: is_rendering(worker), "the beginning")
    os.kill(worker, signal.SIGKILL)
    thread.join()
    [line] = until(lambda: logged(service, "its trial"), "the outcome of the trial")
    until(lambda: service.get("/health").status == 200, "another worker")
    return line


def test_what_a_sigkill_interrupts_is_not_to_blame(fragile):
    service = fragile()
    line = killed_while_it_renders(service, target(HELD))
    assert line["message"] == "allowed again, because its trial ended with status 0" and line["level"] == "info"
    assert service.get(target(HELD)).status == 200
    assert settled(service)("titlecard_refused_keys") == 0


def test_a_sigkill_of_a_trial_blames_nobody(fragile):
    service = fragile(number=signal.SIGKILL)
    assert is_cut(service, target(KILLER))
    [line] = until(lambda: logged(service, "its trial"), "the outcome of the trial")
    assert line["message"] == "allowed again, because its trial was ended by SIGKILL"
    assert settled(service)("titlecard_refused_keys") == 0


def test_no_text_of_what_goes_free_is_logged(fragile):
    service = fragile("--log-level", "debug")
    killed_while_it_renders(service, target(HELD))
    assert "/r/" not in service.logged()


@pytest.mark.parametrize("leaves", [0, 16], ids=["no-allocation-succeeds", "libraries-report-it"])
def test_what_takes_more_memory_than_there_is_ends_its_trial_and_is_refused(fragile, leaves):
    """It ends workers by the SIGKILL of the kernel, which blames nobody; its trial has a limit."""
    service = fragile(leaves=leaves)
    death = time.monotonic()
    assert is_cut(service, target(HOG))
    answer = of_worker(lambda: service.get(target(HOG)), death)
    assert answer.status == 503 and "ended a process" in answer.json["title"]
    [line] = logged(service, "its trial")
    assert "its trial was ended by SIGABRT" in line["message"]
    assert service.get(target("innocent")).status == 200
    assert settled(service)("titlecard_worker_restarts_total") == 1


def large(format, **request):
    """The path of a picture that a service with the least memory renders, and that takes a second more."""
    text = " ".join([HELD, *["Fäßchen 日本語 😀 مرحبا"] * 12])
    return f"/render.{format}?{query({'text': text, 'width': 1600, 'hold': 0.1, 'speed': 8, **request})}"


INNOCENT = {
    "svg": large("svg", effect="wave"),
    "json": large("json", effect="wave"),
    "png": large("png", size=100, width=3000, scale=2),
    "gif": large("gif", effect="wave", size=60),
    "apng": large("apng", effect="pop", size=60),
    "webp": large("webp", effect="wave", size=60),
    "lottie": large("lottie"),
    "mp4": large("mp4", size=12, width=300, padding=0, fps=5),
}


@pytest.mark.slow
@pytest.mark.parametrize("format", INNOCENT)
def test_no_picture_that_fits_into_the_least_memory_is_to_blame(fragile, format):
    # ffmpeg takes 72 MiB for any video.
    service = fragile("--memory", "256" if format == "mp4" else "128")
    line = killed_while_it_renders(service, INNOCENT[format])
    assert line["message"] == "allowed again, because its trial ended with status 0"
    assert service.get(INNOCENT[format]).status == 200


def test_after_a_hangup_nothing_is_refused(fragile):
    service = fragile()
    death = time.monotonic()
    assert is_cut(service, target(KILLER))
    assert of_worker(lambda: service.get(target(KILLER)), death).status == 503
    service.process.send_signal(signal.SIGHUP)
    until(lambda: logged(service, "1 refused renderings are allowed again"), "the line")
    assert settled(service)("titlecard_refused_keys") == 0
    assert is_cut(service, target(KILLER))


def test_sigkills_in_a_row_are_logged_with_what_the_cgroup_says(start):
    service = start()
    for _ in range(3):
        assert not logged(service, "SIGKILL from outside")
        kill_worker(service, signal.SIGKILL)
    [line] = until(lambda: logged(service, "SIGKILL from outside"), "the line")
    assert line["level"] == "error" and "cgroup" in line["message"]


# MARK: The service begins and ends


def test_a_death_before_it_serves_ends_the_service_with_its_reason(library):
    process = subprocess.run(
        [BINARY, "serve", "--port", str(free_port())],
        env={**os.environ, "LD_PRELOAD": library, "KILL_TEXT": "Titlecard"},
        capture_output=True,
        timeout=PATIENCE,
    )
    assert process.returncode == -signal.SIGABRT


def test_no_worker_outlives_its_supervisor():
    service = Service("--processes", "3")
    workers = until(lambda: len(service.workers) == 3 and service.workers, "all workers")
    service.process.kill()
    service.process.wait()
    until(lambda: all(map(gone, workers)), "the end of the workers")


def test_a_stop_while_a_worker_is_replaced():
    for _ in range(5):
        service = Service()
        [worker] = service.workers
        os.kill(worker, signal.SIGKILL)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(timeout=PATIENCE) in (0, -signal.SIGKILL, 128 + signal.SIGKILL)
        with socket.create_server((service.host, service.port)):
            pass


def test_signals_to_all_processes_at_once_are_one_signal(start):
    """As an interrupt from the terminal, or systemd's SIGTERM, is."""
    service = start("--drain-delay", "1")
    for pid in (service.worker, service.process.pid, service.worker):
        os.kill(pid, signal.SIGINT)
    assert service.process.wait(timeout=PATIENCE) == 0
    assert [line["message"] for line in logged(service, "s")].count("shutting down") == 1


@pytest.mark.slow
def test_a_worker_that_does_not_stop_is_killed(start):
    service = start("--drain-timeout", "1")
    # The supervisor knows how long workers may take once it knows that they serve.
    until(lambda: journals(service.process.pid), "a worker that the supervisor knows")
    os.kill(service.worker, signal.SIGSTOP)
    begun = time.monotonic()
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(timeout=PATIENCE) != 0
    assert 5 < time.monotonic() - begun < 20
    assert "1 workers did not stop, and are killed" in service.logged()


def can_be_first():
    return subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", "true"], capture_output=True).returncode == 0


first_process = pytest.mark.skipif(not can_be_first(), reason="needs the right to make a PID namespace")


@first_process
def test_as_the_first_process_it_obeys_signals_and_reaps():
    port = free_port()
    script = f'sleep 0.01 & sleep 0.02 & exec "{BINARY}" serve --port {port} --public "{PUBLIC}"'
    process = subprocess.Popen(
        ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", script], stderr=subprocess.DEVNULL
    )
    try:
        until(lambda: subprocess.run([BINARY, "health", "--port", str(port)], capture_output=True).returncode == 0, "health")
        [first] = children(process.pid)
        until(lambda: len(children(first)) == 1, "only the worker")
        os.kill(first, signal.SIGTERM)
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()


@first_process
@pytest.mark.parametrize("options", ["", "--no-supervisor"])
def test_health_knows_the_port_of_the_service_beside_it(options):
    """As in a container, whose image sets the variables."""
    port = free_port()
    script = f"""
        "$0" serve --port {port} --public "{PUBLIC}" {options} &
        for _ in $(seq 1000); do sleep 0.01; "$0" health 2> /dev/null && break; done
        "$0" health && kill $! && wait $!
    """
    outcome = subprocess.run(
        ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", script, BINARY],
        env={**os.environ, "TITLECARD_HOST": "0.0.0.0", "TITLECARD_PORT": str(free_port())},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.endswith("ok\n")


def test_one_process_alone(start):
    for service in (start("--no-supervisor"), start(environment={"TITLECARD_NO_SUPERVISOR": "true"})):
        assert children(service.process.pid) == []
        assert os.readlink(f"/proc/{service.process.pid}/exe").endswith("/titlecard-worker")
        assert service.render("svg", text="alone").status == 200
        assert metrics(service)("titlecard_connections") >= 1
        assert service.stop() == 0


# MARK: Several workers


def test_metrics_are_those_of_all_workers(start):
    service = start("--processes", "2")
    until(lambda: len(service.workers) == 2, "both workers")

    def count():
        found = metrics(service)
        return found("titlecard_requests_total", route="effects"), found("titlecard_render_workers")

    threads = count()[1]
    for number in range(1, 41):
        assert service.get("/effects").status == 200
        # A worker that has no time to report counts as it was.
        until(lambda number=number: count()[0] == number, "the request is counted")
    until(lambda: count()[1] == 2 * os.cpu_count(), "the gauges of both")
    kill_worker(service, signal.SIGKILL)
    until_all_serve(service)
    # What one has counted is not lost with it.
    assert count()[0] == 40 and threads
    assert service.get("/effects").status == 200
    assert count()[0] == 41
    text = service.get("/metrics").text
    assert text.count("titlecard_build_info{") == 1 and Metrics(text)("titlecard_worker_restarts_total") == 1
    assert service.stop() == 0


def test_more_processes_need_a_supervisor():
    outcome = subprocess.run([BINARY, "serve", "--no-supervisor", "--processes", "2"], capture_output=True, text=True)
    assert outcome.returncode == 64 and "--processes needs a supervisor" in outcome.stderr


# MARK: Size


@pytest.mark.alone
def test_the_supervisor_is_small(start):
    service = start()
    assert service.render("svg", text="small").status == 200
    with open(f"/proc/{service.process.pid}/smaps_rollup") as lines:
        memory = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    assert memory <= 6000
    maps = pathlib.Path(f"/proc/{service.process.pid}/maps").read_text()
    assert not LIBRARIES.search(maps)


@pytest.mark.skipif(shutil.which("strip") is None, reason="needs strip")
@pytest.mark.parametrize("program, megabytes", [(BINARY, 10), (WORKER, 23)], ids=["supervisor", "worker"])
def test_stripped_programs_are_small(tmp_path, program, megabytes):
    subprocess.run(["strip", "-o", tmp_path / "stripped", program], check=True)
    assert (tmp_path / "stripped").stat().st_size <= megabytes * 1_000_000


# MARK: The log


def test_lines_that_are_dropped_are_told_in_a_line_like_others():
    port = free_port()
    process = subprocess.Popen(
        [BINARY, "serve", "--port", str(port), "--public", PUBLIC], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    try:
        json.loads(process.stderr.readline())
        # Far more than wait in the pipe, in what is being written to it (a mebibyte), and behind that (another one).
        request = b"GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Request-Id: %s\r\n" % (b"x" * 64)
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
            reader = threading.Thread(target=lambda: list(iter(lambda: connection.recv(65536), b"")))
            reader.start()
            connection.sendall((request + b"\r\n") * 20000 + request + b"Connection: close\r\n\r\n")
            reader.join()
        process.terminate()
        lines = [json.loads(line) for line in process.stderr.read().splitlines()]
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
    assert all({"time", "level", "message"} <= set(line) for line in lines)
    assert any(re.fullmatch(r"\d+ lines dropped", line["message"]) and line["level"] == "warning" for line in lines)
