"""A service that cannot render does not start, and says why; nor does it accept what it would never answer."""

import os

import pytest

import failing_calls
from catalogue import catalogue_under_test
from commands import ends, render
from failing_calls import FailingCalls, Trial, is_abort_of_glib
from fonts import FontSet
from mixed_requests import MIXED
from service import free_port
from verdicts import answers

EX_UNAVAILABLE = 69
# Threads that a service may start at most on its way, and some more.
THREADS = range(1, 13)


@pytest.fixture
def no_fonts(tmp_path):
    return FontSet(tmp_path, []).environment


def test_without_any_font_serve_ends_before_it_listens(no_fonts):
    outcome = ends("serve", "--port", free_port(), environment=no_fonts)
    assert outcome.returncode > 0 and "no font" in outcome.stderr.lower()


@pytest.mark.parametrize("format", catalogue_under_test().extensions)
def test_without_any_font_render_says_so_and_writes_nothing(no_fonts, tmp_path, format):
    directory = tmp_path / "out"
    directory.mkdir()
    outcome = render("Hi", "-o", directory / f"x.{format}", **no_fonts)
    assert outcome.returncode == EX_UNAVAILABLE and "no font" in outcome.stderr.decode().lower()
    assert outcome.stdout == b"" and os.listdir(directory) == []


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return failing_calls.build(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize("workers", ["1", "3"])
@pytest.mark.parametrize("thread", THREADS)
def test_a_thread_that_cannot_be_started_ends_the_start_or_is_not_missed(library, tmp_path, thread, workers):
    """GLib, which Pango starts threads with, ends the process by itself when it cannot have one."""
    calls = FailingCalls(library, tmp_path, "pthread_create", thread)
    service = Trial("--workers", workers, "--cache-size", "0", patience=5, environment=calls.environment)
    try:
        found = answers(service, MIXED[:4], timeout=5) if service.is_serving else []
        if service.has_ended:
            status, said = service.process.returncode, service.logged()
            assert is_abort_of_glib(status, said) or status > 0 and said.strip() and "listening" not in said, said[-500:]
        else:
            assert service.is_serving, service.logged()
            assert {getattr(answer, "status", answer) for answer in found} == {200}
            assert service.stop() == 0
    finally:
        service.process.kill()
        service.process.wait()
