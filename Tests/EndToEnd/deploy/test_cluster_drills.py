"""What goes wrong around replicas behind nginx, and what their clients see of it.

`make cluster-test` runs it whole.
"""

import collections
import contextlib
import http.client
import os
import signal
import socket
import subprocess
import time

import pytest

from cluster import REPLICAS, Cluster
from nginx import Nginx
from service import BINARY, PATIENCE, Client, Service, by_proof, free_port, until

BEHIND_NGINX = ["--trusted-proxies", "127.0.0.1"]
MAY_MOUNT = subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


@pytest.fixture
def running():
    """running(thing): the thing, which is stopped after the test."""
    with contextlib.ExitStack() as stack:
        def keep(thing):
            stack.callback(thing.stop)
            return thing

        yield keep


def from_address(nginx, address, target, headers=()):
    """The answer to a client at an address, all of 127.0.0.0/8 being this machine's."""
    connection = http.client.HTTPConnection(nginx.host, nginx.port, timeout=PATIENCE, source_address=(address, 0))
    with contextlib.closing(connection):
        connection.request("GET", target, headers=dict(headers))
        answer = connection.getresponse()
        answer.read()
        return answer


def new_pictures(nginx, name, count):
    """The statuses of pictures that nobody has asked for, and the seconds that the slowest took."""
    statuses, slowest = collections.Counter(), 0
    for number in range(count):
        begun = time.monotonic()
        try:
            statuses[nginx.get(f"/render.svg?text={name}+{number}").status] += 1
        except (http.client.HTTPException, OSError) as fault:
            statuses[repr(fault)] += 1
        slowest = max(slowest, time.monotonic() - begun)
    return statuses, slowest


# MARK: Limits


def test_limits_count_misses_and_not_hits(tmp_path, running):
    service = running(Service(*BEHIND_NGINX))
    nginx = running(Nginx(tmp_path, [service.port], rate="20r/s"))
    kept = "/render.svg?text=kept"
    assert nginx.get(kept).status == 200
    for _ in range(600):
        assert nginx.get(kept).status == 200
    answers = [nginx.get(f"/render.svg?text=miss+{number}") for number in range(600)]
    refused = [answer for answer in answers if answer.status != 200]
    assert len(answers) - len(refused) >= 200 and refused
    for answer in refused:
        assert (answer.status, answer.json["status"]) == (429, 429)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert (answer.headers["Retry-After"], answer.headers["Cache-Control"]) == ("1", "no-store")
    # A client cannot claim to be another, nor bring a key of its own.
    forged = {"X-Forwarded-For": "192.0.2.1", "X-Real-IP": "192.0.2.1", "Titlecard-Key": "4-x", "Forwarded": "for=192.0.2.1"}
    answers = [nginx.get(f"/render.svg?text=forged+{number}", forged).status for number in range(60)]
    assert 429 in answers
    # What is kept comes all the while, and another client's pictures too.
    assert nginx.get(kept).status == 200
    assert from_address(nginx, "127.0.0.7", "/render.svg?text=another").status == 200
    # Nothing of the refusals was kept.
    last = f"/render.svg?text=forged+{59}"
    until(lambda: nginx.get(last).status == 200, "a place under the limit")


def test_a_picture_that_has_expired_comes_past_the_limit(tmp_path, running):
    service = running(Service(*BEHIND_NGINX, "--cache-control", "public, max-age=1"))
    nginx = running(Nginx(tmp_path, [service.port], rate="1r/s"))
    kept, number = nginx.get("/render.svg?text=kept"), iter(range(100_000))

    def comes_stale():
        while nginx.get(f"/render.svg?text=miss+{next(number)}").status == 200:
            pass
        answer = nginx.get("/render.svg?text=kept")
        assert (answer.status, answer.body) == (200, kept.body)
        return answer.headers["X-Cache"] == "STALE"

    until(comes_stale, "an old picture")


def test_the_host_has_its_port(tmp_path, running):
    service = running(Service(*BEHIND_NGINX))
    nginx = running(Nginx(tmp_path, [service.port]))
    for target in ["/embed?text=x", "/embed?text=y"]:
        assert nginx.get(target).json["url"].startswith(f"http://127.0.0.1:{nginx.port}/")
    # HTTP/1.0 needs no Host.
    assert b" 200 OK" in nginx.raw(b"GET /embed?text=x HTTP/1.0\r\n\r\n")


# MARK: The disk


@pytest.mark.skipif(not MAY_MOUNT, reason="only root may mount a disk")
def test_a_disk_that_is_full_stops_no_picture(tmp_path, running):
    service = running(Service(*BEHIND_NGINX))
    nginx = running(Nginx(tmp_path, [service.port], disk=600_000))
    count = by_proof(60, 150)
    assert new_pictures(nginx, "a+picture+for+a+full+disk", count)[0] == {200: count}
    assert "full+disk" not in nginx.logged()


# MARK: Hosts and processes


@pytest.mark.slow
def test_a_replica_that_hangs_is_left_alone(tmp_path, running):
    cluster = running(Cluster(tmp_path))
    kept = cluster.nginx.get("/render.svg?text=kept").body
    stopped = cluster.hang(1)
    try:
        # Its first requests wait until it is known that it hangs: 2 s for a key, and 2 s for a picture.
        statuses, slowest = new_pictures(cluster.nginx, "hung", by_proof(40, 100))
        assert set(statuses) == {200} and slowest < 20
        for index in {0, 2, 3}:
            stopped += cluster.hang(index)
        assert cluster.nginx.get("/render.svg?text=kept").body == kept
    finally:
        for process in stopped:
            os.kill(process, signal.SIGCONT)
    until(lambda: cluster.nginx.get("/render.svg?text=after").status == 200, "the replicas")


@pytest.fixture
def gone():
    """The address of a host that takes no packet: its queue of connections is full, and the system drops the rest."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener, contextlib.ExitStack() as stack:
        for _ in range(4):
            client = stack.enter_context(socket.socket())
            client.setblocking(False)
            client.connect_ex(listener.getsockname())
        yield "{}:{}".format(*listener.getsockname())


def test_a_host_that_is_gone_is_left_alone(tmp_path, running, gone):
    services = [running(Service(*BEHIND_NGINX)) for _ in range(2)]
    nginx = running(Nginx(tmp_path, [services[0].port, gone, services[1].port]))
    statuses, slowest = new_pictures(nginx, "gone", 60)
    # A quarter of a second for a key, and another for a picture.
    assert statuses == {200: 60} and slowest < 5


def test_replicas_that_refuse_stay_in_use(tmp_path, running):
    """A client whose permalinks are of a newer release gets 503; that takes no replica from others."""
    cluster = running(Cluster(tmp_path))
    for number in range(5 * REPLICAS):
        assert cluster.nginx.get(f"/r/9/{number}.svg").status == 503
    before = [replica.metric("titlecard_render_seconds_count") for replica in cluster.replicas]
    assert new_pictures(cluster.nginx, "others", 80)[0] == {200: 80}
    after = [replica.metric("titlecard_render_seconds_count") for replica in cluster.replicas]
    assert all(one > other for one, other in zip(after, before))


# MARK: Metrics


class CacheMetrics(Client):
    """`titlecard cache-metrics` for an nginx."""

    def __init__(self, syslog, folder):
        super().__init__(free_port())
        self.process = subprocess.Popen(
            [BINARY, "cache-metrics", "--syslog", f"127.0.0.1:{syslog}", "--listen", f"127.0.0.1:{self.port}", "--folder", folder])
        until(self.listens, "the metrics")

    def listens(self):
        assert self.process.poll() is None
        try:
            return self.get("/metrics")
        except (ConnectionError, http.client.HTTPException):
            return False

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=PATIENCE) == 0


@pytest.mark.skipif(not MAY_MOUNT, reason="only root may mount a disk")
def test_what_nginx_says_is_counted_and_not_kept(tmp_path, running):
    service, syslog = running(Service(*BEHIND_NGINX)), free_port()
    nginx = running(Nginx(tmp_path, [service.port], metrics=syslog, disk=20_000,
                          changes=[("min_free=512m ", ""), ("min_free=256m ", "")]))
    # nginx came first, and asks nothing of the other.
    assert nginx.get("/render.svg?text=before").status == 200
    metrics = running(CacheMetrics(syslog, tmp_path))

    def answers(labels):
        return metrics.metric(f"titlecard_nginx_answers_total{{{labels}}}")

    # The first datagram after it was missed may get lost.
    until(lambda: nginx.get("/render.svg?text=x&size=x").status == 400 and answers('cache="none",status="4xx"') > 0, "refusals")
    assert nginx.get("/render.svg?text=miss").headers["X-Cache"] == "MISS"
    until(lambda: answers('cache="miss",status="2xx"') > 0, "a miss")
    for _ in range(2000):
        nginx.get("/render.svg?text=miss")
    # One hit in thirty-two speaks for all.
    until(lambda: 1000 < answers('cache="hit",status="2xx"') < 4000, "hits")
    new_pictures(nginx, "disk", 60)
    full = [f'titlecard_nginx_messages_total{{level="{level}",kind="disk_full"}}' for level in ("alert", "crit")]
    until(lambda: sum(map(metrics.metric, full)) > 0, "a full disk")
    service.stop()
    new_pictures(nginx, "stopped", 5)
    until(lambda: metrics.metric('titlecard_nginx_messages_total{level="error",kind="unreachable"}') > 0, "a dead replica")
    text = metrics.get("/metrics").text
    assert "disk+" not in text and 0 < metrics.metric("titlecard_nginx_disk_free_bytes") <= metrics.metric("titlecard_nginx_disk_bytes")
    assert metrics.get("/").status == 404


def test_datagrams_that_mean_nothing_are_dropped(running, tmp_path):
    syslog = free_port()
    metrics = running(CacheMetrics(syslog, tmp_path))
    head = b"<190>Nov 30 01:31:46 nginx: "
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for message in [b"", b" ", b"x" * 9000, head, head + b"titlecard 16 HIT", head + b"titlecard -1 HIT 200",
                        head + b"titlecard 99999 HIT 200", head + b"titlecard 1 hit 200", head + b"titlecard 1 HIT 99",
                        head + b"titlecard 1 HIT 600", head + b"a b [none] c d", head + b"titlecard 9e9 HIT 200", b"\xff" * 99]:
            sender.sendto(message, ("127.0.0.1", syslog))
        sender.sendto(head + b"titlecard 16 HIT 200", ("127.0.0.1", syslog))
        sender.sendto(head + b"2026/11/30 01:31:46 [crit] 1#1: *1 pwrite() failed (28: No space left on device), client: (110: x",
                      ("127.0.0.1", syslog))
    until(lambda: metrics.metric("titlecard_nginx_messages_total") == 1, "a message")
    assert metrics.metric("titlecard_nginx_answers_total") == 16
    assert metrics.metric('titlecard_nginx_messages_total{level="crit",kind="disk_full"}') == 1
