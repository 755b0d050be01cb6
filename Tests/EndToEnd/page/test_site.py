"""The documentation: every page, link, picture, and code sample; the search."""

import gzip
import io
import re
import subprocess
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from service import BINARY, PUBLIC, REPOSITORY
from site_samples import FILES, Reader, samples, target

SITE = PUBLIC / "docs"
GUIDE = REPOSITORY / "docs" / "guide"
PAGES = sorted("/" + path.relative_to(PUBLIC).as_posix() for path in SITE.rglob("*.html"))


class Document(HTMLParser):
    """What a page refers to, and what can be referred to in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.pictures, self.files, self.ids, self.tags = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in ("img", "source"):
            self.pictures.append(attributes.get("src") or attributes["srcset"])
        if tag in ("script", "link"):
            self.files.append(attributes.get("src") or attributes["href"])


def document(page):
    return Document((PUBLIC / page[1:]).read_text())


def pictures():
    return sorted({picture for page in PAGES for picture in document(page).pictures})


@pytest.fixture
def visit(chromium, server):
    """visit(page, **options): a page of the documentation in a browser, where nothing may fail."""
    contexts, faults = [], []

    def visit(page, width=1280, **options):
        context = chromium.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("pageerror", lambda error: faults.append(str(error)))
        tab.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        tab.goto(server.url + page)
        return tab

    yield visit
    for context in contexts:
        context.close()
    assert faults == []


# ------------------------------------------------------------------ files
@pytest.mark.slow
def test_the_pages_are_those_of_the_markdown_files():
    subprocess.run([REPOSITORY / "docs/make-site", BINARY, "--check"], check=True)


def test_a_sitemap_names_every_page():
    command = [REPOSITORY / "docs/make-site", "--sitemap", "https://your.host/"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert sorted(printed.split()) == ["https://your.host" + page for page in PAGES]


def test_the_index_of_the_search_is_small(server):
    answer = server.get("/docs/search.json", {"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert len(answer.body) < 60_000 < len(gzip.decompress(answer.body))


def test_every_page_is_served(server):
    assert len(PAGES) > 20
    for page in PAGES:
        answer = server.get(page)
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8"), page


def test_every_page_says_what_it_is():
    titles, descriptions = set(), set()
    for page in PAGES:
        text = (PUBLIC / page[1:]).read_text()
        titles.add(re.search("<title>(.+?)</title>", text)[1])
        descriptions.add(re.search('<meta name="description" content="(.{20,160}?)">', text)[1])
        tags = document(page).tags
        assert ("html", {"lang": "en"}) in tags
        assert [tag for tag, _ in tags].count("h1") == [tag for tag, _ in tags].count("main") == 1, page
        assert all(attributes.get("alt") for tag, attributes in tags if tag == "img"), page
    assert len(titles) == len(descriptions) == len(PAGES)


def test_no_page_needs_what_the_policy_forbids():
    for page in PAGES:
        for tag, attributes in document(page).tags:
            assert tag != "style" and "style" not in attributes, (page, tag)
            assert tag != "script" or "src" in attributes, page
            assert not any(name.startswith("on") for name in attributes), (page, tag)


def test_every_link_leads_somewhere(server):
    ids = {page: document(page).ids for page in PAGES}
    for page in PAGES:
        assert len(set(ids[page])) == len(ids[page]), page
        found = document(page)
        for link in [*found.links, *found.files]:
            address = urlsplit(urljoin(page, link))
            if address.scheme:
                continue
            path = unquote(address.path)
            if path in ids:
                assert not address.fragment or unquote(address.fragment) in ids[path], (page, link)
            else:
                assert server.get(path).status == 200, (page, link)


def test_every_page_can_be_reached_from_every_page():
    for page in PAGES:
        assert {urljoin(page, link) for link in document(page).links} >= set(PAGES) - {page}


# ------------------------------------------------------------------ pictures
@pytest.mark.parametrize("picture", pictures(), ids=lambda picture: picture[:50])
def test_a_picture_is_drawn_without_a_warning_and_ends(server, picture):
    answer = server.get(target(picture), {"Accept": "image/*"})
    path = urlsplit(picture).path
    kind = re.search(r"\.(\w+)$", path)[1] if "." in path else "svg"
    types = {"svg": "image/svg+xml", "gif": "image/gif", "apng": "image/png", "webp": "image/webp", "png": "image/png"}
    assert (answer.status, answer.headers["Content-Type"]) == (200, types[kind])
    assert "Titlecard-Warnings" not in answer.headers
    assert kind != "svg" or b"infinite" not in answer.body


def test_there_are_pictures_in_the_guide():
    for page in PAGES:
        if "/guide/" in page and not page.endswith(("operating.html", "cdn.html")):
            assert document(page).pictures, page


def test_every_effect_is_shown_in_its_chapter(server):
    text = (REPOSITORY / "docs" / "effects.md").read_text()
    for effect in server.get("/effects").json["effects"]:
        chapter = re.search(rf"^## {effect['name']}\n(.*?)^## ", text, re.S | re.M)[1]
        assert re.search(rf"^```url picture .+\n/render\?\S*\beffect={effect['name']}\b", chapter, re.M), effect["name"]


@pytest.mark.parametrize("page", ["/docs/index.html", "/docs/guide/chat.html", "/docs/recipes.html"])
def test_pictures_are_loaded_and_play_again_when_asked(visit, page):
    tab = visit(page, reduced_motion="no-preference")
    for picture in tab.locator(".ground img").all():
        picture.scroll_into_view_if_needed()
        picture.evaluate("(one) => one.decode()")
    button = tab.get_by_role("button", name="Play again").first
    image = tab.locator(".ground img").first
    before = image.get_attribute("src")
    button.focus()
    button.press("Enter")
    assert image.get_attribute("src") != before
    image.evaluate("(one) => one.decode()")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["/docs/guide/slides.html", "/docs/recipes.html", "/docs/api.html"])
def test_nothing_moves_when_pictures_arrive(visit, page):
    tab = visit(page)
    tab.evaluate("""() => {
        window.shifts = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shifts += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
    }""")
    for picture in tab.locator("article img").all():
        picture.scroll_into_view_if_needed()
        picture.evaluate("(one) => one.decode()")
    tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert tab.evaluate("window.shifts") == 0


def test_who_wants_no_motion_sees_stills(visit):
    tab = visit("/docs/guide/chat.html", reduced_motion="reduce")
    assert tab.locator(".again").count() == 0
    for picture in tab.locator(".ground img").all():
        picture.scroll_into_view_if_needed()
        picture.evaluate("(one) => one.decode()")
        assert "/render.png?" in picture.evaluate("(one) => one.currentSrc")


def test_the_stickers_of_the_guide_are_as_small_as_the_apps_want_them(server):
    """The size, in pixels, and the bytes and seconds that the table of docs/guide/chat.md names."""
    text = (GUIDE / "chat.md").read_text()
    sticker, emoji, whatsapp = re.findall(r"/render\.\w+\?\S*&width=(?:128|320|512)&[^\s']*", text)
    for address, side, most, seconds in [
        (sticker, 320, 512 << 10, 5), (emoji, 128, 128_000, 60), (whatsapp, 512, 500_000, 10)
    ]:  # fmt: skip
        answer = server.get(address)
        assert Image.open(io.BytesIO(answer.body)).size == (side, side)
        assert len(answer.body) < most and float(answer.headers["Titlecard-Duration"]) <= seconds


@pytest.mark.slow
@pytest.mark.parametrize("page", ["/docs/guide/readme.html", "/docs/guide/slides.html"])
def test_a_picture_can_be_changed_on_the_page_of_controls(visit, server, page):
    tab = visit(page)
    links = tab.get_by_role("link", name="Try it")
    assert links.count() == tab.locator(".ground img[src*='/render']").count() > 0
    source = tab.locator(".ground img[src*='/render']").first.get_attribute("src")
    links.first.click()
    tab.wait_for_selector(".rendering:not(.incoming)")
    text = re.search(r"[?&]text=([^&#]*)", source)[1].replace("+", " ")
    fields = tab.locator("[name=text], .card-excerpt")
    assert text in fields.evaluate_all("(fields) => fields.map((one) => one.value || one.textContent)")


# ------------------------------------------------------------------ samples
def test_samples_have_the_address_of_this_service(visit, server):
    tab = visit("/docs/guide/first-card.html")
    text = " ".join(tab.locator("pre").all_inner_texts())
    assert server.url in text and "localhost:8080" not in text
    assert "your.host" not in " ".join(visit("/docs/guide/readme.html").locator("pre").all_inner_texts())


def test_a_sample_is_copied(visit, server):
    tab = visit("/docs/guide/video.html", permissions=["clipboard-read", "clipboard-write"])
    button = tab.get_by_role("button", name="Copy").first
    button.focus()
    button.press("Enter")
    tab.get_by_role("status").filter(has_text="Copied").wait_for(state="attached")
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied == samples(GUIDE / "video.md")[0].code.strip()


# ------------------------------------------------------------------ people
@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 820, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_no_fault(visit, page, scheme, width):
    tab = visit(page, width=width, color_scheme=scheme)
    violations = Axe().run(tab).response["violations"]
    assert [(one["id"], node["html"][:200]) for one in violations for node in one["nodes"]] == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_the_results_of_a_search(visit, scheme):
    tab = visit("/docs/api.html", width=360, color_scheme=scheme)
    tab.get_by_role("searchbox").fill("preset")
    tab.locator(".results li").first.wait_for()
    violations = Axe().run(tab).response["violations"]
    assert [(one["id"], node["html"][:200]) for one in violations for node in one["nodes"]] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_width_makes_a_page_scroll_sideways(visit, page):
    tab = visit(page)
    for width in [320, 360, 768, 1000, 1280, 1920]:
        tab.set_viewport_size({"width": width, "height": 720})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_read_without_script(chromium, server, page):
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(server.url + page)
    assert len(tab.locator("article").inner_text()) > 300
    assert tab.get_by_role("navigation", name="Documentation").get_by_role("link").count() == len(PAGES)
    assert not tab.locator(".search").is_visible()
    context.close()


def test_the_text_is_one_key_away(visit):
    tab = visit("/docs/effects.html")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the text"
    tab.keyboard.press("Enter")
    tab.locator("#site-text:focus").wait_for()


# ------------------------------------------------------------------ the search
def found(tab, query):
    """The addresses of the results of a query."""
    field = tab.get_by_role("searchbox")
    field.fill("")
    field.fill(query)
    tab.locator(".search [role=status]:not(:empty)").wait_for()
    links = tab.locator(".results a").all()
    return [link.get_attribute("href") for link in links]


@pytest.mark.parametrize("query, path", [
    ("signing keys", "operations.html#signing-keys"),
    ("permalink", "api.html#permalinks"),
    ("Discord sticker", "guide/chat.html#a-sticker-of-a-given-size"),
    ("outlook", "guide/mail.html#a-banner"),
    ("rate-limit", "guide/operating.html#decide-who-may-ask"),
    ("typewriter typos", "effects.html#typos"),
    ("fontVariations", "api.html#type"),
    ("easi", "effects.html#easings"),
    ("prores", "guide/video.html#for-an-editor"),
    ("kubernetes", "operations.html#kubernetes"),
    ("gradient", "api.html#paint"),
    ("GLOW", "recipes.html#let-it-glow"),
    ("newline", "api.html#text"),
    ("icon", "api.html#pictures"),
    ("hosted", "operations.html#docker"),
    ("speed", "api.html#the-request-speed"),
    ("centre", "api.html#the-request-align"),
    ("center", "api.html#the-request-align"),
    ("loop", "api.html#the-request-loop"),
    ("easing", "effects.html#easings"),
    ("the signing keys", "operations.html#signing-keys"),
    ("asciinema", "api.html#recordings-of-terminals"),
    ("terminal recording", "api.html#recordings-of-terminals"),
    ("pill", "api.html#marks"),
    ("flow", "api.html#the-request-flow"),
])  # fmt: skip
def test_the_search_finds_what_one_looks_for(visit, query, path):
    assert path in [one.removeprefix("./") for one in found(visit("/docs/index.html"), query)[:3]]


def test_the_search_knows_every_parameter_and_its_row(visit, server):
    effects = server.get("/effects").json["effects"]
    names = {one["name"] for one in server.get("/parameters").json["parameters"]}
    names |= {one["name"] for effect in effects for one in effect["parameters"]}
    rows = {f"{path.relative_to(SITE).as_posix()}#{anchor}": name for path in SITE.rglob("*.html")
            for anchor, name in re.findall(r'<tr id="([^"]+)">\s*<td><code>(\w+)</code>', path.read_text())}
    # Each anchor is there once, and leads to its row.
    assert names <= set(rows.values()) and len(names) > 150
    tab = visit("/docs/index.html")
    tab.get_by_role("searchbox").fill("text")
    tab.locator(".results a").first.wait_for()
    lost = [name for name in sorted(names) if rows.get(found(tab, name)[0].removeprefix("./")) != name]
    assert lost == []


def test_a_row_to_which_the_search_leads_is_in_view(visit):
    tab = visit("/docs/index.html")
    found(tab, "letterSpacing")
    link = tab.locator(".results a").first
    assert link.locator("strong").inner_text().endswith("letterspacing")
    link.click()
    tab.wait_for_url("**/docs/api.html#*letterspacing")
    row = tab.locator("tr:target")
    assert row.locator("code").first.inner_text() == "letterSpacing"
    box = row.bounding_box()
    assert 60 <= box["y"] < 720


def test_the_search_leads_from_any_page_to_a_place_by_keys_alone(visit):
    tab = visit("/docs/guide/mail.html")
    tab.keyboard.press("/")
    assert tab.evaluate("document.activeElement.id") == "site-search"
    tab.keyboard.type("signing keys")
    tab.locator(".results a").first.wait_for()
    said = tab.locator(".search [role=status]").inner_text()
    assert re.match(r"1 result|\d+ results|The first 12 of \d+ results", said)
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate("document.activeElement.pathname + document.activeElement.hash") == (
        "/docs/operations.html#signing-keys"
    )
    tab.keyboard.press("ArrowUp")
    assert tab.evaluate("document.activeElement.id") == "site-search"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/docs/operations.html#signing-keys")


def test_escape_closes_the_results(visit):
    tab = visit("/docs/index.html")
    found(tab, "colour")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Escape")
    assert not tab.locator(".results").is_visible()
    assert tab.evaluate("document.activeElement.id") == "site-search"


def test_the_search_says_that_nothing_is_found(visit):
    tab = visit("/docs/index.html")
    assert found(tab, "xyzzy <b>") == []
    assert tab.locator(".search [role=status]").inner_text() == "No results"
    assert "xyzzy <b>" in tab.locator(".results").inner_text()


# ------------------------------------------------------------------ code
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_sample_of_a_page_works(server, chromium, tmp_path, file):
    reader = Reader(server, chromium, tmp_path)
    found = samples(file)
    assert found
    for one in found:
        reader.tries(one)


def test_what_is_not_run_says_why():
    for file in FILES:
        for one in samples(file):
            assert one.note == "" or re.match(r"not run: .{5}|serves$|files: ", one.note), (file, one.note)
            assert one.language in {"sh", "url", "json", "html", "markdown", "python", "yaml"}, (file, one.language)
