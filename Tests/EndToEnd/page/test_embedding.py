"""Renderings where others show them: in <img>, in dark pages, inlined beside another, where nothing is animated."""

import io

import cairosvg
import numpy
import pytest
from PIL import Image

from picture import ink, mean_difference, pixels, screenshot, worst_block
from random_requests import EFFECTS, NUMBERS
from service import query, until

BACKGROUND = (255, 244, 214)
# Without the room that motion would need, which a still has not.
REQUEST = dict(text="Boo, who?", effect="typewriter", size=48, background="#fff4d6", room="none")
HTML = "<!DOCTYPE html><style>body{margin:0}img,svg{display:block}</style>"


def is_same(first, second):
    """Whether two renderers drew the same scene."""
    return mean_difference(first, second, BACKGROUND) < 12 and worst_block(first, second) <= 28


def finished(server, **request):
    return pixels(server.render("png", **{**REQUEST, **request}).body)


def shown(page, width, height):
    page.set_viewport_size(dict(width=width, height=height))
    return pixels(screenshot(page))


def images(page, *sources):
    page.set_content(HTML + "".join(f'<img src="{source}">' for source in sources), wait_until="load")


@pytest.fixture
def page(chromium):
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def test_reduced_motion_shows_the_finished_text_in_an_image(server, launch):
    text = finished(server)
    height, width, _ = text.shape
    source = f"{server.url}/render.svg?{query({**REQUEST, 'delay': 60})}"
    for arguments, expected in (((), False), (("--force-prefers-reduced-motion",), True)):
        page = launch(*arguments).new_page()
        images(page, source)
        assert is_same(shown(page, width, height), text) == expected


def test_a_dark_page_gets_the_dark_colours(server, chromium):
    request = dict(
        blocks=[
            dict(text="<span foreground='#c02020'>red</span> block", markup=True),
            dict(text="own", darkColor="#00ffff"),
        ],
        effect="none",
        size=48,
        color="#102030",
        background="#ffffff",
        darkColor="#f0f0a0",
        darkBackground="#201030",
    )
    dark = dict(
        request,
        color="#f0f0a0",
        background="#201030",
        blocks=[dict(request["blocks"][0]), dict(text="own", color="#00ffff")],
    )
    height, width, _ = (light_text := pixels(server.render("png", **request).body)).shape
    dark_text = pixels(server.render("png", **dark).body)
    permalink = server.render("svg", **request).headers["Content-Location"]
    for scheme, expected in (("light", light_text), ("dark", dark_text)):
        context = chromium.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(server.url + permalink)
        picture = shown(page, width, height)
        assert worst_block(picture, expected) <= 28, scheme
        assert mean_difference(picture, expected, expected[0, 0]) < 12, scheme
        context.close()


@pytest.mark.parametrize("loop", [1, "infinite"])
@pytest.mark.parametrize("effect", EFFECTS)
def test_a_renderer_without_animation_shows_the_finished_text(server, effect, loop):
    request = REQUEST | NUMBERS.get(effect, {})
    svg = server.render("svg", **{**request, "effect": effect}, exit="auto", loop=loop, cursor="bar").body
    assert is_same(pixels(cairosvg.svg2png(bytestring=svg)), finished(server, text=request["text"], cursor="bar"))


@pytest.mark.parametrize("effect", ["morph", "fade", "typewriter", "slide"])
def test_a_renderer_without_animation_shows_the_last_of_replaced_texts(server, effect):
    request = dict(REQUEST, blocks=[dict(text="hello"), dict(text="jelly")], sequence="replace", effect=effect)
    del request["text"]
    svg = server.render("svg", **request).body
    assert is_same(pixels(cairosvg.svg2png(bytestring=svg)), pixels(server.render("png", **request).body))


def test_two_renderings_in_one_page_do_not_disturb_each_other(server, page):
    requests = [
        dict(REQUEST, effect=effect, text=text, delay=0.2)
        for effect, text in (("typewriter", "Boo, who?"), ("slide", "Boo, you!"), ("fade", "Boo, who?"))
    ]
    texts = [finished(server, **request) for request in requests]
    inlined = "".join(server.render("svg", **request).text for request in requests)
    page.set_content(
        HTML
        + "<p style='animation:host 9s'>host</p><style>@keyframes host{to{opacity:0}}p{margin:0;height:20px}</style>"
        + inlined
    )
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    # At once: what is animated is another thing a moment later.
    names, owners = page.evaluate("""() => {
        const elements = [...document.querySelectorAll('svg,p')];
        const animations = document.getAnimations();
        return [
            animations.map((one) => one.animationName),
            animations.map((one) => elements.findIndex((element) => element.contains(one.effect.target))),
        ];
    }""")
    assert len(ids) == len(set(ids))
    assert set(owners) == {0, 1, 2, 3}, "every picture and the host move"
    assert all(len({owner for other, owner in zip(names, owners) if other == name}) == 1 for name in names)
    page.evaluate(
        "document.querySelector('p').style.visibility = 'hidden';"
        "for (const animation of document.getAnimations()) animation.finish()"
    )
    top, whole = 20, shown(page, max(text.shape[1] for text in texts), 20 + sum(text.shape[0] for text in texts))
    for text in texts:
        height, width, _ = text.shape
        assert is_same(whole[top : top + height, :width], text)
        top += height


def test_reduced_motion_stops_the_rendering_and_not_its_host(server, chromium):
    page = chromium.new_context(reduced_motion="reduce").new_page()
    page.set_content(
        "<style>@keyframes host{to{opacity:0}}p{animation:host 60s}</style><p>host</p>"
        + server.render("svg", **REQUEST, delay=60).text
    )
    assert page.evaluate("document.getAnimations().map(a => a.animationName)") == ["host"]
    page.context.close()


@pytest.mark.parametrize("format", ["svg", "gif", "apng", "webp"])
def test_an_image_moves_without_being_asked(server, page, format):
    height, width, _ = finished(server).shape
    images(page, f"{server.url}/render.{format}?{query({**REQUEST, 'interval': .05, 'loop': 'infinite'})}")
    page.set_viewport_size(dict(width=width, height=height))
    seen = set()
    for _ in range(400):
        seen.add(int(ink(pixels(screenshot(page)), BACKGROUND).sum()))
        if len(seen) > 3:
            return
    assert False, "the picture stands still"


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
def test_an_image_that_has_played_stands_as_the_finished_text(server, page, format):
    text = finished(server)
    height, width, _ = text.shape
    images(page, f"{server.url}/render.{format}?{query({**REQUEST, 'interval': .03, 'hold': .1})}")
    until(lambda: is_same(shown(page, width, height), text), "the finished text")


@pytest.mark.parametrize("poster", ["start", "end"])
@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
def test_where_nothing_plays_the_poster_stands(server, format, poster):
    """An application without animation shows a file's first picture."""
    file = server.render(format, **REQUEST, exit="auto", loop="infinite", poster=poster).body
    first = Image.open(io.BytesIO(file)).convert("RGB")
    assert is_same(numpy.asarray(first).astype(float), finished(server)) == (poster == "end")


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
def test_an_image_lets_the_page_through(server, page, format):
    request = dict(REQUEST, background="transparent", effect="none", color="#c02020")
    # A GIF takes the page's colour for what is partly transparent.
    source = f"{server.url}/render.{format}?{query(request | dict(matte='#fff4d6'))}"
    page.set_content(HTML + f'<body style="background:#fff4d6"><img src="{source}">', wait_until="load")
    text = finished(server, effect="none", color="#c02020")
    assert is_same(shown(page, text.shape[1], text.shape[0]), text)
