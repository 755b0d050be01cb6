"""Random requests over a server's catalogue: any effect, every parameter, one to five blocks, any playback."""

import itertools
import random

import draws
from catalogue import catalogue_of, catalogue_under_test, some, sorted_pairs, with_its_pair

# The effects that a request can name without a parameter, and that can be an exit.
EFFECTS = tuple(
    name
    for name, parameters in catalogue_under_test().effects.items()
    if not any(each.is_required for each in parameters.values())
)
# What effects of numbers show in the place of a text that has none.
NUMBERS = {effect: dict(text="−18.5 of\n2,047 €") for effect in ("count", "roll")}
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
    "−1,234.5 of 70 %",
]
# The parameters of playback, and the most that is drawn of those in seconds: most cycles shall keep to the limit.
PLAYBACK = dict(gap=2, delay=2, hold=4, seed=None, sequence=None, exit=None, loop=None, speed=None)

# The parameters of paint: those of texts, and those of the card, which stand at the top only.
TEXT_PAINT = [
    *("color", "darkColor", "gradientBox", "outlineWidth", "outlineColor", "darkOutlineColor", "shadow", "darkShadow"),
]
MARKS = [
    *("mark", "markLayer", "markColor", "darkMarkColor", "markWidth", "markStrokes", "markPadding", "markDelay", "markDuration"),
]
PATH = ["path", "pathAlign", "pathSide", "pathRotate"]
MOVING_CARD = ["cardEffect", "cardDuration", "cardEasing", "cardDirection"]
BAR = ["bar", "barColor", "darkBarColor", "barWidth", "barGap"]
CARD = ["background", "darkBackground", "cornerRadius", "borderWidth", "borderColor", "darkBorderColor"]


def parameters_of(catalogue, generator, effect, share):
    """Draws usual values for a share of an effect's parameters."""
    parameters = catalogue.effects[effect]
    given = [name for name, each in parameters.items() if generator.random() < share or each.is_required]
    given = with_its_pair(given, parameters)
    return sorted_pairs({name: each.usual(generator) for name, each in parameters.items() if name in given})


def with_order_of_typing(top, blocks):
    """Returns the blocks; those with mistakes or a prompt are typed glyph by glyph, in order."""

    def is_typed_in_order(block):
        return block["effect"] == "typewriter" and (block.get("typos") or block.get("prompt"))

    return [
        {**block, "by": "glyph", "order": "forward"} if is_typed_in_order({**top, **block}) else block for block in blocks
    ]


def with_cursor(catalogue, generator):
    cursor, blink = (catalogue.parameters[name].usual(generator) for name in ("cursor", "cursorBlink"))
    return some(generator, 0.3, cursor=cursor, cursorBlink=blink)


def with_mark(catalogue, generator):
    """Draws a mark of a text, whose times are short."""
    most = dict(markDelay=1, markDuration=2)
    values = {name: catalogue.parameters[name].usual(generator, most.get(name)) for name in MARKS}
    return some(generator, 0.6, **values) if generator.random() < 0.3 else {}


def random_request(catalogue, seed, common=None):
    """Draws one request; its cycle may exceed the limit, or its `cycle` may be impossible.

    `common` is the effect of the first block, one of all if it is not given.
    """
    generator, marking = random.Random(seed), random.Random(f"mark {seed}")
    effects = list(catalogue.effects)
    common = common or generator.choice(effects)
    used = {common}

    def block(number):
        # The first block has the common effect, so that somebody has every parameter given at the top.
        own = number > 0 and generator.random() < 0.7
        effect = generator.choice(effects) if own else common
        used.add(effect)
        return {
            "text": generator.choice(TEXTS),
            **({"effect": effect} if own else {}),
            **parameters_of(catalogue, generator, effect, 0.6),
            **some(generator, 0.3, size=generator.choice([12, 24.5, 60])),
            **with_cursor(catalogue, generator),
            **with_mark(catalogue, marking),
        }

    blocks = [block(number) for number in range(generator.randint(1, 5))]
    playback = some(
        generator,
        0.6,
        **{name: catalogue.parameters[name].usual(generator, most) for name, most in PLAYBACK.items()},
    )
    if generator.random() < 0.2:
        playback.pop("speed", None)
        playback["cycle"] = round(generator.uniform(0.5, 30), 2)
    elif generator.random() < 0.1:
        playback["maxCycle"] = round(generator.uniform(0.5, 30), 2)
    if playback.get("sequence") == "timed":
        playback, blocks = with_times(playback, blocks, random.Random(f"times {seed}"))
    top = {**playback, "effect": common, **with_cursor(catalogue, generator)}
    if len(blocks) == 1:
        return {**top, **with_order_of_typing(top, blocks)[0]}
    # A value at the top goes to every block whose effect has a parameter of that name.
    shared = parameters_of(catalogue, generator, common, 0.3)
    for name, effect in itertools.product(shared, sorted(used)):
        if name in catalogue.effects[effect]:
            shared[name] = catalogue.effects[effect][name].nearest(shared[name])
    return {**top, **shared, "blocks": with_order_of_typing({**top, **shared}, blocks)}


def with_times(playback, blocks, generator, shortest=()):
    """Returns the playback and the blocks of a timed sequence, which have time enough for most entrances and exits, or one of the
    shortest lengths, in seconds."""
    playback = {name: value for name, value in playback.items() if name not in ("gap", "delay", "speed", "cycle", "maxCycle")}
    starts = [round(generator.uniform(0, 9), generator.randint(0, 4)) for _ in blocks]
    lengths = [generator.choice([*shortest, round(generator.uniform(40, 60), 3)]) for _ in blocks]
    return playback, [
        {**block, "at": start, "until": round(start + length, 4)} for block, start, length in zip(blocks, starts, lengths)
    ]


def keyframed_request(catalogue, seed):
    """Draws a request as `random_request` does, of keyframes of one's own."""
    return random_request(catalogue, seed, "custom")


def carded_request(catalogue, seed):
    """Draws a request as `random_request` does, and a card that moves or a bar besides; one that is drawn has a border."""
    generator = random.Random(f"card {seed}")

    def drawn(names, share):
        most = dict(cardDuration=2)
        values = {name: catalogue.parameters[name].usual(generator, most.get(name)) for name in names}
        return some(generator, share, **values)

    card = {"background": "#e8eef4", **drawn(MOVING_CARD, 0.8), **drawn(BAR, 0.5)}
    if card.get("cardEffect") == "draw":
        card["borderWidth"] = 3
    return {**random_request(catalogue, seed), **card}


def bent_request(catalogue, seed):
    """Draws a request as `random_request` does, whose texts of one line stand along paths, without marks."""
    generator = random.Random(f"path {seed}")
    request = random_request(catalogue, seed)

    def bent(block):
        if "\n" in block.get("text", ""):
            return block
        values = {name: catalogue.parameters[name].usual(generator) for name in PATH}
        return {name: value for name, value in block.items() if name not in MARKS} | some(generator, 0.8, **values)

    if "blocks" not in request:
        return bent(request)
    return {**request, "blocks": [bent(block) for block in request["blocks"]]}


def painted_request(catalogue, seed):
    """Draws a request as `random_request` does, and its paint besides."""
    painted = with_paint(catalogue, random.Random(f"paint {seed}"), random_request(catalogue, seed))
    return painted | with_paint_motion(catalogue, random.Random(f"motion {seed}"))


def with_paint_motion(catalogue, generator):
    """Draws how gradients move, if they do."""
    most = dict(paintDuration=5)
    names = ("paintMotion", "paintDuration", "paintEasing")
    values = {name: catalogue.parameters[name].usual(generator, most.get(name)) for name in names}
    return some(generator, 0.7, **values) if generator.random() < 0.4 else {}


def with_paint(catalogue, generator, request):
    """Returns a request with paint, some of it of single blocks; no effect changes the colours of a gradient."""

    def drawn(names, share, is_flat=False):
        values = some(generator, share, **{name: catalogue.parameters[name].usual(generator) for name in names})
        for name, value in values.items():
            if is_flat and is_gradient(value):
                values[name] = draws.color(generator.random)
        return values

    changing = [changes_color({**request, **block}) for block in request.get("blocks", [request])]
    top = drawn([*TEXT_PAINT, *CARD], 0.4, is_flat=any(changing))
    if any(changing):
        top |= some(generator, 0.5, background=draws.paint(generator.random))
    if "blocks" not in request:
        return {**request, **top}
    blocks = [{**block, **drawn(TEXT_PAINT, 0.2, is_flat)} for block, is_flat in zip(request["blocks"], changing)]
    return {**request, **top, "blocks": blocks}


def typed_request(catalogue, seed):
    """Draws a request as `random_request` does, in a variable font or one of many features, with settings of it."""
    request, generator = random_request(catalogue, seed), random.Random(f"type {seed}")

    def settings(share):
        names = ["fontFeatures", "fontVariations", "weight"]
        return some(generator, share, **{name: catalogue.parameters[name].usual(generator) for name in names})

    top = {"font": generator.choice(["Inter", "Fira Code", "EB Garamond"]), **settings(0.7)}
    if "blocks" not in request:
        return {**request, **top}
    return {**request, **top, "blocks": [{**block, **settings(0.3)} for block in request["blocks"]]}


def is_gradient(value):
    return isinstance(value, str) and "gradient(" in value


def changes_color(text):
    """True if a text's effect changes colours."""
    return "highlightColor" in text or any("color" in frame for frame in text.get("keyframes", []))


def is_out_of_reach(answer):
    """True if a request was refused for a limit, or for a `cycle` or `maxCycle` that no speed gives."""
    return answer.status == 422 or answer.status == 400 and answer.faults in (["cycle"], ["maxCycle"])


def within_limits(server, seed, draw=random_request, largest=None):
    """Returns the first request that `draw` makes of this seed and the server's catalogue, and that is within limits.

    With `largest`, its JSON has at most so many bytes.
    """
    for attempt in itertools.count():
        request = draw(catalogue_of(server), f"{seed}.{attempt}")
        answer = server.post("/render.json", request)
        if not is_out_of_reach(answer) and not (largest and len(answer.body) > largest):
            return request
