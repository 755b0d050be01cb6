"""Texts of a request that says nothing else."""

LONG = ("A README that begins with one moving line is read by more people than one that begins with badges, "
        "and nobody waits for a text to be typed, letter by letter, until it has arrived. ") * 2  # fmt: skip
TEXTS = {
    "two letters": "Hi",
    "a line": "Who you gonna call? Ghosts, too.",
    "300 letters": LONG[:300],
    "a word of 120 letters": "wonder" * 20,
    "Cyrillic": "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 4,
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. " * 5,
    "Arabic": "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر. " * 4,
    "Hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא חברה. " * 5,
    "Hindi": "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश। " * 4,
    "Thai": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน " * 3,
    "Chinese": "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。" * 8,
    "Korean": "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. " * 4,
}
