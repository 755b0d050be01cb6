"""What Chromium, Firefox and WebKit show of an SVG is what the PNG draws, each within the limits of Chromium."""

import pytest

from browser_cases import CASES, PAGE, ground_of, pictures, shown_like
from browser_motion import differences
from picture import pixels
from service import query


@pytest.mark.parametrize("name", CASES)
def test_every_browser_shows_the_scene(server, browser, name):
    faults = [
        f"{time}: PNG and {browser.name} differ by {fault}"
        for time, painted, shown in pictures(server, browser, CASES[name])
        for fault in differences(painted, shown, ground_of(painted))
    ]
    assert not faults, "\n".join(faults)


DARK = dict(
    text="Dark\nenough?", effect="none", size=48, color="#102030", darkColor="#ffe0a0", background="#ffffff",
    darkBackground="#101018", shadow="2px 2px 4px #0008", darkShadow="0 0 12px #08f", width=300, height=160,
)  # fmt: skip


@pytest.fixture
def dark_browser(browser):
    browser.prefer(dark=True)
    yield browser
    browser.prefer()


def test_every_browser_shows_dark_colours_in_a_page(server, dark_browser):
    painted = pixels(server.render("png", **DARK, scheme="dark").body)
    dark_browser.open(PAGE % server.render("svg", **DARK).text, painted.shape[1], painted.shape[0])
    assert not list(differences(painted, shown_like(painted, dark_browser), ground_of(painted)))


def test_dark_colours_in_an_image_are_shown_but_by_webkit(server, dark_browser):
    """As docs/support.md says; the `picture` of /embed shows them everywhere."""
    scheme = "light" if dark_browser.name == "WebKit" else "dark"
    painted = pixels(server.render("png", **DARK, scheme=scheme).body)
    address = f"{server.url}/render.svg?{query(DARK)}"
    dark_browser.open(IMAGE % address, painted.shape[1], painted.shape[0])
    assert not list(differences(painted, shown_like(painted, dark_browser), ground_of(painted)))
    painted = pixels(server.render("png", **DARK, scheme="dark").body)
    picture = server.get("/embed?" + query(DARK)).json["picture"].replace("<img", '<img style="display:block"')
    dark_browser.open('<!DOCTYPE html><body style="margin:0">' + picture, painted.shape[1], painted.shape[0])
    assert not list(differences(painted, shown_like(painted, dark_browser), ground_of(painted)))


IMAGE = '<!DOCTYPE html><body style="margin:0"><img src="%s" style="display:block">'
STILLS = ["blur", "shadow", "wide shadow", "pale shadow of parts", "neon", "gradient", "card"]


@pytest.mark.parametrize("name", STILLS)
def test_every_browser_shows_the_finished_text_in_an_image(server, browser, name):
    request = {**CASES[name], "animate": False}
    painted = pixels(server.render("png", **request).body)
    browser.open(IMAGE % f"{server.url}/render.svg?{query(request)}", painted.shape[1], painted.shape[0])
    assert not list(differences(painted, shown_like(painted, browser), ground_of(painted)))
