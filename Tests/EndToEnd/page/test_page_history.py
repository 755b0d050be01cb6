"""Undo, redo, and the browser's history on the preview page."""

import json

import pytest

from preview_page import THREE, cards, choose, focus, pick_effect, pick_look


def step(tab, name):
    return tab.page.get_by_role("group", name="Changes").get_by_role("button", name=name)


def can(tab):
    """Returns which of undo and redo are possible."""
    return [step(tab, name).get_attribute("aria-disabled") == "false" for name in ("Undo", "Redo")]


# Undo and redo

@pytest.mark.slow
def test_every_kind_of_change_is_undone_and_done_again(visit):
    tab = visit({"text": "Before", "effect": "slide", "distance": "2"})
    tab.shows("Before")
    assert can(tab) == [False, False]
    states = [tab.request()]

    def changed():
        states.append(tab.request())
        assert states[-1] != states[-2]
    tab.control("text").fill("After")
    changed()
    tab.control("italic").check()
    changed()
    tab.field("size").get_by_role("slider").press("End")
    changed()
    tab.control("distance").fill("3")
    changed()
    pick_effect(tab, "fade")
    changed()
    pick_look(tab, "Nord")
    changed()
    choose(tab, "gif")
    changed()
    tab.open_menu()
    tab.control("fps").fill("10")
    changed()
    choose(tab, "svg")
    states.append(tab.request())
    tab.page.keyboard.press("Escape")
    for state in reversed(states[:-1]):
        step(tab, "Undo").click()
        assert tab.request() == state
    assert can(tab) == [False, True]
    tab.shows("Before")
    for state in states[1:]:
        step(tab, "Redo").click()
        assert tab.request() == state
    assert can(tab) == [True, False]
    # What SVG does not take has not been lost on the way.
    choose(tab, "gif")
    assert tab.request()["fps"] == "10"
    tab.is_quiet()


@pytest.mark.slow
def test_keys_undo_in_fields_and_elsewhere(visit):
    tab = visit({"text": "One", "effect": "slide"})
    tab.shows("One")
    text, press = tab.control("text"), tab.page.keyboard.press
    text.fill("Two")
    tab.control("font").fill("DejaVu Serif")
    press("Enter")
    pick_effect(tab, "fade")
    # In the text area the browser alone would give back its own text, and nothing else.
    text.focus()
    for keys, request in [
            ("Control+z", {"text": "Two", "font": "DejaVu Serif", "effect": "slide"}),
            ("Control+z", {"text": "Two", "effect": "slide"}), ("Control+z", {"text": "One", "effect": "slide"}),
            ("Control+z", {"text": "One", "effect": "slide"}), ("Control+Shift+z", {"text": "Two", "effect": "slide"})]:
        press(keys)
        assert tab.request() == request
        assert text.input_value() == request["text"] and text.evaluate("(area) => area === document.activeElement")
    tab.locator("h1").click()
    press("Control+y")
    assert tab.request() == {"text": "Two", "font": "DejaVu Serif", "effect": "slide"}
    tab.is_quiet()


def test_letters_that_are_typed_in_a_row_are_one_step(visit):
    tab = visit({"text": "A", "effect": "none"})
    tab.shows("A")
    # In one task, for no machine is too slow to type like that.
    tab.control("text").evaluate("""(area) => {
        for (const letter of 'bcdef') {
            area.value += letter;
            area.dispatchEvent(new InputEvent('input', { bubbles: true }));
        }
    }""")
    assert tab.request()["text"] == "Abcdef"
    step(tab, "Undo").click()
    assert tab.request()["text"] == "A" and can(tab) == [False, True]
    tab.shows("A")


def test_what_follows_an_undo_takes_the_place_of_what_was_undone(visit):
    tab = visit({"text": "A", "effect": "none"})
    tab.shows("A")
    tab.control("text").fill("B")
    step(tab, "Undo").click()
    tab.control("text").fill("C")
    assert can(tab) == [True, False]
    tab.page.keyboard.press("Control+Shift+z")
    assert tab.request()["text"] == "C"
    tab.shows("C")


def test_texts_come_back_with_all_that_they_had(visit):
    tab = visit(THREE)
    tab.shows("One\nTwo\nThree")
    tab.locator(".card-toggle").nth(1).focus()
    tab.locator("[aria-label='Remove text 2']").click()
    assert cards(tab) == ["One", "Three"]
    tab.page.keyboard.press("Alt+ArrowUp")
    tab.page.keyboard.press("Control+z")
    tab.page.keyboard.press("Control+z")
    assert cards(tab) == ["One", "Two", "Three"] and tab.request() == THREE
    # A card that is open stays open, and what has the focus keeps it.
    tab.locator(".card-toggle").nth(2).click()
    text = tab.locator(".card-body:visible [name=text]")
    text.fill("Drei")
    text.press("Control+z")
    assert tab.request() == THREE and focus(tab) == "Three"
    tab.shows("One\nTwo\nThree")
    tab.is_quiet()


def test_a_field_that_is_none_of_the_forms_undoes_its_own(visit):
    tab = visit({"text": "A", "effect": "none"})
    tab.shows("A")
    tab.control("text").fill("B")
    tab.locator("summary", has_text="From readme-typing-svg").click()
    field = tab.locator("#typing-link")
    field.press_sequentially("x")
    field.press("Control+z")
    assert field.input_value() == "" and tab.request()["text"] == "B"


# The browser's history

@pytest.mark.slow
def test_each_look_effect_and_format_is_a_place_to_go_back_to(visit):
    tab = visit({"text": "Way", "effect": "slide"})
    tab.shows("Way")
    places = [tab.request()]

    def arrived():
        places.append(tab.request())
    pick_look(tab, "Nord")
    arrived()
    tab.control("text").fill("Way back")
    places[-1] = tab.request()
    pick_effect(tab, "fade")
    arrived()
    choose(tab, "png")
    arrived()

    def is_at(request):
        tab.holds("""(request) => JSON.stringify(Object.entries(request).sort())
            === JSON.stringify([...new URLSearchParams(location.hash.slice(1))].sort())""", json.dumps(request), request)
        tab.holds("(text) => document.querySelector('[name=text]').value === text", "the text", request["text"])
    for place in reversed(places[:-1]):
        tab.page.go_back()
        is_at(place)
    tab.shows("Way")
    assert tab.locator(".preset[aria-pressed=true]").all_text_contents() == ["Plain", "As it is"]
    for place in places[1:]:
        tab.page.go_forward()
        is_at(place)
    tab.shows_image()
    tab.is_quiet()


def test_going_back_can_be_undone(visit):
    tab = visit({"text": "Way", "effect": "slide"})
    tab.shows("Way")
    pick_effect(tab, "fade")
    tab.page.go_back()
    tab.holds("document.querySelector('[name=effect]').value === 'slide'", "the effect before")
    step(tab, "Undo").click()
    assert tab.request()["effect"] == "fade"
    tab.is_quiet()


def test_the_first_visit_is_the_end_of_the_way_back(visit):
    tab = visit()
    tab.shows("Who you\ngonna call?")
    pick_look(tab, "Card")
    tab.page.go_back()
    tab.holds("location.hash === '' && document.querySelector('.preset[aria-pressed=true]').textContent === 'Banner'",
              "the example")
    tab.is_quiet()
