"""`words=unicode`: words as UAX 29 and ICU's dictionaries find them, of which PyICU is the judge."""

import json
import subprocess
import unicodedata

import pytest

SENTENCES = {
    "Chinese": [
        "我爱北京天安门。", "今天天气很好,我们去公园散步吧。", "文字动起来,网页就活了。",
        "他说:“明天见!”", "中华人民共和国成立于1949年。", "這是一個繁體中文的句子。", "请把这本书放在桌子上。",
    ],
    "Japanese": [
        "私は東京に住んでいます。", "文字が動くと、ページが生き生きします。", "昨日、図書館で本を読みました。",
        "コンピュータのキーボードを買いました。", "「おはようございます」と彼は言った。", "これは100円のペンです。",
        "新しいプログラミング言語を学ぶ。",
    ],
    "Thai": [
        "ภาษาไทยไม่มีช่องว่างระหว่างคำ", "วันนี้อากาศดีมาก เราไปสวนสาธารณะกันเถอะ", "ฉันรักกรุงเทพมหานคร",
        "ตัวอักษรเคลื่อนไหวได้", "ราคา 250 บาท", "เขาไปโรงเรียนทุกวัน", "ขอบคุณครับ (ค่ะ)",
    ],
    "Lao": [
        "ພາສາລາວບໍ່ມີຊ່ອງຫວ່າງລະຫວ່າງຄໍາ", "ຂ້ອຍຮັກປະເທດລາວ", "ມື້ນີ້ອາກາດດີ", "ພວກເຮົາໄປໂຮງຮຽນ", "ຂອບໃຈຫຼາຍໆ",
        "ລາວກິນເຂົ້າ", "ນະຄອນຫຼວງວຽງຈັນ",
    ],
    "Khmer": [
        "ភាសាខ្មែរមិនមានចន្លោះរវាងពាក្យទេ", "ខ្ញុំស្រឡាញ់ប្រទេសកម្ពុជា", "ថ្ងៃនេះអាកាសធាតុល្អ", "យើងទៅសាលារៀន",
        "អរគុណច្រើន។", "រាជធានីភ្នំពេញ", "គាត់ញ៉ាំបាយ",
    ],
    "Burmese": [
        "မြန်မာစာတွင် စကားလုံးများကြား ကွက်လပ်မရှိပါ။", "ကျွန်တော် ရန်ကုန်မှာ နေပါတယ်။", "ဒီနေ့ ရာသီဥတု ကောင်းတယ်",
        "ကျောင်းသို့ သွားသည်", "ကျေးဇူးတင်ပါတယ်", "မင်္ဂလာပါ", "စာအုပ်ဖတ်သည်",
    ],
    "spaces": [
        "Text that moves, at last!", "well-known and (quite) safe", "don't stop at 3.14", "«Bonjour» — dit-elle",
        "a  b\nc", "!? ready… go", "안녕하세요 여러분",
    ],
}  # fmt: skip
ALL = [sentence for sentences in SENTENCES.values() for sentence in sentences]

PYICU = """
import icu, json, sys
def words(text):
    breaker = icu.BreakIterator.createWordInstance(icu.Locale.getRoot())
    breaker.setText(text)
    units, start, found = text.encode("utf-16-le"), 0, []
    for end in breaker:
        if breaker.getRuleStatus() >= 100:
            found.append(units[2 * start:2 * end].decode("utf-16-le"))
        start = end
    return found
print(json.dumps([icu.ICU_VERSION, [words(text) for text in json.load(sys.stdin)]]))
"""


@pytest.fixture(scope="module")
def reference():
    """The version of ICU, and the words of each sentence without marks and white space."""
    # Debian's own Python, for which Debian has PyICU.
    command = ["/usr/bin/python3", "-c", PYICU]
    run = subprocess.run(command, input=json.dumps(ALL), capture_output=True, text=True, check=True)
    version, words = json.loads(run.stdout)
    assert version.startswith("72.")
    return dict(zip(ALL, words))


def words(server, text, rule="unicode"):
    """The words of a rendering."""
    glyphs = server.render("json", text=text, words=rule, effect="fade", by="word").json["glyphs"]
    numbers = [glyph["word"] for glyph in glyphs]
    assert numbers == sorted(numbers) and set(numbers) == set(range(numbers[-1] + 1))
    return ["".join(glyph["text"] for glyph in glyphs if glyph["word"] == number)
            for number in range(numbers[-1] + 1)]


@pytest.mark.parametrize("text", ALL)
def test_words_are_those_of_icu(server, reference, text):
    found = words(server, text)
    # Each word has one of ICU's, which may stand among marks; marks by themselves have none.
    cores = [word.strip() for word in found]
    expected = iter(reference[text])
    for core in cores:
        if any(unicodedata.category(character)[0] in "LMN" for character in core):
            word = next(expected)
            assert word in core
            rest = core.replace(word, "", 1)
            assert not any(unicodedata.category(character)[0] in "LMN" for character in rest), (core, word)
    assert next(expected, None) is None


@pytest.mark.parametrize(
    "text, expected",
    [
        ("“好”(世界)", ["“好”", "(世界)"]),
        ("你好,世界!再见", ["你好,", "世界!", "再见"]),
        ("well-known (a) thing", ["well-", "known ", "(a) ", "thing"]),
        ("say \"hi\" now", ["say ", "\"hi\" ", "now"]),
        ("- one", ["- ", "one"]),
        ("👩‍👩‍👧 two🎉", ["👩‍👩‍👧 ", "two🎉"]),
        ("שלום (עולם)", ["שלום ", "(עולם)"]),
    ],
)  # fmt: skip
def test_marks_belong_to_words(server, text, expected):
    assert words(server, text) == expected


def test_with_spaces_only_white_space_parts_words(server):
    assert words(server, "你好,世界! 再见", "spaces") == ["你好,世界! ", "再见"]
    plain = server.render("svg", text="你好,世界", effect="fade", by="word")
    assert server.render("svg", text="你好,世界", effect="fade", by="word", words="auto").body == plain.body


def test_each_block_has_its_own(server):
    blocks = [{"text": "你好世界", "words": "unicode"}, {"text": "你好世界", "words": "spaces"}]
    glyphs = server.render("json", blocks=blocks, effect="rise").json["glyphs"]
    assert [max(glyph["word"] for glyph in glyphs if glyph["block"] == block) for block in (0, 1)] == [1, 0]


def test_a_highlight_goes_from_word_to_word(server):
    def instants(rule):
        glyphs = server.render("json", text="我爱北京天安门", effect="highlight", words=rule).json["glyphs"]
        return {json.dumps(glyph["fill"]) for glyph in glyphs}

    assert len(instants("spaces")) == 1 and len(instants("unicode")) == 4


def test_a_name_that_it_does_not_have(server):
    answer = server.post("/render.svg", {"text": "a", "words": "icu"})
    assert answer.status == 400 and answer.json["errors"][0]["parameter"] == "words"
