"""Letter spacing: between graphemes, never within one, and not between letters that join.

Chromium is the yardstick. It adds the space behind a grapheme, and here each side of it has a half.
"""

import json
import re
import unicodedata

import pytest

from service import query

NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")

# For each script a text and its font.
SPACED = {
    "Latin": ("Office Ångström e\u0301te\u0323\u0301", "Noto Sans"),
    "Greek": ("Ἑλληνικά κείμενα", "Noto Sans"),
    "Cyrillic": ("Съешь же ещё", "Noto Sans"),
    "Hebrew": ("בְּרֵאשִׁית בָּרָא", "Noto Serif Hebrew"),
    "Thai": ("ภาษาไทย น้ำ กำปั้น ที่นี่", "Noto Sans Thai"),
    "Lao": ("ພາສາລາວ ນ້ຳ ຄົນ", "Noto Sans Lao"),
    "Khmer": ("ភាសាខ្មែរ ស្រី្ត ព្រះ", "Noto Sans Khmer"),
    "Burmese": ("မြန်မာဘာသာ ကြောင့်", "Noto Sans Myanmar"),
    # Without half forms, which Chromium tears off their conjuncts.
    "Devanagari": ("हिमालय क्षत्रिय नदी में", "Noto Sans Devanagari"),
    "Bengali": ("বাংলা কবিতা স্বাধীন", "Noto Sans Bengali"),
    "Tamil": ("தமிழ் எழுத்து கொடு", "Noto Sans Tamil"),
    "Malayalam": ("മലയാളം കൊട്ടാരം", "Noto Sans Malayalam"),
    "Telugu": ("తెలుగు క్షేత్రం", "Noto Sans Telugu"),
    "Tibetan": ("བོད་སྐད་ རྒྱལ", "Noto Serif Tibetan"),
    "Hangul": ("한국어텍스트", "Noto Sans CJK KR"),
    "Han": ("漢字 日本語", "Noto Sans CJK JP"),
}
JOINING = {
    "Arabic": ("السلام عليكم لا", "Noto Naskh Arabic"),
    "Urdu": ("پاکستان ہے", "Noto Nastaliq Urdu"),
    "Syriac": ("ܫܠܡܐ ܥܠܟܘܢ", "Noto Sans Syriac"),
    "N'Ko": ("ߒߞߏ ߛߓߍ", "Noto Sans NKo"),
    "Mongolian": ("ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ", "Noto Sans Mongolian"),
    "Phags-pa": ("ꡏꡡꡃ ꡣꡡꡙ", "Noto Sans PhagsPa"),
    "Mandaic": ("ࡌࡀࡍࡃࡀ ࡋࡉࡔࡀ", "Noto Sans Mandaic"),
    "Hanifi Rohingya": ("𐴌𐴟𐴇 𐴀𐴝𐴙", "Noto Sans Hanifi Rohingya"),
}
# They join too; Chromium tears them apart.
JOINING_HERE = {
    "Adlam": ("𞤀𞤣𞤤𞤢𞤥 𞤆𞤵𞤤𞤢𞤪", "Noto Sans Adlam"),
    "Manichaean": ("𐫖𐫀𐫗𐫏 𐫐𐫏𐫗", "Noto Sans Manichaean"),
    "Psalter Pahlavi": ("𐮋𐮀𐮃 𐮊𐮋", "Noto Sans Psalter Pahlavi"),
    "Sogdian": ("𐼰𐼲𐼹 𐼼𐼿", "Noto Sans Sogdian"),
}
AMOUNTS = [-1, 3, 12]
SIZE = 40

PLACES = """
([text, family, spacing, ranges, more]) => {
    const line = document.createElement('div');
    line.dir = 'auto';
    line.style.cssText =
        `position:absolute;left:50px;white-space:pre;font:40px '${family}';letter-spacing:${spacing}px;` + more;
    line.textContent = text;
    document.body.replaceChildren(line);
    return ranges.map(([start, length]) => {
        const range = document.createRange();
        range.setStart(line.firstChild, start);
        range.setEnd(line.firstChild, start + length);
        const box = range.getBoundingClientRect();
        return [box.left, box.width];
    });
}
"""


@pytest.fixture(scope="module")
def places(chromium):
    """places(text, family, spacing, ranges): the left end and the width of each range in Chromium."""
    page = chromium.new_page()
    yield lambda *request: page.evaluate(PLACES, list(request))
    page.close()


def glyphs_of(server, text, family, spacing=0, **more):
    scene = server.render(
        "json", text=text, font=family, size=SIZE, letterSpacing=spacing, effect="none", **more
    ).json
    return scene["glyphs"], [warning["code"] for warning in scene["warnings"]]


def with_their_marks(glyphs):
    """Glyphs of which those that are marks, as U+102C is, belong to the ones before."""
    merged = []
    for glyph in glyphs:
        if not merged or unicodedata.category(glyph["text"][0])[0] != "M":
            merged.append(json.loads(json.dumps(glyph)))
            continue
        merged[-1]["range"]["length"] += glyph["range"]["length"]
        merged[-1]["rect"]["width"] += glyph["rect"]["width"]
    return merged


def middles(glyphs, plain):
    """The middle of each glyph without its halves of the space; those at the ends have one half."""
    order = sorted(range(len(glyphs)), key=lambda index: glyphs[index]["rect"]["x"])
    xs = []
    for index, glyph in enumerate(glyphs):
        x, width, narrow = glyph["rect"]["x"], glyph["rect"]["width"], plain[index]["rect"]["width"]
        isFirst, isLast = index == order[0], index == order[-1]
        xs.append(x + (narrow / 2 if isFirst else width - narrow / 2 if isLast else width / 2))
    return xs


def distances(xs, glyphs):
    """The distances between the neighbours that are drawn, in the order of reading."""
    xs = [x for x, glyph in zip(xs, glyphs) if not glyph["whitespace"]]
    return [after - before for before, after in zip(xs, xs[1:])]


@pytest.mark.parametrize("spacing", AMOUNTS)
@pytest.mark.parametrize("script", {**SPACED, **JOINING})
def test_neighbours_are_as_far_apart_as_in_chromium(server, places, script, spacing):
    text, family = {**SPACED, **JOINING}[script]
    glyphs, _ = glyphs_of(server, text, family, spacing)
    unspaced, _ = glyphs_of(server, text, family, fontFeatures="liga=0,clig=0,dlig=0,hlig=0,calt=0")
    glyphs, unspaced = with_their_marks(glyphs), with_their_marks(unspaced)
    ranges = [(glyph["range"]["start"], glyph["range"]["length"]) for glyph in glyphs]
    # Chromium turns ligatures and alternates off for letters that join, too.
    features = "" if script in SPACED else 'font-feature-settings: "liga", "clig", "calt"'
    plain = places(text, family, 0, ranges, features or "font-variant-ligatures: none")
    theirs = places(text, family, spacing, ranges, features)
    # The middle of each without the space behind it, which lies at its left from right to left.
    isRightToLeft = script in ("Hebrew", "Arabic", "Urdu", "Syriac", "N'Ko", "Mandaic", "Hanifi Rohingya")
    xs = []
    for (left, width), (_, narrow) in zip(theirs, plain):
        added = width - narrow
        xs.append(left + width / 2 + (added / 2 if isRightToLeft else -added / 2))
    ours = distances(middles(glyphs, unspaced), glyphs)
    assert ours == pytest.approx(distances(xs, glyphs), abs=1)


@pytest.mark.parametrize("script", {**JOINING, **JOINING_HERE})
def test_letters_that_join_have_no_space_and_their_words_have(server, script):
    text, family = {**JOINING, **JOINING_HERE}[script]
    plain, _ = glyphs_of(server, text, family)
    spaced, warnings = glyphs_of(server, text, family, 20)
    assert warnings.count("not-spaced") == 1
    assert [glyph["text"] for glyph in spaced] == [glyph["text"] for glyph in plain]
    for one, other in zip(plain, spaced):
        expected = one["rect"]["width"] + (20 if one["whitespace"] else 0)
        assert other["rect"]["width"] == pytest.approx(expected, abs=0.01)


def drawings(server, **request):
    """The paths of the outlines of all glyphs: their commands, and their numbers, which are rounded to tenths."""
    scene = server.render("json", effect="none", outlines=True, **request).json
    path = "".join(scene["outlines"][glyph["outline"]]["path"] for glyph in scene["glyphs"] if "outline" in glyph)
    return re.sub(r"[-\d. ]", "", path), [float(number) for number in NUMBER.findall(path)]


def are_alike(one, other):
    return one[0] == other[0] and one[1] == pytest.approx(other[1], abs=0.25)


@pytest.mark.parametrize("script", SPACED)
def test_a_grapheme_is_drawn_as_without_letter_spacing(server, script):
    text, family = SPACED[script]
    request = dict(text=text, font=family, size=SIZE, fontFeatures="liga=0,clig=0,dlig=0,hlig=0,calt=0")
    assert are_alike(drawings(server, **request, letterSpacing=10), drawings(server, **request))


def test_a_look_with_letter_spacing_gives_no_warning_that_nobody_asked_for(server):
    def codes(**request):
        return [w["code"] for w in server.render("json", **request).json["warnings"] if w["code"] == "not-spaced"]

    assert codes(text="محمد", preset="film-title") == []
    assert codes(text="محمد", preset="film-title", letterSpacing=8) == ["not-spaced"]
    assert codes(text='<span letter_spacing="3px">محمد</span>', markup=True, preset="film-title") == ["not-spaced"]
    assert codes(text="Anna", letterSpacing=8) == []
    assert codes(text="Anna محمد", letterSpacing=0) == []


def test_characters_that_draw_nothing_have_no_space(server):
    def widths(text):
        return server.render("json", text=text, letterSpacing=9, effect="none").json["blocks"][0]["lines"][0]["rect"]["width"]

    for character in "\u200b\u200e\u00ad\u2060\ufeff":
        assert widths(f"a{character}b") == widths("ab"), hex(ord(character))


@pytest.mark.parametrize("family, text", [("Fira Code", "a->b"), ("Inter", "a->b")])
def test_contextual_alternates_go_with_letter_spacing_unless_they_are_asked_for(server, family, text):
    def drawing(**more):
        return drawings(server, text=text, font=family, **more)

    plain = drawing(fontFeatures="calt=0")
    assert not are_alike(drawing(), plain)
    assert are_alike(drawing(letterSpacing=2), plain)
    assert not are_alike(drawing(letterSpacing=2, fontFeatures="calt=1"), plain)


def test_contextual_alternates_of_letters_that_join_stay(server):
    request = dict(text="پاکستان", font="Noto Nastaliq Urdu")
    assert are_alike(drawings(server, **request, letterSpacing=10), drawings(server, **request))


@pytest.mark.parametrize("line, font, isSpaced", [("پاکستان", "Noto Nastaliq Urdu", False), ("a->b", "Fira Code", True)])
def test_lines_of_readme_typing_svg_have_alternates_where_letters_join(server, line, font, isSpaced):
    def outlines(**more):
        svg = server.get("/typing?" + query(dict(lines=line, font=font, size=SIZE, **more))).text
        paths = set(re.findall(r'<path[^>]* d="([^"]+)"', svg))
        assert paths
        return paths

    assert (outlines(letterSpacing="9px") != outlines()) == isSpaced
