"""With `levels`, an APNG has a palette, and glows and translucent gradients one with alphas, also in a WebP."""

import numpy
import pytest

from frames import CLEAR, COLORFUL, EMOJI, LETTERS, SOLID, STYLE, TINTED, answer, by_pillow, instant_of, over, psnr
from frames import sampled, scene_of, still

PAINTED = {
    "gradient": dict(color="linear-gradient(90deg, #f06, #06f)"),
    "translucent gradient": dict(color="linear-gradient(#f06c, #06f4)"),
    "glow": dict(color="#fff", shadow="0 0 4px #fff, 0 0 20px #0af"),
    "soft shadow": dict(color="#024", shadow="3px 3px 6px #0008"),
    "outline": dict(color="gold", outlineWidth=4, outlineColor="#0288"),
    "round card": dict(color="#fff", background="linear-gradient(45deg, #102c, #06fc)", cornerRadius=20),
}
COLOR_TYPE = 25  # the place of a PNG's colour type
PALETTE = 3


def shown_and_wanted(server, format, request):
    """Frames of a file, and the PNG of each one's instant."""
    shown, scene = by_pillow(answer(server, format, **request).body), scene_of(server, request)
    for start in sampled(shown.starts):
        yield start, shown.at(start), still(server, request, instant_of(request, start, scene, shown.end))


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", PAINTED)
@pytest.mark.parametrize("effect", ["fade", "slide", "blur"])
def test_painted_ink_is_near_the_png_on_any_page(server, format, name, effect):
    for levels, least in ((32, 32), (255, 36)):
        request = dict(text=LETTERS["text"], size=40, effect=effect, exit="auto", levels=levels, **PAINTED[name])
        for start, shown, wanted in shown_and_wanted(server, format, request):
            for page in ((255, 255, 255), (13, 17, 23)):
                near = psnr(over(shown, page), over(wanted, page))
                assert near >= least, (levels, start, page, near)


@pytest.mark.parametrize("request_", [COLORFUL, EMOJI, dict(blocks=[dict(text="a", color="#f00"), dict(text="b")])])
@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
def test_an_apng_of_several_colours_is_near_the_png(server, request_, ground):
    request = dict(STYLE, effect="fade", levels=32, background=ground, **request_)
    for start, shown, wanted in shown_and_wanted(server, "apng", request):
        for page in ((255, 255, 255), (13, 17, 23)):
            assert psnr(over(shown, page), over(wanted, page)) >= 33, (start, page)


@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
@pytest.mark.parametrize("levels", [2, 7, 32, 255])
def test_an_apng_of_one_colour_has_the_levels_of_a_webp(server, ground, levels):
    request = dict(LETTERS, effect="slide", background=ground, levels=levels, fps=20)
    one, other = (by_pillow(answer(server, format, **request).body) for format in ("apng", "webp"))
    for start in sampled(one.starts):
        assert numpy.array_equal(one.at(start), other.at(start)), start


@pytest.mark.parametrize("name", PAINTED)
def test_an_apng_with_levels_is_indexed_and_smaller(server, name):
    request = dict(text=LETTERS["text"], size=40, effect="blur", **PAINTED[name])
    exact, indexed = (answer(server, "apng", **request, **more).body for more in ({}, dict(levels=32)))
    assert indexed[COLOR_TYPE] == PALETTE != exact[COLOR_TYPE]
    assert len(indexed) < 0.6 * len(exact)


@pytest.mark.parametrize("preset", ["gradient", "neon"])
@pytest.mark.parametrize("format", ["apng", "webp"])
def test_looks_with_glows_and_gradients_are_small(server, preset, format):
    assert len(answer(server, format, text="Open all night", preset=preset, levels=32).body) <= 400_000
