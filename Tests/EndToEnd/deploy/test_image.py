"""The image and the files that start it: what can be checked without an engine, and its steps in a clean Debian."""

import ipaddress
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from service import BINARY, IS_PROOF, PATIENCE, REPOSITORY, Client, free_port, until

DEPLOY = REPOSITORY / "deploy"
DOCKERFILE = (REPOSITORY / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())


def fonts(name):
    return (DEPLOY / name).read_text().split()


def serve_help():
    return subprocess.run([BINARY, "serve", "--help"], capture_output=True, text=True, check=True).stdout


def variables():
    return {"TITLECARD_" + option.upper().replace("-", "_") for option in re.findall(r"^  --([a-z-]+)", serve_help(), re.M)}


def test_hadolint_finds_nothing():
    hadolint = os.path.join(os.path.dirname(sys.executable), "hadolint")
    outcome = subprocess.run([hadolint, REPOSITORY / "Dockerfile", REPOSITORY / ".devcontainer/Dockerfile"],
                             capture_output=True, text=True)
    assert (outcome.returncode, outcome.stdout) == (0, ""), outcome.stderr


def test_the_slim_image_lacks_cjk_alone():
    assert fonts("fonts-slim") == [font for font in fonts("fonts") if "cjk" not in font]


def test_what_the_image_is_built_from_reaches_the_builder():
    """Whatever the Dockerfile names exists, and .dockerignore lets it pass."""
    ignored = (REPOSITORY / ".dockerignore").read_text().split()
    sources = " ".join(re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.M)).split()
    for source in sources:
        assert (REPOSITORY / source).exists() and source not in ignored
    for name in ["fonts", "fonts-slim", "make-sbom"]:
        assert (DEPLOY / name).exists() and f"!deploy/{name}" in ignored


def test_it_says_what_it_is_and_what_it_is_based_on():
    labels = dict(re.findall(r"org\.opencontainers\.image\.([\w.]+)=(\"[^\"]*\"|\S+)", DOCKERFILE))
    assert {"title", "description", "licenses", "base.name"} == set(labels)
    [base] = re.findall(r"^FROM (debian:[\w.-]+)", DOCKERFILE, re.M)
    assert labels["base.name"] == f"docker.io/library/{base}"


def bill_of_materials(*packages):
    """The bill of materials of version 1.2.3 with these packages, or all that are installed."""
    command = ["sh", DEPLOY / "make-sbom", "1.2.3", *packages]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_bill_of_materials_is_cyclonedx_and_has_every_package():
    made = bill_of_materials()
    assert JsonStrictValidator(SchemaVersion.V1_5).validate_str(made) is None
    bill = json.loads(made)
    assert bill["metadata"]["component"]["version"] == "1.2.3"
    named = {component["name"]: component for component in bill["components"]}
    installed = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\n"], capture_output=True, text=True, check=True).stdout.split()
    assert set(installed) <= set(named)
    for component in bill["components"]:
        assert re.fullmatch(r"pkg:(deb|generic|swift)/[\w./@%~?=&:-]+", component["purl"]), component
        assert component["licenses"], component


def test_the_bill_of_materials_has_what_is_linked_in():
    named = {component["name"]: component for component in json.loads(bill_of_materials("libicu72"))["components"]}
    package = (REPOSITORY / "Package.swift").read_text()
    swift = dict(re.findall(r'url: "https://github.com/apple/(swift-\w+(?:-\w+)*)", exact: "([\d.]+)"', package))
    assert swift and swift == {name: named[name]["version"] for name in swift}
    assert named["swift"]["version"] == re.search(r"^FROM swift:([\d.]+)-", DOCKERFILE, re.M)[1]
    assert set(named) - set(swift) == {"swift", "swift-corelibs-libdispatch", "swift-foundation", "libstdc++", "libicu72"}
    assert named["libicu72"]["licenses"] == [{"license": {"id": "MIT"}}]


def test_the_serial_number_of_a_bill_of_materials_follows_from_its_components():
    assert bill_of_materials("libicu72") == bill_of_materials("libicu72")
    numbers = {json.loads(bill_of_materials(name))["serialNumber"] for name in ["libicu72", "zlib1g"]}
    assert len(numbers) == 2


def test_licences_are_those_of_what_is_linked_in():
    """The notice, the package's copyright file, and the bill of materials say what the dependencies' files say."""
    notice, debian = (REPOSITORY / "NOTICE").read_text(), (DEPLOY / "debian/copyright").read_text()
    named = {component["name"]: component for component in json.loads(bill_of_materials("zlib1g"))["components"]}
    for folder in (REPOSITORY / ".build/checkouts").iterdir():
        licence = (folder / "LICENSE.txt").read_text()
        has_exception = "Runtime Library Exception" in licence
        assert "Apache License" in licence and folder.name in notice and folder.name in debian
        expected = "Apache-2.0 WITH Swift-exception" if has_exception else "Apache-2.0"
        assert named[folder.name]["licenses"] == [{"expression": expected}]
        item = re.search(rf"^- [^\n]*{folder.name}\b.*?(?=^- |^The )", notice, re.M | re.S)[0]
        assert ("Exception" in item) == has_exception
        if (folder / "NOTICE.txt").exists():
            assert (folder / "NOTICE.txt").read_text() in notice


def test_compose_publishes_on_the_loopback_address_and_limits_all():
    for name, service in COMPOSE["services"].items():
        # Metrics are for this machine, whoever else is served.
        published = ("127.0.0.1:9", "${ADDRESS:-127.0.0.1}:8")
        assert name == "tls" or all(port.startswith(published) for port in service["ports"])
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        assert {"mem_limit", "pids_limit", "cpus", "restart", "logging"} <= set(service)
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "3"}


def addresses():
    """The fixed addresses of compose's services."""
    return {name: service["networks"]["default"]["ipv4_address"]
            for name, service in COMPOSE["services"].items() if "networks" in service}


def test_each_believes_the_one_before_it():
    services, (network,) = COMPOSE["services"], COMPOSE["networks"]["default"]["ipam"]["config"]
    # The cache, and a proxy of the machine, which connects from the gateway while nobody else can.
    trusted = services["titlecard"]["environment"]["TITLECARD_TRUSTED_PROXIES"]
    assert trusted == f"{addresses()['cache']},${{ADDRESS:-{network['gateway']}}}"
    clients = (DEPLOY / "caddy/clients.conf").read_text()
    assert re.findall(r"^set_real_ip_from (\S+);", clients, re.M) == [addresses()["tls"]]
    assert re.findall(r"^    ([\d.]+) https;", clients, re.M) == [addresses()["tls"]]
    assert f"syslog:server={addresses()['cache-metrics']}:9145" in (DEPLOY / "nginx/nginx.conf").read_text()
    assert all(ipaddress.ip_address(one) not in ipaddress.ip_network(network["ip_range"]) for one in addresses().values())


def test_profiles_add_what_they_need():
    profiles = {name: service.get("profiles", []) for name, service in COMPOSE["services"].items()}
    assert profiles == {"titlecard": [], "cache": ["cluster", "tls"], "cache-metrics": ["cluster", "tls"], "tls": ["tls"]}


def test_a_stop_leaves_time_to_drain():
    drain = int(re.search(r"Seconds for requests in flight to finish after that\.\s+\((\d+)", serve_help())[1])
    assert int(COMPOSE["services"]["titlecard"]["stop_grace_period"].removesuffix("s")) > drain + 5
    fly, cloud, render = elsewhere()
    assert int(fly["kill_timeout"].removesuffix("s")) > drain + 5
    assert render["maxShutdownDelaySeconds"] > drain + 5
    # Cloud Run gives ten seconds.
    assert int(environments()["cloud-run"]["TITLECARD_DRAIN_TIMEOUT"]) + 5 < 10


def test_nothing_runs_without_requests():
    fly, cloud, render = elsewhere()
    assert fly["http_service"]["min_machines_running"] == 0
    assert cloud["metadata"]["annotations"]["autoscaling.knative.dev/minScale"] == "0"
    assert render["plan"] == "free"


def elsewhere():
    """What the files for Fly, Cloud Run, and Render say."""
    (render,) = yaml.safe_load((DEPLOY / "render.yaml").read_text())["services"]
    cloud = yaml.safe_load((DEPLOY / "cloud-run.yaml").read_text())["spec"]["template"]
    return tomllib.loads((DEPLOY / "fly.toml").read_text()), cloud, render


def environments():
    """The variables that each file sets for the service."""
    fly, cloud, render = elsewhere()
    (container,) = cloud["spec"]["containers"]
    return {
        "fly": fly["env"],
        "cloud-run": {one["name"]: one["value"] for one in container["env"]},
        "render": {one["key"]: one["value"] for one in render["envVars"] if one["key"] != "PORT"},
        "compose": {key: value.replace("${ADDRESS:-172.28.0.1}", "172.28.0.1")
                    for key, value in COMPOSE["services"]["titlecard"]["environment"].items()},
        "Dockerfile": dict(re.findall(r"(TITLECARD_\w+)=(\S+)", DOCKERFILE)),
    }


@pytest.mark.parametrize("name", ["fly", "cloud-run", "render", "compose", "Dockerfile"])
def test_the_service_starts_with_the_variables_of_the_file(name):
    given = {key: str(value) for key, value in environments()[name].items()}
    assert given and set(given) <= variables()
    port = free_port()
    # What only the image has.
    given |= {"TITLECARD_PORT": str(port), "TITLECARD_HOST": "127.0.0.1", "TITLECARD_PUBLIC": str(REPOSITORY / "Public")}
    given.pop("TITLECARD_FONTS", None)
    server = subprocess.Popen([BINARY, "serve"], env={**os.environ, **given}, stderr=subprocess.DEVNULL)
    try:
        health = [BINARY, "health", "--port", str(port)]
        until(lambda: subprocess.run(health, capture_output=True).returncode == 0, "health")
    finally:
        server.terminate()
        assert server.wait(timeout=PATIENCE) == 0


# MARK: The steps


def bill_version():
    return subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def steps():
    """The two RUN of the image that runs, before and after the programs are there, as a shell's commands."""
    stage = DOCKERFILE.partition("FROM debian:")[2]
    commands = re.findall(r"^RUN (?:--mount=\S+ \\\n\s*)?(.*?)(?<!\\)\n(?=[A-Z#])", stage, re.M | re.S)
    before, after = [command.replace("\\\n", " ") for command in commands]
    return before, after


@pytest.mark.skipif(not IS_PROOF, reason="makes a Debian system of 500 MB; make proof does")
@pytest.mark.parametrize("video", ["", "ffmpeg"])
def test_the_steps_in_a_clean_system_give_a_service_that_answers(tmp_path, video):
    """The slim image, with videos and without, in a root of mmdebstrap instead of debian:12.12-slim, as the image's user and read-only."""
    root = tmp_path / "root"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "bookworm", root], check=True, stderr=subprocess.DEVNULL)
    # As Docker's base has it: no documentation but licences.
    (root / "etc/dpkg/dpkg.cfg.d/docker").write_text(
        "path-exclude /usr/share/doc/*\npath-include /usr/share/doc/*/copyright\npath-exclude /usr/share/man/*\n")
    shutil.copytree(DEPLOY, root / "tmp/deploy")
    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    try:
        run = ["chroot", root, "env", "FONTS=fonts-slim", f"VIDEO={video}", "DEBIAN_FRONTEND=noninteractive", "sh", "-ec"]
        before, after = steps()
        subprocess.run([*run, before], check=True, capture_output=True)
        for program in ["titlecard", "titlecard-worker"]:
            shutil.copy(BINARY.parent / program, root / "usr/local/bin")
            subprocess.run(["strip", root / "usr/local/bin" / program], check=True)
        shutil.copytree(REPOSITORY / "Public", root / "usr/local/share/titlecard/Public")
        subprocess.run([*run, after], check=True, capture_output=True)
        for font in fonts("fonts-slim"):
            assert (root / "usr/share/doc" / font / "copyright").exists(), font
        bill = json.loads((root / "usr/local/share/titlecard/sbom.cdx.json").read_text())
        assert "libpango-1.0-0" in {component["name"] for component in bill["components"]}
        assert bill["metadata"]["component"]["version"] == bill_version()
        sizes = subprocess.run(["du", "-xslm", "--exclude=proc", root, root / "usr/share/fonts", root / "usr/local"],
                               capture_output=True, text=True, check=True).stdout
        print(sizes)
        port = free_port()
        environment = {**environments()["Dockerfile"], "TITLECARD_PORT": str(port), "PATH": "/usr/local/bin:/usr/bin:/bin"}
        inside = ["unshare", "--mount", "sh", "-c",
                  f'mount --rbind "{root}" "{root}" && mount -o remount,bind,ro "{root}" && '
                  f'exec chroot --userspec=10001:10001 "{root}" titlecard serve']
        server = subprocess.Popen(inside, env={**environment, "PATH": f"{environment['PATH']}:/usr/sbin:/sbin"},
                                  stderr=subprocess.DEVNULL)
        try:
            health = ["chroot", "--userspec=10001:10001", root, "titlecard", "health", "--port", str(port)]
            until(lambda: subprocess.run(health, capture_output=True).returncode == 0, "health")
            service = Client(port)
            assert service.get("/render.png?text=Hello").status == 200
            film = service.get("/render.webm?text=Hello")
            assert (film.status, film.body[:4]) == (200, b"\x1a\x45\xdf\xa3") if video else film.status == 404, film.text
        finally:
            server.terminate()
            assert server.wait(timeout=PATIENCE) == 0
    finally:
        subprocess.run(["umount", root / "proc"], check=True)
