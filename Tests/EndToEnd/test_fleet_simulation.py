"""The simulation of Benchmarks/fleet.py beside its formulas, and its ring beside nginx's."""

import getpass
import http.client
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
import pytest

from service import REPOSITORY, free_port, until

sys.path.append(str(REPOSITORY / "Benchmarks"))
from fleet import EXPONENTS, Ring, Simulation, hashes

# How far a result may be from its formula: a multiple of the mean, relatively; the hit rate of some hundred requests; any
# other share.
MULTIPLE, BEGINNING, SHARE = 0.2, 0.03, 0.005
NGINX = """
user {user}; daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}
http {{
    access_log off;
    {folders}
    upstream replicas {{ hash $arg_key consistent; {servers} }}
    server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://replicas; }} }}
}}
"""


def results(exponent):
    simulation = Simulation(urls=40_000, replicas=64, pictures=40, seed=1, measured=40_000)
    return [*simulation.ring_results(), *simulation.results(exponent)]


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_hit_rates_and_loads_are_those_of_the_formulas(exponent):
    for result in results(exponent):
        if not result.is_share:
            tolerance = MULTIPLE * result.formula
        else:
            tolerance = BEGINNING if "requests after" in result.what else SHARE
        assert result.simulated == pytest.approx(result.formula, abs=tolerance), result


def test_the_same_seed_gives_the_same_results():
    assert results(1.0) == results(1.0)


def test_only_urls_of_the_lost_replica_move():
    ring, keys = Ring([f"10.0.0.{number}:8080" for number in range(64)]), hashes(10_000, 1)
    before = ring.server(keys)
    for lost in range(64):
        after = ring.without(lost).server(keys)
        assert numpy.array_equal(after != before, before == lost)


class Replica(BaseHTTPRequestHandler):
    """Says which one it is."""

    def do_GET(self):
        name = str(self.server.server_port).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(name)))
        self.end_headers()
        self.wfile.write(name)

    def log_message(self, *_):
        pass


@pytest.fixture
def replicas():
    """Four servers that answer with their ports."""
    servers = [ThreadingHTTPServer(("127.0.0.1", free_port()), Replica) for _ in range(4)]
    for server in servers:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield servers
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def chosen(replicas, tmp_path):
    """Returns a function that says to which port nginx sends a key."""
    port, configuration = free_port(), tmp_path / "nginx.conf"
    kinds = "client_body", "proxy", "fastcgi", "uwsgi", "scgi"
    configuration.write_text(
        NGINX.format(
            user=getpass.getuser(),
            folder=tmp_path,
            folders="".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds),
            servers="".join(f"server 127.0.0.1:{server.server_port};" for server in replicas),
            port=port,
        )
    )
    process = subprocess.Popen(["nginx", "-p", str(tmp_path), "-e", f"{tmp_path}/error.log", "-c", str(configuration)])

    def chosen(key):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("GET", f"/?key={key}")
            return int(connection.getresponse().read())
        finally:
            connection.close()

    def is_ready():
        assert process.poll() is None, (tmp_path / "error.log").read_text()
        try:
            return chosen("any")
        except ConnectionError:
            return False

    try:
        until(is_ready, "nginx")
        yield chosen
    finally:
        process.terminate()
        process.wait()


def test_nginx_sends_keys_where_the_ring_says_also_after_a_loss(replicas, chosen):
    ports = [server.server_port for server in replicas]
    ring = Ring([f"127.0.0.1:{port}" for port in ports])
    keys = [f"key-{number}" for number in range(200)]

    def expected(ring):
        return [ports[number] for number in ring.server(numpy.array([Ring.hash(key) for key in keys], numpy.uint32))]

    assert set(expected(ring)) == set(ports)
    assert [chosen(key) for key in keys] == expected(ring)
    replicas[2].shutdown()
    replicas[2].server_close()
    assert [chosen(key) for key in keys] == expected(ring.without(2))
