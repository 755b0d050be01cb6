"""Requests drawn at random: any effect, every parameter somewhere in its range, one to five blocks, any playback."""

import itertools
import random

UNITS = ["glyph", "word", "line", "all"]
ORDERS = ["forward", "backward", "center", "edges", "random"]
EASINGS = [
    "linear",
    "ease",
    "ease-in",
    "ease-out",
    "ease-in-out",
    "back-out",
    "cubic-bezier(0.2,0.8,0.2,1)",
    "cubic-bezier(0.5,-2,0.9,3)",
]
CHARSETS = ["01", "é", "你好👻🎃", "ABCabc", "aab", "#%&@$.:|"]
TEXTS = [
    "Who you gonna call?",
    "Ghosts, too.",
    "two\nlines",
    "naïve café — ok!",
    "שלום",
    "🙂 👩‍👩‍👧‍👦 🇫🇷",
    "office fflach",
    "  leading and trailing  ",
    "x",
    "e\u0301te\u0301 ÉTÉ",
    "你好，世界。再见！",
]
PLACED = dict(by=UNITS, order=ORDERS)
# A list is chosen from, a pair drawn between; most ranges are shorter than allowed: most cycles shall keep to the limit.
PARAMETERS = {
    "typewriter": dict(
        PLACED,
        interval=(0.001, 0.3),
        jitter=(0, 1),
        punctuationPause=(0, 0.6),
        eraseInterval=(0.001, 0.2),
        eraseOrder=ORDERS,
    ),
    "reveal": dict(PLACED, interval=(0, 0.4)),
    "birdman": dict(duration=(0, 0.8), groupDelay=(0, 0.6), acceleration=(0.1, 1), foldCase=[True, False]),
    "fade": dict(by=UNITS, minDuration=(0, 1), maxDuration=(1, 2), maxDelay=(0, 1), easing=EASINGS),
    "secret": dict(tick=(0.01, 0.3), firstChance=(0, 1), chance=(0, 1), maxTicks=[1, 2, 17, 60]),
    "fall": dict(by=UNITS, maxDelay=(0, 1), minDistance=(0, 50), maxDistance=(50, 1000), angle=(-360, 360)),
    "morph": dict(duration=(0, 1), interval=(0, 0.3), fromScale=(0, 10)),
    "slide": dict(
        PLACED,
        interval=(0, 0.2),
        duration=(0, 1),
        easing=EASINGS,
        direction=["up", "down", "left", "right"],
        distance=(0, 10),
    ),
    "pop": dict(PLACED, interval=(0, 0.2), duration=(0, 1), easing=EASINGS, fromScale=(0, 10)),
    "drop": dict(PLACED, interval=(0, 0.2), duration=(0, 1.5), distance=(0, 10)),
    "wave": dict(PLACED, interval=(0, 0.2), duration=(0, 1.5), amplitude=(0, 10)),
    "scramble": dict(interval=(0, 0.3), lead=(0, 1), tick=(0.01, 0.3), charset=CHARSETS),
    "none": {},
}
EFFECTS = tuple(PARAMETERS)
EXITS = ("between", "auto", "none", *(effect for effect in EFFECTS if effect != "none"))
SEQUENCES = ("queue", "together", "replace")
CURSORS = ("none", "bar", "block", "underscore")


def value_in(generator, domain):
    """A list's member, or a number between two bounds: the lower one itself rather often."""
    if isinstance(domain, list):
        return generator.choice(domain)
    return generator.choice([domain[0], *[round(generator.uniform(*domain), 3)] * 3])


def parameters_of(generator, effect, share):
    """So many of an effect's parameters; of a least and a most never one alone, lest it cross the other's default."""
    given = {name for name in PARAMETERS[effect] if generator.random() < share}
    for ends in ({"minDuration", "maxDuration"}, {"minDistance", "maxDistance"}):
        if given & ends:
            given |= ends
    return {name: value_in(generator, domain) for name, domain in PARAMETERS[effect].items() if name in given}


def some(generator, share, **values):
    return {name: value for name, value in values.items() if generator.random() < share}


def with_cursor(generator):
    return some(generator, 0.3, cursor=generator.choice(CURSORS), cursorBlink=generator.choice([0, 0.34, 0.7, 1, 3]))


def random_request(seed):
    """One request; its cycle may be longer than the limit, or a `cycle` out of reach."""
    generator = random.Random(seed)
    common = generator.choice(EFFECTS)

    def block(number):
        # The first block has the common effect, so that somebody has every parameter given at the top.
        own = number > 0 and generator.random() < 0.7
        effect = generator.choice(EFFECTS) if own else common
        return {
            "text": generator.choice(TEXTS),
            **({"effect": effect} if own else {}),
            **parameters_of(generator, effect, 0.6),
            **some(generator, 0.3, size=generator.choice([12, 24.5, 60])),
            **with_cursor(generator),
        }

    blocks = [block(number) for number in range(generator.randint(1, 5))]
    playback = some(
        generator,
        0.6,
        gap=round(generator.uniform(0, 2), 2),
        delay=round(generator.uniform(0, 2), 3),
        hold=generator.choice([0, 0.5, 4]),
        seed=generator.choice([0, 1, 77, 2**53 - 1]),
        sequence=generator.choice(SEQUENCES),
        exit=generator.choice(EXITS),
        loop=generator.choice([1, 2, 1000, "infinite"]),
        speed=generator.choice([0.5, 1, 1.7, 3, 10]),
    )
    if generator.random() < 0.2:
        playback.pop("speed", None)
        playback["cycle"] = round(generator.uniform(0.5, 30), 2)
    top = {**playback, "effect": common, **with_cursor(generator)}
    if len(blocks) == 1:
        return {**top, **blocks[0]}
    shared = parameters_of(generator, common, 0.3)
    if "interval" in shared:  # a typewriter's among the blocks may not be 0
        shared["interval"] = max(shared["interval"], 0.001)
    return {**top, **shared, "blocks": blocks}


def is_out_of_reach(answer):
    """Whether a request was refused for a limit, or for a `cycle` that no speed gives."""
    return answer.status == 422 or answer.status == 400 and answer.faults == ["cycle"]


def within_limits(server, seed, draw=random_request):
    """What `draw` first makes of this seed that the server does not find too long."""
    for attempt in itertools.count():
        request = draw(f"{seed}.{attempt}")
        if not is_out_of_reach(server.post("/render.json", request)):
            return request
