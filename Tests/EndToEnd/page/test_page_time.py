"""The preview page's player: the timeline, its marks, and reduced motion."""

import pytest

import catalogue_checks
from preview_page import NARROW, SHOWN, THREE, TIMES


def test_restart_goes_back_to_the_start_and_plays(visit):
    tab = visit({"text": "Again", "effect": "slide", "duration": "10", "interval": "0"})
    tab.shows("Again")
    timeline = tab.locator(".timeline")
    timeline.fill("0.5")
    tab.holds(f"{TIMES}.every((time) => time > 4000)", "the middle")
    tab.locator("[aria-label=Restart]").click()
    tab.holds(f"{TIMES}.every((time) => time < 2000)", "the start")
    tab.holds(f"{TIMES}.every((time) => time > 0)", "that it plays")
    assert tab.locator("[aria-label=Pause]").count() == 1


def test_the_timeline_seeks_and_play_goes_on_from_there(visit):
    tab = visit({"text": "Seek", "effect": "slide", "duration": "9", "interval": "1"})
    tab.shows("Seek")
    tab.locator(".timeline").fill("0.5")
    tab.locator("[aria-label=Play]").wait_for()
    stood = tab.page.evaluate(TIMES)
    assert stood == [pytest.approx(6500)] * len(stood)
    tab.locator("[aria-label=Play]").click()
    tab.holds(f"{TIMES}.every((time) => time > 6500 && time < 9000)", "that it goes on")
    tab.locator("[aria-label=Pause]").click()
    stood = tab.page.evaluate(TIMES)
    tab.locator(".timeline").press("ArrowRight")
    assert tab.page.evaluate(TIMES) == [pytest.approx(time + 40) for time in stood]
    assert tab.page.evaluate(TIMES) == tab.page.evaluate(TIMES)


def test_a_new_colour_keeps_the_instant(visit):
    tab = visit({"text": "Instant", "effect": "slide", "duration": "5"})
    tab.shows("Instant")
    tab.locator(".timeline").fill("0.25")
    before, stood = tab.address(), tab.page.evaluate(TIMES)
    tab.control("color").fill("teal")
    tab.another_than(before)
    assert tab.page.evaluate(TIMES) == [pytest.approx(time) for time in stood]


def test_a_change_is_seen_at_the_end_and_then_plays(visit):
    tab = visit({"text": "Whole", "effect": "slide", "duration": "5", "darkColor": "white"})
    tab.shows("Whole")
    tab.locator("[aria-label=Pause]").wait_for()
    for name, value in [("text", "Whole words"), ("color", "teal"), ("size", "36")]:
        before = tab.address()
        tab.control(name).and_(tab.page.locator("input[type=text], textarea")).fill(value)
        assert tab.locator(".timeline").input_value() == "1"
        tab.another_than(before)
        tab.locator("[aria-label=Pause]").wait_for()
        tab.holds(f"{TIMES}.some((time) => time > 0 && time < 3000)", "that it plays from its start")
    tab.is_quiet()


@pytest.mark.parametrize("loop", ["3", "infinite"])
def test_the_timeline_of_a_loop_is_one_cycle(visit, loop):
    tab = visit({"text": "Round", "effect": "slide", "exit": "auto", "duration": "4", "loop": loop})
    tab.shows("Round")
    timeline = tab.locator(".timeline")
    cycle = float(tab.page.evaluate("document.querySelector('.whole').textContent").strip("/ s")) * 1000
    timeline.fill("0.5")
    assert all(time == pytest.approx(cycle / 2) for time in tab.page.evaluate(TIMES))
    # The cycle's end is not the start of the next one.
    timeline.fill("1")
    assert all(cycle - 1 < time < cycle for time in tab.page.evaluate(TIMES))
    assert float(timeline.input_value()) == pytest.approx(1, abs=1e-3)
    tab.locator("[aria-label=Play]").click()
    tab.holds(f"{TIMES}.every((time) => time > {cycle})", "the second cycle")
    timeline.fill("0.25")
    assert all(time == pytest.approx(cycle * 1.25) for time in tab.page.evaluate(TIMES))
    assert float(timeline.input_value()) == pytest.approx(0.25)
    tab.locator("[aria-label=Restart]").click()
    tab.holds(f"{TIMES}.every((time) => time < {cycle / 4})", "the first cycle")
    tab.is_quiet()


def test_the_last_cycle_ends_as_the_animation_does(visit):
    tab = visit({"text": "End", "effect": "slide", "interval": "0", "duration": "0.2", "hold": "0", "loop": "2"})
    tab.shows("End")
    tab.holds("document.querySelector('.timeline').value === '1'", "the end")
    tab.locator("[aria-label=Play]").wait_for()
    tab.locator(".timeline").fill("1")
    assert all(time == pytest.approx(400) for time in tab.page.evaluate(TIMES))


@pytest.mark.parametrize("sequence", ["queue", "together", "replace"])
def test_marks_show_when_texts_come_and_go(visit, server, sequence):
    tab = visit({**THREE, "sequence": sequence, "exit": "auto", "gap": "0.5"})
    tab.shows("One\nTwo\nThree")
    tab.locator(".phase").first.wait_for()
    scene = server.get(tab.address().removeprefix(server.url).replace(".svg", ".json")).json
    phases = [[100 * block[f"{kind}{side}"] / scene["duration"] for side in ("Start", "End")]
              for block in scene["blocks"] for kind in ("enter", "exit")]
    marks = tab.page.evaluate("""[...document.querySelectorAll('.phase')].map(
        ({ style }) => [parseFloat(style.left), parseFloat(style.left) + parseFloat(style.width)])""")
    assert marks == [pytest.approx(phase, abs=0.01) for phase in phases]
    rows = len(set(tab.page.evaluate("[...document.querySelectorAll('.phase')].map(({ style }) => style.top)")))
    assert rows == {"queue": 3, "together": 3, "replace": 1}[sequence]
    first = scene["blocks"][0]
    tab.locator(".timeline").fill(str((first["enterStart"] + first["enterEnd"]) / 2 / scene["duration"]))
    assert "text 1 comes" in tab.locator(".timeline").get_attribute("aria-valuetext")
    tab.is_quiet()


@pytest.mark.slow
def test_every_effect_plays_and_leaves(visit, server):
    catalogue_checks.every_effect_plays_and_leaves(visit, server)


FILL = f"""(() => {{ const picture = document.querySelector('{SHOWN}').contentDocument;
    return picture.defaultView.getComputedStyle(picture.querySelector('g')).fill; }})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_switch_shows_what_readers_in_light_and_dark_see(visit, scheme):
    tab = visit({"text": "Day", "effect": "none", "color": "#112233", "darkColor": "#ddeeff"},
                color_scheme=scheme, viewport=NARROW)
    tab.shows("Day")
    fills = {"light": "rgb(17, 34, 51)", "dark": "rgb(221, 238, 255)"}
    assert tab.page.evaluate(FILL) == fills[scheme]
    for choice in ["dark", "light"]:
        tab.locator(f"[name=backdrop][value={choice}]").check()
        assert tab.page.evaluate(FILL) == fills[choice]


def test_reduced_motion_stands_still_and_can_be_played_here(visit):
    tab = visit({"text": "Still", "effect": "slide", "duration": "9"}, reduced_motion="reduce")
    tab.shows("Still")
    assert tab.page.evaluate(TIMES) == []
    note = tab.locator(".note", has_text="reduced motion")
    note.get_by_role("button").click()
    tab.holds(f"{TIMES}.length > 0", "that it plays")
    tab.is_quiet()
