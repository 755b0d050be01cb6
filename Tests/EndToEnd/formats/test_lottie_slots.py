"""Colours of a Lottie file that programs replace at runtime, and the gradients of specification 1.1."""

import gzip
import io
import json
import math
import zipfile

import numpy
import pytest
from thorvg_python import LottieAnimation, Result

from lottie_players import ENGINE, PLAYERS, ThorVG
from lottie_structure import faults_of
from picture import pixels
from random_requests import painted_request, within_limits

RED, BLUE = dict(a=0, k=[1, 0, 0]), dict(a=0, k=[0, 0, 1])
SUNSET = "linear-gradient(90deg, #ff8800, #8800ff)"
CASES = {
    "letters that slide": dict(text="Slots", effect="slide"),
    "letters that fade": dict(text="Two\nlines", effect="fade"),
    "letters that are typed": dict(text="Typed <u>u</u> 👻", markup=True, effect="typewriter", cursor="bar"),
    "an outline": dict(text="Edge", effect="rise", outlineWidth=3, outlineColor="#0044cc", background="#ffeecc"),
    "letters that are drawn": dict(text="Drawn", effect="draw"),
    "a gradient": dict(text="Gradient", effect="pop", color=SUNSET),
    "a translucent colour": dict(text="Pale", effect="none", color="#c0202080", letterSpacing=-9),
    "blocks": dict(blocks=[dict(text="One", color="#c02020"), dict(text="Two", color="#2020c0")], effect="slide"),
    "colours that change": dict(text="High light", effect="highlight"),
    "a card": dict(text="Card", effect="none", background=SUNSET, cornerRadius=12, borderWidth=3),
    "scrambled": dict(text="Scramble", effect="scramble", seed=3),
}


class Slotted(ThorVG):
    """ThorVG with values for slots."""

    def __init__(self, text, **values):
        super().__init__(text)
        if values:
            lottie = LottieAnimation(ENGINE, self.animation._animation)
            number = lottie.gen_slot(json.dumps({name: dict(p=value) for name, value in values.items()}))
            assert number and lottie.apply_slot(number) == Result.SUCCESS, "ThorVG does not take the slots"


def lottie(server, **request):
    return server.render("lot", **dict(size=40, padding=20) | request).body.decode()


def without_slots(file):
    def stripped(value):
        if isinstance(value, dict):
            return {name: stripped(inner) for name, inner in value.items() if name not in ("sid", "slots")}
        return [stripped(inner) for inner in value] if isinstance(value, list) else value

    return json.dumps(stripped(json.loads(file)), separators=(",", ":"), ensure_ascii=False)


def slots_used(value):
    """The names of slots in a file, each with its value there."""
    if isinstance(value, dict):
        if "sid" in value:
            yield value["sid"], {name: inner for name, inner in value.items() if name != "sid"}
        value = [inner for name, inner in value.items() if name != "slots"]
    if isinstance(value, list):
        for inner in value:
            yield from slots_used(inner)


def frames(file):
    return numpy.linspace(0, json.loads(file)["op"] - 1, 7).round()


def same(file, other, **values):
    """Whether ThorVG draws both alike, the first with values for its slots."""
    one, two = Slotted(file, **values), Slotted(other)
    return all(numpy.abs(one.pixels(frame) - two.pixels(frame)).max() <= 1 for frame in frames(file))


@pytest.mark.parametrize("name", CASES)
def test_players_draw_what_they_draw_without_slots(server, name):
    file = lottie(server, **CASES[name])
    assert not list(faults_of(file))
    for player in PLAYERS:
        one, two = player(file), player(without_slots(file))
        for frame in frames(file):
            assert numpy.array_equal(one.pixels(int(frame)), two.pixels(int(frame))), (player.name, frame)


@pytest.mark.parametrize("seed", range(200))
def test_random_files_are_drawn_as_without_slots(server, seed):
    request = within_limits(server, f"slots {seed}", lambda *drawn: {**painted_request(*drawn), "paintMotion": "none"})
    file = server.render("lot", **request).body.decode()
    one, two = ThorVG(file), ThorVG(without_slots(file))
    for frame in frames(file):
        assert numpy.array_equal(one.pixels(frame), two.pixels(frame)), (request, frame)


@pytest.mark.parametrize("name", CASES)
def test_every_slot_has_the_value_that_its_properties_have(server, name):
    file = json.loads(lottie(server, **CASES[name]))
    slots = {slot: value["p"] for slot, value in file.get("slots", {}).items()}
    used = list(slots_used(file))
    assert {slot for slot, _ in used} == set(slots) and all(slots[slot] == value for slot, value in used)
    if name not in ("colours that change", "a card"):
        assert "block0.color" in slots


@pytest.mark.parametrize("name", CASES)
def test_slots_take_few_bytes(server, name):
    file = lottie(server, **CASES[name])
    sizes = [len(gzip.compress(text.encode(), 6)) for text in (file, without_slots(file))]
    # Of a small file the names alone are more.
    assert sizes[0] <= 1.02 * sizes[1] + 100, sizes


@pytest.mark.parametrize("effect", ["slide", "fade", "typewriter", "draw", "scramble"])
def test_a_text_takes_another_colour(server, effect):
    request = dict(text="Other colours", effect=effect, seed=3)
    blue, red = (lottie(server, **request, color=color) for color in ("#0000ff", "#ff0000"))
    assert not same(blue, red) and same(blue, red, **{"block0.color": RED})


def test_an_outline_and_a_ground_take_another_colour(server):
    request = dict(text="Edges", effect="rise", outlineWidth=4, color="#ffffff")
    one = lottie(server, **request, outlineColor="#0000ff", background="#ff0000")
    two = lottie(server, **request, outlineColor="#ff0000", background="#0000ff")
    assert same(one, two, **{"block0.outline": RED, "background": BLUE})


def test_each_block_has_slots_of_its_own(server):
    def of(*colors):
        blocks = [dict(text=text, color=color) for text, color in zip(["Same", "Same"], colors)]
        return lottie(server, blocks=blocks, effect="slide")

    before = of("#0000ff", "#0000ff")
    assert same(before, of("#ff0000", "#0000ff"), **{"block0.color": RED})
    assert same(before, of("#0000ff", "#ff0000"), **{"block1.color": RED})


def test_a_gradient_takes_other_stops(server):
    request = dict(text="Gradients", effect="pop")
    one = lottie(server, **request, color=SUNSET)
    two = lottie(server, **request, color="linear-gradient(90deg, #ff0000, #00ff00 50%, #0000ff)")
    stops = json.loads(two)["slots"]["block0.color"]["p"]
    assert stops["p"] == 3 and same(one, two, **{"block0.color": stops})


def test_colours_of_their_own_and_colours_that_change_have_no_slot(server):
    file = lottie(server, text="<span foreground='#ff0000'>red</span> ink", markup=True, effect="none", color="#0000ff")
    assert {tuple(value["k"]) for _, value in slots_used(json.loads(file))} == {(0, 0, 1)}
    changing = json.loads(lottie(server, text="a", effect="custom", duration=1, keyframes=[{"color": "#ff0000"}, {}]))
    assert list(slots_used(changing)) == [] and "slots" not in changing


def test_stickers_of_telegram_have_no_slots_and_dotlottie_has_its_own(server):
    sticker = server.render("tgs", text="a", effect="slide", background="#ffffff").body
    assert b'"sid"' not in gzip.decompress(sticker) and b'"slots"' not in gzip.decompress(sticker)
    archive = zipfile.ZipFile(io.BytesIO(server.render("lottie", text="a", color="#0000ff", darkColor="#ff0000").body))
    values = [json.loads(archive.read(f"a/{scheme}.json"))["slots"]["block0.color"]["p"]["k"] for scheme in ("light", "dark")]
    assert values == [[0, 0, 1], [1, 0, 0]]


WHEELS = {
    "a wheel": "conic-gradient(red, blue, red)",
    "from the right": "conic-gradient(from 90deg, #ff0, #08f 30%, #f0f 80%)",
    "elsewhere": "conic-gradient(from -40deg at 30% 70%, #000, #fff)",
}


def color_of(gradient, x, y):
    """What the specification has at a point of a conic gradient: clockwise from its angle, which is 0 to the right."""
    (left, top), turn = gradient["s"]["k"], gradient["a"]["k"]
    way = (math.degrees(math.atan2(y - top, x - left)) - turn) % 360 / 360
    count, values = gradient["g"]["p"], gradient["g"]["k"]["k"]
    stops = numpy.array(values[: 4 * count]).reshape(count, 4)
    return [255 * numpy.interp(way, stops[:, 0], stops[:, channel]) for channel in (1, 2, 3)]


@pytest.mark.parametrize("name", WHEELS)
def test_version_1_1_has_conic_gradients(server, name):
    request = dict(text=".", color="#0000", background=WHEELS[name], width=160, height=120, effect="none", size=10)
    answer = server.render("lot", **request, lottieVersion="1.1")
    file = answer.json
    assert file["ver"] == 10100 and answer.headers["Titlecard-Warnings"] is None
    [gradient] = [shape for layer in file["layers"] for shape in layer.get("shapes", []) if shape["ty"] == "gf"]
    assert gradient["t"] == 3
    picture = pixels(server.render("png", **request).body)
    center = gradient["s"]["k"]
    for x, y in [(5.5, 5.5), (150.5, 20.5), (140.5, 110.5), (20.5, 100.5), (100.5, 4.5)]:
        assert math.dist((x, y), center) > 9
        assert numpy.abs(picture[int(y), int(x)] - color_of(gradient, x, y)).max() <= 4, (x, y)


def test_version_1_0_has_none_and_is_what_is_usual(server):
    request = dict(text="Wheel", color=WHEELS["a wheel"], effect="slide")
    usual = server.render("lot", **request)
    assert usual.json["ver"] == 10000 and "unsupported" in usual.headers["Titlecard-Warnings"]
    assert usual.body == server.render("lot", **request, lottieVersion="1.0").body
    assert '"t":3,"s":{' not in usual.body.decode()
    newer = server.render("lot", **request, lottieVersion="1.1")
    assert '"t":3,"s":{' in newer.body.decode() and newer.headers["Titlecard-Warnings"] is None


def test_another_version_is_an_error(server):
    for value in ("1.2", 1.1):
        reply = server.post("/render.lot", dict(text="a", lottieVersion=value))
        assert (reply.status, reply.faults) == (400, ["lottieVersion"])
