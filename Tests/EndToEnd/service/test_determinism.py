"""A request gives the same bytes in any process and in any order.

With TEST_PROOF=1 in the environment there are 200 requests instead of 16.
"""

import collections
import random

import pytest

from catalogue import catalogue_under_test
from random_requests import is_out_of_reach, within_limits
from service import by_proof

FORMATS = catalogue_under_test().extensions
REQUESTS = by_proof(8, 200)


def requests(server):
    generator = random.Random(2026)
    for seed in range(REQUESTS):
        request = within_limits(server, 1000 + seed)
        request |= {
            name: value
            for name, value in dict(
                width=generator.randint(200, 600),
                align=generator.choice(["left", "center", "right", "end"]),
                color=generator.choice(["tomato", "#123", "#12345678"]),
                background=generator.choice(["#fff", "navy", "transparent"]),
                darkColor="#eee",
                font=generator.choice(["DejaVu Serif", "Noto Sans", "No Such Family"]),
                letterSpacing=generator.choice([-1, 0, 2.5]),
                italic=True,
                weight=700,
                time=round(generator.uniform(0, 3), 2),
                scale=generator.choice([0.5, 1, 2]),
                title="A title",
            ).items()
            if generator.random() < 0.3
        }
        yield request


def answers(service, all_requests, order):
    """Returns bytes, ETag and permalink of every request in every format, requested in a random order."""
    pairs = [(number, format) for number in range(REQUESTS) for format in FORMATS]
    random.Random(order).shuffle(pairs)
    found = {}
    for number, format in pairs:
        answer = service.post(f"/render.{format}", all_requests[number])
        if is_out_of_reach(answer):
            continue
        assert answer.status == 200, answer.text
        found[number, format] = answer.body, answer.headers["ETag"], answer.headers["Content-Location"]
    return found


@pytest.mark.slow
def test_two_processes_give_the_same_bytes(server, start):
    all_requests = list(requests(server))
    other = start("--workers", "3", environment={"LANG": "de_DE.UTF-8", "LANGUAGE": "ja", "TZ": "Asia/Tokyo"})
    first, second = answers(server, all_requests, 1), answers(other, all_requests, 2)
    assert [key for key in first if first[key] != second[key]] == []
    assert first.keys() == second.keys()
    # Some formats refuse what others take; each has at least half of the requests, SVG all.
    rendered = collections.Counter(format for _, format in first)
    assert rendered["svg"] == REQUESTS and all(rendered[format] >= REQUESTS / 2 for format in FORMATS), rendered
    assert len({tag for _, tag, _ in first.values()}) == len(
        {(str(sorted(all_requests[number].items(), key=str)), format) for number, format in first}
    )
