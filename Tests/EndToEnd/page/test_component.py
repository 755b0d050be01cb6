"""<title-card> in Chromium, Firefox and WebKit, under `default-src 'self'; style-src 'self'`."""

import gzip
import html
import importlib.util
import json
import pathlib
import re
import subprocess
import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe

from browser_motion import BACKGROUND, FRAMES, differences
from component_pages import (
    CARD, FRAME, LATE, MODULE, POLICY, SHIFT, STYLED, Site, card, events, heard, holds, value, visit, waits,
)  # fmt: skip
from picture import mean_difference, pixels, worst_block
from service import PUBLIC, REPOSITORY, by_proof, query, until

SCRIPT = PUBLIC / "titlecard.js"
TYPES = PUBLIC / "component.d.ts"
LARGEST = 12_000  # bytes, gzipped

# Less than half of a second.
QUICK = dict(effect="slide", speed=10)
LOOKS = {
    "slide": dict(effect="slide"),
    "blur": dict(effect="blur", radius=0.3),
    "highlight": dict(effect="highlight", color="#2040ff"),
    "draw": dict(effect="draw", cursor="bar"),
    "scramble": dict(effect="scramble", seed=3),
    "rise": dict(effect="rise", mask="item"),
    "shadow": dict(effect="flip", shadow="3px 4px 6px #0008", outlineWidth=2, outlineColor="#fff8"),
    "gradient": dict(effect="pop", color="linear-gradient(to right, #cf222e, #8250df 60%, #0969da)"),
    "card": dict(effect="zoom", background="linear-gradient(#fff4d6, #ffe0a0)", cornerRadius=12, borderWidth=2),
    "keyframes": dict(effect="custom", keyframes=FRAMES),
    "in and out": dict(effect="wave", exit="auto", hold=0.4),
    "radial": dict(effect="pop", color="radial-gradient(circle, #cf222e, #0969da)"),
    "conic": dict(effect="rise", color="conic-gradient(#cf222e, #0969da, #cf222e)"),
    "turning": dict(effect="fade", color="linear-gradient(90deg, #cf222e, #0969da)", paintMotion="spin", loop="infinite"),
    "turning wheel": dict(effect="fade", color="conic-gradient(#cf222e, #0969da)", paintMotion="spin", loop="infinite"),
    "shimmer": dict(effect="shimmer", color="#24292f"),
    "circle": dict(effect="fade", mark="circle", markColor="#cf222e"),
}
# Pictures that stand still, each with something that others have not.
STILLS = {
    "radial": dict(color="radial-gradient(red, blue)"),
    "conic": dict(color="conic-gradient(red, blue)"),
    "repeating": dict(color="repeating-linear-gradient(45deg, red, blue 20%)"),
    "radial card": dict(background="repeating-radial-gradient(circle at 10% 25%, #fff 0%, #fff 5%, #dde 5%, #dde 10%)"),
    "conic card": dict(background="conic-gradient(gold, tomato)", cornerRadius=12, borderWidth=2),
    "round caps": dict(mark="bracket", markColor="red"),
    "release": dict(preset="release"),
}
FILLS = "[...svg.querySelectorAll('[part=glyph]')].map(glyph => getComputedStyle(glyph).fill)"
FINISHED = dict(effect="slide", background="#fff4d6", size=48, room="none")


@pytest.fixture(scope="module")
def site(server):
    site = Site(server)
    site.add("/page.css", "body { margin: 0; background: #fff4d6 } title-card { vertical-align: top }", "text/css")
    yield site
    site.close()


@pytest.fixture
def preferences(browser):
    yield browser.prefer
    browser.prefer()


@pytest.fixture
def page(chromium):
    context = chromium.new_context()
    yield context.new_page()
    context.close()


def requests(site):
    """The queries of the renderings that were asked for since the last time, each with the boxes of its words."""
    asked = [urllib.parse.urlsplit(target) for target in site.renderings.elements()]
    site.renderings.clear()
    queries = [sorted(urllib.parse.parse_qsl(one.query)) for one in asked]
    for one in queries:
        one.remove(("boxes", "true"))
    return queries


# MARK: The file


def test_the_module_is_small_and_stands_alone(server):
    answer = server.get("/titlecard.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert len(gzip.compress(answer.body, 9)) <= LARGEST
    # One that follows media loads what it needs for that: test_component_media.py.
    assert re.findall(r"\bimport\((.*?)\)", answer.text) == ["'./titlecard-media.js'"]
    assert not re.search(r"^\s*import\b|https?://(?!www\.w3\.org/2000/svg)", answer.text, re.M)


def test_a_server_may_import_the_module():
    script = f"const {{ TitleCard }} = await import('{SCRIPT}'); console.log(typeof TitleCard);"
    outcome = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True)
    assert (outcome.stdout, outcome.returncode) == ("function\n", 0), outcome.stderr


def parameters(server):
    document = server.get("/openapi.json").json
    listed = document["paths"]["/render.svg"]["get"]["parameters"]
    common = document["components"].get("parameters", {})
    return {(common[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one)["name"] for one in listed}


NOT_SENT = {"boxes", "expires", "format", "ids", "part", "poster", "signature", "svg"}
OTHER_FORMATS = {
    *("fps", "frames", "keepSize", "levels", "matte", "maxBytes", "maxFrames", "minFrames", "outlines", "quality"),
    *("lottieVersion", "scale", "time", "timecode"),
}


def words(name):
    """The words of a set in the script."""
    [listed] = re.findall(rf"const {name} = new Set\(\s*\(([^)]*?)\)\.split", SCRIPT.read_text(), re.S)
    return set("".join(re.findall(r"'([^']*)'", listed)).split())


def test_all_parameters_with_capitals_are_known(server):
    [written] = re.findall(r"const CAPITALISED = new RegExp\((.*?), 'g'\)", SCRIPT.read_text(), re.S)
    capitalised = re.compile("".join(re.findall(r"'([^']*)'", written)))
    for name in parameters(server):
        assert capitalised.sub(lambda word: word[0].capitalize(), name.lower()) == name


def test_no_other_parameter_is_taken_for_an_attribute_of_the_element(server):
    assert parameters(server) & words("OWN") <= NOT_SENT


def test_types_name_every_parameter(server):
    [listed] = re.findall(r"interface TitleCardParameters \{(.*?)\n\}", TYPES.read_text(), re.S)
    assert set(re.findall(r"^  (\w+)\?:", listed, re.M)) == parameters(server) - NOT_SENT - OTHER_FORMATS


def test_types_name_every_effect(server):
    """A new effect is missing from the type `Effect` in Public/component.d.ts."""
    [listed] = re.findall(r"^type Effect =\n(.*?)\n  \| \(string", TYPES.read_text(), re.S | re.M)
    effects = {effect["name"] for effect in server.get("/effects").json["effects"]}
    assert set(re.findall(r"'([^']+)'", listed)) == effects


def test_a_version_is_kept_forever(server):
    version = server.get("/openapi.json").json["info"]["version"]
    answer = server.get(f"/titlecard.{version}.js")
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.body == server.get("/titlecard.js").body
    assert server.get("/titlecard.js").headers["Cache-Control"] == "no-cache"
    assert server.get("/titlecard.0.0.1.js").status == 404


def test_types_name_every_member():
    script = SCRIPT.read_text()
    members = set(re.findall(r"^  (?:get |set )?([a-z]\w*)\([^)]*\) \{", script, re.M))
    [declaration] = re.findall(r"class TitleCard extends HTMLElement \{(.*?)\n\}", TYPES.read_text(), re.S)
    typed = set(re.findall(r"^  (?:get |set )?(\w+)[(<]", declaration, re.M))
    typed -= {"addEventListener", "removeEventListener"}
    assert members - {"connectedCallback", "disconnectedCallback", "handleEvent"} == typed


# What the service writes into SVGs and the module leaves out, each with its reason.
LEFT_OUT = {
    "elements": {"title": "the content is read", "desc": "the same", "style": "a constructed style sheet"},
    "attributes": {"xmlns": "elements have it by themselves", "role": "the module's own", "data-boxes": "the layer of words",
                   "style": "set by the script"},
}


def drawn_requests(server):
    """Requests that bring all elements and attributes of SVGs: every effect, preset, mark, and kind of paint."""
    linear = "linear-gradient(90deg, red, blue)"
    paints = [linear, "radial-gradient(red, blue)", "conic-gradient(red, #00f8)", "repeating-radial-gradient(red, blue 20%)",
              "repeating-linear-gradient(45deg, red, blue 20%)"]
    effects = [one["name"] for one in server.get("/effects").json["effects"] if one["name"] != "custom"]
    for effect in effects:
        yield dict(effect=effect)
        yield dict(effect=effect, exit="auto", loop=2, color=linear, shadow="1px 2px 3px #0008", cursor="block")
    for preset in server.get("/presets").json["presets"]:
        yield dict(preset=preset["name"])
    for mark in ("underline", "strike", "box", "circle", "highlight", "bracket", "pill", "quote", "bullet"):
        yield dict(effect="fade", mark=mark)
    for paint in paints:
        for motion in ("none", "pan", "spin", "breathe"):
            yield dict(effect="fade", color=paint, darkColor="white", background=paint, paintMotion=motion, loop="infinite")
    for card_effect in ("none", "fade", "slide", "grow", "wipe", "draw"):
        yield dict(effect="fade", background=linear, borderWidth=3, borderColor="red", cornerRadius=9, cardEffect=card_effect)
    for emphasis in ("wave", "highlight", "flicker", "glitch", "shimmer", "marquee"):
        yield dict(effect="fade", emphasis=emphasis, loop="infinite", maxWidth=90, wrap="none")
    for mask in ("none", "line", "item"):
        yield dict(effect="rise", mask=mask)
    yield dict(effect="fade", path="circle", lang="de")
    yield dict(effect="blur", outlineWidth=2, outlineColor="#fff8", color="#0008", shadow="0 0 8px red, 2px 3px 0 blue")
    yield dict(effect="custom", keyframes=json.dumps(FRAMES))
    yield dict(effect="typewriter", titleBar=True, codeLanguage="swift", lineNumbers=True)
    yield dict(effect="fade", darkColor="red", darkShadow="1px 1px 2px red", darkBackground=linear, description="Words")


def test_everything_that_the_service_draws_is_allowed(server):
    elements, attributes = words("ELEMENTS") | set(LEFT_OUT["elements"]), words("ATTRIBUTES") | set(LEFT_OUT["attributes"])
    count = 0
    for one in drawn_requests(server):
        markup = {} if "codeLanguage" in one else dict(markup=True)
        text = "let a = 1" if "codeLanguage" in one else "Hi 1 🙂 <u>so</u>"
        answer = server.get("/render.svg?" + query(dict(text=text, **markup, **one)))
        if answer.status == 400:
            answer = server.get("/render.svg?" + query(dict(text="Hi 12", **one)))
        assert answer.status == 200, (one, answer.text)
        svg = re.sub(r"<style>.*?</style>", "<style/>", answer.text, flags=re.S)
        assert set(re.findall(r"<([a-zA-Z]+)", svg)) <= elements, one
        assert set(re.findall(r' ([a-zA-Z-]+)="', svg)) <= attributes, one
        count += 1
    assert count > 100


def test_everything_that_the_encoder_can_write_is_allowed():
    source = "".join(path.read_text() for path in (REPOSITORY / "Sources/Encoders/SVG").glob("*.swift"))
    written = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', source)).replace('\\"', '"')
    elements = set(re.findall(r"<([a-z][a-zA-Z]*)", written))
    attributes = set(re.findall(r'([a-z][a-zA-Z-]*)="', written)) | set(re.findall(r'attribute: "([a-z-]+)"', source))
    assert {"mask", "pattern", "radialGradient"} <= elements and {"mask", "stroke-linecap", "stroke-width"} <= attributes
    assert elements <= words("ELEMENTS") | set(LEFT_OUT["elements"])
    assert attributes <= words("ATTRIBUTES") | set(LEFT_OUT["attributes"])


# MARK: The picture


@pytest.mark.parametrize("look", list(LOOKS))
def test_it_shows_what_the_service_draws(server, site, browser, look):
    request = {**dict(background="#fff4d6", size=64, padding=50), **LOOKS[look]}
    text = "Boo, you"
    visit(browser, site, card(text, start="manual", poster="start", **request))
    heard(browser, "ready")
    duration = value(browser, "card.duration")
    assert duration == float(server.render("svg", text=text, **request).headers["Titlecard-Duration"])
    for share in (0.1, 0.33, 0.62, 1):
        time = round(share * duration * 0.9, 3)
        browser.evaluate(CARD + f"card.seek({time});" + FRAME)
        painted = pixels(server.render("png", text=text, **request, time=time).body)
        shown = pixels(browser.screenshot())[: painted.shape[0], : painted.shape[1]]
        assert not list(differences(painted, shown, BACKGROUND)), time
    assert browser.evaluate("return violations") == []


@pytest.mark.parametrize("still", list(STILLS))
def test_it_shows_what_an_image_shows(server, site, browser, still):
    request = {**dict(animate=False, size=64), **STILLS[still]}
    scene = server.render("json", text="Inside", **request).json
    site.add("/two.css", "body { margin: 0; background: #fff4d6 } title-card, img { position: absolute; top: 0; left: 0 }"
             "img { top: 300px }", "text/css")
    image = f'<img alt="" src="/render.svg?{html.escape(query(dict(text="Inside", **request)))}">'
    visit(browser, site, card("Inside", start="manual", poster="end", **request) + image,
          '<link rel="stylesheet" href="/two.css">' + MODULE)
    heard(browser, "ready")
    holds(browser, "document.querySelector('img').complete")
    browser.evaluate(FRAME)
    shown = pixels(browser.screenshot())
    height, width = min(round(scene["height"]), 290), round(scene["width"])
    element, picture = shown[:height, :width], shown[300 : 300 + height, :width]
    assert (picture != picture[0, 0]).any()
    assert mean_difference(element, picture, BACKGROUND) < 2 and worst_block(element, picture) < 4


def test_pictures_of_a_font_need_data_in_the_policy(server, site, browser):
    policy = site.policy
    site.policy = POLICY + "; img-src 'self' data:"
    try:
        request = dict(background="#fff4d6", size=64, effect="none", hold=60)
        visit(browser, site, card("Boo 👻", **request))
        heard(browser, "ready", "play")
        assert value(browser, "svg.querySelectorAll('image').length") == 1
        painted = pixels(server.render("png", text="Boo 👻", **request).body)

        def is_shown():
            shown = pixels(browser.screenshot())[: painted.shape[0], : painted.shape[1]]
            return not list(differences(painted, shown, BACKGROUND))

        until(is_shown, "the emoji")
        assert browser.evaluate("return violations") == []
    finally:
        site.policy = policy


def test_attributes_are_parameters_with_or_without_hyphens(site, browser):
    visit(browser, site, '<title-card letter-spacing=4 lineheight=1.5 FontFeatures="liga=0" italic loop="infinite" '
          'class="x" style id="it" data-x="1" aria-label="x" _ngcontent-x v-on:click="x" size=20>One\n  two<br>three'
          "</title-card>")
    heard(browser, "ready", "play", id="it")
    [asked] = requests(site)
    assert sorted(asked) == sorted([
        ("letterSpacing", "4"), ("lineHeight", "1.5"), ("fontFeatures", "liga=0"), ("italic", "true"),
        ("loop", "infinite"), ("size", "20"), ("text", "One two\nthree"),
    ])  # fmt: skip


def test_without_data_in_the_policy_the_text_of_pictures_stays(site, browser):
    visit(browser, site, card("Boo 👻", effect="none", hold=60))
    until(lambda: "error" in events(browser), "the blocked picture")
    assert value(browser, "svg") is None
    assert value(browser, "getComputedStyle(card.shadowRoot.querySelector('.text')).opacity") == "1"


@pytest.mark.parametrize("markup, texts", [
    ("<title-card effect=fade hold=60><p>One</p> <p>Two <b>bold</b></p></title-card>", ["One", "Two bold"]),
    ("<title-card effect=fade hold=60 text=Given>Other</title-card>", ["Given"]),
    ("<title-card effect=fade hold=60 markup>A<!-- no --> <b>bold</b> one &amp;&nbsp;all</title-card>",
     ["A <b>bold</b> one &amp;\u00a0all"]),
    ("<title-card effect=fade hold=60><h1>Head <a href='/'>link</a></h1></title-card>", ["Head link"]),
    ("<title-card effect=fade hold=60><h1>Title</h1><p>Text</p></title-card>", ["Title\nText"]),
    ("<title-card effect=fade hold=60>Loose <p>para <br></p> <i>after</i></title-card>", ["Loose\npara\nafter"]),
    ("<title-card effect=fade hold=60>\n<ul>\n<li>First\n<li><div>Second</div>\n</ul>\n</title-card>", ["First\nSecond"]),
    ("<title-card effect=fade hold=60><p>One</p><!-- no --><script>no()</script><p hidden>no<p>Two</title-card>",
     ["One", "Two"]),
    ("<title-card effect=fade hold=60>One<style>p {}</style> <b hidden>no</b><template>no</template>two</title-card>",
     ["One two"]),
])
def test_the_content_is_the_text(site, browser, markup, texts):
    visit(browser, site, markup)
    heard(browser, "ready", "play")
    [asked] = requests(site)
    assert [value for name, value in asked if name == "text"] == texts


def test_a_long_text_is_posted(site, browser):
    visit(browser, site, card("слово " * 300, effect="none", hold=0, size=4, width=800))
    heard(browser, "ready", "play", "finish")
    assert list(site.renderings) == ["/render.svg"]


def test_src_is_the_service_or_a_rendering(server, site, browser):
    permalink = server.render("svg", text="Linked", effect="pop", hold=60).headers["Content-Location"]
    visit(browser, site, f'<title-card src="{permalink}" effect="slide">Linked</title-card>')
    heard(browser, "ready", "play")
    assert list(site.renderings) == [permalink]
    visit(browser, site, '<title-card src="/" effect="none" hold="0">Rooted</title-card>')
    heard(browser, "ready", "play", "finish")
    assert list(site.renderings) == ["/render.svg?effect=none&hold=0&text=Rooted&boxes=true"]
    site.renderings.clear()


def test_current_color_is_the_color_of_the_page(site, browser):
    site.add("/blue.css", "body { color: rgb(0, 0, 255) } .green { color: rgb(0, 128, 0) }", "text/css")
    head = '<link rel="stylesheet" href="/blue.css">' + MODULE
    visit(browser, site, card(color="currentColor", shadow="0 0 4px currentcolor", effect="none", hold=0), head)
    heard(browser, "ready", "play", "finish")
    assert set(value(browser, FILLS)) == {"rgb(0, 0, 255)"}
    [asked] = requests(site)
    assert dict(asked)["color"] == "#010203" and dict(asked)["shadow"] == "0 0 4px #010203"
    browser.evaluate(CARD + "card.className = 'green'")
    until(lambda: set(value(browser, FILLS)) == {"rgb(0, 128, 0)"}, "the colour of the class")
    assert not requests(site)


def test_glyphs_are_parts(site, browser):
    site.add("/part.css", "title-card::part(glyph) { fill: rgb(1, 2, 255) }", "text/css")
    head = '<link rel="stylesheet" href="/part.css">' + MODULE
    visit(browser, site, card("Parts", effect="none", hold=0, outlineWidth=2, shadow="0 0 4px red"), head)
    heard(browser, "ready", "play", "finish")
    assert value(browser, FILLS) == ["rgb(1, 2, 255)"] * 5
    assert value(browser, "['outline', 'shadow'].map(name => svg.querySelectorAll(`[part=${name}]`).length)") == [5, 5]


def test_it_is_as_large_as_the_picture_or_as_the_page_wants(server, site, browser):
    site.add("/wide.css", "#wide { width: 300px } #box { width: 50px }", "text/css")
    scene = server.render("json", text="Size", effect="none").json
    width, height = scene["width"], scene["height"]
    plain, wide, narrow = (card("Size", effect="none", hold=0, id=id) for id in ("plain", "wide", "narrow"))
    visit(browser, site, f"{plain}{wide}<div id=box>{narrow}</div>",
          '<link rel="stylesheet" href="/wide.css">' + MODULE)
    until(lambda: len(browser.evaluate("return events")) == 9, "three cards")
    sizes = browser.evaluate("""return ['plain', 'wide', 'narrow'].map(id => {
      const box = document.getElementById(id).getBoundingClientRect();
      return [box.width, box.height];
    })""")
    assert sizes[0] == pytest.approx([width, height], abs=0.1)
    assert sizes[1] == pytest.approx([300, 300 * height / width], abs=1)
    assert sizes[2] == pytest.approx([50, 50 * height / width], abs=1)


# MARK: The text


def test_the_text_stays_the_content(site, browser):
    visit(browser, site, card("Some <b>text</b>", effect="slide", hold=60))
    heard(browser, "ready", "play")
    assert value(browser, "card.textContent") == "Some text"
    assert value(browser, "svg.getAttribute('aria-hidden')") == "true"
    assert value(browser, "svg.querySelector('title, text')") is None


def test_a_picture_without_text_has_a_name(site, browser):
    visit(browser, site, '<title-card text="Given" effect="none" hold="0"></title-card>')
    heard(browser, "ready", "play", "finish")
    assert value(browser, "[svg.getAttribute('role'), svg.getAttribute('aria-label')]") == ["img", "Given"]


def test_assistive_technology_reads_the_text_once(site, page):
    page.goto(site.page("<main>" + card("Read me") + "</main>", STYLED))
    waits(page, "events.length >= 2")
    assert page.locator("main").aria_snapshot() == "- main: Read me"


def test_without_script_the_text_is_there(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.page(card("Plain text")))
    assert page.get_by_text("Plain text").is_visible()
    context.close()


def test_what_is_wrong_is_an_error_and_the_text_stays(site, browser):
    visit(browser, site, card("Readable", size=3, efect="slide", hold=60))
    heard(browser, "error")
    [[_, _, message]] = browser.evaluate("return events")
    assert 'efect: unknown; did you mean "effect"?' in message and "size: must be from 4 to 400 px" in message
    assert value(browser, "svg") is None
    assert value(browser, "getComputedStyle(card.shadowRoot.querySelector('.text')).opacity") == "1"
    browser.evaluate(CARD + "card.removeAttribute('efect'); card.setAttribute('size', 20)")
    heard(browser, "error", "ready", "play")


@pytest.mark.parametrize("fault", ["size=1", "src='http://'", "src='/missing/'"])
def test_an_error_that_changes_the_card_is_not_repeated(site, browser, fault):
    site.add("/listen.js", """
      addEventListener('error', (event) => event.target.classList?.add('failed'), true);
    """, "text/javascript")
    visit(browser, site, f"<title-card {fault}>Text</title-card>", '<script src="/listen.js"></script>' + MODULE)
    holds(browser, "card.classList.contains('failed')")
    browser.evaluate(CARD + "card.className = 'other';" + FRAME)
    heard(browser, "error")


# MARK: Motion


def test_it_plays_to_its_end_once_it_is_asked(site, browser):
    visit(browser, site, card(start="manual", **QUICK))
    heard(browser, "ready")
    assert value(browser, "[card.paused, card.currentTime, svg.getAnimations({subtree: true}).length]") == [True, 0, 0]
    assert browser.evaluate(CARD + "card.play(); return (await card.finished) === card")
    heard(browser, "ready", "play", "finish")
    assert value(browser, "[card.paused, card.currentTime === card.duration]") == [True, True]
    assert browser.evaluate(CARD + "return (await card.finished) === card")
    assert browser.evaluate(CARD + "card.play(); const time = card.currentTime; await card.finished; return time") == 0
    heard(browser, "ready", "play", "finish", "play", "finish")


def test_seek_pause_and_play_on(site, browser):
    visit(browser, site, card(start="manual", effect="slide", hold=60))
    heard(browser, "ready")
    state = "[card.paused, Math.round(card.currentTime * 1000), animations().every(one => one.playState !== 'running')]"
    animations = "const animations = () => svg.getAnimations({subtree: true});"
    evaluate = lambda script: browser.evaluate(CARD + animations + script)  # noqa: E731
    assert evaluate(f"card.seek(0.25); return {state}") == [True, 250, True]
    assert evaluate("return animations().map(one => one.currentTime)")[0] == pytest.approx(250)
    assert evaluate(f"card.currentTime = 0.5; return {state}") == [True, 500, True]
    assert evaluate("card.play(); return [card.paused, card.currentTime > 0.4999]") == [False, True]
    holds(browser, "card.currentTime > 0.6")
    # What was done before goes on as done, and does not begin anew.
    assert evaluate("card.seek(5); card.pause(); card.play(); card.pause(); return animations().length") == 1
    assert evaluate(f"return {state}")[:2] == [True, 5000]
    assert evaluate(f"card.seek(-1); return {state}") == [True, 0, True]
    assert evaluate("card.seek(1e9); return card.currentTime === card.duration")
    assert evaluate("card.restart(); return [card.paused, card.currentTime]") == [False, 0]
    assert evaluate("try { card.seek('x') } catch (error) { return error.name }") == "TypeError"
    heard(browser, "ready", "play", "pause", "play", "pause", "play")


def test_the_rate_is_how_fast_it_plays(site, browser):
    visit(browser, site, card(start="manual", effect="slide", hold=60))
    heard(browser, "ready")
    assert value(browser, "card.playbackRate") == 1
    assert browser.evaluate(CARD + """
      card.seek(1);
      card.playbackRate = 20;
      const times = [card.playbackRate, card.currentTime];
      card.play();
      const start = performance.now();
      while (card.currentTime < 21) await new Promise(requestAnimationFrame);
      return [...times, performance.now() - start < 10_000 || performance.now() - start];
    """) == [20, 1, True]
    rates = "[0, -1, NaN, Infinity, 'x'].map(rate => { try { card.playbackRate = rate } catch (e) { return e.name } })"
    assert value(browser, rates) == ["RangeError"] * 5
    assert value(browser, "card.playbackRate") == 20


def test_cycles_are_heard_and_counted(site, browser):
    visit(browser, site, card(start="manual", effect="fade", exit="auto", hold=20, loop=3))
    heard(browser, "ready")
    for cycle in (1, 2):
        browser.evaluate(CARD + "card.play(); card.seek(card.duration - 0.02)")
        heard(browser, "ready", "play", *["cycle"] * cycle)
        assert value(browser, "card.currentTime < card.duration - 1")
        animations = value(browser, "svg.getAnimations({subtree: true}).map(one => one.currentTime)")
        assert all(time >= 20_000 * cycle for time in animations)
    browser.evaluate(CARD + "card.seek(card.duration)")
    heard(browser, "ready", "play", "cycle", "cycle", "finish")


def test_an_infinite_one_goes_on(site, browser):
    visit(browser, site, card(start="load", loop="infinite", exit="auto", **QUICK))
    until(lambda: events(browser).count("cycle") >= 3, "three cycles")
    assert events(browser)[:2] == ["ready", "play"] and "finish" not in events(browser)
    # Past its end it is until the browser has said so.
    holds(browser, "card.currentTime <= card.duration && !card.paused")


def test_calls_before_it_is_ready_wait(site, browser):
    visit(browser, site, "")
    browser.evaluate("""
      await customElements.whenDefined('title-card');
      const card = document.createElement('title-card');
      card.textContent = 'Later';
      card.setAttribute('effect', 'slide');
      card.setAttribute('hold', 60);
      card.seek(0.7);
      card.play();
      window.state = [Number.isNaN(card.duration), card.paused, card.currentTime, typeof card.finished.then];
      document.body.append(card);
    """)
    heard(browser, "ready", "play")
    assert browser.evaluate("return state") == [True, True, 0, "function"]
    assert value(browser, "card.currentTime >= 0.7")


def test_calls_after_a_change_wait_for_what_is_changed(site, browser):
    visit(browser, site, card("One", start="manual", **QUICK))
    heard(browser, "ready")
    assert browser.evaluate(CARD + """
      card.play();
      const first = card.finished;
      await first;
      card.textContent = 'Two words';
      card.restart();
      const second = card.finished;
      window.state = [card.paused, second !== first];
      await second;
      return [...state, card.shadowRoot.querySelectorAll('[part=glyph]').length];
    """) == [True, True, 8]
    heard(browser, "ready", "play", "finish", "ready", "play", "finish")


def test_the_button_is_for_what_is_shown(site, browser):
    visit(browser, site, card("One", effect="slide", loop="infinite"))
    heard(browser, "ready", "play")
    site.open.clear()
    try:
        browser.evaluate(CARD + "card.textContent = 'Two'; card.seek(0.1);" + FRAME +
                         "card.shadowRoot.querySelector('button').click()")
        heard(browser, "ready", "play", "pause")
    finally:
        site.open.set()
    until(lambda: events(browser).count("ready") == 2, "what is changed")


def test_what_is_still_ends_at_once(site, browser):
    visit(browser, site, card(animate=False, controls="", start="load"))
    heard(browser, "ready", "play", "finish")
    state = "[card.duration, card.paused, card.shadowRoot.querySelector('button').hidden]"
    assert value(browser, state) == [0, True, True]


def test_it_starts_when_it_comes_into_view(site, browser):
    site.add("/tall.css", "#space { height: 3000px }", "text/css")
    head = '<link rel="stylesheet" href="/tall.css">' + MODULE
    visit(browser, site, "<div id=space></div>" + card(effect="slide", hold=60) +
          card(id="loop", loop="infinite", exit="auto", hold=5), head)
    heard(browser, "ready")
    heard(browser, "ready", id="loop")
    browser.evaluate(FRAME)
    assert value(browser, "[card.paused, card.currentTime]") == [True, 0]
    browser.evaluate("scrollTo(0, 5000)")
    heard(browser, "ready", "play")
    heard(browser, "ready", "play", id="loop")
    # What loops does not cost anything out of view.
    moving = ("document.querySelector('#loop').shadowRoot.querySelector('svg').getAnimations({subtree: true})"
              ".filter(one => one.playState === 'running').length")
    assert value(browser, moving) > 0
    browser.evaluate("scrollTo(0, 0)")
    until(lambda: value(browser, moving) == 0, "the loop rests")
    browser.evaluate("scrollTo(0, 5000)")
    until(lambda: value(browser, moving) > 0, "the loop goes on")


def test_it_starts_when_it_is_hovered(site, browser):
    visit(browser, site, card(start="hover", effect="slide", loop="infinite"))
    heard(browser, "ready")
    # Until then it is the finished text.
    assert value(browser, "svg.getAnimations({subtree: true}).length") == 0
    browser.evaluate(CARD + "card.dispatchEvent(new PointerEvent('pointerenter'))")
    heard(browser, "ready", "play")
    browser.evaluate(CARD + "card.dispatchEvent(new PointerEvent('pointerleave'))")
    heard(browser, "ready", "play", "pause")


def test_the_pointer_itself_starts_it(site, page):
    page.goto(site.page(card(start="hover", effect="slide"), STYLED))
    waits(page, "events.length === 1")
    page.hover("title-card")
    waits(page, "events.length === 2")


def test_a_changed_start_counts(site, browser):
    visit(browser, site, card(start="manual", effect="slide", hold=60))
    heard(browser, "ready")
    browser.evaluate(CARD + "card.setAttribute('start', 'load')")
    heard(browser, "ready", "play")
    assert len(requests(site)) == 1


def test_the_poster_is_the_beginning_or_the_finished_text(server, site, browser):
    for poster, time in (("start", 0), ("end", "end")):
        visit(browser, site, card(start="manual", poster=poster, **FINISHED))
        heard(browser, "ready")
        browser.evaluate(FRAME)
        painted = pixels(server.render("png", text="Hello", **FINISHED, time=time).body)
        shown = pixels(browser.screenshot())[: painted.shape[0], : painted.shape[1]]
        assert not list(differences(painted, shown, BACKGROUND)), poster


# MARK: Reduced motion and controls


@pytest.mark.parametrize("start", ["visible", "load", "hover"])
def test_nothing_moves_under_reduced_motion_until_it_is_asked(server, site, browser, preferences, start):
    preferences(still=True)
    visit(browser, site, card(start=start, loop="infinite", exit="auto", controls="none", **FINISHED))
    heard(browser, "ready")
    browser.evaluate(CARD + "card.dispatchEvent(new PointerEvent('pointerenter'));" + FRAME)
    assert value(browser, "[card.paused, document.getAnimations().length]") == [True, 0]
    painted = pixels(server.render("png", text="Hello", **FINISHED).body)
    shown = pixels(browser.screenshot())[: painted.shape[0], : painted.shape[1]]
    assert not list(differences(painted, shown, BACKGROUND))
    browser.evaluate(CARD + "card.play()")
    heard(browser, "ready", "play")
    assert value(browser, "svg.getAnimations({subtree: true}).some(one => one.playState === 'running')")


def test_motion_ends_when_the_preference_comes(site, browser, preferences):
    visit(browser, site, card(effect="slide", loop="infinite"))
    heard(browser, "ready", "play")
    preferences(still=True)
    holds(browser, "card.paused && document.getAnimations().length === 0")
    preferences()
    # Browsers look at preferences when they draw.
    browser.evaluate(FRAME)
    heard(browser, "ready", "play", "play")


@pytest.mark.parametrize("values, isOffered", [
    (dict(effect="slide", loop="infinite"), True),
    (dict(effect="slide", hold=10), True),
    (dict(effect="slide"), False),
    (dict(effect="slide", controls=""), True),
    (dict(effect="slide", loop="infinite", controls="none"), False),
    (dict(effect="slide", loop="infinite", start="manual"), False),
    (dict(effect="slide", start="manual", controls=""), True),
    (dict(effect="none", hold=10), False),
])
def test_what_moves_for_longer_than_five_seconds_can_be_paused(site, browser, values, isOffered):
    visit(browser, site, card(**values))
    until(lambda: "ready" in events(browser), "it is ready")
    assert value(browser, "!card.shadowRoot.querySelector('button').hidden") == isOffered


def test_the_button_says_what_it_does(site, browser):
    visit(browser, site, card(effect="slide", loop="infinite") + card(
        id="de", start="manual", effect="slide", controls="", play_label="Abspielen", pause_label="Anhalten"))
    heard(browser, "ready", "play")
    heard(browser, "ready", id="de")
    label = "card.shadowRoot.querySelector('button').getAttribute('aria-label')"
    german = label.replace("card", "document.querySelector('#de')", 1)
    assert value(browser, f"[{label}, {german}]") == ["Pause", "Abspielen"]
    browser.evaluate(CARD + "card.shadowRoot.querySelector('button').click()")
    heard(browser, "ready", "play", "pause")
    browser.evaluate("document.querySelector('#de').play()")
    assert value(browser, f"[{label}, {german}]") == ["Play", "Anhalten"]
    browser.evaluate("document.querySelector('#de').setAttribute('pause-label', 'Pausieren');" + FRAME)
    assert value(browser, german) == "Pausieren"


def test_the_button_is_reached_and_pressed_by_keys(site, page):
    page.goto(site.page(card(effect="slide", loop="infinite"), STYLED))
    waits(page, "events.length === 2")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    waits(page, "events.at(-1)[1] === 'pause'")
    page.keyboard.press("Space")
    waits(page, "events.at(-1)[1] === 'play'")
    box = page.get_by_role("button", name="Pause").bounding_box()
    assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(chromium, site, scheme):
    context = chromium.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(site.page("<main><h1>" + card("Title", controls="", darkColor="#fff") + "</h1>" +
                        card("<p>One</p><p>Two</p>", loop="infinite", exit="auto") +
                        '<title-card text="No content" effect="pop"></title-card>' +
                        card('A <a href="/">link</a>', effect="none", hold=0) +
                        card("Wrong", size=1) + "</main>", MODULE))
    waits(page, "events.filter(([, type]) => type === 'ready' || type === 'error').length === 5")
    violations = Axe().run(page).response["violations"]
    assert [(one["id"], node["html"]) for one in violations for node in one["nodes"]] == []
    context.close()


# MARK: Many, changed, moved and removed


@pytest.mark.slow
def test_the_time_in_a_queue_does_not_count(site, page):
    """A service that takes a second for each of twenty."""
    site.delay = 1
    try:
        page.goto(site.page("".join(card(f"Card {n}", effect="none", hold=0) for n in range(20)), STYLED))
        waits(page, "events.filter(([, type]) => type === 'ready' || type === 'error').length === 20")
        assert page.evaluate("events.filter(([, type]) => type === 'error')") == []
    finally:
        site.delay = 0


def test_what_is_in_view_is_asked_for_first(site, page):
    site.add("/tall.css", "#space { height: 3000px }", "text/css")
    far = "".join(card(f"Far {n}", effect="none", hold=0) for n in range(12))
    # Requests that are sent together may arrive in any order.
    page.add_init_script("const send = fetch; globalThis.asked = []; fetch = (url, ...rest) => (asked.push(String(url)), send(url, ...rest))")
    site.open.clear()
    try:
        site.renderings.clear()
        page.goto(site.page("<main></main><div id=space></div>" + far, '<link rel="stylesheet" href="/tall.css">' + MODULE))
        until(lambda: len(site.renderings) == 6, "the first requests")
        page.evaluate("document.querySelector('main').innerHTML = '<title-card id=near effect=none hold=0>Near</title-card>';"
                      # Observers hear in the order in which they were made.
                      "new Promise(done => new IntersectionObserver(done).observe(document.querySelector('#near')))")
        assert len(site.renderings) == 6
    finally:
        site.open.set()
    waits(page, "events.some(([id, type]) => id === 'near' && type === 'ready')")
    waits(page, "events.filter(([, type]) => type === 'ready').length === 13")
    assert "Near" in page.evaluate("asked[6]")


def test_equal_cards_are_fetched_once_and_do_not_disturb_each_other(server, site, browser):
    request = dict(start="manual", poster="end", **FINISHED)
    site.add("/hide.css", "#a { display: none }", "text/css")
    visit(browser, site, "".join(card(id=id, **request) for id in "abcde"),
          '<link rel="stylesheet" href="/hide.css">' + STYLED)
    for id in "abcde":
        heard(browser, "ready", id=id)
    assert len(requests(site)) == 1
    browser.evaluate("document.querySelector('#b').seek(0);" + FRAME)
    painted = pixels(server.render("png", text="Hello", **FINISHED).body)
    height, width, _ = painted.shape
    shown = pixels(browser.screenshot())[:height]
    blank = pixels(server.render("png", text="Hello", **FINISHED, time=0).body)
    assert not list(differences(blank, shown[:, :width], BACKGROUND))
    assert not list(differences(painted, shown[:, width : 2 * width], BACKGROUND))


def test_changes_of_one_task_are_one_request(site, browser):
    visit(browser, site, card(id="x", effect="slide"))
    heard(browser, "ready", "play", id="x")
    requests(site)
    browser.evaluate(CARD + """
      card.setAttribute('size', 20);
      card.setAttribute('effect', 'pop');
      card.firstChild.data = 'Other';
    """)
    heard(browser, "ready", "play", "ready", "play", id="x")
    assert requests(site) == [[("effect", "pop"), ("size", "20"), ("text", "Other")]]
    browser.evaluate(CARD + "card.setAttribute('class', 'any'); card.setAttribute('data-any', '1');" + FRAME)
    assert not requests(site) and len(events(browser, "x")) == 4


def test_an_answer_that_is_no_longer_wanted_is_dropped(site, browser):
    visit(browser, site, card("Zero", effect="none", hold=0))
    heard(browser, "ready", "play", "finish")
    site.open.clear()
    try:
        for before, text in enumerate(("One", "Two", "Three"), 1):
            browser.evaluate(CARD + f"card.textContent = '{text}';" + FRAME)
            until(lambda before=before: len(site.renderings) > before, f"a request for {text}")
    finally:
        site.open.set()
    heard(browser, "ready", "play", "finish", "ready", "play", "finish")
    assert value(browser, "svg.querySelectorAll('[part=glyph]').length") == 5
    site.renderings.clear()


def test_a_text_that_is_taken_back_is_no_error(site, browser):
    visit(browser, site, card("Zero", effect="none", hold=0))
    heard(browser, "ready", "play", "finish")
    site.open.clear()
    try:
        browser.evaluate(CARD + """
          for (const text of ['One', 'Two', 'One', 'Two', 'One']) {
            card.textContent = text;
            await null;
          }
        """ + FRAME)
    finally:
        site.open.set()
    heard(browser, "ready", "play", "finish", "ready", "play", "finish")


def test_what_is_removed_before_it_has_changed_changes_when_it_is_back(site, browser):
    visit(browser, site, card("Long before", effect="none", hold=0))
    heard(browser, "ready", "play", "finish")
    site.open.clear()
    try:
        browser.evaluate(CARD + "window.card = card; card.textContent = 'New';" + FRAME + "card.remove();" + FRAME)
    finally:
        site.open.set()
    browser.evaluate("document.body.append(card)")
    heard(browser, "ready", "play", "finish", "ready", "play", "finish")
    assert value(browser, "svg.querySelectorAll('[part=glyph]').length") == 3


def test_a_changed_text_plays_from_its_beginning(site, browser):
    visit(browser, site, card(effect="slide", hold=60))
    heard(browser, "ready", "play")
    browser.evaluate(CARD + "card.seek(30); card.textContent = 'New'")
    heard(browser, "ready", "play", "ready", "play")
    assert value(browser, "card.currentTime < 30")
    browser.evaluate(CARD + "card.textContent = ''")
    holds(browser, "svg === null && Number.isNaN(card.duration)")


def test_it_plays_on_where_it_is_moved(site, browser):
    visit(browser, site, card(id="x", effect="slide", hold=60, loop=2) + "<section></section>")
    heard(browser, "ready", "play", id="x")
    requests(site)
    browser.evaluate(CARD + "card.seek(30); document.querySelector('section').append(card);" + FRAME)
    assert value(browser, "[card.paused, card.currentTime >= 30]") == [False, True]
    times = value(browser, "svg.getAnimations({subtree: true}).map(one => [one.playState, one.currentTime])")
    assert times and all(state == "running" and time >= 30_000 for state, time in times)
    assert not requests(site) and events(browser, "x") == ["ready", "play"]


def test_it_plays_on_after_it_was_hidden(site, browser):
    visit(browser, site, card(effect="slide", hold=60, loop=2))
    heard(browser, "ready", "play")
    browser.evaluate(CARD + "card.seek(30); card.hidden = true;" + FRAME + "card.hidden = false;" + FRAME + FRAME)
    holds(browser, "svg.getAnimations({subtree: true}).length && "
                   "svg.getAnimations({subtree: true}).every(one => one.currentTime >= 30_000)")


def test_it_plays_on_after_it_was_printed(server, site, page):
    page.goto(site.page(card(effect="slide", hold=60, loop=2, background="#fff4d6"), STYLED))
    waits(page, "events.length === 2")
    page.evaluate("document.querySelector('title-card').seek(0.1)")
    page.emulate_media(media="print")
    painted = pixels(server.render("png", text="Hello", effect="slide", background="#fff4d6").body)
    printed = pixels(page.screenshot())[: painted.shape[0], : painted.shape[1]]
    assert not list(differences(painted, printed, BACKGROUND))
    page.evaluate("document.querySelector('title-card').seek(30)")
    page.emulate_media(media="screen")
    times = ("document.querySelector('title-card').shadowRoot.querySelector('svg').getAnimations({subtree: true})"
             ".map(one => one.currentTime)")
    waits(page, f"{times}.length > 5 && {times}.every(time => time >= 30_000)")


def test_what_is_removed_asks_for_nothing_and_says_nothing(site, browser):
    site.open.clear()
    try:
        visit(browser, site, card("Gone", effect="slide", hold=60))
        until(lambda: site.renderings, "a request")
        browser.evaluate("window.gone = document.querySelector('title-card'); gone.remove();" + FRAME)
    finally:
        site.open.set()
    requests(site)
    browser.evaluate("gone.textContent = 'Changed';" + FRAME)
    assert browser.evaluate("return events") == [] and not requests(site)
    browser.evaluate("document.body.append(gone)")
    heard(browser, "ready", "play")
    assert len(requests(site)) == 1
    browser.evaluate("gone.remove();" + FRAME + "document.body.append(gone);" + FRAME)
    assert not requests(site)


# MARK: Drawn by a server


def given(server, values="", **request):
    """What the server draws for a page, with further attributes."""
    answer = server.get("/element?" + query(request))
    return answer.text.replace("<title-card ", f"<title-card {values} ", 1)


def test_what_a_server_has_drawn_is_taken_over_without_a_request(server, site, browser):
    request = dict(text="Drawn", hold=60, **FINISHED)
    visit(browser, site, given(server, "start=manual", **request))
    heard(browser, "ready")
    browser.evaluate(FRAME)
    painted = pixels(server.render("png", **request).body)
    shown = pixels(browser.screenshot())[: painted.shape[0], : painted.shape[1]]
    assert not list(differences(painted, shown, BACKGROUND))
    assert value(browser, "card.shadowRoot.querySelectorAll('svg').length") == 1
    assert not requests(site)
    browser.evaluate(CARD + "card.play()")
    heard(browser, "ready", "play")
    browser.evaluate(CARD + "card.textContent = 'Changed'")
    heard(browser, "ready", "play", "ready", "play")
    assert [dict(one)["text"] for one in requests(site)] == ["Changed"]


def test_what_moves_already_goes_on(server, site, browser):
    policy = site.policy
    site.policy = POLICY + " 'unsafe-inline'"
    try:
        delayed = '<script src="/delayed.js"></script>'
        site.add("/delayed.js", """
          const wait = () => {
            const svg = document.querySelector('title-card')?.shadowRoot?.querySelector('svg');
            const time = svg?.getAnimations()[0]?.currentTime ?? 0;
            if (time < 300) return requestAnimationFrame(wait);
            window.before = time;
            const script = document.createElement('script');
            script.type = 'module';
            script.src = '/titlecard.js';
            document.head.append(script);
          };
          wait();
        """, "text/javascript")
        visit(browser, site, given(server, text="Moving", effect="slide", hold=60), delayed)
        heard(browser, "ready", "play")
        assert value(browser, "card.currentTime * 1000 >= before")
    finally:
        site.policy = policy


def test_before_it_is_taken_over_it_is_a_picture_without_script(chromium, server, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.page(given(server, text="Drawn", **FINISHED), STYLED))
    painted = pixels(server.render("png", text="Drawn", **FINISHED).body)
    shown = pixels(page.screenshot())[: painted.shape[0], : painted.shape[1]]
    assert not list(differences(painted, shown, BACKGROUND))
    context.close()


@pytest.mark.parametrize("way", ["width and height", "drawn by a server"])
def test_nothing_around_it_moves(server, site, page, way):
    reserve = samples("css")[0]
    site.add("/reserve.css", reserve.replace("480px", "300px").replace("120px", "90px"), "text/css")
    site.add("/late.js", LATE, "text/javascript")
    late = '<script src="/late.js"></script>'
    if way == "drawn by a server":
        body, head = given(server, text="Stable", effect="slide"), late
    else:
        body = card("Stable", effect="slide", width=300, height=90)
        head = '<link rel="stylesheet" href="/reserve.css">' + late
    site.open.clear()
    try:
        page.goto(site.page("<p>Above</p>" + body + "<p>Below</p>" * 5, head))
        waits(page, "customElements.get('title-card') !== undefined")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    finally:
        site.open.set()
    waits(page, "events.length >= 2")
    assert page.evaluate(SHIFT) == 0


# MARK: Safety


HOSTILE = """<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90" viewBox="0 0 90 90" onload="ran('load')"
  ><title>Bad</title><script>ran('script')</script><style>.x{animation:x-end 1s}</style>
  <foreignObject width="90" height="90"><div xmlns="http://www.w3.org/1999/xhtml" onclick="ran('click')">x</div>
  </foreignObject><a href="javascript:ran('link')"><rect width="9" height="9"/></a>
  <image href="https://example.invalid/x.png" width="9" height="9"/><use href="/other.svg#x"/>
  <g fill="url(https://example.invalid/#x)" onclick="ran('g')"><rect width="9" height="9"
  style="fill:url(//example.invalid/#y)" onbegin="ran('rect')"/></g><set attributeName="href" to="javascript:x"/>
  </svg>"""


def test_nothing_but_a_picture_comes_in(site, browser):
    site.add("/hostile.svg", HOSTILE, "image/svg+xml")
    visit(browser, site, '<title-card src="/hostile.svg">Text</title-card>')
    heard(browser, "ready", "play", "finish")
    markup = value(browser, "new XMLSerializer().serializeToString(svg)")
    assert not re.search(r"script|\bon\w+=|foreignObject|<a\b|<set|invalid|other", markup), markup
    assert markup.count("<rect") == 1
    assert browser.evaluate("return violations") == []


@pytest.mark.parametrize("rule", ["@import '/x.css';", ".x{fill:url(/x.svg#y)}", ".x{background:\\75rl(x)}",
                                  ".x{background:image-set('x.png' 1x)}"])
def test_a_style_sheet_that_leads_elsewhere_is_refused(site, browser, rule):
    site.add("/leads.svg", f'<svg xmlns="http://www.w3.org/2000/svg"><style>{rule}</style></svg>', "image/svg+xml")
    visit(browser, site, '<title-card src="/leads.svg">Text</title-card>')
    heard(browser, "error")


def test_another_origin_needs_connect_src(server, site, browser):
    policy = site.policy
    head = f'<script type="module" src="{server.url}/titlecard.js"></script>'
    script = f"default-src 'self'; style-src 'self'; script-src 'self' {server.url}"
    try:
        site.policy = script
        visit(browser, site, card(effect="slide", hold=60), head)
        heard(browser, "error")
        site.policy = script + f"; connect-src {server.url}"
        visit(browser, site, card(effect="slide", hold=60), head)
        heard(browser, "ready", "play")
        assert browser.evaluate("return violations") == []
    finally:
        site.policy = policy
    assert not requests(site)


@pytest.mark.parametrize("allowed", ["titlecard", "'none'", "default"])
def test_trusted_types_need_a_policy(site, page, allowed):
    policy = site.policy
    site.policy = POLICY + "; require-trusted-types-for 'script'; trusted-types " + allowed
    site.add("/trust.js", "trustedTypes.createPolicy('default', { createHTML: (markup) => markup });",
             "text/javascript")
    script = '<script src="/trust.js"></script>' if allowed == "default" else ""
    try:
        page.goto(site.page(card(effect="slide"), script + MODULE))
        kinds = "error" if allowed == "'none'" else "ready,play"
        waits(page, f"events.map(([, type]) => type).join() === '{kinds}'")
    finally:
        site.policy = policy


# MARK: Cost

COUNT = 50


def metrics_of(session):
    return {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}


def metrics(page):
    """The metrics of a page without garbage."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    session.send("HeapProfiler.enable")
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    measured = metrics_of(session)
    session.detach()
    return measured


@pytest.mark.alone
@pytest.mark.slow
def test_the_heap_is_steady_over_many_renderings(site, page):
    page.goto(site.page(card(start="load", **QUICK), STYLED))
    waits(page, "events.length >= 2")
    change = """async count => {
      for (let index = 0; index < count; index += 1) {
        const card = document.querySelector('title-card');
        const next = index % 5 ? card : document.createElement('title-card');
        const ready = new Promise(done => next.addEventListener('ready', done, {once: true}));
        for (const name of card.getAttributeNames()) next.setAttribute(name, card.getAttribute(name));
        next.textContent = `Number ${index}`;
        if (next !== card) card.replaceWith(next);
        await ready;
        events.length = 0;
      }
    }"""
    # The browser keeps a list of what was loaded.
    page.evaluate("performance.setResourceTimingBufferSize(0)")
    page.evaluate(change, 100)
    before = metrics(page)
    count = by_proof(100, 1000)
    page.evaluate(change, count)
    after = metrics(page)
    growth = {name: after[name] - before[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners", "Documents")}
    print(growth)
    assert growth["JSHeapUsedSize"] < 100_000 + 100 * count
    assert growth["Nodes"] < 50 and growth["JSEventListeners"] < 10 and growth["Documents"] < 3


@pytest.mark.alone
@pytest.mark.slow
def test_many_at_rest_cost_no_more_than_images(site, page):
    request = dict(start="load", size=24, **QUICK)
    bodies = {
        "images": "".join(f'<img alt="" src="/render.svg?{query({**QUICK, "text": f"Card {n}", "size": 24})}">'
                          for n in range(COUNT)),
        "cards": "".join(card(f"Card {n}", **request) for n in range(COUNT)),
    }
    cost = {}
    for name, body in bodies.items():
        page.goto(site.page(body, STYLED))
        if name == "cards":
            waits(page, f"events.filter(([, type]) => type === 'finish').length === {COUNT}")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        spans = []
        for _ in range(6):
            start = metrics_of(session)
            page.wait_for_timeout(500)
            end = metrics_of(session)
            spans.append(tuple(end[metric] - start[metric] for metric in ("TaskDuration", "RecalcStyleCount")))
        session.detach()
        # The browser tidies up for a while.
        cost[name] = min(spans)
    print(cost)
    # To ask for the metrics takes a moment too.
    assert cost["cards"][0] <= cost["images"][0] + 0.005, cost
    assert cost["cards"][1] == 0, cost


# MARK: Documentation, types and examples

DOCUMENTATION = (REPOSITORY / "docs/component.md").read_text()
# A package that has it among its files.
VUE = pathlib.Path(importlib.util.find_spec("nicegui").submodule_search_locations[0], "static/vue.esm-browser.prod.js")


def samples(language):
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENTATION, re.S)


def test_every_sample_of_the_documentation_plays(site, browser):
    policy = site.policy
    site.policy = "default-src 'self' 'unsafe-inline'"
    site.add("/documented.css", "".join(samples("css")), "text/css")
    site.add("/talk.vtt", "WEBVTT\n\n00:00.500 --> 00:02.000\nHello there\n", "text/vtt")
    try:
        body = "".join(samples("html")).replace("https://cards.example", site.url)
        visit(browser, site, body, '<link rel="stylesheet" href="/documented.css">' + MODULE)
        cards = "[...document.querySelectorAll('title-card')]"
        holds(browser, f"{cards}.length > 4 && {cards}.every(card => card.duration >= 0)")
        until(lambda: events(browser, "opening").count("ready") == 2, "the second chapter")
        assert "error" not in {kind for _, kind, _ in browser.evaluate("return events")}
    finally:
        site.policy = policy


@pytest.mark.slow
def test_vue_renders_and_hears_it(site, page):
    [template] = samples("vue")
    [setting] = samples("js")
    policy = site.policy
    # Vue compiles its templates.
    site.policy = POLICY + "; script-src 'self' 'unsafe-eval'"
    site.add("/vue.js", VUE.read_text(), "text/javascript")
    site.add("/app.js", f"""
      import {{ createApp }} from '/vue.js';
      const app = createApp({{
        template: {json.dumps(template)},
        data: () => ({{ text: 'One', spacing: 3 }}),
        methods: {{ next() {{ this.text = 'Two'; }} }},
      }});
      {setting}
      app.mount('main');
    """, "text/javascript")
    try:
        site.renderings.clear()
        page.goto(site.page("<main></main>", MODULE + '<script type="module" src="/app.js"></script>'))
        waits(page, "events.filter(([, type]) => type === 'finish').length === 2")
        assert page.locator("title-card").inner_text() == "Two"
    finally:
        site.policy = policy
    assert {"letterSpacing": "3", "effect": "slide", "text": "Two"} in [dict(one) for one in requests(site)]


USE = """
/// <reference path="%s" />
import type { TitleCard, TitleCardAttributes } from '%s';
const card = document.querySelector('title-card')!;
card.play(); card.seek(2); card.currentTime = 1; card.playbackRate = 2; card.duration = 3;
const seconds: number = card.duration;
card.finished.then((one: TitleCard) => one.restart());
card.addEventListener('error', (event) => event.message.length);
card.addEventListener('click', () => {});
const all: TitleCardAttributes = { 'letter-spacing': 4, letterSpacing: '3', effect: 'own', loop: 'infinite' };
const element = <title-card letter-spacing={2} fontFeatures="ss01" loop={3} start="visible">Text</title-card>;
const plain = <title-card role="img" dir="rtl" hidden tabIndex={-1} translate="no" aria-label="x" data-x="y" part="x"
  onClick={(event) => event.preventDefault()} onfinish={() => {}} onerror={(event) => event.message} onready={undefined} />;
const over = <title-card video="talk" track="" captions="[]" safe-area={8} />;
// @ts-expect-error
const never: TitleCardAttributes = { start: 'never' };
// @ts-expect-error
card.paused = true;
// @ts-expect-error
const often = <title-card loop="often" />;
"""


@pytest.mark.slow
def test_the_types_are_those_of_typescript(tmp_path):
    use = tmp_path / "use.tsx"
    use.write_text(USE % (TYPES, TYPES.with_suffix("").with_suffix("")))
    command = ["tsc", "--strict", "--noEmit", "--jsx", "preserve", "--target", "es2021", "--lib", "es2021,dom", use]
    outcome = subprocess.run(command, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout


@pytest.fixture(scope="module")
def examples(server, site):
    """The files of the examples, with the address of the server in the place of their own."""
    for path in sorted((REPOSITORY / "examples/component").rglob("*")):
        kind = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript",
                ".json": "application/json"}.get(path.suffix)
        if kind:
            text = path.read_text().replace("http://localhost:8080", site.url)
            text = text.replace('<meta charset="utf-8">', '<meta charset="utf-8"><script src="/record.js"></script>')
            site.add("/examples/" + path.relative_to(REPOSITORY / "examples/component").as_posix(), text, kind)
    return site.url + "/examples/"


def test_the_page_of_examples_plays(site, browser, examples):
    browser.visit(examples + "index.html")
    for id in ("lines", "played", "word"):
        until(lambda: "ready" in events(browser, id), "it is ready")
    until(lambda: browser.evaluate("return !document.querySelector('#play').disabled"), "the page's script")
    browser.evaluate("document.querySelector('#play').click()")
    until(lambda: events(browser, "played") == ["ready", "play"], "it plays")
    assert browser.evaluate("return document.querySelector('#state').textContent") == "plays"
    browser.evaluate("""
      const time = document.querySelector('#time');
      time.value = 0.5;
      time.dispatchEvent(new Event('input'));
    """)
    share = browser.evaluate("const card = document.querySelector('#played'); return card.currentTime / card.duration")
    assert share == pytest.approx(0.5, abs=0.01)
    assert browser.evaluate("return violations") == []


# A clock that the test moves: what is said stands until then, however slow the machine is.
CLOCK = """
window.instant = performance.now();
performance.now = () => instant;
"""

GRAPHIC = CLOCK + """
import LowerThird from '/examples/lower-third/lower-third.mjs';
customElements.define('lower-third', LowerThird);
window.graphic = document.createElement('lower-third');
document.body.append(graphic);
window.state = () => [...graphic.children].map(
  card => [card.textContent, card.paused, card.currentTime, card.duration]);
window.isLoaded = true;
"""


@pytest.fixture
def graphic(server, site, browser, examples):
    """A renderer's page with the graphic in it."""
    site.add("/renderer.js", GRAPHIC, "text/javascript")
    visit(browser, site, "", '<link rel="stylesheet" href="/page.css">'
          '<script type="module" src="/renderer.js"></script>')
    until(lambda: browser.evaluate("return window.isLoaded === true"), "the graphic")
    answer = browser.evaluate("""
      return graphic.load({data: {name: 'Grace Hopper', role: 'Rear admiral'}, renderType: 'realtime'});
    """)
    assert answer == {"statusCode": 200}
    return lambda script: browser.evaluate(script)


def test_the_manifest_of_the_graphic_is_of_ograf_1(examples):
    [path] = (REPOSITORY / "examples/component").rglob("*.ograf.json")
    manifest = json.loads(path.read_text())
    assert manifest["$schema"] == "https://ograf.ebu.io/v1/specification/json-schemas/graphics/schema.json"
    assert set(manifest) <= {
        "$schema", "id", "version", "name", "description", "author", "main", "customActions", "supportsRealTime",
        "supportsNonRealTime", "schema", "stepCount", "renderRequirements",
    }  # fmt: skip
    assert {"id", "name", "main"} <= set(manifest) and (path.parent / manifest["main"]).is_file()
    assert (manifest["supportsRealTime"], manifest["supportsNonRealTime"]) == (True, True)
    assert all({"id", "name"} <= set(action) for action in manifest["customActions"])
    script = (path.parent / manifest["main"]).read_text()
    for name, property in manifest["schema"]["properties"].items():
        assert f"{name}: '{property['default']}'" in script


@pytest.mark.slow
def test_the_graphic_comes_goes_and_changes(graphic):
    assert graphic("return graphic.playAction({})") == {"statusCode": 200, "currentStep": 0}
    state = graphic("return state()")
    assert [text for text, *_ in state] == ["Grace Hopper", "Rear admiral"]
    assert all(isPaused and time == pytest.approx(duration / 2, abs=0.01) for _, isPaused, time, duration in state)
    assert graphic("return graphic.updateAction({data: {role: 'Programmer'}})") == {"statusCode": 200}
    state = graphic("return state()")
    assert [text for text, *_ in state] == ["Grace Hopper", "Programmer"]
    assert all(time == pytest.approx(duration / 2, abs=0.01) for _, _, time, duration in state)
    assert graphic("return graphic.customAction({id: 'replay', skipAnimation: true})") == {"statusCode": 200}
    assert graphic("return graphic.customAction({id: 'other'})")["statusCode"] == 404
    assert graphic("return graphic.stopAction({})") == {"statusCode": 200}
    assert all(time == pytest.approx(duration, abs=0.01) for _, _, time, duration in graphic("return state()"))
    answer = graphic("await graphic.playAction({skipAnimation: true}); return graphic.playAction({})")
    assert answer["statusCode"] == 200 and answer.get("currentStep") is None
    assert all(time == pytest.approx(duration, abs=0.01) for _, _, time, duration in graphic("return state()"))
    assert graphic("return graphic.updateAction({data: {color: 'nonsense'}})")["statusCode"] == 400
    assert graphic("await graphic.dispose({}); return graphic.children.length") == 0


def test_the_graphic_is_drawn_at_any_instant(graphic, browser):
    graphic("""return graphic.setActionsSchedule({schedule: [
      {timestamp: 9000, action: {type: 'stopAction', params: {}}},
      {timestamp: 1000, action: {type: 'playAction', params: {}}},
      {timestamp: 5000, action: {type: 'updateAction', params: {data: {name: 'Annie Easley'}}}},
    ]})""")

    def at(time):
        assert graphic(f"return graphic.goToTime({{timestamp: {time}}})") == {"statusCode": 200}
        browser.evaluate(FRAME)
        return graphic("return state()"), browser.screenshot()

    before, blank = at(500)
    assert [time for _, _, time, _ in before] == [0, 0]
    coming, first = at(1200)
    assert [time for _, _, time, _ in coming] == pytest.approx([0.2, 0.2], abs=0.01)
    standing, _ = at(6000)
    assert standing[0][0] == "Annie Easley" and standing[0][2] == pytest.approx(standing[0][3] / 2, abs=0.01)
    gone, last = at(20_000)
    assert [time for _, _, time, _ in gone] == pytest.approx([duration for *_, duration in gone], abs=0.01)
    assert (pixels(last) == pixels(blank)).all() and not (pixels(first) == pixels(blank)).all()
    assert (pixels(at(1200)[1]) == pixels(first)).all()


def test_a_source_of_obs_shows_the_graphic(site, browser, examples):
    browser.visit(examples + "lower-third/obs.html?name=Ada&role=Countess&seconds=60")
    until(lambda: browser.evaluate("""
      const cards = [...document.querySelectorAll('title-card')];
      return cards.length === 2 && cards.every(card => card.currentTime > 0 && card.paused);
    """), "the name and the role")
    assert browser.evaluate("return document.body.textContent.trim()") == "AdaCountess"


# The words of captions, and whether each is drawn as it is when it is finished.
SAID = """return [...(graphic.querySelector('div:not([hidden])')?.children ?? [])].map(
  card => [card.textContent, card.currentTime > 0 && card.currentTime === card.duration])"""


def says(graphic, *words):
    """Waits until words have come, and stand."""
    until(lambda: graphic(SAID) == [[word, True] for word in words], f"the words {words}")


def test_the_graphic_shows_words_as_they_are_said(site, graphic):
    assert graphic("return graphic.say('Unheard', -9)") == {"statusCode": 200}
    assert graphic(SAID) == []
    graphic("await graphic.playAction({skipAnimation: true})")
    site.renderings.clear()
    for word in ("Good", "evening", "and", "good", "and"):
        assert graphic(f"return graphic.say('{word}', 3600)") == {"statusCode": 200}
    # What is not said yet is not seen, and not asked for.
    assert graphic(SAID) == [] and not site.renderings
    for word in ("One", "and", "one"):
        graphic(f"return graphic.say('{word}')")
    says(graphic, "One", "and", "one")
    assert graphic("return graphic.say('and')") == {"statusCode": 200}
    says(graphic, "One", "and", "one", "and")
    # Each word is asked for once, by GET.
    assert len(site.renderings) == 3 and max(site.renderings.values()) == 1
    assert graphic("return graphic.say(' ')")["statusCode"] == 400
    assert graphic("return graphic.say('word', 'soon')") == {
        "statusCode": 400, "statusMessage": 'at: must be a number of seconds; got "soon"'}
    assert graphic("return graphic.customAction({id: 'say', payload: {word: 'two'}})") == {"statusCode": 200}
    says(graphic, "One", "and", "one", "and", "two")
    # They go by themselves, and with the graphic.
    graphic("window.instant += 2000")
    until(lambda: graphic(SAID) == [], "the end of the page")
    graphic("await graphic.say('Bye')")
    says(graphic, "Bye")
    graphic("await graphic.stopAction({skipAnimation: true})")
    assert graphic(SAID) == []
    assert graphic("return document.querySelectorAll('lower-third > div:not([hidden])').length") == 0


def test_words_do_not_move_where_reduced_motion_is_preferred(graphic, preferences):
    preferences(still=True)
    until(lambda: graphic("return matchMedia('(prefers-reduced-motion: reduce)').matches"), "the preference")
    graphic("await graphic.playAction({skipAnimation: true}); await graphic.say('Still');")
    says(graphic, "Still")
    assert graphic("return events.filter(([, kind]) => kind === 'play').length") == 0


def test_words_are_drawn_at_any_instant(graphic):
    graphic("""
      const say = (timestamp, word, at) => ({timestamp, action: {type: 'customAction', params: {id: 'say', payload: {word, at}}}});
      return graphic.setActionsSchedule({schedule: [
        say(1000, ' first '), say(1000, 'שלום', 1.5), say(2000, 'third'), say(3000, 'fourth', 3.5), say(4000, 'later'),
        say(1000, ' '), say(1000), say(1000, 'wrong', 'soon'),
        {timestamp: 500, action: {type: 'playAction', params: {}}},
        {timestamp: 4500, action: {type: 'stopAction', params: {}}},
      ]})
    """)

    def at(time):
        assert graphic(f"return graphic.goToTime({{timestamp: {time}}})") == {"statusCode": 200}
        return [[card, round(seconds, 2)] for card, seconds in graphic("""
          return [...(graphic.querySelector('div:not([hidden])')?.children ?? [])].map(card => [card.textContent, card.currentTime]);
        """)]

    assert at(900) == []
    assert at(1600) == [["first", 0.2], ["שלום", 0.1]]
    assert at(3400) == [["first", 0.2], ["שלום", 0.2], ["third", 0.2], ["fourth", 0]]
    assert at(4100)[-2:] == [["fourth", 0.2], ["later", 0.1]]
    assert at(4600) == []
    assert at(1600) == [["first", 0.2], ["שלום", 0.1]]


RECOGNISER = CLOCK + """
window.SpeechRecognition = class {
  constructor() { window.recognition = this; this.starts = 0; }
  start() { this.starts += 1; }
};
window.hear = (index, isFinal, ...transcripts) => recognition.onresult({
  resultIndex: index, results: transcripts.map((transcript) => Object.assign([{ transcript }], { isFinal })),
});
"""


def test_a_source_of_obs_shows_what_is_heard(site, browser, examples):
    page, kind = site.pages["/examples/lower-third/obs.html"]
    site.add("/recogniser.js", RECOGNISER, "text/javascript")
    site.add("/examples/lower-third/heard.html", page.replace("<script type", '<script src="/recogniser.js"></script><script type'), kind)
    browser.visit(examples + "lower-third/heard.html?name=&role=&listen=en")
    until(lambda: browser.evaluate("return window.recognition?.starts === 1 && recognition.lang === 'en'"), "the recogniser")
    heard = """const graphic = document.querySelector('lower-third');
      return [...(graphic.querySelector('div:not([hidden])')?.children ?? [])].map(card => card.textContent).join(' ')"""
    # The last word of what is not final may change.
    browser.evaluate("hear(0, false, 'good even')")
    until(lambda: browser.evaluate(heard) == "good", "the first word")
    browser.evaluate("hear(0, true, 'good evening')")
    until(lambda: browser.evaluate(heard) == "good evening", "both words")
    browser.evaluate("recognition.onend(); hear(0, true, 'again'); new BroadcastChannel('captions').postMessage({word: 'sent'})")
    until(lambda: browser.evaluate(heard) == "good evening again sent", "all words")
    browser.evaluate("recognition.onerror({error: 'not-allowed'}); recognition.onend()")
    assert browser.evaluate("return recognition.starts") == 2
    assert browser.evaluate("return violations") == []
