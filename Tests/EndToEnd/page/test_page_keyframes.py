"""The preview page's editor of keyframes: rows on a time line, values, easings, and JSON."""

import json
import random

import draws
import pytest
from axe_playwright_python.sync_playwright import Axe

from preview_page import SHOWN, WIDTHS, focus, open_sections, pick_effect, says_faults_only
from service import until

RICH = [
    {"opacity": 0, "y": "40%", "color": "#a371f7", "easing": "cubic-bezier(0.2, 0.8, 0.2, 1)"},
    {"offset": 0.5, "opacity": 1, "blur": 0.3, "easing": "spring(0.5)"},
    {"offset": 0.8, "scale": 1.4, "easing": "steps(4)"},
]


def opened(visit, keyframes, text="Moved", more=(), **options):
    """Opens the page with keyframes, and waits for the editor."""
    tab = visit({"text": text, "effect": "custom", "keyframes": json.dumps(keyframes), **dict(more)}, **options)
    # In a narrow window the section is closed.
    for closed in tab.locator("details:not([open]) > summary", has_text="Effect in detail").all():
        closed.click()
    editor(tab).wait_for()
    return tab


def editor(tab):
    return tab.locator(".keyframes")


def keyframes(tab, name="keyframes"):
    return json.loads(tab.request()[name])


def button(tab, name):
    return editor(tab).get_by_role("button", name=name, exact=True)


def moments(tab):
    """Returns the handles of the first row, which move all values of a keyframe."""
    return editor(tab).locator(".keyframe-moments .keyframe-handle")


def diamonds(tab, title):
    return row(tab, title).locator(".diamond")


def row(tab, title):
    return editor(tab).locator(".keyframe-row", has=tab.page.get_by_text(title, exact=True))


def value(tab, title):
    return editor(tab).locator(".keyframe-values").get_by_label(title, exact=True)


def point(tab, percent, title="Time"):
    """Returns the point of a row at a percent, in view."""
    track = row(tab, title).locator(".keyframe-track")
    # Neither beneath the picture nor beneath the bar at the foot of a telephone.
    track.evaluate("(track) => track.scrollIntoView({ block: 'center' })")
    box = track.bounding_box()
    return box["x"] + box["width"] * percent / 100, box["y"] + box["height"] / 2


def drag(tab, handle, percent, title="Time", steps=8):
    x, y = point(tab, percent, title)
    box = handle.bounding_box()
    tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.page.mouse.down()
    tab.page.mouse.move(x, y, steps=steps)
    tab.page.mouse.up()


def says(tab, words):
    """Waits for words below a row."""
    editor(tab).locator(".row-problem", has_text=words).wait_for()


def focused_offset(tab):
    return tab.page.evaluate("document.activeElement.ariaValueNow")


def is_the_same_by_hand(tab, server, by_hand, **request):
    """Checks that the page asks for what keyframes that are written by hand mean."""
    assert keyframes(tab) == by_hand
    answer = server.post("/render.svg", {"text": "Moved", "effect": "custom", "keyframes": by_hand, **request})
    assert answer.status == 200, answer.text
    expected = answer.headers["Content-Location"]
    until(lambda: tab.link().rpartition("/")[2] == expected.rpartition("/")[2], "the permalink of the same by hand")


# Loading

def test_the_editor_is_loaded_with_the_first_field_of_keyframes(visit):
    tab = visit({"text": "Later", "effect": "slide"})
    tab.shows("Later")
    names = "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /^[^?]*(keyframes|editor)/.test(name))"
    assert tab.page.evaluate(names) == []
    pick_effect(tab, "custom")
    editor(tab).wait_for()
    assert moments(tab).count() == 2
    # The JSON is there while the rows are, and the value.
    assert tab.control("keyframes").is_hidden()
    assert json.loads(tab.control("keyframes").input_value()) == keyframes(tab)
    tab.is_quiet()


def test_without_the_editor_there_is_the_json(visit):
    tab = visit()
    tab.page.route("**/keyframes.js", lambda route: route.abort())
    tab.page.goto("about:blank")
    tab.open({"text": "Alone", "effect": "custom", "keyframes": '[{"opacity":0}]'})
    tab.shows("Alone")
    tab.control("keyframes").fill('[{"blur":1}]')
    assert keyframes(tab) == [{"blur": 1}]
    assert editor(tab).count() == 0


# Keyframes are made

@pytest.mark.slow
def test_by_mouse(visit, server):
    tab = opened(visit, [{"opacity": 0.5}])
    tab.shows("Moved")
    button(tab, "Add a property").click()
    button(tab, "Y").click()
    button(tab, "Add a keyframe").click()
    assert [one.get_attribute("aria-valuenow") for one in moments(tab).all()] == ["0", "50"]
    # A new keyframe changes nothing: it has the values of its place.
    assert keyframes(tab) == [{"opacity": 0.5, "y": "40%"}, {"offset": 0.5, "opacity": 0.75, "y": "20%"}]
    drag(tab, moments(tab).nth(1), 70)
    drag(tab, diamonds(tab, "Y").nth(0), 10, "Y")
    tab.page.mouse.click(*point(tab, 90, "Opacity"))
    value(tab, "Opacity, slider").press("Home")
    button(tab, "Remove Opacity here").click()
    is_the_same_by_hand(tab, server, [
        {"offset": 0.1, "opacity": 0.5, "y": "40%"}, {"offset": 0.7, "opacity": 0.75, "y": "20%"}, {"offset": 0.9}])
    moments(tab).nth(2).click()
    button(tab, "Remove keyframe 3").click()
    button(tab, "Remove Y").click()
    value(tab, "Easing").select_option("back-out")
    is_the_same_by_hand(tab, server, [
        {"offset": 0.1, "opacity": 0.5}, {"offset": 0.7, "opacity": 0.75, "easing": "back-out"}])
    tab.is_quiet()


@pytest.mark.slow
def test_by_keyboard(visit, server):
    tab = opened(visit, [{"opacity": 0}])
    tab.shows("Moved")
    press = tab.page.keyboard.press

    def tab_to(name):
        for _ in range(60):
            if focus(tab) == name:
                return
            press("Tab")
        raise AssertionError(f"{name} is not reached")

    tab.field("keyframes").locator(".reset").focus()
    tab_to("Keyframe 1")
    for key, percent in [("ArrowRight", 1), ("Shift+ArrowRight", 11), ("PageUp", 21), ("ArrowUp", 22), ("ArrowLeft", 21),
                         ("ArrowDown", 20), ("PageDown", 10), ("End", 100), ("Home", 0), ("ArrowLeft", 0)]:
        press(key)
        assert (focus(tab), focused_offset(tab)) == ("Keyframe 1", str(percent)), key
    tab_to("Add a keyframe")
    press("Enter")
    # The focus goes where the new one is.
    assert (focus(tab), focused_offset(tab)) == ("Keyframe 2", "50")
    press("Shift+ArrowRight")
    tab_to("Add a property")
    press("Enter")
    for _ in range(3):
        press("Tab")
    assert focus(tab) == "Scale X"
    press("Enter")
    assert focus(tab) == "Scale X"
    assert tab.page.evaluate("document.activeElement.matches('.keyframe-values input')")
    press("Control+a")
    tab.page.keyboard.type("1.25")
    is_the_same_by_hand(tab, server, [
        {"offset": 0, "opacity": 0}, {"offset": 0.6, "opacity": 0.5, "scaleX": 1.25}])
    moments(tab).nth(0).focus()
    press("Delete")
    assert keyframes(tab) == [{"offset": 0.6, "opacity": 0.5, "scaleX": 1.25}]
    assert (focus(tab), focused_offset(tab)) == ("Keyframe 1", "60")
    press("Backspace")
    # Nothing is left but what one may start from.
    assert keyframes(tab) == [] and focus(tab) == "Fade in"
    press("Enter")
    is_the_same_by_hand(tab, server, [{"opacity": 0}])
    says_faults_only(tab)


def test_by_touch(visit, server):
    tab = opened(visit, [{"opacity": 0}, {"offset": 0.5, "blur": 1}], viewport={"width": 360, "height": 740})
    tab.shows("Moved")
    line = tab.page.context.new_cdp_session(tab.page)

    def touch(kind, *points):
        line.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", point(tab, 50, "Blur"))
    for percent in (55, 62, 70):
        touch("touchMove", point(tab, percent, "Blur"))
    touch("touchEnd")
    until(lambda: keyframes(tab)[1].get("offset") == 0.7, "the keyframe at its new place")
    touch("touchStart", point(tab, 30, "Opacity"))
    touch("touchEnd")
    until(lambda: len(keyframes(tab)) == 3, "a keyframe where one tapped")
    line.detach()
    is_the_same_by_hand(tab, server, [{"opacity": 0}, {"offset": 0.3, "opacity": 0.3}, {"offset": 0.7, "blur": 1}])
    tab.is_quiet()


@pytest.mark.slow
def test_one_is_dragged_past_another_and_keeps_the_focus(visit):
    tab = opened(visit, [{"opacity": 0}, {"offset": 0.4, "scale": 2}, {"offset": 0.6, "blur": 1}])
    tab.shows("Moved")
    drag(tab, moments(tab).nth(1), 80)
    assert keyframes(tab) == [{"opacity": 0}, {"offset": 0.6, "blur": 1}, {"offset": 0.8, "scale": 2}]
    until(lambda: [one.get_attribute("aria-valuenow") for one in moments(tab).all()] == ["0", "60", "80"], "the order")
    assert focus(tab) == "Keyframe 3"
    # Not past the ends, and no keyframe where the pointer was let go.
    drag(tab, moments(tab).nth(2), 130)
    assert [one.get("offset") for one in keyframes(tab)] == [None, 0.6, 1]
    says(tab, "Keyframe 3: must be 1 at the end")
    says_faults_only(tab)


def test_offsets_that_were_left_out_stay_so_while_that_means_the_same(visit):
    tab = opened(visit, [{"opacity": 0}, {"y": 1}, {"y": 0.5}, {"opacity": 1}])
    tab.shows("Moved")
    assert [one.get_attribute("aria-valuenow") for one in moments(tab).all()] == ["0", "33.3333", "66.6667", "100"]
    value(tab, "Opacity").fill("0.1")
    assert keyframes(tab) == [{"opacity": 0.1}, {"y": 1}, {"y": 0.5}, {"opacity": 1}]
    # The neighbours of one that moves stay where they are.
    moments(tab).nth(1).focus()
    tab.page.keyboard.press("End")
    assert keyframes(tab) == [{"opacity": 0.1}, {"offset": 0.6667, "y": 0.5}, {"offset": 1, "y": 1}, {"opacity": 1}]


@pytest.mark.slow
def test_a_new_keyframe_goes_to_the_widest_gap_and_there_are_sixteen_at_most(visit):
    tab = opened(visit, [{"opacity": 0}, {"offset": 0.2, "opacity": 0.4}])
    add = button(tab, "Add a keyframe")
    add.click()
    assert keyframes(tab)[2] == {"offset": 0.6, "opacity": 0.7}
    assert editor(tab).locator("[role=status]").text_content() == "Keyframe at 60 % added."
    for _ in range(13):
        add.click()
    assert len(keyframes(tab)) == 16 and add.is_hidden()
    tab.page.mouse.click(*point(tab, 99, "Opacity"))
    assert len(keyframes(tab)) == 16
    tab.shows("Moved")
    tab.is_quiet()


def test_a_value_is_added_to_the_keyframe_at_its_place(visit):
    tab = opened(visit, [{"opacity": 0}, {"offset": 0.5, "color": "#ff0000"}, {"offset": 0.75, "color": "#0000ff"}])
    tab.page.mouse.click(*point(tab, 50, "Opacity"))
    assert keyframes(tab)[1] == {"offset": 0.5, "color": "#ff0000", "opacity": 0.5}
    assert focus(tab) == "Keyframe 2"
    tab.page.mouse.click(*point(tab, 60, "Color"))
    assert keyframes(tab)[2]["color"] == "#990066"
    button(tab, "Set Opacity here").click()
    assert keyframes(tab)[2]["opacity"] == 0.6
    assert focus(tab) == "Opacity"
    tab.shows("Moved")
    tab.is_quiet()


# Values

def properties_of_keyframes(server):
    """The schemas of what a keyframe may have, by name."""
    custom = next(effect for effect in server.get("/effects").json["effects"] if effect["name"] == "custom")
    keyframes = next(one for one in custom["parameters"] if one["name"] == "keyframes")
    return keyframes["schema"]["items"]["properties"]


@pytest.mark.slow
def test_every_property_of_the_schema_is_added_with_a_value_that_is_seen(visit, server):
    properties = properties_of_keyframes(server)
    # Which has axes.
    tab = opened(visit, [{}], more={"font": "Inter"})
    tab.shows("Moved")
    at_rest = tab.link()
    button(tab, "Add a property").click()
    for name in properties.keys() - {"offset", "easing"}:
        editor(tab).locator(f".keyframe-unused button[title={json.dumps(properties[name]['description'])}]").click()
        assert keyframes(tab) == [{name: properties[name]["examples"][0]}]
        until(lambda: tab.link() != at_rest, "another picture")
        assert tab.field("keyframes").locator(".problem:visible, .row-problem").count() == 0
        button(tab, "Undo").click()
        until(lambda: tab.link() == at_rest, "the text at rest")
    tab.is_quiet()


def test_a_property_that_is_added_at_the_end_goes_to_the_first_keyframe(visit):
    tab = opened(visit, [{"opacity": 0}, {"opacity": 1}])
    moments(tab).nth(1).focus()
    button(tab, "Add a property").click()
    button(tab, "Color").click()
    assert keyframes(tab) == [{"opacity": 0, "color": "#a371f7"}, {"opacity": 1}]
    tab.shows("Moved")
    tab.is_quiet()


def test_axes_are_tags_with_numbers(visit):
    tab = opened(visit, [{"axes": {"wght": 200}}], more={"font": "Inter"})
    field = value(tab, "Axes")
    assert field.input_value() == "wght=200"
    field.fill(" wght = 850.5 ")
    assert keyframes(tab) == [{"axes": {"wght": 850.5}}]
    # What is no such list is the server's to judge.
    field.fill("wght")
    assert keyframes(tab) == [{"axes": "wght"}]
    until(lambda: "must be an object" in editor(tab).locator(".row-problem").inner_text(), "a fault")
    field.fill("wght=300")
    tab.shows("Moved")
    assert all("400" in said for said in tab.said)


@pytest.mark.slow
def test_lengths_are_in_em_or_percent(visit):
    tab = opened(visit, [{"y": 0.5}])
    unit, field, slider = value(tab, "Y, unit"), value(tab, "Y"), value(tab, "Y, slider")
    assert (unit.input_value(), field.input_value()) == ("em", "0.5")
    unit.select_option("%")
    assert keyframes(tab) == [{"y": "0.5%"}]
    field.fill("-12.5")
    assert keyframes(tab) == [{"y": "-12.5%"}]
    slider.press("End")
    assert keyframes(tab) == [{"y": "1000%"}]
    unit.select_option("em")
    slider.press("Home")
    assert keyframes(tab) == [{"y": -10}]
    field.press("ArrowUp")
    assert keyframes(tab) == [{"y": -9}]
    # A percentage that is typed is one.
    field.fill("25%")
    assert keyframes(tab) == [{"y": "25%"}]
    tab.shows("Moved")
    tab.is_quiet()


@pytest.mark.slow
def test_sliders_reach_the_value_at_rest_and_both_ends(visit, server):
    properties = properties_of_keyframes(server)
    lengths = {name: one.get("anyOf", [one])[0] for name, one in properties.items() if "x-rest" in one}
    rest = {name: properties[name]["x-rest"] for name in lengths}
    tab = opened(visit, [rest])
    sliders = dict(zip(lengths, editor(tab).locator(".value-row [type=range]").all(), strict=True))
    for name, slider in sliders.items():
        reached = []
        for position in ("min", "max", "0"):
            slider.evaluate("""(slider, position) => {
                slider.value = slider[position] ?? position;
                slider.dispatchEvent(new Event('input'));
            }""", position)
            reached.append(keyframes(tab)[0][name])
        assert reached == [lengths[name]["minimum"], lengths[name]["maximum"], rest[name]], name


def test_colours_and_percents_are_typed(visit):
    tab = opened(visit, [{"color": "#ff0000"}, {"offset": 0.5, "opacity": 0}])
    value(tab, "Color").fill("gold")
    value(tab, "Color, picker").fill("#00ff00")
    assert keyframes(tab)[0] == {"color": "#00ff00"}
    percent = value(tab, "Keyframe, percent of the time")
    percent.fill("62.5")
    assert keyframes(tab) == [{"offset": 0.5, "opacity": 0}, {"color": "#00ff00", "offset": 0.625}]
    percent.fill("120")
    assert percent.get_attribute("aria-invalid") == "true"
    assert keyframes(tab)[1]["offset"] == 0.625
    percent.press("Tab")
    until(lambda: percent.input_value() == "62.5", "the percent that counts")
    assert focus(tab) == "Remove keyframe 2" and percent.get_attribute("aria-invalid") is None
    # The focus stays where it went while the order changes.
    percent.fill("20")
    percent.press("Tab")
    until(lambda: focus(tab) == "Remove keyframe 1", "the focus where it went")
    moments(tab).nth(0).press("Shift+ArrowRight")
    assert percent.input_value() == "30"
    tab.shows("Moved")
    tab.is_quiet()


# Easings

@pytest.mark.slow
def test_a_curve_is_drawn_by_its_points(visit, server):
    tab = opened(visit, [{"opacity": 0, "easing": "ease-in"}])
    tab.shows("Moved")
    menu, plot = value(tab, "Easing"), editor(tab).locator(".easing-plot")
    plot.scroll_into_view_if_needed()
    box, handle = plot.bounding_box(), value(tab, "Easing, second point").bounding_box()
    tab.page.mouse.move(handle["x"] + 12, handle["y"] + 12)
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + box["width"] * 0.6 / 1.2, box["y"] + box["height"] * 0.25 / 1.9, steps=6)
    tab.page.mouse.up()
    # A curve with a name becomes one of one's own.
    assert menu.input_value() == "cubic-bezier()"
    assert keyframes(tab) == [{"opacity": 0, "easing": "cubic-bezier(0.42, 0, 0.5, 1.2)"}]
    first = value(tab, "Easing, first point")
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowUp", "Shift+ArrowDown", "ArrowLeft"):
        first.press(key)
    assert keyframes(tab)[0]["easing"] == "cubic-bezier(0.52, -0.09, 0.5, 1.2)"
    assert first.get_attribute("aria-valuetext") == "x 0.52, y -0.09"
    value(tab, "Easing, x1").fill("0.1")
    value(tab, "Easing, y2").fill("2")
    is_the_same_by_hand(tab, server, [{"opacity": 0, "easing": "cubic-bezier(0.1, -0.09, 0.5, 2)"}])
    value(tab, "Easing, x1").fill("1.5")
    says(tab, "Keyframe 1, easing: must be")
    assert menu.get_attribute("aria-invalid") == "true"
    says_faults_only(tab)


def test_springs_steps_and_lines(visit, server):
    tab = opened(visit, [{"opacity": 0}])
    tab.shows("Moved")
    menu = value(tab, "Easing")
    assert menu.locator("option").first.inner_text() == "As the effect: ease-out"
    menu.select_option("spring()")
    value(tab, "Easing, bounce, slider").press("End")
    assert keyframes(tab) == [{"opacity": 0, "easing": "spring(0.9)"}]
    value(tab, "Easing, bounce").fill("-0.25")
    is_the_same_by_hand(tab, server, [{"opacity": 0, "easing": "spring(-0.25)"}])
    menu.select_option("steps()")
    value(tab, "Easing, steps").fill("12")
    is_the_same_by_hand(tab, server, [{"opacity": 0, "easing": "steps(12)"}])
    menu.select_option("linear()")
    value(tab, "Easing, points").fill("linear(0, 1.2 40%, 1)")
    is_the_same_by_hand(tab, server, [{"opacity": 0, "easing": "linear(0, 1.2 40%, 1)"}])
    menu.select_option("")
    is_the_same_by_hand(tab, server, [{"opacity": 0}])
    # The effect's easing is the one that counts where none is given.
    tab.control("easing").select_option("bounce")
    assert menu.locator("option").first.inner_text() == "As the effect: bounce"
    tab.is_quiet()


def test_nothing_eases_from_the_end_on(visit):
    tab = opened(visit, [{"opacity": 0}, {"opacity": 1}])
    assert value(tab, "Easing").is_visible()
    moments(tab).nth(1).focus()
    assert value(tab, "Easing").is_hidden()
    moments(tab).nth(1).press("ArrowLeft")
    assert value(tab, "Easing").is_visible()


# Faults

FAULTY = [{"y": 1, "easing": "spring(3)"}, {"offset": 0.5, "blur": 5}, {"scale": -1}]


@pytest.mark.parametrize("prefix", ["", "2."])
def test_faults_stand_at_the_values_that_they_name(visit, prefix):
    texts = {"1.text": "One", "2.text": "Two"} if prefix else {"text": "One"}
    tab = visit({**texts, f"{prefix}effect": "custom", f"{prefix}keyframes": json.dumps(FAULTY)})
    editor(tab).locator(".row-problem").first.wait_for()
    said = {title: row(tab, title).locator("+ .row-problem").inner_text() for title in ["Time", "Blur", "Scale"]}
    assert said["Time"].startswith("Keyframe 1, easing: must be one of")
    assert said["Blur"] == "Keyframe 2: must be from 0 to 2 em; got 5"
    assert said["Scale"] == "Keyframe 3: must be from 0 to 10; got -1"
    assert "wrong" in diamonds(tab, "Blur").get_attribute("class")
    assert tab.field("keyframes").locator(".problem").is_hidden()
    moments(tab).nth(1).focus()
    assert value(tab, "Blur").get_attribute("aria-invalid") == "true"
    # As JSON they have the names of the API.
    button(tab, "Edit as JSON").click()
    tab.control("keyframes").fill(json.dumps(FAULTY[:2]))
    problem = tab.field("keyframes").locator(".problem")
    problem.wait_for()
    place = "blocks[1].keyframes" if prefix else "keyframes"
    until(lambda: [line.split()[0] for line in problem.inner_text().splitlines()] == [
        f"{place}[0].easing", f"{place}[1].blur"], "the faults that are left")
    button(tab, "Edit in rows").click()
    says(tab, "Keyframe 2: must be from 0 to 2 em; got 5")
    assert problem.is_hidden()
    moments(tab).nth(0).focus()
    value(tab, "Easing").select_option("spring")
    moments(tab).nth(1).focus()
    value(tab, "Blur").fill("0.5")
    until(lambda: editor(tab).locator(".row-problem").count() == 0, "no faults")
    tab.shows("One\nTwo" if prefix else "One")
    says_faults_only(tab)


def test_a_fault_out_of_view_leads_to_its_value(visit):
    tab = visit({"text": "Narrow", "effect": "custom"}, viewport={"width": 360, "height": 700})
    tab.shows("Narrow")
    tab.open({"text": "Narrow", "effect": "custom", "keyframes": json.dumps(FAULTY[1:])})
    tab.locator(".problems li", has_text="Keyframes[0].blur: must be from 0 to 2 em; got 5").get_by_role("link").click()
    assert (focus(tab), tab.page.evaluate("document.activeElement.value")) == ("Blur", "5")
    says(tab, "Keyframe 1: must be from 0 to 2 em")


def test_a_fault_in_json_leads_to_its_value_there(visit):
    tab = visit({"text": "Narrow", "effect": "custom"}, viewport={"width": 360, "height": 700})
    tab.shows("Narrow")
    given = [{"opacity": 0, "y": "4"}, {"color": "a\\\",b", "offset": 0.5, "blur": 5, "scal": 1}]
    tab.open({"text": "Narrow", "effect": "custom", "keyframes": json.dumps(given)})
    for name, selected in [("[0].y", '"4"'), ("[1].color", json.dumps(given[1]["color"])), ("[1].blur", "5")]:
        tab.locator(".problems li", has_text=f"Keyframes{name}").get_by_role("link").click()
        assert tab.page.evaluate(
            "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))"
            "(document.activeElement)") == selected
        tab.page.evaluate("scrollTo(0, 0)")


def test_what_is_typed_stays_while_it_is_wrong(visit):
    tab = opened(visit, [{"opacity": 0}])
    value(tab, "Opacity").fill("half")
    says(tab, 'Keyframe 1: must be from 0 to 1; got "half"')
    assert value(tab, "Opacity").input_value() == keyframes(tab)[0]["opacity"] == "half"
    value(tab, "Opacity").fill("0.5")
    until(lambda: editor(tab).locator(".row-problem").count() == 0, "no faults")
    assert keyframes(tab) == [{"opacity": 0.5}]


def test_a_keyframe_beside_wrong_values_has_the_nearer_ones(visit):
    tab = opened(visit, [{"color": "gol", "y": "much"}, {"offset": 0.9, "color": "#ff0000", "y": 1}])
    button(tab, "Add a keyframe").click()
    assert keyframes(tab)[1] == {"offset": 0.45, "y": 1, "color": "#ff0000"}
    says_faults_only(tab)


# JSON

def test_rows_and_json_are_the_same_keyframes(visit):
    tab = opened(visit, RICH)
    tab.shows("Moved")
    before = tab.request()["keyframes"]
    button(tab, "Edit as JSON").click()
    area = tab.control("keyframes")
    assert area.is_visible() and focus(tab) == area.input_value()
    assert json.loads(area.input_value()) == RICH
    button(tab, "Edit in rows").click()
    assert area.is_hidden() and tab.request()["keyframes"] == before
    button(tab, "Edit as JSON").click()
    area.fill('[{"rotation": 90}]')
    button(tab, "Edit in rows").click()
    assert value(tab, "Rotation").input_value() == "90"
    # What was done as JSON is undone as one.
    button(tab, "Undo").click()
    assert keyframes(tab) == RICH
    tab.is_quiet()


@pytest.mark.parametrize("text", [
    "[{", "{}", "[1]", "[null]", '[{"scal": 1}]', '[{"opacity": null}]', '[{"offset": 2}]', '[{"easing": 1}]',
    '[{"offset": 0.5}, {"offset": 0.2}]', json.dumps([{"opacity": 0}] * 17)])
def test_what_rows_cannot_show_is_shown_as_json_and_kept(visit, text):
    tab = visit({"text": "Kept", "effect": "custom", "keyframes": text})
    tab.field("keyframes").locator(".problem:visible").wait_for()
    area = tab.control("keyframes")
    area.wait_for()
    assert "".join(area.input_value().split()) == "".join(text.split())
    until(lambda: button(tab, "Edit in rows").is_disabled(), "that there are no rows")
    assert editor(tab).get_by_text("Rows cannot show what is written here.").is_visible()
    area.fill('[{"opacity": 0}]')
    button(tab, "Edit in rows").click()
    assert moments(tab).count() == 1
    tab.shows("Kept")
    says_faults_only(tab)


@pytest.mark.slow
def test_the_json_is_copied(visit):
    tab = opened(visit, RICH, permissions=["clipboard-read", "clipboard-write"])
    with tab.saying(button(tab, "Copy as JSON"), "Copied"):
        button(tab, "Copy as JSON").click()
    assert json.loads(tab.page.evaluate("navigator.clipboard.readText()")) == RICH
    button(tab, "Copy as JSON").wait_for()
    assert focus(tab) == "Copy as JSON"
    tab.is_quiet()


def test_the_json_is_copied_without_a_secure_context_too(visit):
    tab = opened(visit, RICH)
    tab.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    tab.page.evaluate("document.addEventListener('copy', () => { window.copied = getSelection().toString()"
                      " || document.activeElement.value; })")
    with tab.saying(button(tab, "Copy as JSON"), "Copied"):
        button(tab, "Copy as JSON").click()
    assert json.loads(tab.page.evaluate("window.copied")) == RICH
    assert tab.control("keyframes").is_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_any_keyframes_are_shown_and_read_back_the_same(visit, seed):
    generator = random.Random(f"rows {seed}")
    given = draws.keyframes(generator.random, most=draws.MOST_KEYFRAMES)
    tab = opened(visit, given)
    assert json.loads(tab.control("keyframes").input_value()) == given
    assert moments(tab).count() == len(given)
    names = {name for one in given for name in one if name not in ("offset", "easing")}
    assert editor(tab).locator(".diamond").count() == sum(
        name in one for one in given for name in names)
    # Each is chosen once, which changes nothing.
    shown = tab.page.evaluate("""() => [...document.querySelectorAll('.keyframe-moments .keyframe-handle')].map((one) => {
        one.focus();
        return document.querySelectorAll('.value-row [aria-label$=" here"][aria-label^="Remove"]').length;
    })""")
    assert shown == [len(one.keys() - {"offset", "easing"}) for one in given]
    button(tab, "Edit as JSON").click()
    button(tab, "Edit in rows").click()
    assert keyframes(tab) == given
    # Whatever is done can be undone.
    handle = generator.choice(moments(tab).all())
    handle.press(generator.choice(["Delete", "Shift+ArrowLeft", "ArrowRight", "End"]))
    while button(tab, "Undo").is_visible():
        button(tab, "Undo").click()
    assert keyframes(tab) == given
    tab.shows("Moved")
    says_faults_only(tab)


# Starting points and undo

def test_there_are_keyframes_to_start_from(visit, server):
    tab = visit({"text": "Moved", "effect": "custom"})
    editor(tab).wait_for()
    assert button(tab, "Rise").get_attribute("aria-pressed") == "true"
    for name in ["Fade in", "Pop"]:
        button(tab, name).click()
        assert focus(tab) == name and button(tab, name).get_attribute("aria-pressed") == "true"
        is_the_same_by_hand(tab, server, keyframes(tab))
    own = [{"opacity": 0, "scale": 0.45, "easing": "spring(0.4)"}, {"offset": 0.4, "opacity": 1}]
    value(tab, "Scale").fill("0.45")
    assert keyframes(tab) == own and button(tab, "Pop").get_attribute("aria-pressed") == "false"
    # They replace work of one's own, but do not lose it.
    button(tab, "Rise").click()
    button(tab, "Undo").click()
    assert keyframes(tab) == own
    tab.is_quiet()


@pytest.mark.slow
def test_changes_are_undone_one_by_one(visit):
    tab = opened(visit, RICH)
    tab.shows("Moved")
    assert button(tab, "Undo").is_hidden()
    steps = [keyframes(tab)]

    def did():
        steps.append(keyframes(tab))
        assert steps[-1] != steps[-2]
    drag(tab, moments(tab).nth(1), 60)
    did()
    moments(tab).nth(1).press("Delete")
    did()
    button(tab, "Remove Opacity").click()
    did()
    # What is typed in one field in a row is one change.
    value(tab, "Scale").press_sequentially("5")
    did()
    for step in reversed(steps[:-1]):
        if step is steps[0]:
            moments(tab).nth(0).press("Control+z")
        else:
            button(tab, "Undo").click()
        assert keyframes(tab) == step
    assert button(tab, "Undo").is_hidden()
    assert tab.page.evaluate("document.activeElement.closest('.keyframes') !== null")
    says_faults_only(tab)


def test_each_text_has_keyframes_of_its_own(visit, server):
    tab = visit({"effect": "custom", "keyframes": '[{"opacity":0}]', "1.text": "One", "2.text": "Two"})
    card = tab.locator(".card").nth(1)
    card.locator(".card-toggle").click()
    card.get_by_text("Effect in detail").click()
    inner = card.locator(".keyframes")
    inner.get_by_role("button", name="Add a keyframe").click()
    assert keyframes(tab, "2.keyframes") == [{"opacity": 0}, {"offset": 0.5, "opacity": 0.5}]
    assert keyframes(tab) == [{"opacity": 0}] and "1.keyframes" not in tab.request()
    inner.get_by_role("button", name="Undo").click()
    tab.shows("One\nTwo")
    tab.is_quiet()


# Everyone

@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(visit, scheme, width):
    tab = opened(visit, RICH, viewport={"width": width, "height": 740}, color_scheme=scheme)

    def is_faultless():
        violations = Axe().run(tab.page).response["violations"]
        assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []
    button(tab, "Add a property").click()
    is_faultless()
    button(tab, "Edit as JSON").click()
    is_faultless()
    tab.open({"text": "Wrong", "effect": "custom", "keyframes": json.dumps(FAULTY)})
    # Who edits as JSON goes on to do so.
    button(tab, "Edit in rows").click()
    says(tab, "Keyframe 2")
    is_faultless()


@pytest.mark.slow
def test_no_width_makes_the_editor_scroll_sideways_and_what_is_pointed_at_can_be_hit(visit):
    several = {"1.text": "One", "2.text": "Two", "effect": "none", "1.effect": "custom",
               "1.keyframes": json.dumps(RICH)}
    for request in ({"text": "Moved", "effect": "custom", "keyframes": json.dumps(RICH)}, several):
        tab = visit(request, thumbnails=True)
        tab.locator(SHOWN).wait_for()
        if "1.text" in request:
            tab.locator(".card-toggle").first.click()
        open_sections(tab)
        button(tab, "Add a property").click()
        for width in WIDTHS:
            tab.page.set_viewport_size({"width": width, "height": 720})
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
            assert tab.locator(".controls").evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
            narrow = editor(tab).evaluate("""(root) => [...root.querySelectorAll('button, select, input')]
                .filter((one) => one.checkVisibility()).filter((one) => {
                    const { width, height } = one.getBoundingClientRect();
                    return width < (one.type === 'text' ? 50 : 24) || height < 24;
                }).map((one) => one.outerHTML)""")
            assert narrow == [], width


def test_every_control_has_a_name_of_its_own(visit):
    tab = opened(visit, RICH)
    names = editor(tab).evaluate("""(root) => [...root.querySelectorAll('button, input, select')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.ariaLabel || one.textContent.trim())""")
    assert "" not in names and len(names) == len(set(names)) > 25
