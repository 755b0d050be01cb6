"""What the preview page says about values and answers that are wrong, and about warnings."""
import json
import re

import pytest

import catalogue_checks
from preview_page import RENDER, SHOWN, THREE, pick_effect, refuse
from service import query, until


def test_a_wrong_value_keeps_the_picture_and_says_so_beside_its_field(visit):
    tab = visit({"text": "Good", "effect": "slide"})
    tab.shows("Good")
    good = tab.address()
    size = tab.control("size")
    size.fill("2000")
    message = tab.field("size").locator(".problem")
    message.wait_for()
    assert "4 to 400" in message.inner_text()
    assert size.get_attribute("aria-invalid") == "true"
    assert message.get_attribute("id") in size.get_attribute("aria-describedby")
    assert tab.locator(".problem:visible").count() == 1
    assert "last good picture" in tab.locator(".status").inner_text()
    assert tab.address() == good
    size.fill("48")
    message.wait_for(state="hidden")
    assert size.get_attribute("aria-invalid") is None
    assert tab.another_than(good)


def test_every_fault_of_an_address_is_shown_and_what_has_no_field_can_be_removed(visit):
    tab = visit({"text": "Faulty", "effect": "slide", "distance": "-3", "width": "none", "foo": "1"})
    for parameter in ["distance", "width"]:
        tab.field(parameter).locator(".problem").wait_for()
    assert tab.locator(".problem:visible").count() == 2
    tab.locator(".problems li", has_text="foo").get_by_role("button").click()
    tab.control("distance").fill("1")
    tab.control("width").fill("")
    tab.shows("Faulty")
    assert tab.request() == {"text": "Faulty", "effect": "slide", "distance": "1"}
    assert tab.locator(".problems li").count() == 0


def test_an_empty_text_asks_for_one_without_a_request(visit):
    tab = visit({"text": "Something"})
    tab.shows("Something")
    asked = []
    tab.on("request", lambda request: asked.append(request.url) if "/render" in request.url else None)
    for empty in ["", " \n "]:
        tab.control("text").fill(empty)
        problem = tab.field("text").locator(".problem")
        problem.wait_for()
        assert problem.inner_text() == "Type something."
    assert tab.control("text").get_attribute("placeholder") == "Type something"
    tab.shows("Something")
    tab.control("text").fill("Else")
    problem.wait_for(state="hidden")
    tab.shows("Else")
    assert not any("text=&" in url or url.endswith("text=") or "text=+" in url for url in asked)
    # Of several texts it is the one that is empty.
    tab.open({"1.text": "One", "2.text": "", "effect": "none"})
    tab.locator(".card").nth(1).locator(".problem", has_text="Type something").wait_for()


# Requests that the API refuses, each with some of its words.
FAULTY = {
    "a closed section": ({"text": "x", "title": "a\u0007b"}, "must not hold control characters"),
    "a field far down": ({"text": "x", "height": "0"}, "1 to 4096"),
    "two fields at odds": ({"text": "x", "width": "40", "padding": "30"}, "must leave at least 1 px"),
    "only one of two": ({"text": "x", "speed": "2", "cycle": "3"}, "must not be given together with speed"),
    "a canvas too wide": ({"text": "w" * 400, "size": "100"}, "the limit is 4096 px"),
    "too many pixels": ({"text": "x", "width": "4000", "height": "2000", "scale": "4", "format": "png"},
                        "the limit is 16777216"),
    "too many frames": ({"text": "x", "cycle": "119", "effect": "slide", "duration": "10", "fps": "50", "loop": "2",
                         "exit": "auto", "hold": "0", "format": "gif"}, "the limit is 3000"),
    "too long a cycle": ({"text": "x", "delay": "60", "hold": "60", "speed": "0.5"}, "the limit is 120 s"),
    "too long a cycle of several": ({"1.text": "x", "2.text": "y", "delay": "60", "hold": "60", "speed": "0.5"},
                                    "the limit is 120 s"),
    "too much text": ({"text": "word " * 500}, "the limit is 2000"),
    "text of several": ({f"{index}.text": "A long text, " * 10 for index in range(1, 33)}, "the limit is 2000"),
    "too many texts": ({f"{index}.text": "x" for index in range(1, 34)}, "at most 32 times"),
    "a control character": ({"text": "a\u0001b"}, "control character U+0001"),
    "broken markup": ({"text": "<b>x", "markup": "true"}, "markup:"),
    "a name that nobody knows": ({"text": "x", "efect": "fade"}, "did you mean"),
    "another effect's parameter": ({"text": "x", "effect": "fade", "distance": "2"}, "belongs to no effect"),
    "an effect's parameter": ({"text": "x", "effect": "fall", "minDistance": "9", "maxDistance": "2"},
                              "must not be below minDistance"),
    "what only several take": ({"text": "x", "gap": "99"}, "0 to 60"),
    "a text of several": ({**THREE, "3.weight": "7"}, "100 to 1000"),
    "a name of one of several": ({**THREE, "3.padding": "7"}, "set it at the top"),
    "an unknown format": ({"text": "x", "format": "film"}, "must be one of"),
}


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 720}, {"width": 360, "height": 740}],
                         ids=["wide", "narrow"])
@pytest.mark.parametrize("case", FAULTY)
def test_what_is_wrong_can_be_read_without_a_search(visit, case, viewport):
    request, words = FAULTY[case]
    tab = visit(request, viewport=viewport)
    tab.reads(words)
    # Each entry leads to its field, or takes its value away, or both are out of the question.
    for link in tab.locator(".problems a").all():
        link.click()
        assert tab.page.evaluate("""() => {
            const { bottom } = document.querySelector('.stage').getBoundingClientRect();
            const { top, bottom: end } = document.activeElement.getBoundingClientRect();
            return document.activeElement.matches('.field *') && end > 0 && end <= innerHeight + 1
                && (innerWidth > 899 || top >= bottom);
        }"""), link.inner_text()


def test_a_value_that_the_format_does_not_take_is_said_and_can_be_removed(visit):
    tab = visit()
    refuse(tab, RENDER, errors=[{"parameter": "scale", "message": "must be from 0.5 to 4; got 99"}])
    tab.open({"text": "Unused", "scale": "99"})
    tab.reads("must be from 0.5 to 4")
    tab.page.unroute(RENDER)
    tab.locator(".problems li", has_text="scale").get_by_role("button", name="Remove").click()
    tab.shows("Unused")


@pytest.mark.slow
def test_every_parameter_at_fault_has_words_and_a_way_to_its_field(visit, server):
    catalogue_checks.every_parameter_at_fault_has_words_and_a_way_to_its_field(visit, server)


def test_long_texts_past_the_limit_lead_to_the_longest(visit):
    texts = ["A long text, " * 10] * 31 + ["The longest text, " * 10]
    tab = visit({"effect": "none", **{f"{index}.text": text for index, text in enumerate(texts, 1)}})
    tab.reads("graphemes; the limit is 2000")
    # There is nothing that a button could take away: 32 texts are allowed.
    assert tab.locator(".problems").get_by_role("button").count() == 0
    tab.locator(".problems").get_by_role("link", name="Texts").click()
    assert tab.page.evaluate("document.activeElement.value") == texts[-1]
    assert tab.locator(".card.open .card-number").inner_text() == "32"


def test_the_parameter_of_another_effect_is_its_own_once_that_is_chosen(visit):
    tab = visit({"text": "Other", "effect": "fade", "distance": "2"})
    tab.reads("belongs to no effect")
    pick_effect(tab, "slide")
    tab.shows("Other")
    assert tab.control("distance").input_value() == "2"
    tab.control("distance").fill("3")
    assert tab.request() == {"text": "Other", "effect": "slide", "distance": "3"}


@pytest.mark.slow
@pytest.mark.parametrize("status, body, kind, words", [
    (403, {"title": "Forbidden", "errors": [{"parameter": "signature", "message": "is missing"}]}, "json", "is missing"),
    (413, {"title": "Content Too Large", "errors": [{"parameter": "request", "message": "the body is too large"}]},
     "json", "the body is too large"),
    (422, {"title": "Limit exceeded", "detail": "More than this server takes", "errors": []}, "json", "More than this"),
    (429, {"title": "Too many requests from one address", "errors": []}, "json", "Too many requests from one address"),
    (500, {"title": "Typesetting failed", "errors": []}, "json", "Typesetting failed"),
    (503, {"title": "Too many renderings are waiting"}, "json", "Too many renderings are waiting"),
    (503, {"status": "failing", "reasons": ["no font can be opened"]}, "json", "no font can be opened"),
    (503, {"status": "draining"}, "json", "503: draining"),
    (502, "<html>Bad gateway", "html", "The server answered 502"),
    (500, "null", "json", "The server answered 500"),
])
def test_every_refusal_of_the_server_is_said_in_words(visit, status, body, kind, words):
    tab = visit({"text": "Before", "effect": "none"})
    tab.shows("Before")
    tab.page.route(RENDER, lambda route: route.fulfill(
        status=status, content_type=f"application/{kind}", body=body if isinstance(body, str) else json.dumps(body)))
    tab.control("text").fill("After")
    tab.reads(words)
    tab.reads("This is the last good picture")
    if status in (429, 503):
        tab.reads("Trying again in 3 s")
        tab.page.unroute(RENDER)
        tab.shows("After")
        assert tab.locator(".status").inner_text() == ""


@pytest.mark.slow
def test_a_server_out_of_reach_is_said_and_asked_again(visit):
    tab = visit({"text": "Before", "effect": "none"})
    tab.shows("Before")
    tab.page.route(RENDER, lambda route: route.abort())
    tab.control("text").fill("After")
    tab.reads("The server cannot be reached")
    tab.page.unroute(RENDER)
    tab.shows("After")


@pytest.mark.slow
def test_controls_that_cannot_be_loaded_are_said_and_come_later(visit):
    tab = visit()
    tab.page.goto("about:blank")
    refuse(tab, re.compile("/fonts$"), 429, title="Too many requests from one address", Retry_After="1")
    tab.page.goto(tab.url)
    tab.reads("Too many requests from one address. Trying again in 1 s.")
    tab.page.unroute_all()
    tab.page.wait_for_selector(".controls .section")
    tab.shows("Who you\ngonna call?")


def test_warnings_that_cannot_be_asked_for_come_later(visit):
    tab = visit({"text": "Calm", "effect": "none"})
    tab.shows("Calm")
    refuse(tab, re.compile(r"/r/.*\.json"), 429, title="Too many requests from one address", Retry_After="1")
    refused = []
    tab.on("response", lambda response: refused.append(response.url) if response.status == 429 else None)
    tab.control("height").evaluate("(field) => { field.value = '20'; field.oninput(); }")
    until(lambda: tab.page.evaluate("1") and refused, "a refusal")
    tab.page.unroute_all()
    tab.locator(".warnings li", has_text="larger than the given height").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("options", [["--rate-limit", "2"], ["--rate-limit", "2", "--rate-burst", "1"]])
def test_under_a_limit_of_requests_the_page_comes_all_the_same(visit, start, options):
    tab = visit(thumbnails=True)
    tab.page.goto("about:blank")
    tab.said.clear()
    tab.url = start(*options).url + "/"
    tab.open({"text": "Limited", "effect": "none"})
    tab.locator(SHOWN).wait_for()
    tab.locator("#snippet-permalink").wait_for()
    assert tab.control("text").input_value() == "Limited"


def test_a_busy_server_is_asked_again(visit):
    tab = visit({"text": "Calm", "effect": "none"}, thumbnails=True)
    tab.shows("Calm")
    refused = []

    def refuse_once(route):
        if refused:
            return route.continue_()
        refused.append(route)
        route.fulfill(status=503, headers={"Retry-After": "1"}, content_type="application/problem+json",
                      body=json.dumps({"title": "Too busy", "status": 503, "errors": []}))
    tab.page.route("**/render.svg?text=Storm&*", refuse_once)
    tab.control("text").fill("Storm")
    tab.locator(".status", has_text="Too busy").wait_for()
    tab.shows("Storm")
    tab.locator(".status", has_text="Too busy").wait_for(state="hidden")


def test_warnings_of_the_rendering_are_shown(visit):
    tab = visit({"text": "Far too wide", "effect": "none", "height": "20"})
    tab.shows("Far too wide")
    tab.locator(".warnings li", has_text="larger than the given height").wait_for()
    tab.control("text").fill("<b>broken")
    tab.field("markup").locator("input").check()
    tab.field("text").locator(".problem").wait_for()


def test_a_button_sets_the_padding_that_holds_what_moves(visit, server):
    request = {"text": "Far down", "effect": "drop", "room": "none"}
    [warning] = server.render("json", **request).json["warnings"]
    tab = visit(request)
    tab.locator(".warnings button", has_text=f"Set padding to {warning['padding']} px").click()
    tab.locator(".warnings li", has_text="leaves the canvas").wait_for(state="detached")
    assert tab.control("padding").input_value() == str(warning["padding"])
    assert f"padding={warning['padding']}" in tab.page.url


# Make it fit

def fit(tab):
    return tab.locator(".warnings").get_by_role("button", name="Make it fit")


def test_text_that_a_given_size_cuts_off_is_made_to_fit(visit, server):
    request = {"text": "Far too wide a text", "effect": "none", "size": "80", "width": "300", "height": "60", "color": "#808080"}
    tab = visit(request)
    tab.locator(".warnings li", has_text="larger than the given").get_by_role("button", name="Make it fit").click()
    assert tab.request() == {**request, "fit": "shrink"}
    fit(tab).wait_for(state="detached")
    tab.holds("document.querySelectorAll('.warnings li').length === 0", "no warning")
    assert server.get("/render.json?" + query(tab.request())).json["warnings"] == []
    tab.is_quiet()


@pytest.mark.parametrize("text, size", [("A line that is wider than a README has room for it", "48"), ("w" * 400, "100")])
def test_a_line_that_is_wider_than_a_readme_or_than_any_picture_is_made_to_fit(visit, server, text, size):
    request = {"text": text, "effect": "none", "size": size, "color": "#808080", "maxWidth": "none"}
    tab = visit(request)
    fit(tab).click()
    assert tab.request() == {**request, "fit": "shrink", "maxWidth": "830"}
    fit(tab).wait_for(state="detached")
    assert server.get("/render.json?" + query(tab.request())).json["width"] <= 830
    # It is one step, as any other change.
    tab.page.keyboard.press("Control+z")
    assert tab.request() == request


@pytest.mark.parametrize("wrap, is_wide", [(None, False), ("normal", True)])
def test_a_long_line_is_as_wide_as_a_readme_unless_its_wrapping_is_chosen(visit, wrap, is_wide):
    text = "A line that is wider than a README has room for it"
    tab = visit({"text": text, "effect": "none", "size": "48", "height": "21", **({"wrap": wrap} if wrap else {})})
    tab.locator(".warnings li", has_text="height").wait_for()
    assert tab.locator(".warnings li", has_text="README").count() == is_wide


def test_a_width_that_someone_chose_is_theirs(visit):
    tab = visit({"text": "Wide", "effect": "none", "width": "1200", "height": "21", "color": "#808080"})
    tab.locator(".warnings li", has_text="height").wait_for()
    assert tab.locator(".warnings li", has_text="README").count() == 0
