"""Fonts that vanish, come back and change while the service runs, and SIGHUP, which reads them anew."""

import concurrent.futures
import itertools
import signal
import threading

import pytest

from clients import LONG, Slow
from fonts import FontSet, families, hang_up
from service import until
from verdicts import identity, is_refusal

GONE = "Noto Sans Runic"
RUNES = "ᚠᚢᚦ"
fresh = itertools.count()


@pytest.fixture
def fonts(tmp_path):
    return FontSet(tmp_path)


@pytest.fixture
def service(start, fonts):
    return start("--workers", "2", environment=fonts.environment)


def rendering(service, font="DejaVu Sans", text="Ghosts, too", **request):
    return service.post("/render.svg", dict(text=text, font=font, **request))


def warnings(service, font, text):
    """The codes of a rendering's warnings."""
    return {warning["code"] for warning in service.render("json", font=font, text=text).json["warnings"]}


def succeeding(service, *arguments, **request):
    """The first rendering that is no error."""
    return until(lambda: (answer := rendering(service, *arguments, **request)).status == 200 and answer, "a picture")


def is_font_failure(answer):
    """Whether an answer says that a font could not be opened."""
    if answer.status != 503:
        return False
    assert is_refusal(answer) and answer.headers["Content-Type"] == "application/problem+json"
    title = answer.json["title"].lower()
    assert answer.json["status"] == 503 and "font" in title and "open" in title, answer.text
    return True


# MARK: Files that vanish and come back


def test_a_family_whose_file_is_gone_is_refused_and_nothing_else(start, fonts):
    healthy = start(environment=fonts.environment)
    service = start("--workers", "2", environment=fonts.environment)
    assert identity(rendering(service)) == identity(rendering(healthy))
    expected = rendering(healthy, GONE, RUNES)
    fonts.remove(GONE)
    for _ in range(4):
        assert is_font_failure(rendering(service, GONE, RUNES))
        for font, text in [("DejaVu Sans", "Ghosts"), ("Liberation Serif", "too"), ("Noto Sans Devanagari", "नमस्ते")]:
            text += str(next(fresh))
            assert identity(rendering(service, font, text)) == identity(rendering(healthy, font, text))
    fonts.add(GONE)
    assert identity(succeeding(service, GONE, RUNES)) == identity(expected)


def test_a_text_whose_only_font_is_gone_is_refused_whatever_family_it_names(start, fonts):
    """Its characters are in that font alone, so that a fallback would be an empty box."""
    service = start("--workers", "2", environment=fonts.environment)
    fonts.remove(GONE)
    for format in ("svg", "json", "png", "gif"):
        assert is_font_failure(service.post(f"/render.{format}", dict(text=RUNES)))


@pytest.mark.parametrize("style", [dict(italic=True), dict(weight=700), dict(weight=700, italic=True)], ids=str)
def test_a_font_that_vanishes_before_it_is_slanted_or_emboldened_is_refused(start, fonts, style):
    """The upright face is open already; what is drawn from it opens the file once more."""
    healthy = start(environment=fonts.environment)
    service = start("--workers", "1", environment=fonts.environment)
    assert rendering(service, GONE, RUNES).status == 200
    expected = rendering(healthy, GONE, RUNES, **style)
    fonts.remove(GONE)
    answer = rendering(service, GONE, RUNES, **style)
    assert identity(answer) == identity(expected) or is_font_failure(answer)
    fonts.add(GONE)
    assert identity(succeeding(service, GONE, RUNES, **style)) == identity(expected)


# MARK: Health


def failing(service, fonts):
    """Makes the service fail by a font that is gone."""
    fonts.remove(GONE)
    assert is_font_failure(rendering(service, GONE, RUNES))
    health = service.get("/health")
    assert (health.status, health.json["status"]) == (503, "failing")
    assert health.headers["Cache-Control"] == "no-store"
    reasons = health.json["reasons"]
    assert reasons and all(isinstance(reason, str) and reason for reason in reasons)


def test_health_says_why_it_fails_until_a_rendering_succeeds(start, fonts):
    service = start("--workers", "1", environment=fonts.environment)
    failing(service, fonts)

    def succeeds():
        assert rendering(service, text=f"another {next(fresh)}").status == 200
        return service.get("/health").json == {"status": "ok"}

    # A failing /health tries a rendering too, which may fail after one that succeeds.
    until(succeeds, "health")


def test_health_finds_by_itself_that_the_cause_is_gone(service, fonts):
    failing(service, fonts)
    fonts.add(GONE)
    until(lambda: service.get("/health").status == 200, "health")
    assert rendering(service, GONE, RUNES).status == 200


def test_a_fault_of_the_request_is_none_of_the_service(service):
    for request in (dict(size=1), dict(text="x" * 3000), dict(font="No Such Family"), dict(text="\U0010fffd")):
        rendering(service, **request)
        assert service.get("/health").json == {"status": "ok"}


# MARK: SIGHUP


def test_sighup_reads_the_fonts_anew(service, fonts):
    before, expected = rendering(service), rendering(service, GONE, RUNES)
    fonts.remove(GONE)
    hang_up(service)
    assert GONE not in families(service)
    assert "missing-font" in warnings(service, GONE, RUNES)
    assert rendering(service, GONE, RUNES).body != expected.body
    after = rendering(service)
    assert after.body == before.body and after.headers["ETag"] != before.headers["ETag"]
    assert service.get("/health").json == {"status": "ok"}
    fonts.add(GONE)
    hang_up(service)
    assert GONE in families(service)
    assert identity(rendering(service, GONE, RUNES)) == identity(expected)
    assert identity(rendering(service)) == identity(before)


def test_sighup_finds_a_family_that_is_new(start, tmp_path):
    fonts = FontSet(tmp_path, ["DejaVu Sans"])
    service = start(environment=fonts.environment)
    assert warnings(service, GONE, RUNES) == {"missing-font", "missing-glyph"}
    fonts.add(GONE)
    hang_up(service)
    assert families(service) == ["DejaVu Sans", GONE]
    assert warnings(service, GONE, RUNES) == set()


def test_sighup_without_a_change_changes_no_picture(service):
    before = rendering(service)
    for _ in range(3):
        hang_up(service)
        assert identity(rendering(service)) == identity(before)


def empty(fonts):
    for file in fonts.directory.iterdir():
        file.unlink()


def unparsable(fonts):
    fonts.configuration.write_text("<fontconfig><dir>")


@pytest.mark.parametrize("spoil", [empty, unparsable])
def test_a_broken_set_leaves_the_old_one(service, fonts, spoil):
    requests = [("DejaVu Sans", "Ghosts, too"), (GONE, RUNES), ("Noto Sans Thai", "สวัสดี")]
    before = [identity(rendering(service, *request)) for request in requests]
    listed = families(service)
    spoil(fonts)
    said = hang_up(service)
    assert any(line["level"] in ("warning", "error") for line in said), said
    assert families(service) == listed
    for request, expected in zip(requests, before):
        answer = rendering(service, *request)
        # A thread that has not opened the file yet cannot any more.
        assert identity(answer) == expected or spoil is empty and is_font_failure(answer)


def test_sighup_under_load_loses_nobody(service):
    """Renderings in flight keep their fonts, and a long file that has begun goes on."""
    expected = service.get(LONG).body
    over, faults, count = threading.Event(), [], itertools.count()

    def come():
        while not over.is_set():
            answer = rendering(service, text=f"under load {next(count)}")
            if answer.status != 200:
                faults.append(answer.text)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        clients = [pool.submit(come) for _ in range(4)]
        try:
            for number in range(5):
                slow = Slow(service, f"{LONG}&seed={number}")
                beginning = slow.answer.read(1000)
                hang_up(service)
                assert beginning + slow.rest() == expected
        finally:
            over.set()
        for client in clients:
            client.result()
    assert not faults, faults[0]
    assert service.stop() == 0


def test_many_signals_at_once_do_no_harm(service):
    before = rendering(service)
    for _ in range(50):
        service.process.send_signal(signal.SIGHUP)
    hang_up(service)
    assert identity(rendering(service)) == identity(before)


# MARK: Names


@pytest.mark.parametrize("name", ["Source Sans 3", "Highway 12px", "Lean italic"])
def test_a_warning_names_the_whole_family_that_stands_in(start, fonts, name):
    fonts.add_as(name, "DejaVu Sans")
    service = start(environment=fonts.environment)
    [warning] = service.render("json", text="Hi", font=f"Nowhere,{name}").json["warnings"]
    assert warning["message"] == f'no family "Nowhere"; used {name}'
