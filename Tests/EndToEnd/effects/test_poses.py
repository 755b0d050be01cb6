"""Blur, strokes, masks and paints in pictures: against arithmetic, against a browser, and frames against stills.

What stands still in a scene is a pose: two keyframes that say the same, looked at between them.
"""

import io
import json
import random

import numpy
import pytest
from PIL import Image

from exact import wrong_frames
from frames import answer, by_giflib, by_pillow, instant_of, sampled, scene_of, still
from picture import screenshot
from poses import standing

SEEDS = range(24)
# What a browser may differ by: in the mean over the pixels that either inks, and in any block of 8 by 8.
MEAN, BLOCK = 12, 28
# A browser's dashes and joins are not cairo's to the pixel.
INKED = 8


def premultiplied(png):
    picture = numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA")).astype(float)
    picture[..., :3] *= picture[..., 3:] / 255
    return picture


def picture(server, request, time):
    return premultiplied(answer(server, "png", **dict(request, time=time)).body)


def blurred(lines, sigma, axis):
    """Lines convolved with a Gaussian."""
    if sigma < 0.05:
        return lines
    reach = int(5 * sigma) + 1
    weights = numpy.exp(-(numpy.arange(-reach, reach + 1) ** 2) / (2 * sigma**2))
    weights /= weights.sum()
    return numpy.apply_along_axis(
        lambda line: numpy.convolve(numpy.pad(line, reach), weights, "valid"), axis, lines
    )


@pytest.mark.slow
@pytest.mark.parametrize("text", ["B", ".", "👻"])
@pytest.mark.parametrize("stretch", [(1, 1), (2, 0.5), (0.2, 1.5)], ids=str)
@pytest.mark.parametrize("scale", [1, 2.5])
def test_a_blur_is_a_gaussian(server, text, stretch, scale):
    style = dict(text=text, size=50, scale=scale, padding=150, color="black", room="none")
    pose = dict(scaleX=stretch[0], scaleY=stretch[1])
    sharp = picture(server, style | standing(blur=0, **pose), 1)
    for sigma in (0.3, 1, 1.9, 2.1, 4, 7.9, 8.1, 16, 30):
        shown = picture(server, style | standing(blur=sigma / 50, **pose), 1)
        wanted = blurred(blurred(sharp, sigma * scale * stretch[0], 1), sigma * scale * stretch[1], 0)
        assert numpy.abs(shown - wanted).max() <= 6, sigma


@pytest.mark.parametrize("axis", ["scaleX", "scaleY"])
@pytest.mark.parametrize("rotation", [0, 30])
def test_an_emoji_may_be_shrunk_to_nothing(server, axis, rotation):
    for size in (16, 64, 200):
        # In 1024ths of a pixel; at 3 or 4 the numbers of pixman's matrices end.
        for thickness in (0.5, 1, 2, 3, 4, 5):
            pose = standing(rotation=rotation, **{axis: thickness / 1024 / size})
            shown = picture(server, dict(text="👻", size=size) | pose, 1)
            assert shown[..., 3].max() <= 2, (size, thickness)


@pytest.mark.parametrize("time", [0.2, 0.31, 0.5, 0.59, 0.8, 1])
@pytest.mark.parametrize("text, width", [("gÖ8&", 0.03), ("iW¶", 0.2)])
def test_strokes_are_those_of_a_browser(server, chromium, text, width, time):
    style = dict(text=text, font="DejaVu Sans", size=80, background="white", color="black")
    request = style | dict(effect="draw", strokeWidth=width, interval=0, easing="linear")
    shown = picture(server, request, time)[..., :3]
    scene = scene_of(server, request)
    drawn, share = min(time / 0.6, 1), max(time / 0.6 - 1, 0)
    page = chromium.new_page(viewport=dict(width=scene["width"], height=scene["height"]))
    try:
        # The finished text, its shapes given a dash by the page.
        svg = answer(server, "svg", **style, effect="none", animate=False).body.decode()
        page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
        page.evaluate(STROKE, [drawn, share, width * 80])
        wanted = numpy.asarray(Image.open(io.BytesIO(screenshot(page))).convert("RGB")).astype(float)
    finally:
        page.close()
    either = (shown < 255 - INKED).any(axis=2) | (wanted < 255 - INKED).any(axis=2)
    assert numpy.abs(shown - wanted)[either].mean() <= MEAN
    assert numpy.abs(means(shown) - means(wanted)).max() <= BLOCK


STROKE = """([drawn, share, width]) => {
    const longest = path => {
        const contours = path.getAttribute('d').match(/[Mm][^Mm]*/g) || [];
        let length = 0, at = '';
        for (let index = 0; index < contours.length; index++) {
            const whole = path.cloneNode();
            const lengthOf = count => {
                whole.setAttribute('d', contours.slice(0, count).join(''));
                return whole.getTotalLength();
            };
            length = Math.max(length, lengthOf(index + 1) - lengthOf(index));
        }
        return length;
    };
    for (const use of document.querySelectorAll('use')) {
        const path = document.querySelector(use.getAttribute('href'));
        const length = longest(path), matrix = use.getCTM();
        use.style.stroke = 'black';
        use.style.strokeWidth = width / Math.hypot(matrix.a, matrix.b);
        use.style.strokeLinejoin = 'round';
        if (drawn < 1) use.style.strokeDasharray = `${drawn * length} ${2 * length}`;
        use.style.fillOpacity = share;
        use.style.strokeOpacity = 1 - share;
    }
}"""


def means(picture, side=8):
    height, width = (length // side * side for length in picture.shape[:2])
    return picture[:height, :width].reshape(height // side, side, width // side, side, 3).mean(axis=(1, 3))


def test_a_masks_edge_covers_pixels_in_part(server):
    """A block of ink that is moved shows what of it its mask still holds."""
    style = dict(text="█", size=41.3, background="white", color="black", padding=30)
    request = style | dict(mask="item") | standing(x=0.25)
    box = scene_of(server, request)["glyphs"][0]["clip"][0]
    right = box["x"] + box["width"]
    shown = picture(server, request, 1)[..., 0]
    row = 255 - shown[int(box["y"] + box["height"] / 2)]
    # Behind the edge nothing is left, within it everything, at it a share of the pixel.
    edge = int(right)
    assert row[edge + 1 :].max() == 0
    assert row[edge - 1] == 255
    assert abs(row[edge] - 255 * (right - edge)) <= 2


def random_pose(generator):
    """One keyframe that draws from every property."""
    properties = dict(
        opacity=generator.choice([0, 0.5, 1]),
        x=round(generator.uniform(-1, 1), 3),
        y=round(generator.uniform(-1, 1), 3),
        scale=round(generator.uniform(0, 3), 3),
        scaleX=generator.choice([0, 0.01, round(generator.uniform(0, 3), 3)]),
        scaleY=generator.choice([0, 0.01, round(generator.uniform(0, 3), 3)]),
        rotation=generator.choice([90, 180, round(generator.uniform(-400, 400), 1)]),
        blur=generator.choice([0, 0.02, 0.2, 1]),
        color=generator.choice(["red", "#00f8", "transparent"]),
    )
    return {name: value for name, value in properties.items() if generator.random() < 0.4} or dict(blur=0.1)


def random_scene(seed, colored):
    generator = random.Random(f"pose {seed}")
    pose = random_pose(generator)
    if not colored:
        pose.pop("color", None)
    pose = pose or dict(blur=0.3)
    request = dict(
        text=generator.choice(["Poses, gyö", "two\nlines here"] + (["a 👻 b"] if colored else [])),
        effect="custom",
        keyframes=[pose],
        by=generator.choice(["glyph", "word", "all"]),
        mask=generator.choice(["none", "line", "item"]),
        easing=generator.choice(["linear", "back-out", "spring", "steps(4)", "bounce"]),
        exit=generator.choice(["none", "auto"]),
        size=generator.choice([24, 37.3]),
        background=generator.choice(["white", "#123"]),
        scale=generator.choice([1, 1.5]),
        padding=generator.choice([0, 20]),
    )
    if generator.random() < 0.3:
        request |= dict(effect=generator.choice(["blur", "zoom", "flip", "rise", "draw", "tracking"]))
        request.pop("keyframes")
        if request["effect"] in ("blur", "zoom", "flip", "draw", "tracking"):
            request.pop("mask")
    if colored and generator.random() < 0.2:
        request |= dict(effect="highlight")
        for name in ("keyframes", "mask", "easing"):
            request.pop(name, None)
    return request


@pytest.mark.parametrize("seed", SEEDS)
def test_every_frame_of_random_poses_is_the_png_of_its_start(server, seed):
    request = random_scene(seed, colored=True)
    for format in ("apng", "webp"):
        shown = by_pillow(answer(server, format, **request).body)
        assert [*wrong_frames(server, request, shown)] == [], (format, json.dumps(request))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fine_gif_of_random_poses_is_within_one_of_the_png(server, seed):
    request = random_scene(seed, colored=False)
    shown, scene = by_giflib(answer(server, "gif", **request, levels=255).body), scene_of(server, request)
    for start in sampled(shown.starts):
        wanted = still(server, request, instant_of(request, start, scene, shown.end)).astype(int)
        assert numpy.abs(shown.at(start)[..., :3] - wanted[..., :3]).max() <= 1, f"{start}: {json.dumps(request)}"


@pytest.mark.parametrize("format", ["png", "apng", "gif", "webp"])
def test_more_work_than_the_limit_is_refused(start, format):
    """The text says what the limit is; of a format that composes no pixels only the scene counts, which is little."""
    service = start("--max-work", "10")
    request = dict(text="much to compose", size=60, scale=4, effect="blur", time=0.5)
    refused = service.post(f"/render.{format}", request)
    assert refused.status == 422
    assert "megapixels; the limit is 10" in refused.json["errors"][0]["message"]
    assert service.post("/render.svg", request).status == 200
    assert service.post(f"/render.{format}", dict(text="a", size=20, effect="none")).status == 200
