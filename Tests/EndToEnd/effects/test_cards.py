"""Cards that come before the text and leave after it, and bars beside the text: every format shows the same."""

import io
import itertools
from urllib.parse import quote

import numpy
import pytest
from PIL import Image

from browsers import ANIMATIONS
from exact import wrong_frames
from frames import answer, by_pillow
from lottie_players import PLAYERS
from picture import pixels, screenshot, worst_block

EFFECTS = ["fade", "slide", "grow", "wipe", "draw"]
CARD = dict(background="#203a5c", cornerRadius=24, borderWidth=6, borderColor="#f0b429", color="#ffffff")
# An edge that moves by a pixel in a millisecond is elsewhere in a browser, which rounds times.
COMMON = dict(
    text="A card\nthat moves",
    size=48,
    padding=40,
    effect="fade",
    hold=0.5,
    cardDuration=2,
    exit="auto",
    bar="left",
    barWidth=10,
    **CARD,
)
CASES = {
    **{effect: dict(cardEffect=effect) for effect in EFFECTS},
    "up": dict(cardEffect="slide", cardDirection="up", cardEasing="linear", bar="bottom"),
    "opens upwards": dict(cardEffect="wipe", cardDirection="up", cardEasing="ease-in-out", bar="top"),
    "gradient": dict(cardEffect="wipe", background="linear-gradient(120deg, #0969da, #8250df)", bar="right"),
    "translucent": dict(cardEffect="grow", background="#20408080", borderColor="#ff000060", cornerRadius=0),
    "springing": dict(cardEffect="grow", cardEasing="spring(0.4)", cardDuration=1.2, delay=0.3),
    "an angular border": dict(cardEffect="draw", cornerRadius=0, borderWidth=12),
    "a border alone": dict(cardEffect="draw", background="transparent", color="#000000", borderWidth=3),
    "turned text": dict(cardEffect="fade", effect="flip", mark="box"),
    "drawn text": dict(cardEffect="draw", effect="draw", bar="none"),
    "fits and stands": dict(card="fit", width=480, height=300, align="center", valign="top", safeArea="4 0"),
    "fits and slides": dict(cardEffect="slide", card="fit", width=480, height=300, align="right", valign="bottom", safeArea=5),
    "fits and opens": dict(cardEffect="wipe", cardDirection="left", card="fit", width=480, height=300),
    "fits and is drawn": dict(cardEffect="draw", card="fit", width=480, height=300, valign="bottom"),
    "fits, a gradient": dict(card="fit", width=480, height=300, background="linear-gradient(120deg, #0969da, #8250df)"),
}
LOOP = dict(loop="infinite", exit="between", delay=0.2, poster="start")
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)


def instants(scene, request):
    """Five instants of the card's entrance and five of its exit, or of the rest."""
    duration, start = request.get("cardDuration", 0.6), request.get("delay", 0)
    for begin in (start, scene["duration"] - duration):
        for share in SHARES:
            yield round(begin + share * duration + 0.0003, 4)


def faults_of(page, server, request, scheme="light"):  # noqa: F811
    scene = server.render("json", **request).json
    page.set_viewport_size(dict(width=round(scene["width"]), height=round(scene["height"])))
    page.emulate_media(color_scheme=scheme)
    page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
    for time in instants(scene, request):
        looping = request.get("loop") == "infinite"
        page.evaluate("time => seek(time)", time + looping * scene["duration"])
        shown = pixels(screenshot(page))
        painted = pixels(server.render("png", **request, scheme=scheme, time=time).body)
        assert painted.shape == shown.shape
        difference, worst = numpy.abs(painted - shown).mean(), worst_block(painted, shown)
        if difference > 2 or worst > 30:
            yield f"{time}: PNG and Chromium differ by {difference:.2f} in the mean, by {worst:.1f} in a block"


@pytest.mark.parametrize("way", [{}, LOOP], ids=["once", "looping"])
@pytest.mark.parametrize("name", CASES)
def test_chromium_shows_cards(server, page, name, way):  # noqa: F811
    faults = list(faults_of(page, server, {**COMMON, **CASES[name], **way}))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", EFFECTS)
def test_chromium_shows_cards_in_the_dark(server, page, name):  # noqa: F811
    dark = dict(
        darkBackground="linear-gradient(#400, #040)",
        darkBorderColor="#00ffff",
        darkColor="#ffff00",
        darkBarColor="#ff00ff",
    )
    for scheme in ("light", "dark"):
        faults = list(faults_of(page, server, {**COMMON, **CASES[name], **dark}, scheme))
        assert not faults, "\n".join(faults)


@pytest.mark.slow
@pytest.mark.parametrize("browser", ["Firefox", "WebKit"], indirect=True)
def test_other_browsers_show_cards(server, browser):
    for name, way in itertools.product(EFFECTS, ({}, LOOP)):
        request = {**COMMON, **CASES[name], **way}
        scene = server.render("json", **request).json
        document = server.render("svg", **request).body.decode()
        style = "<style>body{margin:0}svg{display:block}</style>"
        browser.open(style + document, round(scene["width"]), round(scene["height"]))
        browser.evaluate(ANIMATIONS + "pause(); 1")
        for time in instants(scene, request):
            browser.evaluate(f"seek({time}); 1")
            painted = pixels(server.render("png", **request, time=time).body)
            shown = pixels(browser.screenshot())[: painted.shape[0], : painted.shape[1]]
            assert worst_block(painted, shown) < 40, (name, way, time)


@pytest.mark.parametrize("format", ["apng", "webp"])
@pytest.mark.parametrize("name", CASES)
def test_every_frame_is_the_png_of_its_start(server, name, format):
    request = {**COMMON, **CASES[name], "size": 24}
    assert [*wrong_frames(server, request, by_pillow(answer(server, format, **request).body))] == []


@pytest.mark.parametrize("name", EFFECTS)
def test_a_gif_is_clear_before_its_card_and_behind_it(server, name):
    request = {**COMMON, **CASES[name], "size": 24, "delay": 0.3}
    gif = Image.open(io.BytesIO(server.render("gif", **request).body))
    alphas = []
    for frame in range(gif.n_frames):
        gif.seek(frame)
        alphas.append(numpy.asarray(gif.convert("RGBA"))[..., 3])
    assert alphas[0].max() == alphas[-1].max() == 0
    assert max(alpha.mean() for alpha in alphas) > 240


@pytest.mark.parametrize("name", EFFECTS)
def test_a_gif_on_a_page_of_one_colour_shows_the_card(server, name):
    request = {**COMMON, **CASES[name], "size": 24, "matte": "#ffffff", "exit": "none"}
    gif = Image.open(io.BytesIO(server.render("gif", **request).body))
    gif.seek(gif.n_frames - 1)
    shown = io.BytesIO()
    gif.convert("RGBA").save(shown, "PNG")
    shown = pixels(shown.getvalue())
    request.pop("matte")
    assert worst_block(pixels(server.render("png", **request).body), shown) < 24


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", CASES)
def test_players_of_lottie_show_cards(server, name, player):
    request = {**COMMON, **CASES[name]}
    scene = server.render("json", **request).json
    film = player(server.render("lot", **request).body.decode())
    for time in instants(scene, request):
        frame = round(time * 100)
        painted = pixels(server.render("png", **request, time=frame / 100).body)
        shown = film.pixels(frame)
        assert shown.shape == painted.shape
        assert numpy.abs(painted - shown).mean() < 2 and worst_block(painted, shown) < 60, (time, player.name)


@pytest.mark.parametrize("name", EFFECTS)
def test_the_finished_card_is_the_one_that_stands_still(server, name):
    request = {**COMMON, **CASES[name]}
    moving = pixels(server.render("png", **request).body)
    still = pixels(server.render("png", **{**request, "cardEffect": "none"}).body)
    assert worst_block(moving, still, side=2) < 40
    scene = server.render("json", **request).json
    for time in (0, scene["duration"]):
        assert Image.open(io.BytesIO(server.render("png", **request, time=time).body)).getextrema()[-1] == (0, 0), time


@pytest.mark.parametrize("name", CASES)
def test_a_card_stands_where_nothing_may_move(server, page, name):  # noqa: F811
    request = {**COMMON, **CASES[name]}
    page.emulate_media(reduced_motion="reduce")
    scene = server.render("json", **request).json
    page.set_viewport_size(dict(width=round(scene["width"]), height=round(scene["height"])))
    page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
    assert worst_block(pixels(server.render("png", **request).body), pixels(screenshot(page))) < 30


def test_the_text_comes_after_its_card_and_leaves_before_it(server):
    request = dict(text="Hello", effect="fade", exit="auto", background="#000", delay=0.25, cursor="bar")
    plain = server.render("json", **request).json
    moving = server.render("json", **request, cardEffect="fade", cardDuration=0.5).json
    for name in ("enterStart", "enterEnd", "exitStart", "exitEnd"):
        assert moving["blocks"][0][name] == pytest.approx(plain["blocks"][0][name] + 0.5)
    assert moving["duration"] == pytest.approx(plain["duration"] + 1)
    (card,) = (glyph for glyph in moving["glyphs"] if glyph["role"] == "card")
    times = [key["time"] for key in card["opacity"]]
    assert times == [0.25, 0.75, moving["blocks"][0]["exitEnd"], moving["duration"]]
    (cursor,) = (glyph for glyph in moving["glyphs"] if glyph["role"] == "cursor")
    assert cursor["opacity"][0] == {"time": 0, "value": 0, "easing": "hold"} and cursor["opacity"][1]["time"] == 0.75
    assert (
        cursor["opacity"][-1]["time"] == pytest.approx(moving["duration"] - 0.5) and cursor["opacity"][-1]["value"] == 0
    )


@pytest.mark.parametrize(
    ("playback", "leaves"),
    [
        (dict(), False),
        (dict(exit="none", loop="infinite"), False),
        (dict(exit="auto"), True),
        (dict(exit="fall"), True),
        (dict(loop="infinite"), True),
        (dict(loop=3), False),
        (dict(loop=3, sequence="replace"), True),
    ],
)
def test_a_card_leaves_where_its_text_does(server, playback, leaves):
    request = dict(blocks=[dict(text="one"), dict(text="two")], background="#000", cardEffect="fade", **playback)
    scene = server.render("json", **request).json
    (card,) = (glyph for glyph in scene["glyphs"] if glyph["role"] == "card")
    assert card["opacity"][-1]["value"] == (0 if leaves else 1)


def test_dark_schemes_have_parts_of_their_own(server):
    request = dict(text="x", background="#fff", darkBackground="#000", borderWidth=2, bar="top", cardEffect="slide")
    scene = server.render("json", **request).json
    parts = [
        (glyph["role"], glyph.get("scheme"), glyph["color"])
        for glyph in scene["glyphs"]
        if glyph["role"] in ("card", "bar")
    ]
    assert parts == [
        ("card", "light", "#ffffff"),
        ("card", "dark", "#000000"),
        ("card", None, "#d0d7de"),
        ("bar", None, "#0969da"),
    ]
    assert scene["background"] == "transparent" and "borderWidth" not in scene


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_bar_stands_beside_the_text(server, side):
    common = dict(blocks=[dict(text="A name"), dict(text="and a role")], padding=20, room="none")
    for size in (
        {},
        dict(width=400),
        dict(width=400, height=200),
        dict(maxWidth=90),
        dict(width=300, fit="fill", height=90),
    ):
        for align, number in itertools.product(("left", "center", "right"), (False, True)):
            request = {**common, **size, "align": align, "lineNumbers": number, "bar": side, "barWidth": 6, "barGap": 9}
            scene = server.render("json", **request).json
            (bar,) = (glyph["rect"] for glyph in scene["glyphs"] if glyph["role"] == "bar")
            boxes = [block["rect"] for block in scene["blocks"]]
            boxes += [glyph["rect"] for glyph in scene["glyphs"] if glyph["role"] == "line-number"]
            left, top = (min(box[axis] for box in boxes) for axis in "xy")
            right, bottom = (
                max(box[axis] + box[length] for box in boxes) for axis, length in (("x", "width"), ("y", "height"))
            )
            want = {
                "left": (left - 15, top, 6, bottom - top),
                "right": (right + 9, top, 6, bottom - top),
                "top": (left, top - 15, right - left, 6),
                "bottom": (left, bottom + 9, right - left, 6),
            }[side]
            assert [bar[name] for name in ("x", "y", "width", "height")] == pytest.approx(want, abs=0.01)
            assert 19.9 <= bar["x"] and bar["x"] + bar["width"] <= scene["width"] - 19.9, (size, align)
            assert 19.9 <= bar["y"] and bar["y"] + bar["height"] <= scene["height"] - 19.9, (size, align)


@pytest.mark.parametrize("text", ["A name", "שם", "اسم"])
def test_a_bar_at_the_start_or_end_goes_by_the_direction_of_the_first_text(server, text):
    sides = {"start": "left", "end": "right"} if text.isascii() else {"start": "right", "end": "left"}
    for side, same in sides.items():
        for size in ({}, dict(width=400), dict(maxWidth=90), dict(width=300, height=90, fit="fill")):
            request = dict(blocks=[dict(text=text), dict(text="and a role")], barWidth=6, barGap=9, **size)
            one, other = (server.render("png", **request, bar=bar).body for bar in (side, same))
            assert one == other, (side, size)


def test_a_bar_at_the_start_takes_of_the_width_too(server):
    for side in ("start", "end"):
        reply = server.post("/render", dict(text="x", width=100, padding=20, bar=side, barWidth=50, barGap=10))
        assert reply.status == 400 and reply.faults == ["barWidth"]


def test_the_lower_third_of_a_right_to_left_text_is_the_mirrored_one(server):
    for name, is_mirrored in (("Ada Lovelace", False), ("עדה לאבלייס", True)):
        scene = server.render("json", blocks=[dict(text=name), dict(text=name[:3])], preset="lower-third").json
        (bar,) = (glyph["rect"] for glyph in scene["glyphs"] if glyph["role"] == "bar")
        left, right = ([block["rect"]["x"] + share * block["rect"]["width"] for block in scene["blocks"]] for share in (0, 1))
        assert abs(right[0] - right[1] if is_mirrored else left[0] - left[1]) < 0.01
        assert bar["x"] > max(right) if is_mirrored else bar["x"] < min(left)


def test_a_bar_stands_without_a_card_that_moves(server):
    still = server.render("json", text="x", bar="left", animate=False).json
    moving = server.render("json", text="x", bar="left").json
    for scene in (still, moving):
        (bar,) = (glyph for glyph in scene["glyphs"] if glyph["role"] == "bar")
        assert bar["opacity"] == [{"time": 0, "value": 1}]


@pytest.mark.parametrize("effect", EFFECTS)
def test_what_stands_in_the_title_bar_comes_with_its_card(server, effect):
    request = dict(
        text="x",
        titleBar=True,
        windowTitle="main.c",
        width=300,
        borderWidth=1,
        background="#fff",
        cardEffect=effect,
        exit="auto",
    )
    scene = server.render("json", **request).json
    (card, *_), dots = ([g for g in scene["glyphs"] if g["role"] == role] for role in ("card", "title-bar"))
    assert len(dots) > 3 and all(dot["opacity"] == dots[0]["opacity"] for dot in dots)
    if effect in ("fade", "slide"):
        assert dots[0]["opacity"] == card["opacity"] and dots[0].get("offsetX") == card.get("offsetX")
    elif effect == "wipe":
        assert dots[0]["clip"] == card["clip"] and len(card["clip"]) == 2
    else:
        assert [key["time"] for key in dots[0]["opacity"]] == [0, 0.6, scene["duration"] - 0.6]


def test_a_card_of_no_time_is_there_at_once(server):
    for effect in EFFECTS:
        request = dict(text="x", borderWidth=1, background="#fff", cardEffect=effect, cardDuration=0, exit="auto")
        plain = server.render("json", **{**request, "cardEffect": "none"}).json
        scene = server.render("json", **request).json
        assert scene["duration"] == plain["duration"]
        shown = [
            Image.open(io.BytesIO(server.render("png", **request, time=time).body))
            for time in (0.05, scene["duration"])
        ]
        assert shown[0].getpixel((5, 5)) == (255, 255, 255, 255) and shown[1].getpixel((5, 5))[3] == 0


@pytest.mark.parametrize(
    ("request_", "fault", "message"),
    [
        (dict(cardEffect="jump"), "cardEffect", r'"slide\", \"grow\", \"wipe\"'),
        (dict(cardEffect="draw"), "cardEffect", "without a border; give borderWidth"),
        (dict(cardEffect="draw", borderWidth=2, borderColor="#0000"), "cardEffect", "without a border"),
        (dict(cardDuration=11), "cardDuration", "from 0 to 10"),
        (dict(cardEasing="quick"), "cardEasing", "must be"),
        (dict(cardDirection="north"), "cardDirection", r'"up\", \"down\"'),
        (dict(bar="under"), "bar", r'"left\", \"right\", \"top\"'),
        (dict(barWidth=0), "barWidth", "from 0.5 to 256"),
        (dict(barGap=-1), "barGap", "from 0 to 256"),
        (dict(darkBarColor="blurple"), "darkBarColor", "must be a colour such as"),
        (dict(bar="left", barWidth=200, width=200), "barWidth", "at least 1 px of the width, 200 px; got 200"),
        (dict(text="x", cardEffect="fade", blocks=[]), "blocks", "must"),
    ],
)
def test_what_is_wrong_is_named(server, request_, fault, message):
    reply = server.post("/render", {"text": "x", **request_})
    assert reply.status == 400 and fault in reply.faults and message in reply.body.decode()


def test_a_card_belongs_to_the_whole_request(server):
    reply = server.post("/render", {"blocks": [{"text": "x", "cardEffect": "fade"}]})
    assert reply.status == 400 and reply.faults == ["blocks[0].cardEffect"]


def test_the_lower_third_comes_and_goes_in_one_request(server):
    scene = server.get("/render.json?text=Ada+Lovelace&text=Mathematician&preset=lower-third&exit=auto").json
    name, role = scene["blocks"]
    assert role["lines"][0]["runs"][0]["size"] == name["lines"][0]["runs"][0]["size"] / 2
    (card,), (bar,) = ([g for g in scene["glyphs"] if g["role"] == part] for part in ("card", "bar"))
    assert card["clip"][0]["from"]["width"] == bar["scaleY"][0]["value"] == 0
    assert scene["duration"] > name["exitEnd"] and scene["warnings"] == []
    assert scene["width"] <= 960


def the_card(scene):
    (card, *_) = [glyph for glyph in scene["glyphs"] if glyph["role"] == "card"]
    return card["rect"]


def test_a_fitting_card_stands_where_the_request_says(server):
    request = dict(text="Ada", background="#fff", width=1000, height=500, padding=20, card="fit", effect="none")
    size = None
    for align, left in (("left", 0), ("center", 0.5), ("right", 1)):
        for valign, top in (("top", 0), ("middle", 0.5), ("bottom", 1)):
            for safe, sides in ((0, (0, 0, 0, 0)), ("10 5", (50, 50, 50, 50)), ("10 0 20 30", (50, 0, 100, 300))):
                scene = server.render("json", **request, align=align, valign=valign, safeArea=safe).json
                card, text = the_card(scene), scene["blocks"][0]["rect"]
                assert scene["background"] == "transparent" and scene["warnings"] == []
                size = size or (card["width"], card["height"])
                assert size == (card["width"], card["height"])
                free = 1000 - sides[1] - sides[3] - size[0], 500 - sides[0] - sides[2] - size[1]
                assert abs(card["x"] - sides[3] - left * free[0]) <= 0.5, (align, safe)
                assert abs(card["y"] - sides[0] - top * free[1]) <= 0.5, (valign, safe)
                assert card["x"] % 1 == card["y"] % 1 == 0
                assert text["x"] - card["x"] >= 20 and text["y"] - card["y"] >= 20
    plain = server.render("json", **{name: value for name, value in request.items() if name not in ("width", "height")}).json
    assert (plain["width"], plain["height"]) == size


def test_lines_of_a_fitting_card_end_at_the_safe_area_or_at_the_largest_width(server):
    words = "these are words " * 12
    request = dict(text=words, background="#fff", width=1000, height=900, padding=30, card="fit", wrap="normal", effect="none")
    widths = [the_card(server.render("json", **request, **more).json)["width"] for more in ({}, dict(safeArea="0 20"), dict(maxWidth=400))]
    assert 900 < widths[0] <= 1000 and 500 < widths[1] <= 600 and 300 < widths[2] <= 400
    text = server.render("json", **{**request, "card": "canvas"}, safeArea="0 20").json["blocks"][0]["rect"]
    assert text["x"] == 230 and text["width"] <= 540


def test_a_fitting_card_keeps_its_size_where_the_picture_grows_for_motion(server):
    for card, grows in (("canvas", True), ("fit", False)):
        request = dict(text="Ada", background="#fff", padding=0, card=card, effect="slide", distance=0.5, by="all")
        scene = server.render("json", **request).json
        still = server.render("json", **request, animate=False).json
        assert scene["height"] > still["height"]
        cards = [glyph["rect"] for glyph in scene["glyphs"] if glyph["role"] == "card"]
        assert [(rect["width"], rect["height"]) for rect in cards] == ([] if grows else [(still["width"], still["height"])])


def test_a_fitting_card_that_covers_the_picture_is_drawn_as_any_other(server):
    for effect in ("none", "fade"):
        request = dict(text="Ada", background="#fff", padding=12, effect="none", cardEffect=effect)
        one, other = (server.render("svg", **request, **more).body for more in ({}, dict(card="fit")))
        # The names of classes differ, as they do in all requests.
        assert len(one) == len(other) and one.count(b"<path") == other.count(b"<path")
        one, other = (server.render("apng", **request, **more).body for more in ({}, dict(card="fit")))
        assert one == other


def test_a_still_picture_has_its_fitting_card(server):
    request = dict(text="Ada", background="#112233", width=400, height=200, card="fit", valign="bottom", align="right")
    picture = Image.open(io.BytesIO(server.render("png", **request, animate=False, scale=1).body))
    assert picture.getpixel((398, 198)) == (0x11, 0x22, 0x33, 255) and picture.getpixel((3, 3))[3] == 0


def test_the_title_bar_of_a_fitting_card_lies_on_it(server):
    request = dict(text="x" * 20, background="#fff", width=800, height=400, card="fit", align="right", valign="bottom")
    scene = server.render("json", **request, titleBar=True, windowTitle="main.c", font="monospace").json
    card = the_card(scene)
    for part in (glyph["rect"] for glyph in scene["glyphs"] if glyph["role"] == "title-bar"):
        assert card["x"] < part["x"] and part["x"] + part["width"] < card["x"] + card["width"]
        assert card["y"] < part["y"] and part["y"] + part["height"] < card["y"] + 40


@pytest.mark.parametrize(
    ("request_", "fault", "message"),
    [
        (dict(card="tight"), "card", r'"canvas\", \"fit\"'),
        (dict(safeArea=41), "safeArea", "from 0 to 40 percent"),
        (dict(safeArea="1 2 3 4 5"), "safeArea", "one to four"),
        (dict(safeArea="10 41"), "safeArea", "from 0 to 40 percent"),
        (dict(safeArea="5%"), "safeArea", "from 0 to 40 percent"),
        (dict(safeArea=""), "safeArea", "one to four"),
        (dict(safeArea=[5]), "safeArea", "must be"),
        (dict(safeArea="0 40", width=100, padding=10), "safeArea", "at least 1 px of the width, 100 px"),
    ],
)
def test_what_is_wrong_with_a_fitting_card_is_named(server, request_, fault, message):
    reply = server.post("/render", {"text": "x", **request_})
    assert reply.status == 400 and fault in reply.faults and message in reply.body.decode()


def test_a_safe_area_is_canonical(server):
    for one, other in ((5, "5 5 5 5"), ("5 6", "5 6 5 6"), ("5 6 7", "5 6 7 6"), (0, "0.0001")):
        ways = [server.get(f"/canonical?text=x&width=300&safeArea={quote(str(way))}").body for way in (one, other)]
        assert ways[0] == ways[1]
