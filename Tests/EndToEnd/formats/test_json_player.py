"""/player.js draws JSON with outlines on a canvas as the PNG is drawn, in Chromium and Firefox, and plays it."""

import base64
import gzip
import json
import random
import re
import subprocess

import pytest

from browser_cases import ground_of
from browser_motion import differences, moving_instants
from component_pages import Site
from picture import pixels
from random_requests import (
    bent_request,
    carded_request,
    keyframed_request,
    painted_request,
    random_request,
    within_limits,
)
from service import PUBLIC, REPOSITORY, until

SCRIPT = PUBLIC / "player.js"
TYPES = PUBLIC / "player.d.ts"
LARGEST = 6144  # bytes, gzipped
BACKGROUND = "#fff4d6"
LEANING = [
    {"skewX": -40, "skewY": 25, "opacity": 0},
    {"offset": 0.5, "skewX": 30, "scaleX": 1.4, "rotation": 15, "opacity": 1},
    {},
]
SQUEEZED = [{"scaleX": 3, "scaleY": 0.5, "blur": 0.2, "rotation": 30}, {}]
RAINBOW = "linear-gradient(to right, #cf222e, #8250df80 60%, #0969da)"
COLORS = [{"color": "#ff000080", "y": 1}, {"offset": 0.5, "color": "#00f"}, {}]
# Two pixels, which become a gradient over the canvas.
SKY = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4z8AARAAI/gH/GcBr5wAAAABJRU5ErkJggg=="
CASES = {
    "Latin": dict(text="Hello, Type", effect="slide", exit="auto"),
    "Arabic": dict(text="مرحبا بالعالم", effect="rise", exit="auto"),
    "Devanagari": dict(text="नमस्ते दुनिया", effect="fade"),
    "emoji": dict(text="Boo 👻👍🏽 🇫🇷", effect="pop"),
    "letter spacing": dict(text="Spaced", letterSpacing=12, effect="wave"),
    "markup": dict(text="<b>b</b> <u>under</u> <s>out</s> <span foreground='#c02020'>red</span>", markup=True,
                   effect="reveal"),
    "a mask": dict(text="Masked\nlines", effect="rise", mask="line"),
    "a blur": dict(text="Blurred 👻", effect="blur", exit="auto"),
    "a blur that scales": dict(text="Zooms", effect="zoom"),
    "a pen": dict(text="Drawn <u>u</u>", markup=True, effect="draw"),
    "colours": dict(text="Colour", effect="custom", duration=1, keyframes=COLORS),
    "leaning": dict(text="Leaning", effect="custom", duration=1, keyframes=LEANING),
    "a gradient": dict(text="Gradient\ntext", color="linear-gradient(to right, #cf222e, #8250df80 60%, #0969da)",
                       effect="flip"),
    "ellipses": dict(text="Ellipses", color="radial-gradient(red, blue)", background="radial-gradient(at 20px top, #fff, #eef)",
                     effect="rise"),
    "a wheel": dict(text="A wheel", color="conic-gradient(red, blue, red)", background="repeating-radial-gradient(circle 30px, "
                    "#fff 10%, #eef 30%, #fff 60%)", effect="flip"),
    "stripes": dict(text="Stripes", color="repeating-linear-gradient(30deg, #cf222e 5%, #0969da 15%, #cf222e 25%)",
                    background="repeating-conic-gradient(#fff, #eef 10%, #fff 20%)", effect="pop"),
    "shadows": dict(text="Shadow 👻", shadow="3px 4px 6px #000, 0 0 12px #f80", outlineWidth=3, outlineColor="#26c",
                    effect="slide"),
    "decoys": dict(text="Scramble", effect="scramble", seed=3),
    "a cursor": dict(text="Cursor", effect="typewriter", cursor="bar"),
    "overlays": dict(text="High light", effect="highlight", color="linear-gradient(red, blue)"),
    "a glitch": dict(text="Glitch\n👻", effect="glitch", distance=0.4, outlineWidth=3, outlineColor="#26c", shadow="3px 4px 6px #000"),
    "marks": dict(text="A <mark>hand</mark> <mark kind='circle'>draws</mark>", markup=True, mark="underline", effect="draw",
                  markColor="#cf222e80", exit="auto"),
    "marks behind and in front": dict(text="<mark>A hand</mark> <mark kind='circle' layer='behind'>draws</mark>", markup=True,
                                      mark="underline", markLayer="front", effect="none", exit="fade", markWidth=0.3),
    "a path": dict(text="On a path 👻", path="arc(150deg)", effect="rise", mask="item", shadow="3px 4px 0 #0008", outlineWidth=2,
                   color="linear-gradient(90deg, red, blue)"),
    "a cursor on a path": dict(text="Typed", path="arc(150deg)", effect="typewriter", cursor="bar"),
    "a card": dict(text="On a card", cardEffect="grow", borderWidth=6, cornerRadius=20, bar="left", exit="auto"),
    "a card that is drawn": dict(text="Drawn", cardEffect="draw", borderWidth=8, cardDuration=2, bar="bottom", exit="auto"),
    "a wiping card": dict(text="Wiped", cardEffect="wipe", borderWidth=6, cardDirection="left", cardDuration=2, exit="auto"),
    "a picture behind": dict(text="In front", backdrop="sky", backdropDim=0.3, pictures=dict(sky=SKY), width=300, height=200,
                             background="#ffffff60", card="fit", cornerRadius=9, effect="slide", exit="auto"),
    "a squeezed blur": dict(text="Squeezed 👻", effect="custom", duration=1, keyframes=SQUEEZED, shadow="3px 4px 6px #0008"),
    "light that passes": dict(text="Light\npasses", effect="shimmer", color="#333"),
    "light over letters that join": dict(text="مرحبا بالعالم", effect="shimmer", color="#24406080"),
    "letters that join": dict(text="مرحبا", effect="fade", by="all", color="#cf222ea0", outlineWidth=3, outlineColor="#2266cc60",
                              shadow="3px 4px 0 #0008"),
    "paint that travels": dict(text="Travels\nفي اللون", effect="slide", color=RAINBOW, paintMotion="pan", exit="auto"),
    "paint that turns": dict(text="Turns", effect="flip", color=RAINBOW, paintMotion="spin", gradientBox="line", exit="auto"),
    "ellipses that breathe": dict(text="Breathes 👻", effect="blur", color="radial-gradient(red, blue)", paintMotion="breathe",
                                  outlineWidth=2),
    "a ground that moves": dict(text="Ground", effect="rise", paintMotion="spin", background="conic-gradient(#fff, #eef 40%, #fed)"),
    "a wheel that is cut": dict(text="Wheel", effect="rise", background="repeating-conic-gradient(#fff 0%, #8df 13%, #fed 23%)"),
    "ellipses by a pen": dict(text="Pen <u>u</u> 👻", markup=True, effect="draw", color="radial-gradient(red, blue)"),
    "corners": dict(text="Corners", effect="rise", cornerRadius=30),
    "corners and a border": dict(text="Border", effect="rise", cornerRadius=30, borderWidth=8, borderColor="#2266cc80"),
    "a wide border": dict(text="Border", effect="rise", cornerRadius=5, borderWidth=12, borderColor="#26c",
                          background="radial-gradient(#fff, #fed)"),
    "code": dict(text="let a = 3\nreturn a", codeLanguage="swift", lineNumbers=True, titleBar=True, windowTitle="main.swift", effect="fade", background="#fff"),
    "blocks": dict(blocks=[dict(text="One"), dict(text="Another")], effect="morph", sequence="replace"),
    "a rewriting": dict(blocks=[dict(text="One word"), dict(text="Another\nword", color="#cf222e")], effect="rewrite",
                        sequence="replace", shadow="3px 4px 2px #0008"),
}
SCENE = """
import {Player} from '/player.js';
window.load = async (text, options) => {
    const canvas = document.querySelector('canvas');
    window.heard = [];
    window.player?.pause();
    window.player = new Player(JSON.parse(text), canvas, {pixelRatio: 1, ...options});
    for (const type of ['cycle', 'finish']) player.addEventListener(type, () => heard.push(type));
    await player.ready;
};
window.shown = (time) => {
    player.draw(time);
    return document.querySelector('canvas').toDataURL();
};
window.isLoaded = true;
"""


@pytest.fixture(scope="module")
def site(server):
    site = Site(server)
    site.add("/scene.js", SCENE, "text/javascript")
    yield site
    site.close()


@pytest.fixture(scope="module", params=["Chromium", "Firefox"])
def browser(request, opened, site):
    """A browser on a page with a canvas, whose policy allows no data in addresses."""
    browser = opened(request.param)
    browser.visit(site.page("<canvas></canvas>", '<script type="module" src="/scene.js"></script>'))
    until(lambda: browser.evaluate("return window.isLoaded === true"), "the module")
    return browser


def load(browser, scene, **options):
    browser.evaluate(f"await load({json.dumps(json.dumps(scene))}, {json.dumps(options)})")


def shown(browser, time):
    """What the canvas shows of an instant."""
    address = browser.evaluate(f"return shown({time})")
    return pixels(base64.b64decode(address.partition(",")[2]))


def faults(server, browser, request, times=None, as_painted=None, **options):
    """The instants at which the canvas and the PNG differ by more than the limits of `differences`."""
    scene = server.render("json", **request, outlines=True).json
    load(browser, scene, **options)
    for time in times or [*(time for time, _ in moving_instants(scene, False)), scene["finished"] + 0.001]:
        painted = pixels(server.render("png", **request, **(as_painted or {}), time=time).body)
        picture = shown(browser, time)
        assert painted.shape == picture.shape
        for difference in differences(painted, picture, ground_of(painted)):
            yield f"{time}: PNG and {browser.name} differ by {difference}"


@pytest.mark.parametrize("name", CASES)
def test_it_draws_what_the_png_shows(server, browser, name):
    request = dict(padding=40, size=48, background=BACKGROUND) | CASES[name]
    assert not list(faults(server, browser, request))


@pytest.mark.parametrize("name", ["Latin", "a blur", "shadows", "paint that turns", "corners and a border", "marks"])
def test_it_is_as_sharp_as_the_screen(server, browser, name):
    request = dict(padding=40, size=48, background=BACKGROUND) | CASES[name]
    assert not list(faults(server, browser, request, as_painted=dict(scale=2), pixelRatio=2))


DARK = dict(padding=40, size=48, background="#fff", darkBackground="linear-gradient(#101018, #403)", color="#102030", effect="slide")
DARK_CASES = {
    "colours": dict(text="Dark", darkColor="#ffe0a0", borderWidth=5, borderColor="#000", darkBorderColor="#8cf"),
    "a gradient": dict(text="Dark", darkColor="linear-gradient(red, #ffe0a0)", cursor="bar", effect="typewriter"),
    "no gradient": dict(text="Dark", color="linear-gradient(red, #ffe0a0)", darkColor="#fff", paintMotion="pan"),
    "a gradient that moves": dict(text="Dark", darkColor="linear-gradient(90deg, red, #ffe0a0)", paintMotion="pan"),
    "edges": dict(text="Dark", darkColor="#fff", outlineWidth=3, outlineColor="#26c", darkOutlineColor="#c62", shadow="3px 4px 2px #000",
                  darkShadow="3px 4px 2px #f80"),
    "marks": dict(text="Dark", darkColor="#fff", mark="underline", markColor="#c22", darkMarkColor="#2c2"),
    "colours that change": dict(text="Dark", darkColor="#ffe0a0", effect="custom", keyframes=[{"color": "#f00"}, {}]),
    "a card": dict(text="Dark", darkColor="#ffe0a0", cardEffect="grow", borderWidth=4, borderColor="#000", darkBorderColor="#8cf",
                   bar="left", barColor="#c22", darkBarColor="#2c2"),
}


@pytest.mark.parametrize("name", DARK_CASES)
def test_it_has_the_colours_for_dark(server, browser, name):
    assert not list(faults(server, browser, DARK | DARK_CASES[name], as_painted=dict(scheme="dark"), dark=True))


DRAWN = [random_request, keyframed_request, painted_request, carded_request, bent_request]
REQUESTS = 200
LARGEST_SCENE = 1 << 20  # bytes of its JSON without shapes


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(REQUESTS))
def test_it_draws_random_requests(server, browser, seed):
    request = within_limits(server, f"player {seed}", DRAWN[seed % len(DRAWN)], LARGEST_SCENE)
    scene = server.render("json", **request).json
    generator = random.Random(f"player {seed}")
    times = [round(generator.uniform(0, min(scene["duration"], 120)), 3) for _ in range(4)]
    assert not list(faults(server, browser, request, times)), json.dumps(request, ensure_ascii=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(REQUESTS // 5))
def test_it_draws_random_dark_colours(server, browser, seed):
    request = within_limits(server, f"dark player {seed}", painted_request, LARGEST_SCENE)
    # A canvas has room for the shadows of both schemes.
    for one in [request, *request.get("blocks", [])]:
        one.pop("darkShadow", None)
    time = 0.4 * min(server.render("json", **request).json["duration"], 120)
    assert not list(faults(server, browser, request, [round(time, 3)], dict(scheme="dark"), dark=True)), json.dumps(request)


# MARK: Playing

SHORT = dict(text="Plays", effect="slide", speed=10)
FRAMES = "for (let n = 0; n < 3; n += 1) await new Promise(done => requestAnimationFrame(done));"


def play(server, browser, request, **options):
    load(browser, server.render("json", **request, outlines=True).json, **options)
    browser.evaluate("player.play()")


def heard(browser, *types):
    until(lambda: len(browser.evaluate("return [...heard]")) >= len(types), f"the events {types}")
    assert browser.evaluate("return [...heard]") == list(types)


def test_it_plays_to_the_end_and_again(server, browser):
    play(server, browser, SHORT)
    heard(browser, "finish")
    assert browser.evaluate("return [player.paused, player.currentTime === player.duration]") == [True, True]
    browser.evaluate("player.play()")
    assert browser.evaluate("return player.paused") is False
    heard(browser, "finish", "finish")


@pytest.mark.parametrize("loop, options", [(3, {}), (1, dict(loop=3)), ("infinite", dict(loop=3))])
def test_it_plays_as_often_as_it_shall(server, browser, loop, options):
    play(server, browser, dict(SHORT, loop=loop), **options)
    heard(browser, "cycle", "cycle", "finish")


def test_it_plays_forever(server, browser):
    play(server, browser, dict(SHORT, loop="infinite"))
    until(lambda: browser.evaluate("return heard.length") > 3, "four cycles")
    browser.evaluate("player.pause()")
    assert browser.evaluate("return new Set(heard).has('finish')") is False


def test_it_stands_still_while_it_is_paused(server, browser):
    play(server, browser, dict(SHORT, speed=0.1))
    until(lambda: browser.evaluate("return player.currentTime") > 0, "it moves")
    browser.evaluate("player.pause()")
    time = browser.evaluate("return player.currentTime")
    assert browser.evaluate(FRAMES + "return [player.paused, player.currentTime]") == [True, time]
    browser.evaluate("player.play()")
    until(lambda: browser.evaluate("return player.currentTime") > time, "it moves on")


def test_the_rate_is_how_fast_it_plays(server, browser):
    # At its own rate it would take a minute.
    play(server, browser, dict(SHORT, speed=1, hold=60))
    browser.evaluate("player.playbackRate = 1000")
    heard(browser, "finish")


def test_it_seeks_within_the_cycle(server, browser):
    load(browser, server.render("json", **SHORT, outlines=True).json)
    assert browser.evaluate("player.seek(-1); return player.currentTime") == 0
    assert browser.evaluate("player.currentTime = 1e6; return player.currentTime === player.duration")
    assert browser.evaluate("try { player.seek('soon'); } catch (error) { return error.name; }") == "TypeError"
    shown = "document.querySelector('canvas').toDataURL()"
    assert browser.evaluate(f"player.seek(0.01); const before = {shown}; player.draw(1); const drawn = {shown}; player.draw();"
                            f"return [player.currentTime, before === {shown}, before === drawn]") == [0.01, True, False]


def test_nothing_moves_for_those_who_prefer_it(server, browser):
    scene = server.render("json", **SHORT, loop="infinite", outlines=True).json
    play(server, browser, dict(SHORT, loop="infinite"), reducedMotion=True)
    heard(browser, "finish")
    assert browser.evaluate("return [player.paused, player.currentTime]") == [True, scene["finished"]]


def test_a_still_ends_at_once(server, browser):
    for loop in (1, "infinite"):
        play(server, browser, dict(SHORT, animate=False, loop=loop))
        heard(browser, "finish")


def test_the_canvas_has_the_size_of_the_picture(server, browser):
    scene = server.render("json", text="Size", effect="none", width=100.5, height=50, outlines=True).json
    size = "const one = document.querySelector('canvas'); return [one.width, one.height, one.style.width]"
    browser.evaluate("document.querySelector('canvas').style.width = ''")
    load(browser, scene, pixelRatio=2)
    assert browser.evaluate(size) == [201, 100, "100.5px"]
    browser.evaluate("document.querySelector('canvas').style.width = '50%'")
    load(browser, scene, pixelRatio=1)
    assert browser.evaluate(size) == [101, 50, "50%"]
    browser.evaluate("document.querySelector('canvas').style.width = ''")


# MARK: The files


def test_the_module_is_small_and_stands_alone(server):
    answer = server.get("/player.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert len(gzip.compress(answer.body, 9)) <= LARGEST
    assert not re.search(r"^\s*import\b|\bimport\(|https?://", answer.text, re.M)


def test_json_without_shapes_is_an_error(server, browser):
    load(browser, server.render("json", text="a", outlines=True).json)
    scene = json.dumps(json.dumps(server.render("json", text="a").json))
    message = browser.evaluate(f"return await load({scene}).catch((error) => error.message)")
    assert "outlines=true" in message


def test_a_server_may_import_the_module():
    script = f"const {{ Player }} = await import('{SCRIPT}'); console.log(typeof Player);"
    outcome = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True)
    assert (outcome.stdout, outcome.returncode) == ("function\n", 0), outcome.stderr


def test_the_sample_of_the_documentation_plays(server, chromium):
    [sample] = re.findall(r"```html\n(<canvas.*?)```", (REPOSITORY / "docs/api.md").read_text(), re.S)
    page = chromium.new_page()
    said, faults = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.route(server.url + "/sample.html", lambda route: route.fulfill(
        body=sample.replace("https://cards.example", server.url), content_type="text/html; charset=utf-8"))
    with page.expect_console_message():
        page.goto(server.url + "/sample.html")
    page.close()
    assert (said, faults) == (["It stands."], [])


def test_types_name_every_member():
    script = SCRIPT.read_text().partition("export class")[2]
    members = set(re.findall(r"^  (?:get |set )?(?!constructor)([a-z]\w*)\([^)]*\) \{", script, re.M))
    members |= set(re.findall(r"^  (?:  this\.)?([a-z]\w*) = ", script, re.M))
    [declaration] = re.findall(r"class Player extends EventTarget \{(.*?)\n\}", TYPES.read_text(), re.S)
    typed = set(re.findall(r"^  (?:get |set |readonly )?(\w+)[(<:]", declaration, re.M))
    assert members == typed - {"constructor", "addEventListener", "removeEventListener"}


USE = """
import type { Rendering } from './titlecard';
import { Player } from './player';
const scene: Rendering = await (await fetch('/render.json?text=Hi&outlines=true')).json();
const player = new Player(scene, document.querySelector('canvas')!, { dark: true, loop: 'infinite', pixelRatio: 2 });
await player.ready.then((one: Player) => one.play());
player.seek(2); player.currentTime = 1; player.playbackRate = 2; player.draw(1); player.draw(); player.dark = false;
player.addEventListener('finish', (event) => event.timeStamp);
new Player(scene, document.createElement('canvas'), { reducedMotion: true });
const layers: string | undefined = scene.layers?.[0]?.part;
// @ts-expect-error
player.duration = 3;
// @ts-expect-error
new Player(scene, document.querySelector('canvas')!, { loop: 'often' });
export { layers };
"""


@pytest.mark.slow
def test_the_types_are_those_of_typescript(server, tmp_path):
    for name in ("titlecard.d.ts", "component.d.ts", "player.d.ts"):
        (tmp_path / name).write_text(server.get("/" + name).text)
    (tmp_path / "use.ts").write_text(USE)
    command = ["tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "es2022", "--lib", "es2022,dom", "use.ts"]
    outcome = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout


# MARK: What it draws


def test_shapes_are_there_only_if_they_are_asked_for(server):
    plain, drawn = (server.render("json", text="aba 👻", cursor="none", outlines=outlines).json for outlines in (False, True))
    assert "outlines" not in plain and "unit" not in plain["glyphs"][0]
    assert [glyph.get("outline") for glyph in drawn["glyphs"]] == [0, 1, 0, None, None]
    assert len(drawn["outlines"]) == 2 and len(drawn["images"]) == 1
    assert drawn["glyphs"][4]["images"][0]["image"] == 0


def test_layers_name_all_ink_in_the_order_of_drawing(server):
    request = dict(text="a 👻", mark="underline", markColor="#c22", darkMarkColor="#2c2", shadow="1px 2px 0 red, 3px 4px 5px #0008",
                   darkShadow="0 0 4px #08f", outlineWidth=2, outlineColor="#26c", cornerRadius=9, cursor="none", effect="fade")
    assert "layers" not in server.render("json", **request).json
    scene = server.render("json", **request, outlines=True).json
    parts = [(layer["part"], layer.get("scheme"), layer.get("offsetX"), layer["glyphs"]) for layer in scene["layers"]]
    ink = [glyph["index"] for glyph in scene["glyphs"] if glyph["role"] == "glyph" and not glyph["whitespace"]]
    marks = [glyph["index"] for glyph in scene["glyphs"] if glyph["role"] == "mark"]
    assert parts == [
        ("shadow", "light", 3, ink), ("shadow", "light", 1, ink), ("shadow", "dark", 0, ink), ("outline", None, None, ink),
        ("fill", None, None, ink), ("fill", None, None, marks),
    ]  # fmt: skip
    light = server.render("json", text="a", effect="shimmer", outlines=True).json
    assert [layer.get("shimmer") for layer in light["layers"]] == [None, 0]
