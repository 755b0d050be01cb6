"""Listening sockets that are inherited as systemd does it: from descriptor 3 on, by LISTEN_FDS and LISTEN_PID."""

import os
import pathlib
import socket
import threading

import pytest

from inherited_sockets import Activated, ask, listening
from service import PATIENCE, until


@pytest.mark.parametrize("loops", ["1", "4"])
def test_it_serves_on_the_socket_that_it_is_given(loops):
    with listening() as listener, Activated(listener, options=("--loops", loops)) as service:
        assert f"127.0.0.1:{listener.getsockname()[1]}" in service.line()
        for _ in range(50):
            assert ask(listener).startswith(b"HTTP/1.1 200 ")
        assert service.stop() == 0


def test_the_options_of_the_address_do_not_count():
    with listening() as listener, Activated(listener, options=("--host", "256.1.1.1", "--port", "1")) as service:
        assert ask(listener).startswith(b"HTTP/1.1 200 ")
        assert service.stop() == 0


def test_it_serves_on_sockets_of_every_family(tmp_path):
    path = str(tmp_path / "socket")
    with (
        listening() as four,
        listening(socket.AF_INET6, ("::1", 0)) as six,
        listening(socket.AF_UNIX, path) as local,
        Activated(four, six, local) as service,
    ):
        lines = [service.line() for _ in range(3)]
        assert f"http://[::1]:{six.getsockname()[1]}" in lines[1]
        assert f"unix:{path}" in lines[2]
        for listener in (four, six, local):
            assert ask(listener).startswith(b"HTTP/1.1 200 ")
            assert b"<svg" in ask(listener, "/render.svg?text=Hi")
        assert service.stop() == 0


def test_the_sockets_are_not_passed_on_and_do_not_block():
    with listening() as listener, Activated(listener) as service:
        service.line()
        parent = service.process.pid
        [worker] = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        with open(f"/proc/{worker}/fdinfo/3") as file:
            flags = int(file.read().split("flags:")[1].split()[0], 8)
        assert flags & os.O_CLOEXEC and flags & os.O_NONBLOCK
        assert service.stop() == 0


def test_sockets_for_another_process_are_left_alone():
    with (
        listening() as listener,
        socket.socket() as probe,
    ):
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        with Activated(listener, process="1", options=("--port", str(port))) as service:
            assert f"127.0.0.1:{port}" in service.line()
            assert service.stop() == 0


@pytest.mark.parametrize(
    "process, count, message",
    [
        ("own", "many", "LISTEN_FDS"),
        ("own", "-1", "LISTEN_FDS"),
        ("me", "1", "LISTEN_PID"),
        ("own", "2", "descriptor 4 "),
    ],
)
def test_what_cannot_be_is_a_clear_error(process, count, message):
    with listening() as listener, Activated(listener, process=process, count=count) as service:
        assert message in service.process.stderr.read()
        assert service.process.wait(timeout=PATIENCE) != 0


def test_a_socket_that_does_not_listen_is_a_clear_error():
    with socket.socket() as mute, Activated(mute) as service:
        assert "descriptor 3 " in service.process.stderr.read()
        assert service.process.wait(timeout=PATIENCE) != 0


def test_a_restart_loses_nobody():
    """One service after another on the socket, while clients come all the time, each with a connection of its own."""
    answers, over = [], threading.Event()
    # Nobody reads the log: a pipe that is full would stop the service.
    options = ("--log-level", "error")

    def come(listener):
        while not over.is_set():
            answers.append(ask(listener, "/effects")[:13])

    with listening() as listener:
        service = Activated(listener, options=options)
        clients = [threading.Thread(target=come, args=[listener]) for _ in range(4)]
        for client in clients:
            client.start()
        try:
            for _ in range(5):
                seen = len(answers)
                until(lambda: len(answers) > seen + 100, "answers")
                with service:
                    assert service.stop() == 0
                service = Activated(listener, options=options)
            seen = len(answers)
            until(lambda: len(answers) > seen + 100, "answers of the last one")
        finally:
            over.set()
            for client in clients:
                client.join()
            with service:
                pass
    assert set(answers) == {b"HTTP/1.1 200 "}


@pytest.mark.parametrize("options", [(), ("--processes", "2"), ("--no-supervisor",)], ids=str)
def test_a_socket_with_the_name_of_metrics_has_nothing_else(options):
    with listening() as public, listening() as private:
        with Activated(public, private, names="titlecard.socket:metrics", options=options) as service:
            assert f"127.0.0.1:{private.getsockname()[1]}/metrics" in service.line()
            assert f"127.0.0.1:{public.getsockname()[1]}" in service.line()
            assert ask(public).startswith(b"HTTP/1.1 200 ") and ask(public, "/metrics").startswith(b"HTTP/1.1 404 ")
            assert b"titlecard_build_info" in ask(private, "/metrics")
            assert ask(private).startswith(b"HTTP/1.1 404 ")
            assert service.stop() == 0
