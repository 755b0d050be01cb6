"""The metrics of a service."""

import re

SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="[^"\\\n]*"(?:,(?=[a-z]))?)+)\})? (-?[0-9.]+(?:e[+-]?[0-9]+)?)')


class Metrics:
    """`GET /metrics`, every line of it understood."""

    def __init__(self, text):
        assert text.endswith("\n")
        self.kinds, self.samples = {}, {}
        for line in text[:-1].split("\n"):
            self.read(line)

    def read(self, line):
        if line.startswith("# HELP "):
            _, _, self.name, help = line.split(" ", 3)
            assert self.name not in self.kinds and help
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name == self.name and kind in ("counter", "gauge", "histogram")
            self.kinds[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            assert match, line
            name, labels, value = match.groups()
            suffixes = ("_bucket", "_sum", "_count") if self.kinds[self.name] == "histogram" else ("",)
            assert name in [self.name + suffix for suffix in suffixes], line
            key = name, tuple(sorted(re.findall(r'([a-z_]+)="(.*?)"', labels or "")))
            assert key not in self.samples, line
            self.samples[key] = float(value)

    def __call__(self, name, **labels):
        """The sum of the samples that have these labels."""
        wanted = set(labels.items())
        return sum(value for (of, has), value in self.samples.items() if of == name and wanted <= set(has))


def metrics(service):
    answer = service.get("/metrics")
    assert answer.status == 200 and answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return Metrics(answer.text)
