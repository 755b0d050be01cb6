"""Requests are told apart by their bytes: what Unicode or a case mapping holds for the same has answers of its own."""

import json
import random
import unicodedata
import urllib.parse

import pytest

from service import sample

# Code points that are canonically equivalent to others, and those that a case mapping takes for ASCII.
SINGLETONS = [chr(code) for code in [*range(0xF900, 0xFA6E), 0x2126, 0x212A, 0x212B, 0x2329, 0x232A, 0x37E, 0x1FEF]]
SINGLETONS = [each for each in SINGLETONS if unicodedata.normalize("NFC", each) != each]
COMPOSED = [chr(code) for code in range(0xC0, 0x1EF9) if len(unicodedata.normalize("NFD", chr(code))) == 2]
COMPOSED = [each for each in COMPOSED if unicodedata.normalize("NFC", each) == each]
SYLLABLES = [chr(code) for code in range(0xAC00, 0xD7A4, 97)]
MARKS = [("a\u0323\u0301", "a\u0301\u0323"), ("q\u0307\u0323", "q\u0323\u0307"), ("ש\u05bc\u05c1", "ש\u05c1\u05bc")]
CASES = [("K", "\u212a"), ("k", "\u212a"), ("s", "\u017f"), ("i", "\u0130"), ("I", "\u0131"), ("A", "a"), ("É", "é")]
PARAMETERS = ["text", "text", "text", "font", "title", "charset", "lines"]


def pairs(count):
    """Draws pairs of requests that differ in the form of their texts alone."""
    generator = random.Random(23)
    found = []
    while len(found) < count:
        kind = generator.randrange(5)
        if kind == 0:
            one = generator.choice(SINGLETONS)
            other = unicodedata.normalize("NFC", one)
        elif kind in (1, 2):
            one = generator.choice(COMPOSED if kind == 1 else SYLLABLES)
            other = unicodedata.normalize("NFD", one)
        else:
            one, other = generator.choice(MARKS if kind == 3 else CASES)
        parameter = generator.choice(PARAMETERS)
        before, after = generator.choice(["", "x", "Hi "]), generator.choice(["", "y", " z"])
        if parameter == "charset":
            before, after = before.strip(), after.strip()
        both = [before + each + after for each in (one, other)]
        generator.shuffle(both)
        found.append((len(found), parameter, *both))
    return found


def target(number, parameter, text):
    if parameter == "lines":
        return "/typing?" + urllib.parse.urlencode({"lines": f"{number} {text}"})
    values = {"text": f"{number}", parameter: text}
    if parameter == "text":
        values["text"] = f"{number} {text}"
    if parameter == "charset":
        values["effect"] = "scramble"
    return "/render.svg?" + urllib.parse.urlencode(values)


@pytest.fixture(scope="module")
def uncached(start):
    return start("--cache-size", "0")


def shown(answer):
    return answer.status, answer.headers["ETag"], answer.headers["Content-Location"], answer.body


def test_requests_that_unicode_holds_for_the_same_have_answers_of_their_own(server, uncached):
    for number, parameter, one, other in sample(pairs(2000), 100):
        targets = [target(number, parameter, text) for text in (one, other)]
        warm = [server.get(each) for each in targets]
        again = [server.get(each) for each in targets]
        fresh = [uncached.get(each) for each in targets]
        for path, first, second, alone in zip(targets, warm, again, fresh):
            assert first.status == 200, (path, first.body)
            assert shown(first) == shown(second) == shown(alone), path
        tags, locations = ({answer.headers[name] for answer in warm} for name in ("ETag", "Content-Location"))
        assert len(tags) == len(locations) == 2, targets
        for path, own, foreign in zip(targets, warm, reversed(warm)):
            assert server.get(path, {"If-None-Match": own.headers["ETag"]}).status == 304
            assert server.get(path, {"If-None-Match": foreign.headers["ETag"]}).status == 200
        for answer in warm:
            assert server.get(answer.headers["Content-Location"]).body == answer.body


@pytest.mark.parametrize(
    "query",
    [
        {"color": "BLAC\u212a"},
        {"color": "\u212ahaki"},
        {"effect": "\u017flide"},
        {"cursor": "bloc\u212a"},
        {"fontFeatures": "\u212aern=0"},
        {"shadow": "1px 1px blac\u212a"},
        {"background": "linear-gradient(to top\u0301, red, blue)"},
        {"easing": "step\u017f(3)"},
    ],
)
def test_keywords_have_no_case_but_that_of_ascii(server, query):
    assert server.get("/render?" + urllib.parse.urlencode({"text": "a", **query})).status == 400


def test_a_line_ends_at_the_separator_itself(server):
    def lines(text):
        answer = server.get("/typing?" + urllib.parse.urlencode({"lines": text, "format": "json"}))
        return len(json.loads(answer.body)["blocks"])

    assert lines("a;b") == 2
    # GREEK QUESTION MARK, which is canonically equivalent to a semicolon.
    assert lines("a\u037eb") == 1
    # A mark that combines with the separator belongs to the next line.
    assert lines("a;\u0301b") == 2


def test_members_of_an_object_are_told_apart_by_their_bytes(server):
    body = '{"text":"a","\u212a":1,"K":2}'.encode()
    answer = server.post("/render", body)
    names = [fault["parameter"] for fault in json.loads(answer.body)["errors"]]
    assert names == ["K", "\u212a"]


def test_faults_are_bounded(server):
    for body, type in [
        (b"a&" * 30_000, "application/x-www-form-urlencoded"),
        (json.dumps({"text": "a", **{f"name{n}": n for n in range(3500)}}).encode(), "application/json"),
        ("&".join(f"n{n}" for n in range(9000)).encode(), "application/x-www-form-urlencoded"),
    ]:
        answer = server.post("/render", body, type)
        errors = json.loads(answer.body)["errors"]
        assert answer.status == 400
        assert len(errors) <= 64
        assert len(answer.body) <= 16_384
        if len(errors) == 64:
            assert errors[-1]["parameter"] == "request"
    assert sum("did you mean" in fault["message"] for fault in errors) <= 8
