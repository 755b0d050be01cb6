"""Lines as Pango itself breaks them: an independent reference, run as a process because Pango may end it.

Reads a JSON object a line: `text`, `width` in Pango's units, `spans` of one style each (`end` in UTF-8 bytes, `family`,
`size` in pixels, `weight`, `italic`, `spacing` in Pango's units, `features`). Writes for each a line with the list of
Pango's lines: `start` and `length` in bytes, and `clusters` as `[start in bytes, x, width]` in pixels.
"""

import ctypes
import json
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_ubyte, c_uint, c_void_p

UNITS = 1024
UNKNOWN = 0x10000000


class List(Structure):
    pass


List._fields_ = [("data", c_void_p), ("next", POINTER(List))]


class Line(Structure):
    _fields_ = [("layout", c_void_p), ("start", c_int), ("length", c_int), ("runs", POINTER(List)), ("flags", c_uint)]


class Analysis(Structure):
    _fields_ = [("engines", c_void_p * 2), ("font", c_void_p), ("level", c_ubyte), ("rest", c_ubyte * 31)]


class Item(Structure):
    _fields_ = [("offset", c_int), ("length", c_int), ("characters", c_int), ("analysis", Analysis)]


class Glyph(Structure):
    _fields_ = [("glyph", c_uint), ("width", c_int), ("x", c_int), ("y", c_int), ("flags", c_uint)]


class Glyphs(Structure):
    _fields_ = [("count", c_int), ("glyphs", POINTER(Glyph)), ("clusters", POINTER(c_int))]


class Run(Structure):
    _fields_ = [("item", POINTER(Item)), ("glyphs", POINTER(Glyphs))]


class Rectangle(Structure):
    _fields_ = [("x", c_int), ("y", c_int), ("width", c_int), ("height", c_int)]


class Attribute(Structure):
    _fields_ = [("type", c_void_p), ("start", c_uint), ("end", c_uint)]


class Classes(Structure):
    """The class of a font: GObject's, then the functions of Pango's."""

    _fields_ = [("object", c_void_p * 17), ("describe", c_void_p), ("coverage", c_void_p), ("extents", c_void_p), ("metrics", c_void_p)]


pango = ctypes.CDLL("libpangocairo-1.0.so.0")
cairo = ctypes.CDLL("libcairo.so.2")


def function(library, name, result, *arguments):
    call = getattr(library, name)
    call.restype, call.argtypes = result, arguments
    return call


new_map = function(pango, "pango_cairo_font_map_new", c_void_p)
new_context = function(pango, "pango_font_map_create_context", c_void_p, c_void_p)
load_font = function(pango, "pango_context_load_font", c_void_p, c_void_p, c_void_p)
get_metrics = function(pango, "pango_font_get_metrics", c_void_p, c_void_p, c_void_p)
describe = function(pango, "pango_font_describe_with_absolute_size", c_void_p, c_void_p)
description = function(pango, "pango_font_description_new", c_void_p)
free_description = function(pango, "pango_font_description_free", None, c_void_p)
get_size = function(pango, "pango_font_description_get_size", c_int, c_void_p)
set_family = function(pango, "pango_font_description_set_family", None, c_void_p, c_char_p)
set_size = function(pango, "pango_font_description_set_absolute_size", None, c_void_p, c_double)
set_weight = function(pango, "pango_font_description_set_weight", None, c_void_p, c_int)
set_style = function(pango, "pango_font_description_set_style", None, c_void_p, c_int)
new_layout = function(pango, "pango_layout_new", c_void_p, c_void_p)
new_list = function(pango, "pango_attr_list_new", c_void_p)
insert = function(pango, "pango_attr_list_insert", None, c_void_p, POINTER(Attribute))
unref_list = function(pango, "pango_attr_list_unref", None, c_void_p)
font_attribute = function(pango, "pango_attr_font_desc_new", POINTER(Attribute), c_void_p)
spacing_attribute = function(pango, "pango_attr_letter_spacing_new", POINTER(Attribute), c_int)
feature_attribute = function(pango, "pango_attr_font_features_new", POINTER(Attribute), c_char_p)
hyphen_attribute = function(pango, "pango_attr_insert_hyphens_new", POINTER(Attribute), c_int)
set_attributes = function(pango, "pango_layout_set_attributes", None, c_void_p, c_void_p)
set_description = function(pango, "pango_layout_set_font_description", None, c_void_p, c_void_p)
set_width = function(pango, "pango_layout_set_width", None, c_void_p, c_int)
set_text = function(pango, "pango_layout_set_text", None, c_void_p, c_char_p, c_int)
get_lines = function(pango, "pango_layout_get_lines_readonly", POINTER(List), c_void_p)


@CFUNCTYPE(None, c_void_p, c_uint, POINTER(Rectangle), POINTER(Rectangle))
def extents(font, glyph, ink, logical):
    """Of characters that no font has: 0.6 em. Nobody else's are asked for."""
    for rectangle in (ink, logical):
        if rectangle:
            rectangle[0] = Rectangle()
    if logical and glyph & UNKNOWN:
        chosen = describe(font)
        logical[0].width = round(get_size(chosen) * 0.6)
        free_description(chosen)


@CFUNCTYPE(c_void_p, c_void_p, c_void_p)
def metrics(font, language):
    """Those of no font, which are constants."""
    return get_metrics(None, None)


def context():
    made = new_context(new_map())
    plain = description()
    fonts = ctypes.cast(load_font(made, plain), POINTER(POINTER(Classes)))[0][0]
    fonts.extents = ctypes.cast(extents, c_void_p)
    fonts.metrics = ctypes.cast(metrics, c_void_p)
    options = function(cairo, "cairo_font_options_create", c_void_p)()
    function(cairo, "cairo_font_options_set_hint_style", None, c_void_p, c_int)(options, 1)
    function(cairo, "cairo_font_options_set_hint_metrics", None, c_void_p, c_int)(options, 1)
    function(pango, "pango_cairo_context_set_font_options", None, c_void_p, c_void_p)(made, options)
    function(pango, "pango_cairo_context_set_resolution", None, c_void_p, c_double)(made, 96)
    function(pango, "pango_context_set_round_glyph_positions", None, c_void_p, c_int)(made, 0)
    language = function(pango, "pango_language_from_string", c_void_p, c_char_p)(b"en")
    function(pango, "pango_context_set_language", None, c_void_p, c_void_p)(made, language)
    return made


def font(span):
    made = description()
    set_family(made, span["family"].encode())
    set_size(made, span["size"] * UNITS)
    set_weight(made, span["weight"])
    set_style(made, 2 if span["italic"] else 0)
    return made


def lines(layout, request):
    attributes = new_list()

    def add(attribute, start, end):
        attribute[0].start, attribute[0].end = start, end
        insert(attributes, attribute)

    first = request["spans"][0]
    start = 0
    for span in request["spans"]:
        if any(span[name] != first[name] for name in ("family", "size", "weight", "italic")):
            chosen = font(span)
            add(font_attribute(chosen), start, span["end"])
            free_description(chosen)
        if span["spacing"]:
            add(spacing_attribute(span["spacing"]), start, span["end"])
        if span["features"]:
            add(feature_attribute(span["features"].encode()), start, span["end"])
        start = span["end"]
    chosen = font(first)
    set_description(layout, chosen)
    free_description(chosen)
    # A word that is too long for a line breaks without a hyphen, but for one behind a soft hyphen: the attribute says
    # nothing of the place at which it starts.
    start = 0
    for part in request["text"].encode().split("\u00ad".encode()):
        end = start + len(part) + len("\u00ad".encode())
        add(hyphen_attribute(0), start, end)
        start = end
    set_attributes(layout, attributes)
    unref_list(attributes)
    set_width(layout, request["width"])
    text = request["text"].encode()
    set_text(layout, text, len(text))
    result = []
    node = get_lines(layout)
    while node:
        line = ctypes.cast(node[0].data, POINTER(Line))[0]
        result.append({"start": line.start, "length": line.length, "clusters": list(clusters(line))})
        node = node[0].next
    return result


def clusters(line):
    x = 0
    node = line.runs
    while node:
        run = ctypes.cast(node[0].data, POINTER(Run))[0]
        glyphs = run.glyphs[0]
        for index in range(glyphs.count):
            width = glyphs.glyphs[index].width
            yield [run.item[0].offset + glyphs.clusters[index], x / UNITS, width / UNITS]
            x += width
        node = node[0].next


if __name__ == "__main__":
    layout = new_layout(context())
    function(pango, "pango_layout_set_wrap", None, c_void_p, c_int)(layout, 2)
    for request in sys.stdin:
        print(json.dumps(lines(layout, json.loads(request))), flush=True)
