"""The plain picture in the pages that show it: it is read on their ground, on phones too, and stands within seconds."""

import html
import io

import numpy
import pytest
from PIL import Image

from browsers import ANIMATIONS
from legibility import contrast
from picture import pixels
from plain_texts import TEXTS
from service import query, sample, until

WHITE, NIGHT = "#ffffff", "#0d1117"
README = {"for": "github-readme"}
# For each page its style, its ground, its column in CSS pixels, what its addresses say besides the text, and whether the
# system is dark.
PAGES = {
    "a light README": ("color-scheme: light", WHITE, 838, README, False),
    "a dark README, the system light": ("color-scheme: dark", NIGHT, 838, README, False),
    "a light README, the system dark": ("color-scheme: light", WHITE, 838, README, True),
    "a white page, the system dark": ("", WHITE, 1248, {}, True),
    "a mail": ("", WHITE, 600, {}, False),
}
# Of what windows show the page has margins of 16 px.
DESKTOP, PHONE, HEIGHT = 1280, 390, 4000
MARGIN = 16
LEAST_CONTRAST = 4.2
LEAST_SIZE = 16
# Pixels of a picture that are ink and nothing else: those inside of its stems.
SOLID = 20
# The least share of the ink of a finished text that is there once all of its letters are.
WHOLE = 0.9
# The largest difference between two pictures of one thing: what has moved is smoothed otherwise at times.
FAINT = 64
# Seconds in which all items have begun and the cursor has gone, and those of the last item.
SECONDS, ITEM = 4.5, 0.1

# Each picture has loaded or failed by then: the load event that Chromium is waited for may be that of an earlier document.
# Nothing asks for a decoding, which Chromium refuses at times on a busy machine.
PLACES = """
    await Promise.all([...document.images].map(image =>
        image.complete || new Promise(done => image.onload = image.onerror = done)));
    return [...document.images].map(image => {
        const { x, y, width, height } = image.getBoundingClientRect();
        return [x, y, width, height, image.naturalWidth];
    });
"""
SEEK = "seek(%s); await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));"


@pytest.fixture(scope="module", params=["Chromium", "Firefox"])
def browser(request, opened):
    return opened(request.param)


def page_of(server, page, window):
    """The HTML of a page with a picture of each text."""
    style, ground, column, values, _ = PAGES[page]
    width = min(column, window - 2 * MARGIN)
    images = "".join(f'<p><img src="{html.escape(f"{server.url}/render?{query(dict(text=text, **values))}")}"></p>'
                     for text in TEXTS.values())  # fmt: skip
    return (f'<!DOCTYPE html><html style="background: {ground}; {style}"><body style="margin: {MARGIN}px; width: {width}px">'
            f'<style>p {{ margin: 0 }} img {{ display: block; max-width: 100% }}</style>{images}')  # fmt: skip


def levels(color):
    return numpy.array([int(color[start : start + 2], 16) for start in (1, 3, 5)])


def solid(picture, ground):
    """The pixels that differ most from a ground."""
    colors = picture.reshape(-1, 3)
    return colors[numpy.argsort(-numpy.abs(colors - levels(ground)).sum(axis=1))[:SOLID]]


def coverage(picture, ground):
    """The share of a picture that its ink covers."""
    ink = numpy.abs(solid(picture, ground)[-1] - levels(ground)).sum()
    return (numpy.abs(picture - levels(ground)).sum(axis=2) / max(ink, 1)).mean()


def finished_coverage(server, text, values):
    """The same of the finished text, by a PNG."""
    permalink = server.get(f"/render.svg?{query(dict(text=text, **values))}").headers["Content-Location"]
    png = server.get(permalink.removesuffix("svg") + "png").body
    return numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))[..., 3].mean() / 255


@pytest.mark.parametrize("window", [DESKTOP, PHONE])
@pytest.mark.parametrize("page", PAGES)
def test_every_text_is_read_on_every_page(server, browser, page, window):
    _, ground, _, values, is_dark = PAGES[page]
    finished = [finished_coverage(server, text, values) for text in TEXTS.values()]
    browser.prefer(dark=is_dark)
    browser.open(page_of(server, page, window), window, HEIGHT)
    places = browser.evaluate(PLACES)
    assert [name for name, place in zip(TEXTS, places) if place[-1] == 0] == [], "pictures that did not load"
    assert len(places) == len(TEXTS) and max(y + height for _, y, _, height, _ in places) <= HEIGHT

    def shown():
        """The pictures once all of their letters are there."""
        screen = pixels(browser.screenshot())
        pictures = [screen[int(y) : int(y + height), int(x) : int(x + width)] for x, y, width, height, _ in places]
        are_whole = all(coverage(picture, ground) > WHOLE * share for picture, share in zip(pictures, finished))
        return pictures if are_whole else None

    faults = []
    for name, picture, (_, _, width, _, natural) in zip(TEXTS, until(shown, "all letters"), places):
        found = min(contrast("#%02x%02x%02x" % tuple(map(int, color)), ground) for color in solid(picture, ground))
        size = 40 * width / natural
        if found < LEAST_CONTRAST or size < LEAST_SIZE:
            faults.append(f"{name}: {found:.2f} to 1, letters of {size:.1f} px")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("values", [{}, README], ids=["plain", "README"])
def test_every_text_stands_within_four_seconds_and_a_half_and_the_time_of_an_item(server, browser, values):
    for name in sample(list(TEXTS), 3, "times"):
        address = f"{server.url}/render?{query(dict(text=TEXTS[name], **values))}"

        def shown(still=False, time=None):
            browser.prefer(still=still)
            browser.visit(address, 900, 900)
            if time is not None:
                browser.evaluate(f"{ANIMATIONS} pause(); {SEEK % time}")
            return pixels(browser.screenshot())

        finished = shown(still=True)
        assert numpy.abs(shown(time=0) - finished).max() > FAINT, name
        for time in (SECONDS + ITEM, 60):
            assert numpy.abs(shown(time=time) - finished).max() <= FAINT, (name, time)
