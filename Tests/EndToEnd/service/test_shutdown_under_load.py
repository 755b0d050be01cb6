"""SIGTERM while clients come: whatever the server has begun to read is answered, and it ends with 0."""

import signal
import socket
import threading

import pytest

from service import PATIENCE, Service, until

BODY = b'{"text":"in flight"}'
TIMES = 20
# Of each kind. Together they keep two cores busy.
CLIENTS = 4


class Client:
    """Sends requests until connections are refused; keeps what became of them."""

    head = (
        b"POST /render.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n" % len(BODY)
    )

    def __init__(self, service):
        self.service = service
        self.answered = 0
        self.faults = []
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            while self.visit():
                pass
        except Exception as fault:
            self.faults.append(f"{type(self).__name__}: {fault!r}")

    def visit(self):
        """Uses one connection up; false when none can be had."""
        try:
            self.connection = socket.create_connection((self.service.host, self.service.port), timeout=PATIENCE)
        except ConnectionRefusedError:
            return False
        except ConnectionResetError:
            return True
        before = self.answered
        with self.connection, self.connection.makefile("rb") as self.answers:
            try:
                while not self.talk():
                    pass
            except ConnectionResetError:
                # One that waited in the kernel when accepting ended was never read from.
                if self.answered > before:
                    raise
        return True

    def receive(self):
        """One whole answer; whether it is the last of its connection."""
        head = b"".join(iter(self.line, b"\r\n"))
        assert head.startswith(b"HTTP/1.1 200 "), head
        length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
        body = self.answers.read(length)
        assert len(body) == length and b'"in flight"' in body
        self.answered += 1
        return b"Connection: close" in head

    def line(self):
        line = self.answers.readline()
        assert line.endswith(b"\r\n"), "the connection ended before the answer"
        return line


class Keeper(Client):
    """One request after another, each in two parts."""

    def talk(self):
        self.connection.sendall(self.head)
        self.connection.sendall(b"\r\n" + BODY)
        return self.receive()


class Waiter(Client):
    """A connection a request, whose body comes when the server has said that it has read the head."""

    def talk(self):
        self.connection.sendall(self.head + b"Expect: 100-continue\r\nConnection: close\r\n\r\n")
        assert self.line() == b"HTTP/1.1 100 Continue\r\n" and self.line() == b"\r\n"
        try:
            self.connection.sendall(BODY)
            return self.receive()
        except ConnectionResetError as fault:
            raise AssertionError("the server had read the head") from fault


class Pipeliner(Client):
    """Several requests at once: all are answered up to the one that is said to be the last."""

    def talk(self):
        self.connection.sendall((self.head + b"\r\n" + BODY) * 5)
        return any(self.receive() for _ in range(5))


@pytest.mark.parametrize("number", range(TIMES))
def test_no_request_that_was_begun_is_lost(number):
    # On a busy machine a client may need a while to send its next request.
    service = Service("--drain-grace", "20")
    clients = []
    try:
        clients = [kind(service) for kind in (Keeper, Waiter, Pipeliner) for _ in range(CLIENTS)]
        # Another moment each time.
        until(lambda: all(client.answered > 5 + number for client in clients), "answers to everybody")
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(timeout=PATIENCE) == 0
    finally:
        service.process.kill()
        for client in clients:
            client.thread.join()
    assert [fault for client in clients for fault in client.faults] == []
