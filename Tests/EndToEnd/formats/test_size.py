"""An SVG is small, and its outlines are the font's all the same."""

import gzip
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import numpy
import pytest
from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont

SENTENCE = (
    "This is a my replication of Secret's text animation. It looks like one fancy label, "
    "but it's actually two UITextLabels on top of each other! What do you think?"
)
REQUEST = dict(text=SENTENCE, font="DejaVu Sans", size=32, width=640, cursor="none")
STILL, BASE, EACH = 3600, 200, 8  # bytes gzipped: of the still text, of what moves, and for each glyph of it
TOLERANCE = 0.02  # px


def weight(server, **request):
    return len(gzip.compress(server.render("svg", **REQUEST, **request).body, 6, mtime=0))


def drawn(server):
    glyphs = server.render("json", **REQUEST).json["glyphs"]
    assert len(glyphs) == len(SENTENCE) == 159
    return sum(not glyph["whitespace"] for glyph in glyphs)


def test_still_text_is_small(server):
    assert drawn(server) == 131
    assert weight(server, animate=False) <= STILL


@pytest.mark.parametrize("effect", ["typewriter", "slide", "fade"])
def test_motion_costs_little(server, effect):
    assert weight(server, effect=effect) - weight(server, animate=False) <= BASE + EACH * drawn(server)


SPRING = dict(
    keyframes=[{"opacity": 0, "y": 0.5, "rotation": -20}, {"offset": 0.6, "y": -0.1}, {}], easing="spring(0.4)"
)


@pytest.mark.parametrize(
    "effect, once, looping",
    [
        ("rise", 3.6, 9),
        ("blur", 6.6, 50),
        ("flip", 7, 65),
        ("tracking", 14, 32),
        ("highlight", 3, 12),
        ("draw", 7, 90),
        ("zoom", 10, 40),
        ("custom", 8, 90),
    ],
)
def test_motion_of_keyframes_costs_little(server, effect, once, looping):
    """Bytes gzipped a drawn glyph more than still, played once, and in a loop with its exit."""
    own = SPRING if effect == "custom" else {}
    still = weight(server, animate=False)
    for most, way in ((once, {}), (looping, dict(loop="infinite", exit="auto"))):
        assert (weight(server, effect=effect, **own, **way) - still) / drawn(server) <= most


TITLE = dict(REQUEST, text="A title of a line", width=800)
LINES = dict(REQUEST, text="Some lines\nthat stand\nbeneath each other", width=800)
WAYS = {
    "still": dict(animate=False),
    **{effect: dict(effect=effect) for effect in ("typewriter", "slide", "rise", "blur", "flip")},
    "looping": dict(effect="slide", loop="infinite", exit="auto"),
}


def added(server, text, way, **paint):
    """Bytes gzipped that paint adds to a text, and the glyphs that it draws."""
    request = {**text, **WAYS[way]}
    plain, painted = (
        len(gzip.compress(server.render("svg", **each).body, 6, mtime=0)) for each in (request, {**request, **paint})
    )
    return painted - plain, sum(not letter.isspace() for letter in text["text"])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text, lines", [(TITLE, 1), (LINES, 3)], ids=["title", "lines"])
@pytest.mark.parametrize("box", ["block", "line", "glyph"])
def test_a_gradient_straight_down_costs_a_few_bytes_a_line(server, text, lines, box, way):
    bytes, _ = added(server, text, way, color="linear-gradient(#ff8a00, #e52e71)", gradientBox=box)
    assert bytes <= 120 + 40 * (lines - 1)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [TITLE, LINES, REQUEST], ids=["title", "lines", "sentence"])
@pytest.mark.parametrize("angle", ["to right", "37deg", "to top left"])
def test_any_other_gradient_costs_a_few_bytes_a_glyph(server, text, angle, way):
    bytes, glyphs = added(server, text, way, color=f"linear-gradient({angle}, #ff8a00, #e52e71)")
    assert bytes <= 150 + 16 * glyphs


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [TITLE, LINES], ids=["title", "lines"])
def test_an_outline_costs_a_few_bytes(server, text, way):
    bytes, _ = added(server, text, way, outlineWidth=4)
    assert bytes <= 160


@pytest.mark.parametrize("way", WAYS)
# The sentence with the intervals of short texts: the delays of a long one have a digit more for each glyph.
@pytest.mark.parametrize("text", [TITLE, LINES, dict(REQUEST, defaults="0.3")], ids=["title", "lines", "sentence"])
@pytest.mark.parametrize("shadow", ["2px 2px #0008", "2px 3px 4px #0008", "0 0 24px #0ff"])
def test_a_shadow_costs_a_few_bytes_a_glyph(server, text, shadow, way):
    bytes, glyphs = added(server, text, way, shadow=shadow)
    # Behind a mask shadows have motions of their own, one for each word.
    most = 180 + 9 * glyphs if way == "rise" else 160 + 6 * glyphs
    assert bytes <= most


class Contours(BasePen):
    """Collects an outline as chains of points on it."""

    STEPS = numpy.linspace(0, 1, 25)[1:, None]

    def __init__(self, glyphs=None, flip=1):
        super().__init__(glyphs)
        self.flip, self.chains = numpy.array([1, flip]), []

    def add(self, *control):
        points = [numpy.array(point, float) * self.flip for point in (self._getCurrentPoint(), *control)]
        while len(points) > 1:  # de Casteljau
            points = [a + (b - a) * self.STEPS for a, b in zip(points, points[1:])]
        self.chains[-1].append(points[0])

    def _moveTo(self, point):
        self.chains.append([numpy.array([point], float) * self.flip])

    def _lineTo(self, point):
        self.add(point)

    def _qCurveToOne(self, control, point):
        self.add(control, point)

    def _curveToOne(self, first, second, point):
        self.add(first, second, point)

    def segments(self):
        closed = [numpy.concatenate([*chain, chain[0][:1]]) for chain in self.chains]
        return numpy.concatenate([chain[:-1] for chain in closed]), numpy.concatenate([chain[1:] for chain in closed])


def farthest(points, segments):
    """The largest distance of any of the points from the nearest segment."""
    start, along = segments[0], segments[1] - segments[0]
    squares = numpy.maximum((along**2).sum(axis=1), 1e-12)
    worst = 0
    for chunk in numpy.array_split(points, len(points) // 200 + 1):
        to = chunk[:, None] - start
        share = numpy.clip((to * along).sum(axis=2) / squares, 0, 1)
        worst = max(worst, numpy.sqrt(((to - share[..., None] * along) ** 2).sum(axis=2).min(axis=1)).max())
    return worst


def font():
    file = subprocess.run(
        ["fc-match", "-f", "%{file}", "DejaVu Sans:weight=80:slant=0"], check=True, capture_output=True, text=True
    ).stdout
    return TTFont(file)


@pytest.mark.slow
@pytest.mark.parametrize("size", [12, 32, 400])
def test_outlines_are_the_fonts(server, size):
    letters = "This amyreplctonfSIk,b'UTxLW?!d&@§ßé8"
    root = ElementTree.fromstring(
        server.render(
            "svg", text=letters, font="DejaVu Sans", size=size, animate=False, width=4000 if size > 100 else 1000
        ).body
    )
    paths = {path.get("id"): path.get("d") for path in root.findall(".//{*}path") if path.get("id")}
    groups = [
        (float(re.search(r"scale\(([\d.]+)", group.get("transform"))[1]), use.get("href")[1:])
        for group in root.findall("{*}g")
        for use in group.findall(".//{*}use")
    ]
    assert len(groups) == len(letters.replace(" ", ""))
    true = font()
    glyphs, names = true.getGlyphSet(), true.getBestCmap()
    for letter, (scale, path) in zip(letters.replace(" ", ""), groups):
        assert scale == pytest.approx(size / true["head"].unitsPerEm)
        drawn, expected = Contours(), Contours(glyphs, flip=-1)
        parse_path(paths[path], drawn)
        glyphs[names[ord(letter)]].draw(expected)
        drawn, expected = drawn.segments(), expected.segments()
        error = max(farthest(drawn[0], expected), farthest(expected[0], drawn)) * scale
        assert error <= TOLERANCE, f"{letter!r} is off by {error:.4f} px"
