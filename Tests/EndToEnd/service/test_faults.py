"""Whatever call for a file or a mapping fails, a picture is right or it is an error.

One process is one run: it answers the same requests several times, and one call of its whole life, from its start to
SIGTERM, fails; or a few in a row, for libraries try in another way what has failed once. A sample of the calls is
drawn; with TEST_PROOF=1 in the environment it is 500 runs.
"""

import random
import signal
import subprocess

import pytest

import failing_calls
from failing_calls import FailingCalls, Trial, is_abort_of_glib
from mixed_requests import ARABIC, CHINESE, DEVANAGARI, EMOJI, THAI
from service import PUBLIC, sample
from verdicts import Healthy, answers

FUNCTIONS = "open,openat,mmap,fopen,opendir"
OPTIONS = ("--cache-size", "0", "--workers", "2", "--drain-grace", "0", "--drain-timeout", "5")
RUNS = 500
SAMPLE = 40
PASSES = 3
PATIENCE = 10  # seconds for one answer, and for the end
TIMES = [1, 1, 2, 4]  # of calls that fail in a row
COMMON = dict(hold=0.1, size=20, levels=4, speed=4)
REQUESTS = [
    (format, {**COMMON, **request})
    for format, request in [
        ("svg", dict(text="Who you gonna call?")),
        ("svg", dict(text=ARABIC, font="Noto Sans Arabic", italic=True)),
        ("json", dict(text=DEVANAGARI, font="Noto Sans Devanagari", weight=700, italic=True)),
        ("png", dict(text=THAI, font="Noto Sans Thai", width=120)),
        ("gif", dict(text=CHINESE, font="Noto Sans CJK SC", italic=True)),
        ("apng", dict(text=EMOJI, font="Noto Color Emoji", effect="pop")),
        ("webp", dict(text="Ghosts\ntoo", font="DejaVu Sans Mono", weight=700, effect="rise")),
        ("lot", dict(text="Ghosts, too", font="Liberation Serif", italic=True)),
        ("svg", dict(text="ᚠᚢᚦ", font="Noto Sans Runic", weight=700)),
        ("json", dict(text=f"שלום {EMOJI}", font="DejaVu Serif")),
        ("png", dict(text=f"<u>{THAI}</u> <i>x</i> {EMOJI}", markup=True, font="Noto Sans Mono", width=200)),
    ]
]

# What a service reads at its start is asked for too.
TARGETS = ["/fonts"] + ["/" + str(file.relative_to(PUBLIC)) for file in sorted(PUBLIC.rglob("*")) if file.is_file()]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return failing_calls.build(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="module")
def healthy(server):
    return Healthy(server, REQUESTS + TARGETS)


class Run:
    """One life of a process."""

    def __init__(self, library, directory, healthy, call=None, times=1):
        self.calls = FailingCalls(library, directory, FUNCTIONS, call, times)
        self.healthy = healthy
        self.faults = []
        self.service = Trial(*OPTIONS, environment=self.calls.environment)
        try:
            if self.service.is_serving:
                for _ in range(PASSES):
                    self.ask_all()
            elif not self.service.has_ended:
                self.faults.append(f"neither serves nor ends, saying {self.service.logged()!r}")
            self.check_end(self.end())
        finally:
            self.service.process.kill()
            self.service.process.wait()

    def ask_all(self):
        is_after = self.calls.are_over
        found = answers(self.service, self.healthy.requests, timeout=PATIENCE)
        self.faults += self.healthy.false(found)
        if self.service.has_ended:
            return
        self.faults += [repr(answer) for answer in found if isinstance(answer, Exception)]
        if is_after:
            self.faults += [("after the failure", *fault) for fault in self.healthy.wrong(found)]

    def end(self):
        """The exit status; a process that SIGTERM does not end in time is killed."""
        if not self.service.has_ended:
            self.service.process.send_signal(signal.SIGTERM)
        try:
            return self.service.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.faults.append("SIGTERM does not end it")
            return 0

    def check_end(self, status):
        said = self.service.logged()
        has_listened = "listening" in said
        if status == 0 and (has_listened or self.faults):
            return
        if status > 0 and not has_listened and said.strip():
            return
        if is_abort_of_glib(status, said):
            return
        self.faults.append(f"ended with {status}, saying {said[-500:]!r}")


def test_nothing_is_wrong_where_nothing_fails(library, healthy, tmp_path):
    run = Run(library, tmp_path, healthy)
    assert run.faults == [] and run.calls.count > 100 and not run.calls.are_over


@pytest.mark.slow
def test_a_call_that_fails_makes_an_error_or_nothing(library, healthy, tmp_path):
    # How the threads share the work decides how often some files are opened.
    whole = max(Run(library, tmp_path, healthy).calls.count for _ in range(3))
    draw = random.Random(10)
    chosen = sample([(draw.randint(1, whole), draw.choice(TIMES)) for _ in range(RUNS)], SAMPLE)
    found = []
    for call, times in chosen:
        run = Run(library, tmp_path, healthy, call, times)
        if run.faults:
            found.append(
                f"{times} from call {call} on, {run.calls.description}: {len(run.faults)} faults, such as {run.faults[0]}"
            )
    assert not found, "\n".join([f"{len(found)} of {len(chosen)} runs", *found])
