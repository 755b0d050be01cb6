"""Decoys of `scramble`: letters of the script of the glyph that they stand for, about as wide as it is."""

import pytest

import reference as R

TEXTS = {
    "Greek": "Αλφάβητο ΩΜΕΓΑ",
    "Cyrillic": "Съешь ЖЕ ещё",
    "Hebrew": "שלום עולם יפה",
    "Devanagari": "नमस्ते प्यारी दुनिया",
    "Thai": "สวัสดีชาวโลก น้ำ",
    "hiragana": "ひらがなをよむ",
    "katakana": "カタカナー",
    "Hangul": "안녕하세요 세계",
}
# Scripts whose letters join, and such as have no alphabet here.
OTHERS = {"Arabic": "مرحبا", "Syriac": "ܫܠܡܐ", "Han": "漢字", "Armenian": "Բարեւ", "Georgian": "გამარჯობა", "half-width kana": "ｶﾀｶﾅ"}
LATIN = {*R.UPPER, *R.LOWER, *R.DIGITS, *R.SYMBOLS}


def decoys(server, text, **more):
    """Pairs of a glyph and a decoy of it."""
    glyphs = server.render("json", text=text, effect="scramble", **more).json["glyphs"]
    return [(glyphs[glyph["glyph"]], glyph) for glyph in glyphs if glyph["role"] == "decoy"]


def letters(name):
    """The letters that stand in for the glyphs of a text, in the reference."""
    return {letter for character in TEXTS[name] if character != " " for letter in R.class_of(character)}


@pytest.mark.parametrize("name", TEXTS)
def test_decoys_are_of_the_script_of_their_glyph(server, name):
    pairs = decoys(server, TEXTS[name], lead=2)
    shown = {decoy["text"] for _, decoy in pairs}
    assert len(shown) >= 8 and shown <= letters(name) and not shown & LATIN
    for glyph, decoy in pairs:
        assert decoy["text"] in R.class_of(glyph["text"])


@pytest.mark.parametrize("name", TEXTS)
def test_decoys_are_about_as_wide_as_their_glyph(server, name):
    pairs = decoys(server, TEXTS[name], lead=2)
    near = [abs(decoy["rect"]["width"] / glyph["rect"]["width"] - 1) <= 0.1501 for glyph, decoy in pairs]
    # Of a glyph with fewer than three letters of its width the three nearest stand in.
    assert sum(near) >= 0.75 * len(near)


@pytest.mark.parametrize("name", TEXTS)
def test_every_letter_is_one_glyph_of_a_font(server, name):
    scene = server.render("json", text="\n".join(sorted(letters(name))), cursor="none").json
    assert "missing-glyph" not in {warning["code"] for warning in scene["warnings"]}
    assert {glyph["text"] for glyph in scene["glyphs"]} == letters(name)


@pytest.mark.parametrize("name", OTHERS)
def test_other_scripts_have_latin_decoys(server, name):
    shown = {decoy["text"] for _, decoy in decoys(server, OTHERS[name], lead=2)}
    assert shown and shown <= LATIN


def test_digits_and_symbols_have_their_own_in_every_script(server):
    for glyph, decoy in decoys(server, "Год 2026! १२ ३", lead=2):
        if glyph["text"] in "2026१२३!":
            assert decoy["text"] in (R.SYMBOLS if glyph["text"] == "!" else R.DIGITS)


def test_each_script_of_a_text_has_its_own(server):
    pairs = decoys(server, "aΑאА가", lead=2, seed=4)
    for glyph, decoy in pairs:
        assert decoy["text"] in R.class_of(glyph["text"])
    assert len({glyph["text"] for glyph, _ in pairs}) == 5


def test_latin_decoys_do_not_depend_on_the_rest_of_the_text(server):
    alone, beside = (decoys(server, text, lead=2, seed=7, align="left") for text in ("Latin", "Latin שלום"))
    assert [decoy["text"] for _, decoy in alone] == [decoy["text"] for glyph, decoy in beside if glyph["index"] < 5]


def test_decoys_are_the_same_each_time_and_others_for_another_seed(server):
    one, same, other = ([decoy["text"] for _, decoy in decoys(server, TEXTS["Greek"], seed=seed)] for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("more", [dict(exit="auto"), dict(exit="scramble", effect="fade"), dict(exit="roll")])
def test_decoys_are_of_their_script_as_the_text_leaves(server, name, more):
    request = dict(text=TEXTS[name], **{"effect": "scramble", **more})
    glyphs = server.render("json", **request).json["glyphs"]
    for decoy in (glyph for glyph in glyphs if glyph["role"] == "decoy"):
        assert decoy["text"] in R.class_of(glyphs[decoy["glyph"]]["text"])


@pytest.mark.parametrize(("effect", "leave", "begins", "ends"), [("scramble", "roll", "Αλφα 12 ", "שלום"), ("roll", "scramble", "Word 12 ", "१२")])
def test_what_is_cut_off_a_text_changes_no_decoy(server, effect, leave, begins, ends):
    """The characters of both effects are set before it is known what is cut off."""
    answer = server.render("json", text=begins + "word " * 40 + ends, effect=effect, exit=leave, maxLines=1, width=240).json
    glyphs = answer["glyphs"]
    assert ends not in answer["blocks"][0]["text"]
    for decoy in (glyph for glyph in glyphs if glyph["role"] == "decoy"):
        own = glyphs[decoy["glyph"]]["text"]
        assert decoy["text"] in R.class_of(own), own
