"""What a film with all colours is: each frame is the PNG of its start, and starts when the scene changes.

Times are in milliseconds; a file counts them in ticks of `tick` milliseconds.
"""

import math

from frames import instant_of, sampled, scene_of, still


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


def step_of(request, tick):
    """The least time between frames while something moves."""
    return max(20, tick * math.floor(1000 / tick / request.get("fps", 25) + 0.5))


def needless_frames(server, request, starts, tick):
    """Returns the starts of frames while the text stands."""
    scene = scene_of(server, request)
    since, until = scene["blocks"][-1]["enterEnd"], scene["blocks"][-1]["exitStart"] or scene["duration"]
    # One frame may come late for the end of the movement, and the last 20 ms have their own.
    late = tick * math.ceil(1000 * since / tick) + step_of(request, tick)
    last = tick * round(1000 * scene["duration"] / tick) - 20
    return [start for start in starts if late < start < min(1000 * until, last)]
