"""The page of effects, looks, fonts, and the API."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from preview_page import WIDTHS


@pytest.fixture
def reference(visit):
    """reference(place, **options): a tab on the page, with all of it loaded."""

    def reference(place="", **options):
        tab = visit(**options)
        tab.page.goto(f"{tab.url}reference.html{place}")
        tab.locator("#api").wait_for()
        return tab

    return reference


def texts(tab, selector):
    return tab.page.evaluate("(selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent)",
                             selector)


def test_the_header_leads_to_pages_that_can_be_read(visit):
    tab = visit({"text": "Links", "effect": "none"})
    links = tab.page.evaluate("[...document.querySelectorAll('.masthead nav a')].map((one) => one.getAttribute('href'))")
    assert len(links) == 4
    *anchors, docs = links
    tab.page.goto(tab.url + docs.removeprefix("/"))
    assert tab.locator("h1").inner_text() == "Titlecard documentation"
    for link in anchors:
        tab.page.goto(tab.url + link.removeprefix("/"))
        place = tab.locator("#" + link.partition("#")[2])
        place.wait_for()
        tab.holds("(place) => { const { top } = place.getBoundingClientRect(); return top >= 0 && top < innerHeight; }",
                  f"{link} in view", place.element_handle())
    tab.is_quiet()


def test_everything_that_there_is_is_named(reference, server):
    tab = reference()
    effects, presets = server.get("/effects").json["effects"], server.get("/presets").json["presets"]
    assert texts(tab, ".entry h3 code") == [f"effect={effect['name']}" for effect in effects]
    assert texts(tab, ".samples code") == [preset["name"] for preset in presets]
    for effect in effects:
        named = texts(tab, f".entry:has(#effect-{effect['name']}) td:first-child")
        assert named == [parameter["name"] for parameter in effect["parameters"]]
    families = [font["family"] for font in server.get("/fonts").json["fonts"]]
    assert texts(tab, "section:has(> #fonts) td:first-child code") == families
    paths = server.get("/openapi.json").json["paths"]
    named = " ".join(texts(tab, "section:has(> #api) td:first-child"))
    assert all(path in named for path in paths)
    words = set(texts(tab, "td:first-child"))
    assert all(name in words for name in server.parameters)
    tab.is_quiet()


def test_an_effect_can_be_tried(reference):
    tab = reference("#effects")
    tab.page.get_by_role("link", name="Try Wave").click()
    tab.shows("Wave")
    assert tab.request() == {"text": "Wave", "effect": "wave"}
    tab.is_quiet()


def test_pictures_are_there_once_they_are_in_view(reference):
    tab = reference("#effects")
    tab.holds("document.querySelector('.sample').naturalWidth > 0", "a picture")
    tab.is_quiet()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 820, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(reference, scheme, width):
    tab = reference(viewport={"width": width, "height": 900}, color_scheme=scheme)
    violations = Axe().run(tab.page).response["violations"]
    assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []


def test_no_width_makes_the_page_scroll_sideways(reference):
    tab = reference()
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": 720})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_script_there_are_links_to_the_documents(chromium, server):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.url + "/reference.html")
    for link in page.locator(".noscript a").all():
        assert link.is_visible() and server.get(link.get_attribute("href")).status == 200
    context.close()
