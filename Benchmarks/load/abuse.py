"""What clients do that mean no good, or know no better. Each is a function that runs in a process
of its own until it is told to stop.

To add one, write a function of a port and a `Stop`, and put it into `ALL`.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import time

from load.connections import connect, crowd, exchange, reset, send, vanish
from load.processes import HOST

LORISES = 2000
IDLE_READERS = 200
HALF_OPEN = 300
CHURN = 64_000 / 600  # connections a second
LONG = [
    f"/render.gif?text=Nobody+reads+this+{number}&effect=wave&loop=infinite&hold=0&cycle=2&scale=2&levels=16"
    for number in range(4)
]
LARGE = [f"/render.svg?text=Nobody+reads+this+either+{number}&effect=scramble&width=400" for number in range(4)]


def slow_loris(port, stop):
    """Heads that never end, a byte now and then."""
    crowd(
        port,
        stop,
        LORISES,
        begin=lambda connection: send(connection, b"GET /render?text=slow HTTP/1.1\r\nHost: x\r\nX: "),
        go_on=lambda connection: random.random() > 0.2 or send(connection, b"y"),
    )


def never_reading(port, stop):
    """Long and large files, requested again and again by clients that read nothing."""

    def ask(connection):
        target = random.choice(LONG if random.random() < 0.5 else LARGE)
        return send(connection, f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode() * 20)

    crowd(port, stop, IDLE_READERS, begin=ask, go_on=lambda connection: True, receive_buffer=4096, at_once=20)


def half_open(port, stop):
    """Clients that say nothing, half of something, or no more, and some that vanish."""

    def begin(connection):
        kind = random.randrange(4)
        if kind == 1:
            send(
                connection,
                b"POST /render HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 50\r\n\r\nx",
            )
        if kind == 2:
            send(connection, b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            connection.shutdown(socket.SHUT_WR)
        if kind == 3:
            send(connection, f"GET {LONG[0]} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            vanish(connection)

    crowd(port, stop, HALF_OPEN, begin, go_on=lambda connection: True, at_once=20)


def garbage(port, stop):
    """Bytes of chance, and requests of which some bytes are wrong."""
    whole = (
        b"POST /render.svg HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n"
        b'{"text":"x"}'
    )
    while not stop.wait(0.02):
        if random.random() < 0.5:
            data = random.randbytes(random.randrange(1, 5000))
        else:
            data = bytearray(whole * 3)
            for _ in range(random.randrange(1, 10)):
                data[random.randrange(len(data))] = random.randrange(256)
        exchange(port, bytes(data))


def oversize(port, stop):
    """Everything too large: targets, heads, bodies, chunks, texts, pictures."""

    def posted(body, kind="application/json"):
        head = f"POST /render.gif HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        return head.encode() + body

    start = b"GET /health HTTP/1.1\r\nHost: x\r\n"
    chunked = b"POST /render HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
    requests = [
        b"GET /render?text=" + b"x" * 1_000_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        start + b"X: " + b"y" * 1_000_000 + b"\r\n\r\n",
        start + b"X: y\r\n" * 10_000 + b"\r\n",
        posted(b"x" * 1_000_000, "text/plain"),
        start.replace(b"GET /health", b"POST /render") + b"Content-Length: 99999999999999999999\r\n\r\n",
        chunked + b"fffffffffffffffffffff\r\n",
        chunked + b"10000\r\n" + b"x" * 65536 + b"\r\n10000\r\n" + b"x" * 65536,
        posted(b'{"text":"%s"}' % (b"x" * 60_000)),
        posted(b'{"text":"x","width":4096,"height":4096,"scale":4}'),
        posted(b"[" * 60_000),
        posted(b'{"blocks":[%s]}' % b",".join([b'{"text":"x"}'] * 1000)),
        posted(b'{"text":"x","size":400,"loop":1000,"hold":60,"fps":50,"speed":0.1,"effect":"wave"}'),
    ]
    while not stop.wait(0.1):
        exchange(port, random.choice(requests))


def churn(port, stop):
    """Connections that come and go, from many addresses, with and without a request."""
    start, count = time.monotonic(), 0
    while not stop.wait(0.02):
        while count < (time.monotonic() - start) * CHURN:
            count += 1
            try:
                connection = connect(port)
            except OSError:
                continue
            if count % 3:
                send(connection, b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            connection.close() if count % 2 else reset(connection)


DOWNLOADER = """
import http.client, time
while True:
    try:
        connection = http.client.HTTPConnection("{host}", {port}, timeout=30)
        connection.request("GET", "{target}")
        answer = connection.getresponse()
        while answer.read(4000): time.sleep(0.02)
    except (OSError, http.client.HTTPException):
        pass
"""


def stopped(port, stop, clients=4):
    """Clients that are stopped in the middle of what they read, and go on later."""
    downloaders = [
        subprocess.Popen([sys.executable, "-c", DOWNLOADER.format(host=HOST, port=port, target=target)])
        for target in LONG[:clients]
    ]
    try:
        while not stop.wait(random.uniform(0.2, 2)):
            process = random.choice(downloaders)
            os.kill(process.pid, signal.SIGSTOP)
            stop.wait(random.uniform(0.2, 6))
            os.kill(process.pid, signal.SIGCONT)
    finally:
        for process in downloaders:
            process.kill()
            process.wait()


ALL = (slow_loris, never_reading, half_open, garbage, oversize, churn, stopped)
