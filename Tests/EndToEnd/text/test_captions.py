"""Pages of captions: where they end in many languages, that they are as typeset, and the doors of files."""

import json
import re

import pytest

from commands import run

SRT, VTT, CAPTIONS = "application/x-subrip", "text/vtt", "application/vnd.titlecard.captions+json"
# A bar stands between words where the script has no space; cues end at a slash.
TEXTS = {
    "English 1": "We walked along the river for hours, and nobody said a word. / Then it began to rain. Heavily!",
    "English 2": "Mr. Brown paid $3.50 for \"a cup of coffee\" (with milk). / Was it worth it? Yes. / It was, in a way, the best "
                 "coffee that he had ever had in that well-known little town.",
    "English 3": "This is one long sentence without any punctuation that goes on and on until / nobody remembers how it began "
                 "or who was speaking or why anyone should still be listening",
    "German 1": "Die Donaudampfschifffahrtsgesellschaft wurde 1829 gegründet, und zwar in Wien. / Das ist lange her.",
    "German 2": "»Kommst du mit?«, fragte sie. »Nein«, sagte er, »ich bleibe lieber zu Hause.« / Also ging sie allein.",
    "French 1": "« Où vas-tu ? » demanda-t-il. Elle ne répondit pas ; elle marchait vite, / très vite même !",
    "French 2": "Aujourd'hui, maman est morte. Ou peut-être hier, je ne sais pas. / J'ai reçu un télégramme de l'asile.",
    "Spanish 1": "¿Quién eres tú? ¡No te conozco! Pero me gusta tu voz, / y me gusta también cómo cuentas las historias.",
    "Spanish 2": "En un lugar de la Mancha, de cuyo nombre no quiero acordarme, no ha mucho tiempo / que vivía un hidalgo.",
    "Russian 1": "Все счастливые семьи похожи друг на друга, / каждая несчастливая семья несчастлива по-своему.",
    "Russian 2": "— Ты где? — Здесь. — Я тебя не вижу, подойди ближе, пожалуйста, и возьми с собой фонарь.",
    "Greek 1": "Τη γλώσσα μου έδωσαν ελληνική· το σπίτι φτωχικό στις αμμουδιές του Ομήρου. / Μονάχη έγνοια η γλώσσα μου.",
    "Greek 2": "Σαν βγεις στον πηγαιμό για την Ιθάκη, να εύχεσαι νάναι μακρύς ο δρόμος, / γεμάτος περιπέτειες.",
    "Arabic 1": "كان يا ما كان، في قديم الزمان، ملك عظيم يحب العدل. / هل تعرف اسمه؟ لا أحد يعرف اسمه اليوم.",
    "Arabic 2": "السلام عليكم (ورحمة الله وبركاته)، نبدأ اليوم بالدرس الأول / في الكيمياء، وسوف ننتهي في الساعة 5.",
    "Hebrew 1": "שלום לכולם, וברוכים הבאים לתוכנית \"הבוקר הזה\". / היום נדבר על מזג האוויר בצפון הארץ.",
    "Hebrew 2": "מי אתה? אני לא מכיר אותך. אבל השם Daniel מוכר לי, / כי פגשתי אותו ב-2019 בירושלים.",
    "Hindi 1": "एक समय की बात है, एक छोटे से गाँव में एक किसान रहता था। / उसके पास दो बैल थे। वह बहुत मेहनती था।",
    "Hindi 2": "क्या आप मुझे बता सकते हैं कि स्टेशन कहाँ है? जी हाँ, सीधे जाइए, / फिर बाएँ मुड़ जाइए।",
    "Thai 1": "วัน|นี้|อากาศ|ดี|มาก เรา|ไป|เดิน|เล่น|ที่|สวน|สาธารณะ|กัน|ไหม / แล้ว|ค่อย|กลับ|มา|กิน|ข้าว|ที่|บ้าน",
    "Thai 2": "ภาษา|ไทย|เขียน|โดย|ไม่|มี|ช่องว่าง|ระหว่าง|คำ จึง|ต้อง|ใช้|พจนานุกรม / เพื่อ|แบ่ง|คำ|ให้|ถูกต้อง",
    "Chinese 1": "今天|天气|很|好，|我们|去|公园|散步|吧。 / “你|想|去|吗？”|她|问。|“当然|想！”",
    "Chinese 2": "学而时习之，|不|亦|说|乎？|有|朋|自|远方|来，|不|亦|乐|乎？ / 他|在|2019|年|买|了|一|台|MacBook|电脑。",
    "Chinese 3": "這|是|一|個|很|長|的|句子|沒有|任何|標點|符號|但是|仍然|需要|分成|幾|頁|因為|一|行|放|不|下",
    "Japanese 1": "今日|は|とても|いい|天気|です|ね。|「散歩|に|行き|ましょう」|と|彼女|は|言っ|た。 / はい、|そう|し|ましょう！",
    "Japanese 2": "東京|タワー|は|1958|年|に|完成|し|まし|た。|（高|さ|は|333|メートル|です。） / ニューヨーク|より|低い|です。",
    "Japanese 3": "吾輩|は|猫|で|ある。|名前|は|まだ|無い。|どこ|で|生|れ|た|か|とんと|見当|が|つか|ぬ。",
    "Korean 1": "안녕하세요, 여러분. 오늘은 날씨가 아주 좋네요. / 우리 같이 공원에 산책하러 갈까요? 네!",
    "Korean 2": "나는 어제 친구와 함께 영화를 보았는데, 생각보다 훨씬 더 재미있어서 / 또 보고 싶다는 생각이 들었다.",
    "Mixed": "The word カラオケ means “empty orchestra”, / and 你好 means “hello”. Isn't that nice?",
}
CLOSING = set("!?.,:;)]}»”’…。、，！？：；）」』】〉》ー々؟،؛।·")


def clock(seconds):
    return f"{int(seconds // 60 // 60):02}:{int(seconds // 60) % 60:02}:{int(seconds) % 60:02},{int(seconds * 1000) % 1000:03}"


def srt(*cues):
    return "".join(
        f"{number}\n{clock(at)} --> {clock(until)}\n{text}\n\n" for number, (at, until, text) in enumerate(cues, 1)).encode()


def cues_of(text):
    return [(3 * index, 3 * index + 3, cue.strip()) for index, cue in enumerate(text.replace("|", "").split("/"))]


def words_of(text):
    return [word for part in re.split(r"[|\s]+", text) if (word := part.strip("/"))]


def ends_of_words(text):
    """The numbers of characters, but spaces, up to the end of each word."""
    ends, count = set(), 0
    for word in words_of(text):
        ends.add(count := count + len(word))
    return ends


@pytest.mark.parametrize("look", [dict(width=480, size=32), dict(width=300, size=28, pageWords=6, pageBreak="cue")])
@pytest.mark.parametrize("name", TEXTS)
def test_pages_break_no_word_and_have_room(server, name, look):
    text = TEXTS[name]
    answer = server.post("/render.json?" + "&".join(f"{key}={value}" for key, value in look.items()), srt(*cues_of(text)), SRT)
    assert answer.status == 200, answer.text
    blocks = answer.json["blocks"]
    assert "".join("".join(block["text"].split()) for block in blocks) == "".join(words_of(text))
    ends, count = ends_of_words(text), 0
    for block in blocks:
        page = block["text"]
        count += len("".join(page.split()))
        assert count in ends, page
        assert page[0] not in CLOSING or page[0] in "»…", page
        assert page[-1] not in "([{‘「『（" and not page.endswith((" «", " “")), page
        assert 1 <= len(block["lines"]) <= 2, page
        for line in block["lines"]:
            assert line["rect"]["width"] <= look["width"] + 0.01, page
        assert "pageWords" not in look or len(page.split()) <= 6
    assert not {warning["code"] for warning in answer.json["warnings"]} & {"cut", "broken-word", "clipped", "no-dictionary"}
    for block, following in zip(blocks, blocks[1:]):
        assert block["at"] < block["until"] <= following["at"]


def test_the_same_file_has_the_same_pages(server):
    body = srt(*cues_of(TEXTS["English 2"]))
    files = {server.post("/render.svg?width=400", body, SRT).body for _ in range(3)}
    assert len(files) == 1
    text = server.post("/render.svg", dict(captions=body.decode(), width=400))
    assert {text.body} == files


def test_captions_are_the_same_as_their_array_and_their_permalink(server):
    body = srt((0, 1.5, "One two."), (2, 3.25, "Three"))
    array = [dict(at=0, until=1.5, text="One two."), dict(at=2, until=3.25, text="Three")]
    answers = [
        server.post("/render.svg?width=400", body, SRT),
        server.post("/render.svg", dict(captions=array, width=400)),
        server.post("/render.svg", dict(captions=json.dumps(array), width=400)),
    ]
    assert len({(answer.body, answer.headers["ETag"]) for answer in answers}) == 1
    link = answers[0].headers["Content-Location"]
    assert server.get(link).body == answers[0].body


def test_every_door_takes_files_that_cut_characters_or_are_utf_16(server, tmp_path):
    cut = b"".join(
        b'{"text":"%b","offsets":{"from":%d,"to":%d}},' % each for each in [(b"\xe4\xbd", 0, 200), (b"\xa0", 200, 400)])
    files = {
        CAPTIONS: b'{"transcription":[' + cut[:-1] + b"]}",
        SRT: "1\n00:00:00,000 --> 00:00:00,400\n\u4f60".encode("utf-16-le"),
    }
    for kind, body in files.items():
        answer = server.post("/render.json?sequence=timed", body, kind)
        assert answer.status == 200, answer.text
        assert [(block["text"], block["at"], block["until"]) for block in answer.json["blocks"]] == [("\u4f60", 0, 0.4)]
        (tmp_path / "captions").write_bytes(body)
        assert json.loads(run("captions", tmp_path / "captions", "--pages", "json").stdout)["blocks"][0]["text"] == "\u4f60"
    assert server.post("/render", b"1\n00:00:00,000 --> 00:00:01,000\nNa\xefve", SRT).status == 400


def test_music_sounds_and_speakers_have_pages_of_their_own(server):
    texts = ["♪ And I will", "always love you ♪", "Hello and", "welcome back", "[door slams]", "who was that", ">> me again", "of course"]
    file = "".join(f"{number}\n00:00:{number:02},000 --> 00:00:{number + 1:02},000\n{text}\n\n" for number, text in enumerate(texts))
    answer = server.post("/render.json", dict(captions=file, width=640, height=360, size=24))
    assert [block["text"].replace("\n", " ") for block in answer.json["blocks"]] == [
        "♪ And I will always love you ♪", "Hello and welcome back", "[door slams]", "who was that", ">> me again of course"]


def test_segments_of_whisper_may_be_an_array(server):
    def segment(at, *words):
        said = [dict(word=f" {word}", start=at + number, end=at + number + 0.5, probability=0.9) for number, word in enumerate(words)]
        return dict(id=1, seek=0, start=at, end=at + len(words), text="".join(word["word"] for word in said), words=said)

    file = json.dumps([segment(0.5, "Hello", "there."), segment(3, "Welcome", "back.")])
    blocks = server.post("/render.json", dict(captions=file)).json["blocks"]
    assert [(block["text"], [word["at"] for word in block["times"]]) for block in blocks] == [
        ("Hello there.", [0.5, 1.5]), ("Welcome back.", [3, 4])]


def test_captions_that_no_permalink_holds_have_none(start):
    service = start("--max-target", "600")
    cues = [(index, index + 1, f"The number {index * 7919 % 1000} of {index * 104729}.") for index in range(50)]
    short, long = (service.post("/render.json", srt(*cues[:count]), SRT) for count in (2, 50))
    assert short.status == long.status == 200, long.text
    assert "Content-Location" in short.headers and "Content-Location" not in long.headers


def test_files_have_a_limit_of_their_own(start):
    service = start("--max-caption-bytes", "300", "--max-body", "1000")
    short, long = srt((0, 1, "a")), srt(*[(index, index + 1, "a") for index in range(10)])
    assert len(short) < 300 < len(long) < 1000
    assert service.post("/render", short, SRT).status == 200
    for kind in (SRT, VTT, "text/x-ass", "application/ttml+xml", CAPTIONS, "Text/VTT; charset=utf-8"):
        answer = service.post("/render", long, kind)
        assert answer.status == 413 and "--max-caption-bytes" in answer.text
    answer = service.post("/render", dict(captions=long.decode()))
    assert answer.status == 422 and [fault["parameter"] for fault in answer.json["errors"]] == ["captions"]


@pytest.mark.parametrize("request_, names", [
    (dict(text="a"), ["text"]), (dict(blocks=[dict(text="a")]), ["blocks"]), (dict(sequence="queue"), ["sequence"]),
    (dict(at=1), ["at"]), (dict(gap=1, cycle=3), ["cycle", "gap"]), (dict(markup=True), ["markup"]),
    (dict(pageWords=0, pageBreak="line", pagePause=-1, pageSeconds=0), ["pageBreak", "pagePause", "pageSeconds", "pageWords"]),
    (dict(captionFormat="txt", captionUnit="h"), ["captionFormat", "captionUnit"]),
])
def test_faults_name_their_parameter(server, request_, names):
    answer = server.post("/render", dict(captions=srt((0, 1, "a")).decode(), **request_))
    assert answer.status == 400
    assert sorted(fault["parameter"] for fault in answer.json["errors"]) == names
