"""How soon the preview page has its controls on a slow line, with nothing cached.

    .venv/bin/python Benchmarks/page_load.py .build/release/titlecard

Two lines, as Chromium emulates them: 1.6 Mbit/s with 150 ms to each answer, and what DevTools calls
"Slow 4G", the same line with the time that connections take counted in. Needs Playwright and
Debian's chromium, which `make test-deps` installs.
"""

import contextlib
import statistics
import subprocess
import sys
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

RUNS = 9
PORT = 8098
ADDRESS = f"http://127.0.0.1:{PORT}/"
# Milliseconds to each answer, and bits a second.
LINES = {"1.6 Mbit/s, 150 ms": (150, 1.6e6), "DevTools' Slow 4G": (562.5, 1.44e6)}
FIELD = ".controls [name=text]"
PICTURE = ".rendering:not(.incoming)"
# Milliseconds from the start of the navigation until there is such an element.
UNTIL = """(selector) => new Promise((resolve) => {
    const look = () => {
        if (document.querySelector(selector)) resolve(performance.now());
        else setTimeout(look, 5);
    };
    look();
})"""


def visit(browser, latency, bits):
    """Seconds until the controls and until the picture; requests and bytes of all that."""
    tab = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    line = tab.context.new_cdp_session(tab)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": latency,
            "downloadThroughput": bits / 8,
            "uploadThroughput": bits / 8,
        },
    )
    sizes = []
    line.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    tab.goto(ADDRESS, wait_until="commit")
    controls, picture = (tab.evaluate(UNTIL, selector) / 1000 for selector in (FIELD, PICTURE))
    tab.context.close()
    return controls, picture, len(sizes), sum(sizes)


@contextlib.contextmanager
def browser_beside_server():
    """Chromium while the server under test serves ADDRESS."""
    options = ["--port", str(PORT), "--public", "Public", "--log-level", "error"]
    server = subprocess.Popen([sys.argv[1], "serve", *options])
    try:
        wait_for_server()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            yield browser
            browser.close()
    finally:
        server.terminate()
        server.wait()


def wait_for_server():
    while True:
        try:
            return urllib.request.urlopen(ADDRESS + "health").close()
        except urllib.error.URLError:
            pass


def main():
    with browser_beside_server() as browser:
        for name, (latency, bits) in LINES.items():
            report(name, [visit(browser, latency, bits) for _ in range(RUNS)])


def report(name, visits):
    controls, picture, requests, size = (statistics.median(values) for values in zip(*visits))
    longest = max(one[0] for one in visits)
    print(f"{name}: controls after {controls:.2f} s (longest {longest:.2f}), ", end="")
    print(f"picture after {picture:.2f} s; {requests:.0f} requests, {size / 1000:.1f} kB")


if __name__ == "__main__":
    main()
