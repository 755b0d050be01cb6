#!/usr/bin/env python3
"""Writes the test vectors of every effect: requests on made-up boxes of glyphs, and the tracks that reference.py gives.

    python3 vectors.py FOLDER [EFFECT ...]

`MotionTests` reads the files, so that an effect is held to the arithmetic without a server and without fonts.  What is
drawn at random is drawn by reference.py's own function: the same files come out each time.

To add an effect, write its arithmetic into reference.py and the ranges of its parameters into RANGES, behind those that
are there; what the others draw depends on their places.
"""

import json
import math
import pathlib
import sys
import unicodedata

import check
import draws
import reference as R

UNITS = ["glyph", "word", "line", "all"]
ORDERS = ["forward", "backward", "center", "edges", "random"]
EASINGS = [
    *R.EASINGS,
    "cubic-bezier(0.5,-2,0.9,3)",
    "bounce",
    "spring(0.3)",
    "spring(-0.9)",
    "spring(0)",
    "spring(0.9)",
    "steps(1)",
    "steps(7)",
    "linear(0, 0.3 20%, 0.2 50%, 1)",
    "linear(0.1 20%, 0.9 70%)",
    "linear(0, 1.2 50%, 0.4 30%, 0.8, 1.1, 1)",
]
SECONDS = (0, 10)
STAGGERED = dict(by=UNITS, order=ORDERS, interval=SECONDS)
TIMED = dict(STAGGERED, duration=SECONDS, easing=EASINGS)
MASKS = ["none", "line", "item"]
SIDE = 1000  # of the canvas, in pixels
# A pair is a range, a list the values of a choice, a function draws a value.
RANGES = {
    "typewriter": dict(
        by=UNITS,
        order=ORDERS,
        interval=(0.001, 10),
        jitter=(0, 1),
        punctuationPause=SECONDS,
        eraseInterval=(0.001, 10),
        eraseOrder=ORDERS,
        typos=(0, 0.5),
        typoPause=SECONDS,
        erase=["all", "changed"],
        indentation=["typed", "instant"],
    ),
    "reveal": STAGGERED,
    "birdman": dict(duration=SECONDS, groupDelay=SECONDS, acceleration=(0.1, 1), foldCase=[False, True]),
    "fade": dict(by=UNITS, minDuration=SECONDS, maxDuration=SECONDS, maxDelay=SECONDS, easing=EASINGS),
    "secret": dict(tick=(0.01, 10), firstChance=(0, 1), chance=(0, 1), maxTicks=(1, 1000)),
    "fall": dict(by=UNITS, maxDelay=SECONDS, minDistance=(0, 1000), maxDistance=(0, 1000), angle=(-360, 360)),
    "morph": dict(duration=SECONDS, interval=SECONDS, fromScale=(0, 10)),
    "slide": dict(TIMED, direction=["up", "down", "left", "right"], distance=(0, 10), mask=MASKS),
    "pop": dict(TIMED, fromScale=(0, 10), mask=MASKS),
    "drop": dict(STAGGERED, duration=SECONDS, distance=(0, 10), mask=MASKS),
    "wave": dict(STAGGERED, duration=SECONDS, amplitude=(0, 10)),
    "scramble": dict(
        interval=SECONDS,
        lead=SECONDS,
        tick=(0.01, 10),
        charset=["01", "é", "你好👻🎃", "ABCabc", "#%&@$.:|"],
    ),
    "flap": dict(interval=SECONDS, tick=(0.01, 10), flaps=(0, 20), charset=["01", "abcdefghijklmnopqrstuvwxyz", "你好👻🎃", "ABCabc", "#%&@$.:|"]),
    "none": {},
    "custom": dict(TIMED, mask=MASKS, keyframes=draws.keyframes),
    "rise": dict(TIMED, distance=(0, 1000), mask=MASKS),
    "blur": dict(TIMED, radius=(0, 2)),
    "zoom": dict(TIMED, fromScale=(0, 10), radius=(0, 2)),
    "flip": TIMED,
    "tracking": dict(TIMED, fromSpread=(0, 5)),
    "highlight": dict(STAGGERED, duration=SECONDS, highlightColor=["#d29922", "#00f8", "transparent"]),
    "draw": dict(TIMED, strokeWidth=(0.005, 0.2)),
    "count": {
        "duration": SECONDS,
        "from": (-1e15, 1e15),
        "fromPercent": (0, 1000),
        "trend": ["up", "down"],
        "steps": (1, 200),
        "easing": EASINGS,
    },
    "roll": dict(
        duration=SECONDS,
        interval=SECONDS,
        turns=(0, 5),
        trend=["up", "down"],
        easing=EASINGS,
        flip=[False, False, True],
        continues=[False, False, True],
    ),
    "float": dict(STAGGERED, duration=SECONDS, amplitude=(0, 10)),
    "pulse": dict(STAGGERED, duration=SECONDS, toScale=(0, 10)),
    "shake": dict(STAGGERED, duration=SECONDS, amplitude=(0, 10)),
    "swing": dict(STAGGERED, duration=SECONDS, angle=(0, 180)),
    "flicker": dict(STAGGERED, duration=SECONDS, depth=(0, 1)),
    "glitch": dict(
        duration=SECONDS,
        distance=(0, 2),
        leftColor=["#00d8f0", "#00f8", "transparent"],
        rightColor=["#ff2d6f", "#00f8", "transparent"],
    ),
    "shimmer": dict(
        duration=SECONDS,
        easing=EASINGS,
        shimmerAngle=(-360, 360),
        shimmerWidth=(1, 200),
        shimmerColor=["#d29922", "#00f8", "transparent"],
    ),
    "rewrite": dict(interval=SECONDS, duration=SECONDS, easing=EASINGS, fadeDuration=SECONDS),
    "marquee": dict(rate=(1, 2000), marqueeGap=(0, 100)),
    "scroll": dict(direction=["up", "down", "left", "right", "start"], rate=(1, 2000)),
}
# The effects of numbers, whose texts have some.
NUMERIC = ["count", "roll"]
# Those whose vectors have an emphasis.
EMPHATIC = ["float", "pulse", "shake", "swing", "flicker", "glitch", "shimmer"]
# The effects that have defaults for everything, so that any block and any exit may have them.
COMPLETE = [effect for effect in RANGES if effect not in ("custom", "rewrite", "marquee", "scroll", *NUMERIC, *EMPHATIC)]
WHOLE = {"maxTicks", "steps", "turns", "flaps"}
LEAST_AND_MOST = (("minDuration", "maxDuration"), ("minDistance", "maxDistance"))
# Each a list of blocks: the text, the font size, and whether it runs from right to left.
LAYOUTS = {
    "question": [("Who you gonna call?", 32, False)],
    "lines": [("One, two.\n  lines!", 20, False)],
    "letters": [("Éte\u0301 e\u0301té", 40, False)],
    "pair": [("hello!", 32, False), ("help", 32, False)],
    "mixed": [("a", 12.5, False), ("שלום לך", 24, True), ("x y", 60, False)],
    "four": [("ab", 16, False), ("ac", 16, False), ("a c\n?", 18, False), (" c ", 16, False)],
}
NUMBER_LAYOUTS = {
    "amount": [("1,234,567.89 €", 32, False)],
    "share": [("−42 % of 10,000", 24, False)],
    "rates": [("+7, 3.50", 40, False), ("-$99", 20, False)],
    "arabic": [("١٬٢٣٤٫٥", 32, True)],
    "others": [("10-20 v2 3.142", 18, False), ("١٢ 1'000", 24, True), ("007\n+1,234.5", 28, False)],
    "without": [("No digits.", 20, False), ("1.234", 32, False)],
}
# For `rewrite`: each text has something of the one before it.
EDITED_LAYOUTS = {
    "function": [
        ("func area(width: Int) {\n  return width * width\n}", 20, False),
        ("func area(width: Int, height: Int) {\n  if height < 0 { return 0 }\n  return width * height\n}", 20, False),
    ],
    "call": [("draw(shape, fill, line)", 16, False), ("draw(\n    shape,\n    fill,\n    line\n)", 16, False)],
    "sentence": [("Fast and furious, they said.", 32, False), ("They said: fast  and 2 furious!", 32, False)],
    "sizes": [("same words", 20, False), ("same words", 24, False), (" same words, ", 24, False), ("é e\u0301 and_1 x", 24, False)],
    "hebrew": [("שלום לך", 24, True), ("שלום גם לך \n\n  ", 24, True), ("(a)\n(b, c)", 20, False), ("(b)\n(c)\n(b, c)", 20, False)],
}
ALL_LAYOUTS = LAYOUTS | NUMBER_LAYOUTS | EDITED_LAYOUTS
MARKS = ["underline", "strike", "box", "circle", "highlight", "bracket", "pill", "quote", "bullet"]
CARDS = ["fade", "slide", "grow", "wipe", "draw"]
SEQUENCES = ["queue", "together", "replace", "rotate"]
EXITS = ["auto", "between", "none", "auto", "effect"]
VECTORS = 24
TICKS = 10_000  # an instant is a tenth of a millisecond


class Ambiguous(Exception):
    """An instant lies so near the middle of two that rounding decides which it is."""


# ---------------------------------------------------------------------------------------------------------- layouts
def clusters(text):
    parts = []
    for character in text:
        if parts and unicodedata.combining(character):
            parts[-1] += character
        else:
            parts.append(character)
    return parts


def advance(cluster, em):
    return round(em * (0.3 + sum(map(ord, cluster)) * 37 % 40 / 100), 3)


def laid_out(blocks, width=SIDE):
    """A server's answer for blocks that are stacked, but for everything that moves."""
    answer, top = {"width": width, "height": SIDE, "glyphs": [], "blocks": []}, 4.0
    for number, (text, em, is_rtl) in enumerate(blocks):
        lines, word, begun, apart, offset = [], 0, False, False, 0
        for index, line in enumerate(text.split("\n")):
            parts = clusters(line)
            width = sum(advance(part, em) for part in parts)
            height = 1.25 * em
            x, first = 8 + (width if is_rtl else 0), len(answer["glyphs"])
            for part in parts:
                is_white = part.isspace()
                word += begun and apart and not is_white
                begun, apart = begun or not is_white, is_white
                x -= advance(part, em) if is_rtl else 0
                rect = dict(x=round(x, 3), y=top, width=advance(part, em), height=height)
                x += 0 if is_rtl else advance(part, em)
                answer["glyphs"].append(
                    dict(
                        index=len(answer["glyphs"]),
                        role="glyph",
                        block=number,
                        text=part,
                        range=dict(start=offset, length=len(part)),
                        whitespace=is_white,
                        line=index,
                        word=word,
                        rect=rect,
                        baseline=top + em,
                        color="#000000",
                    )
                )
                offset += len(part)
            apart = True
            offset += 1
            lines.append(
                dict(
                    index=index,
                    rect=dict(x=8, y=top, width=round(width, 3), height=height),
                    runs=[
                        dict(direction="rtl" if is_rtl else "ltr", glyphs=list(range(first, len(answer["glyphs"]))))
                    ],
                )
            )
            top += height
        answer["blocks"].append(dict(index=number, lines=lines))
    return answer


def written(blocks, answer):
    """A layout as the files hold it."""
    return [
        dict(
            text=text,
            size=em,
            isRightToLeft=is_rtl,
            lines=[list(line["rect"].values()) for line in answer["blocks"][number]["lines"]],
            glyphs=[
                {**{key: g[key] for key in ("text", "line", "word", "baseline")}, "rect": list(g["rect"].values())}
                for g in answer["glyphs"]
                if g["block"] == number
            ],
        )
        for number, (text, em, is_rtl) in enumerate(blocks)
    ]


# ----------------------------------------------------------------------------------------------------------- tracks
def instant(seconds):
    ticks = seconds * TICKS
    if abs(ticks % 1 - 0.5) < 1e-4:
        raise Ambiguous
    return math.floor(ticks + 0.5)


def track(timeline, glyph, name, speed):
    """One property of one glyph over the cycle, by docs/effects.md, *Instants*; None where nothing moves it."""
    keys = [(0, 0, R.HOLD)] if name == "opacity" and timeline[0][0] > 0 else []
    for start, duration, tracks, kind in timeline:
        own = [(time, without_noise(value), easing) for time, value, easing in tracks[glyph].get(name, ())]
        # A value that stays from the start or to the end needs no keyframe there.
        while len(own) > 1 and own[0][1] == own[1][1]:
            own.pop(0)
        while len(own) > 1 and own[-1][1] == own[-2][1]:
            own.pop()
        if own:
            keys += [(start, own[0][1], R.HOLD)] if own[0][0] > 0 else []
            keys += [(start + time, value, easing) for time, value, easing in own[:-1]]
            keys += [(start + own[-1][0], own[-1][1], R.HOLD)]
        if kind == "exit" and name == "opacity":
            keys += [(start + duration, 0, R.HOLD)]
    keys = [(instant(time / speed), value, easing) for time, value, easing in keys]
    return simplified(joined(keys)) if keys else None


def in_pieces(easing, name):
    """True if an easing is written in pieces: a function, and for colours one that overshoots, which is cut off."""
    if isinstance(easing, tuple) and name == "fill":
        return not all(0 <= y <= 1 for y in easing[1::2])
    return isinstance(easing, R.Curve)


def without_noise(value):
    """A number without what sums of doubles leave instead of 0."""
    return round(value, 9) + 0.0 if isinstance(value, (int, float)) else value


def joined(keys):
    """Of the keyframes at one instant the last; a ramp that led to it ends one tick before at the first one's value."""
    result = []
    for number, (tick, value, easing) in enumerate(keys):
        if number and keys[number - 1][0] == tick:
            continue
        last = [key for key in keys if key[0] == tick][-1]
        if value != last[1]:
            if not result:
                result += [(0, value, R.HOLD)] if tick > 0 else []
            elif result[-1][1] == value:
                result[-1] = (*result[-1][:2], R.HOLD)
            elif result[-1][2] != R.HOLD:
                if result[-1][0] == tick - 1:
                    result.pop()
                result.append((tick - 1, value, R.HOLD))
        result.append(last)
    return result


def simplified(keys):
    """Without the keyframes within, before and after stretches in which the value stays."""
    result = [
        key
        for number, key in enumerate(keys)
        if any(keys[other][1] != key[1] for other in (number - 1, number + 1) if 0 <= other < len(keys))
    ] or [(0, *keys[0][1:])]
    return result[:-1] + [(*result[-1][:2], R.LINEAR)]


# ---------------------------------------------------------------------------------------------------------- vectors
class File:
    """The vectors of one effect."""

    def __init__(self, effect):
        self.effect, self.easings, self.draws = effect, [], 0

    def unit(self):
        self.draws += 1
        return R.unit(list(RANGES).index(self.effect), 1 << 32, self.draws)

    def choice(self, values):
        return values[int(self.unit() * len(values))]

    def keyframe(self, tick, value, easing):
        """[tick, value, easing's index, or -1 for a jump]; linear goes without saying."""
        head = [tick, float(f"{value:.12g}") if isinstance(value, (int, float)) else packed(value)]
        if easing in (R.LINEAR, R.HOLD):
            return head + [-1] * (easing == R.HOLD)
        if easing not in self.easings:
            self.easings.append(easing)
        return head + [self.easings.index(easing)]

    def parameters(self, number):
        """The defaults, the ends of all ranges, then each choice's values in turn and anything of a range."""
        values = {}
        for name, domain in RANGES[self.effect].items():
            if callable(domain):
                values[name] = domain(self.unit)
            elif number == 0:
                continue
            elif isinstance(domain, list):
                values[name] = domain[number % len(domain)]
            elif number < 3:
                values[name] = domain[number - 1]
            elif self.unit() < 0.75:
                low, high = domain
                share = self.unit() ** 2 if high - low > 1 else self.unit()
                values[name] = round(low + share * min(high - low, 100) / (10 if domain == SECONDS else 1), 3)
                values[name] = int(values[name]) if name in WHOLE else max(values[name], low)
        for least, most in LEAST_AND_MOST:
            if least in values or most in values:
                default = R.DEFAULTS[self.effect]
                ends = sorted([values.get(least, default[least]), values.get(most, default[most])])
                values[least], values[most] = ends
        if values.get("typos"):
            # Only letters that are typed in their order can be mistaken.
            values.update(dict(typos=0) if number % 3 == 0 else dict(by="glyph", order="forward"))
        if self.effect == "typewriter" and number % 7 == 3:
            # Of some texts a line begins with it.
            values.update(by="glyph", order="forward", prompt=["hello!", "a", "ab"][number // 7])
            values.update(pauseAfterCommand=[0, 10, 0.3][number // 7])
        return values

    def request(self, number):
        layouts = NUMBER_LAYOUTS if self.effect in NUMERIC else EDITED_LAYOUTS if self.effect == "rewrite" else LAYOUTS
        name = list(layouts)[number % len(layouts)]
        sequence, exit_ = SEQUENCES[number // 2 % len(SEQUENCES)], EXITS[number % 5]
        if number in (1, 2):
            exit_ = "auto"
        if number == 7:
            # In a queue that loops for ever.
            exit_ = "between"
        more = NUMERIC if self.effect in NUMERIC else []
        others = [effect for effect in COMPLETE + more if effect not in (self.effect, "none")]
        blocks = []
        for index, (text, em, _) in enumerate(layouts[name]):
            is_own = index != 2 or number % 2 == 0
            effect = self.effect if is_own else self.choice(others)
            blocks.append(dict(text=text, size=em, effect=effect, **(self.parameters(number) if is_own else {})))
            if number % 3 == 0:
                blocks[-1]["cursor"] = ["bar", "block", "underscore"][(number + index) % 3]
                blocks[-1]["cursorBlink"] = [1, 0, 0.7][number // 3 % 3]
            else:
                blocks[-1]["cursor"] = "none"
        request = dict(blocks=blocks, sequence=sequence, exit=self.choice(others) if exit_ == "effect" else exit_)
        request["seed"] = int(self.unit() * 2**53)
        if number:
            request.update(
                gap=round(self.unit(), 2),
                delay=[0, 0.3, round(self.unit(), 3)][number % 3],
                hold=[1, 0, round(3 * self.unit(), 2)][number // 3 % 3],
                loop=[1, "infinite", 2][number % 3],
            )
        if self.effect in EMPHATIC:
            request["emphasis"] = self.choice([*EMPHATIC, "wave", "highlight"])
            if number % 2:
                request["emphasisDuration"] = round(2 * self.unit(), 2)
            if number % 3:
                request["emphasisInterval"] = round(self.unit(), 2)
        if self.effect in ("marquee", "scroll"):
            # Of a canvas on which some lines have no room.
            request["width"] = [60, 120, 250][number // 2 % 3]
        if self.effect == "marquee":
            if number % 2:
                request["emphasis"] = "marquee"
            if number % 3:
                request.update(emphasisRate=round(1 + 400 * self.unit(), 1), emphasisInterval=round(self.unit(), 2))
        if number % 4 == 1:
            request["speed"] = round(0.2 + 4 * self.unit(), 2)
        if number % 4 == 3:
            total = check.schedule(request, laid_out(layouts[name], request.get("width", SIDE))).total
            cycle = round(total / (0.4 + 3 * self.unit()), 3)
            request.update(dict(cycle=cycle) if cycle else {})
        return name, request

    def vector(self, number):
        while True:
            name, request = self.request(number)
            try:
                return self.answered(name, request)
            except Ambiguous:
                continue

    def answered(self, name, request):
        answer = laid_out(ALL_LAYOUTS[name], request.get("width", SIDE))
        plan = check.schedule(request, answer)
        if any(has_doubts(plan, *count) for count in check.counts(plan)):
            raise Ambiguous
        rows, _, decoys, cursors, masks, duration = check.expected(request, answer)
        tracks, of_glyph = [], []
        for block, glyphs in enumerate(plan.glyphs):
            for index in range(len(glyphs)):
                known = {}
                for row in rows:
                    entry, key, *_ = row
                    if entry is not glyphs[index][0]:
                        continue
                    keys = track(plan.timeline[block], index, key, plan.speed)
                    if keys and any(in_pieces(easing, key) for *_, easing in keys):
                        known[f"{key} at"] = value_samples(row)
                    else:
                        agree(keys, row)
                        known.update({key: [self.keyframe(*k) for k in keys]} if keys else {})
                if known not in tracks:
                    tracks.append(known)
                of_glyph.append(tracks.index(known))
        return dict(
            layout=name,
            request=without_layout(request),
            duration=instant(duration),
            phases=phases_of(plan),
            tracks=tracks,
            trackOfGlyph=of_glyph,
            decoys=decoy_samples(decoys),
            masks=[
                [entry["index"], instant(start), instant(end), *opened(union([each["rect"] for each in boxes]), sides, answer)]
                for entry, _, start, end, boxes, sides in masks
            ],
            cursors=[
                dict(block=cursor[0], states=list(cursor_samples(answer, cursor, duration))) for cursor in cursors
            ],
        )


class MarkFile(File):
    """The vectors of marks, of any effects."""

    def __init__(self):
        super().__init__("none")

    def unit(self):
        self.draws += 1
        return R.unit(len(RANGES), 1 << 32, self.draws)

    def mark(self, number):
        """A mark, with anything of its ranges, or without times."""
        ends = [(0, 0), (0, 1), (1, 0)]
        delay, duration = ends[number] if number < len(ends) else (round(2 * self.unit(), 3), round(3 * self.unit(), 3))
        return dict(
            mark=MARKS[number % len(MARKS)],
            markDelay=delay,
            markDuration=duration,
            markPadding=[0.1, 0, round(2 * self.unit(), 2)][number % 3],
            **({} if number % 4 == 0 else dict(markStrokes=1 + number % 2)),
        )

    def request(self, number):
        self.effect = self.choice(COMPLETE)
        name, request = super().request(number)
        request.pop("cycle", None)
        for index, block in enumerate(request["blocks"]):
            block.update(self.mark(number + index) if index != 1 else {})
        return name, request

    def answered(self, name, request):
        answer = laid_out(LAYOUTS[name])
        add_marks(answer, request)
        plan = check.schedule(request, answer)
        rows, phases, *_, duration = check.expected(request, answer)
        rows = {(id(entry), key): (entry, key, *rest) for entry, key, *rest in rows}
        strokes = []
        for block, entry, tracks in check.strokes(plan, answer):
            stroke = dict(block=block)
            for key in ("opacity", "draw"):
                keys = [(instant(time / plan.speed), value, easing) for time, value, easing in tracks[key]]
                keys = simplified(joined(keys))
                agree(keys, rows[id(entry), key])
                stroke[key] = [self.keyframe(*each) for each in keys]
            strokes.append(stroke)
        return dict(
            layout=name,
            request=without_layout(request),
            duration=instant(duration),
            phases=[[[instant(time) for time in phase] for phase in own] for own in phases],
            strokes=strokes,
        )


class CardFile(File):
    """The vectors of cards that move, before texts of any effects."""

    def __init__(self):
        super().__init__("none")

    def unit(self):
        self.draws += 1
        return R.unit(len(RANGES) + 1, 1 << 32, self.draws)

    def request(self, number):
        self.effect = self.choice(COMPLETE)
        name, request = super().request(number)
        request.pop("cycle", None)
        request.update(
            cardEffect=CARDS[number % len(CARDS)],
            cardDuration=round(3 * self.unit() + 0.01, 3),
            cardEasing=self.choice(list(R.EASINGS)),
            cardDirection=["up", "down", "left", "right"][number // 5 % 4],
        )
        return name, request

    def answered(self, name, request):
        answer = laid_out(LAYOUTS[name])
        plan = check.schedule(request, answer)
        p, start, (_, end), leaves = plan.card
        d = p["cardDuration"]
        parts = []
        for part in ["ground", "border", "pen"][: 3 if p["cardEffect"] == "draw" else 2]:
            enter = R.card_tracks(part, p, SIDE, SIDE)
            timeline = [(start, d, [enter], "enter")]
            if leaves:
                timeline.append((end, d, R.mirrored([enter], d), "exit"))
            tracks = {key: track(timeline, 0, key, plan.speed) for key in enter}
            parts.append({key: [self.keyframe(*k) for k in keys] for key, keys in tracks.items() if keys})
        spans = [(start, start + d, 0, d)] + [(end, end + d, d, 0)] * leaves
        boxes = [
            [instant(a / plan.speed), instant(z / plan.speed), *R.wiped(p, since, None, SIDE, SIDE), *R.wiped(p, until, None, SIDE, SIDE)]
            for a, z, since, until in spans
        ]
        return dict(
            layout=name,
            request=without_layout(request),
            duration=instant(plan.total / plan.speed),
            phases=phases_of(plan),
            parts=parts,
            masks=boxes if p["cardEffect"] == "wipe" else [],
        )


def add_marks(answer, request):
    """Adds the strokes of marks to a layout, whose glyphs have no ink."""
    for number, block in enumerate(request["blocks"]):
        if "mark" not in block:
            continue
        glyphs = [g for g in answer["glyphs"] if (g["role"], g["block"]) == ("glyph", number)]
        lines = answer["blocks"][number]["lines"]
        for line in lines[:1] if block["mark"] == "quote" else lines:
            seen = [g for g in glyphs if g["line"] == line["index"] and not g["whitespace"]]
            left, right = min(g["rect"]["x"] for g in seen), max(g["rect"]["x"] + g["rect"]["width"] for g in seen)
            rect = dict(x=left, y=line["rect"]["y"], width=right - left, height=0.92 * block["size"])
            for _ in R.mark_lengths(block["mark"], 1, 1, block["size"], strokes=block.get("markStrokes")):
                answer["glyphs"].append(dict(index=len(answer["glyphs"]), role="mark", block=number, line=line["index"],
                                             text="", whitespace=False, color="#000000", rect=rect))


def has_doubts(plan, _, phase, __, text, steps):
    """True if rounding decides what a number says at one of its steps."""
    start, duration = phase
    times = ((start + (step + 0.5) * duration / steps) / plan.speed for step in range(steps))
    return any(text(time) == check.UNSURE for time in times)


def without_layout(request):
    """A request without what the layout says of its blocks, and without cursors that are none."""
    of_layout = ("text", "size")
    blocks = [
        {key: block[key] for key in block if key not in of_layout and (key, block[key]) != ("cursor", "none")}
        for block in request["blocks"]
    ]
    return {**request, "blocks": blocks}


def phases_of(plan):
    """The start and the end of each block's entrance and exit."""
    return [
        [
            [instant(start / plan.speed), instant((start + length) / plan.speed)]
            for start, length, _, kind in phases
            if kind not in ("rewind", "emphasis")
        ]
        for phases in plan.timeline.values()
    ]


def opened(box, sides, answer):
    """A box with its sides at those of the canvas, but for some: x, y, width, height."""
    x, y, width, height = box
    left, top = x if "left" in sides else 0, y if "top" in sides else 0
    right, bottom = x + width if "right" in sides else answer["width"], y + height if "bottom" in sides else answer["height"]
    return left, top, right - left, bottom - top


def union(rects):
    """The least box that holds all: x, y, width, height."""
    left, top = (min(rect[side] for rect in rects) for side in "xy")
    right, bottom = (
        max(rect[side] + rect[length] for rect in rects) for side, length in (("x", "width"), ("y", "height"))
    )
    return [rounded(side) for side in (left, top, right - left, bottom - top)]


def instants(row):
    """The instants between all at which a value may turn or jump, while the glyph shows."""
    _, name, _, opacity, edges = row
    for start, end in zip(edges, edges[1:]):
        for share in (0.25, 0.5, 0.75):
            time = start + (end - start) * share
            if end - start > 0.004 and (name == "opacity" or opacity(time) >= 0.004):
                yield time


def agree(keys, row):
    """Holds joined keyframes to the values that check.py finds between all instants."""
    entry, name, value, *_ = row
    keys = keys or [(0, check.neutral(name), R.LINEAR)]
    if name == "fill":
        keys = [(tick, paint(color, entry), easing) for tick, color, easing in keys]
    for time in instants(row):
        have = R.value_at([(tick / TICKS, *rest) for tick, *rest in keys], time)
        want = paint(value(time), entry) if name == "fill" else value(time)
        near = 0.004 + 1e-3 * check.spread_of(keys) + 2 * slack(row, time)
        assert check.apart(have, want) <= near, (name, time, have, want)


def slack(row, time):
    """How much a value may be off because instants are rounded."""
    _, _, value, *_ = row
    return max(check.apart(value(time + e), value(time)) for e in (-1e-4, 1e-4))


def paint(color, entry):
    """A colour of the request, of a track, or None for the glyph's own, as (r, g, b, alpha), 0 to 1."""
    color = entry["color"] if color is None else color
    return color if isinstance(color, tuple) else check.rgba(color)


def packed(color):
    """A colour as 0xRRGGBBAA, the glyph's own as -1."""
    if color is None:
        return -1
    red, green, blue, alpha = (round(255 * part) for part in check.rgba(color))
    return red << 24 | green << 16 | blue << 8 | alpha


def value_samples(row):
    """[tick, by how much it may be off, value] at most 24 times, of a colour red, green, blue and alpha, premultiplied.

    An easing that is a function is written in pieces that are off by 0.003 of the way at most.
    """
    entry, name, value, *_ = row
    times = list(instants(row))
    values = {time: value(time) for time in times}
    if name == "fill":
        straight = {time: paint(color, entry) for time, color in values.items()}
        values = {time: [*(part * color[3] for part in color[:3]), color[3]] for time, color in straight.items()}
        way = 1
    else:
        way = max(values.values(), default=0) - min(values.values(), default=0)
        values = {time: [number] for time, number in values.items()}
    step = len(times) // 24 + 1
    # The instant that is asked for is rounded too.
    return [
        [round(time * TICKS), float(f"{0.003 * way + 2 * slack(row, time):.4g}"), *map(rounded, values[time])]
        for time in times[len(times) % step // 2 :: step]
    ]


def rounded(number):
    return float(f"{without_noise(number):.9g}")


def decoy_samples(decoys):
    """For each glyph [tick, and the character that shows], at most 48, clear of the changes."""
    samples = []
    for entry, start, end, length, character, way in decoys:
        count = min(int((end - start) / length) + 1, 20_000)
        times = [start + (number + 0.5) * length for number in range(count)]
        # What shows once, for a short time only, is among them.
        turns = [later for time, later in zip(times, times[1:]) if character(time) != character(later)]
        shown = []
        for time in sorted({*times[:: count // 24 + 1], *turns[:24]}):
            tick = round(time * TICKS)
            around = {character(tick / TICKS + e) or () for e in (-2e-4, 0, 2e-4)}
            # Which of several characters stands in depends on the widths of all in a font.
            if tick / TICKS < end and len(around) == 1 and len(stands := around.pop()) <= 1:
                shown.append([tick, *stands])
        samples.append(dict(glyph=entry["index"], **({"step": way} if way else {}), samples=shown))
    return samples


def cursor_samples(answer, cursor, duration):
    """[tick, and where it shows its x and y], at most 60."""
    states = list(check.cursor_states(answer, cursor, duration))
    for time, rect, _ in states[:: len(states) // 60 + 1]:
        yield [round(time * TICKS), *(float(f"{side:.9g}") for side in (rect or ())[:2])]


def text_of(document):
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    layouts = {name: written(blocks, laid_out(blocks)) for name, blocks in ALL_LAYOUTS.items()}
    (folder / "layouts.json").write_text(text_of(layouts) + "\n")
    others = {"marks": MarkFile, "cards": CardFile}
    for effect in sys.argv[2:] or [*RANGES, *others]:
        file = others[effect]() if effect in others else File(effect)
        vectors = [file.vector(number) for number in range(VECTORS)]
        lines = ",\n".join(text_of(vector) for vector in vectors)
        (folder / f"{effect}.json").write_text(f'{{"easings":{text_of(file.easings)},"vectors":[\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
