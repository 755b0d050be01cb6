"""SVGs that stand in pages: portable ones that sanitisers and optimisers leave as they are, ids, and what a page hears."""

import importlib.util
import pathlib
import subprocess

import pytest
from browser_motion import BACKGROUND, COMMON, WAYS, differences, moving_instants
from browsers import ANIMATIONS
from picture import mean_difference, pixels, screenshot, worst_block
from random_requests import EFFECTS, NUMBERS
from service import query

# A package that has it among its files; Debian's own fails with "shadowNode is not defined" (2.4.1+deb12u1).
PURIFY = pathlib.Path(importlib.util.find_spec("nicegui").submodule_search_locations[0], "static", "dompurify.mjs")
PAGE = "<!doctype html><meta charset=utf-8><style>body{{margin:0;background:#fff4d6}}svg{{display:block}}</style>{}"
LOOKS = {
    "shadows": dict(shadow="3px 4px 6px #0008, 0 0 12px #f80", outlineWidth=3, outlineColor="#26c", effect="slide"),
    "gradient": dict(color="linear-gradient(to right, #cf222e, #8250df 60%, #0969da)", effect="flip"),
    "masks": dict(effect="rise", mask="item"),
    "dark": dict(darkColor="#fff", darkBackground="#000", effect="pop"),
    "cursor": dict(effect="typewriter", cursor="bar"),
}
CASES = {
    **{name: dict(effect=name) | NUMBERS.get(name, {}) for name in EFFECTS if name not in ("custom", "none")},
    # Scour writes numbers of five digits, which is not exact enough for longer drums.
    "roll": dict(effect="roll", turns=0) | NUMBERS["roll"],
    **LOOKS,
}


@pytest.fixture(scope="module")
def page(chromium):
    context = chromium.new_context(device_scale_factor=1)
    page = context.new_page()
    yield page
    context.close()


def show(page, html, scene):
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
    page.set_content(PAGE.format(html))
    page.evaluate("() => {" + ANIMATIONS + "pause() }")


def pictures(page, html, scene, times):
    """What Chromium shows of an SVG in a page at some times."""
    show(page, html, scene)
    shown = []
    for time in times:
        # Chromium's compositor may move a group, and shows what is sought a frame later.
        page.evaluate("time => { seek(time); return new Promise(shown => requestAnimationFrame(() => "
                      "requestAnimationFrame(shown))) }", time)
        shown.append(pixels(screenshot(page)))
    return shown


def request_of(case, way):
    request = {**COMMON, **WAYS[way], **CASES[case]}
    if case == "gradient":
        request["exit"] = "auto"
    return request


def purify(page):
    """Loads DOMPurify; returns its version."""
    page.set_content(PAGE.format(""))
    return page.evaluate("""async source => {
      const url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
      window.DOMPurify = (await import(url)).default;
      return DOMPurify.version;
    }""", PURIFY.read_text())


def purified(page, svg):
    purify(page)
    return page.evaluate("svg => DOMPurify.sanitize(svg)", svg)


def scoured(svg):
    return subprocess.run(["scour", "-q"], input=svg.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()


def same(pictures, others):
    """Whether no pixel is off by more than one."""
    return all((abs(a.astype(int) - b.astype(int)) <= 1).all() for a, b in zip(pictures, others, strict=True))


def steady(page, svg, scene, times):
    """Returns pictures that are the same twice in a row."""
    last = pictures(page, svg, scene, times)
    for _ in range(4):
        before, last = last, pictures(page, svg, scene, times)
        if same(before, last):
            return last
    raise AssertionError("no two pictures of an SVG in a row are the same")


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("case", CASES)
@pytest.mark.slow
def test_portable_svgs_are_the_same_pictures_after_dompurify_and_scour(server, page, case, way):
    request = request_of(case, way)
    scene = server.render("json", **request).json
    svg = server.render("svg", **request, svg="portable").text
    assert "<use" not in svg and "blur(" not in svg and "opacity(" not in svg
    moments = list(moving_instants(scene, "loop" in request, shares=(0.12, 0.48, 0.84)))
    times = [played for _, played in moments]
    whole = pictures(page, svg, scene, times)
    clean = purified(page, svg)
    # Chromium's pictures of one SVG may differ by as much, and on a busy machine now and then by more.
    assert same(whole, pictures(page, clean, scene, times)) or same(
        steady(page, svg, scene, times), steady(page, clean, scene, times))
    # Its numbers have five digits.
    for before, after in zip(whole, pictures(page, scoured(svg), scene, times), strict=True):
        assert worst_block(before, after) < 12 and mean_difference(before, after, BACKGROUND) < 4
    compact = pictures(page, server.render("svg", **request).text, scene, times)
    for before, after in zip(whole, compact, strict=True):
        assert worst_block(before, after) < 12 and mean_difference(before, after, BACKGROUND) < 4


def test_what_sanitises_and_optimises_is_printed_by_its_version(page):
    scour = subprocess.run(["scour", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print("DOMPurify", purify(page), "scour", scour)


@pytest.mark.parametrize("profile", ["compact", "portable"])
@pytest.mark.slow
def test_the_same_picture_twice_stays_whole_if_the_first_is_hidden(server, page, profile):
    request = dict(text="Twice 🙂", effect="blur", shadow="2px 2px 4px #0008", svg=profile,
                   color="linear-gradient(red, blue)", background="#fff4d6")
    scene = server.render("json", **request).json
    first, second = (server.render("svg", **request, ids=name).text for name in ("first", "second"))
    hidden = pictures(page, f"<div style='display:none'>{first}</div>{second}", scene, [0.3, 3])
    alone = pictures(page, second, scene, [0.3, 3])
    for one, other in zip(hidden, alone, strict=True):
        assert (one == other).all()
    ids = [set(page.evaluate("svg => [...new DOMParser().parseFromString(svg, 'image/svg+xml').querySelectorAll("
                             "'[id],[class]')].flatMap(e => [e.id, ...e.classList])", svg)) - {""}
           for svg in (first, second)]
    assert not ids[0] & ids[1]


@pytest.mark.slow
@pytest.mark.parametrize("loop", [1, 2, "infinite"])
def test_a_page_hears_the_end_and_can_hold_all(server, page, loop):
    request = dict(text="Hear", effect="slide", exit="auto", hold=0.1, loop=loop, ids="card")
    scene = server.render("json", **request).json
    svg = server.render("svg", **request).text
    page.set_content(PAGE.format(svg))
    ends = page.evaluate("""() => {
      const svg = document.querySelector('svg.card');
      const all = svg.getAnimations({subtree: true});
      const end = all.find(animation => animation.animationName === 'card-end');
      const last = Math.max(...all.map(animation => animation.effect.getComputedTiming().endTime));
      svg.classList.add('paused');
      const states = all.map(animation => animation.playState);
      svg.classList.remove('paused');
      return {end: end.effect.getComputedTiming(), last, states};
    }""")
    assert set(ends["states"]) <= {"paused", "finished"} and "paused" in ends["states"]
    assert ends["end"]["duration"] == pytest.approx(scene["duration"] * 1000)
    if loop != "infinite":
        assert ends["last"] == pytest.approx(scene["duration"] * 1000 * loop, abs=1)
        heard = page.evaluate("""() => new Promise(resolve => {
          document.querySelector('svg').addEventListener('animationend', event => {
            if (event.animationName === 'card-end') resolve(event.elapsedTime);
          });
        })""")
        assert heard == pytest.approx(scene["duration"] * loop)


def test_print_shows_the_finished_text(server, page):
    request = dict(text="Paper", effect="blur", delay=30, background="#fff4d6")
    scene = server.render("json", **request).json
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
    page.set_content(PAGE.format(server.render("svg", **request).text))
    page.emulate_media(media="print")
    printed = pixels(screenshot(page))
    page.emulate_media(media="screen")
    painted = pixels(server.render("png", **request).body)
    assert not list(differences(painted, printed, BACKGROUND))


def test_a_language_chooses_the_font_of_han_characters(server):
    plain, japanese, chinese = (
        server.render("json", text="直骨", font="Noto Sans CJK JP, Noto Sans CJK SC", **language).json["glyphs"]
        for language in ({}, dict(lang="ja"), dict(lang="zh-Hans")))
    svgs = [server.render("svg", text="直骨", font="sans-serif", **language).text
            for language in (dict(lang="ja"), dict(lang="zh-Hans"))]
    assert 'lang="ja"' in svgs[0] and 'lang="zh-Hans"' in svgs[1]
    paths = [[line for line in svg.split('"') if line.startswith("m")] for svg in svgs]
    assert paths[0] != paths[1]
    assert len(plain) == len(japanese) == len(chinese)


def test_what_is_no_name_or_language_is_refused(server):
    for name, value in [("ids", "1a"), ("ids", "a b"), ("ids", ""), ("ids", "a" * 33), ("ids", "é"), ("lang", "x"),
                        ("lang", "en_US"), ("lang", "de-"), ("lang", "a" * 36), ("svg", "small"),
                        ("description", "a\u0001b"), ("description", "")]:
        answer = server.get("/render.svg?" + query({"text": "x", name: value}))
        assert answer.status == 400 and answer.faults == [name], (name, value, answer.text)
    assert server.render("json", text="x", lang="zh-Hant-HK").status == 200
