"""What a Lottie player shows of a request beside the PNGs of its instants."""

import json
import math
import re

import numpy

from check import R, track_of
from picture import ink, pixels

FRAMES = 12
BLURRED = {"blur", "zoom"}
LIMIT = 2  # of the mean difference over the picture
FAINT = 0.02  # of opacity: players round it to levels, which overlapping glyphs that hardly show add up
GLYPH_LIMIT = 1.5  # of the mean ink of a glyph's box, beside three hundredths of that


def background_of(request):
    """The colour behind the text, on white; nothing where it is a gradient or has a name."""
    if not request.get("background", "#fff").startswith("#"):
        return None
    red, green, blue, alpha = request_color(request.get("background", "#ffffff"))
    return [255 + (channel - 255) * alpha / 255 for channel in (red, green, blue)]


def request_color(text):
    digits = text.removeprefix("#")
    digits = digits if len(digits) > 4 else "".join(2 * digit for digit in digits)
    return [*bytes.fromhex(digits.ljust(8, "f"))]


def is_blurred(shadow):
    lengths = [part for part in shadow.split() if re.fullmatch(r"[-+]?[\d.]+(px)?", part)]
    return len(lengths) > 2 and float(lengths[2].removesuffix("px")) > 0


def sharp(request):
    """The request without blur and light that passes, which Lottie does not have."""
    levels = [dict(request), *map(dict, request.get("blocks", []))]
    top, *blocks = levels
    for level in levels:
        level.pop("radius", None)
        if level.get("effect") == "shimmer":
            level["shimmerColor"] = "transparent"
        if "shadow" in level:
            shadows = re.split(r",(?![^(]*\))", level["shadow"])
            level["shadow"] = ",".join(shadow for shadow in shadows if not is_blurred(shadow)) or "none"
        if "keyframes" in level:
            level["keyframes"] = [
                {name: value for name, value in each.items() if name != "blur"} for each in level["keyframes"]
            ]
    if BLURRED & {block.get("effect", top.get("effect")) for block in blocks or [top]}:
        top["radius"] = 0
    if top.get("exit") in BLURRED:
        top["exit"] = "auto"
    return {**top, "blocks": blocks} if blocks else top


def value(glyph, name, time):
    return R.value_at(track_of(glyph, name), time)


def box_of(glyph, time):
    """Left, top, right and bottom of a glyph's box where it is at that time."""
    rect, scale = glyph["rect"], value(glyph, "scale", time)
    factors = [scale * value(glyph, name, time) for name in ("scaleX", "scaleY")]
    turn = math.radians(value(glyph, "rotation", time))
    across, down = (math.tan(math.radians(value(glyph, name, time))) for name in ("skewX", "skewY"))
    turned = numpy.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    linear = turned @ numpy.diag(factors) @ [[1 + across * down, across], [down, 1]]
    width, height = abs(linear) @ [rect["width"] / 2, rect["height"] / 2]
    x = rect["x"] + rect["width"] / 2 + value(glyph, "offsetX", time)
    y = rect["y"] + rect["height"] / 2 + value(glyph, "offsetY", time)
    return x - width, y - height, x + width, y + height


def mean_within(inked, box):
    """The mean ink of the pixels that a box touches; 0 outside the picture."""
    left, top, right, bottom = (max(0, int(edge)) for edge in (box[0], box[1], box[2] + 1, box[3] + 1))
    part = inked[top:bottom, left:right]
    return part.mean() / 3 if part.size else 0


class Comparison:
    """A request, its scene and its PNGs at the frames at which players are asked: so many, and the last."""

    def __init__(self, server, request, count=FRAMES):
        request = sharp(request)
        self.scene = server.render("json", **request).json
        self.text = server.render("lot", **request).text
        self.background = background_of(request)
        last = math.ceil(json.loads(self.text)["op"]) - 1
        self.frames = sorted({round(last * step / count) for step in range(count + 1)})
        self.glyphs = [glyph for glyph in self.scene["glyphs"] if not glyph["whitespace"]]
        times = {frame: min(frame / 100, self.scene["duration"]) for frame in self.frames}
        if self.scene["loop"] != "infinite":
            times[last] = self.scene["duration"]  # where players stop
        self.times = times
        self.painted = {
            frame: pixels(server.render("png", **request, time=round(time, 4)).body) for frame, time in times.items()
        }

    def faults(self, player, text=None, glyphs=True, lost=0):
        """Where a player's pictures differ from the PNGs: as a whole, and in the glyphs' boxes.

        A difference of `lost` levels is none.
        """
        playing = player(text or self.text)
        for frame in self.frames:
            painted, shown = self.painted[frame], playing.pixels(frame)
            assert painted.shape == shown.shape
            opacities = (R.value_at(track_of(glyph, "opacity"), self.times[frame]) for glyph in self.glyphs)
            rounding = sum(0 < opacity < FAINT for opacity in opacities)  # levels
            if (difference := numpy.maximum(abs(painted - shown) - rounding - lost, 0).mean()) >= LIMIT:
                yield f"{player.name}, {frame}: {difference:.2f} in the mean"
            if not glyphs or self.background is None:
                continue
            inks = ink(painted, self.background), ink(shown, self.background)
            for glyph in self.glyphs:
                box = box_of(glyph, self.times[frame])
                want, have = (mean_within(inked, box) for inked in inks)
                if abs(want - have) > GLYPH_LIMIT + 0.03 * want + lost:
                    yield f"{player.name}, {frame}: {glyph['role']} {glyph['text']!r} has {have:.1f} of ink, not {want:.1f}"
