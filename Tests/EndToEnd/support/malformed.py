"""Malformed requests, each with the status it deserves, the parameters at fault and words of the message."""

import base64
import json
import zlib
from dataclasses import dataclass, field

from service import REVISION

JSON, FORM, TEXT = "application/json", "application/x-www-form-urlencoded", "text/plain"


@dataclass
class Case:
    """A request, the status it deserves, the parameters at fault, and words of the message."""

    name: str
    status: int
    faults: list
    target: str = "/render"
    body: bytes = None
    kind: str = None
    method: str = None
    headers: dict = field(default_factory=dict)
    says: str = ""

    def send(self, server):
        headers = {**({"Content-Type": self.kind} if self.kind else {}), **self.headers}
        return server.request(self.method or ("GET" if self.body is None else "POST"), self.target, self.body, headers)


def body(name, request, *faults, status=400, says="", **more):
    """A JSON body; a string is sent as it is."""
    data = (
        request
        if isinstance(request, bytes)
        else (request if isinstance(request, str) else json.dumps(request)).encode()
    )
    return Case(name, status, list(faults), body=data, kind=JSON, says=says, **more)


def one(name, value, says="", **more):
    """A JSON body in which one parameter is wrong."""
    return body(f"{name} = {json.dumps(value)[:40]}", {"text": "x", name: value, **more}, name, says=says)


def query(name, text, *faults, status=400, says=""):
    return Case(name, status, list(faults), target=f"/render?{text}", says=says)


def form(name, text, *faults, status=400, says=""):
    return Case(name, status, list(faults), body=text.encode(), kind=FORM, says=says)


def markup(text, says):
    return body(f"markup {text[:50]}", {"text": text, "markup": True}, "text", says=says)


def token(content, level=9):
    return base64.urlsafe_b64encode(zlib.compress(content, level)).rstrip(b"=").decode()


def permalink(name, path, status=400, faults=("token",), says=""):
    return Case(name, status, list(faults), target=f"/r/{path}", says=says)


GOOD_TOKEN = token(b'{"text":"Hi"}')
TYPES = [
    one("size", "32"),
    one("size", None, "null"),
    one("size", True),
    one("size", [1]),
    one("size", {}),
    one("italic", 1),
    one("italic", "true"),
    one("weight", 400.5, "whole"),
    one("text", 5),
    one("text", None),
    one("text", [["x"]]),
    one("color", 123456),
    one("color", None),
    one("effect", 7),
    one("title", 5),
    one("seed", 1.5),
    one("time", True),
    one("markup", "yes"),
    one("easing", 1, effect="fade"),
    body("blocks an object", {"blocks": {}}, "blocks"),
]
RANGES = [
    one("size", 3.99, "from 4 to 400"),
    one("size", 401),
    one("weight", 99),
    one("weight", 1001),
    one("letterSpacing", -21),
    one("lineHeight", 0.4),
    one("width", 0),
    one("width", 4097),
    one("height", 0.5),
    one("padding", -1),
    one("padding", 1025),
    one("spacing", 1025),
    one("gap", 61),
    one("delay", -0.1),
    one("hold", 60.1),
    one("speed", 0.09),
    one("speed", 11),
    one("seed", -1),
    one("seed", 2**53),
    one("interval", 0, "0.001"),
    one("interval", 10.5),
    one("jitter", 1.1),
    one("scale", 4.1),
    one("scale", 0.4),
    one("time", 121),
    one("time", "start", "end"),
    one("title", ""),
    one("title", "x" * 1001),
    one("title", "a\u0007b"),
    one("color", "#12345", "#24292f"),
    one("color", "blurple"),
    one("background", ""),
    one("font", ""),
    one("font", " , "),
    one("easing", "cubic-bezier(2,0,0,1)", effect="fade"),
    one("easing", "bouncy", effect="slide"),
    one("effect", "typwriter", 'did you mean "typewriter"?'),
    one("align", "middle"),
    one("valign", "center"),
    one("direction", "north", effect="slide"),
    one("by", "letter"),
    one("order", "reverse"),
    one("format", "bmp"),
    body(
        "maxDuration below minDuration",
        {"text": "x", "effect": "fade", "minDuration": 2, "maxDuration": 1},
        "maxDuration",
    ),
    body("padding leaves no width", {"text": "x", "width": 30, "padding": 15}, "padding"),
    body("a number past a double", '{"text":"x","size":1e999}', "size"),
    query("a number past a double in a query", "text=x&size=1e999", "size"),
    body("a number past every range", '{"text":"x","size":1e300}', "size"),
]
RASTER = [
    one("format", "heic", "gif"),
    one("fps", 0.5, "from 1 to 60"),
    one("fps", 61, "from 1 to 60"),
    one("levels", 1, "from 2 to 255"),
    one("levels", 256, "from 2 to 255"),
    one("levels", 32.5, "whole"),
    one("poster", "middle", "start"),
    one("part", "middle", "hold"),
    one("timecode", "24:00:00:00", "01:00:00:00"),
    one("matte", "blurple"),
]
CHOREOGRAPHY = [
    one("effect", "morp", 'did you mean "morph"?'),
    one("exit", "slid", 'did you mean "slide"?'),
    one("exit", "automatic", "between"),
    one("exit", None, "null"),
    one("sequence", "replaced", 'did you mean "replace"?'),
    one("loop", 0, "infinite"),
    one("loop", 1001, "1000"),
    one("loop", 1.5, "whole"),
    one("loop", "forever", "infinite"),
    one("loop", "2"),
    one("loop", True),
    query("loop -1 in a query", "text=x&loop=-1", "loop"),
    body("cycle with speed", {"text": "x", "cycle": 4, "speed": 2}, "cycle", says="speed"),
    body("cycle with the default speed", {"text": "x", "cycle": 4, "speed": 1}, "cycle", says="speed"),
    one("cycle", 0.09, "0.1"),
    one("cycle", 121, "120"),
    one("cycle", 0.1, "speed"),
    one("maxCycle", 0.09, "0.1"),
    one("maxCycle", 121, "120"),
    one("minCycle", 0.09, "0.1"),
    one("cycleStep", 61, "60"),
    one("maxFrames", 19, "20"),
    one("maxCycle", 0.1, "speed", text="a long text", effect="typewriter"),
    body("cycle beyond maxCycle", {"text": "x", "cycle": 4, "maxCycle": 3}, "cycle", says="maxCycle"),
    body("cycle below minCycle", {"text": "x", "cycle": 2, "minCycle": 3}, "cycle", says="minCycle"),
    body("cycle between steps", {"text": "x", "cycle": 2.5, "cycleStep": 1}, "cycle", says="cycleStep"),
    body("minCycle beyond maxCycle", {"text": "x", "minCycle": 4, "maxCycle": 3}, "maxCycle", says="minCycle"),
    body("no step between bounds", {"text": "x", "minCycle": 2.2, "maxCycle": 2.8, "cycleStep": 1}, "maxCycle", says="cycleStep"),
    one("for", "fax", "slack-emoji"),
    one("cycle", 100, "speed"),
    one("cycle", 5, "speed", effect="none", hold=0),
    one("cursor", "blok", 'did you mean "block"?'),
    one("cursorBlink", 0.2, "0.34"),
    one("cursorBlink", 10.1),
    one("cursorBlink", -1),
    body("cursorBlink in a block", {"blocks": [{"text": "x", "cursorBlink": 0.1}]}, "blocks[0].cursorBlink"),
    body("an exit in a block", {"blocks": [{"text": "x", "exit": "fade"}]}, "blocks[0].exit"),
    one("eraseInterval", 0, "0.001"),
    one("eraseOrder", "back", "backward"),
    *[
        one("charset", value, "256", effect="scramble")
        for value in ("", "a b", "a\u3000b", "a\n", "a\u0007", "a" * 257, "🎃" * 257)
    ],
    one("maxTicks", 0, "whole", effect="secret"),
    one("maxTicks", 1001, "1000", effect="secret"),
    one("maxTicks", 2.5, "whole", effect="secret"),
    one("chance", 1.1, effect="secret"),
    one("firstChance", -0.1, effect="secret"),
    one("tick", 0.009, "0.01", effect="secret"),
    one("tick", 0, "0.01", effect="scramble"),
    one("lead", 10.1, effect="scramble"),
    one("angle", 361, effect="fall"),
    one("minDistance", -1, effect="fall"),
    body(
        "maxDistance below minDistance",
        {"text": "x", "effect": "fall", "minDistance": 9, "maxDistance": 8},
        "maxDistance",
        says="minDistance",
    ),
    body("minDistance above the other's default", {"text": "x", "effect": "fall", "minDistance": 80}, "minDistance"),
    one("fromScale", 11, effect="pop"),
    one("amplitude", -0.1, effect="wave"),
    one("distance", 10.5, effect="drop"),
    one("easing", "cubic-bezier(0,11,1,1)", effect="pop"),
    body("a parameter of the exit's effect", {"text": "x", "effect": "fade", "exit": "fall", "angle": 9}, "angle"),
    body(
        "a parameter of no block's effect",
        {"blocks": [{"text": "x", "effect": "fade"}, {"text": "y", "effect": "pop"}], "charset": "ab"},
        "charset",
    ),
    body("eraseInterval without a typewriter", {"text": "x", "effect": "reveal", "eraseInterval": 0.1}, "eraseInterval"),
]
NAMES = [
    body("an unknown name", {"text": "x", "efect": "fade"}, "efect", says='did you mean "effect"?'),
    body("a name that is nothing like any", {"text": "x", "quux": 1}, "quux", says="unknown"),
    body("another case", {"text": "x", "Size": 12}, "Size", says='did you mean "size"?'),
    body(
        "an unknown name in a block", {"blocks": [{"text": "x", "colour": "red"}]}, "blocks[0].colour", says='"color"'
    ),
    body("a name that only the top has", {"blocks": [{"text": "x"}, {"text": "y", "padding": 3}]}, "blocks[1].padding"),
    body("another effect's parameter", {"text": "x", "effect": "fade", "interval": 0.2}, "interval"),
    body("another effect's parameter in a block", {"blocks": [{"text": "x", "groupDelay": 1}]}, "blocks[0].groupDelay"),
    body(
        "every fault at once",
        {"blocks": [{"text": "x", "interval": -1}], "efect": 1, "size": "big"},
        "blocks[0].interval",
        "efect",
        "size",
    ),
    body("a fault and a limit", {"text": "x" * 2001, "size": 0}, "size"),
]
TEXTS = [
    body("no text", {}, "text", says="required"),
    body("an empty text", {"text": ""}, "text"),
    body("a blank text", {"text": " \n\t\u00a0\u3000"}, "text"),
    body("text and blocks", {"text": "x", "blocks": [{"text": "y"}]}, "blocks"),
    body("no blocks", {"blocks": []}, "blocks"),
    body("33 blocks", {"blocks": [{"text": "x"}] * 33}, "blocks", says="32"),
    body("a block without text", {"blocks": [{"text": "x"}, {}]}, "blocks[1].text"),
    body("a block that is a string", {"blocks": ["x"]}, "blocks[0]"),
    body("a block of null", {"blocks": [None]}, "blocks[0]"),
    body("NUL", {"text": "a\0b"}, "text"),
    body("a bell", {"text": "a\u0007b"}, "text"),
    body("DEL", {"text": "a\u007fb"}, "text"),
    body("a C1 control", {"text": "a\u0085b"}, "text"),
    body("half a surrogate pair", '{"text":"\\ud800"}', "body"),
    Case("a plain body of nothing", 400, ["text"], body=b"", kind=TEXT),
    Case("a plain body of white space", 400, ["text"], body=b" \n", kind=TEXT),
]
MARKUP = [
    markup("<b>open", "b"),
    markup("a</b>", "b"),
    markup("<b><i>crossed</b></i>", "i"),
    markup("<blink>x</blink>", "blink"),
    markup("<span colour='red'>x</span>", "colour"),
    markup("<span foreground='blurple'>x</span>", "blurple"),
    markup("<span size='1pt'>x</span>", "size"),
    markup("<span size='999pt'>x</span>", "size"),
    markup("<span size='-5'>x</span>", "size"),
    markup("<span size=12>x</span>", ""),
    markup("<span weight='12345'>x</span>", "weight"),
    markup("<a href='http://example.org'>x</a>", "a"),
    markup("<span background='red'>x</span>", "background"),
    markup("<span face='Serif'>x</span>", "face"),
    markup("fish & chips", "&"),
    markup("&nbsp;", "nbsp"),
    markup("&#0;", ""),
    markup("a&#7;b", ""),
    markup("a&#x1b;b", ""),
    markup("&#xD800;x", ""),
    markup("<b", ""),
    markup("<b x", ""),
    markup("<span>", "span"),
    markup("a < b", ""),
    markup("<b>  </b>", ""),
    markup("<big>" * 40 + "x" + "</big>" * 40, "400"),
    markup("<small>" * 40 + "x" + "</small>" * 40, "4"),
    markup("<b>" * 3000 + "x", ""),
    markup("<span foreground='red' foreground='blue'>x</span>", "foreground"),
    markup("<!DOCTYPE x [<!ENTITY y 'z'>]>&y;", ""),
    markup("<span rise='99999999999'>x</span>", "rise"),
    markup("<span letter_spacing='99999999999'>x</span>", "letter_spacing"),
    markup("<span font='Serif Bold 900' size='x-big'>x</span>", "size"),
    markup("<span alpha='200%'>x</span>", "alpha"),
]
BODIES = [
    body("broken JSON", '{"text": "x"', "body"),
    body("an array", '["x"]', "body"),
    body("a string", '"x"', "body"),
    body("nothing", b"", "body"),
    body("two objects", '{"text":"x"}{"text":"y"}', "body"),
    body("a comma too many", '{"text":"x",}', "body"),
    body("a number of no grammar", '{"text":"x","size":012}', "body"),
    *[
        body(f"broken JSON {text}", f'{{"text":"x","size":{text}}}', "body")
        for text in (
            "1.",
            ".5",
            "+1",
            "1e",
            "-",
            "0x20",
            "20//",
            "'20'",
            "Infinity",
            "tru",
            "\\u0032\\u0030",
            "[20,]",
            '"\\x"',
            '"\\u12"',
            '{"a"}',
        )
    ],
    body("a name without quotes", '{text:"x"}', "body"),
    body("half a surrogate pair in a name", '{"text":"x","\\udc00":1}', "body"),
    body("NaN", '{"text":"x","size":NaN}', "body"),
    body("bad UTF-8", b'{"text":"\xff\xfe"}', "body", says="UTF-8"),
    body("overlong UTF-8", b'{"text":"\xc0\xaf"}', "body"),
    body("a line break in a string", b'{"text":"a\nb"}', "body"),
    body("UTF-16", '{"text":"x"}'.encode("utf-16"), "body"),
    body("a pit of arrays", b'{"text":"x","blocks":' + b"[" * 20000 + b"]" * 20000 + b"}", "body"),
    Case("bad UTF-8 in plain text", 400, ["body"], body=b"caf\xe9", kind=TEXT),
    Case("JSON sent as a form", 400, ["body"], body=b'{"text":"x"}', kind=FORM, says="Content-Type"),
]
QUERIES = [
    query("no text", "", "text"),
    query("an empty value", "text=x&size=", "size"),
    query("no value", "text=x&italic", "italic"),
    query("a name twice", "text=x&size=20&size=30", "size", says="more than once"),
    query("a number with a plus", "text=x&size=%2B20", "size"),
    query("a hexadecimal number", "text=x&size=0x20", "size"),
    query("a number of no digits", "text=x&size=.5e1", "size"),
    query("a number with a space", "text=x&size=20+", "size"),
    query("infinity", "text=x&hold=Infinity", "hold"),
    query("a boolean of 2", "text=x&italic=2", "italic"),
    query("neither true nor false", "text=x&italic=maybe", "italic"),
    query("bad percent encoding", "text=%zz", "text"),
    query("cut percent encoding", "text=x%4", "text"),
    query("bad UTF-8", "text=%ff", "text", says="UTF-8"),
    query("NUL", "text=a%00b", "text"),
    query("blocks", "blocks=%5B%5D", "blocks"),
    query("an unknown name", "text=x&colr=red", "colr", says='did you mean "color"?'),
    query("33 texts", "&".join(["text=x"] * 33), "text"),
    query("an empty text", "text=", "text"),
    form("a form with a name twice", "text=x&size=20&size=30", "size"),
    form("an empty form", "", "text"),
    form("an unknown name in a form", "text=x&sise=1", "sise", says='"size"'),
    body("a name in query and body", {"text": "x", "size": 20}, "size", target="/render?size=20"),
    body("text in query and body", {"text": "x"}, "text", target="/render?text=y"),
]
LIMITS = [
    body("2,001 graphemes", {"text": "x" * 2001}, "text", status=422, says="2000"),
    body(
        "2,001 graphemes in blocks",
        {"blocks": [{"text": "x" * 1500}, {"text": "y" * 501}]},
        "blocks",
        status=422,
        says="2000",
    ),
    body(
        "a cycle too long by its exit", {"text": "x" * 100, "exit": "auto", "eraseInterval": 2}, "text", status=422, says="120"
    ),
    body("a canvas too wide", {"text": "W" * 400, "size": 100, "maxWidth": "none"}, "width", status=422, says="4096"),
    body("a canvas too high", {"text": "x\n" * 300 + "x", "size": 60}, "height", status=422, says="4096"),
    body("a cycle too long", {"text": "x" * 100, "interval": 5}, "text", status=422, says="120"),
    body(
        "too many pixels",
        {"text": "x", "width": 4000, "height": 4000, "scale": 4},
        "scale",
        status=422,
        says="16777216",
    ),
    body("a body too large", {"text": "x", "title": "y" * 70000}, "request", status=413, says="65536"),
    Case("a target too long", 414, ["request"], target="/render?text=" + "x" * 9000, says="8192"),
    Case("headers too large", 431, ["request"], target="/health", headers={f"X-{n}": "y" * 4000 for n in range(20)}),
    Case("too many headers", 431, ["request"], target="/health", headers={f"X-{n}": "y" for n in range(200)}),
]
PROTOCOL = [
    Case("no such path", 404, [], target="/rendre"),
    Case("no such extension", 404, ["format"], target="/render.bmp?text=x"),
    Case("no such effect page", 404, [], target="/effects/fade"),
    Case("PUT", 405, ["method"], body=b"x", kind=TEXT, method="PUT"),
    Case("DELETE", 405, ["method"], target="/effects", method="DELETE"),
    Case("POST to a document", 405, ["method"], target="/fonts", body=b"", kind=TEXT),
    Case("POST to health", 405, ["method"], target="/health", body=b"", kind=TEXT),
    Case("POST to a permalink", 405, ["method"], target=f"/r/{GOOD_TOKEN}.svg", body=b"", kind=TEXT),
    Case("an unknown method", 405, ["method"], method="BREW"),
    Case("Accept of nothing that we make", 406, ["Accept"], target="/render?text=x", headers={"Accept": "text/html"}),
    Case(
        "Accept of nothing",
        406,
        ["Accept"],
        target="/render?text=x",
        headers={"Accept": "image/svg+xml;q=0, application/*;q=0, image/png;q=0"},
    ),
    Case("no Content-Type", 415, ["Content-Type"], body=b'{"text":"x"}'),
    Case("another Content-Type", 415, ["Content-Type"], body=b"<x/>", kind="application/xml", says="xml"),
    Case("another charset", 415, ["Content-Type"], body=b"x", kind="text/plain; charset=latin1"),
    Case(
        "a compressed body",
        415,
        ["Content-Encoding"],
        body=zlib.compress(b"x"),
        kind=TEXT,
        headers={"Content-Encoding": "deflate"},
        says="as it is",
    ),
]
PERMALINKS = [
    permalink("no token", ".svg"),
    permalink("not base64url", "!!!.svg"),
    permalink("padding", GOOD_TOKEN + "==.svg"),
    permalink("cut short", GOOD_TOKEN[:-6] + ".svg"),
    permalink("not compressed", base64.urlsafe_b64encode(b'{"text":"Hi"}').decode().rstrip("=") + ".svg"),
    permalink("a bomb", token(b'{"text":"' + b" " * 4_000_000 + b'"}') + ".svg"),
    permalink(
        "something after the end",
        base64.urlsafe_b64encode(zlib.compress(b'{"text":"Hi"}') + b"more").decode().rstrip("=") + ".svg",
    ),
    permalink("not JSON", token(b"text") + ".svg"),
    permalink("bad UTF-8", token(b'{"text":"\xff"}') + ".svg"),
    permalink("no such extension", GOOD_TOKEN + ".bmp", 404, ["format"]),
    permalink("no extension", GOOD_TOKEN, 404, ()),
    permalink("a query", GOOD_TOKEN + ".svg?size=20", faults=["size"]),
    permalink("an invalid request", token(b'{"text":"Hi","size":1}') + ".svg", faults=["size"]),
    permalink("no text in it", token(b"{}") + ".svg", faults=["text"]),
    permalink("not base64url in a revision", f"{REVISION}/!!!.svg"),
    permalink("no token in a revision", f"{REVISION}/.svg"),
    permalink("two tokens", f"{REVISION}/{GOOD_TOKEN}/{GOOD_TOKEN}.svg"),
    permalink("no extension in a revision", f"{REVISION}/{GOOD_TOKEN}", 404, ()),
    permalink("a revision alone", f"{REVISION}/", 404, ()),
    permalink("no revision", f"/{GOOD_TOKEN}.svg", 404, ()),
    permalink("revision zero", f"0/{GOOD_TOKEN}.svg", 404, ()),
    permalink("a token for a revision", f"{GOOD_TOKEN}/x.svg", 404, ()),
    permalink(
        "a newer revision", f"{REVISION + 1}/{GOOD_TOKEN}.svg", 503, ["revision"], says=f"at most {REVISION}"
    ),
]
CASES = [
    case
    for group in (TYPES, RANGES, RASTER, CHOREOGRAPHY, NAMES, TEXTS, MARKUP, BODIES, QUERIES, LIMITS, PROTOCOL, PERMALINKS)
    for case in group
]

RAW = {  # what no client library would send
    "no Host": (b"GET /health HTTP/1.1\r\n\r\n", 400),
    "two Hosts": (b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    "no version": (b"GET /health\r\n\r\n", 400),
    "HTTP/2.0": (b"GET /health HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    "another protocol": (b"GET /health SIP/2.0\r\nHost: a\r\n\r\n", 400),
    "an unknown transfer coding": (b"POST /render HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: br\r\n\r\n", 501),
    "POST without a length": (
        b"POST /render HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n",
        411,
    ),
    "length and chunks": (
        b"POST /render HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400,
    ),
    "two lengths": (b"POST /render HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
    "a negative length": (b"POST /render HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\n", 400),
    "a bad chunk": (
        b"POST /render HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n",
        400,
    ),
    "a chunk of endless size": (
        b"POST /render HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
        413,
    ),
    "a folded header": (b"GET /health HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400),
    "a space before the colon": (b"GET /health HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    "a NUL in a header": (b"GET /health HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n", 400),
    "an unknown expectation": (
        b"POST /render HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 1\r\n\r\n",
        417,
    ),
    "a body announced too large": (
        b"POST /render HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 99999999999\r\n\r\n",
        413,
    ),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
}
