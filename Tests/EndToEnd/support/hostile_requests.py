"""Random requests of clients that mean harm: what they send, and how they take the answer.

Each follows from a seed, so that one that does harm can be sent again.
"""

import base64
import json
import pathlib
import random
import zlib
from dataclasses import dataclass

from catalogue import some, sorted_pairs, with_its_pair
from service import REVISION, query

FORM = "application/x-www-form-urlencoded"
CAST = "application/x-asciicast"
CORPUS = pathlib.Path(__file__).parents[3] / "Fuzzing/Corpus/captions"
MOST_BODY = 65536
MOST_CAPTIONS = 262144
MOST_TARGET = 8192
MOST_GRAPHEMES = 2000

# Of each group a text takes whole runs: what joins, turns, stacks and counts as nothing meets itself.
GROUPS = [
    "\u0301\u0308\u0323\u0335\u034f\u0345\u0368\u036f\u20dd\u20e3\u1ab0\ufe20\u0488",  # marks
    "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff",  # tones
    "\u200d\u200c\ufe0f\ufe0e\u200b\u2060\ufeff\u180e\U000e0100",  # joiners and selectors
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",  # directions
    "\u00ad\u00a0\u202f\u3000\u2003\u1680\t \u200a",  # spaces and soft hyphens
    "\n\r\u2028\u2029\u0085",  # ends of lines
    "👨👩👧🙂👻❤🏳🌈🇫🇷🇩\U000e0067\U000e007f",  # emoji and the tags of flags
    "\u1100\u1161\u11a8\ud55c\uac01\u115f\u1160",  # Hangul and jamo
    "\u0915\u094d\u0937\u093f\u0e01\u0e33\u0e49\u0f40\u0f90\u0fb2\u1000\u1039\u17d2\u1780",  # stacks
    "\u0627\u0644\u0645\u064b\u0651\u0640\u05e9\u05c1\u05bc\ufdfa\ufdfd",  # Arabic and Hebrew
    "\ufa19\u795e\u2329\u3008\u212a\u212b\u037e\u1fef\u0340\u0344\u2126\u00c5\u00e9",  # equivalents
    "漢字仮名𠮷﷽𒐫꧅",  # wide and high
    "\ue000\ufffe\U0010ffff\ufffd\U000f0000\u0378",  # what is no character
    "abcfiflffiATVo WW",
    "0",
]
CONTROLS = "\x00\x01\x07\x08\x0b\x0c\x1b\x1f\x7f\x80\x9f"
NAMES = ["b", "i", "big", "small", "sub", "sup", "tt", "s", "u", "span"]
ATTRIBUTES = {
    "size": ["4px", "400px", "1%", "10000%", "larger", "smaller", "xx-large", "1024", "0"],
    "letter_spacing": ["-20480", "102400", "1", "999999999"],
    "rise": ["-1000000", "1000000", "1"],
    "font": ["DejaVu Sans Mono", "Noto Color Emoji", ",,,", "x" * 200],
    "weight": ["100", "1000", "bold"],
    "font_features": ["liga=0", "ss01,tnum", "kern=-1"],
    "underline": ["single", "error"],
    "foreground": ["#f00", "transparent", "BLAC\u212a"],
}
# Output of terminals that is followed, as JSON writes it.
OUTPUT = [
    "\\r", "\\n", "\\r\\n", "\\b", "\\t", "\\u0007", "\\t" * 511 + "x", "\\r\\t\\tx\\u001b[1K", "\\u001b[K",
    "\\u001b[2K", "\\u001b[m", "\\u001b[1;31m", "\\u001b[4;9m \\t", "\\u001b[38:2::1:2:300m",
    "\\u001b[48;5;1;3m", "\\u001b[38;5m", "\\u001b]0;title\\u0007", "\\u001b]8;;\\u001b\\\\",
    "\\u001b[?2004h", "\\u001b(B", "\\u001b[" + "9;" * 200 + "m",
]  # fmt: skip
# Names of files of captions by their media types, and times as such files write them.
CAPTIONS = {
    "text/vtt": ["webvtt", "lrc"], "application/x-subrip": ["subrip", "sbv", "far-words"], "text/x-ass": ["ass"], "application/ttml+xml": ["ttml"],
}  # fmt: skip
# All others are JSON.
CAPTIONS["application/vnd.titlecard.captions+json"] = sorted(
    {path.name for path in CORPUS.iterdir()}.difference(*CAPTIONS.values()))
TIMES = [
    b"00:00:00.000", b"99:99:99,999", b"0:0:0", b"-1", b"1e999", b" --> ", b"\n\n", b"{\\k0}", b"{\\kf99999999999}", b"<00:00:01.000>",
    b"<999999999:999999999:999999999>", b"9" * 400, b"[", b'{"word":', b"\xff\xfe", b"\xef\xbb\xbf", b"\r",
]  # fmt: skip
CAST_HEADER = '{"version":2,"width":4096}\n'
# Bytes that are no UTF-8, and escapes that are none.
BROKEN = ["%ff", "%c0%af", "%ed%a0%80", "%f4%90%80%80", "%", "%z1", "%e2%82", "%00", "%80"]


@dataclass
class HostileRequest:
    """What is sent on one connection, and how the client goes on."""

    sent: bytes
    # "read", "slow" (a kilobyte now and then), "leave", "reset", or "half" (of what is to be sent).
    behaviour: str
    is_well_formed: bool = True


def hostile_request(catalogue, seed):
    """Returns the request of a seed."""
    generator = random.Random(f"hostile {seed}")
    kinds = {
        clusters: 8,
        rendering: 8,
        near_limits: 2,
        broken_encoding: 1,
        permalinked: 2,
        typed: 1,
        recorded: 1,
        captioned: 2,
        timed: 2,
        embedded: 1,
        listed: 1,
        of_other_routes: 1,
    }
    make = generator.choices(list(kinds), kinds.values())[0]
    sent, is_well_formed = make(catalogue, generator)
    behaviour = generator.choices(["read", "slow", "leave", "reset", "half"], [12, 1, 1, 1, 1])[0]
    return HostileRequest(sent, behaviour, is_well_formed)


# What is sent.


def head(method, target, *fields):
    lines = [f"{method} {target} HTTP/1.1", "Host: x", "Connection: close", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogatepass")


def posted(target, kind, body, *fields):
    return head("POST", target, f"Content-Type: {kind}", f"Content-Length: {len(body)}", *fields) + body


def token(content, level=9):
    """Returns the token of a permalink: of a request, or of any bytes."""
    if not isinstance(content, bytes):
        content = json.dumps(content, ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(zlib.compress(content, level)).rstrip(b"=").decode()


def fields_of(generator):
    """Draws the fields that decide between answers."""
    known = [
        "Accept-Encoding: gzip",
        "Accept-Encoding: gzip;q=0, identity;q=0",
        "If-None-Match: *",
        'If-None-Match: "x", W/"y"',
        "Range: bytes=0-10,5-",
        "Accept: image/png, */*;q=0.1",
        "Expect: 100-continue",
        "X-Forwarded-For: 1.2.3.4, " + "9" * 200,
        "X-Request-Id: " + "\u00e9" * 20,
    ]
    return [field for field in known if generator.random() < 0.1]


# Texts.


def text_of(generator, most=None):
    """Draws a text: mostly short runs from few of the groups."""
    groups = generator.sample(GROUPS, generator.randint(1, 4))
    length = min(int(1 + 3 * generator.paretovariate(0.7)), most or MOST_GRAPHEMES)
    pieces = []
    while len(pieces) < length:
        run = generator.randint(1, 1 + length // 3)
        group = generator.choice(groups)
        if generator.random() < 0.3:
            pieces += [generator.choice(group)] * run
        else:
            pieces += generator.choices(group, k=run)
    text = "".join(pieces[:length])
    if generator.random() < 0.02:
        text += generator.choice(CONTROLS)
    return text if text.strip() else text + "x"


def markup_of(generator, depth=0):
    """Draws markup of which most is well formed."""
    text = text_of(generator, 20).replace("&", "&amp;").replace("<", "&lt;")
    if depth > 6 or generator.random() < 0.2:
        return text
    name = generator.choice(NAMES)
    given = some(generator, 0.25, **{key: generator.choice(values) for key, values in ATTRIBUTES.items()})
    attributes = "".join(f" {key}='{value}'" for key, value in given.items()) if name == "span" else ""
    inner = "".join(markup_of(generator, depth + 1) for _ in range(generator.choice([1, 1, 2, 3])))
    close = f"</{name}>" if generator.random() < 0.98 else "</x>"
    return f"<{name}{attributes}>{inner}{close}{text}"


def string_of(name, generator):
    """Draws a value of a parameter that takes any characters."""
    if name == "font":
        names = ["DejaVu Sans", "Noto Color Emoji", "Noto Sans CJK SC", "sans-serif", text_of(generator, 20), "\u212anewave"]
        return ",".join(generator.choices(names, k=generator.randint(1, 12)))[:200]
    if name == "charset":
        return "".join(text_of(generator, 256).split())[:256] or "x"
    return text_of(generator, 1000)


# Requests for renderings.


def parameters_of(catalogue, generator):
    """Draws an effect with ends of ranges, of seconds mostly short ones."""
    longest = generator.choice([0.1, 0.1, 1, None])
    share = generator.choice([0.05, 0.2, 0.6])
    effect = generator.choice(list(catalogue.effects))
    known = {**catalogue.parameters, **catalogue.format_parameters, **catalogue.effects[effect]}
    left = {"text", "markup", "effect", "format", "preset", "blocks", "cycle", "speed", "captions", "times"}
    required = {name for name, each in known.items() if each.is_required}
    names = {name for name in known.keys() - left if generator.random() < share}
    values = {}
    for name in sorted(with_its_pair(names, known) | required):
        each = known[name]
        if each.kind == "string":
            values[name] = string_of(name, generator)
        elif generator.random() < 0.7:
            values[name] = each.extreme(generator, longest)
        else:
            values[name] = each.usual(generator)
    if generator.random() < 0.6:
        values["width"] = generator.choice([1, 33, 34, round(generator.uniform(1, 300), 2), 4096])
    if generator.random() < 0.3:
        values["letterSpacing"] = generator.choice([0.01, -20, 100, round(generator.uniform(-3, 3), 2)])
    if generator.random() < 0.2:
        values["speed"] = generator.choice([0.1, 10])
    return {"effect": effect, **sorted_pairs(values)}


def request_of(catalogue, generator):
    request = parameters_of(catalogue, generator)
    if generator.random() < 0.25:
        request |= {"markup": True, "text": markup_of(generator)}
    else:
        request["text"] = text_of(generator)
    if generator.random() < 0.1:
        count = generator.choice([1, 2, 5, 32])
        blocks = [{"text": text_of(generator, MOST_GRAPHEMES // count)} for _ in range(count)]
        del request["text"]
        request = {**request, "blocks": blocks, "markup": False}
    return request


def rendering(catalogue, generator):
    """A request as query or as body, in any format."""
    request = request_of(catalogue, generator)
    path = f"/render.{generator.choice(catalogue.extensions)}"
    if "blocks" not in request and generator.random() < 0.7:
        target = f"{path}?{query(request)}"
        method = "HEAD" if generator.random() < 0.1 else "GET"
        if len(target) < MOST_TARGET:
            return head(method, target, *fields_of(generator)), True
    return posted(path, "application/json", json.dumps(request).encode(), *fields_of(generator)), True


def clusters(catalogue, generator):
    """Texts that break into lines where clusters are odd, and little else that could be refused."""
    groups = [GROUPS[0], GROUPS[1], *generator.sample(GROUPS, generator.randint(0, 2))]
    text = "".join(generator.choice(generator.choice(groups)) for _ in range(generator.randint(2, 30)))
    size = generator.choice([32, 32, 64, generator.randint(4, 400)])
    request = {"text": text + generator.choice(["", "x"]), "width": round(size * generator.uniform(0.3, 4), 1)}
    request |= some(
        generator,
        0.5,
        size=size,
        padding=generator.choice([0, 1]),
        letterSpacing=generator.choice([0.01, -1.5, 100, round(generator.uniform(-3, 9), 2)]),
        font=generator.choice(["Bebas Neue", "Noto Sans CJK SC", "monospace", "Inter", "EB Garamond"]),
        weight=generator.choice([100, 457, 1000]),
        align=generator.choice(["center", "right"]),
        effect=generator.choice(["fade", "scramble", "none", "draw"]),
    )
    return head("GET", f"/render.{generator.choice(catalogue.extensions)}?{query(request)}"), True


def near_limits(catalogue, generator):
    """Bodies and targets of about the size that is still taken."""
    size = MOST_BODY + generator.choice([-1, 0, 1, -1000])
    letters = generator.choice(["a", "\u0301", "👻", "\U0001f3fb", "W ", "e\u0301", "\u200d"])

    def filled(start, piece, end=""):
        room = size - len(start.encode()) - len(end.encode())
        return (start + piece * max(room // len(piece.encode()), 0) + end).encode()

    path = f"/render.{generator.choice(catalogue.extensions)}"
    form, whole = generator.choice([
        (FORM, filled("text=x&", "a&")),
        (FORM, ("text=x&" + "&".join(f"n{number}=1" for number in range(8000))).encode()[:size]),
        (FORM, filled("text=", letters)),
        (FORM, filled("text=x&colo", "r")),
        ("text/plain", filled("", letters)),
        ("application/json", filled("", "[")),
        ("application/json", filled('{"text":"', letters, '"}')),
        ("application/json", filled('{"text":"x","seed":', "1", "}")),
        ("application/json", filled('{"text":"x"', ',"text":"y"', "}")),
        ("application/json", filled('{"blocks":[{"text":"a"}', ',{"text":"b"}', "]}")),
        ("application/json", filled('{"text":"x","effect":"custom","keyframes":[{}', ',{"x":1}', "]}")),
        ("application/json", filled('{"text":"x","shadow":"1px 1px', ",1px 1px", '"}')),
        ("application/json", filled('{"text":"x","color":"linear-gradient(red', ",red", ')"}')),
        ("application/json", filled('{"text":"x","effect":"slide","easing":"linear(0', ",1", ')"}')),
        (
            "application/json",
            ('{"markup":true,"text":"%s"}' % "".join(f"<span size='{4 + n % 390}px'>x</span>" for n in range(1800)))[
                :size
            ].encode(),
        ),
        ("application/json", filled('{"markup":true,"text":"', "<b>", '"}')),
        ("application/json", filled('{"markup":true,"text":"', "&#x301;", '"}')),
        (CAST, filled(CAST_HEADER + '[0,"o","', generator.choice([letters, *OUTPUT]), '"]')),
        (CAST, filled(CAST_HEADER, generator.choice(['[0,"o",""]\n', '[0,"o","\\u001b]"]\n', "\n", "["]))),
    ])
    return posted(path, form, whole, *fields_of(generator)), True


def broken_encoding(catalogue, generator):
    """What is no UTF-8, no escape, no number, no media type."""
    broken = "".join(generator.choices(BROKEN, k=generator.randint(1, 200)))
    made = generator.randrange(6)
    if made == 0:
        return head("GET", f"/render?text={broken}"), True
    if made == 1:
        return head("GET", f"/render?{broken}={broken}&text=x"), True
    if made == 2:
        return posted("/render", "application/json", b'{"text":"' + generator.randbytes(2000) + b'"}'), True
    if made == 3:
        return posted("/render", "text/plain; charset=" + generator.choice(["utf-16", "x" * 500]), b"x"), True
    if made == 4:
        return posted("/render", "application/json", generator.randbytes(4000), "Content-Encoding: gzip"), True
    return generator.randbytes(generator.randrange(1, 4000)), False


def permalinked(catalogue, generator):
    """Permalinks of requests, of chance, of what is cut, and of what inflates to much more."""
    contents = [
        lambda: token(request_of(catalogue, generator)),
        lambda: token({"text": generator.choice(["\u0301", "\U0001f3fb", "x"]) * 32000}),
        lambda: token({"text": "x" * 2000, "effect": "wave", "outlineWidth": 20, "shadow": "1px 1px, 2px 2px"}),
        lambda: token(b"\0" * generator.choice([65536, 1 << 20, 1 << 23])),
        lambda: token({"text": "x", **{f"n{number}": 1 for number in range(4000)}}),
        lambda: token(b"[" * 65536),
        lambda: token({"text": "cut"})[: generator.randrange(1, 20)],
        lambda: base64.urlsafe_b64encode(generator.randbytes(generator.randrange(1, 3000))).decode(),
    ]
    name = generator.choice(contents)()
    method = generator.choice(["GET", "GET", "HEAD"])
    numbers = [1, REVISION, REVISION, REVISION + 1, 0, "02", "9" * 400]
    revision = generator.choice(["", *(f"{number}/" for number in numbers)])
    target = f"/r/{revision}{name}.{generator.choice([*catalogue.extensions, 'txt', ''])}"
    return head(method, target, *fields_of(generator)), True


def typed(catalogue, generator):
    """URLs of readme-typing-svg."""
    separator = generator.choice([";", "\u037e", "||", "\u0301", "x"])
    request = {"lines": separator.join(text_of(generator, 60) for _ in range(generator.randint(1, 8)))}
    request |= some(
        generator,
        0.3,
        separator=separator,
        font=string_of("font", generator),
        size=generator.choice(["400", "0.5", "9" * 40, "20,30", "\u0661"]),
        width=generator.choice(["1", "10000", "-5"]),
        height=generator.choice(["1", "10000"]),
        duration=generator.choice(["1", "1000000000", "4s"]),
        pause=generator.choice(["0", "1000000000"]),
        letterSpacing=generator.choice(["0.01px", "1e9px", "normal", "3em"]),
        color=generator.choice(["BLAC\u212a", "fff", "12345678901"]),
        multiline="true",
        center="true",
        format=generator.choice(["svg", "gif", "json", "png"]),
    )
    return head("GET", f"{generator.choice(['/typing', '/'])}?{query(request)}"), True


def recorded(catalogue, generator):
    """Recordings of terminals: mostly what is followed, cut anywhere."""
    width = generator.choices([80, 1, 2, 4096, 4097, 1e9], [20, 5, 5, 5, 1, 1])[0]
    headers = [{"version": 2, "width": width}, {"version": 3, "term": {"cols": width}}, {}]
    lines = [json.dumps(generator.choices(headers, [9, 9, 1])[0])]
    for _ in range(generator.choice([1, 5, 50])):
        content = "".join(piece_of(generator) for _ in range(generator.randint(0, 20)))
        seconds = "9" * 400 if generator.random() < 0.005 else generator.choice(["0", "1.5"])
        lines.append(f'[{seconds},"{generator.choices("oimxzr", [60, 2, 2, 2, 2, 0.2])[0]}","{content}"]')
    body = "\n".join(lines).encode()[: generator.choices([MOST_BODY, 200], [9, 1])[0]]
    target = generator.choice(["/render.svg", "/render.json", "/render", "/embed", "/element"])
    return posted(target + generator.choice(["", "", "?preset=nord"]), CAST, body), True


def piece_of(generator):
    """Draws a part of the output of a terminal, as JSON writes it."""
    if generator.random() < 0.5:
        # A control character would end nearly all of them.
        return json.dumps(text_of(generator, 20).replace("\x85", ""), ensure_ascii=generator.random() < 0.5)[1:-1]
    if generator.random() < 0.01:
        others = ["[2J", "[H", "c", "(0", "[?1049h", "[9999999999999999999A", "_x", "\\u001b"]
        return "\\u001b" + generator.choice(others)
    return generator.choice(OUTPUT)


def captioned(catalogue, generator):
    """Files of captions with bytes that are others, left out, or there many times, as a body or in a request."""
    kind = generator.choice(list(CAPTIONS))
    content = bytearray((CORPUS / generator.choice(CAPTIONS[kind])).read_bytes())
    for _ in range(generator.choice([0, 1, 3, 20])):
        start = generator.randrange(len(content) + 1)
        end = min(len(content), start + generator.choice([0, 1, 10, 200]))
        piece = generator.choice([
            b"", bytes(content[start:end]) * generator.choice([2, 50]), generator.randbytes(4),
            generator.choice(TIMES), text_of(generator, 20).encode("utf-8", "surrogatepass"),
        ])  # fmt: skip
        content[start:end] = piece
    known = {name: each for name, each in catalogue.parameters.items() if not each.is_drawn}
    chosen = [name for name in known if name.startswith(("page", "spoken", "caption")) and name != "captions"]
    chosen += ["maxLines", "width", "fit", "offset"]
    looks = [name for name in catalogue.presets if name.startswith("captions")]
    given = some(generator, 0.15, **{name: known[name].usual(generator) for name in chosen})
    given |= some(generator, 0.5, preset=generator.choice(looks))
    path = generator.choice(["/render", "/embed", "/element"])
    path = f"/render.{generator.choice(catalogue.extensions)}" if path == "/render" else path
    content = bytes(content[: generator.choices([MOST_CAPTIONS + 1, 300], [9, 1])[0]])
    if generator.random() < 0.7:
        return posted(f"{path}?{query(given)}", kind, content, *fields_of(generator)), True
    request = {"captions": content.decode("utf-8", "replace"), **given}
    return posted(path, "application/json", json.dumps(request).encode()), True


def timed(catalogue, generator):
    """Blocks with times, of which most lie in their order, and words that are said in them."""
    words, blocks = generator.choice([1, 3, 30]), []
    for number in range(generator.choice([1, 1, 2, 30, 1000, 1001])):
        text = [text_of(generator, 6) for _ in range(words if number < 5 else 1)]
        start = generator.choice([number / 10, generator.uniform(0, 119), 0]) if generator.random() < 0.99 else 121
        block = {"text": generator.choice(["", " ", "\n"]).join(text), "at": start}
        block |= some(generator, 0.3, until=start + generator.choices([1, 0.0001, 0, 1e9], [20, 20, 1, 1])[0])
        if generator.random() < 0.7:
            block["times"] = [
                {"text": word, "at": start + place / words, **some(generator, 0.3, until=start + (place + 1) / words)}
                for place, word in enumerate(text)
            ]
        blocks.append(block)
    known = catalogue.parameters
    said = [name for name in known if name.startswith(("spoken", "upcoming", "past"))]
    request = some(generator, 0.4, **{name: known[name].extreme(generator) for name in said}, outlineWidth=3)
    request |= {"sequence": "timed", "blocks": blocks}
    path = f"/render.{generator.choice(catalogue.extensions)}"
    return posted(path, "application/json", json.dumps(request, ensure_ascii=False).encode()), True


def embedded(catalogue, generator):
    request = request_of(catalogue, generator)
    target = f"/embed?{query(request)}"
    if "blocks" in request or len(target) >= MOST_TARGET:
        return posted("/embed", "application/json", json.dumps(request).encode()), True
    return head("GET", target), True


def listed(catalogue, generator):
    """Lists of files, with lines of all kinds and paths that lead out."""
    paths = ["a.svg", "../a.svg", "/a.svg", "a/../b.png", "a\\b.svg", "errors.jsonl", "", "x" * 300 + ".svg", "é.webp"]
    lines = []
    for number in range(generator.choice([1, 5, 50, 1001])):
        request = request_of(catalogue, generator) if number < 5 else {"text": str(number)}
        path = generator.choice([f"{number}.{generator.choice(catalogue.extensions)}", generator.choice(paths)])
        made = generator.randrange(4)
        if made == 0:
            lines.append(f"{path}?{query({'text': text_of(generator, 40)})}")
        elif made == 1:
            route = generator.choice(["render", "typing", "", "r/1/x.svg"])
            lines.append(f"{path} https://x.example/{route}?lines=a&text=b")
        else:
            lines.append(json.dumps({"output": path, **request})[: generator.choice([10**6, 10**6, 30])])
    return posted("/batch", "application/jsonl", "\n".join(lines).encode()[:MOST_BODY]), True


def of_other_routes(catalogue, generator):
    """Documents, methods that nobody has, and many requests at once."""
    path = generator.choice(
        ["/health", "/metrics", "/effects", "/formats", "/fonts", "/presets", "/openapi.json", "/", "/x" * 2000,
         "/canonical/render?text=x"]
    )
    made = generator.randrange(4)
    if made == 0:
        return head(generator.choice(["HEAD", "OPTIONS", "PUT", "get", "X" * 40]), path), True
    if made == 1:
        pipelined = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n" * generator.choice([2, 50, 1000])
        return pipelined.encode() + head("GET", "/health"), True
    if made == 2:
        chunked = head("POST", "/render", "Content-Type: text/plain", "Transfer-Encoding: chunked")
        return chunked + b"1\r\nx\r\n" * generator.choice([1, 5000, 20000]) + b"0\r\n\r\n", True
    return head("GET", path, *[f"X-{number}: {'y' * 300}" for number in range(generator.choice([1, 90, 110]))]), True
