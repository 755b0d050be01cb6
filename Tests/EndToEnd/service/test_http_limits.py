"""What HTTP clients may take: every limit by its option and by its variable."""

import re
import resource
import select
import socket
import subprocess

import pytest

from service import BINARY, PATIENCE, REPOSITORY, Service, until

OPERATIONS = REPOSITORY / "docs/operations.md"
REQUEST = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
HALF_A_BODY = b"POST /render HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nx"


def connect(service, receive_buffer=None):
    connection = socket.socket()
    connection.settimeout(PATIENCE)
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.connect((service.host, service.port))
    return connection


def ask(connection):
    """The head of the answer to one request."""
    connection.sendall(REQUEST)
    return connection.recv(65536)


def everything(connection):
    return b"".join(iter(lambda: connection.recv(65536), b""))


def statuses(service, data):
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d+)", service.raw(data))]


def connections_wait(service):
    """Of three connections two are served, and the third when one of them ends."""
    with connect(service) as first:
        # One that has not asked makes room for the next, and that of the look at /health may be counted still.
        assert b" 200 " in ask(first)
        with connect(service) as second:
            # Before the third comes: each loop has a queue of its own, and of several that wait any may be taken first.
            assert b" 200 " in ask(second)
            with connect(service) as third:
                third.sendall(REQUEST)
                assert b" 200 " in ask(first)
                assert not select.select([third], [], [], 0)[0]
                first.close()
                assert b" 200 " in third.recv(65536)


def requests_are_counted(service):
    answers = service.raw(REQUEST * 3)
    assert answers.count(b"HTTP/1.1 200 ") == 2 and answers.count(b"Connection: close") == 1


def target_is_bounded(service):
    assert statuses(service, b"GET /health?%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 100)) == [414]


def head_is_bounded(service):
    assert statuses(service, REQUEST[:-2] + b"X: %s\r\n\r\n" % (b"a" * 200)) == [431]


def fields_are_counted(service):
    assert statuses(service, REQUEST[:-2] + b"X: 1\r\n" * 4 + b"\r\n") == [431]


def body_is_bounded(service):
    assert statuses(service, HALF_A_BODY[:-1].replace(b": 9", b": 100") + b"x" * 100) == [413]


def captions_are_bounded(service):
    captions = HALF_A_BODY[:-1].replace(b"text/plain", b"text/vtt").replace(b": 9", b": 100") + b"x" * 100
    assert b"text/vtt" in captions and statuses(service, captions) == [413]


def head_has_its_time(service):
    assert statuses(service, REQUEST[:-2]) == [408]


def body_has_its_time(service):
    assert statuses(service, HALF_A_BODY) == [408]


def idleness_ends(service):
    with connect(service) as connection:
        assert b" 200 " in ask(connection)
        assert connection.recv(1) == b""


def a_reader_that_does_not_read_is_cut(service):
    with connect(service, receive_buffer=4096) as connection:
        connection.settimeout(0.1)
        try:
            while True:
                connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
        except (TimeoutError, ConnectionError):  # it is not read from any more, or cut already
            pass
        poll = select.poll()
        poll.register(connection, 0)  # errors alone
        assert poll.poll(PATIENCE * 1000)
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0
    assert service.get("/health").status == 200


def lingering_ends(service):
    with connect(service) as connection:
        connection.sendall(b"BAD\r\n\r\n")
        assert b" 400 " in everything(connection)
        until(lambda: cannot_send(connection), "the end of lingering")


def cannot_send(connection):
    try:
        connection.sendall(b"x")
    except ConnectionError:
        return True


LIMITS = [
    ("max-connections", "2", connections_wait),
    ("max-requests", "2", requests_are_counted),
    ("max-target", "60", target_is_bounded),
    ("max-head", "150", head_is_bounded),
    ("max-fields", "4", fields_are_counted),
    ("max-body", "50", body_is_bounded),
    ("max-caption-bytes", "50", captions_are_bounded),
    ("head-timeout", "0.2", head_has_its_time),
    ("body-timeout", "0.2", body_has_its_time),
    ("idle-timeout", "0.2", idleness_ends),
    ("write-timeout", "0.2", a_reader_that_does_not_read_is_cut),
    ("linger-timeout", "0.2", lingering_ends),
]
# How these three work is a matter of test_life.py.
DRAINING = ["drain-delay", "drain-timeout", "drain-grace"]


@pytest.mark.parametrize("by", ["option", "variable"])
@pytest.mark.parametrize("name, value, proof", LIMITS, ids=[name for name, _, _ in LIMITS])
def test_a_limit_is_set(start, by, name, value, proof):
    if by == "option":
        service = start("--" + name, value)
    else:
        service = start(environment={"TITLECARD_" + name.upper().replace("-", "_"): value})
    proof(service)


def test_every_limit_is_in_the_help_and_in_the_documentation_with_its_default():
    help = subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True, check=True).stdout
    section = help.split("LIMITS OF HTTP:")[1].split("\n\n")[0]
    options = dict(re.findall(r"--([\w-]+) <.*?\(([\d.]+)\)", section, re.S))
    assert sorted(options) == sorted([name for name, _, _ in LIMITS] + DRAINING)
    table = OPERATIONS.read_text().split("### Limits of HTTP")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| `--([\w-]+)` \| ([\d.]+) \|", table, re.M))
    assert rows == options


def test_without_descriptors_connections_wait_and_nothing_dies():
    service = Service(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40)))
    try:
        # The first is accepted before the others come: another loop may take all that are left.
        connections = [connect(service)]
        assert b" 200 " in ask(connections[0])
        connections += [connect(service) for _ in range(59)]
        connections[-1].sendall(REQUEST)
        assert b" 200 " in ask(connections[0])
        assert not select.select([connections[-1]], [], [], 0)[0]
        for connection in connections[:-1]:
            connection.close()
        assert b" 200 " in connections[-1].recv(65536)
        connections[-1].close()
        assert service.get("/health").status == 200
    finally:
        assert service.stop() == 0
