"""Numbers that count from more digits than are written."""

import pytest

from service import query


def states(server, **request):
    """What is read from left to right at each change, of a text that is one number."""
    scene = server.get(f"/render.json?{query(dict(effect='count', cursor='none') | request)}").json
    shows = []
    for glyph in scene["glyphs"]:
        # The first value counts from the beginning.
        spans, start = [], 0 if glyph["opacity"][0]["value"] else None
        for keyframe in glyph["opacity"]:
            if keyframe["value"] == 1 and start is None:
                start = keyframe["time"]
            elif keyframe["value"] == 0 and start is not None:
                spans.append((start, keyframe["time"]))
                start = None
        spans += [(start, 1e9)] if start is not None else []
        shows.append((glyph["rect"]["x"], glyph["text"], spans))
    times = sorted({time for _, _, spans in shows for span in spans for time in span if time < 1e9})
    seen = ["".join(text for _, text, spans in sorted(shows) if any(start <= time < end for start, end in spans)) for time in times]
    return [one for number, one in enumerate(seen) if number == 0 or one != seen[number - 1]]


def test_ten_counts_to_nothing(server):
    assert states(server, text="0", **{"from": 10}) == [*map(str, range(10, -1, -1))]


@pytest.mark.parametrize("easing", ["linear", "ease-in-out", "ease-out"])
def test_each_of_a_few_values_shows(server, easing):
    assert states(server, text="97", easing=easing, steps=20, **{"from": 110}) == [*map(str, range(110, 96, -1))]


def test_a_first_value_below_zero_has_a_column_for_its_minus(server):
    assert states(server, text="3", **{"from": -3}) == ["−3", "−2", "−1", "0", "1", "2", "3"]


def test_of_many_values_steps_show(server):
    seen = states(server, text="7", steps=5, easing="linear", **{"from": 1007})
    assert seen == ["1007", "807", "607", "407", "207", "7"]


@pytest.mark.parametrize("text", ["0 left", "T 0", "+0", "$0"])
def test_beside_other_text_a_number_keeps_its_columns(server, text):
    assert not any("10" in state for state in states(server, text=text, **{"from": 10}))
