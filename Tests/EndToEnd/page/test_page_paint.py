"""The preview page's controls of gradients, outlines, shadows and cards, and its words on contrast."""

import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from legibility import contrast
from preview_page import FRAMES as SHOWN, WIDTHS, choose, focus, open_sections, pick_effect, says_faults_only
from service import query, until

GRADIENT = "linear-gradient(90deg, #ff0000 0%, #00ff00 40%, #0000ff 100%)"
EVERYTHING = {
    "text": "Neon\nnights",
    "effect": "slide",
    "color": "linear-gradient(to right, tomato, gold 40%, #8250df)",
    "darkColor": "linear-gradient(45deg, #fff, #0ff)",
    "gradientBox": "line",
    "outlineWidth": "3",
    "outlineColor": "#102030",
    "darkOutlineColor": "black",
    "shadow": "2px 2px 4px #0008, 0 0 12px #0ff",
    "darkShadow": "none",
    "background": "linear-gradient(#fff, #eee 20%)",
    "darkBackground": "#000",
    "cornerRadius": "24",
    "borderWidth": "2",
    "borderColor": "#d0d7de",
    "darkBorderColor": "#30363d",
}


def editor(tab, parameter="color"):
    return tab.field(parameter).locator(".gradient")


def handle(tab, number, parameter="color"):
    return editor(tab, parameter).locator(".stop-handle").nth(number - 1)


def percents(tab, parameter="color"):
    """Returns the percents of the request's gradient."""
    return [float(percent) for percent in re.findall(r" (-?[\d.]+)%", tab.request()[parameter])]


def colors(tab, parameter="color"):
    return re.findall(r"(?:, )(\S+) -?[\d.]+%", tab.request()[parameter])


def place(tab, percent, parameter="color"):
    """Returns the point of the bar at a percent, in view."""
    editor(tab, parameter).locator(".stop-rows").scroll_into_view_if_needed()
    box = editor(tab, parameter).locator(".stop-track").bounding_box()
    return box["x"] + box["width"] * percent / 100, box["y"] + box["height"] / 2


def drag(tab, number, percent, steps=8):
    end = place(tab, percent)
    box = handle(tab, number).bounding_box()
    tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.page.mouse.down()
    tab.page.mouse.move(*end, steps=steps)
    tab.page.mouse.up()


# Gradients

def test_a_colour_becomes_a_gradient_and_a_colour_again(visit):
    tab = visit({"text": "Paint", "effect": "none", "color": "#123456"})
    tab.shows("Paint")
    toggle = tab.field("color").get_by_role("button", name="Text, gradient")
    assert editor(tab).count() == 0 and toggle.get_attribute("aria-pressed") == "false"
    before = tab.address()
    toggle.click()
    assert tab.request()["color"].startswith("linear-gradient(90deg, #123456 0%, ")
    assert toggle.get_attribute("aria-pressed") == "true"
    assert editor(tab).locator(".stop-handle").count() == editor(tab).locator(".stop-row").count() == 2
    # A gradient has no one colour that a picker could pick.
    assert tab.field("color").locator(".paint-row [type=color]").is_hidden()
    tab.another_than(before)
    gradient = tab.request()["color"]
    toggle.click()
    assert tab.request()["color"] == "#123456"
    assert editor(tab).is_hidden()
    toggle.click()
    assert tab.request()["color"] == gradient
    tab.field("color").locator(".reset").click()
    assert "color" not in tab.request() and editor(tab).is_hidden()
    tab.is_quiet()


def test_what_nobody_sees_begins_a_gradient_that_is_seen_and_the_dark_begins_with_the_light(visit):
    tab = visit({"text": "Seen", "effect": "none", "color": GRADIENT})
    tab.shows("Seen")
    tab.field("background").locator(".gradient-toggle").click()
    assert "transparent" not in tab.request()["background"]
    tab.field("darkColor").locator(".gradient-toggle").click()
    assert tab.request()["darkColor"] == GRADIENT
    assert editor(tab, "darkColor").locator(".stop-row").count() == 3


def drawn_gradient(generator):
    """A gradient as people type it."""
    directions = ["", "to left top,", "TO RIGHT,", "to bottom  left ,", "45deg,", "-30deg,", ".5deg,", "+400.25deg,"]
    colors = ["red", "#0f8", "#00ff0080", "abc", "Tomato", "#123456", "transparent", "4080ff"]
    places = ["", "", "", " 20%", " -30%", " 33.3333%", "  140% ", " .5%"]
    stops = [generator.choice(colors) + generator.choice(places) for _ in range(generator.randint(2, 8))]
    return f"{generator.choice(['', ' '])}linear-gradient({generator.choice(directions)}{', '.join(stops)})"


PARTS = """async (text) => {
    const { channelsOf, directions, hexOf, readGradient } = await import('/modules/paint.js');
    const { direction, stops } = readGradient(text);
    const hex = (color) => channelsOf(color)[3] > 0 ? hexOf(channelsOf(color)) : 'transparent';
    return [directions.get(direction) ?? direction, direction,
            stops.map(({ color, percent }) => [hex(color), percent])];
}"""


@pytest.mark.slow
def test_gradients_that_people_type_are_understood_as_the_service_does(visit, server):
    generator = random.Random(13)
    tab = visit({"text": "Typed"})
    for text in [drawn_gradient(generator) for _ in range(60)]:
        answer = server.get("/render.json?" + query({"text": "x", "color": text}))
        assert answer.status == 200, (text, answer.text)
        canonical = answer.json["blocks"][0]["lines"][0]["runs"][0]["color"]
        degrees, direction, stops = tab.page.evaluate(PARTS, text)
        first, *rest = canonical.removeprefix("linear-gradient(").removesuffix(")").split(", ")
        if first.startswith("to "):
            assert direction == first, text
        else:
            assert degrees % 360 == pytest.approx(float(first.removesuffix("deg")), abs=1e-4), text
        expected = [stop.removesuffix("%").split(" ") for stop in rest]
        assert [color for color, _ in stops] == [color for color, _ in expected], text
        assert [percent for _, percent in stops] == [
            pytest.approx(float(percent), abs=2e-4) for _, percent in expected], text


@pytest.mark.parametrize("text", [
    "linear-gradient(red)", "linear-gradient(red, blue", "linear-gradient(red,, blue)", "linear-gradient(red, bleu)",
    "linear-gradient(to middle, red, blue)", "linear-gradient(90, red, blue)", "linear-gradient(red 1% 2%, blue)",
    "linear-gradient(" + ", ".join(["red"] * 9) + ")", "linear-gradient(red 2000%, blue)"])
def test_a_gradient_that_is_none_is_said_at_its_control_and_stays_as_typed(visit, text):
    tab = visit({"text": "Wrong", "effect": "none"})
    tab.shows("Wrong")
    tab.control("color").fill(text)
    message = tab.field("color").locator(".problem")
    message.wait_for()
    assert "must" in message.inner_text()
    assert tab.control("color").input_value() == tab.request()["color"] == text
    assert tab.control("color").get_attribute("aria-invalid") == "true"
    if "2000" not in text:
        assert editor(tab).count() == 0 or editor(tab).is_hidden()
    tab.control("color").fill(GRADIENT)
    message.wait_for(state="hidden")
    assert editor(tab).locator(".stop-row").count() == 3
    says_faults_only(tab)


def test_an_effect_that_changes_colours_says_so_at_the_gradient(visit):
    tab = visit({"text": "Changed", "effect": "highlight", "highlightColor": "#ff000080", "color": GRADIENT})
    tab.field("color").locator(".problem", has_text="must be one colour").wait_for()
    pick_effect(tab, "slide")
    tab.field("color").locator(".problem").wait_for(state="hidden")
    tab.shows("Changed")


def test_a_stop_is_dragged_past_another_one(visit):
    tab = visit({"text": "Drag", "effect": "none", "color": GRADIENT})
    tab.shows("Drag")
    before = tab.address()
    drag(tab, 2, 71)
    assert percents(tab) == [0, 71, 100]
    assert tab.control("color").input_value() == tab.request()["color"]
    tab.another_than(before)
    assert focus(tab) == "Text, stop 2"
    drag(tab, 1, 85)
    assert percents(tab) == [71, 85, 100] and colors(tab) == ["#00ff00", "#ff0000", "#0000ff"]
    # It is the second one now, in the order of the page too.
    assert focus(tab) == "Text, stop 2"
    assert handle(tab, 2).get_attribute("aria-valuetext") == "85 %, #ff0000"
    rows = editor(tab).locator(".stop-row input[type=text]")
    assert [row.input_value() for row in rows.all()] == ["#00ff00", "71", "#ff0000", "85", "#0000ff", "100"]
    # Not past the ends of the bar.
    drag(tab, 3, 150)
    assert percents(tab) == [71, 85, 100]
    tab.is_quiet()


def test_a_stop_is_dragged_by_touch(visit):
    tab = visit({"text": "Touch", "effect": "none", "color": GRADIENT}, viewport={"width": 360, "height": 740})
    tab.shows("Touch")
    # In a narrow window the sections are closed.
    tab.locator("summary", has_text=re.compile("^Colour$")).click()
    handle(tab, 2).scroll_into_view_if_needed()
    line = tab.page.context.new_cdp_session(tab.page)

    def touch(kind, *points):
        line.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    touch("touchStart", place(tab, 40))
    for percent in (45, 55, 62):
        touch("touchMove", place(tab, percent))
    touch("touchEnd")
    until(lambda: percents(tab) == [0, 62, 100], "the stop at its new place")
    line.detach()
    tab.is_quiet()


def test_keys_move_a_stop_and_remove_it(visit):
    tab = visit({"text": "Keys", "effect": "none", "color": GRADIENT})
    tab.shows("Keys")
    handle(tab, 2).focus()
    for key, expected in [("ArrowRight", 41), ("ArrowUp", 42), ("ArrowLeft", 41), ("Shift+ArrowRight", 51),
                          ("PageDown", 41), ("End", 100), ("Home", 0)]:
        tab.page.keyboard.press(key)
        assert sorted([0, expected, 100]) == percents(tab), key
        assert handle(tab, 2).get_attribute("role") == "slider"
    tab.page.keyboard.press("Shift+ArrowLeft")
    assert percents(tab) == [-10, 0, 100] and colors(tab)[0] == "#00ff00"
    assert focus(tab) == "Text, stop 1"
    tab.page.keyboard.press("Delete")
    assert percents(tab) == [0, 100] and colors(tab) == ["#ff0000", "#0000ff"]
    assert focus(tab) == "Text, stop 1"
    # Two is the fewest.
    tab.page.keyboard.press("Delete")
    assert percents(tab) == [0, 100]
    assert editor(tab).locator(".remove:enabled").count() == 0
    tab.is_quiet()


def test_stops_are_added_where_one_points_and_in_the_widest_gap(visit):
    tab = visit({"text": "Add", "effect": "none", "color": "linear-gradient(#ff0000, #0000ff00)"})
    tab.shows("Add")
    tab.page.mouse.click(*place(tab, 75))
    # Mixed as CSS mixes, premultiplied.
    assert percents(tab) == [0, 75, 100] and colors(tab) == ["#ff0000", "#ff000040", "#0000ff00"]
    assert focus(tab) == "Text, stop 2"
    add = editor(tab).get_by_role("button", name="Add a stop")
    add.click()
    assert percents(tab) == [0, 38, 75, 100]
    assert editor(tab).locator("[role=status]").text_content() == "Stop added at 38 %."
    for _ in range(4):
        add.click()
    assert len(percents(tab)) == 8 and add.is_hidden()
    tab.page.mouse.click(*place(tab, 3))
    assert len(percents(tab)) == 8
    editor(tab).get_by_role("button", name="Remove Text, stop 8").click()
    assert len(percents(tab)) == 7 and add.is_visible() and focus(tab) == "Text, stop 7"
    tab.is_quiet()


@pytest.mark.slow
def test_colours_and_percents_of_stops_are_typed_and_picked(visit):
    tab = visit({"text": "Rows", "effect": "none", "color": GRADIENT})
    tab.shows("Rows")
    label = editor(tab).get_by_label
    label("Text, stop 1, colour").fill("gold")
    label("Text, stop 2, percent").fill("12.5")
    label("Text, stop 3, picker").fill("#abcdef")
    assert tab.request()["color"] == "linear-gradient(90deg, gold 0%, #00ff00 12.5%, #abcdef 100%)"
    # The rows follow their order once one has typed it, and the focus goes where it was going.
    label("Text, stop 1, percent").fill("50")
    assert tab.request()["color"] == "linear-gradient(90deg, #00ff00 12.5%, gold 50%, #abcdef 100%)"
    assert label("Text, stop 1, percent").input_value() == "50"
    tab.page.keyboard.press("Tab")
    until(lambda: label("Text, stop 2, colour").input_value() == "gold", "the rows in their order")
    assert focus(tab) == "Remove Text, stop 2"
    # A colour with alpha keeps it when another one is picked.
    label("Text, stop 2, colour").fill("#ff000080")
    label("Text, stop 2, picker").fill("#00ff00")
    assert colors(tab)[1] == "#00ff0080"
    label("Text, stop 2, percent").fill("-2000")
    tab.field("color").locator(".problem", has_text="-1000").wait_for()
    label("Text, stop 2, percent").fill("60")
    label("Text, stop 2, colour").fill("nocolour")
    tab.field("color").locator(".problem", has_text="nocolour").wait_for()
    assert editor(tab).is_visible()
    # The others can still be mixed.
    editor(tab).get_by_role("button", name="Add a stop").click()
    label("Text, stop 3, colour").fill("red")
    tab.field("color").locator(".problem").wait_for(state="hidden")
    says_faults_only(tab)


def test_the_direction_is_words_or_an_angle(visit):
    tab = visit({"text": "Turn", "effect": "none", "color": "linear-gradient(to top left, red, blue)"})
    tab.shows("Turn")
    menu = editor(tab).get_by_label("Text, direction")
    angle = editor(tab).get_by_label("Text, angle", exact=True)
    assert menu.input_value() == "to top left" and angle.is_hidden()
    menu.select_option(label="To right")
    assert tab.request()["color"].startswith("linear-gradient(to right, ")
    menu.select_option(label="Angle")
    assert tab.request()["color"].startswith("linear-gradient(90deg, ")
    angle.fill("-22.5")
    assert tab.request()["color"].startswith("linear-gradient(-22.5deg, ")
    editor(tab).get_by_label("Text, angle, slider").press("End")
    assert tab.request()["color"].startswith("linear-gradient(360deg, ")
    tab.open({"text": "Turn", "color": "linear-gradient(-22.5deg, red, blue)"})
    assert angle.input_value() == "337.5"
    tab.is_quiet()


def test_the_box_of_a_gradient_is_asked_for_beside_a_gradient_only(visit):
    tab = visit({"text": "Box", "effect": "none"})
    assert tab.control("gradientBox").is_hidden()
    tab.field("background").locator(".gradient-toggle").click()
    assert tab.control("gradientBox").is_hidden()
    tab.field("darkColor").locator(".gradient-toggle").click()
    tab.control("gradientBox").select_option("glyph")
    assert tab.request()["gradientBox"] == "glyph"
    tab.field("darkColor").locator(".gradient-toggle").click()
    assert tab.control("gradientBox").is_visible()
    tab.shows("Box")


# The colour of a text that names none

SWATCH = "[...document.querySelectorAll('.field[data-parameter=%s] [type=color]')].map((one) => one.value)"


def inks_of(tab):
    """Returns the colours of the text's two swatches, for the light and for the dark."""
    return [tab.page.evaluate(SWATCH % name)[0] for name in ("color", "darkColor")]


def drawn_inks(server, request):
    """Returns the colours that the service draws, for the light and for the dark."""
    return [server.get("/render.json?" + query({**request, "scheme": scheme}))
            .json["blocks"][0]["lines"][0]["runs"][0]["color"] for scheme in ("light", "dark")]


@pytest.mark.parametrize("request_", [
    {}, {"background": "#fff"}, {"background": "#000"}, {"background": "#fff", "darkBackground": "#000"},
    {"background": "#00000010"}, {"background": "transparent", "darkBackground": "#123"},
    {"background": "linear-gradient(#000, #333)"}, {"background": "linear-gradient(#0000, #333)"},
    {"background": "#818181"}, {"background": "#808080"}, {"outlineWidth": "3"},
    {"outlineWidth": "3", "outlineColor": "#fff", "darkOutlineColor": "#111", "background": "#fff"},
    {"outlineWidth": "0", "outlineColor": "#fff", "background": "#000"},
    {"outlineWidth": "3", "outlineColor": "transparent", "background": "#fff"},
    {"codeLanguage": "swift"}, {"codeLanguage": "swift", "codeTheme": "dark"},
    {"codeLanguage": "swift", "darkCodeTheme": "dark"}, {"preset": "nord"}, {"color": "auto", "darkColor": "#ff0000"}],
    ids=str)
def test_the_swatches_show_the_colours_that_are_drawn(visit, server, request_):
    request = {"text": "ink", "effect": "none", **request_}
    tab = visit(request)
    assert inks_of(tab) == drawn_inks(server, request)
    tab.is_quiet()


@pytest.mark.parametrize("request_, inks", [
    ({"for": "github-readme"}, ["#24292f", "#f0f6fc"]),
    ({"for": "github-readme", "background": "#000"}, ["#f0f6fc"] * 2),
    ({"for": "github-readme", "preset": "badge"}, ["#ffffff"] * 2),
    ({"for": "email"}, ["#24292f"] * 2),
    ({"for": "slack-emoji"}, ["#24292f"] * 2),
    ({"for": "slack-emoji", "outlineColor": "#000"}, ["#2277dd"] * 2),
], ids=str)
def test_the_swatches_show_the_colours_of_the_place_where_it_goes(visit, request_, inks):
    tab = visit({"text": "ink", "effect": "none", **request_})
    assert inks_of(tab) == inks
    tab.is_quiet()


def test_the_colour_is_automatic_until_one_is_chosen_and_again_after_a_reset(visit):
    tab = visit({"text": "Back", "effect": "none"})
    tab.shows("Back")
    color = tab.field("color")
    assert tab.control("color").input_value() == "auto" and color.locator(".reset").is_hidden()
    color.locator("[type=color]").fill("#ff8800")
    assert tab.request()["color"] == "#ff8800"
    color.locator(".reset").click()
    assert "color" not in tab.request() and inks_of(tab) == ["#2277dd", "#2277dd"]
    # It follows what lies behind.
    tab.control("background").fill("#000")
    assert inks_of(tab) == ["#f0f6fc", "#f0f6fc"] and tab.request().keys() == {"text", "effect", "background"}
    # A gradient begins with it.
    color.locator(".gradient-toggle").click()
    assert tab.request()["color"].startswith("linear-gradient(90deg, #f0f6fc 0%, ")
    tab.control("color").fill("auto")
    assert "color" not in tab.request()
    tab.is_quiet()


# Outlines, shadows and cards

@pytest.mark.slow
def test_the_colour_of_a_line_is_asked_for_only_where_a_line_is(visit):
    tab = visit({"text": "Line", "effect": "none"})
    tab.shows("Line")
    open_sections(tab)
    for width, colors in [("outlineWidth", ["outlineColor", "darkOutlineColor"]),
                          ("borderWidth", ["borderColor", "darkBorderColor"])]:
        assert not any(tab.control(name).is_visible() for name in colors)
        tab.control(width).fill("2")
        assert all(tab.control(name).is_visible() for name in colors)
        tab.control(colors[0]).fill("#345678")
        assert tab.request()[width] == "2" and tab.request()[colors[0]] == "#345678"
        tab.control(width).fill("0")
        assert [tab.control(name).is_visible() for name in colors] == [True, False]
    tab.field("cornerRadius").get_by_role("slider").press("ArrowRight")
    assert float(tab.request()["cornerRadius"]) > 0
    tab.control("cornerRadius").fill("600")
    tab.field("cornerRadius").locator(".problem", has_text="0 to 512").wait_for()
    says_faults_only(tab)


@pytest.mark.slow
def test_shadows_are_added_changed_and_removed(visit):
    tab = visit({"text": "Shade", "effect": "none"})
    tab.shows("Shade")
    open_sections(tab)
    field = tab.field("shadow")
    add = field.get_by_role("button", name="Add a shadow")
    before = tab.address()
    add.click()
    assert tab.request()["shadow"] == tab.control("shadow").input_value() == "2px 2px 4px #00000080"
    assert focus(tab) == "Shadow, 1, right"
    tab.another_than(before)
    for part, value in [("right", "-3.5"), ("down", "6"), ("blur", "10"), ("colour", "teal")]:
        field.get_by_label(f"Shadow, 1, {part}").fill(value)
    assert tab.request()["shadow"] == "-3.5px 6px 10px teal"
    assert field.get_by_label("Shadow, 1, opacity", exact=True).input_value() == "100"
    field.get_by_label("Shadow, 1, opacity", exact=True).fill("40")
    assert tab.request()["shadow"] == "-3.5px 6px 10px #00808066"
    field.get_by_label("Shadow, 1, picker").fill("#ff0000")
    assert tab.request()["shadow"] == "-3.5px 6px 10px #ff000066"
    for _ in range(3):
        add.click()
    assert tab.request()["shadow"].count("px #") == 4 and add.is_hidden()
    field.get_by_role("button", name="Remove Shadow, 1").click()
    assert tab.request()["shadow"] == ", ".join(["2px 2px 4px #00000080"] * 3) and add.is_visible()
    for _ in range(3):
        field.get_by_role("button", name="Remove Shadow, 1").click()
    assert "shadow" not in tab.request() and tab.control("shadow").input_value() == "none"
    tab.is_quiet()


def test_shadows_that_people_type_have_controls(visit):
    tab = visit({"text": "Typed", "effect": "none", "shadow": "gold 1px -2px, 0 0 12PX #0ff8"})
    tab.shows("Typed")
    field = tab.field("shadow")
    assert field.locator(".shadow").count() == 2
    assert [field.get_by_label(f"Shadow, 1, {part}").input_value() for part in ("colour", "right", "down", "blur")] == [
        "gold", "1", "-2", "0"]
    assert [field.get_by_label(f"Shadow, 2, {part}").input_value() for part in ("colour", "blur")] == ["#0ff8", "12"]
    assert field.get_by_label("Shadow, 2, opacity", exact=True).input_value() == "53"
    open_sections(tab)
    for wrong, words in [("2px 2px", "must have a colour"), ("1px red", "two offsets"), ("1px 2em red", "in px"),
                         ("0 0 65px red", "0 to 64px"), (", ".join(["0 0 red"] * 5), "at most 4")]:
        tab.control("shadow").fill(wrong)
        field.locator(".problem", has_text=words).wait_for()
        assert tab.request()["shadow"] == wrong
    assert field.locator(".shadow").count() == 0
    tab.control("shadow").fill("1px 1px red")
    field.locator(".problem").wait_for(state="hidden")
    field.get_by_label("Shadow, 1, down").fill("x")
    field.locator(".problem", has_text="in px").wait_for()
    assert field.locator(".shadow").count() == 1
    says_faults_only(tab)


def test_shadows_for_the_dark_begin_with_those_for_the_light(visit):
    tab = visit({"text": "Dusk", "effect": "none", "shadow": "1px 1px red"})
    tab.shows("Dusk")
    open_sections(tab)
    field = tab.field("darkShadow")
    assert tab.control("darkShadow").get_attribute("placeholder") == "the same"
    field.get_by_role("button", name="Add a shadow").click()
    assert tab.request()["darkShadow"].startswith("1px 1px 0px red, 0px 0px 12px #")
    for _ in range(2):
        field.get_by_role("button", name="Remove Shadow in dark, 1").click()
    # None at all is something else than the same.
    assert tab.request()["darkShadow"] == "none"
    tab.shows("Dusk")
    field.locator(".reset").click()
    assert "darkShadow" not in tab.request()
    tab.is_quiet()


def test_all_of_it_survives_reloading_and_sharing(visit):
    tab = visit(EVERYTHING)
    tab.shows(EVERYTHING["text"])
    assert tab.request() == EVERYTHING
    for name, value in EVERYTHING.items():
        assert tab.control(name).evaluate("(control) => control.value") == value, name
    assert editor(tab).locator(".stop-row").count() == 3
    assert editor(tab, "darkColor").locator(".stop-row").count() == 2
    assert tab.field("shadow").locator(".shadow").count() == 2
    address = tab.address()
    tab.page.reload()
    tab.shows(EVERYTHING["text"])
    assert tab.request() == EVERYTHING and tab.address() == address
    # What the controls write means the same as what was typed.
    handle(tab, 2).focus()
    before = tab.address()
    tab.page.keyboard.press("ArrowRight")
    tab.another_than(before)
    tab.page.keyboard.press("ArrowLeft")
    assert tab.request()["color"] != EVERYTHING["color"]
    tab.holds(f"(address) => document.querySelector('{SHOWN}').dataset.source === address", "the same picture", address)
    tab.is_quiet()


@pytest.mark.slow
def test_texts_inherit_paint_and_have_their_own(visit):
    tab = visit({"1.text": "One", "2.text": "Two", "2.color": "#123456", "color": GRADIENT, "effect": "slide"})
    tab.shows("One\nTwo")
    top = tab.locator(".section > [data-parameter=color]")
    first, second = (tab.locator(".card").nth(index) for index in range(2))
    tab.locator(".card-toggle").first.click()
    first.locator("summary", has_text="Type").click()
    assert first.locator("[name=color]").input_value() == GRADIENT
    assert first.locator("[data-parameter=color] .stop-row").count() == 3
    assert second.locator("[data-parameter=color] .gradient:not([hidden])").count() == 0
    first.locator("[data-parameter=color] .stop-handle").nth(1).press("ArrowRight")
    assert "41%" in tab.request()["1.color"] and "40%" in tab.request()["color"]
    first.locator("[data-parameter=color] .reset").click()
    top.locator(".stop-handle").nth(1).press("End")
    assert first.locator("[name=color]").input_value() == tab.request()["color"] != GRADIENT
    assert second.locator("[name=color]").input_value() == "#123456"
    assert first.locator("[name=cornerRadius]").count() == 0
    first.get_by_role("button", name="Add a shadow").first.click()
    assert tab.request()["1.shadow"] == "2px 2px 4px #00000080"
    tab.is_quiet()


# Light and dark

def in_words(ratio):
    return f"{int(ratio * 10) / 10:.1f} : 1"


@pytest.fixture
def advice(visit):
    """Returns the advice beside the text's colours for a request, for the light and for the dark."""
    tab = visit({"text": "Contrast"})

    def advice(request):
        tab.open({"text": "Contrast", **request})
        return [tab.field(name).locator(".advice").text_content() for name in ("color", "darkColor")]
    return advice


@pytest.mark.parametrize("request_, light, dark", [
    ({"darkColor": "#f0f6fc"}, None, None),
    # A text without a colour has one that is read on any ground, or on the one that is given.
    ({}, None, None),
    ({"size": "16"}, None, None),
    ({"background": "#fff8e1", "darkBackground": "#201a00"}, None, None),
    ({"background": "linear-gradient(#000, #fff)"}, ("#24292f", "#000000"), ("#24292f", "#000000")),
    ({"color": "#24292f"}, None, ("#24292f", "#0d1117")),
    ({"color": "#ffff00"}, ("#ffff00", "#ffffff"), None),
    ({"color": "#ffff00", "darkColor": "#222222"}, ("#ffff00", "#ffffff"), ("#222222", "#0d1117")),
    ({"color": "#ffff00", "background": "#000"}, None, None),
    ({"color": "#777777", "background": "#888888", "darkBackground": "#000000"}, ("#777777", "#888888"), None),
    # Half of black on white, half of white on what is behind in the dark.
    ({"color": "#999999", "background": "#00000080"}, ("#999999", "#7f7f7f"), None),
    # 3 : 1 is enough from 24 px, and bold from 18.66 px; else it is 4.5 : 1.
    ({"color": "#808080", "size": "24"}, None, None),
    ({"color": "#808080", "size": "23"}, ("#808080", "#ffffff"), None),
    ({"color": "#808080", "size": "18.7", "weight": "700"}, None, None),
    ({"color": "#808080", "size": "18.6", "weight": "700"}, ("#808080", "#ffffff"), None),
    # An outline stands out for its letters.
    ({"color": "#ffffff", "outlineWidth": "4", "outlineColor": "#000000"}, None, None),
    ({"color": "#ffffff", "outlineWidth": "1", "outlineColor": "#000000"}, ("#ffffff", "#ffffff"), None),
])
def test_what_is_hard_to_read_is_said_with_its_contrast(advice, request_, light, dark):
    expected = [f"Hard to read on {scheme}: {in_words(contrast(*pair))}" if pair else ""
                for scheme, pair in [("light", light), ("dark", dark)]]
    assert advice(request_) == expected


def test_the_worst_stop_is_named(advice):
    light, dark = advice({"color": "linear-gradient(90deg, #0000ff, gold, #888)", "size": "30"})
    assert light == f"Hard to read on light at #ffd700: {in_words(contrast('#ffd700', '#ffffff'))}"
    assert dark == f"Hard to read on dark at #0000ff: {in_words(contrast('#0000ff', '#0d1117'))}"
    light, dark = advice({"color": "#444", "background": "linear-gradient(#fff, #333333)", "size": "30"})
    assert light == f"Hard to read on light: {in_words(contrast('#444444', '#333333'))}"


def test_the_words_follow_the_colours_and_the_format(visit):
    tab = visit({"text": "Follow", "effect": "none", "color": "#24292f"})
    tab.shows("Follow")
    color, dark = (tab.field(name).locator(".advice") for name in ("color", "darkColor"))
    assert color.is_hidden() and "Hard to read on dark" in dark.inner_text()
    assert dark.get_attribute("id") in tab.control("darkColor").get_attribute("aria-describedby")
    assert tab.control("darkColor").get_attribute("aria-invalid") is None
    tab.control("darkColor").fill("white")
    assert dark.is_hidden()
    assert dark.get_attribute("id") not in tab.control("darkColor").get_attribute("aria-describedby")
    # A format without dark colours shows the same to everyone.
    choose(tab, "gif")
    assert dark.is_hidden() and "Hard to read on dark" in color.inner_text()
    tab.control("background").fill("#fff")
    assert color.is_hidden()
    tab.is_quiet()


def test_each_text_has_its_own_words(visit):
    tab = visit({"1.text": "One", "1.color": "#24292f", "2.text": "Two", "2.color": "#eee", "background": "white",
                 "effect": "none"})
    tab.shows("One\nTwo")
    first, second = (tab.locator(".card").nth(index).locator("[data-parameter=color] .advice") for index in range(2))
    assert first.text_content() == "" and second.text_content().startswith("Hard to read on light: 1.1")
    tab.control("background").fill("black")
    assert first.text_content().startswith("Hard to read on light: 1.4") and second.text_content() == ""


FRAMES = f"[...document.querySelectorAll('{SHOWN}')]"
FILLS = f"""{FRAMES}.map(({{ contentDocument: picture }}) =>
    picture.defaultView.getComputedStyle(picture.querySelector('g')).fill)"""
TIMES = f"{FRAMES}.map(({{ contentDocument: picture }}) => picture.getAnimations().map((one) => one.currentTime))"


@pytest.mark.slow
def test_light_and_dark_stand_beside_each_other_and_move_together(visit):
    tab = visit({"text": "Day and night", "effect": "slide", "color": "#112233", "darkColor": "#ddeeff",
                 "duration": "5", "interval": "0"})
    tab.shows("Day and night")
    tab.locator(".timeline").fill("0.5")
    tab.locator("[name=backdrop][value=light]").check()
    times = tab.page.evaluate(TIMES)[0]
    tab.locator("[name=backdrop][value=both]").check()
    tab.holds(f"{FRAMES}.length === 2", "two pictures")
    assert tab.page.evaluate(FILLS) == ["rgb(17, 34, 51)", "rgb(221, 238, 255)"]
    # At the same instant as before, and at each one after.
    assert tab.page.evaluate(TIMES) == [[pytest.approx(time) for time in times]] * 2
    tab.locator(".timeline").fill("0.25")
    light, dark = tab.page.evaluate(TIMES)
    assert light == dark != times
    tab.locator("[aria-label=Play]").click()
    tab.holds(f"{TIMES}.every((times) => times.every((time) => time > 2500))", "that both play")
    light, dark = (frame.bounding_box() for frame in tab.locator(SHOWN).all())
    assert light["x"] + light["width"] <= dark["x"] or light["y"] + light["height"] <= dark["y"]
    tab.control("text").fill("Other")
    tab.holds(f"{FRAMES}.length === 2 && {FRAMES}.every(({{ contentDocument: picture }}) =>"
              "picture?.querySelector('title')?.textContent === 'Other')", "two other pictures")
    choose(tab, "gif")
    assert tab.locator(f"img{SHOWN}").count() == 2
    choose(tab, "svg")
    tab.locator("[name=backdrop][value=dark]").check()
    tab.holds(f"{FRAMES}.length === 1", "one picture")
    assert tab.page.evaluate(FILLS) == ["rgb(221, 238, 255)"]
    tab.is_quiet()


@pytest.mark.parametrize("size, stacked", [("400", False), ("40", True)])
def test_wide_pictures_stand_below_each_other(visit, size, stacked):
    text = "O" if size == "400" else "A line of text that is far wider than it is high"
    tab = visit({"text": text, "effect": "none", "size": size})
    tab.shows(text)
    tab.locator("[name=backdrop][value=both]").check()
    tab.holds(f"{FRAMES}.length === 2", "two pictures")
    light, dark = (frame.bounding_box() for frame in tab.locator(SHOWN).all())
    assert (light["x"] == dark["x"], light["y"] == dark["y"]) == (stacked, not stacked)


def test_who_changes_what_is_for_the_dark_sees_it_unless_light_or_dark_was_chosen(visit):
    tab = visit({"text": "Night", "effect": "none"})
    tab.shows("Night")
    tab.control("darkColor").fill("#ddeeff")
    tab.holds(f"{FRAMES}.length === 2 && {FILLS}[1] === 'rgb(221, 238, 255)'", "the dark beside the light")
    assert tab.locator("[name=backdrop][value=both]").is_checked()
    tab.locator("[name=backdrop][value=light]").check()
    tab.control("darkColor").fill("#ffffff")
    tab.holds(f"{FRAMES}.length === 1", "the light alone")
    tab.shows("Night")
    assert tab.locator("[name=backdrop][value=light]").is_checked()
    tab.is_quiet()


# Everyone

PAINTED = {**EVERYTHING, "cornerRadius": "8", "darkShadow": "0 0 4px #fff"}
SEVERAL = {"1.text": "One", "2.text": "Two", "2.color": GRADIENT, "2.shadow": "1px 1px red", "effect": "slide"}


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("request_", [PAINTED, SEVERAL, {"text": "x", "color": "linear-gradient(red)"}])
def test_axe_finds_no_fault(visit, request_, scheme, width):
    tab = visit(request_, viewport={"width": width, "height": 740}, color_scheme=scheme, thumbnails=True)
    if "linear-gradient(red)" in request_.values():
        tab.field("color").locator(".problem:visible").wait_for()
    else:
        tab.locator(SHOWN).first.wait_for()
    if "2.text" in request_:
        tab.locator(".card-toggle").nth(1).click()
    open_sections(tab)
    tab.locator("[name=backdrop][value=both]").check()
    if request_ is PAINTED:
        tab.holds(f"{FRAMES}.length === 2", "two pictures")
    violations = Axe().run(tab.page).response["violations"]
    assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []


@pytest.mark.slow
def test_no_width_makes_the_controls_of_paint_scroll_sideways(visit):
    tab = visit(PAINTED)
    tab.shows(PAINTED["text"])
    open_sections(tab)
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": 720})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.locator(".controls").evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
        # What is typed can be read, and what is pointed at can be hit.
        assert tab.smaller(".stop-row input[type=text], .shadow input[type=text]", 60) == []
        assert tab.smaller(".stop-handle, .stop-row button, .gradient-toggle", 24, 24) == []


@pytest.mark.slow
def test_every_control_of_paint_has_a_name_and_is_reached_by_keyboard(visit):
    tab = visit(PAINTED)
    tab.shows(PAINTED["text"])
    open_sections(tab)
    nameless = tab.page.evaluate("""() => [...document.querySelectorAll('button, input, select, textarea')]
        .filter((one) => !one.labels?.length && !one.ariaLabel && !one.textContent.trim())
        .map((one) => one.outerHTML)""")
    assert nameless == []
    names = tab.page.evaluate("""() => [...document.querySelectorAll('.gradient *, .shadows *')]
        .filter((one) => one.checkVisibility()).map((one) => one.ariaLabel).filter(Boolean)""")
    assert len(names) == len(set(names)) > 60
    expected = tab.page.evaluate("""() => [...document.querySelectorAll(
        '.field:is([data-parameter=color], [data-parameter=shadow]) :is(button, input, select)')]
        .filter((one) => !one.disabled && one.checkVisibility())
        .map((one, index) => { one.dataset.stop = index; return index; })""")
    tab.field("color").locator(".reset").focus()
    stops = []
    for _ in range(400):
        stop = tab.page.evaluate("document.activeElement.dataset.stop ?? null")
        if stop is not None and (not stops or int(stop) != stops[-1]):
            stops.append(int(stop))
        if stops and stops[-1] == expected[-1]:
            break
        tab.page.keyboard.press("Tab")
    assert stops == expected
