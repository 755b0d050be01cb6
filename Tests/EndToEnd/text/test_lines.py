"""Where lines end, and where their glyphs stand: as Pango has it, wherever Pango answers.

The reference is Pango's own breaking of lines in a process of its own (pango_lines.py), which a text may end. The texts
are a sample; with TEST_PROOF=1 in the environment they are 5,000. Those of scripts whose lines end between words of ICU's
dictionaries are in test_unspaced.py.
"""

import copy
import html
import itertools
import json
import random
import subprocess
import sys
import unicodedata

import pytest

import line_texts
from service import REPOSITORY, sample

REFERENCE = REPOSITORY / "Tests/EndToEnd/support/pango_lines.py"
FONTS = ["DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"]
# Markup, and what it does to a span.
TAGS = [
    ("<b>{}</b>", {"weight": 700}),
    ("<i>{}</i>", {"italic": True}),
    ("<sub>{}</sub>", {"scale": 0.7, "rise": -0.15}),
    ("<sup>{}</sup>", {"scale": 0.7, "rise": 0.35}),
    ('<span letter_spacing="2px">{}</span>', {"spacing": 2048}),
    ('<span font_features="liga=0">{}</span>', {"features": "liga=0"}),
    ('<span font="DejaVu Serif">{}</span>', {"family": "DejaVu Serif"}),
    ("<u>{}</u>", {"decoration": "underline"}),
]
# What letter spacing turns off besides the ligatures that Pango turns off.
SPACED = "calt=0"
COUNT = 5000
SAMPLE = 120


class Reference:
    """Pango in a process; begins anew where a text ended it."""

    def __init__(self):
        self.process = None

    def lines(self, request):
        """Returns Pango's lines, or None if Pango ended the process."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, REFERENCE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        # GLib writes to standard output, too, before it ends the process.
        if (answer := self.process.stdout.readline()).startswith(b"["):
            return json.loads(answer)
        self.stop()
        return None

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
        self.process = None


@pytest.fixture(scope="module")
def reference():
    process = Reference()
    yield process
    process.stop()


def case(number):
    """Returns a request to the service, and the same to the reference."""
    chance = random.Random(number)
    text = line_texts.text(chance, without=line_texts.UNSPACED)
    width = chance.choice([chance.randint(33, 200), chance.randint(33, 800), chance.randint(100, 400)])
    size = chance.choice([8, 12, 16, 20.5, 24, 40, 64])
    spacing = chance.choice([0, 0, 0, 1, 2, 0.01, -1, -3.3, 5.5])
    if spacing:
        text = line_texts.text(chance, is_spaced=True)
    base = {
        "family": chance.choice(FONTS),
        "size": size,
        "weight": 400,
        "italic": False,
        "spacing": int(spacing * 1024),
        "features": SPACED if spacing else "",
        "rise": 0,
        "decoration": "",
    }
    request = {"effect": "none", "text": text, "width": width, "height": 200, "align": "left", "font": base["family"]}
    request |= {"size": size, "letterSpacing": spacing}
    spans = [base]
    ends = [len(text.encode())]
    if chance.random() < 0.35:
        request["text"], spans, ends = marked_up(chance, text, base)
        request["markup"] = True
    spans = [{**span, "end": end} for span, end in zip(spans, ends)]
    return request, {"text": text, "width": int((width - 32) * 1024), "spans": spans}


def marked_up(chance, text, base):
    """Returns a text with random markup, its spans, and their ends in bytes."""
    markup, spans, ends, index, end = "", [], [], 0, 0
    while index < len(text):
        part = text[index : index + chance.randint(1, 12)]
        index += len(part)
        end += len(part.encode())
        span = copy.copy(base)
        written = html.escape(part, quote=False)
        if chance.random() < 0.5:
            tag, changes = chance.choice(TAGS)
            # Pango gets the spacing of these texts wrong.
            if "spacing" in changes and not base["spacing"]:
                tag, changes = "{}", {}
            written = tag.format(written)
            span |= {name: value for name, value in changes.items() if name not in ("scale", "rise")}
            # Behind those that letter spacing brings, which a text's own follow.
            given = [SPACED] * (span["spacing"] != 0) + [changes.get("features", "")]
            span["features"] = ",".join(filter(None, given))
            span["size"] = base["size"] * changes.get("scale", 1)
            span["rise"] = changes.get("rise", 0)
        markup += written
        if spans and spans[-1] == span:
            ends[-1] = end
        else:
            spans.append(span)
            ends.append(end)
    return markup, spans, ends


def offsets(text):
    """Returns the UTF-8 offset of each UTF-16 code unit, and of the end."""
    result, offset = [], 0
    for character in text:
        result += [offset] * (len(character.encode("utf-16-le")) // 2)
        offset += len(character.encode())
    return result + [offset]


def service_lines(document, text):
    """Returns (start in bytes, {start of a unit: x}) of each line that has units; white space has no x."""
    bytes_of = offsets(text)
    rects = document["blocks"][0]["lines"]
    lines = {}
    for glyph in document["glyphs"]:
        start = bytes_of[glyph["range"]["start"]]
        line = lines.setdefault(glyph["line"], [start, {}])
        line[0] = min(line[0], start)
        x = glyph["rect"]["x"] - rects[glyph["line"]]["rect"]["x"]
        line[1][start] = None if glyph["text"].isspace() else x
    return [tuple(lines[number]) for number in sorted(lines)]


def reference_lines(lines, text, units):
    """The same of Pango's lines; the white space at which a line is wrapped takes no room at all.

    `units` has the end of each unit by its start. A line begins with its first unit, and one without any is left out:
    characters that draw nothing are none.
    """
    text = text.encode()
    result = []
    for line, following in zip(lines, lines[1:] + [None]):
        end = line["start"] + line["length"]
        if not line["length"]:
            continue
        isWrapped = following is not None and following["start"] == end
        trailing = line["start"] + len(text[line["start"] : end].decode().rstrip().encode()) if isWrapped else end
        x, left, merged = 0, {}, []
        for start, _, width in line["clusters"]:
            if merged and merged[-1][0] == start:
                merged[-1][1] += width
            else:
                merged.append([start, width])
        for start, width in merged:
            left.setdefault(start, x)
            x += max(width, 0) if start < trailing else 0
        starts = sorted(unit for unit in units if line["start"] <= unit < end)
        xs = {}
        for unit in starts:
            inside = [x for start, x in left.items() if unit <= start < units[unit]]
            xs[unit] = min(inside, default=float("inf"))
        if starts:
            result.append((starts[0], xs))
    return result


def is_explained(spans, end, xs, expected):
    """True for a line whose glyphs Pango places otherwise by a fault of its own.

    Where it adds a hyphen to the last item of a line, it gives that item the letter spacing of the item behind
    (`add_missing_hyphen`); and where the last place that fits needs no measuring, it draws the glyphs of a place before,
    which it measured, so that characters of the line have none (`process_item`, `break_glyphs`).
    """
    before, behind = (next((span for span in spans if span["end"] > at), spans[-1]) for at in (end - 1, end))
    return before["spacing"] != behind["spacing"] or any(
        x is not None and expected[unit] == float("inf") for unit, x in xs.items()
    )


def has_word_of_several_styles(text, spans):
    """True if a word changes its style, of which Pango may take the letters from several families, and the service not."""
    text = text.encode()
    return any(
        text[: span["end"]].decode()[-1:].isalpha()
        and unicodedata.category(text[span["end"] :].decode()[:1] or " ")[0] in "LM"
        and any(span[name] != other[name] for name in ("family", "weight", "italic"))
        for span, other in zip(spans, spans[1:])
    )


def overfilled(ours, theirs, lines, width):
    """True if lines first differ where Pango's is wider than the width, and has white space that ours ends at.

    Pango counts no white space at the end of an item that does not fit with it, even where the line goes on behind it
    (`process_item`).
    """
    starts = itertools.zip_longest(*([start for start, _ in part] for part in (ours, theirs)), fillvalue=float("inf"))
    first, (own, other) = next((index, pair) for index, pair in enumerate(starts) if pair[0] != pair[1])
    line = next(line for line in reversed(lines) if line["start"] <= theirs[first - 1][0])
    isWider = own < other and sum(max(advance, 0) for _, _, advance in line["clusters"]) > width
    return isWider and any(x is None for x in ours[first - 1][1].values())


@pytest.mark.slow
def test_lines_end_and_glyphs_stand_where_pango_has_them(server, reference):
    different = []
    explained = answered = ended = 0
    for number in sample(range(COUNT), SAMPLE):
        request, asked = case(number)
        answer = server.post("/render.json", request)
        if "must have a character that is neither white space nor invisible" in answer.text:
            continue
        assert answer.status == 200, (request, answer.text)
        lines = reference.lines(asked)
        if lines is None:
            ended += 1
            continue
        answered += 1
        ours = service_lines(answer.json, asked["text"])
        bytes_of = offsets(asked["text"])
        ranges = [glyph["range"] for glyph in answer.json["glyphs"]]
        units = {bytes_of[unit["start"]]: bytes_of[unit["start"] + unit["length"]] for unit in ranges}
        theirs = reference_lines(lines, asked["text"], units)
        # Letters of other families have other widths, so that lines may end elsewhere, too.
        isOtherwise = has_word_of_several_styles(asked["text"], asked["spans"])
        if [start for start, _ in ours] != [start for start, _ in theirs]:
            assert isOtherwise or overfilled(ours, theirs, lines, asked["width"] / 1024), (number, request)
            explained += 1
            continue
        ends = [start for start, _ in ours[1:]] + [len(asked["text"].encode())]
        for (start, xs), (_, expected), end in zip(ours, theirs, ends):
            if all(x is None or abs(x - expected[unit]) < 0.01 for unit, x in xs.items()):
                continue
            if isOtherwise or is_explained(asked["spans"], end, xs, expected):
                explained += 1
            else:
                different.append((number, start, xs, expected))
    assert answered, "Pango answered nothing"
    assert not different, f"{len(different)} lines differ, such as {different[0]}"
    print(f"{answered} texts, {explained} lines explained, {ended} texts ended Pango")
    assert explained < answered / 20


# Each ended the process while Pango broke lines.
@pytest.mark.parametrize(
    "request_",
    [
        {"text": "\u0368\U0001f3fb\u061c", "width": 33, "letterSpacing": 0.01},
        {"text": "\U0001f3fb\U0001f3fb\u0335\U0001f3fb", "width": 34, "size": 64},
        {"text": "\u00a0".join(9 * "\U0001f3fb"), "preset": "film-title"},
    ],
    ids=["tone between mark and sign", "mark between tones", "tones between no-break spaces"],
)
def test_a_text_on_which_pango_ends_the_process_is_set(server, request_):
    document = server.render("json", **request_).json
    assert "".join(glyph["text"] for glyph in document["glyphs"]) == request_["text"].replace("\u061c", "")


def test_texts_that_fit_fewer_lines_than_they_have_are_set(server):
    """The widths by which lines are chosen leave out the space behind a last letter."""
    generator = random.Random(1)
    texts = ["".join(generator.choices("我爱北京天安门 a\t»}", k=7)) for _ in range(40)]
    for text in ["\xf7}\U00028A5B\xdc\t\xbb\u8b53", *texts]:
        assert server.render("json", text=text, letterSpacing=97).status == 200, ascii(text)


def test_a_long_grapheme_is_refused_by_name(server):
    assert server.post("/render.json", {"text": "a" + 64 * "\u0301"}).faults == ["text"]
    assert server.post("/render.json", {"text": "a" + 63 * "\u0301"}).status == 200
    assert server.post("/render.json", {"text": "\u200d".join(100 * "👩")}).faults == ["text"]


def test_many_fonts_in_one_text_are_refused_by_name(server):
    def text(count):
        return "".join(f'<span size="{4096 + 16 * number}">a</span>' for number in range(count))

    assert server.post("/render.json", {"text": text(65), "markup": True}).faults == ["text"]
    assert server.post("/render.json", {"text": text(64), "markup": True}).status == 200
