"""Masks cut ink where it comes from, and nothing else; nothing jumps when they end."""

import numpy
import pytest

from browser_motion import SEEK
from frames import scene_of
from picture import ink, pixels, screenshot

STYLE = dict(text="Type\ngoes up", size=40, padding=60, room="none", background="white", color="black")
SHADOW = {"shadow": "0 2px 24px #000c"}
OUTLINE = {"outlineWidth": 8, "outlineColor": "#d33"}
MASKED = {
    "rise": dict(effect="rise"),
    "slide": dict(effect="slide", mask="item", direction="left", by="word"),
    "spring": dict(effect="slide", mask="line", easing="spring(0.6)", distance=1),
    "drop": dict(effect="drop", mask="line"),
    "pop": dict(effect="pop", mask="item"),
    "blurred": dict(effect="custom", mask="line", keyframes=[{"y": "110%", "blur": 0.3}], easing="linear"),
}


def still(server, request, time):
    return pixels(server.render("png", **request, time=round(time, 4)).body)


@pytest.mark.parametrize("name", MASKED)
def test_nothing_jumps_when_a_mask_ends(server, name):
    """Around the end no pixel changes by more than it does without a mask, but for shadows that appear."""
    request = STYLE | SHADOW | OUTLINE | dict(hold=2, exit="none") | MASKED[name]
    end = scene_of(server, request)["blocks"][0]["enterEnd"]

    def change(**more):
        return numpy.abs(still(server, request | more, end - 0.002) - still(server, request | more, end + 0.002))

    # In four milliseconds a shadow that appears in a fifth of a second darkens by so much. What is cut on all sides
    # while it overshoots is cut by a fraction of a pixel.
    assert (change() - change(mask="none")).max() <= 255 * (0.12 if name == "pop" else 0.03)


def test_the_reported_jump_is_gone(server):
    request = dict(text="Rising", effect="rise", size=64, background="white") | SHADOW
    before, after = (still(server, request, time) for time in (0.78, 0.82))
    assert numpy.abs(before - after).max() <= 255 * 0.08


@pytest.mark.parametrize("name", MASKED)
def test_only_the_sides_that_ink_comes_from_are_cut(server, name):
    """Within the box's cut sides the picture is that without a mask, beyond them nothing has ink."""
    request = STYLE | OUTLINE | dict(text="Type", exit="none") | MASKED[name]
    scene = scene_of(server, request)
    canvas = scene["width"], scene["height"]
    boxes = [glyph["clip"][0] for glyph in scene["glyphs"] if not glyph["whitespace"]]
    left, top = (max(box[side] for box in boxes) for side in "xy")
    right = min(box["x"] + box["width"] for box in boxes)
    bottom = min(box["y"] + box["height"] for box in boxes)
    cut = {
        side
        for side, is_cut in dict(left=left > 0, top=top > 0, right=right < canvas[0], bottom=bottom < canvas[1]).items()
        if is_cut
    }
    assert cut == {"slide": {"right"}, "drop": {"top"}, "pop": {"left", "top", "right", "bottom"}}.get(name, {"bottom"})
    if name == "pop":
        return
    for share in (0.2, 0.4, 0.6):
        time = share * scene["blocks"][0]["enterEnd"]
        masked, whole = still(server, request, time), still(server, request | dict(mask="none"), time)
        inside = (slice(int(top + 1), int(bottom)), slice(int(left + 1), int(right)))
        assert (masked[inside] == whole[inside]).all()
        beyond = ink(masked, 255)
        beyond[int(top) : int(bottom) + 1, int(left) : int(right) + 1] = 0
        assert beyond.max() == 0


def test_shadows_appear_while_the_glyph_arrives(server):
    request = STYLE | SHADOW | dict(effect="rise", text="Type", hold=1)
    glyph = scene_of(server, request)["glyphs"][0]
    times = [(key["time"], key["value"]) for key in glyph["shadowOpacity"]]
    assert times == [(0.4, 0), (0.8, 1)]
    assert "shadowOpacity" not in scene_of(server, request | dict(shadow="none"))["glyphs"][0]
    assert "shadowOpacity" not in scene_of(server, request | dict(mask="none"))["glyphs"][0]
    # At first the black letters are all that has ink: what is grey is at their edges.
    early = still(server, request, 0.3)
    bare = still(server, request | dict(shadow="0 2px 24px transparent"), 0.3)
    assert (early == bare).all()


def test_what_goes_back_at_the_end_of_a_loop_stays_behind_its_mask(server):
    request = STYLE | dict(effect="rise", text="Type", loop="infinite", hold=0.5)
    scene = scene_of(server, request)
    clips = scene["glyphs"][0]["clip"]
    assert [clip["end"] for clip in clips][-1] == scene["duration"]
    assert clips[-1]["start"] == pytest.approx(scene["duration"] - 0.3, abs=1e-3)
    bottom = clips[-1]["y"] + clips[-1]["height"]
    way_back = still(server, request, scene["duration"] - 0.1)
    inked = ink(way_back, 255)
    assert inked[: int(bottom)].max() > 0 and inked[int(bottom) + 1 :].max() == 0


@pytest.mark.parametrize("name", ["rise", "slide", "drop"])
def test_a_browser_shows_the_same(server, page, name):  # noqa: F811
    request = STYLE | SHADOW | OUTLINE | dict(hold=1, exit="none") | MASKED[name]
    scene = scene_of(server, request)
    page.set_viewport_size(dict(width=round(scene["width"]), height=round(scene["height"])))
    page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
    for share in (0.3, 0.7, 0.95, 1):
        time = share * scene["blocks"][0]["enterEnd"]
        page.evaluate(SEEK, time)
        shown, wanted = pixels(screenshot(page)), still(server, request, time)
        assert numpy.abs(shown - wanted).mean() <= 2.5, time
