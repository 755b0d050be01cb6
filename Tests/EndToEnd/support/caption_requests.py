"""Requests of pages of words with times, as captions become."""

import random


def pages(count, seed=7, gap=(0, 0, 0.3, 1), **values):
    """A request of pages of a few words, each with its time."""
    draw = random.Random(seed)
    blocks, time = [], 0.37
    for _ in range(count):
        times, start = [], time
        for word in draw.sample(["over", "a", "lazy", "dog", "captions", "follow", "every", "word", "AV"], draw.randint(2, 4)):
            end = round(time + draw.uniform(0.1, 0.3), 4)
            times.append({"text": word, "at": time, "until": end})
            time = end
        blocks.append({"text": " ".join(word["text"] for word in times), "at": start, "until": time, "times": times})
        time = round(time + draw.choice(gap), 4)
    return {"sequence": "timed", "width": 320, "height": 180, "size": 30, "color": "#fff", "blocks": blocks, **values}


# Blocks of which some are seen together.
VOICES = [
    {"text": f"Voice {number}", "at": number * 0.3, "until": number * 0.3 + length}
    for number, length in enumerate([0.3, 0.9, 0.3, 0.3, 0.2, 0.6, 0.3])
]

LOOKS = {
    "plain": {},
    "karaoke": {"preset": "captions-karaoke", "size": 30},
    "cards": {"preset": "captions", "size": 30},
    "chance": {"effect": "scramble", "seed": 4, "spoken": "color", "spokenScale": 1.2},
    "whole": {"color": "linear-gradient(90deg, red, blue)", "paintMotion": "pan", "paintDuration": 1.7},
    "card": {"cardEffect": "fade", "background": "#123", "padding": 8},
    "begins": {"poster": "end", "loop": 2},
    "emphasis": {"emphasis": "wave", "exit": "auto", "offset": 0.5},
    "marks": {"markup": True, "mark": "underline"},
}
