"""The manifests of deploy/kubernetes: they build, fit the schemas, fit each other, and say what the service needs."""

import contextlib
import copy
import functools
import getpass
import http.client
import http.server
import json
import os
import re
import shutil
import socket
import subprocess
import threading

import kubernetes_validate
import pytest
import yaml

from custom_resources import SPECIFICATIONS, faults
from service import BINARY, PATIENCE, REPOSITORY, free_port, until

FOLDER = REPOSITORY / "deploy/kubernetes"
README = FOLDER / "README.md"
# Debian's, which `make test-deps` unpacks.
KUBECTL = REPOSITORY / ".build/tools/usr/bin/kubectl"
FOLDERS = ["base", "batch", "gateway", "monitoring", "overlays/small", "overlays/production"]
# The oldest version that README.md names, and the newest that the package has.
VERSIONS = ["1.27", kubernetes_validate.latest_version()]
JOB_VERSIONS = ["1.29", kubernetes_validate.latest_version()]
# What the standard "restricted" lets a Pod mount.
VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}


@functools.cache
def build(folder):
    """Returns the resources that kubectl 1.20 builds of a folder."""
    command = [KUBECTL, "kustomize", FOLDER / folder]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert outcome.returncode == 0 and not outcome.stderr, outcome.stderr
    return list(yaml.safe_load_all(outcome.stdout))


def everything():
    """Yields each folder with each of its resources."""
    for folder in FOLDERS:
        for resource in build(folder):
            yield folder, resource


def find(folder, kind, name=None):
    """Returns the one resource of a kind, or that of a name, without the hash of a generated one."""

    def is_named(resource):
        return name is None or re.sub("-[a-z0-9]{10}$", "", resource["metadata"]["name"]) == name

    found = [resource for resource in build(folder) if resource["kind"] == kind and is_named(resource)]
    assert len(found) == 1, (folder, kind, name)
    return found[0]


def workloads():
    """Yields each folder with each resource that makes Pods, and the specification of these."""
    for folder, resource in everything():
        if resource["kind"] in {"Deployment", "StatefulSet", "Job"}:
            yield folder, resource, resource["spec"]["template"]["spec"]


def options(folder):
    return find(folder, "ConfigMap", "titlecard-options")["data"]


def quantity(text):
    """Returns cores or bytes."""
    number, unit = re.fullmatch(r"([0-9.]+)(m|Mi|Gi|)", str(text)).groups()
    return float(number) * {"": 1, "m": 1e-3, "Mi": 2**20, "Gi": 2**30}[unit]


@pytest.mark.slow
def test_the_schemas_know_every_resource():
    for folder, resource in everything():
        kind = resource["kind"]
        if (resource["apiVersion"], kind) in SPECIFICATIONS:
            assert set(resource) == {"apiVersion", "kind", "metadata", "spec"}
            assert not list(faults(resource["spec"], SPECIFICATIONS[resource["apiVersion"], kind]))
            continue
        for version in JOB_VERSIONS if kind == "Job" else VERSIONS:
            try:
                kubernetes_validate.validate(resource, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                pytest.fail(f"{folder}, {kind}, {version}: {error}")


@pytest.mark.parametrize(
    "change", [{"host": ["a.example"]}, {"hostnames": ["a_b"]}, {"rules": [{"backendRefs": [{}]}]}]
)
def test_a_wrong_field_of_a_custom_resource_is_found(change):
    route = copy.deepcopy(find("gateway", "HTTPRoute"))
    assert list(faults(route["spec"] | change, SPECIFICATIONS[route["apiVersion"], "HTTPRoute"]))


def test_everything_is_in_the_one_namespace():
    for _, resource in everything():
        if resource["kind"] != "Namespace":
            assert resource["metadata"]["namespace"] == "titlecard"


def test_pods_are_restricted():
    labels = find("base", "Namespace")["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    for _, _, pod in workloads():
        assert pod["automountServiceAccountToken"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC", "initContainers"} & set(pod)
        assert pod["securityContext"]["runAsNonRoot"] is True and pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for volume in pod.get("volumes", []):
            assert set(volume) - {"name"} <= VOLUMES
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }


def test_the_user_of_the_service_is_that_of_the_image():
    user = int(re.search(r"^USER (\d+)$", (REPOSITORY / "Dockerfile").read_text(), re.M)[1])
    for _, resource, pod in workloads():
        if resource["kind"] != "StatefulSet":
            assert pod["securityContext"]["runAsUser"] == user


def test_requests_are_within_limits():
    for _, _, pod in workloads():
        for container in pod["containers"]:
            for resource in ["cpu", "memory"]:
                requested, limit = (container["resources"][kind][resource] for kind in ["requests", "limits"])
                assert 0 < quantity(requested) <= quantity(limit)


def test_threads_and_memory_fit_the_container():
    for folder in ["base", "overlays/small", "overlays/production"]:
        (container,) = find(folder, "Deployment")["spec"]["template"]["spec"]["containers"]
        limits, settings = container["resources"]["limits"], options(folder)
        assert int(settings["TITLECARD_WORKERS"]) == int(settings["TITLECARD_LOOPS"]) == quantity(limits["cpu"])
        # As much as in docker-compose.yml, with the default of --memory.
        assert quantity(limits["memory"]) >= int(settings["TITLECARD_MEMORY"]) * 2**20 * 1024 / 600


def test_the_service_stops_before_it_is_killed():
    # What is still under way after the drain is abandoned 2 s later, and a worker killed 3 s after that.
    for folder in ["base", "overlays/small", "overlays/production"]:
        pod, settings = find(folder, "Deployment")["spec"]["template"]["spec"], options(folder)
        drain = float(settings["TITLECARD_DRAIN_DELAY"]) + float(settings["TITLECARD_DRAIN_TIMEOUT"])
        assert pod["terminationGracePeriodSeconds"] > drain + 5


def test_the_cache_stops_before_it_is_killed():
    pod = find("base", "StatefulSet")["spec"]["template"]["spec"]
    _, delay = pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"]
    timeouts = re.findall(r"proxy_read_timeout (\d+)s;", (REPOSITORY / "deploy/nginx/titlecard.conf").read_text())
    assert pod["terminationGracePeriodSeconds"] > int(delay) + max(map(int, timeouts))


def test_health_decides_readiness_and_not_life():
    (container,) = find("base", "Deployment")["spec"]["template"]["spec"]["containers"]
    assert container["readinessProbe"]["httpGet"] == {"path": "/health", "port": "http"}
    assert container["livenessProbe"]["httpGet"] == {"path": "/health?live", "port": "http"}
    # The supervisor comes first: it replaces a worker that hangs after ten seconds.
    assert container["livenessProbe"]["periodSeconds"] * container["livenessProbe"]["failureThreshold"] >= 60


def test_options_are_those_of_serve():
    described = (REPOSITORY / "docs/operations.md").read_text()
    names = re.findall(r"^\| `--([a-z-]+)` \|", described, re.M)
    known = {"TITLECARD_" + name.upper().replace("-", "_") for name in names}
    for folder in ["base", "overlays/small", "overlays/production"]:
        settings = options(folder)
        assert set(settings) <= known and all(settings.values())


def test_names_lead_to_what_is_there():
    for folder in ["base", "batch", "overlays/small", "overlays/production"]:
        names = {(resource["kind"], resource["metadata"]["name"]) for resource in build(folder)}
        for resource in build(folder):
            if resource["kind"] == "HorizontalPodAutoscaler":
                target = resource["spec"]["scaleTargetRef"]
                assert (target["kind"], target["name"]) in names
            if resource["kind"] == "HTTPRoute":
                for rule in resource["spec"]["rules"]:
                    for backend in rule["backendRefs"]:
                        service = find(folder, "Service", backend["name"])
                        assert backend["port"] in [port["port"] for port in service["spec"]["ports"]]
            if resource["kind"] not in {"Deployment", "StatefulSet", "Job"}:
                continue
            for volume in resource["spec"]["template"]["spec"].get("volumes", []):
                if "configMap" in volume:
                    assert ("ConfigMap", volume["configMap"]["name"]) in names
                if "persistentVolumeClaim" in volume:
                    assert ("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]) in names
            for container in resource["spec"]["template"]["spec"]["containers"]:
                for source in container.get("envFrom", []):
                    assert ("ConfigMap", source["configMapRef"]["name"]) in names


def test_selectors_select_pods_of_one_workload():
    labels = {
        resource["metadata"]["name"]: resource["spec"]["template"]["metadata"]["labels"].items()
        for resource in build("overlays/production")
        if resource["kind"] in {"Deployment", "StatefulSet"}
    }

    def selected(selector):
        return [name for name, own in labels.items() if selector.items() <= own]

    for resource in build("overlays/production"):
        name, specification = resource["metadata"]["name"], resource["spec"] if "spec" in resource else {}
        if resource["kind"] == "Service":
            assert selected(specification["selector"]) == [name]
        elif resource["kind"] == "PodDisruptionBudget":
            assert selected(specification["selector"]["matchLabels"]) == [name]
        elif resource["kind"] == "NetworkPolicy" and name != "deny-all":
            assert selected(specification["podSelector"]["matchLabels"]) == [name.removesuffix("-metrics")]
        elif resource["kind"] in {"Deployment", "StatefulSet"}:
            assert selected(specification["selector"]["matchLabels"]) == [name]
            for constraint in specification["template"]["spec"]["topologySpreadConstraints"]:
                assert selected(constraint["labelSelector"]["matchLabels"]) == [name]
    # Each monitor selects a Service, by labels and by the name of its port.
    for name in ["titlecard", "titlecard-cache"]:
        monitor = find("overlays/production", "ServiceMonitor", name)["spec"]
        service = find("overlays/production", "Service", name)
        assert monitor["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
        (endpoint,) = monitor["endpoints"]
        assert endpoint["port"] in {port["name"] for port in service["spec"]["ports"]}
    monitor, service = (find("overlays/production", kind, "titlecard")["spec"] for kind in ["ServiceMonitor", "Service"])
    (endpoint,) = monitor["endpoints"]
    ports = {port["name"]: port["port"] for port in service["ports"]}
    (container,) = find("overlays/production", "Deployment")["spec"]["template"]["spec"]["containers"]
    assert ports == {port["name"]: port["containerPort"] for port in container["ports"]}
    metrics = ports[endpoint["port"]]
    assert options("base")["TITLECARD_METRICS_LISTEN"] == f"[::]:{metrics}" and ports["http"] != metrics
    # Prometheus alone reaches it, and the cache alone the other.
    policies = {p["metadata"]["name"]: p["spec"] for p in build("overlays/production") if p["kind"] == "NetworkPolicy"}
    for name, port in [("titlecard-metrics", metrics), ("titlecard", ports["http"])]:
        (rule,) = policies[name]["ingress"]
        assert [each["port"] for each in rule["ports"]] == [port]


def test_only_the_cache_and_prometheus_reach_the_service():
    policies = {p["metadata"]["name"]: p["spec"] for p in build("overlays/production") if p["kind"] == "NetworkPolicy"}
    assert policies["deny-all"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert policies["titlecard"].get("egress", []) == []
    assert "Egress" in policies["titlecard"]["policyTypes"]
    (rule,) = policies["titlecard"]["ingress"]
    cache = find("base", "StatefulSet")["spec"]["selector"]["matchLabels"]
    assert rule["from"] == [{"podSelector": {"matchLabels": cache}}]
    (metrics,) = policies["titlecard-metrics"]["ingress"]
    # One element with both selectors: the Pods of that name in that namespace, and no others of either.
    assert [set(peer) for peer in metrics["from"]] == [{"namespaceSelector", "podSelector"}]


def test_only_the_gateway_reaches_a_cache_that_believes_it():
    """Anybody else could pretend to be any client."""
    for folder in ["base", "overlays/small", "overlays/production"]:
        clients = files_of_the_cache(folder)["clients.conf"]
        believed = re.findall(r"^(?!#).*(?:set_real_ip_from|http_x_forwarded)", clients, re.M)
        (rule,) = find(folder, "NetworkPolicy", "titlecard-cache")["spec"]["ingress"]
        assert bool(believed) == ("from" in rule) == (folder == "overlays/production")
    # One element with both selectors.
    assert [set(peer) for peer in rule["from"]] == [{"namespaceSelector", "podSelector"}]


def test_an_autoscaler_is_not_contradicted():
    assert "replicas" not in find("overlays/production", "Deployment")["spec"]


def test_the_small_overlay_needs_no_custom_resources():
    for resource in build("overlays/small"):
        assert (resource["apiVersion"], resource["kind"]) not in SPECIFICATIONS


def test_the_autoscaler_takes_the_metric_of_the_readme():
    """The fragments of README.md: the adapter's metric is the one that the autoscaler asks for."""
    rule, fragment = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", README.read_text(), re.S))
    autoscaler = copy.deepcopy(find("overlays/production", "HorizontalPodAutoscaler"))
    autoscaler["spec"]["metrics"] += fragment["metrics"]
    for version in VERSIONS:
        kubernetes_validate.validate(autoscaler, version, strict=True)
    (metric,) = fragment["metrics"]
    (rule,) = rule["rules"]
    assert metric["pods"]["metric"]["name"] == rule["name"]["as"]


# The cache.


KEPT, EXPIRED, REFUSED, OTHER = (f"/render.svg?text={text}" for text in ["kept", "expired", "refused-once", "other"])
CLIENT = "/client"


def files_of_the_cache(folder):
    files = {}
    for name in ["titlecard-cache", "titlecard-cache-cluster"]:
        files |= find(folder, "ConfigMap", name)["data"]
    return files


class Upstream(http.server.BaseHTTPRequestHandler):
    """Answers by the text: `kept` may be kept, `expired` has expired already, and all fail once `is_broken` is set."""

    protocol_version = "HTTP/1.1"
    is_broken = False
    asked = []

    def do_GET(self):
        if self.path.startswith("/canonical/"):
            return self.answer_key(self.path.removeprefix("/canonical"))
        if self.path == "/health":
            return self.answer_key(self.path)
        self.asked.append(self.path)
        is_first = self.asked.count(self.path) == 1
        is_refused = (self.path == REFUSED and is_first) or type(self).is_broken
        body = f"{self.path} {len(self.asked)}".encode()
        if self.path == CLIENT:
            body = f"{self.headers['X-Forwarded-For']} {self.headers['X-Forwarded-Proto']}".encode()
        self.send_response(503 if is_refused else 200)
        self.send_header("Content-Length", str(len(body)))
        if is_refused:
            self.send_header("Cache-Control", "no-store")
        elif self.path == KEPT:
            self.send_header("Cache-Control", "public, max-age=86400")
        elif self.path == EXPIRED:
            # For nginx, a time at which it expires: long ago.
            self.send_header("X-Accel-Expires", "@1")
        self.end_headers()
        self.wfile.write(body)

    do_HEAD = do_GET

    def answer_key(self, target):
        self.send_response(503 if type(self).is_broken else 200)
        self.send_header("Content-Length", "0")
        self.send_header("Titlecard-Key", f"2-{abs(hash(target))}")
        self.send_header("Cache-Control", "public, max-age=86400")
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def running_cache(folder, overlay, *changes):
    """Yields a function that asks the cache's nginx for a path: the status, how the cache had it, and the body."""
    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    port = free_port()
    files = files_of_the_cache(overlay)
    if os.getuid() == 0:
        files["nginx.conf"] = f"user {getpass.getuser()};\n" + files["nginx.conf"]
    replacements = [
        ("titlecard:8080", f"127.0.0.1:{upstream.server_port}"),
        ("listen 8080", f"listen 127.0.0.1:{port}"),
        ("/tmp/", f"{folder}/"),
        ("/etc/nginx/titlecard", str(folder)),
        ("/var/cache/nginx", str(folder)),
        # So that a picture can say when it expires.
        ("access_log off;", "access_log off; proxy_pass_header X-Accel-Expires;"),
        *changes,
    ]
    assert all(any(written in text for text in files.values()) for written, _ in replacements)
    for name, text in files.items():
        for written, meant in replacements:
            text = text.replace(written, meant)
        (folder / name).write_text(text)
    container, _ = find("base", "StatefulSet")["spec"]["template"]["spec"]["containers"]
    command = [argument.replace("/tmp/", f"{folder}/").replace("/etc/nginx/titlecard", str(folder))
               for argument in container["command"]]
    # What an nginx that was killed has left.
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(f"{folder}/titlecard-misses.sock")
    check = subprocess.run([*command[:-1], f"{command[-1]} -t"], capture_output=True, text=True, timeout=PATIENCE)
    assert check.returncode == 0 and "[" not in check.stderr.replace("[notice]", ""), check.stderr
    asked = len(Upstream.asked)
    nginx = subprocess.Popen(command)

    def ask(path, fields={}, address="127.0.0.1"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(address, 0))
        with contextlib.closing(connection):
            connection.request("GET", path, headers=fields)
            answer = connection.getresponse()
            return answer.status, answer.headers["X-Cache"], answer.read().decode()

    def is_ready():
        assert nginx.poll() is None
        try:
            return ask(container["readinessProbe"]["httpGet"]["path"])[0] == 200
        except ConnectionError:
            return False

    try:
        until(is_ready, "the cache's readiness probe")
        assert len(Upstream.asked) == asked, "the cache is ready by itself"
        yield ask
    finally:
        nginx.terminate()
        nginx.wait()
        upstream.shutdown()


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    with running_cache(tmp_path_factory.mktemp("cache"), "base") as ask:
        yield ask


def test_the_cache_keeps_what_may_be_kept(cache):
    status, state, body = cache(KEPT)
    assert (status, state) == (200, "MISS")
    assert cache(KEPT) == (200, "HIT", body)
    assert cache(OTHER)[:2] == cache(OTHER)[:2] == (200, "MISS")


def test_the_cache_hides_the_counters(cache):
    assert cache("/metrics")[0] == 404
    assert "/metrics" not in Upstream.asked


FORGED = {"X-Forwarded-For": "192.0.2.1, 10.0.0.1, 203.0.113.5", "X-Forwarded-Proto": "https"}


def test_a_cache_without_a_gateway_believes_nobody(cache):
    assert cache(CLIENT, FORGED)[2] == "127.0.0.1 http"


def test_the_cache_takes_the_last_address_that_the_gateway_says(tmp_path):
    gateway = ("set_real_ip_from 10.0.0.0/8;", "set_real_ip_from 127.0.0.9;")
    with running_cache(tmp_path, "overlays/production", gateway) as ask:
        assert ask(CLIENT, FORGED, "127.0.0.9")[2] == "203.0.113.5 https"
        # A client with an address like the gateway's is a client.
        assert ask(CLIENT, {"X-Forwarded-For": "192.0.2.1, 127.0.0.9"}, "127.0.0.9")[2] == "127.0.0.9 http"
        assert ask(CLIENT, FORGED)[2].startswith("127.0.0.1 ")


def test_a_replica_that_refuses_is_not_the_last_that_is_asked(cache):
    assert cache(REFUSED)[0] == 200
    assert Upstream.asked.count(REFUSED) == 2


def test_the_cache_serves_what_has_expired_while_the_service_fails(cache, monkeypatch):
    status, state, body = cache(EXPIRED)
    assert (status, state) == (200, "MISS")
    monkeypatch.setattr(Upstream, "is_broken", True)
    assert cache(EXPIRED) == (200, "STALE", body)
    assert cache("/render.svg?text=never-kept")[0] == 503


# Batches.


def test_the_parts_of_a_batch_make_the_files_of_its_list(tmp_path):
    job = find("batch", "Job")["spec"]
    (container,) = job["template"]["spec"]["containers"]
    *shell, script = container["command"]
    requests = find("batch", "ConfigMap", "titlecard-requests")["data"]["requests.jsonl"]
    (tmp_path / "requests.jsonl").write_text(requests)
    (tmp_path / "renderings").mkdir()
    script = script.replace("/requests/", f"{tmp_path}/").replace("/renderings", f"{tmp_path}/renderings")
    path = f"{BINARY.parent}:{os.environ['PATH']}"
    assert shutil.which("titlecard", path=path) == str(BINARY)

    def render(index):
        environment = os.environ | {"PATH": path, "JOB_COMPLETION_INDEX": str(index)}
        return subprocess.run([*shell, script], env=environment, capture_output=True, timeout=PATIENCE)

    for index in range(job["completions"]):
        outcome = render(index)
        assert outcome.returncode == 0, outcome.stderr
    lines = [json.loads(line) for line in requests.splitlines() if line.startswith("{")]
    files = {str(path.relative_to(tmp_path / "renderings")) for path in tmp_path.glob("renderings/**/*.*")}
    assert files == {line["output"] for line in lines}
    # A line that cannot be rendered fails its index at once, and no other.
    (tmp_path / "requests.jsonl").write_text("x\n")
    rules = job["podFailurePolicy"]["rules"]
    (codes,) = [rule["onExitCodes"]["values"] for rule in rules if rule["action"] == "FailIndex"]
    assert render(1).returncode in codes
    assert render(0).returncode == 0
