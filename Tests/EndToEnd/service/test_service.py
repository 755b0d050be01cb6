"""Answers that browsers and other programs rely on: CORS, policies, error cards, the documents."""

import xml.etree.ElementTree as ElementTree

import pytest
from openapi_spec_validator import validate

from service import REVISION, query

NAMESPACE = "{http://www.w3.org/2000/svg}"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
EVERYWHERE = [
    "/render?text=x",
    "/render.png?text=x",
    "/effects",
    "/fonts",
    "/openapi.json",
    "/health",
    "/",
    "/nowhere",
    "/render",
    "/r/x.svg",
]
AS_IMAGE = [
    {"Accept": "image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8"},
    {"Accept": "image/svg+xml"},
    {"Sec-Fetch-Dest": "image"},
    {"Accept": "*/*", "Sec-Fetch-Dest": "image"},
    {"Accept": "image/svg+xml, application/json;q=0.9"},
]
NOT_AS_IMAGE = [
    {},
    {"Accept": "*/*"},
    {"Accept": "application/json"},
    {"Accept": "image/svg+xml;q=0.5, application/json"},
    {"Sec-Fetch-Dest": "document"},
]


@pytest.mark.parametrize("target", EVERYWHERE)
def test_every_answer_is_sniff_proof_and_open_to_other_origins(server, target):
    for method in ("GET", "HEAD", "OPTIONS", "PUT"):
        answer = server.request(method, target, headers={"Origin": "https://example.org"})
        assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"]
        assert answer.headers.get_all("Access-Control-Allow-Origin") == ["*"]
        assert answer.headers["Date"] and answer.status < 500


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD"])
def test_preflight(server, method):
    answer = server.request(
        "OPTIONS",
        "/render",
        headers={
            "Origin": "https://example.org",
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "content-type",
        },
    )
    assert answer.status == 204 and answer.body == b""
    assert method in answer.headers["Access-Control-Allow-Methods"]
    assert "content-type" in answer.headers["Access-Control-Allow-Headers"].lower()


def test_a_page_of_another_origin_reads_what_the_contract_promises(server, start, chromium):
    page = chromium.new_context().new_page()
    page.goto(start().url + "/health")
    status, location, tag, duration, warnings = page.evaluate(
        """async url => {
        const answer = await fetch(url, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"text":"x","font":"Comic Mono"}'});
        return [answer.status, ...['Content-Location', 'ETag', 'Titlecard-Duration', 'Titlecard-Warnings']
            .map(name => answer.headers.get(name))];
    }""",
        server.url + "/render",
    )
    expected = server.render("svg", text="x", font="Comic Mono").headers
    assert warnings == "missing-font"
    assert (status, location, duration) == (200, expected["Content-Location"], expected["Titlecard-Duration"])
    assert tag.startswith(expected["ETag"][:-1])
    page.context.close()


def test_another_origin_and_cache_policy(start):
    service = start("--allow-origin", "https://example.org", "--cache-control", "no-cache")
    answer = service.get("/render?text=x")
    assert (answer.headers["Access-Control-Allow-Origin"], answer.headers["Cache-Control"]) == (
        "https://example.org",
        "no-cache",
    )
    assert start("--allow-origin", "none").get("/render?text=x").headers["Access-Control-Allow-Origin"] is None


def test_an_svg_may_load_nothing(server):
    assert server.get("/render?text=x").headers["Content-Security-Policy"] == POLICY
    assert server.get("/render.json?text=x").headers["Content-Security-Policy"] is None


@pytest.mark.parametrize("headers", AS_IMAGE, ids=str)
@pytest.mark.parametrize(
    "target, status, says",
    [
        ("/render?text=x&efect=fade", 400, "effect"),
        ("/render.png?text=x&size=1", 400, "size"),
        ("/render.json?text=x&size=%3Cb%3E%26", 400, "<b>&"),
        ("/render?text=" + "x" * 2001, 422, "2000"),
        ("/r/!.svg", 400, "token"),
        (f"/r/{REVISION + 1}/x.svg", 503, "newer"),
        ("/rendre", 404, "404"),
        ("/render?text=%01", 400, "text"),
        ("/render?text=x&q%0bz=1", 400, "unknown"),
    ],
)
def test_an_image_gets_its_error_as_a_card(server, headers, target, status, says):
    answer = server.get(target, headers)
    assert (answer.status, answer.headers["Content-Type"]) == (status, "image/svg+xml")
    assert (answer.headers["Cache-Control"], answer.headers["Content-Security-Policy"]) == ("no-store", POLICY)
    card = ElementTree.fromstring(answer.body)
    assert card.tag == NAMESPACE + "svg"
    assert says in "".join(card.itertext())


HOSTILE = "\"'></text></style></title><script>alert(1)</script><b onload='alert(1)'>]]>-->*/}a{fill:url(//x)}\u202e\x1b"


def test_hostile_values_are_text_in_every_picture(server):
    """Whichever parameter has them, on the picture or on the card that refuses it."""
    effects = [(effect["name"], each["name"]) for effect in server.get("/effects").json["effects"]
               for each in effect["parameters"]]
    names = [("none", name) for name in (*server.parameters, HOSTILE)]
    for value in (HOSTILE, HOSTILE[:-2]):
        for effect, name in [*names, *effects]:
            request = {"text": "x", "effect": effect, name: value}
            answer = server.get("/render.svg?" + query(request), AS_IMAGE[1])
            assert answer.headers["Content-Type"] == "image/svg+xml", (name, answer.text)
            for element in ElementTree.fromstring(answer.body).iter():
                assert element.tag.startswith(NAMESPACE), name
                assert element.tag.removeprefix(NAMESPACE) not in ("script", "b", "a"), name
                assert not any(attribute.startswith("on") for attribute in element.attrib), name
                assert "//x" not in (element.text or "") or element.tag != NAMESPACE + "style", name
                assert not any("//x" in text for key, text in element.attrib.items() if key != "aria-label"), name
            # Nothing turns the lines of a card.
            assert answer.status == 200 or answer.text.replace("\n", "").isprintable(), name


@pytest.mark.parametrize("headers", NOT_AS_IMAGE, ids=str)
def test_others_get_a_problem(server, headers):
    assert server.get("/render?size=1", headers).headers["Content-Type"] == "application/problem+json"
    assert server.request("POST", "/render", b"x", AS_IMAGE[0]).headers["Content-Type"] == "application/problem+json"


def test_chromium_shows_the_card_of_a_broken_image(server, chromium):
    page = chromium.new_context().new_page()
    page.set_content(f'<img src="{server.url}/render?size=1">', wait_until="load")
    assert page.evaluate("document.images[0].naturalWidth") == 640
    page.context.close()


def test_effects_list_each_parameter(server):
    effects = {effect["name"]: effect for effect in server.get("/effects").json["effects"]}
    assert effects["typewriter"]["parameters"][2] == {
        "name": "interval",
        "type": "number",
        "unit": "s",
        "default": "auto",
        "earlierDefault": 0.1,
        "minimum": 0.001,
        "maximum": 10,
        "description": effects["typewriter"]["parameters"][2]["description"],
        "schema": {
            "anyOf": [{"type": "number", "minimum": 0.001, "maximum": 10}, {"type": "string", "const": "auto"}]
        },
    }
    for effect in effects.values():
        assert effect["title"]
        for parameter in effect["parameters"]:
            assert (
                parameter["type"] in ("number", "integer", "boolean", "string", "choice", "easing", "color", "keyframes")
                and parameter["description"]
            )
            assert parameter["type"] != "choice" or parameter["default"] in parameter["values"]
            derived = parameter["name"] in (
                "eraseInterval", "prompt", "keyframes", "charset", "fromPercent", "shimmerColor")
            assert (parameter["default"] is None) == derived
            needed = {"keyframes": [{"opacity": 0}]} if effect["name"] == "custom" else {}
            if not derived:
                request = {**needed, parameter["name"]: parameter["default"]}
                server.render("json", text="x", effect=effect["name"], **request)
            for bound in ("minimum", "maximum"):
                if bound in parameter:
                    outside = parameter[bound] + (1 if bound == "maximum" else -1)
                    server_says = server.post(
                        "/render", {"text": "x", "effect": effect["name"], **needed, parameter["name"]: outside}
                    )
                    assert (server_says.status, server_says.faults) == (400, [parameter["name"]])


def test_fonts_are_those_that_layout_finds(server):
    fonts = {font["family"]: font for font in server.get("/fonts").json["fonts"]}
    assert list(fonts) == sorted(fonts, key=str)
    assert {400, 700} <= set(fonts["DejaVu Sans"]["weights"])
    assert (fonts["DejaVu Sans"]["monospace"], fonts["DejaVu Sans Mono"]["monospace"]) == (False, True)
    for family in ("DejaVu Serif", "Noto Sans", "Noto Color Emoji"):
        assert family in fonts
        assert server.render("json", text="1", font=family).json["warnings"] == []


@pytest.mark.slow
def test_the_openapi_document_is_valid_and_complete(server):
    document = server.get("/openapi.json").json
    validate(document)
    assert document["openapi"].startswith("3.1")
    assert {"/render", "/embed", "/effects", "/fonts", "/health"} <= set(document["paths"])
    names = {one["$ref"].split("/")[-1] for one in document["paths"]["/render"]["get"]["parameters"]}
    effects = {
        parameter["name"] for effect in server.get("/effects").json["effects"] for parameter in effect["parameters"]
    }
    assert names == effects | set(server.parameters) - {"blocks", "captions"} | {"expires", "signature"}


def test_health(server):
    answer = server.get("/health")
    assert (answer.status, answer.json, answer.headers["Content-Type"]) == (200, {"status": "ok"}, "application/json")
