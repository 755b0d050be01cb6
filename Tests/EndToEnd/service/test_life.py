"""The process: how it starts, listens, and ends."""

import json
import os
import signal
import socket
import subprocess
import time

import pytest

from commands import ends
from service import BINARY, PATIENCE, free_port, until

BODY = b'{"text":"in flight"}'
HEAD = (
    b"POST /render.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n"
    % len(BODY)
)


def titlecard(*arguments, environment=None):
    """Runs a command that ends by itself."""
    return subprocess.run(
        [BINARY, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **(environment or {})},
    )


def half_a_request(service):
    """A connection whose request has begun and of which the server has said so."""
    connection = socket.create_connection((service.host, service.port), timeout=PATIENCE)
    connection.sendall(HEAD)
    assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
    connection.sendall(BODY[:5])
    return connection


def refuses(service):
    try:
        socket.create_connection((service.host, service.port), timeout=1).close()
    except OSError:
        return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_the_request_in_flight_finish(start, number):
    service = start()
    connection = half_a_request(service)
    service.process.send_signal(number)
    until(lambda: refuses(service), "no more connections")
    assert service.process.poll() is None
    with connection:
        connection.sendall(BODY[5:])
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 200 ") and b'"in flight"' in answer
    assert service.process.wait(timeout=PATIENCE) == 0


def test_a_second_signal_ends_at_once(start):
    service = start()
    connection = half_a_request(service)
    service.process.send_signal(signal.SIGTERM)
    until(lambda: refuses(service), "no more connections")
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(timeout=PATIENCE) != 0
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_right_after_the_start_ends_cleanly(number):
    """From the first connection that it takes the server must know what a signal means."""
    for _ in range(15):
        port = free_port()
        process = subprocess.Popen([BINARY, "serve", "--port", str(port)], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:  # no pause: the moment matters
            assert process.poll() is None
            try:
                socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
                break
            except ConnectionRefusedError:
                continue
        process.send_signal(number)
        assert process.wait(timeout=PATIENCE) == 0


def test_an_idle_connection_does_not_hold_the_end_up(start):
    service = start()
    with socket.create_connection((service.host, service.port), timeout=PATIENCE) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert service.stop() == 0
        assert connection.recv(1000) == b""


def test_while_draining_health_says_so(start):
    service = start("--drain-delay", "60")
    connection = half_a_request(service)
    service.process.send_signal(signal.SIGTERM)
    answer = until(lambda: (found := service.get("/health")).status == 503 and found, "503 of /health")
    assert answer.json == {"status": "draining"}
    # For a probe that would restart it.
    assert service.get("/health?live").status == 200
    assert titlecard("health", "--port", service.port).returncode != 0
    assert service.render("svg", text="still served").status == 200
    connection.close()
    service.process.send_signal(signal.SIGTERM)
    service.process.wait(timeout=PATIENCE)


def test_an_address_in_use_is_a_clear_error(server):
    outcome = titlecard("serve", "--port", server.port)
    assert outcome.returncode != 0
    assert f"127.0.0.1:{server.port} is in use" in outcome.stderr


def test_an_address_that_is_none_is_a_clear_error():
    outcome = titlecard("serve", "--port", free_port(), "--host", "256.1.1.1")
    assert outcome.returncode != 0 and "256.1.1.1" in outcome.stderr


@pytest.mark.parametrize("host", ["::1", "::"])
def test_ipv6(start, host):
    service = start(host=host)
    assert service.render("svg", text="x").status == 200
    assert titlecard("health", "--host", host, "--port", service.port).returncode == 0
    if host == "::":  # both families
        with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE):
            pass


def test_health_by_its_exit_status(server):
    assert titlecard("health", "--port", server.port).returncode == 0
    assert (
        titlecard("health", environment={"TITLECARD_PORT": str(server.port), "TITLECARD_HOST": "127.0.0.1"}).returncode
        == 0
    )
    outcome = titlecard("health", "--port", free_port())
    assert outcome.returncode != 0 and outcome.stderr


def test_the_environment_sets_options_and_the_command_line_goes_before_it(start):
    """Service gives host and port on the command line."""
    service = start(
        environment={
            "TITLECARD_PORT": "1",
            "TITLECARD_HOST": "256.1.1.1",
            "TITLECARD_MAX_BODY": "100",
            "TITLECARD_MAX_GRAPHEMES": "5",
            "TITLECARD_MAX_CYCLE": "0.5",
            "TITLECARD_MAX_PIXELS": "9000",
            "TITLECARD_MAX_TARGET": "200",
            "TITLECARD_CACHE_CONTROL": "no-cache",
            "TITLECARD_MAX_KEYFRAMES": "7",
        }
    )

    def outcome(**request):
        answer = service.post("/render.json", dict(cursor="none", size=20, **request))
        return answer.status, "" if answer.status == 200 else answer.json["errors"][0]["message"]

    assert outcome(text="x", hold=0) == (200, "")
    for request, limit in (
        (dict(text="123456"), "5"),
        (dict(text="x", hold=1), "0.5"),
        (dict(text="x", hold=0, width=200, height=200), "9000"),
        (dict(text="1234", effect="slide", hold=0, speed=10), "7"),
    ):
        status, message = outcome(**request)
        assert status == 422 and f"limit is {limit}" in message, (request, message)
    assert service.post("/render.json", {"text": "x", "title": "y" * 100}).status == 413
    assert service.get("/render?text=x&title=" + "y" * 200).status == 414
    assert service.get("/render?text=x&hold=0").headers["Cache-Control"] == "no-cache"


def test_the_port_comes_from_the_environment():
    port = free_port()
    process = subprocess.Popen(
        [BINARY, "serve"],
        env={**os.environ, "TITLECARD_PORT": str(port), "TITLECARD_HOST": "localhost"},
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: titlecard("health", "--host", "localhost", "--port", port).returncode == 0, "health")
    finally:
        process.terminate()
    assert process.wait(timeout=PATIENCE) == 0


@pytest.mark.parametrize(
    "option, value",
    [
        ("port", "99999"),
        ("port", "-1"),
        ("port", "http"),
        ("workers", "0"),
        ("workers", "two"),
        ("loops", "0"),
        ("max-body", "0"),
        ("max-body", "1k"),
        ("head-timeout", "-1"),
        ("head-timeout", "nan"),
        ("max-cycle", "nan"),
        ("max-cycle", "-1"),
        ("max-cycle", "inf"),
        ("max-pixels", "0"),
        ("log-level", "loud"),
        ("render-queue", "0"),
        ("drain-timeout", "soon"),
        ("public", "/no/such/directory"),
    ],
)
def test_a_bad_value_is_a_clear_error(option, value):
    """The option that is wrong is named, given on the command line and in the environment."""
    variable = "TITLECARD_" + option.upper().replace("-", "_")
    port = [] if option == "port" else ["--port", free_port()]
    for outcome in (ends("serve", *port, f"--{option}={value}"), ends("serve", *port, environment={variable: value})):
        assert outcome.returncode != 0
        assert option in outcome.stderr or variable in outcome.stderr or value in outcome.stderr, outcome.stderr


NAMES = ["SIGNING_KEY", "PORT", "HOST", "PUBLIC", "ALLOW_ORIGIN", "TRUSTED_PROXIES", "CACHE_CONTROL", "MAX_TARGET"]


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_variable_ends_the_start(name):
    """As compose sets one from a variable that is not there."""
    outcome = ends("serve", environment={"TITLECARD_" + name: ""})
    assert outcome.returncode == 64 and f"TITLECARD_{name} is empty" in outcome.stderr


@pytest.mark.parametrize("option", ["host", "public", "allow-origin", "trusted-proxies", "cache-control"])
def test_an_empty_option_ends_the_start(option):
    outcome = ends("serve", f"--{option}", "")
    assert outcome.returncode == 64 and f"--{option} must not be empty" in outcome.stderr


def test_a_key_of_bytes_that_are_no_text_is_that_key():
    def signed(key):
        return subprocess.run(
            [BINARY, "sign", "/render?text=x"],
            env={**os.environb, b"TITLECARD_SIGNING_KEY": key},
            capture_output=True,
            check=True,
        ).stdout

    assert len({signed(each * 16) for each in (b"\xff", b"\xfe", "\ufffd".encode())}) == 3


def test_a_variable_that_is_no_text_ends_the_start():
    outcome = ends("serve", environment={"TITLECARD_HOST": "\udcff"})
    assert outcome.returncode == 64 and "TITLECARD_HOST is not UTF-8" in outcome.stderr


@pytest.mark.parametrize(
    "name, meant",
    [
        ("SIGNING_KYE", "SIGNING_KEY"),
        ("SIGNINGKEY", "SIGNING_KEY"),
        ("RENDER_QUEU", "RENDER_QUEUE"),
        ("MAX_BODYS", "MAX_BODY"),
        ("port", "PORT"),
        ("PORT_8080_TCP_ADRESS", None),
        ("SERVICE", None),
        ("FROBNICATE", None),
        ("", None),
    ],
)
@pytest.mark.parametrize("command", [["serve"], ["health"], ["sign", "/render?text=x"], ["import", "/?lines=x"], ["canonical", "/render?text=x"]], ids=lambda command: command[0])
def test_an_unknown_variable_ends_the_start(command, name, meant):
    outcome = ends(*command, environment={"TITLECARD_SIGNING_KEY": "a key of the tests", "TITLECARD_" + name: "1"})
    hint = f"; did you mean TITLECARD_{meant}?" if meant else "\n"
    assert outcome.returncode == 64 and f"TITLECARD_{name} is unknown{hint}" in outcome.stderr


def test_what_kubernetes_sets_for_services_is_passed_over(start):
    """https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables"""
    injected = {
        "TITLECARD_SERVICE_HOST": "10.0.0.11",
        "TITLECARD_SERVICE_PORT": "80",
        "TITLECARD_SERVICE_PORT_HTTP": "80",
        "TITLECARD_PORT": "tcp://10.0.0.11:80",
        "TITLECARD_PORT_80_TCP": "tcp://10.0.0.11:80",
        "TITLECARD_PORT_80_TCP_PROTO": "tcp",
        "TITLECARD_PORT_80_TCP_PORT": "80",
        "TITLECARD_PORT_80_TCP_ADDR": "10.0.0.11",
        "TITLECARD_PORT_443_UDP": "udp://10.0.0.11:443",
        # Of a Service named titlecard-canary.
        "TITLECARD_CANARY_SERVICE_HOST": "10.0.0.12",
        "TITLECARD_CANARY_SERVICE_PORT": "80",
        "TITLECARD_CANARY_PORT": "tcp://10.0.0.12:80",
        "TITLECARD_CANARY_PORT_80_TCP": "tcp://10.0.0.12:80",
    }
    service = start(environment=injected)
    until(lambda: "listening" in service.logged(), "the log")
    line = next(line for line in service.logged().splitlines() if "Kubernetes" in line)
    assert all(name in line for name in injected)
    assert titlecard("health", "--port", service.port, environment=injected).returncode == 0


def test_a_public_directory_that_is_missing_is_said_in_plain_words():
    for outcome in (
        ends("serve", "--port", free_port(), "--public", "/no/such/directory"),
        ends("serve", "--port", free_port(), environment={"TITLECARD_PUBLIC": "/no/such/directory"}),
    ):
        assert outcome.returncode == 66
        assert outcome.stderr == "cannot serve: cannot read the directory /no/such/directory of the preview page\n"


def test_what_keeps_the_service_from_starting_is_a_line_of_json(tmp_path):
    """As all lines of the log; no machine has to read two kinds."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for arguments, status in [
            (["--public", "/no/such/directory"], 66),
            (["--presets", "/no/such/file"], 66),
            (["--memory", "200", "--processes", "2"], 64),
            (["--rate-burst", "3"], 64),
            (["--port", str(port)], 1),
        ]:
            outcome = titlecard("serve", *([] if "--port" in arguments else ["--port", free_port()]), *arguments)
            assert outcome.returncode == status, outcome.stderr
            for line in map(json.loads, outcome.stderr.splitlines()):
                assert line["level"] == "error" and line["time"] > 1.6e9 and line["message"]


def test_unknown_options_and_commands():
    for arguments in (["serve", "--frobnicate"], ["frobnicate"], ["serve", "extra"], ["health", "--size", "3"]):
        outcome = titlecard(*arguments)
        assert outcome.returncode != 0 and arguments[-1] in outcome.stderr or "--size" in outcome.stderr, arguments


def test_version_and_help():
    assert titlecard("--version").stdout.strip()
    for command in ("serve", "render", "health"):
        assert command in titlecard("--help").stdout
        assert "titlecard " + command in titlecard(command, "--help").stdout
