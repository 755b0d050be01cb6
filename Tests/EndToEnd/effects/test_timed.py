"""Texts that come and go at times of their own, in pictures, in the JSON, and in requests."""

import pytest

from picture import ink, pixels

WHITE = (255, 255, 255)
COMMON = dict(sequence="timed", effect="none", size=40, width=500, height=300, background="#fff", cursor="none")
OVERLAPPING = [dict(text="stands long", at=0, until=6), dict(text="comes", at=1, until=3), dict(text="and again", at=4, until=5)]


def rows(server, **request):
    """The first and the last row of ink, or None."""
    inked = ink(pixels(server.render("png", **COMMON | request).body), WHITE).sum(axis=1).nonzero()[0]
    return (inked[0], inked[-1]) if len(inked) else None


@pytest.mark.parametrize("valign", ["top", "middle", "bottom"])
def test_blocks_are_stacked_away_from_the_edge(server, valign):
    scene = server.render("json", **COMMON, blocks=OVERLAPPING, valign=valign).json
    first, second, third = (block["rect"] for block in scene["blocks"])
    below = first["y"] + first["height"] + 16
    above = first["y"] - 16 - second["height"]
    assert second["y"] == pytest.approx(above if valign == "bottom" else below, abs=0.05)
    assert third["y"] == pytest.approx(second["y"], abs=0.05)
    alone = server.render("json", **COMMON, blocks=OVERLAPPING[:1], valign=valign).json["blocks"][0]["rect"]
    assert alone == first, "blocks do not move each other"
    one, both = (rows(server, blocks=OVERLAPPING, valign=valign, time=time) for time in (0.5, 2))
    assert both[0] < one[0] if valign == "bottom" else both[1] > one[1]
    assert rows(server, blocks=OVERLAPPING, valign=valign, time=3.5) == one


def test_blocks_have_alignments_of_their_own(server):
    blocks = [dict(text="a", at=0, align="right", valign="top"), dict(text="b", at=0), dict(text="c", at=0, align="center")]
    scene = server.render("json", **COMMON, blocks=blocks, valign="bottom", align="left").json
    first, second, third = (block["lines"][0]["rect"] for block in scene["blocks"])
    assert first["x"] + first["width"] == pytest.approx(484, abs=0.1) and first["y"] < 40
    assert second["x"] == pytest.approx(16, abs=0.1)
    assert third["x"] + third["width"] / 2 == pytest.approx(250, abs=0.1)
    assert second["y"] > third["y"] > 100


def test_a_block_shows_in_its_time_only(server):
    blocks = [dict(text="one", at=0.5, until=1), dict(text="two", at=1), dict(text="three", at=2.25, until=3)]
    for exit in ("between", "none"):
        shown = {time: rows(server, blocks=blocks, exit=exit, time=time) for time in (0, 0.4999, 0.5, 0.9999, 1, 2.2, 2.25, 2.9999)}
        assert [time for time, found in shown.items() if found is None] == [0, 0.4999]
        scene = server.render("json", **COMMON, blocks=blocks, exit=exit).json
        assert scene["duration"] == 3
        assert [(block["at"], block["until"]) for block in scene["blocks"]] == [(0.5, 1), (1, 2.25), (2.25, 3)]


def test_an_offset_moves_everything(server):
    blocks = [dict(text="one two", at=1, until=3, times=[dict(text="one", at=1.5, until=2), dict(text="two", at=2, until=2.5)])]
    plain, later, earlier, gone = (
        server.render("json", **COMMON, blocks=blocks, offset=offset).json for offset in (0, 0.5, -1.75, -3600)
    )
    times = [(word["at"], word["until"]) for word in plain["blocks"][0]["times"]]
    assert times == [(1.5, 2), (2, 2.5)] and plain["duration"] == 3
    assert later["duration"] == 3.5 and later["blocks"][0]["at"] == 1.5
    assert [(word["at"], word["until"]) for word in earlier["blocks"][0]["times"]] == [(0, 0.25), (0.25, 0.75)]
    assert earlier["blocks"][0]["at"] == 0 and earlier["duration"] == 1.25
    assert gone["duration"] == 0 or gone["blocks"][0]["until"] == 0


def test_json_says_which_glyphs_a_word_has(server):
    request = dict(text="Hi, (old) friend!", at=0, until=4,
                   times=[dict(text="Hi", at=0.5), dict(text="old", at=1, until=2), dict(text="friend", at=2.5)])
    scene = server.render("json", **COMMON, **request).json
    texts = [
        "".join(glyph["text"] for glyph in scene["glyphs"][word["first"] : word["last"] + 1])
        for word in scene["blocks"][0]["times"]
    ]
    assert texts == ["Hi, ", "(old) ", "friend!"]
    assert [(word["at"], word["until"]) for word in scene["blocks"][0]["times"]] == [(0.5, 1), (1, 2), (2.5, 4)]


def test_a_block_begins_with_its_first_word_unless_it_says(server):
    times = [dict(text="late", at=2, until=3)]
    scene = server.render("json", **COMMON, text="late", times=times, hold=0.5).json
    assert scene["blocks"][0]["at"] == 2 and scene["duration"] == 3.5


@pytest.mark.parametrize("effect", ["fade", "slide", "typewriter", "pop"])
def test_items_by_word_follow_the_times(server, effect):
    times = [dict(text="one", at=0.5), dict(text="two", at=1.7), dict(text="three", at=1.8)]
    request = COMMON | dict(text="one two three", at=0.25, until=4, times=times, effect=effect, by="word")
    scene = server.render("json", **request).json
    starts = [scene["glyphs"][word["first"]]["opacity"] for word in scene["blocks"][0]["times"]]
    for word, opacity in zip(times, starts):
        first = next(key for key, after in zip(opacity, opacity[1:] + opacity[-1:]) if after["value"] > 0)
        assert min(abs(key["time"] - word["at"]) for key in opacity) < 1e-4, (effect, first)


@pytest.mark.parametrize("effect, exit", [("zoom", "auto"), ("fade", "fade"), ("typewriter", "slide"), ("slide", "auto")])
def test_an_entrance_and_an_exit_without_room_meet_at_one_instant(server, effect, exit):
    lengths = [tick / 10_000 for tick in [*range(1, 60), *range(500, 1500, 10)]]
    blocks, time = [], 0
    for number, length in enumerate(lengths):
        words = [dict(text="and", at=time + length / 3)] if number % 2 else []
        mark = "circle" if number % 3 == 0 else "none"
        block = dict(text="so and so", at=round(time, 4), until=round(time + length, 4), mark=mark)
        blocks.append(block | (dict(times=words) if words else {}))
        time += length
    request = dict(sequence="timed", by="word", effect=effect, exit=exit, blocks=blocks, width=400)
    scene = server.render("json", **request).json
    for block in scene["blocks"]:
        assert block["enterStart"] <= block["enterEnd"] <= block["exitStart"] <= block["exitEnd"] == block["until"]
    for glyph in scene["glyphs"]:
        for keys in (value for value in glyph.values() if isinstance(value, list)):
            times = [key["time"] for key in keys if "time" in key]
            assert times == sorted(set(times))
    for number in (3, 40, 90, 150):
        assert server.render("png", **request, time=round(blocks[number]["at"], 4)).body.startswith(b"\x89PNG")


def test_a_thousand_blocks_are_one_request(server):
    blocks = [dict(text="ab"[number % 2], at=number / 10) for number in range(1000)]
    scene = server.post("/render.json", COMMON | dict(blocks=blocks, hold=0)).json
    assert len(scene["blocks"]) == 1000 and scene["duration"] == pytest.approx(99.9, abs=0.1)


def test_a_time_past_the_limit_is_refused(server):
    reply = server.post("/render.json", COMMON | dict(text="x", at=500, until=501))
    assert reply.status == 422
