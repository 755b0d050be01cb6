"""One client cannot keep the service from others, and clients who are gone cost nothing.

Clients are addresses of the loopback network. What one of them takes is taken first; then another asks.
"""

import select
import socket
import struct
import time

import pytest

from clients import GREEDY, ask, connect, head
from service import PATIENCE, query, until

pytestmark = pytest.mark.alone

# A film that takes a render thread for many seconds.
LONG = dict(
    text="Who you gonna call? " * 15, effect="wave", size=60, width=1600, fps=25, cycle=20, scale=2
)


def processor_time(service):
    return service.metric("process_cpu_seconds_total")


def long(number, format="webp"):
    return f"/render.{format}?" + query({**LONG, "seed": number})


@pytest.mark.parametrize("method", ["HEAD", "GET"])
@pytest.mark.parametrize("end", ["close", "reset"])
def test_work_for_clients_who_are_gone_ends(start, method, end):
    service = start("--workers", "2")
    connections = [connect(service) for _ in range(64)]
    for number, connection in enumerate(connections):
        connection.sendall(head(method, long(number)))
    until(lambda: service.metric("titlecard_connections") > 64, "the connections")
    for connection in connections:
        if end == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    # One of them would take longer than a test may wait, if they were not to end.
    until(lambda: service.metric("titlecard_connections") == 1, "the end of the connections")
    until(lambda: service.metric("titlecard_render_queue_length") == 0, "an empty queue")
    assert ask(service, "/render.svg?text=Hi", address=GREEDY)[0] == 200

    def is_at_rest():
        before = processor_time(service)
        time.sleep(0.2)
        return processor_time(service) - before < 0.1

    until(is_at_rest, "the end of the work")


def test_a_client_that_only_shuts_its_sending_side_is_answered(server):
    with connect(server) as connection:
        connection.sendall(head("GET", "/render.webp?" + query(dict(text="Hello", effect="wave"))))
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n") and b"WEBPVP8X" in answer
    assert answer.count(b"HTTP/1.1") == 1


def test_a_client_with_many_long_renderings_does_not_keep_others_waiting(start):
    service = start("--workers", "2")
    connections = [connect(service) for _ in range(40)]
    for number, connection in enumerate(connections):
        connection.sendall(head("GET", long(number)))
    until(lambda: service.metric("titlecard_render_queue_length") >= 38, "a queue")
    for number in range(10):
        assert ask(service, f"/render.svg?text=Hi{number}")[0] == 200
    # They are still at it.
    assert service.metric("titlecard_render_queue_length") >= 30
    for connection in connections:
        connection.close()


def test_what_left_a_full_queue_is_rendered_when_it_is_asked_for_again(start):
    service = start("--workers", "1", "--render-queue", "8")
    holder = connect(service)
    holder.sendall(head("GET", long(0)))
    until(lambda: processor_time(service) > 1, "a rendering")
    gone = [connect(service) for _ in range(8)]
    for number, connection in enumerate(gone):
        connection.sendall(head("GET", f"/render.svg?text=Gone{number}"))
    until(lambda: service.metric("titlecard_render_queue_length") == 8, "a full queue")
    for connection in gone:
        connection.close()
    until(lambda: service.metric("titlecard_connections") == 2, "the end of the connections")
    # Its place is one that nobody waits for any more.
    newest = connect(service)
    newest.sendall(head("GET", "/render.svg?text=Newest"))
    until(lambda: service.metric("titlecard_render_queue_length") == 1, "room in the queue")
    again = connect(service)
    again.sendall(head("GET", "/render.svg?text=Gone3"))
    until(lambda: service.metric("titlecard_render_queue_length") == 2, "a place for it")
    holder.close()
    for connection in (newest, again):
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n")
        connection.close()


def test_a_client_that_fills_the_queue_makes_room_for_another(start):
    service = start("--workers", "1", "--render-queue", "8")
    connections = [connect(service) for _ in range(12)]
    for number, connection in enumerate(connections):
        connection.sendall(head("GET", long(number)))
    refused = select.select(connections, [], [], PATIENCE)[0][0]
    answer = b"".join(iter(lambda: refused.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 503 ") and b"--render-queue" in answer
    for number in range(4):
        assert ask(service, f"/render.svg?text=Hi{number}")[0] == 200
    for connection in connections:
        connection.close()


def test_idle_connections_of_one_client_leave_room_for_another(start):
    service = start("--max-connections", "40")
    connections = [connect(service) for _ in range(60)]
    for number in range(20):
        assert ask(service, f"/render.svg?text=Hi{number}")[0] == 200
    assert service.metric("titlecard_connections") <= 40
    for connection in connections:
        connection.close()


def test_heads_that_do_not_come_leave_room_for_another(start):
    service = start("--max-connections", "40")
    connections = [connect(service) for _ in range(50)]
    for connection in connections:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\nX")
        except ConnectionError:
            pass
    for number in range(20):
        assert ask(service, f"/render.svg?text=Hi{number}")[0] == 200
    for connection in connections:
        connection.close()


def test_slow_readers_give_the_memory_of_streams_to_others(start):
    service = start("--stream-memory", "200", "--workers", "2")
    large = dict(text="Slow readers " * 30, effect="wave", size=120, width=3000, height=1500, fps=30)
    readers = []
    for number in range(3):
        reader = connect(service, receive_buffer=4096)
        reader.sendall(head("GET", "/render.gif?" + query({**large, "seed": number})))
        assert reader.recv(12) == b"HTTP/1.1 200"
        readers.append(reader)
    # Alone it may have all, but not more.
    status, content = ask(service, "/render.gif?" + query({**large, "seed": 8}), address=GREEDY)
    assert (status, b"--stream-memory" in content) == (503, True)
    status, content = ask(service, "/render.gif?" + query(dict(text="Quick", effect="wave", fps=10)))
    assert status == 200
    for reader in readers:
        reader.close()


def test_a_reader_that_is_too_slow_is_cut(start):
    service = start("--write-timeout", "1")
    with connect(service, receive_buffer=4096) as reader:
        reader.sendall(head("GET", "/render.gif?" + query({**LONG, "fps": 20})))
        assert reader.recv(4) == b"HTTP"
        poll = select.poll()
        poll.register(reader, 0)  # errors alone
        end = time.monotonic() + PATIENCE
        while not poll.poll(100):
            assert time.monotonic() < end, "it goes on"
            # Some of it, again and again.
            reader.recv(100)
