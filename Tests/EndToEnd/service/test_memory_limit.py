"""Where the system gives no more memory, an answer is right or refused, or the process ends by what has no other way.

GLib and Swift end a process that they cannot allocate for, and say so; some C libraries use the null pointer. How each
run ended is printed (pytest -s). With TEST_PROOF=1 in the environment there are ten runs for each limit.
"""

import random
import re
import resource
import signal
import subprocess

import pytest

from emoji import LINES
from failing_calls import Trial, is_abort_of_glib
from mixed_requests import MIXED
from verdicts import Healthy, answers

# MiB of address space; a service at rest takes some 420.
LIMITS = [500, 600, 700]
RUNS = 10
DRAIN = 10
WAVE = dict(text="Large", effect="wave")
LARGE = [
    ("svg", dict(text=LINES, size=40, maxWidth="none", interval=0.01)),
    ("json", dict(text=LINES, size=41, maxWidth="none", interval=0.01)),
    ("png", dict(text=LINES[:300], size=42, maxWidth="none", interval=0.01)),
    ("gif", dict(text=LINES[:200], size=43, maxWidth="none", interval=0.01, hold=0.1, fps=5)),
    ("gif", dict(WAVE, size=120, fps=25)),
    ("apng", dict(WAVE, size=100, fps=10)),
    ("webp", dict(WAVE, size=110, fps=10)),
]
REQUESTS = LARGE + MIXED[::2]


@pytest.fixture(scope="module")
def healthy(server):
    return Healthy(server, REQUESTS)


def limit(mebibytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))


def kind_of_end(status, said):
    """Who has ended the process for want of memory; none where it was not for that."""
    if is_abort_of_glib(status, said):
        return "GLib"
    if status == -signal.SIGABRT and re.search(r"Fatal error: failed to allocate \d+ bytes", said):
        return "Swift"
    if status == -signal.SIGSEGV:
        caller = re.search(r"crashed:\n\n *0 .* in (\S+)", said)
        if caller is None or caller[1].startswith("lib") and "libswift" not in caller[1]:
            return caller[1] if caller else "something that left no backtrace"
    if status > 0 and "listening" not in said and said.strip():
        return "the service, before it listened"
    return None


@pytest.mark.slow
@pytest.mark.parametrize("mebibytes", LIMITS)
@pytest.mark.parametrize("seed", range(RUNS))
def test_under_a_limit_an_answer_is_right_or_refused(healthy, mebibytes, seed):
    order = list(range(len(REQUESTS)))
    random.Random(seed).shuffle(order)
    service = Trial("--workers", "2", "--drain-timeout", str(DRAIN), preexec_fn=limit(mebibytes))
    try:
        found = dict(zip(order, answers(service, [REQUESTS[index] for index in order], clients=6)))
        false = healthy.false([found[index] for index in range(len(REQUESTS))])
        assert not false, f"{len(false)} answers, such as {false[:3]}"
        if not service.has_ended:
            service.process.send_signal(signal.SIGTERM)
            assert service.process.wait(timeout=DRAIN + 1) == 0
            return
        status, said = service.process.returncode, service.logged()
        end = kind_of_end(status, said)
        print(f"{mebibytes} MiB: ended with {status} by {end}")
        assert end, f"ended with {status}: {said[-1000:]}"
    except subprocess.TimeoutExpired:
        pytest.fail("SIGTERM does not end it")
    finally:
        service.process.kill()
        service.process.wait()
