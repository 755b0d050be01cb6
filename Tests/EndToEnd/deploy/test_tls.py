"""Caddy of deploy/caddy before the nginx of deploy/nginx, as `docker compose --profile tls up` has them."""

import http.client
import http.server
import json
import os
import ssl
import subprocess
import threading

import pytest

from nginx import Nginx
from service import PATIENCE, REPOSITORY, Service, free_port, until

CADDY = REPOSITORY / "deploy/caddy"
# Debian's, which `make test-deps` unpacks.
PROGRAM = REPOSITORY / ".build/caddy/usr/bin/caddy"


class Replica(http.server.BaseHTTPRequestHandler):
    """Says who it was told that the client is."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        names = ["X-Forwarded-For", "X-Forwarded-Proto", "Host"]
        body = json.dumps({name: self.headers.get_all(name) for name in names}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


class Caddy:
    """The Caddy of compose with a certificate of its own, before an nginx."""

    def __init__(self, folder, nginx):
        self.port, self.plain_port = free_port(), free_port()
        text = (CADDY / "Caddyfile").read_text()
        assert "\tadmin off\n" in text
        ports = f"\thttp_port {self.plain_port}\n\thttps_port {self.port}\n\tskip_install_trust\n"
        (folder / "Caddyfile").write_text(text.replace("\tadmin off\n", "\tadmin off\n" + ports))
        environment = {**os.environ, "SITE": "localhost", "CACHE": f"{nginx.host}:{nginx.port}", "XDG_DATA_HOME": str(folder),
                       "XDG_CONFIG_HOME": str(folder)}
        command = [PROGRAM, "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"]
        self.log = open(folder / "caddy.log", "w+")
        self.process = subprocess.Popen(command, env=environment, stderr=self.log)
        root = folder / "caddy/pki/authorities/local/root.crt"
        until(lambda: self.runs() and root.exists(), "a certificate")
        self.context = ssl.create_default_context(cafile=root)
        until(self.listens, "caddy")

    def runs(self):
        assert self.process.poll() is None
        return True

    def listens(self):
        try:
            return self.get("/")
        except (OSError, http.client.HTTPException):
            return not self.runs()

    def get(self, target, headers={}, address="127.0.0.1"):
        connection = http.client.HTTPSConnection(
            "localhost", self.port, context=self.context, timeout=PATIENCE, source_address=(address, 0))
        connection.request("GET", target, headers=headers)
        answer = connection.getresponse()
        answer.body = answer.read()
        connection.close()
        return answer

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=PATIENCE) == 0
        self.log.close()


@pytest.fixture(scope="module")
def replica():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Replica)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


@pytest.fixture
def before(tmp_path):
    """before(port): Caddy and nginx before a replica."""
    running = []

    def before(port):
        nginx = Nginx(tmp_path, [port], clients=CADDY / "clients.conf", changes=[("172.28.0.4", "127.0.0.1")])
        running.append(nginx)
        running.append(Caddy(tmp_path, nginx))
        return running[1], nginx

    yield before
    for one in reversed(running):
        one.stop()


def test_the_configuration_is_valid():
    environment = {**os.environ, "SITE": "titlecard.example"}
    command = [PROGRAM, "validate", "--adapter", "caddyfile", "--config", CADDY / "Caddyfile"]
    outcome = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert outcome.returncode == 0, outcome.stderr
    assert '"warn"' not in outcome.stderr
    formatted = subprocess.run([PROGRAM, "fmt", CADDY / "Caddyfile"], capture_output=True, text=True, timeout=PATIENCE)
    assert formatted.stdout == (CADDY / "Caddyfile").read_text()


def test_a_picture_comes_by_tls_and_is_kept(before):
    service = Service("--trusted-proxies", "127.0.0.1")
    try:
        caddy, _ = before(service.port)
        direct = service.get("/render.svg?text=secret", {"Accept-Encoding": "gzip"})
        for state in ["MISS", "HIT"]:
            answer = caddy.get("/render.svg?text=secret", {"Accept-Encoding": "gzip"})
            assert (answer.status, answer.body, answer.headers["X-Cache"]) == (200, direct.body, state)
            assert answer.headers["ETag"] == direct.headers["ETag"]
        embedded = json.loads(caddy.get("/embed?text=x").body)
        assert embedded["url"].startswith(f"https://localhost:{caddy.port}/")
        caddy.log.seek(0)
        assert "secret" not in caddy.log.read()
    finally:
        service.stop()


def test_clients_are_those_that_connect_to_caddy(before, replica):
    caddy, nginx = before(replica)
    forged = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "gopher", "X-Real-IP": "192.0.2.1"}

    def told(answer):
        return json.loads(answer.body)

    for headers in [{}, forged]:
        assert told(caddy.get("/", headers, "127.0.0.7")) == {
            "X-Forwarded-For": ["127.0.0.7"], "X-Forwarded-Proto": ["https"], "Host": [f"localhost:{caddy.port}"]}
    # Past Caddy, nobody is believed.
    connection = http.client.HTTPConnection(nginx.host, nginx.port, timeout=PATIENCE, source_address=("127.0.0.8", 0))
    connection.request("GET", "/", headers=forged)
    answer = json.loads(connection.getresponse().read())
    assert (answer["X-Forwarded-For"], answer["X-Forwarded-Proto"]) == (["127.0.0.8"], ["http"])
    connection.close()


def test_without_tls_clients_are_sent_to_it(before, replica):
    caddy, _ = before(replica)
    connection = http.client.HTTPConnection("localhost", caddy.plain_port, timeout=PATIENCE)
    connection.request("GET", "/render.svg?text=x")
    answer = connection.getresponse()
    assert answer.status == 308 and answer.headers["Location"].startswith("https://localhost")
    connection.close()
