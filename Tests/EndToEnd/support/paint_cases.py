"""Drawn combinations of paint: gradients, outlines, shadows and cards, always the same."""

import itertools
import random

COMBINATIONS = 60
HEBREW = "שלום"
# Those that have no joined letters, of which a browser could not set each alone.
TEXTS = [
    "Gradient",
    "Two lines\nof text",
    "AVATAR, office",
    "Quick fjord\nlazy g",
    "Round & round",
    "éàü ÄÖß",
    "123 – 456",
    HEBREW,
    "a",
    "W8\nii.",
]
FONTS = ["DejaVu Sans", "Liberation Serif"]
SIZES = [16, 20, 24, 32, 40, 48, 64, 96, 120]
# The step from line to line is a whole number of pixels at every size.
LINE_HEIGHT = 1.25
BOXES = ["block", "line", "glyph"]
SIDES = ["to top", "to right", "to bottom", "to left"]
CORNERS = ["to top left", "to top right", "to bottom left", "to bottom right"]
OPAQUE = ["#ff0000", "tomato", "#0a0", "#2040ff", "gold", "#fff", "#24292f", "rebeccapurple", "#0ff", "#ff7f50"]
PALE = ["#ff000080", "#0a08", "#2040ff40", "#ffd700c0", "#24292f20", "transparent", "#ffffff90"]


def direction(generator, kind):
    if kind == "angle":
        return f"{generator.choice([0, 45, 90, 135, 180, 270, round(generator.uniform(-400, 400), 1)])}deg"
    return generator.choice({"side": SIDES, "corner": CORNERS}.get(kind, [""]))


def positions(generator, count, kind):
    """Returns percent of each stop, or None where it has no position."""
    if kind == "even":
        return [None] * count
    if kind == "coinciding":
        # Two of them stand at one place: a jump.
        places = sorted(generator.randint(0, 100) for _ in range(count - 1))
        return sorted([*places, generator.choice(places)])
    low, high = (-80, 180) if kind == "beyond" else (0, 100)
    places = sorted(round(generator.uniform(low, high), 1) for _ in range(count))
    # Some are left to be spread, and one may lie before the one before it.
    places = [None if generator.random() < 0.25 else place for place in places]
    if kind == "falling" and count > 2:
        places[1], places[2] = 70, 20
    return places


def gradient(generator, count, toward, spread, is_pale):
    """Draws a gradient as CSS and requests write it."""
    colors = [generator.choice(PALE if is_pale and generator.random() < 0.5 else OPAQUE) for _ in range(count)]
    places = positions(generator, count, spread)
    stops = [color if place is None else f"{color} {place}%" for color, place in zip(colors, places)]
    first = direction(generator, toward)
    return f"linear-gradient({', '.join(([first] if first else []) + stops)})"


def shadow(generator, is_blurred):
    x, y = (generator.choice([0, 1, 2, -3, 5.5, -8]) for _ in range(2))
    color = generator.choice(["#0008", "#000", "#0ff", "#ff00ff60", "#2040ffc0", "tomato"])
    blur = f" {generator.choice([1, 2, 3.5, 6, 12, 24])}px" if is_blurred else ""
    return f"{x}px {y}px{blur} {color}"


def combination(number):
    generator = random.Random(f"paint {number}")
    # Each of these lists is gone through in turn, with lengths that have few divisors in common.
    count = 2 + number % 7
    toward = ["angle", "side", "corner", "none", "angle"][number % 5]
    spread = ["even", "uneven", "coinciding", "beyond", "falling", "uneven"][number // 3 % 6]
    is_pale = number % 4 == 3
    request = dict(
        text=TEXTS[number % len(TEXTS)],
        font=FONTS[number // 2 % 2],
        size=SIZES[(number * 5 + number // 9) % len(SIZES)],
        weight=generator.choice([400, 400, 700]),
        lineHeight=LINE_HEIGHT,
        cursor="none",
        padding=24,
        scale=1 + number % 2,
        align=generator.choice(["start", "center", "end"]),
        gradientBox=BOXES[number % 3],
        color=gradient(generator, count, toward, spread, is_pale),
    )
    if request["text"] == HEBREW:
        # The other font has no Hebrew, and what a browser takes instead is its own choice.
        request["font"] = FONTS[0]
    if number % 11 == 5:
        request["color"] = generator.choice(OPAQUE + PALE)
    if number % 2 == 0:
        request["outlineWidth"] = generator.choice([0.5, 1, 2, 3, 5.25, 9])
        request["outlineColor"] = generator.choice(OPAQUE + ["#00000080", "#2040ff60"])
    shadows = number // 2 % 5
    if shadows:
        # In turn all blurred, none, and some.
        kinds = [[True], [False], [True, False]][number % 3]
        request["shadow"] = ", ".join(shadow(generator, generator.choice(kinds)) for _ in range(shadows))
    if number % 3 == 1:
        request |= card(generator, number)
    if number % 10 == 9:
        return with_blocks(generator, request, number)
    return request


def card(generator, number):
    kind = number // 3 % 4
    color = generator.choice(["#fff4d6", "#123", "#20408080", "#fff"])
    drawn = gradient(generator, generator.randint(2, 8), ["corner", "angle", "side", "none"][kind], "uneven", kind == 3)
    request = dict(background=drawn if kind != 1 else color)
    if generator.random() < 0.8:
        request["cornerRadius"] = generator.choice([3, 8, 16.5, 40, 500])
    if generator.random() < 0.7:
        request["borderWidth"] = generator.choice([1, 2.5, 6, 20])
        request["borderColor"] = generator.choice(OPAQUE + ["#ff000080", "#0008"])
    return request


def with_blocks(generator, request, number):
    """Returns a request whose text stands over a second one with paint of its own."""
    second = dict(
        text="below",
        color=gradient(generator, 3, "corner", "even", False),
        gradientBox=BOXES[(number + 1) % 3],
        outlineWidth=generator.choice([0, 4]),
        shadow=shadow(generator, True),
    )
    first = dict(text=request.pop("text"))
    return dict(request, blocks=[first, second], sequence="together")


CASES = [combination(number) for number in range(COMBINATIONS)]


def texts(request):
    """Returns what a request says of each of its texts, defaults of the top included."""
    top = {name: value for name, value in request.items() if name != "blocks"}
    return [{**top, **block} for block in request.get("blocks", [{}])]


def paints(request):
    """Returns every colour and gradient that a request paints with."""
    return [*(text["color"] for text in texts(request)), *([request["background"]] if "background" in request else [])]


def shadows(text):
    """Returns the shadows of a text as (x, y, blur radius, colour)."""
    value = text.get("shadow", "none")
    if value == "none":
        return []
    return [one(words.split()) for words in value.split(", ")]


def one(words):
    *lengths, color = words
    x, y, blur = (float(length.removesuffix("px")) for length in itertools.chain(lengths, ["0"] * (3 - len(lengths))))
    return x, y, blur, color
