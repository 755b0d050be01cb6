"""The simulation of Benchmarks/fleet.py beside its formulas, and its ring beside nginx's."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy
import pytest

from nginx import PlainNginx
from service import REPOSITORY, free_port

sys.path.append(str(REPOSITORY / "Benchmarks"))
from fleet import EXPONENTS, Ring, Simulation, hashes

# How far a result may be from its formula: a multiple of the mean, relatively; the hit rate of some hundred requests; any
# other share.
MULTIPLE, BEGINNING, SHARE = 0.2, 0.03, 0.005


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
    port = free_port()
    servers = " ".join(f"server 127.0.0.1:{server.server_port};" for server in replicas)
    nginx = PlainNginx(tmp_path, port, f"""
        upstream replicas {{ hash $arg_key consistent; {servers} }}
        server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://replicas; }} }}""")
    yield lambda key: int(nginx.get(f"/?key={key}").body)
    nginx.stop()


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
