"""What answers say besides their content: names for files, kinds of errors, and times."""

import email.message
import re

import pytest

from service import REPOSITORY

KINDS = re.findall(
    r"^    case (\w+|`\w+`)(?: = \"([\w-]+)\")?$",
    (REPOSITORY / "Sources/Service/Problems/ProblemType.swift").read_text(), re.M,
)  # fmt: skip
ANCHORS = {anchor or name.strip("`") for name, anchor in KINDS}
# Texts, and the names that files of them have.
NAMES = {
    "Hello, World!": "Hello-World",
    "  …--a--b--… ": "a-b",
    "Grüße\nan Ada": "Grüße-an-Ada",
    "नमस्ते दुनिया": "नमस्ते-दुनिया",
    "مرحبا بالعالم": "مرحبا-بالعالم",
    "日本語 2026": "日本語-2026",
    "../../etc/passwd": "etc-passwd",
    '"; filename="x.exe': "filename-x-exe",
    "a\u202etxt.exe": "a-txt-exe",
    "word " * 40: "-".join(["word"] * 12),
    "🎉": None,
}
MALFORMED = {
    "invalid-parameters": "/render?size=0",
    "past-a-limit": "/render?text=" + "x" * 2001,
    "no-such-path": "/nothing",
    "no-such-format": "/render.bmp?text=a",
    "method-not-allowed": ("DELETE", "/render"),
    "unsupported-media-type": ("POST", "/render", b"<a/>", {"Content-Type": "text/xml"}),
    "range": ("GET", "/render.mp4?text=a&effect=none", None, {"Range": "bytes=99999999-"}),
}


def file_name(answer):
    """The name that a client gives a file: the one for all scripts, or else the plain one (RFC 6266)."""
    message = email.message.Message()
    message["Content-Disposition"] = answer.headers["Content-Disposition"]
    assert message.get_content_disposition() == "inline"
    extended = re.search(r"; filename\*=UTF-8''([!#$&+.^_`|~\w%-]+)$", answer.headers["Content-Disposition"], re.A)
    if not extended:
        return message.get_filename()
    message.replace_header("Content-Disposition", "inline" + extended[0])
    return message.get_filename()


@pytest.mark.parametrize("text", NAMES, ids=range(len(NAMES)))
def test_a_rendering_is_named_after_its_text(server, text):
    for extension in ("svg", "gif"):
        answer = server.render(extension, text=text, effect="none")
        assert 'filename="titlecard.%s"' % extension in answer.headers["Content-Disposition"]
        assert file_name(answer) == f"{NAMES[text] or 'titlecard'}.{extension}"


def test_the_name_is_the_same_wherever_the_rendering_comes_from(server):
    first = server.get("/render.png?text=One+name&effect=none")
    for answer in (
        server.get("/render.png?effect=none&text=One+name"),
        server.get(first.headers["Content-Location"]),
        server.post("/render.png", {"text": "One name", "effect": "none"}),
        server.request("HEAD", "/render.png?text=One+name&effect=none"),
    ):
        assert answer.headers["Content-Disposition"] == first.headers["Content-Disposition"]
    assert file_name(server.render("svg", text="One", title="Another")) == "One.svg"
    several = server.get("/render.svg?text=Ada+Lovelace&text=Analyst")
    assert file_name(several) == "Ada-Lovelace-Analyst.svg"


def test_markup_is_named_by_what_is_read(server):
    assert file_name(server.render("svg", text="<b>Bold</b> &amp; <i>thin</i>", markup=True)) == "Bold-thin.svg"


def test_a_browser_keeps_a_file_under_the_name(server, chromium):
    page = chromium.new_context().new_page()
    page.goto(f"{server.url}/health")
    page.set_content(f'<a href="{server.url}/render.svg?text=Grüße+an+Ada" download>keep</a>')
    with page.expect_download() as download:
        page.get_by_text("keep").click()
    assert download.value.suggested_filename == "Grüße-an-Ada.svg"
    page.context.close()


@pytest.mark.parametrize("kind", MALFORMED)
def test_the_type_of_a_problem_is_the_address_of_its_section(server, kind):
    sent = MALFORMED[kind]
    answer = server.request(*((sent if isinstance(sent, tuple) else ("GET", sent))))
    path, _, anchor = answer.json["type"].partition("#")
    assert (path, anchor) == ("/docs/errors.html", kind)
    assert f'id="{anchor}"'.encode() in server.get(path).body


def test_problems_of_the_protocol_have_a_type_too(server):
    for data in (b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/3\r\nHost: x\r\n\r\n"):
        assert b'"type":"/docs/errors.html#protocol"' in server.raw(data)


def test_every_type_has_a_section(server):
    page = server.get("/docs/errors.html").body.decode()
    assert len(ANCHORS) > 12 and {anchor for anchor in ANCHORS if f'id="{anchor}"' not in page} == set()
    sections = set(re.findall(r'<h2 id="([\w-]+)"', page)) - {"site-contents"}
    assert sections == ANCHORS


def test_types_are_absolute_with_a_public_address(start):
    service = start("--public-url", "https://cards.example/titles")
    [kind] = {service.get(target).json["type"].partition("#")[0] for target in ("/render", "/nothing")}
    assert kind == "https://cards.example/titles/docs/errors.html"


def test_times_are_told_only_where_no_shared_cache_may_store_them(start):
    def times(answer):
        field = answer.headers.get("Server-Timing", "")
        return field and re.fullmatch(r"(?:cache;desc=(\w+), )?total;dur=\d+(?:\.\d+)?", field)[1]

    service = start("--server-timing")
    assert times(service.get("/render?text=a")) == ""
    assert times(service.get("/render")) is None
    private = start("--server-timing", "--cache-control", "private, max-age=60")
    target = "/render.gif?text=Timed"
    found = [times(private.get(target)) for _ in range(2)]
    assert found == ["miss", "hit"]
    permalink = private.get(target).headers["Content-Location"]
    assert times(private.get(permalink)) == ""
    untold = start("--cache-control", "no-store")
    assert times(untold.get(target)) == "" and times(untold.get("/render")) == ""
