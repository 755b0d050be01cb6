"""Wrong gradients, shadows and cards are refused by name, and what means the same is one rendering."""

import json

import pytest

from service import query

FORM = "application/x-www-form-urlencoded"
EXAMPLE = "linear-gradient(90deg, #ff0000, #0000ff 80%)"
# A value that is no gradient, and words of the message that say what would be right.
WRONG_GRADIENTS = [
    ("linear-gradient()", "from 2 to 8 colours; got 0"),
    ("linear-gradient(red)", "from 2 to 8 colours; got 1"),
    ("linear-gradient(90deg, red)", "from 2 to 8 colours; got 1"),
    ("linear-gradient(to right)", "from 2 to 8 colours; got 0"),
    (f"linear-gradient({', '.join(['red'] * 9)})", "from 2 to 8 colours; got 9"),
    ("linear-gradient(red blue)", "from 2 to 8 colours; got 1"),
    ("linear-gradient(red,, blue)", "number 2 is empty"),
    ("linear-gradient(red, blue,)", "number 3 is empty"),
    ("linear-gradient(, red, blue)", "number 1 is empty"),
    ("linear-gradient(red, blue", f"must end with ), like {EXAMPLE}"),
    ("linear-gradient(red, blue); x", "must end with )"),
    ("linear-gradient(red, blue))", 'the colour first; got "blue)"'),
    ("linear-gradient(red, rgb(1, 2))", 'the colour first; got "rgb(1, 2)"'),
    ("linear-gradient(red, linear-gradient(red, blue))", "the colour first"),
    ("linear-gradient(red, rgb(1, 2, 3)", "must have stops"),
    ("rgb(1 2)", 'must be written like rgb(36 41 47 / 50%); got "rgb(1 2)"'),
    ("oklch(0.5, 0.1, 20)", 'must be written like oklch(0.28 0.012 257deg); got "oklch(0.5, 0.1, 20)"'),
    ("color(nowhere 1 1 1)", "must be written like color(display-p3 0.15 0.16 0.18)"),
    ("rgb(from red r g b)", "must be written like rgb("),
    ("color-mix(in srgb, red, blue)", 'must be a colour or a linear-gradient(…); got "color-mix(…)"'),
    ("linear-gradient(red, blue), linear-gradient(red, blue)", "must be one linear-gradient(…)"),
    ("linear-gradient red, blue", f"or a gradient such as {EXAMPLE}"),
    ("diamond-gradient(red, blue)", 'a colour or a linear-gradient(…); got "diamond-gradient(…)"'),
    ("repeating-gradient(red, blue)", "a colour or a linear-gradient(…)"),
    ("repeating-linear-gradient(red 10%, blue 10.5%)", "at least 1% from the first stop to the last"),
    ("repeating-conic-gradient(red, blue 3deg)", "at least 1% from the first stop to the last"),
    ("radial-gradient(red)", "from 2 to 8 colours; got 1"),
    ("radial-gradient(circle, red)", "from 2 to 8 colours; got 1"),
    ("radial-gradient(circle ellipse, red, blue)", "a shape and a centre such as circle closest-side"),
    ("radial-gradient(circle 10px 20px, red, blue)", "a shape and a centre"),
    ("radial-gradient(circle 10%, red, blue)", "a shape and a centre"),
    ("radial-gradient(ellipse 10px, red, blue)", "a shape and a centre"),
    ("radial-gradient(-1px, red, blue)", 'a shape and a centre such as circle closest-side, ellipse 50% 20px, or '
                                         'circle at top left; got "-1px"'),
    ("radial-gradient(10001px, red, blue)", "a shape and a centre"),
    ("radial-gradient(10, red, blue)", "a shape and a centre"),
    ("radial-gradient(at, red, blue)", "a shape and a centre"),
    ("radial-gradient(at top top, red, blue)", "a shape and a centre"),
    ("radial-gradient(at 10px left, red, blue)", "a shape and a centre"),
    ("radial-gradient(at 1001% 0%, red, blue)", "a shape and a centre"),
    ("radial-gradient(at left top 5px, red, blue)", "a shape and a centre"),
    ("radial-gradient(nowhere, red, blue)", 'the colour first; got "nowhere"'),
    ("radial-gradient(red 10deg, blue)", "at most one position in percent"),
    ("conic-gradient(from, red, blue)", "a start and a centre such as from 45deg"),
    ("conic-gradient(from 45, red, blue)", "a start and a centre"),
    ("conic-gradient(from 45deg top, red, blue)", "a start and a centre"),
    ("conic-gradient(at left from 45deg, red, blue)", "a start and a centre"),
    ("conic-gradient(45deg, red, blue)", 'the colour first; got "45deg"'),
    ("conic-gradient(red 4000deg, blue)", "from -1000% to 1000%"),
    ("url(x)", "a colour or a linear-gradient(…)"),
    ("blurple", 'or tomato, or a gradient such as linear-gradient(90deg, #ff0000, #0000ff 80%); got "blurple"'),
    ("none", "must be a colour"),
    ("linear-gradient(to middle, red, blue)", 'such as to right or to top left; got "to middle"'),
    ("linear-gradient(to, red, blue)", "to a side or a corner"),
    ("linear-gradient(to top top, red, blue)", "to a side or a corner"),
    ("linear-gradient(to left right, red, blue)", "to a side or a corner"),
    ("linear-gradient(to top left bottom, red, blue)", "to a side or a corner"),
    ("linear-gradient(top, red, blue)", "such as to right or to top left"),
    ("linear-gradient(90, red, blue)", 'in degrees, such as 90deg; got "90"'),
    ("linear-gradient(0, red, blue)", "in degrees, such as 90deg"),
    ("linear-gradient(0.25turn, red, blue)", "in degrees, such as 90deg"),
    ("linear-gradient(1rad, red, blue)", "in degrees, such as 90deg"),
    ("linear-gradient(90 deg, red, blue)", "in degrees, such as 90deg"),
    ("linear-gradient(deg, red, blue)", "in degrees, such as 90deg"),
    ("linear-gradient(NaNdeg, red, blue)", "in degrees, such as 90deg"),
    ("linear-gradient(+-90deg, red, blue)", "in degrees, such as 90deg"),
    ("linear-gradient(9999999999deg, red, blue)", "in degrees"),
    ("linear-gradient(90deg in oklch, red, blue)", "in degrees, such as 90deg"),
    ("linear-gradient(90deg, 80deg, red, blue)", "the colour first"),
    ("linear-gradient(red, 50%, blue)", 'stops such as #ff0000 or tomato 40%, the colour first; got "50%"'),
    ("linear-gradient(10% red, blue)", 'the colour first; got "10% red"'),
    ("linear-gradient(red, blurple)", 'stops such as #ff0000 or tomato 40%, the colour first; got "blurple"'),
    ("linear-gradient(red, #12345)", "stops such as #ff0000"),
    ("linear-gradient(red, currentColor)", "stops such as #ff0000"),
    ("linear-gradient(red\u00a0, blue)", "stops such as #ff0000"),
    ("linear-gradient(red 10% 20%, blue)", "at most one position in percent"),
    ("linear-gradient(red 10px, blue)", "in percent at each colour, such as tomato 40%"),
    ("linear-gradient(red 10, blue)", "in percent at each colour"),
    ("linear-gradient(red NaN%, blue)", "in percent at each colour"),
    ("linear-gradient(red 1e2%, blue)", "in percent at each colour"),
    ("linear-gradient(red 2000%, blue)", 'from -1000% to 1000%; got "2000%"'),
    ("linear-gradient(red, blue -1000.1%)", "from -1000% to 1000%"),
    (f"linear-gradient(red,{' ' * 2000}blue)", "at most 1000 bytes"),
]
WRONG_SHADOWS = [
    (" ", 'must be "none", or up to 4 shadows such as 2px 2px 4px #0008'),
    ("2px", "must have a colour in each shadow, such as 2px 2px 4px #0008"),
    ("2px 2px 4px", "a colour in each shadow"),
    ("auto", 'must be "none", or up to 4 shadows such as 2px 2px 4px #0008; got "auto"'),
    ("inset 2px 2px red", 'lengths in px, such as 2px; got "inset"'),
    ("1px 1px blurple", 'a colour in each shadow, such as 2px 2px 4px #0008; got "blurple"'),
    ("1px 1px #12345", "a colour in each shadow"),
    ("1px 1px 0000", "a colour in each shadow"),
    ("1px 1px red, none", "a colour in each shadow"),
    ("red", "two offsets and at most one blur radius"),
    ("2px red", "two offsets and at most one blur radius"),
    ("2px 2px 4px 1px red", "at most one blur radius in each shadow, such as 2px 2px 4px #0008"),
    ("2px 2px 4px red blue", "one colour in each shadow, before or after its lengths"),
    ("2px 2px red 4px", "one colour in each shadow, before or after its lengths"),
    ("blue 2px 2px red", "one colour in each shadow"),
    ("2 2 red", 'lengths in px, such as 2px; got "2"'),
    ("2em 2em red", "lengths in px, such as 2px"),
    ("1px 1px 10% red", "lengths in px"),
    ("1px;1px red", "lengths in px"),
    ("1e1px 1px red", "lengths in px"),
    ("1.px 1px red", "lengths in px"),
    ("2px 2px -1px red", 'blur radii from 0 to 64px; got "-1px"'),
    ("2px 2px 64.1px red", "blur radii from 0 to 64px"),
    ("513px 0 red", "offsets from -512px to 512px"),
    ("0 -512.5px red", "offsets from -512px to 512px"),
    (", ".join(["1px 1px red"] * 5), "at most 4 shadows; got 5"),
    ("1px 1px red,", "number 2 is empty"),
    ("1px 1px red,,1px 1px red", "number 2 is empty"),
    ("drop-shadow(1px 1px red)", "shadows such as 2px 2px 4px #0008"),
    ("1px 1px rgb(0, 0)", 'a colour in each shadow, such as 2px 2px 4px #0008; got "rgb(0, 0)"'),
    ("1px 1px linear-gradient(red, blue)", "a colour in each shadow"),
    (f"1px 1px{' ' * 1000}red", "at most 1000 bytes"),
]
WRONG_OTHERS = [
    ("color", 5, "or a gradient such as"),
    ("color", None, "or a gradient such as"),
    ("background", "linear-gradient(red)", "from 2 to 8 colours"),
    ("darkColor", "linear-gradient(to nowhere, red, blue)", "to a side or a corner"),
    ("darkBackground", "conic-gradient(red)", "from 2 to 8 colours"),
    ("shadow", 3, 'must be "none", or up to 4 shadows such as 2px 2px 4px #0008; got 3'),
    ("shadow", ["1px 1px red"], "shadows such as"),
    ("darkShadow", "1px", "a colour in each shadow"),
    ("gradientBox", "word", '"block", "line", "glyph"; got "word"'),
    ("outlineWidth", 20.1, "from 0 to 20 px"),
    ("outlineWidth", -1, "from 0 to 20 px"),
    ("outlineColor", "linear-gradient(red, blue)", "must be a colour such as"),
    ("darkOutlineColor", "blurple", "must be a colour such as"),
    ("cornerRadius", 512.1, "from 0 to 512 px"),
    ("cornerRadius", "50%", "from 0 to 512 px"),
    ("borderWidth", 33, "from 0 to 32 px"),
    ("borderColor", "linear-gradient(red, blue)", "must be a colour such as"),
    ("darkBorderColor", "#12", "must be a colour such as"),
]
GRADIENT = "linear-gradient(red, blue)"


def answers(server, **request):
    """Sends a request in JSON, and, if all values are texts, in a query and a form."""
    yield server.post("/render.json", {"text": "x", **request})
    if all(isinstance(value, str) for value in request.values()):
        text = query({"text": "x", **request})
        yield server.get(f"/render.json?{text}")
        yield server.post("/render.json", text, FORM)


def expect(answer, fault, says):
    assert answer.status == 400, answer.text[:500]
    assert answer.faults == [fault], answer.text[:500]
    [error] = answer.json["errors"]
    assert says in error["message"], error
    assert len(answer.body) < 2000


def test_the_lists_are_long_enough():
    assert len(WRONG_GRADIENTS) >= 30 and len(WRONG_SHADOWS) >= 30


@pytest.mark.parametrize("value, says", WRONG_GRADIENTS, ids=lambda text: text[:40])
def test_wrong_gradients_name_the_parameter_and_what_is_right(server, value, says):
    # What is no paint at all may also be the word that a colour takes.
    of_color = says.replace("80%); got", '80%) or "auto"; got') if value == "blurple" else says
    for name, expected in (("color", of_color), ("background", says)):
        for answer in answers(server, **{name: value}):
            expect(answer, name, expected)
    answer = server.post("/render", {"blocks": [{"text": "x"}, {"text": "y", "color": value}]})
    expect(answer, "blocks[1].color", of_color)


@pytest.mark.parametrize("value, says", WRONG_SHADOWS, ids=lambda text: text[:40])
def test_wrong_shadows_name_the_parameter_and_what_is_right(server, value, says):
    expect(server.post("/render", {"text": "x", "shadow": value}), "shadow", says)
    # In a query digits are a colour without its hash, and so these are a shadow.
    if value != "1px 1px 0000":
        for answer in answers(server, darkShadow=value):
            expect(answer, "darkShadow", says)
    answer = server.post("/render", {"blocks": [{"text": "x"}, {"text": "y", "shadow": value}]})
    expect(answer, "blocks[1].shadow", says)


@pytest.mark.parametrize("name, value, says", WRONG_OTHERS)
def test_wrong_paint_names_the_parameter_and_what_is_right(server, name, value, says):
    for answer in answers(server, **{name: value}):
        expect(answer, name, says)


@pytest.mark.parametrize("name", ["cornerRadius", "borderWidth", "borderColor", "darkBorderColor", "background"])
def test_a_block_has_no_card_of_its_own(server, name):
    answer = server.post("/render", {"blocks": [{"text": "x", name: "red"}]})
    expect(answer, f"blocks[0].{name}", "set it at the top")


@pytest.mark.parametrize("name", ["color", "darkColor"])
def test_no_effect_changes_the_colours_of_a_gradient_by_more_than_one(server, name):
    paint = {name: GRADIENT}
    glassy = {"effect": "highlight", "highlightColor": "#d2992280"}
    for answer in answers(server, **glassy, **paint):
        expect(answer, name, "must be one colour")
    blocks = [{"text": "x"}, {"text": "y", **glassy, **paint}]
    expect(server.post("/render", {"blocks": blocks}), f"blocks[1].{name}", "must be one colour")
    blocks[1].pop(name)
    expect(server.post("/render", {"blocks": blocks, **paint}), name, "must be one colour")
    frames = [{"color": "blue"}, {"offset": 0.5, "color": "red"}, {}]
    request = {"text": "x", "effect": "custom", "keyframes": frames, **paint}
    expect(server.post("/render", request), "keyframes", f"must set one opaque color at most, for {name} is a gradient")
    text = query({**request, "keyframes": frames})
    expect(server.get(f"/render?{text}"), "keyframes", "must set one opaque color")
    expect(server.post("/render", text, FORM), "keyframes", "must set one opaque color")
    expect(server.post("/render", {"blocks": [{"text": "w"}, request]}), "blocks[1].keyframes", "must set one opaque color")


@pytest.mark.parametrize("name", ["color", "darkColor"])
def test_no_emphasis_changes_the_colours_of_a_gradient(server, name):
    for answer in answers(server, emphasis="highlight", **{name: GRADIENT}):
        expect(answer, "emphasis", f'must not be "highlight", which changes colours: {name} is a gradient')


def test_no_exit_changes_the_colours_of_a_gradient(start, tmp_path):
    """Of Titlecard's own effects none does, but an operator's may."""
    glow = {"name": "glow", "title": "Glow", "keyframes": [{"color": "blue"}, {"offset": 0.5, "color": "red"}, {}]}
    (tmp_path / "glow.json").write_text(json.dumps(glow))
    service = start("--effects", tmp_path)
    for name in ("color", "darkColor"):
        for answer in answers(service, exit="glow", **{name: GRADIENT}):
            expect(answer, "exit", f'must not be "glow", which changes colours: {name} is a gradient')
        for answer in answers(service, effect="glow", **{name: GRADIENT}):
            expect(answer, name, "must be one colour")
    assert service.stop() == 0


def test_effects_that_change_no_colour_go_with_a_gradient(server):
    for request in (
        dict(text="x", color=GRADIENT, effect="custom", keyframes=[{"y": 1}]),
        dict(text="x", color=GRADIENT, exit="highlight"),
        dict(text="x", color=GRADIENT, effect="highlight"),
        dict(text="x", color=GRADIENT, effect="custom", keyframes=[{"y": 1, "color": "red"}]),
        dict(text="x", effect="highlight", background=GRADIENT, shadow="1px 1px red", outlineWidth=2),
        dict(text="x", color=GRADIENT, emphasis="float"),
        dict(blocks=[{"text": "a", "color": GRADIENT}, {"text": "b", "effect": "highlight"}]),
    ):
        answer = server.post("/render", request)
        assert answer.status == 200, answer.text


# Spellings of one paint, the first the canonical one.
SAME_PAINTS = [
    [
        "linear-gradient(180deg, #ff0000 0%, #0000ff 100%)",
        "linear-gradient(red, blue)",
        "linear-gradient(to bottom, red, blue)",
        "linear-gradient( red ,\tblue )",
        " LINEAR-GRADIENT(TO\nBOTTOM, RED, #00F)\r\n",
        "linear-gradient(180DEG, #F00 0%, #0000ffff +100%)",
        "linear-gradient(540deg, red, blue)",
        "linear-gradient(-180deg, red -0%, blue 100.00001%)",
    ],
    ["linear-gradient(45deg, #ff0000 0%, #0000ff 100%)", "linear-gradient(+45deg, red, blue)"],
    [
        "linear-gradient(270deg, #ff0000 0%, #0000ff 100%)",
        "linear-gradient(-90deg, red, blue)",
        "linear-gradient(to left, red, blue)",
        "linear-gradient(-450.0deg, red, blue)",
    ],
    [
        "linear-gradient(0.5deg, #ff0000 0%, #0000ff 100%)",
        "linear-gradient(.5deg, red, blue)",
        "linear-gradient(360.5deg, red, blue)",
    ],
    [
        "linear-gradient(0deg, #ff0000 0%, #0000ff 100%)",
        "linear-gradient(to top, red, blue)",
        "linear-gradient(359.99999deg, red, blue)",
    ],
    ["linear-gradient(90.1deg, #ff0000 0%, #0000ff 100%)", "linear-gradient(450.1deg, red, blue)"],
    [
        "linear-gradient(to top left, #ff0000 0%, #0000ff 100%)",
        "linear-gradient(to Top Left, red, blue)",
        "linear-gradient(to left top, red, blue)",
        "linear-gradient(TO  LEFT\t TOP, red, blue)",
    ],
    # Positions that are missing are spread, those that fall are raised (CSS Images 3, 3.4.3).
    [
        "linear-gradient(90deg, #ff0000 -20%, #ffd700 15%, #ffffff 50%, #008000 50%, #0000ff 120%)",
        "linear-gradient(90deg, red -20%, gold, white 50%, green 10%, blue 120%)",
    ],
    [
        "linear-gradient(90deg, transparent 0%, #ff000080 33.3333%, #00ff0080 66.6667%, transparent 100%)",
        "linear-gradient(90deg, #ff000000, #ff000080, #00ff0080, transparent)",
    ],
    ["#ff0000", "red", "RED", "#f00", "#FF0000FF"],
]
SAME_SHADOWS = [
    ["none", "NONE", " none "],
    [
        "2px 2px 4px #00000088",
        "2px 2px 4px #0008",
        "#0008 2px 2px 4px",
        " 2PX\t2px\n4.0px #00000088 ",
        "+2px 2px 4px #0008",
    ],
    ["1px -1px 0px #ff0000", "1px -1px red", "red 1px -1px 0", "1px -1px 0px RED"],
    ["0px 0px 0px #ff0000", "0 0 red", "-0px 0 red", "0 0 .00001px red"],
    [
        "0.5px 0px 12px #00ffff, 2px 2px 0px #000000",
        ".5px 0 12px #0ff,2px 2px black",
        "cyan .5px 0 12px , black 2px 2px",
    ],
]
GOOD = [(name, same) for name, lists in (("color", SAME_PAINTS), ("shadow", SAME_SHADOWS)) for same in lists]


@pytest.mark.parametrize("name, same", GOOD, ids=lambda value: value if isinstance(value, str) else value[0])
def test_equal_meanings_are_one_rendering(server, name, same):
    seen = set()
    for spelling in same:
        for answer in answers(server, **{name: spelling}):
            assert answer.status == 200, (spelling, answer.text)
            seen.add((answer.headers["Content-Location"], answer.headers["ETag"], answer.body))
    assert len(seen) == 1, same
    if name == "color":
        assert answer.json["glyphs"][0]["color"] == same[0]
        assert answer.json["blocks"][0]["lines"][0]["runs"][0]["color"] == same[0]
        assert server.render("json", text="x", background=same[0]).json["background"] == same[0]


def test_digits_are_colours_without_a_hash_in_queries_only(server):
    for name, with_hash, without in (
        ("color", "linear-gradient(90deg, #ff0000, #0008 40%)", "linear-gradient(90deg, ff0000, 0008 40%)"),
        ("color", "linear-gradient(#123, #456)", "linear-gradient(123, 456)"),
        ("shadow", "2px 2px 4px #0008", "2px 2px 4px 0008"),
        ("shadow", "0 0 #000, #fff 1px 1px", "0 0 000, fff 1px 1px"),
    ):
        wanted = server.render("svg", text="x", **{name: with_hash})
        for text in (with_hash, without):
            answer = server.get("/render.svg?" + query({"text": "x", name: text}))
            assert answer.status == 200, answer.text
            assert answer.headers["Content-Location"] == wanted.headers["Content-Location"]
        assert server.post("/render.svg", {"text": "x", name: without}).status == 400


def test_defaults_leave_no_trace(server):
    plain = server.render("svg", text="x")
    defaults = dict(
        gradientBox="block",
        outlineWidth=0,
        outlineColor="black",
        shadow="none",
        cornerRadius=0,
        borderWidth=0,
        borderColor="#D0D7DE",
    )
    for name, value in defaults.items():
        same = server.render("svg", text="x", **{name: value})
        assert same.headers["Content-Location"] == plain.headers["Content-Location"], name
        assert same.body == plain.body


def test_a_permalink_with_paint_reads_back_as_itself(server):
    request = dict(
        text="x",
        color="linear-gradient(to left top, red, #0008 40%)",
        background="linear-gradient(.5deg, red, blue)",
        shadow="red 1px 1px, 0 0 4px #0008",
        outlineWidth=1.5,
        cornerRadius=9,
    )
    posted = server.render("json", **request)
    linked = server.get(posted.headers["Content-Location"])
    assert (linked.status, linked.body) == (200, posted.body)
    assert linked.headers["ETag"] == posted.headers["ETag"]


def test_browsers_read_the_canonical_spelling(chromium):
    page = chromium.new_page()
    try:
        for names, lists in (("background-image", SAME_PAINTS[:-1]), ("text-shadow", SAME_SHADOWS)):
            for same in lists:
                for spelling in same:
                    assert page.evaluate("([name, value]) => CSS.supports(name, value)", [names, spelling]), spelling
    finally:
        page.close()
