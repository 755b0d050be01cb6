"""The alert rules, the dashboard, and the adapter's rule: PromQL that is right, of metrics that there are."""

import json
import re
import subprocess

import pytest
import yaml

from service import PATIENCE, REPOSITORY

DEPLOY = REPOSITORY / "deploy"
RULES, RULE_TESTS = DEPLOY / "prometheus/alerts.yml", DEPLOY / "prometheus/alerts_test.yml"
# Debian's, which `make test-deps` unpacks.
PROMTOOL = REPOSITORY / ".build/tools/usr/bin/promtool"
DASHBOARD = json.loads((DEPLOY / "grafana/dashboard.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
# Labels that Prometheus gives to what it reads.
TARGET_LABELS = {"namespace", "job", "instance", "pod"}


OPERATIONS = (REPOSITORY / "docs/operations.md").read_text()


def described():
    """Returns the metrics of docs/api.md, and those of the cache: the type and the labels of each."""
    chapter = re.search(r"^## Metrics\n(.*?)^## ", (REPOSITORY / "docs/api.md").read_text(), re.S | re.M)[1]
    chapter += re.search(r"^### Metrics of the cache\n(.*?)^##", OPERATIONS, re.S | re.M)[1]
    rows = re.findall(r"^\| `(\w+)(?:\{([\w,]+)\})?` \| (\w+) \|", chapter, re.M)
    return {name: (kind, set(labels.split(",")) - {""}) for name, labels, kind in rows}


METRICS = described()


def series():
    """Returns the names of all series, with their labels."""
    names = {}
    for name, (kind, labels) in METRICS.items():
        if kind == "histogram":
            names |= {f"{name}_sum": labels, f"{name}_count": labels, f"{name}_bucket": labels | {"le"}}
        else:
            names[name] = labels
    return names


def adapter_rules():
    (rule,) = [
        block
        for block in re.findall(r"```yaml\n(.*?)```", (DEPLOY / "kubernetes/README.md").read_text(), re.S)
        if "seriesQuery" in block
    ]
    return yaml.safe_load(rule)["rules"]


def alerts():
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def expressions():
    """Returns all PromQL, with values for the placeholders of Grafana and of the adapter."""
    of_rules = [rule["expr"] for rule in alerts()]
    of_panels = [target["expr"].replace("$__rate_interval", "5m") for panel in PANELS for target in panel["targets"]]
    of_adapter = [query for rule in adapter_rules() for query in (rule["seriesQuery"], rule["metricsQuery"])]
    for placeholder, value in [("<<.GroupBy>>", "pod"), ("<<.LabelMatchers>>", 'namespace="n",pod=~"p"')]:
        of_adapter = [query.replace(placeholder, value) for query in of_adapter]
    return of_rules + of_panels + of_adapter


def promtool(*arguments):
    outcome = subprocess.run([PROMTOOL, *arguments], capture_output=True, text=True, timeout=PATIENCE)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_the_rules_are_valid():
    promtool("check", "rules", RULES)


def test_the_example_of_a_configuration_is_valid(tmp_path):
    (example,) = [block for block in re.findall(r"```yaml\n(.*?)```", OPERATIONS, re.S) if "rule_files" in block]
    (tmp_path / "prometheus.yml").write_text(example)
    (tmp_path / "alerts.yml").write_text(RULES.read_text())
    promtool("check", "config", tmp_path / "prometheus.yml")
    jobs = {job["job_name"] for job in yaml.safe_load(example)["scrape_configs"]}
    assert jobs == set(re.findall(r'job="([\w-]+)"', RULES.read_text()))


def test_the_rules_do_what_their_tests_say():
    promtool("test", "rules", RULE_TESTS)


def test_each_alert_fires_in_a_test():
    names = [rule["alert"] for rule in alerts()]
    assert len(names) == len(set(names))
    fired = set()
    for test in yaml.safe_load(RULE_TESTS.read_text())["tests"]:
        for query in test.get("promql_expr_test", []):
            for sample in query.get("exp_samples", []):
                fired.update(re.findall(r'alertname="(\w+)"', sample["labels"]))
    assert fired == set(names)


def test_each_alert_says_how_bad_it_is_and_what_is_wrong():
    for rule in alerts():
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert set(rule["annotations"]) == {"summary", "description"}


def test_the_resource_has_the_same_rules():
    script = DEPLOY / "prometheus/make-prometheusrule"
    made = subprocess.run([script], capture_output=True, text=True, check=True).stdout
    kept = (DEPLOY / "kubernetes/monitoring/prometheusrule.yaml").read_text()
    assert kept == made, "run deploy/prometheus/make-prometheusrule"
    assert yaml.safe_load(kept)["spec"] == yaml.safe_load(RULES.read_text())


def test_every_expression_is_promql(tmp_path):
    rules = [{"record": f"test:expression:{index}", "expr": text} for index, text in enumerate(expressions())]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "all", "rules": rules}]}))
    promtool("check", "rules", file)


def test_every_expression_is_of_metrics_that_there_are():
    known = series()
    for text in expressions():
        names = re.findall(r"\b(?:titlecard|process)_\w+", text)
        assert names or "up{" in text
        assert set(names) <= set(known), text
        for name, matchers in re.findall(r"\b((?:titlecard|process)_\w+)\{(.*?)\}", text):
            labels = re.findall(r"(\w+)\s*[=!]~?", re.sub(r'"[^"]*"', '""', matchers))
            assert set(labels) <= known[name] | TARGET_LABELS, text


def test_sums_are_by_labels_that_there_are():
    known = series()
    for text in expressions():
        names = set(re.findall(r"\b(?:titlecard|process)_\w+", text)) or {"up"}
        labels = set().union(*(known.get(name, set()) for name in names)) | TARGET_LABELS
        for listed in re.findall(r"\b(?:by|without|on|ignoring) \(([\w, ]+)\)", text):
            assert set(listed.split(", ")) <= labels, text


def test_the_dashboard_shows_every_metric():
    shown = {
        re.sub("_(sum|count|bucket)$", "", name)
        for panel in PANELS
        for target in panel["targets"]
        for name in re.findall(r"\b(?:titlecard|process)_\w+", target["expr"])
    }
    assert shown == set(METRICS)


def test_the_panels_have_places_of_their_own():
    taken = set()
    for panel in DASHBOARD["panels"]:
        left, top, width, height = (panel["gridPos"][name] for name in "xywh")
        assert left + width <= 24
        cells = {(x, y) for x in range(left, left + width) for y in range(top, top + height)}
        assert not cells & taken, panel["title"]
        taken |= cells
    identifiers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(identifiers) == len(set(identifiers))


def test_every_panel_has_a_title_a_sentence_and_a_unit():
    for panel in PANELS:
        assert panel["title"] and panel["description"].endswith((".", "%."))
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert panel["datasource"]["uid"] == "${datasource}"
        references = [target["refId"] for target in panel["targets"]]
        assert len(references) == len(set(references)) and references


@pytest.mark.parametrize("variable", DASHBOARD["templating"]["list"][1:], ids=lambda variable: variable["name"])
def test_a_variable_asks_for_a_metric_that_there_is(variable):
    assert re.match(r"label_values\((\w+)", variable["query"]["query"])[1] in series()
    # Without Kubernetes there is no namespace, and "All" has to mean that too.
    assert variable["allValue"] == ".*"
