"""Colours as CSS writes them, against Chromium's."""

import random

SPACES = ["srgb", "srgb-linear", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020", "xyz", "xyz-d50", "xyz-d65"]
# Reads the colour of a pixel that was filled with a colour; null if it is none.
PAINTED = """colors => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  return colors.map(color => {
    if (!CSS.supports("color", color)) return null;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  });
}"""


def colors() -> list[str]:
    """Returns colours in each form that names one."""
    chance = random.Random(20261126)

    def number(low: float, high: float) -> str:
        return f"{chance.uniform(low, high):.3f}"

    def percentage() -> str:
        return f"{chance.uniform(0, 100):.2f}%"

    def hue() -> str:
        return chance.choice([number(-400, 800), number(-400, 800) + "deg", number(-2, 2) + "turn",
                              number(-7, 7) + "rad", number(-500, 500) + "grad"])

    forms = [
        lambda: f"rgb({number(-20, 280)}, {number(0, 255)}, {number(0, 255)})",
        lambda: f"rgba({percentage()},{percentage()},{percentage()},1)",
        lambda: f"rgb({number(0, 255)} {percentage()} none / 100%)",
        lambda: f"hsl({hue()}, {percentage()}, {percentage()})",
        lambda: f"hsl({hue()} {number(0, 100)} {percentage()})",
        lambda: f"hwb({hue()} {percentage()} {percentage()})",
        lambda: f"lab({number(-10, 110)} {number(-125, 125)} {number(-125, 125)})",
        lambda: f"lch({percentage()} {number(0, 150)} {hue()})",
        lambda: f"oklab({number(0, 1)} {number(-0.4, 0.4)} {percentage()})",
        lambda: f"oklch({percentage()} {number(0, 0.4)} {hue()})",
    ] + [lambda space=space: f"color({space} {number(-0.1, 1.1)} {percentage()} {number(0, 1)})" for space in SPACES]
    return [form() for form in forms for _ in range(12)]


def test_colors_are_those_of_chromium(render, decoding_page):
    asked = colors()
    painted = decoding_page.evaluate(PAINTED, asked)
    for color, expected in zip(asked, painted, strict=True):
        answer = render("json", text="a", color=color)
        assert answer.status == 200, (color, answer.text)
        written = answer.json["glyphs"][0]["color"]
        ours = [int(written[place:place + 2], 16) for place in (1, 3, 5)]
        assert max(abs(a - b) for a, b in zip(ours, expected[:3])) <= 1, (color, written, expected)
