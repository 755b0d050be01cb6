"""The preview page in a tab, and what its tests do there."""
import contextlib
import json
import re
import urllib.parse

from service import PATIENCE, query, sample

FRAMES = ".rendering:not(.incoming)"
# Of the frames for light and dark the first.
SHOWN = f"{FRAMES}:not({FRAMES} ~ *)"
THREE = {"effect": "slide", "1.text": "One", "2.text": "Two", "2.effect": "fade", "3.text": "Three", "3.size": "20"}
HOSTILE = '"><img src=x onerror="window.broken=1"><script>window.broken=2</script>${alert(1)}'
TIMES = f"document.querySelector('{SHOWN}').contentDocument.getAnimations().map((one) => one.currentTime)"
NARROW = {"width": 640, "height": 720}
WIDTHS = [360, 640, 900, 1600]


# Returns the visible ones among elements that are smaller than so many pixels.
SMALL = """(elements, [width, height]) => elements.filter((one) => one.checkVisibility()).filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width < width || box.height < height;
}).map((one) => one.outerHTML)"""


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

    def smaller(self, selector, width, height=0):
        """Returns the visible elements, as HTML, that are smaller than so many pixels."""
        return self.page.eval_on_selector_all(selector, SMALL, [width, height])

    def control(self, parameter):
        return self.page.locator(f"[name={parameter}]:not(meta)")

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
        return self.page.evaluate(f"document.querySelector('{SHOWN}')?.dataset.source ?? null")

    def shows(self, text):
        """Waits for a picture with this accessible name."""
        self.holds(f"(text) => document.querySelector('{SHOWN}')?.contentDocument?.querySelector('title')"
                   "?.textContent === text", f"a picture of {text!r}", text)

    def another_than(self, address):
        return self.holds(f"""(address) => {{
            const other = document.querySelector('{SHOWN}')?.dataset.source;
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
        """Returns the permalink of the picture, or the editable URL where there is none, without the server's origin."""
        permalink = self.locator("#snippet-permalink")
        address = permalink if permalink.count() else self.locator("#snippet-editable-url")
        return address.input_value().removeprefix(self.url[:-1])

    def reads(self, words):
        """Waits until these words are visible without scrolling."""
        self.holds("""(words) => [...document.querySelectorAll('.problem, .status, .problems li, .warnings li, .loading')]
            .some((one) => {
                if (!one.textContent.includes(words)) return false;
                const { x, y, width, height } = one.getBoundingClientRect();
                const seen = document.elementFromPoint(x + width / 2, y + height / 2);
                return seen !== null && (one.contains(seen) || seen.contains(one) && seen.matches('.notices'));
            })""", f"words in view: {words!r}", words)

    def open_menu(self):
        """Opens the list of places with the controls of the format, unless it is open."""
        if self.locator(".delivery:popover-open").count() == 0:
            self.locator(".delivery-toggle").click()
        self.locator(".output details:not([open]) > summary").evaluate_all("(all) => all.forEach((one) => one.click())")

    def download(self):
        """Downloads the file; returns its name and bytes."""
        with self.page.expect_download() as download:
            self.locator(".download").click()
        return download.value.suggested_filename, download.value.path().read_bytes()

    def request(self):
        """Returns the request in the page's address."""
        return dict(urllib.parse.parse_qsl(self.page.evaluate("location.hash.slice(1)")))

    def is_quiet(self):
        assert self.said == [], self.said


def pick_effect(tab, name):
    """Chooses an effect in the first gallery of a tab or of a card, which it opens before."""
    button = tab.locator("[name=effect]").first
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    tab.locator(f".effects [value={name}]").first.check()


def some_effects(server):
    """A sample of the effects, and the last one, which is the extension's where there is one."""
    effects = server.get("/effects").json["effects"]
    return [*sample(effects[:-1], 6), effects[-1]]


def cards(tab):
    """Returns the headings of the texts' cards."""
    return tab.locator(".card-excerpt").all_inner_texts()


def focus(tab):
    """Returns the accessible name, value or text of the focused element."""
    return tab.page.evaluate("document.activeElement.ariaLabel || document.activeElement.value"
                             "|| document.activeElement.textContent")


def pick_format(tab, format):
    """Chooses a format in the menu, which is left open or closed as it was."""
    was_open = tab.locator(".delivery:popover-open").count() > 0
    tab.open_menu()
    tab.control("format").select_option(format)
    if not was_open:
        tab.page.keyboard.press("Escape")


def choose(tab, format):
    """Chooses a format and waits for its file."""
    pick_format(tab, format)
    tab.holds(f"document.querySelector('.download').download.endsWith('.{format}')", f"the {format}")


def says_faults_only(tab):
    """Checks that the console has nothing but the refusals of requests."""
    assert [said for said in tab.said if "status of 400" not in said] == []


def open_sections(tab):
    for summary in tab.locator("summary").all():
        if summary.is_visible() and summary.evaluate("(one) => !one.parentElement.open"):
            summary.click()


def look(tab, title):
    return tab.locator(".preset").filter(has=tab.page.get_by_text(title, exact=True))


def pick_look(tab, title, act="click"):
    """Chooses a preset, or gives it up; shows all of its group before if it is not among the first."""
    card = look(tab, title)
    if card.is_hidden():
        group = tab.locator(".preset-group", has=tab.page.get_by_text(title, exact=True))
        getattr(group.locator(".preset-head button"), act)()
    getattr(card, act)()


def refuse(tab, pattern, status=400, errors=(), title="Invalid parameters", **headers):
    """Answers requests that match a pattern with this problem from now on."""
    problem = {"type": "about:blank", "title": title, "status": status, "errors": list(errors)}
    tab.page.route(pattern, lambda route: route.fulfill(
        status=status, headers={name.replace("_", "-"): value for name, value in headers.items()},
        content_type="application/problem+json", body=json.dumps(problem)))


RENDER = re.compile(r"/render")
