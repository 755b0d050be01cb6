"""Fixtures that tests share: a running server and a browser."""

import collections
import pathlib
import signal

import pytest
from playwright.sync_api import sync_playwright

# Before any of them is imported: their assertions show values, as those of tests do.
pytest.register_assert_rewrite(*(file.stem for file in pathlib.Path(__file__).with_name("support").glob("*.py")))

from browsers import ANIMATIONS, ARGUMENTS, CHROMIUM, Chromium, Firefox, WebKit
from preview_page import Visit
from service import COMMITS, IS_PROOF, Service, sample_of_cases

# A shell has what it runs in the background ignore interrupts, and so would the processes of tests.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config):
    # A proof has tests that last hours.
    if IS_PROOF:
        config.option.timeout = 0


def pytest_terminal_summary(terminalreporter):
    numbers = "-".join(map(str, sorted({COMMITS[0], COMMITS[-1]})))
    cases = "all cases" if IS_PROOF else f"a sample of slow tests and of long lists: TEST_SAMPLE={numbers}"
    terminalreporter.write_line(cases)


def pytest_collection_modifyitems(config, items):
    """Leaves out most slow tests and cases of long lists; with TEST_PROOF=1 in the environment none."""
    tests = collections.defaultdict(list)
    for item in items:
        tests[item.nodeid.split("[")[0]].append(item)
    kept = set()
    for name, cases in tests.items():
        kept.update(sample_of_cases(cases, name, cases[0].get_closest_marker("slow") is not None))
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


@pytest.fixture(scope="module")
def start():
    """Starts a further server, which ends with the tests of its file: start("--option", "value", host=…)."""
    running = []

    def start(*options, **details):
        running.append(Service(*options, **details))
        return running[-1]

    yield start
    for service in running:
        service.stop()


@pytest.fixture(scope="session")
def server():
    """The server that most tests talk to; it must survive them all and end cleanly.

    A module may have another one in its place, so what is made with it lasts for a module too.
    """
    service = Service()
    yield service
    assert service.process.poll() is None, "the server ended while the tests ran"
    assert service.stop() == 0


@pytest.fixture(scope="module")
def formats(server):
    """The extension and media type of the server's formats by name."""
    formats = server.get("/formats").json["formats"]
    return {format["name"]: (format["extension"], format["mediaType"]) for format in formats}


@pytest.fixture(scope="module")
def render(server):
    """render(format, **request): the answer of the server."""
    return server.render


@pytest.fixture(scope="session")
def launch():
    """Starts a browser with further arguments."""
    with sync_playwright() as playwright:
        browsers = []

        def launch(*arguments):
            browsers.append(playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *arguments]))
            return browsers[-1]

        yield launch
        for browser in browsers:
            browser.close()


@pytest.fixture(scope="session")
def chromium(launch):
    """The browser that most tests share; each opens pages of its own."""
    return launch()


@pytest.fixture(scope="session")
def opened(chromium):
    """opened(name): Chromium, Firefox, or WebKit, which all tests share, without preferences."""
    kinds = {"Chromium": lambda: Chromium(chromium), "Firefox": Firefox, "WebKit": WebKit}
    browsers = {}

    def opened(name):
        if name not in browsers:
            browsers[name] = kinds[name]()
        browsers[name].prefer()
        return browsers[name]

    yield opened
    for browser in browsers.values():
        browser.close()


@pytest.fixture(scope="module", params=["Chromium", "Firefox", "WebKit"])
def browser(request, opened):
    """Each of the browsers."""
    return opened(request.param)


@pytest.fixture
def page(chromium):
    """A tab in which the animations of a picture are paused as it is loaded; `seek(time)` moves them."""
    context = chromium.new_context(device_scale_factor=1)
    context.add_init_script(ANIMATIONS + "addEventListener('DOMContentLoaded', pause)")
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def decoding_page(chromium, server):
    """A page of the server's, which may decode pictures from it."""
    page = chromium.new_page()
    page.goto(server.url + "/health")
    yield page
    page.close()


# Thumbnails are fetched when they come into view, and take half of the time that the page takes to load.
WITHOUT_THUMBNAILS = "window.IntersectionObserver = class { observe() {} };"


@pytest.fixture(scope="session")
def tabs(chromium):
    """Contexts without and with thumbnails, each with its free tabs; a new tab costs more than most tests."""
    contexts = [chromium.new_context() for _ in range(2)]
    for context in contexts:
        context.set_default_timeout(15_000)
    contexts[False].add_init_script(WITHOUT_THUMBNAILS)
    yield [(context, []) for context in contexts]
    for context in contexts:
        context.close()


@pytest.fixture
def visit(tabs, server):
    """visit(request, **options): a tab on the preview page; as a proof always with thumbnails."""
    visits = []

    def visit(request=None, thumbnails=False, **options):
        context, free = tabs[thumbnails or IS_PROOF]
        page = free.pop() if free else context.new_page()
        visits.append((Visit(page, server.url, request, **options), free))
        return visits[-1][0]

    yield visit
    for one, free in visits:
        one.leave()
        free.append(one.page)
