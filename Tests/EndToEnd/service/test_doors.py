"""What clients may reach and for how long, and what is told of them: metrics apart, addresses that end, numbers of requests."""

import json
import os
import re
import signal
import time

import pytest

from commands import DATA_ERROR, NO_INPUT, USAGE, ends, run, sign
from metrics import Metrics
from service import Client, free_port, journals, until

KEY = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
TARGET = "/render.svg?text=doors"


# MARK: Metrics


@pytest.fixture(scope="module", params=[(), ("--processes", "2"), ("--no-supervisor",)], ids=str)
def apart(request, start):
    """A service with a port for metrics, and a client of that."""
    port = free_port()
    return start(*request.param, "--metrics-listen", f"127.0.0.1:{port}"), Client(port)


def test_metrics_are_at_their_own_port_and_nothing_else_is(apart):
    service, metrics = apart
    assert service.get("/metrics").status == 404 and service.get("/health").status == 200
    answer = metrics.get("/metrics")
    assert answer.status == 200 and "titlecard_build_info" in answer.text
    for target in ["/", "/health", TARGET, "/metrics/", "/openapi.json"]:
        assert metrics.get(target).status == 404, target
    assert metrics.post("/metrics", "").status == 405
    assert metrics.raw(b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_metrics_apart_are_those_of_all_workers(apart):
    service, metrics = apart

    def count():
        return Metrics(metrics.get("/metrics").text)("titlecard_requests_total", route="effects", status="200")

    before = count()
    for _ in range(20):
        assert service.get("/effects").status == 200
    assert count() == before + 20


def test_the_port_of_metrics_outlives_workers(start):
    port = free_port()
    service, metrics = start("--metrics-listen", f"127.0.0.1:{port}"), Client(port)
    worker = service.worker
    until(lambda: journals(service.process.pid), "a worker that the supervisor knows")
    os.kill(worker, signal.SIGKILL)
    # Its connections wait in the kernel.
    assert metrics.get("/metrics").status in (200, 503)
    until(lambda: metrics.get("/metrics").status == 200, "another worker")
    assert Metrics(metrics.get("/metrics").text)("titlecard_worker_restarts_total") == 1
    assert service.get("/metrics").status == 404


@pytest.mark.parametrize("address", ["9100", ":9100", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "::1:9100", "127.0.0.1:70000", "[]:1"])
def test_an_address_of_metrics_that_is_none_ends_the_start(address):
    outcome = ends("serve", "--metrics-listen", address)
    assert outcome.returncode == USAGE and "--metrics-listen must be an address and a port" in outcome.stderr


def test_a_port_of_metrics_that_is_taken_ends_the_start(start):
    service = start()
    outcome = ends("serve", "--port", free_port(), "--metrics-listen", f"127.0.0.1:{service.port}")
    assert outcome.returncode == 1 and "in use" in outcome.stderr


def test_health_finds_the_service_and_not_its_metrics(start):
    """In a container of its own, as it were: this user's other services are there too."""
    port = free_port()
    service = start("--metrics-listen", f"127.0.0.1:{port}")
    assert run("health", "--port", service.port).stdout == b"ok\n"
    assert run("health", "--port", port).stdout == b"status 404\n"


# MARK: Addresses that end


@pytest.fixture(scope="module")
def signing(start):
    return start("--cache-control", "public, max-age=86400, stale-while-revalidate=60", environment=KEY)


def lifetime(answer):
    return int(re.search(r"max-age=(\d+)", answer.headers["Cache-Control"])[1])


@pytest.mark.parametrize("path", ["/render.svg?text=a", "/embed?text=a", "/typing?lines=a", "/canonical/render.svg?text=a", "permalink"])
def test_an_address_is_kept_until_its_end_at_most(signing, path):
    if path == "permalink":
        path = signing.get(sign("/render.svg?text=a", **KEY)).headers["Content-Location"].partition("?")[0]
    # The signature covers what follows /canonical.
    prefix, target = ("/canonical", path.removeprefix("/canonical")) if path.startswith("/canonical") else ("", path)
    plain = signing.get(prefix + sign(target, **KEY))
    for _ in range(2):
        answer = signing.get(prefix + sign(target, "--expires-in", 1000, **KEY))
        assert answer.status == 200
        if path.startswith("/embed"):
            assert answer.json["url"].count("expires=") == 1 and "expires" in answer.json["permalink"]
            continue
        assert 900 < lifetime(answer) <= 1000
        assert "immutable" not in answer.headers["Cache-Control"] and "stale" not in answer.headers["Cache-Control"]
        assert answer.headers["ETag"] == plain.headers["ETag"]
        location = answer.headers["Content-Location"] or answer.headers["Titlecard-Location"]
        assert "expires=" in location and 900 < lifetime(signing.get(location)) <= 1000
        assert answer.headers["X-Accel-Expires"] == ("0" if prefix else None)
    # /typing answers with pictures of errors.
    over = signing.get(prefix + sign(target, "--expires", int(time.time()), **KEY), {"Accept": "application/json"})
    assert (over.status, over.faults, over.headers["Cache-Control"]) == (403, ["expires"], "no-store")
    assert over.json["type"] == "/docs/errors.html#expired"


def test_a_request_that_was_answered_is_refused_once_it_ends(signing):
    end = int(time.time()) + 2
    target = sign(TARGET, "--expires", end, **KEY)
    assert signing.get(target).status == 200
    until(lambda: signing.get(target).status == 403, "its end")
    assert time.time() >= end
    assert signing.get(target, {"Accept": "image/svg+xml", "Sec-Fetch-Dest": "image"}).body.startswith(b"<svg")


def test_an_end_is_signed(signing):
    now = int(time.time())
    target = sign(TARGET, "--expires", now + 100, **KEY)
    for other in [target.replace(str(now + 100), str(now + 101)), target.replace(f"&expires={now + 100}", "")]:
        answer = signing.get(other)
        assert (answer.status, answer.faults) == (403, ["signature"])


@pytest.mark.parametrize("value", ["", "x", "-1", "1.5", "%31", "9" * 30])
def test_an_end_that_is_no_number_is_an_error(signing, value):
    answer = signing.get(sign(f"{TARGET}&expires={value}", **KEY))
    assert (answer.status, answer.faults) == (400, ["expires"])


def test_refusals_of_ended_addresses_are_counted(signing):
    def count():
        return Metrics(signing.get("/metrics").text)("titlecard_refused_total", reason="expired")

    before = count()
    assert signing.get(sign(TARGET, "--expires", 10**9, **KEY)).status == 403
    assert count() == before + 1


@pytest.mark.parametrize("options, message", [
    (["--expires", "1", "--expires-in", "1"], "do not go together"), (["--expires", "0"], "positive"),
    (["--expires", "86400"], "--expires-in from now"), (["--expires-in", "-1"], ""),
    (["--expires-in", str(10**18)], "positive"),
])
def test_sign_refuses_an_end_that_is_none(options, message):
    outcome = run("sign", TARGET, *options, **KEY)
    assert outcome.returncode == USAGE and message in outcome.stderr.decode()


def test_sign_refuses_a_second_end():
    outcome = run("sign", TARGET + "&expires=5", "--expires", str(10**10), **KEY)
    assert outcome.returncode == USAGE and b"expires already" in outcome.stderr


# MARK: Keys and POST


def test_a_short_key_ends_the_start():
    for command in (["serve"], ["sign", TARGET]):
        outcome = ends(*command, environment={"TITLECARD_SIGNING_KEY": "fifteen bytes.."})
        assert outcome.returncode == DATA_ERROR
        assert "TITLECARD_SIGNING_KEY" in outcome.stderr and "16 bytes" in outcome.stderr and "fifteen" not in outcome.stderr


def test_a_missing_file_of_keys_is_no_input(tmp_path):
    for command in (["serve"], ["sign", TARGET]):
        outcome = ends(*command, environment={"TITLECARD_SIGNING_KEYS_FILE": str(tmp_path / "none")})
        assert outcome.returncode == NO_INPUT and "cannot read" in outcome.stderr


@pytest.mark.parametrize("options, environment, status", [
    ([], {}, 200), ([], KEY, 405), (["--allow-post", "true"], KEY, 200), (["--allow-post", "false"], {}, 405),
    (["--allow-post", "auto"], KEY, 405), (["--only-presets"], KEY, 403),
], ids=str)  # fmt: skip
def test_post_is_allowed_where_no_key_is_asked_for(start, options, environment, status):
    service = start(*options, environment=environment)
    assert service.post("/render", {"text": "Hi"}).status == status


def test_a_file_of_keys_forbids_post_too(start, tmp_path):
    (tmp_path / "keys").write_text("own a key of the tests\n")
    service = start(environment={"TITLECARD_SIGNING_KEYS_FILE": str(tmp_path / "keys")})
    assert service.post("/render", {"text": "Hi"}).status == 405


def test_assistants_need_post():
    outcome = ends("serve", "--mcp", environment=KEY)
    assert outcome.returncode == USAGE and "--mcp needs --allow-post true, which is not the default" in outcome.stderr
    outcome = ends("serve", "--allow-post", "false", environment={"TITLECARD_MCP": "true"})
    assert outcome.returncode == USAGE and "TITLECARD_MCP needs --allow-post true" in outcome.stderr


# MARK: Presets


def test_the_presets_of_strangers_can_be_named(start):
    service = start("--only-presets", "--presets-allowed", "nord, terminal", environment=KEY)
    assert service.get("/render.svg?text=a&preset=nord").status == 200
    assert service.get("/render.svg?text=a&preset=terminal,nord").status == 200
    assert service.get("/render.svg?text=a").status == 200
    for name in ["card", "nord,card", "none"]:
        answer = service.get(f"/render.svg?text=a&preset={name}")
        assert (answer.status, answer.faults) == (400, ["preset"]) and "nord" in answer.text
    assert sorted(each["name"] for each in service.get("/presets").json["presets"]) == ["nord", "terminal"]


@pytest.mark.parametrize("options, message", [
    (["--only-presets", "--presets-allowed", "nrod"], '--presets-allowed names no preset: "nrod"; did you mean nord?'),
    (["--presets-allowed", "nord"], "--presets-allowed needs --only-presets"),
])
def test_presets_that_are_wrong_end_the_start(options, message):
    outcome = ends("serve", *options)
    assert outcome.returncode == USAGE and message in outcome.stderr


# MARK: The log


def entries(service, **members):
    return [entry for entry in service.logged_entries() if members.items() <= entry.items()]


def test_a_request_keeps_its_number(start):
    service = start()
    answer = service.get(TARGET, {"X-Request-Id": "mine-1.a_b"})
    assert answer.headers["X-Request-Id"] == "mine-1.a_b"
    until(lambda: entries(service, id="mine-1.a_b"), "its line")
    for given in [None, "", "a b", "é", "x" * 65, "<x>"]:
        answer = service.get(TARGET, {"X-Request-Id": given} if given is not None else {})
        number = answer.headers["X-Request-Id"]
        assert number != given and re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", number)
        until(lambda number=number: entries(service, id=number), "its line")
    for target in ["/health", "/", "/effects", "/none", "/render?effect=none", "/metrics"]:
        assert len(service.get(target).headers.get_all("X-Request-Id")) == 1, target


@pytest.mark.parametrize("data, status", [
    (b"nonsense\r\n\r\n", 400),
    (b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 9000), 414),
    (b"GET / HTTP/1.1\r\nHost: x\r\nX: %s\r\n\r\n" % (b"a" * 40_000), 431),
    (b"POST /render HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\n", 413),
    (b"GET / HTTP/1.1\r\nHos", 408),
])
def test_what_is_no_request_has_a_line_and_is_counted(start, data, status):
    service = start("--head-timeout", "0.2", "--log-client")

    def count():
        return Metrics(service.get("/metrics").text)("titlecard_requests_total", route="malformed", status=str(status))

    before = count() or 0
    answer = service.raw(data)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    number = re.search(rb"X-Request-Id: (\S+)", answer)[1].decode()
    [line] = until(lambda: entries(service, id=number), "its line")
    assert line["status"] == status and line["client"] == "127.0.0.0/24" and line["reason"]
    assert "path" not in line and "nonsense" not in json.dumps(line) and count() == before + 1


def test_clients_are_logged_by_their_networks(start):
    service = start("--log-client", "--trusted-proxies", "127.0.0.1")
    for address, network in [("192.0.2.77", "192.0.2.0/24"), ("2001:db8:1:2::3", "2001:db8:1::/48")]:
        answer = service.get(TARGET, {"X-Forwarded-For": address})
        [line] = until(lambda: entries(service, id=answer.headers["X-Request-Id"]), "its line")
        assert line["client"] == network and address not in service.logged()
    silent = start()
    answer = silent.get(TARGET)
    [line] = until(lambda: entries(silent, id=answer.headers["X-Request-Id"]), "its line")
    assert "client" not in line
