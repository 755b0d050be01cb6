"""The cost of renderings to a page: the main thread's share of ten seconds, in headless Chromium.

    .venv/bin/python Benchmarks/page_cost.py .build/release/titlecard

Each page shows images of the same sentence at 640 px; the same page with still images stands
beside it. Needs Playwright and Debian's chromium, which `make test-deps` installs.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

TEXT = (
    "This is a my replication of Secret's text animation. It looks like one fancy label, "
    "but it's actually two UITextLabels on top of each other! What do you think?"
)
SECONDS = 10
LOOPS = ("--loop", "infinite")
PAINTS = {
    "a gradient": ("--color", "linear-gradient(37deg, #ff8a00, #e52e71)"),
    "an outline": ("--outlineWidth", "3"),
    "a shadow": ("--shadow", "2px 2px #0008"),
    "a blurred shadow": ("--shadow", "2px 2px 4px #0008"),
    "a glow": ("--shadow", "0 0 24px #0ff"),
}
PAGES = [
    ("still", 1, ("--animate", "false"), 0),
    ("still", 50, ("--animate", "false"), 0),
    ("finite typewriter, playing", 1, ("--speed", "1"), 0),
    ("finite typewriter, playing", 50, ("--speed", "1"), 0),
    ("finite typewriter, finished", 50, ("--speed", "10"), 4),
    *[
        (f"looping {effect} by {by}", count, ("--effect", effect, "--by", by, *LOOPS), 0)
        for effect in ("typewriter", "slide")
        for by in ("glyph", "word", "line")
        for count in (1, 10, 50)
    ],
    *[
        (f"looping {effect}", 1, ("--effect", effect, *LOOPS), 0)
        for effect in ("rise", "blur", "zoom", "flip", "tracking", "highlight", "draw")
    ],
    *[
        (f"looping slide with {name}", 1, ("--effect", "slide", *LOOPS, *paint), 0)
        for name, paint in PAINTS.items()
    ],
    ("looping shimmer", 1, ("--effect", "none", "--emphasis", "shimmer", "--hold", "6", *LOOPS), 0),
    ("a gradient that travels", 1, ("--effect", "none", "--paintMotion", "pan", *PAINTS["a gradient"], *LOOPS), 0),
    ("slide with a blurred shadow, finished", 1, ("--effect", "slide", "--speed", "10", *PAINTS["a blurred shadow"]), 4),
    *[
        (f"{effect}, finished", 1, ("--effect", effect, "--speed", "10"), 4)
        for effect in ("rise", "blur", "flip", "highlight", "draw")
    ],
]


def page(folder, binary, count, options):
    """A page of so many images, each a file of its own, as different embeds are."""
    command = [binary, "render", TEXT, "--width", "640", *options]
    svg = subprocess.run(command, check=True, capture_output=True).stdout
    for number in range(count):
        (folder / f"{number}.svg").write_bytes(svg)
    images = "".join(f"<img src={number}.svg>" for number in range(count))
    (folder / "index.html").write_text(f"<!doctype html><title>t</title>{images}")
    return (folder / "index.html").as_uri()


def cost(browser, url, wait):
    """The main thread's busy share in percent, and its longest task after load in milliseconds."""
    tab = browser.new_page(viewport={"width": 1300, "height": 900})
    tab.goto(url, wait_until="load")
    tab.wait_for_timeout(500 + 1000 * wait)
    browser.start_tracing(page=tab, categories=["toplevel", "disabled-by-default-devtools.timeline"])
    tab.wait_for_timeout(1000 * SECONDS)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {
        (e["pid"], e["tid"])
        for e in events
        if e.get("name") == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        e
        for e in events
        if e.get("ph") == "X" and (e["pid"], e["tid"]) in threads and e["name"] == "ThreadControllerImpl::RunTask"
    ]
    tab.close()
    # The thread's own time where it is known: other processes share the cores.
    busy = sum(e.get("tdur", e["dur"]) for e in tasks)
    return busy / SECONDS / 1e4, max((e["dur"] for e in tasks), default=0) / 1000


def main():
    print("| page | images | main thread | longest task |\n|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, count, options, wait in PAGES:
            with tempfile.TemporaryDirectory() as folder:
                url = page(pathlib.Path(folder), sys.argv[1], count, options)
                share, longest = cost(browser, url, wait)
            print(f"| {name} | {count} | {share:.1f} % | {longest:.0f} ms |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
