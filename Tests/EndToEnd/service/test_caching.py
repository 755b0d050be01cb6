"""Permalinks, entity tags and compression: what caches and pages that embed rely on."""

import base64
import gzip
import http.client
import io
import json
import re
import zlib

import pytest

from catalogue import catalogue_under_test
from service import REPOSITORY, REVISION

FORMATS = catalogue_under_test().extensions
REQUEST = dict(text="Who you\ngonna call? é 👻", effect="slide", size=40, color="tomato", seed=3)
FOREVER = "public, max-age=31536000, immutable"
HOUR = "public, max-age=3600"


def identity(answer):
    return answer.headers["ETag"], answer.headers["Content-Location"]


@pytest.mark.parametrize("format", FORMATS)
def test_the_permalink_gives_the_same_bytes(server, format):
    answer = server.render(format, **REQUEST)
    link = server.get(answer.headers["Content-Location"])
    assert answer.headers["Content-Location"].endswith("." + format)
    assert (link.status, link.body, identity(link)) == (200, answer.body, identity(answer))
    assert (link.headers["Cache-Control"], answer.headers["Cache-Control"]) == (FOREVER, "public, max-age=86400")
    assert link.headers["Titlecard-Duration"] == answer.headers["Titlecard-Duration"]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_names_the_codes_of_its_warnings_once(server, format):
    """Made, kept, compressed, streamed, and without its content."""
    lines = [f"line {n} 👻 \U0010fffd" for n in range(12)]
    # On a ground, for a GIF without one has a warning of its own.
    for request, codes in [
        (dict(text="x"), None),
        (dict(text="x\U0010fffdy\U0010fffc", font="Comic Mono"), "missing-font, missing-glyph"),
        (dict(blocks=[dict(text=line, font="Nope") for line in lines], effect="fade"), "missing-font, missing-glyph"),
    ]:
        if format == "ass":  # no cursor, and no emoji in colour
            codes = ", ".join(filter(None, [codes, "unsupported"]))
        answers = [server.render(format, **request, background="#fff") for _ in range(2)]
        link = answers[0].headers["Content-Location"]
        answers += [server.request("HEAD", link), server.get(link, {"Accept-Encoding": "gzip"})]
        assert [(answer.status, answer.headers["Titlecard-Warnings"]) for answer in answers] == [(200, codes)] * 4


def content(answer):
    """What is in a permalink's token."""
    token = answer.headers["Content-Location"].rpartition("/")[2].rsplit(".", 1)[0]
    return zlib.decompress(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))).decode()


def test_a_token_is_the_canonical_request(server):
    request = dict(
        text="Hi",
        size=48,
        color="#FF0000",
        hold=1,
        effect="slide",
        distance=2,
        order="forward",
        format="svg",
        speed=1.50,
    )
    assert (
        content(server.render("png", **request))
        == '{"color":"#ff0000","distance":2,"effect":"slide","size":48,"speed":1.5,"text":"Hi"}'
    )
    assert content(server.render("svg", text="Hi", title="é")) == '{"text":"Hi","title":"é"}'


def test_a_token_may_be_made_by_others(server):
    for level in (0, 1, 9):
        token = (
            base64.urlsafe_b64encode(zlib.compress(json.dumps(REQUEST, indent=1).encode(), level)).rstrip(b"=").decode()
        )
        link = server.get(f"/r/{REVISION}/{token}.svg")
        assert (link.status, link.body) == (200, server.render("svg", **REQUEST).body)
        assert identity(link) == identity(server.render("svg", **REQUEST))


def test_a_permalink_too_long_for_a_target_is_left_out(server):
    text = "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(1000))
    assert len(server.render("svg", text=text, width=4000, size=4).headers["Content-Location"]) <= 8192
    title = "".join(chr(0x20000 + n * 7919 % 40000) for n in range(1000))
    assert server.render("svg", text=text, title=title, width=4000, size=4).headers["Content-Location"] is None


@pytest.mark.parametrize("option", ["--max-target", "--max-head"])
def test_no_permalink_is_sent_that_the_server_would_not_take(start, option):
    service = start(option, "300")
    lengths = []
    for count in range(100, 300):
        text = "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(count - 100))
        location = service.render("json", text=text or "x", animate=False).headers["Content-Location"]
        if location is None:
            break
        lengths.append(len(location))
        answer = service.raw(f"GET {location} HTTP/1.0\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 200 "), (len(location), answer[:100])
    assert max(lengths) > 250 and location is None


def test_no_permalink_is_sent_that_inflates_to_more_than_the_server_takes(server):
    def location(repeats):
        answer = server.post("/render.json?markup=true", "xx" + "<b/>" * repeats, kind="text/plain")
        assert answer.status == 200
        return answer.headers["Content-Location"]

    longest = (65_536 - len('{"markup":true,"text":"xx"}')) // len("<b/>")
    assert server.get(location(longest)).status == 200
    assert location(longest + 1) is None


@pytest.mark.parametrize(
    "one, other",
    [
        (
            dict(text="x"),
            dict(
                text="x",
                effect="typewriter",
                interval="auto",
                order="forward",
                by="glyph",
                jitter=0,
                punctuationPause=0,
            ),
        ),
        (
            dict(text="x"),
            dict(
                text="x",
                font="auto",
                size=40.0,
                weight="auto",
                italic=False,
                letterSpacing=0,
                lineHeight="auto",
                color="auto",
            ),
        ),
        (
            dict(text="x"),
            dict(
                text="x",
                padding=16,
                align="start",
                valign="middle",
                spacing=16,
                background="transparent",
            ),
        ),
        (
            dict(text="x"),
            dict(
                text="x",
                sequence="queue",
                gap=0,
                delay=0,
                hold=1,
                exit="between",
                loop=1,
                speed=1,
                seed=0,
                cursor="auto",
                cursorBlink=1,
            ),
        ),
        (
            dict(text="x"),
            dict(
                text="x",
                format="svg",
                fps=25,
                levels="auto",
                poster="auto",
                scale=1,
                time="end",
                animate=True,
                markup=False,
            ),
        ),
        (dict(text="x", color="red"), dict(text="x", color="#F00")),
        (dict(text="x", color="#ff0000"), dict(text="x", color="#ff0000FF")),
        (dict(text="x", color="rebeccapurple"), dict(text="x", color="#639")),
        (dict(text="x", background="#12345600"), dict(text="x")),
        (dict(text="x", size=20, hold=2), dict(hold=2.0, size=2e1, text="x")),
        (dict(text="x", effect="fade", easing="ease-in-out"), dict(text="x", effect="fade")),
        (dict(text="a\r\nb"), dict(text="a\nb")),
        (dict(text="a\u2028b\u2029c\rd"), dict(text="a\nb\nc\nd")),
        (dict(text="a\tb"), dict(text="a    b")),
        (
            dict(blocks=[dict(text="x"), dict(text="y")]),
            dict(blocks=[dict(text="x", effect="typewriter"), dict(text="y", size=40)]),
        ),
        (dict(text="x", color="#abc8"), dict(text="x", color="#AABBCC88")),
        (dict(text="x", font="DejaVu Sans,Noto Sans"), dict(text="x", font=" DejaVu Sans , Noto Sans ")),
    ],
    ids=str,
)
def test_equal_requests_are_one_for_caches(server, one, other):
    assert identity(server.render("svg", **one)) == identity(server.render("svg", **other))


def test_different_requests_are_not(server):
    requests = [
        dict(text="x"),
        dict(text="X"),
        dict(text="x "),
        dict(text="x", seed=1),
        dict(text="x", title="x"),
        dict(text="x", time=0),
        dict(text="x", darkColor="#24292f"),
        dict(text="x", effect="none"),
        dict(text="x", animate=False),
        dict(text="x", markup=True),
        dict(blocks=[dict(text="x"), dict(text="x")]),
        dict(text="x", hold=1.0001),
    ]
    tags = [identity(server.render(format, **request)) for request in requests for format in FORMATS]
    assert len(set(tags)) == len(tags) == len({tag for tag, _ in tags})


@pytest.mark.parametrize(
    "target", ["/render.svg?text=x", "/render.json?text=x", "/effects", "/fonts", "/openapi.json", "/", "/style.css"]
)
def test_text_is_gzipped_for_those_who_take_it(server, target):
    plain, packed = server.get(target), server.get(target, {"Accept-Encoding": "br, gzip"})
    assert (plain.headers["Content-Encoding"], packed.headers["Content-Encoding"]) == (None, "gzip")
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["ETag"] == plain.headers["ETag"][:-1] + '-gzip"'
    assert len(packed.body) == int(packed.headers["Content-Length"])


@pytest.mark.parametrize(
    "coding, expected",
    [
        ("gzip;q=0", None),
        ("identity", None),
        ("", None),
        ("br", None),
        ("*", "gzip"),
        ("gzip;q=0.1", "gzip"),
        ("*;q=0", None),
        ("GZIP", "gzip"),
        ("*;q=0, gzip", "gzip"),
        ("x-gzip", "gzip"),
    ],
)
def test_accept_encoding(server, coding, expected):
    assert server.get("/render.svg?text=x", {"Accept-Encoding": coding}).headers["Content-Encoding"] == expected


def test_pictures_are_not_gzipped(server):
    assert server.get("/render.png?text=x", {"Accept-Encoding": "gzip"}).headers["Content-Encoding"] is None


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "target",
    ["/render?text=x", "/render.json?text=x", "/render.png?text=x", "/effects", "/fonts", "/openapi.json", "/"],
)
@pytest.mark.parametrize("coding", [{}, {"Accept-Encoding": "gzip"}], ids=["plain", "gzip"])
def test_if_none_match(server, method, target, coding):
    tag = server.get(target).headers["ETag"]
    assert not tag.startswith("W/")
    for known in (tag, tag[:-1] + '-gzip"', f'"other", {tag}', f"W/{tag}", "*"):
        answer = server.request(method, target, headers={"If-None-Match": known, **coding})
        assert (answer.status, answer.body) == (304, b""), known
        assert answer.headers["ETag"] in (tag, tag[:-1] + '-gzip"')
        assert answer.headers["Cache-Control"]
    for unknown in ('"other"', tag[1:-1], tag[:-1] + '-br"'):
        assert server.request(method, target, headers={"If-None-Match": unknown, **coding}).status == 200, unknown


def of_revision(link, revision):
    """A permalink as another revision writes it; the first one wrote no number."""
    token = link.rpartition("/")[2]
    return f"/r/{revision}/{token}" if revision else f"/r/{token}"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("revision, lifetime", [(REVISION, FOREVER), (1, HOUR), (None, HOUR)])
def test_a_permalink_up_to_the_servers_revision_is_drawn(server, method, revision, lifetime):
    for format in FORMATS:
        answer = server.render(format, text="x", effect="fade")
        own = answer.headers["Content-Location"]
        link = of_revision(own, revision)
        assert own.startswith(f"/r/{REVISION}/") and (link == own) == (revision == REVISION)
        # An older one has the defaults of its time.
        defaults = "" if revision == REVISION else "&defaults=0.3"
        for coding in ({}, {"Accept-Encoding": "gzip"}):
            got = server.request(method, link, headers=coding)
            expected = server.request(method, f"/render.{format}?text=x&effect=fade{defaults}", headers=coding)
            assert (got.status, got.body, identity(got)) == (200, expected.body, identity(expected))
            assert got.headers["Cache-Control"] == lifetime
            known = {"If-None-Match": got.headers["ETag"], **coding}
            unchanged = server.request(method, link, headers=known)
            assert (unchanged.status, unchanged.body, identity(unchanged)) == (304, b"", identity(got))
            assert unchanged.headers["Cache-Control"] == lifetime


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("revision", [REVISION + 1, 10, 65535])
def test_a_permalink_of_a_newer_revision_is_not_drawn_and_not_kept(server, method, revision):
    """Whatever its token is: a newer server may take what this one does not."""
    own = server.render("svg", text="x").headers["Content-Location"]
    others = [f"/r/{REVISION}/{'A' * length}.svg" for length in (4, 5000)]
    for link in (own, own + "?size=20", *others):
        for headers in ({}, {"If-None-Match": "*"}):
            answer = server.request(method, link.replace(f"/{REVISION}/", f"/{revision}/"), headers=headers)
            assert answer.status == 503
            assert (answer.headers["Cache-Control"], answer.headers["Retry-After"]) == ("no-store", "10")
            assert [answer.headers[name] for name in ("ETag", "Content-Location")] == [None, None]
            if method == "GET":
                assert answer.faults == ["revision"] and str(revision) in answer.text
                assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "revision", ["0", "02", "+2", "-1", "2.0", "2x", "x", "", "%32", "٢", " ", "65536", "9" * 19, "9" * 400]
)
def test_a_malformed_revision_is_an_unknown_path(server, revision):
    token = server.render("svg", text="x").headers["Content-Location"].rpartition("/")[2]
    answer = server.raw(f"GET /r/{revision}/{token} HTTP/1.0\r\n\r\n".encode())
    unknown = 404 if revision.isascii() and revision != " " else 400  # 400 by the wire
    assert answer.startswith(b"HTTP/1.1 %d " % unknown) and b"Cache-Control: no-store" in answer, answer
    assert server.get(f"/r/{REVISION}/{token}").status == 200


def test_no_error_is_kept(start):
    """Each status of an error that clients can cause, as JSON and as a picture, through the guards of each address."""
    service = start("--mcp", "--only-presets", "--rate-limit", "0.001", "--rate-burst", "1", "--trusted-proxies",
                    "127.0.0.1", "--head-timeout", "1")  # fmt: skip
    film = "/render.mp4?text=x&preset=nord"
    known = {"If-None-Match": "*", "If-Match": '"x"'}
    json_ = {"Content-Type": "application/json"}
    requests = [
        (400, "GET", "/render?text=x&size=1", known), (400, "GET", "/render", {}), (400, "GET", "/embed", {}),
        (400, "GET", "/countdown.gif?to=x", {}), (400, "POST", "/mcp", {**json_, "Accept": "*/*"}),
        (403, "POST", "/render", json_), (403, "GET", "/typing?lines=x", known), (403, "GET", "/r/x.svg", known),
        (404, "GET", "/nowhere", known), (404, "GET", "/render.bmp", {}), (405, "PUT", "/render", {}),
        (405, "GET", "/batch", {}), (406, "GET", "/render?text=x", {"Accept": "text/html"}),
        (415, "POST", "/mcp", {"Content-Type": "text/plain", "Accept": "*/*"}),
        (416, "GET", film, {"Range": "bytes=9999999-"}), (422, "GET", "/render?text=" + "x" * 2001, known),
    ]  # fmt: skip
    answers = []
    for number, (status, method, target, headers) in enumerate(requests):
        for accept in ([headers["Accept"]] if "Accept" in headers else ["*/*", "image/svg+xml"]):
            client = {"X-Forwarded-For": f"192.0.2.{number}" if accept == "*/*" else f"198.51.100.{number}"}
            body = b"{}" if method != "GET" else None
            answer = service.request(method, target, body, {"Accept": accept, **client, **headers})
            assert answer.status == status, (target, answer.text)
            answers.append((answer.status, answer.headers))
            again = service.request(method, target, body, {"Accept": accept, **client, **headers})
            assert again.status == 429, (target, again.text)
            answers.append((again.status, again.headers))
    tail = b"Host: x\r\nConnection: close\r\n"
    for status, data in [
        (400, b"GET / HTTP/1.1\r\n\r\n"), (408, b"GET / HTTP/1.1\r\nHost"), (414, b"GET /" + b"a" * 9000),
        (411, b"POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n" + tail + b"\r\n"),
        (413, b"POST /render HTTP/1.1\r\nContent-Length: 99999999\r\n" + tail + b"\r\n"),
        (417, b"POST /render HTTP/1.1\r\nExpect: x\r\nContent-Length: 1\r\n" + tail + b"\r\n"),
        (431, b"GET / HTTP/1.1\r\n" + b"".join(b"X%d: y\r\n" % n for n in range(200)) + tail + b"\r\n"),
        (501, b"POST /render HTTP/1.1\r\nTransfer-Encoding: br\r\n" + tail + b"\r\n"),
        (505, b"GET / HTTP/2.0\r\n" + tail + b"\r\n"),
    ]:
        head = service.raw(data).partition(b"\r\n\r\n")[0]
        line, _, fields = head.partition(b"\r\n")
        assert line.startswith(b"HTTP/1.1 %d " % status), head
        answers.append((status, http.client.parse_headers(io.BytesIO(fields + b"\r\n\r\n"))))
    for status, headers in answers:
        assert headers.get_all("Cache-Control") == ["no-store"], (status, headers)
        assert [headers[name] for name in ("ETag", "Last-Modified", "Expires", "Content-Location")] == [None] * 4
    statuses = (REPOSITORY / "Sources/HTTP/Message/Response.swift").read_text()
    possible = {int(code) for code in re.findall(r"= Status\((\d+), ", statuses)}
    # The unit tests have the others, of which 500 is a fault of the program.
    assert {status for status, _ in answers} == {code for code in possible if code >= 400} - {500, 503}


def test_a_permalink_answers_304_and_a_post_never(server):
    answer = server.render("svg", text="x")
    known = {"If-None-Match": answer.headers["ETag"]}
    assert server.get(answer.headers["Content-Location"], known).status == 304
    assert server.post("/render.svg", {"text": "x"}, headers=known).status == 200


def test_the_duration_is_the_cycle_of_the_json(server):
    answer = server.render("json", **REQUEST)
    assert float(answer.headers["Titlecard-Duration"]) == answer.json["duration"]
    assert server.render("svg", **REQUEST).headers["Titlecard-Duration"] == answer.headers["Titlecard-Duration"]
