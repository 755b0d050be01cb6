"""The preview page in Chromium: loading, the picture, what one takes away, and what all users need."""
import re
import urllib.parse

import pytest

from preview_page import FRAMES, HOSTILE, SHOWN, THREE, WIDTHS
from service import PUBLIC, until


# Loading

def imports(path, found):
    """Returns the modules that a module imports, statically or dynamically."""
    code = (PUBLIC / path).read_text()
    for name in re.findall(r"""^(?:import|export)[^;]*?from '\./([^']+)';|import\('\./([^']+)'\)""", code, re.M):
        module = "modules/" + "".join(name)
        if module not in found:
            found.add(module)
            imports(module, found)
    return found


# The editors of keyframes and of captions, and the order of several texts, which few requests have, and the field for links to
# readme-typing-svg; each module is fetched when a field needs it.
ON_DEMAND = {"modules/keyframes.js", "modules/easing-editor.js", "modules/reorder.js", "modules/typing.js",
             "modules/captions.js", "modules/caption-pages.js"}
# The other page.
REFERENCE = "modules/reference.js"


def test_every_module_is_needed_and_preloaded_but_for_those_on_demand():
    page = (PUBLIC / "index.html").read_text()
    preloaded = re.findall(r'<link rel="modulepreload" href="/([^"]+)">', page)
    needed = imports("modules/main.js", set())
    assert sorted(preloaded) == sorted(needed - ON_DEMAND)
    assert needed > ON_DEMAND
    assert {*preloaded, *ON_DEMAND, "modules/main.js", REFERENCE} == {
        path.relative_to(PUBLIC).as_posix() for path in (PUBLIC / "modules").rglob("*") if path.is_file()}
    assert len(preloaded) < 14


def test_no_module_imports_itself_through_others():
    modules = [path.relative_to(PUBLIC).as_posix() for path in (PUBLIC / "modules").glob("*.js")]
    assert [module for module in modules if module in imports(module, set())] == []


def test_nothing_waits_for_another_file_but_the_page(visit):
    tab = visit(thumbnails=True)
    tab.page.goto("about:blank")
    requested, line = [], tab.page.context.new_cdp_session(tab.page)
    line.send("Network.enable")
    # The pictures of effects and presets come later, and the code to embed; their addresses begin with
    # "/render", "/embed", or "blob:".
    line.on("Network.requestWillBeSent", lambda event: requested.append(
        (urllib.parse.urlsplit(event["request"]["url"]).path, event["initiator"]["type"])))
    tab.page.goto(tab.url)
    tab.shows("Who you\ngonna call?")
    line.detach()
    parts = [(path, kind) for path, kind in requested if path.startswith("/") and not path.startswith(("/r/", "/render", "/embed")) and path != "/"]
    assert {kind for path, kind in parts if path != "/favicon.svg"} == {"parser"}, parts
    # What was preloaded is what is used: nothing is asked for twice.
    assert len({path for path, _ in parts}) == len(parts), parts
    needed = ["/style.css", "/effects", "/formats", "/fonts", "/presets", "/targets", "/parameters", "/modules/main.js"]
    assert {path for path, _ in parts} - {"/favicon.svg"} == {
        *needed, *("/" + module for module in imports("modules/main.js", set()) - ON_DEMAND)}
    tab.is_quiet()


# The picture

@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_first_visit_shows_an_example_and_breaks_no_policy(visit, scheme):
    tab = visit(color_scheme=scheme, thumbnails=True)
    tab.shows("Who you\ngonna call?")
    assert tab.control("text").input_value() == "Who you\ngonna call?"
    assert tab.locator("[name=backdrop][value=both]").is_checked()
    tab.locator(".facts dd").first.wait_for()
    tab.is_quiet()


def test_typing_changes_the_picture(visit):
    tab = visit({"text": "One", "effect": "fade"})
    tab.shows("One")
    tab.control("text").press_sequentially(" two")
    tab.shows("One two")
    assert tab.request() == {"text": "One two", "effect": "fade"}
    tab.is_quiet()


def test_a_late_answer_never_replaces_a_newer_one(visit):
    tab = visit({"text": "First", "effect": "none"})
    tab.shows("First")
    held = []
    tab.page.route("**/render.svg?text=Slow*", lambda route: held.append(route))
    tab.control("text").fill("Slow")
    until(lambda: tab.page.evaluate("1") and held, "the slow request")
    tab.control("text").fill("Quick")
    tab.shows("Quick")
    for route in held:
        route.continue_()
    tab.control("text").fill("Quick again")
    tab.shows("Quick again")


def test_the_picture_before_stands_until_the_next_has_loaded(visit):
    tab = visit({"text": "Before", "effect": "none"})
    tab.shows("Before")
    tab.page.evaluate("""(frames) => {
        window.counts = new Set();
        const count = () => {
            window.counts.add(document.querySelectorAll(frames).length);
            requestAnimationFrame(count);
        };
        count();
    }""", FRAMES)
    for text in ["During", "After"]:
        tab.control("text").fill(text)
        tab.shows(text)
    assert tab.page.evaluate("[...window.counts]") == [2]


def test_a_text_too_long_for_a_query_is_posted(visit):
    tab = visit({"text": "Short", "effect": "none"})
    tab.shows("Short")
    methods = []
    tab.on("request", lambda request: methods.append(request.method) if "/render" in request.url else None)
    text = "\n".join(" ".join(f"word{number}" for number in range(line, line + 20)) for line in range(0, 220, 20))
    tab.control("size").fill("12")
    tab.control("text").fill(text)
    tab.shows(text)
    assert "POST" in methods
    tab.open(tab.request()).shows(text)


# What one takes away

def test_the_snippets_addresses_render(visit, server):
    text = 'A "quoted" [title] & <more>'
    tab = visit({"text": text, "effect": "fade"})
    tab.shows(text)
    svg = server.render("svg", text=text, effect="fade").body
    permalink = tab.locator("#snippet-permalink").input_value()
    assert permalink.startswith(server.url + "/r/")
    for identifier in ["permalink", "editable-url"]:
        address = tab.locator(f"#snippet-{identifier}").input_value()
        assert server.get(address.removeprefix(server.url)).body == svg
    query = tab.locator("#snippet-editable-url").input_value()
    assert tab.locator("#snippet-markdown").input_value().endswith(f"]({query})")
    images = tab.page.evaluate("""(html) => {
        const page = new DOMParser().parseFromString(html, 'text/html');
        return [...page.body.childNodes].map((node) => [node.nodeName, node.getAttribute('src'), node.alt]);
    }""", tab.locator("#snippet-html").input_value())
    assert images == [["IMG", query, text]]


def test_the_file_is_named_after_the_text(visit):
    tab = visit({"text": "Name", "format": "png"})
    for text, name in {
        "Hello, World!\nAgain": "hello-world-again", "Élan vital": "elan-vital", "Привет, мир": "привет-мир",
        "हिन्दी": "हिन्दी", "👻": "titlecard", "../../etc/passwd": "etc-passwd",
        "one two three four five six seven": "one-two-three-four-five-six",
    }.items():
        tab.control("text").fill(text)
        tab.holds("(name) => document.querySelector('.download').download === name", name, f"{name}.png")
    tab.open({**THREE, "format": "png"})
    tab.holds("document.querySelector('.download').download === 'one-two-three.png'", "all texts")


def test_markup_is_in_no_name(visit):
    tab = visit({"text": "<b>Salt</b> &amp; pepper", "markup": "true", "format": "gif"})
    tab.shows_image()
    assert tab.locator(".download").get_attribute("download") == "salt-pepper.gif"
    assert tab.locator("#snippet-html").input_value().endswith('alt="Salt &amp; pepper">')
    tab.control("title").evaluate("(field) => { field.value = 'Seasoning'; field.oninput(); }")
    tab.holds("document.querySelector('#snippet-markdown').value.startsWith('![Seasoning]')", "the accessible name")


def test_a_copy_button_copies_and_says_so(visit):
    tab = visit({"text": "Copy", "effect": "none"}, permissions=["clipboard-read", "clipboard-write"])
    tab.shows("Copy")
    button = tab.locator("[aria-label='Copy Markdown']")
    with tab.saying(button, "Copied"):
        button.click()
    code = tab.locator("#snippet-markdown").input_value()
    assert tab.page.evaluate("navigator.clipboard.readText()") == code


def test_the_readable_address_comes_first_and_is_short(visit):
    tab = visit()
    tab.shows("Who you\ngonna call?")
    assert tab.locator(".embed .snippet label:visible").all_inner_texts() == [
        "File", "Markdown", "HTML", "Editable URL", "Permalink"]
    url = tab.locator("#snippet-editable-url").input_value().removeprefix(tab.url)
    assert url == "render.svg?text=Who+you%0Agonna+call%3F&preset=banner"


def test_on_a_local_address_the_button_at_the_picture_copies_the_files_markdown(visit):
    tab = visit({"text": "Copy", "effect": "none"}, permissions=["clipboard-read", "clipboard-write"])
    tab.shows("Copy")
    button = tab.locator(".button.copy")
    for _ in range(2):
        with tab.saying(button, "Copied"), tab.page.expect_download() as download:
            button.click()
        assert tab.page.evaluate("navigator.clipboard.readText()") == "![Copy](copy.svg)"
        assert download.value.suggested_filename == "copy.svg"
        assert "copy.svg is downloaded" in tab.locator(".told-note").inner_text()
        assert "beside your README" in tab.locator(".told-note").inner_text()
    tab.holds("document.querySelector('.button.copy').textContent === 'Copy Markdown'", "its words")
    # The next picture has not been downloaded.
    tab.control("text").fill("Other")
    tab.shows("Other")
    tab.holds("document.querySelector('.told-note').textContent === ''", "that nothing is said of it")


# Everyone

@pytest.mark.slow
@pytest.mark.parametrize("request_", [{"text": "Keys", "effect": "slide", "format": "gif"}, {**THREE, "cursor": "bar"}])
def test_every_control_is_reached_by_keyboard_in_the_order_of_the_page(visit, request_):
    tab = visit(request_)
    tab.locator("[aria-label=Pause], [aria-label=Play]").first.wait_for()
    tab.holds(f"document.querySelector('{SHOWN}') !== null", "a picture")
    for card in tab.locator(".card-toggle").all()[1:2]:
        card.click()
    for closed in tab.page.query_selector_all("details:not([open]) > summary"):
        if closed.is_visible():
            closed.click()
    for late in ["#snippet-curl", "#typing-link"]:
        tab.locator(late).wait_for()
    expected = tab.page.evaluate("""() => {
        const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')];
        const reached = all.filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility()
            && !(one.type === 'radio' && !one.checked) && !one.matches('.skip'));
        reached.forEach((one, index) => { one.dataset.stop = index; });
        const title = document.querySelector('h1');
        title.tabIndex = -1;
        title.focus();
        return reached.length;
    }""")
    stops = []
    for _ in range(expected + 5):
        tab.page.keyboard.press("Tab")
        stop = tab.page.evaluate("document.activeElement.dataset.stop ?? null")
        if stop is None:
            if stops:
                break
            continue
        # The picker of a colour and a date have stops within themselves.
        if not stops or int(stop) != stops[-1]:
            stops.append(int(stop))
    assert stops == list(range(expected))


def test_every_control_has_a_name(visit):
    for request in [{"text": "Names", "effect": "slide"}, THREE]:
        tab = visit(request)
        # Its name is what it copies, so that it is hidden until there is something.
        tab.locator(".actions .copy").wait_for()
        nameless = tab.page.evaluate("""() => [...document.querySelectorAll('button, input, select, textarea')]
            .filter((one) => !one.labels?.length && !one.ariaLabel && !one.textContent.trim())
            .map((one) => one.outerHTML)""")
        assert nameless == []
        assert tab.page.evaluate("new Set([...document.querySelectorAll('[id]')].map((one) => one.id)).size"
                                 " === document.querySelectorAll('[id]').length")


@pytest.mark.parametrize("format", ["svg", "gif"])
def test_no_width_makes_the_page_scroll_sideways(visit, format):
    text = "A long line of text that is wider than a telephone, and than a tablet too"
    tab = visit({"text": text, "effect": "slide", "size": "80", "format": format, "fps": "5"}, thumbnails=True)
    picture = tab.locator(SHOWN)
    picture.wait_for()
    own = tab.page.evaluate(f"""() => {{ const picture = document.querySelector('{SHOWN}');
        return picture.naturalWidth ?? picture.contentDocument.documentElement.width.baseVal.value; }}""")
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": 720})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        box = picture.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        tab.locator(".facts", has_text=f"shown at {box['width'] / own * 100:.0f} %").wait_for()


@pytest.mark.slow
def test_no_width_makes_a_card_scroll_sideways(visit):
    tab = visit({"text": "Wide", "effect": "slide"})
    tab.shows("Wide")
    tab.locator(".add").click()
    tab.locator(".card-body [name=text]:visible").fill("Anunbreakablewordthatiswiderthananycardonthepage" * 2)
    for part in tab.locator(".card.open summary").all():
        part.click()
    for width in WIDTHS:
        tab.page.set_viewport_size({"width": width, "height": 720})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.locator(".controls").evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")


def test_hostile_text_stays_text(visit):
    tab = visit({"text": HOSTILE, "effect": "none"}, thumbnails=True)
    tab.shows(HOSTILE)
    tab.locator("#snippet-html").wait_for()
    tab.open({"text": HOSTILE, "font": HOSTILE, "color": HOSTILE, "interval": HOSTILE, "effect": HOSTILE,
              HOSTILE: HOSTILE})
    tab.locator(".problem:visible").first.wait_for()
    tab.locator(".problems code", has_text="window.broken").wait_for()
    assert tab.control("text").input_value() == HOSTILE
    assert tab.page.evaluate("window.broken") is None
    assert tab.page.evaluate("document.querySelectorAll('img:not(.thumbnail *), body script').length") == 0


def test_without_script_the_page_says_what_works(chromium, server):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.url + "/")
    for link in page.locator(".noscript a").all():
        assert link.is_visible() and server.get(link.get_attribute("href")).status == 200
    context.close()
