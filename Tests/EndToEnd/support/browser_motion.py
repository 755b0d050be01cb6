"""How a browser plays an SVG: instants at which things move, and how far it shows them from the PNG."""

from picture import ink, mean_difference, pixels, screenshot, worst_block

BACKGROUND = (255, 244, 214)
COMMON = dict(
    text="Boo 👻 <u>fly</u>\n<span foreground='#c02020'>red</span> i.",
    markup=True,
    padding=50,
    size=48,
    background="#%02x%02x%02x" % BACKGROUND,
)
SIZE = 64  # Chromium's antialiasing misses the true ink of an edge by up to a tenth of a pixel; large glyphs have few edges
CLEAR = 0.003  # seconds from any keyframe
SEEK = "time => seek(time)"
# A glyph is drawn by one <use>, underlines and strikethroughs by paths beside it.
DRAWN = """() => [...document.querySelectorAll('svg > g use, svg > g path')].map(element => {
    const {left, top, right, bottom} = element.getBoundingClientRect();
    let opacity = 1;
    for (let e = element; e; e = e.parentElement) opacity *= getComputedStyle(e).opacity;
    return {opacity, box: [left, top, right, bottom], isGlyph: element.localName === 'use'};
})"""
FRAMES = [{"opacity": 0, "y": 1, "scale": 0.5}, {"offset": 0.6, "y": -0.2, "scale": 1.2, "opacity": 1}]
BENT = [
    {"x": 1, "y": 0.5, "rotation": 90},
    {"offset": 0.4, "y": -0.5, "scaleX": 0.3, "scaleY": 2, "scale": 0.8},
    {"offset": 0.7, "scaleX": 1.5, "rotation": 20, "blur": 0.2},
]
LEANING = [
    {"skewX": -40, "skewY": 25, "opacity": 0},
    {"offset": 0.5, "skewX": 30, "scaleX": 1.4, "rotation": 15, "opacity": 1},
    {"offset": 0.8, "skewY": -20, "blur": 0.05},
]
WAYS = {
    "in and out": dict(exit="auto", hold=0.4),
    "looping": dict(exit="auto", hold=0.4, delay=0.2, loop="infinite"),
    "falling in a loop": dict(exit="fall", hold=0.4, loop=3),
}
TENTHS = (0.12, 0.21, 0.3, 0.39, 0.48, 0.57, 0.66, 0.75, 0.84, 0.93)  # of a phase
FEWEST = 1200  # inked pixels; fewer are edges, which every renderer smooths in its own way


def keyframe_instants(scene):
    return {
        instant
        for glyph in scene["glyphs"]
        for value in glyph.values()
        if isinstance(value, list)
        for keyframe in value
        for instant in (keyframe.get("time"), keyframe.get("start"), keyframe.get("end"))
        if instant is not None
    }


def moving_instants(scene, looping, shares=TENTHS):
    """Some instants of each phase off every keyframe, and when they are played: in a loop's second cycle."""
    block = scene["blocks"][-1]
    keyframes = keyframe_instants(scene)
    spans = [(block["enterStart"], block["enterEnd"])]
    if block["exitStart"] is not None:
        standing = (block["enterEnd"], block["exitStart"])
        spans.append((block["exitStart"], block["exitEnd"]))
        if any(standing[0] < instant < standing[1] for instant in keyframes):
            spans.append(standing)
    for start, end in spans:
        for share in shares:
            time = start + share * (end - start)
            while any(abs(time - keyframe) < CLEAR for keyframe in keyframes):
                time += CLEAR / 2
            if time < scene["duration"]:
                yield round(time, 4), round(time + looping * scene["duration"], 4)


def differences(painted, shown, ground, mean=12, block=28):
    """What is past the limits for what a browser shows of a picture."""
    inked = (ink(painted, ground) > 0).sum()
    if inked >= FEWEST and (difference := mean_difference(painted, shown, ground)) >= mean:
        yield f"{difference:.1f} in the mean"
    if (difference := worst_block(painted, shown)) > block:
        yield f"{difference:.1f} in a block"


def faults_of_motion(server, page, request, painted_as=None, **limits):
    """The instants at which Chromium and the PNG differ by more than the limits of `differences`."""
    scene = server.render("json", **request).json
    page.set_viewport_size(dict(width=scene["width"], height=scene["height"]))
    # By its permalink, for a query has no blocks.
    page.goto(server.url + server.render("svg", **request).headers["Content-Location"])
    for time, played in moving_instants(scene, "loop" in request):
        page.evaluate(SEEK, played)
        shown = pixels(screenshot(page))
        painted = pixels(server.render("png", **{**request, **(painted_as or {})}, time=time).body)
        assert painted.shape == shown.shape
        for difference in differences(painted, shown, BACKGROUND, **limits):
            yield f"{time}: PNG and Chromium differ by {difference}"
