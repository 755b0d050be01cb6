"""The files that run the image elsewhere, as far as they can be read without the services that they are for."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from service import BINARY, REPOSITORY


def read(name):
    text = (REPOSITORY / name).read_text()
    return tomllib.loads(text) if name.endswith(".toml") else yaml.safe_load(text)


def compose():
    return read("docker-compose.yml")["services"]["titlecard"]


def fly():
    return read("deploy/fly.toml")


def cloud_run():
    return read("deploy/cloud-run.yaml")["spec"]["template"]


def render():
    [service] = read("deploy/render.yaml")["services"]
    return service


def default(option):
    """The number that `serve` takes for an option unless another is given."""
    command = [BINARY, "serve", "--help"]
    help = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(re.search(rf"--{option} .*?\((\d+)\)", help, re.S)[1])


# After a drain work has two seconds to end, and workers three more.
ENDING = 5


def test_hadolint_finds_nothing():
    hadolint = Path(sys.executable).parent / "hadolint"
    result = subprocess.run([hadolint, REPOSITORY / "Dockerfile"], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    "stop",
    [lambda: compose()["stop_grace_period"], lambda: fly()["kill_timeout"]],
    ids=["compose", "fly"],
)
def test_a_stop_lasts_longer_than_a_drain(stop):
    assert int(stop().removesuffix("s")) > default("drain-timeout") + ENDING


def test_a_drain_ends_before_cloud_run_kills():
    [container] = cloud_run()["spec"]["containers"]
    [drain] = [int(each["value"]) for each in container["env"] if each["name"] == "TITLECARD_DRAIN_TIMEOUT"]
    assert drain + ENDING < 10


def test_compose_bounds_what_it_takes():
    assert {"mem_limit", "cpus", "pids_limit"} <= set(compose())
    assert {"max-size", "max-file"} <= set(compose()["logging"]["options"])


def test_compose_changes_nothing_on_the_disk():
    assert compose()["read_only"] and compose()["cap_drop"] == ["ALL"] and "volumes" not in compose()


def test_compose_publishes_on_this_machine_alone():
    assert compose()["ports"] == ["${ADDRESS:-127.0.0.1}:8080:8080"]


def test_nothing_runs_without_requests():
    assert fly()["http_service"]["min_machines_running"] == 0
    assert cloud_run()["metadata"]["annotations"]["autoscaling.knative.dev/minScale"] == "0"
    assert render()["plan"] == "free"


def test_variables_are_options_of_the_service():
    names = re.findall(
        r"\bTITLECARD_\w+",
        "".join((REPOSITORY / name).read_text() for name in ["docker-compose.yml", "Dockerfile"])
        + "".join(path.read_text() for path in sorted((REPOSITORY / "deploy").glob("*.[ty]*ml"))),
    )
    command = [BINARY, "serve", "--help"]
    help = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for name in names:
        assert f"  --{name.removeprefix('TITLECARD_').lower().replace('_', '-')} " in help, name
