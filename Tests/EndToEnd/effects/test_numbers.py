"""`count` and `roll`: at every instant the number that is seen is well formed and stands in the columns of the text."""

import io
import json
import re

import numpy
import pytest
from PIL import Image

import check
from frames import by_pillow

R = check.R
AMOUNT = "1,234,567.89"
ZEROS = "0٠۰०০๐၀០"
SEPARATORS = ".,'’٫٬\u00a0\u2009\u202f"
# Nothing is seen in the place of a glyph.
NOTHING = "·"


class Seen:
    """What a scene shows in the place of each glyph, at a time."""

    def __init__(self, server, **request):
        self.scene = server.render("json", **request).json
        sizes = {
            index: run["size"]
            for block in self.scene["blocks"]
            for line in block["lines"]
            for run in line["runs"]
            for index in run["glyphs"]
        }
        self.glyphs = [glyph for glyph in self.scene["glyphs"] if glyph["role"] == "glyph"]
        self.decoys = [glyph for glyph in self.scene["glyphs"] if glyph["role"] == "decoy"]
        self.steps = [max(glyph["rect"]["height"], sizes[glyph["index"]]) for glyph in self.glyphs]
        self.tracks = [
            {name: check.track_of(entry, name) for name in ("opacity", "offsetY")} for entry in self.scene["glyphs"]
        ]
        self.entrance = self.scene["blocks"][0]["enterEnd"]

    def value(self, entry, name, time):
        return R.value_at(self.tracks[entry["index"]][name], time)

    def place(self, glyph, time):
        """The text in a glyph's place: of a drum what is nearest to it."""
        decoys = [decoy for decoy in self.decoys if decoy["glyph"] == glyph["index"]]
        shown = [entry for entry in [glyph, *decoys] if self.value(entry, "opacity", time) > 0.5]
        if not shown:
            return NOTHING
        away = {
            entry["index"]: abs(entry["baseline"] - glyph["baseline"] + self.value(entry, "offsetY", time))
            for entry in shown
        }
        nearest = min(shown, key=lambda entry: away[entry["index"]])
        assert away[nearest["index"]] <= self.steps[glyph["index"]] / 2 + 0.01, (glyph["text"], time)
        still = [entry for entry in shown if "offsetY" not in entry]
        assert len(still) <= 1, (glyph["text"], time, still)
        return nearest["text"]

    def at(self, time):
        return "".join(self.place(glyph, time) for glyph in self.glyphs)

    @property
    def text(self):
        return "".join(glyph["text"] for glyph in self.glyphs)

    @property
    def instants(self):
        """Each instant at which a track changes, and times between them."""
        times = {key[0] for tracks in self.tracks for track in tracks.values() for key in track}
        times = sorted(times | {0, self.scene["duration"]})
        return times + [(a + (b - a) * share) for a, b in zip(times, times[1:]) for share in (0.21, 0.5, 0.83)]

    def all(self, until=None):
        """What is seen, in its order, each once while it stays, up to a time."""
        texts = [self.at(time) for time in sorted(self.instants) if time <= (until or self.entrance)]
        return [text for index, text in enumerate(texts) if index == 0 or text != texts[index - 1]]

    def check_end(self):
        """At the end of the entrance, and from there on, the text is seen and nothing else."""
        for time in (self.entrance, self.entrance + 0.01, self.scene["duration"]):
            assert self.at(time) == self.text
            assert all(self.value(glyph, "offsetY", time) == 0 for glyph in self.glyphs)
            assert all(self.value(decoy, "opacity", time) == 0 for decoy in self.decoys)

    def check_columns(self):
        """Each digit is centred in the column of its final glyph, on the baseline or whole steps away."""
        for decoy in self.decoys:
            glyph = self.scene["glyphs"][decoy["glyph"]]
            middles = [entry["rect"]["x"] + entry["rect"]["width"] / 2 for entry in (decoy, glyph)]
            assert middles[0] == pytest.approx(middles[1], abs=0.01)
            steps = (decoy["baseline"] - glyph["baseline"]) / self.steps[glyph["index"]]
            assert steps == pytest.approx(round(steps), abs=0.001)


def number(text):
    """The value that is seen, of digits of any script, with commas between thousands."""
    shown = text.replace(NOTHING, "").replace("−", "-").replace(",", "").rstrip("%")
    return float(shown)


# Well formed


@pytest.mark.parametrize("zero", ZEROS)
@pytest.mark.parametrize("trend", ["up", "down"])
def test_a_rolling_number_is_whole_at_every_instant(server, zero, trend):
    text = AMOUNT.translate({ord("0") + digit: chr(ord(zero) + digit) for digit in range(10)})
    seen = Seen(server, text=text, effect="roll", trend=trend)
    for time in seen.instants:
        now = seen.at(time)
        assert len(now) == len(text)
        for character, final in zip(now, text):
            assert (character == final) if final in ",." else (0 <= ord(character) - ord(zero) <= 9), (time, now)
    first = re.sub(r"\d", zero, text)
    assert seen.at(0) == first
    seen.check_end()
    seen.check_columns()


@pytest.mark.parametrize("turns", [0, 1, 5])
@pytest.mark.parametrize("trend, way", [("up", 1), ("down", -1)])
def test_a_drum_shows_its_digits_in_turn(server, turns, trend, way):
    seen = Seen(server, text="7", effect="roll", turns=turns, trend=trend, easing="linear", duration=10)
    times = [10 * share / 2000 for share in range(2001)]
    digits = [int(seen.at(time)) for time in times]
    changes = [(a, b) for a, b in zip(digits, digits[1:]) if a != b]
    assert all((b - a) % 10 == way % 10 for a, b in changes)
    assert digits[0] == 0 and digits[-1] == 7
    assert len(changes) == 10 * turns + (7 if trend == "up" else 3)


@pytest.mark.parametrize("easing", ["back-out", "linear", "spring(0.8)", "steps(4)"])
@pytest.mark.parametrize("text, turns", [("7", 0), ("1,904.5", 1), ("٢٠", 5)])
@pytest.mark.parametrize("trend", ["up", "down"])
def test_flaps_fold_up_and_unfold_one_after_another(server, text, turns, trend, easing):
    parameters = dict(turns=turns, trend=trend, easing=easing, duration=2, interval=0.1)
    seen = Seen(server, text=text, effect="roll", flip=True, **parameters)
    parameters = R.complete("roll", dict(parameters, flip=True))
    glyphs = [R.Glyph(each["text"], False, 0, 0, 0, 0, 9, 40, 32) for each in seen.glyphs]
    scale = [check.track_of(entry, "scaleY") for entry in seen.scene["glyphs"]]
    drums = list(R.drums(glyphs, parameters))
    assert len(drums) == sum(each.isdecimal() and (turns > 0 or int(each) > 0) for each in text)
    for index, start, passing, _, zero, _ in drums:
        own = seen.glyphs[index]
        here = [own, *(decoy for decoy in seen.decoys if decoy["glyph"] == own["index"])]
        for time in numpy.linspace(0, seen.entrance, 301):
            place, unfolded = R.flapped(start, passing, parameters, time)
            around = {R.flapped(start, passing, parameters, time + e)[0] for e in (-2e-4, 2e-4)}
            if len(around) > 1 or easing == "steps(4)" and abs(unfolded * 4 % 1 - 0.5) > 0.5 - 1e-6:
                continue
            shown = [entry for entry in here if seen.value(entry, "opacity", time) > 0.5]
            assert [entry["text"] for entry in shown] == [R.drum_text(zero, parameters, place)], time
            assert "clip" not in shown[0]
            slack = 1e-9 if easing == "steps(4)" else 0.02
            near = [R.flapped(start, passing, parameters, time + e)[1] for e in (-1e-4, 0, 1e-4)]
            height = R.value_at(scale[shown[0]["index"]], time)
            assert min(near) - slack <= height <= max(near) + slack, (time, own["text"], place)
    seen.check_end()
    seen.check_columns()


@pytest.mark.slow
@pytest.mark.parametrize("easing", ["back-out", "spring(0.8)", "cubic-bezier(0.3,-1,0.7,2)", "linear(0, 1.4 50%, 1)"])
def test_a_drum_that_goes_too_far_shows_digits_there(server, easing):
    seen = Seen(server, text="93", effect="roll", easing=easing, turns=2)
    times = [seen.entrance * share / 400 for share in range(401)]
    assert all(re.fullmatch(r"\d\d", seen.at(time)) for time in times)
    seen.check_end()


def test_a_number_that_counts_is_well_formed_at_every_instant(server):
    seen = Seen(server, text="10,000,000", effect="count", **{"from": -5}, steps=200, easing="linear", duration=2)
    texts = seen.all()
    for text in texts:
        shown = text.lstrip(NOTHING)
        assert re.fullmatch(r"-?\d{1,3}(,\d{3})*", shown.replace("−", "-")), text
    values = [number(text) for text in texts]
    assert values[0] == -5 and values[-1] == 10_000_000 and values == sorted(values)
    assert len(values) == 201
    seen.check_end()
    seen.check_columns()


@pytest.mark.parametrize("zero", ZEROS)
@pytest.mark.parametrize("easing", ["linear", "back-out", "spring(0.6)", "steps(7)", "bounce", "linear(0, -0.5, 1)"])
def test_decimals_are_complete_and_no_mark_leads(server, zero, easing):
    text = AMOUNT.translate({ord("0") + digit: chr(ord(zero) + digit) for digit in range(10)})
    seen = Seen(server, text=text, effect="count", easing=easing)
    for now in seen.all():
        shown = now.replace(NOTHING, "").removeprefix("−")
        assert re.fullmatch(r"\d{1,3}(,\d{3})*\.\d\d", shown), now
        assert all(0 <= ord(character) - ord(zero) <= 9 for character in shown if character not in ",.")
    seen.check_end()
    seen.check_columns()


# What belongs to a number


@pytest.mark.parametrize(
    "text, first",
    [
        ("1,234,567.89 €", "········0.00 €"),
        ("−42 % of 10,000", "··0 % of ·····0"),
        ("-42", "··0"),
        ("+7, 3.50", "·0, 0.00"),
        ("-$5", "·$0"),
        ("€ 5", "€ 0"),
        ("10-20", "·0-·0"),
        ("10−20", "·0−·0"),
        ("5 -3", "0 ·0"),
        ("v2", "v0"),
        ("v-2", "v-0"),
        ("é-2", "é-0"),
        ("2nd of 30", "0nd of ·0"),
        ("3.142", "0.000"),
        ("1,234", "····0"),
        ("1.234", "0.000"),
        ("1,23", "0,00"),
        ("1.234,5", "····0,0"),
        ("1.234.567", "········0"),
        ("1'000", "····0"),
        ("1’000.5", "····0.0"),
        ("1 000", "0 000"),
        ("1\u00a0000,5", "····0,0"),
        ("1\u202f000", "····0"),
        ("1,, 2.", "0,, 0."),
        ("007", "··0"),
        ("0", "0"),
        ("0.00", "0.00"),
        ("(99.9)", "(·0.0)"),
        ("x² ½ 5", "x² ½ 0"),
        ("1٢", "0٠"),
        ("٤٢ %", "·٠ %"),
    ],
)
def test_numbers_begin_at_nought_and_all_else_stands(server, text, first):
    seen = Seen(server, text=text, effect="count", steps=20)
    assert seen.at(0) == first
    stands = [index for index, character in enumerate(text) if not character.isdecimal() and first[index] == character]
    for now in seen.all():
        digits = [character for character in now if character.isdecimal()]
        assert digits and all(now[index] in (text[index], NOTHING) for index in stands), now
        assert all(now[index] == text[index] for index in stands if text[index] not in SEPARATORS)
    seen.check_end()
    seen.check_columns()
    rolled = Seen(server, text=text, effect="roll", interval=0.01)
    for time in rolled.instants:
        now = rolled.at(time)
        assert all(a.isdecimal() if b.isdecimal() else a == b for a, b in zip(now, text)), now
    rolled.check_end()


@pytest.mark.parametrize(
    "text, request_, first",
    [
        ("1,000", {"from": -1e15}, "−·999"),
        ("1,000", {"from": 1e15}, "9,999"),
        ("3.50", {"from": -1e15}, "0.00"),
        ("13.50", {"from": -1e15}, "−9.99"),
        ("+7", {"from": -1e15}, "−9"),
        ("−7", {"from": -1e15}, "−9"),
        ("−7", {"from": 5}, "·5"),
        ("5%", {"from": -1e15}, "0%"),
        ("12.5", {"from": 2.25}, "·2.3"),
        ("-12.5", {"from": -2.25}, "-·2.3"),
        ("200", {"fromPercent": 50}, "100"),
        ("200", {"fromPercent": 0, "from": 7}, "··0"),
        ("200%", {"fromPercent": 1000}, "999%"),
        ("−200", {"fromPercent": 150}, "−300"),
        ("1,500", {"trend": "down"}, "3,000"),
        ("1,500", {"trend": "down", "from": 1000}, "2,000"),
        ("1,500", {"trend": "down", "fromPercent": 50}, "2,250"),
        ("900%", {"trend": "down"}, "999%"),
    ],
)
def test_where_numbers_begin(server, text, request_, first):
    """In columns as many as are written; test_count.py has the numbers that are all of a text."""
    seen = Seen(server, text=text, effect="count", **request_)
    assert seen.at(0) == first
    values = [number(now) for now in seen.all()]
    assert values in (sorted(values), sorted(values, reverse=True))
    seen.check_end()


@pytest.mark.parametrize("steps", [1, 2, 30, 200])
def test_as_many_values_are_shown_before(server, steps):
    seen = Seen(server, text="9,000", effect="count", steps=steps, easing="linear", duration=2)
    values = [number(now) for now in seen.all()]
    assert values == [round(9000 * step / steps) for step in range(steps)] + [9000]


def test_digits_that_follow_one_another_in_lines_are_numbers_of_their_own(server):
    seen = Seen(server, text="12\n34,\n5 x\n-6", effect="count")
    assert seen.at(0) == "·0·0,0 x·0"
    seen.check_end()


@pytest.mark.parametrize("effect", ["count", "roll"])
def test_arabic_from_right_to_left(server, effect):
    text = "السعر ١٬٢٣٤٫٥ درهم"
    seen = Seen(server, text=text, effect=effect)
    assert seen.at(0) == text.replace("١٬٢٣٤٫٥", "····٠٫٠" if effect == "count" else "٠٬٠٠٠٫٠")
    for now in seen.all():
        assert re.fullmatch(r"السعر [·\d٬]{5}٫\d درهم", now)
    seen.check_end()
    seen.check_columns()


@pytest.mark.parametrize("effect", ["count", "roll"])
def test_markup_within_a_number(server, effect):
    seen = Seen(server, text='<b>1</b>,2<i>34</i> <span size="200%">7</span>', markup=True, effect=effect)
    assert seen.text == "1,234 7"
    assert seen.at(0) == ("····0 0" if effect == "count" else "0,000 0")
    for now in seen.all():
        assert re.fullmatch(r"(····\d|···\d\d|··\d{3}|\d,\d{3}) \d", now)
    seen.check_end()
    seen.check_columns()


# Other lengths


@pytest.mark.parametrize("effect", ["count", "roll"])
@pytest.mark.parametrize("text", ["", "No digits, at all…", "½ ² Ⅷ", "五"])
def test_a_text_without_digits_stands(server, effect, text):
    if not text:
        assert server.post("/render.json", {"text": text, "effect": effect}).status == 400
        return
    seen = Seen(server, text=text, effect=effect)
    assert seen.entrance == 0 and not seen.decoys
    assert server.render("svg", text=text, effect=effect).body.count(b"@keyframes") == 0
    assert all(set(glyph) & {"offsetY", "clip"} == set() for glyph in seen.glyphs)


@pytest.mark.parametrize("digits", [18, 19, 40])
def test_longer_numbers_than_can_be_told_do_not_count(server, digits):
    text = ("1234567890" * 4)[:digits]
    seen = Seen(server, text=text, effect="count", maxWidth="none")
    assert bool(seen.decoys) == (digits == 18)
    if digits == 18:
        values = [int(now.replace(NOTHING, "")) for now in seen.all()]
        assert values == sorted(values) and values[0] == 0 and values[-1] == int(text)
    else:
        assert seen.entrance == 0 and {seen.at(time) for time in seen.instants} == {text}
    # Others beside it do.
    assert Seen(server, text="1" * 30 + " 25", effect="count", maxWidth="none").at(0) == "1" * 30 + " ·0"
    seen.check_end()


@pytest.mark.parametrize("format", ["svg", "json", "png", "gif", "apng", "webp", "lot"])
@pytest.mark.parametrize("effect", ["count", "roll"])
@pytest.mark.parametrize("text", ["7" * 400, " ".join(["77,777,777"] * 40)], ids=["one", "many"])
@pytest.mark.parametrize("most", [False, True])
def test_many_digits_are_rendered_or_refused(server, format, effect, text, most):
    request = dict(text=text, effect=effect, exit="auto", size=8)
    if most:
        request |= {"easing": "cubic-bezier(1,-10,0,10)", **(dict(turns=5) if effect == "roll" else dict(steps=200))}
    answer = server.post(f"/render.{format}", request)
    assert answer.status == 200 or answer.status == 422 and answer.json["errors"], answer.text[:300]
    assert server.get("/health").status == 200


# Ends and beginnings


@pytest.mark.parametrize("effect, more", [("count", {}), ("roll", {}), ("roll", dict(flip=True))])
def test_the_exit_is_the_entrance_run_backwards(server, effect, more):
    seen = Seen(server, text="1,234.5", effect=effect, exit="auto", **more)
    block = seen.scene["blocks"][0]
    length = block["exitEnd"] - block["exitStart"]
    assert length == pytest.approx(block["enterEnd"], abs=2e-4)
    for share in numpy.linspace(0.003, 0.997, 97):
        there, back = (seen.at(time) for time in (share * length, block["exitEnd"] - share * length))
        around = {seen.at(block["exitEnd"] - share * length + e) for e in (-2e-4, 2e-4)}
        assert there == back or there in around, share
    assert seen.at(block["exitEnd"] + 1e-4) == NOTHING * len(seen.text)


def test_drums_turn_back_before_a_loop_begins_again(server):
    seen = Seen(server, text="1,234", effect="roll", loop="infinite")
    duration = seen.scene["duration"]
    assert seen.at(duration - 0.001) == seen.at(0) == "0,000"
    assert all(re.fullmatch(r"\d,\d{3}", seen.at(duration - 0.3 * share / 100)) for share in range(1, 100))


@pytest.mark.parametrize("more", [dict(effect="count"), dict(effect="roll", flip=True)])
def test_a_cursor_stands_beside_the_text(server, more):
    """Not beside each digit that changes."""
    for text in ("1,234", "9 % of 200 €"):
        scene = server.render("json", text=text, cursor="bar", exit="auto", **more).json
        cursor = next(glyph for glyph in scene["glyphs"] if glyph["role"] == "cursor")
        right = scene["glyphs"][len(text) - 1]["rect"]
        assert cursor["rect"]["x"] == pytest.approx(right["x"] + right["width"], abs=0.01)
        assert "offsetX" not in cursor and "offsetY" not in cursor


@pytest.mark.parametrize("effect", ["count", "roll"])
def test_decoys_have_the_paint_of_the_text(server, effect):
    request = dict(text="1,234", effect=effect, color="linear-gradient(red, blue)", outlineWidth=2, shadow="1px 1px #000")
    seen = Seen(server, **request)
    assert {glyph["color"] for glyph in seen.scene["glyphs"]} == {seen.glyphs[0]["color"]}
    if effect == "roll":
        # Shadows are not cut, and so those of passing digits are not drawn.
        assert all(check.track_of(decoy, "shadowOpacity") == [(0, 0, R.LINEAR)] for decoy in seen.decoys)


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
@pytest.mark.parametrize("effect", ["count", "roll"])
def test_the_last_frame_is_the_still_picture(server, format, effect):
    request = dict(text="−1,234.50 €", effect=effect, background="white", color="black")
    still = server.render("png", time="end", **request).body
    expected = numpy.asarray(Image.open(io.BytesIO(still)).convert("RGBA"))
    animation = by_pillow(server.render(format, **request).body)
    assert len(animation.frames) > 10
    # A GIF of one colour on another has 32 shades of them, 8.2 apart.
    assert abs(animation.frames[-1].astype(int) - expected).max() <= (5 if format == "gif" else 0)


@pytest.mark.parametrize("share", [0.1, 0.35, 0.6, 0.9])
def test_nothing_of_a_drum_is_drawn_outside_of_its_box(server, share):
    request = dict(text="8 8", effect="roll", background="white", color="black", padding=80, size=40)
    seen = Seen(server, **request)
    png = server.render("png", time=round(share * seen.entrance, 4), **request).body
    ink = numpy.asarray(Image.open(io.BytesIO(png)).convert("L")) < 250
    rows, columns = (numpy.flatnonzero(ink.any(axis=axis)) for axis in (1, 0))
    box = seen.scene["blocks"][0]["rect"]
    assert box["y"] - 1 <= rows[0] and rows[-1] <= box["y"] + box["height"] + 1
    assert box["x"] - 1 <= columns[0] and columns[-1] <= box["x"] + box["width"] + 1


@pytest.mark.parametrize(
    "parameters, fault",
    [
        (dict(effect="count", steps=0), "steps"),
        (dict(effect="count", steps=201), "steps"),
        (dict(effect="count", steps=2.5), "steps"),
        (dict(effect="count", trend="sideways"), "trend"),
        (dict(effect="count", fromPercent=-1), "fromPercent"),
        ({"effect": "count", "from": 2e15}, "from"),
        (dict(effect="roll", turns=6), "turns"),
        (dict(effect="roll", steps=3), "steps"),
        (dict(effect="count", turns=3), "turns"),
        (dict(effect="roll", flip="maybe"), "flip"),
        (dict(effect="count", flip=True), "flip"),
    ],
    ids=json.dumps,
)
def test_values_that_are_out_of_range(server, parameters, fault):
    answer = server.post("/render.svg", {"text": "42", **parameters})
    assert answer.status == 400 and answer.faults == [fault]


@pytest.mark.parametrize("effect", ["count", "roll"])
def test_a_text_without_digits_stands_with_a_warning(server, effect):
    blocks = [dict(text="12 ghosts"), dict(text="no ghosts")]
    warnings = server.render("json", blocks=blocks, effect=effect).json["warnings"]
    assert [(warning["code"], warning["block"]) for warning in warnings] == [("no-digits", 1)]
    assert effect in warnings[0]["message"]
    assert server.render("json", text="no ghosts", effect="fade").json["warnings"] == []
