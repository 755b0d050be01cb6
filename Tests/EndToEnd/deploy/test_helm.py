"""The chart of deploy/helm, rendered by Helm's own code: it fits the schemas, and equals the manifests that it is made from."""

import copy
import json
import re
import subprocess

import helm_python
import kubernetes_validate
import pytest
import yaml

from custom_resources import SPECIFICATIONS, faults
from service import PATIENCE, REPOSITORY, Service, free_port

CHART = REPOSITORY / "deploy/helm/titlecard"
KUBECTL = REPOSITORY / ".build/tools/usr/bin/kubectl"
VERSIONS = ["1.27", kubernetes_validate.latest_version()]
PRODUCTION = {
    "host": "cards.example",
    "image": {"repository": "ghcr.io/somebody/titlecard", "digest": "sha256:" + "0" * 64, "pullSecrets": ["registry"]},
    "autoscaling": {"enabled": True, "maxReplicas": 4},
    "signingKeys": {"secret": "titlecard-keys"},
    "fonts": {"persistentVolumeClaim": {"claimName": "fonts"}},
    "cache": {"replicas": 2, "size": 3, "storageClass": "fast"},
    "proxies": ["10.0.0.0/8", "fd00::/8"],
    "networkPolicy": {"from": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "gateway"}}}]},
    "ingress": {"enabled": True, "className": "traefik", "tlsSecret": "certificate", "annotations": {"a.example/b": "c"}},
    "gateway": {"enabled": True, "name": "public"},
    "monitoring": {"serviceMonitor": True, "alerts": True, "labels": {"release": "prometheus"}, "namespace": "observe"},
    "options": {"max-output": 33554432, "rate-limit": 0.5, "mcp": True},
}


def render(values=None, name="demo"):
    """Returns the resources of a release, by kind and name."""
    with helm_python.Chart.load(str(CHART)) as chart:
        files = chart.render({"image": {"repository": "titlecard"}} | (values or {}), name=name, namespace="titlecard")
    resources = [
        resource
        for path, text in files.items()
        if path.endswith(".yaml")
        for resource in yaml.safe_load_all(text)
        if resource
    ]
    found = {(resource["kind"], resource["metadata"]["name"]): resource for resource in resources}
    assert len(found) == len(resources)
    return found


def test_helm_finds_no_fault():
    outcome = helm_python.lint(str(CHART))
    # 1 is a recommendation: an icon.
    assert not outcome["errors"] and all(message["severity"] <= 1 for message in outcome["messages"]), outcome


def test_the_chart_is_made_from_the_manifests():
    subprocess.run([CHART.parent / "make-chart", "--check"], check=True, timeout=PATIENCE)


@pytest.mark.slow
@pytest.mark.parametrize("values", [{}, PRODUCTION], ids=["default", "production"])
def test_the_schemas_know_every_resource(values):
    for (kind, _), resource in render(values).items():
        if (resource["apiVersion"], kind) in SPECIFICATIONS:
            assert not list(faults(resource["spec"], SPECIFICATIONS[resource["apiVersion"], kind]))
            continue
        for version in VERSIONS:
            kubernetes_validate.validate(resource, version, strict=True)


def without_instance(value):
    """Returns a resource without what only a release has."""
    if isinstance(value, dict):
        return {
            key: without_instance(entry)
            for key, entry in value.items()
            if key not in {"app.kubernetes.io/instance", "namespace", "imagePullPolicy"} and not key.startswith("checksum/")
        }
    return [without_instance(entry) for entry in value] if isinstance(value, list) else value


def test_it_is_what_the_base_has():
    command = [KUBECTL, "kustomize", REPOSITORY / "deploy/kubernetes/base"]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
    base = {(r["kind"], r["metadata"]["name"]): r for r in yaml.safe_load_all(text)}
    chart = render(name="titlecard")
    compared = 0
    for (kind, name), expected in base.items():
        if kind in {"Namespace", "ConfigMap"} or name == "deny-all":
            continue
        found, expected = without_instance(chart[kind, name]), without_instance(copy.deepcopy(expected))
        if kind == "Deployment":
            found["spec"].pop("replicas")
            (container,), (other,) = (r["spec"]["template"]["spec"]["containers"] for r in (found, expected))
            assert container.pop("envFrom") == [{"configMapRef": {"name": "titlecard-options"}}]
            del other["envFrom"]
        if kind in {"Deployment", "StatefulSet"}:
            assert found["spec"]["template"]["metadata"].pop("annotations") == {}
            for container in found["spec"]["template"]["spec"]["containers"]:
                container["image"] = re.sub(r"^titlecard:[\d.]+$", "titlecard", container["image"])
        if kind == "StatefulSet":
            for resource in (found, expected):
                resource["spec"]["template"]["spec"]["volumes"].pop(0)
        assert found == expected, (kind, name)
        compared += 1
    assert compared >= 8
    # Its options are the base's, and two of a service that others reach.
    (settings,) = (r["data"] for (kind, name), r in base.items() if kind == "ConfigMap" and "options" in name)
    assert settings.items() <= chart["ConfigMap", "titlecard-options"]["data"].items()


def test_names_lead_to_what_is_there():
    resources = render(PRODUCTION)
    deployment = resources["Deployment", "demo"]["spec"]["template"]["spec"]
    (container,) = deployment["containers"]
    assert container["image"] == "ghcr.io/somebody/titlecard@sha256:" + "0" * 64
    assert deployment["imagePullSecrets"] == [{"name": "registry"}]
    assert ("ConfigMap", container["envFrom"][0]["configMapRef"]["name"]) in resources
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert {volume["name"] for volume in deployment["volumes"]} == set(mounts) == {"keys", "fonts"}
    assert container["env"] == [{"name": "TITLECARD_SIGNING_KEYS_FILE", "value": mounts["keys"] + "/keys"}]
    cache = resources["StatefulSet", "demo-cache"]["spec"]
    assert cache["serviceName"] == "demo-cache" and cache["replicas"] == 2
    assert cache["volumeClaimTemplates"][0]["spec"]["resources"]["requests"]["storage"] == "5Gi"
    volumes = [volume for volume in cache["template"]["spec"]["volumes"] if "configMap" in volume]
    assert [("ConfigMap", volume["configMap"]["name"]) in resources for volume in volumes] == [True]
    ports = {port["name"]: port["port"] for port in resources["Service", "demo-cache"]["spec"]["ports"]}
    rule = resources["Ingress", "demo"]["spec"]["rules"][0]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert rule["host"] == "cards.example" and backend == {"name": "demo-cache", "port": {"name": "http"}} and "http" in ports
    route = resources["HTTPRoute", "demo"]["spec"]
    assert route["hostnames"] == ["cards.example"] and route["parentRefs"][0]["name"] == "public"
    assert route["rules"][0]["backendRefs"] == [{"name": "demo-cache", "port": ports["http"]}]
    target = resources["HorizontalPodAutoscaler", "demo"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) in resources
    assert "replicas" not in resources["Deployment", "demo"]["spec"]
    for kind in ["ServiceMonitor", "PrometheusRule"]:
        assert resources[kind, "demo"]["metadata"]["labels"]["release"] == "prometheus"
    alerts = yaml.safe_load((REPOSITORY / "deploy/prometheus/alerts.yml").read_text())
    assert resources["PrometheusRule", "demo"]["spec"] == alerts


def test_two_releases_in_a_namespace_are_strangers():
    def selected(resource):
        return resource["spec"]["selector"]

    one, two = render(name="one"), render(name="two")
    assert not set(one) & set(two)
    for name, kind in [("one", "Deployment"), ("one-cache", "StatefulSet")]:
        labels = one[kind, name]["spec"]["template"]["metadata"]["labels"]
        assert selected(one[kind, name])["matchLabels"].items() <= labels.items()
        assert not selected(two[kind, name.replace("one", "two")])["matchLabels"].items() <= labels.items()


def test_a_long_name_fits():
    for kind, name in render(name="a" * 53):
        assert len(name) <= (52 if kind == "StatefulSet" else 63), (kind, name)


@pytest.mark.parametrize("values", [{}, PRODUCTION], ids=["default", "production"])
def test_nginx_takes_the_configuration(tmp_path, values):
    resources = render(values)
    files = resources["ConfigMap", "demo-cache"]["data"]
    sizes = [int(size) for size in re.findall(r"max_size=(\d+)m", files["caches.conf"])]
    assert len(sizes) == 3 and sum(sizes) == pytest.approx(1024 * (3 if values else 10), abs=3)
    assert re.findall("set_real_ip_from (.*);", re.sub("(?m)^#.*", "", files["clients.conf"])) == values.get("proxies", [])
    assert "server demo:8080" in files["replicas.conf"]
    (tmp_path / "cache").mkdir()
    for name, text in files.items():
        for written, meant in [
            ("/tmp/", f"{tmp_path}/"),
            ("/etc/nginx/titlecard", str(tmp_path)),
            ("/var/cache/nginx", f"{tmp_path}/cache"),
            ("server demo:", "server 127.0.0.1:"),
            ("listen 8080", f"listen 127.0.0.1:{free_port()}"),
        ]:
            text = text.replace(written, meant)
        (tmp_path / name).write_text(text)
    command = ["nginx", "-t", "-p", tmp_path, "-e", "stderr", "-c", tmp_path / "nginx.conf"]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert outcome.returncode == 0, outcome.stderr


@pytest.mark.parametrize("values", [{}, PRODUCTION], ids=["default", "production"])
def test_the_service_takes_the_options(tmp_path, values):
    options = render(values)["ConfigMap", "demo-options"]["data"]
    assert all(isinstance(value, str) and value for value in options.values())
    if values:
        assert options["TITLECARD_MAX_OUTPUT"] == "33554432" and options["TITLECARD_RATE_LIMIT"] == "0.5"
        assert options["TITLECARD_PUBLIC_URL"] == "https://cards.example" and options["TITLECARD_MCP"] == "true"
    server = Service(environment=options)
    try:
        assert server.get("/health").status == 200
    finally:
        server.stop()


@pytest.mark.parametrize(
    "values, blamed",
    [
        ({"replica": 2}, "replica"),
        ({"image": {"repository": "a", "tag": "latest"}}, "tag"),
        ({"image": {"repository": "a", "digest": "sha256:1"}}, "digest"),
        ({"image": {"repository": ""}}, "repository"),
        ({"cache": {"size": "10Gi"}}, "size"),
        ({"options": {"RATE": 1}}, "RATE"),
        ({"options": {"rate-limt": 3}}, "rate-limt"),
        ({"options": {"port": 9000}}, "port"),
        ({"options": {"signing-key": "a secret of many letters"}}, "signing-key"),
        ({"options": {"metrics-listen": ""}}, "metrics-listen"),
        ({"proxies": ["everybody; deny all"]}, "proxies"),
        ({"ingress": {"enabled": True}}, "host"),
        ({"gateway": {"enabled": True}}, "host"),
    ],
)
def test_a_wrong_value_is_refused(values, blamed):
    with pytest.raises(helm_python.HelmError, match=blamed):
        render(values)


def test_the_values_and_their_schema_have_the_same_names():
    def names(value, schema, path=""):
        for key, entry in value.items():
            assert key in schema["properties"], path + key
            if isinstance(entry, dict) and "properties" in schema["properties"][key]:
                names(entry, schema["properties"][key], f"{path}{key}.")
                assert set(entry) == set(schema["properties"][key]["properties"]), path + key

    schema = json.loads((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    names(values, schema)
    assert set(values) | {"global"} == set(schema["properties"])
