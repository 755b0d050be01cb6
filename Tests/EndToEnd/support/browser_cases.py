"""Motions for all browsers, and what each shows of them."""

from browser_motion import BENT, COMMON, FRAMES, LEANING, differences, moving_instants
from browsers import ANIMATIONS
from picture import pixels
from random_requests import EFFECTS, NUMBERS

PAGE = f"<!DOCTYPE html><body style='margin:0'>%s<script>{ANIMATIONS} pause();</script>"
SEEK = "seek(%s); await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));"
PLAIN = {**COMMON, "text": "Who you gonna\ncall?", "markup": False}
# Chromium smooths letters in masks in its own way; of large ones less is edge.
OWN = {"custom": dict(keyframes=FRAMES), "highlight": dict(color="#2040ff"), "flap": dict(size=100), **NUMBERS}
# They change sixty times a second; pictures are taken in between.
HEAVY = [{"axes": {"wght": 900}}]
GROWING = [{"opacity": 0, "y": 0.3, "axes": {"wght": 100}}, {"offset": 0.3, "opacity": 1}, {}]
PAINTED = dict(COMMON, outlineWidth=2, outlineColor="#fff", shadow="3px 4px 6px #0008, -3px -2px #0080ff60")
CASES = {
    **{name: {**COMMON, "effect": name, **OWN.get(name, {})} for name in sorted({*EFFECTS, "custom"})},
    "shadow": {**PLAIN, "effect": "slide", "shadow": "4px 6px 8px #0008"},
    "wide shadow": {**PLAIN, "effect": "rise", "shadow": "0 0 40px #08f, -3px 3px 2px #0a0"},
    "pale shadow of parts": {**PAINTED, "effect": "fade"},
    "shadow of what turns": {**PAINTED, "effect": "flip"},
    "shadow of what blurs": {**PAINTED, "effect": "blur"},
    "shadow in a loop": {**PAINTED, "effect": "pop", "loop": "infinite", "exit": "auto", "hold": 0.4},
    "small blur": {**COMMON, "effect": "blur", "radius": 0.05},
    "wide blur by word": {**COMMON, "effect": "blur", "radius": 0.8, "by": "word"},
    "blur of a small text": {**COMMON, "effect": "blur", "size": 20},
    "blur in and out": {**COMMON, "effect": "blur", "exit": "auto", "hold": 0.4},
    "blur in a loop": {**COMMON, "effect": "blur", "exit": "auto", "hold": 0.4, "loop": "infinite"},
    "zoom in a loop": {**COMMON, "effect": "zoom", "exit": "auto", "hold": 0.4, "loop": "infinite"},
    "blur that springs": {**COMMON, "effect": "blur", "easing": "spring(0.4)", "duration": 1},
    "custom blur": {**COMMON, "effect": "custom", "keyframes": BENT, "duration": 1},
    "custom blur that leans": {**COMMON, "effect": "custom", "keyframes": LEANING, "duration": 1, "loop": 2},
    "neon": dict(text="Open late", preset="neon"),
    "gradient": dict(text="In focus", preset="gradient"),
    "a rewriting": dict(blocks=[dict(text="let a = b()"), dict(text="let a: A = b()\nreturn a")], codeLanguage="swift",
                        effect="rewrite", sequence="replace", size=48, background="#ffffff", loop="infinite"),
    "marks": {**PLAIN, "mark": "circle", "markColor": "#cf222e80", "effect": "fade", "exit": "auto", "hold": 0.4},
    "a highlight in a loop": {**PLAIN, "mark": "highlight", "effect": "none", "exit": "fade", "loop": "infinite"},
    "card": dict(text="A card", preset="card", shadow="2px 2px 6px #0006"),
    "axes": {**PLAIN, "font": "Inter", "effect": "custom", "keyframes": GROWING, "interval": 0.1},
    "axes in a loop": {**PLAIN, "font": "Inter", "effect": "custom", "keyframes": HEAVY, "by": "all", "loop": "infinite"},
}
SHARES = (0.12, 0.31, 0.5, 0.69, 0.88)  # of a phase
CYCLE_SHARES = (0.03, 0.11, 0.24, 0.33, 0.46, 0.52, 0.61, 0.77, 0.88, 0.97)


def whole(length):
    return int(-(-length // 1))


def ground_of(picture):
    """The colour of a corner, which no text reaches."""
    return picture[0, 0]


def shown_like(painted, browser):
    """The part of a browser's viewport that a picture fills."""
    shown = pixels(browser.screenshot())[: painted.shape[0], : painted.shape[1]]
    assert painted.shape == shown.shape
    return shown


def pictures(server, browser, request):
    """Generates instants of an animation with the PNG and with what a browser shows of the SVG in a page."""
    scene = server.render("json", **request).json
    yield from pictures_at(moving_instants(scene, "loop" in request, SHARES), server, browser, request, scene)


def pictures_of_cycle(server, browser, request):
    """The same for instants all over a cycle."""
    scene = server.render("json", **request).json
    times = [round(share * scene["duration"], 4) for share in CYCLE_SHARES]
    before = scene["duration"] * (scene["loop"] == "infinite")
    yield from pictures_at([(time, time + before) for time in times], server, browser, request, scene)


def pictures_at(instants, server, browser, request, scene):
    """Generates the pictures at instants, each of the cycle and of the time that a page plays."""
    page = PAGE % server.render("svg", **request).text.replace("<svg ", '<svg style="display:block" ', 1)
    browser.open(page, whole(scene["width"]), whole(scene["height"]))
    for time, played in instants:
        browser.evaluate(SEEK % played)
        painted = pixels(server.render("png", **request, time=time).body)
        yield time, painted, shown_like(painted, browser)


def faults_of_cycle(server, browser, request, **limits):
    """The instants of a cycle at which a browser and the PNG differ by more than the limits of `differences`."""
    for time, painted, seen in pictures_of_cycle(server, browser, request):
        for difference in differences(painted, seen, ground_of(painted), **limits):
            yield f"{time}: PNG and {browser.name} differ by {difference}"
