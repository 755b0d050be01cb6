"""How soon the preview page has its controls on a slow line, with nothing cached.

    .venv/bin/python Benchmarks/page_load.py .build/release/titlecard

The line is 1.6 Mbit/s with 150 ms of latency to each answer, as Chromium emulates it. Needs
Playwright and Debian's chromium, which `make test-deps` installs.
"""

import statistics
import subprocess
import sys
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

RUNS = 9
PORT = 8098
ADDRESS = f"http://127.0.0.1:{PORT}/"
BYTES_A_SECOND = 1.6e6 / 8
LATENCY = 150  # milliseconds
# Milliseconds from the start of the navigation until a field can be used.
UNTIL_CONTROLS = """new Promise((resolve) => {
    const look = () => {
        const field = document.querySelector('.controls [name=text]');
        if (field) resolve(performance.now());
        else requestAnimationFrame(look);
    };
    look();
})"""
UNTIL_PICTURE = """new Promise((resolve) => {
    const look = () => {
        const picture = document.querySelector('.rendering:not(.incoming)');
        if (picture) resolve(performance.now());
        else requestAnimationFrame(look);
    };
    look();
})"""
TRANSFERRED = """performance.getEntries()
    .filter(({ entryType }) => entryType === 'resource' || entryType === 'navigation')
    .map(({ name, transferSize }) => [name, transferSize])"""


def visit(browser):
    """Seconds until the controls and until the picture; requests and bytes of all that."""
    tab = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    line = tab.context.new_cdp_session(tab)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
    sizes = []
    line.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    tab.goto(ADDRESS, wait_until="commit")
    controls = tab.evaluate(UNTIL_CONTROLS) / 1000
    picture = tab.evaluate(UNTIL_PICTURE) / 1000
    tab.context.close()
    return controls, picture, len(sizes), sum(sizes)


def wait_for_server():
    while True:
        try:
            return urllib.request.urlopen(ADDRESS + "health").close()
        except urllib.error.URLError:
            pass


def main():
    options = ["--port", str(PORT), "--public", "Public", "--log-level", "error"]
    server = subprocess.Popen([sys.argv[1], "serve", *options])
    try:
        wait_for_server()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            visits = [visit(browser) for _ in range(RUNS)]
            browser.close()
    finally:
        server.terminate()
        server.wait()
    controls, picture, requests, size = (statistics.median(values) for values in zip(*visits))
    longest = max(one[0] for one in visits)
    print(f"controls after {controls:.2f} s (longest {longest:.2f}), picture after {picture:.2f} s; ", end="")
    print(f"{requests:.0f} requests, {size / 1000:.1f} kB")


if __name__ == "__main__":
    main()
