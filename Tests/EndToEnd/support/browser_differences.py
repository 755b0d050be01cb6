"""How far what browsers show of an SVG is from the PNG, in percent of the ink, as a table.

    TEST_BINARY=.build/release/titlecard .venv/bin/python Tests/EndToEnd/support/browser_differences.py

The cases, pages and instants are those of browser_cases.py. A figure is the sum of all differences over that of the
PNG's ink, of all instants together.
"""

import pathlib

from playwright.sync_api import sync_playwright

from service import BINARY, Service  # first: it makes Tests/Reference known
from browser_cases import CASES, ground_of, pictures
from browsers import ARGUMENTS, CHROMIUM, Chromium, Firefox, WebKit


def main():
    service = Service(binary=pathlib.Path(BINARY))
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        browsers = [Chromium(chromium), Firefox(), WebKit()]
        try:
            print("| case |", " | ".join(f"{browser.name} {browser.version}" for browser in browsers), "|")
            print("|---|" + "---|" * len(browsers), flush=True)
            for name, request in CASES.items():
                figures = []
                for browser in browsers:
                    browser.prefer()
                    difference, inked = 0, 0
                    for _, painted, shown in pictures(service, browser, request):
                        difference += abs(painted - shown).sum()
                        inked += abs(painted - ground_of(painted)).sum()
                    figures.append(f"{100 * difference / inked:.1f}")
                print(f"| {name} |", " | ".join(figures), "|", flush=True)
        finally:
            for browser in browsers:
                browser.close()
            chromium.close()
            service.stop()


if __name__ == "__main__":
    main()
