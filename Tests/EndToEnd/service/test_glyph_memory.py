"""What is kept of glyphs is bounded in bytes, whatever sizes, fonts and emoji are asked for.

The random requests are a sample; with TEST_PROOF=1 in the environment they are 1,000 over all fonts.
"""

import random
import statistics
import time

import pytest

from emoji import EMOJI, LINES
from metrics import Metrics
from mixed_requests import MIXED, TEXTS
from process_tree import MEGABYTE, resident
from service import by_proof, sample
from verdicts import Healthy, answers

pytestmark = pytest.mark.alone

# Of a burst at its height, and of the process when it rests again; further, what more requests of the same kind add.
HEIGHT, REST, GROWTH = 180 * MEGABYTE, 100 * MEGABYTE, 15 * MEGABYTE
# Seconds without work after which the process rests.
PATIENCE = 10


def burst(format, count, **request):
    """Requests for many emoji, in one size after another."""
    common = dict(text=LINES, effect="reveal", interval=0.01, maxWidth="none", **request)
    return [(format, dict(common, size=60 + number / 10)) for number in range(count)]


BURSTS = {
    "drawings": burst("json", 8) + burst("svg", 8),
    "pictures": burst("png", 2, scale=0.5) + burst("gif", 2, scale=0.5, fps=5),
}


def all_answered(service, requests, clients=1):
    found = answers(service, requests, clients)
    assert {getattr(answer, "status", answer) for answer in found} == {200}


@pytest.fixture(scope="module")
def bursts(start):
    """For each burst the service that has had it, its memory at the height, and the time of its end."""
    ended = {}
    for kind, requests in BURSTS.items():
        service = start("--workers", "2")
        all_answered(service, requests)
        ended[kind] = service, resident(service.worker, "VmHWM"), time.monotonic()
    return ended


def test_there_are_enough_emoji():
    assert len(set(EMOJI)) == 1100


@pytest.mark.parametrize("kind", BURSTS)
def test_a_burst_of_emoji_takes_no_more_than_its_share(bursts, kind):
    _, height, _ = bursts[kind]
    assert height < HEIGHT, f"{height / MEGABYTE:.0f} MiB"


@pytest.mark.parametrize("kind", BURSTS)
def test_after_a_burst_of_emoji_the_memory_comes_back(bursts, kind):
    service, _, end = bursts[kind]
    while (held := resident(service.worker)) >= REST:
        assert time.monotonic() < end + PATIENCE, f"{held / MEGABYTE:.0f} MiB at rest"
        time.sleep(0.05)


def random_request(seed, families):
    """Any font, size and emoji, with a text in one of many scripts."""
    draw = random.Random(seed)
    text = draw.choice(TEXTS)["text"] + " " + "".join(draw.sample(EMOJI, draw.randint(0, 40)))
    request = dict(
        text=text,
        font=draw.choice(families),
        size=round(draw.uniform(4, 70), 1),
        weight=draw.choice([100, 400, 700]),
        italic=draw.random() < 0.3,
        width=1000,
        interval=0.01,
        hold=0.1,
        fps=5,
        scale=0.5,
    )
    return draw.choice(["svg", "json", "png", "gif"]), request


def test_random_requests_over_all_fonts_sizes_and_emoji_add_nothing(start, server):
    everything = [family["family"] for family in server.get("/fonts").json["fonts"]]
    random.Random(10).shuffle(everything)
    # All of them have been met before half of the requests are over.
    families = sample(everything, 20)
    requests = [random_request(seed, families) for seed in range(by_proof(300, 1000))]
    # Full before half of the requests are over.
    cache = 64 * len(requests) // 1000
    service = start("--workers", "2", "--cache-size", "0", "--glyph-cache", str(cache))
    all_answered(service, BURSTS["drawings"])

    def growth():
        """What the second half of the requests adds."""
        held = []
        for first in range(0, len(requests), 4):
            all_answered(service, requests[first : first + 4], clients=2)
            held.append(resident(service.worker))
        tenth = len(held) // 10
        middle, end = statistics.median(held[len(held) // 2 - tenth : len(held) // 2]), statistics.median(held[-tenth:])
        print(f"from {middle / MEGABYTE:.0f} to {end / MEGABYTE:.0f} MiB")
        return end - middle

    # What is rendered at once differs from run to run, and so does how the heap lies: what leaks does so each time.
    assert growth() < GROWTH or growth() < GROWTH


def test_a_small_cache_of_glyphs_gives_the_same_bytes_and_keeps_to_its_size(start, server):
    requests = MIXED[:: len(MIXED) // 50] + [
        (format, dict(text=LINES[first : first + 200], size=30 + first / 40, interval=0.01, maxWidth="none", hold=0))
        for first in range(0, 1000, 200)
        for format in ("svg", "png")
    ]
    healthy = Healthy(server, requests)
    service = start("--glyph-cache", "1", "--cache-size", "0")
    for _ in range(2):
        assert healthy.wrong(answers(service, requests)) == []
        metrics = Metrics(service.get("/metrics").text)
        assert metrics("titlecard_glyph_cache_bytes") <= metrics("titlecard_glyph_cache_capacity_bytes") == MEGABYTE
