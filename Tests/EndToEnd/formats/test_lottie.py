"""What two Lottie players show of a rendering is what the PNG draws, frame by frame and glyph by glyph."""

import copy
import json

import numpy
import pytest

from lottie_comparison import Comparison, sharp
from lottie_players import PLAYERS
from lottie_structure import faults_of
from random_requests import EFFECTS, NUMBERS, painted_request, random_request, within_limits

RANDOM_REQUESTS = 200
TEXT = "Who you gonna call?\nThe ghosts."
TWO = [dict(text="hello there", color="#c02020"), dict(text="yellow, then", color="#2040c0")]

MARKS = ["underline", "strike", "box", "circle", "highlight", "bracket"]
LARGE = dict(text="Whoop!", exit="auto", loop="infinite", hold=0.3, size=90, padding=60, background="#fff4d6")

CASES = {
    **{effect: dict(text=TEXT, effect=effect, exit="auto", seed=3) | NUMBERS.get(effect, {}) for effect in EFFECTS},
    **{f"{effect}, large and looping": dict(LARGE, effect=effect) | NUMBERS.get(effect, {}) for effect in EFFECTS},
    "back-out": dict(text=TEXT, effect="slide", easing="back-out", exit="auto"),
    "overshoot": dict(
        text="Whoop!", effect="slide", easing="cubic-bezier(0.5,-2,0.9,3)", duration=2, exit="auto", padding=40
    ),
    **{f"marks, {kind}": dict(text=TEXT, effect="rise", mark=kind, exit="auto", size=48) for kind in MARKS},
    "marks behind and in front": dict(text="<mark>in</mark> <mark kind='box' layer='behind'>two</mark>\nlines", markup=True,
                                      effect="none", mark="strike", markLayer="front", color="#c02020", markColor="#20c", size=60),
    "pale marks": dict(text="in <mark>two</mark>\n<mark kind='circle'>lines</mark>", markup=True, effect="none", mark="box",
                       markColor="#c0202080", loop="infinite", size=60),
    "overshoot of a fade": dict(text=TEXT, effect="fade", easing="cubic-bezier(0.3,3,0.6,-2)", minDuration=0.7),
    "overshoot of a scale": dict(text=TEXT, effect="pop", easing="cubic-bezier(0.3,-1,0.6,3)", size=60, fromScale=2),
    "instants between frames": dict(text=TEXT, effect="typewriter", jitter=0.8, punctuationPause=0.33, speed=1.7),
    "all at once": dict(text=TEXT, effect="slide", duration=0, interval=0, delay=0.5, hold=0.5),
    "until the very end": dict(text="reveal", effect="reveal", hold=0),
    "until between two frames": dict(text="reveal", effect="reveal", hold=0, interval=0.1234),
    "words": dict(text=TEXT, effect="drop", by="word", order="random", interval=0.3),
    "bar": dict(text=TEXT, effect="typewriter", cursor="bar", exit="auto", hold=1.3),
    "block": dict(text="שלום abc", effect="typewriter", cursor="block", loop="infinite", hold=2.2),
    "underscore": dict(blocks=TWO, effect="scramble", cursor="underscore", gap=0.7),
    "queue": dict(blocks=[*TWO, dict(text="three", size=60)], effect="slide", direction="left", gap=0.2),
    "together": dict(blocks=TWO, effect="fall", sequence="together", exit="auto", seed=4),
    "replace": dict(blocks=TWO, effect="birdman", sequence="replace", loop="infinite", hold=0.4),
    "replace at once": dict(blocks=TWO, effect="fade", exit="none", sequence="replace", loop="infinite", gap=0.3),
    "morph": dict(blocks=[*TWO, dict(text="hello")], effect="morph", sequence="replace", loop="infinite", duration=0.8),
    "rewrite": dict(blocks=[dict(text="one two\nthree"), dict(text="two,\n\none three 🙂", color="#c02020")], effect="rewrite",
                    sequence="replace", loop="infinite", outlineWidth=2),
    "right to left": dict(text="שלום עולם יפה\nمرحبا بالعالم", effect="pop", order="center"),
    "emoji": dict(text="Boo 👻 and 🎃 🙂 too", effect="pop"),
    "large emoji": dict(text="Boo 👻 too", effect="fall", exit="auto", size=100, seed=5),
    "lines": dict(
        text="<u>gyp <s>strike</s></u> <u>👻 big</u>", markup=True, effect="fade", exit="auto", size=60, color="#c02020"
    ),
    "translucent lines": dict(
        text="<u><s>gyp@</s></u> <s>你好</s>", markup=True, effect="fade", size=60, color="#c0202080"
    ),
    "translucent": dict(text="overlap", effect="reveal", color="#c0202080", letterSpacing=-9, size=60),
    "on a translucent ground": dict(text=TEXT, effect="slide", background="#10203080", color="#fff"),
    "on a dark ground": dict(text=TEXT, effect="scramble", background="#0d1117", color="#f0f0a0", seed=6),
    "sizes": dict(
        text="<small>one</small> <span size='50pt' foreground='#c020c0'>two</span> <sub>three</sub>",
        markup=True,
        effect="drop",
    ),
    "other outlines": dict(text="你好，世界。office e\u0301te\u0301 ß", effect="wave", font="DejaVu Serif", size=44),
    "synthesised": dict(text="slanted and bold", effect="slide", font="Noto Sans Hebrew", italic=True, weight=900),
    "small": dict(text=TEXT, effect="fade", size=9),
    "huge": dict(text="Wg", effect="pop", size=400, padding=100),
    "canvas with fractions": dict(text=TEXT, effect="slide", width=300.4, height=120.7, background="#fff4d6"),
    "sizes of their own": dict(text="Flip 👻", effect="flip", size=60, exit="auto", loop="infinite", hold=0.2),
    "sizes that are multiplied": dict(
        text="Keyed",
        effect="custom",
        size=50,
        padding=80,
        easing="spring(0.5)",
        duration=1,
        keyframes=[
            dict(scale=2, scaleX=0.2, scaleY=0.5, rotation=90),
            dict(scaleY=2, y=0.5, scaleX=1.5),
            dict(scale=0.5, offset=0.9),
        ],
    ),
    "skewed": dict(
        text="Lean 👻",
        effect="custom",
        size=50,
        padding=60,
        duration=1,
        keyframes=[dict(opacity=0, skewX=-50, scale=0.5), dict(offset=0.6, skewX=30, rotation=20)],
    ),
    "skewed and stretched": dict(
        text="Lean 👻",
        effect="custom",
        size=50,
        padding=60,
        duration=1,
        easing="spring(0.3)",
        keyframes=[dict(skewX=-50, skewY=20, scaleX=0.5), dict(skewY=-30, rotation=200), dict(offset=0.8, scaleY=1.5)],
    ),
    "colours": dict(text="High light 👻", effect="highlight", size=40, by="glyph", exit="auto", loop="infinite"),
    "translucent colours": dict(
        text="<u>High</u> light", markup=True, effect="highlight", highlightColor="#ff000040", color="#0000ffc0", size=40
    ),
    "colours that fade": dict(
        text="Keyed",
        effect="custom",
        size=50,
        duration=1,
        easing="cubic-bezier(0.3,-1,0.6,3)",
        keyframes=[
            dict(opacity=0, color="red"),
            dict(color="transparent"),
            dict(opacity=0.5, color="#00f8"),
            dict(color="#0a0"),
            dict(offset=0.9, opacity=0.8),
        ],
    ),
    "colours of lines over pictures": dict(
        text="<u>gj👻</u> <s>🎃x</s>", markup=True, effect="highlight", highlightColor="#e0208080", size=50, by="all"
    ),
    "pen": dict(text="Bog @8 %", effect="draw", size=60, exit="auto", strokeWidth=0.05),
    "translucent pen": dict(text="gj👻Ω", effect="draw", size=60, color="#c02020a0", by="all", strokeWidth=0.1),
    "masked lines": dict(text="Rising gulfs\nby words", effect="rise", exit="auto", size=30, delay=0.3),
    "masked glyphs": dict(
        text="Rising <u>gulfs 👻</u>", markup=True, effect="rise", mask="item", by="glyph", exit="auto", size=40
    ),
    "masked only while they come": dict(text="Masked", effect="slide", mask="line", exit="fall", size=40, padding=40),
    "masks of several blocks": dict(blocks=TWO, effect="pop", mask="item", sequence="replace", loop="infinite"),
    "masked colours": dict(
        text="Masks and\ncolours",
        effect="custom",
        mask="line",
        size=30,
        exit="auto",
        background="#fff4d6",
        keyframes=[dict(x=-2, rotation=30, color="#f008"), dict(offset=0.9, opacity=0.5)],
    ),
    "still": dict(text=TEXT, animate=False),
    "still, of two": dict(blocks=TWO, sequence="replace", animate=False, background="#eee"),
}

# What effects cannot have that change colours themselves.
RECOLOURING = {"highlight"}
PAINT = dict(
    color="linear-gradient(60deg, #c02020, #20a0f0 40%, #20c040c0)",
    outlineWidth=3,
    outlineColor="#402080",
    shadow="3px 4px #0008, -2px 0 #c0c000",
)
BOXES = ["block", "line", "glyph"]
# rlottie makes a shadow beneath an outline, which is composed apart, up to four levels too faint: where glyphs fade,
# or the shadow's colour is translucent.
LOST = {"rlottie": 4}

PAINTED = {
    **{
        effect: dict(text=TEXT, effect=effect, exit="auto", seed=3, gradientBox=BOXES[number % 3], **PAINT)
        | NUMBERS.get(effect, {})
        for number, effect in enumerate(EFFECTS)
        if effect not in RECOLOURING
    },
    **{
        f"{effect}, large and looping": dict(
            LARGE,
            effect=effect,
            gradientBox=BOXES[(number + 1) % 3],
            color="linear-gradient(to top left, #c02020, #2040c0)",
            outlineWidth=6,
            outlineColor="#20802080",
            shadow="6px 6px #808080",
        )
        | NUMBERS.get(effect, {})
        for number, effect in enumerate(EFFECTS)
        if effect not in RECOLOURING
    },
    "highlight": dict(text=TEXT, effect="highlight", by="glyph", **{**PAINT, "color": "#c02020"}),
    "a shadow alone": dict(text=TEXT, effect="slide", shadow="3px 4px #0008", exit="auto"),
    "an outline alone": dict(text=TEXT, effect="fade", outlineWidth=5, outlineColor="#c0202080", color="#fff", exit="auto"),
    "lines": dict(text="<u>gyp <s>strike</s></u> big", markup=True, size=60, effect="fade", **PAINT),
    "translucent lines": dict(
        text="<u>gyp <s>strike</s></u> big",
        markup=True,
        size=60,
        effect="pop",
        color="linear-gradient(90deg, #f008, #00f8)",
        outlineWidth=5,
        outlineColor="#0808",
    ),
    "colours of markup": dict(text="<span foreground='#0a0'>green</span> rest", markup=True, size=60, effect="pop", **PAINT),
    "emoji": dict(text="<u>a👻b</u> 🎃", markup=True, size=60, effect="pop", **{**PAINT, "shadow": "none"}),
    "cursor": dict(text="abc def", effect="typewriter", cursor="block", size=40, exit="auto", **PAINT),
    "masked lines": dict(text="Rising gulfs\nby words", effect="rise", exit="auto", size=30, delay=0.3, **PAINT),
    "together": dict(blocks=TWO, effect="fall", sequence="together", seed=4, outlineWidth=4, shadow="4px 4px #f00"),
    "paints of several blocks": dict(
        blocks=[dict(text="one", **PAINT), dict(text="two", shadow="0 5px #0f0"), dict(text="three", outlineWidth=2)],
        effect="slide",
        size=40,
    ),
    "turned": dict(text="Keyed", effect="custom", size=50, padding=80, keyframes=[dict(scale=2, rotation=90)], **PAINT),
    "sizes that are multiplied": dict(
        text="Keyed",
        effect="custom",
        size=50,
        padding=80,
        keyframes=[dict(scale=2, scaleX=0.2, rotation=90)],
        **{**PAINT, "outlineWidth": 1},
    ),
    "skewed": dict(text="Keyed", effect="custom", size=50, padding=80, keyframes=[dict(skewX=40, scaleY=0.5)], **PAINT),
    "card": dict(
        text="Card",
        size=60,
        effect="slide",
        background="linear-gradient(to top left, #ffd, #bdf8)",
        cornerRadius=30,
        borderWidth=6,
        borderColor="#00aa0080",
        **PAINT,
    ),
    "card with fractions": dict(
        text="Card", width=300.4, height=120.7, background="#fd8", cornerRadius=20, borderWidth=10, effect="fade"
    ),
    "border alone": dict(text="Card", size=40, effect="fade", borderWidth=4, borderColor="#c02020"),
    "round": dict(text="o", size=60, effect="pop", background="#bdf", cornerRadius=512, borderWidth=32, borderColor="#8888"),
    "still": dict(text=TEXT, animate=False, **PAINT),
}
GRADIENTS = [
    "linear-gradient(#f00, #00f)",
    "linear-gradient(90deg, #f00, #0f0 30%, #00f 30%, #ff0)",
    "linear-gradient(to top left, gold, rebeccapurple)",
    "linear-gradient(30deg, #f00 -50%, #00f 150%)",
    "linear-gradient(200deg, #f00 20%, #0f0 40%, #00f 80%)",
    "linear-gradient(45deg, #f00, #00f0, #0f0)",
    "linear-gradient(-100deg, #f008, #00f8 50%, #00f 50%, transparent)",
    "linear-gradient(0deg, #000 50%, #fff 50%)",
    "linear-gradient(90deg, #123, #456, #789, #abc, #def, #fed, #cba, #987)",
]


def shown_by(player, name):
    """True if a player can show a case: rlottie knows no skew (docs/api.md, Lottie)."""
    return not (player.name == "rlottie" and name.startswith("skewed"))


def played(cases):
    """Each case with each player that can show it."""
    pairs = [(name, player) for name in cases for player in PLAYERS if shown_by(player, name)]
    return pytest.mark.parametrize(("name", "player"), [pytest.param(*pair, id=f"{pair[0]}-{pair[1].name}") for pair in pairs])


@played(CASES)
def test_players_show_what_the_png_draws(server, name, player):
    comparison = Comparison(server, CASES[name])
    assert [*faults_of(comparison.text)] == []
    assert [*comparison.faults(player)] == []


def lost_by(player, request):
    """The levels that a player makes shadows too faint, one over another."""
    shadows = max(len(level.get("shadow", "none").split(", ")) for level in levels_of(request))
    return LOST.get(player.name, 0) * shadows if is_outlined(request) else 0


def is_outlined(request):
    return any("outlineWidth" in level for level in levels_of(request))


def levels_of(request):
    return [request, *request.get("blocks", [])]


def is_squeezed(scene):
    """True if glyphs are scaled across and down differently: both players give lines one width all the same."""
    return any("scaleX" in glyph or "scaleY" in glyph for glyph in scene["glyphs"])


@played(PAINTED)
def test_players_show_paint_as_the_png_draws_it(server, name, player):
    comparison = Comparison(server, PAINTED[name])
    assert [*faults_of(comparison.text)] == []
    lost = lost_by(player, PAINTED[name])
    assert [*comparison.faults(player, glyphs=not is_squeezed(comparison.scene), lost=lost)] == []


def differences_inside(painted, shown):
    """The differences where there is ink, two pixels from edges and from jumps between colours, which are blurred."""
    steps = numpy.stack([numpy.abs(numpy.roll(painted, 1, axis) - painted).max(axis=2) for axis in (0, 1)]).max(axis=0)
    edges = steps > 20
    for axis in (0, 1):
        edges = edges | numpy.roll(edges, 1, axis) | numpy.roll(edges, -1, axis) | numpy.roll(edges, -2, axis)
    inside = ~edges & (painted.min(axis=2) < 250)
    assert inside.mean() > 0.2
    return numpy.abs(painted - shown)[inside]


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("gradient", GRADIENTS)
def test_gradients_have_the_colours_of_the_png(server, gradient, box, player):
    comparison = Comparison(server, dict(text="██\n█ █", size=80, animate=False, color=gradient, gradientBox=box))
    differences = differences_inside(comparison.painted[0], player(comparison.text).pixels(0))
    assert differences.mean() < 1.5 and differences.max() <= 6


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("gradient", GRADIENTS)
def test_cards_have_the_colours_of_the_png(server, gradient, player):
    card = dict(background=gradient, cornerRadius=30, borderWidth=10, borderColor="#20802080")
    comparison = Comparison(server, dict(text=".", width=200, height=120, animate=False, **card))
    painted, shown = comparison.painted[0], player(comparison.text).pixels(0)
    differences = differences_inside(painted, shown)
    assert differences.mean() < 1.5 and differences.max() <= 6
    for corner in [painted[:4, :4], shown[:4, :4], shown[-4:, :4], shown[:4, -4:], shown[-4:, -4:]]:
        assert (corner == 255).all()


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("kind", ["shadow", "outlineWidth", "color", "gradientBox", "borderWidth"])
def test_the_comparison_notices_paint(server, kind, player):
    text = dict(text="it's a wide line", effect="slide", size=40, width=400, height=120)
    request = dict(**text, gradientBox="glyph", borderWidth=4, **{**PAINT, "color": GRADIENTS[1]})
    comparison = Comparison(server, request)
    lost = lost_by(player, request)
    assert [*comparison.faults(player, lost=lost)] == []
    del request[kind]
    other = server.render("lot", **request).text
    assert [*comparison.faults(player, other, lost=lost)] != [], f"without {kind} it is the same"


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
@pytest.mark.parametrize("effect", ["typewriter", "fall", "scramble"])
def test_the_comparison_notices_every_single_glyph(server, effect, player):
    request = dict(text="it's.", effect=effect, exit="auto", seed=3, size=40)
    comparison = Comparison(server, request, count=50)  # no decoy shows for less than five frames
    file = json.loads(comparison.text)
    for number in range(len(file["layers"])):
        missing, ghostly = copy.deepcopy(file), copy.deepcopy(file)
        del missing["layers"][number]
        ghost = ghostly["layers"][number]
        ghost["ip"] = 0
        (ghost["shapes"][-1] if "shapes" in ghost else ghost["ks"])["o"] = dict(a=0, k=100)
        assert any(comparison.faults(player, json.dumps(missing))), f"layer {number} is missing"
        assert any(comparison.faults(player, json.dumps(ghostly))), f"layer {number} is a ghost"


@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_every_random_request_plays(server, seed):
    request = within_limits(server, f"lottie {seed}", lambda *drawn: sharp(random_request(*drawn)))
    comparison = Comparison(server, request, count=3)
    assert [*faults_of(comparison.text)] == [], request
    for player in PLAYERS:
        faults = [*comparison.faults(player, glyphs=False)]
        # Both players sample pictures half a pixel off, which shows where there is little else.
        assert "data:image/png" in comparison.text or faults == [], request


@pytest.mark.parametrize("seed", range(RANDOM_REQUESTS))
def test_every_random_painted_request_plays(server, seed):
    # Gradients stand still in Lottie, with a warning.
    request = within_limits(
        server, f"painted lottie {seed}", lambda *drawn: {**painted_request(*drawn), "paintMotion": "none"})
    comparison = Comparison(server, request, count=3)
    assert [*faults_of(comparison.text)] == [], request
    if is_outlined(request) and is_squeezed(comparison.scene):
        return
    for player in PLAYERS:
        faults = [*comparison.faults(player, glyphs=False, lost=lost_by(player, request))]
        assert "data:image/png" in comparison.text or faults == [], request


@pytest.mark.parametrize(
    "request_, codes",
    [
        (dict(text="Focus", effect="blur", padding=0, room="none"), {"unsupported", "clipped"}),
        (dict(text="Focus", effect="blur", padding=40), {"unsupported"}),
        (dict(text="Focus", effect="blur", radius=0), set()),
        (dict(text="Focus", effect="blur", animate=False), set()),
        (dict(text="Focus", effect="custom", keyframes=[dict(blur=0.1)]), {"unsupported"}),
        (dict(text="Focus", effect="draw"), set()),
    ],
)
def test_blur_is_left_out_with_a_warning_of_this_format_alone(server, request_, codes):
    for format in ("lot", "svg"):
        said = (server.render(format, **request_).headers["Titlecard-Warnings"] or "").split(", ")
        assert set(said) - {""} == codes - ({"unsupported"} if format == "svg" else set())
    assert server.render("lot", **request_).json["layers"] == server.render("lot", **sharp(request_)).json["layers"]


@pytest.mark.parametrize(
    "request_, is_lacking",
    [
        (dict(text="Focus", shadow="2px 2px #000"), False),
        (dict(text="Focus", shadow="2px 2px #000, 0 0 4px #f00", width=200, height=80), True),
        (dict(text="Focus", shadow="2px 2px 1px transparent", width=200, height=80), False),
        (dict(text="Focus", darkShadow="2px 2px 1px #fff"), False),
        (dict(text="Focus 👻", shadow="2px 2px #000"), True),
        (dict(blocks=[dict(text="Focus", shadow="2px 2px #000"), dict(text="👻")]), False),
    ],
)
def test_shadows_that_the_format_lacks_are_left_out_with_a_warning(server, request_, is_lacking):
    answer = server.render("lot", **request_)
    assert ("unsupported" in (answer.headers["Titlecard-Warnings"] or "")) == is_lacking
    assert "unsupported" not in (server.render("png", **request_).headers["Titlecard-Warnings"] or "")
    assert answer.json["layers"] == server.render("lot", **sharp(request_)).json["layers"]


def test_a_file_says_what_it_is(server):
    answer = server.render("lot", blocks=TWO, title='two "blocks"\n', exit="auto", hold=0.5, effect="slide")
    file = answer.json
    assert answer.headers["Content-Type"] == "video/lottie+json"
    assert file["nm"] == 'two "blocks"\n'
    scene = server.render("json", blocks=TWO, exit="auto", hold=0.5, effect="slide").json
    phases = {
        f"block {block['index']} {name}": (block[f"{name}Start"], block[f"{name}End"])
        for block in scene["blocks"]
        for name in ("enter", "exit")
    }
    assert {m["cm"]: (m["tm"], m["dr"]) for m in file["markers"]} == {
        name: (pytest.approx(start * 100), pytest.approx((end - start) * 100)) for name, (start, end) in phases.items()
    }


def test_text_is_gzipped_and_asked_for_by_its_type(server):
    answer = server.get("/render?text=x", {"Accept": "video/lottie+json", "Accept-Encoding": "gzip"})
    assert (answer.status, answer.headers["Content-Type"]) == (200, "video/lottie+json")
    assert answer.headers["Content-Encoding"] == "gzip"


def test_each_distinct_outline_is_there_once(server):
    file = server.render("lot", text="a banana and a bandana", cursor="none").json
    assert len(file["assets"]) == len(set("abnd"))
    assert len(file["layers"]) == len("abananaandabandana")


def test_glyphs_share_what_a_gradient_straight_down_and_an_outline_draw(server):
    paint = dict(color="linear-gradient(#f00, #00f)", outlineWidth=2, shadow="2px 2px #0008")
    file = server.render("lot", text="a banana and a bandana", cursor="none", **paint).json
    assert len(file["assets"]) == 3 * len(set("abnd"))
    assert len(file["layers"]) == 3 * len("abananaandabandana")
