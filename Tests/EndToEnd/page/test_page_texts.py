"""The preview page's cards of several texts."""
import json
import urllib.parse

import pytest

from preview_page import HOSTILE, THREE, cards, focus, pick_effect


def test_the_second_text_of_a_look_is_its_subtitle(visit, server):
    tab = visit({"preset": "og", "1.text": "Title", "2.text": "Beneath"})
    tab.shows("Title\nBeneath")
    scene = server.get(urllib.parse.urlsplit(tab.address()).path.replace(".svg", ".json")).json
    title, subtitle = (block["lines"][0]["runs"][0]["font"] for block in scene["blocks"])
    assert float(subtitle.split()[-1].removesuffix("px")) < 0.6 * float(title.split()[-1].removesuffix("px"))
    assert tab.locator("#snippet-editable-url").input_value().endswith("?text=Title&text=Beneath&preset=og")


def test_a_subtitle_with_values_of_its_own_stays_one(visit, server):
    def sizes(tab):
        scene = server.get(urllib.parse.urlsplit(tab.address()).path.replace(".svg", ".json")).json
        fonts = (block["lines"][0]["runs"][0]["font"] for block in scene["blocks"])
        return [float(font.split()[-1].removesuffix("px")) for font in fonts]

    plain = visit({"preset": "og", "1.text": "Title", "2.text": "Beneath"})
    plain.shows("Title\nBeneath")
    colored = visit({"preset": "og,dracula", "1.text": "Title", "2.text": "Beneath", "2.color": "#ff79c6"})
    colored.shows("Title\nBeneath")
    assert sizes(colored) == sizes(plain)
    sized = visit({"preset": "og", "1.text": "Title", "2.text": "Beneath", "2.size": "20"})
    sized.shows("Title\nBeneath")
    assert sizes(sized)[1] == 20


def test_with_one_text_nothing_speaks_of_several(visit):
    tab = visit({"text": "Alone"})
    tab.shows("Alone")
    for name in ["sequence", "gap", "spacing"]:
        assert not tab.field(name).is_visible()
    assert tab.locator(".card").count() == 0
    assert tab.locator(".caption").is_hidden()


def test_a_second_text_is_added_ready_to_be_written(visit, server):
    tab = visit({"text": "One", "effect": "slide", "markup": "true"})
    tab.shows("One")
    bodies = []
    tab.on("request", lambda request: bodies.append(request.post_data) if request.method == "POST" else None)
    tab.locator(".add").click()
    tab.page.keyboard.type("Two")
    tab.shows("One\nTwo")
    assert tab.request() == {"1.text": "One", "1.markup": "true", "2.text": "Two", "effect": "slide"}
    request = {"effect": "slide", "blocks": [{"text": "One", "markup": True}, {"text": "Two"}]}
    assert json.loads(bodies[-1]) == request
    assert cards(tab) == ["One", "Two"]
    assert tab.field("sequence").is_visible()
    link = server.post("/render.svg", request).headers["Content-Location"]
    assert tab.address().endswith(link)
    assert tab.locator("#snippet-permalink").input_value() == server.url + link
    assert tab.locator("#snippet-html").input_value().endswith('alt="One Two">')
    tab.is_quiet()


def test_one_card_is_open_at_a_time(visit):
    tab = visit(THREE)
    tab.shows("One\nTwo\nThree")
    assert tab.locator(".card-body:visible").count() == 0
    toggles = tab.locator(".card-toggle")
    for index in [0, 2]:
        toggles.nth(index).click()
        assert tab.locator(".card-body:visible").count() == 1
        assert [toggles.nth(one).get_attribute("aria-expanded") for one in range(3)] == [
            "true" if one == index else "false" for one in range(3)]
    toggles.nth(2).click()
    assert tab.locator(".card-body:visible").count() == 0


def test_a_text_inherits_what_it_does_not_set(visit):
    tab = visit({**THREE, "size": "40"})
    tab.shows("One\nTwo\nThree")
    second, third = tab.locator(".card").nth(1), tab.locator(".card").nth(2)
    top = tab.locator(".section > [data-parameter=size] [name=size]")
    sizes = [card.locator("[name=size]") for card in (second, third)]
    assert [size.input_value() for size in sizes] == ["40", "20"]
    top.fill("20")
    assert [size.input_value() for size in sizes] == ["20", "20"]
    top.fill("50")
    assert [size.input_value() for size in sizes] == ["50", "20"]
    tab.locator(".card-toggle").nth(2).click()
    third.locator("summary", has_text="Type").click()
    third.locator("[data-parameter=size] .reset").click()
    assert sizes[1].input_value() == "50"
    pick_effect(third, "fade")
    pick_effect(third, "slide")
    assert tab.request() == {**{name: value for name, value in THREE.items() if name != "3.size"}, "size": "50"}
    # An effect of the top goes to the texts that have none of their own, with its parameters.
    distance = tab.locator(".section > .part .effect-fields [name=distance]")
    distance.fill("3")
    assert third.locator("[name=distance]").input_value() == "3"
    assert second.locator("[name=distance]").count() == 0
    pick_effect(tab.locator(".section > [data-parameter=effect]"), "fade")
    assert third.locator("[name=effect]").get_attribute("value") == "fade"
    assert third.locator("[name=maxDelay]").count() == 1
    assert "distance" not in tab.request()


def test_what_no_text_has_is_not_asked_for(visit):
    tab = visit({"effect": "slide", "distance": "2", "1.text": "One", "2.text": "Two", "2.effect": "fade"})
    tab.shows("One\nTwo")
    tab.locator(".card-toggle").first.click()
    pick_effect(tab.locator(".card").first, "fade")
    assert "distance" not in tab.request()
    tab.locator(".card").first.locator("[data-parameter=effect] .reset").click()
    assert tab.request()["distance"] == "2"
    assert tab.locator(".problem:visible").count() == 0
    tab.is_quiet()


def test_texts_move_by_buttons_and_keys_and_the_focus_goes_with_them(visit):
    tab = visit(THREE)
    tab.shows("One\nTwo\nThree")
    tab.locator(".card-toggle").nth(2).click()
    tab.locator("[aria-label='Move up text 3']").click()
    assert cards(tab) == ["One", "Three", "Two"] and focus(tab) == "Move up text 2"
    assert "Three" in tab.locator(".text-section > [role=status]").inner_text()
    tab.page.keyboard.press("Enter")
    assert cards(tab) == ["Three", "One", "Two"] and focus(tab) == "Move down text 1"
    tab.locator(".card-toggle").first.focus()
    tab.page.keyboard.press("Alt+ArrowUp")
    assert cards(tab) == ["Three", "One", "Two"]
    tab.page.keyboard.press("Alt+ArrowDown")
    assert cards(tab) == ["One", "Three", "Two"] and focus(tab) == "2Three"
    assert tab.locator(".card-body:visible [name=text]").input_value() == "Three"
    tab.shows("One\nThree\nTwo")
    assert tab.request() == {"effect": "slide", "1.text": "One", "2.text": "Three", "2.size": "20",
                             "3.text": "Two", "3.effect": "fade"}
    tab.is_quiet()


def test_texts_go_and_the_last_one_stands_alone(visit):
    tab = visit({**THREE, "sequence": "together", "gap": "2"})
    tab.shows("One\nTwo\nThree")
    for expected in ["2Three", "Three"]:
        tab.locator(".card-toggle").first.focus()
        tab.locator(".card").first.locator("[aria-label^=Remove]").click()
        if expected == "2Three":
            assert cards(tab) == ["Two", "Three"] and focus(tab) == "1TwoRandom fade"
            tab.page.keyboard.press("Alt+ArrowDown")
            tab.page.keyboard.press("Alt+ArrowUp")
    assert focus(tab) == "Three"
    assert tab.request() == {"text": "Three", "effect": "slide", "size": "20"}
    assert tab.locator(".card").count() == 0 and not tab.field("sequence").is_visible()
    tab.shows("Three")
    tab.is_quiet()


def test_a_removed_text_can_be_put_back(visit):
    request = {"effect": "slide", "sequence": "together", "1.text": "One", "2.text": "Two", "2.size": "50"}
    tab = visit(request)
    tab.shows("One\nTwo")
    undo = tab.page.get_by_role("button", name="Undo")
    for _ in range(2):
        tab.locator(".card-toggle").nth(1).focus()
        tab.locator("[aria-label='Remove text 2']").click()
        assert tab.request() == {"text": "One", "effect": "slide"}
        undo.click()
        assert tab.request() == request and focus(tab) == "Undo"
    tab.shows("One\nTwo")
    tab.is_quiet()


def test_a_fault_of_a_text_opens_it_and_stands_beside_its_field(visit):
    tab = visit({**THREE, "2.minDuration": "-1", "3.foo": "1"})
    message = tab.locator(".card").nth(1).locator("[data-parameter=minDuration] .problem")
    message.wait_for()
    assert "0 to 10" in message.inner_text()
    assert tab.locator(".problem:visible").count() == 1
    tab.locator(".problems li", has_text="blocks[2].foo").get_by_role("button").click()
    assert "3.foo" not in tab.request()
    # What one is at stays open, though another text is still wrong.
    tab.locator(".card-toggle").nth(0).click()
    tab.locator(".card").nth(0).locator("[name=text]").fill("First")
    tab.reads("0 to 10")
    assert tab.locator(".card").nth(0).locator("[name=text]").is_visible()
    assert "wrong" in tab.locator(".card").nth(1).get_attribute("class")
    assert tab.locator(".problems li").count() == 1
    tab.locator(".problems").get_by_role("link", name="Text 2, Effect in detail, Min duration").click()
    tab.locator(".card").nth(1).locator("[name=minDuration]").fill("0.1")
    tab.shows("First\nTwo\nThree")
    assert tab.locator(".problem:visible, .card.wrong").count() == 0


@pytest.mark.slow
def test_several_texts_survive_reloading_and_sharing(visit):
    request = {**THREE, "sequence": "together", "1.text": "é\n=&#[1]. 👻", "2.darkColor": "white", "3.italic": "true"}
    tab = visit(request)
    tab.shows(request["1.text"] + "\nTwo\nThree")
    tab.locator(".card-toggle").nth(2).click()
    tab.locator(".card").nth(2).locator("[name=text]").fill("Drei")
    expected = {**request, "3.text": "Drei"}
    assert tab.request() == expected
    tab.shows(request["1.text"] + "\nTwo\nDrei")
    address = tab.address()
    tab.page.reload()
    tab.shows(request["1.text"] + "\nTwo\nDrei")
    assert tab.address() == address
    assert tab.locator(".card").nth(1).locator("[name=darkColor]").input_value() == "white"
    assert tab.locator(".card").nth(2).locator("[name=italic]").is_checked()
    assert cards(tab) == ["é", "Two", "Drei"]


def test_the_apis_own_way_to_give_several_texts_is_understood(visit, server):
    tab = visit()
    tab.page.goto(tab.url + "#text=One&text=Two&effect=fade")
    tab.shows("One\nTwo")
    assert cards(tab) == ["One", "Two"]
    readable = tab.locator("#snippet-editable-url").input_value().removeprefix(server.url)
    assert server.get(readable).headers["Content-Location"] == tab.address().removeprefix(server.url)
    tab.locator(".card-toggle").first.click()
    tab.locator(".card").first.locator("[name=italic]").evaluate("(box) => box.click()")
    tab.holds("document.querySelector('#snippet-editable-url') === null", "that no query tells it")


def test_no_more_texts_than_the_server_takes(visit, server):
    most = server.parameters["blocks"]["schema"]["maxItems"]
    tab = visit({"effect": "none", **{f"{index}.text": f"Text {index}" for index in range(1, most)}})
    assert cards(tab) == [f"Text {index}" for index in range(1, most)]
    tab.locator(".add").click()
    assert len(cards(tab)) == most
    assert tab.locator(".add").is_hidden()
    tab.locator(f"[aria-label='Remove text {most}']").click()
    assert tab.locator(".add").is_visible()


def test_hostile_texts_stay_texts(visit):
    tab = visit({"1.text": HOSTILE, "2.text": HOSTILE, "2.effect": HOSTILE, f"2.{HOSTILE}": HOSTILE,
                 "2.__proto__": "1", "effect": "none"}, thumbnails=True)
    tab.locator(".problem:visible").first.wait_for()
    assert cards(tab) == [HOSTILE, HOSTILE]
    assert tab.page.evaluate("window.broken") is None
    assert tab.page.evaluate("document.querySelectorAll('img:not(.thumbnail *), body script').length") == 0
