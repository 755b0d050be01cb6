"""The preview page in Chromium, as a visitor meets it."""
import json
import urllib.parse

import pytest

from service import query, until

SHOWN = ".rendering:not(.incoming)"
HOSTILE = '"><img src=x onerror="window.broken=1"><script>window.broken=2</script>${alert(1)}'


class Visit:
    """One visitor's tab, and all that its console has said."""

    def __init__(self, browser, url, request=None, **options):
        self.url = url + "/"
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.said = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.set_default_timeout(15_000)
        if request is not None:
            self.open(request)

    def open(self, request=None):
        self.page.goto(self.url + (f"#{query(request)}" if request else ""))
        self.page.wait_for_selector("[name=text]")
        return self

    def locator(self, selector, **details):
        return self.page.locator(selector, **details)

    def control(self, parameter):
        return self.page.locator(f"[name={parameter}]")

    def field(self, parameter):
        return self.page.locator(f".field[data-parameter={parameter}]")

    def holds(self, expression, what, argument=None):
        """Waits until an expression in the page is true; the page's policy forbids polling by text."""
        return until(lambda: self.page.evaluate(expression, argument), what)

    def address(self):
        return self.page.evaluate(f"document.querySelector('{SHOWN}')?.data ?? null")

    def title(self):
        """The accessible name of the picture that stands."""
        return self.page.evaluate(
            f"document.querySelector('{SHOWN}')?.contentDocument?.querySelector('title').textContent ?? null")

    def shows(self, text):
        until(lambda: self.title() == text, f"a picture of {text!r}")

    def another_than(self, address):
        until(lambda: self.address() not in (address, None), "another picture")
        return self.address()

    def request(self):
        """The request in the page's address."""
        return dict(urllib.parse.parse_qsl(self.page.evaluate("location.hash.slice(1)")))

    def is_quiet(self):
        assert self.said == []


@pytest.fixture
def visit(chromium, server):
    """visit(request, **options): a tab on the page."""
    visits = []

    def visit(request=None, **options):
        visits.append(Visit(chromium, server.url, request if request is not None else {}, **options))
        return visits[-1]
    yield visit
    for one in visits:
        one.context.close()


# The picture

@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_first_visit_shows_an_example_and_breaks_no_policy(visit, scheme):
    tab = visit(color_scheme=scheme)
    tab.shows("Who you\ngonna call?")
    assert tab.control("text").input_value() == "Who you\ngonna call?"
    assert tab.locator(f"[name=backdrop][value={scheme}]").is_checked()
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
    tab.page.evaluate("""() => {
        window.counts = new Set();
        const count = () => {
            window.counts.add(document.querySelectorAll('.rendering:not(.incoming)').length);
            requestAnimationFrame(count);
        };
        count();
    }""")
    for text in ["During", "After"]:
        tab.control("text").fill(text)
        tab.shows(text)
    assert tab.page.evaluate("[...window.counts]") == [1]


def test_a_text_too_long_for_a_query_is_posted(visit):
    tab = visit({"text": "Short", "effect": "none"})
    tab.shows("Short")
    methods = []
    tab.page.on("request", lambda request: methods.append(request.method) if "/render" in request.url else None)
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
    tab.page.route("**/render.svg?*", refuse_once)
    tab.control("text").fill("Storm")
    tab.locator(".status", has_text="Too busy").wait_for()
    tab.shows("Storm")
    tab.locator(".status", has_text="Too busy").wait_for(state="hidden")


def test_warnings_of_the_rendering_are_shown(visit):
    tab = visit({"text": "Far too wide", "effect": "none", "height": "20"})
    tab.shows("Far too wide")
    tab.locator(".warnings li").wait_for()
    tab.control("text").fill("<b>broken")
    tab.field("markup").locator("input").check()
    tab.field("text").locator(".problem").wait_for()


# The controls

def test_the_parameters_are_those_of_the_chosen_effect(visit, server):
    tab = visit({"text": "Effects"})
    for effect in server.get("/effects").json["effects"]:
        tab.control("effect").select_option(effect["name"])
        shown = tab.page.evaluate(
            "[...document.querySelectorAll('.effect-fields .field')].map((field) => field.dataset.parameter)")
        assert shown == [parameter["name"] for parameter in effect["parameters"]]
        for parameter in effect["parameters"]:
            control = tab.locator(f".effect-fields [name={parameter['name']}]")
            default = parameter["default"]
            if parameter["type"] == "boolean":
                assert control.is_checked() == default
            else:
                text = "" if default is None else f"{default:g}" if isinstance(default, (int, float)) else default
                assert control.input_value() == text
        until(lambda: tab.request().get("effect", "typewriter") == effect["name"], "the address")
        assert tab.request().keys() <= {"text", "effect"}
    tab.shows("Effects")
    tab.is_quiet()


def test_an_effects_values_are_there_again_when_one_comes_back(visit):
    tab = visit({"text": "Back", "effect": "slide", "distance": "2"})
    tab.shows("Back")
    tab.control("effect").select_option("fade")
    assert "distance" not in tab.request()
    tab.control("effect").select_option("slide")
    assert tab.request() == {"text": "Back", "effect": "slide", "distance": "2"}


def test_every_parameter_that_leaves_a_choice_has_a_control(visit, server):
    tab = visit({"text": "All"})
    schemas = server.get("/openapi.json").json["components"]["schemas"]["Request"]["properties"]
    several = {"blocks", "sequence", "gap", "spacing", "format"}
    for name, schema in schemas.items():
        fixed = len(schema.get("enum", "..")) < 2 or (
            "pattern" not in schema and schema.get("minimum", 0) == schema.get("maximum", 1))
        if "anyOf" not in schema and name not in several and not fixed:
            assert tab.control(name).count() == 1, name


def test_the_families_and_their_weights_are_the_servers(visit, server):
    tab = visit({"text": "Fonts", "effect": "none"})
    fonts = server.get("/fonts").json["fonts"]
    offered = tab.page.evaluate("[...document.querySelectorAll('[name=font] optgroup option')].map((one) => one.value)")
    assert sorted(offered) == sorted(font["family"] for font in fonts)
    for font in fonts[:8]:
        tab.control("font").select_option(font["family"])
        weights = tab.page.evaluate(
            "[...document.querySelectorAll('[name=weight] option:not([data-foreign])')].map((one) => +one.value)")
        assert weights == font["weights"]


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


def test_an_own_curve_and_a_picked_colour_reach_the_request(visit):
    tab = visit({"text": "Own", "effect": "slide"})
    tab.shows("Own")
    tab.control("easing").select_option("own")
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


FILL = f"""(() => {{ const picture = document.querySelector('{SHOWN}').contentDocument;
    return picture.defaultView.getComputedStyle(picture.querySelector('g')).fill; }})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_switch_shows_what_readers_in_light_and_dark_see(visit, scheme):
    tab = visit({"text": "Day", "effect": "none", "color": "#112233", "darkColor": "#ddeeff"}, color_scheme=scheme)
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
    assert tab.locator(".button").get_attribute("href") == permalink


def test_the_menu_of_formats_is_the_servers(visit, server):
    tab = visit({"text": "Formats", "effect": "none"})
    tab.shows("Formats")
    paths = server.get("/openapi.json").json["paths"]
    known = [path.removeprefix("/render.") for path in paths if path.startswith("/render.")]
    menu = tab.locator("#embed-format")
    assert menu.evaluate("(menu) => [...menu.options].map((one) => one.value)") == known
    for extension in known:
        menu.select_option(extension)
        address = tab.locator("#snippet-url").input_value()
        assert address.endswith(f".{extension}")
        assert server.get(address.removeprefix(server.url)).status == 200


def test_a_copy_button_copies_and_says_so(visit):
    tab = visit({"text": "Copy", "effect": "none"}, permissions=["clipboard-read", "clipboard-write"])
    tab.shows("Copy")
    tab.locator("[aria-label='Copy Markdown']").click()
    tab.locator(".snippet button", has_text="Copied").wait_for()
    code = tab.locator("#snippet-markdown").input_value()
    assert tab.page.evaluate("navigator.clipboard.readText()") == code


# Everyone

def test_every_control_is_reached_by_keyboard_in_the_order_of_the_page(visit):
    tab = visit({"text": "Keys", "effect": "slide"})
    tab.shows("Keys")
    tab.locator("[aria-label=Pause], [aria-label=Play]").first.wait_for()
    for closed in tab.page.query_selector_all("details:not([open]) > summary"):
        closed.click()
    expected = tab.page.evaluate("""() => {
        const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')];
        const reached = all.filter((one) => !one.disabled && one.checkVisibility()
            && !(one.type === 'radio' && !one.checked));
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
    tab = visit({"text": "Names", "effect": "slide"})
    nameless = tab.page.evaluate("""() => [...document.querySelectorAll('button, input, select, textarea')]
        .filter((one) => !one.labels?.length && !one.ariaLabel && !one.textContent.trim())
        .map((one) => one.outerHTML)""")
    assert nameless == []
    assert tab.page.evaluate("new Set([...document.querySelectorAll('[id]')].map((one) => one.id)).size"
                             " === document.querySelectorAll('[id]').length")


@pytest.mark.parametrize("width", [360, 640, 900, 1600])
def test_no_width_makes_the_page_scroll_sideways(visit, width):
    tab = visit({"text": "A long line of text that is wider than a telephone", "effect": "slide", "size": "80"},
                viewport={"width": width, "height": 720})
    tab.shows("A long line of text that is wider than a telephone")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    box = tab.locator(SHOWN).bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    own = tab.page.evaluate(f"document.querySelector('{SHOWN}').contentDocument.documentElement.width.baseVal.value")
    tab.locator(".facts", has_text=f"shown at {box['width'] / own * 100:.0f} %").wait_for()


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
    assert tab.page.evaluate("document.querySelectorAll('img, body script').length") == 0


def test_without_script_the_page_says_what_works(chromium, server):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.url + "/")
    link = page.locator(".noscript a")
    assert link.is_visible()
    assert server.get(link.get_attribute("href")).status == 200
    context.close()
