"""`/canonical` and `titlecard canonical`: what a request means, and the key under which caches keep its picture."""

import os
import subprocess

import pytest

from service import BINARY, PATIENCE, REVISION, query

KEY = {"TITLECARD_SIGNING_KEY": "a key of the tests"}
# Of each list all mean the same.
ALIKE = [
    [
        "/render.svg?text=Hi&effect=slide",
        "/render.svg?effect=slide&text=Hi&direction=up",
        "/render.svg?text=%48i&effect=slide&size=40.0&hold=1",
        "/render.svg?text=Hi&effect=slide&format=svg",
    ],
    ["/render.gif?text=a+b&color=red&fps=25", "/render.gif?fps=25&text=a%20b&color=%23ff0000", "/render.gif?text=a+b&color=%23F00"],
    ["/render.png?text=one&text=two", "/render.png?format=png&text=one&text=two"],
    ["/typing?lines=a;b", "/?lines=a;b", "/typing?lines=a%3Bb&unknown=1"],
]


def titlecard(*arguments, **environment):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
                          env={**os.environ, **environment})


@pytest.mark.parametrize("targets", ALIKE, ids=lambda targets: targets[0])
def test_what_means_the_same_has_one_key_location_and_tag(server, targets):
    answers = [server.get("/canonical" + target) for target in targets]
    pictures = [server.get(target) for target in targets]
    assert {answer.status for answer in answers + pictures} == {200}
    for answer, picture in zip(answers, pictures):
        assert answer.json["key"] == answer.headers["Titlecard-Key"] == picture.headers["ETag"].strip('"')
        assert answer.json["location"] == answer.headers["Titlecard-Location"] == picture.headers["Content-Location"]
        assert answer.json["key"].startswith(f"{REVISION}-")
        for field in ["Cache-Control", "Vary"]:
            assert answer.headers[field] == picture.headers[field]
        assert answer.headers["ETag"] is None and answer.headers["Content-Location"] is None
    assert len({answer.body for answer in answers}) == 1
    assert len({picture.body for picture in pictures}) == 1
    # The permalink means the same, and a query alone is one of /render.
    again = server.get("/canonical" + answers[0].json["location"])
    assert again.json == answers[0].json


def test_a_query_alone_is_one_of_render(server):
    request = {"text": "Hi", "effect": "slide", "format": "gif"}
    assert server.get("/canonical?" + query(request)).json == server.get("/canonical/render.gif?text=Hi&effect=slide").json


def test_formats_and_what_differs_have_keys_of_their_own(server):
    targets = ["/render.svg?text=a", "/render.gif?text=a", "/render.svg?text=b", "/render.svg?text=a&seed=2",
               "/render.svg?text=e%CC%81", "/render.svg?text=%C3%A9"]
    assert len({server.get("/canonical" + target).json["key"] for target in targets}) == len(targets)


def test_accept_chooses_the_format(server):
    answers = {accept: server.get("/canonical/render?text=a", {"Accept": accept})
               for accept in ["image/gif", "image/svg+xml", "*/*"]}
    assert [answer.json["format"] for answer in answers.values()] == ["gif", "svg", "svg"]
    assert all("Accept" in answer.headers["Vary"] for answer in answers.values())


@pytest.mark.parametrize(
    "target, status",
    [("/render.svg", 400), ("/render.svg?text=a&size=0", 400), ("/r/2/nonsense.svg", 400), (f"/r/{REVISION + 1}/a.svg", 503),
     ("/health", 404), ("/canonical?text=a", 404), ("/canonical/render?text=a", 404), ("/", 404), ("//", 404),
     ("/render.film?text=a", 404), ("/embed?text=a", 404), ("/metrics", 404), ("/%C3%BC", 404)],
)
def test_what_is_wrong_is_said_as_of_the_picture(server, target, status):
    answer = server.get("/canonical" + target)
    assert answer.status == status and answer.headers["Cache-Control"] == "no-store"
    if not target.startswith("/canonical") and status != 404:
        picture = server.get(target)
        assert (answer.status, answer.json) == (picture.status, picture.json)


def test_only_get_and_head_are_answered(server):
    assert server.post("/canonical", {"text": "a"}).status == 405
    head = server.request("HEAD", "/canonical?text=a")
    assert (head.status, head.body) == (200, b"") and head.headers["Titlecard-Key"]


def test_nothing_is_rendered(start):
    service = start()
    assert service.get("/canonical/render.gif?text=never").status == 200
    assert "titlecard_render_seconds_count" not in service.get("/metrics").text


# MARK: Signatures


def test_the_signature_is_that_of_the_picture(start):
    service = start(environment=KEY)

    def sign(target):
        return titlecard("sign", target, **KEY).stdout.strip()

    target = "/render.svg?text=signed"
    assert service.get("/canonical" + target).status == 403
    signed = service.get("/canonical" + sign(target))
    assert signed.status == 200 and "?signature=" in signed.json["location"]
    assert service.get(signed.json["location"]).status == 200
    assert service.get("/canonical" + signed.json["location"]).json == signed.json
    assert service.get("/canonical" + sign(target)[:-4] + "AAAA").status == 403
    # A query alone is signed as it is sent.
    alone = service.get(sign("/canonical?text=signed&format=svg"))
    assert alone.json == signed.json
    # That of the question is none of the picture, and the other way round.
    assert service.get("/canonical?text=signed&" + sign(target).split("&")[-1]).status == 403
    assert service.get(target + "&" + sign("/canonical?text=signed").split("&")[-1]).status == 403


def test_what_came_unsigned_gets_no_signed_address(start):
    service = start("--only-presets", environment=KEY)
    answer = service.get("/canonical/render.svg?text=plain&preset=og")
    assert answer.status == 200 and answer.json["location"] is None and answer.headers["Titlecard-Location"] is None
    assert answer.json["key"] == service.get("/render.svg?text=plain&preset=og").headers["ETag"].strip('"')
    signed = titlecard("sign", "/render.svg?text=plain&preset=og", **KEY).stdout.strip()
    assert "signature=" in service.get("/canonical" + signed).json["location"]
    assert service.get("/canonical/render.svg?text=plain&size=20").status == 400


# MARK: Keys of caches


def test_a_picture_is_not_kept_under_the_key_of_another(server):
    target = "/render.svg?text=kept"
    key = server.get("/canonical" + target).json["key"]
    own = server.get(target, {"Titlecard-Key": key})
    assert own.status == 200 and own.headers["Cache-Control"].startswith("public")
    for other in [key[:-1] + "_", f"{REVISION - 1}-{key[2:]}", "nonsense", ""]:
        answer = server.get(target, {"Titlecard-Key": other})
        assert (answer.status, answer.body) == (200, own.body)
        assert answer.headers["Cache-Control"] == "no-store"
    newer = server.get(target, {"Titlecard-Key": f"{REVISION + 1}-{key[2:]}"})
    assert newer.status == 503 and newer.headers["Retry-After"] and newer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("option, field, separator", [("surrogate-key", "Surrogate-Key", " "), ("cache-tag", "Cache-Tag", ",")])
def test_tags_are_an_option(start, server, option, field, separator):
    service = start("--cache-tags", option)
    answer = service.get("/render.gif?text=tagged")
    key = answer.headers["ETag"].strip('"')
    assert answer.headers[field].split(separator) == ["titlecard", "format-gif", key]
    assert service.get("/render.gif?text=tagged", {"If-None-Match": f'"{key}"'}).headers[field]
    assert server.get("/render.gif?text=tagged").headers[field] is None


# MARK: The command


@pytest.mark.parametrize("targets", ALIKE, ids=lambda targets: targets[0])
def test_the_command_prints_what_the_service_answers(server, targets):
    location = server.get("/canonical" + targets[0]).json["location"]
    for target in targets:
        for written in [target, "https://any.host" + target]:
            outcome = titlecard("canonical", written)
            assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, location + "\n", "")
    outcome = titlecard("canonical", targets[0], "--public-url", "https://cards.example/t")
    assert outcome.stdout == f"https://cards.example/t{location}\n"


def test_the_command_says_what_is_wrong():
    for arguments, message in [
        (["/render.svg?text=a&size=0"], "error: size: must be from 4 to 400 px; got \"0\""),
        (["/nowhere"], "error: No such path"),
        (["render?text=a"], "the URL must have a path"),
        (["/render.svg?text=ü"], "the URL must be percent-encoded"),
    ]:
        outcome = titlecard("canonical", *arguments)
        assert outcome.returncode == 64 and message in outcome.stderr, outcome.stderr
