"""Random easings, keyframes and paints, valid by construction, for the test vectors and the random requests.

Each function takes `unit`, which returns numbers in [0, 1), and draws everything from it.
"""

import base64
import struct
import zlib

CUBIC = ["linear", "ease", "ease-in", "ease-out", "ease-in-out", "back-out"]
# Without black, which is the colour of the glyphs in vectors.
COLORS = ["#ff0000", "#0a0", "#00f8", "#d2992280", "transparent", "#fff"]
# The properties of keyframes with the value that leaves the text as typeset, and their range.
PROPERTIES = dict(
    opacity=(1, 0, 1),
    x=(0, -10, 10),
    y=(0, -10, 10),
    scale=(1, 0, 10),
    scaleX=(1, 0, 10),
    scaleY=(1, 0, 10),
    rotation=(0, -3600, 3600),
    skewX=(0, -80, 80),
    skewY=(0, -80, 80),
    blur=(0, 0, 2),
    spread=(1, 0, 10),
)
MOST_KEYFRAMES = 16


def choice(unit, values):
    return values[int(unit() * len(values))]


def between(unit, low, high, digits=3):
    return round(low + unit() * (high - low), digits) + 0.0  # not minus 0


def easing(unit):
    """Any easing, with its arguments."""
    kind = int(unit() * 7)
    if kind < 2:
        return choice(unit, CUBIC)
    if kind == 2:
        x1, x2, y1, y2 = (between(unit, *ends) for ends in ((0, 1), (0, 1), (-2, 3), (-2, 3)))
        return f"cubic-bezier({x1},{y1},{x2},{y2})"
    if kind == 3:
        return choice(unit, ["spring", f"spring({between(unit, -0.9, 0.9)})"])
    if kind == 4:
        return f"steps({1 + int(100 * unit() ** 3)})"
    if kind == 5:
        return "bounce"
    return linear(unit)


def linear(unit):
    """CSS's linear(): shares that rise, fall or are missing; the first and the last may lie inside."""
    points = []
    for _ in range(2 + int(unit() ** 2 * 8)):
        share = "" if unit() < 0.4 else f" {between(unit, 0, 100, 1)}%"
        points.append(f"{between(unit, -0.5, 1.5, 2)}{share}")
    return f"linear({', '.join(points)})"


def value(unit, name):
    """A value of a property of keyframes, mostly near the one at rest."""
    if name == "color":
        return choice(unit, COLORS)
    rest, low, high = PROPERTIES[name]
    if name in ("x", "y") and unit() < 0.5:
        return f"{between(unit, *choice(unit, [(-200, 200), (-1000, 1000)]), 1)}%"
    if unit() < 0.1:
        return choice(unit, [rest, low, high])
    reach = (high - low) * choice(unit, [0.05, 0.2, 1])
    return between(unit, max(low, rest - reach), min(high, rest + reach))


def keyframes(unit, most=6):
    """A list of 1 to `most` keyframes for `custom` that ends as typeset."""
    names = [name for name in [*PROPERTIES, "color"] if unit() < 0.35] or ["y"]
    if "spread" in names:
        names = [name for name in names if name != "x"]
    frames = [{} for _ in range(1 + int(unit() * most))]
    if unit() < 0.5:
        offsets = sorted(choice(unit, [between(unit, 0, 0.99), between(unit, 0, 0.99), 0.5, 0]) for _ in frames)
        for frame, offset in zip(frames, offsets):
            frame["offset"] = offset
        for frame in frames:
            if unit() < 0.3:
                del frame["offset"]
        if unit() < 0.5:
            frames[-1]["offset"] = 1
    for number, frame in enumerate(frames):
        # The last of several is at the end unless it says otherwise, and all end as typeset.
        is_last = number + 1 == len(frames)
        at_end = frame.get("offset", 1 if is_last and len(frames) > 1 else 0) == 1
        for name in names:
            if unit() < 0.7 and not (at_end and name == "color"):
                frame[name] = PROPERTIES[name][0] if at_end else value(unit, name)
        if unit() < 0.3:
            frame["easing"] = easing(unit)
    return frames


def color(unit):
    return choice(unit, COLORS)


def paint(unit):
    """A colour, or more often a gradient, in any of its spellings."""
    if unit() < 0.3:
        return color(unit)
    directions = ["to right", "To Top", "to left bottom", "to top right", f"{between(unit, -400, 400, 1)}deg", "+90deg", ""]
    first = choice(unit, directions)
    stops = []
    for _ in range(2 + int(unit() * 7)):
        position = "" if unit() < 0.5 else f" {choice(unit, [0, 50, 100, between(unit, -50, 150, 1)])}%"
        stops.append(color(unit) + position)
    return f"linear-gradient({', '.join(([first] if first else []) + stops)})"


def shadows(unit):
    """None, or one to four; most are small, for large ones take long to blur."""
    return ", ".join(shadow(unit) for _ in range(int(5 * unit() ** 2))) or "none"


def shadow(unit):
    x, y = (choice(unit, ["0", "2px", f"{between(unit, -20, 20, 1)}px"]) for _ in range(2))
    blur = choice(unit, ["", " 0", " 4px", f" {between(unit, 0, 12, 1)}px"])
    return f"{x} {y}{blur} {color(unit)}" if unit() < 0.7 else f"{color(unit)} {x} {y}{blur}"


def features(unit):
    """None, or one to three features, most of which some fonts have."""
    return settings(unit, ["liga", "calt", "ss01", "tnum", "zero", "kern"], ["", "=0", "=1", " = 2"])


def variations(unit):
    """None, or one to three axes, of which a font may have none."""
    return settings(unit, ["wght", "wdth", "slnt", "opsz"], ["=350", "=80.5", " = -10", "=1e2"])


def settings(unit, tags, values):
    first = int(unit() * len(tags))
    count = int(unit() * 4)
    chosen = [tags[(first + number) % len(tags)] for number in range(count)]
    return ", ".join(tag + choice(unit, values) for tag in chosen) or "none"


def path(unit):
    """None, a shape, or path data that is long enough for most texts."""
    return choice(
        unit,
        [
            "none",
            f"arc({between(unit, -360, 360, 1)}deg)",
            "circle",
            f"circle({between(unit, 1000, 4000, 0)}px)",
            f"wave({between(unit, 0, 40, 1)}px, {between(unit, 40, 400, 0)}px)",
            "M0 900C400 0 1000 1800 2000 900t2000 0",
            "m 0,0 h 3000 v 900 a 200 100 30 0 1 -200 300 l -2000 -100 z",
        ],
    )


def pictures(unit):
    """One to three pictures by name, each a few pixels as PNG in Base64."""
    names = ["a", "logo", "x-1"][: 1 + int(3 * unit())]
    return {name: base64.b64encode(png(unit)).decode() for name in names}


def png(unit):
    """A PNG file of a few pixels in true colour with alpha."""
    width, height = 1 + int(8 * unit()), 1 + int(8 * unit())
    return png_file(width, height, (bytes(int(256 * unit()) for _ in range(4 * width)) for _ in range(height)))


def png_file(width, height, rows):
    """A PNG file of rows of pixels in true colour with alpha."""
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    pixels = b"".join(b"\0" + row for row in rows)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(pixels)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in chunks
    )
