"""Lines drawn by hand: every format shows them as the PNG does, while they are drawn, at rest, and as they leave."""

import pytest

from picture import ink, mean_difference, pixels, screenshot, sum_within, worst_block
from test_chromium import BACKGROUND, SIZE, differences, faults_of_motion, moving_instants, page  # noqa: F401

KINDS = ["underline", "strike", "box", "circle", "highlight", "bracket"]
MARKUP = (
    'We <mark kind="circle" color="#cf222e">really</mark> do <mark>mark words</mark>,\n'
    '<mark kind="box" width="0.1">box</mark> <mark kind="strike">them</mark> '
    '<mark kind="bracket">in</mark> <mark kind="underline" color="#0969da80">two lines\nor</mark> more'
)
COMMON = dict(effect="none", size=SIZE, padding=50, background="#%02x%02x%02x" % BACKGROUND)
CASES = {
    **{kind: dict(text="Mark\nthese words", mark=kind) for kind in KINDS},
    "markup": dict(text=MARKUP, markup=True, markDuration=0.4),
    "right to left": dict(text="שלום <mark>עולם יפה</mark> a1", markup=True, mark="box", markStrokes=1),
    "thick and pale": dict(text="Mark this", mark="circle", markColor="#cf222e60", markWidth=0.4),
    "a pen": dict(text="Drawn", mark="underline", effect="draw", strokeWidth=0.1),
    "turned": dict(text="Turned", mark="box", effect="flip", exit="auto", hold=0.2),
    "shadow": dict(text="Shade", mark="highlight", shadow="4px 4px #0008", outlineWidth=3),
    "gradient": dict(text="Many\ncolours", mark="circle", color="linear-gradient(90deg, #cf222e, #0969da)", effect="fade"),
}
LOOP = dict(exit="fade", hold=0.4, loop="infinite")


@pytest.mark.parametrize("way", [{}, LOOP], ids=["once", "looping"])
@pytest.mark.parametrize("name", CASES)
def test_chromium_shows_marks(server, page, name, way):  # noqa: F811
    faults = list(faults_of_motion(server, page, {**COMMON, **CASES[name], **way}))
    assert not faults, "\n".join(faults)
