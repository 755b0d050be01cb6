"""The preview page's controls: the parameters of the chosen effect, easings, and the JSON of keyframes."""
import json

import pytest

import catalogue_checks
from preview_page import SHOWN, focus, pick_effect, some_effects
from service import until


@pytest.mark.slow
def test_the_parameters_are_those_of_the_chosen_effect(visit, server):
    catalogue_checks.the_parameters_are_those_of_the_chosen_effect(visit, server)


def test_fall_brings_the_exit_in_which_it_is_seen(visit):
    tab = visit({"text": "Down", "effect": "fade"})
    tab.shows("Down")
    pick_effect(tab, "fall")
    assert tab.request() == {"text": "Down", "effect": "fall", "exit": "auto"}
    pick_effect(tab, "slide")
    assert tab.request() == {"text": "Down", "effect": "slide"}
    tab.is_quiet()


def test_an_effects_values_are_there_again_when_one_comes_back(visit):
    tab = visit({"text": "Back", "effect": "slide", "distance": "2"})
    tab.shows("Back")
    pick_effect(tab, "fade")
    assert "distance" not in tab.request()
    pick_effect(tab, "slide")
    assert tab.request() == {"text": "Back", "effect": "slide", "distance": "2"}


def test_every_parameter_that_leaves_a_choice_has_a_control(visit, server):
    catalogue_checks.every_parameter_that_leaves_a_choice_has_a_control(visit, server)


def test_only_what_differs_from_the_default_is_asked_for(visit):
    tab = visit({"text": "Plain", "effect": "typewriter", "size": "40", "interval": "auto", "markup": "false",
                 "font": "auto", "weight": "auto", "color": "auto", "maxWidth": "auto", "cursor": "auto",
                 "wrap": "auto"})
    tab.shows("Plain")
    tab.control("italic").check()
    assert tab.request() == {"text": "Plain", "italic": "true"}
    tab.control("italic").uncheck()
    tab.control("interval").fill("0.1")
    assert tab.request() == {"text": "Plain", "interval": "0.1"}
    tab.control("interval").fill("auto")
    assert tab.request() == {"text": "Plain"}
    tab.control("size").fill("40.0")
    assert tab.request() == {"text": "Plain"}
    tab.field("size").get_by_role("slider").press("ArrowRight")
    assert tab.request()["size"] != "40"
    tab.field("size").locator(".reset").click()
    assert tab.request() == {"text": "Plain"}


def test_words_in_a_numbers_place_have_boxes(visit):
    tab = visit({"text": "Words"})
    tab.shows("Words")
    tab.locator("summary", has_text="Canvas").click()
    widest = tab.field("maxWidth")
    automatic, none, field = widest.get_by_label("auto"), widest.get_by_label("none"), tab.control("maxWidth")
    assert automatic.is_checked() and not none.is_checked() and field.input_value() == "auto"
    none.check()
    assert not automatic.is_checked() and tab.request() == {"text": "Words", "maxWidth": "none"}
    none.uncheck()
    assert field.input_value() == tab.request()["maxWidth"] == "830"
    automatic.check()
    assert tab.request() == {"text": "Words"}
    field.fill("500")
    assert not automatic.is_checked() and not none.is_checked()
    widest.locator(".reset").click()
    assert automatic.is_checked() and tab.request() == {"text": "Words"}
    tab.is_quiet()


def test_an_interval_is_automatic_until_it_is_dragged(visit):
    tab = visit({"text": "Keys"})
    tab.shows("Keys")
    interval = tab.field("interval")
    word, slider = interval.get_by_label("auto"), interval.get_by_role("slider")
    assert word.is_checked() and slider.get_attribute("aria-valuetext") == "auto"
    # It stands where the number is that it mostly is.
    slider.press("ArrowRight")
    assert not word.is_checked() and 0.1 <= float(tab.request()["interval"]) < 0.12
    assert slider.get_attribute("aria-valuetext") == f"{tab.request()['interval']} s"
    interval.locator(".reset").click()
    assert word.is_checked() and tab.request() == {"text": "Keys"}
    tab.is_quiet()


def test_a_request_with_the_defaults_of_another_version_has_these_in_its_fields(visit, server):
    tab = visit({"text": "Old", "defaults": "0.3"})
    tab.shows("Old")
    fields = {"size": "32", "font": "DejaVu Sans", "weight": "400", "color": "#24292f", "maxWidth": "none",
              "wrap": "normal", "cursor": "none", "interval": "0.1"}
    assert {name: tab.control(name).input_value() for name in fields} == fields
    tab.control("size").fill("40")
    assert tab.request() == {"text": "Old", "defaults": "0.3", "size": "40"}
    tab.field("size").locator(".reset").click()
    pick_effect(tab, "slide")
    [interval] = [entry for effect in server.get("/effects").json["effects"] if effect["name"] == "slide"
                  for entry in effect["parameters"] if entry["name"] == "interval"]
    assert tab.control("interval").input_value() == f"{interval['earlierDefault']:g}"
    assert tab.request() == {"text": "Old", "defaults": "0.3", "effect": "slide"}
    # A preset goes before them, and each text has them too.
    tab.open({"1.text": "One", "2.text": "Two", "defaults": "0.3", "preset": "card"})
    tab.shows("One\nTwo")
    assert tab.locator(".card [name=wrap], .card [name=cursor]").first.input_value() == "none"
    assert tab.locator("#controls > details [name=size]").input_value() == "40"
    # Without them the fields have this version's.
    tab.open({"text": "New"})
    tab.shows("New")
    assert tab.control("size").input_value() == "40" and tab.control("cursor").input_value() == "auto"
    tab.is_quiet()


@pytest.mark.parametrize("easing, example", [
    ("bounce", None), ("spring", None), ("spring()", "spring("), ("steps()", "steps("), ("linear()", "linear("),
    ("cubic-bezier()", "cubic-bezier(")])
def test_every_easing_can_be_picked_begins_with_an_example_and_is_drawn(visit, easing, example):
    tab = visit({"text": "Eased", "effect": "slide"})
    tab.shows("Eased")
    before = tab.address()
    tab.control("easing").select_option(easing)
    tab.another_than(before)
    assert tab.request()["easing"] == easing if example is None else tab.request()["easing"].startswith(example)
    assert tab.field("easing").locator(".easing-own").is_visible() == (example is not None)
    assert tab.field("easing").locator(".curve-line").get_attribute("d").startswith("M0 0")
    tab.open(tab.request()).shows("Eased")
    assert tab.control("easing").input_value() == easing
    tab.is_quiet()


def test_an_easing_that_is_none_is_said_at_its_field_and_not_drawn(visit):
    tab = visit({"text": "Uneased", "effect": "slide", "easing": "spring(0.4)"})
    tab.shows("Uneased")
    tab.field("easing").locator(".easing-own").fill("spring(4)")
    tab.field("easing").locator(".problem").wait_for()
    assert tab.field("easing").locator(".curve-line").get_attribute("d") == ""
    # A function of another name is another entry of the menu.
    tab.field("easing").locator(".easing-own").fill("steps(4)")
    tab.field("easing").locator(".problem").wait_for(state="hidden")
    assert tab.control("easing").input_value() == "steps()"


def drawn_easings(tab, easings):
    """Returns the values of the drawn curves at instants, by easing."""
    return tab.page.evaluate("""async ([easings, count]) => {
        const { easingPath } = await import('/modules/easing.js');
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        return easings.map((easing) => {
            path.setAttribute('d', easingPath(easing));
            const length = path.getTotalLength();
            return Array.from({ length: count }, (_, index) => path.getPointAtLength(length * index / (count - 1)))
                .map(({ x, y }) => [x, y]);
        });
    }""", [easings, 40])


def test_the_curve_that_is_drawn_is_the_one_that_is_rendered(visit, server):
    easings = ["ease-in", "back-out", "bounce", "spring", "spring(0.7)", "spring(-0.5)", "spring(0)",
               "linear(0, 1.2 30%, 0.9, 1)", "linear(0.2 20%, 1.5 70%)"]
    tab = visit({"text": "Drawn"})
    for easing, points in zip(easings, drawn_easings(tab, easings)):
        scene = server.render("json", text="x", size=32, effect="slide", distance=10, duration=10, easing=easing).json
        track = scene["glyphs"][0]["offsetY"]
        for share, drawn in points:
            if abs(share - round(share * 11) / 11) < 0.01 or share in (0, 1):
                continue  # a corner, which samples cut
            assert abs(1 - value_at(track, share * 10) / 320 - drawn) < 0.03, (easing, share)


def value_at(track, time):
    """Returns the value of a JSON track at an instant."""
    if time <= track[0]["time"]:
        return track[0]["value"]
    for one, other in zip(track, track[1:]):
        if time >= other["time"]:
            continue
        share = (time - one["time"]) / (other["time"] - one["time"])
        easing = one.get("easing")
        if easing == "hold":
            return one["value"]
        if easing:
            x1, y1, x2, y2 = easing
            low, high = 0, 1
            for _ in range(40):
                middle = (low + high) / 2
                x = 3 * middle * (1 - middle) ** 2 * x1 + 3 * middle ** 2 * (1 - middle) * x2 + middle ** 3
                low, high = (middle, high) if x < share else (low, middle)
            share = 3 * low * (1 - low) ** 2 * y1 + 3 * low ** 2 * (1 - low) * y2 + low ** 3
        return one["value"] + (other["value"] - one["value"]) * share
    return track[-1]["value"]


def write_keyframes(tab, text):
    """Writes the JSON of keyframes, which the editor shows in rows unless asked for it."""
    tab.field("keyframes").get_by_role("button", name="Edit as JSON").click()
    tab.control("keyframes").fill(text)


def test_keyframes_begin_with_an_example_and_return_to_it(visit):
    tab = visit({"text": "Moved", "effect": "slide"})
    tab.shows("Moved")
    before = tab.address()
    pick_effect(tab, "custom")
    tab.another_than(before)
    example = tab.control("keyframes").input_value()
    assert json.loads(tab.request()["keyframes"]) == json.loads(example)
    assert tab.field("keyframes").locator(".reset").is_hidden()
    write_keyframes(tab, '[{"rotation": 90}]')
    tab.holds("location.hash.includes('rotation%22%3A90')", "the keyframes in the address")
    tab.open(tab.request()).shows("Moved")
    assert json.loads(tab.control("keyframes").input_value()) == [{"rotation": 90}]
    tab.field("keyframes").locator(".reset").click()
    assert tab.control("keyframes").input_value() == example
    tab.is_quiet()


def test_an_address_without_keyframes_gets_the_example(visit):
    tab = visit({"text": "Incomplete", "effect": "custom"})
    tab.shows("Incomplete")
    assert tab.locator(".problem:visible").count() == 0
    tab.is_quiet()


@pytest.mark.parametrize("request_, place", [
    ({"text": "One", "effect": "custom"}, "keyframes"),
    ({"1.text": "One", "2.text": "Two", "2.effect": "custom"}, "blocks[1].keyframes")])
def test_faults_of_keyframes_stand_at_their_field_with_their_place(visit, request_, place):
    wrong = json.dumps([{"y": 1}, {"blur": 5}, {"scal": 1, "easing": "spring(3)"}])
    tab = visit({**request_, "2.keyframes" if "1.text" in request_ else "keyframes": wrong})
    field = tab.field("keyframes")
    # Rows have no place for what has no such name.
    field.locator("textarea").wait_for()
    field.locator(".problem:visible").wait_for()
    message = field.locator(".problem").inner_text().splitlines()
    assert [line.split()[0] for line in message] == [
        f"{place}[1].blur", f"{place}[2].easing", f"{place}[2].scal"]
    field.locator("textarea").fill('[{"y": 1}]')
    field.locator(".problem").wait_for(state="hidden")
    tab.shows("One" if "text" in request_ else "One\nTwo")


def test_a_fault_of_keyframes_out_of_view_is_listed_with_its_place_and_leads_to_the_field(visit):
    tab = visit({"text": "Narrow", "effect": "custom"}, viewport={"width": 360, "height": 700})
    tab.shows("Narrow")
    tab.open({"text": "Narrow", "effect": "custom", "keyframes": '[{"y":1},{"blur":5}]'})
    fault = tab.locator(".problems li")
    fault.wait_for()
    assert fault.inner_text() == "Effect in detail, Keyframes[1].blur: must be from 0 to 2 em; got 5"
    fault.get_by_role("link").click()
    assert focus(tab) == "Blur"
    # Nothing is wider than the screen.
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 360


def test_keyframes_that_are_no_json_are_said_at_their_field(visit):
    tab = visit({"text": "Broken", "effect": "custom"})
    tab.shows("Broken")
    write_keyframes(tab, "[{")
    tab.field("keyframes").locator(".problem").wait_for()
    assert "is not valid JSON" in tab.field("keyframes").locator(".problem").inner_text()
    assert tab.control("keyframes").input_value() == "[{"


@pytest.mark.slow
def test_every_parameter_of_every_effect_has_a_control_that_changes_the_request(visit, server):
    changes = {"number": "0.37", "integer": "3", "easing": "bounce", "color": "#123456", "string": "xyz",
               "keyframes": '[{"x":1}]'}
    tab = visit({"text": "All", "effect": "none"})
    for effect in some_effects(server):
        tab.open({"text": "All", "effect": effect["name"]})
        assert tab.locator(".effect-fields .field").count() == len(effect["parameters"])
        for parameter in effect["parameters"]:
            name, kind = parameter["name"], parameter["type"]
            if tab.field(name).is_hidden():
                continue
            control = tab.control(name)
            if kind == "choice":
                value = next(value for value in parameter["values"] if value != parameter["default"])
                control.select_option(value)
            elif kind == "boolean":
                value = str(not parameter["default"]).lower()
                control.set_checked(not parameter["default"])
            elif kind == "easing":
                value = "linear" if parameter["default"] == "bounce" else "bounce"
                control.select_option(value)
            elif kind == "keyframes":
                value = changes[kind]
                write_keyframes(tab, value)
            else:
                value = changes[kind]
                control.fill(value)
            assert tab.request()[name] == value, (effect["name"], name)
            unit = tab.field(name).locator(".unit:visible")
            assert (unit.inner_text() if unit.count() else None) == parameter.get("unit"), (effect["name"], name)


def test_an_own_curve_and_a_picked_colour_reach_the_request(visit):
    tab = visit({"text": "Own", "effect": "slide"})
    tab.shows("Own")
    tab.control("easing").select_option("cubic-bezier()")
    tab.field("easing").locator(".easing-own").fill("cubic-bezier(0.1, 0.9, 0.3, 1)")
    tab.field("color").locator("[type=color]").fill("#ff8800")
    assert tab.request()["easing"] == "cubic-bezier(0.1, 0.9, 0.3, 1)"
    assert tab.control("color").input_value() == tab.request()["color"] == "#ff8800"
    tab.holds(f"document.querySelector('{SHOWN}').contentDocument.documentElement.outerHTML.includes('#f80')"
              f"|| document.querySelector('{SHOWN}').contentDocument.documentElement.outerHTML.includes('#ff8800')",
              "the colour in the picture")
    tab.is_quiet()


def test_the_dice_throws_another_seed(visit):
    tab = visit({"text": "Chance", "effect": "fade"})
    tab.shows("Chance")
    before = tab.address()
    tab.locator("[aria-label='Another seed']").click()
    assert int(tab.request()["seed"]) > 0
    tab.another_than(before)


@pytest.mark.slow
def test_the_state_survives_reloading_and_sharing(visit):
    request = {"text": "Kept &\n=+#% é👻", "effect": "slide", "direction": "left", "size": "40.5", "weight": "700",
               "italic": "true", "darkColor": "white", "align": "center", "seed": "7", "hold": "2"}
    tab = visit()
    tab.shows("Who you\ngonna call?")
    tab.open(request).shows(request["text"])
    tab.locator("summary", has_text="Canvas").click()
    tab.control("padding").fill("24")
    expected = {**request, "padding": "24"}
    until(lambda: tab.request() == expected, "the address")
    tab.page.reload()
    tab.shows(request["text"])
    tab.page.wait_for_selector("[name=text]")
    for name in ["text", "direction", "size", "darkColor", "align", "seed", "padding"]:
        assert tab.control(name).input_value() == expected[name]
    assert tab.control("italic").is_checked()
    other = visit(tab.request())
    other.shows(request["text"])
    assert other.address() == tab.address()


def test_speed_and_cycle_exclude_each_other(visit):
    tab = visit({"text": "Pace", "effect": "slide", "speed": "2"})
    tab.shows("Pace")
    tab.control("cycle").fill("3")
    assert tab.request() == {"text": "Pace", "effect": "slide", "cycle": "3"}
    tab.locator(".facts", has_text="3.00 s").wait_for()
    tab.field("speed").get_by_role("slider").press("End")
    assert tab.request().keys() == {"text", "effect", "speed"}
    assert tab.control("cycle").input_value() == ""
    tab.is_quiet()


def test_a_blink_is_asked_for_only_where_a_cursor_is(visit):
    tab = visit({"text": "Blink", "effect": "slide"})
    assert tab.control("cursor").input_value() == "auto"
    assert not tab.control("cursorBlink").is_visible()
    # The typewriter has a cursor of its own.
    pick_effect(tab, "typewriter")
    assert tab.control("cursorBlink").is_visible()
    tab.control("cursor").select_option("none")
    assert not tab.control("cursorBlink").is_visible()
    tab.control("cursor").select_option("bar")
    tab.field("cursorBlink").get_by_role("slider").press("Home")
    assert tab.request() == {"text": "Blink", "cursor": "bar", "cursorBlink": "0"}
    tab.control("cursor").select_option("none")
    assert tab.control("cursorBlink").is_visible()
    tab.shows("Blink")
    tab.is_quiet()
