"""Abuse and overload, in short; what they cost in time is measured by `make soak` and `make bench`."""

import subprocess
import sys

import pytest

from service import BINARY, REPOSITORY, by_proof

pytestmark = pytest.mark.alone


def passes(name, *options):
    """Runs a benchmark that judges by itself what the server promised."""
    command = [sys.executable, REPOSITORY / "Benchmarks" / name, BINARY, "--without-times", *options]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


@pytest.mark.slow
def test_normal_traffic_does_not_notice_abuse_and_nothing_stays_behind():
    # As a proof half a minute each.
    passes("soak.py", "--first", by_proof("4", "30"), "--seconds", by_proof("4", "30"))


@pytest.mark.slow
def test_overload_is_refused_and_nothing_hangs():
    """Four times the work that the server can do."""
    passes("overload.py", "--seconds", "8")
