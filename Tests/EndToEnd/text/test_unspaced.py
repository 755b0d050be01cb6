"""Lines and words of scripts that put no spaces between words; Chromium is the judge of lines.

Chromium has dictionaries of another version of ICU (`Intl.Segmenter` says which words it knows), so that lines differ where
one takes for a word what the other takes for two. With TEST_PROOF=1 in the environment the sentences are all.
"""

import itertools
import subprocess
import unicodedata

import pytest

import unspaced_texts
from service import REPOSITORY, sample
from unspaced_texts import FONTS, sentences

SIZE = 24
WIDTHS = range(100, 600, 25)

# The start of each line in a width, in UTF-16 code units.
CHROMIUM = """([text, widths, font, language, size]) => {
    document.body.innerHTML = '<div></div>';
    const block = document.body.firstChild;
    block.lang = language;
    block.textContent = text;
    const range = document.createRange();
    return widths.map((width) => {
        block.style.cssText = `width: ${width}px; font: ${size}px/1.5 "${font}"`;
        const starts = [];
        let middle = -Infinity;
        for (let index = 0; index < text.length; index++) {
            range.setStart(block.firstChild, index);
            range.setEnd(block.firstChild, index + 1);
            const boxes = range.getClientRects();
            if (!boxes.length) continue;
            const box = boxes[boxes.length - 1];
            if ((box.top + box.bottom) / 2 < middle + size / 2) continue;
            middle = (box.top + box.bottom) / 2;
            starts.push(index);
        }
        return starts;
    });
}"""
WORDS = """([text, language]) => [...new Intl.Segmenter(language, {granularity: 'word'}).segment(text)]
    .map(({index}) => index)"""


def line_starts(server, text, width, **parameters):
    """Returns where each line begins, in UTF-16 code units."""
    request = dict(text=text, width=width, height=2000, padding=0, size=SIZE, effect="none") | parameters
    starts = {}
    for glyph in server.render("json", **request).json["glyphs"]:
        line, start = glyph["line"], glyph["range"]["start"]
        starts[line] = min(starts.get(line, start), start)
    return [starts[line] for line in sorted(starts)]


def word_starts(server, text, rule="unicode"):
    request = dict(text=text, effect="none") | (dict(words=rule) if rule else {})
    glyphs = server.render("json", **request).json["glyphs"]
    starts = {}
    for glyph in glyphs:
        starts.setdefault(glyph["word"], glyph["range"]["start"])
    return list(starts.values())


def first_difference(ours, theirs, end):
    """Returns the start of the last line that is alike, and where either goes on after it."""
    line = next(line for line, pair in enumerate(itertools.zip_longest(ours, theirs)) if pair[0] != pair[1])
    return ours[line - 1], *((starts + [end])[line] for starts in (ours, theirs))


def just_fits(server, text, width, **setting):
    """True if a text has the width but for the precision of Chromium's lengths."""
    document = server.render("json", text=text, size=SIZE, effect="none", **setting).json
    return abs(document["blocks"][0]["lines"][0]["rect"]["width"] - width) < 1 / 64


@pytest.mark.slow
@pytest.mark.parametrize("language", ["th", "lo", "km", "my"])
def test_lines_end_between_words_as_in_chromium(server, chromium, language):
    page = chromium.new_page()
    count, other_words, different = 0, 0, []
    for text in sample(sentences(language), 8, language):
        font = FONTS[language]
        theirs = page.evaluate(CHROMIUM, [text, list(WIDTHS), font, language, SIZE])
        our_words, their_words = word_starts(server, text), page.evaluate(WORDS, [text, language])
        for width, expected in zip(WIDTHS, theirs):
            found = line_starts(server, text, width, font=font, lang=language)
            count += 1
            if found == expected:
                continue
            start, mine, other = first_difference(found, expected, len(text))
            if mine not in [*their_words, len(text)] or other not in [*our_words, len(text)]:
                other_words += 1
            elif not just_fits(server, text[start : max(mine, other)], width, font=font, lang=language):
                different.append((text, width, found, expected))
    page.close()
    print(f"{language}: {count} texts, Chromium {chromium.version}: {other_words} differ by its dictionary")
    assert not different, f"{len(different)} of {count} differ, such as {different[0]}"
    assert other_words < count / 3


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", "ja"])
def test_full_lines_of_chinese_and_japanese_end_as_in_chromium(server, chromium, language):
    page = chromium.new_page()
    for text in sample(sentences(language), 8, language):
        font = FONTS[language]
        theirs = page.evaluate(CHROMIUM, [text, list(WIDTHS), font, language, SIZE])
        for width, expected in zip(WIDTHS, theirs):
            assert line_starts(server, text, width, font=font, lang=language) == expected, (text, width)
    page.close()


def broken(text, starts, words):
    """Returns the number of words within which a line begins."""
    ends = words[1:] + [len(text)]
    return sum(any(word < start < end for start in starts) for word, end in zip(words, ends))


@pytest.mark.slow
def test_balance_keeps_words_of_chinese_and_japanese_whole(server):
    count, whole, full = 0, 0, 0
    for language in ("zh", "ja"):
        for text in sample(sentences(language), 20, language):
            words = word_starts(server, text)
            for columns in (6, 8, 10, 12):
                setting = dict(width=columns * SIZE, font=FONTS[language], lang=language)
                request = dict(text=text, height=2000, padding=0, size=SIZE, effect="none", wrap="balance")
                document = server.render("json", **request, **setting).json
                starts = line_starts(server, text, wrap="balance", **setting)
                normal = line_starts(server, text, **setting)
                assert len(starts) == len(normal)
                lengths = [line["rect"]["width"] for line in document["blocks"][0]["lines"]]
                assert min(lengths) >= max(lengths) / 3 and max(lengths) <= setting["width"], (text, lengths)
                count += len(words)
                whole += broken(text, starts, words)
                full += broken(text, normal, words)
    print(f"{count} words: {whole} broken, {full} by full lines")
    assert whole <= count / 10


def test_pretty_leaves_no_word_of_japanese_alone(server):
    text, setting = sentences("ja")[3], dict(font=FONTS["ja"], lang="ja", wrap="pretty")
    words = word_starts(server, text)
    for columns in range(6, 20):
        starts = line_starts(server, text, columns * SIZE, **setting)
        if len(starts) > 2:
            assert any(word > starts[-1] for word in words), (columns, starts)


@pytest.mark.parametrize("language", ["th", "lo", "km", "my", *unspaced_texts.CLUSTERS])
def test_no_line_begins_with_a_mark_or_a_dependent_vowel(server, language):
    """However narrow it is, so that lines end within words."""
    vowels = "ะาำๅຽະາຳ"
    texts = sentences(language)[::7] if language in FONTS else [unspaced_texts.CLUSTERS[language].replace("|", "")]
    for text in texts:
        for width in (1, 20, 33, 50, 120):
            for start in line_starts(server, text, width):
                assert unicodedata.category(text[start])[0] != "M" and text[start] not in vowels, (width, text[start:])


@pytest.mark.parametrize("script", unspaced_texts.CLUSTERS)
def test_without_a_dictionary_lines_end_between_clusters(server, script):
    parts = unspaced_texts.CLUSTERS[script].split("|")
    text = "".join(parts)
    starts = [len("".join(parts[:index]).encode("utf-16-le")) // 2 for index in range(len(parts))]
    assert line_starts(server, text, 1) == starts
    # Not only where a word is too long.
    assert "broken" not in str(server.render("json", text=text, width=150, effect="none").json["warnings"])
    widest = line_starts(server, "a " + text, 150)
    assert widest[1] != 2


def test_one_letter_of_shan_makes_a_paragraph_no_burmese(server):
    burmese, shan = "ကျောင်းသားများစာကြည့်တိုက်", "တႆး"
    assert set(line_starts(server, burmese + shan, 60)) > set(line_starts(server, burmese, 60))
    both = line_starts(server, f"{shan}\n{burmese}", 60)
    assert [start - 4 for start in both[1:]] == line_starts(server, burmese, 60)


def test_fit_shrink_has_lines_to_break(server):
    def size(text):
        setting = dict(width=400, height=200, size=64, fit="shrink")
        font = server.render("json", text=text, **setting).json["blocks"][0]["lines"][0]["runs"][0]["font"]
        return float(font.split()[-1].removesuffix("px"))

    text = "ថ្ងៃនេះអ្នកជិតខាងធ្វើម្ហូបឲ្យអ្នកទាំងអស់គ្នានៅមន្ទីរពេទ្យភ្នំពេញ"
    assert size(text) > 30


@pytest.mark.parametrize(
    "text, expected",
    [
        ("我爱北京天安门", ["我", "爱", "北京", "天安门"]),
        ("well-known 你好世界", ["well-known ", "你好", "世界"]),
        ("你好,世界!再见", ["你好,", "世界!", "再见"]),
        ("see(世界)don't-stop", ["see", "(世界)", "don't-stop"]),
        ("ภาษาไทย", ["ภาษา", "ไทย"]),
        ("ພາສາລາວ", ["ພາສາ", "ລາວ"]),
        ("ខ្ញុំស្រឡាញ់ភ្នំពេញ", ["ខ្ញុំ", "ស្រឡាញ់", "ភ្នំពេញ"]),
        ("ကျောင်းသို့သွားသည်", ["ကျောင်း", "သို့", "သွား", "သည်"]),
        ("ၵႂၢမ်းတႆးပဵၼ်ၽႃႇသႃႇ", ["ၵႂၢမ်းတႆးပဵၼ်ၽႃႇသႃႇ"]),
        ("שלום-עולם re-do", ["שלום-עולם ", "re-do"]),
    ],
)  # fmt: skip
def test_words_are_those_of_a_dictionary_where_the_script_has_one(server, text, expected):
    starts = word_starts(server, text, "auto")
    units = text.encode("utf-16-le")
    assert [units[2 * start : 2 * end].decode("utf-16-le")
            for start, end in zip(starts, starts[1:] + [len(units) // 2])] == expected
    assert word_starts(server, text, None) == starts


@pytest.fixture(scope="module")
def without_icu(start, tmp_path_factory):
    library = tmp_path_factory.mktemp("faults") / "without_icu.so"
    source = REPOSITORY / "Tests/EndToEnd/support/faults/without_icu.c"
    subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return start(environment={"LD_PRELOAD": str(library)})


@pytest.mark.parametrize("language", ["th", "lo", "km", "my", "zh"])
def test_without_icu_lines_end_between_clusters_with_a_warning(without_icu, language):
    text = sentences(language)[0]
    document = without_icu.render("json", text=text, width=200, effect="none").json
    assert [warning["code"] for warning in document["warnings"]] == ["no-dictionary"]
    assert {glyph["word"] for glyph in document["glyphs"]} == {0}
    lengths = [line["rect"]["width"] for line in document["blocks"][0]["lines"]]
    assert len(lengths) > 1 and max(lengths) <= 200


def test_without_icu_words_of_unicode_are_refused(without_icu):
    answer = without_icu.post("/render.svg", dict(text="Hello", words="unicode"))
    assert answer.status == 400 and answer.faults == ["words"]
    assert without_icu.render("json", text="Hello", words="auto").json["warnings"] == []
    assert without_icu.render("json", text="Hello, ", width=100).json["warnings"] == []


def test_entity_tags_tell_whether_there_is_a_dictionary(server, without_icu):
    for text, is_alike in (("你好世界", False), ("Hello", True)):
        tags = {service.render("svg", text=text).headers["etag"] for service in (server, without_icu)}
        assert (len(tags) == 1) == is_alike
