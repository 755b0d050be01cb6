"""At rest every effect shows what a text without an effect shows, to the pixel, in every script."""

import pytest

from picture import pixels
from script_texts import SCRIPTS

# A cursor, even one that goes when the text has arrived, needs room of its own.
STYLE = dict(size=64, padding=60, room="none", cursor="none")
NEEDED = {"custom": {"keyframes": [{"opacity": 0}, {"opacity": 1}]}}
# The finished text, and the instant at which the animation ends.
MOMENTS = [{}, {"time": 120}]


@pytest.mark.parametrize("script", SCRIPTS)
def test_rest_equals_a_text_without_an_effect(server, script):
    request = STYLE | dict(text=SCRIPTS[script])
    wanted = pixels(server.render("png", effect="none", **request).body)
    for effect in (entry["name"] for entry in server.get("/effects").json["effects"]):
        for moment in MOMENTS:
            shown = server.render("png", effect=effect, **NEEDED.get(effect, {}), **moment, **request)
            assert (pixels(shown.body) == wanted).all(), (effect, moment)


@pytest.mark.parametrize("script", SCRIPTS)
def test_an_outline_and_a_shadow_rest_too(server, script):
    paint = dict(color="#2468", outlineWidth=3, outlineColor="#d338", shadow="3px 4px 2px #0008")
    request = STYLE | paint | dict(text=SCRIPTS[script])
    wanted = pixels(server.render("png", effect="none", **request).body)
    for effect in ("typewriter", "fade", "slide", "draw", "pop"):
        shown = server.render("png", effect=effect, **request)
        assert (pixels(shown.body) == wanted).all(), effect


def test_an_automatic_cursor_leaves_nothing_behind(server):
    request = dict(text="Typed\ntext", width=400, height=200)
    wanted = server.render("png", effect="none", **request).body
    end = server.render("json", **request).json["blocks"][0]["enterEnd"]
    assert server.render("png", **request).body == server.render("png", **request, time=120).body == wanted
    assert server.render("png", **request, time=end + 0.1).body != wanted
    assert server.render("png", **request, time=end + 0.51).body == wanted
