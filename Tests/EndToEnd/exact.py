"""What a film with all colours is: each frame is the PNG of its start, and starts when the scene changes.

Times are in milliseconds; a file counts them in ticks of `tick` milliseconds.
"""

import math

import check
from frames import instant_of, sampled, scene_of, still

R, track_of = check.R, check.track_of


def differing(shown, wanted):
    """How many pixels differ in any way."""
    assert shown.shape == wanted.shape
    return int((shown != wanted).any(axis=2).sum())


def wrong_frames(server, request, shown):
    """Yields which of a sample of the frames are not the PNG of their start."""
    scene = scene_of(server, request)
    for start in sampled(shown.starts):
        time = instant_of(request, start, scene, shown.end)
        if count := differing(shown.at(start), still(server, request, time)):
            yield f"{start}: {count} pixels are not those of the PNG of {time} s"
    if request.get("loop") != "infinite" and differing(shown.frames[-1], still(server, request, scene["duration"])):
        yield "the end"


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


def step_of(request, tick):
    """The least time between frames while something moves."""
    return max(20, tick * math.floor(1000 / tick / request.get("fps", 25) + 0.5))


def stale_frames(server, request, starts, tick):
    """Yields the ticks at which the scene is not what is shown, though the next frame might have started.

    Nothing stale is shown for longer than a frame's distance, from beginning to end: nothing drifts.
    """
    scene, step, starts = scene_of(server, request), step_of(request, tick), [*starts]
    end = tick * round(1000 * scene["duration"] / tick)
    stops = request.get("loop") != "infinite" and len(starts) > 1
    if stops:
        assert starts.pop() == end - 20
    assert starts[0] == 0 and all(later - sooner >= step for sooner, later in zip(starts, starts[1:]))
    look = looks(scene)
    for start, following in zip(starts, [*starts[1:], end - tick - (20 if stops else 0)]):
        shown = look(start / 1000)
        for time in range(start + step, following, tick):
            if look(time / 1000) != shown:
                yield f"at {time} the scene is not what the frame of {start} shows"


def needless_frames(server, request, starts, tick):
    """Returns the starts of frames while the text stands."""
    scene = scene_of(server, request)
    since, until = scene["blocks"][-1]["enterEnd"], scene["blocks"][-1]["exitStart"] or scene["duration"]
    # One frame may come late for the end of the movement, and the last 20 ms have their own.
    late = tick * math.ceil(1000 * since / tick) + step_of(request, tick)
    last = tick * round(1000 * scene["duration"] / tick) - 20
    return [start for start in starts if late < start < min(1000 * until, last)]
