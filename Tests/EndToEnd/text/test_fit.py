"""Text goes with the room of its picture: sizes that fit, even lines, cut texts, looks, and motion at the edges."""

import io
import itertools
import json

import numpy
import pytest
from PIL import Image

from legibility import contrast
from service import query

WORDS = """Hello we build small fast tools for people who write and read every day with joy because text should come
alive on any page in any script with any emoji for authors designers developers operators and their friends today""".split()
ARABIC = """مرحبا نحن نبني أدوات صغيرة وسريعة للناس الذين يكتبون ويقرؤون كل يوم بفرح لأن النص يجب أن يحيا في كل صفحة
وبكل خط ومع كل رمز للكتاب والمصممين والمطورين""".split()
HINDI = """नमस्ते हम लिखने वाले लोगों के लिए छोटे और तेज़ उपकरण बनाते हैं क्योंकि पाठ को हर पन्ने पर हर लिपि में जीवित होना
चाहिए लेखकों और डिज़ाइनरों के लिए भी आज""".split()
CHINESE = "我们为写作的人打造小巧而快速的工具因为文字应该在每个页面上以每种文字活起来"
THAI = "สวัสดีเราสร้างเครื่องมือเล็กๆที่รวดเร็วสำหรับคนที่เขียนเพราะข้อความควรมีชีวิตบนทุกหน้า"
EMOJI = ["🚀", "👩‍👧", "🎉 party"]
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
COUNTS = (1, 3, 8, 15, 40)


def words(words, count):
    return " ".join(itertools.islice(itertools.cycle(words), count))[:300].strip()


TEXTS = {
    **{f"{name} {count}": words(text, count)
       for name, text in (("english", WORDS), ("arabic", ARABIC), ("hindi", HINDI), ("emoji", EMOJI)) for count in COUNTS},
    **{f"{name} {count}": (text * 8)[: 6 * count] for name, text in (("chinese", CHINESE), ("thai", THAI)) for count in COUNTS},
    "a long word": LONG,
}  # fmt: skip
LOOKS = [
    "banner", "rotating-lines", "neon", "gradient", "headline", "og", "card", "sticker", "handwriting", "badge", "quote",
    "marker", "secret", "profile", "release", "terminal", "editor", "session", "diff", "decode", "countdown", "flap",
    "lower-third", "film-title", "caption", "credits", "crawl", "ticker",
]
# Looks of captions, whose pages have two lines.
CAPTIONS = [
    "captions", "captions-karaoke", "captions-pop", "captions-box", "captions-build", "captions-single", "captions-lyrics",
]
# Looks whose text runs through the canvas, as long as it is, and those of them whose text leaves it.
RUNNING, LEAVING = ("credits", "crawl", "ticker"), ("credits", "crawl")
# Looks whose second text is no subtitle beneath the first: it has its size, takes its place, stands beside it, or is the title.
ALIKE = (
    "rotating-lines", "terminal", "editor", "caption", "badge", "session", "diff", "release", "countdown", *RUNNING,
)  # fmt: skip


@pytest.fixture(scope="module")
def layout(render):
    """layout(**request): the JSON rendering."""

    def layout(**request):
        answer = render("json", **request)
        assert answer.status == 200, answer.text
        return answer.json

    return layout


def size(layout, block=0):
    return float(layout["blocks"][block]["lines"][0]["runs"][0]["font"].split()[-1].removesuffix("px"))


def lines(layout, block=0):
    """The texts of a block's lines."""
    return [
        "".join(layout["glyphs"][glyph]["text"] for run in line["runs"] for glyph in run["glyphs"]).strip()
        for line in layout["blocks"][block]["lines"]
    ]


def codes(layout):
    return {warning["code"] for warning in layout["warnings"]}


# Looks


def test_all_looks_are_here(server):
    presets = server.get("/presets").json["presets"]
    assert [preset["name"] for preset in presets if preset["group"] == "shapes"] == LOOKS + CAPTIONS


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_look_takes_any_text(server, layout, look, text):
    result = layout(text=text, preset=look)
    preset = next(one for one in server.get("/presets").json["presets"] if one["name"] == look)["parameters"]
    assert not codes(result) & {"clipped", "cut"}
    assert result["blocks"][0]["text"] == text
    least = preset["size"] if look in RUNNING else preset["minSize"]
    assert least <= size(result) <= preset["size"]
    assert result["width"] <= 1200
    # As a picture it has the ink that the layout promises, and none at its edge but the card's.
    picture = server.render("png", text=text, preset=look)
    assert picture.status == 200
    image = Image.open(io.BytesIO(picture.body))
    assert image.size == (result["width"], result["height"])
    # Latin words are left alone on a last line only where each line has one.
    ends = [len(line.split()) for line in lines(result)]
    if text.isascii() and len(ends) > 2 and max(ends) > 2:
        assert ends[-1] > 1


@pytest.mark.parametrize("look", [look for look in LOOKS if look not in ALIKE])
def test_a_second_text_is_a_subtitle(server, look):
    def both(**request):
        return server.get("/render.json?text=A+title&text=and+what+it+is+about&" + query(request)).json

    result = both(preset=look)
    title, subtitle = (size(result, block) for block in (0, 1))
    assert 0.35 * title <= subtitle <= 0.75 * title
    boxes = [block["rect"] for block in result["blocks"]]
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]
    # The plain request, and texts that replace each other, have one size.
    for request in ({}, {"preset": look, "sequence": "replace"}):
        plain = both(**request)
        assert size(plain, 0) == size(plain, 1)


LETTERS = {
    "English": ("The quick brown fox jumps over the lazy dog and then it sleeps. " * 5)[:300],
    "German": ("Donaudampfschifffahrtsgesellschaftskapitän und Straßenbahnwagen. " * 5)[:300],
    "Chinese": ("春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多少？" * 13)[:300],
    "Arabic": ("النص الذي يظهر حرفا بعد حرف في كل مكان وفي كل وقت. " * 7)[:300],
    "Thai": ("ข้อความที่มีชีวิตและเคลื่อนไหวได้ทุกที่ทุกเวลา " * 7)[:300],
    "one word": "W" * 300,
}


@pytest.mark.parametrize("text", LETTERS.values(), ids=LETTERS)
@pytest.mark.parametrize("look", LOOKS)
def test_a_look_holds_300_letters(server, layout, look, text):
    preset = next(one for one in server.get("/presets").json["presets"] if one["name"] == look)["parameters"]
    result = layout(text=text, preset=look)
    assert not codes(result) & {"clipped", "cut"}
    # What stands out from the letters, such as shadows, takes the rest of a README's column, or of a card.
    width = preset.get("width") or min(one for one in (400, 640, 830, 900, 960) if one >= preset["maxWidth"])
    # A canvas is a whole number of pixels.
    assert result["width"] <= width + 1 and result["height"] <= 1.2 * width


@pytest.mark.parametrize("look", [look for look in LOOKS if look not in ("rotating-lines", *LEAVING)])
def test_a_look_leaves_in_videos_only(server, layout, look):
    def key(**request):
        return server.get("/canonical?" + query(dict(text="Hello", preset=look) | request)).json["key"]

    assert layout(text="Hello there", preset=look)["blocks"][0]["exitStart"] is None
    for format in ("svg", "gif", "webm", "mp4"):
        leaves = look == "lower-third" and format in ("webm", "mp4")
        assert key(format=format) == key(format=format, exit="auto" if leaves else "between"), format
        assert key(format=format, exit="auto") != key(format=format, exit="between"), format
        # The path says it as well.
        named = server.get(f"/canonical/render.{format}?" + query(dict(text="Hello", preset=look))).json["key"]
        assert named == key(format=format), format


# Sizes


@pytest.mark.parametrize("fit", ["shrink", "fill"])
@pytest.mark.parametrize("text", [TEXTS[name] for name in ("english 8", "arabic 15", "thai 15", "emoji 8", "a long word")])
def test_a_quarter_of_a_pixel_more_does_not_fit(layout, fit, text):
    room = dict(text=text, width=420, height=140, padding=20, effect="none", letterSpacing=1)
    found = layout(**room, size=60, fit=fit, minSize=4)
    size_found = size(found)
    assert size_found * 4 == round(size_found * 4)
    assert not codes(found) & {"clipped", "cut"}
    height = sum(line["rect"]["height"] for line in found["blocks"][0]["lines"])
    assert height <= 100.01
    # The space between letters goes with the size.
    larger = size_found + 0.25
    more = layout(**room | dict(letterSpacing=round(larger / 60, 6)), size=larger)
    height = sum(line["rect"]["height"] for line in more["blocks"][0]["lines"])
    is_broken = " " not in text and len(lines(more)) > len(lines(found))
    assert height > 100 or codes(more) & {"clipped"} or is_broken


def test_outlines_shadows_and_letter_spacing_are_scaled_along(render):
    request = dict(text="Hello there", outlineWidth=8, shadow="8px 8px 16px #000", letterSpacing=4, effect="none", width=240)
    factor = size(render("json", **request, size=80, fit="shrink").json) / 80
    assert factor < 1
    plain = dict(
        request, size=80 * factor, outlineWidth=8 * factor, letterSpacing=4 * factor,
        shadow=f"{8 * factor}px {8 * factor}px {16 * factor}px #000",
    )  # fmt: skip
    assert render("png", **plain).body == render("png", **request, size=80, fit="shrink").body


def test_what_does_not_fit_at_the_least_size_is_cut(layout, render):
    request = dict(text=words(WORDS, 40), width=300, height=100, fit="shrink", minSize=20, effect="none")
    cut = layout(**request)
    assert codes(cut) == {"cut"}
    assert size(cut) == 20
    shown = cut["blocks"][0]["text"]
    assert shown.endswith("…") and request["text"].startswith(shown[:-1])
    assert "of 201 graphemes fit" in cut["warnings"][0]["message"] or "graphemes fit" in cut["warnings"][0]["message"]
    svg = render("svg", **request)
    assert svg.headers["titlecard-warnings"] == "cut"
    assert request["text"] in svg.body.decode()


@pytest.mark.parametrize("name", ["english 40", "arabic 40", "chinese 40"])
def test_a_text_has_no_more_lines_than_it_may(layout, name):
    for most in (1, 2, 3):
        result = layout(text=TEXTS[name], width=400, maxLines=most)
        assert len(result["blocks"][0]["lines"]) == most
        assert result["blocks"][0]["text"].endswith("…")


@pytest.mark.parametrize(("request_", "parameter"), [
    (dict(fit="fill"), "fit"),
    (dict(fit="stretch"), "fit"),
    (dict(minSize=3), "minSize"),
    (dict(maxLines=0), "maxLines"),
    (dict(maxLines=1.5), "maxLines"),
    (dict(wrap="word"), "wrap"),
    (dict(room="all"), "room"),
    (dict(scheme="dim"), "scheme"),
    (dict(maxWidth=20, padding=10), "padding"),
])  # fmt: skip
def test_what_is_wrong_is_named(server, request_, parameter):
    answer = server.post("/render.svg", dict(text="Hello", **request_))
    assert answer.status == 400
    assert [fault["parameter"] for fault in answer.json["errors"]] == [parameter]


# Lines

FONT = dict(font="DejaVu Sans", size=32)
PARAGRAPHS = [words(WORDS[start:] + WORDS[:start], 8 + start % 17) for start in range(40)]


@pytest.fixture(scope="module")
def chromium_lines(chromium, server):
    """chromium_lines(text, wrap, width): the widths of the lines as Chromium breaks them."""
    page = chromium.new_page()
    font = f"{FONT['size']}px '{FONT['font']}'"
    page.set_content(f"<style>p {{ font: {font}; line-height: 1.2; margin: 0; font-kerning: normal }}</style><p></p>")

    def lines(text, wrap, width):
        return page.evaluate(
            """([text, wrap, width]) => {
                const p = document.querySelector('p');
                p.style.width = `${width}px`;
                p.style.textWrap = wrap;
                p.textContent = text;
                const range = document.createRange();
                const lines = new Map();
                for (let i = 0; i < text.length; i++) {
                    if (text[i] === ' ') continue;
                    range.setStart(p.firstChild, i);
                    range.setEnd(p.firstChild, i + 1);
                    const { top, left, right } = range.getBoundingClientRect();
                    const line = lines.get(top) ?? [left, right];
                    lines.set(top, [Math.min(line[0], left), Math.max(line[1], right)]);
                }
                return [...lines.values()].map(([left, right]) => right - left);
            }""",
            [text, wrap, width],
        )

    yield lines
    page.close()


def raggedness(widths):
    return max(widths) - min(widths)


@pytest.mark.parametrize("text", PARAGRAPHS)
def test_balanced_lines_are_as_even_as_chromiums(layout, chromium_lines, text):
    # Chromium balances up to six lines.
    width = 600
    ours = [
        line["rect"]["width"]
        for line in layout(text=text, **FONT, width=width + 32, wrap="balance", effect="none")["blocks"][0]["lines"]
    ]
    theirs = chromium_lines(text, "balance", width)
    assert len(ours) == len(theirs) == len(chromium_lines(text, "wrap", width))
    if len(theirs) <= 4:
        assert max(ours) <= max(theirs) + 1


@pytest.mark.parametrize("text", PARAGRAPHS)
def test_pretty_lines_leave_no_word_alone(layout, chromium_lines, text):
    width = 600
    request = dict(text=text, **FONT, width=width + 32, effect="none")
    ours = lines(layout(**request, wrap="pretty"))
    assert len(ours) == len(chromium_lines(text, "pretty", width))
    alone = [" " not in lines(layout(**request, wrap=wrap))[-1] for wrap in ("pretty", "balance")]
    if len(ours) > 2:
        assert alone[0] <= alone[1]


def test_a_word_that_is_too_long_has_no_hyphen(layout):
    result = layout(text=LONG, width=300, effect="none")
    assert "".join(lines(result)) == LONG
    soft = layout(text="Donau\u00addampf\u00adschiff\u00adfahrt", width=200, effect="none")
    assert len(lines(soft)) > 1


# Room

# What leaves the canvas by intent.
LEAVING = {"fall", "drop"}
EFFECTS = [
    "typewriter", "reveal", "birdman", "fade", "secret", "fall", "morph", "slide", "pop", "drop", "wave", "scramble", "rise",
    "blur", "zoom", "flip", "tracking", "highlight", "draw", "none",
]  # fmt: skip


@pytest.mark.parametrize("effect", EFFECTS)
def test_no_motion_is_cut_off_at_the_edge(render, layout, effect):
    duration = layout(text="Titlecard", effect=effect)["duration"]
    for step in range(41):
        answer = render("png", text="Titlecard", effect=effect, time=round(duration * step / 40, 4))
        alpha = numpy.asarray(Image.open(io.BytesIO(answer.body)).convert("RGBA"))[:, :, 3]
        edges = max(alpha[0].max(), alpha[-1].max(), alpha[:, 0].max(), alpha[:, -1].max())
        # What is nearly invisible does not count; see effects.md, Warnings.
        assert edges <= 255 * 0.1 or effect in LEAVING, (effect, step, edges)


def test_room_is_alike_on_opposite_sides_and_where_the_text_decides(layout):
    request = dict(text="Titlecard", effect="blur", radius=0.5, padding=0)
    without, room = (layout(**request, room=room) for room in ("none", "motion"))
    more = [(room[side] - without[side]) / 2 for side in ("width", "height")]
    assert more[0] > 0 and more[1] > 0
    for place, side in (("x", 0), ("y", 1)):
        assert room["blocks"][0]["rect"][place] == pytest.approx(without["blocks"][0]["rect"][place] + more[side], abs=1e-3)
    assert "clipped" in codes(without) and "clipped" not in codes(room)
    given = layout(**request, width=400, height=200)
    assert (given["width"], given["height"]) == (400, 200)


def test_room_moves_gradients_masks_and_decoys_along(render):
    """With room on all sides, the middle of the picture is the picture without."""
    for request in (
        dict(effect="rise", color="linear-gradient(90deg, red, blue)"),
        dict(effect="scramble", cursor="block"),
        dict(effect="custom", keyframes=[dict(x=-0.5, y=0.5)], background="linear-gradient(90deg, #fff, #ddd)"),
    ):
        pictures = []
        for room in ("none", "motion"):
            answer = render("png", text="Titlecard", time="end", room=room, **request)
            assert answer.status == 200, answer.text
            pictures.append(Image.open(io.BytesIO(answer.body)).convert("RGBA"))
        small, large = pictures
        x, y = ((large.size[side] - small.size[side]) // 2 for side in (0, 1))
        middle = large.crop((x, y, x + small.width, y + small.height))
        if "background" not in request:
            assert middle.tobytes() == small.tobytes(), request


# Schemes


@pytest.mark.parametrize("preset", ["og,dracula", "card", "neon,nord", "marker,ayu"])
def test_any_format_has_the_colours_for_dark(server, render, preset):
    values = {}
    for name in preset.split(","):
        values |= next(one for one in server.get("/presets").json["presets"] if one["name"] == name)["parameters"]
    dark = render("json", text="Hello", preset=preset, scheme="dark").json
    light = render("json", text="Hello", preset=preset).json
    assert dark["background"] != light["background"] or "darkBackground" not in values or preset == "neon,nord"
    run = dark["blocks"][0]["lines"][0]["runs"][0]
    assert run["color"] == values["darkColor"]
    for format in ("png", "gif", "svg", "lot"):
        answer = render(format, text="Hello", preset=preset, scheme="dark")
        assert answer.status == 200
        assert b"prefers-color-scheme" not in answer.body
    svg = render("svg", text="Hello", preset=preset)
    assert b"prefers-color-scheme" in svg.body
    assert b"prefers-color-scheme" not in render("svg", text="Hello", preset=preset, scheme="light").body


def test_a_wrong_colour_for_dark_is_named_as_it_was_given(server):
    answer = server.post("/render.png", dict(text="Hello", darkColor="nocolour", scheme="dark"))
    assert [fault["parameter"] for fault in answer.json["errors"]] == ["darkColor"]
    blocks = [dict(text="Hello", darkColor="nocolour")]
    answer = server.post("/render.png", dict(blocks=blocks, scheme="dark"))
    assert [fault["parameter"] for fault in answer.json["errors"]] == ["blocks[0].darkColor"]


def test_what_a_block_inherits_for_dark_goes_before_its_own_colour_for_light(server, render):
    blocks = [dict(text="One", color="#ff0000"), dict(text="Two", darkColor="#00ff00"), dict(text="Three")]
    dark = render("png", blocks=blocks, darkColor="#0000ff", scheme="dark")
    plain = [dict(text="One", color="#0000ff"), dict(text="Two", color="#00ff00"), dict(text="Three", color="#0000ff")]
    assert dark.body == render("png", blocks=plain).body
    light = [dict(text="One", color="#ff0000"), dict(text="Two"), dict(text="Three")]
    assert render("svg", blocks=blocks, darkColor="#0000ff", scheme="light").body == render("svg", blocks=light).body


def test_a_permalink_holds_the_colours_that_a_scheme_stands_for(server, render):
    answer = render("png", text="Hello", preset="card", scheme="dark")
    location = answer.headers["content-location"]
    assert server.get(location).body == answer.body
    same = render("png", text="Hello", preset="card", color="#f0f6fc", background="#161b22", borderColor="#3d444d")
    assert same.body == answer.body


# Palettes


def test_palettes_can_be_read(server):
    for preset in server.get("/presets").json["presets"]:
        if preset["group"] != "colors":
            continue
        values = preset["parameters"]
        assert contrast(values["color"], values["background"]) >= 4.5, preset["name"]
        assert contrast(values["darkColor"], values["darkBackground"]) >= 4.5, preset["name"]
        # One colour passes over words in light and in dark.
        for ground in ("background", "darkBackground"):
            assert contrast(values["highlightColor"], values[ground]) >= 3, preset["name"]
        for scheme in ("light", "dark"):
            roles = preset["roles"][scheme]
            for ink, ground in (("ink", "ground"), ("ink", "raised"), ("muted", "ground"), ("muted", "raised"),
                                ("accent", "ground"), ("second", "ground")):
                assert contrast(roles[ink], roles[ground]) >= 4.5, (preset["name"], scheme, ink, ground)


@pytest.mark.parametrize("palette", ["nord", "dracula", "ayu", "everforest", "monokai", "tokyo-night"])
def test_palettes_keep_the_gradients_of_looks(render, palette):
    for look, name in (("gradient", "color"), ("banner", "background"), ("og", "background")):
        for scheme in ("light", "dark"):
            answer = render("json", text="Hello", preset=f"{look},{palette}", scheme=scheme).json
            paint = answer["background"] if name == "background" else answer["blocks"][0]["lines"][0]["runs"][0]["color"]
            assert json.dumps(paint).count("#") >= 2 and "linear-gradient" in json.dumps(paint), (look, scheme, paint)


# Words that are too long for a line


@pytest.mark.parametrize("fit", ["fill", "shrink"])
def test_a_word_that_no_line_holds_is_broken_in_the_largest_size_that_fits(layout, fit):
    request = dict(text=LONG, width=400, height=200, effect="none")
    found = layout(**request, fit=fit, size=400)
    assert codes(found) == {"broken-word"}
    assert size(found) > 30 and "".join(lines(found)) == LONG
    # A quarter of a pixel more has no room.
    larger = layout(**request, size=size(found) + 0.25)
    bottom = larger["blocks"][0]["lines"][-1]["rect"]
    assert bottom["y"] + bottom["height"] > 200 - 16 or "clipped" in codes(larger)


def test_a_text_whose_words_fit_a_small_line_is_not_broken(layout):
    found = layout(text="Donaudampfschiff und Elektrizität", width=300, height=100, fit="fill", effect="none")
    assert codes(found) == set()


def test_without_lines_no_word_is_broken(layout):
    found = layout(text=LONG, width=400, height=200, fit="fill", wrap="none", effect="none")
    assert codes(found) == {"clipped"} and size(found) == 12


def test_most_lines_hold_for_broken_words_too(layout):
    found = layout(text=LONG, width=400, height=200, fit="fill", maxLines=3, effect="none")
    assert len(lines(found)) == 3 and codes(found) == {"broken-word"}
