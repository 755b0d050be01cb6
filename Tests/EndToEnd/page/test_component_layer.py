"""The words of <title-card> for pointers, keys, and assistive technology, and its states on a page of twenty."""

import re

import numpy
import pytest

from component_pages import (
    FRAME, LATE, MODULE, POLICY, SHIFT, STYLED, Site, card, events, heard, holds, value, visit, waits,
)  # fmt: skip
from picture import pixels
from service import REPOSITORY, query, until

STILL = dict(effect="none", hold=0)
# The boxes of the layer's words in the page, with their texts.
WORDS = """[...card.shadowRoot.querySelectorAll('.layer span')].map(word => {
  const box = word.getBoundingClientRect();
  return [word.textContent, box.x, box.y, box.width, box.height];
}).filter(([text, , , width]) => text.trim() && width > 0)"""


@pytest.fixture(scope="module")
def site(server):
    site = Site(server)
    site.add("/page.css", "body { margin: 0; background: #fff4d6 } title-card { vertical-align: top }", "text/css")
    yield site
    site.close()


@pytest.fixture
def page(chromium):
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


# MARK: Words


def union(rects):
    left, top = min(rect["x"] for rect in rects), min(rect["y"] for rect in rects)
    right = max(rect["x"] + rect["width"] for rect in rects)
    return [left, top, right - left, max(rect["y"] + rect["height"] for rect in rects) - top]


@pytest.mark.parametrize("text, request_", [
    ("Hello there, you", {}),
    ("A text that is wrapped into lines\nand broken", dict(width=300, align="right")),
    ("שלום עולם, hello 123", {}),
    ("As large as fits", dict(width=500, height=90, fit="fill")),
    ("日本語のテキスト", dict(font="Noto Sans CJK JP")),
], ids=["line", "lines", "both directions", "fit", "without spaces"])
def test_words_lie_over_the_drawn_ones(server, site, browser, text, request_):
    request = {**STILL, "size": 32, **request_}
    visit(browser, site, card(text.replace("\n", "<br>"), **request))
    heard(browser, "ready", "play", "finish")
    scene = server.render("json", text=text, **request).json
    glyphs = [glyph for glyph in scene["glyphs"] if glyph["role"] == "glyph"]
    found = value(browser, WORDS)
    assert "".join(word for word, *_ in found).replace(" ", "") == re.sub(r"\s", "", text)
    start = 0
    for word, *box in found:
        start = text.index(word, start)
        rects = [glyph["rect"] for glyph in glyphs if start <= glyph["range"]["start"] < start + len(word)]
        assert box == pytest.approx(union(rects), abs=1), word
        start += len(word)


@pytest.mark.parametrize("rule", ["width: 150px", "width: 400px; height: 90px"])
def test_words_are_scaled_with_the_picture(server, site, browser, rule):
    site.add("/scaled.css", f"title-card {{ vertical-align: top; {rule} }} body {{ margin: 0 }}", "text/css")
    visit(browser, site, card("Scaled words", **STILL), '<link rel="stylesheet" href="/scaled.css">' + MODULE)
    heard(browser, "ready", "play", "finish")
    drawn = value(browser, """(() => {
      const boxes = [...svg.querySelectorAll('[part=glyph]')].map(glyph => glyph.getBoundingClientRect());
      return [Math.min(...boxes.map(box => box.left)), Math.max(...boxes.map(box => box.right))];
    })()""")
    found = value(browser, WORDS)
    assert [found[0][1], found[-1][1] + found[-1][3]] == pytest.approx(drawn, abs=3)


def test_a_text_along_a_path_has_one_box(server, site, browser):
    visit(browser, site, card("Along an arc", path="M0 60 Q150 0 300 60", **STILL))
    heard(browser, "ready", "play", "finish")
    [(text, *box)] = value(browser, WORDS)
    rect = server.render("json", text="Along an arc", path="M0 60 Q150 0 300 60", **STILL).json["blocks"][0]["rect"]
    assert text == "Along an arc" and box == pytest.approx(union([rect]), abs=1)


def test_a_picture_without_boxes_has_lines(server, site, browser):
    permalink = server.render("svg", text="Some link here", **STILL).headers["Content-Location"]
    visit(browser, site, f'<title-card src="{permalink}">Some <a href="#there">link</a> here</title-card>')
    heard(browser, "ready", "play", "finish")
    assert [word for word, *_ in value(browser, WORDS)] == ["Some ", "link", " here"]
    picture = value(browser, "(({x, y, right, bottom}) => [x, y, right, bottom])(svg.getBoundingClientRect())")
    for _, x, y, width, height in value(browser, WORDS):
        assert picture[0] <= x and picture[1] <= y and x + width <= picture[2] and y + height <= picture[3]
    browser.evaluate("document.querySelector('title-card').shadowRoot.querySelector('.layer a').click()")
    until(lambda: browser.evaluate("return location.hash") == "#there", "the address of the link")


# MARK: Selection

BETWEEN = "<p>Before it</p>" + card('Some <a href="/x">long text</a> in lines<br>here', width=200, **STILL) + "<p>After it</p>"


def edges(words, place):
    """The start or the end of the first or the last word."""
    _, x, y, width, height = words[place]
    return (x + 1 if place == 0 else x + width - 1), y + height / 2


def test_words_are_copied_as_they_are_read(site, page):
    page.goto(site.page(BETWEEN, STYLED))
    waits(page, "events.length >= 3")
    words = page.evaluate("() => { const card = document.querySelector('title-card'); return " + WORDS + "}")
    above, below = (page.locator("p").nth(index).bounding_box() for index in (0, 1))
    before, after = ((box["x"] + 1, box["y"] + box["height"] / 2) for box in (above, below))

    def copied(start, end):
        page.mouse.click(700, 500)
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=8)
        page.mouse.up()
        page.keyboard.press("Control+C")
        return re.sub(r"\n+", "\n", page.evaluate("navigator.clipboard.readText()")).rstrip("\n")

    first, last = edges(words, 0), edges(words, -1)
    text = "Some long text in lines\nhere"
    assert copied(first, last) == text
    assert copied(before, after) == f"Before it\n{text}"
    assert copied(before, last) == f"Before it\n{text}"
    assert copied(first, after) == text
    page.mouse.click(700, 500)
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+C")
    assert re.sub(r"\n+", "\n", page.evaluate("navigator.clipboard.readText()")) == f"Before it\n{text}\nAfter it"


def test_firefox_copies_lines_as_lines(site, opened):
    """It copies blocks as lines of their own, whatever their position."""
    firefox = opened("Firefox")
    visit(firefox, site, BETWEEN + "<textarea></textarea>")
    heard(firefox, "ready", "play", "finish")
    words = value(firefox, WORDS)

    def moved(place):
        return {"type": "pointerMove", "x": round(place[0]), "y": round(place[1])}

    def dragged(*places):
        actions = [moved(places[0]), {"type": "pointerDown", "button": 0}, *map(moved, places[1:]),
                   {"type": "pointerUp", "button": 0}]
        firefox.command("WebDriver:PerformActions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

    def pressed(letter):
        keys = [("keyDown", "\ue009"), ("keyDown", letter), ("keyUp", letter), ("keyUp", "\ue009")]
        actions = [{"type": kind, "value": key} for kind, key in keys]
        firefox.command("WebDriver:PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    dragged(edges(words, 0), edges(words, -1))
    pressed("c")
    firefox.evaluate("document.querySelector('textarea').focus()")
    pressed("v")
    until(lambda: firefox.evaluate("return document.querySelector('textarea').value") == "Some long text in lines\nhere",
          "the copied text")


@pytest.mark.parametrize("forced", ["active", "none"])
def test_forced_colours_do_not_show_the_words_twice(site, page, forced):
    page.emulate_media(forced_colors=forced)
    page.goto(site.page(card('Once and <a href="/">linked</a>', **STILL), STYLED))
    waits(page, "events.length >= 3")
    colors = """() => [...document.querySelector('title-card').shadowRoot.querySelectorAll('.layer span')].map(
      word => getComputedStyle(word).color)"""
    assert set(page.evaluate(colors)) == {"rgba(0, 0, 0, 0)"}


def test_what_is_selected_is_seen(server, site, browser):
    if browser.name == "WebKit":
        pytest.skip("its scripts cannot select in a shadow root")
    visit(browser, site, card("Seen", size=64, **STILL))
    heard(browser, "ready", "play", "finish")
    blank = pixels(browser.screenshot())
    browser.evaluate("""
      const layer = document.querySelector('title-card').shadowRoot.querySelector('.layer');
      getSelection().setBaseAndExtent(layer.querySelector('span').firstChild, 0, layer.querySelector('span').firstChild, 4);
    """ + FRAME)
    changed = numpy.argwhere((pixels(browser.screenshot()) != blank).any(axis=2))
    [(_, x, y, width, height)] = value(browser, WORDS)
    (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0) + 1
    assert (left, right) == (pytest.approx(x, abs=2), pytest.approx(x + width, abs=2))
    assert top <= y + 0.3 * height and bottom >= y + 0.7 * height


# MARK: Links

LINKED = "Read " + '<a id="link" href="#there" target="_self"><b>this</b> now</a>, or not'


def test_a_click_on_a_drawn_link_is_one_on_the_original(site, page):
    page.goto(site.page(card(LINKED, **STILL), STYLED))
    waits(page, "events.length >= 3")
    page.evaluate("""
      window.clicks = [];
      addEventListener('click', event => clicks.push([event.target.id, event.shiftKey, event.altKey, location.hash]));
    """)
    words = page.evaluate("() => { const card = document.querySelector('title-card'); return " + WORDS + "}")
    place = {text.strip(): (x + width / 2, y + height / 2) for text, x, y, width, height in words}
    page.mouse.click(*place["now"])
    waits(page, "location.hash === '#there'")
    page.evaluate("location.hash = ''; document.querySelector('#link').addEventListener('click', event => event.preventDefault())")
    page.keyboard.down("Alt")
    page.mouse.click(*place["this"])
    page.keyboard.up("Alt")
    assert page.evaluate("clicks") == [["link", False, False, ""], ["link", False, True, ""]]
    assert page.evaluate("location.hash") == ""
    page.mouse.click(*place["Read"])
    assert page.evaluate("clicks.at(-1)") == ["", False, False, ""]


def test_a_link_that_comes_later_is_clicked_too(site, page):
    page.goto(site.page(card("Read this", **STILL), STYLED))
    waits(page, "events.length >= 3")
    page.evaluate("""
      const link = document.createElement('a');
      link.href = '#later';
      link.textContent = 'this';
      document.querySelector('title-card').replaceChildren('Read ', link);
    """)
    page.locator("title-card .layer a span").click()
    waits(page, "location.hash === '#later'")
    assert page.evaluate("events.length") == 3


def test_the_focus_of_a_link_is_drawn_around_its_words(site, page):
    page.goto(site.page(card(LINKED, **STILL) + card(LINKED, size=3), STYLED))
    waits(page, "events.length >= 4")
    outlines = """() => [...document.querySelector('title-card').shadowRoot.querySelectorAll('.layer span')].map(
      word => [word.textContent.trim(), getComputedStyle(word).outlineStyle]).filter(([text]) => text)"""
    still = [["Read", "none"], ["this", "none"], ["now", "none"], [",", "none"], ["or", "none"], ["not", "none"]]
    assert page.evaluate(outlines) == still
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "link"
    ringed = [[text, "auto" if text in ("this", "now") else "none"] for text, _ in still]
    assert page.evaluate(outlines) == ringed
    page.keyboard.press("Tab")
    assert page.evaluate(outlines) == still
    # The layer's own links are for pointers only.
    assert page.evaluate("document.activeElement.closest('title-card').getAttribute('size')") == "3"


def test_the_focus_is_seen(site, browser):
    visit(browser, site, card('<a id="link" href="#there">Linked</a>', start="manual", poster="end", color="#fff4d6", **STILL))
    heard(browser, "ready")
    [(_, x, y, width, height)] = value(browser, WORDS)
    before = pixels(browser.screenshot())
    browser.evaluate("document.querySelector('#link').focus({focusVisible: true});" + FRAME)
    if not browser.evaluate("return document.querySelector('#link').matches(':focus-visible')"):
        pytest.skip("its scripts cannot show the focus")
    after = pixels(browser.screenshot())
    changed = numpy.argwhere(numpy.abs(after - before).max(axis=2) > 60)
    (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0) + 1
    assert (left, right) == (pytest.approx(x, abs=5), pytest.approx(x + width, abs=5))
    assert (top, bottom) == (pytest.approx(y, abs=5), pytest.approx(y + height, abs=5))


def test_a_drawn_button_is_pressed(site, page):
    page.goto(site.page(card("Say <button id=yes>yes</button> or <button disabled>no</button>", **STILL), STYLED))
    waits(page, "events.length >= 3")
    page.evaluate("window.pressed = []; addEventListener('click', event => pressed.push(event.target.id))")
    page.locator("title-card .layer a span").first.click()
    assert page.evaluate("pressed") == ["yes"]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "yes"
    outlined = """[...document.querySelector('title-card').shadowRoot.querySelectorAll('.layer span')].filter(
      word => getComputedStyle(word).outlineStyle === 'auto').map(word => word.textContent)"""
    assert page.evaluate(outlined) == ["yes"]


def test_links_are_parts(site, browser):
    site.add("/links.css", "title-card::part(link) { text-decoration: underline; text-decoration-color: rgb(0, 0, 255);"
             "text-decoration-thickness: 4px } body { margin: 0 }", "text/css")
    visit(browser, site, card("Not <a href='/'>linked</a>", color="#fff", size=64, **STILL),
          '<link rel="stylesheet" href="/links.css">' + MODULE)
    heard(browser, "ready", "play", "finish")
    browser.evaluate(FRAME)
    _, (_, x, _, width, _) = value(browser, WORDS)
    shown = pixels(browser.screenshot())
    blue = numpy.argwhere((shown[..., 2] > 200) & (shown[..., 0] < 60))
    assert (blue[:, 1].min(), blue[:, 1].max() + 1) == (pytest.approx(x, abs=2), pytest.approx(x + width, abs=2))


# MARK: Assistive technology

MOVING = dict(effect="slide", loop="infinite")
TREES = {
    "heading": f"<h1>{card('Heading', **STILL)}</h1>",
    "moving heading": f"<h2>{card('Moving', **MOVING)}</h2>",
    "within a heading": f"<h2>Say {card('hi', **STILL)} now</h2>",
    "link": f'<p><a href="/x">{card("Link", **MOVING)}</a></p>',
    "button": f"<button>{card('Press', **MOVING)}</button>",
    "links in it": f"<p>Read {card(LINKED, **STILL)}, please</p>",
    "heading in it": card('<h2>Inner <a href="/x">heading</a></h2>', **STILL),
    "paragraphs": card("<p>One</p><p>Two</p>", **STILL),
    "failed": f"<h2>{card('Failed', size=3)}</h2>",
}


def tree(page):
    """The roles and names of a page's accessibility tree, without boxes of layout."""
    session = page.context.new_cdp_session(page)
    listed = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    nodes = {node["nodeId"]: node for node in listed}
    found = []

    def walk(node, depth):
        role = node.get("role", {}).get("value")
        if not node.get("ignored") and role not in ("generic", "none", "InlineTextBox"):
            found.append((depth, role, node.get("name", {}).get("value")))
            depth += 1
        for child in node.get("childIds", []):
            if child in nodes:
                walk(nodes[child], depth)

    walk(listed[0], 0)
    return found


@pytest.mark.parametrize("name", list(TREES))
def test_the_accessibility_tree_is_that_of_plain_text(site, page, name):
    page.goto(site.page("<main>" + TREES[name] + "</main>", STYLED))
    waits(page, "events.some(([, type]) => type === 'ready' || type === 'error')")
    shown = tree(page)
    plain = re.sub(r"<(/?)title-card", r"<\1span", TREES[name])
    page.goto(site.page("<main>" + plain + "</main>", ""))
    assert shown == tree(page)


@pytest.mark.parametrize("around", ['<a href="#followed">{}</a>', "<h1>{}</h1>", "<label><input type=checkbox>{}</label>"])
def test_the_button_of_a_part_is_pressed_alone(site, page, around):
    page.goto(site.page(around.format(card("Moving", **MOVING)), STYLED))
    waits(page, "events.length === 2")
    box = page.evaluate("(({x, y}) => [x, y])(document.querySelector('title-card').shadowRoot.querySelector('button')"
                        ".getBoundingClientRect())")
    page.mouse.click(box[0] + 12, box[1] + 12)
    waits(page, "events.at(-1)[1] === 'pause'")
    assert page.evaluate("[location.hash, document.querySelector('input')?.checked ?? false]") == ["", False]
    page.mouse.click(box[0] + 12, box[1] + 12)
    waits(page, "events.at(-1)[1] === 'play'")
    for _ in range(3):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.shadowRoot?.activeElement ?? null") is None
    page.keyboard.press("Escape")
    waits(page, "events.at(-1)[1] === 'pause'")


def test_escape_leaves_a_button_that_keys_reach_alone(site, page):
    page.goto(site.page(card("Moving", **MOVING), STYLED))
    waits(page, "events.length === 2")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    waits(page, "events.at(-1)[1] === 'pause'")
    assert page.evaluate("events.length") == 3


# MARK: The baseline


@pytest.mark.parametrize("request_", [{}, dict(height=120, valign="top"), dict(width=200)], ids=["line", "tall", "lines"])
def test_the_last_line_stands_on_the_line_of_the_page(server, site, browser, request_):
    site.add("/line.css", ".mark { display: inline-block; width: 1px; height: 1px }", "text/css")
    text, request = "Two or three words", {**STILL, **request_}
    visit(browser, site, f'<p>x <i class="mark"></i>{card(text, **request)}</p>',
          '<link rel="stylesheet" href="/line.css">' + MODULE)
    heard(browser, "ready", "play", "finish")
    baseline = server.render("json", text=text, **request).json["blocks"][0]["lines"][-1]["baseline"]
    found = value(browser, "document.querySelector('.mark').getBoundingClientRect().bottom - svg.getBoundingClientRect().top")
    assert found == pytest.approx(baseline, abs=1)


# MARK: Before there is a picture, and without one


def test_the_text_is_there_until_the_picture_is(site, browser):
    site.open.clear()
    try:
        visit(browser, site, card("Soon", **STILL) + card("Sized", id="b", width=300, height=90, **STILL))
        seen = "getComputedStyle(one.shadowRoot.querySelector('.text')).opacity"
        cards = "[...document.querySelectorAll('title-card')]"
        until(lambda: browser.evaluate(f"return {cards}.every(one => one.shadowRoot)"), "the module")
        assert browser.evaluate(f"return {cards}.map(one => {seen})") == ["1", "1"]
        # In the size in which it is drawn.
        assert value(browser, "[card.getBoundingClientRect().height, getComputedStyle(card.shadowRoot.querySelector("
                     "'.text')).fontSize]") == [80, "40px"]
    finally:
        site.open.set()
    heard(browser, "ready", "play", "finish")
    heard(browser, "ready", "play", "finish", id="b")
    assert browser.evaluate(f"return {cards}.map(one => {seen})") == ["0", "0"]


def test_a_picture_that_takes_too_long_never_comes_by_itself(site, browser):
    site.open.clear()
    try:
        visit(browser, site, card("Late", **STILL))
        heard(browser, "error")
        [[_, _, message]] = browser.evaluate("return events")
        assert message == "No picture within 3 s."
    finally:
        site.open.set()
    browser.evaluate("document.querySelector('title-card').className = 'any';" + FRAME + FRAME)
    assert events(browser) == ["error"] and value(browser, "svg") is None
    browser.evaluate("document.querySelector('title-card').reload()")
    heard(browser, "error", "ready", "play", "finish")


@pytest.mark.parametrize("again", ["card.setAttribute('effect', 'none')", "card.textContent = 'Text'", "card.reload()"])
def test_what_is_set_again_after_an_error_asks_again(site, browser, again):
    site.add("/changing.svg", "no SVG", "image/svg+xml")
    visit(browser, site, '<title-card src="/changing.svg" effect="none">Text</title-card>')
    heard(browser, "error")
    site.add("/changing.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', "image/svg+xml")
    browser.evaluate("const card = document.querySelector('title-card'); card.id = ''; card.setAttribute('class', 'x');" + FRAME)
    assert events(browser) == ["error"]
    browser.evaluate("const card = document.querySelector('title-card');" + again)
    heard(browser, "error", "ready", "play", "finish")


@pytest.mark.parametrize("way", ["known size", "usual size", "headings", "lists", "styled", "another size", "no rule"])
def test_twenty_cards_move_nothing_on_a_slow_page(site, page, way):
    documented = re.findall(r"```css\n(.*?)```", (REPOSITORY / "docs/component.md").read_text(), re.S)
    usual = documented[1]
    content = {"headings": "<h2>Card {}</h2>", "styled": "<h2>Card {}</h2>", "lists": "<ul><li>Card {}</li></ul>"}.get(way, "Card {}")
    rule, values = {"known size": (documented[0], dict(width=480, height=120)), "no rule": ("", {}),
                    "styled": (usual + "h2 { margin: 30px 0; padding: 5px; font-size: 3em; line-height: 2 }", {}),
                    "another size": (usual.replace("40px", "24px"), dict(size=24))}.get(way, (usual, {}))
    site.add("/rule.css", rule, "text/css")
    site.add("/late.js", LATE, "text/javascript")
    body = "".join(f"<p>Paragraph {n}</p>" + card(content.format(n), effect="slide", **values) for n in range(20))
    site.open.clear()
    try:
        page.goto(site.page(body, '<link rel="stylesheet" href="/rule.css"><script src="/late.js"></script>'))
        waits(page, "[...document.querySelectorAll('title-card')].every(card => card.shadowRoot)")
        page.evaluate("async () => {" + FRAME + "}")
    finally:
        site.open.set()
    waits(page, "events.filter(([, type]) => type === 'ready').length === 20")
    shift = page.evaluate(SHIFT)
    print(way, shift)
    # Words become a text of the usual size when the module has come.
    assert shift == 0 or way == "no rule"


# MARK: A page of twenty


def test_every_state_on_a_page_of_twenty(site, browser):
    """Five cards each: at rest, in flight, slow, and failed. The text of each is seen, and can be read."""
    policy = site.policy
    site.policy = POLICY + "; require-trusted-types-for 'script'; trusted-types titlecard"
    site.add("/twenty.css", "body { margin: 0; background: #fff } title-card { vertical-align: top }\n"
             "div { height: 50px; width: 200px; float: left; overflow: hidden }", "text/css")
    looks = dict(size=24, padding=8)
    states = {
        "Rest": dict(start="manual", poster="end", effect="slide", **looks),
        "Flight": dict(start="load", effect="fade", loop="infinite", hold=60, controls="none", **looks),
        "Slow": dict(effect="slide", **looks),
        "Failed": dict(effect="slide", weight=5000, **looks),
    }
    body = "".join("<div>" + card(f"{state} {n}", id=f"{state}{n}", **values) + "</div>"
                   for n in range(5) for state, values in states.items())
    site.open.clear()
    site.slow = "Slow"
    try:
        visit(browser, site, body, '<link rel="stylesheet" href="/twenty.css">' + MODULE)
        ended = "events.filter(([id, type]) => /Rest|Flight/.test(id) && type === 'ready' || type === 'error').length"
        until(lambda: browser.evaluate(f"return {ended}") >= 15, "what does not wait")
        # Half of the letters have come.
        browser.evaluate("""for (const card of document.querySelectorAll('[id^=Flight]')) {
          card.pause();
          card.seek(0.5);
        }""" + FRAME)
        shown = pixels(browser.screenshot())[..., :3].astype(int)
        violations = browser.evaluate("return violations")
    finally:
        site.open.set()
        site.slow = ""
        site.policy = policy
    assert violations == []
    for n in range(5):
        for place, state in enumerate(states):
            cell = shown[n * 50 : n * 50 + 50, place * 200 : place * 200 + 200]
            ink = (cell.min(axis=2) < 200).any(axis=0)
            assert ink.any(), f"{state} {n}"
            # Of what is in flight only the beginning is drawn.
            width = numpy.flatnonzero(ink).max() - numpy.flatnonzero(ink).min()
            assert width > 30, f"{state} {n}: {width}"
