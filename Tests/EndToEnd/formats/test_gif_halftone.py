"""A GIF on a transparent ground, without a matte, takes nothing from any page: its pixels are all or nothing."""

import numpy
import pytest

from frames import COLORFUL, EMOJI, INK, LETTERS, STYLE, answer, by_giflib, by_pillow, instant_of, sampled, scene_of, still
from PIL import ImageColor
from random_requests import EFFECTS, NUMBERS

NEAR = 2  # how far an alpha of the PNG may be from a threshold, of 255, for either to be right


def gif(server, request, **more):
    return answer(server, "gif", **request, **more)


def moments(server, request):
    """When some frames start, what the GIF shows then, and the PNG of that instant."""
    shown, scene = by_giflib(gif(server, request).body), scene_of(server, request)
    whole = by_pillow(answer(server, "apng", **request).body)
    for start in sampled(whole.starts):
        yield start, shown.at(start), still(server, request, instant_of(request, start, scene, whole.end))


def colours(pixels):
    """The colours of what is opaque."""
    return {tuple(int(part) for part in pixel[:3]) for pixel in pixels[pixels[..., 3] == 255]}


def warnings(response):
    return (response.headers["Titlecard-Warnings"] or "").split(", ")


@pytest.mark.parametrize("effect", ["typewriter", "slide", "rise", "drop", "flip", "draw", "none"])
def test_edges_are_cut_at_half(server, effect):
    """Where nothing fades, a pixel shows in the ink's own colour exactly where half of it is covered."""
    request = dict(text="Boo, who?", font="DejaVu Sans", size=40, color=INK, padding=12, effect=effect, hold=0.2)
    for start, shown, wanted in moments(server, request):
        opaque, alpha = shown[..., 3] == 255, wanted[..., 3].astype(int)
        assert (opaque | (shown[..., 3] == 0)).all()
        assert colours(shown) <= {ImageColor.getrgb(INK)}, start
        assert not (opaque & (alpha == 0)).any(), start
        if effect in ("typewriter", "none"):
            assert not (opaque & (alpha < 128 - NEAR)).any() and not (~opaque & (alpha > 127 + NEAR)).any(), start


def test_what_fades_dissolves_in_proportion_and_no_pixel_flickers(server):
    request = dict(text="\u2588", font="DejaVu Sans Mono", size=80, effect="fade", by="all", hold=0.1)
    before = numpy.zeros(1, bool)
    for start, shown, wanted in moments(server, request):
        inside = wanted[..., 3] == (most := wanted[..., 3].max())
        opaque = shown[..., 3] == 255
        if most:
            share = opaque[inside].mean()
            assert abs(share - most / 255) < 0.02, (start, share, most / 255)
        assert not (before & ~opaque).any(), start
        before = opaque


@pytest.mark.parametrize("shadow", ["0 0 24px #0af", "4px 6px 12px #0008", "2px 3px 0 #0003"])
def test_glows_and_soft_or_pale_shadows_are_left_out(server, shadow):
    request = dict(text="Boo", size=60, width=240, height=160, color="#f06", effect="none")
    bare, shaded = by_giflib(gif(server, request).body), by_giflib(gif(server, request, shadow=shadow).body)
    assert (shaded.frames[-1][..., 3] == 255).sum() <= 1.4 * (bare.frames[-1][..., 3] == 255).sum()
    assert (bare.frames[-1][..., 3] <= shaded.frames[-1][..., 3]).all()


def test_a_sharp_dark_shadow_and_an_outline_stay(server):
    request = dict(text="Boo", size=60, color="#f06", effect="none", shadow="6px 6px 0 #024", outlineWidth=4, outlineColor="#fff")
    (frame,) = by_giflib(gif(server, request).body).frames
    assert {(255, 0, 102), (0, 34, 68), (255, 255, 255)} <= colours(frame)


def test_translucent_ink_shows(server):
    (frame,) = by_giflib(gif(server, dict(text="pale", size=40, color="#ff006640", effect="none")).body).frames
    assert colours(frame) == {(255, 0, 102)}


@pytest.mark.parametrize("more", [COLORFUL, EMOJI, dict(text="Boo", color="linear-gradient(90deg, #f06, #06f)")])
def test_many_colours_keep_theirs(server, more):
    request = dict(STYLE, **more, size=40, effect="slide")
    for start, shown, wanted in moments(server, request):
        both = (shown[..., 3] == 255) & (wanted[..., 3] == 255)
        off = numpy.abs(shown[..., :3].astype(int) - wanted[..., :3])[both]
        assert not both.any() or off.mean() < 4, (start, off.mean())


def test_a_round_card_is_cut_at_its_corners_and_smooth_within(server):
    request = dict(text="Boo", size=40, background="#123", cornerRadius=24, padding=30, color="#fff", effect="fade", by="all")
    for start, shown, wanted in moments(server, request):
        opaque, alpha = shown[..., 3] == 255, wanted[..., 3].astype(int)
        assert not (opaque & (alpha < 128 - NEAR)).any() and not (~opaque & (alpha > 127 + NEAR)).any(), start
        inner = alpha == 255
        assert numpy.abs(shown[..., :3].astype(int) - wanted[..., :3])[inner].max() <= 8, start
    assert "halftone" not in warnings(gif(server, request))


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_effect_ends_with_the_finished_text(server, effect):
    request = dict(LETTERS, effect=effect) | NUMBERS.get(effect, {})
    shown = by_giflib(gif(server, request).body)
    alpha = still(server, request, scene_of(server, request)["duration"])[..., 3].astype(int)
    opaque = shown.frames[-1][..., 3] == 255
    assert not (opaque & (alpha < 128 - NEAR)).any() and not (~opaque & (alpha > 127 + NEAR)).any()


def test_the_warning_names_what_would_help(server):
    request = dict(text="Boo")
    assert "halftone" in warnings(gif(server, request))
    for more in (dict(background="#fff"), dict(background="#ffffff80"), dict(matte="#0d1117"), dict(preset="banner")):
        assert "halftone" not in warnings(gif(server, request, **more)), more
    assert "halftone" not in warnings(answer(server, "apng", **request))


@pytest.mark.parametrize("paint", [dict(color="#000", background="#fff"), dict(color="#fff", background="#0d1117")])
@pytest.mark.parametrize("effect", ["blur", "zoom"])
def test_blurred_text_on_an_opaque_ground_has_twice_the_levels(server, effect, paint):
    request = dict(text="Boo, who?", size=48, effect=effect, **paint)
    body = gif(server, request).body
    levels = sorted({sum(color) / 3 for frame in by_giflib(body).frames for color in colours(frame)})
    assert max(numpy.diff(levels)) <= 5
    assert len(body) <= 1.5 * len(gif(server, request, levels=32).body)


def test_a_glow_on_an_opaque_ground_has_small_steps(server):
    """Where neighbours of the PNG differ by at most one, those of the GIF differ by at most four."""
    request = dict(text="Boo", size=48, padding=40, color="#fff", background="#0d1117", shadow="0 0 24px #fff", effect="none")
    body, wanted = gif(server, request).body, still(server, request, 0)[..., :3].astype(int)
    (shown,) = by_giflib(body).frames
    smooth = numpy.abs(numpy.diff(wanted, axis=1)).max(axis=2) <= 1
    assert numpy.abs(numpy.diff(shown[..., :3].astype(int), axis=1)).max(axis=2)[smooth].max() <= 4
    assert len(body) <= 1.5 * len(gif(server, request, levels=32).body)
