"""An effect and a format that are added to the catalogues work everywhere, without any other change.

The server is that of Tests/Extension: TEST_EXTENSION_BINARY, or a new build. What holds of everything in the
catalogues holds of them too.
"""

import random

import pytest

import catalogue_checks
import extreme_requests
from catalogue import catalogue_of
from preview_page import SHOWN, pick_effect
from random_requests import is_out_of_reach, random_request, some, within_limits
from service import Service, extension_binary, until

EFFECT, FORMAT = "twinkle", "text"
RANDOM_REQUESTS = 60


@pytest.fixture(scope="session")
def server():
    """The extended server."""
    service = Service(binary=extension_binary())
    yield service
    assert service.process.poll() is None, "the server ended while the tests ran"
    service.stop()


# The documents


def entry(server, path, name):
    """Returns a catalogue's entry of an effect or a format, with its parameters by name."""
    entries = server.get(f"/{path}").json[path]
    found = next(each for each in entries if each["name"] == name)
    return found | {"parameters": {parameter["name"]: parameter for parameter in found["parameters"]}}


def test_the_catalogues_list_the_added_ones(server):
    effect, format = entry(server, "effects", EFFECT), entry(server, "formats", FORMAT)
    assert effect["title"] == "Twinkle" and list(effect["parameters"]) == ["interval", "dimness"]
    assert effect["parameters"]["interval"]["unit"] == "s"
    assert effect["parameters"]["dimness"].items() >= {"type": "number", "minimum": 0, "maximum": 1}.items()
    assert format.items() >= {"title": "Text", "mediaType": "text/plain; charset=utf-8", "extension": "txt"}.items()
    assert format["parameters"].keys() == {"indent"}
    assert format["parameters"]["indent"].items() >= {"type": "integer", "minimum": 0, "maximum": 8}.items()


def test_the_schema_of_requests_has_the_added_ones(server):
    api = server.get("/openapi.json").json
    schemas = api["components"]["schemas"]
    assert EFFECT in schemas["Effect"]["enum"] and EFFECT in schemas["Exit"]["enum"]
    assert FORMAT in schemas["Format"]["enum"]
    own = schemas["TwinkleRequest"]["properties"]
    assert own["effect"]["const"] == EFFECT
    for name in ("interval", "dimness"):
        schema = schemas[own[name]["$ref"].split("/")[-1]]
        assert schema.get("x-unit") == ("s" if name == "interval" else None)
    assert schemas["Indent"].items() >= {"type": "integer", "minimum": 0, "maximum": 8}.items()
    answers = api["components"]["responses"]["Txt"]["content"]
    assert list(answers) == ["text/plain; charset=utf-8"]
    names = {one["$ref"].split("/")[-1] for one in api["paths"]["/render"]["get"]["parameters"]}
    assert {"interval", "dimness", "indent"} <= names


# Requests


def test_every_way_to_ask_for_the_added_format_gives_the_same_file(server):
    request = dict(text="One\ntwo", effect=EFFECT, indent=3)
    file = server.render("txt", **request)
    assert file.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert len(file.text.splitlines()) == 2
    assert file.body != server.render("txt", **request | {"indent": 0}).body
    assert server.post("/render", request | {"format": FORMAT}).body == file.body
    assert server.get(file.headers["Content-Location"]).body == file.body
    assert server.request("POST", "/render", b"x", {"Content-Type": "text/plain", "Accept": "text/plain"}).status == 200


@pytest.mark.parametrize(
    "request_, parameter, words",
    [
        (dict(effect="twinkel"), "effect", 'did you mean "twinkle"?'),
        (dict(effect="fade", dimness=0.5), "dimness", "twinkle"),
        (dict(effect=EFFECT, dimness=2), "dimness", "0 to 1"),
        (dict(effect=EFFECT, dimnes=1), "dimnes", 'did you mean "dimness"?'),
        (dict(indent=9), "indent", "0 to 8"),
        (dict(indent=1.5), "indent", "whole"),
        (dict(format="texd"), "format", 'did you mean "text"?'),
    ],
)
def test_errors_name_the_added_parameters(server, request_, parameter, words):
    answer = server.post("/render", {"text": "x", **request_})
    assert (answer.status, answer.faults) == (400, [parameter])
    assert words in answer.json["errors"][0]["message"]


def test_the_added_ones_are_drawn(server):
    """Without this, random requests and extreme values would test nothing here."""
    catalogue = catalogue_of(server)
    for draw in (random_request, extreme_requests.extreme_request):
        blocks = [
            {**request, **block}
            for request in (draw(catalogue, seed) for seed in range(200))
            for block in request.get("blocks", [request])
        ]
        own = [block for block in blocks if block["effect"] == EFFECT]
        assert {name for block in own for name in block} >= {"interval", "dimness"}
        assert any(block.get("exit") == EFFECT for block in blocks)
    assert "indent" in catalogue.format_parameters


@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_random_requests_are_answered_in_every_format(server, seed):
    generator, catalogue = random.Random(f"formats {seed}"), catalogue_of(server)
    ends = {name: each.extreme(generator) for name, each in catalogue.format_parameters.items()}
    request = within_limits(server, seed) | some(generator, 0.5, **ends)
    for format in catalogue.formats.values():
        answer = server.post(f"/render.{format['extension']}", request)
        if answer.status == 200:
            assert answer.headers["Content-Type"] == format["mediaType"] and answer.body
        else:
            assert is_out_of_reach(answer) or answer.status == 400, answer.text
            if format["name"] == "tgs" and "Telegram stickers cannot have" in answer.text:
                continue
            limited = {"text", "blocks", "fps", "scale", "width", "height", "keyframes", "maxBytes", "part"}
            assert set(answer.faults) <= limited, answer.text


# The page


def shown_parameters(tab, selector):
    """Returns the parameters whose fields are shown in a part of the page."""
    return tab.page.evaluate(
        """(selector) => [...document.querySelectorAll(`${selector} .field`)]
            .filter((one) => one.checkVisibility()).map((one) => one.dataset.parameter)""",
        selector,
    )


def test_the_page_has_controls_for_the_added_effect_and_plays_it(visit, server):
    tab = visit({"text": "Extended", "effect": "none"})
    tab.shows("Extended")
    before = tab.address()
    pick_effect(tab, EFFECT)
    assert shown_parameters(tab, ".effect-fields") == ["interval", "dimness"]
    assert tab.field("interval").locator(".unit").inner_text() == "s"
    assert "0 to 1" in tab.field("dimness").inner_text()
    before = tab.another_than(before)
    tab.field("dimness").get_by_role("slider").press("End")
    assert tab.request() == {"text": "Extended", "effect": EFFECT, "dimness": "1"}
    address = tab.another_than(before).removeprefix(server.url)
    assert server.get(address).body == server.render("svg", text="Extended", effect=EFFECT, dimness=1).body
    tab.control("dimness").fill("2")
    tab.field("dimness").locator(".problem", has_text="0 to 1").wait_for()
    tab.control("exit").select_option(label="Twinkle")
    assert tab.request()["exit"] == EFFECT


def test_the_page_has_controls_for_the_added_format_and_saves_it(visit, server):
    tab = visit({"text": "Extended", "effect": "none"})
    tab.shows("Extended")
    tab.open_menu()
    tab.control("format").select_option(label="Text")
    assert shown_parameters(tab, ".format-fields") == ["indent"]
    tab.control("indent").fill("4")
    assert tab.request() == {"text": "Extended", "effect": "none", "format": FORMAT, "indent": "4"}
    file = server.render("txt", text="Extended", effect="none", indent=4).body
    until(lambda: tab.link().endswith(".txt") and server.get(tab.link()).body == file, "the link")
    # The menu lies over the button.
    tab.page.keyboard.press("Escape")
    assert tab.download() == ("extended.txt", file)
    # It is no image, so its animation is previewed, and there is nothing to put into an <img>.
    assert tab.locator(".stage-caption").inner_text() == "Previewed as SVG; the download is Text."
    assert tab.locator(f"img{SHOWN}").count() == 0
    assert tab.locator("#snippet-html").count() == 0
    tab.is_quiet()


# The catalogues


@pytest.mark.parametrize("seed", range(extreme_requests.COUNT))
def test_what_holds_of_every_scene(server, seed):
    extreme_requests.what_holds_of_every_scene(server, seed)


def test_every_wrong_value_of_a_parameter_is_refused_by_its_name(server):
    catalogue_checks.every_wrong_value_of_a_parameter_is_refused_by_its_name(server)


@pytest.mark.slow
def test_the_parameters_are_those_of_the_chosen_effect(visit, server):
    catalogue_checks.the_parameters_are_those_of_the_chosen_effect(visit, server)


def test_every_parameter_that_leaves_a_choice_has_a_control(visit, server):
    catalogue_checks.every_parameter_that_leaves_a_choice_has_a_control(visit, server)


@pytest.mark.slow
def test_every_parameter_at_fault_has_words_and_a_way_to_its_field(visit, server):
    catalogue_checks.every_parameter_at_fault_has_words_and_a_way_to_its_field(visit, server)


@pytest.mark.slow
def test_every_format_shows_its_own_file(visit, server, formats):
    catalogue_checks.every_format_shows_its_own_file(visit, server, formats)


@pytest.mark.slow
def test_the_parameters_of_a_format_are_shown_while_it_is_chosen(visit, server, formats):
    catalogue_checks.the_parameters_of_a_format_are_shown_while_it_is_chosen(visit, server, formats)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.slow
def test_no_format_moves_the_page(visit, formats, width):
    catalogue_checks.no_format_moves_the_page(visit, formats, width)


@pytest.mark.slow
def test_every_effect_plays_and_leaves(visit, server):
    catalogue_checks.every_effect_plays_and_leaves(visit, server)
