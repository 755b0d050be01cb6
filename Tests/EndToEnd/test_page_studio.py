"""The preview page for who has read nothing: looks and effects as pictures, and the way to a README."""
import functools
import json
import re
import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe

from preview_page import Visit, focus, pick_effect
from service import sample, until

EFFECT = ".section > .field[data-parameter=effect]"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest.fixture
def visit(visit):
    """visit(request, **options): a tab on the page with its thumbnails."""
    return functools.partial(visit, thumbnails=True)


def look(tab, title):
    return tab.locator(".preset").filter(has=tab.page.get_by_text(title, exact=True))


def pick_look(tab, title, act="click"):
    """Chooses a preset, or gives it up; shows all of its group before if it is not among the first."""
    card = look(tab, title)
    if card.is_hidden():
        group = tab.locator(".preset-group", has=tab.page.get_by_text(title, exact=True))
        getattr(group.locator(".preset-head button"), act)()
    getattr(card, act)()


def chosen(tab):
    return tab.page.evaluate("[...document.querySelectorAll('.preset[aria-pressed=true]')].map((one) => one.textContent)")


def pictures(tab, selector):
    """Waits until each thumbnail in view has its picture."""
    tab.holds("""(selector) => {
        const seen = [...document.querySelectorAll(`${selector} .thumbnail`)].filter((one) => {
            const { top, bottom } = one.getBoundingClientRect();
            const { top: first, bottom: last } = one.closest('.controls').getBoundingClientRect();
            return bottom > Math.max(first, 0) && top < Math.min(last, innerHeight) && one.checkVisibility();
        });
        return seen.length > 0 && seen.every((one) => one.querySelector('img').naturalWidth > 0);
    }""", f"pictures in {selector}", selector)


def watch_failures(tab):
    failures = []
    tab.on("requestfailed", lambda request: failures.append(request.url)
           if request.failure != "net::ERR_ABORTED" else None)
    tab.on("response", lambda answer: failures.append(answer.url) if answer.status >= 400 else None)
    return failures


# The first sight

@pytest.mark.parametrize("viewport", [{"width": 1400, "height": 900}, {"width": 360, "height": 740}],
                         ids=["wide", "narrow"])
def test_the_page_opens_on_looks_that_move_and_on_a_finished_text(visit, viewport):
    tab = visit(viewport=viewport)
    failures = watch_failures(tab)
    tab.shows("Who you\ngonna call?")
    assert tab.locator(".timeline").input_value() == "1"
    assert tab.locator(".tool").first.get_attribute("aria-label") == "Play"
    assert chosen(tab) == ["Banner"]
    pictures(tab, ".presets")
    assert failures == []
    tab.is_quiet()


def test_pictures_are_asked_for_after_the_picture_and_only_in_view(visit):
    tab = visit()
    asked = []
    tab.page.goto("about:blank")
    tab.on("request", lambda request: asked.append(request.url) if "/render" in request.url else None)
    tab.open()
    tab.shows("Who you\ngonna call?")
    pictures(tab, ".presets")
    assert "cycle" not in asked[0] and "animate" not in asked[0]
    # Those of "Show all" and of effects farther down are not needed yet.
    assert not any("preset=secret" in url for url in asked)
    assert not any("effect=draw" in url for url in asked)
    assert len(asked) == len(set(asked))


@pytest.mark.slow
def test_texts_in_pictures_are_the_persons_own(visit, server):
    tab = visit({"text": "My own words"})
    pictures(tab, ".presets")
    text = "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 30
    tab.control("text").fill(text)
    tab.shows(text)
    # A family counts as one grapheme, of which an effect's picture has 20 at most.
    short = "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 19 + "\u2026"
    with tab.page.expect_request(
            lambda request: urllib.parse.parse_qs(urllib.parse.urlsplit(request.url).query).get("text") == [short]):
        tab.locator(EFFECT).scroll_into_view_if_needed()
    tab.is_quiet()


# Looks

@pytest.mark.slow
def test_of_each_group_one_look_is_chosen_and_given_up_again(visit):
    tab = visit({"text": "Look"})
    for title, presets in [("Nord", "nord"), ("Social card", "og,nord"), ("Badge", "badge,nord"),
                           ("Dracula", "badge,dracula"), ("Badge", "dracula"), ("Dracula", None)]:
        pick_look(tab, title)
        assert tab.request() == {"text": "Look", **({"preset": presets} if presets else {})}
    assert chosen(tab) == []
    tab.is_quiet()


@pytest.mark.slow
def test_the_values_of_a_look_are_the_defaults_of_the_controls(visit):
    tab = visit({"text": "Values", "color": "#123456", "padding": "40"})
    pick_look(tab, "Nord")
    # Its colour replaces the person's own, which comes back once the look goes.
    assert tab.control("color").input_value() == "#2e3440"
    assert tab.request() == {"text": "Values", "preset": "nord", "padding": "40"}
    tab.control("color").fill("#ff0000")
    assert tab.request() == {"text": "Values", "preset": "nord", "padding": "40", "color": "#ff0000"}
    tab.field("color").locator(".reset").click()
    assert tab.control("color").input_value() == "#2e3440"
    tab.control("color").fill("#2E3440")
    assert tab.request() == {"text": "Values", "preset": "nord", "padding": "40"}
    pick_look(tab, "Nord")
    assert tab.request() == {"text": "Values", "color": "#123456", "padding": "40"}


def test_texts_inherit_the_values_of_a_look(visit, server):
    request = {"1.text": "One", "2.text": "Two", "preset": "terminal,nord", "2.color": "#ff0000"}
    tab = visit(request)
    tab.shows("One\nTwo")
    colors = tab.page.evaluate("[...document.querySelectorAll('.card [name=color]')].map(({ value }) => value)")
    assert colors == ["#2e3440", "#ff0000"]
    assert tab.request() == request
    svg = server.render("svg", preset="terminal,nord", blocks=[{"text": "One"}, {"text": "Two", "color": "#ff0000"}])
    assert server.get(tab.link()).body == svg.body


def test_a_look_survives_reloading_and_sharing_and_its_permalink_holds_what_it_means(visit, server):
    request = {"text": "Shared", "preset": "card,gruvbox", "align": "end"}
    tab = visit(request)
    tab.shows("Shared")
    tab.page.reload()
    tab.shows("Shared")
    assert chosen(tab) == ["Card", "Gruvbox"]
    assert tab.control("align").input_value() == "end"
    assert tab.control("cornerRadius").input_value() == "14"
    assert tab.request() == request
    link = tab.link()
    assert "gruvbox" not in link and server.get(link).body == server.render("svg", **request).body
    query = tab.locator("#snippet-editable-url").input_value()
    assert urllib.parse.parse_qs(urllib.parse.urlsplit(query).query).keys() == request.keys()


def test_a_look_that_nobody_knows_is_said_and_can_be_replaced(visit):
    tab = visit({"text": "Unknown", "preset": "nordd"})
    tab.reads("nord")
    tab.field("preset").locator(".reset").click()
    tab.shows("Unknown")
    assert tab.request() == {"text": "Unknown"}


@pytest.mark.slow
def test_every_look_can_be_chosen(visit, server):
    presets = server.get("/presets").json["presets"]
    tab = visit({"text": "Every look"})
    tab.shows("Every look")
    failures = watch_failures(tab)
    for preset in sample(presets, 6):
        before = tab.address()
        pick_look(tab, preset["title"])
        tab.another_than(before)
        assert preset["name"] in tab.request()["preset"].split(",")
        assert tab.page.evaluate("document.activeElement.ariaPressed") == "true"
    assert failures == []
    tab.is_quiet()


@pytest.mark.slow
def test_arrow_keys_move_among_looks_which_are_one_stop_for_tab(visit, server):
    titles = [one["title"] for one in server.get("/presets").json["presets"] if one["group"] == "shapes"]
    focused = "document.activeElement.textContent"
    tab = visit({"text": "Arrows"})
    look(tab, titles[0]).focus()
    for key, index in [("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("Home", 0), ("ArrowRight", 1)]:
        tab.page.keyboard.press(key)
        assert tab.page.evaluate(focused) == titles[index]
    tab.page.keyboard.press("Tab")
    assert focus(tab).startswith("Colours")
    tab.page.keyboard.press("Shift+Tab")
    assert tab.page.evaluate(focused) == titles[1]
    # A look that is hidden again is no stop.
    more = tab.locator("[aria-label^='Shapes: all']")
    more.click()
    look(tab, titles[-1]).focus()
    more.click()
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate(focused) == titles[0]


# Effects

@pytest.mark.slow
def test_effects_stand_in_their_groups_and_play_when_pointed_at(visit, server):
    effects = server.get("/effects").json["effects"]
    tab = visit({"text": "Effects"})
    shown = tab.page.evaluate("""Object.fromEntries([...document.querySelectorAll('.effect-group')].map((group) => [
        group.querySelector('legend').textContent, [...group.querySelectorAll('input')].map(({ value }) => value)]))""")
    groups = {group: [one["name"] for one in effects if one["group"] == group] for one in effects for group in [one["group"]]}
    assert {title.lower().replace("colour", "color"): names for title, names in shown.items()} == groups
    card = tab.locator(".effect-card", has_text="Wave")
    card.scroll_into_view_if_needed()
    picture = card.locator("img")
    tab.holds("(image) => image.naturalWidth > 0", "a picture", picture.element_handle())
    tab.page.get_by_role("button", name="Pictures of effects: pause").click()
    until(lambda: picture.get_attribute("data-state") == "still", "a picture that stands still")
    card.hover()
    until(lambda: picture.get_attribute("data-state") == "moving", "a moving picture")
    tab.locator("h1").hover()
    until(lambda: picture.get_attribute("data-state") == "still", "a picture at rest")
    tab.is_quiet()


PLAYING = "[...document.querySelectorAll('.effect-card:has([data-state=moving])')].map((one) => one.textContent)"


@pytest.mark.slow
def test_effects_play_in_turn_while_they_are_in_view(visit):
    tab = visit({"text": "Turns"})
    tab.locator(EFFECT).scroll_into_view_if_needed()
    played = []
    for _ in range(3):
        [name] = tab.holds(f"(last) => {{ const playing = {PLAYING}; return playing.length === 1 && playing[0] !== last && playing; }}",
                           "the next one", played[-1] if played else None)
        played.append(name)
    assert len(set(played)) == 3
    pause = tab.page.get_by_role("button", name="Pictures of effects: pause")
    pause.click()
    # A card that the layout moves under the pointer plays.
    tab.page.mouse.move(1, 1)
    tab.holds(f"{PLAYING}.length === 0", "that all stand still")
    tab.page.get_by_role("button", name="Pictures of effects: play them in turn").click()
    tab.holds(f"{PLAYING}.length === 1", "that one plays")
    tab.is_quiet()


def test_a_picture_that_has_left_the_view_stands_still_at_the_end_of_its_turn(visit):
    tab = visit({"text": "Turns"})
    tab.locator(EFFECT).scroll_into_view_if_needed()
    tab.holds(f"{PLAYING}.length === 1", "that one plays")
    tab.page.evaluate("document.querySelector('.effects').style.marginTop = '4000px'")
    tab.holds(f"{PLAYING}.length === 0", "that all stand still")


def test_nothing_plays_by_itself_where_reduced_motion_is_preferred(visit):
    tab = visit({"text": "Calm"}, reduced_motion="reduce")
    tab.locator(EFFECT).scroll_into_view_if_needed()
    pictures(tab, ".effects")
    # Each has had its turn to begin by now, were there any.
    tab.page.evaluate("new Promise((resolve) => setTimeout(resolve, 900))")
    assert tab.page.evaluate(PLAYING) == []


@pytest.mark.slow
def test_an_effect_that_cannot_be_with_the_rest_says_why_and_cannot_be_chosen(visit):
    tab = visit()
    # As for an effect that changes a gradient by several colours, which only an operator brings.
    fault = {"parameter": "color", "message": "must be one colour"}
    tab.page.goto("about:blank")
    wanted = re.compile(r"/render\.svg\?.*color=linear-gradient.*effect=highlight")
    tab.page.route(wanted, lambda route: route.fulfill(
        status=400, content_type="application/problem+json", body=json.dumps({"errors": [fault]})))
    tab.open({"text": "Painted", "color": "linear-gradient(red, blue)"})
    tab.shows("Painted")
    card = tab.locator(".effect-card", has_text="Highlight")
    tab.locator(f"{EFFECT} [value=highlight]").scroll_into_view_if_needed()
    reason = card.locator(".effect-reason")
    reason.wait_for()
    assert "one colour" in reason.inner_text() and card.locator("input").is_disabled()
    assert tab.locator(f"{EFFECT} input:disabled").count() == 1
    tab.control("color").fill("#ff0000")
    reason.wait_for(state="hidden")
    assert card.locator("input").is_enabled()


@pytest.mark.slow
def test_every_effect_can_be_chosen_from_its_picture(visit, server):
    effects = [one["name"] for one in server.get("/effects").json["effects"] if one["name"] != "typewriter"]
    tab = visit({"text": "Every effect"})
    tab.shows("Every effect")
    failures = watch_failures(tab)
    for name in sample(effects, 6):
        before = tab.address()
        pick_effect(tab, name)
        tab.another_than(before)
        assert tab.request()["effect"] == name
        pictures(tab, ".effects")
    assert failures == []
    tab.is_quiet()


@pytest.mark.slow
def test_each_text_has_a_gallery_of_its_own_which_is_made_when_it_is_opened(visit):
    tab = visit({"1.text": "One", "2.text": "Two"})
    tab.shows("One\nTwo")
    assert tab.locator(".card .effects").count() == 0
    tab.locator(".card-toggle").nth(1).click()
    second = tab.locator(".card").nth(1)
    pick_effect(second, "wave")
    assert tab.request() == {"1.text": "One", "2.text": "Two", "2.effect": "wave"}
    assert tab.locator(f"{EFFECT} :checked").get_attribute("value") == "typewriter"
    pictures(tab, ".card .effects")
    second.locator("[name=effect]").click()
    assert second.locator(".effects").is_hidden()
    tab.is_quiet()


def test_a_refusal_for_a_time_leaves_names_and_no_flood_of_requests(visit):
    tab = visit()
    refused = []

    def refuse(route):
        refused.append(route.request.url)
        route.fulfill(status=429, headers={"Retry-After": "1"}, body="{}")
    tab.page.goto("about:blank")
    tab.page.route("**/render.svg?*animate=false*", refuse)
    tab.page.route("**/render.svg?*cycle=*", refuse)
    tab.open({"text": "Limited"})
    tab.shows("Limited")
    until(lambda: tab.page.evaluate("1") and refused, "a refusal")
    tab.control("text").fill("Limited still")
    tab.shows("Limited still")
    tab.locator(EFFECT).scroll_into_view_if_needed()
    assert tab.locator(".preset .card-title").first.is_visible()
    # As many as are fetched at a time, and none of them again within this short time.
    assert len(refused) <= 2


# A server that takes presets only

@pytest.mark.slow
def test_a_server_of_presets_alone_offers_texts_looks_and_formats(start, chromium):
    server = start("--only-presets")
    page = chromium.new_page()
    tab = Visit(page, server.url, None)
    failures = watch_failures(tab)
    tab.open()
    tab.shows("Who you\ngonna call?")
    fields = tab.page.evaluate("[...document.querySelectorAll('.field')].map((one) => one.dataset.parameter)")
    assert fields == ["text", "preset", "for", "format"]
    tab.open_menu()
    assert tab.locator(".purpose").count() > 3
    tab.locator(".purpose", has_text="Chat").click()
    assert tab.request()["format"] == "gif" and tab.locator(".purpose :checked").count() == 1
    tab.locator(".purpose", has_text="README").click()
    tab.page.keyboard.press("Escape")
    assert tab.locator(".add").is_hidden()
    before = tab.address()
    pick_look(tab, "Nord")
    tab.another_than(before)
    pictures(tab, ".presets")
    link = tab.link()
    assert link.startswith("/render.svg?") and server.get(link).status == 200
    assert tab.locator("#snippet-permalink").count() == 0
    tab.locator(".timeline").fill("0.5")
    assert failures == []
    tab.is_quiet()
    page.close()


# From the empty page to a copied line of a README

def copied(tab):
    """Presses the button beside the Markdown; returns the line that it has copied."""
    tab.locator("[aria-label='Copy Markdown']").click()
    line = tab.page.evaluate("navigator.clipboard.readText()")
    assert line.startswith("![") and f"]({tab.url}r/" in line
    return line


@pytest.mark.slow
def test_a_line_for_a_readme_by_keyboard_alone(visit, server):
    presets = server.get("/presets").json["presets"]
    tab = visit(permissions=CLIPBOARD)
    tab.shows("Who you\ngonna call?")
    press, stop = tab.page.keyboard.press, lambda: tab.page.evaluate(
        "document.activeElement.name || document.activeElement.textContent")

    def tab_to(what, key="Tab"):
        for _ in range(40):
            press(key)
            if stop() == what:
                return
        raise AssertionError(f"no way to {what}")
    tab_to("text")
    press("Control+a")
    tab.page.keyboard.type("By keys alone")
    tab_to("Banner")
    press("ArrowRight")
    press("Enter")
    tab_to(next(one["title"] for one in presets if one["group"] == "colors"))
    press("ArrowRight")
    press("Space")
    tab_to("effect")
    # The button that pauses the pictures comes first.
    press("Tab")
    press("Tab")
    press("ArrowDown")
    tab.holds("location.hash.includes('effect=')", "an effect")
    shape, color = ([one["name"] for one in presets if one["group"] == group] for group in ("shapes", "colors"))
    assert tab.request().keys() == {"text", "preset", "effect"}
    assert tab.request()["preset"] == f"{shape[shape.index('banner') + 1]},{color[1]}"
    tab.shows("By keys alone")
    tab_to("Skip to the code to embed", "Shift+Tab")
    press("Enter")
    for _ in range(5):
        press("Tab")
    assert focus(tab) == "Copy Markdown"
    press("Enter")
    tab.locator("#embed [role=status]", has_text="Markdown copied").wait_for(state="attached")
    address = copied(tab).partition("](")[2].rstrip(")").removeprefix(server.url)
    assert server.get(address).body == server.render("svg", **tab.request()).body
    tab.is_quiet()


@pytest.mark.slow
def test_a_line_for_a_readme_by_mouse_alone(visit, server):
    tab = visit(permissions=CLIPBOARD)
    tab.shows("Who you\ngonna call?")
    pick_look(tab, "Social card")
    pick_look(tab, "Gruvbox")
    pick_effect(tab, "fade")
    assert tab.request() == {"text": "Who you\ngonna call?", "preset": "og,gruvbox", "effect": "fade"}
    until(lambda: server.get(tab.link()).body == server.render("svg", **tab.request()).body, "the link")
    with tab.saying(tab.locator(".actions .copy"), "Copied"):
        tab.locator(".actions .copy").click()
    assert tab.page.evaluate("navigator.clipboard.readText()") == "![Who you gonna call?](who-you-gonna-call.svg)"
    assert tab.link() in copied(tab)
    tab.is_quiet()


@pytest.fixture
def telephone(chromium, server):
    context = chromium.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, permissions=CLIPBOARD)
    tab = Visit(context.new_page(), server.url, None, viewport={"width": 360, "height": 740}, permissions=CLIPBOARD)
    yield tab
    context.close()


def test_a_line_for_a_readme_by_touch_on_a_telephone(telephone, server):
    tab = telephone
    tab.shows("Who you\ngonna call?")
    tab.control("text").tap()
    tab.control("text").fill("By thumb")
    pick_look(tab, "Card", "tap")
    pick_look(tab, "Solarized", "tap")
    tab.locator("[name=effect]").tap()
    tab.locator(".effect-card", has_text="Rise").tap()
    assert tab.request() == {"text": "By thumb", "preset": "card,solarized", "effect": "rise"}
    tab.shows("By thumb")
    # Wherever the page is, the picture stays in view, and so does the button.
    tab.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    tab.page.evaluate("scrollBy(0, -700)")
    stage, copy = tab.locator(".stage").bounding_box(), tab.locator(".actions .copy").bounding_box()
    assert 0 <= stage["y"] and stage["y"] + stage["height"] <= 0.35 * 740
    assert copy["y"] + copy["height"] <= 740 and copy["height"] >= 44
    until(lambda: server.get(tab.link()).body == server.render("svg", **tab.request()).body, "the link")
    with tab.saying(tab.locator(".actions .copy"), "Copied"):
        tab.locator(".actions .copy").tap()
    assert tab.page.evaluate("navigator.clipboard.readText()") == "![By thumb](by-thumb.svg)"
    assert tab.link() in copied(tab)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    tab.is_quiet()


# Everyone

@pytest.mark.parametrize("width", [360, 768, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.slow
def test_axe_finds_no_fault(visit, scheme, width):
    tab = visit(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab.shows("Who you\ngonna call?")
    if tab.locator("[name=effect]").get_attribute("aria-expanded") == "false":
        tab.locator("[name=effect]").click()
    pictures(tab, ".presets")
    violations = Axe().run(tab.page).response["violations"]
    assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []


@pytest.mark.parametrize("width", [360, 1400])
def test_targets_are_large_enough(visit, width):
    tab = visit({"1.text": "One", "2.text": "Two", "color": "linear-gradient(red, blue)", "shadow": "1px 1px red"},
                viewport={"width": width, "height": 900})
    tab.shows("One\nTwo")
    tab.locator(".card-toggle").first.click()
    tab.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    small = tab.page.evaluate("""[...document.querySelectorAll('a, button, input, select, summary, textarea')]
        .filter((one) => one.checkVisibility() && !one.matches('.skip'))
        .map((one) => [one, (one.type === 'checkbox' ? one.closest('label') : null) ?? one])
        .map(([one, target]) => [one.outerHTML.slice(0, 120), target.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 24 || height < 24)
        .map(([html, { width, height }]) => `${html} ${width} x ${height}`)""")
    assert small == []


def test_what_a_label_cannot_say_stands_at_the_field(visit):
    tab = visit({"text": "Words", "effect": "birdman"})
    for name in ["groupDelay", "foldCase", "exit", "hold", "cycle", "seed"]:
        sentence = tab.field(name).locator(".explanation")
        assert sentence.is_visible() and len(sentence.inner_text()) > 20
        described = tab.control(name).get_attribute("aria-describedby").split()
        assert any(sentence.inner_text() in tab.locator(f"#{one}").inner_text() for one in described)
