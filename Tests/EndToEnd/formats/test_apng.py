"""An APNG shows in every decoder, at every moment, exactly the pixels of the PNG of that moment."""

import io
import math

import numpy
import pytest
from PIL import Image

import check
from exact import differing, needless_frames, step_of, wrong_frames
from frames import (
    APNG,
    CLEAR,
    LETTERS,
    SCENES,
    SOLID,
    STILLS,
    STYLE,
    TINTED,
    FFmpeg,
    answer,
    by_chromium,
    by_ffmpeg,
    by_pillow,
    cleared,
    scene_of,
    still,
)

R, track_of = check.R, check.track_of

TICK = 10  # hundredths of a second


def apng(server, request):
    return answer(server, "apng", **request).body


@pytest.fixture(scope="module")
def ffmpeg(server, tmp_path_factory):
    """Every scene as ffmpeg decodes it."""
    return FFmpeg(tmp_path_factory.mktemp("apng"), {name: apng(server, SCENES[name]) for name in SCENES})


@pytest.mark.parametrize("name", SCENES)
def test_every_frame_is_the_png_of_its_start(server, name):
    assert [*wrong_frames(server, SCENES[name], by_pillow(apng(server, SCENES[name])))] == []


@pytest.mark.parametrize("name", SCENES)
def test_all_decoders_show_the_same_at_the_same_times(server, decoding_page, ffmpeg, name):
    request = SCENES[name]
    one = by_pillow(apng(server, request))
    other, plays = by_chromium(decoding_page, apng(server, request), "image/png")
    for decoded in (other, ffmpeg[name]):
        assert decoded.starts == one.starts
        assert decoded.end == one.end or len(one.starts) == 1, "only of one frame may a decoder forget the time"
        assert numpy.array_equal(decoded.frames, one.frames)
    if len(one.starts) > 1:
        assert plays == (math.inf if request.get("loop") == "infinite" else request.get("loop", 1))


@pytest.mark.parametrize("name", SCENES)
def test_the_files_own_blocks(server, name):
    request = SCENES[name]
    response, scene = answer(server, "apng", **request), scene_of(server, SCENES[name])
    file = APNG(response.body)
    delays = [frame.delay for frame in file.frames]
    assert abs(sum(delays) - 1000 * scene["duration"]) <= 10
    assert float(response.headers["Titlecard-Duration"]) == scene["duration"]
    assert response.headers["Content-Type"] == "image/png"
    assert min(delays) >= 20
    assert not file.isPosterApart
    assert file.plays == (0 if request.get("loop") == "infinite" else request.get("loop", 1))
    assert {frame.disposal for frame in file.frames} == {0}
    if request["background"] in (CLEAR, TINTED):
        assert not any(frame.isOver for frame in file.frames), "blending over what is not opaque is not exact"


def pose(tracks, time):
    """How a glyph looks at an instant, 0 where it does not show; rounded, for easings are solved in steps."""
    values = {name: round(R.value_at(track, time), 9) for name, track in tracks.items()}
    values["opacity"] = min(1, max(0, values["opacity"]))
    return values["opacity"] and values


def looks(scene):
    """How all glyphs with ink look, as a function of an instant."""
    names = ("opacity", "offsetX", "offsetY", "scale", "rotation")
    tracks = [
        {name: track_of(glyph, name) for name in names if name in glyph}
        for glyph in scene["glyphs"]
        if not glyph["whitespace"] and glyph["rect"]["width"] > 0
    ]
    return lambda time: [pose(each, time) for each in tracks]


def stale_frames(server, request, starts):
    """Yields the times at which the scene is not what is shown, though the next frame might have started.

    Nothing stale is shown for longer than a frame's distance, from beginning to end: nothing drifts.
    """
    scene, step, starts = scene_of(server, request), step_of(request, TICK), [*starts]
    end = TICK * round(1000 * scene["duration"] / TICK)
    stops = request.get("loop") != "infinite" and len(starts) > 1
    if stops:
        assert starts.pop() == end - 20
    assert starts[0] == 0 and all(later - sooner >= step for sooner, later in zip(starts, starts[1:]))
    look = looks(scene)
    for start, following in zip(starts, [*starts[1:], end - TICK - (20 if stops else 0)]):
        shown = look(start / 1000)
        for time in range(start + step, following, TICK):
            if look(time / 1000) != shown:
                yield f"at {time} the scene is not what the frame of {start} shows"


@pytest.mark.parametrize("name", SCENES)
def test_frames_start_when_the_scene_changes_and_keep_their_distance(server, name):
    starts = by_pillow(apng(server, SCENES[name])).starts
    assert [*stale_frames(server, SCENES[name], starts)] == []


@pytest.mark.parametrize("name", [name for name in SCENES if "cursor" not in name])
def test_what_stands_is_one_frame(server, name):
    assert needless_frames(server, SCENES[name], by_pillow(apng(server, SCENES[name])).starts, TICK) == []


@pytest.mark.parametrize("ground", [SOLID, CLEAR, TINTED])
@pytest.mark.parametrize("loop", [1, 3, "infinite"])
def test_the_finished_text_can_be_the_poster_and_is_no_frame(server, decoding_page, tmp_path, ground, loop):
    request = dict(LETTERS, effect="slide", exit="auto", cursor="bar", loop=loop, background=ground)
    plain, posed = apng(server, request), apng(server, dict(request, poster="end"))
    assert APNG(posed).isPosterApart and APNG(posed).plays == APNG(plain).plays
    finished, moving = still(server, request, "end"), by_pillow(plain)
    assert differing(cleared(numpy.asarray(Image.open(io.BytesIO(posed)).convert("RGBA"))), finished) == 0
    assert differing(by_ffmpeg(tmp_path, posed, "-f", "png_pipe").frames[0], finished) == 0
    for decoded in (by_ffmpeg(tmp_path, posed), by_pillow(posed), by_chromium(decoding_page, posed, "image/png")[0]):
        assert decoded.starts == moving.starts
        assert numpy.array_equal(decoded.frames, moving.frames)


@pytest.mark.parametrize("effect", ["wave", "slide"])
def test_a_viewer_that_never_plays_shows_the_start(server, tmp_path, effect):
    request = dict(LETTERS, effect=effect, background=SOLID)
    shown = by_ffmpeg(tmp_path, apng(server, request), "-f", "png_pipe").frames[0]
    assert differing(shown, still(server, request, 0)) == 0


@pytest.mark.parametrize("name", STILLS)
def test_what_does_not_move_is_one_frame_of_the_finished_text(server, tmp_path, name):
    request = STYLE | dict(text="still", background=SOLID) | STILLS[name]
    file = apng(server, request)
    for decoded in (by_pillow(file), by_ffmpeg(tmp_path, file)):
        assert len(decoded.frames) == 1
        assert differing(decoded.frames[0], still(server, request, "end")) == 0
    assert APNG(file).frames[0].delay == TICK * round(100 * scene_of(server, request)["duration"])
