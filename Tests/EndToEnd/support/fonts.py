"""A private set of fonts, which a test may change while a service uses it."""

import pathlib
import shutil
import signal
import subprocess

from fontTools.colorLib.builder import buildCOLR
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from fontTools.ttLib.tables.S_V_G_ import SVGDocument
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from fontTools.varLib.featureVars import addFeatureVariations

from service import until

# The file of each family that is copied.
FILES = {
    "DejaVu Sans": "DejaVuSans.ttf",
    "Liberation Serif": "LiberationSerif-Regular.ttf",
    "Noto Sans Runic": "NotoSansRunic-Regular.ttf",
    "Noto Sans Devanagari": "NotoSansDevanagari-Regular.ttf",
    "Noto Sans Thai": "NotoSansThai-Regular.ttf",
}
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{directory}</dir>
  <cachedir>{cache}</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
</fontconfig>
"""


def path(family):
    """The file of a family that is installed."""
    outcome = subprocess.run(
        ["fc-list", f":family={family}", "-f", "%{file}\n"], capture_output=True, text=True, check=True
    )
    [found] = [file for file in outcome.stdout.split() if pathlib.Path(file).name == FILES[family]]
    return pathlib.Path(found)


class FontSet:
    """Copies of some families in a directory, and a configuration of fontconfig that knows no others."""

    def __init__(self, folder, families=tuple(FILES)):
        self.directory = folder / "fonts"
        self.configuration = folder / "fonts.conf"
        self.directory.mkdir()
        (folder / "cache").mkdir()
        self.configuration.write_text(CONFIGURATION.format(directory=self.directory, cache=folder / "cache"))
        self.environment = {"FONTCONFIG_FILE": str(self.configuration)}
        for family in families:
            self.add(family)

    def add(self, family):
        shutil.copy(path(family), self.directory)

    def add_as(self, name, family):
        """A copy of a family under another name."""
        font = TTFont(path(family))
        for record in font["name"].names:
            if record.nameID in (1, 16):
                record.string = name
        font.save(self.directory / f"{name}.ttf")

    def remove(self, family):
        (self.directory / FILES[family]).unlink()


def color_font(file, kind=None, family=None, width=1000, padding=0):
    """Saves a font of boxes, for A, B, and the space, with the given advance; 1000 units are an em.

    The A has a drawing in colours besides: layers (COLRv0), paints (COLRv1), or a document (SVG). A table that nobody
    knows has so many bytes of padding.
    """
    builder = FontBuilder(1000, isTTF=True)
    names = [".notdef", "A", "B", "space"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0x41: "A", 0x42: "B", 0x20: "space"})
    pen = TTGlyphPen(None)
    for corner in [(100, 0), (100, 700), (width - 100, 700), (width - 100, 0)]:
        (pen.moveTo if corner == (100, 0) else pen.lineTo)(corner)
    pen.closePath()
    box, nothing = pen.glyph(), TTGlyphPen(None).glyph()
    builder.setupGlyf({name: nothing if name == "space" else box for name in names})
    builder.setupHorizontalMetrics({name: (width, 0 if name == "space" else 100) for name in names})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family or kind, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWeightClass=400)
    builder.setupPost()
    font = builder.font
    if kind in ("COLRv0", "COLRv1"):
        red = {"Format": 2, "PaletteIndex": 0, "Alpha": 1}  # PaintSolid
        paint = {"Format": 10, "Paint": red, "Glyph": "B"}  # PaintGlyph
        glyphs = {"A": [("B", 0)] if kind == "COLRv0" else paint}
        font["COLR"] = buildCOLR(glyphs, version=int(kind[-1]), glyphMap=font.getReverseGlyphMap())
        builder.setupCPAL([[(1, 0, 0, 1)]])
    if kind == "SVG":
        font["SVG "] = newTable("SVG ")
        document = '<svg xmlns="http://www.w3.org/2000/svg"><path id="glyph1" fill="red" d="M0 0h9v-9z"/></svg>'
        font["SVG "].docList = [SVGDocument(document, 1, 1, False)]
    if padding:
        font["zzzz"] = DefaultTable("zzzz")
        font["zzzz"].data = bytes(padding)
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp = False
    builder.save(file)


def variable_font(file, family="Growing"):
    """Saves a font with two axes, for H, A, and the space; 1000 units are an em.

    `wght` (100 to 900, else 400) and `wdth` (50 to 200, else 100) widen the letters, which are boxes; from a weight of
    600 on (`rvrn`) the A is a lower box.
    """
    builder = FontBuilder(1000, isTTF=True)
    names = [".notdef", "H", "A", "A.bold", "space"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0x48: "H", 0x41: "A", 0x20: "space"})

    def box(height, right=500):
        pen = TTGlyphPen(None)
        for corner in [(100, 0), (100, height), (right, height), (right, 0)]:
            (pen.moveTo if corner == (100, 0) else pen.lineTo)(corner)
        pen.closePath()
        return pen.glyph()

    heights = {".notdef": 700, "H": 700, "A": 700, "A.bold": 300}
    builder.setupGlyf({name: box(heights[name]) if name in heights else TTGlyphPen(None).glyph() for name in names})
    builder.setupHorizontalMetrics({name: (600, 100 if name in heights else 0) for name in names})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWeightClass=400)
    builder.setupPost()
    builder.setupFvar([("wght", 100, 400, 900, "Weight"), ("wdth", 50, 100, 200, "Width")], [])

    def wider(support, by):
        # The right side and the advance, which is the second of the four points that follow those of the box.
        return TupleVariation(support, [(0, 0), (0, 0), (by, 0), (by, 0), (0, 0), (by, 0), (0, 0), (0, 0)])

    low, high = (-1, -1, 0), (0, 1, 1)
    changes = [("wght", low, -200), ("wght", high, 400), ("wdth", low, -100), ("wdth", high, 500)]
    variations = [wider({axis: support}, by) for axis, support, by in changes]
    builder.setupGvar({name: variations for name in heights})
    addFeatureVariations(builder.font, [([{"wght": (0.4, 1)}], {"A": "A.bold"})], featureTag="rvrn")
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.save(file)


def families(service):
    return [family["family"] for family in service.get("/fonts").json["fonts"]]


def hang_up(service):
    """Sends SIGHUP, and waits until the log says what became of the fonts."""
    before = len(service.logged_entries())
    service.process.send_signal(signal.SIGHUP)

    def said():
        assert service.process.poll() is None, "SIGHUP ended the server"
        return [line for line in service.logged_entries()[before:] if "fonts" in line["message"] and "path" not in line]

    return until(said, "a line about the fonts")
