"""Invariants of every scene under extreme requests; and the warning of flashes."""

import pytest

import extreme_requests
from random_requests import EFFECTS, NUMBERS


@pytest.mark.parametrize("seed", range(extreme_requests.COUNT))
def test_what_holds_of_every_scene(server, seed):
    extreme_requests.what_holds_of_every_scene(server, seed)


FLASHING = {
    "a short loop": dict(text="BOO", effect="none", size=200, loop="infinite", delay=0.05, hold=0.05),
    "a loop of four a second": dict(text="BOO", effect="none", size=200, loop="infinite", delay=0.125, hold=0.12),
    "a sparkle in a loop": dict(
        text="BOO", effect="secret", size=200, loop="infinite", hold=0, tick=0.01, maxTicks=5, exit="auto"
    ),
    "many cycles": dict(text="BOO", effect="none", size=200, loop=9, delay=0.05, hold=0.05),
    "a fade in a loop": dict(
        text="BOO", effect="reveal", by="all", size=200, loop="infinite", delay=0.1, hold=0.1, exit="none"
    ),
    "decoys": dict(text="BOO", effect="scramble", size=200, lead=3, tick=0.05, charset="WM", interval=0),
    "small letters, but many": dict(
        text="boo " * 40, effect="none", size=32, width=600, loop="infinite", delay=0.05, hold=0.05
    ),
}
STEADY = {
    "a small text in a short loop": dict(text="Boo", effect="none", size=32, loop="infinite", delay=0.05, hold=0.05),
    "a short loop once": dict(text="BOO", effect="none", size=200, delay=0.05, hold=0.05),
    "a loop of three a second": dict(text="BOO", effect="none", size=200, loop="infinite", delay=0.17, hold=0.17),
    "a large text that stands": dict(text="BOO", effect="none", size=200, loop="infinite"),
    "still": dict(text="BOO", effect="none", size=200, loop="infinite", delay=0.05, hold=0.05, animate=False),
}


def warned(server, request):
    return [warning["code"] for warning in server.render("json", **request).json["warnings"]]


@pytest.mark.parametrize("name", FLASHING)
def test_what_flashes_warns(server, name):
    assert warned(server, FLASHING[name]) == ["flashing"]


@pytest.mark.parametrize("name", STEADY)
def test_what_does_not_flash_does_not_warn(server, name):
    assert warned(server, STEADY[name]) == []


@pytest.mark.parametrize("effect", EFFECTS)
def test_no_effect_flashes_by_default(server, effect):
    for size in (32, 100):
        for more in ({}, dict(exit="auto"), dict(exit="auto", loop="infinite")):
            request = dict(text="Who you gonna call?", effect=effect, size=size, **more)
            codes = warned(server, request | NUMBERS.get(effect, {}))
            assert "flashing" not in codes, (size, more)
