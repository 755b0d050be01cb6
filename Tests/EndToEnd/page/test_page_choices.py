"""What the preview page helps people to choose: fonts, how several texts follow each other, twins of colours."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from legibility import channels, contrast
from preview_page import FRAMES, SHOWN, THREE, WIDTHS, cards, choose, focus, open_sections
from service import until

TELEPHONE = {"width": 360, "height": 740}
FACE = re.compile(r"/render\.svg\?.*font=")


class Touch:
    """Touches of a finger on a tab."""

    def __init__(self, tab):
        self.page = tab.page
        self.line = tab.page.context.new_cdp_session(tab.page)

    def send(self, kind, *points):
        self.line.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def tap(self, locator):
        self.send("touchStart", middle(locator))
        self.send("touchEnd")

    def drag(self, start, *others):
        """Drags, once the page is idle: a busy browser cancels a touch if the page is slow to answer."""
        self.page.evaluate("new Promise((resolve) => requestIdleCallback(resolve))")
        self.send("touchStart", start)
        for point in others:
            self.send("touchMove", point)
        self.send("touchEnd")


def middle(locator):
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def fonts(server):
    return server.get("/fonts").json["fonts"]


def families(tab):
    """The list of families that is open."""
    return tab.locator(".families-list:visible")


def shown(tab):
    return tab.page.evaluate("""[...document.querySelectorAll('.families-list [role=option]')]
        .filter((one) => one.checkVisibility()).map(({ dataset }) => dataset.family)""")


def active(tab):
    """Returns the family that the field points at."""
    return tab.page.evaluate("""() => {
        const id = document.activeElement.getAttribute('aria-activedescendant');
        return id && document.getElementById(id).dataset.family;
    }""")


# Fonts

def test_the_families_are_the_servers_in_groups_those_for_text_first(visit, server):
    tab = visit({"text": "Fonts", "effect": "none"})
    tab.control("font").click()
    groups = tab.page.evaluate("""[...document.querySelectorAll('.families-list [role=group]')].map((one) =>
        [one.ariaLabel, [...one.querySelectorAll('[role=option]')].map(({ dataset }) => dataset.family)])""")
    text = [font["family"] for font in fonts(server) if font["latin"]]
    others = [font["family"] for font in fonts(server) if not font["latin"]]
    assert groups == [["Default", ["auto"]], ["Text", text], ["Generic", ["sans-serif", "serif", "monospace"]],
                      ["Other scripts", others]]
    assert active(tab) == "auto"
    assert families(tab).get_by_role("option", selected=True).get_attribute("aria-label") == "Automatic: Inter"
    tab.is_quiet()


def test_a_family_is_found_and_taken_by_keyboard(visit):
    tab = visit({"text": "Keys", "effect": "none"})
    tab.shows("Keys")
    before, field = tab.address(), tab.control("font")
    field.focus()
    assert families(tab).count() == 0 and field.get_attribute("aria-expanded") == "false"
    field.fill("deja")
    assert field.get_attribute("aria-expanded") == "true"
    found = shown(tab)
    assert "DejaVu Sans" in found and all("deja" in family.lower() for family in found)
    assert f"{len(found)} families" == tab.locator(".families [role=status]").text_content()
    assert active(tab) == found[0]
    for key, index in [("ArrowDown", 1), ("End", -1), ("ArrowDown", 0), ("ArrowUp", -1), ("Home", 0), ("PageDown", -1)]:
        tab.page.keyboard.press(key)
        assert active(tab) == found[index], key
    # Nothing is asked for while one looks around.
    assert "font" not in tab.request()
    field.fill("mono deja")
    assert shown(tab) == ["DejaVu Sans Mono"]
    tab.page.keyboard.press("Enter")
    assert tab.request()["font"] == field.input_value() == "DejaVu Sans Mono"
    assert families(tab).count() == 0 and field.evaluate("(field) => field === document.activeElement")
    tab.another_than(before)
    tab.is_quiet()


def test_escape_keeps_the_family_and_an_unfinished_search_is_none(visit):
    tab = visit({"text": "Keep", "effect": "none", "font": "DejaVu Serif"})
    tab.shows("Keep")
    field = tab.control("font")
    for leave in ["Escape", "Tab"]:
        field.fill("sans")
        tab.page.keyboard.press(leave)
        assert tab.request()["font"] == field.input_value() == "DejaVu Serif"
        assert families(tab).count() == 0
    # What no family has is the server's to judge.
    field.fill("No Such Family")
    assert tab.locator(".families-none").is_visible()
    tab.page.keyboard.press("Enter")
    assert tab.request()["font"] == "No Such Family"
    field.fill("")
    tab.page.keyboard.press("Tab")
    assert "font" not in tab.request() and field.input_value() == "Automatic: Inter"
    tab.is_quiet()


def test_the_automatic_family_is_named_and_is_taken_again(visit):
    tab = visit({"text": "Usual", "effect": "none"})
    tab.shows("Usual")
    field = tab.control("font")
    # Who looks at it changes nothing.
    for leave in ["Escape", "Enter", "Tab"]:
        field.click()
        tab.page.keyboard.press(leave)
        assert tab.request() == {"text": "Usual", "effect": "none"} and field.input_value() == "Automatic: Inter"
    # The family itself is another choice.
    field.fill("inter")
    assert shown(tab)[0] == "auto" and active(tab) == "Inter"
    tab.page.keyboard.press("Enter")
    assert tab.request()["font"] == field.input_value() == "Inter"
    # It is the whole list, even if it is found after a comma.
    for search in ["automatic", "Inter, auto"]:
        field.fill(search)
        assert active(tab) == "auto"
        tab.page.keyboard.press("Enter")
        assert "font" not in tab.request() and field.input_value() == "Automatic: Inter"
        field.fill("DejaVu Serif")
        tab.page.keyboard.press("Enter")
    tab.field("font").locator(".reset").click()
    assert "font" not in tab.request() and field.input_value() == "Automatic: Inter"
    tab.is_quiet()


def test_a_server_without_the_automatic_family_names_what_it_has(visit):
    tab = visit()

    def answer(route):
        document = route.fetch().json()
        document["fonts"] = [font for font in document["fonts"] if font["family"] != "Inter"]
        route.fulfill(json=document)
    tab.page.route("**/fonts", answer)
    tab.page.goto("about:blank")
    tab.open({"text": "Other", "effect": "none"})
    assert tab.control("font").input_value() == "Automatic: DejaVu Sans"
    assert tab.control("weight").locator(":checked").inner_text() == "Automatic: Regular 400"


def test_several_families_are_searched_for_one_by_one(visit):
    tab = visit({"text": "List", "effect": "none"})
    tab.shows("List")
    field = tab.control("font")
    field.fill("DejaVu Serif, ")
    assert len(shown(tab)) > 20
    field.press_sequentially("sans mono dej")
    tab.page.keyboard.press("Enter")
    assert tab.request()["font"] == "DejaVu Serif, DejaVu Sans Mono"
    # The list answers the whole field unless something is searched for.
    field.click()
    tab.page.keyboard.press("Home")
    assert active(tab) == shown(tab)[0] == "auto"
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    assert tab.request()["font"] == field.input_value() != "DejaVu Serif, DejaVu Sans Mono"


def test_a_family_is_taken_by_mouse(visit):
    tab = visit({"text": "Mouse", "effect": "none"})
    tab.shows("Mouse")
    button = tab.field("font").get_by_role("button", name="list of families")
    button.click()
    assert families(tab).is_visible()
    button.click()
    assert families(tab).count() == 0
    tab.control("font").click()
    tab.locator("[role=option][data-family='DejaVu Serif']").click()
    assert tab.request()["font"] == "DejaVu Serif" and families(tab).count() == 0
    tab.control("font").click()
    tab.locator(".masthead h1").click()
    assert tab.request()["font"] == "DejaVu Serif" and families(tab).count() == 0
    tab.is_quiet()


def test_a_family_is_taken_by_touch(visit):
    tab = visit({"text": "Touch", "effect": "none"}, viewport=TELEPHONE)
    tab.shows("Touch")
    touch = Touch(tab)
    touch.tap(tab.locator("summary", has_text=re.compile("^Type$")))
    touch.tap(tab.field("font").get_by_role("button", name="list of families"))
    option = tab.locator("[role=option][data-family='DejaVu Serif']")
    option.wait_for()
    # All of the list is between the picture and what lies below.
    box = families(tab).bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    for y in [box["y"] + 2, box["y"] + box["height"] - 2]:
        assert tab.page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.families-list') !== null",
                                 [box["x"] + 20, y])
    assert tab.control("font").evaluate("(field) => field.inputMode") == "none"
    touch.tap(option)
    until(lambda: tab.request().get("font") == "DejaVu Serif", "the family")
    assert families(tab).count() == 0
    touch.line.detach()
    tab.is_quiet()


@pytest.mark.slow
def test_only_the_faces_in_view_are_fetched(visit):
    tab = visit({"text": "Faces", "effect": "none"}, thumbnails=True)
    tab.shows("Faces")
    asked = []
    tab.on("request", lambda request: asked.append(request.url) if FACE.search(request.url) else None)
    tab.control("font").click()
    tab.holds("document.querySelectorAll('.family img:not([hidden])').length >= 5", "faces")
    assert len(asked) < 20
    name = families(tab).locator(".family", has=tab.page.locator("img:not([hidden])")).first
    assert name.locator(".family-name").evaluate("(one) => getComputedStyle(one).visibility") == "hidden"
    assert name.locator("img").evaluate("(image) => image.naturalWidth") > 20
    # Each is in its own face: no two have the same picture.
    assert len(set(asked)) == len(asked)
    tab.is_quiet()


def test_a_face_that_is_refused_leaves_the_name(visit):
    tab = visit({"text": "Plain", "effect": "none"}, thumbnails=True)
    tab.shows("Plain")
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=429, headers={"Retry-After": "30"})
    tab.page.route(FACE, refuse)
    tab.control("font").click()
    until(lambda: tab.page.evaluate("1") and asked, "a face that is asked for")
    assert families(tab).locator(".family-name", has_text="DejaVu Serif").is_visible()
    # A server that refuses is left alone.
    tab.control("font").fill("d")
    assert len(asked) <= 2
    assert families(tab).locator("img:not([hidden])").count() == 0


def with_font(tab, **entry):
    """Has the server know DejaVu Serif with other axes, features or weights."""
    def answer(route):
        document = route.fetch().json()
        for font in document["fonts"]:
            if font["family"] == "DejaVu Serif":
                font.update(entry)
        route.fulfill(json=document)
    tab.page.route("**/fonts", answer)


def test_the_weights_are_the_families_own(visit, server):
    tab = visit({"text": "Weights", "effect": "none"})
    field = tab.control("font")
    fixed = [font for font in fonts(server) if not any(axis["tag"] == "wght" for axis in font["axes"])]
    for font in [*fixed[:4], *fixed[-2:]]:
        field.fill(font["family"])
        tab.page.keyboard.press("Enter")
        weights = tab.page.evaluate(
            "[...document.querySelectorAll('[name=weight] option:not([data-foreign])')].map((one) => one.value)")
        assert weights == ["auto", *map(str, font["weights"])], font["family"]
        assert tab.control("weight").locator(":checked").inner_text() == "Automatic: Regular 400"


def test_a_variable_family_has_every_weight(visit):
    tab = visit()
    with_font(tab, axes=[{"tag": "wght", "minimum": 100, "default": 400, "maximum": 850}])
    tab.page.goto("about:blank")
    tab.open({"text": "Variable", "font": "DejaVu Serif", "weight": "350"})
    tab.shows("Variable")
    weight = tab.control("weight")
    assert weight.input_value() == "350"
    slider = tab.field("weight").get_by_role("slider")
    slider.press("End")
    assert tab.request()["weight"] == weight.input_value() == "850"
    weight.fill("431")
    assert tab.request()["weight"] == "431"
    word = tab.field("weight").get_by_label("auto")
    assert not word.is_checked()
    word.check()
    assert "weight" not in tab.request() and weight.input_value() == slider.get_attribute("aria-valuetext") == "auto"
    word.uncheck()
    assert tab.request()["weight"] == weight.input_value() == "400"
    weight.fill("431")
    hint = tab.field("weight").locator("p.unseen, p.sentence").first.get_attribute("id")
    assert hint in weight.get_attribute("aria-describedby")
    # Another family has a menu again, which keeps the weight.
    tab.control("font").fill("DejaVu Sans")
    tab.page.keyboard.press("Enter")
    assert weight.evaluate("(one) => one.tagName") == "SELECT" and weight.input_value() == "431"


@pytest.mark.slow
def test_features_and_axes_have_controls_that_write_them(visit):
    tab = visit()
    with_font(
        tab, features=["calt", "ccmp", "kern", "liga", "ss01", "ss12", "tnum"],
        axes=[{"tag": "wdth", "minimum": 60, "default": 100, "maximum": 120},
              {"tag": "wght", "minimum": 100, "default": 400, "maximum": 900}])
    tab.page.goto("about:blank")
    tab.open({"text": "fi 11", "font": "DejaVu Serif", "fontFeatures": "zero"})
    tab.shows("fi 11")
    features = tab.field("fontFeatures")
    # A font has so many that they are closed away.
    assert features.get_by_role("checkbox").count() == 0
    features.locator("summary").click()
    assert features.get_by_role("checkbox").count() == 6
    ligatures, digits = (features.get_by_label(name) for name in ["Ligatures", "Digits of equal width"])
    assert ligatures.is_checked() and not digits.is_checked()
    ligatures.uncheck()
    digits.check()
    features.get_by_label("Style 12").check()
    assert tab.request()["fontFeatures"] == "zero, liga=0, tnum, ss12"
    tab.control("fontFeatures").fill("tnum=0, liga")
    assert ligatures.is_checked() and not digits.is_checked()
    ligatures.uncheck()
    ligatures.check()
    digits.check()
    digits.uncheck()
    assert "fontFeatures" not in tab.request()
    axes = tab.field("fontVariations")
    axes.get_by_role("slider", name="Width").press("End")
    assert tab.request()["fontVariations"] == "wdth=120"
    axes.get_by_role("textbox", name="Width", exact=True).fill("81.5")
    assert tab.request()["fontVariations"] == "wdth=81.5"
    axes.get_by_role("textbox", name="Width", exact=True).fill("100")
    assert "fontVariations" not in tab.request()
    tab.control("fontVariations").fill("GRAD=4")
    axes.get_by_role("slider", name="Width").press("Home")
    assert tab.request()["fontVariations"] == "GRAD=4, wdth=60"
    tab.shows("fi 11")


def test_what_a_family_has_not_is_not_asked_for(visit):
    tab = visit()
    with_font(tab, features=["ccmp", "mark"], axes=[{"tag": "wght", "minimum": 100, "default": 400, "maximum": 900}])
    tab.page.goto("about:blank")
    tab.open({"text": "Bare", "font": "DejaVu Serif"})
    assert not tab.field("fontFeatures").is_visible() and not tab.field("fontVariations").is_visible()
    # Nobody knows what a family has that the server does not list.
    tab.open({"text": "Bare", "font": "Unheard Of"})
    tab.holds("document.querySelector('[name=font]').value === 'Unheard Of'", "the other request")
    assert tab.field("fontFeatures").is_visible() and tab.field("fontVariations").is_visible()


# Several texts

@pytest.mark.slow
def test_a_second_text_asks_how_they_follow_each_other(visit):
    tab = visit({"text": "One", "effect": "slide"})
    tab.shows("One")
    question = tab.page.get_by_role("radiogroup", name="How do they follow each other?")
    assert question.count() == 0
    tab.locator(".add").click()
    assert question.is_visible()
    # At the texts, and all of it in view.
    top, bottom = tab.locator(".texts").bounding_box(), tab.locator(".several").bounding_box()
    assert 0 < bottom["y"] - top["y"] - top["height"] < 80
    assert question.get_by_role("radio").count() == 4
    assert question.get_by_role("radio", checked=True).input_value() == "queue"
    question.get_by_label("in one place").check()
    assert tab.request()["sequence"] == "replace"
    assert not tab.field("spacing").is_visible() and tab.field("gap").is_visible()
    assert not tab.field("flow").is_visible()
    tab.page.keyboard.press("ArrowRight")
    assert tab.request()["sequence"] == "rotate"
    tab.field("flow").locator("select").select_option(label="Beside each other")
    assert tab.request()["flow"] == "row"
    question.get_by_label("in one place").check()
    tab.page.keyboard.press("ArrowLeft")
    assert tab.request()["sequence"] == "together"
    assert tab.field("spacing").is_visible() and not tab.field("gap").is_visible()
    tab.is_quiet()


def test_an_unheard_of_sequence_stays_until_one_is_chosen(visit):
    tab = visit({**THREE, "sequence": "spiral"})
    tab.field("sequence").locator(".problem").wait_for()
    assert tab.request()["sequence"] == "spiral"
    tab.field("sequence").get_by_label("All at once").check()
    tab.shows("One\nTwo\nThree")
    assert tab.request()["sequence"] == "together"


def test_the_seconds_of_a_cycle_stand_beside_the_sequence(visit):
    tab = visit({**THREE, "speed": "2"})
    tab.shows("One\nTwo\nThree")
    several = tab.locator(".several")

    def says_duration():
        return several.locator(".cycle-now").text_content() == f"Now it takes {tab.fact('Duration')}."
    until(says_duration, "the duration")
    several.locator("[name=cycle]").fill("7.5")
    assert tab.request()["cycle"] == "7.5" and "speed" not in tab.request()
    until(lambda: tab.fact("Duration") == "7.50 s" and says_duration(), "the other duration")
    # With one text it is among the others of its kind.
    for _ in range(2):
        tab.locator(".card-toggle").first.focus()
        tab.locator(".card").first.locator("[aria-label^=Remove]").click()
    assert tab.locator("details [name=cycle]").input_value() == "7.5"
    tab.is_quiet()


MOVED = {"effect": "slide", "1.text": "Two", "1.effect": "fade", "2.text": "Three", "2.size": "20", "3.text": "One"}


def handle(tab, number):
    return tab.locator(".card-handle").nth(number - 1)


def start_drag(tab, number, onto):
    """Takes a text by its handle, and holds it past the middle of another one."""
    x, y = middle(handle(tab, number))
    _, end = middle(handle(tab, onto))
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x + 5, end + (10 if onto > number else -10), steps=6)


def test_a_text_is_dragged_to_another_place(visit):
    tab = visit(THREE)
    tab.shows("One\nTwo\nThree")
    start_drag(tab, 1, 3)
    assert tab.locator(".card.dragged").count() == 1
    # The line is where it lands: below the last text.
    line, last = tab.locator(".drop-line").bounding_box(), tab.locator(".card").nth(2).bounding_box()
    assert abs(line["y"] - last["y"] - last["height"]) < 5
    assert cards(tab) == ["One", "Two", "Three"]
    tab.page.mouse.up()
    assert cards(tab) == ["Two", "Three", "One"] and tab.locator(".drop-line, .dragged").count() == 0
    assert tab.request() == MOVED and focus(tab) == "3One"
    assert tab.locator(".text-section > [role=status]").inner_text() == "“One” is now text 3 of 3."
    tab.shows("Two\nThree\nOne")
    tab.is_quiet()


@pytest.mark.slow
def test_a_text_dragged_by_touch_or_moved_by_keys_is_the_same_request(visit):
    tab = visit(THREE, viewport=TELEPHONE)
    tab.shows("One\nTwo\nThree")
    touch = Touch(tab)

    def has_moved():
        # On a busy machine the browser may have cancelled the touch before, or the finger may have left before the page
        # had seen how far it had moved.
        if tab.request() != THREE:
            tab.open(THREE)
        # Away from the edges of the view, where the page would scroll under the finger while it waits.
        handle(tab, 2).evaluate("(handle) => handle.scrollIntoView({ block: 'center', behavior: 'instant' })")
        x, y = middle(handle(tab, 1))
        _, end = middle(handle(tab, 3))
        touch.drag((x, y), (x, y + 12), (x, (y + end) / 2), (x, end + 12))
        tab.page.wait_for_timeout(300)
        return tab.request() == MOVED

    until(has_moved, "the dragged text in its place")
    assert tab.page.evaluate("scrollY") == 0 or tab.locator(".texts").is_visible()
    touch.line.detach()
    tab.open(THREE)
    tab.holds("document.querySelector('.card-excerpt').textContent === 'One'", "the first order")
    tab.locator(".card-toggle").first.click()
    # From within the card too; what has the focus keeps it.
    text = tab.locator(".card-body:visible [name=text]")
    text.focus()
    for _ in range(2):
        tab.page.keyboard.press("Alt+ArrowDown")
    assert tab.request() == MOVED
    assert text.input_value() == "One" and text.evaluate("(area) => area === document.activeElement")
    tab.is_quiet()


def test_escape_and_a_short_way_leave_a_text_in_its_place(visit):
    tab = visit(THREE)
    tab.shows("One\nTwo\nThree")
    start_drag(tab, 3, 1)
    assert tab.locator(".card.dragged").count() == 1
    tab.page.keyboard.press("Escape")
    assert tab.locator(".card.dragged, .drop-line").count() == 0
    tab.page.mouse.up()
    x, y = middle(handle(tab, 2))
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x, y + 14, steps=3)
    assert tab.locator(".drop-line").is_hidden()
    tab.page.mouse.up()
    assert cards(tab) == ["One", "Two", "Three"] and tab.request() == THREE
    tab.is_quiet()


@pytest.mark.slow
def test_the_list_scrolls_while_a_text_is_dragged_past_its_edge(visit):
    names = [f"Text {number}" for number in range(1, 33)]
    tab = visit({"effect": "none", **{f"{index + 1}.text": name for index, name in enumerate(names)}},
                viewport={"width": 1280, "height": 600})
    # Until all has its place, the handle may move away from the pointer.
    tab.page.wait_for_load_state("networkidle")
    x, y = middle(handle(tab, 1))
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x, 590, steps=4)
    tab.holds("document.querySelectorAll('.card')[31].getBoundingClientRect().bottom < 480", "the last text")
    tab.page.mouse.up()
    assert cards(tab) == [*names[1:], names[0]]


# Twins of colours

def offer(tab, parameter):
    return tab.field(parameter).locator(".offer")


def hue(color):
    """Returns which channel has the most, and how the two others share the rest."""
    red, green, blue = channels(color)
    low, high = min(red, green, blue), max(red, green, blue)
    return [(part - low) / (high - low) for part in (red, green, blue)]


@pytest.mark.slow
def test_a_colour_that_nobody_sees_in_the_dark_gets_its_twin(visit):
    tab = visit({"text": "Twin", "effect": "none", "size": "20"})
    tab.shows("Twin")
    line = offer(tab, "color")
    for color in ["#24292f", "#0969da", "#116329", "#000000", "#82071e"]:
        tab.control("color").fill(color)
        assert re.match("(Invisible|Hard to read) on dark pages?", line.inner_text())
        described = tab.control("color").get_attribute("aria-describedby").split()
        assert line.locator("[id]").get_attribute("id") in described
        line.get_by_role("button", name="Use").click()
        twin = tab.request()["darkColor"]
        # It stands out there as the colour does here, as far as white can, and is of its hue.
        wanted = min(max(contrast(color, "#ffffff"), 4.5), contrast("#ffffff", "#0d1117"))
        assert contrast(twin, "#0d1117") == pytest.approx(wanted, rel=0.06), color
        if len(set(channels(color))) > 1:
            assert hue(twin) == pytest.approx(hue(color), abs=0.15), color
        assert line.count() == 0 and tab.field("darkColor").locator(".advice").is_hidden()
        assert tab.control("darkColor").input_value() == twin
        tab.control("darkColor").fill("")
    # What is seen in both is not asked about.
    tab.control("size").fill("32")
    tab.control("color").fill("#787878")
    assert line.count() == 0
    tab.is_quiet()


def test_a_chosen_colour_asks_at_the_picture_too_and_one_button_mends_it(visit):
    tab = visit({"text": "Chosen", "effect": "none", "color": "#24292f"})
    tab.shows("Chosen")
    warning = tab.locator(".warnings li", has_text="Invisible on dark pages")
    warning.get_by_role("button").click()
    assert tab.request()["darkColor"]
    warning.wait_for(state="detached")
    assert offer(tab, "color").count() == 0
    tab.holds(f"[...document.querySelectorAll('{FRAMES}')].length === 2", "light and dark")
    tab.is_quiet()


@pytest.mark.parametrize("request_", [None, {"text": "Plain"}, {"text": "Small", "size": "16"}])
def test_the_example_and_the_default_are_seen_by_everyone(visit, request_):
    tab = visit(request_)
    tab.locator(SHOWN).wait_for()
    assert tab.locator(".offer").count() == 0
    assert tab.locator(".advice:not([hidden])").count() == 0


def test_who_keeps_the_same_is_not_asked_again_about_that_colour(visit):
    tab = visit({"text": "Same", "effect": "none", "color": "#222222"})
    tab.shows("Same")
    offer(tab, "color").get_by_role("button", name="Keep the same").click()
    assert offer(tab, "color").count() == 0 and "darkColor" not in tab.request()
    tab.control("size").fill("40")
    assert offer(tab, "color").count() == 0
    tab.control("color").fill("#333333")
    assert offer(tab, "color").is_visible()
    tab.is_quiet()


def test_a_colour_for_the_dark_alone_gets_one_for_the_light(visit):
    tab = visit({"text": "White", "effect": "none", "color": "#f0f6fc"})
    tab.shows("White")
    line = offer(tab, "color")
    assert line.inner_text().startswith("Invisible on light pages?")
    line.get_by_role("button", name="Use").click()
    request = tab.request()
    assert request["darkColor"] == "#f0f6fc" and contrast(request["color"], "#ffffff") >= 4.5
    assert line.count() == 0
    tab.is_quiet()


AROUND = {
    "background": ({"background": "#fff8e1", "color": "#24292f"}, "Bright on dark pages?"),
    "outlineColor": ({"outlineColor": "#101010", "outlineWidth": "2"}, "Hard to see on dark pages?"),
    "borderColor": ({"borderColor": "#222233", "borderWidth": "1"}, "Hard to see on dark pages?"),
    "shadow": ({"shadow": "2px 2px 4px #00000080"}, "Hard to see on dark pages?"),
}


@pytest.mark.slow
def test_what_is_around_the_text_gets_its_twin_too(visit):
    for parameter, (request, words) in AROUND.items():
        tab = visit({"text": parameter, "effect": "none", **request})
        tab.shows(parameter)
        open_sections(tab)
        line = offer(tab, parameter)
        assert line.inner_text().startswith(words)
        line.get_by_role("button", name="Use").click()
        dark = "dark" + parameter[0].upper() + parameter[1:]
        assert tab.request()[dark] == tab.control(dark).input_value() != ""
        assert line.count() == 0
        if parameter == "background":
            # The text was dark on what was bright.
            assert contrast(tab.request()["darkColor"], tab.request()["darkBackground"]) >= 4.5
        tab.is_quiet()


def test_an_automatic_colour_needs_no_twin_beside_that_of_the_background(visit):
    tab = visit({"text": "Paper", "effect": "none", "background": "#fff8e1"})
    tab.shows("Paper")
    offer(tab, "background").get_by_role("button", name="Use").click()
    assert tab.request().keys() == {"text", "effect", "background", "darkBackground"}
    assert offer(tab, "color").count() == 0
    tab.is_quiet()


def test_a_gradient_gets_a_twin_of_each_stop(visit):
    tab = visit({"text": "Gradient", "effect": "none", "color": "linear-gradient(90deg, #000080 0%, #400040 100%)"})
    tab.shows("Gradient")
    offer(tab, "color").get_by_role("button", name="Use its twin there").click()
    stops = re.findall(r"#[0-9a-f]{6}", tab.request()["darkColor"])
    assert len(stops) == 2 and all(contrast(stop, "#0d1117") >= 4.5 for stop in stops)
    tab.shows("Gradient")
    tab.is_quiet()


def test_formats_without_dark_colours_offer_none(visit):
    tab = visit({"text": "Film", "effect": "none", "color": "#24292f"})
    tab.shows("Film")
    assert offer(tab, "color").is_visible()
    choose(tab, "gif")
    assert offer(tab, "color").count() == 0
    tab.is_quiet()


def test_a_text_of_its_own_colour_has_its_own_offer(visit):
    tab = visit({"1.text": "One", "2.text": "Two", "2.color": "#330000", "effect": "none"})
    tab.shows("One\nTwo")
    offers = [tab.locator(".card").nth(index).locator(".offer").count() for index in range(2)]
    assert offers == [0, 1]
    tab.locator(".warnings li", has_text="Text 2: Invisible on dark pages").get_by_role("button").click()
    assert contrast(tab.request()["2.darkColor"], "#0d1117") >= 4.5
    tab.is_quiet()


# The padding

def test_one_tap_sets_the_padding_that_holds_what_moves(visit, server):
    request = {"text": "Far down", "effect": "drop", "room": "none", "darkColor": "white"}
    [warning] = server.render("json", **request).json["warnings"]
    tab = visit(request, viewport=TELEPHONE)
    button = tab.locator(".warnings button", has_text=f"Set padding to {warning['padding']} px")
    button.wait_for()
    # In view, and large enough for a finger.
    tab.reads(warning["message"])
    assert button.bounding_box()["height"] >= 24
    touch = Touch(tab)
    touch.tap(button)
    until(lambda: tab.request().get("padding") == str(warning["padding"]), "the padding")
    button.wait_for(state="detached")
    touch.line.detach()


# Everyone

@pytest.mark.slow
@pytest.mark.parametrize("scheme, width", [("light", 360), ("dark", 360), ("dark", 1400), ("light", 768)])
def test_axe_finds_no_fault_in_what_is_offered(visit, scheme, width):
    tab = visit({**THREE, "shadow": "1px 1px #000", "font": "DejaVu Serif"}, color_scheme=scheme,
                viewport={"width": width, "height": 800}, thumbnails=True)
    tab.shows("One\nTwo\nThree")
    # On a narrow page the section is closed at first.
    if (section := tab.locator("#controls > details:not([open]):has([name=font]) > summary")).count():
        section.click()
    tab.locator("#controls > details [name=font]").click()
    tab.holds("document.querySelectorAll('.family img:not([hidden])').length >= 3", "faces")
    violations = Axe().run(tab.page, context="#controls").response["violations"]
    assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []


@pytest.mark.slow
def test_no_width_makes_what_is_offered_scroll_sideways(visit):
    tab = visit({**THREE, "font": "DejaVu Serif, DejaVu Sans Mono, Noto Sans, Noto Serif, sans-serif"}, thumbnails=True)
    tab.shows("One\nTwo\nThree")
    tab.locator("#controls > details [name=font]").click()
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": 720})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.locator(".controls").evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
        assert tab.smaller(".card-handle, .sequence label, .offer button, .families button", 24, 24) == []
