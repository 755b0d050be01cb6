"""How much script the preview page runs for a keystroke in one of 32 texts.

    .venv/bin/python Benchmarks/page_typing.py .build/release/titlecard

Needs Playwright and Debian's chromium, which `make test-deps` installs.
"""

import urllib.parse

from page_load import ADDRESS, browser_beside_server

TEXTS = {f"{number}.text": f"Text {number}" for number in range(1, 33)}
KEYS = "hello there, people of 32 texts"
# Milliseconds from key to key, as of someone who types fast.
PAUSE = 120


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


def main():
    with browser_beside_server() as browser:
        script, layout = measure(browser.new_context(viewport={"width": 1280, "height": 720}).new_page())
        print(f"a keystroke in one of 32 texts: {script:.0f} ms of script, {layout:.0f} ms of styles and layout")


if __name__ == "__main__":
    main()
