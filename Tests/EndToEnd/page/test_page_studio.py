"""The preview page for who has read nothing: looks and effects as pictures, and the way to a README."""
import functools
import json
import re
import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe

from check import R, track_of
from preview_page import SHOWN, TIMES, Visit, focus, look, pick_effect, pick_look
from service import sample, until

EFFECT = ".section > .field[data-parameter=effect]"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest.fixture
def visit(visit):
    """visit(request, **options): a tab on the page with its thumbnails."""
    return functools.partial(visit, thumbnails=True)


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
def test_the_page_opens_on_looks_that_move_and_on_a_text_that_plays(visit, viewport):
    tab = visit(viewport=viewport)
    failures = watch_failures(tab)
    tab.shows("Who you\ngonna call?")
    tab.holds(f"{TIMES}.some((time) => time > 0 && time < 4000)", "that it plays")
    tab.locator(".tool[aria-label=Play]").wait_for()
    assert tab.locator(".timeline").input_value() == "1"
    assert chosen(tab) == ["Banner", "As it is"]
    pictures(tab, ".presets")
    assert failures == []
    tab.is_quiet()


def test_the_first_picture_stands_still_where_reduced_motion_is_preferred(visit):
    tab = visit(reduced_motion="reduce")
    tab.shows("Who you\ngonna call?")
    assert tab.page.evaluate(TIMES) == []
    assert tab.locator(".tool").first.get_attribute("aria-label") == "Play"


def test_each_example_is_another_text_in_another_look(visit):
    tab = visit()
    tab.shows("Who you\ngonna call?")
    seen = [("Who you\ngonna call?", ["Banner", "As it is"])]
    for _ in range(9):
        tab.page.get_by_role("button", name="Example").click()
        text = tab.control("text").input_value()
        seen.append((text, chosen(tab)))
        assert seen[-1][0] != seen[-2][0] and seen[-1][1] != seen[-2][1]
        tab.shows(text)
        tab.holds(f"{TIMES}.some((time) => time > 0)", "that it plays")
    # All of them, and then the first one again.
    assert len({text for text, _ in seen}) == 9 and seen[-1] == seen[0]
    # Each is an entry of the history, which undo knows too.
    tab.page.go_back()
    tab.shows(seen[-2][0])
    tab.page.get_by_role("button", name="Undo").click()
    tab.shows(seen[-1][0])
    tab.is_quiet()


def test_an_example_that_is_shown_already_is_passed_over(visit):
    tab = visit()
    tab.shows("Who you\ngonna call?")
    tab.page.get_by_role("button", name="Example").click()
    second = tab.request()
    tab.page.reload()
    tab.shows(second["text"])
    tab.page.get_by_role("button", name="Example").click()
    assert tab.request()["text"] not in ("Who you\ngonna call?", second["text"])


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
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    tab.control("text").fill(family * 30)
    tab.shows(family * 30)
    # No picture has a part of a family.
    with tab.page.expect_request(
            lambda request: re.fullmatch(f"({family}){{2,29}}", texts_of(request.url)[0]) is not None):
        tab.locator(EFFECT).scroll_into_view_if_needed()
    tab.is_quiet()


def texts_of(address):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(address).query).get("text", [""])


SENTENCE = "The quick brown fox jumps over the lazy dog, and the dog wakes up and runs after it all day long."


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [{"width": 900, "height": 3000}, {"width": 390, "height": 3200}], ids=["wide", "narrow"])
@pytest.mark.parametrize("text", [SENTENCE, "Donaudampfschifffahrtsgesellschaft", "\u543e\u8f29\u306f\u732b\u3067\u3042\u308b\u3002" * 4],
                         ids=["words", "one-word", "japanese"])
def test_tiles_show_the_first_words_that_are_legible(visit, server, viewport, text):
    tab = visit(viewport=viewport)
    asked = []
    # So that no tile has the picture of another text.
    tab.page.goto("about:blank")
    tab.on("request", lambda request: asked.append(request.url))
    tab.open({"text": text})
    for more in tab.locator(".preset-head button").all():
        more.click()
    pictures(tab, ".presets")
    presets = {one["name"]: one["title"] for one in server.get("/presets").json["presets"]}
    tiles = {presets[urllib.parse.parse_qs(address)["preset"][0]]: address
             for address in asked if "/render.svg" in address and "cycle=" in address and "preset=" in address}
    assert tiles.keys() == set(presets.values())
    for title, address in tiles.items():
        [shown] = texts_of(address)
        assert shown and text.startswith(shown.removesuffix("\u2026"))
        assert text[len(shown):][:1] in ("", " ", ",") or shown.endswith("\u2026") or " " not in text
        scene = server.get(address.removeprefix(server.url).replace(".svg", ".json")).json
        size = min(run["size"] for block in scene["blocks"] for line in block["lines"] for run in line["runs"])
        tile = look(tab, title).locator("img").bounding_box()
        assert size * tile["width"] / scene["width"] >= 8, (title, shown)


# Looks

@pytest.mark.slow
def test_of_each_group_one_look_is_chosen_and_given_up_for_the_first_card(visit):
    tab = visit({"text": "Look"})
    assert chosen(tab) == ["Plain", "As it is"]
    for title, presets in [("Nord", "nord"), ("Social card", "og,nord"), ("Badge", "badge,nord"),
                           ("Dracula", "badge,dracula"), ("Plain", "dracula"), ("As it is", None)]:
        # The one that is chosen stays so.
        for _ in range(2):
            pick_look(tab, title)
            assert tab.request() == {"text": "Look", **({"preset": presets} if presets else {})}
    assert chosen(tab) == ["Plain", "As it is"]
    firsts = tab.page.evaluate("[...document.querySelectorAll('.preset-cards')].map((one) => one.firstChild.textContent)")
    assert firsts == ["Plain", "As it is"]
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
    pick_look(tab, "As it is")
    assert tab.request() == {"text": "Values", "color": "#123456", "padding": "40"}


def test_texts_inherit_the_values_of_a_look(visit, server):
    request = {"1.text": "One", "2.text": "Two", "preset": "terminal,nord", "2.color": "#ff0000"}
    tab = visit(request)
    tab.shows("One\nTwo")
    colors = tab.page.evaluate("[...document.querySelectorAll('.card [name=color]')].map(({ value }) => value)")
    # A terminal is dark under both schemes.
    assert colors == ["#eceff4", "#ff0000"]
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
        if preset["name"].startswith("captions"):
            # Looks of captions share a picture where no word has a time.
            pick_look(tab, "Credits")
            before = tab.another_than(before)
        pick_look(tab, preset["title"])
        tab.another_than(before)
        assert preset["name"] in tab.request()["preset"].split(",")
        assert tab.page.evaluate("document.activeElement.ariaPressed") == "true"
    assert failures == []
    tab.is_quiet()


@pytest.mark.slow
def test_arrow_keys_move_among_looks_which_are_one_stop_for_tab(visit, server):
    looks = server.get("/presets").json["presets"]
    titles = ["Plain", *[one["title"] for one in looks if one["group"] == "shapes"]]
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


def test_letters_of_fall_do_so_in_its_picture(visit, server):
    asked = []
    tab = visit()
    tab.page.goto("about:blank")
    tab.on("request", lambda request: asked.append(request.url) if re.search(r"[?&]effect=fall\b", request.url) else None)
    tab.open({"text": "Autumn"})
    tab.page.get_by_role("button", name="Pictures of effects: pause").click()
    card = tab.locator(".effect-card", has=tab.page.locator("[value=fall]"))
    card.scroll_into_view_if_needed()
    # A card that scrolls under the pointer plays.
    tab.page.mouse.move(1, 1)
    until(lambda: card.locator("img[data-state=still]").count(), "a picture that stands still")
    still = urllib.parse.urlsplit(next(one for one in asked if "/render.png" in one))
    values = dict(urllib.parse.parse_qsl(still.query))
    seconds = float(values["time"])
    scene = server.get("/render.json?" + urllib.parse.urlencode({**values, "scale": 1})).json
    assert scene["blocks"][0]["exitStart"] < seconds < scene["blocks"][0]["exitEnd"]
    depths = [R.value_at(track_of(glyph, "offsetY"), seconds) for glyph in scene["glyphs"] if glyph["role"] == "glyph"]
    assert len(depths) == len("Autumn") and sum(depth > 5 for depth in depths) >= 3


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
    assert tab.locator(".place").count() > 3
    tab.locator(".place", has_text="Chat").click()
    assert tab.request()["format"] == "gif" and tab.locator(".place :checked").count() == 1
    tab.locator(".place", has_text="README, web").click()
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
    assert line.startswith("![") and f"]({tab.url}render.svg?" in line
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
    tab_to("As it is")
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
    assert tab.request()["preset"] == f"{shape[shape.index('banner') + 1]},{color[0]}"
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
    assert f"({tab.locator('#snippet-editable-url').input_value()})" in copied(tab)
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
    assert f"({tab.locator('#snippet-editable-url').input_value()})" in copied(tab)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    tab.is_quiet()


@pytest.mark.parametrize("width, height", [(390, 844), (360, 640), (320, 568)])
@pytest.mark.parametrize("request_", [{"text": "Fixed"}, {"text": "Fixed", "size": "wrong"}, {"text": "A very long line " * 12, "size": "80"}],
                         ids=["picture", "fault", "warnings"])
def test_on_a_phone_at_most_half_of_the_height_is_fixed(visit, width, height, request_):
    tab = visit({**request_, "font": "Nowhere"}, viewport={"width": width, "height": height})
    tab.holds("document.querySelector('.warnings, .problems').textContent !== ''"
              " || document.querySelectorAll('.warnings li, .status:not(:empty)').length > 0", "what is wrong")
    tab.page.evaluate("scrollTo(0, 900)")
    fixed = tab.page.evaluate("""[...document.querySelectorAll('body *')]
        .filter((one) => ['fixed', 'sticky'].includes(getComputedStyle(one).position) && one.checkVisibility())
        .map((one) => one.getBoundingClientRect())
        .reduce((sum, { top, bottom }) => sum + Math.max(Math.min(bottom, innerHeight) - Math.max(top, 0), 0), 0)""")
    assert 0 < fixed <= height / 2
    # What is left of the picture is worth a look.
    assert tab.locator(".stage").bounding_box()["height"] >= 90


@pytest.mark.parametrize("width, height", [(390, 844), (820, 1180)])
def test_in_a_narrow_window_effects_are_open_and_sections_of_numbers_closed(visit, width, height):
    tab = visit({"text": "Sections", "effect": "slide"}, viewport={"width": width, "height": height})
    tab.shows("Sections")
    assert tab.locator(f"{EFFECT} .effects").is_visible()
    assert tab.locator(".controls .number:visible").count() == 0
    tab.locator("summary", has_text="Effect in detail").click()
    assert tab.control("interval").is_visible()
    # A fault opens its section.
    tab.open({"text": "Sections", "size": "wrong"})
    tab.locator(".field[data-parameter=size] .problem").wait_for()


def test_in_a_wide_window_the_most_common_sections_are_open(visit):
    tab = visit({"text": "Sections", "effect": "slide"})
    tab.shows("Sections")
    assert tab.control("interval").is_visible() and tab.control("size").first.is_visible()


def test_a_mark_on_a_path_cannot_be_chosen_and_says_why(visit):
    tab = visit({"text": "Round"})
    tab.shows("Round")
    tab.page.evaluate("for (const one of document.querySelectorAll('#controls details')) one.open = true")
    assert tab.control("mark").is_enabled() and tab.control("path").is_enabled()
    tab.control("path").fill("circle(80)")
    assert tab.control("mark").is_disabled()
    reason = tab.field("mark").locator(".only:visible")
    assert reason.inner_text() == "No mark is drawn on text along a path."
    assert reason.get_attribute("id") in tab.control("mark").get_attribute("aria-describedby").split()
    tab.control("path").fill("none")
    tab.control("mark").select_option("circle")
    assert tab.control("path").is_disabled()
    assert tab.field("path").locator(".only:visible").inner_text() == "Marked text runs along no path."
    # Where an address has both, each can be given up.
    tab.open({"text": "Round", "mark": "circle", "path": "circle(80)"})
    tab.page.evaluate("for (const one of document.querySelectorAll('#controls details')) one.open = true")
    assert tab.control("mark").is_enabled() and tab.control("path").is_enabled()
    tab.control("mark").select_option("none")
    tab.shows("Round")


def test_numbered_lines_on_a_path_cannot_be_chosen_and_say_why(visit):
    tab = visit({"text": "Round"})
    tab.shows("Round")
    tab.page.evaluate("for (const one of document.querySelectorAll('#controls details')) one.open = true")
    tab.control("path").fill("arc")
    assert tab.control("lineNumbers").is_disabled()
    assert tab.field("lineNumbers").locator(".only:visible").inner_text() == "A line along a path has no number."
    tab.control("path").fill("none")
    assert not tab.field("firstLine").is_visible()
    tab.control("lineNumbers").check()
    assert tab.field("firstLine").is_visible()
    assert tab.control("path").is_disabled()
    assert tab.field("path").locator(".only:visible").inner_text() == "Numbered lines run along no path."
    # Those that a look brings can be given up.
    tab.open({"text": "Round", "preset": "editor", "path": "arc"})
    tab.page.evaluate("for (const one of document.querySelectorAll('#controls details')) one.open = true")
    tab.control("lineNumbers").uncheck()
    tab.shows("Round")


# Everyone

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
# With every kind of control.
FULL = {
    "1.text": "One", "2.text": "Two", "color": "linear-gradient(90deg, #b00 0%, #00b 2%, #060 6%, #909 90%, #006 100%)",
    "darkColor": "linear-gradient(90deg, #fbb 0%, #bbf 100%)", "paintMotion": "spin", "shadow": "1px 1px #b00, 2px 2px #00b",
    "effect": "custom", "borderWidth": "2", "bar": "left", "outlineWidth": "1", "mark": "circle", "cursor": "bar",
}


def faults(tab):
    violations = Axe().run(tab.page, options=RULES).response["violations"]
    return [(one["id"], node["html"]) for one in violations for node in one["nodes"]]


@pytest.mark.parametrize("width, height", [(390, 844), (820, 1180), (1280, 800)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("request_", [None, FULL, {"text": "Film", "format": "gif"}], ids=["example", "full", "film"])
@pytest.mark.slow
def test_axe_finds_no_fault_with_every_panel_open(visit, scheme, width, height, request_):
    tab = visit(request_, viewport={"width": width, "height": height}, color_scheme=scheme)
    tab.locator(SHOWN).wait_for()
    for more in tab.locator(".preset-head button").all():
        more.click()
    for card in tab.locator(".card-toggle").all()[:1]:
        card.click()
    for details in tab.page.query_selector_all("details:not([open]) > summary"):
        if details.is_visible():
            details.click()
    for closed in tab.page.query_selector_all(".disclosure[aria-expanded=false]"):
        if closed.is_visible():
            closed.click()
    tab.locator("#typing-link").wait_for()
    assert faults(tab) == []
    tab.open_menu()
    assert faults(tab) == []


def test_groups_of_effects_are_radio_groups_of_nothing_else(visit):
    tab = visit({"text": "Groups"})
    groups = tab.page.get_by_role("radiogroup").and_(tab.page.locator(".effect-group"))
    assert groups.count() > 4
    assert tab.page.get_by_role("radiogroup").get_by_role("button").count() == 0
    assert groups.first.get_by_role("radio").first.is_visible()


@pytest.mark.slow
def test_handles_of_stops_that_are_close_stand_beside_each_other(visit):
    tab = visit({"text": "Close", "color": "linear-gradient(90deg, #bb0000 0%, #0000bb 1%, #006600 99%, #990099 100%)"})
    tab.shows("Close")
    handles = tab.field("color").locator(".stop-handle")
    boxes = [one.bounding_box() for one in handles.all()]
    assert all(one["x"] + 24 <= other["x"] + 0.5 for one, other in zip(boxes, boxes[1:]))
    bar = tab.field("color").locator(".stop-bar").bounding_box()
    assert bar["x"] <= boxes[0]["x"] and boxes[-1]["x"] + 24 <= bar["x"] + bar["width"] + 0.5
    # One that is only touched stays where it was.
    handles.nth(1).hover()
    tab.page.mouse.down()
    box = handles.nth(1).bounding_box()
    tab.page.mouse.move(box["x"] + 12, box["y"] + 4)
    tab.page.mouse.up()
    assert [one.get_attribute("aria-valuenow") for one in handles.all()] == ["0", "1", "99", "100"]


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
