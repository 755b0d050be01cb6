"""Words that light up, are swept, or have a box as they are said: in every script, and alike in all formats."""

import json
import pathlib
import subprocess

import numpy
import pytest
import uharfbuzz

from browser_motion import BACKGROUND, SIZE, faults_of_motion
from exact import wrong_frames
from frames import answer, by_pillow
from lottie_players import PLAYERS
from picture import mean_difference, pixels, screenshot, worst_block
from script_texts import SCRIPTS

BLACK, RED = "#24292f", "#d02020"
SHARES = [0.03, 0.12, 0.21, 0.33, 0.41, 0.5, 0.62, 0.74, 0.87, 0.96]
# Words with the family that draws them. Each sweep passes over all words of its script, one after another.
SWEPT = {
    "Latin": ("DejaVu Sans", "office ffl"),
    "Greek": ("DejaVu Sans", "ἄνθρωπος ᾧ"),
    "Cyrillic": ("DejaVu Sans", "Съешь же"),
    "Armenian": ("DejaVu Sans", "Հայոց լեզու"),
    "Georgian": ("DejaVu Sans", "ქართული ენა"),
    "Hebrew": ("Noto Sans Hebrew", "שָׁלוֹם עֲלֵיכֶם"),
    "Arabic": ("Noto Sans Arabic", "السلام عليكم"),
    "Persian": ("Noto Naskh Arabic", "سلام خوبید"),
    "Urdu": ("Noto Nastaliq Urdu", "پاکستان ہے"),
    "Syriac": ("Noto Sans Syriac", "ܠܫܢܐ ܣܘܪܝܝܐ"),
    "Thaana": ("Noto Sans Thaana", "ދިވެހި"),
    "N'Ko": ("Noto Sans NKo", "ߒߞߏ ߞߊ߲"),
    "Mongolian": ("Noto Sans Mongolian", "ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ"),
    "Ethiopic": ("Noto Sans Ethiopic", "ግዕዝ ፊደል"),
    "Devanagari": ("Noto Sans Devanagari", "हिन्दी भाषा"),
    "Bengali": ("Noto Sans Bengali", "বাংলা ভাষা"),
    "Gujarati": ("Noto Sans Gujarati", "ગુજરાતી ભાષા"),
    "Tamil": ("Noto Sans Tamil", "தமிழ் மொழி"),
    "Telugu": ("Noto Sans Telugu", "తెలుగు భాష"),
    "Malayalam": ("Noto Sans Malayalam", "മലയാളം ഭാഷ"),
    "Sinhala": ("Noto Sans Sinhala", "සිංහල බස"),
    "Thai": ("Noto Sans Thai", "ภาษาไทย น้ำ"),
    "Lao": ("Noto Sans Lao", "ພາສາ ລາວ"),
    "Khmer": ("Noto Sans Khmer", "ភាសា ខ្មែរ"),
    "Burmese": ("Noto Sans Myanmar", "မြန်မာ ဘာသာ"),
    "Tibetan": ("Noto Serif Tibetan", "བོད་ སྐད་"),
}
PLAIN = dict(sequence="timed", at=0, effect="none", exit="none", size=64, padding=30, room="none", cursor="none", background="#fff")


def said(text, start=0.5, **more):
    """A request whose words are said one after another, a second each."""
    words = text.split()
    times = [dict(text=word, at=start + number, until=start + number + 1) for number, word in enumerate(words)]
    return PLAIN | dict(text=text, times=times, until=start + len(words) + 1, color=BLACK) | more


def file_of(family):
    """The file of the regular style of a family that is installed."""
    found = subprocess.run(["fc-match", "-f", "%{file}", f"{family}:regular"], capture_output=True, text=True, check=True)
    return pathlib.Path(found.stdout)


def boundaries(family, text, size):
    """The start and the end of each word, from the left edge of the line, in the order of reading, as HarfBuzz shapes it.

    The end of a word that is read to the left lies left of its start.
    """
    font = uharfbuzz.Font(uharfbuzz.Face(file_of(family).read_bytes()))
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    scale, pen, boxes = size / font.face.upem, 0, []
    for glyph, position in zip(buffer.glyph_infos, buffer.glyph_positions):
        boxes.append((glyph.cluster, pen * scale, (pen + position.x_advance) * scale))
        pen += position.x_advance
    start = 0
    for word in text.split():
        start = text.index(word, start)
        own = [box for box in boxes if start <= box[0] < start + len(word)]
        left, right = min(box[1] for box in own), max(box[2] for box in own)
        yield (right, left) if buffer.direction == "rtl" else (left, right)
        start += len(word)


@pytest.mark.parametrize("script", SWEPT)
def test_the_sweep_is_the_mask_of_harfbuzz(server, script):
    """Either side of the line that sweeps shows the same shaped text in one colour."""
    family, text = SWEPT[script]
    request = said(text, font=family, spoken="sweep", spokenColor=RED)
    scene = server.render("json", **request).json
    assert len({run["font"] for run in scene["blocks"][0]["lines"][0]["runs"]}) == 1
    [origin] = [line["rect"]["x"] for line in scene["blocks"][0]["lines"]]
    dark, red = (pixels(server.render("png", **PLAIN | dict(text=text, font=family, color=color, until=9), time=1).body) for color in (BLACK, RED))
    columns = numpy.arange(dark.shape[1]) + 0.5
    for number, (start, end) in enumerate(boundaries(family, text, PLAIN["size"])):
        for share in SHARES:
            shown = pixels(server.render("png", **request, time=round(0.5 + number + share, 4)).body)
            line = origin + start + (end - start) * share
            is_red = columns < line if end > start else columns > line
            # Ink of other words that reaches into this one is left out, as is the line itself.
            inner = (columns > origin + min(start, end) + 8) & (columns < origin + max(start, end) - 8)
            clear = inner & (abs(columns - line) > 2)
            wanted = numpy.where(is_red[None, :, None], red, dark)
            assert numpy.abs(shown - wanted)[:, clear].max(initial=0) <= 3, (number, share)


# A text twice, of which clips show what has been said in one colour, and the rest in the other.
CLIPPED = """<!doctype html><meta charset=utf-8><style>
    body {{ margin: 0 }}
    div {{ position: absolute; left: {left}px; top: 30px; font: 64px '{family}'; white-space: pre }}
</style><div dir={direction} style="color: {color}">{text}</div><div dir={direction} style="color: {said}">{text}</div>"""
CLIP = """([direction, start, end, share]) => {
    const [rest, said] = document.querySelectorAll('div'), range = new Range();
    range.setStart(said.firstChild, start);
    range.setEnd(said.firstChild, end);
    const word = range.getBoundingClientRect(), box = said.getBoundingClientRect();
    const line = direction === 'rtl' ? word.right - word.width * share : word.left + word.width * share;
    const [right, left] = direction === 'rtl' ? [said, rest] : [rest, said];
    left.style.clipPath = `inset(-99px ${box.right - line}px -99px -99px)`;
    right.style.clipPath = `inset(-99px -99px -99px ${line - box.left}px)`;
    return line;
}"""


def said_of_columns(picture):
    """Of each column the share of its ink that is red, and how much ink it has."""
    inks = (255 - picture[..., 1]).sum(axis=0) / 220
    said = (219 - (255 - picture[..., 0]).sum(axis=0) / numpy.maximum(inks, 1e-9)) / 172
    return said, inks


@pytest.mark.parametrize("script", SWEPT)
def test_the_sweep_is_a_clip_on_a_span_in_chromium(server, page, script):
    """Each column is of the same colour in both, but for those beside the line."""
    family, text = SWEPT[script]
    request = said(text, font=family, spoken="sweep", spokenColor=RED)
    scene = server.render("json", **request).json
    [left] = [line["rect"]["x"] for line in scene["blocks"][0]["lines"]]
    start, end = next(boundaries(family, text, 64))
    direction = "ltr" if start < end else "rtl"
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"] + 60))
    page.set_content(CLIPPED.format(text=text, family=family, color=BLACK, said=RED, left=left, direction=direction))
    page.evaluate("() => document.fonts.ready")
    start = 0
    for number, word in enumerate(text.split()):
        start = text.index(word, start)
        for share in SHARES:
            line = page.evaluate(CLIP, [direction, start, start + len(word), share])
            clipped, inks = said_of_columns(pixels(screenshot(page)))
            swept, own = said_of_columns(pixels(server.render("png", **request, time=round(0.5 + number + share, 4)).body))
            columns = numpy.arange(len(inks)) + 0.5
            compared = (inks > 3) & (own > 3) & (abs(columns - line) > 3)
            assert compared.sum() > len(inks) / 8
            assert numpy.abs(clipped - swept)[compared].max() < 0.1, (word, share)
        start += len(word)


def test_the_runs_of_a_word_are_swept_in_the_order_of_reading(server):
    """A number within a word that is read to the left: first the letters before it, from the right; then it, from the left."""
    text = "אבג123דהו"
    request = PLAIN | dict(text=text, font="DejaVu Sans", until=4, color="#000", spoken="sweep", spokenColor="#f00")
    request["times"] = [dict(text=text, at=0, until=3)]
    scene = server.render("json", **request).json
    boxes = {glyph["text"]: glyph["rect"] for glyph in scene["glyphs"] if glyph["role"] == "glyph"}
    parts = [("אבג", -1), ("123", 1), ("דהו", -1)]
    widths = [sum(boxes[letter]["width"] for letter in letters) for letters, _ in parts]
    order = [letter for letters, _ in parts for letter in letters]
    times = [sum(widths[:number]) / sum(widths) * 3 + 0.02 for number in range(3)] + [2.999]
    for done, time in enumerate(times):
        picture = pixels(server.render("png", **request, time=round(time, 4)).body)
        for number, letter in enumerate(order):
            left, right = boxes[letter]["x"], boxes[letter]["x"] + boxes[letter]["width"]
            part = picture[:, round(left) + 2 : round(right) - 2]
            inked = part[part.min(axis=2) < 60]
            is_red = (inked[:, 0] > 128).mean()
            first = number == done * 3  # the sweep has just entered it
            assert first or is_red == pytest.approx(1.0 if number < done * 3 else 0.0, abs=0.02), (time, letter)
    # The number is swept from its left, the letters from their right.
    middle = (times[1] + times[2]) / 2
    picture = pixels(server.render("png", **request, time=round(middle, 4)).body)

    def redness(letter):
        part = picture[:, round(boxes[letter]["x"]) + 2 : round(boxes[letter]["x"] + boxes[letter]["width"]) - 2]
        return (part[part.min(axis=2) < 60][:, 0] > 128).mean()

    assert redness("1") == 1 and redness("3") == 0


@pytest.mark.parametrize("script", SCRIPTS)
def test_before_and_after_its_words_a_text_is_as_without(server, script):
    text = SCRIPTS[script]
    plain = PLAIN | dict(text=text, until=9, color=BLACK)
    wanted = server.render("png", **plain, time=0.2).body
    changes = dict(spoken="color", spokenColor=RED), dict(spoken="box", spokenColor=RED), dict(spokenScale=1.4)
    for change in changes:
        request = said(text, **change)
        for time in (0.2, request["until"] - 0.5):
            shown = pixels(server.render("png", **request, time=time).body)
            assert numpy.abs(shown - pixels(wanted)).max() <= 1, (change, time)
        assert server.render("png", **request, time=1).body != wanted, change
    red = server.render("png", **plain | dict(color=RED), time=0.2).body
    swept = said(text, spoken="sweep", spokenColor=RED)
    assert numpy.abs(pixels(server.render("png", **swept, time=0.2).body) - pixels(wanted)).max() <= 1
    shown, whole = pixels(server.render("png", **swept, time=swept["until"] - 0.5).body), pixels(red)
    assert numpy.abs(shown - whole).max() <= 1


PAINT = dict(outlineWidth=4, outlineColor="#f0c000", shadow="3px 4px 3px #0008")
CASES = {
    "color": dict(spoken="color", spokenColor=RED, pastColor="#2060d0"),
    "sweep": dict(spoken="sweep", spokenColor=RED),
    "sweep to past": dict(spoken="sweep", spokenColor=RED, pastColor="#888"),
    "sweep over paint": dict(spoken="sweep", spokenColor=RED) | PAINT,
    "sweep over a gradient": dict(spoken="sweep", spokenColor="#208020", color="linear-gradient(90deg, #d02020, #2060d0)"),
    "color over a gradient": dict(spoken="color", spokenColor="#208020", pastColor="#999", color="linear-gradient(90deg, #d02020, #2060d0)"),
    "translucent": dict(spoken="sweep", spokenColor="#d0202080", color="#24292f80"),
    "boxes": dict(spoken="box", spokenColor="#fff"),
    "a box that slides": dict(spoken="box", spokenBoxMotion="slide", spokenBox="linear-gradient(90deg, #f0c000, #d02020)"),
    "growing": dict(spokenScale=1.4, upcomingOpacity=0.3, pastOpacity=0.6),
    "all": dict(spoken="sweep", spokenColor=RED, spokenScale=1.2, upcomingOpacity=0.5, pastOpacity=0.8, effect="slide", exit="fade") | PAINT,
}
TEXT = "Who السلام calls हिन्दी"
ALIKE = dict(font="DejaVu Sans", size=SIZE, padding=50, background="#%02x%02x%02x" % BACKGROUND, room="motion")


@pytest.mark.parametrize("name", CASES)
def test_chromium_shows_words_that_are_said(server, page, name):  # noqa: F811
    faults = list(faults_of_motion(server, page, said(TEXT, **ALIKE) | CASES[name]))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", CASES)
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = said("Who calls", **ALIKE | dict(size=32)) | CASES[name]
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


def test_a_box_is_behind_no_other_word(server):
    # The quotes of a word in Hebrew stand at the other end of what is quoted.
    text = 'said "שלום עולם" today'
    words = [dict(text=word, at=number, until=number + 1) for number, word in enumerate(["said", '"שלום', 'עולם"', "today"])]
    request = PLAIN | dict(
        text=text, times=words, until=4, color=BLACK, spoken="box", spokenBox="#0000ff", font="DejaVu Sans", size=48)
    glyphs = [
        glyph for glyph in server.render("json", **request).json["glyphs"]
        if glyph["role"] == "glyph" and glyph["text"].isalpha()]
    owners = [number for number, word in enumerate(words) for letter in word["text"] if letter.isalpha()]
    for number in range(len(words)):
        picture = pixels(server.render("png", **request, time=number + 0.5).body).astype(int)
        boxed = (picture[..., 2] - picture[..., 0] > 100).any(axis=0)
        for owner, glyph in zip(owners, glyphs, strict=True):
            center = round(glyph["rect"]["x"] + glyph["rect"]["width"] / 2)
            assert boxed[center] == (owner == number), (number, glyph["text"])


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", ["color", "sweep", "sweep over paint", "boxes", "growing"])
def test_lottie_shows_words_that_are_said(server, name, player):
    request = said("Who calls", **ALIKE | dict(size=48)) | CASES[name]
    if "shadow" in request:
        # Lottie has no blurred ones.
        request["shadow"] = "3px 4px #0008"
    file = server.render("lot", **request)
    shown = player(file.text)
    for time in (0.3, 0.74, 1.26, 1.9, 3):
        painted = pixels(server.render("png", **request, time=time).body)
        assert mean_difference(painted, shown.pixels(round(time * json.loads(file.text)["fr"])), BACKGROUND) < 14, time


def test_outlines_and_shadows_stay_while_a_sweep_passes(server):
    """The red channel of what lies around the letters is the same before, while, and after."""
    request = said("Stay", font="DejaVu Sans", spoken="sweep", spokenColor="#24292f", **PAINT)
    pictures = [pixels(server.render("png", **request, time=time).body) for time in (0.2, 0.75, 1.1, 1.8)]
    for picture in pictures[1:]:
        changed = (numpy.abs(picture - pictures[0]) > 2).any(axis=(0, 2)).sum()
        assert changed <= 3, "in the letters' own colour nothing changes but the edges that the line crosses"


@pytest.mark.parametrize("script", ["Arabic", "Nastaliq", "Devanagari", "Adlam"])
def test_a_translucent_sweep_has_no_seams(server, script):
    text = SCRIPTS[script].split()[0]
    own = dict(lang="ur") if script == "Nastaliq" else {}
    opaque, pale = (said(text, spoken="sweep", spokenColor=color, color=color, **own) for color in ("#000", "#0008"))
    for time in (0.77, 1.01, 1.23):
        shown, whole = (255 - pixels(server.render("png", **request | {"color": request["color"]}, time=time).body)[..., 0] for request in (pale, opaque))
        # A pixel at the line is covered from both sides.
        assert numpy.percentile(shown.max(axis=0)[shown.max(axis=0) > 100], 90) <= 0x88 + 3
        darker = (numpy.abs(shown - whole * 0x88 / 255) > 5).any(axis=0).sum()
        assert darker <= 3, (time, darker)
