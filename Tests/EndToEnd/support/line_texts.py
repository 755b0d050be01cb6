"""Random texts in many scripts, with what decides where lines end."""

SCRIPTS = {
    "Latin": "abcdefghijklmnopqrstuvwxyzABFWTVéüßøñﬁ",
    "Greek": "αβγδεζηθικλμνξοπρστυφχψωάέή",
    "Cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئىةًٌٍَُِّْ",
    "Hebrew": "אבגדהוזחטיכלמנסעפצקרשתםןץףךְֱִֵָ",
    "Syriac": "ܐܒܓܕܗܘܙܚܛܝܟܠܡܢܣܥܦܨܩܪܫܬ",
    "Thaana": "ހށނރބޅކއވމފދތލގޏަާިީުޫެ",
    "Devanagari": "अआइईउकखगघचछजझटडणतथदधनपफबभमयरलवशषसहािीुूेैोौ्ंः",
    "Bengali": "অআইকখগচজটডতদনপবমযরলশসহািীুেো্ং",
    "Tamil": "அஆஇஉஎஒகஙசஞடணதநபமயரலவளழறனாிீுெேைொோ்",
    "Telugu": "అఆఇఉఎకగచజటడతదనపబమయరలవశసహాిీుూెేొో్",
    "Malayalam": "അആഇഉഎകഗചജടഡതദനപബമയരലവശസഹാിീുെേൊോ്ംൻർൽ",
    "Thai": "กขคงจฉชซญดตถทธนบปผฝพฟภมยรลวศสหอฮะาิีึืุูเแโใไ่้๊๋์ํำ",
    "Lao": "ກຂຄງຈສຊຍດຕຖທນບປຜຝພຟມຢຣລວຫອຮະາິີຶືຸູເແໂໃໄ່້",
    "Khmer": "កខគឃងចឆជញដឋណតថទធនបផពភមយរលវសហឡអាិីុូួេែោំះ្",
    "Myanmar": "ကခဂငစဆဇညတထဒနပဖဗမယရလဝသဟအာိီုူေဲံ့း္်ျြွှ",
    "Tibetan": "ཀཁགངཅཆཇཉཏཐདནཔཕབམཙཚཛཝཞཟའཡརལཤསཧཨིེོུྐྒྔྱྲླ་།",
    "Han": "日本語漢字中文字符标点春眠不覚暁処処聞啼鳥，。「」、",
    "Kana": "あいうえおかきくけこさしすせそたちつてとなにゃゅょっーアイウエオカキクケコッャュョ",
    "Hangul": "가나다라마바사아자차카타파하한국어텍스트글",
    "Ethiopic": "ሀለሐመሠረሰሸቀበተቸነኘአከወዐዘየደጀገጠጰጸፈፐ።፡",
    "Georgian": "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
    "Armenian": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ",
    "Emoji": ["👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "👻", "🎉", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "☺", "1️⃣", "🏻"],
    "Punctuation": ".,;:!?-–—/()[]{}\"'«»…%$€#*+=|~0123456789١٢٣",
}
# Scripts that put no spaces between words, for which ICU has a dictionary that lines go by.
UNSPACED = {"Thai", "Lao", "Khmer", "Myanmar"}
# Soft hyphen, no-break space, zero-width space, word joiner, joiners, directions, wide and narrow spaces, marks, empty
# lines, hyphens, tabs.
SPECIAL = list("\u00ad\u00a0\u200b\u2060\u200d\u200c\u200e\u200f\u202b\u202c\u2067\u2069\u3000\u2003\u2009\u0301\u0335\n\u2011\u2010")
SPECIAL += ["\n\n", "  ", "\t"]
# What Pango gets letter spacing right for: no grapheme of several characters, no letters that join, nothing invisible.
SPACED = ["Latin", "Greek", "Cyrillic", "Han", "Kana", "Hangul", "Ethiopic", "Georgian", "Armenian"]
SPACED_SPECIAL = list("\u00a0\u3000\u2003\u2009\n\u2011\u2010") + ["\n\n", "  ", "\t"]


def word(random, script):
    return "".join(random.choice(SCRIPTS[script]) for _ in range(random.randint(1, 9)))


def text(random, without=frozenset(), is_spaced=False):
    """Returns words of mostly one script, as the service normalises them."""
    names, special = (SPACED, SPACED_SPECIAL) if is_spaced else (list(SCRIPTS), SPECIAL)
    names = [name for name in names if name not in without]
    main = random.choice(names)
    parts = []
    for _ in range(random.randint(1, 22)):
        part = word(random, main if random.random() < 0.75 else random.choice(names))
        if random.random() < 0.25:
            cut = random.randint(0, len(part))
            part = part[:cut] + random.choice(special) + part[cut:]
        chance = random.random()
        parts.append(part + (" " if chance < 0.8 else random.choice(special) if chance < 0.95 else ""))
    return "".join(parts).replace("\t", "    ")
