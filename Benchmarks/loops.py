"""The CPU that an event loop takes for large and odd requests, in milliseconds a request.

    python3 Benchmarks/loops.py .build/release/titlecard [--limit 0.3] [--seconds 60] [--seed 1]

Each kind is sent a number of times by one client to a service with one loop; what its thread ran is
read from the system, so that a busy machine does not matter much. Then the search begins: requests of
at most 2,048 bytes of target, fields, and body are changed step by step, and what costs more is kept.
Answers of more than 64 KiB are left out, whose bytes take most of the time. Ends with 1 where the worst
request, best of five, passes the limit.
"""

import argparse
import json
import pathlib
import random
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/EndToEnd/support"))
from service import Service, query  # first: it makes Tests/Reference known
from hostile_requests import FORM, head, posted, token
from process_tree import family

REQUESTS = 20
MOST = 2048  # bytes of target, fields, and body in the search
ANSWER = 65536  # bytes of an answer in the search
STALE = 40  # changes without an improvement, after which the search begins anew
BODY = 65536
COLORS = ",".join(["red", "blue"] * 4)


def filled(piece, length=BODY):
    return (piece * (length // len(piece) + 1))[:length]


def asked(target, *lines):
    fields = "".join(f"{line}\r\n" for line in lines)
    return f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n".encode()


def in_json(request):
    return posted("/render.svg", "application/json", json.dumps(request).encode()[:BODY])


def kinds():
    """Yields the name of a kind and the bytes of a request."""
    names = b"&".join([b"text=x", *(b"letterS%d=1" % number for number in range(6000))])
    target = "/render.svg?text=Loop"
    yield "health", asked("/health")
    yield "kept", asked(target)
    yield "names in a form", posted("/render", FORM, names[:BODY])
    yield "names up to 2 KiB", posted("/render", FORM, names[:1900])
    yield "names in JSON", in_json({f"n{number}": None for number in range(4000)})
    yield "& in a form", posted("/render", FORM, filled(b"a&"))
    yield "& up to 2 KiB", posted("/render", FORM, filled(b"a&", 1900))
    yield "& in a query", asked("/render?" + "a&" * 4000)
    yield "marks in a permalink", asked(f"/r/{token(dict(text='x' + chr(0x301) * 32000))}.svg")
    yield "marks, not modified", asked(f"/r/{token(dict(text='x' + chr(0x301) * 32000))}.svg", 'If-None-Match: "x"')
    yield "deep JSON", posted("/render", "application/json", b"[" * 60000)
    yield "deep JSON up to 2 KiB", posted("/render", "application/json", b"[" * 1900)
    yield "wide JSON", posted("/render", "application/json", b'{"blocks":[' + b"{}," * 20000 + b"{}]}")
    yield "wide JSON up to 2 KiB", posted("/render", "application/json", b'{"blocks":[' + b"{}," * 620 + b"{}]}")
    yield "markup", in_json(dict(text="<b>a</b>" * 4000, markup=True))
    yield "markup up to 2 KiB", in_json(dict(text="<b>a</b>" * 220, markup=True))
    yield "gradients", in_json(dict(text="x", color=f"linear-gradient({COLORS})", shadow=["1px 1px 1px red"] * 8))
    yield "blocks of gradients", in_json(dict(blocks=[dict(text="x", color=f"linear-gradient({COLORS})")] * 32))
    yield "keyframes", in_json(
        dict(text="x", effect="custom", keyframes=[dict(x=n, easing="linear(0,1,0,1)") for n in range(16)])
    )
    yield "fonts", asked("/render?" + query(dict(text="x", font=",".join(["Family"] * 28)[:200])))
    yield "Accept", asked(target, "Accept: " + filled("a/b;q=0.1,", 8000))
    yield "If-None-Match", asked(target, "If-None-Match: " + filled('"a",', 8000))
    yield "X-Forwarded-For", asked(target, "X-Forwarded-For: " + filled("10.0.0.1,", 8000))
    yield "typing", asked("/typing?lines=" + "a;" * 3000)
    yield "typing up to 2 KiB", asked("/typing?lines=" + "a;" * 900)
    yield "embed", asked("/embed?text=Loop")
    yield "a file", asked("/")
    yield "OpenAPI", asked("/openapi.json")
    yield "metrics", asked("/metrics")
    yield "unknown path", asked("/" + "a/" * 1900)
    yield "HEAD", head("HEAD", target)


def ran(process):
    """Returns the nanoseconds that each thread of a process ran."""
    times = {}
    for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
        try:
            times[thread.name] = int((thread / "schedstat").read_text().split()[0])
        except OSError:
            pass
    return times


def ask(service, sent):
    """Returns the status of an answer, and its bytes."""
    with socket.create_connection((service.host, service.port), 60) as connection:
        try:
            connection.sendall(sent)
            answer, count = b"", 0
            while piece := connection.recv(1 << 18):
                answer, count = answer or piece, count + len(piece)
            return answer[9:12].decode(), count
        except OSError:
            return "cut", 0


def cost(service, process, sent, thread=None, most=None):
    """Returns the status of an answer, and the ms of a thread a request, or of the one that ran most.

    These are 0 where the answer has more than the most bytes.
    """
    status, count = ask(service, sent)
    if most and count > most:
        return status, thread, 0
    before = ran(process)
    for _ in range(REQUESTS):
        ask(service, sent)
    spent = {name: (time - before.get(name, 0)) / REQUESTS / 1e6 for name, time in ran(process).items()}
    thread = thread or max(spent, key=spent.get)
    return status, thread, spent[thread]


PIECES = [
    "a", "&", "=", "%41", "%", ";", ",", '"', "[", "{", "}", "]", "<b>", "</b>", "&amp;", "\\u0301", "\u0301", "/", "?", "..", "+",
    "text=x", "text=", "lines=", "lines=a;", "effect=", "letterSpacin=1", "letterSpacing1=1", "colour=", "preset=", "for=",
    "keyframes=", '{"x":1}', '{"text":', '"a":null,', "#fff", "linear(0,1)", "1e9", "W/", '"x",', "gzip;q=0.1,", "a/b;q=0.1,",
    "10.0.0.1,", "::1,", "signature=", "fontFeatures=", "liga=0,", "path=M0 0", "L1 1", "d=", "{ss}", "to=2030-01-01",
]
PATHS = [
    "/", "/render", "/render.svg", "/render.gif", "/embed", "/element", "/canonical", "/canonical/render.svg", "/typing",
    "/countdown.svg", "/batch", "/mcp", "/r/3/", "/health", "/effects", "/openapi.json", "/docs/", "/index.html", "/nothing", "*",
]
FIELDS = [
    "Accept", "Accept-Encoding", "If-None-Match", "If-Range", "Range", "X-Forwarded-For", "X-Forwarded-Proto", "Origin",
    "Titlecard-Key", "Content-Type", "Expect", "traceparent", "X-Request-Id", "Cookie", "x",
]
TYPES = ["application/json", "application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]


class Odd:
    """A request of at most `MOST` bytes, which can be changed."""

    def __init__(self, chance):
        self.method, self.path = chance.choice(["GET", "GET", "POST", "HEAD", "OPTIONS"]), chance.choice(PATHS)
        self.query = "text=x" if chance.random() < 0.5 else ""
        self.fields, self.body, self.type = [], "", chance.choice(TYPES)

    def changed(self, chance):
        other = Odd(chance)
        other.__dict__ = {**self.__dict__, "fields": list(self.fields)}
        for _ in range(chance.randint(1, 3)):
            piece = "".join(chance.choices(PIECES, k=chance.randint(1, 3))) * chance.choice([1, 2, 10, 100, 700])
            match chance.randrange(8):
                case 0: other.method = chance.choice(["GET", "POST", "HEAD", "OPTIONS", "PUT"])
                case 1: other.path = chance.choice(PATHS)
                case 2: other.query = self.mixed(other.query, piece, chance)
                case 3: other.path = self.mixed(other.path, piece, chance)
                case 4: other.fields = [*other.fields, (chance.choice(FIELDS), piece)][-60:]
                case 5: other.fields = other.fields[:-1]
                case 6: other.body = self.mixed(other.body, piece, chance)
                case 7: other.type = chance.choice(TYPES)
        return other

    @staticmethod
    def mixed(text, piece, chance):
        place = chance.randint(0, len(text))
        return chance.choice([text + piece, text[:place] + piece + text[place:], text[:place], piece])

    @property
    def sent(self):
        """The bytes; what is past the limit is cut, the body first."""
        target = (self.path + ("?" + self.query if self.query else "")).encode().replace(b" ", b"%20")[: MOST - 100]
        left = MOST - len(target)
        fields = b""
        for name, value in self.fields:
            line = f"{name}: ".encode() + value.encode()
            fields += line[:left] + b"\r\n" if left > len(name) + 2 else b""
            left -= len(line)
        body = self.body.encode()[: max(left, 0)] if self.method in ("POST", "PUT") else b""
        if self.method in ("POST", "PUT"):
            fields += f"Content-Type: {self.type}\r\nContent-Length: {len(body)}\r\n".encode()
        return b"%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n%s" % (self.method.encode(), target, fields, body)


def least(service, process, sent, thread, count=5):
    return min(cost(service, process, sent, thread, ANSWER)[2] for _ in range(count))


def search(service, process, loop, seconds, seed):
    """Climbs from random requests; returns the ms and the bytes of the one that costs the loop most."""
    chance, end = random.Random(seed), time.monotonic() + seconds
    worst = (0, b"")
    while time.monotonic() < end:
        best, found, stale = Odd(chance), 0, 0
        while stale < STALE and time.monotonic() < end:
            other = best.changed(chance)
            spent = cost(service, process, other.sent, loop, ANSWER)[2]
            if spent > found * 1.02 and (spent := least(service, process, other.sent, loop, 3)) > found * 1.02:
                best, found, stale = other, spent, 0
            else:
                stale += 1
        if found > worst[0]:
            worst = (found, best.sent)
            print(f"{found:8.3f} ms  {len(best.sent):6d} B  found: {best.sent[:100]!r}", flush=True)
    return least(service, process, worst[1], loop), worst[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=0.3, help="ms of CPU a request")
    parser.add_argument("--seconds", type=float, default=60, help="seconds of the search")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    options = ("--loops", "1", "--log-level", "error", "--trusted-proxies", "127.0.0.0/8")
    service = Service(*options, binary=arguments.binary.absolute())
    try:
        process = family(service.process.pid)[-1]
        _, loop, _ = cost(service, process, asked("/health"))
        for name, sent in kinds():
            status, _, spent = cost(service, process, sent, loop)
            print(f"{spent:8.3f} ms  {status}  {len(sent):6d} B  {name}", flush=True)
        worst, sent = search(service, process, loop, arguments.seconds, arguments.seed)
        print(f"{worst:8.3f} ms  {len(sent):6d} B  the worst, best of five: {sent!r}")
    finally:
        service.stop()
    sys.exit(worst > arguments.limit)


if __name__ == "__main__":
    main()
