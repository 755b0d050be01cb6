"""The effects, formats and parameters that a server lists, from which tests draw their requests."""

import functools
import math

import draws
from service import Service

EXTREME_EASINGS = [
    *draws.CUBIC,
    "cubic-bezier(0,10,1,-10)",
    "cubic-bezier(1,-10,0,10)",
    "bounce",
    "steps(1)",
    "steps(100)",
    "linear(1,0)",
    "linear(10, -10 0%, 10 100%, 10 0%, 0)",
    "linear(" + ",".join(["0", "1"] * 32) + ")",
    "spring(-0.9)",
    "spring(0)",
    "spring(0.9)",
]
# Without white space, which charsets refuse. The specification's charsets know no clusters of several scalars.
STRINGS = ["01", "é", "你好👻🎃", "ABCabc", "aab", "#%&@$.:|"]
EXTREME_STRINGS = ["01", "👻", "👩‍👩‍👧‍👦🇫🇷👍🏽"]
IDENTIFIERS = ["a", "hero", "Card_2-x"]
TIMECODES = ["00:00:00:00", "23:59:59:00"]
LANGUAGES = ["ja", "zh-Hant", "de-CH", "ar", "und"]
COLORS = ["#fff", "#000080", "#f008", "transparent", "#24292f"]
# The most of usual seconds, as they are and as a multiple of the default: most cycles shall keep to the limit.
USUAL_SECONDS = 0.4
USUAL_FACTOR = 3


class Parameter:
    """A parameter by its entry in /effects, /formats or /parameters."""

    def __init__(self, entry):
        self.name = entry["name"]
        self.kind = entry["type"]
        self.default = entry["default"]
        # The default, or the number that its word stands for in a short text; 0 where there is neither.
        self.default_number = next((one for one in (self.default, entry.get("earlierDefault")) if is_number(one)), 0)
        self.unit = entry.get("unit")
        self.values = entry.get("values")
        self.low, self.high = entry.get("minimum"), entry.get("maximum")
        # What a number or a colour may be besides: one number below its range, or a word.
        self.others = [each["const"] for each in entry["schema"].get("anyOf", []) if "const" in each]

    def __repr__(self):
        return f"{self.name} ({self.kind}, {self.low} to {self.high}, default {self.default})"

    @property
    def discrete(self):
        """All values of a choice or boolean, examples of colours and strings; None for others."""
        return {
            "choice": self.values,
            "boolean": [True, False],
            "color": COLORS,
            "string": STRINGS,
            "identifier": IDENTIFIERS,
            "language": LANGUAGES,
            # Others go with certain requests only.
            "picture": ["none"],
            "timecode": TIMECODES,
        }.get(self.kind)

    @property
    def is_drawn(self):
        """True for easings, keyframes, paint, settings of fonts and pictures, of which there are too many to list."""
        return self.kind in ("easing", "keyframes", "paint", "shadows", "features", "variations", "path", "pictures")

    @property
    def is_required(self):
        return self.kind == "keyframes"

    def drawn(self, generator, *most):
        return getattr(draws, self.kind)(generator.random, *most)

    def usual(self, generator, most=None):
        """Draws a value: of seconds a short one, or one up to `most`. The least value is drawn more often."""
        if self.discrete:
            return generator.choice(self.discrete)
        if self.is_drawn:
            drawn = self.drawn(generator)
            return generator.choice([*self.others, drawn, drawn, drawn]) if self.others else drawn
        high = min(self.high, most or math.inf)
        if self.unit == "s" and most is None:
            high = min(high, max(USUAL_SECONDS, USUAL_FACTOR * self.default_number))
        if self.kind != "integer":
            drawn = round(generator.uniform(self.low, high), 3)
            return generator.choice([self.low, *self.others, drawn, drawn, drawn])
        # Evenly over the magnitudes.
        drawn = self.low - 1 + round(math.exp(generator.uniform(0, math.log(high - self.low + 1))))
        return generator.choice([self.low, *self.others, min(drawn, high), min(drawn, high), high])

    def extreme(self, generator, longest=None):
        """Draws an end of the range, of seconds none above `longest`; of a list any value."""
        if self.discrete:
            return generator.choice(EXTREME_STRINGS if self.kind == "string" else self.discrete)
        if self.kind == "easing":
            return generator.choice(EXTREME_EASINGS)
        if self.is_drawn:
            drawn = self.drawn(generator, *([draws.MOST_KEYFRAMES] if self.kind == "keyframes" else []))
            return generator.choice([*self.others, drawn])
        high = min(self.high, longest) if longest and self.unit == "s" else self.high
        return generator.choice([self.low, *self.others, high])

    @property
    def wrong(self):
        """Values that the server refuses: of another type, outside the range, or missing in the list."""
        if self.kind == "integer":
            return [self.low - 1, self.high + 1, self.low + 0.5, "no number", True, None, [self.low]]
        if self.kind == "number":
            return [self.low - 1, self.high + 1, "no number", True, None, [self.low]]
        text = {"boolean": "true", "string": ""}.get(self.kind, "no such value")
        return [text, 0, None]

    def nearest(self, value):
        """Returns the nearest value that the parameter accepts."""
        if self.is_drawn:
            return value
        if self.discrete:
            return value if value in self.discrete else self.default
        if value in self.others:
            return value
        return min(max(value, self.low), self.high) if is_number(value) else self.default


class Catalogue:
    """A server's effects, formats, parameters and presets by name."""

    def __init__(self, service):
        self.effects = {
            effect["name"]: parameters(effect["parameters"]) for effect in service.get("/effects").json["effects"]
        }
        self.formats = {format["name"]: format for format in service.get("/formats").json["formats"]}
        # Of those that any text can be rendered in: a sticker of Telegram has neither pictures nor masks.
        self.extensions = [format["extension"] for format in self.formats.values() if format["name"] != "tgs"]
        self.format_parameters = parameters(
            entry for format in self.formats.values() for entry in format["parameters"])
        self.parameters = parameters(
            entry for entry in service.get("/parameters").json["parameters"]
            if entry["name"] not in self.format_parameters and entry["name"] != "blocks")
        self.presets = {preset["name"]: preset for preset in service.get("/presets").json["presets"]}

    def values(self, name):
        """Returns the values of a choice among the parameters of requests."""
        return self.parameters[name].values


def is_number(value):
    """Whether a value is a number, and neither a word nor a boolean."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def parameters(entries):
    return {entry["name"]: Parameter(entry) for entry in entries}


def some(generator, share, **values):
    return {name: value for name, value in values.items() if generator.random() < share}


def with_its_pair(names, parameters):
    """Returns the names, and the other one of each pair such as minDelay and maxDelay.

    A value beyond the other one's default would be refused.
    """
    pairs = [{"min" + name[3:], "max" + name[3:]} for name in parameters if name.startswith("min")]
    return set(names).union(*(pair for pair in pairs if pair & set(names) and pair <= parameters.keys()))


def sorted_pairs(values):
    """Returns the values with each pair such as minDelay and maxDelay in order."""
    for name in values:
        if name.startswith("min") and "max" + name[3:] in values:
            values[name], values["max" + name[3:]] = sorted([values[name], values["max" + name[3:]]])
    return values


@functools.cache
def catalogue_of(service):
    """Returns the catalogue of a running server."""
    return Catalogue(service)


@functools.cache
def catalogue_under_test():
    """Returns the catalogue of the server under test, for lists of cases that are made before any test runs."""
    service = Service()
    try:
        return Catalogue(service)
    finally:
        service.stop()
