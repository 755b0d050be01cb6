"""The CPU that an event loop takes for large and odd requests, in milliseconds a request.

    python3 Benchmarks/loops.py .build/release/titlecard [--limit 2]

Each kind is sent a number of times by one client to a service with one loop; what its thread ran is
read from the system, so that a busy machine does not matter much. Ends with 1 where the limit is
passed.
"""

import argparse
import json
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Tests" / "EndToEnd"))
from service import Service, query  # first: it makes Tests/Reference known
from hostile_requests import FORM, head, posted, token
from process_tree import family

REQUESTS = 40
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
    with socket.create_connection((service.host, service.port), 60) as connection:
        try:
            connection.sendall(sent)
            answer = b""
            while piece := connection.recv(1 << 18):
                answer = answer or piece
            return answer[9:12].decode()
        except OSError:
            return "cut"


def cost(service, process, sent, thread=None):
    """Returns the status of an answer, and the ms of a thread a request, or of the one that ran most."""
    status = ask(service, sent)
    before = ran(process)
    for _ in range(REQUESTS):
        ask(service, sent)
    spent = {name: (time - before.get(name, 0)) / REQUESTS / 1e6 for name, time in ran(process).items()}
    thread = thread or max(spent, key=spent.get)
    return status, thread, spent[thread]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=2, help="ms of CPU a request")
    arguments = parser.parse_args()
    options = ("--loops", "1", "--log-level", "error", "--trusted-proxies", "127.0.0.0/8")
    service = Service(*options, binary=arguments.binary.absolute())
    worst = 0
    try:
        process = family(service.process.pid)[-1]
        _, loop, _ = cost(service, process, asked("/health"))
        for name, sent in kinds():
            status, _, spent = cost(service, process, sent, loop)
            print(f"{spent:8.3f} ms  {status}  {len(sent):6d} B  {name}", flush=True)
            worst = max(worst, spent)
    finally:
        service.stop()
    sys.exit(worst > arguments.limit)


if __name__ == "__main__":
    main()
