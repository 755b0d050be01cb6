"""Which format answers, and the bodies that a request may come in."""

import json

import pytest

SVG, JSON, PNG, WEBP = "image/svg+xml", "application/json", "image/png", "image/webp"
IMAGE_TAG = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"  # Chromium's <img>
ADDRESS_BAR = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8"
FIREFOX_IMAGE = "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
SAFARI_IMAGE = "image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"


@pytest.mark.parametrize(
    "target, accept, kind",
    [
        ("/render?text=x", None, SVG),
        ("/render?text=x", "*/*", SVG),
        ("/render?text=x", "image/*", SVG),
        ("/render?text=x", JSON, JSON),
        ("/render?text=x", PNG, PNG),
        ("/render?text=x", "application/*", JSON),
        ("/render?text=x", IMAGE_TAG, SVG),
        ("/render?text=x", ADDRESS_BAR, SVG),
        ("/render?text=x", FIREFOX_IMAGE, SVG),
        ("/render?text=x", SAFARI_IMAGE, SVG),
        ("/render?text=x", "image/png;q=0.5, application/json;q=0.9", JSON),
        ("/render?text=x", "application/json, image/svg+xml", SVG),
        ("/render?text=x", "image/svg+xml;q=0.1, */*;q=0.5", JSON),
        ("/render?text=x", "image/svg+xml;q=0, */*", JSON),
        ("/render?text=x", "IMAGE/PNG", PNG),
        ("/render?text=x", "text/html, image/png;q=0.1", PNG),
        ("/render?text=x&format=json", PNG, JSON),
        ("/render?text=x", "image/webp, application/json;q=0.1", JSON),
        ("/render.webp?text=x", ADDRESS_BAR, WEBP),
        ("/render?text=x&format=webp", PNG, WEBP),
        ("/render?text=x&format=png", None, PNG),
        ("/render?text=x&format=svg", JSON, SVG),
        ("/render.png?text=x", JSON, PNG),
        ("/render.json?text=x&format=png", SVG, JSON),
        ("/render.svg?text=x", "text/html", SVG),
        ("/render.svg?text=x&format=json", None, SVG),
    ],
)
def test_format(server, target, accept, kind):
    answer = server.get(target, {"Accept": accept} if accept else {})
    assert (answer.status, answer.headers["Content-Type"]) == (200, kind)


@pytest.mark.parametrize(
    "target, headers, vary",
    [
        ("/render?text=x", {}, {"accept", "accept-encoding"}),
        ("/render.svg?text=x", {}, {"accept-encoding"}),
        ("/render.png?text=x", {}, set()),
        ("/render?text=x&format=json", {}, {"accept-encoding"}),
        ("/effects", {}, {"accept", "accept-encoding"}),
        ("/parameters", {}, {"accept-encoding"}),
    ],
)
def test_vary_names_what_decides(server, target, headers, vary):
    field = server.get(target, headers).headers.get("Vary", "")
    assert {name.strip().lower() for name in field.split(",") if name.strip()} == vary


def test_a_format_in_the_body(server):
    assert server.post("/render", {"text": "x", "format": "png"}).headers["Content-Type"] == PNG


def test_every_way_to_send_a_request_gives_the_same_answer(server):
    expected = server.post("/render", {"text": "Hi there & más", "size": 20, "italic": True})
    same = [
        server.get("/render?text=Hi+there+%26+m%C3%A1s&size=20&italic=true"),
        server.get("/render?italic=true&size=2e1&text=Hi%20there%20%26%20m%c3%a1s"),
        server.post("/render", "text=Hi+there+%26+m%C3%A1s&size=20.0&italic=true", "application/x-www-form-urlencoded"),
        server.post("/render?size=20&italic=true", "Hi there & más\n", "text/plain"),
        server.post("/render?size=20&italic=true", "Hi there & más\r\n", "text/plain; charset=UTF-8"),
        server.post(
            "/render?size=20",
            json.dumps({"text": "Hi there & más", "italic": True}),
            'application/json; charset="utf-8"',
        ),
        server.post("/render", '{"size": 20.0, "text": "Hi there \\u0026 m\\u00e1s", "italic": true}'),
    ]
    for answer in same:
        assert (answer.status, answer.body) == (200, expected.body)
        assert answer.headers["Content-Location"] == expected.headers["Content-Location"]


def test_the_last_of_duplicate_keys_counts(server):
    answer = server.post("/render", '{"size":40,"text":"x","size":20,"text":"y"}')
    assert answer.headers["Content-Location"] == server.render("svg", text="y", size=20).headers["Content-Location"]


def test_a_body_may_come_chunked(server):
    answer = server.raw(
        b"POST /render.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        b'Transfer-Encoding: chunked\r\n\r\n6;a=b\r\n{"text\r\n6\r\n":"x"}\r\n0\r\nTrailer: x\r\n\r\n'
    )
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(server.post("/render.json", {"text": "x"}).body)


def test_plain_text_loses_one_final_line_break(server):
    def text(body):
        return server.post("/render.json", body, "text/plain").json["blocks"][0]["text"]

    assert (text("a\n"), text("a\n\n"), text("\na")) == ("a", "a\n", "\na")


def test_repeated_text_gives_several_blocks(server):
    blocks = server.get("/render.json?text=one&text=two&effect=fade").json["blocks"]
    assert [(block["text"], block["effect"]) for block in blocks] == [("one", "fade"), ("two", "fade")]


@pytest.mark.parametrize(
    "target",
    [
        "/render?text=x",
        "/render.json?text=x",
        "/render.png?text=x",
        "/render.webp?text=x&animate=false",
        "/effects",
        "/fonts",
        "/openapi.json",
        "/health",
        "/",
        "/render?size=1",
        "/nowhere",
    ],
)
@pytest.mark.parametrize("coding", [{}, {"Accept-Encoding": "gzip"}], ids=["plain", "gzip"])
def test_head_equals_get_without_its_body(server, target, coding):
    get, head = (server.request(method, target, headers=coding) for method in ("GET", "HEAD"))
    assert (head.status, head.body) == (get.status, b"")
    assert [(n, v) for n, v in head.headers.items() if n not in ("Date", "X-Request-Id")] == [
        (n, v) for n, v in get.headers.items() if n not in ("Date", "X-Request-Id")
    ]


@pytest.mark.parametrize(
    "target, methods",
    [
        ("/render", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("/render.svg", {"GET", "HEAD", "POST", "OPTIONS"}),
        ("/effects", {"GET", "HEAD", "OPTIONS"}),
        ("/r/x.svg", {"GET", "HEAD", "OPTIONS"}),
        ("/", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_methods_are_named(server, target, methods):
    options, wrong = server.request("OPTIONS", target), server.request("DELETE", target)
    assert (options.status, wrong.status) == (204, 405)
    for answer in (options, wrong):
        assert {name.strip() for name in answer.headers["Allow"].split(",")} == methods


@pytest.mark.parametrize(
    "target, vary",
    [("/render?text=vary", "Accept, Accept-Encoding"), ("/render.svg?text=vary", "Accept-Encoding"),
     ("/render?text=vary&format=json", "Accept-Encoding"), ("/render.gif?text=vary", None), ("/typing?lines=vary", "Accept-Encoding")],
)
def test_all_answers_of_a_url_vary_alike(server, target, vary):
    """Or a cache could keep one of them for all."""
    tag, statuses = server.get(target).headers["ETag"], set()
    for accept in ["*/*", SVG, JSON, PNG, "image/gif", IMAGE_TAG, ADDRESS_BAR, "text/css"]:
        for further in [{}, {"Accept-Encoding": "gzip"}, {"If-None-Match": tag}, {"If-None-Match": "*"}, {"Range": "bytes=0-1"}]:
            for method in ["GET", "HEAD"]:
                answer = server.request(method, target, None, {"Accept": accept, **further})
                statuses.add(answer.status)
                assert answer.headers["Vary"] == vary, (accept, further, method)
    assert {200, 304} <= statuses <= {200, 304, 406}
