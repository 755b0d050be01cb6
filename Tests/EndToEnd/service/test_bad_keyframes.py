"""Wrong keyframes and easings are refused in JSON, queries and forms, and the message names the place."""

import json

import pytest

from service import query

FORM = "application/x-www-form-urlencoded"
DEEP = json.loads("[" * 8 + "]" * 8)
# What is wrong, the keyframes, and the places at fault.
WRONG = [
    ("a string", "y", "keyframes"),
    ("an object", {"y": 1}, "keyframes"),
    ("a number", 5, "keyframes"),
    ("null", None, "keyframes"),
    ("a boolean", True, "keyframes"),
    ("no keyframe", [], "keyframes"),
    ("17 keyframes", [{"y": 1}] * 16 + [{}], "keyframes"),
    ("a keyframe of a number", [1], "keyframes[0]"),
    ("a keyframe of null", [None], "keyframes[0]"),
    ("a keyframe of a string", [{}, "y"], "keyframes[1]"),
    ("a list in the list", [[{"y": 1}]], "keyframes[0]"),
    ("an unknown name", [{"offsetX": 1}], "keyframes[0].offsetX"),
    ("a name like another", [{}, {"colour": "red"}, {}], "keyframes[1].colour"),
    ("another case", [{"Y": 1}], "keyframes[0].Y"),
    ("an empty name", [{"": 1}], "keyframes[0]."),
    ("an opacity above 1", [{"opacity": 1.1}], "keyframes[0].opacity"),
    ("an opacity below 0", [{"opacity": -0.1}], "keyframes[0].opacity"),
    ("an opacity as text", [{"opacity": "1"}], "keyframes[0].opacity"),
    ("an opacity of true", [{"opacity": True}], "keyframes[0].opacity"),
    ("an opacity of null", [{"opacity": None}], "keyframes[0].opacity"),
    ("a way past the range", [{"x": 10.1}], "keyframes[0].x"),
    ("a way that is text", [{"y": "1"}], "keyframes[0].y"),
    ("a way that is no number", [{"x": "NaN"}], "keyframes[0].x"),
    ("a share that is no number", [{"y": "NaN%"}], "keyframes[0].y"),
    ("a share without a number", [{"y": "%"}], "keyframes[0].y"),
    ("a share past the range", [{"y": "1000.1%"}], "keyframes[0].y"),
    ("a share past a double", [{"x": "-1e999%"}], "keyframes[0].x"),
    ("a share with a space", [{"x": "50 %"}], "keyframes[0].x"),
    ("a share in pixels", [{"x": "50px"}], "keyframes[0].x"),
    ("a share of a scale", [{"scale": "50%"}], "keyframes[0].scale"),
    ("a scale past the range", [{"scaleX": 10.5}], "keyframes[0].scaleX"),
    ("a scale below 0", [{"scaleY": -1}], "keyframes[0].scaleY"),
    ("a turn past the range", [{"rotation": 3601}], "keyframes[0].rotation"),
    ("a turn in degrees", [{"rotation": "45deg"}], "keyframes[0].rotation"),
    ("a blur past the range", [{"blur": 2.1}], "keyframes[0].blur"),
    ("a blur below 0", [{"y": 1}, {"blur": -0.1}, {}], "keyframes[1].blur"),
    ("a spread past the range", [{"spread": 10.1}], "keyframes[0].spread"),
    ("a spread with a way", [{"x": 1, "spread": 2}], "keyframes[0].spread"),
    ("a spread and elsewhere a way", [{"spread": 2}, {"y": 1}, {"x": 1}, {}], "keyframes[0].spread"),
    ("a spread after a way", [{"x": 1}, {"spread": 2}, {}], "keyframes[1].spread"),
    ("a way along the path with one to the right", [{"pathOffset": 9}, {"x": 1}, {}], "keyframes[0].pathOffset"),
    ("a way along the path with a turn", [{"rotation": 9}, {"pathOffset": 1}, {}], "keyframes[1].pathOffset"),
    ("a way along the path that does not end", [{"pathOffset": 100}, {"pathOffset": 100}], "keyframes[1].pathOffset"),
    ("a way along the path past the range", [{"pathOffset": -1001}], "keyframes[0].pathOffset"),
    ("an offset below 0", [{"offset": -0.1}], "keyframes[0].offset"),
    ("an offset above 1", [{"offset": 1.1}], "keyframes[0].offset"),
    ("an offset as text", [{"offset": "0"}], "keyframes[0].offset"),
    ("an offset in percent", [{"offset": "50%"}], "keyframes[0].offset"),
    ("an offset of null", [{"offset": None}], "keyframes[0].offset"),
    ("offsets that fall", [{"offset": 0.5}, {"offset": 0.4}, {}], "keyframes[1].offset"),
    ("offsets that fall further on", [{"offset": 0.6}, {}, {"offset": 0.2}, {}], "keyframes[2].offset"),
    ("an unknown easing", [{}, {}, {"y": 1}, {"easing": "bouncy"}, {}], "keyframes[3].easing"),
    ("an easing of a number", [{"easing": 1}], "keyframes[0].easing"),
    ("an easing of a list", [{"easing": [0, 0, 1, 1]}], "keyframes[0].easing"),
    ("an easing past its range", [{"easing": "spring(1)"}], "keyframes[0].easing"),
    ("a colour that is none", [{"color": "blurple"}], "keyframes[0].color"),
    ("a colour of five digits", [{"color": "#12345"}], "keyframes[0].color"),
    ("a colour of a number", [{"color": 123456}], "keyframes[0].color"),
    ("a colour of nothing", [{"color": ""}], "keyframes[0].color"),
    ("an end that is away", [{"y": 1}, {"y": 0.5}], "keyframes[1].y"),
    ("an end that is away by a share", [{"y": 1}, {"y": "1%"}], "keyframes[1].y"),
    ("an end that is large", [{"offset": 1, "scale": 2}], "keyframes[0].scale"),
    ("an end that is pale", [{}, {}, {"opacity": 0.99}], "keyframes[2].opacity"),
    ("an end that is turned round", [{"rotation": -90}, {"rotation": 360}], "keyframes[1].rotation"),
    ("an end in colour", [{"color": "red"}, {"color": "red"}], "keyframes[1].color"),
    ("a value in a pit of lists", [{"y": DEEP}], "keyframes[0].y"),
    ("a pit of lists", DEEP, "keyframes[0]"),
    ("a pit of objects", [{"y": {"y": {"y": 1}}}], "keyframes[0].y"),
    (
        "several faults at once",
        [{"y": "up"}, {"easing": "steps(0)", "blur": 9}, {"colr": "red"}],
        *("keyframes[0].y", "keyframes[1].easing", "keyframes[1].blur", "keyframes[2].colr"),
    ),
]
# Text that is no JSON, as the value of a query.
BROKEN = [
    *("[{", "[{}]]", "[{}],", "[{'y':1}]", "[{y:1}]", '[{"y":NaN}]', '[{"y":01}]', "[" * 2000, "{", "y=1", "\x00"),
]
WRONG_EASINGS = [
    *("steps(0)", "steps(101)", "steps(-1)", "steps(1.5)", "steps()", "steps", "steps(a)", "steps(2,start)"),
    *("steps(3", "steps 3", "steps(3))", "steps(1e999)", "steps(+3)"),
    *("linear(1)", "linear()", "linear(" + ",".join(["0"] * 65) + ")", "linear(0,11)", "linear(0,-10.1)"),
    *("linear(0 101%,1)", "linear(0 -1%,1)", "linear(0 10% 20% 30%,1)", "linear(0,,1)", "linear(0 1,1)", "linear(0%,1)"),
    *("linear(0,1,)", "linear(a,b)", "linear(NaN,1)", "linear(1e999,1)", "linear(0 10,1)", "linear(10% 0 20%,1)"),
    *("spring(1)", "spring(-0.95)", "spring(0.91)", "spring()", "spring(a)", "spring(0.3,0.4)", "spring(30%)"),
    *("spring(Infinity)", "springy", "bounce()", "bounce(2)", "cubic-bezier(2,0,0,1)", "cubic-bezier(0,0,1)"),
    *("cubic-bezier(0,0,0,1,1)", "cubic-bezier(0,11,1,1)", "ease-in()", "linear(" * 700, ""),
]
GOOD_EASINGS = [
    *("bounce", "spring", "spring(0.3)", "spring( -0.9 )", "spring(0)", "spring(9e-1)", "steps(1)", "steps( 100 )"),
    *("linear(0, 1)", "linear( 0 0%, 0.5 25%, 1 )", "linear(-10 100%, 10 0%)", "linear(0, 1e0 5e1%, 1)"),
    "linear(" + ",".join(["0"] * 64) + ")",
    *("cubic-bezier(0.2, 0.8, 0.2, 1)", "cubic-bezier(0,-10,1,10)"),
]


def answers(server, **request):
    """Sends a request in JSON, in a query and in a form."""
    yield server.post("/render", {"text": "x", **request})
    fields = {
        name: value if isinstance(value, str) and name != "keyframes" else json.dumps(value)
        for name, value in request.items()
    }
    text = query({"text": "x", **fields})
    yield server.get(f"/render?{text}")
    yield server.post("/render", text, FORM)


def expect(answer, *faults):
    assert answer.status == 400, answer.text[:500]
    assert sorted(answer.faults) == sorted(faults), answer.text[:500]
    assert all(error["message"] for error in answer.json["errors"])
    assert len(answer.body) < 10_000


def test_the_list_is_long_enough():
    assert len(WRONG) + len(BROKEN) >= 40


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case[0])
def test_wrong_keyframes_name_their_place(server, case):
    _, keyframes, *faults = case
    for answer in answers(server, effect="custom", keyframes=keyframes):
        expect(answer, *faults)
    block = {"text": "x", "effect": "custom", "keyframes": keyframes}
    answer = server.post("/render", {"blocks": [{"text": "x"}, block]})
    expect(answer, *(f"blocks[1].{fault}" for fault in faults))


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:20])
def test_broken_keyframes_in_a_query(server, text):
    for answer in (
        server.get("/render?" + query({"text": "x", "effect": "custom", "keyframes": text})),
        server.post("/render", query({"text": "x", "effect": "custom", "keyframes": text}), FORM),
    ):
        expect(answer, "keyframes")


def test_a_deeper_pit_of_lists_is_no_json(server):
    for depth in (100, 1000):
        pit = "[" * depth + "]" * depth
        expect(server.post("/render", f'{{"text":"x","effect":"custom","keyframes":[{{"y":{pit}}}]}}'), "body")
        text = query({"text": "x", "effect": "custom", "keyframes": f'[{{"y":{pit}}}]'})
        expect(server.get("/render?" + text), "keyframes")
        expect(server.post("/render", text, FORM), "keyframes")


def test_broken_keyframes_in_json(server):
    for text in ("NaN", '[{"y":NaN}]', '[{"y":1}', "[" * 20000, '[{"y":"\\ud800"}]'):
        expect(server.post("/render", f'{{"text":"x","effect":"custom","keyframes":{text}}}'), "body")
    expect(server.post("/render", '{"text":"x","effect":"custom","keyframes":[{"y":1e999}]}'), "keyframes[0].y")


def test_keyframes_belong_to_custom(server):
    for answer in answers(server, effect="custom"):
        expect(answer, "keyframes")
    for answer in answers(server, effect="slide", keyframes=[{"y": 1}]):
        expect(answer, "keyframes")
    for answer in answers(server, exit="custom"):
        expect(answer, "exit")
    for answer in answers(server, effect="custom", keyframes=[{"y": 1}], interval=-1):
        expect(answer, "interval")


@pytest.mark.parametrize("easing", WRONG_EASINGS, ids=lambda easing: easing[:20])
def test_wrong_easings(server, easing):
    for answer in answers(server, effect="slide", easing=easing):
        expect(answer, "easing")
    for answer in answers(server, effect="custom", keyframes=[{}, {"easing": easing}, {}]):
        expect(answer, "keyframes[1].easing")


@pytest.mark.parametrize("easing", GOOD_EASINGS, ids=lambda easing: easing[:20])
def test_good_easings(server, easing):
    for answer in answers(server, effect="slide", easing=easing):
        assert answer.status == 200, answer.text
    for answer in answers(server, effect="custom", keyframes=[{"y": 1, "easing": easing}]):
        assert answer.status == 200, answer.text


@pytest.mark.parametrize(
    "request_, fault",
    [
        (dict(typos=0.2, by="word"), "typos"),
        (dict(typos=0.2, order="random"), "typos"),
        (dict(typos=0.51), "typos"),
        (dict(typos=-0.1), "typos"),
        (dict(typoPause=10.1), "typoPause"),
        (dict(erase="some"), "erase"),
        (dict(effect="slide", mask="word"), "mask"),
        (dict(effect="wave", mask="line"), "mask"),
        (dict(effect="rise", distance=1001), "distance"),
        (dict(effect="blur", radius=2.1), "radius"),
        (dict(effect="zoom", fromScale=10.1), "fromScale"),
        (dict(effect="tracking", fromSpread=5.1), "fromSpread"),
        (dict(effect="highlight", highlightColor="blurple"), "highlightColor"),
        (dict(effect="highlight", easing="linear"), "easing"),
        (dict(effect="draw", strokeWidth=0.004), "strokeWidth"),
        (dict(effect="draw", strokeWidth=0.21), "strokeWidth"),
    ],
)
def test_wrong_parameters_of_effects(server, request_, fault):
    for answer in answers(server, **request_):
        expect(answer, fault)


def test_typos_of_zero_go_with_any_order(server):
    for answer in answers(server, typos=0, by="word", order="random"):
        assert answer.status == 200, answer.text
