"""Requests that harmed the service once, or others who used it, and what has to hold instead.

A case is a function of a service of its own that yields faults. It is run with a watch on the service's processes: none
ends, memory stays within the budget and comes back. To add one, write the function and decorate it with its name.
"""

import base64
import contextlib
import json
import random
import signal
import socket
import subprocess
import time
import unicodedata
import zlib
from dataclasses import dataclass

from draws import png_file
from hostile_requests import CAST, CAST_HEADER, FORM, OUTPUT, head, posted, token
from process_tree import cpu, family, memory
from service import PATIENCE, REVISION, Service, free_port, query, sample

MIB = 1 << 20
MOST_TEXT = 16 * MIB
TONE = "\U0001f3fb"
DEADLINE = 2  # seconds of --render-deadline in cases about it
OVERRUN = 0.1 + 0.25  # seconds past a deadline: the next look, and one call of a library


class Slack:
    """Seconds that an answer may take besides what is promised; few where times are judged."""

    seconds = PATIENCE / 2


@dataclass
class Case:
    name: str
    faults: object
    options: tuple = ()
    # True for a case that itself stops the service.
    ends_the_service: bool = False


CASES = []


def case(name, *options, ends_the_service=False):
    def add(faults):
        CASES.append(Case(name, faults, options, ends_the_service))
        return faults

    return add


# Asking.


def rendered(service, extension="svg", path=None, patience=None, **request):
    """Returns the answer to a request; its body is whole."""
    target = f"{path or f'/render.{extension}'}?{query(request)}"
    if len(target) < 8000:
        return service.get(target)
    return service.post(target.split("?")[0], request)


def linked(request, extension):
    return f"/r/{REVISION}/{token(request)}.{extension}"


def content(answer):
    """Returns the JSON of an answer's permalink."""
    name = answer.headers["Content-Location"].split("/")[-1].split(".")[0]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(name + "=" * (-len(name) % 4))))


def refused(answer, statuses):
    if answer.status not in statuses:
        yield f"{answer.status}, not one of {statuses}: {answer.body[:200]}"


@contextlib.contextmanager
def held(service, requests, local=None, receive_buffer=4096):
    """Sends requests on connections of their own that nobody reads, and closes them in the end."""
    connections = []
    try:
        for number, sent in enumerate(requests):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            connection.bind((local or f"127.2.{number // 250}.{number % 250 + 1}", 0))
            connection.settimeout(PATIENCE)
            connections.append(connection)
            try:
                connection.connect((service.host, service.port))
                connection.sendall(sent)
            except OSError:
                continue
        yield connections
    finally:
        for connection in connections:
            connection.close()


def is_closed(connection):
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def together(service, requests):
    """Sends requests at once and returns the seconds until each is answered, or None for one that is not."""
    start, seconds = time.monotonic(), []
    with held(service, requests, receive_buffer=1 << 20) as connections:
        for connection in connections:
            try:
                while connection.recv(1 << 16):
                    pass
                seconds.append(time.monotonic() - start)
            except OSError:
                seconds.append(None)
    return seconds


def too_late(service, limit, requests):
    """Yields the requests that are not answered within so many seconds of another's."""
    for name, sent in requests.items():
        start = time.monotonic()
        answer = b""
        with socket.create_connection((service.host, service.port), 80) as connection:
            connection.sendall(sent)
            with contextlib.suppress(OSError):
                answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        seconds = time.monotonic() - start
        if seconds > limit:
            yield f"{name}: {seconds:.1f} s ({answer[9:12].decode()})"


def spent(service):
    """Returns the seconds of CPU that a service has taken until now."""
    return cpu(family(service.process.pid))


# 1: what ends a process.

ABORTING = [
    dict(text="\u0368\U0001f3fb\u061c", width=33, letterSpacing=0.01),
    dict(text=TONE + TONE + "\u0335" + TONE, width=34, size=64),
    dict(text="\u00a0".join([TONE] * 9), width=34, size=64),
    dict(text="\u00a0" + "\u00a0".join([TONE] * 9), width=100, size=64, letterSpacing=0.5),
]


@case("line breaks between marks and tones end no process")
def line_breaks(service):
    for request in ABORTING:
        for extension in ("svg", "json", "png"):
            yield from refused(rendered(service, extension, **request), [200])


@case("nor where only presets are allowed", "--only-presets")
def line_breaks_of_presets(service):
    space, mark = "\u00a0", "\u0335"
    wide = f"\u00ad\u0301{TONE}{space}{mark}{TONE}{space}{TONE}{mark}{space * 3}{mark}{TONE}{space}"
    wide += f"\u0301{TONE * 3}{mark}{space}"
    for text in (wide, space.join([TONE] * 9), space + TONE * 9 + space):
        yield from refused(rendered(service, text=text, preset="film-title"), [200])


@case("nor by other routes")
def line_breaks_of_routes(service):
    text = "\u0368\U0001f3fb\u061c"
    for path in ("/embed", "/render"):
        yield from refused(rendered(service, path=path, text=text, width=33, letterSpacing=0.01), [200])
    for spacing in ("0.01px", "normal"):
        yield from refused(service.get("/typing?" + query(dict(lines=text, width="33", letterSpacing=spacing))), [200])
    yield from refused(service.get(linked(dict(text=text, width=33, letterSpacing=0.01), "svg")), [200])
    blocks = [dict(text=text, letterSpacing=0.01), dict(text=TONE * 2 + "\u0335" + TONE, size=64)]
    yield from refused(service.post("/render.svg", dict(width=33, blocks=blocks)), [200])
    marked = dict(text=f"<b>{TONE}</b>{TONE}<i>\u0335</i>{TONE}", markup=True, width=34, size=64)
    yield from refused(rendered(service, **marked), [200])


@case("letters that no line begins or ends with are set in any width")
def unspaced(service):
    letters = ["\u0e32", "\u0e40", "\u0e46", "\u103a", "\u1039\u1000", "\u17d2\u1780", "\ua98f\ua9c0", "\u6587\u5b57", "\u1075"]
    for text in [*(letter * 200 for letter in letters), "".join(letters) * 40]:
        for more in (dict(width=33), dict(width=900, wrap="balance"), dict(width=400, height=200, fit="fill", wrap="pretty")):
            yield from refused(rendered(service, text=text, effect="none", **more), [200, 400, 422])


@case("lines that lie upon each other are told in time")
def lines_upon_each_other(service):
    for text in ("/" * 40, "\u2572\u2571" * 20, "\u0622\u06cc\u06ba" * 20):
        text = "\n".join([text] * 25)
        yield from refused(rendered(service, text=text, effect="none", lineHeight=0.5), [200])


# 2: keys are bytes.

EQUIVALENTS = [
    ("\ufa19", "\u795e"),
    ("\u00e9", "e\u0301"),
    ("\u2329", "\u3008"),
    ("\u212a", "K"),
    ("\u212b", "\u00c5"),
    ("\u1e69", "s\u0307\u0323"),
    ("q\u0323\u0307", "q\u0307\u0323"),
    ("\ud55c", "\u1112\u1161\u11ab"),
    ("\u037e", ";"),
    ("\u1fef", "`"),
    ("\u2126", "\u03a9"),
    ("\u0340", "\u0300"),
    ("\u0958", "\u0915\u093c"),
    ("\U0002f800", "\u4e3d"),
]


def names_of(text):
    """Yields the requests in which a text stands where it is compared."""
    yield dict(text=text)
    yield dict(text="Titles", title=text)
    yield dict(text="Charsets", effect="scramble", charset="".join(text.split()) + "x")
    yield dict(text="Fonts", font=f"No such {text},DejaVu Sans")


# What random texts are made of that have another spelling, by composition or by case.
SPELLED = "éÅṩḍ̇한가ΐάガ가Ω〈K;\u0344\u0f73\u0958\u1e9bſßİıǆΣςﬁ漢\ufa19" + "abkKsS "


def random_pairs(count):
    """Yields texts of chance with another spelling of each."""
    generator = random.Random("pairs")
    spellings = [
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: unicodedata.normalize("NFC", text),
        str.swapcase,
        str.casefold,
    ]
    while count:
        text = "".join(generator.choices(SPELLED, k=generator.randint(1, 6))) + "x"
        other = generator.choice(spellings)(text)
        if other != text:
            count -= 1
            yield text, other


@case("texts that are canonically equivalent have renderings of their own")
def equivalents(service):
    pairs = sample([*EQUIVALENTS, *random_pairs(2000 - len(EQUIVALENTS))], 50)
    other = Service(binary=service.binary)
    try:
        for number, pair in enumerate(pairs):
            kinds = list(zip(*map(names_of, pair)))
            for requests in kinds if number < len(EQUIVALENTS) else [kinds[number % len(kinds)]]:
                yield from mixed(service, other, requests)
    finally:
        other.stop()


def mixed(service, other, requests):
    """Yields the requests of a pair that get what the other one made."""
    # One server has them in one order, the other in the other.
    first = [rendered(service, **request) for request in requests]
    second = [rendered(other, **request) for request in reversed(requests)][::-1]
    for request, one, two in zip(requests, first, second):
        alike = all(one.headers[name] == two.headers[name] for name in ("ETag", "Content-Location"))
        if one.body != two.body or not alike:
            yield f"{ascii(request)} gets what another request made"
        elif one.status == 200 and any(value not in content(one).values() for value in request.values()):
            yield f"{ascii(request)} has the permalink {ascii(content(one))}"
    if "text" in requests[0] and requests[0]["text"] != requests[1]["text"]:
        answers = [service.get(linked(request, "json")) for request in requests]
        if len({answer.headers["Content-Location"] for answer in answers}) < 2:
            yield f"permalinks of {ascii(requests)} are one"


@case("keywords and separators are ASCII")
def keywords(service):
    yield from refused(rendered(service, text="x", color="BLAC\u212a"), [400])
    yield from refused(rendered(service, text="x", color="\u212ahaki"), [400])
    yield from refused(rendered(service, text="x", background="linear-gradient(blac\u212a, red)"), [400])
    yield from refused(rendered(service, text="x", shadow="1px 1px BLAC\u212a"), [400])
    yield from refused(rendered(service, text="<span foreground='BLAC\u212a'>x</span>", markup=True), [400])
    answer = service.get("/typing?" + query(dict(lines="one\u037etwo", format="json")))
    if answer.status != 200 or len(answer.json["blocks"]) != 1:
        yield f"U+037E separates: {answer.status}"
    answer = service.get("/typing?" + query(dict(lines="one\u037etwo;three", separator=";", format="json")))
    if answer.status != 200 or len(answer.json["blocks"]) != 2:
        yield f"U+037E separates lines like ;: {answer.status}"
    body = b'{"text":"x","\xe2\x84\xaa":1}'
    yield from refused(service.post("/render", body), [400])


# 3: answers without a bound.


def ideographs(first, count):
    return "".join(chr(first + number) for number in range(count))


SHADOWS = ", ".join(f"{number}px {number}px 1px red" for number in range(1, 5))
DENSE = ideographs(0x9E00, 256)
# 2,000 letters that alternate between two properties, and texts of which every letter is any of 256.
HUGE = {
    "lot": dict(
        text="W" * 2000,
        width=4096,
        effect="custom",
        exit="auto",
        keyframes=[*([{"scaleX": 3.77}, {"scale": 2.123}] * 8)[:15], {"scale": 1, "scaleX": 1}],
        easing="ease",
        interval=0.01,
        duration=1,
        outlineWidth=1,
        shadow=SHADOWS.replace(" 1px red", " red"),
    ),
    "svg": dict(
        text=ideographs(0x9F4B, 90) * 20,
        width=4096,
        effect="scramble",
        charset=DENSE,
        lead=1,
        interval=0.01,
        outlineWidth=1,
        shadow=SHADOWS,
        darkShadow=SHADOWS.replace("red", "blue"),
    ),
    "json": dict(
        text="W" * 1900,
        width=4096,
        effect="scramble",
        charset="0123456789" * 20,
        exit="auto",
        lead=1,
        interval=0.01,
    ),
}


def large(extension, **more):
    return head("GET", linked({**HUGE[extension], **more}, extension))


@case("an answer is at most 16 MiB, or refused before it is made")
def large_answers(service):
    for extension, request in HUGE.items():
        before = spent(service)
        answer = service.get(linked(request, extension))
        if len(answer.body) > MOST_TEXT:
            yield f"{extension}: {len(answer.body) / 1e6:.0f} MB"
        if answer.status == 422 and spent(service) - before > 1:
            yield f"{extension}: refused after {spent(service) - before:.1f} s of CPU"
        if answer.status not in (200, 422):
            yield f"{extension}: {answer.status}"


@case("answers that nobody reads are within the budget")
def unread_answers(service):
    requests = [large("svg", title=f"Unread {number}") for number in range(20)]
    requests += [large("lot", title=f"Unread {number}") for number in range(3)]
    with held(service, requests):
        time.sleep(5)
        yield from refused(service.get("/render?text=Others"), [200])


# 4: what loops do.

UNKNOWN = posted("/render", FORM, b"&".join([b"text=x", *(b"letterS%d=1" % number for number in range(4000))])[:65536])


@case("names that are unknown are compared with little")
def unknown_names(service):
    before = spent(service)
    together(service, [UNKNOWN] * 16)
    if (seconds := spent(service) - before) > 2:
        yield f"{seconds:.1f} s of CPU for 16 bodies"


@case("names that are long are compared with little")
def long_names(service):
    body = ("text=x&" + "&".join("letterSpacing" * 150 + str(number) for number in range(32)))[:65536].encode()
    before = spent(service)
    together(service, [posted("/render", FORM, body)] * 16)
    if (seconds := spent(service) - before) > 2:
        yield f"{seconds:.1f} s of CPU for 16 bodies"


@case("a permalink of many marks is read in its bytes' time")
def marks(service):
    for letter in ("\u0301", "\u0323\u0301", "\U0001f3fb", "\u1161", "\u094d"):
        text = (letter * 32000)[: 64000 // len(letter[0].encode()) if len(letter) == 1 else 21000]
        target = linked(dict(text="x" + text), "svg")
        before = spent(service)
        for _ in range(4):
            service.get(target, {"If-None-Match": '"x"'})
        if (seconds := spent(service) - before) > 2:
            yield f"{seconds:.1f} s of CPU for 4 requests of {ascii(letter)}"


@case("a recording of a terminal is read in its bytes' time")
def recordings(service):
    wide = "\\t" * 511 + "x"
    pieces = [*OUTPUT, wide + "\\n", "\\r\\u001b[K" + wide, "\\rx" + wide + "\\u001b[1K"]
    pieces += ["\u0301", "x\u0301", "\u200d", "👩\u200d👧", "漢", "漢\\b"]
    outputs = [piece * (65000 // len(piece.encode())) for piece in pieces]
    # Erasures of a line that is erased already.
    outputs.append(wide + "\\u001b[1K" * 7000)
    bodies = [f'{CAST_HEADER}[0,"o","{output}"]'.encode() for output in outputs]
    lines = ('[0,"o",""]\n', '[0,"o","\\u001b]"]\n', "\n", "[")
    bodies += [(CAST_HEADER + line * 65536).encode()[:65536] for line in lines]
    for body in bodies:
        before = spent(service)
        for _ in range(4):
            yield from refused(service.post("/render.svg", body, CAST, {"If-None-Match": "*"}), [304, 400, 422])
        if (seconds := spent(service) - before) > 1:
            yield f"{seconds:.1f} s of CPU for 4 recordings of {body[:60]}"


COUNTDOWN = "/countdown.svg?" + query(dict(to="2130-01-01T00:00:00", codeLanguage="python", text="{ss}" + " f(1)" * 480))


@case("a countdown that is too long is refused by its first second")
def countdowns(service):
    yield from refused(service.get(COUNTDOWN), [422])
    before = spent(service)
    for _ in range(20):
        service.get(COUNTDOWN)
    if (seconds := spent(service) - before) > 1:
        yield f"{seconds:.2f} s of CPU for 20 requests"


@case("metrics are counted, not looked up")
def metrics(service):
    def least():
        """The CPU of 500 readings: the least of three, for a busy machine adds to it."""
        seconds = []
        for _ in range(3):
            before = spent(service)
            together(service, [b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 500 + head("GET", "/health")])
            seconds.append(spent(service) - before)
        return min(seconds)

    alone = least()
    with held(service, [b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"] * 2000):
        if (seconds := least()) > 1.5 * alone + 0.2:
            yield f"{seconds:.2f} s of CPU for 500 readings beside 2000 connections, {alone:.2f} s without them"


# 5: what runs before the deadline is looked at.

def in_json(path, /, **request):
    return posted(path, "application/json", json.dumps(request).encode())


def marked(spans):
    return dict(text="".join(spans), markup=True, width=4096, padding=0)


# Noise in a thousand rows that repeat, which takes long to compress in another size.
NOISE = png_file(512, 512, [random.Random(number).randbytes(2048) for number in range(11)] * 46 + [bytes(2048)] * 6)
# Fonts of 1,800 sizes, families that nobody has, cursors, pictures that are scaled, ways along cusps, and films.
LATE = {
    "sizes": in_json("/render", **marked(f"<span size='{3072 + number}'>x</span>" for number in range(1800))),
    "families": in_json("/render", **marked(f"<span font='No {number}'>x</span>" for number in range(1800))),
    "cursors": in_json(
        "/render",
        blocks=[dict(text=ideographs(0x4E00 + 64 * number, 60), cursor="block", typos=0.5) for number in range(32)],
        interval=0.001,
        cursorBlink=0.34,
        typoPause=0,
        sequence="replace",
        width=4096,
    ),
    "pictures": in_json(
        "/render",
        text="".join(f"<span size='{size}px'><picture name='a'/></span>" for size in range(190, 254)),
        markup=True,
        pictures=dict(a=base64.b64encode(NOISE).decode()),
        width=4096,
    ),
    "cusps": in_json(
        "/render",
        blocks=[dict(text="W")] * 32,
        size=4,
        path="M0 0" + "c9 9 0 9 9 0" * 330,
        effect="custom",
        keyframes=[*[dict(pathOffset=5 if number % 2 else -5) for number in range(15)], {}],
        easing="bounce",
        duration=10,
    ),
    "joined emoji": in_json(
        "/render.gif",
        text="\u200d".join(chr(0x1F400 + number % 80) for number in range(1000)),
        width=100,
        height=100,
        padding=0,
        size=400,
        effect="zoom",
        fps=50,
        interval=0.01,
    ),
    "scramble": in_json(
        "/render.gif",
        text="Wabc" * 40,
        width=600,
        size=48,
        effect="scramble",
        charset=DENSE,
        lead=6,
        interval=0.05,
        fps=50,
        scale=2,
    ),
}


@case("nothing runs long past its deadline", "--render-deadline", str(DEADLINE))
def deadlines(service):
    yield from too_late(service, DEADLINE + OVERRUN + Slack.seconds, LATE)


# 6: clients who are gone.


def film(number):
    """Returns a request that takes a second of a render thread before its first byte, as WebP."""
    return dict(
        text=f"Film {number} " + "Film " * 100, width=1000, height=500, size=24, effect="wave", fps=50, scale=2, interval=0.05
    )


def leave(service, requests):
    with held(service, requests):
        time.sleep(0.1)


@case("requests of clients who are gone are not begun")
def clients_gone(service):
    requests = {
        "HEADs": [head("HEAD", f"/render.webp?{query(film(number))}") for number in range(256)],
        "POSTs": [in_json("/render.svg", **{**HUGE["svg"], "title": f"Gone {number}"}) for number in range(100)],
    }
    for name, sent in requests.items():
        leave(service, sent)
        start = time.monotonic()
        answer = service.get(f"/render?text=After+the+{name}")
        if answer.status != 200 or time.monotonic() - start > Slack.seconds:
            yield f"{name}: {answer.status} after {time.monotonic() - start:.1f} s"


# 7: shares.


@case("one address does not take all connections", "--max-connections", "400")
def idle_connections(service):
    with held(service, [b""] * 401, local="127.0.0.9"):
        yield from served(service, "/render?text=Others")


@case("one address does not take all stream memory", "--stream-memory", "64")
def slow_readers(service):
    large = dict(effect="slide", width=4096, height=4096, size=400, fps=50, background="white")
    requests = [head("GET", f"/render.gif?{query({**large, 'text': f'Slow {number}'})}") for number in range(8)]
    with held(service, requests, local="127.0.0.9"):
        time.sleep(2)
        yield from served(service, "/render.gif?text=Others&effect=slide")


@case("one address does not take the queue", "--workers", "2")
def queue_places(service):
    requests = [head("GET", f"/render.webp?{query(film(number))}") for number in range(300)]
    with held(service, requests, local="127.0.0.9"):
        yield from served(service, "/render?text=Others")


@case("one address does not take the readers")
def reading(service):
    long = posted("/render.svg", "application/json", json.dumps(
        dict(text="<b>a</b>" * 1900, markup=True, colour="x", keyframes=[dict(x=n, easing="linear(0,1)") for n in range(16)])
    ).encode())
    with held(service, [head("GET", COUNTDOWN), long] * 200, local="127.0.0.9"):
        for target in ("/canonical?text=Others", "/embed?text=Others", "/element?text=Others", "/metrics", "/health",
                       COUNTDOWN.split("&text=")[0]):
            yield from served(service, target)
        start = time.monotonic()
        yield from refused(service.post("/render", {"text": "Others " * 200, "maxWidth": 800, "effect": "none"}), [200])
        if time.monotonic() - start > Slack.seconds:
            yield f"others wait {time.monotonic() - start:.1f} s"


def served(service, target):
    start = time.monotonic()
    yield from refused(service.get(target), [200])
    if time.monotonic() - start > Slack.seconds:
        yield f"others wait {time.monotonic() - start:.1f} s"


# 8: memory that nobody counts.


@case("permalinks that inflate are counted by what they hold")
def inflating(service):
    easing = f"linear({','.join(['0', '1'] * 32)})"
    frames = [dict(x=number / 7, y=number / 3, scale=1 + number / 8, easing=easing) for number in range(15)]
    before = settled(service)
    for number in range(700):
        request = dict(
            blocks=[dict(text=str(number))] * 32,
            effect="custom",
            keyframes=[*frames, {}],
            color=f"linear-gradient({','.join(['red', 'blue'] * 4)})",
            shadow=SHADOWS,
        )
        service.get(linked(request, "svg"), {"If-None-Match": "*"})
    yield from grown(service, before)


@case("lists of families are given back")
def families(service):
    before = settled(service)
    for number in range(4000):
        names = ",".join(f"Family {number} {part}" for part in range(12))[:200]
        service.get(f"/render?{query(dict(text='x', font=names))}")
    yield from grown(service, before)


def settled(service):
    """Returns the bytes that a service holds after a picture of each kind and a rest."""
    for extension in ("svg", "gif", "webp", "lot", "json"):
        service.get(f"/render.{extension}?text=Settled")
    time.sleep(6)
    return memory(family(service.process.pid))


def grown(service, before):
    end = time.monotonic() + PATIENCE
    while (size := memory(family(service.process.pid)) - before) > 30 * MIB and time.monotonic() < end:
        time.sleep(0.1)
    if size > 30 * MIB:
        yield f"{size / MIB:.0f} MiB more after that"


# 9: small things.


@case("a refusal names at most 64 faults")
def faults(service):
    for body in (b"a&" * 32767, b"&".join(b"n%d=1" % number for number in range(7000))):
        answer = service.post("/render", body, FORM)
        if len(answer.body) > 20 * len(body) / 10 or len(answer.json["errors"]) > 64:
            yield f"{len(answer.json['errors'])} faults of {len(answer.body)} bytes"
    names = json.dumps({f"n{number}": None for number in range(4000)}).encode()[:65536]
    answer = service.post("/render", names)
    if len(answer.json.get("errors", [])) > 64:
        yield f"{len(answer.json['errors'])} faults"


@case("a stop takes at most 35 s", ends_the_service=True)
def stop(service):
    with held(service, [LATE["sizes"], LATE["families"], LATE["joined emoji"]]):
        time.sleep(0.5)
        start = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        try:
            status = service.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            status = "still running"
        seconds = time.monotonic() - start
    if status != 0 or seconds > 35:
        yield f"{status} after {seconds:.1f} s"


@case("options that would refuse everything are refused")
def options(service):
    for given in (("--render-deadline", "0"), ("--allow-origin", "https://a.example, https://b.example")):
        try:
            port = str(free_port())
            subprocess.run([service.binary, "serve", "--port", port, *given], timeout=2, capture_output=True)
        except subprocess.TimeoutExpired:
            yield f"{given} is accepted"


@case("a cut answer is logged as one")
def cut_answers(service):
    streamed = f"/render.apng?{query({**film(0), 'width': 2000, 'height': 2000})}"
    whole = f"/render.lot?{query(dict(text='W' * 1000, width=4096, effect='fade', shadow=SHADOWS))}"
    for target in (streamed, whole):
        path = target.split("?")[0]
        with held(service, [head("GET", target)]) as connections:
            connections[0].recv(1000)
        lines = []
        end = time.monotonic() + PATIENCE
        while not lines and time.monotonic() < end:
            time.sleep(0.1)
            lines = [line for line in map(json.loads, service.logged_lines()) if line.get("path") == path]
        if not any(line.get("aborted") for line in lines):
            yield f"{path} is logged as {lines}"


# Relatives.


@case("texts of one kind, of the longest, are answered")
def longest(service):
    for letter in ("\u0301", "\u200d", TONE, "\u00ad", "\u061c", "\u2067", "\u1161", "\u094d", "\ufdfd", "🏳", "\U0001f1eb"):
        # Of a mark or a joiner 64 in a row are more than a text may have, which is a refusal of its own.
        for count, statuses in ((1000, [200, 400, 422]), (60, [200, 422])):
            for request in (dict(width=33), dict(width=34, size=64, letterSpacing=0.01), dict(width=1, size=4)):
                answer = service.post("/render.svg", dict(text="x" + letter * count, padding=0, **request))
                yield from refused(answer, statuses)


@case("texts that need fonts, colours, and spaces chosen again and again are answered")
def shapes(service):
    chance = random.Random(7)
    urdu = ["".join(chance.choices("پہکےاڑںیبت", k=chance.randrange(2, 6))) for _ in range(400)]
    torn = "".join(chance.choice("\uab30\uff21\ua78dab ") for _ in range(1800))
    styles = "".join(
        f"<span size='{8 + n}px' font='{'Inter, ' * (n % 4)}Lato'>{word}</span> " for n, word in enumerate(urdu[:60])
    )
    colored = "".join(f"<span foreground='#{n:06x}'>{c}</span>" for n, c in enumerate("हिन्दीffi->" * 90))
    for request in (
        dict(text=" ".join(urdu)),
        dict(text=torn),
        dict(text=styles, markup=True),
        dict(text="".join(map(chr, range(0xE000, 0xE600))), font="Sans, Fira Code, Inter, JetBrains Mono, Lato"),
        dict(text=colored, markup=True, font="Noto Sans Devanagari"),
        dict(text=colored, markup=True, font="Fira Code", letterSpacing=-20, effect="glitch"),
        dict(text="น้ำ𞤀𞤣e\u0301ߒߞ" * 150, letterSpacing=100, width=200),
        dict(text="\u200ba\u00ad\u2066" * 450, effect="scramble", width=60),
    ):
        for extension in ("svg", "json"):
            yield from refused(service.post(f"/render.{extension}", request), [200, 400, 422])


@case("directions that are nested deeper than can be resolved end no process")
def directions(service):
    for seed in range(60):
        chance = random.Random(seed)
        marks = chance.sample("\u2066\u2067\u2068\u2069\u202a\u202b\u202c\u202d\u202e", chance.randrange(2, 8))
        text = "".join(chance.choices([*marks, "a", " "], k=1000))
        yield from refused(service.post("/render.svg", dict(text=text)), [200, 400, 422])
