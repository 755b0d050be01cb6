"""Countdowns: the seconds up to an instant, as another implementation of time zones counts them."""

import datetime
import io
import random
import re
import time
import zoneinfo

import pytest
from PIL import Image

from service import by_proof, query, until

ZONES = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia", "America/St_Johns",
    "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Chatham",
]  # fmt: skip


def texts_of(server, **parameters):
    """The texts, each of a second, and the seconds between which they were made."""
    before = int(time.time())
    answer = server.get(f"/countdown.json?{query(parameters)}")
    after = int(time.time())
    assert answer.status == 200, answer.text
    return [block["text"] for block in answer.json["blocks"]], (before, after)


def seconds_of(text):
    days, hours, minutes, seconds = map(int, re.fullmatch(r"(\d+)d (\d\d):(\d\d):(\d\d)", text).groups())
    assert hours < 24 and minutes < 60 and seconds < 60
    return 86_400 * days + 3600 * hours + 60 * minutes + seconds


def moments():
    """Times by the clocks of zones: any, and some around the changes of their offsets."""
    draw = random.Random("countdown")
    for number in range(by_proof(40, 200)):
        zone = zoneinfo.ZoneInfo(ZONES[number % len(ZONES)])
        moment = datetime.datetime(2035, 1, 1) + datetime.timedelta(seconds=draw.randrange(600 * 86_400))
        if number % 2:
            # The next change of the offset, if there is one, and a time within two hours of it.
            hours = (moment + datetime.timedelta(hours=hour) for hour in range(366 * 24))
            change = next((one for one in hours if one.replace(tzinfo=zone).utcoffset()
                           != (one + datetime.timedelta(hours=1)).replace(tzinfo=zone).utcoffset()), moment)
            moment = change + datetime.timedelta(seconds=draw.randrange(-7200, 7200))
        yield moment, zone


def test_it_counts_as_another_implementation_does(server):
    for moment, zone in moments():
        to = moment.isoformat(timespec="seconds")
        texts, (before, after) = texts_of(server, to=to, zone=zone.key)
        end = int(moment.replace(tzinfo=zone).timestamp())
        first = seconds_of(texts[0])
        # The server's clock ticks some milliseconds later.
        assert end - after <= first <= end - before + 1, (to, zone.key)
        assert [seconds_of(text) for text in texts] == [*range(first, first - 60, -1)]


def soon(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%S")


def test_it_ends_with_what_is_said_after(server):
    texts, _ = texts_of(server, to=soon(10), text="T minus {s}", after="Lift-off")
    assert 8 <= len(texts) <= 12
    assert texts == [f"T minus {left}" for left in range(len(texts) - 1, 0, -1)] + ["Lift-off"]
    assert texts_of(server, to="2001-01-01")[0] == ["0d 00:00:00"]
    assert texts_of(server, to="2001-01-01", after="Over")[0] == ["Over"]


@pytest.mark.parametrize("text, pattern", [
    ("{h} hours", r"\d{4,} hours"), ("{dd}:{hh}", r"\d{3,}:\d\d"), ("{m}/{ss}", r"\d{6,}/\d\d"),
    ("{x} {d} {", r"\{x\} \d{3,} \{"), ("{s}", r"\d{8,}"), ("no time", "no time"),
])  # fmt: skip
def test_the_largest_unit_has_all_that_is_left(server, text, pattern):
    texts, _ = texts_of(server, to="2099-01-01T00:00", text=text)
    assert all(re.fullmatch(pattern, one) for one in texts)


def durations_of(file):
    """The milliseconds of each frame, all of which are decoded."""
    picture = Image.open(io.BytesIO(file))
    durations = []
    for frame in range(picture.n_frames):
        picture.seek(frame)
        picture.load()
        durations.append(round(picture.info["duration"]))
    return durations


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
def test_each_frame_is_a_second(server, format):
    answer = server.get(f"/countdown.{format}?{query(dict(to='2099-12-31', size=20, preset='nord'))}")
    assert answer.status == 200, answer.text
    durations = durations_of(answer.body)
    assert 59_900 <= sum(durations) <= 60_100 and 59 <= len(durations) <= 61
    assert all(abs(duration - 1000) <= 20 for duration in durations[:58])


@pytest.mark.parametrize("look", [
    {}, dict(mark="box"), dict(preset="neon"), dict(preset="lower-third"), dict(bar="left"), dict(path="arc(90deg)"),
    dict(codeLanguage="swift", lineNumbers=True),
])  # fmt: skip
def test_each_text_stands_for_a_second(server, look):
    scene = server.get(f"/countdown.json?{query(dict(to='2099-12-31', **look))}").json
    assert scene["duration"] == 60
    assert [block["enterStart"] for block in scene["blocks"]] == [*range(60)]


@pytest.mark.parametrize("look", [{}, dict(flip=True), dict(easing="linear", preset="neon"), dict(text="{s}", preset="card")])
def test_digits_roll_in_the_first_part_of_each_second(server, look):
    answer = server.get(f"/countdown.json?{query(dict(to='2099-12-31', effect='roll', **look))}")
    assert answer.status == 200, answer.text
    scene = answer.json
    assert scene["duration"] == 60
    assert [block["enterStart"] for block in scene["blocks"]] == [*range(60)]
    # The easing of a preset is for another effect.
    moves = [each[name] for each in scene["glyphs"] for name in ("offsetY", "scaleY") if name in each]
    assert moves and all(keyframe.get("easing") != "hold" for move in moves for keyframe in move[:-1])
    assert {round(block["enterEnd"] - block["enterStart"], 4) for block in scene["blocks"]} == {0.4}
    # What a text has to turn through is one digit, but for where a unit begins anew.
    texts = [block["text"] for block in scene["blocks"]]
    changed = [sum(a != b for a, b in zip(old[::-1], new[::-1])) for old, new in zip(texts, texts[1:])]
    decoys = [sum(each["role"] == "decoy" and each["block"] == block for each in scene["glyphs"]) for block in range(1, 60)]
    if not look.get("flip"):
        assert all(more >= few for more, few in zip(decoys, changed))
    assert sum(each["role"] == "decoy" and each["block"] == 0 for each in scene["glyphs"]) == 0


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
def test_the_first_frame_is_true_and_digits_roll_between_seconds(server, format):
    answer = server.get(f"/countdown.{format}?{query(dict(to='2099-12-31', effect='roll', size=20, fps=20))}")
    assert answer.status == 200, answer.text
    durations = durations_of(answer.body)
    assert 59_900 <= sum(durations) <= 60_100
    # A second has its digits for 0.6 s, and frames between them.
    assert sum(duration > 550 for duration in durations) == 60
    assert len(durations) > 60 * 5


def test_what_rolling_decides_is_not_taken(server):
    wrong = dict(to="2099-12-31", effect="roll", turns=2, duration=1, flip=True)
    answer = server.get(f"/countdown.gif?{query(wrong)}")
    assert answer.status == 400 and sorted(answer.faults) == ["duration", "turns"], answer.text
    answer = server.get(f"/countdown.gif?{query(dict(to='2099-12-31', flip=True))}")
    assert answer.status == 400 and answer.faults == ["flip"], answer.text


def test_the_document_lists_what_it_takes(server):
    document = server.get("/openapi.json").json
    listed = document["paths"]["/countdown.{extension}"]["get"]["parameters"]
    names = [one.get("name") or one["$ref"].split("/")[-1] for one in listed]
    assert {"to", "zone", "after", "size", "preset", "signature"} <= {*names}
    for name in set(names) & set(server.parameters) - {"text"}:
        answer = server.get(f"/countdown.json?{query({'to': '2099-12-31', name: '?'})}")
        assert "must not be given for a countdown" not in answer.text, name


def test_nobody_keeps_it_for_longer_than_a_second(server):
    target = f"/countdown.gif?{query(dict(to='2099-12-31', zone='Europe/Berlin'))}"
    first = server.get(target)
    assert first.headers["Cache-Control"] == "public, max-age=1"
    assert first.headers["Content-Location"] is None

    def another():
        answer = server.get(target)
        return answer if answer.headers["ETag"] != first.headers["ETag"] else None

    assert until(another, "another countdown").body != first.body


@pytest.mark.parametrize("parameters, names", [
    ({}, ["to"]), (dict(to="tomorrow"), ["to"]), (dict(to="2035-02-29"), ["to"]), (dict(to="1969-12-31"), ["to"]),
    (dict(to="2035-01-01T24:00"), ["to"]), (dict(to="2035-01-01", zone="Mars/Olympus"), ["zone"]),
    *((dict(to="2035-01-01", zone=zone), ["zone"]) for zone in [
        "../../etc/passwd", "/etc/localtime", "//etc/localtime", "Europe/../Europe/Berlin", "Europe", "Europe/", "/", ".",
        "-", "Europe/Berlin/", "Europe/Berlin\0", "leapseconds", "tzdata.zi", "right/UTC", "EST5EDT,M3.2.0,M11.1.0", "<+03>-3",
        "UTC+99999999999999999999", "GMT+25", "A" * 65, "a/" * 33, ":UTC", "TZ=UTC", "Europe/B\u00e9rlin",
    ]),
    (dict(to="2035-01-01", effect="slide"), ["effect"]), (dict(to="2035-01-01", size=1), ["size"]),
    (dict(to="2035-01-01", blocks="[]", hold=3), ["blocks", "hold"]), (dict(to="2035-01-01", tu=1), ["tu"]),
    (dict(to="2001-01-01", after=" "), ["after"]), (dict(to="2099-01-01", after=" "), ["after"]), (dict(to="2035-01-01", text=" "), ["text"]),
])  # fmt: skip
def test_what_is_wrong_is_named(server, parameters, names):
    answer = server.get(f"/countdown.gif?{query(parameters)}")
    assert answer.status == 400 and answer.faults == names, answer.text


@pytest.mark.parametrize("look", [{}, dict(effect="roll"), dict(preset="card", size=60), dict(maxBytes=300_000)])
def test_a_mail_shows_the_present_second_first(server, look):
    request = dict(to="2099-12-31", **look)
    answer = server.get(f"/countdown.gif?{query(request | {'for': 'email'})}")
    assert answer.status == 200 and len(answer.body) <= 200_000, answer.text
    picture = Image.open(io.BytesIO(answer.body))
    assert picture.width == 600 or "scale" in answer.headers["Titlecard-Fitted"]
    assert picture.info.get("loop") is None and picture.n_frames >= 60
    durations = durations_of(answer.body)
    assert 59_900 <= sum(durations) <= 60_100 and durations[0] > 500


@pytest.mark.parametrize("parameters, names", [
    ({"for": "slides"}, ["for"]), ({"for": "nowhere"}, ["for"]), ({"for": "email", "width": 500}, ["width"]),
    ({"for": "email", "minCycle": 90}, ["minCycle"]),
    ({"for": "email", "frames": "auto"}, ["frames"]),
])  # fmt: skip
def test_a_mail_keeps_its_rules(server, parameters, names):
    answer = server.get(f"/countdown.gif?{query(dict(to='2099-12-31') | parameters)}")
    assert answer.status == 400 and answer.faults == names, answer.text


def test_marks_of_all_seconds_count(server):
    text = "<mark>a</mark><mark>b</mark>{s}"
    answer = server.get(f"/countdown.gif?{query(dict(to='2099-01-01', markup=True, text=text))}")
    assert answer.status == 422 and answer.faults == ["text"], answer.text


def test_a_text_that_is_too_long_in_sixty_seconds_is_past_a_limit(server):
    answer = server.get(f"/countdown.gif?{query(dict(to='2099-01-01', text='{s} ' + 'x' * 40))}")
    assert answer.status == 422 and answer.faults == ["text"], answer.text


def test_it_is_signed_as_it_was_sent(start):
    service = start("--only-presets", environment={"TITLECARD_SIGNING_KEY": "a key of the tests"})
    assert service.get("/countdown.gif?to=2099-01-01&preset=nord").status == 200
    assert service.get("/countdown.gif?to=2099-01-01&size=20").faults == ["size"]
