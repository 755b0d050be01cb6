"""Requests of the ends of all ranges, and the invariants of their scenes."""

import random

import check
from check import R, track_of
from random_requests import MARKS, PLAYBACK, some, sorted_pairs, with_its_pair, with_order_of_typing, with_times, within_limits

COUNT = 150
LARGEST = 2_000_000  # bytes of JSON: larger scenes take minutes to check
TEXTS = ["x", "two\nlines", "שלום עולם", "👻🎃 🙂", "  a  ", "ﬃ e\u0301", "one word after another, many of them"]


def extreme_request(catalogue, seed):
    """Draws a request of the ends of ranges, among them phases of no duration."""
    generator, marking = random.Random(seed), random.Random(f"mark {seed}")
    count = generator.choice([1, 1, 2, 3, 32])
    # With the ends of all ranges hardly any request would keep to the limit.
    longest = generator.choice([0.1, 1, None])

    def block():
        effect = generator.choice(list(catalogue.effects))
        parameters = catalogue.effects[effect]
        given = [name for name, each in parameters.items() if generator.random() < 0.7 or each.is_required]
        given = with_its_pair(given, parameters)
        ends = {name: each.extreme(generator, longest) for name, each in parameters.items() if name in given}
        cursor, blink = (catalogue.parameters[name].extreme(generator) for name in ("cursor", "cursorBlink"))
        marks = {name: catalogue.parameters[name].extreme(marking, longest) for name in MARKS}
        return {
            "text": generator.choice(TEXTS),
            "effect": effect,
            **sorted_pairs(ends),
            **some(generator, 0.3, cursor=cursor, cursorBlink=blink),
            **some(generator, 0.3, size=generator.choice([4, 20, 60])),
            **(some(marking, 0.7, **marks) if marking.random() < 0.3 else {}),
        }

    blocks = [block() for _ in range(count)]
    playback = some(
        generator,
        0.6,
        **{name: catalogue.parameters[name].extreme(generator, longest) for name in [*PLAYBACK, "cursor"]},
    )
    if playback.get("sequence") == "timed":
        # In Tests/Reference, letters that stand in for others have time.
        playback, blocks = with_times(playback, blocks, random.Random(f"times {seed}"), (0.0001, 0.0007, 0.3333, 2))
    return {"spacing": 0, "padding": 4, **playback, "blocks": with_order_of_typing({}, blocks)}


def faults_of(scene, speed):
    """Yields the violations of the invariants of scenes."""
    duration, blocks = scene["duration"], scene["blocks"]
    # What loops for ever without an exit may go back to its beginning at the end of the cycle.
    stays = duration - (R.REWIND / speed if scene["loop"] == "infinite" else 0)
    marked = {glyph["block"] for glyph in scene["glyphs"] if glyph["role"] == "mark"}
    sliced = {glyph["block"] for glyph in scene["glyphs"] if glyph["role"] == "slice"}
    for block in blocks:
        phases = [block[name] for name in ("enterStart", "enterEnd", "exitStart", "exitEnd") if block[name] is not None]
        if phases != sorted(phases) or len(phases) % 2 or phases[0] < 0 or phases[-1] > duration:
            yield f"block {block['index']}: phases {phases} of {duration}"
    for glyph in scene["glyphs"]:
        where = f"{glyph['role']} {glyph['index']} {glyph['text']!r}"
        for name in check.PROPERTIES:
            keys = glyph.get(name)
            if keys is None:
                continue
            times = [key["time"] for key in keys]
            if not keys or any(a >= b for a, b in zip(times, times[1:])) or not 0 <= times[0] <= times[-1] <= duration:
                yield f"{where}: {name} at {times}, in a cycle of {duration}"
        block = blocks[glyph["block"]]
        phases = [(block["enterStart"], block["enterEnd"]), (block["exitStart"], block["exitEnd"])]
        masked = [(span["start"], span["end"]) for span in glyph.get("clip", []) if span["start"] < stays - 1e-4]
        if block["index"] in marked:
            # Its mark is drawn after the mask.
            enter, leave = phases
            masked = [(start, enter[1] if start == enter[0] and end != leave[1] else end) for start, end in masked]
        if glyph["role"] == "slice" or glyph["role"] == "decoy" and block["index"] in sliced:
            # It shows for moments only, as the halves of `flap` do.
            masked = [] if masked == [(0, duration)] else masked
        elif block["index"] in sliced:
            # Slices are cut out of glyphs for parts of a phase.
            masked = list(dict.fromkeys(within(span, phases) for span in masked))
        if masked != [phase for phase in phases if phase in masked and phase[0] != phase[1]]:
            yield f"{where}: masked {masked}, in phases {phases}"
        if glyph["role"] == "glyph":
            yield from (f"{where}: {fault}" for fault in faults_of_glyph(glyph, block, duration, stays))
        elif glyph["role"] == "decoy":
            leaves = stays if block["exitStart"] is None else block["exitStart"]
            for start, end in ((block["enterEnd"], leaves), (block["exitEnd"], duration)):
                if start is not None and shows(glyph, start, end):
                    yield f"{where}: shows between {start} and {end}"


def within(span, phases):
    """The phase that a span of time lies within; the span itself where there is none."""
    for start, end in phases:
        if start is not None and start <= span[0] and span[1] <= end:
            return start, end
    return span


def faults_of_glyph(glyph, block, duration, stays):
    start, stands = block["enterStart"], block["enterEnd"]
    leaves, gone = block["exitStart"], block["exitEnd"]
    if shows(glyph, 0, start):
        yield f"shows before {start}"
    if gone is not None and (shows(glyph, gone, duration) or is_shown(glyph, gone)):
        yield f"shows after {gone}"
    # A phase's first instant is its own: the text stands until right before.
    until = stays if leaves is None else leaves
    for time in {stands, (stands + until) / 2, max(stands, until - 1e-4)} if until > stands else set():
        # A line that is not drawn may have any width.
        for name in [name for name in check.PROPERTIES if name != "strokeWidth"]:
            rest = check.rgba(glyph["color"]) if name == "fill" else check.neutral(name)
            if (have := value(glyph, name, time)) != rest:
                yield f"{name} at {time} is {have}, between {stands} and {until}"


def value(glyph, name, time):
    return R.value_at(track_of(glyph, name), time)


def is_shown(glyph, time):
    return value(glyph, "opacity", time) > 0


def shows(glyph, start, end):
    """Returns True if a glyph is visible between two instants, without the second."""
    edges = sorted({start, end, *(key["time"] for key in glyph["opacity"] if start < key["time"] < end)})
    return any(is_shown(glyph, a + (b - a) * share) for a, b in zip(edges, edges[1:]) for share in (0, 0.5, 0.99))


def what_holds_of_every_scene(server, seed):
    request = within_limits(server, f"extreme {seed}", extreme_request, LARGEST)
    scene = server.render("json", **request).json
    assert [*faults_of(scene, request.get("speed", 1))] == [], request
    assert server.render("svg", **request).body.startswith(b"<svg ")
    middle = min(120, round(scene["duration"] * 0.37, 4))
    for time in ("end", middle):
        assert server.render("png", **request, time=time).body.startswith(b"\x89PNG")
