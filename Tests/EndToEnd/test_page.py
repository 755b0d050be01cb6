"""The preview page in Chromium."""
import base64
import contextlib
import io
import json
import random
import re
import urllib.parse

import pytest
from PIL import Image

from service import PATIENCE, PUBLIC, query, sample, until

FRAMES = ".rendering:not(.incoming)"
# Of the frames for light and dark the first.
SHOWN = f"{FRAMES}:not({FRAMES} ~ *)"
THREE = {"effect": "slide", "1.text": "One", "2.text": "Two", "2.effect": "fade", "3.text": "Three", "3.size": "20"}
HOSTILE = '"><img src=x onerror="window.broken=1"><script>window.broken=2</script>${alert(1)}'


class Visit:
    """A tab on the page, with the messages of its console."""

    def __init__(self, page, url, request, viewport=None, permissions=(), **media):
        self.url = url + "/"
        self.page = page
        self.said, self.heard = [], []
        # Behind another tab it would draw one frame a second.
        self.page.bring_to_front()
        self.page.set_viewport_size(viewport or {"width": 1280, "height": 720})
        self.page.emulate_media(**{"color_scheme": "light", "reduced_motion": "no-preference", **media})
        self.page.context.grant_permissions(permissions)
        self.on("console", lambda message: self.said.append(message.text))
        self.on("pageerror", lambda error: self.said.append(str(error)))
        self.open(request)

    def on(self, event, deed):
        self.page.on(event, deed)
        self.heard.append((event, deed))

    def leave(self):
        """Restores the tab for the next test."""
        for event, deed in self.heard:
            self.page.remove_listener(event, deed)
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.context.clear_permissions()
        self.page.goto("about:blank")

    def open(self, request=None):
        self.page.goto(self.url + (f"#{query(request)}" if request else ""))
        self.page.wait_for_selector(".controls .section")
        return self

    def locator(self, selector, **details):
        return self.page.locator(selector, **details)

    def control(self, parameter):
        return self.page.locator(f"[name={parameter}]")

    def field(self, parameter):
        return self.page.locator(f".field[data-parameter={parameter}]")

    def holds(self, expression, what, argument=None):
        """Waits in the page until an expression, or a function of an argument, is true; returns its value."""
        condition = expression if expression.startswith("(") and "=>" in expression else f"() => {expression}"
        value = self.page.evaluate(f"""async (argument) => {{
            const condition = {condition};
            for (const end = performance.now() + {1000 * PATIENCE}; performance.now() < end;) {{
                const value = condition(argument);
                if (value) return value;
                await new Promise((resolve) => setTimeout(resolve, 15));
            }}
            return null;
        }}""", argument)
        assert value is not None, f"{what}: not within {PATIENCE} s"
        return value

    def address(self):
        return self.page.evaluate(f"document.querySelector('{SHOWN}')?.data ?? null")

    def shows(self, text):
        """Waits for a picture with this accessible name."""
        self.holds(f"(text) => document.querySelector('{SHOWN}')?.contentDocument?.querySelector('title')"
                   "?.textContent === text", f"a picture of {text!r}", text)

    def another_than(self, address):
        return self.holds(f"""(address) => {{
            const other = document.querySelector('{SHOWN}')?.data;
            return other && other !== address && other;
        }}""", "another picture", address)

    def shows_image(self):
        """Waits for a picture that is an image, and returns its address."""
        image = self.locator(f"img{SHOWN}")
        image.wait_for()
        return image.get_attribute("srcset")

    def shows_another_image_than(self, address):
        self.holds(f"(address) => (document.querySelector('img{SHOWN}')?.srcset ?? address) !== address",
                   "another image", address)

    @contextlib.contextmanager
    def saying(self, locator, text):
        """Waits until an element has had this text, if only for a moment, since the block was entered."""
        said = locator.evaluate_handle("""(element, text) => ({
            promise: new Promise((resolve) => {
                const observer = new MutationObserver(() => element.textContent === text && resolve(true));
                observer.observe(element, { childList: true, characterData: true, subtree: true });
            }),
        })""", text)
        yield
        limit = f"new Promise((resolve) => setTimeout(resolve, {1000 * PATIENCE}, false))"
        assert said.evaluate(f"({{ promise }}) => Promise.race([promise, {limit}])"), f"{text}: not within {PATIENCE} s"

    def fact(self, name):
        """Returns an entry of the line below the picture."""
        return self.locator(".facts div", has=self.page.locator("dt", has_text=name)).locator("dd").inner_text()

    def link(self):
        """Returns the permalink of the picture without the server's origin."""
        return self.locator("#snippet-url").input_value().removeprefix(self.url[:-1])

    def reads(self, words):
        """Waits until these words are visible without scrolling."""
        self.holds("""(words) => [...document.querySelectorAll('.problem, .status, .problems li, .warnings li, .loading')]
            .some((one) => {
                if (!one.textContent.includes(words)) return false;
                const { x, y, width, height } = one.getBoundingClientRect();
                const seen = document.elementFromPoint(x + width / 2, y + height / 2);
                return seen !== null && (one.contains(seen) || seen.contains(one) && seen.matches('.notices'));
            })""", f"words in view: {words!r}", words)

    def download(self):
        """Downloads the file; returns its name and bytes."""
        with self.page.expect_download() as download:
            self.locator(".download").click()
        return download.value.suggested_filename, download.value.path().read_bytes()

    def request(self):
        """Returns the request in the page's address."""
        return dict(urllib.parse.parse_qsl(self.page.evaluate("location.hash.slice(1)")))

    def is_quiet(self):
        assert self.said == []


def pick_effect(tab, name):
    """Chooses an effect in the first gallery of a tab or of a card, which it opens before."""
    button = tab.locator("[name=effect]").first
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    tab.locator(f".effects [value={name}]").first.check()


@pytest.fixture(scope="session")
def tabs(chromium):
    """A context and its free tabs; a new tab costs more than most tests."""
    context = chromium.new_context()
    context.set_default_timeout(15_000)
    yield context, []
    context.close()


@pytest.fixture
def visit(tabs, server):
    """visit(request, **options): a tab on the page."""
    context, free = tabs
    visits = []

    def visit(request=None, **options):
        page = free.pop() if free else context.new_page()
        visits.append(Visit(page, server.url, request, **options))
        return visits[-1]
    yield visit
    for one in visits:
        one.leave()
        free.append(one.page)


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


# The editor of keyframes, which few requests have, and the field for links to readme-typing-svg; each module is
# fetched when a field needs it.
ON_DEMAND = {"modules/keyframes.js", "modules/easing-editor.js", "modules/typing.js"}


def test_every_module_is_needed_and_preloaded_but_for_those_on_demand():
    page = (PUBLIC / "index.html").read_text()
    preloaded = re.findall(r'<link rel="modulepreload" href="/([^"]+)">', page)
    needed = imports("modules/main.js", set())
    assert sorted(preloaded) == sorted(needed - ON_DEMAND)
    assert needed > ON_DEMAND
    assert {*preloaded, *ON_DEMAND, "modules/main.js"} == {
        path.relative_to(PUBLIC).as_posix() for path in (PUBLIC / "modules").rglob("*") if path.is_file()}
    assert len(preloaded) < 13


def test_no_module_imports_itself_through_others():
    modules = [path.relative_to(PUBLIC).as_posix() for path in (PUBLIC / "modules").glob("*.js")]
    assert [module for module in modules if module in imports(module, set())] == []


def test_nothing_waits_for_another_file_but_the_page(visit):
    tab = visit()
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
    needed = ["/style.css", "/effects", "/formats", "/fonts", "/presets", "/openapi.json", "/modules/main.js"]
    assert {path for path, _ in parts} - {"/favicon.svg"} == {
        *needed, *("/" + module for module in imports("modules/main.js", set()) - ON_DEMAND)}
    tab.is_quiet()


# The picture

@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_first_visit_shows_an_example_and_breaks_no_policy(visit, scheme):
    tab = visit(color_scheme=scheme)
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


# What is wrong

def test_a_wrong_value_keeps_the_picture_and_says_so_beside_its_field(visit):
    tab = visit({"text": "Good", "effect": "slide"})
    tab.shows("Good")
    good = tab.address()
    size = tab.control("size")
    size.fill("2000")
    message = tab.field("size").locator(".problem")
    message.wait_for()
    assert "4 to 400" in message.inner_text()
    assert size.get_attribute("aria-invalid") == "true"
    assert message.get_attribute("id") in size.get_attribute("aria-describedby")
    assert tab.locator(".problem:visible").count() == 1
    assert "last good picture" in tab.locator(".status").inner_text()
    assert tab.address() == good
    size.fill("48")
    message.wait_for(state="hidden")
    assert size.get_attribute("aria-invalid") is None
    assert tab.another_than(good)


def test_every_fault_of_an_address_is_shown_and_what_has_no_field_can_be_removed(visit):
    tab = visit({"text": "Faulty", "effect": "slide", "distance": "-3", "width": "none", "foo": "1"})
    for parameter in ["distance", "width"]:
        tab.field(parameter).locator(".problem").wait_for()
    assert tab.locator(".problem:visible").count() == 2
    tab.locator(".problems li", has_text="foo").get_by_role("button").click()
    tab.control("distance").fill("1")
    tab.control("width").fill("")
    tab.shows("Faulty")
    assert tab.request() == {"text": "Faulty", "effect": "slide", "distance": "1"}
    assert tab.locator(".problems li").count() == 0


def test_no_text_is_said_at_the_text(visit):
    tab = visit({"text": "Something"})
    tab.shows("Something")
    tab.control("text").fill("")
    tab.field("text").locator(".problem").wait_for()
    tab.shows("Something")


def refuse(tab, pattern, status=400, errors=(), title="Invalid parameters", **headers):
    """Answers requests that match a pattern with this problem from now on."""
    problem = {"type": "about:blank", "title": title, "status": status, "errors": list(errors)}
    tab.page.route(pattern, lambda route: route.fulfill(
        status=status, headers={name.replace("_", "-"): value for name, value in headers.items()},
        content_type="application/problem+json", body=json.dumps(problem)))


RENDER = re.compile(r"/render")
# Requests that the API refuses, each with some of its words.
FAULTY = {
    "a closed section": ({"text": "x", "title": "a\u0007b"}, "must not hold control characters"),
    "a field far down": ({"text": "x", "height": "0"}, "1 to 4096"),
    "two fields at odds": ({"text": "x", "width": "40", "padding": "30"}, "must leave at least 1 px"),
    "only one of two": ({"text": "x", "speed": "2", "cycle": "3"}, "must not be given together with speed"),
    "a canvas too wide": ({"text": "w" * 400, "size": "100"}, "the limit is 4096 px"),
    "too many pixels": ({"text": "x", "width": "4000", "height": "2000", "scale": "4", "format": "png"},
                        "the limit is 16777216"),
    "too many frames": ({"text": "x", "cycle": "119", "effect": "slide", "duration": "10", "fps": "50", "loop": "2",
                         "exit": "auto", "hold": "0", "format": "gif"}, "the limit is 3000"),
    "too long a cycle": ({"text": "x", "delay": "60", "hold": "60", "speed": "0.5"}, "the limit is 120 s"),
    "too long a cycle of several": ({"1.text": "x", "2.text": "y", "delay": "60", "hold": "60", "speed": "0.5"},
                                    "the limit is 120 s"),
    "too much text": ({"text": "word " * 500}, "the limit is 2000"),
    "text of several": ({f"{index}.text": "A long text, " * 10 for index in range(1, 33)}, "the limit is 2000"),
    "too many texts": ({f"{index}.text": "x" for index in range(1, 34)}, "1 to 32"),
    "a control character": ({"text": "a\u0001b"}, "control character U+0001"),
    "broken markup": ({"text": "<b>x", "markup": "true"}, "markup:"),
    "a poster": ({"text": "x", "format": "gif", "poster": "end"}, "does not loop"),
    "a name that nobody knows": ({"text": "x", "efect": "fade"}, "did you mean"),
    "another effect's parameter": ({"text": "x", "effect": "fade", "distance": "2"}, "belongs to no effect"),
    "an effect's parameter": ({"text": "x", "effect": "fall", "minDistance": "9", "maxDistance": "2"},
                              "must not be below minDistance"),
    "what only several take": ({"text": "x", "gap": "99"}, "0 to 60"),
    "a text of several": ({**THREE, "3.weight": "7"}, "100 to 1000"),
    "a name of one of several": ({**THREE, "3.padding": "7"}, "set it at the top"),
    "an unknown format": ({"text": "x", "format": "film"}, "must be one of"),
}


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 720}, {"width": 360, "height": 740}],
                         ids=["wide", "narrow"])
@pytest.mark.parametrize("case", FAULTY)
def test_what_is_wrong_can_be_read_without_a_search(visit, case, viewport):
    request, words = FAULTY[case]
    tab = visit(request, viewport=viewport)
    tab.reads(words)
    # Each entry leads to its field, or takes its value away, or both are out of the question.
    for link in tab.locator(".problems a").all():
        link.click()
        assert tab.page.evaluate("""() => {
            const { bottom } = document.querySelector('.stage').getBoundingClientRect();
            const { top, bottom: end } = document.activeElement.getBoundingClientRect();
            return document.activeElement.matches('.field *') && end > 0 && end <= innerHeight + 1
                && (innerWidth > 899 || top >= bottom);
        }"""), link.inner_text()


def test_a_value_that_the_format_does_not_take_is_said_and_can_be_removed(visit):
    tab = visit()
    refuse(tab, RENDER, errors=[{"parameter": "scale", "message": "must be from 0.5 to 4; got 99"}])
    tab.open({"text": "Unused", "scale": "99"})
    tab.reads("must be from 0.5 to 4")
    tab.page.unroute(RENDER)
    tab.locator(".problems li", has_text="scale").get_by_role("button", name="Remove").click()
    tab.shows("Unused")


def some_effects(server):
    """A sample of the effects, and the last one, which is the extension's where there is one."""
    effects = server.get("/effects").json["effects"]
    return [*sample(effects[:-1], 6), effects[-1]]


def test_every_parameter_at_fault_has_words_and_a_way_to_its_field(visit, server):
    schemas = server.get("/openapi.json").json["components"]["schemas"]["Request"]["properties"]
    effects = server.get("/effects").json["effects"]
    slide = [parameter["name"] for effect in effects if effect["name"] == "slide" for parameter in effect["parameters"]]
    of_effects = {parameter["name"] for effect in effects for parameter in effect["parameters"]}
    faults = [{"parameter": name, "message": f"is wrong with {name}."} for name in [
        *sample([name for name in schemas if name not in of_effects], 16), *slide, "body", "request", "Accept", "signature",
        "keyframes[1].blur", "size[0].x"]]
    for request in [{"text": "All"}, {"1.text": "One", "2.text": "Two"}]:
        several = [{"parameter": f"blocks[1].{name}", "message": f"is wrong with the second's {name}."}
                   for name in ["text", "markup", "effect", "size", "distance", "cursor", "nonsense"]]
        several += [{"parameter": "blocks[1]", "message": "is wrong with the second."}]
        tab = visit({**request, "effect": "slide", "format": "gif"})
        refuse(tab, RENDER, errors=faults + (several if "2.text" in request else []))
        tab.control("seed").fill("7")
        tab.locator(".status", has_text="Invalid parameters").wait_for()
        for fault in faults + (several if "2.text" in request else []):
            words = fault["message"]
            visible = tab.locator(".problem:visible, .problems li:visible", has_text=words)
            assert visible.count() >= 1, fault
            link = tab.locator(".problems li", has_text=words).get_by_role("link")
            if link.count():
                link.click()
                focused = tab.page.evaluate("document.activeElement.closest('.field').dataset.parameter")
                name = fault["parameter"].rpartition(".")[2] if "." in fault["parameter"] else fault["parameter"]
                if fault["parameter"] in ("size[0].x", "blocks", "blocks[1]"):
                    name = {"size[0].x": "size"}.get(fault["parameter"], "text")
                assert focused == name, fault
                if name == fault["parameter"] and name not in ("blocks", "text"):
                    tab.reads(words)


def test_long_texts_past_the_limit_lead_to_the_longest(visit):
    texts = ["A long text, " * 10] * 31 + ["The longest text, " * 10]
    tab = visit({"effect": "none", **{f"{index}.text": text for index, text in enumerate(texts, 1)}})
    tab.reads("graphemes; the limit is 2000")
    # There is nothing that a button could take away: 32 texts are allowed.
    assert tab.locator(".problems").get_by_role("button").count() == 0
    tab.locator(".problems").get_by_role("link", name="Texts").click()
    assert tab.page.evaluate("document.activeElement.value") == texts[-1]
    assert tab.locator(".card.open .card-number").inner_text() == "32"


def test_the_parameter_of_another_effect_is_its_own_once_that_is_chosen(visit):
    tab = visit({"text": "Other", "effect": "fade", "distance": "2"})
    tab.reads("belongs to no effect")
    pick_effect(tab, "slide")
    tab.shows("Other")
    assert tab.control("distance").input_value() == "2"
    tab.control("distance").fill("3")
    assert tab.request() == {"text": "Other", "effect": "slide", "distance": "3"}


@pytest.mark.parametrize("status, body, kind, words", [
    (403, {"title": "Forbidden", "errors": [{"parameter": "signature", "message": "is missing"}]}, "json", "is missing"),
    (413, {"title": "Content Too Large", "errors": [{"parameter": "request", "message": "the body is too large"}]},
     "json", "the body is too large"),
    (422, {"title": "Past a limit", "detail": "More than this server takes", "errors": []}, "json", "More than this"),
    (429, {"title": "Too many requests from one address", "errors": []}, "json", "Too many requests from one address"),
    (500, {"title": "Typesetting failed", "errors": []}, "json", "Typesetting failed"),
    (503, {"title": "Too many renderings are waiting"}, "json", "Too many renderings are waiting"),
    (503, {"status": "failing", "reasons": ["no font can be opened"]}, "json", "no font can be opened"),
    (503, {"status": "draining"}, "json", "503: draining"),
    (502, "<html>Bad gateway", "html", "The server answered 502"),
    (500, "null", "json", "The server answered 500"),
])
def test_every_refusal_of_the_server_is_said_in_words(visit, status, body, kind, words):
    tab = visit({"text": "Before", "effect": "none"})
    tab.shows("Before")
    tab.page.route(RENDER, lambda route: route.fulfill(
        status=status, content_type=f"application/{kind}", body=body if isinstance(body, str) else json.dumps(body)))
    tab.control("text").fill("After")
    tab.reads(words)
    tab.reads("This is the last good picture")
    if status in (429, 503):
        tab.reads("Trying again in 3 s")
        tab.page.unroute(RENDER)
        tab.shows("After")
        assert tab.locator(".status").inner_text() == ""


def test_a_server_out_of_reach_is_said_and_asked_again(visit):
    tab = visit({"text": "Before", "effect": "none"})
    tab.shows("Before")
    tab.page.route(RENDER, lambda route: route.abort())
    tab.control("text").fill("After")
    tab.reads("The server cannot be reached")
    tab.page.unroute(RENDER)
    tab.shows("After")


def test_controls_that_cannot_be_loaded_are_said_and_come_later(visit):
    tab = visit()
    tab.page.goto("about:blank")
    refuse(tab, re.compile("/fonts$"), 429, title="Too many requests from one address", Retry_After="1")
    tab.page.goto(tab.url)
    tab.reads("Too many requests from one address. Trying again in 1 s.")
    tab.page.unroute_all()
    tab.page.wait_for_selector(".controls .section")
    tab.shows("Who you\ngonna call?")


def test_warnings_that_cannot_be_asked_for_come_later(visit):
    tab = visit({"text": "Calm", "effect": "none"})
    tab.shows("Calm")
    refuse(tab, re.compile(r"/r/.*\.json"), 429, title="Too many requests from one address", Retry_After="1")
    refused = []
    tab.on("response", lambda response: refused.append(response.url) if response.status == 429 else None)
    tab.control("height").evaluate("(field) => { field.value = '20'; field.oninput(); }")
    until(lambda: tab.page.evaluate("1") and refused, "a refusal")
    tab.page.unroute_all()
    tab.locator(".warnings li", has_text="larger than the given height").wait_for()


@pytest.mark.parametrize("options", [["--rate-limit", "2"], ["--rate-limit", "2", "--rate-burst", "1"]])
def test_under_a_limit_of_requests_the_page_comes_all_the_same(visit, start, options):
    tab = visit()
    tab.page.goto("about:blank")
    tab.said.clear()
    tab.url = start(*options).url + "/"
    tab.open({"text": "Limited", "effect": "none"})
    tab.locator(SHOWN).wait_for()
    tab.locator("#snippet-url").wait_for()
    assert tab.control("text").input_value() == "Limited"


def test_a_busy_server_is_asked_again(visit):
    tab = visit({"text": "Calm", "effect": "none"})
    tab.shows("Calm")
    refused = []

    def refuse_once(route):
        if refused:
            return route.continue_()
        refused.append(route)
        route.fulfill(status=503, headers={"Retry-After": "1"}, content_type="application/problem+json",
                      body=json.dumps({"title": "Too busy", "status": 503, "errors": []}))
    tab.page.route("**/render.svg?text=Storm&*", refuse_once)
    tab.control("text").fill("Storm")
    tab.locator(".status", has_text="Too busy").wait_for()
    tab.shows("Storm")
    tab.locator(".status", has_text="Too busy").wait_for(state="hidden")


def test_warnings_of_the_rendering_are_shown(visit):
    tab = visit({"text": "Far too wide", "effect": "none", "height": "20"})
    tab.shows("Far too wide")
    tab.locator(".warnings li", has_text="larger than the given height").wait_for()
    tab.control("text").fill("<b>broken")
    tab.field("markup").locator("input").check()
    tab.field("text").locator(".problem").wait_for()


def test_a_button_sets_the_padding_that_holds_what_moves(visit, server):
    request = {"text": "Far down", "effect": "drop"}
    [warning] = server.render("json", **request).json["warnings"]
    tab = visit(request)
    tab.locator(".warnings button", has_text=f"Set padding to {warning['padding']} px").click()
    tab.locator(".warnings li", has_text="leaves the canvas").wait_for(state="detached")
    assert tab.control("padding").input_value() == str(warning["padding"])
    assert f"padding={warning['padding']}" in tab.page.url


# The controls

def as_shown(default):
    if isinstance(default, bool):
        return default
    return "" if default is None else f"{default:g}" if isinstance(default, (int, float)) else default


def test_the_parameters_are_those_of_the_chosen_effect(visit, server):
    tab = visit({"text": "Effects"})
    for effect in some_effects(server):
        pick_effect(tab, effect["name"])
        shown = tab.page.evaluate("""[...document.querySelectorAll('.effect-fields .field')].map((field) => {
            const named = field.querySelector(`[name=${field.dataset.parameter}]`);
            const control = named.value.endsWith('()') ? field.querySelector('.easing-own') : named;
            return [field.dataset.parameter, control.type === 'checkbox' ? control.checked : control.value];
        })""")
        # Keyframes have no default and begin with an example.
        shown = [[name, "" if name == "keyframes" else value] for name, value in shown]
        assert shown == [[parameter["name"], as_shown(parameter["default"])] for parameter in effect["parameters"]]
        until(lambda: tab.request().get("effect", "typewriter") == effect["name"], "the address")
        required = {"keyframes"} if effect["name"] == "custom" else set()
        assert tab.request().keys() - {"text", "effect"} == required
    tab.shows("Effects")
    tab.is_quiet()


def test_an_effects_values_are_there_again_when_one_comes_back(visit):
    tab = visit({"text": "Back", "effect": "slide", "distance": "2"})
    tab.shows("Back")
    pick_effect(tab, "fade")
    assert "distance" not in tab.request()
    pick_effect(tab, "slide")
    assert tab.request() == {"text": "Back", "effect": "slide", "distance": "2"}


def test_every_parameter_that_leaves_a_choice_has_a_control(visit, server):
    tab = visit({"text": "All"})
    schemas = server.get("/openapi.json").json["components"]["schemas"]["Request"]["properties"]
    for name, schema in schemas.items():
        fixed = len(schema.get("enum", "..")) < 2 or (
            "pattern" not in schema and schema.get("minimum", 0) == schema.get("maximum", 1))
        of_effects = any("title" in one for one in schema.get("anyOf", []))
        if not of_effects and name not in {"blocks", "format"}:
            assert tab.field(name).locator(f"[name={name}], .{name}").count() >= 1 - fixed, name
            assert tab.field(name).count() == (0 if fixed else 1), name


def test_only_what_differs_from_the_default_is_asked_for(visit):
    tab = visit({"text": "Plain", "effect": "typewriter", "size": "32", "interval": "0.1", "markup": "false"})
    tab.shows("Plain")
    tab.control("italic").check()
    assert tab.request() == {"text": "Plain", "italic": "true"}
    tab.control("italic").uncheck()
    tab.control("interval").fill("0.10")
    assert tab.request() == {"text": "Plain"}
    tab.field("size").get_by_role("slider").press("ArrowRight")
    assert tab.request()["size"] != "32"
    tab.field("size").locator(".reset").click()
    assert tab.request() == {"text": "Plain"}


@pytest.mark.parametrize("easing, example", [
    ("bounce", None), ("spring", None), ("spring()", "spring("), ("steps()", "steps("), ("linear()", "linear("),
    ("cubic-bezier()", "cubic-bezier(")])
def test_every_easing_can_be_picked_begins_with_an_example_and_is_drawn(visit, easing, example):
    tab = visit({"text": "Eased", "effect": "slide"})
    tab.shows("Eased")
    before = tab.address()
    tab.control("easing").select_option(easing)
    tab.another_than(before)
    assert tab.request()["easing"] == easing if example is None else tab.request()["easing"].startswith(example)
    assert tab.locator(".easing-own").is_visible() == (example is not None)
    assert tab.field("easing").locator(".curve-line").get_attribute("d").startswith("M0 0")
    tab.open(tab.request()).shows("Eased")
    assert tab.control("easing").input_value() == easing
    tab.is_quiet()


def test_an_easing_that_is_none_is_said_at_its_field_and_not_drawn(visit):
    tab = visit({"text": "Uneased", "effect": "slide", "easing": "spring(0.4)"})
    tab.shows("Uneased")
    tab.locator(".easing-own").fill("spring(4)")
    tab.field("easing").locator(".problem").wait_for()
    assert tab.field("easing").locator(".curve-line").get_attribute("d") == ""
    # A function of another name is another entry of the menu.
    tab.locator(".easing-own").fill("steps(4)")
    tab.field("easing").locator(".problem").wait_for(state="hidden")
    assert tab.control("easing").input_value() == "steps()"


def drawn_easings(tab, easings):
    """Returns the values of the drawn curves at instants, by easing."""
    return tab.page.evaluate("""async ([easings, count]) => {
        const { easingPath } = await import('/modules/easing.js');
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        return easings.map((easing) => {
            path.setAttribute('d', easingPath(easing));
            const length = path.getTotalLength();
            return Array.from({ length: count }, (_, index) => path.getPointAtLength(length * index / (count - 1)))
                .map(({ x, y }) => [x, y]);
        });
    }""", [easings, 40])


def test_the_curve_that_is_drawn_is_the_one_that_is_rendered(visit, server):
    easings = ["ease-in", "back-out", "bounce", "spring", "spring(0.7)", "spring(-0.5)", "spring(0)",
               "linear(0, 1.2 30%, 0.9, 1)", "linear(0.2 20%, 1.5 70%)"]
    tab = visit({"text": "Drawn"})
    for easing, points in zip(easings, drawn_easings(tab, easings)):
        scene = server.render("json", text="x", effect="slide", distance=10, duration=10, easing=easing).json
        track = scene["glyphs"][0]["offsetY"]
        for share, drawn in points:
            if abs(share - round(share * 11) / 11) < 0.01 or share in (0, 1):
                continue  # a corner, which samples cut
            assert abs(1 - value_at(track, share * 10) / 320 - drawn) < 0.03, (easing, share)


def value_at(track, time):
    """Returns the value of a JSON track at an instant."""
    if time <= track[0]["time"]:
        return track[0]["value"]
    for one, other in zip(track, track[1:]):
        if time >= other["time"]:
            continue
        share = (time - one["time"]) / (other["time"] - one["time"])
        easing = one.get("easing")
        if easing == "hold":
            return one["value"]
        if easing:
            x1, y1, x2, y2 = easing
            low, high = 0, 1
            for _ in range(40):
                middle = (low + high) / 2
                x = 3 * middle * (1 - middle) ** 2 * x1 + 3 * middle ** 2 * (1 - middle) * x2 + middle ** 3
                low, high = (middle, high) if x < share else (low, middle)
            share = 3 * low * (1 - low) ** 2 * y1 + 3 * low ** 2 * (1 - low) * y2 + low ** 3
        return one["value"] + (other["value"] - one["value"]) * share
    return track[-1]["value"]


def write_keyframes(tab, text):
    """Writes the JSON of keyframes, which the editor shows in rows unless asked for it."""
    tab.field("keyframes").get_by_role("button", name="Edit as JSON").click()
    tab.control("keyframes").fill(text)


def test_keyframes_begin_with_an_example_and_return_to_it(visit):
    tab = visit({"text": "Moved", "effect": "slide"})
    tab.shows("Moved")
    before = tab.address()
    pick_effect(tab, "custom")
    tab.another_than(before)
    example = tab.control("keyframes").input_value()
    assert json.loads(tab.request()["keyframes"]) == json.loads(example)
    assert tab.field("keyframes").locator(".reset").is_hidden()
    write_keyframes(tab, '[{"rotation": 90}]')
    tab.holds("location.hash.includes('rotation%22%3A90')", "the keyframes in the address")
    tab.open(tab.request()).shows("Moved")
    assert json.loads(tab.control("keyframes").input_value()) == [{"rotation": 90}]
    tab.field("keyframes").locator(".reset").click()
    assert tab.control("keyframes").input_value() == example
    tab.is_quiet()


def test_an_address_without_keyframes_gets_the_example(visit):
    tab = visit({"text": "Incomplete", "effect": "custom"})
    tab.shows("Incomplete")
    assert tab.locator(".problem:visible").count() == 0
    tab.is_quiet()


@pytest.mark.parametrize("request_, place", [
    ({"text": "One", "effect": "custom"}, "keyframes"),
    ({"1.text": "One", "2.text": "Two", "2.effect": "custom"}, "blocks[1].keyframes")])
def test_faults_of_keyframes_stand_at_their_field_with_their_place(visit, request_, place):
    wrong = json.dumps([{"y": 1}, {"blur": 5}, {"scal": 1, "easing": "spring(3)"}])
    tab = visit({**request_, "2.keyframes" if "1.text" in request_ else "keyframes": wrong})
    field = tab.field("keyframes")
    # Rows have no place for what has no such name.
    field.locator("textarea").wait_for()
    field.locator(".problem:visible").wait_for()
    message = field.locator(".problem").inner_text().splitlines()
    assert [line.split()[0] for line in message] == [
        f"{place}[1].blur", f"{place}[2].easing", f"{place}[2].scal"]
    field.locator("textarea").fill('[{"y": 1}]')
    field.locator(".problem").wait_for(state="hidden")
    tab.shows("One" if "text" in request_ else "One\nTwo")


def test_a_fault_of_keyframes_out_of_view_is_listed_with_its_place_and_leads_to_the_field(visit):
    tab = visit({"text": "Narrow", "effect": "custom"}, viewport={"width": 360, "height": 700})
    tab.shows("Narrow")
    tab.open({"text": "Narrow", "effect": "custom", "keyframes": '[{"y":1},{"blur":5}]'})
    fault = tab.locator(".problems li")
    fault.wait_for()
    assert fault.inner_text() == "Keyframes[1].blur: must be from 0 to 2 em; got 5"
    fault.get_by_role("link").click()
    assert focus(tab) == "Blur"
    # Nothing is wider than the screen.
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 360


def test_keyframes_that_are_no_json_are_said_at_their_field(visit):
    tab = visit({"text": "Broken", "effect": "custom"})
    tab.shows("Broken")
    write_keyframes(tab, "[{")
    tab.field("keyframes").locator(".problem").wait_for()
    assert "is not valid JSON" in tab.field("keyframes").locator(".problem").inner_text()
    assert tab.control("keyframes").input_value() == "[{"


def test_every_parameter_of_every_effect_has_a_control_that_changes_the_request(visit, server):
    changes = {"number": "0.37", "integer": "3", "easing": "bounce", "color": "#123456", "string": "xyz",
               "keyframes": '[{"x":1}]'}
    tab = visit({"text": "All", "effect": "none"})
    for effect in some_effects(server):
        tab.open({"text": "All", "effect": effect["name"]})
        assert tab.locator(".effect-fields .field").count() == len(effect["parameters"])
        for parameter in effect["parameters"]:
            name, kind = parameter["name"], parameter["type"]
            if tab.field(name).is_hidden():
                continue
            control = tab.control(name)
            if kind == "choice":
                value = next(value for value in parameter["values"] if value != parameter["default"])
                control.select_option(value)
            elif kind == "boolean":
                value = str(not parameter["default"]).lower()
                control.set_checked(not parameter["default"])
            elif kind == "easing":
                value = "linear" if parameter["default"] == "bounce" else "bounce"
                control.select_option(value)
            elif kind == "keyframes":
                value = changes[kind]
                write_keyframes(tab, value)
            else:
                value = changes[kind]
                control.fill(value)
            assert tab.request()[name] == value, (effect["name"], name)
            unit = tab.field(name).locator(".unit:visible")
            assert (unit.inner_text() if unit.count() else None) == parameter.get("unit"), (effect["name"], name)


def test_an_own_curve_and_a_picked_colour_reach_the_request(visit):
    tab = visit({"text": "Own", "effect": "slide"})
    tab.shows("Own")
    tab.control("easing").select_option("cubic-bezier()")
    tab.locator(".easing-own").fill("cubic-bezier(0.1, 0.9, 0.3, 1)")
    tab.field("color").locator("[type=color]").fill("#ff8800")
    assert tab.request()["easing"] == "cubic-bezier(0.1, 0.9, 0.3, 1)"
    assert tab.control("color").input_value() == tab.request()["color"] == "#ff8800"
    tab.holds(f"document.querySelector('{SHOWN}').contentDocument.documentElement.outerHTML.includes('#f80')"
              f"|| document.querySelector('{SHOWN}').contentDocument.documentElement.outerHTML.includes('#ff8800')",
              "the colour in the picture")
    tab.is_quiet()


def test_the_dice_throws_another_seed(visit):
    tab = visit({"text": "Chance", "effect": "fade"})
    tab.shows("Chance")
    before = tab.address()
    tab.locator("[aria-label='Another seed']").click()
    assert int(tab.request()["seed"]) > 0
    tab.another_than(before)


def test_the_state_survives_reloading_and_sharing(visit):
    request = {"text": "Kept &\n=+#% é👻", "effect": "slide", "direction": "left", "size": "40.5", "weight": "700",
               "italic": "true", "darkColor": "white", "align": "center", "seed": "7", "hold": "2"}
    tab = visit()
    tab.shows("Who you\ngonna call?")
    tab.open(request).shows(request["text"])
    tab.locator("summary", has_text="Canvas").click()
    tab.control("padding").fill("24")
    expected = {**request, "padding": "24"}
    until(lambda: tab.request() == expected, "the address")
    tab.page.reload()
    tab.shows(request["text"])
    tab.page.wait_for_selector("[name=text]")
    for name in ["text", "direction", "size", "darkColor", "align", "seed", "padding"]:
        assert tab.control(name).input_value() == expected[name]
    assert tab.control("italic").is_checked()
    other = visit(tab.request())
    other.shows(request["text"])
    assert other.address() == tab.address()


def test_speed_and_cycle_exclude_each_other(visit):
    tab = visit({"text": "Pace", "effect": "slide", "speed": "2"})
    tab.shows("Pace")
    tab.control("cycle").fill("3")
    assert tab.request() == {"text": "Pace", "effect": "slide", "cycle": "3"}
    tab.locator(".facts", has_text="3.00 s").wait_for()
    tab.field("speed").get_by_role("slider").press("End")
    assert tab.request().keys() == {"text", "effect", "speed"}
    assert tab.control("cycle").input_value() == ""
    tab.is_quiet()


def test_a_blink_is_asked_for_only_where_a_cursor_is(visit):
    tab = visit({"text": "Blink"})
    assert not tab.control("cursorBlink").is_visible()
    tab.control("cursor").select_option("bar")
    tab.field("cursorBlink").get_by_role("slider").press("Home")
    assert tab.request() == {"text": "Blink", "cursor": "bar", "cursorBlink": "0"}
    tab.control("cursor").select_option("none")
    assert tab.control("cursorBlink").is_visible()
    tab.shows("Blink")
    tab.is_quiet()


# Several texts


def cards(tab):
    """Returns the headings of the texts' cards."""
    return tab.locator(".card-excerpt").all_inner_texts()


def focus(tab):
    """Returns the accessible name, value or text of the focused element."""
    return tab.page.evaluate("document.activeElement.ariaLabel || document.activeElement.value"
                             "|| document.activeElement.textContent")


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
    assert tab.locator("#snippet-url").input_value() == server.url + link
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
    distance = tab.locator(".section > .effect-fields [name=distance]")
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
    assert undo.count() == 0
    for _ in range(2):
        tab.locator(".card-toggle").nth(1).focus()
        tab.locator("[aria-label='Remove text 2']").click()
        assert tab.request() == {"text": "One", "effect": "slide"}
        undo.click()
        assert tab.request() == request and focus(tab) == "2Two"
        assert undo.count() == 0
    tab.locator("[aria-label='Remove text 2']").click()
    tab.control("text").fill("Only")
    assert undo.count() == 0
    tab.shows("Only")
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
    readable = tab.locator("#snippet-query-url").input_value().removeprefix(server.url)
    assert server.get(readable).headers["Content-Location"] == tab.address().removeprefix(server.url)
    tab.locator(".card-toggle").first.click()
    tab.locator(".card").first.locator("[name=italic]").evaluate("(box) => box.click()")
    tab.holds("document.querySelector('#snippet-query-url') === null", "that no query tells it")


def test_no_more_texts_than_the_server_takes(visit, server):
    most = server.get("/openapi.json").json["components"]["schemas"]["Request"]["properties"]["blocks"]["maxItems"]
    tab = visit({"effect": "none", **{f"{index}.text": f"Text {index}" for index in range(1, most)}})
    assert cards(tab) == [f"Text {index}" for index in range(1, most)]
    tab.locator(".add").click()
    assert len(cards(tab)) == most
    assert tab.locator(".add").is_hidden()
    tab.locator(f"[aria-label='Remove text {most}']").click()
    assert tab.locator(".add").is_visible()


def test_hostile_texts_stay_texts(visit):
    tab = visit({"1.text": HOSTILE, "2.text": HOSTILE, "2.effect": HOSTILE, f"2.{HOSTILE}": HOSTILE,
                 "2.__proto__": "1", "effect": "none"})
    tab.locator(".problem:visible").first.wait_for()
    assert cards(tab) == [HOSTILE, HOSTILE]
    assert tab.page.evaluate("window.broken") is None
    assert tab.page.evaluate("document.querySelectorAll('img:not(.thumbnail *), body script').length") == 0


# Time

TIMES = f"document.querySelector('{SHOWN}').contentDocument.getAnimations().map((one) => one.currentTime)"


def test_restart_goes_back_to_the_start_and_plays(visit):
    tab = visit({"text": "Again", "effect": "slide", "duration": "10", "interval": "0"})
    tab.shows("Again")
    timeline = tab.locator(".timeline")
    timeline.fill("0.5")
    tab.holds(f"{TIMES}.every((time) => time > 4000)", "the middle")
    tab.locator("[aria-label=Restart]").click()
    tab.holds(f"{TIMES}.every((time) => time < 2000)", "the start")
    tab.holds(f"{TIMES}.every((time) => time > 0)", "that it plays")
    assert tab.locator("[aria-label=Pause]").count() == 1


def test_the_timeline_seeks_and_play_goes_on_from_there(visit):
    tab = visit({"text": "Seek", "effect": "slide", "duration": "9", "interval": "1"})
    tab.shows("Seek")
    tab.locator(".timeline").fill("0.5")
    tab.locator("[aria-label=Play]").wait_for()
    stood = tab.page.evaluate(TIMES)
    assert stood == [pytest.approx(6500)] * len(stood)
    tab.locator("[aria-label=Play]").click()
    tab.holds(f"{TIMES}.every((time) => time > 6500 && time < 9000)", "that it goes on")
    tab.locator("[aria-label=Pause]").click()
    stood = tab.page.evaluate(TIMES)
    tab.locator(".timeline").press("ArrowRight")
    assert tab.page.evaluate(TIMES) == [pytest.approx(time + 40) for time in stood]
    assert tab.page.evaluate(TIMES) == tab.page.evaluate(TIMES)


def test_a_new_colour_keeps_the_instant(visit):
    tab = visit({"text": "Instant", "effect": "slide", "duration": "5"})
    tab.shows("Instant")
    tab.locator(".timeline").fill("0.25")
    before, stood = tab.address(), tab.page.evaluate(TIMES)
    tab.control("color").fill("teal")
    tab.another_than(before)
    assert tab.page.evaluate(TIMES) == [pytest.approx(time) for time in stood]


@pytest.mark.parametrize("loop", ["3", "infinite"])
def test_the_timeline_of_a_loop_is_one_cycle(visit, loop):
    tab = visit({"text": "Round", "effect": "slide", "exit": "auto", "duration": "4", "loop": loop})
    tab.shows("Round")
    timeline = tab.locator(".timeline")
    cycle = float(tab.page.evaluate("document.querySelector('.whole').textContent").strip("/ s")) * 1000
    timeline.fill("0.5")
    assert all(time == pytest.approx(cycle / 2) for time in tab.page.evaluate(TIMES))
    # The cycle's end is not the start of the next one.
    timeline.fill("1")
    assert all(cycle - 1 < time < cycle for time in tab.page.evaluate(TIMES))
    assert float(timeline.input_value()) == pytest.approx(1, abs=1e-3)
    tab.locator("[aria-label=Play]").click()
    tab.holds(f"{TIMES}.every((time) => time > {cycle})", "the second cycle")
    timeline.fill("0.25")
    assert all(time == pytest.approx(cycle * 1.25) for time in tab.page.evaluate(TIMES))
    assert float(timeline.input_value()) == pytest.approx(0.25)
    tab.locator("[aria-label=Restart]").click()
    tab.holds(f"{TIMES}.every((time) => time < {cycle / 4})", "the first cycle")
    tab.is_quiet()


def test_the_last_cycle_ends_as_the_animation_does(visit):
    tab = visit({"text": "End", "effect": "slide", "interval": "0", "duration": "0.2", "hold": "0", "loop": "2"})
    tab.shows("End")
    tab.holds("document.querySelector('.timeline').value === '1'", "the end")
    tab.locator("[aria-label=Play]").wait_for()
    tab.locator(".timeline").fill("1")
    assert all(time == pytest.approx(400) for time in tab.page.evaluate(TIMES))


@pytest.mark.parametrize("sequence", ["queue", "together", "replace"])
def test_marks_show_when_texts_come_and_go(visit, server, sequence):
    tab = visit({**THREE, "sequence": sequence, "exit": "auto", "gap": "0.5"})
    tab.shows("One\nTwo\nThree")
    tab.locator(".phase").first.wait_for()
    scene = server.get(tab.address().removeprefix(server.url).replace(".svg", ".json")).json
    phases = [[100 * block[f"{kind}{side}"] / scene["duration"] for side in ("Start", "End")]
              for block in scene["blocks"] for kind in ("enter", "exit")]
    marks = tab.page.evaluate("""[...document.querySelectorAll('.phase')].map(
        ({ style }) => [parseFloat(style.left), parseFloat(style.left) + parseFloat(style.width)])""")
    assert marks == [pytest.approx(phase, abs=0.01) for phase in phases]
    rows = len(set(tab.page.evaluate("[...document.querySelectorAll('.phase')].map(({ style }) => style.top)")))
    assert rows == {"queue": 3, "together": 3, "replace": 1}[sequence]
    first = scene["blocks"][0]
    tab.locator(".timeline").fill(str((first["enterStart"] + first["enterEnd"]) / 2 / scene["duration"]))
    assert "text 1 comes" in tab.locator(".timeline").get_attribute("aria-valuetext")
    tab.is_quiet()


def test_every_effect_plays_and_leaves(visit, server):
    tab = visit({"text": "All of them", "exit": "auto", "loop": "infinite", "cursor": "block", "hold": "0.1"})
    tab.shows("All of them")
    for effect in some_effects(server):
        before = tab.address()
        pick_effect(tab, effect["name"])
        if effect["name"] != "typewriter":
            tab.another_than(before)
        tab.locator(".timeline").fill("0.5")
        assert tab.page.evaluate(TIMES), effect["name"]
    tab.is_quiet()


FILL = f"""(() => {{ const picture = document.querySelector('{SHOWN}').contentDocument;
    return picture.defaultView.getComputedStyle(picture.querySelector('g')).fill; }})()"""


NARROW = {"width": 640, "height": 720}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_switch_shows_what_readers_in_light_and_dark_see(visit, scheme):
    tab = visit({"text": "Day", "effect": "none", "color": "#112233", "darkColor": "#ddeeff"},
                color_scheme=scheme, viewport=NARROW)
    tab.shows("Day")
    fills = {"light": "rgb(17, 34, 51)", "dark": "rgb(221, 238, 255)"}
    assert tab.page.evaluate(FILL) == fills[scheme]
    for choice in ["dark", "light"]:
        tab.locator(f"[name=backdrop][value={choice}]").check()
        assert tab.page.evaluate(FILL) == fills[choice]


def test_reduced_motion_stands_still_and_can_be_played_here(visit):
    tab = visit({"text": "Still", "effect": "slide", "duration": "9"}, reduced_motion="reduce")
    tab.shows("Still")
    assert tab.page.evaluate(TIMES) == []
    note = tab.locator(".note")
    assert "reduced motion" in note.inner_text()
    note.get_by_role("button").click()
    tab.holds(f"{TIMES}.length > 0", "that it plays")
    tab.is_quiet()


# The formats

@pytest.fixture(scope="session")
def formats(server):
    """The extension and media type of the server's formats by name."""
    return {format["name"]: (format["extension"], format["mediaType"]) for format in server.get("/formats").json["formats"]}


def formats_reading(server):
    """Returns the parameters that only some formats read, each with the names of those formats."""
    readers = {}
    for format in server.get("/formats").json["formats"]:
        dark = ["darkColor", "darkBackground"] if format["darkColors"] else []
        for name in [*(parameter["name"] for parameter in format["parameters"]), *dark]:
            readers.setdefault(name, []).append(format["name"])
    return readers


def choose(tab, format):
    """Chooses a format and waits for its file."""
    tab.control("format").select_option(format)
    tab.holds(f"document.querySelector('.download').download.endsWith('.{format}')", f"the {format}")


def test_every_format_shows_its_own_file(visit, server, formats):
    tab = visit({"text": "Hello, world", "effect": "slide"})
    tab.shows("Hello, world")
    assert tab.control("format").evaluate("(menu) => [...menu.options].map((one) => one.value)") == list(formats)
    for format, (extension, kind) in formats.items():
        if format != "svg":
            tab.control("format").select_option(format)
        tab.holds("(end) => document.querySelector('#snippet-url').value.endsWith(end)", format, f".{extension}")
        answer = server.get(tab.link())
        assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
        assert tab.download() == (f"hello-world.{extension}", answer.body)
        isimage = kind.startswith("image/")
        assert tab.locator("#snippet-markdown").count() == tab.locator("#snippet-html").count() == isimage
        assert server.get(tab.locator("#snippet-query-url").input_value().removeprefix(server.url)).body == answer.body
        assert tab.locator(f"img{SHOWN}").count() == (isimage and format != "svg")
        title = tab.locator(".download span").last.inner_text()
        caption = "" if isimage else f"Previewed as SVG; the download is {title}."
        assert tab.locator(".stage-caption").text_content() == caption
        if not isimage:
            tab.shows("Hello, world")
        chosen = {} if format == "svg" else {"format": format}
        assert tab.request() == {"text": "Hello, world", "effect": "slide", **chosen}
        facts = {"Size": f"{len(answer.body) / 1000:.1f} kB" if len(answer.body) >= 1000 else f"{len(answer.body)} B",
                 "Duration": f"{float(answer.headers['Titlecard-Duration']):.2f} s"}
        assert tab.fact("Duration") == facts["Duration"]
        packed = server.get(tab.link(), {"Accept-Encoding": "gzip"})
        if packed.headers["Content-Encoding"] == "gzip" and len(packed.body) < len(answer.body):
            assert tab.fact("Size").startswith(facts["Size"] + ", ") and tab.fact("Size").endswith(" gzipped")
        else:
            assert tab.fact("Size") == facts["Size"]
        assert tab.fact("Rendered in").endswith((" ms", " s"))
    tab.is_quiet()


def test_an_image_is_the_file_pixel_by_pixel(visit, server):
    tab = visit({"text": "Pixels", "effect": "none", "background": "#ffcc00", "scale": "2", "format": "png"})
    tab.shows_image()
    for format in ["png", "gif", "apng", "webp"]:
        choose(tab, format)
        width, height, drawn = tab.page.evaluate(f"""() => {{
            const image = document.querySelector('{SHOWN}');
            const {{ naturalWidth: width, naturalHeight: height }} = image;
            const paper = Object.assign(document.createElement('canvas'), {{ width: 2 * width, height: 2 * height }});
            paper.getContext('2d').drawImage(image, 0, 0, 2 * width, 2 * height);
            return [width, height, paper.toDataURL()];
        }}""")
        file = Image.open(io.BytesIO(server.get(tab.link()).body)).convert("RGBA")
        shown = Image.open(io.BytesIO(base64.b64decode(drawn.partition(",")[2])))
        assert file.size == (2 * width, 2 * height)
        assert file.tobytes() == shown.convert("RGBA").tobytes(), format
        assert f'width="{width}" height="{height}"' in tab.locator("#snippet-html").input_value()
        assert tab.fact("Canvas") == f"{width} × {height} px at 2×"


def test_the_parameters_of_a_format_are_shown_while_it_is_chosen(visit, server, formats):
    owners = formats_reading(server)
    assert {"fps", "levels", "poster", "matte", "scale", "time", "darkColor"} <= owners.keys()
    tab = visit({"text": "Own", "effect": "none"})
    for format in formats:
        tab.control("format").select_option(format)
        for name, names in owners.items():
            assert tab.control(name).is_visible() == (format in names), (format, name)
    tab.control("format").select_option("gif")
    assert "SVG only" in tab.field("darkColor").inner_text()
    assert tab.control("fps").input_value() == "25" and tab.control("poster").input_value() == "start"
    tab.is_quiet()


def test_what_a_format_does_not_take_is_not_asked_for_and_comes_back_with_one_that_does(visit):
    own = {"fps": "10", "levels": "8", "matte": "black", "scale": "2"}
    tab = visit({"text": "Own", "effect": "fade", "format": "gif", **own})
    image = tab.shows_image()
    for name, value in own.items():
        assert tab.control(name).input_value() == value
    tab.control("format").select_option("png")
    assert tab.request() == {"text": "Own", "effect": "fade", "format": "png", "scale": "2"}
    tab.control("format").select_option("svg")
    tab.control("darkColor").fill("#fedcba")
    assert tab.request() == {"text": "Own", "effect": "fade", "darkColor": "#fedcba"}
    tab.shows("Own")
    tab.control("format").select_option("gif")
    assert tab.request() == {"text": "Own", "effect": "fade", "format": "gif", **own}
    tab.shows_another_image_than(image)
    assert "fps=10" in tab.locator("#snippet-query-url").input_value()
    assert "dark" not in tab.locator("#snippet-query-url").input_value()
    tab.is_quiet()


def test_levels_are_left_to_the_format_or_counted(visit, server):
    request = {"text": "Fewer", "effect": "fade", "format": "webp"}
    tab = visit(request)
    image = tab.shows_image()
    box = tab.field("levels").get_by_role("checkbox")
    assert box.is_checked() and tab.control("levels").input_value() == "auto"
    box.uncheck()
    assert tab.control("levels").input_value() == "32"
    tab.shows_another_image_than(image)
    image = tab.shows_image()
    assert tab.request() == {**request, "levels": "32"}
    assert len(server.get(tab.link()).body) < len(server.render("webp", text="Fewer", effect="fade").body)
    tab.control("levels").press("ArrowDown")
    assert tab.control("levels").input_value() == "31"
    box.check()
    tab.shows_another_image_than(image)
    assert tab.request() == request
    tab.is_quiet()


def test_the_format_and_its_parameters_survive_reloading(visit):
    request = {"text": "Kept", "effect": "fade", "format": "apng", "fps": "12.5", "poster": "end"}
    tab = visit(request)
    tab.shows_image()
    link = tab.link()
    tab.page.reload()
    tab.shows_image()
    assert tab.link() == link and link.endswith(".apng")
    assert tab.request() == request and tab.control("poster").input_value() == "end"


def test_a_poster_that_cannot_be_is_said_beside_it(visit):
    tab = visit({"text": "Poster", "effect": "fade", "format": "gif"})
    image = tab.shows_image()
    tab.control("poster").select_option("end")
    message = tab.field("poster").locator(".problem")
    message.wait_for()
    assert "loop" in message.inner_text() and tab.locator(".problem:visible").count() == 1
    assert "last good picture" in tab.locator(".status").inner_text()
    assert tab.shows_image() == image
    tab.field("loop").get_by_role("checkbox").check()
    message.wait_for(state="hidden")
    tab.shows_another_image_than(image)
    assert tab.fact("Duration").endswith("∞")


def test_a_format_that_nobody_knows_is_said_beside_the_menu(visit):
    tab = visit({"text": "Film", "effect": "none", "format": "film"})
    tab.field("format").locator(".problem").wait_for()
    tab.control("format").select_option("png")
    tab.shows_image()
    assert tab.locator(".problem:visible").count() == 0


def test_a_format_of_which_the_page_has_never_heard(visit, server):
    listed = server.get("/formats").json
    fps = next(parameter for format in listed["formats"] for parameter in format["parameters"]
               if parameter["name"] == "fps")
    listed["formats"].append({"name": "film", "title": "Film", "mediaType": "video/film+json", "extension": "flm",
                              "animated": True, "darkColors": False, "parameters": [fps]})
    api = server.get("/openapi.json").json
    api["components"]["schemas"]["Request"]["properties"]["format"]["enum"].append("film")
    tab = visit()
    tab.page.goto("about:blank")
    tab.page.route("**/formats", lambda route: route.fulfill(json=listed))
    tab.page.route("**/openapi.json", lambda route: route.fulfill(json=api))
    tab.page.route("**/render.flm?*", lambda route: route.fulfill(
        body='{"reel":1}', content_type="video/film+json", headers={"Titlecard-Duration": "1.5"}))
    # The page asks for it after a while; this server would answer that it has no such format.
    tab.page.route("**/embed?*", lambda route: None)
    tab.open({"text": "Roll it", "effect": "slide", "format": "film", "fps": "10"})
    tab.shows_image()
    assert tab.locator(".format-fields .field:visible").count() == 1 and tab.control("fps").is_visible()
    assert tab.locator(".stage-caption").inner_text() == "Previewed as SVG; the download is Film."
    assert tab.fact("Size") == "10 B" and tab.fact("Duration") == "1.50 s"
    assert tab.locator(".snippet").count() == 1
    assert tab.link() == "/render.flm?text=Roll+it&effect=slide&fps=10"
    assert tab.download() == ("roll-it.flm", b'{"reel":1}')
    tab.is_quiet()


def test_a_film_cannot_be_sought_but_starts_again(visit):
    tab = visit({"text": "Film", "effect": "slide", "duration": "5", "format": "gif"})
    image = tab.shows_image()
    assert tab.locator(".timeline").is_disabled() and tab.locator("[aria-label=Pause]").is_disabled()
    tab.holds("document.querySelector('.timeline').value > 0.01", "that time goes by")
    tab.locator("[aria-label=Restart]").click()
    tab.shows_another_image_than(image)
    assert tab.locator(".phase").count() == 0


def test_a_still_says_which_instant_it_shows(visit, server):
    tab = visit({"text": "Still", "effect": "slide", "format": "png"})
    image = tab.shows_image()
    assert tab.locator(".moment").inner_text() == "One frame: the finished text"
    assert not tab.locator(".timeline").is_visible()
    tab.field("time").get_by_role("checkbox").uncheck()
    tab.control("time").fill("0.25")
    tab.locator(".moment", has_text="One frame, at 0.25 s").wait_for()
    tab.shows_another_image_than(image)
    assert server.get(tab.link()).body == server.render("png", text="Still", effect="slide", time=.25).body
    choose(tab, "svg")
    tab.locator("[aria-label=Pause]").wait_for()


def test_a_slow_rendering_is_announced_and_given_up_for_a_newer_one(visit):
    tab = visit({"text": "Slow", "effect": "none"})
    tab.shows("Slow")
    positions = """['.stage', '.deck', '.about', '.embed'].map(
        (one) => document.querySelector(one).getBoundingClientRect().y)"""
    before = tab.page.evaluate(positions)
    held, failed = [], []
    tab.on("requestfailed", lambda request: failed.append(request.url))
    tab.page.route("**/render.gif?text=Slow*", lambda route: held.append(route))
    tab.control("format").select_option("gif")
    waiting = tab.locator(".waiting")
    waiting.wait_for()
    assert tab.locator(".about [role=status]").text_content() == "Rendering the GIF"
    assert waiting.inner_text().startswith("Rendering the GIF ")
    assert not tab.locator(".facts").is_visible()
    assert tab.page.evaluate(positions) == before
    shown = waiting.locator(".waiting-time").inner_text()
    until(lambda: waiting.locator(".waiting-time").inner_text() != shown, "that the time goes on")
    # The picture before still stands, and can be played and taken away.
    tab.shows("Slow")
    assert tab.locator(".download").get_attribute("download") == "slow.svg"
    assert len(held) == 1 and not failed
    tab.control("text").fill("Quick")
    tab.shows_image()
    until(lambda: tab.page.evaluate("1") and len(failed) == 1, "that the slow one is given up")
    waiting.wait_for(state="hidden")
    assert tab.locator(".download").get_attribute("download") == "quick.gif"
    assert tab.page.evaluate(positions) == before
    tab.is_quiet()


def test_a_file_that_breaks_off_is_not_shown(visit):
    tab = visit({"text": "Whole", "effect": "none"})
    tab.shows("Whole")
    tab.page.evaluate("() => { Response.prototype.blob = () => Promise.reject(new TypeError('cut')); }")
    tab.control("format").select_option("gif")
    tab.locator(".status", has_text="broke off").wait_for()
    tab.shows("Whole")
    tab.is_quiet()


def test_a_rendering_from_the_browsers_cache_is_not_called_rendered(visit):
    tab = visit({"text": "Once more", "effect": "none", "format": "png"})
    tab.shows_image()
    assert "Rendered in" in tab.locator(".facts").inner_text()
    choose(tab, "gif")
    choose(tab, "png")
    assert "From cache in" in tab.locator(".facts").inner_text()


def test_several_texts_are_posted_for_their_format(visit, server):
    tab = visit({**THREE, "format": "gif", "fps": "10"})
    tab.shows_image()
    request = {"effect": "slide", "fps": 10, "blocks": [
        {"text": "One"}, {"text": "Two", "effect": "fade"}, {"text": "Three", "size": 20}]}
    assert tab.link() == server.post("/render.gif", request).headers["Content-Location"]
    assert tab.download() == ("one-two-three.gif", server.get(tab.link()).body)


def test_what_no_address_can_hold_is_shown_and_can_be_taken_away(visit):
    chance = random.Random(7)
    text, title = ("".join(chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(count)) for count in (1500, 1000))
    tab = visit({"text": text, "title": title, "size": "8", "width": "600", "effect": "none"})
    for format in ["svg", "png", "json"]:
        choose(tab, format)
        assert tab.locator(f"img{SHOWN}").is_visible()
        tab.locator(".embed .note", has_text=f"POST it to /render.{format}").wait_for()
        name, file = tab.download()
        assert name.endswith(f".{format}") and len(name) <= 65 and len(file) > 5_000


@pytest.mark.parametrize("width", [360, 1280])
def test_no_format_moves_the_page(visit, formats, width):
    # In a colour that can be read on every page, for words about it would come later.
    request = {"text": "Calm", "effect": "none", "color": "#808080"}
    tab = visit(request, viewport={"width": width, "height": 740})
    tab.shows("Calm")
    positions = set()
    for format, (extension, _) in formats.items():
        tab.control("format").select_option(format)
        tab.holds("(end) => document.querySelector('.download').download.endsWith(end)", format, f".{extension}")
        tab.locator(".masthead").scroll_into_view_if_needed()
        positions.add(str(tab.page.evaluate("""['.stage', '.deck', '.about', '.download'].flatMap((one) => {
            const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
            return [x, y, width, height];
        })""")))
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(positions) == 1, positions


@pytest.mark.parametrize("viewport, own", [(None, "both"), (NARROW, "dark")])
def test_what_has_no_dark_colours_is_shown_in_light_until_asked(visit, viewport, own):
    tab = visit({"text": "Night", "effect": "none"}, color_scheme="dark", viewport=viewport)
    tab.shows("Night")

    def shown():
        scheme = tab.locator("[name=backdrop]:checked").input_value()
        assert tab.locator(".stage").get_attribute("data-scheme") == scheme
        return scheme
    assert shown() == own
    choose(tab, "gif")
    assert shown() == "light"
    choose(tab, "svg")
    assert shown() == own
    choose(tab, "png")
    tab.locator("[name=backdrop][value=dark]").check()
    choose(tab, "gif")
    assert shown() == "dark"


def test_reduced_motion_holds_a_film_back_until_asked(visit):
    tab = visit({"text": "Still", "effect": "slide", "format": "gif"}, reduced_motion="reduce")
    tab.shows("Still")
    assert tab.page.evaluate(TIMES) == [] and tab.locator("img.rendering").count() == 0
    note = tab.locator(".note", has_text="only SVG does so everywhere")
    assert tab.locator(".stage-caption").inner_text() == "Previewed as SVG; the download is GIF."
    note.get_by_role("button").click()
    tab.shows_image()
    assert tab.locator(".stage-caption").inner_text() == "" and not note.is_visible()
    tab.is_quiet()


# What one takes away

def test_the_snippets_addresses_render(visit, server):
    text = 'A "quoted" [title] & <more>'
    tab = visit({"text": text, "effect": "fade"})
    tab.shows(text)
    svg = server.render("svg", text=text, effect="fade").body
    permalink = tab.locator("#snippet-url").input_value()
    assert permalink.startswith(server.url + "/r/")
    for identifier in ["url", "query-url"]:
        address = tab.locator(f"#snippet-{identifier}").input_value()
        assert server.get(address.removeprefix(server.url)).body == svg
    assert tab.locator("#snippet-markdown").input_value().endswith(f"]({permalink})")
    images = tab.page.evaluate("""(html) => {
        const page = new DOMParser().parseFromString(html, 'text/html');
        return [...page.body.childNodes].map((node) => [node.nodeName, node.getAttribute('src'), node.alt]);
    }""", tab.locator("#snippet-html").input_value())
    assert images == [["IMG", permalink, text]]


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


# Everyone

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


WIDTHS = [360, 640, 900, 1600]


@pytest.mark.parametrize("format", ["svg", "gif"])
def test_no_width_makes_the_page_scroll_sideways(visit, format):
    text = "A long line of text that is wider than a telephone, and than a tablet too"
    tab = visit({"text": text, "effect": "slide", "size": "80", "format": format, "fps": "5"})
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
    tab = visit({"text": HOSTILE, "effect": "none"})
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
    link = page.locator(".noscript a")
    assert link.is_visible()
    assert server.get(link.get_attribute("href")).status == 200
    context.close()
