"""What /embed answers: addresses and code that show the picture that was meant, wherever they are pasted."""

import html
import html.parser
import random
import re
import shlex
import subprocess

import pytest
from markdown_it import MarkdownIt

from service import BINARY, free_port, query

# What ends, begins, or escapes something in Markdown, HTML, CSS, a shell, or a URL, and marks of direction.
PIECES = [
    *"()[]<>\"'`,;&*_~|\\!$#%+?=/:@{}^ ", "\n", "](x)", "![", "](", "```", "<b>", "&amp;", "&#41;", "%29", "\r\n",
    "\u200f", "\u200e", "\u202b", "\u202c", "\u2067", "\u2069", "\u0301", "שלום", "مرحبا", "word", "Café", "--", "a_b_c",
]
PLAIN = re.compile(r"[A-Za-z0-9._~+%&=?:/-]+")
CODE = ["markdown", "html", "picture", "css", "curl"]


def hostile(generator):
    return "".join(generator.choices(PIECES, k=generator.randint(1, 9))) + "x"


def random_request(generator):
    """Draws a request with hostile values in a share of the parameters that take text of any kind."""
    values = {
        "title": lambda: hostile(generator).replace("\r", ""),
        "font": lambda: " ".join(hostile(generator).replace(",", "").split()) + ", 'a (b)', sans-serif",
        "effect": lambda: generator.choice(["none", "fade", "slide"]),
        "color": lambda: generator.choice(["#102030", "linear-gradient(90deg, #f00 0%, blue 100%)"]),
        "darkColor": lambda: generator.choice(["white", "linear-gradient(to right, red, blue)"]),
        "shadow": lambda: "1px 1px 2px #0008, 0 0 3px red",
        "darkBackground": lambda: "#0d1117",
        "fontFeatures": lambda: "tnum, liga=0",
        "format": lambda: generator.choice(["svg", "png"]),
    }
    return {"text": hostile(generator)} | {
        name: draw() for name, draw in values.items() if generator.random() < 0.35}


def requests(count=300):
    generator = random.Random("embed")
    return [random_request(generator) for _ in range(count)]


def embed(server, **request):
    answer = server.get("/embed?" + query(request))
    assert answer.status == 200, (request, answer.text)
    return answer.json


class Elements(html.parser.HTMLParser):
    """The start tags with their attributes, and the text, of a piece of HTML."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


MARKDOWN = MarkdownIt("commonmark").enable("table")


def one_image(tokens, around):
    """Returns address and text of an image that is all that there is within certain blocks."""
    assert [token.type for token in tokens if token.type != "inline"] == around
    filled = [token for token in tokens if token.type == "inline" and token.children]
    (image,) = filled[-1].children
    assert image.type == "image" and image.attrs.keys() == {"src", "alt"}
    return image.attrs["src"], MARKDOWN.renderer.renderInlineAsText(image.children, MARKDOWN.options, {})


def accessible_text(request):
    return " ".join(request.get("title", request["text"]).split())


def test_every_snippet_shows_the_picture_that_was_meant(server):
    for request in requests():
        answer = embed(server, **request)
        meant = server.get("/render?" + query({"format": "svg", **request}))
        size = {"width": str(answer["width"]), "height": str(answer["height"])}
        text = accessible_text(request)
        assert (answer["alt"], meant.status) == (text, 200), request
        assert f"{answer['duration']:g}" == f"{float(meant.headers['Titlecard-Duration']):g}"
        assert PLAIN.fullmatch(answer["url"]) and PLAIN.fullmatch(answer["permalink"])

        def shows(address):
            """Whether it is the address that people can read, and the picture is there."""
            assert address == answer["url"], request
            assert server.fetch(address).body == meant.body, request

        address, alt = one_image(MARKDOWN.parse(answer["markdown"]), ["paragraph_open", "paragraph_close"])
        assert alt == text, request
        shows(address)
        cell = MARKDOWN.parse(f"| a |\n|---|\n| {answer['markdown']} |")
        assert one_image(cell, [token.type for token in MARKDOWN.parse("| a |\n|---|\n| b |") if token.type != "inline"]) \
            == (address, alt), request

        element = Elements(answer["html"])
        ((tag, attributes),) = element.tags
        shows(attributes.pop("src"))
        assert (tag, attributes, element.text) == ("img", {**size, "alt": text}, "")
        # In a README, HTML is Markdown too.
        for source in [answer["html"], f"Words {answer['html']} words", answer["picture"] or "", f"<p>\n{answer['html']}\n</p>"]:
            assert Elements(MARKDOWN.render(source)).tags[-1:] == Elements(source).tags[-1:], request

        (address,) = re.findall(r'^width: \d+px; height: \d+px; background: url\("([^"\\\n]+)"\) center / contain no-repeat;$',
                                answer["css"])
        shows(address)
        command = shlex.split(answer["curl"])
        assert command[:4] == ["curl", "-f", "-o", f"titlecard.{request.get('format', 'svg')}"]
        shows(command[4])
        assert (answer["picture"] is not None) == bool({"darkColor", "darkBackground"} & request.keys())


IN_DARK, IN_LIGHT = "(prefers-color-scheme: dark)", "(prefers-color-scheme: light)"
REDUCED = "(prefers-reduced-motion: reduce)"


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
def test_a_picture_that_cannot_stand_still_has_a_still(server, chromium, format):
    # The instant is one of PNG's own, and no part of what is embedded.
    request = dict(text="Still", effect="fade", scale=2, time=0.1)
    answer = embed(server, **request, format=format)
    ((_, still),) = [tag for tag in Elements(answer["picture"]).tags if tag[0] == "source"]
    address, density = still["srcset"].split(" ")
    assert (still["media"], density) == (REDUCED, "2x")
    assert server.fetch(address).body == server.render("png", text="Still", effect="fade", scale=2).body
    for motion, meant in [("reduce", address), ("no-preference", answer["permalink"])]:
        page = chromium.new_page(reduced_motion=motion)
        page.set_content(answer["picture"], wait_until="load")
        assert page.evaluate("document.querySelector('img').currentSrc") == meant
        page.close()
    assert embed(server, **request, animate="false", format=format)["picture"] is None
    assert embed(server, **request, format="svg")["picture"] is None


@pytest.mark.parametrize("format", ["svg", "png", "gif", "apng", "webp"])
def test_a_picture_has_the_dark_colours_where_it_is_dark(server, format):
    request = dict(
        color="#102030", darkColor="#ffe0a0", background="#ffffff", darkBackground="#101018", borderWidth=2,
        borderColor="red", darkBorderColor="blue", outlineWidth=1, outlineColor="green", darkOutlineColor="lime",
        shadow="1px 1px 0 gray", darkShadow="1px 1px 0 silver", effect="fade", speed=2,
    )
    blocks = [dict(text="both"), dict(text="its own", color="#777777"), dict(text="own dark", darkColor="#00ffff")]
    light = {name: value for name, value in request.items() if not name.startswith("dark")}
    dark = light | {name[4].lower() + name[5:]: value for name, value in request.items() if name.startswith("dark")}
    light_blocks = [{name: value for name, value in block.items() if name != "darkColor"} for block in blocks]
    # What is inherited for the dark goes before a block's own colour for the light.
    dark_blocks = [dict(text="both"), dict(text="its own"), dict(text="own dark", color="#00ffff")]
    for whole, in_light, in_dark in [
        ({**request, "text": "One"}, {**light, "text": "One"}, {**dark, "text": "One"}),
        ({**request, "blocks": blocks}, {**light, "blocks": light_blocks}, {**dark, "blocks": dark_blocks}),
    ]:
        answer = server.post("/embed", {**whole, "format": format})
        assert answer.status == 200, answer.text
        answer = answer.json
        tags = Elements(answer["picture"]).tags
        sources = [source for tag, source in tags if tag == "source"]
        assert [tag for tag, _ in tags] == ["picture", *["source"] * len(sources), "img"]
        image, second = tags[-1][1], sources[-1]
        # Of an SVG that moves no still is needed, nor of a picture that stands still.
        stills = [] if format in ("svg", "png") else [f"{REDUCED} and {IN_DARK}", REDUCED]
        assert [source["media"] for source in sources] == [*stills, IN_DARK, IN_LIGHT]
        shown = [("png", in_dark), ("png", in_light)] if stills else []
        for source, (kind, request) in zip(sources, [*shown, (format, in_dark), (format, in_light)]):
            assert server.fetch(source["srcset"]).body == server.render(kind, **request).body
        assert image == {"src": second["srcset"], "width": str(answer["width"]), "height": str(answer["height"]),
                         "alt": answer["alt"]}


def test_pictures_of_different_sizes_have_their_own(server, chromium):
    request = dict(text="Glow", effect="none", darkColor="white", darkShadow="0 0 24px #ff00ff", scale=2, format="png")
    answer = embed(server, **request)
    for scheme, light in [("light", True), ("dark", False)]:
        page = chromium.new_page(color_scheme=scheme)
        page.set_content(f"<body>{answer['picture']}", wait_until="load")
        shown = page.evaluate("(() => { const { width, height } = document.querySelector('img'); return [width, height]; })()")
        glow = {} if light else {"shadow": request["darkShadow"]}
        plain = embed(server, text="Glow", effect="none", scale=2, format="png", **glow)
        assert shown == [plain["width"], plain["height"]] and "width" not in Elements(answer["picture"]).tags[-1][1]
        page.close()


def test_every_format_says_what_it_can_be_embedded_as(server):
    for format in server.get("/formats").json["formats"]:
        answer = embed(server, text="Hello", effect="slide", darkColor="white", format=format["name"])
        assert answer["url"] == f"{server.url}/render.{format['extension']}?text=Hello&darkColor=white&effect=slide"
        assert answer["permalink"].startswith(server.url + "/r/") and answer["permalink"].endswith("." + format["extension"])
        isimage = format["mediaType"].startswith("image/")
        isvideo = format["name"] in ("webm", "mp4", "mov")
        assert [name for name in CODE if answer[name] is not None] == (CODE if isimage else ["html", "curl"] if isvideo else ["curl"])
        if isvideo:
            assert answer["html"].startswith("<video src=") and answer["html"].endswith('aria-label="Hello"></video>')
        json = server.render("json", text="Hello", effect="slide").json
        assert [answer[name] for name in ("width", "height")] == [json[name] for name in ("width", "height")]
        assert answer["duration"] == (json["duration"] if format["animated"] else answer["duration"])


def test_warnings_are_those_of_the_rendering(server):
    request = dict(text="Gone\U0010fffd", font="Nowhere", width=40)
    answer, rendering = embed(server, **request), server.render("json", **request).json
    assert answer["warnings"] == rendering["warnings"] and len(answer["warnings"]) >= 2


def test_the_address_is_the_same_for_the_same_values_in_any_order(server):
    one = server.get("/embed?text=A%20b&size=40&format=svg&align=center").json["url"]
    assert one == server.get("/embed?align=center&text=A+b&size=40").json["url"]
    assert one == f"{server.url}/render.svg?text=A+b&align=center&size=40"


def test_blocks_are_in_a_query_if_one_can_tell_them(server):
    texts = [{"text": "One, (1)"}, {"text": "Two"}]
    answer = server.post("/embed", {"blocks": texts, "size": 20.5, "animate": False}).json
    assert answer["url"] == f"{server.url}/render.svg?text=One%2C+%281%29&text=Two&animate=false&size=20.5"
    assert server.fetch(answer["url"]).body == server.fetch(answer["permalink"]).body
    answer = server.post("/embed", {"blocks": [{"text": "One", "size": 20}, {"text": "Two"}]}).json
    assert answer["url"] is None and all(answer["permalink"] in answer[name] for name in CODE if name != "picture")
    frames = [{"opacity": 0, "y": "50%"}]
    answer = server.post("/embed", {"text": "Up", "effect": "custom", "keyframes": frames}).json
    assert server.fetch(answer["url"]).body == server.render("svg", text="Up", effect="custom", keyframes=frames).body


def test_what_no_address_holds_has_no_code(start):
    server = start("--max-target", "200")
    text = "".join(random.Random("long").choices("abcdefghijklmnopqrstuvwxyz ,", k=190))
    answer = server.post("/embed", {"text": text + "x", "width": 800, "darkColor": "white"}).json
    assert [answer[name] for name in ["url", "permalink", *CODE]] == [None] * 7 and answer["width"] == 800
    answer = server.post("/embed", {"text": 40 * "(", "width": 800}).json
    assert answer["url"] and answer["permalink"]
    answer = server.post("/embed", {"text": 80 * "(", "width": 800}).json
    assert answer["url"] is None and answer["permalink"] in answer["markdown"]


def test_faults_are_those_of_render(server):
    for target in ["?", "?text=a&efect=fade", "?text=a&size=3&text=%FF", "?text=a&format=gfi", "?text=%00", "?text=a&preset=no",
                   "?text=a&width=4096&height=4096&scale=2&format=png", "?text=a&delay=60&fps=50&hold=60&format=gif",
                   "?text=a&loop=0&poster=end&format=gif"]:
        one, other = server.get("/embed" + target), server.get("/render" + target)
        assert (one.status, one.json) == (other.status, other.json) and one.status >= 400, target
    assert server.request("PUT", "/embed").status == 405
    assert server.request("POST", "/embed").status == 411


def test_the_accept_field_is_that_of_the_description(server):
    answer = server.get("/embed?text=a", {"Accept": "application/json"})
    assert answer.headers["Content-Type"] == "application/json" and "/render.svg?" in answer.json["url"]


def test_the_rendering_is_kept_for_who_asks_next(start):
    server = start()

    def figure(name):
        return int(re.search(rf"^{name} (\d+)", server.get("/metrics").text, re.M)[1])

    address = embed(server, text="Kept")["url"]
    server.fetch(address)
    assert (figure("titlecard_cache_misses_total"), figure("titlecard_cache_hits_total")) == (1, 1)
    embed(server, text="Kept")
    assert figure("titlecard_cache_hits_total") == 2
    assert 'titlecard_requests_total{route="embed",status="200"} 2' in server.get("/metrics").text


# Addresses

def test_without_a_public_url_addresses_are_the_clients_own(server):
    answer = server.get("/embed?text=a")
    assert answer.headers["Cache-Control"] == "no-store" and answer.headers["Content-Location"] is None
    for host in ["cards.example", "cards.example:8443", "[::1]:80"]:
        raw = server.raw(f"GET /embed?text=a HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-Proto: https\r\n"
                         "Connection: close\r\n\r\n".encode())
        assert f'"url":"http://{host}/render.svg?text=a"'.encode() in raw
    for host in ["cards(1).example", "a'b", "a%20b"]:
        raw = server.raw(f"GET /embed?text=a HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert raw.startswith(b"HTTP/1.1 400 ") and b'"parameter":"Host"' in raw
    assert b" 400 " in server.raw(b"GET /embed?text=a HTTP/1.0\r\n\r\n").split(b"\r\n")[0]


def test_only_a_trusted_proxy_says_that_the_address_is_secure(start):
    for proxies, scheme in [("127.0.0.1", "https"), ("10.0.0.0/8", "http")]:
        server = start("--trusted-proxies", proxies)
        answer = server.get("/embed?text=a", {"X-Forwarded-Proto": "https"}).json
        assert answer["url"] == f"{scheme}://127.0.0.1:{server.port}/render.svg?text=a"
        assert server.get("/embed?text=a", {"X-Forwarded-Proto": "http"}).json["url"].startswith("http://")


def test_with_a_public_url_the_answer_can_be_stored(start):
    server = start("--public-url", "https://cards.example:8443/titles/", "--cache-control", "public, max-age=60")
    answer = server.get("/embed?text=a&darkColor=white", {"X-Forwarded-Proto": "http"})
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    origin = "https://cards.example:8443/titles"
    assert answer.json["url"] == f"{origin}/render.svg?text=a&darkColor=white"
    assert answer.json["permalink"].startswith(origin + "/r/") and answer.json["picture"].count(origin + "/r/") == 3
    again = server.get("/embed?text=a&darkColor=white", {"If-None-Match": answer.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")
    assert b"200" in server.raw(b"GET /embed?text=a HTTP/1.0\r\n\r\n").split(b"\r\n")[0]


@pytest.mark.parametrize("url", ["cards.example", "https://a/?q"])
def test_a_public_url_that_is_none_ends_the_start(url):
    ended = subprocess.run([BINARY, "serve", "--port", str(free_port()), "--public-url", url],
                           capture_output=True, text=True, timeout=30)
    assert ended.returncode == 64 and "--public-url must" in ended.stderr


# Guards

def test_a_signed_request_gets_signed_addresses(start):
    key = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
    server = start("--allow-post", "true", environment=key)

    def signed(target):
        return subprocess.run([BINARY, "sign", target], capture_output=True, text=True, env=key, check=True).stdout.strip()

    target = "/embed?text=(a)&darkColor=white"
    assert [server.get(target).status, server.get(target + "&signature=x").status] == [403, 403]
    answer = server.get(signed(target)).json
    assert signed(f"{server.url}/render.svg?text=%28a%29&darkColor=white") == answer["url"]
    addresses = [answer["url"], answer["permalink"], *re.findall(r'(?:src|srcset)="([^"]+)"', answer["picture"] + answer["html"]),
                 *re.findall(r"\((http[^)]+)\)", answer["markdown"])]
    assert len(addresses) == 7
    for address in addresses:
        assert "signature=" in address and server.fetch(html.unescape(address)).status == 200
    unsigned = server.post("/embed", {"text": "(a)"}).json
    assert "signature" not in unsigned["url"] + unsigned["permalink"]


def test_a_server_of_presets_alone_tells_no_permalink(start):
    key = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
    server = start("--only-presets", environment=key)
    request = "text=One+%26+two&preset=nord&format=png"
    answer = server.get("/embed?" + request)
    assert answer.headers["Content-Location"] is None and "/r/" not in answer.text
    answer = answer.json
    assert answer["url"] == f"{server.url}/render.png?text=One+%26+two&preset=nord"
    assert answer["permalink"] is None and answer["picture"] is None
    server.fetch(answer["url"])
    ((_, attributes),) = Elements(answer["html"]).tags
    assert attributes["src"] == answer["url"] and "&amp;preset" in answer["html"]
    assert one_image(MARKDOWN.parse(answer["markdown"]), ["paragraph_open", "paragraph_close"])[0] == answer["url"]
    assert server.get("/embed?text=a&color=red").faults == ["color"]
    assert server.post("/embed", {"text": "a"}).status == 403
    signed = subprocess.run([BINARY, "sign", "/embed?" + request], capture_output=True, text=True, env=key, check=True)
    assert server.fetch(server.get(signed.stdout.strip()).json["permalink"]).status == 200


def test_the_rate_limit_counts_it(start):
    server = start("--rate-limit", "0.01", "--rate-burst", "2")
    assert [server.get("/embed?text=a").status for _ in range(3)] == [200, 200, 429]


# The page

def snippet(tab, name):
    return tab.locator(f"#snippet-{name}").input_value()


def test_the_page_shows_the_servers_code(visit, server):
    request = {"text": "Salt (& pepper)", "effect": "slide", "color": "navy", "darkColor": "white"}
    tab = visit(request)
    tab.locator("#embed summary").first.click()
    tab.locator("#snippet-curl").wait_for()
    answer = embed(server, **request)
    for name, member in [("markdown", "markdown"), ("html", "html"), ("permalink", "permalink"), ("editable-url", "url"), ("css", "css"),
                         ("curl", "curl")]:
        assert snippet(tab, name) == answer[member]
    assert snippet(tab, "picture") == answer["picture"].replace("\n", "")
    tab.control("text").fill("Plain")
    tab.shows("Plain")
    assert tab.locator("#snippet-curl").count() == 0 and snippet(tab, "markdown").startswith("![Plain]")
    before = [snippet(tab, name) for name in ("markdown", "html", "editable-url")]
    tab.locator("#snippet-curl").wait_for()
    assert before == [snippet(tab, name) for name in ("markdown", "html", "editable-url")]
    tab.is_quiet()


def test_the_page_keeps_its_own_code_while_the_server_has_none(visit):
    tab = visit()
    tab.page.route("**/embed*", lambda route: route.abort())
    tab.open({"text": "Alone"})
    tab.shows("Alone")
    with tab.page.expect_event("requestfailed", lambda request: "/embed?text=Still" in request.url):
        tab.control("text").fill("Still alone")
    assert snippet(tab, "markdown").startswith("![Still alone](") and tab.locator("#snippet-curl").count() == 0


# Links to readme-typing-svg

TYPING = "https://readme-typing-svg.demolab.com?font=Fira+Code&lines=Salt+(%26+pepper);Zwei+é&size=24"
PASTED = [
    TYPING, f"[![Typing SVG]({TYPING})](https://git.io/typing-svg)", f'<img alt="x" src="{TYPING.replace("&", "&amp;")}" />',
    f"<img src='{TYPING}'>", TYPING.replace("demolab.com", "herokuapp.com/").removeprefix("https://"), TYPING + "#end",
]


def test_the_command_line_imports_a_link(server):
    def imported(*arguments):
        return subprocess.run([BINARY, "import", *arguments], capture_output=True, text=True)

    for link in [TYPING, TYPING.replace("&", "&amp;"), TYPING + "#end"]:
        target = imported(link).stdout.strip()
        answer = server.get(target)
        assert (answer.status, answer.headers["Content-Location"]) == (200, target)
        assert imported(link, "--public-url", "https://cards.example").stdout == f"https://cards.example{target}\n"
    for link, word in [("https://a.example/", "lines"), ("https://a.example/?size=3", "lines:"), ("/?lines=a&width=0", "width:")]:
        ended = imported(link)
        assert ended.returncode == 64 and word in ended.stderr and ended.stdout == ""


def test_a_pasted_link_becomes_a_picture_of_this_service(visit, server):
    tab = visit()
    tab.locator("#embed summary", has_text="readme-typing-svg").click()
    field, picture = tab.locator("#typing-link"), tab.locator(".typed img")
    meant = subprocess.run([BINARY, "import", TYPING], capture_output=True, text=True, check=True).stdout.strip()
    for pasted in PASTED:
        field.fill(pasted)
        tab.locator("#typed-url").wait_for()
        address = tab.locator("#typed-url").input_value()
        assert address == server.url + meant
        assert picture.evaluate("(image) => [image.naturalWidth, image.naturalHeight]") == [400, 50]
        text = "Salt (& pepper) Zwei é"
        assert one_image(MARKDOWN.parse(tab.locator("#typed-markdown").input_value()),
                         ["paragraph_open", "paragraph_close"]) == (address, text)
        assert Elements(tab.locator("#typed-html").input_value()).tags == [
            ("img", {"src": address, "width": "400", "height": "50", "alt": text})]
        field.fill("")
        assert tab.locator("#typed-url").count() == 0 and picture.is_hidden()
    field.fill("https://example.org/?text=none")
    tab.locator("#typing-message", has_text="no link with").wait_for()
    tab.is_quiet()
    # What is wrong is in the picture.
    field.fill("https://example.org/?lines=a&width=0")
    tab.holds("document.querySelector('.typed img')?.naturalWidth === 640", "a picture of the fault")
    assert tab.locator("#typed-url").count() == 0
