"""The server under test as a process, and a client that sends exactly the given bytes and headers."""

import collections
import errno
import http.client
import itertools
import json
import math
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib
from dataclasses import dataclass

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
# The executable specification, for programs that use these modules; tests know it by pytest.ini.
sys.path.insert(0, str(REPOSITORY / "Tests/Reference"))
BINARY = pathlib.Path(os.environ.get("TEST_BINARY", REPOSITORY / ".build/release/titlecard")).absolute()
# A server with an effect and a format that only tests know (Tests/Extension).
PUBLIC = REPOSITORY / "Public"
# Of the permalinks that the server writes: `Renderer.revision`.
REVISION = 4
# Seconds until a condition that never holds is a failure.
PATIENCE = float(os.environ.get("TEST_PATIENCE", 30))


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()

    @property
    def faults(self):
        """The names in a problem's `errors`."""
        return [error.get("parameter") for error in self.json.get("errors", [])]


def messages(errors):
    """The messages that a command wrote to standard error: `serve` writes them as lines of JSON, others as text."""
    return [json.loads(line)["message"] if line.startswith("{") else line.removeprefix("error: ")
            for line in errors.splitlines()]


def extension_binary():
    """Returns the path of the extended server: TEST_EXTENSION_BINARY, or that of a new build."""
    if binary := os.environ.get("TEST_EXTENSION_BINARY"):
        return pathlib.Path(binary).absolute()
    subprocess.run(["make", "extension"], cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)
    return REPOSITORY / ".build/release/extended-titlecard"


def until(condition, what):
    """Waits for a condition and returns its first value that is not false."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE} s"
        time.sleep(0.01)
    return value


def commits():
    """Returns the numbers of the commits whose samples run: those of TEST_SAMPLE, or that of the commit checked out."""
    command = ["git", "-C", REPOSITORY, "rev-list", "--count", "HEAD"]
    given = os.environ.get("TEST_SAMPLE") or subprocess.run(command, capture_output=True, text=True).stdout.strip() or "0"
    first, _, last = given.partition("-")
    return range(int(first), int(last or first) + 1)


# All cases of long lists are tested (TEST_PROOF=1), or a sample that turns with each commit.
IS_PROOF = os.environ.get("TEST_PROOF") == "1"
COMMITS = commits()
# Tests that take seconds run for one commit of `SLOW`; `ROTATION` commits run every case.
SLOW, ROTATION = 3, 30


def sample(whole, count, name="", commits=COMMITS):
    """Returns the members of a list that some commits test, in their order: `count` for each; as a proof all of them.

    The name puts the list into another order, of which each commit takes the next part. The number of parts is no
    multiple of `SLOW`, so that a test that runs for one of so many commits meets all of them too.
    """
    if IS_PROOF or len(whole) <= count:
        return whole
    parts = math.ceil(len(whole) / count)
    parts += parts % SLOW == 0
    order = random.Random(name).sample(range(len(whole)), len(whole))
    chosen = {order[(commit % parts * count + index) % len(whole)] for commit in commits for index in range(count)}
    return [whole[index] for index in sorted(chosen)]


def sample_of_cases(cases, name, is_slow, commits=COMMITS):
    """Returns the cases of a test that some commits run; `ROTATION` commits in a row run all of them."""
    if IS_PROOF or not is_slow:
        # One part less, for `sample` may add one.
        return sample(cases, math.ceil(len(cases) / (ROTATION - 1)), name, commits)
    own = [commit for commit in commits if commit % SLOW == zlib.crc32(name.encode()) % SLOW]
    return sample(cases, math.ceil(len(cases) * SLOW / ROTATION), name, own) if own else []


def by_proof(usually, as_proof):
    """Returns how much of something a test does: the usual, or more when the tests run as a proof."""
    return as_proof if IS_PROOF else usually


def is_worker(pid):
    """Whether a child of a supervisor is a worker that serves, and no trial: it keeps a journal."""
    return bool(journals(pid))


def journals(pid):
    """The files of the journals that a process has: a worker its own, a supervisor those of the workers that have told
    it that they serve."""
    try:
        paths = [f"/proc/{pid}/fd/{number}" for number in os.listdir(f"/proc/{pid}/fd")]
    except OSError:
        return []
    return [path for path in paths if "titlecard-journal" in link(path)]


def stop_threads(process):
    """Stops a process (SIGSTOP), and waits until each of its threads has stopped: until then it takes connections."""
    os.kill(process, signal.SIGSTOP)

    def is_stopped():
        stats = pathlib.Path(f"/proc/{process}/task").glob("*/stat")
        return {path.read_text().rpartition(")")[2].split()[0] for path in stats} == {"T"}

    until(is_stopped, "the stop of all threads")


# What the supervisor answers where a worker has been down for a second.
WITHOUT_WORKER = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"


def is_without_worker(answer):
    """Whether an answer, or all that was received, is the supervisor's."""
    if isinstance(answer, bytes):
        return answer == WITHOUT_WORKER
    names = {"Content-Length": "0", "Retry-After": "1", "Connection": "close"}
    return answer.status == 503 and dict(answer.headers) == names and answer.body == b""


def of_worker(ask, death):
    """The first answer that is a worker's; none may be the supervisor's within a second of a death."""
    while is_without_worker(answer := ask()):
        assert 1 < time.monotonic() - death < PATIENCE
    return answer


def link(path):
    """What a link refers to; nothing if it is gone."""
    try:
        return os.readlink(path)
    except OSError:
        return ""


# Ports that no client is given; processes that test beside each other begin at different ones.
ports = itertools.cycle(range(10_000, 32_000))
collections.deque(itertools.islice(ports, os.getpid() * 131 % 22_000), maxlen=0)


def free_port(host="127.0.0.1"):
    """Returns a port of which nobody else has been told and at which nobody listens."""
    for port in ports:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            try:
                probe.bind((host, port))
                return port
            except OSError as fault:
                if fault.errno != errno.EADDRINUSE:
                    raise


def query(request):
    """Returns a request as the query of a URL."""

    def text(value):
        if isinstance(value, bool):
            return str(value).lower()
        return json.dumps(value) if isinstance(value, (list, dict)) else value

    return urllib.parse.urlencode({name: text(value) for name, value in request.items()})


class Client:
    """A client of whatever listens at a port, on a new connection for each request."""

    def __init__(self, port, host="127.0.0.1", patience=PATIENCE):
        self.host, self.port, self.patience = host, port, patience
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def request(self, method, target, body=None, headers=None):
        """Sends one request on a new connection, with no headers but those given, Host, and a body's length."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.patience)
        try:
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None and "Transfer-Encoding" not in (headers or {}):
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, target, headers=None):
        return self.request("GET", target, headers=headers)

    def fetch(self, address):
        """Returns the rendering at an absolute address of the server."""
        assert address.startswith(self.url + "/")
        answer = self.get(address.removeprefix(self.url))
        assert answer.status == 200, (address, answer.text)
        return answer

    def metric(self, name):
        """The sum of a metric's samples, of which there may be none yet."""
        lines = self.get("/metrics").text.splitlines()
        assert any(line.startswith("# TYPE ") and name.startswith(line.split()[2]) for line in lines), name
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith((name + " ", name + "{")))

    def post(self, target, body, kind="application/json", headers=None):
        if not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        body = body.encode() if isinstance(body, str) else body
        return self.request("POST", target, body, {"Content-Type": kind, **(headers or {})})

    def render(self, format, /, **request):
        """Returns the rendering of a request; any status but 200 is a failure."""
        answer = self.post(f"/render.{format}", request)
        assert answer.status == 200, answer.text
        return answer

    def raw(self, data):
        """Sends bytes, and returns all that the server sends until it closes the connection."""
        with socket.create_connection((self.host, self.port), timeout=PATIENCE) as connection:
            connection.sendall(data)
            return b"".join(iter(lambda: connection.recv(65536), b""))


class Server(Client):
    """A server in a process of its own, of any kind that answers `/health`."""

    def __init__(self, command, port, host="127.0.0.1", **details):
        super().__init__(port, host)
        # The process shares the file's offset, so it has to append.
        self.log = tempfile.TemporaryFile("ab+")
        self.process = subprocess.Popen(
            [str(part) for part in command],
            stderr=self.log,
            # Linux shares processors among sessions first (autogroup): within that of the tests, the low priority of
            # long renderings would leave them next to nothing while anything else is busy there.
            start_new_session=True,
            **details,
        )
        try:
            until(self.is_ready, "the server's /health")
        except BaseException:
            self.stop()
            raise

    def is_ready(self):
        assert self.process.poll() is None, f"the server ended: {self.logged()}"
        try:
            return self.get("/health").status == 200
        except ConnectionError:
            return False

    def stop(self):
        """Stops the server as Docker does, and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=PATIENCE)
        finally:
            self.process.kill()

    def logged(self):
        return os.pread(self.log.fileno(), os.fstat(self.log.fileno()).st_size, 0).decode()

    def logged_lines(self):
        """The lines of the log that are written to their end."""
        return self.logged().split("\n")[:-1]

    def logged_entries(self):
        """The log so far; every line is an object, but those that fontconfig writes by itself."""
        return [json.loads(line) for line in self.logged_lines() if not line.startswith("Fontconfig ")]


class Service(Server):
    """A running `titlecard serve`, or another binary that takes the same arguments."""

    def __init__(self, *options, host="127.0.0.1", port=None, environment=None, preexec_fn=None, binary=BINARY):
        self.binary = binary
        port = port or free_port(host)
        command = [binary, "serve", "--host", host, "--port", port, "--public", PUBLIC, *options]
        environment = {**os.environ, **(environment or {})}
        super().__init__(command, port, host, stdout=subprocess.DEVNULL, env=environment, preexec_fn=preexec_fn)

    @property
    def parameters(self):
        """The entries of /parameters by name."""
        return {one["name"]: one for one in self.get("/parameters").json["parameters"]}

    @property
    def workers(self):
        """The ids of the processes that serve: those that the supervisor has started, or else the process itself."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return sorted(filter(is_worker, map(int, children))) if children else [self.process.pid]

    @property
    def worker(self):
        """The id of the one process that serves."""
        [worker] = self.workers
        return worker
