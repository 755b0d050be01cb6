"""Clients that read slowly, and clients with addresses of their own."""

import http.client
import socket

from service import PATIENCE, query

# About a megabyte, in 16 pieces or so.
LONG = "/render.gif?" + query(
    dict(text="A long way to go", effect="wave", loop="infinite", hold=0, cycle=3, scale=3, size=48, levels=16, matte="#fff")
)


class Slow:
    """A client that takes the head of an answer, and then what it is told to."""

    def __init__(self, service, target):
        self.connection = socket.socket()
        self.connection.settimeout(PATIENCE)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.connection.connect((service.host, service.port))
        self.connection.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        self.answer = http.client.HTTPResponse(self.connection)
        self.answer.begin()

    def rest(self):
        with self.connection:
            return self.answer.read()

    def leave(self):
        self.answer.close()
        self.connection.close()


GREEDY, OTHER = "127.0.0.2", "127.0.0.3"


def connect(service, address=GREEDY, receive_buffer=None):
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(PATIENCE)
    connection.bind((address, 0))
    connection.connect((service.host, service.port))
    return connection


def head(method, target):
    return f"{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()


def ask(service, target, method="GET", address=OTHER):
    """The status and the content of an answer."""
    with connect(service, address) as connection:
        connection.sendall(head(method, target))
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    top, _, content = answer.partition(b"\r\n\r\n")
    return int(top.split(b" ", 2)[1]), content
