"""The milliseconds of a frame in Chromium while captions play: in two `<object>`s, and in an `<img>`.

    .venv/bin/python Benchmarks/layers.py .build/release/titlecard [PAGES ...]

SVGs of many animations stand beside the same ones without `will-change: contents`, which makes them one layer.
Needs Playwright and Debian's chromium, which `make test-deps` installs.
"""

import pathlib
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

OPTIONS = ("--preset", "captions-karaoke", "--width", "640", "--height", "360", "-q")
HINT = ";will-change:contents"
FRAME = """new Promise((done) => {
  const start = performance.now();
  let count = 0;
  const next = () => {
    const passed = performance.now() - start;
    if (passed > 4000) return done(passed / count);
    count += 1;
    requestAnimationFrame(next);
  };
  next();
})"""


def captions(count):
    """A file of so many cues, two seconds each."""
    return "".join(
        f"{number}\n00:{number // 30:02}:{number * 2 % 60:02},000 --> 00:{number // 30:02}:{number * 2 % 60 + 1:02},900\n"
        f"Line number {number} of words here.\n\n" for number in range(count))  # fmt: skip


def milliseconds(browser, address):
    tab = browser.new_page()
    tab.set_default_timeout(120_000)
    tab.goto(address)
    tab.wait_for_timeout(1000)
    duration = tab.evaluate(FRAME)
    tab.close()
    return f"{duration:.0f}"


def main(binary, *counts):
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = pathlib.Path(name)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        print("| pages | objects | objects, layers | image |\n|---|---|---|---|")
        for count in map(int, counts or ("5", "15", "30", "59")):
            (folder / "talk.srt").write_text(captions(count))
            subprocess.run([binary, "captions", folder / "talk.srt", "-o", folder / "a.svg", *OPTIONS], check=True)
            svg = (folder / "a.svg").read_text()
            assert HINT in svg
            (folder / "b.svg").write_text(svg.replace(HINT, ""))
            for page in ("a", "b"):
                document = f'<object data="{page}.svg" type="image/svg+xml" width="500"></object>'
                (folder / f"{page}.html").write_text(f"<!doctype html>{document * 2}")
            (folder / "i.html").write_text('<!doctype html><img src="a.svg" width="640">')
            frames = [milliseconds(browser, (folder / f"{page}.html").as_uri()) for page in "abi"]
            print("|", count, "|", " | ".join(frames), "|", flush=True)
        browser.close()


main(*sys.argv[1:])
