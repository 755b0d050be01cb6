"""/effects, /presets and /fonts as pages for people, without script; programs get JSON."""

import html.parser

import pytest
from axe_playwright_python.sync_playwright import Axe

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"}
PATHS = ["/effects", "/presets", "/fonts"]


class Reader(html.parser.HTMLParser):
    def __init__(self, markup):
        super().__init__()
        self.tags, self.images, self.text = [], [], ""
        self.feed(markup)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "img":
            self.images.append(dict(attributes)["src"])

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("path", PATHS)
def test_browsers_get_a_page_and_programs_json(server, path):
    page = server.get(path, BROWSER)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    for headers in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}, {"Accept": "application/json, text/html"}):
        answer = server.get(path, headers)
        assert answer.json and answer.headers["Content-Type"] == "application/json"
        assert answer.headers["Vary"] == page.headers["Vary"] == "Accept, Accept-Encoding"
        assert answer.headers["ETag"] != page.headers["ETag"]
    assert server.get(path, {**BROWSER, "If-None-Match": page.headers["ETag"]}).status == 304
    assert server.get(path, {"If-None-Match": page.headers["ETag"]}).status == 200
    assert "script" not in Reader(page.text).tags


def test_the_pages_name_all_that_there_is(server):
    effects, presets, fonts = (Reader(server.get(path, BROWSER).text) for path in PATHS)
    for effect in server.get("/effects").json["effects"]:
        assert effect["title"] in effects.text
        assert all(parameter["description"] in effects.text for parameter in effect["parameters"])
    assert all(preset["title"] in presets.text for preset in server.get("/presets").json["presets"])
    assert all(font["family"] in fonts.text for font in server.get("/fonts").json["fonts"])
    assert len(effects.images) > 15 and len(presets.images) > 10
    for source in effects.images + presets.images:
        assert server.get(source).status == 200, source


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_no_fault(server, chromium, path, scheme):
    context = chromium.new_context(viewport=dict(width=400, height=800), color_scheme=scheme)
    try:
        page = context.new_page()
        page.goto(server.url + path)
        found = Axe().run(page).response["violations"]
        assert not found, [(one["id"], one["nodes"][0]["html"][:200]) for one in found]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        context.close()


def test_titles_are_text_and_a_server_that_restricts_shows_no_pictures(start, tmp_path):
    (tmp_path / "presets.json").write_text(
        '{"presets": [{"name": "odd", "title": "<script>alert(1)</script>&\\"", "parameters": {"size": 40}}]}')
    service = start("--presets", str(tmp_path / "presets.json"), "--only-presets")
    page = Reader(service.get("/presets", BROWSER).text)
    assert "<script>alert(1)</script>&\"" in page.text and "script" not in page.tags and not page.images
