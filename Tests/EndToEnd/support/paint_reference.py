"""What Chromium itself paints for a request: text with CSS gradients, strokes, drop shadows, and a card.

The places of glyphs, lines and blocks are those of the JSON rendering; all paint is the browser's. Everything is
painted finer than it is compared, and averaged, because a browser sets text on whole pixels.
"""

import html
import io
import json
import math
import string

import numpy
from PIL import Image

import paint_cases
from picture import screenshot

# Pixels of the browser's in one CSS pixel.
FINENESS = 4
# Boxes are laid out so much larger, for a browser rounds boxes and borders to whole pixels.
ENLARGED = 32
REDUCED = f"transform-origin:0 0;scale:{1 / ENLARGED};"
# The blur radius, in CSS pixels, from which on a shadow has no edge.
SOFT = 2
# The distance at which the source of a shadow stands, out of sight, in CSS pixels.
FAR = 4000

PAGE = string.Template("""<!DOCTYPE html><meta charset=utf-8><style>
body{margin:0}
svg,div{position:absolute;left:0;top:0}
svg,.glyph{width:${width}px;height:${height}px}
text{text-rendering:geometricPrecision;white-space:pre;direction:ltr}
</style>${body}""")


def text(glyph, style, fill="#000", stroke=""):
    """One glyph as SVG <text> at its baseline."""
    font = f"font:{style.get('weight', 400)} {style['size']}px '{style['font']}'"
    return (
        f'<text x="{glyph["rect"]["x"]}" y="{glyph["baseline"]}" fill="{fill}" {stroke} '
        f'style="{font}">{html.escape(glyph["text"])}</text>'
    )


def moved_by(glyph, x, y):
    return {**glyph, "rect": {**glyph["rect"], "x": glyph["rect"]["x"] + x}, "baseline": glyph["baseline"] + y}


def line(style, color):
    """The attributes of an outline."""
    return f'stroke="{color}" stroke-width="{style["outlineWidth"]}" stroke-linejoin="round"'


def has_outline(style):
    return style.get("outlineWidth", 0) > 0 and style.get("outlineColor") != "transparent"


def gradient_box(scene, style, glyph):
    """The box whose gradient a glyph takes its part of."""
    block = scene["blocks"][glyph["block"]]
    return {
        "block": block["rect"],
        "line": block["lines"][glyph["line"]]["rect"],
        "glyph": glyph["rect"],
    }[style.get("gradientBox", "block")]


def nearest_pixel(place):
    return round(place * FINENESS) / FINENESS


def on_whole_pixels(render, request):
    """Returns a request with its padding changed so that all baselines are on pixels of the browser's."""

    for _ in range(4):
        scene = render("json", **request).json
        rests = [nearest_pixel(glyph["baseline"]) - glyph["baseline"] for glyph in scene["glyphs"]]
        if max(map(abs, rests)) < 1e-3:  # places have four decimals
            return request, scene
        request = {**request, "padding": round(request["padding"] + rests[0], 4)}
    raise AssertionError(f"baselines {rests} from whole pixels")


class Reference:
    """The pictures of one request, as RGBA with premultiplied colours, 0 to 255."""

    def __init__(self, page, request, scene):
        self.page, self.request, self.scene = page, request, scene
        self.styles = paint_cases.texts(request)
        self.ground = self.shot(self.card())
        self.picture = self.shot(self.card() + "".join(self.block(index) for index in range(len(self.styles))))

    def glyphs(self, block):
        return [each for each in self.scene["glyphs"] if each["block"] == block and not each["whitespace"]]

    def svg(self, content):
        return f"<svg>{content}</svg>" if content else ""

    def shot(self, body):
        """Paints a page, and averages its pixels to those of the request."""
        width, height = self.scene["width"], self.scene["height"]
        self.page.set_viewport_size(dict(width=round(width), height=round(height)))
        self.page.set_content(PAGE.substitute(width=width, height=height, body=body))
        picture = rgba(screenshot(self.page, omit_background=True))
        return averaged(picture, FINENESS, self.request.get("scale", 1))

    # What is painted

    def card(self, **colors):
        request = {**self.request, **colors}
        width, height, border, radius = (
            length * ENLARGED
            for length in (
                self.scene["width"],
                self.scene["height"],
                request.get("borderWidth", 0),
                request.get("cornerRadius", 0),
            )
        )
        return (
            f'<div style="box-sizing:border-box;width:{width}px;height:{height}px;{REDUCED}'
            f"background:{request.get('background', 'transparent')};background-origin:border-box;"
            f"border:{border}px solid {request.get('borderColor', '#d0d7de')};border-radius:{radius}px\"></div>"
        )

    def block(self, index):
        """The shadows of a block, its outlines, its fills."""
        style, glyphs = self.styles[index], self.glyphs(index)
        layers = [self.shadow(style, glyphs, each) for each in reversed(paint_cases.shadows(style))]
        layers.append(self.svg(self.outlines(style, glyphs, style.get("outlineColor", "#000"))))
        return "".join([*layers, self.fills(style, glyphs)])

    def shadow(self, style, glyphs, each):
        x, y, blur, color = each
        # The third length is the standard deviation (Filter Effects 1, 6.1). Chromium drops fractions of the others.
        whole_x, whole_y = math.floor(x), math.floor(y)
        cast = f"filter:drop-shadow({whole_x + FAR}px {whole_y}px {blur / 2}px {color})"
        moved = [moved_by(glyph, x - whole_x - FAR, y - whole_y) for glyph in glyphs]
        return self.svg("".join(f'<g style="{cast}">{self.silhouette(style, glyph)}</g>' for glyph in moved))

    def silhouette(self, style, glyph):
        return text(glyph, style, stroke=line(style, "#000") if has_outline(style) else "")

    def outlines(self, style, glyphs, color):
        if not has_outline(style):
            return ""
        return "".join(text(glyph, style, "none", line(style, color)) for glyph in glyphs)

    def fills(self, style, glyphs):
        if "(" not in style["color"]:
            return self.svg("".join(text(glyph, style, style["color"]) for glyph in glyphs))
        return "".join(self.part_of_gradient(style, glyph) for glyph in glyphs)

    def part_of_gradient(self, style, glyph):
        """A box with a gradient, of which a glyph is left."""
        box, name = gradient_box(self.scene, style, glyph), f"glyph{glyph['index']}"
        width, height = (round(box[side] * ENLARGED) for side in ("width", "height"))
        return (
            f'<svg><mask id="{name}" maskUnits="userSpaceOnUse" style="mask-type:alpha" x="0" y="0" '
            f'width="{self.scene["width"]}" height="{self.scene["height"]}">{text(glyph, style)}</mask></svg>'
            f'<div class="glyph" style="mask-image:url(#{name})"><div style="width:{width}px;height:{height}px;'
            f"{REDUCED}translate:{box['x']}px {box['y']}px;"
            f'background:{style["color"]}"></div></div>'
        )

    # Where the shapes are

    def shapes(self):
        """The coverage of every shape with an edge, 0 to 255, by name, from the lowest to the topmost."""
        shapes = {}
        if "background" in self.request or self.request.get("borderWidth"):
            shapes["card"] = self.card(background="#000", borderColor="#000")
            if self.request.get("borderWidth"):
                shapes["border"] = self.card(background="transparent", borderColor="#000")
        for index, style in enumerate(self.styles):
            glyphs = self.glyphs(index)
            for number, (*where, blur, _) in reversed([*enumerate(paint_cases.shadows(style))]):
                if blur < SOFT:
                    shapes[f"shadow {number} of {index}"] = self.shadow(style, glyphs, (*where, blur, "#000"))
            if has_outline(style):
                shapes[f"outline of {index}"] = self.svg(self.outlines(style, glyphs, "#000"))
            shapes[f"fill of {index}"] = self.svg("".join(text(glyph, style) for glyph in glyphs))
        return {name: self.shot(body)[..., 3] for name, body in shapes.items()}

    def beyond_boxes(self):
        """The coverage of what of the glyphs lies outside of the boxes of their gradients, which CSS does not paint."""
        parts = []
        for glyph in self.scene["glyphs"]:
            style = self.styles[glyph["block"]]
            if glyph["whitespace"] or "(" not in style["color"]:
                continue
            box, name = gradient_box(self.scene, style, glyph), f"beyond{glyph['index']}"
            right, bottom = box["x"] + box["width"], box["y"] + box["height"]
            outer = f"M-{FAR},-{FAR}H{2 * FAR}V{2 * FAR}H-{FAR}Z"
            inner = f"M{box['x']},{box['y']}V{bottom}H{right}V{box['y']}Z"
            parts.append(
                f'<clipPath id="{name}"><path clip-rule="evenodd" d="{outer}{inner}"/></clipPath>'
                f'<g clip-path="url(#{name})">{text(glyph, style)}</g>'
            )
        return self.shot(self.svg("".join(parts)))[..., 3]


def averaged(picture, fine, coarse):
    """Returns a picture of so many pixels in one CSS pixel as one of fewer."""
    step = round(fine / coarse)
    rows, columns = (length // step for length in picture.shape[:2])
    return picture.reshape(rows, step, columns, step, 4).mean(axis=(1, 3))


def rgba(png):
    """A picture as RGBA with premultiplied colours, 0 to 255."""
    picture = numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA")).astype(float)
    picture[..., :3] *= picture[..., 3:] / 255
    return picture


# The comparison

INSIDE, INKED = 3, 12  # of 255
# The sets of pixels that have edges in them.
OF_EDGES = ("inked", "corners")
# Fewer pixels of a shape say little.
FEWEST = 40
GROUNDS = (0, 255)
# The difference from the ground, of 255, from which on a pixel is inked.
TRACE = 2


def around(picture, choose):
    """For every pixel the chosen one (numpy.minimum or numpy.maximum) of the nine around it."""
    padded = numpy.pad(picture, 1, mode="edge")
    height, width = picture.shape
    result = picture
    for row in range(3):
        for column in range(3):
            result = choose(result, padded[row : row + height, column : column + width])
    return result


def corners(shape, radius):
    """The squares about the corners of a picture whose radius, in pixels, is at most half of a side."""
    side = max(4, math.ceil(min(radius, *(length / 2 for length in shape))))
    chosen = numpy.zeros(shape, bool)
    for rows in (slice(side), slice(-side, None)):
        for columns in (slice(side), slice(-side, None)):
            chosen[rows, columns] = True
    return chosen


def difference(first, second):
    """For every pixel the mean difference of its colours on black or on white, whichever is larger."""

    def on(picture, ground):
        return picture[..., :3] + ground * (1 - picture[..., 3:] / 255)

    return numpy.max([numpy.abs(on(first, each) - on(second, each)).mean(axis=2) for each in GROUNDS], axis=0)


class Comparison:
    """How far pictures of Titlecard's are from the reference, in several sets of pixels."""

    def __init__(self, reference):
        self.reference = reference
        shapes = reference.shapes()
        self.is_compared = around(reference.beyond_boxes(), numpy.maximum) < 1
        # Away from every edge.
        still = self.is_compared.copy()
        topmost = numpy.full(still.shape, -1)
        for number, coverage in enumerate(shapes.values()):
            full, none = around(coverage, numpy.minimum) > 254, around(coverage, numpy.maximum) < 1
            still &= full | none
            topmost[full] = number
        self.sets = {name: still & (topmost == number) for number, name in enumerate(shapes)}
        self.sets["inside"] = still & (topmost >= 0)
        if radius := reference.request.get("cornerRadius"):
            self.sets["corners"] = corners(still.shape, radius * reference.request.get("scale", 1))

    def measure(self, picture):
        """Returns the mean difference of each set of pixels that is large enough, and of all that are inked."""
        assert picture.shape == self.reference.picture.shape
        apart = difference(picture, self.reference.picture)
        means = {name: apart[chosen].mean() for name, chosen in self.sets.items() if chosen.sum() >= FEWEST}
        inked = numpy.maximum(
            difference(picture, self.reference.ground), difference(self.reference.picture, self.reference.ground)
        )
        means["inked"] = apart[(inked > TRACE) & self.is_compared].mean()
        return means

    def faults(self, picture, with_edges=True):
        """Returns a sentence for every mean that is too large."""
        limits = {name: INKED if with_edges else math.inf for name in OF_EDGES}
        means = self.measure(picture)
        return [f"{name}: {mean:.2f} of 255" for name, mean in means.items() if mean >= limits.get(name, INSIDE)]

    def write(self, folder, name, picture):
        """Writes the picture, the reference, where they differ and what was asked for, for somebody to look at."""
        apart = difference(picture, self.reference.picture)
        for kind, pixels in (("ours", picture), ("browser", self.reference.picture)):
            straight = pixels.copy()
            straight[..., :3] *= 255 / numpy.maximum(pixels[..., 3:], 1e-9)
            straight = straight.clip(0, 255).round().astype(numpy.uint8)
            Image.fromarray(straight, "RGBA").save(folder / f"{name}-{kind}.png")
        Image.fromarray((apart * 8).clip(0, 255).astype(numpy.uint8), "L").save(folder / f"{name}-difference.png")
        (folder / f"{name}.json").write_text(json.dumps(self.reference.request, ensure_ascii=False, indent=1))
