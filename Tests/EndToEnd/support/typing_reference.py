"""A model of readme-typing-svg: what a query means there, when each line shows, and what its template draws.

Written after github.com/DenverCoder1/readme-typing-svg (`RendererModel`, `templates/main.php`, and their tests), with
lists of colours, sizes, and letter spacings, but without `groups`. Where `/typing` differs on purpose the model does
so too: `random` has an order of its own, `monospace` has weights, and a letter spacing may begin with a point. Fonts
are those of the system.
"""

import html
import re
import urllib.parse
from dataclasses import dataclass

DEFAULTS = {
    "font": "monospace",
    "weight": "400",
    "color": "#36BCF7",
    "background": "#00000000",
    "size": "20",
    "center": "false",
    "vCenter": "false",
    "width": "400",
    "height": "50",
    "multiline": "false",
    "duration": "5000",
    "pause": "0",
    "repeat": "true",
    "separator": ";",
    "random": "false",
    "letterSpacing": "normal",
}
UNITS = "px|em|rem|pt|pc|in|cm|mm|ex|ch|vh|vw|vmin|vmax|%"
# The share of a line's duration in which it is typed, where it is erased afterwards.
TYPED = 0.8
LINE_GAP = 5


class Refused(Exception):
    """A query that is answered by an error; `parameter` is at fault."""

    def __init__(self, parameter):
        super().__init__(parameter)
        self.parameter = parameter


@dataclass
class Options:
    """What a query asks for. Lengths are in pixels, times in milliseconds; the lists have a value for each line."""

    lines: list[str]
    font: str
    weight: int
    colors: list[str]
    background: str
    sizes: list[int]
    center: bool
    vCenter: bool
    width: int
    height: int
    multiline: bool
    duration: int
    pause: int
    repeat: bool
    separator: str
    random: bool
    letterSpacings: list[str]

    @property
    def slot(self):
        """From the start of one line to that of the next."""
        return self.duration + self.pause

    @property
    def cycle(self):
        """Until all begins again."""
        return self.slot * len(self.lines)

    @property
    def typing(self):
        """The time in which a line is typed."""
        return self.duration if self.multiline else TYPED * self.duration

    @property
    def texts(self):
        """The lines as an SVG shows them, without white space at the ends and with single spaces."""
        return [re.sub("[ \t\n\r]+", " ", line).strip(" ") for line in self.lines]

    def baselines(self):
        """The y of each line's baseline, with `vCenter` of its middle."""
        y = 0
        for size in self.sizes:
            y += size + LINE_GAP
            yield y if self.multiline else self.height / 2

    def stays(self, line):
        """True if a line is not erased in its slot."""
        return self.multiline or not self.repeat and line == len(self.lines) - 1


def options(query):
    """Reads the query of a URL.

    Raises Refused, or UnicodeDecodeError where it is not UTF-8.
    """
    # Of duplicates the last counts, a name without a value has an empty one.
    given = dict(urllib.parse.parse_qsl(query, keep_blank_values=True, errors="strict"))
    values = {**DEFAULTS, **given}
    lines = lines_of(values.get("lines", ""), values["separator"])

    def number(name, least=1):
        return number_in(values[name], name, least)

    def each(name, read):
        """The values of a list by line; the last one goes on."""
        found = []
        for text in values[name].split(","):
            found.append(read(text, found[-1] if found else DEFAULTS[name]))
        return [found[min(index, len(found) - 1)] for index in range(len(lines))]

    return Options(
        lines=lines,
        font=re.sub("[^0-9A-Za-z -]", "", values["font"]),
        weight=number("weight"),
        colors=each("color", color_in),
        background=color_in(values["background"], DEFAULTS["background"]),
        sizes=each("size", lambda text, _: number_in(text, "size", 1)),
        width=number("width"),
        height=number("height"),
        duration=number("duration"),
        pause=number("pause", least=0),
        separator=values["separator"],
        letterSpacings=each("letterSpacing", letter_spacing_in),
        **{name: is_true(values[name]) for name in ("center", "vCenter", "multiline", "repeat", "random")},
    )


def lines_of(text, separator):
    if len(separator) == 1:
        text = text.rstrip(separator)
    if not text:
        raise Refused("lines")
    return text.split(separator)


def number_in(text, name, least):
    """Digits and minus signs are kept, and as many of them read as make a number; none make 0."""
    digits = re.match("-?[0-9]+", re.sub("[^0-9-]", "", text))
    number = int(digits[0]) if digits else 0
    if number < least:
        raise Refused(name)
    return number


def color_in(text, fallback):
    digits = re.sub("[^0-9A-Fa-f]", "", text)
    return f"#{digits}" if len(digits) in (3, 4, 6, 8) else fallback


def letter_spacing_in(text, _):
    return text if re.fullmatch(rf"-?([0-9]+|[0-9]*\.[0-9]+)({UNITS})", text) else DEFAULTS["letterSpacing"]


def is_true(text):
    return text.lower() == "true"


def template(options):
    """Returns the SVG: each line stands along a path that grows to the right, and shows as far as that reaches."""
    parts = [
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
        f"viewBox='0 0 {options.width} {options.height}' width='{options.width}px' height='{options.height}px' "
        f"style='background-color: {options.background}'>"
    ]
    for index, y in enumerate(options.baselines()):
        parts.append(f"<path id='path{index}'>{animation(options, index, y)}</path>{text(options, index)}")
    return "".join([*parts, "</svg>"])


def animation(options, index, y):
    """Returns the growth of a line's path."""
    last = len(options.lines) - 1
    empty, full = f"m0,{y:g} h0", f"m0,{y:g} h{options.width}"
    if options.multiline:
        # All lines begin together, and wait for their turn.
        lasts = options.slot * (index + 1)
        start = options.slot * index
        values = [empty, empty, full, full]
        times = [0, start / lasts, (start + options.typing) / lasts, 1]
    else:
        lasts = options.slot
        values = [empty, full, full, full if options.stays(index) else empty]
        times = [0, options.typing / lasts, (options.typing + options.pause) / lasts, 1]
    if options.multiline or index == 0:
        begin = f"0s;d{last}.end" if options.repeat else "0s"
    else:
        begin = f"d{index - 1}.end"
    return (
        f"<animate id='d{index}' attributeName='d' begin='{begin}' dur='{lasts}ms' "
        f"fill='{'freeze' if options.stays(index) else 'remove'}' "
        f"values='{' ; '.join(values)}' keyTimes='{';'.join(f'{time:.14g}' for time in times)}'/>"
    )


def text(options, index):
    # There the style sheet of the font has the one weight; the system has them all.
    return (
        f"<text font-family='\"{options.font}\", monospace' font-weight='{options.weight}' "
        f"fill='{options.colors[index]}' font-size='{options.sizes[index]}' "
        f"dominant-baseline='{'middle' if options.vCenter else 'auto'}' "
        f"x='{'50%' if options.center else '0%'}' text-anchor='{'middle' if options.center else 'start'}' "
        f"letter-spacing='{options.letterSpacings[index]}'><textPath xlink:href='#path{index}'>\n"
        f"{html.escape(options.lines[index])}\n</textPath></text>"
    )
