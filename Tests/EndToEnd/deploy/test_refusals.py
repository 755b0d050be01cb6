"""What replicas refuse, the nginx of deploy/nginx refuses too, whatever it has kept."""

import http.client
import http.server
import re
import signal
import subprocess
import threading
import time

import pytest

from nginx import Nginx
from service import BINARY, PATIENCE, Service, by_proof, until

TARGET = "/render.svg?text=kept"
BEHIND_NGINX = ["--trusted-proxies", "127.0.0.1"]
# A machine that is busy is no replica that hangs.
PATIENT = [(f"proxy_read_timeout {seconds}s", f"proxy_read_timeout {PATIENCE:.0f}s") for seconds in (2, 5)]
# So that keys expire while a test waits.
SHORT_LIVED = [*PATIENT, ("proxy_cache_valid 200 10m", "proxy_cache_valid 200 1s")]


class Replica(http.server.ThreadingHTTPServer):
    """A replica whose keys expire as soon as nginx has kept them, and which answers as it is told."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Exchange)
        self.accept()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]

    def accept(self):
        self.refuse(200)

    def refuse(self, status, wait=lambda: None):
        """Answers with a status from now on; calls a function before it answers for a key."""
        self.status, self.wait = status, wait


class Exchange(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        is_for_key, status = self.path.startswith("/canonical/"), self.server.status
        if is_for_key:
            self.server.wait()
        if status == "cut":
            self.close_connection = True
            return
        body = b"" if is_for_key else f"{self.path} {status}".encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 200:
            self.send_header("Cache-Control", "public, max-age=86400")
            if is_for_key:
                self.send_header("Titlecard-Key", f"3-{self.path.encode().hex()}")
                # For nginx, a time at which it expires: long ago.
                self.send_header("X-Accel-Expires", "@1")
        else:
            self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


@pytest.fixture
def replica():
    replica = Replica()
    yield replica
    replica.shutdown()


@pytest.fixture
def nginx(replica, tmp_path):
    nginx = Nginx(tmp_path, [replica.port], changes=PATIENT)
    yield nginx
    nginx.stop()


def drawn(nginx):
    """The picture, once it is kept."""
    answer = nginx.get(TARGET)
    assert answer.status == 200
    assert nginx.get(TARGET).headers["X-Cache"] == "HIT"
    return answer.body


@pytest.mark.parametrize("status", [400, 401, 403, 404, 406, 414, 422, 429])
def test_the_first_request_after_a_refusal_gets_it(replica, nginx, status):
    body = drawn(nginx)
    replica.refuse(status)
    for _ in range(3):
        answer = nginx.get(TARGET)
        assert (answer.status, answer.body) == (status, f"{TARGET} {status}".encode())
        assert answer.headers["Cache-Control"] == "no-store"
    replica.accept()
    again = nginx.get(TARGET)
    assert (again.status, again.body, again.headers["X-Cache"]) == (200, body, "HIT")


@pytest.mark.parametrize("status", [500, 502, 503, 504, "cut"])
def test_a_picture_comes_while_replicas_fail(replica, nginx, status):
    body = drawn(nginx)
    replica.refuse(status)
    for _ in range(3):
        answer = nginx.get(TARGET)
        assert (answer.status, answer.body) == (200, body)


def test_a_picture_comes_while_a_replica_does_not_answer(replica, tmp_path):
    nginx, has_ended = Nginx(tmp_path, [replica.port]), threading.Event()
    try:
        body = drawn(nginx)
        replica.refuse(403, wait=has_ended.wait)
        answer = nginx.get(TARGET)
        assert (answer.status, answer.body) == (200, body)
    finally:
        has_ended.set()
        nginx.stop()


def test_nobody_gets_the_picture_while_a_replica_considers(replica, nginx):
    """Each request whose key has expired asks, since the lock of nginx is for keys that are not there."""
    drawn(nginx)
    replica.refuse(403, wait=threading.Barrier(4, timeout=PATIENCE).wait)
    statuses = []
    clients = [threading.Thread(target=lambda: statuses.append(nginx.get(TARGET).status)) for _ in range(4)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert statuses == [403] * 4


# MARK: Services


class Keys:
    """A folder with a file of signing keys, which services read, and a file with each of them."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = self.write("all", [])

    def write(self, file, names):
        (self.folder / file).write_text("".join(f"{name} the secret of {name}\n" for name in names))
        return {"TITLECARD_SIGNING_KEYS_FILE": str(self.folder / file)}

    def use(self, names, *services):
        """Has services take the keys of these names alone."""
        self.write("all", names)
        for service in services:
            before = service.logged().count("pictures were reloaded")
            service.process.send_signal(signal.SIGHUP)
            until(lambda: service.logged().count("pictures were reloaded") > before, "the keys")

    def sign(self, name, target):
        command, environment = [BINARY, "sign", target], self.write(name, [name])
        outcome = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return outcome.stdout.strip()


class Traffic(threading.Thread):
    """A client that asks for the same targets again and again."""

    def __init__(self, nginx, targets):
        super().__init__(daemon=True)
        self.nginx, self.targets = nginx, targets
        self.has_ended = threading.Event()
        # (number of the round, target, status)
        self.seen = []
        self.rounds = 0
        self.start()

    def run(self):
        while not self.has_ended.is_set():
            for target in self.targets:
                self.seen.append((self.rounds, target, self.nginx.get(target).status))
            self.rounds += 1

    def another_round(self):
        """Waits until each target has been asked for once more, from now on; returns the number of that round."""
        next = self.rounds + 1
        until(lambda: self.rounds > next, "a round of traffic")
        return next

    def stop(self):
        self.has_ended.set()
        self.join(PATIENCE)
        assert not self.is_alive()

    def statuses(self, targets, rounds=slice(None)):
        """The statuses that some targets had in a range of rounds."""
        numbers = range(self.rounds + 1)[rounds]
        return {status for round, target, status in self.seen if target in targets and round in numbers}


@pytest.mark.slow
def test_after_a_key_is_removed_no_request_gets_its_pictures(tmp_path):
    """While traffic goes on: URLs of a new key work from its beginning, and those of the old one until its end."""
    keys = Keys(tmp_path)
    keys.write("all", ["old"])
    services = [Service(*BEHIND_NGINX, environment=keys.environment) for _ in range(2)]
    nginx = Nginx(tmp_path, [service.port for service in services], changes=SHORT_LIVED)
    traffic = []

    def signed(name):
        return [keys.sign(name, f"/render.svg?text={name}+{number}") for number in range(5)]

    try:
        (idle, *old), new, [last, *_] = signed("old"), signed("new"), signed("last")
        assert nginx.get(idle).status == 200
        traffic += [Traffic(nginx, old) for _ in range(2)]
        keys.use(["new", "last", "old"], *services)
        traffic += [Traffic(nginx, new) for _ in range(2)]
        removed = [each.another_round() for each in traffic]
        keys.use(["new", "last"], *services)
        # When the key of this URL has expired, which nginx asks for after those of all others, theirs have.
        assert nginx.get(last).status == 200
        keys.use(["new"], *services)
        until(lambda: nginx.get(last).status == 403, "the last key to expire")
        refused = nginx.get(idle)
        assert (refused.status, refused.headers["Cache-Control"]) == (403, "no-store")
        assert refused.body == services[0].get(idle).body
        expired = [each.another_round() for each in traffic]
        for each in traffic:
            each.another_round()
            each.stop()
        for each, begun, ended in zip(traffic, removed, expired):
            assert each.statuses(old + new, slice(begun)) == {200}
            assert each.statuses(new, slice(ended, None)) <= {200}
            assert each.statuses(old, slice(ended, None)) <= {403}
        assert all(each.statuses(new) <= {200} for each in traffic)
    finally:
        for each in traffic:
            each.stop()
        nginx.stop()
        for service in services:
            service.stop()


def keys_asked(service):
    """How often a service has been asked for a key."""
    names = [f'titlecard_requests_total{{route="canonical",status="{status}"}}' for status in (200, 403)]
    return sum(map(service.metric, names))


@pytest.mark.parametrize(
    "options, target, status",
    [
        (["--only-presets"], "/render.svg?text=a&size=40", 400),
        (["--only-presets"], "/r/", 403),
        (["--only-presets"], "/?lines=a", 403),
        (["--only-presets"], "/typing?lines=a", 403),
        (["--max-graphemes", "20"], "/render.svg?text=a+text+of+thirty+characters", 422),
        ("key", "/render.svg?text=a", 403),
        ("key", "/r/", 403),
    ],
)
def test_what_a_service_takes_no_more_is_refused_whatever_is_kept(tmp_path, options, target, status):
    before = Service(*BEHIND_NGINX)
    nginx = Nginx(tmp_path, [before.port], changes=SHORT_LIVED)
    after, last = None, "/render.svg?text=last"
    try:
        if target == "/r/":
            target = before.get("/render.svg?text=a&size=40").headers["Content-Location"]
        assert nginx.get(target).status == 200
        before.stop()
        environment = None
        if options == "key":
            keys, options = Keys(tmp_path), []
            environment = keys.write("all", ["key"])
            last = keys.sign("key", last)
        after = Service(*BEHIND_NGINX, *options, port=before.port, environment=environment)
        assert nginx.get(last).status == 200
        asked = keys_asked(after)
        until(lambda: nginx.get(last).status == 200 and keys_asked(after) > asked, "a key to expire")
        for _ in range(2):
            refused, direct = nginx.get(target), after.get(target)
            assert (refused.status, refused.body) == (status, direct.body)
            assert refused.headers["Cache-Control"] == "no-store"
    finally:
        nginx.stop()
        before.stop()
        if after:
            after.stop()


@pytest.mark.slow
def test_refused_requests_displace_nothing(tmp_path):
    """Far more of them than the caches have room for."""
    keys = Keys(tmp_path)
    environment = keys.write("all", ["key"])
    service = Service(*BEHIND_NGINX, environment=environment)
    changes = [*PATIENT,
               ("keys_zone=titlecard_keys:64m", "keys_zone=titlecard_keys:64k"),
               ("keys_zone=titlecard_pictures:64m", "keys_zone=titlecard_pictures:64k"),
               ("proxy_cache_valid 200 10m", "proxy_cache_valid 200 1d")]  # fmt: skip
    nginx = Nginx(tmp_path, [service.port], changes=changes)

    def flood(numbers):
        connection = http.client.HTTPConnection(nginx.host, nginx.port, timeout=PATIENCE)
        for number in numbers:
            # Unsigned, with the signature of another, and at fault.
            target = ["/render.svg?text={}", kept[0] + "{}", "/?lines={}"][number % 3].format(number)
            connection.request("GET", target)
            answer = connection.getresponse()
            answer.read()
            statuses.append(answer.status)
        connection.close()

    try:
        kept = [keys.sign("key", f"/render.svg?text=kept+{number}") for number in range(20)]
        for target in kept:
            assert nginx.get(target).status == 200
        files = sorted((tmp_path / "cache").rglob("*"))
        assert len([file for file in files if file.is_file()]) == 2 * len(kept)
        asked, count = keys_asked(service), by_proof(3000, 100_000)
        statuses = []
        clients = [threading.Thread(target=flood, args=[range(first, count, 4)]) for first in range(4)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        assert statuses == [403] * count
        assert keys_asked(service) == asked + count
        assert [nginx.get(target).headers["X-Cache"] for target in kept] == ["HIT"] * len(kept)
        assert keys_asked(service) == asked + count
        assert sorted((tmp_path / "cache").rglob("*")) == files
    finally:
        nginx.stop()
        service.stop()


def test_no_picture_outlives_its_address(tmp_path):
    """Neither by the key, which is not kept, nor by the picture, which another address has had kept for longer."""
    keys = Keys(tmp_path)
    services = [Service(*BEHIND_NGINX, environment=keys.write("all", ["own"]))]
    nginx = Nginx(tmp_path, [service.port for service in services], changes=PATIENT)
    try:
        lasting = nginx.get(keys.sign("own", TARGET))
        assert lasting.headers["Cache-Control"] == "public, max-age=86400"
        end = int(time.time()) + 3
        ending = keys.sign("own", f"{TARGET}&expires={end}")
        answer = nginx.get(ending)
        assert answer.body == lasting.body and answer.headers["X-Cache"] == "HIT"
        lifetime = re.fullmatch(r"public, max-age=(\d+)", answer.headers["Cache-Control"])
        assert 1 <= int(lifetime[1]) <= 3 and f"expires={end}" in answer.headers["Content-Location"]
        until(lambda: nginx.get(ending).status == 403, "the end of the address")
        assert time.time() >= end and nginx.get(ending).json["type"].endswith("#expired")
        assert nginx.get(keys.sign("own", TARGET)).headers["X-Cache"] == "HIT"
    finally:
        nginx.stop()
        for service in services:
            service.stop()


def test_each_answer_has_the_number_of_its_own_request(tmp_path):
    services = [Service(*BEHIND_NGINX)]
    nginx = Nginx(tmp_path, [service.port for service in services], changes=PATIENT)
    try:
        answers = [nginx.get(target) for target in [TARGET, TARGET, TARGET, "/effects", "/render.svg"]]
        assert [answer.headers["X-Cache"] for answer in answers[:3]] == ["MISS", "HIT", "HIT"]
        assert len({answer.headers["X-Request-Id"] for answer in answers}) == len(answers)
        assert all(len(answer.headers.get_all("X-Request-Id")) == 1 for answer in answers)
    finally:
        nginx.stop()
        for service in services:
            service.stop()
