"""Requests over many fonts, scripts, styles and formats; each needs files that most others do not."""

import itertools

from catalogue import catalogue_under_test

FORMATS = catalogue_under_test().extensions
LATIN = "Ghosts, too"
ARABIC = "مرحبا بالعالم"
DEVANAGARI = "नमस्ते दुनिया"
# Thai is written without spaces: a dictionary says where a line may end.
THAI = "สวัสดีชาวโลกทั้งหลายที่รักสงบ"
CHINESE = "你好世界"
EMOJI = "👻🎃👨‍👩‍👧"

# A family, and a text that it or a fallback font has to draw.
TEXTS = [
    dict(font="DejaVu Sans", text=LATIN),
    dict(font="DejaVu Sans Mono", text=LATIN),
    dict(font="DejaVu Serif", text=LATIN),
    dict(font="Liberation Sans", text=LATIN),
    dict(font="Liberation Serif", text=LATIN),
    dict(font="Liberation Mono", text=LATIN),
    dict(font="Noto Sans", text="naïve café Ωμέγα"),
    dict(font="Noto Serif", text="Привет, мир"),
    dict(font="Noto Sans Arabic", text=ARABIC),
    dict(font="Noto Naskh Arabic", text=ARABIC),
    dict(font="Noto Sans Devanagari", text=DEVANAGARI),
    dict(font="Noto Sans Thai", text=THAI, width=120),
    dict(font="Noto Sans CJK SC", text=CHINESE),
    dict(font="Noto Serif CJK JP", text="こんにちは世界"),
    dict(font="Noto Color Emoji", text=EMOJI),
    dict(font="DejaVu Sans", text=f"{THAI} {EMOJI}", width=150),
    dict(font="Liberation Serif", text=f"{CHINESE} {DEVANAGARI}"),
    dict(font="DejaVu Serif", text=f"שלום {ARABIC} ქართული Հայերեն"),
]
# Many families have no italic and some no bold face: these are slanted and emboldened from the upright one.
STYLES = [dict(), dict(italic=True), dict(weight=700), dict(weight=700, italic=True)]
# All texts in all styles, each in two of the formats, and each text in all of them: (format, request).
MIXED = [
    (FORMATS[(index + index // len(STYLES) + turn) % len(FORMATS)], dict(hold=0.1, size=20, levels=8, **text, **style))
    for index, (text, style) in enumerate(itertools.product(TEXTS, STYLES))
    for turn in (0, 2)
]
