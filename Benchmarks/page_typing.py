"""The cost of typing on the preview page: script for a keystroke in one of 32 texts, and how soon the picture follows.

    .venv/bin/python Benchmarks/page_typing.py .build/release/titlecard

Needs Playwright and Debian's chromium, which `make test-deps` installs.
"""

import statistics
import urllib.parse

from page_load import ADDRESS, PICTURE, browser_beside_server

TEXTS = {f"{number}.text": f"Text {number}" for number in range(1, 33)}
KEYS = "hello there, people of 32 texts"
# Milliseconds from key to key, as of someone who types fast.
PAUSE = 120
# Keys of which the picture is waited for.
PICTURES = "twentyletterstyped22"
# Notes the instant of each key, and that of the first frame in which the picture has the text that it makes.
WATCH = """(picture) => {
    window.seen = [];
    let expected = null;
    addEventListener('keydown', () => { expected = { at: performance.now() }; }, true);
    addEventListener('input', ({ target }) => { if (expected) expected.text = target.value; }, true);
    const look = () => {
        const shown = document.querySelector(picture)?.contentDocument?.querySelector('title')?.textContent;
        if (expected?.text !== undefined && shown === expected.text) {
            seen.push(performance.now() - expected.at);
            expected = null;
        }
        requestAnimationFrame(look);
    };
    look();
}"""

# Resolves once so many pictures have been seen.
SEEN = """(count) => new Promise((resolve) => {
    const look = () => seen.length >= count ? resolve() : setTimeout(look, 20);
    look();
})"""


def durations(tools):
    """Seconds since the page was opened that went into each kind of work, by its name."""
    return {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}


def measure(page):
    """Milliseconds for each keystroke of script, and of styles with layout."""
    page.goto(f"{ADDRESS}#{urllib.parse.urlencode({'effect': 'slide', **TEXTS})}")
    page.locator(".card-toggle").nth(15).click()
    page.locator(".card.open textarea").first.focus()
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")
    page.wait_for_timeout(2000)
    before = durations(tools)
    page.keyboard.type(KEYS, delay=PAUSE)
    after = durations(tools)
    spent = {name: (after[name] - before[name]) * 1000 / len(KEYS) for name in after}
    return spent["ScriptDuration"], spent["RecalcStyleDuration"] + spent["LayoutDuration"]


def key_to_picture(page, pause):
    """Milliseconds from each key to the frame with its picture; `pause` milliseconds from that to the next key."""
    page.goto(f"{ADDRESS}#{urllib.parse.urlencode({'text': 'A title', 'effect': 'slide'})}")
    page.locator(PICTURE).first.wait_for()
    page.wait_for_timeout(3000)
    page.locator("[name=text]").first.focus()
    page.keyboard.press("End")
    page.evaluate(WATCH, PICTURE)
    for count, key in enumerate(PICTURES, 1):
        page.keyboard.press(key)
        page.evaluate(SEEN, count)
        page.wait_for_timeout(pause)
    return page.evaluate("seen")


def main():
    with browser_beside_server() as browser:
        page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
        script, layout = measure(page)
        print(f"a keystroke in one of 32 texts: {script:.0f} ms of script, {layout:.0f} ms of styles and layout")
        # A page that stays open goes on to draw.
        page.context.close()
        page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
        times = key_to_picture(page, pause=1000)
        print(f"from a key to the picture: {statistics.median(times):.0f} ms, median of {len(times)}; longest {max(times):.0f}")


if __name__ == "__main__":
    main()
