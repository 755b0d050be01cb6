"""The fields of custom resources that kubernetes-validate does not know, as their reference documentation has them."""

import re

# Gateway API (GEP-2257) and Prometheus.
GATEWAY_DURATION = re.compile(r"([0-9]{1,5}(h|m|s|ms)){1,4}")
PROMETHEUS_DURATION = re.compile(r"([0-9]+y)?([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?")
HOST_NAME = re.compile(r"(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
ANY = re.compile(r".+", re.S)

SELECTOR = {
    "matchLabels": {"*": ANY},
    "matchExpressions": [{"key!": ANY, "operator!": {"In", "NotIn", "Exists", "DoesNotExist"}, "values": [ANY]}],
}

# An object is a dictionary of its fields, `name!` one that has to be there, `*` any name; a list is a list of one
# element; a string is a pattern or a set of words.
SPECIFICATIONS = {
    # https://gateway-api.sigs.k8s.io/reference/spec/#httproute
    ("gateway.networking.k8s.io/v1", "HTTPRoute"): {
        "parentRefs": [
            {"group": ANY, "kind": ANY, "namespace": ANY, "name!": ANY, "sectionName": ANY, "port": int},
        ],
        "hostnames": [HOST_NAME],
        "rules": [
            {
                "name": ANY,
                "matches": [
                    {
                        "path": {"type": {"Exact", "PathPrefix", "RegularExpression"}, "value": re.compile("/.*")},
                        "headers": [{"type": {"Exact", "RegularExpression"}, "name!": ANY, "value!": ANY}],
                        "queryParams": [{"type": {"Exact", "RegularExpression"}, "name!": ANY, "value!": ANY}],
                        "method": re.compile("[A-Z]+"),
                    }
                ],
                "backendRefs": [
                    {"group": ANY, "kind": ANY, "namespace": ANY, "name!": ANY, "port": int, "weight": int},
                ],
                "timeouts": {"request": GATEWAY_DURATION, "backendRequest": GATEWAY_DURATION},
            }
        ],
    },
    # https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.ServiceMonitor
    ("monitoring.coreos.com/v1", "ServiceMonitor"): {
        "jobLabel": ANY,
        "targetLabels": [ANY],
        "podTargetLabels": [ANY],
        "selector!": SELECTOR,
        "namespaceSelector": {"any": bool, "matchNames": [ANY]},
        "sampleLimit": int,
        "endpoints!": [
            {
                "port": ANY,
                "path": re.compile("/.*"),
                "scheme": {"http", "https"},
                "interval": PROMETHEUS_DURATION,
                "scrapeTimeout": PROMETHEUS_DURATION,
                "honorLabels": bool,
                "honorTimestamps": bool,
                "relabelings": [
                    {"sourceLabels": [ANY], "separator": ANY, "targetLabel": ANY, "regex": ANY, "modulus": int,
                     "replacement": ANY, "action": ANY},
                ],
            }
        ],
    },
    # https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.PrometheusRule
    ("monitoring.coreos.com/v1", "PrometheusRule"): {
        "groups": [
            {
                "name!": ANY,
                "interval": PROMETHEUS_DURATION,
                "limit": int,
                "rules": [
                    {
                        "alert": ANY,
                        "record": ANY,
                        "expr!": ANY,
                        "for": PROMETHEUS_DURATION,
                        "keep_firing_for": PROMETHEUS_DURATION,
                        "labels": {"*": ANY},
                        "annotations": {"*": ANY},
                    }
                ],
            }
        ],
    },
}


def faults(value, form, path="spec"):
    """Yields what is wrong with a value of the given form."""
    if isinstance(form, dict):
        if not isinstance(value, dict):
            yield f"{path} is no object"
            return
        fields = {name.rstrip("!"): inner for name, inner in form.items()}
        for name in form:
            if name.endswith("!") and name[:-1] not in value:
                yield f"{path}.{name[:-1]} is missing"
        for name, inner in value.items():
            if name in fields or "*" in fields:
                yield from faults(inner, fields.get(name, fields.get("*")), f"{path}.{name}")
            else:
                yield f"{path}.{name} is unknown"
    elif isinstance(form, list):
        if not isinstance(value, list):
            yield f"{path} is no list"
            return
        for index, inner in enumerate(value):
            yield from faults(inner, form[0], f"{path}[{index}]")
    elif isinstance(form, set):
        if value not in form:
            yield f"{path} is {value!r}, and none of {sorted(form)}"
    elif isinstance(form, re.Pattern):
        if not isinstance(value, str) or not form.fullmatch(value):
            yield f"{path} is {value!r}"
    # A boolean is an integer to Python alone.
    elif type(value) is not form:
        yield f"{path} is {value!r}, and no {form.__name__}"
