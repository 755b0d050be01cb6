"""The file of options, and `serve --check`."""

import os
import signal
import subprocess

import pytest

from commands import DATA_ERROR, NO_INPUT, USAGE, ends
from service import BINARY, PATIENCE, PUBLIC, free_port, journals, until


@pytest.fixture
def file(tmp_path):
    def file(text, name="titlecard.conf"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return file


def check(*options, environment=None):
    command = [BINARY, "serve", "--check", "--port", str(free_port()), "--public", PUBLIC, *map(str, options)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **(environment or {})})
    lines = dict(line.split(None, 1) for line in outcome.stdout.splitlines())
    return outcome, lines


# MARK: The file


def test_a_file_has_options_which_variables_and_options_override(start, file):
    path = file("# all\n\nmax-graphemes = 3\nallow-origin = https://file.example\ncache-control = public, max-age=7 # all\n")
    service = start("--config", path, "--allow-origin", "https://option.example", environment={"TITLECARD_MAX_GRAPHEMES": "5"})
    answer = service.get("/render.svg?text=abcde")
    assert answer.headers["Access-Control-Allow-Origin"] == "https://option.example"
    assert answer.headers["Cache-Control"] == "public, max-age=7 # all"
    assert service.get("/render.svg?text=abcdef").status == 422


def test_the_environment_names_a_file_and_a_file_names_keys(start, file):
    keys = file("own a key of the tests\n", "keys")
    path = file(f"signing-keys-file = {keys}\nmcp = false\n")
    service = start(environment={"TITLECARD_CONFIG": str(path)})
    assert service.get("/render.svg?text=a").status == 403


@pytest.mark.parametrize("text, message", [
    ("max-graphems = 3", "line 1: max-graphems is unknown; did you mean max-graphemes?"),
    ("port = 1\n# twice\nport = 1", "line 3: port is given in line 1 already"),
    ("max-graphemes = 0", "line 1: max-graphemes must be at least 1; got 0"),
    ("\nmcp = yes", 'line 2: mcp must be true or false; got "yes"'),
    ("log-level = loud", 'line 1: log-level must be debug, info, notice, warning or error; got "loud"'),
    ("allow-post = maybe", 'line 1: allow-post must be auto, true or false; got "maybe"'),
    ("metrics-listen = 9100", "line 1: metrics-listen must be an address and a port"),
    ("rate-burst = 5", "line 1: rate-burst needs --rate-limit"),
    ("memory = 200\nprocesses = 2", "line 1: memory must be at least 128 for each process"),
    ("config = other", "line 1: config cannot stand in a file"),
    ("render_queue = 5", "line 1: must be an option's name"),
    ("supervisor = 5", "line 1: supervisor is unknown"),
], ids=str)  # fmt: skip
def test_a_line_that_is_wrong_ends_the_start(file, text, message):
    path = file(text + "\n")
    outcome = ends("serve", "--config", path)
    assert outcome.returncode == USAGE and f"{path}, {message}" in outcome.stderr


def test_a_file_that_is_not_there_or_too_long_ends_the_start(file, tmp_path):
    outcome = ends("serve", "--config", tmp_path / "none")
    assert outcome.returncode == NO_INPUT and "cannot read" in outcome.stderr
    outcome = ends("serve", "--config", file("#" * 70_000))
    assert outcome.returncode == DATA_ERROR and "more than 65536 bytes" in outcome.stderr


@pytest.mark.parametrize("name, value, message", [
    ("MCP", "1", 'TITLECARD_MCP must be true or false; got "1"'),
    ("MAX_GRAPHEMES", "0", "TITLECARD_MAX_GRAPHEMES must be at least 1; got 0"),
    ("ALLOW_POST", "no", 'TITLECARD_ALLOW_POST must be auto, true or false; got "no"'),
    ("RATE_LIMIT", "0", "TITLECARD_RATE_LIMIT must be from 0.001"),
    ("MEMORY", "1", "TITLECARD_MEMORY must be at least 128; got 1"),
])
def test_a_variable_is_named_as_such(name, value, message):
    outcome = ends("serve", environment={"TITLECARD_" + name: value})
    assert outcome.returncode == USAGE and message in outcome.stderr


def test_later_workers_have_the_options_of_the_first(start, file):
    path = file("max-graphemes = 3\n")
    service = start("--config", path)
    path.write_text("nonsense\n")
    worker = service.worker
    until(lambda: journals(service.process.pid), "a worker that the supervisor knows")
    os.kill(worker, signal.SIGKILL)
    until(lambda: service.workers not in ([], [worker]), "another worker")
    until(service.is_ready, "its health")
    assert service.get("/render.svg?text=abcd").status == 422
    service.process.send_signal(signal.SIGHUP)
    until(lambda: "were reloaded" in service.logged(), "the reloading")
    assert service.get("/render.svg?text=abcd").status == 422 and str(path) not in service.logged()


# MARK: Trying


@pytest.mark.parametrize("options", [[], ["--no-supervisor"], ["--processes", "2"]], ids=str)
def test_a_check_says_what_would_be_served(file, options):
    path = file("memory = 300\nonly-presets = true\n")
    outcome, lines = check(*options, "--config", path, "--metrics-listen", f"127.0.0.1:{free_port()}")
    assert outcome.returncode == 0, outcome.stderr
    assert lines["options"] == str(path) and lines["memory"].startswith("300 MiB")
    assert lines["address"].startswith("127.0.0.1:") and lines["metrics"].startswith("127.0.0.1:")
    assert lines["keys"] == "none" and lines["page"] == str(PUBLIC) and lines["rate"] == "no limit"
    assert lines["clients"] == "texts and presets only" and lines["POST"] == "needs a signature, and there is no key"
    assert "listening" not in outcome.stderr


@pytest.mark.parametrize("options, environment, status, message", [
    (["--effects", "/none"], {}, NO_INPUT, "/none"),
    (["--public", "/none"], {}, NO_INPUT, "/none"),
    (["--fonts", "/none"], {}, NO_INPUT, "/none"),
    (["--max-graphemes", "0"], {}, USAGE, "--max-graphemes"),
    ([], {"TITLECARD_SIGNING_KEY": "short"}, DATA_ERROR, "16 bytes"),
    ([], {"TITLECARD_SIGNING_KEYS_FILE": "/none"}, NO_INPUT, "cannot read"),
    (["--host", "192.0.2.1"], {}, 1, "is not an address of this machine"),
    (["--metrics-listen", "192.0.2.1:9"], {}, 1, "is not an address of this machine"),
], ids=str)  # fmt: skip
def test_a_check_ends_as_the_start_would(options, environment, status, message):
    outcome, _ = check(*options, environment=environment)
    assert outcome.returncode == status and message in outcome.stderr


def test_a_check_finds_two_listeners_at_one_port():
    port = free_port()
    outcome, lines = check("--port", port, "--metrics-listen", f"127.0.0.1:{port}")
    assert outcome.returncode == USAGE and "another port" in outcome.stderr and not lines


def test_a_check_beside_a_service_says_all_else_first(start):
    service = start()
    outcome, lines = check("--port", service.port)
    assert outcome.returncode == 1 and "is in use" in outcome.stderr
    assert "fonts" in lines and "address" not in lines and service.get("/health").status == 200
